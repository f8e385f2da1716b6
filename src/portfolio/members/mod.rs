//! The members: each file is one way of answering.

mod precise;
mod random;
mod refining;

pub use precise::precise;
pub use random::random_runs;
pub use refining::refining;
