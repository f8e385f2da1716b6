//! What is asked of a program: from a property to what the semantics looks for, and how the program is lowered for it; and
//! certificates as files, which answer one such question.

mod file;

pub use file::{CertificateFile, Solving};

use crate::cfa::LowerOptions;
use crate::memory::Checks;
use crate::task::Property;

/// How programs are lowered for these checks.
pub fn lowering(checks: &Checks, malloc_may_fail: bool) -> LowerOptions {
    LowerOptions {
        world: false,
        overflow_checks: checks.overflow,
        malloc_may_fail,
        open_world: checks.only_reachability(),
        assertions: checks.assertions,
    }
}

/// What the semantics has to look for.
pub fn checks(properties: &[Property]) -> Checks {
    let mut checks = Checks::default();
    for property in properties {
        match property {
            Property::UnreachCall(_) => checks.reach_call = true,
            Property::UnreachLabel => checks.reach_label = true,
            Property::Assertions => checks.assertions = true,
            Property::ValidDeref => checks.deref = true,
            Property::ValidFree => checks.free = true,
            Property::ValidMemtrack => checks.memtrack = true,
            Property::ValidMemcleanup => checks.memcleanup = true,
            Property::NoOverflow => checks.overflow = true,
            Property::Termination => checks.termination = true,
            Property::Unsupported(_) => {}
        }
    }
    checks
}
