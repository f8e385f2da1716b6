//! States that differ in their constraints only: after a few of them, what they do not have in common is dropped.
//! Over-approximates: fewer constraints allow more.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::canonical::{Constraints, Shape, canonical, canonical_named};
use crate::heap::State;
use crate::smt::Term;

/// The constraints met at loop heads, by shape.
#[derive(Default)]
pub(super) struct Merging {
    met: FxHashMap<Shape, Met>,
}

struct Met {
    sets: FxHashSet<Constraints>,
    /// What all of them have.
    common: BTreeSet<Term>,
}

impl Merging {
    /// The canonical form of `state`, after dropping what earlier states of its shape lack if there were more than `most` of them.
    pub fn merge(&mut self, state: &mut State, most: usize) -> (Shape, Constraints) {
        let (shape, constraints, named) = canonical_named(state, true);
        let own: BTreeSet<Term> = named.iter().map(|(canonical, _)| *canonical).collect();
        let met =
            self.met.entry(shape.clone()).or_insert_with(|| Met { sets: FxHashSet::default(), common: own.clone() });
        met.common.retain(|constraint| own.contains(constraint));
        if met.sets.len() <= most {
            met.sets.insert(constraints.clone());
        }
        if met.sets.len() <= most || met.common.len() == own.len() {
            return (shape, constraints);
        }
        let dropped: BTreeSet<Term> =
            named.iter().filter(|(canonical, _)| !met.common.contains(canonical)).map(|(_, raw)| *raw).collect();
        state.memory.weaken(&|constraint| !dropped.contains(&constraint));
        canonical(state, true)
    }
}
