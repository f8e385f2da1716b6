//! Λ, the shape of a list's nodes: a template of the heap that one node owns, free of any terms.

use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::heap::{Block, Cell, Segment, SymbolicHeap, Value};
use crate::memory::{BlockKind, Origin};
use crate::smt::Term;

/// What an expression of a shape starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The number 0: the sum is its offset.
    Zero,
    /// The node's address.
    Node,
    /// The next node's.
    Next,
    /// The previous node's.
    Prev,
    /// The n-th thing that is the same in all nodes.
    Arg(u8),
    /// The n-th address that each node has of its own.
    Local(u8),
}

/// A part and a constant offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sum(pub Part, pub i64);

/// What a cell of a node holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Held {
    /// This value.
    Is(Sum),
    /// Every byte is this one.
    Each(u8),
    /// Another value in each node.
    Unknown,
    /// Bytes that were never set.
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShapeCell {
    pub at: Sum,
    /// Bytes.
    pub size: Sum,
    pub value: Held,
}

/// A heap block that belongs to the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShapeBlock {
    pub start: Sum,
    pub size: Sum,
}

/// A list within the node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ShapeSegment {
    pub shape: Arc<Shape>,
    pub first: Sum,
    pub next: Sum,
    pub back: Option<(Sum, Sum)>,
    pub args: Vec<Sum>,
    pub nonempty: bool,
}

/// Λ: cells ascending, those of the node first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shape {
    /// Ascending; cells of the node itself first.
    pub cells: Vec<ShapeCell>,
    /// Heap blocks that belong to each node.
    pub blocks: Vec<ShapeBlock>,
    /// Lists within each node.
    pub segments: Vec<ShapeSegment>,
    /// How many addresses each node has of its own.
    pub locals: u8,
    /// How many things are the same in all nodes.
    pub args: u8,
    /// Doubly linked.
    pub double: bool,
}

impl Shape {
    /// Whether it speaks only of what a list of it has: of shapes that were read from a file.
    pub(super) fn is_well_formed(&self) -> bool {
        let known = |sum: &Sum| match sum.0 {
            Part::Zero | Part::Node | Part::Next => true,
            Part::Prev => self.double,
            Part::Arg(n) => n < self.args,
            Part::Local(n) => n < self.locals,
        };
        let cell = |cell: &ShapeCell| {
            let held = if let Held::Is(sum) = &cell.value { known(sum) } else { true };
            known(&cell.at) && known(&cell.size) && held
        };
        self.cells.iter().all(cell)
            && self.blocks.iter().all(|block| known(&block.start) && known(&block.size))
            && self.segments.iter().all(|list| {
                list.shape.is_well_formed()
                    && list.shape.double == list.back.is_some()
                    && list.args.len() == usize::from(list.shape.args)
                    && [&list.first, &list.next].into_iter().chain(&list.args).all(known)
                    && list.back.iter().all(|(last, prev)| known(last) && known(prev))
            })
    }

    /// The bytes of the node itself: offset from its address, and how many (one where that is no number).
    pub fn bytes_of_node(&self) -> impl Iterator<Item = (i64, i64)> {
        self.cells.iter().filter(|cell| cell.at.0 == Part::Node).map(|cell| {
            let size = if cell.size.0 == Part::Zero { cell.size.1 } else { 1 };
            (cell.at.1, size)
        })
    }

    /// Nodes of the two at one address have a byte in common.
    pub fn overlaps(&self, other: &Shape) -> bool {
        self.bytes_of_node()
            .any(|(from, size)| other.bytes_of_node().any(|(at, bytes)| from < at + bytes && at < from + size))
    }
}

/// Where the parts of one node are.
pub(super) struct Node<'a> {
    pub node: Term,
    pub next: Term,
    pub prev: Option<Term>,
    pub args: &'a [Term],
}

impl SymbolicHeap {
    /// Adds one node of a list.
    pub(super) fn add_node(&mut self, shape: &Shape, place: &Node, foreign: bool) {
        let bits = self.pointer_bits();
        let locals: Vec<Term> = (0..shape.locals).map(|_| self.unknown(bits)).collect();
        let world = self.world.clone();
        let terms = &world.context.terms;
        let value = |Sum(part, offset): Sum| {
            let base = match part {
                Part::Zero => terms.constant(0, bits),
                Part::Node => place.node,
                Part::Next => place.next,
                Part::Prev => place.prev.unwrap_or(place.next),
                Part::Arg(n) => place.args[usize::from(n)],
                Part::Local(n) => locals[usize::from(n)],
            };
            if offset == 0 { base } else { terms.add_constant(base, offset.into()) }
        };
        for cell in &shape.cells {
            let size = value(cell.size);
            let held = match cell.value {
                Held::Is(sum) => Value::Is(value(sum)),
                Held::Each(byte) => Value::Each(terms.constant(byte.into(), 8)),
                Held::Any => Value::Any,
                Held::Unknown => match self.as_bytes(size) {
                    Some(bytes @ 1..=16) => Value::Is(self.unknown(8 * bytes as u32)),
                    _ => Value::Any,
                },
            };
            self.add_cell(Cell { at: value(cell.at), size, value: held });
        }
        for block in &shape.blocks {
            let block = Block {
                start: value(block.start),
                size: value(block.size),
                kind: BlockKind::Heap,
                live: true,
                foreign,
                origin: Origin::outside("node of a list"),
            };
            Rc::make_mut(&mut self.blocks).push(block);
        }
        for segment in &shape.segments {
            let segment = Segment {
                shape: segment.shape.clone(),
                first: value(segment.first),
                next: value(segment.next),
                back: segment.back.map(|(last, prev)| (value(last), value(prev))),
                args: segment.args.iter().map(|arg| value(*arg)).collect(),
                nonempty: segment.nonempty,
                foreign,
            };
            Rc::make_mut(&mut self.segments).push(segment);
        }
    }

    /// The list that begins behind `base`, or ends there: its index, and whether that is its last node.
    pub(super) fn list_behind(&self, base: Term) -> Option<(usize, bool)> {
        let is_behind = |end: Term| self.split(end).0 == base;
        self.segments.iter().enumerate().find_map(|(index, segment)| {
            if is_behind(segment.first) {
                return Some((index, false));
            }
            segment.back.filter(|(last, _)| is_behind(*last)).map(|_| (index, true))
        })
    }

    /// The memories where the segment has a node, which then stands apart: its first one, or its last.
    pub(super) fn unfolded(mut self, index: usize, from_back: bool) -> Option<Self> {
        let segment = Rc::make_mut(&mut self.segments).remove(index);
        let bits = self.pointer_bits();
        let middle = self.unknown(bits);
        let rest = match (segment.back, from_back) {
            (Some((last, prev)), true) => {
                let place = Node { node: last, next: segment.next, prev: Some(middle), args: &segment.args };
                self.add_node(&segment.shape, &place, segment.foreign);
                Segment { next: last, back: Some((middle, prev)), nonempty: false, ..segment }
            }
            (Some((last, prev)), false) => {
                let place = Node { node: segment.first, next: middle, prev: Some(prev), args: &segment.args };
                self.add_node(&segment.shape, &place, segment.foreign);
                Segment { first: middle, back: Some((last, segment.first)), nonempty: false, ..segment }
            }
            (None, _) => {
                let place = Node { node: segment.first, next: middle, prev: None, args: &segment.args };
                self.add_node(&segment.shape, &place, segment.foreign);
                Segment { first: middle, nonempty: false, ..segment }
            }
        };
        Rc::make_mut(&mut self.segments).push(rest);
        self.settle()
    }

    /// The memories where the segment has no node.
    pub(super) fn emptied(mut self, index: usize) -> Option<Self> {
        let segment = Rc::make_mut(&mut self.segments).remove(index);
        if segment.nonempty {
            return None;
        }
        let mut condition = self.world.context.terms.eq(segment.first, segment.next);
        if let Some((last, prev)) = segment.back {
            let terms = &self.world.context.terms;
            condition = terms.bool_and(condition, terms.eq(last, prev));
        }
        self.restrict(condition)
    }
}
