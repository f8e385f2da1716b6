//! A walk over typed syntax: every expression of a function once.

use crate::c::syntax::{Callee, Expr, ExprKind, Init, Place, PlaceKind, Stmt, StmtKind};

/// Receives what a walk finds in a function's text.
pub trait Visitor {
    /// Each expression, outer ones first.
    fn expr(&mut self, expr: &Expr);
    /// A variable comes into being with a value.
    fn declared(&mut self, local: crate::c::syntax::LocalId, value: &Expr);
    /// The function returns a value.
    fn returned(&mut self, value: &Expr);
    /// A value is compared against zero.
    fn condition(&mut self, value: &Expr);
}

/// Visits all statements.
pub fn statements(block: &[Stmt], to: &mut dyn Visitor) {
    block.iter().for_each(|stmt| statement(stmt, to));
}

fn statement(stmt: &Stmt, to: &mut dyn Visitor) {
    match &stmt.kind {
        StmtKind::Expr(value) | StmtKind::GotoComputed(value) | StmtKind::VlaLength { length: value, .. } => {
            expr(value, to);
        }
        StmtKind::Block(block) => statements(block, to),
        StmtKind::Declare { local, init } => {
            if let Some(Init::Expr(value)) = init {
                to.declared(*local, value);
            }
            if let Some(init) = init {
                initialiser(init, to);
            }
        }
        StmtKind::If { condition, then, otherwise } => {
            tested(condition, to);
            statement(then, to);
            if let Some(otherwise) = otherwise {
                statement(otherwise, to);
            }
        }
        StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition, .. } => {
            tested(condition, to);
            statement(body, to);
        }
        StmtKind::For { init, condition, step, body } => {
            statements(init, to);
            if let Some(condition) = condition {
                tested(condition, to);
            }
            if let Some(step) = step {
                expr(step, to);
            }
            statement(body, to);
        }
        StmtKind::Switch { value, body } => {
            expr(value, to);
            statement(body, to);
        }
        StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => statement(body, to),
        StmtKind::Return(Some(value)) => {
            to.returned(value);
            expr(value, to);
        }
        StmtKind::Cleanup { call, .. } => expr(call, to),
        StmtKind::Asm { outputs, inputs, .. } => {
            outputs.iter().for_each(|output| place(output, to));
            inputs.iter().for_each(|input| expr(input, to));
        }
        StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) | StmtKind::Empty => {}
    }
}

fn tested(condition: &Expr, to: &mut dyn Visitor) {
    to.condition(condition);
    expr(condition, to);
}

fn initialiser(init: &Init, to: &mut dyn Visitor) {
    match init {
        Init::Expr(value) => expr(value, to),
        Init::List(entries) => entries.iter().for_each(|entry| initialiser(&entry.value, to)),
        Init::Bytes(_) => {}
    }
}

fn place(at: &Place, to: &mut dyn Visitor) {
    match &at.kind {
        PlaceKind::Deref(pointer) | PlaceKind::Temporary(pointer) => expr(pointer, to),
        PlaceKind::Member { base, .. } => place(base, to),
        PlaceKind::CompoundLiteral { init, .. } => initialiser(init, to),
        PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Unsupported(_) => {}
    }
}

fn expr(value: &Expr, to: &mut dyn Visitor) {
    to.expr(value);
    match &value.kind {
        ExprKind::Use(at)
        | ExprKind::AddressOf(at)
        | ExprKind::ArrayDecay(at)
        | ExprKind::Increment { place: at, .. }
        | ExprKind::VaArg(at)
        | ExprKind::VaStart(at)
        | ExprKind::VaEnd(at) => place(at, to),
        ExprKind::Convert(a) | ExprKind::Unary(_, a) => expr(a, to),
        ExprKind::LogicalNot(a) => tested(a, to),
        ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
            tested(a, to);
            tested(b, to);
        }
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::PointerAdd { pointer: a, index: b, .. }
        | ExprKind::PointerDiff(a, b)
        | ExprKind::Comma(a, b) => {
            expr(a, to);
            expr(b, to);
        }
        ExprKind::Conditional { condition, then, otherwise, .. } => {
            tested(condition, to);
            if let Some(then) = then {
                expr(then, to);
            }
            expr(otherwise, to);
        }
        ExprKind::Assign { place: at, value } | ExprKind::CompoundAssign { place: at, value, .. } => {
            place(at, to);
            expr(value, to);
        }
        ExprKind::Call { callee, args, .. } => {
            if let Callee::Indirect(callee) = callee {
                expr(callee, to);
            }
            args.iter().for_each(|arg| expr(arg, to));
        }
        ExprKind::Statement { block, result } => {
            statements(block, to);
            if let Some(result) = result {
                expr(result, to);
            }
        }
        ExprKind::VaCopy { to: target, from } => {
            place(target, to);
            place(from, to);
        }
        ExprKind::CheckedArithmetic { left, right, result, .. } => {
            expr(left, to);
            expr(right, to);
            if let Some(result) = result {
                expr(result, to);
            }
        }
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::LabelPlace(_)
        | ExprKind::SizeofVla(_)
        | ExprKind::Unreachable
        | ExprKind::Unsupported(_) => {}
    }
}
