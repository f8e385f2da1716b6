//! The proof check: that states are well-formed, cover the program's start and, step by step, one another's successors. That one
//! state covers another is an *embedding*, proposed by a guess and verified without search.

mod binding;
mod binding_search;
mod calls;
mod check;
mod covers;
#[cfg(test)]
mod covers_tests;
mod embedding;
mod propose;
mod propose_chain;
mod verify;
mod well_formed;

pub(crate) use check::{Checker, Evidence};
pub use check::{Landing, Proof, check};
pub use covers::covers;
pub(crate) use embedding::{Embedding, Link, Place};
