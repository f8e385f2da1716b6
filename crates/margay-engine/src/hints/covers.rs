//! Whether one state is a special case of another: embeddings are proposed, and verified where it counts.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::objects::Proposal;
use super::symbols::settle;
use crate::certificate::Embedding;
use crate::cfa::{FunctionId, Program};
use crate::check::{Arrival, Binding, HintSource, verify};
use crate::frame::{Sharing, Summarised};
use crate::heap::State;
use crate::memory::Checks;
use crate::sharing::Calls;

/// Looks for embeddings, in the states that the proof names first.
pub(crate) struct Search {
    calls: Calls,
    /// Of several states the least is taken that an arrival lies within.
    is_careful: bool,
}

impl Search {
    /// For proofs that `program` is fine, with these functions followed apart from their callers. Runs that arrive one after the
    /// other by one path need not come in the order in which they were recorded, and an entry that allows more than the one a call met
    /// has exits that allow more: where that matters, a search has to be careful.
    pub fn new(program: &Program, apart: Summarised, is_careful: bool) -> Self {
        Self { calls: Calls::new(program, apart), is_careful }
    }

    /// Those of the states that an arrival lies within, the least ones first; none where that does not matter.
    fn by_size(&self, named: &[usize], arrival: &Arrival) -> Vec<usize> {
        if !self.is_careful || named.len() < 2 {
            return Vec::new();
        }
        let named: BTreeSet<usize> = named.iter().copied().collect();
        let covering: Vec<(usize, &Rc<State>)> = named
            .into_iter()
            .filter_map(|target| Some((target, arrival.proof.states.get(target)?)))
            .filter(|(_, state)| covers(state, arrival.state).is_some())
            .collect();
        let within = |target: usize, state: &State| {
            let others = covering.iter().filter(|(other, _)| *other != target);
            others.filter(|(_, other)| covers(state, other).is_some()).count()
        };
        let mut sized: Vec<(usize, usize)> =
            covering.iter().map(|(target, state)| (within(*target, state), *target)).collect();
        sized.sort_unstable();
        sized.into_iter().map(|(_, target)| target).collect()
    }
}

impl HintSource for Search {
    fn embed(&self, arrival: &Arrival, accepts: &mut dyn FnMut(usize, &Embedding) -> bool) {
        let recorded = |index: usize| arrival.recorded.get(index).map(|cover_edge| cover_edge.target);
        let start = arrival.nth.min(arrival.recorded.len());
        let named: Vec<usize> = (start..arrival.recorded.len()).chain(0..start).filter_map(recorded).collect();
        let others = arrival.candidates.iter().copied().filter(|candidate| !named.contains(candidate));
        let least = self.by_size(&named, arrival);
        for target in least.into_iter().chain(named.iter().copied()).chain(others) {
            if let Some(old) = arrival.proof.states.get(target)
                && may_cover(old, arrival.state)
                && Proposal::search(old, arrival.state, &mut |embedding| accepts(target, embedding))
            {
                return;
            }
        }
    }

    fn settle(&self, binding: &mut Binding) -> bool {
        settle(binding)
    }

    fn is_summarised(&self, function: FunctionId) -> bool {
        self.calls.is_summarised(function)
    }

    fn shared(&self, checks: &Checks, state: &State) -> Option<Vec<Sharing>> {
        self.calls.shared(checks, state)
    }
}

/// How `new` lies within `old`: every memory (with its call stack) that `new` stands for is one that `old` stands for.
/// `None` when that is not so, or not found.
pub fn covers(old: &State, new: &State) -> Option<Embedding> {
    let mut found = None;
    if may_cover(old, new) {
        Proposal::search(old, new, &mut |embedding| {
            found = verify(old, new, embedding, &settle).ok();
            found.is_some()
        });
    }
    found
}

/// A look at call stacks and constants, to be rid of hopeless pairs.
fn may_cover(old: &State, new: &State) -> bool {
    let terms = &old.memory.context().terms;
    old.frames.len() == new.frames.len()
        && old.frames.iter().zip(&new.frames).all(|(general, special)| {
            let values = || general.regs.iter().zip(&special.regs);
            general.function == special.function
                && general.at == special.at
                && values().all(|(general, special)| match (general, special) {
                    (Some(general), Some(special)) => match (terms.as_const(*general), terms.as_const(*special)) {
                        (Some(a), Some(b)) => a == b,
                        _ => true,
                    },
                    _ => true,
                })
        })
}
