//! Loads and stores: bounds, case distinction over offsets, has-value edges.

use std::rc::Rc;

use super::content::{Cell, Edge, Found};
use super::context::SymbolKind;
use super::graph::{Event, Object, Smg};
use super::limits::{MAX_NUMBERED, MAX_OFFSETS, MOST_DIGITS, MOST_PLACES, WIDEST_SYMBOL};
use super::resolve::Target;
use crate::cfa::{Bits, NumberPart};
use crate::memory::rules::{Act, Broken, Extent, Plain, Range, Rule};
use crate::memory::{BlockId, BlockKind, Outcome, Outcomes, belongs_to_number, done, number_in};
use crate::smt::{Node, Op, Term, Terms};

/// Where an access goes once it is known to be in bounds.
#[derive(Clone, Debug)]
pub(super) enum At {
    Exactly(BlockId, u64),
    /// One of these offsets, ascending and apart, at each of which stands a number; values distinguish them.
    Among(BlockId, Offsets, Rc<[u64]>),
    /// Some offset in `low..=high` that is not known.
    Within(BlockId, Offsets),
}

/// What may be made of an access at several places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Several {
    /// A state for each, or a loss of precision.
    States,
    /// One state with values that are case distinctions, where the analysis wants that.
    Values,
}

/// Where an access may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offsets {
    pub low: u64,
    pub high: u64,
    /// The offset itself, of pointer width.
    pub offset: Term,
}

impl Smg {
    /// Runs `operation` on each place `[address, address + bytes)` can be, after the checks every access needs.
    pub(super) fn access<T>(
        self,
        address: Term,
        bytes: u64,
        (act, several): (Act, Several),
        mut operation: impl FnMut(Smg, At) -> Outcomes<Smg, T>,
    ) -> Outcomes<Smg, T> {
        let mut outcomes = Outcomes::new();
        for (memory, target) in self.resolve(address) {
            match target {
                Target::Object { block, offset } => {
                    memory.access_object(block, offset, bytes, (act, several), &mut operation, &mut outcomes);
                }
                other => outcomes.push(memory.bad_address(&other, act)),
            }
        }
        outcomes
    }

    pub(super) fn bad_address<T>(self, target: &Target, act: Act) -> Outcome<Smg, T> {
        match target {
            Target::Unclear(stuck) => Outcome::Stuck(self, stuck.clone()),
            other => Outcome::Fault(self, other.no_object().fault(act, None)),
        }
    }

    fn access_object<T>(
        self,
        block: BlockId,
        offset: Term,
        bytes: u64,
        (act, several): (Act, Several),
        operation: &mut impl FnMut(Smg, At) -> Outcomes<Smg, T>,
        outcomes: &mut Outcomes<Smg, T>,
    ) {
        let context = self.context.clone();
        let terms = &context.terms;
        let range = Range { offset, bytes: context.pointer_constant(bytes) };
        let Some(memory) = self.allowed(block, &range, act, outcomes) else {
            return;
        };
        if let Some(exact) = memory.store.constant(&context, offset) {
            outcomes.extend(operation(memory, At::Exactly(block, exact as u64)));
            return;
        }
        let (low, high) = memory.store.range(&context, offset);
        let size = memory.object(block).and_then(|object| terms.as_const(object.size));
        let high = size.map_or(high, |size| high.min(size.saturating_sub(bytes.into())));
        let offsets = Offsets { low: low as u64, high: u64::try_from(high).unwrap_or(u64::MAX), offset };
        let stride = 1u128 << terms.trailing_zeros(offset).min(32);
        let first = low.next_multiple_of(stride);
        if several == Several::Values
            && memory.semantics.places_by_values
            && size.is_some()
            && stride >= bytes.into()
            && high.saturating_sub(low) / stride < MOST_PLACES
            && let Some(places) = memory.places(block, offset, bytes, (first..=high).step_by(stride as usize))
        {
            outcomes.extend(operation(memory, At::Among(block, offsets, places)));
            return;
        }
        // Characters of a variable's text are no cases of their own where searches through them are not.
        let is_text = bytes == 1 && memory.object(block).is_some_and(|object| object.kind != BlockKind::Heap);
        let has_table = memory.runs(block).iter().any(|run| run.table.is_some());
        let by_number = memory.semantics.cells_by_number || has_table || (memory.semantics.finds_at_once && is_text);
        let is_one = by_number && memory.holds_numbers(block);
        let most = if is_one { MAX_NUMBERED } else { MAX_OFFSETS };
        if high.saturating_sub(low) / stride < most {
            let mut candidate = first;
            while candidate <= high {
                let here = terms.eq(offset, context.pointer_constant(candidate as u64));
                if let Some(memory) = memory.clone().restrict(here) {
                    outcomes.extend(operation(memory, At::Exactly(block, candidate as u64)));
                }
                candidate += stride;
            }
            return;
        }
        context.statistics.borrow_mut().weak_accesses += 1;
        outcomes.extend(operation(memory, At::Within(block, offsets)));
    }

    /// Whether all that is known to stand in a region is numbers.
    pub(super) fn holds_numbers(&self, block: BlockId) -> bool {
        let Some(object) = self.object(block).filter(|object| object.is_region()) else { return false };
        let is_number = |edge: &Edge| !matches!(edge.cell, Cell::Value(value) if !self.context.is_number(value));
        object.content.edges().iter().all(is_number)
    }

    /// Those of `candidates` that `offset` may be, if there is room for a number at each and a number there.
    fn places(
        &self,
        block: BlockId,
        offset: Term,
        bytes: u64,
        candidates: impl Iterator<Item = u128>,
    ) -> Option<Rc<[u64]>> {
        let terms = &self.context.terms;
        let content = &self.object(block).filter(|object| object.is_region())?.content;
        let mut places = Vec::new();
        for candidate in candidates {
            let here = terms.eq(offset, self.context.pointer_constant(candidate as u64));
            if self.decide(here) == Some(false) {
                continue;
            }
            match content.read(terms, candidate as u64, bytes) {
                Found::Value(value) if !self.context.is_number(value) => return None,
                _ => places.push(candidate as u64),
            }
        }
        Some(places.into())
    }

    /// The runs on which the rules of `act` hold; the others are faults.
    pub(super) fn allowed<T>(
        self,
        block: BlockId,
        range: &Range<Terms>,
        act: Act,
        outcomes: &mut Outcomes<Smg, T>,
    ) -> Option<Smg> {
        let context = self.context.clone();
        let terms = &context.terms;
        let object = self.object(block).cloned()?;
        let extent = extent(terms, &object);
        let number = |term: Term| terms.as_const(term).and_then(|number| u64::try_from(number).ok());
        let fault = |rule: Rule| {
            let broken = Broken {
                act,
                rule,
                kind: object.kind,
                name: &object.origin.name,
                bytes: number(range.bytes),
                offset: terms.as_signed_const(range.offset).and_then(|offset| i64::try_from(offset).ok()),
                size: number(object.size),
            };
            broken.fault()
        };
        let mut memory = self;
        for &rule in act.rules() {
            let holds = rule.holds(terms, &extent, range);
            match memory.decide(holds) {
                Some(true) => {}
                Some(false) => {
                    outcomes.push(Outcome::Fault(memory, fault(rule)));
                    return None;
                }
                None => {
                    if let Some(bad) = memory.clone().restrict(terms.not(holds)) {
                        outcomes.push(Outcome::Fault(bad, fault(rule)));
                        memory = memory.restrict(holds)?;
                    }
                }
            }
        }
        Some(memory)
    }

    /// Whether the rules of `act` are known to hold, without a query.
    pub(super) fn surely_allows(&self, block: BlockId, range: &Range<Terms>, act: Act) -> bool {
        let terms = &self.context.terms;
        let Some(object) = self.object(block) else { return false };
        terms.is_true(act.is_allowed(terms, &extent(terms, object), range))
    }

    /// Runs `operation` on each object where `length` bytes, a number that is not known, can be at `address`; the highest offset is the
    /// end of the last one. The length is not zero.
    pub(super) fn access_span<T>(
        self,
        address: Term,
        length: Term,
        act: Act,
        mut operation: impl FnMut(Smg, BlockId, Offsets) -> Outcomes<Smg, T>,
    ) -> Outcomes<Smg, T> {
        let context = self.context.clone();
        let mut outcomes = Outcomes::new();
        for (memory, target) in self.resolve(address) {
            let (block, offset) = match target {
                Target::Object { block, offset } => (block, offset),
                other => {
                    outcomes.push(memory.bad_address(&other, act));
                    continue;
                }
            };
            let range = Range { offset, bytes: length };
            let Some(memory) = memory.allowed(block, &range, act, &mut outcomes) else { continue };
            let Some(size) = memory.object(block).map(|object| object.size) else { continue };
            let high = |term: Term| memory.store.range(&context, term).1;
            let end = high(offset).saturating_add(high(length)).min(high(size));
            let low = memory.store.range(&context, offset).0;
            let bytes = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
            outcomes.extend(operation(memory, block, Offsets { low: bytes(low), high: bytes(end), offset }));
        }
        outcomes
    }

    /// The value at an exact place; what was never written becomes a symbol that stays.
    pub fn read_exactly(&mut self, block: BlockId, offset: u64, bytes: u64) -> Term {
        let context = self.context.clone();
        let read = |memory: &Smg| match memory.object(block) {
            Some(object) => object.content.read(&context.terms, offset, bytes),
            None => Found::Forgotten,
        };
        let mut found = read(self);
        if found == Found::Unwritten {
            self.settle(block, offset, bytes);
            found = read(self);
        }
        match found {
            Found::Value(value) => value,
            Found::Unwritten | Found::Forgotten => {
                let value = self.forgotten(8 * bytes as u32);
                let any = context.terms.as_symbol(value);
                let value = self.read_runs(block, context.pointer_constant(offset), (value, value));
                // What runs say need not be said by a cell.
                if !context.terms.symbols_of(value).iter().any(|symbol| Some(*symbol) == any) {
                    return value;
                }
                let runs = self.runs(block).to_vec();
                self.write_cell(block, offset, bytes, Cell::Value(value));
                self.set_runs(block, runs);
                self.history.push_back(Event::Content { block, offset, bytes: bytes as u32, value });
                value
            }
        }
    }

    /// What was never written in `[offset, offset + bytes)` becomes symbols, as wide as they can be.
    pub(super) fn settle(&mut self, block: BlockId, offset: u64, bytes: u64) {
        let context = self.context.clone();
        let Some(object) = self.object(block) else { return };
        if object.content.is_zeroed() || object.content.is_blurred() {
            return;
        }
        let is_static = object.kind == BlockKind::Static;
        for (mut from, to) in object.content.gaps(offset, bytes) {
            while from < to {
                let whole = (from, to) == (offset, offset + bytes) && bytes <= WIDEST_SYMBOL;
                let aligned = |n: &u64| from.is_multiple_of(*n) && from + n <= to;
                let width = if whole { bytes } else { [8, 4, 2, 1].into_iter().find(aligned).unwrap_or(1) };
                // Defined globals are zero at first: only those defined elsewhere have unknown bytes.
                let kind = if is_static {
                    SymbolKind::ExternalContent { block, offset: from }
                } else {
                    SymbolKind::Content { block, offset: from }
                };
                let value = context.symbol(kind, 8 * width as u32, 0);
                self.history.push_back(Event::Content { block, offset: from, bytes: width as u32, value });
                self.write_cell(block, from, width, Cell::Value(value));
                from += width;
            }
        }
    }

    /// Writes a cell; what is known of symbolic offsets is adapted.
    pub fn write_cell(&mut self, block: BlockId, offset: u64, bytes: u64, cell: Cell) {
        let context = self.context.clone();
        let written = if let Cell::Value(value) = cell { Some(value) } else { None };
        let runs = self.runs_left(block, context.pointer_constant(offset), bytes, written);
        if let Some(object) = self.object_mut(block) {
            object.content.write(&context.terms, offset, bytes, cell);
            object.content.set_runs(runs);
        }
    }

    pub(super) fn load_value(self, address: Term, bytes: u32) -> Outcomes<Smg, Term> {
        self.access(address, bytes.into(), (Act::Read, Several::Values), |memory, at| {
            let (block, offset) = match &at {
                At::Exactly(block, offset) => (*block, memory.context.pointer_constant(*offset)),
                At::Among(block, offsets, _) | At::Within(block, offsets) => (*block, offsets.offset),
            };
            let mut memory = memory;
            if bytes == 1 {
                memory.open_text(block, offset);
            }
            let opened = memory.open_cell(block, offset, bytes.into());
            opened.into_iter().flat_map(|memory| memory.load_at(&at, bytes)).collect()
        })
    }

    /// The value at a place that is in no table.
    fn load_at(self, at: &At, bytes: u32) -> Outcomes<Smg, Term> {
        let mut memory = self;
        // Which cell it is may be known by now.
        let place = |offset: Term| u64::try_from(memory.store.constant(&memory.context, offset)?).ok();
        if let At::Among(block, offsets, _) | At::Within(block, offsets) = at
            && let Some(place) = place(offsets.offset)
        {
            let value = memory.read_exactly(*block, place, bytes.into());
            return done(memory, value);
        }
        match *at {
            At::Exactly(block, offset) => {
                let value = memory.read_exactly(block, offset, bytes.into());
                done(memory, value)
            }
            At::Among(block, offsets, ref places) => {
                let context = memory.context.clone();
                let Some((last, rest)) = places.split_last() else { return Outcomes::new() };
                let mut value = memory.read_exactly(block, *last, bytes.into());
                for place in rest.iter().rev() {
                    let here = context.terms.eq(offsets.offset, context.pointer_constant(*place));
                    value = context.terms.ite(here, memory.read_exactly(block, *place, bytes.into()), value);
                }
                done(memory, value)
            }
            At::Within(block, offsets) => {
                let value = memory.read_within(block, offsets, bytes);
                done(memory, value)
            }
        }
    }

    /// The region and the offset in it where `bytes` bytes at `address` certainly are; `None` where that takes more than a look.
    fn plain_place(&self, address: Term, bytes: u64, act: Act) -> Option<(BlockId, u64)> {
        let terms = &self.context.terms;
        let (base, offset) = match terms.node(address) {
            Node::Bin(Op::Add, base, offset) => (base, u64::try_from(terms.as_const(offset)?).ok()?),
            _ => (address, 0),
        };
        let symbol = terms.as_symbol(base)?;
        if !matches!(self.context.kind(symbol), Some(SymbolKind::Address(_))) {
            return None;
        }
        let block = *self.points_to.get(&symbol)?;
        let object = self.object(block)?;
        let size = u64::try_from(terms.as_const(object.size)?).ok()?;
        let extent = Extent { kind: object.kind, live: object.valid, size };
        let is_allowed = act.is_allowed(&Plain, &extent, &Range { offset, bytes });
        (object.is_region() && is_allowed).then_some((block, offset))
    }

    /// [`Self::load_value`] where a number stands at a known place.
    pub(super) fn peek_value(&self, address: Term, bytes: u64) -> Option<Term> {
        let (block, offset) = self.plain_place(address, bytes, Act::Read)?;
        match self.object(block)?.content.read(&self.context.terms, offset, bytes) {
            Found::Value(value) => Some(value),
            Found::Unwritten | Found::Forgotten => None,
        }
    }

    /// What `part` asks of the number in the text at `address`, where all bytes up to one that belongs to no number are known.
    pub(super) fn known_number(&self, address: Term, base: Term, part: NumberPart, bits: u32) -> Option<Bits> {
        let terms = &self.context.terms;
        let base = u32::try_from(terms.as_const(base)?).ok()?;
        let width = terms.width(address);
        let mut text = Vec::new();
        for index in 0..MOST_DIGITS {
            let place = terms.add(address, terms.constant(index, width));
            let byte = terms.as_const(self.peek_value(place, 1)?)? as u8;
            text.push(byte);
            if !belongs_to_number(byte, part) {
                return Some(number_in(&text, base, part, bits));
            }
        }
        None
    }

    /// [`Self::store_value`] at a known place; `false` where it is not known, or must not be written.
    pub(super) fn poke_value(&mut self, address: Term, value: Term) -> bool {
        let bytes = u64::from(self.context.terms.width(value).div_ceil(8));
        let Some((block, offset)) = self.plain_place(address, bytes, Act::Write) else { return false };
        let value = self.context.terms.zext(value, 8 * bytes as u32);
        self.write_cell(block, offset, bytes, Cell::Value(value));
        true
    }

    pub(super) fn store_value(self, address: Term, value: Term, act: Act) -> Outcomes<Smg, ()> {
        let bytes = u64::from(self.context.terms.width(value).div_ceil(8));
        let value = self.context.terms.zext(value, 8 * bytes as u32);
        let several = if self.context.is_number(value) { Several::Values } else { Several::States };
        self.access(address, bytes, (act, several), |mut memory, at| {
            match at {
                At::Exactly(block, offset) => memory.write_cell(block, offset, bytes, Cell::Value(value)),
                At::Among(block, offsets, places) => {
                    let context = memory.context.clone();
                    for &place in places.iter() {
                        let here = context.terms.eq(offsets.offset, context.pointer_constant(place));
                        let before = memory.read_exactly(block, place, bytes);
                        let after = context.terms.ite(here, value, before);
                        memory.write_cell(block, place, bytes, Cell::Value(after));
                    }
                }
                At::Within(block, offsets) => memory.write_within(block, offsets, value),
            }
            done(memory, ())
        })
    }

    /// The value of `bytes` bytes at an offset that is not known.
    pub(super) fn read_within(&mut self, block: BlockId, at: Offsets, bytes: u32) -> Term {
        let any = self.forgotten(8 * bytes);
        let known = self.read_stretches(block, (at.low, at.high), at.offset, any);
        let value = self.read_runs(block, at.offset, (known.unwrap_or(any), any));
        if self.context.terms.as_const(value).is_none() {
            self.add_cell(block, at.offset, value, true);
        }
        value
    }

    /// Writes a value at an offset that is not known.
    pub(super) fn write_within(&mut self, block: BlockId, at: Offsets, value: Term) {
        self.blur(block, at, u64::from(self.context.terms.width(value) / 8), Some(value));
        self.add_cell(block, at.offset, value, false);
    }

    /// A write of `bytes` bytes somewhere, which are `written` where that is known.
    pub(super) fn blur(&mut self, block: BlockId, at: Offsets, bytes: u64, written: Option<Term>) {
        let context = self.context.clone();
        let is_zero = written.is_some_and(|value| context.terms.as_const(value) == Some(0));
        if !is_zero {
            let (layout, _) = self.cell_at(at.offset, bytes);
            self.zeros_as_run(block, (at.low, at.high), layout);
        }
        self.number_owning(block, (at.low, at.high), bytes);
        let runs = self.runs_left(block, at.offset, bytes, written);
        let end = self.end_within(block, at.high.saturating_add(bytes));
        if let Some(object) = self.object_mut(block) {
            if is_zero {
                object.content.zero_somewhere(&context.terms, at.low, end);
            } else {
                object.content.blur(&context.terms, at.low, end);
            }
            object.content.set_runs(runs);
        }
    }

    /// The end of bytes that may have been written: no cell reaches over the least size that the object can have.
    pub(super) fn end_within(&self, block: BlockId, end: u64) -> u64 {
        let least = self.object(block).map_or(0, |object| self.store.range(&self.context, object.size).0);
        if u128::from(end) <= least { end } else { u64::MAX }
    }

    pub(super) fn free_block(self, address: Term) -> Outcomes<Smg, ()> {
        let context = self.context.clone();
        let null = Act::Free.does_nothing(&context.terms, address, context.pointer_constant(0));
        self.unless(null, |memory| {
            memory.heap_block(address, Act::Free, |mut memory, block| {
                memory.kill(block);
                done(memory, ())
            })
        })
    }

    /// The runs on which `nothing` holds go on as they are, the others with `operation`.
    pub(super) fn unless(self, nothing: Term, operation: impl FnOnce(Smg) -> Outcomes<Smg, ()>) -> Outcomes<Smg, ()> {
        let something = self.context.terms.not(nothing);
        let idle = self.clone().restrict(nothing).map(|memory| Outcome::Next(memory, ()));
        idle.into_iter().chain(self.restrict(something).map(operation).into_iter().flatten()).collect()
    }

    /// The live heap block that starts at `address`, for [`Act::Free`] or [`Act::Reallocate`].
    pub(super) fn heap_block<T>(
        self,
        address: Term,
        act: Act,
        mut operation: impl FnMut(Smg, BlockId) -> Outcomes<Smg, T>,
    ) -> Outcomes<Smg, T> {
        let none = self.context.pointer_constant(0);
        let mut outcomes = Outcomes::new();
        for (memory, target) in self.resolve(address) {
            match target {
                Target::Object { block, offset } => {
                    let range = Range { offset, bytes: none };
                    if let Some(memory) = memory.allowed(block, &range, act, &mut outcomes) {
                        outcomes.extend(operation(memory, block));
                    }
                }
                other => outcomes.push(memory.bad_address(&other, act)),
            }
        }
        outcomes
    }

    pub(super) fn function_targets(self, pointer: Term) -> Outcomes<Smg, crate::cfa::FunctionId> {
        let outcome = |(memory, target): (Smg, Target)| match target {
            Target::Function(function) => Outcome::Next(memory, function),
            Target::Unclear(stuck) => Outcome::Stuck(memory, stuck),
            other => Outcome::Fault(memory, other.no_object().fault_of_call()),
        };
        self.resolve(pointer).into_iter().map(outcome).collect()
    }
}

pub(super) fn extent(terms: &Terms, object: &Object) -> Extent<Terms> {
    Extent { kind: object.kind, live: terms.bool_constant(object.valid), size: object.size }
}
