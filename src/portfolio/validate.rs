//! Judges correctness witnesses: each invariant becomes a check at its loop's head, and the program with the checks is verified.

use super::{Job, decide};
use crate::base::error::Result;
use crate::c;
use crate::cfa::{self, LowerOptions};
use crate::task::Violation;
use crate::verdict::{Event, Verdict};
use crate::witness::{Invariant, instrument};

/// What came of a correctness witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Validity {
    /// The program is correct and every invariant holds.
    Confirmed,
    /// A run violates the property or an invariant.
    Rejected(String),
    Unknown(String),
}

/// Judges `invariants` of the program and property of `job`. Call it inside [`c::with_big_stack`].
///
/// # Errors
/// Input that is no C program, or an invariant that is no expression over what is in scope.
pub fn validate(job: &Job, invariants: &[Invariant]) -> Result<Validity> {
    let mut checks = super::checks(job.properties);
    let asks_for_reach = checks.reach_call;
    let source = c::load(job.file, job.model)?;
    let instrumented = instrument(&source, invariants);
    checks.reach_call |= !instrumented.checks.is_empty();
    let unit = c::parse(&instrumented.source)?;
    let options = LowerOptions { overflow_checks: checks.overflow, malloc_may_fail: job.options.malloc_may_fail };
    let program = cfa::lower(&unit, &options)?;
    let verdict = decide(&program, &checks, job.limits, job.options).verdict;
    Ok(match verdict {
        Verdict::True(_) => match instrumented.left_out.first() {
            None => Validity::Confirmed,
            Some((index, why)) => Validity::Unknown(format!("invariant {} was not checked: {why}", index + 1)),
        },
        Verdict::False(run) => {
            let check = match run.trace.last() {
                Some(Event::Violation { pos, .. }) if run.violation == Violation::UnreachCall => {
                    instrumented.check_at(pos)
                }
                _ => None,
            };
            match check {
                Some(check) => {
                    let value = &invariants[check.invariant].value;
                    Validity::Rejected(format!("the invariant `{value}` at line {} does not hold", check.line))
                }
                None if run.violation == Violation::UnreachCall && !asks_for_reach => {
                    Validity::Unknown("the program calls an error function that the property does not ask about".into())
                }
                None => Validity::Rejected(format!("{} is violated: {}", run.violation.name(), run.detail)),
            }
        }
        Verdict::Unknown(why) => Validity::Unknown(why.to_string()),
    })
}
