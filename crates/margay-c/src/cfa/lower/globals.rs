//! Objects with static storage duration and their constant initialisers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::ir::{Content, Expr, Global, GlobalId, Object};
use super::extents::file_scope;
use super::function::Lowerer;
use super::kinds::Kind;
use super::{Builder, UnitId};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Span;
use crate::c::syntax::{self, ExprKind, Init, InitEntry, PlaceKind};
use crate::c::types::TypeId;

/// The writes of one initialiser, and the bytes of its bit-fields so far.
#[derive(Default)]
struct Writes {
    list: Vec<(u64, Expr)>,
    bits: BTreeMap<u64, u8>,
}

impl<'u> Builder<'u> {
    /// The object of a global, its content still to be lowered.
    pub(super) fn declare_global(&mut self, unit: UnitId, id: syntax::GlobalId) -> Result<Global> {
        let types = &self.unit(unit)?.types;
        let global = &self.unit(unit)?.globals[id.index()];
        let refused = |message: String| -> Result<Global> {
            let pos = self.unit(unit)?.source.pos(global.span.start);
            Err(Error::at(ErrorKind::Unsupported, message, pos))
        };
        if let Some(target) = &global.link.target {
            return refused(format!("`{}` is another name of `{target}`, which is not defined", global.name));
        }
        let definition = global.definition.as_ref();
        let declared = types.size_of(global.ty);
        if definition.is_none() && global.link.is_weak {
            return Ok(self.elsewhere(&global.name, global.span));
        }
        // A flexible array member's elements lie beyond the type's own size.
        let written = match definition.and_then(|d| d.init.as_ref()) {
            Some(Init::List(entries)) => entries.iter().map(|e| end_of(types, e)).max().unwrap_or(0),
            _ => 0,
        };
        let Some(size) = declared.map(|size| size.max(written)) else {
            return match definition {
                None if self.options.open_world => Ok(self.elsewhere(&global.name, global.span)),
                _ => refused(format!("the size of `{}` is not known", global.name)),
            };
        };
        let natural = types.align_of(global.ty).unwrap_or(1);
        let content = match definition {
            Some(_) => Content::Initialised(Vec::new()),
            None => {
                if unit == UnitId::User {
                    let name = global.name.clone();
                    self.warn_once(&global.name, global.span, || {
                        format!("`{name}` has no definition: it is taken to hold anything")
                    });
                }
                Content::Unknown
            }
        };
        Ok(Global {
            name: global.name.clone(),
            size,
            align: definition.and_then(|d| d.align).map_or(natural, |align| align.max(natural)),
            content,
            read_only: definition.is_some_and(|d| d.read_only),
            span: global.span,
            c_type: self.type_name(unit, global.ty),
            scope: if unit == UnitId::User { file_scope(&self.unit(unit)?.types, global) } else { None },
        })
    }

    /// What stands for an object that is defined elsewhere and whose size is not given: its address, which is unknown but stays.
    fn elsewhere(&self, name: &Arc<str>, span: Span) -> Global {
        let size = u64::from(self.model.pointer_bits() / 8);
        Global {
            name: name.clone(),
            size,
            align: size,
            content: Content::Unknown,
            read_only: false,
            span,
            c_type: "void *".into(),
            scope: None,
        }
    }

    /// Whether the automaton has the address of the global in place of the global itself.
    pub(super) fn is_elsewhere(&self, unit: UnitId, id: syntax::GlobalId) -> Result<bool> {
        let unit = self.unit(unit)?;
        let id = unit.globals[id.index()].link.same_as.unwrap_or(id);
        let global = &unit.globals[id.index()];
        Ok(global.definition.is_none() && (global.link.is_weak || unit.types.size_of(global.ty).is_none()))
    }

    /// What holds the address of a weak function that no file defines: unknown, perhaps null, but always the same.
    pub(super) fn absent_function(&mut self, name: &Arc<str>, span: Span) -> GlobalId {
        if let Some(&known) = self.absent.get(name) {
            return known;
        }
        let new = self.elsewhere(name, span);
        let new = self.add_global(new);
        self.absent.insert(name.clone(), new);
        new
    }

    /// The initial writes of a global; `None` where it is defined elsewhere.
    pub(super) fn lower_global(&mut self, unit: UnitId, id: syntax::GlobalId) -> Result<Option<Vec<(u64, Expr)>>> {
        let global = &self.unit(unit)?.globals[id.index()];
        let Some(definition) = &global.definition else { return Ok(None) };
        let Some(init) = &definition.init else { return Ok(Some(Vec::new())) };
        self.constant_writes(unit, init, global.ty, global.span).map(Some)
    }

    /// A hidden read-only object that holds `init`, or `None` where that is no constant.
    pub(super) fn constant_object(
        &mut self,
        unit: UnitId,
        init: &'u Init,
        ty: TypeId,
        size: u64,
        span: Span,
    ) -> Result<Option<GlobalId>> {
        let Ok(writes) = self.constant_writes(unit, init, ty, span) else { return Ok(None) };
        let align = self.unit(unit)?.types.align_of(ty).unwrap_or(1);
        let content = Content::Initialised(writes);
        let name = "initial value".into();
        Ok(Some(self.add_global(Global {
            name,
            size,
            align,
            content,
            read_only: true,
            span,
            c_type: "".into(),
            scope: None,
        })))
    }

    fn constant_writes(&mut self, unit: UnitId, init: &'u Init, ty: TypeId, span: Span) -> Result<Vec<(u64, Expr)>> {
        let mut lowerer = Lowerer::new(self, unit, None, "".into())?;
        lowerer.span = span;
        let mut writes = Writes::default();
        lowerer.write(init, ty, 0, &mut writes)?;
        let Writes { mut list, bits } = writes;
        list.extend(bits.into_iter().map(|(at, byte)| (at, Expr::constant(byte.into(), 8))));
        Ok(list)
    }
}

/// Where the bytes of an entry end.
fn end_of(types: &crate::c::types::Types, entry: &InitEntry) -> u64 {
    let size = match (&entry.value, entry.bits) {
        (_, Some(bits)) => u64::from(bits.unit() / 8),
        (Init::Bytes(bytes), _) => types.size_of(entry.ty).unwrap_or(bytes.len() as u64),
        _ => types.size_of(entry.ty).unwrap_or(0),
    };
    entry.offset + size
}

impl<'u> Lowerer<'_, 'u> {
    fn write(&mut self, init: &'u Init, ty: TypeId, at: u64, writes: &mut Writes) -> Result<()> {
        match init {
            Init::Bytes(bytes) => {
                let size = self.types.size_of(ty).unwrap_or(bytes.len() as u64);
                let bytes = bytes.iter().enumerate().take(size as usize);
                // What is not written is zero.
                let nonzero = bytes.filter(|(_, byte)| **byte != 0);
                writes.list.extend(nonzero.map(|(i, byte)| (at + i as u64, Expr::constant((*byte).into(), 8))));
                Ok(())
            }
            Init::List(entries) => entries.iter().try_for_each(|entry| match entry.bits {
                Some(bits) => self.write_bits(entry, bits, at, writes),
                None => self.write(&entry.value, entry.ty, at + entry.offset, writes),
            }),
            Init::Expr(value) if self.kind(ty) == Kind::Record => self.write_record(value, at, writes),
            Init::Expr(value) => {
                let value = self.constant(value)?;
                writes.list.push((at, value));
                Ok(())
            }
        }
    }

    /// A record given by another object's initialiser.
    fn write_record(&mut self, value: &'u syntax::Expr, at: u64, writes: &mut Writes) -> Result<()> {
        if let ExprKind::Use(place) = &value.kind {
            match &place.kind {
                PlaceKind::CompoundLiteral { init, .. } => return self.write(init, place.ty, at, writes),
                PlaceKind::Global(id) => {
                    let unit = self.unit;
                    if let Some(definition) = &unit.globals[id.index()].definition {
                        return definition.init.as_ref().map_or(Ok(()), |init| self.write(init, place.ty, at, writes));
                    }
                }
                _ => {}
            }
        }
        Err(self.error("an initialiser that is not constant", value.span))
    }

    fn write_bits(
        &mut self,
        entry: &'u InitEntry,
        bits: crate::c::types::BitField,
        base: u64,
        writes: &mut Writes,
    ) -> Result<()> {
        let Init::Expr(value) = &entry.value else { return Err(self.error("a bit-field's initialiser", self.span)) };
        let Some(constant) = self.constant(value)?.as_const() else {
            return Err(self.error("an initialiser that is not constant", value.span));
        };
        let mask = bits.mask();
        let field = (constant.value << bits.shift) & mask;
        for i in 0..u64::from(bits.unit() / 8) {
            let byte = writes.bits.entry(base + entry.offset + i).or_default();
            let (mask, field) = ((mask >> (8 * i)) as u8, (field >> (8 * i)) as u8);
            *byte = (*byte & !mask) | field;
        }
        Ok(())
    }

    /// The value of an expression that must not run any code.
    fn constant(&mut self, value: &'u syntax::Expr) -> Result<Expr> {
        let result = self.rvalue(value)?;
        let mut pure = self.locations.iter().all(|edges| edges.is_empty());
        result.for_regs(&mut |_| pure = false);
        let mut objects_stay = true;
        // No address of a frame's object.
        result.for_objects(&mut |object| objects_stay &= !matches!(object, Object::Slot(_)));
        if pure && objects_stay {
            return Ok(result);
        }
        Err(self.error("an initialiser that is not constant", value.span))
    }
}
