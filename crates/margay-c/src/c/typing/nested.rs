//! Functions within functions (GNU C).
//!
//! A nested function becomes a function of the file. What it names of the functions around it is reached through hidden objects:
//!
//! ```text
//!   int f(int n) {                       static int *n_of_f;
//!     int g(int k) { return n + k; }     int g(int k) { return *n_of_f + k; }
//!     return g(1);                       int f(int n) { old = n_of_f; n_of_f = &n; … n_of_f = old; }
//!   }
//! ```
//!
//! So the innermost call of `f` is the one whose variables `g` sees, which is right for calls by name. A call by a pointer may mean an
//! earlier one: where the address of `g` is taken, a call of `f` within another one is not followed. A jump out of `g` goes to a place that
//! `f` notes when it is entered, as `longjmp` does.

use lang_c::ast::{self, Statement as S};
use lang_c::span::Node;
use std::sync::Arc;

use super::functions::{FunctionState, written_parameters};
use super::statements::stmt;
use super::{Entity, Operand, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::prepass::marker;
use crate::c::syntax::{
    Expr, ExprKind, FunctionId, GlobalId, Init, LabelId, Local, LocalId, Place, PlaceKind, Stmt, StmtKind,
};
use crate::c::types::{ArrayLength, FunctionType, Type, TypeId};

/// A function that the one at hand is nested in.
pub(super) struct Enclosing<'a> {
    pub function: Option<FunctionState<'a>>,
    /// How many scopes were open where the inner function began.
    pub scopes: usize,
}

/// What functions within a function want of it.
#[derive(Default)]
pub(super) struct Shared {
    /// Variables, and the objects with their addresses.
    variables: Vec<(LocalId, GlobalId)>,
    /// Labels, and the objects with the places of jumps to them.
    labels: Vec<(LabelId, GlobalId)>,
    /// Some address of a function within it is taken.
    pub is_addressed: bool,
}

/// The two statements that the token pass makes of the body of a nested function.
pub(super) fn nested_body(item: Option<&Node<ast::BlockItem>>) -> Option<&Node<S>> {
    let ast::BlockItem::Statement(Node { node: S::If(branch), .. }) = &item?.node else { return None };
    match &branch.node.condition.node {
        ast::Expression::Identifier(name) if name.node.name == marker::NESTED => branch.node.else_statement.as_deref(),
        _ => None,
    }
}

impl<'a> Typer<'a> {
    /// A function definition in a block.
    pub(super) fn nested_definition(
        &mut self,
        node: &'a Node<ast::Declaration>,
        body: &'a Node<S>,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let (specifiers, start) = self.declaration_specifiers(node)?;
        let span = Span::new(start.start, self.span(body).end);
        let Some(Node { node: declarator, .. }) = node.node.declarators.first() else {
            return self.constraint(span, "this is no function definition");
        };
        let (declared, ..) = self.declared(&specifiers, &declarator.declarator, true)?;
        self.flush_lengths(out, start);
        let written = written_parameters(&declarator.declarator);
        let (Some(name), Some(written), Type::Function(signature)) =
            (declared.name, written, self.types.get(declared.ty.ty).clone())
        else {
            return self.constraint(span, "this is no function definition");
        };
        let id = self.own_nested(name).unwrap_or_else(|| self.nested_function(name, declared.ty.ty, declared.span));
        if self.functions[id.index()].body.is_some() {
            return self.constraint(declared.span, format!("`{name}` is defined twice"));
        }
        self.functions[id.index()].ty = declared.ty.ty;
        let outer = self.function.take();
        self.enclosing.push(Enclosing { function: outer, scopes: self.scopes.len() });
        let typed = self.definition(id, name, &signature, (written, &[]), body, span);
        self.function = self.enclosing.pop().and_then(|enclosing| enclosing.function);
        typed
    }

    /// A function of the block at hand that is defined in it.
    pub(super) fn nested_function(&mut self, name: &'a str, ty: TypeId, span: Span) -> FunctionId {
        let id = self.push_function(name.into(), ty, span);
        self.functions[id.index()].is_static = true;
        self.nested.insert(id);
        self.bind(name, Entity::Function(id));
        id
    }

    /// The function that `auto int f(int);` announced in the block.
    fn own_nested(&self, name: &str) -> Option<FunctionId> {
        match self.scopes.last()?.names.get(name) {
            Some(Entity::Function(id)) if self.nested.contains(id) => Some(*id),
            _ => None,
        }
    }

    /// The enclosing function that the variable `name` belongs to, where it is not one of the function at hand.
    pub(super) fn owner(&self, name: &str) -> Option<usize> {
        if self.enclosing.is_empty() {
            return None;
        }
        let at = self.scopes.iter().rposition(|scope| scope.names.contains_key(name))?;
        self.enclosing.iter().position(|enclosing| at < enclosing.scopes)
    }

    /// A variable of an enclosing function.
    pub(super) fn outer_variable(&mut self, owner: usize, id: LocalId, span: Span) -> Result<Operand> {
        let Some(function) = &mut self.enclosing[owner].function else {
            return self.constraint(span, "a variable of no function");
        };
        let local = &mut function.locals[id.index()];
        local.address_taken = true;
        let name = local.name.clone();
        // The lengths belong to the other function.
        let ty = match *self.types.get(local.ty) {
            Type::Array { element, length: ArrayLength::Variable(_) } if !self.types.is_variable(element) => {
                self.types.intern(Type::Array { element, length: ArrayLength::Unknown })
            }
            _ => local.ty,
        };
        if self.types.is_variable(ty) {
            return self.unsupported(span, format!("the variable array `{name}` in a nested function"));
        }
        let pointer = self.types.pointer_to(ty);
        let known = function.shared.variables.iter().find(|(local, _)| *local == id).map(|(_, global)| *global);
        let global = known.unwrap_or_else(|| {
            let global = self.new_global(name, pointer, None, span);
            if let Some(function) = &mut self.enclosing[owner].function {
                function.shared.variables.push((id, global));
            }
            global
        });
        let address = self.global_value(global, span);
        Ok(Operand::Place(Place { kind: PlaceKind::Deref(address), ty, span }))
    }

    fn global_value(&self, id: GlobalId, span: Span) -> Expr {
        let ty = self.globals[id.index()].ty;
        Expr { kind: ExprKind::Use(Box::new(Place { kind: PlaceKind::Global(id), ty, span })), ty, span }
    }

    /// The address of a nested function is taken.
    pub(super) fn note_nested_address(&mut self, id: FunctionId) {
        if self.nested.contains(&id) {
            let outer = self.enclosing.iter_mut().filter_map(|enclosing| enclosing.function.as_mut());
            outer.chain(&mut self.function).for_each(|function| function.shared.is_addressed = true);
        }
    }

    /// Jumps to labels that the function does not have lead out of it.
    pub(super) fn jump_outwards(&mut self, missing: &[(&'a str, LabelId, Span)], block: &mut [Stmt]) -> Result<()> {
        let mut places = Vec::new();
        for &(name, label, span) in missing {
            let inner = self.function.as_ref();
            let is_addressed = inner.is_some_and(|function| function.addressed_labels.contains(&label));
            let Some(outer) = self.enclosing.last_mut().and_then(|enclosing| enclosing.function.as_mut()) else {
                return self.constraint(span, format!("label `{name}` is not defined"));
            };
            if is_addressed {
                return self.unsupported(span, format!("the address of the label `{name}` of another function"));
            }
            let (id, _) = *outer.label_ids.entry(name).or_insert_with(|| {
                outer.labels.push(name.into());
                (LabelId::from_index(outer.labels.len() - 1), Some(span))
            });
            let known = outer.shared.labels.iter().find(|(label, _)| *label == id).map(|(_, global)| *global);
            let global = known.unwrap_or_else(|| {
                let global = self.new_global(name.into(), self.common.char_ptr, None, span);
                if let Some(outer) = self.enclosing.last_mut().and_then(|enclosing| enclosing.function.as_mut()) {
                    outer.shared.labels.push((id, global));
                }
                global
            });
            places.push((label, global));
        }
        if let Some(function) = &mut self.function {
            // No computed jump leads there.
            missing.iter().for_each(|(_, label, _)| function.labels[label.index()] = "".into());
        }
        let mut jumps = Vec::new();
        for (label, global) in places {
            let place = self.global_value(global, Span::new(0, 0));
            let ty = self.types.intern(Type::Function(FunctionType {
                result: self.common.void,
                params: vec![self.common.char_ptr],
                variadic: false,
                prototyped: true,
            }));
            jumps.push((label, self.named_call("__margay_jump", ty, vec![place], Span::new(0, 0))));
        }
        for_statements(block, &mut |stmt| {
            if let StmtKind::Goto(label) = stmt.kind
                && let Some((_, jump)) = jumps.iter().find(|(missing, _)| *missing == label)
            {
                let mut jump = jump.clone();
                jump.span = stmt.span;
                stmt.kind = StmtKind::Expr(jump);
            }
        });
        Ok(())
    }

    /// Adds to the body of a function what those within it want.
    pub(super) fn share(&mut self, function: &mut FunctionState<'a>, params: u32, block: &mut Vec<Stmt>, span: Span) {
        let shared = std::mem::take(&mut function.shared);
        let mut first = Vec::new();
        if shared.is_addressed {
            self.refuse_second_call(&mut first, span);
        }
        for (local, global) in shared.variables {
            self.restore_at_end(function, global, &mut first, span);
            let ty = function.locals[local.index()].ty;
            let pointer = self.globals[global.index()].ty;
            let place = Box::new(Place { kind: PlaceKind::Local(local), ty, span });
            let kind = match self.types.get(ty) {
                Type::Array { length: ArrayLength::Variable(_), .. } => ExprKind::ArrayDecay(place),
                _ => ExprKind::AddressOf(place),
            };
            let set = stmt(StmtKind::Expr(self.set(global, Expr { kind, ty: pointer, span }, span)), span);
            if local.index() < params as usize || !insert_after(block, local, &set) {
                first.push(set);
            }
        }
        for (label, global) in shared.labels {
            self.restore_at_end(function, global, &mut first, span);
            let place = Expr { kind: ExprKind::LabelPlace(label), ty: self.common.char_ptr, span };
            first.push(stmt(StmtKind::Expr(self.set(global, place, span)), span));
        }
        block.splice(0..0, first);
    }

    fn set(&self, global: GlobalId, value: Expr, span: Span) -> Expr {
        let ty = self.globals[global.index()].ty;
        let place = Box::new(Place { kind: PlaceKind::Global(global), ty, span });
        Expr { kind: ExprKind::Assign { place, value: Box::new(value) }, ty, span }
    }

    /// The object has its old value again when the function is left.
    fn restore_at_end(&mut self, function: &mut FunctionState<'a>, global: GlobalId, out: &mut Vec<Stmt>, span: Span) {
        let ty = self.globals[global.index()].ty;
        let name: Arc<str> = ".before".into();
        function.locals.push(Local { name, ty, span, address_taken: false, align: None });
        let old = LocalId::from_index(function.locals.len() - 1);
        let init = Some(Init::Expr(self.global_value(global, span)));
        out.push(stmt(StmtKind::Declare { local: old, init }, span));
        let place = Box::new(Place { kind: PlaceKind::Local(old), ty, span });
        let call = self.set(global, Expr { kind: ExprKind::Use(place), ty, span }, span);
        out.push(stmt(StmtKind::Cleanup { call, on_jumps: true }, span));
    }

    /// A call while another one is active is not followed.
    fn refuse_second_call(&mut self, out: &mut Vec<Stmt>, span: Span) {
        let int = self.common.int;
        let active = self.new_global(".active".into(), int, None, span);
        let ty = self.types.intern(Type::Function(FunctionType {
            result: self.common.void,
            params: Vec::new(),
            variadic: false,
            prototyped: true,
        }));
        let refusal = self.named_call("__margay_give_up", ty, Vec::new(), span);
        let then = Box::new(stmt(StmtKind::Expr(refusal), span));
        out.push(stmt(StmtKind::If { condition: self.global_value(active, span), then, otherwise: None }, span));
        let value = |this: &Self, value| this.set(active, this.int_expr(value, int, span), span);
        out.push(stmt(StmtKind::Expr(value(self, 1)), span));
        out.push(stmt(StmtKind::Cleanup { call: value(self, 0), on_jumps: true }, span));
    }
}

/// Puts `new` behind the declaration of `local`; whether there is one.
fn insert_after(block: &mut Vec<Stmt>, local: LocalId, new: &Stmt) -> bool {
    let is_it = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Declare { local: declared, .. } if declared == local);
    if let Some(at) = block.iter().position(is_it) {
        block.insert(at + 1, new.clone());
        return true;
    }
    block.iter_mut().any(|stmt| insert_within(stmt, local, new))
}

fn insert_within(stmt: &mut Stmt, local: LocalId, new: &Stmt) -> bool {
    match &mut stmt.kind {
        StmtKind::Block(block) => insert_after(block, local, new),
        StmtKind::For { init, body, .. } => insert_after(init, local, new) || insert_within(body, local, new),
        StmtKind::If { then, otherwise, .. } => {
            insert_within(then, local, new) || otherwise.as_mut().is_some_and(|other| insert_within(other, local, new))
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default { body }
        | StmtKind::Label { body, .. } => insert_within(body, local, new),
        _ => false,
    }
}

/// All statements, those within others included, but for those in expressions.
fn for_statements(block: &mut [Stmt], f: &mut dyn FnMut(&mut Stmt)) {
    for stmt in block {
        f(stmt);
        match &mut stmt.kind {
            StmtKind::Block(block) => for_statements(block, f),
            StmtKind::For { init, body, .. } => {
                for_statements(init, f);
                for_statements(std::slice::from_mut(body), f);
            }
            StmtKind::If { then, otherwise, .. } => {
                for_statements(std::slice::from_mut(then), f);
                otherwise.iter_mut().for_each(|other| for_statements(std::slice::from_mut(other), f));
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default { body }
            | StmtKind::Label { body, .. } => for_statements(std::slice::from_mut(body), f),
            _ => {}
        }
    }
}
