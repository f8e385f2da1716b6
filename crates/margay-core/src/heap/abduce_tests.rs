//! Misses, and what fixes them.

use std::rc::Rc;

use super::{Context, Smg};
use crate::base::limits::Limits;
use crate::cfa::{BinOp, Bits};
use crate::memory::{Abductive, Anchor, Gap, Heaplet, Memory, Miss, Outcome, Outcomes, Place, Stuck};
use crate::smt::{Term, Z3Solver};
use crate::task::{DataModel, Violation};

fn empty() -> Smg {
    Smg::new(Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none())))
}

fn number(memory: &mut Smg, value: u64, width: u32) -> Term {
    memory.constant(Bits::new(value.into(), width))
}

fn plus(memory: &mut Smg, base: Term, offset: u64) -> Term {
    let offset = number(memory, offset, 64);
    memory.binary(BinOp::Add, &base, &offset)
}

fn only<T>(mut outcomes: Outcomes<Smg, T>) -> Outcome<Smg, T> {
    assert_eq!(outcomes.len(), 1);
    outcomes.pop().expect("one")
}

fn went<T>(outcomes: Outcomes<Smg, T>) -> (Smg, T) {
    match only(outcomes) {
        Outcome::Next(memory, value) => (memory, value),
        Outcome::Fault(_, fault) => panic!("{fault:?}"),
        Outcome::Stuck(_, stuck) => panic!("{stuck}"),
        Outcome::Miss(_, miss) => panic!("{miss:?}"),
    }
}

fn missed<T>(outcomes: Outcomes<Smg, T>) -> (Smg, Miss) {
    match only(outcomes) {
        Outcome::Miss(memory, miss) => (memory, miss),
        _ => panic!("nothing is missing"),
    }
}

fn produced(memory: Smg, place: Place, value: Term) -> Smg {
    memory.produce(&Heaplet { place, value }).expect("there is room")
}

#[test]
fn a_load_misses_is_fixed_and_succeeds() {
    let mut memory = empty();
    let (anchor, x) = memory.anchor();
    let address = plus(&mut memory, x, 8);
    let (mut memory, miss) = missed(memory.load(&address, 4));
    assert_eq!(miss.place, Place { anchor, offset: 8, bytes: 4 });
    assert_eq!(miss.fault.violation, Violation::ValidDeref);
    let seven = number(&mut memory, 7, 32);
    let memory = produced(memory, miss.place, seven);
    let (mut memory, value) = went(memory.load(&address, 4));
    assert_eq!(value, seven);
    // What owns some bytes owns no others: neither before, nor between, nor behind them.
    let wider = plus(&mut memory, x, 4);
    assert_eq!(missed(memory.clone().load(&wider, 8)).1.place, Place { anchor, offset: 4, bytes: 4 });
    assert_eq!(missed(memory.clone().load(&address, 8)).1.place, Place { anchor, offset: 12, bytes: 4 });
    assert_eq!(missed(memory.clone().load(&x, 1)).1.place, Place { anchor, offset: 0, bytes: 1 });
    // The address is not null any more.
    let null = number(&mut memory, 0, 64);
    let is_null = memory.binary(BinOp::Eq, &x, &null);
    assert!(memory.assume(&is_null).is_empty());
}

#[test]
fn stores_copies_and_fills_need_what_they_touch() {
    let mut memory = empty();
    let (anchor, x) = memory.anchor();
    let five = number(&mut memory, 5, 64);
    let (memory, miss) = missed(memory.store(&x, &five));
    assert_eq!(miss.place, Place { anchor, offset: 0, bytes: 8 });
    let mut memory = produced(memory, miss.place, five);
    let size = number(&mut memory, 16, 64);
    let byte = number(&mut memory, 1, 8);
    assert_eq!(missed(memory.clone().fill(&x, &byte, &size)).1.place, Place { anchor, offset: 8, bytes: 8 });
    let (other, y) = memory.anchor();
    assert_eq!(missed(memory.clone().copy(&y, &x, &size)).1.place, Place { anchor, offset: 8, bytes: 8 });
    let eight = number(&mut memory, 8, 64);
    assert_eq!(missed(memory.copy(&y, &x, &eight)).1.place, Place { anchor: other, offset: 0, bytes: 8 });
}

#[test]
fn what_is_consumed_was_produced_and_the_frame_remains() {
    let mut memory = empty();
    let (anchor, x) = memory.anchor();
    let places = [0, 8].map(|offset| Place { anchor, offset, bytes: 8 });
    let (a, b) = (number(&mut memory, 1, 64), number(&mut memory, 2, 64));
    let memory = produced(produced(memory, places[0], a), places[1], b);
    // `x ↦ 1 * x ↦ 1` holds nowhere.
    assert!(memory.clone().produce(&Heaplet { place: places[0], value: a }).is_none());
    let (mut frame, taken) = memory.consume(places[0]).expect("it is there");
    assert_eq!(taken, Heaplet { place: places[0], value: a });
    assert_eq!(missed(frame.clone().load(&x, 8)).1.place, places[0]);
    let next = plus(&mut frame, x, 8);
    assert_eq!(went(frame.clone().load(&next, 8)).1, b);
    assert_eq!(frame.clone().consume(places[0]).err().map(|miss| miss.place), Some(places[0]));
    // A store changes what is consumed; part of a heaplet is one, too.
    let three = number(&mut frame, 3, 64);
    let (frame, ()) = went(frame.store(&next, &three));
    let (frame, half) = frame.consume(Place { anchor, offset: 8, bytes: 4 }).expect("it is there");
    assert_eq!(frame.context().terms.as_const(half.value), Some(3));
    let (frame, _) = frame.consume(Place { anchor, offset: 12, bytes: 4 }).expect("it is there");
    // Nothing is left, so that all may be produced again.
    assert_eq!(frame.blocks().count(), 0);
    produced(frame, places[1], b);
}

#[test]
fn what_no_heaplet_fixes_is_no_miss() {
    let mut memory = empty();
    let (_, x) = memory.anchor();
    let null = number(&mut memory, 0, 64);
    let is_null = memory.binary(BinOp::Eq, &x, &null);
    let (nowhere, ()) = went(memory.clone().assume(&is_null));
    assert!(matches!(only(nowhere.clone().load(&x, 1)), Outcome::Fault(..)));
    let place = Place { anchor: Anchor(0), offset: 0, bytes: 1 };
    let byte = number(&mut memory, 1, 8);
    assert!(nowhere.produce(&Heaplet { place, value: byte }).is_none(), "null owns nothing");
    // Freeing needs to know the whole block.
    let frees = |memory: &Smg| -> Vec<bool> {
        memory.clone().release(&x).iter().map(|outcome| matches!(outcome, Outcome::Next(..))).collect()
    };
    assert_eq!(frees(&memory).iter().filter(|goes_on| **goes_on).count(), 1, "null may be freed, and nothing else");
    assert!(memory.clone().release(&x).iter().any(|outcome| matches!(outcome, Outcome::Stuck(..))));
    let memory = produced(memory, place, byte);
    assert!(matches!(only(memory.clone().release(&x)), Outcome::Stuck(..)));
    // A closed program's pointers out of nowhere stay faults.
    let mut closed = memory;
    let any = closed.nondet(&crate::cfa::NondetKind::Uninitialised, 64);
    assert!(matches!(only(closed.load(&any, 1)), Outcome::Fault(..)));
}

#[test]
fn a_miss_that_nothing_fixes_is_not_known() {
    let mut memory = empty();
    let (_, x) = memory.anchor();
    let (_, miss) = missed(memory.load(&x, 2));
    let stuck = Stuck::from(miss);
    assert_eq!(stuck.gap, Gap::Foreign);
    assert!(stuck.to_string().contains("2 bytes at offset 0"), "{stuck}");
}
