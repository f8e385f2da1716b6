//! Linear equations that always hold of a state's numbers: that what was visited of a list and what is left are all there was, that two
//! counters together count its nodes.
//!
//! Each visit's state is abstracted to the best of these (Karr, "Affine relationships among variables of a program", 1976; Reps,
//! Sagiv and Yorsh, "Symbolic implementation of the best transformer", 2004): the equations that hold of all samples so far, the values
//! that models give to the numbers, are asked of the state; a model in which one does not hold is one more sample. A sample that
//! tells anything new leaves one equation fewer, so there are at most as many as numbers, in all visits together.

use super::limits::{GREATEST_FACTOR, GREATEST_REST, MOST_PARTS, MOST_SUMMED};
use super::orders::Line;
use crate::heap::Context;
use crate::smt::{Model, Sat, Term};

/// `number * times = sum of the parts (factor, number) + rest`; numbers by their positions, and never negative.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Equation {
    number: usize,
    times: i128,
    parts: Vec<(i128, usize)>,
    rest: i128,
}

/// What was seen of the numbers of one shape, and which equations hold of all that.
#[derive(Default)]
pub(super) struct Sums {
    /// The numbers that take part.
    columns: Vec<usize>,
    samples: Samples,
    kept: Vec<Equation>,
}

impl Sums {
    /// Finds the equations that hold of the state and held of those before.
    pub fn update(&mut self, line: &Line) {
        let context = line.state.memory.context().clone();
        let columns = columns(line);
        if self.columns != columns {
            *self = Self { columns, ..Self::default() };
        }
        self.kept.clear();
        if self.samples.is_full(self.columns.len()) {
            return;
        }
        let known = line.state.memory.facts();
        let Sat::Sat(model) = context.guessing(|| context.check(&known)) else { return };
        self.learn(&context, line, &model);
        // Each model but the last adds to the rank.
        for _ in 0..=self.columns.len() {
            let equations = self.samples.equations(&self.columns);
            let mut held = Vec::new();
            let mut refuted = None;
            for equation in equations {
                match refutation(&context, &known, equation.fact(&context, line.numbers)) {
                    None => held.push(equation),
                    Some(Sat::Sat(model)) => {
                        refuted = Some(model);
                        break;
                    }
                    Some(_) => {}
                }
            }
            let Some(model) = refuted else {
                self.kept = held;
                return;
            };
            if !self.learn(&context, line, &model) {
                return;
            }
        }
    }

    /// What the equations say of `replaced`, the numbers that take the place of those in the state.
    pub fn facts(&self, context: &Context, replaced: &[Term]) -> Vec<Term> {
        self.kept.iter().map(|equation| equation.fact(context, replaced)).collect()
    }

    /// Whether the model tells anything new.
    fn learn(&mut self, context: &Context, line: &Line, model: &Model) -> bool {
        let value = |column: &usize| model.evaluate(&context.terms, line.numbers[*column]);
        self.samples.add(std::iter::once(1).chain(self.columns.iter().map(value)).map(residue).collect())
    }
}

/// What the solver says of the negation of `fact`, if not that there is nothing.
fn refutation(context: &Context, known: &[Term], fact: Term) -> Option<Sat> {
    if context.terms.is_true(fact) {
        return None;
    }
    let mut query = known.to_vec();
    query.push(context.terms.not(fact));
    let answer = context.guessing(|| context.check(&query));
    Some(answer).filter(|answer| !answer.is_unsat())
}

/// The numbers that may take part: those that others are told by first.
fn columns(line: &Line) -> Vec<usize> {
    let mut columns: Vec<usize> =
        (0..line.holes.len()).filter(|index| line.is_index(*index) || line.is_size(*index)).collect();
    columns.sort_by_key(|index| (line.is_size(*index), line.is_count(*index)));
    columns.truncate(MOST_SUMMED);
    columns
}

impl Equation {
    fn fact(&self, context: &Context, numbers: &[Term]) -> Term {
        let terms = &context.terms;
        let all = || self.parts.iter().map(|(_, part)| *part).chain([self.number]);
        let width = all().map(|part| terms.width(numbers[part])).max().unwrap_or(1);
        let scaled = |factor: i128, part: usize| {
            terms.mul(terms.signed_constant(factor, width), terms.zext(numbers[part], width))
        };
        let rest = terms.signed_constant(self.rest, width);
        let sum = self.parts.iter().fold(rest, |sum, (factor, part)| terms.add(sum, scaled(*factor, *part)));
        terms.eq(scaled(self.times, self.number), sum)
    }
}

/// Samples, each after a one, as the rows of a matrix in reduced echelon form; modulo [`PRIME`], so that nothing overflows. An
/// equation that only holds there is refuted like any other.
#[derive(Default)]
struct Samples {
    /// The column of each row's first number, which is one, and the row.
    rows: Vec<(usize, Vec<u64>)>,
}

const PRIME: u64 = (1 << 61) - 1;

/// Denominators of the factors in equations.
const MOST_TIMES: i128 = 8;

fn residue(value: u128) -> u64 {
    (value % u128::from(PRIME)) as u64
}

fn product(a: u64, b: u64) -> u64 {
    residue(u128::from(a) * u128::from(b))
}

/// The number whose product with `a`, which is not zero, is one.
fn inverse(a: u64) -> u64 {
    let (mut result, mut base, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = product(result, base);
        }
        base = product(base, base);
        exponent >>= 1;
    }
    result
}

/// `row - factor * other`.
fn subtract(row: &mut [u64], factor: u64, other: &[u64]) {
    for (own, other) in row.iter_mut().zip(other) {
        *own = residue(u128::from(*own) + u128::from(PRIME - product(factor, *other)));
    }
}

impl Samples {
    /// Whether no equation holds of all of them.
    fn is_full(&self, columns: usize) -> bool {
        self.rows.len() > columns
    }

    /// Whether the sample is no combination of others.
    fn add(&mut self, mut sample: Vec<u64>) -> bool {
        for (at, row) in &self.rows {
            let factor = sample[*at];
            subtract(&mut sample, factor, row);
        }
        let Some(first) = sample.iter().position(|value| *value != 0) else { return false };
        let scale = inverse(sample[first]);
        sample.iter_mut().for_each(|value| *value = product(*value, scale));
        for (_, row) in &mut self.rows {
            let factor = row[first];
            subtract(row, factor, &sample);
        }
        self.rows.push((first, sample));
        true
    }

    /// The equations of small numbers that hold of all samples, one for each column that earlier ones tell.
    fn equations(&self, columns: &[usize]) -> Vec<Equation> {
        let is_free = |column: &usize| self.rows.iter().all(|(at, _)| at != column);
        (1..=columns.len()).filter(is_free).filter_map(|free| self.equation(columns, free)).collect()
    }

    fn equation(&self, columns: &[usize], free: usize) -> Option<Equation> {
        let mut factors: Vec<(usize, u64)> =
            self.rows.iter().map(|(at, row)| (*at, row[free])).filter(|(_, factor)| *factor != 0).collect();
        factors.sort_unstable();
        (1..=MOST_TIMES).find_map(|times| {
            let (mut parts, mut rest) = (Vec::new(), 0);
            for &(at, factor) in &factors {
                let factor = small(product(factor, residue(times.unsigned_abs())));
                match at.checked_sub(1) {
                    None => rest = Some(factor).filter(|rest| rest.abs() <= GREATEST_REST)?,
                    Some(column) => {
                        parts.push((Some(factor).filter(|it| it.abs() <= GREATEST_FACTOR)?, columns[column]));
                    }
                }
            }
            (parts.len() <= MOST_PARTS).then_some(Equation { number: columns[free - 1], times, parts, rest })
        })
    }
}

/// The number of this residue that is closest to zero.
fn small(value: u64) -> i128 {
    if value > PRIME / 2 { i128::from(value) - i128::from(PRIME) } else { value.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(rows: &[[u128; 3]]) -> Samples {
        let mut samples = Samples::default();
        for row in rows {
            samples.add(std::iter::once(1).chain(*row).map(residue).collect());
        }
        samples
    }

    /// The equations hold of these numbers.
    fn hold(equations: &[Equation], numbers: [i128; 3]) -> bool {
        equations.iter().all(|equation| {
            let parts = equation.parts.iter().map(|(factor, part)| factor * numbers[*part]);
            equation.times * numbers[equation.number] == parts.sum::<i128>() + equation.rest
        })
    }

    #[test]
    fn equations_are_those_of_the_samples_plane() {
        // visited + left = n
        let established = samples(&[[5, 0, 5], [5, 1, 4], [9, 2, 7], [3, 3, 0]]);
        let equations = established.equations(&[0, 1, 2]);
        assert_eq!(equations, [Equation { number: 2, times: 1, parts: vec![(1, 0), (-1, 1)], rest: 0 }]);
        for n in 0..6 {
            for visited in 0..6 {
                for left in 0..6 {
                    assert_eq!(hold(&equations, [n, visited, left]), visited + left == n);
                }
            }
        }
        assert!(!established.is_full(3));
    }

    #[test]
    fn factors_may_be_fractions_and_rests_large() {
        // 2 * a = 3 * b + 1000, whatever the third one is
        let established = samples(&[[500, 0, 1], [503, 2, 1], [506, 4, 8], [509, 6, 3]]);
        let equations = established.equations(&[0, 1, 2]);
        assert_eq!(equations.len(), 1);
        for (a, b) in [(500, 0), (503, 2), (512, 8)] {
            assert!(hold(&equations, [a, b, 77]));
            assert!(!hold(&equations, [a + 1, b, 77]));
        }
    }

    #[test]
    fn nothing_holds_of_numbers_that_have_nothing_to_do_with_each_other() {
        let established = samples(&[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        assert!(established.is_full(3) && established.equations(&[0, 1, 2]).is_empty());
        let mut established = samples(&[[1, 2, 3]]);
        assert!(!established.add([1, 1, 2, 3].map(residue).to_vec()), "nothing new was added");
    }
}
