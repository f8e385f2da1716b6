//! Functions of floating numbers that expressions compute.

use super::super::float_functions::{FloatFunction, Side};
use super::super::ir::{BinOp, Conversion, Expr, FloatBinOp, FloatCmp, FloatFormat, FloatUnOp, NondetKind, Op};
use super::super::library::{self, FloatClass};
use super::calls::{Argument, Site};
use super::function::Lowerer;
use super::kinds::Kind;
use crate::base::error::Result;

impl<'u> Lowerer<'_, 'u> {
    /// The result of the function; `None` where its arguments are of a format that is not computed. What libraries do not agree on is
    /// any number between bounds, which runs and proofs know as soon as they know the arguments.
    pub fn float_function(&mut self, function: FloatFunction, args: &[Argument<'u>]) -> Option<Expr> {
        let format = match self.kind(args.first()?.ty) {
            Kind::Float(format @ (FloatFormat::Single | FloatFormat::Double)) => format,
            _ => return None,
        };
        let bits = format.bits();
        let second = match args.get(1) {
            Some(arg) if self.kind(arg.ty) == Kind::Float(format) => arg.value.clone(),
            Some(_) => return None,
            None => Expr::constant(0, bits),
        };
        let (first, second) = (self.reusable(args[0].value.clone()), self.reusable(second));
        let apply = |function, first: &Expr, second: &Expr| {
            let operands = (Box::new(first.clone()), Box::new(second.clone()));
            Expr::FloatBinary(FloatBinOp::Function(function), format, operands.0, operands.1)
        };
        let value = self.bind(apply(function, &first, &second));
        if let (Some(below), Some(above)) = (function.bound(Side::Below), function.bound(Side::Above)) {
            let below = self.bind(apply(below, &first, &second));
            let above = apply(above, &first, &second);
            let compare = |op, left: &Expr, right: &Expr| {
                Expr::FloatCompare(op, format, Box::new(left.clone()), Box::new(right.clone()))
            };
            let (least, most) = (compare(FloatCmp::Le, &below, &value), compare(FloatCmp::Le, &value, &above));
            let within = Expr::binary(BinOp::And, least, most);
            let is_number = compare(FloatCmp::Eq, &below, &below);
            self.emit(Op::Assume(Expr::binary(BinOp::Or, within, is_number.negated())));
        }
        Some(value)
    }

    /// `errno` after a function of one or two numbers.
    pub fn check_result(&mut self, args: &[Argument<'u>], result: &Expr, site: Site) -> Result<()> {
        let Some(first) = args.first() else { return Ok(()) };
        let Kind::Float(format) = self.kind(first.ty) else { return Ok(()) };
        // The call converts them to the model's format.
        let of_format = |value: Expr| Argument { value, ty: first.ty, syntax: None };
        let second = args.get(1).map_or(Expr::constant(0, format.bits()), |arg| arg.value.clone());
        let least = Expr::constant(least_normal(format), format.bits());
        let numbers = [first.value.clone(), second, result.clone(), least].map(of_format);
        self.call_for_effect(library::MATH, "check_result", &numbers.each_ref(), site)
    }

    /// What kind of number the last argument is; `None` where it is no floating number.
    pub fn classify(&mut self, class: FloatClass, args: &[Argument<'u>]) -> Option<Expr> {
        let number = args.last()?;
        let Kind::Float(format) = self.kind(number.ty) else { return None };
        let bits = format.bits();
        let number = self.reusable(number.value.clone());
        let one_if = |truth: Expr| Expr::Convert(Conversion::ZeroExtend, 32, Box::new(truth));
        let compare =
            |op, left: Expr| move |right: Expr| Expr::FloatCompare(op, format, Box::new(left), Box::new(right));
        let negated = Expr::FloatUnary(FloatUnOp::Neg, format, Box::new(number.clone()));
        let sign = Expr::binary(BinOp::Slt, number.clone(), Expr::constant(0, bits));
        let size = Expr::Ite(Box::new(sign.clone()), Box::new(negated), Box::new(number.clone()));
        let infinity = Expr::constant(infinity(format), bits);
        let nan = compare(FloatCmp::Ne, number.clone())(number.clone());
        let infinite = compare(FloatCmp::Eq, size.clone())(infinity.clone());
        let finite = compare(FloatCmp::Lt, size.clone())(infinity);
        let least = Expr::constant(least_normal(format), bits);
        let at_least = Expr::FloatCompare(FloatCmp::Le, format, Box::new(least), Box::new(size));
        let normal = Expr::binary(BinOp::And, finite.clone(), at_least);
        let choose = |truth, then, other| Expr::Ite(Box::new(truth), Box::new(then), Box::new(other));
        Some(match class {
            FloatClass::Nan => one_if(nan),
            FloatClass::Infinite => one_if(infinite),
            FloatClass::WhichInfinity => {
                let signed = choose(sign, Expr::constant(u128::MAX, 32), Expr::constant(1, 32));
                choose(infinite, signed, Expr::constant(0, 32))
            }
            FloatClass::Finite => one_if(finite),
            FloatClass::Normal => one_if(normal),
            FloatClass::Negative => {
                let (one, zero) = (Expr::constant(1, 32), Expr::constant(0, 32));
                let set = match self.plain_sign_bit(format) {
                    1 => one,
                    other if self.builder.options.world => Expr::constant(other, 32),
                    other => {
                        choose(self.nondet(1, NondetKind::External("signbit".into())), Expr::constant(other, 32), one)
                    }
                };
                choose(sign, set, zero)
            }
            FloatClass::Kind => {
                // In the order in which gcc's built-in function takes them; the numbers are glibc's.
                let number_of = |i: usize, own| match args.len() {
                    6 => args[i].value.clone(),
                    _ => Expr::constant(own, 32),
                };
                let zero = compare(FloatCmp::Eq, number)(Expr::constant(0, bits));
                let small = choose(zero, number_of(4, 2), number_of(3, 3));
                let other = choose(normal, number_of(2, 4), small);
                choose(nan, number_of(0, 0), choose(infinite, number_of(1, 1), other))
            }
        })
    }
}

impl Lowerer<'_, '_> {
    /// What `signbit` returns in code of gcc that is not optimised.
    fn plain_sign_bit(&self, format: FloatFormat) -> u128 {
        let of_x87 = self.pointer_bits() == 32 && matches!(format, FloatFormat::Single | FloatFormat::Double);
        match format {
            FloatFormat::X87 => 512,
            _ if of_x87 => 512,
            FloatFormat::Half => 1 << 15,
            FloatFormat::Single => 1 << 31,
            FloatFormat::Double | FloatFormat::Quad => 1,
        }
    }
}

/// Bits of the number behind all finite ones. The extended format writes its leading one.
fn infinity(format: FloatFormat) -> u128 {
    match format {
        FloatFormat::Half => 0x7c00,
        FloatFormat::Single => 0x7f80_0000,
        FloatFormat::Double => 0x7ff0_0000_0000_0000,
        FloatFormat::X87 => 0x7fff << 64 | 1 << 63,
        FloatFormat::Quad => 0x7fff << 112,
    }
}

/// Bits of the least number that is no subnormal one.
fn least_normal(format: FloatFormat) -> u128 {
    match format {
        FloatFormat::Half => 1 << 10,
        FloatFormat::Single => 1 << 23,
        FloatFormat::Double => 1 << 52,
        FloatFormat::X87 => 1 << 64 | 1 << 63,
        FloatFormat::Quad => 1 << 112,
    }
}
