//! Built-in functions of gcc whose calls are not ordinary calls.

use lang_c::ast::Expression as Ast;
use lang_c::span::Node;

use super::library::library_signature;
use super::{Entity, Operand, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::prepass::marker;
use crate::c::syntax::{BinaryOp, Callee, Expr, ExprKind, Place, PlaceKind};
use crate::c::types::{ArrayLength, FloatKind, FunctionType, Type, TypeId};

impl<'a> Typer<'a> {
    /// The meaning of a call of an undeclared special name; `None` when it is an ordinary function.
    pub(super) fn special_call(&mut self, name: &'a str, args: &'a [Node<Ast>], span: Span) -> Result<Option<Operand>> {
        match name {
            marker::LABEL => return self.label_address(args, span).map(|e| Some(Operand::Value(e))),
            marker::GOTO => return self.constraint(span, "computed goto inside an expression"),
            marker::UNSUPPORTED => return self.refused(args, span),
            _ => {}
        }
        if name.starts_with("__sync_") || name.starts_with("__atomic_") {
            return self.atomic_call(name, args, span).map(|e| Some(Operand::Value(e)));
        }
        let Some(plain) = name.strip_prefix("__builtin_") else { return Ok(None) };
        if let Some(value) = self.parts_call(plain, args, span)? {
            return Ok(Some(value));
        }
        let value = match (plain, args) {
            ("expect" | "expect_with_probability" | "assume_aligned", [first, rest @ ..]) => {
                let value = self.rvalue(first)?;
                let value = if plain == "assume_aligned" {
                    value
                } else {
                    let ty = self.types.int(super::IntKind::Long);
                    self.convert(value, ty)?
                };
                let mut args = vec![value];
                for other in rest {
                    args.push(self.rvalue(other)?);
                }
                if args[1..].iter().all(|other| matches!(other.kind, ExprKind::Int(_) | ExprKind::Float(_))) {
                    args.swap_remove(0)
                } else {
                    // The others are evaluated, too.
                    let ty = self.types.intern(Type::Function(FunctionType {
                        result: args[0].ty,
                        params: args.iter().map(|arg| arg.ty).collect(),
                        variadic: false,
                        prototyped: true,
                    }));
                    self.named_call(name, ty, args, span)
                }
            }
            ("classify_type", [e]) => {
                let operand = self.unevaluated(e)?;
                let value = self.value_of(operand)?;
                let class = self.type_class(value.ty);
                self.int_expr(class, self.common.int, span)
            }
            ("constant_p", [e]) => {
                let operand = self.unevaluated(e)?;
                let value = self.value_of(operand)?;
                let string = matches!(e.node, Ast::StringLiteral(_));
                let known = string || self.is_constant(&value);
                self.int_expr(i128::from(known), self.common.int, span)
            }
            ("types_compatible_p", [a, b]) => {
                let (Ast::SizeOfTy(a), Ast::SizeOfTy(b)) = (&a.node, &b.node) else {
                    return self.constraint(span, "__builtin_types_compatible_p wants two types");
                };
                let (a, b) = (self.named(&a.node.0)?, self.named(&b.node.0)?);
                // Qualifiers of the types themselves do not count.
                let same = self.compatible(a.ty, b.ty) && a.quals.of_value() == b.quals.of_value();
                self.int_expr(i128::from(same), self.common.int, span)
            }
            ("choose_expr", [condition, then, otherwise]) => {
                let chosen = self.int_constant(condition)? != 0;
                return self.operand(if chosen { then } else { otherwise }).map(Some);
            }
            ("object_size" | "dynamic_object_size", [pointer, kind]) => {
                let pointer = self.unevaluated(pointer)?;
                let pointer = self.value_of(pointer)?;
                let is_part = self.int_constant(kind)? & 1 != 0;
                if let Some(size) = self.bytes_from(&pointer, is_part) {
                    return Ok(Some(Operand::Value(self.int_expr(size.into(), self.common.size, span))));
                }
                // Unknown: all ones for the maximum, 0 for the minimum.
                let minimum = self.int_constant(kind)? & 2 != 0;
                let value = if minimum { 0 } else { self.int_in_type(-1, self.common.size).unwrap_or(0) };
                self.int_expr(value, self.common.size, span)
            }
            ("unreachable", []) => Expr { kind: ExprKind::Unreachable, ty: self.common.void, span },
            ("va_start", [list, ..]) => {
                let list = Box::new(self.va_list(list)?);
                Expr { kind: ExprKind::VaStart(list), ty: self.common.void, span }
            }
            ("va_end", [list]) => {
                let list = Box::new(self.va_list(list)?);
                Expr { kind: ExprKind::VaEnd(list), ty: self.common.void, span }
            }
            ("va_copy", [to, from]) => {
                let to = Box::new(self.va_list(to)?);
                let from = Box::new(self.va_list(from)?);
                Expr { kind: ExprKind::VaCopy { to, from }, ty: self.common.void, span }
            }
            ("inf" | "huge_val", []) => self.float_expr("inf", FloatKind::Double, span),
            ("inff" | "huge_valf" | "inff32", []) => self.float_expr("inf", FloatKind::Single, span),
            ("infl" | "huge_vall", []) => self.float_expr("inf", FloatKind::Extended, span),
            ("nan" | "nans", [_]) => self.float_expr("nan", FloatKind::Double, span),
            ("nanf" | "nansf", [_]) => self.float_expr("nan", FloatKind::Single, span),
            ("nanl" | "nansl", [_]) => self.float_expr("nan", FloatKind::Extended, span),
            ("alloca_with_align" | "alloca_with_align_and_max", [size, align, ..]) => {
                if self.int_constant(align)? > 128 {
                    return self.unsupported(span, "a block on the stack with more than the usual alignment");
                }
                return self.plain_call("alloca", std::slice::from_ref(size), span).map(Some);
            }
            (_, [a, b, c]) if overflow_op(plain).is_some() => return self.checked(plain, a, b, Some(c), span),
            ("isnan" | "isinf" | "isfinite" | "isnormal" | "signbit" | "isinf_sign", [e]) => {
                let value = self.rvalue(e)?;
                let ty = self.types.intern(Type::Function(FunctionType {
                    result: self.common.int,
                    params: vec![value.ty],
                    variadic: false,
                    prototyped: true,
                }));
                self.named_call(name, ty, vec![value], span)
            }
            ("va_arg_pack" | "va_arg_pack_len", []) => {
                if let Some(function) = &mut self.function {
                    function.packs_arguments = true;
                }
                return self.unsupported(span, format!("built-in function {name}"));
            }
            ("fpclassify", [kinds @ .., e]) if kinds.len() == 5 => {
                let mut values = Vec::with_capacity(6);
                for kind in kinds {
                    let kind = self.rvalue(kind)?;
                    values.push(self.convert(kind, self.common.int)?);
                }
                values.push(self.rvalue(e)?);
                let ty = self.types.intern(Type::Function(FunctionType {
                    result: self.common.int,
                    params: values.iter().map(|value| value.ty).collect(),
                    variadic: false,
                    prototyped: true,
                }));
                self.named_call(name, ty, values, span)
            }
            ("isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered", [a, b]) => {
                let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
                let (a, b) = self.balance(a, b, span)?;
                let ty = self.types.intern(Type::Function(FunctionType {
                    result: self.common.int,
                    params: vec![a.ty, b.ty],
                    variadic: false,
                    prototyped: true,
                }));
                self.named_call(name, ty, vec![a, b], span)
            }
            _ => {
                if let Some(checked) = plain.strip_prefix("__").and_then(|p| p.strip_suffix("_chk")) {
                    return self.fortified(checked, args, span);
                }
                if overflow_p(plain) && args.len() == 3 {
                    return self.checked_only(plain, args, span);
                }
                if self.builtin_function(name, span).is_none() {
                    return self.unsupported(span, format!("built-in function {name}"));
                }
                return Ok(None);
            }
        };
        Ok(Some(Operand::Value(value)))
    }

    fn refused(&mut self, args: &'a [Node<Ast>], span: Span) -> Result<Option<Operand>> {
        let what = match args.first().map(|a| &a.node) {
            Some(Ast::StringLiteral(text)) => {
                let text = self.string(text)?;
                text.units.iter().filter_map(|u| char::from_u32(*u)).collect()
            }
            _ => String::from("construct"),
        };
        self.unsupported(span, what)
    }

    fn label_address(&mut self, args: &'a [Node<Ast>], span: Span) -> Result<Expr> {
        let Some(Ast::Identifier(name)) = args.first().map(|a| &a.node) else {
            return self.constraint(span, "label expected");
        };
        let label = self.label(self.name_of(name), span)?;
        if let Some(function) = &mut self.function {
            function.addressed_labels.insert(label);
        }
        Ok(Expr { kind: ExprKind::LabelAddress(label), ty: self.common.void_ptr, span })
    }

    /// Type compatibility without qualifiers; unknown array lengths fit any.
    pub(super) fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        use crate::c::types::ArrayLength::Known;
        match (self.types.get(a), self.types.get(b)) {
            (Type::Array { element: x, length: l }, Type::Array { element: y, length: m }) => {
                let lengths = l == m || !matches!((l, m), (Known(_), Known(_)));
                lengths && self.compatible(*x, *y)
            }
            (Type::Enum { underlying, .. }, Type::Int(kind)) | (Type::Int(kind), Type::Enum { underlying, .. }) => {
                underlying == kind
            }
            (Type::Pointer(x), Type::Pointer(y)) => self.compatible(*x, *y),
            (Type::Function(f), Type::Function(g)) => {
                let params = !f.prototyped && f.params.is_empty()
                    || !g.prototyped && g.params.is_empty()
                    || f.variadic == g.variadic
                        && f.params.len() == g.params.len()
                        && f.params.iter().zip(&g.params).all(|(a, b)| self.compatible(*a, *b));
                params && self.compatible(f.result, g.result)
            }
            _ => a == b,
        }
    }

    /// A call of the plain library function.
    fn plain_call(&mut self, name: &'static str, args: &'a [Node<Ast>], span: Span) -> Result<Operand> {
        let id = match self.linkage.get(name).copied() {
            Some(Entity::Function(id)) => id,
            _ => match self.builtin_function(name, span) {
                Some(id) => id,
                None => return self.unsupported(span, format!("built-in function {name}")),
            },
        };
        self.call_function(id, args, span.end.saturating_sub(1), span).map(Operand::Value)
    }

    /// The number that gcc has for a kind of types.
    fn type_class(&self, ty: TypeId) -> i128 {
        match self.types.get(ty) {
            Type::Void => 0,
            Type::Pointer(_) => 5,
            Type::Float(_) => 8,
            Type::Record(_) if self.is_complex(ty) => 9,
            Type::Record(id) if self.types.record(*id).is_union => 13,
            Type::Record(_) => 12,
            _ => 1,
        }
    }

    pub(super) fn named_call(&mut self, name: &str, ty: TypeId, args: Vec<Expr>, span: Span) -> Expr {
        let id = self.function_named(name, ty, span);
        let result = match self.types.get(ty) {
            Type::Function(f) => f.result,
            _ => self.common.int,
        };
        let close = span.end.saturating_sub(1);
        Expr { kind: ExprKind::Call { callee: Callee::Direct(id), args, close }, ty: result, span }
    }

    /// `__builtin___memcpy_chk(d, s, n, size)` → `memcpy(d, s, n)`: the checks against the object's size come from the
    /// memory model anyway.
    fn fortified(&mut self, name: &'a str, args: &'a [Node<Ast>], span: Span) -> Result<Option<Operand>> {
        let (Some(signature), false) = (library_signature(name), args.is_empty()) else {
            return self.unsupported(span, format!("built-in function __builtin___{name}_chk"));
        };
        // Position of the extra arguments: flag and size before the format of the printf family, else the last one.
        let keep: Vec<usize> = match name {
            "sprintf" | "vsprintf" => (0..args.len()).filter(|i| !matches!(i, 1 | 2)).collect(),
            "snprintf" | "vsnprintf" => (0..args.len()).filter(|i| !matches!(i, 2 | 3)).collect(),
            "printf" | "vprintf" => (0..args.len()).filter(|i| *i != 0).collect(),
            "fprintf" | "vfprintf" => (0..args.len()).filter(|i| *i != 1).collect(),
            _ => (0..args.len() - 1).collect(),
        };
        let ty = self.type_of_signature(signature);
        let Type::Function(function) = self.types.get(ty).clone() else { return Ok(None) };
        let mut values = Vec::with_capacity(keep.len());
        for (i, from) in keep.into_iter().enumerate() {
            let value = self.rvalue(&args[from])?;
            values.push(match function.params.get(i) {
                Some(&ty) => self.assign_convert(value, ty)?,
                None => self.promote_argument(value)?,
            });
        }
        if values.len() < function.params.len() {
            return self.constraint(span, "too few arguments");
        }
        let id = match self.linkage.get(name).copied() {
            Some(Entity::Function(id)) => id,
            _ => match self.builtin_function(name, span) {
                Some(id) => id,
                None => return Ok(None),
            },
        };
        let kind = ExprKind::Call { callee: Callee::Direct(id), args: values, close: span.end.saturating_sub(1) };
        Ok(Some(Operand::Value(Expr { kind, ty: function.result, span })))
    }

    /// `__builtin_add_overflow` and its typed variants.
    fn checked(
        &mut self,
        name: &str,
        a: &'a Node<Ast>,
        b: &'a Node<Ast>,
        target: Option<&'a Node<Ast>>,
        span: Span,
    ) -> Result<Option<Operand>> {
        let Some((op, kind)) = overflow_op(name) else { return Ok(None) };
        let (mut left, mut right) = (self.rvalue(a)?, self.rvalue(b)?);
        let result = match target {
            Some(node) => Some(self.rvalue(node)?),
            None => None,
        };
        if let Some(kind) = kind {
            let ty = self.types.int(kind);
            (left, right) = (self.convert(left, ty)?, self.convert(right, ty)?);
        }
        let result_type = result.as_ref().and_then(|r| self.pointee(r.ty));
        match result_type {
            Some(ty) if self.is_integer(ty) && self.is_integer(left.ty) && self.is_integer(right.ty) => {
                let kind = ExprKind::CheckedArithmetic {
                    op,
                    left: Box::new(left),
                    right: Box::new(right),
                    result: result.map(Box::new),
                    result_type: ty,
                };
                Ok(Some(Operand::Value(Expr { kind, ty: self.common.bool_, span })))
            }
            _ => self.constraint(span, "checked arithmetic on something that is no integer"),
        }
    }

    /// `__builtin_add_overflow_p(a, b, (T)0)`: no result is stored.
    fn checked_only(&mut self, name: &str, args: &'a [Node<Ast>], span: Span) -> Result<Option<Operand>> {
        let Some((op, _)) = overflow_op(name.trim_end_matches("_p")) else { return Ok(None) };
        let (left, right) = (self.rvalue(&args[0])?, self.rvalue(&args[1])?);
        let ty = self.unevaluated(&args[2])?;
        let ty = self.operand_type(&ty);
        if !(self.is_integer(ty) && self.is_integer(left.ty) && self.is_integer(right.ty)) {
            return self.constraint(span, "checked arithmetic on something that is no integer");
        }
        let kind = ExprKind::CheckedArithmetic {
            op,
            left: Box::new(left),
            right: Box::new(right),
            result: None,
            result_type: ty,
        };
        Ok(Some(Operand::Value(Expr { kind, ty: self.common.bool_, span })))
    }

    /// Atomic built-ins: a function of the same name, with types from the object pointed to.
    fn atomic_call(&mut self, name: &'a str, nodes: &'a [Node<Ast>], span: Span) -> Result<Expr> {
        let mut args = Vec::with_capacity(nodes.len());
        for node in nodes {
            args.push(self.rvalue(node)?);
        }
        let object = args.first().and_then(|a| self.pointee(a.ty)).unwrap_or(self.common.int);
        let operation = name.trim_start_matches("__sync_").trim_start_matches("__atomic_");
        let result = match operation {
            "synchronize" | "lock_release" | "thread_fence" | "signal_fence" | "store_n" | "store" | "load"
            | "exchange" | "clear" => self.common.void,
            "bool_compare_and_swap"
            | "compare_exchange_n"
            | "compare_exchange"
            | "test_and_set"
            | "is_lock_free"
            | "always_lock_free" => self.common.bool_,
            _ if self.is_scalar(object) => object,
            _ => return self.unsupported(span, format!("{name} on {}", self.types.display(object))),
        };
        for (i, slot) in args.iter_mut().enumerate().skip(1) {
            let value = match operation {
                "val_compare_and_swap" | "bool_compare_and_swap" => i <= 2,
                "compare_exchange_n" => i == 2,
                "load_n" | "load" | "store" | "exchange" | "compare_exchange" | "test_and_set" | "clear" => false,
                "is_lock_free" | "always_lock_free" | "thread_fence" | "signal_fence" => false,
                _ => i == 1,
            };
            if value {
                let old = slot.clone();
                *slot = self.convert(old, object)?;
            }
        }
        let params = args.iter().map(|a| a.ty).collect();
        let ty = FunctionType { result, params, variadic: false, prototyped: true };
        let ty = self.types.intern(Type::Function(ty));
        Ok(self.named_call(name, ty, args, span))
    }
}

/// Operation and fixed operand kind of a checking built-in.
fn overflow_op(name: &str) -> Option<(BinaryOp, Option<super::IntKind>)> {
    use super::IntKind::*;
    let body = name.strip_suffix("_overflow")?;
    let (kind, op) = match body {
        "add" | "sub" | "mul" => (None, body),
        _ => {
            let (letter, rest) = body.split_at_checked(1)?;
            let (op, length) = rest.split_at_checked(3)?;
            let kind = match (letter, length) {
                ("s", "") => Int,
                ("s", "l") => Long,
                ("s", "ll") => LongLong,
                ("u", "") => UInt,
                ("u", "l") => ULong,
                ("u", "ll") => ULongLong,
                _ => return None,
            };
            (Some(kind), op)
        }
    };
    let op = match op {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Subtract,
        "mul" => BinaryOp::Multiply,
        _ => return None,
    };
    Some((op, kind))
}

fn overflow_p(name: &str) -> bool {
    matches!(name, "add_overflow_p" | "sub_overflow_p" | "mul_overflow_p")
}

impl<'a> Typer<'a> {
    /// Bytes from where `pointer` leads to the end of the variable it leads into, or of the part of it that it names.
    fn bytes_from(&self, pointer: &Expr, is_part: bool) -> Option<u64> {
        match &pointer.kind {
            ExprKind::Convert(inner) if self.pointee(inner.ty).is_some() => self.bytes_from(inner, is_part),
            ExprKind::AddressOf(place) | ExprKind::ArrayDecay(place) => {
                let (whole, offset) = self.extent(place)?;
                let part = self.types.size_of(place.ty)?;
                if is_part { Some(part) } else { whole.checked_sub(offset) }
            }
            ExprKind::PointerAdd { pointer, index, subtract: false } => {
                let stride = self.types.size_of(self.pointee(pointer.ty)?)?;
                let steps = u64::try_from(self.eval_int(index)?).ok()?;
                Some(self.bytes_from(pointer, is_part)?.saturating_sub(stride.checked_mul(steps)?))
            }
            _ => None,
        }
    }

    /// A record whose last member is an array of no length.
    fn ends_open(&self, ty: TypeId) -> bool {
        let last = self.types.layout_of(ty).and_then(|layout| layout.fields.last());
        last.is_some_and(|field| match self.types.get(field.ty) {
            Type::Array { length: ArrayLength::Unknown, .. } => true,
            _ => self.ends_open(field.ty),
        })
    }

    /// The size of the variable that a place is in, and its offset there.
    fn extent(&self, place: &Place) -> Option<(u64, u64)> {
        match &place.kind {
            // An initialiser may give more elements to an array at the end.
            _ if self.ends_open(place.ty) => None,
            PlaceKind::Local(_) | PlaceKind::Global(_) => Some((self.types.size_of(place.ty)?, 0)),
            PlaceKind::Member { base, field } => {
                let (whole, offset) = self.extent(base)?;
                Some((whole, offset + self.field(base.ty, *field)?.offset))
            }
            _ => None,
        }
    }
}
