//! The control-flow automaton: functions of locations and edges, each edge one low-level op over pure expressions.
//!
//! Scalars whose address is never taken are *registers* of their function; everything else is memory: globals, *slots*
//! (block-scope objects), heap blocks. Reading memory is an op of its own ([`Op::Load`]), so expressions are pure and total.
//!
//! Calling convention: record values travel as addresses. A record parameter is passed as the address of the caller's object,
//! and the callee copies it into a slot of its own on entry; a record result is copied to the address in a hidden first
//! parameter. Arguments of a variadic call beyond the named ones stand in a slot of the caller, each at the next multiple
//! of eight bytes, and the slot's address is a hidden last parameter; `va_list` is a pointer into it.

use std::sync::Arc;

use smallvec::SmallVec;

use super::Records;
use super::float_functions::FloatFunction;
pub use super::op::{AllocKind, Callee, ErrorKind, HaltKind, NondetKind, NumberPart, Op};
use crate::base::span::{SourceMap, Span};
use crate::task::DataModel;
use crate::typed_id;

typed_id! {
    /// A function of the [`Program`].
    FunctionId
}
typed_id! {
    /// A global variable of the [`Program`].
    GlobalId
}
typed_id! {
    /// A register of one function.
    Reg
}
typed_id! {
    /// A memory object with automatic storage duration of one function.
    SlotId
}
typed_id! {
    /// A location of one function's automaton.
    Loc
}

/// A whole program, ready to be run by any memory.
#[derive(Clone, Debug)]
pub struct Program {
    pub model: DataModel,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    /// A synthetic function that calls `main` with arbitrary valid arguments, then the `atexit` handlers, then halts.
    pub start: FunctionId,
    pub source: Arc<SourceMap>,
    /// Functions whose address is taken, ascending.
    pub addressed: Vec<FunctionId>,
    /// Unknown functions without a definition, by name: they are taken to return any value and to change no memory.
    pub assumed: Vec<Arc<str>>,
    /// Those of them that are called for nothing but their effect and whose name says that they lock: a schedule that the program
    /// makes of its own may depend on them.
    pub locks: Vec<Arc<str>>,
    pub warnings: Vec<(Span, String)>,
    /// What its structures are made of.
    pub records: Arc<Records>,
}

/// An object with static storage duration.
#[derive(Clone, Debug, Hash)]
pub struct Global {
    pub name: Arc<str>,
    /// Bytes.
    pub size: u64,
    /// Bytes, a power of two.
    pub align: u64,
    /// What it holds before the first op.
    pub content: Content,
    /// A store into it violates `valid-deref` (string literals).
    pub read_only: bool,
    pub span: Span,
    pub c_type: Arc<str>,
    /// `None` where no C text can name its value.
    pub scope: Option<Scope>,
}

/// Initial content of a global.
#[derive(Clone, Debug, Hash)]
pub enum Content {
    /// Zero, then these writes in order; the expressions have no registers and no slots.
    Initialised(Vec<(u64, Expr)>),
    /// Declared here, defined elsewhere, or (without a `main`) not lowered: arbitrary bytes.
    Unknown,
}

/// One function's automaton.
#[derive(Clone, Debug, Hash)]
pub struct Function {
    pub name: Arc<str>,
    /// Registers that receive the arguments, in order (hidden parameters included).
    pub params: Vec<Reg>,
    pub regs: Vec<RegDecl>,
    pub slots: Vec<SlotDecl>,
    pub locations: Vec<Location>,
    pub entry: Loc,
    /// The width of the returned value, `None` for `void` and record results.
    pub result_width: Option<u32>,
    /// Names that mean something else in some block than the variables with a [`Scope`].
    pub other_names: Arc<[Arc<str>]>,
    /// Defined without a prototype, as in `f() { … }`, and without hidden parameters: what a call hands over besides the parameters
    /// is dropped, as compiled code does it (C leaves it undefined).
    pub unprototyped: bool,
    /// It may be called in another way than it is defined ([`crate::c::syntax::Function::is_recast`]).
    pub recast: bool,
    /// Allocations whose blocks are handed to the caller as nothing in particular: these are distinguished by the calls.
    pub hands_out: Vec<Allocation>,
    /// A model from the tool's own library: positions in it are not the user's, report the call's instead.
    pub library: bool,
    pub span: Span,
}

/// Where blocks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allocation {
    /// By the op that leaves this location.
    At(Loc),
    /// By the function whose call goes on here.
    Before(Loc),
}

/// A register: a scalar of fixed width.
#[derive(Clone, Debug, Hash)]
pub struct RegDecl {
    /// The variable's name in the program, `None` for a temporary.
    pub name: Option<Arc<str>>,
    /// Bits.
    pub width: u32,
    /// The C type as text, for people and witnesses (`int`, `struct node *`).
    pub c_type: Arc<str>,
    /// Values of this register print as signed numbers.
    pub signed: bool,
    /// `None` where no C text can name it.
    pub scope: Option<Scope>,
}

/// Where and as what C text can name a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// Its name stands for it here, unless a declaration further in hides it. A variable that a `for` declares can be named
    /// from the keyword on.
    pub extent: Span,
    pub scalar: Scalar,
}

/// What kind of value a nameable variable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    Bool,
    Signed,
    Unsigned,
    Pointer,
    /// A structure or union: its members have names.
    Record,
}

/// A memory object of a frame; it exists between its [`Op::Enter`] and its [`Op::Leave`] or the frame's end.
#[derive(Clone, Debug, Hash)]
pub struct SlotDecl {
    pub name: Option<Arc<str>>,
    /// Bytes; ignored where `Enter` gives a size of its own (VLA).
    pub size: u64,
    pub align: u64,
    pub c_type: Arc<str>,
    pub span: Span,
    /// `None` where no C text can name its value.
    pub scope: Option<Scope>,
}

/// A location with its outgoing edges: none (the end), one, or several whose guards are exhaustive and disjoint.
#[derive(Clone, Debug, Default, Hash)]
pub struct Location {
    pub edges: SmallVec<[Edge; 1]>,
    /// There are two edges, and the guard of the second says that the first one's fails.
    pub complementary: bool,
    /// Target of a back edge of a depth-first search: states are compared and abstracted here.
    pub loop_head: bool,
    /// More than one edge leads here.
    pub join: bool,
    /// Temporaries whose value is not read from here on: they no longer keep a block reachable.
    pub dead_temporaries: Box<[Reg]>,
    /// Program variables whose value is not read from here on: they may be forgotten unless they hold a pointer
    /// (a variable of a live frame keeps its block tracked, in scope or not).
    pub dead_variables: Box<[Reg]>,
    /// For a loop head: the loop's keyword.
    pub loop_span: Option<Span>,
    /// The keywords of loops around it that begin with it, and so have no head of their own.
    pub outer_loops: Vec<Span>,
    /// A violation here is none that is asked for: the run ends, and that is of no interest. Only programs that are restricted to
    /// the runs of a witness have such locations.
    pub quiet: bool,
}

/// One step of control flow.
#[derive(Clone, Debug, Hash)]
pub struct Edge {
    pub op: Op,
    pub target: Loc,
    /// The statement or full expression it comes from.
    pub span: Span,
    pub note: Note,
}

/// One taken edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    pub function: FunctionId,
    pub at: Loc,
    /// Which of the location's edges.
    pub edge: u32,
}

/// What witnesses need to know of an edge beyond its op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Note {
    #[default]
    None,
    /// One side of a branch; `at` is the offset of the keyword or of the `?`.
    Branch { at: u32, taken: bool },
    /// One case of a `switch` whose keyword stands at `at`; `None` is the default.
    Case { at: u32, value: Option<i128> },
    /// A call (or the input it stands for) whose closing parenthesis is at `close`.
    Call { close: u32 },
    /// With landmarks ([`lower_with_landmarks`](super::lower_with_landmarks)): the arguments of that call have been evaluated.
    Entered { close: u32 },
    /// With landmarks: that call has been evaluated; its result, where it is a number, is what the edge's op assigns.
    Returned { close: u32 },
    /// With landmarks: the default (or another case) of the `switch` at `at` is chosen by the value that the edge's op assigns.
    Choice { at: u32, is_default: bool },
}

/// A constant bit-vector; bits above `width` are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    pub value: u128,
    pub width: u32,
}

impl Bits {
    /// `value` cut to `width` bits (1..=128).
    pub fn new(value: u128, width: u32) -> Self {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        Self { value: value & mask, width }
    }

    /// The two's complement reading.
    pub fn signed(self) -> i128 {
        let unused = 128 - self.width;
        ((self.value << unused) as i128) >> unused
    }
}

/// A pure expression: a bit-vector of known width. Truth values are one bit wide.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Expr {
    Const(Bits),
    Reg(Reg, u32),
    /// The address of an object, of pointer width.
    Address(Object, u32),
    Unary(UnOp, Box<Expr>),
    /// Operands of one width, which is the result's but for comparisons (one bit).
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// The operand brought to `width` bits.
    Convert(Conversion, u32, Box<Expr>),
    /// `condition` is one bit wide.
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Floating operations on the bit patterns of `FloatFormat` (the width is the format's storage width in the expression: 16, 32, 64, 80 or 128).
    FloatUnary(FloatUnOp, FloatFormat, Box<Expr>),
    FloatBinary(FloatBinOp, FloatFormat, Box<Expr>, Box<Expr>),
    FloatCompare(FloatCmp, FloatFormat, Box<Expr>, Box<Expr>),
    FloatConvert(FloatConversion, Box<Expr>),
}

/// Something with a fixed address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    Global(GlobalId),
    /// A slot of the current frame.
    Slot(SlotId),
    Function(FunctionId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// Two's complement negation.
    Neg,
    /// Bitwise complement (logical negation at width 1).
    Not,
}

/// Wrapping two's complement arithmetic. `memory::step` says what becomes of divisions by zero, of `MIN / -1` and of shifts by the
/// width or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
}

impl BinOp {
    /// Yields one bit.
    pub fn is_comparison(self) -> bool {
        use BinOp::*;
        matches!(self, Eq | Ne | Ult | Ule | Slt | Sle)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Keep the low bits.
    Truncate,
    ZeroExtend,
    SignExtend,
}

/// Floating formats; `X87` is the 80-bit extended one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatFormat {
    Half,
    Single,
    Double,
    X87,
    Quad,
}

impl FloatFormat {
    /// Width of a value's bit pattern in expressions.
    pub fn bits(self) -> u32 {
        match self {
            FloatFormat::Half => 16,
            FloatFormat::Single => 32,
            FloatFormat::Double => 64,
            FloatFormat::X87 => 80,
            FloatFormat::Quad => 128,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatUnOp {
    Neg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatBinOp {
    Add,
    Sub,
    Mul,
    Div,
    /// A function of C's library.
    Function(FloatFunction),
}

/// IEEE comparisons (false on NaN but for `Ne`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatCmp {
    Eq,
    Ne,
    Lt,
    Le,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatConversion {
    /// To an integer of `width` bits, towards zero; arbitrary where it does not fit.
    ToInt {
        from: FloatFormat,
        width: u32,
        signed: bool,
    },
    FromInt {
        to: FloatFormat,
        signed: bool,
    },
    Between {
        from: FloatFormat,
        to: FloatFormat,
    },
}

impl Expr {
    pub fn constant(value: u128, width: u32) -> Self {
        Expr::Const(Bits::new(value, width))
    }

    /// Bits of the value.
    pub fn width(&self) -> u32 {
        match self {
            Expr::Const(bits) => bits.width,
            Expr::Reg(_, width) | Expr::Address(_, width) | Expr::Convert(_, width, _) => *width,
            Expr::Unary(_, operand) | Expr::FloatUnary(_, _, operand) => operand.width(),
            Expr::Binary(op, left, _) => {
                if op.is_comparison() {
                    1
                } else {
                    left.width()
                }
            }
            Expr::Ite(_, then, _) => then.width(),
            Expr::FloatBinary(_, format, _, _) => format.bits(),
            Expr::FloatCompare(..) => 1,
            Expr::FloatConvert(FloatConversion::ToInt { width, .. }, _) => *width,
            Expr::FloatConvert(FloatConversion::FromInt { to, .. } | FloatConversion::Between { to, .. }, _) => {
                to.bits()
            }
        }
    }
}

impl Program {
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The edge that `step` takes.
    pub fn edge(&self, step: Step) -> &Edge {
        &self.function(step.function).location(step.at).edges[step.edge as usize]
    }

    /// The id of the function called `name`.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|f| &*f.name == name).map(FunctionId::from_index)
    }
}

impl Function {
    /// A call with that many arguments enters it.
    pub fn accepts(&self, arguments: usize) -> bool {
        self.params.len() == arguments || self.unprototyped && self.params.len() < arguments
    }

    /// It has no body: nothing happens at its entry. Only code that was lowered without a `main` calls such functions.
    pub fn is_stub(&self) -> bool {
        self.location(self.entry).edges.is_empty()
    }

    pub fn location(&self, loc: Loc) -> &Location {
        &self.locations[loc.index()]
    }

    /// The edge that makes a block, or calls who does.
    pub fn making(&self, allocation: Allocation) -> Option<&Edge> {
        match allocation {
            Allocation::At(at) => self.location(at).edges.iter().find(|edge| matches!(edge.op, Op::Alloc { .. })),
            Allocation::Before(at) => {
                let mut edges = self.locations.iter().flat_map(|location| &location.edges);
                edges.find(|edge| edge.target == at && matches!(edge.op, Op::Call { .. }))
            }
        }
    }
}
