//! The bytes of one object: has-value edges with zero blocks and uniform blocks, read and written by reinterpretation.

use std::rc::Rc;

use super::run::Run;
use crate::smt::{Term, Terms};

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// A value as wide as the cell.
    Value(Term),
    /// Every byte is this 8-bit term (zero blocks among them).
    Uniform(Term),
    /// Written, but what with is lost.
    Forgotten,
}

/// The content of a cell's range, as a read found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// They are this value, the first byte its lowest.
    Value(Term),
    /// Not all of it was written yet.
    Unwritten,
    /// They may be anything.
    Forgotten,
}

/// A has-value edge: `cell` stands at `[offset, offset + bytes)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Of its first byte.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
    /// What they hold.
    pub cell: Cell,
}

/// Has-value edges of one object, ascending and disjoint; what they leave open is zero or not yet written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    edges: Rc<Vec<Edge>>,
    /// Bytes no edge covers are zero; otherwise they are arbitrary.
    zeroed: bool,
    /// A write went through an offset that is not known: open bytes are no longer what they were at the start.
    blurred: bool,
    /// What is known on top of that; a change of the content says what of it stays true.
    runs: Rc<Vec<Run>>,
}

/// A wider cell is not turned into one term.
const WIDEST_VALUE: u64 = 16;

impl Content {
    /// Nothing is written yet; all bytes are zero, or may be anything.
    pub fn new(zeroed: bool) -> Self {
        Self { edges: Rc::default(), zeroed, blurred: false, runs: Rc::default() }
    }

    /// Content as it was written down; `edges` ascending and disjoint.
    pub fn from_edges(edges: Vec<Edge>, zeroed: bool, blurred: bool) -> Self {
        Self { edges: Rc::new(edges), zeroed, blurred, runs: Rc::default() }
    }

    /// The cells, ascending and apart.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Bytes that no cell covers are zero.
    pub fn is_zeroed(&self) -> bool {
        self.zeroed
    }

    /// Bytes that no cell covers may have been written.
    pub fn is_blurred(&self) -> bool {
        self.blurred
    }

    /// What is known on top of the cells, oldest first.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The same, shared.
    pub(super) fn shared_runs(&self) -> Rc<Vec<Run>> {
        self.runs.clone()
    }

    /// Replaces what is known on top of the cells.
    pub fn set_runs(&mut self, runs: Vec<Run>) {
        self.runs = Rc::new(runs);
    }

    /// Every term in its cells.
    pub(super) fn cell_terms(&self) -> impl Iterator<Item = Term> {
        self.edges.iter().filter_map(|edge| match edge.cell {
            Cell::Value(term) | Cell::Uniform(term) => Some(term),
            Cell::Forgotten => None,
        })
    }

    /// Every term in it.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        self.cell_terms().chain(self.runs.iter().flat_map(Run::terms))
    }

    /// The same content with every term replaced by one of the same width.
    pub fn map(&self, change: &mut dyn FnMut(Term) -> Term) -> Content {
        let mut edges = self.edges.as_ref().clone();
        for edge in &mut edges {
            edge.cell = match edge.cell {
                Cell::Value(term) => Cell::Value(change(term)),
                Cell::Uniform(term) => Cell::Uniform(change(term)),
                Cell::Forgotten => Cell::Forgotten,
            };
        }
        let runs = self.runs.iter().map(|run| run.map(change)).collect();
        Content { edges: Rc::new(edges), runs: Rc::new(runs), ..self.clone() }
    }

    /// Leaves `[offset, offset + bytes)` open.
    pub fn open(&mut self, terms: &Terms, offset: u64, bytes: u64) {
        self.erase(terms, offset, bytes);
    }

    /// Cells that say no more than that their bytes are zero, in an object that is zero elsewhere, are left out.
    pub fn without_plain_zeros(&mut self, terms: &Terms) {
        let plain = |edge: &Edge| matches!(edge.cell, Cell::Value(term) if terms.as_const(term) == Some(0));
        if self.zeroed && self.edges.iter().any(plain) {
            Rc::make_mut(&mut self.edges).retain(|edge| !plain(edge));
        }
    }

    /// Keeps only the cells that `keep` accepts, and runs; all other bytes become arbitrary.
    pub fn forget(&mut self, keep: &dyn Fn(&Edge) -> bool) {
        Rc::make_mut(&mut self.edges).retain(keep);
        self.zeroed = false;
        self.blurred = true;
    }

    /// The index of the first edge that ends after `offset`.
    fn first_after(&self, offset: u64) -> usize {
        self.edges.partition_point(|edge| edge.offset + edge.bytes <= offset)
    }

    /// The edges that overlap `[offset, offset + bytes)`.
    pub fn overlapping(&self, offset: u64, bytes: u64) -> impl Iterator<Item = &Edge> {
        self.edges[self.first_after(offset)..].iter().take_while(move |edge| edge.offset < offset + bytes)
    }

    /// Reads `bytes <= 16` bytes.
    pub fn read(&self, terms: &Terms, offset: u64, bytes: u64) -> Found {
        let mut parts: Vec<Term> = Vec::new();
        let mut at = offset;
        let end = offset + bytes;
        let mut edges = self.overlapping(offset, bytes).peekable();
        while at < end {
            match edges.peek() {
                Some(edge) if edge.offset <= at => {
                    let stop = end.min(edge.offset + edge.bytes);
                    match part(terms, edge, at, stop) {
                        Some(term) => parts.push(term),
                        None => return Found::Forgotten,
                    }
                    at = stop;
                    edges.next();
                }
                next => {
                    let stop = next.map_or(end, |edge| edge.offset.min(end));
                    if !self.zeroed {
                        return if self.blurred { Found::Forgotten } else { Found::Unwritten };
                    }
                    parts.push(terms.constant(0, 8 * (stop - at) as u32));
                    at = stop;
                }
            }
        }
        // Little endian: the part at the highest address holds the highest bits.
        let mut parts = parts.into_iter();
        let Some(mut value) = parts.next() else { return Found::Forgotten };
        for high in parts {
            value = terms.concat(high, value);
        }
        Found::Value(value)
    }

    /// The first stretches of bytes that are known to be zero, at most so many.
    pub(super) fn zeros(&self, terms: &Terms, most: usize) -> Vec<(u64, u64)> {
        let stretch = |edge: &Edge| match edge.cell {
            Cell::Uniform(byte) => (terms.as_const(byte) == Some(0)).then_some((edge.offset, edge.offset + edge.bytes)),
            Cell::Value(value) => {
                let value = terms.as_const(value)?;
                let place = (0..edge.bytes).find(|place| value >> (8 * place) & 0xff == 0)?;
                Some((edge.offset + place, edge.offset + place + 1))
            }
            Cell::Forgotten => None,
        };
        let mut zeros: Vec<(u64, u64)> = self.edges.iter().filter_map(stretch).collect();
        if self.zeroed {
            zeros.extend(self.gaps(0, u64::MAX / 4));
            zeros.sort_unstable();
        }
        zeros.truncate(most);
        zeros
    }

    /// All of an object of `size` bytes that is zero, where that is a number, as far as it goes on.
    pub(super) fn zero_stretches(&self, terms: &Terms, size: Option<u64>) -> Vec<(u64, Option<u64>)> {
        let is_zero = |edge: &Edge| match edge.cell {
            Cell::Uniform(value) | Cell::Value(value) => terms.as_const(value) == Some(0),
            Cell::Forgotten => false,
        };
        let mut stretches = Vec::new();
        // Where the stretch began that the bytes before `at` belong to.
        let (mut begin, mut at) = (None, 0);
        for edge in self.edges.iter() {
            if at < edge.offset {
                match self.zeroed {
                    true => _ = begin.get_or_insert(at),
                    false => stretches.extend(begin.take().map(|from| (from, Some(at)))),
                }
            }
            match is_zero(edge) {
                true => _ = begin.get_or_insert(edge.offset),
                false => stretches.extend(begin.take().map(|from| (from, Some(edge.offset)))),
            }
            at = edge.offset + edge.bytes;
        }
        match self.zeroed && size.is_none_or(|size| at < size) {
            true => stretches.push((begin.unwrap_or(at), size)),
            false => stretches.extend(begin.map(|from| (from, Some(at)))),
        }
        stretches
    }

    /// The parts of `[offset, offset + bytes)` that no edge covers.
    pub fn gaps(&self, offset: u64, bytes: u64) -> Vec<(u64, u64)> {
        let mut gaps = Vec::new();
        let mut at = offset;
        for edge in self.overlapping(offset, bytes) {
            if edge.offset > at {
                gaps.push((at, edge.offset));
            }
            at = edge.offset + edge.bytes;
        }
        if at < offset + bytes {
            gaps.push((at, offset + bytes));
        }
        gaps
    }

    /// Writes a cell over `[offset, offset + bytes)`, keeping what stands on either side of it.
    pub fn write(&mut self, terms: &Terms, offset: u64, bytes: u64, cell: Cell) {
        if bytes == 0 {
            return;
        }
        self.erase(terms, offset, bytes);
        let is_default = matches!(cell, Cell::Uniform(byte) if self.zeroed && terms.as_const(byte) == Some(0));
        if !is_default {
            let at = self.first_after(offset);
            Rc::make_mut(&mut self.edges).insert(at, Edge { offset, bytes, cell });
        }
    }

    /// Removes the edges in the range, cutting those that reach over its borders.
    fn erase(&mut self, terms: &Terms, offset: u64, bytes: u64) {
        self.runs = Rc::default();
        let end = offset + bytes;
        let from = self.first_after(offset);
        let to = from + self.edges[from..].partition_point(|edge| edge.offset < end);
        if from == to {
            return;
        }
        let mut rest: Vec<Edge> = Vec::new();
        for edge in &self.edges[from..to] {
            let edge_end = edge.offset + edge.bytes;
            if edge.offset < offset {
                rest.push(cut(terms, edge, edge.offset, offset));
            }
            if edge_end > end {
                rest.push(cut(terms, edge, end, edge_end));
            }
        }
        Rc::make_mut(&mut self.edges).splice(from..to, rest);
    }

    /// Everything becomes one byte pattern.
    pub fn fill_all(&mut self, terms: &Terms, byte: Term, size: u64) {
        if terms.as_const(byte) == Some(0) {
            *self = Content::new(true);
        } else {
            *self = Content::new(false);
            self.write(terms, 0, size, Cell::Uniform(byte));
        }
    }

    /// A write of unknown place within `[low, high)`: what stands there may have changed.
    pub fn blur(&mut self, terms: &Terms, low: u64, high: u64) {
        if high > low && high < u64::MAX / 2 {
            self.write(terms, low, high - low, Cell::Forgotten);
        } else {
            let keep = self.edges[..self.first_after(low)].iter().filter(|edge| edge.offset + edge.bytes <= low);
            self.edges = Rc::new(keep.copied().collect());
            // What is open below `low` is given up with the rest: it is rarely asked for.
            self.zeroed = false;
            self.blurred = true;
            self.runs = Rc::default();
        }
    }

    /// A write of zeros of unknown place within `[low, high)`: what is zero there stays so.
    pub fn zero_somewhere(&mut self, terms: &Terms, low: u64, high: u64) {
        let is_zero = |edge: &Edge| match edge.cell {
            Cell::Value(value) | Cell::Uniform(value) => terms.as_const(value) == Some(0),
            Cell::Forgotten => false,
        };
        if self.zeroed && self.edges[self.first_after(low)..].iter().all(is_zero) {
            return;
        }
        let bytes = high.saturating_sub(low);
        let known = if high < u64::MAX / 2 { self.slice(terms, low, bytes) } else { Vec::new() };
        self.blur(terms, low, high);
        for zero in known.iter().filter(|edge| is_zero(edge)) {
            self.write(terms, zero.offset, zero.bytes, zero.cell);
        }
    }

    /// Edges of `[offset, offset + bytes)` as a list that can be written elsewhere; open ranges are zero or forgotten.
    pub fn slice(&self, terms: &Terms, offset: u64, bytes: u64) -> Vec<Edge> {
        let end = offset + bytes;
        let mut slice = Vec::new();
        let mut at = offset;
        let open = if self.zeroed { Cell::Uniform(terms.constant(0, 8)) } else { Cell::Forgotten };
        for edge in self.overlapping(offset, bytes) {
            if edge.offset > at {
                slice.push(Edge { offset: at, bytes: edge.offset - at, cell: open });
            }
            let (from, to) = (edge.offset.max(offset), (edge.offset + edge.bytes).min(end));
            slice.push(cut(terms, edge, from, to));
            at = to;
        }
        if at < end {
            slice.push(Edge { offset: at, bytes: end - at, cell: open });
        }
        slice
    }
}

/// The bytes `[from, to)` of an edge as a term; `None` when they are lost (or too many).
fn part(terms: &Terms, edge: &Edge, from: u64, to: u64) -> Option<Term> {
    match edge.cell {
        Cell::Value(value) => {
            let (low, high) = (8 * (from - edge.offset) as u32, 8 * (to - edge.offset) as u32);
            Some(if low == 0 && high == terms.width(value) { value } else { terms.extract(value, high - 1, low) })
        }
        Cell::Uniform(byte) if to - from <= WIDEST_VALUE => {
            if terms.as_const(byte) == Some(0) {
                return Some(terms.constant(0, 8 * (to - from) as u32));
            }
            let mut value = byte;
            for _ in 1..to - from {
                value = terms.concat(byte, value);
            }
            Some(value)
        }
        Cell::Uniform(_) | Cell::Forgotten => None,
    }
}

/// The edge restricted to `[from, to)`, a non-empty part of it.
fn cut(terms: &Terms, edge: &Edge, from: u64, to: u64) -> Edge {
    let cell = match edge.cell {
        Cell::Value(_) => part(terms, edge, from, to).map_or(Cell::Forgotten, Cell::Value),
        other => other,
    };
    Edge { offset: from, bytes: to - from, cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: u64 = 4;

    /// Each byte of `bytes` as a cell of its own, or left open where it is zero and `zeroed` says the same.
    fn content(terms: &Terms, bytes: &[u64], zeroed: bool) -> Content {
        let mut content = Content::new(zeroed);
        for (offset, byte) in bytes.iter().enumerate().filter(|(_, byte)| !zeroed || **byte != 0) {
            content.write(terms, offset as u64, 1, Cell::Value(terms.constant(u128::from(*byte), 8)));
        }
        content
    }

    /// The byte at `offset` where it is known.
    fn known(terms: &Terms, content: &Content, offset: u64) -> Option<u128> {
        match content.read(terms, offset, 1) {
            Found::Value(value) => terms.as_const(value),
            _ => None,
        }
    }

    /// Against every content of four bytes, every range, and every place in it: what is known afterwards is so.
    #[test]
    fn zeros_written_somewhere_leave_zeros() {
        let terms = Terms::new();
        for pattern in 0..1u64 << SIZE {
            let bytes: Vec<u64> = (0..SIZE).map(|at| 7 * (pattern >> at & 1)).collect();
            for (zeroed, low, high) in [false, true]
                .into_iter()
                .flat_map(|zeroed| (0..SIZE).flat_map(move |low| (low + 1..=SIZE).map(move |high| (zeroed, low, high))))
            {
                let mut after = content(&terms, &bytes, zeroed);
                after.zero_somewhere(&terms, low, high);
                for at in 0..SIZE {
                    let established = known(&terms, &after, at);
                    let is_touched = (low..high).contains(&at);
                    let expected = (!is_touched || bytes[at as usize] == 0).then_some(u128::from(bytes[at as usize]));
                    assert_eq!(established, expected, "byte {at} of {bytes:?} after zeros in {low}..{high}");
                }
            }
        }
    }

    /// Stretches are all the bytes that are known to be zero, of contents with values, zeros written at once, and what nothing says.
    #[test]
    fn zero_stretches_are_what_is_known_to_be_zero() {
        let terms = Terms::new();
        for (pattern, zeroed) in (0..5u64.pow(4)).flat_map(|pattern| [(pattern, false), (pattern, true)]) {
            let mut content = Content::new(zeroed);
            let mut is_zero = Vec::new();
            for at in 0..SIZE {
                let byte = |value: u128| terms.constant(value, 8);
                let (cell, zero) = match pattern / 5u64.pow(at as u32) % 5 {
                    0 => (None, zeroed),
                    1 => (Some(Cell::Value(byte(0))), true),
                    2 => (Some(Cell::Uniform(byte(0))), true),
                    3 => (Some(Cell::Value(byte(7))), false),
                    _ => (Some(Cell::Forgotten), false),
                };
                cell.into_iter().for_each(|cell| content.write(&terms, at, 1, cell));
                is_zero.push(zero);
            }
            let stretches = content.zero_stretches(&terms, Some(SIZE));
            let is_in = |at: &u64| stretches.iter().any(|(from, to)| from <= at && to.is_some_and(|to| *at < to));
            assert_eq!(
                (0..SIZE).map(|at| is_in(&at)).collect::<Vec<bool>>(),
                is_zero,
                "{pattern} {zeroed} {stretches:?}"
            );
            let apart = stretches.windows(2).all(|pair| pair[0].1.is_some_and(|to| to < pair[1].0));
            assert!(apart && stretches.iter().all(|(from, to)| to.is_some_and(|to| *from < to)), "{stretches:?}");
            let open = content.zero_stretches(&terms, None);
            assert_eq!(open.last().is_some_and(|(_, to)| to.is_none()), zeroed, "{pattern} {open:?}");
        }
    }
}
