//! Contracts as plain data: they know no terms, cross threads and stand in files.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::shape::Shape;

/// `{pre} function {post ∨ …}`: run where `pre` holds, the function violates nothing, and one of `posts` holds where it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// Widths in bits of the logical variables; the first are the values of the parameters.
    pub vars: Vec<u32>,
    /// What the function needs: its missing memory, as bi-abduction found it, and conditions.
    pub pre: Formula,
    /// The ways in which it may end, none of which need happen.
    pub posts: Vec<Post>,
}

/// One way the function ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// Widths of the existential variables, which are numbered after the contract's.
    pub vars: Vec<u32>,
    /// What is left where it ends this way.
    pub formula: Formula,
    /// The value returned; `None`: there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Expr>,
    /// The program ends here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends: bool,
}

/// A symbolic heap: the separating conjunction of all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formula {
    /// Conditions: expressions of one bit that are 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pure: Vec<Expr>,
    /// Bytes outside of lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellText>,
    /// List segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<SegmentText>,
    /// Extents of heap blocks, live ones and freed ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockText>,
}

/// `at ↦ value`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellText {
    /// The address of the first byte.
    pub at: Expr,
    /// Bytes.
    pub size: Expr,
    /// What the bytes hold.
    pub value: ValueText,
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueText {
    /// This value, the first byte its lowest.
    Is(Expr),
    /// Every byte is this one.
    Each(Expr),
    /// The bytes may be anything.
    Any,
}

/// A list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentText {
    /// What each node looks like.
    pub shape: Arc<Shape>,
    /// The address of the first node; equals `next` where there is no node.
    pub first: Expr,
    /// What the last node's link holds.
    pub next: Expr,
    /// Doubly linked: the last node, and what the first one's back link holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<(Expr, Expr)>,
    /// The values that are the same in all nodes, as many as the shape has of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Expr>,
    /// There is a node; otherwise there may be none.
    pub nonempty: bool,
}

/// A heap block of known extent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockText {
    /// The address of the first byte.
    pub start: Expr,
    /// Bytes.
    pub size: Expr,
    /// `false`: it was freed.
    pub live: bool,
    /// Made by the function, not given by its caller: where, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Arc<str>>,
}

/// A bit-vector expression over logical variables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expr {
    /// A number.
    Const {
        /// Decimal, without sign.
        value: String,
        /// Bits, 1 to 128.
        width: u32,
    },
    /// The logical variable of this number.
    Var(u32),
    /// The address of an object with static storage duration.
    Static(Arc<str>),
    /// The address of a function.
    Function(Arc<str>),
    /// Bitwise negation.
    Not(Box<Expr>),
    /// A binary operation, by the name it has in files (`add`, `eq`, …).
    Op(Box<(String, Expr, Expr)>),
    /// Bits `low` to `high`, both included.
    Extract {
        /// The operand.
        of: Box<Expr>,
        /// The highest bit, counted from 0.
        high: u32,
        /// The lowest bit, counted from 0.
        low: u32,
    },
    /// The operand with zeros above it.
    ZeroExtend {
        /// The operand.
        of: Box<Expr>,
        /// Bits of the result, at least those of the operand.
        width: u32,
    },
    /// The operand with copies of its sign bit above it.
    SignExtend {
        /// The operand.
        of: Box<Expr>,
        /// Bits of the result, at least those of the operand.
        width: u32,
    },
    /// The second where the first, of one bit, is 1; otherwise the third.
    Ite(Box<(Expr, Expr, Expr)>),
}

impl Formula {
    /// Every expression in it.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let cells = self.cells.iter().flat_map(|cell| {
            let value = match &cell.value {
                ValueText::Is(expr) | ValueText::Each(expr) => Some(expr),
                ValueText::Any => None,
            };
            [&cell.at, &cell.size].into_iter().chain(value)
        });
        let segments = self.segments.iter().flat_map(|segment| {
            let back = segment.back.iter().flat_map(|(last, prev)| [last, prev]);
            [&segment.first, &segment.next].into_iter().chain(back).chain(&segment.args)
        });
        let blocks = self.blocks.iter().flat_map(|block| [&block.start, &block.size]);
        self.pure.iter().chain(cells).chain(segments).chain(blocks)
    }

    /// Every expression in it, to be changed.
    pub(super) fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let cells = self.cells.iter_mut().flat_map(|cell| {
            let value = match &mut cell.value {
                ValueText::Is(expr) | ValueText::Each(expr) => Some(expr),
                ValueText::Any => None,
            };
            [&mut cell.at, &mut cell.size].into_iter().chain(value)
        });
        let segments = self.segments.iter_mut().flat_map(|segment| {
            let back = segment.back.iter_mut().flat_map(|(last, prev)| [last, prev]);
            [&mut segment.first, &mut segment.next].into_iter().chain(back).chain(&mut segment.args)
        });
        let blocks = self.blocks.iter_mut().flat_map(|block| [&mut block.start, &mut block.size]);
        self.pure.iter_mut().chain(cells).chain(segments).chain(blocks)
    }
}
