//! Sums of two or three numbers that are always the same: that what was visited of a list and what is left are all there was, that
//! two counters together count its nodes.
//!
//! They are guessed from samples, the values that a model of each visit's state gives to its numbers, and checked in the state at hand
//! before they are kept; each model that refutes one is a sample, too. One that did not hold once is never tried again.

use rustc_hash::FxHashSet;

use super::limits::{GREATEST_REST, MOST_SAMPLES, MOST_SUMMED};
use super::orders::Line;
use crate::heap::Context;
use crate::smt::{Model, Sat, Term, mask, to_signed};

/// Numbers, by their positions, and whether they are subtracted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Parts {
    of: Vec<(usize, bool)>,
    /// Sums have so many bits: narrower numbers count as never negative, of wider ones the low bits matter.
    width: u32,
    /// One of them is the size of a block with elements of so many bytes, which the others count.
    size: Option<(usize, u128)>,
}

/// The sum of the parts is `rest`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sum {
    parts: Parts,
    rest: i128,
}

/// The sums that were always true so far.
#[derive(Default)]
pub(super) struct Sums {
    kept: Vec<Sum>,
    refuted: FxHashSet<Sum>,
    /// Values that all numbers had at once.
    samples: Vec<Vec<u128>>,
    /// The numbers that were forgotten and compared with all others.
    compared: FxHashSet<usize>,
}

impl Sums {
    /// Gives up the sums that are not true in the state, and tries others where numbers are `open` for the first time: forgotten, or no
    /// constants.
    pub fn update(&mut self, line: &Line, open: &[bool]) {
        let context = line.state.memory.context().clone();
        let known = line.state.memory.facts();
        let Sat::Sat(model) = context.check(&known) else { return };
        self.learn(&context, line, &model);
        let mut is_open = false;
        for sum in std::mem::take(&mut self.kept) {
            match self.is_true(&context, line, &known, &sum) {
                true => self.kept.push(sum),
                false => is_open = true,
            }
        }
        for index in (0..open.len()).filter(|index| open[*index] && line.is_index(*index)) {
            is_open |= self.compared.insert(index);
        }
        if !is_open {
            return;
        }
        // A number that a sum tells of is not needed in others.
        let mut told: FxHashSet<usize> = self.kept.iter().filter_map(|sum| Some(sum.parts.of.first()?.0)).collect();
        for sum in candidates(line, open) {
            if sum.of.iter().any(|(part, _)| told.contains(part)) {
                continue;
            }
            let Some(rest) = self.rest(&sum) else { continue };
            let sum = Sum { parts: sum, rest };
            if self.is_true(&context, line, &known, &sum) {
                told.insert(sum.parts.of[0].0);
                self.kept.push(sum);
            }
        }
    }

    /// What the sums say of `replaced`, the numbers that take the place of those in the state.
    pub fn facts(&self, context: &Context, replaced: &[Term]) -> Vec<Term> {
        self.kept.iter().map(|sum| sum.fact(context, replaced)).collect()
    }

    fn learn(&mut self, context: &Context, line: &Line, model: &Model) {
        let numbers = &line.numbers[..line.holes.len()];
        let sample: Vec<u128> = numbers.iter().map(|number| model.evaluate(&context.terms, *number)).collect();
        if self.samples.len() < MOST_SAMPLES && !self.samples.contains(&sample) {
            self.samples.push(sample);
        }
    }

    /// What the sum of `parts` is in all samples, where that is one small number.
    fn rest(&self, parts: &Parts) -> Option<i128> {
        let width = parts.width;
        let sum = |sample: &Vec<u128>| {
            let signed = parts.of.iter().map(|&(part, minus)| {
                let value = sample.get(part).copied().unwrap_or(0).wrapping_mul(parts.scale(part));
                if minus { value.wrapping_neg() } else { value }
            });
            to_signed(signed.fold(0, u128::wrapping_add) & mask(width), width)
        };
        let mut sums = self.samples.iter().map(sum);
        let first = sums.next()?;
        let most = GREATEST_REST * parts.size.map_or(1, |(_, stride)| stride as i128);
        (first.abs() <= most && sums.all(|sum| sum == first)).then_some(first)
    }

    fn is_true(&mut self, context: &Context, line: &Line, known: &[Term], sum: &Sum) -> bool {
        if self.refuted.contains(sum) {
            return false;
        }
        let fact = sum.fact(context, line.numbers);
        let holds = context.terms.is_true(fact) || {
            let mut query = known.to_vec();
            query.push(context.terms.not(fact));
            match context.check(&query) {
                Sat::Unsat => true,
                Sat::Sat(model) => {
                    self.learn(context, line, &model);
                    false
                }
                Sat::Unknown(_) => false,
            }
        };
        if !holds {
            self.refuted.insert(sum.clone());
        }
        holds
    }
}

impl Parts {
    /// What number `part` is multiplied with.
    fn scale(&self, part: usize) -> u128 {
        self.size.map_or(1, |(size, stride)| if size == part { 1 } else { stride })
    }
}

impl Sum {
    fn fact(&self, context: &Context, numbers: &[Term]) -> Term {
        let terms = &context.terms;
        let width = self.parts.width;
        let fitted = |number: Term| match terms.width(number) > width {
            true => terms.extract(number, width - 1, 0),
            false => terms.zext(number, width),
        };
        let mut sum = terms.constant(0, width);
        for &(part, minus) in &self.parts.of {
            let number = terms.scale(fitted(numbers[part]), self.parts.scale(part));
            sum = if minus { terms.sub(sum, number) } else { terms.add(sum, number) };
        }
        terms.eq(sum, terms.signed_constant(self.rest, width))
    }
}

/// Sums of two numbers and then of three, with one that is forgotten first: it is the one that a sum tells of.
fn candidates(line: &Line, open: &[bool]) -> Vec<Parts> {
    let terms = &line.state.memory.context().terms;
    let mut all: Vec<usize> =
        (0..line.holes.len()).filter(|index| line.is_index(*index) || line.is_size(*index)).collect();
    // Numbers of nodes are what is asked for.
    all.sort_by_key(|index| !line.is_count(*index));
    all.truncate(MOST_SUMMED);
    let own = || all.iter().copied().filter(|index| open[*index]);
    let others = |index: usize| all.iter().copied().filter(move |other| *other != index);
    let mut sums = Vec::new();
    // Counters may wrap around where nothing bounds them: what is true of their bits is less, and tried last.
    let mut narrow = Vec::new();
    let mut add = |of: Vec<(usize, bool)>| {
        let mut sizes = of.iter().map(|(part, _)| *part).filter(|part| line.is_size(*part));
        let size = sizes.next().map(|size| (size, 1 << terms.trailing_zeros(line.numbers[size]).min(MOST_STRIDE)));
        let widths = || of.iter().map(|(part, _)| terms.width(line.numbers[*part]));
        let (Some(least), Some(width)) = (widths().min(), widths().max()) else { return };
        if size.is_none() && least < width {
            narrow.push(Parts { of: of.clone(), width: least, size });
        }
        if sizes.next().is_none() {
            sums.push(Parts { of, width, size });
        }
    };
    for index in own() {
        others(index)
            .for_each(|other| [true, false].into_iter().for_each(|minus| add(vec![(index, false), (other, minus)])));
    }
    const SIGNS: [(bool, bool); 4] = [(true, true), (false, true), (true, false), (false, false)];
    for index in own() {
        for one in others(index) {
            for other in others(index).filter(|other| *other > one) {
                SIGNS.into_iter().for_each(|(a, b)| add(vec![(index, false), (one, a), (other, b)]));
            }
        }
    }
    sums.append(&mut narrow);
    sums
}

/// Elements have at most so many low bits of their size zero that count.
const MOST_STRIDE: u32 = 4;
