//! What is reported of a function.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::contract::{Contract, Expr, Formula};
use super::cut::Cut;
use crate::cfa::{FunctionId, OpenProgram, Reg};
use crate::memory::{Fault, Weakness};

/// What is known of one function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionReport {
    /// The function's, as in the text.
    pub name: Arc<str>,
    /// Where it is defined.
    pub file: Arc<str>,
    /// From 1.
    pub line: u32,
    /// Its parameters' names, hidden ones as `result`.
    pub params: Vec<Arc<str>>,
    /// Those that the check accepted.
    pub contracts: Vec<Contract>,
    /// The cut points that each contract's proof rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<Vec<Cut>>,
    /// Whether the contracts cover all paths found.
    pub status: Status,
    /// Errors, ascending by place; one for each cause.
    pub findings: Vec<Finding>,
    /// Why paths ended without a result: reason and line.
    pub stuck: Vec<(String, u32)>,
    /// The time for it ran out: with more, more may be found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
    /// Functions without a text of which it was assumed that they change no memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<Arc<str>>,
}

/// So many rounds of a loop are followed for sure where its contracts are [`Status::Bounded`].
pub const BOUNDED_ROUNDS: u32 = 3;

/// How much the contracts of a function say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// They cover every path that was found not to go wrong.
    Complete,
    /// They cover those on which no loop has more than [`BOUNDED_ROUNDS`] rounds.
    Bounded,
    /// Some paths are not covered.
    Partial,
    /// There is no contract: every path has an error, or could not be followed to its end.
    None,
    /// Nothing is known: it cannot be read, or its analysis was not finished.
    NotAnalysed,
}

/// An error in a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What goes wrong.
    pub kind: Kind,
    /// For people: what goes wrong, and with what.
    pub detail: String,
    /// The file of `line`: a header's where the error is in a function of a header.
    pub file: Arc<str>,
    /// Of the access, `free` or return that goes wrong, from 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// It happens whatever the caller does.
    pub manifest: bool,
    /// Widths of the variables of `pre`, the parameters first.
    pub vars: Vec<u32>,
    /// What a caller has to do for it to happen.
    pub pre: Formula,
    /// Lines of the branches on the way.
    pub trail: Vec<u32>,
    /// The calls that lead from the function to the one that goes wrong, the outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallSite>,
    /// What it is about, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<Object>,
    /// Conditions, over the variables of `pre`: a caller that sees to any of them does not run into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<Expr>,
    /// Other functions in which the same was found at the same place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Arc<str>>,
}

/// A call on the way to an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// What is called.
    pub function: Arc<str>,
    /// Where.
    pub file: Arc<str>,
    /// Of `file`, from 1.
    pub line: u32,
}

/// The object that an error is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Object {
    /// The function has allocated it, or one that it calls.
    Made {
        /// For people: what was allocated, and by what.
        what: Arc<str>,
        /// Where, unless a contract of another function tells of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<Arc<str>>,
        /// Of `file`, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
    },
    /// It was there before: what `root` leads to, through the bytes at these offsets of one object after another.
    Given {
        /// Where the way begins.
        root: Root,
        /// In bytes, one for each pointer on the way.
        offsets: Vec<i64>,
    },
}

/// Where a way to an object begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Root {
    /// At a parameter's value.
    Parameter(Arc<str>),
    /// At the address of an object with static storage duration.
    Global(Arc<str>),
}

/// What kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An access through null, or near it.
    NullDereference,
    /// An access to a block that was freed, or whose scope was left.
    UseAfterFree,
    /// An access that does not lie within its block.
    OutOfBounds,
    /// An access to what is no object.
    InvalidDereference,
    /// `free` of a block that was freed.
    DoubleFree,
    /// `free` of what no allocation made, or of an address within a block.
    InvalidFree,
    /// A block that can no longer be freed.
    MemoryLeak,
}

impl FunctionReport {
    /// Of a function of which nothing is known, and why.
    pub fn not_analysed(open: &OpenProgram, function: FunctionId, why: String) -> Self {
        let decl = open.program.function(function);
        let pos = open.program.source.pos(decl.span.start);
        let name =
            |(n, param): (usize, &Reg)| decl.regs[param.index()].name.clone().unwrap_or_else(|| format!("p{n}").into());
        Self {
            name: decl.name.clone(),
            file: pos.file,
            line: pos.line,
            params: decl.params.iter().enumerate().map(name).collect(),
            contracts: Vec::new(),
            proofs: Vec::new(),
            status: Status::NotAnalysed,
            findings: Vec::new(),
            stuck: vec![(why, pos.line)],
            unfinished: false,
            assumed: Vec::new(),
        }
    }

    /// Whether this, which was found later, says no less than `before`.
    pub fn keeps(&self, before: &Self) -> bool {
        let said = |report: &Self| (report.contracts.len(), report.findings.len());
        !self.unfinished || said(self) >= said(before)
    }
}

impl Kind {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NullDereference => "null dereference",
            Kind::UseAfterFree => "use after free",
            Kind::OutOfBounds => "out of bounds",
            Kind::InvalidDereference => "invalid dereference",
            Kind::DoubleFree => "double free",
            Kind::InvalidFree => "invalid free",
            Kind::MemoryLeak => "memory leak",
        }
    }

    pub(super) fn of(fault: &Fault) -> Self {
        match fault.weakness {
            Some(Weakness::Leak) => Kind::MemoryLeak,
            Some(Weakness::DoubleFree) => Kind::DoubleFree,
            Some(Weakness::FreeOfNoHeapBlock | Weakness::FreeNotAtStart) => Kind::InvalidFree,
            Some(Weakness::NullPointer) => Kind::NullDereference,
            Some(Weakness::UseAfterFree | Weakness::Expired) => Kind::UseAfterFree,
            Some(Weakness::OutOfBoundsRead | Weakness::OutOfBoundsWrite) => Kind::OutOfBounds,
            Some(Weakness::NoObject | Weakness::Overflow | Weakness::Endless | Weakness::Assertion) | None => {
                Kind::InvalidDereference
            }
        }
    }
}
