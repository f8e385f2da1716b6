//! The clauses of a program that uses memory: those of its abstract explorations, so that lists and arrays of any length have one
//! predicate.
//!
//! Source: "Arithmetic strengthening for shape analysis" (SAS'07), section 4, of the whole system instead of one counterexample.

use std::collections::VecDeque;
use std::rc::Rc;

use super::builder::Builder;
use super::clauses::{Clauses, MOST_PREDICATES, NoClauses};
use super::heads::Heads;
use super::kind::uses_heap;
use crate::ats::{Explorer, Finding};
use crate::base::limits::Limits;
use crate::base::work::{SECOND, done};
use crate::cegar::{self, Outcome, Prover, Ways, trees};
use crate::cfa::Program;
use crate::explore::{Abstract, start};
use crate::fold::{Keep, Precision};
use crate::frame::Summarised;
use crate::heap::State;
use crate::memory::Checks;
use crate::sharing::Calls;

/// An exploration with its clauses, or refinement, gets so much work.
const PATIENCE: u64 = 5 * SECOND;

/// Makes the clauses of one abstract exploration after the other, with what each keeps: coarse ones first. It can be paused.
pub struct AbstractClauses<'p> {
    calls: &'p Calls,
    checks: Checks,
    /// Of all of it; what each call is given says how far it gets.
    limits: Limits,
    waiting: VecDeque<Precision>,
    stage: Stage<'p>,
    /// Work that the exploration and its clauses took so far.
    worked: u64,
    /// Why the last one has no clauses.
    why: Option<NoClauses>,
}

/// Where the clauses of one exploration are.
enum Stage<'p> {
    /// It is to begin.
    None,
    Exploring(Box<Explorer<Abstract<'p>>>, Box<State>),
    /// The clauses, with what they are made of, should they have to be made anew without merging.
    Building(Box<Builder<'p>>, Rc<Heading>),
}

/// What clauses are made of.
struct Heading {
    start: State,
    heads: Vec<Rc<State>>,
}

impl<'p> AbstractClauses<'p> {
    /// Nothing is explored yet; every call will be followed within its caller.
    pub fn new(calls: &'p Calls, checks: Checks, limits: &Limits) -> Self {
        let class = trees(calls, &checks, limits);
        let begin = |keep: Keep| match class {
            Some(class) => Precision::uniform(Keep { trees: Some(class), ..keep }),
            None => keep.into(),
        };
        // Values that a number may have are not distinguished: what is known of it is for the solvers, too.
        let starts = Keep::STARTS.into_iter().filter(|keep| keep.all_numbers).map(|keep| Keep { values: 1, ..keep });
        Self {
            calls,
            checks,
            limits: limits.clone(),
            waiting: starts.map(begin).collect(),
            stage: Stage::None,
            worked: 0,
            why: None,
        }
    }

    /// The clauses of the next exploration that has any; `None`: there are no more.
    ///
    /// # Errors
    /// Time is up: it may be called again.
    pub fn next(&mut self, limits: &Limits) -> Result<Option<Clauses>, NoClauses> {
        loop {
            let begin = done();
            let patience = limits.within_work(PATIENCE.saturating_sub(self.worked));
            let made = self.step(&patience);
            self.worked += done() - begin;
            match made {
                Ok(Some(clauses)) => {
                    self.worked = 0;
                    return Ok(Some(clauses));
                }
                Ok(None) if matches!(self.stage, Stage::None) && self.waiting.is_empty() => return Ok(None),
                Ok(None) => {}
                Err(NoClauses::Exhausted(why)) if !why.is_pause() || limits.check_time().is_err() => {
                    return Err(NoClauses::Exhausted(why));
                }
                Err(why) => {
                    (self.stage, self.worked, self.why) = (Stage::None, 0, Some(why));
                    if self.waiting.is_empty() {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Why the last exploration has no clauses, if it has none.
    pub fn why(&self) -> NoClauses {
        self.why.clone().unwrap_or_else(|| NoClauses::NotClosed("there was no time".into()))
    }

    /// Brings one exploration on.
    fn step(&mut self, limits: &Limits) -> Result<Option<Clauses>, NoClauses> {
        let program = self.calls.program();
        match std::mem::replace(&mut self.stage, Stage::None) {
            Stage::None => {
                let Some(precision) = self.waiting.pop_front() else { return Ok(None) };
                let mut start = start(program, &self.limits).map_err(|stuck| NoClauses::Stuck(stuck.to_string()))?;
                let domain = Abstract::new(self.calls, self.checks, precision);
                // Steps are as precise as those of the exploration.
                domain.prepare(&mut start);
                self.stage = Stage::Exploring(Box::new(Explorer::new(domain, start.clone())), Box::new(start));
                Ok(None)
            }
            Stage::Exploring(mut explorer, start) => {
                loop {
                    match explorer.run(limits) {
                        // Runs go on elsewhere.
                        Finding::Alarm { .. } => {}
                        Finding::Complete(_) | Finding::Incomplete(_) => break,
                        Finding::Exhausted(why) => {
                            self.stage = Stage::Exploring(explorer, start);
                            return Err(NoClauses::Exhausted(why));
                        }
                    }
                }
                let is_head =
                    |state: &&Rc<State>| program.function(state.top().function).location(state.top().at).loop_head;
                let heads: Vec<Rc<State>> =
                    explorer.states().map(|(_, state)| state).filter(is_head).cloned().collect();
                if heads.len() > MOST_PREDICATES {
                    return Err(NoClauses::TooMany);
                }
                let heading = Rc::new(Heading { start: *start, heads });
                self.stage = Stage::Building(Box::new(self.builder(&heading)), heading);
                Ok(None)
            }
            Stage::Building(mut builder, heading) => match builder.run(limits) {
                Ok(()) => Ok(Some(builder.finish())),
                Err(NoClauses::Outside(_)) if builder.merges() => {
                    let apart = self.builder(&heading).without_merging();
                    self.stage = Stage::Building(Box::new(apart), heading);
                    Ok(None)
                }
                Err(why) => {
                    if matches!(why, NoClauses::Exhausted(_)) {
                        self.stage = Stage::Building(builder, heading);
                    }
                    Err(why)
                }
            },
        }
    }

    fn builder(&self, heading: &Heading) -> Builder<'p> {
        let heads = Heads::of_states(self.calls.program(), &heading.heads);
        Builder::with(self.calls.program(), self.checks, heading.start.clone(), heads)
    }
}

impl Clauses {
    /// The clauses of a program. Where it uses the heap, those of the abstract exploration with the fewest violations that no number
    /// excludes: what else is not excluded there, is for the clauses' solvers.
    ///
    /// # Errors
    /// There are none, or time is up.
    pub fn of(program: &Program, checks: Checks, limits: &Limits) -> Result<Self, NoClauses> {
        if !uses_heap(program) {
            let start = start(program, limits).map_err(|stuck| NoClauses::Stuck(stuck.to_string()))?;
            let mut builder = Builder::new(program, checks, start);
            builder.run(limits)?;
            return Ok(builder.finish());
        }
        let calls = Calls::new(program, Summarised::Nothing);
        let mut all = AbstractClauses::new(&calls, checks, limits);
        let mut best: Option<Clauses> = None;
        let mut is_refined = false;
        loop {
            match all.next(&limits.half()) {
                Ok(Some(made)) => {
                    let fewest = best.as_ref().map_or(usize::MAX, Clauses::certain_violations);
                    if made.certain_violations() < fewest {
                        best = Some(made);
                    }
                }
                Ok(None) if !is_refined && limits.check_time().is_ok() => {
                    is_refined = true;
                    all.waiting.extend(proved(program, &checks, limits));
                }
                Ok(None) => break,
                Err(why) => all.why = Some(why),
            }
            let is_enough = best.as_ref().is_some_and(|best| best.certain_violations() == 0);
            if is_enough || limits.check_time().is_err() {
                break;
            }
        }
        best.ok_or_else(|| all.why())
    }
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
