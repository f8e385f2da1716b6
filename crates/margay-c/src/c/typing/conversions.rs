//! Conversions: promotions, the usual arithmetic conversions, assignment.

use lang_c::ast::BinaryOperator;

use super::{Operand, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{Expr, ExprKind, Init, Place, PlaceKind};
use crate::c::types::{BitField, FloatKind, IntKind, Type, TypeId};

impl<'a> Typer<'a> {
    pub(super) fn is_integer(&self, ty: TypeId) -> bool {
        self.types.int_kind(ty).is_some()
    }

    pub(super) fn is_arithmetic(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Int(_) | Type::Enum { .. } | Type::Float(_))
    }

    pub(super) fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || matches!(self.types.get(ty), Type::Pointer(_))
    }

    pub(super) fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.types.get(ty) {
            Type::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// Lvalue conversion: arrays and functions become pointers, other places are read.
    pub(super) fn value_of(&mut self, operand: Operand) -> Result<Expr> {
        match operand {
            Operand::Value(e) => Ok(e),
            Operand::Function(id, span) => {
                self.note_nested_address(id);
                let ty = self.types.pointer_to(self.functions[id.index()].ty);
                Ok(Expr { kind: ExprKind::FunctionAddress(id), ty, span })
            }
            Operand::Place(place) => self.read(place),
        }
    }

    fn read(&mut self, place: Place) -> Result<Expr> {
        let span = place.span;
        match *self.types.get(place.ty) {
            Type::Array { element, .. } => {
                self.take_address(&place);
                let ty = self.types.pointer_to(element);
                Ok(Expr { kind: ExprKind::ArrayDecay(Box::new(place)), ty, span })
            }
            // `*f` for a pointer to function is the function, and that decays again.
            Type::Function(_) => match place.kind {
                PlaceKind::Deref(pointer) => Ok(pointer),
                _ => self.constraint(span, "function used as an object"),
            },
            // `*(void *)p` can only be thrown away.
            Type::Void => match place.kind {
                PlaceKind::Deref(pointer) => {
                    Ok(Expr { ty: self.common.void, kind: ExprKind::Convert(Box::new(pointer)), span })
                }
                _ => self.constraint(span, "object of type void"),
            },
            Type::Record(id) if self.types.record(id).layout.is_none() => {
                self.constraint(span, format!("{} is incomplete", self.types.display(place.ty)))
            }
            _ => match self.named_constant(&place) {
                Some(value) => Ok(self.int_expr(value, place.ty, span)),
                None => Ok(Expr { ty: place.ty, kind: ExprKind::Use(Box::new(place)), span }),
            },
        }
    }

    /// The number that a `constexpr` object is.
    fn named_constant(&self, place: &Place) -> Option<i128> {
        let PlaceKind::Global(id) = place.kind else { return None };
        let definition = self.globals[id.index()].definition.as_ref().filter(|_| self.constants.contains(&id))?;
        match &definition.init {
            Some(Init::Expr(Expr { kind: ExprKind::Int(value), .. })) => Some(*value),
            _ => None,
        }
    }

    /// Notes that the object a place lies in can be reached by address from now on.
    pub(super) fn take_address(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(id) | PlaceKind::CompoundLiteral { local: id, .. } => {
                if let Some(function) = &mut self.function {
                    function.locals[id.index()].address_taken = true;
                }
            }
            PlaceKind::Member { base, .. } => self.take_address(base),
            _ => {}
        }
    }

    /// Conversion to `ty` as by assignment or cast; what cannot be converted is a constraint violation.
    pub(super) fn convert(&mut self, e: Expr, ty: TypeId) -> Result<Expr> {
        if e.ty == ty {
            return Ok(e);
        }
        if ty != self.common.void && (self.parts_of(e.ty).is_some() || self.parts_of(ty).is_some()) {
            return self.convert_parts(e, ty);
        }
        self.note_recast(&e, ty);
        let span = e.span;
        // Integer constants stay constants.
        if let (ExprKind::Int(value), Some(_)) = (&e.kind, self.types.int_kind(e.ty))
            && let Some(value) = self.int_in_type(*value, ty)
        {
            return Ok(Expr { kind: ExprKind::Int(value), ty, span });
        }
        let (from, to) = (self.types.get(e.ty), self.types.get(ty));
        let allowed = match (from, to) {
            (_, Type::Void) => true,
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)) => false,
            (Type::VaList, Type::Pointer(_)) | (Type::Pointer(_), Type::VaList) => true,
            _ => self.is_scalar(e.ty) && self.is_scalar(ty),
        };
        if !allowed {
            let (from, to) = (self.types.display(e.ty), self.types.display(ty));
            return self.constraint(span, format!("{from} cannot be converted to {to}"));
        }
        Ok(Expr { kind: ExprKind::Convert(Box::new(e)), ty, span })
    }

    /// Conversion as if by assignment: adds unions, which convert from their members in calls (`transparent_union`).
    pub(super) fn assign_convert(&mut self, e: Expr, ty: TypeId) -> Result<Expr> {
        let target_union = self.types.layout_of(ty).is_some() && self.parts_of(ty).is_none() && e.ty != ty;
        if target_union && !matches!(self.types.get(e.ty), Type::Record(_)) {
            return self.union_from(e, ty);
        }
        if let (Type::Record(a), Type::Record(b)) = (self.types.get(e.ty), self.types.get(ty))
            && a != b
            && self.same_record(e.ty, ty)
        {
            return Ok(Expr { ty, ..e });
        }
        self.convert(e, ty)
    }

    /// Two definitions of the same record (one per scope) with the same tag and layout.
    fn same_record(&self, a: TypeId, b: TypeId) -> bool {
        if self.parts_of(a).is_some() || self.parts_of(b).is_some() {
            return false;
        }
        let (Type::Record(x), Type::Record(y)) = (self.types.get(a), self.types.get(b)) else { return false };
        let (x, y) = (self.types.record(*x), self.types.record(*y));
        match (&x.layout, &y.layout) {
            (Some(l), Some(m)) => {
                x.tag == y.tag && x.is_union == y.is_union && l.size == m.size && l.fields.len() == m.fields.len()
            }
            _ => false,
        }
    }

    /// The bit-field an expression's value comes from, if it does.
    pub(super) fn bit_field_of(&self, e: &Expr) -> Option<BitField> {
        let place = match &e.kind {
            ExprKind::Use(place)
            | ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Increment { place, .. } => place,
            ExprKind::Comma(_, value) | ExprKind::Statement { result: Some(value), .. } => {
                return self.bit_field_of(value);
            }
            _ => return None,
        };
        match &place.kind {
            PlaceKind::Member { base, field } => self.field(base.ty, *field)?.bits,
            _ => None,
        }
    }

    /// Integer promotions.
    pub(super) fn promote(&mut self, e: Expr) -> Result<Expr> {
        let ty = self.promoted_type(&e);
        self.convert(e, ty)
    }

    fn promoted_type(&mut self, e: &Expr) -> TypeId {
        let Some(kind) = self.types.int_kind(e.ty) else { return e.ty };
        match self.bit_field_of(e).map(|b| b.width) {
            Some(32) if !kind.is_signed() => self.common.uint,
            Some(0..=32) => self.common.int,
            _ if kind.size(self.types.model) < 4 => self.common.int,
            _ => self.types.int(kind),
        }
    }

    /// gcc gives a bit-field wider than `int` a type of exactly its width, in which arithmetic wraps.
    fn has_odd_width(&self, e: &Expr) -> bool {
        let width = self.bit_field_of(e).map_or(0, |b| b.width);
        width > 32 && self.types.bits_of(e.ty).is_some_and(|bits| width < bits)
    }

    pub(super) fn refuse_odd_width(&self, e: &Expr, span: Span) -> Result<()> {
        if self.has_odd_width(e) {
            return self.unsupported(span, "arithmetic in the width of a bit-field wider than int");
        }
        Ok(())
    }

    /// Lets through what comes to the same in the declared type: a wider other operand, masks, and where no operand can be
    /// negative while the other is unsigned.
    pub(super) fn check_odd_widths(&self, op: &BinaryOperator, left: &Expr, right: &Expr, span: Span) -> Result<()> {
        use BinaryOperator as B;
        let (odd, other) = match (self.has_odd_width(left), self.has_odd_width(right)) {
            (false, false) => return Ok(()),
            (true, _) => (left, right),
            (false, true) => (right, left),
        };
        let wide = self.types.bits_of(other.ty).is_none_or(|bits| bits >= 64) && !self.has_odd_width(other);
        let harmless = self.types.is_signed(odd.ty) || self.eval_int(other).is_some_and(|value| value >= 0);
        let exact = match op {
            B::BitwiseAnd | B::ShiftRight => true,
            B::Divide
            | B::Modulo
            | B::Less
            | B::Greater
            | B::LessOrEqual
            | B::GreaterOrEqual
            | B::Equals
            | B::NotEquals => harmless,
            B::ShiftLeft => false,
            _ => wide,
        };
        if exact || (wide && !matches!(op, B::ShiftLeft)) { Ok(()) } else { self.refuse_odd_width(odd, span) }
    }

    /// Default argument promotions, for arguments without a parameter.
    pub(super) fn promote_argument(&mut self, e: Expr) -> Result<Expr> {
        match self.types.get(e.ty) {
            Type::Float(FloatKind::Single) => self.convert(e, self.common.double),
            _ => self.promote(e),
        }
    }

    /// The usual arithmetic conversions.
    pub(super) fn balance(&mut self, left: Expr, right: Expr, span: Span) -> Result<(Expr, Expr)> {
        if !self.is_arithmetic(left.ty) || !self.is_arithmetic(right.ty) {
            let (a, b) = (self.types.display(left.ty), self.types.display(right.ty));
            return self.constraint(span, format!("arithmetic on {a} and {b}"));
        }
        let float = |ty: &Type| match ty {
            Type::Float(kind) => Some(*kind),
            _ => None,
        };
        let kinds = (float(self.types.get(left.ty)), float(self.types.get(right.ty)));
        let ty = match kinds {
            (Some(a), Some(b)) => self.types.intern(Type::Float(a.max(b))),
            (Some(kind), None) | (None, Some(kind)) => self.types.intern(Type::Float(kind)),
            (None, None) => {
                // Promotion keeps the value, so that one conversion does for both steps.
                let (a, b) = (self.promoted_type(&left), self.promoted_type(&right));
                self.common_int(a, b)
            }
        };
        Ok((self.convert(left, ty)?, self.convert(right, ty)?))
    }

    /// The common type of two promoted integer types.
    fn common_int(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let (Some(x), Some(y)) = (self.types.int_kind(a), self.types.int_kind(b)) else { return a };
        let kind = self.common_kind(x, y);
        self.types.int(kind)
    }

    fn common_kind(&self, x: IntKind, y: IntKind) -> IntKind {
        if x == y {
            return x;
        }
        if x.is_signed() == y.is_signed() {
            return if rank(x) >= rank(y) { x } else { y };
        }
        let (signed, unsigned) = if x.is_signed() { (x, y) } else { (y, x) };
        if rank(unsigned) >= rank(signed) {
            return unsigned;
        }
        if signed.size(self.types.model) > unsigned.size(self.types.model) {
            return signed;
        }
        super::attributes::unsigned_kind(signed)
    }

    /// A scalar, for conditions and logical operators.
    pub(super) fn condition(&mut self, node: &'a lang_c::span::Node<lang_c::ast::Expression>) -> Result<Expr> {
        let e = self.full_expression(node)?;
        if self.is_complex(e.ty) {
            return self.convert(e, self.common.bool_);
        }
        if self.is_scalar(e.ty) {
            return Ok(e);
        }
        self.constraint(e.span, format!("{} used as a condition", self.types.display(e.ty)))
    }
}

/// Integer conversion rank.
fn rank(kind: IntKind) -> u32 {
    use IntKind::*;
    match kind {
        Bool => 0,
        Char | SChar | UChar => 1,
        Short | UShort => 2,
        Int | UInt => 3,
        Long | ULong => 4,
        LongLong | ULongLong => 5,
        Int128 | UInt128 => 6,
    }
}
