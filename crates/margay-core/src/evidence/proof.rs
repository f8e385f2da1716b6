//! What makes a `TRUE`.

use std::sync::Arc;

use super::{Asked, Checked, Foreign};
use crate::base::span::Pos;

/// That the checker accepted a set of states which no run leaves, and on which nothing is violated. Its fields are private: only
/// [`Proof::new`] makes one.
#[derive(Clone, Debug)]
pub struct Proof {
    nodes: usize,
    invariants: Vec<LoopInvariant>,
}

impl Proof {
    /// A proof is earned with the token that only an accepted check yields.
    ///
    /// # Errors
    /// It was not earned for `asked`.
    pub fn new(
        asked: &Asked,
        checked: &Checked,
        nodes: usize,
        invariants: Vec<LoopInvariant>,
    ) -> Result<Self, Foreign> {
        if !checked.is_for(asked) {
            return Err(Foreign::Question);
        }
        Ok(Self { nodes, invariants })
    }

    /// States of the transition system.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    pub fn invariants(&self) -> &[LoopInvariant] {
        &self.invariants
    }
}

/// A C expression that holds whenever control stands at a loop head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInvariant {
    /// The loop's keyword.
    pub pos: Pos,
    pub function: Arc<str>,
    /// Side-effect-free, over variables in scope.
    pub expression: String,
    /// Whether the loop's condition is known to be evaluated at its head, as in `while` and `for`, and not after its body.
    pub is_tested: bool,
}
