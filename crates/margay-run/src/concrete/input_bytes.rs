//! Which bytes input may have put where, in memory whose bytes were not read yet.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::cfa::ByteSet;

/// Ranges of blocks' bytes that are members of a set: the bytes of a line before its last one, or those of a word.
#[derive(Clone, Debug, Default)]
pub(super) struct InputBytes(FxHashMap<u32, Vec<(Range<u64>, ByteSet)>>);

impl InputBytes {
    /// What the byte is one of, where that is known.
    pub fn at(&self, block: u32, offset: u64) -> Option<ByteSet> {
        let ranges = self.0.get(&block)?;
        ranges.iter().find(|(bytes, _)| bytes.contains(&offset)).map(|(_, set)| *set)
    }

    /// The bytes are written anew; the `known` ones of them are members of the set.
    pub fn write(&mut self, block: u32, bytes: Range<u64>, known: Option<(Range<u64>, ByteSet)>) {
        if known.is_none() && !self.0.contains_key(&block) {
            return;
        }
        let ranges = self.0.entry(block).or_default();
        let sides = |(old, set): &(Range<u64>, ByteSet)| {
            [(old.start..old.end.min(bytes.start), *set), (old.start.max(bytes.end)..old.end, *set)]
        };
        *ranges = ranges.iter().flat_map(sides).chain(known).filter(|(bytes, _)| !bytes.is_empty()).collect();
    }

    /// Bytes are copied.
    pub fn copy(&mut self, (from, bytes): (u32, Range<u64>), (to, offset): (u32, u64)) {
        let within = |(old, set): &(Range<u64>, ByteSet)| (old.start.max(bytes.start)..old.end.min(bytes.end), *set);
        let moved = |(part, set): (Range<u64>, ByteSet)| {
            (part.start - bytes.start + offset..part.end - bytes.start + offset, set)
        };
        let ranges = self.0.get(&from).into_iter().flatten();
        let copied: Vec<_> = ranges.map(within).filter(|(part, _)| !part.is_empty()).map(moved).collect();
        self.write(to, offset..offset + (bytes.end - bytes.start), None);
        if !copied.is_empty() {
            self.0.entry(to).or_default().extend(copied);
        }
    }
}
