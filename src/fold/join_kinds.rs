//! What nodes of lists look like where these are of several kinds: the join of two lists, and of a node with a list.

use std::rc::Rc;

use super::join::Join;
use super::ties::Ports;
use crate::heap::{Body, Context, Links, Segment, Smg};
use crate::memory::BlockId;

/// More kinds of nodes than that are not told apart.
pub(super) const MOST_KINDS: usize = 4;

impl Join<'_> {
    /// What nodes of both segments look like. Where either has several kinds of them, the result has all kinds, and numbers that differ
    /// are not joined.
    pub(super) fn join_kinds(
        &self,
        (left, one): (BlockId, &Rc<Segment>),
        (right, other): (BlockId, &Rc<Segment>),
    ) -> Option<Vec<Rc<Body>>> {
        if let (Some(body), Some(other_body)) = (one.only_body(), other.only_body()) {
            return Some(vec![self.join_bodies((left, body), (right, other_body), one.links, self.scene.exact)?]);
        }
        // Each of the right side is joined with one of the left side, where it has a join with any.
        let mut free: Vec<&Rc<Body>> = one.bodies.iter().collect();
        let mut bodies = Vec::new();
        for body in &other.bodies {
            let join = |own: &Rc<Body>| self.join_bodies((left, own), (right, body), one.links, true);
            let same = free.iter().enumerate().find_map(|(index, own)| Some((index, self.same_body(own, body)?)));
            match same.or_else(|| free.iter().enumerate().find_map(|(index, own)| Some((index, join(own)?)))) {
                Some((index, joined)) => {
                    free.remove(index);
                    bodies.push(joined);
                }
                None => bodies.push(self.body_in_result(false, body)?),
            }
        }
        for body in free {
            bodies.push(self.body_in_result(true, body)?);
        }
        Some(in_order(&self.context, bodies)).filter(|bodies| bodies.len() <= MOST_KINDS)
    }

    fn join_bodies(
        &self,
        (left, body): (BlockId, &Rc<Body>),
        (right, other): (BlockId, &Rc<Body>),
        links: Links,
        exact: bool,
    ) -> Option<Rc<Body>> {
        if let Some(body) = self.same_body(body, other) {
            return Some(body);
        }
        let mut scratch = self.memory.clone();
        let nodes = (scratch.node_of(left, body, links)?, scratch.node_of(right, other, links)?);
        self.inner(&scratch, nodes, Ports::of(links), exact)
    }

    /// What nodes of the segment and `node`, which is a region of `memory` on the other side, look like: of each kind as before, but
    /// for the first one that has a join with the node.
    pub(super) fn with_node(
        &self,
        memory: &Smg,
        (start, segment): (BlockId, &Rc<Segment>),
        node: BlockId,
        node_left: bool,
    ) -> Option<Vec<Rc<Body>>> {
        let ports = || Ports::of(segment.links);
        let joined = |kind: usize| {
            let mut scratch = memory.clone();
            let other = scratch.node_of(start, &segment.bodies[kind], segment.links)?;
            let exact = self.scene.exact || segment.bodies.len() > 1;
            self.inner(&scratch, if node_left { (node, other) } else { (other, node) }, ports(), exact)
        };
        let (kind, joined) = (0..segment.bodies.len()).find_map(|kind| Some((kind, joined(kind)?)))?;
        let others = segment.bodies.iter().enumerate().filter(|(index, _)| *index != kind);
        let others = others.map(|(_, body)| self.body_in_result(!node_left, body)).collect::<Option<Vec<_>>>()?;
        Some(in_order(&self.context, others.into_iter().chain([joined]).collect()))
    }
}

/// The bodies without repetition, in an order that does not depend on where they come from.
pub(super) fn in_order(context: &Context, mut bodies: Vec<Rc<Body>>) -> Vec<Rc<Body>> {
    bodies.sort_by_cached_key(|body| (body.outline(context), body.code()));
    bodies.dedup_by_key(|body| body.code());
    bodies
}
