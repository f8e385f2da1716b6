//! States that differ in their constraints only: after a few of them, what they do not have in common is dropped.
//! Over-approximates: fewer constraints allow more.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::canonical::{Constraints, Shape, canonical, canonical_named};
use super::limits::{MOST_BOUNDS, MOST_WEAKENED};
use crate::heap::State;
use crate::smt::{SymId, Term, relevant};

/// The constraints met at loop heads, by shape.
#[derive(Default)]
pub(super) struct Merging {
    met: FxHashMap<Shape, Met>,
}

struct Met {
    sets: FxHashSet<Constraints>,
    /// What all of them say.
    common: BTreeSet<Term>,
    /// How often something weaker took the place of what not all of them say.
    weakened: usize,
}

impl Merging {
    /// The canonical form of `state`, after dropping what earlier states of its shape lack if there were more than `most` of them.
    pub fn merge(&mut self, state: &mut State, most: usize) -> (Shape, Constraints) {
        let named = canonical_named(state, true);
        let own: BTreeSet<Term> = named.pairs.iter().map(|(canonical, _)| *canonical).collect();
        let first = || Met { sets: FxHashSet::default(), common: own.clone(), weakened: 0 };
        let met = self.met.entry(named.shape.clone()).or_insert_with(first);
        met.join(state, &own, &named.meanings);
        if met.sets.len() <= most {
            met.sets.insert(named.constraints.clone());
        }
        if met.sets.len() <= most || met.common == own {
            return (named.shape, named.constraints);
        }
        let dropped: BTreeSet<Term> =
            named.pairs.iter().filter(|(canonical, _)| !met.common.contains(canonical)).map(|(_, raw)| *raw).collect();
        let context = state.memory.context().clone();
        // What follows from the state has to be said before what it follows from is dropped.
        for implied in met.common.difference(&own) {
            state.memory.store.assume(&context, context.terms.substitute(*implied, &named.meanings));
        }
        state.memory.weaken(&|constraint| !dropped.contains(&constraint));
        state.memory.assume_counts();
        canonical(state, true)
    }
}

impl Met {
    /// Drops what `state`, whose constraints are `own` in canonical form, does not say, and takes what it says if all
    /// earlier states said so in other words.
    fn join(&mut self, state: &State, own: &BTreeSet<Term>, meanings: &FxHashMap<SymId, Term>) {
        let context = state.memory.context();
        let terms = &context.terms;
        let is_named = |term: Term| terms.symbols_of(term).iter().all(|symbol| meanings.contains_key(symbol));
        let follows = |term: Term| is_named(term) && state.memory.entails(terms.substitute(term, meanings));
        let gone: Vec<Term> =
            self.common.difference(own).filter(|constraint| !follows(**constraint)).copied().collect();
        if gone.is_empty() {
            return;
        }
        // Something weaker may go on for long, so it is looked for a few times only; bounds of one number come to an end.
        let is_bound = |constraint: &Term| terms.symbols_of(*constraint).len() == 1;
        if self.weakened < MOST_WEAKENED || (self.weakened < MOST_BOUNDS && gone.iter().any(is_bound)) {
            self.weakened += 1;
            let many = self.weakened > MOST_WEAKENED;
            let known: Vec<Term> = self.common.iter().copied().collect();
            let followed = |constraint: &Term| {
                let mut query = relevant(terms, &known, *constraint);
                query.push(terms.not(*constraint));
                context.check(&query).is_unsat()
            };
            let candidates = own.difference(&self.common).filter(|weaker| !many || is_bound(weaker));
            let weaker: Vec<Term> = candidates.copied().filter(followed).collect();
            self.common.extend(weaker);
        }
        self.common.retain(|constraint| !gone.contains(constraint));
    }
}
