//! Floating-point operations as bit-vector terms: what [`super::float_operation`] computes, for operands that are not constants.
//!
//! A number is taken apart into sign, exponent and significand; a result is put together by one normalisation and one rounding to
//! nearest even. That makes results of equal operations on equal terms equal terms, and these are the terms to read.

use super::FloatOp;
use crate::cfa::{FloatBinOp, FloatCmp, FloatConversion, FloatFormat, FloatFunction, FloatUnOp};
use crate::smt::{Term, Terms};

/// A result: `value`, but some NaN on runs where `nan` holds, and any value on runs where `open` does.
#[derive(Clone, Copy, Debug)]
pub struct Circuit {
    pub value: Term,
    pub nan: Term,
    pub open: Term,
}

/// Bits of exponents while they are computed with: more than those of any format.
const WIDE: u32 = 20;

/// The widest term there is.
const WIDEST: u32 = 128;

#[derive(Clone, Copy)]
struct Layout {
    /// Bits of the exponent.
    exponent: u32,
    /// Bits of the significand with its leading one.
    precision: u32,
    /// The leading one is stored.
    explicit: bool,
}

impl Layout {
    fn of(format: FloatFormat) -> Self {
        let (exponent, precision, explicit) = match format {
            FloatFormat::Half => (5, 11, false),
            FloatFormat::Single => (8, 24, false),
            FloatFormat::Double => (11, 53, false),
            FloatFormat::X87 => (15, 64, true),
            FloatFormat::Quad => (15, 113, false),
        };
        Self { exponent, precision, explicit }
    }

    fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    fn stored(self) -> u32 {
        self.precision - u32::from(!self.explicit)
    }

    /// The pattern of infinity.
    fn infinity(self) -> u128 {
        let ones = (1u128 << self.exponent) - 1;
        ones << self.stored() | if self.explicit { 1 << 63 } else { 0 }
    }

    fn quiet(self) -> u128 {
        self.infinity() | 1 << (self.precision - 2)
    }
}

/// A number taken apart.
#[derive(Clone, Copy)]
struct Parts {
    sign: Term,
    /// Without the sign.
    magnitude: Term,
    /// Biased, that of subnormal numbers being 1; of [`WIDE`] bits.
    exponent: Term,
    significand: Term,
    nan: Term,
    infinite: Term,
    zero: Term,
    /// No number of the format, as x87 has them.
    invalid: Term,
}

/// A value before it is rounded: the highest bit of `significand` stands for 2^`exponent`, or for less.
struct Exact {
    sign: Term,
    exponent: Term,
    significand: Term,
}

/// The pattern of some quiet NaN.
pub fn quiet_nan(op: FloatOp) -> Option<u128> {
    match op {
        FloatOp::Binary(_, format) => Some(Layout::of(format).quiet()),
        FloatOp::Convert(FloatConversion::Between { to, .. }) => Some(Layout::of(to).quiet()),
        _ => None,
    }
}

/// The result of `op`; `None` where it takes more bits than terms have.
pub fn circuit(terms: &Terms, op: FloatOp, operands: &[Term]) -> Option<Circuit> {
    let builder = Builder { t: terms };
    let (first, second) = (*operands.first()?, operands.get(1).copied());
    let no = terms.false_();
    match op {
        FloatOp::Unary(FloatUnOp::Neg, format) => {
            let sign = terms.constant(1 << (format.bits() - 1), format.bits());
            Some(Circuit { value: terms.xor(first, sign), nan: no, open: no })
        }
        FloatOp::Compare(compared, format) => {
            let (a, b) = (builder.parts(first, format), builder.parts(second?, format));
            let value = builder.compare(compared, &a, &b);
            Some(Circuit { value, nan: no, open: terms.or(a.invalid, b.invalid) })
        }
        FloatOp::Binary(FloatBinOp::Function(FloatFunction::IsKnown), format) => {
            Some(Circuit { value: terms.constant(0, format.bits()), nan: no, open: no })
        }
        FloatOp::Binary(FloatBinOp::Function(_), _) => None,
        FloatOp::Binary(op, format) => {
            let (a, b) = (builder.parts(first, format), builder.parts(second?, format));
            let layout = Layout::of(format);
            let mut result = match op {
                FloatBinOp::Add => builder.sum(&a, &b, layout),
                FloatBinOp::Sub => builder.sum(&a, &Parts { sign: terms.not(b.sign), ..b }, layout),
                FloatBinOp::Mul => builder.product(&a, &b, layout),
                FloatBinOp::Div => builder.quotient(&a, &b, layout),
                FloatBinOp::Function(_) => None,
            }?;
            result.open = terms.or(a.invalid, b.invalid);
            Some(result)
        }
        FloatOp::Convert(FloatConversion::ToInt { from, width, signed }) => {
            builder.to_integer(&builder.parts(first, from), Layout::of(from), width, signed)
        }
        FloatOp::Convert(FloatConversion::FromInt { to, signed }) => builder.of_integer(first, Layout::of(to), signed),
        FloatOp::Convert(FloatConversion::Between { from, to }) => {
            let (a, from, to) = (builder.parts(first, from), Layout::of(from), Layout::of(to));
            let exact = Exact {
                sign: a.sign,
                exponent: terms.add_constant(a.exponent, -from.bias()),
                significand: a.significand,
            };
            let rounded = builder.rounded(exact, to)?;
            let value = terms.ite(a.infinite, builder.infinity(a.sign, to), rounded);
            Some(Circuit { value, nan: a.nan, open: a.invalid })
        }
    }
}

struct Builder<'a> {
    t: &'a Terms,
}

impl Builder<'_> {
    fn parts(&self, bits: Term, format: FloatFormat) -> Parts {
        let (t, layout) = (self.t, Layout::of(format));
        let (width, stored) = (format.bits(), layout.stored());
        let magnitude = t.extract(bits, width - 2, 0);
        let exponent = t.extract(bits, width - 2, stored);
        let subnormal = t.eq(exponent, t.constant(0, layout.exponent));
        let raw = t.extract(bits, stored - 1, 0);
        let significand = if layout.explicit { raw } else { t.concat(t.not(subnormal), raw) };
        let leading = t.extract(significand, layout.precision - 1, layout.precision - 1);
        let infinity = t.constant(layout.infinity(), width - 1);
        Parts {
            sign: t.extract(bits, width - 1, width - 1),
            magnitude,
            exponent: t.ite(subnormal, t.constant(1, WIDE), t.zext(exponent, WIDE)),
            significand,
            nan: t.ult(infinity, magnitude),
            infinite: t.eq(magnitude, infinity),
            zero: t.eq(magnitude, t.constant(0, width - 1)),
            invalid: t.eq(leading, subnormal),
        }
    }

    fn compare(&self, op: FloatCmp, a: &Parts, b: &Parts) -> Term {
        let t = self.t;
        let ordered = t.not(t.or(a.nan, b.nan));
        let zeros = t.and(a.zero, b.zero);
        let same = t.and(t.eq(a.sign, b.sign), t.eq(a.magnitude, b.magnitude));
        let equal = t.and(ordered, t.or(zeros, same));
        let below = |strict: bool| {
            let less = |x, y| if strict { t.ult(x, y) } else { t.ule(x, y) };
            let of_negative = t.ite(b.sign, less(b.magnitude, a.magnitude), t.bool_constant(true));
            let of_positive = t.ite(b.sign, t.false_(), less(a.magnitude, b.magnitude));
            let signed = t.ite(a.sign, of_negative, of_positive);
            t.and(ordered, t.ite(zeros, t.bool_constant(!strict), signed))
        };
        match op {
            FloatCmp::Eq => equal,
            FloatCmp::Ne => t.not(equal),
            FloatCmp::Lt => below(true),
            FloatCmp::Le => below(false),
        }
    }

    fn infinity(&self, sign: Term, layout: Layout) -> Term {
        let width = layout.exponent + layout.stored();
        self.t.concat(sign, self.t.constant(layout.infinity(), width))
    }

    fn zero(&self, sign: Term, layout: Layout) -> Term {
        self.t.concat(sign, self.t.constant(0, layout.exponent + layout.stored()))
    }

    fn sum(&self, a: &Parts, b: &Parts, layout: Layout) -> Option<Circuit> {
        let t = self.t;
        let width = layout.precision + 4; // a carry in front, three bits behind
        (width <= WIDEST).then_some(())?;
        let swapped = t.ult(a.magnitude, b.magnitude);
        let pick = |x, y| (t.ite(swapped, y, x), t.ite(swapped, x, y));
        let (sign, other) = pick(a.sign, b.sign);
        let (high, low) = pick(a.exponent, b.exponent);
        let (large, small) = pick(a.significand, b.significand);
        let widened = |s| t.concat(t.constant(0, 1), t.concat(s, t.constant(0, 3)));
        let (large, small) = (widened(large), widened(small));
        let small = self.shifted_down(small, t.sub(high, low));
        let total = t.ite(t.eq(sign, other), t.add(large, small), t.sub(large, small));
        let exponent = t.add_constant(high, 1 - layout.bias());
        let none = t.eq(total, t.constant(0, width));
        let sign_here = t.ite(none, t.and(a.sign, b.sign), sign);
        let rounded = self.rounded(Exact { sign: sign_here, exponent, significand: total }, layout)?;
        let infinite = t.or(a.infinite, b.infinite);
        let opposite = t.and(t.and(a.infinite, b.infinite), t.xor(a.sign, b.sign));
        Some(Circuit {
            value: t.ite(infinite, self.infinity(t.ite(a.infinite, a.sign, b.sign), layout), rounded),
            nan: t.or(t.or(a.nan, b.nan), opposite),
            open: t.false_(),
        })
    }

    fn product(&self, a: &Parts, b: &Parts, layout: Layout) -> Option<Circuit> {
        let t = self.t;
        let width = 2 * layout.precision;
        (width <= WIDEST).then_some(())?;
        let sign = t.xor(a.sign, b.sign);
        let significand = t.mul(t.zext(a.significand, width), t.zext(b.significand, width));
        let exponent = t.add_constant(t.add(a.exponent, b.exponent), 1 - 2 * layout.bias());
        let rounded = self.rounded(Exact { sign, exponent, significand }, layout)?;
        let infinite = t.or(a.infinite, b.infinite);
        Some(Circuit {
            value: t.ite(infinite, self.infinity(sign, layout), rounded),
            nan: t.or(t.or(a.nan, b.nan), t.and(infinite, t.or(a.zero, b.zero))),
            open: t.false_(),
        })
    }

    fn quotient(&self, a: &Parts, b: &Parts, layout: Layout) -> Option<Circuit> {
        let (t, p) = (self.t, layout.precision);
        let width = 2 * p + 2;
        (width <= WIDEST).then_some(())?;
        let sign = t.xor(a.sign, b.sign);
        let (over, over_by) = self.normalised(a.significand);
        let (under, under_by) = self.normalised(b.significand);
        let over = t.concat(over, t.constant(0, p + 2));
        let under = t.zext(under, width);
        let whole = t.extract(t.udiv(over, under), p + 2, 0);
        let rest = t.ne(t.urem(over, under), t.constant(0, width));
        let exponent = t.sub(t.sub(a.exponent, over_by), t.sub(b.exponent, under_by));
        let rounded = self.rounded(Exact { sign, exponent, significand: t.concat(whole, rest) }, layout)?;
        let (infinity, zero) = (self.infinity(sign, layout), self.zero(sign, layout));
        let finite = t.ite(t.or(a.zero, b.infinite), zero, rounded);
        Some(Circuit {
            value: t.ite(t.or(a.infinite, b.zero), infinity, finite),
            nan: t.disjunction(&[a.nan, b.nan, t.and(a.infinite, b.infinite), t.and(a.zero, b.zero)]),
            open: t.false_(),
        })
    }

    /// Cut off behind the point; open where the type does not hold the result.
    fn to_integer(&self, a: &Parts, layout: Layout, width: u32, signed: bool) -> Option<Circuit> {
        let (t, p) = (self.t, layout.precision);
        let total = (p - 1 + width).max(WIDE);
        (total <= WIDEST).then_some(())?;
        let bias = t.constant(layout.bias() as u128, WIDE);
        let fraction = t.ult(a.exponent, bias);
        let by = t.sub(a.exponent, bias);
        let (wide, amount) = (t.zext(a.significand, total), t.zext(by, total));
        let shifted = t.extract(t.shl(wide, amount), p + width - 2, p - 1);
        let size = t.ite(fraction, t.constant(0, width), shifted);
        let far = t.and(t.not(fraction), t.ule(t.constant(width.into(), WIDE), by));
        let beyond = if signed {
            let least = 1u128 << (width - 1);
            let limit = t.ite(a.sign, t.constant(least, width), t.constant(least - 1, width));
            t.ult(limit, size)
        } else {
            t.and(a.sign, t.ne(size, t.constant(0, width)))
        };
        Some(Circuit {
            value: t.ite(a.sign, t.neg(size), size),
            nan: t.false_(),
            open: t.disjunction(&[a.invalid, a.nan, a.infinite, far, beyond]),
        })
    }

    fn of_integer(&self, number: Term, layout: Layout, signed: bool) -> Option<Circuit> {
        let t = self.t;
        let width = t.width(number);
        let top = t.extract(number, width - 1, width - 1);
        let sign = if signed { top } else { t.false_() };
        let significand = t.ite(sign, t.neg(number), number);
        let exponent = t.constant((width - 1).into(), WIDE);
        let value = self.rounded(Exact { sign, exponent, significand }, layout)?;
        Some(Circuit { value, nan: t.false_(), open: t.false_() })
    }

    /// `bits` moved up until the highest is 1, and by how many; 0 stays 0.
    fn normalised(&self, bits: Term) -> (Term, Term) {
        let (t, width) = (self.t, self.t.width(bits));
        let (mut bits, mut count) = (bits, t.constant(0, WIDE));
        for step in (0..7).rev().map(|n| 1u32 << n).filter(|step| *step < width) {
            let clear = t.eq(t.extract(bits, width - 1, width - step), t.constant(0, step));
            let moved = t.concat(t.extract(bits, width - 1 - step, 0), t.constant(0, step));
            bits = t.ite(clear, moved, bits);
            count = t.ite(clear, t.add_constant(count, step.into()), count);
        }
        (bits, count)
    }

    /// `bits` moved down by `amount` (of [`WIDE`] bits); the lowest bit is 1 where any was that left.
    fn shifted_down(&self, bits: Term, amount: Term) -> Term {
        let (t, width) = (self.t, self.t.width(bits));
        let most = t.constant(width.into(), WIDE);
        let amount = t.ite(t.ult(most, amount), most, amount);
        let amount = if width > WIDE { t.zext(amount, width) } else { t.truncate(amount, width) };
        let moved = t.lshr(bits, amount);
        let lost = t.ne(t.shl(moved, amount), bits);
        t.or(moved, t.zext(lost, width))
    }

    fn rounded(&self, exact: Exact, layout: Layout) -> Option<Term> {
        let (t, p) = (self.t, layout.precision);
        let given = t.width(exact.significand);
        // Two bits behind the result: the next one, and whether there is more.
        let width = given.max(p + 2);
        (width <= WIDEST).then_some(())?;
        let bits =
            if width == given { exact.significand } else { t.concat(exact.significand, t.constant(0, width - given)) };
        let (bits, count) = self.normalised(bits);
        let none = t.eq(bits, t.constant(0, width));
        let biased = t.add_constant(t.sub(exact.exponent, count), layout.bias());
        let one = t.constant(1, WIDE);
        let subnormal = t.slt(biased, one);
        let bits = t.ite(subnormal, self.shifted_down(bits, t.sub(one, biased)), bits);
        let behind = width - p;
        let kept = t.extract(bits, width - 2, behind);
        let half = t.extract(bits, behind - 1, behind - 1);
        let more = t.ne(t.extract(bits, behind - 2, 0), t.constant(0, behind - 1));
        let odd = t.extract(kept, 0, 0);
        let up = t.and(half, t.or(more, odd));
        let field = t.ite(subnormal, t.constant(0, layout.exponent), t.truncate(biased, layout.exponent));
        // A carry out of the significand goes into the exponent, which is right.
        let packed = t.concat(field, kept);
        let packed = t.add(packed, t.zext(up, t.width(packed)));
        let packed = if layout.explicit {
            let field = t.extract(packed, t.width(packed) - 1, p - 1);
            let leading = t.ne(field, t.constant(0, layout.exponent));
            t.concat(field, t.concat(leading, t.extract(packed, p - 2, 0)))
        } else {
            packed
        };
        let most = t.constant((1 << layout.exponent) - 1, WIDE);
        let infinity = t.constant(layout.infinity(), t.width(packed));
        let packed = t.ite(t.sle(most, biased), infinity, packed);
        let packed = t.ite(none, t.constant(0, t.width(packed)), packed);
        Some(t.concat(exact.sign, packed))
    }
}

#[cfg(test)]
mod tests {
    use super::super::float_operation;
    use super::*;
    use crate::cfa::Bits;

    const FORMATS: [FloatFormat; 4] = [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double, FloatFormat::X87];

    fn operations() -> Vec<FloatOp> {
        let mut all = Vec::new();
        for format in FORMATS {
            all.push(FloatOp::Unary(FloatUnOp::Neg, format));
            all.extend([FloatCmp::Eq, FloatCmp::Ne, FloatCmp::Lt, FloatCmp::Le].map(|op| FloatOp::Compare(op, format)));
            let binary = [FloatBinOp::Add, FloatBinOp::Sub, FloatBinOp::Mul, FloatBinOp::Div];
            all.extend(binary.map(|op| FloatOp::Binary(op, format)));
            all.extend(FORMATS.map(|to| FloatOp::Convert(FloatConversion::Between { from: format, to })));
            for signed in [true, false] {
                all.push(FloatOp::Convert(FloatConversion::FromInt { to: format, signed }));
                let width = [8, 16, 32, 64];
                all.extend(width.map(|width| FloatOp::Convert(FloatConversion::ToInt { from: format, width, signed })));
            }
        }
        all
    }

    fn operand_widths(op: FloatOp) -> Vec<Vec<u32>> {
        match op {
            FloatOp::Unary(_, format)
            | FloatOp::Convert(
                FloatConversion::ToInt { from: format, .. } | FloatConversion::Between { from: format, .. },
            ) => vec![vec![format.bits()]],
            FloatOp::Binary(_, format) | FloatOp::Compare(_, format) => vec![vec![format.bits(); 2]],
            FloatOp::Convert(FloatConversion::FromInt { .. }) => vec![vec![8], vec![32], vec![64]],
        }
    }

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u128 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            u128::from(self.0)
        }

        /// Few different exponents, and significands with long runs of equal bits, are where mistakes would be.
        fn pattern(&mut self, width: u32) -> u128 {
            let bits = (self.next() << 64 | self.next()) >> (128 - width);
            let cut = self.next() as u32 % width;
            let bits = match self.next() % 4 {
                0 => bits >> cut << cut,
                1 => bits | ((1 << cut) - 1),
                _ => bits,
            };
            let exponent = match width {
                16 => (10, 5),
                32 => (23, 8),
                64 => (52, 11),
                80 => (64, 15),
                _ => return bits,
            };
            let (at, ones) = (exponent.0, (1u128 << exponent.1) - 1);
            let chosen = match self.next() % 6 {
                0 => 0,
                1 => ones,
                2 => ones >> 1,
                3 => (ones >> 1) + self.next() % 70,
                4 => 1 + self.next() % 3,
                _ => return bits,
            };
            bits & !(ones << at) | (chosen & ones) << at
        }
    }

    /// x87 patterns that are numbers.
    fn valid(bits: u128) -> bool {
        (bits >> 63 & 1 == 1) == (bits >> 64 & 0x7fff != 0)
    }

    #[test]
    fn circuits_compute_what_the_operations_do() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for op in operations() {
            for widths in operand_widths(op) {
                check(op, &widths, &mut random);
            }
        }
    }

    fn check(op: FloatOp, widths: &[u32], random: &mut Random) {
        let terms = Terms::new();
        let symbols: Vec<Term> = widths.iter().map(|width| terms.fresh_symbol(*width, "x")).collect();
        let Some(made) = circuit(&terms, op, &symbols) else {
            let is_wide = matches!(op, FloatOp::Binary(FloatBinOp::Div, FloatFormat::X87));
            assert!(is_wide, "{op:?} has no circuit");
            return;
        };
        for _ in 0..if widths[0] == 16 { 3000 } else { 1000 } {
            let values: Vec<u128> = widths.iter().map(|width| random.pattern(*width)).collect();
            if widths[0] == 80 && !values.iter().all(|value| valid(*value)) {
                continue;
            }
            let operands: Vec<Bits> =
                values.iter().zip(widths).map(|(value, width)| Bits::new(*value, *width)).collect();
            let found = terms.evaluate_all(&[made.value, made.nan, made.open], &|symbol| values[symbol.0 as usize]);
            let expected = float_operation(op, &operands);
            assert_eq!(found[2] == 1, expected.is_none(), "{op:?} of {values:x?} is open");
            let Some(expected) = expected else { continue };
            match found[1] {
                1 => assert!(is_nan(op, expected.value), "{op:?} of {values:x?} is no NaN"),
                _ => assert_eq!(found[0], expected.value, "{op:?} of {values:x?}"),
            }
        }
    }

    fn is_nan(op: FloatOp, value: u128) -> bool {
        quiet_nan(op).is_some_and(|quiet| value & quiet == quiet)
    }
}
