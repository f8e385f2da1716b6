//! What an exploration has seen at its cut points: widening and joining need a memory, and this is all of it.

use rustc_hash::FxHashMap;

use super::explore::Domain;

/// A place where runs may meet again: every cycle passes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutPoint<P> {
    /// Where states are compared, and one [`Domain::History`] is kept.
    pub place: P,
    /// States are made to allow more here, by [`Domain::widen`] and [`Domain::join`].
    pub weakens: bool,
}

/// What was seen so far, place by place.
///
/// Nodes that are taken out again leave their traces here: what was seen of them still counts. That only makes later states
/// allow more, and lets widening come to an end however often a subtree is explored again.
pub struct Histories<D: Domain>(FxHashMap<D::Place, D::History>);

impl<D: Domain> Default for Histories<D> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<D: Domain> Histories<D> {
    /// Makes of `state`, which has come to the cut point `at`, what is kept of it there; what to compare it by.
    pub fn arrive(&mut self, domain: &D, at: CutPoint<D::Place>, state: &mut D::State) -> (D::Key, D::Facts) {
        if !at.weakens {
            return domain.form(state);
        }
        let history = self.0.entry(at.place).or_default();
        domain.widen(history, state);
        domain.join(history, state)
    }

    /// What the state that waited at the cut point `at` is compared by, if something met since allows all it does.
    pub fn subsumed_by_newer(
        &self,
        domain: &D,
        at: CutPoint<D::Place>,
        state: &D::State,
    ) -> Option<(D::Key, D::Facts)> {
        domain.subsumed_by_newer(self.0.get(&at.place)?, state)
    }

    /// Nothing was seen.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
