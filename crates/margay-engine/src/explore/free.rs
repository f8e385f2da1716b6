//! Numbers that may be anything: `u ^ (v >> 8)` where nothing else speaks of `u` is a symbol of its own. Over-approximates
//! nothing: each value of the symbol is one that the number has for some value of `u`.
//!
//! States that differ only in how such a number came about become equal.

use rustc_hash::{FxHashMap, FxHashSet};

use super::canonical::{Hole, Place, blind};
use super::limits::LARGEST_NUMBER;
use super::past::live_symbols;
use crate::fold::Number;
use crate::heap::{State, values};
use crate::memory::BlockKind;
use crate::smt::{Node, Op, SymId, Term, Terms};

/// Operators inside one another that are looked through.
const DEEPEST: u32 = 16;

/// Replaces numbers of `holes` that may be anything, whatever the others are; whether there were any.
pub(super) fn free_numbers(state: &mut State, holes: &[Hole]) -> bool {
    let context = state.memory.context().clone();
    let terms = &context.terms;
    let is_open = |hole: &&Hole| hole.base.is_none() && matches!(hole.place, Place::Register(..) | Place::Cell(..));
    let is_compound = |number: Term| terms.as_symbol(number).is_none() && terms.as_const(number).is_none();
    if !holes.iter().filter(is_open).any(|hole| is_compound(hole.number)) {
        return false;
    }
    let numbers: FxHashSet<Term> = holes.iter().map(|hole| hole.number).collect();
    let mut users: FxHashMap<SymId, usize> = FxHashMap::default();
    for number in &numbers {
        terms.symbols_of(*number).iter().for_each(|symbol| *users.entry(*symbol).or_default() += 1);
    }
    let constraints = state.memory.store.constraints().iter();
    let constrained: FxHashSet<SymId> = constraints.flat_map(|fact| terms.symbols_of(*fact).to_vec()).collect();
    let is_free = |symbol: SymId| {
        users.get(&symbol) == Some(&1) && !constrained.contains(&symbol) && terms.symbol_info(symbol).alignment == 0
    };
    let mut changed = false;
    let mut done: FxHashSet<Term> = FxHashSet::default();
    for hole in holes.iter().filter(is_open).filter(|hole| is_compound(hole.number)) {
        if !done.insert(hole.number) {
            continue;
        }
        let Some(free) = covering(terms, hole.number, &is_free, DEEPEST) else { continue };
        let mut freed = state.clone();
        let fresh = freed.memory.forgotten(terms.width(hole.number));
        let alike = holes.iter().filter(|other| other.base.is_none() && other.number == hole.number);
        alike.for_each(|other| other.put(&mut freed, fresh));
        let live = live_symbols(&freed.memory, &values(&freed));
        // Bodies of nodes and cells may speak of it as well.
        if free.iter().all(|symbol| !live.contains(symbol)) {
            *state = freed;
            changed = true;
        }
    }
    changed
}

/// Forgets the numbers that are not among `followed`. Addresses, sizes, counts and
/// literals stay, and null where a pointer may stand.
pub(super) fn forget_unfollowed(state: &mut State, followed: &FxHashSet<Number>) {
    let (_, holes) = blind(state, false);
    for hole in holes {
        if place_of(state, &hole).is_some_and(|place| !followed.contains(&place)) {
            let fresh = state.memory.forgotten(state.memory.context().terms.width(hole.number));
            hole.put(state, fresh);
        }
    }
}

/// Forgets numbers that are large terms, such as what circuits compute of floating numbers, but for their bounds, and conditions as large:
/// each round of a loop would make them larger, and queries with them take long.
pub(super) fn forget_large(state: &mut State) {
    let context = state.memory.context().clone();
    let terms = &context.terms;
    let (_, holes) = blind(state, false);
    let mut forgotten: FxHashMap<Term, Term> = FxHashMap::default();
    for hole in holes.iter().filter(|hole| terms.is_larger(hole.number, LARGEST_NUMBER)) {
        if number_at(state, hole).is_none() {
            continue;
        }
        let fresh = *forgotten.entry(hole.number).or_insert_with(|| {
            let width = terms.width(hole.number);
            let (low, high) = state.memory.store.signed_range(&context, hole.number);
            let fresh = state.memory.forgotten(width);
            let [low, high] = [low, high].map(|end| terms.signed_constant(end, width));
            for bound in [terms.sle(low, fresh), terms.sle(fresh, high)] {
                state.memory.store.assume(&context, bound);
            }
            fresh
        });
        hole.put(state, fresh);
    }
    if state.memory.store.constraints().iter().any(|fact| terms.is_larger(*fact, LARGEST_NUMBER)) {
        state.memory.weaken(&|fact| !terms.is_larger(fact, LARGEST_NUMBER));
    }
}

/// Where a number that may be forgotten stands.
pub(crate) fn place_of(state: &State, hole: &Hole) -> Option<Number> {
    let context = state.memory.context();
    let may_be_null = context.terms.as_const(hole.number) == Some(0)
        && context.terms.width(hole.number) == 8 * context.model.pointer_bytes();
    let is_literal = |block| state.memory.object(block).is_some_and(|object| object.kind == BlockKind::Literal);
    let stays = may_be_null || matches!(hole.place, Place::Cell(block, _) if is_literal(block));
    number_at(state, hole).filter(|_| !stays)
}

/// Where a number stands that is no part of an address and that a variable or a cell holds.
pub(super) fn number_at(state: &State, hole: &Hole) -> Option<Number> {
    match hole.place {
        _ if hole.base.is_some() => None,
        Place::Register(frame, register) => Some(Number::Register(state.frames[frame].function, register)),
        Place::Cell(block, offset) => Some(Number::Cell(state.memory.object(block)?.origin.site, offset)),
        Place::Size(..) | Place::Count(_) | Place::First(..) | Place::Last(..) => None,
    }
}

/// Free symbols by whose choice `number` takes every value, whatever its other symbols are.
fn covering(terms: &Terms, number: Term, is_free: &dyn Fn(SymId) -> bool, depth: u32) -> Option<Vec<SymId>> {
    let depth = depth.checked_sub(1)?;
    let within = |part: Term| covering(terms, part, is_free, depth);
    // The symbols found in `part` have to be free of what it is combined with.
    let beside = |part: Term, other: Term| {
        within(part).filter(|found| terms.symbols_of(other).iter().all(|symbol| !found.contains(symbol)))
    };
    match terms.node(number) {
        Node::Sym(symbol) => is_free(symbol).then(|| vec![symbol]),
        Node::Not(a) | Node::Extract { of: a, .. } => within(a),
        Node::Bin(Op::Add | Op::Xor, a, b) => beside(a, b).or_else(|| beside(b, a)),
        Node::Bin(Op::Mul, a, factor) if terms.as_const(factor).is_some_and(|factor| factor % 2 == 1) => within(a),
        Node::Bin(Op::Concat, a, b) => {
            let (mut high, low) = (beside(a, b)?, beside(b, a)?);
            high.extend(low);
            Some(high)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value is taken, for each value of the other symbol: by brute force over four bits.
    #[test]
    fn what_covers_takes_every_value() {
        let terms = Terms::default();
        let symbol = |hint: &str| terms.as_symbol(terms.fresh_symbol(4, hint)).unwrap();
        let (free, other) = (symbol("u"), symbol("v"));
        let (u, v) = (terms.symbol_term(free), terms.symbol_term(other));
        let number = |value: u128| terms.constant(value, 4);
        let candidates = [
            (terms.add(u, v), true),
            (terms.xor(terms.mul(u, number(3)), v), true),
            (terms.not(terms.xor(u, number(5))), true),
            (terms.concat(terms.extract(u, 1, 0), terms.extract(v, 3, 2)), false),
            (terms.add(terms.mul(u, number(2)), v), false),
            (terms.xor(u, terms.add(u, v)), false),
            (terms.and(u, v), false),
            (terms.zext(terms.extract(u, 2, 0), 4), false),
        ];
        for (candidate, expected) in candidates {
            let covers = covering(&terms, candidate, &|symbol| symbol == free, DEEPEST);
            assert_eq!(covers.is_some(), expected, "{}", terms.display(candidate));
            if covers.is_none() {
                continue;
            }
            for fixed in 0..16 {
                let taken = (0..16).map(|value| {
                    let by = [(free, number(value)), (other, number(fixed))].into_iter().collect();
                    terms.as_const(terms.substitute(candidate, &by)).unwrap()
                });
                assert_eq!(taken.collect::<FxHashSet<u128>>().len(), 16, "{}", terms.display(candidate));
            }
        }
    }
}
