//! The nodes that wait to be expanded, in the order of their turns.

use std::collections::BTreeMap;
use std::rc::Rc;

use smallvec::SmallVec;

use super::ids::NodeId;

/// Where a state stands: lower ones first. Empty where the order of discovery counts.
pub type Order = SmallVec<[u32; 8]>;

/// When a node's turn is: by the rounds that runs to it have begun, then by where they stand, then by who came first.
pub(super) type Turn = (u32, Order, u32);

/// The waiting nodes with their states.
pub(super) struct Turns<S> {
    waiting: BTreeMap<Turn, (NodeId, Rc<S>)>,
    /// Of the node that is being expanded.
    now: (u32, Order),
    next: u32,
}

impl<S> Default for Turns<S> {
    fn default() -> Self {
        Self { waiting: BTreeMap::new(), now: (0, Order::default()), next: 0 }
    }
}

impl<S> Turns<S> {
    /// The next node, whose expansion begins.
    pub fn next_turn(&mut self) -> Option<(NodeId, Rc<S>)> {
        let ((round, order, _), next) = self.waiting.pop_first()?;
        self.now = (round, order);
        Some(next)
    }

    /// The round of runs that come from the node that is being expanded to `order`: what is no further on begins the next one.
    fn round(&self, order: &Order) -> u32 {
        let (round, now) = &self.now;
        round + u32::from(!order.is_empty() && order <= now)
    }

    pub fn push(&mut self, order: Order, node: NodeId, state: Rc<S>) {
        let turn = (self.round(&order), order, self.next);
        self.next += 1;
        self.waiting.insert(turn, (node, state));
    }

    /// The nodes that wait in the same round at `order`.
    pub fn beside(&self, order: &Order) -> impl Iterator<Item = (&Turn, NodeId, &Rc<S>)> {
        let round = self.round(order);
        let turns = self.waiting.range((round, order.clone(), 0)..=(round, order.clone(), u32::MAX));
        turns.map(|(turn, (node, state))| (turn, *node, state))
    }

    /// Lets the node of `turn` wait with another state.
    pub fn replace(&mut self, turn: &Turn, state: Rc<S>) {
        if let Some((_, waiting)) = self.waiting.get_mut(turn) {
            *waiting = state;
        }
    }

    pub fn contains(&self, node: NodeId) -> bool {
        self.waiting.values().any(|(waiting, _)| *waiting == node)
    }

    pub fn retain(&mut self, keep: impl Fn(NodeId) -> bool) {
        self.waiting.retain(|_, (node, _)| keep(*node));
    }
}
