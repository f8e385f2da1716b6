//! List thresholds: lists that have to be distinguished from longer ones stay as they are.
//!
//! Source: the thesis on list-length thresholds, section 4.2: naive refinement (listing 4.5), candidates (listing 4.6), the mapping of
//! start objects to lengths with exchanged start objects (listing 4.7).

use std::collections::BTreeMap;

use super::{Failure, Proposal, Refiner};
use crate::fold::{Keep, Place, lists};
use crate::heap::State;
use crate::memory::BlockId;

/// The longest list on the path, and one more.
pub struct Naive;

/// The least of the lengths of the lists on the path, and one more, that excludes the path.
pub struct Candidates;

impl Refiner for Naive {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        let seen = Seen::on(failure)?;
        let threshold = seen.lengths.values().max()? + 1;
        seen.proposal(failure, threshold)
    }
}

impl Refiner for Candidates {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        let seen = Seen::on(failure)?;
        // What goes wrong with counted lists is no matter of the first few nodes.
        if seen.places(failure).iter().all(|place| failure.precision().at(*place).counted) {
            return None;
        }
        let mut candidates = seen.candidates();
        candidates.retain(|threshold| seen.is_new(failure, *threshold));
        if failure.raised >= PATIENCE {
            let most = seen.places(failure).iter().map(|place| failure.precision().at(*place).equal_nodes).max()?;
            candidates.iter_mut().for_each(|threshold| *threshold = (most + most / 2).max(*threshold));
            candidates.dedup();
        }
        let proposals = candidates.into_iter().filter_map(|threshold| seen.proposal(failure, threshold));
        proposals.into_iter().find(|proposal| failure.is_excluded_by(&proposal.precision))
    }
}

/// Thresholds raised before they are raised by half at least. Numbers of which only bounds are kept let paths leave loops early,
/// so that each shows the list one node longer.
const PATIENCE: usize = 5;

/// The lists met on a path when nothing is folded.
#[derive(Default)]
struct Seen {
    /// The first node of each list and the greatest number of nodes it had.
    lengths: BTreeMap<BlockId, usize>,
    /// After how many steps the first one was met.
    first: Option<usize>,
}

impl Seen {
    fn on(failure: &Failure) -> Option<Self> {
        let mut seen = Self::default();
        failure.path.precisely(&mut |count, state| seen.update(count, state));
        (!seen.lengths.is_empty()).then_some(seen)
    }

    fn update(&mut self, count: usize, state: &State) {
        let mut new: Vec<(BlockId, usize)> = Vec::new();
        let mut met: Vec<BlockId> = Vec::new();
        for (start, length) in lists(state) {
            match self.lengths.get_mut(&start) {
                Some(known) => {
                    *known = length.max(*known);
                    met.push(start);
                }
                None => new.push((start, length)),
            }
        }
        if !new.is_empty() {
            self.first.get_or_insert(count);
        }
        let missing: Vec<BlockId> = self.lengths.keys().filter(|start| !met.contains(start)).copied().collect();
        // One start object for another: it is likely the same list.
        if let ([(start, length)], [gone]) = (new.as_slice(), missing.as_slice()) {
            let longest = self.lengths.remove(gone).unwrap_or_default().max(*length);
            self.lengths.insert(*start, longest);
            return;
        }
        for (start, length) in new {
            if !self.lengths.values().any(|known| *known == length) {
                self.lengths.insert(start, length);
            }
        }
    }

    /// Thresholds that keep one more of the lists as they are each, ascending.
    fn candidates(&self) -> Vec<usize> {
        let mut candidates: Vec<usize> = self.lengths.values().map(|length| length + 1).collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }

    /// Where the threshold is to hold: from the first list on.
    fn places(&self, failure: &Failure) -> Vec<Place> {
        failure.path.places(self.first.unwrap_or_default())
    }

    fn is_new(&self, failure: &Failure, threshold: usize) -> bool {
        let is_less = |keep: &Keep| keep.equal_nodes < threshold || keep.unequal_nodes < threshold;
        self.places(failure).iter().any(|place| is_less(failure.precision().at(*place)))
    }

    fn proposal(&self, failure: &Failure, threshold: usize) -> Option<Proposal> {
        let places = self.places(failure);
        let cut = failure.path.nodes.iter().find(|(count, _)| Some(*count) >= self.first)?;
        let precision = failure.precision().changed(places.iter().copied(), |keep| keep.with_threshold(threshold));
        let change = format!("list threshold {threshold} at {}", failure.in_words(&places));
        let candidates = self.candidates();
        Some(Proposal { precision, cut: cut.1, change, threshold: Some(threshold), candidates })
    }
}
