//! Functions that may be called in another way than they are defined: their addresses are converted to other types.
//!
//! C leaves such calls undefined, compiled code makes them. Not seen are conversions by way of numbers that once were addresses, and
//! by way of memory (unions, objects read at another type).

use super::Typer;
use crate::c::syntax::{Expr, ExprKind};
use crate::c::types::{FunctionType, Type, TypeId};

impl Typer<'_> {
    /// Notes that `e` is converted to `to`.
    pub(super) fn note_recast(&mut self, e: &Expr, to: TypeId) {
        let Some(from) = self.function_behind(e.ty) else { return };
        let stays = to == self.common.void
            || to == self.common.bool_
            || self.function_behind(to).is_some_and(|to| self.are_called_alike(from, to));
        if stays {
            return;
        }
        match e.kind {
            ExprKind::FunctionAddress(id) => self.functions[id.index()].is_recast = true,
            // Comparisons of numbers are full of them.
            _ if self.pointee(to).is_some() && self.eval_int(e) != Some(0) => _ = self.recast_types.insert(from),
            _ => {}
        }
    }

    /// Values of some types were converted: these are the functions they may have been.
    pub(super) fn mark_recast_functions(&mut self) {
        for index in 0..self.functions.len() {
            let own = self.functions[index].ty;
            let is_recast = self.recast_types.iter().any(|ty| self.are_called_alike(*ty, own));
            self.functions[index].is_recast |= is_recast;
        }
    }

    /// The type of the function that a pointer of type `ty` leads to.
    fn function_behind(&self, ty: TypeId) -> Option<TypeId> {
        self.pointee(ty).filter(|target| matches!(self.types.get(*target), Type::Function(_)))
    }

    /// Calls of functions of these types hand over arguments and results in the same way.
    fn are_called_alike(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        let (Type::Function(a), Type::Function(b)) = (self.types.get(a), self.types.get(b)) else { return false };
        let takes_nothing = |f: &FunctionType| f.params.is_empty() && !f.variadic;
        // A definition without a prototype and without parameters takes nothing.
        let is_reported =
            |f: &FunctionType, other: &FunctionType| f.prototyped || takes_nothing(f) && takes_nothing(other);
        is_reported(a, b)
            && is_reported(b, a)
            && a.variadic == b.variadic
            && a.params.len() == b.params.len()
            && self.is_handed_over_alike(a.result, b.result)
            && a.params.iter().zip(&b.params).all(|(a, b)| self.is_handed_over_alike(*a, *b))
    }

    fn is_handed_over_alike(&self, a: TypeId, b: TypeId) -> bool {
        let is_float = |ty: TypeId| matches!(self.types.get(ty), Type::Float(_));
        a == b
            || self.is_scalar(a)
                && self.is_scalar(b)
                && is_float(a) == is_float(b)
                && self.types.size_of(a) == self.types.size_of(b)
    }
}
