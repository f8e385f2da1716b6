//! States that have no join, as a look at both of them shows: most pairs of states that meet at one place have none, and to find that out
//! by joining them takes a memory that both are in.

use super::discover::exact_target;
use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::join_content::WIDEST;
use crate::heap::{Cell, Form, Object, Segment, Smg, State};
use crate::memory::BlockId;
use crate::smt::Term;

/// Whether the two surely have no join: it takes the steps of `join_states` in their order as far as these are plain, and says no
/// where one of them finds that nothing stands for both.
pub(super) fn have_no_join(old: &State, new: &State) -> bool {
    !Look::new(&old.memory, &new.memory).fits(old, new)
}

/// A lockstep walk over two states.
struct Look<'a> {
    memories: [&'a Smg; 2],
    /// Blocks of each that correspond to one of the other.
    met: [FxHashMap<BlockId, BlockId>; 2],
    /// Regions whose content is still to be compared.
    work: VecDeque<(BlockId, BlockId)>,
}

impl<'a> Look<'a> {
    fn new(old: &'a Smg, new: &'a Smg) -> Self {
        Self { memories: [old, new], met: Default::default(), work: VecDeque::new() }
    }

    fn fits(&mut self, old: &State, new: &State) -> bool {
        let frames = || old.frames.iter().zip(&new.frames);
        for (own, other) in frames().flat_map(|(a, b)| a.regs.iter().zip(&b.regs)) {
            if let (Some(own), Some(other)) = (own, other)
                && !self.value(*own, *other)
            {
                return false;
            }
        }
        let slots = frames().flat_map(|(a, b)| {
            let slots = a.slots.iter().flatten().zip(b.slots.iter().flatten());
            slots.chain(a.allocas.iter().zip(&b.allocas))
        });
        for (own, other) in old.globals.iter().zip(new.globals.iter()).chain(slots) {
            if !self.contents(*own, *other) {
                return false;
            }
        }
        while let Some((own, other)) = self.work.pop_front() {
            if !self.contents(own, other) {
                return false;
            }
        }
        true
    }

    fn object(&self, side: usize, block: BlockId) -> Option<&'a Object> {
        self.memories[side].object(block).map(|object| &**object)
    }

    /// Cells at the same places hold what fits.
    fn contents(&mut self, own: BlockId, other: BlockId) -> bool {
        let (Some(own), Some(other)) = (self.object(0, own), self.object(1, other)) else { return false };
        own.valid == other.valid
            && own.size == other.size
            && own.content.edges().iter().filter(|edge| edge.bytes <= WIDEST).all(|edge| {
                let Cell::Value(value) = edge.cell else { return true };
                let same = |found: &&crate::heap::Edge| found.offset == edge.offset && found.bytes == edge.bytes;
                match other.content.edges().iter().find(same).map(|found| found.cell) {
                    Some(Cell::Value(found)) => self.value(value, found),
                    _ => true,
                }
            })
    }

    /// The heap block that a value leads into, and how far.
    fn target(&self, side: usize, value: Term) -> Option<(BlockId, u64)> {
        let memory = self.memories[side];
        let context = memory.context();
        let is_pointer = context.terms.width(value) == context.model.pointer_bits();
        exact_target(memory, value).filter(|(block, _)| is_pointer && memory.is_live_heap(*block))
    }

    /// Whether something may stand for both values.
    fn value(&mut self, own: Term, other: Term) -> bool {
        let terms = &self.memories[0].context().terms;
        if let (Some(a), Some(b)) = (terms.as_const(own), terms.as_const(other)) {
            return a == b && terms.width(own) == terms.width(other);
        }
        let is_region = |look: &Self, side: usize, block: BlockId| {
            look.object(side, block).is_some_and(|object| matches!(object.form, Form::Region))
        };
        match (self.target(0, own), self.target(1, other)) {
            (Some(own), Some(other)) => self.blocks(own, other),
            // A node that only one of them has is no list that may be empty.
            (Some((block, _)), None) => !is_region(self, 0, block),
            (None, Some((block, _))) => !is_region(self, 1, block),
            (None, None) => true,
        }
    }

    fn blocks(&mut self, (own, offset): (BlockId, u64), (other, far): (BlockId, u64)) -> bool {
        let (Some(a), Some(b)) = (self.object(0, own), self.object(1, other)) else { return false };
        let known = (self.met[0].get(&own).copied(), self.met[1].get(&other).copied());
        if known == (Some(other), Some(own)) {
            return offset == far || !matches!((&a.form, &b.form), (Form::Region, Form::Region));
        }
        let is_new = known == (None, None);
        let meet = |look: &mut Self| {
            look.met[0].insert(own, other);
            look.met[1].insert(other, own);
        };
        match (&a.form, &b.form) {
            (Form::Region, Form::Region) => {
                let fits = is_new && offset == far && a.size == b.size && a.kind == b.kind;
                if fits {
                    meet(self);
                    self.work.push_back((own, other));
                }
                fits
            }
            // Others may be lists that have no node in one of the two.
            _ if !is_new || offset != far => true,
            (Form::First(one), Form::First(two)) if one.links == two.links => {
                meet(self);
                let prev = one.prev.zip(two.prev);
                self.value(one.next, two.next) && prev.is_none_or(|(one, two)| self.value(one, two))
            }
            (Form::Region, Form::First(segment)) => {
                meet(self);
                self.node_and_segment(0, own, segment)
            }
            (Form::First(segment), Form::Region) => {
                meet(self);
                self.node_and_segment(1, other, segment)
            }
            (Form::Region, Form::Tree(_)) | (Form::Tree(_), Form::Region) => false,
            _ => true,
        }
    }

    /// The region `node` of one side, where the other one has the segment.
    fn node_and_segment(&mut self, side: usize, node: BlockId, segment: &Segment) -> bool {
        let links = segment.links;
        let held = |offset: u64| self.memories[side].field(node, offset);
        if links.branching.is_some() {
            return true;
        }
        let Some(next) = held(links.next) else { return false };
        let prev = links.prev.map(held);
        let mut both = |own: Term, other: Term| match side {
            0 => self.value(own, other),
            _ => self.value(other, own),
        };
        both(next, segment.next)
            && match (prev, segment.prev) {
                (Some(Some(own)), Some(other)) => both(own, other),
                (Some(None), _) => false,
                _ => true,
            }
    }
}
