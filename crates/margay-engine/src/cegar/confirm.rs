//! From a path to a violation that a replay has seen.

use super::inputs::{PathFeasibility, feasible_inputs};
use crate::base::limits::Limits;
use crate::cfa::{Program, Step};
use crate::concrete::{Counterexample, replay};
use crate::explore::{Followed, Shapes, start};
use crate::memory::Checks;

/// A run that takes these steps, replayed.
///
/// # Errors
/// Why there is none, or none was found.
pub fn confirm(
    program: &Program,
    checks: &Checks,
    steps: &[Step],
    limits: &Limits,
) -> Result<Box<Counterexample>, String> {
    let mut start = start(program, limits).map_err(|stuck| stuck.to_string())?;
    // On a single path nothing has to be forgotten.
    start.memory.semantics.places_by_values = true;
    match Shapes::new(program, *checks).follow(start, steps, &mut |_, _| true) {
        Followed::Alarm(state, _) => match feasible_inputs(&state.memory) {
            PathFeasibility::Feasible(inputs) => replay(program, checks, &inputs).map(Box::new),
            PathFeasibility::Infeasible => Err("the path has no run".into()),
            PathFeasibility::Unclear(why) => Err(why),
        },
        Followed::Nowhere => Err("the path has no run".into()),
        Followed::Unclear(why) => Err(why.into()),
    }
}
