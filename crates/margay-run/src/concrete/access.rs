//! Which bytes an address means, or why it means none.

use super::block::Block;
use super::memory::{Concrete, FOREIGN_POINTER, MIXED_POINTER, Refusal};
use super::value::{Provenance, Value};
use crate::memory::rules::{Act, Extent, NULL_PAGE, NoObject, Plain, Range};
use crate::memory::{BlockId, Stuck};

impl Concrete {
    /// The block and the offset in it of what is done with `bytes` bytes at `address` (with the block that starts there, for
    /// [`Act::Free`] and [`Act::Reallocate`]).
    pub(super) fn locate(&self, address: &Value, bytes: u64, act: Act) -> Result<(BlockId, u64), Refusal> {
        let id = match address.provenance {
            Provenance::Block(id) => id,
            Provenance::Mixed | Provenance::Difference => {
                self.block_at(address).ok_or_else(|| Refusal::Stuck(Stuck::tool(MIXED_POINTER)))?
            }
            Provenance::External => return Err(Refusal::Stuck(Stuck::foreign(FOREIGN_POINTER))),
            Provenance::None if self.may_be_foreign(address) => {
                return Err(Refusal::Stuck(Stuck::foreign(FOREIGN_POINTER)));
            }
            Provenance::None | Provenance::Function(_) => return Err(no_object(address, bytes, act)),
        };
        let block = &self.inner().blocks[id.index()];
        if let Some(offset) = self.inside(block, address.bits.value as u64, bytes, act) {
            return Ok((id, offset));
        }
        self.inner().blamed.set(Some(id));
        Err(self.refusal(address, block, bytes, act))
    }

    /// The offset of an act at `address` that `block` allows.
    #[inline]
    pub(super) fn inside(&self, block: &Block, address: u64, bytes: u64, act: Act) -> Option<u64> {
        let offset = self.distance(address, block);
        act.is_allowed(&Plain, &extent(block), &Range { offset, bytes }).then_some(offset)
    }

    /// [`Self::distance`] of an address as a value.
    pub(super) fn offset(&self, address: &Value, block: &Block) -> u64 {
        self.distance(address.bits.value as u64, block)
    }

    /// Distance of `address` from the block's start, wrapping around the address space.
    #[inline]
    fn distance(&self, address: u64, block: &Block) -> u64 {
        let distance = address.wrapping_sub(block.base);
        if self.inner().layout.pointer_bits == 32 { distance & 0xffff_ffff } else { distance }
    }

    /// A number that may be a valid pointer all the same: it came from an object defined elsewhere, or the program found out
    /// (by comparing) what an object's address is. No claim is made about accesses through it.
    pub(super) fn may_be_foreign(&self, address: &Value) -> bool {
        address.bits.value >= NULL_PAGE.into() && (self.inner().read_foreign || self.block_at(address).is_some())
    }

    /// The live block that contains `address`, whatever its provenance.
    pub(super) fn block_at(&self, address: &Value) -> Option<BlockId> {
        let blocks = &self.inner().blocks;
        let holds = |block: &Block| block.live && self.offset(address, block) < block.size;
        blocks.iter().position(holds).map(BlockId::from_index)
    }

    /// Why `block` does not allow it.
    fn refusal(&self, address: &Value, block: &Block, bytes: u64, act: Act) -> Refusal {
        if address.bits.value < NULL_PAGE.into() {
            return no_object(address, bytes, act);
        }
        let offset = self.offset(address, block);
        // Read as a signed number: -4 says more than the wrapped distance.
        let offset =
            if self.inner().layout.pointer_bits == 32 { i64::from(offset as u32 as i32) } else { offset as i64 };
        match act.broken(&extent(block), offset, bytes, &block.describe()) {
            Some(fault) => Refusal::Fault(fault),
            None => Refusal::Stuck(Stuck::tool("an access that is allowed after all")),
        }
    }
}

fn extent(block: &Block) -> Extent<Plain> {
    Extent { kind: block.kind, live: block.live, size: block.size }
}

/// An address that belongs to no object.
fn no_object(address: &Value, bytes: u64, act: Act) -> Refusal {
    let what = match address.provenance {
        Provenance::Function(_) if address.bits.value >= NULL_PAGE.into() => NoObject::Function,
        _ => NoObject::of_number(address.bits.value as u64),
    };
    Refusal::Fault(what.fault(act, Some(bytes)))
}
