//! Blocks that a function made and nobody can free any more when it has ended.

use rustc_hash::FxHashSet;

use super::heap::{Block, SymbolicHeap, Value};
use crate::heap::SymbolKind;
use crate::memory::BlockKind;
use crate::smt::{SymId, Term};

/// A live block of the function's own that neither the result, nor static objects, nor anything the caller has leads to.
pub(super) fn leaked(heap: &SymbolicHeap, result: Option<Term>) -> Option<&Block> {
    let terms = heap.terms();
    // What the caller has: everything but what the function made, and what is in lists that the function made.
    let mut reached: FxHashSet<SymId> = FxHashSet::default();
    let mut work: Vec<Term> = result.into_iter().collect();
    let is_own = |symbol: SymId| match heap.kind(symbol) {
        Some(SymbolKind::Address(block)) => block.index() >= heap.world.statics.len(),
        Some(SymbolKind::Forgotten(_)) => true,
        _ => false,
    };
    let mut scanned = vec![false; heap.cells.len()];
    let mut listed = vec![false; heap.segments.len()];
    loop {
        while let Some(term) = work.pop() {
            reached.extend(terms.symbols_of(term).iter().copied());
        }
        let leads = |address: Term, reached: &FxHashSet<SymId>| {
            let symbols = terms.symbols_of(address);
            symbols.iter().any(|symbol| reached.contains(symbol)) || !symbols.iter().any(|symbol| is_own(*symbol))
        };
        for (index, cell) in heap.cells.iter().enumerate() {
            if !scanned[index] && leads(cell.at, &reached) {
                scanned[index] = true;
                if let Value::Is(term) = cell.value {
                    work.push(term);
                }
            }
        }
        for (index, segment) in heap.segments.iter().enumerate() {
            let ends = [Some(segment.first), segment.back.map(|(last, _)| last)];
            if !listed[index] && ends.into_iter().flatten().any(|end| leads(end, &reached)) {
                listed[index] = true;
                work.extend(segment.terms());
            }
        }
        if work.is_empty() {
            break;
        }
    }
    let is_reached = |address: Term| {
        let symbols = terms.symbols_of(address);
        symbols.iter().any(|symbol| reached.contains(symbol)) || !symbols.iter().any(|symbol| is_own(*symbol))
    };
    heap.blocks
        .iter()
        .find(|block| block.live && !block.foreign && block.kind == BlockKind::Heap && !is_reached(block.start))
}

/// Whether a list of the function's own nodes, one at least, is lost.
pub(super) fn lost_list(heap: &SymbolicHeap, result: Option<Term>) -> bool {
    let mut probe = heap.clone();
    // A node stands for all of them.
    let own: Vec<usize> = (0..heap.segments.len())
        .filter(|index| {
            let segment = &heap.segments[*index];
            segment.nonempty && !segment.foreign && !segment.shape.blocks.is_empty()
        })
        .collect();
    own.into_iter().any(|index| {
        probe = heap.clone();
        probe.clone().unfolded(index, false).is_some_and(|heap| leaked(&heap, result).is_some())
    })
}
