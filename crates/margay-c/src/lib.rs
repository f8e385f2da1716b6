//! C text with a property to typed syntax and to a control-flow automaton.
//!
//! A room uses only rooms above it, and those of the crates below, which go by the same names here.

use margay_smt::{base, typed_id};

pub mod task;
pub mod c;
pub mod cfa;
