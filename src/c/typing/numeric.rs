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

    fn part(&self, base: &Place, field: u32, element: TypeId, span: Span) -> Expr {
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
    fn constant_parts(&self, e: &Expr, element: TypeId, count: u32) -> Option<Vec<Expr>> {
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
    fn assemble(&mut self, ty: TypeId, parts: Vec<Expr>, block: Vec<Stmt>, span: Span) -> Expr {
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

    fn converted(&mut self, parts: Vec<Expr>, element: TypeId) -> Result<Vec<Expr>> {
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
    fn pairs(
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

    fn part_of(&mut self, op: BinaryOp, x: &Expr, y: &Expr) -> Result<Expr> {
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

    /// The built-in functions about vectors and complex numbers; `None` for all others.
    pub(super) fn parts_call(
        &mut self,
        plain: &str,
        args: &'a [Node<ast::Expression>],
        span: Span,
    ) -> Result<Option<Operand>> {
        let value = match (plain, args) {
            ("complex", [a, b]) => {
                let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
                let (a, b) = self.balance(a, b, span)?;
                let ty = self.types.complex_of(a.ty);
                self.assemble(ty, vec![a, b], Vec::new(), span)
            }
            ("creal" | "crealf" | "creall" | "cimag" | "cimagf" | "cimagl" | "conj" | "conjf" | "conjl", [e]) => {
                let kind =
                    match plain.trim_start_matches("creal").trim_start_matches("cimag").trim_start_matches("conj") {
                        "f" => FloatKind::Single,
                        "l" => FloatKind::Extended,
                        _ => FloatKind::Double,
                    };
                let element = self.types.intern(Type::Float(kind));
                let ty = self.types.complex_of(element);
                let value = self.rvalue(e)?;
                let value = self.assign_convert(value, ty)?;
                if plain.starts_with("conj") {
                    self.unary_parts(&U::Complement, value, span)?
                } else {
                    let mut block = Vec::new();
                    let index = usize::from(plain.starts_with("cimag"));
                    let part = self.split(value, &mut block).into_iter().nth(index);
                    let Some(part) = part else { return Ok(None) };
                    after(block, part)
                }
            }
            ("shuffle", [v, mask]) => self.shuffle(v, None, mask, span)?,
            ("shuffle", [v, w, mask]) => self.shuffle(v, Some(w), mask, span)?,
            ("shufflevector", [v, w, indices @ ..]) => self.shuffle_fixed(v, w, indices, span)?,
            ("convertvector", [v, ty]) => {
                let ast::Expression::SizeOfTy(ty) = &ty.node else {
                    return self.constraint(span, "__builtin_convertvector wants a type");
                };
                let (value, ty) = (self.rvalue(v)?, self.type_name(&ty.node.0)?);
                let Some(to) = self.parts_of(ty) else { return self.constraint(span, "this is no vector") };
                let mut block = Vec::new();
                let parts = self.split(value, &mut block);
                if parts.len() != to.count as usize {
                    return self.constraint(span, "the vectors differ in length");
                }
                let parts = self.converted(parts, to.element)?;
                self.assemble(ty, parts, block, span)
            }
            _ => return Ok(None),
        };
        Ok(Some(Operand::Value(value)))
    }

    fn shuffle(
        &mut self,
        v: &'a Node<ast::Expression>,
        w: Option<&'a Node<ast::Expression>>,
        mask: &'a Node<ast::Expression>,
        span: Span,
    ) -> Result<Expr> {
        let mut block = Vec::new();
        let first = self.rvalue(v)?;
        let ty = first.ty;
        let first = self.hold(first, &mut block);
        let second = match w {
            Some(w) => {
                let w = self.rvalue(w)?;
                Some(self.hold(w, &mut block))
            }
            None => None,
        };
        let mask = self.rvalue(mask)?;
        let (Some(Parts { count, .. }), true) = (self.parts_of(ty), self.is_vector(mask.ty)) else {
            return self.constraint(span, "this is no vector");
        };
        let mut parts = Vec::with_capacity(count as usize);
        for index in self.split(mask, &mut block) {
            let last = self.int_expr(i128::from(count) - 1, self.common.int, span);
            let within = self.arithmetic(BinaryOp::And, index.clone(), last, span)?;
            let mut value = self.picked(&first, &within, span)?;
            if let Some(second) = &second {
                let bit = self.int_expr(i128::from(count), self.common.int, span);
                let is_second = self.arithmetic(BinaryOp::And, index, bit, span)?;
                let other = self.picked(second, &within, span)?;
                value = Expr {
                    ty: value.ty,
                    span,
                    kind: ExprKind::Conditional {
                        condition: Box::new(is_second),
                        then: Some(Box::new(other)),
                        otherwise: Box::new(value),
                        question: span.start,
                    },
                };
            }
            parts.push(value);
        }
        Ok(self.assemble(ty, parts, block, span))
    }

    fn picked(&mut self, vector: &Place, index: &Expr, span: Span) -> Result<Expr> {
        let place = self.vector_element(vector.clone(), index.clone(), span)?;
        self.value_of(Operand::Place(place))
    }

    fn shuffle_fixed(
        &mut self,
        v: &'a Node<ast::Expression>,
        w: &'a Node<ast::Expression>,
        indices: &'a [Node<ast::Expression>],
        span: Span,
    ) -> Result<Expr> {
        let mut block = Vec::new();
        let (v, w) = (self.rvalue(v)?, self.rvalue(w)?);
        let Some(Parts { element, .. }) = self.parts_of(v.ty) else {
            return self.constraint(span, "this is no vector");
        };
        let mut all = self.split(v, &mut block);
        all.extend(self.split(w, &mut block));
        let mut parts = Vec::with_capacity(indices.len());
        for index in indices {
            // -1: any value will do.
            let index = usize::try_from(self.int_constant(index)?).unwrap_or(0);
            let Some(part) = all.get(index) else { return self.constraint(span, "the index is beyond the vectors") };
            parts.push(part.clone());
        }
        let ty = self.types.vector_of(element, parts.len() as u32);
        Ok(self.assemble(ty, parts, block, span))
    }

    /// A constant times the imaginary unit.
    pub(super) fn imaginary(&mut self, value: Expr) -> Result<Expr> {
        let span = value.span;
        let zero = self.int_expr(0, self.common.int, span);
        let zero = self.convert(zero, value.ty)?;
        let ty = self.types.complex_of(value.ty);
        Ok(self.assemble(ty, vec![zero, value], Vec::new(), span))
    }

    /// What `vector_size` makes of a type: of its numbers, wherever they are.
    pub(super) fn vectorised(&mut self, ty: TypeId, bytes: u64, span: Span) -> Result<TypeId> {
        match self.types.get(ty).clone() {
            Type::Int(_) | Type::Float(_) => {
                let size = self.types.size_of(ty).unwrap_or(1);
                let count = bytes / size.max(1);
                if bytes % size != 0 || !count.is_power_of_two() {
                    return self.constraint(span, format!("{bytes} bytes are no vector of {}", self.types.display(ty)));
                }
                if count > 1024 {
                    return self.unsupported(span, "vectors of more than 1024 elements");
                }
                Ok(self.types.vector_of(ty, count as u32))
            }
            Type::Pointer(target) => {
                let target = self.vectorised(target, bytes, span)?;
                Ok(self.types.pointer_to(target))
            }
            Type::Array { element, length } => {
                let element = self.vectorised(element, bytes, span)?;
                Ok(self.types.intern(Type::Array { element, length }))
            }
            Type::Function(function) => {
                let result = self.vectorised(function.result, bytes, span)?;
                Ok(self.types.intern(Type::Function(FunctionType { result, ..function })))
            }
            _ => self.constraint(span, format!("vector of {}", self.types.display(ty))),
        }
    }
}

/// `value` after what `block` does.
fn after(block: Vec<Stmt>, value: Expr) -> Expr {
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
