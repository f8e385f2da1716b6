//! Many cheap random runs: the quick bug finder.

use std::sync::Arc;

use super::corpus::{Corpus, Given};
use super::evidence::Counterexample;
use super::likely::Likely;
use super::run::{Outcome, RunLimits, counterexample, exact_run, run};
use super::source::Source;
use crate::base::limits::Limits;
use crate::cfa::Program;
use crate::evidence::Obligation;
use crate::memory::{Checks, Inputs};

/// Runs of one call.
const MAX_RUNS: u64 = 20_000;
/// How far the seeds of two searches lie apart.
const SEEDS_APART: u64 = 1 << 32;
/// Steps of the first runs: most violations are shallow.
const FIRST_STEPS: u64 = 20_000;
/// After each this many runs the next ones may take twice the steps.
const RUNS_PER_DOUBLING: u64 = 64;
const MAX_DOUBLINGS: u64 = 6;
/// Steps of the run that is followed further where it may never end: as many as rounds of a counter of 16 bits take, twice.
const FAR_STEPS: u64 = 1 << 21;
/// Runs that making the inputs readable may cost.
const MAX_SHRINKS: usize = 48;
/// Shrinking a run longer than this costs more than it is worth.
const MAX_SHRINK_STEPS: u64 = 1 << 20;

/// A search by runs on random inputs, which learns from the runs it made.
pub struct RandomSearch<'p> {
    program: &'p Program,
    checks: &'p Checks,
    seed: u64,
    likely: Arc<Likely>,
    corpus: Corpus,
    /// Runs so far.
    runs: u64,
    /// A run that may never end is to be followed, which is done once in a turn.
    goes_far: bool,
    /// The last run asked for nothing.
    is_closed: bool,
}

impl<'p> RandomSearch<'p> {
    /// A search that has made no run. The same seed makes the same runs in the same order.
    pub fn new(program: &'p Program, checks: &'p Checks, seed: u64) -> Self {
        let likely = Arc::new(Likely::of(program));
        let seed = seed.wrapping_mul(SEEDS_APART);
        let corpus = Corpus::default();
        Self { program, checks, seed, likely, corpus, runs: 0, goes_far: false, is_closed: false }
    }

    /// Runs until one shows a violation, or until `budget` or a fixed number of runs is used up; what was found is run again under
    /// `patience`. The first run has all inputs zero; every fourth one goes far in one direction, and every second one goes on from what
    /// an earlier run was given that did something new.
    pub fn explore(&mut self, budget: &Limits, patience: &Limits) -> Option<Counterexample> {
        self.goes_far = self.checks.termination;
        for _ in 0..MAX_RUNS {
            budget.check_time().and_then(|()| budget.check_memory()).ok()?;
            if let Some(found) = self.run_once(budget, patience) {
                return Some(found);
            }
            // Without inputs all runs are the first one, which a larger budget may follow further.
            if self.is_closed {
                self.runs = 0;
                return None;
            }
        }
        None
    }

    fn run_once(&mut self, budget: &Limits, patience: &Limits) -> Option<Counterexample> {
        let Self { program, checks, .. } = *self;
        let (round, likely) = (self.runs, &self.likely);
        self.runs += 1;
        let seed = self.seed.wrapping_add(round);
        let source = match round % 8 {
            _ if round == 0 => Source::Given(Inputs::default()),
            0 | 2 => Source::Swarm { seed, likely: likely.clone() },
            4 | 6 => Source::Guided { seed, likely: likely.clone() },
            _ => self.corpus.continued(seed, likely),
        };
        // Most runs are learnt from, and are short.
        let branches = !round.is_multiple_of(4);
        let steps = FIRST_STEPS << if branches { 0 } else { (round / RUNS_PER_DOUBLING).min(MAX_DOUBLINGS) };
        let limits = RunLimits { within: budget.clone(), branches, ..RunLimits::steps(steps) };
        let mut run = run(program, checks, source, &limits);
        let parts = std::mem::take(&mut run.parts);
        self.corpus.learn(&run.branches, || {
            let mut inputs = run.used_inputs.clone();
            // What goes on from here is not to end in the same way.
            if run.outcome == Outcome::Vanished {
                inputs.values.pop();
            }
            Given { inputs, parts }
        });
        self.is_closed = run.used_inputs.values.is_empty() && run.indeterminate == 0;
        if run.outcome == Outcome::StepLimit && (self.is_closed || self.goes_far) {
            let steps = if self.is_closed { u64::MAX } else { FAR_STEPS };
            self.goes_far = false;
            let limits = RunLimits { steps, branches: false, ..limits };
            run = super::run::run(program, checks, Source::Given(run.used_inputs), &limits);
        }
        if !matches!(run.outcome, Outcome::Violated(_)) {
            return None;
        }
        confirm(program, checks, (&run.used_inputs, run.steps), (budget, patience))
    }
}

/// The violation of a run of so many steps on these inputs, exactly and on inputs made simpler.
pub(super) fn confirm(
    program: &Program,
    checks: &Checks,
    (inputs, steps): (&Inputs, u64),
    (budget, patience): (&Limits, &Limits),
) -> Option<Counterexample> {
    let asked = Obligation::of(program, checks);
    let again =
        |inputs: &Inputs, limits: &Limits| counterexample(exact_run(program, checks, inputs, steps + 1, limits), asked);
    let mut best = again(inputs, patience).ok()?;
    if steps > MAX_SHRINK_STEPS {
        return Some(best);
    }
    let mut tries = 0;
    let mut attempt = |best: &mut Counterexample, inputs: Inputs| {
        if tries == MAX_SHRINKS || inputs == best.inputs {
            return;
        }
        tries += 1;
        if let Ok(found) = again(&inputs, budget)
            && found.violation == best.violation
            && found.detail == best.detail
        {
            *best = found;
        }
    };
    let without_bytes = Inputs { values: best.inputs.values.clone(), ..Inputs::default() };
    attempt(&mut best, without_bytes);
    let mut index = 0;
    while index < best.inputs.values.len() && index < MAX_SHRINKS {
        for simpler in [0, 1] {
            if best.inputs.values.get(index).is_some_and(|value| *value > simpler) {
                let mut inputs = best.inputs.clone();
                inputs.values[index] = simpler;
                attempt(&mut best, inputs);
            }
        }
        index += 1;
    }
    Some(best)
}
