//! The kinds of nodes in a row of parts that together are to be one list whose nodes stand in an order.

use std::rc::Rc;

use super::mismatch::{Mismatch, Reason};
use crate::certificate::Embedding;
use crate::heap::{Body, Kinds, Segment, Succession, each};
use crate::memory::BlockId;

/// Summaries whose kinds of nodes are compared once all objects correspond.
pub(super) struct Later<'a> {
    pub scope: usize,
    /// What nodes of the general state's summary look like, by their kind.
    pub bodies: Vec<Rc<Body>>,
    /// The special state's summary begins here, and its nodes look like this.
    pub first: BlockId,
    pub own: Vec<Rc<Body>>,
    /// Where nodes of both hold their links.
    pub links: Vec<u64>,
    pub cases: &'a [Embedding],
    /// What is found: by kind of the special state's nodes, the kinds that these may be of in the general one.
    pub kinds: Vec<Kinds>,
}

/// A part of the row.
enum Part {
    /// A node of this kind.
    Node(usize),
    /// A list whose nodes stand in this order of their own kinds; what these are in the general state is recorded in `later[index]`.
    List { order: Succession, may_be_empty: bool, index: usize },
}

/// The order that nodes have to stand in, and the parts, first to last.
pub(super) struct Row {
    order: Succession,
    parts: Vec<Part>,
}

impl Row {
    pub fn new(order: &Succession) -> Self {
        Self { order: order.clone(), parts: Vec::new() }
    }

    pub fn node(&mut self, kind: usize) {
        self.parts.push(Part::Node(kind));
    }

    /// What its nodes are is found out later, and stands there at `index`.
    pub fn list(&mut self, list: &Segment, index: usize) {
        self.parts.push(Part::List { order: list.order.clone(), may_be_empty: list.min_len == 0, index });
    }

    /// Each way in which the nodes of the parts may follow each other is one of the order.
    pub fn check(&self, later: &[Later]) -> Result<(), Mismatch> {
        let is_in = |some: Kinds, all: Kinds| some & !all == 0;
        let may_follow = |left: Kinds, right: Kinds| each(left).all(|kind| is_in(right, self.order.follows[kind]));
        // What the last node so far may be, and whether there may be none.
        let mut last: Kinds = 0;
        let mut may_be_none = true;
        for part in &self.parts {
            let (first, own_last, may_be_empty) = match part {
                Part::Node(kind) => (
                    self.known(
                        1u32.checked_shl(u32::try_from(*kind).ok().ok_or(Reason::Order)?).ok_or(Reason::Order)?,
                    )?,
                    None,
                    false,
                ),
                Part::List { order, may_be_empty, index } => {
                    let kinds = &later.get(*index).ok_or(Reason::Order)?.kinds;
                    Reason::Order.unless(kinds.len() == order.follows.len())?;
                    let image = |own: Kinds| each(own).fold(0, |image, kind| image | kinds[kind]);
                    let follow = |(kind, after): (usize, &Kinds)| may_follow(kinds[kind], image(*after));
                    self.known(kinds.iter().fold(0, |all, kinds| all | kinds))?;
                    Reason::Order.unless(order.follows.iter().enumerate().all(follow))?;
                    (image(order.first), Some(image(order.last)), *may_be_empty)
                }
            };
            let begins = !may_be_none || is_in(first, self.order.first);
            Reason::Order.unless(begins && may_follow(last, first))?;
            last = own_last.unwrap_or(first) | if may_be_empty { last } else { 0 };
            may_be_none &= may_be_empty;
        }
        Reason::Order.unless(is_in(last, self.order.last))
    }

    /// The kinds, if the order knows them all.
    fn known(&self, kinds: Kinds) -> Result<Kinds, Mismatch> {
        each(kinds).all(|kind| kind < self.order.follows.len()).then_some(kinds).ok_or(Reason::Order.into())
    }
}
