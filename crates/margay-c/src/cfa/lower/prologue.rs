//! Whole functions: parameters, body, and stubs for functions without one.

use super::super::ir::{Expr, Function, Note, Op, Reg, RegDecl};
use super::calls::{Argument, Site, is_error_function};
use super::function::{Home, Lowerer};
use super::kinds::Kind;
use super::{Builder, UnitId};
use crate::base::error::Result;
use crate::c::syntax::{self, FunctionBody, LocalId};
use crate::c::types::{Type, TypeId};

impl<'u> Builder<'u> {
    pub(super) fn lower_function(&mut self, unit: UnitId, id: syntax::FunctionId) -> Result<Function> {
        let function = self.syntax_function(unit, id)?;
        let body = function.body.as_ref();
        let mut lowerer = Lowerer::new(self, unit, body, function.name.clone())?;
        lowerer.span = function.span;
        let Type::Function(signature) = lowerer.types.get(function.ty) else {
            return Err(lowerer.error("a definition of something that is no function", function.span));
        };
        let mut params = lowerer.result_parameter(signature.result);
        if let Some(body) = body {
            lowerer.parameters(body, &mut params)?;
        }
        if signature.variadic {
            let area = lowerer.hidden("void *");
            lowerer.varargs = Some(area);
            params.push(area);
        }
        if unit == UnitId::User && is_error_function(&function.name) {
            // For calls through pointers; a direct call says it before it gets here.
            lowerer.emit(Op::Error(super::super::ir::ErrorKind::Call));
        }
        if let Some(body) = body {
            lowerer.enter_places();
            lowerer.block(&body.block)?;
            lowerer.span = lowerer.end_span(body);
            let is_main = unit == UnitId::User && &*function.name == "main";
            let value = match lowerer.result_type {
                Some(ty) if is_main => Some(Expr::constant(0, lowerer.width(ty, function.span)?)),
                _ => None,
            };
            lowerer.end(Op::Return { value });
            lowerer.resolve_gotos()?;
            let width = lowerer.result_type.map(|ty| lowerer.width(ty, function.span)).transpose()?;
            lowerer.resolve_jumps(width)?;
        }
        let width = lowerer.result_type.map(|ty| lowerer.width(ty, function.span)).transpose()?;
        let unprototyped = !signature.prototyped && lowerer.result_address.is_none();
        let recast = function.is_recast;
        Ok(Function { unprototyped, recast, ..lowerer.into_function(params, width, function.span) })
    }

    /// A function without body whose address is taken: a call through a pointer does what a direct call does.
    pub(super) fn lower_stub(&mut self, unit: UnitId, id: syntax::FunctionId) -> Result<Function> {
        let target = self.resolve(unit, id)?;
        let function = self.syntax_function(unit, id)?;
        let mut lowerer = Lowerer::new(self, unit, None, function.name.clone())?;
        lowerer.span = function.span;
        let Type::Function(signature) = lowerer.types.get(function.ty) else {
            return Err(lowerer.error("the address of something that is no function", function.span));
        };
        let mut params = lowerer.result_parameter(signature.result);
        let mut args = Vec::with_capacity(signature.params.len());
        for &ty in &signature.params {
            let reg = lowerer.temp(ty, function.span)?;
            params.push(reg);
            let value = Expr::Reg(reg, lowerer.regs[reg.index()].width);
            args.push(Argument { value, ty, syntax: None });
        }
        if signature.variadic {
            let area = lowerer.hidden("void *");
            params.push(area);
        }
        let site = Site { result: signature.result, note: Note::None, wanted: true, span: function.span };
        let value = lowerer.call_target(target, function, args, site)?;
        match (value, lowerer.result_type, lowerer.result_address) {
            (Some(src), _, Some(address)) => {
                let dst = Expr::Reg(address, lowerer.pointer_bits());
                lowerer.copy_object(dst, src, signature.result, function.span)?;
                lowerer.end(Op::Return { value: None });
            }
            (value, Some(_), _) => lowerer.end(Op::Return { value }),
            _ => lowerer.end(Op::Return { value: None }),
        }
        let width = lowerer.result_type.map(|ty| lowerer.width(ty, function.span)).transpose()?;
        // The position of a declaration says nothing about what goes wrong in a call.
        let recast = function.is_recast;
        Ok(Function { library: true, recast, ..lowerer.into_function(params, width, function.span) })
    }
}

impl<'u> Lowerer<'_, 'u> {
    /// Notes the result's type; a record result makes a hidden first parameter.
    pub(super) fn result_parameter(&mut self, result: TypeId) -> Vec<Reg> {
        match self.kind(result) {
            Kind::Record => {
                let address = self.hidden("void *");
                self.result_address = Some(address);
                vec![address]
            }
            kind => {
                self.result_type = kind.is_scalar().then_some(result);
                Vec::new()
            }
        }
    }

    /// A register of pointer width that no variable of the program has.
    pub(super) fn hidden(&mut self, c_type: &str) -> Reg {
        let width = self.pointer_bits();
        self.regs.push(RegDecl { name: None, width, c_type: c_type.into(), signed: false, scope: None });
        Reg::from_index(self.regs.len() - 1)
    }

    /// Parameters whose address is taken, and records, move to objects of the callee.
    fn parameters(&mut self, body: &'u FunctionBody, params: &mut Vec<Reg>) -> Result<()> {
        for (i, local) in body.locals[..body.params as usize].iter().enumerate() {
            let home = self.home(LocalId::from_index(i))?;
            let slot = match home {
                Home::Reg(reg) => {
                    params.push(reg);
                    continue;
                }
                Home::Slot(slot) => slot,
            };
            let incoming = self.temp(local.ty, local.span)?;
            params.push(incoming);
            let value = Expr::Reg(incoming, self.regs[incoming.index()].width);
            self.emit(Op::Enter { slot, size: None });
            let address = self.slot_address(slot);
            if self.kind(local.ty) == Kind::Record {
                self.copy_object(address, value, local.ty, local.span)?;
            } else {
                self.emit(Op::Store { addr: address, value });
            }
        }
        Ok(())
    }
}
