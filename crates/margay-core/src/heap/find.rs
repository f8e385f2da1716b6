//! The search for a byte in an array of any length: one state, in which the result is a number that what is known of the bytes bounds.
//! A search for a difference goes through two arrays, and ends with one state where they differ and one where both end.
//!
//! ```text
//!           offset            offset + found       zero
//!   ──────────┼────────────────────┼────────────────┼──────       found ≤ zero - offset
//!             │ none of the stops  │ one of the stops              as a run, and a run of one cell
//! ```
//!
//! String lengths: Journault, Miné, Ouadjaout, SAS'18.

use std::ops::RangeInclusive;

use super::access::Offsets;
use super::content::{Cell, Content, Edge, Found};
use super::graph::{Object, Smg};
use super::limits::{MOST_AGREED, MOST_FOUND_RUNS, MOST_STRETCHES};
use super::resolve::Target;
use super::run::{Layout, Run};
use crate::cfa::{ByteSet, Stops};
use crate::memory::rules::{Act, Range};
use crate::memory::{BlockId, MOST_READ, Outcome, Outcomes, Search, Stuck};
use crate::smt::{Term, Terms};

/// A sequence of bytes in an object.
#[derive(Clone, Copy)]
struct Sequence {
    block: BlockId,
    /// Where it begins.
    offset: Term,
}

impl Sequence {
    /// Where the byte with this number stands in the object, if that is known.
    fn place(&self, terms: &Terms, number: u64) -> Option<u64> {
        u64::try_from(terms.as_const(terms.add_constant(self.offset, number.into()))?).ok()
    }
}

/// A search from a place in an object.
struct Searched<'a> {
    sequence: Sequence,
    /// What is compared with it.
    beside: Option<Sequence>,
    /// So many bytes at most.
    limit: Term,
    search: &'a Search<Term>,
    /// What all bytes are that are passed, where a set says it.
    members: &'a ByteSet,
}

impl Searched<'_> {
    /// The sequences that are read.
    fn sequences(&self) -> impl Iterator<Item = Sequence> {
        std::iter::once(self.sequence).chain(self.beside)
    }

    /// That `byte` is one of those that end the search.
    fn is_stop(&self, terms: &Terms, byte: Term) -> Term {
        let among =
            |bytes: &[Term]| bytes.iter().fold(terms.false_(), |any, stop| terms.bool_or(any, terms.eq(byte, *stop)));
        match &self.search.stops {
            Stops::Bytes(bytes) => among(bytes),
            Stops::Others(bytes) => terms.not(among(bytes)),
            Stops::NoMembers(_) => {
                let is_member = |all, gap| terms.bool_and(all, is_outside(terms, &gap, byte));
                terms.not(self.members.gaps().into_iter().fold(terms.true_(), is_member))
            }
        }
    }
}

/// The set whose members are passed; `None` where it is not known.
fn members(terms: &Terms, stops: &Stops<Term>) -> Option<ByteSet> {
    match stops {
        Stops::NoMembers(parts) => known_set(terms, &**parts),
        Stops::Bytes(_) | Stops::Others(_) => Some(ByteSet([0; 4])),
    }
}

/// The set with these four parts, where all are known.
pub(super) fn known_set(terms: &Terms, parts: &[Term]) -> Option<ByteSet> {
    let parts: Option<Vec<u64>> = parts.iter().map(|part| terms.as_const(*part).map(|part| part as u64)).collect();
    parts?.try_into().ok().map(ByteSet)
}

/// That `byte` lies outside of the range.
pub(super) fn is_outside(terms: &Terms, range: &RangeInclusive<u8>, byte: Term) -> Term {
    let [low, high] = [*range.start(), *range.end()].map(|end| terms.constant(end.into(), 8));
    match (*range.start(), *range.end()) {
        (start, end) if start == end => terms.not(terms.eq(byte, low)),
        (0, _) => terms.ult(high, byte),
        (_, u8::MAX) => terms.ult(byte, low),
        _ => terms.not(terms.bool_and(terms.ule(low, byte), terms.ule(byte, high))),
    }
}

impl Smg {
    /// See [`Memory::find`](crate::memory::Memory::find).
    pub(super) fn find_byte(self, search: &Search<Term>) -> Outcomes<Smg, Term> {
        let Some(members) = members(&self.context.terms, &search.stops) else { return search.short(self) };
        // Where bytes are known, how many come before one that ends the search is a number.
        let most = if self.semantics.finds_at_once { 0 } else { MOST_READ };
        search.by_bytes(self, (0, most), &mut |memory, index| memory.find_from(search, &members, index))
    }

    /// Bytes before the one with number `index` do not end the search; it is one of those that are searched.
    fn find_from(self, search: &Search<Term>, members: &ByteSet, index: u64) -> Outcomes<Smg, Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        let before = context.pointer_constant(index);
        let limit = terms.sub(search.limit, before);
        let mut outcomes = Outcomes::new();
        for (memory, sequence) in self.sequences(terms.add(search.address, before), &mut outcomes) {
            let searched = match search.beside {
                Some(beside) => memory.sequences(terms.add(beside, before), &mut outcomes),
                None => vec![(memory, sequence)],
            };
            for (memory, other) in searched {
                let beside = search.beside.map(|_| other);
                let found = memory.find_in(&Searched { sequence, beside, limit, search, members });
                outcomes.extend(found.into_iter().map(|outcome| outcome.map(|found| terms.add(found, before))));
            }
        }
        outcomes
    }

    /// The objects that the address leads to; what is wrong with it otherwise is among `outcomes`.
    fn sequences(self, address: Term, outcomes: &mut Outcomes<Smg, Term>) -> Vec<(Smg, Sequence)> {
        let mut sequences = Vec::new();
        for (memory, target) in self.resolve(address) {
            match target {
                Target::Object { block, offset } => sequences.push((memory, Sequence { block, offset })),
                other => outcomes.push(memory.bad_address(&other, Act::Read)),
            }
        }
        sequences
    }

    /// That reading the byte at `place` of the sequence is allowed; what is not is among `outcomes`.
    fn may_read(self, sequence: Sequence, place: Term, outcomes: &mut Outcomes<Smg, Term>) -> Option<Smg> {
        let offset = self.context.terms.add(sequence.offset, place);
        let range = Range { offset, bytes: self.context.pointer_constant(1) };
        self.allowed(sequence.block, &range, Act::Read, outcomes)
    }

    fn find_in(self, searched: &Searched) -> Outcomes<Smg, Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        let limit = searched.limit;
        let mut outcomes = Outcomes::new();
        let mut memory = self;
        for sequence in searched.sequences() {
            match memory.may_read(sequence, context.pointer_constant(0), &mut outcomes) {
                Some(next) => memory = next,
                None => return outcomes,
            }
        }
        if let Some(found) = memory.known_end(searched) {
            let outcome = memory.may_read(searched.sequence, found, &mut outcomes);
            outcomes.extend(outcome.map(|memory| Outcome::Next(memory, found)));
            return outcomes;
        }
        searched.sequences().for_each(|sequence| memory.open_text(sequence.block, sequence.offset));
        let found = memory.forgotten(context.model.pointer_bits());
        let mut facts = vec![terms.ule(found, limit)];
        for sequence in searched.sequences() {
            let Some(object) = memory.object(sequence.block).filter(|object| object.is_region()).cloned() else {
                outcomes.push(Outcome::Stuck(memory, Stuck::tool("a search in a node of a list")));
                return outcomes;
            };
            if terms.as_const(sequence.offset).is_none() {
                // The beginning lies in the object, so no sum wraps around.
                facts.push(terms.ule(found, object.size));
                facts.push(terms.ule(terms.add(sequence.offset, found), object.size));
            } else {
                facts.push(terms.ule(found, terms.sub(object.size, sequence.offset)));
            }
            memory.bounds_of(searched, sequence, &object, found, &mut facts);
        }
        memory.differences_of(searched, found, &mut facts);
        for fact in facts {
            let Some(next) = memory.restrict_unasked(fact) else { return outcomes };
            memory = next;
        }
        // All bytes were searched.
        let is_whole = terms.eq(found, limit);
        if let Some(mut whole) = memory.clone().restrict(is_whole) {
            whole.add_found(searched, found, false);
            whole.add_agreed(searched, limit);
            outcomes.push(Outcome::Next(whole, found));
        }
        let Some(mut memory) = memory.restrict(terms.not(is_whole)) else { return outcomes };
        for sequence in searched.sequences() {
            match memory.may_read(sequence, found, &mut outcomes) {
                Some(next) => memory = next,
                None => return outcomes,
            }
        }
        match searched.beside {
            Some(beside) => {
                let bytes = (memory.byte_within(searched.sequence, found), memory.byte_within(beside, found));
                memory.ended(searched, found, bytes, &mut outcomes);
            }
            None => {
                memory.add_found(searched, found, true);
                outcomes.push(Outcome::Next(memory, found));
            }
        }
        outcomes
    }

    /// The byte of the sequence at `place`, which may be read.
    fn byte_within(&mut self, sequence: Sequence, place: Term) -> Term {
        let offset = self.context.terms.add(sequence.offset, place);
        let (low, high) = self.store.range(&self.context, offset);
        let [low, high] = [low, high].map(|end| u64::try_from(end).unwrap_or(u64::MAX));
        self.read_within(sequence.block, Offsets { low, high, offset }, 1)
    }

    /// The search ended at two bytes: they differ, or both end it.
    fn ended(self, searched: &Searched, found: Term, bytes: (Term, Term), outcomes: &mut Outcomes<Smg, Term>) {
        let context = self.context.clone();
        let terms = &context.terms;
        let are_same = terms.eq(bytes.0, bytes.1);
        if let Some(mut memory) = self.clone().restrict(terms.not(are_same)) {
            memory.add_found(searched, found, false);
            outcomes.push(Outcome::Next(memory, found));
        }
        let is_stop = searched.is_stop(terms, bytes.0);
        let Some(mut memory) = self.restrict(are_same).and_then(|memory| memory.restrict(is_stop)) else { return };
        memory.add_found(searched, found, true);
        // Where one of them is known, so is where it ended.
        let lengths: Vec<u64> =
            searched.sequences().filter_map(|sequence| memory.known_length(searched, sequence)).collect();
        for length in lengths {
            let length = context.pointer_constant(length);
            let is_it = terms.eq(found, length);
            if memory.supports(is_it)
                && let Some(mut memory) = memory.clone().restrict(is_it)
            {
                memory.add_agreed(searched, terms.add_constant(length, 1));
                outcomes.push(Outcome::Next(memory, length));
                return;
            }
        }
        outcomes.push(Outcome::Next(memory, found));
    }

    /// Where a search that was made before ended, if it began at the same place and stopped for the same.
    fn known_end(&self, searched: &Searched) -> Option<Term> {
        let context = &self.context;
        let terms = &context.terms;
        let Sequence { block, offset } = searched.sequence;
        let object = self.object(block).filter(|object| searched.beside.is_none() && object.is_region())?;
        let is_stop = searched.is_stop(terms, context.cell_value(8));
        let runs = || object.content.runs().iter().filter(|run| run.layout == Layout::BYTES);
        let is_passed = |run: &&Run| run.first == offset && run.facts.contains(&terms.not(is_stop));
        let stops = |place: Term| {
            runs().filter(|run| run.first == place && run.is_single(terms)).any(|run| {
                let known = run.single(context).map(|(_, byte)| searched.is_stop(terms, byte));
                run.facts.contains(&is_stop) || known.is_some_and(|stop| terms.is_true(stop))
            })
        };
        let mut ends = runs().filter(is_passed).map(|run| run.last);
        let end = ends.find(|end| stops(*end) && self.entails(terms.ule(offset, *end)))?;
        let found = terms.sub(end, offset);
        self.entails(terms.ult(found, searched.limit)).then_some(found)
    }

    /// The value of the byte with this number, where both are known.
    fn known_byte(&self, sequence: Sequence, number: u64) -> Option<Term> {
        let terms = &self.context.terms;
        match self.object(sequence.block)?.content.read(terms, sequence.place(terms, number)?, 1) {
            Found::Value(value) => Some(value),
            Found::Unwritten | Found::Forgotten => None,
        }
    }

    /// How many known bytes stand before a known one that ends the search.
    fn known_length(&self, searched: &Searched, sequence: Sequence) -> Option<u64> {
        let terms = &self.context.terms;
        for number in 0..MOST_AGREED {
            let byte = self.known_byte(sequence, number).filter(|byte| terms.as_const(*byte).is_some())?;
            if terms.is_true(searched.is_stop(terms, byte)) {
                return Some(number);
            }
        }
        None
    }

    /// The first `count` bytes of both sequences are the same: what is known of one is known of the other.
    fn add_agreed(&mut self, searched: &Searched, count: Term) {
        let count = self.context.terms.as_const(count).and_then(|count| u64::try_from(count).ok());
        let (Some(beside), Some(count)) = (searched.beside, count.filter(|count| *count <= MOST_AGREED)) else {
            return;
        };
        for number in 0..count {
            match (self.known_byte(searched.sequence, number), self.known_byte(beside, number)) {
                (Some(byte), None) => self.add_byte(beside, number, byte),
                (None, Some(byte)) => self.add_byte(searched.sequence, number, byte),
                _ => {}
            }
        }
    }

    /// The byte with this number is known from now on, if its place is.
    fn add_byte(&mut self, sequence: Sequence, number: u64, byte: Term) {
        if let Some(offset) = sequence.place(&self.context.terms, number) {
            let runs = self.runs(sequence.block).to_vec();
            self.write_cell(sequence.block, offset, 1, Cell::Value(byte));
            self.set_runs(sequence.block, runs);
        }
    }

    /// What known bytes of one sequence say of the result.
    fn bounds_of(&self, searched: &Searched, sequence: Sequence, object: &Object, found: Term, facts: &mut Vec<Term>) {
        let context = &self.context;
        let terms = &context.terms;
        let content = &object.content;
        let Sequence { offset, .. } = sequence;
        let limit = searched.limit;
        let is_compared = searched.beside.is_some();
        let is_stop = |byte: Term| searched.is_stop(terms, byte);
        // The byte at `place` holds `byte`.
        let mut known = |place: Term, byte: Term| {
            let stops_here = is_stop(byte);
            let distance = terms.sub(place, offset);
            // Only bytes of the object are spoken of. What is known already need not be said with each fact: queries are simpler then.
            let is_ahead = terms.bool_and(terms.ule(offset, place), terms.ult(place, object.size));
            let is_ahead = if self.entails(is_ahead) { terms.true_() } else { is_ahead };
            if terms.is_true(stops_here) {
                // Where the search ends is a place in the object, too: as a sum, it is compared with other places by itself.
                let is_before = match terms.as_const(offset) {
                    Some(_) => terms.ule(found, distance),
                    None => terms.ule(terms.add(offset, found), place),
                };
                return facts.push(terms.implies(is_ahead, is_before));
            }
            let is_passed = terms.bool_and(is_ahead, terms.ult(distance, found));
            facts.push(terms.implies(is_passed, terms.not(stops_here)));
            if is_compared {
                return;
            }
            let is_end = terms.bool_and(terms.eq(found, distance), terms.ult(found, limit));
            facts.push(terms.implies(terms.bool_and(is_ahead, is_end), stops_here));
        };
        let low = self.store.range(context, offset).0;
        let is_near = |edge: &&Edge| u128::from(edge.offset) >= low && edge.bytes == 1;
        for edge in content.edges().iter().filter(is_near).take(MOST_STRETCHES) {
            if let Cell::Value(byte) = edge.cell {
                known(context.pointer_constant(edge.offset), byte);
            }
        }
        for run in content.runs().iter().filter(|run| run.layout == Layout::BYTES) {
            if let Some((place, byte)) = run.single(context) {
                known(place, byte);
            }
        }
        // The first zeros that are known behind the beginning, as stretches.
        let zero = terms.constant(0, 8);
        if terms.is_true(is_stop(zero)) {
            for (from, to) in zeros(terms, content, low) {
                let (from, to) = (context.pointer_constant(from), context.pointer_constant(to));
                let distance = terms.ite(terms.ule(from, offset), context.pointer_constant(0), terms.sub(from, offset));
                facts.push(terms.implies(terms.ult(offset, to), terms.ule(found, distance)));
            }
        }
        if is_compared {
            return;
        }
        let cell = context.cell_value(8);
        for run in content.runs().iter().filter(|run| run.layout == Layout::BYTES && !run.is_single(terms)) {
            let all = terms.conjunction(&run.facts);
            if self.entails(terms.implies(all, terms.not(is_stop(cell)))) {
                let begins_in = terms.bool_and(terms.ule(run.first, offset), terms.ule(offset, run.last));
                let end = terms.ite(terms.ule(run.last, object.size), run.last, object.size);
                let passes = terms.ule(terms.sub(end, offset), found);
                facts.push(terms.implies(begins_in, terms.bool_or(passes, terms.eq(found, limit))));
            }
        }
    }

    /// Bytes that are known of both sequences: before the end they are the same.
    fn differences_of(&self, searched: &Searched, found: Term, facts: &mut Vec<Term>) {
        let terms = &self.context.terms;
        let Some(beside) = searched.beside else { return };
        for number in 0..MOST_AGREED {
            if let Some(byte) = self.known_byte(searched.sequence, number)
                && let Some(other) = self.known_byte(beside, number)
            {
                let is_before = terms.ult(self.context.pointer_constant(number), found);
                facts.push(terms.implies(is_before, terms.eq(byte, other)));
            }
        }
    }

    /// What a search has found of the bytes: those before the one with number `found` do not end it, and that one does, if `ends`.
    fn add_found(&mut self, searched: &Searched, found: Term, ends: bool) {
        searched.sequences().for_each(|sequence| self.add_found_in(searched, sequence, found, ends));
    }

    fn add_found_in(&mut self, searched: &Searched, sequence: Sequence, found: Term, ends: bool) {
        let context = self.context.clone();
        let terms = &context.terms;
        let cell = context.cell_value(8);
        let is_last = searched.is_stop(terms, cell);
        let end = terms.add(sequence.offset, found);
        let mut runs = self.runs(sequence.block).to_vec();
        // Of a search without stops nothing is known but that bytes are the same.
        if sequence.offset != end && !terms.is_false(is_last) {
            let facts = [terms.not(is_last)].into();
            runs.push(Run {
                layout: Layout::BYTES,
                first: sequence.offset,
                last: end,
                facts,
                read: true,
                table: None,
                text: false,
            });
        }
        if ends {
            let last = terms.add_constant(end, 1);
            runs.push(Run {
                layout: Layout::BYTES,
                first: end,
                last,
                facts: [is_last].into(),
                read: true,
                table: None,
                text: false,
            });
        }
        let is_old = |run: &Run| run.read && run.layout == Layout::BYTES;
        while runs.iter().filter(|run| is_old(run)).count() > MOST_FOUND_RUNS {
            // The zeros where texts end go last: every later search needs one.
            let other = runs.iter().position(|run| is_old(run) && !run.is_end_of_text(&context));
            let Some(oldest) = other.or_else(|| runs.iter().position(is_old)) else { break };
            runs.remove(oldest);
        }
        self.set_runs(sequence.block, runs);
    }
}

/// The bytes from `low` on that are known to be zero, the first stretches of them.
fn zeros(terms: &Terms, content: &Content, low: u128) -> Vec<(u64, u64)> {
    let Ok(low) = u64::try_from(low) else { return Vec::new() };
    let is_zero = |byte: Term| terms.as_const(byte) == Some(0);
    let filled = content.edges().iter().filter(|edge| matches!(edge.cell, Cell::Uniform(byte) if is_zero(byte)));
    let mut zeros: Vec<(u64, u64)> = filled.map(|edge| (edge.offset, edge.offset + edge.bytes)).collect();
    if content.is_zeroed() {
        zeros.extend(content.gaps(low, (u64::MAX / 4).saturating_sub(low)));
    }
    zeros.retain(|(_, to)| *to > low);
    zeros.sort_unstable();
    zeros.truncate(2);
    zeros
}
