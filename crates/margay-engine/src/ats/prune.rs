//! Taking nodes out again, so that a finer abstraction can explore what is below them anew.

use std::collections::BTreeSet;

use super::explore::{Domain, Ending, Explorer, START};
use crate::evidence::NodeId;

impl<D: Domain> Explorer<D> {
    /// Forgets everything that was found from `cut` on, and explores it again from the nearest states before it. What
    /// removed nodes covered, or removed entries stood for, is explored again as well; all else stays.
    ///
    /// Source: cut state and removal of its subtree, section 4.2 of the thesis on list-length thresholds.
    pub fn explore_again(&mut self, cut: NodeId) {
        self.proof_id = None;
        let before = self.nodes[cut.index()].parent.as_ref().map_or(cut, |(parent, _)| *parent);
        let mut again: BTreeSet<NodeId> = BTreeSet::from([self.nearest_state(before)]);
        let removed = loop {
            let removed = self.below(&again);
            let is_removed = |node: NodeId| removed[node.index()];
            let mut more: BTreeSet<NodeId> = BTreeSet::new();
            for node in self.nodes.iter().enumerate().filter(|(index, node)| !removed[*index] && !node.removed) {
                if node.1.covered_by.is_some_and(is_removed) {
                    more.extend(node.1.parent.as_ref().map(|(parent, _)| self.nearest_state(*parent)));
                }
            }
            for context in self.contexts.iter().filter(|context| is_removed(context.entry)) {
                let waiting = context.waiters.iter().map(|call| call.at).filter(|at| !is_removed(*at));
                more.extend(waiting.map(|at| self.nearest_state(at)));
            }
            more.retain(|node| !is_removed(*node) && !again.contains(node));
            if more.is_empty() {
                break removed;
            }
            again.extend(more);
        };
        self.remove(&removed, &again);
        for node in again.into_iter().filter(|node| !removed[node.index()]) {
            if let Some(state) = self.kept[node.index()].clone()
                && !self.work.contains(node)
            {
                self.work.push(&self.domain().order(&state), node, state);
            }
        }
    }

    /// The node itself or the last one before it whose state is kept and which was expanded from that state.
    fn nearest_state(&self, node: NodeId) -> NodeId {
        let mut at = node;
        loop {
            let here = &self.nodes[at.index()];
            match &here.parent {
                // An exit of a function is kept, but nothing is expanded from it.
                Some((parent, _)) if self.kept[at.index()].is_none() || self.is_exit(at) => at = *parent,
                _ => return at,
            }
        }
    }

    fn is_exit(&self, node: NodeId) -> bool {
        let context = self.nodes[node.index()].context;
        context != START && self.contexts[context.index()].exits.iter().any(|(exit, _)| *exit == node)
    }

    /// What was found from these nodes on, by node.
    fn below(&self, roots: &BTreeSet<NodeId>) -> Vec<bool> {
        let mut removed = vec![false; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            // Nodes come after those they were found from.
            let gone = |other: NodeId| removed[other.index()];
            let from = |parent: NodeId| gone(parent) || roots.contains(&parent);
            removed[index] = node.parent.as_ref().is_some_and(|(parent, _)| from(*parent))
                || node.after.is_some_and(gone)
                || (node.context != START && gone(self.contexts[node.context.index()].entry));
        }
        removed
    }

    /// What happened at nodes that are expanded again goes too: it will happen again, or not any more.
    fn remove(&mut self, removed: &[bool], again: &BTreeSet<NodeId>) {
        let gone = |node: NodeId| removed[node.index()];
        let undone = |at: &Ending<D::Move>| gone(at.from) || again.contains(&at.from) || at.after.is_some_and(gone);
        for (index, node) in self.nodes.iter_mut().enumerate().filter(|(index, _)| removed[*index]) {
            node.removed = true;
            self.kept[index] = None;
            self.weakened.remove(&NodeId::from_index(index));
        }
        for reached in [&mut self.reached, &mut self.exits] {
            reached.values_mut().for_each(|known| known.retain(|(node, _)| !gone(*node)));
        }
        let contexts = &mut self.contexts;
        for known in self.entries.values_mut() {
            known.retain(|(context, _)| !gone(contexts[context.index()].entry));
        }
        for context in contexts.iter_mut() {
            context.exits.retain(|(exit, _)| !gone(*exit));
            context.waiters.retain(|call| !gone(call.at) && !again.contains(&call.at));
        }
        self.work.retain(|node| !gone(node));
        self.pending.retain(|pending| !undone(&pending.at));
        self.stuck.retain(|(at, _)| !undone(at));
        self.alarms.retain(|at| !undone(at));
    }
}
