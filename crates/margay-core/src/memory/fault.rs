//! What can go wrong in one step.

use std::fmt;
use std::rc::Rc;

use crate::task::Violation;

/// A violation of a property, with what a person needs to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is violated.
    pub violation: Violation,
    /// One clause: "4 bytes at offset 8 of heap block of 8 bytes allocated at line 5", "double free of …".
    pub detail: Rc<str>,
    /// What kind of mistake it is, where that is known.
    pub weakness: Option<Weakness>,
}

impl Fault {
    /// A fault whose kind of mistake follows from the violation, or is not known.
    pub fn new(violation: Violation, detail: impl Into<Rc<str>>) -> Self {
        let weakness = match violation {
            Violation::UnreachCall => Some(Weakness::Assertion),
            Violation::ValidMemtrack | Violation::ValidMemcleanup => Some(Weakness::Leak),
            Violation::NoOverflow => Some(Weakness::Overflow),
            Violation::Termination => Some(Weakness::Endless),
            Violation::ValidDeref | Violation::ValidFree => None,
        };
        Self { violation, detail: detail.into(), weakness }
    }

    /// The same as a mistake of this kind.
    pub fn of(self, weakness: Weakness) -> Self {
        Self { weakness: Some(weakness), ..self }
    }
}

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weakness {
    /// An access through null, or near it.
    NullPointer,
    /// An access to a heap block that was freed.
    UseAfterFree,
    /// An object that is not from the heap is used after its end.
    Expired,
    /// A read that does not lie within its object.
    OutOfBoundsRead,
    /// A write that does not lie within its object.
    OutOfBoundsWrite,
    /// An access that no object allows.
    NoObject,
    /// `free` of a block that was freed.
    DoubleFree,
    /// `free` of something that no allocation made.
    FreeOfNoHeapBlock,
    /// `free` of an address within a block.
    FreeNotAtStart,
    /// A block that is lost, or never freed.
    Leak,
    /// Signed overflow.
    Overflow,
    /// A loop that is never left, or recursion without end.
    Endless,
    /// An error function or a failing assertion is reached.
    Assertion,
}

impl Weakness {
    /// Its number in the Common Weakness Enumeration, and what it is called there.
    pub fn cwe(self) -> (u32, &'static str) {
        match self {
            Weakness::NullPointer => (476, "NULL Pointer Dereference"),
            Weakness::UseAfterFree => (416, "Use After Free"),
            Weakness::Expired => (825, "Expired Pointer Dereference"),
            Weakness::OutOfBoundsRead => (125, "Out-of-bounds Read"),
            Weakness::OutOfBoundsWrite => (787, "Out-of-bounds Write"),
            Weakness::NoObject => (119, "Improper Restriction of Operations within the Bounds of a Memory Buffer"),
            Weakness::DoubleFree => (415, "Double Free"),
            Weakness::FreeOfNoHeapBlock => (590, "Free of Memory not on the Heap"),
            Weakness::FreeNotAtStart => (761, "Free of Pointer not at Start of Buffer"),
            Weakness::Leak => (401, "Missing Release of Memory after Effective Lifetime"),
            Weakness::Overflow => (190, "Integer Overflow or Wraparound"),
            Weakness::Endless => (835, "Loop with Unreachable Exit Condition ('Infinite Loop')"),
            Weakness::Assertion => (617, "Reachable Assertion"),
        }
    }
}

/// Nothing useful can be said about what follows: the answer can no longer be TRUE, and nothing is refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// What would have to be known to go on.
    pub gap: Gap,
    /// One clause, without what `gap` says already.
    pub why: Rc<str>,
}

/// What is missing to say more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// C leaves undefined what the program did, and it is not asked about.
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
