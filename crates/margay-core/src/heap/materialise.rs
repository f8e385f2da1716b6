//! From a summary back to the node an access needs.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::content::Cell;
use super::context::SymbolKind;
use super::forms::{Body, Summary, substituted};
use super::graph::{Object, Smg};
use crate::memory::{BlockId, BlockKind, BlockSpec};
use crate::smt::{SymId, Term};

impl Smg {
    /// The memories in which `block`, an end of a summary, is a region; all together stand for what this one stands for.
    pub fn materialise(self, block: BlockId) -> Vec<Smg> {
        let Some((owner, object)) = self.owner_of(block) else { return vec![self] };
        let Some(summary) = object.form.summary() else { return vec![self] };
        let memories = summary.materialise(self, owner, block);
        debug_assert!(memories.iter().all(|memory| memory.consistent() == Ok(())));
        memories
    }

    /// A new object of the same kind, size and alignment.
    pub fn add_like(&mut self, object: &Object) -> BlockId {
        let terms = &self.context.terms;
        let alignment = terms.as_symbol(object.address).map_or(0, |symbol| terms.symbol_info(symbol).alignment);
        let spec = BlockSpec {
            kind: object.kind,
            size: object.size,
            align: 1 << alignment,
            zeroed: false,
            origin: object.origin.clone(),
        };
        self.add_object(spec)
    }

    /// A new object like the node that a summary begins with.
    pub fn lone_node(&mut self, first: BlockId) -> Option<BlockId> {
        let object = self.object(first)?.clone();
        Some(self.add_like(&object))
    }

    /// All cases of what `node` can be as a node with this body; its links, at these offsets, lead anywhere.
    pub fn instances_of(mut self, body: &Body, node: BlockId, links: &[u64]) -> Vec<Smg> {
        let links: Vec<(u64, Term)> = links.iter().map(|offset| (*offset, self.any_link(body, *offset))).collect();
        self.instantiate(body, node, &links)
    }

    /// What a link of a node with this body may hold, of which nothing is known but what the body says of it.
    pub fn any_link(&mut self, body: &Body, offset: u64) -> Term {
        let terms = &self.context.terms;
        let alignment = body.tie(&self.context, offset).map_or(0, |symbol| terms.symbol_info(symbol).alignment);
        self.forgotten_aligned(self.context.model.pointer_bits(), alignment)
    }

    /// `block` becomes a node with the content of `body` and these links (offset and value); what hangs below it comes into
    /// being.
    pub fn instantiate(mut self, body: &Body, block: BlockId, links: &[(u64, Term)]) -> Vec<Smg> {
        let blocks = self.instantiate_unexpanded(body, block, links);
        // Lists below the node may lead elsewhere than to what follows when they have no node, other blocks may be absent.
        let mut memories = vec![self];
        for &nested in blocks.iter().skip(1) {
            memories = memories.into_iter().flat_map(|memory| memory.release(nested, &blocks)).collect();
        }
        memories
    }

    /// Like `instantiate`, with segments and blocks below the node that may be empty or absent; the node and these.
    pub(super) fn instantiate_unexpanded(
        &mut self,
        body: &Body,
        block: BlockId,
        links: &[(u64, Term)],
    ) -> Vec<BlockId> {
        let context = self.context.clone();
        let mut blocks = vec![block];
        let Some(node) = self.object(block).cloned() else { return blocks };
        let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
        for (index, object) in body.objects.iter().enumerate() {
            let address = match index {
                0 => node.address,
                _ => {
                    let new = self.add_like(object);
                    blocks.push(new);
                    self.object(new).map_or(object.address, |object| object.address)
                }
            };
            if let Some(symbol) = context.terms.as_symbol(object.address) {
                by.insert(symbol, address);
            }
        }
        for (offset, link) in links {
            // What the link holds has a name in the body. No node has a link less aligned than that.
            if let Some(symbol) = body.tie(&context, *offset)
                && context.terms.trailing_zeros(*link) >= context.terms.symbol_info(symbol).alignment
            {
                by.insert(symbol, *link);
            }
        }
        for symbol in body.bound(&context) {
            by.entry(symbol).or_insert_with(|| {
                let info = context.terms.symbol_info(symbol);
                self.forgotten_aligned(info.width, info.alignment)
            });
        }
        let renamed = |block: BlockId| blocks.get(block.index()).copied().unwrap_or(block);
        for (index, object) in body.objects.iter().enumerate() {
            let mut object = substituted(&context, object, &by).map_blocks(&renamed);
            if index == 0 {
                object.origin = node.origin.clone();
            }
            self.objects.insert(blocks[index], Rc::new(object));
        }
        for block in &blocks[1..] {
            self.place_ends(*block);
        }
        for fact in &body.facts {
            // True of the node that is being distinguished, so the constraints stay satisfiable.
            let fact = context.terms.substitute(*fact, &by);
            self.store.assume(&context, fact);
        }
        // The facts say which runs lie beside the links.
        let width = u64::from(context.model.pointer_bytes());
        links.iter().for_each(|(offset, link)| self.write_cell(block, *offset, width, Cell::Value(*link)));
        blocks
    }

    /// A value about which nothing is known but that its lowest bits are zero.
    pub fn forgotten_aligned(&mut self, width: u32, alignment: u32) -> Term {
        let n = self.next_forgotten;
        self.next_forgotten += 1;
        self.context.symbol(SymbolKind::Forgotten(n), width, alignment)
    }

    /// Distinguishes what an object that came out of a body stands for, until it may stand alone. `siblings` are the node and
    /// what hangs below it.
    fn release(self, block: BlockId, siblings: &[BlockId]) -> Vec<Smg> {
        let Some(object) = self.object(block).cloned() else { return vec![self] };
        match object.form.summary() {
            Some(summary) => summary.release(self, block, siblings),
            None => vec![self],
        }
    }

    /// What hung below something that turned out not to be there is not there either.
    pub(super) fn pruned(mut self, blocks: &[BlockId]) -> Smg {
        let Some(&node) = blocks.first() else { return self };
        let context = self.context.clone();
        let mut reached = BTreeSet::from([node]);
        let mut work = vec![node];
        while let Some(block) = work.pop() {
            let mut visit = |target: BlockId| {
                if reached.insert(target) {
                    work.push(target);
                }
            };
            let Some(object) = self.object(block) else { continue };
            object.each_tied(&mut visit);
            object.each_symbol(&context.terms, &mut |symbol| {
                self.points_to.get(&symbol).copied().into_iter().for_each(&mut visit);
            });
        }
        for block in blocks.iter().filter(|block| !reached.contains(block)) {
            self.remove_object(*block);
        }
        self
    }

    /// The summary of `owner` has no node: its ends lead where it says they do then.
    pub(super) fn without(mut self, owner: BlockId, summary: &dyn Summary) -> Option<Smg> {
        let by = self.ends_of_nothing(owner, summary)?;
        for end in [&owner].into_iter().chain(summary.ends()) {
            self.remove_object(*end);
        }
        self.substitute_everywhere(&by);
        Some(self)
    }

    /// What the addresses of the summary's ends are when it has no node. One may be said to lead where another one does.
    pub(super) fn ends_of_nothing(&self, owner: BlockId, summary: &dyn Summary) -> Option<FxHashMap<SymId, Term>> {
        let terms = &self.context.terms;
        let mut stated: FxHashMap<SymId, Term> = FxHashMap::default();
        for (end, value) in summary.empty(&self.context, owner) {
            stated.insert(terms.as_symbol(self.object(end)?.address)?, value);
        }
        Some(stated.iter().map(|(end, value)| (*end, terms.substitute(*value, &stated))).collect())
    }

    /// The object and its address are gone; nothing may still speak of them.
    pub fn remove_object(&mut self, block: BlockId) {
        if let Some(object) = self.objects.remove(&block)
            && let Some(symbol) = self.context.terms.as_symbol(object.address)
        {
            self.points_to.remove(&symbol);
        }
    }

    /// Replaces symbols in all objects: only for symbols that nothing outside of the memory holds.
    pub fn substitute_everywhere(&mut self, by: &FxHashMap<SymId, Term>) {
        let context = self.context.clone();
        let speaks = |object: &Object| {
            let mut found = false;
            object.each_symbol(&context.terms, &mut |symbol| found |= by.contains_key(&symbol));
            found
        };
        let changed: Vec<BlockId> =
            self.objects.iter().filter(|(_, object)| speaks(object)).map(|(block, _)| *block).collect();
        for block in changed {
            if let Some(object) = self.objects.get(&block).map(|object| substituted(&context, object, by)) {
                self.objects.insert(block, Rc::new(object));
            }
        }
    }

    /// Whether `block` is a live object that may hang below a node or a cell: nothing says when it ends but a `free`.
    pub fn can_hang(&self, block: BlockId) -> bool {
        self.object(block).is_some_and(|object| object.valid && object.kind.can_hang())
    }

    /// Whether `block` is a live heap object.
    pub fn is_live_heap(&self, block: BlockId) -> bool {
        self.object(block).is_some_and(|object| object.valid && object.kind == BlockKind::Heap)
    }
}
