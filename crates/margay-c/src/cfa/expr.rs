//! The expressions of the automaton: pure and total, on bit-vectors of known width.

use super::float_functions::FloatFunction;
use super::ir::{FunctionId, GlobalId, Reg, SlotId};

/// A constant bit-vector; bits above `width` are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    /// As an unsigned number.
    pub value: u128,
    /// Bits, 1 to 128.
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
    /// A constant.
    Const(Bits),
    /// The value of a register, with its width.
    Reg(Reg, u32),
    /// The address of an object, of pointer width.
    Address(Object, u32),
    /// The result has the width of the operand.
    Unary(UnOp, Box<Expr>),
    /// Operands of one width, which is the result's but for comparisons (one bit).
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// The operand brought to `width` bits.
    Convert(Conversion, u32, Box<Expr>),
    /// `condition` is one bit wide.
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Floating operations on the bit patterns of `FloatFormat` (the width is the format's storage width in the expression: 16, 32, 64, 80 or 128).
    FloatUnary(FloatUnOp, FloatFormat, Box<Expr>),
    /// As `FloatUnary`; both operands and the result are of that format.
    FloatBinary(FloatBinOp, FloatFormat, Box<Expr>, Box<Expr>),
    /// One bit; both operands are of that format.
    FloatCompare(FloatCmp, FloatFormat, Box<Expr>, Box<Expr>),
    /// From or to a floating format.
    FloatConvert(FloatConversion, Box<Expr>),
}

/// Something with a fixed address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// An object with static storage duration.
    Global(GlobalId),
    /// A slot of the current frame.
    Slot(SlotId),
    /// Code; it can be called and compared, not accessed.
    Function(FunctionId),
}

/// Operations on one bit-vector.
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
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Quotient of unsigned numbers.
    UDiv,
    /// Quotient of signed numbers, towards zero.
    SDiv,
    /// Remainder of unsigned numbers.
    URem,
    /// Remainder of signed numbers; it has the sign of the dividend.
    SRem,
    /// Bitwise (logical at width 1).
    And,
    /// Bitwise (logical at width 1).
    Or,
    /// Bitwise.
    Xor,
    /// Shift to the left; the right operand is the number of bits.
    Shl,
    /// Shift to the right that fills with zeros.
    LShr,
    /// Shift to the right that fills with the sign.
    AShr,
    /// Equal.
    Eq,
    /// Different.
    Ne,
    /// Less, of unsigned numbers.
    Ult,
    /// Less or equal, of unsigned numbers.
    Ule,
    /// Less, of signed numbers.
    Slt,
    /// Less or equal, of signed numbers.
    Sle,
}

impl BinOp {
    /// Yields one bit.
    pub fn is_comparison(self) -> bool {
        use BinOp::*;
        matches!(self, Eq | Ne | Ult | Ule | Slt | Sle)
    }
}

/// How a bit-vector gets another width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Keep the low bits.
    Truncate,
    /// Fill with zeros.
    ZeroExtend,
    /// Fill with the sign.
    SignExtend,
}

/// Floating formats; `X87` is the 80-bit extended one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatFormat {
    /// IEEE binary16.
    Half,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// 64 bits of significand, the leading one stored.
    X87,
    /// IEEE binary128.
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

/// Operations on one floating number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatUnOp {
    /// Changes the sign, that of NaN as well.
    Neg,
}

/// Operations on two floating numbers, rounded to the nearest number and to even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatBinOp {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Division; by zero it yields an infinity or NaN.
    Div,
    /// A function of C's library.
    Function(FloatFunction),
}

/// IEEE comparisons (false on NaN but for `Ne`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatCmp {
    /// Equal; the zeros are.
    Eq,
    /// Not equal: true on NaN.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

/// Conversions between floating formats and integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatConversion {
    /// To an integer of `width` bits, towards zero; arbitrary where it does not fit.
    ToInt {
        /// The format of the operand.
        from: FloatFormat,
        /// Bits of the result.
        width: u32,
        /// The integer is a signed one.
        signed: bool,
    },
    /// From an integer, rounded to the nearest number.
    FromInt {
        /// The format of the result.
        to: FloatFormat,
        /// The operand is read as a signed integer.
        signed: bool,
    },
    /// From format to format, rounded to the nearest number.
    Between {
        /// The format of the operand.
        from: FloatFormat,
        /// The format of the result.
        to: FloatFormat,
    },
}

impl Expr {
    /// `value` cut to `width` bits.
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
