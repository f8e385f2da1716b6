//! Vectors and complex numbers: records of their parts, whose operators are written out part by part here, so that nothing
//! behind the typed syntax knows of them.

use lang_c::ast::{self, UnaryOperator as U};
use lang_c::span::Node;

use super::statements::stmt;
use super::{Operand, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{
    BinaryOp, CompareOp, Expr, ExprKind, Init, InitEntry, LocalId, Place, PlaceKind, Stmt, StmtKind, UnaryOp,
};
use crate::c::types::{FloatKind, FunctionType, IntKind, Parts, Type, TypeId};

impl<'a> Typer<'a> {
    /// What `ty` is made of, where it is a vector or complex.
    pub(super) fn parts_of(&self, ty: TypeId) -> Option<Parts> {
        match self.types.get(ty) {
            Type::Record(id) => self.types.record(*id).parts,
            _ => None,
        }
    }

    pub(super) fn is_complex(&self, ty: TypeId) -> bool {
        self.parts_of(ty).is_some_and(|parts| parts.is_complex)
    }

    pub(super) fn is_vector(&self, ty: TypeId) -> bool {
        self.parts_of(ty).is_some_and(|parts| !parts.is_complex)
    }

    /// `e` in a variable of its own, set up by `block`.
    pub(super) fn hold(&mut self, e: Expr, block: &mut Vec<Stmt>) -> Place {
        let (ty, span) = (e.ty, e.span);
        let local: LocalId = self.new_local(".part".into(), ty, span, None);
        block.push(stmt(StmtKind::Declare { local, init: Some(Init::Expr(e)) }, span));
        Place { kind: PlaceKind::Local(local), ty, span }
    }

    pub(super) fn part(&self, base: &Place, field: u32, element: TypeId, span: Span) -> Expr {
        let kind = PlaceKind::Member { base: Box::new(base.clone()), field };
        let place = Place { kind, ty: element, span };
        Expr { kind: ExprKind::Use(Box::new(place)), ty: element, span }
    }

    /// The parts of a value, or a scalar as often as there are parts; `block` evaluates it first.
    pub(super) fn split(&mut self, e: Expr, block: &mut Vec<Stmt>) -> Vec<Expr> {
        let span = e.span;
        let Some(Parts { element, count, .. }) = self.parts_of(e.ty) else {
            if self.is_constant(&e) {
                return vec![e];
            }
            let place = self.hold(e, block);
            let ty = place.ty;
            return vec![Expr { kind: ExprKind::Use(Box::new(place)), ty, span }];
        };
        if let Some(parts) = self.constant_parts(&e, element, count) {
            return parts;
        }
        let place = self.hold(e, block);
        (0..count).map(|i| self.part(&place, i, element, span)).collect()
    }

    /// The parts of a literal whose parts are constants.
    pub(super) fn constant_parts(&self, e: &Expr, element: TypeId, count: u32) -> Option<Vec<Expr>> {
        let ExprKind::Use(place) = &e.kind else { return None };
        let init = match &place.kind {
            PlaceKind::CompoundLiteral { init, .. } => init,
            PlaceKind::Global(id) if &*self.globals[id.index()].name == ".literal" => {
                self.globals[id.index()].definition.as_ref()?.init.as_ref()?
            }
            _ => return None,
        };
        let Init::List(entries) = init else { return None };
        let size = self.types.size_of(element)?;
        let zero = match self.types.get(element) {
            Type::Float(_) => ExprKind::Float(0),
            _ => ExprKind::Int(0),
        };
        let mut parts = vec![Expr { kind: zero, ty: element, span: e.span }; count as usize];
        for entry in entries {
            let Init::Expr(value) = &entry.value else { return None };
            let slot = parts.get_mut(usize::try_from(entry.offset / size).ok()?)?;
            if entry.ty != element || !self.is_constant(value) {
                return None;
            }
            *slot = value.clone();
        }
        Some(parts)
    }

    /// The value of type `ty` with these parts, after `block`.
    pub(super) fn assemble(&mut self, ty: TypeId, parts: Vec<Expr>, block: Vec<Stmt>, span: Span) -> Expr {
        let mut offset = 0;
        let mut entries = Vec::with_capacity(parts.len());
        for part in parts {
            let ty = part.ty;
            entries.push(InitEntry { offset, bits: None, ty, value: Init::Expr(part) });
            offset += self.types.size_of(ty).unwrap_or(1);
        }
        let place = self.literal_place(ty, Init::List(entries), span);
        after(block, Expr { kind: ExprKind::Use(Box::new(place)), ty, span })
    }

    /// `__real__ e` (or `__imag__ e`): a place where `e` is one.
    pub(super) fn complex_part(
        &mut self,
        node: &'a Node<ast::Expression>,
        imaginary: bool,
        span: Span,
    ) -> Result<Operand> {
        let operand = self.operand(node)?;
        let ty = self.operand_type(&operand);
        match self.parts_of(ty) {
            Some(Parts { element, is_complex: true, .. }) => {
                let base = match operand {
                    Operand::Place(place) => place,
                    operand => {
                        let value = self.value_of(operand)?;
                        Place { ty, span: value.span, kind: PlaceKind::Temporary(value) }
                    }
                };
                let kind = PlaceKind::Member { base: Box::new(base), field: u32::from(imaginary) };
                Ok(Operand::Place(Place { kind, ty: element, span }))
            }
            None if self.is_arithmetic(ty) && !imaginary => Ok(operand),
            None if self.is_arithmetic(ty) => {
                let value = self.value_of(operand)?;
                let zero = self.int_expr(0, self.common.int, span);
                let zero = self.convert(zero, ty)?;
                let kind = ExprKind::Comma(Box::new(value), Box::new(zero));
                Ok(Operand::Value(Expr { kind, ty, span }))
            }
            _ => self.constraint(span, format!("a part of {}", self.types.display(ty))),
        }
    }

    /// Element `index` of a vector.
    pub(super) fn vector_element(&mut self, base: Place, index: Expr, span: Span) -> Result<Place> {
        let Some(Parts { element, count, .. }) = self.parts_of(base.ty) else {
            return self.constraint(span, "this is no vector");
        };
        if let Some(field) = self.eval_int(&index).and_then(|i| u32::try_from(i).ok())
            && field < count
        {
            return Ok(Place { kind: PlaceKind::Member { base: Box::new(base), field }, ty: element, span });
        }
        self.take_address(&base);
        let whole = self.types.pointer_to(base.ty);
        let address = Expr { kind: ExprKind::AddressOf(Box::new(base)), ty: whole, span };
        let ty = self.types.pointer_to(element);
        let first = Expr { kind: ExprKind::Convert(Box::new(address)), ty, span };
        self.element(first, index, span)
    }

    /// Conversion from or to a vector or a complex number.
    pub(super) fn convert_parts(&mut self, e: Expr, ty: TypeId) -> Result<Expr> {
        let span = e.span;
        let mut block = Vec::new();
        match (self.parts_of(e.ty), self.parts_of(ty)) {
            (Some(from), Some(to)) if from.is_complex && to.is_complex => {
                let parts = self.split(e, &mut block);
                let parts = self.converted(parts, to.element)?;
                Ok(self.assemble(ty, parts, block, span))
            }
            (None, Some(to)) if to.is_complex && self.is_arithmetic(e.ty) => {
                let real = self.convert(e, to.element)?;
                let zero = self.int_expr(0, self.common.int, span);
                let zero = self.convert(zero, to.element)?;
                Ok(self.assemble(ty, vec![real, zero], block, span))
            }
            (Some(from), None) if from.is_complex && self.is_arithmetic(ty) => {
                let parts = self.split(e, &mut block);
                if ty == self.common.bool_ {
                    let value = self.differs_from_zero(parts, span)?;
                    let value = self.convert(value, ty)?;
                    return Ok(after(block, value));
                }
                let Some(real) = parts.into_iter().next() else { return self.constraint(span, "no part") };
                let value = self.convert(real, ty)?;
                Ok(after(block, value))
            }
            (from, to) => {
                let is_vector = [from, to].iter().flatten().all(|parts| !parts.is_complex);
                let sizes = (self.types.size_of(e.ty), self.types.size_of(ty));
                let others = [e.ty, ty].iter().all(|ty| self.is_vector(*ty) || self.is_arithmetic(*ty));
                if !is_vector || sizes.0 != sizes.1 || !others {
                    let (from, to) = (self.types.display(e.ty), self.types.display(ty));
                    return self.constraint(span, format!("{from} cannot be converted to {to}"));
                }
                // The same bits at another type.
                let place = self.hold(e, &mut block);
                self.take_address(&place);
                let whole = self.types.pointer_to(place.ty);
                let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: whole, span };
                let pointer = self.types.pointer_to(ty);
                let address = Expr { kind: ExprKind::Convert(Box::new(address)), ty: pointer, span };
                let place = Place { kind: PlaceKind::Deref(address), ty, span };
                Ok(after(block, Expr { kind: ExprKind::Use(Box::new(place)), ty, span }))
            }
        }
    }

    pub(super) fn converted(&mut self, parts: Vec<Expr>, element: TypeId) -> Result<Vec<Expr>> {
        parts.into_iter().map(|part| self.convert(part, element)).collect()
    }

    /// `int`: whether some part is not zero.
    fn differs_from_zero(&mut self, parts: Vec<Expr>, span: Span) -> Result<Expr> {
        let mut value: Option<Expr> = None;
        for part in parts {
            let zero = self.int_expr(0, self.common.int, span);
            let part = self.compare(CompareOp::NotEqual, part, zero, span)?;
            value = Some(match value {
                Some(first) => {
                    let kind = ExprKind::LogicalOr(Box::new(first), Box::new(part));
                    Expr { kind, ty: self.common.int, span }
                }
                None => part,
            });
        }
        value.map_or_else(|| self.constraint(span, "no part"), Ok)
    }

    /// `-`, `~` and `+` of a vector or a complex number.
    pub(super) fn unary_parts(&mut self, operator: &U, e: Expr, span: Span) -> Result<Expr> {
        let ty = e.ty;
        let Some(Parts { element, is_complex, .. }) = self.parts_of(ty) else { return Ok(e) };
        if *operator == U::Plus {
            return Ok(Expr { span, ..e });
        }
        let mut block = Vec::new();
        let mut parts = Vec::new();
        for (i, part) in self.split(e, &mut block).into_iter().enumerate() {
            let op = match operator {
                U::Complement if !is_complex => UnaryOp::Complement,
                // The conjugate.
                U::Complement if i == 0 => {
                    parts.push(part);
                    continue;
                }
                _ => UnaryOp::Negate,
            };
            if op == UnaryOp::Complement && !self.is_integer(element) {
                return self.constraint(span, format!("`~` on {}", self.types.display(ty)));
            }
            let part = self.promote(part)?;
            let wide = part.ty;
            let value = Expr { kind: ExprKind::Unary(op, Box::new(part)), ty: wide, span };
            parts.push(self.convert(value, element)?);
        }
        Ok(self.assemble(ty, parts, block, span))
    }

    /// `left op right`, one of which is a vector or complex.
    pub(super) fn binary_parts(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        if self.is_complex(left.ty) || self.is_complex(right.ty) {
            return self.complex_arithmetic(op, left, right, span);
        }
        let ty = if self.is_vector(left.ty) { left.ty } else { right.ty };
        let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        let (element, pairs, block) = self.pairs(left, right, !is_shift, span)?;
        let mut parts = Vec::with_capacity(pairs.len());
        for (a, b) in pairs {
            let value = self.arithmetic(op, a, b, span)?;
            parts.push(self.convert(value, element)?);
        }
        Ok(self.assemble(ty, parts, block, span))
    }

    /// The elements of two vectors of equal length; a scalar stands for a vector of it.
    #[allow(clippy::type_complexity)]
    pub(super) fn pairs(
        &mut self,
        left: Expr,
        right: Expr,
        alike: bool,
        span: Span,
    ) -> Result<(TypeId, Vec<(Expr, Expr)>, Vec<Stmt>)> {
        let (a, b) = (self.parts_of(left.ty), self.parts_of(right.ty));
        let Some(Parts { element, count, .. }) = a.or(b) else { return self.constraint(span, "this is no vector") };
        let fits = a.zip(b).is_none_or(|(a, b)| a.count == b.count)
            && [left.ty, right.ty].iter().all(|ty| self.is_vector(*ty) || self.is_arithmetic(*ty));
        if !fits {
            let (a, b) = (self.types.display(left.ty), self.types.display(right.ty));
            return self.constraint(span, format!("arithmetic on {a} and {b}"));
        }
        let mut block = Vec::new();
        let (mut a, mut b) = (self.split(left, &mut block), self.split(right, &mut block));
        if alike {
            (a, b) = (self.converted(a, element)?, self.converted(b, element)?);
        }
        for side in [&mut a, &mut b] {
            if let [only] = &side[..] {
                *side = vec![only.clone(); count as usize];
            }
        }
        Ok((element, a.into_iter().zip(b).collect(), block))
    }

    /// A comparison, one operand of which is a vector or complex.
    pub(super) fn compare_parts(&mut self, op: CompareOp, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        if self.is_complex(left.ty) || self.is_complex(right.ty) {
            return self.complex_comparison(op, left, right, span);
        }
        let (element, pairs, block) = self.pairs(left, right, true, span)?;
        let bits = self.types.size_of(element).unwrap_or(1) * 8;
        let kinds = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong, IntKind::Int128];
        let model = self.types.model;
        let kind = kinds.into_iter().find(|kind| u64::from(kind.size(model)) * 8 == bits).unwrap_or(IntKind::Int);
        let truth = self.types.int(kind);
        let ty = self.types.vector_of(truth, pairs.len() as u32);
        let mut parts = Vec::with_capacity(pairs.len());
        for (a, b) in pairs {
            let holds = self.compare(op, a, b, span)?;
            let kind = ExprKind::Unary(UnaryOp::Negate, Box::new(holds));
            let all = Expr { kind, ty: self.common.int, span };
            parts.push(self.convert(all, truth)?);
        }
        Ok(self.assemble(ty, parts, block, span))
    }

    fn complex_comparison(&mut self, op: CompareOp, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        if !matches!(op, CompareOp::Equal | CompareOp::NotEqual) {
            return self.constraint(span, "complex numbers have no order");
        }
        let ty = self.complex_common(left.ty, right.ty, span)?;
        let (left, right) = (self.convert(left, ty)?, self.convert(right, ty)?);
        let mut block = Vec::new();
        let (a, b) = (self.split(left, &mut block), self.split(right, &mut block));
        let mut tests = Vec::new();
        for (a, b) in a.into_iter().zip(b) {
            tests.push(Box::new(self.compare(op, a, b, span)?));
        }
        let (Some(second), Some(first)) = (tests.pop(), tests.pop()) else { return self.constraint(span, "no part") };
        let kind = match op {
            CompareOp::Equal => ExprKind::LogicalAnd(first, second),
            _ => ExprKind::LogicalOr(first, second),
        };
        Ok(after(block, Expr { kind, ty: self.common.int, span }))
    }

    /// The complex type that both operands are converted to.
    pub(super) fn complex_common(&mut self, a: TypeId, b: TypeId, span: Span) -> Result<TypeId> {
        let element = |this: &Self, ty| this.parts_of(ty).map_or(ty, |parts| parts.element);
        let (a, b) = (element(self, a), element(self, b));
        if a == b {
            return Ok(self.types.complex_of(a));
        }
        let zero = |ty| Expr { kind: ExprKind::Int(0), ty, span };
        let common = self.balance(zero(a), zero(b), span)?.0.ty;
        Ok(self.types.complex_of(common))
    }

    fn complex_arithmetic(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        use BinaryOp::{Add, Divide, Multiply, Subtract};
        if !matches!(op, Add | Subtract | Multiply | Divide)
            || [left.ty, right.ty].iter().any(|ty| !self.is_complex(*ty) && !self.is_arithmetic(*ty))
        {
            let (a, b) = (self.types.display(left.ty), self.types.display(right.ty));
            return self.constraint(span, format!("{op:?} of {a} and {b}"));
        }
        let ty = self.complex_common(left.ty, right.ty, span)?;
        let element = self.parts_of(ty).map_or(ty, |parts| parts.element);
        let mut block = Vec::new();
        let (a, b) = (self.split(left, &mut block), self.split(right, &mut block));
        let (a, b) = (self.converted(a, element)?, self.converted(b, element)?);
        let parts = match (&a[..], &b[..], op) {
            // As gcc does it, a real operand has no imaginary part, not one that is zero.
            ([a, b], [c], Add | Subtract) => vec![self.part_of(op, a, c)?, b.clone()],
            ([a], [c, d], Add) => vec![self.part_of(op, a, c)?, d.clone()],
            ([a], [c, d], Subtract) => {
                let real = self.part_of(op, a, c)?;
                let kind = ExprKind::Unary(UnaryOp::Negate, Box::new(self.promote(d.clone())?));
                let wide = Expr { kind, ty: self.promote(d.clone())?.ty, span };
                vec![real, self.convert(wide, element)?]
            }
            ([a, b], [c], _) => vec![self.part_of(op, a, c)?, self.part_of(op, b, c)?],
            ([a], [c, d], Multiply) => vec![self.part_of(op, a, c)?, self.part_of(op, a, d)?],
            ([a, b], [c, d], Add | Subtract) => vec![self.part_of(op, a, c)?, self.part_of(op, b, d)?],
            _ => self.complex_product(op, a, b, element, span)?,
        };
        Ok(self.assemble(ty, parts, block, span))
    }

    pub(super) fn part_of(&mut self, op: BinaryOp, x: &Expr, y: &Expr) -> Result<Expr> {
        let (element, span) = (x.ty, x.span);
        let value = self.arithmetic(op, x.clone(), y.clone(), span)?;
        self.convert(value, element)
    }

    /// Products and quotients, whose parts are computed by models.
    fn complex_product(
        &mut self,
        op: BinaryOp,
        mut a: Vec<Expr>,
        b: Vec<Expr>,
        element: TypeId,
        span: Span,
    ) -> Result<Vec<Expr>> {
        let (letter, wide) = match self.types.get(element) {
            Type::Float(FloatKind::Single | FloatKind::Half) => ("s", element),
            Type::Float(FloatKind::Double) => ("d", element),
            Type::Float(FloatKind::Extended) => ("x", element),
            Type::Int(_) if self.types.size_of(element).is_some_and(|size| size <= 8) => {
                ("i", self.types.int(IntKind::LongLong))
            }
            _ => return self.unsupported(span, format!("products of complex {}", self.types.display(element))),
        };
        if a.len() == 1 {
            let zero = self.int_expr(0, self.common.int, span);
            a.push(self.convert(zero, element)?);
        }
        let what = if op == BinaryOp::Divide { "divide" } else { "multiply" };
        let params = vec![wide; 4];
        let ty = FunctionType { result: wide, params, variadic: false, prototyped: true };
        let ty = self.types.intern(Type::Function(ty));
        let mut parts = Vec::with_capacity(2);
        for name in ["real", "imaginary"] {
            let args = self.converted(a.iter().chain(&b).cloned().collect(), wide)?;
            let value = self.named_call(&format!("__margay_{what}_{name}_{letter}"), ty, args, span);
            parts.push(self.convert(value, element)?);
        }
        Ok(parts)
    }

    /// `place op= value` where one of them is a vector or complex; also `++` and `--`, with the old value.
    pub(super) fn assign_parts(
        &mut self,
        op: BinaryOp,
        place: Place,
        value: Expr,
        postfix: bool,
        span: Span,
    ) -> Result<Expr> {
        let ty = place.ty;
        let mut block = Vec::new();
        let place = match place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => place,
            _ => {
                let pointer = self.types.pointer_to(ty);
                self.take_address(&place);
                let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: pointer, span };
                let held = self.hold(address, &mut block);
                let pointer = Expr { kind: ExprKind::Use(Box::new(held)), ty: pointer, span };
                Place { kind: PlaceKind::Deref(pointer), ty, span }
            }
        };
        let old = Expr { kind: ExprKind::Use(Box::new(place.clone())), ty, span };
        let before = postfix.then(|| self.hold(old.clone(), &mut block));
        let value = self.arithmetic(op, old, value, span)?;
        let value = Box::new(self.assign_convert(value, ty)?);
        let new = Expr { kind: ExprKind::Assign { place: Box::new(place), value }, ty, span };
        let Some(before) = before else { return Ok(after(block, new)) };
        block.push(stmt(StmtKind::Expr(new), span));
        Ok(after(block, Expr { kind: ExprKind::Use(Box::new(before)), ty, span }))
    }

    /// A constant times the imaginary unit.
    pub(super) fn imaginary(&mut self, value: Expr) -> Result<Expr> {
        let span = value.span;
        let zero = self.int_expr(0, self.common.int, span);
        let zero = self.convert(zero, value.ty)?;
        let ty = self.types.complex_of(value.ty);
        Ok(self.assemble(ty, vec![zero, value], Vec::new(), span))
    }
}

/// `value` after what `block` does.
pub(super) fn after(block: Vec<Stmt>, value: Expr) -> Expr {
    if block.is_empty() {
        return value;
    }
    let (ty, span) = (value.ty, value.span);
    Expr { kind: ExprKind::Statement { block, result: Some(Box::new(value)) }, ty, span }
}

/// The operand of what stands for `__real__` or `__imag__`: `*&+e` and `*&-e` are no C otherwise.
pub(super) fn part_operator(node: &ast::UnaryOperatorExpression) -> Option<(&Node<ast::Expression>, bool)> {
    let ast::Expression::UnaryOperator(address) = &node.operand.node else { return None };
    let ast::Expression::UnaryOperator(sign) = &address.node.operand.node else { return None };
    match (&node.operator.node, &address.node.operator.node, &sign.node.operator.node) {
        (U::Indirection, U::Address, U::Plus) => Some((&sign.node.operand, false)),
        (U::Indirection, U::Address, U::Minus) => Some((&sign.node.operand, true)),
        _ => None,
    }
}
