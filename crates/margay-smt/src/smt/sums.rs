//! Queries in which sums are compared: answered without a solver, as ones of integers.
//!
//! A sum of bit-vectors is the sum of the integers that its parts stand for, but for a multiple of the modulus: mostly none, where it
//! does not wrap around. So a condition has a few alternatives, of which what is known already often leaves one. Where none is
//! left, or none of all combinations, there is no model; a solution in integers is tried on the whole query.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::elimination::{MOST_UNKNOWNS, Row, System};
use super::fold::{bounds, to_signed, truncate};
use super::single::aligned;
use super::solver::{Model, Sat};
use super::term::{Node, Op, SymId, Term, Terms};

/// Beyond so many conditions a solver is not slower.
const MOST_CONDITIONS: usize = 32;

/// Beyond so many looks for a contradiction a solver is not slower.
const MOST_LOOKS: u32 = 256;

/// A condition with more alternatives is left out.
const MOST_ALTERNATIVES: usize = 12;

/// Wider values are not looked at.
const WIDEST: u32 = 64;

/// The answer to a conjunction, where it can be decided. `model` has values for symbols that no sum bounds.
pub(super) fn decide(terms: &Terms, conjuncts: &[Term], model: &Model) -> Option<Sat> {
    let conditions: Vec<Condition> = conjuncts.iter().filter_map(|part| Condition::of(terms, *part)).collect();
    (conditions.len() <= MOST_CONDITIONS).then_some(())?;
    let query = Query { terms, conjuncts, model, looks: Cell::new(MOST_LOOKS) };
    query.search(Sums::default(), conditions.iter().collect())
}

/// How two terms compare.
struct Condition {
    relation: Relation,
    left: Term,
    right: Term,
}

#[derive(Clone, Copy)]
enum Relation {
    Equal,
    Different,
    /// At most, or less, as numbers of one kind.
    Ordered {
        less: bool,
        signed: bool,
    },
}

impl Condition {
    fn of(terms: &Terms, part: Term) -> Option<Self> {
        let (atom, negated) = match terms.node(part) {
            Node::Not(inner) => (inner, true),
            _ => (part, false),
        };
        let Node::Bin(op, left, right) = terms.node(atom) else { return None };
        (2..=WIDEST).contains(&terms.width(left)).then_some(())?;
        let ordered = |less, signed| Relation::Ordered { less: less != negated, signed };
        let relation = match op {
            Op::Eq if negated => Relation::Different,
            Op::Eq => Relation::Equal,
            Op::Ult => ordered(true, false),
            Op::Ule => ordered(false, false),
            Op::Slt => ordered(true, true),
            Op::Sle => ordered(false, true),
            _ => return None,
        };
        let swapped = negated && matches!(relation, Relation::Ordered { .. });
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        Some(Self { relation, left, right })
    }
}

/// A term that is no sum, read as a signed or as an unsigned number: an unknown of the system.
#[derive(Clone, Copy, PartialEq)]
struct Number {
    term: Term,
    signed: bool,
}

/// `Σ factors[i]·xᵢ + constant` of the unknowns.
#[derive(Clone, Copy)]
struct Sum {
    factors: [i64; MOST_UNKNOWNS],
    constant: i128,
}

impl Sum {
    fn constant(constant: i128) -> Self {
        Self { factors: [0; MOST_UNKNOWNS], constant }
    }

    fn unknown(index: usize) -> Self {
        let mut sum = Self::constant(0);
        sum.factors[index] = 1;
        sum
    }

    /// `self + factor·other`, where the numbers do not grow too large.
    fn plus(mut self, factor: i64, other: &Sum) -> Option<Self> {
        for (sum, part) in self.factors.iter_mut().zip(&other.factors) {
            *sum = sum.checked_add(part.checked_mul(factor)?)?;
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor.into())?)?;
        Some(self)
    }

    /// `self ≤ bound`.
    fn at_most(&self, bound: i128) -> Option<Row> {
        Some(Row { factors: self.factors, bound: bound.checked_sub(self.constant)? })
    }

    /// `self ≥ bound`.
    fn at_least(&self, bound: i128) -> Option<Row> {
        Sum::constant(0).plus(-1, self)?.at_most(bound.checked_neg()?)
    }
}

/// The integer that a term may stand for, and when it does.
struct Value {
    sum: Sum,
    rows: Vec<Row>,
}

/// What is known of some numbers.
#[derive(Clone, Default)]
struct Sums {
    numbers: Vec<Number>,
    system: System,
}

struct Query<'q> {
    terms: &'q Terms,
    conjuncts: &'q [Term],
    model: &'q Model,
    /// So many more looks for a contradiction are taken.
    looks: Cell<u32>,
}

impl Query<'_> {
    /// The answer to what is known and these conditions. Where one is left out there may seem to be a model, which is tried on all.
    fn search(&self, mut sums: Sums, mut conditions: Vec<&Condition>) -> Option<Sat> {
        let alternatives = loop {
            let (before, mut open) = (conditions.len(), Vec::new());
            let mut first = None;
            for condition in conditions {
                let Some(mut alternatives) = self.alternatives(&mut sums, condition) else { continue };
                alternatives.retain(|rows| !self.contradict(&sums, rows));
                match &alternatives[..] {
                    [] => return Some(Sat::Unsat),
                    [rows] => rows.iter().for_each(|row| sums.system.add(*row)),
                    _ => {
                        open.push(condition);
                        first.get_or_insert(alternatives);
                    }
                }
            }
            self.link(&mut sums);
            conditions = open;
            match first {
                Some(first) if conditions.len() == before => break first,
                Some(_) => {}
                None => return self.solve(&sums),
            }
        };
        let mut is_open = false;
        for rows in alternatives {
            let mut sums = sums.clone();
            rows.into_iter().for_each(|row| sums.system.add(row));
            match self.search(sums, conditions[1..].to_vec()) {
                Some(Sat::Unsat) => {}
                Some(answer) => return Some(answer),
                None => is_open = true,
            }
            if self.looks.get() == 0 {
                return None;
            }
        }
        (!is_open).then_some(Sat::Unsat)
    }

    /// The answer to what is known.
    fn solve(&self, sums: &Sums) -> Option<Sat> {
        if sums.system.contradicts(&[]) {
            return Some(Sat::Unsat);
        }
        let mut found = None;
        sums.system.solution(&mut |values| {
            let model = self.model(sums, values);
            let fits = model.satisfies(self.terms, self.conjuncts);
            found = fits.then_some(model);
            fits
        });
        found.map(Sat::Sat)
    }

    /// Whether rows are seen to contradict what is known.
    fn contradict(&self, sums: &Sums, rows: &[Row]) -> bool {
        let Some(left) = self.looks.get().checked_sub(1) else { return false };
        self.looks.set(left);
        sums.system.contradicts(rows)
    }

    /// A condition as what some alternative says, likely ones first.
    fn alternatives(&self, sums: &mut Sums, condition: &Condition) -> Option<Vec<Vec<Row>>> {
        let signed = !matches!(condition.relation, Relation::Ordered { signed: false, .. });
        let (lefts, rights) = (self.values(sums, condition.left, signed)?, self.values(sums, condition.right, signed)?);
        let mut alternatives = Vec::new();
        for left in &lefts {
            for right in &rights {
                let difference = left.sum.plus(-1, &right.sum)?;
                let rows: Vec<Row> = left.rows.iter().chain(&right.rows).copied().collect();
                let with = |more: &[Row]| [&rows[..], more].concat();
                match condition.relation {
                    Relation::Ordered { less, .. } => {
                        alternatives.push(with(&[difference.at_most(-i128::from(less))?]))
                    }
                    Relation::Equal => alternatives.push(with(&[difference.at_most(0)?, difference.at_least(0)?])),
                    Relation::Different => {
                        alternatives.extend([with(&[difference.at_most(-1)?]), with(&[difference.at_least(1)?])]);
                    }
                }
            }
        }
        (alternatives.len() <= MOST_ALTERNATIVES).then_some(alternatives)
    }

    /// The numbers that a term may stand for, likely ones first.
    fn values(&self, sums: &mut Sums, term: Term, signed: bool) -> Option<Vec<Value>> {
        let terms = self.terms;
        let width = terms.width(term);
        let alone = |sum: Sum| vec![Value { sum, rows: Vec::new() }];
        match terms.node(term) {
            Node::Const(value) => {
                Some(alone(Sum::constant(if signed { to_signed(value, width) } else { value as i128 })))
            }
            Node::ZeroExt(inner) if terms.width(inner) > 1 => self.values(sums, inner, false),
            Node::SignExt(inner) if signed && terms.width(inner) > 1 => self.values(sums, inner, true),
            _ => {
                let linear = terms.linear(term);
                if linear.parts[..] == [(1, term)] && linear.constant == 0 {
                    return Some(alone(self.number(sums, term, signed)?));
                }
                let mut values = alone(Sum::constant(to_signed(linear.constant, width)));
                for (factor, part) in linear.parts {
                    let factor = i64::try_from(to_signed(factor, width)).ok()?;
                    let parts = self.values(sums, part, signed)?;
                    let mut with = Vec::new();
                    for (value, part) in values.iter().flat_map(|value| parts.iter().map(move |part| (value, part))) {
                        let rows = [&value.rows[..], &part.rows].concat();
                        with.push(Value { sum: value.sum.plus(factor, &part.sum)?, rows });
                    }
                    values = with;
                    (values.len() <= MOST_ALTERNATIVES).then_some(())?;
                }
                let mut wrapped = Vec::new();
                for value in values {
                    wrapped.extend(self.within(sums, value, bounds(width, signed))?);
                }
                Some(wrapped)
            }
        }
    }

    /// A number less the multiple of the modulus that brings it within bounds: none, or one modulus up or down.
    fn within(&self, sums: &Sums, value: Value, (low, high): (i128, i128)) -> Option<Vec<Value>> {
        let modulus = high - low + 1;
        let is_out = |row: Row| self.contradict(sums, &[&value.rows[..], &[row]].concat());
        let (never_above, never_below) = (is_out(value.sum.at_least(high + 1)?), is_out(value.sum.at_most(low - 1)?));
        if never_above && never_below {
            return Some(vec![value]);
        }
        let is_near = (never_above || is_out(value.sum.at_least(high + modulus + 1)?))
            && (never_below || is_out(value.sum.at_most(low - modulus - 1)?));
        is_near.then_some(())?;
        let mut values = Vec::new();
        for (by, is_one) in [(0, true), (modulus, !never_above), (-modulus, !never_below)] {
            if is_one {
                let sum = Sum { constant: value.sum.constant.checked_sub(by)?, ..value.sum };
                let rows = [&value.rows[..], &[sum.at_least(low)?, sum.at_most(high)?]].concat();
                values.push(Value { sum, rows });
            }
        }
        Some(values)
    }

    /// The unknown that stands for a term.
    fn number(&self, sums: &mut Sums, term: Term, signed: bool) -> Option<Sum> {
        let number = Number { term, signed };
        if let Some(index) = sums.numbers.iter().position(|other| *other == number) {
            return Some(Sum::unknown(index));
        }
        (sums.numbers.len() < MOST_UNKNOWNS).then_some(())?;
        let sum = Sum::unknown(sums.numbers.len());
        sums.numbers.push(number);
        let (low, high) = if signed {
            self.terms.signed_range(term, &|_| (0, u128::MAX))
        } else {
            let (low, high) = self.terms.range(term, &|_| (0, u128::MAX));
            (low as i128, high as i128)
        };
        [sum.at_most(high)?, sum.at_least(low)?].into_iter().for_each(|row| sums.system.add(row));
        Some(sum)
    }

    /// Where a term has a signed and an unsigned number, and its sign is known, adds how they differ.
    fn link(&self, sums: &mut Sums) {
        for index in 0..sums.numbers.len() {
            let number = sums.numbers[index];
            let other = Number { signed: false, ..number };
            let place = sums.numbers.iter().position(|number| *number == other).filter(|_| number.signed);
            let Some(place) = place else { continue };
            let (signed, unsigned) = (Sum::unknown(index), Sum::unknown(place));
            let is_out = |row: Option<Row>| row.is_some_and(|row| self.contradict(sums, &[row]));
            let modulus = 1i128 << self.terms.width(number.term);
            let difference = if is_out(signed.at_most(-1)) || is_out(unsigned.at_least(modulus / 2)) {
                0
            } else if is_out(signed.at_least(0)) || is_out(unsigned.at_most(modulus / 2 - 1)) {
                modulus
            } else {
                continue;
            };
            let Some(sum) = unsigned.plus(-1, &signed) else { continue };
            [sum.at_most(difference), sum.at_least(difference)]
                .into_iter()
                .flatten()
                .for_each(|row| sums.system.add(row));
        }
    }

    /// Values of the symbols of all conjuncts: those of the unknowns that they are, or the ones that the given model has.
    fn model(&self, sums: &Sums, values: &[i128; MOST_UNKNOWNS]) -> Model {
        let symbols = self.conjuncts.iter().flat_map(|part| self.terms.symbols_of(*part).to_vec());
        let mut all: BTreeMap<SymId, u128> =
            symbols.map(|symbol| (symbol, self.model.value(symbol).unwrap_or(0))).collect();
        for (number, value) in sums.numbers.iter().zip(values) {
            if let Some(symbol) = self.terms.as_symbol(number.term) {
                let bits = truncate(*value as u128, self.terms.width(number.term));
                all.insert(symbol, aligned(self.terms, symbol, bits));
            }
        }
        Model::new(all)
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_tests::{is_right, picks};
    use super::super::single;
    use super::*;

    /// Conditions on sums that may wrap around, against all values of their symbols.
    #[test]
    fn agrees_with_all_values() {
        let t = Terms::new();
        let (x, y, z) = (t.fresh_symbol(4, "x"), t.fresh_symbol(4, "y"), t.fresh_symbol(2, "z"));
        let even = t.fresh_aligned_symbol(2, 1, "even");
        let [two, three, nine] = [2, 3, 9].map(|value| t.constant(value, 4));
        let sums = [
            x,
            y,
            two,
            nine,
            t.add(x, y),
            t.sub(x, y),
            t.sub(t.mul(x, two), y),
            t.add(t.mul(x, three), t.add(t.mul(y, nine), two)),
            t.sub(t.zext(z, 4), x),
            t.add(t.sext(z, 4), y),
            t.add(t.sext(even, 4), three),
            t.zext(even, 4),
            t.sext(t.add(z, even), 4),
            t.mul(x, y),
        ];
        let holds = |conjuncts: &[Term], values: u128| {
            let value_of = |symbol: SymId| match t.symbol_term(symbol) {
                s if s == x => values & 15,
                s if s == y => values >> 4 & 15,
                s if s == z => values >> 8 & 3,
                _ => (values >> 10 & 1) << 1,
            };
            conjuncts.iter().all(|part| t.evaluate(*part, &value_of) == 1)
        };
        let mut pick = picks(5);
        let (mut answers, mut open) = ([0, 0], 0);
        for round in 0..4000 {
            let mut conjuncts = Vec::new();
            for _ in 0..2 + round % 5 {
                let op = [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::Slt, Op::Ult][pick(7)];
                let atom = t.binary(op, sums[pick(sums.len())], sums[pick(sums.len())]);
                let other = t.binary(Op::Slt, sums[pick(2)], sums[2 + pick(2)]);
                conjuncts.extend([
                    if pick(2) == 0 { atom } else { t.not(atom) },
                    if pick(2) == 0 { other } else { t.not(other) },
                ]);
            }
            let expected = (0..1 << 11).any(|values| holds(&conjuncts, values));
            if is_right(&t, &conjuncts, decide(&t, &conjuncts, &Model::default()), expected) {
                answers[usize::from(expected)] += 1;
            } else {
                open += 1;
            }
        }
        assert!(answers.iter().all(|count| *count > 500) && open < 2000, "{answers:?}, {open}");
    }

    /// What one condition says makes another one's sum one of integers; where nothing does, it is left alone.
    #[test]
    fn sums_that_wrap_around_are_left_alone() {
        let t = Terms::new();
        let (x, y) = (t.fresh_symbol(32, "x"), t.fresh_symbol(32, "y"));
        let zero = t.constant(0, 32);
        let decide = |conjuncts: &[Term]| decide(&t, conjuncts, &Model::default());
        // x ≥ y ≥ 0 and x < x − y: it is none of bit-vectors either.
        let ordered = [t.sle(zero, y), t.sle(y, x)];
        let less = t.slt(x, t.sub(x, y));
        assert_eq!(decide(&[&ordered[..], &[less]].concat()), Some(Sat::Unsat));
        // Without them x − y may wrap around.
        let answer = decide(&[less]);
        assert!(answer.is_none_or(|answer| answer.is_sat()));
        // x < x + 1 fails for the greatest number only.
        let greatest = t.constant(0x7fff_ffff, 32);
        let is_not_less = t.sle(t.add_constant(x, 1), x);
        assert_eq!(decide(&[is_not_less, t.slt(x, greatest)]), Some(Sat::Unsat));
        assert!(decide(&[is_not_less]).is_none_or(|answer| answer.is_sat()));
    }

    /// Conditions on one symbol and on two, against all values.
    #[test]
    fn orders_agree_with_all_values() {
        let t = Terms::new();
        let width = 3;
        let symbols: Vec<Term> = (0..4).map(|_| t.fresh_symbol(width, "x")).collect();
        let mut pick = picks(3);
        let (mut answers, mut open) = ([0, 0], 0);
        for round in 0..3000 {
            let mut conjuncts = Vec::new();
            for _ in 0..3 + round % 4 {
                let other = if pick(3) == 0 { t.constant(pick(8) as u128, width) } else { symbols[pick(4)] };
                let op = match round % 3 {
                    0 => [Op::Slt, Op::Sle, Op::Eq][pick(3)],
                    1 => [Op::Ult, Op::Ule, Op::Eq][pick(3)],
                    _ => [Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::Eq][pick(5)],
                };
                let atom = t.binary(op, symbols[pick(4)], other);
                conjuncts.push(if pick(2) == 0 { atom } else { t.not(atom) });
            }
            conjuncts.retain(|part| t.as_const(*part).is_none());
            let value_of = |all: u128, symbol: SymId| {
                let place = symbols.iter().position(|other| *other == t.symbol_term(symbol)).expect("one of these");
                all >> (3 * place) & 7
            };
            let expected =
                (0..1 << 12).any(|all| conjuncts.iter().all(|part| t.evaluate(*part, &|s| value_of(all, s)) == 1));
            if is_right(&t, &conjuncts, single::decide(&t, &conjuncts), expected) {
                answers[usize::from(expected)] += 1;
            } else {
                open += 1;
            }
        }
        assert!(answers.iter().all(|count| *count > 400) && open < 1000, "{answers:?}, {open}");
    }

    /// Chains that come round, and bounds at the other end of a chain.
    #[test]
    fn chains_are_followed_to_their_ends() {
        let t = Terms::new();
        let symbols: Vec<Term> = (0..8).map(|_| t.fresh_symbol(32, "x")).collect();
        let mut chain: Vec<Term> = symbols.windows(2).map(|pair| t.slt(pair[0], pair[1])).collect();
        let answer = single::decide(&t, &chain);
        assert!(answer.and_then(Sat::model).is_some_and(|model| model.satisfies(&t, &chain)));
        let bounds = |least: u128| [t.slt(t.constant(least, 32), symbols[0]), t.slt(symbols[7], t.constant(18, 32))];
        assert!(single::decide(&t, &[&chain[..], &bounds(9)].concat()).is_some_and(|answer| answer.is_sat()));
        assert_eq!(single::decide(&t, &[&chain[..], &bounds(10)].concat()), Some(Sat::Unsat));
        chain.push(t.sle(symbols[7], symbols[0]));
        assert_eq!(single::decide(&t, &chain), Some(Sat::Unsat));
    }
}
