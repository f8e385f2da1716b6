//! The proof checker: from each state of a proof it runs the transfer functions to the next places where runs meet, and wants
//! every arrival to be a special case of some state of the proof. It shares the semantics and the notion of covering
//! with nobody's worklist, widening, folding or cache.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::covers::covers;
use super::embedding::Embedding;
use super::verify::verify;
use crate::ats::{Asked, CheckReport, Checked, Claim, Domain, Explorer, NodeId, ProofId, Refused};
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::calls::{Apart, Calls};
use crate::cfa::Step;
use crate::cfa::{Edge, Program};
use crate::heap::{Smg, State, Store};
use crate::memory::{Checks, Outcome, Reason, Stuck, fault_span, find_leak, initial, step};

/// The states an exploration ended with, and where it says that their runs lead.
#[derive(Clone, Default)]
pub struct Proof {
    /// Of the exploration that ended with it, if there was one.
    id: Option<ProofId>,
    pub states: Vec<Rc<State>>,
    /// The functions that were followed apart from their callers.
    pub(crate) apart: Apart,
    /// By state: the context it belongs to; the program's start is in the first.
    pub(crate) contexts: Vec<usize>,
    /// By context: its entry.
    pub(crate) entries: Vec<usize>,
    /// By state and steps taken: the states reached, in order. Only a hint.
    hints: FxHashMap<(usize, Vec<Step>), Vec<usize>>,
}

/// A checked arrival: how it was reached, and how it lies within which state.
#[derive(Clone, Debug)]
pub struct Landing {
    pub path: Vec<Step>,
    pub target: usize,
    pub embedding: Embedding,
}

/// Where the checker gets the way an arrival lies within a state from.
pub(crate) enum Evidence {
    /// It looks for it.
    Search,
    /// It looks for it and writes it down.
    Record,
    /// It is told; what remains is verified.
    Given,
}

/// One check under way.
pub(crate) struct Checker<'a> {
    pub(super) calls: &'a Calls,
    pub(super) proof: &'a Proof,
    pub(super) checks: Checks,
    limits: &'a Limits,
    pub(super) states: Vec<State>,
    /// By context and call stack.
    by_stack: FxHashMap<(usize, Vec<u32>), Vec<usize>>,
    /// The entries of contexts, by call stack.
    entries: FxHashMap<Vec<u32>, Vec<usize>>,
    evidence: Evidence,
    /// By state; the start comes before all of them.
    pub start: Option<Landing>,
    pub landings: Vec<Vec<Landing>>,
}

impl Proof {
    /// What `explorer` ended with, which followed these functions apart from their callers.
    pub fn of<D>(explorer: &Explorer<D>, apart: Apart) -> Self
    where
        D: Domain<State = State, Move = Rc<[Step]>>,
    {
        let mut position: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut states = Vec::new();
        let mut contexts = Vec::new();
        for (node, state) in explorer.states() {
            position.insert(node, states.len());
            contexts.push(explorer.nodes()[node.index()].context.index());
            states.push(state.clone());
        }
        // The state before a node, and the steps from there to the end of `last`, which starts at the node.
        let from_state = |node: NodeId, last: &Rc<[Step]>| {
            let mut moves: Vec<&Rc<[Step]>> = vec![last];
            let mut at = node;
            while !position.contains_key(&at) {
                let (parent, steps) = explorer.nodes()[at.index()].parent.as_ref()?;
                moves.push(steps);
                at = *parent;
            }
            let path: Vec<Step> = moves.into_iter().rev().flat_map(|steps| steps.iter().copied()).collect();
            Some((*position.get(&at)?, path))
        };
        let reached = (1..explorer.nodes().len()).filter_map(|index| {
            let id = NodeId::from_index(index);
            let node = &explorer.nodes()[index];
            let (parent, steps) = node.parent.as_ref()?;
            Some((*parent, steps, node.covered_by.unwrap_or(id)))
        });
        let mut hints: FxHashMap<(usize, Vec<Step>), Vec<usize>> = FxHashMap::default();
        for (node, last, target) in reached.chain(explorer.calls()) {
            if let Some(&target) = position.get(&target)
                && let Some(from) = from_state(node, last)
            {
                hints.entry(from).or_default().push(target);
            }
        }
        let entries = explorer.entries().filter_map(|node| position.get(&node).copied()).collect();
        Self { id: explorer.proof_id(), states, apart, contexts, entries, hints }
    }

    /// States with the context of each and the entries of contexts, without a hint where their runs lead.
    pub(crate) fn written(states: Vec<Rc<State>>, apart: Apart, contexts: Vec<usize>, entries: Vec<usize>) -> Self {
        Self { id: None, states, apart, contexts, entries, hints: FxHashMap::default() }
    }
}

/// Functions and places of a call stack.
fn stack(state: &State) -> Vec<u32> {
    state.frames.iter().flat_map(|frame| [frame.function.0, frame.at.0]).collect()
}

/// A state as a proof means it: what it says follows from its graph and its constraints alone.
fn bare(state: &State) -> State {
    let mut state = state.clone();
    let memory = &mut state.memory;
    let context = memory.context().clone();
    let objects: Vec<_> = memory
        .objects
        .values()
        .filter_map(|object| Some((context.terms.as_symbol(object.address)?, object.size)))
        .collect();
    let constraints: Vec<_> = memory.store.constraints().iter().copied().collect();
    memory.store = Store::of(&context, &objects, &constraints);
    memory.history.clear();
    state
}

/// Accepts or refuses `proof` that `program` violates nothing of `checks`.
///
/// # Errors
/// Why it is refused.
pub fn check(
    program: &Program,
    checks: Checks,
    proof: &Proof,
    limits: &Limits,
) -> Result<(Checked, CheckReport), Refused> {
    let calls = Calls::new(program, proof.apart);
    let mut checker = Checker::new(&calls, checks, limits, proof, Evidence::Search)?;
    crate::ats::check(&mut checker, limits)
}

/// What goes on from a state, with the edge taken, and how many runs end there.
type Steps = (Vec<(u32, State, Reason)>, usize);

impl<'a> Checker<'a> {
    pub fn new(
        calls: &'a Calls,
        checks: Checks,
        limits: &'a Limits,
        proof: &'a Proof,
        evidence: Evidence,
    ) -> Result<Self, Refused> {
        let states: Vec<State> = proof.states.iter().map(|state| bare(state)).collect();
        let mut by_stack: FxHashMap<(usize, Vec<u32>), Vec<usize>> = FxHashMap::default();
        let mut entries: FxHashMap<Vec<u32>, Vec<usize>> = FxHashMap::default();
        for &entry in proof.entries.iter().skip(1) {
            entries.entry(stack(&states[entry])).or_default().push(entry);
        }
        for (index, state) in states.iter().enumerate() {
            super::well_formed::well_formed(calls, state)
                .map_err(|why| Refused { state: Some(NodeId::from_index(index)), ..Refused::new(why) })?;
            by_stack.entry((proof.contexts[index], stack(state))).or_default().push(index);
        }
        if let Some(state) = states.first() {
            state.memory.context().set_limits(limits);
        }
        let (start, landings) = (None, Vec::new());
        Ok(Self { calls, proof, checks, limits, states, by_stack, entries, evidence, start, landings })
    }

    fn program(&self) -> &'a Program {
        self.calls.program()
    }

    /// The states as they are meant.
    pub fn given(&self) -> &[State] {
        &self.states
    }

    pub(super) fn refused(&self, why: impl Into<String>, span: Span) -> Refused {
        Refused { pos: Some(self.program().source.pos(span.start)), ..Refused::new(why) }
    }

    /// Where `state` stands, in the user's text.
    pub(super) fn span(&self, state: &State) -> Span {
        let top = state.top();
        let location = self.program().function(top.function).location(top.at);
        state.user_span(self.program(), location.edges.first().map(|edge| edge.span).unwrap_or_default())
    }

    fn is_meeting_point(&self, state: &State) -> bool {
        let top = state.top();
        let location = self.program().function(top.function).location(top.at);
        location.loop_head || location.join
    }

    pub(super) fn no_leak(&self, state: &State) -> Result<(), Refused> {
        match self.checks.memtrack.then(|| find_leak(state)).flatten() {
            Some(fault) => Err(self.refused(fault.detail.to_string(), self.span(state))),
            None => Ok(()),
        }
    }

    /// One step by every edge; what goes on, with the edge taken.
    fn steps(&self, state: State) -> Result<Steps, Refused> {
        let top = state.top();
        let edges: &[Edge] = &self.program().function(top.function).location(top.at).edges;
        let mut ends = 0;
        let mut onwards = Vec::new();
        let mut outcomes = 0;
        let span = self.span(&state);
        let mut rest = Some(state);
        for (index, edge) in edges.iter().enumerate() {
            let is_last = index + 1 == edges.len();
            let Some(from) = (if is_last { rest.take() } else { rest.clone() }) else { break };
            for outcome in step(self.program(), &self.checks, from, edge) {
                outcomes += 1;
                match outcome {
                    Outcome::Next(state, Reason::Halted(_) | Reason::Trapped(_)) => {
                        self.no_leak(&state)?;
                        ends += 1;
                    }
                    Outcome::Next(state, reason) => onwards.push((index as u32, state, reason)),
                    Outcome::Fault(state, fault) => {
                        let why = format!("{} is not excluded", fault.detail);
                        return Err(self.refused(why, fault_span(self.program(), &state, edge)));
                    }
                    Outcome::Stuck(state, stuck) => {
                        return Err(self.refused(stuck.to_string(), fault_span(self.program(), &state, edge)));
                    }
                    Outcome::Miss(state, miss) => {
                        let why = Stuck::from(miss).to_string();
                        return Err(self.refused(why, fault_span(self.program(), &state, edge)));
                    }
                }
            }
        }
        // A single assumption may block; a branch must have a way to go on.
        if outcomes == 0 && edges.len() != 1 {
            return Err(self.refused("control cannot go on", span));
        }
        Ok((onwards, ends))
    }

    /// How `state`, which `path` from `from` led to, lies within a state of the proof: one of its own context, or the entry
    /// of any context.
    fn land(
        &self,
        from: Option<usize>,
        path: &[Step],
        nth: usize,
        state: &State,
        enters: bool,
    ) -> Option<(usize, Embedding)> {
        let context = from.map_or(0, |from| self.proof.contexts[from]);
        let candidates =
            if enters { self.entries.get(&stack(state)) } else { self.by_stack.get(&(context, stack(state))) }?;
        if let Evidence::Given = self.evidence {
            let landing = match from {
                None => self.start.as_ref(),
                Some(from) => self.landings.get(from)?.get(nth),
            }?;
            let old = self.states.get(landing.target).filter(|_| landing.path == path)?;
            candidates.contains(&landing.target).then_some(())?;
            return Some((landing.target, verify(old, state, &landing.embedding, false)?));
        }
        let hinted = from.and_then(|from| self.proof.hints.get(&(from, path.to_vec()))).map_or(&[][..], Vec::as_slice);
        let others = candidates.iter().filter(|candidate| !hinted.contains(candidate));
        hinted
            .iter()
            .filter(|hint| candidates.contains(hint))
            .chain(others)
            .find_map(|&target| Some((target, covers(&self.states[target], state)?)))
    }
}

impl Claim for Checker<'_> {
    fn asked(&self) -> Asked {
        Asked::new(self.calls.fingerprint(), self.checks)
    }

    fn proof(&self) -> Option<ProofId> {
        self.proof.id
    }

    fn states(&self) -> usize {
        self.states.len()
    }

    fn check_start(&mut self) -> Result<(), Refused> {
        let Some(first) = self.states.first() else { return Err(Refused::new("it has no states")) };
        let context = first.memory.context().clone();
        let state = initial(self.program(), Smg::new(context)).map_err(|stuck| Refused::new(stuck.to_string()))?;
        let (target, embedding) = self
            .land(None, &[], 0, &state, false)
            .ok_or_else(|| Refused::new("no state covers the program's start"))?;
        if let Evidence::Record = self.evidence {
            self.start = Some(Landing { path: Vec::new(), target, embedding });
        }
        Ok(())
    }

    fn check_state(&mut self, index: usize) -> Result<usize, Refused> {
        let mut walk = Walk { from: index, landings: Vec::new(), arrivals: 0, work: Vec::new() };
        let mut ends = 0;
        // From the exit of a context runs go on with its callers.
        if !self.calls.is_outside(self.states[index].top().function) {
            walk.work.push((self.states[index].clone(), Vec::new()));
        }
        while let Some((state, path)) = walk.work.pop() {
            self.limits.check_time()?;
            let (function, at) = (state.top().function, state.top().at);
            let (onwards, ended) = self.steps(state)?;
            ends += ended;
            let splits = onwards.len() > 1;
            let mut rest = Some(path);
            let count = onwards.len();
            let done = walk.work.len();
            for (position, (edge, state, reason)) in onwards.into_iter().enumerate() {
                let Some(mut path) = (if position + 1 == count { rest.take() } else { rest.clone() }) else { break };
                path.push(Step { function, at, edge });
                match reason {
                    Reason::Entered(callee) if self.calls.plan_of(callee).is_some() => {
                        self.call(&mut walk, callee, state, path)?;
                    }
                    Reason::Returned(_) if self.calls.is_outside(state.top().function) => {
                        self.no_leak(&state)?;
                        self.arrive(&mut walk, &state, path, false)?;
                    }
                    _ => self.go_on(&mut walk, state, path, splits)?,
                }
            }
            walk.work[done..].reverse();
        }
        match self.evidence {
            Evidence::Search => {}
            Evidence::Record => self.landings.push(walk.landings),
            Evidence::Given if self.landings.get(index).is_some_and(|given| given.len() == walk.arrivals) => {}
            Evidence::Given => return Err(Refused::new("it has edges that no run takes")),
        }
        Ok(walk.arrivals + ends)
    }
}

/// The walk from one state to where its runs arrive.
pub(super) struct Walk {
    from: usize,
    landings: Vec<Landing>,
    arrivals: usize,
    work: Vec<(State, Vec<Step>)>,
}

impl Checker<'_> {
    /// Some state of the proof covers `state`; which.
    pub(super) fn arrive(
        &self,
        walk: &mut Walk,
        state: &State,
        path: Vec<Step>,
        enters: bool,
    ) -> Result<usize, Refused> {
        let landed = self.land(Some(walk.from), &path, walk.arrivals, state, enters);
        let Some((target, embedding)) = landed else {
            return Err(self.refused("an arrival is covered by no state", self.span(state)));
        };
        walk.arrivals += 1;
        if let Evidence::Record = self.evidence {
            walk.landings.push(Landing { path, target, embedding });
        }
        Ok(target)
    }

    /// The walk goes on from `state`, or ends where runs meet. Leaks are looked for where exploration has nodes.
    pub(super) fn go_on(&self, walk: &mut Walk, state: State, path: Vec<Step>, is_node: bool) -> Result<(), Refused> {
        let meets = self.is_meeting_point(&state);
        if is_node || meets {
            self.no_leak(&state)?;
        }
        if meets {
            self.arrive(walk, &state, path, false)?;
        } else {
            walk.work.push((state, path));
        }
        Ok(())
    }
}
