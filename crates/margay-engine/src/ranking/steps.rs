//! Expressions that follow from how long the steps are by which numbers change, where that is known.

use std::collections::BTreeSet;

use super::expressions::{Expression, Sign, Step};
use super::linear::{Linear, Number, WEIGHT_BITS};
use super::slots::Slot;

/// Different steps of a pair of numbers that are looked at.
const MOST_STEPS: usize = 6;

/// Sums of multiples that all steps decrease or leave equal, and numbers of steps of one odd length.
pub fn candidates(changing: &[Slot], common: &BTreeSet<Slot>, steps: &[Step]) -> Vec<Expression> {
    let grown = |slot| Some((slot, steps.iter().map(|step| growth(slot, step)).collect::<Option<Vec<i128>>>()?));
    let changing: Vec<Grown> = changing.iter().filter_map(grown).collect();
    let common: Vec<Grown> = common.iter().filter_map(grown).collect();
    let mut found = Vec::new();
    for (position, a) in changing.iter().enumerate() {
        found.extend(until(a, None));
        found.extend(common.iter().filter(|b| b.0 != a.0).filter_map(|b| until(a, Some(b))));
        for b in &changing[position + 1..] {
            found.extend(weighted(a, b));
        }
    }
    found
}

/// By how much the number in a slot grows along a step; `None` where that is not known.
fn growth(slot: &Slot, Step { before, after, .. }: &Step) -> Option<i128> {
    let terms = &after.memory.context().terms;
    let (old, new) = (slot.value(before)?, slot.value(after)?);
    (terms.width(old) == terms.width(new)).then(|| terms.as_signed_const(terms.sub(new, old)))?
}

/// A slot, and by how much its number grows along each step.
type Grown<'a> = (&'a Slot, Vec<i128>);

/// The sums of multiples of two numbers that fall along two of the steps and rise along none.
///
/// A step is a vector in the plane of both numbers. What decreases along all of them lies between the perpendiculars of the two outer
/// ones, and so does the sum of these two.
fn weighted((a, by_a): &Grown, (b, by_b): &Grown) -> Vec<Expression> {
    let vectors: BTreeSet<(i128, i128)> = by_a.iter().copied().zip(by_b.iter().copied()).collect();
    let vectors: Vec<(i128, i128)> = vectors.into_iter().filter(|vector| *vector != (0, 0)).collect();
    if vectors.len() < 2 || vectors.len() > MOST_STEPS {
        return Vec::new();
    }
    let most = 1_i128 << (WEIGHT_BITS - 4);
    let along = |(x, y): (i128, i128), (step_x, step_y): (i128, i128)| x * step_x + y * step_y;
    let mut factors = BTreeSet::new();
    for first in &vectors {
        for second in &vectors {
            for (sign, other_sign) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let sum = (sign * first.1 + other_sign * second.1, -sign * first.0 - other_sign * second.0);
                let is_small = sum.0.abs() < most && sum.1.abs() < most && sum.0 != 0 && sum.1 != 0;
                if is_small
                    && vectors.iter().all(|vector| along(sum, *vector) <= 0)
                    && vectors.iter().any(|vector| along(sum, *vector) < 0)
                {
                    factors.insert(sum);
                }
            }
        }
    }
    let expression = |(x, y): (i128, i128)| {
        let parts = vec![(x, Number::Of((*a).clone())), (y, Number::Of((*b).clone()))];
        let of = |sign| Expression::Linear(Linear::new(parts.clone(), sign));
        [of(Sign::Signed), of(Sign::Unsigned)]
    };
    factors.into_iter().flat_map(expression).collect()
}

/// How many steps it takes from `a` to `b`, or to zero, where all steps that change this distance have the same odd length.
fn until((a, by_a): &Grown, b: Option<&Grown>) -> Option<Expression> {
    let length = |(step, by): (usize, &i128)| by.checked_sub(b.map_or(0, |(_, by)| by[step]));
    let mut lengths = by_a.iter().enumerate().map(length).collect::<Option<BTreeSet<_>>>()?;
    lengths.remove(&0);
    let (Some(length), None) = (lengths.pop_first(), lengths.pop_first()) else { return None };
    let is_odd = length % 2 != 0 && length.abs() != 1;
    is_odd.then(|| Expression::Steps((*a).clone(), b.map(|(slot, _)| (*slot).clone()), inverse(length as u128)))
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration: each round doubles the number of right bits.
fn inverse(odd: u128) -> u128 {
    (0..7).fold(odd, |found, _| found.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(found))))
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1_u128, 3, 77, u128::MAX, 0x1234_5678_9abc_def1] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1, "{odd}");
        }
    }
}
