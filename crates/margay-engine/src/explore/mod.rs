//! The exploration of a closed program: the glue from graphs to `ats`, canonical forms for covering, widening of numbers, merging,
//! abstraction at loop heads, and following given steps. Nothing here is trusted: a proof is checked without it.

mod abstraction;
mod arrays;
#[cfg(test)]
mod calls_tests;
mod canonical;
mod counts;
mod cursors;
mod domain;
mod elements;
mod filled;
mod follow;
mod free;
mod guards;
mod join;
mod limits;
mod merge;
mod nest;
mod orders;
mod overwritten;
mod past;
mod places;
mod relate;
mod samples;
mod seen;
mod start;
mod sums;
mod system;
mod texts;
mod violation;
mod widen;

pub use abstraction::Abstract;
pub use canonical::{Constraints, Shape};
pub(crate) use canonical::{Hole, Place as HolePlace, blind, canonical};
#[cfg(any(test, feature = "testing"))]
pub(crate) use cursors::name_sums;
pub use domain::{Alarm, Shapes};
pub(crate) use follow::Followed;
pub(crate) use free::place_of;
pub(crate) use past::{forget_numbers_of_the_past, live_symbols};
pub use samples::Sampler;
#[cfg(any(test, feature = "testing"))]
pub(crate) use seen::Numbers;
pub use start::start;
pub use system::{Exploration, System, SystemNode, explore, explore_with, states_at};
pub(crate) use violation::violation_state;
pub(crate) use widen::thresholds;
#[cfg(any(test, feature = "testing"))]
pub(crate) use widen::{Hints, widen};
