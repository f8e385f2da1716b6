//! Which program, by its content.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::base::error::{Error, Result};

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of a program, in hexadecimal, as witnesses and certificates name it.
///
/// # Errors
/// `Io` where it cannot be read.
pub fn program_hash(file: &Path) -> Result<String> {
    let bytes = std::fs::read(file).map_err(|error| Error::cannot_read(file, error))?;
    Ok(sha256(&bytes))
}
