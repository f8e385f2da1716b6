//! States of one loop head that differ in how long lists are: one state stands for them. Over-approximates.

use rustc_hash::FxHashSet;

use super::canonical::{Constraints, Shape, canonical};
use crate::fold::{join_states, promote};
use crate::heap::State;

/// The states met at a loop head, joined with each other where that was possible.
#[derive(Default)]
pub(super) struct Joined {
    known: Vec<(Shape, Constraints, State)>,
    /// Whether kinds of nodes are distinguished by what is below them.
    follows: bool,
    /// What states looked like that others took the place of.
    replaced: FxHashSet<Shape>,
}

/// So many states of one place are remembered.
const MOST: usize = 24;

/// Where more of them stay apart, single nodes count as lists.
const MOST_APART: usize = 8;

impl Joined {
    /// Makes lists of single nodes in `state` where there are many states with lists of such nodes.
    pub fn promote(&self, state: &mut State) {
        if self.known.len() > MOST_APART {
            promote(state, self.known.iter().map(|(.., known)| known));
        }
    }

    /// Makes `state` allow what states met before do, where there is one state for both; `follows` says whether kinds of nodes are told
    /// apart by what is below them.
    pub fn join(&mut self, state: &mut State, follows: bool) {
        self.follows = follows;
        let mut index = 0;
        while let Some((shape, constraints, known)) = self.known.get(index) {
            let Some(both) = join_states(known, state, follows) else {
                index += 1;
                continue;
            };
            let form = canonical(&both, true);
            if form.0 == *shape && form.1.entail(constraints) {
                // All this state allows was there already.
                *state = known.clone();
                return;
            }
            *state = both;
            let (shape, ..) = self.known.remove(index);
            self.replaced.insert(shape);
        }
        if self.known.len() < MOST {
            let (shape, constraints) = canonical(state, true);
            self.known.insert(0, (shape, constraints, state.clone()));
        }
    }

    /// The form of what took the place of `state` and allows all that it does, if there is something.
    pub fn overtaking(&self, state: &State) -> Option<(Shape, Constraints)> {
        // Most often nothing was replaced, and each state that is expanded asks.
        (!self.replaced.is_empty() && self.replaced.contains(&canonical(state, true).0)).then_some(())?;
        self.known.iter().find_map(|(shape, constraints, known)| {
            let both = canonical(&join_states(known, state, self.follows)?, true);
            (both.0 == *shape && both.1.entail(constraints)).then(|| (shape.clone(), constraints.clone()))
        })
    }
}
