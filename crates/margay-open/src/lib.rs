//! Contracts of functions without a harness, by bi-abduction.
//!
//! A room uses only rooms above it, and those of the crates below, which go by the same names here.

#[allow(unused_imports)]
use margay_c::{cfa, task};
#[allow(unused_imports)]
use margay_core::{heap, memory};
#[allow(unused_imports)]
use margay_smt::{base, numeric, smt};

pub mod open;
