//! The members: each file is one way of answering.

mod precise;
mod random;
mod refining;
mod values;

pub use precise::precise;
pub use random::random_runs;
pub use refining::refining;
pub use values::values;
