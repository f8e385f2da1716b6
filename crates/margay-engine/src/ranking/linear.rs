//! Linear ranking functions, found from samples of steps: a sum of multiples that no sample increases is asked of the solver, and where
//! it is refuted the model is one more sample.
//!
//! A sum may have a least value, below which it does not matter: `max(y, -1)` falls while `y` is not negative, and what comes behind it
//! in the tuple has to fall only where `y` is negative: a loop with phases. And it may matter only where a condition holds that is not
//! met again once it is left. All sums are wide enough not to wrap, and none falls for ever. Sources: synthesis from counterexamples
//! (Solar-Lezama et al., ASPLOS'06) for ranking functions of bit-vectors (Cook, Kroening, Rümmer, Wintersteiger, TACAS'10); phases
//! (Ben-Amram, Genaim, CAV'17); piecewise functions (Urban, SAS'13).

use std::collections::{BTreeMap, BTreeSet};

use super::expressions::{Decreasing, Expression, Sign, Step, left_by, wider};
use super::guards::{Condition, asked};
use super::slots::Slot;
use crate::base::limits::{Exhausted, Limits};
use crate::base::work::SECOND;
use crate::check::decreases;
use crate::heap::State;
use crate::smt::{Effort, Model, Sat, Term, Terms, to_signed};

/// Bits that sums of multiples have beyond their numbers'.
pub(super) const WEIGHT_BITS: u32 = 20;

/// A number that a sum has a multiple of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// What stands in a slot.
    Of(Slot),
    /// Its distance from zero.
    Magnitude(Slot),
    /// The lesser one of two.
    Lesser(Slot, Slot),
    /// The greater one.
    Greater(Slot, Slot),
}

impl Number {
    /// The slots that it is of: one, or two.
    pub fn slots(&self) -> (&Slot, Option<&Slot>) {
        match self {
            Number::Of(slot) | Number::Magnitude(slot) => (slot, None),
            Number::Lesser(a, b) | Number::Greater(a, b) => (a, Some(b)),
        }
    }

    /// Its value with so many bits, more than those of the slots.
    fn value(&self, state: &State, width: u32, sign: Sign) -> Option<Term> {
        let terms = &state.memory.context().terms;
        let wide = |slot: &Slot| {
            let number = slot.value(state)?;
            wider(terms, number, width - terms.width(number), sign)
        };
        let (first, second) = self.slots();
        let (a, b) = (wide(first)?, second.map_or(Some(terms.constant(0, width)), wide)?);
        let is_less = terms.slt(a, b);
        Some(match self {
            Number::Of(_) => a,
            Number::Magnitude(_) => terms.ite(is_less, terms.neg(a), a),
            Number::Lesser(..) => terms.ite(is_less, a, b),
            Number::Greater(..) => terms.ite(is_less, b, a),
        })
    }

    /// The same where the numbers in slots are known.
    fn known(&self, known: &BTreeMap<Slot, i128>) -> Option<i128> {
        let (first, second) = self.slots();
        let (a, b) = (*known.get(first)?, second.map_or(Some(0), |slot| known.get(slot).copied())?);
        Some(match self {
            Number::Of(_) => a,
            Number::Magnitude(_) => a.abs(),
            Number::Lesser(..) => a.min(b),
            Number::Greater(..) => a.max(b),
        })
    }
}

/// A sum of multiples of numbers, at least so much, where a condition holds.
#[derive(Clone, Debug)]
pub struct Linear {
    /// Factors, and numbers.
    pub parts: Vec<(i128, Number)>,
    /// How what stands in slots is read.
    pub sign: Sign,
    /// Where the sum is less, this is the value.
    pub least: Option<i128>,
    /// Where this is not what the condition says, the value is less than any sum.
    pub within: Option<(Condition, bool)>,
}

impl Linear {
    /// A sum that matters everywhere.
    pub fn new(parts: Vec<(i128, Number)>, sign: Sign) -> Self {
        Self { parts, sign, least: None, within: None }
    }

    /// Its value in a state.
    pub fn value(&self, state: &State) -> Option<Term> {
        let terms = &state.memory.context().terms;
        let slots = self.parts.iter().flat_map(|(_, number)| {
            let (first, second) = number.slots();
            std::iter::once(first).chain(second)
        });
        let widths = slots.map(|slot| Some(terms.width(slot.value(state)?))).collect::<Option<Vec<u32>>>()?;
        let width = widths.into_iter().max()? + WEIGHT_BITS;
        let mut sum = terms.constant(0, width);
        for (factor, number) in &self.parts {
            let number = number.value(state, width, self.sign)?;
            sum = terms.add(sum, terms.mul(number, terms.signed_constant(*factor, width)));
        }
        let sum = self.least.map_or(sum, |least| at_least(terms, sum, least));
        let Some((condition, truth)) = &self.within else { return Some(sum) };
        let nothing = terms.signed_constant(-1 << (width - 1), width);
        let (yes, no) = if *truth { (sum, nothing) } else { (nothing, sum) };
        Some(terms.ite(condition.value(state)?, yes, no))
    }
}

/// The sum, or this where it is less.
pub(super) fn at_least(terms: &Terms, sum: Term, least: i128) -> Term {
    let least = terms.signed_constant(least, terms.width(sum));
    terms.ite(terms.slt(sum, least), least, sum)
}

/// Slots of numbers that sums are made of, steps that are sampled, and conditions within which sums are looked for.
const MOST_SLOTS: usize = 8;
const MOST_STEPS: usize = 40;
const MOST_CONDITIONS: usize = 6;

/// Sums that the solver is asked about, and least values of one sum that are tried.
const MOST_ASKED: usize = 40;
const MOST_LEAST: usize = 4;

/// Factors of sums of one number, two numbers, and so on.
const FACTORS: [&[i128]; 4] = [&[1], &[1, 2, 3, 4], &[1, 2], &[1]];

/// Work that one search is worth, and how hard the solver tries on one of its questions.
const WORTH: u64 = SECOND / 4;
const EFFORT: Effort = Effort { rlimit: 50_000, timeout: None };

/// A sum that decreases along some of the steps, as many as possible, or along part of them.
///
/// # Errors
/// Time ran out.
pub fn found<'a>(
    changing: &[Slot],
    common: &BTreeSet<Slot>,
    steps: &[Step<'a>],
    limits: &Limits,
) -> Result<Option<Decreasing<'a>>, Exhausted> {
    if let Some(step) = steps.first() {
        step.after.memory.context().set_effort(EFFORT);
    }
    let found = searched(changing, common, steps, &limits.within_work(WORTH));
    // That no more work is worth it is no reason to end anything else.
    found.or_else(|_| limits.check_time().map(|()| None))
}

fn searched<'a>(
    changing: &[Slot],
    common: &BTreeSet<Slot>,
    steps: &[Step<'a>],
    limits: &Limits,
) -> Result<Option<Decreasing<'a>>, Exhausted> {
    let Some(first) = steps.first().filter(|_| steps.len() <= MOST_STEPS) else { return Ok(None) };
    let terms = &first.after.memory.context().terms;
    let is_number = |slot: &&Slot| {
        let width = slot.value(first.before).map_or(0, |value| terms.width(value));
        !matches!(slot, Slot::Length(..)) && (2..=64).contains(&width)
    };
    let slots: Vec<Slot> = changing.iter().filter(is_number).take(MOST_SLOTS).cloned().collect();
    let mut conditions: Vec<Condition> = steps.iter().flat_map(|step| asked(step, common)).collect();
    conditions.truncate(MOST_CONDITIONS);
    let within = conditions.iter().flat_map(|condition| [true, false].map(|truth| Some((condition.clone(), truth))));
    let within: Vec<Option<(Condition, bool)>> = std::iter::once(None).chain(within).collect();
    for sign in [Sign::Signed, Sign::Unsigned] {
        let mut search = Search { terms, steps, slots: &slots, sign, samples: Vec::new() };
        for step in 0..steps.len() {
            limits.check_time()?;
            search.start(step);
        }
        for within in &within {
            if let Some(found) = search.run(within.as_ref(), limits)? {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// The numbers of a step before it and after it, and its model.
struct Sample {
    step: usize,
    before: BTreeMap<Slot, i128>,
    after: BTreeMap<Slot, i128>,
    model: Model,
}

struct Search<'s, 'a> {
    terms: &'s Terms,
    steps: &'s [Step<'a>],
    slots: &'s [Slot],
    sign: Sign,
    samples: Vec<Sample>,
}

/// How well a sum does on the samples: steps all of whose samples it decreases, whether it needs no least value, how many samples it
/// decreases.
type Score = (usize, bool, usize);

impl<'a> Search<'_, 'a> {
    /// A sum that matters where this condition has this truth.
    fn run(
        &mut self,
        within: Option<&(Condition, bool)>,
        limits: &Limits,
    ) -> Result<Option<Decreasing<'a>>, Exhausted> {
        let mut sums = sums(self.slots, self.sign);
        let mut refused: Vec<usize> = vec![0; sums.len()];
        for _ in 0..MOST_ASKED {
            limits.check_time()?;
            let Some(inside) = self.inside(within) else { return Ok(None) };
            let mut best: Option<(Score, usize, Option<i128>)> = None;
            for (index, sum) in sums.iter().enumerate() {
                let Some((score, least)) = self.score(sum, &inside) else { continue };
                let is_tried = least.is_some() && refused[index] >= MOST_LEAST;
                if !is_tried && best.as_ref().is_none_or(|(most, ..)| score > *most) {
                    best = Some((score, index, least));
                }
            }
            let Some((_, index, least)) = best else { return Ok(None) };
            let linear = Linear { parts: sums[index].clone(), sign: self.sign, least, within: within.cloned() };
            let expression = Expression::Linear(linear);
            match self.refuted(&expression) {
                Judged::Fits => {
                    if let Some(left) = left_by(&expression, self.steps) {
                        return Ok(Some((expression, left)));
                    }
                }
                Judged::Refuted(sample) => {
                    refused[index] += 1;
                    self.samples.push(sample);
                    continue;
                }
                Judged::Unclear => {}
            }
            sums.remove(index);
            refused.remove(index);
        }
        Ok(None)
    }

    /// Of each sample, whether it begins and ends where sums matter; `None` where one leads there from outside.
    fn inside(&self, within: Option<&(Condition, bool)>) -> Option<Vec<(bool, bool)>> {
        let Some((condition, truth)) = within else { return Some(vec![(true, true); self.samples.len()]) };
        let inside = self.samples.iter().map(|Sample { step, model, .. }| {
            let Step { before, after, .. } = self.steps[*step];
            let is_inside = |state| Some((model.evaluate(self.terms, condition.value(state)?) == 1) == *truth);
            Some((is_inside(before)?, is_inside(after)?)).filter(|ends| *ends != (false, true))
        });
        inside.collect()
    }

    /// First samples of a step: any, and some on which each number rises and falls.
    fn start(&mut self, step: usize) {
        let Step { before, after, .. } = self.steps[step];
        let mut asked = vec![self.terms.true_()];
        for slot in self.slots {
            let (Some(old), Some(new)) = (slot.value(before), slot.value(after)) else { continue };
            if old != new && self.terms.width(old) == self.terms.width(new) {
                let less = |a, b| if self.sign == Sign::Signed { self.terms.slt(a, b) } else { self.terms.ult(a, b) };
                asked.extend([less(old, new), less(new, old)]);
            }
        }
        for condition in asked {
            if let Sat::Sat(model) = self.asked(step, condition) {
                self.samples.extend(self.sample(step, model));
            }
        }
    }

    fn asked(&self, step: usize, condition: Term) -> Sat {
        let step = &self.steps[step];
        let mut query = step.facts();
        query.push(condition);
        step.after.memory.context().check(&query)
    }

    fn sample(&self, step: usize, model: Model) -> Option<Sample> {
        let numbers = |state: &State| -> Option<BTreeMap<Slot, i128>> {
            let number = |slot: &Slot| {
                let term = slot.value(state)?;
                let value = model.evaluate(self.terms, term);
                let signed = self.sign == Sign::Signed;
                Some((slot.clone(), if signed { to_signed(value, self.terms.width(term)) } else { value as i128 }))
            };
            self.slots.iter().map(number).collect()
        };
        let Step { before, after, .. } = self.steps[step];
        Some(Sample { step, before: numbers(before)?, after: numbers(after)?, model })
    }

    /// `None` where the sum decreases along no sample. Its least value is the greatest that a sample increases it to.
    fn score(&self, parts: &[(i128, Number)], inside: &[(bool, bool)]) -> Option<(Score, Option<i128>)> {
        let sum = |numbers: &BTreeMap<Slot, i128>| -> Option<i128> {
            parts.iter().map(|(factor, number)| Some(factor * number.known(numbers)?)).sum()
        };
        let mut sums = Vec::new();
        for (sample, inside) in self.samples.iter().zip(inside) {
            sums.push((sample.step, *inside, sum(&sample.before)?, sum(&sample.after)?));
        }
        let rises = |(_, inside, old, new): &&(usize, (bool, bool), i128, i128)| *inside == (true, true) && new > old;
        let least = sums.iter().filter(rises).map(|(.., new)| *new).max();
        let falls = |(_, inside, old, new): &&(usize, (bool, bool), i128, i128)| match inside {
            (true, true) => new < old && least.is_none_or(|least| *old > least),
            (is_left, _) => *is_left,
        };
        let falling = sums.iter().filter(falls).count();
        let stays: BTreeSet<usize> = sums.iter().filter(|sum| !falls(sum)).map(|(step, ..)| *step).collect();
        let sampled: BTreeSet<usize> = sums.iter().map(|(step, ..)| *step).collect();
        (falling > 0).then_some(((sampled.len() - stays.len(), least.is_none(), falling), least))
    }

    /// Whether some step increases it.
    fn refuted(&self, expression: &Expression) -> Judged {
        for (index, step) in self.steps.iter().enumerate() {
            let (Some(old), Some(new)) = (expression.value(step.before), expression.value(step.after)) else {
                return Judged::Unclear;
            };
            if self.terms.width(old) != self.terms.width(new) {
                return Judged::Unclear;
            }
            match self.asked(index, decreases(self.terms, expression.order(), old, new)) {
                Sat::Unsat => {}
                Sat::Sat(model) => return self.sample(index, model).map_or(Judged::Unclear, Judged::Refuted),
                Sat::Unknown(_) => return Judged::Unclear,
            }
        }
        Judged::Fits
    }
}

enum Judged {
    /// No step increases it.
    Fits,
    /// One does, on these numbers.
    Refuted(Sample),
    Unclear,
}

/// Sums over these slots: few numbers and small factors first.
fn sums(slots: &[Slot], sign: Sign) -> Vec<Vec<(i128, Number)>> {
    let mut factors = Vec::new();
    for (others, sizes) in FACTORS.iter().enumerate() {
        extend(&mut factors, &mut vec![0; slots.len()], 0, others + 1, sizes);
    }
    let sum = |factors: Vec<i128>| -> Vec<(i128, Number)> {
        let used = factors.into_iter().zip(slots).filter(|(factor, _)| *factor != 0);
        used.map(|(factor, slot)| (factor, Number::Of(slot.clone()))).collect()
    };
    let linear = factors.into_iter().map(sum);
    let magnitudes = slots.iter().filter(|_| sign == Sign::Signed).map(|slot| Number::Magnitude(slot.clone()));
    let pairs = slots.iter().enumerate().flat_map(|(at, a)| {
        slots[at + 1..].iter().flat_map(|b| {
            let (a, b) = (a.clone(), b.clone());
            [Number::Lesser(a.clone(), b.clone()), Number::Greater(a, b)]
        })
    });
    let piecewise = magnitudes.chain(pairs).flat_map(|number| [1, -1].map(|factor| vec![(factor, number.clone())]));
    linear.chain(piecewise).collect()
}

/// Adds those that have `left` more factors behind `from`.
fn extend(found: &mut Vec<Vec<i128>>, sum: &mut Vec<i128>, from: usize, left: usize, sizes: &[i128]) {
    if left == 0 {
        // A multiple of another one orders nothing else.
        if sum.iter().any(|factor| factor % 2 != 0) && !sum.iter().all(|factor| factor % 3 == 0) {
            found.push(sum.clone());
        }
        return;
    }
    for number in from..sum.len() {
        for size in sizes {
            for factor in [*size, -size] {
                sum[number] = factor;
                extend(found, sum, number + 1, left - 1, sizes);
            }
        }
        sum[number] = 0;
    }
}
