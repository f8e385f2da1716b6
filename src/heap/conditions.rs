//! What follows from a state: conditions that hold in all of its runs, or in some, and what is left when they are forgotten.

use super::graph::Smg;
use crate::smt::{SymId, Term};

impl Smg {
    /// Whether the condition holds in all runs, as far as the solver can tell.
    pub(crate) fn surely(&self, condition: Term) -> bool {
        let context = self.context.clone();
        match self.decide_condition(condition) {
            Some(truth) => truth,
            None => !self.store.may_hold(&context, context.terms.not(condition), &[]),
        }
    }

    /// Keeps only the constraints that `keep` accepts.
    pub(crate) fn weaken(&mut self, keep: &dyn Fn(Term) -> bool) {
        let context = self.context.clone();
        let objects: Vec<(SymId, Term)> = self
            .objects
            .values()
            .filter_map(|object| Some((context.terms.as_symbol(object.address)?, object.size)))
            .collect();
        self.store.weaken(&context, &objects, keep);
    }

    /// All that is known of the symbols.
    pub fn facts(&self) -> Vec<Term> {
        let mut facts: Vec<Term> = self.store.constraints().iter().copied().collect();
        self.store.add_bounds(&self.context, &mut facts);
        facts
    }
}
