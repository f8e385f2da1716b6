//! States of runs that are kept: as what makes them differ from a first one.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::block::Block;
use super::choices::Place;
use super::content::Content;
use super::memory::Concrete;
use super::value::{Provenance, Value};
use crate::memory::{BlockId, Config};

/// The blocks of the first state.
pub(super) struct Base(Vec<Block>);

/// A state.
pub(super) struct Snapshot {
    /// Without its blocks.
    config: Config<Concrete>,
    blocks: usize,
    /// Those that are not as in the first state.
    changed: Vec<(usize, Block)>,
}

impl Snapshot {
    /// Where the run stands.
    pub fn place(&self) -> Place {
        (self.config.top().function, self.config.top().at)
    }
}

impl Base {
    pub fn of(config: &Config<Concrete>) -> Self {
        Self(config.memory.inner().blocks.clone())
    }

    pub fn keep(&self, mut config: Config<Concrete>) -> Snapshot {
        let blocks = std::mem::take(&mut config.memory.inner_mut().blocks);
        let count = blocks.len();
        let changed = blocks.into_iter().enumerate().filter(|(at, block)| self.0.get(*at) != Some(block)).collect();
        Snapshot { config, blocks: count, changed }
    }

    pub fn restore(&self, snapshot: &Snapshot) -> Config<Concrete> {
        let mut config = snapshot.config.clone();
        let blocks = &mut config.memory.inner_mut().blocks;
        blocks.reserve(snapshot.blocks);
        blocks.extend(self.0.iter().take(snapshot.blocks).cloned());
        for (at, block) in &snapshot.changed {
            match blocks.get_mut(*at) {
                Some(old) => old.clone_from(block),
                // In order: those beyond the first state's are all among the changed ones.
                None => blocks.push(block.clone()),
            }
        }
        config
    }

    /// What the state is, but for where in the address space its blocks lie and for blocks that are gone. States with one digest are
    /// taken for one, which may leave runs out.
    pub fn digest(&self, config: &Config<Concrete>) -> u64 {
        let blocks = &config.memory.inner().blocks;
        let names = Names::of(blocks);
        let mut hasher = FxHasher::default();
        for frame in &config.frames {
            hasher.write_u32(frame.function.0);
            hasher.write_u32(frame.at.0);
            for value in &frame.regs {
                match value {
                    None => hasher.write_u8(0),
                    Some(value) => names.value(value, &mut hasher),
                }
            }
            for block in frame.slots.iter().flatten().chain(&frame.allocas) {
                hasher.write_u64(names.of_block(*block));
            }
        }
        for (at, block) in blocks.iter().enumerate().filter(|(at, block)| self.0.get(*at) != Some(block)) {
            if !block.live {
                // Only those of the first state are missed.
                if at < self.0.len() {
                    hasher.write_usize(at);
                }
                continue;
            }
            hasher.write_u64(names.of_block(BlockId::from_index(at)));
            hasher.write_u64(block.size);
            names.content(&block.content, &mut hasher);
        }
        hasher.finish()
    }
}

/// Numbers of blocks among those that are there, by block.
struct Names<'b> {
    blocks: &'b [Block],
    names: Vec<u64>,
}

/// Any block that is gone.
const GONE: u64 = u64::MAX;

impl<'b> Names<'b> {
    fn of(blocks: &'b [Block]) -> Self {
        let mut next = 0..;
        let name = |block: &Block| block.live.then(|| next.next()).flatten().unwrap_or(GONE);
        Self { blocks, names: blocks.iter().map(name).collect() }
    }

    fn of_block(&self, block: BlockId) -> u64 {
        self.names[block.index()]
    }

    fn value(&self, value: &Value, hasher: &mut FxHasher) {
        match value.provenance {
            Provenance::Block(id) => {
                let block = &self.blocks[id.index()];
                hasher.write_u64(self.of_block(id));
                if block.live {
                    hasher.write_u64((value.bits.value as u64).wrapping_sub(block.base));
                }
            }
            _ => {
                hasher.write_u8(1);
                hasher.write_u128(value.bits.value);
            }
        }
    }

    fn content(&self, content: &Content, hasher: &mut FxHasher) {
        content.for_each_part(&mut |at, page| {
            hasher.write_u64(at);
            page.digest(hasher, &mut |hasher, value| self.value(&value, hasher));
        });
    }
}
