//! A path of a slice as a query of its own: what a run along it is given.

use std::collections::BTreeMap;

use super::content::GROUP_BYTES;
use super::execute::{State, execute};
use super::leak::lost;
use super::start::{Begun, begin};
use super::world::{Event, Moment, World};
use super::{Answer, Placed, Question, Trace};
use crate::cfa::{Op, Step};
use crate::memory::{Fault, guard};
use crate::memory::{Inputs, RECEIVED};
use crate::smt::{Effort, Sat, Solver, Term, Z3Solver};
use crate::task::Violation;

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Its last step faults.
    Fault,
    /// Behind its last step a heap block is lost.
    Leak,
}

/// Follows `steps` to their end. Whatever found the path, this says whether there is such a run; registers, inputs and
/// unwritten bytes are met in the order in which the interpreter asks for them. `Infeasible` speaks of this path only.
pub(super) fn follow(question: &Question, steps: Vec<Step>, end: End) -> Answer {
    let program = question.program;
    let world = World::new(program.model, question.placement);
    world.keeps_pointers.set(end == End::Leak);
    let Begun { mut state, symbols } = match begin(question, &world) {
        Ok(begun) => begun,
        Err(stuck) => return Answer::Unclear(stuck.to_string()),
    };
    let Some((&last, before)) = steps.split_last() else { return Answer::Unclear("a path without steps".into()) };
    state.memory.now = Moment { time: 1, count: 0 };
    for (index, &taken) in before.iter().enumerate() {
        look_at_guards(question, &mut state, taken);
        let arrivals = execute(program, question.checks, state, &[taken]).arrivals;
        match at(arrivals, steps[index + 1]) {
            Some(next) => state = next,
            None => return Answer::Unclear("the path found cannot be followed by itself".into()),
        }
    }
    look_at_guards(question, &mut state, last);
    let effects = execute(program, question.checks, state, &[last]);
    let terms = &world.terms;
    let violations: Vec<(Term, Fault)> = match end {
        End::Fault => effects.faults.into_iter().map(|(_, guard, fault)| (guard, fault)).collect(),
        End::Leak => match leaks(question, &world, &effects.arrivals) {
            Ok(leaks) => leaks,
            Err(why) => return Answer::Unclear(why),
        },
    };
    let guards: Vec<Term> = violations.iter().map(|(guard, _)| *guard).collect();
    let model = match solve(question, &world, &guards) {
        Sat::Sat(model) => model,
        Sat::Unsat if end == End::Leak && has_one_size(&world) => {
            return Answer::Infeasible { bound: question.bound, exhaustive: false };
        }
        Sat::Unsat => return Answer::Unclear("the path found has no run of its own".into()),
        Sat::Unknown(why) => return Answer::Unclear(why),
    };
    let value = |t: Term| model.evaluate(terms, t);
    let mut inputs = Inputs::default();
    let mut blocks = Vec::new();
    for event in world.events.borrow().iter() {
        match *event {
            Event::Input(input) => inputs.values.push(value(input)),
            Event::Created { block, base, size } => {
                blocks.push(Placed { block, address: value(base) as u64, size: value(size) as u64 });
            }
        }
    }
    inputs.bytes = unwritten_bytes(&world, &blocks, &value);
    match violations.into_iter().find(|(guard, _)| value(*guard) == 1).map(|(_, fault)| fault) {
        // No replay will find out that the model made up a result.
        Some(_) if question.start.is_some() && world.approximated.get() => {
            Answer::Unclear("the path found has floating-point results that are not computed exactly".into())
        }
        Some(fault) => {
            let start = symbols.into_iter().map(|(symbol, term)| (symbol, value(term))).collect();
            Answer::Feasible(Trace { steps, fault, inputs, blocks, start })
        }
        None => Answer::Unclear("the model shows no fault".into()),
    }
}

/// A model of one of `goals`.
fn solve(question: &Question, world: &World, goals: &[Term]) -> Sat {
    let mut query = world.facts.borrow().clone();
    query.push(world.terms.disjunction(goals));
    let effort = Effort { rlimit: 0, timeout: None }.within(question.limits);
    Z3Solver::new().check(&world.terms, &query, effort)
}

/// All blocks are of sizes that no model chooses.
fn has_one_size(world: &World) -> bool {
    world.events.borrow().iter().all(|event| match event {
        Event::Created { size, .. } => world.terms.as_const(*size).is_some(),
        Event::Input(_) => true,
    })
}

/// Where heap blocks are lost, for blocks as large as in one run that arrives.
fn leaks(question: &Question, world: &World, arrivals: &[State]) -> Result<Vec<(Term, Fault)>, String> {
    let arrive: Vec<Term> = arrivals.iter().map(|state| state.memory.guard).collect();
    let model = match solve(question, world, &arrive) {
        Sat::Sat(model) => model,
        Sat::Unsat => return Err("the path found has no run of its own".into()),
        Sat::Unknown(why) => return Err(why),
    };
    let size = |t: Term| model.evaluate(&world.terms, t) as u64;
    let leak = |state: &State| {
        let lost = lost(state, &size).map_err(|stuck| stuck.to_string())?;
        let fault = Fault::new(Violation::ValidMemtrack, "a heap block is no longer reachable");
        Ok((world.terms.bool_and(state.memory.guard, lost), fault))
    };
    arrivals.iter().map(leak).collect()
}

/// Registers that were never set get their values when the first guard that speaks of them is looked at.
fn look_at_guards(question: &Question, state: &mut State, taken: Step) {
    let edges = &question.program.function(taken.function).location(taken.at).edges;
    if edges.len() < 2 {
        return;
    }
    for edge in &edges[..=taken.edge as usize] {
        if let Op::Assume(condition) = &edge.op {
            let _ = guard(state, condition);
        }
    }
}

/// The arrival that stands where the path goes on: calls through pointers have several.
fn at(arrivals: Vec<State>, next: Step) -> Option<State> {
    arrivals.into_iter().find(|state| (state.top().function, state.top().at) == (next.function, next.at))
}

/// Bytes that were read before they were written, by block and offset.
fn unwritten_bytes(world: &World, blocks: &[Placed], value: &dyn Fn(Term) -> u128) -> BTreeMap<(u32, u64), u8> {
    let mut bytes = BTreeMap::new();
    let mut parts = 0;
    for (start, size, received, groups) in world.content.guesses() {
        let (start, size) = (value(start) as u64, value(size) as u64);
        let part = (received && size > 0).then_some(RECEIVED | parts);
        parts += u32::from(part.is_some());
        for (group, guess) in groups {
            let (group, guess) = (value(group) as u64, value(guess));
            for k in 0..GROUP_BYTES {
                let address = group.wrapping_add(k.into());
                let byte = (guess >> (8 * k)) as u8;
                let holds = |placed: &&Placed| address.wrapping_sub(placed.address) < placed.size;
                if byte != 0
                    && address.wrapping_sub(start) < size
                    && let Some(placed) = blocks.iter().rev().find(holds)
                {
                    bytes.insert((part.unwrap_or(placed.block.0), address - placed.address), byte);
                }
            }
        }
    }
    bytes
}
