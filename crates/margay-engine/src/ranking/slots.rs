//! Where numbers stand that a ranking may be made of, by names that mean the same in several states.

use std::collections::BTreeSet;

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
    /// How many nodes can be passed from where the number leads, along the links at this offset.
    Length(Box<Slot>, u64),
}

/// A variable with a block of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
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
            Slot::Length(of, link) => length(state, of.value(state)?, *link),
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

/// Nodes from the one that `from` leads to until a link leads to none, or to one that was passed.
fn length(state: &State, from: Term, link: u64) -> Option<Term> {
    let context = state.memory.context();
    let terms = &context.terms;
    let (bits, bytes) = (context.model.pointer_bits(), u64::from(context.model.pointer_bytes()));
    let mut passed: BTreeSet<BlockId> = BTreeSet::new();
    let (mut count, mut at) = (terms.constant(0, bits), from);
    loop {
        // Links may lead into nodes, not to their start.
        let symbols = terms.symbols_of(at);
        let mut blocks = symbols.iter().filter_map(|symbol| state.memory.points_to.get(symbol));
        let (Some(&block), None) = (blocks.next(), blocks.next()) else { return Some(count) };
        if !passed.insert(block) {
            return Some(count);
        }
        let object = state.memory.objects.get(&block)?;
        let (more, next) = match &object.form {
            Form::First(segment) if segment.links.next == link => (segment.count?, segment.next),
            Form::Region if object.valid => match cell(state, block, link, bytes) {
                Some(next) => (terms.constant(1, bits), next),
                None => return Some(count),
            },
            _ => return None,
        };
        count = terms.add(count, more);
        at = next;
    }
}

/// All slots of a state that hold numbers that are known.
pub fn slots(state: &State) -> BTreeSet<Slot> {
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
        found.extend(
            edges.map(|edge| Slot::Cell(variable, edge.offset, edge.bytes)).filter(|slot| slot.value(state).is_some()),
        );
    }
    let links = state.memory.objects.values().filter_map(|object| match &object.form {
        Form::First(segment) => Some(segment.links.next),
        _ => None,
    });
    let links: BTreeSet<u64> = links.collect();
    let pointers: Vec<Slot> = found.iter().filter(|slot| leads_to_a_block(state, slot)).cloned().collect();
    for link in links {
        found.extend(pointers.iter().map(|slot| Slot::Length(Box::new(slot.clone()), link)));
    }
    found
}

fn leads_to_a_block(state: &State, slot: &Slot) -> bool {
    let symbols = slot.value(state).map(|value| state.memory.context().terms.symbols_of(value));
    symbols.is_some_and(|symbols| symbols.iter().any(|symbol| state.memory.points_to.contains_key(symbol)))
}
