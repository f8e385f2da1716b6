//! The frame rule at calls: what a caller goes on with when the function has returned (see [`super::split`]).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::caller_stubs::{STUB_RESULT, Sharing};
use super::rest::{Rest, new_address, new_name};
use crate::cfa::{Conversion, Program};
use crate::heap::{Context, Object, Smg, State, SymbolKind, outermost, substituted};
use crate::memory::{BlockId, Memory, forget_dead};
use crate::smt::{SymId, Term};

impl Rest {
    /// The caller's state after the function ended in `exit`; `None` where the two contradict each other.
    ///
    /// # Errors
    /// Why the exit is none of the function's.
    pub fn combine(&self, program: &Program, exit: &State) -> Result<Option<State>, &'static str> {
        let mut state = self.state.clone();
        let context = state.memory.context().clone();
        let terms = &context.terms;
        let inside = &exit.memory;
        if !inside.is_split(&outermost(exit)) {
            return Err("what an exit shares is an end of a list that may have no node, or one");
        }
        let registers = &exit.top().regs;
        if exit.frames.len() != 1 || registers.len() != 1 + self.shared.len() + usize::from(self.has_stand_in) {
            return Err("an exit does not fit the call");
        }
        let mut names = self.ties(exit)?;
        let tied: FxHashSet<SymId> = names.symbols.keys().copied().collect();
        self.hand_back(inside, &mut names, &mut state.memory)?;
        let mut conditions = Vec::new();
        for &constraint in inside.store.constraints() {
            let renamed = names.term(&mut state.memory, constraint);
            if terms.symbols_of(constraint).iter().any(|symbol| tied.contains(symbol)) {
                conditions.push(renamed);
            } else {
                state.memory.store.assume(&context, renamed);
            }
        }
        for (value, outer) in std::mem::take(&mut names.equal) {
            let value = names.term(&mut state.memory, value);
            conditions.push(terms.eq(value, outer));
        }
        for condition in conditions {
            match state.memory.restrict(condition) {
                Some(memory) => state.memory = memory,
                None => return Ok(None),
            }
        }
        if let Some(dst) = self.result {
            let width = program.function(state.top().function).regs[dst.index()].width;
            let value = registers[STUB_RESULT.index()].map(|value| {
                let value = names.term(&mut state.memory, value);
                let conversion = if terms.width(value) > width { Conversion::Truncate } else { Conversion::ZeroExtend };
                state.memory.convert(conversion, width, &value)
            });
            state.top_mut().regs[dst.index()] = value;
        }
        forget_dead(program, &mut state);
        Ok(Some(state))
    }

    /// What globals and the outside frame say of the exit's names.
    fn ties(&self, exit: &State) -> Result<Names, &'static str> {
        let inside = &exit.memory;
        let context = inside.context();
        let terms = &context.terms;
        let registers = &exit.top().regs;
        let mut names = Names::default();
        for (&own, &block) in exit.globals.iter().zip(self.state.globals.iter()) {
            names.tie(inside, own, &self.whole, block)?;
            if self.state.memory.object(block).is_some() {
                names.leave_out(inside, own)?;
            }
        }
        if self.has_stand_in {
            let block = registers.last().copied().flatten().and_then(|value| points_to(inside, value));
            let alone = block.filter(|block| !names.blocks.contains_key(block));
            names.leave_out(inside, alone.ok_or("the callers' heap is lost")?)?;
        }
        for (&Sharing { value: outer, is_opaque }, value) in self.shared.iter().zip(&registers[1..]) {
            let value = value.ok_or("a shared value is lost")?;
            if terms.width(value) != terms.width(outer) {
                return Err("a shared value has another width");
            }
            let block = points_to(&self.whole, outer).filter(|_| !is_opaque);
            match (points_to(inside, value), block) {
                (Some(own), Some(block)) if names.blocks.get(&own) == Some(&block) => {}
                (Some(own), Some(block)) => names.tie(inside, own, &self.whole, block)?,
                (None, None) => match terms.as_symbol(value) {
                    Some(symbol) if is_variable(context, symbol) && !names.symbols.contains_key(&symbol) => {
                        names.symbols.insert(symbol, outer);
                    }
                    _ => names.equal.push((value, outer)),
                },
                _ => return Err("a shared address lost its block"),
            }
        }
        Ok(names)
    }

    /// Puts the exit's blocks into the caller's memory.
    fn hand_back(&self, inside: &Smg, names: &mut Names, memory: &mut Smg) -> Result<(), &'static str> {
        let context = inside.context();
        let terms = &context.terms;
        let objects = inside.objects.iter().filter(|(own, _)| !names.left_out.contains(own));
        let objects: Vec<(BlockId, Rc<Object>)> = objects.map(|(own, object)| (*own, object.clone())).collect();
        for (own, object) in &objects {
            if !names.blocks.contains_key(own) {
                let symbol = terms.as_symbol(object.address).ok_or("an address is no symbol")?;
                let (block, address) = new_address(memory, symbol);
                names.blocks.insert(*own, block);
                names.symbols.insert(symbol, address);
            }
        }
        for (own, object) in &objects {
            object.each_term(&mut |term| names.meet(memory, term));
            let block_of = |own: BlockId| names.blocks.get(&own).copied().unwrap_or(own);
            let object = substituted(context, object, &names.symbols).map_blocks(&block_of);
            let (block, symbol) = (block_of(*own), terms.as_symbol(object.address).ok_or("an address is no symbol")?);
            if self.whole.object(block).is_none() {
                memory.store.place_object(context, symbol, object.size);
            }
            memory.points_to.insert(symbol, block);
            memory.objects.insert(block, Rc::new(object));
        }
        let nothing: Vec<BlockId> =
            memory.objects.keys().copied().filter(|block| memory.may_be_nothing(*block)).collect();
        nothing.into_iter().for_each(|block| memory.place_ends(block));
        Ok(())
    }
}

/// A symbol that stands for one value in a state and may stand for another one in another state: not the address of a function, and not
/// bound in a body.
pub fn is_variable(context: &Context, symbol: SymId) -> bool {
    !matches!(context.kind(symbol), None | Some(SymbolKind::Function(_) | SymbolKind::Bound { .. }))
}

/// The block whose address `value` is.
fn points_to(memory: &Smg, value: Term) -> Option<BlockId> {
    memory.points_to.get(&memory.context().terms.as_symbol(value)?).copied()
}

/// What is called how in the caller's state; by name at the exit.
#[derive(Default)]
struct Names {
    symbols: FxHashMap<SymId, Term>,
    blocks: BTreeMap<BlockId, BlockId>,
    /// Blocks of the exit that stand for what the rest has itself.
    left_out: BTreeSet<BlockId>,
    /// Values of the exit that are these of the caller.
    equal: Vec<(Term, Term)>,
}

impl Names {
    /// The exit's block `own` is the caller's `block`.
    fn tie(&mut self, inside: &Smg, own: BlockId, whole: &Smg, block: BlockId) -> Result<(), &'static str> {
        let terms = &inside.context().terms;
        let symbol = inside.object(own).and_then(|object| terms.as_symbol(object.address));
        let (Some(symbol), Some(object)) = (symbol, whole.object(block)) else {
            return Err("a block lost its address");
        };
        let is_taken = self.left_out.contains(&own) || self.blocks.values().any(|other| *other == block);
        if is_taken || self.blocks.insert(own, block).is_some() {
            return Err("two blocks are one");
        }
        self.symbols.insert(symbol, object.address);
        Ok(())
    }

    /// The exit's block `own`, which is nothing else, stands for what the rest has itself.
    fn leave_out(&mut self, inside: &Smg, own: BlockId) -> Result<(), &'static str> {
        let is_alone = inside.object(own).is_some_and(|object| object.is_region());
        (is_alone && self.left_out.insert(own)).then_some(()).ok_or("what stays with the caller is part of a segment")
    }

    /// New names for symbols that have none yet.
    fn meet(&mut self, memory: &mut Smg, term: Term) {
        let context = memory.context().clone();
        for &symbol in context.terms.symbols_of(term).iter() {
            if is_variable(&context, symbol) && !self.symbols.contains_key(&symbol) {
                self.symbols.insert(symbol, new_name(memory, symbol));
            }
        }
    }

    fn term(&mut self, memory: &mut Smg, term: Term) -> Term {
        self.meet(memory, term);
        memory.context().terms.substitute(term, &self.symbols)
    }
}
