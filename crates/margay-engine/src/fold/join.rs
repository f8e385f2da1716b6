//! The join of two nodes: the body both are instances of, with all that hangs below them.
//!
//! A walk of both in lockstep. Over-approximates: the result's symbols are bound, so each node may have its own values; where
//! only one side has a block or a list, the result has one that may be absent or empty. What cannot be joined is
//! `None`, never a guess.

use super::discover::{next_of, prev_of};
use super::extract::{extract, nested};
use super::named_links::tied;
use super::paths::aside;
use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::census::Census;
use super::downward::Downward;
use super::join_side::Side;
use super::named_links::{Ports, Tie};
use super::node_kinds::NodeKinds;
use crate::heap::{Body, Context, Form, Object, Optional, Segment, Smg, SymbolKind, Tree, has_empty_cycle, no_content};
use crate::memory::BlockId;
use crate::numeric::Thresholds;
use crate::smt::{SymId, Term};

/// An address of the left node, the one of the right node that corresponds to it, and what stands for both.
pub(super) type Correspondence = (Term, Term, Term);

/// What the values of both sides are in.
#[derive(Clone, Copy)]
pub(super) struct Folding<'a> {
    pub roots: &'a [Term],
    pub thresholds: &'a Thresholds,
    /// Pointers that lead down from one list to another, where something is known of them.
    pub downward: Option<&'a Downward>,
    /// Nested lists inside nested lists: joins within joins.
    pub depth: u32,
    /// Numbers that differ, but for those of which nothing is known, are not joined.
    pub exact: bool,
    /// What numbers of nodes have to do with those that variables hold is looked for.
    pub ordered: bool,
    /// Nodes are distinguished by what they have below them: where numbers are exact, a block and none are not joined.
    pub follows: bool,
}

/// Joins within joins that are tried.
const DEEPEST: u32 = 6;

/// The body of two regions of one memory, their links, which are at these offsets, aside.
pub(super) fn join_nodes(
    memory: &Smg,
    folding: Folding,
    (left, right): (BlockId, BlockId),
    ports: Ports,
    outer: &[Correspondence],
) -> Option<Body> {
    if folding.depth > DEEPEST {
        return None;
    }
    let links = &ports.links;
    // What both nodes are below is not theirs, however little else leads there.
    let mut roots = folding.roots.to_vec();
    roots.extend(outer.iter().flat_map(|(left, right, _)| [*left, *right]));
    let census = Census::take(memory, &roots);
    let tied = tied(memory, &census, (left, right), &ports);
    let (memory, census) = match &tied {
        Some((Some(memory), _)) => (memory, Census::take(memory, &roots)),
        _ => (memory, census),
    };
    let sides = (Side::new(memory, &census, left, links), Side::new(memory, &census, right, links));
    let mut join = Join::of(memory, folding, sides, outer);
    join.links = links.clone();
    if let Some((_, ends)) = &tied {
        join.tie(ends);
    }
    join.pair(left, right)?;
    join.walk()?;
    join.finish()
}

/// An object of the result.
pub(super) struct Joint {
    pub left: Option<BlockId>,
    pub right: Option<BlockId>,
    pub address: Term,
    pub object: Option<Object>,
    /// What the address is, in terms of the side that lacks the object, when the object is absent.
    pub absent: Option<Term>,
}

pub(super) struct Join<'a> {
    pub(super) memory: &'a Smg,
    pub(super) context: Rc<Context>,
    pub(super) folding: Folding<'a>,
    /// Where the nodes that are joined have their links.
    links: Vec<u64>,
    /// What stands for both of what the links onwards hold, where the rest of a node speaks of it.
    pub(super) tie: Option<Tie>,
    pub(super) left: Side,
    pub(super) right: Side,
    pub(super) outer: &'a [Correspondence],
    pub(super) results: Vec<Joint>,
    /// A region that is both the first and the last node of the other side's segment: region, block of the other side, result.
    aliases: Vec<(BlockId, BlockId, usize)>,
    pub(super) data: FxHashMap<(Term, Term), Term>,
    /// The result's new symbols and their classes.
    pub(super) classes: FxHashMap<SymId, u8>,
    pub(super) facts: Vec<Term>,
    /// Bounds of places where texts end.
    pub(super) ends: Vec<Term>,
    work: VecDeque<usize>,
    /// So many results have their size and what is known of their cells.
    measured: usize,
}

impl<'a> Join<'a> {
    pub fn of(memory: &'a Smg, folding: Folding<'a>, (left, right): (Side, Side), outer: &'a [Correspondence]) -> Self {
        Self {
            memory,
            context: memory.context().clone(),
            folding,
            links: Vec::new(),
            tie: None,
            left,
            right,
            outer,
            results: Vec::new(),
            aliases: Vec::new(),
            data: FxHashMap::default(),
            classes: FxHashMap::default(),
            facts: Vec::new(),
            ends: Vec::new(),
            work: VecDeque::new(),
            measured: 0,
        }
    }
}

impl Join<'_> {
    /// Whether whole states are joined, of which nothing is forgotten but how long lists are that are not counted.
    pub(super) fn is_of_states(&self) -> bool {
        self.folding.exact && self.folding.depth == 0
    }

    /// Joins what the objects met so far hold, and so on.
    fn walk(&mut self) -> Option<()> {
        loop {
            while let Some(result) = self.work.pop_front() {
                self.join_content(result)?;
            }
            // Once the numbers that nodes hold are known: they say how large blocks are.
            if self.measured == self.results.len() {
                return Some(());
            }
            self.measured += 1;
            self.measure(self.measured - 1)?;
        }
    }

    /// Everything on both sides has its place in the result.
    fn is_accounted(&self) -> bool {
        let lefts: Vec<BlockId> = self.results.iter().filter_map(|joint| joint.left).collect();
        let rights: Vec<BlockId> = self.results.iter().filter_map(|joint| joint.right).collect();
        let is_there = |side: &Side, blocks: &[BlockId]| {
            side.nested.iter().all(|block| blocks.contains(block) || side.consumed.contains(block))
        };
        is_there(&self.left, &lefts) && is_there(&self.right, &rights)
    }

    /// Whether both sides have the object of the result, or it may stand for nothing.
    fn may_be_missing(&self, index: usize) -> bool {
        let owner = self.results[index].object.as_ref().and_then(|object| object.form.end_of());
        let Some(joint) = self.results.get(owner.map_or(index, BlockId::index)) else { return false };
        let summary = joint.object.as_ref().and_then(|object| object.form.summary());
        (joint.left.is_some() && joint.right.is_some()) || summary.is_some_and(|summary| summary.least() == 0)
    }

    /// The objects of the result, which refer to each other by their positions, where nothing but numbers is known of numbers, and bounds of
    /// places where texts end.
    pub fn results(mut self) -> Option<(Vec<Object>, Vec<Term>)> {
        self.walk()?;
        let may_be_missing = (0..self.results.len()).all(|index| self.may_be_missing(index));
        (self.is_accounted() && self.facts.is_empty() && may_be_missing).then_some(())?;
        let objects: Option<Vec<Object>> = self.results.into_iter().map(|joint| joint.object).collect();
        Some((objects?, self.ends))
    }

    pub(super) fn fresh(&mut self, like: Term, class: u8) -> Term {
        let terms = &self.context.terms;
        let (width, alignment) = match terms.as_symbol(like) {
            Some(symbol) => (terms.width(like), terms.symbol_info(symbol).alignment),
            None => (terms.width(like), 0),
        };
        let term = terms.fresh_aligned_symbol(width, alignment, "joint");
        if let Some(symbol) = terms.as_symbol(term) {
            self.classes.insert(symbol, class);
        }
        term
    }

    /// A result for the two (or the one) with the address of either.
    pub(super) fn add(&mut self, left: Option<BlockId>, right: Option<BlockId>) -> Option<usize> {
        self.add_aligned(left, right, u32::MAX)
    }

    /// So many low bits of a block's address are known to be zero.
    fn alignment(&self, block: Option<BlockId>) -> Option<u32> {
        let Some(block) = block else { return Some(u32::MAX) };
        let terms = &self.context.terms;
        Some(terms.symbol_info(terms.as_symbol(self.memory.object(block)?.address)?).alignment)
    }

    /// Like `add`; of the low bits of the address at most `most` are known to be zero.
    pub(super) fn add_aligned(&mut self, left: Option<BlockId>, right: Option<BlockId>, most: u32) -> Option<usize> {
        let object = self.memory.object(left.or(right)?)?.clone();
        let alignment = self.alignment(left)?.min(self.alignment(right)?).min(most);
        let terms = &self.context.terms;
        let address = terms.fresh_aligned_symbol(terms.width(object.address), alignment, "joint");
        self.classes.insert(terms.as_symbol(address)?, SymbolKind::Address(BlockId(0)).class());
        for (side, block) in [(&mut self.left, left), (&mut self.right, right)] {
            if let Some(block) = block {
                let symbol = self.context.terms.as_symbol(self.memory.object(block)?.address)?;
                side.to_result.entry(symbol).or_insert(address);
            }
        }
        self.results.push(Joint { left, right, address, object: None, absent: None });
        Some(self.results.len() - 1)
    }

    pub(super) fn find(&self, left: Option<BlockId>, right: Option<BlockId>) -> Option<usize> {
        let meets = |joint: &Joint| (left.is_some() && joint.left == left) || (right.is_some() && joint.right == right);
        self.results.iter().position(meets)
    }

    /// The result that stands for `left` on the left and `right` on the right.
    fn pair(&mut self, left: BlockId, right: BlockId) -> Option<usize> {
        if let Some(&(_, _, result)) = self.aliases.iter().find(|alias| (alias.0, alias.1) == (left, right)) {
            return Some(result);
        }
        let (a, b) = (self.memory.object(left)?.clone(), self.memory.object(right)?.clone());
        if let (Form::Last(first), Form::Last(other)) = (&a.form, &b.form)
            && self.find(Some(left), Some(right)).is_none()
        {
            self.pair(*first, *other)?;
        }
        if let Some(found) = self.find(Some(left), Some(right)) {
            let joint = &self.results[found];
            return (joint.left == Some(left) && joint.right == Some(right)).then_some(found);
        }
        if a.kind != b.kind || !a.valid || !b.valid {
            return None;
        }
        // Nodes are as large as each other, and so are the blocks of states; what hangs below nodes need not be.
        let is_below = left != self.left.node && !self.is_of_states() && a.form.has_content() && b.form.has_content();
        (a.size == b.size || is_below).then_some(())?;
        match (&a.form, &b.form) {
            (Form::Region | Form::Optional(_), Form::Region | Form::Optional(_)) => {
                let form = match (&a.form, &b.form) {
                    (Form::Optional(Optional { absent }), Form::Optional(Optional { absent: other })) => {
                        let absent = self.in_result(true, *absent)?;
                        (self.in_result(false, *other)? == absent).then_some(Form::Optional(Optional { absent }))?
                    }
                    (Form::Optional(Optional { absent }), _) => {
                        Form::Optional(Optional { absent: self.in_result(true, *absent)? })
                    }
                    (_, Form::Optional(Optional { absent })) => {
                        Form::Optional(Optional { absent: self.in_result(false, *absent)? })
                    }
                    _ => Form::Region,
                };
                let result = self.add(Some(left), Some(right))?;
                let address = self.results[result].address;
                self.results[result].object =
                    Some(Object { form, address, content: no_content(), ..a.as_ref().clone() });
                self.work.push_back(result);
                Some(result)
            }
            (Form::First(one), Form::First(other)) if one.links == other.links => {
                self.join_segments((left, one), (right, other))
            }
            (Form::Tree(one), Form::Tree(other)) if one.links == other.links => {
                self.join_trees((left, one), (right, other))
            }
            (Form::Region | Form::Optional(_), Form::First(segment)) => {
                self.node_and_segment(left, (right, segment), true)
            }
            (Form::First(segment), Form::Region | Form::Optional(_)) => {
                self.node_and_segment(right, (left, segment), false)
            }
            _ => None,
        }
    }

    fn join_segments(
        &mut self,
        (left, one): (BlockId, &Rc<Segment>),
        (right, other): (BlockId, &Rc<Segment>),
    ) -> Option<usize> {
        let first = self.add(Some(left), Some(right))?;
        let last = self.add(Some(one.last), Some(other.last))?;
        let next = self.value(one.next, other.next)?;
        let prev = match (one.prev, other.prev) {
            (Some(one), Some(other)) => Some(self.value(one, other)?),
            _ => None,
        };
        let leaf = match (one.leaf, other.leaf) {
            (Some(one), Some(other)) => Some(self.value(one, other)?),
            _ => None,
        };
        let count = match (one.count, other.count) {
            (Some(one), Some(other)) if self.is_of_states() => Some(self.value(one, other)?),
            _ => None,
        };
        let NodeKinds { bodies, order } = self.join_kinds((left, one), (right, other))?;
        let min_len = one.min_len.min(other.min_len);
        let empty = |join: &Self, on_left: bool, segment: &Segment| match segment.empty {
            Some(empty) => join.in_result(on_left, empty).map(Some),
            None => Some(None),
        };
        let empty = match (one.min_len, other.min_len) {
            (0, 0) => {
                let (one, other) = (empty(self, true, one)?, empty(self, false, other)?);
                (one == other).then_some(one)?
            }
            (0, _) => empty(self, true, one)?,
            (_, 0) => empty(self, false, other)?,
            _ => None,
        };
        self.put_segment(
            (first, last),
            Segment {
                last: BlockId::from_index(last),
                min_len,
                count,
                next,
                prev,
                empty,
                leaf,
                bodies,
                order,
                links: one.links,
            },
            left,
        )
    }

    fn join_trees(&mut self, (left, one): (BlockId, &Rc<Tree>), (right, other): (BlockId, &Rc<Tree>)) -> Option<usize> {
        let root = self.add(Some(left), Some(right))?;
        let leaf = self.value(one.leaf, other.leaf)?;
        let up = match (one.up, other.up) {
            (Some(one), Some(other)) => Some(self.value(one, other)?),
            _ => None,
        };
        let body = match self.same_body(&one.body, &other.body) {
            Some(body) => body,
            None => {
                let mut scratch = self.memory.clone();
                let nodes = (scratch.node_of_tree(left, one)?, scratch.node_of_tree(right, other)?);
                self.inner(&scratch, nodes, Ports { links: one.links.offsets(), onward: None }, self.folding.exact)?
            }
        };
        let min_len = one.min_len.min(other.min_len);
        self.put_tree(root, Tree { min_len, leaf, up, body, links: one.links }, left)
    }

    /// Makes the result `root` a tree; in all else it is like the object of `like`.
    pub(super) fn put_tree(&mut self, root: usize, tree: Tree, like: BlockId) -> Option<usize> {
        let object = self.memory.object(like)?.as_ref().clone();
        let (form, address) = (Form::Tree(Rc::new(tree)), self.results[root].address);
        self.results[root].object = Some(Object { form, address, content: no_content(), ..object });
        Some(root)
    }

    /// A single node on one side, a segment on the other.
    fn node_and_segment(
        &mut self,
        node: BlockId,
        (start, segment): (BlockId, &Rc<Segment>),
        node_left: bool,
    ) -> Option<usize> {
        (segment.count.is_none() || !self.is_of_states()).then_some(())?;
        let links = segment.links;
        let sides = |own: Option<BlockId>, other: Option<BlockId>| if node_left { (own, other) } else { (other, own) };
        let (a, b) = sides(Some(node), Some(start));
        // The ends are as well aligned as each other.
        let aligned = self.alignment(Some(node))?.min(self.alignment(Some(start))?);
        let first = self.add_aligned(a, b, aligned)?;
        let (a, b) = sides(None, Some(segment.last));
        let last = self.add_aligned(a, b, aligned)?;
        self.aliases.push(if node_left { (node, segment.last, last) } else { (segment.last, node, last) });
        let mut scratch = self.memory.clone();
        let absent = match &self.memory.object(node)?.form {
            Form::Optional(Optional { absent }) => Some(*absent),
            _ => None,
        };
        scratch.object_mut(node)?.form = Form::Region;
        let census = Census::take(&scratch, self.folding.roots);
        let (own_next, own_prev) = (next_of(&scratch, &census, node, links)?, prev_of(&scratch, node, links)?);
        // A tree beside the node is one of nodes like it.
        let aside = aside(&scratch, &census, node, links);
        if let Some(aside) = aside {
            let Form::Tree(tree) = &scratch.object(aside)?.form else { return None };
            (extract(&scratch, &census, node, &links.offsets())?.code() == tree.body.code()).then_some(())?;
        }
        let null = self.context.pointer_constant(0);
        segment.leaf.is_none_or(|leaf| leaf == null).then_some(())?;
        let ordered = |own: Term, other: Term| if node_left { (own, other) } else { (other, own) };
        let (a, b) = ordered(own_next, segment.next);
        let next = self.value(a, b)?;
        let prev = match (own_prev, segment.prev) {
            (Some(own), Some(other)) => {
                let (a, b) = ordered(own, other);
                Some(self.value(a, b)?)
            }
            _ => None,
        };
        let segment_empty = match segment.empty {
            Some(empty) => Some(self.in_result(!node_left, empty)?),
            None => None,
        };
        let (min_len, empty) = match absent {
            None => (segment.min_len.min(1), segment_empty.filter(|_| segment.min_len == 0)),
            Some(absent) => {
                let absent = self.in_result(node_left, absent)?;
                // Empty, the link to the first node is the link to what follows, or what it is said to be.
                let link = self.context.terms.add_constant(absent, i128::from(links.head));
                let follows = link == next && prev.is_none_or(|prev| prev == link);
                let empty = (!follows).then_some(absent);
                (segment.min_len > 0 || segment_empty == empty).then_some((0, empty))?
            }
        };
        let mut nested = nested(&scratch, &census, node, &links.offsets());
        nested.extend(aside);
        let NodeKinds { bodies, order } = self.with_node(&scratch, (start, segment), node, node_left)?;
        let side = if node_left { &mut self.left } else { &mut self.right };
        side.consumed.extend(nested);
        self.put_segment(
            (first, last),
            Segment {
                last: BlockId::from_index(last),
                min_len,
                count: None,
                next,
                prev,
                empty,
                leaf: segment.leaf,
                bodies,
                order,
                links,
            },
            node,
        )
    }

    pub(super) fn inner(
        &self,
        scratch: &Smg,
        nodes: (BlockId, BlockId),
        ports: Ports,
        exact: bool,
    ) -> Option<Rc<Body>> {
        let folding = Folding { depth: self.folding.depth + 1, exact, ..self.folding };
        let mut outer = self.outer.to_vec();
        for joint in &self.results {
            if let (Some(left), Some(right)) = (joint.left, joint.right) {
                outer.push((self.memory.object(left)?.address, self.memory.object(right)?.address, joint.address));
            }
        }
        outer.extend(self.tie.as_ref().map(|tie| (tie.left, tie.right, tie.both)));
        join_nodes(scratch, folding, nodes, ports, &outer).map(Rc::new)
    }

    pub(super) fn put_segment(
        &mut self,
        (first, last): (usize, usize),
        segment: Segment,
        like: BlockId,
    ) -> Option<usize> {
        let object = self.memory.object(like)?.as_ref().clone();
        let plain = |form: Form, address: Term| Object { form, address, content: no_content(), ..object.clone() };
        let address = self.results[last].address;
        self.results[last].object = Some(plain(Form::Last(BlockId::from_index(first)), address));
        let address = self.results[first].address;
        self.results[first].object = Some(plain(Form::First(Rc::new(segment)), address));
        Some(first)
    }

    /// What stands for `left` on the left and `right` on the right.
    pub(super) fn value(&mut self, left: Term, right: Term) -> Option<Term> {
        let memory = self.memory;
        let context = self.context.clone();
        let terms = &context.terms;
        if let Some(both) = self.tie.as_ref().and_then(|tie| tie.of_both(terms, left, right)) {
            return Some(both);
        }
        if left == right && !self.left.speaks(memory, left) && !self.right.speaks(memory, right) {
            return Some(left);
        }
        if terms.width(left) != terms.width(right) {
            return None;
        }
        match (self.left.own_target(memory, left), self.right.own_target(memory, right)) {
            (Some((a, i)), Some((b, j))) => {
                let is_alias = self.aliases.iter().any(|alias| (alias.0, alias.1) == (a, b));
                let fits = is_alias
                    || self.find(Some(a), Some(b)).is_none_or(|found| {
                        let joint = &self.results[found];
                        joint.left == Some(a) && joint.right == Some(b)
                    });
                if fits && i == j {
                    let result = self.pair(a, b)?;
                    return Some(terms.add_constant(self.results[result].address, i128::from(i)));
                }
                // One side's pointer leads further already: the other side has something in between.
                self.only(true, (a, i), right).or_else(|| self.only(false, (b, j), left))
            }
            (Some(own), None) => self.only(true, own, right),
            (None, Some(own)) => self.only(false, own, left),
            (None, None) => self.number(left, right),
        }
    }

    fn join_content(&mut self, result: usize) -> Option<()> {
        let (left, right) = (self.results[result].left?, self.results[result].right?);
        let is_node = left == self.left.node;
        let (a, b) = (self.memory.object(left)?.clone(), self.memory.object(right)?.clone());
        let links = if is_node { self.links.clone() } else { Vec::new() };
        let content = super::join_content::join_content(self, &a.content, &b.content, &links)?;
        self.results[result].object.as_mut()?.content = content;
        Some(())
    }

    /// Everything on both sides has its place in the result: the result as a body.
    fn finish(mut self) -> Option<Body> {
        self.is_accounted().then_some(())?;
        let common = self.common_facts();
        self.facts.extend(common);
        let carried: Vec<Term> =
            [&self.left, &self.right].into_iter().flat_map(|side| self.carried_facts(side)).collect();
        self.facts.extend(carried);
        self.facts.append(&mut self.ends);
        let orders = self.orders();
        self.facts.extend(orders);
        let objects: Option<Vec<Object>> = self.results.into_iter().map(|joint| joint.object).collect();
        let mut objects = objects?;
        if let Some(tie) = &self.tie {
            tie.say(&self.context, &mut objects);
        }
        if has_empty_cycle(&self.context, &objects) {
            return None;
        }
        super::normalise::normalise(&self.context, &objects, &self.facts, &self.classes)
    }

    /// What is known of the sizes of blocks that only one side has: where the other side has nothing in their place they may be any.
    fn carried_facts(&self, side: &Side) -> Vec<Term> {
        let terms = &self.context.terms;
        let objects = self.results.iter().filter_map(|joint| joint.object.as_ref());
        let sizes: FxHashSet<SymId> = objects.flat_map(|object| terms.symbols_of(object.size).to_vec()).collect();
        let is_size = |term: Term| terms.symbols_of(term).iter().any(|symbol| sizes.contains(symbol));
        let is_carried = |symbol: &SymId| {
            side.own_data.contains(symbol) && side.to_result.get(symbol).is_some_and(|carried| is_size(*carried))
        };
        let is_about =
            |constraint: &&Term| matches!(terms.symbols_of(**constraint)[..], [symbol] if is_carried(&symbol));
        let constraints = self.memory.store.constraints().iter().filter(is_about);
        constraints.map(|constraint| terms.substitute(*constraint, &side.to_result)).collect()
    }

    /// Facts that both sides have.
    fn common_facts(&self) -> Vec<Term> {
        let terms = &self.context.terms;
        let sides = |pick: fn(&(Term, Term)) -> Term| -> FxHashMap<SymId, Term> {
            let mut pairs: Vec<_> = self.data.iter().collect();
            pairs.sort_unstable();
            pairs.into_iter().rev().filter_map(|(pair, joint)| Some((terms.as_symbol(pick(pair))?, *joint))).collect()
        };
        let (left, right) = (sides(|pair| pair.0), sides(|pair| pair.1));
        let mapped = |by: &FxHashMap<SymId, Term>| -> Vec<Term> {
            let constraints = self.memory.store.constraints().iter();
            let about = constraints
                .filter(|constraint| terms.symbols_of(**constraint).iter().any(|symbol| by.contains_key(symbol)));
            about.map(|constraint| terms.substitute(*constraint, by)).collect()
        };
        let right = mapped(&right);
        let fixed = |fact: &Term| terms.symbols_of(*fact).iter().all(|symbol| self.classes.contains_key(symbol));
        mapped(&left).into_iter().filter(|fact| right.contains(fact) && fixed(fact)).collect()
    }
}
