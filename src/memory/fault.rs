//! What can go wrong in one step.

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

/// The semantics says nothing useful about what follows: the answer can no longer be TRUE, and nothing is refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// One clause for the `UNKNOWN` reason.
    pub why: Rc<str>,
}

impl Stuck {
    pub fn new(why: impl Into<Rc<str>>) -> Self {
        Self { why: why.into() }
    }
}
