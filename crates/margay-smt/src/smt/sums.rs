//! Queries in which sums are compared: answered without a solver, as ones of integers.
//!
//! A sum of bit-vectors is the sum of the integers that its parts stand for, but for a multiple of the modulus: mostly none, where it
//! does not wrap around. So a condition has a few alternatives, of which what is known already often leaves one. Where none is
//! left, or none of all combinations, there is no model; a solution in integers is tried on the whole query.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::elimination::{MOST_UNKNOWNS, Row, System};
use super::fold::{bounds, to_signed, truncate};
use super::quotients::Division;
use super::single::aligned;
use super::solver::{Model, Sat};
use super::term::{Node, Op, SymId, Term, Terms};

/// Beyond so many conditions a solver is not slower.
const MOST_CONDITIONS: usize = 32;

/// Beyond so many looks for a contradiction a solver is not slower.
const MOST_LOOKS: u32 = 256;

/// So many solutions in integers are tried on the whole query.
const MOST_TRIES: u32 = 128;

/// A condition with more alternatives is left out.
const MOST_ALTERNATIVES: usize = 12;

/// Of so many comparisons one may hold in one condition.
const MOST_COMPARISONS: usize = 4;

/// Wider values are not looked at.
const WIDEST: u32 = 64;

/// The answer to a conjunction, where it can be decided. `model` has values for symbols that no sum bounds.
pub(super) fn decide(terms: &Terms, conjuncts: &[Term], model: &Model) -> Option<Sat> {
    let conditions: Vec<Condition> = conjuncts.iter().filter_map(|part| Condition::of(terms, *part, false)).collect();
    (conditions.len() <= MOST_CONDITIONS).then_some(())?;
    let (looks, tries, failed) = (Cell::new(MOST_LOOKS), Cell::new(MOST_TRIES), Cell::new(0));
    let query = Query { terms, conjuncts, model, looks, tries, failed };
    query.search(Sums::default(), conditions.iter().collect())
}

/// Comparisons of which one holds.
struct Condition(Vec<Comparison>);

/// How two terms compare.
struct Comparison {
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
    /// What the term says, or its negation.
    fn of(terms: &Terms, part: Term, negated: bool) -> Option<Self> {
        match terms.node(part) {
            Node::Not(inner) => Self::of(terms, inner, !negated),
            // Of a conjunction that does not hold one part does not.
            Node::Bin(op @ (Op::And | Op::Or), left, right) if negated == (op == Op::And) => {
                let [left, right] = [left, right].map(|part| Self::of(terms, part, negated));
                let all: Vec<Comparison> = left?.0.into_iter().chain(right?.0).collect();
                (all.len() <= MOST_COMPARISONS).then_some(Self(all))
            }
            _ => Some(Self(vec![Comparison::of(terms, part, negated)?])),
        }
    }
}

impl Comparison {
    fn of(terms: &Terms, atom: Term, negated: bool) -> Option<Self> {
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
    /// So many numbers were asked whether they are quotients or remainders.
    divided: usize,
}

struct Query<'q> {
    terms: &'q Terms,
    conjuncts: &'q [Term],
    model: &'q Model,
    /// So many more looks for a contradiction are taken.
    looks: Cell<u32>,
    /// So many more solutions in integers are tried.
    tries: Cell<u32>,
    /// The position of the conjunct that the last solution did not fulfil: the next one likely does not either.
    failed: Cell<usize>,
}

impl Query<'_> {
    /// The answer to what is known and these conditions. Where one is left out there may seem to be a model, which is tried on all.
    fn search(&self, mut sums: Sums, mut conditions: Vec<&Condition>) -> Option<Sat> {
        let alternatives = loop {
            let (before, mut open, mut left_out) = (conditions.len(), Vec::new(), Vec::new());
            let mut first = None;
            for condition in conditions {
                let Some(mut alternatives) = self.alternatives(&mut sums, condition) else {
                    left_out.push(condition);
                    continue;
                };
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
            let is_divided = self.divide(&mut sums);
            conditions = open;
            match first {
                // More is known of the numbers in those that were left out.
                _ if is_divided => conditions.extend(left_out),
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
            let Some(left) = self.tries.get().checked_sub(1) else { return false };
            self.tries.set(left);
            let model = self.model(sums, values);
            let fits = self.fits(&model);
            found = fits.then_some(model);
            fits
        });
        found.map(Sat::Sat)
    }

    /// Whether the model is one of the whole query.
    fn fits(&self, model: &Model) -> bool {
        let likely = self.conjuncts.get(self.failed.get()).copied();
        if likely.is_some_and(|conjunct| model.evaluate(self.terms, conjunct) != 1) {
            return false;
        }
        if let Some(failed) = model.first_false(self.terms, self.conjuncts) {
            self.failed.set(failed);
            return false;
        }
        model.is_aligned(self.terms)
    }

    /// Whether rows are seen to contradict what is known.
    fn contradict(&self, sums: &Sums, rows: &[Row]) -> bool {
        let Some(left) = self.looks.get().checked_sub(1) else { return false };
        self.looks.set(left);
        sums.system.contradicts(rows)
    }

    /// A condition as what some alternative says, likely ones first.
    fn alternatives(&self, sums: &mut Sums, condition: &Condition) -> Option<Vec<Vec<Row>>> {
        let mut alternatives = Vec::new();
        for comparison in &condition.0 {
            alternatives.extend(self.comparison(sums, comparison)?);
        }
        (alternatives.len() <= MOST_ALTERNATIVES).then_some(alternatives)
    }

    fn comparison(&self, sums: &mut Sums, comparison: &Comparison) -> Option<Vec<Vec<Row>>> {
        let &Comparison { relation, left, right } = comparison;
        let signed = !matches!(relation, Relation::Ordered { signed: false, .. });
        let (lefts, rights) = (self.values(sums, left, signed)?, self.values(sums, right, signed)?);
        let mut alternatives = Vec::new();
        for left in &lefts {
            for right in &rights {
                let difference = left.sum.plus(-1, &right.sum)?;
                let rows: Vec<Row> = left.rows.iter().chain(&right.rows).copied().collect();
                let with = |more: &[Row]| [&rows[..], more].concat();
                match relation {
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
        Some(alternatives)
    }

    /// The numbers that a term may stand for, likely ones first.
    fn values(&self, sums: &mut Sums, term: Term, signed: bool) -> Option<Vec<Value>> {
        let terms = self.terms;
        let width = terms.width(term);
        // What is divided, or cut, may be wider than what is compared.
        (width <= WIDEST).then_some(())?;
        let alone = |sum: Sum| vec![Value { sum, rows: Vec::new() }];
        match terms.node(term) {
            Node::Const(value) => {
                Some(alone(Sum::constant(if signed { to_signed(value, width) } else { value as i128 })))
            }
            Node::ZeroExt(inner) if terms.width(inner) > 1 => self.values(sums, inner, false),
            Node::SignExt(inner) if terms.width(inner) > 1 => {
                let values = self.values(sums, inner, true)?;
                if signed { Some(values) } else { self.all_within(sums, values, bounds(width, false)) }
            }
            // What is small stays what it is when it is cut.
            Node::Extract { lo: 0, of, .. } if self.is_small(of, bounds(width, signed), signed) => {
                self.values(sums, of, signed)
            }
            Node::Extract { lo: 0, of, .. } if !signed && self.is_small(of, bounds(width, true), true) => {
                let values = self.values(sums, of, true)?;
                self.all_within(sums, values, bounds(width, false))
            }
            Node::Bin(Op::SDiv | Op::SRem, _, by) if !signed && terms.as_const(by).is_some() => {
                let values = self.values(sums, term, true)?;
                self.all_within(sums, values, bounds(width, false))
            }
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
                self.all_within(sums, values, bounds(width, signed))
            }
        }
    }

    fn all_within(&self, sums: &Sums, values: Vec<Value>, bounds: (i128, i128)) -> Option<Vec<Value>> {
        let mut all = Vec::new();
        for value in values {
            all.extend(self.within(sums, value, bounds)?);
        }
        Some(all)
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

    /// Whether the term is seen to be within bounds, read as a signed or as an unsigned number.
    fn is_small(&self, term: Term, (least, most): (i128, i128), signed: bool) -> bool {
        let (low, high) = self.range(term, signed);
        self.terms.width(term) <= WIDEST && least <= low && high <= most
    }

    /// The bounds that a term has by itself.
    fn range(&self, term: Term, signed: bool) -> (i128, i128) {
        if signed {
            return self.terms.signed_range(term, &|_| (0, u128::MAX));
        }
        let (low, high) = self.terms.range(term, &|_| (0, u128::MAX));
        (low as i128, high as i128)
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
        let (low, high) = self.range(term, signed);
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

    /// Adds what numbers that are quotients or remainders by constants have to do with what is divided, where that is one sum; whether
    /// this was not known of all of them before. Later than other numbers: there is room for few.
    fn divide(&self, sums: &mut Sums) -> bool {
        let (from, before) = (std::mem::replace(&mut sums.divided, sums.numbers.len()), sums.numbers.len());
        let mut is_new = false;
        for index in 0..before {
            let Number { term, signed } = sums.numbers[index];
            let Some(division) = Division::of(self.terms, term, signed) else { continue };
            let Some(rows) = self.division(sums, index, &division) else { continue };
            rows.into_iter().for_each(|row| sums.system.add(row));
            is_new |= index >= from;
        }
        is_new || sums.numbers.len() > before
    }

    /// What whole numbers say of the division that the number at `index` comes from.
    fn division(&self, sums: &mut Sums, index: usize, division: &Division) -> Option<Vec<Row>> {
        let &Division { dividend, divisor, signed, truncates, quotient } = division;
        let mut rows = Vec::new();
        let mut the_only = |sums: &mut Sums, term: Term| {
            let [value] = <[Value; 1]>::try_from(self.values(sums, term, signed)?).ok()?;
            rows.extend(value.rows);
            Some(value.sum)
        };
        let dividend = the_only(sums, dividend)?;
        let number = Sum::unknown(index);
        let rest = match quotient {
            None => dividend.plus(-divisor, &number)?,
            Some(quotient) => {
                if let Some(quotient) = the_only(sums, quotient) {
                    let nothing = dividend.plus(-divisor, &quotient)?.plus(-1, &number)?;
                    rows.extend([nothing.at_most(0)?, nothing.at_least(0)?]);
                }
                number
            }
        };
        let most = i128::from(divisor) - 1;
        let is_out = |row: Row| self.contradict(sums, &[row]);
        let is_positive = !truncates || is_out(dividend.at_most(-1)?);
        let is_negative = truncates && is_out(dividend.at_least(1)?);
        rows.extend([
            rest.at_most(if is_negative { 0 } else { most })?,
            rest.at_least(if is_positive { 0 } else { -most })?,
        ]);
        Some(rows)
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
