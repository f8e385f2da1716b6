//! Which of some states tell all: those that no other one covers.

use std::rc::Rc;

use crate::heap::State;
use crate::hints::covers;

/// More states than these are shown as they are: each is compared with all others.
const MOST_COMPARED: usize = 40;

/// The states that no other of `states` covers, in their order; of states that cover each other the first.
pub fn most_general(states: &[Rc<State>]) -> Vec<Rc<State>> {
    if states.len() > MOST_COMPARED {
        return states.to_vec();
    }
    let mut kept: Vec<Rc<State>> = Vec::new();
    for state in states {
        if !kept.iter().any(|general| covers(general, state).is_some()) {
            kept.retain(|special| covers(state, special).is_none());
            kept.push(state.clone());
        }
    }
    kept
}
