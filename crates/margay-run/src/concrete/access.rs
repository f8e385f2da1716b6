//! Which bytes an address means, or why it means none.

use super::block::{Block, NULL_PAGE_BYTES};
use super::memory::{Concrete, FOREIGN_POINTER, MIXED_POINTER, Refusal};
use super::value::{Provenance, Value};
use crate::memory::{BlockId, BlockKind, Fault, Stuck, Weakness};
use crate::task::Violation;

impl Concrete {
    /// The block and offset of an access to `bytes > 0` bytes at `address`.
    pub(super) fn locate(&self, address: &Value, bytes: u64, writes: bool) -> Result<(BlockId, u64), Refusal> {
        let id = match address.provenance {
            Provenance::Block(id) => id,
            Provenance::Mixed | Provenance::Difference => {
                self.block_at(address).ok_or_else(|| Refusal::Stuck(Stuck::tool(MIXED_POINTER)))?
            }
            Provenance::External => return Err(Refusal::Stuck(Stuck::foreign(FOREIGN_POINTER))),
            Provenance::None if self.may_be_foreign(address) => {
                return Err(Refusal::Stuck(Stuck::foreign(FOREIGN_POINTER)));
            }
            Provenance::None | Provenance::Function(_) => return Err(nowhere(address, bytes, writes)),
        };
        let block = &self.inner().blocks[id.index()];
        if let Some(offset) = self.inside(block, address.bits.value as u64, bytes, writes) {
            return Ok((id, offset));
        }
        self.inner().blamed.set(Some(id));
        Err(self.outside(address, block, bytes, writes))
    }

    /// The offset of an access at `address` that `block` allows.
    #[inline]
    pub(super) fn inside(&self, block: &Block, address: u64, bytes: u64, writes: bool) -> Option<u64> {
        let offset = self.distance(address, block);
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= block.size);
        (inside && block.live && !(writes && block.kind == BlockKind::Literal)).then_some(offset)
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

    /// A number that may be a valid pointer all the same: it came from an object defined elsewhere, or somebody found out
    /// (by comparing) what an object's address is. No claim is made about accesses through it.
    pub(super) fn may_be_foreign(&self, address: &Value) -> bool {
        address.bits.value >= NULL_PAGE_BYTES.into() && (self.inner().read_foreign || self.block_at(address).is_some())
    }

    /// The live block that contains `address`, whatever its provenance.
    pub(super) fn block_at(&self, address: &Value) -> Option<BlockId> {
        let blocks = &self.inner().blocks;
        let holds = |block: &Block| block.live && self.offset(address, block) < block.size;
        blocks.iter().position(holds).map(BlockId::from_index)
    }

    fn outside(&self, address: &Value, block: &Block, bytes: u64, writes: bool) -> Refusal {
        if address.bits.value < NULL_PAGE_BYTES.into() {
            return nowhere(address, bytes, writes);
        }
        let access = access(bytes, writes);
        let described = block.describe();
        let offset = self.offset(address, block);
        // Read as a signed number: -4 says more than the wrapped distance.
        let offset =
            if self.inner().layout.pointer_bits == 32 { i64::from(offset as u32 as i32) } else { offset as i64 };
        let (weakness, detail) = if !block.live && block.kind == BlockKind::Heap {
            (Weakness::UseAfterFree, format!("{access} at offset {offset} of {described} after it was freed"))
        } else if !block.live {
            (Weakness::Expired, format!("{access} at offset {offset} of {described} after its lifetime ended"))
        } else if offset >= 0 && (offset as u64).saturating_add(bytes) <= block.size {
            (Weakness::NoObject, format!("{access} to {described}"))
        } else {
            let weakness = if writes { Weakness::OutOfBoundsWrite } else { Weakness::OutOfBoundsRead };
            (weakness, format!("{access} at offset {offset} of {described}, which has {}", count(block.size)))
        };
        Refusal::Fault(Fault::new(Violation::ValidDeref, detail).of(weakness))
    }
}

/// An address that belongs to no object.
fn nowhere(address: &Value, bytes: u64, writes: bool) -> Refusal {
    let access = access(bytes, writes);
    let value = address.bits.value;
    let detail = match address.provenance {
        _ if value == 0 => format!("{access} through a null pointer"),
        _ if value < NULL_PAGE_BYTES.into() => format!("{access} at offset {value} from a null pointer"),
        Provenance::Function(_) => format!("{access} through a function's address"),
        _ => format!("{access} at address {value:#x}, which points to no object"),
    };
    let weakness = if value < NULL_PAGE_BYTES.into() { Weakness::NullPointer } else { Weakness::NoObject };
    Refusal::Fault(Fault::new(Violation::ValidDeref, detail).of(weakness))
}

fn access(bytes: u64, writes: bool) -> String {
    format!("{} of {}", if writes { "write" } else { "read" }, count(bytes))
}

fn count(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}
