//! Declarators: what the stars, brackets and parentheses around a name make of its base type.

use lang_c::ast::{self, DerivedDeclarator as Derived};
use lang_c::span::Node;

use super::quals::{self, Quals};
use super::specifiers::Storage;
use super::{DeclType, Entity, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::types::{ArrayLength, FunctionType, Type, TypeId};

/// A declarator resolved.
pub(super) struct Declared<'a> {
    pub name: Option<&'a str>,
    pub ty: DeclType,
    pub span: Span,
}

impl<'a> Typer<'a> {
    pub(super) fn declarator(&mut self, base: DeclType, node: &'a Node<ast::Declarator>) -> Result<Declared<'a>> {
        let span = self.span(node);
        let mut ty = base;
        // Stars bind to the base first; brackets and parentheses from the outside in.
        for derived in &node.node.derived {
            match &derived.node {
                Derived::Pointer(qualifiers) => {
                    let quals = ty.quals.below().and(quals::of_pointer(qualifiers));
                    ty = DeclType { quals, ..DeclType::plain(self.types.pointer_to(ty.ty)) };
                }
                Derived::Block(_) => return self.unsupported(span, "block pointer"),
                _ => {}
            }
        }
        for derived in node.node.derived.iter().rev() {
            let at = self.span(derived);
            match &derived.node {
                Derived::Pointer(_) | Derived::Block(_) => {}
                Derived::Array(array) => ty.ty = self.array_of(ty.ty, &array.node.size, at)?,
                Derived::Function(function) => {
                    let result = self.function_result(ty.ty, at)?;
                    let (function, params) = self.function_type(result, &function.node)?;
                    let quals = ty.quals.of_value().below().and(params);
                    ty = DeclType { quals, ..DeclType::plain(function) };
                }
                Derived::KRFunction(_) => {
                    let result = self.function_result(ty.ty, at)?;
                    let quals = ty.quals.of_value().below();
                    let function = self.types.intern(Type::Function(FunctionType {
                        result,
                        params: Vec::new(),
                        variadic: false,
                        prototyped: false,
                    }));
                    ty = DeclType { quals, ..DeclType::plain(function) };
                }
            }
        }
        match &node.node.kind.node {
            ast::DeclaratorKind::Abstract => Ok(Declared { name: None, ty, span }),
            ast::DeclaratorKind::Identifier(name) => {
                let span = self.span(name);
                Ok(Declared { name: Some(self.name_of(name)), ty, span })
            }
            ast::DeclaratorKind::Declarator(inner) => self.declarator(ty, inner),
        }
    }

    fn function_result(&self, ty: TypeId, span: Span) -> Result<TypeId> {
        match self.types.get(ty) {
            Type::Array { .. } => self.constraint(span, "function returns an array"),
            Type::Function(_) => self.constraint(span, "function returns a function"),
            _ => Ok(ty),
        }
    }

    fn array_of(&mut self, element: TypeId, size: &'a ast::ArraySize, span: Span) -> Result<TypeId> {
        match self.types.get(element) {
            Type::Function(_) => return self.constraint(span, "array of functions"),
            Type::Void => return self.constraint(span, "array of void"),
            _ => {}
        }
        let length = match size {
            ast::ArraySize::Unknown => ArrayLength::Unknown,
            ast::ArraySize::VariableUnknown => {
                self.prototype_varies = true;
                ArrayLength::Unknown
            }
            ast::ArraySize::VariableExpression(e) | ast::ArraySize::StaticExpression(e) => self.array_length(e)?,
        };
        let ty = self.types.intern(Type::Array { element, length });
        let bytes = self.types.size_of(ty);
        if matches!(length, ArrayLength::Known(_))
            && self.types.size_of(element).is_some()
            && bytes.is_none_or(|n| n > self.types.max_object_bytes())
        {
            return self.constraint(span, "the size of the array is too large");
        }
        Ok(ty)
    }

    pub(super) fn array_length(&mut self, e: &'a Node<ast::Expression>) -> Result<ArrayLength> {
        let span = self.span(e);
        let value = self.rvalue(e)?;
        if self.types.int_kind(value.ty).is_none() {
            return self.constraint(span, "array length is not an integer");
        }
        if let Some(n) = self.eval_int(&value) {
            return match u64::try_from(n) {
                Ok(n) => Ok(ArrayLength::Known(n)),
                Err(_) => self.constraint(span, "array length is negative"),
            };
        }
        if self.in_prototype > 0 {
            self.prototype_varies = true;
            return Ok(ArrayLength::Unknown);
        }
        let length = self.convert(value, self.common.size)?;
        match &mut self.function {
            Some(function) => {
                let index = function.vla_lengths;
                function.vla_lengths += 1;
                function.pending_lengths.push((index, length));
                Ok(ArrayLength::Variable(index))
            }
            None => self.constraint(span, "array length at file scope is not constant"),
        }
    }

    /// A prototype's type; parameter names are visible to later parameters. Qualifiers of what parameters lead to have no place
    /// beside a type: with any, they are not known.
    fn function_type(&mut self, result: TypeId, function: &'a ast::FunctionDeclarator) -> Result<(TypeId, Quals)> {
        let variadic = function.ellipsis == ast::Ellipsis::Some;
        self.in_prototype += 1;
        let mut quals = Quals::NONE;
        let params = self.scoped(|this| {
            let mut params = Vec::with_capacity(function.parameters.len());
            for parameter in &function.parameters {
                let declared = this.parameter(parameter)?;
                if let Some(name) = declared.name {
                    this.bind(name, Entity::Parameter(declared.ty.ty));
                }
                params.push(declared.ty.ty);
                if declared.ty.quals.of_value() != Quals::NONE {
                    quals = Quals::UNKNOWN;
                }
            }
            Ok(params)
        });
        self.in_prototype -= 1;
        let mut params: Vec<TypeId> = params?;
        let only_void = params.len() == 1 && params[0] == self.common.void;
        // `f()` is no prototype, `f(void)` is one without parameters.
        let prototyped = !params.is_empty() || variadic;
        if only_void {
            params.clear();
        }
        Ok((self.types.intern(Type::Function(FunctionType { result, params, variadic, prototyped })), quals))
    }

    /// A parameter with its adjusted type: arrays and functions become pointers.
    pub(super) fn parameter(&mut self, node: &'a Node<ast::ParameterDeclaration>) -> Result<Declared<'a>> {
        let span = self.span(node);
        let parameter = &node.node;
        let until = parameter.declarator.as_ref().map_or(span.end, |d| d.span.start as u32);
        let specifiers = self.specifiers(&parameter.specifiers, span.start, until, false)?;
        if specifiers.storage == Storage::Typedef {
            return self.constraint(span, "typedef in a parameter list");
        }
        let mut declared = match &parameter.declarator {
            Some(d) => self.declarator(specifiers.base, d)?,
            None => Declared { name: None, ty: specifiers.base, span },
        };
        declared.ty = self.adjusted(declared.ty);
        Ok(declared)
    }

    /// Parameter adjustment.
    pub(super) fn adjusted(&mut self, DeclType { ty, quals, .. }: DeclType) -> DeclType {
        let target = match *self.types.get(ty) {
            Type::Array { element, .. } => element,
            Type::Function(_) => ty,
            _ => return DeclType { quals, ..DeclType::plain(ty) },
        };
        DeclType { quals: quals.below(), ..DeclType::plain(self.types.pointer_to(target)) }
    }

    /// The type both declarations of one name agree on: known lengths and prototypes win.
    pub(super) fn composite(&mut self, old: TypeId, new: TypeId) -> TypeId {
        if old == new {
            return new;
        }
        match (self.types.get(old).clone(), self.types.get(new).clone()) {
            (Type::Array { element: a, length: l }, Type::Array { element: b, length: m }) => {
                let element = self.composite(a, b);
                let length = if m == ArrayLength::Unknown { l } else { m };
                self.types.intern(Type::Array { element, length })
            }
            (Type::Function(f), Type::Function(g)) => {
                if !g.prototyped && f.prototyped && g.params.is_empty() {
                    return old;
                }
                if !f.prototyped || f.params.len() != g.params.len() {
                    return new;
                }
                let result = self.composite(f.result, g.result);
                let params = f.params.iter().zip(&g.params).map(|(&a, &b)| self.composite(a, b)).collect();
                self.types.intern(Type::Function(FunctionType { result, params, ..g }))
            }
            (Type::Pointer(a), Type::Pointer(b)) => {
                let target = self.composite(a, b);
                self.types.pointer_to(target)
            }
            // Of two files, one may have the definition and the other the tag only.
            (Type::Record(_), Type::Record(_)) if self.types.layout_of(new).is_none() => old,
            _ => new,
        }
    }
}
