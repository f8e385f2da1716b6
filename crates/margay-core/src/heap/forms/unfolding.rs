//! What summaries stand for, as data: the definition that the laws of γ hold the heap operations against.

use std::rc::Rc;

use super::{Body, Succession, Summary};
use crate::heap::context::Context;
use crate::memory::BlockId;
use crate::smt::Term;

/// One way to be a given number of nodes.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// First to last.
    pub pieces: Vec<Piece>,
    /// What the addresses of the owner and of the other ends are; an end that is not mentioned has any address.
    pub ends: Vec<(BlockId, Lead)>,
    /// Which kinds the pieces may be of, one after the other; of any, where that is not said.
    pub order: Option<Succession>,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it looks like, by each kind it may be of; empty: the owner as it is.
    pub bodies: Vec<Rc<Body>>,
    /// Where it holds links (bytes from its start), how far into what they lead to, and what that is.
    pub links: Vec<(u64, u64, Lead)>,
}

/// An address.
#[derive(Clone, Copy, Debug)]
pub enum Lead {
    /// Of this piece.
    Node(usize),
    /// A value of the scope that the summary is in.
    Value(Term),
}

impl Unfolding {
    /// No node.
    pub fn empty(summary: &dyn Summary, context: &Context, owner: BlockId) -> Self {
        let ends = summary.empty(context, owner).into_iter().map(|(end, value)| (end, Lead::Value(value)));
        Self { pieces: Vec::new(), ends: ends.collect(), order: None }
    }
}

impl Piece {
    /// The owner, which has content of its own.
    pub fn own() -> Self {
        Self { bodies: Vec::new(), links: Vec::new() }
    }
}
