//! Declaration specifiers → types.

use lang_c::ast::{self, TypeSpecifier as Spec};
use lang_c::span::Node;

use super::attributes::unsigned_kind;
use super::quals::{self, Quals};
use super::{DeclType, Entity, Operand, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::prepass::marker;
use crate::c::types::{ArrayLength, FloatKind, IntKind, Type, TypeId, Types};

/// What the specifiers of a declaration say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Specifiers {
    pub base: DeclType,
    pub storage: Storage,
    pub noreturn: bool,
    pub inline: bool,
    /// `register`; at file scope that is a machine register with a value of its own.
    pub register: bool,
    /// `_Alignas`, in bytes.
    pub alignas: Option<u64>,
    /// The type is to be taken from the initialiser (`__auto_type`).
    pub auto: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    None,
    Typedef,
    Extern,
    Static,
}

/// Occurrences of the words that combine.
#[derive(Default)]
struct Count {
    char_: u32,
    short: u32,
    int: u32,
    long: u32,
    float: u32,
    double: u32,
    signed: u32,
    unsigned: u32,
    complex: u32,
}

impl<'a> Typer<'a> {
    /// `first` is the start of the first declarator (or the end of the declaration when there is none).
    pub(super) fn specifiers(
        &mut self,
        nodes: &'a [Node<ast::DeclarationSpecifier>],
        start: u32,
        first: u32,
        alone: bool,
    ) -> Result<Specifiers> {
        use ast::DeclarationSpecifier as D;
        let span = Span::new(start, first);
        let (mut storage, mut noreturn) = (Storage::None, false);
        let mut register = false;
        let mut inline = false;
        let mut alignas: Option<u64> = None;
        let mut types = Vec::with_capacity(4);
        let mut auto = false;
        for node in nodes {
            match &node.node {
                D::StorageClass(s) => {
                    use ast::StorageClassSpecifier as S;
                    match s.node {
                        S::Typedef => storage = Storage::Typedef,
                        S::Extern => storage = Storage::Extern,
                        S::Static => storage = Storage::Static,
                        S::Register => register = true,
                        S::ThreadLocal | S::Auto => {}
                    }
                }
                D::TypeSpecifier(t) => {
                    auto |= is_auto(&t.node);
                    types.push(t);
                }
                D::Function(f) => match f.node {
                    ast::FunctionSpecifier::Noreturn => noreturn = true,
                    ast::FunctionSpecifier::Inline => inline = true,
                },
                D::Alignment(a) => {
                    let bytes = self.alignas(a)?;
                    alignas = Some(alignas.unwrap_or(0).max(bytes));
                }
                D::TypeQualifier(_) | D::Extension(_) => {}
            }
        }
        let unknown = DeclType { quals: Quals::UNKNOWN, ..DeclType::plain(self.common.int) };
        let mut base = if auto { unknown } else { self.base_type(&types, span, alone)? };
        base.quals = base.quals.and(quals::in_declaration(nodes));
        if !self.prepared.attributes.is_empty() {
            let records: Vec<Span> = types
                .iter()
                .filter(|t| matches!(t.node, Spec::Struct(_) | Spec::Enum(_)))
                .map(|t| self.span(t))
                .collect();
            let attributes = self.specifier_attributes(start, first, &records);
            self.refuse_odd_attributes(&attributes, span)?;
            base.ty = self.apply_mode(base.ty, &attributes, span)?;
            noreturn |= attributes.iter().any(|a| a.name == "noreturn" || a.name == "Noreturn");
            if let Some(bytes) = self.aligned(&attributes, span)? {
                alignas = Some(alignas.unwrap_or(0).max(bytes));
            }
        }
        Ok(Specifiers { base, storage, noreturn, inline, register, alignas, auto })
    }

    fn alignas(&mut self, node: &'a Node<ast::AlignmentSpecifier>) -> Result<u64> {
        let span = self.span(node);
        let bytes = match &node.node {
            ast::AlignmentSpecifier::Type(name) => {
                let ty = self.type_name(name)?;
                self.types.align_of(ty)
            }
            ast::AlignmentSpecifier::Constant(e) => Some(self.unsigned_constant(e)?),
        };
        match bytes {
            Some(0) => Ok(1),
            Some(n) if n.is_power_of_two() && n <= 1 << 28 => Ok(n),
            _ => self.constraint(span, "alignment is not a power of two"),
        }
    }

    /// Specifiers and qualifiers of a type name or member.
    pub(super) fn specifier_qualifiers(
        &mut self,
        nodes: &'a [Node<ast::SpecifierQualifier>],
        span: Span,
        alone: bool,
    ) -> Result<DeclType> {
        let types: Vec<_> = nodes
            .iter()
            .filter_map(|n| match &n.node {
                ast::SpecifierQualifier::TypeSpecifier(t) => Some(t),
                _ => None,
            })
            .collect();
        let base = self.base_type(&types, span, alone)?;
        Ok(DeclType { quals: base.quals.and(quals::in_type_name(nodes)), ..base })
    }

    /// `alone`: a declaration without declarators, which makes `struct S;` declare a new tag.
    fn base_type(&mut self, specs: &[&'a Node<Spec>], span: Span, alone: bool) -> Result<DeclType> {
        let mut count = Count::default();
        for spec in specs {
            let at = self.span(spec);
            match &spec.node {
                Spec::Char => count.char_ += 1,
                Spec::Short => count.short += 1,
                Spec::Int => count.int += 1,
                Spec::Long => count.long += 1,
                Spec::Float => count.float += 1,
                Spec::Double => count.double += 1,
                Spec::Signed => count.signed += 1,
                Spec::Unsigned => count.unsigned += 1,
                Spec::Complex => count.complex += 1,
                Spec::Void => return Ok(DeclType::plain(self.common.void)),
                Spec::Bool => return Ok(DeclType::plain(self.common.bool_)),
                Spec::Atomic(name) => return Ok(DeclType::plain(self.type_name(name)?)),
                Spec::Struct(s) => return Ok(DeclType::plain(self.record_specifier(s, at, alone)?)),
                Spec::Enum(e) => return Ok(DeclType::plain(self.enum_specifier(e, at)?)),
                Spec::TypedefName(name) => return self.named_type(self.name_of(name), at),
                Spec::TypeOf(t) => return self.type_of(&t.node),
                Spec::TS18661Float(f) => {
                    use ast::TS18661FloatFormat::*;
                    let kind = match (&f.format, f.width) {
                        (BinaryInterchange, 16) => FloatKind::Half,
                        (BinaryInterchange, 32) => FloatKind::Single,
                        (BinaryInterchange, 64) | (BinaryExtended, 32) => FloatKind::Double,
                        (BinaryExtended, 64) => FloatKind::Extended,
                        (BinaryInterchange, 128) => FloatKind::Quad,
                        _ => return self.unsupported(at, "decimal floating type"),
                    };
                    let complex = specs.iter().any(|s| matches!(s.node, Spec::Complex));
                    let ty = self.types.intern(Type::Float(kind));
                    return Ok(DeclType::plain(if complex { self.types.complex_of(ty) } else { ty }));
                }
            }
        }
        let ty = self.combined(&count, span)?;
        let ty = self.types.intern(ty);
        Ok(DeclType::plain(if count.complex > 0 { self.types.complex_of(ty) } else { ty }))
    }

    fn combined(&self, count: &Count, span: Span) -> Result<Type> {
        let unsigned = count.unsigned > 0;
        let words = count.char_ + count.int + count.short + count.long + count.signed + count.unsigned;
        if count.double > 0 || count.float > 0 || count.complex > 0 && words == 0 {
            let kind = match (count.float, count.int, count.long) {
                // The token pass writes `__float128` as `float int`.
                (1.., 1.., _) => FloatKind::Quad,
                (1.., ..) => FloatKind::Single,
                (_, _, 1..) => FloatKind::Extended,
                _ => FloatKind::Double,
            };
            return Ok(Type::Float(kind));
        }
        let kind = match (count.char_, count.int, count.short, count.long) {
            // The token pass writes `__int128` as `char int`.
            (1.., 1.., ..) => IntKind::Int128,
            (1.., ..) if count.signed > 0 => IntKind::SChar,
            (1.., ..) => IntKind::Char,
            (0, _, 1.., 0) => IntKind::Short,
            (0, _, 0, 1) => IntKind::Long,
            (0, _, 0, 2) => IntKind::LongLong,
            (0, _, 0, 0) => IntKind::Int,
            _ => return self.constraint(span, "these type specifiers do not go together"),
        };
        Ok(Type::Int(if unsigned { unsigned_kind(kind) } else { kind }))
    }

    fn named_type(&mut self, name: &'a str, span: Span) -> Result<DeclType> {
        match self.lookup(name) {
            Some(Entity::Typedef(ty)) => Ok(ty),
            // The parser does not know all scopes: what it took for a type is an object here.
            Some(_) => self.unsupported(span, format!("`{name}` names an object and, elsewhere, a type")),
            None if name == "__builtin_va_list" => Ok(DeclType::plain(self.types.intern(Type::VaList))),
            None => self.constraint(span, format!("unknown type name `{name}`")),
        }
    }

    fn type_of(&mut self, node: &'a ast::TypeOf) -> Result<DeclType> {
        match node {
            ast::TypeOf::Type(name) => self.named(name),
            ast::TypeOf::Expression(e) => {
                if let Some(ty) = self.type_as_expression(e)? {
                    return Ok(ty);
                }
                let (operand, lengths) = self.typed_only(e)?;
                let ty = self.operand_type(&operand);
                if is_modified(&self.types, ty) {
                    if let Operand::Value(value) = operand {
                        // It is evaluated.
                        return self.unsupported(value.span, "`typeof` of a value whose type has a variable length");
                    }
                    self.function.iter_mut().for_each(|function| function.pending_lengths.extend(lengths.clone()));
                }
                Ok(DeclType { quals: self.quals(e)?, ..DeclType::plain(ty) })
            }
        }
    }

    /// The parser reads `typeof(T)` and `typeof(T[3])` as expressions.
    fn type_as_expression(&mut self, e: &'a Node<ast::Expression>) -> Result<Option<DeclType>> {
        match &e.node {
            ast::Expression::Identifier(name) => match self.lookup(self.name_of(name)) {
                Some(Entity::Typedef(ty)) => Ok(Some(ty)),
                _ if name.node.name == "__builtin_va_list" => {
                    Ok(Some(DeclType::plain(self.types.intern(Type::VaList))))
                }
                _ => Ok(None),
            },
            ast::Expression::BinaryOperator(b) if b.node.operator.node == ast::BinaryOperator::Index => {
                let Some(element) = self.type_as_expression(&b.node.lhs)? else { return Ok(None) };
                let length = self.array_length(&b.node.rhs)?;
                let ty = self.types.intern(Type::Array { element: element.ty, length });
                Ok(Some(DeclType { quals: element.quals, ..DeclType::plain(ty) }))
            }
            _ => Ok(None),
        }
    }

    /// The type of an operand as it stands, without array or function decay.
    pub(super) fn operand_type(&self, operand: &Operand) -> TypeId {
        match operand {
            Operand::Value(e) => e.ty,
            Operand::Place(p) => p.ty,
            Operand::Function(id, _) => self.functions[id.index()].ty,
        }
    }

    /// `int (*)[3]` and the like.
    pub(super) fn type_name(&mut self, node: &'a Node<ast::TypeName>) -> Result<TypeId> {
        Ok(self.named(node)?.ty)
    }

    /// A type name with the alignment its typedef may carry.
    pub(super) fn named(&mut self, node: &'a Node<ast::TypeName>) -> Result<DeclType> {
        let span = self.span(node);
        let mut base = self.specifier_qualifiers(&node.node.specifiers, span, false)?;
        if !self.prepared.attributes.is_empty() {
            let attributes = self.type_name_attributes(span);
            base.ty = self.apply_mode(base.ty, &attributes, span)?;
        }
        match &node.node.declarator {
            None => Ok(base),
            Some(declarator) => Ok(self.declarator(base, declarator)?.ty),
        }
    }
}

fn is_auto(spec: &Spec) -> bool {
    let Spec::TypeOf(node) = spec else { return false };
    let ast::TypeOf::Expression(e) = &node.node else { return false };
    matches!(&e.node, ast::Expression::Identifier(i) if i.node.name == marker::AUTO)
}

/// A type that depends on the length of a variable array (C11 6.7.6 p3).
fn is_modified(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Pointer(target) => is_modified(types, *target),
        Type::Array { length: ArrayLength::Variable(_), .. } => true,
        Type::Array { element, .. } => is_modified(types, *element),
        _ => false,
    }
}
