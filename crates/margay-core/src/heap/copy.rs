//! Block operations: copy, fill, havoc.

use rustc_hash::FxHashMap;

use super::access::{At, Several, extent};
use super::content::{Cell, Edge};
use super::find::is_outside;
use super::graph::{Event, Smg};
use super::limits::{MAX_LENGTHS, MAX_NUMBERED, MOST_GAPS, SMALL_COPY};
use super::resolve::Target;
use super::run::{Layout, Run};
use crate::cfa::ByteSet;
use crate::memory::rules::{Act, Range};
use crate::memory::{BlockId, Outcomes, done};
use crate::smt::Term;

/// What runs say of bytes that are written, by their block and place.
type Known<'a> = &'a dyn Fn(&Smg, Term) -> Vec<Run>;

impl Smg {
    /// Runs `operation` for each length `size` can have, `on_any` where there are too many; zero needs no valid address.
    fn for_lengths(
        self,
        (to, size): (Term, Term),
        mut operation: impl FnMut(Smg, u64) -> Outcomes<Smg, ()>,
        on_any: impl FnOnce(Smg) -> Outcomes<Smg, ()>,
    ) -> Outcomes<Smg, ()> {
        let context = self.context.clone();
        let terms = &context.terms;
        let mut on_length = |memory: Smg, length: u128| match u64::try_from(length) {
            Ok(0) => done(memory, ()),
            Ok(length) => operation(memory, length),
            Err(_) => Outcomes::new(),
        };
        if let Some(length) = self.store.constant(&context, size) {
            return on_length(self, length);
        }
        if self.has_many_lengths(to, size) {
            let none = Act::Write.does_nothing(terms, context.pointer_constant(0), size);
            return self.unless(none, on_any);
        }
        let mut outcomes = Outcomes::new();
        let (low, high) = self.store.range(&context, size);
        for length in low..=high {
            let here = terms.eq(size, context.pointer_constant(length as u64));
            if let Some(memory) = self.clone().restrict(here) {
                outcomes.extend(on_length(memory, length));
            }
        }
        outcomes
    }

    /// `size` can be so many numbers that they are no cases of their own.
    fn has_many_lengths(&self, to: Term, size: Term) -> bool {
        let (low, high) = self.store.range(&self.context, size);
        let is_one = self.semantics.finds_at_once
            && matches!(self.target(to), Target::Object { block, .. } if self.holds_numbers(block));
        high - low >= if is_one { MAX_NUMBERED } else { MAX_LENGTHS }
    }

    /// All of `size` bytes at `to` may be written, none included.
    fn surely_spans(&self, to: Term, size: Term) -> bool {
        let Target::Object { block, offset } = self.target(to) else { return false };
        let Some(object) = self.object(block) else { return false };
        let range = Range { offset, bytes: size };
        self.entails(Act::Write.is_allowed(&self.context.terms, &extent(&self.context.terms, object), &range))
    }

    /// Makes what `size` bytes at `to` hold unknown, a number of bytes that is not known, but for what runs say: `copied` of the target's
    /// block and the place in it.
    fn lose_bytes(self, to: Term, size: Term, copied: Known) -> Outcomes<Smg, ()> {
        self.access_span(to, size, Act::Write, |mut memory, block, at| {
            let context = memory.context.clone();
            let mut runs = memory.runs_beside(block, at.offset, size);
            runs.extend(copied(&memory, at.offset));
            let end = memory.end_within(block, at.high);
            if let Some(object) = memory.object_mut(block) {
                object.content.blur(&context.terms, at.low, end);
                object.content.set_runs(runs);
            }
            done(memory, ())
        })
    }

    pub(super) fn copy_bytes(self, to: Term, from: Term, size: Term) -> Outcomes<Smg, ()> {
        let of_length = |memory: Smg, length| {
            memory.access(from, length, (Act::Read, Several::States), |memory, source| {
                memory.access(to, length, (Act::Write, Several::States), |mut memory, target| {
                    memory.copy_between(source.clone(), target, length);
                    done(memory, ())
                })
            })
        };
        self.for_lengths((to, size), of_length, |memory| memory.copy_many(to, from, size))
    }

    /// Copies a number of bytes that is not known, and not zero.
    pub(super) fn copy_many(self, to: Term, from: Term, size: Term) -> Outcomes<Smg, ()> {
        self.access_span(from, size, Act::Read, |memory, source, begin| {
            memory.lose_bytes(to, size, &|memory, at| memory.runs_within(source, (begin.offset, size), at))
        })
    }

    /// The runs that a write of `size` bytes at `offset` leaves, a number of bytes that is not known.
    fn runs_beside(&self, block: BlockId, offset: Term, size: Term) -> Vec<Run> {
        let terms = &self.context.terms;
        let end = terms.add(offset, size);
        let mut left = Vec::new();
        for run in self.runs(block).iter() {
            if run.text {
                self.texts_left(run, (offset, size), None, &mut left);
                continue;
            }
            if run.layout != Layout::BYTES {
                if self.is_beside_cells(run, (offset, size)) {
                    left.push(run.clone());
                }
                continue;
            }
            match self.entails(terms.bool_or(terms.ule(run.last, offset), terms.ule(end, run.first))) {
                true => left.push(run.clone()),
                false => self.cut_run(run, (offset, end), &mut left),
            }
        }
        left
    }

    /// What runs of bytes say of the `size` bytes at `from`, as runs of the same bytes at `to`.
    fn runs_within(&self, block: BlockId, (from, size): (Term, Term), to: Term) -> Vec<Run> {
        let context = &self.context;
        let terms = &context.terms;
        let end = terms.add(from, size);
        let distance = terms.sub(to, from);
        let moved = |place: Term| terms.add(place, distance);
        let Some(index) = terms.as_symbol(context.cell_index()) else { return Vec::new() };
        let before = FxHashMap::from_iter([(index, terms.sub(context.cell_index(), distance))]);
        let within = |run: &Run| {
            let (first, last) = if run.is_single(terms) {
                let is_in = terms.bool_and(terms.ule(from, run.first), terms.ult(run.first, end));
                self.entails(is_in).then_some((run.first, run.last))?
            } else {
                let first = self.ordered(run.first, from).1;
                // An empty part stays empty where it goes.
                (first, self.ordered(first, self.ordered(run.last, end).0).1)
            };
            let facts = run.facts.iter().map(|fact| terms.substitute(*fact, &before)).collect();
            Some(Run {
                layout: Layout::BYTES,
                first: moved(first),
                last: moved(last),
                facts,
                read: false,
                table: None,
                text: false,
            })
        };
        let bytes = |run: &&Run| run.layout == Layout::BYTES && run.has_facts();
        let copied = self.runs(block).iter().filter(bytes).filter_map(within).collect::<Vec<Run>>();
        copied.into_iter().chain(self.tables_within(block, (from, size), to)).collect()
    }

    /// The runs of tables all of whose cells lie in the `size` bytes at `from`, where these are copied to the same place of another
    /// object: so the same cells hold the same there.
    fn tables_within(&self, block: BlockId, (from, size): (Term, Term), to: Term) -> Vec<Run> {
        let terms = &self.context.terms;
        let end = terms.add(from, size);
        let is_copied = |run: &&Run| {
            let is_behind = terms.ule(from, run.layout.place(terms, run.first));
            let is_before = run.layout.is_inside(terms, terms.add_constant(run.last, -1), end);
            let is_within = terms.bool_and(is_behind, is_before);
            self.entails(terms.bool_or(terms.ule(run.last, run.first), is_within))
        };
        match self.are_equal(from, to) {
            true => self.runs(block).iter().filter(|run| run.table.is_some()).filter(is_copied).cloned().collect(),
            false => Vec::new(),
        }
    }

    /// The least and the greatest of two numbers.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        let terms = &self.context.terms;
        let is_ordered = terms.ule(a, b);
        if self.entails(is_ordered) {
            (a, b)
        } else if self.entails(terms.not(is_ordered)) {
            (b, a)
        } else {
            (terms.ite(is_ordered, a, b), terms.ite(is_ordered, b, a))
        }
    }

    fn copy_between(&mut self, source: At, target: At, length: u64) {
        if let At::Exactly(from, offset) = source
            && length <= SMALL_COPY
        {
            self.settle(from, offset, length);
        }
        let context = self.context.clone();
        let ((from, begin), (to, at)) = (self.place_of(&source), self.place_of(&target));
        let moved = self.runs_moved((from, begin), (to, at), length);
        let size = context.pointer_constant(length);
        // A text that takes the place of a text leaves all cells as they are in which texts end, if nothing else is written.
        let is_replaced = |run: &Run| {
            let mut same = moved.iter().filter(|text| text.text && run.text && text.layout == run.layout);
            same.any(|text| self.in_one_element(run, at, size).is_some_and(|(index, _)| index == text.first))
        };
        let (kept, others): (Vec<Run>, Vec<Run>) = self.runs(to).iter().cloned().partition(is_replaced);
        if !kept.is_empty() {
            self.set_runs(to, others);
        }
        match (source, target) {
            (At::Exactly(from, offset), At::Exactly(to, at)) => {
                let Some(object) = self.object(from) else { return };
                let slice = object.content.slice(&context.terms, offset, length);
                self.paste(to, at, offset, slice);
            }
            (At::Within(..) | At::Among(..), At::Exactly(to, at)) => self.write_cell(to, at, length, Cell::Forgotten),
            (_, At::Within(to, offsets) | At::Among(to, offsets, _)) => self.blur(to, offsets, length, None),
        }
        if !moved.is_empty() {
            let terms = &context.terms;
            let is_known = |text: &Run| {
                let mut same = kept.iter().filter(|run| text.text && run.layout == text.layout);
                same.any(|run| self.entails(run.contains(terms, text.first)))
            };
            let moved = moved.into_iter().filter(|run| !is_known(run)).collect::<Vec<Run>>();
            let runs = self.runs(to).iter().cloned().chain(kept.iter().cloned()).chain(moved).collect();
            self.set_runs(to, runs);
        }
    }

    /// The block and the place in it.
    fn place_of(&self, at: &At) -> (BlockId, Term) {
        match at {
            At::Exactly(block, offset) => (*block, self.context.pointer_constant(*offset)),
            At::Within(block, offsets) | At::Among(block, offsets, _) => (*block, offsets.offset),
        }
    }

    /// What runs say of `length` bytes, as runs of the same bytes where they are copied to.
    fn runs_moved(&self, (from, begin): (BlockId, Term), (to, at): (BlockId, Term), length: u64) -> Vec<Run> {
        if self.runs(from).is_empty() {
            return Vec::new();
        }
        let size = self.context.pointer_constant(length);
        let bytes =
            self.runs_within(from, (begin, size), at).into_iter().filter(|run| run.table.is_none() || from != to);
        bytes.chain(self.cells_within(from, (begin, length), at)).collect()
    }

    fn paste(&mut self, to: BlockId, at: u64, from_offset: u64, slice: Vec<Edge>) {
        for edge in slice {
            self.write_cell(to, edge.offset - from_offset + at, edge.bytes, edge.cell);
        }
    }

    pub(super) fn fill_bytes(self, to: Term, byte: Term, size: Term) -> Outcomes<Smg, ()> {
        let context = self.context.clone();
        // The whole of an object of any size, as `calloc` and `memset(p, 0, n)` do.
        if let Target::Object { block, offset } = self.target(to)
            && context.terms.as_const(offset) == Some(0)
            && context.terms.as_const(size).is_none()
            && context.terms.as_const(byte) == Some(0)
            && self.object(block).is_some_and(|object| object.size == size && object.is_region())
            && self.surely_allows(block, &Range { offset, bytes: size }, Act::Write)
        {
            let mut memory = self;
            if let Some(object) = memory.object_mut(block) {
                object.content.fill_all(&context.terms, byte, 0);
            }
            return done(memory, ());
        }
        self.write_one(to, size, Cell::Uniform(byte), None)
    }

    /// Arbitrary bytes, of which the first `known.0` are members of a set.
    pub(super) fn havoc_bytes(mut self, to: Term, size: Term, known: Option<(Term, ByteSet)>) -> Outcomes<Smg, ()> {
        self.history.push_back(Event::Received { to, size });
        let Some((count, set)) = known else { return self.write_one(to, size, Cell::Forgotten, None) };
        let members = |memory: &Smg, at: Term| {
            let terms = &memory.context.terms;
            let byte = memory.context.cell_value(8);
            let facts: Vec<Term> = set.gaps().iter().take(MOST_GAPS).map(|gap| is_outside(terms, gap, byte)).collect();
            let last = terms.add(at, count);
            vec![Run {
                layout: Layout::BYTES,
                first: at,
                last,
                facts: facts.into(),
                read: false,
                table: None,
                text: false,
            }]
        };
        self.write_one(to, size, Cell::Forgotten, Some(&members))
    }

    /// One cell of `size` bytes at `to`, of which runs say `known`, by its block and place.
    fn write_one(self, to: Term, size: Term, cell: Cell, known: Option<Known>) -> Outcomes<Smg, ()> {
        let nothing: Known = &|_, _| Vec::new();
        let known = known.unwrap_or(nothing);
        // No byte is no case of its own: what is said is said of none then.
        if self.has_many_lengths(to, size) && self.surely_spans(to, size) {
            return self.lose_bytes(to, size, known);
        }
        let of_length = |memory: Smg, length| {
            memory.access(to, length, (Act::Write, Several::States), |mut memory, at| {
                match at {
                    At::Exactly(block, offset) => {
                        memory.write_cell(block, offset, length, cell);
                        let more = known(&memory, memory.context.pointer_constant(offset));
                        if !more.is_empty() {
                            let runs = memory.runs(block).iter().cloned().chain(more).collect();
                            memory.set_runs(block, runs);
                        }
                    }
                    At::Within(block, offsets) | At::Among(block, offsets, _) => {
                        memory.blur(block, offsets, length, None)
                    }
                }
                done(memory, ())
            })
        };
        self.for_lengths((to, size), of_length, |memory| memory.lose_bytes(to, size, known))
    }
}
