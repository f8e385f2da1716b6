//! The clauses of a program: those of its abstract exploration where it uses the heap, so that lists of any length have one predicate.

use std::rc::Rc;

use super::builder::Builder;
use super::clauses::{Clauses, MOST_PREDICATES, NoClauses};
use super::heads::Heads;
use super::kind::uses_heap;
use crate::ats::{Explorer, Finding};
use crate::base::limits::Limits;
use crate::base::work::SECOND;
use crate::cegar::{self, Outcome, Prover, Ways, trees};
use crate::cfa::Program;
use crate::explore::{Abstract, start};
use crate::fold::{Keep, Precision};
use crate::frame::Summarised;
use crate::heap::State;
use crate::memory::Checks;
use crate::sharing::Calls;

/// An exploration, or refinement, gets so much work.
const PATIENCE: u64 = 5 * SECOND;

impl Clauses {
    /// The clauses of a program.
    ///
    /// # Errors
    /// There are none, or time is up.
    pub fn of(program: &Program, checks: Checks, limits: &Limits) -> Result<Self, NoClauses> {
        if uses_heap(program) {
            return abstractly(program, checks, limits);
        }
        let start = start(program, limits).map_err(|stuck| NoClauses::Stuck(stuck.to_string()))?;
        finished(Builder::new(program, checks, start), limits)
    }
}

/// The clauses of the coarsest abstraction with the fewest violations that no number excludes: what else is not excluded there, is
/// for the clauses' solvers.
fn abstractly(program: &Program, checks: Checks, limits: &Limits) -> Result<Clauses, NoClauses> {
    let calls = Calls::new(program, Summarised::Nothing);
    let class = trees(&calls, &checks, limits);
    let begin = |keep: Keep| match class {
        Some(class) => Precision::uniform(Keep { trees: Some(class), ..keep }),
        None => keep.into(),
    };
    // Values that a number may have are not distinguished: what is known of it is for the solvers, too.
    let starts = Keep::STARTS.into_iter().filter(|keep| keep.all_numbers).map(|keep| Keep { values: 1, ..keep });
    let starts = starts.map(begin);
    let refined = std::iter::once_with(|| proved(program, &checks, limits)).flatten();
    let mut best: Result<Clauses, NoClauses> = Err(NoClauses::NotClosed("there was no time".into()));
    for precision in starts.chain(refined) {
        if limits.check_time().is_err() {
            break;
        }
        let made = explored(&calls, checks, precision, limits);
        let is_better = match (&made, &best) {
            (Ok(made), Ok(best)) => made.certain_violations() < best.certain_violations(),
            (Ok(_), Err(_)) => true,
            (Err(_), _) => best.is_err(),
        };
        if is_better {
            best = made;
        }
        if best.as_ref().is_ok_and(|best| best.certain_violations() == 0) {
            break;
        }
    }
    best
}

/// The clauses of the abstract exploration with this precision; every call is followed within its caller.
fn explored(calls: &Calls, checks: Checks, precision: Precision, limits: &Limits) -> Result<Clauses, NoClauses> {
    let program = calls.program();
    let patience = limits.half().within_work(PATIENCE);
    let mut start = start(program, &patience).map_err(|stuck| NoClauses::Stuck(stuck.to_string()))?;
    let domain = Abstract::new(calls, checks, precision);
    // Steps are as precise as those of the exploration.
    domain.prepare(&mut start);
    let mut explorer = Explorer::new(domain, start.clone());
    loop {
        match explorer.run(&patience) {
            // Runs go on elsewhere.
            Finding::Alarm { .. } => {}
            Finding::Complete(_) | Finding::Incomplete(_) => break,
            Finding::Exhausted(why) => return Err(NoClauses::NotClosed(format!("{why:?}"))),
        }
    }
    let is_head = |state: &&Rc<State>| program.function(state.top().function).location(state.top().at).loop_head;
    let heads: Vec<Rc<State>> = explorer.states().map(|(_, state)| state).filter(is_head).cloned().collect();
    if heads.len() > MOST_PREDICATES {
        return Err(NoClauses::TooMany);
    }
    start.memory.context().set_limits(limits);
    let builder = || Builder::with(program, checks, start.clone(), Heads::of_states(program, &heads));
    match finished(builder(), limits) {
        Err(NoClauses::Outside(_)) => finished(builder().without_merging(), limits),
        made => made,
    }
}

/// All clauses.
fn finished(mut builder: Builder, limits: &Limits) -> Result<Clauses, NoClauses> {
    builder.run(limits)?;
    Ok(builder.finish())
}

/// What abstraction keeps in a proof, if refinement comes to one soon.
fn proved(program: &Program, checks: &Checks, limits: &Limits) -> Option<Precision> {
    let ways = Ways::new(program);
    let mut prover = Prover::new(program, checks, &ways, &cegar::Options::default());
    match prover.run_in_turns(&limits.half().within_work(PATIENCE)) {
        Outcome::Proved(proved) => Some(proved.precision),
        _ => None,
    }
}
