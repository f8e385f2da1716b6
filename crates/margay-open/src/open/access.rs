//! Reaching bytes: what an address leads to, what has to be unfolded or abduced before it can be used.

use std::rc::Rc;

use super::heap::{Aliasing, Block, Cell, SymbolicHeap, Value};
use crate::heap::SymbolKind;
use crate::memory::rules::{Act, NoObject, Range, Rule};
use crate::memory::{Anchor, BlockKind, Fault, Miss, Origin, Outcome, Outcomes, Place as MissPlace, Stuck};
use crate::smt::Term;
use crate::task::Violation;

/// Bytes that are there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reach {
    /// `bytes` bytes from `base + offset` on, each in some cell.
    Exactly { base: Term, offset: i64 },
    /// Somewhere in the live block or object behind `base`.
    Somewhere { base: Term },
}

/// One way to go on: the bytes are there, or the access ends otherwise.
pub(super) type Reached = Outcomes<SymbolicHeap, Reach>;

/// How often a list is unfolded for one access: once for each field of a node that several lists share.
const MAX_UNFOLDINGS: usize = 12;

impl SymbolicHeap {
    /// Makes `bytes` bytes at `address` reachable.
    pub(super) fn reach(self, address: Term, bytes: u64, act: Act) -> Reached {
        let mut done = Reached::new();
        let mut work = vec![(self, 0)];
        while let Some((heap, unfoldings)) = work.pop() {
            let address = heap.norm(address);
            let (base, offset) = heap.split(address);
            if bytes == 0 {
                done.push(Outcome::Next(heap, Reach::Exactly { base, offset }));
                continue;
            }
            if let Some(number) = heap.terms().as_const(address) {
                done.push(Outcome::Fault(heap, NoObject::of_number(number as u64).fault(act, Some(bytes))));
                continue;
            }
            if heap.covers(base, offset, bytes as i64) {
                // What stands in cells is live and in bounds.
                let broken = heap.static_at(base).and_then(|object| object.broken(offset, bytes, act));
                done.push(match broken {
                    Some(fault) => Outcome::Fault(heap.blaming(base), fault),
                    None => Outcome::Next(heap, Reach::Exactly { base, offset }),
                });
                continue;
            }
            if let Some(index) = heap.block_at(base) {
                work.extend(
                    heap.within_block(index, (base, offset, bytes), act, &mut done)
                        .into_iter()
                        .map(|h| (h, unfoldings)),
                );
                continue;
            }
            if let Some(object) = heap.static_at(base).cloned() {
                if let Some(fault) = object.broken(offset, bytes, act) {
                    done.push(Outcome::Fault(heap.blaming(base), fault));
                    continue;
                }
                if let Some(content) = &object.literal {
                    work.push((heap.with_literal(base, object.size, content), unfoldings));
                    continue;
                }
            }
            if unfoldings < MAX_UNFOLDINGS
                && let Some((index, from_back)) = heap.segment_with(base, offset, bytes as i64)
            {
                if !heap.segments[index].nonempty {
                    work.extend(heap.clone().emptied(index).map(|heap| (heap, unfoldings + 1)));
                }
                work.extend(heap.unfolded(index, from_back).map(|heap| (heap, unfoldings + 1)));
                continue;
            }
            if let Some(outcomes) = heap.clone().within_array(base, address, bytes, act) {
                done.extend(outcomes);
                continue;
            }
            heap.abduce((base, offset, bytes), act, (&mut work, unfoldings), &mut done);
        }
        done
    }

    /// Whether cells of constant size cover these bytes.
    pub(super) fn covers(&self, base: Term, offset: i64, bytes: i64) -> bool {
        let mut at = offset;
        let end = offset + bytes;
        while at < end {
            let next = self.cells.iter().find_map(|cell| {
                let (cell_base, from) = self.split(cell.at);
                let to = from + self.as_bytes(cell.size)? as i64;
                (cell_base == base && from <= at && at < to).then_some(to)
            });
            match next {
                Some(to) => at = to,
                None => return false,
            }
        }
        true
    }

    pub(super) fn is_literal(&self, base: Term) -> bool {
        self.static_at(base).is_some_and(|object| object.literal.is_some())
    }

    fn with_literal(mut self, base: Term, size: u64, content: &[(u64, u32, u128)]) -> Self {
        let world = self.world.clone();
        let terms = &world.context.terms;
        let mut at = 0;
        for &(offset, bytes, value) in content {
            if offset > at {
                self.add_zeros(base, at, offset - at);
            }
            let value = Value::Is(terms.constant(value, 8 * bytes));
            let size = self.number(bytes.into());
            self.add_cell(Cell { at: terms.add_constant(base, offset.into()), size, value });
            at = offset + u64::from(bytes);
        }
        if size > at {
            self.add_zeros(base, at, size - at);
        }
        self
    }

    fn add_zeros(&mut self, base: Term, offset: u64, bytes: u64) {
        let zero = self.terms().constant(0, 8);
        let at = self.terms().add_constant(base, offset.into());
        let size = self.number(bytes as i64);
        self.add_cell(Cell { at, size, value: Value::Each(zero) });
    }

    /// An access behind the start of a block of known extent, not all of whose bytes are in cells of constant size: the
    /// memories in which it may go on.
    fn within_block(
        self,
        index: usize,
        (base, offset, bytes): (Term, i64, u64),
        act: Act,
        done: &mut Reached,
    ) -> Vec<Self> {
        let block = self.blocks[index].clone();
        let (_, start) = self.split(block.start);
        let at = offset - start;
        let size = self.as_bytes(block.size);
        if let Some(fault) = block.broken(size, at, bytes, act) {
            done.push(Outcome::Fault(self.blaming(base), fault));
            return Vec::new();
        }
        if size.is_some() {
            return self.recut(index, (base, offset, bytes), act, done);
        }
        let terms = &self.world.context.terms;
        let range = Range { offset: self.number(at), bytes: self.number(bytes as i64) };
        let fits = Rule::InBounds.holds(terms, &block.extent(terms), &range);
        let may_learn = self.missing.is_some() && self.is_controlled(self.norm(fits));
        let inside = self.clone().restrict(fits);
        let is_extent = self.blocks[index].foreign;
        if !may_learn || inside.is_none() || !is_extent {
            let misfits = self.terms().not(fits);
            if let Some(heap) = self.restrict(misfits) {
                let fault = block.beyond(act, Some(bytes), Some(at));
                done.push(Outcome::Fault(heap.blaming(base), fault));
            }
        }
        inside.map_or_else(Vec::new, |heap| heap.recut(index, (base, offset, bytes), act, done))
    }

    /// Bytes that lie within the block, cut out of cells of any size, or out of lists.
    fn recut(
        mut self,
        index: usize,
        (base, offset, bytes): (Term, i64, u64),
        act: Act,
        done: &mut Reached,
    ) -> Vec<Self> {
        let world = self.world.clone();
        let terms = &world.context.terms;
        let end = offset + bytes as i64;
        for position in 0..self.cells.len() {
            let cell = self.cells[position];
            let (cell_base, from) = self.split(cell.at);
            if cell_base != base || self.as_bytes(cell.size).is_some() || from >= end {
                continue;
            }
            let value = match cell.value {
                Value::Is(_) => continue,
                other => other,
            };
            let stop = end.max(from);
            // Whether the cell reaches that far.
            let reaches = terms.ule(self.number(stop - from), cell.size);
            if !self.entails(reaches) {
                continue;
            }
            self.remove_cell(position);
            let head = self.number(stop - from);
            let at = cell.at;
            self.add_cell(Cell { at, size: head, value });
            let rest = terms.sub(cell.size, head);
            if terms.as_const(rest) != Some(0) {
                let at = terms.add(cell.at, head);
                self.add_cell(Cell { at, size: rest, value });
            }
            return vec![self];
        }
        if let Some((segment, from_back)) = self.segment_with(base, offset, bytes as i64) {
            let mut next = Vec::new();
            if !self.segments[segment].nonempty {
                next.extend(self.clone().emptied(segment));
            }
            next.extend(self.unfolded(segment, from_back));
            return next;
        }
        if self.blocks[index].foreign {
            let mut work = Vec::new();
            self.abduce((base, offset, bytes), act, (&mut work, 0), done);
            return work.into_iter().map(|(heap, _)| heap).collect();
        }
        done.push(Outcome::Stuck(self, Stuck::tool("bytes of a block are not where they should be")));
        Vec::new()
    }

    /// The list one of whose ends, if there is a node, has some of these bytes.
    fn segment_with(&self, base: Term, offset: i64, bytes: i64) -> Option<(usize, bool)> {
        let touches = |end: Term, index: usize| {
            let (end_base, at) = self.split(end);
            end_base == base
                && self.segments[index]
                    .shape
                    .bytes_of_node()
                    .any(|(from, size)| at + from < offset + bytes && offset < at + from + size)
        };
        (0..self.segments.len()).find_map(|index| {
            if touches(self.segments[index].first, index) {
                return Some((index, false));
            }
            let (last, _) = self.segments[index].back?;
            touches(last, index).then_some((index, true))
        })
    }

    /// An access at an offset that is no number behind the start of a block.
    fn within_array(self, base: Term, address: Term, bytes: u64, act: Act) -> Option<Reached> {
        let terms = &self.world.context.terms;
        let sum = terms.linear(base);
        let (index, block) = sum.parts.iter().find_map(|&(coefficient, part)| {
            terms.as_symbol(part).filter(|_| coefficient == 1 && part != base)?;
            if let Some(index) = self.block_at(part) {
                return Some((Some(index), self.blocks[index].clone()));
            }
            let object = self.static_at(part)?;
            let size = self.number(object.size as i64);
            let origin = Origin::outside(&object.described());
            let block = Block { start: part, size, kind: object.extent().kind, live: true, foreign: false, origin };
            Some((None, block))
        })?;
        let (start, size) = (block.start, block.size);
        let mut done = Reached::new();
        if let Some(fault) = block.broken(None, 0, bytes, act) {
            done.push(Outcome::Fault(self.blaming(start), fault));
            return Some(done);
        }
        let range = Range { offset: terms.sub(address, start), bytes: self.number(bytes as i64) };
        let fits = Rule::InBounds.holds(terms, &block.extent(terms), &range);
        let inside = self.clone().restrict(fits);
        // A caller that is to provide the block provides one that is large enough; an index is another matter.
        let is_foreign = index.is_some_and(|index| self.blocks[index].foreign);
        let may_learn = is_foreign && self.missing.is_some() && self.is_controlled(self.norm(fits));
        if !may_learn || inside.is_none() {
            let misfits = self.terms().not(fits);
            if let Some(heap) = self.clone().restrict(misfits) {
                let fault = block.beyond(act, Some(bytes), None);
                done.push(Outcome::Fault(heap.blaming(start), fault));
            }
        }
        match (inside, index) {
            (Some(heap), Some(_)) => {
                let (base, _) = heap.split(start);
                done.push(Outcome::Next(heap, Reach::Somewhere { base }));
            }
            // All of the object has to be there.
            (Some(heap), None) => {
                let size = heap.as_bytes(size).unwrap_or(0);
                for outcome in heap.reach(start, size, Act::Read) {
                    done.push(match outcome {
                        Outcome::Next(heap, _) => Outcome::Next(heap, Reach::Somewhere { base: start }),
                        other => other,
                    });
                }
            }
            (None, _) => {}
        }
        Some(done)
    }

    /// Bytes that nothing provides: the precondition is asked for them.
    fn abduce(
        self,
        (base, offset, bytes): (Term, i64, u64),
        act: Act,
        (work, unfoldings): (&mut Vec<(Self, usize)>, usize),
        done: &mut Reached,
    ) {
        let symbols = self.terms().symbols_of(base);
        let kinds: Vec<SymbolKind> = symbols.iter().filter_map(|symbol| self.kind(*symbol)).collect();
        let gaps = self.gaps(base, offset, bytes as i64);
        if kinds.iter().any(|kind| matches!(kind, SymbolKind::External(_))) {
            // What a function that is not there returned is assumed to be good for what is done with it.
            let mut heap = self;
            for (from, to) in gaps {
                heap.provide(base, from, to - from, false);
            }
            work.extend(heap.settle().map(|heap| (heap, unfoldings)));
            return;
        }
        if kinds.iter().any(|kind| matches!(kind, SymbolKind::Input(_))) {
            done.push(Outcome::Fault(self, NoObject::Other("an arbitrary value").fault(act, Some(bytes))));
            return;
        }
        if !self.is_controlled(base) {
            done.push(Outcome::Stuck(self, Stuck::tool("a pointer is used of which too little is known")));
            return;
        }
        if self.missing.is_none() {
            let anchor = kinds.iter().find_map(|kind| match kind {
                SymbolKind::Anchor(n) => Some(Anchor(*n)),
                _ => None,
            });
            let place = MissPlace { anchor: anchor.unwrap_or(Anchor(0)), offset: offset as u64, bytes };
            let detail = format!("{bytes} bytes that the precondition does not provide");
            done.push(Outcome::Miss(self, Miss { place, fault: Fault::new(Violation::ValidDeref, detail) }));
            return;
        }
        for (heap, equal) in self.aliases(base, offset, bytes) {
            work.extend(heap.restrict(equal).map(|heap| (heap, unfoldings + 1)));
        }
        let mut heap = self;
        for (from, to) in gaps {
            heap.provide(base, from, to - from, true);
        }
        work.extend(heap.settle().map(|heap| (heap, unfoldings)));
    }

    /// Guesses that the address is that of bytes which are there.
    fn aliases(&self, base: Term, offset: i64, bytes: u64) -> Vec<(Self, Term)> {
        if self.world.aliasing == Aliasing::None || self.guesses == 0 {
            return Vec::new();
        }
        let address = self.terms().add_constant(base, offset.into());
        let mut guesses = Vec::new();
        for cell in self.cells.iter() {
            let (cell_base, cell_offset) = self.split(cell.at);
            let same_block = self.block_at(cell_base).is_some() && self.block_at(cell_base) == self.block_at(base);
            let wanted = self.world.aliasing == Aliasing::All || same_block;
            // Two names of one node: its cells have the same offsets behind both.
            if cell_base != base
                && cell_offset == offset
                && wanted
                && self.as_bytes(cell.size) == Some(bytes)
                && self.is_controlled(cell.at)
            {
                let mut heap = self.clone();
                heap.guesses -= 1;
                guesses.push((heap, self.terms().eq(address, cell.at)));
            }
        }
        guesses
    }

    /// The parts of these bytes that no cell has.
    pub(super) fn gaps(&self, base: Term, offset: i64, bytes: i64) -> Vec<(i64, i64)> {
        let mut taken: Vec<(i64, i64)> = self
            .cells
            .iter()
            .filter_map(|cell| {
                let (cell_base, from) = self.split(cell.at);
                let size = self.as_bytes(cell.size).unwrap_or(0) as i64;
                (cell_base == base).then_some((from, from + size))
            })
            .collect();
        taken.sort_unstable();
        let mut gaps = Vec::new();
        let (mut at, end) = (offset, offset + bytes);
        for (from, to) in taken {
            if to <= at || from >= end {
                continue;
            }
            if from > at {
                gaps.push((at, from));
            }
            at = at.max(to);
        }
        if at < end {
            gaps.push((at, end));
        }
        gaps
    }

    /// A cell with a value of its own, which the precondition has, too, if it is `missed`.
    fn provide(&mut self, base: Term, offset: i64, bytes: i64, missed: bool) {
        let at = self.terms().add_constant(base, offset.into());
        let size = self.number(bytes);
        let value = match bytes {
            1..=16 if missed => Value::Is(self.anchor(8 * bytes as u32)),
            1..=16 => Value::Is(self.external(8 * bytes as u32)),
            _ => Value::Any,
        };
        let cell = Cell { at, size, value };
        self.add_cell(cell);
        if missed {
            self.missing_mut(|missing| missing.cells.push(cell));
        }
    }

    pub(super) fn external(&mut self, width: u32) -> Term {
        let n = self.next_input;
        self.next_input += 1;
        self.context().symbol(SymbolKind::External(n), width, 0)
    }

    /// The value of bytes that are there. Bytes that were never set get an arbitrary value, which they keep.
    pub(super) fn read(&mut self, base: Term, offset: i64, bytes: u64) -> Term {
        let world = self.world.clone();
        let terms = &world.context.terms;
        let end = offset + bytes as i64;
        let mut at = offset;
        let mut value: Option<Term> = None;
        while at < end {
            let found = self.cells.iter().enumerate().find_map(|(index, cell)| {
                let (cell_base, from) = self.split(cell.at);
                let to = from + self.as_bytes(cell.size)? as i64;
                (cell_base == base && from <= at && at < to).then_some((index, from, to, cell.value))
            });
            let Some((index, from, to, held)) = found else { break };
            let stop = to.min(end);
            let width = 8 * (stop - at) as u32;
            let part = match held {
                Value::Is(term) => {
                    let low = 8 * (at - from) as u32;
                    terms.extract(term, low + width - 1, low)
                }
                Value::Each(byte) => (1..stop - at).fold(byte, |sum, _| terms.concat(byte, sum)),
                Value::Any => {
                    let term = self.arbitrary(width);
                    self.cut(index, at, stop, Value::Is(term));
                    term
                }
            };
            // Little endian.
            value = Some(value.map_or(part, |low| terms.concat(part, low)));
            at = stop;
        }
        match value {
            Some(value) if at == end => value,
            _ => self.unknown(8 * bytes as u32),
        }
    }

    /// Puts `value` on the bytes `[from, to)` (behind its base) of a cell, and leaves the rest of the cell on either side.
    fn cut(&mut self, index: usize, from: i64, to: i64, value: Value) {
        let world = self.world.clone();
        let terms = &world.context.terms;
        let cell = self.remove_cell(index);
        let (base, start) = self.split(cell.at);
        let end = start + self.as_bytes(cell.size).unwrap_or(0) as i64;
        let piece = |low: i64, high: i64, value: Value| Cell {
            at: terms.add_constant(base, low.into()),
            size: self.number(high - low),
            value,
        };
        let part_of = |low: i64, high: i64| match cell.value {
            Value::Is(term) => Value::Is(terms.extract(term, 8 * (high - start) as u32 - 1, 8 * (low - start) as u32)),
            other => other,
        };
        let mut pieces = Vec::new();
        if start < from {
            pieces.push(piece(start, from, part_of(start, from)));
        }
        pieces.push(piece(from, to, value));
        if to < end {
            pieces.push(piece(to, end, part_of(to, end)));
        }
        for piece in pieces {
            self.add_cell(piece);
        }
    }

    /// Takes these bytes, which are there, out of the heap.
    pub(super) fn take(&mut self, base: Term, offset: i64, bytes: i64) {
        let end = offset + bytes;
        let mut index = 0;
        while index < self.cells.len() {
            let cell = self.cells[index];
            let (cell_base, from) = self.split(cell.at);
            let to = from + self.as_bytes(cell.size).map_or(0, |n| n as i64);
            if cell_base != base || to <= offset || end <= from {
                index += 1;
                continue;
            }
            self.cut(index, from.max(offset), to.min(end), Value::Any);
            // Its pieces stand last now: the one to drop is the cut one.
            let dropped = (from.max(offset), to.min(end));
            if let Some(position) = self.cells.iter().rposition(|cell| {
                let (cell_base, from) = self.split(cell.at);
                cell_base == base
                    && from == dropped.0
                    && self.as_bytes(cell.size) == Some((dropped.1 - dropped.0) as u64)
            }) {
                self.remove_cell(position);
            }
        }
    }

    /// Writes a value over bytes that are there.
    pub(super) fn write(&mut self, base: Term, offset: i64, bytes: u64, value: Value) {
        if bytes == 0 {
            return;
        }
        self.take(base, offset, bytes as i64);
        let at = self.terms().add_constant(base, offset.into());
        let size = self.number(bytes as i64);
        self.add_cell(Cell { at, size, value });
    }

    /// A write of unknown place within a block: what stands in its cells may have changed.
    pub(super) fn blur(&mut self, base: Term) {
        let world = self.world.clone();
        let terms = &world.context.terms;
        for index in 0..self.cells.len() {
            let cell = self.cells[index];
            let stands = terms.linear(self.split(cell.at).0);
            if !stands.parts.iter().any(|&(_, part)| part == base) {
                continue;
            }
            let value = match cell.value {
                Value::Is(term) => Value::Is(self.unknown(terms.width(term))),
                _ => Value::Any,
            };
            Rc::make_mut(&mut self.cells)[index].value = value;
        }
    }

    /// A block of the precondition that starts at `start` is needed whole: its extent, and the bytes that are not there yet.
    pub(super) fn abduce_block(mut self, start: Term) -> Option<Self> {
        let world = self.world.clone();
        let terms = &world.context.terms;
        let (base, offset) = self.split(start);
        let mut end = offset;
        for cell in self.cells.iter() {
            let (cell_base, from) = self.split(cell.at);
            if cell_base == base {
                if from < offset {
                    return None;
                }
                end = end.max(from + self.as_bytes(cell.size)? as i64);
            }
        }
        for (from, to) in self.gaps(base, offset, end - offset) {
            self.provide(base, from, to - from, true);
        }
        let size = self.anchor(self.pointer_bits());
        let known = self.number(end - offset);
        if end > offset {
            let fits = terms.ule(known, size);
            self = self.restrict(fits)?;
        }
        let rest = Cell { at: terms.add_constant(base, end.into()), size: terms.sub(size, known), value: Value::Any };
        self.add_cell(rest);
        let origin = Origin::outside("a block of the precondition");
        let block = Block { start, size, kind: BlockKind::Heap, live: true, foreign: true, origin };
        Rc::make_mut(&mut self.blocks).push(block.clone());
        self.missing_mut(|missing| {
            missing.cells.push(rest);
            missing.blocks.push(block);
        });
        self.settle()
    }
}
