//! What one node of a list node_kinds like: its content without the links and all that hangs below it, as a body.

use super::named_links::{base_of, has_named_link};
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::census::{Census, Holder};
use crate::heap::{Body, Cell, Links, Object, Run, Smg, SymbolKind};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// Nodes with more below them are not folded.
const MOST_NESTED: usize = 64;

/// The heap blocks that hang below the region `node` only: every pointer to them comes from the node (its links, which
/// are at these offsets, aside) or from one of them.
pub(super) fn nested(smg: &Smg, census: &Census, node: BlockId, links: &[u64]) -> BTreeSet<BlockId> {
    // A part of a link that was written over in part is one as well: what follows the node speaks of it.
    let width = u64::from(smg.context.model.pointer_bytes());
    let is_link = |offset: u64| links.iter().any(|link| offset < link + width && *link < offset + width);
    let mut nested = BTreeSet::new();
    let mut work = Vec::new();
    if let Some(object) = smg.object(node) {
        for edge in object.content.edges().iter().filter(|edge| !is_link(edge.offset)) {
            if let Cell::Value(value) = edge.cell {
                push_target(smg, smg.tracks(value), node, &mut nested, &mut work);
            }
        }
    }
    while let Some(block) = work.pop() {
        if nested.len() > MOST_NESTED {
            return BTreeSet::new();
        }
        let Some(object) = smg.object(block) else { continue };
        if object.form.summary().is_none_or(|summary| summary.bodies().is_empty()) {
            // What only a part of a pointer leads to is lost, and for all to see.
            for value in object.content.terms() {
                push_target(smg, smg.tracks(value), node, &mut nested, &mut work);
            }
        } else {
            let terms = &smg.context.terms;
            object.each_symbol(terms, &mut |symbol| {
                push_target(smg, smg.points_to.get(&symbol).copied(), node, &mut nested, &mut work);
            });
        }
        object.form.each_tied(&mut |tied| {
            if nested.insert(tied) {
                work.push(tied);
            }
        });
    }
    loop {
        let shared: Vec<BlockId> = nested
            .iter()
            .copied()
            .filter(|&block| {
                let outside = census.of_block(smg, block).iter().any(|holder| match *holder {
                    Holder::Field(owner, offset) if owner == node => is_link(offset),
                    holder => holder.block().is_none_or(|owner| !nested.contains(&owner)),
                });
                let mut torn = false;
                if let Some(object) = smg.object(block) {
                    object.form.each_tied(&mut |tied| torn |= !nested.contains(&tied));
                }
                outside || torn
            })
            .collect();
        if shared.is_empty() {
            return nested;
        }
        for block in shared {
            nested.remove(&block);
        }
    }
}

fn push_target(
    smg: &Smg,
    target: Option<BlockId>,
    node: BlockId,
    nested: &mut BTreeSet<BlockId>,
    work: &mut Vec<BlockId>,
) {
    if let Some(block) = target
        && block != node
        && smg.can_hang(block)
        && nested.insert(block)
    {
        work.push(block);
    }
}

/// The body the region `node` is an instance of. Symbols that only this node speaks of are bound; equal nodes have
/// equal bodies.
pub(super) fn extract(smg: &Smg, census: &Census, node: BlockId, links: &[u64]) -> Option<Body> {
    extract_tied(smg, census, node, links, None)
}

/// The body the region `node` of a list with these links is an instance of.
pub(super) fn extract_node(smg: &Smg, census: &Census, node: BlockId, links: Links) -> Option<Body> {
    let tied = links.onward().filter(|next| has_named_link(smg, census, node, &links.offsets(), *next));
    extract_tied(smg, census, node, &links.offsets(), tied)
}

/// Like `extract`; what stands at `tied` has a name of its own, by which the rest of the node may call it.
fn extract_tied(smg: &Smg, census: &Census, node: BlockId, links: &[u64], tied: Option<u64>) -> Option<Body> {
    let nested = nested(smg, census, node, links);
    let tie = match tied {
        Some(offset) => {
            let link = smg.field(node, offset)?;
            Some((base_of(smg, link)?, link))
        }
        None => None,
    };
    let mut extraction = Extraction {
        memory: smg,
        census,
        node,
        nested: &nested,
        depth: depth_of(smg, &nested),
        by: FxHashMap::default(),
        bound: 0,
        blocks: Vec::new(),
        data: Vec::new(),
        dangling: Vec::new(),
        tie,
    };
    extraction.block(node)?;
    let mut objects = Vec::new();
    while let Some(&block) = extraction.blocks.get(objects.len()) {
        let mut object = smg.object(block)?.as_ref().clone();
        if block == node {
            let terms = &smg.context.terms;
            let width = u64::from(smg.context.model.pointer_bytes());
            let opened = links.iter().filter(|offset| Some(**offset) != tied);
            opened.for_each(|offset| object.content.open(terms, *offset, width));
        }
        objects.push(extraction.object(&object)?);
    }
    // Everything below the node was met: it hangs below it.
    (extraction.blocks.len() == nested.len() + 1).then_some(())?;
    let facts = extraction.facts();
    let depth = extraction.depth;
    let positions: FxHashMap<BlockId, BlockId> =
        extraction.blocks.iter().enumerate().map(|(position, block)| (*block, BlockId::from_index(position))).collect();
    let rename = |block: BlockId| positions.get(&block).copied().unwrap_or(block);
    let objects = objects.iter().map(|object| object.map_blocks(&rename)).collect();
    Some(Body::new(objects, facts, depth))
}

fn depth_of(smg: &Smg, nested: &BTreeSet<BlockId>) -> u8 {
    nested.iter().filter_map(|block| Some(smg.object(*block)?.form.depth())).max().unwrap_or(0)
}

struct Extraction<'a> {
    memory: &'a Smg,
    census: &'a Census,
    node: BlockId,
    nested: &'a BTreeSet<BlockId>,
    depth: u8,
    by: FxHashMap<SymId, Term>,
    bound: u32,
    /// The node and what was met below it, in order.
    blocks: Vec<BlockId>,
    /// Bound symbols that are no address of the node's own.
    data: Vec<SymId>,
    /// Those of them that are addresses of what is dead: whatever they are, they are not null.
    dangling: Vec<SymId>,
    /// The address that the link onwards speaks of, and what the link holds, where the rest of the node speaks of it as well.
    tie: Option<(SymId, Term)>,
}

impl Extraction<'_> {
    fn is_own(&self, block: BlockId) -> bool {
        block == self.node || self.nested.contains(&block)
    }

    fn bind(&mut self, symbol: SymId, class: u8) {
        let context = &self.memory.context;
        let info = context.terms.symbol_info(symbol);
        let kind = SymbolKind::Bound { depth: self.depth, n: self.bound, class };
        self.bound += 1;
        self.by.insert(symbol, context.symbol(kind, info.width, info.alignment));
    }

    fn block(&mut self, block: BlockId) -> Option<()> {
        if self.blocks.contains(&block) {
            return Some(());
        }
        self.blocks.push(block);
        let object = self.memory.object(block)?.clone();
        let symbol = self.memory.context.terms.as_symbol(object.address)?;
        self.bind(symbol, SymbolKind::Address(block).class());
        Some(())
    }

    fn object(&mut self, object: &Object) -> Option<Object> {
        let context = self.memory.context.clone();
        let mut content = object.content.clone();
        content.without_plain_zeros(&context.terms);
        let is_kept = |run: &&Run| run.table.is_none() && !run.read;
        content.set_runs(object.content.runs().iter().filter(is_kept).cloned().collect());
        // Each node has lists of its own lengths.
        let object = Object { content, ..Rc::unwrap_or_clone(object.uncounted()) };
        let mut fine = Some(());
        object.each_term(&mut |term| {
            for &symbol in context.terms.symbols_of(term).iter() {
                if self.symbol(symbol).is_none() {
                    fine = None;
                }
            }
        });
        object.form.each_tied(&mut |block| {
            if self.block(block).is_none() {
                fine = None;
            }
        });
        fine?;
        Some(crate::heap::substituted(&context, &object, &self.by))
    }

    /// Binds the symbol if it is the node's own.
    fn symbol(&mut self, symbol: SymId) -> Option<()> {
        if self.by.contains_key(&symbol) || matches!(self.memory.context.kind(symbol), Some(SymbolKind::Cell { .. })) {
            return Some(());
        }
        if let Some((_, link)) = self.tie.filter(|(base, _)| *base == symbol) {
            let context = &self.memory.context;
            let terms = &context.terms;
            let class = SymbolKind::Forgotten(0).class();
            let kind = SymbolKind::Bound { depth: self.depth, n: self.bound, class };
            self.bound += 1;
            let name = context.symbol(kind, terms.width(link), terms.trailing_zeros(link));
            self.by.insert(symbol, terms.sub(name, terms.sub(link, terms.symbol_term(symbol))));
            return Some(());
        }
        if let Some(&block) = self.memory.points_to.get(&symbol)
            && self.memory.object(block).is_some_and(|object| object.valid)
        {
            if self.is_own(block) {
                self.block(block)?;
            }
            return Some(());
        }
        // What is left are numbers and addresses of what is dead: whatever they are, an access through them is a fault.
        let is_free = self.memory.context.kind(symbol).is_none_or(|kind| {
            kind.is_external() || matches!(kind, SymbolKind::Function(_) | SymbolKind::Bound { .. })
        });
        let own = self.census.of(symbol).iter().all(|holder| holder.block().is_some_and(|block| self.is_own(block)));
        if !is_free && own {
            self.bind(symbol, SymbolKind::Forgotten(0).class());
            self.data.push(symbol);
            if self.memory.points_to.contains_key(&symbol) {
                self.dangling.push(symbol);
            }
        }
        Some(())
    }

    /// Constraints on the node's numbers, alone or with numbers that something other than lists holds.
    fn facts(&self) -> Vec<Term> {
        let context = &self.memory.context;
        let mut facts = Vec::new();
        for bound in self.dangling.iter().filter_map(|symbol| self.by.get(symbol)) {
            facts.push(context.terms.ne(*bound, context.pointer_constant(0)));
        }
        for &constraint in self.memory.store.constraints() {
            let symbols = context.terms.symbols_of(constraint);
            let is_own = |symbol: &SymId| self.data.contains(symbol);
            let is_fixed =
                |symbol: &SymId| !self.by.contains_key(symbol) && self.census.is_rooted(self.memory, *symbol);
            if symbols.iter().any(is_own) && symbols.iter().all(|symbol| is_own(symbol) || is_fixed(symbol)) {
                facts.push(context.terms.substitute(constraint, &self.by));
            }
        }
        facts
    }
}
