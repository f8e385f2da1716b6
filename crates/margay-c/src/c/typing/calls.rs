//! Calls: arguments against parameters, implicit declarations.

use lang_c::ast::{self, Expression as Ast};
use lang_c::span::Node;
use std::sync::Arc;

use super::library::{builtin_signature, library_signature};
use super::{DataModel, Entity, Operand, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{Callee, Expr, ExprKind, Function, FunctionId};
use crate::c::types::{FunctionType, Type, TypeId};

impl<'a> Typer<'a> {
    pub(super) fn call(&mut self, call: &'a ast::CallExpression, span: Span) -> Result<Operand> {
        let close = span.end.saturating_sub(1);
        let name = match &call.callee.node {
            Ast::Identifier(i) => Some(self.name_of(i)),
            _ => None,
        };
        if let Some(name) = name
            && self.lookup(name).is_none()
        {
            if let Some(result) = self.special_call(name, &call.arguments, span)? {
                return Ok(result);
            }
            let id = match self.builtin_function(name, span) {
                Some(id) => id,
                None => self.declare_implicitly(name, span),
            };
            return self.call_function(id, &call.arguments, close, span).map(Operand::Value);
        }
        if let Some(name) = name
            && ["creal", "cimag", "conj"].iter().any(|part| name.starts_with(part))
            && let Some(Entity::Function(id)) = self.lookup(name)
            && self.functions[id.index()].body.is_none()
            && let Some(value) = self.parts_call(name, &call.arguments, span)?
        {
            return Ok(value);
        }
        if let Some(name) = name
            && let Some(Entity::Parameter(_)) = self.lookup(name)
        {
            return self.unsupported(span, "call in a prototype");
        }
        match self.operand(&call.callee)? {
            Operand::Function(id, _) => self.call_function(id, &call.arguments, close, span).map(Operand::Value),
            operand => {
                let pointer = self.value_of(operand)?;
                let Some(signature) = self.signature(pointer.ty).cloned() else {
                    return self.constraint(span, format!("call of {}", self.types.display(pointer.ty)));
                };
                let args = self.arguments(&call.arguments, &signature, span)?;
                // `(*f)(…)` and `f(…)` for a known function are direct calls.
                let callee = match pointer.kind {
                    ExprKind::FunctionAddress(id) => Callee::Direct(id),
                    _ => Callee::Indirect(Box::new(pointer)),
                };
                let kind = ExprKind::Call { callee, args, close };
                Ok(Operand::Value(Expr { kind, ty: signature.result, span }))
            }
        }
    }

    pub(super) fn call_function(
        &mut self,
        id: FunctionId,
        arguments: &'a [Node<Ast>],
        close: u32,
        span: Span,
    ) -> Result<Expr> {
        let ty = self.functions[id.index()].ty;
        let Type::Function(signature) = self.types.get(ty).clone() else {
            return self.constraint(span, "call of something that is no function");
        };
        let args = self.arguments(arguments, &signature, span)?;
        Ok(Expr { kind: ExprKind::Call { callee: Callee::Direct(id), args, close }, ty: signature.result, span })
    }

    fn arguments(&mut self, nodes: &'a [Node<Ast>], signature: &FunctionType, span: Span) -> Result<Vec<Expr>> {
        let expected = signature.params.len();
        if signature.prototyped && (nodes.len() < expected || (nodes.len() > expected && !signature.variadic)) {
            return self.constraint(span, format!("{} arguments given, {expected} expected", nodes.len()));
        }
        let mut args = Vec::with_capacity(nodes.len());
        for (i, node) in nodes.iter().enumerate() {
            let value = self.rvalue(node)?;
            args.push(match signature.params.get(i) {
                Some(&ty) => self.assign_convert(value, ty)?,
                None => self.promote_argument(value)?,
            });
        }
        Ok(args)
    }

    /// `int name()`, as C90 had it.
    fn declare_implicitly(&mut self, name: &'a str, span: Span) -> FunctionId {
        self.warn(span, format!("`{name}` is called without a declaration"));
        let result = self.common.int;
        let ty = self.types.intern(Type::Function(FunctionType {
            result,
            params: Vec::new(),
            variadic: false,
            prototyped: false,
        }));
        if let Some(Entity::Function(id)) = self.linkage.get(name).copied() {
            return id;
        }
        let id = self.push_function(name.into(), ty, span);
        // Visible from here on everywhere: a later declaration is merged with it.
        self.linkage.insert(name, Entity::Function(id));
        if let Some(file) = self.scopes.first_mut() {
            file.names.entry(name).or_insert(Entity::Function(id));
        }
        id
    }

    pub(super) fn push_function(&mut self, name: Arc<str>, ty: TypeId, span: Span) -> FunctionId {
        let id = FunctionId::from_index(self.functions.len());
        self.functions.push(Function {
            name,
            ty,
            body: None,
            span,
            noreturn: false,
            is_const: false,
            constructor: None,
            destructor: None,
            is_static: false,
            link: Default::default(),
            is_recast: false,
        });
        id
    }

    /// The function behind an undeclared name that gcc knows: `malloc`, `__builtin_memcpy`, `__builtin_clz`.
    pub(super) fn builtin_function(&mut self, name: &'a str, span: Span) -> Option<FunctionId> {
        if let Some(Entity::Function(id)) = self.linkage.get(name).copied() {
            return Some(id);
        }
        if let Some(signature) = library_signature(name)
            && !self.is_cut_to_int(name, signature)
        {
            return Some(self.library_function(name, signature, span));
        }
        let plain = name.strip_prefix("__builtin_")?;
        if let Some(Entity::Function(id)) = self.linkage.get(plain).copied()
            && library_signature(plain).is_some()
        {
            return Some(id);
        }
        if let Some(signature) = library_signature(plain) {
            return Some(self.library_function(plain, signature, span));
        }
        let signature = builtin_signature(plain)?;
        let ty = self.type_of_signature(signature);
        let id = self.function_named(name, ty, span);
        self.functions[id.index()].noreturn = plain == "trap";
        Some(id)
    }

    /// Without a declaration gcc gives functions that it has built in their type. Others return `int`, and what is wider does not
    /// survive that.
    fn is_cut_to_int(&self, name: &str, signature: &str) -> bool {
        const NOT_BUILT_IN: &[&str] = &[
            "valloc",
            "memalign",
            "reallocarray",
            "strtok",
            "strtok_r",
            "strerror",
            "gets",
            "getenv",
            "fgets",
            "bsearch",
            "atol",
            "atoll",
            "atof",
            "strtol",
            "strtoul",
            "wcslen",
            "wcscpy",
            "wcscat",
            "wcsncpy",
            "wmemset",
            "wmemcpy",
        ];
        self.types.model == DataModel::Lp64
            && signature.starts_with(['p', 's', 'l', 'L', 'U', 'z', 'd', 'W'])
            && NOT_BUILT_IN.contains(&name)
    }

    /// A library function that is not declared yet; a later declaration is merged with it.
    fn library_function(&mut self, name: &'a str, signature: &str, span: Span) -> FunctionId {
        let ty = self.type_of_signature(signature);
        let id = self.push_function(name.into(), ty, span);
        self.functions[id.index()].noreturn = matches!(name, "abort" | "exit" | "_exit" | "_Exit" | "__assert_fail");
        self.linkage.insert(name, Entity::Function(id));
        id
    }

    /// A function of gcc's own, one per name and type.
    pub(super) fn function_named(&mut self, name: &str, ty: TypeId, span: Span) -> FunctionId {
        let key: (Arc<str>, TypeId) = (name.into(), ty);
        if let Some(&id) = self.implicit.get(&key) {
            return id;
        }
        let id = self.push_function(key.0.clone(), ty, span);
        self.implicit.insert(key, id);
        id
    }
}
