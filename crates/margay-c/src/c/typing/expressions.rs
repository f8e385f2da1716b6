//! Expressions: what each form denotes. Operators and calls have files of their own.

use lang_c::ast::{self, Expression as Ast};
use lang_c::span::Node;

use super::quals::Quals;
use super::{DeclType, Entity, Operand, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::prepass::marker;
use crate::c::syntax::{Expr, ExprKind, FUNCTION_NAME, Init, InitEntry, LocalId, Place, PlaceKind, StmtKind};
use crate::c::types::{FloatKind, FunctionType, Type, TypeId};

impl<'a> Typer<'a> {
    /// The value of an expression.
    pub(super) fn rvalue(&mut self, node: &'a Node<Ast>) -> Result<Expr> {
        let operand = self.operand(node)?;
        self.value_of(operand)
    }

    /// The place an expression denotes.
    pub(super) fn place(&mut self, node: &'a Node<Ast>) -> Result<Place> {
        match self.operand(node)? {
            Operand::Place(place) => Ok(place),
            _ => self.constraint(self.span(node), "this is not an object that can be assigned to"),
        }
    }

    /// Types an operand that is not evaluated (`sizeof`, `typeof`): nothing stays behind but the type.
    pub(super) fn unevaluated(&mut self, node: &'a Node<Ast>) -> Result<Operand> {
        self.typed_only(node).map(|(operand, _)| operand)
    }

    /// The same with the lengths of variable arrays that it names.
    pub(super) fn typed_only(&mut self, node: &'a Node<Ast>) -> Result<(Operand, Vec<(u32, Expr)>)> {
        let pending = self.function.as_ref().map_or(0, |f| f.pending_lengths.len());
        let globals = self.globals.len();
        let operand = self.operand(node)?;
        let mut lengths = Vec::new();
        if self.globals[globals..].iter().all(|g| g.name.starts_with('.')) {
            self.globals.truncate(globals);
            self.strings.retain(|_, id| id.index() < globals);
        }
        if let Some(function) = &mut self.function {
            lengths = function.pending_lengths.split_off(pending);
            function.own_name = function.own_name.filter(|name| name.index() < self.globals.len());
        }
        Ok((operand, lengths))
    }

    /// Types an expression; the span of the result is that of the node.
    pub(super) fn operand(&mut self, node: &'a Node<Ast>) -> Result<Operand> {
        let span = self.span(node);
        match &node.node {
            Ast::Identifier(name) => self.identifier(self.name_of(name), span),
            Ast::Constant(constant) => self.constant(constant).map(Operand::Value),
            Ast::StringLiteral(literal) => {
                let text = self.string(literal)?;
                Ok(Operand::Place(self.string_place(&text, span)))
            }
            Ast::GenericSelection(selection) => self.generic(&selection.node, span),
            Ast::Member(member) => self.member(&member.node, span),
            // The outer node spans parentheses around the call, too.
            Ast::Call(call) => self.call(&call.node, self.span(call)),
            Ast::CompoundLiteral(literal) => self.compound_literal(&literal.node, span),
            Ast::SizeOfTy(s) => {
                let before = self.function.as_ref().map_or(0, |f| f.pending_lengths.len());
                let ty = self.type_name(&s.node.0)?;
                let size = self.size(ty, span)?;
                Ok(Operand::Value(self.with_lengths(before, size)))
            }
            Ast::SizeOfVal(s) => {
                let operand = self.unevaluated(&s.node.0)?;
                let ty = self.operand_type(&operand);
                if let Operand::Place(Place { kind: PlaceKind::Member { base, field }, .. }) = &operand
                    && self.field(base.ty, *field).is_some_and(|f| f.bits.is_some())
                {
                    return self.constraint(span, "sizeof a bit-field");
                }
                self.size(ty, span).map(Operand::Value)
            }
            Ast::AlignOf(a) => {
                let DeclType { ty, align, .. } = self.named(&a.node.0)?;
                let standard = self.prepared.text[a.span.start..].starts_with("_Alignof");
                let natural = if standard { self.types.align_of(ty) } else { self.types.preferred_align_of(ty) };
                let align = align.or(natural);
                match align {
                    Some(n) => Ok(Operand::Value(self.int_expr(i128::from(n), self.common.size, span))),
                    None => self.constraint(span, format!("alignment of incomplete {}", self.types.display(ty))),
                }
            }
            Ast::UnaryOperator(u) => self.unary(&u.node, span),
            Ast::Cast(cast) => {
                let before = self.function.as_ref().map_or(0, |f| f.pending_lengths.len());
                let ty = self.type_name(&cast.node.type_name)?;
                let value = self.rvalue(&cast.node.expression)?;
                let value = self.cast(value, ty, span)?;
                Ok(Operand::Value(self.with_lengths(before, value)))
            }
            Ast::BinaryOperator(b) => self.binary(&b.node, span),
            Ast::Conditional(c) => self.conditional(&c.node, span).map(Operand::Value),
            Ast::Comma(list) => self.comma(list, span).map(Operand::Value),
            Ast::OffsetOf(o) => self.offset_of(&o.node, span).map(Operand::Value),
            Ast::VaArg(v) => {
                let before = self.function.as_ref().map_or(0, |f| f.pending_lengths.len());
                let ty = self.type_name(&v.node.type_name)?;
                if let Type::Float(kind @ (FloatKind::Single | FloatKind::Half)) = *self.types.get(ty) {
                    // No argument has it but those of `_Float32` and `_Float16`, which are numbers of these types here.
                    let nothing = self.types.intern(Type::Function(FunctionType {
                        result: self.common.void,
                        params: Vec::new(),
                        variadic: false,
                        prototyped: true,
                    }));
                    let refusal = Box::new(self.named_call("__margay_give_up", nothing, Vec::new(), span));
                    let value = Box::new(self.float_expr("0", kind, span));
                    return Ok(Operand::Value(Expr { kind: ExprKind::Comma(refusal, value), ty, span }));
                }
                let list = self.va_list(&v.node.va_list)?;
                let value = Expr { kind: ExprKind::VaArg(Box::new(list)), ty, span };
                Ok(Operand::Value(self.with_lengths(before, value)))
            }
            Ast::Statement(block) => self.statement_expression(block, span).map(Operand::Value),
        }
    }

    pub(super) fn int_expr(&self, value: i128, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value), ty, span }
    }

    /// The value of an expression with the lengths of variable arrays that it names and nothing in it evaluates.
    pub(super) fn full_expression(&mut self, node: &'a Node<Ast>) -> Result<Expr> {
        let before = self.function.as_ref().map_or(0, |f| f.pending_lengths.len());
        let value = self.rvalue(node)?;
        Ok(self.with_lengths(before, value))
    }

    /// Lengths of variable arrays named inside an expression are evaluated right there.
    fn with_lengths(&mut self, before: usize, value: Expr) -> Expr {
        let Some(function) = &mut self.function else { return value };
        if function.pending_lengths.len() <= before {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        let block = function
            .pending_lengths
            .split_off(before)
            .into_iter()
            .map(|(index, length)| super::statements::stmt(StmtKind::VlaLength { index, length }, span))
            .collect();
        Expr { kind: ExprKind::Statement { block, result: Some(Box::new(value)) }, ty, span }
    }

    fn identifier(&mut self, name: &'a str, span: Span) -> Result<Operand> {
        let place = |kind, ty| Ok(Operand::Place(Place { kind, ty, span }));
        match self.lookup(name) {
            Some(Entity::Local(id)) => {
                if let Some(owner) = self.owner(name) {
                    return self.outer_variable(owner, id, span);
                }
                let ty = match &self.function {
                    Some(function) => function.locals[id.index()].ty,
                    None => return self.constraint(span, format!("`{name}` is not in scope")),
                };
                place(PlaceKind::Local(id), ty)
            }
            Some(Entity::Global(id)) => place(PlaceKind::Global(id), self.globals[id.index()].ty),
            Some(Entity::Function(id)) => Ok(Operand::Function(id, span)),
            Some(Entity::Parameter(ty)) => place(PlaceKind::Unsupported("parameter of a prototype".into()), ty),
            Some(Entity::Enumerator(value, ty)) => Ok(Operand::Value(self.int_expr(value, ty, span))),
            Some(Entity::Typedef(_)) => self.constraint(span, format!("type name `{name}` used as an expression")),
            None => self.undeclared(name, span),
        }
    }

    fn undeclared(&mut self, name: &'a str, span: Span) -> Result<Operand> {
        match name {
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                let function = self.function.as_ref().map(|f| f.name).unwrap_or_default();
                let units = function.bytes().map(u32::from).collect();
                let text = super::literals::Text { units, element: self.common.char_, width: 1 };
                // An object of its own, whatever literals there are (C11 6.4.2.2).
                let known = self.function.as_ref().and_then(|f| f.own_name);
                let id = known.unwrap_or_else(|| self.new_string(FUNCTION_NAME, &text, span));
                if let Some(function) = &mut self.function {
                    function.own_name = Some(id);
                }
                let ty = self.globals[id.index()].ty;
                return Ok(Operand::Place(Place { kind: PlaceKind::Global(id), ty, span }));
            }
            "true" => return Ok(Operand::Value(self.int_expr(1, self.common.int, span))),
            "false" => return Ok(Operand::Value(self.int_expr(0, self.common.int, span))),
            "nullptr" => {
                let zero = self.int_expr(0, self.common.int, span);
                return self.convert(zero, self.common.void_ptr).map(Operand::Value);
            }
            marker::UNSUPPORTED => return self.unsupported(span, "complex arithmetic"),
            _ => {}
        }
        if let Some(id) = self.builtin_function(name, span) {
            return Ok(Operand::Function(id, span));
        }
        self.constraint(span, format!("`{name}` is not declared"))
    }

    /// `base.name` and `base->name`.
    fn member(&mut self, member: &'a ast::MemberExpression, span: Span) -> Result<Operand> {
        let base = match member.operator.node {
            ast::MemberOperator::Direct => match self.operand(&member.expression)? {
                Operand::Place(place) => place,
                operand => {
                    // A member of a value, e.g. of a call's result.
                    let value = self.value_of(operand)?;
                    let (ty, span) = (value.ty, value.span);
                    Place { kind: PlaceKind::Temporary(value), ty, span }
                }
            },
            ast::MemberOperator::Indirect => {
                let pointer = self.rvalue(&member.expression)?;
                match self.pointee(pointer.ty) {
                    Some(ty) => Place { span: pointer.span, ty, kind: PlaceKind::Deref(pointer) },
                    None => {
                        return self.constraint(span, format!("`->` on {}", self.types.display(pointer.ty)));
                    }
                }
            }
        };
        let name = self.name_of(&member.identifier);
        self.select(base, name, span).map(Operand::Place)
    }

    /// Member `name` of a place, through anonymous members.
    pub(super) fn select(&mut self, base: Place, name: &str, span: Span) -> Result<Place> {
        let Some(path) = self.types.find_member(base.ty, name) else {
            return self.constraint(span, format!("{} has no member `{name}`", self.types.display(base.ty)));
        };
        let mut place = base;
        for index in path {
            let Some(ty) = self.field(place.ty, index).map(|f| f.ty) else { break };
            place = Place { kind: PlaceKind::Member { base: Box::new(place), field: index }, ty, span };
        }
        Ok(place)
    }

    fn compound_literal(&mut self, literal: &'a ast::CompoundLiteral, span: Span) -> Result<Operand> {
        let ty = self.type_name(&literal.type_name)?;
        let until = literal.initializer_list.first().map_or(span.end, |item| item.span.start as u32);
        let is_static = self.has_word("static_literal", span.start, until);
        let (ty, init) = self.list_initialiser(ty, &literal.initializer_list, span)?;
        if is_static {
            let id = self.new_global(".literal".into(), ty, Some(init), span);
            return Ok(Operand::Place(Place { kind: PlaceKind::Global(id), ty, span }));
        }
        Ok(Operand::Place(self.literal_place(ty, init, span)))
    }

    /// An unnamed object: a local of the function, or a global outside of one.
    pub(super) fn literal_place(&mut self, ty: TypeId, init: Init, span: Span) -> Place {
        if self.function.is_none() || self.in_static_initialiser() {
            let id = self.new_global(".literal".into(), ty, Some(init), span);
            return Place { kind: PlaceKind::Global(id), ty, span };
        }
        let local: LocalId = self.new_local(".literal".into(), ty, span, None);
        Place { kind: PlaceKind::CompoundLiteral { local, init }, ty, span }
    }

    /// `sizeof` a type.
    fn size(&mut self, ty: TypeId, span: Span) -> Result<Expr> {
        if self.types.is_variable(ty) {
            return Ok(Expr { kind: ExprKind::SizeofVla(ty), ty: self.common.size, span });
        }
        let size = match self.types.get(ty) {
            Type::Void | Type::Function(_) => Some(1),
            _ => self.types.size_of(ty),
        };
        match size {
            Some(n) => Ok(self.int_expr(i128::from(n), self.common.size, span)),
            None => self.constraint(span, format!("size of incomplete {}", self.types.display(ty))),
        }
    }

    pub(super) fn cast(&mut self, value: Expr, ty: TypeId, span: Span) -> Result<Expr> {
        if value.ty == ty && self.bit_field_of(&value).is_some() {
            // From here on it is a value of its declared type, no bit-field that is promoted by its width.
            return Ok(Expr { kind: ExprKind::Convert(Box::new(value)), ty, span });
        }
        if value.ty == ty {
            return Ok(Expr { span, ..value });
        }
        match self.types.get(ty) {
            Type::Record(_) if self.parts_of(ty).is_none() => return self.union_from(value, ty),
            Type::Array { .. } | Type::Function(_) => {
                return self.constraint(span, format!("cast to {}", self.types.display(ty)));
            }
            _ => {}
        }
        Ok(Expr { span, ..self.convert(value, ty)? })
    }

    /// GNU cast to a union (also a `transparent_union` argument): the first member the value fits.
    pub(super) fn union_from(&mut self, value: Expr, ty: TypeId) -> Result<Expr> {
        let span = value.span;
        let is_union = matches!(self.types.get(ty), Type::Record(id) if self.types.record(*id).is_union);
        let fields = self.types.layout_of(ty).map(|l| l.fields.clone()).unwrap_or_default();
        let pointer = self.pointee(value.ty).is_some() || self.is_null_constant(&value);
        let exact = fields.iter().find(|f| f.ty == value.ty);
        let member = exact.or_else(|| fields.iter().find(|f| pointer && self.pointee(f.ty).is_some()));
        let (true, Some(member)) = (is_union, member) else {
            let (from, to) = (self.types.display(value.ty), self.types.display(ty));
            return self.constraint(span, format!("{from} cannot be converted to {to}"));
        };
        let value = self.convert(value, member.ty)?;
        let entry = InitEntry { offset: member.offset, bits: member.bits, ty: member.ty, value: Init::Expr(value) };
        let place = self.literal_place(ty, Init::List(vec![entry]), span);
        Ok(Expr { kind: ExprKind::Use(Box::new(place)), ty, span })
    }

    fn comma(&mut self, list: &'a [Node<Ast>], span: Span) -> Result<Expr> {
        let mut values = Vec::with_capacity(list.len());
        for node in list {
            let value = self.rvalue(node)?;
            values.push(value);
        }
        match balanced_comma(values) {
            Some(e) => Ok(e),
            None => self.constraint(span, "empty expression"),
        }
    }

    fn generic(&mut self, selection: &'a ast::GenericSelection, span: Span) -> Result<Operand> {
        let control = self.unevaluated(&selection.expression)?;
        let control = self.value_of(control)?.ty;
        let quals = self.value_quals(&selection.expression, control)?;
        // All of the same type, with their qualifiers.
        let mut candidates = Vec::new();
        let mut default = None;
        for association in &selection.associations {
            match &association.node {
                ast::GenericAssociation::Default(e) => default = Some(e),
                ast::GenericAssociation::Type(t) => {
                    let DeclType { ty, quals, .. } = self.named(&t.node.type_name)?;
                    // A value has no qualifiers itself.
                    if self.compatible(ty, control) && (!quals.is_known() || quals.outermost() == Quals::NONE) {
                        candidates.push((quals, &t.node.expression));
                    }
                }
            }
        }
        let chosen = match &candidates[..] {
            // C wants one to fit.
            [(_, only)] if default.is_none() => Some(*only),
            _ if quals.is_known() && candidates.iter().all(|(own, _)| own.is_known()) => {
                candidates.iter().find(|(own, _)| *own == quals).map(|(_, expression)| *expression)
            }
            [] => None,
            _ => return self.unsupported(span, "_Generic between types with qualifiers that are not known"),
        };
        match chosen.or(default) {
            Some(e) => self.operand(e),
            None => self.constraint(span, format!("no association of _Generic fits {}", self.types.display(control))),
        }
    }

    fn offset_of(&mut self, node: &'a ast::OffsetOfExpression, span: Span) -> Result<Expr> {
        let ty = self.type_name(&node.type_name)?;
        // As a place below a null pointer; then the members and indices are added up.
        let null = self.int_expr(0, self.common.size, span);
        let pointer = self.types.pointer_to(ty);
        let null = Expr { kind: ExprKind::Convert(Box::new(null)), ty: pointer, span };
        let mut place = Place { kind: PlaceKind::Deref(null), ty, span };
        place = self.select(place, self.name_of(&node.designator.node.base), span)?;
        for member in &node.designator.node.members {
            place = match &member.node {
                ast::OffsetMember::Member(name) => self.select(place, self.name_of(name), span)?,
                ast::OffsetMember::IndirectMember(name) => {
                    let pointer = self.value_of(Operand::Place(place))?;
                    let Some(ty) = self.pointee(pointer.ty) else {
                        return self.constraint(span, "`->` on something that is no pointer");
                    };
                    self.select(Place { kind: PlaceKind::Deref(pointer), ty, span }, self.name_of(name), span)?
                }
                ast::OffsetMember::Index(e) => {
                    let base = self.value_of(Operand::Place(place))?;
                    let index = self.rvalue(e)?;
                    self.element(base, index, span)?
                }
            };
        }
        if let PlaceKind::Member { base, field } = &place.kind
            && self.field(base.ty, *field).is_some_and(|f| f.bits.is_some())
        {
            return self.constraint(span, "offset of a bit-field");
        }
        let pointer = self.types.pointer_to(place.ty);
        let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: pointer, span };
        match self.eval_int(&address) {
            Some(offset) => Ok(self.int_expr(offset, self.common.size, span)),
            None => self.convert(address, self.common.size),
        }
    }

    pub(super) fn va_list(&mut self, node: &'a Node<Ast>) -> Result<Place> {
        let span = self.span(node);
        let place = match self.operand(node)? {
            Operand::Place(place) => place,
            // `*&list` and the like never get here; a `va_list` by value has no place.
            operand => {
                let value = self.value_of(operand)?;
                let (ty, span) = (value.ty, value.span);
                Place { kind: PlaceKind::Temporary(value), ty, span }
            }
        };
        match self.types.get(place.ty) {
            Type::VaList => {
                self.take_address(&place);
                Ok(place)
            }
            _ => self.constraint(span, format!("{} is no va_list", self.types.display(place.ty))),
        }
    }

    /// The function type behind a callee's type.
    pub(super) fn signature(&self, ty: TypeId) -> Option<&FunctionType> {
        let target = self.pointee(ty)?;
        match self.types.get(target) {
            Type::Function(f) => Some(f),
            _ => None,
        }
    }
}

/// Evaluates the values in order and yields the last; a balanced tree, so that long lists do not become deep.
fn balanced_comma(mut values: Vec<Expr>) -> Option<Expr> {
    if values.len() < 2 {
        return values.pop();
    }
    let right = balanced_comma(values.split_off(values.len() / 2))?;
    let left = balanced_comma(values)?;
    let (ty, span) = (right.ty, left.span.to(right.span));
    Some(Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), ty, span })
}
