//! What a `TRUE` is earned with: one token from an exploration, one from a check, each bound to what it was earned for.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cfa::{Fingerprint, Program};
use crate::memory::Checks;

/// What was asked: a program, and what is looked for in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    program: Fingerprint,
    checks: Checks,
}

impl Asked {
    pub fn of(program: &Program, checks: &Checks) -> Self {
        Self { program: program.fingerprint(), checks: *checks }
    }

    /// Whether who found nothing of this found nothing of `other`: it is the same program, and no less was looked for.
    fn includes(&self, other: &Asked) -> bool {
        self.program == other.program && self.checks.includes(&other.checks)
    }

    /// For those who work on a program with functions of their own added to it.
    pub fn new(program: Fingerprint, checks: Checks) -> Self {
        Self { program, checks }
    }
}

/// Which proof: what one exploration came to when it was complete. No other one in this process has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofId(u64);

impl ProofId {
    pub(super) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// That exploration visited everything: only [`super::Explorer::run`] makes one, and only when nothing was dropped, skipped
/// or cut.
#[derive(Debug)]
pub struct Complete {
    asked: Asked,
    proof: ProofId,
}

impl Complete {
    pub(super) fn new(asked: Asked, proof: ProofId) -> Self {
        Self { asked, proof }
    }
}

/// The token of an accepted proof: only [`super::check`] makes one.
#[derive(Debug)]
pub struct Checked {
    asked: Asked,
    proof: Option<ProofId>,
}

impl Checked {
    pub(super) fn new(asked: Asked, proof: Option<ProofId>) -> Self {
        Self { asked, proof }
    }
}

/// Why two tokens are no evidence for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// One of them was earned for another program, or for other checks than those asked for.
    Question,
    /// What was checked is not what the exploration ended with.
    Proof,
}

impl std::fmt::Display for Foreign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Foreign::Question => "evidence for another question",
            Foreign::Proof => "the proof that was checked is not the one that was found",
        })
    }
}

/// Whether both tokens were earned for `asked`, and for one proof. The exploration may have looked for more: it came to no violation of
/// that either.
///
/// # Errors
/// What does not fit.
pub fn fit(asked: &Asked, complete: &Complete, checked: &Checked) -> Result<(), Foreign> {
    if !complete.asked.includes(asked) || checked.asked != *asked {
        return Err(Foreign::Question);
    }
    if checked.proof != Some(complete.proof) {
        return Err(Foreign::Proof);
    }
    Ok(())
}
