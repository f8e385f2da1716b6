//! What evaluating an expression may do, judged from its syntax.

use super::function::Lowerer;
use super::kinds::Kind;
use crate::c::syntax::{BinaryOp, Callee, Expr, ExprKind, Init, Place, PlaceKind, UnaryOp};

/// Up to this many nodes an expression without effects is evaluated whether its value is needed or not.
const CHEAP: usize = 12;

/// A condition with so many comparisons is one value where that is possible, with more of them than that branches again.
const ROW: std::ops::RangeInclusive<usize> = 4..=256;

/// Whether `expr` or a part of it satisfies `what`; parts inside statement expressions are not looked at.
pub fn any<'u>(expr: &'u Expr, what: &mut dyn FnMut(&'u Expr) -> bool) -> bool {
    if what(expr) {
        return true;
    }
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::LabelPlace(_)
        | ExprKind::SizeofVla(_)
        | ExprKind::Unreachable
        | ExprKind::Unsupported(_)
        | ExprKind::Statement { .. } => false,
        ExprKind::Use(place)
        | ExprKind::AddressOf(place)
        | ExprKind::ArrayDecay(place)
        | ExprKind::Increment { place, .. }
        | ExprKind::VaArg(place)
        | ExprKind::VaStart(place)
        | ExprKind::VaEnd(place) => any_in_place(place, what),
        ExprKind::Convert(a) | ExprKind::Unary(_, a) | ExprKind::LogicalNot(a) => any(a, what),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::PointerAdd { pointer: a, index: b, .. }
        | ExprKind::PointerDiff(a, b)
        | ExprKind::LogicalAnd(a, b)
        | ExprKind::LogicalOr(a, b)
        | ExprKind::Comma(a, b) => any(a, what) || any(b, what),
        ExprKind::Conditional { condition, then, otherwise, .. } => {
            any(condition, what) || then.as_ref().is_some_and(|e| any(e, what)) || any(otherwise, what)
        }
        ExprKind::Assign { place, value } | ExprKind::CompoundAssign { place, value, .. } => {
            any_in_place(place, what) || any(value, what)
        }
        ExprKind::Call { callee, args, .. } => {
            matches!(callee, Callee::Indirect(e) if any(e, what)) || args.iter().any(|e| any(e, what))
        }
        ExprKind::VaCopy { to, from } => any_in_place(to, what) || any_in_place(from, what),
        ExprKind::CheckedArithmetic { left, right, result, .. } => {
            any(left, what) || any(right, what) || result.as_ref().is_some_and(|e| any(e, what))
        }
    }
}

pub fn any_in_place<'u>(place: &'u Place, what: &mut dyn FnMut(&'u Expr) -> bool) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Unsupported(_) => false,
        PlaceKind::Deref(e) | PlaceKind::Temporary(e) => any(e, what),
        PlaceKind::Member { base, .. } => any_in_place(base, what),
        PlaceKind::CompoundLiteral { init, .. } => any_in_init(init, what),
    }
}

fn any_in_init<'u>(init: &'u Init, what: &mut dyn FnMut(&'u Expr) -> bool) -> bool {
    match init {
        Init::Expr(e) => any(e, what),
        Init::List(entries) => entries.iter().any(|entry| any_in_init(&entry.value, what)),
        Init::Bytes(_) => false,
    }
}

/// Evaluating `expr` may change a register.
pub fn may_assign(expr: &Expr) -> bool {
    any(expr, &mut |e| {
        matches!(
            e.kind,
            ExprKind::Assign { .. }
                | ExprKind::CompoundAssign { .. }
                | ExprKind::Increment { .. }
                | ExprKind::Statement { .. }
                | ExprKind::VaArg(_)
                | ExprKind::VaStart(_)
                | ExprKind::VaCopy { .. }
        )
    })
}

/// Evaluating `expr` may change a register or memory.
pub fn may_write(expr: &Expr) -> bool {
    may_assign(expr) || any(expr, &mut |e| matches!(e.kind, ExprKind::Call { .. } | ExprKind::CheckedArithmetic { .. }))
}

impl Lowerer<'_, '_> {
    /// No effect, no memory access, no check, and cheap: may be evaluated even where C would not.
    pub fn is_pure(&self, expr: &Expr) -> bool {
        let mut nodes = 0;
        !any(expr, &mut |e| {
            nodes += 1;
            nodes > CHEAP || !self.is_pure_step(e)
        })
    }

    /// A condition of many comparisons that do nothing but look at variables, as programs have them that are tables of events and
    /// states.
    pub fn is_table_row(&self, condition: &Expr) -> bool {
        let mut leaves = 1;
        let reads_variable = |place: &Place| matches!(place.kind, PlaceKind::Local(_) | PlaceKind::Global(_));
        let is_harmful = any(condition, &mut |e| {
            leaves += usize::from(matches!(e.kind, ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..)));
            let is_look = matches!(&e.kind, ExprKind::Use(place) if reads_variable(place));
            !is_look && !self.is_pure_step(e)
        });
        !is_harmful && ROW.contains(&leaves)
    }

    fn is_pure_step(&self, expr: &Expr) -> bool {
        let checked =
            self.builder.options.overflow_checks && matches!(self.kind(expr.ty), Kind::Int { signed: true, .. });
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::LabelPlace(_)
            | ExprKind::Convert(_)
            | ExprKind::Compare(..)
            | ExprKind::PointerAdd { .. }
            | ExprKind::LogicalNot(_)
            | ExprKind::LogicalAnd(..)
            | ExprKind::LogicalOr(..) => true,
            ExprKind::Use(place) => match &place.kind {
                PlaceKind::Local(id) => self.local(*id).is_ok_and(|local| self.is_register(local)),
                _ => false,
            },
            ExprKind::AddressOf(place) | ExprKind::ArrayDecay(place) => is_fixed(place),
            ExprKind::Unary(UnaryOp::Complement, _) => true,
            ExprKind::Unary(UnaryOp::Negate, _) => !checked,
            ExprKind::Binary(op, ..) => match op {
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => !checked,
                BinaryOp::Divide | BinaryOp::Remainder | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => false,
            },
            _ => false,
        }
    }
}

/// The place's address is known without reading anything.
fn is_fixed(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => true,
        PlaceKind::Deref(e) => !matches!(e.kind, ExprKind::Unsupported(_)),
        PlaceKind::Member { base, .. } => is_fixed(base),
        _ => false,
    }
}
