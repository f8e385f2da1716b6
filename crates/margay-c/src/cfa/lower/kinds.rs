//! What the lowering asks of C types: widths of values, sizes of objects, formats.

use super::super::ir::FloatFormat;
use crate::c::types::{FloatKind, IntKind, Type, TypeId, Types};

/// How a value of a type travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Void,
    Int {
        width: u32,
        signed: bool,
        bool: bool,
    },
    Pointer {
        width: u32,
    },
    Float(FloatFormat),
    /// As the address of an object.
    Record,
    /// Arrays, functions: no values of the automaton.
    Other,
}

impl Kind {
    /// Bits of a value; records travel as pointers, `void` and the rest have none.
    pub fn width(self) -> Option<u32> {
        match self {
            Kind::Int { width, .. } | Kind::Pointer { width } => Some(width),
            Kind::Float(format) => Some(format.bits()),
            Kind::Void | Kind::Record | Kind::Other => None,
        }
    }

    pub fn is_scalar(self) -> bool {
        self.width().is_some()
    }

    /// A value of one kind can stand for one of the other, but for its width: numbers and pointers, floating-point numbers,
    /// records.
    pub fn travels_like(self, other: Kind) -> bool {
        let class = |kind| match kind {
            Kind::Float(_) => 1,
            Kind::Record => 2,
            _ => 0,
        };
        class(self) == class(other)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Kind::Int { signed: true, .. })
    }
}

pub fn format_of(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Half => FloatFormat::Half,
        FloatKind::Single => FloatFormat::Single,
        FloatKind::Double => FloatFormat::Double,
        FloatKind::Extended => FloatFormat::X87,
        FloatKind::Quad => FloatFormat::Quad,
    }
}

pub fn kind(types: &Types, ty: TypeId) -> Kind {
    match types.get(ty) {
        Type::Void => Kind::Void,
        Type::Int(kind) | Type::Enum { underlying: kind, .. } => int_kind(types, *kind),
        Type::Float(kind) => Kind::Float(format_of(*kind)),
        Type::Pointer(_) | Type::VaList => Kind::Pointer { width: types.model.pointer_bits() },
        Type::Record(_) => Kind::Record,
        Type::Array { .. } | Type::Function(_) => Kind::Other,
    }
}

pub fn int_kind(types: &Types, kind: IntKind) -> Kind {
    Kind::Int { width: kind.size(types.model) * 8, signed: kind.is_signed(), bool: kind == IntKind::Bool }
}
