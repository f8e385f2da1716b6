//! Embeddings of tables: cells that hold null are cells below which there is nothing, and only these.

use std::rc::Rc;

use super::verify::verify;
use crate::base::limits::Limits;
use crate::c::{SourceText, parse, with_big_stack};
use crate::certificate::{Embedding, Place, TablePart};
use crate::cfa::{LowerOptions, lower};
use crate::heap::{
    Body, Cell, Content, Context, Edge, Form, Layout, Object, Optional, Run, Smg, State, SymbolKind, Table,
};
use crate::memory::{BlockId, BlockKind, Origin, initial};
use crate::smt::{Term, Z3Solver};
use crate::task::DataModel;

const LAYOUT: Layout = Layout { offset: 0, stride: 8, bits: 64 };

/// A state with an array of three pointers, which are null.
fn state(context: &Rc<Context>) -> (State, BlockId) {
    let text = "int *a[3]; int main(void) { return a[0] == 0; }";
    let unit = parse(&SourceText::from_text("test.c", text, DataModel::Lp64)).expect("C");
    let program = lower(&unit, &LowerOptions::default()).expect("plain C");
    let state = initial(&program, Smg::new(context.clone())).expect("a start");
    let size = context.pointer_constant(24);
    let array = state.memory.blocks().find(|(_, object)| object.size == size).map(|(block, _)| block);
    (state, array.expect("the array"))
}

/// The same, where each cell leads to a block of four bytes, or to nothing; the table that says it.
fn general(context: &Rc<Context>) -> (State, BlockId) {
    let (mut state, array) = state(context);
    let bound = |n: u32| context.symbol(SymbolKind::Bound { depth: 0, n, class: 0 }, 64, 0);
    let null = context.pointer_constant(0);
    let object = |form: Form, address: Term, bytes: u64, edges: Vec<Edge>| Object {
        form,
        kind: BlockKind::Heap,
        size: context.pointer_constant(bytes),
        address,
        valid: true,
        lost: false,
        content: Content::from_edges(edges, false, false),
        origin: Origin::outside("below"),
    };
    let link = Edge { offset: 0, bytes: 8, cell: Cell::Value(bound(1)) };
    let objects = vec![
        object(Form::Region, bound(0), 8, vec![link]),
        object(Form::Optional(Optional { absent: null }), bound(1), 4, Vec::new()),
    ];
    let last = context.pointer_constant(3);
    let table = Table { first: null, last, body: Rc::new(Body::new(objects, Vec::new(), 0)) };
    let table = state.memory.add_table(table, Origin::outside("table")).expect("a table");
    state.memory.write_cell(array, 0, 24, Cell::Forgotten);
    let run = Run { layout: LAYOUT, first: null, last, facts: [].into(), read: false, table: Some(table), text: false };
    state.memory.set_runs(array, vec![run]);
    (state, table)
}

/// Nothing hangs below null cells, so they are cells of a table where there may be nothing: all that the table speaks of, and none that
/// holds anything else or is said to have a block.
#[test]
fn null_cells_have_nothing_below() {
    with_big_stack(|| {
        for (last, other, below, holds) in [
            (3, None, Place::Absent, true),
            (2, None, Place::Absent, false),
            (3, Some(2), Place::Absent, false),
            (3, None, Place::Chain(Vec::new()), false),
            (3, None, Place::Block(BlockId(0)), false),
        ] {
            let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
            let (old, table) = general(&context);
            let (mut new, array) = state(&context);
            if let Some(place) = other {
                let value = Cell::Value(context.pointer_constant(16));
                new.memory.write_cell(array, 8 * place, 8, value);
            }
            let inner = Embedding { places: [(BlockId(1), below.clone())].into(), ..Embedding::default() };
            let ends = (context.pointer_constant(0), context.pointer_constant(last));
            let parts = vec![TablePart::Nulls(ends, inner)];
            let places = new.memory.blocks().map(|(block, _)| (block, Place::Block(block)));
            let places = places.chain([(table, Place::Table(parts))]).collect();
            let embedding = Embedding { places, ..Embedding::default() };
            let verified = verify(&old, &new, &embedding, &|_| true);
            assert_eq!(verified.is_ok(), holds, "up to {last}, {other:?}, {below:?}: {:?}", verified.err());
        }
    });
}
