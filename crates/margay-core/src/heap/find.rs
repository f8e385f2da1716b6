//! The search for a byte in an array of any length: one state, in which the result is a number that what is known of the bytes bounds.
//!
//! ```text
//!           offset            offset + found       zero
//!   ──────────┼────────────────────┼────────────────┼──────       found ≤ zero - offset
//!             │ none of the stops  │ one of the stops              as a run, and a run of one cell
//! ```
//!
//! String lengths: Journault, Miné, Ouadjaout, SAS'18.

use super::content::{Cell, Content, Edge};
use super::graph::{Object, Smg};
use super::limits::{MOST_FOUND_RUNS, MOST_STRETCHES};
use super::resolve::Target;
use super::run::{Layout, Run};
use crate::memory::rules::{Act, Range};
use crate::memory::{BlockId, MOST_READ, Outcome, Outcomes, Search, Stuck, done};
use crate::smt::{Term, Terms};

/// A search from a place in an object.
struct Searched<'a> {
    block: BlockId,
    offset: Term,
    /// So many bytes at most.
    limit: Term,
    search: &'a Search<Term>,
}

impl Searched<'_> {
    /// That `byte` ends the search.
    fn ends(&self, terms: &Terms, byte: Term) -> Term {
        let any = self.search.stops.iter().fold(terms.false_(), |any, stop| terms.bool_or(any, terms.eq(byte, *stop)));
        if self.search.others { terms.not(any) } else { any }
    }
}

impl Smg {
    /// See [`Memory::find`](crate::memory::Memory::find).
    pub(super) fn find_byte(self, search: &Search<Term>) -> Outcomes<Smg, Term> {
        // Where bytes are known, how many come before one that ends the search is a number.
        let most = if self.semantics.finds_at_once { 0 } else { MOST_READ };
        search.by_bytes(self, (0, most), &mut |memory, index| memory.find_from(search, index))
    }

    /// Bytes before the one with number `index` do not end the search; it is one of those that are searched.
    fn find_from(self, search: &Search<Term>, index: u64) -> Outcomes<Smg, Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        let before = context.pointer_constant(index);
        let address = terms.add(search.address, before);
        let limit = terms.sub(search.limit, before);
        let mut outcomes = Outcomes::new();
        for (memory, target) in self.resolve(address) {
            match target {
                Target::Object { block, offset } => {
                    let searched = Searched { block, offset, limit, search };
                    let found = memory.find_in(&searched);
                    outcomes.extend(found.into_iter().map(|outcome| outcome.map(|found| terms.add(found, before))));
                }
                other => outcomes.push(memory.bad_address(&other, Act::Read)),
            }
        }
        outcomes
    }

    fn find_in(self, searched: &Searched) -> Outcomes<Smg, Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        let &Searched { block, offset, limit, .. } = searched;
        let mut outcomes = Outcomes::new();
        let first = Range { offset, bytes: context.pointer_constant(1) };
        let Some(mut memory) = self.allowed(block, &first, Act::Read, &mut outcomes) else { return outcomes };
        let Some(object) = memory.object(block).cloned() else { return outcomes };
        if !object.is_region() {
            outcomes.push(Outcome::Stuck(memory, Stuck::tool("a search in a node of a list")));
            return outcomes;
        }
        let found = memory.forgotten(context.model.pointer_bits());
        let mut facts = vec![terms.ule(found, terms.sub(object.size, offset)), terms.ule(found, limit)];
        if terms.as_const(offset).is_none() {
            // The beginning lies in the object. It follows, but from several conditions: solvers go by bounds.
            facts.push(terms.ule(found, object.size));
        }
        memory.bounds_of(searched, &object, found, &mut facts);
        for fact in facts {
            let Some(next) = memory.restrict_unasked(fact) else { return outcomes };
            memory = next;
        }
        // All bytes were searched.
        let end = terms.add(offset, found);
        let is_whole = terms.eq(found, limit);
        if let Some(mut whole) = memory.clone().restrict(is_whole) {
            whole.add_found(searched, end, false);
            outcomes.push(Outcome::Next(whole, found));
        }
        let Some(memory) = memory.restrict(terms.not(is_whole)) else { return outcomes };
        let last = Range { offset: end, bytes: context.pointer_constant(1) };
        if let Some(mut memory) = memory.allowed(block, &last, Act::Read, &mut outcomes) {
            memory.add_found(searched, end, true);
            outcomes.extend(done(memory, found));
        }
        outcomes
    }

    /// What known bytes say of the result.
    fn bounds_of(&self, searched: &Searched, object: &Object, found: Term, facts: &mut Vec<Term>) {
        let context = &self.context;
        let terms = &context.terms;
        let content = &object.content;
        let &Searched { offset, limit, .. } = searched;
        let is_stop = |byte: Term| searched.ends(terms, byte);
        // The byte at `place` holds `byte`.
        let mut known = |place: Term, byte: Term| {
            let stops_here = is_stop(byte);
            let distance = terms.sub(place, offset);
            // Only bytes of the object are spoken of. What is known already need not be said with each fact: queries are simpler then.
            let is_ahead = terms.bool_and(terms.ule(offset, place), terms.ult(place, object.size));
            let is_ahead = if self.entails(is_ahead) { terms.true_() } else { is_ahead };
            if terms.is_true(stops_here) {
                return facts.push(terms.implies(is_ahead, terms.ule(found, distance)));
            }
            let is_passed = terms.bool_and(is_ahead, terms.ult(distance, found));
            facts.push(terms.implies(is_passed, terms.not(stops_here)));
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

    /// What a search has found of the bytes: those before `end`, and the one there.
    fn add_found(&mut self, searched: &Searched, end: Term, ends: bool) {
        let context = self.context.clone();
        let terms = &context.terms;
        let cell = context.cell_value(8);
        let is_last = searched.ends(terms, cell);
        let mut runs = self.runs(searched.block).to_vec();
        if searched.offset != end {
            let facts = [terms.not(is_last)].into();
            runs.push(Run { layout: Layout::BYTES, first: searched.offset, last: end, facts, read: true, table: None });
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
            });
        }
        let is_old = |run: &Run| run.read && run.layout == Layout::BYTES;
        while runs.iter().filter(|run| is_old(run)).count() > MOST_FOUND_RUNS {
            let Some(oldest) = runs.iter().position(is_old) else { break };
            runs.remove(oldest);
        }
        self.set_runs(searched.block, runs);
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
