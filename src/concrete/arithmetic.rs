//! Integer and floating arithmetic on bits.

use crate::cfa::{BinOp, Bits, Conversion, FloatBinOp, FloatCmp, FloatFormat, UnOp};
use crate::memory::{FloatOp, float_operation};

pub(super) fn unary(op: UnOp, operand: Bits) -> Bits {
    match op {
        UnOp::Neg => Bits::new(operand.value.wrapping_neg(), operand.width),
        UnOp::Not => Bits::new(!operand.value, operand.width),
    }
}

/// `left op right`, or what is undefined about it.
pub(super) fn binary(op: BinOp, left: Bits, right: Bits) -> Result<Bits, &'static str> {
    let width = left.width;
    let (a, b) = (left.value, right.value);
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => return divide(op, left, right),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            if b >= u128::from(width) {
                return Err("shift by the width of the type or more");
            }
            match op {
                BinOp::Shl => a << b,
                BinOp::LShr => a >> b,
                _ => (left.signed() >> b) as u128,
            }
        }
        BinOp::Eq => return truth(a == b),
        BinOp::Ne => return truth(a != b),
        BinOp::Ult => return truth(a < b),
        BinOp::Ule => return truth(a <= b),
        BinOp::Slt => return truth(left.signed() < right.signed()),
        BinOp::Sle => return truth(left.signed() <= right.signed()),
    };
    Ok(Bits::new(result, width))
}

fn truth(holds: bool) -> Result<Bits, &'static str> {
    Ok(Bits { value: holds.into(), width: 1 })
}

fn divide(op: BinOp, left: Bits, right: Bits) -> Result<Bits, &'static str> {
    if right.value == 0 {
        return Err("division by zero");
    }
    let width = left.width;
    if matches!(op, BinOp::SDiv | BinOp::SRem) {
        let (a, b) = (left.signed(), right.signed());
        if b == -1 && left.value == 1 << (width - 1) {
            return Err("division of the smallest number by -1");
        }
        let result = match (op, i64::try_from(a), i64::try_from(b)) {
            (BinOp::SDiv, Ok(a), Ok(b)) => i128::from(a.wrapping_div(b)),
            (BinOp::SDiv, ..) => a.wrapping_div(b),
            // The remainder of the smallest `i64` by -1 is 0, whatever the quotient does.
            (_, Ok(a), Ok(b)) => i128::from(a.wrapping_rem(b)),
            _ => a.wrapping_rem(b),
        };
        // The one quotient of wider types that `i64` cannot hold.
        let result = if op == BinOp::SDiv && a == i64::MIN.into() && b == -1 { -a } else { result };
        return Ok(Bits::new(result as u128, width));
    }
    let result = match (u64::try_from(left.value), u64::try_from(right.value), op) {
        (Ok(a), Ok(b), BinOp::UDiv) => u128::from(a / b),
        (Ok(a), Ok(b), _) => u128::from(a % b),
        (_, _, BinOp::UDiv) => left.value / right.value,
        _ => left.value % right.value,
    };
    Ok(Bits::new(result, width))
}

pub(super) fn convert(conversion: Conversion, width: u32, operand: Bits) -> Bits {
    match conversion {
        Conversion::Truncate | Conversion::ZeroExtend => Bits::new(operand.value, width),
        Conversion::SignExtend => Bits::new(operand.signed() as u128, width),
    }
}

/// The result of a floating operation, or what is undefined about it.
pub(super) fn float(op: FloatOp, operands: &[Bits]) -> Result<Bits, &'static str> {
    if let Some(result) = native(op, operands) {
        return Ok(result);
    }
    float_operation(op, operands).ok_or("conversion of a floating number that the integer type cannot hold")
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
