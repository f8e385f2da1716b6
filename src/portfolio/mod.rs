//! Members per property, raced under limits.

// mod decide;

// pub use decide::{Stats, decide};
