//! Constructors of expressions that fold constants and drop what has no effect.
//!
//! Every rule is an identity on bit-vectors, so an expression built here means what the plain one means.

use super::ir::{BinOp, Bits, Conversion, Expr, Object, UnOp};

/// The result of `op` on constants of one width; `None` where C leaves it undefined (division by zero, `MIN / -1`, wide shifts).
pub fn fold_binary(op: BinOp, left: Bits, right: Bits) -> Option<Bits> {
    let width = left.width;
    let (a, b) = (left.value, right.value);
    let (sa, sb) = (left.signed(), right.signed());
    let min = Bits::new(1 << (width - 1), width);
    let shift = u32::try_from(b).ok().filter(|&s| s < width);
    let wide = |value: u128| Some(Bits::new(value, width));
    let truth = |value: bool| Some(Bits::new(value.into(), 1));
    match op {
        BinOp::Add => wide(a.wrapping_add(b)),
        BinOp::Sub => wide(a.wrapping_sub(b)),
        BinOp::Mul => wide(a.wrapping_mul(b)),
        BinOp::UDiv => wide(a.checked_div(b)?),
        BinOp::URem => wide(a.checked_rem(b)?),
        BinOp::SDiv | BinOp::SRem if sb == 0 || (left == min && sb == -1) => None,
        BinOp::SDiv => wide(sa.checked_div(sb)? as u128),
        BinOp::SRem => wide(sa.checked_rem(sb)? as u128),
        BinOp::And => wide(a & b),
        BinOp::Or => wide(a | b),
        BinOp::Xor => wide(a ^ b),
        BinOp::Shl => wide(a << shift?),
        BinOp::LShr => wide(a >> shift?),
        BinOp::AShr => wide((sa >> shift?) as u128),
        BinOp::Eq => truth(a == b),
        BinOp::Ne => truth(a != b),
        BinOp::Ult => truth(a < b),
        BinOp::Ule => truth(a <= b),
        BinOp::Slt => truth(sa < sb),
        BinOp::Sle => truth(sa <= sb),
    }
}

/// `bits` brought to `width` bits.
pub fn fold_convert(conversion: Conversion, width: u32, bits: Bits) -> Bits {
    match conversion {
        Conversion::Truncate | Conversion::ZeroExtend => Bits::new(bits.value, width),
        Conversion::SignExtend => Bits::new(bits.signed() as u128, width),
    }
}

impl Expr {
    /// The 1-bit constant.
    pub fn truth(value: bool) -> Self {
        Expr::constant(value.into(), 1)
    }

    /// The bits of a constant; `None` for any other expression, whatever its values.
    pub fn as_const(&self) -> Option<Bits> {
        match self {
            Expr::Const(bits) => Some(*bits),
            _ => None,
        }
    }

    fn is_const(&self, value: u128) -> bool {
        self.as_const().is_some_and(|bits| bits.value == value)
    }

    /// `op operand`; `!` on one bit is pushed into comparisons.
    pub fn unary(op: UnOp, operand: Expr) -> Self {
        match (op, operand) {
            (UnOp::Neg, Expr::Const(bits)) => Expr::constant(bits.value.wrapping_neg(), bits.width),
            (UnOp::Not, Expr::Const(bits)) => Expr::constant(!bits.value, bits.width),
            (UnOp::Not, Expr::Unary(UnOp::Not, inner)) => *inner,
            (UnOp::Not, Expr::Binary(comparison, left, right)) if comparison.is_comparison() => {
                let (comparison, swap) = negate(comparison);
                if swap { Expr::Binary(comparison, right, left) } else { Expr::Binary(comparison, left, right) }
            }
            (op, operand) => Expr::Unary(op, Box::new(operand)),
        }
    }

    /// The negation of a truth value.
    pub fn negated(self) -> Self {
        Expr::unary(UnOp::Not, self)
    }

    /// `left op right`, operands of one width.
    pub fn binary(op: BinOp, left: Expr, right: Expr) -> Self {
        debug_assert_eq!(left.width(), right.width(), "{op:?} {left:?} {right:?}");
        let width = left.width();
        if let (Expr::Const(a), Expr::Const(b)) = (&left, &right)
            && let Some(bits) = fold_binary(op, *a, *b)
        {
            return Expr::Const(bits);
        }
        match op {
            BinOp::Add => add(left, right),
            BinOp::Sub if right.as_const().is_some() => {
                let negated = Expr::unary(UnOp::Neg, right);
                add(left, negated)
            }
            BinOp::Mul if right.is_const(1) => left,
            BinOp::Mul if left.is_const(1) => right,
            BinOp::Mul if left.is_const(0) || right.is_const(0) => Expr::constant(0, width),
            BinOp::UDiv | BinOp::SDiv if right.is_const(1) && width > 1 => left,
            BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::LShr | BinOp::AShr if right.is_const(0) => left,
            BinOp::Or | BinOp::Xor if left.is_const(0) => right,
            BinOp::And if left.is_const(0) || right.is_const(0) => Expr::constant(0, width),
            BinOp::And if right.is_const(Bits::new(u128::MAX, width).value) => left,
            BinOp::And if left.is_const(Bits::new(u128::MAX, width).value) => right,
            BinOp::Or if width == 1 && (left.is_const(1) || right.is_const(1)) => Expr::truth(true),
            BinOp::Eq | BinOp::Ne => equality(op == BinOp::Eq, left, right),
            _ => Expr::Binary(op, Box::new(left), Box::new(right)),
        }
    }

    /// `self` brought to `width` bits, extended by the sign where `signed`.
    pub fn resized(self, width: u32, signed: bool) -> Self {
        let own = self.width();
        match own.cmp(&width) {
            std::cmp::Ordering::Equal => self,
            std::cmp::Ordering::Less if signed => self.converted(Conversion::SignExtend, width),
            std::cmp::Ordering::Less => self.converted(Conversion::ZeroExtend, width),
            std::cmp::Ordering::Greater => self.converted(Conversion::Truncate, width),
        }
    }

    fn converted(self, conversion: Conversion, width: u32) -> Self {
        match self {
            Expr::Const(bits) => Expr::Const(fold_convert(conversion, width, bits)),
            // Truncating what was extended: cut or extend the original.
            Expr::Convert(inner @ (Conversion::ZeroExtend | Conversion::SignExtend), _, operand)
                if conversion == Conversion::Truncate =>
            {
                operand.resized(width, inner == Conversion::SignExtend)
            }
            // A zero-extended value has no sign bit.
            Expr::Convert(Conversion::ZeroExtend, _, operand) => operand.converted(Conversion::ZeroExtend, width),
            Expr::Convert(inner, _, operand) if inner == conversion => operand.converted(conversion, width),
            other => Expr::Convert(conversion, width, Box::new(other)),
        }
    }

    /// `condition ? then : otherwise`.
    pub fn ite(condition: Expr, then: Expr, otherwise: Expr) -> Self {
        match &condition {
            Expr::Const(bits) if bits.value == 1 => return then,
            Expr::Const(_) => return otherwise,
            _ => {}
        }
        if then == otherwise {
            return then;
        }
        if then.width() == 1 {
            if then.is_const(1) && otherwise.is_const(0) {
                return condition;
            }
            if then.is_const(0) && otherwise.is_const(1) {
                return condition.negated();
            }
        }
        Expr::Ite(Box::new(condition), Box::new(then), Box::new(otherwise))
    }

    /// `self != 0`, one bit.
    pub fn is_nonzero(self) -> Self {
        let zero = Expr::constant(0, self.width());
        Expr::binary(BinOp::Ne, self, zero)
    }

    /// Number of nodes, but no more than `limit` are counted.
    pub(crate) fn size_up_to(&self, limit: usize) -> usize {
        let mut count = 0;
        self.count(limit, &mut count);
        count
    }

    fn count(&self, limit: usize, count: &mut usize) {
        *count += 1;
        if *count < limit {
            self.for_operands(&mut |operand| operand.count(limit, count));
        }
    }

    /// Calls `f` with each direct operand.
    pub fn for_operands<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match self {
            Expr::Const(_) | Expr::Reg(..) | Expr::Address(..) => {}
            Expr::Unary(_, a) | Expr::Convert(_, _, a) | Expr::FloatUnary(_, _, a) | Expr::FloatConvert(_, a) => f(a),
            Expr::Binary(_, a, b) | Expr::FloatBinary(_, _, a, b) | Expr::FloatCompare(_, _, a, b) => {
                f(a);
                f(b);
            }
            Expr::Ite(a, b, c) => {
                f(a);
                f(b);
                f(c);
            }
        }
    }

    /// Calls `f` with the expression and everything it is made of, from the outside in and from left to right.
    pub fn visit<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        self.for_operands(&mut |operand| operand.visit(f));
    }

    /// Calls `f` with each register read.
    pub fn for_regs(&self, f: &mut dyn FnMut(super::ir::Reg)) {
        self.visit(&mut |part| {
            if let Expr::Reg(reg, _) = part {
                f(*reg);
            }
        });
    }

    /// Calls `f` with each object whose address is taken.
    pub fn for_objects(&self, f: &mut dyn FnMut(Object)) {
        self.visit(&mut |part| {
            if let Expr::Address(object, _) = part {
                f(*object);
            }
        });
    }
}

/// The comparison that holds exactly where `op` does not, and whether its operands change sides.
fn negate(op: BinOp) -> (BinOp, bool) {
    match op {
        BinOp::Eq => (BinOp::Ne, false),
        BinOp::Ne => (BinOp::Eq, false),
        BinOp::Ult => (BinOp::Ule, true),
        BinOp::Ule => (BinOp::Ult, true),
        BinOp::Slt => (BinOp::Sle, true),
        BinOp::Sle => (BinOp::Slt, true),
        other => (other, false),
    }
}

/// Sums keep a constant on the right, and only one.
fn add(left: Expr, right: Expr) -> Expr {
    let (left, right) = if left.as_const().is_some() { (right, left) } else { (left, right) };
    match (left, right) {
        (left, Expr::Const(c)) if c.value == 0 => left,
        (Expr::Binary(BinOp::Add, base, first), Expr::Const(second)) if first.as_const().is_some() => {
            let sum = Expr::binary(BinOp::Add, *first, Expr::Const(second));
            add(*base, sum)
        }
        (Expr::Const(a), Expr::Const(b)) => Expr::constant(a.value.wrapping_add(b.value), a.width),
        (left, right) => Expr::Binary(BinOp::Add, Box::new(left), Box::new(right)),
    }
}

fn equality(equal: bool, left: Expr, right: Expr) -> Expr {
    let (left, right) = if left.as_const().is_some() { (right, left) } else { (left, right) };
    let width = left.width();
    let op = if equal { BinOp::Eq } else { BinOp::Ne };
    match (left, right) {
        (left, Expr::Const(c)) if width == 1 => {
            if (c.value == 1) == equal {
                left
            } else {
                left.negated()
            }
        }
        // Comparing an extended value: with the constant cut down where that loses nothing, otherwise it is decided.
        (Expr::Convert(conversion @ (Conversion::ZeroExtend | Conversion::SignExtend), _, inner), Expr::Const(c)) => {
            let cut = fold_convert(Conversion::Truncate, inner.width(), c);
            if fold_convert(conversion, width, cut) == c {
                equality(equal, *inner, Expr::Const(cut))
            } else {
                Expr::truth(!equal)
            }
        }
        // Objects and functions have no null address.
        (Expr::Address(..), Expr::Const(c)) if c.value == 0 => Expr::truth(!equal),
        (Expr::Address(a @ Object::Global(_), _), Expr::Address(b @ Object::Global(_), _)) if a == b => {
            Expr::truth(equal)
        }
        // Truth values as integers: `ite(c, 1, 0) == 0`.
        (Expr::Ite(condition, then, otherwise), Expr::Const(c))
            if then.as_const().is_some() && otherwise.as_const().is_some() =>
        {
            let holds = |e: &Expr| e.is_const(c.value) == equal;
            let (then, otherwise) = (holds(&then), holds(&otherwise));
            Expr::ite(*condition, Expr::truth(then), Expr::truth(otherwise))
        }
        (left, right) => Expr::Binary(op, Box::new(left), Box::new(right)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ir::Reg;
    use super::*;

    fn reg(width: u32) -> Expr {
        Expr::Reg(Reg(0), width)
    }

    #[test]
    fn sums_of_constants_collapse() {
        let four = || Expr::constant(4, 32);
        let sum = Expr::binary(BinOp::Add, Expr::binary(BinOp::Add, reg(32), four()), four());
        assert_eq!(sum, Expr::Binary(BinOp::Add, Box::new(reg(32)), Box::new(Expr::constant(8, 32))));
        assert_eq!(Expr::binary(BinOp::Sub, sum, Expr::constant(8, 32)), reg(32));
    }

    #[test]
    fn truth_values_survive_the_detour_over_int() {
        let truth = Expr::binary(BinOp::Slt, reg(32), Expr::constant(5, 32));
        let as_int = truth.clone().resized(32, false);
        assert_eq!(as_int.clone().is_nonzero(), truth);
        let five = || Box::new(Expr::constant(5, 32));
        assert_eq!(as_int.clone().is_nonzero().negated(), Expr::Binary(BinOp::Sle, five(), Box::new(reg(32))));
        assert_eq!(Expr::binary(BinOp::Eq, as_int, Expr::constant(2, 32)), Expr::truth(false));
    }

    #[test]
    fn undefined_operations_are_not_folded() {
        let c = |v: i32| Bits::new(v as u32 as u128, 32);
        assert_eq!(fold_binary(BinOp::SDiv, c(i32::MIN), c(-1)), None);
        assert_eq!(fold_binary(BinOp::URem, c(1), c(0)), None);
        assert_eq!(fold_binary(BinOp::Shl, c(1), c(32)), None);
        assert_eq!(fold_binary(BinOp::SDiv, c(-7), c(2)), Some(c(-3)));
        assert_eq!(fold_binary(BinOp::AShr, c(-7), c(1)), Some(c(-4)));
    }

    #[test]
    fn truncation_undoes_extension() {
        let wide = reg(8).resized(32, true);
        assert_eq!(wide.clone().resized(8, true), reg(8));
        assert_eq!(wide.clone().resized(16, false), reg(8).resized(16, true));
        assert_eq!(Expr::binary(BinOp::Eq, wide, Expr::constant(200, 32)), Expr::truth(false));
    }
}
