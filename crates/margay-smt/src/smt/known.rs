//! Known bits: for every term the bits that are certainly 0 and certainly 1, computed once when the term is made.

use super::fold::{mask, to_signed};
use super::term::{Node, Op};

/// Bits certainly 0 and bits certainly 1, within the width of the term; disjoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub zeros: u128,
    pub ones: u128,
}

impl Known {
    /// Nothing is known.
    pub const NONE: Known = Known { zeros: 0, ones: 0 };

    pub fn constant(value: u128, width: u32) -> Known {
        Known { zeros: !value & mask(width), ones: value }
    }

    /// The only possible value, if all bits are known.
    pub fn value(self, width: u32) -> Option<u128> {
        (self.zeros | self.ones == mask(width)).then_some(self.ones)
    }

    /// The least unsigned value.
    pub fn min(self) -> u128 {
        self.ones
    }

    /// The greatest unsigned value.
    pub fn max(self, width: u32) -> u128 {
        !self.zeros & mask(width)
    }

    /// How many low bits are known to be 0.
    pub fn trailing_zeros(self, width: u32) -> u32 {
        self.zeros.trailing_ones().min(width)
    }

    /// Zero in every bit above the highest bit of `max`.
    fn at_most(max: u128, width: u32) -> Known {
        Known { zeros: mask(width) & !covering(max), ones: 0 }
    }

    /// The lowest `n` bits are 0.
    fn low_zeros(n: u32, width: u32) -> Known {
        Known { zeros: if n == 0 { 0 } else { mask(n.min(width)) }, ones: 0 }
    }

    fn or(self, other: Known) -> Known {
        Known { zeros: self.zeros | other.zeros, ones: self.ones | other.ones }
    }
}

/// The smallest 2^n − 1 that is at least `max`.
pub(super) fn covering(max: u128) -> u128 {
    if max == 0 { 0 } else { u128::MAX >> max.leading_zeros() }
}

/// The known bits of a node of `width` bits; `of` gives width and known bits of its operands.
/// Symbols are the arena's business: nothing is known here.
pub(super) fn known_bits(node: Node, width: u32, of: impl Fn(super::Term) -> (u32, Known)) -> Known {
    let m = mask(width);
    match node {
        Node::Const(value) => Known::constant(value, width),
        Node::Sym(_) => Known::NONE,
        Node::Not(t) => {
            let k = of(t).1;
            Known { zeros: k.ones, ones: k.zeros }
        }
        Node::Extract { lo, of: t, .. } => {
            let k = of(t).1;
            Known { zeros: (k.zeros >> lo) & m, ones: (k.ones >> lo) & m }
        }
        Node::ZeroExt(t) => {
            let (w, k) = of(t);
            Known { zeros: k.zeros | (m & !mask(w)), ones: k.ones }
        }
        Node::SignExt(t) => {
            let (w, k) = of(t);
            Known { zeros: to_signed(k.zeros, w) as u128 & m, ones: to_signed(k.ones, w) as u128 & m }
        }
        Node::Ite(_, a, b) => {
            let (a, b) = (of(a).1, of(b).1);
            Known { zeros: a.zeros & b.zeros, ones: a.ones & b.ones }
        }
        Node::Bin(Op::Concat, a, b) => {
            let ((_, a), (low, b)) = (of(a), of(b));
            Known { zeros: a.zeros << low | b.zeros, ones: a.ones << low | b.ones }
        }
        Node::Bin(op, a, b) => binary(op, of(a).1, of(b).1, width),
    }
}

fn binary(op: Op, a: Known, b: Known, width: u32) -> Known {
    let m = mask(width);
    match op {
        Op::Add => add(a, b, m),
        Op::Mul => {
            let low = Known::low_zeros(a.trailing_zeros(width) + b.trailing_zeros(width), width);
            match a.max(width).checked_mul(b.max(width)) {
                Some(max) if max <= m => low.or(Known::at_most(max, width)),
                _ => low,
            }
        }
        // By zero the quotient is all ones.
        Op::UDiv if b.min() > 0 => Known::at_most(a.max(width) / b.min(), width),
        // By zero the remainder is the dividend, which may be larger than any remainder.
        Op::URem if b.min() > 0 => Known::at_most(a.max(width).min(b.max(width) - 1), width),
        Op::URem | Op::LShr => Known::at_most(a.max(width), width),
        Op::Shl => Known::low_zeros(a.trailing_zeros(width), width),
        Op::And => Known { zeros: a.zeros | b.zeros, ones: a.ones & b.ones },
        Op::Or => Known { zeros: a.zeros & b.zeros, ones: a.ones | b.ones },
        Op::Xor => Known { zeros: a.zeros & b.zeros | a.ones & b.ones, ones: a.zeros & b.ones | a.ones & b.zeros },
        _ => Known::NONE,
    }
}

/// A bit of a sum is known where both operand bits and the carry into it are.
fn add(a: Known, b: Known, m: u128) -> Known {
    let highest = (!a.zeros & m).wrapping_add(!b.zeros & m);
    let lowest = a.ones.wrapping_add(b.ones);
    // The carry into a bit is the sum bit xor both operand bits, for the extreme operands.
    let no_carry = !(highest ^ a.zeros ^ b.zeros);
    let carry = lowest ^ a.ones ^ b.ones;
    let known = (a.zeros | a.ones) & (b.zeros | b.ones) & (no_carry | carry) & m;
    Known { zeros: !highest & known, ones: lowest & known }
}
