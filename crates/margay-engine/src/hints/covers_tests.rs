//! What symbols without a value of their own stand for when one state covers another.

use std::rc::Rc;

use super::covers::covers;
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::cfa::{FunctionId, Loc, NondetKind};
use crate::check::verify;
use crate::heap::{Context, Smg, State};
use crate::memory::{Config, Frame, Memory};
use crate::smt::{Term, Terms, Z3Solver};
use crate::task::DataModel;

/// Makes, of unknown numbers `a`, `b` and `c` of 32 bits, the values of the registers and the constraints.
type Recipe<'r> = &'r dyn Fn(&Terms, [Term; 3]) -> (Vec<Term>, Vec<Term>);

/// A state with nothing but registers; `order` says which inputs `a`, `b` and `c` are.
fn state(context: &Rc<Context>, order: [usize; 3], recipe: Recipe) -> State {
    let mut memory = Smg::new(context.clone());
    let inputs = [(); 3].map(|()| memory.nondet(&NondetKind::Uninitialised, 32));
    let (values, constraints) = recipe(&context.terms, order.map(|index| inputs[index]));
    constraints.iter().for_each(|constraint| memory.store.assume(context, *constraint));
    let regs = values.into_iter().map(Some).collect();
    let (function, at, call) = (FunctionId(0), Loc(0), Span::default());
    let frame = Frame { function, at, regs, slots: Vec::new(), allocas: Vec::new(), result: None, call };
    Config { memory, frames: vec![Rc::new(frame)], globals: Rc::default() }
}

/// Whether a state of the first recipe is found to cover one of the second, whatever the unknown numbers are called; what is
/// found is verified as a proof from a file would be.
fn covered(general: Recipe, special: Recipe) -> bool {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 2, 0], [2, 1, 0]];
    let answers = orders.map(|order| {
        let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
        let (old, new) = (state(&context, [0, 1, 2], general), state(&context, order, special));
        let found = covers(&old, &new);
        if let Some(embedding) = &found {
            assert_eq!(verify(&old, &new, embedding, &|_| true).as_ref(), Ok(embedding));
        }
        found.is_some()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]), "names matter: {answers:?}");
    answers[0]
}

#[test]
fn a_sum_of_two_unknown_numbers() {
    let fits = |t: &Terms, a: Term, b: Term| {
        let long = |term| t.sext(term, 64);
        t.eq(t.add(long(a), long(b)), long(t.add(a, b)))
    };
    let general: Recipe = &|t, [a, b, _]| (vec![t.add(a, b)], vec![fits(t, a, b)]);
    assert!(covered(general, general));
    assert!(covered(general, &|t, [a, b, c]| (vec![t.add(a, b)], vec![fits(t, a, b), t.slt(c, a)])));
    // 1 + (-1) is 0, which is no sum of two numbers of which the first is positive and the second is not negative.
    let positive: Recipe = &|t, [a, b, _]| {
        let zero = t.constant(0, 32);
        (vec![t.add(a, b)], vec![fits(t, a, b), t.slt(zero, a), t.sle(zero, b)])
    };
    assert!(covered(positive, positive));
    let greater: Recipe = &|t, [a, b, _]| {
        let more = |number: u128, term| t.slt(t.constant(number, 32), term);
        (vec![t.add(a, b)], vec![fits(t, a, b), more(3, a), more(7, b)])
    };
    assert!(covered(greater, greater));
    let difference: Recipe = &|t, [a, b, _]| (vec![a, t.sub(a, b)], vec![t.ult(b, a)]);
    assert!(covered(difference, difference));
    assert!(!covered(difference, &|t, [a, b, _]| (vec![a, t.sub(a, b)], vec![t.ule(b, a)])));
    assert!(!covered(positive, &|t, [a, b, _]| (vec![t.add(a, b)], vec![fits(t, a, b)])));
}

#[test]
fn a_scaled_unknown_number() {
    let general: Recipe = &|t, [a, _, _]| (vec![t.mul(a, t.constant(4, 32))], vec![t.ult(a, t.constant(5, 32))]);
    assert!(covered(general, general));
    let number = |number: u128| move |t: &Terms, _: [Term; 3]| (vec![t.constant(number, 32)], Vec::new());
    assert!(covered(general, &number(16)));
    assert!(!covered(general, &number(20)));
    assert!(!covered(general, &number(6)));
}

#[test]
fn unknown_numbers_that_only_constraints_speak_of() {
    // There are `b < c <= a` with `b <= a`: not so for the least number.
    let general: Recipe = &|t, [a, b, c]| (vec![a], vec![t.sle(b, a), t.slt(b, c), t.sle(c, a)]);
    assert!(covered(general, general));
    assert!(!covered(general, &|t, [a, b, c]| (vec![a], vec![t.sle(b, a), t.sle(c, a)])));
    assert!(!covered(general, &|_, [a, _, _]| (vec![a], Vec::new())));
    let product: Recipe = &|t, [a, b, c]| {
        let two = t.constant(2, 32);
        (vec![a], vec![t.eq(t.mul(b, c), a), t.ule(two, b), t.ult(two, c)])
    };
    assert!(covered(product, product));
    assert!(!covered(product, &|_, [a, _, _]| (vec![a], Vec::new())));
}

#[test]
fn the_next_number_as_a_witness() {
    let general: Recipe = &|t, [a, b, _]| (vec![a], vec![t.slt(a, b)]);
    assert!(covered(general, &|t, [a, _, _]| (vec![a], vec![t.slt(a, t.constant(10, 32))])));
    assert!(covered(general, &|t, _| (vec![t.constant(3, 32)], Vec::new())));
    // Nothing is greater than the greatest number.
    assert!(!covered(general, &|_, [a, _, _]| (vec![a], Vec::new())));
}
