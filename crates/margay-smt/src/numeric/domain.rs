//! The trait of numeric domains.

use rustc_hash::FxHashMap;

use super::range::Range;
use crate::smt::{Node, Op, SymId, Term, Terms};

/// What is known of some numbers. γ(d) is the set of models that `d` allows: a value for each symbol, of the symbol's width.
/// The default is ⊤, which allows all.
///
/// Terms say what arithmetic means: it wraps around at the width of each term, and a comparison says whether it is a signed
/// one. So there are no operations for sums and products; a domain gives bounds of terms, and learns from conditions. An
/// assignment defines a fresh symbol, after which the old one is projected away.
pub trait NumericDomain: Clone + Default {
    /// The truth of a formula in all models of γ(self), without a look at its parts if it is a negation, conjunction or
    /// disjunction; [`NumericDomain::decide`] takes these apart.
    fn known(&self, terms: &Terms, formula: Term) -> Option<bool>;
    /// Unsigned bounds of a term, both inclusive: all models of γ(self) give it a value within.
    fn range(&self, terms: &Terms, term: Term) -> (u128, u128);
    /// Signed bounds of a term, likewise.
    fn signed_range(&self, terms: &Terms, term: Term) -> (i128, i128);
    /// Adds a condition that some model of γ(self) fulfils: γ(self) ∩ ⟦condition⟧ ⊆ γ(after) ⊆ γ(self).
    fn assume(&mut self, terms: &Terms, condition: Term);
    /// All that is known, as conditions: their models are γ(self). This is what a solver, or a proof, is told.
    fn facts(&self, terms: &Terms) -> Vec<Term>;
    /// γ(self) ∪ γ(other) ⊆ γ(join).
    fn join(&self, terms: &Terms, other: &Self) -> Self;
    /// γ(self) ∪ γ(newer) ⊆ γ(widened), and d ∇ a, (d ∇ a) ∇ b, … changes finitely often, whatever a, b, … are. Bounds that move
    /// stop at the next of `thresholds` (signed, ascending).
    fn widen(&self, terms: &Terms, newer: &Self, thresholds: &[i128]) -> Self;
    /// For γ(newer) ⊆ γ(self): γ(newer) ⊆ γ(narrowed) ⊆ γ(self), and a chain of narrowings changes finitely often.
    fn narrow(&self, terms: &Terms, newer: &Self) -> Self;

    /// What these conditions say, which some model fulfils together.
    fn of(terms: &Terms, conditions: &[Term]) -> Self {
        let mut domain = Self::default();
        domain.assume_all(terms, conditions);
        domain
    }

    /// Adds conditions that some model fulfils together.
    fn assume_all(&mut self, terms: &Terms, conditions: &[Term]) {
        // Twice, for what follows from an earlier one with what a later one says.
        for condition in conditions.iter().chain(conditions) {
            self.assume(terms, *condition);
        }
    }

    /// Gives `symbol`, of which nothing is known, the value of `value`: all models of γ(self) with that value stay.
    fn define(&mut self, terms: &Terms, symbol: SymId, value: Term) {
        let name = terms.symbol_term(symbol);
        let ((low, high), (signed_low, signed_high)) = (self.range(terms, value), self.signed_range(terms, value));
        // Bounds first: they may not follow from the equation once it has its normal form.
        for bound in (Range { low, high, signed_low, signed_high }).conditions(terms, name) {
            if self.decide(terms, bound) != Some(true) {
                self.assume(terms, bound);
            }
        }
        self.assume(terms, terms.eq(name, value));
    }

    /// The truth of a 1-bit condition in all models of γ(self), where it is cheap to decide.
    fn decide(&self, terms: &Terms, condition: Term) -> Option<bool> {
        decided(terms, condition, &|part| self.known(terms, part))
    }

    /// The only value of `term` in γ(self), if the bounds say so.
    fn constant(&self, terms: &Terms, term: Term) -> Option<u128> {
        if let Some(value) = terms.as_const(term) {
            return Some(value);
        }
        let (low, high) = self.range(terms, term);
        (low == high).then_some(low)
    }

    /// Only if γ(self) ⊆ γ(weaker).
    fn entails(&self, terms: &Terms, weaker: &Self) -> bool {
        weaker.facts(terms).into_iter().all(|fact| self.decide(terms, fact) == Some(true))
    }

    /// Forgets all symbols that `keep` does not accept: whatever values they have, the others keep theirs.
    fn project(&self, terms: &Terms, keep: &dyn Fn(SymId) -> bool) -> Self {
        let mut kept = self.facts(terms);
        kept.retain(|fact| terms.symbols_of(*fact).iter().all(|symbol| keep(*symbol)));
        Self::of(terms, &kept)
    }

    /// The same of other terms in place of some symbols.
    fn rename(&self, terms: &Terms, names: &FxHashMap<SymId, Term>) -> Self {
        let renamed: Vec<Term> = self.facts(terms).into_iter().map(|fact| terms.substitute(fact, names)).collect();
        Self::of(terms, &renamed)
    }
}

/// A condition is taken apart into no more formulas.
const MOST_PARTS: usize = 200;

/// The truth of a 1-bit condition from that of its parts: `known` is asked of each formula before its operands are.
pub fn decided(terms: &Terms, condition: Term, known: &impl Fn(Term) -> Option<bool>) -> Option<bool> {
    decided_once(terms, condition, known, &mut FxHashMap::default())
}

/// [`decided`], with what was found of formulas met before: they share parts.
fn decided_once(
    terms: &Terms,
    condition: Term,
    known: &impl Fn(Term) -> Option<bool>,
    met: &mut FxHashMap<Term, Option<bool>>,
) -> Option<bool> {
    if let Some(value) = terms.as_const(condition) {
        return Some(value != 0);
    }
    if let Some(truth) = met.get(&condition) {
        return *truth;
    }
    if met.len() == MOST_PARTS {
        return None;
    }
    let truth = known(condition);
    met.insert(condition, truth);
    if truth.is_some() || terms.width(condition) != 1 {
        return truth;
    }
    // `A and B` when `absorbing` is false, `A or B` when it is true.
    let mut both = |left: Term, right: Term, absorbing: bool| {
        let left = decided_once(terms, left, known, met);
        if left == Some(absorbing) {
            return left;
        }
        let right = decided_once(terms, right, known, met);
        if right == Some(absorbing) { right } else { left.and(right) }
    };
    let truth = match terms.node(condition) {
        Node::Bin(Op::And, left, right) => both(left, right, false),
        Node::Bin(Op::Or, left, right) => both(left, right, true),
        Node::Not(inner) => decided_once(terms, inner, known, met).map(|truth| !truth),
        _ => None,
    };
    met.insert(condition, truth);
    truth
}
