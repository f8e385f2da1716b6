//! Rows: conditions of many comparisons that only look at variables, as programs have them that are tables of events and states. Each
//! is one value, evaluated as far as its parts decide, and a variable is read once for all rows between two writes.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::super::ir::{Expr, Object, Op, Reg, RegDecl};
use super::function::Lowerer;
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{self, ExprKind};
use crate::c::types::TypeId;

/// The registers that hold what is certainly in their variables.
type Held = Rc<BTreeSet<Reg>>;

/// What rows read.
#[derive(Default)]
pub struct Rows {
    /// Variables that rows read, each with its register.
    registers: FxHashMap<(Object, TypeId), Reg>,
    /// On all runs that come to the current location.
    held: Held,
    /// Counts how often `held` had to be given up.
    epoch: u64,
    /// A row is being lowered.
    inside: bool,
}

/// What was held when a branch began.
#[derive(Clone, Copy)]
pub struct Epoch(u64);

impl Rows {
    /// `op` is carried out: variables that it may write are no longer what their registers say.
    pub fn after(&mut self, op: &Op) {
        let keeps = matches!(
            op,
            Op::Skip | Op::Assign { .. } | Op::Load { .. } | Op::Nondet { .. } | Op::Assume(_) | Op::Check { .. }
        );
        if !keeps {
            self.forget();
        }
    }

    /// Nothing is known of how runs come here.
    pub fn forget(&mut self) {
        self.held = Rc::default();
        self.epoch += 1;
    }

    pub fn epoch(&self) -> Epoch {
        Epoch(self.epoch)
    }

    /// What is held now, on all runs since `epoch`.
    pub fn held_since(&self, epoch: Epoch) -> Held {
        if epoch.0 == self.epoch { self.held.clone() } else { Rc::default() }
    }

    pub fn held(&self) -> Held {
        self.held.clone()
    }

    /// All runs come here by one edge, behind which `held` holds.
    pub fn hold(&mut self, held: Held) {
        self.held = held;
    }
}

impl<'u> Lowerer<'_, 'u> {
    /// The one-bit value of a row.
    pub fn row(&mut self, condition: &'u syntax::Expr) -> Result<Expr> {
        let outside = std::mem::replace(&mut self.rows.inside, true);
        let value = self.joined(condition);
        self.rows.inside = outside;
        value
    }

    fn joined(&mut self, condition: &'u syntax::Expr) -> Result<Expr> {
        let is_and = match &condition.kind {
            ExprKind::LogicalAnd(..) => true,
            ExprKind::LogicalOr(..) => false,
            ExprKind::LogicalNot(inner) => return Ok(self.joined(inner)?.negated()),
            _ => return self.truth(condition),
        };
        // The first part is the first to be looked at, and often the last.
        let mut rest = condition;
        let mut parts = Vec::new();
        while let (ExprKind::LogicalAnd(left, right), true) | (ExprKind::LogicalOr(left, right), false) =
            (&rest.kind, is_and)
        {
            parts.push(right);
            rest = left;
        }
        let mut values = vec![self.joined(rest)?];
        for part in parts.into_iter().rev() {
            values.push(self.joined(part)?);
        }
        let last = values.pop().unwrap_or_else(|| Expr::truth(is_and));
        Ok(values.into_iter().rev().fold(last, |rest, part| match is_and {
            true => Expr::ite(part, rest, Expr::truth(false)),
            false => Expr::ite(part, Expr::truth(true), rest),
        }))
    }

    /// The value of the variable at `address`, if a row reads it.
    pub fn row_variable(&mut self, address: &Expr, ty: TypeId, span: Span) -> Result<Option<Expr>> {
        let Expr::Address(object, _) = address else { return Ok(None) };
        if !self.rows.inside {
            return Ok(None);
        }
        let width = self.width(ty, span)?;
        let reg = match self.rows.registers.get(&(*object, ty)) {
            Some(reg) => *reg,
            None => {
                let reg = Reg::from_index(self.regs.len());
                let (c_type, signed) = (self.builder.type_name(self.unit_id, ty), self.kind(ty).is_signed());
                self.regs.push(RegDecl { name: None, width, c_type, signed, scope: None });
                self.rows.registers.insert((*object, ty), reg);
                reg
            }
        };
        if !self.rows.held.contains(&reg) {
            self.emit(Op::Load { dst: reg, addr: address.clone() });
            Rc::make_mut(&mut self.rows.held).insert(reg);
        }
        Ok(Some(Expr::Reg(reg, width)))
    }
}
