//! The proof check: that states are well-formed, include the program's start and, step by step, one another's successors. That
//! one state includes another is an *embedding*, proposed by a [`Guide`] nobody needs to trust, and verified without search.

mod alike;
#[cfg(test)]
mod alike_tests;
mod binding;
mod calls;
mod check;
mod combine;
mod frame;
#[cfg(test)]
pub(crate) mod frame_tests;
mod gather;
mod guide;
mod limbs;
mod named;
mod row;
#[cfg(test)]
mod row_tests;
mod shares;
mod verify;
mod well_formed;

pub(crate) use alike::alike;
pub use binding::Binding;
pub(crate) use gather::Demand;
pub use guide::{Arrival, Guide};
pub use shares::{Accepted, Manner, check};
pub(crate) use verify::verify;
