//! Parts of transition systems: what is asked whether some concrete run follows it.

/// A graph whose walks from the initial node are the runs to be looked at; loops in it stand for any number of rounds.
///
/// Source: the slice of an abstract counterexample, section 4 of the CAV'12 paper on counterexample-guided shape refinement.
#[derive(Clone, Debug)]
pub struct Slice<M> {
    /// Nodes count from 0.
    pub nodes: usize,
    /// The node that every walk begins at.
    pub initial: usize,
    /// From any node to any other, several between two included.
    pub edges: Vec<SliceEdge<M>>,
}

/// An edge with the move it stands for.
#[derive(Clone, Debug)]
pub struct SliceEdge<M> {
    /// The node it leaves.
    pub from: usize,
    /// What repeats its steps.
    pub by: M,
    /// `None`: the last move of a run, looked at for what goes wrong in it.
    pub to: Option<usize>,
}
