//! One state for all runs that meet: violations at the end of many branches, and proofs of programs whose loops end by themselves.

use std::rc::Rc;

use super::super::engine::{Engine, EngineContext, GaveUp, Progress, Question, Record, Turn};
use crate::ats::{Ending, Explorer, Finding};
use crate::cegar::confirm;
use crate::cfa::Step;
use crate::claims::Checking;
use crate::control::{Merging, objection};
use crate::explore::start;
use crate::heap::{Context, Semantics, State};
use crate::memory::Stuck;
use crate::smt::{Effort, Sat};

/// How hard the solver tries on one query, which speaks of many paths at once: where that was not enough, the exploration begins
/// anew with more.
const EFFORTS: [Effort; 2] = [Effort::PATIENT, Effort { rlimit: 25 * Effort::PATIENT.rlimit, ..Effort::PATIENT }];

/// Alarms without a run after which it is hopeless to wait for one that has.
const MAX_SPURIOUS: usize = 8;

/// An exploration, if the program is one for it.
struct Merged<'d> {
    question: &'d Question<'d>,
    objection: Option<&'static str>,
    explorer: Option<Explorer<Merging<'d>>>,
    /// Its context, as the explorer has it.
    context: Option<Rc<Context>>,
    /// Of [`EFFORTS`].
    attempt: usize,
    /// Why alarms of this attempt have no run.
    spurious: Vec<String>,
}

/// An exploration that has not begun.
///
/// # Errors
/// The program's globals cannot be initialised.
pub fn merged<'d>(engine_context: &'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck> {
    let question = &engine_context.question;
    let objection = objection(question.program, question.checks);
    let mut engine = Merged { question, objection, explorer: None, context: None, attempt: 0, spurious: Vec::new() };
    if objection.is_none() {
        engine.begin()?;
    }
    Ok(Box::new(engine))
}

impl Merged<'_> {
    fn begin(&mut self) -> Result<(), Stuck> {
        let Question { program, checks, limits, .. } = *self.question;
        let mut start = start(program, limits)?;
        let context = start.memory.context().clone();
        context.set_effort(EFFORTS[self.attempt]);
        start.memory.semantics = Semantics { asks_at_branches: false, places_by_values: true, ..Semantics::default() };
        self.context = Some(context);
        self.explorer = Some(Explorer::new(Merging::new(program, *checks), start));
        self.spurious.clear();
        Ok(())
    }

    /// Some query of this attempt came back without an answer.
    fn solver_gave_up(&self) -> bool {
        self.context.as_ref().is_some_and(|context| context.solver_gave_up())
    }

    /// Gives up, unless the solver did and has not yet tried as hard as it may.
    fn give_up(&mut self, why: &str) -> Progress {
        if self.solver_gave_up() && self.attempt + 1 < EFFORTS.len() {
            self.attempt += 1;
            return match self.begin() {
                Ok(()) => Progress::Paused,
                Err(stuck) => Progress::GaveUp(GaveUp::because(stuck.to_string())),
            };
        }
        Progress::GaveUp(GaveUp::because(self.spurious.first().map_or(why, |first| first)))
    }
}

impl Engine for Merged<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        if let Some(why) = self.objection {
            return Progress::GaveUp(GaveUp::because(why));
        }
        loop {
            let Some(explorer) = &mut self.explorer else { return Progress::GaveUp(GaveUp::because("it has ended")) };
            match explorer.run(&turn.slice) {
                Finding::Complete(proof) => {
                    let effort = EFFORTS[self.attempt];
                    let checking = Checking { effort, places_by_values: true, ..self.question.checking() };
                    return match super::complete(explorer, self.question, proof, turn, checking) {
                        // Where two paths cannot be distinguished, one state for both is a guess.
                        Progress::GaveUp(why) => self.give_up(&why.reason),
                        progress => progress,
                    };
                }
                Finding::Exhausted(why) if why.is_pause() => return Progress::Paused,
                Finding::Exhausted(why) => return Progress::Exhausted(why),
                Finding::Incomplete(why) => return self.give_up(&why),
                Finding::Alarm { at, state, .. } => {
                    let Question { program, checks, .. } = *self.question;
                    let steps = run_to(explorer, &at, &state);
                    match steps.and_then(|steps| confirm(program, checks, &steps, turn.whole)) {
                        Ok(found) => return Progress::Violated(found),
                        Err(why) => self.spurious.push(why),
                    }
                    if self.solver_gave_up() || self.spurious.len() == MAX_SPURIOUS {
                        return self.give_up("no alarm has a run");
                    }
                }
            }
        }
    }

    fn record(&self) -> Record {
        let Some(explorer) = &self.explorer else { return Record::default() };
        let reported = format!("{} nodes, {} alarms without a run", explorer.nodes().len(), self.spurious.len());
        Record { stats: vec![("merged paths".into(), reported)], ..Record::default() }
    }
}

/// The steps of a run to an alarm: many meet in its state, and the solver chooses one.
///
/// # Errors
/// Why there is none.
fn run_to(explorer: &Explorer<Merging>, at: &Ending<Rc<[Step]>>, alarm: &State) -> Result<Vec<Step>, String> {
    let context = alarm.memory.context();
    let query = alarm.memory.facts();
    let model = match context.check(&query) {
        Sat::Sat(model) => model,
        Sat::Unsat => return Err("no run comes to the alarm".into()),
        Sat::Unknown(why) => return Err(why),
    };
    let holds = |state: &State| {
        let mut parts = state.memory.store.constraints().iter();
        parts.all(|part| model.evaluate(&context.terms, *part) == 1)
    };
    let moves = explorer.run_to(at, &holds).ok_or("the run to the alarm is not among those followed")?;
    Ok(moves.iter().flat_map(|steps| steps.iter().copied()).collect())
}
