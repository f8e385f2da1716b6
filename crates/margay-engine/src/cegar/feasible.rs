//! Whether an alarm is real: first along its own path, then along any run of its slice.

use std::time::Instant;

use super::confirm::confirm;
use super::inputs::{PathFeasibility, feasible_inputs};
use super::path::Path;
use super::record::Feasibility;
use crate::ats::Ending;
use crate::base::limits::Limits;
use crate::base::work::SECOND;
use crate::bmc::{Answer, Choice, Placement, Question};
use crate::cfa::{Program, Step};
use crate::concrete::replay;
use crate::explore::Followed;
use crate::memory::Checks;
use crate::task::Violation;
use crate::verdict::Counterexample;
use std::rc::Rc;

/// What is known of an alarm.
pub enum Judgement {
    Violation(Box<Counterexample>),
    /// No run takes the alarm's own path.
    Spurious,
    /// Neither a run was found nor excluded.
    Unclear,
}

/// The slice is asked for runs of at most so many edges more than the path has.
const LONGER: u32 = 12;
/// How much work a slice is worth: less after each that was not decided, more after each that was.
#[derive(Clone, Copy, Debug)]
pub struct Worth(u64);

impl Worth {
    const FIRST: u64 = SECOND / 32;
    const LEAST: u64 = SECOND / 256;
    const MOST: u64 = SECOND / 4;

    /// In ticks; with quantifiers each step of the solver takes several times as long.
    fn work(self, choice: Choice) -> u64 {
        if choice == Choice::Quantified { self.0 / 5 } else { self.0 }
    }

    fn learn(&mut self, is_decided: bool) {
        self.0 = if is_decided { (self.0 * 2).min(Self::MOST) } else { (self.0 / 2).max(Self::LEAST) };
    }
}

impl Default for Worth {
    fn default() -> Self {
        Self(Self::FIRST)
    }
}

/// Judges the alarm at the end of `path`, and writes down how.
pub fn judge(
    program: &Program,
    checks: &Checks,
    path: &Path,
    at: &Ending<Rc<[Step]>>,
    (violation, choice): (Violation, Option<(Choice, &mut Worth)>),
    limits: &Limits,
) -> (Judgement, Feasibility) {
    let started = Instant::now();
    let mut record = Feasibility::default();
    let followed = if path.is_impossible_at_once() { Followed::Nowhere } else { path.precisely(&mut |_, _| ()) };
    record.path_time = started.elapsed();
    let own = match followed {
        Followed::Alarm(state, _) => match feasible_inputs(&state.memory) {
            PathFeasibility::Feasible(inputs) => match replay(program, checks, &inputs) {
                Ok(found) => {
                    record.answer = "the path has a run, replayed".into();
                    record.confirmed = true;
                    return (Judgement::Violation(Box::new(found)), record);
                }
                Err(why) => {
                    // Where accesses somewhere lost what stood there, the path by itself may say more.
                    if state.memory.context().statistics().weak_accesses > 0
                        && let Ok(found) = confirm(program, checks, &path.steps, limits)
                    {
                        record.answer = "the path has a run, replayed".into();
                        record.confirmed = true;
                        return (Judgement::Violation(found), record);
                    }
                    record.answer = format!("the path's run was not confirmed ({why})");
                    Judgement::Unclear
                }
            },
            PathFeasibility::Infeasible => {
                record.answer = "the path has no run".into();
                Judgement::Spurious
            }
            PathFeasibility::Unclear(why) => {
                record.answer = format!("the path was not decided ({why})");
                Judgement::Unclear
            }
        },
        Followed::Nowhere => {
            record.answer = "the path has no run".into();
            Judgement::Spurious
        }
        Followed::Unclear(why) => {
            record.answer = why.into();
            Judgement::Unclear
        }
    };
    let Some((choice, worth)) = choice else { return (own, record) };
    // Leaks along the way to something else are no concern of this slice.
    let asked = Checks { memtrack: violation == Violation::ValidMemtrack, ..*checks };
    let started = Instant::now();
    let slice = path.explorer.slice(std::slice::from_ref(at));
    let bound = u32::try_from(path.nodes.len()).unwrap_or(u32::MAX).saturating_add(LONGER);
    let limits = &limits.within_work(worth.work(choice));
    let placement = Placement::default();
    let encoding = choice.encoding();
    let question = Question { program, checks: &asked, slice: &slice, start: None, bound, placement, limits };
    let answer = encoding.feasible(&question);
    record.encoding = Some(encoding.name());
    record.bound = bound;
    record.slice_edges = slice.edges.len();
    worth.learn(!matches!(answer, Answer::Unclear(_)));
    let judgement = match answer {
        Answer::Feasible(trace) => match replay(program, checks, &trace.inputs) {
            Ok(found) => {
                record.slice_answer = "the slice has a run, replayed".into();
                record.confirmed = true;
                Judgement::Violation(Box::new(found))
            }
            Err(why) => {
                record.slice_answer = format!("the slice's run was not confirmed ({why})");
                own
            }
        },
        Answer::Infeasible { bound, exhaustive } => {
            let longer = if exhaustive { ", nor a longer one" } else { "" };
            record.slice_answer = format!("no run of at most {bound} edges{longer}");
            own
        }
        Answer::Unclear(why) => {
            record.slice_answer = format!("the slice was not decided ({why})");
            own
        }
    };
    record.slice_time = started.elapsed();
    (judgement, record)
}
