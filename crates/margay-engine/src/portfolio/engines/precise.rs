//! The precise exploration: finds violations with their inputs, in the order of their distance, and proves programs with
//! finitely many states.

use std::rc::Rc;

use super::super::engine::{Engine, EngineContext, GaveUp, Progress, Question, Record, Turn};
use crate::ats::{Ending, Explorer, Finding};
use crate::base::limits::Limits;
use crate::base::work::{self, SECOND};
use crate::cegar;
use crate::cegar::{PathFeasibility, feasible_inputs};
use crate::cfa::Step;
use crate::concrete;
use crate::explore::{Alarm, Shapes, start};
use crate::heap::{Context, Smg};
use crate::memory::Stuck;
use crate::task::Violation;
use crate::verdict::Counterexample;

/// So many nodes it makes however long they take.
const FIRST_NODES: usize = 32;

/// Alarms that could not be confirmed before further ones are no longer tried: each try costs a query and a replay.
const MAX_UNCONFIRMED: usize = 64;

/// A confirmed leak waits for so many further nodes at least, and half as many as were made before it, for a violation of
/// another kind: that one counts more, because what loses a block is usually part of the same mistake.
const PATIENCE: usize = 128;

/// Where nodes take much work, it waits no longer than this, or than the search took.
const LONGEST_PATIENCE: u64 = SECOND / 4;

/// An exploration without abstraction, so that histories stay exact; alarms are replayed.
struct Precise<'d> {
    question: &'d Question<'d>,
    context: Rc<Context>,
    explorer: Explorer<Shapes<'d>>,
    /// What could neither be confirmed nor excluded.
    unconfirmed: Vec<String>,
    /// A confirmed leak; how many nodes there may be, and how much may be done, while a violation of another kind is still looked for.
    leak: Option<(Box<Counterexample>, usize, u64)>,
}

/// A precise exploration that has not begun.
///
/// # Errors
/// The program's globals cannot be initialised.
pub fn precise<'d>(engine_context: &'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck> {
    let question = &engine_context.question;
    let mut config = start(question.program, question.limits)?;
    config.memory.semantics.endless_memory = question.checks.termination;
    let context = config.memory.context().clone();
    let explorer = Explorer::new(Shapes::passing(question.program, *question.checks), config);
    Ok(Box::new(Precise { question, context, explorer, unconfirmed: Vec::new(), leak: None }))
}

impl Precise<'_> {
    /// What an alarm comes to: a violation at once, a leak kept for later, or one more unconfirmed alarm.
    fn alarm(
        &mut self,
        (memory, alarm): (&Smg, &Alarm),
        at: &Ending<Rc<[Step]>>,
        limits: &Limits,
    ) -> Option<Box<Counterexample>> {
        if self.leak.is_some() && alarm.fault.violation == Violation::ValidMemtrack {
            return None;
        }
        let found = self.confirm((memory, alarm), at, limits)?;
        if found.violation != Violation::ValidMemtrack {
            return Some(found);
        }
        let nodes = self.explorer.nodes().len();
        let until = work::done() + LONGEST_PATIENCE.max(work::done());
        self.leak.get_or_insert((found, nodes + PATIENCE.max(nodes / 2), until));
        None
    }

    /// A concrete run that shows the alarm is real.
    fn confirm(
        &mut self,
        (memory, alarm): (&Smg, &Alarm),
        at: &Ending<Rc<[Step]>>,
        limits: &Limits,
    ) -> Option<Box<Counterexample>> {
        if self.unconfirmed.len() >= MAX_UNCONFIRMED {
            return None;
        }
        let Question { program, checks, .. } = self.question;
        let pos = program.source.pos(alarm.span.start);
        let place = format!("{} at {}:{}", alarm.fault.detail, pos.file, pos.line);
        let why = match feasible_inputs(memory) {
            PathFeasibility::Feasible(inputs) => match concrete::replay(program, checks, &inputs) {
                Ok(counterexample) => return Some(Box::new(counterexample)),
                Err(why) => {
                    // Where accesses somewhere lost what stood there, the path by itself may say more.
                    if self.context.statistics().weak_accesses > 0 {
                        let moves = self.explorer.path(at);
                        let steps: Vec<Step> = moves.iter().flat_map(|(steps, _)| steps.iter().copied()).collect();
                        if let Ok(found) = cegar::confirm(program, checks, &steps, limits) {
                            return Some(found);
                        }
                    }
                    format!("{place} was not confirmed ({why})")
                }
            },
            // The path condition was satisfiable step by step; together with the fault it is not.
            PathFeasibility::Infeasible => format!("{place} has no run of its own"),
            PathFeasibility::Unclear(why) => format!("{place} was not decided ({why})"),
        };
        self.unconfirmed.push(why);
        None
    }
}

impl Engine for Precise<'_> {
    /// Follows runs until there is an answer, or the slice is used up and there are the first nodes.
    fn run(&mut self, turn: &Turn) -> Progress {
        loop {
            let least = FIRST_NODES.saturating_sub(self.explorer.nodes().len());
            let (most, limits) = match &self.leak {
                Some((_, most, until)) => (*most, turn.slice.within_work(until.saturating_sub(work::done()))),
                None => (usize::MAX, turn.slice.clone()),
            };
            let finding = self.explorer.run_for(least, most, &limits);
            if let Finding::Alarm { state, alarm, at } = &finding {
                if let Some(found) = self.alarm((&state.memory, alarm), at, turn.whole) {
                    return Progress::Violated(found);
                }
                continue;
            }
            if let Some((leak, most, until)) = self.leak.take() {
                let is_patient = self.explorer.nodes().len() < most && work::done() < until;
                if is_patient && matches!(finding, Finding::Exhausted(why) if why.is_pause()) {
                    self.leak = Some((leak, most, until));
                    return Progress::Paused;
                }
                return Progress::Violated(leak);
            }
            return match finding {
                Finding::Complete(complete) => {
                    super::complete(&mut self.explorer, self.question, complete, turn, self.question.checking())
                }
                // An alarm that was not decided tells more than that there was one.
                Finding::Incomplete(why) => {
                    let alarm = self.unconfirmed.first().cloned();
                    Progress::GaveUp(GaveUp::because(alarm.unwrap_or_else(|| why.to_string())))
                }
                Finding::Exhausted(why) if !why.is_pause() => Progress::Exhausted(why),
                Finding::Exhausted(_) | Finding::Alarm { .. } => Progress::Paused,
            };
        }
    }

    fn record(&self) -> Record {
        let (solver, store) = (self.context.solver_stats(), self.context.statistics());
        let queries =
            format!("{} ({} without Z3)", solver.queries, solver.cache_hits + solver.model_hits + solver.singles);
        let stats = vec![
            ("nodes".into(), self.explorer.nodes().len().to_string()),
            ("covered nodes".into(), self.explorer.covered().to_string()),
            ("unconfirmed alarms".into(), self.unconfirmed.len().to_string()),
            ("conditions".into(), format!("{} ({} without solver)", store.decisions, store.cheap)),
            ("weak accesses".into(), store.weak_accesses.to_string()),
            ("solver queries".into(), queries),
            ("solver time".into(), format!("{:.3} s", solver.time.as_secs_f64())),
        ];
        Record { stats, ..Record::default() }
    }
}
