//! Names and tags: ordinary identifiers and struct/union/enum tags, by scope.

use rustc_hash::FxHashMap;

use super::{DeclType, Typer};
use crate::c::syntax::{FunctionId, GlobalId, LocalId};
use crate::c::types::TypeId;

/// What an ordinary identifier stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    Typedef(DeclType),
    Global(GlobalId),
    Function(FunctionId),
    Local(LocalId),
    /// A parameter of a prototype: only its type is known.
    Parameter(TypeId),
    Enumerator(i128, TypeId),
}

#[derive(Default)]
pub(super) struct Scope<'a> {
    pub names: FxHashMap<&'a str, Entity>,
    /// Record or enumeration types by tag.
    pub tags: FxHashMap<&'a str, TypeId>,
}

impl<'a> Typer<'a> {
    pub(super) fn lookup(&self, name: &str) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name).copied())
    }

    pub(super) fn lookup_tag(&self, tag: &str) -> Option<TypeId> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(tag).copied())
    }

    /// The tag in the innermost scope only.
    pub(super) fn own_tag(&self, tag: &str) -> Option<TypeId> {
        self.scopes.last().and_then(|scope| scope.tags.get(tag).copied())
    }

    pub(super) fn bind(&mut self, name: &'a str, entity: Entity) {
        if let Some(function) = &mut self.function
            && !matches!(entity, Entity::Local(_) | Entity::Parameter(_))
        {
            function.other_names.insert(name.into());
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, entity);
        }
    }

    pub(super) fn bind_tag(&mut self, tag: &'a str, ty: TypeId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(tag, ty);
        }
    }

    /// Runs `f` in a scope of its own.
    pub(super) fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        let result = f(self);
        self.scopes.pop();
        result
    }
}
