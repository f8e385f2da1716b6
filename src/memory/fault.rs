//! What can go wrong in one step.

use std::fmt;
use std::rc::Rc;

use crate::task::Violation;

/// A violation of a property, with what a person needs to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub violation: Violation,
    /// One clause: "4 bytes at offset 8 of heap block of 8 bytes allocated at line 5", "double free of …".
    pub detail: Rc<str>,
}

impl Fault {
    pub fn new(violation: Violation, detail: impl Into<Rc<str>>) -> Self {
        Self { violation, detail: detail.into() }
    }
}

/// Nothing useful can be said about what follows: the answer can no longer be TRUE, and nothing is refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    pub gap: Gap,
    /// One clause, without what `gap` says already.
    pub why: Rc<str>,
}

/// What is missing to say more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// C leaves undefined what the program did, and nobody asks about it.
    Undefined,
    /// The program uses something of a world that its text does not show: a pointer that an undefined function returned.
    Foreign,
    /// The tool does not follow it, or not that far.
    Tool,
}

impl Stuck {
    /// See [`Gap::Undefined`].
    pub fn undefined(why: impl Into<Rc<str>>) -> Self {
        Self { gap: Gap::Undefined, why: why.into() }
    }

    /// See [`Gap::Foreign`].
    pub fn foreign(why: impl Into<Rc<str>>) -> Self {
        Self { gap: Gap::Foreign, why: why.into() }
    }

    /// See [`Gap::Tool`].
    pub fn tool(why: impl Into<Rc<str>>) -> Self {
        Self { gap: Gap::Tool, why: why.into() }
    }
}

/// One clause for the `UNKNOWN` reason.
impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.gap {
            Gap::Undefined => write!(f, "undefined behaviour: {}", self.why),
            Gap::Foreign | Gap::Tool => f.write_str(&self.why),
        }
    }
}
