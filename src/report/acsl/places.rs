//! Objects in memory as C names them: which field stands at an offset, and what kind of value it holds.

use crate::c::syntax::Unit;
use crate::c::types::{ArrayLength, IntKind, Type, TypeId, Types};

/// What a function returns.
pub const RESULT: &str = "\\result";

/// What a C expression is, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number of as many bits as the variable it stands for.
    Int { signed: bool },
    /// An address; of what, where that is known.
    Pointer(Option<TypeId>),
}

/// A C expression with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub text: String,
    pub kind: Kind,
}

/// Where an address without its offset leads.
#[derive(Clone, Debug)]
pub enum Base {
    /// To an object with a name.
    Object { name: String, ty: TypeId },
    /// To where a pointer points; to what, where that is known.
    Pointer { text: String, target: Option<TypeId> },
}

impl Base {
    /// Its bytes have an address: they are not those of a result.
    pub fn is_in_memory(&self) -> bool {
        !matches!(self, Base::Object { name, .. } if name == RESULT)
    }

    /// The bytes from there on, as a `char *`.
    pub fn bytes(&self) -> String {
        match self {
            Base::Object { name, .. } => format!("(char *)&{name}"),
            Base::Pointer { text, .. } => format!("(char *){}", tight(text)),
        }
    }

    /// Its address.
    pub fn address(&self) -> Named {
        match self {
            Base::Object { name, ty } => Named { text: format!("&{name}"), kind: Kind::Pointer(Some(*ty)) },
            Base::Pointer { text, target } => Named { text: text.clone(), kind: Kind::Pointer(*target) },
        }
    }

    /// The address `offset` bytes behind it.
    pub fn at(&self, offset: i64) -> String {
        match offset {
            0 => self.bytes(),
            _ if offset < 0 => format!("{} - {}", self.bytes(), offset.unsigned_abs()),
            _ => format!("{} + {offset}", self.bytes()),
        }
    }
}

/// The text as an operand of a cast or of a selection.
pub fn tight(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | '\\');
    let selects = text.replace("->", ".");
    // A call, or something in parentheses.
    let is_closed = text.find('(').is_some_and(|at| text[..at].chars().all(plain)) && closes_last(text);
    if selects.chars().all(plain) || is_closed { text.to_owned() } else { format!("({text})") }
}

/// Whether the first parenthesis is closed by the last character.
fn closes_last(text: &str) -> bool {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1 == text.len();
                }
            }
            _ => {}
        }
    }
    false
}

/// The object of `size` bytes `offset` bytes behind `base`: as a field where there is one of that size, by a cast otherwise;
/// `None` where no integer has that size.
pub fn lvalue(types: &Types, base: &Base, offset: i64, size: u64) -> Option<Named> {
    field(types, base, offset, size).or_else(|| {
        let int = unsigned(size).filter(|_| base.is_in_memory())?;
        let text = format!("*({int} *){}", tight(&base.at(offset)));
        Some(Named { text, kind: Kind::Int { signed: false } })
    })
}

/// The unsigned integer type of so many bytes, as both data models have it.
fn unsigned(size: u64) -> Option<&'static str> {
    Some(match size {
        1 => "unsigned char",
        2 => "unsigned short",
        4 => "unsigned int",
        8 => "unsigned long long",
        _ => return None,
    })
}

fn field(types: &Types, base: &Base, offset: i64, size: u64) -> Option<Named> {
    let offset = u64::try_from(offset).ok()?;
    let (text, rest, ty) = match base {
        Base::Object { name, ty } => (name.clone(), offset, *ty),
        Base::Pointer { target: None, .. } => return None,
        Base::Pointer { text, target: Some(target) } => {
            let whole = types.size_of(*target).filter(|whole| *whole > 0)?;
            let (index, rest) = (offset / whole, offset % whole);
            let is_record = matches!(types.get(*target), Type::Record(_));
            let text = match index {
                0 if is_record => format!("{}->", tight(text)),
                0 => format!("*{}", tight(text)),
                // Rather a larger object around it than an array of them.
                _ if is_record => return None,
                _ => format!("{}[{index}]", tight(text)),
            };
            (text, rest, *target)
        }
    };
    let (path, kind) = within(types, ty, rest, size)?;
    let text = match (text.strip_suffix("->"), path.strip_prefix('.')) {
        (Some(_), Some(member)) => format!("{text}{member}"),
        (Some(_), None) => return None,
        (None, _) if text.starts_with('*') && !path.is_empty() => format!("({text}){path}"),
        (None, _) => format!("{text}{path}"),
    };
    Some(Named { text, kind })
}

/// The scalar of `size` bytes at `offset` in an object of a type: how it is selected.
fn within(types: &Types, ty: TypeId, offset: u64, size: u64) -> Option<(String, Kind)> {
    match types.get(ty) {
        Type::Record(id) => {
            let layout = types.record(*id).layout.as_ref()?;
            layout.fields.iter().filter(|field| field.bits.is_none() && field.offset <= offset).find_map(|field| {
                let (path, kind) = within(types, field.ty, offset - field.offset, size)?;
                let name = field.name.as_ref().map(|name| format!(".{name}")).unwrap_or_default();
                Some((format!("{name}{path}"), kind))
            })
        }
        Type::Array { element, length } => {
            let whole = types.size_of(*element).filter(|whole| *whole > 0)?;
            let index = offset / whole;
            if matches!(length, ArrayLength::Known(n) if index >= *n) {
                return None;
            }
            let (path, kind) = within(types, *element, offset % whole, size)?;
            Some((format!("[{index}]{path}"), kind))
        }
        _ if offset != 0 || types.size_of(ty) != Some(size) => None,
        _ => Some((String::new(), scalar(types, ty)?)),
    }
}

/// What a scalar type's values are; `None` where bits and values are not the same thing.
pub fn scalar(types: &Types, ty: TypeId) -> Option<Kind> {
    match types.get(ty) {
        Type::Int(IntKind::Bool) => None,
        Type::Int(kind) | Type::Enum { underlying: kind, .. } => {
            (kind.size(types.model) <= 8).then(|| Kind::Int { signed: kind.is_signed() })
        }
        Type::Pointer(target) => {
            let target = types.size_of(*target).map(|_| *target);
            Some(Kind::Pointer(target))
        }
        _ => None,
    }
}

/// The type of the global that a contract calls `name`, if the text can name it at offset `at`.
pub fn global(unit: &Unit, name: &str, at: u32) -> Option<TypeId> {
    let mut named = unit.globals.iter().filter(|global| *global.name == *name);
    let global = named.next().filter(|global| global.has_linkage && global.span.start < at)?;
    named.next().is_none().then_some(global.ty)
}
