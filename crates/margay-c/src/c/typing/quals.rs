//! Qualifiers. Types do not carry them, since no verdict depends on them; only `_Generic` and `__builtin_types_compatible_p` ask.

use lang_c::ast::{self, BinaryOperator as B, Expression as Ast, UnaryOperator as U};
use lang_c::span::Node;

use super::{DeclType, Entity, Typer};
use crate::base::error::Result;
use crate::c::types::{Type, TypeId};

/// The qualifiers of a type: four bits a level. A pointer's target is a level below it, and so is a function's result; an array's
/// elements are on the array's own level, as C has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Quals(u64);

impl Quals {
    pub const NONE: Self = Self(0);
    /// It has not been found out.
    pub const UNKNOWN: Self = Self(u64::MAX);
    const BITS: u32 = 4;
    const OUTERMOST: u64 = 0b1111;

    pub fn of(qualifier: &ast::TypeQualifier) -> Self {
        match qualifier {
            ast::TypeQualifier::Const => Self(1),
            ast::TypeQualifier::Volatile => Self(2),
            ast::TypeQualifier::Restrict => Self(4),
            ast::TypeQualifier::Atomic => Self(8),
            _ => Self::NONE,
        }
    }

    pub fn is_known(self) -> bool {
        self != Self::UNKNOWN
    }

    /// `const` and not `volatile`, on the outermost level.
    fn is_constant(self) -> bool {
        self.is_known() && self.0 & 0b11 == 1
    }

    fn known(self, map: impl FnOnce(u64) -> u64) -> Self {
        if self.is_known() { Self(map(self.0)) } else { self }
    }

    /// Those of a pointer to, or a function that returns, something with these.
    pub fn below(self) -> Self {
        let too_deep = self.0.leading_zeros() < Self::BITS;
        if too_deep { Self::UNKNOWN } else { self.known(|bits| bits << Self::BITS) }
    }

    /// Those of what a pointer with these leads to, or a function returns.
    pub fn target(self) -> Self {
        self.known(|bits| bits >> Self::BITS)
    }

    /// Those of a value: what it was read from does not matter.
    pub fn of_value(self) -> Self {
        self.known(|bits| bits & !Self::OUTERMOST)
    }

    /// Those of a member, of a record with qualifiers of its own, or of a type with more of them.
    pub fn and(self, other: Self) -> Self {
        if other.is_known() { self.known(|bits| bits | other.0) } else { other }
    }

    pub fn outermost(self) -> Self {
        self.known(|bits| bits & Self::OUTERMOST)
    }
}

pub(super) fn in_declaration(specifiers: &[Node<ast::DeclarationSpecifier>]) -> Quals {
    specifiers.iter().fold(Quals::NONE, |quals, specifier| match &specifier.node {
        ast::DeclarationSpecifier::TypeQualifier(q) => quals.and(Quals::of(&q.node)),
        ast::DeclarationSpecifier::TypeSpecifier(t) => quals.and(atomic(&t.node)),
        _ => quals,
    })
}

pub(super) fn in_type_name(specifiers: &[Node<ast::SpecifierQualifier>]) -> Quals {
    specifiers.iter().fold(Quals::NONE, |quals, specifier| match &specifier.node {
        ast::SpecifierQualifier::TypeQualifier(q) => quals.and(Quals::of(&q.node)),
        ast::SpecifierQualifier::TypeSpecifier(t) => quals.and(atomic(&t.node)),
        ast::SpecifierQualifier::Extension(_) => quals,
    })
}

fn atomic(specifier: &ast::TypeSpecifier) -> Quals {
    if matches!(specifier, ast::TypeSpecifier::Atomic(_)) {
        Quals::of(&ast::TypeQualifier::Atomic)
    } else {
        Quals::NONE
    }
}

pub(super) fn of_pointer(qualifiers: &[Node<ast::PointerQualifier>]) -> Quals {
    qualifiers.iter().fold(Quals::NONE, |quals, qualifier| match &qualifier.node {
        ast::PointerQualifier::TypeQualifier(q) => quals.and(Quals::of(&q.node)),
        ast::PointerQualifier::Extension(_) => quals,
    })
}

impl<'a> Typer<'a> {
    /// Remembers the qualifiers that `entity` was declared with.
    pub(super) fn declare_quals(&mut self, entity: Entity, quals: Quals) {
        if quals == Quals::NONE {
            return;
        }
        match entity {
            Entity::Local(id) => {
                if let Some(function) = &mut self.function {
                    function.quals.insert(id, quals);
                }
            }
            Entity::Global(id) => {
                self.global_quals.insert(id, quals);
            }
            Entity::Function(id) => {
                self.function_quals.insert(id, quals);
            }
            Entity::Typedef(_) | Entity::Parameter(_) | Entity::Enumerator(..) => {}
        }
    }

    /// Objects that are defined `const` may not be written (C11 6.7.3 p6); what is `volatile` besides may change by itself.
    pub(super) fn mark_constants(&mut self) {
        for (id, quals) in &self.global_quals {
            if let Some(definition) = &mut self.globals[id.index()].definition
                && quals.is_constant()
            {
                definition.read_only = true;
            }
        }
    }

    /// The qualifiers of an expression's type; those of a value have nothing on the outermost level. Nothing stays behind of it.
    pub(super) fn quals(&mut self, node: &'a Node<Ast>) -> Result<Quals> {
        if !self.asks_for_quals {
            return Ok(Quals::UNKNOWN);
        }
        Ok(match &node.node {
            Ast::Identifier(name) => match self.lookup(self.name_of(name)) {
                Some(Entity::Local(_)) if self.owner(self.name_of(name)).is_some() => Quals::UNKNOWN,
                Some(Entity::Local(id)) => {
                    self.function.as_ref().and_then(|f| f.quals.get(&id)).copied().unwrap_or_default()
                }
                Some(Entity::Global(id)) => self.global_quals.get(&id).copied().unwrap_or_default(),
                Some(Entity::Function(id)) => self.function_quals.get(&id).copied().unwrap_or_default(),
                Some(Entity::Enumerator(..)) => Quals::NONE,
                Some(Entity::Typedef(_) | Entity::Parameter(_)) | None => Quals::UNKNOWN,
            },
            Ast::Constant(_) | Ast::StringLiteral(_) => Quals::NONE,
            Ast::SizeOfTy(_) | Ast::SizeOfVal(_) | Ast::AlignOf(_) | Ast::OffsetOf(_) => Quals::NONE,
            Ast::Member(member) => {
                let base = self.quals(&member.node.expression)?;
                let operand = self.unevaluated(&member.node.expression)?;
                let ty = self.operand_type(&operand);
                let (quals, ty) = match member.node.operator.node {
                    ast::MemberOperator::Direct => (base, Some(ty)),
                    ast::MemberOperator::Indirect => (self.dereferenced(base, ty), self.element_or_target(ty)),
                };
                let name = self.name_of(&member.node.identifier);
                ty.map_or(Quals::UNKNOWN, |ty| quals.and(self.member_quals(ty, name)))
            }
            Ast::Call(call) => match &call.node.callee.node {
                Ast::Identifier(name) if matches!(self.lookup(self.name_of(name)), Some(Entity::Function(_))) => {
                    self.quals(&call.node.callee)?.target().of_value()
                }
                _ => Quals::UNKNOWN,
            },
            Ast::Cast(cast) => self.type_name_quals(&cast.node.type_name)?.of_value(),
            Ast::VaArg(va_arg) => self.type_name_quals(&va_arg.node.type_name)?.of_value(),
            Ast::CompoundLiteral(literal) => self.type_name_quals(&literal.node.type_name)?,
            Ast::UnaryOperator(unary) => {
                let operand = &unary.node.operand;
                match unary.node.operator.node {
                    U::Address => self.quals(operand)?.below(),
                    U::Indirection => {
                        let ty = self.type_of_operand(operand)?;
                        let quals = self.quals(operand)?;
                        self.dereferenced(quals, ty)
                    }
                    U::Negate => Quals::NONE,
                    _ => self.quals(operand)?.of_value(),
                }
            }
            Ast::BinaryOperator(binary) => {
                let (left, right) = (&binary.node.lhs, &binary.node.rhs);
                match binary.node.operator.node {
                    B::Index | B::Plus | B::Minus => {
                        let (mut ty, mut quals) = (self.type_of_operand(left)?, self.quals(left)?);
                        if self.element_or_target(ty).is_none() {
                            (ty, quals) = (self.type_of_operand(right)?, self.quals(right)?);
                        }
                        let target = self.dereferenced(quals, ty);
                        match (self.element_or_target(ty), &binary.node.operator.node) {
                            (None, _) => Quals::NONE,
                            (Some(_), B::Index) => target,
                            (Some(_), _) => target.below(),
                        }
                    }
                    B::Assign | B::AssignPlus | B::AssignMinus => self.quals(left)?.of_value(),
                    _ => Quals::NONE,
                }
            }
            Ast::Comma(list) => match list.last() {
                Some(last) => self.decayed(last)?.of_value(),
                None => Quals::UNKNOWN,
            },
            Ast::Conditional(conditional) => {
                let then = self.decayed(&conditional.node.then_expression)?.of_value();
                let otherwise = self.decayed(&conditional.node.else_expression)?.of_value();
                if then == otherwise { then } else { self.either_target(then, otherwise) }
            }
            Ast::GenericSelection(_) | Ast::Statement(_) => Quals::UNKNOWN,
        })
    }

    /// Of two pointers: what they lead to has the qualifiers of both.
    fn either_target(&self, a: Quals, b: Quals) -> Quals {
        let both = a.and(b);
        let only_targets = |quals: Quals| quals.target().of_value() == Quals::NONE;
        if only_targets(a) && only_targets(b) { both } else { Quals::UNKNOWN }
    }

    /// As a value: an array becomes a pointer to its elements, a function one to itself.
    fn decayed(&mut self, node: &'a Node<Ast>) -> Result<Quals> {
        let ty = self.type_of_operand(node)?;
        let quals = self.quals(node)?;
        let decays = matches!(self.types.get(ty), Type::Array { .. } | Type::Function(_));
        Ok(if decays { quals.below() } else { quals })
    }

    /// The qualifiers of the value of `node`, which has type `ty` as a value.
    pub(super) fn value_quals(&mut self, node: &'a Node<Ast>, ty: TypeId) -> Result<Quals> {
        // Without anything below there is nothing to be found out.
        if !matches!(self.types.get(ty), Type::Pointer(_)) {
            return Ok(Quals::NONE);
        }
        Ok(self.decayed(node)?.of_value())
    }

    fn type_of_operand(&mut self, node: &'a Node<Ast>) -> Result<TypeId> {
        let operand = self.unevaluated(node)?;
        Ok(self.operand_type(&operand))
    }

    fn element_or_target(&self, ty: TypeId) -> Option<TypeId> {
        match *self.types.get(ty) {
            Type::Pointer(target) => Some(target),
            Type::Array { element, .. } => Some(element),
            _ => None,
        }
    }

    fn dereferenced(&self, quals: Quals, ty: TypeId) -> Quals {
        match self.types.get(ty) {
            Type::Array { .. } | Type::Function(_) => quals,
            _ => quals.target(),
        }
    }

    /// The qualifiers member `name` was declared with, and those of the unnamed members around it.
    fn member_quals(&self, ty: TypeId, name: &str) -> Quals {
        let Some(path) = self.types.find_member(ty, name) else { return Quals::UNKNOWN };
        let (mut ty, mut quals) = (ty, Quals::NONE);
        for index in path {
            let (Type::Record(id), Some(field)) = (self.types.get(ty), self.field(ty, index)) else { break };
            quals = quals.and(self.field_quals.get(&(*id, index)).copied().unwrap_or_default());
            ty = field.ty;
        }
        quals
    }

    /// Of a type name that was read before; one that defines a type cannot be read twice.
    fn type_name_quals(&mut self, node: &'a Node<ast::TypeName>) -> Result<Quals> {
        let defines = node.node.specifiers.iter().any(|specifier| match &specifier.node {
            ast::SpecifierQualifier::TypeSpecifier(t) => match &t.node {
                ast::TypeSpecifier::Struct(s) => s.node.declarations.is_some(),
                ast::TypeSpecifier::Enum(e) => !e.node.enumerators.is_empty(),
                _ => false,
            },
            _ => false,
        });
        if defines {
            return Ok(Quals::UNKNOWN);
        }
        let pending = self.function.as_ref().map_or(0, |f| f.pending_lengths.len());
        let DeclType { quals, .. } = self.named(node)?;
        if let Some(function) = &mut self.function {
            function.pending_lengths.truncate(pending);
        }
        Ok(quals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_kept_apart() {
        let constant = Quals::of(&ast::TypeQualifier::Const);
        let pointer = constant.below();
        assert_ne!(pointer, constant);
        assert_eq!(pointer.of_value(), pointer);
        assert_eq!(pointer.target(), constant);
        assert_eq!(constant.of_value(), Quals::NONE);
        assert_eq!(pointer.outermost(), Quals::NONE);
        let both = constant.and(Quals::of(&ast::TypeQualifier::Volatile));
        assert_ne!(both, constant);
        assert_eq!(both.outermost(), both);
    }

    #[test]
    fn what_is_not_known_stays_so() {
        let mut deep = Quals::of(&ast::TypeQualifier::Atomic);
        for _ in 0..16 {
            deep = deep.below();
        }
        assert!(!deep.is_known());
        for quals in [deep.below(), deep.target(), deep.of_value(), Quals::NONE.and(deep), deep.and(Quals::NONE)] {
            assert!(!quals.is_known());
        }
    }
}
