//! Contracts of functions without a harness, by bi-abduction.
//!
//! A room uses only rooms above it, and those of the crates below, which go by the same names here.

use margay_c::{cfa, task};
use margay_core::{heap, memory};
use margay_smt::{base, numeric, smt};

pub mod open;
