//! The engines: each file is one way of answering.

mod invariants;
mod merged;
mod precise;
mod random;
mod refining;
mod states;
mod values;

use std::rc::Rc;
use std::time::Instant;

pub use invariants::invariants;
pub use merged::merged;
pub use precise::precise;
pub use random::random_runs;
pub use refining::refining;
pub use states::states;
pub use values::values;

use super::engine::{GaveUp, Progress, Proved, Question, Turn};
use crate::ats::{Complete, Domain, Explorer};
use crate::cfa::Step;
use crate::check::Accepted;
use crate::claims::{Checking, Judged, NotAccepted, checked};
use crate::frame::Summarised;
use crate::heap::State;

/// What a complete exploration that followed every call within its caller comes to: its proof has to be accepted. The whole of
/// the remaining time may go there.
fn complete<D>(
    explorer: &mut Explorer<D>,
    question: &Question,
    complete: Complete,
    turn: &Turn,
    checking: Checking,
) -> Progress
where
    D: Domain<State = State, Move = Rc<[Step]>>,
{
    let started = Instant::now();
    match checked(explorer, Summarised::Nothing, question.program, *question.checks, turn.whole, checking) {
        Ok(Judged { accepted: Accepted { checked, report, proof }, rankings }) => {
            let (checking, nodes) = (started.elapsed(), explorer.nodes().len());
            let proved = Proved { complete, checked, nodes, proof, rankings, report, checking, precision: None };
            Progress::Proved(Box::new(proved))
        }
        Err(NotAccepted::Unranked(why)) => Progress::GaveUp(GaveUp::because(why)),
        Err(NotAccepted::Refused(why)) => {
            let reason = format!("the proof was not accepted: {why}");
            Progress::GaveUp(GaveUp { reason, refused: Some(why) })
        }
    }
}
