//! Tables against brute force: every small array of which some cells lead to blocks of their own, every cell that is read.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::content::{Cell, Content, Edge};
use super::context::{Context, SymbolKind};
use super::forms::{Body, Form, Optional, Table};
use super::graph::{Object, Smg};
use super::run::{Layout, Run};
use crate::base::limits::Limits;
use crate::memory::{BlockId, BlockKind, BlockSpec, Memory, Origin, Outcome};
use crate::smt::{SymId, Term, Z3Solver};
use crate::task::DataModel;

/// Cells of the array.
const CELLS: u64 = 3;

const POINTERS: Layout = Layout { offset: 0, stride: 8, bits: 64 };

struct Setting {
    memory: Smg,
    array: BlockId,
    /// The ends of the table, and a number of a cell.
    names: [Term; 3],
}

/// An array whose cells from one number to another each lead to a block of 4 bytes that holds 0 or 1, or perhaps to none.
fn setting(may_lack: bool) -> Setting {
    let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
    let terms = &context.terms;
    let mut memory = Smg::new(context.clone());
    let size = context.pointer_constant(8 * CELLS);
    let spec = BlockSpec { kind: BlockKind::Stack, size, align: 8, zeroed: false, origin: Origin::outside("array") };
    let array = memory.add_object(spec);
    let names = [0, 1, 2].map(|n| context.symbol(SymbolKind::Input(n), 64, 0));
    for (name, most) in names.into_iter().zip([CELLS, CELLS, CELLS - 1]) {
        memory.store.assume(&context, terms.ule(name, context.pointer_constant(most)));
    }
    memory.store.assume(&context, terms.ule(names[0], names[1]));
    memory.next_input = 3;
    let bound = |n: u32, width: u32, class: u8| context.symbol(SymbolKind::Bound { depth: 0, n, class }, width, 0);
    let (cell, below, number) = (bound(0, 64, 0), bound(1, 64, 0), bound(2, 32, 4));
    let object = |address: Term, bytes: u64, value: Term| Object {
        form: Form::Region,
        kind: BlockKind::Heap,
        size: context.pointer_constant(bytes),
        address,
        valid: true,
        lost: false,
        content: Content::from_edges(vec![Edge { offset: 0, bytes, cell: Cell::Value(value) }], false, false),
        origin: Origin::outside("below"),
    };
    let mut blocks = vec![object(cell, 8, below), object(below, 4, number)];
    if may_lack {
        blocks[1].form = Form::Optional(Optional { absent: context.pointer_constant(0) });
    }
    let facts = vec![terms.ult(number, terms.constant(2, 32))];
    let table = Table { first: names[0], last: names[1], body: Rc::new(Body::new(blocks, facts, 0)) };
    let table = memory.add_table(table, Origin::outside("table"));
    let run =
        Run { layout: POINTERS, first: names[0], last: names[1], facts: [].into(), read: false, table, text: false };
    memory.set_runs(array, vec![run]);
    memory.consistent().expect("a consistent memory");
    Setting { memory, array, names }
}

/// By cell that leads to a block of its own: what the block holds.
type Blocks = BTreeMap<u64, u64>;

/// Whether the memory allows the array with these blocks, where the names have these values; `read`: and a value that is the address of
/// the block of that cell, or null where there is none.
fn allows(setting: &Setting, memory: &Smg, blocks: &Blocks, names: [u64; 3], read: Option<(Term, u64)>) -> bool {
    let context = &memory.context;
    let terms = &context.terms;
    let symbols: Vec<SymId> = setting.names.iter().filter_map(|name| terms.as_symbol(*name)).collect();
    let values = |symbol: SymId| symbols.iter().position(|own| *own == symbol).map_or(0, |at| names[at].into());
    let constraints = memory
        .store
        .constraints()
        .iter()
        .filter(|constraint| terms.symbols_of(**constraint).iter().all(|symbol| symbols.contains(symbol)));
    if !constraints.into_iter().all(|constraint| terms.evaluate(*constraint, &values) == 1) {
        return false;
    }
    let content = &memory.object(setting.array).expect("the array").content;
    // What single cells lead to, and which tables speak of the others.
    let mut places: BTreeMap<u64, Term> = BTreeMap::new();
    for edge in content.edges() {
        if let Cell::Value(value) = edge.cell {
            places.insert(edge.offset / 8, value);
        }
    }
    for run in content.runs() {
        if let Some((_, value)) = run.single(context) {
            places.insert(terms.evaluate(run.first, &values) as u64, value);
        }
    }
    let holds = |block: BlockId, number: u64| {
        let edge = memory.object(block).and_then(|object| object.content.edges().first().copied());
        let Some(Cell::Value(value)) = edge.map(|edge| edge.cell) else { return false };
        memory.decide(terms.eq(value, terms.constant(number.into(), 32))) != Some(false)
    };
    let mut accounted: Vec<u64> = Vec::new();
    let mut found: BTreeMap<BlockId, u64> = BTreeMap::new();
    for (index, value) in &places {
        match (memory.tracks(*value), blocks.get(index)) {
            (Some(block), Some(number)) if holds(block, *number) => {
                accounted.push(*index);
                found.insert(block, *index);
            }
            (None, None) if terms.as_const(*value).is_none_or(|value| value == 0) => {}
            _ => return false,
        }
    }
    for (block, object) in memory.blocks().filter(|(_, object)| object.kind == BlockKind::Heap) {
        let Form::Table(table) = &object.form else {
            if !found.contains_key(&block) {
                return false;
            }
            continue;
        };
        let may_lack = table.body.objects.iter().any(|object| matches!(object.form, Form::Optional(_)));
        for index in 0..CELLS {
            let is_in = terms.evaluate(table.contains(terms, context.pointer_constant(index)), &values) == 1;
            let is_said = content.runs().iter().any(|run| {
                let contains = run.contains(terms, context.pointer_constant(index));
                run.table == Some(block) && terms.evaluate(contains, &values) == 1
            });
            match blocks.get(&index) {
                _ if !is_in => {}
                Some(number) if is_said && *number < 2 => accounted.push(index),
                None if may_lack => {}
                _ => return false,
            }
        }
    }
    accounted.sort_unstable();
    let is_read = read.is_none_or(|(value, index)| match memory.tracks(value) {
        Some(block) => found.get(&block) == Some(&index),
        None => blocks.get(&index).is_none() || terms.as_const(value).is_none(),
    });
    is_read && accounted.iter().eq(blocks.keys())
}

/// The arrays that the setting stands for: which cells lead to blocks, and what these hold.
fn each_case(setting: &Setting, mut visit: impl FnMut(&Blocks, [u64; 3])) {
    for code in 0..4u64.pow(CELLS as u32) {
        let digits = (0..CELLS).map(|at| (at, code / 4u64.pow(at as u32) % 4));
        // 3: no block.
        let blocks: Blocks = digits.filter(|(_, digit)| *digit < 3).collect();
        for names in (0..(CELLS + 1) * (CELLS + 1) * CELLS).map(|choice| {
            let rest = choice / (CELLS + 1);
            [choice % (CELLS + 1), rest % (CELLS + 1), rest / (CELLS + 1)]
        }) {
            if allows(setting, &setting.memory, &blocks, names, None) {
                visit(&blocks, names);
            }
        }
    }
}

/// A read takes the cell out of the table: together the memories stand for the same arrays, and the value is what the cell holds.
#[test]
fn reads_lose_nothing() {
    for may_lack in [false, true] {
        let setting = setting(may_lack);
        let context = setting.memory.context.clone();
        let terms = &context.terms;
        let start = setting.memory.object(setting.array).expect("the array").address;
        let constants = (0..CELLS).map(|index| context.pointer_constant(index));
        for index in constants.chain([setting.names[2]]) {
            let address = terms.add(start, terms.scale(index, 8));
            let outcomes = setting.memory.clone().load(&address, 8);
            let mut cases = 0;
            each_case(&setting, |blocks, names| {
                let place = terms.as_const(index).map_or(names[2], |index| index as u64);
                // Nothing is known of cells behind the table.
                let is_met = outcomes.iter().any(|outcome| match outcome {
                    Outcome::Next(memory, value) => {
                        memory.consistent().expect("a consistent memory");
                        allows(&setting, memory, blocks, names, Some((*value, place)))
                    }
                    _ => false,
                });
                assert!(is_met, "{blocks:?} {names:?}, cell {place}");
                cases += 1;
            });
            assert!(cases > 20, "{cases} cases");
        }
    }
}

/// What is written over a cell is no longer what the table says of it; its block is lost, and counts.
#[test]
fn written_cells_leave_their_blocks_behind() {
    let setting = setting(false);
    let context = setting.memory.context.clone();
    let terms = &context.terms;
    let start = setting.memory.object(setting.array).expect("the array").address;
    let mut memory = setting.memory.clone();
    let full = [(0, 0), (1, CELLS)].map(|(name, value)| terms.eq(setting.names[name], context.pointer_constant(value)));
    for condition in full {
        memory = memory.restrict(condition).expect("possible");
    }
    assert_eq!(memory.leaked_block(&mut std::iter::empty()), None, "each block is held");
    let null = context.pointer_constant(0);
    for index in [context.pointer_constant(1), setting.names[2]] {
        let address = terms.add(start, terms.scale(index, 8));
        for outcome in memory.clone().store(&address, &null) {
            let Outcome::Next(memory, ()) = outcome else { panic!("a write within the array") };
            assert!(memory.leaked_block(&mut std::iter::empty()).is_some(), "a block is lost");
        }
    }
}

/// A copy of so many cells to the same places of another array holds what the table says of them, and nothing behind them.
#[test]
fn copies_hold_what_was_copied() {
    let setting = setting(false);
    let context = setting.memory.context.clone();
    let terms = &context.terms;
    let mut memory = setting.memory.clone();
    let size = context.pointer_constant(8 * CELLS);
    let origin = Origin::outside("copy");
    let copy = memory.add_object(BlockSpec { kind: BlockKind::Stack, size, align: 8, zeroed: false, origin });
    let [from, to] = [setting.array, copy].map(|block| memory.object(block).expect("an array").address);
    let symbols: Vec<SymId> = setting.names.iter().filter_map(|name| terms.as_symbol(*name)).collect();
    let mut held = 0;
    for shift in [0, 8] {
        for cells in (0..=CELLS).map(|cells| context.pointer_constant(cells)).chain([setting.names[2]]) {
            let target = terms.add_constant(to, shift);
            let bytes = terms.scale(cells, 8);
            for last in 0..=CELLS {
                let is_last = terms.eq(setting.names[1], context.pointer_constant(last));
                let Some(memory) = memory.clone().restrict(is_last) else { continue };
                for outcome in memory.copy(&target, &from, &bytes) {
                    let Outcome::Next(memory, ()) = outcome else { continue };
                    memory.consistent().expect("a consistent memory");
                    let content = &memory.object(copy).expect("the copy").content;
                    for run in content.runs().iter().filter(|run| run.table.is_some()) {
                        assert_eq!(shift, 0, "cells stand elsewhere");
                        held += 1;
                        let constraints = memory.store.constraints();
                        for choice in 0..(CELLS + 1) * CELLS {
                            let names = [choice % (CELLS + 1), last, choice / (CELLS + 1)];
                            let values = |symbol: SymId| {
                                symbols.iter().position(|own| *own == symbol).map_or(0, |at| u128::from(names[at]))
                            };
                            let about = constraints.iter().filter(|constraint| {
                                terms.symbols_of(**constraint).iter().all(|symbol| symbols.contains(symbol))
                            });
                            if !about.into_iter().all(|constraint| terms.evaluate(*constraint, &values) == 1) {
                                continue;
                            }
                            let copied = terms.evaluate(cells, &values);
                            let is_copied = |index: u64| {
                                let contains = run.contains(terms, context.pointer_constant(index));
                                terms.evaluate(contains, &values) == 0 || u128::from(index) < copied
                            };
                            assert!((0..CELLS).all(is_copied), "{names:?}: {copied} cells were copied");
                        }
                    }
                }
            }
        }
    }
    assert!(held > 5, "{held} copies hold cells of the table");
}

/// Below a table without cells there is nothing to lose.
#[test]
fn a_table_without_cells_is_not_lost() {
    let setting = setting(false);
    let context = setting.memory.context.clone();
    let empty = context.terms.ule(setting.names[1], setting.names[0]);
    for (condition, is_lost) in [(empty, false), (context.terms.not(empty), true)] {
        let mut memory = setting.memory.clone().restrict(condition).expect("possible");
        memory.set_runs(setting.array, Vec::new());
        assert_eq!(memory.leaked_block(&mut std::iter::empty()).is_some(), is_lost);
    }
}
