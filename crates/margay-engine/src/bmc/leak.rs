//! Leaks at the end of a single path: a live heap block that no chain of pointers from registers and other blocks reaches.
//!
//! Only paths are asked, not whole slices: on a path the blocks are known one by one, so that reachability is a fixpoint over
//! them of at most as many rounds as there are heap blocks. Pointers are looked for at multiples of their size.

use super::blocks::{BlocksId, Change};
use super::execute::State;
use super::world::{Place, World};
use crate::memory::Stuck;
use crate::memory::rules::keeps;
use crate::smt::Term;

/// A block made on the path and perhaps still live.
struct Block {
    base: Term,
    /// Bytes.
    size: u64,
    is_heap: bool,
    is_live: Term,
}

/// Pairs of a place for a pointer and a heap block beyond which the question is too large.
const MAX_PAIRS: u64 = 200_000;

/// The runs on which a heap block is lost in `state`, among those whose blocks are as large as `size` says.
///
/// # Errors
/// There are too many places for pointers.
pub(super) fn lost(state: &State, size: &dyn Fn(Term) -> u64) -> Result<Term, Stuck> {
    let world = &state.memory.world;
    let terms = &world.terms;
    let mut sizes = Vec::new();
    let blocks = blocks(world, state.memory.blocks, &mut |t| {
        sizes.push(terms.eq(t, world.pointer(size(t))));
        size(t)
    });
    let (heap, others): (Vec<&Block>, Vec<&Block>) = blocks.iter().partition(|block| block.is_heap);
    let word = u64::from(world.model.pointer_bits() / 8);
    let places: u64 = blocks.iter().map(|block| block.size / word).sum();
    if places.saturating_mul(heap.len() as u64) > MAX_PAIRS {
        return Err(Stuck::tool("too many places for pointers to look for leaks"));
    }
    let any_into = |values: &[Term], to: &Block| {
        let points: Vec<Term> = values.iter().map(|value| world.points_into(*value, to)).collect();
        terms.disjunction(&points)
    };
    // To which heap blocks a block leads while it is live.
    let leads = |block: &&Block| -> Vec<Term> {
        let place = |index| terms.add_constant(block.base, i128::from(index * word));
        let values: Vec<Term> =
            (0..block.size / word).map(|index| world.read(state.memory.content, place(index), word as u32)).collect();
        heap.iter().map(|to| terms.bool_and(block.is_live, any_into(&values, to))).collect()
    };
    let registers: Vec<Term> = state.frames.iter().flat_map(|frame| frame.regs.iter().flatten().copied()).collect();
    let registers: Vec<Term> = registers.iter().flat_map(|value| world.words(*value)).collect();
    let roots: Vec<Vec<Term>> = others.iter().map(leads).collect();
    let rows: Vec<Vec<Term>> = heap.iter().map(leads).collect();
    let mut reached: Vec<Term> = heap.iter().map(|to| any_into(&registers, to)).collect();
    for row in &roots {
        reached = reached.iter().zip(row).map(|(a, b)| terms.bool_or(*a, *b)).collect();
    }
    for _ in 1..heap.len() {
        let via = |to: usize| rows.iter().zip(&reached).map(move |(row, here)| terms.bool_and(*here, row[to]));
        let next: Vec<Term> =
            (0..heap.len()).map(|to| terms.disjunction(&via(to).chain([reached[to]]).collect::<Vec<_>>())).collect();
        if next == reached {
            break;
        }
        reached = next;
    }
    let missed = heap.iter().zip(reached).map(|(block, reached)| terms.bool_and(block.is_live, terms.not(reached)));
    let lost = terms.disjunction(&missed.collect::<Vec<_>>());
    Ok(terms.bool_and(lost, terms.conjunction(&sizes)))
}

/// The blocks of a path that may be live, newest first.
fn blocks(world: &World, log: BlocksId, size: &mut dyn FnMut(Term) -> u64) -> Vec<Block> {
    let terms = &world.terms;
    let mut blocks = Vec::new();
    let mut gone = Vec::new();
    let mut at = log;
    loop {
        at = match world.blocks.entry(at) {
            Change::Create { base, size: bytes, kind, before } => {
                let ends: Vec<Term> = gone.iter().map(|other| world.equal(base, *other)).collect();
                let is_live = terms.not(terms.disjunction(&ends));
                if !terms.is_false(is_live) {
                    blocks.push(Block { base, size: size(bytes), is_heap: kind.can_leak(), is_live });
                }
                before
            }
            Change::Destroy { base, before, .. } => {
                gone.push(base);
                before
            }
            // Runs of one path never meet.
            Change::Root | Change::Join { .. } => return blocks,
        }
    }
}

impl World {
    /// Whether `value` is an address in a block or that behind it.
    fn points_into(&self, value: Term, block: &Block) -> Term {
        let terms = &self.terms;
        if let Some((condition, then, otherwise)) = self.split(value) {
            return terms.ite(condition, self.points_into(then, block), self.points_into(otherwise, block));
        }
        match self.place(value) {
            Place::Low => terms.false_(),
            Place::Block(symbol, _) if terms.as_symbol(block.base) != Some(symbol) => terms.false_(),
            _ => keeps(terms, terms.sub(value, block.base), self.pointer(block.size)),
        }
    }

    /// The words of a value that can be pointers.
    fn words(&self, value: Term) -> Vec<Term> {
        let bits = self.model.pointer_bits();
        let words = self.terms.width(value) / bits;
        (0..words).map(|index| self.terms.extract(value, (index + 1) * bits - 1, index * bits)).collect()
    }
}
