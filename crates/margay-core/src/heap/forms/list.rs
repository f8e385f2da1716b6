//! List segments: what a whole chain of equal nodes is, as one pair of objects.
//!
//! A segment stands for live heap blocks in a row. Its first and its last node are objects with an address of their own, and as long
//! as there are at least two nodes all that is true of addresses of distinct objects is true of them (for fewer see `apart`):
//! ```text
//!        first                                  last
//!   prev ◀─┐ ┌──────┐    ┌──────┐        ┌──────┐
//!          └─┤ body ├───▶│ body ├─▶ … ──▶│ body ├───▶ next
//!            └──────┘◀───┴──────┘        └──────┘
//! ```
//! Each node has the content of a body and links at the offsets of [`Links`]; symbols *bound* in the body
//! have a value of their own in each node, all other symbols one value for all. Blocks that hang below one node only are
//! objects of the body. Where nodes are of several *kinds* (a flag tells whether there is a block below the node, say), there is a
//! body for each kind, and each node is of any of them that may stand there (`succession`).
//!
//! A *path* down a binary tree is a list, too: of each node one of two links leads on, the other to a tree (`path` has the picture).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::succession::{Kinds, Succession, each};
use super::{Body, Change, Form, Held, Outer, Role, Sketch, Summary, Surroundings, Visitor, WellFormed, no_content};
#[cfg(any(test, feature = "testing"))]
use super::{Lead, Piece, Unfolding};
use crate::base::error::ensure;
use crate::heap::context::Context;
use crate::heap::graph::{Object, Smg};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{SymId, Term};

/// The ends of a segment with at least so many nodes are different nodes.
pub const SHORTEST: u32 = 2;

/// Where the nodes of a list hold their links, and where links point to: bytes from the start of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Links {
    /// Links point here.
    pub head: u64,
    /// The link to the following node.
    pub next: u64,
    /// Of a path down a tree: where the link to the following node may be instead; greater than `next`.
    pub branching: Option<u64>,
    /// The link to the preceding node of a doubly linked list; greater than `next` (which direction is "next" is convention) but on
    /// paths, where it is that to the parent.
    pub prev: Option<u64>,
}

impl Links {
    /// The offsets of all links, that to the following node first.
    pub fn offsets(&self) -> Vec<u64> {
        [self.next].into_iter().chain(self.branching).chain(self.prev).collect()
    }

    /// Where all nodes hold the link to the following one: not those of paths.
    pub fn onward(&self) -> Option<u64> {
        self.branching.is_none().then_some(self.next)
    }
}

/// A chain of nodes.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The object that stands for the last node.
    pub last: BlockId,
    /// Where nodes hold their links.
    pub links: Links,
    /// At least so many nodes.
    pub min_len: u32,
    /// How many nodes there are, as wide as a pointer, where that is kept: only outside of bodies, and not of paths.
    pub count: Option<Term>,
    /// What the last node's `next` holds.
    pub next: Term,
    /// What the first node's `prev` holds.
    pub prev: Option<Term>,
    /// Where pointers to the first and to the last node lead when there is no node, if not to what follows and precedes: a
    /// ring leads to itself, and its owner to nothing. Only where `min_len` is zero, and inside of bodies.
    pub empty: Option<Term>,
    /// Of a path: what links to children hold where there is no child.
    pub leaf: Option<Term>,
    /// What nodes look like, a body for each kind of them: at least one, and of paths one.
    pub bodies: Vec<Rc<Body>>,
    /// Nodes of which kinds follow each other.
    pub order: Succession,
}

impl Summary for Segment {
    fn visit(&self, visitor: &mut dyn Visitor) {
        let Links { head, next, branching, prev } = self.links;
        visitor.number(head);
        visitor.number(next);
        visitor.number(branching.unwrap_or(u64::MAX));
        visitor.number(prev.unwrap_or(u64::MAX));
        visitor.least(self.min_len);
        visitor.term(Role::Next, self.next);
        self.prev.into_iter().for_each(|prev| visitor.term(Role::Prev, prev));
        visitor.number(self.empty.is_some().into());
        self.empty.into_iter().for_each(|empty| visitor.term(Role::Empty, empty));
        self.leaf.into_iter().for_each(|leaf| visitor.term(Role::Value, leaf));
        visitor.number(self.count.is_some().into());
        self.count.into_iter().for_each(|count| visitor.term(Role::Count, count));
        visitor.block(self.last);
        visitor.number(self.bodies.len() as u64);
        self.bodies.iter().for_each(|body| visitor.body(body));
        visitor.number(self.order.is_free().into());
        if !self.order.is_free() {
            let Succession { first, last, follows } = &self.order;
            [first, last].into_iter().chain(follows).for_each(|kinds| visitor.number((*kinds).into()));
        }
    }

    fn map(&self, change: &mut dyn Change) -> Form {
        Form::First(Rc::new(Self {
            last: change.end(self.last),
            next: change.term(self.next),
            prev: self.prev.map(|prev| change.term(prev)),
            empty: self.empty.map(|empty| change.term(empty)),
            leaf: self.leaf.map(|leaf| change.term(leaf)),
            count: self.count.map(|count| change.term(count)),
            bodies: self.bodies.iter().map(|body| change.body(body)).collect(),
            order: self.order.clone(),
            ..*self
        }))
    }

    fn ends(&self) -> &[BlockId] {
        std::slice::from_ref(&self.last)
    }

    fn bodies(&self) -> &[Rc<Body>] {
        &self.bodies
    }

    fn link_offsets(&self) -> Vec<u64> {
        self.links.offsets()
    }

    fn named_link(&self) -> Option<u64> {
        self.links.onward()
    }

    fn least(&self) -> u32 {
        self.min_len
    }

    fn count(&self) -> Option<Term> {
        self.count
    }

    fn nonempty(&self) -> Option<Form> {
        let longer = || Form::First(Rc::new(Self { min_len: self.min_len.max(1), empty: None, ..self.clone() }));
        self.may_have(1).then(longer)
    }

    /// A link to the first node is a link to what follows, one to the last to what precedes.
    fn empty(&self, context: &Context, owner: BlockId) -> Vec<(BlockId, Term)> {
        if let Some(empty) = self.empty {
            return vec![(owner, empty), (self.last, empty)];
        }
        let head = context.pointer_constant(self.links.head);
        let node = |link: Term| context.terms.sub(link, head);
        [(owner, node(self.next))].into_iter().chain(self.prev.map(|prev| (self.last, node(prev)))).collect()
    }

    fn holds(&self, owner: BlockId, from: BlockId, held: &mut Held) {
        if self.min_len == 0 {
            // What follows is held either way, unless an empty one leads elsewhere; the other end by all nodes there are.
            if from == owner {
                held.values.extend(Some(self.next).filter(|_| self.empty.is_none()));
                held.blocks.push(self.last);
            } else if let Some(prev) = self.prev {
                held.values.extend(Some(prev).filter(|_| self.empty.is_none()));
                held.blocks.push(owner);
            }
            return;
        }
        held.values.push(self.next);
        held.nodes.push(self.bodies.clone());
        // Back only where nodes are doubly linked.
        held.values.extend(self.prev);
        held.blocks.extend(self.prev.map(|_| owner));
        held.blocks.push(self.last);
    }

    /// Exact: the node, and a segment of one node less between it and the other end.
    fn materialise(&self, memory: Smg, owner: BlockId, at: BlockId) -> Vec<Smg> {
        match self.min_len {
            0 => vec![memory],
            1 if !memory.may_be_split(owner, self, at) => vec![memory],
            _ if at == owner => self.split_first(memory, owner),
            _ => self.split_last(memory, owner),
        }
    }

    fn release(&self, mut memory: Smg, owner: BlockId, siblings: &[BlockId]) -> Vec<Smg> {
        if self.min_len > 0 || (self.empty.is_none() && memory.may_have_no_node(owner, self)) {
            return vec![memory];
        }
        let without = memory.clone().without(owner, self).map(|memory| memory.pruned(siblings));
        memory.set_segment(owner, Segment { min_len: 1, empty: None, ..self.clone() });
        memory.place_ends(owner);
        without.into_iter().chain(self.may_have(1).then_some(memory)).collect()
    }

    fn well_formed(&self, around: &Surroundings, owner: &Object) -> WellFormed {
        let terms = &around.context.terms;
        let bits = around.context.model.pointer_bits();
        let last = (around.lookup)(self.last).ok_or("a segment has no last node")?;
        let alignment =
            |object: &Object| terms.as_symbol(object.address).map(|symbol| terms.symbol_info(symbol).alignment);
        if around.alone && self.min_len == 0 {
            let head = around.context.pointer_constant(self.links.head);
            let fits =
                |link: Term| alignment(owner).is_some_and(|bits| terms.trailing_zeros(terms.sub(link, head)) >= bits);
            ensure(self.empty.is_none() && fits(self.next) && self.prev.is_none_or(fits), || {
                "a list outside of bodies that has no node leads to nowhere".into()
            })?;
        }
        ensure(!self.bodies.is_empty(), || "the nodes of a segment look like nothing".into())?;
        ensure(self.bodies.len() == 1 || self.links.branching.is_none(), || {
            "the nodes of a path are of several kinds".into()
        })?;
        let is_free = self.order.is_free() || self.links.branching.is_none();
        ensure(self.order.is_of(self.bodies.len()) && is_free, || {
            "the nodes of a segment stand in the order of others".into()
        })?;
        let nodes: Option<Vec<&Object>> = self.bodies.iter().map(|body| body.objects.first()).collect();
        let nodes = nodes.ok_or("the body of a segment is empty")?;
        ensure(nodes.iter().all(|node| node.is_region()), || "the node of a body is no region".into())?;
        for other in [last].into_iter().chain(nodes) {
            let same = other.kind == owner.kind
                && other.size == owner.size
                && alignment(other) == alignment(owner)
                && other.valid
                && owner.kind == BlockKind::Heap;
            ensure(same, || "the ends and the nodes of a segment are not alike".into())?;
        }
        let Some(size) = terms.as_const(owner.size) else {
            return Err("the nodes of a segment have no fixed size".into());
        };
        let Links { head, next, branching, prev } = self.links;
        let width = u64::from(around.context.model.pointer_bytes());
        let mut offsets = self.links.offsets();
        offsets.sort_unstable();
        let fits = |offset: &u64| offset.checked_add(width).is_some_and(|end| u128::from(end) <= size);
        let apart = offsets.windows(2).all(|pair| pair[1] - pair[0] >= width);
        let ordered = branching.or(prev).is_none_or(|other| next < other);
        ensure(u128::from(head) < size && offsets.iter().all(fits) && apart && ordered, || {
            "the links of a segment do not fit its nodes".into()
        })?;
        self.well_forked(around, owner)?;
        ensure(self.empty.is_none_or(|empty| self.min_len == 0 && terms.width(empty) == bits), || {
            "a segment that is never empty, or too narrowly, says where it leads then".into()
        })?;
        ensure(
            self.count.is_none_or(|count| around.alone && branching.is_none() && terms.width(count) == bits),
            || "the nodes of a segment are counted where they cannot be, or too narrowly".into(),
        )?;
        let wide = terms.width(self.next) == bits && self.prev.is_none_or(|prev| terms.width(prev) == bits);
        ensure(wide && self.prev.is_some() == prev.is_some(), || "a segment is not linked as it says".into())
    }

    fn sketch(&self) -> Sketch {
        let Links { head, next, branching, prev } = self.links;
        let kind = match (branching, prev) {
            (Some(_), _) => "PATH",
            (None, Some(_)) => "DLL",
            (None, None) => "SLL",
        };
        let [onward, back] = if branching.is_some() { ["left", "parent"] } else { ["next", "prev"] };
        let before = self.prev.map(|value| Outer { label: "before", at: 0, from: 1, value });
        let after = Outer { label: "after", at: 1, from: 0, value: self.next };
        let leaves = self.leaf.map(|value| Outer { label: "leaves", at: 0, from: 0, value });
        Sketch {
            title: format!("{kind} {}+", self.min_len),
            links: [(onward, next)]
                .into_iter()
                .chain(branching.map(|branching| ("right", branching)))
                .chain(prev.map(|prev| (back, prev)))
                .collect(),
            head,
            ends: vec!["first", "last"],
            outer: before.into_iter().chain([after]).chain(leaves).collect(),
            absent: None,
            order: (!self.order.is_free()).then(|| self.order.to_string()),
        }
    }

    #[cfg(any(test, feature = "testing"))]
    fn unfoldings_at(
        &self,
        context: &Context,
        owner: BlockId,
        address: u128,
        read: &dyn Fn(u128) -> Option<u128>,
    ) -> Option<Vec<Unfolding>> {
        let tree = self.subtree(self.prev)?;
        let empty = Unfolding::empty(self, context, owner);
        Some([empty].into_iter().chain(self.paths_at(context, owner, &tree, address, read)?).collect())
    }

    #[cfg(any(test, feature = "testing"))]
    fn unfoldings(&self, context: &Context, owner: BlockId, nodes: u32) -> Vec<Unfolding> {
        let Some(end) = (nodes as usize).checked_sub(1) else { return vec![Unfolding::empty(self, context, owner)] };
        if let Some(tree) = self.subtree(self.prev) {
            return self.paths(owner, &tree, nodes);
        }
        let ends = (0..end).fold(self.order.first, |kinds, _| self.order.after(kinds));
        if ends & self.order.last == 0 {
            return Vec::new();
        }
        let Links { head, next, prev, .. } = self.links;
        let piece = |index: usize| {
            let after =
                if index == end { (next, 0, Lead::Value(self.next)) } else { (next, head, Lead::Node(index + 1)) };
            let before = prev.zip(self.prev).map(|(offset, before)| match index.checked_sub(1) {
                Some(index) => (offset, head, Lead::Node(index)),
                None => (offset, 0, Lead::Value(before)),
            });
            Piece { bodies: self.bodies.clone(), links: [after].into_iter().chain(before).collect() }
        };
        let ends = vec![(owner, Lead::Node(0)), (self.last, Lead::Node(end))];
        vec![Unfolding { pieces: (0..=end).map(piece).collect(), ends, order: Some(self.order.clone()) }]
    }
}

impl Segment {
    /// What its nodes look like, where they are of one kind.
    pub fn only_body(&self) -> Option<&Rc<Body>> {
        match self.bodies.as_slice() {
            [body] => Some(body),
            _ => None,
        }
    }

    /// How many nodes there are when one is taken away.
    fn one_fewer(&self, memory: &Smg) -> Option<Term> {
        self.count.map(|count| memory.context().terms.add_constant(count, -1))
    }

    fn split_first(&self, mut memory: Smg, first: BlockId) -> Vec<Smg> {
        let Some(object) = memory.object(first).cloned() else { return Vec::new() };
        let second = memory.add_like(&object);
        let (Some(to_first), Some(to_second)) = (memory.link_to(first, self.links), memory.link_to(second, self.links))
        else {
            return Vec::new();
        };
        let count = self.one_fewer(&memory);
        let rest = Segment { min_len: self.min_len - 1, count, prev: self.prev.map(|_| to_first), ..self.clone() };
        let after = |kinds: Kinds| Succession { first: self.order.after(kinds), ..self.order.clone() };
        let cases =
            self.by_rest((self.order.first, self.order.last), &rest, after).into_iter().flat_map(|(kinds, rest)| {
                let mut memory = memory.clone();
                memory.set_segment(second, rest);
                memory.place_ends(second);
                self.as_node(memory, (first, kinds), to_second, self.prev)
            });
        cases.collect()
    }

    fn split_last(&self, mut memory: Smg, first: BlockId) -> Vec<Smg> {
        let Some(object) = memory.object(self.last).cloned() else { return Vec::new() };
        let before = memory.add_like(&object);
        let (Some(to_last), Some(to_before)) =
            (memory.link_to(self.last, self.links), memory.link_to(before, self.links))
        else {
            return Vec::new();
        };
        let count = self.one_fewer(&memory);
        let rest = Segment { last: before, min_len: self.min_len - 1, count, next: to_last, ..self.clone() };
        let until = |kinds: Kinds| Succession { last: self.order.before(kinds), ..self.order.clone() };
        let cases =
            self.by_rest((self.order.last, self.order.first), &rest, until).into_iter().flat_map(|(kinds, rest)| {
                let mut memory = memory.clone();
                memory.set_segment(first, rest);
                memory.place_ends(first);
                self.as_node(memory, (self.last, kinds), self.next, self.prev.map(|_| to_before))
            });
        cases.collect()
    }

    /// The segment is one node, whose address is that of the first one; nothing in the memory speaks of the last one's any more.
    pub fn single(&self, mut memory: Smg, first: BlockId) -> Vec<Smg> {
        let (Some(to), Some(last)) = (memory.object(first).cloned(), memory.object(self.last).cloned()) else {
            return Vec::new();
        };
        let context = memory.context().clone();
        let Some(last_symbol) = context.terms.as_symbol(last.address) else { return Vec::new() };
        let by: FxHashMap<SymId, Term> = [(last_symbol, to.address)].into_iter().collect();
        memory.remove_object(self.last);
        if let Some(object) = memory.object_mut(first) {
            object.form = Form::Region;
        }
        memory.substitute_everywhere(&by);
        let renamed = |term: Term| context.terms.substitute(term, &by);
        let kinds = self.order.first & self.order.last;
        self.as_node(memory, (first, kinds), renamed(self.next), self.prev.map(renamed))
    }

    /// What is `left` of the segment beside a node of one of `kinds`, which are those with the same rest: nodes in the order that is
    /// told of these kinds, or none behind (before) kinds that `may_end` it.
    fn by_rest(
        &self,
        (kinds, may_end): (Kinds, Kinds),
        left: &Segment,
        order: impl Fn(Kinds) -> Succession,
    ) -> Vec<(Kinds, Segment)> {
        let sets: Vec<Kinds> =
            if self.order.is_free() { vec![kinds] } else { each(kinds).map(|kind| 1 << kind).collect() };
        let rest = |kinds: Kinds| match (left.ordered(order(kinds)), left.min_len == 0 && kinds & may_end != 0) {
            (Some(rest), true) => Some(rest),
            (Some(rest), false) => Some(Segment { min_len: rest.min_len.max(1), ..rest }),
            (None, true) => Some(left.without_nodes()),
            (None, false) => None,
        };
        sets.into_iter().filter_map(|kinds| Some((kinds, rest(kinds)?))).collect()
    }

    /// The same in this order, without kinds that no node is of then; `None` where there is no such list but that without a node.
    fn ordered(&self, order: Succession) -> Option<Segment> {
        let met = order.met();
        let kept: Vec<usize> = each(met).collect();
        let to: Vec<Option<usize>> =
            (0..self.bodies.len()).map(|kind| kept.iter().position(|other| *other == kind)).collect();
        let bodies = kept.iter().map(|kind| self.bodies[*kind].clone()).collect();
        let order = order.renamed(&to, kept.len());
        (met != 0).then(|| Segment { bodies, order, ..self.clone() })
    }

    /// The same where no node may be the first one.
    fn without_nodes(&self) -> Segment {
        let bodies = self.bodies.iter().take(1).cloned().collect();
        Segment { bodies, order: Succession::nothing(), ..self.clone() }
    }

    /// Whether there are lists of so many nodes.
    pub fn may_have(&self, nodes: u32) -> bool {
        let more = (1..nodes).fold(self.order.first, |kinds, _| self.order.after(kinds));
        nodes == 0 || Succession { first: more, ..self.order.clone() }.met() != 0
    }

    /// The memories in which `node` is a node of the segment, of one of the kinds, between these two.
    fn as_node(&self, memory: Smg, (node, kinds): (BlockId, Kinds), next: Term, prev: Option<Term>) -> Vec<Smg> {
        if let Some(tree) = self.subtree(prev) {
            return tree.with_one_known(memory, node, next);
        }
        let back = self.links.prev.zip(prev);
        let links: Vec<(u64, Term)> = [(self.links.next, next)].into_iter().chain(back).collect();
        match self.bodies.as_slice() {
            [body] if kinds == 1 => memory.instantiate(body, node, &links),
            bodies => each(kinds).flat_map(|kind| memory.clone().instantiate(&bodies[kind], node, &links)).collect(),
        }
    }
}

impl Object {
    /// The same, but for how many nodes there are in the segment that it begins.
    pub fn uncounted(&self) -> Rc<Object> {
        let mut object = self.clone();
        if let Form::First(segment) = &mut object.form {
            Rc::make_mut(segment).count = None;
        }
        Rc::new(object)
    }
}

impl Smg {
    /// The segment one of whose ends is `block`, and its first node.
    pub fn segment_of(&self, block: BlockId) -> Option<(BlockId, Rc<Segment>)> {
        let (first, object) = self.owner_of(block)?;
        match &object.form {
            Form::First(segment) => Some((first, segment.clone())),
            _ => None,
        }
    }

    /// What a link to `block` holds.
    pub fn link_to(&self, block: BlockId, links: Links) -> Option<Term> {
        let address = self.object(block)?.address;
        Some(self.context.terms.add_constant(address, i128::from(links.head)))
    }

    /// Makes `first` and `segment.last` the ends of `segment`.
    pub fn set_segment(&mut self, first: BlockId, segment: Segment) {
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

    /// The segment that begins at `first` tells that it has so many nodes.
    pub fn set_count(&mut self, first: BlockId, count: Option<Term>) {
        if let Some(object) = self.object_mut(first)
            && let Form::First(segment) = &mut object.form
        {
            Rc::make_mut(segment).count = count;
        }
    }

    /// A node like `like`, with this body and these links, as a region of its own, for comparisons.
    pub fn node_of(&mut self, like: BlockId, body: &Body, links: Links) -> Option<BlockId> {
        let node = self.lone_node(like)?;
        let null = self.context.pointer_constant(0);
        let mut held: Vec<(u64, Term)> = links.offsets().into_iter().map(|offset| (offset, null)).collect();
        if let Some(next) = links.onward() {
            // The body may speak of it.
            held[0].1 = self.any_link(body, next);
        }
        self.instantiate_unexpanded(body, node, &held);
        Some(node)
    }
}
