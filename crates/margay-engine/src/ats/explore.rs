//! The worklist.

use std::collections::VecDeque;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::covering::cover;
use super::history::{CutPoint, Histories};
use super::tokens::Complete;
use super::turns::{Order, Turns};
use crate::base::limits::{Exhausted, Limits};
use crate::cfa::{FunctionId, Loc};
use crate::evidence::{ContextId, NodeId, Obligation, ProofId};

/// What exploration needs to know of states. γ(state) is the set of configurations it stands for.
pub trait Domain: Sized {
    /// What a node has: γ of it is what runs may be in there.
    type State: Clone;
    /// What an edge carries: enough to repeat it.
    type Move: Clone;
    /// A possible violation.
    type Alarm;
    /// Equal keys: the states differ at most in their facts.
    type Key: Hash + Eq;
    /// `entails(new, old)`: whatever the new facts allow, the old ones allow.
    type Facts;
    /// What a caller keeps to itself while the function it calls is followed on its own.
    type Frame;
    /// Where cut points are distinguished.
    type Place: Clone + Hash + Eq;
    /// What widening and joining have to know of the states that came to one place. The explorer keeps it.
    type History: Default;
    /// Whether states are merged with those that wait beside them, and compared when their turn comes.
    const MERGES: bool = false;

    /// What exploration is about.
    fn obligation(&self) -> Obligation;
    /// Runs from `state` up to the next states worth a node.
    fn advance(&self, state: &Self::State) -> Moves<Self>;
    /// Whether runs that are in `state` may meet others there: such states are compared.
    fn cut_point(&self, state: &Self::State) -> Option<CutPoint<Self::Place>>;
    /// The same for the entries and exits of functions that are followed once for all callers.
    fn boundary(&self, state: &Self::State) -> CutPoint<Self::Place>;
    /// What to compare the state by, after a tidying-up that loses nothing that matters.
    fn form(&self, state: &mut Self::State) -> (Self::Key, Self::Facts);
    /// Makes the state allow more where what was seen here keeps changing, and notes what was seen: γ(before) ⊆ γ(after), and
    /// the states that runs come to here with equal keys are finitely many after it.
    fn widen(&self, _history: &mut Self::History, _state: &mut Self::State) {}
    /// What to compare a widened state by, after it was joined with what was seen here of equal form (if there was enough of it):
    /// γ(before) ⊆ γ(after).
    fn join(&self, _history: &mut Self::History, state: &mut Self::State) -> (Self::Key, Self::Facts) {
        self.form(state)
    }
    /// Whether the old facts allow whatever the new ones allow; only facts that come with equal keys are compared.
    fn entails(&self, new: &Self::Facts, old: &Self::Facts) -> bool;
    /// What a state that was joined is compared by when its turn comes, if what was met since allows all that it does: then nothing has
    /// to go on from it.
    fn subsumed_by_newer(&self, _history: &Self::History, _state: &Self::State) -> Option<(Self::Key, Self::Facts)> {
        None
    }
    /// Whether `general` allows all that `special` does, where the keys they are compared by differ: it is found out for a few states
    /// of each place where states are made to allow more.
    fn allows(&self, _general: &Self::State, _special: &Self::State) -> bool {
        false
    }
    /// When the state's turn is.
    fn order(&self, _state: &Self::State) -> Order {
        Order::default()
    }
    /// What is lost of a state before it is merged with others: nothing that matters.
    fn tidy(&self, _state: &mut Self::State) {}
    /// Of states that are merged: whether one is compared with those of earlier rounds when its turn comes. Every cycle has such a one.
    fn is_compared(&self, _state: &Self::State) -> bool {
        true
    }
    /// One state for both, where `arriving` meets one that was not gone on from yet: it allows all that either does. `None`: they
    /// stay apart.
    fn merge(&self, _waiting: &Self::State, _arriving: &Self::State) -> Option<Self::State> {
        None
    }
    /// Where runs meet, and [`Domain::advance`] went on without a node.
    fn passed(&self) -> Vec<(FunctionId, Loc)> {
        Vec::new()
    }
    /// What the caller goes on with when the function it called with `frame` kept back ends in `exit`.
    fn resume(&self, frame: &Self::Frame, exit: &Self::State) -> Vec<ArrivalOf<Self>>;
}

/// Where moves of a domain lead.
pub type ArrivalOf<D> = Arrival<<D as Domain>::State, <D as Domain>::Alarm, <D as Domain>::Frame>;

/// The moves from one state, each with where it leads.
pub type Moves<D> = Vec<(<D as Domain>::Move, ArrivalOf<D>)>;

/// Where a move leads.
#[derive(Clone, Debug)]
pub enum Arrival<S, A, F> {
    /// Runs go on in this state.
    State(S),
    /// A function is entered, to be followed once for all callers whose entry is covered by this one.
    Call {
        /// The state in which the callee begins, without what the caller keeps back.
        entry: S,
        /// What the caller keeps back.
        frame: F,
    },
    /// The function of the last [`Arrival::Call`] is left.
    Return(S),
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
    /// For what a caller goes on with: the exit of the function that the move calls.
    pub after: Option<NodeId>,
    /// Set when another node allows all this one does: an earlier one, or one that was met before this one was gone on from.
    pub covered_by: Option<NodeId>,
    /// Moves from the initial node.
    pub depth: u32,
    /// The entry it belongs to.
    pub context: ContextId,
    /// Taken out again by [`Explorer::explore_again`].
    pub removed: bool,
}

/// An entry with what is known of it: all its exits have gone to all its waiters.
///
/// Source: tabulation of interprocedural paths by Reps, Horwitz and Sagiv (POPL'95).
pub(super) struct Context<D: Domain> {
    pub entry: NodeId,
    pub exits: Vec<(NodeId, Rc<D::State>)>,
    pub waiters: Vec<Rc<Waiter<D>>>,
}

/// A call that waits for exits.
pub(super) struct Waiter<D: Domain> {
    pub at: NodeId,
    pub label: D::Move,
    pub frame: D::Frame,
}

/// How far functions were followed once for several calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summaries {
    /// Entries that were followed.
    pub entries: usize,
    /// Calls that met one of them.
    pub calls: usize,
}

impl Summaries {
    /// Calls that needed no exploration of their own.
    pub fn reused(self) -> usize {
        self.calls - self.entries
    }
}

/// What [`Explorer::run`] stopped for.
pub enum Finding<D: Domain> {
    /// A possible violation at the end of a path.
    Alarm {
        /// The last move of the path.
        at: Ending<D::Move>,
        /// The state restricted to the runs that violate.
        state: D::State,
        /// What they may violate.
        alarm: D::Alarm,
    },
    /// Every run was followed, but some got stuck; the reason of the first.
    Incomplete(Rc<str>),
    /// Every run was followed to its end, with no alarm and nothing stuck.
    Complete(Complete),
    /// A limit was hit; `run` may be called again.
    Exhausted(Exhausted),
}

/// The last move of a path that ends at no node.
#[derive(Clone, Debug)]
pub struct Ending<M> {
    /// The node that the move goes on from.
    pub from: NodeId,
    /// The move, which ends in an alarm or gets stuck.
    pub by: M,
    /// As in [`Node::after`].
    pub after: Option<NodeId>,
}

/// Nodes by context and key, with the facts that distinguish them.
pub(super) type Reached<D> = FxHashMap<(ContextId, <D as Domain>::Key), Vec<(NodeId, <D as Domain>::Facts)>>;

/// An exploration that can be stopped at a finding and resumed.
pub struct Explorer<D: Domain> {
    pub(super) domain: D,
    pub(super) histories: Histories<D>,
    pub(super) nodes: Vec<Node<D::Move>>,
    /// States of different contexts are kept apart: their exits go to different callers.
    pub(super) reached: Reached<D>,
    pub(super) exits: Reached<D>,
    pub(super) entries: FxHashMap<D::Key, Vec<(ContextId, D::Facts)>>,
    pub(super) contexts: Vec<Context<D>>,
    calls: usize,
    pub(super) work: Turns<D::State>,
    /// By node: the states a proof consists of.
    pub(super) kept: Vec<Option<Rc<D::State>>>,
    /// By node: what abstraction made the kept state of.
    pub(super) weakened: FxHashMap<NodeId, Rc<D::State>>,
    /// Where states are made to allow more: the nodes with a state, the last ones last.
    pub(super) standing: FxHashMap<(ContextId, D::Place), Vec<NodeId>>,
    pub(super) pending: VecDeque<Pending<D>>,
    /// Where runs got stuck, and why; where alarms were met.
    pub(super) stuck: Vec<(Ending<D::Move>, Rc<str>)>,
    pub(super) alarms: Vec<Ending<D::Move>>,
    pub(super) covered: usize,
    /// While it is complete: which proof its states are.
    pub(super) proof_id: Option<ProofId>,
}

/// An alarm that was met while expanding a node and not yet reported.
pub(super) struct Pending<D: Domain> {
    pub at: Ending<D::Move>,
    state: D::State,
    alarm: D::Alarm,
}

/// What a new state met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Runs do not meet here.
    None,
    /// It is the first of its kind here.
    New,
    Covered(NodeId),
}

/// The context of the program's start, which has no caller.
pub(super) const START: ContextId = ContextId(0);

/// Nodes between two looks at the process's memory.
const MEMORY_CHECK_INTERVAL: usize = 256;

impl<D: Domain> Explorer<D> {
    /// An exploration that begins in `initial`; nothing is explored yet.
    pub fn new(domain: D, initial: D::State) -> Self {
        let mut explorer = Self {
            domain,
            histories: Histories::default(),
            nodes: Vec::new(),
            reached: FxHashMap::default(),
            exits: FxHashMap::default(),
            entries: FxHashMap::default(),
            contexts: vec![Context { entry: NodeId(0), exits: Vec::new(), waiters: Vec::new() }],
            calls: 0,
            work: Turns::default(),
            kept: Vec::new(),
            weakened: FxHashMap::default(),
            standing: FxHashMap::default(),
            pending: VecDeque::new(),
            stuck: Vec::new(),
            alarms: Vec::new(),
            covered: 0,
            proof_id: None,
        };
        let first = Node { parent: None, after: None, covered_by: None, depth: 0, context: START, removed: false };
        explorer.nodes.push(first);
        let initial = Rc::new(initial);
        explorer.kept.push(Some(initial.clone()));
        let order = explorer.domain.order(&initial);
        explorer.work.push(&order, NodeId(0), initial);
        explorer
    }

    /// What gives states their meaning.
    pub(crate) fn domain(&self) -> &D {
        &self.domain
    }

    /// Changes what abstraction keeps, before [`Explorer::explore_again`]: what was seen so far no longer counts.
    pub fn change_domain(&mut self, change: impl FnOnce(&mut D)) {
        change(&mut self.domain);
        self.histories.clear();
    }

    /// All nodes in the order of discovery, those that were taken out again among them.
    pub fn nodes(&self) -> &[Node<D::Move>] {
        &self.nodes
    }

    /// The state of the initial node, or of one where runs meet and that no other node covers (after abstraction).
    pub fn state(&self, node: NodeId) -> Option<&Rc<D::State>> {
        self.kept.get(node.index())?.as_ref()
    }

    /// What abstraction made the state of the node of, if it may allow more.
    pub fn before_weakening(&self, node: NodeId) -> Option<&Rc<D::State>> {
        self.weakened.get(&node)
    }

    /// All nodes with a state, ascending. As every cycle passes one of them, they say all that exploration found.
    pub fn states(&self) -> impl Iterator<Item = (NodeId, &Rc<D::State>)> {
        let kept = self.kept.iter().enumerate();
        kept.filter_map(|(index, state)| Some((NodeId::from_index(index), state.as_ref()?)))
    }

    /// Gives up all states, and what others are compared with: once it is noted what the exploration ended with. It cannot go on.
    pub fn forget_states(&mut self) {
        self.histories.clear();
        self.kept = Vec::new();
        self.weakened = FxHashMap::default();
        (self.reached, self.exits, self.entries) = Default::default();
        self.contexts.iter_mut().for_each(|context| context.exits = Vec::new());
    }

    /// See [`Domain::passed`].
    pub fn passed(&self) -> Vec<(FunctionId, Loc)> {
        self.domain.passed()
    }

    /// Which proof the states are, once exploration is complete and until nodes are taken out again.
    pub fn proof_id(&self) -> Option<ProofId> {
        self.proof_id
    }

    /// Nodes that were not taken out again.
    pub fn live_nodes(&self) -> usize {
        self.nodes.iter().filter(|node| !node.removed).count()
    }

    /// Nodes that an earlier one covers.
    pub fn covered(&self) -> usize {
        self.covered
    }

    /// Follows runs until there is something to report.
    pub fn run(&mut self, limits: &Limits) -> Finding<D> {
        self.run_for(0, usize::MAX, limits)
    }

    /// Like [`Explorer::run`], but expands `least` nodes before it looks at the clock, so that what small programs come to
    /// does not depend on how busy the machine is, and where there are `most` nodes time is up.
    pub fn run_for(&mut self, least: usize, most: usize, limits: &Limits) -> Finding<D> {
        let mut expanded = 0;
        loop {
            if let Some(Pending { at, state, alarm }) = self.pending.pop_front() {
                self.alarms.push(at.clone());
                return Finding::Alarm { at, state, alarm };
            }
            if self.nodes.len() >= most {
                return Finding::Exhausted(Exhausted::Timeout);
            }
            if expanded >= least
                && let Err(exhausted) = limits.check_time()
            {
                return Finding::Exhausted(exhausted);
            }
            if expanded % MEMORY_CHECK_INTERVAL == 0
                && let Err(exhausted) = limits.check_memory()
            {
                return Finding::Exhausted(exhausted);
            }
            expanded += 1;
            let Some((node, state)) = self.work.next_turn() else {
                return match (self.stuck.first(), self.alarms.is_empty()) {
                    (Some((_, why)), _) => Finding::Incomplete(why.clone()),
                    (None, true) => {
                        let proof = *self.proof_id.get_or_insert_with(ProofId::next);
                        Finding::Complete(Complete::new(self.domain.obligation(), proof))
                    }
                    (None, false) => {
                        Finding::Incomplete("a possible violation was neither confirmed nor excluded".into())
                    }
                };
            };
            if !self.is_covered_by_now(node, &state) {
                self.expand(node, &state);
            }
        }
    }

    /// The entry of each context, the program's start first.
    pub fn entries(&self) -> impl Iterator<Item = NodeId> {
        self.contexts.iter().map(|context| context.entry).filter(|entry| !self.nodes[entry.index()].removed)
    }

    /// Calls of functions that are followed once for all callers: the node and the move that call, and the entry they met.
    pub fn calls(&self) -> impl Iterator<Item = (NodeId, &D::Move, NodeId)> {
        let waiters = self.contexts.iter().flat_map(|context| context.waiters.iter().map(move |met| (context, met)));
        waiters.map(|(context, waiter)| (waiter.at, &waiter.label, context.entry))
    }

    /// Functions followed once for several calls.
    pub fn summaries(&self) -> Summaries {
        Summaries { entries: self.contexts.len() - 1, calls: self.calls }
    }

    fn expand(&mut self, from: NodeId, state: &D::State) {
        for (label, arrival) in self.domain.advance(state) {
            self.arrive(from, label, arrival, None);
        }
    }

    fn arrive(&mut self, from: NodeId, label: D::Move, arrival: ArrivalOf<D>, after: Option<NodeId>) {
        match arrival {
            Arrival::End => {}
            Arrival::Alarm(state, alarm) => {
                self.pending.push_back(Pending { at: Ending { from, by: label, after }, state, alarm });
            }
            Arrival::Stuck(_, why) => self.stuck.push((Ending { from, by: label, after }, why)),
            Arrival::State(mut state) => {
                let order = self.domain.order(&state);
                let (meeting, before) = match self.domain.cut_point(&state) {
                    None => (Meeting::None, None),
                    Some(_) if D::MERGES => (self.merge(from, &order, &mut state), None),
                    Some(at) => self.meet(from, at, &mut state),
                };
                let next = NodeId::from_index(self.nodes.len());
                let state = self.add_node(from, label, meeting, state);
                self.nodes[next.index()].after = after;
                if !matches!(meeting, Meeting::Covered(_)) {
                    self.weakened.extend(before.map(|before| (next, Rc::new(before))));
                    self.work.push(&order, next, state);
                }
            }
            Arrival::Call { entry, frame } => self.call(from, label, entry, frame),
            Arrival::Return(exit) => self.leave(from, label, exit),
        }
    }

    /// A call joins those that wait for the exits of an entry that covers its own.
    fn call(&mut self, from: NodeId, label: D::Move, mut entry: D::State, frame: D::Frame) {
        self.calls += 1;
        let at = self.domain.boundary(&entry);
        let (key, facts) = self.histories.arrive(&self.domain, at, &mut entry);
        let entries = self.entries.entry(key).or_default();
        let known = entries.iter().find(|(_, old)| self.domain.entails(&facts, old)).map(|(context, _)| *context);
        let context = known.unwrap_or_else(|| {
            let context = ContextId::from_index(self.contexts.len());
            entries.push((context, facts));
            let entry = NodeId::from_index(self.nodes.len());
            self.contexts.push(Context { entry, exits: Vec::new(), waiters: Vec::new() });
            context
        });
        if known.is_none() {
            let entry = self.add_node(from, label.clone(), Meeting::New, entry);
            let node = self.last_node();
            self.nodes[node.index()].context = context;
            self.work.push(&self.domain.order(&entry), node, entry);
        }
        let waiter = Rc::new(Waiter { at: from, label, frame });
        self.contexts[context.index()].waiters.push(waiter.clone());
        for (node, exit) in self.contexts[context.index()].exits.clone() {
            self.resume(&waiter, node, &exit);
        }
    }

    /// A new exit goes to all that wait for it.
    fn leave(&mut self, from: NodeId, label: D::Move, mut exit: D::State) {
        let context = self.nodes[from.index()].context;
        if context == START {
            let at = Ending { from, by: label, after: None };
            self.stuck.push((at, "a function returns that was not called".into()));
            return;
        }
        let at = self.domain.boundary(&exit);
        let (key, facts) = self.histories.arrive(&self.domain, at, &mut exit);
        let next = NodeId::from_index(self.nodes.len());
        let meeting = cover(&self.domain, self.exits.entry((context, key)).or_default(), next, facts);
        let exit = self.add_node(from, label, meeting, exit);
        if matches!(meeting, Meeting::Covered(_)) {
            return;
        }
        self.contexts[context.index()].exits.push((next, exit.clone()));
        for waiter in self.contexts[context.index()].waiters.clone() {
            self.resume(&waiter, next, &exit);
        }
    }

    fn resume(&mut self, waiter: &Waiter<D>, node: NodeId, exit: &D::State) {
        for arrival in self.domain.resume(&waiter.frame, exit) {
            self.arrive(waiter.at, waiter.label.clone(), arrival, Some(node));
        }
    }

    fn last_node(&self) -> NodeId {
        NodeId::from_index(self.nodes.len() - 1)
    }

    fn add_node(&mut self, from: NodeId, label: D::Move, meeting: Meeting, state: D::State) -> Rc<D::State> {
        let Node { depth, context, .. } = self.nodes[from.index()];
        let covered_by = match meeting {
            Meeting::Covered(old) => Some(old),
            Meeting::New | Meeting::None => None,
        };
        self.covered += usize::from(covered_by.is_some());
        let parent = Some((from, label));
        self.nodes.push(Node { parent, after: None, covered_by, depth: depth + 1, context, removed: false });
        let state = Rc::new(state);
        self.kept.push((meeting == Meeting::New).then(|| state.clone()));
        state
    }

    #[cfg(test)]
    pub(super) fn cover_for_test(&mut self, mut state: D::State) -> Option<NodeId> {
        let at = self.domain.cut_point(&state)?;
        let (key, facts) = self.histories.arrive(&self.domain, at, &mut state);
        let next = NodeId::from_index(self.nodes.len());
        match cover(&self.domain, self.reached.entry((START, key)).or_default(), next, facts) {
            Meeting::Covered(old) => Some(old),
            Meeting::New | Meeting::None => None,
        }
    }
}
