//! The join of two nodes: the body both are instances of, with all that hangs below them.
//!
//! A walk of both in lockstep. Over-approximates: the result's symbols are bound, so each node may have its own values; where
//! only one side has a block or a list, the result has one that may be absent or empty. What cannot be joined is
//! `None`, never a guess.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::census::Census;
use super::context::{Context, SymbolKind};
use super::graph::{Object, Smg};
use super::join_side::Side;
use super::segment::{Body, Form, Links, Segment, no_content};
use super::widen::snap;
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// An address of the left node, the one of the right node that corresponds to it, and what stands for both.
pub(super) type Correspondence = (Term, Term, Term);

/// What the values of both sides are in.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub roots: &'a [Term],
    pub thresholds: &'a [i128],
    /// Nested lists inside nested lists: joins within joins.
    pub depth: u32,
}

/// Joins within joins that are tried.
const DEEPEST: u32 = 6;

/// The body of two regions of one memory, their links aside.
pub(super) fn join_nodes(
    memory: &Smg,
    scene: Scene,
    (left, right): (BlockId, BlockId),
    links: Links,
    outer: &[Correspondence],
) -> Option<Body> {
    if scene.depth > DEEPEST {
        return None;
    }
    let census = Census::take(memory, scene.roots);
    let mut join = Join {
        memory,
        context: memory.context().clone(),
        scene,
        links,
        left: Side::new(memory, &census, left, links),
        right: Side::new(memory, &census, right, links),
        outer,
        results: Vec::new(),
        aliases: Vec::new(),
        data: FxHashMap::default(),
        classes: FxHashMap::default(),
        facts: Vec::new(),
        work: VecDeque::new(),
    };
    join.pair(left, right)?;
    while let Some(result) = join.work.pop_front() {
        join.join_content(result)?;
    }
    join.finish()
}

/// An object of the result.
struct Joint {
    left: Option<BlockId>,
    right: Option<BlockId>,
    address: Term,
    object: Option<Object>,
    /// What the address is, in terms of the side that lacks the object, when the object is absent.
    absent: Option<Term>,
}

pub(super) struct Join<'a> {
    pub(super) memory: &'a Smg,
    pub(super) context: Rc<Context>,
    scene: Scene<'a>,
    links: Links,
    pub(super) left: Side,
    pub(super) right: Side,
    outer: &'a [Correspondence],
    results: Vec<Joint>,
    /// A region that is both the first and the last node of the other side's segment: region, block of the other side, result.
    aliases: Vec<(BlockId, BlockId, usize)>,
    data: FxHashMap<(Term, Term), Term>,
    /// The result's new symbols and their classes.
    classes: FxHashMap<SymId, u8>,
    facts: Vec<Term>,
    work: VecDeque<usize>,
}

impl Join<'_> {
    fn fresh(&mut self, like: Term, class: u8) -> Term {
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
    fn add(&mut self, left: Option<BlockId>, right: Option<BlockId>) -> Option<usize> {
        let object = self.memory.object(left.or(right)?)?.clone();
        let address = self.fresh(object.address, SymbolKind::Address(BlockId(0)).class());
        for (side, block) in [(&mut self.left, left), (&mut self.right, right)] {
            if let Some(block) = block {
                let symbol = self.context.terms.as_symbol(self.memory.object(block)?.address)?;
                side.to_result.entry(symbol).or_insert(address);
            }
        }
        self.results.push(Joint { left, right, address, object: None, absent: None });
        Some(self.results.len() - 1)
    }

    fn find(&self, left: Option<BlockId>, right: Option<BlockId>) -> Option<usize> {
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
        if a.size != b.size || a.kind != b.kind || !a.valid || !b.valid {
            return None;
        }
        match (&a.form, &b.form) {
            (Form::Region | Form::Optional(_), Form::Region | Form::Optional(_)) => {
                let form = match (&a.form, &b.form) {
                    (Form::Optional(e), Form::Optional(f)) if e != f => return None,
                    (Form::Optional(absent), _) | (_, Form::Optional(absent)) => {
                        (!self.left.speaks(self.memory, *absent) && !self.right.speaks(self.memory, *absent))
                            .then_some(Form::Optional(*absent))?
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
        let mut scratch = self.memory.clone();
        let a = scratch.node_of(left, one)?;
        let b = scratch.node_of(right, other)?;
        let body = self.inner(&scratch, (a, b), one.links)?;
        let min_len = one.min_len.min(other.min_len);
        self.put_segment(
            (first, last),
            Segment { last: BlockId::from_index(last), min_len, next, prev, body, links: one.links },
            left,
        )
    }

    /// A single node on one side, a segment on the other.
    fn node_and_segment(
        &mut self,
        node: BlockId,
        (start, segment): (BlockId, &Rc<Segment>),
        node_left: bool,
    ) -> Option<usize> {
        let links = segment.links;
        let sides = |own: Option<BlockId>, other: Option<BlockId>| if node_left { (own, other) } else { (other, own) };
        let (a, b) = sides(Some(node), Some(start));
        let first = self.add(a, b)?;
        let (a, b) = sides(None, Some(segment.last));
        let last = self.add(a, b)?;
        self.aliases.push(if node_left { (node, segment.last, last) } else { (segment.last, node, last) });
        let mut scratch = self.memory.clone();
        let absent = match &self.memory.object(node)?.form {
            Form::Optional(absent) => Some(*absent),
            _ => None,
        };
        scratch.object_mut(node)?.form = Form::Region;
        let (own_next, own_prev) = (scratch.next_of(node, links)?, scratch.prev_of(node, links)?);
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
        let min_len = match absent {
            None => segment.min_len.min(1),
            Some(absent) => {
                // Empty, the link to the first node is the link to what follows.
                let link = self.context.terms.add_constant(absent, i128::from(links.head));
                (link == next && prev.is_none_or(|prev| prev == link)).then_some(0)?
            }
        };
        let nested = {
            let census = Census::take(&scratch, self.scene.roots);
            scratch.nested(&census, node, links)
        };
        let other = scratch.node_of(start, segment)?;
        let body = self.inner(&scratch, if node_left { (node, other) } else { (other, node) }, links)?;
        let side = if node_left { &mut self.left } else { &mut self.right };
        side.consumed.extend(nested);
        self.put_segment(
            (first, last),
            Segment { last: BlockId::from_index(last), min_len, next, prev, body, links },
            node,
        )
    }

    fn inner(&self, scratch: &Smg, nodes: (BlockId, BlockId), links: Links) -> Option<Rc<Body>> {
        let scene = Scene { depth: self.scene.depth + 1, ..self.scene };
        let mut outer = self.outer.to_vec();
        for joint in &self.results {
            if let (Some(left), Some(right)) = (joint.left, joint.right) {
                outer.push((self.memory.object(left)?.address, self.memory.object(right)?.address, joint.address));
            }
        }
        join_nodes(scratch, scene, nodes, links, &outer).map(Rc::new)
    }

    fn put_segment(&mut self, (first, last): (usize, usize), segment: Segment, like: BlockId) -> Option<usize> {
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

    fn number(&mut self, left: Term, right: Term) -> Option<Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        for &(a, b, both) in self.outer {
            let (offset, other) = (terms.sub(left, a), terms.sub(right, b));
            if offset == other && terms.as_const(offset).is_some() {
                return Some(terms.add(both, offset));
            }
        }
        let is_unfit = |term: Term| {
            terms.symbols_of(term).iter().any(|symbol| {
                let is_heap = self.memory.points_to.get(symbol).is_some_and(|block| self.memory.is_live_heap(*block));
                is_heap
                    || self
                        .outer
                        .iter()
                        .any(|(a, b, _)| terms.as_symbol(*a) == Some(*symbol) || terms.as_symbol(*b) == Some(*symbol))
                    || context.kind(*symbol).is_none_or(SymbolKind::is_external)
            })
        };
        if is_unfit(left) || is_unfit(right) {
            return None;
        }
        if let Some(&known) = self.data.get(&(left, right)) {
            return Some(known);
        }
        let fresh = {
            let alignment = terms.trailing_zeros(left).min(terms.trailing_zeros(right)).min(8);
            let term = terms.fresh_aligned_symbol(terms.width(left), alignment, "joint");
            self.classes.insert(terms.as_symbol(term)?, SymbolKind::Forgotten(0).class());
            term
        };
        let store = &self.memory.store;
        let (a, b) = (store.signed_range(&context, left), store.signed_range(&context, right));
        let width = terms.width(left);
        let wide = snap(self.scene.thresholds, (a.0.min(b.0), a.1.max(b.1)), width);
        for bound in [
            terms.sle(terms.signed_constant(wide.0, width), fresh),
            terms.sle(fresh, terms.signed_constant(wide.1, width)),
        ] {
            if !terms.is_true(bound) {
                self.facts.push(bound);
            }
        }
        self.data.insert((left, right), fresh);
        Some(fresh)
    }

    /// A pointer to a block that only one side has; the other side has `other` in its place.
    fn only(&mut self, on_left: bool, (block, offset): (BlockId, u64), other: Term) -> Option<Term> {
        let context = self.context.clone();
        let terms = &context.terms;
        let base = terms.add_constant(other, -i128::from(offset));
        let (left, right) = if on_left { (Some(block), None) } else { (None, Some(block)) };
        if let Some(found) = self.find(left, right) {
            let joint = &self.results[found];
            return (joint.absent == Some(base)).then(|| terms.add_constant(joint.address, i128::from(offset)));
        }
        let object = self.memory.object(block)?.clone();
        match &object.form {
            Form::Last(_) => None,
            Form::First(segment) => {
                let first = self.add(left, right)?;
                self.results[first].absent = Some(base);
                let (left, right) = if on_left { (Some(segment.last), None) } else { (None, Some(segment.last)) };
                let last = self.add(left, right)?;
                let head = i128::from(segment.links.head);
                let following = terms.add_constant(base, head);
                let preceding = match segment.prev {
                    None => None,
                    Some(prev) => Some(self.translate(on_left, prev)?),
                };
                self.results[last].absent = preceding.map(|preceding| terms.add_constant(preceding, -head));
                let mut both =
                    |own: Term, other: Term| if on_left { self.value(own, other) } else { self.value(other, own) };
                let next = both(segment.next, following)?;
                let prev = match (segment.prev, preceding) {
                    (Some(prev), Some(preceding)) => Some(both(prev, preceding)?),
                    _ => None,
                };
                let mut fine = true;
                let body = segment.body.map(&mut |term| {
                    self.carry(on_left, term).unwrap_or_else(|| {
                        fine = false;
                        term
                    })
                });
                let segment = Segment {
                    last: BlockId::from_index(last),
                    min_len: 0,
                    next,
                    prev,
                    body: Rc::new(body),
                    links: segment.links,
                };
                let result = self.put_segment((first, last), segment, block)?;
                fine.then(|| terms.add_constant(self.results[result].address, i128::from(offset)))
            }
            Form::Region | Form::Optional(_) => {
                if let Form::Optional(absent) = object.form
                    && absent != base
                {
                    return None;
                }
                // A node with a block of its own and one with somebody else's are not alike.
                if self.exact_heap_target(base)
                    || self.left.speaks(self.memory, base)
                    || self.right.speaks(self.memory, base)
                {
                    return None;
                }
                let result = self.carry_block(on_left, block)?;
                self.results[result].absent = Some(base);
                self.results[result].object.as_mut()?.form = Form::Optional(base);
                Some(terms.add_constant(self.results[result].address, i128::from(offset)))
            }
        }
    }

    fn exact_heap_target(&self, value: Term) -> bool {
        self.memory.exact_target(value).is_some_and(|(block, _)| self.memory.is_live_heap(block))
    }

    /// A value of one side as the other side has it, where what it leads to has a counterpart there.
    fn translate(&self, from_left: bool, value: Term) -> Option<Term> {
        let (side, other) = if from_left { (&self.left, &self.right) } else { (&self.right, &self.left) };
        if !side.speaks(self.memory, value) && !other.speaks(self.memory, value) {
            return Some(value);
        }
        let (block, offset) = side.own_target(self.memory, value)?;
        let joint = &self.results[self.find(from_left.then_some(block), (!from_left).then_some(block))?];
        let counterpart = if from_left { joint.right } else { joint.left }?;
        Some(self.context.terms.add_constant(self.memory.object(counterpart)?.address, i128::from(offset)))
    }

    /// A term of one side in terms of the result; what is that side's own comes along.
    fn carry(&mut self, on_left: bool, term: Term) -> Option<Term> {
        let context = self.context.clone();
        let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
        for &symbol in context.terms.symbols_of(term).iter() {
            let side = if on_left { &self.left } else { &self.right };
            if let Some(&known) = side.to_result.get(&symbol) {
                by.insert(symbol, known);
                continue;
            }
            if let Some(block) = side.own_block(self.memory, symbol) {
                let result = self.carry_block(on_left, block)?;
                by.insert(symbol, self.results[result].address);
            } else if self.outer.iter().any(|(a, b, _)| {
                let own = if on_left { a } else { b };
                context.terms.as_symbol(*own) == Some(symbol)
            }) {
                let own = |(a, b, both): &Correspondence| {
                    let own = if on_left { a } else { b };
                    (context.terms.as_symbol(*own) == Some(symbol)).then_some(*both)
                };
                by.insert(symbol, self.outer.iter().find_map(own)?);
            } else if side.own_data.contains(&symbol) {
                let fresh = self.fresh(context.terms.symbol_term(symbol), SymbolKind::Forgotten(0).class());
                let side = if on_left { &mut self.left } else { &mut self.right };
                side.to_result.insert(symbol, fresh);
                by.insert(symbol, fresh);
            }
        }
        Some(context.terms.substitute(term, &by))
    }

    /// A block that only one side has, as it is.
    fn carry_block(&mut self, on_left: bool, block: BlockId) -> Option<usize> {
        let (left, right) = if on_left { (Some(block), None) } else { (None, Some(block)) };
        if let Some(found) = self.find(left, right) {
            return Some(found);
        }
        let object = self.memory.object(block)?.as_ref().clone();
        // A last node comes along with its first one.
        if let Form::Last(first) = object.form {
            self.carry_block(on_left, first)?;
            return self.find(left, right);
        }
        let result = self.add(left, right)?;
        let last = match &object.form {
            Form::First(segment) => {
                let (left, right) = if on_left { (Some(segment.last), None) } else { (None, Some(segment.last)) };
                Some((self.add(left, right)?, segment.last))
            }
            _ => None,
        };
        let mut fine = true;
        let mut carried = object.map(&mut |term| {
            self.carry(on_left, term).unwrap_or_else(|| {
                fine = false;
                term
            })
        });
        carried.address = self.results[result].address;
        if let (Form::First(segment), Some((last, block))) = (&carried.form, last) {
            let segment = Segment { last: BlockId::from_index(last), ..segment.as_ref().clone() };
            let address = self.results[last].address;
            let end = self.memory.object(block)?.as_ref().clone();
            self.results[last].object = Some(Object { form: Form::Last(BlockId::from_index(result)), address, ..end });
            carried.form = Form::First(Rc::new(segment));
        }
        if let Form::Optional(absent) = carried.form {
            carried.form = Form::Optional(self.carry(on_left, absent)?);
        }
        self.results[result].object = Some(carried);
        fine.then_some(result)
    }

    fn join_content(&mut self, result: usize) -> Option<()> {
        let (left, right) = (self.results[result].left?, self.results[result].right?);
        let is_node = left == self.left.node;
        let (a, b) = (self.memory.object(left)?.clone(), self.memory.object(right)?.clone());
        let content = super::join_content::join_content(self, &a.content, &b.content, is_node.then_some(self.links))?;
        self.results[result].object.as_mut()?.content = content;
        Some(())
    }

    /// Everything on both sides has its place in the result: the result as a body.
    fn finish(mut self) -> Option<Body> {
        for (side, blocks) in [
            (&self.left, self.results.iter().filter_map(|joint| joint.left).collect::<Vec<_>>()),
            (&self.right, self.results.iter().filter_map(|joint| joint.right).collect()),
        ] {
            if !side.nested.iter().all(|block| blocks.contains(block) || side.consumed.contains(block)) {
                return None;
            }
        }
        let common = self.common_facts();
        self.facts.extend(common);
        let objects: Option<Vec<Object>> = self.results.into_iter().map(|joint| joint.object).collect();
        super::normalise::normalise(&self.context, &objects?, &self.facts, &self.classes)
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
