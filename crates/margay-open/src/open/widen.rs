//! Numbers that keep changing from one visit of a loop head to the next.

use std::rc::Rc;

use super::follow::State;
use super::heap::{SymbolicHeap, Value};
use crate::heap::SymbolKind;
use crate::smt::Term;

/// Generalises what differs between two visits of a loop head, `round` rounds after the first time: at first to numbers that
/// grow evenly (`start + step * n`, with one `n` for all of them), and where that was not enough to any.
pub(super) fn widen(before: &State, state: &mut State, round: u32) {
    let mut places: Vec<(Place, Term, Term)> = Vec::new();
    for (depth, (old, new)) in before.frames.iter().zip(&state.frames).enumerate() {
        for (reg, (old, new)) in old.regs.iter().zip(&new.regs).enumerate() {
            if let (Some(old), Some(new)) = (old, new) {
                places.push((Place::Reg(depth, reg), *old, *new));
            }
        }
    }
    for (index, cell) in state.memory.cells.iter().enumerate() {
        let old = before.memory.cells.iter().find(|old| old.at == cell.at && old.size == cell.size);
        if let (Some(Value::Is(old)), Value::Is(new)) = (old.map(|cell| cell.value), cell.value) {
            places.push((Place::Cell(index), old, new));
        }
    }
    places.retain(|(_, old, new)| old != new);
    let mut numbers: Vec<(Place, Term, i128)> = Vec::new();
    let mut others: Vec<(Place, Term)> = Vec::new();
    for (place, old, new) in places {
        let heap = &state.memory;
        let terms = heap.terms();
        let step = terms.as_signed_const(terms.sub(new, old));
        let is_pointer = terms.width(new) == heap.pointer_bits() && leads_somewhere(heap, new);
        match step {
            Some(step) if round < 3 && !is_unknown(heap, old) => numbers.push((place, old, step)),
            // A place within the same memory.
            Some(_) if is_pointer => others.push((place, new)),
            _ if is_pointer => {}
            _ => others.push((place, new)),
        }
    }
    if !numbers.is_empty() {
        generalise(state, &numbers);
    }
    for (place, new) in others {
        let width = state.memory.terms().width(new);
        let keeps_base = width == state.memory.pointer_bits() && leads_somewhere(&state.memory, new);
        let any = state.memory.unknown(width);
        let value = if keeps_base {
            let (base, _) = state.memory.split(new);
            state.memory.terms().add(base, any)
        } else {
            any
        };
        put(state, place, value);
    }
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// A register of a frame.
    Reg(usize, usize),
    Cell(usize),
}

/// It was generalised before, and that was not enough.
fn is_unknown(heap: &SymbolicHeap, value: Term) -> bool {
    let (base, _) = heap.split(value);
    let symbols = heap.terms().symbols_of(value);
    !leads_somewhere(heap, base)
        && symbols.iter().any(|symbol| matches!(heap.kind(*symbol), Some(SymbolKind::Forgotten(_))))
}

fn leads_somewhere(heap: &SymbolicHeap, value: Term) -> bool {
    let (base, _) = heap.split(value);
    heap.terms().as_const(base).is_none()
        && (heap.cells.iter().any(|cell| heap.split(cell.at).0 == base)
            || heap.segments.iter().any(|segment| segment.terms().any(|term| heap.split(term).0 == base))
            || heap.block_at(base).is_some()
            || heap.static_at(base).is_some())
}

fn put(state: &mut State, place: Place, value: Term) {
    match place {
        Place::Reg(depth, reg) => Rc::make_mut(&mut state.frames[depth]).regs[reg] = Some(value),
        Place::Cell(index) => Rc::make_mut(&mut state.memory.cells)[index].value = Value::Is(value),
    }
}

/// `old + step * n` for each, where `n` is the number of rounds so far.
fn generalise(state: &mut State, numbers: &[(Place, Term, i128)]) {
    let width = numbers.iter().map(|(_, old, _)| state.memory.terms().width(*old)).min().unwrap_or(32);
    let rounds = state.memory.unknown(width);
    let world = state.memory.world.clone();
    let terms = &world.context.terms;
    for &(place, old, step) in numbers {
        let wide = terms.width(old);
        let n = terms.sext(rounds, wide);
        let step = terms.signed_constant(step, wide);
        put(state, place, terms.add(old, terms.mul(n, step)));
    }
    let zero = terms.constant(0, width);
    if let Some(heap) = state.memory.clone().given(terms.sle(zero, rounds)) {
        state.memory = heap;
    }
}
