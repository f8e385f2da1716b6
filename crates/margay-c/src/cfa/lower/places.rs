//! Places: addresses, reading, writing, bit-fields.

use super::super::ir::{BinOp, Expr, Note, Object, Op, Reg};
use super::function::{Home, Lowerer};
use super::kinds::Kind;
use super::purity;
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{self, PlaceKind};
use crate::c::types::{ArrayLength, BitField, RecordLayout, Type, TypeId};

/// A place whose address has been computed.
#[derive(Clone, Debug)]
pub enum Lvalue {
    Reg(Reg),
    Memory { address: Expr, bits: Option<BitField> },
}

impl<'u> Lowerer<'_, 'u> {
    pub fn place(&mut self, place: &'u syntax::Place) -> Result<Lvalue> {
        let memory = |address| Ok(Lvalue::Memory { address, bits: None });
        match &place.kind {
            PlaceKind::Local(id) => match self.home(*id)? {
                Home::Reg(reg) => Ok(Lvalue::Reg(reg)),
                Home::Slot(slot) => memory(self.slot_address(slot)),
            },
            PlaceKind::Global(id) => {
                let global = self.builder.global(self.unit_id, *id)?;
                let addr = Expr::Address(Object::Global(global), self.pointer_bits());
                if self.builder.is_elsewhere(self.unit_id, *id)? {
                    let dst = self.raw_temp(self.pointer_bits());
                    self.emit(Op::Load { dst, addr });
                    return memory(Expr::Reg(dst, self.pointer_bits()));
                }
                memory(addr)
            }
            PlaceKind::Deref(pointer) => {
                let address = self.rvalue(pointer)?;
                memory(address)
            }
            PlaceKind::Member { base, field } => {
                let lvalue = self.place(base)?;
                let address = self.address_of(&lvalue, base.span)?;
                let layout = self.types.layout_of(base.ty);
                let Some((layout, member)) = layout.and_then(|l| Some((l, l.fields.get(*field as usize)?))) else {
                    return Err(self.error("a member of an incomplete type", place.span));
                };
                let offset = match &layout.variable {
                    None => self.pointer_constant(member.offset),
                    Some(aligns) => self.variable_offset(base.ty, layout, aligns, *field as usize, place.span)?,
                };
                Ok(Lvalue::Memory { address: Expr::binary(BinOp::Add, address, offset), bits: member.bits })
            }
            PlaceKind::CompoundLiteral { local, init } => match self.home(*local)? {
                Home::Reg(dst) => {
                    let value = self.initial_scalar(init, place.ty, place.span)?;
                    self.emit(Op::Assign { dst, value });
                    Ok(Lvalue::Reg(dst))
                }
                Home::Slot(slot) => {
                    if !self.literals.contains(local) {
                        self.scopes[self.scope.index()].add(slot, false);
                        self.emit(Op::Enter { slot, size: None });
                    }
                    let address = self.slot_address(slot);
                    self.initialise(address.clone(), init, place.ty, place.span)?;
                    memory(address)
                }
            },
            PlaceKind::Temporary(value) => {
                let result = self.rvalue(value)?;
                if self.kind(value.ty) == Kind::Record {
                    return memory(result);
                }
                let address = self.temporary_object(value.ty, place.span)?;
                self.emit(Op::Store { addr: address.clone(), value: result });
                memory(address)
            }
            PlaceKind::Unsupported(what) => {
                self.refuse(&**what, place.span)?;
                memory(self.pointer_constant(0))
            }
        }
    }

    pub fn address_of(&mut self, place: &Lvalue, span: Span) -> Result<Expr> {
        match place {
            Lvalue::Memory { address, bits: None } => Ok(address.clone()),
            Lvalue::Memory { .. } => Err(self.error("the address of a bit-field", span)),
            Lvalue::Reg(_) => Err(self.error("the address of a variable without one", span)),
        }
    }

    /// Computes the place of an assignment whose `value` is evaluated afterwards.
    pub fn place_before(&mut self, place: &'u syntax::Place, value: &'u syntax::Expr) -> Result<Lvalue> {
        let lvalue = self.place(place)?;
        match lvalue {
            Lvalue::Memory { address, bits } if purity::may_assign(value) => {
                Ok(Lvalue::Memory { address: self.detached(address), bits })
            }
            other => Ok(other),
        }
    }

    /// `value` unchanged by later assignments to program variables.
    pub fn detached(&mut self, value: Expr) -> Expr {
        let mut reads_variable = false;
        value.for_regs(&mut |reg| reads_variable |= self.regs[reg.index()].name.is_some());
        if reads_variable { self.bind(value) } else { value }
    }

    /// The value at `place`; of a record: its address.
    pub fn load(&mut self, place: &Lvalue, ty: TypeId, span: Span) -> Result<Expr> {
        match place {
            Lvalue::Reg(reg) => Ok(Expr::Reg(*reg, self.regs[reg.index()].width)),
            Lvalue::Memory { address, bits: Some(bits) } => self.load_bits(address, *bits, ty, span),
            Lvalue::Memory { address, bits: None } => {
                if self.kind(ty) == Kind::Record {
                    return Ok(address.clone());
                }
                if let Some(value) = self.row_variable(address, ty, span)? {
                    return Ok(value);
                }
                let dst = self.temp(ty, span)?;
                self.emit(Op::Load { dst, addr: address.clone() });
                Ok(Expr::Reg(dst, self.regs[dst.index()].width))
            }
        }
    }

    /// Writes `value`, which has the type `ty` of the place already.
    pub fn store(&mut self, place: &Lvalue, value: Expr, ty: TypeId, span: Span) -> Result<()> {
        match place {
            Lvalue::Reg(dst) => self.assign_variable(*dst, value),
            Lvalue::Memory { address, bits: Some(bits) } => self.store_bits(address, *bits, value),
            Lvalue::Memory { address, bits: None } => {
                if self.kind(ty) == Kind::Record {
                    return self.copy_object(address.clone(), value, ty, span);
                }
                self.emit(Op::Store { addr: address.clone(), value });
            }
        }
        Ok(())
    }

    /// `*dst = *src` for records.
    pub fn copy_object(&mut self, dst: Expr, src: Expr, ty: TypeId, span: Span) -> Result<()> {
        let size = self.size_value(ty, span)?;
        if size != self.pointer_constant(0) && dst != src {
            self.emit(Op::Copy { dst, src, size });
        }
        Ok(())
    }

    /// The bytes a bit-field lies in, as one number.
    fn load_unit(&mut self, address: &Expr, bits: BitField) -> Expr {
        let width = bits.unit();
        let dst = self.raw_temp(width);
        self.emit(Op::Load { dst, addr: address.clone() });
        Expr::Reg(dst, width)
    }

    fn load_bits(&mut self, address: &Expr, bits: BitField, ty: TypeId, span: Span) -> Result<Expr> {
        let unit = self.load_unit(address, bits);
        let shift = Expr::constant(bits.shift.into(), unit.width());
        let field = Expr::binary(BinOp::LShr, unit, shift).resized(bits.width, false);
        Ok(field.resized(self.width(ty, span)?, self.kind(ty).is_signed()))
    }

    fn store_bits(&mut self, address: &Expr, bits: BitField, value: Expr) {
        let width = bits.unit();
        let field = value.resized(bits.width, false).resized(width, false);
        if bits.width == width {
            return self.emit(Op::Store { addr: address.clone(), value: field });
        }
        let unit = self.load_unit(address, bits);
        let kept = Expr::binary(BinOp::And, unit, Expr::constant(!bits.mask(), width));
        let shifted = Expr::binary(BinOp::Shl, field, Expr::constant(bits.shift.into(), width));
        self.emit(Op::Store { addr: address.clone(), value: Expr::binary(BinOp::Or, kept, shifted) });
    }

    /// What reading the place yields after `value` was written to it.
    pub fn stored_value(&mut self, place: &Lvalue, value: Expr, ty: TypeId) -> Expr {
        match place {
            Lvalue::Reg(reg) => Expr::Reg(*reg, self.regs[reg.index()].width),
            Lvalue::Memory { bits: Some(bits), .. } => {
                let width = value.width();
                value.resized(bits.width, false).resized(width, self.kind(ty).is_signed())
            }
            Lvalue::Memory { .. } => value,
        }
    }

    // Sizes that are known only at run time.

    /// Bytes of an object of type `ty`, of pointer width.
    pub fn size_value(&mut self, ty: TypeId, span: Span) -> Result<Expr> {
        if !self.types.is_variable(ty) {
            let size = match self.types.get(ty) {
                Type::Void | Type::Function(_) => 1,
                _ => self.size(ty, span)?,
            };
            return Ok(self.pointer_constant(size));
        }
        let (element, length) = match *self.types.get(ty) {
            Type::Array { element, length } => (element, length),
            Type::Record(_) => return self.record_size(ty, span),
            _ => return Err(self.error("a type of unknown size", span)),
        };
        let size = self.size_value(element, span)?;
        let length = match length {
            ArrayLength::Known(length) => self.pointer_constant(length),
            ArrayLength::Unknown => self.pointer_constant(0),
            ArrayLength::Variable(index) => match self.vla_lengths.get(index as usize).copied().flatten() {
                Some(reg) => Expr::Reg(reg, self.regs[reg.index()].width).resized(self.pointer_bits(), false),
                None => return Err(self.error("an array whose length was never computed", span)),
            },
        };
        Ok(Expr::binary(BinOp::Mul, length, size))
    }

    /// `size`, but no byte at all where a length of the array is negative, which C leaves undefined; as a number of type `size_t` it is
    /// larger than any object then.
    pub fn without_negative(&mut self, ty: TypeId, size: Expr) -> Expr {
        let mut lengths = Vec::new();
        let mut level = ty;
        while let Type::Array { element, length } = *self.types.get(level) {
            if let ArrayLength::Variable(index) = length
                && let Some(reg) = self.vla_lengths.get(index as usize).copied().flatten()
            {
                lengths.push(reg);
            }
            level = element;
        }
        let Some(size) = (!lengths.is_empty()).then(|| self.bind(size.clone())) else { return size };
        let Expr::Reg(result, width) = size else { return size };
        for reg in lengths {
            let length = self.regs[reg.index()].width;
            let negative = Expr::binary(BinOp::Slt, Expr::Reg(reg, length), Expr::constant(0, length));
            let (empty, next) = (self.new_loc(), self.new_loc());
            self.split(negative, (empty, Note::None), (next, Note::None));
            self.resume(empty);
            self.emit(Op::Assign { dst: result, value: Expr::constant(0, width) });
            self.goto(next);
            self.resume(next);
        }
        size
    }

    /// Bytes of a record some members of which have sizes known only at run time.
    fn record_size(&mut self, ty: TypeId, span: Span) -> Result<Expr> {
        let Some((layout, aligns)) = self.types.layout_of(ty).and_then(|l| Some((l, l.variable.as_ref()?))) else {
            return Err(self.error("a type of unknown size", span));
        };
        let end = if self.is_union(ty) {
            let mut end = self.pointer_constant(0);
            for field in &layout.fields {
                let size = self.size_value(field.ty, span)?;
                let (size, so_far) = (self.bind(size), self.bind(end));
                let longer = Expr::binary(BinOp::Ult, so_far.clone(), size.clone());
                end = Expr::ite(longer, size, so_far);
            }
            end
        } else {
            self.variable_offset(ty, layout, aligns, layout.fields.len(), span)?
        };
        Ok(self.rounded_up(end, layout.align))
    }

    /// Where field number `index` of such a record begins; its end for the number of fields.
    fn variable_offset(
        &mut self,
        ty: TypeId,
        layout: &RecordLayout,
        aligns: &[u64],
        index: usize,
        span: Span,
    ) -> Result<Expr> {
        let mut offset = self.pointer_constant(0);
        if self.is_union(ty) {
            return Ok(offset);
        }
        for (field, align) in layout.fields.iter().zip(aligns).take(index) {
            let size = match self.types.get(field.ty) {
                Type::Array { length: ArrayLength::Unknown, .. } => self.pointer_constant(0),
                _ => self.size_value(field.ty, span)?,
            };
            offset = Expr::binary(BinOp::Add, self.rounded_up(offset, *align), size);
        }
        Ok(self.rounded_up(offset, aligns.get(index).copied().unwrap_or(1)))
    }

    fn is_union(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Record(id) if self.types.record(*id).is_union)
    }

    fn rounded_up(&self, bytes: Expr, align: u64) -> Expr {
        if align <= 1 {
            return bytes;
        }
        let sum = Expr::binary(BinOp::Add, bytes, self.pointer_constant(align - 1));
        Expr::binary(BinOp::And, sum, self.pointer_constant(align.wrapping_neg()))
    }
}
