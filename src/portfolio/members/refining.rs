//! The abstract exploration with refinement: proves programs that build and walk lists of any length.

use super::super::member::{Desk, GaveUp, Member, Progress, Record, Turn};
use crate::ats::Summaries;
use crate::cegar::{Outcome, Prover};
use crate::memory::Stuck;
use crate::task::Violation;

/// The lines of refinement. A violation it meets on the way is its last word.
struct Refining<'d> {
    prover: Prover<'d>,
    /// Why it found no proof, once it came to an end.
    not_proved: Option<String>,
    /// How far functions were followed once for several calls.
    summaries: Option<Summaries>,
}

/// All lines of refinement, none of them begun.
///
/// # Errors
/// None: a program that does not start is an end of its lines.
pub fn refining<'d>(desk: &'d Desk<'d>) -> Result<Box<dyn Member + 'd>, Stuck> {
    let question = &desk.question;
    let prover = Prover::new(question.program, question.checks, desk.ways(), &question.options.cegar);
    Ok(Box::new(Refining { prover, not_proved: None, summaries: None }))
}

impl Member for Refining<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        if let Some(reason) = &self.not_proved {
            return Progress::GaveUp(GaveUp::because(reason));
        }
        match self.prover.run(&turn.slice, turn.whole) {
            Outcome::Proved(proved) => {
                self.summaries = Some(proved.summaries);
                Progress::Proved(Box::new((*proved).into()))
            }
            Outcome::Refuted(found) => {
                let what = if found.violation == Violation::ValidMemtrack { "leak" } else { "violation" };
                self.not_proved = Some(format!("a {what} was found"));
                Progress::Violated(found)
            }
            Outcome::GaveUp { reason, refused } => {
                self.not_proved = Some(reason.clone());
                Progress::GaveUp(GaveUp { reason, refused })
            }
            Outcome::OutOfResources => {
                let reason = "the abstract exploration ran out of resources";
                self.not_proved = Some(reason.into());
                Progress::GaveUp(GaveUp::because(reason))
            }
            Outcome::Paused => Progress::Paused,
        }
    }

    fn record(&self) -> Record {
        let stats = vec![
            ("abstract exploration".into(), self.not_proved.clone().unwrap_or_else(|| "no objection".into())),
            ("refinement rounds".into(), self.prover.rounds.len().to_string()),
            ("summaries".into(), self.summaries.map_or_else(|| "none".into(), in_words)),
        ];
        Record { stats, rounds: self.prover.rounds.clone() }
    }
}

fn in_words(summaries: Summaries) -> String {
    let Summaries { entries, calls } = summaries;
    format!("{entries} entries, {calls} calls, {} reused", summaries.reused())
}
