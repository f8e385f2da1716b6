//! The check of calls of functions that are followed apart from their callers.

use super::walk::{Checker, Walk};
use crate::cfa::{FunctionId, Step};
use crate::evidence::Refused;
use crate::frame::Called;
use crate::heap::{State, outermost, split_among};
use crate::memory::Memory;
use crate::smt::Term;

impl Checker<'_> {
    /// A call of a function that is followed apart from its callers: its entry lies within one of the proof's contexts, and
    /// the walk goes on with each exit of this context. Runs through the function are followed from the context's own states.
    pub(super) fn call(
        &self,
        walk: &mut Walk,
        callee: FunctionId,
        mut state: State,
        path: Vec<Step>,
    ) -> Result<(), Refused> {
        if !state.memory.has_runs() {
            return Ok(());
        }
        let Some((outside, shared)) = self.caller_stubs.of(callee).zip(self.hint_source.shared(&self.checks, &state))
        else {
            self.no_leak(&state)?;
            return self.go_on(walk, state, path, true);
        };
        let values: Vec<Term> = shared.iter().map(|shared| shared.value).collect();
        if let Some(cases) = split_among(&state, &values) {
            return cases.into_iter().try_for_each(|case| self.call(walk, callee, case, path.clone()));
        }
        self.no_leak(&state)?;
        let span = self.span(&state);
        let refused = |why: &str| self.refused(format!("the frame rule does not apply: {why}"), span);
        let named =
            self.named.get(&callee).ok_or_else(|| refused("it is not known which globals the function names"))?;
        let called = Called { program: self.program(), outside, named };
        let (entry, rest) = called.split(&self.checks, &state, &shared).map_err(refused)?;
        let target = self.arrive(walk, &entry, path.clone(), true)?;
        let context = self.proof.contexts[target];
        for (exit, _) in self.proof.contexts.iter().enumerate().filter(|(_, own)| **own == context) {
            let exit = &self.states[exit];
            if self.caller_stubs.is_outside(exit.top().function)
                && let Some(state) = rest.combine(self.program(), exit).map_err(refused)?
            {
                self.go_on(walk, state, path.clone(), true)?;
            }
        }
        Ok(())
    }

    /// The end of a function that is followed apart from its callers.
    pub(super) fn exit(&self, walk: &mut Walk, mut state: State, path: Vec<Step>) -> Result<(), Refused> {
        if !state.memory.has_runs() {
            return Ok(());
        }
        if let Some(cases) = split_among(&state, &outermost(&state)) {
            return cases.into_iter().try_for_each(|case| self.exit(walk, case, path.clone()));
        }
        self.no_leak(&state)?;
        self.arrive(walk, &state, path, false).map(|_| ())
    }
}
