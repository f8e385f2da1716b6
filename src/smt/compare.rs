//! Comparisons.
//!
//! Normal forms: an equation of sums has its terms with small positive coefficients on the left, those with negative
//! ones and the constant on the right, no common power of two, and the first term on the left; inequalities with a
//! constant are strict.

use super::arith::Linear;
use super::fold::{fold, mask, to_signed};
use super::term::{Node, Op, Term, Terms};

impl Terms {
    pub fn ne(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }

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

    fn is_sum(&self, t: Term) -> bool {
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
            (Node::Ite(c, x, y), Node::Ite(d, z, u)) if c == d => self.ite(c, self.eq(x, z), self.eq(y, u)),
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

    pub fn ult(&self, a: Term, b: Term) -> Term {
        self.less(Op::Ult, a, b)
    }

    pub fn ule(&self, a: Term, b: Term) -> Term {
        self.less(Op::Ule, a, b)
    }

    pub fn slt(&self, a: Term, b: Term) -> Term {
        self.less(Op::Slt, a, b)
    }

    pub fn sle(&self, a: Term, b: Term) -> Term {
        self.less(Op::Sle, a, b)
    }

    fn less(&self, op: Op, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (strict, signed) = (matches!(op, Op::Ult | Op::Slt), matches!(op, Op::Slt | Op::Sle));
        if a == b {
            return self.bool_constant(!strict);
        }
        if let (Some(a), Some(b)) = (self.as_const(a), self.as_const(b)) {
            return self.constant(fold(op, a, b, width), 1);
        }
        if let Some(decided) = self.less_by_bounds(strict, signed, a, b) {
            return decided;
        }
        if signed && self.is_non_negative(a) && self.is_non_negative(b) {
            return self.less(if strict { Op::Ult } else { Op::Ule }, a, b);
        }
        if let Some(k) = self.as_const(b) {
            return self.less_than_constant(strict, signed, a, k);
        }
        if let Some(k) = self.as_const(a) {
            return self.more_than_constant(strict, signed, k, b);
        }
        match (self.node(a), self.node(b)) {
            (Node::ZeroExt(x), Node::ZeroExt(y)) => {
                let narrow = self.width(x).max(self.width(y));
                let op = if strict { Op::Ult } else { Op::Ule };
                self.less(op, self.zext(x, narrow), self.zext(y, narrow))
            }
            // Sign extension keeps both orders.
            (Node::SignExt(x), Node::SignExt(y)) => {
                let narrow = self.width(x).max(self.width(y));
                self.less(op, self.sext(x, narrow), self.sext(y, narrow))
            }
            _ => self.intern_bin(op, a, b, 1),
        }
    }

    /// The answer where the bounds of both sides show it.
    fn less_by_bounds(&self, strict: bool, signed: bool, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let (a_below_b, b_below_a) = if signed {
            let ((al, ah), (bl, bh)) = (self.signed_hull(a), self.signed_hull(b));
            (if strict { ah < bl } else { ah <= bl }, if strict { bh <= al } else { bh < al })
        } else {
            let (ka, kb) = (self.known(a), self.known(b));
            let ((al, ah), (bl, bh)) = ((ka.min(), ka.max(width)), (kb.min(), kb.max(width)));
            (if strict { ah < bl } else { ah <= bl }, if strict { bh <= al } else { bh < al })
        };
        match (a_below_b, b_below_a) {
            (true, _) => Some(self.true_()),
            (_, true) => Some(self.false_()),
            _ => None,
        }
    }

    /// `t < k` or `t ≤ k`, undecided by bounds.
    fn less_than_constant(&self, strict: bool, signed: bool, t: Term, k: u128) -> Term {
        let width = self.width(t);
        // t ≤ k is t < k + 1: k is not the greatest number, which the bounds would have decided.
        let k = if strict { k } else { k.wrapping_add(1) & mask(width) };
        let least = if signed { 1 << (width - 1) } else { 0 };
        let known = self.known(t);
        let (lowest, highest) = if signed {
            let (l, h) = self.signed_hull(t);
            (l as u128 & mask(width), h as u128 & mask(width))
        } else {
            (known.min(), known.max(width))
        };
        if k == lowest.wrapping_add(1) & mask(width) {
            return self.eq(t, self.constant(lowest, width));
        }
        if k == highest {
            return self.ne(t, self.constant(highest, width));
        }
        debug_assert_ne!(k, least, "decided by bounds");
        let constant = |k: u128, t: Term| self.constant(k, self.width(t));
        match self.node(t) {
            Node::ZeroExt(x) => self.ult(x, constant(k, x)),
            Node::SignExt(x) if signed => self.slt(x, constant(k, x)),
            Node::SignExt(x) => {
                let narrow = self.width(x);
                if to_signed(k, width) == to_signed(k & mask(narrow), narrow) {
                    self.ult(x, constant(k, x))
                } else {
                    // Between the images of the non-negative and of the negative numbers.
                    self.slt(self.signed_constant(-1, narrow), x)
                }
            }
            Node::Ite(c, x, y) if self.as_const(x).is_some() && self.as_const(y).is_some() => {
                let op = if signed { Op::Slt } else { Op::Ult };
                self.ite(c, self.less(op, x, constant(k, x)), self.less(op, y, constant(k, y)))
            }
            _ => self.intern_bin(if signed { Op::Slt } else { Op::Ult }, t, constant(k, t), 1),
        }
    }

    /// `k < t` or `k ≤ t`, undecided by bounds.
    fn more_than_constant(&self, strict: bool, signed: bool, k: u128, t: Term) -> Term {
        let width = self.width(t);
        // k ≤ t is k − 1 < t: k is not the least number.
        let k = if strict { k } else { k.wrapping_sub(1) & mask(width) };
        let known = self.known(t);
        let (lowest, highest) = if signed {
            let (l, h) = self.signed_hull(t);
            (l as u128 & mask(width), h as u128 & mask(width))
        } else {
            (known.min(), known.max(width))
        };
        if k == highest.wrapping_sub(1) & mask(width) {
            return self.eq(t, self.constant(highest, width));
        }
        if k == lowest {
            return self.ne(t, self.constant(lowest, width));
        }
        let constant = |k: u128, t: Term| self.constant(k, self.width(t));
        match self.node(t) {
            Node::ZeroExt(x) => self.ult(constant(k, x), x),
            Node::SignExt(x) if signed => self.slt(constant(k, x), x),
            Node::SignExt(x) => {
                let narrow = self.width(x);
                if to_signed(k, width) == to_signed(k & mask(narrow), narrow) {
                    self.ult(constant(k, x), x)
                } else {
                    self.slt(x, self.constant(0, narrow))
                }
            }
            Node::Ite(c, x, y) if self.as_const(x).is_some() && self.as_const(y).is_some() => {
                let op = if signed { Op::Slt } else { Op::Ult };
                self.ite(c, self.less(op, constant(k, x), x), self.less(op, constant(k, y), y))
            }
            _ => self.intern_bin(if signed { Op::Slt } else { Op::Ult }, constant(k, t), t, 1),
        }
    }
}

/// The inverse of an odd number modulo 2^128 (Newton's iteration doubles the correct bits).
fn inverse(odd: u128) -> u128 {
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
