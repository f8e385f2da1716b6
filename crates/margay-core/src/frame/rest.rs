//! What stays with the caller at a call, and new names in its memory (see [`super::split`]).

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::caller_stubs::Sharing;
use crate::cfa::Reg;
use crate::heap::{Smg, State, Store, SymbolKind, substituted};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// What stays with the caller.
pub struct Rest {
    /// Without the blocks that were handed over.
    pub state: State,
    /// The caller's memory before the call, for the names of what was handed over.
    pub whole: Smg,
    /// What the registers of the outside frame stand for, behind that of the result.
    pub shared: Vec<Sharing>,
    /// The last register of the outside frame holds the block that stands in for the rest's heap.
    pub has_stand_in: bool,
    /// The register that receives the result.
    pub result: Option<Reg>,
}

impl Rest {
    /// What the rest knows of the first content of blocks that were handed over gets other names.
    pub(super) fn rename_first_content(&mut self, local: &BTreeSet<BlockId>) {
        let context = self.whole.context().clone();
        let terms = &context.terms;
        let mut found: BTreeSet<SymId> = BTreeSet::new();
        let mut look = |term: Term| {
            let is_first = |symbol: &&SymId| match context.kind(**symbol) {
                Some(SymbolKind::Content { block, .. } | SymbolKind::ExternalContent { block, .. }) => {
                    local.contains(&block)
                }
                _ => false,
            };
            found.extend(terms.symbols_of(term).iter().filter(is_first));
        };
        self.state.frames.iter().flat_map(|frame| frame.regs.iter().flatten()).for_each(|value| look(*value));
        self.shared.iter().for_each(|shared| look(shared.value));
        self.state.memory.objects.values().for_each(|object| object.each_term(&mut look));
        self.state.memory.store.constraints().iter().for_each(|constraint| look(*constraint));
        if found.is_empty() {
            return;
        }
        let memory = &mut self.state.memory;
        let by: FxHashMap<SymId, Term> = found.into_iter().map(|symbol| (symbol, new_name(memory, symbol))).collect();
        let renamed = |term: &Term| terms.substitute(*term, &by);
        memory.objects = memory
            .objects
            .iter()
            .map(|(block, object)| (*block, Rc::new(substituted(&context, object, &by))))
            .collect();
        let places = self.whole.placed().into_iter().map(|(symbol, size)| (symbol, renamed(&size))).collect::<Vec<_>>();
        let constraints: Vec<Term> = memory.store.constraints().iter().map(renamed).collect();
        memory.store = Store::of(&context, &places, &constraints);
        self.shared.iter_mut().for_each(|shared| shared.value = renamed(&shared.value));
        for frame in &mut self.state.frames {
            Rc::make_mut(frame).regs.iter_mut().flatten().for_each(|value| *value = renamed(value));
        }
    }
}

/// A symbol that `memory` does not know yet, for a value like that of `symbol`.
pub(super) fn new_name(memory: &mut Smg, symbol: SymId) -> Term {
    let context = memory.context().clone();
    let info = context.terms.symbol_info(symbol);
    match context.kind(symbol) {
        Some(SymbolKind::Address(_)) => new_address(memory, symbol).1,
        Some(kind) if kind.is_external() => {
            memory.next_input += 1;
            context.symbol(SymbolKind::External(memory.next_input - 1), info.width, info.alignment)
        }
        _ => memory.forgotten_aligned(info.width, info.alignment),
    }
}

/// A block that `memory` never had, and an address for it like `symbol`.
pub(super) fn new_address(memory: &mut Smg, symbol: SymId) -> (BlockId, Term) {
    let context = memory.context().clone();
    let info = context.terms.symbol_info(symbol);
    let block = BlockId(memory.next_block);
    memory.next_block += 1;
    (block, context.symbol(SymbolKind::Address(block), info.width, info.alignment))
}
