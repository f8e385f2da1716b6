//! Which part of the input stands where, and which bytes may be there, in memory whose bytes were not read yet.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::cfa::ByteSet;

/// Ranges of blocks' bytes that were received, each with the number of what it is a part of, and the set that its bytes are members of:
/// those of a line before its last one, say, or those of a word.
#[derive(Clone, Debug, Default)]
pub(super) struct InputBytes {
    ranges: FxHashMap<u32, Vec<Received>>,
    /// The blocks that parts were received in, in order.
    blocks: Vec<u32>,
}

/// Bytes that came from one part of the input.
#[derive(Clone, Debug)]
pub(super) struct Received {
    bytes: Range<u64>,
    /// The number of the part.
    part: u32,
    /// What each of the bytes is one of.
    set: ByteSet,
}

impl InputBytes {
    /// The part that the byte belongs to, and what it is one of; `None` where it was not received.
    pub fn at(&self, block: u32, offset: u64) -> Option<(u32, ByteSet)> {
        let received = self.ranges.get(&block)?.iter().find(|received| received.bytes.contains(&offset))?;
        Some((received.part, received.set))
    }

    /// The block that a part was received in.
    pub fn block_of(&self, part: u32) -> Option<u32> {
        self.blocks.get(part as usize).copied()
    }

    /// The bytes are the next part of the input; the first `known.0` of them are members of a set.
    pub fn receive(&mut self, block: u32, bytes: Range<u64>, known: Option<(u64, ByteSet)>) {
        let part = self.blocks.len() as u32;
        self.blocks.push(block);
        self.forget(block, &bytes);
        let (count, set) = known.unwrap_or((0, ByteSet::ANY));
        let middle = bytes.start.saturating_add(count).min(bytes.end);
        let pieces = [(bytes.start..middle, set), (middle..bytes.end, ByteSet::ANY)];
        let pieces = pieces.into_iter().filter(|(bytes, _)| !bytes.is_empty());
        self.ranges.entry(block).or_default().extend(pieces.map(|(bytes, set)| Received { bytes, part, set }));
    }

    /// The bytes are written anew.
    pub fn forget(&mut self, block: u32, bytes: &Range<u64>) {
        let Some(ranges) = self.ranges.get_mut(&block) else { return };
        let sides = |old: &Received| {
            let Range { start, end } = old.bytes;
            [start..end.min(bytes.start), start.max(bytes.end)..end].map(|bytes| Received { bytes, ..*old })
        };
        *ranges = ranges.iter().flat_map(sides).filter(|received| !received.bytes.is_empty()).collect();
    }

    /// Bytes are copied.
    pub fn copy(&mut self, (from, bytes): (u32, Range<u64>), (to, offset): (u32, u64)) {
        let moved = |old: &Received| {
            let part = old.bytes.start.max(bytes.start)..old.bytes.end.min(bytes.end);
            let shifted = |at: u64| at.wrapping_sub(bytes.start).wrapping_add(offset);
            (!part.is_empty()).then(|| Received { bytes: shifted(part.start)..shifted(part.end), ..*old })
        };
        let copied: Vec<Received> = self.ranges.get(&from).into_iter().flatten().filter_map(moved).collect();
        self.forget(to, &(offset..offset + (bytes.end - bytes.start)));
        if !copied.is_empty() {
            self.ranges.entry(to).or_default().extend(copied);
        }
    }
}
