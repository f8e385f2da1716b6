//! What the refinement loop did, for people.

use super::picture_text::picture_text;
use crate::cegar::{Diagnosis, RoundReport};
use crate::cfa::Program;

/// What happened in a round, clause by clause, with the seconds that each took.
pub fn round_clauses(round: &RoundReport) -> Vec<String> {
    clauses(round, |text, seconds| format!("{text} ({seconds:.3} s)"))
}

/// The same without seconds, so that it is equal in every run.
pub(super) fn untimed_clauses(round: &RoundReport) -> Vec<String> {
    clauses(round, |text, _| text)
}

fn clauses(round: &RoundReport, timed: fn(String, f64) -> String) -> Vec<String> {
    let mut clauses = vec![timed(round.path.to_string(), round.path_time)];
    if let Some(slice) = &round.slice {
        clauses.push(timed(format!("slice, {} encoding: {}", slice.encoding, slice.answer), slice.time));
    }
    if let Some(found) = &round.discontinuity {
        let doomed = match (found.doomed_state, found.confirmed_on_bytes) {
            (true, true) => ", with a doomed state, confirmed on bytes",
            (true, false) => ", with a doomed state",
            (false, _) => "",
        };
        clauses.push(format!("abstraction lets it in at {}{doomed}", found.place));
    }
    match &round.refinement {
        Some(found) => clauses.push(format!("refined by {}: {}", found.refiner, found.change)),
        None if round.confirmed => {}
        None => clauses.push("no refiner excludes it".into()),
    }
    clauses
}

/// A round in a few lines.
pub fn round_text(number: usize, round: &RoundReport) -> String {
    let clauses: String = round_clauses(round).iter().map(|clause| format!("  {clause}\n")).collect();
    format!("round {number} (line of refinement {}): {}\n{clauses}", round.line, round.error)
}

/// The states that show why a proof failed, as text.
pub fn diagnosis_text(program: &Program, found: &Diagnosis) -> String {
    found.pictures(program).iter().map(|(title, picture)| picture_text(title, picture)).collect()
}
