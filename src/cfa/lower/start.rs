//! The synthetic function that everything starts in.

use super::super::ir::{BinOp, Callee, Expr, FunctionId, HaltKind, Op, Reg, RegDecl};
use super::function::Lowerer;
use super::{Builder, UnitId};
use crate::base::error::Result;
use crate::c::syntax;

impl Builder<'_> {
    /// Calls `main` with arbitrary arguments, keeps its result in the register `exit_code`, then ends the program.
    ///
    /// `argc` is at least one; `argv` and `envp` are pointers the program was given, which nothing is known about, so a run
    /// that looks into them gets no claim at all.
    pub(super) fn start(&mut self, main: syntax::FunctionId) -> Result<FunctionId> {
        let start = self.reserve();
        let function = self.syntax_function(UnitId::User, main)?;
        let id = self.function(UnitId::User, main);
        let mut lowerer = Lowerer::new(self, UnitId::User, None, "start".into())?;
        lowerer.span = function.span;
        let mut args = Vec::new();
        if let Some(body) = &function.body {
            for (i, param) in body.locals[..body.params as usize].iter().enumerate() {
                let name: &str = match i {
                    0 => "argc",
                    1 => "argv",
                    _ => "envp",
                };
                let width = lowerer.width(param.ty, param.span)?;
                let value = lowerer.external(width, name);
                if i == 0 && width > 1 {
                    let one = Expr::constant(1, width);
                    lowerer.emit(Op::Assume(Expr::binary(BinOp::Sle, one, value.clone())));
                }
                args.push(value);
            }
        }
        let result = match lowerer.types.get(function.ty) {
            crate::c::types::Type::Function(signature) => {
                if signature.variadic {
                    args.push(lowerer.pointer_constant(0));
                }
                lowerer.kind(signature.result).width()
            }
            _ => None,
        };
        let dst = result.map(|width| {
            let decl = RegDecl { name: Some("exit_code".into()), width, c_type: "int".into(), signed: true };
            lowerer.regs.push(decl);
            Reg::from_index(lowerer.regs.len() - 1)
        });
        lowerer.emit(Op::Call { dst, callee: Callee::Direct(id), args });
        lowerer.end(Op::Halt(HaltKind::Exit));
        let function = lowerer.into_function(Vec::new(), None, function.span);
        self.functions[start.index()] = Some(function);
        Ok(start)
    }
}
