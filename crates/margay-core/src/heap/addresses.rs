//! What is known when addresses are compared.

use super::context::SymbolKind;
use super::graph::{Object, Smg};
use super::limits::{LARGEST_OBJECT, MAX_OBJECTS};
use super::resolve::Target;
use crate::c::syntax::{FUNCTION_NAME, STRING};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{Node, Op, Term};

impl Smg {
    /// The truth of a comparison of addresses.
    pub(super) fn known_of_addresses(&self, condition: Term) -> Option<bool> {
        let terms = &self.context.terms;
        match terms.node(condition) {
            Node::Bin(Op::Eq, left, right) if terms.width(left) == self.context.model.pointer_bits() => {
                self.same_address(left, right)
            }
            _ => None,
        }
    }

    /// Whether two addresses are equal: those inside distinct live objects are not.
    fn same_address(&self, left: Term, right: Term) -> Option<bool> {
        let (left, right) = (self.target(left), self.target(right));
        let leads_nowhere =
            |target: &Target| matches!(target, Target::Object { block, .. } if self.may_be_nothing(*block));
        if leads_nowhere(&left) || leads_nowhere(&right) {
            return None;
        }
        match (left, right) {
            (Target::Object { block: a, .. }, Target::Object { block: b, .. }) if self.may_be_one(a, b) => None,
            (Target::Object { block: a, offset: i }, Target::Object { block: b, offset: j }) if a != b => {
                let (first, second) = (self.object(a)?, self.object(b)?);
                // Equal string literals may be one object, with gcc also names of functions.
                let is_text = |object: &Object| [STRING, FUNCTION_NAME].contains(&&*object.origin.name);
                if is_text(first) && is_text(second) {
                    return None;
                }
                let both_live = first.valid && second.valid;
                if both_live && self.would_overlap((first, i), (second, j)) {
                    return Some(false);
                }
                // One past the end of one object may be the start of another one, but not the ends of both.
                let apart = self.inside(a, i)? && self.inside(b, j)? && !(self.at_end(a, i) || self.at_end(b, j));
                (both_live && apart).then_some(false)
            }
            (Target::Function(f), Target::Function(g)) => Some(f == g),
            (Target::Function(_), Target::Null | Target::Object { .. })
            | (Target::Null | Target::Object { .. }, Target::Function(_)) => Some(false),
            _ => None,
        }
    }

    /// Whether one of two objects would begin within the other one if these places were one, which may lie outside of both: a pointer
    /// to a member, less the member's offset in another structure.
    fn would_overlap(&self, (first, i): (&Object, Term), (second, j): (&Object, Term)) -> bool {
        let terms = &self.context.terms;
        let size = |object: &Object| self.plain_size(object).filter(|size| *size > 0);
        let (Some(first), Some(second)) = (size(first), size(second)) else { return false };
        // How far the second begins behind the first, or the first behind the second.
        let behind = |from: Term, to: Term, size: u128| terms.as_const(terms.sub(from, to)).is_some_and(|by| by < size);
        behind(i, j, first) || behind(j, i, second)
    }

    /// The size of an object that shares no byte with other live ones of known size.
    fn plain_size(&self, object: &Object) -> Option<u128> {
        let size = self.context.terms.as_const(object.size).filter(|size| *size <= LARGEST_OBJECT)?;
        (object.valid && object.kind != BlockKind::Literal).then_some(size)
    }

    /// Whether `0 <= offset <= size`, as far as the cheap bounds say.
    fn inside(&self, block: BlockId, offset: Term) -> Option<bool> {
        let size = self.object(block)?.size;
        let terms = &self.context.terms;
        self.store.decide(&self.context, terms.ule(offset, size))
    }

    /// Whether the offset may be that of the first byte behind the object.
    fn at_end(&self, block: BlockId, offset: Term) -> bool {
        let Some(object) = self.object(block) else { return true };
        self.store.decide(&self.context, self.context.terms.ult(offset, object.size)) != Some(true)
    }

    /// `left op right` on addresses into one object is the comparison of their offsets, as long as these do not wrap.
    pub(super) fn compare_offsets(&self, op: Op, left: Term, right: Term) -> Option<Term> {
        let (Target::Object { block: a, offset: i }, Target::Object { block: b, offset: j }) =
            (self.target(left), self.target(right))
        else {
            return None;
        };
        if a != b || self.may_be_nothing(a) || !self.inside(a, i)? || !self.inside(a, j)? {
            return None;
        }
        let terms = &self.context.terms;
        Some(if op == Op::Ult { terms.ult(i, j) } else { terms.ule(i, j) })
    }

    /// Facts for the solver about the objects whose addresses stand in `condition`: live ones do not overlap.
    pub(super) fn address_facts(&self, condition: Term) -> Vec<Term> {
        let context = &self.context;
        let terms = &context.terms;
        let blocks: Vec<BlockId> = terms
            .symbols_of(condition)
            .iter()
            .filter(|symbol| matches!(context.kind(**symbol), Some(SymbolKind::Address(_))))
            .filter_map(|symbol| self.points_to.get(symbol).copied())
            .filter(|block| !self.may_be_nothing(*block))
            .take(MAX_OBJECTS)
            .collect();
        let mut facts = Vec::new();
        for (index, a) in blocks.iter().enumerate() {
            for b in blocks[..index].iter().filter(|b| !self.may_be_one(*a, **b)) {
                let (Some(a), Some(b)) = (self.object(*a), self.object(*b)) else { continue };
                if self.plain_size(a).is_some() && self.plain_size(b).is_some() {
                    let before = terms.ule(terms.add(a.address, a.size), b.address);
                    let after = terms.ule(terms.add(b.address, b.size), a.address);
                    facts.push(terms.bool_or(before, after));
                    facts.push(terms.ne(a.address, b.address));
                }
            }
        }
        facts
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::base::limits::Limits;
    use crate::heap::Context;
    use crate::memory::{BlockSpec, Origin};
    use crate::smt::Z3Solver;
    use crate::task::DataModel;

    /// `decide` agrees with an enumeration of where the smaller of two blocks may stand: it says so wherever two places, in blocks or
    /// not, can never be one, for that one of the blocks would begin in the other, and never that they are apart where they may be one.
    #[test]
    fn places_are_apart_where_blocks_would_overlap() {
        let mut memory = Smg::new(Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none())));
        let (large, small) = (6_i128, 3_i128);
        let mut block = |size: i128| {
            let size = memory.context.pointer_constant(size as u64);
            let origin = Origin::outside("block");
            let spec = BlockSpec { kind: BlockKind::Heap, size, align: 1, zeroed: false, origin };
            let block = memory.add_object(spec);
            memory.object(block).unwrap().address
        };
        let (a, b) = (block(large), block(small));
        let terms = &memory.context.terms;
        for (i, j) in (-9..=9).flat_map(|i| (-9..=9).map(move |j| (i, j))) {
            let same = terms.eq(terms.add_constant(a, i), terms.add_constant(b, j));
            // The small block begins so many bytes behind the large one where the places are one.
            let behind = i - j;
            let overlaps = behind < large && -behind < small;
            let known = memory.decide(same);
            assert!(known != Some(true) && (!overlaps || known == Some(false)), "{i} {j}");
            let are_inside = (0..large).contains(&i) && (0..small).contains(&j);
            assert!(overlaps || known.is_none() || are_inside, "{i} {j} may be one");
        }
    }
}
