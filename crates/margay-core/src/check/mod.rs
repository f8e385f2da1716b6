//! The proof check: that states are well-formed, include the program's start and, step by step, one another's successors. That
//! one state includes another is an *embedding*, proposed by an untrusted [`HintSource`], and verified without search.

mod alike;
#[cfg(test)]
mod alike_tests;
mod alone;
mod binding;
mod calls;
mod descent;
#[cfg(test)]
mod descent_tests;
mod gather;
mod hint_source;
mod likely;
mod manner;
mod mismatch;
mod row;
#[cfg(test)]
mod row_tests;
#[cfg(test)]
mod runs_tests;
mod shares;
mod table_parts;
#[cfg(test)]
mod table_parts_tests;
mod tree_parts;
mod verify;
mod walk;
mod well_formed;

pub use alike::alike;
pub use alone::check_alone;
pub use binding::Binding;
pub use descent::decreases;
pub use gather::Demand;
pub use hint_source::{Arrival, HintSource};
pub use manner::{Keeps, Manner};
pub use mismatch::{Mismatch, Reason};
pub use shares::{Accepted, check};
pub use verify::verify;
