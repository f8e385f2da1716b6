//! Abstraction: neighbours that look alike become one segment.
//!
//! Over-approximates: two nodes in a row whose inner addresses are held nowhere else are a chain of at least two of them.

use super::discover::{exact_target, last_of, leaf_of, next_of, pair_at, pairs, prev_of};
use super::extract::nested;
use super::kinds::{absorbed, is_above_others, join_kinds, may_be_empty, node_kinds_of, say_known_numbers, united};
use super::paths::{all_with_trees_aside, aside};
use super::patterns::forget_beyond;
use super::trees::fold_tree;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::census::{Census, Holder};
use super::discover::Pair;
use super::downward::Downward;
use super::join::Folding;
use super::kinds::all_of_either;
use super::node_kinds::NodeKinds;
use super::patterns::Pattern;
use super::precision::Keep;
use crate::heap::{Body, Cell, Links, Object, SHORTEST, Segment, Smg, Succession};
use crate::memory::BlockId;
use crate::numeric::Thresholds;
use crate::smt::Term;

/// What the text of a program suggests of its lists.
#[derive(Clone, Copy, Default)]
pub struct Suggested<'a> {
    /// Bounds of numbers that are worth stopping at.
    pub thresholds: &'a Thresholds,
    /// Pointers that lead down from one list to another, where they are distinguished.
    pub downward: Option<&'a Downward>,
}

/// Folds while there is anything to fold. `roots` are all values outside of the memory.
pub fn fold(memory: &mut Smg, roots: &[Term], keep: &Keep, suggested: Suggested) {
    let Suggested { thresholds, downward } = suggested;
    let Keep { ordered, follows, .. } = *keep;
    let folding = Folding { roots, thresholds, downward, depth: 0, exact: false, ordered, follows };
    if !keep.counted {
        forget_counts(memory);
    }
    if keep.kinds {
        say_known_numbers(memory);
        join_kinds(memory, folding);
    }
    while fold_once(memory, folding, keep) {
        debug_assert!(memory.consistent().is_ok(), "{:?}", memory.consistent());
    }
}

/// Makes nodes that are to be folded forget what is not kept of them; whether there was anything.
fn forget_of_nodes(smg: &mut Smg, census: &Census, pairs: &[Pair], keep: &Keep) -> bool {
    let mut forgets = false;
    for pair in pairs {
        forgets |= forget_beyond(smg, census, pair, keep.pattern);
    }
    forgets
}

fn fold_once(smg: &mut Smg, folding: Folding, keep: &Keep) -> bool {
    if keep.trees.is_some_and(|class| fold_tree(smg, folding, &class, keep)) {
        return true;
    }
    let census = Census::take(smg, folding.roots);
    let mut pairs = pairs(smg, &census, keep.trees);
    pairs.retain(|pair| !leads_down(smg, folding, pair, keep));
    if let Some(class) = keep.trees {
        let along = |pair: &Pair| {
            let object = smg.object(pair.left);
            object.is_some_and(|object| class.has_link(&smg.context.terms, object, pair.links.next))
        };
        pairs.retain(|pair| pair.links.branching.is_some() || !along(pair));
    }
    // A record and what it owns may look like two nodes: where a block was made distinguishes them in most programs.
    let in_a_row = in_a_row(smg, &census, &pairs);
    let are_alike = |pair: &Pair| {
        pair.links.branching.is_some()
            || same_origin(smg, pair)
            || (in_a_row(pair) >= keep.foreign_nodes && !may_be_record(smg, pair))
    };
    pairs.retain(are_alike);
    let is_segment = |block: BlockId| smg.object(block).is_some_and(|object| !object.is_region());
    let may_be_long =
        |pair: &Pair| is_segment(pair.left) || is_segment(pair.right) || in_a_row(pair) >= keep.equal_nodes;
    let long: Vec<Pair> = pairs.iter().filter(|pair| may_be_long(pair)).copied().collect();
    if keep.pattern != Pattern::ALL && forget_of_nodes(smg, &census, &long, keep) {
        return true;
    }
    for pair in &long {
        let (Some(left), Some(right)) =
            (node_kinds_of(smg, &census, pair.left, pair), node_kinds_of(smg, &census, pair.right, pair))
        else {
            continue;
        };
        let Some(node_kinds) = all_of_either(&left, &right, may_be_empty(smg, pair)) else { continue };
        if is_long_enough(smg, &census, pair, &node_kinds.bodies, keep)
            && let Some(bodies) = all_with_trees_aside(smg, folding, &census, pair, node_kinds.bodies)
        {
            return merge(smg, &census, pair, NodeKinds { bodies, order: node_kinds.order }, keep);
        }
    }
    // Equal ones may have become a list with it.
    let is_worked_on = |pair: &Pair| keep.apart && census.of_block(smg, pair.left).contains(&Holder::Root);
    pairs.retain(|pair| !is_worked_on(pair));
    for pair in &pairs {
        if let Some(node_kinds) = absorbed(smg, folding, &census, pair) {
            return merge(smg, &census, pair, node_kinds, keep);
        }
    }
    for pair in pairs.iter().filter(|pair| in_a_row(pair) >= keep.unequal_nodes) {
        let chain = chain(smg, &census, *pair);
        if chain.len() + 1 < keep.unequal_nodes {
            continue;
        }
        for pair in chain.iter().filter(|pair| pairs.contains(pair)) {
            // Nodes above blocks of different sizes are of different kinds, whatever is kept.
            let kinds = keep.kinds || is_above_others(smg, &census, pair);
            if let Some(node_kinds) = united(smg, folding, &census, pair, kinds) {
                return merge(smg, &census, pair, node_kinds, keep);
            }
        }
    }
    false
}

/// Whether the precision, or the types of the program's structures, say that the link leads from a node of one list to a list below it.
fn leads_down(smg: &Smg, folding: Folding, pair: &Pair, keep: &Keep) -> bool {
    let size = smg.object(pair.left).and_then(|object| smg.context.terms.as_const(object.size));
    let is_reported = keep.down.is_some_and(|(bytes, offset)| {
        size == Some(bytes.into()) && offset == pair.links.next && pair.links.branching.is_none()
    });
    is_reported || folding.downward.zip(size).is_some_and(|(downward, size)| downward.has(size, pair.links.next))
}

/// How many neighbours there are in a row from each of these pairs on: as many as [`Smg::chain`] would find, and one more.
fn in_a_row(smg: &Smg, census: &Census, pairs: &[Pair]) -> impl Fn(&Pair) -> usize + use<> {
    let mut lengths: FxHashMap<(BlockId, Links), usize> = FxHashMap::default();
    for pair in pairs {
        let mut path: Vec<(BlockId, Links)> = Vec::new();
        let mut at = Some(*pair);
        let mut rest = 0;
        while let Some(pair) = at {
            let key = (pair.left, pair.links);
            if let Some(known) = lengths.get(&key) {
                rest = *known;
                break;
            }
            if let Some(begin) = path.iter().position(|met| *met == key) {
                // A ring: from each of its nodes all others follow.
                let ring = path.split_off(begin);
                rest = ring.len() - 1;
                lengths.extend(ring.into_iter().map(|key| (key, rest)));
                break;
            }
            path.push(key);
            at = pair_at(smg, census, pair.right, pair.links);
        }
        for key in path.into_iter().rev() {
            rest += 1;
            lengths.insert(key, rest);
        }
    }
    move |pair| lengths.get(&(pair.left, pair.links)).map_or(1, |length| length + 1)
}

/// The pairs of one list from `pair` on.
pub(super) fn chain(smg: &Smg, census: &Census, pair: Pair) -> Vec<Pair> {
    let mut chain = vec![pair];
    let mut at = pair;
    while let Some(next) = pair_at(smg, census, at.right, at.links) {
        if chain.iter().any(|pair| pair.left == next.right || pair.left == next.left) {
            break;
        }
        chain.push(next);
        at = next;
    }
    chain
}

/// Whether the left one, which was made elsewhere than the right one, may be a record that holds another end of the list, too.
fn may_be_record(smg: &Smg, pair: &Pair) -> bool {
    let Some(left) = smg.object(pair.left).filter(|object| object.is_region()) else { return false };
    let is_end = |value: Term| {
        exact_target(smg, value).is_some_and(|(block, _)| {
            block != pair.right && smg.object(block).is_some_and(|object| object.valid && object.size == left.size)
        })
    };
    let others = left.content.edges().iter().filter(|edge| !pair.links.offsets().contains(&edge.offset));
    others.into_iter().any(|edge| matches!(edge.cell, Cell::Value(value) if is_end(value)))
}

pub(super) fn same_origin(smg: &Smg, pair: &Pair) -> bool {
    match (smg.object(pair.left), smg.object(pair.right)) {
        (Some(left), Some(right)) => left.origin.site == right.origin.site,
        _ => false,
    }
}

/// A segment takes any neighbour; regions become one when there are enough of them.
fn is_long_enough(smg: &Smg, census: &Census, pair: &Pair, bodies: &[Rc<Body>], keep: &Keep) -> bool {
    let is_segment = |block: BlockId| smg.object(block).is_some_and(|object| !object.is_region());
    if is_segment(pair.left) || is_segment(pair.right) {
        return true;
    }
    let [body] = bodies else { return false };
    let code = body.code();
    let mut seen = vec![pair.left, pair.right];
    let mut at = pair.right;
    while seen.len() < keep.equal_nodes {
        match pair_at(smg, census, at, pair.links) {
            Some(next) if !seen.contains(&next.right) => {
                let node_kinds = node_kinds_of(smg, census, next.right, pair);
                if !node_kinds.is_some_and(|node_kinds| node_kinds.bodies.iter().any(|body| body.code() == code)) {
                    return false;
                }
                seen.push(next.right);
                at = next.right;
            }
            _ => return false,
        }
    }
    true
}

/// How many nodes `block`, a node or the first one of a segment, stands for, where that is known.
fn nodes_in(smg: &Smg, block: BlockId) -> Option<Term> {
    match smg.object(block)?.form.summary() {
        Some(summary) => summary.count(),
        None => Some(smg.context.pointer_constant(1)),
    }
}

/// Lists outside of bodies are no longer counted.
fn forget_counts(smg: &mut Smg) {
    let counted = |object: &Object| object.form.summary().is_some_and(|summary| summary.count().is_some());
    let owners: Vec<BlockId> =
        smg.objects.iter().filter(|(_, object)| counted(object)).map(|(block, _)| *block).collect();
    for owner in owners {
        smg.set_count(owner, None);
    }
}

/// Makes one segment of the two, whose nodes look like this; what hung below them is in the bodies.
fn merge(smg: &mut Smg, census: &Census, pair: &Pair, node_kinds: NodeKinds, keep: &Keep) -> bool {
    let Pair { left, right, links } = *pair;
    let (Some(next), Some(prev)) = (next_of(smg, census, right, links), prev_of(smg, left, links)) else {
        return false;
    };
    let last = last_of(smg, right);
    let length = |memory: &Smg, block: BlockId| {
        memory.object(block).and_then(|object| object.form.summary()).map_or(1, |summary| summary.least())
    };
    let min_len = length(smg, left) + length(smg, right);
    let count = nodes_in(smg, left).zip(nodes_in(smg, right)).filter(|_| keep.counted && links.branching.is_none());
    let count = count.map(|(left, right)| smg.context.terms.add(left, right));
    // The count says it better.
    let min_len = if count.is_some() { min_len.min(SHORTEST) } else { min_len };
    let leaf = links.branching.map(|_| leaf_of(smg, left));
    let mut gone: Vec<BlockId> = Vec::new();
    for side in [left, right] {
        if smg.object(side).is_some_and(|object| object.is_region()) {
            gone.extend(nested(smg, census, side, &links.offsets()));
            gone.extend(aside(smg, census, side, links));
        }
    }
    if last_of(smg, left) != left {
        gone.push(last_of(smg, left));
    }
    if last != right {
        gone.push(right);
    }
    for block in gone {
        smg.remove_object(block);
    }
    let NodeKinds { bodies, order } = node_kinds;
    let order = if keep.follows { order } else { Succession::free(bodies.len()) };
    smg.set_segment(left, Segment { last, links, min_len, count, next, prev, empty: None, leaf, bodies, order });
    smg.place_ends(left);
    true
}
