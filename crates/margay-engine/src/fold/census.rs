//! Who speaks of which symbol: the basis of every decision about what folding may hide.

use std::collections::BTreeMap;

use crate::heap::{Body, Role, Run, Smg, Visitor};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// A place that speaks of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// A register.
    Root,
    /// A cell at this offset, or the size, of a region.
    Field(BlockId, u64),
    Size(BlockId),
    /// Somewhere in a region, at an offset that is no number, or in such an offset.
    Run(BlockId),
    /// What follows the summary that this object owns, what precedes it, or anything else in it.
    Next(BlockId),
    Prev(BlockId),
    Body(BlockId),
}

impl Holder {
    /// The object the place belongs to.
    pub fn block(self) -> Option<BlockId> {
        match self {
            Holder::Root => None,
            Holder::Field(block, _)
            | Holder::Size(block)
            | Holder::Run(block)
            | Holder::Next(block)
            | Holder::Prev(block)
            | Holder::Body(block) => Some(block),
        }
    }
}

/// All places that speak of each symbol.
pub(super) struct Census {
    holders: BTreeMap<SymId, Vec<Holder>>,
}

/// Takes the parts of the summary of `block` into a census.
struct Parts<'a> {
    census: &'a mut Census,
    memory: &'a Smg,
    block: BlockId,
}

impl Visitor for Parts<'_> {
    fn term(&mut self, role: Role, term: Term) {
        let holder = match role {
            Role::Next => Holder::Next(self.block),
            Role::Prev => Holder::Prev(self.block),
            Role::Empty | Role::Count | Role::Value => Holder::Body(self.block),
        };
        self.census.add(self.memory, term, holder);
    }

    fn body(&mut self, body: &Body) {
        for symbol in body.symbols(&self.memory.context.terms) {
            self.census.add_symbol(*symbol, Holder::Body(self.block));
        }
    }
}

impl Census {
    pub fn take(memory: &Smg, roots: &[Term]) -> Self {
        let mut census = Self { holders: BTreeMap::new() };
        for root in roots {
            census.add(memory, *root, Holder::Root);
        }
        for (&block, object) in &memory.objects {
            if !object.valid {
                continue;
            }
            census.add(memory, object.size, Holder::Size(block));
            for edge in object.content.edges() {
                if let crate::heap::Cell::Value(term) | crate::heap::Cell::Uniform(term) = edge.cell {
                    census.add(memory, term, Holder::Field(block, edge.offset));
                }
            }
            for term in object.content.runs().iter().flat_map(Run::terms) {
                census.add(memory, term, Holder::Run(block));
            }
            if let Some(summary) = object.form.summary() {
                summary.visit(&mut Parts { census: &mut census, memory, block });
            }
        }
        census
    }

    fn add(&mut self, memory: &Smg, term: Term, holder: Holder) {
        for &symbol in memory.context.terms.symbols_of(term).iter() {
            self.add_symbol(symbol, holder);
        }
    }

    fn add_symbol(&mut self, symbol: SymId, holder: Holder) {
        let holders = self.holders.entry(symbol).or_default();
        if !holders.contains(&holder) {
            holders.push(holder);
        }
    }

    pub fn of(&self, symbol: SymId) -> &[Holder] {
        self.holders.get(&symbol).map_or(&[], Vec::as_slice)
    }

    /// Whether something other than blocks that are found by pointers only speaks of the symbol.
    pub fn is_rooted(&self, memory: &Smg, symbol: SymId) -> bool {
        self.of(symbol).iter().any(|holder| {
            holder.block().is_none_or(|block| memory.object(block).is_none_or(|object| !object.kind.can_hang()))
        })
    }

    /// The places that speak of the address of `block`.
    pub fn of_block(&self, memory: &Smg, block: BlockId) -> &[Holder] {
        let symbol = memory.object(block).and_then(|object| memory.context.terms.as_symbol(object.address));
        symbol.map_or(&[], |symbol| self.of(symbol))
    }
}
