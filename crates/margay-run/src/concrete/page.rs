//! A run of bytes: for each its value, whether it was ever written, and the provenance it carries.

use std::hash::Hasher;

use rustc_hash::FxHasher;
use smallvec::{SmallVec, smallvec};

use super::value::{Provenance, Value};
use crate::memory::BlockId;

/// Bytes `start..end` of a page carry `provenance`, which is not `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub start: u32,
    pub end: u32,
    pub provenance: Provenance,
}

/// At most [`super::content::PAGE_BYTES`] bytes. Offsets are relative to the page; callers keep them inside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    bytes: SmallVec<[u8; 16]>,
    /// One bit a byte: has a value (otherwise it was never written or read).
    known: SmallVec<[u64; 1]>,
    /// Ascending and disjoint.
    spans: Vec<Span>,
}

/// What a byte-wise part of a page holds, for copying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// No value yet.
    Unknown,
    Byte(u8),
}

/// Receives the blocks that bytes about to be overwritten came from: pointers to them may be lost.
pub(super) type Lost<'a> = &'a mut dyn FnMut(BlockId);

impl Page {
    pub fn new(len: usize, fill: Fill) -> Self {
        let (byte, known) = match fill {
            Fill::Unknown => (0, 0),
            Fill::Byte(byte) => (byte, u64::MAX),
        };
        Self { bytes: smallvec![byte; len], known: smallvec![known; len.div_ceil(64)], spans: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// All of `start..end` have a value.
    #[inline(always)]
    fn all_known(&self, start: usize, end: usize) -> bool {
        let (first, last) = (start / 64, (end - 1) / 64);
        if first == last {
            let mask = low_bits(end - start) << (start % 64);
            return self.known[first] & mask == mask;
        }
        (start..end).all(|at| self.is_known(at))
    }

    pub fn is_known(&self, at: usize) -> bool {
        self.known[at / 64] >> (at % 64) & 1 == 1
    }

    fn set_known(&mut self, start: usize, end: usize, known: bool) {
        for word in start / 64..end.div_ceil(64) {
            let from = start.max(word * 64) - word * 64;
            let to = end.min(word * 64 + 64) - word * 64;
            let mask = low_bits(to - from) << from;
            if known {
                self.known[word] |= mask;
            } else {
                self.known[word] &= !mask;
            }
        }
    }

    /// Little-endian value of `len <= 16` bytes and their provenance; `None` where a byte has no value.
    pub fn read(&self, at: usize, len: usize) -> Option<(u128, Provenance)> {
        if !self.all_known(at, at + len) {
            return None;
        }
        let mut buffer = [0; 16];
        buffer[..len].copy_from_slice(&self.bytes[at..at + len]);
        let provenance =
            if self.spans.is_empty() { Provenance::None } else { self.provenance(at as u32, (at + len) as u32) };
        Some((u128::from_le_bytes(buffer), provenance))
    }

    /// [`Self::read`] of at most eight bytes.
    #[inline(always)]
    pub fn read_word(&self, at: usize, len: usize) -> Option<(u64, Provenance)> {
        if !self.all_known(at, at + len) {
            return None;
        }
        let bits = match self.bytes.get(at..at + 8) {
            Some(&[a, b, c, d, e, f, g, h]) => u64::from_le_bytes([a, b, c, d, e, f, g, h]) & low_bits(len * 8),
            _ => self.bytes[at..at + len].iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)),
        };
        let provenance =
            if self.spans.is_empty() { Provenance::None } else { self.provenance(at as u32, (at + len) as u32) };
        Some((bits, provenance))
    }

    /// What the bytes carry together: plain bytes do not count, different objects mix.
    fn provenance(&self, start: u32, end: u32) -> Provenance {
        let first = self.spans.partition_point(|s| s.end <= start);
        let mut found = Provenance::None;
        for span in self.spans[first..].iter().take_while(|s| s.start < end) {
            found = join(found, span.provenance);
        }
        found
    }

    pub fn write(&mut self, at: usize, len: usize, value: u128, provenance: Provenance, lost: Lost) {
        let bytes = &mut self.bytes[at..at + len];
        // Copies of a known length need no call.
        match len {
            1 => bytes[0] = value as u8,
            4 => bytes.copy_from_slice(&(value as u32).to_le_bytes()),
            8 => bytes.copy_from_slice(&(value as u64).to_le_bytes()),
            _ => bytes.copy_from_slice(&value.to_le_bytes()[..len]),
        }
        self.set_known(at, at + len, true);
        self.mark(at as u32, (at + len) as u32, provenance, lost);
    }

    pub fn fill(&mut self, start: usize, end: usize, fill: Fill, lost: Lost) {
        if let Fill::Byte(byte) = fill {
            self.bytes[start..end].fill(byte);
        }
        self.set_known(start, end, fill != Fill::Unknown);
        self.mark(start as u32, end as u32, Provenance::None, lost);
    }

    /// A copy of `start..end` as a page of its own.
    pub fn extract(&self, start: usize, end: usize) -> Page {
        let mut part = Page::new(end - start, Fill::Unknown);
        part.bytes.copy_from_slice(&self.bytes[start..end]);
        if self.all_known(start, end) {
            part.set_known(0, end - start, true);
        } else {
            for at in (start..end).filter(|at| self.is_known(*at)) {
                part.set_known(at - start, at - start + 1, true);
            }
        }
        let (from, to) = (start as u32, end as u32);
        let first = self.spans.partition_point(|s| s.end <= from);
        part.spans = self.spans[first..]
            .iter()
            .take_while(|s| s.start < to)
            .map(|s| Span { start: s.start.max(from) - from, end: s.end.min(to) - from, provenance: s.provenance })
            .collect();
        part
    }

    /// Overwrites the bytes from `at` on with those of `part`.
    pub fn insert(&mut self, at: usize, part: &Page, lost: Lost) {
        let len = part.bytes.len();
        self.bytes[at..at + len].copy_from_slice(&part.bytes);
        if part.all_known(0, len) {
            self.set_known(at, at + len, true);
        } else {
            for offset in 0..len {
                self.set_known(at + offset, at + offset + 1, part.is_known(offset));
            }
        }
        self.mark(at as u32, (at + len) as u32, Provenance::None, lost);
        for span in &part.spans {
            self.mark(at as u32 + span.start, at as u32 + span.end, span.provenance, &mut |_| {});
        }
    }

    /// Feeds `hasher` with what is here, where `value` does so with what carries a provenance.
    pub fn digest(&self, hasher: &mut FxHasher, value: &mut dyn FnMut(&mut FxHasher, Value)) {
        let mut from = 0;
        for Span { start, end, provenance } in &self.spans {
            let (start, end) = (*start as usize, *end as usize);
            hasher.write(&self.bytes[from..start]);
            from = if end - start <= 16 { end } else { start };
            let bits = self.read(start, from - start).map_or(0, |(bits, _)| bits);
            let width = ((end - start) * 8).min(128) as u32;
            value(hasher, Value { provenance: *provenance, ..Value::number(bits, width) });
        }
        hasher.write(&self.bytes[from..]);
        self.known.iter().for_each(|word| hasher.write_u64(*word));
    }

    /// Gives a byte without a value its value.
    pub fn settle(&mut self, at: usize, byte: u8) {
        self.bytes[at] = byte;
        self.set_known(at, at + 1, true);
    }

    /// Gives `start..end` one provenance, cutting what is there.
    fn mark(&mut self, start: u32, end: u32, provenance: Provenance, lost: Lost) {
        if self.spans.is_empty() && provenance == Provenance::None {
            return;
        }
        let first = self.spans.partition_point(|s| s.end <= start);
        let new = Span { start, end, provenance };
        if let Some(span) = self.spans.get_mut(first)
            && (span.start, span.end) == (start, end)
            && provenance != Provenance::None
        {
            report(span.provenance, lost);
            *span = new;
            return;
        }
        let mut last = first;
        let mut left = None;
        let mut right = None;
        while let Some(span) = self.spans.get(last).filter(|s| s.start < end) {
            report(span.provenance, lost);
            if span.start < start {
                left = Some(Span { end: start, ..*span });
            }
            if span.end > end {
                right = Some(Span { start: end, ..*span });
            }
            last += 1;
        }
        let new = (provenance != Provenance::None).then_some(new);
        if last == first {
            if let Some(new) = new {
                self.spans.insert(first, new);
            }
        } else {
            self.spans.splice(first..last, [left, new, right].into_iter().flatten());
        }
    }
}

fn report(provenance: Provenance, lost: Lost) {
    if let Provenance::Block(block) = provenance {
        lost(block);
    }
}

fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The provenance of a value put together from two parts.
pub(super) fn join(left: Provenance, right: Provenance) -> Provenance {
    match (left, right) {
        (Provenance::None, other) | (other, Provenance::None) => other,
        (Provenance::External, other) | (other, Provenance::External) => other,
        _ if left == right => left,
        _ => Provenance::Mixed,
    }
}
