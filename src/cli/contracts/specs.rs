//! A folder in which results are kept between runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::super::output::{complain, write_file};
use crate::base::error::{Error, ErrorKind, Result};
use crate::open::Cache;
use crate::task::sha256;

/// One file for each key.
pub struct Folder {
    path: PathBuf,
    /// Which build of the tool this is: another may find something else.
    build: String,
    analysed: Mutex<Vec<String>>,
}

impl Folder {
    /// # Errors
    /// The folder cannot be made.
    pub fn open(path: &Path) -> Result<Self> {
        fs::create_dir_all(path)
            .map_err(|error| Error::new(ErrorKind::Io, format!("cannot make {}: {error}", path.display())))?;
        // The same program is the same build wherever it was unpacked, and whenever.
        let tool = std::env::current_exe().and_then(fs::read);
        let build = tool.map(|tool| sha256(&tool)[..16].to_owned());
        Ok(Self { path: path.to_owned(), build: build.unwrap_or_default(), analysed: Mutex::default() })
    }

    /// Functions that were analysed, sorted.
    pub fn analysed(&self) -> Vec<String> {
        let mut names = self.analysed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        names.sort();
        names.dedup();
        names
    }

    fn file(&self, key: &str) -> PathBuf {
        self.path.join(format!("{key}-{}.json", self.build))
    }
}

impl Cache for Folder {
    fn get(&self, key: &str) -> Option<String> {
        let file = self.file(key);
        match fs::read(&file) {
            // What is no text is damaged, which its reader finds out.
            Ok(bytes) => Some(String::from_utf8(bytes).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                complain(&format!("warning: cannot read {}: {error}\n", file.display()));
                None
            }
        }
    }

    fn put(&self, key: &str, text: &str) {
        if let Err(error) = write_file(&self.file(key), text) {
            complain(&format!("warning: {error}\n"));
        }
    }

    fn damaged(&self, key: &str) {
        complain(&format!("warning: {} is damaged and not used\n", self.file(key).display()));
    }

    fn analysed(&self, function: &str) {
        self.analysed.lock().unwrap_or_else(PoisonError::into_inner).push(function.to_owned());
    }
}
