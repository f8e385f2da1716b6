//! Queries about equations between polynomials: they follow from each other by what sums and products are, which a solver that
//! counts bits does not see. Only ever says that there is no model.
//!
//! Source: what polynomial identities along loops need (Müller-Olm, Seidl, IPL'04; Kapur, ACA'04): variables that an equation gives
//! are replaced, and multiples of the others taken away. No bases are completed.

use std::collections::{BTreeMap, BTreeSet};

use super::polynomial::Polynomial;
use super::term::{Node, Op, Term, Terms};

/// Cases that are looked at.
const MOST_CASES: usize = 200;

/// Equations, and comparisons, that are looked at together.
const MOST_FACTS: usize = 60;

/// Conditions of conditions, so deep.
const MOST_NESTED: usize = 8;

/// Queries about more terms are left alone.
const MOST_TERMS: usize = 4000;

/// Whether the equations among the conjuncts have no solution. `false` where that is not seen.
pub(super) fn are_refuted(terms: &Terms, conjuncts: &[Term]) -> bool {
    if terms.reachable(conjuncts).len() > MOST_TERMS {
        return false;
    }
    let mut case = Case { terms, known: BTreeMap::new(), open: Vec::new() };
    let is_possible = conjuncts.iter().all(|conjunct| case.assume(*conjunct, true));
    !is_possible || case.refuted(&mut { MOST_CASES })
}

/// What is assumed.
#[derive(Clone)]
struct Case<'t> {
    terms: &'t Terms,
    /// Conditions with their values.
    known: BTreeMap<Term, bool>,
    /// Disjunctions: of each a part holds. The last ones are what is asked.
    open: Vec<Vec<(Term, bool)>>,
}

/// `low ≤ high`, or `low < high`.
struct Order {
    low: Term,
    high: Term,
    is_strict: bool,
    is_signed: bool,
}

impl Case<'_> {
    /// Adds that `t` has this value; `false` where it has the other one.
    fn assume(&mut self, t: Term, value: bool) -> bool {
        match self.terms.node(t) {
            Node::Const(constant) => return (constant == 1) == value,
            Node::Not(of) => return self.assume(of, !value),
            _ => {}
        }
        if let Some(known) = self.known.insert(t, value) {
            return known == value;
        }
        match self.terms.node(t) {
            Node::Bin(Op::And, a, b) if value => self.assume(a, true) && self.assume(b, true),
            Node::Bin(Op::Or, a, b) if !value => self.assume(a, false) && self.assume(b, false),
            Node::Bin(op @ (Op::And | Op::Or), ..) => {
                let mut parts = BTreeSet::new();
                self.alternatives(t, (op, value), &mut parts);
                self.open.push(parts.into_iter().collect());
                true
            }
            _ => true,
        }
    }

    /// The parts of a disjunction, or of a conjunction that does not hold.
    fn alternatives(&self, t: Term, (op, value): (Op, bool), into: &mut BTreeSet<(Term, bool)>) {
        let mut open = vec![t];
        while let Some(t) = open.pop() {
            match self.terms.node(t) {
                Node::Bin(own, a, b) if own == op => open.extend([a, b]),
                _ => _ = into.insert((t, value)),
            }
        }
    }

    /// The value of a condition, as far as it follows from those of its parts.
    fn value(&self, t: Term) -> Option<bool> {
        self.value_below(t, MOST_NESTED)
    }

    fn value_below(&self, t: Term, depth: usize) -> Option<bool> {
        if let Some(value) = self.known.get(&t) {
            return Some(*value);
        }
        let depth = depth.checked_sub(1)?;
        match self.terms.node(t) {
            Node::Const(constant) => Some(constant == 1),
            Node::Not(of) => self.value_below(of, depth).map(|value| !value),
            Node::Bin(op @ (Op::And | Op::Or), a, b) => {
                match (self.value_below(a, depth), self.value_below(b, depth)) {
                    (Some(a), Some(b)) => Some(if op == Op::And { a && b } else { a || b }),
                    (Some(one), None) | (None, Some(one)) if one == (op == Op::Or) => Some(one),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Takes disjunctions of which one part is left as known; `false` where none is.
    fn settle(&mut self) -> bool {
        loop {
            let mut units = Vec::new();
            let mut open = std::mem::take(&mut self.open);
            open.retain_mut(|parts| {
                let has_true = parts.iter().any(|(t, value)| self.value(*t) == Some(*value));
                parts.retain(|(t, _)| self.value(*t).is_none());
                if !has_true && parts.len() < 2 {
                    units.push(parts.pop());
                }
                !has_true && parts.len() >= 2
            });
            self.open = open;
            if units.is_empty() {
                return true;
            }
            if !units.into_iter().all(|unit| unit.is_some_and(|(t, value)| self.assume(t, value))) {
                return false;
            }
        }
    }

    /// Whether there is no solution in any of its cases.
    fn refuted(mut self, cases: &mut usize) -> bool {
        if !self.settle() {
            return true;
        }
        if *cases == 0 {
            return false;
        }
        *cases -= 1;
        let mut choices = BTreeSet::new();
        if self.contradicts_itself(&mut choices) {
            return true;
        }
        // What is asked is the last that was assumed.
        let asked = self.open.last().and_then(|parts| parts.first()).map(|(t, _)| *t);
        let Some(split) = asked.or(choices.pop_first()) else { return false };
        [true, false].into_iter().all(|value| {
            let mut case = self.clone();
            !case.assume(split, value) || case.refuted(cases)
        })
    }

    /// Whether an equation that does not hold follows from those that do. Adds conditions of choices that stand in the way.
    fn contradicts_itself(&self, choices: &mut BTreeSet<Term>) -> bool {
        let equations = self.known.iter().filter_map(|(t, holds)| match self.terms.node(*t) {
            Node::Bin(Op::Eq, a, b) if self.terms.width(a) > 1 => Some((a, b, *holds)),
            _ => None,
        });
        let equations: Vec<(Term, Term, bool)> = equations.take(MOST_FACTS).collect();
        let implied = self.implied_equations();
        let widths: BTreeSet<u32> = equations.iter().map(|(a, ..)| self.terms.width(*a)).collect();
        widths.into_iter().any(|width| {
            let difference = |a: Term, b: Term| {
                (self.terms.width(a) >= width).then_some(())?;
                self.polynomial(a, width)?.minus(&self.polynomial(b, width)?)
            };
            let hold = equations.iter().filter(|(.., holds)| *holds).map(|(a, b, _)| (*a, *b));
            let facts: Vec<Polynomial> =
                hold.chain(implied.iter().copied()).filter_map(|(a, b)| difference(a, b)).collect();
            let fail = equations.iter().filter(|(a, _, holds)| !holds && self.terms.width(*a) == width);
            let goals: Vec<Polynomial> = fail.filter_map(|(a, b, _)| difference(*a, *b)).collect();
            for polynomial in facts.iter().chain(&goals) {
                choices.extend(polynomial.factors().filter_map(|factor| match self.terms.node(factor) {
                    Node::Ite(condition, ..) => Some(condition),
                    _ => None,
                }));
            }
            follow(facts, goals)
        })
    }

    fn polynomial(&self, t: Term, width: u32) -> Option<Polynomial> {
        Polynomial::of(self.terms, t, width, &|condition| self.value(condition))
    }

    /// Numbers between which there is no room: `a < b ≤ a + 1`, `a ≤ b < a + 1`, and `a ≤ b ≤ a`. Where something is above `a`,
    /// `a + 1` does not wrap around, nor `b - 1` where something is below `b`.
    fn implied_equations(&self) -> Vec<(Term, Term)> {
        let order = |(t, holds): (&Term, &bool)| {
            let Node::Bin(op @ (Op::Ult | Op::Ule | Op::Slt | Op::Sle), a, b) = self.terms.node(*t) else {
                return None;
            };
            let is_strict = matches!(op, Op::Ult | Op::Slt) == *holds;
            let (low, high) = if *holds { (a, b) } else { (b, a) };
            Some(Order { low, high, is_strict, is_signed: matches!(op, Op::Slt | Op::Sle) })
        };
        let orders: Vec<Order> = self.known.iter().filter_map(order).take(MOST_FACTS).collect();
        let mut implied = Vec::new();
        for (one, other) in orders.iter().flat_map(|one| orders.iter().map(move |other| (one, other))) {
            let is_chain = one.is_signed == other.is_signed
                && self.terms.width(one.high) == self.terms.width(other.low)
                && self.is_difference(one.high, other.low, 0);
            let room = u128::from(one.is_strict) + u128::from(other.is_strict);
            if is_chain && room < 2 && self.is_difference(other.high, one.low, room) {
                // The middle is the end that it is no strict neighbour of.
                implied.push((one.high, if one.is_strict { other.high } else { one.low }));
            }
        }
        implied
    }

    /// Whether `a - b` is this number.
    fn is_difference(&self, a: Term, b: Term, number: u128) -> bool {
        let terms = self.terms;
        a == b && number == 0 || terms.as_const(terms.sub(a, b)) == Some(number)
    }
}

/// Whether one of the goals is 0 where all facts are, or these cannot be.
fn follow(mut facts: Vec<Polynomial>, mut goals: Vec<Polynomial>) -> bool {
    while let Some((index, (variable, value))) =
        facts.iter().enumerate().find_map(|(index, fact)| Some((index, fact.solved()?)))
    {
        facts.remove(index);
        let replaced = |polynomials: Vec<Polynomial>| -> Vec<Polynomial> {
            polynomials.iter().filter_map(|polynomial| polynomial.replaced(variable, &value)).collect()
        };
        (facts, goals) = (replaced(facts), replaced(goals));
    }
    for index in 0..facts.len() {
        let fact = facts.remove(index);
        let reduced = fact.clone().reduced_by(&facts);
        facts.insert(index, reduced.unwrap_or(fact));
    }
    facts.iter().any(Polynomial::is_nonzero_constant)
        || goals.into_iter().any(|goal| goal.reduced_by(&facts).is_some_and(|goal| goal.is_zero()))
}

#[cfg(test)]
mod tests {
    use super::super::random_tests::picks;
    use super::super::term::SymId;
    use super::*;

    /// Equations and comparisons of polynomials in three numbers of three bits, against all values.
    #[test]
    fn agrees_with_all_values() {
        let t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|hint| t.fresh_symbol(3, hint));
        let constants = [0, 1, 2, 3, 7].map(|value| t.constant(value, 3));
        let mut pick = picks(11);
        let mut answers = [0, 0];
        for _ in 0..1000 {
            let mut factors = vec![x, y, z, t.mul(x, y), t.mul(z, z), t.add(x, constants[1])];
            factors.push(t.ite(t.ult(x, y), t.add(x, z), t.sub(x, constants[1])));
            factors.push(t.sext(t.add_constant(t.zext(t.extract(z, 0, 0), 2), -1), 3));
            let sum = |pick: &mut dyn FnMut(usize) -> usize| {
                let product = t.mul(factors[pick(factors.len())], factors[pick(factors.len())]);
                let product = t.mul(product, constants[pick(5)]);
                t.add(product, t.mul(factors[pick(factors.len())], constants[pick(5)]))
            };
            let atom = |pick: &mut dyn FnMut(usize) -> usize| match pick(6) {
                0 => t.binary([Op::Ult, Op::Sle, Op::Slt][pick(3)], [x, y, z][pick(3)], factors[pick(6)]),
                1 => t.eq([x, y, z][pick(3)], sum(pick)),
                2 | 3 => t.ne(sum(pick), sum(pick)),
                _ => t.eq(sum(pick), sum(pick)),
            };
            let conjuncts: Vec<Term> = (0..4)
                .map(|_| match pick(4) {
                    0 => t.or(atom(&mut pick), atom(&mut pick)),
                    _ => atom(&mut pick),
                })
                .collect();
            let holds = |value: u128| {
                let value_of = |symbol: SymId| match t.symbol_term(symbol) {
                    s if s == x => value & 7,
                    s if s == y => value >> 3 & 7,
                    _ => value >> 6,
                };
                t.evaluate_all(&conjuncts, &value_of).into_iter().all(|value| value == 1)
            };
            let is_possible = (0..1 << 9).any(holds);
            let is_refuted = are_refuted(&t, &conjuncts);
            assert!(
                !(is_possible && is_refuted),
                "{}",
                conjuncts.iter().map(|part| t.display(*part)).collect::<String>()
            );
            answers[usize::from(is_possible)] += usize::from(is_possible || is_refuted);
        }
        assert!(answers.iter().all(|count| *count > 20), "{answers:?}");
    }

    /// What two comparisons, in either direction, leave of the room between two numbers, against all values.
    #[test]
    fn room_between_two_numbers_agrees_with_all_values() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|hint| t.fresh_symbol(3, hint));
        let number = |value| t.constant(value, 3);
        let comparisons = |a: Term, b: Term| {
            let both = [Op::Ult, Op::Ule, Op::Slt, Op::Sle].map(|op| [t.binary(op, a, b), t.binary(op, b, a)]);
            both.into_iter().flatten().flat_map(|order| [(order, true), (order, false)]).collect::<Vec<_>>()
        };
        let holds = |assumed: &[(Term, bool)], value: u128| {
            let value_of = |symbol: SymId| if t.symbol_term(symbol) == x { value & 7 } else { value >> 3 };
            let values = t.evaluate_all(&assumed.iter().map(|(t, _)| *t).collect::<Vec<_>>(), &value_of);
            values.into_iter().zip(assumed).all(|(value, (_, wanted))| (value == 1) == *wanted)
        };
        let mut refuted = 0;
        for step in 0..4 {
            for one in comparisons(x, y) {
                for other in comparisons(y, t.add(x, number(step))) {
                    for distance in 0..8 {
                        let assumed = [one, other, (t.eq(y, t.add(x, number(distance))), false)];
                        let mut case = Case { terms: &t, known: BTreeMap::new(), open: Vec::new() };
                        if !assumed.iter().all(|(t, value)| case.assume(*t, *value)) || case.refuted(&mut 10) {
                            refuted += 1;
                            let is_possible = (0..1 << 6).any(|value| holds(&assumed, value));
                            assert!(
                                !is_possible,
                                "{}",
                                assumed.map(|(part, value)| format!("{}: {value}", t.display(part))).join(", ")
                            );
                        }
                    }
                }
            }
        }
        assert!(refuted > 20, "{refuted}");
    }

    /// What loops keep, after one more round.
    #[test]
    fn identities_along_loops_are_seen() {
        let t = Terms::new();
        let [i, n, sum, a, b] = ["i", "n", "sum", "a", "b"].map(|hint| t.fresh_symbol(32, hint));
        let number = |value| t.constant(value, 32);
        let next = t.add(i, number(1));
        // 2·sum = i·(i - 1), when i is added to the sum.
        let gauss = |sum, i| t.eq(t.add(sum, sum), t.mul(i, t.sub(i, number(1))));
        assert!(are_refuted(&t, &[gauss(sum, i), t.not(gauss(t.add(sum, i), next))]));
        assert!(!are_refuted(&t, &[gauss(sum, i), t.not(gauss(t.add(sum, n), next))]));
        // At the end of the loop there is no room between n and i.
        let [end, within] = [t.slt(n, i), t.sle(i, t.add(n, number(1)))];
        let total = t.eq(t.add(sum, sum), t.mul(n, t.add(n, number(1))));
        assert!(are_refuted(&t, &[gauss(sum, i), end, within, t.not(total)]));
        assert!(!are_refuted(&t, &[gauss(sum, i), end, t.not(total)]));
        // A sum of small numbers is extended with its parts.
        let (small, wide) = (t.fresh_symbol(16, "small"), t.fresh_symbol(64, "wide"));
        let tripled = t.sext(t.add_constant(t.mul(t.sext(small, 32), number(3)), 3), 64);
        let product = |factor| t.eq(t.mul(factor, wide), t.constant(0, 64));
        let three = t.constant(3, 64);
        let as_sum = t.add(t.mul(t.sext(small, 64), three), three);
        assert!(are_refuted(&t, &[product(as_sum), t.not(product(tripled))]));
        // One of two numbers is taken from the other: a condition decides which.
        let [u, v, p] = ["u", "v", "p"].map(|hint| t.fresh_symbol(32, hint));
        let kept = |a, b, u, v| t.eq(t.add(t.mul(a, u), t.mul(b, v)), p);
        let less = t.ult(b, a);
        let after = kept(
            t.ite(less, t.sub(a, b), a),
            t.ite(less, b, t.sub(b, a)),
            t.ite(less, u, t.add(u, v)),
            t.ite(less, t.add(v, u), v),
        );
        assert!(are_refuted(&t, &[kept(a, b, u, v), t.not(after)]));
        assert!(are_refuted(&t, &[kept(a, b, u, v), t.not(t.and(after, kept(a, b, u, v)))]));
    }
}
