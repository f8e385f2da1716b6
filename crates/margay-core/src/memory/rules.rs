//! When C allows an access, a `free` and the loss of a block: the one place where these rules are written.
//!
//! A memory says what an address leads to and what it knows of the block; [`Rule::holds`] says whether a rule holds, in the memory's own
//! [`Logic`], and [`Broken::fault`] what it means that one does not. How a memory goes on where a rule holds on some of its runs only is
//! its own affair: it splits its runs (`heap`, `open`), or adds the rule to a formula (`bmc`).

use std::fmt;

use super::{BlockKind, Fault, Weakness};
use crate::smt::{Term, Terms};
use crate::task::Violation;

/// Addresses below this belong to no object: the null pointer, and members of an object at the null pointer.
pub const NULL_PAGE: u64 = 4096;

/// The numbers and truth values in which a memory knows its blocks.
pub trait Logic {
    /// A number of pointer width.
    type Number: Copy;
    /// A truth value.
    type Truth: Copy;

    /// A truth value that is known.
    fn known(&self, truth: bool) -> Self::Truth;
    /// Conjunction.
    fn both(&self, a: Self::Truth, b: Self::Truth) -> Self::Truth;
    /// Both unsigned.
    fn at_most(&self, a: Self::Number, b: Self::Number) -> Self::Truth;
    /// Wraps around.
    fn difference(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// The sum, where it is known and does not wrap around.
    fn exact_sum(&self, a: Self::Number, b: Self::Number) -> Option<Self::Number>;
    /// Whether a number is zero.
    fn is_zero(&self, a: Self::Number) -> Self::Truth;
}

/// The logic of a single run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Logic for Plain {
    type Number = u64;
    type Truth = bool;

    #[inline]
    fn known(&self, truth: bool) -> bool {
        truth
    }

    #[inline]
    fn both(&self, a: bool, b: bool) -> bool {
        a && b
    }

    #[inline]
    fn at_most(&self, a: u64, b: u64) -> bool {
        a <= b
    }

    #[inline]
    fn difference(&self, a: u64, b: u64) -> u64 {
        a.wrapping_sub(b)
    }

    #[inline]
    fn exact_sum(&self, a: u64, b: u64) -> Option<u64> {
        a.checked_add(b)
    }

    #[inline]
    fn is_zero(&self, a: u64) -> bool {
        a == 0
    }
}

/// The logic of many runs: truth values are terms of one bit.
impl Logic for Terms {
    type Number = Term;
    type Truth = Term;

    fn known(&self, truth: bool) -> Term {
        self.bool_constant(truth)
    }

    fn both(&self, a: Term, b: Term) -> Term {
        self.bool_and(a, b)
    }

    fn at_most(&self, a: Term, b: Term) -> Term {
        self.ule(a, b)
    }

    fn difference(&self, a: Term, b: Term) -> Term {
        self.sub(a, b)
    }

    fn exact_sum(&self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let sum = self.as_const(a)?.checked_add(self.as_const(b)?)?;
        (width >= 128 || sum >> width == 0).then(|| self.constant(sum, width))
    }

    fn is_zero(&self, a: Term) -> Term {
        self.eq(a, self.constant(0, self.width(a)))
    }
}

/// What a memory knows of a block.
#[derive(Debug)]
pub struct Extent<L: Logic> {
    /// Why it exists.
    pub kind: BlockKind,
    /// Neither freed nor out of scope.
    pub live: L::Truth,
    /// Bytes.
    pub size: L::Number,
}

/// The bytes that an act is about.
#[derive(Debug)]
pub struct Range<L: Logic> {
    /// From the start of the block, wrapping around the address space.
    pub offset: L::Number,
    /// How many.
    pub bytes: L::Number,
}

/// What is done with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// A load, or the source of a copy.
    Read,
    /// A store, or the target of a copy.
    Write,
    /// A write that gives an object its initial value.
    Initialise,
    /// `free`.
    Free,
    /// `realloc` asks how large its block is.
    Reallocate,
}

/// One of the things that must hold of the block an act is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// An allocation made it.
    OnHeap,
    /// Neither freed nor out of scope.
    Live,
    /// It is no literal.
    Writable,
    /// The bytes lie within it.
    InBounds,
    /// The address is that of its first byte.
    AtStart,
}

impl Act {
    /// Whether it does nothing, whatever the address leads to: an access to no bytes, `free` of the null pointer.
    #[inline]
    pub fn does_nothing<L: Logic>(self, logic: &L, address: L::Number, bytes: L::Number) -> L::Truth {
        match self {
            Act::Read | Act::Write | Act::Initialise => logic.is_zero(bytes),
            Act::Free => logic.is_zero(address),
            Act::Reallocate => logic.known(false),
        }
    }

    /// What must hold of a block to which something is done, in the order in which violations are named.
    pub fn rules(self) -> &'static [Rule] {
        match self {
            Act::Read | Act::Initialise => &[Rule::Live, Rule::InBounds],
            Act::Write => &[Rule::Live, Rule::Writable, Rule::InBounds],
            Act::Free | Act::Reallocate => &[Rule::OnHeap, Rule::Live, Rule::AtStart],
        }
    }

    /// Whether all rules hold.
    #[inline]
    pub fn is_allowed<L: Logic>(self, logic: &L, block: &Extent<L>, range: &Range<L>) -> L::Truth {
        self.is_allowed_by(|_| true, logic, block, range)
    }

    /// Whether those rules hold that are `among` the ones asked about.
    #[inline]
    pub fn is_allowed_by<L: Logic>(
        self,
        among: impl Fn(Rule) -> bool,
        logic: &L,
        block: &Extent<L>,
        range: &Range<L>,
    ) -> L::Truth {
        let asked = self.rules().iter().filter(|rule| among(**rule));
        asked.map(|rule| rule.holds(logic, block, range)).fold(logic.known(true), |all, one| logic.both(all, one))
    }

    /// The first rule that does not hold on a single run, of `bytes` bytes at `offset`.
    pub fn broken_rule(self, block: &Extent<Plain>, offset: i64, bytes: u64) -> Option<Rule> {
        let range = Range { offset: offset as u64, bytes };
        self.rules().iter().copied().find(|rule| !rule.holds(&Plain, block, &range))
    }

    /// The violation that it is on a single run, of `bytes` bytes at `offset` of the block called `name`; `None` where it is allowed.
    pub fn broken(self, block: &Extent<Plain>, offset: i64, bytes: u64, name: &str) -> Option<Fault> {
        let rule = self.broken_rule(block, offset, bytes)?;
        let (bytes, offset, size) = (Some(bytes), Some(offset), Some(block.size));
        Some(Broken { act: self, rule, kind: block.kind, name, bytes, offset, size }.fault())
    }

    /// The violation that it is where a rule does not hold.
    pub fn violation(self) -> Violation {
        if self.frees() { Violation::ValidFree } else { Violation::ValidDeref }
    }

    /// It is about a whole heap block, not about some bytes.
    fn frees(self) -> bool {
        matches!(self, Act::Free | Act::Reallocate)
    }

    /// For messages: what is done, and with how many bytes.
    fn described(self, bytes: Option<u64>) -> String {
        let bytes = bytes.filter(|_| !self.frees());
        bytes.map_or_else(|| self.to_string(), |bytes| format!("{self} of {}", count(bytes)))
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Act::Read => "read",
            Act::Write | Act::Initialise => "write",
            Act::Free => "free",
            Act::Reallocate => "reallocation",
        })
    }
}

impl Rule {
    /// Whether the rule holds of what is done with these bytes of the block.
    #[inline]
    pub fn holds<L: Logic>(self, logic: &L, block: &Extent<L>, range: &Range<L>) -> L::Truth {
        match self {
            Rule::OnHeap => logic.known(block.kind == BlockKind::Heap),
            Rule::Live => block.live,
            Rule::Writable => logic.known(block.kind != BlockKind::Literal),
            Rule::InBounds => match logic.exact_sum(range.offset, range.bytes) {
                Some(end) => logic.at_most(end, block.size),
                // Without overflow.
                None => {
                    let latest = logic.difference(block.size, range.bytes);
                    logic.both(logic.at_most(range.bytes, block.size), logic.at_most(range.offset, latest))
                }
            },
            Rule::AtStart => logic.is_zero(range.offset),
        }
    }
}

/// Whether a pointer to this offset of a block keeps the block from being lost: anywhere into it, or one past its end.
#[inline]
pub fn keeps<L: Logic>(logic: &L, offset: L::Number, size: L::Number) -> L::Truth {
    logic.at_most(offset, size)
}

impl BlockKind {
    /// Whether the block, while it is live, must be reachable (`valid-memtrack`) and freed at last (`valid-memcleanup`).
    pub fn can_leak(self) -> bool {
        self == BlockKind::Heap
    }

    /// Whether it is found by pointers only: no frame and no name says that it is there.
    pub fn can_hang(self) -> bool {
        matches!(self, BlockKind::Heap | BlockKind::Argument)
    }

    /// Whether what the block holds is reachable as long as it is live.
    pub fn is_root(self) -> bool {
        !self.can_leak()
    }
}

/// An act that breaks a rule, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Broken<'a> {
    /// What is done.
    pub act: Act,
    /// What does not hold.
    pub rule: Rule,
    /// Why the block exists.
    pub kind: BlockKind,
    /// What the block is, for messages.
    pub name: &'a str,
    /// Of the access.
    pub bytes: Option<u64>,
    /// A number before the start is negative.
    pub offset: Option<i64>,
    /// Of the block.
    pub size: Option<u64>,
}

impl Broken<'_> {
    /// The violation, with its kind of mistake and a message.
    pub fn fault(&self) -> Fault {
        let Self { act, rule, kind, name, .. } = *self;
        let (frees, done) = (act.frees(), act.described(self.bytes));
        let place = self.offset.filter(|_| !frees).map_or(String::new(), |offset| format!(" at offset {offset}"));
        let (weakness, detail) = match rule {
            Rule::OnHeap => (Weakness::FreeOfNoHeapBlock, format!("{act} of {name}, which is not a heap block")),
            Rule::Live if frees => (Weakness::DoubleFree, format!("{act} of {name} after it was freed")),
            Rule::Live if kind == BlockKind::Heap => {
                (Weakness::UseAfterFree, format!("{done}{place} of {name} after it was freed"))
            }
            Rule::Live => (Weakness::Expired, format!("{done}{place} of {name} after its lifetime ended")),
            Rule::Writable => (Weakness::NoObject, format!("{done} to {name}, which may not be written")),
            Rule::InBounds => {
                let extent = self.size.map_or(String::new(), |size| format!(", which has {}", count(size)));
                let place = if place.is_empty() { " outside" } else { &place };
                let weakness = if act == Act::Read { Weakness::OutOfBoundsRead } else { Weakness::OutOfBoundsWrite };
                (weakness, format!("{done}{place} of {name}{extent}"))
            }
            Rule::AtStart => {
                let offset = self.offset.map_or("another offset".to_owned(), |offset| format!("offset {offset}"));
                (Weakness::FreeNotAtStart, format!("{act} of an address at {offset} of {name}, not its start"))
            }
        };
        Fault::new(act.violation(), detail).of(weakness)
    }
}

/// What an address is that leads to no object of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoObject<'a> {
    /// So many bytes behind the null pointer, fewer than [`NULL_PAGE`]; `None` where that is not known.
    Null(Option<u64>),
    /// A function.
    Function,
    /// Another number, which no object has; `None` where it is not known.
    Number(Option<u64>),
    /// In words.
    Other(&'a str),
}

impl NoObject<'_> {
    /// What an address that is this number is.
    pub fn of_number(number: u64) -> Self {
        if number < NULL_PAGE { NoObject::Null(Some(number)) } else { NoObject::Number(Some(number)) }
    }

    /// The violation that an act through it is. `bytes` of an access.
    pub fn fault(self, act: Act, bytes: Option<u64>) -> Fault {
        let (frees, done) = (act.frees(), act.described(bytes));
        let weakness = match self {
            _ if frees => Weakness::FreeOfNoHeapBlock,
            NoObject::Null(_) => Weakness::NullPointer,
            NoObject::Function | NoObject::Number(_) | NoObject::Other(_) => Weakness::NoObject,
        };
        let through = if frees { "of" } else { "through" };
        let detail = match self {
            NoObject::Null(None | Some(0)) => format!("{done} {through} a null pointer"),
            NoObject::Null(Some(number)) | NoObject::Number(Some(number)) if frees => {
                format!("{done} of address {number:#x}, which points to no object")
            }
            NoObject::Null(Some(offset)) => format!("{done} at offset {offset} from a null pointer"),
            NoObject::Function => format!("{done} {through} a function's address"),
            NoObject::Number(None) => format!("{done} {through} a number that points to no object"),
            NoObject::Number(Some(number)) => format!("{done} at address {number:#x}, which points to no object"),
            NoObject::Other(what) => format!("{done} {through} {what}"),
        };
        Fault::new(act.violation(), detail).of(weakness)
    }

    /// The violation that a call through it is.
    pub fn fault_of_call(self) -> Fault {
        let (weakness, detail) = match self {
            NoObject::Null(None | Some(0)) => (Weakness::NullPointer, "call through a null pointer".to_owned()),
            NoObject::Null(Some(number)) | NoObject::Number(Some(number)) => {
                (Weakness::NoObject, format!("call through address {number:#x}, which is no function"))
            }
            NoObject::Function | NoObject::Number(None) | NoObject::Other(_) => {
                (Weakness::NoObject, "call through a pointer to no function".to_owned())
            }
        };
        Fault::new(Violation::ValidDeref, detail).of(weakness)
    }
}

fn count(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}
