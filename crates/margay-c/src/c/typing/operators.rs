//! Unary, binary, assignment and conditional operators.

use lang_c::ast::{self, BinaryOperator as B, UnaryOperator as U};

use super::numeric::part_operator;
use super::{Operand, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::prepass::marker;
use crate::c::syntax::{BinaryOp, CompareOp, Expr, ExprKind, Place, PlaceKind, UnaryOp};
use crate::c::types::{Type, TypeId};

impl<'a> Typer<'a> {
    pub(super) fn unary(&mut self, node: &'a ast::UnaryOperatorExpression, span: Span) -> Result<Operand> {
        if let Some((operand, imaginary)) = part_operator(node) {
            return self.complex_part(operand, imaginary, span);
        }
        let operand = &node.operand;
        let value = match node.operator.node {
            U::Address => return self.address_of(operand, span).map(Operand::Value),
            U::Indirection => {
                let pointer = self.rvalue(operand)?;
                return self.dereference(pointer, span).map(Operand::Place);
            }
            U::PostIncrement => self.increment(operand, false, true, span)?,
            U::PostDecrement => self.increment(operand, true, true, span)?,
            U::PreIncrement => self.increment(operand, false, false, span)?,
            U::PreDecrement => self.increment(operand, true, false, span)?,
            U::Plus | U::Minus => {
                let e = self.rvalue(operand)?;
                if self.parts_of(e.ty).is_some() {
                    return self.unary_parts(&node.operator.node, e, span).map(Operand::Value);
                }
                let e = self.promote(e)?;
                if !self.is_arithmetic(e.ty) {
                    return self.constraint(span, format!("sign before {}", self.types.display(e.ty)));
                }
                if node.operator.node == U::Plus {
                    Expr { span, ..e }
                } else {
                    self.refuse_odd_width(&e, span)?;
                    let ty = e.ty;
                    Expr { kind: ExprKind::Unary(UnaryOp::Negate, Box::new(e)), ty, span }
                }
            }
            U::Complement => {
                let e = self.rvalue(operand)?;
                if self.parts_of(e.ty).is_some() {
                    return self.unary_parts(&node.operator.node, e, span).map(Operand::Value);
                }
                let e = self.promote(e)?;
                if !self.is_integer(e.ty) {
                    return self.constraint(span, format!("`~` on {}", self.types.display(e.ty)));
                }
                self.refuse_odd_width(&e, span)?;
                let ty = e.ty;
                Expr { kind: ExprKind::Unary(UnaryOp::Complement, Box::new(e)), ty, span }
            }
            U::Negate => {
                let e = self.condition(operand)?;
                Expr { kind: ExprKind::LogicalNot(Box::new(e)), ty: self.common.int, span }
            }
        };
        Ok(Operand::Value(value))
    }

    fn address_of(&mut self, node: &'a lang_c::span::Node<ast::Expression>, span: Span) -> Result<Expr> {
        let operand = match self.operand(node)? {
            // A record value (of a call, an assignment, …) has no address in C.
            Operand::Value(_) => return self.constraint(span, "address of a value"),
            Operand::Function(id, _) => Operand::Function(id, span),
            Operand::Place(place) => Operand::Place(place),
        };
        let Operand::Place(place) = operand else { return self.value_of(operand) };
        if let PlaceKind::Member { base, field } = &place.kind
            && self.field(base.ty, *field).is_some_and(|f| f.bits.is_some())
        {
            return self.constraint(span, "address of a bit-field");
        }
        self.take_address(&place);
        match place.kind {
            // `&*p` is `p`.
            PlaceKind::Deref(pointer) => Ok(Expr { span, ..pointer }),
            _ => {
                let ty = self.types.pointer_to(place.ty);
                Ok(Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span })
            }
        }
    }

    fn dereference(&mut self, pointer: Expr, span: Span) -> Result<Place> {
        match self.pointee(pointer.ty) {
            Some(ty) => Ok(Place { kind: PlaceKind::Deref(pointer), ty, span }),
            None => self.constraint(span, format!("`*` on {}", self.types.display(pointer.ty))),
        }
    }

    fn increment(
        &mut self,
        node: &'a lang_c::span::Node<ast::Expression>,
        decrement: bool,
        postfix: bool,
        span: Span,
    ) -> Result<Expr> {
        let place = self.place(node)?;
        let ty = place.ty;
        if self.parts_of(ty).is_some() {
            let op = if decrement { BinaryOp::Subtract } else { BinaryOp::Add };
            let one = self.int_expr(1, self.common.int, span);
            return self.assign_parts(op, place, one, postfix, span);
        }
        if !self.is_scalar(ty) {
            return self.constraint(span, format!("increment of {}", self.types.display(ty)));
        }
        self.check_stride(ty, span)?;
        Ok(Expr { kind: ExprKind::Increment { place: Box::new(place), decrement, postfix }, ty, span })
    }

    /// Steps of a pointer to an incomplete type have no size.
    fn check_stride(&self, ty: TypeId, span: Span) -> Result<()> {
        match self.pointee(ty) {
            Some(target) if self.types.stride_of(target).is_none() && !self.types.is_variable(target) => {
                self.constraint(span, format!("arithmetic on a pointer to incomplete {}", self.types.display(target)))
            }
            _ => Ok(()),
        }
    }

    /// `base[index]`, either operand being the pointer.
    pub(super) fn element(&mut self, base: Expr, index: Expr, span: Span) -> Result<Place> {
        let sum = self.add(base, index, BinaryOp::Add, span)?;
        self.dereference(sum, span)
    }

    pub(super) fn binary(&mut self, node: &'a ast::BinaryOperatorExpression, span: Span) -> Result<Operand> {
        let operator = &node.operator.node;
        if let Some(op) = assignment_op(operator) {
            return self.compound_assign(op, node, span).map(Operand::Value);
        }
        match operator {
            B::Assign => {
                let place = self.place(&node.lhs)?;
                let value = self.rvalue(&node.rhs)?;
                let value = self.assign_convert(value, place.ty)?;
                if matches!(self.types.get(place.ty), Type::Array { .. } | Type::Function(_) | Type::Void) {
                    return self.constraint(span, format!("assignment to {}", self.types.display(place.ty)));
                }
                let ty = place.ty;
                let kind = ExprKind::Assign { place: Box::new(place), value: Box::new(value) };
                return Ok(Operand::Value(Expr { kind, ty, span }));
            }
            B::Index => {
                let base = self.operand(&node.lhs)?;
                let index = self.rvalue(&node.rhs)?;
                if self.is_vector(self.operand_type(&base)) {
                    let base = match base {
                        Operand::Place(place) => place,
                        base => {
                            let value = self.value_of(base)?;
                            Place { ty: value.ty, span: value.span, kind: PlaceKind::Temporary(value) }
                        }
                    };
                    return self.vector_element(base, index, span).map(Operand::Place);
                }
                let base = self.value_of(base)?;
                return self.element(base, index, span).map(Operand::Place);
            }
            B::LogicalAnd | B::LogicalOr => {
                let left = Box::new(self.condition(&node.lhs)?);
                let right = Box::new(self.condition(&node.rhs)?);
                let kind = match operator {
                    B::LogicalAnd => ExprKind::LogicalAnd(left, right),
                    _ => ExprKind::LogicalOr(left, right),
                };
                return Ok(Operand::Value(Expr { kind, ty: self.common.int, span }));
            }
            _ => {}
        }
        let left = self.rvalue(&node.lhs)?;
        let right = self.rvalue(&node.rhs)?;
        self.check_odd_widths(operator, &left, &right, span)?;
        if let Some(op) = comparison(operator) {
            return self.compare(op, left, right, span).map(Operand::Value);
        }
        let op = match operator {
            B::Plus => return self.add(left, right, BinaryOp::Add, span).map(Operand::Value),
            B::Minus => return self.add(left, right, BinaryOp::Subtract, span).map(Operand::Value),
            B::Multiply => BinaryOp::Multiply,
            B::Divide => BinaryOp::Divide,
            B::Modulo => BinaryOp::Remainder,
            B::ShiftLeft => BinaryOp::ShiftLeft,
            B::ShiftRight => BinaryOp::ShiftRight,
            B::BitwiseAnd => BinaryOp::And,
            B::BitwiseXor => BinaryOp::Xor,
            _ => BinaryOp::Or,
        };
        self.arithmetic(op, left, right, span).map(Operand::Value)
    }

    /// An arithmetic operator on converted operands.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        if self.parts_of(left.ty).is_some() || self.parts_of(right.ty).is_some() {
            return self.binary_parts(op, left, right, span);
        }
        let integers_only = !matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide);
        if integers_only && !(self.is_integer(left.ty) && self.is_integer(right.ty)) {
            let (a, b) = (self.types.display(left.ty), self.types.display(right.ty));
            return self.constraint(span, format!("{op:?} of {a} and {b}"));
        }
        let (left, right) = if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            (self.promote(left)?, self.promote(right)?)
        } else {
            self.balance(left, right, span)?
        };
        let ty = left.ty;
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    /// `+` and `-` with pointers allowed.
    fn add(&mut self, left: Expr, right: Expr, op: BinaryOp, span: Span) -> Result<Expr> {
        let subtract = op == BinaryOp::Subtract;
        let (pointer, index) = match (self.pointee(left.ty), self.pointee(right.ty)) {
            (None, None) => return self.arithmetic(op, left, right, span),
            (Some(_), None) => (left, right),
            (None, Some(_)) if !subtract => (right, left),
            (Some(_), Some(_)) if subtract => {
                self.check_stride(left.ty, span)?;
                let right = self.convert(right, left.ty)?;
                let kind = ExprKind::PointerDiff(Box::new(left), Box::new(right));
                return Ok(Expr { kind, ty: self.common.ptrdiff, span });
            }
            _ => return self.constraint(span, "pointers cannot be combined this way"),
        };
        if !self.is_integer(index.ty) {
            return self.constraint(span, format!("{} added to a pointer", self.types.display(index.ty)));
        }
        self.check_stride(pointer.ty, span)?;
        let ty = pointer.ty;
        let kind = ExprKind::PointerAdd { pointer: Box::new(pointer), index: Box::new(index), subtract };
        Ok(Expr { kind, ty, span })
    }

    pub(super) fn compare(&mut self, op: CompareOp, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        if self.parts_of(left.ty).is_some() || self.parts_of(right.ty).is_some() {
            return self.compare_parts(op, left, right, span);
        }
        let pointers = (self.pointee(left.ty), self.pointee(right.ty));
        let (left, right) = match pointers {
            (None, None) => self.balance(left, right, span)?,
            (Some(a), Some(_)) => {
                // Towards the more general pointer; the values stay the same.
                let ty = if a == self.common.void { right.ty } else { left.ty };
                (self.convert(left, ty)?, self.convert(right, ty)?)
            }
            (Some(_), None) => {
                let ty = left.ty;
                (left, self.convert(right, ty)?)
            }
            (None, Some(_)) => {
                let ty = right.ty;
                (self.convert(left, ty)?, right)
            }
        };
        Ok(Expr { kind: ExprKind::Compare(op, Box::new(left), Box::new(right)), ty: self.common.int, span })
    }

    fn compound_assign(&mut self, op: BinaryOp, node: &'a ast::BinaryOperatorExpression, span: Span) -> Result<Expr> {
        let place = self.place(&node.lhs)?;
        let value = self.rvalue(&node.rhs)?;
        let ty = place.ty;
        if self.parts_of(ty).is_some() || self.parts_of(value.ty).is_some() {
            return self.assign_parts(op, place, value, false, span);
        }
        let (value, compute) = if self.pointee(ty).is_some() {
            if !matches!(op, BinaryOp::Add | BinaryOp::Subtract) || !self.is_integer(value.ty) {
                return self.constraint(span, "pointers cannot be combined this way");
            }
            self.check_stride(ty, span)?;
            (value, ty)
        } else {
            // What `place op value` would compute with; the place itself is evaluated only once.
            let probe = Expr { kind: ExprKind::Use(Box::new(place.clone())), ty, span };
            let whole = self.arithmetic(op, probe, value, span)?;
            match whole.kind {
                ExprKind::Binary(_, _, right) => (*right, whole.ty),
                _ => return self.constraint(span, "invalid assignment"),
            }
        };
        let kind = ExprKind::CompoundAssign { op, place: Box::new(place), value: Box::new(value), compute };
        Ok(Expr { kind, ty, span })
    }

    /// 0, possibly cast to `void *`.
    pub(super) fn is_null_constant(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Convert(inner) if e.ty == self.common.void_ptr => {
                self.is_integer(inner.ty) && self.eval_int(inner) == Some(0)
            }
            _ => self.is_integer(e.ty) && self.eval_int(e) == Some(0),
        }
    }

    pub(super) fn conditional(&mut self, node: &'a ast::ConditionalExpression, span: Span) -> Result<Expr> {
        let condition = self.condition(&node.condition)?;
        let question = self.find_byte(b'?', node.condition.span.end.saturating_sub(1) as u32);
        let omitted = matches!(&node.then_expression.node,
            ast::Expression::Identifier(i) if i.node.name == marker::SAME);
        let otherwise = self.rvalue(&node.else_expression)?;
        let then = if omitted { None } else { Some(self.rvalue(&node.then_expression)?) };
        let ty = self.conditional_type(then.as_ref().unwrap_or(&condition), &otherwise, span)?;
        let otherwise = Box::new(self.assign_convert(otherwise, ty)?);
        let then = match then {
            Some(e) => Some(Box::new(self.assign_convert(e, ty)?)),
            None => None,
        };
        let kind = ExprKind::Conditional { condition: Box::new(condition), then, otherwise, question };
        Ok(Expr { kind, ty, span })
    }

    fn conditional_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Result<TypeId> {
        if self.is_arithmetic(a.ty) && self.is_arithmetic(b.ty) {
            // Even equal types are promoted.
            let (left, _) = self.balance(a.clone(), b.clone(), span)?;
            return Ok(left.ty);
        }
        if a.ty == b.ty {
            return Ok(a.ty);
        }
        if self.is_complex(a.ty) || self.is_complex(b.ty) {
            return self.complex_common(a.ty, b.ty, span);
        }
        if a.ty == self.common.void || b.ty == self.common.void {
            return Ok(self.common.void);
        }
        match (self.pointee(a.ty), self.pointee(b.ty)) {
            (Some(_), _) if self.is_null_constant(b) => Ok(a.ty),
            (_, Some(_)) if self.is_null_constant(a) => Ok(b.ty),
            (Some(x), Some(y)) => Ok(if x == self.common.void {
                a.ty
            } else if y == self.common.void {
                b.ty
            } else {
                self.composite(a.ty, b.ty)
            }),
            (Some(_), None) if self.is_integer(b.ty) => Ok(a.ty),
            (None, Some(_)) if self.is_integer(a.ty) => Ok(b.ty),
            _ => {
                let (a, b) = (self.types.display(a.ty), self.types.display(b.ty));
                self.constraint(span, format!("the branches of `?:` are {a} and {b}"))
            }
        }
    }
}

fn assignment_op(operator: &B) -> Option<BinaryOp> {
    Some(match operator {
        B::AssignMultiply => BinaryOp::Multiply,
        B::AssignDivide => BinaryOp::Divide,
        B::AssignModulo => BinaryOp::Remainder,
        B::AssignPlus => BinaryOp::Add,
        B::AssignMinus => BinaryOp::Subtract,
        B::AssignShiftLeft => BinaryOp::ShiftLeft,
        B::AssignShiftRight => BinaryOp::ShiftRight,
        B::AssignBitwiseAnd => BinaryOp::And,
        B::AssignBitwiseXor => BinaryOp::Xor,
        B::AssignBitwiseOr => BinaryOp::Or,
        _ => return None,
    })
}

fn comparison(operator: &B) -> Option<CompareOp> {
    Some(match operator {
        B::Less => CompareOp::Less,
        B::Greater => CompareOp::Greater,
        B::LessOrEqual => CompareOp::LessEqual,
        B::GreaterOrEqual => CompareOp::GreaterEqual,
        B::Equals => CompareOp::Equal,
        B::NotEquals => CompareOp::NotEqual,
        _ => return None,
    })
}
