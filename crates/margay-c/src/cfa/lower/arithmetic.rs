//! Arithmetic of C types on bit-vectors.

use super::super::ir::{BinOp, Expr, FloatBinOp, FloatConversion};
use super::function::Lowerer;
use super::kinds::{self, Kind};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{self, BinaryOp};
use crate::c::types::{Type, TypeId};

impl<'u> Lowerer<'_, 'u> {
    /// `a op b` in type `ty`; `b` has that type too, except in shifts.
    pub fn arithmetic(&mut self, op: BinaryOp, a: Expr, b: (Expr, TypeId), ty: TypeId, span: Span) -> Result<Expr> {
        let kind = self.kind(ty);
        let (b, b_type) = b;
        match kind {
            Kind::Float(format) => {
                let op = match op {
                    BinaryOp::Add => FloatBinOp::Add,
                    BinaryOp::Subtract => FloatBinOp::Sub,
                    BinaryOp::Multiply => FloatBinOp::Mul,
                    BinaryOp::Divide => FloatBinOp::Div,
                    _ => {
                        self.refuse("a bit operation on floating-point numbers", span)?;
                        return Ok(a);
                    }
                };
                Ok(Expr::FloatBinary(op, format, Box::new(a), Box::new(b)))
            }
            Kind::Int { .. } | Kind::Pointer { .. } => {
                let b_signed = self.kind(b_type).is_signed();
                Ok(self.integer_arithmetic(op, a, (b, b_signed), kind))
            }
            _ => {
                self.refuse(format!("arithmetic on `{}`", self.types.display(ty)), span)?;
                Ok(a)
            }
        }
    }

    fn integer_arithmetic(&mut self, op: BinaryOp, a: Expr, b: (Expr, bool), kind: Kind) -> Expr {
        let signed = kind.is_signed();
        let (mut a, (mut b, b_signed)) = (a, b);
        let may_overflow = !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::ShiftRight);
        if may_overflow && self.checks(kind) {
            (a, b) = (self.reusable(a), self.reusable(b));
            self.check_overflow(op, &a, &b, b_signed, kind);
        }
        let width = a.width();
        let pick = |unsigned, signed_op| if signed { signed_op } else { unsigned };
        let op = match op {
            BinaryOp::Add => BinOp::Add,
            BinaryOp::Subtract => BinOp::Sub,
            BinaryOp::Multiply => BinOp::Mul,
            BinaryOp::Divide => pick(BinOp::UDiv, BinOp::SDiv),
            BinaryOp::Remainder => pick(BinOp::URem, BinOp::SRem),
            BinaryOp::And => BinOp::And,
            BinaryOp::Or => BinOp::Or,
            BinaryOp::Xor => BinOp::Xor,
            BinaryOp::ShiftLeft => BinOp::Shl,
            BinaryOp::ShiftRight => pick(BinOp::LShr, BinOp::AShr),
        };
        let b = if b.width() > width && matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) {
            self.cut_amount(b, width)
        } else {
            b.resized(width, b_signed)
        };
        Expr::binary(op, a, b)
    }

    /// A shift's amount brought down to `width` bits, a power of two; too large ones stay too large, and the same modulo `width`.
    fn cut_amount(&mut self, amount: Expr, width: u32) -> Expr {
        let amount = self.reusable(amount);
        let bits = Expr::constant(width.into(), amount.width());
        let fits = Expr::binary(BinOp::Ult, amount.clone(), bits);
        let cut = amount.resized(width, false);
        let too_large = Expr::binary(BinOp::Or, cut.clone(), Expr::constant(width.into(), width));
        Expr::ite(fits, cut, too_large)
    }

    /// `old ± 1` for `++` and `--`, in the type of the place.
    pub fn step(&mut self, old: Expr, ty: TypeId, decrement: bool, span: Span) -> Result<Expr> {
        match self.kind(ty) {
            Kind::Float(format) => {
                let one = Expr::constant(1, 32);
                let one = Expr::FloatConvert(FloatConversion::FromInt { to: format, signed: true }, Box::new(one));
                let op = if decrement { FloatBinOp::Sub } else { FloatBinOp::Add };
                Ok(Expr::FloatBinary(op, format, Box::new(old), Box::new(one)))
            }
            Kind::Int { width, signed, bool } => {
                let op = if decrement { BinaryOp::Subtract } else { BinaryOp::Add };
                let int = kinds::int_kind(self.types, crate::c::types::IntKind::Int);
                // Narrow types are promoted, and `int` always has room for one more.
                let compute = if width < 32 { int } else { Kind::Int { width, signed, bool: false } };
                let wide = old.resized(compute.width().unwrap_or(width), signed);
                let one = Expr::constant(1, wide.width());
                if width < 32 {
                    let ir_op = if decrement { BinOp::Sub } else { BinOp::Add };
                    let result = Expr::binary(ir_op, wide, one);
                    return Ok(if bool {
                        result.is_nonzero().resized(width, false)
                    } else {
                        result.resized(width, signed)
                    });
                }
                Ok(self.integer_arithmetic(op, wide, (one, signed), compute))
            }
            _ => {
                self.refuse(format!("`++` or `--` on `{}`", self.types.display(ty)), span)?;
                Ok(old)
            }
        }
    }

    // Pointers.

    /// Bytes between elements that a pointer of type `pointer` steps over.
    pub fn stride(&mut self, pointer: TypeId, span: Span) -> Result<Expr> {
        match *self.types.get(pointer) {
            Type::Pointer(target) => self.size_value(target, span),
            _ => Ok(self.pointer_constant(1)),
        }
    }

    /// `base ± index` elements; the index is extended by its own type's sign.
    pub fn offset_pointer(
        &mut self,
        base: Expr,
        pointer: TypeId,
        index: (Expr, TypeId),
        subtract: bool,
        span: Span,
    ) -> Result<Expr> {
        let (index, index_type) = index;
        let steps = index.resized(self.pointer_bits(), self.kind(index_type).is_signed());
        self.offset_pointer_by(base, pointer, steps, subtract, span)
    }

    /// [`Self::offset_pointer`] with an index of pointer width.
    pub fn offset_pointer_by(
        &mut self,
        base: Expr,
        pointer: TypeId,
        steps: Expr,
        subtract: bool,
        span: Span,
    ) -> Result<Expr> {
        let stride = self.stride(pointer, span)?;
        let bytes = Expr::binary(BinOp::Mul, steps, stride);
        let op = if subtract { BinOp::Sub } else { BinOp::Add };
        Ok(Expr::binary(op, base, bytes))
    }

    /// The `__builtin_…_overflow` family.
    pub fn checked_arithmetic(
        &mut self,
        op: BinaryOp,
        left: &'u syntax::Expr,
        right: &'u syntax::Expr,
        result: Option<&'u syntax::Expr>,
        result_type: TypeId,
        expr: &'u syntax::Expr,
    ) -> Result<Expr> {
        let (a, b) = self.operands(left, right)?;
        let (a, b) = (self.bind(a), self.bind(b));
        let (a_signed, b_signed) = (self.kind(left.ty).is_signed(), self.kind(right.ty).is_signed());
        let target = self.kind(result_type);
        let width = self.width(result_type, expr.span)?;
        let ir_op = match op {
            BinaryOp::Add => BinOp::Add,
            BinaryOp::Subtract => BinOp::Sub,
            _ => BinOp::Mul,
        };
        // Wide enough for the exact result and for the result type's range; a difference may be negative.
        let operand = a.width().max(b.width());
        let needed = if ir_op == BinOp::Mul { 2 * operand } else { operand + 2 };
        // Two unsigned factors fill their doubled width, so their product is compared without sign.
        let as_signed = a_signed || b_signed || ir_op == BinOp::Sub;
        let wide = needed.max(width + 1).next_multiple_of(32);
        // Bits of the exact result as a signed number, and as one without sign.
        let (x, y) = (a.width() + u32::from(!a_signed), b.width() + u32::from(!b_signed));
        let signed_bits = if ir_op == BinOp::Mul { x + y } else { x.max(y) + 1 };
        let fits = match target.is_signed() {
            true => signed_bits <= width,
            false if ir_op == BinOp::Mul => !as_signed && a.width() + b.width() <= width,
            false => !as_signed && operand < width,
        };
        if fits {
            let value = Expr::binary(ir_op, a.resized(width, a_signed), b.resized(width, b_signed));
            if let Some(result) = result {
                let addr = self.rvalue(result)?;
                self.emit(super::super::ir::Op::Store { addr, value });
            }
            return Ok(Expr::constant(0, self.width(expr.ty, expr.span)?));
        }
        let wide = if wide > 128 && needed <= 128 && width <= 128 { 128 } else { wide };
        if wide > 128 || (wide == 128 && width == 128) {
            self.refuse("an overflow builtin on 128-bit numbers", expr.span)?;
            return Ok(Expr::constant(0, 8));
        }
        let exact = Expr::binary(ir_op, a.resized(wide, a_signed), b.resized(wide, b_signed));
        let exact = self.bind(exact);
        let cut = exact.clone().resized(width, false);
        let back = cut.clone().resized(wide, target.is_signed());
        let mut overflows = Expr::binary(BinOp::Ne, exact.clone(), back);
        if !as_signed && ir_op == BinOp::Mul && target.is_signed() {
            // A huge unsigned product must not be taken for a negative number.
            let negative = Expr::binary(BinOp::Slt, exact, Expr::constant(0, wide));
            overflows = Expr::binary(BinOp::Or, overflows, negative);
        }
        if let Some(result) = result {
            let address = self.rvalue(result)?;
            self.emit(super::super::ir::Op::Store { addr: address, value: cut });
        }
        let overflows = self.bind(overflows);
        Ok(overflows.resized(self.width(expr.ty, expr.span)?, false))
    }
}
