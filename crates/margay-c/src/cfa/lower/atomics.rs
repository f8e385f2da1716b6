//! `__sync_…` and `__atomic_…` in sequential code: ordinary reads and writes.

use super::super::ir::{BinOp, Expr, Note, Op, UnOp};
use super::calls::{Argument, Site};
use super::function::Lowerer;
use super::places::Lvalue;
use crate::base::error::Result;
use crate::c::types::{Type, TypeId};

impl<'u> Lowerer<'_, 'u> {
    pub fn atomic(&mut self, name: &str, args: &[Argument<'u>], site: Site) -> Result<Option<Expr>> {
        let operation = name.trim_start_matches("__sync_").trim_start_matches("__atomic_");
        let object = match args.first().map(|arg| self.types.get(arg.ty)) {
            Some(Type::Pointer(object)) => *object,
            _ => return Ok(self.kind(site.result).width().map(|width| Expr::constant(1, width))),
        };
        if matches!(self.types.get(object), Type::Record(_))
            && !matches!(operation, "load" | "store" | "exchange" | "clear" | "test_and_set")
        {
            self.refuse(format!("`{name}` on a record"), site.span)?;
            return Ok(None);
        }
        let address = self.pointer_arg(args, 0);
        let address = self.reusable(address);
        let operand = |index: usize| args.get(index).map(|arg| arg.value.clone());
        match operation {
            "is_lock_free" | "always_lock_free" => {
                Ok(self.kind(site.result).width().map(|width| Expr::constant(1, width)))
            }
            "load_n" => self.read(&address, object, site).map(Some),
            "store_n" => {
                if let Some(value) = operand(1) {
                    self.emit(Op::Store { addr: address, value });
                }
                Ok(None)
            }
            "lock_release" => {
                let value = Expr::constant(0, self.width(object, site.span)?);
                self.emit(Op::Store { addr: address, value });
                Ok(None)
            }
            "clear" | "test_and_set" => {
                let set = operation == "test_and_set";
                let old = self.raw_temp(8);
                if set {
                    self.emit(Op::Load { dst: old, addr: address.clone() });
                }
                self.emit(Op::Store { addr: address, value: Expr::constant(set.into(), 8) });
                let width = self.kind(site.result).width();
                Ok(width.filter(|_| set).map(|width| Expr::Reg(old, 8).is_nonzero().resized(width, false)))
            }
            "exchange_n" | "lock_test_and_set" => {
                let old = self.read(&address, object, site)?;
                if let Some(value) = operand(1) {
                    self.emit(Op::Store { addr: address, value });
                }
                Ok(Some(old))
            }
            "load" => self.move_object(self.pointer_arg(args, 1), address, object, site),
            "store" => self.move_object(address, self.pointer_arg(args, 1), object, site),
            "exchange" => {
                self.move_object(self.pointer_arg(args, 2), address.clone(), object, site)?;
                self.move_object(address, self.pointer_arg(args, 1), object, site)
            }
            "val_compare_and_swap" | "bool_compare_and_swap" => {
                let old = self.read(&address, object, site)?;
                let (Some(expected), Some(desired)) = (operand(1), operand(2)) else { return Ok(None) };
                let same = self.swap_if(&old, expected, |lowerer, equal| {
                    if equal {
                        lowerer.emit(Op::Store { addr: address, value: desired });
                    }
                });
                Ok(match self.kind(site.result).width() {
                    Some(width) if operation == "bool_compare_and_swap" => Some(same.resized(width, false)),
                    _ => Some(old),
                })
            }
            "compare_exchange_n" | "compare_exchange" => {
                let expected_at = self.pointer_arg(args, 1);
                let expected_at = self.reusable(expected_at);
                let desired = match operation {
                    "compare_exchange" => {
                        let at = self.pointer_arg(args, 2);
                        Some(self.read(&at, object, site)?)
                    }
                    _ => operand(2),
                };
                let Some(desired) = desired else { return Ok(None) };
                let expected = self.read(&expected_at, object, site)?;
                let old = self.read(&address, object, site)?;
                let same = self.swap_if(&old.clone(), expected, |lowerer, equal| {
                    let (addr, value) = if equal { (address, desired) } else { (expected_at, old) };
                    lowerer.emit(Op::Store { addr, value });
                });
                Ok(self.kind(site.result).width().map(|width| same.resized(width, false)))
            }
            _ => self.fetch_and_compute(name, operation, address, object, operand(1), site),
        }
    }

    fn read(&mut self, address: &Expr, object: TypeId, site: Site) -> Result<Expr> {
        self.load(&Lvalue::Memory { address: address.clone(), bits: None }, object, site.span)
    }

    fn move_object(&mut self, dst: Expr, src: Expr, object: TypeId, site: Site) -> Result<Option<Expr>> {
        self.copy_object(dst, src, object, site.span)?;
        Ok(None)
    }

    /// Runs `write` on both sides of the comparison; yields its outcome.
    fn swap_if(&mut self, old: &Expr, expected: Expr, write: impl FnOnce(&mut Self, bool) + Clone) -> Expr {
        let same = Expr::binary(BinOp::Eq, old.clone(), expected);
        let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        let result = self.raw_temp(1);
        self.split(same, (yes, Note::None), (no, Note::None));
        for (side, equal) in [(yes, true), (no, false)] {
            self.resume(side);
            write.clone()(self, equal);
            self.emit(Op::Assign { dst: result, value: Expr::truth(equal) });
            self.goto(end);
        }
        self.resume(end);
        Expr::Reg(result, 1)
    }

    /// `fetch_and_add`, `add_and_fetch`, `fetch_add`, `add_fetch` and their kin; signed arithmetic wraps.
    fn fetch_and_compute(
        &mut self,
        name: &str,
        operation: &str,
        address: Expr,
        object: TypeId,
        operand: Option<Expr>,
        site: Site,
    ) -> Result<Option<Expr>> {
        let parts: Vec<&str> = operation.split('_').filter(|part| *part != "and" || operation == "and").collect();
        // `fetch_and_and` and `and_and_fetch` lose their operation to the filter.
        let compute = parts.iter().find(|part| **part != "fetch").copied().unwrap_or("and");
        let old = self.read(&address, object, site)?;
        let Some(operand) = operand else { return Ok(Some(old)) };
        let operand = self.reusable(operand.resized(old.width(), false));
        let (a, b) = (old.clone(), operand);
        let new = match compute {
            "add" => Expr::binary(BinOp::Add, a, b),
            "sub" => Expr::binary(BinOp::Sub, a, b),
            "and" => Expr::binary(BinOp::And, a, b),
            "or" => Expr::binary(BinOp::Or, a, b),
            "xor" => Expr::binary(BinOp::Xor, a, b),
            "nand" => Expr::unary(UnOp::Not, Expr::binary(BinOp::And, a, b)),
            _ => {
                self.refuse(format!("the built-in function `{name}`"), site.span)?;
                a
            }
        };
        self.emit(Op::Store { addr: address, value: new.clone() });
        Ok(Some(if operation.starts_with("fetch") { old } else { new }))
    }
}
