//! Why a question could not be answered at all.

use std::fmt;

use crate::base::error::{Error as Refusal, ErrorKind};
use crate::base::span::Pos;

/// Why there is no answer. What the tool does not handle, and limits, are answers: see [`Reason`](super::Reason).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written, or the preprocessor not be run.
    Io(String),
    /// The text is not C, or not what it should be: a property, for example.
    Syntax {
        /// One clause, with further lines of advice for some mistakes.
        message: String,
        /// The first character of what is wrong, where it is known.
        position: Option<Pos>,
    },
    /// Well-formed C that violates a constraint: a name that is not declared, wrong types.
    Constraint {
        /// One clause.
        message: String,
        /// The first character of what is wrong, where it is known.
        position: Option<Pos>,
    },
    /// The program has no function that it starts at.
    NoMain(String),
    /// The program or the property has something that the tool does not handle.
    Unsupported {
        /// One clause.
        message: String,
        /// Where the construct stands, if it is one of the program.
        position: Option<Pos>,
    },
    /// The question makes no sense: options that do not go together, a function that does not exist.
    Usage(String),
    /// A defect of this tool.
    Internal(String),
}

impl Error {
    /// Where in the program or property the mistake is, if it is about one.
    pub fn position(&self) -> Option<&Pos> {
        match self {
            Error::Syntax { position, .. }
            | Error::Constraint { position, .. }
            | Error::Unsupported { position, .. } => position.as_ref(),
            Error::Io(_) | Error::NoMain(_) | Error::Usage(_) | Error::Internal(_) => None,
        }
    }

    /// What is wrong, without the position.
    pub fn message(&self) -> &str {
        match self {
            Error::Syntax { message, .. } | Error::Constraint { message, .. } | Error::Unsupported { message, .. } => {
                message
            }
            Error::Io(message) | Error::NoMain(message) | Error::Usage(message) | Error::Internal(message) => message,
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let Refusal { kind, message, pos: position } = refusal;
        match kind {
            ErrorKind::Io => Error::Io(message),
            ErrorKind::Syntax => Error::Syntax { message, position },
            ErrorKind::Constraint => Error::Constraint { message, position },
            ErrorKind::NoMain => Error::NoMain(message),
            ErrorKind::Unsupported => Error::Unsupported { message, position },
            ErrorKind::Usage => Error::Usage(message),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position() {
            Some(position) => write!(f, "{position}: {}", self.message()),
            None => f.write_str(self.message()),
        }
    }
}

impl std::error::Error for Error {}
