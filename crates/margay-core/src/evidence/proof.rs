//! What makes a `TRUE`.

use std::sync::Arc;

use super::{Checked, Foreign, Obligation};
use crate::base::span::Pos;
use crate::cfa::{Program, skeleton};
use crate::memory::Checks;

/// That the checker accepted a set of states which no run leaves, and on which nothing is violated. Its fields are private: only
/// [`Proof::new`] and [`Proof::by_skeleton`] make one.
#[derive(Clone, Debug)]
pub struct Proof {
    asked: Obligation,
    nodes: usize,
    invariants: Vec<LoopInvariant>,
}

impl Proof {
    /// A proof is earned with the token that only an accepted check yields.
    ///
    /// # Errors
    /// It was not earned for `asked`.
    pub fn new(
        asked: &Obligation,
        checked: &Checked,
        nodes: usize,
        invariants: Vec<LoopInvariant>,
    ) -> Result<Self, Foreign> {
        if !checked.is_for(asked) {
            return Err(Foreign::Question);
        }
        Ok(Self { asked: *asked, nodes, invariants })
    }

    /// A proof about the skeleton of `program` is one about the program, if reachability or termination is all
    /// that is asked: see [`skeleton`].
    ///
    /// # Errors
    /// The check was not about this program's skeleton, or more is asked.
    pub fn by_skeleton(
        program: &Program,
        checks: &Checks,
        checked: &Checked,
        nodes: usize,
        invariants: Vec<LoopInvariant>,
    ) -> Result<Self, Foreign> {
        let shown = checks.of_skeleton().map(|asked| Obligation::of(&skeleton(program, asked), checks));
        if !shown.is_some_and(|shown| checked.is_for(&shown)) {
            return Err(Foreign::Question);
        }
        Ok(Self { asked: Obligation::of(program, checks), nodes, invariants })
    }

    /// The program, and what was shown not to happen in it.
    pub fn obligation(&self) -> &Obligation {
        &self.asked
    }

    /// States of the transition system.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// What is known at loop heads.
    pub fn invariants(&self) -> &[LoopInvariant] {
        &self.invariants
    }
}

/// A C expression that holds whenever control stands at a loop head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInvariant {
    /// The loop's keyword.
    pub pos: Pos,
    /// In which the loop is.
    pub function: Arc<str>,
    /// Side-effect-free, over variables in scope.
    pub expression: String,
    /// What holds between each visit of the head and every later one, where it is known and makes the visits end: a variable's value
    /// at the earlier one is `\at(x, AnyPrev)`.
    pub transition: Option<String>,
    /// Whether the loop's condition is known to be evaluated at its head, as in `while` and `for`, and not after its body.
    pub is_tested: bool,
}
