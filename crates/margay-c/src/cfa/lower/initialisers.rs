//! Initialisers of block-scope variables and compound literals.

use super::super::ir::{BinOp, Expr, Object, Op};
use super::function::Lowerer;
use super::places::Lvalue;
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{Init, InitEntry};
use crate::c::types::TypeId;

/// From this many constant entries on, an initialiser is copied from a hidden constant object.
const MANY: usize = 16;

impl<'u> Lowerer<'_, 'u> {
    /// The initial value of a scalar.
    pub fn initial_scalar(&mut self, init: &'u Init, ty: TypeId, span: Span) -> Result<Expr> {
        match init {
            Init::Expr(value) => self.rvalue(value),
            Init::List(entries) => match entries.last() {
                Some(entry) => self.initial_scalar(&entry.value, ty, span),
                None => Ok(Expr::constant(0, self.width(ty, span)?)),
            },
            Init::Bytes(_) => Err(self.error("a string as the value of a scalar", span)),
        }
    }

    /// Initialises the object of type `ty` at `address`, which holds arbitrary bytes.
    pub fn initialise(&mut self, address: Expr, init: &'u Init, ty: TypeId, span: Span) -> Result<()> {
        match init {
            Init::Expr(value) => {
                let value = self.rvalue(value)?;
                self.store(&Lvalue::Memory { address, bits: None }, value, ty, span)
            }
            Init::Bytes(bytes) => {
                let size = self.size(ty, span)?;
                if bytes.len() >= MANY {
                    return self.copy_constant(address, init, ty, span).map(drop);
                }
                self.store_bytes(&address, bytes, size);
                let written = (bytes.len() as u64).min(size);
                self.zero(&address, written, size);
                Ok(())
            }
            Init::List(entries) => {
                if entries.len() >= MANY && self.copy_constant(address.clone(), init, ty, span)? {
                    return Ok(());
                }
                let size = self.size(ty, span)?;
                if !self.covers(entries, size)? {
                    self.zero(&address, 0, size);
                }
                for entry in entries {
                    self.initialise_entry(&address, entry)?;
                }
                Ok(())
            }
        }
    }

    fn initialise_entry(&mut self, base: &Expr, entry: &'u InitEntry) -> Result<()> {
        let address = Expr::binary(BinOp::Add, base.clone(), self.pointer_constant(entry.offset));
        match &entry.value {
            Init::Expr(value) => {
                let rvalue = self.rvalue(value)?;
                self.store(&Lvalue::Memory { address, bits: entry.bits }, rvalue, entry.ty, value.span)
            }
            Init::Bytes(bytes) => {
                // The rest is zero already: a string shorter than its array leaves the object uncovered.
                let size = self.types.size_of(entry.ty).unwrap_or(bytes.len() as u64);
                self.store_bytes(&address, bytes, size);
                Ok(())
            }
            nested @ Init::List(_) => self.initialise(address, nested, entry.ty, self.span),
        }
    }

    fn store_bytes(&mut self, address: &Expr, bytes: &[u8], size: u64) {
        for (i, byte) in bytes.iter().enumerate().take(size as usize) {
            let addr = Expr::binary(BinOp::Add, address.clone(), self.pointer_constant(i as u64));
            self.emit(Op::Store { addr, value: Expr::constant((*byte).into(), 8) });
        }
    }

    /// Zeroes the bytes `from..to`.
    fn zero(&mut self, address: &Expr, from: u64, to: u64) {
        if from < to {
            let dst = Expr::binary(BinOp::Add, address.clone(), self.pointer_constant(from));
            let size = self.pointer_constant(to - from);
            self.emit(Op::Set { dst, byte: Expr::constant(0, 8), size });
        }
    }

    /// The entries write every byte of the object.
    fn covers(&self, entries: &[InitEntry], size: u64) -> Result<bool> {
        let mut intervals = Vec::with_capacity(entries.len());
        for entry in entries {
            let written = match &entry.value {
                _ if entry.bits.is_some() => 0,
                Init::Bytes(bytes) => bytes.len() as u64,
                Init::Expr(_) => match self.kind(entry.ty).width() {
                    Some(width) => u64::from(width.div_ceil(8)),
                    None => self.size(entry.ty, self.span)?,
                },
                Init::List(_) => 0,
            };
            intervals.push((entry.offset, entry.offset + written));
        }
        intervals.sort_unstable();
        let mut reached = 0;
        for (start, end) in intervals {
            if start > reached {
                return Ok(false);
            }
            reached = reached.max(end);
        }
        Ok(reached >= size)
    }

    /// Copies the value from a hidden constant object; `false` where the initialiser is not constant.
    fn copy_constant(&mut self, address: Expr, init: &'u Init, ty: TypeId, span: Span) -> Result<bool> {
        let size = self.size(ty, span)?;
        let Some(global) = self.builder.constant_object(self.unit_id, init, ty, size, span)? else {
            return Ok(false);
        };
        let src = Expr::Address(Object::Global(global), self.pointer_bits());
        let size = self.pointer_constant(size);
        self.emit(Op::Copy { dst: address, src, size });
        Ok(true)
    }
}
