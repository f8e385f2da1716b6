//! One state for all runs that meet: violations at the end of many branches, and proofs of programs whose loops end by themselves.

use std::rc::Rc;

use super::super::member::{Desk, GaveUp, Member, Progress, Question, Record, Turn};
use crate::ats::{Ending, Explorer, Finding};
use crate::cfa::Step;
use crate::control::{Merging, confirm, objection};
use crate::explore::start;
use crate::heap::State;
use crate::memory::Stuck;
use crate::smt::Sat;

/// An exploration, if the program is one for it.
struct Merged<'d> {
    question: &'d Question<'d>,
    objection: Option<&'static str>,
    explorer: Option<Explorer<Merging<'d>>>,
    alarms: usize,
}

/// An exploration that has not begun.
///
/// # Errors
/// The program's globals cannot be initialised.
pub fn merged<'d>(desk: &'d Desk<'d>) -> Result<Box<dyn Member + 'd>, Stuck> {
    let question = &desk.question;
    let Question { program, checks, limits, .. } = *question;
    let objection = objection(program, checks);
    let explorer = match objection {
        Some(_) => None,
        None => Some(Explorer::new(Merging::new(program, *checks), start(program, limits)?)),
    };
    Ok(Box::new(Merged { question, objection, explorer, alarms: 0 }))
}

impl Member for Merged<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        if let Some(why) = self.objection {
            return Progress::GaveUp(GaveUp::because(why));
        }
        let Some(explorer) = &mut self.explorer else { return Progress::GaveUp(GaveUp::because("it has ended")) };
        match explorer.run(&turn.slice) {
            Finding::Complete(proof) => match super::complete(explorer, self.question, proof, turn) {
                // Where two paths cannot be told apart, one state for both is a guess.
                Progress::GaveUp(why) => Progress::GaveUp(GaveUp::because(why.reason)),
                progress => progress,
            },
            Finding::Exhausted(why) if why.is_pause() => Progress::Paused,
            Finding::Exhausted(why) => Progress::Exhausted(why),
            Finding::Incomplete(why) => Progress::GaveUp(GaveUp::because(why.to_string())),
            Finding::Alarm { at, state, .. } => {
                self.alarms += 1;
                let Question { program, checks, .. } = *self.question;
                let steps = run_to(explorer, &at, &state);
                match steps.and_then(|steps| confirm(program, checks, &steps, turn.whole)) {
                    Ok(found) => Progress::Violated(found),
                    Err(why) => Progress::GaveUp(GaveUp::because(why)),
                }
            }
        }
    }

    fn record(&self) -> Record {
        let Some(explorer) = &self.explorer else { return Record::default() };
        let told = format!("{} nodes, {} alarms", explorer.nodes().len(), self.alarms);
        Record { stats: vec![("merged paths".into(), told)], ..Record::default() }
    }
}

/// The steps of a run to an alarm: many meet in its state, and the solver chooses one.
///
/// # Errors
/// Why there is none.
fn run_to(explorer: &Explorer<Merging>, at: &Ending<Rc<[Step]>>, alarm: &State) -> Result<Vec<Step>, String> {
    let context = alarm.memory.context();
    let query = alarm.memory.facts();
    let model = match context.solver.borrow_mut().check(&context.terms, &query, context.effort()) {
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
