//! The glue from graphs to exploration.

use std::rc::Rc;

use super::canonical::{Constraints, Shape, canonical};
use super::graph::Smg;
use crate::ats::{Arrival, Domain};
use crate::base::span::Span;
use crate::cfa::{FunctionId, HaltKind, Loc, Op, Program};
use crate::memory::{Checks, Config, Fault, Outcome, Reason, fault_span, find_leak, guard_holds, step};

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

/// One taken CFA edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub function: FunctionId,
    pub at: Loc,
    /// Which of the location's edges.
    pub edge: u32,
}

pub(super) type State = Config<Smg>;
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
        let mut moves = Moves::new();
        let mut steps: Vec<Step> = Vec::new();
        let mut current = state.clone();
        while steps.len() < LONGEST_CHAIN {
            let top = current.top();
            let (function, at) = (top.function, top.at);
            let location = self.program.function(function).location(at);
            let edges = location.edges.len();
            let mut arrivals = Vec::new();
            let mut rest = Some(current);
            for (index, edge) in location.edges.iter().enumerate() {
                // The last edge takes the state itself, so that straight-line code never copies it.
                let Some(mut config) = (if index + 1 == edges { rest.take() } else { rest.clone() }) else { break };
                // A guard that is cheaply false needs no successor, a true one excludes its siblings.
                if edges > 1
                    && let Op::Assume(guard) = &edge.op
                    && guard_holds(&mut config, guard) == Some(false)
                {
                    continue;
                }
                let taken = Step { function, at, edge: index as u32 };
                for outcome in step(self.program, &self.checks, config, edge) {
                    arrivals.push((taken, self.arrival(outcome, edge)));
                }
            }
            let goes_straight = matches!(arrivals.as_slice(), [(_, Arrival::State(_))]);
            match arrivals.pop() {
                Some((taken, Arrival::State(successor))) if goes_straight => {
                    steps.push(taken);
                    if self.is_meeting_point(&successor) {
                        moves.push((steps.into(), self.checked(successor)));
                        return moves;
                    }
                    current = successor;
                }
                last => {
                    arrivals.extend(last);
                    moves.extend(arrivals.into_iter().map(|(taken, arrival)| {
                        let path: Vec<Step> = steps.iter().copied().chain([taken]).collect();
                        let arrival = match arrival {
                            Arrival::State(state) => self.checked(state),
                            other => other,
                        };
                        (path.into(), arrival)
                    }));
                    return moves;
                }
            }
        }
        moves.push((steps.into(), self.checked(current)));
        moves
    }

    fn abstraction(&self, state: &mut State) -> Option<(Shape, Constraints)> {
        if !self.is_meeting_point(state) {
            return None;
        }
        let frames = &state.frames;
        let mut roots = frames.iter().flat_map(|frame| frame.regs.iter().flatten());
        state.memory.collect_garbage(&mut roots);
        Some(canonical(state, false))
    }

    fn entails(&self, new: &Constraints, old: &Constraints) -> bool {
        new.entail(old)
    }
}

impl Shapes<'_> {
    pub(super) fn is_meeting_point(&self, state: &State) -> bool {
        let top = state.top();
        let location = self.program.function(top.function).location(top.at);
        location.loop_head || location.join
    }

    fn arrival(&self, outcome: Outcome<State, Reason>, edge: &crate::cfa::Edge) -> Arrival<State, Alarm> {
        match outcome {
            Outcome::Next(state, Reason::Halted(HaltKind::Vanish)) => self.ended(state, edge),
            Outcome::Next(state, Reason::Halted(_)) => self.ended(state, edge),
            Outcome::Next(state, _) => Arrival::State(state),
            Outcome::Fault(state, fault) => {
                // A block lost before is the first violation.
                let fault = match self.leak(&state) {
                    Some(leak) => leak,
                    None => fault,
                };
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

    /// Leaks are looked for where a node is made: a lost block stays lost, and the replay finds the exact place.
    fn checked(&self, state: State) -> Arrival<State, Alarm> {
        match self.leak(&state) {
            Some(fault) => {
                let top = state.top();
                let location = self.program.function(top.function).location(top.at);
                let span = location.edges.first().map(|edge| edge.span).unwrap_or_default();
                let span = state.user_span(self.program, span);
                Arrival::Alarm(state, Alarm { fault, span })
            }
            None => Arrival::State(state),
        }
    }
}
