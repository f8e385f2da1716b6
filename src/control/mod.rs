//! Programs about numbers and flags, without heap: explicit values at cut points. Nothing here is trusted: what an exploration ends
//! with is a proof that is checked edge by edge, and a violation is replayed.

mod clauses;
mod horn;
mod integer_program;
mod kind;
mod loose;
mod merging;
#[cfg(test)]
mod merging_tests;
#[cfg(test)]
mod tests;
mod values;

pub use clauses::{Clauses, NoClauses};
pub use horn::horn;
pub use integer_program::integer_program;
pub use kind::objection;
pub use loose::{Loose, Loosening};
pub use merging::Merging;
pub use values::Values;
