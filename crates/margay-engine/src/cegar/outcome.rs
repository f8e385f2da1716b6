//! What a line of refinement, or all of them, came to.

use std::time::Duration;

use crate::ats::{Complete, Summaries};
use crate::base::limits::Exhausted;
use crate::certificate::Proof;
use crate::evidence::{CheckReport, Checked, Refused};
use crate::fold::Precision;
use crate::ranking::LoopRanking;
use crate::verdict::Counterexample;

/// A completed exploration whose proof was accepted.
pub struct Proved {
    /// No run was dropped.
    pub(crate) complete: Complete,
    /// The check accepted the proof.
    pub(crate) checked: Checked,
    /// Nodes that were explored.
    pub(crate) nodes: usize,
    /// Functions followed once for several calls.
    pub summaries: Summaries,
    /// The initial state, then the uncovered ones where runs meet.
    pub proof: Proof,
    /// Rankings of loops, where it was asked whether the program ends.
    pub(crate) rankings: Vec<LoopRanking>,
    /// How many states were checked, and what became of the runs from them.
    pub(crate) report: CheckReport,
    /// How long the check took.
    pub checking: Duration,
    /// What abstraction kept.
    pub precision: Precision,
}

/// What running the loop for a while came to.
pub enum Outcome {
    /// There is no violation.
    Proved(Box<Proved>),
    /// A run to a violation was found and replayed.
    Refuted(Box<Counterexample>),
    /// It may go on.
    Paused,
    /// There is no violation, but no measure shows that the program ends: why not. A line of refinement goes on from here.
    Unranked(String),
    /// There is no answer, and more time does not help.
    GaveUp {
        /// One clause.
        reason: String,
        /// Why the checker did not accept a proof: a defect of this tool.
        refused: Option<Refused>,
    },
    /// There is no more time or memory, or it is not wanted any more.
    OutOfResources(Exhausted),
}

impl Outcome {
    pub(super) fn gave_up(reason: String) -> Self {
        Outcome::GaveUp { reason, refused: None }
    }
}
