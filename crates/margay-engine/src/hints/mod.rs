//! Guesses how one state lies within another. Nothing here is trusted: `check` verifies all of it.

mod chains;
mod covers;
#[cfg(test)]
mod covers_tests;
mod kinds;
mod objects;
mod symbol_search;
mod symbols;
mod tables;
mod trees;

pub(crate) use covers::{Search, covers};
