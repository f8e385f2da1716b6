//! Following given steps: one path of the program, with abstraction on the way or without.

use super::domain::{Alarm, Arrival, Arriving, Shapes};
use super::limits::MOST_STATES;
use crate::cfa::Step;
use crate::heap::State;
use crate::memory::{possible_edges, step};

/// What came of following a path.
pub enum Followed {
    /// A violation, with the state restricted to the runs that violate.
    Alarm(Box<State>, Alarm),
    /// No run takes the path to a violation.
    Nowhere,
    /// The semantics has nothing to say somewhere on the path, or it splits into too many.
    Unclear(&'static str),
}

impl Shapes<'_> {
    /// Follows `steps` from `start` to the first violation. `visit` sees each state where runs may meet, with the number of
    /// steps taken so far, and may make it allow more; what it is `false` for is not followed further.
    pub fn follow(&self, start: State, steps: &[Step], visit: &mut dyn FnMut(usize, &mut State) -> bool) -> Followed {
        self.follow_past(start, steps, 0, visit)
    }

    /// [`Shapes::follow`] that passes over violations before so many steps were taken.
    pub fn follow_past(
        &self,
        start: State,
        steps: &[Step],
        passed: usize,
        visit: &mut dyn FnMut(usize, &mut State) -> bool,
    ) -> Followed {
        let mut states = vec![start];
        let mut unclear = None;
        for (index, taken) in steps.iter().enumerate() {
            let mut next = Vec::new();
            for state in states {
                if state.memory.context().is_out_of_time() {
                    return Followed::Unclear("following the path ran out of time");
                }
                let is_last = index + 1 == steps.len();
                let found = self.take(state, *taken, (is_last, index < passed), &mut next, &mut unclear);
                if let Some(found) = found {
                    return found;
                }
            }
            next.retain_mut(|state| !self.is_cut_point(state) || visit(index + 1, state));
            if next.len() > MOST_STATES {
                return Followed::Unclear("the path splits into too many");
            }
            states = next;
        }
        unclear.map_or(Followed::Nowhere, Followed::Unclear)
    }

    /// One step from one state; a violation that some run shows, unless it is passed over.
    fn take(
        &self,
        mut state: State,
        taken: Step,
        (is_last, passes): (bool, bool),
        next: &mut Vec<State>,
        unclear: &mut Option<&'static str>,
    ) -> Option<Followed> {
        let (function, at) = (state.top().function, state.top().at);
        if (function, at) != (taken.function, taken.at) {
            return None;
        }
        let location = self.program.function(function).location(at);
        let edge = &location.edges[taken.edge as usize];
        if !possible_edges(&mut state, location).edges.contains(&taken.edge) {
            return None;
        }
        for outcome in step(self.program, &self.checks, state, edge) {
            let (state, alarm) = match self.arriving(outcome, edge) {
                Arriving::Within(state) | Arriving::Entered(state) | Arriving::Left(state, _) => {
                    let looks = is_last || self.is_cut_point(&state);
                    match self.leak(&state).filter(|_| looks) {
                        Some(fault) => (state, Alarm { fault, span: edge.span }),
                        None => {
                            next.push(state);
                            continue;
                        }
                    }
                }
                Arriving::Other(arrival) => match *arrival {
                    Arrival::Alarm(state, alarm) => (state, alarm),
                    Arrival::Stuck(..) => {
                        unclear.get_or_insert("the path gets stuck");
                        continue;
                    }
                    _ => continue,
                },
            };
            if !passes && state.memory.is_possible() {
                return Some(Followed::Alarm(Box::new(state), alarm));
            }
        }
        None
    }
}
