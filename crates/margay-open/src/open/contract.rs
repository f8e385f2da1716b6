//! Contracts as plain data: they know no terms, cross threads and stand in files.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::shape::Shape;

/// `{pre} function {post ∨ …}`: run where `pre` holds, the function violates nothing, and one of `posts` holds where it ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// Widths in bits of the logical variables; the first are the values of the parameters.
    pub vars: Vec<u32>,
    pub pre: Formula,
    pub posts: Vec<Post>,
}

/// One way the function ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// Widths of the existential variables, which are numbered after the contract's.
    pub vars: Vec<u32>,
    pub formula: Formula,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Expr>,
    /// The program ends here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends: bool,
}

/// A symbolic heap: the separating conjunction of all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formula {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pure: Vec<Expr>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellText>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<SegmentText>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockText>,
}

/// `at ↦ value`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellText {
    pub at: Expr,
    /// Bytes.
    pub size: Expr,
    pub value: ValueText,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueText {
    Is(Expr),
    /// Every byte is this one.
    Each(Expr),
    Any,
}

/// A list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentText {
    pub shape: Arc<Shape>,
    pub first: Expr,
    pub next: Expr,
    /// Doubly linked: the last node, and what the first one's back link holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<(Expr, Expr)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Expr>,
    pub nonempty: bool,
}

/// A heap block of known extent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockText {
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
    Const {
        value: String,
        width: u32,
    },
    Var(u32),
    /// The address of an object with static storage duration.
    Static(Arc<str>),
    Function(Arc<str>),
    Not(Box<Expr>),
    Op(Box<(String, Expr, Expr)>),
    Extract {
        of: Box<Expr>,
        high: u32,
        low: u32,
    },
    ZeroExtend {
        of: Box<Expr>,
        width: u32,
    },
    SignExtend {
        of: Box<Expr>,
        width: u32,
    },
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
