//! How one state lies within another: which objects of the more general state stand for which of the other one.

use std::collections::BTreeMap;

use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// The objects of one state, or of one segment's body, found in another state. Given this, that the other state is a
/// special case can be verified without search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embedding {
    /// By object of the more general state (in bodies: by position). Last nodes come with their first ones.
    pub places: BTreeMap<BlockId, Place>,
    /// Of nodes that are of several kinds: which one, by the position of its body.
    pub kind: usize,
    /// What symbols that are no address of these objects stand for.
    pub symbols: BTreeMap<SymId, Term>,
}

/// What an object stands for in the more special state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// One region.
    Block(BlockId),
    /// Nothing: a block that may be absent is.
    Absent,
    /// For the first node of a segment: the chain, first to last; empty only inside bodies.
    Chain(Vec<Link>),
    /// For a tree.
    Tree(TreePart),
    /// For a table: parts that follow each other; none where it has no cell.
    Table(Vec<TablePart>),
}

/// A part of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TablePart {
    /// A cell by its number, a term of the special state, and what hangs below it as an instance of the body; the cell itself has no
    /// place.
    Cell(Term, Embedding),
    /// Cells all of which hold null, from the first to behind the last, each as an instance of the body.
    Nulls((Term, Term), Embedding),
    /// A table: each case of what one of its cells can be, as in segments.
    Table(BlockId, Vec<Embedding>),
}

/// A part of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// A region, as an instance of the body.
    Node(BlockId, Embedding),
    /// The same on a path down a tree: whether its second link to a child leads on, and what the other one leads to.
    Branching(BlockId, Embedding, bool, TreePart),
    /// A segment by its first node: each case of what one of its nodes can be, as an instance of the body. A case for each
    /// body without places, or no case where all nodes are of one kind: the bodies say the same.
    Segment(BlockId, Vec<Embedding>),
}

/// A tree, or a part of one below a link to a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreePart {
    /// No node.
    Nothing,
    /// A region, as an instance of the body, and what its links to children lead to, in the order of the links.
    Node(BlockId, Embedding, Vec<TreePart>),
    /// A tree: each case of what one of its nodes can be, as in segments.
    Tree(BlockId, Vec<Embedding>),
    /// A path by its first node, and what its last one leads to: each case of what one of its nodes can be.
    Path(BlockId, Vec<Embedding>, Box<TreePart>),
}

impl Link {
    /// The node a walk from the front meets first.
    pub fn first(&self) -> BlockId {
        match self {
            Link::Node(block, _) | Link::Branching(block, ..) | Link::Segment(block, _) => *block,
        }
    }
}
