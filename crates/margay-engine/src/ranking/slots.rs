//! Where numbers stand that a ranking may be made of, by names that mean the same in several states.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::flows::{Place, place};
use crate::heap::{Form, State};
use crate::memory::BlockId;
use crate::smt::Term;

/// A number of a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// A register of the frame at this depth: of functions that call each other, parameters have the same places.
    Register(usize, usize),
    /// A cell of a variable that has a block: offset and bytes.
    Cell(Variable, u64, u64),
    /// How many nodes can be passed from where the number leads, along the links at this offset: to the end, or up to where another
    /// number leads.
    Length(Box<Slot>, u64, Option<Box<Slot>>),
    /// A number that wanders: its slot by where control stands.
    Flow(Rc<BTreeMap<Place, Slot>>),
}

/// A variable with a block of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// By its place in the program.
    Global(usize),
    /// The slot of the frame at this depth.
    Local(usize, usize),
}

impl Variable {
    fn block(self, state: &State) -> Option<BlockId> {
        match self {
            Variable::Global(index) => state.globals.get(index).copied(),
            Variable::Local(depth, slot) => state.frames.get(depth)?.slots.get(slot).copied().flatten(),
        }
    }
}

impl Slot {
    /// What stands there.
    pub fn value(&self, state: &State) -> Option<Term> {
        match self {
            Slot::Register(depth, register) => state.frames.get(*depth)?.regs.get(*register).copied().flatten(),
            Slot::Cell(variable, offset, bytes) => cell(state, variable.block(state)?, *offset, *bytes),
            Slot::Flow(by_place) => by_place.get(&place(state))?.value(state),
            Slot::Length(of, link, None) => length(state, of.value(state)?, *link, None),
            Slot::Length(of, link, Some(end)) => {
                length(state, of.value(state)?, *link, Some(block_at(state, end.value(state)?)?))
            }
        }
    }
}

/// The value of a cell of a block that stands for itself.
fn cell(state: &State, block: BlockId, offset: u64, bytes: u64) -> Option<Term> {
    let object =
        state.memory.objects.get(&block).filter(|object| matches!(object.form, Form::Region) && object.valid)?;
    match object.content.read(&state.memory.context().terms, offset, bytes) {
        crate::heap::Found::Value(term) => Some(term),
        _ => None,
    }
}

/// The block that an address leads into, not always to its start.
fn block_at(state: &State, address: Term) -> Option<BlockId> {
    let symbols = state.memory.context().terms.symbols_of(address);
    let mut blocks = symbols.iter().filter_map(|symbol| state.memory.points_to.get(symbol));
    match (blocks.next(), blocks.next()) {
        (Some(block), None) => Some(*block),
        _ => None,
    }
}

/// Nodes from the one that `from` leads to until a link leads to `end`, to none, or to one that was passed.
fn length(state: &State, from: Term, link: u64, end: Option<BlockId>) -> Option<Term> {
    let context = state.memory.context();
    let terms = &context.terms;
    let (bits, bytes) = (context.model.pointer_bits(), u64::from(context.model.pointer_bytes()));
    let mut passed: BTreeSet<BlockId> = BTreeSet::new();
    let (mut count, mut at) = (terms.constant(0, bits), from);
    loop {
        let Some(block) = block_at(state, at) else { return Some(count) };
        let is_end = end == Some(block) && !passed.is_empty();
        if is_end || !passed.insert(block) {
            return Some(count);
        }
        let object = state.memory.objects.get(&block)?;
        let (more, next) = match &object.form {
            Form::First(segment) if segment.links.next == link => (segment.count?, segment.next),
            Form::Last(first) => match &state.memory.objects.get(first)?.form {
                Form::First(segment) if segment.links.prev == Some(link) => (segment.count?, segment.prev?),
                _ => return None,
            },
            Form::Region => match object.valid.then(|| cell(state, block, link, bytes)).flatten() {
                Some(next) => (terms.constant(1, bits), next),
                None => return Some(count),
            },
            _ => return None,
        };
        count = terms.add(count, more);
        at = next;
    }
}

/// The slots that have values in all these states.
pub fn slots(states: &[&State]) -> BTreeSet<Slot> {
    let Some((first, rest)) = states.split_first() else { return BTreeSet::new() };
    let has_values = |slot: &Slot| states.iter().all(|state| slot.value(state).is_some());
    let mut found = named(first);
    found.retain(|slot| rest.iter().all(|state| slot.value(state).is_some()));
    let objects = states.iter().flat_map(|state| state.memory.objects.values());
    let links = objects.flat_map(|object| match &object.form {
        Form::First(segment) => [Some(segment.links.next), segment.links.prev],
        _ => [None; 2],
    });
    let links: BTreeSet<u64> = links.flatten().collect();
    let leads_somewhere = |slot: &&Slot| states.iter().any(|state| leads_to_a_block(state, slot));
    let pointers: Vec<Slot> = found.iter().filter(leads_somewhere).cloned().collect();
    for link in links {
        for slot in &pointers {
            let others = pointers.iter().filter(|other| *other != slot).map(|other| Some(Box::new(other.clone())));
            let ends = others.chain([None]);
            found.extend(ends.map(|end| Slot::Length(Box::new(slot.clone()), link, end)).filter(has_values));
        }
    }
    found
}

/// The registers and cells of variables of a state that hold numbers that are known.
fn named(state: &State) -> BTreeSet<Slot> {
    let mut found = BTreeSet::new();
    let mut variables: Vec<Variable> = (0..state.globals.len()).map(Variable::Global).collect();
    for (depth, frame) in state.frames.iter().enumerate() {
        let set = frame.regs.iter().enumerate().filter(|(_, value)| value.is_some());
        found.extend(set.map(|(register, _)| Slot::Register(depth, register)));
        variables.extend((0..frame.slots.len()).map(|slot| Variable::Local(depth, slot)));
    }
    for variable in variables {
        let object = variable.block(state).and_then(|block| state.memory.objects.get(&block));
        let edges = object.into_iter().flat_map(|object| object.content.edges());
        let cells = edges.map(|edge| Slot::Cell(variable, edge.offset, edge.bytes));
        found.extend(cells.filter(|slot| slot.value(state).is_some()));
    }
    found
}

fn leads_to_a_block(state: &State, slot: &Slot) -> bool {
    let symbols = slot.value(state).map(|value| state.memory.context().terms.symbols_of(value));
    symbols.is_some_and(|symbols| symbols.iter().any(|symbol| state.memory.points_to.contains_key(symbol)))
}
