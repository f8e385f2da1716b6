//! Values: bits, and which object they may be used to reach.

use crate::cfa::{Bits, FunctionId};
use crate::memory::BlockId;

/// Where the right to access memory through a value comes from.
///
/// It is a permission, not a claim about the bits: an access also needs its address to lie inside the block. So every part
/// of a pointer (a byte of it, a shifted half) simply keeps the pointer's provenance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provenance {
    /// A plain number.
    #[default]
    None,
    /// Comes from a function without a body: using it as memory has no meaning here.
    External,
    /// Made from the address of the block.
    Block(BlockId),
    /// Made from the address of the function.
    Function(FunctionId),
    /// Made from the difference of pointers into two blocks: a number, though one that leads from one block to the other.
    Difference,
    /// Made from the addresses of several objects, in a way that does not tell which one is meant (an xor of two pointers).
    Mixed,
}

/// A bit-vector with its provenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The number that it is; of a pointer, the address.
    pub bits: Bits,
    /// What memory it may reach.
    pub provenance: Provenance,
}

impl Value {
    /// A value without provenance.
    pub fn plain(bits: Bits) -> Self {
        Self { bits, provenance: Provenance::None }
    }

    /// `value` cut to `width` bits, without provenance.
    pub fn number(value: u128, width: u32) -> Self {
        Self::plain(Bits::new(value, width))
    }

    /// `bits` with `provenance`, except that a single bit is a truth value and points nowhere.
    pub(super) fn derived(bits: Bits, provenance: Provenance) -> Self {
        Self { bits, provenance: if bits.width == 1 { Provenance::None } else { provenance } }
    }
}
