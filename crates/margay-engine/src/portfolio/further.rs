//! Violations besides the first one.
//!
//! A violation is made *known* to the program, and the same question is asked again: runs that come to a known violation end there
//! ([`Program::known`]), so what is found is another one. Nothing more is asked about leaks after one was found: the block stays
//! lost wherever the run goes, so each place after it would be reported as well.

use super::Options;
use super::decide::decide_within;
use crate::base::limits::Limits;
use crate::cfa::Program;
use crate::memory::Checks;
use crate::task::Violation;
use crate::verdict::{Counterexample, Event, Verdict, Why};

/// So many are listed at most.
const MOST: usize = 100;

/// So many rounds are spent on each: the last search is always in vain.
const ROUNDS: u64 = 6;

/// What is known of the violations that are not listed. As runs end at those that are, a proof that there are no others is possible
/// only where none of them was made known to the program.
#[derive(Clone, Debug)]
pub enum Rest {
    /// There are no others but of this kind, which nothing more was asked about.
    OfKind(&'static str),
    /// The search ended without a proof.
    Unknown(Why),
    /// As many are listed as there may be.
    Most,
}

impl std::fmt::Display for Rest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rest::OfKind(kind) => {
                write!(
                    f,
                    "nothing else violates the property, but {kind} besides the one that is listed were not looked for"
                )
            }
            Rest::Unknown(Why::Timeout) => {
                f.write_str("there may be others: the search for them, which is short, ended without a proof")
            }
            Rest::Unknown(why) => write!(f, "there may be others: the search for them ended without a proof ({why})"),
            Rest::Most => write!(f, "there may be others: no more than {} are listed", MOST + 1),
        }
    }
}

/// Those that are found after `first`, in the order in which they are found: of each kind one at each place. With what is known of
/// the rest.
pub fn further(
    program: &Program,
    checks: &Checks,
    first: &Counterexample,
    limits: &Limits,
    options: &Options,
) -> (Vec<Counterexample>, Rest) {
    let (mut program, mut checks) = (program.clone(), *checks);
    let options = Options { write_proof: false, draw: false, ..options.clone() };
    let mut all: Vec<Counterexample> = Vec::new();
    let mut unasked = "others";
    while all.len() < MOST {
        let last = all.last().unwrap_or(first);
        match (last.violation, last.trace.last()) {
            (Violation::ValidMemtrack | Violation::ValidMemcleanup, _) => {
                (checks.memtrack, checks.memcleanup) = (false, false);
                unasked = "leaks";
            }
            (Violation::Termination, _) => {
                checks.termination = false;
                unasked = "runs without end";
            }
            (violation, Some(Event::Violation { pos, .. })) => program.known.push((violation, pos.clone())),
            // Each run that violates a property ends in an event that says where.
            _ => return (all, Rest::Unknown(Why::Internal("a violation without a place".into()))),
        }
        if checks == Checks::default() {
            return (all, Rest::OfKind(unasked));
        }
        match decide_within(&program, &checks, limits, &options, ROUNDS).verdict {
            Verdict::False(found) => all.push(found),
            // Not while a violation is known.
            Verdict::True(_) => return (all, Rest::OfKind(unasked)),
            Verdict::Unknown(why) => return (all, Rest::Unknown(why)),
        }
    }
    (all, Rest::Most)
}
