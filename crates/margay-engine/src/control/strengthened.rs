//! Merged paths from loop head to loop head, where states at loop heads know of numbers what conditions say, and nothing else. What it
//! ends with is a proof like any other: where the conditions do not hold, it is refused.
//!
//! Source: "Arithmetic strengthening for shape analysis" (SAS'07): what an analysis of the numbers found is put back into the states.

use std::rc::Rc;

use super::clauses::Clauses;
use super::heads::Heads;
use super::houdini::Conditions;
use super::merging::Merging;
use crate::ats::{Arrival, CutPoint, Domain, Explorer, Order};
use crate::cfa::{Program, Step};
use crate::evidence::Obligation;
use crate::explore::{Alarm, Constraints, Shape};
use crate::frame::Rest;
use crate::heap::State;
use crate::memory::Checks;
use crate::smt::Term;

/// The merged domain with conditions at loop heads.
pub struct Strengthened<'p> {
    merging: Merging<'p>,
    clauses: Rc<Clauses>,
    conditions: Conditions,
    /// By predicate: its state, of which the conditions hold.
    states: Vec<State>,
}

impl<'p> Strengthened<'p> {
    /// An exploration of the program that the clauses were made of.
    pub fn explorer(
        program: &'p Program,
        checks: Checks,
        clauses: Rc<Clauses>,
        conditions: &Conditions,
    ) -> Explorer<Self> {
        let start = clauses.start.clone();
        Explorer::new(Self::new(Merging::new(program, checks), clauses, conditions), start)
    }

    fn new(merging: Merging<'p>, clauses: Rc<Clauses>, conditions: &Conditions) -> Self {
        let states = clauses.predicates.iter().zip(&conditions.0).map(|(predicate, conditions)| {
            let mut state = predicate.state.clone();
            let known: Vec<Term> = state.memory.store.constraints().iter().chain(conditions).copied().collect();
            state.memory.know(&known);
            state
        });
        let states = states.collect();
        Self { merging, clauses, conditions: conditions.clone(), states }
    }
}

impl Domain for Strengthened<'_> {
    type State = State;
    type Move = Rc<[Step]>;
    type Alarm = Alarm;
    type Key = Shape;
    type Facts = Constraints;
    type Frame = Rest;
    type Place = ();
    type History = ();
    const MERGES: bool = true;

    fn obligation(&self) -> Obligation {
        self.merging.obligation()
    }

    fn advance(&self, state: &State) -> Vec<(Rc<[Step]>, Arrival<State, Alarm, Rest>)> {
        self.merging.advance(state)
    }

    fn cut_point(&self, state: &State) -> Option<CutPoint<()>> {
        self.merging.cut_point(state)
    }

    fn boundary(&self, state: &State) -> CutPoint<()> {
        self.merging.boundary(state)
    }

    /// At a loop's head the state is the one that its predicate is about.
    fn tidy(&self, state: &mut State) {
        if self.merging.is_loop_head(state)
            && let Some(predicate) = Heads::predicate_of(&self.clauses, &self.conditions, state)
        {
            *state = self.states[predicate].clone();
        }
        self.merging.tidy(state);
    }

    fn is_compared(&self, state: &State) -> bool {
        self.merging.is_compared(state)
    }

    fn form(&self, state: &mut State) -> (Shape, Constraints) {
        self.merging.form(state)
    }

    fn entails(&self, new: &Constraints, old: &Constraints) -> bool {
        self.merging.entails(new, old)
    }

    fn order(&self, state: &State) -> Order {
        self.merging.order(state)
    }

    fn merge(&self, waiting: &State, arriving: &State) -> Option<State> {
        self.merging.merge(waiting, arriving).filter(|_| self.clauses.merges)
    }

    fn resume(&self, caller: &Rest, exit: &State) -> Vec<Arrival<State, Alarm, Rest>> {
        self.merging.resume(caller, exit)
    }
}
