//! What two nodes have in common: the shape that both are instances of.

use std::collections::BTreeMap;

use super::fold::{Caution, Folding, Side};
use super::heap::{Cell, SymbolicHeap, Value};
use super::shape::{Held, Part, Shape, ShapeBlock, ShapeCell, ShapeSegment, Sum};
use crate::memory::BlockKind;
use crate::smt::Term;

/// What two nodes have in common.
#[derive(Default)]
pub(super) struct Common {
    pub shape: Shape,
    pub args: Vec<Term>,
    /// By local address: what it is on either side.
    pub locals: Vec<(Term, Term)>,
    /// What the left node's back link holds.
    pub prev: Option<Term>,
}

impl Folding<'_> {
    /// The shape of both nodes, if they have one.
    pub(super) fn common(&self, a: &Side, b: &Side, link: i64) -> Option<Common> {
        let mut common = Common::default();
        self.cells(a, b, (a.at, b.at), Part::Node, Some(link), &mut common)?;
        let mut index = 0;
        while index < common.locals.len() {
            let (la, lb) = common.locals[index];
            self.cells(a, b, (la, lb), Part::Local(index as u8), None, &mut common)?;
            index += 1;
            if index > 8 {
                return None;
            }
        }
        common.shape.locals = common.locals.len() as u8;
        common.shape.args = common.args.len() as u8;
        common.shape.double = common.prev.is_some();
        Some(common)
    }

    /// What stands behind two addresses that correspond.
    fn cells(
        &self,
        a: &Side,
        b: &Side,
        (at_a, at_b): (Term, Term),
        part: Part,
        link: Option<i64>,
        common: &mut Common,
    ) -> Option<()> {
        let terms = a.heap.terms();
        let cells_of = |side: &Side, at: Term| -> BTreeMap<i64, Cell> {
            let (base, offset) = side.heap.split(at);
            let cells = side.heap.cells.iter().filter_map(|cell| {
                let (cell_base, from) = side.heap.split(cell.at);
                (cell_base == base).then_some((from - offset, *cell))
            });
            cells.collect()
        };
        let (of_a, of_b) = (cells_of(a, at_a), cells_of(b, at_b));
        let mut offsets: Vec<i64> = of_a.keys().chain(of_b.keys()).copied().collect();
        offsets.sort_unstable();
        offsets.dedup();
        for offset in offsets {
            let at = Sum(part, offset);
            let (ca, cb) = (of_a.get(&offset), of_b.get(&offset));
            let (Some(ca), Some(cb)) = (ca, cb) else {
                let one = ca.or(cb)?;
                let bytes = a.heap.as_bytes(one.size)? as i64;
                if self.caution == Caution::Sound {
                    return None;
                }
                let value = if link == Some(offset) {
                    Held::Is(Sum(Part::Next, 0))
                } else if let (Some(Value::Is(term)), true) = (ca.map(|cell| cell.value), cb.is_none())
                    && self.owns(a, term)
                {
                    return None;
                } else {
                    Held::Unknown
                };
                common.shape.cells.push(ShapeCell { at, size: Sum(Part::Zero, bytes), value });
                continue;
            };
            let size = self.size(a, b, ca.size, cb.size, common)?;
            let value = match (ca.value, cb.value) {
                _ if link == Some(offset) => {
                    let (Value::Is(_), Value::Is(_)) = (ca.value, cb.value) else { return None };
                    Held::Is(Sum(Part::Next, 0))
                }
                (Value::Any, Value::Any) => Held::Any,
                (Value::Each(x), Value::Each(y)) if x == y => {
                    terms.as_const(x).map_or(Held::Any, |byte| Held::Each(byte as u8))
                }
                (Value::Is(x), Value::Is(y)) => self.value(a, b, x, y, part, common)?,
                (Value::Is(x), _) if self.owns(a, x) => return None,
                (_, Value::Is(y)) if self.owns(b, y) => return None,
                _ => Held::Unknown,
            };
            common.shape.cells.push(ShapeCell { at, size, value });
        }
        self.blocks(a, b, (at_a, at_b), part, common)?;
        self.inner_lists(a, b, (at_a, at_b), part, common)
    }

    fn size(&self, a: &Side, b: &Side, x: Term, y: Term, common: &mut Common) -> Option<Sum> {
        let terms = a.heap.terms();
        if let (Some(x), Some(y)) = (terms.as_const(x), terms.as_const(y)) {
            return (x == y).then_some(Sum(Part::Zero, i64::try_from(x).ok()?));
        }
        let ((base, offset), (other, other_offset)) = (a.heap.split(x), b.heap.split(y));
        let same = base == other || self.caution == Caution::Guess;
        (same && offset == other_offset && terms.as_const(base).is_none() && terms.as_const(other).is_none())
            .then(|| Sum(Part::Arg(arg(common, base)), offset))
    }

    /// What two values have in common.
    fn value(&self, a: &Side, b: &Side, x: Term, y: Term, part: Part, common: &mut Common) -> Option<Held> {
        let terms = a.heap.terms();
        let is_pointer = terms.width(x) == a.heap.pointer_bits();
        if is_pointer {
            let (node, delta) = a.heap.split(a.at);
            let ((x_base, x_offset), (y_base, y_offset)) = (a.heap.split(x), b.heap.split(y));
            // A pointer to the node itself.
            if x_base == node && y_base == b.heap.split(b.at).0 && x_offset - delta == y_offset - b.heap.split(b.at).1 {
                return Some(Held::Is(Sum(Part::Node, x_offset - delta)));
            }
            if y_base == node {
                let behind = y_offset - delta;
                let prev = terms.add_constant(x, -i128::from(behind));
                if part == Part::Node && common.prev.is_none_or(|known| known == prev) {
                    common.prev = Some(prev);
                    return Some(Held::Is(Sum(Part::Prev, behind)));
                }
                return None;
            }
            if let Some(index) =
                common.locals.iter().position(|&(la, lb)| a.heap.split(la).0 == x_base && b.heap.split(lb).0 == y_base)
            {
                let (la, lb) = common.locals[index];
                let (of_a, of_b) = (x_offset - a.heap.split(la).1, y_offset - b.heap.split(lb).1);
                return (of_a == of_b).then_some(Held::Is(Sum(Part::Local(index as u8), of_a)));
            }
            if x != y && (self.owns(a, x) || self.owns(b, y)) {
                if !(self.owns(a, x) && self.owns(b, y)) || common.locals.len() >= 8 {
                    return None;
                }
                common.locals.push((x, y));
                return Some(Held::Is(Sum(Part::Local(common.locals.len() as u8 - 1), 0)));
            }
        }
        if x == y && (is_pointer || self.caution == Caution::Sound) {
            return Some(Held::Is(Sum(Part::Arg(arg(common, x)), 0)));
        }
        Some(Held::Unknown)
    }

    /// Whether bytes stand behind this value that nothing else points to.
    fn owns(&self, side: &Side, value: Term) -> bool {
        let heap = &side.heap;
        if heap.terms().width(value) != heap.pointer_bits() {
            return false;
        }
        let (base, _) = heap.split(value);
        if heap.terms().as_symbol(base).is_none() || heap.static_at(base).is_some() {
            return false;
        }
        let stands = heap.cells.iter().any(|cell| heap.split(cell.at).0 == base)
            || heap.segments.iter().any(|segment| heap.split(segment.first).0 == base);
        stands
            && heap.block_at(base).is_none_or(|block| heap.blocks[block].kind == BlockKind::Heap)
            && !self.roots.iter().any(|root| heap.split(*root).0 == base)
            && self.pointers_to(heap, base) <= 1
    }

    /// How many values in the heap point behind a base, but for its own.
    pub(super) fn pointers_to(&self, heap: &SymbolicHeap, base: Term) -> usize {
        let cells = heap.cells.iter().filter(|cell| {
            heap.split(cell.at).0 != base && matches!(cell.value, Value::Is(term) if heap.split(term).0 == base)
        });
        let segments = heap.segments.iter().flat_map(|segment| {
            let back = segment.back.map(|(_, prev)| prev);
            [Some(segment.next), back].into_iter().flatten().chain(segment.args.iter().copied())
        });
        cells.count() + segments.filter(|term| heap.split(*term).0 == base).count()
    }

    fn blocks(&self, a: &Side, b: &Side, (at_a, at_b): (Term, Term), part: Part, common: &mut Common) -> Option<()> {
        let block_of = |side: &Side, at: Term| {
            let (base, offset) = side.heap.split(at);
            side.heap.block_at(base).map(|index| {
                let block = &side.heap.blocks[index];
                (side.heap.split(block.start).1 - offset, block.size, block.live, block.foreign)
            })
        };
        match (block_of(a, at_a), block_of(b, at_b)) {
            (None, None) => {}
            (Some((from_a, size_a, true, _)), Some((from_b, size_b, true, _))) if from_a == from_b => {
                let size = self.size(a, b, size_a, size_b, common)?;
                common.shape.blocks.push(ShapeBlock { start: Sum(part, from_a), size });
            }
            // A block whose extent is forgotten could not be found lost.
            (Some((_, _, true, true)), None) | (None, Some((_, _, true, true))) => {
                if self.caution == Caution::Guess {
                    let (side, at) = if block_of(a, at_a).is_some() { (a, at_a) } else { (b, at_b) };
                    let (from, size, ..) = block_of(side, at)?;
                    let size = self.size(side, side, size, size, common)?;
                    common.shape.blocks.push(ShapeBlock { start: Sum(part, from), size });
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Lists that begin at two addresses that correspond.
    fn inner_lists(
        &self,
        a: &Side,
        b: &Side,
        (at_a, at_b): (Term, Term),
        part: Part,
        common: &mut Common,
    ) -> Option<()> {
        let list_at = |side: &Side, at: Term| side.heap.segments.iter().find(|segment| segment.first == at).cloned();
        if part == Part::Node {
            return Some(());
        }
        match (list_at(a, at_a), list_at(b, at_b)) {
            (None, None) => Some(()),
            (Some(x), Some(y)) if x.shape == y.shape && x.args.len() == y.args.len() => {
                let sum = |common: &mut Common, x: Term, y: Term| -> Option<Sum> {
                    let (node_a, node_b) = (a.heap.split(a.at), b.heap.split(b.at));
                    let ((x_base, x_offset), (y_base, y_offset)) = (a.heap.split(x), b.heap.split(y));
                    if x_base == node_a.0 && y_base == node_b.0 && x_offset - node_a.1 == y_offset - node_b.1 {
                        return Some(Sum(Part::Node, x_offset - node_a.1));
                    }
                    if let Some(index) = common
                        .locals
                        .iter()
                        .position(|&(la, lb)| a.heap.split(la).0 == x_base && b.heap.split(lb).0 == y_base)
                    {
                        let (la, lb) = common.locals[index];
                        let of_a = x_offset - a.heap.split(la).1;
                        return (of_a == y_offset - b.heap.split(lb).1).then_some(Sum(Part::Local(index as u8), of_a));
                    }
                    if x == y {
                        return Some(Sum(Part::Arg(arg(common, x)), 0));
                    }
                    None
                };
                let back = match (x.back, y.back) {
                    (None, None) => None,
                    (Some((la, pa)), Some((lb, pb))) => {
                        // The last node is an address of each node's own.
                        if sum(common, la, lb).is_none() {
                            common.locals.push((la, lb));
                        }
                        Some((sum(common, la, lb)?, sum(common, pa, pb)?))
                    }
                    _ => return None,
                };
                let inner = ShapeSegment {
                    shape: x.shape.clone(),
                    first: Sum(part, 0),
                    next: sum(common, x.next, y.next)?,
                    back,
                    args: x.args.iter().zip(&y.args).map(|(x, y)| sum(common, *x, *y)).collect::<Option<_>>()?,
                    nonempty: x.nonempty && y.nonempty,
                };
                common.shape.segments.push(inner);
                Some(())
            }
            _ => None,
        }
    }
}

fn arg(common: &mut Common, term: Term) -> u8 {
    match common.args.iter().position(|known| *known == term) {
        Some(index) => index as u8,
        None => {
            common.args.push(term);
            common.args.len() as u8 - 1
        }
    }
}
