//! What states say of variables.

use std::collections::BTreeSet;

use crate::cfa::Scalar;
use crate::heap::{Body, Form, Found, SHORTEST, State, Target};
use crate::memory::BlockId;
use crate::names::{Bytes, Place, Variable};
use crate::smt::Term;

/// Values of one variable that are told one by one.
const MOST_CHOICES: usize = 4;

/// Whether a pointer is null, in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Null {
    Yes,
    No,
    /// Cannot be decided, or the value must not be looked at.
    Unclear,
}

/// What a variable holds in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Value(Term),
    /// The address of another node of the list that the variable stands in a node of.
    Neighbour,
}

/// The variable's value in `state`, if it has one that may be looked at.
pub(super) fn value(state: &State, variable: &Variable) -> Option<Term> {
    match holds(state, variable)? {
        Holds::Value(value) => Some(value),
        Holds::Neighbour => None,
    }
}

/// Whether something is known of the variable's value in `state`.
pub(super) fn is_known(state: &State, variable: &Variable) -> bool {
    holds(state, variable).is_some()
}

fn holds(state: &State, variable: &Variable) -> Option<Holds> {
    let top = state.top();
    let terms = &state.memory.context().terms;
    let held = match &variable.place {
        Place::Register(reg) => Holds::Value(top.regs[reg.index()]?),
        Place::Slot(slot, bytes) => in_block(state, top.slots[slot.index()]?, *bytes)?,
        Place::Global(index, bytes) => in_block(state, *state.globals.get(*index)?, *bytes)?,
        Place::Pointed(base, bytes) => {
            let Target::Object { block, offset } = state.memory.target(value(state, base)?) else { return None };
            let start = u64::try_from(terms.as_const(offset)?).ok()?;
            in_block(state, block, Bytes { offset: start.checked_add(bytes.offset)?, ..*bytes })?
        }
    };
    match held {
        Holds::Value(value) if terms.width(value) != variable.width => None,
        held => Some(held),
    }
}

fn in_block(state: &State, block: BlockId, Bytes { offset, size }: Bytes) -> Option<Holds> {
    let object = state.memory.object(block).filter(|object| object.valid)?;
    let terms = &state.memory.context().terms;
    // An offset before the object's start is a large one.
    offset.checked_add(size)?;
    let found = |found| match found {
        Found::Value(value) => Some(value),
        Found::Unwritten | Found::Forgotten => None,
    };
    let owner = object.form.end_of().and_then(|owner| state.memory.object(owner));
    let (segment, is_last) = match (&object.form, owner.map(|owner| &owner.form)) {
        (Form::Region, _) => return found(object.content.read(terms, offset, size)).map(Holds::Value),
        (Form::First(segment), _) => (segment, false),
        (Form::Last(_), Some(Form::First(segment))) => (segment, true),
        _ => return None,
    };
    let (links, pointer) = (segment.links, u64::from(state.memory.context().model.pointer_bits() / 8));
    if segment.min_len < SHORTEST {
        return None;
    }
    match () {
        // By which link a node of a path leads on differs from node to node.
        () if links.branching.is_some() && links.offsets().contains(&offset) => None,
        () if offset == links.next && size == pointer && is_last => Some(Holds::Value(segment.next)),
        () if Some(offset) == links.prev && size == pointer && !is_last => segment.prev.map(Holds::Value),
        () if (offset == links.next || Some(offset) == links.prev) && size == pointer => Some(Holds::Neighbour),
        // What else a node holds may be another value in each: numbers are not.
        () => {
            let value = |body: &Body| found(body.objects.first()?.content.read(terms, offset, size));
            let known = value(segment.bodies.first()?).filter(|known| terms.as_const(*known).is_some())?;
            segment.bodies.iter().all(|body| value(body) == Some(known)).then_some(Holds::Value(known))
        }
    }
}

/// The least and greatest value in any of `states`.
pub(super) fn hull(states: &[&State], variable: &Variable) -> Option<(i128, i128)> {
    let mut hull: Option<(i128, i128)> = None;
    for state in states {
        let value = value(state, variable)?;
        let (context, store) = (state.memory.context(), &state.memory.store);
        let (low, high) = match variable.scalar {
            Scalar::Signed => store.signed_range(context, value),
            _ => {
                let (low, high) = store.range(context, value);
                (i128::try_from(low).ok()?, i128::try_from(high).ok()?)
            }
        };
        hull = Some(hull.map_or((low, high), |known| (known.0.min(low), known.1.max(high))));
    }
    hull
}

/// The values in `states`, where each has a single one and they are few.
pub(super) fn choices(states: &[&State], variable: &Variable) -> Option<BTreeSet<i128>> {
    let mut choices = BTreeSet::new();
    for state in states {
        let (low, high) = hull(&[*state], variable)?;
        choices.insert(low);
        if low != high || choices.len() > MOST_CHOICES {
            return None;
        }
    }
    Some(choices)
}

/// Whether both hold the same value in each of `states`; a pointer's must be one that may be looked at.
pub(super) fn all_equal(states: &[&State], left: &Variable, right: &Variable) -> bool {
    states.iter().all(|state| {
        let is_same = value(state, left).is_some() && value(state, left) == value(state, right);
        is_same && (left.scalar != Scalar::Pointer || nullness(state, left) != Null::Unclear)
    })
}

/// Whether the pointers differ in each of `states`, where both may be looked at.
pub(super) fn all_differ(states: &[&State], left: &Variable, right: &Variable) -> bool {
    states.iter().all(|state| {
        // Nodes of a list are blocks of their own.
        if holds(state, left) == Some(Holds::Neighbour) && left.is_of(&right.name) {
            return true;
        }
        let (Some(a), Some(b)) = (value(state, left), value(state, right)) else { return false };
        let (left, right) = (nullness(state, left), nullness(state, right));
        if left != right && left != Null::Unclear && right != Null::Unclear {
            return true;
        }
        left == Null::No
            && right == Null::No
            && state.memory.decide(state.memory.context().terms.eq(a, b)) == Some(false)
    })
}

/// Whether the pointer is null; pointers into objects that are gone must not even be compared.
pub(super) fn nullness(state: &State, variable: &Variable) -> Null {
    let value = match holds(state, variable) {
        Some(Holds::Value(value)) => value,
        Some(Holds::Neighbour) => return Null::No,
        None => return Null::Unclear,
    };
    let terms = &state.memory.context().terms;
    match state.memory.target(value) {
        Target::Null if terms.as_const(value) == Some(0) => Null::Yes,
        Target::Object { block, .. } if state.memory.object(block).is_some_and(|object| object.valid) => {
            let null = terms.constant(0, terms.width(value));
            match state.memory.decide(terms.eq(value, null)) {
                Some(false) => Null::No,
                _ => Null::Unclear,
            }
        }
        _ => Null::Unclear,
    }
}

/// What values of the type are between.
pub(super) fn type_bounds(variable: &Variable) -> (i128, i128) {
    match variable.scalar {
        Scalar::Bool => (0, 1),
        Scalar::Signed => (-(1 << (variable.width - 1)), (1 << (variable.width - 1)) - 1),
        Scalar::Unsigned | Scalar::Pointer | Scalar::Record => (0, (1 << variable.width) - 1),
    }
}

/// The number as a C constant of the variable's type (or of `int` where it is promoted); `None` where C has none.
pub(super) fn constant(variable: &Variable, number: i128) -> Option<String> {
    match (variable.scalar, variable.width) {
        // The least number of the widest type is no constant of it.
        (Scalar::Signed, 64) if number == i128::from(i64::MIN) => None,
        (Scalar::Signed, 64) => Some(format!("{number}LL")),
        (Scalar::Unsigned, 64) => Some(format!("{number}ULL")),
        (Scalar::Unsigned, 32) => Some(format!("{number}U")),
        _ => Some(number.to_string()),
    }
}
