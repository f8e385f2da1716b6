//! The frame rule at calls, for exploration and check alike.
//!
//! ```text
//!     state = local * rest        { entry } function { exit }        entry holds of local
//!     ─────────────────────────────────────────────────────────────────────────────────────
//!                        { state } call { exit[names] * rest }
//! ```
//! What is proposed is only *what the two parts share*: values of the caller, for the registers of the outside frame. All else
//! follows, and every proposal is sound, or is refused:
//! - **The parts make up the state.** The local part is the least set of blocks that is closed under what the function's frame,
//!   the proposed values and the globals that the function names lead to, through every symbol of every term (cells, links,
//!   bodies, sizes, cells at symbolic places) and from each end of a summary to the others. Each object is in one part, and no
//!   part has another one. Registers and constraints are divided by no choice: the frames below are the rest's; constraints,
//!   which are about values and not about memory, hold on both sides. Only then is something forgotten: the content of
//!   globals in the rest as seen from inside, and registers that hold what is not shared.
//! - **The function cannot touch the rest**: an operation reaches a block only by a value computed from its address, and every
//!   such value of the function's leads to local blocks.
//! - **Cut points** (addresses of local blocks that the rest holds) have to be among the proposed values: they are registers of
//!   the outside frame below the function's own, which no step changes. At the exit they still say what the caller's addresses
//!   are called inside, whatever the function did with the blocks. Globals keep their names instead.
//! - **Addresses that are only carried** (of blocks of the rest, at places that the function does not follow) are no values computed
//!   from an address, for the function: they get names for addresses that the analysis lost track of. An access
//!   through one ends the proof, whatever is asked, as every access does of which it is not known where it leads; so a function that is proved leaves the rest alone whatever they are, and at the
//!   exit they are the caller's addresses again. No block of theirs may be local.
//! - **Leaks.** Registers of the outside frame count as pointers that hold blocks. Where leaks are asked for, each cut point into
//!   the heap must therefore be held by the rest alone, by a chain through no local block: then it is, for as long as the
//!   function runs. The same is asked of blocks whose addresses are carried; other blocks of the rest are held by the rest alone
//!   anyway, because what local blocks lead to is local. Where blocks
//!   count at the end of the program, one block stands in for those of the rest: one of them, of which all but its life is
//!   forgotten. It is taken out again at the exit, where it has to be an object of its own.
//! - **What is shared is one thing**: no value that the two parts share speaks of an end of a list that may have no node (whose
//!   address is that of something else then), or of both ends of one that may have one node. The caller distinguishes the cases first.
//! - **The combination.** Symbols of the exit are names for values that exist, so each is given a new name in the caller's state, but
//!   for those that the outside frame ties to a value of the caller (the one-point rule). Bytes of a block that came back may be
//!   other ones than those of which the rest speaks as its first content, so the rest's are renamed.
//!
//! Source: local heaps and cut points are those of Rinetzky, Bauer, Reps, Sagiv and Wilhelm (POPL'05).

use std::collections::BTreeSet;
use std::rc::Rc;

use imbl::Vector;
use rustc_hash::{FxHashMap, FxHashSet};

use super::caller_stubs::{STUB_RESULT, Sharing};
use super::rest::Rest;
use crate::base::span::Span;
use crate::cfa::{FunctionId, Program};
use crate::heap::{Content, Object, Smg, State, substituted, well_formed_symbol};
use crate::memory::{BlockId, BlockKind, BlockSpec, Checks, Frame, Memory, Origin};
use crate::smt::{SymId, Term};

/// A call.
pub struct Called<'a> {
    /// With its outside functions.
    pub program: &'a Program,
    /// The outside function of what is called.
    pub outside: FunctionId,
    /// By global: whether the function, or what it calls, names it.
    pub named: &'a [bool],
}

impl Called<'_> {
    /// The entry of the function, and the rest, from a state that has just entered it; `shared` is what the two share.
    ///
    /// # Errors
    /// Why the frame rule does not apply.
    pub fn split(&self, checks: &Checks, state: &State, shared: &[Sharing]) -> Result<(State, Rest), &'static str> {
        let program = self.program;
        let values: Vec<Term> = shared.iter().map(|shared| shared.value).collect();
        if !state.memory.is_split(&values) {
            return Err("what is shared is an end of a list that may have no node, or one");
        }
        let mut state = state.clone();
        let context = state.memory.context().clone();
        let terms = &context.terms;
        state.memory.history = Vector::new();
        let symbols = values.iter().flat_map(|value| terms.symbols_of(*value).to_vec());
        if symbols.into_iter().any(|symbol| well_formed_symbol(program, &state.memory, symbol).is_err()) {
            return Err("what is shared is no value of the caller");
        }
        let mut callee = state.frames.pop().map(Rc::unwrap_or_clone).ok_or("no function is called")?;
        // A value that is no symbol gets a name: `name = value` only says what the name means.
        let mut names = Vec::new();
        let mut meanings = Vec::new();
        let mut carried = Carried::default();
        for &Sharing { value, is_opaque } in shared {
            if is_opaque {
                names.push(carried.name(&mut state, value)?);
                continue;
            }
            if terms.as_symbol(value).is_some() {
                names.push(value);
                continue;
            }
            let name = state.memory.forgotten_aligned(terms.width(value), terms.trailing_zeros(value));
            meanings.push(terms.eq(name, value));
            if let Some(own) = callee.regs.iter_mut().flatten().find(|own| **own == value) {
                *own = name;
            }
            names.push(name);
        }
        let whole = state.memory.clone();

        let named = state.globals.iter().zip(self.named).filter(|(_, named)| **named).map(|(block, _)| *block);
        let blocks = callee.slots.iter().flatten().chain(&callee.allocas).copied().chain(named).collect();
        // The values themselves too: a name hides where they lead.
        let values = callee.regs.iter().flatten().chain(&names).chain(&values).copied().collect();
        let local = reach(&whole, blocks, values, &carried);
        if carried.blocks(&whole).any(|block| local.contains(&block)) {
            return Err("what is only carried is handed over");
        }
        let cut_points: FxHashSet<SymId> = names.iter().filter_map(|name| terms.as_symbol(*name)).collect();
        let hidden = Hidden::new(&whole, &local, &state.globals, &cut_points);
        hidden.forget(&local, &mut state.frames)?;
        let is_live_heap = |object: &Rc<Object>| object.valid && object.kind == BlockKind::Heap;
        if checks.memtrack {
            let mut roots = state.frames.iter().flat_map(|frame| frame.regs.iter().flatten());
            let held = whole.held(&mut roots, &local);
            let cut_points = cut_points.iter().filter_map(|symbol| whole.points_to.get(symbol).copied());
            let mut shared = cut_points.chain(carried.blocks(&whole));
            if shared.any(|block| whole.object(block).is_some_and(is_live_heap) && !held.contains(&block)) {
                return Err("a shared block is not held by the callers");
            }
        }

        let mut entry = whole.clone();
        meanings.into_iter().for_each(|meaning| entry.store.assume(&context, meaning));
        for (&block, object) in &whole.objects {
            if local.contains(&block) {
                state.memory.remove_object(block);
                continue;
            }
            if hidden.is_in_object(object) {
                return Err("an address that is not shared is held by the callers");
            }
            if !state.globals.contains(&block) {
                entry.remove_object(block);
            } else if let Some(global) = entry.object_mut(block).filter(|object| object.is_region()) {
                global.content = Content::new(false);
                global.content.forget(&|_| false);
            } else {
                return Err("a global is part of a segment");
            }
        }
        carried.stay_behind(&mut entry, &mut callee, &local);
        let mut frame = Frame::new(program, self.outside, None, Span::default());
        frame.regs.extend(names.into_iter().map(Some));
        let has_stand_in = checks.memcleanup && state.memory.objects.values().any(is_live_heap);
        if has_stand_in {
            let (size, origin) = (context.pointer_constant(1), Origin::outside("heap block of a caller"));
            let block = entry.add_object(BlockSpec { kind: BlockKind::Heap, size, align: 1, zeroed: false, origin });
            frame.regs.push(Some(entry.block_address(block)));
        }
        let result = callee.result.take();
        callee.result = program.function(callee.function).result_width.map(|_| STUB_RESULT);
        callee.call = Span::default();
        let globals = state.globals.clone();
        let mut rest = Rest { state, whole, shared: shared.to_vec(), has_stand_in, result };
        rest.rename_first_content(&local);
        Ok((State { memory: entry, frames: vec![Rc::new(frame), Rc::new(callee)], globals }, rest))
    }
}

/// Addresses of local blocks that are not shared, so that nothing says at the exit what they are called inside.
struct Hidden<'a> {
    memory: &'a Smg,
    symbols: FxHashSet<SymId>,
}

impl<'a> Hidden<'a> {
    fn new(memory: &'a Smg, local: &BTreeSet<BlockId>, globals: &[BlockId], cut_points: &FxHashSet<SymId>) -> Self {
        let terms = &memory.context().terms;
        let local = local.iter().filter(|block| !globals.contains(block));
        let addresses = local.filter_map(|block| terms.as_symbol(memory.object(*block)?.address));
        Self { memory, symbols: addresses.filter(|symbol| !cut_points.contains(symbol)).collect() }
    }

    fn is_in(&self, term: Term) -> bool {
        self.memory.context().terms.symbols_of(term).iter().any(|symbol| self.symbols.contains(symbol))
    }

    fn is_in_object(&self, object: &Object) -> bool {
        let mut found = false;
        object.each_term(&mut |term| found |= self.is_in(term));
        found
    }

    /// Registers that hold such addresses may hold anything.
    fn forget(&self, local: &BTreeSet<BlockId>, frames: &mut [Rc<Frame<Term>>]) -> Result<(), &'static str> {
        for frame in frames {
            let mut variables =
                frame.slots.iter().flatten().chain(&frame.allocas).filter(|block| local.contains(block));
            if variables.any(|block| self.memory.object(*block).is_none_or(|object| self.is_in(object.address))) {
                return Err("a variable of a caller is handed over and not shared");
            }
            if frame.regs.iter().flatten().any(|value| self.is_in(*value)) {
                Rc::make_mut(frame).regs.iter_mut().for_each(|reg| *reg = reg.filter(|value| !self.is_in(*value)));
            }
        }
        Ok(())
    }
}

/// Addresses of blocks that stay with the callers, while the function holds them under other names.
#[derive(Default)]
struct Carried {
    names: FxHashMap<SymId, Term>,
}

impl Carried {
    /// The function's name for the address `value`: one it lost track of, so that every access through it ends the proof.
    fn name(&mut self, state: &mut State, value: Term) -> Result<Term, &'static str> {
        let context = state.memory.context().clone();
        let symbol = context.terms.as_symbol(value).filter(|symbol| {
            let block = state.memory.points_to.get(symbol);
            block.is_some_and(|block| !state.globals.contains(block))
        });
        let symbol = symbol.ok_or("what is carried is no address of a block of the callers'")?;
        let info = context.terms.symbol_info(symbol);
        let name = state.memory.forgotten_aligned(info.width, info.alignment);
        match self.names.insert(symbol, name) {
            None => Ok(name),
            Some(_) => Err("what is carried is shared twice"),
        }
    }

    fn blocks(&self, whole: &Smg) -> impl Iterator<Item = BlockId> {
        self.names.keys().filter_map(|symbol| whole.points_to.get(symbol).copied())
    }

    /// Nothing of the function's speaks of these addresses any more: its names for them may be anything but null.
    fn stay_behind(&self, entry: &mut Smg, callee: &mut Frame<Term>, local: &BTreeSet<BlockId>) {
        if self.names.is_empty() {
            return;
        }
        let context = entry.context().clone();
        for block in local {
            if let Some(object) = entry.object(*block) {
                let object = substituted(&context, object, &self.names);
                entry.objects.insert(*block, Rc::new(object));
            }
        }
        for value in callee.regs.iter_mut().flatten() {
            *value = context.terms.substitute(*value, &self.names);
        }
        for name in self.names.values() {
            entry.store.assume(&context, context.terms.ne(*name, context.pointer_constant(0)));
        }
    }
}

/// The least set of blocks with these that is closed under what they and the values lead to, but for addresses that are only carried.
fn reach(memory: &Smg, blocks: Vec<BlockId>, values: Vec<Term>, carried: &Carried) -> BTreeSet<BlockId> {
    let terms = &memory.context().terms;
    let mut reached = BTreeSet::new();
    let (mut blocks, mut values) = (blocks, values);
    loop {
        for value in values.drain(..) {
            let symbols = terms.symbols_of(value);
            let followed = symbols.iter().filter(|symbol| !carried.names.contains_key(*symbol));
            blocks.extend(followed.filter_map(|symbol| memory.points_to.get(symbol)));
        }
        let Some(block) = blocks.pop() else { return reached };
        let Some(object) = memory.object(block) else { continue };
        if reached.insert(block) {
            object.each_term(&mut |term| values.push(term));
            object.each_tied(&mut |block| blocks.push(block));
        }
    }
}
