//! The interface between engines and the schedule: what an engine is given, and what it may answer.

use std::cell::OnceCell;
use std::time::Duration;

use super::Options;
use crate::ats::Complete;
use crate::base::limits::{Exhausted, Limits};
use crate::cegar::{self, Iteration, Ways};
use crate::cfa::Program;
use crate::claims::Checking;
use crate::evidence::{CheckReport, Checked, Refused};
use crate::fold::Precision;
use crate::frame::Summarised;
use crate::memory::{Checks, Stuck};
use crate::ranking::LoopRanking;
use crate::sharing::Calls;
use crate::verdict::Counterexample;

/// Figures of a run for `--stats`: name and value.
pub type Stats = Vec<(String, String)>;

/// What is asked of every engine. It may be shared between threads; what engines make of it may not.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// The program to be analysed.
    pub program: &'q Program,
    /// What counts as a violation.
    pub checks: &'q Checks,
    /// How to go about it.
    pub options: &'q Options,
    /// Of the whole question, as far as this engine is concerned.
    pub limits: &'q Limits,
}

impl Question<'_> {
    /// How the proof of a `TRUE` is checked.
    pub fn checking(&self) -> Checking {
        Checking { cores: self.options.cores, whole: self.options.write_proof, ..Checking::default() }
    }
}

/// A place where an engine works, on a thread of its own: what it makes there when first asked for.
pub struct EngineContext<'q> {
    /// What is asked of the engine.
    pub question: Question<'q>,
    ways: OnceCell<Ways>,
    within: OnceCell<Calls>,
}

impl<'q> EngineContext<'q> {
    /// Nothing is computed yet.
    pub fn new(question: Question<'q>) -> Self {
        Self { question, ways: OnceCell::new(), within: OnceCell::new() }
    }

    /// The calls of the program, followed apart from their callers in either way.
    pub fn ways(&self) -> &Ways {
        self.ways.get_or_init(|| Ways::new(self.question.program))
    }

    /// The calls of the program, each followed within its caller.
    pub fn within_callers(&self) -> &Calls {
        self.within.get_or_init(|| Calls::new(self.question.program, Summarised::Nothing))
    }
}

/// A way of answering the question that can be paused. Each makes its solver and its terms itself, on the thread it runs on.
///
/// What it does must depend on the question and the work it was allowed ([`Turn::slice`]) alone, never on a clock: that is why
/// the same question has the same answer on a busy machine, and with any number of engines at a time.
pub trait Engine {
    /// Goes on where it stopped, for one turn. Not called again after [`Progress::Proved`] or [`Progress::GaveUp`].
    fn run(&mut self, turn: &Turn) -> Progress;

    /// What it did so far, for people.
    fn record(&self) -> Record;
}

/// A turn of an engine.
pub struct Turn<'a> {
    /// From 0: how many turns it had before.
    pub number: u64,
    /// When to pause, in work. What must not be left half-done may take longer.
    pub slice: Limits,
    /// Of the whole question: for the check of a proof found in time.
    pub whole: &'a Limits,
}

/// What a turn came to.
pub enum Progress {
    /// There is no violation.
    Proved(Box<Proved>),
    /// A run was found and replayed.
    Violated(Box<Counterexample>),
    /// The slice is used up; there may be more to find.
    Paused,
    /// It came to an end without an answer.
    GaveUp(GaveUp),
    /// There is no more time or memory for it.
    Exhausted(Exhausted),
}

/// A completed exploration whose proof was accepted.
pub struct Proved {
    /// No run was dropped.
    pub complete: Complete,
    /// The check accepted the proof.
    pub checked: Checked,
    /// Of the transition system.
    pub nodes: usize,
    /// What the check accepted.
    pub proof: crate::certificate::Proof,
    /// Rankings of loops, where it was asked whether the program ends.
    pub rankings: Vec<LoopRanking>,
    /// How many states were checked, and what became of the runs from them.
    pub report: CheckReport,
    /// How long the check took.
    pub checking: Duration,
    /// What abstraction kept, if there was any.
    pub precision: Option<Precision>,
}

impl From<cegar::Proved> for Proved {
    fn from(found: cegar::Proved) -> Self {
        let cegar::Proved { complete, checked, nodes, summaries: _, proof, rankings, report, checking, precision } =
            found;
        Self { complete, checked, nodes, proof, rankings, report, checking, precision: Some(precision) }
    }
}

/// Why an engine has no answer.
#[derive(Debug)]
pub struct GaveUp {
    /// One clause for the `UNKNOWN` reason.
    pub reason: String,
    /// Why the checker did not accept a proof: a defect of this tool.
    pub refused: Option<Refused>,
}

impl GaveUp {
    /// There is no answer for this reason, and no refused proof.
    pub fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), refused: None }
    }
}

/// What an engine did.
#[derive(Default)]
pub struct Record {
    /// Figures of the report, in the order to print.
    pub stats: Stats,
    /// The rounds of the refinement loop.
    pub rounds: Vec<Iteration>,
}

/// How an engine is made at a desk.
///
/// # Errors
/// The program does not start: nothing can be said of it.
pub type Make = for<'d> fn(&'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck>;
