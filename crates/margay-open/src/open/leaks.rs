//! Blocks that a function made and that can no longer be freed when it has ended.

use rustc_hash::FxHashSet;

use super::heap::{Block, SymbolicHeap, Value};
use crate::heap::SymbolKind;
use crate::smt::{SymId, Term};

/// A live block of the function's own that neither the result, nor static objects, nor anything the caller has leads to.
pub(super) fn leaked(heap: &SymbolicHeap, result: Option<Term>) -> Option<&Block> {
    let reached = Reached::from(heap, result);
    heap.blocks
        .iter()
        .find(|block| block.live && !block.foreign && block.kind.can_leak() && !reached.leads_to(block.start))
}

/// What the caller can reach: everything but what the function made, and of that (and of what stands in lists) all that
/// something leads to.
struct Reached<'a> {
    heap: &'a SymbolicHeap,
    symbols: FxHashSet<SymId>,
}

impl<'a> Reached<'a> {
    fn from(heap: &'a SymbolicHeap, result: Option<Term>) -> Self {
        let mut reached = Self { heap, symbols: FxHashSet::default() };
        let mut work: Vec<Term> = result.into_iter().collect();
        let mut scanned = vec![false; heap.cells.len()];
        let mut listed = vec![false; heap.segments.len()];
        loop {
            while let Some(term) = work.pop() {
                reached.symbols.extend(heap.terms().symbols_of(term).iter().copied());
            }
            for (index, cell) in heap.cells.iter().enumerate() {
                if !scanned[index] && reached.leads_to(cell.at) {
                    scanned[index] = true;
                    if let Value::Is(term) = cell.value {
                        work.push(term);
                    }
                }
            }
            for (index, segment) in heap.segments.iter().enumerate() {
                let ends = [Some(segment.first), segment.back.map(|(last, _)| last)];
                if !listed[index] && ends.into_iter().flatten().any(|end| reached.leads_to(end)) {
                    listed[index] = true;
                    work.extend(segment.terms());
                }
            }
            if work.is_empty() {
                return reached;
            }
        }
    }

    fn leads_to(&self, address: Term) -> bool {
        let is_own = |symbol: &SymId| match self.heap.kind(*symbol) {
            Some(SymbolKind::Address(block)) => block.index() >= self.heap.world.statics.len(),
            Some(SymbolKind::Forgotten(_)) => true,
            _ => false,
        };
        let symbols = self.heap.terms().symbols_of(address);
        symbols.iter().any(|symbol| self.symbols.contains(symbol)) || !symbols.iter().any(is_own)
    }
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
