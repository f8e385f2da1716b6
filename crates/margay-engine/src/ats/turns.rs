//! The nodes that wait to be expanded, in the order of their turns.

use std::collections::BTreeMap;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::evidence::NodeId;

/// Where a state stands: each number within what the ones before it name.
pub type Places = SmallVec<[u32; 8]>;

/// When a state's turn is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// In the order of discovery.
    #[default]
    Found,
    /// Lower places first, round by round: what is no further on than where runs come from begins the next round.
    Rounds(Places),
    /// The same, but all that places name has rounds of its own: loops come to an end before runs go on that left them.
    ///
    /// Source: the recursive strategy of Bourdoncle (FMPA'93), with the rounds of a loop distinguished.
    Nested(Places),
}

/// The rounds that runs have begun and where they stand: in turns for [`Order::Nested`], otherwise one round before all places.
type Progress = SmallVec<[u32; 16]>;

/// When a node's turn is: by its progress, then by who came first.
pub(super) type Turn = (Progress, u32);

/// The waiting nodes with their states.
pub(super) struct Turns<S> {
    waiting: BTreeMap<Turn, (NodeId, Rc<S>)>,
    /// Of the node that is being expanded.
    now: Progress,
    next: u32,
}

impl<S> Default for Turns<S> {
    fn default() -> Self {
        Self { waiting: BTreeMap::new(), now: Progress::from_slice(&[0]), next: 0 }
    }
}

impl<S> Turns<S> {
    /// The next node, whose expansion begins.
    pub fn next_turn(&mut self) -> Option<(NodeId, Rc<S>)> {
        let ((now, _), next) = self.waiting.pop_first()?;
        self.now = now;
        Some(next)
    }

    /// The progress of runs that come from the node that is being expanded to `order`.
    fn progress(&self, order: &Order) -> Progress {
        match order {
            Order::Found => Progress::from_slice(&[0]),
            Order::Rounds(places) => {
                let round = self.now[0] + u32::from(places[..] <= self.now[1..]);
                std::iter::once(round).chain(places.iter().copied()).collect()
            }
            Order::Nested(places) => self.nested(places),
        }
    }

    fn nested(&self, places: &Places) -> Progress {
        let mut progress = Progress::new();
        // Round and place, as long as runs stay within the same.
        let mut now = self.now.chunks(2);
        let mut is_within = true;
        for (index, &place) in places.iter().enumerate() {
            let here = if is_within { now.next() } else { None };
            let round = here.map_or(0, |here| here[0]);
            let at = here.and_then(|here| here.get(1)).copied();
            is_within = at == Some(place) && index + 1 < places.len() && now.len() > 0;
            let begins = !is_within && at.is_some_and(|at| place <= at);
            progress.extend([round + u32::from(begins), place]);
        }
        progress
    }

    pub fn push(&mut self, order: &Order, node: NodeId, state: Rc<S>) {
        let turn = (self.progress(order), self.next);
        self.next += 1;
        self.waiting.insert(turn, (node, state));
    }

    /// The nodes that wait in the same round at `order`.
    pub fn beside(&self, order: &Order) -> impl Iterator<Item = (&Turn, NodeId, &Rc<S>)> {
        let progress = self.progress(order);
        let turns = self.waiting.range((progress.clone(), 0)..=(progress, u32::MAX));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The places whose turns come, in order, where runs go from each to those that `next` says of its number and place.
    fn turns(next: impl Fn(u32, &[u32]) -> Vec<Order>) -> Vec<Vec<u32>> {
        let mut turns: Turns<Vec<u32>> = Turns::default();
        let mut taken = Vec::new();
        turns.push(&Order::Nested(Places::from_slice(&[0])), NodeId(0), Rc::new(vec![0]));
        while let Some((_, places)) = turns.next_turn() {
            for order in next(taken.len() as u32, &places) {
                let (Order::Nested(places) | Order::Rounds(places)) = &order else { continue };
                turns.push(&order, NodeId(0), Rc::new(places.to_vec()));
            }
            taken.push(places.to_vec());
        }
        taken
    }

    fn nested(places: &[u32]) -> Order {
        Order::Nested(Places::from_slice(places))
    }

    #[test]
    fn inner_loops_end_before_runs_go_on() {
        // Heads at 1 and 2; 3 follows the inner loop, 4 the outer one. Each goes round twice, and at the inner head runs leave each time.
        let taken = turns(|number, places| match places {
            [0] => vec![nested(&[1, 1])],
            [1, 1] if number < 8 => vec![nested(&[1, 2, 2]), nested(&[4])],
            [1, 1] => vec![nested(&[4])],
            [1, 2, 2] if number < 4 => vec![nested(&[1, 3]), nested(&[1, 2, 2])],
            [1, 2, 2] => vec![nested(&[1, 3])],
            [1, 3] => vec![nested(&[1, 1])],
            _ => vec![],
        });
        let last = |places: &Vec<u32>| *places.last().unwrap();
        assert_eq!(taken.iter().map(last).collect::<Vec<_>>(), [0, 1, 2, 2, 2, 3, 3, 3, 1, 1, 1, 4, 4, 4, 4]);
    }

    #[test]
    fn rounds_go_on_together() {
        let rounds = |places: &[u32]| Order::Rounds(Places::from_slice(places));
        // Who leaves the loop at 1 in the first round has its turn at 2 before the second round.
        let taken = turns(|number, places| match places {
            [0] => vec![rounds(&[1])],
            [1] if number < 4 => vec![rounds(&[1]), rounds(&[2])],
            _ => vec![],
        });
        assert_eq!(taken.iter().map(|places| places[0]).collect::<Vec<_>>(), [0, 1, 2, 1, 2, 1]);
    }
}
