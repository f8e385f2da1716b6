//! Typed syntax → control-flow automaton.

mod ir;

pub use ir::*;
