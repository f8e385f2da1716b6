//! One side of a join: what is the node's own.

use super::discover::exact_target;
use super::extract::nested;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::census::Census;
use crate::heap::{Smg, SymbolKind};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

pub(super) struct Side {
    pub node: BlockId,
    /// What hangs below the node only.
    pub nested: BTreeSet<BlockId>,
    /// Numbers that nothing but the node and what is below it speaks of.
    pub own_data: FxHashSet<SymId>,
    /// Symbols of this side and what stands for them in the result.
    pub to_result: FxHashMap<SymId, Term>,
    /// Blocks that went into the body of a nested segment.
    pub consumed: BTreeSet<BlockId>,
}

impl Side {
    pub fn new(memory: &Smg, census: &Census, node: BlockId, links: &[u64]) -> Self {
        let nested = nested(memory, census, node, links);
        let mut own_data = FxHashSet::default();
        let is_own = |block: BlockId| block == node || nested.contains(&block);
        for &block in nested.iter().chain([&node]) {
            let Some(object) = memory.object(block) else { continue };
            object.each_symbol(&memory.context.terms, &mut |symbol| {
                let is_number = matches!(
                    memory.context.kind(symbol),
                    Some(SymbolKind::Input(_) | SymbolKind::Content { .. } | SymbolKind::Forgotten(_))
                );
                if is_number && census.of(symbol).iter().all(|holder| holder.block().is_some_and(is_own)) {
                    own_data.insert(symbol);
                }
            });
        }
        Self { node, nested, own_data, to_result: FxHashMap::default(), consumed: BTreeSet::new() }
    }

    /// A whole state with this heap; what a number is called means the same in both states.
    pub fn whole(heap: BTreeSet<BlockId>) -> Self {
        Self {
            node: BlockId(u32::MAX),
            nested: heap,
            own_data: FxHashSet::default(),
            to_result: FxHashMap::default(),
            consumed: BTreeSet::new(),
        }
    }

    /// The node's own block with this address.
    pub fn own_block(&self, memory: &Smg, symbol: SymId) -> Option<BlockId> {
        memory.points_to.get(&symbol).copied().filter(|block| *block == self.node || self.nested.contains(block))
    }

    /// Whether `term` speaks of an address of the node's own.
    pub fn speaks(&self, memory: &Smg, term: Term) -> bool {
        memory.context.terms.symbols_of(term).iter().any(|symbol| self.own_block(memory, *symbol).is_some())
    }

    /// The node's own block that `term` points into, and how far.
    pub fn own_target(&self, memory: &Smg, term: Term) -> Option<(BlockId, u64)> {
        if memory.context.terms.width(term) != memory.context.model.pointer_bits() {
            return None;
        }
        exact_target(memory, term).filter(|(block, _)| *block == self.node || self.nested.contains(block))
    }
}
