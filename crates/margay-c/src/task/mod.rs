//! What is to be verified: properties, task definitions, sets of tasks, data models.

mod definition;
mod hash;
mod property;
mod sets;

pub use definition::{Expected, TaskDefinition};
pub use hash::{program_hash, sha256};
pub use property::{ErrorFunction, Property, PropertyFile};
pub use sets::{Collection, Listed, collect};

/// The sizes of C's types: which of the two x86 models a program is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers.
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers.
    Lp64,
}

impl DataModel {
    /// `ILP32` or `LP64`, as task definitions write it.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    /// The inverse of [`DataModel::name`]; `32bit` and `64bit` are understood too.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "ILP32" | "ilp32" | "32bit" => Some(DataModel::Ilp32),
            "LP64" | "lp64" | "64bit" => Some(DataModel::Lp64),
            _ => None,
        }
    }

    /// Size of a pointer (and of `long` and `size_t`) in bytes.
    pub fn pointer_bytes(self) -> u32 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// Width of a pointer in bits.
    pub fn pointer_bits(self) -> u32 {
        self.pointer_bytes() * 8
    }
}

/// What a program can do wrong; each belongs to one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Violation {
    /// A call, label or assertion is reached that the property forbids.
    UnreachCall,
    /// An access outside of a live object, or a write to one that is read-only.
    ValidDeref,
    /// `free` of something else than a live heap block or null.
    ValidFree,
    /// A live heap block that can no longer be reached from variables.
    ValidMemtrack,
    /// A heap block that is live when the program ends.
    ValidMemcleanup,
    /// A result that a signed integer type does not have (C11 6.5).
    NoOverflow,
    /// A run that never ends.
    Termination,
}

impl Violation {
    /// The name in `FALSE(…)` and in task definitions.
    pub fn name(self) -> &'static str {
        match self {
            Violation::UnreachCall => "unreach-call",
            Violation::ValidDeref => "valid-deref",
            Violation::ValidFree => "valid-free",
            Violation::ValidMemtrack => "valid-memtrack",
            Violation::ValidMemcleanup => "valid-memcleanup",
            Violation::NoOverflow => "no-overflow",
            Violation::Termination => "termination",
        }
    }
}
