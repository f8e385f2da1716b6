//! Random runs: cheap and deep. They find violations and never end by themselves.

use super::super::engine::{Engine, EngineContext, Progress, Question, Record, Turn};
use crate::concrete;
use crate::memory::Stuck;

/// Runs on random inputs; other ones in each turn.
struct RandomRuns<'d> {
    question: &'d Question<'d>,
}

/// Random runs by the seed of the options.
///
/// # Errors
/// None; the signature is that of all engines.
pub fn random_runs<'d>(engine_context: &'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck> {
    Ok(Box::new(RandomRuns { question: &engine_context.question }))
}

impl Engine for RandomRuns<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        let Question { program, checks, options, .. } = self.question;
        let seed = options.seed.wrapping_add(turn.number);
        match concrete::explore(program, checks, seed, &turn.slice, turn.whole) {
            Some(found) => Progress::Violated(Box::new(found)),
            None => Progress::Paused,
        }
    }

    fn record(&self) -> Record {
        Record::default()
    }
}
