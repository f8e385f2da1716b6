//! What a function and its callers share at a call, as the frame rule ([`crate::frame`]) needs it, and calls that are split so.
//!
//! The local part is the function's frame and every block that chains of pointers from its arguments and from the globals it
//! names lead to, forwards and backwards. Shared is what both parts speak of: addresses of local blocks that the rest holds (*cut points*)
//! and numbers. So are addresses of the rest's blocks that the function only *carries*; their blocks stay with the caller.
//!
//! Source: local heaps and cut points are those of Rinetzky, Bauer, Reps, Sagiv and Wilhelm (POPL'05).

use std::rc::Rc;

use imbl::Vector;
use rustc_hash::{FxHashMap, FxHashSet};

use super::opaque::Carrier;
use super::parts::{Callers, Local, generalise, is_number};
use super::plans::{Calls, Plan};
use crate::cfa::Reg;
use crate::frame::{Called, Rest, Sharing, is_variable};
use crate::heap::{Smg, State, values};
use crate::memory::{BlockId, Checks, Memory, find_leak};
use crate::smt::{SymId, Term};

/// Why a call is not split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsplit {
    /// Leaks could not be decided from inside: the function has to be followed within its caller.
    Untracked,
    /// Too many addresses are shared.
    TooManyShared,
    /// The frame rule does not apply.
    Refused(&'static str),
}

/// Addresses the two parts of a state may share: recursion that needs one more for each activation would never end.
const MOST_SHARED: usize = 12;

/// A state cut in two.
struct Cut {
    /// The function's part, with names for what is shared.
    memory: Smg,
    /// By new symbol: the caller's value it stands for.
    named: FxHashMap<SymId, Term>,
    /// Those of them that stand for addresses which are only carried.
    carried: FxHashSet<SymId>,
    shared: Vec<SymId>,
}

impl Cut {
    /// In the order of the outside frame's registers.
    fn sharings(&self) -> Vec<Sharing> {
        let terms = &self.memory.context().terms;
        let value = |symbol: &SymId| self.named.get(symbol).copied().unwrap_or(terms.symbol_info(*symbol).term);
        let sharing = |symbol| Sharing { value: value(symbol), is_opaque: self.carried.contains(symbol) };
        self.shared.iter().map(sharing).collect()
    }
}

impl Calls {
    /// Splits a state that has just entered a function. Of numbers the entry knows bounds, and what is said of local ones alone, so that
    /// calls are alike.
    ///
    /// # Errors
    /// Why the function has to be followed within its caller.
    pub fn split(&self, checks: &Checks, plan: &Plan, state: State) -> Result<(State, Rest), Unsplit> {
        let mut state = state;
        self.forget_unread(checks, &mut state);
        let shared = self.cut(checks, plan, state.clone())?.sharings();
        let history = state.memory.history.clone();
        let called = Called { program: self.program(), outside: plan.outside, named: &plan.globals };
        let (mut entry, mut rest) = called.split(checks, &state, &shared).map_err(Unsplit::Refused)?;
        rest.state.memory.history = history;
        let names = entry.frames[0].regs.iter().skip(1).flatten().copied();
        let named: Vec<(Term, Term)> = names.zip(shared.iter().map(|shared| shared.value)).collect();
        for (name, value) in named {
            if name != value && is_number_of(&entry.memory, value) {
                entry.memory.bound_like(name, value);
            }
        }
        weaken(&mut entry);
        Ok((entry, rest))
    }

    /// Where a state that has just entered a function, and of which nothing unread is left, is cut in two.
    fn cut(&self, checks: &Checks, plan: &Plan, state: State) -> Result<Cut, Unsplit> {
        let context = state.memory.context().clone();
        let mut caller = state;
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
        let rest = Callers::new(&caller, &local);
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
        Ok(Cut { memory, named, carried, shared })
    }

    /// What the two parts of a state that has just entered a function share, in the order of the outside frame's registers.
    /// `None`: the function has to be followed within its caller.
    pub fn shared(&self, checks: &Checks, state: &State) -> Option<Vec<Sharing>> {
        let plan = self.plan_of(state.top().function)?;
        let mut state = state.clone();
        self.forget_unread(checks, &mut state);
        self.cut(checks, plan, state).ok().map(|cut| cut.sharings())
    }

    /// Drops what callers hold and never read again, where something else keeps its blocks tracked: recursion would pile it
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

fn is_number_of(memory: &Smg, value: Term) -> bool {
    let context = memory.context();
    context.terms.symbols_of(value).iter().all(|symbol| is_number(context, *symbol))
}

/// Constraints that speak of other values than those of the entry are replaced by bounds of its numbers.
fn weaken(entry: &mut State) {
    let context = entry.memory.context().clone();
    let terms = &context.terms;
    let mut seen: FxHashSet<SymId> = FxHashSet::default();
    for value in values(entry) {
        seen.extend(terms.symbols_of(value).iter().copied());
    }
    for object in entry.memory.objects.values() {
        seen.extend(terms.symbols_of(object.address).iter().copied());
        object.each_symbol(terms, &mut |symbol| _ = seen.insert(symbol));
    }
    let is_local = |constraint: Term| terms.symbols_of(constraint).iter().all(|symbol| seen.contains(symbol));
    let dropped = entry.memory.store.constraints().iter().filter(|constraint| !is_local(**constraint));
    let symbols = dropped.flat_map(|constraint| terms.symbols_of(*constraint).to_vec());
    let mut bounded: Vec<SymId> =
        symbols.filter(|symbol| seen.contains(symbol) && is_number(&context, *symbol)).collect();
    bounded.sort_unstable();
    bounded.dedup();
    let before = entry.memory.clone();
    entry.memory.weaken(&is_local);
    for symbol in bounded {
        let number = terms.symbol_info(symbol).term;
        let (unsigned, signed) = (before.store.range(&context, number), before.store.signed_range(&context, number));
        entry.memory.assume_bounds(number, unsigned, signed);
    }
}

impl Smg {
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
}
