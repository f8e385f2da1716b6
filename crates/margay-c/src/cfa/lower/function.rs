//! One function under construction: locations, edges, registers, slots.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::super::ir::{
    Edge, Expr, Function, Loc, Location, NondetKind, Note, Object, Op, Reg, RegDecl, SlotDecl, SlotId,
};
use super::extents::Extents;
use super::kinds::{self, Kind};
use super::returns::Jumps;
use super::rows::Rows;
use super::scopes::{JumpTarget, Scope, ScopeId, SwitchContext};
use super::{Builder, UnitId};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Span;
use crate::c::syntax::{self, FunctionBody, LabelId, LocalId, Stmt, StmtKind, Unit};
use crate::c::types::{TypeId, Types};

/// Where a local variable lives.
#[derive(Clone, Copy, Debug)]
pub enum Home {
    Reg(Reg),
    Slot(SlotId),
}

/// Registers without a name. Large functions would have thousands of them if each statement had its own, and every state holds all
/// registers of its frames.
#[derive(Default)]
struct Temporaries {
    /// Whose statements may still go on, in order.
    used: Vec<Reg>,
    /// By width, sign and type: those of statements that are over.
    free: FxHashMap<(u32, bool, Arc<str>), Vec<Reg>>,
    /// Expressions with statements in them around the one being lowered.
    held: u32,
}

impl Temporaries {
    fn again(&mut self, decl: &RegDecl) -> Option<Reg> {
        let reg = self.free.get_mut(&(decl.width, decl.signed, decl.c_type.clone()))?.pop()?;
        self.used.push(reg);
        Some(reg)
    }
}

pub struct Lowerer<'b, 'u> {
    pub builder: &'b mut Builder<'u>,
    pub unit_id: UnitId,
    pub unit: &'u Unit,
    pub types: &'u Types,
    /// `None` in initialisers of globals and in synthetic functions.
    pub body: Option<&'u FunctionBody>,
    pub name: Arc<str>,
    pub regs: Vec<RegDecl>,
    pub slots: Vec<SlotDecl>,
    pub locations: Vec<SmallVec<[Edge; 1]>>,
    /// Locations some edge leads to.
    reached: Vec<bool>,
    /// The edge appended last, as long as nothing else leads to its target.
    last: Option<(Loc, Loc)>,
    /// Where the next op goes; `None` in code that cannot be reached.
    pub current: Option<Loc>,
    /// The statement or full expression being lowered.
    pub span: Span,
    pub loop_spans: FxHashMap<Loc, Span>,
    pub homes: Vec<Option<Home>>,
    pub vla_lengths: Vec<Option<Reg>>,
    pub scopes: Vec<Scope<'u>>,
    pub scope: ScopeId,
    pub breaks: Vec<JumpTarget>,
    pub continues: Vec<JumpTarget>,
    pub switches: Vec<SwitchContext>,
    pub labels: Vec<Option<JumpTarget>>,
    /// Jumps whose target's scope is not known yet.
    pub gotos: Vec<(JumpTarget, LabelId, Span)>,
    /// Target of edges that go nowhere.
    pub exit: Loc,
    /// Where `__VERIFIER_assume` and its kind send the runs of no interest.
    vanish: Option<Loc>,
    /// Hidden first parameter: where a record result is copied to.
    pub result_address: Option<Reg>,
    pub result_type: Option<TypeId>,
    /// Hidden last parameter of a variadic function.
    pub varargs: Option<Reg>,
    extents: Extents,
    temporaries: Temporaries,
    pub rows: Rows,
    /// Compound literals that come into being where their block begins.
    pub literals: FxHashSet<LocalId>,
    /// Orders of evaluation that the current one stands within.
    pub orders: u32,
    /// Jumps out of calls.
    pub jumps: Jumps,
}

impl<'b, 'u> Lowerer<'b, 'u> {
    pub fn new(
        builder: &'b mut Builder<'u>,
        unit_id: UnitId,
        body: Option<&'u FunctionBody>,
        name: Arc<str>,
    ) -> Result<Self> {
        let unit = builder.unit(unit_id)?;
        let locals = body.map_or(0, |body| body.locals.len());
        let mut lowerer = Self {
            builder,
            unit_id,
            unit,
            types: &unit.types,
            body,
            name,
            regs: Vec::new(),
            slots: Vec::new(),
            locations: Vec::new(),
            reached: Vec::new(),
            last: None,
            current: None,
            span: Span::default(),
            loop_spans: FxHashMap::default(),
            homes: vec![None; locals],
            vla_lengths: vec![None; body.map_or(0, |body| body.vla_lengths as usize)],
            scopes: vec![Scope::default()],
            scope: ScopeId(0),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: vec![None; body.map_or(0, |body| body.labels.len())],
            gotos: Vec::new(),
            exit: Loc(0),
            vanish: None,
            result_address: None,
            result_type: None,
            varargs: None,
            extents: body.map(Extents::of).unwrap_or_default(),
            temporaries: Temporaries::default(),
            rows: Rows::default(),
            orders: 0,
            jumps: Jumps::default(),
            literals: FxHashSet::default(),
        };
        let entry = lowerer.new_loc();
        lowerer.exit = lowerer.new_loc();
        lowerer.current = Some(entry);
        Ok(lowerer)
    }

    /// The function as built so far; its entry is the first location.
    pub fn into_function(self, params: Vec<Reg>, result_width: Option<u32>, span: Span) -> Function {
        let Self { name, regs, slots, locations, mut loop_spans, unit_id, extents, .. } = self;
        let other_names = extents.into_other_names();
        let locations = locations
            .into_iter()
            .enumerate()
            .map(|(index, edges)| Location {
                edges,
                loop_span: loop_spans.remove(&Loc::from_index(index)),
                ..Location::default()
            })
            .collect();
        let library = unit_id != UnitId::User;
        Function {
            name,
            params,
            regs,
            slots,
            locations,
            entry: Loc(0),
            result_width,
            other_names,
            unprototyped: false,
            recast: false,
            hands_out: Vec::new(),
            library,
            span,
        }
    }

    /// Where a function ends that runs to its closing brace: at its last statement, since witnesses speak of statements only. In
    /// open code people are told of the brace.
    pub fn end_span(&self, body: &FunctionBody) -> Span {
        let mut block = &body.block[..];
        while let [.., Stmt { kind: StmtKind::Block(inner), .. }] = block {
            block = inner;
        }
        match block {
            [.., last] if self.builder.open.is_none() => last.span,
            _ => body.end,
        }
    }

    /// Positions in the library's text mean nothing elsewhere.
    pub fn is_library(&self) -> bool {
        self.unit_id != UnitId::User
    }

    /// What a witness may speak of has edges of its own here.
    pub fn has_landmarks(&self) -> bool {
        self.builder.landmarks && !self.is_library()
    }

    // Locations and edges.

    pub fn new_loc(&mut self) -> Loc {
        self.locations.push(SmallVec::new());
        self.reached.push(false);
        Loc::from_index(self.locations.len() - 1)
    }

    pub fn edge(&mut self, from: Loc, op: Op, to: Loc, note: Note) {
        self.last = None;
        self.rows.after(&op);
        self.reached[to.index()] = true;
        let note = if self.is_library() { Note::None } else { note };
        self.locations[from.index()].push(Edge { op, target: to, span: self.span, note });
    }

    /// Appends `op` to the current path.
    pub fn emit(&mut self, op: Op) {
        self.emit_noted(op, Note::None);
    }

    pub fn emit_noted(&mut self, op: Op, note: Note) {
        if let Some(at) = self.current {
            let to = self.new_loc();
            self.edge(at, op, to, note);
            self.current = Some(to);
            self.last = Some((at, to));
        }
    }

    /// `dst := value`; a value just computed into a temporary of its own goes to `dst` right away.
    pub fn assign_variable(&mut self, dst: Reg, value: Expr) {
        if let (Some((from, to)), Some(at), Expr::Reg(temp, _)) = (self.last, self.current, &value)
            && to == at
            && self.regs[temp.index()].name.is_none()
            && let [Edge { op, .. }] = &mut self.locations[from.index()][..]
            && let Op::Load { dst: old, .. }
            | Op::Alloc { dst: old, .. }
            | Op::Call { dst: Some(old), .. }
            | Op::Nondet { dst: old, kind: NondetKind::External(_) | NondetKind::Number(_) } = op
            && old == temp
        {
            *old = dst;
            return;
        }
        self.emit(Op::Assign { dst, value });
    }

    /// Ends the current path at `to`.
    pub fn goto(&mut self, to: Loc) {
        self.goto_noted(to, Note::None);
    }

    pub fn goto_noted(&mut self, to: Loc, note: Note) {
        if let Some(at) = self.current.take() {
            self.edge(at, Op::Skip, to, note);
        }
    }

    /// Ends the current path with `Return` or `Halt`.
    pub fn end(&mut self, op: Op) {
        self.end_noted(op, Note::None);
    }

    pub fn end_noted(&mut self, op: Op, note: Note) {
        if let Some(at) = self.current.take() {
            self.edge(at, op, self.exit, note);
        }
    }

    /// Goes on at `loc`, if anything leads there.
    pub fn resume(&mut self, loc: Loc) {
        self.last = None;
        self.rows.forget();
        self.current = self.reached[loc.index()].then_some(loc);
    }

    /// Where runs of no interest end.
    pub fn vanish_loc(&mut self) -> Loc {
        if let Some(loc) = self.vanish {
            return loc;
        }
        let loc = self.new_loc();
        let exit = self.exit;
        self.edge(loc, Op::Halt(super::super::ir::HaltKind::Vanish), exit, Note::None);
        self.vanish = Some(loc);
        loc
    }

    /// Refuses `what`, unless the code cannot be reached anyway.
    pub fn refuse(&self, what: impl Into<String>, span: Span) -> Result<()> {
        if self.current.is_none() {
            return Ok(());
        }
        Err(self.error(what, span))
    }

    pub fn error(&self, what: impl Into<String>, span: Span) -> Error {
        Error::at(ErrorKind::Unsupported, what, self.unit.source.pos(span.start))
    }

    // Registers and slots.

    /// A fresh temporary for a value of type `ty`.
    pub fn temp(&mut self, ty: TypeId, span: Span) -> Result<Reg> {
        let kind = self.kind(ty);
        let width = match kind {
            Kind::Record => self.pointer_bits(),
            _ => self.width(ty, span)?,
        };
        let c_type = self.builder.type_name(self.unit_id, ty);
        Ok(self.unnamed(RegDecl { name: None, width, c_type, signed: kind.is_signed(), scope: None }))
    }

    /// A fresh temporary of `width` bits that belongs to no C type.
    pub fn raw_temp(&mut self, width: u32) -> Reg {
        let c_type = match width {
            1 => "_Bool".into(),
            _ => format!("unsigned _BitInt({width})").into(),
        };
        self.unnamed(RegDecl { name: None, width, c_type, signed: false, scope: None })
    }

    /// A register like `decl` that is not used yet.
    fn unnamed(&mut self, decl: RegDecl) -> Reg {
        if let Some(reg) = self.temporaries.again(&decl) {
            return reg;
        }
        let reg = Reg::from_index(self.regs.len());
        self.temporaries.used.push(reg);
        self.regs.push(decl);
        reg
    }

    /// Lowers something that leaves no value behind: its temporaries can be used again for what comes after.
    pub fn apart<T>(&mut self, lower: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.temporaries.used.len();
        let result = lower(self)?;
        if self.temporaries.held == 0 {
            for reg in self.temporaries.used.split_off(before) {
                let decl = &self.regs[reg.index()];
                self.temporaries.free.entry((decl.width, decl.signed, decl.c_type.clone())).or_default().push(reg);
            }
        }
        Ok(result)
    }

    /// Lowers a part of an expression that contains statements: until it ends, no temporary is used again.
    pub fn within_expression<T>(&mut self, lower: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.temporaries.held += 1;
        let result = lower(self);
        self.temporaries.held -= 1;
        result
    }

    /// `value` in a register of its own, unless it is a constant or a temporary already.
    pub fn bind(&mut self, value: Expr) -> Expr {
        match &value {
            Expr::Const(_) => value,
            Expr::Reg(reg, _) if self.regs[reg.index()].name.is_none() => value,
            _ => {
                let width = value.width();
                let dst = self.raw_temp(width);
                self.emit(Op::Assign { dst, value });
                Expr::Reg(dst, width)
            }
        }
    }

    /// `value`, bound to a register when it is too big to be written twice.
    pub fn reusable(&mut self, value: Expr) -> Expr {
        const SMALL: usize = 8;
        if value.size_up_to(SMALL) < SMALL { value } else { self.bind(value) }
    }

    /// A fresh arbitrary value.
    pub fn nondet(&mut self, width: u32, kind: NondetKind) -> Expr {
        let dst = self.raw_temp(width);
        self.emit(Op::Nondet { dst, kind });
        Expr::Reg(dst, width)
    }

    pub fn slot(&mut self, name: Option<Arc<str>>, size: u64, align: u64, c_type: Arc<str>, span: Span) -> SlotId {
        self.slots.push(SlotDecl { name, size, align: align.max(1), c_type, span, scope: None });
        SlotId::from_index(self.slots.len() - 1)
    }

    /// An unnamed object of type `ty` that lives until the current scope ends; it has just come into being.
    pub fn temporary_object(&mut self, ty: TypeId, span: Span) -> Result<Expr> {
        let size = self.size(ty, span)?;
        let align = self.types.align_of(ty).unwrap_or(1);
        let c_type = self.builder.type_name(self.unit_id, ty);
        Ok(self.raw_object(size, align, c_type, span))
    }

    /// An unnamed object of `size` bytes that lives until the current scope ends.
    pub fn raw_object(&mut self, size: u64, align: u64, c_type: Arc<str>, span: Span) -> Expr {
        let slot = self.slot(None, size, align, c_type, span);
        self.scopes[self.scope.index()].add(slot, false);
        self.emit(Op::Enter { slot, size: None });
        self.slot_address(slot)
    }

    pub fn slot_address(&self, slot: SlotId) -> Expr {
        Expr::Address(Object::Slot(slot), self.pointer_bits())
    }

    /// Where local variable `id` lives.
    pub fn home(&mut self, id: LocalId) -> Result<Home> {
        // First of all: there may be no body, and so no locals.
        let local = self.local(id)?;
        if let Some(home) = self.homes[id.index()] {
            return Ok(home);
        }
        let home = if self.is_register(local) {
            let kind = self.kind(local.ty);
            let c_type = self.builder.type_name(self.unit_id, local.ty);
            let width = self.width(local.ty, local.span)?;
            let (name, signed) = (Some(local.name.clone()), kind.is_signed());
            self.regs.push(RegDecl { name, width, c_type, signed, scope: self.extents.scope(self.types, id, local) });
            Home::Reg(Reg::from_index(self.regs.len() - 1))
        } else {
            let size = if self.types.is_variable(local.ty) { 0 } else { self.size(local.ty, local.span)? };
            let natural = self.types.align_of(local.ty).unwrap_or(1);
            let align = local.align.map_or(natural, |align| align.max(natural));
            let c_type = self.builder.type_name(self.unit_id, local.ty);
            // Compound literals have locals without a name of their own.
            let name = (!local.name.is_empty()).then(|| local.name.clone());
            let scope = self.extents.scope(self.types, id, local);
            let slot = self.slot(name, size, align, c_type, local.span);
            self.slots[slot.index()].scope = scope;
            Home::Slot(slot)
        };
        self.homes[id.index()] = Some(home);
        Ok(home)
    }

    /// A scalar whose address is not taken.
    pub fn is_register(&self, local: &syntax::Local) -> bool {
        !local.address_taken && self.kind(local.ty).is_scalar()
    }

    pub fn local(&self, id: LocalId) -> Result<&'u syntax::Local> {
        match self.body {
            Some(body) => Ok(&body.locals[id.index()]),
            None => Err(self.error("a local variable in an initialiser of static duration", self.span)),
        }
    }

    // Types.

    pub fn pointer_bits(&self) -> u32 {
        self.types.model.pointer_bits()
    }

    /// A constant of pointer width.
    pub fn pointer_constant(&self, value: u64) -> Expr {
        Expr::constant(value.into(), self.pointer_bits())
    }

    pub fn kind(&self, ty: TypeId) -> Kind {
        kinds::kind(self.types, ty)
    }

    /// Bits of a scalar value of type `ty`.
    pub fn width(&self, ty: TypeId, span: Span) -> Result<u32> {
        self.kind(ty).width().ok_or_else(|| self.error(format!("a value of type `{}`", self.types.display(ty)), span))
    }

    /// Bytes of an object of type `ty`.
    pub fn size(&self, ty: TypeId, span: Span) -> Result<u64> {
        self.types
            .size_of(ty)
            .ok_or_else(|| self.error(format!("an object of incomplete type `{}`", self.types.display(ty)), span))
    }
}
