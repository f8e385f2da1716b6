//! The shape domain where states at cut points are made to allow more in a way that is decided elsewhere.

use std::rc::Rc;

use crate::ats::{Arrival, CutPoint, Domain};
use crate::cfa::{FunctionId, Loc, Step};
use crate::evidence::Obligation;
use crate::explore::{Alarm, Constraints, Shape, Shapes, canonical};
use crate::frame::Rest;
use crate::heap::State;

/// How states at cut points are made to allow more: γ(before) ⊆ γ(after).
pub trait Loosening {
    /// What it has to know of the states that came to one place.
    type History: Default;

    /// Makes `state` allow more where `history` shows that it keeps changing, and notes it in `history`.
    fn loosen(&self, history: &mut Self::History, state: &mut State);
}

/// Shapes, loosened at cut points; every call is followed within its caller.
pub struct Loose<'p, L> {
    /// What steps mean.
    pub shapes: Shapes<'p>,
    /// What happens at cut points.
    pub loosening: L,
}

impl<L: Loosening> Domain for Loose<'_, L> {
    type State = State;
    type Move = Rc<[Step]>;
    type Alarm = Alarm;
    type Key = Shape;
    type Facts = Constraints;
    type Frame = Rest;
    type Place = (FunctionId, Loc);
    type History = L::History;

    fn obligation(&self) -> Obligation {
        self.shapes.obligation()
    }

    fn advance(&self, state: &State) -> Vec<(Rc<[Step]>, Arrival<State, Alarm, Rest>)> {
        self.shapes.advance(state)
    }

    fn cut_point(&self, state: &State) -> Option<CutPoint<Self::Place>> {
        self.shapes.cut_point(state).map(|_| CutPoint { place: place(state), weakens: true })
    }

    fn boundary(&self, state: &State) -> CutPoint<Self::Place> {
        CutPoint { place: place(state), weakens: false }
    }

    fn form(&self, state: &mut State) -> (Shape, Constraints) {
        canonical(state, true)
    }

    fn widen(&self, history: &mut L::History, state: &mut State) {
        self.loosening.loosen(history, state);
    }

    fn resume(&self, caller: &Rest, exit: &State) -> Vec<Arrival<State, Alarm, Rest>> {
        self.shapes.resume(caller, exit)
    }

    fn entails(&self, new: &Constraints, old: &Constraints) -> bool {
        new.entail(old)
    }
}

fn place(state: &State) -> (FunctionId, Loc) {
    (state.top().function, state.top().at)
}
