//! Standard streams, and files that are either whole or not there.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::Refused;
use crate::base::error::{Error, ErrorKind, Result};

/// Writes to standard output.
///
/// # Errors
/// Not all of it was written. Why is said on standard error, except that a reader who went away need not be told.
pub fn say(text: &str) -> std::result::Result<(), Refused> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| {
        if error.kind() != std::io::ErrorKind::BrokenPipe {
            complain(&format!("error: cannot write to standard output: {error}\n"));
        }
        Refused
    })
}

/// Writes to standard error.
pub fn complain(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes());
}

/// Replaces `path` by `text`: whoever looks sees the old file or the whole new one.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    let temporary = temporary_beside(path)?;
    let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        cannot_write(path, &error)
    })
}

/// Whether [`write_file`] can work, found out before hours of analysis.
pub fn check_writable(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Err(Error::new(ErrorKind::Io, format!("cannot write {}: it is a folder", path.display())));
    }
    let temporary = temporary_beside(path)?;
    fs::File::create(&temporary).map_err(|error| cannot_write(path, &error))?;
    fs::remove_file(&temporary).map_err(|error| cannot_write(path, &error))
}

/// In the same folder, so that renaming is atomic; named by the process, so that two runs do not meet.
fn temporary_beside(path: &Path) -> Result<PathBuf> {
    let name = path
        .file_name()
        .ok_or_else(|| Error::new(ErrorKind::Io, format!("cannot write {}: it has no file name", path.display())))?;
    Ok(path.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id())))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot write {}: {error}", path.display()))
}
