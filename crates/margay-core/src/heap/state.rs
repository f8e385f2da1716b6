//! A state of an exploration: frames, globals and a graph.

use super::graph::Smg;
use crate::memory::Config;
use crate::smt::Term;

/// A set of configurations of a program: what its frames hold over one symbolic memory graph.
pub type State = Config<Smg>;

/// All values that frames hold.
pub fn values(state: &State) -> Vec<Term> {
    state.frames.iter().flat_map(|frame| frame.regs.iter().flatten().copied()).collect()
}

/// All values that the outermost frame holds.
pub fn outermost(state: &State) -> Vec<Term> {
    state.frames.first().into_iter().flat_map(|frame| frame.regs.iter().flatten().copied()).collect()
}
