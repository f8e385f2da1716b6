//! The glue from graphs to exploration.

use std::rc::Rc;

use super::canonical::{Constraints, Shape, canonical};
use super::graph::Smg;
use crate::ats::{Arrival, Domain};
use crate::base::span::Span;
pub use crate::cfa::Step;
use crate::cfa::{Op, Program};
use crate::memory::{Checks, Config, Fault, Outcome, Reason, fault_span, find_leak, guard_holds, step};
use crate::smt::Term;

/// The shape domain of one program.
pub struct Shapes<'p> {
    pub program: &'p Program,
    pub checks: Checks,
}

/// A possible violation and where.
#[derive(Clone, Debug)]
pub struct Alarm {
    pub fault: Fault,
    /// In the user's text.
    pub span: Span,
}

/// A state of an exploration.
pub type State = Config<Smg>;
pub(super) type Moves = Vec<(Rc<[Step]>, Arrival<State, Alarm>)>;

/// Straight-line steps after which a node is made in any case, so that limits are looked at.
const LONGEST_CHAIN: usize = 10_000;

impl Domain for Shapes<'_> {
    type State = State;
    type Move = Rc<[Step]>;
    type Alarm = Alarm;
    type Key = Shape;
    type Facts = Constraints;

    fn advance(&self, state: &State) -> Moves {
        self.walk(state, &mut |_| ())
    }

    fn abstraction(&self, state: &mut State) -> Option<(Shape, Constraints)> {
        if !self.is_meeting_point(state) {
            return None;
        }
        let top = state.top();
        if self.program.function(top.function).location(top.at).loop_head {
            state.memory.forget_far_edges(&values(state));
        }
        state.memory.collect_garbage(&mut values(state).iter());
        Some(canonical(state, false))
    }

    fn entails(&self, new: &Constraints, old: &Constraints) -> bool {
        new.entail(old)
    }
}

impl Shapes<'_> {
    /// [`Domain::advance`], with a look at the state before each step.
    pub(super) fn walk(&self, state: &State, visit: &mut dyn FnMut(&State)) -> Moves {
        let mut moves = Moves::new();
        let mut steps: Vec<Step> = Vec::new();
        let mut current = state.clone();
        while steps.len() < LONGEST_CHAIN {
            visit(&current);
            let top = current.top();
            let (function, at) = (top.function, top.at);
            let location = self.program.function(function).location(at);
            let open = possible_edges(&mut current, location);
            // All guards of a branch failing would drop runs without a word; a single assumption may block.
            let stuck = (location.edges.len() != 1).then(|| current.clone());
            let mut arrivals = Vec::new();
            let mut rest = Some(current);
            for (position, &index) in open.iter().enumerate() {
                let edge = &location.edges[index];
                // The last edge takes the state itself, so that straight-line code never copies it.
                let last = position + 1 == open.len();
                let Some(config) = (if last { rest.take() } else { rest.clone() }) else { break };
                let taken = Step { function, at, edge: index as u32 };
                for outcome in step(self.program, &self.checks, config, edge) {
                    arrivals.push((taken, self.arrival(outcome, edge)));
                }
            }
            if arrivals.is_empty()
                && let Some(state) = stuck
            {
                moves.push((steps.into(), Arrival::Stuck(state, "control cannot go on".into())));
                return moves;
            }
            let goes_straight = matches!(arrivals.as_slice(), [(_, Arrival::State(_))]);
            match arrivals.pop() {
                Some((taken, Arrival::State(successor))) if goes_straight => {
                    steps.push(taken);
                    if self.is_meeting_point(&successor) {
                        self.arrive(steps.into(), successor, &mut moves);
                        return moves;
                    }
                    current = successor;
                }
                last => {
                    arrivals.extend(last);
                    for (taken, arrival) in arrivals {
                        let path: Vec<Step> = steps.iter().copied().chain([taken]).collect();
                        match arrival {
                            Arrival::State(state) => self.arrive(path.into(), state, &mut moves),
                            other => moves.push((path.into(), other)),
                        }
                    }
                    return moves;
                }
            }
        }
        self.arrive(steps.into(), current, &mut moves);
        moves
    }

    pub(super) fn is_meeting_point(&self, state: &State) -> bool {
        let top = state.top();
        let location = self.program.function(top.function).location(top.at);
        location.loop_head || location.join
    }

    fn arrival(&self, outcome: Outcome<State, Reason>, edge: &crate::cfa::Edge) -> Arrival<State, Alarm> {
        match outcome {
            Outcome::Next(state, Reason::Halted(_)) => self.ended(state, edge),
            Outcome::Next(state, _) => Arrival::State(state),
            Outcome::Fault(state, fault) => {
                let span = fault_span(self.program, &state, edge);
                Arrival::Alarm(state, Alarm { fault, span })
            }
            Outcome::Stuck(state, stuck) => {
                let pos = self.program.source.pos(fault_span(self.program, &state, edge).start);
                let why = format!("{} at {}:{}", stuck.why, pos.file, pos.line);
                Arrival::Stuck(state, why.into())
            }
        }
    }

    fn leak(&self, state: &State) -> Option<Fault> {
        if self.checks.memtrack { find_leak(state) } else { None }
    }

    fn ended(&self, state: State, edge: &crate::cfa::Edge) -> Arrival<State, Alarm> {
        match self.leak(&state) {
            Some(fault) => {
                let span = fault_span(self.program, &state, edge);
                Arrival::Alarm(state, Alarm { fault, span })
            }
            None => Arrival::End,
        }
    }

    /// Makes a node of `state`. Leaks are looked for here: a lost block stays lost, and the replay finds the exact place.
    /// The run goes on without the block, because another violation later on would count more.
    fn arrive(&self, path: Rc<[Step]>, mut state: State, moves: &mut Moves) {
        if let Some(fault) = self.leak(&state) {
            let top = state.top();
            let location = self.program.function(top.function).location(top.at);
            let span = location.edges.first().map(|edge| edge.span).unwrap_or_default();
            let span = state.user_span(self.program, span);
            moves.push((path.clone(), Arrival::Alarm(state.clone(), Alarm { fault, span })));
            let mut roots = state.frames.iter().flat_map(|frame| frame.regs.iter().flatten());
            state.memory.mark_lost(&mut roots);
        }
        moves.push((path, Arrival::State(state)));
    }
}

/// All values that frames hold.
pub(super) fn values(state: &State) -> Vec<Term> {
    state.frames.iter().flat_map(|frame| frame.regs.iter().flatten().copied()).collect()
}

/// The edges whose guard is not cheaply false, evaluated in order (as the interpreter does, so that registers nobody set
/// get their values in the same order).
fn possible_edges(state: &mut State, location: &crate::cfa::Location) -> Vec<usize> {
    if location.edges.len() < 2 {
        return (0..location.edges.len()).collect();
    }
    let mut possible = Vec::new();
    for (index, edge) in location.edges.iter().enumerate() {
        let holds = match &edge.op {
            Op::Assume(guard) => guard_holds(state, guard),
            _ => None,
        };
        if holds != Some(false) {
            possible.push(index);
        }
        if holds == Some(true) {
            break;
        }
    }
    possible
}
