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
pub use super::expr::{
    BinOp, Bits, Conversion, Expr, FloatBinOp, FloatCmp, FloatConversion, FloatFormat, FloatUnOp, Object, UnOp,
};
pub use super::op::{AllocKind, Callee, ErrorKind, HaltKind, NondetKind, NumberPart, Op, Received, Stops};
use crate::base::span::{Pos, SourceMap, Span};
use crate::task::{DataModel, Violation};
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
    /// Decides the width of addresses.
    pub model: DataModel,
    /// By [`FunctionId`].
    pub functions: Vec<Function>,
    /// By [`GlobalId`].
    pub globals: Vec<Global>,
    /// A synthetic function that calls `main` with arbitrary valid arguments, then the `atexit` handlers, then halts.
    pub start: FunctionId,
    /// From offsets to positions in the user's files.
    pub source: Arc<SourceMap>,
    /// Functions whose address is taken, ascending.
    pub addressed: Vec<FunctionId>,
    /// Unknown functions without a definition, by name: they are taken to return any value and to change no memory.
    pub assumed: Vec<Arc<str>>,
    /// Those of them that are called for nothing but their effect and whose name says that they lock: a schedule that the program
    /// makes of its own may depend on them.
    pub locks: Vec<Arc<str>>,
    /// Violations that are known already: a run that comes to one ends there as if it were not asked about.
    pub known: Vec<(Violation, Pos)>,
    /// What the front end accepts with a remark, and what is assumed of names without a definition.
    pub warnings: Vec<(Span, String)>,
    /// What its structures are made of.
    pub records: Arc<Records>,
}

/// An object with static storage duration.
#[derive(Clone, Debug, Hash)]
pub struct Global {
    /// As in the text, or the name of a hidden object.
    pub name: Arc<str>,
    /// Bytes.
    pub size: u64,
    /// Bytes, a power of two.
    pub align: u64,
    /// What it holds before the first op.
    pub content: Content,
    /// A store into it violates `valid-deref` (string literals).
    pub read_only: bool,
    /// The name in its declaration.
    pub span: Span,
    /// Its C type as text; `""` for hidden objects.
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
    /// As in the text, or the tool's own for a function that it adds.
    pub name: Arc<str>,
    /// Registers that receive the arguments, in order (hidden parameters included).
    pub params: Vec<Reg>,
    /// By [`Reg`], parameters and temporaries included.
    pub regs: Vec<RegDecl>,
    /// By [`SlotId`].
    pub slots: Vec<SlotDecl>,
    /// By [`Loc`].
    pub locations: Vec<Location>,
    /// The location at which a call begins.
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
    /// The name in its definition.
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
    /// How its value reads in C.
    pub scalar: Scalar,
}

/// What kind of value a nameable variable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `_Bool`.
    Bool,
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// An address.
    Pointer,
    /// A structure or union: its members have names.
    Record,
}

/// A memory object of a frame; it exists between its [`Op::Enter`] and its [`Op::Leave`] or the frame's end.
#[derive(Clone, Debug, Hash)]
pub struct SlotDecl {
    /// The variable's name in the program, `None` for an object that has none.
    pub name: Option<Arc<str>>,
    /// Bytes; ignored where `Enter` gives a size of its own (VLA).
    pub size: u64,
    /// Bytes, a power of two.
    pub align: u64,
    /// Its C type as text.
    pub c_type: Arc<str>,
    /// The name in its declaration, or the expression that makes it.
    pub span: Span,
    /// `None` where no C text can name its value.
    pub scope: Option<Scope>,
}

/// A location with its outgoing edges: none (the end), one, or several whose guards are exhaustive and disjoint.
#[derive(Clone, Debug, Default, Hash)]
pub struct Location {
    /// Their order is that of [`Step::edge`].
    pub edges: SmallVec<[Edge; 1]>,
    /// There are two edges, and the guard of the second says that the first one's fails.
    pub complementary: bool,
    /// The branch that only ends the run, where one of two guards leads to no more than that: `if (!condition) abort();`.
    pub closing: Option<Closing>,
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

/// A guard behind which nothing happens but that the run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Closing {
    /// Its place among the two edges of its location.
    pub edge: u32,
    /// How the run ends.
    pub kind: HaltKind,
}

/// One step of control flow.
#[derive(Clone, Debug, Hash)]
pub struct Edge {
    /// What happens on it.
    pub op: Op,
    /// The location it leads to; not used where the op is an end ([`Op::is_end`]).
    pub target: Loc,
    /// The statement or full expression it comes from.
    pub span: Span,
    /// What witnesses need of it.
    pub note: Note,
}

/// One taken edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Whose edge it is.
    pub function: FunctionId,
    /// The location it leaves.
    pub at: Loc,
    /// Which of the location's edges.
    pub edge: u32,
}

/// What witnesses need to know of an edge beyond its op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Note {
    /// Nothing.
    #[default]
    None,
    /// One side of a branch; `at` is the offset of the keyword or of the `?`.
    Branch {
        /// Offset in the parsed text.
        at: u32,
        /// The condition holds.
        taken: bool,
    },
    /// One case of a `switch` whose keyword stands at `at`; `None` is the default.
    Case {
        /// Offset in the parsed text.
        at: u32,
        /// The value of the case.
        value: Option<i128>,
    },
    /// A call (or the input it stands for) whose closing parenthesis is at `close`.
    Call {
        /// Offset in the parsed text.
        close: u32,
    },
    /// With landmarks ([`lower_with_landmarks`](super::lower_with_landmarks)): the arguments of that call have been evaluated.
    Entered {
        /// Offset in the parsed text.
        close: u32,
    },
    /// With landmarks: that call has been evaluated; its result, where it is a number, is what the edge's op assigns.
    Returned {
        /// Offset in the parsed text.
        close: u32,
    },
    /// With landmarks: the default (or another case) of the `switch` at `at` is chosen by the value that the edge's op assigns.
    Choice {
        /// Offset in the parsed text.
        at: u32,
        /// Otherwise it is a case.
        is_default: bool,
    },
}

impl Program {
    /// The function with this id, which is one of the program.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The edge that `step` takes.
    pub fn edge(&self, step: Step) -> &Edge {
        &self.function(step.function).location(step.at).edges[step.edge as usize]
    }

    /// Whether `main` may look at what it is called with: the strings of `argv` are made before.
    pub fn reads_arguments(&self) -> bool {
        let mut edges = self.function(self.start).locations.iter().flat_map(|location| &location.edges);
        edges.any(|edge| matches!(edge.op, Op::Alloc { kind: AllocKind::Argument, .. }))
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

    /// The location with this id, which is one of the function.
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
