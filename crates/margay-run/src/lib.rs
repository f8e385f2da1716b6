//! What a `FALSE` rests on: the interpreter, replay and counterexamples; and verdicts.
//!
//! A room uses only rooms above it, and those of the crates below, which go by the same names here.

#[cfg(test)]
use margay_c::c;
use margay_c::{cfa, task};
use margay_core::{evidence, memory};
use margay_smt::{base, smt};

pub mod concrete;
pub mod verdict;
