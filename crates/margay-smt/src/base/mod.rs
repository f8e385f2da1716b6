//! Typed ids, positions, limits, deep stacks and the error type every room shares.

pub mod error;
pub mod ids;
pub mod limits;
pub mod panics;
pub mod span;
pub mod stack;
pub mod status;
pub mod usage;
pub mod work;
