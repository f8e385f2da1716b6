//! What callers see of a state at the end of a function.

use std::rc::Rc;

use super::follow::State;
use super::heap::SymbolicHeap;
use crate::cfa::Loc;
use crate::heap::SymbolKind;
use crate::memory::BlockKind;
use crate::smt::Term;

/// The state at the end of the function, as far as its callers can see it: the last register holds the result.
pub(super) fn visible(mut state: State, result: Option<Term>) -> State {
    let heap = &mut state.memory;
    // The function's own objects are gone. The bytes of literals are not handed over: they are known. And it is not known
    // whose those are that a function led to that is not there.
    let is_external = |heap: &SymbolicHeap, base: Term| {
        let symbols = heap.terms().symbols_of(base);
        symbols.iter().any(|symbol| matches!(heap.kind(*symbol), Some(SymbolKind::External(_))))
    };
    let is_gone = |at: Term| {
        let (base, _) = heap.split(at);
        let block = heap.block_at(base).map(|block| &heap.blocks[block]);
        heap.is_literal(base) || is_external(heap, base) || block.is_some_and(|block| block.kind != BlockKind::Heap)
    };
    let cells = heap.cells.iter().filter(|cell| !is_gone(cell.at)).copied().collect();
    let blocks = heap.blocks.iter().filter(|block| {
        block.kind == BlockKind::Heap && (block.live || block.foreign && !is_external(heap, heap.split(block.start).0))
    });
    let blocks = blocks.cloned().collect();
    heap.cells = Rc::new(cells);
    heap.blocks = Rc::new(blocks);
    let result = result.map(|result| heap.norm(result));
    let frame = Rc::make_mut(&mut state.frames[0]);
    frame.regs.iter_mut().for_each(|reg| *reg = None);
    if let Some(last) = frame.regs.last_mut() {
        *last = result;
    }
    frame.slots.iter_mut().for_each(|slot| *slot = None);
    frame.allocas.clear();
    frame.at = Loc::from_index(0);
    state.frames.truncate(1);
    state
}
