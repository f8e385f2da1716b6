//! Constant expressions where the language demands them.

use lang_c::ast;
use lang_c::span::Node;

use super::Typer;
use crate::base::error::{ErrorKind, Result};
use crate::c::constant::{self, Value};
use crate::c::syntax::Expr;
use crate::c::types::TypeId;

impl<'a> Typer<'a> {
    pub(super) fn eval_int(&self, e: &Expr) -> Option<i128> {
        constant::eval_int(&self.types, e)
    }

    /// Constant of arithmetic type.
    pub(super) fn is_constant(&self, e: &Expr) -> bool {
        constant::eval(&self.types, e).is_some()
    }

    pub(super) fn int_in_type(&self, value: i128, ty: TypeId) -> Option<i128> {
        constant::int_in_type(&self.types, value, ty)
    }

    pub(super) fn unsigned_constant(&mut self, e: &'a Node<ast::Expression>) -> Result<u64> {
        let value = self.int_constant(e)?;
        match u64::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => self.constraint(self.span(e), format!("{value} is negative")),
        }
    }

    pub(super) fn int_constant(&mut self, e: &'a Node<ast::Expression>) -> Result<i128> {
        let value = self.rvalue(e)?;
        match self.eval_int(&value) {
            Some(value) => Ok(value),
            None => self.constraint(self.span(e), "not an integer constant expression"),
        }
    }

    pub(super) fn static_assert(&mut self, node: &'a Node<ast::StaticAssert>) -> Result<()> {
        let span = self.span(node);
        let value = self.rvalue(&node.node.expression)?;
        match constant::eval(&self.types, &value) {
            Some(Value::Int(0)) => Err(self.error(ErrorKind::Constraint, span, "static assertion failed")),
            // What only a compiler's optimiser can fold was checked when the program was compiled.
            Some(_) | None => Ok(()),
        }
    }
}
