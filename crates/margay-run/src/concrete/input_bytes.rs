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

    /// How many parts were received in the same block before this one.
    pub fn received_before(&self, part: u32) -> usize {
        let block = self.block_of(part);
        self.blocks.iter().take(part as usize).filter(|other| Some(**other) == block).count()
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

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: ByteSet = ByteSet([0, 0x07ff_fffe_07ff_fffe, 0, 0]);

    fn parts(input: &InputBytes, block: u32) -> Vec<Option<u32>> {
        (0..6).map(|at| input.at(block, at).map(|(part, _)| part)).collect()
    }

    #[test]
    fn each_byte_is_of_the_part_received_last() {
        let mut input = InputBytes::default();
        input.receive(3, 0..4, Some((2, LETTERS)));
        input.receive(3, 1..2, None);
        assert_eq!(parts(&input, 3), [Some(0), Some(1), Some(0), Some(0), None, None]);
        let is_letter = |at| input.at(3, at).is_some_and(|(_, set)| set == LETTERS);
        assert_eq!([0, 1, 2].map(is_letter), [true, false, false], "the first two, of which the second came again");
        assert_eq!((input.block_of(1), input.block_of(2)), (Some(3), None));
        assert_eq!((input.received_before(0), input.received_before(1)), (0, 1));
    }

    #[test]
    fn what_is_written_or_copied_over_is_gone() {
        let mut input = InputBytes::default();
        input.receive(3, 0..4, None);
        input.receive(4, 0..6, None);
        input.forget(3, &(0..1));
        input.copy((3, 0..3), (4, 2));
        assert_eq!(parts(&input, 4), [Some(1), Some(1), None, Some(0), Some(0), Some(1)]);
        input.copy((5, 0..9), (4, 0));
        assert_eq!(parts(&input, 4), [None; 6], "nothing was received there");
    }
}
