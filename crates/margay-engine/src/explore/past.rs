//! Numbers that no value speaks of any more, and what they still say of others.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::heap::Smg;
use crate::smt::{Node, Op, SymId, Term};

/// Drops constraints on symbols that no value speaks of any more: over-approximates, and lets states meet that differ in
/// their past only.
pub fn forget_numbers_of_the_past(memory: &mut Smg, roots: &[Term]) {
    if memory.store.constraints().is_empty() {
        return;
    }
    let context = memory.context.clone();
    let live = live_symbols(memory, roots);
    let terms = &context.terms;
    let keep = |constraint: Term| terms.symbols_of(constraint).iter().all(|symbol| live.contains(symbol));
    // What numbers of the past said of the bounds of others.
    let dropped = || memory.store.constraints().iter().filter(|constraint| !keep(**constraint));
    let ends: Vec<Term> = dropped().flat_map(|constraint| without_past(memory, &live, *constraint)).collect();
    let bounded: BTreeSet<SymId> = dropped().flat_map(|constraint| terms.symbols_of(*constraint).to_vec()).collect();
    let bounds: Vec<Term> = bounded
        .iter()
        .filter(|symbol| live.contains(symbol))
        .map(|symbol| terms.symbol_term(*symbol))
        .filter(|number| context.is_number(*number))
        .flat_map(|number| {
            let (low, high) = memory.store.signed_range(&context, number);
            let width = terms.width(number);
            [
                terms.sle(terms.signed_constant(low, width), number),
                terms.sle(number, terms.signed_constant(high, width)),
            ]
        })
        .collect();
    memory.weaken(&keep);
    for bound in bounds.into_iter().chain(ends) {
        if memory.decide(bound) != Some(true) {
            memory.store.assume(&context, bound);
        }
    }
}

/// What a comparison of a number with one of the past says of it: the ends of what the other may be take its place.
fn without_past(memory: &Smg, live: &FxHashSet<SymId>, constraint: Term) -> Vec<Term> {
    let context = memory.context();
    let terms = &context.terms;
    let (op, left, right) = match terms.node(constraint) {
        Node::Bin(op, left, right) => (op, left, right),
        Node::Not(inner) => match terms.node(inner) {
            Node::Bin(Op::Slt, left, right) => (Op::Sle, right, left),
            Node::Bin(Op::Sle, left, right) => (Op::Slt, right, left),
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let is_live = |term: Term| terms.symbols_of(term).iter().all(|symbol| live.contains(symbol));
    let (number, past) = match (is_live(left), is_live(right)) {
        (true, false) => (left, right),
        (false, true) => (right, left),
        _ => return Vec::new(),
    };
    if !context.is_number(number) || !context.is_number(past) || terms.as_const(number).is_some() {
        return Vec::new();
    }
    let (low, high) = memory.store.signed_range(context, past);
    let (low, high) = (terms.signed_constant(low, terms.width(past)), terms.signed_constant(high, terms.width(past)));
    match op {
        Op::Slt if number == left => vec![terms.slt(number, high)],
        Op::Slt => vec![terms.slt(low, number)],
        Op::Sle if number == left => vec![terms.sle(number, high)],
        Op::Sle => vec![terms.sle(low, number)],
        Op::Eq => vec![terms.sle(low, number), terms.sle(number, high)],
        _ => Vec::new(),
    }
}

/// The symbols that values and objects speak of.
pub fn live_symbols(memory: &Smg, roots: &[Term]) -> FxHashSet<SymId> {
    let mut live: FxHashSet<SymId> = FxHashSet::default();
    let terms = &memory.context.terms;
    let addresses = memory.objects.values().map(|object| object.address);
    for term in roots.iter().copied().chain(addresses) {
        live.extend(terms.symbols_of(term).iter().copied());
    }
    memory.objects.values().for_each(|object| object.each_symbol(terms, &mut |symbol| _ = live.insert(symbol)));
    live
}
