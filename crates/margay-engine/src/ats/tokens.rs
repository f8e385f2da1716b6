//! What a complete exploration is shown with: a token that is bound to what it was earned for.

use crate::evidence::{Checked, Foreign, Obligation, ProofId};

/// That exploration visited everything: only [`super::Explorer::run`] makes one, and only when nothing was dropped, skipped
/// or cut.
#[derive(Debug)]
pub struct Complete {
    asked: Obligation,
    proof: ProofId,
}

impl Complete {
    pub(super) fn new(asked: Obligation, proof: ProofId) -> Self {
        Self { asked, proof }
    }
}

/// Whether both tokens were earned for `asked`, and for one proof. The exploration may have looked for more: it came to no violation of
/// that either.
///
/// # Errors
/// What does not fit.
pub fn fit(asked: &Obligation, complete: &Complete, checked: &Checked) -> Result<(), Foreign> {
    if !complete.asked.includes(asked) || !checked.is_for(asked) {
        return Err(Foreign::Question);
    }
    if checked.proof() != Some(complete.proof) {
        return Err(Foreign::Proof);
    }
    Ok(())
}
