//! Which numbers an alarm depends on: all others need not be followed.
//!
//! Source: lazy abstraction of explicit values (Beyer, Löwe: "Explicit-state software model checking based on CEGAR and interpolation",
//! FASE'13), with dynamic slices of the path in the place of interpolants: each stretch between two cut points is followed from a state
//! that knows no number, and the symbols in what it assumes say which ones matter.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::numbers::everywhere;
use super::{Failure, Proposal, Refiner};
use crate::cfa::Program;
use crate::evidence::NodeId;
use crate::explore::{Abstract, Followed, blind, place_of};
use crate::fold::{Keep, Number, Precision};
use crate::heap::State;
use crate::memory::Site;
use crate::smt::SymId;

/// Stretches before the alarm that are looked at.
const MOST_STRETCHES: usize = 64;

/// States that one stretch may end in.
const MOST_ENDS: usize = 8;

/// Follows the numbers that the path depends on: those that its last stretch assumes something of and those that these are made of;
/// then those that decided which way it took.
pub struct Numbers;

/// Follows all numbers.
pub struct AllNumbers;

impl Refiner for Numbers {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        let precision = failure.precision();
        if failure.path.places(0).iter().all(|place| precision.at(*place).all_numbers) {
            return None;
        }
        [false, true].into_iter().find_map(|with_control| follow(failure, with_control))
    }
}

impl Refiner for AllNumbers {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        everywhere(failure, |keep| Keep { all_numbers: true, ..keep }, "all numbers followed")
    }
}

/// The numbers that matter, followed if that excludes the path.
fn follow(failure: &Failure, with_control: bool) -> Option<Proposal> {
    let numbers = relevant(failure, with_control)?;
    let precision: Precision = failure.precision().following(numbers);
    if !precision.is_finer_than(failure.precision()) || !failure.is_excluded_by(&precision) {
        return None;
    }
    let cut = failure.first_folding()?.1;
    let program = failure.path.explorer.domain().shapes.program;
    let new = precision.numbers().difference(failure.precision().numbers());
    let mut words: Vec<String> = new.map(|number| in_words(program, *number)).collect();
    words.sort_unstable();
    let change = format!("values of {} followed", words.join(", "));
    Some(Proposal { precision, cut, change, threshold: None, candidates: Vec::new() })
}

/// A number, by the names in the program's text.
fn in_words(program: &Program, number: Number) -> String {
    match number {
        Number::Register(function, register) => {
            let function = program.function(function);
            format!("{} of `{}`", named(function.regs[register].name.as_ref()), function.name)
        }
        Number::Cell(site, offset) => format!("{} at {offset}", site_in_words(program, site)),
    }
}

/// What is made there, by the names in the program's text.
pub(super) fn site_in_words(program: &Program, site: Site) -> String {
    match site {
        Site::Global(global) => format!("`{}`", program.globals[global.index()].name),
        Site::Slot(function, slot) => named(program.function(function).slots[slot.index()].name.as_ref()),
        Site::Made(function, _) => format!("blocks of `{}`", program.function(function).name),
        Site::Outside => "memory from outside".into(),
    }
}

fn named(name: Option<&Arc<str>>) -> String {
    name.map_or("a temporary".into(), |name| format!("`{name}`"))
}

/// The numbers that the alarm depends on, at whatever place of the path; `with_control` those of all conditions on the way.
fn relevant(failure: &Failure, with_control: bool) -> Option<FxHashSet<Number>> {
    let explorer = failure.path.explorer;
    let is_outermost = |node: &NodeId| explorer.nodes()[node.index()].context.index() == 0;
    let nodes = failure.path.nodes.iter().filter(|(_, node)| is_outermost(node));
    let stops: Vec<(usize, &State)> =
        nodes.filter_map(|(count, node)| Some((*count, explorer.state(*node)?.as_ref()))).collect();
    let mut all = FxHashSet::default();
    let mut wanted: FxHashSet<Number> = FxHashSet::default();
    let mut end = failure.path.steps.len();
    for (count, state) in stops.iter().rev().take(MOST_STRETCHES) {
        let (general, sources) = without_numbers(explorer.domain(), state);
        let mut ends: Vec<State> = Vec::new();
        let shapes = &explorer.domain().shapes;
        let steps = &failure.path.steps[*count..end];
        // What may be violated before the alarm is of no interest here.
        let passed = if end == failure.path.steps.len() { steps.len().saturating_sub(1) } else { steps.len() };
        let followed = shapes.follow_past(general, steps, passed, &mut |taken, state| {
            if count + taken == end && ends.len() < MOST_ENDS {
                ends.push(state.clone());
            }
            true
        });
        let symbols = match followed {
            Followed::Alarm(state, _) => assumed(&state),
            Followed::Nowhere | Followed::Unclear(_) if end == failure.path.steps.len() => return None,
            // What becomes of the numbers is not known: they are taken to stay.
            Followed::Nowhere | Followed::Unclear(_) if ends.is_empty() => {
                end = *count;
                continue;
            }
            Followed::Nowhere | Followed::Unclear(_) => {
                ends.iter().flat_map(|state| needed(state, &wanted, with_control)).collect()
            }
        };
        wanted = symbols.iter().filter_map(|symbol| sources.get(symbol).copied()).collect();
        all.extend(wanted.iter().copied());
        end = *count;
    }
    Some(all)
}

/// The state without its numbers, and where each was that is not one of many in an array: those are for runs to follow.
fn without_numbers(domain: &Abstract, state: &State) -> (State, FxHashMap<SymId, Number>) {
    let mut general = state.clone();
    let mut sources = FxHashMap::default();
    for hole in blind(state, false).1 {
        let Some(place) = place_of(state, &hole) else { continue };
        let width = general.memory.context().terms.width(hole.number);
        let fresh = general.memory.forgotten(width);
        hole.put(&mut general, fresh);
        if !domain.is_in_array(state, &hole)
            && let Some(symbol) = general.memory.context().terms.as_symbol(fresh)
        {
            sources.insert(symbol, place);
        }
    }
    (general, sources)
}

/// The symbols that something is assumed of.
fn assumed(state: &State) -> FxHashSet<SymId> {
    let terms = &state.memory.context().terms;
    let constraints = state.memory.store.constraints().iter();
    constraints.flat_map(|constraint| terms.symbols_of(*constraint).to_vec()).collect()
}

/// The symbols that the `wanted` numbers are made of, and those that conditions relate to them.
fn needed(state: &State, wanted: &FxHashSet<Number>, with_control: bool) -> FxHashSet<SymId> {
    let terms = &state.memory.context().terms;
    let mut found: FxHashSet<SymId> = FxHashSet::default();
    for hole in blind(state, false).1 {
        if place_of(state, &hole).is_some_and(|place| wanted.contains(&place)) {
            found.extend(terms.symbols_of(hole.number).iter().copied());
        }
    }
    if with_control {
        found.extend(assumed(state));
        return found;
    }
    let related: Vec<SymId> = state
        .memory
        .store
        .constraints()
        .iter()
        .flat_map(|constraint| {
            let symbols = terms.symbols_of(*constraint);
            if symbols.iter().any(|symbol| found.contains(symbol)) { symbols.to_vec() } else { Vec::new() }
        })
        .collect();
    found.extend(related);
    found
}
