//! What a proof is made of before it is checked: the states an exploration ended with, and guesses how arrivals lie within them.
//! Nothing here is trusted: `proof` verifies all of it.

mod chains;
mod claim;
mod covers;
#[cfg(test)]
mod covers_tests;
mod kinds;
mod objects;
#[cfg(test)]
mod planted_splits_tests;
mod symbol_search;
mod symbols;
mod tables;
mod trees;

pub use claim::{Checking, Judged, NotAccepted, UNRANKED, checked};
pub(crate) use covers::covers;
