//! What only one side of a join has: lists that may be empty and blocks that may be absent in the result.

use super::discover::exact_target;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::join::{Correspondence, Join};
use crate::heap::{Cell, Form, Object, Optional, Segment, SymbolKind, Tree};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

impl Join<'_> {
    /// A pointer to a block that only one side has; the other side has `other` in its place.
    pub(super) fn only(&mut self, on_left: bool, (block, offset): (BlockId, u64), other: Term) -> Option<Term> {
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
            Form::Last(_) | Form::Table(_) => None,
            Form::First(segment) => {
                (segment.count.is_none() || !self.is_of_states()).then_some(())?;
                // A list ends nowhere where the other side has nothing but an address of what was freed.
                if self.is_dead(base) && segment.next != terms.add_constant(base, i128::from(segment.links.head)) {
                    return None;
                }
                let head = i128::from(segment.links.head);
                let following = terms.add_constant(base, head);
                let ring = self.is_ring(segment, &object);
                let preceding = match segment.prev {
                    Some(prev) if !ring => Some(self.translate(on_left, prev)?),
                    _ => None,
                };
                let end = preceding.map(|preceding| terms.add_constant(preceding, -head));
                // Where there is no node, the ends' addresses may be those of something less aligned.
                let most = terms.trailing_zeros(base).min(end.map_or(u32::MAX, |end| terms.trailing_zeros(end)));
                let first = self.add_aligned(left, right, most)?;
                self.results[first].absent = Some(base);
                let (left, right) = if on_left { (Some(segment.last), None) } else { (None, Some(segment.last)) };
                let last = self.add_aligned(left, right, most)?;
                self.results[last].absent = end;
                let (next, prev, empty) = if ring || segment.empty.is_some() {
                    // Closed in itself: where its owner points to when there is none has to be said.
                    let empty = self.in_result(!on_left, base)?;
                    if let Some(known) = segment.empty
                        && (segment.min_len > 0 || self.in_result(on_left, known)? != empty)
                    {
                        return None;
                    }
                    if !self.is_plain(!on_left, base) {
                        return None;
                    }
                    self.results[last].absent = Some(base);
                    let next = self.carry(on_left, segment.next)?;
                    let prev = match segment.prev {
                        Some(prev) => Some(self.carry(on_left, prev)?),
                        None => None,
                    };
                    (next, prev, Some(empty))
                } else {
                    let mut both =
                        |own: Term, other: Term| if on_left { self.value(own, other) } else { self.value(other, own) };
                    let next = both(segment.next, following)?;
                    let prev = match (segment.prev, preceding) {
                        (Some(prev), Some(preceding)) => Some(both(prev, preceding)?),
                        _ => None,
                    };
                    (next, prev, None)
                };
                let leaf = match segment.leaf {
                    Some(leaf) => Some(self.carry(on_left, leaf)?),
                    None => None,
                };
                let mut fine = true;
                let mut carried = |term| {
                    self.carry(on_left, term).unwrap_or_else(|| {
                        fine = false;
                        term
                    })
                };
                let bodies = segment.bodies.iter().map(|body| body.aligned(&context, most));
                let bodies = bodies.map(|body| Rc::new(body.map(&mut carried))).collect();
                let segment = Segment {
                    last: BlockId::from_index(last),
                    min_len: 0,
                    count: None,
                    next,
                    prev,
                    empty,
                    leaf,
                    bodies,
                    order: segment.order.clone(),
                    links: segment.links,
                };
                let result = self.put_segment((first, last), segment, block)?;
                fine.then(|| terms.add_constant(self.results[result].address, i128::from(offset)))
            }
            Form::Tree(tree) => {
                if !self.is_plain(!on_left, base) {
                    return None;
                }
                let nowhere = self.in_result(!on_left, base)?;
                let result = self.carry_block(on_left, block, u32::MAX)?;
                self.results[result].absent = Some(base);
                let Form::Tree(carried) = &self.results[result].object.as_ref()?.form else { return None };
                let carried = Tree { min_len: 0, ..carried.as_ref().clone() };
                (carried.nowhere(&context) == nowhere && tree.links == carried.links).then_some(())?;
                self.put_tree(result, carried, block)?;
                Some(terms.add_constant(self.results[result].address, i128::from(offset)))
            }
            Form::Region | Form::Optional(_) => {
                (!self.folding.follows || !self.folding.exact || self.is_of_states()).then_some(())?;
                let absent = self.in_result(!on_left, base)?;
                if let Form::Optional(Optional { absent: known }) = object.form
                    && self.in_result(on_left, known)? != absent
                {
                    return None;
                }
                if !self.is_plain(!on_left, base) || self.goes_on_elsewhere(on_left, block, absent) {
                    return None;
                }
                // Where it is absent, its address may be that of something less aligned.
                let result = self.carry_block(on_left, block, terms.trailing_zeros(absent))?;
                self.results[result].absent = Some(base);
                self.results[result].object.as_mut()?.form = Form::Optional(Optional { absent });
                Some(terms.add_constant(self.results[result].address, i128::from(offset)))
            }
        }
    }

    /// Whether a pointer of this value leads into what was freed.
    fn is_dead(&self, value: Term) -> bool {
        exact_target(self.memory, value)
            .is_some_and(|(block, _)| self.memory.object(block).is_some_and(|object| !object.valid))
    }

    /// Whether a node that only one side has leads on to one like it that is not this side's own, nor what is there when the node is
    /// `absent`: the list of both goes on there, and nothing would lead there any more without the node.
    fn goes_on_elsewhere(&self, on_left: bool, block: BlockId, absent: Term) -> bool {
        let side = if on_left { &self.left } else { &self.right };
        let terms = &self.context.terms;
        let Some(object) = self.memory.object(block) else { return false };
        let is_like = |other: BlockId| {
            let other = self.memory.object(other);
            other.is_some_and(|other| other.size == object.size && other.origin.site == object.origin.site)
        };
        // What both sides have a name for is above the node.
        let stays = |value: Term| {
            let both = self.in_result(on_left, value);
            both.is_some_and(|both| both != value || terms.as_const(terms.sub(both, absent)).is_some())
        };
        object.content.edges().iter().any(|edge| {
            let Cell::Value(value) = edge.cell else { return false };
            let target = exact_target(self.memory, value).filter(|(target, _)| self.memory.is_live_heap(*target));
            let is_own = side.own_target(self.memory, value).is_some();
            target.is_some_and(|(target, _)| is_like(target)) && !is_own && !stays(value)
        })
    }

    /// Whether `value` speaks of an address.
    pub(super) fn is_pointer(&self, value: Term) -> bool {
        let symbols = self.context.terms.symbols_of(value);
        symbols.iter().any(|symbol| self.memory.points_to.contains_key(symbol))
    }

    /// Whether a pointer may have this value where the other side has a block of its own: a node with a block of its own and one
    /// with somebody else's are not alike; one that points to itself, or to what both sides are below, may be.
    fn is_plain(&self, on_left: bool, value: Term) -> bool {
        let side = if on_left { &self.left } else { &self.right };
        let is_outer = self.outer.iter().any(|(left, right, _)| {
            let own = if on_left { left } else { right };
            self.context.terms.as_const(self.context.terms.sub(value, *own)).is_some()
        });
        let has_named_link =
            self.tie.as_ref().is_some_and(|tie| tie.of_one(&self.context.terms, on_left, value).is_some());
        // What is dead or unknown is no place where a list could end.
        let is_unknown = self.context.terms.symbols_of(value).iter().any(|symbol| {
            let target = self.memory.points_to.get(symbol).and_then(|block| self.memory.object(*block));
            target.is_none_or(|object| !object.valid)
        });
        has_named_link
            || is_outer
            || side.own_target(self.memory, value).is_some()
            || !(is_unknown || self.exact_heap_target(value))
    }

    /// Whether the segment's last node leads to its first one.
    fn is_ring(&self, segment: &Segment, first: &Object) -> bool {
        self.context.terms.sub(segment.next, first.address) == self.context.pointer_constant(segment.links.head)
    }

    /// An address-free value, or an address of one side that has its counterpart, in terms of the result.
    pub(super) fn in_result(&self, on_left: bool, value: Term) -> Option<Term> {
        let terms = &self.context.terms;
        if let Some(both) = self.tie.as_ref().and_then(|tie| tie.of_one(terms, on_left, value)) {
            return Some(both);
        }
        let side = if on_left { &self.left } else { &self.right };
        if let Some((block, offset)) = side.own_target(self.memory, value) {
            let joint = self.results.iter().find(|joint| {
                joint.left.is_some()
                    && joint.right.is_some()
                    && (if on_left { joint.left } else { joint.right }) == Some(block)
            })?;
            return Some(terms.add_constant(joint.address, i128::from(offset)));
        }
        for (left, right, both) in self.outer {
            let own = *if on_left { left } else { right };
            if terms.width(own) != terms.width(value) {
                continue;
            }
            let offset = terms.sub(value, own);
            if terms.as_const(offset).is_some() {
                return Some(terms.add(*both, offset));
            }
        }
        (!self.left.speaks(self.memory, value) && !self.right.speaks(self.memory, value)).then_some(value)
    }

    fn exact_heap_target(&self, value: Term) -> bool {
        exact_target(self.memory, value).is_some_and(|(block, _)| self.memory.is_live_heap(block))
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
                let result = self.carry_block(on_left, block, u32::MAX)?;
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

    /// A block that only one side has, as it is; its address counts as aligned to `most` bits at most.
    fn carry_block(&mut self, on_left: bool, block: BlockId, most: u32) -> Option<usize> {
        let (left, right) = if on_left { (Some(block), None) } else { (None, Some(block)) };
        if let Some(found) = self.find(left, right) {
            return Some(found);
        }
        let object = self.memory.object(block)?;
        let object =
            if self.is_of_states() { object.as_ref().clone() } else { Rc::unwrap_or_clone(object.uncounted()) };
        // The ends of a summary come along with its owner.
        if let Some(owner) = object.form.end_of() {
            self.carry_block(on_left, owner, u32::MAX)?;
            return self.find(left, right);
        }
        let result = self.add_aligned(left, right, most)?;
        let mut ends: Vec<(BlockId, usize)> = Vec::new();
        for &end in object.form.summary().map_or(&[][..], |summary| summary.ends()) {
            let (left, right) = if on_left { (Some(end), None) } else { (None, Some(end)) };
            ends.push((end, self.add(left, right)?));
        }
        let mut fine = true;
        let mut carried = object.map(&mut |term| {
            self.carry(on_left, term).unwrap_or_else(|| {
                fine = false;
                term
            })
        });
        carried.address = self.results[result].address;
        for &(block, index) in &ends {
            let address = self.results[index].address;
            let end = self.memory.object(block)?.as_ref().clone();
            self.results[index].object = Some(Object { form: Form::Last(BlockId::from_index(result)), address, ..end });
        }
        let renamed = |block: BlockId| {
            ends.iter().find(|(end, _)| *end == block).map_or(block, |(_, index)| BlockId::from_index(*index))
        };
        carried = carried.map_blocks(&renamed);
        if let Form::Optional(Optional { absent }) = carried.form {
            carried.form = Form::Optional(Optional { absent: self.carry(on_left, absent)? });
        }
        self.results[result].object = Some(carried);
        fine.then_some(result)
    }
}
