//! Proofs as files: their format, writing and reading them.

mod format;
mod read;
mod write;

pub use format::WrittenProof;
pub use read::check_written;
pub use write::write;
