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

use super::types::{TypeId, Types};
use crate::base::span::{SourceMap, Span};
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
    pub types: Types,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    /// The name of the function that the program starts at.
    pub entry: Arc<str>,
    pub source: Arc<SourceMap>,
    pub warnings: Vec<(Span, String)>,
}

/// The name of string literals as objects. Whether equal ones are one object, C leaves open.
pub const STRING: &str = ".string";

/// That of the objects `__func__`.
pub const FUNCTION_NAME: &str = ".function name";

/// A variable with static storage duration (also string literals that were given an object of their own).
#[derive(Clone, Debug)]
pub struct Global {
    pub name: Arc<str>,
    pub ty: TypeId,
    /// `None` for a declaration without definition (`extern int x;`).
    pub definition: Option<GlobalDefinition>,
    pub span: Span,
    /// Declared by its name at file scope (or `extern`): not a string literal, no block's own `static`.
    pub has_linkage: bool,
    /// Declared `static` at file scope: other files cannot name it.
    pub is_static: bool,
    pub link: Linkage<GlobalId>,
}

/// What the linker is told of a function or a variable besides its name.
#[derive(Clone, Debug)]
pub struct Linkage<Id> {
    /// Its assembler name, where that is not the one in the text.
    pub symbol: Option<Arc<str>>,
    /// The symbol that it is another name of (`alias`, `weakref`).
    pub target: Option<Arc<str>>,
    /// Without a definition its address may be null.
    pub is_weak: bool,
    pub is_weakref: bool,
    /// Its definition stands in an earlier file, and gives way to another one.
    pub has_weak_definition: bool,
    /// What has the definition of its symbol, where it has none itself.
    pub same_as: Option<Id>,
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

#[derive(Clone, Debug)]
pub struct GlobalDefinition {
    /// Zero initialised where `None`.
    pub init: Option<Init>,
    /// A string literal, or defined `const`: writing it violates `valid-deref`.
    pub read_only: bool,
    /// From `_Alignas`/`__attribute__((aligned))`, in bytes.
    pub align: Option<u64>,
}

/// A function of the unit.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Arc<str>,
    pub ty: TypeId,
    pub body: Option<FunctionBody>,
    pub span: Span,
    /// `_Noreturn` or `__attribute__((noreturn))`.
    pub noreturn: bool,
    /// `__attribute__((const))` or `pure`: the result depends on the arguments, and on memory at most.
    pub is_const: bool,
    /// Called before `main`, in the order of these numbers (`__attribute__((constructor))`).
    pub constructor: Option<u32>,
    /// Called at the end of the program, in the reverse order (`__attribute__((destructor))`).
    pub destructor: Option<u32>,
    /// Declared `static`: other files cannot call it by name.
    pub is_static: bool,
    pub link: Linkage<FunctionId>,
    /// Its address is converted to something else than a pointer to functions that are called in the same way, so that it may be
    /// called in another.
    pub is_recast: bool,
}

#[derive(Clone, Debug)]
pub struct FunctionBody {
    /// Parameters come first, in order (`params` of them).
    pub locals: Vec<Local>,
    pub params: u32,
    pub labels: Vec<Arc<str>>,
    pub block: Vec<Stmt>,
    /// Length expressions of variable length arrays (`ArrayLength::Variable` indexes this list); each is evaluated once,
    /// where its [`StmtKind::VlaLength`] stands, and converted to `size_t`.
    pub vla_lengths: u32,
    /// Names that some block of it declares as something else than a variable of it (a `static`, a type, an enumerator, …).
    pub other_names: BTreeSet<Arc<str>>,
    /// The closing brace.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: Arc<str>,
    pub ty: TypeId,
    pub span: Span,
    /// Its address is taken (explicitly, by array decay, or by member access of an aggregate) somewhere in the function.
    pub address_taken: bool,
    pub align: Option<u64>,
}

/// A statement; `span.start` is its first character (the keyword for `if`, `while`, …).
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Expr(Expr),
    Block(Vec<Stmt>),
    /// A block-scope variable comes into being; storage lives until the enclosing block ends.
    Declare {
        local: LocalId,
        init: Option<Init>,
    },
    /// Evaluates the length of VLA `index` (to `size_t`).
    VlaLength {
        index: u32,
        length: Expr,
    },
    If {
        condition: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        condition: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        condition: Expr,
        /** Offset of the closing `while` keyword. */
        while_at: u32,
    },
    /// `init` is a list of declarations or one expression statement; the scope of its variables is the loop.
    For {
        init: Vec<Stmt>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    /// Inclusive range of values, of the promoted type of the switch (low == high for a plain case).
    Case {
        low: i128,
        high: i128,
        body: Box<Stmt>,
    },
    Default {
        body: Box<Stmt>,
    },
    Label {
        label: LabelId,
        body: Box<Stmt>,
    },
    Goto(LabelId),
    GotoComputed(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    /// From here to the end of its block: evaluated whenever that part of the block is left (`__attribute__((cleanup))`), but not with
    /// the program, and by `longjmp` only `on_jumps`.
    Cleanup {
        call: Expr,
        on_jumps: bool,
    },
    /// Inline assembler: outputs receive arbitrary values; `clobbers_memory` with a non-empty template is unsupported where reached.
    Asm {
        template: Arc<str>,
        outputs: Vec<Place>,
        inputs: Vec<Expr>,
        /// What outputs, by their positions, hold before: inputs that share their registers, or (`None`) the value they have.
        tied: Vec<(usize, Option<Expr>)>,
        clobbers_memory: bool,
    },
    Empty,
}

/// An rvalue.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i128),
    /// The bits of the constant in the format of its type (80-bit extended in the low 80 bits).
    Float(u128),
    /// Reading a place (lvalue conversion); of record type: the whole record.
    Use(Box<Place>),
    /// `&place`.
    AddressOf(Box<Place>),
    /// An array place as pointer to its first element.
    ArrayDecay(Box<Place>),
    FunctionAddress(FunctionId),
    LabelAddress(LabelId),
    /// Where a jump out of a nested function goes that leads to the label.
    LabelPlace(LabelId),
    /// Conversion to `self.ty` (explicit or implicit): integer ↔ integer ↔ floating ↔ pointer, to `_Bool`, to `void`.
    Convert(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have the type of the result, except shifts (right operand promoted on its own).
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Result `int` 0/1; operands of one arithmetic or pointer type.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `pointer + index·sizeof(element)` (or minus): `index` is an integer of any type, sign-extended to pointer width.
    PointerAdd {
        pointer: Box<Expr>,
        index: Box<Expr>,
        subtract: bool,
    },
    /// `(left - right) / sizeof(element)`, of type `ptrdiff_t`.
    PointerDiff(Box<Expr>, Box<Expr>),
    /// `!e`, `a && b`, `a || b`: result `int`; operands are scalars compared against zero.
    LogicalNot(Box<Expr>),
    LogicalAnd(Box<Expr>, Box<Expr>),
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; `then` is `None` for GNU `c ?: b` (the condition's value, evaluated once, then converted to `self.ty`).
    /// `question` is the offset of the `?`.
    Conditional {
        condition: Box<Expr>,
        then: Option<Box<Expr>>,
        otherwise: Box<Expr>,
        question: u32,
    },
    Comma(Box<Expr>, Box<Expr>),
    /// Value: the left side's new value.
    Assign {
        place: Box<Place>,
        value: Box<Expr>,
    },
    /// `place op= value`: the old value is converted to `compute`, combined with `value` (already of type `compute`, promoted
    /// on its own for shifts, an integer for pointer += integer), and converted back. Pointers: `op` is Add or Sub and
    /// `compute` the pointer type.
    CompoundAssign {
        op: BinaryOp,
        place: Box<Place>,
        value: Box<Expr>,
        compute: TypeId,
    },
    /// `++`/`--` by one (pointers: one element); the value is the old one when `postfix`.
    Increment {
        place: Box<Place>,
        decrement: bool,
        postfix: bool,
    },
    /// `close` is the offset of the call's closing parenthesis.
    Call {
        callee: Callee,
        args: Vec<Expr>,
        close: u32,
    },
    /// `({ … })`; the value is that of `result`, evaluated last within the block's scope.
    Statement {
        block: Vec<Stmt>,
        result: Option<Box<Expr>>,
    },
    /// `(T){ … }` read as a value of record or scalar type is `Use(CompoundLiteral)`; see [`PlaceKind::CompoundLiteral`].
    /// `va_arg(list, T)` with `self.ty = T`; `list` is a place of type `va_list`.
    VaArg(Box<Place>),
    VaStart(Box<Place>),
    VaEnd(Box<Place>),
    VaCopy {
        to: Box<Place>,
        from: Box<Place>,
    },
    /// Size in bytes of a variable length array type (of `size_t` type).
    SizeofVla(TypeId),
    /// `__builtin_{s,u,}{add,sub,mul}{,l,ll}_overflow(a, b, result)`: computes with unlimited precision, stores the value
    /// wrapped to the type `result` points to, and yields `_Bool` whether it did not fit.
    CheckedArithmetic {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
        result: Option<Box<Expr>>,
        result_type: TypeId,
    },
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__real__`/`__imag__` and complex arithmetic are not represented: the front end refuses them.
    /// An error value kept from the front end: lowering refuses it only where its function can be reached.
    Unsupported(Arc<str>),
}

/// What is called: a known function, or a pointer to one.
#[derive(Clone, Debug)]
pub enum Callee {
    Direct(FunctionId),
    /// A value of pointer-to-function type.
    Indirect(Box<Expr>),
}

/// An lvalue.
#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PlaceKind {
    Local(LocalId),
    Global(GlobalId),
    /// `*pointer`, `p[i]`, `p->…` (after desugaring to pointer arithmetic).
    Deref(Expr),
    /// A member of a record place, by index into its layout's fields.
    Member {
        base: Box<Place>,
        field: u32,
    },
    /// An object of the enclosing block's lifetime, initialised anew each time it is evaluated. At file scope such objects become globals.
    CompoundLiteral {
        local: LocalId,
        init: Init,
    },
    /// A member (or element) of a record rvalue, e.g. of a call's result: the value is put into a temporary first.
    Temporary(Expr),
    /// `__imag__`/vector elements and other unsupported places.
    Unsupported(Arc<str>),
}

/// An initialiser, brought into canonical form: what is not written is zero.
#[derive(Clone, Debug)]
pub enum Init {
    /// A scalar, or a record copied as a whole.
    Expr(Expr),
    /// For arrays and records: (byte offset, bit-field position if any, type, value), in order of evaluation; a later entry
    /// overrides an earlier one at the same place. Everything else is zero.
    List(Vec<InitEntry>),
    /// A character array from a string literal: these bytes, the rest of the array zero.
    Bytes(Arc<[u8]>),
}

#[derive(Clone, Debug)]
pub struct InitEntry {
    pub offset: u64,
    pub bits: Option<super::types::BitField>,
    pub ty: TypeId,
    /// `Expr` or `Bytes`, never `List`.
    pub value: Init,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Negate,
    /// `~`.
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}
