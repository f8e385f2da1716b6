//! Where lines of input lie in memory whose bytes were not read yet.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// Ranges of blocks' bytes that were read as parts of one line each, without its last byte: no newline is among them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines(FxHashMap<u32, Vec<Range<u64>>>);

impl Lines {
    /// Whether the byte is one of a line, and not its last.
    pub fn hold(&self, block: u32, offset: u64) -> bool {
        self.0.get(&block).is_some_and(|lines| lines.iter().any(|line| line.contains(&offset)))
    }

    /// The bytes are written anew: as a line from now on, or as anything.
    pub fn write(&mut self, block: u32, bytes: Range<u64>, is_line: bool) {
        if !is_line && !self.0.contains_key(&block) {
            return;
        }
        let lines = self.0.entry(block).or_default();
        let sides = |line: &Range<u64>| [line.start..line.end.min(bytes.start), line.start.max(bytes.end)..line.end];
        *lines = lines.iter().flat_map(sides).filter(|line| !line.is_empty()).collect();
        if is_line {
            lines.push(bytes.start..bytes.end.saturating_sub(1));
        }
    }

    /// Bytes are copied.
    pub fn copy(&mut self, (from, bytes): (u32, Range<u64>), (to, offset): (u32, u64)) {
        let within = |line: &Range<u64>| line.start.max(bytes.start)..line.end.min(bytes.end);
        let moved = |line: Range<u64>| line.start - bytes.start + offset..line.end - bytes.start + offset;
        let lines = self.0.get(&from).into_iter().flatten();
        let copied: Vec<_> = lines.map(within).filter(|line| !line.is_empty()).map(moved).collect();
        self.write(to, offset..offset + (bytes.end - bytes.start), false);
        if !copied.is_empty() {
            self.0.entry(to).or_default().extend(copied);
        }
    }
}
