//! Inputs that led to something new, and runs that go on from them: greybox fuzzing.
//!
//! A run is kept if it takes a branch after another one as no run before it did, or about twice as often. Later runs are given the
//! beginning of what a kept one was given, perhaps [with changes](super::mutate), and then go on at random, or with its last part
//! again and again: the same line, the same two numbers. So what random inputs do rarely, one valid line say, is not needed many
//! times in a row. Source: American Fuzzy Lop (Zalewski, 2013); Böhme, Pham, Roychoudhury, CCS'16.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::likely::Likely;
use super::mutate::mutated;
use super::source::{Random, Source};
use crate::memory::{Inputs, RECEIVED};

/// Inputs that are kept.
const MOST_KEPT: usize = 1024;

/// Longest repeated part, in values, where no parts of the input are received.
const LONGEST_PERIOD: u64 = 8;

/// The branches that a run took, in order.
pub(super) type Branches = Vec<u64>;

/// What a run was given, and how many of its values came before each part of the input that it received.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub inputs: Inputs,
    pub parts: Vec<usize>,
}

/// Where a run goes on from what another one was given.
#[derive(Clone, Debug)]
pub struct Continued {
    given: Arc<Given>,
    /// So many values and parts are the same.
    values: usize,
    parts: u32,
    /// After them so many come again and again.
    period: Option<(usize, u32)>,
}

impl Continued {
    /// The value at a position; `None` where it is any.
    pub(super) fn value(&self, index: usize) -> Option<u128> {
        let index = match self.period {
            _ if index < self.values => index,
            Some((period, _)) => self.values - period + (index - self.values) % period,
            None => return None,
        };
        self.given.inputs.values.get(index).copied()
    }

    /// A byte of a block or a part; `None` where it is any.
    pub(super) fn byte(&self, source: u32, offset: u64) -> Option<u8> {
        let source = match (source.checked_sub(RECEIVED), self.period) {
            (Some(part), _) if part < self.parts => source,
            (Some(part), Some((_, period))) if period > 0 => {
                RECEIVED | (self.parts - period + (part - self.parts) % period)
            }
            (Some(_), _) => return None,
            (None, _) => source,
        };
        Some(self.given.inputs.bytes.get(&(source, offset)).copied().unwrap_or(0))
    }
}

/// The inputs that are kept.
#[derive(Default)]
pub(super) struct Corpus {
    /// By branch behind another one: the orders of magnitude of how often runs took it.
    seen: FxHashMap<u64, u32>,
    kept: Vec<Arc<Given>>,
}

impl Corpus {
    /// Keeps what a run was given, if it did something new.
    pub fn learn(&mut self, branches: &[u64], given: impl FnOnce() -> Given) {
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        let mut last = 0_u64;
        for branch in branches {
            *counts.entry(branch ^ last.rotate_left(17)).or_default() += 1;
            last = *branch;
        }
        let mut is_new = false;
        for (branch, count) in counts {
            let magnitude = 1 << count.ilog2();
            let seen = self.seen.entry(branch).or_default();
            is_new |= *seen & magnitude == 0;
            *seen |= magnitude;
        }
        if is_new && self.kept.len() < MOST_KEPT {
            self.kept.push(Arc::new(given()));
        }
    }

    /// A run that goes on from one that is kept, mostly from one of the newest.
    pub fn continued(&self, seed: u64, likely: &Arc<Likely>) -> Source {
        let likely = likely.clone();
        let mut random = Random::new(seed);
        let mut below = |count: usize| random.below(count);
        let newest = if below(2) == 0 { below(self.kept.len().min(8)) } else { below(self.kept.len()) };
        let Some(mut given) = self.kept.iter().rev().nth(newest).cloned() else {
            return Source::Guided { seed, likely };
        };
        let other = below(self.kept.len());
        let is_changed = below(4) > 0;
        if is_changed {
            given = Arc::new(mutated(&given, &self.kept[other], &likely, &mut random));
        }
        let mut below = |count: usize| random.below(count);
        let all = given.inputs.values.len();
        // It ends before a part of the input, or anywhere, or nowhere.
        let (values, parts) = match below(4) {
            _ if is_changed && below(2) == 0 => (all, given.parts.len()),
            0 => (all, given.parts.len()),
            1 => {
                let values = below(all + 1);
                (values, given.parts.partition_point(|before| *before <= values))
            }
            _ => {
                let parts = below(given.parts.len() + 1);
                (given.parts.get(parts).copied().unwrap_or(all), parts)
            }
        };
        let period = match below(2) {
            0 => None,
            _ if is_changed && below(2) == 0 => None,
            _ if parts > 0 && below(4) > 0 => {
                let period = 1 + below(parts.min(3));
                let before = given.parts[parts - period];
                (before < values).then(|| (values - before, period as u32))
            }
            _ => (values > 0).then(|| (1 + below(values.min(LONGEST_PERIOD as usize)), 0)),
        };
        let continued = Continued { given, values, parts: parts as u32, period };
        Source::Continued { from: Box::new(continued), seed: random.next(), likely }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two parts, of which the second one begins behind two values.
    fn given() -> Given {
        let bytes = [((7, 0), 1), ((RECEIVED, 0), 2), ((RECEIVED | 1, 0), 3)];
        let inputs = Inputs { values: vec![10, 11, 12, 13], bytes: bytes.into(), ..Inputs::default() };
        Given { inputs, parts: vec![0, 2] }
    }

    fn continued(values: usize, parts: u32, period: Option<(usize, u32)>) -> Continued {
        Continued { given: Arc::new(given()), values, parts, period }
    }

    #[test]
    fn what_was_given_comes_first() {
        let one = continued(2, 1, None);
        assert_eq!([0, 1, 2, 3].map(|index| one.value(index)), [Some(10), Some(11), None, None]);
        assert_eq!(one.byte(7, 0), Some(1), "of a block");
        assert_eq!((one.byte(RECEIVED, 0), one.byte(RECEIVED, 1)), (Some(2), Some(0)), "what is not named is zero");
        assert_eq!(one.byte(RECEIVED | 1, 0), None);
    }

    #[test]
    fn the_last_part_comes_again() {
        let again = continued(4, 2, Some((2, 1)));
        let values: Vec<Option<u128>> = (0..8).map(|index| again.value(index)).collect();
        assert_eq!(values, [10, 11, 12, 13, 12, 13, 12, 13].map(Some));
        assert_eq!([0, 1, 2, 3].map(|part| again.byte(RECEIVED | part, 0)), [2, 3, 3, 3].map(Some));
    }

    /// A branch that was taken behind another one as often, within a power of two, is nothing new.
    #[test]
    fn what_is_new_is_kept() {
        let mut corpus = Corpus::default();
        let mut kept = |count| {
            corpus.learn(&vec![1; count], given);
            corpus.kept.len()
        };
        // Behind itself it was taken once less.
        assert_eq!([1, 1, 2, 3, 4, 7, 2].map(&mut kept), [1, 1, 2, 3, 3, 4, 4]);
        let likely = Arc::new(Likely::default());
        for seed in 0..500 {
            let Source::Continued { from, .. } = corpus.continued(seed, &likely) else {
                panic!("nothing to go on from")
            };
            let Given { inputs, parts } = &*from.given;
            assert!(from.values <= inputs.values.len() && from.parts as usize <= parts.len(), "{from:?}");
            assert!(
                from.period.is_none_or(|(values, parts)| 0 < values && values <= from.values && parts <= from.parts)
            );
            assert!(from.value(100).is_some() == from.period.is_some());
        }
    }
}
