//! A heap of an abstract state as the beginning of a slice: what the flat memory starts from.
//!
//! Source: algorithm 3 of the CAV'12 paper on counterexample-guided shape refinement (`prefix`); the loops that build lists
//! are unrolled before ([`crate::fold::instances`]).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::bmc::{Start, StartBlock, StartCell, StartValue};
use crate::heap::{Cell, Object, State, SymbolKind};
use crate::memory::{BlockId, Frame};
use crate::smt::Term;

/// The start that a state of single blocks is; `None` where it holds something the flat memory does not know.
pub fn start_of(state: &State) -> Option<Start<'_>> {
    let context = state.memory.context();
    let terms = &context.terms;
    // Globals first.
    let mut order: Vec<BlockId> = state.globals.to_vec();
    let others = state.memory.blocks().map(|(block, _)| block).filter(|block| !state.globals.contains(block));
    order.extend(others);
    let positions: FxHashMap<BlockId, BlockId> =
        order.iter().enumerate().map(|(index, block)| (*block, BlockId::from_index(index))).collect();
    let blocks = order.iter().map(|block| block_of(state, state.memory.block(*block)?)).collect::<Option<Vec<_>>>()?;
    let frames = state.frames.iter().map(|frame| renamed(frame, &positions)).collect::<Option<Vec<_>>>()?;
    let facts = state.memory.facts();
    let mut start = Start { terms, blocks, frames, facts, functions: BTreeMap::new(), external: BTreeSet::new() };
    let mut visit = |term: Term| {
        for &symbol in terms.symbols_of(term).iter() {
            match context.kind(symbol) {
                Some(SymbolKind::Function(function)) => {
                    start.functions.insert(symbol, function);
                }
                Some(kind) if kind.is_external() => {
                    start.external.insert(symbol);
                }
                _ => {}
            }
        }
    };
    state.frames.iter().flat_map(|frame| frame.regs.iter().flatten().copied()).for_each(&mut visit);
    state.memory.blocks().for_each(|(_, object)| object.each_term(&mut visit));
    Some(start)
}

fn block_of(state: &State, object: &Object) -> Option<StartBlock> {
    let terms = &state.memory.context().terms;
    let info = terms.symbol_info(terms.as_symbol(object.address)?);
    let cells = object.content.edges().iter().map(|edge| StartCell {
        offset: edge.offset,
        bytes: edge.bytes,
        value: match edge.cell {
            Cell::Value(value) => StartValue::Value(value),
            Cell::Uniform(byte) => StartValue::Uniform(byte),
            Cell::Forgotten => StartValue::Unknown,
        },
    });
    (object.is_region()).then(|| StartBlock {
        kind: object.kind,
        size: object.size,
        address: object.address,
        align: 1 << info.alignment.min(16),
        live: object.valid,
        zeroed: object.content.is_zeroed() && !object.content.is_blurred(),
        cells: if object.valid { cells.collect() } else { Vec::new() },
    })
}

fn renamed(frame: &Rc<Frame<Term>>, positions: &FxHashMap<BlockId, BlockId>) -> Option<Rc<Frame<Term>>> {
    let mut frame = frame.as_ref().clone();
    for block in frame.slots.iter_mut().flatten().chain(&mut frame.allocas) {
        *block = *positions.get(block)?;
    }
    Some(Rc::new(frame))
}
