//! The ground: typed ids, positions, limits, terms, solvers and numeric domains.
//!
//! A room uses only rooms above it, and those of the crates below, which go by the same names here.

pub mod base;
pub mod smt;
pub mod numeric;
