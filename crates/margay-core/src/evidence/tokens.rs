//! What a `TRUE` is earned with: the token of an accepted check, bound to what it was earned for.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cfa::{Fingerprint, Program};
use crate::memory::Checks;

/// What was asked: a program, and what is looked for in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obligation {
    program: Fingerprint,
    checks: Checks,
}

impl Obligation {
    /// That `program` violates nothing of `checks`.
    pub fn of(program: &Program, checks: &Checks) -> Self {
        Self { program: program.fingerprint(), checks: *checks }
    }

    /// Whether who found nothing of this found nothing of `other`: it is the same program, and no less was looked for.
    pub fn includes(&self, other: &Obligation) -> bool {
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
    /// One that nothing else in this process has.
    pub fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The token of an accepted proof: only [`super::together`] makes one.
#[derive(Debug)]
pub struct Checked {
    asked: Obligation,
    proof: Option<ProofId>,
}

impl Checked {
    pub(super) fn new(asked: Obligation, proof: Option<ProofId>) -> Self {
        Self { asked, proof }
    }

    /// Whether it was earned for just this question.
    pub fn is_for(&self, asked: &Obligation) -> bool {
        self.asked == *asked
    }

    /// What was checked, where an exploration of this process ended with it.
    pub fn proof(&self) -> Option<ProofId> {
        self.proof
    }
}

/// Why tokens are no evidence for an answer.
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
