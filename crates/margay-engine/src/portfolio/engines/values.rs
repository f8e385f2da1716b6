//! Explicit values at cut points, without relations: runs that differ in their inputs only meet at once. First with bounds of what is
//! no value, then with conditions on it.

use super::super::engine::{Engine, EngineContext, GaveUp, Progress, Question, Record, Turn};
use crate::ats::{Explorer, Finding};
use crate::cegar::confirm;
use crate::cfa::Step;
use crate::control::{Loose, Values, objection};
use crate::explore::start;
use crate::memory::Stuck;

/// Alarms of one exploration that have no run: with more of them it is too coarse to find one that has.
const MAX_SPURIOUS: usize = 16;

/// One exploration after the other.
struct Explicit<'d> {
    question: &'d Question<'d>,
    objection: Option<&'static str>,
    explorer: Option<Explorer<Loose<'d, Values>>>,
    keeps_conditions: bool,
    spurious: Vec<String>,
}

/// Explorations that have not begun.
///
/// # Errors
/// The program's globals cannot be initialised.
pub fn values<'d>(engine_context: &'d EngineContext<'d>) -> Result<Box<dyn Engine + 'd>, Stuck> {
    let question = &engine_context.question;
    let objection = objection(question.program, question.checks);
    let mut engine = Explicit { question, objection, explorer: None, keeps_conditions: false, spurious: Vec::new() };
    if objection.is_none() {
        engine.begin(false)?;
    }
    Ok(Box::new(engine))
}

impl Explicit<'_> {
    fn begin(&mut self, keeps_conditions: bool) -> Result<(), Stuck> {
        let Question { program, checks, limits, .. } = *self.question;
        let start = start(program, limits)?;
        self.explorer = Some(Explorer::new(Values::domain(program, *checks, keeps_conditions), start));
        self.keeps_conditions = keeps_conditions;
        self.spurious.clear();
        Ok(())
    }
}

impl Engine for Explicit<'_> {
    fn run(&mut self, turn: &Turn) -> Progress {
        if let Some(why) = self.objection {
            return Progress::GaveUp(GaveUp::because(why));
        }
        loop {
            let Some(mut explorer) = self.explorer.take() else {
                return Progress::GaveUp(GaveUp::because("values do not tell"));
            };
            let why = match explorer.run(&turn.slice) {
                Finding::Complete(complete) => {
                    return super::complete(&mut explorer, self.question, complete, turn, self.question.checking());
                }
                Finding::Exhausted(why) => {
                    self.explorer = Some(explorer);
                    return if why.is_pause() { Progress::Paused } else { Progress::Exhausted(why) };
                }
                Finding::Incomplete(why) => self.spurious.first().cloned().unwrap_or_else(|| why.to_string()),
                Finding::Alarm { at, .. } => {
                    let steps: Vec<Step> = explorer.path(&at).iter().flat_map(|(by, _)| by.iter().copied()).collect();
                    let Question { program, checks, .. } = *self.question;
                    match confirm(program, checks, &steps, turn.whole) {
                        Ok(found) => return Progress::Violated(found),
                        Err(why) => self.spurious.push(why),
                    }
                    if self.spurious.len() < MAX_SPURIOUS {
                        self.explorer = Some(explorer);
                        continue;
                    }
                    self.spurious[0].clone()
                }
            };
            if self.keeps_conditions {
                return Progress::GaveUp(GaveUp::because(why));
            }
            if let Err(stuck) = self.begin(true) {
                return Progress::GaveUp(GaveUp::because(stuck.to_string()));
            }
        }
    }

    fn record(&self) -> Record {
        let nodes = self.explorer.as_ref().map_or(0, |explorer| explorer.nodes().len());
        let kept = if self.keeps_conditions { "values and conditions" } else { "values" };
        let reported = format!("{nodes} nodes with {kept}, {} alarms without a run", self.spurious.len());
        Record { stats: vec![("explicit values".into(), reported)], ..Record::default() }
    }
}
