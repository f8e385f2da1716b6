//! Bitwise operators and shifts.
//!
//! Normal forms: operands of `and`, `or`, `xor` flattened, ascending and distinct, a constant last; masks that are one
//! run of bits become extracts; `or` with a constant on bits known to be 0 becomes a sum.

use super::fold::{fold, mask};
use super::term::{Node, Op, Term, Terms};

/// Chains of one operator are flattened up to this length, so that building a chain of n costs at most 64·n.
const MAX_OPERANDS: usize = 64;

impl Terms {
    /// Each bit turned.
    pub fn not(&self, t: Term) -> Term {
        let width = self.width(t);
        if width > 1 {
            // !x = −x − 1
            return self.combination(&[(mask(width), t)], mask(width), width);
        }
        match self.node(t) {
            Node::Const(value) => self.constant(value ^ 1, 1),
            Node::Not(a) => a,
            Node::Bin(Op::Ult, a, b) => self.ule(b, a),
            Node::Bin(Op::Ule, a, b) => self.ult(b, a),
            Node::Bin(Op::Slt, a, b) => self.sle(b, a),
            Node::Bin(Op::Sle, a, b) => self.slt(b, a),
            _ => self.intern(Node::Not(t), 1),
        }
    }

    /// Negation of a truth value.
    pub fn bool_not(&self, t: Term) -> Term {
        assert_eq!(self.width(t), 1, "a boolean is one bit wide");
        self.not(t)
    }

    /// Conjunction of truth values.
    pub fn bool_and(&self, a: Term, b: Term) -> Term {
        assert_eq!(self.width(a), 1, "a boolean is one bit wide");
        self.and(a, b)
    }

    /// Disjunction of truth values.
    pub fn bool_or(&self, a: Term, b: Term) -> Term {
        assert_eq!(self.width(a), 1, "a boolean is one bit wide");
        self.or(a, b)
    }

    /// `a → b` on booleans.
    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.bool_or(self.bool_not(a), b)
    }

    /// The conjunction of booleans; true when there are none.
    pub fn conjunction(&self, parts: &[Term]) -> Term {
        self.all(Op::And, parts)
    }

    /// The disjunction of booleans; false when there are none.
    pub fn disjunction(&self, parts: &[Term]) -> Term {
        self.all(Op::Or, parts)
    }

    /// One operator on any number of booleans: what adding them one by one comes to, but each is sorted in once.
    fn all(&self, op: Op, parts: &[Term]) -> Term {
        let unit = u128::from(op == Op::And);
        let (operands, k) = self.flatten(op, parts, unit, 1);
        if k != unit || self.has_complements(&operands) {
            return self.constant(1 - unit, 1);
        }
        self.chain(op, &operands, 1).unwrap_or_else(|| self.constant(unit, 1))
    }

    /// Bit by bit.
    pub fn and(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (operands, k) = self.flatten(Op::And, &[a, b], mask(width), width);
        if k == 0 || self.has_complements(&operands) {
            return self.constant(0, width);
        }
        match self.chain(Op::And, &operands, width) {
            None => self.constant(k, width),
            Some(t) => self.masked(t, k),
        }
    }

    /// Bit by bit.
    pub fn or(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (operands, k) = self.flatten(Op::Or, &[a, b], 0, width);
        if k == mask(width) || self.has_complements(&operands) {
            return self.constant(mask(width), width);
        }
        if let ([a, b], 0) = (&operands[..], k)
            && let Some(joined) = self.join_disjoint(*a, *b)
        {
            return joined;
        }
        let Some(t) = self.chain(Op::Or, &operands, width) else { return self.constant(k, width) };
        let known = self.known(t);
        let new = k & !known.ones;
        if new == 0 {
            t
        } else if new & !known.zeros == 0 {
            self.add(t, self.constant(new, width))
        } else {
            self.intern_bin(Op::Or, t, self.constant(k, width), width)
        }
    }

    /// Bit by bit.
    pub fn xor(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.not(self.eq(a, b));
        }
        let (operands, k) = self.flatten(Op::Xor, &[a, b], 0, width);
        let Some(t) = self.chain(Op::Xor, &operands, width) else { return self.constant(k, width) };
        if k == 0 {
            return t;
        }
        if k == mask(width) {
            return self.not(t);
        }
        let known = self.known(t);
        if k & !(known.zeros | known.ones) == 0 {
            // Known bits are flipped by adding or subtracting them.
            return self.combination(&[(1, t)], (k & known.zeros).wrapping_sub(k & known.ones), width);
        }
        self.intern_bin(Op::Xor, t, self.constant(k, width), width)
    }

    /// The non-constant operands of a chain, ascending and distinct (for xor: those that occur an odd number of times),
    /// and the constant ones combined, starting from `unit`.
    fn flatten(&self, op: Op, sides: &[Term], unit: u128, width: u32) -> (Vec<Term>, u128) {
        let mut operands = Vec::new();
        let mut k = unit;
        for &side in sides {
            let mut rest = side;
            loop {
                match self.node(rest) {
                    Node::Bin(o, left, right) if o == op && operands.len() < MAX_OPERANDS => {
                        match self.as_const(right) {
                            Some(value) => k = fold(op, k, value, width),
                            None => operands.push(right),
                        }
                        rest = left;
                    }
                    Node::Const(value) => {
                        k = fold(op, k, value, width);
                        break;
                    }
                    _ => {
                        operands.push(rest);
                        break;
                    }
                }
            }
        }
        operands.sort_unstable();
        if op == Op::Xor {
            let mut odd: Vec<Term> = Vec::new();
            for t in operands {
                if odd.last() == Some(&t) {
                    odd.pop();
                } else {
                    odd.push(t);
                }
            }
            return (odd, k);
        }
        operands.dedup();
        (operands, k)
    }

    fn chain(&self, op: Op, operands: &[Term], width: u32) -> Option<Term> {
        let (&first, rest) = operands.split_first()?;
        Some(rest.iter().fold(first, |left, &right| self.intern_bin(op, left, right, width)))
    }

    /// Whether two of the operands are each other's bitwise complement. Of such a pair one is a sum `−x − 1`, a negation
    /// or a comparison; only those are looked up.
    fn has_complements(&self, operands: &[Term]) -> bool {
        let candidate = |t: Term| match self.node(t) {
            Node::Not(_) => true,
            Node::Bin(op, ..) => matches!(op, Op::Add | Op::Ult | Op::Ule | Op::Slt | Op::Sle),
            _ => false,
        };
        operands.len() > 1
            && operands.len() <= 16
            && operands.iter().any(|&t| candidate(t) && operands.binary_search(&self.not(t)).is_ok())
    }

    /// `t & k`.
    fn masked(&self, t: Term, k: u128) -> Term {
        let width = self.width(t);
        let known = self.known(t);
        // Bits that are 0 anyway need no mask, nor do they forbid one.
        let needed = k & !known.zeros;
        if needed == mask(width) & !known.zeros {
            return t;
        }
        if needed == 0 {
            return self.constant(0, width);
        }
        let (lo, hi) = (needed.trailing_zeros(), 127 - needed.leading_zeros());
        let run = mask(hi + 1) & !(if lo == 0 { 0 } else { mask(lo) });
        if run & !(k | known.zeros) == 0 {
            // One run of bits, shifted back to its place.
            let bits = self.zext(self.extract(t, hi, lo), width);
            return self.scale(bits, 1 << lo);
        }
        self.intern_bin(Op::And, t, self.constant(needed, width), width)
    }

    /// `a | b` as a concatenation where one has only high and the other only low bits.
    fn join_disjoint(&self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        for (high, low) in [(a, b), (b, a)] {
            let at = self.trailing_zeros(high);
            if at > 0 && at < width && self.known(low).max(width) <= mask(at) {
                return Some(self.concat(self.extract(high, width - 1, at), self.extract(low, at - 1, 0)));
            }
        }
        None
    }

    /// The lowest `n` bits of `t` in its own width; `n` at least 1.
    pub(super) fn low_bits(&self, t: Term, n: u32) -> Term {
        let width = self.width(t);
        if n >= width { t } else { self.zext(self.extract(t, n - 1, 0), width) }
    }

    /// Logical shift to the right by a constant.
    pub(super) fn shift_right_by(&self, t: Term, n: u32) -> Term {
        let width = self.width(t);
        if n >= width { self.constant(0, width) } else { self.zext(self.extract(t, width - 1, n), width) }
    }

    /// Shift to the left; by the width or more it is 0.
    pub fn shl(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match (self.as_const(a), self.as_const(b)) {
            (_, Some(n)) if n >= u128::from(width) => self.constant(0, width),
            (_, Some(n)) => self.scale(a, 1 << n),
            (Some(0), _) => a,
            _ if self.known(b).min() >= u128::from(width) => self.constant(0, width),
            _ => self.intern_bin(Op::Shl, a, b, width),
        }
    }

    /// Logical shift to the right; by the width or more it is 0.
    pub fn lshr(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match (self.as_const(a), self.as_const(b)) {
            (_, Some(n)) if n >= u128::from(width) => self.constant(0, width),
            (_, Some(n)) => self.shift_right_by(a, n as u32),
            (Some(0), _) => a,
            _ if self.known(b).min() >= u128::from(width) => self.constant(0, width),
            _ => self.intern_bin(Op::LShr, a, b, width),
        }
    }

    /// Arithmetic shift to the right; by the width or more it is the sign in every bit.
    pub fn ashr(&self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if self.is_non_negative(a) {
            return self.lshr(a, b);
        }
        match (self.as_const(a), self.as_const(b)) {
            (_, Some(n)) => {
                let n = n.min(u128::from(width - 1)) as u32;
                self.sext(self.extract(a, width - 1, n), width)
            }
            (Some(value), _) if value == mask(width) => a,
            _ => self.intern_bin(Op::AShr, a, b, width),
        }
    }
}
