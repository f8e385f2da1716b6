//! Runs that come back to a state they were in, and so go round for ever.

use std::collections::BTreeSet;

use super::drift::{Place, can_be_repeated};
use super::memory::Concrete;
use super::value::Value;
use crate::cfa::Program;
use crate::memory::{Checks, Config, Frame};

/// Steps before the first state is kept: most runs are shorter. Where a round is what is looked for it is soon.
const FIRST: u64 = 1024;
const SOON: u64 = 32;

/// The part of a run, after each state that is kept, that is compared with it, and at most so many steps: the run may hurry through the
/// rest, so that longer rounds are noticed later.
const WATCHED_PART: u64 = 256;
const WATCHED: u64 = 4096;

/// Where registers may differ, rounds of counters of 16 bits are noticed early.
const WATCHED_WHOLE: u64 = 1 << 19;

/// Looks for a state that a run is in twice, after Brent: the run's states are compared with one earlier state, which is
/// replaced whenever the run is twice as long. Copying and comparing cost no more than the steps themselves do.
pub(super) struct Lasso {
    kept: Option<Kept>,
    /// Steps at which the first state is kept, and the next.
    first: u64,
    next: u64,
    /// Comparisons of whole memories so far, in what they weigh.
    compared: u64,
    /// The inputs of a round can be given again, and registers that decide nothing may differ.
    repeated_inputs: bool,
    /// Steps of rounds that were gone again.
    repeated: u64,
}

struct Kept {
    /// Steps before it.
    steps: u64,
    state: Box<Config<Concrete>>,
    /// See [`Concrete::weight`].
    weight: u64,
    /// Registers that decided what rounds from here did, where they could not be gone again.
    decisive: BTreeSet<Place>,
}

impl Lasso {
    /// With `repeated_inputs` a round may ask for inputs: there is a run that gets the same ones again and again.
    pub fn new(repeated_inputs: bool) -> Self {
        let first = if repeated_inputs { SOON } else { FIRST };
        Self { kept: None, first, next: first, compared: 0, repeated_inputs, repeated: 0 }
    }

    /// How many steps came before the state that is compared with.
    pub fn kept(&self) -> Option<u64> {
        self.kept.as_ref().map(|kept| kept.steps)
    }

    /// How many steps the run may take without a comparison.
    pub fn unwatched(&self, steps: u64) -> u64 {
        let is_whole = |kept: &Kept| self.repeated_inputs && kept.steps <= WATCHED_WHOLE;
        let is_watched = |kept: &Kept| is_whole(kept) || steps - kept.steps < WATCHED.max(kept.steps / WATCHED_PART);
        if steps < self.first || self.kept.as_ref().is_some_and(is_watched) {
            0
        } else {
            self.next.saturating_sub(steps)
        }
    }

    /// Whether the run is in a state it was in before: it does the same again and again. `steps` grows from call to call.
    pub fn closes(&mut self, program: &Program, checks: &Checks, config: &Config<Concrete>, steps: u64) -> bool {
        if steps >= self.next {
            self.next = steps * 2;
            let weight = config.memory.weight();
            let kept = || Kept { steps, state: Box::new(config.clone()), weight, decisive: BTreeSet::new() };
            self.kept = (weight <= steps).then(kept);
            return false;
        }
        // The same whether or not the run is watched at each step.
        if self.unwatched(steps) > 0 {
            return false;
        }
        let Some(Kept { state, weight, steps: before_steps, decisive }) = &mut self.kept else { return false };
        let (now, before) = (config.top(), state.top());
        if now.at != before.at || now.function != before.function {
            return false;
        }
        let same = same_frames(config, state);
        if !same && !self.repeated_inputs {
            return false;
        }
        // A call within the earlier top frame, which stands for it.
        let Some(deeper) = config.frames.len().checked_sub(state.frames.len()) else { return false };
        let decides = |place: &Place| register(config, (place.0 + deeper, place.1)) != register(state, *place);
        if self.compared + *weight > steps || decisive.iter().any(decides) {
            return false;
        }
        self.compared += *weight;
        if same || !config.memory.is_like(&state.memory, true) {
            return same && config.memory.is_like(&state.memory, self.repeated_inputs);
        }
        let round = steps - *before_steps;
        if self.repeated + round > steps {
            return false;
        }
        self.repeated += round;
        can_be_repeated(program, checks, state, config, round, decisive)
    }
}

fn register(config: &Config<Concrete>, (depth, register): Place) -> Option<&Value> {
    config.frames.get(depth)?.regs.get(register)?.as_ref()
}

fn same_frames(config: &Config<Concrete>, other: &Config<Concrete>) -> bool {
    let same = |(a, b): (&Frame<_>, &Frame<_>)| {
        let Frame { function, at, regs, slots, allocas, result, call: _ } = a;
        (function, at, result) == (&b.function, &b.at, &b.result)
            && (regs, slots, allocas) == (&b.regs, &b.slots, &b.allocas)
    };
    let pairs = config.frames.iter().zip(&other.frames);
    config.frames.len() == other.frames.len() && pairs.rev().all(|(a, b)| std::rc::Rc::ptr_eq(a, b) || same((a, b)))
}
