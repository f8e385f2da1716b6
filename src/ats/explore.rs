//! The worklist.

use std::collections::VecDeque;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::base::limits::{Exhausted, Limits};
use crate::typed_id;

typed_id! {
    /// A node of one transition system.
    NodeId
}

/// What exploration needs to know of states.
pub trait Domain: Sized {
    type State;
    /// What an edge carries: enough to repeat it.
    type Move;
    /// A possible violation.
    type Alarm;
    /// Equal keys: the states differ at most in their facts.
    type Key: Hash + Eq;
    /// `entails(new, old)`: whatever the new facts allow, the old ones allow.
    type Facts;

    /// Runs from `state` up to the next states worth a node.
    fn advance(&self, state: &Self::State) -> Moves<Self>;
    /// For states where runs may meet again: what to compare them by.
    fn abstraction(&self, state: &mut Self::State) -> Option<(Self::Key, Self::Facts)>;
    fn entails(&self, new: &Self::Facts, old: &Self::Facts) -> bool;
}

/// The moves from one state, each with where it leads.
pub type Moves<D> = Vec<(<D as Domain>::Move, Arrival<<D as Domain>::State, <D as Domain>::Alarm>)>;

/// Where a move leads.
#[derive(Clone, Debug)]
pub enum Arrival<S, A> {
    State(S),
    /// A possible violation, with the state restricted to the runs that violate.
    Alarm(S, A),
    /// The semantics (or the analysis) has nothing to say from here on.
    Stuck(S, Rc<str>),
    /// The program ended.
    End,
}

/// A node of the transition system.
#[derive(Debug)]
pub struct Node<M> {
    /// The node and the move it was first reached by; `None` for the initial node.
    pub parent: Option<(NodeId, M)>,
    /// Set when an earlier node allows all this one does.
    pub covered_by: Option<NodeId>,
    /// Moves from the initial node.
    pub depth: u32,
}

/// Proof that exploration visited everything: only [`Explorer::run`] makes one, and only when nothing was dropped, skipped or cut.
#[derive(Debug)]
pub struct Complete(());

/// What [`Explorer::run`] stopped for.
pub enum Finding<D: Domain> {
    /// A possible violation at the end of the path to `from`.
    Alarm { from: NodeId, state: D::State, alarm: D::Alarm },
    /// Every run was followed, but some got stuck; the reason of the first.
    Incomplete(Rc<str>),
    /// Every run was followed to its end, with no alarm and nothing stuck.
    Complete(Complete),
    /// A limit was hit; `run` may be called again.
    Exhausted(Exhausted),
}

/// An exploration that can be stopped at a finding and resumed.
pub struct Explorer<D: Domain> {
    domain: D,
    nodes: Vec<Node<D::Move>>,
    reached: FxHashMap<D::Key, Vec<(NodeId, D::Facts)>>,
    work: VecDeque<(NodeId, Rc<D::State>)>,
    /// By node: the states a proof consists of.
    kept: Vec<Option<Rc<D::State>>>,
    /// Alarms met while expanding a node, not yet reported.
    pending: VecDeque<(NodeId, D::State, D::Alarm)>,
    stuck: Option<Rc<str>>,
    alarms: usize,
    covered: usize,
}

/// What a new state met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meeting {
    /// Runs do not meet here.
    None,
    /// It is the first of its kind here.
    New,
    Covered(NodeId),
}

/// Nodes between two looks at the process's memory.
const MEMORY_CHECK_INTERVAL: usize = 256;

impl<D: Domain> Explorer<D> {
    pub fn new(domain: D, initial: D::State) -> Self {
        let mut explorer = Self {
            domain,
            nodes: Vec::new(),
            reached: FxHashMap::default(),
            work: VecDeque::new(),
            kept: Vec::new(),
            pending: VecDeque::new(),
            stuck: None,
            alarms: 0,
            covered: 0,
        };
        explorer.nodes.push(Node { parent: None, covered_by: None, depth: 0 });
        let initial = Rc::new(initial);
        explorer.kept.push(Some(initial.clone()));
        explorer.work.push_back((NodeId(0), initial));
        explorer
    }

    pub fn domain(&self) -> &D {
        &self.domain
    }

    pub fn nodes(&self) -> &[Node<D::Move>] {
        &self.nodes
    }

    /// The state of the initial node, or of one where runs meet and that no other node covers (after abstraction).
    pub fn state(&self, node: NodeId) -> Option<&Rc<D::State>> {
        self.kept.get(node.index())?.as_ref()
    }

    /// All nodes with a state, ascending. As every cycle passes one of them, they say all that exploration found.
    pub fn states(&self) -> impl Iterator<Item = (NodeId, &Rc<D::State>)> {
        let kept = self.kept.iter().enumerate();
        kept.filter_map(|(index, state)| Some((NodeId::from_index(index), state.as_ref()?)))
    }

    /// Nodes that an earlier one covers.
    pub fn covered(&self) -> usize {
        self.covered
    }

    /// Follows runs breadth first until there is something to report.
    pub fn run(&mut self, limits: &Limits) -> Finding<D> {
        let mut expanded = 0;
        loop {
            if let Some((from, state, alarm)) = self.pending.pop_front() {
                self.alarms += 1;
                return Finding::Alarm { from, state, alarm };
            }
            if let Err(exhausted) = limits.check_time() {
                return Finding::Exhausted(exhausted);
            }
            if expanded % MEMORY_CHECK_INTERVAL == 0
                && let Err(exhausted) = limits.check_memory()
            {
                return Finding::Exhausted(exhausted);
            }
            expanded += 1;
            let Some((node, state)) = self.work.pop_front() else {
                return match (&self.stuck, self.alarms) {
                    (Some(why), _) => Finding::Incomplete(why.clone()),
                    (None, 0) => Finding::Complete(Complete(())),
                    (None, _) => Finding::Incomplete("a possible violation was neither confirmed nor excluded".into()),
                };
            };
            self.expand(node, &state);
        }
    }

    fn expand(&mut self, from: NodeId, state: &D::State) {
        for (label, arrival) in self.domain.advance(state) {
            match arrival {
                Arrival::End => {}
                Arrival::Alarm(state, alarm) => self.pending.push_back((from, state, alarm)),
                Arrival::Stuck(_, why) => {
                    self.stuck.get_or_insert(why);
                }
                Arrival::State(mut state) => {
                    let id = NodeId::from_index(self.nodes.len());
                    let depth = self.nodes[from.index()].depth + 1;
                    let meeting = self.cover(id, &mut state);
                    let covered_by = match meeting {
                        Meeting::Covered(old) => Some(old),
                        Meeting::New | Meeting::None => None,
                    };
                    self.nodes.push(Node { parent: Some((from, label)), covered_by, depth });
                    let state = Rc::new(state);
                    self.kept.push((meeting == Meeting::New).then(|| state.clone()));
                    match covered_by {
                        Some(_) => self.covered += 1,
                        None => self.work.push_back((id, state)),
                    }
                }
            }
        }
    }

    /// Looks for a node that covers `state`; otherwise `state` is remembered as `id`.
    fn cover(&mut self, id: NodeId, state: &mut D::State) -> Meeting {
        let Some((key, facts)) = self.domain.abstraction(state) else { return Meeting::None };
        let reached = self.reached.entry(key).or_default();
        if let Some((old, _)) = reached.iter().find(|(_, old)| self.domain.entails(&facts, old)) {
            return Meeting::Covered(*old);
        }
        reached.push((id, facts));
        Meeting::New
    }

    #[cfg(test)]
    pub(super) fn cover_for_test(&mut self, mut state: D::State) -> Option<NodeId> {
        match self.cover(NodeId::from_index(self.nodes.len()), &mut state) {
            Meeting::Covered(old) => Some(old),
            Meeting::New | Meeting::None => None,
        }
    }
}
