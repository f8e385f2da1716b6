//! Whether another step of a component can follow. What decreases need only do so where one can: after `while (x > 0) x += y--;` has
//! been left, `y` may be anything.
//!
//! A guard is 1 before each step, so that no step increases it. Where it is 0 afterwards it has decreased, and the entries behind it
//! know that it is 1.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::expressions::Step;
use super::flows::{Place, place};
use super::slots::Slot;
use crate::heap::State;
use crate::smt::{SymId, Term};

/// A condition over numbers that stand in slots.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Over symbols that stand for these slots.
    term: Term,
    symbols: Vec<(SymId, Slot)>,
}

impl Condition {
    /// Whether it holds in a state.
    pub fn value(&self, state: &State) -> Option<Term> {
        let terms = &state.memory.context().terms;
        let by = self.symbols.iter().map(|(symbol, slot)| Some((*symbol, slot.value(state)?)));
        let by: FxHashMap<SymId, Term> = by.collect::<Option<_>>()?;
        let fits = by.iter().all(|(symbol, value)| terms.symbol_info(*symbol).width == terms.width(*value));
        fits.then(|| terms.substitute(self.term, &by))
    }
}

/// By place: for each step from there, what it asks of the numbers.
#[derive(Clone, Debug)]
pub struct Guard(BTreeMap<Place, Vec<Vec<Condition>>>);

impl Guard {
    /// 1 where what some step from the state's place asks for holds, else 0.
    pub fn value(&self, state: &State) -> Option<Term> {
        let terms = &state.memory.context().terms;
        let mut any = terms.false_();
        for conditions in self.0.get(&place(state))? {
            let all = conditions.iter().map(|condition| condition.value(state)).collect::<Option<Vec<Term>>>()?;
            any = terms.bool_or(any, terms.conjunction(&all));
        }
        Some(any)
    }
}

/// The guard of these steps over these numbers; `None` where steps ask for nothing.
pub fn guard(steps: &[Step], common: &BTreeSet<Slot>) -> Option<Guard> {
    let mut by_place: BTreeMap<Place, Vec<Vec<Condition>>> = BTreeMap::new();
    for step in steps {
        by_place.entry(place(step.before)).or_default().push(asked(step, common));
    }
    let says_something = |alternatives: &Vec<Vec<Condition>>| alternatives.iter().all(|all| !all.is_empty());
    by_place.values().any(says_something).then_some(Guard(by_place))
}

/// What a step assumes of the numbers in these slots.
pub fn asked(step: &Step, common: &BTreeSet<Slot>) -> Vec<Condition> {
    let terms = &step.after.memory.context().terms;
    let slots: BTreeMap<SymId, &Slot> =
        common.iter().filter_map(|slot| Some((terms.as_symbol(slot.value(step.before)?)?, slot))).collect();
    let known = step.before.memory.store.constraints();
    let new = step.after.memory.store.constraints().iter().filter(|condition| !known.contains(*condition));
    let of_slots = new.filter_map(|condition| {
        let symbols = terms.symbols_of(*condition);
        let symbols = symbols.iter().map(|symbol| Some((*symbol, (*slots.get(symbol)?).clone())));
        Some(Condition { term: *condition, symbols: symbols.collect::<Option<_>>()? })
    });
    of_slots.collect()
}
