//! The check of calls of functions that are followed apart from their callers.

use super::check::{Checker, Walk};
use crate::ats::Refused;
use crate::calls::Unsplit;
use crate::cfa::{FunctionId, Step};
use crate::heap::State;

impl Checker<'_> {
    /// A call of a function that is followed apart from its callers: its entry is covered by one of the proof's contexts, and
    /// the walk goes on with each exit of this context. Runs through the function are followed from the context's own states.
    pub(super) fn call(
        &self,
        walk: &mut Walk,
        callee: FunctionId,
        state: State,
        path: Vec<Step>,
    ) -> Result<(), Refused> {
        self.no_leak(&state)?;
        let span = self.span(&state);
        let Some(plan) = self.calls.plan_of(callee) else { return self.go_on(walk, state, path, true) };
        let (entry, caller) = match self.calls.split(&self.checks, plan, state.clone()) {
            Ok(parts) => parts,
            Err(Unsplit::Untracked) => return self.go_on(walk, state, path, true),
            Err(Unsplit::TooManyShared) => return Err(self.refused("a call shares too much with its caller", span)),
        };
        let target = self.arrive(walk, &entry, path.clone(), true)?;
        let context = self.proof.contexts[target];
        for (exit, _) in self.proof.contexts.iter().enumerate().filter(|(_, own)| **own == context) {
            if !self.calls.is_outside(self.states[exit].top().function) {
                continue;
            }
            match self.calls.combine(&caller, &self.states[exit]) {
                Ok(Some(state)) => self.go_on(walk, state, path.clone(), true)?,
                Ok(None) => {}
                Err(why) => return Err(self.refused(why.to_string(), span)),
            }
        }
        Ok(())
    }
}
