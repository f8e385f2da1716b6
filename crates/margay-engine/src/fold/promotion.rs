//! A single node that ends a list of its own becomes a list of at least one node, where other states have lists of such nodes: then
//! places that hold nothing, one node, or more are one state sooner (k places have 3^k such states).

use super::extract::{extract, nested};
use std::rc::Rc;

use super::census::{Census, Holder};
use crate::heap::{Form, Links, Segment, Smg, State, Succession, values};
use crate::memory::{BlockId, Site};
use crate::smt::Term;

/// Where nodes of lists were made, how large they are, and their links.
type Kind = (Site, Term, Links);

/// Over-approximates: `state` allows more nodes where `others`, met at the same place, have lists of such nodes without a count.
pub fn promote<'a>(state: &mut State, others: impl Iterator<Item = &'a State>) {
    let mut kinds: Vec<Kind> = Vec::new();
    for object in others.flat_map(|other| other.memory.objects.values()) {
        if let Form::First(segment) = &object.form
            && segment.count.is_none()
            && segment.links.branching.is_none()
            && segment.empty.is_none()
        {
            let kind = (object.origin.site, object.size, segment.links);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    let roots = values(state);
    for kind in &kinds {
        let blocks: Vec<BlockId> = state.memory.objects.keys().copied().collect();
        for block in blocks {
            promote_node(&mut state.memory, &roots, block, kind, &kinds);
        }
    }
}

/// Makes a list of `block` if it is one node of this kind with nothing behind it, to which one cell of another block leads.
fn promote_node(smg: &mut Smg, roots: &[Term], block: BlockId, kind: &Kind, kinds: &[Kind]) -> Option<()> {
    let &(site, size, links) = kind;
    let object = smg.object(block)?.clone();
    let is_alike = object.is_region() && object.origin.site == site && object.size == size;
    (is_alike && smg.is_live_heap(block)).then_some(())?;
    let null = smg.context.pointer_constant(0);
    let ends = |offset: u64| smg.field(block, offset) == Some(null);
    (ends(links.next) && links.prev.is_none_or(ends)).then_some(())?;
    let census = Census::take(smg, roots);
    let nested = nested(smg, &census, block, &links.offsets());
    // What hangs below the node may lead back to it.
    let is_own = |holder: &Holder| holder.block().is_some_and(|owner| owner == block || nested.contains(&owner));
    let mut above = census.of_block(smg, block).iter().filter(|holder| !is_own(holder));
    let (Some(&Holder::Field(owner, offset)), None) = (above.next(), above.next()) else { return None };
    // Where nodes are in lists of several links, as those of skip lists are, one that hangs at another link is in that list.
    let hangs_at = |other: &Kind| (other.0, other.1, other.2.next) == (site, size, offset);
    let is_in_other = smg.object(owner)?.size == size && kinds.iter().any(hangs_at);
    (links.next == offset || !is_in_other).then_some(())?;
    let head = smg.context.terms.add_constant(object.address, i128::from(links.head));
    (smg.field(owner, offset) == Some(head)).then_some(())?;
    let body = Rc::new(extract(smg, &census, block, &links.offsets())?);
    for below in nested {
        smg.remove_object(below);
    }
    let last = smg.add_like(&object);
    let prev = links.prev.map(|_| null);
    let segment = Segment {
        last,
        links,
        min_len: 1,
        count: None,
        next: null,
        prev,
        empty: None,
        leaf: None,
        bodies: vec![body],
        order: Succession::free(1),
    };
    smg.set_segment(block, segment);
    smg.place_ends(block);
    Some(())
}
