//! Lists in a match: node by node, or many at a time.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::heap::{Segment, SymbolicHeap};
use super::matching::{Matching, Mode, Obstacle, Pattern, fail};
use super::shape::{Node, Shape};
use crate::heap::SymbolKind;
use crate::memory::rules::{Act, NoObject};
use crate::smt::Term;

impl Matching<'_> {
    /// The pattern of one node; its variables are new ones.
    fn node(&mut self, shape: &Shape, place: &Node, foreign: bool) -> Pattern {
        let mut heap = self.original.clone();
        heap.cells = Rc::default();
        heap.segments = Rc::default();
        heap.blocks = Rc::default();
        let first = heap.next_unknown;
        heap.add_node(shape, place, foreign);
        // What the node has of its own are variables here.
        let mut by = FxHashMap::default();
        for term in heap.spatial_terms() {
            for symbol in heap.terms().symbols_of(term).iter() {
                if matches!(heap.kind(*symbol), Some(SymbolKind::Forgotten(n)) if n >= first)
                    && !by.contains_key(symbol)
                {
                    let width = heap.terms().symbol_info(*symbol).width;
                    by.insert(*symbol, self.fresh(width));
                }
            }
        }
        let terms = heap.world.clone();
        let change = |term: Term| terms.context.terms.substitute(term, &by);
        let mut segments = heap.segments.as_ref().clone();
        segments.iter_mut().for_each(|segment| segment.map(&change));
        let mut blocks = heap.blocks.as_ref().clone();
        blocks.iter_mut().for_each(|block| block.map(&change));
        Pattern { cells: heap.cells.iter().map(|cell| cell.map(&change)).collect(), segments, blocks, pure: Vec::new() }
    }

    /// Whether a node of this shape could stand here: its first byte is there.
    fn has_node(&self, shape: &Shape, at: Term) -> bool {
        let (base, offset) = self.rest.split(at);
        shape.bytes_of_node().next().is_some_and(|(from, size)| self.rest.covers(base, offset + from, size))
    }

    pub(super) fn segment(&mut self, wanted: &Segment) -> Result<(), Obstacle> {
        let Some(mut at) = self.value(wanted.first) else { return fail("a list nowhere") };
        let mut prev = wanted.back.map(|(_, prev)| prev);
        let mut has_node = !wanted.nonempty;
        let mut fuel = 64;
        loop {
            at = self.rest.norm(at);
            fuel -= 1;
            if fuel == 0 {
                return fail("a list that goes round and round");
            }
            let end = self.value(wanted.next);
            if has_node && end == Some(at) {
                break;
            }
            let found = self.rest.segments.iter().position(|segment| segment.first == at);
            if let Some(index) = found {
                let segment = self.rest.segments[index].clone();
                if segment.back.is_some() != wanted.back.is_some() {
                    return fail("a list of another kind");
                }
                self.same_nodes(&segment, wanted)?;
                if let (Some((last, first_prev)), Some(own)) = (segment.back, prev) {
                    self.unify(own, first_prev)?;
                    prev = Some(last);
                }
                Rc::make_mut(&mut self.rest.segments).remove(index);
                has_node |= segment.nonempty;
                at = segment.next;
                continue;
            }
            if self.has_node(&wanted.shape, at) {
                let next = self.fresh(self.original.pointer_bits());
                let place = Node { node: at, next, prev, args: &wanted.args };
                let pattern = self.node(&wanted.shape, &place, wanted.foreign);
                self.consume(pattern)?;
                let Some(after) = self.value(next) else { return fail("a node whose link leads nowhere") };
                if prev.is_some() {
                    prev = Some(at);
                }
                has_node = true;
                at = after;
                continue;
            }
            if has_node && end.is_none() {
                self.unify(wanted.next, at)?;
                break;
            }
            return Err(self.rest_of_list(wanted, at, prev, has_node));
        }
        if let (Some((last, _)), Some(prev)) = (wanted.back, prev) {
            let Some(prev) = self.value(prev) else { return fail("a list whose back link leads nowhere") };
            self.unify(last, prev)?;
        }
        Ok(())
    }

    /// The state does not say what is at `at`: a list has to be there, or to end there.
    fn rest_of_list(&mut self, wanted: &Segment, at: Term, prev: Option<Term>, has_node: bool) -> Obstacle {
        let end = self.value(wanted.next);
        let terms = self.rest.world.clone();
        let terms = &terms.context.terms;
        let (base, _) = self.rest.split(at);
        if let (true, Some(end)) = (has_node, end) {
            let equal = terms.eq(at, end);
            if self.rest.known(equal) != Some(false) && (self.mode == Mode::Split || !self.rest.is_controlled(base)) {
                let mut cases: Vec<SymbolicHeap> = self.original.clone().restrict(equal).into_iter().collect();
                if self.mode == Mode::Split {
                    cases.extend(self.original.clone().restrict(terms.not(equal)));
                }
                if !cases.is_empty() && self.mode != Mode::Prove {
                    return Obstacle::Refine(cases);
                }
            }
        }
        if self.mode == Mode::Learn && self.rest.is_controlled(base) && terms.as_const(at).is_none() {
            // The rest of the list is missing.
            let mut heap = self.original.clone();
            let settled = |heap: &mut SymbolicHeap, own: Term| match self.value(own) {
                Some(value) => value,
                None => {
                    let width = heap.terms().width(own);
                    heap.anchor(width)
                }
            };
            let next = settled(&mut heap, wanted.next);
            let back = match (wanted.back, prev) {
                (Some((last, _)), Some(prev)) => {
                    let prev = settled(&mut heap, prev);
                    let last = settled(&mut heap, last);
                    Some((last, prev))
                }
                _ => None,
            };
            let args = wanted.args.iter().map(|arg| settled(&mut heap, *arg)).collect();
            let segment = Segment {
                shape: wanted.shape.clone(),
                first: at,
                next,
                back,
                args,
                nonempty: !has_node,
                foreign: true,
            };
            Rc::make_mut(&mut heap.segments).push(segment.clone());
            heap.missing_mut(|missing| missing.segments.push(segment));
            return Obstacle::Refine(heap.settle().into_iter().collect());
        }
        if let Some(obstacle) = self.unfold_at(base) {
            return obstacle;
        }
        let is_null = terms.as_const(at) == Some(0);
        Obstacle::Fail("a list that is not there".into(), is_null.then(|| NoObject::Null(None).fault(Act::Read, None)))
    }

    /// A doubly linked list of which the state tells the end: from its last node to its first.
    pub(super) fn segment_backwards(&mut self, wanted: &Segment) -> Result<(), Obstacle> {
        let Some((last, first_prev)) = wanted.back else { return fail("a list nowhere") };
        let Some(mut at) = self.value(last) else { return fail("a list nowhere") };
        let mut next = wanted.next;
        let mut has_node = !wanted.nonempty;
        for _ in 0..64 {
            at = self.rest.norm(at);
            if has_node && self.value(first_prev) == Some(at) {
                let Some(first) = self.value(next) else { return fail("a list whose link leads nowhere") };
                return self.unify(wanted.first, first);
            }
            let found = self.rest.segments.iter().position(|segment| segment.back.is_some_and(|(last, _)| last == at));
            if let Some(index) = found {
                let segment = self.rest.segments[index].clone();
                self.same_nodes(&segment, wanted)?;
                self.unify(next, segment.next)?;
                Rc::make_mut(&mut self.rest.segments).remove(index);
                has_node |= segment.nonempty;
                next = segment.first;
                at = segment.back.map_or(at, |(_, prev)| prev);
                continue;
            }
            if self.has_node(&wanted.shape, at) {
                let prev = self.fresh(self.original.pointer_bits());
                let place = Node { node: at, next, prev: Some(prev), args: &wanted.args };
                let pattern = self.node(&wanted.shape, &place, wanted.foreign);
                self.consume(pattern)?;
                let Some(before) = self.value(prev) else { return fail("a node whose back link leads nowhere") };
                has_node = true;
                next = at;
                at = before;
                continue;
            }
            if has_node && self.value(first_prev).is_none() {
                self.unify(first_prev, at)?;
                let Some(first) = self.value(next) else { return fail("a list whose link leads nowhere") };
                return self.unify(wanted.first, first);
            }
            return fail("a list that is not there");
        }
        fail("a list that goes round and round")
    }

    /// Whether each node of `found` is one of `wanted`.
    fn same_nodes(&mut self, found: &Segment, wanted: &Segment) -> Result<(), Obstacle> {
        if wanted.foreign && !found.foreign {
            return fail("a list that the function made");
        }
        if found.shape == wanted.shape {
            for (own, value) in wanted.args.iter().zip(&found.args) {
                self.unify(*own, *value)?;
            }
            return Ok(());
        }
        // One node that stands for all of them.
        let mut heap = self.rest.clone();
        heap.cells = Rc::default();
        heap.segments = Rc::default();
        heap.blocks = Rc::default();
        let bits = heap.pointer_bits();
        let (node, next, prev) = (heap.unknown(bits), heap.unknown(bits), heap.unknown(bits));
        let prev = found.back.map(|_| prev);
        heap.add_node(&found.shape, &Node { node, next, prev, args: &found.args }, found.foreign);
        let pattern = self.node(&wanted.shape, &Node { node, next, prev, args: &wanted.args }, wanted.foreign);
        let saved = std::mem::replace(&mut self.rest, heap);
        let mode = std::mem::replace(&mut self.mode, Mode::Prove);
        let result = self.consume(pattern);
        let left = std::mem::replace(&mut self.rest, saved);
        self.mode = mode;
        match result {
            Ok(()) if left.cells.is_empty() && left.segments.is_empty() && left.blocks.is_empty() => Ok(()),
            Ok(()) => fail("a list whose nodes have more"),
            Err(_) => fail("a list of other nodes"),
        }
    }
}
