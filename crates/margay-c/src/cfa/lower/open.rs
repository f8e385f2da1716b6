//! Lowering of code without a `main`: every function stands for itself, and what cannot be lowered leaves a stub.

use std::sync::Arc;

use super::super::ir::{Function, FunctionId, GlobalId, HaltKind, Op, Program, Reg, RegDecl};
use super::super::library::Known;
use super::calls::Prototype;
use super::function::Lowerer;
use super::kinds::Kind;
use super::{Builder, LowerOptions, Target, UnitId};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Span;
use crate::c::syntax::{self, Unit};
use crate::c::types::{FunctionType, Type, TypeId};

/// Every function of a file, ready to be looked at without a caller.
///
/// Calls lead to *stubs* where there is nothing to run: functions whose entry has no edges ([`Function::is_stub`]).
#[derive(Clone, Debug)]
pub struct OpenProgram {
    /// `start` halts at once, and calls nothing, whether there is a `main` or not.
    pub program: Program,
    /// The functions that the user's text defines, headers included, in the order of the text; those that could not be
    /// lowered are stubs.
    pub functions: Vec<FunctionId>,
    /// Those of `functions` that other files can call by name: the ones without `static`.
    pub exported: Vec<FunctionId>,
    /// Globals that are the same object in every file that names them: neither `static` nor literals.
    pub exported_globals: Vec<GlobalId>,
    /// Functions that are called, or whose address is taken, and that neither the text defines nor the library knows: stubs.
    /// Those declared without a prototype, or with `...`, are not among them but in [`Program::assumed`].
    pub externs: Vec<FunctionId>,
    /// What could not be lowered, with the reason and where it lies: functions of the text, functions of the C library that
    /// have no model (stubs both), and globals (taken to hold anything).
    pub refused: Vec<(Arc<str>, Error)>,
}

/// What open lowering gathers on its way.
#[derive(Debug, Default)]
pub(super) struct Open {
    externs: Vec<FunctionId>,
    refused: Vec<(Arc<str>, Error)>,
}

/// Lowers every function the user's file defines; call it inside [`crate::c::with_big_stack`]. What cannot be lowered does
/// not stop the rest.
///
/// # Errors
/// None that an input is known to bring about.
pub fn lower_open(unit: &Unit, options: &LowerOptions) -> Result<OpenProgram> {
    let library = Default::default();
    let mut builder = Builder::new(unit, &library, *options);
    builder.open = Some(Open::default());
    let start = builder.reserve();
    let mut lowerer = Lowerer::new(&mut builder, UnitId::User, None, "start".into())?;
    lowerer.end(Op::Halt(HaltKind::Vanish));
    let function = lowerer.into_function(Vec::new(), None, Default::default());
    builder.functions[start.index()] = Some(function);

    let mut defined: Vec<usize> = (0..unit.functions.len()).filter(|&i| unit.functions[i].body.is_some()).collect();
    defined.sort_by_key(|&index| unit.functions[index].span.start);
    let functions = defined.into_iter().map(syntax::FunctionId::from_index);
    let functions: Vec<_> = functions.map(|id| (id, builder.function(UnitId::User, id))).collect();
    builder.drain()?;
    let exported = functions.iter().filter(|(id, _)| !unit.functions[id.index()].is_static);
    let exported = exported.map(|(_, function)| *function).collect();
    let functions = functions.into_iter().map(|(_, function)| function).collect();
    let Open { externs, refused } = builder.open.take().unwrap_or_default();
    let mut exported_globals: Vec<GlobalId> = Vec::new();
    for (&(unit, id), &global) in &builder.global_ids {
        let declared = &builder.unit(unit)?.globals[id.index()];
        if declared.has_linkage && !declared.is_static {
            exported_globals.push(global);
        }
    }
    exported_globals.sort_unstable();
    Ok(OpenProgram { program: builder.finish(start)?, functions, exported, exported_globals, externs, refused })
}

impl<'u> Builder<'u> {
    /// Notes that `name` is refused; the error itself where one refusal is the end of it.
    pub(super) fn note_refused(&mut self, name: Arc<str>, error: Error) -> Result<()> {
        match &mut self.open {
            Some(open) => {
                open.refused.push((name, error));
                Ok(())
            }
            None => Err(error),
        }
    }

    /// The function, or a stub in its place where it is refused in open code.
    pub(super) fn or_stub(
        &mut self,
        unit: UnitId,
        id: syntax::FunctionId,
        lowered: Result<Function>,
    ) -> Result<Function> {
        let Err(error) = lowered else { return lowered };
        let function = self.syntax_function(unit, id)?;
        let Type::Function(signature) = self.unit(unit)?.types.get(function.ty) else { return Err(error) };
        self.note_refused(function.name.clone(), error)?;
        self.stub(unit, function, signature)
    }

    /// The stub of a function without a definition.
    fn undefined_stub(&mut self, unit: UnitId, id: syntax::FunctionId, refused: Option<Error>) -> Result<FunctionId> {
        if let Some(&known) = self.function_ids.get(&(unit, id)) {
            return Ok(known);
        }
        let function = self.syntax_function(unit, id)?;
        let Type::Function(signature) = self.unit(unit)?.types.get(function.ty) else {
            return Err(Error::new(ErrorKind::Unsupported, format!("`{}` is no function", function.name)));
        };
        let stub = self.stub(unit, function, signature)?;
        let new = self.reserve();
        self.functions[new.index()] = Some(stub);
        self.function_ids.insert((unit, id), new);
        match (refused, &mut self.open) {
            (Some(error), _) => self.note_refused(function.name.clone(), error)?,
            (None, Some(open)) => open.externs.push(new),
            (None, None) => {}
        }
        Ok(new)
    }

    /// A function without edges that is called as `function` is.
    fn stub(&mut self, unit: UnitId, function: &syntax::Function, signature: &FunctionType) -> Result<Function> {
        let params: Vec<TypeId> = match &function.body {
            Some(body) => body.locals[..body.params as usize].iter().map(|local| local.ty).collect(),
            None => signature.params.clone(),
        };
        let mut lowerer = Lowerer::new(self, unit, None, function.name.clone())?;
        let mut regs = lowerer.result_parameter(signature.result);
        for ty in params {
            let width = lowerer.kind(ty).width().unwrap_or(lowerer.pointer_bits());
            let c_type = lowerer.builder.type_name(unit, ty);
            let signed = lowerer.kind(ty).is_signed();
            lowerer.regs.push(RegDecl { name: None, width, c_type, signed, scope: None });
            regs.push(Reg::from_index(lowerer.regs.len() - 1));
        }
        if signature.variadic {
            regs.push(lowerer.hidden("void *"));
        }
        let width = lowerer.kind(signature.result).width();
        Ok(lowerer.into_function(regs, width, function.span))
    }
}

impl<'u> Lowerer<'_, 'u> {
    /// The stub that a use of `target` at `span` leads to in open code; `None` where the use is lowered as in a whole
    /// program.
    pub(super) fn open_stub(
        &mut self,
        id: syntax::FunctionId,
        target: Target,
        span: Span,
    ) -> Result<Option<Prototype>> {
        let refused = match target {
            _ if self.builder.open.is_none() => return Ok(None),
            Target::Undefined => None,
            Target::Known(Known::Unsupported) if self.current.is_some() => {
                let name = &self.unit.functions[id.index()].name;
                Some(self.error(format!("the library function `{name}`"), span))
            }
            _ => return Ok(None),
        };
        let function = &self.unit.functions[id.index()];
        let Type::Function(signature) = self.types.get(function.ty) else { return Ok(None) };
        let params: Vec<Kind> = signature.params.iter().map(|&ty| self.kind(ty)).collect();
        let result = self.kind(signature.result);
        if !signature.prototyped || signature.variadic || params.contains(&Kind::Other) || result == Kind::Other {
            return Ok(None);
        }
        let id = self.builder.undefined_stub(self.unit_id, id, refused)?;
        Ok(Some(Prototype { id, result, params, variadic: false }))
    }
}
