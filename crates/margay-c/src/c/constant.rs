//! Evaluation of constant expressions, on typed syntax.

use rustc_apfloat::ieee::{Double, Quad, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert as _};

use super::syntax::{BinaryOp, CompareOp, Expr, ExprKind, Place, PlaceKind, UnaryOp};
use super::types::{FloatKind, IntKind, Type, TypeId, Types};

/// A constant; floating ones only as far as `double` carries them exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of an integer, enumeration or pointer type: within its range.
    Int(i128),
    /// Of a real floating type.
    Float(f64),
}

/// The value of an integer constant expression (also of what gcc folds: casts of floating constants, `offsetof` by
/// hand), `None` when it is not constant or its value is undefined.
pub fn eval_int(types: &Types, e: &Expr) -> Option<i128> {
    match eval(types, e)? {
        Value::Int(value) => Some(value),
        Value::Float(_) => None,
    }
}

/// The value of an arithmetic constant expression.
pub fn eval(types: &Types, e: &Expr) -> Option<Value> {
    Evaluator { types }.eval(e)
}

/// `value` brought into the range of an integer type of `bits` bits.
pub fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    let unused = u128::BITS.saturating_sub(bits);
    // All 128 bits are kept as a signed number.
    if signed || unused == 0 { (value << unused) >> unused } else { (((value as u128) << unused) >> unused) as i128 }
}

/// An integer value as a value of integer type `ty`; `None` for other types.
pub fn int_in_type(types: &Types, value: i128, ty: TypeId) -> Option<i128> {
    match types.int_kind(ty)? {
        IntKind::Bool => Some(i128::from(value != 0)),
        kind => Some(wrap(value, kind.size(types.model) * 8, kind.is_signed())),
    }
}

struct Evaluator<'t> {
    types: &'t Types,
}

impl Evaluator<'_> {
    fn fit(&self, value: i128, ty: TypeId) -> Option<Value> {
        if matches!(self.types.get(ty), Type::Pointer(_)) {
            return Some(Value::Int(wrap(value, self.types.model.pointer_bits(), false)));
        }
        int_in_type(self.types, value, ty).map(Value::Int)
    }

    fn eval(&self, e: &Expr) -> Option<Value> {
        match &e.kind {
            ExprKind::Int(value) => Some(Value::Int(*value)),
            ExprKind::Float(bits) => self.float_value(*bits, e.ty).map(Value::Float),
            ExprKind::Convert(inner) => self.eval_convert(self.eval(inner)?, inner.ty, e.ty),
            ExprKind::Unary(op, inner) => match (op, self.eval(inner)?) {
                (UnaryOp::Negate, Value::Int(value)) => self.fit(value.wrapping_neg(), e.ty),
                (UnaryOp::Negate, Value::Float(value)) => Some(Value::Float(-value)),
                (UnaryOp::Complement, Value::Int(value)) => self.fit(!value, e.ty),
                (UnaryOp::Complement, Value::Float(_)) => None,
            },
            ExprKind::Binary(op, left, right) => self.eval_binary(*op, self.eval(left)?, self.eval(right)?, e.ty),
            ExprKind::Compare(op, left, right) => {
                let order = match (self.eval(left)?, self.eval(right)?) {
                    (Value::Int(a), Value::Int(b)) => Some(self.order(a, b, left.ty)),
                    (Value::Float(a), Value::Float(b)) => a.partial_cmp(&b),
                    _ => return None,
                };
                Some(Value::Int(i128::from(holds(*op, order))))
            }
            ExprKind::LogicalNot(inner) => Some(Value::Int(i128::from(!truth(self.eval(inner)?)))),
            ExprKind::LogicalAnd(left, right) => {
                if !truth(self.eval(left)?) {
                    return Some(Value::Int(0));
                }
                Some(Value::Int(i128::from(truth(self.eval(right)?))))
            }
            ExprKind::LogicalOr(left, right) => {
                if truth(self.eval(left)?) {
                    return Some(Value::Int(1));
                }
                Some(Value::Int(i128::from(truth(self.eval(right)?))))
            }
            ExprKind::Conditional { condition, then, otherwise, .. } => {
                let value = self.eval(condition)?;
                match (truth(value), then) {
                    (true, Some(then)) => self.eval(then),
                    (true, None) => self.eval_convert(value, condition.ty, e.ty),
                    (false, _) => self.eval(otherwise),
                }
            }
            ExprKind::Comma(_, _) => None,
            // `&((struct S *)0)->member` and `&array[3]` on a constant address.
            ExprKind::AddressOf(place) | ExprKind::ArrayDecay(place) => {
                self.place_offset(place).and_then(|v| self.fit(v, e.ty))
            }
            ExprKind::PointerAdd { pointer, index, subtract } => {
                let Value::Int(base) = self.eval(pointer)? else { return None };
                let Value::Int(index) = self.eval(index)? else { return None };
                let Type::Pointer(target) = self.types.get(e.ty) else { return None };
                let stride = i128::from(self.types.stride_of(*target)?);
                let step = index.checked_mul(stride)?;
                self.fit(if *subtract { base.wrapping_sub(step) } else { base.wrapping_add(step) }, e.ty)
            }
            ExprKind::PointerDiff(left, right) => {
                let (Value::Int(a), Value::Int(b)) = (self.eval(left)?, self.eval(right)?) else { return None };
                let Type::Pointer(target) = self.types.get(left.ty) else { return None };
                let stride = i128::from(self.types.stride_of(*target)?);
                self.fit((a - b).checked_div(stride)?, e.ty)
            }
            _ => None,
        }
    }

    /// The address of a place below a constant pointer.
    fn place_offset(&self, place: &Place) -> Option<i128> {
        match &place.kind {
            PlaceKind::Deref(pointer) => match self.eval(pointer)? {
                Value::Int(value) => Some(value),
                Value::Float(_) => None,
            },
            PlaceKind::Member { base, field } => {
                let layout = self.types.layout_of(base.ty).filter(|layout| layout.variable.is_none())?;
                Some(self.place_offset(base)? + i128::from(layout.fields.get(*field as usize)?.offset))
            }
            _ => None,
        }
    }

    fn eval_convert(&self, value: Value, from: TypeId, ty: TypeId) -> Option<Value> {
        match (value, self.types.get(ty)) {
            // Values of unsigned 128-bit type above the signed range are kept as negative numbers.
            (Value::Int(value), Type::Float(_)) if value < 0 && self.types.int_kind(from) == Some(IntKind::UInt128) => {
                None
            }
            (Value::Int(value), Type::Float(kind)) => match kind {
                FloatKind::Single => Some(Value::Float(f64::from(value as f32))),
                FloatKind::Double => Some(Value::Float(value as f64)),
                // As far as `double` carries it exactly.
                _ if (value as f64) as i128 == value => self.round(value as f64, *kind).map(Value::Float),
                _ => None,
            },
            (Value::Float(value), Type::Float(kind)) => self.round(value, *kind).map(Value::Float),
            (Value::Int(value), _) => self.fit(value, ty),
            (Value::Float(value), Type::Int(IntKind::Bool)) => Some(Value::Int(i128::from(value != 0.0))),
            (Value::Float(value), _) => {
                // Out of range is undefined: no constant.
                let truncated = value.trunc() as i128;
                let exact = value.is_finite() && truncated as f64 == value.trunc() && truncated != i128::MAX;
                (exact && int_in_type(self.types, truncated, ty)? == truncated).then_some(Value::Int(truncated))
            }
        }
    }

    fn round(&self, value: f64, kind: FloatKind) -> Option<f64> {
        match kind {
            FloatKind::Single => Some(f64::from(value as f32)),
            FloatKind::Double => Some(value),
            // Wider formats: exact for what fits a double; narrower ones are not folded.
            FloatKind::Extended | FloatKind::Quad => Some(value),
            FloatKind::Half => None,
        }
    }

    fn float_value(&self, bits: u128, ty: TypeId) -> Option<f64> {
        match self.types.get(ty) {
            Type::Float(FloatKind::Single) => Some(f64::from(f32::from_bits(bits as u32))),
            Type::Float(FloatKind::Double) => Some(f64::from_bits(bits as u64)),
            Type::Float(kind @ (FloatKind::Extended | FloatKind::Quad)) => narrow_to_double(bits, *kind),
            _ => None,
        }
    }

    fn order(&self, a: i128, b: i128, ty: TypeId) -> std::cmp::Ordering {
        // Values of unsigned 128-bit type above the signed range are kept as negative numbers.
        match self.types.int_kind(ty) {
            Some(IntKind::UInt128) => (a as u128).cmp(&(b as u128)),
            _ => a.cmp(&b),
        }
    }

    fn eval_binary(&self, op: BinaryOp, left: Value, right: Value, ty: TypeId) -> Option<Value> {
        let (a, b) = match (left, right) {
            (Value::Int(a), Value::Int(b)) => (a, b),
            (Value::Float(a), Value::Float(b)) => {
                let Type::Float(kind) = self.types.get(ty) else { return None };
                if matches!(kind, FloatKind::Extended | FloatKind::Quad) {
                    return None;
                }
                let value = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Subtract => a - b,
                    BinaryOp::Multiply => a * b,
                    BinaryOp::Divide => a / b,
                    _ => return None,
                };
                return self.round(value, *kind).map(Value::Float);
            }
            _ => return None,
        };
        let bits = i128::from(self.types.bits_of(ty)?);
        let unsigned_wide = self.types.int_kind(ty) == Some(IntKind::UInt128);
        let value = match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Subtract => a.wrapping_sub(b),
            BinaryOp::Multiply => a.wrapping_mul(b),
            BinaryOp::Divide if unsigned_wide => (a as u128).checked_div(b as u128)? as i128,
            BinaryOp::Remainder if unsigned_wide => (a as u128).checked_rem(b as u128)? as i128,
            BinaryOp::Divide => a.checked_div(b)?,
            BinaryOp::Remainder => a.checked_rem(b)?,
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
            BinaryOp::ShiftLeft if (0..bits).contains(&b) => a.checked_shl(b as u32)?,
            BinaryOp::ShiftRight if (0..bits).contains(&b) && unsigned_wide => ((a as u128) >> b) as i128,
            BinaryOp::ShiftRight if (0..bits).contains(&b) => a >> b,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return None,
        };
        self.fit(value, ty)
    }
}

/// The double nearest to a wider constant.
fn narrow_to_double(bits: u128, kind: FloatKind) -> Option<f64> {
    let mut lost = false;
    let double: Double = match kind {
        FloatKind::Extended => X87DoubleExtended::from_bits(bits).convert(&mut lost).value,
        FloatKind::Quad => Quad::from_bits(bits).convert(&mut lost).value,
        _ => return None,
    };
    Some(f64::from_bits(double.to_bits() as u64))
}

fn truth(value: Value) -> bool {
    match value {
        Value::Int(value) => value != 0,
        Value::Float(value) => value != 0.0,
    }
}

fn holds(op: CompareOp, order: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::*;
    match op {
        CompareOp::Equal => order == Some(Equal),
        CompareOp::NotEqual => order != Some(Equal),
        CompareOp::Less => order == Some(Less),
        CompareOp::LessEqual => matches!(order, Some(Less | Equal)),
        CompareOp::Greater => order == Some(Greater),
        CompareOp::GreaterEqual => matches!(order, Some(Greater | Equal)),
    }
}
