//! Extracts, concatenations, extensions and choices.
//!
//! Normal forms: extracts stand as far inside as helps; a concatenation with zeros above is a zero extension, with a
//! constant below a sum; `Concat` leans to the right; a choice between 1 and 0 is an extended condition.

use super::fold::{mask, to_signed};
use super::term::{Node, Op, Term, Terms};

impl Terms {
    /// Bits `lo..=hi` of `t`.
    pub fn extract(&self, t: Term, hi: u32, lo: u32) -> Term {
        let width = self.width(t);
        assert!(lo <= hi && hi < width, "bits {hi}..{lo} of a term of {width} bits");
        if lo == 0 && hi + 1 == width {
            return t;
        }
        if let Some(value) = self.as_const(t) {
            return self.constant(value >> lo, hi - lo + 1);
        }
        let pushed = self.nested(|| self.memo_extract((t, hi, lo), || self.extract_new(t, hi, lo)));
        pushed.unwrap_or_else(|| self.intern(Node::Extract { hi, lo, of: t }, hi - lo + 1))
    }

    /// The lowest `width` bits.
    pub fn truncate(&self, t: Term, width: u32) -> Term {
        self.extract(t, width - 1, 0)
    }

    fn extract_new(&self, t: Term, hi: u32, lo: u32) -> Term {
        let size = hi - lo + 1;
        let plain = || self.intern(Node::Extract { hi, lo, of: t }, size);
        match self.node(t) {
            Node::Extract { lo: inner, of, .. } => self.extract(of, hi + inner, lo + inner),
            Node::Bin(Op::Concat, a, b) => {
                let low = self.width(b);
                if lo >= low {
                    self.extract(a, hi - low, lo - low)
                } else if hi < low {
                    self.extract(b, hi, lo)
                } else {
                    self.concat(self.extract(a, hi - low, 0), self.extract(b, low - 1, lo))
                }
            }
            Node::ZeroExt(a) => match self.width(a) {
                inner if lo >= inner => self.constant(0, size),
                inner if hi < inner => self.extract(a, hi, lo),
                inner => self.zext(self.extract(a, inner - 1, lo), size),
            },
            Node::SignExt(a) => match self.width(a) {
                inner if lo >= inner => self.sext(self.extract(a, inner - 1, inner - 1), size),
                inner if hi < inner => self.extract(a, hi, lo),
                inner => self.sext(self.extract(a, inner - 1, lo), size),
            },
            Node::Bin(op @ (Op::And | Op::Or | Op::Xor), a, b) => {
                let (a, b) = (self.extract(a, hi, lo), self.extract(b, hi, lo));
                // Pushed inwards only where an operand gets simpler than an extract.
                if self.is_extract(a) && self.is_extract(b) { plain() } else { self.binary(op, a, b) }
            }
            Node::Ite(c, a, b) if self.as_const(a).is_some() || self.as_const(b).is_some() => {
                self.ite(c, self.extract(a, hi, lo), self.extract(b, hi, lo))
            }
            Node::Bin(Op::Add, ..) => self.extract_of_sum(t, hi, lo),
            Node::Bin(Op::Mul, a, b) => match self.as_const(b) {
                Some(_) => self.extract_of_sum(t, hi, lo),
                None if lo == 0 && self.is_extended(a) && self.is_extended(b) => {
                    self.mul(self.extract(a, hi, 0), self.extract(b, hi, 0))
                }
                None => plain(),
            },
            _ => plain(),
        }
    }

    fn is_extract(&self, t: Term) -> bool {
        matches!(self.node(t), Node::Extract { .. })
    }

    fn is_extended(&self, t: Term) -> bool {
        matches!(self.node(t), Node::ZeroExt(_) | Node::SignExt(_))
    }

    /// Truncation is a ring homomorphism, so the bits above `hi` go first; then what cannot reach bit `lo` goes:
    /// with `t = high + low`, `high` a multiple of 2^lo and `0 ≤ low < 2^lo`, the bits from `lo` on are those of `high`.
    fn extract_of_sum(&self, t: Term, hi: u32, lo: u32) -> Term {
        let width = self.width(t);
        let mut sum = self.linear(t);
        if hi + 1 < width {
            let narrow = hi + 1;
            let parts: Vec<(u128, Term)> =
                sum.parts.iter().map(|&(c, p)| (c & mask(narrow), p)).filter(|(c, _)| *c != 0).collect();
            if narrow == 1 {
                // Sums of single bits are exclusive ors.
                let bits = parts.iter().map(|&(_, p)| self.extract(p, 0, 0));
                return bits.fold(self.constant(sum.constant, 1), |left, bit| self.xor(left, bit));
            }
            let parts: Vec<(u128, Term)> = parts.iter().map(|&(c, p)| (c, self.extract(p, hi, 0))).collect();
            let narrowed = self.combination(&parts, sum.constant & mask(narrow), narrow);
            return if lo == 0 { narrowed } else { self.extract(narrowed, hi, lo) };
        }
        if lo == 0 {
            return t;
        }
        let multiple = |c: u128, p: Term| c.trailing_zeros() + self.trailing_zeros(p) >= lo;
        let low_constant = sum.constant & mask(lo);
        let mut low_max = Some(low_constant);
        for &(c, p) in sum.parts.iter().filter(|&&(c, p)| !multiple(c, p)) {
            let part_max = c.checked_mul(self.known(p).max(width));
            low_max = low_max.zip(part_max).and_then(|(a, b)| a.checked_add(b));
        }
        if low_max.is_some_and(|max| max <= mask(lo)) {
            sum.parts.retain(|&(c, p)| multiple(c, p));
            sum.constant &= !mask(lo);
            let high = self.sum(&sum);
            if high != t {
                return self.extract(high, hi, lo);
            }
            // A multiple of 2^lo: divide by it where the coefficients show it.
            let divisible = sum.parts.iter().all(|(c, _)| c.trailing_zeros() >= lo);
            if divisible {
                let size = hi - lo + 1;
                let parts: Vec<(u128, Term)> =
                    sum.parts.iter().map(|&(c, p)| (c >> lo, self.extract(p, size - 1, 0))).collect();
                return self.small_combination(&parts, sum.constant >> lo, size);
            }
        }
        // A single multiple `2^n·p` with `n < lo` is still only a shift.
        if let [(c, p)] = sum.parts[..]
            && sum.constant == 0
            && c.is_power_of_two()
        {
            let n = c.trailing_zeros();
            return self.extract(p, hi - n, lo - n);
        }
        self.intern(Node::Extract { hi, lo, of: t }, hi - lo + 1)
    }

    /// [`Terms::combination`] for any width.
    fn small_combination(&self, parts: &[(u128, Term)], k: u128, width: u32) -> Term {
        if width > 1 {
            return self.combination(parts, k & mask(width), width);
        }
        let odd = parts.iter().filter(|(c, _)| c & 1 == 1);
        odd.fold(self.constant(k, 1), |left, &(_, t)| self.xor(left, t))
    }

    /// `hi` above `lo`; together at most 128 bits.
    pub fn concat(&self, hi: Term, lo: Term) -> Term {
        let (high, low) = (self.width(hi), self.width(lo));
        let width = high + low;
        assert!(width <= 128, "a concatenation of {width} bits");
        if self.as_const(hi) == Some(0) {
            return self.zext(lo, width);
        }
        match self.node(hi) {
            Node::Const(value) if self.as_const(lo).is_some() => {
                return self.constant(value << low | self.as_const(lo).unwrap_or(0), width);
            }
            Node::Bin(Op::Concat, a, b) => return self.concat(a, self.concat(b, lo)),
            Node::ZeroExt(a) => return self.zext(self.concat(a, lo), width),
            Node::Extract { hi: h, lo: l, of } => {
                if let Some(joined) = self.join_extracts(of, h, l, lo) {
                    return joined;
                }
            }
            _ => {}
        }
        if let Node::Bin(Op::Concat, a, b) = self.node(lo) {
            let first = self.concat(hi, a);
            if !matches!(self.node(first), Node::Bin(Op::Concat, x, y) if x == hi && y == a) {
                return self.concat(first, b);
            }
        }
        if let Some(k) = self.as_const(hi) {
            return self.combination(&[(1, self.zext(lo, width))], k << low, width);
        }
        if let Some(k) = self.as_const(lo) {
            return self.combination(&[(1 << low, self.zext(hi, width))], k, width);
        }
        self.intern_bin(Op::Concat, hi, lo, width)
    }

    /// `of[h:l]` above `lo` as one extract, where `lo` is just the bits of `of` below `l`.
    fn join_extracts(&self, of: Term, h: u32, l: u32, lo: Term) -> Option<Term> {
        let low = self.width(lo);
        if let Some(k) = self.as_const(lo) {
            // of[h:l] ++ k = (of + k)[h:0] where the bits of `of` below `l` are 0.
            let aligned = l == low && self.trailing_zeros(of) >= l;
            return aligned.then(|| self.extract(self.combination(&[(1, of)], k, self.width(of)), h, 0));
        }
        (l >= low && self.extract(of, l - 1, l - low) == lo).then(|| self.extract(of, h, l - low))
    }

    /// `t` with zeros above; `width` is at least that of `t`.
    pub fn zext(&self, t: Term, width: u32) -> Term {
        let inner = self.width(t);
        assert!(inner <= width, "extension of {inner} to {width} bits");
        if inner == width {
            return t;
        }
        match self.node(t) {
            Node::Const(value) => self.constant(value, width),
            Node::ZeroExt(a) => self.zext(a, width),
            Node::Ite(c, a, b) if self.as_const(a).is_some() && self.as_const(b).is_some() => {
                self.ite(c, self.zext(a, width), self.zext(b, width))
            }
            Node::Extract { lo: 0, of, .. } if self.fits(of, inner) => match self.width(of) {
                outer if outer < width => self.zext(of, width),
                _ => self.extract(of, width - 1, 0),
            },
            _ => self.intern(Node::ZeroExt(t), width),
        }
    }

    /// Whether all bits of `t` from bit `width` on are 0 in every model.
    fn fits(&self, t: Term, width: u32) -> bool {
        self.known(t).max(self.width(t)) <= mask(width)
    }

    /// `t` with copies of its highest bit above; `width` is at least that of `t`.
    pub fn sext(&self, t: Term, width: u32) -> Term {
        let inner = self.width(t);
        assert!(inner <= width, "extension of {inner} to {width} bits");
        if inner == width {
            return t;
        }
        if self.is_non_negative(t) {
            return self.zext(t, width);
        }
        match self.node(t) {
            Node::Const(value) => self.constant(to_signed(value, inner) as u128, width),
            Node::SignExt(a) => self.sext(a, width),
            Node::Ite(c, a, b) if self.as_const(a).is_some() && self.as_const(b).is_some() => {
                self.ite(c, self.sext(a, width), self.sext(b, width))
            }
            _ => self.intern(Node::SignExt(t), width),
        }
    }

    /// `a` where `c` (of width 1) holds, else `b`.
    pub fn ite(&self, c: Term, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        assert_eq!(self.width(c), 1, "a condition is one bit wide");
        if let Some(value) = self.as_const(c) {
            return if value == 1 { a } else { b };
        }
        if a == b {
            return a;
        }
        if let Node::Not(_) | Node::Bin(Op::Ule | Op::Sle, ..) = self.node(c) {
            return self.ite(self.not(c), b, a);
        }
        // A nested choice by the same condition is decided.
        let a = if let Node::Ite(inner, then, _) = self.node(a)
            && inner == c
        {
            then
        } else {
            a
        };
        let b = if let Node::Ite(inner, _, other) = self.node(b)
            && inner == c
        {
            other
        } else {
            b
        };
        match (self.as_const(a), self.as_const(b)) {
            (Some(1), _) if width == 1 => self.or(c, b),
            (Some(0), _) if width == 1 => self.and(self.not(c), b),
            (_, Some(1)) if width == 1 => self.or(self.not(c), a),
            (_, Some(0)) if width == 1 => self.and(c, a),
            (Some(1), Some(0)) => self.zext(c, width),
            (Some(0), Some(1)) => self.zext(self.not(c), width),
            _ if a == b => a,
            _ => self.intern(Node::Ite(c, a, b), width),
        }
    }
}
