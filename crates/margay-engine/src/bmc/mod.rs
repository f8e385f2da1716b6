//! Feasibility of a slice of a transition system by bounded model checking: is there a concrete run that follows the slice and
//! violates a property?
//!
//! Source: section 4 of the CAV'12 paper on counterexample-guided shape refinement (flat memory, its encoding to SMT). Two
//! [`Encoding`]s answer the same [`Question`]; both get each edge's meaning from [`crate::memory::step`].

mod accesses;
mod blocks;
mod content;
mod execute;
mod join;
mod leak;
mod memory;
mod path;
mod quantified;
mod reads;
mod start;
mod system;
mod unrolled;
mod whole;
mod world;

pub use memory::Flat;
pub use quantified::Quantified;
pub use start::{Start, StartBlock, StartCell, StartValue};
pub use unrolled::Unrolled;
pub use whole::{ProgramSlice, rest_of_program, whole_program};
pub use world::Placement;

use crate::base::limits::Limits;
use crate::cfa::{Program, Step};
use crate::memory::Inputs;
use crate::memory::{BlockId, Checks, Fault};
use crate::smt::SymId;

/// What is asked.
///
/// Leaks are looked for only where runs are still under way at the end of an edge without target: there, with
/// `checks.memtrack`, a live heap block that nothing reaches any more is a violation.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The program that runs.
    pub program: &'a Program,
    /// What counts as a violation.
    pub checks: &'a Checks,
    /// The walks that a run may follow.
    pub slice: &'a ProgramSlice,
    /// Where the slice begins; `None`: where the program does.
    pub start: Option<&'a Start<'a>>,
    /// Edges of the slice that a run may take.
    pub bound: u32,
    /// Where blocks may lie in a model.
    pub placement: Placement,
    /// Time and memory for the answer; beyond them it is [`Answer::Unclear`].
    pub limits: &'a Limits,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Answer {
    /// This run should show a violation; [`crate::concrete::replay`] is the judge, unless the question has a [`Start`]: then the
    /// run begins in a heap that the interpreter cannot be in.
    Feasible(Trace),
    /// No run of at most `bound` edges of the slice violates anything; `exhaustive`: no longer one either.
    Infeasible {
        /// Edges of the slice.
        bound: u32,
        /// No run of more edges violates anything either.
        exhaustive: bool,
    },
    /// There is no answer, for this reason: a limit, an operation without encoding, or a solver that does not decide.
    Unclear(String),
}

/// A run along a slice to a violation.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The last one faults.
    pub steps: Vec<Step>,
    /// What the last step violates.
    pub fault: Fault,
    /// What the run is given, for a replay.
    pub inputs: Inputs,
    /// Where the model put each block, in order of creation; those of a [`Start`] come first.
    pub blocks: Vec<Placed>,
    /// The values of the symbols of the question's [`Start`], addresses among them; ascending. What its arbitrary bytes are is in
    /// `inputs`.
    pub start: Vec<(SymId, u128)>,
}

/// A block in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The block, numbered in the order of creation.
    pub block: BlockId,
    /// Of its first byte.
    pub address: u64,
    /// Bytes.
    pub size: u64,
}

/// A way to put the question to a solver.
pub trait Encoding {
    /// As figures and traces show it.
    fn name(&self) -> &'static str;
    /// Whether a run that follows the slice violates a property.
    fn feasible(&self, question: &Question) -> Answer;
}

/// Which encoding to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The one that is faster on nearly all slices (`tests/analysis/feasibility` prints both): the unrolled one.
    #[default]
    Auto,
    /// One copy of the slice for each step up to the bound: [`Unrolled`].
    Unrolled,
    /// One step, quantified over time: [`Quantified`].
    Quantified,
}

impl Choice {
    /// As the command line writes it.
    pub fn name(self) -> &'static str {
        match self {
            Choice::Auto => "auto",
            Choice::Unrolled => "unrolled",
            Choice::Quantified => "quantified",
        }
    }

    /// What puts the question to the solver.
    pub(crate) fn encoding(self) -> &'static dyn Encoding {
        match self {
            Choice::Auto | Choice::Unrolled => &Unrolled,
            Choice::Quantified => &Quantified,
        }
    }
}

impl std::str::FromStr for Choice {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let choices = [Choice::Auto, Choice::Unrolled, Choice::Quantified];
        choices
            .into_iter()
            .find(|choice| choice.name() == name)
            .ok_or_else(|| "expected auto, unrolled or quantified".into())
    }
}
