//! Where in the text variables can be named.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::ir::{Scalar, Scope};
use super::kinds::{Kind, kind};
use crate::base::span::Span;
use crate::c::syntax::{self, FunctionBody, LocalId, Stmt, StmtKind};
use crate::c::types::{Type, TypeId, Types};

/// The parts of a function's text in which its variables can be named.
#[derive(Debug, Default)]
pub struct Extents {
    /// By [`LocalId`].
    locals: Vec<Option<Span>>,
    /// Names that some block gives another meaning.
    other_names: BTreeSet<Arc<str>>,
}

impl Extents {
    pub fn of(body: &FunctionBody) -> Self {
        let mut extents = Self { locals: vec![None; body.locals.len()], other_names: body.other_names.clone() };
        for (index, local) in body.locals[..body.params as usize].iter().enumerate() {
            extents.locals[index] = Some(Span::new(local.span.end, body.end.end));
        }
        for stmt in &body.block {
            extents.statement(body, stmt, None, body.end.end);
        }
        // What a statement expression declares is not looked for, so that its names are of no use.
        for (local, extent) in body.locals.iter().zip(&extents.locals) {
            if extent.is_none() {
                extents.other_names.insert(local.name.clone());
            }
        }
        extents
    }

    /// Declarations in `stmt` reach up to `end`, from their names on or from `start`.
    fn statement(&mut self, body: &FunctionBody, stmt: &Stmt, start: Option<u32>, end: u32) {
        match &stmt.kind {
            StmtKind::Declare { local, .. } => {
                let from = start.unwrap_or(body.locals[local.index()].span.end);
                self.locals[local.index()] = Some(Span::new(from, end));
            }
            StmtKind::Block(block) => block.iter().for_each(|inner| self.statement(body, inner, None, stmt.span.end)),
            StmtKind::For { init, body: inner, .. } => {
                let (start, end) = (stmt.span.start, stmt.span.end);
                init.iter().for_each(|declaration| self.statement(body, declaration, Some(start), end));
                self.statement(body, inner, None, end);
            }
            StmtKind::If { then, otherwise, .. } => {
                self.statement(body, then, None, end);
                otherwise.iter().for_each(|otherwise| self.statement(body, otherwise, None, end));
            }
            StmtKind::While { body: inner, .. }
            | StmtKind::DoWhile { body: inner, .. }
            | StmtKind::Switch { body: inner, .. }
            | StmtKind::Case { body: inner, .. }
            | StmtKind::Default { body: inner }
            | StmtKind::Label { body: inner, .. } => self.statement(body, inner, None, end),
            _ => {}
        }
    }

    /// Where and as what the variable can be named.
    pub fn scope(&self, types: &Types, id: LocalId, local: &syntax::Local) -> Option<Scope> {
        if local.name.is_empty() || self.other_names.contains(&local.name) {
            return None;
        }
        let extent = self.locals.get(id.index()).copied().flatten()?;
        Some(Scope { extent, scalar: scalar(types, local.ty)? })
    }

    pub fn into_other_names(self) -> Arc<[Arc<str>]> {
        self.other_names.into_iter().collect()
    }
}

/// Where a variable with static storage can be named: from its declaration on.
pub fn file_scope(types: &Types, global: &syntax::Global) -> Option<Scope> {
    let extent = Span::new(global.span.end, u32::MAX);
    if global.has_linkage { Some(Scope { extent, scalar: scalar(types, global.ty)? }) } else { None }
}

fn scalar(types: &Types, ty: TypeId) -> Option<Scalar> {
    match kind(types, ty) {
        Kind::Int { bool: true, .. } => Some(Scalar::Bool),
        Kind::Int { signed: true, .. } => Some(Scalar::Signed),
        Kind::Int { .. } => Some(Scalar::Unsigned),
        Kind::Pointer { .. } if matches!(types.get(ty), Type::Pointer(_)) => Some(Scalar::Pointer),
        Kind::Record => Some(Scalar::Record),
        _ => None,
    }
}
