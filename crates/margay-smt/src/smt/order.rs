//! Inequalities.
//!
//! Normal forms: strict where one side is a constant; sums that cannot wrap around have no term on both sides, no
//! common factor and their constant where it is positive.

use super::arith::Linear;
use super::fold::{bounds, fold, mask, to_signed};
use super::term::{Node, Op, Term, Terms};

impl Terms {
    /// A truth value: `a < b`, unsigned.
    pub fn ult(&self, a: Term, b: Term) -> Term {
        self.less(Op::Ult, a, b)
    }

    /// A truth value: `a ≤ b`, unsigned.
    pub fn ule(&self, a: Term, b: Term) -> Term {
        self.less(Op::Ule, a, b)
    }

    /// A truth value: `a < b`, signed.
    pub fn slt(&self, a: Term, b: Term) -> Term {
        self.less(Op::Slt, a, b)
    }

    /// A truth value: `a ≤ b`, signed.
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
        if (self.is_sum(a) || self.is_sum(b))
            && let Some((left, right)) = self.separated(strict, signed, a, b)
        {
            return self.less(op, left, right);
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
        // Bit patterns, with the sign bit flipped for signed numbers, are ordered like the numbers.
        let flip = if signed { 1 << (width - 1) } else { 0 };
        let ((al, ah), (bl, bh)) = (self.hull(a, signed), self.hull(b, signed));
        let (al, ah, bl, bh) = (al ^ flip, ah ^ flip, bl ^ flip, bh ^ flip);
        let a_below_b = if strict { ah < bl } else { ah <= bl };
        let b_below_a = if strict { bh <= al } else { bh < al };
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
        let (lowest, highest) = self.hull(t, signed);
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
        let (lowest, highest) = self.hull(t, signed);
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

    /// Bounds of `t` that are cheap to see, as bit patterns: those of its bits, or of the sum it is.
    fn hull(&self, t: Term, signed: bool) -> (u128, u128) {
        let width = self.width(t);
        let known = self.known(t);
        let by_bits = if signed {
            let (low, high) = self.signed_bit_hull(t);
            (low as u128 & mask(width), high as u128 & mask(width))
        } else {
            (known.min(), known.max(width))
        };
        if !self.is_sum(t) {
            return by_bits;
        }
        let Some((low, high)) = self.unwrapped_hull(&self.linear(t), signed) else { return by_bits };
        (low as u128 & mask(width), high as u128 & mask(width))
    }

    /// Both sides without common terms and factors, where that changes them and none of the sums can wrap around:
    /// then the inequality is one of integers.
    fn separated(&self, strict: bool, signed: bool, a: Term, b: Term) -> Option<(Term, Term)> {
        let width = self.width(a);
        let (sum_a, sum_b) = (self.linear(a), self.linear(b));
        self.unwrapped_hull(&sum_a, signed)?;
        self.unwrapped_hull(&sum_b, signed)?;
        // a − b over the integers
        let mut parts: Vec<(i128, Term)> = Vec::new();
        parts.extend(sum_a.parts.iter().map(|&(c, t)| (to_signed(c, width), t)));
        parts.extend(sum_b.parts.iter().map(|&(c, t)| (-to_signed(c, width), t)));
        parts.sort_by_key(|&(_, t)| t);
        parts.dedup_by(|next, kept| {
            let same = next.1 == kept.1;
            kept.0 += if same { next.0 } else { 0 };
            same
        });
        parts.retain(|&(c, _)| c != 0);
        let constant = self.integer_constant(&sum_a, signed) - self.integer_constant(&sum_b, signed);
        let factor = parts.iter().fold(0, |g, &(c, _)| gcd(g, c));
        // A coefficient that does not fit would be read as another number; no factor: both sides are constants.
        let fits = |c: i128| to_signed(c.unsigned_abs() & mask(width), width) == c.abs();
        if factor == 0 || !parts.iter().all(|&(c, _)| fits(c / factor)) {
            return None;
        }
        // g·L + k < g·R  ⇔  L + ⌊k/g⌋ < R, and with ≤ it is ⌈k/g⌉.
        let constant = if strict { constant.div_euclid(factor) } else { -(-constant).div_euclid(factor) };
        let side = |sign: i128| Linear {
            parts: parts
                .iter()
                .filter(|(c, _)| c.signum() == sign)
                .map(|&(c, t)| ((c / factor).unsigned_abs() & mask(width), t))
                .collect(),
            constant: 0,
            width,
        };
        let (mut left, mut right) = (side(1), side(-1));
        let to_left = if right.parts.is_empty() {
            false
        } else if left.parts.is_empty() {
            true
        } else {
            constant > 0
        };
        let (receiver, value) = if to_left { (&mut left, constant) } else { (&mut right, -constant) };
        receiver.constant = value as u128 & mask(width);
        let constant_fits = self.integer_constant(receiver, signed) == value;
        if !constant_fits
            || self.unwrapped_hull(&left, signed).is_none()
            || self.unwrapped_hull(&right, signed).is_none()
        {
            return None;
        }
        let (left, right) = (self.sum(&left), self.sum(&right));
        (left != a || right != b).then_some((left, right))
    }

    /// The constant of a sum as the integer that [`Terms::unwrapped_hull`] takes it for.
    fn integer_constant(&self, sum: &Linear, signed: bool) -> i128 {
        if sum.parts.is_empty() && !signed { sum.constant as i128 } else { to_signed(sum.constant, sum.width) }
    }

    /// Bounds of a sum over the integers; coefficients and the constant are read as signed numbers (an unsigned constant
    /// alone as itself), the terms as signed or unsigned ones. `None` where the sum may leave the numbers of its width,
    /// and above 64 bits.
    pub(super) fn unwrapped_hull(&self, sum: &Linear, signed: bool) -> Option<(i128, i128)> {
        let width = sum.width;
        if width > 64 {
            return None;
        }
        let mut low = self.integer_constant(sum, signed);
        let mut high = low;
        for &(c, t) in &sum.parts {
            let c = to_signed(c, width);
            let (l, h) = if signed { self.signed_bit_hull(t) } else { self.unsigned_bit_hull(t) };
            let (l, h) = (c.checked_mul(l)?, c.checked_mul(h)?);
            low = low.checked_add(l.min(h))?;
            high = high.checked_add(l.max(h))?;
        }
        let (least, greatest) = bounds(width, signed);
        (least <= low && high <= greatest).then_some((low, high))
    }

    fn unsigned_bit_hull(&self, t: Term) -> (i128, i128) {
        let known = self.known(t);
        (known.min() as i128, known.max(self.width(t)) as i128)
    }

    /// Signed bounds that the known bits and a sign extension show.
    fn signed_bit_hull(&self, t: Term) -> (i128, i128) {
        let t = if let Node::SignExt(inner) = self.node(t) { inner } else { t };
        let width = self.width(t);
        let sign = 1u128 << (width - 1);
        let known = self.known(t);
        // Least with the sign bit set if that is possible, greatest with it cleared if that is.
        let least = known.ones | if known.zeros & sign == 0 { sign } else { 0 };
        let greatest = known.max(width) & if known.ones & sign == 0 { !sign } else { u128::MAX };
        (to_signed(least, width), to_signed(greatest, width))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
