//! Which states need no runs of their own, because another state allows all that they do.

use std::rc::Rc;

use super::explore::{Domain, Explorer, Meeting};
use super::history::CutPoint;
use super::turns::Order;
use crate::evidence::NodeId;

/// The last states of a place that one of another form is compared with: each costs the search of an embedding.
const MOST_STANDING: usize = 3;

impl<D: Domain> Explorer<D> {
    /// What a state meets at a cut point, and what it was before it was made to allow more.
    pub(super) fn meet(
        &mut self,
        from: NodeId,
        at: CutPoint<D::Place>,
        state: &mut D::State,
    ) -> (Meeting, Option<D::State>) {
        let before = at.weakens.then(|| state.clone());
        let (place, weakens) = (at.place.clone(), at.weakens);
        let (key, facts) = self.histories.arrive(&self.domain, at, state);
        let next = NodeId::from_index(self.nodes.len());
        let context = self.nodes[from.index()].context;
        let known = self.reached.entry((context, key)).or_default();
        let meeting = cover(&self.domain, known, next, facts);
        if !weakens || meeting != Meeting::New {
            return (meeting, before);
        }
        let standing = self.standing.entry((context, place)).or_default();
        standing.retain(|other| self.kept[other.index()].is_some());
        match first_allowing(&self.domain, &self.kept, standing.iter().rev().copied(), state) {
            Some(covering) => {
                known.retain(|(node, _)| *node != next);
                (Meeting::Covered(covering), before)
            }
            None => {
                standing.push(next);
                (Meeting::New, before)
            }
        }
    }

    /// A node of another form that was met while the node waited and allows all that it does.
    fn stands_since(&mut self, node: NodeId, state: &D::State) -> Option<NodeId> {
        let context = self.nodes[node.index()].context;
        (self.contexts[context.index()].entry != node).then_some(())?;
        let at = self.domain.cut_point(state).filter(|at| at.weakens)?;
        let standing = self.standing.get(&(context, at.place))?.iter().rev().copied();
        let newer = standing.take_while(|other| *other > node);
        let covering = first_allowing(&self.domain, &self.kept, newer, state)?;
        self.no_longer_reached(node, state);
        Some(covering)
    }

    /// Nothing is compared with the node any more.
    fn no_longer_reached(&mut self, node: NodeId, state: &D::State) {
        let context = self.nodes[node.index()].context;
        let (key, _) = self.domain.form(&mut state.clone());
        if let Some(known) = self.reached.get_mut(&(context, key)) {
            known.retain(|(known, _)| *known != node);
        }
    }

    /// The node that waits where `state` arrives stands for both from now on, if there is one; a new one is compared with others
    /// when its turn comes, with all that it stands for then.
    pub(super) fn merge(&mut self, from: NodeId, order: &Order, state: &mut D::State) -> Meeting {
        self.domain.tidy(state);
        let context = self.nodes[from.index()].context;
        let mut candidates = self
            .work
            .beside(order)
            .filter(|(_, node, _)| self.nodes[node.index()].context == context && self.kept[node.index()].is_some());
        let both = candidates.find_map(|(turn, node, waiting)| {
            let both = self.domain.merge(waiting, state)?;
            Some((turn.clone(), node, both))
        });
        drop(candidates);
        let Some((turn, node, both)) = both else { return Meeting::New };
        let both = Rc::new(both);
        self.kept[node.index()] = Some(both.clone());
        self.work.replace(&turn, both);
        Meeting::Covered(node)
    }

    /// Whether another node allows all that the node does whose turn has come.
    pub(super) fn is_covered_by_now(&mut self, node: NodeId, state: &D::State) -> bool {
        if self.kept[node.index()].is_none() {
            return false;
        }
        let covering = match D::MERGES {
            true => self.met_before(node, state),
            false => self.met_since(node, state).or_else(|| self.stands_since(node, state)),
        };
        let Some(covering) = covering else { return false };
        for other in &mut self.nodes {
            if other.covered_by == Some(node) {
                other.covered_by = Some(covering);
            }
        }
        self.nodes[node.index()].covered_by = Some(covering);
        self.kept[node.index()] = None;
        self.weakened.remove(&node);
        self.covered += 1;
        true
    }

    /// An earlier node that covers the node: what others were merged into is only now compared.
    fn met_before(&mut self, node: NodeId, state: &D::State) -> Option<NodeId> {
        self.domain.is_compared(state).then_some(())?;
        let (key, facts) = self.domain.form(&mut state.clone());
        let known = self.reached.entry((self.nodes[node.index()].context, key)).or_default();
        let Meeting::Covered(old) = cover(&self.domain, known, node, facts) else { return None };
        Some(old)
    }

    /// A node that was met while the node waited and covers it: the node was not gone on from, so the other one is not below it.
    fn met_since(&mut self, node: NodeId, state: &D::State) -> Option<NodeId> {
        let context = self.nodes[node.index()].context;
        // Calls wait for what becomes of their entry.
        (self.contexts[context.index()].entry != node).then_some(())?;
        let at = self.domain.cut_point(state).filter(|at| at.weakens)?;
        let (key, facts) = self.histories.subsumed_by_newer(&self.domain, at, state)?;
        let mut known = self.reached.get(&(context, key))?.iter();
        let (covering, _) = known.find(|(other, known)| *other != node && self.domain.entails(&facts, known))?;
        let covering = *covering;
        self.no_longer_reached(node, state);
        Some(covering)
    }
}

/// The first of a few nodes whose state allows all that `state` does.
fn first_allowing<D: Domain>(
    domain: &D,
    kept: &[Option<Rc<D::State>>],
    nodes: impl Iterator<Item = NodeId>,
    state: &D::State,
) -> Option<NodeId> {
    let allows = |node: &NodeId| kept[node.index()].as_ref().is_some_and(|general| domain.allows(general, state));
    nodes.take(MOST_STANDING).find(allows)
}

/// Looks among `reached` for a node that covers one with these facts; otherwise `next` is remembered as such a node.
pub(super) fn cover<D: Domain>(
    domain: &D,
    reached: &mut Vec<(NodeId, D::Facts)>,
    next: NodeId,
    facts: D::Facts,
) -> Meeting {
    if let Some((old, _)) = reached.iter().find(|(_, old)| domain.entails(&facts, old)) {
        return Meeting::Covered(*old);
    }
    reached.push((next, facts));
    Meeting::New
}
