//! Numbers of two sides of a join: what stands for both, and what is known of it.

use rustc_hash::FxHashMap;

use super::join::Join;
use crate::heap::SymbolKind;
use crate::smt::{SymId, Term, Terms};

/// Narrower numbers are flags.
const LEAST_ORDERED: u32 = 16;
/// Variables that the numbers of nodes are compared with.
const MOST_ORDERED: usize = 4;

impl Join<'_> {
    /// What stands for two values that speak of no object of either side.
    pub(super) fn number(&mut self, left: Term, right: Term) -> Option<Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        let is_pointer = terms.width(left) == context.model.pointer_bits();
        for &(a, b, both) in self.outer.iter().filter(|_| is_pointer) {
            let (offset, other) = (terms.sub(left, a), terms.sub(right, b));
            if offset == other && terms.as_const(offset).is_some() {
                return Some(terms.add(both, offset));
            }
        }
        let is_unfit = |term: Term| {
            terms.symbols_of(term).iter().any(|symbol| {
                let is_heap = self.memory.points_to.get(symbol).is_some_and(|block| self.memory.is_live_heap(*block));
                is_heap
                    || self
                        .outer
                        .iter()
                        .any(|(a, b, _)| terms.as_symbol(*a) == Some(*symbol) || terms.as_symbol(*b) == Some(*symbol))
                    || context.kind(*symbol).is_none_or(SymbolKind::is_external)
            })
        };
        if is_unfit(left) || is_unfit(right) {
            return None;
        }
        if let Some(&known) = self.data.get(&(left, right)) {
            return Some(known);
        }
        let general = match self.folding.exact {
            true => Some(self.more_general(left, right)?),
            false => None,
        };
        let fresh = {
            let alignment = terms.trailing_zeros(left).min(terms.trailing_zeros(right)).min(8);
            let term = terms.fresh_aligned_symbol(terms.width(left), alignment, "joint");
            self.classes.insert(terms.as_symbol(term)?, SymbolKind::Forgotten(0).class());
            term
        };
        self.data.insert((left, right), fresh);
        if let Some((general, facts)) = general {
            let by = FxHashMap::from_iter([(general, fresh)]);
            self.facts.extend(facts.into_iter().map(|fact| terms.substitute(fact, &by)));
            return Some(fresh);
        }
        let store = &self.memory.store;
        let (a, b) = (store.signed_range(&context, left), store.signed_range(&context, right));
        let width = terms.width(left);
        let wide = self.folding.thresholds.snap((a.0.min(b.0), a.1.max(b.1)), width);
        for bound in [
            terms.sle(terms.signed_constant(wide.0, width), fresh),
            terms.sle(fresh, terms.signed_constant(wide.1, width)),
        ] {
            if !terms.is_true(bound) {
                self.facts.push(bound);
            }
        }
        if is_pointer && store.range(&context, left).0 > 0 && store.range(&context, right).0 > 0 && wide.0 <= 0 {
            self.facts.push(terms.ne(fresh, context.pointer_constant(0)));
        }
        Some(fresh)
    }

    /// What stands for two numbers of which nothing is said here.
    pub(super) fn any_number(&mut self, left: Term, right: Term) -> Option<Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        (context.is_number(left) && context.is_number(right)).then_some(())?;
        if let Some(&known) = self.data.get(&(left, right)) {
            return Some(known);
        }
        let fresh = terms.fresh_symbol(terms.width(left), "joint");
        self.classes.insert(terms.as_symbol(fresh)?, SymbolKind::Forgotten(0).class());
        self.data.insert((left, right), fresh);
        Some(fresh)
    }

    /// Which numbers of the result are never greater, or never less, than one that a variable holds.
    pub(super) fn orders(&self) -> Vec<Term> {
        let terms = &self.context.terms;
        let mut facts = Vec::new();
        if !self.folding.ordered {
            return facts;
        }
        let is_number = |term: &Term| {
            let symbols = terms.symbols_of(*term);
            let is_own = |symbol: &SymId| self.left.own_data.contains(symbol) || self.right.own_data.contains(symbol);
            !symbols.is_empty()
                && !symbols.iter().any(|symbol| is_own(symbol) || self.memory.points_to.contains_key(symbol))
                && terms.width(*term) >= LEAST_ORDERED
        };
        let mut roots: Vec<Term> = self.folding.roots.iter().copied().filter(is_number).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut numbers: Vec<(Term, Term, Term)> =
            self.data.iter().map(|((left, right), joint)| (*left, *right, *joint)).collect();
        numbers.sort_unstable();
        for (left, right, joint) in numbers {
            for &root in roots.iter().filter(|root| terms.width(**root) == terms.width(joint)).take(MOST_ORDERED) {
                for order in [
                    |terms: &Terms, number, root| terms.sle(root, number),
                    |terms: &Terms, number, root| terms.sle(number, root),
                ] {
                    if [left, right].into_iter().all(|number| self.memory.entails(order(terms, number, root))) {
                        facts.push(order(terms, joint, root));
                    }
                }
            }
        }
        facts
    }

    /// The one of two values that may be all the other one is, where it is a symbol, with what is known of it: nothing, or in nodes
    /// of lists, whose bodies can say it, what is known of it alone.
    fn more_general(&self, left: Term, right: Term) -> Option<(SymId, Vec<Term>)> {
        let terms = &self.context.terms;
        let is_more = |value: Term, other: Term, pick: fn(&(Term, Term)) -> Term| {
            let symbol = terms.as_symbol(value)?;
            let kind = self.context.kind(symbol);
            let is_address = matches!(kind, Some(SymbolKind::Address(_) | SymbolKind::Function(_)));
            let is_used = self.data.keys().any(|pair| pick(pair) == value);
            let constraints = self.memory.store.constraints().iter().copied();
            let facts: Vec<Term> = constraints.filter(|fact| terms.symbols_of(*fact).contains(&symbol)).collect();
            let fits = match facts.is_empty() && self.folding.depth == 0 {
                true => self.is_arbitrary(other),
                false => self.folding.depth > 0 && facts.iter().all(|fact| self.is_fact_of(*fact, symbol, other)),
            };
            (fits && !is_address && !is_used).then_some((symbol, facts))
        };
        is_more(left, right, |pair| pair.0).or_else(|| is_more(right, left, |pair| pair.1))
    }

    /// Whether the fact, about `symbol` alone, holds of `other` as well.
    fn is_fact_of(&self, fact: Term, symbol: SymId, other: Term) -> bool {
        let terms = &self.context.terms;
        let by = FxHashMap::from_iter([(symbol, other)]);
        terms.symbols_of(fact).len() == 1 && self.memory.entails(terms.substitute(fact, &by))
    }

    /// Whether the value is a symbol of which nothing is known.
    fn is_arbitrary(&self, value: Term) -> bool {
        let terms = &self.context.terms;
        let symbol = terms.as_symbol(value).filter(|symbol| {
            let kind = self.context.kind(*symbol);
            kind.is_none_or(|kind| !matches!(kind, SymbolKind::Address(_) | SymbolKind::Function(_)))
        });
        symbol.is_some_and(|symbol| {
            let constraints = self.memory.store.constraints();
            !constraints.iter().any(|constraint| terms.symbols_of(*constraint).contains(&symbol))
        })
    }
}
