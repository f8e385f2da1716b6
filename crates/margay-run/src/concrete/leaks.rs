//! Leaks: heap blocks that no chain of whole pointers from the roots reaches.
//!
//! Between two searches the memory notes the blocks that may have lost a pointer. Every other block is as reachable as it
//! was at the last search, so a search ends as soon as it has met all the suspects.

use std::cell::RefCell;
use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::block::{Block, Layout};
use super::value::{Provenance, Value};
use crate::memory::BlockId;

/// More suspects than this and all blocks are suspects.
const MAX_SUSPECTS: usize = 4096;

/// What is known about reachability.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaks {
    /// Blocks to which a pointer in memory was lost, and new ones, since the last search.
    suspects: RefCell<Suspects>,
    /// Heap blocks that the roots pointed to at the last search.
    rooted: RefCell<Rooted>,
    visited: RefCell<Visited>,
    /// Live blocks outside the heap that hold pointers.
    pub holders: BTreeSet<BlockId>,
    /// Live heap blocks.
    pub heap: BTreeSet<BlockId>,
}

/// The blocks a search has met: those with the search's own number. Kept from search to search, so that none clears it.
#[derive(Clone, Debug, Default)]
struct Visited {
    search: u32,
    last: Vec<u32>,
}

impl Visited {
    /// Begins a search over this many blocks.
    fn begin(&mut self, blocks: usize) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.last.clear();
            self.search = 1;
        }
        self.last.resize(blocks, 0);
    }

    /// Whether `id` is met for the first time.
    fn visit(&mut self, id: BlockId) -> bool {
        std::mem::replace(&mut self.last[id.index()], self.search) != self.search
    }
}

/// Ascending, without repetition.
type Rooted = SmallVec<[BlockId; 16]>;

#[derive(Clone, Debug)]
enum Suspects {
    Some(Vec<BlockId>),
    All,
}

impl Default for Suspects {
    fn default() -> Self {
        Suspects::Some(Vec::new())
    }
}

impl Leaks {
    /// A pointer to `block` may have been lost.
    pub fn suspect(&mut self, block: BlockId) {
        let suspects = self.suspects.get_mut();
        if let Suspects::Some(list) = suspects {
            if list.last() == Some(&block) {
                return;
            }
            if list.len() >= MAX_SUSPECTS {
                *suspects = Suspects::All;
            } else {
                list.push(block);
            }
        }
    }
}

/// The blocks of a memory and what is known about them.
pub(super) struct Blocks<'a> {
    pub blocks: &'a [Block],
    pub layout: &'a Layout,
    pub leaks: &'a Leaks,
}

/// The block that a value of at least pointer width points to.
fn target(inner: &Blocks, address: u64, provenance: Provenance) -> Option<BlockId> {
    let Provenance::Block(id) = provenance else { return None };
    let block = &inner.blocks[id.index()];
    (block.kind.can_leak() && block.live && block.spans(address, inner.layout)).then_some(id)
}

fn root_target(inner: &Blocks, value: &Value) -> Option<BlockId> {
    (value.bits.width >= inner.layout.pointer_bits)
        .then(|| target(inner, value.bits.value as u64, value.provenance))
        .flatten()
}

/// The first live heap block that nothing reaches.
pub(super) fn find(inner: &Blocks, roots: &mut dyn Iterator<Item = &Value>) -> Option<BlockId> {
    let leaks = inner.leaks;
    if leaks.heap.is_empty() {
        return None;
    }
    let mut rooted: Rooted = roots.filter_map(|value| root_target(inner, value)).collect();
    rooted.sort_unstable();
    rooted.dedup();
    let is_suspect = |id: &BlockId| leaks.heap.contains(id) && rooted.binary_search(id).is_err();
    let suspects: BTreeSet<BlockId> = match &*leaks.suspects.borrow() {
        Suspects::Some(list) if list.is_empty() && *leaks.rooted.borrow() == rooted => return None,
        Suspects::Some(list) => list.iter().chain(&*leaks.rooted.borrow()).copied().filter(is_suspect).collect(),
        Suspects::All => leaks.heap.iter().copied().filter(is_suspect).collect(),
    };
    let found = unreached(inner, &rooted, suspects);
    if found.is_none() {
        *leaks.suspects.borrow_mut() = Suspects::default();
        *leaks.rooted.borrow_mut() = rooted;
    }
    found
}

/// The first of `suspects` that is not reachable.
fn unreached(inner: &Blocks, rooted: &[BlockId], mut suspects: BTreeSet<BlockId>) -> Option<BlockId> {
    if suspects.is_empty() {
        return None;
    }
    let mut visited = inner.leaks.visited.borrow_mut();
    visited.begin(inner.blocks.len());
    for id in rooted {
        visited.visit(*id);
    }
    let mut open: Vec<BlockId> = rooted.to_vec();
    let mut holders = inner.leaks.holders.iter();
    let width = inner.layout.pointer_bits / 8;
    while !suspects.is_empty() {
        let Some(id) = open.pop().or_else(|| holders.next().copied()) else { break };
        let block = &inner.blocks[id.index()];
        if !block.holds_pointers {
            continue;
        }
        block.content.for_each_whole_pointer(width, &mut |address, provenance| {
            if let Some(id) = target(inner, address, provenance)
                && visited.visit(id)
            {
                suspects.remove(&id);
                open.push(id);
            }
        });
    }
    suspects.first().copied()
}
