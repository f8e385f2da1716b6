//! The error every room returns for input it cannot take: a value with a position, never a panic.

use std::path::Path;

use super::span::Pos;

/// Why input was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A file cannot be read or written.
    Io,
    /// The text is not C (or YAML, or a property) that could be accepted.
    Syntax,
    /// Well-formed C that violates a constraint (undeclared name, wrong types).
    Constraint,
    /// C without a function `main` where one is needed.
    NoMain,
    /// A construct outside what the tool handles: the verdict becomes `UNKNOWN (unsupported: …)`.
    Unsupported,
    /// Wrong usage: options that do not go together, an unknown property.
    Usage,
}

/// A refusal with its reason and, where known, its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of mistake.
    pub kind: ErrorKind,
    /// One clause.
    pub message: String,
    /// Where in the user's text, if it is about one.
    pub pos: Option<Pos>,
}

/// `Result` with the crate's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error without a position.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), pos: None }
    }

    /// An error at a position.
    pub fn at(kind: ErrorKind, message: impl Into<String>, pos: Pos) -> Self {
        Self { kind, message: message.into(), pos: Some(pos) }
    }

    /// A file or folder that cannot be read.
    pub fn cannot_read(path: &Path, why: impl std::fmt::Display) -> Self {
        Self::new(ErrorKind::Io, format!("cannot read {}: {why}", path.display()))
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.pos {
            Some(pos) => write!(f, "{pos}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}

/// For checks of invariants.
///
/// # Errors
/// `why`, where the condition does not hold.
pub fn ensure(holds: bool, why: impl FnOnce() -> String) -> std::result::Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}
