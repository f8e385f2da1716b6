//! The ops as bit-vector terms, for the memories whose values are terms.

use super::circuit::{circuit, quiet_nan};
use super::{FloatOp, float_operation};
use crate::cfa::{BinOp, Bits, Conversion, FloatBinOp, Side, UnOp};
use crate::smt::{Term, Terms};

/// These bits.
pub fn constant(terms: &Terms, bits: Bits) -> Term {
    terms.constant(bits.value, bits.width)
}

/// As [`Memory::unary`](super::Memory::unary).
pub fn unary(terms: &Terms, op: UnOp, operand: Term) -> Term {
    match op {
        UnOp::Neg => terms.neg(operand),
        UnOp::Not => terms.not(operand),
    }
}

/// The result as SMT-LIB has it: quotients by zero and shifts by the width or more have values that C does not know.
pub fn binary(terms: &Terms, op: BinOp, a: Term, b: Term) -> Term {
    match op {
        BinOp::Add => terms.add(a, b),
        BinOp::Sub => terms.sub(a, b),
        BinOp::Mul => terms.mul(a, b),
        BinOp::UDiv => terms.udiv(a, b),
        BinOp::SDiv => terms.sdiv(a, b),
        BinOp::URem => terms.urem(a, b),
        BinOp::SRem => terms.srem(a, b),
        BinOp::And => terms.and(a, b),
        BinOp::Or => terms.or(a, b),
        BinOp::Xor => terms.xor(a, b),
        BinOp::Shl => terms.shl(a, b),
        BinOp::LShr => terms.lshr(a, b),
        BinOp::AShr => terms.ashr(a, b),
        BinOp::Eq => terms.eq(a, b),
        BinOp::Ne => terms.ne(a, b),
        BinOp::Ult => terms.ult(a, b),
        BinOp::Ule => terms.ule(a, b),
        BinOp::Slt => terms.slt(a, b),
        BinOp::Sle => terms.sle(a, b),
    }
}

/// As [`Memory::convert`](super::Memory::convert).
pub fn convert(terms: &Terms, conversion: Conversion, width: u32, operand: Term) -> Term {
    if terms.width(operand) == width {
        return operand;
    }
    match conversion {
        Conversion::Truncate => terms.truncate(operand, width),
        Conversion::ZeroExtend => terms.zext(operand, width),
        Conversion::SignExtend => terms.sext(operand, width),
    }
}

/// The most terms that the operands of a circuit have: what is larger grows in a loop.
const MOST_OPERAND_TERMS: usize = 2_000;

/// The result where all operands are constants and C says what it is; otherwise a circuit, unless that gets too large. `any` makes
/// a term that stands for any value of its width.
pub fn float(terms: &Terms, op: FloatOp, operands: &[Term], any: &mut dyn FnMut(u32) -> Term) -> Option<Term> {
    let constants: Option<Vec<Bits>> =
        operands.iter().map(|term| Some(Bits::new(terms.as_const(*term)?, terms.width(*term)))).collect();
    if let FloatOp::Binary(FloatBinOp::Function(function), format) = op
        && !function.is_certain()
    {
        // What libraries agree on, as infinities at poles.
        let bound = |side| {
            let op = FloatOp::Binary(FloatBinOp::Function(function.bound(side)?), format);
            float_operation(op, constants.as_deref()?)
        };
        let (below, above) = (bound(Side::Below)?, bound(Side::Above)?);
        return (below == above).then(|| constant(terms, below));
    }
    if let Some(constants) = constants {
        return Some(constant(terms, float_operation(op, &constants)?));
    }
    if terms.reachable(operands).len() > MOST_OPERAND_TERMS {
        return None;
    }
    let made = circuit(terms, op, operands)?;
    let width = op.result_width();
    let mut value = made.value;
    if let Some(quiet) = quiet_nan(op).filter(|_| !terms.is_false(made.nan)) {
        // C does not say which NaN it is.
        let nan = terms.or(any(width), terms.constant(quiet, width));
        value = terms.ite(made.nan, nan, value);
    }
    if !terms.is_false(made.open) {
        value = terms.ite(made.open, any(width), value);
    }
    Some(value)
}
