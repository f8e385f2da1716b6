//! What everybody relies on about an automaton.

use super::ir::*;
use super::liveness::for_exprs;
use super::loops;
use crate::base::error::ensure;

/// Checks widths, ids and guards.
///
/// # Errors
/// The first thing that is wrong, as text for developers.
pub fn validate(program: &Program) -> Result<(), String> {
    for function in &program.functions {
        let check = Check { program, function };
        check.function().map_err(|why| format!("{}: {why}", function.name))?;
    }
    Ok(())
}

struct Check<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Check<'_> {
    fn function(&self) -> Result<(), String> {
        let count = self.function.locations.len();
        ensure(self.function.entry.index() < count, || "the entry does not exist".into())?;
        for (index, location) in self.function.locations.iter().enumerate() {
            let several = location.edges.len() > 1;
            let claims = !location.complementary || loops::is_complementary(&location.edges);
            ensure(claims, || format!("L{index}: its guards do not exclude each other"))?;
            let closes =
                location.closing.is_none_or(|_| location.closing == loops::closing(self.function, &location.edges));
            ensure(closes, || format!("L{index}: no guard ends the run"))?;
            for edge in &location.edges {
                let at = |why: String| format!("L{index}: {:?}: {why}", edge.op);
                ensure(edge.target.index() < count, || at("the target does not exist".into()))?;
                ensure(!several || matches!(edge.op, Op::Assume(_)), || at("several edges, not all guards".into()))?;
                self.op(&edge.op).map_err(at)?;
            }
        }
        Ok(())
    }

    fn width_of(&self, reg: Reg) -> Result<u32, String> {
        self.function.regs.get(reg.index()).map(|decl| decl.width).ok_or_else(|| format!("{reg:?} does not exist"))
    }

    fn has_width(&self, expr: &Expr, width: u32) -> Result<(), String> {
        ensure(expr.width() == width, || format!("{expr:?} is not {width} bits wide"))
    }

    fn op(&self, op: &Op) -> Result<(), String> {
        let mut result = Ok(());
        for_exprs(op, &mut |expr| {
            if result.is_ok() {
                result = self.expr(expr);
            }
        });
        result?;
        let pointer = self.program.model.pointer_bits();
        match op {
            Op::Assign { dst, value } => self.has_width(value, self.width_of(*dst)?),
            Op::Load { dst, addr } => {
                self.width_of(*dst)?;
                self.has_width(addr, pointer)
            }
            Op::Store { addr, value } => {
                ensure(value.width() % 8 == 0, || "a store of part of a byte".into())?;
                self.has_width(addr, pointer)
            }
            Op::Copy { dst, src, size } => [dst, src, size].into_iter().try_for_each(|e| self.has_width(e, pointer)),
            Op::Set { dst, byte, size } => {
                self.has_width(byte, 8)?;
                [dst, size].into_iter().try_for_each(|e| self.has_width(e, pointer))
            }
            Op::Havoc { dst, size, bytes } => {
                bytes.operands().iter().try_for_each(|part| self.has_width(part, 64))?;
                [dst, size].into_iter().try_for_each(|e| self.has_width(e, pointer))
            }
            Op::Alloc { dst, size, .. } => {
                ensure(self.width_of(*dst)? == pointer, || "an address in a register of another width".into())?;
                self.has_width(size, pointer)
            }
            Op::Free { addr } => self.has_width(addr, pointer),
            Op::BlockSize { dst, addr } => {
                ensure(self.width_of(*dst)? == pointer, || "a size in a register of another width".into())?;
                self.has_width(addr, pointer)
            }
            Op::Find { dst, addr, beside, limit, stops } => {
                ensure(self.width_of(*dst)? == pointer, || "a number of bytes in a register of another width".into())?;
                [addr, limit].into_iter().chain(beside).try_for_each(|part| self.has_width(part, pointer))?;
                let bits = if matches!(stops, Stops::NoMembers(_)) { 64 } else { 8 };
                stops.operands().iter().try_for_each(|stop| self.has_width(stop, bits))
            }
            Op::Overlaps { dst, to, from, size } => {
                ensure(self.width_of(*dst)? == pointer, || "an answer in a register of another width".into())?;
                [to, from, size].into_iter().try_for_each(|part| self.has_width(part, pointer))
            }
            Op::Number { dst, addr, base, .. } => {
                self.has_width(addr, pointer)?;
                self.has_width(base, 32)?;
                self.width_of(*dst).map(drop)
            }
            Op::Nondet { dst, .. } => self.width_of(*dst).map(drop),
            Op::Assume(condition) | Op::Check { condition, .. } => self.has_width(condition, 1),
            Op::Enter { slot, size } => {
                self.slot(*slot)?;
                size.iter().try_for_each(|size| self.has_width(size, pointer))
            }
            Op::Leave { slot } => self.slot(*slot),
            Op::Call { dst, callee, args } => self.call(*dst, callee, args),
            Op::Return { value } => match (value, self.function.result_width) {
                (Some(value), Some(width)) => self.has_width(value, width),
                (Some(_), None) => Err("a value returned where there is none".into()),
                (None, _) => Ok(()),
            },
            Op::Skip | Op::Error(_) | Op::Halt(_) | Op::GiveUp(_) => Ok(()),
        }
    }

    fn call(&self, dst: Option<Reg>, callee: &Callee, args: &[Expr]) -> Result<(), String> {
        match callee {
            Callee::Indirect(pointer) => self.has_width(pointer, self.program.model.pointer_bits()),
            Callee::Direct(id) => {
                let Some(target) = self.program.functions.get(id.index()) else {
                    return Err("the function does not exist".into());
                };
                if let Some(dst) = dst
                    && let Some(width) = target.result_width
                {
                    ensure(self.width_of(dst)? == width, || "a result of another width".into())?;
                }
                if target.params.len() == args.len() {
                    for (param, arg) in target.params.iter().zip(args) {
                        let Some(decl) = target.regs.get(param.index()) else {
                            return Err("a parameter does not exist".into());
                        };
                        self.has_width(arg, decl.width)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn slot(&self, slot: SlotId) -> Result<(), String> {
        ensure(slot.index() < self.function.slots.len(), || format!("{slot:?} does not exist"))
    }

    fn expr(&self, expr: &Expr) -> Result<(), String> {
        match expr {
            Expr::Const(bits) => {
                ensure(Bits::new(bits.value, bits.width) == *bits && (1..=128).contains(&bits.width), || {
                    format!("{bits:?} is no constant")
                })?
            }
            Expr::Reg(reg, width) => {
                ensure(self.width_of(*reg)? == *width, || format!("{reg:?} is not {width} bits wide"))?;
            }
            Expr::Address(object, width) => {
                ensure(*width == self.program.model.pointer_bits(), || "an address of another width".into())?;
                match object {
                    Object::Global(id) => {
                        ensure(id.index() < self.program.globals.len(), || format!("{id:?} does not exist"))?;
                    }
                    Object::Function(id) => {
                        ensure(id.index() < self.program.functions.len(), || format!("{id:?} does not exist"))?;
                    }
                    Object::Slot(slot) => self.slot(*slot)?,
                }
            }
            Expr::Binary(_, a, b) => self.has_width(b, a.width())?,
            Expr::Convert(conversion, width, a) => {
                let narrower = *width < a.width();
                let fits = (*conversion == Conversion::Truncate) == narrower && *width != a.width();
                ensure(fits && (1..=128).contains(width), || format!("{conversion:?} to {width} of {a:?}"))?;
            }
            Expr::Ite(c, a, b) => {
                self.has_width(c, 1)?;
                self.has_width(b, a.width())?;
            }
            Expr::FloatUnary(_, format, a) => self.has_width(a, format.bits())?,
            Expr::FloatBinary(_, format, a, b) | Expr::FloatCompare(_, format, a, b) => {
                self.has_width(a, format.bits())?;
                self.has_width(b, format.bits())?;
            }
            Expr::FloatConvert(FloatConversion::ToInt { from, .. } | FloatConversion::Between { from, .. }, a) => {
                self.has_width(a, from.bits())?;
            }
            Expr::FloatConvert(FloatConversion::FromInt { .. }, _) | Expr::Unary(..) => {}
        }
        let mut result = Ok(());
        expr.for_operands(&mut |operand| {
            if result.is_ok() {
                result = self.expr(operand);
            }
        });
        result
    }
}
