//! Typed syntax → control-flow automaton.
//!
//! `lower` builds it, `library` says what functions without a body do, `simplify` keeps expressions small, `loops` and
//! `liveness` annotate it, `text` and `dot` show it, `validate` checks what everybody relies on.

mod byte_set;
mod call_graph;
mod dot;
mod expr;
mod fingerprint;
mod float_functions;
mod ir;
mod library;
mod liveness;
mod loops;
mod lower;
mod made;
mod op;
mod postorder;
mod records;
mod simplify;
mod skeleton;
#[cfg(test)]
mod tests;
mod text;
mod validate;

pub use byte_set::ByteSet;
pub use call_graph::{CallGraph, Reach};
pub use dot::dot;
pub use fingerprint::Fingerprint;
pub use float_functions::{ElementaryFunction, ExactFunction, FloatFunction, PrintedForm, Side};
pub use ir::*;
pub use library::{allocates, is_approximated};
pub use liveness::{Live, defined, for_exprs, live};
pub use lower::{LowerOptions, OpenProgram, lower, lower_open, lower_with_landmarks};
pub use postorder::{predecessors, reverse_postorder};
pub use records::{Member, Record, Records};
pub use skeleton::{Asked, is_open, skeleton};
pub use text::{show, show_function};
pub use validate::validate;

/// Finds loop heads, joins and dead registers of a function anew, after a change of its edges.
pub fn annotate(function: &mut Function) {
    let live = live(function);
    loops::mark(function);
    liveness::mark_dead(function, &live);
}
