//! Numbers that wander from variable to variable: an argument becomes a parameter, and its last value the result. Such a number has a
//! slot at each place of a component, though no variable is there at all of them.
//!
//! ```text
//!    while (*s)  s = next(s);        s of main ──call──▶ s of next ──s++──▶ s of next ──return──▶ s of main
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::expressions::Step;
use super::slots::{Slot, slots};
use crate::heap::State;

/// Numbers that are followed through one component.
const MOST_FLOWS: usize = 24;

/// Where control stands in each frame.
pub type Place = Vec<(u32, u32)>;

/// Where control stands in a state.
pub fn place(state: &State) -> Place {
    state.frames.iter().map(|frame| (frame.function.0, frame.at.0)).collect()
}

/// The numbers that have a slot at every place of these states, not everywhere the same one: where a step leads to another place, the slot
/// there holds what the slot before held, or that and a constant.
pub fn flows(states: &[&State], steps: &[Step]) -> Vec<Slot> {
    let mut by_place: BTreeMap<Place, Vec<&State>> = BTreeMap::new();
    for state in states {
        by_place.entry(place(state)).or_default().push(state);
    }
    if by_place.len() < 2 {
        return Vec::new();
    }
    let named: BTreeMap<Place, BTreeSet<Slot>> =
        by_place.into_iter().map(|(place, states)| (place, slots(&states))).collect();
    let mut between: BTreeMap<(Place, Place), (&State, &State)> = BTreeMap::new();
    for Step { before, after, .. } in steps {
        let (from, to) = (place(before), place(after));
        if from != to {
            between.entry((from, to)).or_insert((before, after));
        }
    }
    let Some((first, starts)) = named.iter().min_by_key(|(_, slots)| slots.len()) else { return Vec::new() };
    let mut found = BTreeSet::new();
    for start in starts {
        for way in [Way::Back, Way::On] {
            let flow = followed((first, start), &named, &between, way);
            let mut distinct: Vec<&Slot> = flow.values().collect();
            distinct.dedup();
            if flow.len() == named.len() && distinct.len() > 1 {
                found.insert(Slot::Flow(Rc::new(flow)));
            }
        }
    }
    found.into_iter().take(MOST_FLOWS).collect()
}

/// Whether it is asked first where a number came from, or where it went.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    On,
}

/// The slots of the number that stands in one of a first place, as far as steps tell.
fn followed(
    (first, start): (&Place, &Slot),
    named: &BTreeMap<Place, BTreeSet<Slot>>,
    between: &BTreeMap<(Place, Place), (&State, &State)>,
    way: Way,
) -> BTreeMap<Place, Slot> {
    let mut flow = BTreeMap::from([(first.clone(), start.clone())]);
    let other = if way == Way::Back { Way::On } else { Way::Back };
    while let Some((place, slot)) =
        [way, other].into_iter().find_map(|way| between.iter().find_map(|step| linked(step, &flow, named, way)))
    {
        flow.insert(place.clone(), slot.clone());
    }
    flow
}

/// A slot at a place that `flow` does not know yet, which a step links to one that it knows.
fn linked<'a>(
    ((from, to), (before, after)): (&'a (Place, Place), &(&State, &State)),
    flow: &BTreeMap<Place, Slot>,
    named: &'a BTreeMap<Place, BTreeSet<Slot>>,
    way: Way,
) -> Option<(&'a Place, &'a Slot)> {
    let (place, next) = if way == Way::On { (from, to) } else { (to, from) };
    let (known, None) = (flow.get(place)?, flow.get(next)) else { return None };
    let terms = &after.memory.context().terms;
    let by = |slot: &Slot| {
        let (old, new) = if way == Way::On { (known, slot) } else { (slot, known) };
        let (old, new) = (old.value(before)?, new.value(after)?);
        let is_number = terms.width(old) == terms.width(new) && terms.as_const(new).is_none();
        Some(is_number.then(|| terms.as_signed_const(terms.sub(new, old)))??.unsigned_abs())
    };
    // What is equal goes before what is near, and what stays where it is before both.
    let ranked = named.get(next)?.iter().filter_map(|slot| Some((by(slot)?, slot != known, slot)));
    ranked.min().map(|(_, _, slot)| (next, slot))
}
