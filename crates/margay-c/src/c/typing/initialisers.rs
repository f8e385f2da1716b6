//! Initialisers of objects: expressions, strings and brace-enclosed lists; the lists themselves are resolved in `fill`.

use lang_c::ast::{self, Expression as Ast, Initializer};
use lang_c::span::Node;

use super::Typer;
use super::fill::{Sink, Slot};
use super::literals::string_init;
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::Init;
use crate::c::types::{ArrayLength, Type, TypeId};

impl<'a> Typer<'a> {
    /// The initialiser of an object of type `ty`, and the object's type with its array length completed.
    pub(super) fn initialiser(
        &mut self,
        ty: TypeId,
        node: &'a Node<Initializer>,
        span: Span,
    ) -> Result<(TypeId, Init)> {
        match &node.node {
            Initializer::List(items) => self.list_initialiser(ty, items, span),
            Initializer::Expression(e) => {
                if let Some((ty, init)) = self.string_initialiser(ty, e)? {
                    return Ok((ty, init));
                }
                if let (Type::Array { .. }, Ast::CompoundLiteral(literal)) = (self.types.get(ty), &e.node) {
                    // GNU: an array from a compound literal of array type, which says the length where the array does not.
                    let own = self.named(&literal.node.type_name)?.ty;
                    let is_open = matches!(self.types.get(ty), Type::Array { length: ArrayLength::Unknown, .. });
                    let ty = if is_open && self.types.size_of(own).is_some() { own } else { ty };
                    return self.list_initialiser(ty, &literal.node.initializer_list, span);
                }
                if matches!(self.types.get(ty), Type::Array { .. }) {
                    return self.constraint(span, "an array needs a list as its initialiser");
                }
                let value = self.rvalue(e)?;
                let value = self.assign_convert(value, ty)?;
                Ok((ty, Init::Expr(value)))
            }
        }
    }

    /// `{ … }` for an object of type `ty`.
    pub(super) fn list_initialiser(
        &mut self,
        ty: TypeId,
        list: &'a [Node<ast::InitializerListItem>],
        span: Span,
    ) -> Result<(TypeId, Init)> {
        if self.types.is_variable(ty) {
            return self.constraint(span, "a variable length array cannot be initialised");
        }
        if !self.is_aggregate(ty) {
            return self.braced_scalar(ty, list, span);
        }
        // `char s[] = { "text" }`.
        if let ([only], Type::Array { .. }) = (list, self.types.get(ty))
            && let (true, Initializer::Expression(e)) = (only.node.designation.is_empty(), &only.node.initializer.node)
            && let Some(done) = self.string_initialiser(ty, e)?
        {
            return Ok(done);
        }
        let mut sink = Sink::default();
        let length = self.fill_braced(Slot::whole(ty), list, &mut sink)?;
        let ty = self.completed(ty, length);
        Ok((ty, Init::List(sink.entries)))
    }

    pub(super) fn braced_scalar(
        &mut self,
        ty: TypeId,
        list: &'a [Node<ast::InitializerListItem>],
        span: Span,
    ) -> Result<(TypeId, Init)> {
        match list.first() {
            // `{}` is zero.
            None => Ok((ty, Init::List(Vec::new()))),
            Some(item) => {
                let at = self.span(item);
                let at = if at.end > at.start { at } else { span };
                if let Some(second) = list.get(1) {
                    self.warn(self.span(second), "more initialisers than members");
                }
                self.initialiser(ty, &item.node.initializer, at)
            }
        }
    }

    pub(super) fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Array { .. } | Type::Record(_)) && !self.is_complex(ty)
    }

    /// An array of unknown length gets the one its initialiser shows.
    pub(super) fn completed(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.types.get(ty) {
            Type::Array { element, length: ArrayLength::Unknown } => {
                self.types.intern(Type::Array { element, length: ArrayLength::Known(length) })
            }
            _ => ty,
        }
    }

    /// A string literal (possibly in parentheses) for a character array.
    pub(super) fn string_initialiser(&mut self, ty: TypeId, e: &'a Node<Ast>) -> Result<Option<(TypeId, Init)>> {
        let (&Type::Array { element, length }, Ast::StringLiteral(literal)) = (self.types.get(ty), &e.node) else {
            return Ok(None);
        };
        let mut text = self.string(literal)?;
        if self.types.int_kind(element).is_none() || self.types.size_of(element) != Some(text.width) {
            return Ok(None);
        }
        text.element = element;
        let full = text.units.len() as u64 + 1;
        if let ArrayLength::Known(n) = length {
            if text.units.len() as u64 > n {
                self.warn(self.span(e), "the string is longer than the array");
            }
            text.units.truncate(n as usize);
        }
        Ok(Some((self.completed(ty, full), string_init(&text))))
    }
}
