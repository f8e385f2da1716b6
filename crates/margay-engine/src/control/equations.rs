//! Equations between polynomials that hold of numbers sampled at loop heads. These are guesses: what a few runs have in common.
//!
//! Source: polynomial invariants from runs (Sharma, Gupta, Hariharan, Aiken, Liang, Nori, ESOP'13; DIG of Nguyen, Kapur, Weimer,
//! Forrest, ICSE'12): an equation is a vector that all vectors of products are orthogonal to. Computed modulo a prime.

use super::clauses::Clauses;
use super::houdini::Conditions;
use super::samples::Samples;
use crate::smt::{Term, Terms, to_signed};

/// Products in one equation.
const MOST_PRODUCTS: usize = 60;

/// The highest degree of a product.
pub const HIGHEST_DEGREE: usize = 3;

/// So many more points than products, or what holds of them is chance.
const SPARE_POINTS: usize = 6;

/// Coefficients of equations, and what they are divided by at most.
const LARGEST: i128 = 100_000;
const LARGEST_DIVISOR: u128 = 720;

/// Parts of violations that points are distinguished by.
const MOST_PARTS: usize = 6;

/// A prime.
const PRIME: u128 = (1 << 61) - 1;

/// A product: how often each number occurs in it.
type Product = Vec<u32>;

/// What to try of predicates that were sampled: equations up to a degree, and those that hold where something does that a violation
/// needs.
pub fn equations(clauses: &Clauses, samples: &Samples, degree: usize) -> Conditions {
    let mut conditions = Conditions::none(clauses);
    let terms = &clauses.context.terms;
    for (index, points) in samples.0.iter().enumerate() {
        let arguments = &clauses.predicates[index].arguments;
        let all: Vec<&Vec<u128>> = points.iter().collect();
        conditions.add(index, among(terms, arguments, &all, degree));
        for part in clauses.violations_from(index).flatten().take(MOST_PARTS) {
            let with: Vec<&Vec<u128>> =
                points.iter().filter(|point| samples.value(clauses, index, point, part) == 1).collect();
            if with.len() < points.len() {
                let found = among(terms, arguments, &with, degree);
                conditions.add(index, found.into_iter().map(|equation| terms.implies(part, equation)));
            }
        }
    }
    conditions
}

/// Equations that hold of all these points.
fn among(terms: &Terms, arguments: &[Term], points: &[&Vec<u128>], degree: usize) -> Vec<Term> {
    let (places, numbers): (Vec<usize>, Vec<Term>) =
        arguments.iter().copied().enumerate().filter(|(_, argument)| terms.width(*argument) > 1).unzip();
    let Some(width) = numbers.iter().map(|number| terms.width(*number)).max() else { return Vec::new() };
    let signed = |point: &&Vec<u128>| -> Vec<i128> {
        places.iter().zip(&numbers).map(|(place, number)| to_signed(point[*place], terms.width(*number))).collect()
    };
    let points: Vec<Vec<i128>> = points.iter().map(signed).collect();
    let numbers: Vec<Term> = numbers.into_iter().map(|number| terms.sext(number, width)).collect();
    let found = of_points(&points, numbers.len(), degree);
    found.iter().map(|equation| as_term(terms, &numbers, width, equation)).collect()
}

/// An equation: products with coefficients whose sum is 0.
pub(super) type Equation = Vec<(Product, i128)>;

/// Equations of ascending degree that hold of all points. A number that one of them gives is in no later one.
pub(super) fn of_points(points: &[Vec<i128>], numbers: usize, highest: usize) -> Vec<Equation> {
    let mut free: Vec<usize> = (0..numbers).collect();
    let mut found = Vec::new();
    for degree in 1..=highest {
        let products = products(&free, numbers, degree);
        if products.len() > MOST_PRODUCTS || points.len() < products.len() + SPARE_POINTS {
            break;
        }
        let rows = points.iter().map(|point| products.iter().map(|product| value(product, point)).collect()).collect();
        let vectors = orthogonal(rows, products.len());
        for coefficients in vectors.iter().filter_map(|vector| small(vector)) {
            let parts = products.iter().cloned().zip(coefficients).filter(|(_, coefficient)| *coefficient != 0);
            let equation: Equation = parts.collect();
            if let Some(given) = free.iter().rposition(|number| gives(&equation, *number)) {
                free.remove(given);
            }
            found.push(equation);
        }
    }
    found
}

/// Whether a number stands alone in one product, with a coefficient of 1 or -1, and in no other.
fn gives(equation: &Equation, number: usize) -> bool {
    let with: Vec<&(Product, i128)> = equation.iter().filter(|(product, _)| product[number] > 0).collect();
    matches!(with[..], [(product, -1 | 1)] if product.iter().sum::<u32>() == 1)
}

/// All products of these numbers up to a degree, small ones first.
fn products(free: &[usize], numbers: usize, degree: usize) -> Vec<Product> {
    let mut all = vec![vec![0; numbers]];
    let mut last: Vec<(Product, usize)> = vec![(vec![0; numbers], 0)];
    for _ in 0..degree {
        let longer = last.iter().flat_map(|(product, from)| {
            (*from..free.len()).map(move |next| {
                let mut product = product.clone();
                product[free[next]] += 1;
                (product, next)
            })
        });
        last = longer.take(MOST_PRODUCTS + 1).collect();
        all.extend(last.iter().map(|(product, _)| product.clone()));
    }
    all
}

fn value(product: &Product, point: &[i128]) -> u128 {
    let powers = product.iter().zip(point).flat_map(|(times, number)| (0..*times).map(move |_| *number));
    powers.fold(1, |value, number| value * modulo(number) % PRIME)
}

fn modulo(number: i128) -> u128 {
    number.rem_euclid(PRIME as i128) as u128
}

/// A basis of the vectors whose product with each row is 0.
fn orthogonal(mut rows: Vec<Vec<u128>>, columns: usize) -> Vec<Vec<u128>> {
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..columns {
        let next = pivots.len();
        let Some(found) = (next..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(next, found);
        let inverse = power(rows[next][column], PRIME - 2);
        rows[next].iter_mut().for_each(|entry| *entry = *entry * inverse % PRIME);
        let pivot = rows[next].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != next) {
            let factor = PRIME - row[column];
            row.iter_mut().zip(&pivot).for_each(|(entry, own)| *entry = (*entry + factor * own) % PRIME);
        }
        pivots.push(column);
    }
    let free = (0..columns).filter(|column| !pivots.contains(column));
    let vector = |column: usize| {
        let mut vector = vec![0; columns];
        vector[column] = 1;
        pivots.iter().zip(&rows).for_each(|(pivot, row)| vector[*pivot] = (PRIME - row[column]) % PRIME);
        vector
    };
    free.map(vector).collect()
}

fn power(mut base: u128, mut exponent: u128) -> u128 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

/// A multiple of the vector with small integers.
fn small(vector: &[u128]) -> Option<Vec<i128>> {
    let centred = |value: u128| if value > PRIME / 2 { value as i128 - PRIME as i128 } else { value as i128 };
    (1..=LARGEST_DIVISOR).find_map(|divisor| {
        let multiple = vector.iter().map(|entry| centred(entry * divisor % PRIME));
        multiple.map(|entry| (entry.abs() <= LARGEST).then_some(entry)).collect()
    })
}

fn as_term(terms: &Terms, numbers: &[Term], width: u32, equation: &Equation) -> Term {
    let product = |(product, coefficient): &(Product, i128)| {
        let powers = product.iter().zip(numbers).flat_map(|(times, number)| (0..*times).map(move |_| *number));
        powers.fold(terms.signed_constant(*coefficient, width), |left, right| terms.mul(left, right))
    };
    let zero = terms.constant(0, width);
    let sum = equation.iter().map(product).fold(zero, |left, right| terms.add(left, right));
    terms.eq(sum, zero)
}
