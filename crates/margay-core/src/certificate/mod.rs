//! Proofs as plain data and as files: their format, writing and reading them.

mod embedding;
mod format;
mod proof;
mod read;
#[cfg(test)]
mod read_tests;
mod write;

pub use embedding::{Embedding, Link, Place, TablePart, TreePart};
pub use format::{Certificate, Order};
pub use proof::{CoverEdge, Proof};
pub use read::read;
pub use write::write;
