//! The ops of the automaton. What each means is `memory::step`.

use std::sync::Arc;

use super::ir::{Expr, FunctionId, Reg, SlotId};
use crate::task::Violation;

/// What is known of bytes that become arbitrary.
#[derive(Clone, Debug, Hash)]
pub enum Received {
    /// Nothing.
    Any,
    /// None but the last of them is a newline.
    Line,
    /// They are members of a set: the four parts of a [`ByteSet`](super::ByteSet), each of 64 bits.
    Members(Box<[Expr; 4]>),
}

impl Received {
    /// The expressions in it.
    pub fn operands(&self) -> &[Expr] {
        match self {
            Self::Any | Self::Line => &[],
            Self::Members(set) => &**set,
        }
    }
}

/// The bytes that end a search.
#[derive(Clone, Debug, Hash)]
pub enum Stops<T = Expr> {
    /// These, of 8 bits each.
    Bytes(Vec<T>),
    /// All but these.
    Others(Vec<T>),
    /// All that are no members of a set: the four parts of a [`ByteSet`](super::ByteSet), each of 64 bits.
    NoMembers(Box<[T; 4]>),
}

impl<T> Stops<T> {
    /// What says which bytes they are.
    pub fn operands(&self) -> &[T] {
        match self {
            Self::Bytes(bytes) | Self::Others(bytes) => bytes,
            Self::NoMembers(set) => &**set,
        }
    }

    /// The same said by what `f` makes of each operand.
    pub fn map<U>(&self, f: &mut dyn FnMut(&T) -> U) -> Stops<U> {
        match self {
            Self::Bytes(bytes) => Stops::Bytes(bytes.iter().map(f).collect()),
            Self::Others(bytes) => Stops::Others(bytes.iter().map(f).collect()),
            Self::NoMembers(set) => Stops::NoMembers(Box::new(set.each_ref().map(f))),
        }
    }
}

/// The ops. Sizes and lengths are in bytes and of pointer width.
#[derive(Clone, Debug, Hash)]
pub enum Op {
    /// Nothing happens.
    Skip,
    /// `dst := value`.
    Assign {
        /// As wide as `value`.
        dst: Reg,
        /// Evaluated before the assignment.
        value: Expr,
    },
    /// `dst := *addr`, as many bytes as the register is wide.
    Load {
        /// Receives the value; its width is a whole number of bytes.
        dst: Reg,
        /// Where the bytes begin.
        addr: Expr,
    },
    /// `*addr := value`, as many bytes as the value is wide.
    Store {
        /// Where the bytes begin.
        addr: Expr,
        /// Its width is a whole number of bytes.
        value: Expr,
    },
    /// Copies `size` bytes, as `memmove` does.
    Copy {
        /// Address of the target.
        dst: Expr,
        /// Address of the source, which may overlap.
        src: Expr,
        /// May be 0: then nothing is accessed.
        size: Expr,
    },
    /// Sets `size` bytes to the 8-bit `byte`.
    Set {
        /// Address of the target.
        dst: Expr,
        /// Its value.
        byte: Expr,
        /// May be 0: then nothing is accessed.
        size: Expr,
    },
    /// `size` bytes become arbitrary (input functions, `__VERIFIER_nondet_memory`).
    Havoc {
        /// Address of the target.
        dst: Expr,
        /// May be 0: then nothing is accessed.
        size: Expr,
        /// What is known of them.
        bytes: Received,
    },
    /// A new block; `dst` receives its address. An allocation that fails is no such op: an input decides before (`lower/builtins`).
    Alloc {
        /// Of pointer width.
        dst: Reg,
        /// Of the block.
        size: Expr,
        /// How long it lives.
        kind: AllocKind,
        /// It holds zeros (`calloc`), not arbitrary bytes.
        zeroed: bool,
    },
    /// `free(addr)`; freeing null does nothing.
    Free {
        /// Of pointer width.
        addr: Expr,
    },
    /// `dst := ` size of the live heap block that starts at `addr`; anything else is an invalid free (`realloc` asks).
    BlockSize {
        /// Of pointer width.
        dst: Reg,
        /// Of pointer width.
        addr: Expr,
    },
    /// `dst := ` how many bytes at `addr` stand before the first one that is one of `stops`; they are read one after the other (`strlen`).
    Find {
        /// Of pointer width.
        dst: Reg,
        /// Of the first byte.
        addr: Expr,
        /// Of a second sequence: a byte that differs from the one at the same place there ends the search, too (`strcmp`).
        beside: Option<Expr>,
        /// So many are read at most, and then this is the result.
        limit: Expr,
        /// Which bytes at `addr` end it.
        stops: Stops,
    },
    /// `dst := 1` where `to` is one of the `size` addresses behind `from`, else 0: copying from there byte by byte overwrites what is
    /// still to be copied. All these addresses and `from` lie in one object.
    Overlaps {
        /// Of pointer width.
        dst: Reg,
        /// Of pointer width.
        to: Expr,
        /// Of pointer width.
        from: Expr,
        /// Of pointer width.
        size: Expr,
    },
    /// `dst := ` what `strtol` and its kin make of the text at `addr` in `base`; memories that do not compute it take any value. Nothing
    /// is asked of the address: an access to the text has to.
    Number {
        /// Receives the result; its width decides which numbers fit.
        dst: Reg,
        /// Where the text begins.
        addr: Expr,
        /// As the argument of `strtol`, 32 bits wide.
        base: Expr,
        /// What of the number.
        part: NumberPart,
    },
    /// `dst := ` any value.
    Nondet {
        /// Receives the value.
        dst: Reg,
        /// Where it comes from.
        kind: NondetKind,
    },
    /// Goes on only where the 1-bit condition holds.
    Assume(Expr),
    /// Where the 1-bit condition does not hold, `violation` happens (signed overflow).
    Check {
        /// What has to hold.
        condition: Expr,
        /// What is violated where it does not.
        violation: Violation,
    },
    /// The slot comes into being with arbitrary content; `size` for variable lengths. An earlier instance dies.
    Enter {
        /// Of the current frame.
        slot: SlotId,
        /// `None`: that of [`SlotDecl`](super::SlotDecl).
        size: Option<Expr>,
    },
    /// The slot's object dies.
    Leave {
        /// Of the current frame.
        slot: SlotId,
    },
    /// The callee runs, and this edge goes on where it returns.
    Call {
        /// Receives the result; `None` where it is dropped or there is none.
        dst: Option<Reg>,
        /// What is called.
        callee: Callee,
        /// The values of its parameters, hidden ones included.
        args: Vec<Expr>,
    },
    /// Back to the caller; slots and `alloca` blocks of the frame die. The edge's target is not used.
    Return {
        /// Of the width [`Function::result_width`](super::Function::result_width); `None` where nothing is returned.
        value: Option<Expr>,
    },
    /// A place that a reachability property forbids.
    Error(ErrorKind),
    /// The program ends. The edge's target is not used.
    Halt(HaltKind),
    /// No run goes on, and nothing is claimed of what follows; why. The edge's target is not used.
    GiveUp(Arc<str>),
}

impl Op {
    /// Nothing of the function follows.
    pub fn is_end(&self) -> bool {
        matches!(self, Op::Return { .. } | Op::Halt(_) | Op::GiveUp(_))
    }
}

/// Where an allocated block lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AllocKind {
    /// Until it is freed.
    Heap,
    /// `alloca`: until the function returns.
    Frame,
    /// An argument of `main`: as long as the program runs.
    Argument,
}

/// Where an arbitrary value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NondetKind {
    /// `__VERIFIER_nondet_X()`: an input; the C function's name.
    Input(Arc<str>),
    /// A variable read before it was set.
    Uninitialised,
    /// The result of a function without a definition, or of a library function whose result is arbitrary: never a valid fresh pointer.
    External(Arc<str>),
    /// The same where the result is a number and no address: how many bytes were read.
    Number(Arc<str>),
}

impl NondetKind {
    /// The choice of an order of evaluation that C leaves open: 1 is not gcc's, and no run takes it.
    pub fn order() -> Self {
        Self::External(ORDER.into())
    }

    /// It was made by [`NondetKind::order`].
    pub fn is_order(&self) -> bool {
        matches!(self, Self::External(name) if &**name == ORDER)
    }
}

const ORDER: &str = "order of evaluation";

/// What is asked of a number in a text (C11 7.22.1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberPart {
    /// Its value; the nearest one of a signed type that cannot hold it.
    Signed,
    /// Its value, negated as an unsigned type does it; the largest one of a type that cannot hold it.
    Unsigned,
    /// How many bytes of the text say it, leading white space included; none where there is no number.
    Length,
    /// 1 where its value does not fit a signed type of the result's width, else 0.
    SignedBeyond,
    /// The floating number that `strtod` reads: bits of the format that is as wide as the result.
    Real,
    /// How many bytes of the text say that one.
    RealLength,
    /// 1 where that one is too large or too small for a `double`, else 0.
    RealBeyond,
    /// 1 where its value without sign does not fit an unsigned type of the result's width, else 0.
    UnsignedBeyond,
}

/// What a call leads to.
#[derive(Clone, Debug, Hash)]
pub enum Callee {
    /// A function of the program.
    Direct(FunctionId),
    /// A pointer value; targets whose parameter count does not fit are undefined behaviour.
    Indirect(Expr),
}

/// How a program marks what must not be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A call of `reach_error` or `__VERIFIER_error`.
    Call,
    /// The label `ERROR`.
    Label,
    /// A failing assertion; only where that is asked for.
    Assertion,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HaltKind {
    /// `exit`, or the end of `main`.
    Exit,
    /// `abort`, a failed assertion, `_Exit`.
    Abort,
    /// The path is of no interest (`__VERIFIER_assume(0)`, `__builtin_unreachable`): no check at all.
    Vanish,
}
