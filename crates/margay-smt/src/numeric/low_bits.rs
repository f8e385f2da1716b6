//! A toy: the low bits of each symbol, as many as are known. Sums and products are exact in it, because they wrap around.

use std::collections::BTreeMap;

use super::NumericDomain;
use crate::smt::{Node, Op, SymId, Term, Terms, to_signed};

/// The value modulo 2 to the power of `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bits {
    count: u32,
    value: u128,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
/// Per symbol: the low bits that are known.
pub struct LowBits(BTreeMap<SymId, Bits>);

fn bits(count: u32, value: u128) -> Bits {
    Bits { count, value: value & mask(count) }
}

fn mask(count: u32) -> u128 {
    1u128.checked_shl(count).map_or(u128::MAX, |bound| bound - 1)
}

impl LowBits {
    fn of_term(&self, terms: &Terms, term: Term) -> Bits {
        let width = terms.width(term);
        match terms.node(term) {
            Node::Const(value) => bits(width, value),
            Node::Sym(symbol) => self.0.get(&symbol).copied().unwrap_or(bits(0, 0)),
            Node::Not(inner) => {
                let inner = self.of_term(terms, inner);
                bits(inner.count, !inner.value)
            }
            Node::Bin(op @ (Op::Add | Op::Mul | Op::Xor), left, right) => {
                let (left, right) = (self.of_term(terms, left), self.of_term(terms, right));
                let value = match op {
                    Op::Add => left.value.wrapping_add(right.value),
                    Op::Mul => left.value.wrapping_mul(right.value),
                    _ => left.value ^ right.value,
                };
                bits(left.count.min(right.count), value)
            }
            Node::Bin(Op::Eq, left, right) => {
                let (wide, left, right) = (terms.width(left), self.of_term(terms, left), self.of_term(terms, right));
                let least = left.count.min(right.count);
                let differ = (left.value ^ right.value) & mask(least) != 0;
                bits(u32::from(differ || least == wide), u128::from(!differ))
            }
            Node::Extract { hi, lo: 0, of } => {
                let of = self.of_term(terms, of);
                bits(of.count.min(hi + 1), of.value)
            }
            Node::ZeroExt(inner) | Node::SignExt(inner) => {
                let (narrow, of) = (terms.width(inner), self.of_term(terms, inner));
                match terms.node(term) {
                    _ if of.count < narrow => of,
                    Node::ZeroExt(_) => bits(width, of.value),
                    _ => bits(width, to_signed(of.value, narrow) as u128),
                }
            }
            _ => bits(0, 0),
        }
    }

    /// `term` has these low bits.
    fn refine(&mut self, terms: &Terms, term: Term, known: Bits) {
        match terms.node(term) {
            Node::Sym(symbol) if known.count > self.of_term(terms, term).count => {
                self.0.insert(symbol, known);
            }
            Node::Not(inner) => self.refine(terms, inner, bits(known.count, !known.value)),
            Node::Extract { lo: 0, of, .. } => self.refine(terms, of, known),
            Node::ZeroExt(inner) | Node::SignExt(inner) => {
                self.refine(terms, inner, bits(known.count.min(terms.width(inner)), known.value));
            }
            Node::Bin(Op::Add, left, right) => {
                for (one, other) in [(left, right), (right, left)] {
                    let other = self.of_term(terms, other);
                    let value = known.value.wrapping_sub(other.value);
                    self.refine(terms, one, bits(known.count.min(other.count), value));
                }
            }
            Node::Bin(Op::Eq, left, right) if known == bits(1, 1) => {
                for (one, other) in [(left, right), (right, left)] {
                    self.refine(terms, one, self.of_term(terms, other));
                }
            }
            Node::Bin(Op::And, left, right) if known == bits(1, 1) => {
                self.refine(terms, left, known);
                self.refine(terms, right, known);
            }
            _ => {}
        }
    }
}

impl NumericDomain for LowBits {
    fn known(&self, terms: &Terms, formula: Term) -> Option<bool> {
        let found = self.of_term(terms, formula);
        (found.count == 1).then_some(found.value == 1)
    }

    fn range(&self, terms: &Terms, term: Term) -> (u128, u128) {
        let Bits { count, value } = self.of_term(terms, term);
        (value, (mask(terms.width(term)) & !mask(count)) | value)
    }

    fn signed_range(&self, terms: &Terms, term: Term) -> (i128, i128) {
        let (width, (low, high)) = (terms.width(term), self.range(terms, term));
        if low == high {
            return (to_signed(low, width), to_signed(low, width));
        }
        (-1 - (mask(width - 1) as i128), mask(width - 1) as i128)
    }

    fn assume(&mut self, terms: &Terms, condition: Term) {
        self.refine(terms, condition, bits(1, 1));
    }

    fn facts(&self, terms: &Terms) -> Vec<Term> {
        let fact = |(symbol, known): (&SymId, &Bits)| {
            let low = terms.extract(terms.symbol_term(*symbol), known.count - 1, 0);
            terms.eq(low, terms.constant(known.value, known.count))
        };
        self.0.iter().map(fact).collect()
    }

    fn join(&self, _terms: &Terms, other: &Self) -> Self {
        let common = |(symbol, own): (&SymId, &Bits)| {
            let other = other.0.get(symbol)?;
            let count = (own.value ^ other.value).trailing_zeros().min(own.count).min(other.count);
            (count > 0).then(|| (*symbol, bits(count, own.value)))
        };
        Self(self.0.iter().filter_map(common).collect())
    }

    /// There are only so many bits.
    fn widen(&self, terms: &Terms, newer: &Self, _thresholds: &[i128]) -> Self {
        self.join(terms, newer)
    }

    fn narrow(&self, _terms: &Terms, _newer: &Self) -> Self {
        self.clone()
    }
}
