//! One edge of a slice, executed once on terms by the semantics that all memories share.

use super::memory::Flat;
use crate::cfa::{FunctionId, Loc, Program, Reg, Step};
use crate::memory::{Checks, Config, Fault, Outcome, Reason, Stuck, ends_with_cleanup, step};
use crate::smt::Term;
use crate::task::Violation;

pub(super) type State = Config<Flat>;

/// The frames' functions and places with the registers their results go to: runs that agree in it can be joined.
pub(super) type Stack = Vec<(FunctionId, Loc, Option<Reg>)>;

pub(super) fn stack(state: &State) -> Stack {
    state.frames.iter().map(|frame| (frame.function, frame.at, frame.result)).collect()
}

/// What comes of an edge.
#[derive(Default)]
pub(super) struct Effects {
    /// Where runs arrive, under their guards.
    pub arrivals: Vec<State>,
    /// Violations: after how many of the edge's steps, on which runs, and what.
    pub faults: Vec<(usize, Term, Fault)>,
    /// Runs of which nothing more is said.
    pub stuck: Vec<(Term, Stuck)>,
}

/// No edge is told with more terms than these: where addresses are chosen by many conditions, each read of one looks through all
/// writes for every choice.
const MOST_NEW_TERMS: usize = 100_000;

/// Runs `steps` from `state`; what stands elsewhere than where a step starts goes no further.
pub(super) fn execute(program: &Program, checks: &Checks, state: State, steps: &[Step]) -> Effects {
    let mut effects = Effects::default();
    let world = &state.memory.world;
    world.enough.set(world.terms.len() + MOST_NEW_TERMS);
    let mut current = vec![state];
    for (index, taken) in steps.iter().enumerate() {
        let mut next = Vec::new();
        for state in current {
            let top = state.top();
            if (top.function, top.at) == (taken.function, taken.at) {
                one_step(program, checks, state, *taken, index + 1, &mut effects, &mut next);
            }
        }
        current = next;
    }
    effects.arrivals = current;
    effects
}

fn one_step(
    program: &Program,
    checks: &Checks,
    mut state: State,
    taken: Step,
    count: usize,
    effects: &mut Effects,
    next: &mut Vec<State>,
) {
    let edge = program.edge(taken);
    let is_quiet = program.function(taken.function).location(taken.at).quiet;
    if !is_quiet && ends_with_cleanup(checks, &state, &edge.op) {
        let alive = state.memory.some_heap_block();
        let world = state.memory.world.clone();
        let guard = world.terms.bool_and(state.memory.guard, alive);
        if !world.terms.is_false(guard) {
            let fault = Fault::new(Violation::ValidMemcleanup, "a heap block is not freed when the program ends");
            effects.faults.push((count, guard, fault));
        }
        return;
    }
    for outcome in step(program, checks, state, edge) {
        match outcome {
            Outcome::Next(_, Reason::Halted(_) | Reason::Trapped(_)) => {}
            Outcome::Next(state, _) => next.push(state),
            Outcome::Fault(state, fault) => effects.faults.push((count, state.memory.guard, fault)),
            Outcome::Stuck(state, stuck) => effects.stuck.push((state.memory.guard, stuck)),
            Outcome::Miss(state, miss) => effects.stuck.push((state.memory.guard, miss.into())),
        }
    }
}
