//! Conditions: as branches, and as one-bit values.

use super::super::ir::{BinOp, Expr, FloatCmp, Loc, Note, Op};
use super::function::Lowerer;
use super::kinds::Kind;
use crate::base::error::Result;
use crate::c::syntax::{self, CompareOp, ExprKind};
use crate::c::types::TypeId;

/// Where one side of a branch goes, and what its last edge says.
pub type Side = (Loc, Note);

impl<'u> Lowerer<'_, 'u> {
    /// Ends the current path with edges to `yes` where `condition` holds and to `no` where it does not. Operators that
    /// short-circuit become branches of their own, but for long conditions that only look at variables: there each of them would
    /// be a place where runs meet. A condition that is constant as a whole leaves no guard behind.
    pub fn branch(&mut self, condition: &'u syntax::Expr, yes: Side, no: Side) -> Result<()> {
        match &condition.kind {
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) if self.is_table_row(condition) => {
                let holds = self.row(condition)?;
                self.split(holds, yes, no);
                Ok(())
            }
            ExprKind::LogicalNot(inner) => self.branch(inner, no, yes),
            ExprKind::LogicalAnd(left, right) => {
                let middle = self.new_loc();
                self.branch(left, (middle, Note::None), no)?;
                self.resume(middle);
                self.branch(right, yes, no)
            }
            ExprKind::LogicalOr(left, right) => {
                let middle = self.new_loc();
                self.branch(left, yes, (middle, Note::None))?;
                self.resume(middle);
                self.branch(right, yes, no)
            }
            ExprKind::Convert(inner) if self.keeps_truth(inner.ty, condition.ty) => self.branch(inner, yes, no),
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.branch(second, yes, no)
            }
            ExprKind::Conditional { condition: choice, then: Some(then), otherwise, question } => {
                let (left, right) = (self.new_loc(), self.new_loc());
                let note = |taken| Note::Branch { at: *question, taken };
                self.branch(choice, (left, note(true)), (right, note(false)))?;
                self.resume(left);
                self.branch(then, yes, no)?;
                self.resume(right);
                self.branch(otherwise, yes, no)
            }
            ExprKind::Call { callee, args, .. } if self.is_transparent(callee, args) => self.branch(&args[0], yes, no),
            _ => {
                let holds = self.truth(condition)?;
                self.split(holds, yes, no);
                Ok(())
            }
        }
    }

    /// Ends the current path with the two guards of a computed condition.
    pub fn split(&mut self, holds: Expr, yes: Side, no: Side) {
        if let Some(bits) = holds.as_const() {
            let (to, note) = if bits.value == 1 { yes } else { no };
            self.goto_noted(to, if self.has_landmarks() { note } else { Note::None });
        } else if let Some(at) = self.current.take() {
            self.edge(at, Op::Assume(holds.clone()), yes.0, yes.1);
            self.edge(at, Op::Assume(holds.negated()), no.0, no.1);
        }
    }

    /// The one-bit value of a condition.
    pub fn truth(&mut self, condition: &'u syntax::Expr) -> Result<Expr> {
        match &condition.kind {
            ExprKind::LogicalNot(inner) => Ok(self.truth(inner)?.negated()),
            ExprKind::Compare(op, left, right) => self.compare(*op, left, right),
            ExprKind::LogicalAnd(left, right) | ExprKind::LogicalOr(left, right) => {
                if self.is_pure(right) {
                    let op = if matches!(condition.kind, ExprKind::LogicalAnd(..)) { BinOp::And } else { BinOp::Or };
                    let left = self.truth(left)?;
                    let right = self.truth(right)?;
                    return Ok(Expr::binary(op, left, right));
                }
                self.truth_by_branching(condition)
            }
            ExprKind::Convert(inner) if self.keeps_truth(inner.ty, condition.ty) => self.truth(inner),
            ExprKind::Call { callee, args, .. } if self.is_transparent(callee, args) => self.truth(&args[0]),
            _ => {
                let value = self.rvalue(condition)?;
                Ok(self.nonzero(value, condition.ty))
            }
        }
    }

    fn truth_by_branching(&mut self, condition: &'u syntax::Expr) -> Result<Expr> {
        let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        let dst = self.raw_temp(1);
        self.branch(condition, (yes, Note::None), (no, Note::None))?;
        for (side, value) in [(yes, true), (no, false)] {
            self.resume(side);
            self.emit(Op::Assign { dst, value: Expr::truth(value) });
            self.goto(end);
        }
        self.resume(end);
        Ok(Expr::Reg(dst, 1))
    }

    /// `value != 0` in the sense of its type.
    pub fn nonzero(&mut self, value: Expr, ty: TypeId) -> Expr {
        match self.kind(ty) {
            Kind::Float(format) => {
                let zero = Expr::constant(0, format.bits());
                Expr::FloatCompare(FloatCmp::Ne, format, Box::new(value), Box::new(zero))
            }
            _ => value.is_nonzero(),
        }
    }

    /// A conversion that maps zero to zero and nothing else to it.
    fn keeps_truth(&self, from: TypeId, to: TypeId) -> bool {
        match (self.kind(from), self.kind(to)) {
            (Kind::Int { .. } | Kind::Pointer { .. } | Kind::Float(_), Kind::Int { bool: true, .. }) => true,
            (
                Kind::Int { width: a, .. } | Kind::Pointer { width: a },
                Kind::Int { width: b, .. } | Kind::Pointer { width: b },
            ) => a <= b,
            _ => false,
        }
    }

    fn compare(&mut self, op: CompareOp, left: &'u syntax::Expr, right: &'u syntax::Expr) -> Result<Expr> {
        let kind = self.kind(left.ty);
        let (left, right) = self.operands(left, right)?;
        use CompareOp::*;
        if let Kind::Float(format) = kind {
            let (op, left, right) = match op {
                Equal => (FloatCmp::Eq, left, right),
                NotEqual => (FloatCmp::Ne, left, right),
                Less => (FloatCmp::Lt, left, right),
                LessEqual => (FloatCmp::Le, left, right),
                Greater => (FloatCmp::Lt, right, left),
                GreaterEqual => (FloatCmp::Le, right, left),
            };
            return Ok(Expr::FloatCompare(op, format, Box::new(left), Box::new(right)));
        }
        let (less, less_equal) = if kind.is_signed() { (BinOp::Slt, BinOp::Sle) } else { (BinOp::Ult, BinOp::Ule) };
        Ok(match op {
            Equal => Expr::binary(BinOp::Eq, left, right),
            NotEqual => Expr::binary(BinOp::Ne, left, right),
            Less => Expr::binary(less, left, right),
            LessEqual => Expr::binary(less_equal, left, right),
            Greater => Expr::binary(less, right, left),
            GreaterEqual => Expr::binary(less_equal, right, left),
        })
    }
}
