//! The abstract domain: shapes that are folded and widened at loop heads, as precisely as it is told to.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::canonical::{Constraints, Shape, canonical};
use super::domain::{Alarm, Arrival, Moves, Shapes};
use super::merge::Merging;
use super::widen::Widening;
use crate::ats::{Asked, Domain};
use crate::calls::{Caller, Calls};
use crate::cfa::Step;
use crate::cfa::{Program, Reg};
use crate::fold::fold;
use crate::fold::{Place, Precision};
use crate::heap::{Smg, State, values};
use crate::memory::{Checks, find_leak};
use crate::smt::{SymId, Term};

/// The shape domain with abstraction at loop heads.
pub struct Abstract<'p> {
    pub shapes: Shapes<'p>,
    calls: &'p Calls,
    precision: Precision,
    widening: RefCell<Widening>,
    merging: RefCell<Merging>,
}

impl<'p> Abstract<'p> {
    pub fn new(calls: &'p Calls, checks: Checks, precision: Precision) -> Self {
        let widening = RefCell::new(Widening::new(calls.program()));
        Self { shapes: Shapes::apart(calls, checks), calls, precision, widening, merging: RefCell::default() }
    }

    pub fn precision(&self) -> &Precision {
        &self.precision
    }

    /// From now on this much is kept; what was seen of numbers so far no longer counts.
    pub fn set_precision(&mut self, precision: Precision) {
        self.precision = precision;
        self.widening = RefCell::new(Widening::new(self.calls.program()));
        self.merging = RefCell::default();
    }

    /// Where `state` is abstracted, if runs that go on as it does may meet and their states are then made to allow more.
    pub fn folding_place(&self, state: &State) -> Option<Place> {
        let top = state.top();
        let is_head = self.shapes.program.function(top.function).location(top.at).loop_head;
        (is_head && self.shapes.is_meeting_point(state)).then_some((top.function, top.at))
    }
}

impl Domain for Abstract<'_> {
    type State = State;
    type Move = Rc<[Step]>;
    type Alarm = Alarm;
    type Key = Shape;
    type Facts = Constraints;
    type Frame = Caller;

    fn asked(&self) -> Asked {
        self.shapes.asked()
    }

    fn advance(&self, state: &State) -> Moves {
        self.shapes.advance(state)
    }

    fn abstraction(&self, state: &mut State) -> Option<(Shape, Constraints)> {
        if !self.shapes.is_meeting_point(state) {
            return None;
        }
        let folds = self.folding_place(state).is_some();
        Some(self.abstracted(state, folds))
    }

    fn is_weakened(&self, state: &State) -> bool {
        self.folding_place(state).is_some()
    }

    fn boundary(&self, state: &mut State) -> (Shape, Constraints) {
        // Without it recursion would not come to an end.
        let folds = self.calls.is_recursive(state.top().function);
        self.abstracted(state, folds)
    }

    fn resume(&self, caller: &Caller, exit: &State) -> Vec<Arrival> {
        self.shapes.resume(caller, exit)
    }

    fn entails(&self, new: &Constraints, old: &Constraints) -> bool {
        new.entail(old)
    }
}

impl Abstract<'_> {
    fn abstracted(&self, state: &mut State, folds: bool) -> (Shape, Constraints) {
        forget_unread_pointers(self.shapes.program, &self.shapes.checks, state);
        let roots = values(state);
        state.memory.collect_garbage(&mut roots.iter());
        state.memory.forget_far_edges(&roots);
        let keep = *self.precision.at((state.top().function, state.top().at));
        if folds {
            let mut widening = self.widening.borrow_mut();
            fold(&mut state.memory, &roots, &keep, widening.thresholds());
            widening.widen(state, keep.values);
        }
        let roots = values(state);
        state.memory.collect_garbage(&mut roots.iter());
        forget_numbers_of_the_past(&mut state.memory, &roots);
        if folds {
            return self.merging.borrow_mut().merge(state, keep.values);
        }
        canonical(state, true)
    }
}

/// Drops pointers that nobody reads any more where something else keeps their blocks tracked. What they point to may count
/// as lost too early later: an alarm, never a missed one.
fn forget_unread_pointers(program: &Program, checks: &Checks, state: &mut State) {
    for index in 0..state.frames.len() {
        let frame = &state.frames[index];
        let location = program.function(frame.function).location(frame.at);
        let unread: Vec<Reg> = location.dead_variables.to_vec();
        for reg in unread {
            let Some(value) = state.frames[index].regs[reg.index()] else { continue };
            Rc::make_mut(&mut state.frames[index]).regs[reg.index()] = None;
            if checks.memtrack && find_leak(state).is_some() {
                Rc::make_mut(&mut state.frames[index]).regs[reg.index()] = Some(value);
            }
        }
    }
}

/// Drops constraints on symbols that no value speaks of any more: over-approximates, and lets states meet that differ in
/// their past only.
pub(crate) fn forget_numbers_of_the_past(memory: &mut Smg, roots: &[Term]) {
    let context = memory.context.clone();
    let mut live: BTreeSet<SymId> = BTreeSet::new();
    let mut visit = |term: Term| live.extend(context.terms.symbols_of(term).iter().copied());
    roots.iter().copied().for_each(&mut visit);
    for object in memory.objects.values() {
        visit(object.address);
        object.each_term(&mut visit);
    }
    let keep = |constraint: Term| context.terms.symbols_of(constraint).iter().all(|symbol| live.contains(symbol));
    memory.weaken(&keep);
}
