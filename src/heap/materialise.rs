//! From a segment back to the node an access needs.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::content::{Cell, Content};
use super::context::SymbolKind;
use super::graph::{Object, Smg};
use super::segment::{Body, Form, Links, Segment, no_content, substituted};
use crate::memory::{BlockId, BlockKind, BlockSpec};
use crate::smt::{SymId, Term};

/// The shortest a segment outside of bodies can be.
pub(crate) const SHORTEST: u32 = 2;

impl Smg {
    /// `block`, an end of a segment, as a region. Exact: the segment has two nodes (then both ends are regions), or one more
    /// than a segment between this node and the other end.
    pub(crate) fn materialise(self, block: BlockId) -> Vec<Smg> {
        let Some((first, segment)) = self.segment_of(block) else { return vec![self] };
        let mut memories = Vec::new();
        if segment.min_len <= SHORTEST {
            memories.extend(self.clone().two_nodes(first, &segment));
        }
        memories.extend(if block == first {
            self.split_first(first, &segment)
        } else {
            self.split_last(first, &segment)
        });
        debug_assert!(memories.iter().all(|memory| memory.consistent() == Ok(())));
        memories
    }

    /// The segment one of whose ends is `block`, and its first node.
    pub(crate) fn segment_of(&self, block: BlockId) -> Option<(BlockId, Rc<Segment>)> {
        let first = match &self.object(block)?.form {
            Form::Region | Form::Optional(_) => return None,
            Form::First(_) => block,
            Form::Last(first) => *first,
        };
        match &self.object(first)?.form {
            Form::First(segment) => Some((first, segment.clone())),
            _ => None,
        }
    }

    /// What a link to `block` holds.
    pub(crate) fn link_to(&self, block: BlockId, links: Links) -> Option<Term> {
        let address = self.object(block)?.address;
        Some(self.context.terms.add_constant(address, i128::from(links.head)))
    }

    fn two_nodes(self, first: BlockId, segment: &Segment) -> Vec<Smg> {
        let (Some(to_first), Some(to_last)) =
            (self.link_to(first, segment.links), self.link_to(segment.last, segment.links))
        else {
            return Vec::new();
        };
        let mut memories = Vec::new();
        for memory in self.instantiate(&segment.body, first, segment.links, to_last, segment.prev) {
            let back = segment.prev.map(|_| to_first);
            memories.extend(memory.instantiate(&segment.body, segment.last, segment.links, segment.next, back));
        }
        memories
    }

    fn split_first(mut self, first: BlockId, segment: &Segment) -> Vec<Smg> {
        let Some(object) = self.object(first).cloned() else { return Vec::new() };
        let second = self.add_like(&object);
        let (Some(to_first), Some(to_second)) =
            (self.link_to(first, segment.links), self.link_to(second, segment.links))
        else {
            return Vec::new();
        };
        let rest = Segment {
            min_len: (segment.min_len - 1).max(SHORTEST),
            prev: segment.prev.map(|_| to_first),
            ..segment.clone()
        };
        self.set_segment(second, rest);
        self.instantiate(&segment.body, first, segment.links, to_second, segment.prev)
    }

    fn split_last(mut self, first: BlockId, segment: &Segment) -> Vec<Smg> {
        let Some(object) = self.object(segment.last).cloned() else { return Vec::new() };
        let before = self.add_like(&object);
        let (Some(to_last), Some(to_before)) =
            (self.link_to(segment.last, segment.links), self.link_to(before, segment.links))
        else {
            return Vec::new();
        };
        let rest =
            Segment { last: before, min_len: (segment.min_len - 1).max(SHORTEST), next: to_last, ..segment.clone() };
        self.set_segment(first, rest);
        let back = segment.prev.map(|_| to_before);
        self.instantiate(&segment.body, segment.last, segment.links, segment.next, back)
    }

    /// A new object of the same kind, size and alignment.
    pub(crate) fn add_like(&mut self, object: &Object) -> BlockId {
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

    /// Makes `first` and `segment.last` the ends of `segment`.
    pub(crate) fn set_segment(&mut self, first: BlockId, segment: Segment) {
        let last = segment.last;
        if let Some(object) = self.object_mut(last) {
            object.form = Form::Last(first);
            object.content = no_content();
        }
        if let Some(object) = self.object_mut(first) {
            object.form = Form::First(Rc::new(segment));
            object.content = no_content();
        }
    }

    /// `block` becomes a node with the content of `body` and these links; what hangs below it comes into being.
    pub(crate) fn instantiate(
        mut self,
        body: &Body,
        block: BlockId,
        links: Links,
        next: Term,
        prev: Option<Term>,
    ) -> Vec<Smg> {
        let blocks = self.instantiate_unexpanded(body, block, links, next, prev);
        // Segments below the node may be shorter than segments that stand alone, other blocks may be absent.
        let mut memories = vec![self];
        for &nested in blocks.iter().skip(1) {
            memories = memories.into_iter().flat_map(|memory| memory.expand(nested, &blocks)).collect();
        }
        memories
    }

    /// Like `instantiate`, with segments and blocks below the node that may be empty or absent; the node and these.
    pub(super) fn instantiate_unexpanded(
        &mut self,
        body: &Body,
        block: BlockId,
        links: Links,
        next: Term,
        prev: Option<Term>,
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
                object.content = self.with_links(object.content, links, next, prev);
            }
            self.objects.insert(blocks[index], Rc::new(object));
        }
        for fact in &body.facts {
            // True of the node that is being told apart, so the constraints stay satisfiable.
            let fact = context.terms.substitute(*fact, &by);
            self.store.assume(&context, fact);
        }
        blocks
    }

    /// One node of a segment as a region of its own, for comparisons.
    pub(crate) fn node_of(&mut self, first: BlockId, segment: &Segment) -> Option<BlockId> {
        let object = self.object(first)?.clone();
        let node = self.add_like(&object);
        let null = self.context.pointer_constant(0);
        self.instantiate_unexpanded(&segment.body, node, segment.links, null, segment.prev.map(|_| null));
        Some(node)
    }

    fn with_links(&self, mut content: Content, links: Links, next: Term, prev: Option<Term>) -> Content {
        let terms = &self.context.terms;
        let width = u64::from(self.context.model.pointer_bytes());
        content.write(terms, links.next, width, Cell::Value(next));
        if let (Some(offset), Some(prev)) = (links.prev, prev) {
            content.write(terms, offset, width, Cell::Value(prev));
        }
        content
    }

    pub(crate) fn forgotten_aligned(&mut self, width: u32, alignment: u32) -> Term {
        let n = self.next_forgotten;
        self.next_forgotten += 1;
        self.context.symbol(SymbolKind::Forgotten(n), width, alignment)
    }

    /// Tells apart what an object that came out of a body stands for, until it is a region or has two nodes at least.
    /// `blocks` are the node and what hangs below it.
    fn expand(self, block: BlockId, blocks: &[BlockId]) -> Vec<Smg> {
        let mut memories = Vec::new();
        match self.object(block).map(|object| object.form.clone()) {
            Some(Form::First(segment)) => {
                if segment.min_len == 0 {
                    memories.extend(self.clone().without(block, &segment).map(|memory| memory.pruned(blocks)));
                }
                if segment.min_len <= 1 {
                    memories.extend(self.clone().single(block, &segment));
                }
                let mut memory = self;
                let min_len = segment.min_len.max(SHORTEST);
                memory.set_segment(block, Segment { min_len, empty: None, ..segment.as_ref().clone() });
                memories.push(memory);
            }
            Some(Form::Optional(absent)) => {
                let mut present = self.clone();
                if let Some(object) = present.object_mut(block) {
                    object.form = Form::Region;
                }
                memories.push(present);
                memories.push(self.absent(block, absent).pruned(blocks));
            }
            _ => memories.push(self),
        }
        memories
    }

    fn absent(mut self, block: BlockId, absent: Term) -> Smg {
        let symbol = self.object(block).and_then(|object| self.context.terms.as_symbol(object.address));
        self.remove_object(block);
        if let Some(symbol) = symbol {
            self.substitute_everywhere(&[(symbol, absent)].into_iter().collect());
        }
        self
    }

    /// What hung below something that turned out not to be there is not there either.
    fn pruned(mut self, blocks: &[BlockId]) -> Smg {
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
            if let Some((first, segment)) = self.segment_of(block) {
                visit(first);
                visit(segment.last);
            }
            let Some(object) = self.object(block) else { continue };
            object.each_term(&mut |term| {
                for symbol in context.terms.symbols_of(term).iter() {
                    self.points_to.get(symbol).copied().into_iter().for_each(&mut visit);
                }
            });
        }
        for block in blocks.iter().filter(|block| !reached.contains(block)) {
            self.remove_object(*block);
        }
        self
    }

    /// The segment is empty: a link to its first node is a link to what follows, one to its last to what precedes.
    fn without(mut self, first: BlockId, segment: &Segment) -> Option<Smg> {
        let context = self.context.clone();
        let terms = &context.terms;
        let head = context.pointer_constant(segment.links.head);
        let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
        let first_symbol = terms.as_symbol(self.object(first)?.address)?;
        let last_symbol = terms.as_symbol(self.object(segment.last)?.address)?;
        if let Some(empty) = segment.empty {
            by.insert(first_symbol, empty);
            by.insert(last_symbol, empty);
        } else {
            by.insert(first_symbol, terms.sub(segment.next, head));
            if let Some(prev) = segment.prev {
                by.insert(last_symbol, terms.sub(prev, head));
            }
        }
        self.remove_object(first);
        self.remove_object(segment.last);
        self.substitute_everywhere(&by);
        Some(self)
    }

    /// The segment is one node.
    fn single(mut self, first: BlockId, segment: &Segment) -> Vec<Smg> {
        let (Some(to), Some(last)) = (self.object(first).cloned(), self.object(segment.last).cloned()) else {
            return Vec::new();
        };
        let Some(last_symbol) = self.context.terms.as_symbol(last.address) else { return Vec::new() };
        let by: FxHashMap<SymId, Term> = [(last_symbol, to.address)].into_iter().collect();
        self.remove_object(segment.last);
        if let Some(object) = self.object_mut(first) {
            object.form = Form::Region;
        }
        self.substitute_everywhere(&by);
        let context = self.context.clone();
        let next = context.terms.substitute(segment.next, &by);
        let prev = segment.prev.map(|prev| context.terms.substitute(prev, &by));
        self.instantiate(&segment.body, first, segment.links, next, prev)
    }

    /// The object and its address are gone; nothing may still speak of them.
    pub(crate) fn remove_object(&mut self, block: BlockId) {
        if let Some(object) = self.objects.remove(&block)
            && let Some(symbol) = self.context.terms.as_symbol(object.address)
        {
            self.points_to.remove(&symbol);
        }
    }

    /// Replaces symbols in all objects: only for symbols that nothing outside of the memory holds.
    pub(crate) fn substitute_everywhere(&mut self, by: &FxHashMap<SymId, Term>) {
        let context = self.context.clone();
        let speaks = |object: &Object| {
            let mut found = false;
            object.each_term(&mut |term| {
                found |= context.terms.symbols_of(term).iter().any(|symbol| by.contains_key(symbol));
            });
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

    /// Whether `block` is a live heap object.
    pub(crate) fn is_live_heap(&self, block: BlockId) -> bool {
        self.object(block).is_some_and(|object| object.valid && object.kind == BlockKind::Heap)
    }
}
