//! What the process is busy with, for people who wait. Nothing is decided by it.

use std::sync::{Mutex, PoisonError};

static NOW: Mutex<String> = Mutex::new(String::new());

/// From now on it is this.
pub fn set(what: String) {
    *NOW.lock().unwrap_or_else(PoisonError::into_inner) = what;
}

/// What it is; empty where it was not given.
pub fn get() -> String {
    NOW.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
