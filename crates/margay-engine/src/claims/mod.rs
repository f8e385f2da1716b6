//! What an exploration ended with as a proof, and what the checker makes of it. Nothing here is trusted: the checker verifies all of it.

mod claim;
#[cfg(test)]
mod planted_splits_tests;

pub use claim::{Checking, Judged, NotAccepted, UNRANKED, checked};
