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

/// Alarms that are reported where there is no answer.
const MOST_POSSIBLE: usize = 5;

/// A line for each alarm that was neither confirmed nor excluded, with what was found out about it last.
pub fn possible_text(rounds: &[RoundReport]) -> String {
    let mut reported: Vec<&str> = Vec::new();
    let mut text = String::new();
    for (index, round) in rounds.iter().enumerate().rev() {
        // Whatever is refined is explored again: only the last round of its line, or what no refiner excludes, is left.
        let is_last = !rounds[index + 1..].iter().any(|later| later.line == round.line);
        let is_open = !round.confirmed && (is_last || round.refinement.is_none());
        if is_open && reported.len() < MOST_POSSIBLE && !reported.contains(&round.error.as_str()) {
            reported.push(&round.error);
            text += &format!("possible: {} ({})\n", round.error, untimed_clauses(round).join("; "));
        }
    }
    text
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
