//! Bodies of summaries that two nodes have: in terms of the result, without a look at their own nodes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::join::Join;
use crate::heap::{Body, SymbolKind};
use crate::smt::{SymId, Term};

impl Join<'_> {
    /// The body of both, where they say the same: there is no need to look at their nodes.
    pub(super) fn same_body(&self, left: &Rc<Body>, right: &Rc<Body>) -> Option<Rc<Body>> {
        (left.objects.len() == right.objects.len() && left.depth == right.depth).then_some(())?;
        let (left, right) = (self.body_in_result(true, left)?, self.body_in_result(false, right)?);
        (Rc::ptr_eq(&left, &right) || left.code() == right.code()).then_some(left)
    }

    /// A body of one side in terms of the result; none where it speaks of what has no counterpart.
    pub(super) fn body_in_result(&self, on_left: bool, body: &Rc<Body>) -> Option<Rc<Body>> {
        let terms = &self.context.terms;
        if self.tie.is_none() {
            let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
            for &symbol in body.symbols(terms) {
                let result = self.symbol_in_result(on_left, symbol)?;
                if result != terms.symbol_term(symbol) {
                    by.insert(symbol, result);
                }
            }
            return Some(body.substituted(&self.context, &by));
        }
        let mut is_known = true;
        let body = body.map(&mut |term| {
            if let Some(both) = self.tie.as_ref().and_then(|tie| tie.of_one(terms, on_left, term)) {
                return both;
            }
            let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
            for &symbol in terms.symbols_of(term).iter() {
                match self.symbol_in_result(on_left, symbol) {
                    Some(result) => _ = by.insert(symbol, result),
                    None => is_known = false,
                }
            }
            terms.substitute(term, &by)
        });
        is_known.then(|| Rc::new(body))
    }

    fn symbol_in_result(&self, on_left: bool, symbol: SymId) -> Option<Term> {
        let own = self.context.terms.symbol_term(symbol);
        match self.context.kind(symbol) {
            Some(SymbolKind::Bound { .. }) => Some(own),
            _ => self.in_result(on_left, own),
        }
    }
}
