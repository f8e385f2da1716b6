//! From the names of an exit to names of the caller's.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::parts::is_variable;
use crate::heap::{Object, Smg, SymbolKind, substituted};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// From the names of an exit to names that are new in the caller's state.
pub(super) struct Renaming<'a> {
    exit: &'a Smg,
    pub symbols: FxHashMap<SymId, Term>,
    pub blocks: BTreeMap<BlockId, BlockId>,
    /// Those of the caller's new blocks that it never had.
    fresh: BTreeSet<BlockId>,
    /// Those of the exit's blocks that stand for what the caller has itself.
    pub kept_back: BTreeSet<BlockId>,
}

impl<'a> Renaming<'a> {
    /// Globals keep their names.
    pub fn new(exit: &'a Smg, globals: &[BlockId], caller: &Smg) -> Self {
        let mut renaming = Self {
            exit,
            symbols: FxHashMap::default(),
            blocks: BTreeMap::new(),
            fresh: BTreeSet::new(),
            kept_back: globals.iter().copied().filter(|block| caller.object(*block).is_some()).collect(),
        };
        for block in globals {
            let Some(object) = exit.object(*block) else { continue };
            renaming.blocks.insert(*block, *block);
            if let Some(symbol) = exit.context().terms.as_symbol(object.address) {
                renaming.symbols.insert(symbol, object.address);
            }
        }
        renaming
    }

    /// The exit's blocks that the caller gets.
    fn all_blocks(&self) -> Vec<(BlockId, Rc<Object>)> {
        let objects = self.exit.objects.iter().filter(|(block, _)| !self.kept_back.contains(block));
        objects.map(|(block, object)| (*block, object.clone())).collect()
    }

    /// New names for blocks that are not shared.
    pub fn blocks_apart(&mut self, memory: &mut Smg) {
        let context = memory.context().clone();
        for (block, object) in self.all_blocks() {
            if self.blocks.contains_key(&block) {
                continue;
            }
            let Some(symbol) = context.terms.as_symbol(object.address) else { continue };
            let (fresh, address) = memory.fresh_address(symbol);
            self.blocks.insert(block, fresh);
            self.fresh.insert(fresh);
            self.symbols.insert(symbol, address);
        }
    }

    /// Puts the exit's blocks into the caller's memory.
    pub fn objects(&mut self, memory: &mut Smg) {
        let context = memory.context().clone();
        for (block, object) in self.all_blocks() {
            let mut found = vec![object.address];
            object.each_term(&mut |term| found.push(term));
            for term in found {
                self.name(memory, term);
            }
            let own = |block: BlockId| self.blocks.get(&block).copied().unwrap_or(block);
            let object = substituted(&context, &object, &self.symbols).map_blocks(&own);
            let block = own(block);
            if let Some(symbol) = context.terms.as_symbol(object.address) {
                if self.fresh.contains(&block) {
                    memory.store.place_object(&context, symbol, object.size);
                }
                memory.points_to.insert(symbol, block);
            }
            memory.objects.insert(block, Rc::new(object));
        }
        let nothing: Vec<BlockId> =
            memory.objects.keys().copied().filter(|block| memory.may_be_nothing(*block)).collect();
        nothing.into_iter().for_each(|block| memory.place_ends(block));
    }

    pub fn term(&mut self, memory: &mut Smg, term: Term) -> Term {
        self.name(memory, term);
        self.exit.context().terms.substitute(term, &self.symbols)
    }

    /// New names for symbols that are not shared.
    fn name(&mut self, memory: &mut Smg, term: Term) {
        let context = memory.context().clone();
        for &symbol in context.terms.symbols_of(term).iter() {
            if self.symbols.contains_key(&symbol) || !is_variable(&context, symbol) {
                continue;
            }
            let info = context.terms.symbol_info(symbol);
            let kind = context.kind(symbol);
            let fresh = match kind {
                // Of a block that is gone.
                Some(SymbolKind::Address(_)) => memory.fresh_address(symbol).1,
                Some(kind) if kind.is_external() => {
                    let n = memory.next_input;
                    memory.next_input += 1;
                    context.symbol(SymbolKind::External(n), info.width, info.alignment)
                }
                _ => memory.forgotten_aligned(info.width, info.alignment),
            };
            self.symbols.insert(symbol, fresh);
        }
    }
}

impl Smg {
    /// A block nobody has met in this state, and an address for it like `symbol`.
    fn fresh_address(&mut self, symbol: SymId) -> (BlockId, Term) {
        let block = BlockId(self.next_block);
        self.next_block += 1;
        let info = self.context.terms.symbol_info(symbol);
        (block, self.context.symbol(SymbolKind::Address(block), info.width, info.alignment))
    }
}
