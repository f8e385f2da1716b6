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
//! other: nothing that leaks, folds or compares states has to know of them. So do addresses of the rest's blocks that the function
//! only *carries*; their blocks stay with the caller.
//!
//! Nothing here is trusted: the proof checker splits and combines with code of its own.
//!
//! Source: local heaps and cutpoints are those of Rinetzky, Bauer, Reps, Sagiv and Wilhelm (POPL'05).

use std::collections::BTreeSet;
use std::rc::Rc;

use imbl::{OrdMap, Vector};
use rustc_hash::{FxHashMap, FxHashSet};

use super::caller_stubs::{STUB_RESULT, Sharing};
use super::callgraph::{Calls, Plan};
use super::opaque::Carrier;
use super::parts::{Local, Rest, generalise, is_number, is_variable};
use crate::cfa::Reg;
use crate::heap::{Content, Object, Smg, State};
use crate::memory::{BlockId, BlockKind, BlockSpec, Checks, Frame, Memory, Origin, find_leak};
use crate::smt::{SymId, Term};

/// What a caller keeps back while a function is followed on its own.
pub struct Caller {
    /// Where it goes on, without the blocks handed over.
    pub state: State,
    /// What the outside frame's further registers stand for, by position.
    pub shared: Vec<Shared>,
    /// The last register holds the address of a block that stands for the caller's own heap.
    pub has_heap: bool,
    /// The register that receives the result.
    pub result: Option<Reg>,
}

/// A value that both parts speak of, in the caller's terms.
#[derive(Clone, Copy, Debug)]
pub struct Shared {
    pub value: Term,
    /// The block of which it is the address.
    pub block: Option<BlockId>,
}

/// Why a call is not split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsplit {
    /// Leaks could not be told from inside: the function has to be followed within its caller.
    Untracked,
    /// Too many addresses are shared.
    TooManyShared,
}

/// Addresses the two parts of a state may share: recursion that needs one more for each activation would never end.
const MOST_SHARED: usize = 12;

/// A state cut in two, before anything is taken out of either part.
struct Cut {
    caller: State,
    callee: Frame<Term>,
    memory: Smg,
    local: Local,
    /// By new symbol: the caller's number it stands for.
    named: FxHashMap<SymId, Term>,
    /// Those of them that stand for addresses which are only carried.
    carried: FxHashSet<SymId>,
    shared: Vec<SymId>,
}

impl Calls {
    /// Splits a state that has just entered a function.
    pub fn split(&self, checks: &Checks, plan: &Plan, state: State) -> Result<(State, Caller), Unsplit> {
        let Cut { mut caller, mut callee, mut memory, local, named, shared, .. } = self.cut(checks, plan, state)?;
        let context = memory.context().clone();
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
        callee.result = has_result.then_some(STUB_RESULT);
        callee.call = crate::base::span::Span::default();
        let globals = caller.globals.clone();
        let entry = State { memory, frames: vec![Rc::new(outside), Rc::new(callee)], globals };
        Ok((entry, Caller { state: caller, shared, has_heap, result }))
    }

    /// Where a state that has just entered a function is cut in two.
    fn cut(&self, checks: &Checks, plan: &Plan, state: State) -> Result<Cut, Unsplit> {
        let context = state.memory.context().clone();
        let mut caller = state;
        self.forget_unread(checks, &mut caller);
        let mut callee = match caller.frames.pop() {
            Some(frame) => Rc::unwrap_or_clone(frame),
            None => return Err(Unsplit::Untracked),
        };
        let mut memory = caller.memory.clone();
        memory.history = Vector::new();
        let mut named = generalise(&mut memory, &caller, &mut callee);
        let mut carried = FxHashSet::default();
        if let Some(follows) = &plan.follows {
            let params = &self.program().function(callee.function).params;
            let (named_globals, tracks) = (&plan.globals, checks.memtrack);
            let carrier = Carrier { caller: &caller, params, named: named_globals, follows, tracks };
            let names = carrier.rename(&mut memory, &mut callee);
            carried.extend(names.keys().copied());
            named.extend(names);
        }
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
        if addresses.len() + carried.len() > MOST_SHARED {
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
        Ok(Cut { caller, callee, memory, local, named, carried, shared })
    }

    /// What the two parts of a state that has just entered a function share: in the order of the outside frame's registers.
    /// `None`: the function has to be followed within its caller.
    pub fn shared(&self, checks: &Checks, state: &State) -> Option<Vec<Sharing>> {
        let plan = self.plan_of(state.top().function)?;
        let cut = self.cut(checks, plan, state.clone()).ok()?;
        let terms = &cut.memory.context().terms;
        let value = |symbol: &SymId| cut.named.get(symbol).copied().unwrap_or(terms.symbol_info(*symbol).term);
        let sharing = |symbol| Sharing { value: value(symbol), is_opaque: cut.carried.contains(symbol) };
        Some(cut.shared.iter().map(sharing).collect())
    }

    /// Drops what callers hold and nobody reads any more, where something else keeps its blocks tracked: recursion would pile it
    /// up. What it points to may count as lost too early later: an alarm, never a missed one.
    pub fn forget_unread(&self, checks: &Checks, state: &mut State) {
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
    pub(super) fn bound_like(&mut self, name: Term, value: Term) {
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
