//! Programs about numbers and flags, without heap: explicit values at cut points. Nothing here is trusted: what an exploration ends
//! with is a proof that is checked edge by edge, and a violation is replayed.

mod confirm;
mod kind;
mod loose;
mod merging;
#[cfg(test)]
mod merging_tests;
#[cfg(test)]
mod tests;
mod values;

pub use confirm::confirm;
pub use kind::objection;
pub use loose::{Loose, Loosening};
pub use merging::Merging;
pub use values::Values;
