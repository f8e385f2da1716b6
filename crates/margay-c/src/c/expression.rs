//! Typed syntax of expressions, places and initialisers; the conventions are those of [`syntax`](super::syntax).

use std::sync::Arc;

use super::syntax::{FunctionId, GlobalId, LabelId, LocalId, Stmt};
use super::types::{BitField, TypeId};
use crate::base::span::Span;

/// An rvalue.
#[derive(Clone, Debug)]
pub struct Expr {
    /// How it is computed.
    pub kind: ExprKind,
    /// The type of its value; never an array or a function.
    pub ty: TypeId,
    /// From its first character to its last one.
    pub span: Span,
}

/// The forms of rvalues (C11 6.5).
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer constant.
    Int(i128),
    /// The bits of the constant in the format of its type (80-bit extended in the low 80 bits).
    Float(u128),
    /// Reading a place (lvalue conversion); of record type: the whole record. `(T){ … }` as a value reads a
    /// [`PlaceKind::CompoundLiteral`].
    Use(Box<Place>),
    /// `&place`.
    AddressOf(Box<Place>),
    /// An array place as pointer to its first element.
    ArrayDecay(Box<Place>),
    /// A function designator as a pointer to the function (C11 6.3.2.1).
    FunctionAddress(FunctionId),
    /// GNU `&&label`.
    LabelAddress(LabelId),
    /// Where a jump out of a nested function goes that leads to the label.
    LabelPlace(LabelId),
    /// Conversion to `self.ty` (explicit or implicit): integer ↔ integer ↔ floating ↔ pointer, to `_Bool`, to `void`.
    Convert(Box<Expr>),
    /// The operand has the type of the result, promotions included.
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have the type of the result, except shifts (right operand promoted on its own).
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Result `int` 0/1; operands of one arithmetic or pointer type.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `pointer + index·sizeof(element)` (or minus): `index` is an integer of any type, sign-extended to pointer width.
    PointerAdd {
        /// A pointer to an object type; gcc lets `void` and functions have size 1.
        pointer: Box<Expr>,
        /// Number of elements.
        index: Box<Expr>,
        /// `pointer - index`.
        subtract: bool,
    },
    /// `(left - right) / sizeof(element)`, of type `ptrdiff_t`.
    PointerDiff(Box<Expr>, Box<Expr>),
    /// `!e`: result `int`, as of the next two; operands are scalars compared against zero.
    LogicalNot(Box<Expr>),
    /// `a && b`: the right operand is evaluated only where the left one is not zero.
    LogicalAnd(Box<Expr>, Box<Expr>),
    /// `a || b`: the right operand is evaluated only where the left one is zero.
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; `then` is `None` for GNU `c ?: b` (the condition's value, evaluated once, then converted to `self.ty`).
    /// `question` is the offset of the `?`.
    Conditional {
        /// A scalar, compared against zero.
        condition: Box<Expr>,
        /// Evaluated where it is not zero.
        then: Option<Box<Expr>>,
        /// Evaluated where it is zero.
        otherwise: Box<Expr>,
        /// Branches are reported there.
        question: u32,
    },
    /// `a, b`: the value of the left operand is dropped.
    Comma(Box<Expr>, Box<Expr>),
    /// Value: the left side's new value.
    Assign {
        /// Of scalar or record type.
        place: Box<Place>,
        /// Of the type of `place`.
        value: Box<Expr>,
    },
    /// `place op= value`: the old value is converted to `compute`, combined with `value` (already of type `compute`, promoted
    /// on its own for shifts, an integer for pointer += integer), and converted back. Pointers: `op` is Add or Sub and
    /// `compute` the pointer type.
    CompoundAssign {
        /// How old value and operand are combined.
        op: BinaryOp,
        /// Evaluated once.
        place: Box<Place>,
        /// The right operand.
        value: Box<Expr>,
        /// The type in which `op` is evaluated.
        compute: TypeId,
    },
    /// `++`/`--` by one (pointers: one element); the value is the old one when `postfix`.
    Increment {
        /// Evaluated once.
        place: Box<Place>,
        /// `--`.
        decrement: bool,
        /// The operator is behind the operand.
        postfix: bool,
    },
    /// `close` is the offset of the call's closing parenthesis.
    Call {
        /// What is called.
        callee: Callee,
        /// Converted to the parameter types; those without a parameter have the default promotions (C11 6.5.2.2).
        args: Vec<Expr>,
        /// Calls are reported there.
        close: u32,
    },
    /// `({ … })`; the value is that of `result`, evaluated last within the block's scope.
    Statement {
        /// Without the statement that has the value.
        block: Vec<Stmt>,
        /// `None`: of type `void`.
        result: Option<Box<Expr>>,
    },
    /// `va_arg(list, T)` with `self.ty = T`; `list` is a place of type `va_list`.
    VaArg(Box<Place>),
    /// `va_start(list, …)`.
    VaStart(Box<Place>),
    /// `va_end(list)`.
    VaEnd(Box<Place>),
    /// `va_copy(to, from)`.
    VaCopy {
        /// A place of type `va_list`.
        to: Box<Place>,
        /// A place of type `va_list`.
        from: Box<Place>,
    },
    /// Size in bytes of a variable length array type (of `size_t` type).
    SizeofVla(TypeId),
    /// `__builtin_{s,u,}{add,sub,mul}{,l,ll}_overflow(a, b, result)`: computes with unlimited precision, stores the value
    /// wrapped to the type `result` points to, and yields `_Bool` whether it did not fit.
    CheckedArithmetic {
        /// Addition, subtraction or multiplication.
        op: BinaryOp,
        /// An integer of any type.
        left: Box<Expr>,
        /// An integer of any type.
        right: Box<Expr>,
        /// Where the value is stored; `None` for `__builtin_add_overflow_p` and its kin, which store nothing.
        result: Option<Box<Expr>>,
        /// The type that the value has to fit.
        result_type: TypeId,
    },
    /// `__builtin_unreachable()`.
    Unreachable,
    /// What the front end does not support, as an error message: lowering refuses it only where its function can be reached.
    Unsupported(Arc<str>),
}

/// What is called: a known function, or a pointer to one.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function designator.
    Direct(FunctionId),
    /// A value of pointer-to-function type.
    Indirect(Box<Expr>),
}

/// An lvalue.
#[derive(Clone, Debug)]
pub struct Place {
    /// How the object is found.
    pub kind: PlaceKind,
    /// The object's type, arrays and functions included.
    pub ty: TypeId,
    /// From its first character to its last one.
    pub(crate) span: Span,
}

/// The forms of lvalues (C11 6.3.2.1).
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A parameter or block-scope variable.
    Local(LocalId),
    /// An object with static storage duration.
    Global(GlobalId),
    /// `*pointer`, `p[i]`, `p->…` (after desugaring to pointer arithmetic).
    Deref(Expr),
    /// A member of a record place, by index into its layout's fields.
    Member {
        /// A place of record type.
        base: Box<Place>,
        /// Index into [`RecordLayout::fields`](super::types::RecordLayout::fields).
        field: u32,
    },
    /// An object of the enclosing block's lifetime, initialised anew each time it is evaluated. At file scope such objects become globals.
    CompoundLiteral {
        /// The object, which has no name.
        local: LocalId,
        /// Its content after each evaluation.
        init: Init,
    },
    /// A member (or element) of a record rvalue, e.g. of a call's result: the value is put into a temporary first.
    Temporary(Expr),
    /// What the front end does not support, as [`ExprKind::Unsupported`].
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

/// One scalar, record or string of an initialiser list.
#[derive(Clone, Debug)]
pub struct InitEntry {
    /// Bytes from the start of the whole object.
    pub offset: u64,
    /// `None` where it is no bit-field.
    pub bits: Option<BitField>,
    /// Of the member or element.
    pub ty: TypeId,
    /// `Expr` or `Bytes`, never `List`.
    pub value: Init,
}

/// Arithmetic operators of one operand (C11 6.5.3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`.
    Negate,
    /// `~`.
    Complement,
}

/// Arithmetic operators of two operands (C11 6.5.5 to 6.5.7, 6.5.10 to 6.5.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`; of integers, towards zero.
    Divide,
    /// `%`, of integers.
    Remainder,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
    /// `<<`.
    ShiftLeft,
    /// `>>`; of signed integers, arithmetic as with gcc.
    ShiftRight,
}

/// Relational and equality operators (C11 6.5.8, 6.5.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
}
