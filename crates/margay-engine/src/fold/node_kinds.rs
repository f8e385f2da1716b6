//! What nodes of a list look like, by their kinds, and in which order these stand.

use std::rc::Rc;

use crate::heap::{Body, Context, Segment, Succession};

/// The bodies of nodes, one for each kind, and which kinds follow each other.
#[derive(Clone, Debug)]
pub(super) struct NodeKinds {
    pub bodies: Vec<Rc<Body>>,
    pub order: Succession,
}

impl NodeKinds {
    /// One node.
    pub fn one(body: Rc<Body>) -> Self {
        Self { bodies: vec![body], order: Succession::one() }
    }

    pub fn of(segment: &Segment) -> Self {
        Self { bodies: segment.bodies.clone(), order: segment.order.clone() }
    }

    /// A list of these nodes with one of `next` behind it; `may_be_empty` says which of them may have no node. No kind of one is taken
    /// for one of the other.
    pub fn then(self, next: Self, may_be_empty: [bool; 2]) -> Self {
        let (own, all) = (self.bodies.len(), self.bodies.len() + next.bodies.len());
        let from = |start: usize, kinds: usize| (start..start + kinds).map(Some).collect::<Vec<_>>();
        let order = self.order.renamed(&from(0, own), all);
        let order = order.then(&next.order.renamed(&from(own, next.bodies.len()), all), may_be_empty);
        Self { bodies: self.bodies.into_iter().chain(next.bodies).collect(), order }
    }

    /// The same where nodes of kind `other` are of kind `one`, which is less, and look like `body`.
    pub fn merged(self, one: usize, other: usize, body: Rc<Body>) -> Self {
        let mut bodies = self.bodies;
        let to = |kind: usize| if kind == other { one } else { kind - usize::from(kind > other) };
        let to: Vec<Option<usize>> = (0..bodies.len()).map(|kind| Some(to(kind))).collect();
        bodies.remove(other);
        bodies[one] = body;
        Self { order: self.order.renamed(&to, bodies.len()), bodies }
    }

    /// The same without repetition, the kinds in an order that does not depend on where they come from.
    pub fn sorted(self, context: &Context) -> Self {
        let mut sorted = self.bodies.clone();
        sorted.sort_by_cached_key(|body| (body.outline(context), body.code()));
        sorted.dedup_by_key(|body| body.code());
        let place = |body: &Rc<Body>| sorted.iter().position(|other| is_same(other, body));
        let to: Vec<Option<usize>> = self.bodies.iter().map(place).collect();
        Self { order: self.order.renamed(&to, sorted.len()), bodies: sorted }
    }

    /// The order of `other`, all of whose kinds are among these, in terms of these.
    pub fn order_of(&self, other: &Self) -> Option<Succession> {
        let place = |body: &Rc<Body>| self.bodies.iter().position(|own| is_same(own, body));
        let to: Option<Vec<usize>> = other.bodies.iter().map(place).collect();
        Some(self.order_from(&other.order, &to?))
    }

    /// The order `other`, whose kinds are what `to` says of these, in terms of these.
    pub fn order_from(&self, other: &Succession, to: &[usize]) -> Succession {
        let to: Vec<Option<usize>> = to.iter().copied().map(Some).collect();
        other.renamed(&to, self.bodies.len())
    }
}

fn is_same(one: &Rc<Body>, other: &Rc<Body>) -> bool {
    Rc::ptr_eq(one, other) || one.code() == other.code()
}
