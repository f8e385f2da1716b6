//! γ: which concrete heaps a state stands for. The slow, obvious judge of the heap operations: it shares no code with
//! folding, joining, materialisation or covering, only the data they work on.
//!
//! A concrete heap is blocks of bytes at addresses, nothing else: pointers are the numbers they are. It is in γ of a state
//! if blocks can be given to objects (a whole chain of them to a segment) and numbers to symbols such that all cells,
//! links, sizes and constraints are as the state says, and no live heap block is left over.

#[cfg(test)]
mod calls_tests;
#[cfg(test)]
mod kinds_tests;
mod laws;
mod matching;
#[cfg(test)]
mod named_links_tests;
mod operations;
mod sample;
mod scripts;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;

use crate::heap::{Smg, SymbolKind};
use crate::memory::{BlockId, BlockKind, Config};
use crate::smt::{SymId, Term};

pub use laws::{Report, Rules, walk};
pub use matching::{is_model, is_model_but_for_lost_blocks};
pub use sample::sample;
pub use text::describe;

/// A block of a concrete heap.
#[derive(Clone, PartialEq, Eq)]
pub struct Block {
    /// Of the first byte.
    pub address: u64,
    /// Why it exists.
    pub kind: BlockKind,
    /// Neither freed nor out of scope.
    pub live: bool,
    /// `None`: not decided yet, any value.
    pub bytes: Vec<Option<u8>>,
}

/// A concrete heap, and what stands outside of it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Heap {
    /// Blocks, dead ones among them.
    pub blocks: Vec<Block>,
    /// The values of registers; `None` where one has none yet.
    pub roots: Vec<Option<u128>>,
    /// The blocks of slots and globals, as positions in `blocks`.
    pub anchors: Vec<Option<usize>>,
}

/// A state as γ sees it: a memory, and what stands outside of it in the same order as in [`Heap`].
#[derive(Clone)]
pub struct View<'a> {
    /// The graph.
    pub memory: &'a Smg,
    /// `None`: the state says nothing of this one.
    pub roots: Vec<Option<Term>>,
    /// The blocks of slots and globals.
    pub anchors: Vec<Option<BlockId>>,
}

impl<'a> View<'a> {
    /// The registers of all frames, outermost first, are the roots; slots and `alloca` blocks, then the globals the anchors.
    pub fn of(config: &'a Config<Smg>) -> Self {
        let frames = || config.frames.iter();
        let slots = frames()
            .flat_map(|frame| frame.slots.iter().copied().chain(frame.allocas.iter().map(|block| Some(*block))));
        Self {
            memory: &config.memory,
            roots: frames().flat_map(|frame| frame.regs.iter().copied()).collect(),
            anchors: slots.chain(config.globals.iter().map(|block| Some(*block))).collect(),
        }
    }
}

impl Block {
    /// The little-endian number of `[offset, offset + bytes)`, if all of it is decided.
    pub fn number(&self, offset: u64, bytes: u64) -> Option<u128> {
        let (from, to) = (usize::try_from(offset).ok()?, usize::try_from(offset.checked_add(bytes)?).ok()?);
        let mut number = 0;
        for byte in self.bytes.get(from..to)?.iter().rev() {
            number = number << 8 | u128::from((*byte)?);
        }
        Some(number)
    }

    fn put(&mut self, offset: usize, bytes: usize, number: u128) {
        for (at, byte) in self.bytes.iter_mut().skip(offset).take(bytes).enumerate() {
            *byte = Some((number >> (8 * at)) as u8);
        }
    }
}

impl Heap {
    /// The live block that `[address, address + bytes)` lies in, and where.
    pub fn locate(&self, address: u128, bytes: u64) -> Option<(usize, u64)> {
        self.blocks.iter().enumerate().filter(|(_, block)| block.live).find_map(|(index, block)| {
            let offset = u64::try_from(address).ok()?.checked_sub(block.address)?;
            (offset.checked_add(bytes)? <= block.bytes.len() as u64).then_some((index, offset))
        })
    }

    /// The live blocks that numbers lead to from the roots and from blocks that are not on the heap: every number a pointer
    /// could be counts, so what is left out is surely lost.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.blocks.len()];
        let mut work: Vec<usize> = Vec::new();
        let mut numbers: Vec<u128> = self.roots.iter().flatten().copied().collect();
        let outside = |block: &&(usize, &Block)| block.1.live && block.1.kind != BlockKind::Heap;
        work.extend(self.blocks.iter().enumerate().collect::<Vec<_>>().iter().filter(outside).map(|(index, _)| *index));
        work.iter().for_each(|index| reached[*index] = true);
        loop {
            for number in numbers.drain(..) {
                if let Some((index, _)) = self.locate(number, 0)
                    && !reached[index]
                {
                    reached[index] = true;
                    work.push(index);
                }
            }
            let Some(index) = work.pop() else { return reached };
            let block = &self.blocks[index];
            for offset in 0..block.bytes.len() as u64 {
                numbers.extend(block.number(offset, 8).into_iter().chain(block.number(offset, 4)));
            }
        }
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:#x}{}:", self.kind, self.address, if self.live { "" } else { " (dead)" })?;
        for offset in (0..self.bytes.len() as u64).step_by(8) {
            let bytes = (self.bytes.len() as u64 - offset).min(8);
            match self.number(offset, bytes) {
                Some(number) => write!(f, " {number:#x}")?,
                None => write!(f, " ?")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, block) in self.blocks.iter().enumerate() {
            let anchor = self.anchors.iter().position(|anchor| *anchor == Some(index));
            let anchor = anchor.map_or(String::new(), |anchor| format!(" (anchor {anchor})"));
            write!(f, "\n  {block:?}{anchor}")?;
        }
        let roots: Vec<String> =
            self.roots.iter().map(|root| root.map_or("-".into(), |root| format!("{root:#x}"))).collect();
        write!(f, "\n  registers {}", roots.join(" "))
    }
}

/// Where functions stand: as the concrete memory has it.
const FUNCTIONS: u128 = 0x40_0000;
const FUNCTION_BYTES: u128 = 16;

/// The address of the function that `symbol` stands for.
fn function_address(memory: &Smg, symbol: SymId) -> Option<u128> {
    match memory.context.kind(symbol)? {
        SymbolKind::Function(function) => Some(FUNCTIONS + FUNCTION_BYTES * u128::from(function.0)),
        _ => None,
    }
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number, of 64 random bits (SplitMix64).
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.draw() % end as u64) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Any of these; there has to be one.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
