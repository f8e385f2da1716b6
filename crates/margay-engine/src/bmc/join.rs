//! Runs that meet: one state for two.

use std::rc::Rc;

use super::execute::State;
use super::world::{Moment, World};
use crate::memory::BlockId;
use crate::smt::Term;

/// The state that is `left` where its guard holds and `right` otherwise; both have the same stack.
pub(super) fn join(left: State, right: &State) -> State {
    let world = left.memory.world.clone();
    let terms = &world.terms;
    let condition = left.memory.guard;
    let mut joined = left;
    let mut table: Vec<(Term, Term)> = joined.memory.table[..joined.globals.len()].to_vec();
    for (depth, (frame, other)) in joined.frames.iter_mut().zip(&right.frames).enumerate() {
        let unset = |reg, like| unset(&world, joined.memory.now.time, depth, reg, like);
        let this = Rc::make_mut(frame);
        for (reg, (mine, theirs)) in this.regs.iter_mut().zip(&other.regs).enumerate() {
            *mine = match (*mine, *theirs) {
                (Some(a), Some(b)) => Some(terms.ite(condition, a, b)),
                // A value that one of them never set is arbitrary there; it comes into being now.
                (Some(a), None) => Some(terms.ite(condition, a, unset(reg, a))),
                (None, Some(b)) => Some(terms.ite(condition, unset(reg, b), b)),
                (None, None) => None,
            };
        }
        let mut merged = |mine: Option<BlockId>, theirs: Option<BlockId>| {
            let none = (world.pointer(0), world.pointer(0));
            let a = mine.map_or(none, |block| joined.memory.table[block.index()]);
            let b = theirs.map_or(none, |block| right.memory.table[block.index()]);
            mine.or(theirs)?;
            table.push((terms.ite(condition, a.0, b.0), terms.ite(condition, a.1, b.1)));
            Some(BlockId::from_index(table.len() - 1))
        };
        for (mine, theirs) in this.slots.iter_mut().zip(&other.slots) {
            *mine = merged(*mine, *theirs);
        }
        this.allocas = (0..this.allocas.len().max(other.allocas.len()))
            .filter_map(|index| merged(this.allocas.get(index).copied(), other.allocas.get(index).copied()))
            .collect();
    }
    joined.memory.table = Rc::new(table);
    let memory = &mut joined.memory;
    memory.content = world.content.join(condition, memory.content, right.memory.content);
    memory.blocks = world.blocks.join(condition, memory.blocks, right.memory.blocks);
    memory.frontier = terms.ite(condition, memory.frontier, right.memory.frontier);
    memory.guard = terms.bool_or(memory.guard, right.memory.guard);
    joined
}

/// An unknown for a register that was never set, apart from all other unknowns of its time.
fn unset(world: &World, time: u32, depth: usize, reg: usize, like: Term) -> Term {
    let count = UNSET + (depth << 14) as u32 + reg as u32;
    world.symbol(Moment { time, count }, world.terms.width(like))
}

/// Counts from here on belong to registers never set.
const UNSET: u32 = 1 << 24;
