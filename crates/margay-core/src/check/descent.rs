//! Whether a program ends: each state of a proof has a measure, a tuple of terms over its symbols, that decreases along every edge.
//!
//! Tuples are compared lexicographically, entry by entry as unsigned numbers of one width, as far as both go. Machine numbers are
//! finite and a proof has finitely many tuples, so that no chain of them decreases for ever. Edges are those that the check follows: to the next cut points, into the contexts of functions that are
//! followed apart from their callers, and from a call over an exit of the callee to what comes next. A run that never ends would
//! take infinitely many of them one after the other: from a call that never returns it goes on within the callee. How a measure
//! was found does not matter. Source: Podelski, Rybalchenko, VMCAI'04; Cook, Podelski, Rybalchenko, PLDI'06.

use rustc_hash::FxHashMap;

use crate::certificate::Embedding;
use crate::heap::{Smg, State, SymbolKind};
use crate::smt::{SymId, Term};

/// An edge of a proof: from a state to an arrival that lies within another state.
pub(super) struct Descent<'a> {
    /// The state that the edge begins in, and its measure.
    pub from: &'a State,
    pub measure: &'a [Term],
    /// What arrives, in symbols of the state that the edge begins in.
    pub arrival: &'a State,
    /// How it lies within the other state, and the measure of that one.
    pub embedding: &'a Embedding,
    pub next: &'a [Term],
}

impl Descent<'_> {
    /// Whether the measure of the state that is reached is less than that of the state the edge begins in.
    pub fn holds(&self) -> bool {
        let terms = &self.arrival.memory.context().terms;
        let by: FxHashMap<SymId, Term> = self.embedding.symbols.iter().map(|(symbol, term)| (*symbol, *term)).collect();
        let compare = |next: Term, own: Term| {
            let is_settled = terms.symbols_of(next).iter().all(|symbol| by.contains_key(symbol));
            let fits = is_settled && is_of(&self.from.memory, own) && terms.width(next) == terms.width(own);
            fits.then(|| (terms.substitute(next, &by), own))
        };
        let pairs: Vec<(Term, Term)> = self.next.iter().zip(self.measure).map_while(|(a, b)| compare(*a, *b)).collect();
        let less = pairs.into_iter().rev().fold(terms.false_(), |rest, (next, own)| {
            terms.bool_or(terms.ult(next, own), terms.bool_and(terms.eq(next, own), rest))
        });
        self.arrival.memory.entails(less)
    }
}

/// Whether all symbols of `term` have their values in every memory of this state: none is made by a later step.
fn is_of(memory: &Smg, term: Term) -> bool {
    let context = memory.context();
    context.terms.symbols_of(term).iter().all(|symbol| match context.kind(*symbol) {
        Some(SymbolKind::Function(_)) => true,
        Some(
            SymbolKind::Address(block) | SymbolKind::Content { block, .. } | SymbolKind::ExternalContent { block, .. },
        ) => block.0 < memory.next_block,
        Some(SymbolKind::Input(number) | SymbolKind::External(number)) => number < memory.next_input,
        Some(SymbolKind::Forgotten(number)) => number < memory.next_forgotten,
        None
        | Some(
            SymbolKind::Bound { .. } | SymbolKind::Canonical(..) | SymbolKind::Anchor(_) | SymbolKind::Cell { .. },
        ) => false,
    })
}
