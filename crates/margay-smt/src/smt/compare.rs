//! Equations.
//!
//! Normal form: terms with small positive coefficients on the left, those with negative ones and the constant on the
//! right, no common power of two, and the first term on the left.

use super::arith::Linear;
use super::fold::{mask, to_signed};
use super::term::{Node, Op, Term, Terms};

impl Terms {
    /// A truth value: they differ.
    pub fn ne(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }

    /// A truth value: they are equal.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.true_();
        }
        let (ka, kb) = (self.known(a), self.known(b));
        if ka.ones & kb.zeros != 0 || ka.zeros & kb.ones != 0 {
            return self.false_();
        }
        if width == 1 {
            return self.eq_bool(a, b);
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(a), Some(b)) => return self.bool_constant(a == b),
            (Some(k), None) if !self.is_sum(b) => return self.eq_constant(b, k),
            (None, Some(k)) if !self.is_sum(a) => return self.eq_constant(a, k),
            _ => {}
        }
        let difference = self.linear(self.sub(a, b));
        self.eq_zero(difference)
    }

    pub(super) fn is_sum(&self, t: Term) -> bool {
        match self.node(t) {
            Node::Bin(Op::Add, ..) => true,
            Node::Bin(Op::Mul, _, c) => self.as_const(c).is_some(),
            _ => false,
        }
    }

    fn eq_bool(&self, a: Term, b: Term) -> Term {
        match (self.node(a), self.node(b)) {
            (Node::Const(1), _) => b,
            (_, Node::Const(1)) => a,
            (Node::Const(_), _) => self.not(b),
            (_, Node::Const(_)) => self.not(a),
            (Node::Not(x), Node::Not(y)) => self.eq_bool(x, y),
            (Node::Not(x), _) => self.not(self.eq(x, b)),
            (_, Node::Not(y)) => self.not(self.eq(a, y)),
            _ if self.not(a) == b => self.false_(),
            _ => self.intern_bin(Op::Eq, a.min(b), a.max(b), 1),
        }
    }

    /// `sum = 0`.
    fn eq_zero(&self, sum: Linear) -> Term {
        let width = sum.width;
        let as_term = self.sum(&sum);
        if self.known(as_term).min() > 0 {
            return self.false_();
        }
        let Some(&(first, _)) = sum.parts.first() else { return self.bool_constant(sum.constant == 0) };
        // Every coefficient divisible by 2^n: so must the constant be, and only the lower bits of the terms count.
        let shift = sum.parts.iter().map(|(c, _)| c.trailing_zeros()).min().unwrap_or(0);
        if shift > 0 {
            if sum.constant & mask(shift) != 0 {
                return self.false_();
            }
            let narrow = width - shift;
            let lowered: Vec<(u128, Term)> =
                sum.parts.iter().map(|&(c, t)| (c >> shift, self.extract(t, narrow - 1, 0))).collect();
            if narrow == 1 {
                let odd = lowered.iter().filter(|(c, _)| c & 1 == 1);
                let parity = odd.fold(self.false_(), |left, &(_, t)| self.xor(left, t));
                return self.eq(parity, self.constant(sum.constant >> shift, 1));
            }
            let left = self.combination(&lowered, 0, narrow);
            return self.eq(left, self.constant((sum.constant >> shift).wrapping_neg(), narrow));
        }
        if let [(c, t)] = sum.parts[..] {
            // c is odd and so has an inverse.
            let k = sum.constant.wrapping_neg().wrapping_mul(inverse(c)) & mask(width);
            return self.eq_constant(t, k);
        }
        let negative = |c: u128| to_signed(c, width) < 0;
        let sign = if negative(first) { mask(width) } else { 1 };
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for &(c, t) in &sum.parts {
            let c = c.wrapping_mul(sign) & mask(width);
            // The lowest negative number is its own negation: it stays on the left.
            let opposite = c.wrapping_neg() & mask(width);
            if negative(c) && !negative(opposite) { right.push((opposite, t)) } else { left.push((c, t)) }
        }
        let constant = sum.constant.wrapping_mul(sign).wrapping_neg() & mask(width);
        let left = self.sum(&Linear { parts: left, constant: 0, width });
        let right = self.sum(&Linear { parts: right, constant, width });
        self.eq_sides(left, right)
    }

    /// An equation in normal form, up to operators that map different values to different values.
    fn eq_sides(&self, a: Term, b: Term) -> Term {
        match (self.node(a), self.node(b)) {
            (Node::ZeroExt(x), Node::ZeroExt(y)) => {
                let width = self.width(x).max(self.width(y));
                self.eq(self.zext(x, width), self.zext(y, width))
            }
            (Node::SignExt(x), Node::SignExt(y)) => {
                let width = self.width(x).max(self.width(y));
                self.eq(self.sext(x, width), self.sext(y, width))
            }
            (Node::Bin(Op::Concat, x, y), Node::Bin(Op::Concat, z, u)) if self.width(x) == self.width(z) => {
                self.and(self.eq(x, z), self.eq(y, u))
            }
            (Node::Ite(c, x, y), Node::Ite(d, z, u)) if c == d => {
                self.memo_equation((a, b), || self.ite(c, self.eq(x, z), self.eq(y, u)))
            }
            (Node::Ite(c, x, y), _) if x == b || y == b => self.ite(c, self.eq(x, b), self.eq(y, b)),
            (_, Node::Ite(c, x, y)) if x == a || y == a => self.ite(c, self.eq(a, x), self.eq(a, y)),
            _ => self.intern_bin(Op::Eq, a, b, 1),
        }
    }

    /// `t = k` for `t` that is not a sum.
    fn eq_constant(&self, t: Term, k: u128) -> Term {
        let width = self.width(t);
        let known = self.known(t);
        if known.ones & !k != 0 || known.zeros & k != 0 {
            return self.false_();
        }
        if width == 1 {
            return if k == 1 { t } else { self.not(t) };
        }
        let pushed = self.nested(|| self.push_eq_constant(t, k));
        pushed.unwrap_or_else(|| self.intern_bin(Op::Eq, t, self.constant(k, width), 1))
    }

    fn push_eq_constant(&self, t: Term, k: u128) -> Term {
        let width = self.width(t);
        match self.node(t) {
            Node::Const(value) => self.bool_constant(value == k),
            // Bits above that are not 0 contradict the known bits.
            Node::ZeroExt(x) => self.eq_narrow(x, k),
            Node::SignExt(x) => {
                let narrow = self.width(x);
                let fits = to_signed(k, width) == to_signed(k & mask(narrow), narrow);
                if fits { self.eq_narrow(x, k & mask(narrow)) } else { self.false_() }
            }
            Node::Bin(Op::Concat, x, y) => {
                let low = self.width(y);
                self.and(self.eq_narrow(x, k >> low), self.eq_narrow(y, k & mask(low)))
            }
            Node::Ite(c, x, y) if self.as_const(x).is_some() || self.as_const(y).is_some() => {
                self.ite(c, self.eq_narrow(x, k), self.eq_narrow(y, k))
            }
            Node::Bin(Op::Xor, x, y) if self.as_const(y).is_some() => {
                self.eq_narrow(x, k ^ self.as_const(y).unwrap_or(0))
            }
            _ => self.intern_bin(Op::Eq, t, self.constant(k, width), 1),
        }
    }

    fn eq_narrow(&self, t: Term, k: u128) -> Term {
        self.eq(t, self.constant(k, self.width(t)))
    }
}

/// The inverse of an odd number modulo 2^128 (Newton's iteration doubles the correct bits).
pub(super) fn inverse(odd: u128) -> u128 {
    let mut x = odd; // correct in the lowest 3 bits
    for _ in 0..6 {
        x = x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    #[test]
    fn inverses() {
        for odd in [1u128, 3, 5, 0xdead_beef, u128::MAX, (1 << 127) + 1] {
            assert_eq!(odd.wrapping_mul(super::inverse(odd)), 1);
        }
    }
}
