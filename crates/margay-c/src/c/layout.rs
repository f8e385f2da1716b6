//! Sizes, alignments and record layout as gcc has them on x86 (System V).

use crate::task::DataModel;

use super::types::{ArrayLength, BitField, Field, FloatKind, IntKind, Record, RecordLayout, Type, TypeId, Types};

impl FloatKind {
    /// Size in bytes, padding included.
    pub fn size(self, model: DataModel) -> u64 {
        match self {
            FloatKind::Half => 2,
            FloatKind::Single => 4,
            FloatKind::Double => 8,
            FloatKind::Extended if model == DataModel::Ilp32 => 12,
            FloatKind::Extended | FloatKind::Quad => 16,
        }
    }
}

impl Types {
    /// The most bytes that an object can have: differences of pointers into it must be numbers.
    pub(crate) fn max_object_bytes(&self) -> u64 {
        (1 << (self.model.pointer_bits() - 1)) - 1
    }

    /// Size in bytes; `None` for incomplete, function and variable length types (GNU: `void` and functions count as 1 in
    /// pointer arithmetic, see [`Types::stride_of`]).
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        match self.get(ty) {
            Type::Void | Type::Function(_) => None,
            Type::Int(kind) | Type::Enum { underlying: kind, .. } => Some(u64::from(kind.size(self.model))),
            Type::Float(kind) => Some(kind.size(self.model)),
            Type::Pointer(_) => Some(u64::from(self.model.pointer_bytes())),
            // An array of one structure of 24 bytes on LP64, a plain pointer on ILP32.
            Type::VaList => Some(match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            }),
            Type::Array { element, length: ArrayLength::Known(n) } => self.size_of(*element)?.checked_mul(*n),
            Type::Array { .. } => None,
            Type::Record(id) => self.record(*id).layout.as_ref().filter(|l| l.variable.is_none()).map(|l| l.size),
        }
    }

    /// An object whose size is known only at run time: an array with such a dimension, a record with such a member (GNU).
    pub fn is_variable(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Array { length: ArrayLength::Variable(_), .. } => true,
            Type::Array { element, .. } => self.is_variable(*element),
            Type::Record(_) => self.layout_of(ty).is_some_and(|layout| layout.variable.is_some()),
            _ => false,
        }
    }

    /// What one step of a pointer to `ty` is worth, in bytes; 1 for `void` and functions.
    pub(crate) fn stride_of(&self, ty: TypeId) -> Option<u64> {
        match self.get(ty) {
            Type::Void | Type::Function(_) => Some(1),
            _ => self.size_of(ty),
        }
    }

    /// Alignment in bytes that a member of this type gets (`_Alignof`); `None` for incomplete types.
    pub(crate) fn align_of(&self, ty: TypeId) -> Option<u64> {
        let scalar = |size: u64| match self.model {
            DataModel::Ilp32 => size.min(4),
            DataModel::Lp64 => size,
        };
        match self.get(ty) {
            Type::Void | Type::Function(_) => Some(1),
            Type::Int(IntKind::Int128 | IntKind::UInt128) => Some(16),
            Type::Float(kind) => Some(match (kind, self.model) {
                (FloatKind::Quad, _) | (FloatKind::Extended, DataModel::Lp64) => 16,
                (FloatKind::Extended, DataModel::Ilp32) => 4,
                _ => scalar(kind.size(self.model)),
            }),
            Type::Array { element, .. } => self.align_of(*element),
            Type::Record(id) => self.record(*id).layout.as_ref().map(|l| l.align),
            Type::VaList => Some(u64::from(self.model.pointer_bytes())),
            _ => self.size_of(ty).map(scalar),
        }
    }

    /// The alignment gcc prefers for an object on its own (`__alignof__`): 8 for 8-byte scalars on ILP32 too.
    pub(crate) fn preferred_align_of(&self, ty: TypeId) -> Option<u64> {
        match self.get(ty) {
            Type::Int(_) | Type::Enum { .. } | Type::Float(FloatKind::Double) => {
                Some(self.size_of(ty)?.max(self.align_of(ty)?))
            }
            Type::Record(id) => match self.record(*id).parts {
                Some(parts) if parts.is_complex => self.preferred_align_of(parts.element),
                _ => self.align_of(ty),
            },
            Type::Array { element, .. } => self.preferred_align_of(*element),
            _ => self.align_of(ty),
        }
    }

    /// Signedness of an integer or enumeration type.
    pub fn is_signed(&self, ty: TypeId) -> bool {
        self.int_kind(ty).is_some_and(IntKind::is_signed)
    }

    /// Width in bits of an integer, enumeration or pointer type (1 for `_Bool`).
    pub(crate) fn bits_of(&self, ty: TypeId) -> Option<u32> {
        match self.get(ty) {
            Type::Int(IntKind::Bool) => Some(1),
            Type::Int(kind) | Type::Enum { underlying: kind, .. } => Some(kind.size(self.model) * 8),
            Type::Pointer(_) => Some(self.model.pointer_bits()),
            _ => None,
        }
    }

    /// The layout of a complete record type.
    pub(crate) fn layout_of(&self, ty: TypeId) -> Option<&RecordLayout> {
        match self.get(ty) {
            Type::Record(id) => self.record(*id).layout.as_ref(),
            _ => None,
        }
    }

    /// The path of field indices to member `name`, through anonymous members.
    pub(crate) fn find_member(&self, ty: TypeId, name: &str) -> Option<Vec<u32>> {
        let layout = self.layout_of(ty)?;
        for (i, field) in layout.fields.iter().enumerate() {
            match &field.name {
                Some(n) if **n == *name => return Some(vec![i as u32]),
                Some(_) => {}
                None => {
                    if let Some(mut path) = self.find_member(field.ty, name) {
                        path.insert(0, i as u32);
                        return Some(path);
                    }
                }
            }
        }
        None
    }

    /// C-like text of a type, for messages.
    pub fn display(&self, ty: TypeId) -> String {
        match self.get(ty) {
            Type::Void => "void".into(),
            Type::Int(kind) => int_name(*kind).into(),
            Type::Float(kind) => float_name(*kind).into(),
            Type::Enum { name, .. } => format!("enum {}", name.as_deref().unwrap_or("<anonymous>")),
            Type::Pointer(target) => match self.get(*target) {
                Type::Array { .. } | Type::Function(_) => format!("({})*", self.display(*target)),
                _ => format!("{}*", self.display(*target)),
            },
            Type::Array { .. } => {
                // The outermost length comes first: `int[3][4]` is three times `int[4]`.
                let (mut lengths, mut inner) = (String::new(), ty);
                while let Type::Array { element, length } = self.get(inner) {
                    lengths += &match length {
                        ArrayLength::Known(n) => format!("[{n}]"),
                        ArrayLength::Unknown => "[]".into(),
                        ArrayLength::Variable(i) => format!("[vla{i}]"),
                    };
                    inner = *element;
                }
                self.display(inner) + &lengths
            }
            Type::Function(f) => {
                let mut params: Vec<String> = f.params.iter().map(|p| self.display(*p)).collect();
                if f.variadic {
                    params.push("...".into());
                } else if f.prototyped && params.is_empty() {
                    params.push("void".into());
                }
                format!("{}({})", self.display(f.result), params.join(", "))
            }
            Type::Record(id) => {
                let record = self.record(*id);
                if let Some(parts) = record.parts {
                    let element = self.display(parts.element);
                    return match parts.is_complex {
                        true => format!("_Complex {element}"),
                        false => format!("vector of {} {element}", parts.count),
                    };
                }
                let keyword = if record.is_union { "union" } else { "struct" };
                format!("{keyword} {}", record.tag.as_deref().unwrap_or("<anonymous>"))
            }
            Type::VaList => "va_list".into(),
        }
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "_Float16",
        FloatKind::Single => "float",
        FloatKind::Double => "double",
        FloatKind::Extended => "long double",
        FloatKind::Quad => "_Float128",
    }
}

/// A member as declared, before it has a place.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: Option<std::sync::Arc<str>>,
    pub ty: TypeId,
    /// Alignment of the declared type where a typedef changed it; replaces the natural one.
    pub type_align: Option<u64>,
    /// `_Alignas` or `aligned` on the member itself.
    pub align: Option<u64>,
    pub packed: bool,
    /// Width of a bit-field.
    pub width: Option<u32>,
}

/// What the record's attributes and pragmas ask for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packing {
    pub packed: bool,
    pub align: Option<u64>,
    /// `#pragma pack(n)`, in bytes.
    pub limit: Option<u64>,
}

/// Why a record has no layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplaceable {
    /// A member other than a final flexible array has no size.
    Incomplete,
    /// See [`Types::max_object_bytes`].
    TooLarge,
    /// A bit-field in a record whose other members have sizes known only at run time.
    VariableBits,
}

/// Places the members of a record.
///
/// # Errors
/// Why that cannot be done.
pub fn lay_out(
    types: &Types,
    record: &Record,
    members: Vec<Member>,
    packing: Packing,
) -> Result<RecordLayout, Unplaceable> {
    use Unplaceable::{Incomplete, TooLarge};
    let mut fields = Vec::with_capacity(members.len());
    let mut align: u64 = 1;
    let variable = members.iter().any(|member| types.is_variable(member.ty));
    let mut aligns = Vec::new();
    // Sizes and positions in bits; no sum of objects that fit the address space leaves this type.
    let (mut position, mut end): (u128, u128) = (0, 0);
    for member in members {
        let packed = member.packed || packing.packed;
        let natural = member.type_align.or_else(|| types.align_of(member.ty)).ok_or(Incomplete)?;
        let limited = |bytes: u64| packing.limit.map_or(bytes, |limit| bytes.min(limit));
        let own = limited(member.align.unwrap_or(1));
        let wanted = limited(if packed { 1 } else { natural });
        if record.is_union {
            position = 0;
        }
        let field = if let Some(width) = member.width {
            if variable {
                return Err(Unplaceable::VariableBits);
            }
            let type_bits = u128::from(types.size_of(member.ty).ok_or(Incomplete)?) * 8;
            if width == 0 {
                position = position.next_multiple_of(u128::from(limited(natural).max(own)) * 8);
                end = end.max(position);
                continue;
            }
            if member.align.is_some() {
                position = position.next_multiple_of(u128::from(own) * 8);
            }
            let unit = u128::from(wanted) * 8;
            if !packed
                && packing.limit.is_none()
                && (position % unit + u128::from(width)).div_ceil(unit) > type_bits / unit
            {
                position = position.next_multiple_of(unit);
            }
            if member.name.is_some() {
                // Under a pragma, gcc forgets here that the record is packed.
                let unit = if packing.limit.is_some() { limited(natural) } else { wanted };
                align = align.max(unit).max(own);
            }
            let bits = BitField { shift: (position % 8) as u32, width };
            let offset = position / 8;
            position += u128::from(width);
            if member.name.is_none() {
                end = end.max(position);
                continue;
            }
            Field { name: member.name, ty: member.ty, offset: narrow(offset)?, bits: Some(bits) }
        } else {
            let size = match types.get(member.ty) {
                Type::Array { length: ArrayLength::Unknown, .. } => 0,
                _ if variable => 0,
                _ => types.size_of(member.ty).ok_or(Incomplete)?,
            };
            let wanted = wanted.max(own);
            align = align.max(wanted);
            aligns.push(wanted);
            if variable {
                position = 0;
            }
            position = position.next_multiple_of(u128::from(wanted) * 8);
            let offset = position / 8;
            position += u128::from(size) * 8;
            Field { name: member.name, ty: member.ty, offset: narrow(offset)?, bits: None }
        };
        fields.push(field);
        end = end.max(position);
    }
    let align = align.max(packing.align.unwrap_or(1));
    if variable {
        return Ok(RecordLayout { fields, size: 0, align, variable: Some(aligns) });
    }
    let size = narrow(end.div_ceil(8).next_multiple_of(u128::from(align)))?;
    if size > types.max_object_bytes() {
        Err(TooLarge)
    } else {
        Ok(RecordLayout { fields, size, align, variable: None })
    }
}

fn narrow(bytes: u128) -> Result<u64, Unplaceable> {
    u64::try_from(bytes).map_err(|_| Unplaceable::TooLarge)
}
