//! A query as one about integers, for what compares sums: a solver that counts bits needs long for what one that adds sees at once.
//!
//! ```text
//!   z < 100,  u ≤ z,  v ≤ z − u,  99 < u + v       of 64 bits: the bounds 0 ≤ u, v ≤ 100 follow, so u + v does not wrap around
//! ```
//!
//! Each sum is the integer that its bits stand for. Where its parts have bounds within which it fits, it is the sum of the integers;
//! elsewhere that but for a multiple of the modulus. What is no sum is a number of which bounds alone are known, so a model has to be
//! looked at, and only `unsat` is an answer by itself.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use z3::ast::{Bool, Int};

use super::bounds::{Bounds, Range, fits, full};
use super::fold::{mask, to_signed};
use super::solver::Model;
use super::term::{Node, Op, SymId, Term, Terms};
use super::translate::symbols;

/// Wider values are not written. Sums of numbers of 64 bits that do not wrap around have a few more.
const WIDEST: u32 = 80;

/// Products of numbers of a query whose factors are compared with each other.
const MOST_PRODUCTS: usize = 6;

/// A product of two terms that does not wrap around.
struct Product {
    value: Int,
    /// The terms without what only gives them more bits.
    factors: [Term; 2],
}

/// A query about integers.
pub(super) struct Integers {
    /// Have a model where the query has one.
    pub conditions: Vec<Bool>,
    /// What stands for symbols.
    numbers: BTreeMap<SymId, Int>,
    booleans: BTreeMap<SymId, Bool>,
}

impl Integers {
    /// `None` where the conjuncts say nothing of how sums compare.
    pub fn new(terms: &Terms, conjuncts: &[Term]) -> Option<Self> {
        let below = terms.reachable(conjuncts);
        let is_sum = |t: &Term| {
            let counts = |op| matches!(op, Op::Add | Op::UDiv | Op::URem | Op::SDiv | Op::SRem);
            terms.width(*t) > 1 && matches!(terms.node(*t), Node::Bin(op, ..) if counts(op))
        };
        below.iter().any(is_sum).then_some(())?;
        let bounds = Bounds::learned(terms, conjuncts, &below);
        let made = Self { conditions: Vec::new(), numbers: BTreeMap::new(), booleans: BTreeMap::new() };
        let (signed, conditions) = (FxHashMap::default(), FxHashMap::default());
        let mut writer = Writer { terms, bounds, made, signed, conditions, products: Vec::new() };
        let written: Vec<Bool> = conjuncts.iter().filter_map(|conjunct| writer.condition(*conjunct)).collect();
        writer.made.conditions.extend(written);
        writer.compare_products();
        Some(writer.made)
    }

    /// What a model says of the symbols of `conjuncts`, where it is one of them.
    pub fn model(&self, model: &z3::Model, terms: &Terms, conjuncts: &[Term]) -> Option<Model> {
        let value = |symbol: SymId| {
            if let Some(boolean) = self.booleans.get(&symbol) {
                return Some(u128::from(model.eval(boolean, true)?.as_bool()?));
            }
            let value = model.eval(self.numbers.get(&symbol)?, true)?.as_i64()?;
            Some(value as u128 & mask(terms.symbol_info(symbol).width))
        };
        let values = symbols(terms, conjuncts).into_iter().map(|symbol| (symbol, value(symbol).unwrap_or(0)));
        Some(Model::new(values.collect())).filter(|model| model.satisfies(terms, conjuncts))
    }
}

struct Writer<'t> {
    terms: &'t Terms,
    bounds: Bounds<'t>,
    made: Integers,
    /// The signed values of terms.
    signed: FxHashMap<Term, Option<Int>>,
    conditions: FxHashMap<Term, Option<Bool>>,
    products: Vec<Product>,
}

impl Writer<'_> {
    fn condition(&mut self, t: Term) -> Option<Bool> {
        if let Some(known) = self.conditions.get(&t) {
            return known.clone();
        }
        let condition = self.condition_of(t);
        self.conditions.insert(t, condition.clone());
        condition
    }

    fn condition_of(&mut self, t: Term) -> Option<Bool> {
        Some(match self.terms.node(t) {
            Node::Const(value) => Bool::from_bool(value == 1),
            Node::Sym(symbol) => {
                let boolean = Bool::new_const(symbol.0);
                self.made.booleans.insert(symbol, boolean.clone());
                boolean
            }
            Node::Not(inner) => self.condition(inner)?.not(),
            Node::Ite(c, a, b) => self.condition(c)?.ite(&self.condition(a)?, &self.condition(b)?),
            Node::Bin(op, left, right) if self.terms.width(left) == 1 => {
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                match op {
                    Op::And => Bool::and(&[&left, &right]),
                    Op::Or => Bool::or(&[&left, &right]),
                    Op::Eq => left.iff(right),
                    _ => return None,
                }
            }
            Node::Bin(op @ (Op::Eq | Op::Slt | Op::Sle), left, right) => {
                let (left, right) = (self.signed(left)?, self.signed(right)?);
                match op {
                    Op::Eq => left.eq(right),
                    Op::Slt => left.lt(right),
                    _ => left.le(right),
                }
            }
            Node::Bin(op @ (Op::Ult | Op::Ule), left, right) => {
                let (left, right) = (self.unsigned(left)?, self.unsigned(right)?);
                if op == Op::Ult { left.lt(right) } else { left.le(right) }
            }
            _ => return None,
        })
    }

    fn unsigned(&mut self, t: Term) -> Option<Int> {
        let value = self.signed(t)?;
        if self.bounds.of(t).0 >= 0 {
            return Some(value);
        }
        let above = Int::add(&[&value, &integer(1 << self.terms.width(t))]);
        Some(value.lt(integer(0)).ite(&above, &value))
    }

    /// The signed value of `t`.
    fn signed(&mut self, t: Term) -> Option<Int> {
        if let Some(known) = self.signed.get(&t) {
            return known.clone();
        }
        let value = self.signed_of(t);
        self.signed.insert(t, value.clone());
        value
    }

    fn signed_of(&mut self, t: Term) -> Option<Int> {
        let width = self.terms.width(t);
        (1 < width && width <= WIDEST).then_some(())?;
        Some(match self.terms.node(t) {
            Node::Const(value) => integer(to_signed(value, width)),
            Node::SignExt(inner) if self.terms.width(inner) > 1 => self.signed(inner)?,
            Node::ZeroExt(inner) if self.terms.width(inner) == 1 => {
                self.condition(inner)?.ite(&integer(1), &integer(0))
            }
            Node::ZeroExt(inner) => self.unsigned(inner)?,
            Node::Ite(c, a, b) => self.condition(c)?.ite(&self.signed(a)?, &self.signed(b)?),
            Node::Extract { lo: 0, of, .. } => {
                let all = self.signed(of)?;
                self.wrapped(t, all, self.bounds.of(of))
            }
            Node::Sym(symbol) => {
                let alignment = self.terms.symbol_info(symbol).alignment;
                let number = self.bounded(t, Int::new_const(symbol.0));
                if alignment > 0 {
                    let multiple = Int::mul(&[&Int::fresh_const("multiple"), &integer(1 << alignment)]);
                    self.made.conditions.push(number.eq(multiple));
                }
                self.made.numbers.insert(symbol, number.clone());
                number
            }
            _ => {
                let sum = self.terms.linear(t);
                // What is no sum.
                if sum.parts.iter().any(|(_, part)| *part == t) {
                    let value = self.bounded(t, Int::fresh_const("part"));
                    self.add_product(t, &value);
                    self.add_division(t, &value);
                    return Some(value);
                }
                let constant = to_signed(sum.constant, width);
                let (mut parts, mut range) = (vec![integer(constant)], (constant, constant));
                for (factor, part) in sum.parts {
                    let factor = to_signed(factor, width);
                    let ends = self.bounds.of(part);
                    let [one, other] = [ends.0.checked_mul(factor)?, ends.1.checked_mul(factor)?];
                    range = (range.0.checked_add(one.min(other))?, range.1.checked_add(one.max(other))?);
                    parts.push(Int::mul(&[&integer(factor), &self.signed(part)?]));
                }
                self.wrapped(t, Int::add(&parts), range)
            }
        })
    }

    /// Remembers that `value` is the product `t`, if it is one that does not wrap around.
    fn add_product(&mut self, t: Term, value: &Int) {
        let Node::Bin(Op::Mul, a, b) = self.terms.node(t) else { return };
        let (one, other) = (self.bounds.of(a), self.bounds.of(b));
        let ends = [(one.0, other.0), (one.0, other.1), (one.1, other.0), (one.1, other.1)];
        let fits = ends.iter().all(|(a, b)| a.checked_mul(*b).is_some_and(|end| fits((end, end), self.terms.width(t))));
        if fits && self.products.len() < MOST_PRODUCTS {
            let factors = [a, b].map(|factor| self.unextended(factor));
            self.products.push(Product { value: value.clone(), factors });
        }
    }

    /// Says what of a division by a positive number its quotient or remainder `value` is: how it compares with both.
    fn add_division(&mut self, t: Term, value: &Int) {
        let Node::Bin(op @ (Op::UDiv | Op::URem | Op::SDiv | Op::SRem), dividend, by) = self.terms.node(t) else {
            return;
        };
        let is_signed = matches!(op, Op::SDiv | Op::SRem);
        // As an unsigned number it is the same then.
        let is_known = self.bounds.of(by).0 > 0 && (is_signed || self.bounds.of(dividend).0 >= 0);
        let (true, Some(number), Some(divisor)) = (is_known, self.signed(dividend), self.signed(by)) else { return };
        let zero = integer(0);
        let between = |low: &Int, high: &Int| Bool::and(&[&low.le(value), &value.le(high)]);
        let is_negative = number.lt(&zero);
        self.made.conditions.push(is_negative.ite(&between(&number, &zero), &between(&zero, &number)));
        let is_remainder = matches!(op, Op::URem | Op::SRem);
        if is_remainder {
            self.made.conditions.extend([value.lt(&divisor), Int::add(&[value, &divisor]).gt(&zero)]);
        }
    }

    /// The term with the same signed value and the fewest bits.
    fn unextended(&self, t: Term) -> Term {
        match self.terms.node(t) {
            Node::SignExt(inner) if self.terms.width(inner) > 1 => self.unextended(inner),
            Node::ZeroExt(inner) if self.terms.width(inner) > 1 && self.bounds.of(inner).0 >= 0 => {
                self.unextended(inner)
            }
            _ => t,
        }
    }

    /// Products compare as their other factors do where one is the same and not negative: `x · y + x ≤ x · z` where `y < z`. One of them is
    /// compared with none and with one time the factor, too.
    fn compare_products(&mut self) {
        let products = std::mem::take(&mut self.products);
        let sides = |product: &Product| {
            let [a, b] = product.factors;
            [(a, b, product.value.clone()), (b, a, product.value.clone())]
        };
        let all: Vec<(Term, Term, Int)> = products.iter().flat_map(sides).collect();
        for (index, (factor, times, value)) in all.iter().enumerate() {
            if self.bounds.of(*factor).0 < 0 {
                continue;
            }
            let (Some(unit), Some(times)) = (self.signed(*factor), self.signed(*times)) else { continue };
            let others = all[index + 1..].iter().filter(|(other, ..)| other == factor);
            let others: Vec<(Term, Int)> = others.map(|(_, times, value)| (*times, value.clone())).collect();
            let mut compared = vec![(integer(0), integer(0)), (integer(1), unit.clone())];
            compared.extend(others.into_iter().filter_map(|(times, value)| Some((self.signed(times)?, value))));
            for (other_times, other) in compared {
                let ordered = |(low_times, low): (&Int, &Int), (high_times, high): (&Int, &Int)| {
                    let strictly = Int::add(&[low, &unit]).le(high);
                    [low_times.le(high_times).implies(low.le(high)), low_times.lt(high_times).implies(strictly)]
                };
                let (one, two) = ((&times, value), (&other_times, &other));
                self.made.conditions.extend(ordered(one, two).into_iter().chain(ordered(two, one)));
            }
        }
    }

    /// The signed value of `t`, which is `value` but for a multiple of the modulus; `range` is where `value` lies.
    fn wrapped(&mut self, t: Term, value: Int, range: Range) -> Int {
        let width = self.terms.width(t);
        if fits(range, width) {
            return value;
        }
        let number = self.bounded(t, Int::fresh_const("wrapped"));
        let multiple = Int::mul(&[&Int::fresh_const("times"), &integer(1 << width)]);
        self.made.conditions.push(number.eq(Int::add(&[&value, &multiple])));
        number
    }

    /// The same number, of which the bounds of `t` are said.
    fn bounded(&mut self, t: Term, number: Int) -> Int {
        let (low, high) = self.bounds.of(t);
        let width = self.terms.width(t);
        let (low, high) = (low.max(full(width).0), high.min(full(width).1));
        self.made.conditions.extend([number.ge(integer(low)), number.le(integer(high))]);
        number
    }
}

fn integer(value: i128) -> Int {
    match i64::try_from(value) {
        Ok(value) => Int::from_i64(value),
        Err(_) => Int::add(&[
            &Int::mul(&[&Int::from_i64((value >> 32) as i64), &Int::from_i64(1 << 32)]),
            &Int::from_i64((value & 0xffff_ffff) as i64),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_tests::picks;
    use super::*;
    use z3::SatResult;

    /// Conditions on sums that wrap around, against all values of their symbols.
    #[test]
    fn agrees_with_all_values() {
        let t = Terms::new();
        let (x, y, z) = (t.fresh_symbol(4, "x"), t.fresh_symbol(4, "y"), t.fresh_symbol(2, "z"));
        let [two, three, nine] = [2, 3, 9].map(|value| t.constant(value, 4));
        let sums = [
            x,
            y,
            nine,
            t.add(x, y),
            t.sub(x, y),
            t.sub(t.mul(x, two), y),
            t.add(t.mul(x, three), t.add(t.mul(y, nine), two)),
            t.sub(t.zext(z, 4), x),
            t.add(t.sext(z, 4), y),
            t.ite(t.eq(z, t.constant(3, 2)), x, t.add(y, two)),
            t.zext(t.extract(x, 1, 0), 4),
            t.add(t.binary(Op::And, x, y), two),
        ];
        let mut pick = picks(7);
        let (mut answers, mut inexact) = ([0, 0], 0);
        for _ in 0..600 {
            let mut conjuncts = Vec::new();
            if pick(2) == 0 {
                // Bounds within which sums may not wrap around.
                conjuncts.extend([x, y].map(|number| t.ule(number, t.constant(1 + pick(4) as u128, 4))));
            }
            for _ in 0..3 {
                let mut atom = || {
                    let op = [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle][pick(5)];
                    t.binary(op, sums[pick(sums.len())], sums[pick(sums.len())])
                };
                let (one, other) = (atom(), atom());
                conjuncts.push(match pick(3) {
                    0 => one,
                    1 => t.not(one),
                    _ => t.binary(Op::Or, t.not(one), other),
                });
            }
            let Some(integers) = Integers::new(&t, &conjuncts) else { continue };
            let holds = |value: u128| {
                let value_of = |symbol: SymId| match t.symbol_term(symbol) {
                    s if s == x => value & 15,
                    s if s == y => value >> 4 & 15,
                    _ => value >> 8,
                };
                conjuncts.iter().all(|conjunct| t.evaluate(*conjunct, &value_of) == 1)
            };
            let expected = (0..1 << 10).any(holds);
            let solver = z3::Solver::new();
            integers.conditions.iter().for_each(|condition| solver.assert(condition));
            let answer = match solver.check() {
                SatResult::Unsat => false,
                SatResult::Sat => {
                    let model = solver.get_model().expect("there is one");
                    // Normal forms that are no sums allow too much.
                    if integers.model(&model, &t, &conjuncts).is_none() {
                        inexact += 1;
                        continue;
                    }
                    true
                }
                SatResult::Unknown => panic!("no answer"),
            };
            assert_eq!(answer, expected, "{:?}", conjuncts.iter().map(|part| t.display(*part)).collect::<Vec<_>>());
            answers[usize::from(expected)] += 1;
        }
        assert!(answers.iter().all(|count| *count > 50) && inexact < 100, "{answers:?} {inexact}");
    }

    fn is_unsat(t: &Terms, conjuncts: &[Term]) -> bool {
        let integers = Integers::new(t, conjuncts).expect("there are sums");
        let solver = z3::Solver::new();
        integers.conditions.iter().for_each(|condition| solver.assert(condition));
        solver.check() == SatResult::Unsat
    }

    /// How many of 2000 queries that compare three times of these `numbers`, over symbols of 2 bits, have no model in integers, and how many
    /// have none: those are among these.
    fn refuted(t: &Terms, symbols: [Term; 3], numbers: &[Term], seed: u64) -> (usize, usize) {
        let mut pick = picks(seed);
        let (mut refuted, mut impossible) = (0, 0);
        for _ in 0..2000 {
            let conjuncts: Vec<Term> = (0..3)
                .map(|_| {
                    let op = [Op::Eq, Op::Slt, Op::Sle][pick(3)];
                    t.binary(op, numbers[pick(numbers.len())], numbers[pick(numbers.len())])
                })
                .collect();
            let Some(integers) = Integers::new(t, &conjuncts) else { continue };
            let holds = |value: u128| {
                let value_of = |symbol: SymId| match t.symbol_term(symbol) {
                    s if s == symbols[0] => value & 3,
                    s if s == symbols[1] => value >> 2 & 3,
                    _ => value >> 4,
                };
                conjuncts.iter().all(|conjunct| t.evaluate(*conjunct, &value_of) == 1)
            };
            let solver = z3::Solver::new();
            integers.conditions.iter().for_each(|condition| solver.assert(condition));
            let (is_refuted, is_possible) = (solver.check() == SatResult::Unsat, (0..1 << 6).any(holds));
            assert!(
                !is_refuted || !is_possible,
                "{:?}",
                conjuncts.iter().map(|part| t.display(*part)).collect::<Vec<_>>()
            );
            refuted += usize::from(is_refuted);
            impossible += usize::from(!is_possible);
        }
        (refuted, impossible)
    }

    /// Comparisons of products, factors of which are negative, too: where there is no model in integers there is none.
    #[test]
    fn products_have_the_models_of_all_values() {
        let t = Terms::new();
        let symbols = ["x", "y", "z"].map(|name| t.fresh_symbol(2, name));
        let [x, y, z] = symbols;
        let [a, b, c] = [t.zext(x, 5), t.zext(y, 5), t.sext(z, 5)];
        let numbers =
            [a, b, c, t.mul(a, b), t.mul(a, c), t.mul(b, c), t.mul(a, a), t.add(t.mul(a, b), a), t.sub(t.mul(b, c), b)];
        let (refuted, impossible) = refuted(&t, symbols, &numbers, 11);
        assert!(refuted > 200 && 10 * refuted > 9 * impossible, "{refuted} of {impossible} are seen");
    }

    /// The same of quotients and remainders by numbers that are not constant.
    #[test]
    fn divisions_have_the_models_of_all_values() {
        let t = Terms::new();
        let symbols = ["x", "y", "z"].map(|name| t.fresh_symbol(2, name));
        let [x, y, z] = symbols;
        let [a, b, c] = [t.zext(x, 5), t.add(t.zext(y, 5), t.constant(1, 5)), t.sext(z, 5)];
        let by = |op: Op, dividend: Term| t.binary(op, dividend, b);
        let mut numbers = vec![a, b, c, t.add(by(Op::SRem, c), b)];
        for op in [Op::UDiv, Op::URem, Op::SDiv, Op::SRem] {
            numbers.extend([by(op, a), by(op, c)]);
        }
        let (refuted, impossible) = refuted(&t, symbols, &numbers, 13);
        assert!(refuted > 200 && 10 * refuted > 6 * impossible, "{refuted} of {impossible} are seen");
    }

    /// A cell of a matrix that is stored row by row lies in it, whether its place is computed with as many bits as its size or fewer.
    #[test]
    fn cells_of_a_matrix_stay_in_it() {
        let t = Terms::new();
        let [rows, columns, row, column] = ["n", "m", "i", "j"].map(|name| t.fresh_symbol(32, name));
        let number = |value: i128| t.signed_constant(value, 32);
        let wide = |term: Term| t.sext(term, 64);
        let size = t.mul(wide(rows), wide(columns));
        let narrow = wide(t.add(t.mul(row, columns), column));
        let broad = t.add(t.mul(wide(row), wide(columns)), wide(column));
        for place in [narrow, broad] {
            let known = |last_row: Term| {
                let bounds = [rows, columns].map(|term| t.bool_and(t.slt(number(0), term), t.slt(term, number(1000))));
                let least = [row, column].map(|term| t.sle(number(0), term));
                let most = [t.slt(row, last_row), t.slt(column, columns)];
                bounds.into_iter().chain(least).chain(most).collect::<Vec<Term>>()
            };
            let is_outside = t.sle(size, place);
            assert!(is_unsat(&t, &[known(rows), vec![is_outside]].concat()));
            // One row too many.
            assert!(!is_unsat(&t, &[known(t.add(rows, number(1))), vec![is_outside]].concat()));
        }
    }

    /// Places in a text that two searches found, as they are known of: the sum of all is not behind the zero.
    #[test]
    fn places_in_a_line_stay_in_it() {
        let t = Terms::new();
        let [zero, u, v, w] = ["zero", "u", "v", "w"].map(|name| t.fresh_symbol(64, name));
        let byte = t.fresh_symbol(8, "byte");
        let number = |value: i128| t.signed_constant(value, 64);
        let both = t.add(u, v);
        let held = t.ite(t.eq(zero, both), t.constant(0, 8), byte);
        let mut conjuncts = vec![
            t.ult(zero, number(100)),
            t.ule(u, zero),
            t.ule(v, number(100)),
            t.ule(v, t.sub(zero, u)),
            t.not(t.eq(held, t.constant(0, 8))),
            t.ule(w, number(100)),
            t.ule(w, t.sub(t.sub(zero, both), number(1))),
        ];
        assert!(!is_unsat(&t, &conjuncts));
        conjuncts.push(t.ult(number(99), t.add(t.add(both, w), number(1))));
        assert!(is_unsat(&t, &conjuncts));
    }

    /// Of products and masks no more is known than their bounds, and no number of 128 bits is written.
    #[test]
    fn what_is_no_sum_may_be_anything_within_its_bounds() {
        let t = Terms::new();
        let (x, y, wide) = (t.fresh_symbol(32, "x"), t.fresh_symbol(32, "y"), t.fresh_symbol(128, "w"));
        let number = |value: u128| t.constant(value, 32);
        let masked = t.binary(Op::And, x, number(7));
        assert!(is_unsat(&t, &[t.eq(masked, t.add(y, number(9))), t.ule(y, number(3))]));
        assert!(!is_unsat(&t, &[t.eq(t.mul(x, y), number(7)), t.eq(t.mul(y, x), t.add(x, number(1)))]));
        let sum = t.add(wide, t.constant(1, 128));
        assert!(!is_unsat(&t, &[t.ult(sum, wide), t.not(t.eq(wide, t.constant(mask(128), 128)))]));
    }
}
