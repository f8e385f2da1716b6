//! Numbers that no value speaks of any more, and what they still say of others.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::heap::Smg;
use crate::smt::{Node, Op, SymId, Term, Terms};

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
    let dropped: Vec<Term> = memory.store.constraints().iter().copied().filter(|part| !keep(*part)).collect();
    let replaced = without_defined(terms, &live, &dropped);
    let said: Vec<Term> =
        replaced.into_iter().filter_map(|constraint| said_of_live(terms, &live, constraint)).collect();
    // What numbers of the past said of the bounds of others.
    let ends: Vec<Term> = dropped.iter().flat_map(|constraint| without_past(memory, &live, *constraint)).collect();
    let bounded: BTreeSet<SymId> = dropped.iter().flat_map(|part| terms.symbols_of(*part).to_vec()).collect();
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
    for bound in said.into_iter().chain(bounds).chain(ends) {
        if memory.decide(bound) != Some(true) {
            memory.store.assume(&context, bound);
        }
    }
}

/// The constraints with numbers of the past that equations define (`past = 3`, `now = past + other`) replaced by what they are.
fn without_defined(terms: &Terms, live: &FxHashSet<SymId>, constraints: &[Term]) -> Vec<Term> {
    let mut rest = constraints.to_vec();
    while let Some((symbol, value)) = rest.iter().find_map(|constraint| definition(terms, live, *constraint)) {
        let by = FxHashMap::from_iter([(symbol, value)]);
        rest.iter_mut().for_each(|constraint| *constraint = terms.substitute(*constraint, &by));
        rest.retain(|constraint| !terms.is_true(*constraint));
    }
    rest
}

/// What the constraint says of live numbers whatever those of the past are; `None` where that is nothing, or long.
fn said_of_live(terms: &Terms, live: &FxHashSet<SymId>, constraint: Term) -> Option<Term> {
    let said = Said { terms, live }.of(constraint, true, DEEPEST);
    (!terms.is_true(said) && terms.reachable(&[said]).len() <= LONGEST.max(terms.reachable(&[constraint]).len() / 2))
        .then_some(said)
}

/// Choices inside one another that are looked into.
const DEEPEST: u32 = 6;

/// Parts of what is said of live numbers.
const LONGEST: usize = 24;

/// What follows from conditions on numbers of the past: `(zero = i ? 0 : past) ≠ 0` says that `zero ≠ i`.
struct Said<'a> {
    terms: &'a Terms,
    live: &'a FxHashSet<SymId>,
}

impl Said<'_> {
    fn is_live(&self, t: Term) -> bool {
        self.terms.symbols_of(t).iter().all(|symbol| self.live.contains(symbol))
    }

    /// A condition on live numbers that follows from `t`, or that `t` follows from.
    fn of(&self, t: Term, follows: bool, deepest: u32) -> Term {
        let terms = self.terms;
        if self.is_live(t) {
            return t;
        }
        let unknown = if follows { terms.true_() } else { terms.false_() };
        let Some(deeper) = deepest.checked_sub(1) else { return unknown };
        match terms.node(t) {
            Node::Not(inner) => terms.not(self.of(inner, !follows, deeper)),
            Node::Bin(Op::And, a, b) if terms.width(a) == 1 => {
                terms.bool_and(self.of(a, follows, deepest), self.of(b, follows, deepest))
            }
            Node::Bin(Op::Or, a, b) if terms.width(a) == 1 => {
                terms.bool_or(self.of(a, follows, deepest), self.of(b, follows, deepest))
            }
            Node::Ite(c, a, b) => self.choice(c, self.of(a, follows, deeper), self.of(b, follows, deeper), follows),
            Node::Bin(op, a, b) => {
                let choice = |side: Term| match terms.node(side) {
                    Node::Ite(c, left, right) => Some((c, left, right)),
                    _ => None,
                };
                let compared = |left: Term, right: Term| self.of(terms.binary(op, left, right), follows, deeper);
                match (choice(a), choice(b)) {
                    (Some((c, left, right)), _) => self.choice(c, compared(left, b), compared(right, b), follows),
                    (None, Some((c, left, right))) => self.choice(c, compared(a, left), compared(a, right), follows),
                    (None, None) => unknown,
                }
            }
            _ => unknown,
        }
    }

    /// One of two conditions, chosen by `c`.
    fn choice(&self, c: Term, a: Term, b: Term, follows: bool) -> Term {
        let terms = self.terms;
        match self.is_live(c) {
            true => terms.ite(c, a, b),
            false if follows => terms.bool_or(a, b),
            false => terms.bool_and(a, b),
        }
    }
}

/// A number of the past and the sum that an equation says it is.
fn definition(terms: &Terms, live: &FxHashSet<SymId>, constraint: Term) -> Option<(SymId, Term)> {
    let Node::Bin(Op::Eq, left, right) = terms.node(constraint) else { return None };
    let difference = terms.sub(left, right);
    let sum = terms.linear(difference);
    let one = terms.constant(1, sum.width);
    sum.parts.iter().find_map(|(factor, part)| {
        let symbol = terms.as_symbol(*part).filter(|symbol| !live.contains(symbol))?;
        let factor = terms.constant(*factor, sum.width);
        let rest = terms.sub(difference, terms.mul(factor, *part));
        let value = match factor {
            _ if factor == one => terms.neg(rest),
            _ if factor == terms.neg(one) => rest,
            _ => return None,
        };
        (!terms.symbols_of(value).contains(&symbol)).then_some((symbol, value))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_past_are_replaced_by_what_equations_say() {
        let terms = Terms::new();
        let [n, e, left, gone, width] = ["n", "e", "left", "gone", "width"].map(|name| terms.fresh_symbol(32, name));
        let number = |value| terms.constant(value, 32);
        let live: FxHashSet<SymId> = [n, e, left].into_iter().filter_map(|term| terms.as_symbol(term)).collect();
        let sum = |parts: &[Term]| parts.iter().fold(number(0), |sum, part| terms.add(sum, *part));
        let said = |constraints: &[Term]| without_defined(&terms, &live, constraints);
        // No node is left of a list, so the sum is one of the others.
        let counted = terms.eq(n, sum(&[gone, e, number(1)]));
        assert_eq!(said(&[counted, terms.eq(gone, number(0))]), [terms.eq(n, sum(&[e, number(1)]))]);
        // By way of a second number of the past, and in comparisons.
        let chain = [terms.eq(gone, sum(&[width, number(2)])), terms.eq(width, e), terms.slt(gone, left)];
        assert_eq!(said(&chain), [terms.slt(sum(&[e, number(2)]), left)]);
        // One equation alone is used up; half of a number is none.
        assert_eq!(said(&[counted]), []);
        let twice = terms.eq(n, terms.mul(number(2), gone));
        assert_eq!(said(&[twice]), [twice]);
        // A number is not defined by itself.
        let product = terms.eq(gone, terms.add(n, terms.and(gone, e)));
        assert_eq!(said(&[product]), [product]);
    }

    /// A byte that is read at a place where a text may end, or at another one: what it is not says where the text does not end.
    #[test]
    fn choices_say_something_whatever_numbers_of_the_past_are() {
        let terms = Terms::new();
        let [zero, place] = ["zero", "place"].map(|name| terms.fresh_symbol(64, name));
        let [gone, other] = ["gone", "other"].map(|name| terms.fresh_symbol(8, name));
        let live: FxHashSet<SymId> = [zero, place].into_iter().filter_map(|term| terms.as_symbol(term)).collect();
        let said = |constraint: Term| said_of_live(&terms, &live, constraint);
        let ends = terms.eq(zero, place);
        let read = terms.ite(ends, terms.constant(0, 8), gone);
        let is_zero = terms.eq(read, terms.constant(0, 8));
        assert_eq!(said(terms.not(is_zero)), Some(terms.not(ends)));
        assert_eq!(said(is_zero), None);
        // One of two numbers of the past decides; both do not.
        let deep = terms.ite(terms.eq(gone, other), read, terms.constant(0, 8));
        assert_eq!(said(terms.not(terms.eq(deep, terms.constant(0, 8)))), Some(terms.not(ends)));
        let is_three = |byte: Term| terms.eq(byte, terms.constant(3, 8));
        assert_eq!(said(terms.bool_or(is_three(gone), ends)), None);
        assert_eq!(said(terms.bool_and(is_three(gone), ends)), Some(ends));
        assert_eq!(said(terms.not(terms.bool_or(is_three(gone), ends))), Some(terms.not(ends)));
    }
}
