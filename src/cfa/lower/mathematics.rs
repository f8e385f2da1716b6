//! Functions of floating numbers that expressions compute.

use super::super::float_functions::{FloatFunction, Side};
use super::super::ir::{BinOp, Expr, FloatBinOp, FloatCmp, FloatFormat, Op};
use super::calls::Argument;
use super::function::Lowerer;
use super::kinds::Kind;

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
}
