//! The proof checker: from each state of a proof it runs the transfer functions to the next cut points, and wants every arrival
//! to be a special case of some state of the proof. It shares the semantics with the explorations, and no worklist,
//! widening, folding, terms or caches: a proof comes in its written form, into a context of its own.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::binding::Binding;
use super::descent::Descent;
use super::gather::Symbols;
use super::hint_source::{Arrival, HintSource};
use super::manner::{Keeps, Manner};
use super::mismatch::Mismatch;
use super::verify::verified;
use crate::base::error::Result as Reading;
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::certificate::{Certificate, CoverEdge, Embedding, Proof, read};
use crate::cfa::{CallGraph, FunctionId, Location, Program, Step};
use crate::evidence::{Claim, NodeId, Obligation, Part, ProofId, Refused, Share, Ways, check_share};
use crate::frame::CallerStubs;
use crate::heap::{Context, Smg, State, without_empty_lists};
use crate::memory::{
    Checks, Memory, Outcome, Reason, Stuck, Way, fault_span, find_leak, go_straight, initial, step_by_cases,
};
use crate::smt::{PlainSolver, Solver, Z3Solver};

/// One check under way.
pub(super) struct Checker<'a> {
    pub(super) caller_stubs: &'a CallerStubs,
    pub(super) proof: &'a Proof,
    pub(super) checks: Checks,
    pub(super) hint_source: &'a dyn HintSource,
    /// By function that is followed apart from its callers: by global, whether it, or what it calls, names it.
    pub(super) named: FxHashMap<FunctionId, Vec<bool>>,
    limits: &'a Limits,
    context: &'a Rc<Context>,
    pub(super) states: &'a [Rc<State>],
    /// By context and call stack.
    by_stack: FxHashMap<(usize, Vec<u32>), Vec<usize>>,
    /// The entries of contexts, by call stack.
    entries: FxHashMap<Vec<u32>, Vec<usize>>,
    /// What was found; cover_edges by state, if they are kept.
    start: Option<CoverEdge>,
    keeps: Keeps,
    cover_edges: Vec<Vec<CoverEdge>>,
}

/// Functions and places of a call stack.
fn stack(state: &State) -> Vec<u32> {
    state.frames.iter().flat_map(|frame| [frame.function.0, frame.at.0]).collect()
}

/// One share of a proof, in a context of its own; with it the proof as it was read, and what was found of it.
pub(super) fn check_one(
    caller_stubs: &CallerStubs,
    (checks, share): (Checks, Share),
    written: &Certificate,
    hint_source: &dyn HintSource,
    (limits, manner): (&Limits, Manner),
) -> Reading<Result<(Part, Proof), Refused>> {
    let solver: Box<dyn Solver> =
        if manner.plain { Box::new(PlainSolver::default()) } else { Box::new(Z3Solver::new()) };
    let context = Rc::new(Context::new(caller_stubs.program().model, solver, limits.clone()));
    context.set_effort(manner.effort);
    let mut proof = read(
        caller_stubs.program(),
        written,
        &context,
        (manner.places_by_values, checks.termination || manner.endless_memory),
    )?;
    context.suggest(std::mem::take(&mut proof.models));
    let accept = || {
        let mut checker = Checker::new(caller_stubs, checks, (limits, manner.keeps), &proof, hint_source, &context)?;
        let part = check_share(&mut checker, share, limits)?;
        let Checker { start, cover_edges, .. } = checker;
        Ok((part, start, cover_edges))
    };
    Ok(accept().map(|(part, start, cover_edges)| (part, Proof { start, cover_edges, ..proof })))
}

/// What goes on from a state, with the edge taken, and how many runs end there.
type Steps = (Vec<(u32, State, Reason)>, usize);

impl<'a> Checker<'a> {
    fn new(
        caller_stubs: &'a CallerStubs,
        checks: Checks,
        (limits, keeps): (&'a Limits, Keeps),
        proof: &'a Proof,
        hint_source: &'a dyn HintSource,
        context: &'a Rc<Context>,
    ) -> Result<Self, Refused> {
        let states = &proof.states;
        let mut by_stack: FxHashMap<(usize, Vec<u32>), Vec<usize>> = FxHashMap::default();
        let mut entries: FxHashMap<Vec<u32>, Vec<usize>> = FxHashMap::default();
        for &entry in proof.entries.iter().skip(1) {
            entries.entry(stack(&states[entry])).or_default().push(entry);
        }
        for (index, state) in states.iter().enumerate() {
            super::well_formed::well_formed(caller_stubs, state)
                .map_err(|why| Refused { state: Some(NodeId::from_index(index)), ..Refused::new(why) })?;
            by_stack.entry((proof.contexts[index], stack(state))).or_default().push(index);
        }
        let kept = if keeps == Keeps::Nothing { 0 } else { states.len() };
        let (start, cover_edges) = (None, vec![Vec::new(); kept]);
        let graph = CallGraph::new(caller_stubs.program());
        let functions = (0..caller_stubs.program().functions.len()).map(FunctionId::from_index);
        let apart = functions.filter(|function| caller_stubs.of(*function).is_some());
        let named = apart.map(|function| (function, graph.reach(function).globals)).collect();
        Ok(Self {
            caller_stubs,
            proof,
            checks,
            hint_source,
            named,
            limits,
            context,
            states,
            by_stack,
            entries,
            start,
            keeps,
            cover_edges,
        })
    }

    pub(super) fn program(&self) -> &'a Program {
        self.caller_stubs.program()
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

    fn is_cut_point(&self, state: &State) -> bool {
        let top = state.top();
        let location = self.program().function(top.function).location(top.at);
        location.loop_head || location.join
    }

    /// Whether the walk goes on where runs meet. It may do so anywhere: ending there is what lets walks end.
    fn passes(&self, walk: &Walk, state: &State, path: &[Step]) -> bool {
        let top = state.top();
        let may_pass = self.proof.passed.contains(&(top.function, top.at));
        may_pass && !(walk.lengths.contains(&path.len()) && walk.recorded.contains_key(path))
    }

    pub(super) fn no_leak(&self, state: &State) -> Result<(), Refused> {
        match self.checks.memtrack.then(|| find_leak(state)).flatten() {
            Some(fault) => Err(self.refused(fault.detail.to_string(), self.span(state))),
            None => Ok(()),
        }
    }

    /// One step by each of the `possible` edges; what goes on, with the edge taken.
    fn steps(&self, state: State, location: &Location, possible: &[u32]) -> Result<Steps, Refused> {
        let mut ends = 0;
        let mut onwards = Vec::new();
        let mut outcomes = 0;
        let span = self.span(&state);
        let branching = (location.edges.len() != 1).then(|| state.clone());
        let mut rest = Some(state);
        for (position, &index) in possible.iter().enumerate() {
            let edge = &location.edges[index as usize];
            let is_last = position + 1 == possible.len();
            let Some(from) = (if is_last { rest.take() } else { rest.clone() }) else { break };
            for outcome in step_by_cases(self.program(), &self.checks, from, edge) {
                outcomes += 1;
                match outcome {
                    Outcome::Next(state, Reason::Halted(_) | Reason::Trapped(_)) => {
                        self.no_leak(&state)?;
                        ends += 1;
                    }
                    Outcome::Next(state, reason) => onwards.push((index, state, reason)),
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
        if outcomes == 0
            && let Some(mut state) = branching
            && state.memory.has_runs()
        {
            return Err(self.refused("control cannot go on", span));
        }
        Ok((onwards, ends))
    }

    /// How `state` lies within a state of the proof: one of its own context, or the entry of any context.
    fn land(
        &self,
        context: usize,
        (recorded, nth): (&[&CoverEdge], usize),
        state: &State,
        enters: bool,
    ) -> Result<(usize, Embedding, Symbols), Option<Mismatch>> {
        let stack = stack(state);
        let candidates = if enters { self.entries.get(&stack) } else { self.by_stack.get(&(context, stack)) };
        let candidates = candidates.ok_or(None)?;
        let mut found = Err(None);
        let arrival = Arrival { proof: self.proof, state, candidates, recorded, nth };
        self.hint_source.embed(&arrival, &mut |target, embedding| {
            if found.is_err() && candidates.contains(&target) {
                let settle = |binding: &mut Binding| self.hint_source.settle(binding);
                let verified = verified(&self.states[target], state, embedding, &settle);
                found = verified.map(|(embedding, symbols)| (target, embedding, symbols)).map_err(Some);
            }
            found.is_ok()
        });
        found
    }
}

impl Claim for Checker<'_> {
    fn obligation(&self) -> Obligation {
        Obligation::new(self.caller_stubs.fingerprint(), self.checks)
    }

    fn proof(&self) -> Option<ProofId> {
        self.proof.id
    }

    fn states(&self) -> usize {
        self.states.len()
    }

    fn goes_outside(&self) -> bool {
        self.context.goes_outside()
    }

    fn check_start(&mut self) -> Result<(), Refused> {
        let mut memory = Smg::new(self.context.clone());
        memory.semantics = self.states.first().map(|state| state.memory.semantics).unwrap_or_default();
        let state = initial(self.program(), memory).map_err(|stuck| Refused::new(stuck.to_string()))?;
        let recorded: Vec<&CoverEdge> = self.proof.start.iter().collect();
        let (target, embedding, _) = self
            .land(0, (&recorded, 0), &state, false)
            .map_err(|why| Refused::new(lies_within_none("the program's start", why)))?;
        self.start = Some(CoverEdge { path: Vec::new(), target, embedding: Some(embedding), arrival: None });
        Ok(())
    }

    fn check_state(&mut self, index: usize) -> Result<Ways, Refused> {
        let mut recorded: FxHashMap<&[Step], (usize, Vec<&CoverEdge>)> = FxHashMap::default();
        for cover_edge in self.proof.cover_edges.get(index).into_iter().flatten() {
            recorded.entry(&cover_edge.path).or_default().1.push(cover_edge);
        }
        let context = self.proof.contexts[index];
        let lengths = recorded.keys().map(|path| path.len()).collect();
        let mut walk = Walk { from: index, context, recorded, lengths, cover_edges: Vec::new(), work: Vec::new() };
        let mut ends = 0;
        // From the exit of a context runs go on with its callers.
        if !self.caller_stubs.is_outside(self.states[index].top().function) {
            walk.work.push((State::clone(&self.states[index]), Vec::new()));
        }
        while let Some((mut state, mut path)) = walk.work.pop() {
            self.limits.check_time()?;
            let (function, at) = (state.top().function, state.top().at);
            let location = self.program().function(function).location(at);
            let possible = match go_straight(self.program(), &self.checks, &mut state, location) {
                Way::Taken(edge) => {
                    path.push(Step { function, at, edge });
                    self.go_on(&mut walk, state, path, false)?;
                    continue;
                }
                Way::Open(possible) => possible,
            };
            let (onwards, ended) = self.steps(state, location, &possible)?;
            ends += ended;
            let splits = onwards.len() > 1;
            let mut rest = Some(path);
            let count = onwards.len();
            let done = walk.work.len();
            for (position, (edge, state, reason)) in onwards.into_iter().enumerate() {
                let Some(mut path) = (if position + 1 == count { rest.take() } else { rest.clone() }) else { break };
                path.push(Step { function, at, edge });
                match reason {
                    Reason::Entered(callee) if self.caller_stubs.of(callee).is_some() => {
                        self.call(&mut walk, callee, state, path)?;
                    }
                    Reason::Returned(_) if self.caller_stubs.is_outside(state.top().function) => {
                        self.exit(&mut walk, state, path)?;
                    }
                    _ => self.go_on(&mut walk, state, path, splits)?,
                }
            }
            walk.work[done..].reverse();
        }
        let arrivals = walk.cover_edges.len();
        if self.keeps != Keeps::Nothing {
            self.cover_edges[index] = walk.cover_edges;
        }
        Ok(Ways { arrivals, ends })
    }
}

/// The walk from one state to where its runs arrive.
pub(super) struct Walk<'a> {
    /// The state.
    from: usize,
    /// Its context.
    context: usize,
    /// What the proof says of arrivals, by path, and how many of them there were.
    recorded: FxHashMap<&'a [Step], (usize, Vec<&'a CoverEdge>)>,
    /// How long these paths are.
    lengths: FxHashSet<usize>,
    cover_edges: Vec<CoverEdge>,
    work: Vec<(State, Vec<Step>)>,
}

impl Checker<'_> {
    /// `state` lies within some state of the proof; which.
    pub(super) fn arrive(
        &self,
        walk: &mut Walk,
        state: &State,
        path: Vec<Step>,
        enters: bool,
    ) -> Result<usize, Refused> {
        let without = without_empty_lists(state);
        let state = without.as_ref().unwrap_or(state);
        let recorded = walk.recorded.get_mut(path.as_slice());
        let (nth, recorded) = recorded.map_or((0, &[][..]), |(count, recorded)| {
            *count += 1;
            (*count - 1, recorded.as_slice())
        });
        let landed = self.land(walk.context, (recorded, nth), state, enters);
        let (target, embedding, symbols) =
            landed.map_err(|why| self.refused(lies_within_none("an arrival", why), self.span(state)))?;
        if self.checks.termination && !self.descends(walk.from, state, target, &symbols) {
            return Err(self.refused("the measure does not decrease", self.span(state)));
        }
        let arrival = (self.keeps == Keeps::Arrivals).then(|| Rc::new(state.clone()));
        walk.cover_edges.push(CoverEdge { path, target, embedding: Some(embedding), arrival });
        Ok(target)
    }

    /// Whether the measure of the state that `arrival` lies within is less than that of the state that the walk began in.
    fn descends(&self, from: usize, arrival: &State, target: usize, symbols: &Symbols) -> bool {
        let measures = &self.proof.measures;
        let (Some(measure), Some(next)) = (measures.get(from), measures.get(target)) else { return false };
        Descent { from: &self.states[from], measure, arrival, to: &self.states[target], symbols, next }.holds()
    }

    /// The walk goes on from `state`, or ends where runs meet. Leaks are looked for where exploration has nodes.
    pub(super) fn go_on(
        &self,
        walk: &mut Walk,
        mut state: State,
        path: Vec<Step>,
        is_node: bool,
    ) -> Result<(), Refused> {
        let meets = self.is_cut_point(&state) && !self.passes(walk, &state, &path);
        if (is_node || meets) && !state.memory.has_runs() {
            return Ok(());
        }
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

/// That `what` lies within no state of the proof, and why not within the one that was compared last.
fn lies_within_none(what: &str, why: Option<Mismatch>) -> String {
    match why {
        Some(why) => format!("{what} lies within no state: {why}"),
        None => format!("{what} lies within no state"),
    }
}
