//! Checks that a signed operation stays within the range of its type (C11 6.5 p5, and 6.5.7 for shifts).

use super::super::ir::{BinOp, Bits, Conversion, Expr, Op};
use super::function::Lowerer;
use super::kinds::Kind;
use crate::c::syntax::BinaryOp;
use crate::task::Violation;

/// Range of a signed number of `width` bits.
fn range(width: u32) -> (i128, i128) {
    let max = i128::MAX >> (128 - width);
    (-max - 1, max)
}

fn constant(value: i128, width: u32) -> Expr {
    Expr::constant(value as u128, width)
}

fn at_most(value: &Expr, bound: i128) -> Expr {
    let width = value.width();
    let (_, max) = range(width);
    if bound >= max { Expr::truth(true) } else { Expr::binary(BinOp::Sle, value.clone(), constant(bound, width)) }
}

fn at_least(value: &Expr, bound: i128) -> Expr {
    let width = value.width();
    let (min, _) = range(width);
    if bound <= min { Expr::truth(true) } else { Expr::binary(BinOp::Sle, constant(bound, width), value.clone()) }
}

fn both(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinOp::And, a, b)
}

impl Lowerer<'_, '_> {
    /// Operations in this kind are checked.
    pub fn checks(&self, kind: Kind) -> bool {
        // C leaves what these return undefined where it does not fit (C11 7.22.6).
        let is_program =
            !self.is_library() || matches!(&*self.name, "abs" | "labs" | "llabs" | "div" | "ldiv" | "lldiv");
        self.builder.options.overflow_checks && kind.is_signed() && self.body.is_some() && is_program
    }

    fn check(&mut self, condition: Expr) {
        if condition != Expr::truth(true) {
            self.emit(Op::Check { condition, violation: Violation::NoOverflow });
        }
    }

    pub fn check_negation(&mut self, value: &Expr, kind: Kind) {
        if self.checks(kind) {
            let (min, _) = range(value.width());
            self.check(at_least(value, min + 1));
        }
    }

    /// `a op b`; in shifts `b` has a width and sign of its own.
    pub fn check_overflow(&mut self, op: BinaryOp, a: &Expr, b: &Expr, b_signed: bool, kind: Kind) {
        if !self.checks(kind) {
            return;
        }
        let width = a.width();
        let (min, _) = range(width);
        let condition = match op {
            BinaryOp::Add => match (a.as_const(), b.as_const()) {
                (_, Some(c)) => sum_fits(a, c),
                (Some(c), _) => sum_fits(b, c),
                _ => wide_fits(BinOp::Add, a, b),
            },
            BinaryOp::Subtract => match (a.as_const(), b.as_const()) {
                (_, Some(c)) => difference_fits(a, c),
                (Some(c), _) => from_constant_fits(c, b),
                _ => wide_fits(BinOp::Sub, a, b),
            },
            BinaryOp::Multiply => match (a.as_const(), b.as_const()) {
                (_, Some(c)) => product_fits(a, c),
                (Some(c), _) => product_fits(b, c),
                _ => wide_fits(BinOp::Mul, a, b),
            },
            BinaryOp::Divide | BinaryOp::Remainder if signed_bits(a) < width => return,
            BinaryOp::Divide | BinaryOp::Remainder => {
                let dividend = Expr::binary(BinOp::Ne, a.clone(), constant(min, width));
                let divisor = Expr::binary(BinOp::Ne, b.clone(), constant(-1, width));
                Expr::binary(BinOp::Or, dividend, divisor)
            }
            BinaryOp::ShiftLeft => shift_fits(a, b, b_signed),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::ShiftRight => return,
        };
        self.check(condition);
    }
}

/// `a + c`.
fn sum_fits(a: &Expr, c: Bits) -> Expr {
    let (min, max) = range(c.width);
    let c = c.signed();
    if c >= 0 { at_most(a, max - c) } else { at_least(a, min - c) }
}

/// `a - c`.
fn difference_fits(a: &Expr, c: Bits) -> Expr {
    let (min, max) = range(c.width);
    let c = c.signed();
    if c >= 0 { at_least(a, min + c) } else { at_most(a, max + c) }
}

/// `c - b`.
fn from_constant_fits(c: Bits, b: &Expr) -> Expr {
    let (min, max) = range(c.width);
    let c = c.signed();
    if c >= 0 { at_least(b, c - max) } else { at_most(b, c - min) }
}

/// `a * c`.
fn product_fits(a: &Expr, c: Bits) -> Expr {
    let (min, max) = range(c.width);
    match c.signed() {
        0 => Expr::truth(true),
        -1 => at_least(a, min + 1),
        // Division rounds towards zero, which is inwards at both ends.
        c if c > 0 => both(at_least(a, min / c), at_most(a, max / c)),
        c => both(at_least(a, max / c), at_most(a, min / c)),
    }
}

/// Bits that the value needs at most, as far as its outermost operation says.
fn signed_bits(value: &Expr) -> u32 {
    match value {
        Expr::Convert(Conversion::SignExtend, _, inner) => inner.width(),
        Expr::Convert(Conversion::ZeroExtend, _, inner) => inner.width() + 1,
        other => other.width(),
    }
}

/// The operation yields the same in twice the width, or what amounts to that where there is no wider type.
fn wide_fits(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    let width = a.width();
    let (x, y) = (signed_bits(a), signed_bits(b));
    // Values of narrower types, promoted.
    if if op == BinOp::Mul { x + y <= width } else { x.max(y) < width } {
        return Expr::truth(true);
    }
    if width <= 64 {
        let wide = 2 * width;
        let exact = Expr::binary(op, a.clone().resized(wide, true), b.clone().resized(wide, true));
        let wrapped = Expr::binary(op, a.clone(), b.clone()).resized(wide, true);
        return Expr::binary(BinOp::Eq, exact, wrapped);
    }
    let zero = || Expr::constant(0, width);
    let result = Expr::binary(op, a.clone(), b.clone());
    let differ = |x: &Expr, y: &Expr| {
        let bits = Expr::binary(BinOp::Xor, x.clone(), y.clone());
        Expr::binary(BinOp::Slt, bits, zero())
    };
    match op {
        // The result's sign differs from both operands'.
        BinOp::Add => both(differ(a, &result), differ(b, &result)).negated(),
        // The operands' signs differ, and the result's differs from the left one's.
        BinOp::Sub => both(differ(a, b), differ(a, &result)).negated(),
        _ => {
            // Dividing the product by one factor gives back the other.
            let (min, _) = range(width);
            let is_zero = Expr::binary(BinOp::Eq, b.clone(), zero());
            let quotient = Expr::binary(BinOp::SDiv, result, b.clone());
            let same = Expr::binary(BinOp::Eq, quotient, a.clone());
            let min_times_minus_one = both(
                Expr::binary(BinOp::Eq, a.clone(), constant(min, width)),
                Expr::binary(BinOp::Eq, b.clone(), constant(-1, width)),
            );
            let fits = Expr::ite(min_times_minus_one, Expr::truth(false), same);
            Expr::ite(is_zero, Expr::truth(true), fits)
        }
    }
}

/// `a << b`: no negative operand, an amount within the width, and a result that fits.
fn shift_fits(a: &Expr, b: &Expr, b_signed: bool) -> Expr {
    let width = a.width();
    let (_, max) = range(width);
    if let Some(amount) = b.as_const() {
        let valid =
            if b_signed { (0..i128::from(width)).contains(&amount.signed()) } else { amount.value < u128::from(width) };
        if !valid {
            return Expr::truth(false);
        }
        // One comparison without sign excludes negative numbers too.
        let bound = constant(max >> amount.value, width);
        return Expr::binary(BinOp::Ule, a.clone(), bound);
    }
    let amount_ok = Expr::binary(BinOp::Ult, b.clone(), Expr::constant(width.into(), b.width()));
    let bound = Expr::binary(BinOp::LShr, constant(max, width), b.clone().resized(width, b_signed));
    both(amount_ok, Expr::binary(BinOp::Ule, a.clone(), bound))
}
