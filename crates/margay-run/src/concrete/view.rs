//! A look at what memory holds, for pictures.

use super::memory::Concrete;
use super::value::{Provenance, Value};
use crate::cfa::Bits;
use crate::memory::{BlockId, BlockKind};

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockView {
    /// Why it exists.
    pub kind: BlockKind,
    /// Neither freed nor out of scope.
    pub live: bool,
    /// Bytes.
    pub size: u64,
    /// For people.
    pub name: String,
}

impl Concrete {
    /// The block, if it was created yet.
    pub fn view(&self, block: BlockId) -> Option<BlockView> {
        let block = self.inner().blocks.get(block.index())?;
        Some(BlockView { kind: block.kind, live: block.live, size: block.size, name: block.describe() })
    }

    /// Heap blocks that are live, in order.
    pub fn live_heap(&self) -> Vec<BlockId> {
        let blocks = self.inner().blocks.iter().enumerate();
        let live = blocks.filter(|(_, block)| block.live && block.kind == BlockKind::Heap);
        live.map(|(index, _)| BlockId::from_index(index)).collect()
    }

    /// What stands in a live block, at most 16 bytes; `None` where its value was not asked for yet, or outside.
    pub fn peek(&self, block: BlockId, offset: u64, bytes: u64) -> Option<Value> {
        let block = self.inner().blocks.get(block.index()).filter(|block| block.live)?;
        let is_inside = bytes <= 16 && offset.checked_add(bytes).is_some_and(|end| end <= block.size);
        let (value, provenance) = if is_inside { block.content.read(offset, bytes as usize)? } else { return None };
        Some(Value { bits: Bits::new(value, 8 * bytes as u32), provenance })
    }

    /// The block that the value is an address in, and the offset.
    pub fn points_to(&self, value: &Value) -> Option<(BlockId, i64)> {
        let Provenance::Block(id) = value.provenance else { return None };
        let block = self.inner().blocks.get(id.index())?;
        Some((id, self.offset(value, block) as i64))
    }
}
