//! Which symbols of two states' runs are likely the same: proposals, which the check of the embedding refuses where they are wrong.

use super::gather::{Demand, Gathering};
use crate::heap::{Cell, Edge, Found, Object, Run};
use crate::memory::BlockId;

impl Gathering<'_> {
    /// The ends of a run, and the value of a single cell, are likely those of the special object's run with the same name or place in
    /// the order. A cell with a fixed number is likely the one with that number.
    pub(super) fn likely(&mut self, scope: usize, object: &Object, block: BlockId, run: &Run) {
        let context = self.context.clone();
        let terms = &context.terms;
        let world = self.scopes[scope].world;
        if let (Some((place, value)), Some(special)) = (run.single(&context), self.worlds[world].memory.object(block))
            && let Some(place) = terms.as_const(place).and_then(|place| u64::try_from(place).ok())
            && let Found::Value(other) = special.content.read(terms, place, run.layout.bytes())
        {
            self.likely.push(Demand { scope, world, general: value, special: Some(other) });
            return;
        }
        let first = |run: &Run| terms.as_const(run.first);
        let is_alike = |other: &&Run| {
            other.layout == run.layout
                && first(other).zip(first(run)).is_none_or(|(other, own)| other == own)
                && other.is_single(terms) == run.is_single(terms)
                && other.read == run.read
        };
        let position = object.content.runs().iter().filter(is_alike).position(|other| other == run).unwrap_or(0);
        let runs = self.worlds[world].memory.runs(block);
        let alike: Vec<&Run> = runs.iter().filter(is_alike).collect();
        let same_name = alike.iter().find(|other| (other.first, other.last) == (run.first, run.last));
        let Some(own) = same_name.or_else(|| alike.get(position)) else {
            // A text may end at a cell with a fixed number there.
            let zero = Cell::Value(terms.constant(0, 8));
            let Some(special) = self.worlds[world].memory.object(block).filter(|_| run.is_end_of_text(&context)) else {
                return;
            };
            let is_own =
                |edge: &&Edge| object.content.edges().iter().all(|own| own.cell != zero || own.offset != edge.offset);
            let ends = special.content.edges().iter().filter(|edge| edge.bytes == 1 && edge.cell == zero);
            let end = ends.filter(is_own).nth(position).map(|edge| context.pointer_constant(edge.offset));
            self.likely.extend(end.map(|end| Demand { scope, world, general: run.first, special: Some(end) }));
            return;
        };
        let value = run.single(&context).zip(own.single(&context)).map(|((_, value), (_, other))| (value, other));
        let pairs = [(run.first, own.first), (run.last, own.last)].into_iter().chain(value);
        self.likely.extend(pairs.map(|(general, special)| Demand { scope, world, general, special: Some(special) }));
    }
}
