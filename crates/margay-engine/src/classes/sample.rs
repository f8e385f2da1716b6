//! Nodes of one structure in one heap.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::heap::{State, Target};
use crate::memory::BlockId;

/// Live blocks of one size, and where they lead to one another.
pub(super) struct Sample<'s> {
    pub state: &'s Rc<State>,
    nodes: usize,
    /// By the place of the link in a node: for each node the one it leads to.
    edges: BTreeMap<u64, Vec<Option<usize>>>,
}

impl Sample<'_> {
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Some node leads to one of the others, or to itself.
    pub fn is_linked(&self) -> bool {
        self.nodes >= 2 && !self.edges.is_empty()
    }

    /// How much a picture tells: many links, but not too many nodes.
    pub fn interest(&self, most_nodes: usize) -> (bool, usize, std::cmp::Reverse<usize>) {
        let links = self.edges.values().flatten().flatten().count();
        let is_small = self.nodes <= most_nodes;
        (is_small, if is_small { links } else { 0 }, std::cmp::Reverse(self.nodes))
    }

    /// The places of links.
    pub fn links(&self) -> impl Iterator<Item = u64> {
        self.edges.keys().copied()
    }

    /// The node that `node` leads to by the link at `place`.
    pub fn follow(&self, node: usize, place: u64) -> Option<usize> {
        self.edges.get(&place)?.get(node).copied().flatten()
    }
}

/// By size, a sample for each state that has such blocks.
pub(super) fn samples(states: &[Rc<State>]) -> BTreeMap<u64, Vec<Sample<'_>>> {
    let mut found: BTreeMap<u64, Vec<Sample>> = BTreeMap::new();
    for state in states {
        let memory = &state.memory;
        let terms = &memory.context().terms;
        let mut groups: BTreeMap<u64, Vec<BlockId>> = BTreeMap::new();
        for (block, object) in
            memory.blocks().filter(|(block, object)| memory.is_live_heap(*block) && object.is_region())
        {
            let size = terms.as_const(object.size).and_then(|size| u64::try_from(size).ok());
            if let Some(size) = size {
                groups.entry(size).or_default().push(block);
            }
        }
        for (size, blocks) in groups {
            let mut edges: BTreeMap<u64, Vec<Option<usize>>> = BTreeMap::new();
            for (node, block) in blocks.iter().enumerate() {
                let Some(object) = memory.block(*block) else { continue };
                for edge in object.content.edges() {
                    let target = memory.field(*block, edge.offset).map(|value| memory.target(value));
                    if let Some(Target::Object { block: to, .. }) = target
                        && let Some(to) = blocks.iter().position(|other| *other == to)
                    {
                        edges.entry(edge.offset).or_insert_with(|| vec![None; blocks.len()])[node] = Some(to);
                    }
                }
            }
            found.entry(size).or_default().push(Sample { state, nodes: blocks.len(), edges });
        }
    }
    found
}
