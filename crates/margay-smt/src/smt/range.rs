//! Bounds of terms when the symbols have given bounds: cheap answers without a solver.
//!
//! Every term gets an unsigned and a signed interval at once, each sharpening the other. All intervals contain every
//! value the term can have; none claims to be the smallest.

use rustc_hash::{FxHashMap, FxHashSet};

use super::arith::Linear;
use super::fold::{mask, to_signed};
use super::known::covering;
use super::term::{Node, Op, SymId, Term, Terms};

/// Unsigned bounds of symbols, inclusive and not empty; `(0, mask(width))` where nothing is known.
pub type SymbolRanges<'a> = &'a dyn Fn(SymId) -> (u128, u128);

/// Bounds of the operands of a term.
type Operands<'a> = &'a dyn Fn(Term) -> Range;

/// So far down a term the bounds of its symbols are made use of: further down those it has anyway do.
const MOST_TERMS: usize = 400;

/// `low ≤ t ≤ high` for `t` read as an unsigned and as a signed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    low: u128,
    high: u128,
    signed_low: i128,
    signed_high: i128,
    width: u32,
}

impl Terms {
    /// Unsigned bounds of `t`, inclusive.
    pub fn range(&self, t: Term, symbols: SymbolRanges) -> (u128, u128) {
        let range = self.full_range(t, symbols);
        (range.low, range.high)
    }

    /// Bounds of `t` as a two's complement number, inclusive.
    pub fn signed_range(&self, t: Term, symbols: SymbolRanges) -> (i128, i128) {
        let range = self.full_range(t, symbols);
        (range.signed_low, range.signed_high)
    }

    /// The same where nothing is known of symbols.
    pub(super) fn signed_range_anyway(&self, t: Term) -> (i128, i128) {
        let range = self.range_anyway(t);
        (range.signed_low, range.signed_high)
    }

    /// The value of a boolean where the bounds of the symbols alone decide it.
    pub fn decide(&self, t: Term, symbols: SymbolRanges) -> Option<bool> {
        let (low, high) = self.range(t, symbols);
        (low == high).then_some(low == 1)
    }

    fn full_range(&self, t: Term, symbols: SymbolRanges) -> Range {
        let mut near: Vec<Term> = vec![t];
        let mut seen: FxHashSet<Term> = FxHashSet::from_iter([t]);
        let mut next = 0;
        while next < near.len() && near.len() < MOST_TERMS {
            near.extend(self.node(near[next]).operands().filter(|operand| seen.insert(*operand)));
            next += 1;
        }
        near.sort_unstable(); // operands have smaller ids
        let mut done: FxHashMap<Term, Range> = FxHashMap::default();
        for part in near {
            let operand = |t: Term| done.get(&t).copied().unwrap_or_else(|| self.range_anyway(t));
            let range = self.range_of_node(part, symbols, &operand);
            done.insert(part, range);
        }
        done[&t]
    }

    /// Bounds of `t` whatever its symbols are.
    fn range_anyway(&self, t: Term) -> Range {
        let noted = |t: Term| self.noted_range(t).unwrap_or(Range::full(self.width(t)));
        for part in self.reachable_unless(&[t], |t| self.noted_range(t).is_some()) {
            self.note_range(part, self.range_of_node(part, &|_| (0, u128::MAX), &noted));
        }
        noted(t)
    }

    fn range_of_node(&self, t: Term, symbols: SymbolRanges, done: Operands) -> Range {
        let width = self.width(t);
        let known = self.known(t);
        let start = Range::full(width).unsigned(known.min(), known.max(width));
        let exact = |value: bool| start.unsigned(u128::from(value), u128::from(value));
        match self.node(t) {
            Node::Const(_) => start,
            Node::Sym(symbol) => {
                let (low, high) = symbols(symbol);
                start.unsigned(low, high.min(mask(width)))
            }
            Node::Not(a) => start.unsigned(1 - done(a).high, 1 - done(a).low),
            Node::Extract { hi, lo, of } => {
                let of = done(of);
                // The bits above the extract are the same for all values in between.
                let above = |v: u128| v.checked_shr(hi + 1).unwrap_or(0);
                let shifted = if above(of.low) == above(of.high) {
                    start.unsigned((of.low >> lo) & mask(width), (of.high >> lo) & mask(width))
                } else {
                    start
                };
                let full = Range::full(width);
                if lo == 0 && full.signed_low <= of.signed_low && of.signed_high <= full.signed_high {
                    shifted.signed(of.signed_low, of.signed_high)
                } else {
                    shifted
                }
            }
            Node::ZeroExt(a) => start.unsigned(done(a).low, done(a).high),
            Node::SignExt(a) => start.signed(done(a).signed_low, done(a).signed_high),
            Node::Ite(c, a, b) => match (done(c), done(a), done(b)) {
                (c, a, _) if c.low == 1 => start.meet(a),
                (c, _, b) if c.high == 0 => start.meet(b),
                (_, a, b) => start
                    .unsigned(a.low.min(b.low), a.high.max(b.high))
                    .signed(a.signed_low.min(b.signed_low), a.signed_high.max(b.signed_high)),
            },
            Node::Bin(Op::Concat, a, b) => {
                let (a, b) = (done(a), done(b));
                start.unsigned(a.low << b.width | b.low, a.high << b.width | b.high)
            }
            Node::Bin(Op::Add, ..) => start.meet_sum(&self.linear(t), done),
            Node::Bin(Op::Mul, _, c) if self.as_const(c).is_some() => start.meet_sum(&self.linear(t), done),
            Node::Bin(op, a, b) => {
                let (a, b) = (done(a), done(b));
                match op {
                    Op::Eq if a.high < b.low || b.high < a.low => exact(false),
                    Op::Eq if a.low == a.high && a.low == b.low && b.low == b.high => exact(true),
                    Op::Ult if a.high < b.low => exact(true),
                    Op::Ult if a.low >= b.high => exact(false),
                    Op::Ule if a.high <= b.low => exact(true),
                    Op::Ule if a.low > b.high => exact(false),
                    Op::Slt if a.signed_high < b.signed_low => exact(true),
                    Op::Slt if a.signed_low >= b.signed_high => exact(false),
                    Op::Sle if a.signed_high <= b.signed_low => exact(true),
                    Op::Sle if a.signed_low > b.signed_high => exact(false),
                    _ => start.meet_operation(op, a, b),
                }
            }
        }
    }
}

impl Range {
    fn full(width: u32) -> Range {
        let half = mask(width) >> 1;
        Range { low: 0, high: mask(width), signed_low: -(half as i128) - 1, signed_high: half as i128, width }
    }

    /// Also within the unsigned bounds given. An empty intersection means that no model exists: anything is right.
    fn unsigned(self, low: u128, high: u128) -> Range {
        let (low, high) = (self.low.max(low), self.high.min(high));
        if low > high { self } else { Range { low, high, ..self }.sharpened() }
    }

    /// Also within the signed bounds given.
    fn signed(self, low: i128, high: i128) -> Range {
        let (low, high) = (self.signed_low.max(low), self.signed_high.min(high));
        if low > high { self } else { Range { signed_low: low, signed_high: high, ..self }.sharpened() }
    }

    fn meet(self, other: Range) -> Range {
        self.unsigned(other.low, other.high).signed(other.signed_low, other.signed_high)
    }

    /// Where all values have the same sign bit, both readings order them alike.
    fn sharpened(self) -> Range {
        let half = mask(self.width) >> 1;
        let as_signed = |v: u128| to_signed(v, self.width);
        let as_unsigned = |v: i128| v as u128 & mask(self.width);
        let mut new = self;
        if self.high <= half || self.low > half {
            new.signed_low = new.signed_low.max(as_signed(self.low));
            new.signed_high = new.signed_high.min(as_signed(self.high));
        }
        if new.signed_low >= 0 || new.signed_high < 0 {
            new.low = new.low.max(as_unsigned(new.signed_low));
            new.high = new.high.min(as_unsigned(new.signed_high));
        }
        if new.low <= new.high && new.signed_low <= new.signed_high { new } else { self }
    }

    /// Also a sum: over the integers, with its terms read as unsigned and as signed numbers, then modulo 2^width.
    fn meet_sum(self, sum: &Linear, done: Operands) -> Range {
        let unsigned = |r: &Range| Some((i128::try_from(r.low).ok()?, i128::try_from(r.high).ok()?));
        let signed = |r: &Range| Some((r.signed_low, r.signed_high));
        let mut result = self;
        for bounds in [integer_bounds(sum, done, unsigned), integer_bounds(sum, done, signed)] {
            result = bounds.map_or(result, |(low, high)| result.modulo(low, high));
        }
        result
    }

    /// Also congruent modulo 2^width to a number within `low..=high`.
    fn modulo(self, low: i128, high: i128) -> Range {
        if self.width > 126 {
            return self;
        }
        let modulus = 1i128 << self.width;
        let mut result = self;
        if low.div_euclid(modulus) == high.div_euclid(modulus) {
            result = result.unsigned(low.rem_euclid(modulus) as u128, high.rem_euclid(modulus) as u128);
        }
        // The same with the window of the signed numbers.
        let half = modulus / 2;
        if let (Some(l), Some(h)) = (low.checked_add(half), high.checked_add(half))
            && l.div_euclid(modulus) == h.div_euclid(modulus)
        {
            result = result.signed(l.rem_euclid(modulus) - half, h.rem_euclid(modulus) - half);
        }
        result
    }

    /// Also the result of an operator that is neither a sum nor a comparison.
    fn meet_operation(self, op: Op, a: Range, b: Range) -> Range {
        let shift = |v: u128, by: u128| u32::try_from(by).ok().and_then(|by| v.checked_shr(by)).unwrap_or(0);
        match op {
            Op::Mul => {
                let unsigned = match a.high.checked_mul(b.high) {
                    Some(high) if high <= mask(self.width) => self.unsigned(a.low * b.low, high),
                    _ => self,
                };
                unsigned.meet_corners(a, b, i128::checked_mul)
            }
            Op::UDiv if b.low > 0 => self.unsigned(a.low / b.high, a.high / b.low),
            Op::URem if a.high < b.low => self.unsigned(a.low, a.high),
            Op::URem if b.low > 0 => self.unsigned(0, a.high.min(b.high - 1)),
            Op::URem => self.unsigned(0, a.high),
            // Monotone in each operand while the divisor keeps its sign.
            Op::SDiv if b.signed_low > 0 || b.signed_high < 0 => self.meet_corners(a, b, i128::checked_div),
            Op::SRem => self.meet_signed_remainder(a, b),
            Op::And => self.unsigned(0, a.high.min(b.high)),
            Op::Or => self.unsigned(a.low.max(b.low), covering(a.high | b.high)),
            Op::Xor => self.unsigned(0, covering(a.high | b.high)),
            Op::Shl if b.high < u128::from(self.width) && a.high <= mask(self.width) >> b.high => {
                self.unsigned(a.low << b.low, a.high << b.high)
            }
            Op::LShr => self.unsigned(shift(a.low, b.high), shift(a.high, b.low)),
            Op::AShr => {
                let (least, most) = (b.low.min(127) as u32, b.high.min(127) as u32);
                let low = a.signed_low >> if a.signed_low < 0 { least } else { most };
                let high = a.signed_high >> if a.signed_high < 0 { most } else { least };
                self.signed(low, high)
            }
            _ => self,
        }
    }

    /// Also `f` of the operands as signed numbers, for `f` monotone in each, where it does not overflow.
    fn meet_corners(self, a: Range, b: Range, f: impl Fn(i128, i128) -> Option<i128>) -> Range {
        let corners = [
            f(a.signed_low, b.signed_low),
            f(a.signed_low, b.signed_high),
            f(a.signed_high, b.signed_low),
            f(a.signed_high, b.signed_high),
        ];
        let Some(corners) = corners.into_iter().collect::<Option<Vec<i128>>>() else { return self };
        let (Some(&low), Some(&high)) = (corners.iter().min(), corners.iter().max()) else { return self };
        let full = Range::full(self.width);
        if full.signed_low <= low && high <= full.signed_high { self.signed(low, high) } else { self }
    }

    /// The remainder has the sign of the dividend, is not larger, and smaller than the divisor unless that is 0.
    fn meet_signed_remainder(self, a: Range, b: Range) -> Range {
        let largest = if b.signed_low > 0 || b.signed_high < 0 {
            b.signed_low.unsigned_abs().max(b.signed_high.unsigned_abs()) - 1
        } else {
            u128::MAX
        };
        let bound = |v: i128| v.unsigned_abs().min(largest).min(i128::MAX as u128) as i128;
        let low = if a.signed_low < 0 && a.signed_low > i128::MIN { -bound(a.signed_low) } else { a.signed_low.min(0) };
        let high = if a.signed_high > 0 { bound(a.signed_high) } else { 0 };
        self.signed(low, high)
    }
}

/// Bounds of a sum over the integers, coefficients read as signed numbers; `None` when they leave `i128`.
fn integer_bounds(
    sum: &Linear,
    done: Operands,
    bounds: impl Fn(&Range) -> Option<(i128, i128)>,
) -> Option<(i128, i128)> {
    let mut low = to_signed(sum.constant, sum.width);
    let mut high = low;
    for &(c, t) in &sum.parts {
        let c = to_signed(c, sum.width);
        let (l, h) = bounds(&done(t))?;
        let (l, h) = (c.checked_mul(l)?, c.checked_mul(h)?);
        low = low.checked_add(l.min(h))?;
        high = high.checked_add(l.max(h))?;
    }
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_loop_arithmetic() {
        let t = Terms::new();
        let (i, c) = (t.fresh_symbol(32, "i"), t.fresh_symbol(8, "c"));
        let ranges = |s: SymId| if s.0 == 0 { (0, 9) } else { (0, 255) };
        let index = t.add_constant(t.scale(t.sext(i, 64), 4), 8);
        assert_eq!(t.range(index, &ranges), (8, 44));
        let back = t.add_constant(i, -1);
        assert_eq!(t.signed_range(back, &ranges), (-1, 8));
        assert_eq!(t.range(back, &ranges), (0, u128::from(u32::MAX)));
        assert_eq!(t.decide(t.slt(index, t.constant(45, 64)), &ranges), Some(true));
        assert_eq!(t.decide(t.slt(index, t.constant(44, 64)), &ranges), None);
        assert_eq!(t.decide(t.eq(i, t.constant(10, 32)), &ranges), Some(false));
        let digit = t.sub(t.zext(c, 32), t.constant(48, 32));
        assert_eq!(t.signed_range(digit, &ranges), (-48, 207));
        let remainder = t.srem(t.sext(c, 32), t.constant(10, 32));
        assert_eq!(t.signed_range(remainder, &ranges), (-9, 9));
        let half = t.sdiv(back, t.constant(2, 32));
        assert_eq!(t.signed_range(half, &ranges), (0, 4));
    }
}
