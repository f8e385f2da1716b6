//! Calls with a frame, as proposals: which functions are followed once for all callers, and what each call shares with the rest of its
//! caller's state. Nothing here is trusted: the frame rule ([`crate::frame`]) is sound for every proposal.

mod plans;
mod follows;
#[cfg(test)]
mod follows_tests;
mod opaque;
mod parts;
#[cfg(any(test, feature = "testing"))]
pub mod probe_call;
mod propose;
#[cfg(test)]
mod rule_tests;

pub use plans::{Calls, Plan};
pub use propose::Unsplit;
