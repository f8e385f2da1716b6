//! Declarations at file and block scope.

use lang_c::ast;
use lang_c::span::Node;
use std::sync::Arc;

use super::declarators::Declared;
use super::specifiers::{Specifiers, Storage};
use super::statements::stmt;
use super::{DeclType, Entity, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::prepass::marker;
use crate::c::syntax::{
    Callee, Expr, ExprKind, FunctionId, Global, GlobalDefinition, GlobalId, Init, Local, LocalId, Place, PlaceKind,
    Stmt, StmtKind,
};
use crate::c::types::{ArrayLength, Type, TypeId};

impl<'a> Typer<'a> {
    pub(super) fn declaration_specifiers(&mut self, node: &'a Node<ast::Declaration>) -> Result<(Specifiers, Span)> {
        let span = self.span(node);
        let declaration = &node.node;
        let first = declaration.declarators.first().map_or(span.end, |d| d.span.start as u32);
        let specifiers =
            self.specifiers(&declaration.specifiers, span.start, first, declaration.declarators.is_empty())?;
        Ok((specifiers, span))
    }

    /// One declarator with its attributes applied; returns its alignment and whether it does not return.
    pub(super) fn declared(
        &mut self,
        specifiers: &Specifiers,
        node: &'a Node<ast::Declarator>,
        first: bool,
    ) -> Result<(Declared<'a>, Option<u64>, bool)> {
        let mut declared = self.declarator(specifiers.base, node)?;
        let mut align = specifiers.alignas.or(declared.ty.align);
        let mut noreturn = specifiers.noreturn;
        if !self.prepared.attributes.is_empty() {
            let attributes = self.declarator_attributes(node, first);
            self.refuse_odd_attributes(&attributes, declared.span)?;
            declared.ty.ty = self.apply_mode(declared.ty.ty, &attributes, declared.span)?;
            if let Some(bytes) = self.aligned(&attributes, declared.span)? {
                align = Some(align.unwrap_or(1).max(bytes));
            }
            noreturn |= attributes.iter().any(|a| a.name.eq_ignore_ascii_case("noreturn"));
        }
        Ok((declared, align, noreturn))
    }

    pub(super) fn file_declaration(&mut self, node: &'a Node<ast::Declaration>) -> Result<()> {
        let (specifiers, span) = self.declaration_specifiers(node)?;
        for (i, init_declarator) in node.node.declarators.iter().enumerate() {
            let declarator = &init_declarator.node;
            let (declared, align, noreturn) = self.declared(&specifiers, &declarator.declarator, i == 0)?;
            let Some(name) = declared.name else { continue };
            if name == marker::NEXT_FILE {
                self.next_file();
                continue;
            }
            if specifiers.storage == Storage::Typedef {
                self.types.note_alias(declared.ty.ty, name);
                self.declare_typedef(name, declared.ty, align);
                continue;
            }
            if matches!(self.types.get(declared.ty.ty), Type::Function(_)) {
                let id = self.declare_function(name, declared.ty, declared.span, noreturn)?;
                self.functions[id.index()].is_static |= specifiers.storage == Storage::Static;
                self.note_symbol(Entity::Function(id), span.start, &declarator.declarator, i == 0);
                continue;
            }
            let ty = self.object_type(&specifiers, declared.ty.ty, declarator, span)?;
            let elsewhere = specifiers.storage == Storage::Extern || specifiers.register;
            let external = elsewhere && declarator.initializer.is_none();
            let id = self.declare_global(name, ty, declared.span, align, external)?;
            self.declare_quals(Entity::Global(id), declared.ty.quals);
            self.globals[id.index()].is_static |= specifiers.storage == Storage::Static;
            self.note_symbol(Entity::Global(id), span.start, &declarator.declarator, i == 0);
            if self.has_word("constexpr", span.start, declarator.declarator.span.start as u32) {
                self.globals[id.index()].is_static = true;
                self.constants.insert(id);
            }
            if let Some(node) = &declarator.initializer {
                self.initialise_global(id, node, span)?;
            }
        }
        Ok(())
    }

    fn declare_typedef(&mut self, name: &'a str, ty: DeclType, align: Option<u64>) {
        let align = align.or(ty.align);
        self.bind(name, Entity::Typedef(DeclType { align, ..ty }));
    }

    /// The declared type, or the initialiser's for `__auto_type`.
    fn object_type(
        &mut self,
        specifiers: &Specifiers,
        ty: TypeId,
        declarator: &'a ast::InitDeclarator,
        span: Span,
    ) -> Result<TypeId> {
        if !specifiers.auto {
            return if ty == self.common.void { self.constraint(span, "variable of type void") } else { Ok(ty) };
        }
        match declarator.initializer.as_ref().map(|i| &i.node) {
            Some(ast::Initializer::Expression(e)) => {
                let operand = self.unevaluated(e)?;
                Ok(self.value_of(operand)?.ty)
            }
            _ => self.constraint(span, "__auto_type without an initialiser"),
        }
    }

    /// Two declarations of a name in one file have compatible types (C11 6.7p4). Old ones of functions without parameters, or none at
    /// all before a call, are not looked at.
    fn agrees(&self, name: &str, (old, new): (TypeId, TypeId), is_of_file: bool, span: Span) -> Result<()> {
        let agree = match (self.types.get(old), self.types.get(new)) {
            (Type::Function(f), Type::Function(g)) if !(f.prototyped && g.prototyped) => true,
            _ => self.compatible(old, new),
        };
        if agree || !is_of_file {
            return Ok(());
        }
        let (old, new) = (self.types.display(old), self.types.display(new));
        self.constraint(span, format!("`{name}` is declared with type {new}, and with type {old} before"))
    }

    pub(super) fn declare_function(
        &mut self,
        name: &'a str,
        DeclType { ty, quals, .. }: DeclType,
        span: Span,
        noreturn: bool,
    ) -> Result<FunctionId> {
        let id = match self.linkage.get(name).copied() {
            Some(Entity::Function(id)) => {
                let is_of_file = id.index() >= self.file_start.functions;
                self.agrees(name, (self.functions[id.index()].ty, ty), is_of_file, span)?;
                let ty = self.composite(self.functions[id.index()].ty, ty);
                self.functions[id.index()].ty = ty;
                id
            }
            Some(_) => return self.constraint(span, format!("`{name}` is declared as something else before")),
            None => {
                let id = self.push_function(name.into(), ty, span);
                self.linkage.insert(name, Entity::Function(id));
                id
            }
        };
        let function = &mut self.functions[id.index()];
        function.noreturn |= noreturn;
        if function.body.is_none() {
            function.span = span;
        }
        self.bind(name, Entity::Function(id));
        self.declare_quals(Entity::Function(id), quals);
        Ok(id)
    }

    fn declare_global(
        &mut self,
        name: &'a str,
        ty: TypeId,
        span: Span,
        align: Option<u64>,
        external: bool,
    ) -> Result<GlobalId> {
        let id = match self.linkage.get(name).copied() {
            Some(Entity::Global(id)) => {
                self.agrees(name, (self.globals[id.index()].ty, ty), id.index() >= self.file_start.globals, span)?;
                let ty = self.composite(self.globals[id.index()].ty, ty);
                self.globals[id.index()].ty = ty;
                id
            }
            Some(_) => return self.constraint(span, format!("`{name}` is declared as something else before")),
            None => {
                let id = GlobalId::from_index(self.globals.len());
                let (name_text, definition) = (name.into(), None);
                let (has_linkage, is_static) = (true, false);
                self.globals.push(Global {
                    name: name_text,
                    ty,
                    definition,
                    span,
                    has_linkage,
                    is_static,
                    link: Default::default(),
                });
                self.linkage.insert(name, Entity::Global(id));
                id
            }
        };
        let global = &mut self.globals[id.index()];
        if !external && global.definition.is_none() {
            global.definition = Some(GlobalDefinition { init: None, read_only: false, align: None });
            global.span = span;
        }
        if let Some(definition) = &mut global.definition {
            definition.align = definition.align.max(align);
        }
        self.bind(name, Entity::Global(id));
        Ok(id)
    }

    fn initialise_global(&mut self, id: GlobalId, node: &'a Node<ast::Initializer>, span: Span) -> Result<()> {
        self.in_static(true);
        let ty = self.globals[id.index()].ty;
        let result = self.initialiser(ty, node, span);
        self.in_static(false);
        let (ty, init) = result?;
        let global = &mut self.globals[id.index()];
        global.ty = ty;
        if let Some(definition) = &mut global.definition {
            if definition.init.is_some() && self.is_further_file && global.link.is_weak {
                return Ok(());
            }
            let gives_way = self.is_further_file && std::mem::take(&mut global.link.has_weak_definition);
            if definition.init.is_some() && !gives_way {
                let name = global.name.clone();
                return self.constraint(span, format!("`{name}` is initialised twice"));
            }
            definition.init = Some(init);
        }
        Ok(())
    }

    /// A new unnamed or block-scope static object.
    pub(super) fn new_global(&mut self, name: Arc<str>, ty: TypeId, init: Option<Init>, span: Span) -> GlobalId {
        let id = GlobalId::from_index(self.globals.len());
        let definition = Some(GlobalDefinition { init, read_only: false, align: None });
        self.globals.push(Global {
            name,
            ty,
            definition,
            span,
            has_linkage: false,
            is_static: false,
            link: Default::default(),
        });
        id
    }

    pub(super) fn new_local(&mut self, name: Arc<str>, ty: TypeId, span: Span, align: Option<u64>) -> LocalId {
        let memory = matches!(self.types.get(ty), Type::Array { .. } | Type::Record(_) | Type::VaList);
        let Some(function) = &mut self.function else { return LocalId(0) };
        let id = LocalId::from_index(function.locals.len());
        function.locals.push(Local { name, ty, span, address_taken: memory, align });
        id
    }

    fn in_static(&mut self, on: bool) {
        if let Some(function) = &mut self.function {
            function.static_initialiser = on;
        }
    }

    pub(super) fn in_static_initialiser(&self) -> bool {
        self.function.as_ref().is_some_and(|f| f.static_initialiser)
    }

    /// A declaration inside a function; appends what it does.
    pub(super) fn block_declaration(&mut self, node: &'a Node<ast::Declaration>, out: &mut Vec<Stmt>) -> Result<()> {
        let (specifiers, span) = self.declaration_specifiers(node)?;
        self.flush_lengths(out, span);
        for (i, init_declarator) in node.node.declarators.iter().enumerate() {
            let declarator = &init_declarator.node;
            let (declared, align, noreturn) = self.declared(&specifiers, &declarator.declarator, i == 0)?;
            self.flush_lengths(out, span);
            let Some(name) = declared.name else { continue };
            let whole = self.span(init_declarator);
            let at = if i == 0 { Span::new(span.start, whole.end) } else { whole };
            if specifiers.storage == Storage::Typedef {
                self.declare_typedef(name, declared.ty, align);
                continue;
            }
            if matches!(self.types.get(declared.ty.ty), Type::Function(_)) {
                if is_of_block(node) {
                    // One of the block itself, to be defined.
                    self.nested_function(name, declared.ty.ty, declared.span);
                    continue;
                }
                let id = self.declare_function(name, declared.ty, declared.span, noreturn)?;
                self.note_symbol(Entity::Function(id), span.start, &declarator.declarator, i == 0);
                continue;
            }
            let ty = self.object_type(&specifiers, declared.ty.ty, declarator, span)?;
            match specifiers.storage {
                Storage::Extern => {
                    let id = self.declare_global(name, ty, declared.span, align, true)?;
                    self.note_symbol(Entity::Global(id), span.start, &declarator.declarator, i == 0);
                    self.declare_quals(Entity::Global(id), declared.ty.quals);
                }
                Storage::Static => {
                    let id = self.new_global(name.into(), ty, None, declared.span);
                    if let Some(definition) = &mut self.globals[id.index()].definition {
                        definition.align = align;
                    }
                    self.bind(name, Entity::Global(id));
                    self.declare_quals(Entity::Global(id), declared.ty.quals);
                    if let Some(node) = &declarator.initializer {
                        self.initialise_global(id, node, span)?;
                    }
                }
                _ => {
                    let from = (span.start, i == 0);
                    self.block_variable(name, ty, (&declared, align), declarator, (at, from), out)?;
                }
            }
        }
        Ok(())
    }

    fn block_variable(
        &mut self,
        name: &'a str,
        ty: TypeId,
        (declared, align): (&Declared<'a>, Option<u64>),
        declarator: &'a ast::InitDeclarator,
        (span, (start, is_first)): (Span, (u32, bool)),
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let mut cleanup = None;
        if !self.prepared.attributes.is_empty() {
            let before = self.specifier_attributes(start, declarator.declarator.span.start as u32, &[]);
            let own = self.declarator_attributes(&declarator.declarator, is_first);
            let mut all = before.into_iter().chain(own);
            cleanup = all.find(|a| a.name == "cleanup").and_then(|a| a.argument.as_deref());
        }
        if self.scopes.last().is_some_and(|scope| matches!(scope.names.get(name), Some(Entity::Local(_)))) {
            return self.constraint(declared.span, format!("`{name}` is declared twice in one block"));
        }
        let local = self.new_local(name.into(), ty, declared.span, align);
        // In scope in its own initialiser.
        self.bind(name, Entity::Local(local));
        self.declare_quals(Entity::Local(local), declared.ty.quals);
        let init = match &declarator.initializer {
            Some(node) => {
                let (ty, init) = self.initialiser(ty, node, span)?;
                if let Some(function) = &mut self.function {
                    function.locals[local.index()].ty = ty;
                }
                Some(init)
            }
            None => None,
        };
        let ty = self.function.as_ref().map_or(ty, |f| f.locals[local.index()].ty);
        if self.types.size_of(ty).is_none() && !self.types.is_variable(ty) {
            return self.constraint(span, format!("`{name}` has incomplete type {}", self.types.display(ty)));
        }
        self.flush_lengths(out, span);
        out.push(stmt(StmtKind::Declare { local, init }, span));
        if let Some(name) = cleanup {
            let call = self.cleanup_call(name, local, ty, span)?;
            out.push(stmt(StmtKind::Cleanup { call, on_jumps: false }, span));
        }
        Ok(())
    }

    /// `name(&local)`.
    fn cleanup_call(&mut self, name: &str, local: LocalId, ty: TypeId, span: Span) -> Result<Expr> {
        let Some(Entity::Function(id)) = self.lookup(name) else {
            return self.constraint(span, format!("cleanup argument `{name}` is not a function"));
        };
        let place = Place { kind: PlaceKind::Local(local), ty, span };
        self.take_address(&place);
        let pointer = self.types.pointer_to(ty);
        let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: pointer, span };
        let Type::Function(signature) = self.types.get(self.functions[id.index()].ty).clone() else {
            return self.constraint(span, format!("cleanup argument `{name}` is not a function"));
        };
        let address = match signature.params[..] {
            [param] => self.convert(address, param)?,
            _ => address,
        };
        let kind = ExprKind::Call { callee: Callee::Direct(id), args: vec![address], close: span.end };
        Ok(Expr { kind, ty: signature.result, span })
    }

    /// Variable array lengths met in a declaration are evaluated before it.
    pub(super) fn flush_lengths(&mut self, out: &mut Vec<Stmt>, span: Span) {
        if let Some(function) = &mut self.function {
            for (index, length) in function.pending_lengths.drain(..) {
                out.push(stmt(StmtKind::VlaLength { index, length }, span));
            }
        }
    }

    /// At the end of the unit a tentative `int a[];` has one element.
    pub(super) fn complete_tentative_definitions(&mut self) -> Result<()> {
        for i in 0..self.globals.len() {
            let global = &self.globals[i];
            if let (Some(_), &Type::Array { element, length: ArrayLength::Unknown }) =
                (&global.definition, self.types.get(global.ty))
            {
                let ty = self.types.intern(Type::Array { element, length: ArrayLength::Known(1) });
                self.globals[i].ty = ty;
            }
            let global = &self.globals[i];
            if global.definition.is_some() && self.types.size_of(global.ty).is_none() {
                let message = format!("`{}` has incomplete type {}", global.name, self.types.display(global.ty));
                return self.constraint(global.span, message);
            }
        }
        Ok(())
    }
}

/// `auto int f(int);` announces a function that the block defines.
fn is_of_block(node: &Node<ast::Declaration>) -> bool {
    node.node.specifiers.iter().any(|specifier| match &specifier.node {
        ast::DeclarationSpecifier::StorageClass(class) => class.node == ast::StorageClassSpecifier::Auto,
        _ => false,
    })
}
