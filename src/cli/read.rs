//! Files that options name.

use std::path::Path;

use crate::base::error::{Error, Result};

/// What a file says; complaints name it.
///
/// # Errors
/// It cannot be read, or says nothing that `from_text` takes.
pub fn read<T>(file: &Path, from_text: impl FnOnce(&str) -> Result<T>) -> Result<T> {
    let text = std::fs::read_to_string(file).map_err(|error| Error::cannot_read(file, error))?;
    from_text(&text).map_err(|error| Error::new(error.kind, format!("{}: {}", file.display(), error.message)))
}
