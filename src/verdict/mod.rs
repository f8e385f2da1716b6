//! Answers and their evidence: plain data that knows no heap and no analysis.

use std::sync::Arc;

use crate::ats::{Checked, Complete};
use crate::base::error::Error;
use crate::base::limits::Exhausted;
use crate::base::span::Pos;
use crate::cfa::Bits;
use crate::task::Violation;

/// The answer to one property.
#[derive(Clone, Debug)]
pub enum Verdict {
    True(Proof),
    False(Counterexample),
    Unknown(Why),
}

/// That exploration completed with no violation and the checker accepted what it ended with. Its fields are private: only [`Proof::new`] makes one.
#[derive(Clone, Debug)]
pub struct Proof {
    nodes: usize,
    invariants: Vec<LoopInvariant>,
}

impl Proof {
    /// A proof is earned with two tokens: one only a complete exploration yields, the other only an accepted check.
    pub fn new(_complete: Complete, _checked: Checked, nodes: usize, invariants: Vec<LoopInvariant>) -> Self {
        Self { nodes, invariants }
    }

    /// States of the transition system.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    pub fn invariants(&self) -> &[LoopInvariant] {
        &self.invariants
    }
}

/// A C expression that holds whenever control stands at a loop head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInvariant {
    /// The loop's keyword.
    pub pos: Pos,
    pub function: Arc<str>,
    /// Side-effect-free, over variables in scope.
    pub expression: String,
}

/// A violation that a concrete run showed.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub violation: Violation,
    /// One clause for people.
    pub detail: Arc<str>,
    /// In order of execution; the last one is [`Event::Violation`].
    pub trace: Vec<Event>,
    pub inputs: Inputs,
}

/// What a concrete run was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Results of nondeterministic operations ([`crate::cfa::Op::Nondet`] and registers read before set), in order of execution;
    /// a run that asks for more gets zeros.
    pub values: Vec<u128>,
    /// Bytes of memory that was read before it was written: (block number, byte offset) → byte; zero where absent.
    pub bytes: std::collections::BTreeMap<(u32, u64), u8>,
}

/// One event of a concrete run that evidence speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A side of a branch was taken; `pos` is the keyword or the `?`.
    Branch { pos: Pos, function: Arc<str>, taken: bool },
    /// A case of a `switch` was chosen (`None`: default).
    Case { pos: Pos, function: Arc<str>, value: Option<i128> },
    /// An input function returned `value`; `close` is the call's closing parenthesis.
    Input { close: Pos, function: Arc<str>, callee: Arc<str>, value: Bits, signed: bool },
    /// A function of the program was entered by a call.
    Enter { call: Pos, function: Arc<str> },
    /// It returned.
    Return { pos: Pos, function: Arc<str> },
    /// The violation, with the function it happens in; `pos` is the first character of the statement or full expression.
    Violation { pos: Pos, function: Arc<str> },
}

/// Why there is no definite answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    Timeout,
    OutOfMemory,
    /// Whoever asked no longer wants to know.
    Cancelled,
    /// A construct outside what the tool handles.
    Unsupported(Error),
    /// The analysis ended without a proof or a confirmed violation.
    NotProved(String),
    /// A defect of the tool.
    Internal(String),
}

impl From<Exhausted> for Why {
    fn from(exhausted: Exhausted) -> Self {
        match exhausted {
            Exhausted::Timeout => Why::Timeout,
            Exhausted::Memory => Why::OutOfMemory,
            Exhausted::Cancelled => Why::Cancelled,
        }
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Timeout => f.write_str("timeout"),
            Why::OutOfMemory => f.write_str("out of memory"),
            Why::Cancelled => f.write_str("cancelled"),
            Why::Unsupported(error) => match &error.pos {
                Some(pos) => write!(f, "unsupported: {} at {}:{}", error.message, pos.file, pos.line),
                None => write!(f, "unsupported: {}", error.message),
            },
            Why::NotProved(why) => write!(f, "not proved: {why}"),
            Why::Internal(what) => write!(f, "internal: {what}"),
        }
    }
}

impl std::fmt::Display for Verdict {
    /// What stands after `Verification result: `.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::True(_) => f.write_str("TRUE"),
            Verdict::False(counterexample) => write!(f, "FALSE({})", counterexample.violation.name()),
            Verdict::Unknown(why) => write!(f, "UNKNOWN ({why})"),
        }
    }
}
