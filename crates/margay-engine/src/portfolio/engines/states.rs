//! Concrete states, each once: finds violations that a sequence of inputs leads to.

use super::super::engine::{Engine, EngineContext, GaveUp, Progress, Record, Turn};
use crate::concrete::{self, Turned};
use crate::memory::Stuck;

struct States<'d> {
    search: concrete::States<'d>,
    end: &'static str,
}

/// The search through states of runs, which has not begun.
///
/// # Errors
/// None; the signature is that of all engines.
pub fn states<'d>(engine_context: &'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck> {
    let question = &engine_context.question;
    let search = concrete::States::new(question.program, question.checks);
    Ok(Box::new(States { search, end: "no objection" }))
}

impl Engine for States<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        match self.search.run(&turn.slice, turn.whole) {
            Turned::Violated(found) => Progress::Violated(found),
            Turned::Paused => Progress::Paused,
            Turned::OutOf(why) => Progress::Exhausted(why),
            Turned::Done(why) => {
                self.end = why;
                // It could not have proved anything: others know why there is no answer.
                Progress::GaveUp(GaveUp::because(""))
            }
        }
    }

    fn record(&self) -> Record {
        let reported = format!("{} at inputs, {}", self.search.count(), self.end);
        Record { stats: vec![("states of runs".into(), reported)], ..Record::default() }
    }
}
