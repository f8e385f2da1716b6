//! Proofs that say themselves how their arrivals lie within their states, as files do.

use super::{Arrival, Guide, Manner, check};
use crate::base::error::Result as Reading;
use crate::base::limits::Limits;
use crate::certificate::{Embedding, Landing, WrittenProof};
use crate::cfa::{FunctionId, Program};
use crate::evidence::{CheckReport, Refused};
use crate::frame::{Calls, Sharing};
use crate::heap::State;
use crate::memory::Checks;

/// Accepts or refuses a written proof by what it says alone; the inner result is the answer.
///
/// # Errors
/// `Syntax`: data that is no proof.
pub fn check_alone(
    program: &Program,
    checks: Checks,
    written: &WrittenProof,
    limits: &Limits,
    manner: Manner,
) -> Reading<Result<CheckReport, Refused>> {
    let told = || Told { calls: Calls::new(program, written.apart) };
    Ok(check(program, checks, written, &told, limits, manner)?.and_then(|accepted| {
        let is_all = accepted.report.ways.arrivals == written.edges();
        if is_all { Ok(accepted.report) } else { Err(Refused::new("it has edges that no run takes")) }
    }))
}

/// What the proof itself says. What calls share it need not say: that follows from the states.
struct Told {
    calls: Calls,
}

impl Guide for Told {
    fn embed(&self, arrival: &Arrival, accepts: &mut dyn FnMut(usize, &Embedding) -> bool) {
        if let Some(Landing { target, embedding: Some(embedding), .. }) = arrival.told.get(arrival.nth) {
            accepts(*target, embedding);
        }
    }

    fn is_apart(&self, function: FunctionId) -> bool {
        self.calls.is_apart(function)
    }

    fn shared(&self, checks: &Checks, state: &State) -> Option<Vec<Sharing>> {
        self.calls.shared(checks, state)
    }
}
