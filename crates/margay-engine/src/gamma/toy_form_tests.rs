//! A kind of summary that nobody else knows of goes through access, leak check, canonical form, picture and γ.

use std::rc::Rc;

use super::toy_form::Few;
use super::{Heap, Random, View, is_model, sample};
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::c::{SourceText, parse};
use crate::cfa::{LowerOptions, Program, lower};
use crate::explore::canonical;
use crate::heap::{Body, Cell, Context, Form, Object, Smg, State, SymbolKind};
use crate::memory::{BlockId, BlockKind, BlockSpec, Frame, Memory, Origin, Outcome, initial};
use crate::show::{self, End, Shape, Value, picture};
use crate::smt::Z3Solver;
use crate::task::DataModel;

/// A row after which null follows, of blocks that hold a number below 10; registers hold its ends or nothing.
fn row(program: &Program, last_is_older: bool, registers: [bool; 2]) -> (State, [BlockId; 2]) {
    let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
    let mut state = initial(program, Smg::new(context.clone())).expect("it starts");
    let main = program.function_named("main").expect("there is one");
    state.frames = vec![Rc::new(Frame::new(program, main, None, Span::default()))];
    let (kind, size, origin) = (BlockKind::Heap, context.pointer_constant(16), Origin::outside("block"));
    let spec = BlockSpec { kind, size, align: 16, zeroed: false, origin };
    let mut ends = [spec.clone(), spec].map(|spec| state.memory.create(spec));
    ends.rotate_left(last_is_older.into());
    let [first, last] = ends;
    let bound = |n, class, width, align| context.symbol(SymbolKind::Bound { depth: 0, n, class }, width, align);
    let (address, number) = (bound(0, 0, 64, 4), bound(1, SymbolKind::Forgotten(0).class(), 32, 0));
    let mut node = Object { address, ..state.memory.block(first).expect("it is there").clone() };
    node.content.write(&context.terms, 8, 4, Cell::Value(number));
    let facts = vec![context.terms.ult(number, context.terms.constant(10, 32))];
    let body = Rc::new(Body::new(vec![node], facts, 0));
    let few = Few { last, next: context.pointer_constant(0), body };
    state.memory.object_mut(first).expect("it is there").form = Form::Other(Rc::new(few));
    state.memory.object_mut(last).expect("it is there").form = Form::Last(first);
    let addresses = ends.map(|end| state.memory.block(end).map(|object| object.address));
    let held = addresses.into_iter().zip(registers).map(|(address, holds)| address.filter(|_| holds));
    Rc::make_mut(&mut state.frames[0]).regs.iter_mut().zip(held).for_each(|(register, value)| *register = value);
    assert_eq!(state.memory.consistent(), Ok(()));
    (state, ends)
}

fn program() -> Program {
    let text = SourceText::from_text("row.c", "int main(int p, char **q) { return q != 0 && p; }", DataModel::Lp64);
    let options = LowerOptions { overflow_checks: false, malloc_may_fail: false, ..LowerOptions::default() };
    lower(&parse(&text).expect("it parses"), &options).expect("it is plain C")
}

fn heaps(state: &State) -> Vec<Heap> {
    (0..20).map(|seed| sample(&View::of(state), &mut Random(seed)).expect("there is a heap")).collect()
}

#[test]
fn an_access_shows_two_blocks_from_three_and_loses_nothing() {
    let (state, ends) = row(&program(), false, [true, true]);
    for end in ends {
        let address = state.memory.block(end).expect("it is there").address;
        let cases = state.memory.clone().load(&address, 8).into_iter().map(|outcome| match outcome {
            Outcome::Next(memory, _) => State { memory, ..state.clone() },
            Outcome::Fault(..) | Outcome::Stuck(..) | Outcome::Miss(..) => panic!("the access is fine"),
        });
        let cases: Vec<State> = cases.collect();
        assert_eq!(cases.len(), 2);
        assert!(heaps(&state).iter().all(|heap| cases.iter().any(|case| is_model(&View::of(case), heap))));
        assert!(cases.iter().flat_map(heaps).all(|heap| is_model(&View::of(&state), &heap)));
    }
    let mut heap = heaps(&state).swap_remove(0);
    heap.blocks.iter_mut().find(|block| block.kind == BlockKind::Heap).expect("one").bytes[8] = Some(10);
    assert!(!is_model(&View::of(&state), &heap), "a number that no block holds");
}

#[test]
fn who_holds_the_end_only_has_lost_the_rest() {
    let leaked = |registers| {
        let (state, _) = row(&program(), false, registers);
        state.memory.leaked_block(&mut state.frames[0].regs.iter().flatten()).is_some()
    };
    assert_eq!([[true, false], [false, true], [false, false]].map(leaked), [false, true, true]);
}

#[test]
fn rows_look_alike_whichever_block_is_older() {
    let program = program();
    let form = |older, registers| canonical(&row(&program, older, registers).0, true);
    assert_eq!(form(false, [true, true]), form(true, [true, true]));
    assert_ne!(form(false, [true, true]), form(false, [true, false]));
    let picture = picture(&program, &row(&program, false, [true, true]).0);
    let ends = picture.frames[0].variables.iter().map(|row| match &row.value {
        Value::Pointer { to, .. } => (to.shape, to.end.name),
        _ => panic!("a variable points elsewhere"),
    });
    assert_eq!(ends.collect::<Vec<_>>(), [(0, "begin"), (0, "end")]);
    let shown = match &picture.shapes[..] {
        [Shape { form: show::Form::Nodes(nodes), .. }] => {
            (&*nodes.title, &nodes.outer[0].value, nodes.onward(End::WHOLE))
        }
        _ => panic!("the row is not one box"),
    };
    assert_eq!(shown, ("FEW 2-3", &Value::Null, Some(&Value::Null)));
}
