//! What makes a `TRUE`.

use std::sync::Arc;

use crate::ats::{Asked, Checked, Complete, Foreign, fit};
use crate::base::span::Pos;

/// That exploration completed with no violation and the checker accepted what it ended with. Its fields are private: only
/// [`Proof::new`] makes one.
#[derive(Clone, Debug)]
pub struct Proof {
    nodes: usize,
    invariants: Vec<LoopInvariant>,
}

impl Proof {
    /// A proof is earned with two tokens: one only a complete exploration yields, the other only an accepted check.
    ///
    /// # Errors
    /// They were not earned for `asked`, or not for the same proof.
    pub fn new(
        asked: &Asked,
        complete: &Complete,
        checked: &Checked,
        nodes: usize,
        invariants: Vec<LoopInvariant>,
    ) -> Result<Self, Foreign> {
        fit(asked, complete, checked)?;
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
