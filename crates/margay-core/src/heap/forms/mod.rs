//! What an object stands for. Most objects are one block; a *summary* is an object that stands for any number of them.
//!
//! Everything there is to know of a kind of summary is answered by the methods of [`Summary`], so that a kind is one
//! file here: `list` (segments of singly and doubly linked lists, and of paths down trees: `path`), `tree` (binary trees), `table`
//! (cells of arrays that lead to blocks) and `optional` (a block that may be absent). What only one kind can do (finding lists, joining them, verifying that one lies within another) is done by those who do it.

mod body;
mod list;
mod optional;
mod path;
#[cfg(any(test, feature = "testing"))]
mod shapes;
mod succession;
mod table;
mod tree;
#[cfg(any(test, feature = "testing"))]
mod unfolding;

use std::fmt;
use std::rc::Rc;

use super::content::Content;
use super::context::Context;
use super::graph::{Object, Smg};
use crate::memory::BlockId;
use crate::smt::Term;

pub use body::Body;
#[cfg(any(test, feature = "testing"))]
pub use body::BodyParts;
pub use body::{Naming, encode_body, encode_object, substituted};
pub use list::{Links, SHORTEST, Segment};
pub use optional::Optional;
pub use succession::Succession;
#[cfg(any(test, feature = "testing"))]
pub use succession::has;
pub use succession::{Kinds, MOST_ORDERED, each};
pub use table::Table;
pub use tree::{Branches, Tree};
#[cfg(any(test, feature = "testing"))]
pub use unfolding::{Lead, Piece, Unfolding};

/// Well-formed, or what is wrong.
pub type WellFormed = Result<(), String>;

/// What there is beside an object, in the memory or in a body.
pub struct Surroundings<'a> {
    pub context: &'a Context,
    pub lookup: &'a dyn Fn(BlockId) -> Option<&'a Object>,
    /// The object stands outside of bodies.
    pub alone: bool,
}

/// What an object stands for.
#[derive(Clone, Debug)]
pub enum Form {
    /// One block: the object itself.
    Region,
    /// The first node of a list segment.
    First(Rc<Segment>),
    /// A further end of the summary that this object owns: the last node of a list segment.
    Last(BlockId),
    /// A block that may be absent. Only inside bodies.
    Optional(Optional),
    /// The root of a binary tree.
    Tree(Rc<Tree>),
    /// Cells of arrays, with what hangs below them.
    Table(Rc<Table>),
}

/// A set of blocks that the object which has this form *owns*, and that is seen from outside through this object and the
/// further *ends* only. The ends are objects with addresses of their own and without content; they are `Form::Last`.
pub trait Summary: fmt::Debug {
    /// All that it consists of, in one order. Summaries of one form that consist of the same are equal.
    fn visit(&self, visitor: &mut dyn Visitor);

    /// The same with its terms, bodies and ends replaced.
    fn map(&self, change: &mut dyn Change) -> Form;

    /// The ends besides the owner.
    fn ends(&self) -> &[BlockId];

    /// What nodes look like; the first object of a body is the node. Empty where the owner's content says it.
    fn bodies(&self) -> &[Rc<Body>];

    /// Where nodes hold the links that the summary speaks of: bytes from the start of a node. Bodies hold nothing there,
    /// but for the name of one of them.
    fn link_offsets(&self) -> Vec<u64>;

    /// The one of these for which bodies may have a name: the node holds a bound symbol there, which is what the link holds in each
    /// node. So whatever is in a node may lead where the link does: in a skip list, the list below a node to the next node.
    fn named_link(&self) -> Option<u64> {
        None
    }

    /// It stands for at least so many nodes.
    fn least(&self) -> u32;

    /// How many nodes it stands for, where that is kept: a number as wide as a pointer.
    fn count(&self) -> Option<Term> {
        None
    }

    /// Pointers lead to its ends.
    fn has_addresses(&self) -> bool {
        true
    }

    /// The condition that it has no node, where a number says so.
    fn emptiness(&self, context: &Context) -> Option<Term> {
        let count = self.count().filter(|_| self.least() == 0)?;
        Some(context.terms.eq(count, context.terms.constant(0, context.terms.width(count))))
    }

    /// The same with at least one node, if it can have one. What this says of their number is the caller's to assume.
    fn nonempty(&self) -> Option<Form>;

    /// Where the addresses of its ends lead when there is no node, as far as that is said; the owner comes first.
    fn empty(&self, context: &Context, owner: BlockId) -> Vec<(BlockId, Term)> {
        let _ = (context, owner);
        Vec::new()
    }

    /// The blocks and values that a pointer to the end `from` keeps alive for sure.
    fn holds(&self, owner: BlockId, from: BlockId, held: &mut Held);

    /// The memories in which the end `at` is a region, for an access: all together stand for what `memory` stands for. Only for
    /// summaries outside of bodies. Where that cannot be said, `memory` as it is.
    fn materialise(&self, memory: Smg, owner: BlockId, at: BlockId) -> Vec<Smg>;

    /// The memories in which the summary, which hung below a node until now (`siblings`: the node and all that hung below it),
    /// may stand outside of bodies.
    fn release(&self, memory: Smg, owner: BlockId, siblings: &[BlockId]) -> Vec<Smg> {
        let _ = (owner, siblings);
        vec![memory]
    }

    /// What has to hold of it besides what holds of every summary (see `well_formed`).
    ///
    /// # Errors
    /// What is wrong with it.
    fn well_formed(&self, around: &Surroundings, owner: &Object) -> WellFormed;

    /// What a picture shows of it.
    fn sketch(&self) -> Sketch;

    /// For a summary that begins at `address` of a heap whose pointers `read` tells: the ways in which it can be unfolded there. `None`
    /// where all have to be tried.
    #[cfg(any(test, feature = "testing"))]
    fn unfoldings_at(
        &self,
        context: &Context,
        owner: BlockId,
        address: u128,
        read: &dyn Fn(u128) -> Option<u128>,
    ) -> Option<Vec<Unfolding>> {
        let _ = (context, owner, address, read);
        None
    }

    /// The definition of what it stands for: all ways to be so many nodes. Everything else has to agree with it.
    #[cfg(any(test, feature = "testing"))]
    fn unfoldings(&self, context: &Context, owner: BlockId, nodes: u32) -> Vec<Unfolding>;
}

/// What a term of a summary is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What follows the last node.
    Next,
    /// What precedes the first node.
    Prev,
    /// Where pointers to the ends lead when there is no node.
    Empty,
    /// The number of nodes.
    Count,
    /// Something else.
    Value,
}

/// Is shown all that a summary consists of.
pub trait Visitor {
    /// An end besides the owner.
    fn block(&mut self, _end: BlockId) {}
    /// A number that belongs to the summary.
    fn number(&mut self, _number: u64) {}
    /// A least number of nodes: who allows fewer, allows more.
    fn least(&mut self, _nodes: u32) {}
    /// A term that stands outside of bodies.
    fn term(&mut self, _role: Role, _term: Term) {}
    /// What nodes look like.
    fn body(&mut self, _body: &Body) {}
}

/// What takes the place of the parts of a summary. As it stands, bodies stay what they are, and so do ends.
pub trait Change {
    /// What takes the place of a term.
    fn term(&mut self, term: Term) -> Term;

    /// What takes the place of a body.
    fn body(&mut self, body: &Rc<Body>) -> Rc<Body> {
        body.clone()
    }

    /// An end besides the owner.
    fn end(&mut self, end: BlockId) -> BlockId {
        end
    }
}

/// What something keeps alive.
#[derive(Default)]
pub struct Held {
    /// Blocks.
    pub blocks: Vec<BlockId>,
    /// Values, of which pointers lead on.
    pub values: Vec<Term>,
    /// Nodes are among it, each of a kind with one of these bodies.
    pub nodes: Vec<Vec<Rc<Body>>>,
}

/// What a picture shows of a summary besides the first object of its body and what hangs below it.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// A few letters and the least number of nodes: `SLL 2+`.
    pub title: String,
    /// The links of each node: name and offset.
    pub links: Vec<(&'static str, u64)>,
    /// Links point so many bytes into a node.
    pub head: u64,
    /// What the ends are called, the owner first.
    pub ends: Vec<&'static str>,
    /// What the nodes hold at the outer ends.
    pub outer: Vec<Outer>,
    /// The owner is a block with rows of its own, and may be absent; its address is this value then.
    pub absent: Option<Term>,
    /// In which order nodes of several kinds stand.
    pub order: Option<String>,
}

/// What a node holds at an outer end; ends by position in [`Sketch::ends`].
#[derive(Clone, Copy, Debug)]
pub struct Outer {
    /// Of the arrow.
    pub label: &'static str,
    /// The end that holds it.
    pub at: usize,
    /// The end from which a walk through all nodes arrives here.
    pub from: usize,
    /// Where it leads.
    pub value: Term,
}

impl Form {
    /// The summary that the object with this form owns.
    pub fn summary(&self) -> Option<&dyn Summary> {
        match self {
            Form::Region | Form::Last(_) => None,
            Form::First(segment) => Some(segment.as_ref()),
            Form::Tree(tree) => Some(tree.as_ref()),
            Form::Table(table) => Some(table.as_ref()),
            Form::Optional(optional) => Some(optional),
        }
    }

    /// The owner of the summary that the object with this form is a further end of.
    pub fn end_of(&self) -> Option<BlockId> {
        match self {
            Form::Last(owner) => Some(*owner),
            _ => None,
        }
    }

    /// The objects that stand for the same blocks as the object with this form: its further ends, or its owner.
    pub fn each_tied(&self, visit: &mut dyn FnMut(BlockId)) {
        self.end_of().into_iter().for_each(&mut *visit);
        self.summary().into_iter().flat_map(Summary::ends).copied().for_each(visit);
    }

    /// Whether the object with this form has content of its own.
    pub fn has_content(&self) -> bool {
        matches!(self, Form::Region | Form::Optional(_))
    }

    /// The least depth of a body that has an object of this form inside.
    pub fn depth(&self) -> u8 {
        let bodies = self.summary().map_or(&[][..], Summary::bodies);
        bodies.iter().map(|body| body.depth + 1).max().unwrap_or(0)
    }
}

impl Smg {
    /// The object that owns the summary one of whose ends is `block`.
    pub fn owner_of(&self, block: BlockId) -> Option<(BlockId, Rc<Object>)> {
        let object = self.object(block)?;
        match &object.form {
            Form::Region => None,
            Form::Last(owner) => Some((*owner, self.object(*owner)?.clone())),
            _ => Some((block, object.clone())),
        }
    }
}

/// The content of an object that has none of its own.
pub fn no_content() -> Content {
    Content::new(false)
}
