//! What a proof says: states that no run leaves, and where runs from each of them arrive.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::embedding::Embedding;
use super::format::Order;
use crate::cfa::{FunctionId, Loc, Step};
use crate::evidence::ProofId;
use crate::frame::Summarised;
use crate::heap::State;
use crate::smt::{Model, Term};

/// States that claim to be left by no run and to contain no violation: the program's start, cut points, and the entries and
/// exits of functions that were followed apart from their callers.
#[derive(Clone, Default)]
pub struct Proof {
    /// Of the exploration that ended with it, if there was one in this process.
    pub id: Option<ProofId>,
    /// That no run leaves.
    pub states: Vec<Rc<State>>,
    /// The functions that were followed apart from their callers.
    pub apart: Summarised,
    /// By state: the context it belongs to; the program's start is in the first.
    pub contexts: Vec<usize>,
    /// By context: its entry.
    pub entries: Vec<usize>,
    /// How the program's start lies within the proof, where that is known.
    pub start: Option<CoverEdge>,
    /// By state: where its runs arrive, in the order in which they do. Only a hint.
    pub cover_edges: Vec<Vec<CoverEdge>>,
    /// Where runs meet that are followed further: only arrivals that [`Proof::cover_edges`] names end there.
    pub passed: BTreeSet<(FunctionId, Loc)>,
    /// A number that is written to the heap is one state for each value it may have, where these are few: arrivals are so.
    pub splits_choices: bool,
    /// See [`Semantics::cells_by_number`].
    ///
    /// [`Semantics::cells_by_number`]: crate::heap::Semantics::cells_by_number
    pub cells_by_number: bool,
    /// See [`Semantics::finds_at_once`].
    ///
    /// [`Semantics::finds_at_once`]: crate::heap::Semantics::finds_at_once
    pub finds_at_once: bool,
    /// By state, where the program is said to end: terms over its symbols, which decrease lexicographically, each in its order,
    /// along every edge of the proof. Empty where nothing is said.
    pub measures: Vec<Vec<(Term, Order)>>,
    /// Values of symbols that may come up: models that a solver need not look for. Only a hint.
    pub models: Vec<Model>,
}

/// An arrival: how it was reached, in which state it lies, and how (where that is known).
#[derive(Clone)]
pub struct CoverEdge {
    /// The steps from the state it begins in.
    pub path: Vec<Step>,
    /// The state that it ends in.
    pub target: usize,
    /// How the run's state lies within it, where that is recorded.
    pub embedding: Option<Embedding>,
    /// The run's state, where a check was to keep it; it is not written.
    pub arrival: Option<Rc<State>>,
}
