//! Calls: arguments, hidden parameters, results.

use std::sync::Arc;

use super::super::ir::{
    BinOp, Callee, ErrorKind, Expr, FloatConversion, FunctionId, HaltKind, NondetKind, Note, Object, Op, Received,
};
use super::super::library::{self, Known};
use super::function::Lowerer;
use super::kinds::{self, Kind};
use super::order::Siblings;
use super::purity;
use super::{Target, UnitId};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax;
use crate::c::types::{Type, TypeId};

/// An evaluated argument.
#[derive(Clone, Debug)]
pub struct Argument<'u> {
    pub value: Expr,
    pub ty: TypeId,
    /// What it was in the text, where the call stands in the text.
    pub syntax: Option<&'u syntax::Expr>,
}

/// The call as the text has it.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Type of the call expression.
    pub result: TypeId,
    pub note: Note,
    /// The value is used.
    pub wanted: bool,
    pub span: Span,
}

/// What a call of an automaton has to fit.
pub struct Prototype {
    pub id: FunctionId,
    pub result: Kind,
    pub params: Vec<Kind>,
    pub variadic: bool,
}

/// Functions whose call a reachability property forbids.
pub fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

impl<'u> Lowerer<'_, 'u> {
    /// A call; the value where there is one (of a record: the address of a temporary).
    pub fn call(
        &mut self,
        expr: &'u syntax::Expr,
        callee: &'u syntax::Callee,
        args: &'u [syntax::Expr],
        close: u32,
        wanted: bool,
    ) -> Result<Option<Expr>> {
        let site = Site { result: expr.ty, note: Note::Call { close }, wanted, span: expr.span };
        match callee {
            syntax::Callee::Direct(id) => {
                let target = self.builder.resolve(self.unit_id, *id)?;
                let id = &self.builder.canonical(self.unit_id, *id)?;
                let function = self.builder.syntax_function(self.unit_id, *id)?;
                match (target, args) {
                    (Target::Known(Known::Assume), [condition]) => {
                        let (next, vanish) = (self.new_loc(), self.vanish_loc());
                        self.branch(condition, (next, Note::None), (vanish, Note::None))?;
                        self.resume(next);
                        return Ok(None);
                    }
                    (Target::Known(Known::First), [first, rest @ ..]) => {
                        let value = self.rvalue(first)?;
                        for other in rest {
                            self.effect(other)?;
                        }
                        let width = self.kind(expr.ty).width().unwrap_or(value.width());
                        let signed = self.kind(first.ty).is_signed();
                        return Ok(Some(value.resized(width, signed)));
                    }
                    _ => {}
                }
                let args = self.arguments(args)?;
                self.entered(close);
                let Some(stub) = self.open_stub(*id, target, expr.span)? else {
                    let value = self.call_target(target, function, args, site)?;
                    return self.returned(close, value, expr.ty);
                };
                let value = self.call_prototype(&stub, &args, site)?;
                if function.noreturn {
                    self.end(Op::Halt(HaltKind::Abort));
                }
                Ok(value)
            }
            syntax::Callee::Indirect(pointer) => self.call_indirect(pointer, args, site),
        }
    }

    /// A landmark where the arguments of the call that ends at `close` have been evaluated.
    fn entered(&mut self, close: u32) {
        if self.has_landmarks() {
            self.emit_noted(Op::Skip, Note::Entered { close });
        }
    }

    /// A landmark where that call has been evaluated to `value`, which it hands on.
    fn returned(&mut self, close: u32, value: Option<Expr>, ty: TypeId) -> Result<Option<Expr>> {
        if !self.has_landmarks() || self.current.is_none() {
            return Ok(value);
        }
        let note = Note::Returned { close };
        Ok(match value {
            Some(value) if self.kind(ty).width() == Some(value.width()) => {
                let dst = self.temp(ty, self.span)?;
                self.emit_noted(Op::Assign { dst, value: value.clone() }, note);
                Some(Expr::Reg(dst, value.width()))
            }
            value => {
                self.emit_noted(Op::Skip, note);
                value
            }
        })
    }

    /// Calls what `function` stands for.
    pub fn call_target(
        &mut self,
        target: Target,
        function: &'u syntax::Function,
        args: Vec<Argument<'u>>,
        site: Site,
    ) -> Result<Option<Expr>> {
        match target {
            Target::Defined(unit, id) => {
                if unit == UnitId::User && is_error_function(&function.name) {
                    self.emit(Op::Error(ErrorKind::Call));
                }
                self.call_defined(unit, id, &args, site)
            }
            Target::Known(known) => self.call_known(known, function, &args, site),
            Target::Undefined => {
                let takes_memory =
                    args.iter().any(|arg| matches!(self.kind(arg.ty), Kind::Pointer { .. } | Kind::Record));
                self.give_away(&args);
                let value = self.call_undefined(function, takes_memory, site)?;
                if function.noreturn {
                    self.end(Op::Halt(HaltKind::Abort));
                }
                Ok(value)
            }
        }
    }

    /// Whether a call yields its first argument and nothing else happens (`__builtin_expect`).
    pub fn is_transparent(&self, callee: &syntax::Callee, args: &[syntax::Expr]) -> bool {
        let syntax::Callee::Direct(id) = callee else { return false };
        let Some((_, others)) = args.split_first() else { return false };
        if !others.iter().all(|other| self.is_pure(other)) {
            return false;
        }
        matches!(self.builder.resolve(self.unit_id, *id), Ok(Target::Known(Known::First)))
    }

    /// Evaluates arguments, from left to right where the order cannot matter.
    fn arguments(&mut self, args: &'u [syntax::Expr]) -> Result<Vec<Argument<'u>>> {
        if let Some(values) = self.in_any_order(&Siblings::Arguments(args))? {
            let pairs = values.into_iter().zip(args);
            return Ok(pairs.map(|(value, arg)| Argument { value, ty: arg.ty, syntax: Some(arg) }).collect());
        }
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let later = &args[i + 1..];
            let mut value = self.rvalue(arg)?;
            if self.kind(arg.ty) == Kind::Record {
                if later.iter().any(purity::may_write) {
                    let copy = self.temporary_object(arg.ty, arg.span)?;
                    self.copy_object(copy.clone(), value, arg.ty, arg.span)?;
                    value = copy;
                }
            } else if later.iter().any(purity::may_assign) {
                value = self.detached(value);
            }
            values.push(Argument { value, ty: arg.ty, syntax: Some(arg) });
        }
        Ok(values)
    }

    /// Calls a function that has a body, of this unit or of the library.
    pub fn call_defined(
        &mut self,
        unit: UnitId,
        id: syntax::FunctionId,
        args: &[Argument<'u>],
        site: Site,
    ) -> Result<Option<Expr>> {
        let types = &self.builder.unit(unit)?.types;
        let function = self.builder.syntax_function(unit, id)?;
        let (Some(body), Type::Function(signature)) = (&function.body, types.get(function.ty)) else {
            return Err(self.error("a call of something that is no function", site.span));
        };
        let params = &body.locals[..body.params as usize];
        let target = Prototype {
            id: self.builder.function(unit, id),
            result: kinds::kind(types, signature.result),
            params: params.iter().map(|param| kinds::kind(types, param.ty)).collect(),
            variadic: signature.variadic,
        };
        self.call_prototype(&target, args, site)
    }

    /// Calls an automaton by what it takes and returns.
    pub fn call_prototype(&mut self, target: &Prototype, args: &[Argument<'u>], site: Site) -> Result<Option<Expr>> {
        let mut values = Vec::with_capacity(args.len() + 1);
        let (returned, params) = (target.result, &target.params);
        let declared = self.kind(site.result);
        // What is declared without prototype, or otherwise than the library has it, can be called in any way.
        if declared != Kind::Void && returned != Kind::Void && !declared.travels_like(returned)
            || returned == Kind::Record && declared != Kind::Record
        {
            self.undefined("a call of a function that returns another type");
            return Ok(None);
        }
        // What lowering adds itself, such as a size, fits; only its type is borrowed.
        let given = params.iter().zip(args).filter(|(_, arg)| arg.syntax.is_some());
        if given.into_iter().any(|(param, arg)| !param.travels_like(self.kind(arg.ty))) {
            self.undefined("a call with an argument of another type");
            return Ok(None);
        }
        let result = self.result_object(returned, site, &mut values)?;
        for (i, &kind) in params.iter().enumerate() {
            let width = kind.width().unwrap_or(self.pointer_bits());
            let value = match args.get(i) {
                Some(arg) => self.fit(arg, kind, width),
                None => self.nondet(width, NondetKind::Uninitialised),
            };
            values.push(value);
        }
        if target.variadic {
            let extra = args.get(params.len()..).unwrap_or_default();
            values.push(self.variadic_area(extra, site.span)?);
        }
        self.finish_call(Callee::Direct(target.id), values, result, returned.width(), site)
    }

    fn call_indirect(
        &mut self,
        pointer: &'u syntax::Expr,
        args: &'u [syntax::Expr],
        site: Site,
    ) -> Result<Option<Expr>> {
        let mut callee = self.rvalue(pointer)?;
        if args.iter().any(purity::may_assign) {
            callee = self.detached(callee);
        }
        let args = self.arguments(args)?;
        if let Note::Call { close } = site.note {
            self.entered(close);
        }
        let signature = match self.types.get(pointer.ty) {
            Type::Pointer(target) => match self.types.get(*target) {
                Type::Function(signature) => signature,
                _ => return Err(self.error("a call of something that is no function", site.span)),
            },
            _ => return Err(self.error("a call of something that is no function", site.span)),
        };
        let mut values = Vec::with_capacity(args.len() + 1);
        let result = self.result_object(self.kind(signature.result), site, &mut values)?;
        let named = if signature.variadic { signature.params.len().min(args.len()) } else { args.len() };
        values.extend(args[..named].iter().map(|arg| arg.value.clone()));
        if signature.variadic {
            values.push(self.variadic_area(&args[named..], site.span)?);
        }
        let callee = Callee::Indirect(callee);
        let width = self.kind(signature.result).width();
        let value = self.finish_call(callee, values, result, width, site)?;
        match site.note {
            Note::Call { close } => self.returned(close, value, site.result),
            _ => Ok(value),
        }
    }

    /// The object for a record result, passed as the hidden first argument.
    fn result_object(&mut self, kind: Kind, site: Site, values: &mut Vec<Expr>) -> Result<Option<Expr>> {
        if kind != Kind::Record {
            return Ok(None);
        }
        let object = self.temporary_object(site.result, site.span)?;
        values.push(object.clone());
        Ok(Some(object))
    }

    fn finish_call(
        &mut self,
        callee: Callee,
        args: Vec<Expr>,
        object: Option<Expr>,
        width: Option<u32>,
        site: Site,
    ) -> Result<Option<Expr>> {
        let own = self.kind(site.result);
        let is_reported = self.has_landmarks() && own.width().is_some();
        let dst = match width {
            Some(width) if site.wanted || is_reported => Some(match own.width() {
                Some(own) if own == width => self.temp(site.result, site.span)?,
                _ => self.raw_temp(width),
            }),
            _ => None,
        };
        let may_jump = match &callee {
            Callee::Indirect(_) => true,
            Callee::Direct(_) => matches!(self.unit_id, UnitId::User | UnitId::Library(library::STDLIB)),
        };
        self.emit_noted(Op::Call { dst, callee, args }, site.note);
        if may_jump {
            self.check_jump()?;
        }
        if object.is_some() {
            return Ok(object);
        }
        let value = dst.zip(width).map(|(dst, width)| Expr::Reg(dst, width));
        Ok(match (value, own.width()) {
            (Some(value), Some(own_width)) => Some(value.resized(own_width, own.is_signed())),
            (None, Some(own_width)) if site.wanted => Some(self.nondet(own_width, NondetKind::Uninitialised)),
            (value, _) => value,
        })
    }

    /// An argument as the parameter takes it; they differ only where no prototype was in scope.
    fn fit(&mut self, arg: &Argument<'_>, param: Kind, width: u32) -> Expr {
        let kind = self.kind(arg.ty);
        match (kind, param) {
            (Kind::Float(from), Kind::Float(to)) if from != to => {
                Expr::FloatConvert(FloatConversion::Between { from, to }, Box::new(arg.value.clone()))
            }
            _ => arg.value.clone().resized(width, kind.is_signed()),
        }
    }

    /// The area that holds the arguments for `...`.
    fn variadic_area(&mut self, args: &[Argument<'u>], span: Span) -> Result<Expr> {
        if args.is_empty() {
            return Ok(self.pointer_constant(0));
        }
        let mut offsets = Vec::with_capacity(args.len());
        let mut size = 0;
        for arg in args {
            offsets.push(size);
            size += self.size(arg.ty, span)?.next_multiple_of(8);
        }
        let c_type: Arc<str> = "variadic arguments".into();
        let area = self.raw_object(size, 8, c_type, span);
        for (arg, offset) in args.iter().zip(offsets) {
            let at = Expr::binary(BinOp::Add, area.clone(), self.pointer_constant(offset));
            if self.kind(arg.ty) == Kind::Record {
                self.copy_object(at, arg.value.clone(), arg.ty, span)?;
            } else {
                self.emit(Op::Store { addr: at, value: arg.value.clone() });
            }
        }
        Ok(area)
    }

    /// `va_arg(list, ty)`: the next value of the area.
    pub fn next_vararg(&mut self, list: &'u syntax::Place, ty: TypeId, span: Span) -> Result<Expr> {
        let place = self.place(list)?;
        let at = self.load(&place, list.ty, list.span)?;
        let at = self.bind(at);
        let size = self.size(ty, span)?.next_multiple_of(8);
        let next = Expr::binary(BinOp::Add, at.clone(), self.pointer_constant(size));
        self.store(&place, next, list.ty, list.span)?;
        self.load(&super::places::Lvalue::Memory { address: at, bits: None }, ty, span)
    }

    /// Addresses of objects that an undefined function is given are taken from then on: skeletons must see that.
    fn give_away(&mut self, args: &[Argument<'u>]) {
        if !self.builder.options.open_world {
            return;
        }
        for arg in args {
            if !matches!(self.kind(arg.ty), Kind::Pointer { .. }) {
                continue;
            }
            let mut names_object = false;
            arg.value.for_objects(&mut |object| names_object |= !matches!(object, Object::Function(_)));
            if names_object {
                let (dst, size) = (arg.value.clone(), self.pointer_constant(0));
                self.emit(Op::Havoc { dst, size, bytes: Received::Any });
            }
        }
    }

    /// A function without a definition: any value, no effect.
    fn call_undefined(&mut self, function: &syntax::Function, takes_memory: bool, site: Site) -> Result<Option<Expr>> {
        if self.current.is_some() {
            self.builder.assume_harmless(&function.name);
            if self.kind(site.result) == Kind::Void && !takes_memory {
                self.builder.has_hidden_effect(&function.name);
            }
        }
        if function.is_const {
            // The same arguments give the same result, which nothing here keeps.
            self.inexact(library::INEXACT);
        }
        self.arbitrary_result(NondetKind::External(function.name.clone()), site)
    }

    /// Any value of the call's type.
    pub fn arbitrary_result(&mut self, kind: NondetKind, site: Site) -> Result<Option<Expr>> {
        match self.kind(site.result) {
            Kind::Void | Kind::Other => Ok(None),
            Kind::Record => {
                let dst = self.temporary_object(site.result, site.span)?;
                let size = self.pointer_constant(self.size(site.result, site.span)?);
                self.emit_noted(Op::Havoc { dst: dst.clone(), size, bytes: Received::Any }, site.note);
                Ok(Some(dst))
            }
            // An input is asked for whether its value is used or not: replaying counts them.
            _ if !site.wanted && matches!(kind, NondetKind::External(_) | NondetKind::Number(_)) => Ok(None),
            _ => {
                let dst = self.temp(site.result, site.span)?;
                self.emit_noted(Op::Nondet { dst, kind }, site.note);
                Ok(Some(Expr::Reg(dst, self.regs[dst.index()].width)))
            }
        }
    }

    /// Behaviour from here on is not modelled: no run goes on, and nothing is claimed about them.
    pub fn undefined(&mut self, why: &str) {
        self.end(Op::GiveUp(why.into()));
    }

    /// Calls the library's model of that name.
    pub fn call_model(&mut self, file: usize, model: &str, args: &[Argument<'u>], site: Site) -> Result<Option<Expr>> {
        let (unit, id) = self.builder.library_function(file, model)?;
        self.call_defined(unit, id, args, site)
    }
}
