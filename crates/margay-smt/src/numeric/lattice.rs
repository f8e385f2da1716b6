//! Joining, widening and narrowing of conditions with intervals.
//!
//! What the bounds of a result say and its conditions do not becomes conditions too: a proof holds conditions only.

use super::domain::NumericDomain;
use super::intervals::Intervals;
use super::range::Range;
use crate::smt::{SymId, Term, Terms};

impl Intervals {
    pub(super) fn joined(&self, terms: &Terms, other: &Self) -> Self {
        let mut kept = self.that_follow_from(terms, other);
        kept.extend(other.that_follow_from(terms, self));
        Self::with(terms, &kept, self.together(other, |_, own, others| own.hull(others)))
    }

    pub(super) fn widened(&self, terms: &Terms, newer: &Self, thresholds: &[i128]) -> Self {
        let kept = self.that_follow_from(terms, newer);
        let widen = |symbol, own: &Range, newer: &Range| own.widen(newer, thresholds, terms.symbol_info(symbol).width);
        Self::with(terms, &kept, self.together(newer, widen))
    }

    pub(super) fn narrowed(&self, terms: &Terms, newer: &Self) -> Self {
        let own: Vec<Term> = self.constraints.iter().copied().collect();
        let narrow = |symbol: &SymId| {
            let width = terms.symbol_info(*symbol).width;
            (*symbol, self.symbol_range(terms, *symbol).narrow(&newer.symbol_range(terms, *symbol), width))
        };
        Self::with(terms, &own, newer.ranges.keys().chain(self.ranges.keys()).map(narrow))
    }

    /// The conditions of `self` that hold in `other` as well.
    fn that_follow_from(&self, terms: &Terms, other: &Self) -> Vec<Term> {
        let holds = |condition: &Term| other.decide(terms, *condition) == Some(true);
        self.constraints.iter().copied().filter(holds).collect()
    }

    /// What `both` makes of the bounds of symbols that are bounded on both sides; others stay unbounded.
    fn together(&self, other: &Self, both: impl Fn(SymId, &Range, &Range) -> Range) -> Vec<(SymId, Range)> {
        let bounded = |(symbol, own): (&SymId, &Range)| Some((*symbol, both(*symbol, own, other.ranges.get(symbol)?)));
        self.ranges.iter().filter_map(bounded).collect()
    }

    fn with(terms: &Terms, conditions: &[Term], bounds: impl IntoIterator<Item = (SymId, Range)>) -> Self {
        let mut result = Self::of(terms, conditions);
        for (symbol, range) in bounds {
            for condition in range.conditions(terms, terms.symbol_term(symbol)) {
                if result.decide(terms, condition) != Some(true) {
                    result.assume(terms, condition);
                }
            }
        }
        result
    }
}
