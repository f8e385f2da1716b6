//! Chains of the special state that a segment of the general one may stand for.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::objects::{Finding, Pending, Proposal, Scope};
use super::trees::Branch;
use crate::heap::{Body, Form, Segment};
use crate::memory::BlockId;
use crate::smt::Term;

/// A part of a chain with the scopes its nodes opened.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Node(BlockId, usize),
    /// On a path down a tree: whether the second link leads on, and what is beside the node.
    Branching(BlockId, usize, bool, Branch),
    Segment(BlockId, Vec<usize>),
}

impl Part {
    pub fn first(&self) -> BlockId {
        match self {
            Part::Node(block, _) | Part::Branching(block, ..) | Part::Segment(block, _) => *block,
        }
    }
}

/// What a walk along a list met: a block, its last node (for segments), nodes at least, links.
#[derive(Clone)]
struct Met {
    part: Part,
    last: BlockId,
    length: u32,
    next: Option<Term>,
    prev: Option<Term>,
}

/// Longer chains are not looked at.
const LONGEST: usize = 4096;

impl Proposal<'_> {
    /// The last block of a part.
    pub(super) fn end_of(&self, world: usize, part: &Part) -> Option<BlockId> {
        match part {
            Part::Node(block, _) | Part::Branching(block, ..) => Some(*block),
            Part::Segment(block, _) => match &self.worlds[world].memory.object(*block)?.form {
                Form::First(segment) => Some(segment.last),
                _ => None,
            },
        }
    }

    /// The chains that could be the segment, longest first.
    pub(super) fn chains(&self, (scope, first): (usize, BlockId), pending: Pending) -> Option<Vec<Vec<Part>>> {
        let object = self.object(scope, first)?;
        let Form::First(segment) = &object.form else { return None };
        let world = self.scopes[scope].world;
        let mut chains: Vec<Vec<Part>> = Vec::new();
        let forward = pending.start.is_some();
        // The list ends where its node's link leads.
        let stop = self.link_of(scope, segment.next).and_then(|link| self.special_target(world, link));
        let parts_at =
            |block: Option<BlockId>| block.map_or_else(Vec::new, |block| self.parts_at(world, block, segment, forward));
        // Paths down a tree may go on in two ways.
        let begun = parts_at(pending.start.or(pending.end));
        let mut work: Vec<(Vec<Met>, Met)> = begun.into_iter().map(|found| (Vec::new(), found)).collect();
        while let Some((mut met, found)) = work.pop() {
            let is_met = met.iter().any(|other| other.part.first() == found.part.first());
            let leads_back = || match met.last().filter(|_| !forward && segment.links.branching.is_some()) {
                Some(below) => found.next.and_then(|next| self.special_target(world, next)) == Some(below.part.first()),
                None => true,
            };
            let is_beyond = stop == Some(found.part.first());
            if met.len() >= LONGEST || is_met || is_beyond || !leads_back() {
                continue;
            }
            let onwards = if forward { found.next } else { found.prev };
            met.push(found);
            let length: u32 = met.iter().map(|found| found.length).fold(0, u32::saturating_add);
            if length >= segment.min_len && self.may_end(scope, segment, &met, forward, pending) {
                let mut parts: Vec<Part> = met.iter().map(|found| found.part.clone()).collect();
                if !forward {
                    parts.reverse();
                }
                chains.push(parts);
            }
            let mut ways = parts_at(onwards.and_then(|link| self.special_target(world, link)));
            if let Some(last) = ways.pop() {
                work.extend(ways.into_iter().map(|found| (met.clone(), found)));
                work.push((met, last));
            }
        }
        chains.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
        if segment.min_len == 0 {
            chains.push(Vec::new());
        }
        Some(chains)
    }

    /// The node or segment that a link to (forward) or back from `block` meets, with each link by which it may lead on.
    fn parts_at(&self, world: usize, block: BlockId, segment: &Segment, forward: bool) -> Vec<Met> {
        let memory = &self.worlds[world].memory;
        if block.0 < self.worlds[world].first || self.used.contains(&(world, block)) || !memory.is_live_heap(block) {
            return Vec::new();
        }
        let links = segment.links;
        match memory.object(block).map(|object| &object.form) {
            Some(Form::Region) => {
                let node = |part: Part, next: u64| {
                    let (next, prev) =
                        (memory.field(block, next), links.prev.and_then(|prev| memory.field(block, prev)));
                    Met { part, last: block, length: 1, next, prev }
                };
                let Some(branching) = links.branching else { return vec![node(Part::Node(block, 0), links.next)] };
                let way = |second: bool| Part::Branching(block, 0, second, Branch::Nothing);
                vec![node(way(false), links.next), node(way(true), branching)]
            }
            Some(Form::First(_) | Form::Last(_)) => {
                let Some((first, own)) = memory.segment_of(block) else { return Vec::new() };
                if own.links != links || block != (if forward { first } else { own.last }) {
                    return Vec::new();
                }
                let part = Part::Segment(first, Vec::new());
                vec![Met { part, last: own.last, length: own.min_len, next: Some(own.next), prev: own.prev }]
            }
            Some(Form::Optional(_) | Form::Tree(_) | Form::Table(_)) | None => Vec::new(),
        }
    }

    /// Whether the chain met so far ends where the segment does.
    fn may_end(&self, scope: usize, segment: &Segment, met: &[Met], forward: bool, pending: Pending) -> bool {
        let world = self.scopes[scope].world;
        let Some(end) = met.last() else { return false };
        if forward && pending.end.is_some_and(|last| last != end.last) {
            return false;
        }
        let (general, special) = if forward { (Some(segment.next), end.next) } else { (segment.prev, end.prev) };
        let (Some(general), Some(special)) = (general, special) else { return true };
        let terms = &self.old.memory.context().terms;
        if let Some(constant) = terms.as_const(general) {
            return terms.as_const(special).is_none_or(|other| other == constant)
                && self.special_target(world, special).is_none();
        }
        if let Some(link) = self.link_of(scope, general) {
            return link == special;
        }
        let Some((home, block)) = self.target(scope, general) else { return true };
        let target = self.special_target(world, special);
        match self.found(home, block) {
            // The chain may lead back to its own start.
            Some(found) => target == Some(found),
            None => {
                let may_be_nothing = self
                    .object(home, block)
                    .is_some_and(|object| object.form.summary().is_some_and(|summary| summary.least() == 0));
                may_be_nothing || target.is_some()
            }
        }
    }

    /// The segment is this chain.
    pub(super) fn take(&mut self, (scope, first): (usize, BlockId), mut parts: Vec<Part>) -> Option<()> {
        let object = self.object(scope, first)?;
        let Form::First(segment) = &object.form else { return None };
        let segment = segment.clone();
        self.pending.remove(&(scope, first));
        let world = self.scopes[scope].world;
        if let Some(Finding::Chain(known)) = self.scopes[scope].places.get(&first) {
            return (known.is_empty() && parts.is_empty()).then_some(());
        }
        if parts.is_empty() && segment.empty.is_none() {
            self.lead_past((scope, first), &segment);
        }
        let ends = (parts.first().map(Part::first), parts.last().cloned());
        for part in &mut parts {
            match part {
                Part::Node(block, opened) => {
                    self.used.insert((world, *block)).then_some(())?;
                    *opened = self.open(scope, world, (&segment.bodies, &segment.links.offsets()), *block)?;
                }
                Part::Branching(block, opened, second, aside) => {
                    self.used.insert((world, *block)).then_some(())?;
                    *opened = self.open(scope, world, (&segment.bodies, &segment.links.offsets()), *block)?;
                    let tree = segment.subtree(segment.prev)?;
                    let other = tree.links.children[usize::from(!*second)];
                    let link = self.worlds[world].memory.field(*block, other)?;
                    *aside = self.grow_child(scope, &tree, link)?;
                }
                Part::Segment(block, opened) => {
                    self.used.insert((world, *block)).then_some(())?;
                    let (_, own) = self.worlds[world].memory.segment_of(*block)?;
                    self.queue.extend(segment.leaf.zip(own.leaf).map(|(general, special)| (scope, general, special)));
                    self.used.insert((world, own.last)).then_some(())?;
                    *opened = self.cases(scope, (&segment.bodies, &segment.links.offsets()), (*block, &own.bodies))?;
                }
            }
        }
        self.scopes[scope].places.insert(first, Finding::Chain(parts));
        if let (Some(start), Some(last)) = ends {
            let memory = &self.worlds[world].memory;
            let next = match &last {
                Part::Node(block, _) | Part::Branching(block, _, false, _) => memory.field(*block, segment.links.next),
                Part::Branching(block, _, true, _) => memory.field(*block, segment.links.branching?),
                Part::Segment(block, _) => memory.segment_of(*block).map(|(_, own)| own.next),
            };
            let prev = match &memory.object(start)?.form {
                Form::First(own) => own.prev,
                _ => segment.links.prev.and_then(|prev| memory.field(start, prev)),
            };
            self.queue.extend(next.map(|next| (scope, segment.next, next)));
            if let (Some(before), Some(prev)) = (segment.prev, prev) {
                self.queue.push_back((scope, before, prev));
            }
        }
        Some(())
    }

    /// The segment has no node: links to its ends are links to what follows and precedes.
    fn lead_past(&mut self, (scope, first): (usize, BlockId), segment: &Segment) {
        let terms = &self.old.memory.context().terms;
        let ends = [Some((first, segment.next)), segment.prev.map(|prev| (segment.last, prev))];
        for (end, link) in ends.into_iter().flatten() {
            if let Some(&(seen_from, address)) = self.values.get(&(scope, end))
                && self.scopes[seen_from].world == self.scopes[scope].world
            {
                let special = terms.add_constant(address, i128::from(segment.links.head));
                self.queue.push_back((scope, link, special));
            }
        }
    }

    /// `block` is a node of the kind, of those with these bodies, that it fits best, and has links at these offsets.
    pub(super) fn open(
        &mut self,
        outer: usize,
        world: usize,
        (bodies, links): (&[Rc<Body>], &[u64]),
        block: BlockId,
    ) -> Option<usize> {
        let kind = match bodies.len() {
            1 => 0,
            kinds => {
                let fits = |kind: usize| Some((self.fit(outer, world, &bodies[kind], block)?, kind));
                (0..kinds).rev().filter_map(fits).max_by_key(|(fitting, _)| *fitting)?.1
            }
        };
        let body = &bodies[kind];
        let places: BTreeMap<BlockId, Finding> = [(BlockId(0), Finding::Block(block))].into_iter().collect();
        self.scopes.push(Scope { parent: Some(outer), world, body: Some(body.clone()), kind, places });
        let scope = self.scopes.len() - 1;
        let node = body.objects.first()?;
        self.cells(scope, node, block, &|offset| links.contains(&offset));
        Some(scope)
    }
}
