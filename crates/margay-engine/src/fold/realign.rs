//! Blocks of one kind count as aligned as well as the least aligned of them: a node that may have been absent has an address which is
//! less aligned than that of a fresh one, and both are nodes of one list.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::heap::{Object, State, SymbolKind, substituted};
use crate::memory::{BlockId, Site};
use crate::smt::{SymId, Term};

/// Over-approximates: less is known of where blocks stand.
pub fn realign(state: &mut State) {
    let context = state.memory.context().clone();
    let terms = &context.terms;
    let aligned = |object: &Object| {
        let symbol = terms.as_symbol(object.address)?;
        Some((symbol, terms.symbol_info(symbol)))
    };
    let blocks = || state.memory.objects.iter().filter(|(block, _)| state.memory.is_live_heap(**block));
    let mut least: FxHashMap<(Site, Term), u32> = FxHashMap::default();
    for (_, object) in blocks() {
        let Some((_, info)) = aligned(object) else { continue };
        let known = least.entry((object.origin.site, object.size)).or_insert(info.alignment);
        *known = info.alignment.min(*known);
    }
    let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
    let mut nodes: FxHashMap<BlockId, u32> = FxHashMap::default();
    for (&block, object) in blocks() {
        let Some((symbol, info)) = aligned(object) else { continue };
        let least = least.get(&(object.origin.site, object.size)).filter(|least| **least < info.alignment);
        by.extend(least.map(|least| (symbol, context.symbol(SymbolKind::Address(block), info.width, *least))));
        nodes.extend(least.map(|least| (block, *least)));
    }
    if by.is_empty() {
        return;
    }
    let memory = &mut state.memory;
    let changed: Vec<BlockId> = memory.objects.keys().copied().collect();
    for block in changed {
        if let Some(object) = memory.objects.get(&block) {
            let mut own = substituted(&context, object, &by);
            own.address = terms.substitute(own.address, &by);
            if let Some(least) = nodes.get(&block) {
                own = own.with_nodes_aligned(&context, *least);
            }
            memory.objects.insert(block, Rc::new(own));
        }
    }
    for (symbol, address) in &by {
        if let (Some(block), Some(address)) = (memory.points_to.remove(symbol), terms.as_symbol(*address)) {
            memory.points_to.insert(address, block);
        }
    }
    let constraints: Vec<Term> =
        memory.store.constraints().iter().map(|constraint| terms.substitute(*constraint, &by)).collect();
    memory.know(&constraints);
    for frame in &mut state.frames {
        for value in Rc::make_mut(frame).regs.iter_mut().flatten() {
            *value = terms.substitute(*value, &by);
        }
    }
}
