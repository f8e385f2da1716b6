//! Arithmetic strengthening: the program becomes Horn clauses over its numbers and the lengths of its lists; conditions at loop heads
//! are proposed for these (by people, templates, samples, Z3's Spacer); those that hold are put into the states there. So programs are
//! proved with relations between numbers that no abstraction of the heap would guess.
//!
//! Source: "Arithmetic strengthening for shape analysis" (SAS'07).

use std::rc::Rc;

use super::super::engine::{Engine, EngineContext, GaveUp, Progress, Question, Record, Turn};
use crate::ats::{Explorer, Finding};
use crate::base::limits::Limits;
use crate::claims::Checking;
use crate::control::{
    AbstractClauses, Builder, Clauses, Conditions, FOR_PRODUCTS, HIGHEST_DEGREE, NoClauses, NotExcluded, Samples,
    Solved, Strengthened, equations, hulls, objection, outside, spacer, templates,
};
use crate::explore::start;
use crate::heap::Semantics;
use crate::memory::Stuck;
use crate::smt::Effort;

/// How hard the solver tries on one query, which speaks of many paths at once.
const EFFORT: Effort = Effort::PATIENT;

/// The most that Spacer gets at a time.
const SPACER: Effort = Effort { rlimit: 2_000_000_000, timeout: None };

/// An exploration with conditions that has more nodes does not end: what arrives at loop heads is there for ever anew.
const MOST_NODES: usize = 20_000;

/// Where clauses come from.
enum Source<'d> {
    /// Numbers only: each form of states at a loop's head has a predicate. `None`: they are made.
    Forms(Option<Box<Builder<'d>>>),
    /// Abstract explorations, one after the other: states of the heap have predicates. `None`: it has not begun.
    Abstract(Option<Box<AbstractClauses<'d>>>),
}

/// Where it is.
enum Stage<'d> {
    /// The next clauses are being made.
    Clauses,
    /// A solver is asked for conditions: before others propose any where it is one outside, after them where it is Spacer.
    Asking(Rc<Clauses>, Asked),
    /// What of these holds, and whether it is enough; if not, another engine is asked afterwards.
    Judging(Rc<Clauses>, Conditions, Proposer),
    /// The states with these are explored, and become a proof.
    Exploring(Box<Explorer<Strengthened<'d>>>),
    Over,
}

/// A solver for Horn clauses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Outside,
    Spacer,
}

/// Who proposed conditions: in the order in which they are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proposer {
    Proposed,
    /// With equations of samples up to this degree.
    Templates(usize),
    Solver(Asked),
}

/// From clauses to a proof.
struct Invariants<'d> {
    engine_context: &'d EngineContext<'d>,
    source: Source<'d>,
    stage: Stage<'d>,
    /// Of the clauses, once there are any.
    samples: Option<Samples>,
    /// What holds of what was tried before a solver is asked.
    kept: Conditions,
    /// Conditions that do not hold.
    refuted: usize,
    /// For people.
    reported: String,
    /// What the outside tool proposed, as statistics show it.
    asked: String,
    /// Why the last clauses were of no use, if there were any.
    why: Option<String>,
}

/// A search that has not begun.
///
/// # Errors
/// The program's globals cannot be initialised.
pub fn invariants<'d>(engine_context: &'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck> {
    let question = &engine_context.question;
    let mut source = Source::Abstract(None);
    if objection(question.program, question.checks).is_none() {
        let mut start = start(question.program, question.limits)?;
        start.memory.context().set_effort(FOR_PRODUCTS);
        start.memory.semantics = Semantics { asks_at_branches: false, places_by_values: true, ..Semantics::default() };
        source = Source::Forms(Some(Box::new(Builder::new(question.program, *question.checks, start))));
    }
    Ok(Box::new(Invariants {
        engine_context,
        source,
        stage: Stage::Clauses,
        samples: None,
        kept: Conditions::default(),
        refuted: 0,
        reported: "nothing was proposed".into(),
        asked: String::new(),
        why: None,
    }))
}

fn gave_up(why: impl Into<String>) -> Progress {
    Progress::GaveUp(GaveUp::because(why))
}

impl Engine for Invariants<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
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

impl<'d> Source<'d> {
    /// The next clauses; `None`: there are no more.
    fn next(&mut self, engine_context: &'d EngineContext<'d>, limits: &Limits) -> Result<Option<Clauses>, NoClauses> {
        let Question { checks, limits: whole, .. } = engine_context.question;
        match self {
            Self::Forms(open) => {
                let Some(builder) = open else { return Ok(None) };
                builder.run(limits)?;
                let made = open.take().map(|builder| builder.finish());
                Ok(made.inspect(|clauses| clauses.context.set_effort(EFFORT)))
            }
            Self::Abstract(all) => {
                let begin = || Box::new(AbstractClauses::new(engine_context.within_callers(), *checks, whole));
                let all = all.get_or_insert_with(begin);
                all.next(limits)
            }
        }
    }

    /// Why there are no clauses at all.
    fn why(&self) -> String {
        match self {
            Self::Abstract(Some(all)) => format!("no Horn clauses: {}", all.why()),
            Self::Forms(_) | Self::Abstract(None) => "there are no Horn clauses".into(),
        }
    }

    /// How proofs that come of it are checked.
    fn checking(&self, question: &Question) -> Checking {
        match self {
            Self::Forms(_) => Checking { effort: EFFORT, places_by_values: true, ..question.checking() },
            Self::Abstract(_) => question.checking(),
        }
    }
}

impl<'d> Invariants<'d> {
    /// These clauses were of no use: why not.
    fn dismiss(&mut self, why: impl Into<String>) -> Stage<'d> {
        self.why = Some(why.into());
        self.samples = None;
        self.kept = Conditions::default();
        Stage::Clauses
    }

    /// What is tried before a solver is asked, beside what holds.
    fn guess(&mut self, clauses: Rc<Clauses>, held: Conditions, degree: usize) -> Stage<'d> {
        let samples = self.samples.get_or_insert_with(|| Samples::of(&clauses));
        let mut conditions = Conditions::none(&clauses);
        if degree == 1 {
            conditions.add_all(&templates(&clauses));
        }
        // Sums of numbers that may wrap around are hard for the solver; lengths do not.
        if degree == 1 && matches!(self.source, Source::Abstract(_)) {
            conditions.add_all(&hulls(&clauses, samples));
        }
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
        let question = &self.engine_context.question;
        let Question { program, checks, options, .. } = *question;
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Clauses => match self.source.next(self.engine_context, &turn.slice) {
                Ok(Some(clauses)) => {
                    let clauses = Rc::new(clauses);
                    // What is proposed comes first.
                    match &options.invariants {
                        Some(reported) => {
                            Ok(Stage::Judging(clauses.clone(), reported.conditions(&clauses), Proposer::Proposed))
                        }
                        None => Ok(Stage::Asking(clauses, Asked::Outside)),
                    }
                }
                Ok(None) => Err(gave_up(self.why.clone().unwrap_or_else(|| self.source.why()))),
                Err(NoClauses::Exhausted(why)) => {
                    self.stage = Stage::Clauses;
                    Err(exhausted(why))
                }
                Err(why) => Err(gave_up(why.to_string())),
            },
            Stage::Asking(clauses, Asked::Outside) => {
                let held = std::mem::take(&mut self.kept);
                let Some(command) = &options.arithmetic_tool else { return Ok(self.guess(clauses, held, 1)) };
                match outside(&clauses, command, &turn.whole.half()) {
                    Solved::Conditions(mut conditions) => {
                        self.asked = format!(", {} of `{command}`", conditions.len());
                        conditions.add_all(&held);
                        Ok(Stage::Judging(clauses, conditions, Proposer::Solver(Asked::Outside)))
                    }
                    Solved::None => {
                        self.asked = format!(", `{command}` says that there are none");
                        Ok(self.guess(clauses, held, 1))
                    }
                    Solved::Unknown(why) => {
                        self.asked = format!(", {why}");
                        Ok(self.guess(clauses, held, 1))
                    }
                }
            }
            Stage::Asking(clauses, Asked::Spacer) => {
                let effort = SPACER.within(&turn.slice);
                match spacer(&clauses, effort) {
                    Solved::Conditions(mut conditions) => {
                        conditions.add_all(&self.kept);
                        Ok(Stage::Judging(clauses, conditions, Proposer::Solver(Asked::Spacer)))
                    }
                    Solved::None => Ok(self.dismiss("no conditions on integers exclude violations")),
                    Solved::Unknown(why) if effort.rlimit == SPACER.rlimit => Ok(self.dismiss(why)),
                    Solved::Unknown(_) => {
                        self.stage = Stage::Asking(clauses, Asked::Spacer);
                        Err(Progress::Paused)
                    }
                }
            }
            Stage::Judging(clauses, mut conditions, from) => {
                let before = conditions.len();
                let judged = conditions.keep_what_holds(&clauses, &turn.slice).map_err(NotExcluded::Exhausted);
                self.refuted += before - conditions.len();
                self.reported = format!("{} conditions, {} refuted{}", conditions.len(), self.refuted, self.asked);
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
                        Proposer::Proposed => {
                            self.kept = conditions;
                            Ok(Stage::Asking(clauses, Asked::Outside))
                        }
                        Proposer::Solver(Asked::Outside) => Ok(self.guess(clauses, conditions, 1)),
                        Proposer::Templates(degree) if degree < HIGHEST_DEGREE => {
                            Ok(self.guess(clauses, conditions, degree + 1))
                        }
                        Proposer::Templates(_) => {
                            self.kept = conditions;
                            Ok(Stage::Asking(clauses, Asked::Spacer))
                        }
                        Proposer::Solver(Asked::Spacer) => Ok(self.dismiss("the conditions that hold are not enough")),
                    },
                }
            }
            Stage::Exploring(explorer) if explorer.nodes().len() >= MOST_NODES => {
                Ok(self.dismiss("what arrives at loop heads lies within no state there"))
            }
            Stage::Exploring(mut explorer) => match explorer.run_for(0, MOST_NODES, &turn.slice) {
                Finding::Complete(proof) => {
                    let checking = self.source.checking(question);
                    match super::complete(&mut explorer, question, proof, turn, checking) {
                        Progress::GaveUp(why) => Ok(self.dismiss(why.reason)),
                        progress => Err(progress),
                    }
                }
                Finding::Exhausted(_) if explorer.nodes().len() >= MOST_NODES => Ok(Stage::Exploring(explorer)),
                Finding::Exhausted(why) => {
                    self.stage = Stage::Exploring(explorer);
                    Err(exhausted(why))
                }
                Finding::Incomplete(why) => Ok(self.dismiss(why.to_string())),
                Finding::Alarm { .. } => Ok(self.dismiss("the conditions do not exclude an alarm")),
            },
            Stage::Over => Err(gave_up("it has ended")),
        }
    }
}
