//! Floating-point arithmetic on bit patterns, exact for every format.

use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use super::FloatOp;
use super::float_functions::float_function;
use crate::cfa::{Bits, FloatBinOp, FloatCmp, FloatConversion, FloatFormat, FloatUnOp};

/// The result of `op` on constant operands, rounding to nearest even as compiled C does by default;
/// `None` where C leaves it undefined (conversion to an integer that cannot hold the value).
pub fn float_operation(op: FloatOp, operands: &[Bits]) -> Option<Bits> {
    match op {
        FloatOp::Unary(_, format) | FloatOp::Binary(_, format) | FloatOp::Compare(_, format) => match format {
            FloatFormat::Half => within::<Half>(op, operands, format),
            FloatFormat::Single => within::<Single>(op, operands, format),
            FloatFormat::Double => within::<Double>(op, operands, format),
            FloatFormat::X87 => within::<X87DoubleExtended>(op, operands, format),
            FloatFormat::Quad => within::<Quad>(op, operands, format),
        },
        FloatOp::Convert(conversion) => convert(conversion, *operands.first()?),
    }
}

fn within<F: Float>(op: FloatOp, operands: &[Bits], format: FloatFormat) -> Option<Bits> {
    let left = F::from_bits(operands.first()?.value);
    match op {
        FloatOp::Unary(FloatUnOp::Neg, _) => Some(Bits::new((-left).to_bits(), format.bits())),
        FloatOp::Binary(FloatBinOp::Function(function), _) => {
            let result = float_function(function, format, [operands.first()?.value, operands.get(1)?.value])?;
            Some(Bits::new(result, format.bits()))
        }
        FloatOp::Binary(op, _) => {
            let right = F::from_bits(operands.get(1)?.value);
            let result = match op {
                FloatBinOp::Add => left + right,
                FloatBinOp::Sub => left - right,
                FloatBinOp::Mul => left * right,
                FloatBinOp::Div => left / right,
                FloatBinOp::Function(_) => return None,
            };
            Some(Bits::new(result.value.to_bits(), format.bits()))
        }
        FloatOp::Compare(op, _) => {
            let right = F::from_bits(operands.get(1)?.value);
            let holds = match op {
                FloatCmp::Eq => left == right,
                FloatCmp::Ne => left != right,
                FloatCmp::Lt => left < right,
                FloatCmp::Le => left <= right,
            };
            Some(Bits::new(holds.into(), 1))
        }
        FloatOp::Convert(_) => None,
    }
}

fn convert(conversion: FloatConversion, operand: Bits) -> Option<Bits> {
    match conversion {
        FloatConversion::ToInt { from, width, signed } => match from {
            FloatFormat::Half => to_int::<Half>(operand, width, signed),
            FloatFormat::Single => to_int::<Single>(operand, width, signed),
            FloatFormat::Double => to_int::<Double>(operand, width, signed),
            FloatFormat::X87 => to_int::<X87DoubleExtended>(operand, width, signed),
            FloatFormat::Quad => to_int::<Quad>(operand, width, signed),
        },
        FloatConversion::FromInt { to, signed } => Some(match to {
            FloatFormat::Half => from_int::<Half>(operand, to, signed),
            FloatFormat::Single => from_int::<Single>(operand, to, signed),
            FloatFormat::Double => from_int::<Double>(operand, to, signed),
            FloatFormat::X87 => from_int::<X87DoubleExtended>(operand, to, signed),
            FloatFormat::Quad => from_int::<Quad>(operand, to, signed),
        }),
        FloatConversion::Between { from, to } => Some(match from {
            FloatFormat::Half => between::<Half>(operand, to),
            FloatFormat::Single => between::<Single>(operand, to),
            FloatFormat::Double => between::<Double>(operand, to),
            FloatFormat::X87 => between::<X87DoubleExtended>(operand, to),
            FloatFormat::Quad => between::<Quad>(operand, to),
        }),
    }
}

fn to_int<F: Float>(operand: Bits, width: u32, signed: bool) -> Option<Bits> {
    let value = F::from_bits(operand.value);
    let mut exact = false;
    let (status, bits) = if signed {
        let result = value.to_i128_r(width as usize, Round::TowardZero, &mut exact);
        (result.status, result.value as u128)
    } else {
        let result = value.to_u128_r(width as usize, Round::TowardZero, &mut exact);
        (result.status, result.value)
    };
    (!status.contains(Status::INVALID_OP)).then(|| Bits::new(bits, width))
}

/// What gcc's code on x86-64 makes of a number that the integer type cannot hold: the conversion instructions yield their lowest
/// number, of 32 or 64 bits, and what is narrower is cut off that. C leaves the value open (C11 F.4).
pub fn float_to_integer(from: FloatFormat, width: u32, signed: bool, operand: Bits) -> Bits {
    let cut = |through: u32| {
        let whole = FloatConversion::ToInt { from, width: through, signed: true };
        let lowest = Bits::new(1 << (through - 1), through);
        Bits::new(convert(whole, operand).unwrap_or(lowest).value, width)
    };
    let reaches = |bound: u128| {
        let bound = convert(FloatConversion::FromInt { to: from, signed: false }, Bits::new(bound, 128))?;
        float_operation(FloatOp::Compare(FloatCmp::Le, from), &[bound, operand])
    };
    match (width, signed) {
        (0..32, _) | (32, true) => cut(32),
        // From 2^63 on, 2^63 is subtracted before the conversion, and the highest bit turned over behind it.
        (64, false) if reaches(1 << 63).is_some_and(|holds| holds.value == 1) => Bits::new(0, 64),
        (..=64, _) => cut(64),
        _ => cut(128),
    }
}

fn from_int<F: Float>(operand: Bits, to: FloatFormat, signed: bool) -> Bits {
    let value = if signed { F::from_i128(operand.signed()).value } else { F::from_u128(operand.value).value };
    Bits::new(value.to_bits(), to.bits())
}

fn between<F>(operand: Bits, to: FloatFormat) -> Bits
where
    F: Float
        + FloatConvert<Half>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>,
{
    let value = F::from_bits(operand.value);
    let mut loses = false;
    let bits = match to {
        FloatFormat::Half => FloatConvert::<Half>::convert(value, &mut loses).value.to_bits(),
        FloatFormat::Single => FloatConvert::<Single>::convert(value, &mut loses).value.to_bits(),
        FloatFormat::Double => FloatConvert::<Double>::convert(value, &mut loses).value.to_bits(),
        FloatFormat::X87 => FloatConvert::<X87DoubleExtended>::convert(value, &mut loses).value.to_bits(),
        FloatFormat::Quad => FloatConvert::<Quad>::convert(value, &mut loses).value.to_bits(),
    };
    Bits::new(bits, to.bits())
}
