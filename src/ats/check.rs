//! Checking a proof: every state's runs lead to states of the proof again, and nothing else happens on them.

use super::NodeId;
use super::tokens::{Asked, Checked, ProofId};
use crate::base::limits::{Exhausted, Limits};
use crate::base::span::Pos;

/// A set of states that claims to be left by no run, and to contain no violation.
pub trait Claim {
    /// What the states are said to prove.
    fn asked(&self) -> Asked;
    /// Which proof of this process they are; `None` for one from elsewhere.
    fn proof(&self) -> Option<ProofId>;
    /// How many states there are.
    fn states(&self) -> usize;
    /// The runs' first state is one of them.
    ///
    /// # Errors
    /// It is not, or that could not be shown.
    fn check_start(&mut self) -> Result<(), Refused>;
    /// Every run from this state ends or comes to one of the states, without a violation; how many arrivals there are.
    ///
    /// # Errors
    /// Some run does not, or that could not be shown.
    fn check_state(&mut self, state: usize) -> Result<usize, Refused>;
}

/// What a check looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    pub states: usize,
    /// Arrivals at states, and ends of the program.
    pub edges: usize,
}

/// Why a proof was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub why: String,
    /// The state whose runs were followed.
    pub state: Option<NodeId>,
    /// In the program's text.
    pub pos: Option<Pos>,
    /// Only for lack of time or memory.
    pub ran_out: bool,
}

impl Refused {
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), state: None, pos: None, ran_out: false }
    }
}

impl From<Exhausted> for Refused {
    fn from(exhausted: Exhausted) -> Self {
        let why = match exhausted {
            Exhausted::Timeout => "checking it ran out of time",
            Exhausted::Work => "checking it takes too much",
            Exhausted::Memory => "checking it ran out of memory",
            Exhausted::Cancelled => "checking it was cancelled",
        };
        Self { ran_out: true, ..Self::new(why) }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)?;
        if let Some(state) = self.state {
            write!(f, ", from state {}", state.0)?;
        }
        match &self.pos {
            Some(pos) => write!(f, ", at {}:{}", pos.file, pos.line),
            None => Ok(()),
        }
    }
}

/// Accepts or refuses a proof.
///
/// # Errors
/// Why it is refused; the first reason found.
pub fn check(claim: &mut impl Claim, limits: &Limits) -> Result<(Checked, CheckReport), Refused> {
    claim.check_start()?;
    let mut report = CheckReport { states: claim.states(), edges: 0 };
    for state in 0..claim.states() {
        limits.check_time()?;
        limits.check_memory()?;
        report.edges += claim
            .check_state(state)
            .map_err(|refused| Refused { state: refused.state.or(Some(NodeId::from_index(state))), ..refused })?;
    }
    Ok((Checked::new(claim.asked(), claim.proof()), report))
}
