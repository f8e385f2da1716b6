//! Sums, products and divisions.
//!
//! Normal form of a sum: `((c₁·t₁ + c₂·t₂) + …) + k` with ascending, distinct `tᵢ` that are neither sums, constants nor
//! products with a constant; `cᵢ ≠ 0`, the product is left out where `cᵢ = 1`, and the constant where `k = 0`.
//! At width 1 sums are exclusive ors and products conjunctions.

use super::fold::{fold, mask, to_signed};
use super::term::{Node, Op, Term, Terms};

/// A sum `Σ cᵢ·tᵢ + k` modulo 2^width, the terms ascending and distinct, the coefficients not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// Coefficients and what they multiply, ascending by term.
    pub parts: Vec<(u128, Term)>,
    /// The number that is added.
    pub constant: u128,
    /// Bits.
    pub width: u32,
}

impl Terms {
    /// The sum `t` is: every term is one, at least `1·t + 0`.
    pub fn linear(&self, t: Term) -> Linear {
        let mut sum = Linear { parts: Vec::new(), constant: 0, width: self.width(t) };
        let mut rest = t;
        while let Node::Bin(Op::Add, left, right) = self.node(rest) {
            self.push_part(&mut sum, right);
            rest = left;
        }
        self.push_part(&mut sum, rest);
        sum.parts.reverse();
        sum
    }

    fn push_part(&self, sum: &mut Linear, t: Term) {
        match self.node(t) {
            Node::Const(value) => sum.constant = value,
            Node::Bin(Op::Mul, a, c) => match self.as_const(c) {
                Some(c) => sum.parts.push((c, a)),
                None => sum.parts.push((1, t)),
            },
            _ => sum.parts.push((1, t)),
        }
    }

    /// `Σ cᵢ·tᵢ + k` for arbitrary terms `tᵢ` of `width` bits.
    pub(super) fn combination(&self, parts: &[(u128, Term)], k: u128, width: u32) -> Term {
        let m = mask(width);
        let mut all: Vec<(u128, Term)> = Vec::new();
        let mut constant = k;
        for &(c, t) in parts {
            let sum = self.linear(t);
            constant = constant.wrapping_add(c.wrapping_mul(sum.constant));
            for (ci, ti) in sum.parts {
                let ci = c.wrapping_mul(ci) & m;
                match self.unshifted(ci, ti) {
                    Some((ci, of)) => {
                        let sum = self.linear(of);
                        constant = constant.wrapping_add(ci.wrapping_mul(sum.constant));
                        all.extend(sum.parts.iter().map(|&(cj, tj)| (ci.wrapping_mul(cj) & m, tj)));
                    }
                    None => all.push((ci, ti)),
                }
            }
        }
        all.sort_by_key(|&(_, t)| t);
        all.dedup_by(|next, kept| {
            let same = next.1 == kept.1;
            if same {
                kept.0 = kept.0.wrapping_add(next.0) & m;
            }
            same
        });
        self.sum(&Linear { parts: all, constant: constant & m, width })
    }

    /// `c·t` as `d·s` where `t` is `s` shifted to the right by bits that are 0 and `c` shifts them back.
    fn unshifted(&self, c: u128, t: Term) -> Option<(u128, Term)> {
        let Node::ZeroExt(bits) = self.node(t) else { return None };
        let Node::Extract { hi, lo, of } = self.node(bits) else { return None };
        let inner = self.width(of);
        let nothing_lost = c.trailing_zeros() >= lo
            && lo > 0
            && self.trailing_zeros(of) >= lo
            && self.known(of).max(inner) <= mask(hi + 1)
            && inner <= self.width(t);
        nothing_lost.then(|| (c >> lo, self.zext(of, self.width(t))))
    }

    /// The term of a sum; parts with coefficient 0 are left out.
    pub(super) fn sum(&self, sum: &Linear) -> Term {
        let width = sum.width;
        let mut constant = sum.constant;
        let mut result: Option<Term> = None;
        for &(c, t) in sum.parts.iter().filter(|(c, _)| *c != 0) {
            let part = if c == 1 { t } else { self.intern_bin(Op::Mul, t, self.constant(c, width), width) };
            let next = match (result, self.as_const(part)) {
                // Known low zeros can make a product vanish modulo 2^width.
                (_, Some(value)) => {
                    constant = constant.wrapping_add(value) & mask(width);
                    continue;
                }
                (None, None) => part,
                (Some(left), None) => self.intern_bin(Op::Add, left, part, width),
            };
            result = Some(next);
        }
        match result {
            None => self.constant(constant, width),
            Some(t) if constant == 0 => t,
            Some(t) => self.intern_bin(Op::Add, t, self.constant(constant, width), width),
        }
    }

    /// The sum, wrapping.
    pub fn add(&self, a: Term, b: Term) -> Term {
        match self.same_width(a, b) {
            1 => self.xor(a, b),
            width => self.combination(&[(1, a), (1, b)], 0, width),
        }
    }

    /// The difference, wrapping.
    pub fn sub(&self, a: Term, b: Term) -> Term {
        match self.same_width(a, b) {
            1 => self.xor(a, b),
            width => self.combination(&[(1, a), (mask(width), b)], 0, width),
        }
    }

    /// The number whose sum with `a` is zero.
    pub fn neg(&self, a: Term) -> Term {
        match self.width(a) {
            1 => a,
            width => self.combination(&[(mask(width), a)], 0, width),
        }
    }

    /// `t + k`.
    pub fn add_constant(&self, t: Term, k: i128) -> Term {
        self.add(t, self.signed_constant(k, self.width(t)))
    }

    /// `c · t`.
    pub fn scale(&self, t: Term, c: u128) -> Term {
        match self.width(t) {
            1 if c & 1 == 1 => t,
            1 => self.false_(),
            width => self.combination(&[(c & mask(width), t)], 0, width),
        }
    }

    /// A term of which `t` is `by` times, where `by` divides each part of the sum that `t` is.
    pub fn divided_by(&self, t: Term, by: u64) -> Option<Term> {
        if by == 1 {
            return Some(t);
        }
        let sum = self.linear(t);
        let width = sum.width;
        let divided = |number: u128| {
            let signed = to_signed(number, width);
            (signed % i128::from(by) == 0).then(|| signed / i128::from(by))
        };
        let mut quotient = self.signed_constant(divided(sum.constant)?, width);
        for (factor, part) in sum.parts {
            let factor = self.signed_constant(divided(factor)?, width);
            quotient = self.add(quotient, self.mul(part, factor));
        }
        Some(quotient)
    }

    /// The product, wrapping.
    pub fn mul(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.and(a, b);
        }
        if let Some(c) = self.as_const(a) {
            return self.scale(b, c);
        }
        if let Some(c) = self.as_const(b) {
            return self.scale(a, c);
        }
        let ((ca, a), (cb, b)) = (self.coefficient(a), self.coefficient(b));
        let mut factors = Vec::new();
        self.factors(a, &mut factors);
        self.factors(b, &mut factors);
        factors.sort_unstable();
        let product = factors[1..].iter().fold(factors[0], |left, &f| self.intern_bin(Op::Mul, left, f, width));
        self.scale(product, ca.wrapping_mul(cb))
    }

    /// Two terms are multiplied with each other somewhere in `t`.
    pub fn has_product(&self, t: Term) -> bool {
        let is_product = |t: Term| matches!(self.node(t), Node::Bin(Op::Mul, _, b) if self.as_const(b).is_none());
        self.reachable(&[t]).into_iter().any(is_product)
    }

    /// `(c, s)` with `t = c·s`, `s` without constant factor.
    fn coefficient(&self, t: Term) -> (u128, Term) {
        match self.node(t) {
            Node::Bin(Op::Mul, s, c) => self.as_const(c).map_or((1, t), |c| (c, s)),
            _ => (1, t),
        }
    }

    /// The operands of a product of non-constants.
    fn factors(&self, t: Term, into: &mut Vec<Term>) {
        let mut rest = t;
        while let Node::Bin(Op::Mul, left, right) = self.node(rest) {
            into.push(right);
            rest = left;
        }
        into.push(rest);
    }

    /// Unsigned division; by zero it is all ones.
    pub fn udiv(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match (self.as_const(a), self.as_const(b)) {
            (Some(a), Some(b)) => return self.constant(fold(Op::UDiv, a, b, width), width),
            (_, Some(0)) => return self.constant(mask(width), width),
            (_, Some(1)) => return a,
            (_, Some(c)) if c.is_power_of_two() => return self.shift_right_by(a, c.trailing_zeros()),
            (_, Some(c)) => {
                if let Some(quotient) = self.exact_quotient(a, c, false) {
                    return quotient;
                }
                if let Node::ZeroExt(inner) = self.node(a) {
                    // A divisor above the operand's maximum gives 0 by the known bits below.
                    let narrow = self.width(inner);
                    if c <= mask(narrow) {
                        return self.zext(self.udiv(inner, self.constant(c, narrow)), width);
                    }
                }
            }
            _ => {}
        }
        if self.known(a).max(width) < self.known(b).min() {
            return self.constant(0, width);
        }
        self.intern_bin(Op::UDiv, a, b, width)
    }

    /// Unsigned remainder; by zero it is the dividend.
    pub fn urem(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match (self.as_const(a), self.as_const(b)) {
            (Some(a), Some(b)) => return self.constant(fold(Op::URem, a, b, width), width),
            (_, Some(0)) => return a,
            (_, Some(1)) => return self.constant(0, width),
            (_, Some(c)) if c.is_power_of_two() => return self.low_bits(a, c.trailing_zeros()),
            (_, Some(c)) => {
                if self.exact_quotient(a, c, false).is_some() {
                    return self.constant(0, width);
                }
                if let Node::ZeroExt(inner) = self.node(a) {
                    let narrow = self.width(inner);
                    if c <= mask(narrow) {
                        return self.zext(self.urem(inner, self.constant(c, narrow)), width);
                    }
                }
            }
            _ => {}
        }
        if self.known(a).max(width) < self.known(b).min() {
            return a;
        }
        self.intern_bin(Op::URem, a, b, width)
    }

    /// Signed division that truncates; by zero it is −1 or 1, against the sign of the dividend.
    pub fn sdiv(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let (Some(a), Some(b)) = (self.as_const(a), self.as_const(b)) {
            return self.constant(fold(Op::SDiv, a, b, width), width);
        }
        if self.is_non_negative(a) && self.is_non_negative(b) && self.known(b).min() > 0 {
            return self.udiv(a, b);
        }
        if let Some(c) = self.as_const(b) {
            if c == 0 {
                let (minus, plus) = (self.constant(mask(width), width), self.constant(1, width));
                return self.ite(self.slt(a, self.constant(0, width)), plus, minus);
            }
            if c == 1 {
                return a;
            }
            if c == mask(width) {
                return self.neg(a);
            }
            if let Some(quotient) = self.exact_quotient(a, c, true) {
                return quotient;
            }
        }
        self.intern_bin(Op::SDiv, a, b, width)
    }

    /// Signed remainder with the sign of the dividend; by zero it is the dividend.
    pub fn srem(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let (Some(a), Some(b)) = (self.as_const(a), self.as_const(b)) {
            return self.constant(fold(Op::SRem, a, b, width), width);
        }
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.urem(a, b); // by zero both are the dividend
        }
        if let Some(c) = self.as_const(b) {
            if c == 0 {
                return a;
            }
            if c == 1 || c == mask(width) || self.exact_quotient(a, c, true).is_some() {
                return self.constant(0, width);
            }
        }
        self.intern_bin(Op::SRem, a, b, width)
    }

    /// Whether the sign bit is 0 in every model.
    pub(super) fn is_non_negative(&self, t: Term) -> bool {
        self.known(t).zeros >> (self.width(t) - 1) & 1 == 1
    }

    /// `a / c` where all coefficients of the sum `a` are multiples of `c` and the sum does not wrap around.
    fn exact_quotient(&self, a: Term, c: u128, signed: bool) -> Option<Term> {
        let width = self.width(a);
        let c = if signed { to_signed(c, width) } else { i128::try_from(c).ok()? };
        if c <= 1 || width > 64 {
            return None;
        }
        let mut sum = self.linear(a);
        self.unwrapped_hull(&sum, signed)?;
        for value in sum.parts.iter_mut().map(|(ci, _)| ci).chain([&mut sum.constant]) {
            let signed_value = to_signed(*value, width);
            if signed_value % c != 0 {
                return None;
            }
            *value = (signed_value / c) as u128 & mask(width);
        }
        Some(self.sum(&sum))
    }
}
