//! What nodes of lists look like where these are of several kinds: the join of two lists, and of a node with a list.

use std::rc::Rc;

use super::join::Join;
use super::named_links::Ports;
use super::node_kinds::NodeKinds;
use crate::heap::{Body, Links, Segment, Smg, Succession};
use crate::memory::BlockId;

/// More kinds of nodes than that are not distinguished.
pub(super) const MOST_KINDS: usize = 4;

impl Join<'_> {
    /// What nodes of both segments look like. Where either has several kinds of them, the result has all kinds, and numbers that differ
    /// are not joined.
    pub(super) fn join_kinds(
        &self,
        (left, one): (BlockId, &Rc<Segment>),
        (right, other): (BlockId, &Rc<Segment>),
    ) -> Option<NodeKinds> {
        let both = |bodies: Vec<Rc<Body>>, of_left: &[usize], of_right: &[usize]| {
            let node_kinds = NodeKinds { order: Succession::one(), bodies };
            let order =
                node_kinds.order_from(&one.order, of_left).either(&node_kinds.order_from(&other.order, of_right));
            NodeKinds { order, ..node_kinds }
        };
        if let (Some(body), Some(other_body)) = (one.only_body(), other.only_body()) {
            let joined = self.join_bodies((left, body), (right, other_body), one.links, self.folding.exact)?;
            return Some(both(vec![joined], &[0], &[0]));
        }
        // Each of the right side is joined with one of the left side, where it has a join with any.
        let mut free: Vec<(usize, &Rc<Body>)> = one.bodies.iter().enumerate().collect();
        let (mut bodies, mut of_left) = (Vec::new(), vec![0; one.bodies.len()]);
        for body in &other.bodies {
            let join = |own: &Rc<Body>| self.join_bodies((left, own), (right, body), one.links, true);
            let same = free.iter().enumerate().find_map(|(index, (_, own))| Some((index, self.same_body(own, body)?)));
            match same.or_else(|| free.iter().enumerate().find_map(|(index, (_, own))| Some((index, join(own)?)))) {
                Some((index, joined)) => {
                    of_left[free.remove(index).0] = bodies.len();
                    bodies.push(joined);
                }
                None => bodies.push(self.body_in_result(false, body)?),
            }
        }
        let of_right: Vec<usize> = (0..bodies.len()).collect();
        for (kind, body) in free {
            of_left[kind] = bodies.len();
            bodies.push(self.body_in_result(true, body)?);
        }
        let node_kinds = both(bodies, &of_left, &of_right).sorted(&self.context);
        (node_kinds.bodies.len() <= MOST_KINDS).then_some(node_kinds)
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
    ) -> Option<NodeKinds> {
        let ports = || Ports::of(segment.links);
        let joined = |kind: usize| {
            let mut scratch = memory.clone();
            let other = scratch.node_of(start, &segment.bodies[kind], segment.links)?;
            let exact = self.folding.exact || segment.bodies.len() > 1;
            self.inner(&scratch, if node_left { (node, other) } else { (other, node) }, ports(), exact)
        };
        let (kind, joined) = (0..segment.bodies.len()).find_map(|kind| Some((kind, joined(kind)?)))?;
        let body = |(index, body): (usize, &Rc<Body>)| match index {
            index if index == kind => Some(joined.clone()),
            _ => self.body_in_result(!node_left, body),
        };
        let bodies = segment.bodies.iter().enumerate().map(body).collect::<Option<Vec<_>>>()?;
        let node_kinds = NodeKinds { bodies, order: segment.order.clone() };
        let order = node_kinds.order.either(&node_kinds.order_from(&Succession::one(), &[kind]));
        Some(NodeKinds { order, ..node_kinds }.sorted(&self.context))
    }
}
