//! The synthetic function that everything starts in.

use super::super::ir::{
    AllocKind, BinOp, Callee, Expr, Function, FunctionId, HaltKind, NondetKind, Note, Op, Received, Reg, RegDecl,
};
use super::super::liveness::for_exprs;
use super::function::Lowerer;
use super::kinds::Kind;
use super::{Builder, UnitId};
use crate::base::error::{Error, ErrorKind, Result};
use crate::c::syntax;
use crate::c::types::Type;

/// The bytes of the longest argument: no longer one reaches a program on Linux.
const LONGEST_ARGUMENT: u64 = 131_071;

impl Builder<'_> {
    /// The functions that run before `main`, in their order; those that run at the end of the program are noted.
    ///
    /// # Errors
    /// Where one of them has parameters: what it is given is the system's affair.
    pub(super) fn reach_constructors(&mut self) -> Result<Vec<FunctionId>> {
        let unit = self.unit(UnitId::User)?;
        let numbered = |priority: fn(&syntax::Function) -> Option<u32>| {
            let with_body = unit.functions.iter().enumerate().filter(|(_, function)| function.body.is_some());
            let mut found: Vec<_> = with_body.filter_map(|(id, f)| Some((priority(f)?, id))).collect();
            found.sort_unstable();
            found
        };
        let mut called = |ids: Vec<(u32, usize)>| -> Result<Vec<FunctionId>> {
            let one = |(_, id)| {
                let id = syntax::FunctionId::from_index(id);
                let function = self.syntax_function(UnitId::User, id)?;
                match function.body.as_ref().is_some_and(|body| body.params == 0) {
                    true => Ok(self.function(UnitId::User, id)),
                    false => {
                        let message = format!("`{}` runs before `main` or after it and has parameters", function.name);
                        let pos = unit.source.pos(function.span.start);
                        Err(Error::at(ErrorKind::Unsupported, message, pos))
                    }
                }
            };
            ids.into_iter().map(one).collect()
        };
        let constructors = called(numbered(|function| function.constructor))?;
        let mut destructors = called(numbered(|function| function.destructor))?;
        destructors.reverse();
        self.destructors = destructors;
        Ok(constructors)
    }

    /// Builds `start`: it calls `main` with arbitrary valid arguments, keeps the result in the register `exit_code`, then
    /// ends the program. To be called when `main` has been lowered.
    ///
    /// `argc` is at least one. `argv`, where `main` looks at it, is an array of that many pointers to strings, each with an
    /// object of its own, and a null pointer. Nothing is known of `envp`: a run that looks into it gets no claim at all. A program
    /// that starts at another function gives it any values.
    pub(super) fn start(
        &mut self,
        start: FunctionId,
        main: syntax::FunctionId,
        constructors: &[FunctionId],
    ) -> Result<()> {
        let function = self.syntax_function(UnitId::User, main)?;
        let id = self.function(UnitId::User, main);
        let lowered = self.functions[id.index()].as_ref();
        let reads_strings = lowered.is_some_and(|main| main.params.get(1).is_some_and(|reg| reads(main, *reg)));
        let mut lowerer = Lowerer::new(self, UnitId::User, None, "start".into())?;
        lowerer.span = function.span;
        for constructor in constructors {
            lowerer.call_for_nothing(*constructor);
        }
        let is_main = &*function.name == "main";
        let params = function.body.as_ref().map_or(&[][..], |body| &body.locals[..body.params as usize]);
        let mut args: Vec<Expr> = Vec::with_capacity(params.len());
        for (i, param) in params.iter().enumerate() {
            if !is_main {
                let value = lowerer.any_argument(param)?;
                args.push(value);
                continue;
            }
            let width = lowerer.width(param.ty, param.span)?;
            let value = match (i, args.first()) {
                (0, _) => {
                    let count = lowerer.external_number(width, "argc");
                    let one = Expr::constant(1, width);
                    if width > 1 {
                        lowerer.emit(Op::Assume(Expr::binary(BinOp::Sle, one, count.clone())));
                    }
                    count
                }
                (1, Some(count)) if reads_strings && width == lowerer.pointer_bits() => {
                    let count = count.clone();
                    lowerer.arguments_array(count)
                }
                (1, _) => lowerer.external(width, "argv"),
                _ => lowerer.external(width, "envp"),
            };
            args.push(value);
        }
        let result = match lowerer.types.get(function.ty) {
            Type::Function(signature) => {
                if signature.variadic {
                    args.push(lowerer.pointer_constant(0));
                }
                match lowerer.kind(signature.result) {
                    Kind::Record => {
                        let object = lowerer.temporary_object(signature.result, function.span)?;
                        args.insert(0, object);
                        None
                    }
                    // The status that the program ends with.
                    Kind::Int { width, .. } => Some(("exit_code", width)),
                    // The caller of another function than `main` has what it returns: no block is lost by that.
                    Kind::Pointer { .. } if !is_main => Some(("result", lowerer.pointer_bits())),
                    _ => None,
                }
            }
            _ => None,
        };
        let dst = result.map(|(name, width)| {
            let decl = RegDecl { name: Some(name.into()), width, c_type: "int".into(), signed: true, scope: None };
            lowerer.regs.push(decl);
            Reg::from_index(lowerer.regs.len() - 1)
        });
        lowerer.emit(Op::Call { dst, callee: Callee::Direct(id), args });
        lowerer.end(Op::Halt(HaltKind::Exit));
        let function = lowerer.into_function(Vec::new(), None, function.span);
        self.functions[start.index()] = Some(function);
        Ok(())
    }
}

/// The bytes of a text before its end.
const NOT_ZERO: [u64; 4] = [!1, u64::MAX, u64::MAX, u64::MAX];

/// Some op of the function reads `reg`.
fn reads(function: &Function, reg: Reg) -> bool {
    let mut found = false;
    for edge in function.locations.iter().flat_map(|location| &location.edges) {
        for_exprs(&edge.op, &mut |expr| expr.for_regs(&mut |read| found |= read == reg));
    }
    found
}

impl Lowerer<'_, '_> {
    /// Calls a function without parameters, whatever it returns.
    fn call_for_nothing(&mut self, function: FunctionId) {
        self.emit(Op::Call { dst: None, callee: Callee::Direct(function), args: Vec::new() });
    }

    /// `argv`: objects of their own, filled in a loop.
    fn arguments_array(&mut self, count: Expr) -> Expr {
        let bits = self.pointer_bits();
        let pointer_bytes = self.pointer_constant(u64::from(bits / 8));
        let count = count.resized(bits, true);
        let slots = Expr::binary(BinOp::Add, count.clone(), self.pointer_constant(1));
        let size = Expr::binary(BinOp::Mul, slots, pointer_bytes.clone());
        let array = self.argument_block(size);
        let index = self.raw_temp(bits);
        let here = Expr::Reg(index, bits);
        self.emit(Op::Assign { dst: index, value: self.pointer_constant(0) });
        let (head, body, done) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.goto(head);
        self.resume(head);
        let more = Expr::binary(BinOp::Ult, here.clone(), count.clone());
        self.split(more, (body, Note::None), (done, Note::None));

        self.resume(body);
        // Any string: a block that it fills, of bytes that are not zero with a zero behind them.
        let length = self.external_number(bits, "argument");
        self.emit(Op::Assume(Expr::binary(BinOp::Ule, length.clone(), self.pointer_constant(LONGEST_ARGUMENT))));
        let room = Expr::binary(BinOp::Add, length.clone(), self.pointer_constant(1));
        let text = self.argument_block(room);
        let bytes = Received::Members(Box::new(NOT_ZERO.map(|part| Expr::constant(part.into(), 64))));
        self.emit(Op::Havoc { dst: text.clone(), size: length.clone(), bytes });
        let end = Expr::binary(BinOp::Add, text.clone(), length);
        self.emit(Op::Store { addr: end, value: Expr::constant(0, 8) });
        let element = |index: Expr| {
            let offset = Expr::binary(BinOp::Mul, index, pointer_bytes.clone());
            Expr::binary(BinOp::Add, array.clone(), offset)
        };
        self.emit(Op::Store { addr: element(here.clone()), value: text });
        let next = Expr::binary(BinOp::Add, here, self.pointer_constant(1));
        self.emit(Op::Assign { dst: index, value: next });
        self.goto(head);

        self.resume(done);
        self.emit(Op::Store { addr: element(count), value: self.pointer_constant(0) });
        array
    }

    /// Any value of the parameter's type.
    fn any_argument(&mut self, param: &syntax::Local) -> Result<Expr> {
        if self.kind(param.ty) != Kind::Record {
            let width = self.width(param.ty, param.span)?;
            let value = self.external(width, &param.name);
            if let Kind::Int { bool: true, .. } = self.kind(param.ty) {
                self.emit(Op::Assume(Expr::binary(BinOp::Ule, value.clone(), Expr::constant(1, width))));
            }
            return Ok(value);
        }
        let object = self.temporary_object(param.ty, param.span)?;
        let size = self.pointer_constant(self.size(param.ty, param.span)?);
        self.emit(Op::Havoc { dst: object.clone(), size, bytes: Received::Any });
        Ok(object)
    }

    /// A new block that lives as long as the program.
    fn argument_block(&mut self, size: Expr) -> Expr {
        let bits = self.pointer_bits();
        let dst = self.raw_temp(bits);
        self.emit(Op::Alloc { dst, size, kind: AllocKind::Argument, zeroed: false });
        Expr::Reg(dst, bits)
    }

    /// Any number, from outside the program.
    fn external_number(&mut self, width: u32, name: &str) -> Expr {
        self.nondet(width, NondetKind::Number(name.into()))
    }

    /// Any value, from outside the program.
    fn external(&mut self, width: u32, name: &str) -> Expr {
        self.nondet(width, NondetKind::External(name.into()))
    }
}
