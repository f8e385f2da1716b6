//! Conditions at loop heads that others propose (people, other tools, Z3's Spacer): those that hold are put into the states there, and
//! what lies between loop heads is one formula. So programs are proved with relations between numbers that nothing here would guess.

use std::rc::Rc;

use super::super::engine::{Engine, EngineContext, GaveUp, Progress, Question, Record, Turn};
use crate::ats::{Explorer, Finding};
use crate::claims::Checking;
use crate::control::{
    Builder, Clauses, Conditions, FOR_PRODUCTS, HIGHEST_DEGREE, NoClauses, NotExcluded, Samples, Solved, Strengthened,
    equations, objection, spacer, templates,
};
use crate::explore::start;
use crate::heap::Semantics;
use crate::memory::Stuck;
use crate::smt::Effort;

/// How hard the solver tries on one query, which speaks of many paths at once.
const EFFORT: Effort = Effort::PATIENT;

/// The most that Spacer gets at a time.
const SPACER: Effort = Effort { rlimit: 2_000_000_000, timeout: None };

/// Where it is.
enum Stage<'d> {
    /// The clauses are being made.
    Clauses(Box<Builder<'d>>),
    /// A solver is asked for conditions.
    Asking(Rc<Clauses>),
    /// What of these holds, and whether it is enough; if not, another engine is asked afterwards.
    Judging(Rc<Clauses>, Conditions, Proposer),
    /// The states with these are explored, and become a proof.
    Exploring(Box<Explorer<Strengthened<'d>>>),
    Over,
}

/// Who proposed conditions: in the order in which they are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proposer {
    Proposed,
    /// With equations of samples up to this degree.
    Templates(usize),
    Spacer,
}

/// From clauses to a proof.
struct Invariants<'d> {
    question: &'d Question<'d>,
    objection: Option<&'static str>,
    stage: Stage<'d>,
    /// Of the clauses, once there are any.
    samples: Option<Samples>,
    /// What holds of what was tried before a solver is asked.
    kept: Conditions,
    /// Conditions that do not hold.
    refuted: usize,
    /// For people.
    reported: String,
}

/// A search that has not begun.
///
/// # Errors
/// The program's globals cannot be initialised.
pub fn invariants<'d>(engine_context: &'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck> {
    let question = &engine_context.question;
    let objection = objection(question.program, question.checks);
    let mut stage = Stage::Over;
    if objection.is_none() {
        let mut start = start(question.program, question.limits)?;
        start.memory.context().set_effort(FOR_PRODUCTS);
        start.memory.semantics = Semantics { asks_at_branches: false, places_by_values: true, ..Semantics::default() };
        stage = Stage::Clauses(Box::new(Builder::new(question.program, *question.checks, start)));
    }
    Ok(Box::new(Invariants {
        question,
        objection,
        stage,
        samples: None,
        kept: Conditions::default(),
        refuted: 0,
        reported: "nothing was proposed".into(),
    }))
}

fn gave_up(why: impl Into<String>) -> Progress {
    Progress::GaveUp(GaveUp::because(why))
}

impl Engine for Invariants<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        if let Some(why) = self.objection {
            return gave_up(why);
        }
        loop {
            match self.step(turn) {
                Ok(next) => self.stage = next,
                Err(progress) => return progress,
            }
        }
    }

    fn record(&self) -> Record {
        Record { stats: vec![("invariants".into(), self.reported.clone())], ..Record::default() }
    }
}

impl<'d> Invariants<'d> {
    /// What is tried before a solver is asked, beside what holds.
    fn guess(&mut self, clauses: Rc<Clauses>, held: Conditions, degree: usize) -> Stage<'d> {
        let samples = self.samples.get_or_insert_with(|| Samples::of(&clauses));
        let mut conditions = if degree == 1 { templates(&clauses) } else { Conditions::none(&clauses) };
        conditions.add_all(&equations(&clauses, samples, degree));
        conditions.drop_what_samples_refute(&clauses, samples);
        conditions.add_all(&held);
        Stage::Judging(clauses, conditions, Proposer::Templates(degree))
    }

    /// The next stage, or what the turn came to.
    fn step(&mut self, turn: &Turn) -> Result<Stage<'d>, Progress> {
        let exhausted = |why: crate::base::limits::Exhausted| {
            if why.is_pause() { Progress::Paused } else { Progress::Exhausted(why) }
        };
        let Question { program, checks, .. } = *self.question;
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Clauses(mut builder) => match builder.run(&turn.slice) {
                Ok(()) => {
                    let clauses = Rc::new(builder.finish());
                    clauses.context.set_effort(EFFORT);
                    // What is proposed comes first.
                    match &self.question.options.invariants {
                        Some(reported) => {
                            Ok(Stage::Judging(clauses.clone(), reported.conditions(&clauses), Proposer::Proposed))
                        }
                        None => Ok(self.guess(clauses, Conditions::default(), 1)),
                    }
                }
                Err(NoClauses::Exhausted(why)) => {
                    self.stage = Stage::Clauses(builder);
                    Err(exhausted(why))
                }
                Err(why) => Err(gave_up(why.to_string())),
            },
            Stage::Asking(clauses) => {
                let effort = SPACER.within(&turn.slice);
                match spacer(&clauses, effort) {
                    Solved::Conditions(mut conditions) => {
                        conditions.add_all(&self.kept);
                        Ok(Stage::Judging(clauses, conditions, Proposer::Spacer))
                    }
                    Solved::None => Err(gave_up("no conditions on integers exclude violations")),
                    Solved::Unknown(why) if effort.rlimit == SPACER.rlimit => Err(gave_up(why)),
                    Solved::Unknown(_) => {
                        self.stage = Stage::Asking(clauses);
                        Err(Progress::Paused)
                    }
                }
            }
            Stage::Judging(clauses, mut conditions, from) => {
                let before = conditions.len();
                let judged = conditions.keep_what_holds(&clauses, &turn.slice).map_err(NotExcluded::Exhausted);
                self.refuted += before - conditions.len();
                self.reported = format!("{} conditions, {} refuted", conditions.len(), self.refuted);
                match judged.and_then(|()| conditions.exclude_violations(&clauses, &turn.slice)) {
                    Ok(()) => {
                        let explorer = Strengthened::explorer(program, *checks, clauses, &conditions);
                        Ok(Stage::Exploring(Box::new(explorer)))
                    }
                    Err(NotExcluded::Exhausted(why)) => {
                        self.stage = Stage::Judging(clauses, conditions, from);
                        Err(exhausted(why))
                    }
                    Err(NotExcluded::Possible) => match from {
                        Proposer::Proposed => Ok(self.guess(clauses, conditions, 1)),
                        Proposer::Templates(degree) if degree < HIGHEST_DEGREE => {
                            Ok(self.guess(clauses, conditions, degree + 1))
                        }
                        Proposer::Templates(_) => {
                            self.kept = conditions;
                            Ok(Stage::Asking(clauses))
                        }
                        Proposer::Spacer => Err(gave_up("the conditions that hold are not enough")),
                    },
                }
            }
            Stage::Exploring(mut explorer) => match explorer.run(&turn.slice) {
                Finding::Complete(proof) => {
                    let checking = Checking { effort: EFFORT, places_by_values: true, ..self.question.checking() };
                    Err(super::complete(&mut explorer, self.question, proof, turn, checking))
                }
                Finding::Exhausted(why) => {
                    self.stage = Stage::Exploring(explorer);
                    Err(exhausted(why))
                }
                Finding::Incomplete(why) => Err(gave_up(why.to_string())),
                Finding::Alarm { .. } => Err(gave_up("the conditions do not exclude an alarm")),
            },
            Stage::Over => Err(gave_up("it has ended")),
        }
    }
}
