//! Function definitions, prototyped and K&R.

use lang_c::ast::{self, DerivedDeclarator as Derived};
use lang_c::span::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::nested::Shared;
use super::quals::Quals;
use super::specifiers::Storage;
use super::statements::stmt;
use super::{DeclType, Entity, Typer};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Span;
use crate::c::syntax::{Expr, ExprKind, FunctionBody, FunctionId, GlobalId, LabelId, Local, LocalId, Stmt, StmtKind};
use crate::c::types::{FunctionType, Type, TypeId};

/// What belongs to the function being typed.
pub(super) struct FunctionState<'a> {
    pub name: &'a str,
    pub result: TypeId,
    pub locals: Vec<Local>,
    pub quals: FxHashMap<LocalId, Quals>,
    pub labels: Vec<Arc<str>>,
    /// Label ids by name; the span is that of the first mention while the label itself was not met.
    pub label_ids: FxHashMap<&'a str, (LabelId, Option<Span>)>,
    pub vla_lengths: u32,
    pub other_names: BTreeSet<Arc<str>>,
    /// Lengths met and not yet evaluated by a statement.
    pub pending_lengths: Vec<(u32, Expr)>,
    /// Types of the enclosing switches' values, with the cases so far.
    pub switches: Vec<(TypeId, FxHashSet<i128>)>,
    /// It hands on its further arguments, which only a caller that has it inlined knows.
    pub packs_arguments: bool,
    /// What functions within it want of it.
    pub shared: Shared,
    pub addressed_labels: FxHashSet<LabelId>,
    /// The object `__func__`.
    pub own_name: Option<GlobalId>,
    /// Within the initialiser of a static object.
    pub static_initialiser: bool,
}

/// The parameters a function definition writes down.
pub(super) enum Written<'a> {
    Prototype(&'a ast::FunctionDeclarator),
    Names(&'a [Node<ast::Identifier>]),
}

impl<'a> Typer<'a> {
    pub(super) fn function_definition(&mut self, node: &'a Node<ast::FunctionDefinition>) -> Result<()> {
        let span = self.span(node);
        let definition = &node.node;
        let first = definition.declarator.span.start as u32;
        let specifiers = self.specifiers(&definition.specifiers, span.start, first, false)?;
        let declared = self.declarator(specifiers.base, &definition.declarator)?;
        let attributes = self.declarator_attributes(&definition.declarator, true);
        self.refuse_odd_attributes(&attributes, declared.span)?;
        let noreturn = specifiers.noreturn || attributes.iter().any(|a| a.name.eq_ignore_ascii_case("noreturn"));
        let (Some(name), Some(written)) = (declared.name, written_parameters(&definition.declarator)) else {
            return self.constraint(span, "this is no function definition");
        };
        let Type::Function(signature) = self.types.get(declared.ty.ty).clone() else {
            return self.constraint(span, "this is no function definition");
        };
        let id = self.declare_function(name, declared.ty, declared.span, noreturn)?;
        self.note_symbol(Entity::Function(id), span.start, &definition.declarator, true);
        if self.functions[id.index()].body.is_some() && self.is_further_file {
            let link = &mut self.functions[id.index()].link;
            if link.is_weak {
                return Ok(());
            }
            if std::mem::take(&mut link.has_weak_definition) {
                self.functions[id.index()].body = None;
            }
        }
        if self.functions[id.index()].body.is_some()
            && self.is_further_file
            && (specifiers.inline || self.inline_functions.contains(&id))
        {
            // C leaves open which definition is called where several files have one.
            return Ok(());
        }
        if specifiers.inline {
            self.inline_functions.insert(id);
        }
        if self.gnu_inline.remove(&id) {
            self.functions[id.index()].body = None;
        }
        if specifiers.inline
            && specifiers.storage == Storage::Extern
            && self.has_word("gnu_inline", span.start, node.node.statement.span.start as u32)
        {
            self.gnu_inline.insert(id);
        }
        if self.functions[id.index()].body.is_some() {
            return self.constraint(declared.span, format!("`{name}` is defined twice"));
        }
        let function = &mut self.functions[id.index()];
        function.span = declared.span;
        function.is_static |= specifiers.storage == Storage::Static;
        self.definition(id, name, &signature, (written, &definition.declarations), &definition.statement, span)
    }

    /// The body of a definition whose function is declared.
    pub(super) fn definition(
        &mut self,
        id: FunctionId,
        name: &'a str,
        signature: &FunctionType,
        (written, declarations): (Written<'a>, &'a [Node<ast::Declaration>]),
        statement: &'a Node<ast::Statement>,
        span: Span,
    ) -> Result<()> {
        self.function = Some(FunctionState {
            name,
            result: signature.result,
            locals: Vec::new(),
            quals: FxHashMap::default(),
            labels: Vec::new(),
            label_ids: FxHashMap::default(),
            vla_lengths: 0,
            other_names: BTreeSet::new(),
            pending_lengths: Vec::new(),
            switches: Vec::new(),
            packs_arguments: false,
            shared: Shared::default(),
            addressed_labels: FxHashSet::default(),
            own_name: None,
            static_initialiser: false,
        });
        let parameters = self.scoped(|this| -> Result<(u32, Result<Vec<Stmt>>)> {
            match written {
                Written::Prototype(function) => this.prototype_parameters(function)?,
                Written::Names(names) => this.named_parameters(id, signature, names, declarations)?,
            }
            let params = this.function.as_ref().map_or(0, |f| f.locals.len()) as u32;
            Ok((params, this.body(statement, span)))
        });
        let state = self.function.take();
        let (params, mut block) = parameters?;
        let end = Span::new(span.end.saturating_sub(1), span.end);
        let Some(mut state) = state else { return Ok(()) };
        if state.packs_arguments && self.prepared.map.is_of_system(span.start) {
            // Another way of calling the library's function.
            return Ok(());
        }
        if let Ok(block) = &mut block {
            self.share(&mut state, params, block, end);
        }
        let body = match block {
            Ok(block) => FunctionBody {
                locals: state.locals,
                params,
                labels: state.labels,
                block,
                vla_lengths: state.vla_lengths,
                other_names: state.other_names,
                end,
            },
            // What is not understood matters only where the function is reached.
            Err(error) if error.kind == ErrorKind::Unsupported => {
                let mut locals = state.locals;
                locals.truncate(params as usize);
                let block = vec![self.refused_statement(&error, span)];
                FunctionBody {
                    locals,
                    params,
                    labels: Vec::new(),
                    block,
                    vla_lengths: 0,
                    other_names: BTreeSet::new(),
                    end,
                }
            }
            Err(error) => return Err(error),
        };
        self.functions[id.index()].body = Some(body);
        Ok(())
    }

    /// A statement that stands for something not understood.
    pub(super) fn refused_statement(&self, error: &Error, span: Span) -> Stmt {
        let kind = ExprKind::Unsupported(error.message.as_str().into());
        stmt(StmtKind::Expr(Expr { kind, ty: self.common.void, span }), span)
    }

    fn prototype_parameters(&mut self, function: &'a ast::FunctionDeclarator) -> Result<()> {
        for node in &function.parameters {
            let span = self.span(node);
            // Types first without evaluating lengths: most parameters have none.
            self.prototype_varies = false;
            self.in_prototype += 1;
            let plain = self.parameter(node);
            self.in_prototype -= 1;
            let mut declared = plain?;
            if std::mem::take(&mut self.prototype_varies) {
                declared = self.parameter(node)?;
            }
            if declared.ty.ty == self.common.void && function.parameters.len() == 1 {
                return Ok(());
            }
            let name = declared.name.unwrap_or_default();
            let local = self.new_local(name.into(), declared.ty.ty, declared.span, None);
            if declared.name.is_some() {
                self.bind(name, Entity::Local(local));
                self.declare_quals(Entity::Local(local), declared.ty.quals);
            } else if self.types.size_of(declared.ty.ty).is_none() {
                return self.constraint(span, "parameter of incomplete type");
            }
        }
        Ok(())
    }

    /// K&R: `f(a, b) char a; { … }`; what is not declared is an `int`.
    fn named_parameters(
        &mut self,
        id: FunctionId,
        signature: &FunctionType,
        names: &'a [Node<ast::Identifier>],
        declarations: &'a [Node<ast::Declaration>],
    ) -> Result<()> {
        let mut types: FxHashMap<&'a str, DeclType> = FxHashMap::default();
        for node in declarations {
            let span = self.span(node);
            let first = node.node.declarators.first().map_or(span.end, |d| d.span.start as u32);
            let specifiers = self.specifiers(&node.node.specifiers, span.start, first, false)?;
            if specifiers.storage == Storage::Typedef {
                return self.constraint(span, "typedef among parameter declarations");
            }
            for declarator in &node.node.declarators {
                let declared = self.declarator(specifiers.base, &declarator.node.declarator)?;
                if let Some(name) = declared.name {
                    let ty = self.adjusted(declared.ty);
                    types.insert(name, ty);
                }
            }
        }
        let mut params = Vec::with_capacity(names.len());
        for node in names {
            let name = self.name_of(node);
            let DeclType { ty, quals, .. } = types.get(name).copied().unwrap_or(DeclType::plain(self.common.int));
            let span = self.span(node);
            let local: LocalId = self.new_local(name.into(), ty, span, None);
            self.bind(name, Entity::Local(local));
            self.declare_quals(Entity::Local(local), quals);
            params.push(ty);
        }
        let result = signature.result;
        let ty = FunctionType { result, params, variadic: false, prototyped: false };
        let new = self.types.intern(Type::Function(ty));
        let known = matches!(self.types.get(self.functions[id.index()].ty), Type::Function(f) if f.prototyped);
        if !known {
            self.functions[id.index()].ty = new;
        }
        Ok(())
    }

    fn body(&mut self, node: &'a Node<ast::Statement>, span: Span) -> Result<Vec<Stmt>> {
        let ast::Statement::Compound(items) = &node.node else {
            return self.constraint(span, "a function body is a block");
        };
        let mut block = Vec::with_capacity(items.len());
        let at = self.span(node);
        self.flush_lengths(&mut block, Span::new(at.start, at.start + 1));
        // The outermost block shares its scope with the parameters.
        self.block_items(items, &mut block)?;
        let labels = self.function.iter().flat_map(|f| &f.label_ids);
        let mut missing: Vec<_> = labels.filter_map(|(name, &(id, at))| Some((*name, id, at?))).collect();
        missing.sort_unstable_by_key(|(_, _, at)| *at);
        match missing.first() {
            Some((name, _, at)) if self.enclosing.is_empty() => {
                self.constraint(*at, format!("label `{name}` is not defined"))
            }
            Some(_) => self.jump_outwards(&missing, &mut block).map(|()| block),
            None => Ok(block),
        }
    }

    /// The id of a label of this function, mentioned at `span`.
    pub(super) fn label(&mut self, name: &'a str, span: Span) -> Result<LabelId> {
        let Some(function) = &mut self.function else { return self.constraint(span, "label outside a function") };
        if let Some(&(id, _)) = function.label_ids.get(name) {
            return Ok(id);
        }
        let id = LabelId::from_index(function.labels.len());
        function.labels.push(name.into());
        function.label_ids.insert(name, (id, Some(span)));
        Ok(id)
    }

    pub(super) fn define_label(&mut self, name: &'a str, span: Span) -> Result<LabelId> {
        let id = self.label(name, span)?;
        let open = self.function.as_mut().and_then(|f| f.label_ids.get_mut(name)).and_then(|l| l.1.take());
        match open {
            Some(_) => Ok(id),
            // Local labels of two blocks may share a name; telling them apart needs more than the function's table.
            None => self.unsupported(span, format!("label `{name}` is defined twice")),
        }
    }
}

/// The parameter list of the innermost function declarator around the name.
pub(super) fn written_parameters(node: &Node<ast::Declarator>) -> Option<Written<'_>> {
    if let ast::DeclaratorKind::Declarator(inner) = &node.node.kind.node
        && let Some(found) = written_parameters(inner)
    {
        return Some(found);
    }
    node.node.derived.iter().find_map(|d| match &d.node {
        Derived::Function(f) => Some(Written::Prototype(&f.node)),
        Derived::KRFunction(names) => Some(Written::Names(names)),
        _ => None,
    })
}
