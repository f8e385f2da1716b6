//! Checking a proof: every state's runs lead to states of the proof again, and nothing else happens on them.

use super::NodeId;
use super::tokens::{Checked, Obligation, ProofId};
use crate::base::limits::{Exhausted, Limits};
use crate::base::span::Pos;

/// A set of states that claims to be left by no run, and to contain no violation.
pub trait Claim {
    /// What the states are said to prove.
    fn obligation(&self) -> Obligation;
    /// Which proof of this process they are; `None` for one from elsewhere.
    fn proof(&self) -> Option<ProofId>;
    /// How many states there are.
    fn states(&self) -> usize;
    /// The runs' first state is one of them.
    ///
    /// # Errors
    /// It is not, or that could not be shown.
    fn check_start(&mut self) -> Result<(), Refused>;
    /// Every run from this state ends or comes to one of the states, without a violation; how many do what.
    ///
    /// # Errors
    /// Some run does not, or that could not be shown.
    fn check_state(&mut self, state: usize) -> Result<Ways, Refused>;

    /// Whether a way that was followed goes on after an access that leads to no object of the program.
    fn goes_outside(&self) -> bool {
        false
    }
}

/// Where runs from a state lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// Arrivals at states.
    pub arrivals: usize,
    /// Ends of the program.
    pub ends: usize,
}

/// What a check looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// How many were checked.
    pub states: usize,
    /// What became of the runs from them.
    pub ways: Ways,
    /// Some way goes on after an access that leads to no object of the program.
    pub outside: bool,
}

impl CheckReport {
    /// Arrivals at states, and ends of the program.
    pub fn edges(&self) -> usize {
        self.ways.arrivals + self.ways.ends
    }

    fn add(&mut self, ways: Ways) {
        self.ways.arrivals += ways.arrivals;
        self.ways.ends += ways.ends;
    }
}

/// Why a proof was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// One clause.
    pub why: String,
    /// The state whose runs were followed.
    pub state: Option<NodeId>,
    /// In the program's text.
    pub pos: Option<Pos>,
    /// Only for lack of time or memory.
    pub ran_out: bool,
}

impl Refused {
    /// A refusal without a place.
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

/// Some of the states of a proof: the shares `0 .. of` are all of them. The start belongs to the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// From 0.
    pub nth: usize,
    /// How many there are.
    pub of: usize,
}

impl Share {
    /// Neighbours are often alike: what is known of one helps with the next.
    const RUN: usize = 8;

    /// Whether `state` is one of them.
    pub fn has(self, state: usize) -> bool {
        (state / Self::RUN) % self.of == self.nth
    }
}

/// An accepted share of a proof: only [`check_share`] makes one.
#[derive(Debug)]
pub struct Part {
    asked: Obligation,
    proof: Option<ProofId>,
    share: Share,
    report: CheckReport,
}

/// Accepts or refuses a share of a proof.
///
/// # Errors
/// Why it is refused; the first reason found.
pub fn check_share(claim: &mut impl Claim, share: Share, limits: &Limits) -> Result<Part, Refused> {
    if share.nth == 0 {
        claim.check_start()?;
    }
    let mut report = CheckReport { states: claim.states(), ..CheckReport::default() };
    for state in (0..claim.states()).filter(|state| share.has(*state)) {
        limits.check_time()?;
        limits.check_memory()?;
        let ways = claim.check_state(state);
        let of = |refused: Refused| Refused { state: refused.state.or(Some(NodeId::from_index(state))), ..refused };
        report.add(ways.map_err(of)?);
    }
    report.outside = claim.goes_outside();
    Ok(Part { asked: claim.obligation(), proof: claim.proof(), share, report })
}

/// What the shares of one proof show together.
///
/// # Errors
/// They are not all shares of one proof.
pub fn together(parts: &[Part]) -> Result<(Checked, CheckReport), Refused> {
    let Some(first) = parts.first() else { return Err(Refused::new("nothing was checked")) };
    let mut report = CheckReport { ways: Ways::default(), ..first.report };
    for (nth, part) in parts.iter().enumerate() {
        let is_next = part.share == Share { nth, of: parts.len() };
        let is_of_it = (part.asked, part.proof, part.report.states) == (first.asked, first.proof, first.report.states);
        if !is_next || !is_of_it {
            return Err(Refused::new("what was checked is not all of one proof"));
        }
        report.add(part.report.ways);
        report.outside |= part.report.outside;
    }
    Ok((Checked::new(first.asked, first.proof), report))
}
