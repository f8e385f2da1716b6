//! C types, interned: equal types have equal ids.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::span::Span;
use crate::task::DataModel;
use crate::typed_id;

typed_id! {
    /// A type in a [`Types`] table.
    TypeId
}
typed_id! {
    /// A struct or union in a [`Types`] table.
    RecordId
}

/// The integer types; `char` is signed on the targets supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    /// `_Bool`: one byte, of which one bit is used.
    Bool,
    /// `char`, distinct from both others (C11 6.2.5).
    Char,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `short`: 16 bits.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`: 32 bits.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long`: as wide as a pointer.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`: 64 bits.
    LongLong,
    /// `unsigned long long`.
    ULongLong,
    /// GNU `__int128`.
    Int128,
    /// GNU `unsigned __int128`.
    UInt128,
}

impl IntKind {
    /// Size in bytes.
    pub fn size(self, model: DataModel) -> u32 {
        use IntKind::*;
        match self {
            Bool | Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => model.pointer_bytes(),
            LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }
}

/// The real floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// IEEE half precision (`_Float16`).
    Half,
    /// `float`: IEEE binary32.
    Single,
    /// `double`: IEEE binary64.
    Double,
    /// x87 80-bit `long double` (stored in 12 bytes on ILP32, 16 on LP64).
    Extended,
    /// IEEE binary128 (`__float128`, `_Float128`).
    Quad,
}

/// A type without qualifiers (they do not change what a verdict means).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`: incomplete, and never completed.
    Void,
    /// An integer type.
    Int(IntKind),
    /// A real floating type.
    Float(FloatKind),
    /// An enumeration type; behaves as its underlying integer type.
    Enum {
        /// The tag; `None` without one. Enumerations of one tag and underlying type are one type.
        name: Option<Arc<str>>,
        /// As written (`enum E : T`) or as gcc chooses it: `unsigned int` or, with negative values, `int`, unless
        /// these are too narrow or the enumeration is packed.
        underlying: IntKind,
    },
    /// To an object, a function or `void`.
    Pointer(TypeId),
    /// An array type.
    Array {
        /// Complete, or of variable length itself.
        element: TypeId,
        /// Number of elements.
        length: ArrayLength,
    },
    /// A function type.
    Function(FunctionType),
    /// A structure, union, vector or complex type.
    Record(RecordId),
    /// `__builtin_va_list`: one pointer wide here; it walks the caller's argument area.
    VaList,
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLength {
    /// Number of elements; 0 is a GNU extension.
    Known(u64),
    /// `[]`: incomplete, or a flexible array member.
    Unknown,
    /// A variable length array; the index names the length's expression in the function's `vla_lengths`.
    Variable(u32),
}

/// A function type; `params` is empty and `prototyped` false for `f()`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// The type of its value, `void` where it has none.
    pub result: TypeId,
    /// As adjusted (C11 6.7.6.3): pointers for arrays and functions.
    pub params: Vec<TypeId>,
    /// It ends in `...`.
    pub variadic: bool,
    /// Arguments are converted to the parameter types, not just promoted (C11 6.5.2.2).
    pub(crate) prototyped: bool,
}

/// A struct or union definition (or only its tag, while `fields` is `None`).
#[derive(Clone, Debug)]
pub struct Record {
    /// `None` without one.
    pub tag: Option<Arc<str>>,
    /// The name of a `typedef` at file scope for one without a tag: the first one.
    pub alias: Option<Arc<str>>,
    /// `union`: all members are at offset 0.
    pub is_union: bool,
    /// The specifier with the members, or the first one with the tag; empty for vectors and complex numbers.
    pub(crate) span: Span,
    /// Of a vector or a complex number, whose parts are its fields.
    pub(crate) parts: Option<Parts>,
    /// `None` while incomplete.
    pub layout: Option<RecordLayout>,
}

/// What a vector or a complex number (a pair, real part first) is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Parts {
    /// The type of each part.
    pub(crate) element: TypeId,
    /// Number of parts; 2 for a complex number.
    pub(crate) count: u32,
    /// `_Complex`, not a GNU vector.
    pub(crate) is_complex: bool,
}

/// Where everything in a complete record stands.
#[derive(Clone, Debug, Default)]
pub struct RecordLayout {
    /// In order of declaration; unnamed bit-fields are left out.
    pub fields: Vec<Field>,
    /// Bytes, including tail padding.
    pub(crate) size: u64,
    /// Bytes.
    pub(crate) align: u64,
    /// With members whose sizes are known only at run time: the alignment of each field. Then `size` and all offsets are 0 here.
    pub(crate) variable: Option<Vec<u64>>,
}

/// A member; anonymous struct/union members are kept as unnamed fields (look-up goes through them).
#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for an anonymous member, and for parts of vectors and complex numbers.
    pub name: Option<Arc<str>>,
    /// For a bit-field, the declared type.
    pub ty: TypeId,
    /// Byte offset from the record's start; for a bit-field the offset of the byte its first bit lies in.
    pub offset: u64,
    /// `None` where it is no bit-field.
    pub bits: Option<BitField>,
}

/// Position of a bit-field within the byte `Field::offset`: `shift < 8`, `width` bits from there, little endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// Bits below it in its first byte.
    pub shift: u32,
    /// Bits; at least 1.
    pub width: u32,
}

impl BitField {
    /// Bits of the bytes that the field lies in, at most [`Self::MAX_UNIT`].
    pub(crate) fn unit(self) -> u32 {
        (self.shift + self.width).next_multiple_of(8)
    }

    /// The field's bits in its unit.
    pub(crate) fn mask(self) -> u128 {
        u128::MAX >> (u128::BITS - self.width) << self.shift
    }

    /// Wider ones cannot be written down; only packed fields of 128-bit types come that far.
    pub(crate) const MAX_UNIT: u32 = u128::BITS;
}

/// The interning table of types and the definitions of records.
#[derive(Clone, Debug)]
pub struct Types {
    /// Decides sizes and alignments.
    pub model: DataModel,
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    /// By [`RecordId`].
    pub(crate) records: Vec<Record>,
    numeric: FxHashMap<Parts, TypeId>,
}

impl Types {
    /// A table without types.
    pub(crate) fn new(model: DataModel) -> Self {
        Self { model, types: Vec::new(), ids: FxHashMap::default(), records: Vec::new(), numeric: FxHashMap::default() }
    }

    /// The id of `ty`.
    pub(crate) fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId::from_index(self.types.len());
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The type that an id of this table stands for.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The structure or union that an id of this table stands for.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    /// A `typedef` gives `ty` this name.
    pub(crate) fn note_alias(&mut self, ty: TypeId, name: &str) {
        if let Type::Record(id) = *self.get(ty) {
            let record = &mut self.records[id.index()];
            if record.tag.is_none() && record.alias.is_none() {
                record.alias = Some(name.into());
            }
        }
    }

    /// The id of an integer type.
    pub(crate) fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    /// The id of `void`.
    pub(crate) fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    /// The id of the pointers to `target`.
    pub(crate) fn pointer_to(&mut self, target: TypeId) -> TypeId {
        self.intern(Type::Pointer(target))
    }

    /// The vector (GNU `vector_size`) of `count` elements.
    pub(crate) fn vector_of(&mut self, element: TypeId, count: u32) -> TypeId {
        self.numeric(Parts { element, count, is_complex: false })
    }

    /// The complex numbers of two parts of type `element`.
    pub(crate) fn complex_of(&mut self, element: TypeId) -> TypeId {
        self.numeric(Parts { element, count: 2, is_complex: true })
    }

    fn numeric(&mut self, parts: Parts) -> TypeId {
        if let Some(&known) = self.numeric.get(&parts) {
            return known;
        }
        let step = self.size_of(parts.element).unwrap_or(1);
        let size = step * u64::from(parts.count);
        let field = |i| Field { name: None, ty: parts.element, offset: step * u64::from(i), bits: None };
        let fields = (0..parts.count).map(field).collect();
        let align = if parts.is_complex { self.align_of(parts.element).unwrap_or(1) } else { size };
        let layout = Some(RecordLayout { fields, size, align, variable: None });
        let id = RecordId::from_index(self.records.len());
        self.records.push(Record {
            tag: None,
            alias: None,
            is_union: false,
            span: Span::new(0, 0),
            parts: Some(parts),
            layout,
        });
        let ty = self.intern(Type::Record(id));
        self.numeric.insert(parts, ty);
        ty
    }

    /// The integer kind of an integer or enumeration type.
    pub(crate) fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Int(kind) | Type::Enum { underlying: kind, .. } => Some(*kind),
            _ => None,
        }
    }
}
