//! Expressions as values.

use super::super::ir::{
    BinOp, Expr, FloatCmp, FloatConversion, FloatUnOp, HaltKind, NondetKind, Note, Object, Op, UnOp,
};
use super::super::library::Known;
use super::Target;
use super::function::Lowerer;
use super::kinds::Kind;
use super::order::Siblings;
use super::places::Lvalue;
use super::purity;
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{self, ExprKind, UnaryOp};
use crate::c::types::{Type, TypeId};

impl<'u> Lowerer<'_, 'u> {
    /// Evaluates for the effects only.
    pub fn effect(&mut self, expr: &'u syntax::Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Convert(inner) => self.effect(inner),
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.effect(second)
            }
            ExprKind::Assign { place, value } => self.assign(place, value).map(drop),
            ExprKind::CompoundAssign { op, place, value, compute } => {
                self.compound_assign(expr, *op, place, value, *compute).map(drop)
            }
            ExprKind::Increment { place, decrement, .. } => {
                self.increment(place, *decrement, false, expr.span).map(drop)
            }
            ExprKind::Call { callee, args, close } => self.call(expr, callee, args, *close, false).map(drop),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) if !self.is_pure(expr) => {
                let end = self.new_loc();
                self.branch(expr, (end, Note::None), (end, Note::None))?;
                self.resume(end);
                Ok(())
            }
            ExprKind::Conditional { condition, then, otherwise, question }
                if matches!(self.kind(expr.ty), Kind::Void) || !self.is_pure(expr) =>
            {
                self.conditional_effect(condition, then.as_deref(), otherwise, *question)
            }
            ExprKind::Statement { block, result } if self.body.is_some() => {
                let outer = self.scope;
                self.open_scope(block)?;
                self.within_expression(|lowerer| block.iter().try_for_each(|stmt| lowerer.statement(stmt)))?;
                if let Some(result) = result {
                    self.span = result.span;
                    self.effect(result)?;
                }
                self.close_scopes(outer)
            }
            ExprKind::Use(place) if self.kind(place.ty) == Kind::Other => self.place(place).map(drop),
            _ => self.rvalue(expr).map(drop),
        }
    }

    fn conditional_effect(
        &mut self,
        condition: &'u syntax::Expr,
        then: Option<&'u syntax::Expr>,
        otherwise: &'u syntax::Expr,
        question: u32,
    ) -> Result<()> {
        let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        let note = |taken| Note::Branch { at: question, taken };
        self.branch(condition, (yes, note(true)), (no, note(false)))?;
        self.resume(yes);
        if let Some(then) = then {
            self.effect(then)?;
        }
        self.goto(end);
        self.resume(no);
        self.effect(otherwise)?;
        self.goto(end);
        self.resume(end);
        Ok(())
    }

    /// What stands for a value that does not exist (`void`).
    fn no_value(&self) -> Expr {
        Expr::constant(0, 8)
    }

    /// The value; of a record: the address of an object that holds it.
    pub fn rvalue(&mut self, expr: &'u syntax::Expr) -> Result<Expr> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Expr::constant(*value as u128, self.width(expr.ty, expr.span)?)),
            ExprKind::Float(bits) => Ok(Expr::constant(*bits, self.width(expr.ty, expr.span)?)),
            ExprKind::Use(place) => {
                let lvalue = self.place(place)?;
                self.load(&lvalue, expr.ty, expr.span)
            }
            ExprKind::AddressOf(place) | ExprKind::ArrayDecay(place) => {
                let lvalue = self.place(place)?;
                self.address_of(&lvalue, expr.span)
            }
            ExprKind::FunctionAddress(id) if self.builder.may_be_absent(self.unit_id, *id)? => {
                let id = self.builder.canonical(self.unit_id, *id)?;
                let name = &self.unit.functions[id.index()].name;
                let global = self.builder.absent_function(name, expr.span);
                let dst = self.raw_temp(self.pointer_bits());
                self.emit(Op::Load { dst, addr: Expr::Address(Object::Global(global), self.pointer_bits()) });
                Ok(Expr::Reg(dst, self.pointer_bits()))
            }
            ExprKind::FunctionAddress(id) => {
                let target = self.builder.resolve(self.unit_id, *id)?;
                let function = match self.open_stub(*id, target, expr.span)? {
                    Some(stub) => stub.id,
                    None => {
                        if let Target::Known(Known::Unsupported) = target {
                            let name = &self.unit.functions[id.index()].name;
                            self.refuse(format!("the library function `{name}`"), expr.span)?;
                        }
                        self.builder.addressed_function(self.unit_id, *id)?
                    }
                };
                Ok(Expr::Address(Object::Function(function), self.pointer_bits()))
            }
            ExprKind::LabelAddress(label) => Ok(self.label_value(*label)),
            ExprKind::LabelPlace(label) => Ok(self.label_place(*label)),
            ExprKind::Convert(inner) => {
                if self.kind(expr.ty) == Kind::Void {
                    self.effect(inner)?;
                    return Ok(self.no_value());
                }
                let value = self.rvalue(inner)?;
                self.convert(value, inner.ty, expr.ty, expr.span)
            }
            ExprKind::Unary(op, operand) => {
                let value = self.rvalue(operand)?;
                Ok(self.unary(*op, value, expr.ty))
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = self.operands(left, right)?;
                self.arithmetic(*op, a, (b, right.ty), expr.ty, expr.span)
            }
            ExprKind::Compare(..) | ExprKind::LogicalNot(_) | ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => {
                let width = self.width(expr.ty, expr.span)?;
                Ok(self.truth(expr)?.resized(width, false))
            }
            ExprKind::PointerAdd { pointer, index, subtract } => {
                let (base, steps) = self.operands(pointer, index)?;
                self.offset_pointer(base, pointer.ty, (steps, index.ty), *subtract, expr.span)
            }
            ExprKind::PointerDiff(left, right) => {
                let (a, b) = self.operands(left, right)?;
                let stride = self.stride(left.ty, expr.span)?;
                let bytes = Expr::binary(BinOp::Sub, a, b);
                Ok(match stride.as_const() {
                    Some(bits) if bits.value <= 1 => bytes,
                    _ => Expr::binary(BinOp::SDiv, bytes, stride),
                })
            }
            ExprKind::Conditional { condition, then, otherwise, question } => {
                self.conditional(expr, condition, then.as_deref(), otherwise, *question)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.rvalue(second)
            }
            ExprKind::Assign { place, value } => {
                let (lvalue, value) = self.assign(place, value)?;
                Ok(self.stored_value(&lvalue, value, place.ty))
            }
            ExprKind::CompoundAssign { op, place, value, compute } => {
                let (lvalue, value) = self.compound_assign(expr, *op, place, value, *compute)?;
                Ok(self.stored_value(&lvalue, value, place.ty))
            }
            ExprKind::Increment { place, decrement, postfix } => {
                let (lvalue, old, new) = self.increment(place, *decrement, *postfix, expr.span)?;
                Ok(if *postfix { old } else { self.stored_value(&lvalue, new, place.ty) })
            }
            ExprKind::Call { callee, args, close } => {
                let value = self.call(expr, callee, args, *close, true)?;
                self.call_value(value, expr)
            }
            ExprKind::Statement { block, result } => self.statement_expression(block, result.as_deref(), expr),
            ExprKind::VaArg(list) => self.next_vararg(list, expr.ty, expr.span),
            ExprKind::VaStart(list) => {
                let lvalue = self.place(list)?;
                match self.varargs {
                    Some(area) => self.store(&lvalue, Expr::Reg(area, self.pointer_bits()), list.ty, list.span)?,
                    None => self.refuse("`va_start` in a function without `...`", expr.span)?,
                }
                Ok(self.no_value())
            }
            ExprKind::VaEnd(list) => {
                self.place(list)?;
                Ok(self.no_value())
            }
            ExprKind::VaCopy { to, from } => {
                let (to_place, from_place) = (self.place(to)?, self.place(from)?);
                let value = self.load(&from_place, from.ty, from.span)?;
                self.store(&to_place, value, to.ty, to.span)?;
                Ok(self.no_value())
            }
            ExprKind::SizeofVla(ty) => {
                let size = self.size_value(*ty, expr.span)?;
                let width = self.width(expr.ty, expr.span)?;
                Ok(size.resized(width, false))
            }
            ExprKind::CheckedArithmetic { op, left, right, result, result_type } => {
                self.checked_arithmetic(*op, left, right, result.as_deref(), *result_type, expr)
            }
            ExprKind::Unreachable => {
                self.end(Op::Halt(HaltKind::Vanish));
                Ok(self.no_value())
            }
            ExprKind::Unsupported(what) => {
                self.refuse(&**what, expr.span)?;
                Ok(Expr::constant(0, self.kind(expr.ty).width().unwrap_or(8)))
            }
        }
    }

    /// What a call yielded, as wide as its type is: a declaration may say something else of a library function than is true.
    fn call_value(&mut self, value: Option<Expr>, call: &syntax::Expr) -> Result<Expr> {
        let kind = self.kind(call.ty);
        let width = if kind == Kind::Record { Some(self.pointer_bits()) } else { kind.width() };
        match (value, width) {
            (Some(value), Some(width)) => Ok(value.resized(width, false)),
            (None, Some(width)) if kind == Kind::Record => {
                self.refuse("the result of a function that returns none", call.span)?;
                Ok(Expr::constant(0, width))
            }
            (None, Some(width)) if self.current.is_some() => Ok(self.nondet(width, NondetKind::Uninitialised)),
            // The path ended in the call.
            (None, Some(width)) => Ok(Expr::constant(0, width)),
            (_, None) => Ok(self.no_value()),
        }
    }

    /// Both values, left first; the left one is kept from assignments in the right one.
    pub fn operands(&mut self, left: &'u syntax::Expr, right: &'u syntax::Expr) -> Result<(Expr, Expr)> {
        if let Some(values) = self.in_any_order(&Siblings::Operands([left, right]))?
            && let [a, b] = &values[..]
        {
            return Ok((a.clone(), b.clone()));
        }
        let mut a = self.rvalue(left)?;
        if purity::may_assign(right) {
            a = self.detached(a);
        }
        let b = self.rvalue(right)?;
        Ok((a, b))
    }

    fn unary(&mut self, op: UnaryOp, value: Expr, ty: TypeId) -> Expr {
        match (op, self.kind(ty)) {
            (UnaryOp::Negate, Kind::Float(format)) => Expr::FloatUnary(FloatUnOp::Neg, format, Box::new(value)),
            (UnaryOp::Negate, kind) => {
                let value = if self.checks(kind) { self.reusable(value) } else { value };
                self.check_negation(&value, kind);
                Expr::unary(UnOp::Neg, value)
            }
            (UnaryOp::Complement, _) => Expr::unary(UnOp::Not, value),
        }
    }

    /// The C conversion of `value` between scalar types.
    pub fn convert(&mut self, value: Expr, from: TypeId, to: TypeId, span: Span) -> Result<Expr> {
        let (source, target) = (self.kind(from), self.kind(to));
        let boxed = Box::new;
        Ok(match (source, target) {
            (Kind::Record, Kind::Record) => value,
            (_, Kind::Void) => self.no_value(),
            (Kind::Float(format), Kind::Int { width, bool: true, .. }) => {
                let zero = Expr::constant(0, format.bits());
                Expr::FloatCompare(FloatCmp::Ne, format, boxed(value), boxed(zero)).resized(width, false)
            }
            (_, Kind::Int { width, bool: true, .. }) => value.is_nonzero().resized(width, false),
            (Kind::Int { signed, .. }, Kind::Int { width, .. } | Kind::Pointer { width }) => {
                value.resized(width, signed)
            }
            (Kind::Pointer { .. }, Kind::Int { width, .. } | Kind::Pointer { width }) => value.resized(width, false),
            (Kind::Int { signed, .. }, Kind::Float(to)) => {
                Expr::FloatConvert(FloatConversion::FromInt { to, signed }, boxed(value))
            }
            (Kind::Float(from), Kind::Int { width, signed, .. }) => {
                Expr::FloatConvert(FloatConversion::ToInt { from, width, signed }, boxed(value))
            }
            (Kind::Float(from), Kind::Float(to)) if from == to => value,
            (Kind::Float(from), Kind::Float(to)) => {
                Expr::FloatConvert(FloatConversion::Between { from, to }, boxed(value))
            }
            _ => {
                let (from, to) = (self.types.display(from), self.types.display(to));
                self.refuse(format!("a conversion from `{from}` to `{to}`"), span)?;
                Expr::constant(0, target.width().unwrap_or(8))
            }
        })
    }

    fn conditional(
        &mut self,
        expr: &'u syntax::Expr,
        condition: &'u syntax::Expr,
        then: Option<&'u syntax::Expr>,
        otherwise: &'u syntax::Expr,
        question: u32,
    ) -> Result<Expr> {
        if self.kind(expr.ty) == Kind::Void {
            self.conditional_effect(condition, then, otherwise, question)?;
            return Ok(self.no_value());
        }
        let is_seen = self.has_landmarks();
        if let Some(then) = then
            && !is_seen
            && self.is_pure(condition)
            && let Some(bits) = self.truth(condition)?.as_const()
        {
            return self.rvalue(if bits.value == 1 { then } else { otherwise });
        }
        // Pointers keep to one object on each path.
        if let Some(then) = then
            && !is_seen
            && matches!(self.kind(expr.ty), Kind::Int { .. })
            && self.is_pure(then)
            && self.is_pure(otherwise)
        {
            let condition = self.truth(condition)?;
            let (then, otherwise) = (self.rvalue(then)?, self.rvalue(otherwise)?);
            return Ok(Expr::ite(condition, then, otherwise));
        }
        let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        let note = |taken| Note::Branch { at: question, taken };
        let dst = self.temp(expr.ty, expr.span)?;
        let width = self.regs[dst.index()].width;
        let mut kept = None;
        if then.is_some() {
            self.branch(condition, (yes, note(true)), (no, note(false)))?;
        } else {
            let value = self.rvalue(condition)?;
            let value = self.bind(value);
            let holds = self.nonzero(value.clone(), condition.ty);
            self.split(holds, (yes, note(true)), (no, note(false)));
            kept = Some(value);
        }
        self.resume(yes);
        let value = match (then, kept) {
            (Some(then), _) => self.rvalue(then)?,
            (None, Some(value)) => self.convert(value, condition.ty, expr.ty, expr.span)?,
            (None, None) => self.no_value(),
        };
        self.assign_variable(dst, value);
        self.goto(end);
        self.resume(no);
        let value = self.rvalue(otherwise)?;
        self.assign_variable(dst, value);
        self.goto(end);
        self.resume(end);
        Ok(Expr::Reg(dst, width))
    }

    fn statement_expression(
        &mut self,
        block: &'u [syntax::Stmt],
        result: Option<&'u syntax::Expr>,
        expr: &'u syntax::Expr,
    ) -> Result<Expr> {
        if self.body.is_none() {
            return Err(self.error("a statement expression in an initialiser that must be constant", expr.span));
        }
        let is_record = self.kind(expr.ty) == Kind::Record;
        // The block's objects end with it; a record result moves to one that stays.
        let kept = if is_record { Some(self.temporary_object(expr.ty, expr.span)?) } else { None };
        let span = self.span;
        let outer = self.scope;
        self.open_scope(block)?;
        self.within_expression(|lowerer| block.iter().try_for_each(|stmt| lowerer.statement(stmt)))?;
        let mut value = self.no_value();
        if let Some(result) = result {
            self.span = result.span;
            if self.kind(expr.ty) == Kind::Void {
                self.effect(result)?;
            } else {
                value = self.rvalue(result)?;
            }
        }
        if let Some(kept) = kept {
            self.copy_object(kept.clone(), value, expr.ty, expr.span)?;
            value = kept;
        } else if !self.scopes[self.scope.index()].is_empty() {
            value = self.bind(value);
        }
        self.close_scopes(outer)?;
        self.span = span;
        Ok(value)
    }

    // Assignments: each returns the place and the value written, in the place's type.

    fn assign(&mut self, place: &'u syntax::Place, value: &'u syntax::Expr) -> Result<(Lvalue, Expr)> {
        if self.is_unsequenced(place, value) {
            self.undefined("a variable is changed twice without a sequence point, or read and changed");
        }
        let lvalue = self.place_before(place, value)?;
        let value = self.rvalue(value)?;
        let value = if matches!(lvalue, Lvalue::Reg(_)) { value } else { self.reusable(value) };
        self.store(&lvalue, value.clone(), place.ty, place.span)?;
        Ok((lvalue, value))
    }

    fn compound_assign(
        &mut self,
        expr: &'u syntax::Expr,
        op: syntax::BinaryOp,
        place: &'u syntax::Place,
        value: &'u syntax::Expr,
        compute: TypeId,
    ) -> Result<(Lvalue, Expr)> {
        let lvalue = self.place_before(place, value)?;
        let operand = self.rvalue(value)?;
        let lvalue = self.reusable_place(lvalue);
        let old = self.load(&lvalue, place.ty, place.span)?;
        let new = if matches!(self.types.get(compute), Type::Pointer(_)) {
            let subtract = op == syntax::BinaryOp::Subtract;
            self.offset_pointer(old, compute, (operand, value.ty), subtract, expr.span)?
        } else {
            let old = self.convert(old, place.ty, compute, expr.span)?;
            let result = self.arithmetic(op, old, (operand, value.ty), compute, expr.span)?;
            self.convert(result, compute, place.ty, expr.span)?
        };
        let new = if matches!(lvalue, Lvalue::Reg(_)) { new } else { self.reusable(new) };
        self.store(&lvalue, new.clone(), place.ty, place.span)?;
        Ok((lvalue, new))
    }

    /// The place, the old value (in a register of its own if `keep_old`) and the new one.
    fn increment(
        &mut self,
        place: &'u syntax::Place,
        decrement: bool,
        keep_old: bool,
        span: Span,
    ) -> Result<(Lvalue, Expr, Expr)> {
        let lvalue = self.place(place)?;
        let lvalue = self.reusable_place(lvalue);
        let mut old = self.load(&lvalue, place.ty, place.span)?;
        if keep_old {
            old = self.bind(old);
        }
        let new = match self.kind(place.ty) {
            Kind::Pointer { .. } => {
                let one = self.pointer_constant(1);
                self.offset_pointer_by(old.clone(), place.ty, one, decrement, span)?
            }
            _ => self.step(old.clone(), place.ty, decrement, span)?,
        };
        self.store(&lvalue, new.clone(), place.ty, place.span)?;
        Ok((lvalue, old, new))
    }

    fn reusable_place(&mut self, place: Lvalue) -> Lvalue {
        match place {
            Lvalue::Memory { address, bits } => Lvalue::Memory { address: self.reusable(address), bits },
            reg => reg,
        }
    }
}
