//! Integer and floating arithmetic on bits.

use crate::cfa::{BinOp, Bits, Conversion, FloatBinOp, FloatCmp, FloatConversion, FloatFormat, UnOp};
use crate::memory::{FloatOp, float_operation, float_to_integer};

pub(super) fn unary(op: UnOp, operand: Bits) -> Bits {
    match op {
        UnOp::Neg => Bits::new(operand.value.wrapping_neg(), operand.width),
        UnOp::Not => Bits::new(!operand.value, operand.width),
    }
}

/// `left op right`, as x86 computes it: shifts go by the amount modulo the width, the quotient of the smallest number by -1 wraps.
/// A quotient by zero is never used.
pub(super) fn binary(op: BinOp, left: Bits, right: Bits) -> Bits {
    let width = left.width;
    if width <= 64 {
        let value = short(op, width, left.value as u64, right.value as u64).into();
        return Bits { value, width: if op.is_comparison() { 1 } else { width } };
    }
    let (a, b) = (left.value, right.value);
    let amount = || (b % u128::from(width)) as u32;
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b).unwrap_or(0),
        BinOp::URem => a.checked_rem(b).unwrap_or(0),
        BinOp::SDiv if b == 0 => 0,
        BinOp::SRem if b == 0 => 0,
        BinOp::SDiv => left.signed().wrapping_div(right.signed()) as u128,
        BinOp::SRem => left.signed().wrapping_rem(right.signed()) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << amount(),
        BinOp::LShr => a >> amount(),
        BinOp::AShr => (left.signed() >> amount()) as u128,
        BinOp::Eq => return truth(a == b),
        BinOp::Ne => return truth(a != b),
        BinOp::Ult => return truth(a < b),
        BinOp::Ule => return truth(a <= b),
        BinOp::Slt => return truth(left.signed() < right.signed()),
        BinOp::Sle => return truth(left.signed() <= right.signed()),
    };
    Bits::new(result, width)
}

/// [`binary`] on numbers of 1 to 64 bits.
#[inline(always)]
pub(super) fn short(op: BinOp, width: u32, a: u64, b: u64) -> u64 {
    let amount = || (b % u64::from(width)) as u32;
    let (x, y) = (signed(a, width), signed(b, width));
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b).unwrap_or(0),
        BinOp::URem => a.checked_rem(b).unwrap_or(0),
        BinOp::SDiv if b == 0 => 0,
        BinOp::SRem if b == 0 => 0,
        BinOp::SDiv => x.wrapping_div(y) as u64,
        BinOp::SRem => x.wrapping_rem(y) as u64,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << amount(),
        BinOp::LShr => a >> amount(),
        BinOp::AShr => (x >> amount()) as u64,
        BinOp::Eq => return u64::from(a == b),
        BinOp::Ne => return u64::from(a != b),
        BinOp::Ult => return u64::from(a < b),
        BinOp::Ule => return u64::from(a <= b),
        BinOp::Slt => return u64::from(x < y),
        BinOp::Sle => return u64::from(x <= y),
    };
    cut(result, width)
}

/// The low `width` bits (1..=64).
#[inline(always)]
pub(super) fn cut(value: u64, width: u32) -> u64 {
    value & (u64::MAX >> (64 - width))
}

/// The two's complement reading of `width` bits (1..=64).
#[inline(always)]
pub(super) fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

fn truth(holds: bool) -> Bits {
    Bits { value: holds.into(), width: 1 }
}

pub(super) fn convert(conversion: Conversion, width: u32, operand: Bits) -> Bits {
    match conversion {
        Conversion::Truncate | Conversion::ZeroExtend => Bits::new(operand.value, width),
        Conversion::SignExtend => Bits::new(operand.signed() as u128, width),
    }
}

/// The result of a floating operation, and whether C leaves it open.
pub(super) fn float(op: FloatOp, operands: &[Bits]) -> (Bits, bool) {
    if let Some(result) = native(op, operands).or_else(|| float_operation(op, operands)) {
        return (result, false);
    }
    let result = match (op, operands) {
        (FloatOp::Convert(FloatConversion::ToInt { from, width, signed }), [operand]) => {
            float_to_integer(from, width, signed, *operand)
        }
        _ => Bits::new(0, op.result_width()),
    };
    (result, true)
}

/// `float` and `double` by the machine's own arithmetic, which rounds as IEEE 754 asks; `None` for other formats and
/// where the result is a NaN, whose bits the machine does not fix.
fn native(op: FloatOp, operands: &[Bits]) -> Option<Bits> {
    let (format, [left, right]) = match (op, operands) {
        (FloatOp::Binary(_, format) | FloatOp::Compare(_, format), &[left, right]) => (format, [left, right]),
        _ => return None,
    };
    match format {
        FloatFormat::Double => {
            let (a, b) = (f64::from_bits(left.value as u64), f64::from_bits(right.value as u64));
            match op {
                FloatOp::Compare(op, _) => Some(compare(op, a, b)),
                FloatOp::Binary(op, _) => {
                    let result = match op {
                        FloatBinOp::Add => a + b,
                        FloatBinOp::Sub => a - b,
                        FloatBinOp::Mul => a * b,
                        FloatBinOp::Div => a / b,
                        FloatBinOp::Function(_) => return None,
                    };
                    (!result.is_nan()).then(|| Bits::new(result.to_bits().into(), 64))
                }
                _ => None,
            }
        }
        FloatFormat::Single => {
            let (a, b) = (f32::from_bits(left.value as u32), f32::from_bits(right.value as u32));
            match op {
                FloatOp::Compare(op, _) => Some(compare(op, a, b)),
                FloatOp::Binary(op, _) => {
                    let result = match op {
                        FloatBinOp::Add => a + b,
                        FloatBinOp::Sub => a - b,
                        FloatBinOp::Mul => a * b,
                        FloatBinOp::Div => a / b,
                        FloatBinOp::Function(_) => return None,
                    };
                    (!result.is_nan()).then(|| Bits::new(result.to_bits().into(), 32))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn compare<F: PartialOrd>(op: FloatCmp, a: F, b: F) -> Bits {
    let holds = match op {
        FloatCmp::Eq => a == b,
        FloatCmp::Ne => a != b,
        FloatCmp::Lt => a < b,
        FloatCmp::Le => a <= b,
    };
    Bits { value: holds.into(), width: 1 }
}
