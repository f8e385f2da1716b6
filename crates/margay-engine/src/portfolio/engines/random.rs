//! Random runs: cheap and deep. They find violations and never end by themselves.

use super::super::engine::{Engine, EngineContext, Progress, Question, Record, Turn};
use crate::concrete;
use crate::memory::Stuck;

/// Runs on random inputs; each turn goes on with what the ones before it learnt.
struct RandomRuns<'d>(concrete::RandomSearch<'d>);

/// Random runs by the seed of the options.
///
/// # Errors
/// None; the signature is that of all engines.
pub fn random_runs<'d>(engine_context: &'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck> {
    let Question { program, checks, options, .. } = &engine_context.question;
    Ok(Box::new(RandomRuns(concrete::RandomSearch::new(program, checks, options.seed))))
}

impl Engine for RandomRuns<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        match self.0.explore(&turn.slice, turn.whole) {
            Some(found) => Progress::Violated(Box::new(found)),
            None => Progress::Paused,
        }
    }

    fn record(&self) -> Record {
        Record::default()
    }
}
