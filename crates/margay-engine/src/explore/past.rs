//! Numbers that no value speaks of any more, and what they still say of others.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::heap::{Context, Smg};
use crate::smt::{Node, Op, SymId, Term, Terms, mask};

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
    let (mut said, mut guesses): (Vec<Term>, Vec<Term>) = (Vec::new(), Vec::new());
    for constraint in replaced {
        match said_of_live(terms, &live, constraint) {
            Some(condition) => said.push(condition),
            None => guesses.extend(live_within(terms, &live, constraint)),
        }
    }
    guesses.sort_unstable();
    guesses.dedup();
    guesses.truncate(MOST_GUESSES);
    for guess in guesses {
        let either = [terms.not(guess), guess];
        said.extend(either.into_iter().find(|guess| memory.decide(*guess).is_none() && memory.supports(*guess)));
    }
    // What numbers of the past said of the bounds of others.
    let ends: Vec<Term> = without_past(memory, &live, &dropped);
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

/// Comparisons of live numbers within a choice that numbers of the past make: `past = 0 ? i + past ≠ zero : i ≠ zero` says that `i ≠ zero`,
/// but only together with the rest.
fn live_within(terms: &Terms, live: &FxHashSet<SymId>, constraint: Term) -> Vec<Term> {
    let parts = terms.reachable(&[constraint]);
    if parts.len() > LONGEST || !parts.iter().any(|part| matches!(terms.node(*part), Node::Ite(..))) {
        return Vec::new();
    }
    let is_comparison = |part: &Term| matches!(terms.node(*part), Node::Bin(Op::Eq | Op::Ult | Op::Ule, ..));
    let is_live = |part: &Term| {
        let symbols = terms.symbols_of(*part);
        !symbols.is_empty() && symbols.iter().all(|symbol| live.contains(symbol))
    };
    parts.into_iter().filter(|part| is_comparison(part) && is_live(part)).collect()
}

/// What the constraint says of live numbers whatever those of the past are; `None` where that is nothing, or long.
fn said_of_live(terms: &Terms, live: &FxHashSet<SymId>, constraint: Term) -> Option<Term> {
    let said = Said { terms, live }.of(constraint, true, DEEPEST);
    (!terms.is_true(said) && terms.reachable(&[said]).len() <= LONGEST.max(terms.reachable(&[constraint]).len() / 2))
        .then_some(said)
}

/// Choices inside one another that are looked into.
const DEEPEST: u32 = 10;

/// Comparisons that are asked about at a time.
const MOST_GUESSES: usize = 4;

/// Parts of what is said of live numbers.
const LONGEST: usize = 48;

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

/// `left < right`, or `left <= right`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Comparison {
    pub left: Term,
    pub right: Term,
    pub is_signed: bool,
    pub is_strict: bool,
}

impl Comparison {
    /// What a condition on numbers compares.
    pub fn of(context: &Context, condition: Term) -> Vec<Self> {
        let terms = &context.terms;
        let (node, is_denied) = match terms.node(condition) {
            Node::Not(inner) => (terms.node(inner), true),
            node => (node, false),
        };
        let Node::Bin(op, left, right) = node else { return Vec::new() };
        let comparison = |left, right, is_signed, is_strict| Self { left, right, is_signed, is_strict };
        let found = match (op, is_denied) {
            (Op::Slt | Op::Ult, false) => vec![comparison(left, right, op == Op::Slt, true)],
            (Op::Sle | Op::Ule, false) => vec![comparison(left, right, op == Op::Sle, false)],
            (Op::Slt | Op::Ult, true) => vec![comparison(right, left, op == Op::Slt, false)],
            (Op::Sle | Op::Ule, true) => vec![comparison(right, left, op == Op::Sle, true)],
            (Op::Eq, false) => [(left, right), (right, left)]
                .into_iter()
                .flat_map(|(left, right)| [true, false].map(|is_signed| comparison(left, right, is_signed, false)))
                .collect(),
            _ => Vec::new(),
        };
        found.into_iter().filter(|part| context.is_number(part.left) && context.is_number(part.right)).collect()
    }

    /// What follows from it and `next`, which begins where it ends.
    fn then(self, next: Self) -> Self {
        Self { right: next.right, is_strict: self.is_strict || next.is_strict, ..self }
    }

    /// The same with what one side subtracts added to the other one, which follows only where nothing wraps around; `None` where it is
    /// the same.
    pub fn added(self, terms: &Terms) -> Option<Self> {
        let difference = terms.linear(terms.sub(self.right, self.left));
        let width = difference.width;
        let half = 1 << (width - 1);
        let (mut left, mut right) = (terms.constant(0, width), terms.constant(0, width));
        let parts = difference.parts.iter().map(|(factor, part)| (*factor, *part));
        for (factor, part) in parts.chain([(difference.constant, terms.constant(1, width))]) {
            if factor < half {
                right = terms.add(right, terms.scale(part, factor));
            } else {
                left = terms.add(left, terms.scale(part, factor.wrapping_neg() & mask(width)));
            }
        }
        ((left, right) != (self.left, self.right)).then_some(Self { left, right, ..self })
    }

    pub fn condition(self, terms: &Terms) -> Term {
        match (self.is_signed, self.is_strict) {
            (true, true) => terms.slt(self.left, self.right),
            (true, false) => terms.sle(self.left, self.right),
            (false, true) => terms.ult(self.left, self.right),
            (false, false) => terms.ule(self.left, self.right),
        }
    }
}

/// Comparisons that are kept at a time while numbers of the past are eliminated.
const MOST_COMPARISONS: usize = 48;

/// What comparisons with numbers of the past say of others, whose bounds take their place: `i <= past` and `past < n` that `i < n`.
/// They are eliminated one after the other (Fourier and Motzkin, but each term is a number of its own, so that nothing wraps around).
fn without_past(memory: &Smg, live: &FxHashSet<SymId>, constraints: &[Term]) -> Vec<Term> {
    let context = memory.context();
    let terms = &context.terms;
    let is_past = |term: Term| terms.symbols_of(term).iter().any(|symbol| !live.contains(symbol));
    let mut known: Vec<Comparison> = constraints.iter().flat_map(|part| Comparison::of(context, *part)).collect();
    let mut past: Vec<Term> = Vec::new();
    for side in known.iter().flat_map(|part| [part.left, part.right]) {
        if is_past(side) && !past.contains(&side) {
            past.push(side);
        }
    }
    for number in past {
        let (about, mut rest): (Vec<Comparison>, Vec<Comparison>) =
            known.into_iter().partition(|part| part.left == number || part.right == number);
        let width = terms.width(number);
        let (low, high) = memory.store.signed_range(context, number);
        let signed = [low, high].map(|end| terms.signed_constant(end, width));
        let (low, high) = memory.store.range(context, number);
        let unsigned = [low, high].map(|end| terms.constant(end, width));
        let bounds = [(signed, true), (unsigned, false)].into_iter().flat_map(|([low, high], is_signed)| {
            [(low, number), (number, high)].map(|(left, right)| Comparison { left, right, is_signed, is_strict: false })
        });
        let about: Vec<Comparison> = about.into_iter().chain(bounds).collect();
        for before in about.iter().filter(|part| part.right == number) {
            for after in about.iter().filter(|part| part.left == number && part.is_signed == before.is_signed) {
                let follows = before.then(*after);
                let is_open = [follows.left, follows.right].iter().any(|side| terms.as_const(*side).is_none());
                if is_open && follows.left != follows.right && rest.len() < MOST_COMPARISONS && !rest.contains(&follows)
                {
                    rest.push(follows);
                }
            }
        }
        known = rest;
    }
    known.into_iter().map(|part| part.condition(terms)).collect()
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
    use std::rc::Rc;

    use super::*;
    use crate::base::limits::Limits;
    use crate::smt::Z3Solver;
    use crate::task::DataModel;

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

    /// A number of the past lay between others: these are compared, or bounded, by themselves then.
    #[test]
    fn comparisons_with_numbers_of_the_past_relate_others() {
        let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
        let terms = &context.terms;
        let said = |conditions: &dyn Fn([Term; 4]) -> Vec<Term>, expected: &dyn Fn([Term; 4]) -> Vec<Term>| {
            let mut memory = Smg::new(context.clone());
            let numbers @ [low, high, gone, older] = [(); 4].map(|()| memory.forgotten(64));
            let live = [low, high].into_iter().filter_map(|term| terms.as_symbol(term)).collect();
            let conditions = conditions([low, high, gone, older]);
            conditions.iter().for_each(|condition| memory.store.assume(&context, *condition));
            let said = without_past(&memory, &live, &conditions);
            let expected = expected(numbers);
            expected.iter().for_each(|part| assert!(said.contains(part), "{}", terms.display(*part)));
            said
        };
        let seven = context.pointer_constant(7);
        said(&|[low, high, gone, _]| vec![terms.ule(low, gone), terms.ult(gone, high)], &|[low, high, ..]| {
            vec![terms.ult(low, high)]
        });
        // By way of two, and by a bound.
        said(
            &|[low, high, gone, older]| {
                vec![terms.slt(low, gone), terms.sle(gone, older), terms.not(terms.slt(high, older))]
            },
            &|[low, high, ..]| vec![terms.slt(low, high)],
        );
        said(&|[_, high, gone, _]| vec![terms.ult(seven, gone), terms.ule(gone, high)], &|[_, high, ..]| {
            vec![terms.ule(context.pointer_constant(8), high)]
        });
        // One order says nothing of the other.
        let mixed = said(&|[low, high, gone, _]| vec![terms.ule(low, gone), terms.slt(gone, high)], &|_| Vec::new());
        assert!(mixed.iter().all(|part| terms.symbols_of(*part).len() < 2), "{}", mixed.len());
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
