//! The abstract exploration with refinement: proves programs that build and walk lists of any length. Each line of refinement is
//! an engine.

use super::super::engine::{Engine, EngineContext, GaveUp, Progress, Record, Turn};
use crate::ats::Summaries;
use crate::cegar::{self, Iteration, Line, Outcome};
use crate::memory::Stuck;
use crate::task::Violation;

/// A line of refinement. A violation it meets on the way is its last word.
struct Refining<'d> {
    line: Line<'d>,
    rounds: Vec<Iteration>,
    /// Why it found no proof, once it came to an end.
    not_proved: Option<String>,
    /// How far functions were followed once for several calls.
    summaries: Option<Summaries>,
}

/// The line of this number, from 0, which has not begun.
///
/// # Errors
/// None: a program that does not start is an end of its lines.
pub fn refining<'d, const NUMBER: usize>(engine_context: &'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck> {
    let question = &engine_context.question;
    let options = cegar::Options { checking: question.checking(), ..question.options.cegar.clone() };
    let line = Line::new(question.program, question.checks, engine_context.ways(), &options, NUMBER);
    Ok(Box::new(Refining { line, rounds: Vec::new(), not_proved: None, summaries: None }))
}

impl Engine for Refining<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        if let Some(reason) = &self.not_proved {
            return Progress::GaveUp(GaveUp::because(reason));
        }
        match self.line.run(&turn.slice, turn.whole, &mut self.rounds) {
            Outcome::Proved(proved) => {
                self.summaries = Some(proved.summaries);
                Progress::Proved(Box::new((*proved).into()))
            }
            Outcome::Refuted(found) => {
                let what = if found.violation == Violation::ValidMemtrack { "leak" } else { "violation" };
                self.not_proved = Some(format!("a {what} was found"));
                Progress::Violated(found)
            }
            Outcome::Unranked(reason) => {
                self.not_proved = Some(reason.clone());
                Progress::GaveUp(GaveUp::because(reason))
            }
            Outcome::GaveUp { reason, refused } => {
                self.not_proved = Some(reason.clone());
                Progress::GaveUp(GaveUp { reason, refused })
            }
            Outcome::OutOfResources(why) => Progress::Exhausted(why),
            Outcome::Paused => Progress::Paused,
        }
    }

    fn record(&self) -> Record {
        let (line, rounds) = (self.line.number(), self.rounds.len());
        let end = self.not_proved.as_deref().unwrap_or("no objection");
        let mut stats = vec![(format!("line {line}"), format!("{end}, {rounds} rounds"))];
        stats.extend(self.summaries.map(|summaries| ("summaries".into(), in_words(summaries))));
        Record { stats, rounds: self.rounds.clone() }
    }
}

fn in_words(summaries: Summaries) -> String {
    let Summaries { entries, calls } = summaries;
    format!("{entries} entries, {calls} calls, {} reused", summaries.reused())
}
