//! For tests of the frame rule: a call of `probe` that is split and combined.

use super::plans::Calls;
use crate::cfa::{CallGraph, Program};
use crate::frame::probe_tests::{CLEANUP, entered};
use crate::frame::{Called, CallerStubs, Rest, Sharing, Summarised};
use crate::heap::State;
use crate::memory::{BlockId, Checks};
use crate::smt::Term;

/// A call of `probe`.
pub struct Call {
    calls: Calls,
    caller_stubs: CallerStubs,
    /// The state in which `probe` has been entered.
    pub state: State,
}

impl Call {
    /// The only call of `probe`, which is recursive.
    pub fn new(program: &Program) -> Self {
        Self::with(program, Summarised::Recursive)
    }

    pub(super) fn with(program: &Program, apart: Summarised) -> Self {
        let calls = Calls::new(program, apart);
        let caller_stubs = CallerStubs::new(program, |function| calls.is_summarised(function));
        let state = entered(caller_stubs.program());
        Self { calls, caller_stubs, state }
    }

    /// What the explorer proposes.
    pub fn proposed(&self, checks: &Checks) -> Vec<Term> {
        self.sharing(checks).iter().map(|shared| shared.value).collect()
    }

    pub(super) fn sharing(&self, checks: &Checks) -> Vec<Sharing> {
        self.calls.shared(checks, &self.state).expect("the call is split")
    }

    pub(super) fn split(&self, checks: &Checks, shared: &[Term]) -> Result<(State, Rest), &'static str> {
        let shared: Vec<Sharing> = shared.iter().map(|value| Sharing { value: *value, is_opaque: false }).collect();
        self.split_so(checks, &shared)
    }

    pub(super) fn split_so(&self, checks: &Checks, shared: &[Sharing]) -> Result<(State, Rest), &'static str> {
        let program = self.caller_stubs.program();
        let callee = self.state.top().function;
        let named = CallGraph::new(program).reach(callee).globals;
        let outside = self.caller_stubs.of(callee).expect("`probe` is followed apart");
        Called { program, outside, named: &named }.split(checks, &self.state, shared)
    }

    pub(super) fn combine(&self, rest: &Rest, exit: &State) -> Result<Option<State>, &'static str> {
        rest.combine(self.caller_stubs.program(), exit)
    }

    /// What the caller goes on with when the function returns at once, its exit changed like this; the entry comes first. `None`:
    /// the split is refused.
    pub fn round_trip(&self, shared: &[Term], change: &mut dyn FnMut(&State, &mut State)) -> Option<State> {
        let (entry, rest) = self.split(&CLEANUP, shared).ok()?;
        let mut exit = left(&entry);
        change(&entry, &mut exit);
        let back = self.combine(&rest, &exit).unwrap_or_else(|why| panic!("{why}: {shared:?}"));
        Some(back.expect("the exit is possible"))
    }
}

/// The function returns at once.
pub(super) fn left(state: &State) -> State {
    let mut state = state.clone();
    state.frames.pop();
    state
}

/// The block that the first argument leads to.
pub fn argument(state: &State) -> BlockId {
    state.memory.provenance(state.top().regs[0].expect("an argument")).expect("a pointer")
}
