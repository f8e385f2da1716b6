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
use crate::verdict::{Counterexample, Event, Verdict};

/// So many are listed at most.
const MOST: usize = 100;

/// So many rounds are spent on each: the last search is always in vain.
const ROUNDS: u64 = 6;

/// Those that are found after `first`, in the order in which they are found: of each kind one at each place.
pub fn further(
    program: &Program,
    checks: &Checks,
    first: &Counterexample,
    limits: &Limits,
    options: &Options,
) -> Vec<Counterexample> {
    let (mut program, mut checks) = (program.clone(), *checks);
    let options = Options { write_proof: false, draw: false, ..options.clone() };
    let mut all: Vec<Counterexample> = Vec::new();
    while all.len() < MOST {
        let last = all.last().unwrap_or(first);
        match (last.violation, last.trace.last()) {
            (Violation::ValidMemtrack | Violation::ValidMemcleanup, _) => {
                (checks.memtrack, checks.memcleanup) = (false, false);
            }
            (Violation::Termination, _) => checks.termination = false,
            (violation, Some(Event::Violation { pos, .. })) => program.known.push((violation, pos.clone())),
            _ => break,
        }
        if checks == Checks::default() {
            break;
        }
        match decide_within(&program, &checks, limits, &options, ROUNDS).verdict {
            Verdict::False(found) => all.push(found),
            Verdict::True(_) | Verdict::Unknown(_) => break,
        }
    }
    all
}
