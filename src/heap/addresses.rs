//! What is known when addresses are compared.

use super::context::SymbolKind;
use super::graph::{Object, Smg};
use super::limits::{LARGEST_OBJECT, MAX_OBJECTS};
use super::resolve::Target;
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
                // Equal string literals may be one object.
                if first.kind == BlockKind::Literal && second.kind == BlockKind::Literal {
                    return None;
                }
                let both_live = first.valid && second.valid;
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

    /// Whether `0 <= offset <= size`, as far as the cheap bounds tell.
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
                let is_plain = |object: &Object| {
                    let size = terms.as_const(object.size);
                    object.valid && object.kind != BlockKind::Literal && size.is_some_and(|size| size <= LARGEST_OBJECT)
                };
                if is_plain(a) && is_plain(b) {
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
