//! Where lists could be: pairs of neighbours, found from the heap itself.

use super::census::{Census, Holder};
use super::extract::nested;
use super::paths::{aside, onward};
use super::trees::TreeClass;
use super::trees::is_node;
use crate::heap::{Cell, Form, Links, Smg, Target};
use crate::memory::BlockId;
use crate::smt::Term;

/// Two things in a row that could become one segment: regions, or segments by their first nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub left: BlockId,
    pub right: BlockId,
    pub links: Links,
}

/// All pairs whose links fit and whose inner addresses are held nowhere else, by their left sides.
pub(super) fn pairs(smg: &Smg, census: &Census, trees: Option<TreeClass>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (&left, object) in &smg.objects {
        if !smg.is_live_heap(left) {
            continue;
        }
        match &object.form {
            Form::First(segment) => pairs.extend(pair_at(smg, census, left, segment.links)),
            Form::Region => {
                let trees = trees.filter(|class| is_node(smg, left, class)).map(|class| Links::from(class.links));
                let possible = possible_links(smg, left).into_iter().chain(trees);
                let found: Vec<Pair> = possible.filter_map(|links| pair_at(smg, census, left, links)).collect();
                // Of several links to one node that of the highest level leads on: all others may lead to nodes in between.
                let is_below = |pair: &Pair, other: &Pair| {
                    let plain = |links: Links| links.branching.is_none() && links.prev.is_none();
                    pair.right == other.right
                        && plain(pair.links)
                        && plain(other.links)
                        && pair.links.next < other.links.next
                };
                pairs.extend(found.iter().filter(|pair| !found.iter().any(|other| is_below(pair, other))));
            }
            _ => {}
        }
    }
    pairs
}

/// The pair `left` forms with what its `next` leads to.
pub(super) fn pair_at(smg: &Smg, census: &Census, left: BlockId, links: Links) -> Option<Pair> {
    let last = last_of(smg, left);
    let (right, head) = exact_target(smg, next_of(smg, census, left, links)?)?;
    // A pointer from outside of a node into its neighbour keeps neither alive: no list.
    let size = smg.context.terms.as_const(smg.object(right)?.size)?;
    let fits = head == links.head
        && u128::from(head) < size
        && right != left
        && right != last
        && smg.is_live_heap(right)
        && same_kind(smg, census, left, right, links)
        && leaf_of(smg, left) == leaf_of(smg, right)
        && linked_back(smg, last, right, links)
        && is_hidden(smg, census, left, last, right, links);
    fits.then_some(Pair { left, right, links })
}

/// The last node of the segment that starts at `block`; a region is its own.
pub(super) fn last_of(smg: &Smg, block: BlockId) -> BlockId {
    match smg.object(block).map(|object| &object.form) {
        Some(Form::First(segment)) => segment.last,
        _ => block,
    }
}

/// Links a region has to neighbours that may be of the same list.
fn possible_links(smg: &Smg, left: BlockId) -> Vec<Links> {
    let mut found = Vec::new();
    let Some(object) = smg.object(left) else { return found };
    for edge in object.content.edges() {
        let Cell::Value(value) = edge.cell else { continue };
        let Some((right, head)) = exact_target(smg, value) else { continue };
        if right == left || !smg.is_live_heap(right) {
            continue;
        }
        let next = edge.offset;
        match smg.object(right).map(|object| &object.form) {
            Some(Form::First(segment)) => {
                found.extend(Some(segment.links).filter(|links| links.next == next && links.branching.is_none()));
            }
            Some(Form::Region) => {
                let backs = offsets_of(smg, right, smg.context.terms.add_constant(object.address, i128::from(head)));
                let backs: Vec<u64> = backs.into_iter().filter(|prev| *prev != next).collect();
                if backs.is_empty() {
                    found.push(Links { head, next, branching: None, prev: None });
                }
                // The other direction is found from the other side.
                let forward = backs.into_iter().filter(|prev| next < *prev);
                found.extend(forward.map(|prev| Links { head, next, branching: None, prev: Some(prev) }));
            }
            _ => {}
        }
    }
    found
}

/// Where the region `block` holds `value`.
fn offsets_of(smg: &Smg, block: BlockId, value: Term) -> Vec<u64> {
    let Some(object) = smg.object(block) else { return Vec::new() };
    let edges = object.content.edges().iter().filter(|edge| edge.cell == Cell::Value(value));
    edges.map(|edge| edge.offset).collect()
}

/// The block a link leads to, and how far into it, where both are sure.
pub(super) fn exact_target(smg: &Smg, value: Term) -> Option<(BlockId, u64)> {
    match smg.target(value) {
        Target::Object { block, offset } => Some((block, u64::try_from(smg.context.terms.as_const(offset)?).ok()?)),
        _ => None,
    }
}

/// What the `next` of a region, or of a segment's last node, holds.
pub(super) fn next_of(smg: &Smg, census: &Census, block: BlockId, links: Links) -> Option<Term> {
    match &smg.object(block)?.form {
        Form::First(segment) => (segment.links == links).then_some(segment.next),
        Form::Region if links.branching.is_some() => Some(onward(smg, census, block, links)?.next),
        Form::Region => smg.field(block, links.next),
        _ => None,
    }
}

/// What the `prev` of a region, or of a segment's first node, holds; `Some(None)` for singly linked lists.
pub(super) fn prev_of(smg: &Smg, block: BlockId, links: Links) -> Option<Option<Term>> {
    match (&smg.object(block)?.form, links.prev) {
        (Form::First(segment), _) => (segment.links == links).then_some(segment.prev),
        (_, None) => Some(None),
        (Form::Region, Some(prev)) => smg.field(block, prev).map(Some),
        _ => None,
    }
}

fn same_kind(smg: &Smg, census: &Census, left: BlockId, right: BlockId, links: Links) -> bool {
    let (Some(a), Some(b)) = (smg.object(left), smg.object(right)) else { return false };
    let terms = &smg.context.terms;
    let alignment = |object: &crate::heap::Object| {
        terms.as_symbol(object.address).map(|symbol| terms.symbol_info(symbol).alignment)
    };
    let part_of = |block: BlockId| match smg.object(block).map(|object| &object.form) {
        Some(Form::Region) => next_of(smg, census, block, links).is_some() && prev_of(smg, block, links).is_some(),
        Some(Form::First(segment)) => segment.links == links,
        _ => false,
    };
    terms.as_const(a.size).is_some()
        && a.size == b.size
        && alignment(a) == alignment(b)
        && part_of(left)
        && part_of(right)
}

/// What links to children hold where there is no child, beside a part of a path; beside a region it is null.
pub(super) fn leaf_of(smg: &Smg, block: BlockId) -> Term {
    let leaf = match smg.object(block).map(|object| &object.form) {
        Some(Form::First(segment)) => segment.leaf,
        _ => None,
    };
    leaf.unwrap_or(smg.context.pointer_constant(0))
}

fn linked_back(smg: &Smg, last: BlockId, right: BlockId, links: Links) -> bool {
    match prev_of(smg, right, links) {
        Some(None) => true,
        Some(Some(prev)) => smg.link_to(last, links) == Some(prev),
        None => false,
    }
}

/// The addresses in between are held only by the two neighbours, by what hangs below the right one, and by the one after it.
fn is_hidden(smg: &Smg, census: &Census, left: BlockId, last: BlockId, right: BlockId, links: Links) -> bool {
    let from_left = |holder: &Holder| match *holder {
        Holder::Field(block, offset) => block == left && (offset == links.next || Some(offset) == links.branching),
        Holder::Next(block) => block == left,
        _ => false,
    };
    // A list below the left one may end where its link leads. A record that holds both ends of a list is no node of it.
    let made_alike = || match (smg.object(left), smg.object(right)) {
        (Some(left), Some(right)) => left.origin.site == right.origin.site,
        _ => false,
    };
    let is_left_alone = links.branching.is_none() && last_of(smg, left) == left && made_alike();
    let is_of_left = |holder: &Holder| {
        let own = |block: BlockId| {
            block == left || (is_left_alone && nested(smg, census, left, &links.offsets()).contains(&block))
        };
        is_left_alone && holder.block().is_some_and(own)
    };
    let from_left = |holder: &Holder| from_left(holder) || is_of_left(holder);
    let from_right = |holder: &Holder| match *holder {
        Holder::Field(block, offset) => block == right && Some(offset) == links.prev,
        Holder::Prev(block) => block == right,
        _ => false,
    };
    if last != left && !census.of_block(smg, last).iter().all(from_right) {
        return false;
    }
    if last_of(smg, right) != right {
        // Of a singly linked list that may have no node it is unknown where its end leads then.
        let is_vague = links.prev.is_none() && smg.may_be_nothing(right);
        if is_vague && !census.of_block(smg, last_of(smg, right)).is_empty() {
            return false;
        }
        return census.of_block(smg, right).iter().all(from_left);
    }
    let mut nested = nested(smg, census, right, &links.offsets());
    nested.extend(aside(smg, census, right, links));
    // In a ring without a holder the left one hangs below the right one: both are lost, neither is a list.
    if nested.contains(&left) {
        return false;
    }
    census.of_block(smg, right).iter().all(|holder| {
        let own = holder.block().is_some_and(|block| block == right || nested.contains(&block));
        own || from_left(holder) || is_back_link(smg, census, *holder, right, links)
    })
}

/// The `prev` of what follows the region `block`, be it another node or the head of the list.
fn is_back_link(smg: &Smg, census: &Census, holder: Holder, block: BlockId, links: Links) -> bool {
    let Some(prev) = links.prev else { return false };
    let following = next_of(smg, census, block, links).and_then(|next| exact_target(smg, next));
    match (holder, following) {
        (Holder::Field(owner, offset), Some((after, at))) => {
            owner == after && Some(offset) == (at + prev).checked_sub(links.head)
        }
        (Holder::Prev(owner), Some((after, _))) => owner == after,
        _ => false,
    }
}
