//! Calls with a frame: what a function may touch is split from the rest of its caller's state, and put together with it again
//! when the function returns.
//!
//! ```text
//!   caller's state  ──split──▶  local part  ──(followed once)──▶  exit  ──combine──▶  caller's state after the call
//!                   └─────────▶ the rest, kept back ────────────────────────┘
//! ```
//! The local part is the function's frame and every block that chains of pointers from its arguments and from the globals it
//! names lead to, forwards and backwards. Whatever both parts speak of — addresses of local blocks the rest holds (*cutpoints*)
//! and numbers — stands in the registers of an *outside* frame below the function's own. As registers they are roots like any
//! other: nothing that leaks, folds or compares states has to know of them.
//!
//! Source: local heaps and cutpoints are those of Rinetzky, Bauer, Reps, Sagiv and Wilhelm (POPL'05).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use imbl::{OrdMap, Vector};
use rustc_hash::{FxHashMap, FxHashSet};

use super::callgraph::{Calls, OUTSIDE_RESULT, Plan};
use crate::cfa::{Conversion, Reg};
use crate::heap::{Content, Context, Object, Smg, State, SymbolKind, substituted};
use crate::memory::{BlockId, BlockKind, BlockSpec, Checks, Frame, Memory, Origin, find_leak, forget_dead};
use crate::smt::{SymId, Term};

/// What a caller keeps back while a function is followed on its own.
pub struct Caller {
    /// Where it goes on, without the blocks handed over.
    state: State,
    /// What the outside frame's further registers stand for, by position.
    shared: Vec<Shared>,
    /// The last register holds the address of a block that stands for the caller's own heap.
    has_heap: bool,
    /// The register that receives the result.
    result: Option<Reg>,
}

/// A value that both parts speak of, in the caller's terms.
#[derive(Clone, Copy, Debug)]
struct Shared {
    value: Term,
    /// The block of which it is the address.
    block: Option<BlockId>,
}

/// Why a call is not split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unsplit {
    /// Leaks could not be told from inside: the function has to be followed within its caller.
    Untracked,
    /// Too many addresses are shared.
    TooManyShared,
}

/// Addresses the two parts of a state may share: recursion that needs one more for each activation would never end.
const MOST_SHARED: usize = 12;

impl Calls {
    /// Splits a state that has just entered a function.
    pub(crate) fn split(&self, checks: &Checks, plan: &Plan, state: State) -> Result<(State, Caller), Unsplit> {
        let context = state.memory.context().clone();
        let mut caller = state;
        self.forget_unread(checks, &mut caller);
        let mut callee = match caller.frames.pop() {
            Some(frame) => Rc::unwrap_or_clone(frame),
            None => return Err(Unsplit::Untracked),
        };
        let mut memory = caller.memory.clone();
        memory.history = Vector::new();
        let named = generalise(&mut memory, &caller, &mut callee);
        let local = Local::new(&memory, &callee, &caller.globals, &plan.globals);
        let rest = Rest::new(&caller, &local);
        let is_own = |symbol: &SymId| !rest.globals.contains(symbol) && is_variable(&context, *symbol);
        let shared: Vec<SymId> = local
            .symbols
            .iter()
            .filter(|symbol| is_own(symbol) && (rest.symbols.contains(symbol) || named.contains_key(symbol)))
            .copied()
            .collect();
        let addresses: Vec<BlockId> =
            shared.iter().filter_map(|symbol| memory.points_to.get(symbol).copied()).collect();
        if addresses.len() > MOST_SHARED {
            return Err(Unsplit::TooManyShared);
        }
        if checks.memtrack {
            let mut roots = caller.frames.iter().flat_map(|frame| frame.regs.iter().flatten());
            let held = memory.held(&mut roots, &local.blocks);
            let untracked = |block: &BlockId| memory.is_live_heap(*block) && !held.contains(block);
            if addresses.iter().any(untracked) {
                return Err(Unsplit::Untracked);
            }
        }

        let heap = |memory: &Smg| memory.objects.values().any(|object| object.valid && object.kind == BlockKind::Heap);
        for block in &local.blocks {
            caller.memory.remove_object(*block);
        }
        memory.restrict_to(&local, &caller.globals);
        let has_heap = checks.memcleanup && heap(&caller.memory);
        let stand_in = has_heap.then(|| memory.stand_in_for_heap());
        let values = shared.iter().map(|symbol| context.terms.symbol_info(*symbol).term);
        let mut outside = Frame::new(self.program(), plan.outside, None, crate::base::span::Span::default());
        outside.regs.extend(values.clone().map(Some).chain(stand_in.map(Some)));
        let shared = shared
            .iter()
            .zip(values)
            .map(|(symbol, value)| Shared {
                value: named.get(symbol).copied().unwrap_or(value),
                block: memory.points_to.get(symbol).copied(),
            })
            .collect();
        let result = callee.result;
        let has_result = self.program().function(callee.function).result_width.is_some();
        callee.result = has_result.then_some(OUTSIDE_RESULT);
        callee.call = crate::base::span::Span::default();
        let globals = caller.globals.clone();
        let entry = State { memory, frames: vec![Rc::new(outside), Rc::new(callee)], globals };
        Ok((entry, Caller { state: caller, shared, has_heap, result }))
    }

    /// Drops what callers hold and nobody reads any more, where something else keeps its blocks tracked: recursion would pile it
    /// up. What it points to may count as lost too early later: an alarm, never a missed one.
    pub(crate) fn forget_unread(&self, checks: &Checks, state: &mut State) {
        for index in 0..state.frames.len().saturating_sub(1) {
            let frame = &state.frames[index];
            if self.is_outside(frame.function) {
                continue;
            }
            let live = self.live_in(frame.function);
            // Where the result goes, the old value is lost anyway.
            let result = state.frames[index + 1].result;
            let is_unread = |reg: Reg| Some(reg) == result || !live.contains(frame.at, reg);
            let unread: Vec<Reg> = (0..frame.regs.len()).map(Reg::from_index).filter(|reg| is_unread(*reg)).collect();
            for reg in unread {
                let Some(value) = state.frames[index].regs[reg.index()] else { continue };
                Rc::make_mut(&mut state.frames[index]).regs[reg.index()] = None;
                let is_pointer = state.memory.may_hold_pointer(&value);
                if checks.memtrack && is_pointer && find_leak(state).is_some() {
                    Rc::make_mut(&mut state.frames[index]).regs[reg.index()] = Some(value);
                }
            }
        }
    }

    /// The caller's state after the function has ended in `exit`; `None` where the two contradict each other.
    ///
    /// # Errors
    /// The exit belongs to no entry that covers the caller's.
    pub(crate) fn combine(&self, caller: &Caller, exit: &State) -> Result<Option<State>, Rc<str>> {
        let outside = exit.top();
        if outside.regs.len() != 1 + caller.shared.len() + usize::from(caller.has_heap) {
            return Err("a function's exit does not fit its call".into());
        }
        let mut state = caller.state.clone();
        let context = state.memory.context().clone();
        let terms = &context.terms;
        let mut renaming = Renaming::new(&exit.memory, &exit.globals, &state.memory);
        if caller.has_heap {
            let address = outside.regs.last().copied().flatten();
            let block = address.and_then(|address| exit.memory.points_to.get(&terms.as_symbol(address)?).copied());
            renaming.kept_back.insert(block.ok_or("the caller's heap is lost")?);
        }
        let mut equal = Vec::new();
        for (shared, value) in caller.shared.iter().zip(&outside.regs[1..]) {
            let value = value.ok_or("a shared value is lost")?;
            match terms.as_symbol(value) {
                Some(symbol) if !renaming.symbols.contains_key(&symbol) => {
                    match (exit.memory.points_to.get(&symbol), shared.block) {
                        (Some(block), Some(own)) => renaming.blocks.insert(*block, own),
                        (None, None) => None,
                        _ => return Err("a shared address lost its block".into()),
                    };
                    renaming.symbols.insert(symbol, shared.value);
                }
                _ => equal.push((value, shared.value)),
            }
        }
        let tied: FxHashSet<SymId> = renaming.symbols.keys().copied().collect();
        renaming.blocks_apart(&mut state.memory);
        renaming.objects(&mut state.memory);
        let mut conditions = Vec::new();
        for &constraint in exit.memory.store.constraints() {
            let renamed = renaming.term(&mut state.memory, constraint);
            if terms.symbols_of(constraint).iter().any(|symbol| tied.contains(symbol)) {
                conditions.push(renamed);
            } else {
                state.memory.store.assume(&context, renamed);
            }
        }
        for (inside, outside) in equal {
            let inside = renaming.term(&mut state.memory, inside);
            conditions.push(terms.eq(inside, outside));
        }
        for condition in conditions {
            match state.memory.restrict(condition) {
                Some(memory) => state.memory = memory,
                None => return Ok(None),
            }
        }
        if let Some(dst) = caller.result {
            let width = self.program().function(state.top().function).regs[dst.index()].width;
            let value = outside.regs[OUTSIDE_RESULT.index()].map(|value| {
                let value = renaming.term(&mut state.memory, value);
                let shorter = terms.width(value) > width;
                let conversion = if shorter { Conversion::Truncate } else { Conversion::ZeroExtend };
                state.memory.convert(conversion, width, &value)
            });
            state.top_mut().regs[dst.index()] = value;
        }
        forget_dead(self.program(), &mut state);
        Ok(Some(state))
    }
}

/// Gives arguments that are computed from the caller's numbers names of their own, so that calls with `n - 1` and with `n`
/// look the same from inside. By new symbol: what it stands for.
fn generalise(memory: &mut Smg, caller: &State, callee: &mut Frame<Term>) -> FxHashMap<SymId, Term> {
    let context = memory.context().clone();
    let terms = &context.terms;
    let mut callers: FxHashSet<SymId> = FxHashSet::default();
    for value in caller.frames.iter().flat_map(|frame| frame.regs.iter().flatten()) {
        callers.extend(terms.symbols_of(*value).iter().copied());
    }
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

/// A symbol that stands for one value in a state and may stand for another one in another state.
fn is_variable(context: &Context, symbol: SymId) -> bool {
    !matches!(context.kind(symbol), None | Some(SymbolKind::Function(_) | SymbolKind::Bound { .. }))
}

fn is_number(context: &Context, symbol: SymId) -> bool {
    const INPUT: u8 = SymbolKind::Input(0).class();
    const FORGOTTEN: u8 = SymbolKind::Forgotten(0).class();
    context.kind(symbol).is_some_and(|kind| [INPUT, FORGOTTEN].contains(&kind.class()))
}

/// The part of a state that a function may touch.
struct Local {
    blocks: BTreeSet<BlockId>,
    /// In the order in which a walk from the function's registers meets them, which is the same for all callers.
    symbols: Vec<SymId>,
    seen: FxHashSet<SymId>,
}

impl Local {
    fn new(memory: &Smg, callee: &Frame<Term>, globals: &[BlockId], named: &[bool]) -> Self {
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
            object.form.each_tied(&mut |block| local.add(block, &mut work));
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
struct Rest {
    symbols: FxHashSet<SymId>,
    /// Addresses of globals, which are the same in every state.
    globals: FxHashSet<SymId>,
}

impl Rest {
    fn new(caller: &State, local: &Local) -> Self {
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
            object.each_term(&mut |term| symbols.extend(terms.symbols_of(term).iter().copied()));
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

impl Smg {
    /// Keeps what is local, and globals as objects of unknown content. Constraints that speak of other numbers too are
    /// replaced by bounds.
    fn restrict_to(&mut self, local: &Local, globals: &[BlockId]) {
        let context = self.context.clone();
        let terms = &context.terms;
        let before = self.clone();
        self.objects = before
            .objects
            .iter()
            .filter(|(block, _)| local.blocks.contains(block))
            .map(|(block, object)| (*block, object.clone()))
            .collect::<OrdMap<BlockId, Rc<Object>>>();
        for block in globals.iter().filter(|block| !local.blocks.contains(block)) {
            let Some(object) = before.object(*block) else { continue };
            let mut object = object.as_ref().clone();
            object.content = Content::new(false);
            object.content.forget(&|_| false);
            self.objects.insert(*block, Rc::new(object));
        }
        let points_to = before.points_to.iter().filter(|(_, block)| self.objects.contains_key(*block));
        self.points_to = points_to.map(|(symbol, block)| (*symbol, *block)).collect();
        let is_local = |constraint: Term| terms.symbols_of(constraint).iter().all(|symbol| local.seen.contains(symbol));
        self.weaken(&is_local);
        let dropped = before.store.constraints().iter().filter(|constraint| !is_local(**constraint));
        let mut bounded: BTreeSet<SymId> = BTreeSet::new();
        for constraint in dropped {
            let symbols = terms.symbols_of(*constraint);
            bounded
                .extend(symbols.iter().filter(|symbol| local.seen.contains(symbol) && is_number(&context, **symbol)));
        }
        for symbol in bounded {
            let number = terms.symbol_info(symbol).term;
            let (unsigned, signed) =
                (before.store.range(&context, number), before.store.signed_range(&context, number));
            self.assume_bounds(number, unsigned, signed);
        }
    }

    /// `name` has the bounds of `value`.
    fn bound_like(&mut self, name: Term, value: Term) {
        let context = self.context.clone();
        let (unsigned, signed) = (self.store.range(&context, value), self.store.signed_range(&context, value));
        self.assume_bounds(name, unsigned, signed);
    }

    fn assume_bounds(&mut self, number: Term, unsigned: (u128, u128), signed: (i128, i128)) {
        let context = self.context.clone();
        let terms = &context.terms;
        let width = terms.width(number);
        let bounds = [
            terms.ule(terms.constant(unsigned.0, width), number),
            terms.ule(number, terms.constant(unsigned.1, width)),
            terms.sle(terms.signed_constant(signed.0, width), number),
            terms.sle(number, terms.signed_constant(signed.1, width)),
        ];
        for bound in bounds {
            if self.store.decide(&context, bound).is_none() {
                self.store.assume(&context, bound);
            }
        }
    }

    /// The address of a live heap block that stands for all those the callers keep back: they count when the program ends in here.
    fn stand_in_for_heap(&mut self) -> Term {
        let size = self.context.pointer_constant(1);
        let origin = Origin::outside("heap block of a caller");
        let block = self.add_object(BlockSpec { kind: BlockKind::Heap, size, align: 1, zeroed: false, origin });
        self.block_address(block)
    }
}

/// From the names of an exit to names that are new in the caller's state.
struct Renaming<'a> {
    exit: &'a Smg,
    symbols: FxHashMap<SymId, Term>,
    blocks: BTreeMap<BlockId, BlockId>,
    /// Those of the caller's new blocks that it never had.
    fresh: BTreeSet<BlockId>,
    /// Those of the exit's blocks that stand for what the caller has itself.
    kept_back: BTreeSet<BlockId>,
}

impl<'a> Renaming<'a> {
    /// Globals keep their names.
    fn new(exit: &'a Smg, globals: &[BlockId], caller: &Smg) -> Self {
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
    fn blocks_apart(&mut self, memory: &mut Smg) {
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
    fn objects(&mut self, memory: &mut Smg) {
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
    }

    fn term(&mut self, memory: &mut Smg, term: Term) -> Term {
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
