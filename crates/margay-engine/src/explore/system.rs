//! A whole transition system for people: what exploration found, with its states, complete or not.

use std::rc::Rc;

use super::abstraction::Abstract;
use super::domain::{Alarm, Shapes};
use super::limits::MOST_ALARMS;
use super::start::start;
use crate::ats::{Arrival, Domain, Explorer, Finding};
use crate::base::limits::Limits;
use crate::cfa::Program;
use crate::cfa::Step;
use crate::evidence::NodeId;
use crate::fold::Keep;
use crate::frame::Summarised;
use crate::heap::State;
use crate::memory::{Checks, Stuck};
use crate::sharing::Calls;

/// Which exploration a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exploration {
    /// Lists are folded at loop heads.
    Abstract,
    /// Every heap as it is.
    Precise,
}

/// What exploration found.
pub struct System {
    /// How it was found.
    pub exploration: Exploration,
    /// In the order of discovery; positions are [`NodeId`]s.
    pub nodes: Vec<SystemNode>,
    /// Possible violations and the nodes they are reached from.
    pub alarms: Vec<(NodeId, Alarm)>,
    /// `complete`, or what it ended with.
    pub end: String,
    /// Every run was followed.
    pub is_complete: bool,
}

/// A node of a [`System`].
pub struct SystemNode {
    /// The node it was first reached from, and the steps.
    pub parent: Option<(NodeId, Rc<[Step]>)>,
    /// The node that allows all this one does; nothing goes on from here then.
    pub covered_by: Option<NodeId>,
    /// The state of the initial node and of uncovered ones where runs meet.
    pub state: Option<Rc<State>>,
}

/// Explores `program` within `limits`; the abstract exploration with finer and finer precision until one completes.
///
/// # Errors
/// A program whose globals cannot be initialised.
pub fn explore(program: &Program, checks: &Checks, limits: &Limits, exploration: Exploration) -> Result<System, Stuck> {
    if exploration == Exploration::Precise {
        let domain = Shapes::new(program, *checks);
        return Ok(system(Explorer::new(domain, start(program, limits)?), limits, exploration));
    }
    // For a person each call is shown within its caller.
    let calls = Calls::new(program, Summarised::Nothing);
    let mut best: Option<System> = None;
    let starts = Keep::STARTS.into_iter().filter(|keep| keep.all_numbers);
    for keep in starts.chain([Keep::COUNTED]) {
        // A precision that does not get to an end leaves half of the time to finer ones.
        let limits = limits.half();
        let found = explore_with(&calls, checks, keep, &limits)?;
        let is_better = found.is_complete || best.as_ref().is_none_or(|best| found.alarms.len() < best.alarms.len());
        let is_done = found.is_complete && found.alarms.is_empty();
        if is_better {
            best = Some(found);
        }
        if is_done {
            break;
        }
    }
    best.ok_or_else(|| Stuck::tool("there is no precision to explore with"))
}

/// The abstract exploration of the program of `calls` with this precision everywhere, within `limits`.
///
/// # Errors
/// A program whose globals cannot be initialised.
pub fn explore_with(calls: &Calls, checks: &Checks, keep: Keep, limits: &Limits) -> Result<System, Stuck> {
    let domain = Abstract::new(calls, *checks, keep.into());
    Ok(system(Explorer::new(domain, start(calls.program(), limits)?), limits, Exploration::Abstract))
}

fn system<D>(mut explorer: Explorer<D>, limits: &Limits, exploration: Exploration) -> System
where
    D: Domain<State = State, Move = Rc<[Step]>, Alarm = Alarm>,
{
    let mut alarms: Vec<(NodeId, Alarm)> = Vec::new();
    let mut is_complete = false;
    let end = loop {
        match explorer.run(limits) {
            Finding::Alarm { .. } if alarms.len() == MOST_ALARMS => break "cut short: too many alarms".to_string(),
            Finding::Alarm { at, alarm, .. } => alarms.push((at.from, alarm)),
            Finding::Complete(_) => {
                is_complete = true;
                break "complete".to_string();
            }
            Finding::Incomplete(why) => break format!("incomplete: {why}"),
            Finding::Exhausted(exhausted) => break format!("cut short: {exhausted:?}"),
        }
    };
    let node = |(index, node): (usize, &crate::ats::Node<Rc<[Step]>>)| SystemNode {
        parent: node.parent.clone(),
        covered_by: node.covered_by,
        state: explorer.state(NodeId::from_index(index)).cloned(),
    };
    let nodes = explorer.nodes().iter().enumerate().map(node).collect();
    System { exploration, nodes, alarms, end, is_complete }
}

/// Every state of `system` that stands at `line` of the program's first file, right before the line's first step: those of
/// nodes as abstraction left them, those on the way found by walking from there. In the order of nodes; equal ones are not
/// distinguished here.
pub fn states_at(program: &Program, checks: &Checks, system: &System, line: u32, limits: &Limits) -> Vec<Rc<State>> {
    let shapes = Shapes::new(program, *checks);
    let mut found: Vec<Rc<State>> = Vec::new();
    for node in &system.nodes {
        let Some(state) = &node.state else { continue };
        // A node in the middle of the line's steps is told by where its last step was.
        let came_from =
            node.parent.as_ref().and_then(|(_, steps)| steps.last()).and_then(|step| step_line(program, step));
        let mut work: Vec<(Rc<State>, Option<u32>)> = vec![(state.clone(), came_from)];
        while let Some((state, came_from)) = work.pop() {
            if limits.check_time().is_err() {
                return found;
            }
            let top = state.top();
            let is_head = program.function(top.function).location(top.at).loop_head;
            let mut before = if is_head { None } else { came_from };
            let moves = shapes.walk(&state, &mut |state| {
                let here = line_of(program, state);
                if here == Some(line) && before != here {
                    found.push(Rc::new(state.clone()));
                }
                before = here;
            });
            for (_, arrival) in moves {
                if let Arrival::State(next) = arrival
                    && !shapes.is_cut_point(&next)
                {
                    work.push((Rc::new(next), before));
                }
            }
        }
    }
    found
}

/// The line in the first file where `state` stands: that of what it does next.
fn line_of(program: &Program, state: &State) -> Option<u32> {
    let top = state.top();
    let location = program.function(top.function).location(top.at);
    let span = location.loop_span.or(location.edges.first().map(|edge| edge.span))?;
    user_line(program, state.user_span(program, span).start)
}

fn step_line(program: &Program, step: &Step) -> Option<u32> {
    let function = program.function(step.function);
    let edge = function.location(step.at).edges.get(step.edge as usize)?;
    if function.library { None } else { user_line(program, edge.span.start) }
}

fn user_line(program: &Program, offset: u32) -> Option<u32> {
    let pos = program.source.pos(offset);
    (program.source.files.first() == Some(&pos.file)).then_some(pos.line)
}
