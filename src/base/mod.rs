//! Typed ids, positions, limits and the error type every room shares.

pub mod error;
pub mod ids;
pub mod limits;
pub mod span;
