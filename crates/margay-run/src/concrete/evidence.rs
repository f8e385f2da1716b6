//! What a run shows, and the evidence that it was run.

use std::ops::{Deref, Range};
use std::sync::Arc;

use super::story::Story;
use crate::base::span::Pos;
use crate::cfa::Bits;
use crate::evidence::Obligation;
use crate::memory::{Inputs, Weakness};
use crate::task::Violation;

/// A run that ends in a violation, as plain data.
#[derive(Clone, Debug)]
pub struct ViolatingRun {
    /// What the run ends in.
    pub violation: Violation,
    /// One clause for people.
    pub detail: Arc<str>,
    /// What kind of mistake it is, where that is known.
    pub weakness: Option<Weakness>,
    /// In order of execution; the last one is [`Event::Violation`].
    pub trace: Vec<Event>,
    /// A run on these is the same run.
    pub inputs: Inputs,
    /// For people.
    pub story: Story,
    /// It went on after an access that led to no object of the program.
    pub outside: bool,
    /// Where the run never ends: the event of the trace that begins the round which it goes again and again, up to the violation.
    pub round: Option<usize>,
}

impl ViolatingRun {
    /// The events of a round without end where it is gone for the first time: the run may have gone it before it was noticed.
    pub fn first_round(&self) -> Option<Range<usize>> {
        let end = self.trace.len().checked_sub(1)?;
        let length = end.checked_sub(self.round?).filter(|length| *length > 0)?;
        let mut start = end - length;
        while start > 0 && self.trace[start - 1] == self.trace[start - 1 + length] {
            start -= 1;
        }
        Some(start..start + length)
    }
}

/// A violation that a replay showed: only the interpreter makes one, of a run it has just seen.
///
/// ```compile_fail
/// use margay_core::evidence::Obligation;
/// use margay_run::concrete::{Counterexample, ViolatingRun};
///
/// fn forged(run: ViolatingRun, asked: Obligation) -> Counterexample {
///     Counterexample { run, asked }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Counterexample {
    run: Box<ViolatingRun>,
    asked: Obligation,
}

impl Counterexample {
    pub(super) fn new(run: ViolatingRun, asked: Obligation) -> Self {
        Self { run: Box::new(run), asked }
    }

    /// The program that was run, and what was looked for.
    pub fn obligation(&self) -> &Obligation {
        &self.asked
    }
}

impl Deref for Counterexample {
    type Target = ViolatingRun;

    fn deref(&self) -> &ViolatingRun {
        &self.run
    }
}

/// One event of a concrete run that evidence speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A side of a branch was taken; `pos` is the keyword or the `?`.
    Branch {
        /// In the text that the user gave.
        pos: Pos,
        /// In which it stands.
        function: Arc<str>,
        /// The condition holds.
        taken: bool,
    },
    /// A case of a `switch` was chosen (`None`: default).
    Case {
        /// The keyword `switch`.
        pos: Pos,
        /// In which it stands.
        function: Arc<str>,
        /// That of the case.
        value: Option<i128>,
    },
    /// An input function returned `value`; `close` is the call's closing parenthesis.
    Input {
        /// In the text that the user gave.
        close: Pos,
        /// The caller.
        function: Arc<str>,
        /// The input function.
        callee: Arc<str>,
        /// As wide as the result type.
        value: Bits,
        /// The result type is a signed one.
        signed: bool,
    },
    /// A function of the library, which took inputs, returned `value`; `close` is the call's closing parenthesis.
    Library {
        /// In the text that the user gave.
        close: Pos,
        /// The caller.
        function: Arc<str>,
        /// The library function.
        callee: Arc<str>,
        /// As wide as the result type.
        value: Bits,
        /// The result type is a signed one.
        signed: bool,
    },
    /// A function of the program was entered by a call.
    Enter {
        /// The statement or full expression with the call.
        call: Pos,
        /// The callee.
        function: Arc<str>,
    },
    /// It returned.
    Return {
        /// The `return`, or the closing brace.
        pos: Pos,
        /// The function that returned.
        function: Arc<str>,
    },
    /// The violation, with the function it happens in; `pos` is the first character of the statement or full expression.
    Violation {
        /// In the text that the user gave.
        pos: Pos,
        /// In which it stands.
        function: Arc<str>,
    },
}

impl Event {
    /// Where it happens.
    pub fn pos(&self) -> &Pos {
        match self {
            Event::Branch { pos, .. }
            | Event::Case { pos, .. }
            | Event::Return { pos, .. }
            | Event::Violation { pos, .. } => pos,
            Event::Input { close, .. } | Event::Library { close, .. } => close,
            Event::Enter { call, .. } => call,
        }
    }
}
