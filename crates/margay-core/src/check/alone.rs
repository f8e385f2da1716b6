//! Proofs that say themselves how their arrivals lie within their states, as files do.

use super::{Arrival, HintSource, Manner, check};
use crate::base::error::Result as Reading;
use crate::base::limits::Limits;
use crate::certificate::{Certificate, CoverEdge, Embedding};
use crate::cfa::{FunctionId, Program};
use crate::evidence::{CheckReport, Refused};
use crate::frame::Sharing;
use crate::heap::State;
use crate::memory::Checks;
use crate::sharing::Calls;

/// Accepts or refuses a written proof by what it says alone; the inner result is the answer.
///
/// # Errors
/// `Syntax`: data that is no proof.
pub fn check_alone(
    program: &Program,
    checks: Checks,
    written: &Certificate,
    limits: &Limits,
    manner: Manner,
) -> Reading<Result<CheckReport, Refused>> {
    let recorded = || FromCertificate { calls: Calls::new(program, written.apart) };
    Ok(check(program, checks, written, &recorded, limits, manner)?.and_then(|accepted| {
        let is_all = accepted.report.ways.arrivals == written.edges();
        if is_all { Ok(accepted.report) } else { Err(Refused::new("it has edges that no run takes")) }
    }))
}

/// What the proof itself says. What calls share it need not say: that follows from the states.
struct FromCertificate {
    calls: Calls,
}

impl HintSource for FromCertificate {
    fn embed(&self, arrival: &Arrival, accepts: &mut dyn FnMut(usize, &Embedding) -> bool) {
        if let Some(CoverEdge { target, embedding: Some(embedding), .. }) = arrival.recorded.get(arrival.nth) {
            accepts(*target, embedding);
        }
    }

    fn is_summarised(&self, function: FunctionId) -> bool {
        self.calls.is_summarised(function)
    }

    fn shared(&self, checks: &Checks, state: &State) -> Option<Vec<Sharing>> {
        self.calls.shared(checks, state)
    }
}
