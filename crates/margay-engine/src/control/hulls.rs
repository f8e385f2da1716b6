//! Inequalities between sums of few numbers that hold of numbers sampled at loop heads: `count <= nodes`, `count - prev - cur <= 1`;
//! and remainders that all have in common: `nodes % 2 == 0`. These are guesses: what a few runs have in common.
//!
//! Source: octahedra (Clarisó, Cortadella, SAS'04), with the bounds of sampled points as templates have them (Sankaranarayanan, Sipma,
//! Manna, VMCAI'05); congruences (Granger, 1989).

use super::clauses::Clauses;
use super::houdini::Conditions;
use super::samples::Samples;
use crate::smt::{Term, Terms, to_signed};

/// Numbers in one sum, and in one of a predicate with more than [`MANY`] numbers.
const LONGEST: usize = 4;
const LONGEST_OF_MANY: usize = 2;
const MANY: usize = 8;

/// Inequalities for one predicate.
const MOST: usize = 60;

/// So many points lie on a bound, or it is chance: or all of them, where there are fewer.
const LEAST_ON_BOUND: usize = 3;

/// Bounds beyond this are those of inputs that were chosen, but where all points lie on them.
const LARGEST: i128 = 8;

/// Remainders by numbers up to this are looked at.
const LARGEST_MODULUS: u128 = 8;

/// A sum has so many more bits than its numbers: it does not wrap. Wider numbers than [`WIDEST`] are mostly small.
const SPARE_BITS: u32 = 3;
const WIDEST: u32 = 64;

/// A sum of numbers, each added or subtracted: signs by number, 0 for those that are not in it. It is at most `bound`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inequality {
    pub signs: Vec<i8>,
    pub bound: i128,
}

/// What to try of predicates that were sampled.
pub fn hulls(clauses: &Clauses, samples: &Samples) -> Conditions {
    let mut conditions = Conditions::none(clauses);
    let terms = &clauses.context.terms;
    for (index, (predicate, points)) in clauses.predicates.iter().zip(&samples.0).enumerate() {
        let (places, numbers): (Vec<usize>, Vec<Term>) =
            predicate.arguments.iter().copied().enumerate().filter(|(_, argument)| terms.width(*argument) > 1).unzip();
        let Some(width) = numbers.iter().map(|number| terms.width(*number)).max() else { continue };
        let signed = |point: &Vec<u128>| -> Vec<i128> {
            places.iter().zip(&numbers).map(|(place, number)| to_signed(point[*place], terms.width(*number))).collect()
        };
        let points: Vec<Vec<i128>> = points.iter().map(signed).collect();
        let found = of_points(&points, numbers.len());
        conditions.add(index, found.iter().map(|inequality| as_term(terms, &numbers, width, inequality)));
        for (place, number) in numbers.iter().enumerate() {
            let all = points.iter().map(|point| point[place]);
            if let Some((modulus, remainder)) = common_remainder(all) {
                let own = terms.width(*number);
                let rest = terms.urem(*number, terms.constant(modulus, own));
                conditions.add(index, [terms.eq(rest, terms.constant(remainder, own))]);
            }
        }
    }
    conditions
}

/// Inequalities that hold of all points, short ones first, without those that follow from two shorter ones.
pub(super) fn of_points(points: &[Vec<i128>], numbers: usize) -> Vec<Inequality> {
    let longest = if numbers > MANY { LONGEST_OF_MANY } else { LONGEST.min(numbers) };
    let mut found: Vec<Inequality> = Vec::new();
    for length in 1..=longest {
        let mut own = Vec::new();
        for signs in sums(numbers, length) {
            let value = |point: &Vec<i128>| -> i128 {
                signs.iter().zip(point).map(|(sign, number)| i128::from(*sign) * number).sum()
            };
            let Some(bound) = points.iter().map(value).max() else { return found };
            let on_bound = points.iter().filter(|point| value(point) == bound).count();
            if on_bound < points.len() && (bound.abs() > LARGEST || on_bound < LEAST_ON_BOUND) {
                continue;
            }
            let inequality = Inequality { signs, bound };
            if !follows(&inequality, &found) {
                own.push(inequality);
            }
        }
        found.extend(own);
    }
    found.truncate(MOST);
    found
}

/// The largest modulus by which all of these have one remainder, and that: not where all are equal, few or negative.
pub(super) fn common_remainder(mut numbers: impl Iterator<Item = i128>) -> Option<(u128, u128)> {
    let first = u128::try_from(numbers.next()?).ok()?;
    let mut distinct = std::collections::BTreeSet::from([first]);
    for number in numbers {
        distinct.insert(u128::try_from(number).ok()?);
    }
    let has_one = |modulus: &u128| distinct.iter().all(|number| number % modulus == first % modulus);
    let modulus = (2..=LARGEST_MODULUS).rev().find(has_one)?;
    (distinct.len() > LEAST_ON_BOUND).then_some((modulus, first % modulus))
}

/// All sums of so many of the numbers.
fn sums(numbers: usize, length: usize) -> Vec<Vec<i8>> {
    let mut all = vec![vec![0_i8; numbers]];
    for number in 0..numbers {
        let longer: Vec<Vec<i8>> = all
            .iter()
            .filter(|signs| signs.iter().filter(|sign| **sign != 0).count() < length)
            .flat_map(|signs| {
                [1, -1].map(|sign| {
                    let mut signs = signs.clone();
                    signs[number] = sign;
                    signs
                })
            })
            .collect();
        all.extend(longer);
    }
    all.retain(|signs| signs.iter().filter(|sign| **sign != 0).count() == length);
    all
}

/// Whether it is the sum of a known one and of what is known of the rest.
fn follows(inequality: &Inequality, known: &[Inequality]) -> bool {
    let is_part =
        |part: &Inequality| part.signs.iter().zip(&inequality.signs).all(|(part, whole)| *part == 0 || part == whole);
    let parts: Vec<&Inequality> = known.iter().filter(|part| is_part(part)).collect();
    parts.iter().any(|left| {
        parts.iter().any(|right| {
            let is_whole = left
                .signs
                .iter()
                .zip(&right.signs)
                .zip(&inequality.signs)
                .all(|((left, right), whole)| (*left == 0 || *right == 0) && left + right == *whole);
            is_whole && left.bound + right.bound <= inequality.bound
        })
    })
}

fn as_term(terms: &Terms, numbers: &[Term], width: u32, inequality: &Inequality) -> Term {
    let width = (width + SPARE_BITS).min(WIDEST.max(width));
    let side = |sign: i8, constant: i128| {
        let numbers = numbers.iter().zip(&inequality.signs).filter(|(_, own)| **own == sign);
        numbers
            .map(|(number, _)| terms.sext(*number, width))
            .fold(terms.signed_constant(constant, width), |sum, number| terms.add(sum, number))
    };
    terms.sle(side(1, 0.max(-inequality.bound)), side(-1, inequality.bound.max(0)))
}
