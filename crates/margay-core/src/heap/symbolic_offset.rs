//! Has-value edges at offsets that are no numbers: `a[i] = v` and `s[n - 1] = 0`.
//!
//! They are true facts on top of what the near edges over-approximate, so dropping one is always sound; a write drops all
//! those it may overlap.

use std::collections::BTreeSet;

use super::access::Offsets;
use super::content::{Cell, SymbolicOffsetEdge};
use super::context::SymbolKind;
use super::graph::Smg;
use super::limits::{MOST_FAR_EDGES, MOST_NEAR_EDGES};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

impl Smg {
    /// What is known of the block at symbolic offsets.
    pub fn far_edges(&self, block: BlockId) -> Vec<SymbolicOffsetEdge> {
        self.object(block).map_or(Vec::new(), |object| object.content.far().to_vec())
    }

    /// Replaces what is known of the block at symbolic offsets.
    pub fn set_far_edges(&mut self, block: BlockId, far: Vec<SymbolicOffsetEdge>) {
        if self.object(block).is_some_and(|object| object.content.far() != far.as_slice())
            && let Some(object) = self.object_mut(block)
        {
            object.content.set_far(far);
        }
    }

    /// The far edges that a write of `bytes` bytes at `offset` surely leaves as they are, be it that it writes the same value.
    pub(super) fn far_edges_left(
        &self,
        block: BlockId,
        offset: Term,
        bytes: u64,
        written: Option<Term>,
    ) -> Vec<SymbolicOffsetEdge> {
        let mut far = self.far_edges(block);
        far.retain(|edge| {
            let is_same = written == Some(edge.value) && self.are_cells(edge, offset, bytes);
            is_same || self.entails(self.are_apart(edge, offset, bytes))
        });
        far
    }

    /// Whether the edge and the bytes at `offset` are the same ones or apart: none is half in the other.
    fn are_cells(&self, edge: &SymbolicOffsetEdge, offset: Term, bytes: u64) -> bool {
        let terms = &self.context.terms;
        let width = u64::from(terms.width(edge.value) / 8);
        let aligned =
            |offset: Term| 1u64.checked_shl(terms.trailing_zeros(offset)).is_none_or(|stride| stride >= width);
        width == bytes && width.is_power_of_two() && aligned(offset) && aligned(edge.offset)
    }

    /// `[offset, offset + bytes)` does not overlap the edge. Both lie in one object, so no sum wraps around.
    fn are_apart(&self, edge: &SymbolicOffsetEdge, offset: Term, bytes: u64) -> Term {
        let terms = &self.context.terms;
        let width = u64::from(terms.width(edge.value) / 8);
        if self.are_cells(edge, offset, bytes) {
            return terms.not(terms.eq(offset, edge.offset));
        }
        let before = terms.ule(terms.add_constant(offset, bytes.into()), edge.offset);
        let after = terms.ule(terms.add_constant(edge.offset, width.into()), offset);
        terms.bool_or(before, after)
    }

    /// The value at `offset` where it is `otherwise` as far as the near edges say.
    pub(super) fn read_far(&self, block: BlockId, offset: Term, otherwise: Term) -> Term {
        let terms = &self.context.terms;
        let mut value = otherwise;
        let Some(object) = self.object(block) else { return value };
        for edge in object.content.far().iter().filter(|edge| terms.width(edge.value) == terms.width(otherwise)) {
            let here = terms.eq(offset, edge.offset);
            value = match self.decide(here) {
                Some(true) => edge.value,
                Some(false) => value,
                None => terms.ite(here, edge.value, value),
            };
        }
        value
    }

    /// The value somewhere in the range where it is `otherwise` outside of the near edges.
    pub(super) fn read_near(&self, block: BlockId, at: Offsets, otherwise: Term) -> Term {
        let terms = &self.context.terms;
        let bytes = u64::from(terms.width(otherwise) / 8);
        let Some(object) = self.object(block) else { return otherwise };
        let end = at.high.saturating_add(bytes);
        let near = || object.content.overlapping(at.low, end - at.low).filter(|edge| edge.bytes == bytes);
        if near().count() > MOST_NEAR_EDGES {
            return otherwise;
        }
        near().fold(otherwise, |value, edge| match edge.cell {
            Cell::Value(found) => {
                let here = terms.eq(at.offset, self.context.pointer_constant(edge.offset));
                terms.ite(here, found, value)
            }
            Cell::Uniform(_) | Cell::Forgotten => value,
        })
    }

    pub(super) fn add_far_edge(&mut self, block: BlockId, edge: SymbolicOffsetEdge) {
        let mut far = self.far_edges(block);
        if far.iter().any(|old| old.offset == edge.offset && old.value == edge.value) {
            return;
        }
        far.push(edge);
        if far.len() > MOST_FAR_EDGES {
            let oldest = far.iter().position(|edge| edge.read).unwrap_or(0);
            far.remove(oldest);
        }
        self.set_far_edges(block, far);
    }

    /// Drops what was only read, and edges at offsets that change from turn to turn (numbers a loop made up) or that nothing else
    /// speaks of, but for constants: where the zero of a string stands is known by no other name.
    pub fn forget_far_edges(&mut self, roots: &[Term]) {
        if self.objects.values().all(|object| object.content.far().is_empty()) {
            return;
        }
        let context = self.context.clone();
        let mut live: BTreeSet<SymId> = BTreeSet::new();
        let mut visit = |term: Term| live.extend(context.terms.symbols_of(term).iter().copied());
        roots.iter().copied().for_each(&mut visit);
        for object in self.objects.values() {
            visit(object.size);
            visit(object.address);
            let mut near = object.as_ref().clone();
            near.content.set_far(Vec::new());
            near.each_term(&mut visit);
        }
        let blocks: Vec<BlockId> = self.objects.keys().copied().collect();
        for block in blocks {
            let mut far = self.far_edges(block);
            far.retain(|edge| {
                let symbols = context.terms.symbols_of(edge.offset);
                let is_constant = context.terms.as_const(edge.value).is_some();
                let lasts = |symbol: &SymId| {
                    let is_made_up = matches!(context.kind(*symbol), Some(SymbolKind::Forgotten(_)));
                    !is_made_up && (is_constant || live.contains(symbol))
                };
                !edge.read && symbols.iter().all(lasts)
            });
            self.set_far_edges(block, far);
        }
    }
}
