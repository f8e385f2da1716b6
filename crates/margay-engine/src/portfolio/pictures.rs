//! Pictures of what an answer speaks of.

use super::run_picture::run_picture;
use super::{Job, checks, program};
use crate::base::error::Result;
use crate::base::work::SECOND;
use crate::concrete::{RunLimits, Source, run_watched};
use crate::explore::violation_state;
use crate::show::{Drawn, Picture, picture};
use crate::verdict::{Counterexample, Event};

/// The most work that drawing a violation may be.
const MOST_PATIENCE: u64 = 10 * SECOND;

/// The heap at a violation that was found, with the place; `None` where it could not be followed again with about ten seconds'
/// work.
///
/// # Errors
/// As `verify`.
pub fn violation_picture(job: &Job, found: &Counterexample) -> Result<Option<(String, Picture)>> {
    let checks = checks(job.properties);
    let program = program(job, &checks)?;
    let limits = job.limits.within_work(MOST_PATIENCE);
    let state = violation_state(&program, &checks, found.violation, &found.inputs, &limits);
    let place = match found.trace.last() {
        Some(Event::Violation { pos, function }) => {
            format!("{}: {} at {function}:{}", found.violation.name(), found.detail, pos.line)
        }
        _ => found.violation.name().to_string(),
    };
    Ok(state.map(|state| (place, picture(&program, &state))))
}

/// Steps after which a run is not followed again.
const MOST_STEPS: u64 = 20_000_000;

/// What memory holds after each of the last `most` events of a violation that was found.
///
/// # Errors
/// As [`super::verify`].
pub fn run_pictures(job: &Job, found: &Counterexample, most: usize) -> Result<Vec<Drawn>> {
    let checks = checks(job.properties);
    let program = program(job, &checks)?;
    let (first, last) = (found.trace.len().saturating_sub(most), found.trace.len());
    let limits =
        RunLimits { trace: true, within: job.limits.within_work(MOST_PATIENCE), ..RunLimits::steps(MOST_STEPS) };
    let mut drawn: Vec<Drawn> = Vec::new();
    run_watched(&program, &checks, Source::Given(found.inputs.clone()), &limits, &mut |events, config| {
        if first < events && events <= last {
            let (picture, blocks) = run_picture(&program, config);
            drawn.push(Drawn { events, picture, blocks });
        }
    });
    // A leak is seen after the step that loses the block: what is shown last is what memory holds then.
    if let Some(end) = drawn.last().cloned()
        && end.events + 1 == last
    {
        drawn.push(Drawn { events: last, ..end });
    }
    Ok(drawn)
}
