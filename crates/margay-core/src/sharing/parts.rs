//! What a function may touch of its caller's state, what is the rest, and what both speak of.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::heap::{Context, Smg, State, SymbolKind};
use crate::memory::{BlockId, Frame};
use crate::smt::{SymId, Term};

/// Gives arguments that are computed from the caller's numbers names of their own, so that calls with `n - 1` and with `n`
/// look the same from inside. By new symbol: what it stands for.
pub(super) fn generalise(memory: &mut Smg, caller: &State, callee: &mut Frame<Term>) -> FxHashMap<SymId, Term> {
    let context = memory.context().clone();
    let terms = &context.terms;
    let mut callers: FxHashSet<SymId> = FxHashSet::default();
    for value in caller.frames.iter().flat_map(|frame| frame.regs.iter().flatten()) {
        callers.extend(terms.symbols_of(*value).iter().copied());
    }
    // Also those that callers know something of besides.
    let related = memory.store.constraints().iter().map(|constraint| terms.symbols_of(*constraint));
    let related: Vec<_> = related.filter(|symbols| symbols.iter().any(|symbol| callers.contains(symbol))).collect();
    callers.extend(related.iter().flat_map(|symbols| symbols.iter().copied()));
    let mut named = FxHashMap::default();
    for reg in &mut callee.regs {
        let Some(value) = *reg else { continue };
        let symbols = terms.symbols_of(value);
        let is_number = symbols.iter().all(|symbol| is_number(&context, *symbol));
        let is_shared = symbols.iter().any(|symbol| callers.contains(symbol));
        if terms.as_symbol(value).is_some() || !is_number || !is_shared {
            continue;
        }
        let name = memory.forgotten_aligned(terms.width(value), terms.trailing_zeros(value));
        if let Some(symbol) = terms.as_symbol(name) {
            memory.bound_like(name, value);
            memory.store.assume(&context, terms.eq(name, value));
            named.insert(symbol, value);
            *reg = Some(name);
        }
    }
    named
}

pub(super) fn is_number(context: &Context, symbol: SymId) -> bool {
    const INPUT: u8 = SymbolKind::Input(0).class();
    const FORGOTTEN: u8 = SymbolKind::Forgotten(0).class();
    context.kind(symbol).is_some_and(|kind| [INPUT, FORGOTTEN].contains(&kind.class()))
}

/// The part of a state that a function may touch.
pub(super) struct Local {
    pub blocks: BTreeSet<BlockId>,
    /// In the order in which a walk from the function's registers meets them, which is the same for all callers.
    pub symbols: Vec<SymId>,
    pub seen: FxHashSet<SymId>,
}

impl Local {
    pub fn new(memory: &Smg, callee: &Frame<Term>, globals: &[BlockId], named: &[bool]) -> Self {
        let mut local = Self { blocks: BTreeSet::new(), symbols: Vec::new(), seen: FxHashSet::default() };
        let mut work = VecDeque::new();
        for value in callee.regs.iter().flatten() {
            local.visit(memory, *value, &mut work);
        }
        for block in callee.slots.iter().flatten().chain(&callee.allocas) {
            local.add(*block, &mut work);
        }
        for (block, _) in globals.iter().zip(named).filter(|(_, named)| **named) {
            local.add(*block, &mut work);
        }
        while let Some(block) = work.pop_front() {
            let Some(object) = memory.object(block) else { continue };
            local.visit(memory, object.address, &mut work);
            object.each_term(&mut |term| local.visit(memory, term, &mut work));
            object.each_tied(&mut |block| local.add(block, &mut work));
        }
        local
    }

    fn visit(&mut self, memory: &Smg, term: Term, work: &mut VecDeque<BlockId>) {
        for &symbol in memory.context().terms.symbols_of(term).iter() {
            if self.seen.insert(symbol) {
                self.symbols.push(symbol);
                if let Some(block) = memory.points_to.get(&symbol) {
                    self.add(*block, work);
                }
            }
        }
    }

    fn add(&mut self, block: BlockId, work: &mut VecDeque<BlockId>) {
        if self.blocks.insert(block) {
            work.push_back(block);
        }
    }
}

/// What the rest of a state speaks of.
pub(super) struct Callers {
    pub symbols: FxHashSet<SymId>,
    /// Addresses of globals, which are the same in every state.
    pub globals: FxHashSet<SymId>,
}

impl Callers {
    pub fn new(caller: &State, local: &Local) -> Self {
        let memory = &caller.memory;
        let terms = &memory.context().terms;
        let mut symbols: FxHashSet<SymId> = FxHashSet::default();
        for value in caller.frames.iter().flat_map(|frame| frame.regs.iter().flatten()) {
            symbols.extend(terms.symbols_of(*value).iter().copied());
        }
        let slots = caller.frames.iter().flat_map(|frame| frame.slots.iter().flatten().chain(&frame.allocas));
        for object in slots.filter_map(|block| memory.object(*block)) {
            symbols.extend(terms.symbols_of(object.address).iter().copied());
        }
        for (_, object) in memory.objects.iter().filter(|(block, _)| !local.blocks.contains(block)) {
            symbols.extend(terms.symbols_of(object.address).iter().copied());
            object.each_symbol(terms, &mut |symbol| _ = symbols.insert(symbol));
        }
        // Numbers of the local part that are compared with such of the rest, so that the comparison is not lost.
        let mut related = Vec::new();
        for constraint in memory.store.constraints() {
            let speaks_of = terms.symbols_of(*constraint);
            let is_mixed = speaks_of.iter().any(|symbol| symbols.contains(symbol) && !local.seen.contains(symbol));
            if is_mixed {
                let numbers = speaks_of.iter().filter(|symbol| !memory.points_to.contains_key(*symbol));
                related.extend(numbers.copied());
            }
        }
        symbols.extend(related);
        let addresses = caller.globals.iter().filter_map(|block| memory.object(*block));
        let globals = addresses.filter_map(|object| terms.as_symbol(object.address)).collect();
        Self { symbols, globals }
    }
}
