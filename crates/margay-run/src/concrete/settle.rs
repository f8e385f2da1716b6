//! Bytes that nothing has set get their values when they are read or copied.

use super::memory::{Concrete, Inner};
use crate::memory::{BlockId, BlockKind};

/// Bytes of a copy that are chosen where nothing has set them yet; larger copies are left open.
const MOST_SETTLED: u64 = 4096;

impl Concrete {
    /// Gives the bytes without a value in `offset..offset + len` one.
    pub(super) fn settle(&mut self, id: BlockId, offset: u64, len: usize) {
        let Inner { blocks, feed, read_foreign, .. } = &mut *self.0;
        let block = &mut blocks[id.index()];
        let is_static = block.kind == BlockKind::Static;
        let content = &mut block.content;
        for at in content.unknown(offset, len) {
            // Defined globals are zero at first: only those defined elsewhere have unknown bytes.
            *read_foreign |= is_static;
            content.settle(at, feed.byte(id.0, at));
        }
    }

    /// A copy of bytes that were never set is equal to them.
    pub(super) fn settle_copied(&mut self, source: BlockId, start: u64, size: u64) {
        if size <= MOST_SETTLED {
            self.settle(source, start, size as usize);
        }
    }
}
