//! What is known of numbers, behind one trait: machine integers, each as wide as its symbol, whose arithmetic wraps around.
//!
//! Knows terms, and nothing of the memory that holds them. [`Intervals`] is the domain that states use.

mod domain;
mod intervals;
#[cfg(test)]
mod intervals_tests;
mod lattice;
#[cfg(test)]
mod laws;
#[cfg(any(test, feature = "testing"))]
pub mod low_bits;
mod range;

pub use domain::{NumericDomain, decided};
pub use intervals::Intervals;
pub use range::{Range, Thresholds};
