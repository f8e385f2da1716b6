//! Whether a program ends: each state of a proof has a measure, a tuple of terms over its symbols, that decreases along every edge.
//!
//! Tuples are compared lexicographically, entry by entry as numbers of one width and order, as far as both go. Machine numbers are
//! finite and a proof has finitely many tuples, so that no chain of them decreases for ever. Edges are those that the check follows:
//! to the next cut points, into the contexts of functions that are followed apart from their callers, and from a call over an exit of the callee to what comes next. A run that never ends would
//! take infinitely many of them one after the other: from a call that never returns it goes on within the callee. How a measure
//! was found does not matter. Source: Podelski, Rybalchenko, VMCAI'04; Cook, Podelski, Rybalchenko, PLDI'06.

use rustc_hash::FxHashMap;

use super::gather::Symbols;
use crate::certificate::Order;
use crate::heap::{Smg, State, Summary, SymbolKind};
use crate::smt::{SymId, Term, Terms};

/// An edge of a proof: from a state to an arrival that lies within another state.
pub(super) struct Descent<'a> {
    /// The state that the edge begins in, and its measure.
    pub from: &'a State,
    pub measure: &'a [(Term, Order)],
    /// What arrives, in symbols of the state that the edge begins in.
    pub arrival: &'a State,
    /// The state that it lies within.
    pub to: &'a State,
    /// What the symbols of the state that it lies within stand for, and the measure of that one.
    pub symbols: &'a Symbols,
    pub next: &'a [(Term, Order)],
}

impl Descent<'_> {
    /// Whether the measure of the state that is reached is less than that of the state the edge begins in.
    pub fn holds(&self) -> bool {
        let terms = &self.arrival.memory.context().terms;
        let by: FxHashMap<SymId, Term> = self.symbols.iter().map(|(symbol, term)| (*symbol, *term)).collect();
        let compare = |(next, order): (Term, Order), (own, own_order): (Term, Order)| {
            let is_settled = terms.symbols_of(next).iter().all(|symbol| by.contains_key(symbol));
            let fits = is_settled && is_of(&self.from.memory, own) && terms.width(next) == terms.width(own);
            let counts = order != Order::Nodes || counts_nodes(self.to, next) && counts_nodes(self.from, own);
            (fits && counts && order == own_order).then(|| (terms.substitute(next, &by), own, order))
        };
        let both = self.next.iter().zip(self.measure);
        let pairs: Vec<(Term, Term, Order)> = both.map_while(|(next, own)| compare(*next, *own)).collect();
        let less = pairs.into_iter().rev().fold(terms.false_(), |rest, (next, own, order)| {
            terms.bool_or(decreases(terms, order, next, own), terms.bool_and(terms.eq(next, own), rest))
        });
        self.arrival.memory.entails(less)
    }
}

/// That `next` comes after `own` in the order in which an entry decreases.
pub fn decreases(terms: &Terms, order: Order, next: Term, own: Term) -> Term {
    match order {
        Order::Falls => is_less(terms, next, own),
        Order::FallsSigned => terms.slt(next, own),
        Order::Rises => is_less(terms, own, next),
        Order::RisesSigned => terms.slt(own, next),
        Order::Nodes => terms.bool_constant(is_more(terms, own, next)),
    }
}

/// That one number is less than another one, also said of what lies between them: `a - b < a` where a condition says `b <= a`.
fn is_less(terms: &Terms, less: Term, more: Term) -> Term {
    let between = terms.sub(more, less);
    let is_between = terms.bool_and(terms.not(terms.eq(less, more)), terms.ule(between, more));
    terms.bool_or(terms.ult(less, more), is_between)
}

/// Whether `own` is more than `next`, both of which count nodes: by a constant, as no list has as many nodes as there are addresses
/// before any run gets there.
fn is_more(terms: &Terms, own: Term, next: Term) -> bool {
    let more = terms.as_const(terms.sub(own, next));
    more.is_some_and(|more| more > 0 && more >> (terms.width(own) - 1) == 0)
}

/// Whether a term is a sum of numbers of nodes of this state's lists, each at most once, and a constant that is not negative.
fn counts_nodes(state: &State, term: Term) -> bool {
    let summaries = state.memory.objects.values().filter_map(|object| object.form.summary());
    let counts: Vec<Term> = summaries.filter_map(Summary::count).collect();
    is_sum_of(&state.memory.context().terms, &counts, term, MOST_LISTS)
}

/// Lists that the nodes of one measure belong to.
const MOST_LISTS: usize = 3;

pub(super) fn is_sum_of(terms: &Terms, counts: &[Term], term: Term, most: usize) -> bool {
    if let Some(constant) = terms.as_const(term) {
        return constant >> (terms.width(term) - 1) == 0;
    }
    let fits = |count: Term| most > 0 && terms.width(count) == terms.width(term);
    (0..counts.len())
        .filter(|at| fits(counts[*at]))
        .any(|at| is_sum_of(terms, &counts[at + 1..], terms.sub(term, counts[at]), most - 1))
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
