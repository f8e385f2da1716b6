//! Abstraction: neighbours of a list become a segment (ECOOP'22, section 6.3).
//!
//! Lists are found from the heap alone: a link leads from bytes of one base to bytes of another that have a link at the same
//! place. What both nodes have in common is their shape; what only one of them knows is forgotten.

use std::rc::Rc;
use std::sync::Arc;

use super::common::Common;
use super::heap::{Cell, Segment, SymbolicHeap, Value};
use super::shape::{Held, Node, Part, Sum};
use crate::memory::BlockKind;
use crate::smt::Term;

/// How much may be made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caution {
    /// The result stands for all memories the heap stood for.
    Sound,
    /// A guess of a precondition, which is checked afterwards: nodes may lack bytes that others have.
    Guess,
}

/// Folds all neighbours that only their list points to. `roots` are the values outside of the heap.
pub(super) fn fold(heap: &mut SymbolicHeap, roots: &[Term], caution: Caution) -> bool {
    let mut changed = false;
    while fold_once(heap, roots, caution) {
        changed = true;
    }
    changed
}

fn fold_once(heap: &mut SymbolicHeap, roots: &[Term], caution: Caution) -> bool {
    for left in pieces(heap) {
        let Some(link) = left.link(heap) else { continue };
        for (link, right) in link {
            let folding = Folding { heap, roots, caution };
            if let Some(folded) = folding.pair(&left, link, right) {
                *heap = folded;
                return true;
            }
        }
    }
    false
}

/// One node as cells, or a segment.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// All cells of a base.
    Node(Term),
    Segment(usize),
}

fn pieces(heap: &SymbolicHeap) -> Vec<Piece> {
    let mut bases: Vec<Term> = Vec::new();
    for cell in heap.cells.iter() {
        let (base, _) = heap.split(cell.at);
        if !bases.contains(&base) && is_node(heap, base) {
            bases.push(base);
        }
    }
    let nodes = bases.into_iter().map(Piece::Node);
    (0..heap.segments.len()).map(Piece::Segment).chain(nodes).collect()
}

/// Bytes that may be a node: not of a variable.
fn is_node(heap: &SymbolicHeap, base: Term) -> bool {
    heap.terms().as_symbol(base).is_some()
        && heap.static_at(base).is_none()
        && heap.block_at(base).is_none_or(|block| heap.blocks[block].kind == BlockKind::Heap)
}

impl Piece {
    /// The links that lead from here: the link's offset behind the base (0 for a segment), and the right neighbour.
    fn link(self, heap: &SymbolicHeap) -> Option<Vec<(i64, Neighbour)>> {
        let right = |value: Term| {
            let segment = heap.segments.iter().position(|segment| segment.first == value);
            let (base, offset) = heap.split(value);
            let node = heap.cells.iter().any(|cell| heap.split(cell.at).0 == base) && is_node(heap, base);
            match segment {
                Some(index) => Some(Neighbour { piece: Piece::Segment(index), at: value }),
                None if node => {
                    Some(Neighbour { piece: Piece::Node(base), at: heap.terms().add_constant(base, offset.into()) })
                }
                None => None,
            }
        };
        Some(match self {
            Piece::Segment(index) => right(heap.segments[index].next)
                .filter(|other| !matches!(other.piece, Piece::Segment(same) if same == index))
                .map(|other| (0, other))
                .into_iter()
                .collect(),
            Piece::Node(base) => heap
                .cells
                .iter()
                .filter_map(|cell| {
                    let (cell_base, offset) = heap.split(cell.at);
                    let Value::Is(value) = cell.value else { return None };
                    if cell_base != base || heap.terms().width(value) != heap.pointer_bits() {
                        return None;
                    }
                    let other = right(value)?;
                    (!matches!(other.piece, Piece::Node(same) if same == base)).then_some((offset, other))
                })
                .collect(),
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Neighbour {
    piece: Piece,
    /// The node's address, as the link has it.
    at: Term,
}

pub(super) struct Folding<'a> {
    heap: &'a SymbolicHeap,
    pub(super) roots: &'a [Term],
    pub(super) caution: Caution,
}

/// A neighbour as cells, in a heap of its own if it is made up from a segment.
pub(super) struct Side {
    pub heap: SymbolicHeap,
    /// The node's address.
    pub at: Term,
    /// The cells of its base.
    cells: Vec<Cell>,
}

impl Folding<'_> {
    fn pair(&self, left: &Piece, link: i64, right: Neighbour) -> Option<SymbolicHeap> {
        let heap = self.heap;
        let terms = heap.terms();
        let (right_base, delta) = heap.split(right.at);
        if self.roots.iter().any(|root| heap.terms().linear(*root).parts.iter().any(|(_, part)| *part == right_base)) {
            return None;
        }
        if let (Piece::Segment(a), Piece::Segment(b)) = (*left, right.piece) {
            return self.segments(a, b, right_base);
        }
        // Both as nodes, with the address that links have.
        let (a, link) = match *left {
            Piece::Node(base) => {
                let at = terms.add_constant(base, delta.into());
                (self.side(heap.clone(), at, base), link - delta)
            }
            Piece::Segment(index) => {
                let segment = &heap.segments[index];
                let link = segment.shape.cells.iter().find(|cell| cell.value == Held::Is(Sum(Part::Next, 0)))?;
                let mut own = empty(heap);
                let fresh = own.unknown(own.pointer_bits());
                let at = segment.back.map_or(fresh, |(last, _)| last);
                let prev = own.unknown(own.pointer_bits());
                let place = Node { node: at, next: right.at, prev: segment.back.map(|_| prev), args: &segment.args };
                own.add_node(&segment.shape, &place, segment.foreign);
                let (base, _) = own.split(at);
                (self.side(own, at, base), link.at.1)
            }
        };
        let b = match right.piece {
            Piece::Node(base) => self.side(heap.clone(), right.at, base),
            Piece::Segment(index) => {
                let segment = &heap.segments[index];
                let mut own = empty(&a.heap);
                own.next_unknown = own.next_unknown.max(heap.next_unknown) + 1000;
                let next = own.unknown(own.pointer_bits());
                let place =
                    Node { node: right.at, next, prev: segment.back.map(|(_, prev)| prev), args: &segment.args };
                own.add_node(&segment.shape, &place, segment.foreign);
                let (base, _) = own.split(right.at);
                self.side(own, right.at, base)
            }
        };
        if !self.is_own_link(&b, link) {
            return None;
        }
        let common = self.common(&a, &b, link)?;
        let next = self.link_value(&b, link)?;
        self.only_linked(left, &right, &common, &a, &b)?;
        self.replaced(left, &right, (a, b), common, next)
    }

    /// What the right node's link holds.
    fn link_value(&self, side: &Side, link: i64) -> Option<Term> {
        let at = side.heap.terms().add_constant(side.at, link.into());
        let cell = side.cells.iter().find(|cell| cell.at == at)?;
        match cell.value {
            Value::Is(term) => Some(term),
            _ => None,
        }
    }

    fn is_own_link(&self, side: &Side, link: i64) -> bool {
        self.link_value(side, link).is_some_and(|value| side.heap.terms().width(value) == side.heap.pointer_bits())
    }

    /// The node at `at`: all of its base's cells, and what only it leads to.
    fn side(&self, heap: SymbolicHeap, at: Term, base: Term) -> Side {
        let cells = heap.cells.iter().filter(|cell| heap.split(cell.at).0 == base).copied().collect();
        Side { at, cells, heap }
    }

    /// Only the list points to the right neighbour, and nothing outside to what nodes have of their own.
    fn only_linked(&self, left: &Piece, right: &Neighbour, common: &Common, a: &Side, b: &Side) -> Option<()> {
        let heap = self.heap;
        let (base, _) = heap.split(right.at);
        let mut allowed = 1;
        if common.shape.double {
            // Its successor points back to it: if that is a piece of the list, too, it is the only other one.
            let last = match right.piece {
                Piece::Node(_) => right.at,
                Piece::Segment(index) => heap.segments[index].back?.0,
            };
            let (last_base, _) = heap.split(last);
            let backs = self.pointers_to(heap, last_base);
            if last_base == base {
                // The link, and one back link that will be the last node's address.
                allowed = backs.clamp(1, 2);
            }
            let left_last = match *left {
                Piece::Node(_) => a.at,
                Piece::Segment(index) => heap.segments[index].back?.0,
            };
            // The right one's back link must lead to the left one.
            let has_back = match right.piece {
                Piece::Segment(index) => heap.segments[index].back.is_some_and(|(_, prev)| prev == left_last),
                Piece::Node(_) => true,
            };
            if !has_back {
                return None;
            }
        }
        if self.pointers_to(heap, base) > allowed {
            return None;
        }
        for &(la, lb) in &common.locals {
            for (side, local) in [(a, la), (b, lb)] {
                let (base, _) = side.heap.split(local);
                if self.roots.iter().any(|root| side.heap.split(*root).0 == base) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// The heap with both neighbours in one segment.
    fn replaced(
        &self,
        left: &Piece,
        right: &Neighbour,
        (a, b): (Side, Side),
        mut common: Common,
        next: Term,
    ) -> Option<SymbolicHeap> {
        let mut heap = self.heap.clone();
        common.shape.cells.sort_unstable_by_key(|cell| (cell.at.0 != Part::Node, *cell));
        let shape = Arc::new(common.shape);
        let first = match *left {
            Piece::Node(_) => a.at,
            Piece::Segment(index) => heap.segments[index].first,
        };
        let next = match right.piece {
            Piece::Node(_) => next,
            Piece::Segment(index) => heap.segments[index].next,
        };
        let back = match (shape.double, left, right.piece) {
            (false, ..) => None,
            (true, left, right_piece) => {
                let last = match right_piece {
                    Piece::Node(_) => right.at,
                    Piece::Segment(index) => heap.segments[index].back?.0,
                };
                let prev = match *left {
                    Piece::Node(_) => common.prev?,
                    Piece::Segment(index) => heap.segments[index].back?.1,
                };
                Some((last, prev))
            }
        };
        if !shape.double {
            for piece in [*left, right.piece] {
                if let Piece::Segment(index) = piece
                    && heap.segments[index].back.is_some()
                {
                    return None;
                }
            }
        }
        let mut gone: Vec<usize> = Vec::new();
        let mut bases: Vec<Term> = Vec::new();
        for (piece, side, locals) in [
            (*left, &a, common.locals.iter().map(|local| local.0).collect::<Vec<_>>()),
            (right.piece, &b, common.locals.iter().map(|local| local.1).collect()),
        ] {
            match piece {
                Piece::Segment(index) => gone.push(index),
                Piece::Node(base) => {
                    bases.push(base);
                    for local in locals {
                        let (base, _) = side.heap.split(local);
                        bases.push(base);
                        gone.extend((0..heap.segments.len()).filter(|index| heap.segments[*index].first == local));
                    }
                }
            }
        }
        gone.sort_unstable();
        gone.dedup();
        // What the function made within nodes of its caller's is its own: it can be lost.
        let foreign = gone.iter().all(|index| heap.segments[*index].foreign)
            && heap.blocks.iter().all(|block| block.foreign || !bases.contains(&heap.split(block.start).0));
        for index in gone.into_iter().rev() {
            Rc::make_mut(&mut heap.segments).remove(index);
        }
        let cells = heap.cells.iter().filter(|cell| !bases.contains(&heap.split(cell.at).0)).copied().collect();
        heap.cells = Rc::new(cells);
        let blocks: Vec<_> =
            heap.blocks.iter().filter(|block| !bases.contains(&heap.split(block.start).0)).cloned().collect();
        heap.blocks = Rc::new(blocks);
        let segment = Segment { shape, first, next, back, args: common.args, nonempty: true, foreign };
        Rc::make_mut(&mut heap.segments).push(segment);
        heap.settle()
    }

    /// Two segments, one behind the other.
    fn segments(&self, a: usize, b: usize, base: Term) -> Option<SymbolicHeap> {
        let mut heap = self.heap.clone();
        let (x, y) = (heap.segments[a].clone(), heap.segments[b].clone());
        if x.shape != y.shape || x.args != y.args {
            return None;
        }
        let back = match (x.back, y.back) {
            (None, None) => None,
            (Some((last, prev)), Some((other_last, other_prev))) if last == other_prev => Some((other_last, prev)),
            _ => return None,
        };
        let allowed = if back.is_some() { 2 } else { 1 };
        if self.pointers_to(&heap, base) > allowed {
            return None;
        }
        let segment =
            Segment { back, next: y.next, nonempty: x.nonempty || y.nonempty, foreign: x.foreign && y.foreign, ..x };
        let segments = Rc::make_mut(&mut heap.segments);
        segments.remove(a.max(b));
        segments.remove(a.min(b));
        segments.push(segment);
        heap.settle()
    }
}

fn empty(heap: &SymbolicHeap) -> SymbolicHeap {
    let mut own = heap.clone();
    own.cells = Rc::default();
    own.segments = Rc::default();
    own.blocks = Rc::default();
    own
}
