//! What a `FALSE` rests on: the interpreter, replay and counterexamples; and verdicts.
//!
//! A room uses only rooms above it, and those of the crates below, which go by the same names here.

#[allow(unused_imports)]
use margay_c::{c, cfa, task};
#[allow(unused_imports)]
use margay_core::{evidence, memory};
#[allow(unused_imports)]
use margay_smt::base;

pub mod concrete;
pub mod verdict;
