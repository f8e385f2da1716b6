//! Typed syntax: what the C text means after name resolution, with every implicit conversion made explicit.
//!
//! Conventions the lowering relies on:
//! - Every expression carries its type; operands of arithmetic have been converted to the common type already, arguments
//!   to the parameter types (default promotions where there is none), assigned values to the type of the left side.
//! - *Places* (lvalues) are a type of their own; reading one is the explicit [`ExprKind::Use`]. Arrays and functions never
//!   are values: they appear as [`ExprKind::ArrayDecay`] and [`ExprKind::FunctionAddress`].
//! - `sizeof`, `_Alignof`, `offsetof`, enumerators and `__builtin_constant_p`, `__builtin_types_compatible_p`, `_Generic`
//!   are resolved away.
//! - Integer constants are folded where the C standard asks for constants; the value of [`ExprKind::Int`] is the
//!   mathematical value, within the range of its type.

use std::collections::BTreeSet;
use std::sync::Arc;

pub use super::expression::{BinaryOp, Callee, CompareOp, Expr, ExprKind, Init, InitEntry, Place, PlaceKind, UnaryOp};
use super::types::{TypeId, Types};
use crate::base::span::{Pos, SourceMap, Span};
use crate::typed_id;

typed_id! {
    /// A file-scope or function-static variable.
    GlobalId
}
typed_id! {
    /// A function, declared or defined.
    FunctionId
}
typed_id! {
    /// A parameter or block-scope variable of one function.
    LocalId
}
typed_id! {
    /// A label of one function.
    LabelId
}

/// A translation unit, or all those of a program.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What the type ids of the unit mean.
    pub types: Types,
    /// By [`GlobalId`].
    pub globals: Vec<Global>,
    /// By [`FunctionId`], those that are only declared included.
    pub functions: Vec<Function>,
    /// The name of the function that the program starts at.
    pub(crate) entry: Arc<str>,
    /// Functions that no file defines, with the library functions that they are said to act like ([`crate::c::Setup::acting`]).
    pub acting: Vec<(Arc<str>, Arc<str>)>,
    /// From offsets in the parsed text to positions in the user's files.
    pub source: Arc<SourceMap>,
    /// What is accepted though C does not allow it: calls of undeclared functions, initialisers without a member.
    pub(crate) warnings: Vec<(Span, String)>,
}

impl Unit {
    /// What is accepted though C does not allow it, each once, with its place.
    pub fn remarks(&self) -> Vec<(Pos, String)> {
        let all = self.warnings.iter().map(|(span, remark)| (self.source.pos(span.start), remark.clone()));
        all.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The name of string literals as objects. Whether equal ones are one object, C leaves open.
pub const STRING: &str = ".string";

/// That of the objects `__func__`.
pub const FUNCTION_NAME: &str = ".function name";

/// A variable with static storage duration (also string literals that were given an object of their own).
#[derive(Clone, Debug)]
pub struct Global {
    /// As in the text; where the text has none, one that begins with a dot ([`STRING`], [`FUNCTION_NAME`], `.literal`).
    pub name: Arc<str>,
    /// The composite type of all declarations (C11 6.2.7); an array without a length has that of its initialiser.
    pub ty: TypeId,
    /// `None` for a declaration without definition (`extern int x;`).
    pub definition: Option<GlobalDefinition>,
    /// The name in the definition or, without one, in the first declaration; the whole literal for an object without a name.
    pub span: Span,
    /// Declared by its name at file scope (or `extern`): not a string literal, no block's own `static`.
    pub has_linkage: bool,
    /// Declared `static` at file scope: other files cannot name it.
    pub(crate) is_static: bool,
    /// Weak definitions, aliases and assembler names.
    pub(crate) link: Linkage<GlobalId>,
}

/// What the linker uses of a function or a variable besides its name.
#[derive(Clone, Debug)]
pub(crate) struct Linkage<Id> {
    /// Its assembler name, where that is not the one in the text.
    pub(crate) symbol: Option<Arc<str>>,
    /// The symbol that it is another name of (`alias`, `weakref`).
    pub(crate) target: Option<Arc<str>>,
    /// Without a definition its address may be null.
    pub(crate) is_weak: bool,
    /// GNU `weakref`: without a definition it goes by the name of its target, and is weak.
    pub(crate) is_weakref: bool,
    /// Its definition stands in an earlier file, and gives way to another one.
    pub(crate) has_weak_definition: bool,
    /// What has the definition of its symbol, where it has none itself.
    pub(crate) same_as: Option<Id>,
}

impl<Id> Default for Linkage<Id> {
    fn default() -> Self {
        Self {
            symbol: None,
            target: None,
            is_weak: false,
            is_weakref: false,
            has_weak_definition: false,
            same_as: None,
        }
    }
}

/// What the definition of a variable adds to its declarations.
#[derive(Clone, Debug)]
pub struct GlobalDefinition {
    /// Zero initialised where `None`.
    pub init: Option<Init>,
    /// A string literal, or defined `const`: writing it violates `valid-deref`.
    pub(crate) read_only: bool,
    /// From `_Alignas`/`__attribute__((aligned))`, in bytes.
    pub(crate) align: Option<u64>,
}

/// A function of the unit.
#[derive(Clone, Debug)]
pub struct Function {
    /// As in the text; without a definition, the symbol that it is linked by.
    pub name: Arc<str>,
    /// A [`Type::Function`](super::types::Type::Function).
    pub ty: TypeId,
    /// `None` for a declaration without a definition.
    pub body: Option<FunctionBody>,
    /// The name in the definition or, without one, in the first declaration or call.
    pub span: Span,
    /// `_Noreturn` or `__attribute__((noreturn))`.
    pub(crate) noreturn: bool,
    /// `__attribute__((const))` or `pure`: the result depends on the arguments, and on memory at most.
    pub(crate) is_const: bool,
    /// Called before `main`, in the order of these numbers (`__attribute__((constructor))`).
    pub(crate) constructor: Option<u32>,
    /// Called at the end of the program, in the reverse order (`__attribute__((destructor))`).
    pub(crate) destructor: Option<u32>,
    /// Declared `static`: other files cannot call it by name.
    pub(crate) is_static: bool,
    /// Weak definitions, aliases and assembler names.
    pub(crate) link: Linkage<FunctionId>,
    /// Its address is converted to something else than a pointer to functions that are called in the same way, so that it may be
    /// called in another.
    pub(crate) is_recast: bool,
}

/// The definition of a function.
#[derive(Clone, Debug)]
pub struct FunctionBody {
    /// Parameters come first, in order (`params` of them).
    pub locals: Vec<Local>,
    /// How many of `locals` are parameters.
    pub params: u32,
    /// Their names, by [`LabelId`]; empty for labels of an enclosing function (GNU), which jumps may leave this one for.
    pub(crate) labels: Vec<Arc<str>>,
    /// The statements between the braces, in order.
    pub block: Vec<Stmt>,
    /// Length expressions of variable length arrays (`ArrayLength::Variable` indexes this list); each is evaluated once,
    /// where its [`StmtKind::VlaLength`] stands, and converted to `size_t`.
    pub(crate) vla_lengths: u32,
    /// Names that some block of it declares as something else than a variable of it (a `static`, a type, an enumerator, …).
    pub(crate) other_names: BTreeSet<Arc<str>>,
    /// The closing brace.
    pub(crate) end: Span,
}

/// A variable with automatic storage duration, or a parameter.
#[derive(Clone, Debug)]
pub struct Local {
    /// Empty for a parameter without a name.
    pub name: Arc<str>,
    /// Parameters have the adjusted type (C11 6.7.6.3): pointers for arrays and functions.
    pub ty: TypeId,
    /// The name in its declaration.
    pub span: Span,
    /// Its address is taken (explicitly, by array decay, or by member access of an aggregate) somewhere in the function.
    pub(crate) address_taken: bool,
    /// As [`GlobalDefinition::align`].
    pub(crate) align: Option<u64>,
}

/// A statement; `span.start` is its first character (the keyword for `if`, `while`, …).
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Its text; of a further declarator of a declaration, that alone.
    pub span: Span,
}

/// The statements of C11 6.8, with declarations among them.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression whose value is dropped.
    Expr(Expr),
    /// A compound statement: the storage of what it declares lives until its end.
    Block(Vec<Stmt>),
    /// A block-scope variable comes into being; storage lives until the enclosing block ends.
    Declare {
        /// The variable.
        local: LocalId,
        /// `None`: the content is indeterminate.
        init: Option<Init>,
    },
    /// Evaluates the length of VLA `index` (to `size_t`).
    VlaLength {
        /// Below [`FunctionBody::vla_lengths`].
        index: u32,
        /// Number of elements.
        length: Expr,
    },
    /// `if (condition) then else otherwise`.
    If {
        /// A scalar, compared against zero.
        condition: Expr,
        /// Where it is not zero.
        then: Box<Stmt>,
        /// `None` without `else`.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while (condition) body`.
    While {
        /// A scalar, compared against zero.
        condition: Expr,
        /// Executed while it is not zero.
        body: Box<Stmt>,
    },
    /// `do body while (condition);`.
    DoWhile {
        /// Executed at least once.
        body: Box<Stmt>,
        /// A scalar, compared against zero.
        condition: Expr,
        /** Offset of the closing `while` keyword. */
        while_at: u32,
    },
    /// `init` is a list of declarations or one expression statement; the scope of its variables is the loop.
    For {
        /// Empty where there is none.
        init: Vec<Stmt>,
        /// `None` stands for one that is not zero.
        condition: Option<Expr>,
        /// Evaluated after each round, also after one that `continue` ends.
        step: Option<Expr>,
        /// Executed once a round.
        body: Box<Stmt>,
    },
    /// `switch (value) body`.
    Switch {
        /// An integer, promoted.
        value: Expr,
        /// Has the cases, at any depth.
        body: Box<Stmt>,
    },
    /// Inclusive range of values, of the promoted type of the switch (low == high for a plain case).
    Case {
        /// The least value.
        low: i128,
        /// The greatest value, which GNU ranges (`case 1 ... 3:`) have of their own.
        high: i128,
        /// The labelled statement.
        body: Box<Stmt>,
    },
    /// `default:` of the innermost switch.
    Default {
        /// The labelled statement.
        body: Box<Stmt>,
    },
    /// A label, and the statement it is on.
    Label {
        /// What a `goto` to it names.
        label: LabelId,
        /// The labelled statement.
        body: Box<Stmt>,
    },
    /// Within the function.
    Goto(LabelId),
    /// GNU `goto *address;`: to one of the labels of the function.
    GotoComputed(Expr),
    /// Leaves the innermost loop or switch.
    Break,
    /// Ends this round of the innermost loop.
    Continue,
    /// The value has been converted to the result type; `None` where the function ends without one.
    Return(Option<Expr>),
    /// From here to the end of its block: evaluated whenever that part of the block is left (`__attribute__((cleanup))`), but not with
    /// the program, and by `longjmp` only `on_jumps`.
    Cleanup {
        /// Its value is dropped.
        call: Expr,
        /// Also where `longjmp` leaves the block.
        on_jumps: bool,
    },
    /// Inline assembler: outputs receive arbitrary values; `clobbers_memory` with a non-empty template is unsupported where reached.
    Asm {
        /// The instructions; operands are `%0`, `%1`, … (names have been replaced).
        template: Arc<str>,
        /// The operands that are written, numbered first.
        outputs: Vec<Place>,
        /// The operands that are read, numbered after them; an operand of record type is its address.
        inputs: Vec<Expr>,
        /// What outputs, by their positions, hold before: inputs that share their registers, or (`None`) the value they have.
        tied: Vec<(usize, Option<Expr>)>,
        /// It may write memory that is no output: a `memory` clobber, a record among the inputs, or no operand list.
        clobbers_memory: bool,
    },
    /// `;`.
    Empty,
}
