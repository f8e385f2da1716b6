//! Numbers in arrays, which loops fill cell by cell: a few are kept, then all are forgotten.

use rustc_hash::FxHashSet;

use super::limits::{ARRAY_BYTES, MOST_KNOWN_CELLS};
use crate::heap::{Cell, Edge, FarEdge, Object, Smg};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{SymId, Term};

impl Smg {
    /// Whether loops may fill the object cell by cell.
    pub(super) fn is_array(&self, object: &Object) -> bool {
        self.context.terms.as_const(object.size).is_none_or(|size| size >= ARRAY_BYTES)
    }

    /// Forgets the numbers in arrays of which more than `most` are known: over-approximates, as any number may be there. In
    /// arrays of any length only numbers count that something beside arrays speaks of, such as `roots`.
    pub(super) fn forget_array_numbers(&mut self, most: usize, roots: &[Term]) {
        let context = self.context.clone();
        let terms = &context.terms;
        let sizes = self.objects.values().map(|object| object.size);
        let told: FxHashSet<SymId> =
            sizes.chain(roots.iter().copied()).flat_map(|term| terms.symbols_of(term).to_vec()).collect();
        let is_untold = |edge: &Edge| match edge.cell {
            Cell::Value(value) => terms.symbols_of(value).iter().any(|symbol| !told.contains(symbol)),
            Cell::Uniform(_) | Cell::Forgotten => false,
        };
        let is_pointer = |memory: &Smg, edge: &Edge| match edge.cell {
            Cell::Value(value) => terms.symbols_of(value).iter().any(|symbol| memory.points_to.contains_key(symbol)),
            Cell::Uniform(_) | Cell::Forgotten => false,
        };
        let is_full = |memory: &Smg, object: &Object| {
            let numbers = || object.content.edges().iter().filter(|edge| !is_pointer(memory, edge));
            // Single cells of an array of any length are rarely what matters.
            let is_any_length = terms.as_const(object.size).is_none();
            let most = match is_any_length {
                true if numbers().any(is_untold) => 0,
                true => most.min(1),
                false => most,
            };
            let numbers = numbers().count();
            let fixed = matches!(object.kind, BlockKind::Literal);
            memory.is_array(object)
                && !fixed
                && object.valid
                && object.is_region()
                && (numbers > most || (numbers > 0 && object.content.is_blurred()))
        };
        let full: Vec<BlockId> =
            self.objects.iter().filter(|(_, object)| is_full(self, object)).map(|(block, _)| *block).collect();
        for block in full {
            let pointers: Vec<u64> = self
                .object(block)
                .map(|object| {
                    object
                        .content
                        .edges()
                        .iter()
                        .filter(|edge| is_pointer(self, edge))
                        .map(|edge| edge.offset)
                        .collect()
                })
                .unwrap_or_default();
            if let Some(object) = self.object_mut(block) {
                object.content.forget(&|edge| pointers.contains(&edge.offset));
            }
        }
    }

    /// Forgets cells at offsets that are no numbers beyond the oldest few of each array, constants before others: a loop that
    /// writes from the end of an array to its start would leave ever more of them behind.
    pub(super) fn forget_far_numbers(&mut self) {
        let terms = &self.context.clone().terms;
        let blocks: Vec<BlockId> = self.objects.keys().copied().collect();
        for block in blocks {
            let far = self.far_edges(block);
            if far.len() <= MOST_KNOWN_CELLS {
                continue;
            }
            let is_constant = |edge: &FarEdge| terms.as_const(edge.value).is_some();
            let mut order: Vec<usize> = (0..far.len()).collect();
            order.sort_by_key(|index| (!is_constant(&far[*index]), *index));
            order.truncate(MOST_KNOWN_CELLS);
            let kept = far.iter().enumerate().filter(|(index, _)| order.contains(index));
            self.set_far_edges(block, kept.map(|(_, edge)| *edge).collect());
        }
    }
}
