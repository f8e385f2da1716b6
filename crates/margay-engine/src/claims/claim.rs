//! What an exploration ended with, as a proof to be checked.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::ats::{Domain, Explorer};
use crate::base::limits::Limits;
use crate::base::work::{self, SECOND};
use crate::certificate::{Certificate, CoverEdge, Proof, write};
use crate::cfa::{Program, Step};
use crate::check::{Accepted, Keeps, Manner, check};
use crate::evidence::{NodeId, Refused};
use crate::frame::Summarised;
use crate::heap::State;
use crate::hints::Search;
use crate::memory::Checks;
use crate::ranking::{LoopRanking, Unranked, loop_rankings, measures};
use crate::smt::Effort;

/// How proofs of explorations are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checking {
    /// How many threads may work on it; what comes of it does not depend on it.
    pub cores: usize,
    /// The proof is wanted with all that is found of it.
    pub whole: bool,
    /// How hard the solver tries on one query.
    pub effort: Effort,
    /// An access at one of several places is one state, not one for each.
    pub places_by_values: bool,
}

impl Default for Checking {
    fn default() -> Self {
        Self { cores: 1, whole: false, effort: Effort::NORMAL, places_by_values: false }
    }
}

impl Checking {
    /// Shares know nothing of each other, which makes the check as a whole a little more expensive: it is shared out where
    /// finding the proof took so long that checking it will, too.
    fn manner(self) -> Manner {
        let Self { cores, effort, places_by_values, .. } = self;
        let shares = match work::done() {
            _ if self.whole => return Manner { effort, places_by_values, ..Manner::WHOLE },
            done if done < SECOND / 4 => 1,
            done if done < 4 * SECOND => 2,
            _ => 4,
        };
        Manner { shares, cores, effort, places_by_values, endless_memory: false, keeps: Keeps::Nothing, plain: false }
    }
}

/// A proof that the checker accepted, with what witnesses say of it.
pub struct Judged {
    /// The proof.
    pub accepted: Accepted,
    /// Where it is asked whether the program ends: rankings of its loops, as far as they are found.
    pub rankings: Vec<LoopRanking>,
}

/// Work that is spent on rankings of loops.
const FOR_LOOPS: u64 = SECOND / 2;

/// Lets the checker judge what `explorer` ended with, which followed these functions apart from their callers. Nothing but the
/// written form passes from one to the other: the explorer's states are forgotten, so that there is memory for the check's own.
///
/// Where it is asked whether the program ends, a measure of the states is looked for first.
///
/// # Errors
/// Why there is no accepted proof.
pub fn checked<D>(
    explorer: &mut Explorer<D>,
    apart: Summarised,
    program: &Program,
    checks: Checks,
    limits: &Limits,
    checking: Checking,
) -> Result<Judged, NotAccepted>
where
    D: Domain<State = State, Move = Rc<[Step]>>,
{
    let mut written = write(program, &claim(explorer, apart));
    explorer.forget_states();
    let judged = |checks: Checks, written: &Certificate, manner: Manner| {
        let in_manner = |manner, is_careful| {
            check(program, checks, written, &|| Search::new(program, apart, is_careful), limits, manner)
                .unwrap_or_else(|error| Err(Refused::new(error.message)))
                // What the solver had no time to exclude says nothing about the proof.
                .map_err(|refused| limits.check_time().map_or_else(Refused::from, |()| refused))
        };
        match in_manner(manner, false) {
            // What the solver finds out about one state may help it with the next, which a share may not have.
            Err(refused) if !refused.ran_out => in_manner(Manner { shares: 1, cores: 1, ..manner }, true),
            answer => answer,
        }
    };
    let effort = if checks.at_most_termination() { Effort::FOR_ENDS } else { checking.effort };
    let manner = Checking { effort, ..checking }.manner();
    let mut rankings = Vec::new();
    if checks.termination {
        let Checking { places_by_values, .. } = checking;
        let followed =
            Manner { endless_memory: true, keeps: Keeps::Arrivals, effort, places_by_values, ..Manner::WHOLE };
        let mut proof = judged(Checks { termination: false, ..checks }, &written, followed)?.proof;
        proof.measures = measures(&proof, limits).map_err(|why| unranked(program, &proof, why))?;
        written = write(program, &proof);
        rankings = loop_rankings(program, &proof, &limits.within_work(FOR_LOOPS));
    }
    let accepted =
        judged(checks, &written, manner).map_err(|refused| match checks.termination && !refused.ran_out {
            // Without the measure it was accepted.
            true => NotAccepted::Unranked(refused.to_string()),
            false => NotAccepted::Refused(refused),
        })?;
    Ok(Judged { accepted, rankings })
}

/// Why an exploration that came to its end is no proof.
#[derive(Clone, Debug)]
pub enum NotAccepted {
    /// The checker refuses it: a defect of this tool.
    Refused(Refused),
    /// No measure of its states was found, why not: the program may run for ever.
    Unranked(String),
}

impl From<Refused> for NotAccepted {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl std::fmt::Display for NotAccepted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(refused) => refused.fmt(f),
            Self::Unranked(why) => f.write_str(why),
        }
    }
}

/// What is said of a loop that has no measure, before its place.
pub const UNRANKED: &str = "no measure was found that decreases in the loop";

fn unranked(program: &Program, proof: &Proof, why: Unranked) -> NotAccepted {
    match why {
        Unranked::Exhausted(why) => NotAccepted::Refused(why.into()),
        Unranked::Component(state) => {
            let state = &proof.states[state];
            let top = state.top();
            let location = program.function(top.function).location(top.at);
            let span = location.edges.first().map(|edge| edge.span).unwrap_or_default();
            let pos = program.source.pos(state.user_span(program, span).start);
            NotAccepted::Unranked(format!("{UNRANKED} at {}:{}", pos.file, pos.line))
        }
    }
}

/// What `explorer` ended with, which followed these functions apart from their callers.
pub fn claim<D>(explorer: &Explorer<D>, apart: Summarised) -> Proof
where
    D: Domain<State = State, Move = Rc<[Step]>>,
{
    let mut position: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut states = Vec::new();
    let mut contexts = Vec::new();
    // Where the solver was not asked, some stand for nothing.
    let stands_for_some = |state: &State| state.memory.semantics.asks_at_branches || state.memory.is_possible();
    for (node, state) in explorer.states().filter(|(_, state)| stands_for_some(state)) {
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
    let mut cover_edges = vec![Vec::new(); states.len()];
    for (node, last, target) in reached.chain(explorer.calls()) {
        if let Some(&target) = position.get(&target)
            && let Some((from, path)) = from_state(node, last)
        {
            cover_edges[from].push(CoverEdge { path, target, embedding: None, arrival: None });
        }
    }
    let entries = explorer.entries().filter_map(|node| position.get(&node).copied()).collect();
    let splits_choices = states.iter().any(|state| state.memory.semantics.splits_choices);
    let cells_by_number = states.iter().any(|state| state.memory.semantics.cells_by_number);
    let finds_at_once = states.iter().any(|state| state.memory.semantics.finds_at_once);
    let models = states.first().map(|state| state.memory.context().models()).unwrap_or_default();
    Proof {
        id: explorer.proof_id(),
        states,
        apart,
        contexts,
        entries,
        start: None,
        cover_edges,
        passed: explorer.passed().into_iter().collect(),
        splits_choices,
        cells_by_number,
        finds_at_once,
        measures: Vec::new(),
        models,
    }
}
