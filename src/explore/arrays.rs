//! Numbers in arrays, which loops fill cell by cell: a few are kept, then all are forgotten.

use super::limits::ARRAY_BYTES;
use crate::heap::{Cell, Edge, Object, Smg};
use crate::memory::{BlockId, BlockKind};

impl Smg {
    /// Whether loops may fill the object cell by cell.
    pub(super) fn is_array(&self, object: &Object) -> bool {
        self.context.terms.as_const(object.size).is_none_or(|size| size >= ARRAY_BYTES)
    }

    /// Forgets the numbers in arrays of which more than `most` are known: over-approximates, as any number may be there.
    pub(super) fn forget_array_numbers(&mut self, most: usize) {
        let context = self.context.clone();
        let terms = &context.terms;
        let is_pointer = |memory: &Smg, edge: &Edge| match edge.cell {
            Cell::Value(value) => terms.symbols_of(value).iter().any(|symbol| memory.points_to.contains_key(symbol)),
            Cell::Uniform(_) | Cell::Forgotten => false,
        };
        let is_full = |memory: &Smg, object: &Object| {
            // Single cells of an array of any length are rarely what matters.
            let most = if terms.as_const(object.size).is_none() { most.min(1) } else { most };
            let numbers = object.content.edges().iter().filter(|edge| !is_pointer(memory, edge)).count();
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
}
