//! Vectors of gcc: their type, and the built-in functions about them and about complex numbers.

use lang_c::ast::{self, UnaryOperator as U};
use lang_c::span::Node;

use super::numeric::after;
use super::{Operand, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{BinaryOp, Expr, ExprKind, Place};
use crate::c::types::{FloatKind, FunctionType, Parts, Type, TypeId};

impl<'a> Typer<'a> {
    /// The built-in functions about vectors and complex numbers; `None` for all others.
    pub(super) fn parts_call(
        &mut self,
        plain: &str,
        args: &'a [Node<ast::Expression>],
        span: Span,
    ) -> Result<Option<Operand>> {
        let value = match (plain, args) {
            ("complex", [a, b]) => {
                let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
                let (a, b) = self.balance(a, b, span)?;
                let ty = self.types.complex_of(a.ty);
                self.assemble(ty, vec![a, b], Vec::new(), span)
            }
            ("creal" | "crealf" | "creall" | "cimag" | "cimagf" | "cimagl" | "conj" | "conjf" | "conjl", [e]) => {
                let kind =
                    match plain.trim_start_matches("creal").trim_start_matches("cimag").trim_start_matches("conj") {
                        "f" => FloatKind::Single,
                        "l" => FloatKind::Extended,
                        _ => FloatKind::Double,
                    };
                let element = self.types.intern(Type::Float(kind));
                let ty = self.types.complex_of(element);
                let value = self.rvalue(e)?;
                let value = self.assign_convert(value, ty)?;
                if plain.starts_with("conj") {
                    self.unary_parts(&U::Complement, value, span)?
                } else {
                    let mut block = Vec::new();
                    let index = usize::from(plain.starts_with("cimag"));
                    let part = self.split(value, &mut block).into_iter().nth(index);
                    let Some(part) = part else { return Ok(None) };
                    after(block, part)
                }
            }
            ("shuffle", [v, mask]) => self.shuffle(v, None, mask, span)?,
            ("shuffle", [v, w, mask]) => self.shuffle(v, Some(w), mask, span)?,
            ("shufflevector", [v, w, indices @ ..]) => self.shuffle_fixed(v, w, indices, span)?,
            ("convertvector", [v, ty]) => {
                let ast::Expression::SizeOfTy(ty) = &ty.node else {
                    return self.constraint(span, "__builtin_convertvector wants a type");
                };
                let (value, ty) = (self.rvalue(v)?, self.type_name(&ty.node.0)?);
                let Some(to) = self.parts_of(ty) else { return self.constraint(span, "this is no vector") };
                let mut block = Vec::new();
                let parts = self.split(value, &mut block);
                if parts.len() != to.count as usize {
                    return self.constraint(span, "the vectors differ in length");
                }
                let parts = self.converted(parts, to.element)?;
                self.assemble(ty, parts, block, span)
            }
            _ => return Ok(None),
        };
        Ok(Some(Operand::Value(value)))
    }

    fn shuffle(
        &mut self,
        v: &'a Node<ast::Expression>,
        w: Option<&'a Node<ast::Expression>>,
        mask: &'a Node<ast::Expression>,
        span: Span,
    ) -> Result<Expr> {
        let mut block = Vec::new();
        let first = self.rvalue(v)?;
        let ty = first.ty;
        let first = self.hold(first, &mut block);
        let second = match w {
            Some(w) => {
                let w = self.rvalue(w)?;
                Some(self.hold(w, &mut block))
            }
            None => None,
        };
        let mask = self.rvalue(mask)?;
        let (Some(Parts { count, .. }), true) = (self.parts_of(ty), self.is_vector(mask.ty)) else {
            return self.constraint(span, "this is no vector");
        };
        let mut parts = Vec::with_capacity(count as usize);
        for index in self.split(mask, &mut block) {
            let last = self.int_expr(i128::from(count) - 1, self.common.int, span);
            let within = self.arithmetic(BinaryOp::And, index.clone(), last, span)?;
            let mut value = self.picked(&first, &within, span)?;
            if let Some(second) = &second {
                let bit = self.int_expr(i128::from(count), self.common.int, span);
                let is_second = self.arithmetic(BinaryOp::And, index, bit, span)?;
                let other = self.picked(second, &within, span)?;
                value = Expr {
                    ty: value.ty,
                    span,
                    kind: ExprKind::Conditional {
                        condition: Box::new(is_second),
                        then: Some(Box::new(other)),
                        otherwise: Box::new(value),
                        question: span.start,
                    },
                };
            }
            parts.push(value);
        }
        Ok(self.assemble(ty, parts, block, span))
    }

    fn picked(&mut self, vector: &Place, index: &Expr, span: Span) -> Result<Expr> {
        let place = self.vector_element(vector.clone(), index.clone(), span)?;
        self.value_of(Operand::Place(place))
    }

    fn shuffle_fixed(
        &mut self,
        v: &'a Node<ast::Expression>,
        w: &'a Node<ast::Expression>,
        indices: &'a [Node<ast::Expression>],
        span: Span,
    ) -> Result<Expr> {
        let mut block = Vec::new();
        let (v, w) = (self.rvalue(v)?, self.rvalue(w)?);
        let Some(Parts { element, .. }) = self.parts_of(v.ty) else {
            return self.constraint(span, "this is no vector");
        };
        let mut all = self.split(v, &mut block);
        all.extend(self.split(w, &mut block));
        let mut parts = Vec::with_capacity(indices.len());
        for index in indices {
            // -1: any value will do.
            let index = usize::try_from(self.int_constant(index)?).unwrap_or(0);
            let Some(part) = all.get(index) else { return self.constraint(span, "the index is beyond the vectors") };
            parts.push(part.clone());
        }
        let ty = self.types.vector_of(element, parts.len() as u32);
        Ok(self.assemble(ty, parts, block, span))
    }

    /// What `vector_size` makes of a type: of its numbers, wherever they are.
    pub(super) fn vectorised(&mut self, ty: TypeId, bytes: u64, span: Span) -> Result<TypeId> {
        match self.types.get(ty).clone() {
            Type::Int(_) | Type::Float(_) => {
                let size = self.types.size_of(ty).unwrap_or(1);
                let count = bytes / size.max(1);
                if !bytes.is_multiple_of(size) || !count.is_power_of_two() {
                    return self.constraint(span, format!("{bytes} bytes are no vector of {}", self.types.display(ty)));
                }
                if count > 1024 {
                    return self.unsupported(span, "vectors of more than 1024 elements");
                }
                Ok(self.types.vector_of(ty, count as u32))
            }
            Type::Pointer(target) => {
                let target = self.vectorised(target, bytes, span)?;
                Ok(self.types.pointer_to(target))
            }
            Type::Array { element, length } => {
                let element = self.vectorised(element, bytes, span)?;
                Ok(self.types.intern(Type::Array { element, length }))
            }
            Type::Function(function) => {
                let result = self.vectorised(function.result, bytes, span)?;
                Ok(self.types.intern(Type::Function(FunctionType { result, ..function })))
            }
            _ => self.constraint(span, format!("vector of {}", self.types.display(ty))),
        }
    }
}
