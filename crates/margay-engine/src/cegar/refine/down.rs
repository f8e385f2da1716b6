//! Links down: where nodes of a list and of the lists below them are of one type, a chain of nodes down the levels looks like a list.

use std::collections::BTreeSet;

use super::numbers::everywhere;
use super::{Failure, Proposal, Refiner};
use crate::fold::Keep;
use crate::heap::{Cell, Context, Form, Object, State, Target};
use crate::memory::BlockId;
use crate::smt::Term;

/// Says of one link that it leads down to other lists.
pub struct Down;

impl Refiner for Down {
    /// Every second line begins with the last one of the links: which of two leads down the path does not tell.
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        let explorer = failure.path.explorer;
        let mut links: BTreeSet<(u64, u64)> = BTreeSet::new();
        for state in failure.path.nodes.iter().filter_map(|(_, node)| explorer.state(*node)) {
            let context = state.memory.context();
            state.memory.objects.values().for_each(|object| links_of(context, object, &mut links));
        }
        // From where a link leads to, none leads back, but for links of doubly linked lists.
        failure.path.precisely(&mut |_, state| links.retain(|link| !leads_back(state, *link)));
        // One link alone is that of lists.
        let records = &explorer.domain().shapes.program.records;
        let is_one_of_several = |(size, link): &&(u64, u64)| {
            let is_seen = links.iter().any(|(other, at)| other == size && at != link);
            is_seen || records.has_other_link(*size, *link)
        };
        let mut several: Vec<(u64, u64)> = links.iter().filter(is_one_of_several).copied().collect();
        if failure.line % 2 == 1 {
            several.reverse();
        }
        several.into_iter().find_map(|link| {
            let (size, offset) = link;
            let change = |keep: Keep| Keep { down: keep.down.or(Some(link)), ..keep };
            everywhere(failure, change, &format!("links at {offset} in blocks of {size} bytes lead down"))
        })
    }
}

/// Whether such a link of some block leads to another one with a pointer back.
fn leads_back(state: &State, (size, offset): (u64, u64)) -> bool {
    let memory = &state.memory;
    let size = memory.context().pointer_constant(size);
    let target = |value: Term| match memory.target(value) {
        Target::Object { block, .. } => Some(block),
        _ => None,
    };
    let leads = |from: BlockId, to: BlockId| {
        let mut edges = memory.object(from).into_iter().flat_map(|object| object.content.edges());
        edges.any(|edge| match edge.cell {
            Cell::Value(value) => target(value) == Some(to),
            Cell::Uniform(_) | Cell::Forgotten => false,
        })
    };
    memory.objects.iter().filter(|(_, object)| object.size == size && object.is_region()).any(|(block, _)| {
        let next = memory.field(*block, offset).and_then(target);
        next.is_some_and(|next| next != *block && leads(next, *block))
    })
}

/// The links of lists, singly linked, that the object or its bodies are.
fn links_of(context: &Context, object: &Object, found: &mut BTreeSet<(u64, u64)>) {
    if let Form::First(segment) = &object.form
        && segment.links.branching.is_none()
        && let Some(size) = context.terms.as_const(object.size).and_then(|size| u64::try_from(size).ok())
    {
        found.insert((size, segment.links.next));
    }
    let bodies = object.form.summary().map_or(&[][..], |summary| summary.bodies());
    let inside = bodies.iter().flat_map(|body| &body.objects);
    inside.for_each(|object| links_of(context, object, found));
}
