//! What the nodes of two neighbours look like together: one body, or a body for each kind of node.
//!
//! One body for nodes that differ says of each symbol what it may be, but no longer which values go together: that a flag is set where there
//! is a block below the node. Where that matters, nodes stay of different kinds.

use super::extract::extract_node;
use super::paths::with_trees_aside;
use std::rc::Rc;

use super::census::{Census, Holder};
use super::discover::Pair;
use super::join::{Folding, join_nodes};
use super::join_kinds::MOST_KINDS;
use super::named_links::Ports;
use super::node_kinds::NodeKinds;
use crate::heap::{Body, Cell, Content, Form, Found, Links, Object, Segment, Smg, Succession};
use crate::memory::BlockId;
use crate::smt::Term;

/// Numbers in heap blocks of which only one value is left are said to be this value: they may tell of which kind a node is.
pub(super) fn say_known_numbers(smg: &mut Smg) {
    let context = smg.context().clone();
    let terms = &context.terms;
    let mut known: Vec<(BlockId, u64, u64, Term)> = Vec::new();
    for (&block, object) in smg.objects.iter().filter(|(block, object)| object.is_region() && smg.is_live_heap(**block))
    {
        for edge in object.content.edges() {
            let Cell::Value(value) = edge.cell else { continue };
            let is_number = terms.as_const(value).is_none()
                && !terms.symbols_of(value).iter().any(|symbol| smg.points_to.contains_key(symbol));
            let (low, high) = if is_number { smg.store.range(&context, value) } else { continue };
            if low == high {
                known.push((block, edge.offset, edge.bytes, terms.constant(low, terms.width(value))));
            }
        }
    }
    for (block, offset, bytes, value) in known {
        smg.write_cell(block, offset, bytes, Cell::Value(value));
    }
}

/// Kinds of nodes of one segment that have become one.
pub(super) fn join_kinds(smg: &mut Smg, folding: Folding) {
    let of_kinds = |object: &Object| match &object.form {
        Form::First(segment) => Some(segment.clone()).filter(|segment| segment.bodies.len() > 1),
        _ => None,
    };
    let segments: Vec<(BlockId, Rc<Segment>)> =
        smg.objects.iter().filter_map(|(block, object)| Some((*block, of_kinds(object)?))).collect();
    for (first, segment) in segments {
        let NodeKinds { bodies, order } =
            fewer(smg, exactly(folding), (first, segment.links), NodeKinds::of(&segment), 1);
        if bodies.len() < segment.bodies.len() {
            smg.set_segment(first, Segment { bodies, order, ..segment.as_ref().clone() });
        }
    }
}

/// What nodes of one side of a pair look like.
pub(super) fn node_kinds_of(smg: &Smg, census: &Census, block: BlockId, pair: &Pair) -> Option<NodeKinds> {
    match &smg.object(block)?.form {
        Form::First(segment) => Some(NodeKinds::of(segment)),
        Form::Region => Some(NodeKinds::one(Rc::new(extract_node(smg, census, block, pair.links)?))),
        _ => None,
    }
}

/// Which sides of a pair may have no node.
pub(super) fn may_be_empty(smg: &Smg, pair: &Pair) -> [bool; 2] {
    [pair.left, pair.right].map(|side| {
        let summary = smg.object(side).and_then(|object| object.form.summary());
        summary.is_some_and(|summary| summary.least() == 0)
    })
}

/// What nodes of a segment of the pair look like, where that allows all its neighbour is.
pub(super) fn absorbed(smg: &Smg, folding: Folding, census: &Census, pair: &Pair) -> Option<NodeKinds> {
    let node_kinds = |block: BlockId| match smg.object(block).map(|object| &object.form) {
        Some(Form::First(segment)) => Some(NodeKinds::of(segment)),
        _ => None,
    };
    let (left, right) = (node_kinds(pair.left), node_kinds(pair.right));
    if left.is_none() && right.is_none() {
        return None;
    }
    let kinds = |node_kinds: &Option<NodeKinds>| node_kinds.as_ref().map_or(1, |node_kinds| node_kinds.bodies.len());
    let mut codes = Vec::new();
    for one in 0..kinds(&left) {
        for other in 0..kinds(&right) {
            codes.push(((one, other), joined(smg, folding, census, pair, (one, other)).map(|body| body.code())));
        }
    }
    let joins = |kinds: (usize, usize), body: &Rc<Body>| {
        let code = codes.iter().find(|(key, _)| *key == kinds).and_then(|(_, code)| code.as_ref());
        code.is_some_and(|code| *code == body.code())
    };
    // By kind of one side, the kind of the other one that allows it.
    let allowed = |own: &NodeKinds, others: usize, key: &dyn Fn(usize, usize) -> (usize, usize)| {
        let place = |other| own.bodies.iter().enumerate().position(|(kind, body)| joins(key(kind, other), body));
        (0..others).map(place).collect::<Option<Vec<usize>>>()
    };
    let order_of = |node_kinds: &Option<NodeKinds>| {
        node_kinds.as_ref().map_or_else(Succession::one, |node_kinds| node_kinds.order.clone())
    };
    if let Some(own) = &left
        && let Some(to) = allowed(own, kinds(&right), &|kind, other| (kind, other))
    {
        let behind = own.order_from(&order_of(&right), &to);
        let order = own.order.then(&behind, may_be_empty(smg, pair));
        return Some(NodeKinds { order, ..own.clone() });
    }
    let own = right?;
    let to = allowed(&own, kinds(&left), &|kind, other| (other, kind))?;
    let before = own.order_from(&order_of(&left), &to);
    let order = before.then(&own.order, may_be_empty(smg, pair));
    Some(NodeKinds { order, ..own })
}

/// Whether a place in nodes of one side leads to blocks of another size than in nodes of the other one.
pub(super) fn is_above_others(smg: &Smg, census: &Census, pair: &Pair) -> bool {
    let bodies =
        |block: BlockId| node_kinds_of(smg, census, block, pair).map_or_else(Vec::new, |node_kinds| node_kinds.bodies);
    let below = |body: &Rc<Body>| sizes_below(body);
    let left: Vec<(u64, Term)> = bodies(pair.left).iter().flat_map(below).collect();
    let right: Vec<(u64, Term)> = bodies(pair.right).iter().flat_map(below).collect();
    let is_other = |(offset, size): &(u64, Term), (place, other): &(u64, Term)| offset == place && size != other;
    left.iter().any(|own| right.iter().any(|other| is_other(own, other)))
}

/// Where the node of a body holds addresses of blocks below it, and the sizes of these.
fn sizes_below(body: &Rc<Body>) -> Vec<(u64, Term)> {
    let Some((node, below)) = body.objects.split_first() else { return Vec::new() };
    let size = |value: Term| below.iter().find(|object| object.address == value).map(|object| object.size);
    let edges = node.content.edges().iter();
    let leads = edges.filter_map(|edge| match edge.cell {
        Cell::Value(value) => Some((edge.offset, size(value)?)),
        Cell::Uniform(_) | Cell::Forgotten => None,
    });
    leads.collect()
}

/// What nodes of a pair look like, all of both sides and all that is beside them.
pub(super) fn united(smg: &Smg, folding: Folding, census: &Census, pair: &Pair, kinds: bool) -> Option<NodeKinds> {
    let (left, right) = (node_kinds_of(smg, census, pair.left, pair)?, node_kinds_of(smg, census, pair.right, pair)?);
    if left.bodies.len() == 1 && right.bodies.len() == 1 && (!kinds || pair.links.branching.is_some()) {
        let body = joined(smg, folding, census, pair, (0, 0))?;
        return Some(left.then(right, may_be_empty(smg, pair)).merged(0, 1, body));
    }
    if is_begun(smg, census, pair) {
        return None;
    }
    let all = left.then(right, may_be_empty(smg, pair)).sorted(smg.context());
    let like = (pair.left, pair.links);
    let node_kinds = fewer(smg, exactly(folding), like, all, 1);
    let node_kinds = fewer(smg, folding, like, node_kinds, MOST_KINDS);
    (node_kinds.bodies.len() <= MOST_KINDS).then_some(node_kinds)
}

/// The same with joins in place of bodies that have one, as long as there are more than `most`.
fn fewer(
    smg: &Smg,
    folding: Folding,
    (like, links): (BlockId, Links),
    mut node_kinds: NodeKinds,
    most: usize,
) -> NodeKinds {
    let join = |one: &Body, other: &Body| {
        let mut scratch = smg.clone();
        let nodes = (scratch.node_of(like, one, links)?, scratch.node_of(like, other, links)?);
        join_nodes(&scratch, folding, nodes, Ports::of(links), &[])
    };
    while node_kinds.bodies.len() > most {
        let bodies = &node_kinds.bodies;
        let pairs = (0..bodies.len()).flat_map(|one| (one + 1..bodies.len()).map(move |other| (one, other)));
        let mut joins = pairs.filter_map(|(one, other)| Some((one, other, join(&bodies[one], &bodies[other])?)));
        let Some((one, other, joined)) = joins.next() else { break };
        node_kinds = node_kinds.merged(one, other, Rc::new(joined));
    }
    node_kinds.sorted(smg.context())
}

/// Whether one of the two is a node that a variable points to, with an unwritten place at which null, as a pointer, stands in
/// the other one: it is not finished. A list of both would have nodes of which nothing is known there.
fn is_begun(smg: &Smg, census: &Census, pair: &Pair) -> bool {
    let lacks_a_pointer = |node: BlockId, other: BlockId| {
        census.of_block(smg, node).contains(&Holder::Root)
            && smg.object(node).is_some_and(|object| {
                object.is_region() && nulls(smg, other, pair).into_iter().any(|offset| is_open(smg, object, offset))
            })
    };
    lacks_a_pointer(pair.left, pair.right) || lacks_a_pointer(pair.right, pair.left)
}

/// Where nodes that `block` of the pair stands for hold null as a pointer, or a link of a segment.
fn nulls(smg: &Smg, block: BlockId, pair: &Pair) -> Vec<u64> {
    let Some(object) = smg.object(block) else { return Vec::new() };
    let width = u64::from(smg.context().model.pointer_bytes());
    let is_null = |value: Term| smg.context().terms.as_const(value) == Some(0);
    let of = |content: &Content| {
        let nulls = content
            .edges()
            .iter()
            .filter(|edge| edge.bytes == width && matches!(edge.cell, Cell::Value(value) if is_null(value)));
        nulls.map(|edge| edge.offset).collect::<Vec<u64>>()
    };
    match &object.form {
        Form::First(segment) => {
            let nodes = segment.bodies.iter().filter_map(|body| body.objects.first());
            nodes.flat_map(|node| of(&node.content)).chain(pair.links.offsets()).collect()
        }
        _ => of(&object.content),
    }
}

/// Whether the place of a pointer at `offset` is unwritten.
fn is_open(smg: &Smg, object: &Object, offset: u64) -> bool {
    let width = u64::from(smg.context().model.pointer_bytes());
    object.content.read(&smg.context().terms, offset, width) == Found::Unwritten
}

/// The body both sides of a pair are instances of, of these kinds, and all that is beside them.
fn joined(
    smg: &Smg,
    folding: Folding,
    census: &Census,
    pair: &Pair,
    (left, right): (usize, usize),
) -> Option<Rc<Body>> {
    if is_begun(smg, census, pair) {
        return None;
    }
    let mut scratch = smg.clone();
    let mut node = |block: BlockId, kind: usize| match smg.object(block).map(|object| &object.form) {
        Some(Form::First(segment)) => scratch.node_of(block, segment.bodies.get(kind)?, segment.links),
        _ => Some(block),
    };
    let nodes = (node(pair.left, left)?, node(pair.right, right)?);
    let body = join_nodes(&scratch, folding, nodes, Ports::of(pair.links), &[])?;
    with_trees_aside(smg, folding, census, pair, Rc::new(body))
}

/// Nodes that say the same but for what may be anything in one of them are of one kind.
fn exactly(folding: Folding) -> Folding {
    Folding { exact: true, depth: 1, ..folding }
}

/// What nodes of a pair look like, where the kinds of one side are among those of the other.
pub(super) fn all_of_either(left: &NodeKinds, right: &NodeKinds, may_be_empty: [bool; 2]) -> Option<NodeKinds> {
    if let Some(behind) = left.order_of(right) {
        return Some(NodeKinds { order: left.order.then(&behind, may_be_empty), ..left.clone() });
    }
    let before = right.order_of(left)?;
    Some(NodeKinds { order: before.then(&right.order, may_be_empty), ..right.clone() })
}
