//! Embeddings of runs: what is said of cells follows from what stands there, and nothing may stand for what differs from cell to cell.

use std::rc::Rc;

use super::binding::Binding;
use super::gather::gather;
use super::verify::verify;
use crate::base::limits::Limits;
use crate::c::{SourceText, parse, with_big_stack};
use crate::certificate::{Embedding, Place};
use crate::cfa::{LowerOptions, lower};
use crate::heap::{Cell, Context, Layout, Run, Smg, State, SymbolKind};
use crate::memory::{BlockId, initial};
use crate::smt::Z3Solver;
use crate::task::DataModel;

const LAYOUT: Layout = Layout { offset: 0, stride: 4, bits: 32 };

/// A state with an array of four numbers, which are these, or of which nothing is known.
fn state(numbers: Option<[u64; 4]>, context: &Rc<Context>) -> (State, BlockId) {
    let unit =
        parse(&SourceText::from_text("test.c", "int a[4]; int main(void) { return a[a[0] & 3]; }", DataModel::Lp64))
            .expect("C");
    let program = lower(&unit, &LowerOptions::default()).expect("plain C");
    let mut state = initial(&program, Smg::new(context.clone())).expect("a start");
    let size = context.pointer_constant(16);
    let mut blocks = state.memory.blocks().filter(|(_, object)| object.size == size).map(|(block, _)| block);
    let array = blocks.next().expect("the array");
    drop(blocks);
    for at in 0..4 {
        let cell = numbers
            .map_or(Cell::Forgotten, |numbers| Cell::Value(context.terms.constant(numbers[at as usize].into(), 32)));
        state.memory.write_cell(array, 4 * at, 4, cell);
    }
    (state, array)
}

/// A general state that says of the cells below a number of its own, at least `least`, that they hold 1.
fn general(least: u64, context: &Rc<Context>) -> State {
    let (mut state, array) = state(None, context);
    let end = context.symbol(SymbolKind::Input(0), 64, 0);
    state.memory.next_input = 1;
    let one = context.terms.eq(context.cell_value(32), context.terms.constant(1, 32));
    let first = context.pointer_constant(0);
    state.memory.set_runs(
        array,
        vec![Run { layout: LAYOUT, first, last: end, facts: [one].into(), read: false, table: None, text: false }],
    );
    state.memory.store.assume(context, context.terms.ule(context.pointer_constant(least), end));
    state
}

fn embedding(state: &State) -> Embedding {
    let places = state.memory.blocks().map(|(block, _)| (block, Place::Block(block))).collect();
    Embedding { places, ..Embedding::default() }
}

/// An end that is proposed is believed where all cells before it hold what is said, and only there.
#[test]
fn a_run_is_what_its_cells_hold() {
    with_big_stack(|| {
        for (numbers, least, end, holds) in [
            ([1, 1, 1, 1], 4, 4, true),
            ([1, 1, 1, 1], 4, 9, true),
            ([1, 1, 1, 2], 3, 3, true),
            ([1, 1, 1, 2], 3, 4, false),
            ([1, 2, 1, 1], 3, 3, false),
            ([1, 1, 1, 1], 4, 3, false),
        ] {
            let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
            let old = general(least, &context);
            let (new, _) = state(Some(numbers), &context);
            let symbol = context.terms.as_symbol(context.symbol(SymbolKind::Input(0), 64, 0)).expect("a symbol");
            let settle = |binding: &mut Binding| binding.try_bind(0, symbol, context.pointer_constant(end));
            let verified = verify(&old, &new, &embedding(&old), &settle);
            assert_eq!(verified.is_ok(), holds, "{numbers:?} up to {end}, at least {least}");
        }
    });
}

/// A text ends in each cell before an end that is proposed where one of the bytes of each is zero, and only there.
#[test]
fn a_run_of_texts_is_what_its_cells_hold() {
    const FULL: u64 = 0x0101_0101;
    with_big_stack(|| {
        for (numbers, least, end, holds) in [
            ([0x0101, 0, 0x0100_0101, 0x0001_0101], 4, 4, true),
            ([0x0101, 0, 0x0100_0101, FULL], 3, 3, true),
            ([0x0101, 0, 0x0100_0101, FULL], 3, 4, false),
            ([0x0101, FULL, 0, 0], 2, 2, false),
            ([0x0101, 0, FULL, 0], 3, 2, false),
        ] {
            let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
            let mut old = general(least, &context);
            let (new, array) = state(Some(numbers), &context);
            let symbol = context.symbol(SymbolKind::Input(0), 64, 0);
            old.memory.set_runs(array, vec![Run::texts(LAYOUT, context.pointer_constant(0), symbol)]);
            let symbol = context.terms.as_symbol(symbol).expect("a symbol");
            let settle = |binding: &mut Binding| binding.try_bind(0, symbol, context.pointer_constant(end));
            let verified = verify(&old, &new, &embedding(&old), &settle);
            assert_eq!(verified.is_ok(), holds, "{numbers:x?} up to {end}, at least {least}");
        }
    });
}

/// No end may be the number of the cell that is looked at: it would be another one for each cell.
#[test]
fn ends_do_not_depend_on_the_cell() {
    with_big_stack(|| {
        let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
        let old = general(0, &context);
        let (new, _) = state(Some([2, 1, 1, 1]), &context);
        let embedding = embedding(&old);
        let mut binding =
            Binding::new(gather(&old, &new, &embedding).expect("they correspond")).expect("by their form");
        let symbol = context.terms.as_symbol(context.symbol(SymbolKind::Input(0), 64, 0)).expect("a symbol");
        let first = new.memory.next_forgotten;
        assert!(binding.memory(0).next_forgotten >= first + 2, "the cell has a number and a value");
        let index = context.symbol(SymbolKind::Forgotten(first), 64, 0);
        let value = context.terms.zext(context.symbol(SymbolKind::Forgotten(first + 1), 32, 0), 64);
        for term in [index, value] {
            assert!(!binding.try_bind(0, symbol, term), "an end that is {}", context.terms.display(term));
        }
        assert!(binding.try_bind(0, symbol, context.pointer_constant(0)), "a number is fine");
    });
}
