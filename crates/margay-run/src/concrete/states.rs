//! States of runs, each once: from every state in which a run asks for an input, nearest first, it goes on with each value of the
//! input that the program distinguishes.
//!
//! Finds violations that a certain sequence of inputs leads to, as in programs that react to events: runs on random inputs rarely
//! hit upon the sequence, and come to the same states again and again. What is not tried is not excluded, so there is no proof.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::choices::Choices;
use super::compact::Compact;
use super::evidence::Counterexample;
use super::explore::confirm;
use super::memory::Concrete;
use super::run::{Outcome, begin, choose, exhausted, here, take};
use super::snapshot::{Base, Snapshot};
use super::source::Source;
use crate::base::limits::{Exhausted, Limits};
use crate::base::work;
use crate::cfa::{Op, Program};
use crate::memory::{Checks, Config, Inputs, Reason, cross, find_leak};

/// Steps from one input to the next, at most.
const MOST_STEPS: u64 = 1 << 18;

/// Rounds between two looks at the clock, and states between two looks at the process's memory.
const ROUNDS_PER_CHECK: u64 = 4096;
const STATES_PER_CHECK: usize = 256;

/// Steps that are one tick of work: most are those of compact code.
const STEPS_OF_TICK: u64 = 16;

/// States that wait: each takes some thousand bytes.
const MOST_WAITING: usize = 100_000;

/// Violations that exact runs did not show before none is looked for any more.
const MOST_UNCONFIRMED: usize = 16;

/// The search, which pauses and goes on.
pub struct States<'p> {
    program: &'p Program,
    checks: &'p Checks,
    choices: Choices,
    compact: Compact,
    base: Option<Base>,
    waiting: VecDeque<Waiting>,
    /// Digests of the states that were met.
    met: FxHashSet<u64>,
    /// What led to each state that waits or waited.
    trail: Vec<Leg>,
    unconfirmed: usize,
}

/// A state in which a run asks for an input.
struct Waiting {
    state: Snapshot,
    leg: usize,
}

/// The part of a run between two inputs.
struct Leg {
    before: usize,
    /// What the run was given: an input, and what C leaves open behind it.
    given: SmallVec<[u128; 1]>,
    /// In all.
    steps: u64,
}

/// What a turn came to.
pub enum Turned {
    /// A run, from the start, to a violation that was looked for.
    Violated(Box<Counterexample>),
    /// The budget of the turn is used up; the next turn goes on.
    Paused,
    /// A limit that is none of the turn alone: there is no next turn.
    OutOf(Exhausted),
    /// Nothing waits any more; why.
    Done(&'static str),
}

/// Where a run came to.
enum Reached {
    Input(Config<Concrete>),
    Violation(Config<Concrete>),
    End,
}

impl<'p> States<'p> {
    /// A search that has not begun; `checks` are the violations that it looks for.
    pub fn new(program: &'p Program, checks: &'p Checks) -> Self {
        Self {
            program,
            checks,
            choices: Choices::of(program),
            compact: Compact::new(),
            base: None,
            waiting: VecDeque::new(),
            met: FxHashSet::default(),
            trail: Vec::new(),
            unconfirmed: 0,
        }
    }

    /// States that were met.
    pub fn count(&self) -> usize {
        self.met.len()
    }

    /// Goes on within `budget`; what was found is run again under `patience`.
    pub fn run(&mut self, budget: &Limits, patience: &Limits) -> Turned {
        if self.choices.is_empty() {
            return Turned::Done("the program asks for no input");
        }
        if self.base.is_none()
            && let Some(found) = self.start(budget, patience)
        {
            return Turned::Violated(found);
        }
        let mut states = 0;
        loop {
            let memory = if states % STATES_PER_CHECK == 0 { budget.check_memory() } else { Ok(()) };
            states += 1;
            if let Err(why) = budget.check_time().and(memory) {
                return if why.is_pause() { Turned::Paused } else { Turned::OutOf(why) };
            }
            if self.unconfirmed >= MOST_UNCONFIRMED {
                return Turned::Done("what it found was not confirmed");
            }
            let Some(Waiting { state, leg }) = self.waiting.pop_front() else {
                return Turned::Done("each state that was met was gone on from");
            };
            if let Some(found) = self.go_on_from(&state, leg, (budget, patience)) {
                return Turned::Violated(found);
            }
        }
    }

    /// Goes to the first input.
    fn start(&mut self, budget: &Limits, patience: &Limits) -> Option<Box<Counterexample>> {
        let memory = Concrete::new(self.program.model, Source::Given(Inputs::default()));
        self.trail.push(Leg { before: 0, given: SmallVec::new(), steps: 0 });
        let config = begin(self.program, self.checks, memory).ok()?;
        self.base = Some(Base::of(&config));
        self.follow(config, 0, (budget, patience))
    }

    /// Goes on from a state with each value of the input it asks for.
    fn go_on_from(&mut self, state: &Snapshot, leg: usize, limits: (&Limits, &Limits)) -> Option<Box<Counterexample>> {
        let (function, at) = state.place();
        let edge = self.program.function(function).location(at).edges.first()?;
        for index in 0..self.choices.at((function, at)).len() {
            let mut config = self.base.as_ref()?.restore(state);
            config.memory.inner_mut().feed.go_on_with(vec![self.choices.at((function, at))[index]]);
            if let Some((config, Ok(_))) = take(self.program, self.checks, config, edge)
                && let Some(found) = self.follow(config, leg, limits)
            {
                return Some(found);
            }
        }
        None
    }

    /// Follows a run that was given something; the violation it shows.
    fn follow(
        &mut self,
        config: Config<Concrete>,
        before: usize,
        (budget, patience): (&Limits, &Limits),
    ) -> Option<Box<Counterexample>> {
        let mut taken = 0;
        let reached = self.reach_input(config, &mut taken, patience);
        work::charge(taken / STEPS_OF_TICK);
        let steps = self.trail[before].steps + taken + 1;
        let given = |config: &mut Config<Concrete>| std::mem::take(&mut config.memory.inner_mut().feed.used.values);
        match reached {
            Reached::End => None,
            Reached::Input(mut config) => {
                let base = self.base.as_ref()?;
                if self.waiting.len() < MOST_WAITING && self.met.insert(base.digest(&config)) {
                    self.trail.push(Leg { before, given: SmallVec::from_vec(given(&mut config)), steps });
                    self.waiting.push_back(Waiting { state: base.keep(config), leg: self.trail.len() - 1 });
                }
                None
            }
            Reached::Violation(mut config) => {
                let last = given(&mut config);
                let mut parts: Vec<&[u128]> = vec![&last];
                let mut leg = before;
                while leg != 0 {
                    parts.push(&self.trail[leg].given);
                    leg = self.trail[leg].before;
                }
                parts.push(&self.trail[0].given);
                let values = parts.into_iter().rev().flatten().copied().collect();
                let inputs = Inputs { values, ..config.memory.used_inputs().clone() };
                let found = confirm(self.program, self.checks, (&inputs, steps), (budget, patience));
                self.unconfirmed += usize::from(found.is_none());
                found.map(Box::new)
            }
        }
    }

    /// Goes on to the next input, and counts the steps.
    fn reach_input(&mut self, mut config: Config<Concrete>, steps: &mut u64, patience: &Limits) -> Reached {
        let (program, checks) = (self.program, self.checks);
        let mut rounds = 0;
        loop {
            rounds += 1;
            if *steps >= MOST_STEPS || (rounds % ROUNDS_PER_CHECK == 0 && patience.check_time().is_err()) {
                return Reached::End;
            }
            let taken = self.compact.run(program, checks, &mut config, MOST_STEPS - *steps);
            *steps += taken.max(1);
            if taken > 0 {
                continue;
            }
            let (_, location) = here(program, &config);
            let Some(edge) = choose(&mut config, location) else { return self.ended(config) };
            if exhausted(program, &config, Some(edge)).is_some() {
                return Reached::End;
            }
            let top = config.top();
            if matches!(edge.op, Op::Nondet { .. }) && !self.choices.at((top.function, top.at)).is_empty() {
                return Reached::Input(config);
            }
            if cross(program, &mut config, edge).is_some() {
                continue;
            }
            match take(program, checks, config, edge) {
                Some((next, Ok(Reason::Halted(_)) | Err(Outcome::Undefined(_) | Outcome::Stuck(_)))) => {
                    return self.ended(next);
                }
                Some((next, Ok(_))) => config = next,
                Some((last, Err(Outcome::Violated(_)))) if last.memory.approximated().is_none() => {
                    return Reached::Violation(last);
                }
                _ => return Reached::End,
            }
        }
    }

    /// A run that came to its end: it may have lost a block.
    fn ended(&self, config: Config<Concrete>) -> Reached {
        let is_lost = self.checks.memtrack && config.memory.approximated().is_none() && find_leak(&config).is_some();
        if is_lost { Reached::Violation(config) } else { Reached::End }
    }
}
