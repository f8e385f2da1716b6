//! Operands and arguments without a sequence point between them are evaluated in any order (C11 6.5 p2 and p3). Where that can matter,
//! a proof covers both orders of two that touch the same object, and a run takes gcc's: arguments from the last to the first, operands
//! from left to right. A violation that needs another order is not reported.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::super::ir::{BinOp, Expr, NondetKind, Note, Op, Reg};
use super::super::library::{self, Known};
use super::function::Lowerer;
use super::{Builder, Target, UnitId, purity};
use crate::base::error::Result;
use crate::c::syntax::{self, Callee, ExprKind, FunctionId, Init, LocalId, Place, PlaceKind, Stmt, StmtKind};

/// Orders within orders that are distinguished; beyond them nothing is claimed.
const MOST_NESTED: u32 = 3;

/// An object that an expression names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Named {
    Local(LocalId),
    Global(UnitId, syntax::GlobalId),
}

/// What evaluating something touches.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    reads: BTreeSet<Named>,
    writes: BTreeSet<Named>,
    /// Memory that a pointer leads to.
    reads_far: bool,
    writes_far: bool,
    callees: FxHashSet<(UnitId, FunctionId)>,
}

impl Footprint {
    fn is_quiet(&self) -> bool {
        self.writes.is_empty() && !self.writes_far
    }

    fn add(&mut self, other: &Footprint) {
        let is_global = |named: &&Named| matches!(named, Named::Global(..));
        self.reads.extend(other.reads.iter().filter(is_global));
        self.writes.extend(other.writes.iter().filter(is_global));
        self.reads_far |= other.reads_far;
        self.writes_far |= other.writes_far;
    }
}

/// Where a place lies: in a named object, behind a pointer, or in a temporary of its own.
enum Root {
    Named(Named),
    Far,
    Nowhere,
}

fn root(unit: UnitId, place: &Place) -> Root {
    match &place.kind {
        PlaceKind::Local(id) | PlaceKind::CompoundLiteral { local: id, .. } => Root::Named(Named::Local(*id)),
        PlaceKind::Global(id) => Root::Named(Named::Global(unit, *id)),
        PlaceKind::Member { base, .. } => root(unit, base),
        PlaceKind::Deref(pointer) => pointed(unit, pointer),
        PlaceKind::Temporary(_) | PlaceKind::Unsupported(_) => Root::Nowhere,
    }
}

fn pointed(unit: UnitId, pointer: &syntax::Expr) -> Root {
    match &pointer.kind {
        ExprKind::PointerAdd { pointer, .. } | ExprKind::Convert(pointer) => pointed(unit, pointer),
        ExprKind::ArrayDecay(place) | ExprKind::AddressOf(place) => root(unit, place),
        _ => Root::Far,
    }
}

/// Collects what code of one unit touches.
struct Collector<'b, 'u> {
    builder: &'b Builder<'u>,
    unit: UnitId,
    /// Pointers that only ever lead to blocks which the function itself allocates.
    fresh: FxHashSet<LocalId>,
    print: Footprint,
}

impl<'u> Collector<'_, 'u> {
    fn touch(&mut self, place: &Place, writes: bool) {
        // The state of the library's own models says nothing of the program.
        let is_models = |named: Named| matches!(named, Named::Global(UnitId::Library(_), _));
        match root(self.unit, place) {
            Root::Named(named) if is_models(named) => {}
            Root::Named(named) if writes => drop(self.print.writes.insert(named)),
            Root::Named(named) => drop(self.print.reads.insert(named)),
            Root::Far if self.is_fresh(place) => {}
            Root::Far if writes => self.print.writes_far = true,
            Root::Far => self.print.reads_far = true,
            Root::Nowhere => {}
        }
    }

    fn is_fresh(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Member { base, .. } => self.is_fresh(base),
            PlaceKind::Deref(pointer) => {
                matches!(&pointer.kind, ExprKind::Use(place)
                    if matches!(place.kind, PlaceKind::Local(id) if self.fresh.contains(&id)))
            }
            _ => false,
        }
    }

    fn expr(&mut self, expr: &'u syntax::Expr) {
        let mut inner: Vec<&'u [Stmt]> = Vec::new();
        purity::any(expr, &mut |e| {
            match &e.kind {
                ExprKind::Use(place) => self.touch(place, false),
                ExprKind::Assign { place, .. } => self.touch(place, true),
                ExprKind::Increment { place, .. } | ExprKind::CompoundAssign { place, .. } => {
                    self.touch(place, false);
                    self.touch(place, true);
                }
                ExprKind::VaArg(place) | ExprKind::VaStart(place) | ExprKind::VaEnd(place) => self.touch(place, true),
                ExprKind::VaCopy { to, .. } => self.touch(to, true),
                ExprKind::CheckedArithmetic { .. } => self.print.writes_far = true,
                ExprKind::Call { callee, .. } => self.call(callee),
                ExprKind::Statement { block, .. } => inner.push(block),
                _ => {}
            }
            false
        });
        for block in inner {
            self.block(block);
        }
    }

    fn call(&mut self, callee: &Callee) {
        let Callee::Direct(id) = callee else {
            (self.print.reads_far, self.print.writes_far) = (true, true);
            return;
        };
        match self.builder.resolve(self.unit, *id) {
            Ok(Target::Defined(unit, id)) => drop(self.print.callees.insert((unit, id))),
            Ok(Target::Known(known)) => {
                let (reads, writes) = effects(known);
                self.print.reads_far |= reads;
                self.print.writes_far |= writes;
            }
            // What is defined nowhere is taken to change nothing.
            Ok(Target::Undefined) | Err(_) => {}
        }
    }

    fn init(&mut self, init: &'u Init) {
        match init {
            Init::Expr(expr) => self.expr(expr),
            Init::List(entries) => entries.iter().for_each(|entry| self.init(&entry.value)),
            Init::Bytes(_) => {}
        }
    }

    fn block(&mut self, block: &'u [Stmt]) {
        for stmt in block {
            for_exprs(stmt, &mut |part| match part {
                Part::Expr(expr) => self.expr(expr),
                Part::Init(_, init) => self.init(init),
            });
        }
    }
}

enum Part<'u> {
    Expr(&'u syntax::Expr),
    Init(LocalId, &'u Init),
}

/// The expressions of a statement and of those within it.
fn for_exprs<'u>(stmt: &'u Stmt, what: &mut dyn FnMut(Part<'u>)) {
    match &stmt.kind {
        StmtKind::Expr(expr)
        | StmtKind::VlaLength { length: expr, .. }
        | StmtKind::GotoComputed(expr)
        | StmtKind::Cleanup { call: expr, .. }
        | StmtKind::Return(Some(expr)) => what(Part::Expr(expr)),
        StmtKind::Declare { local, init: Some(init) } => what(Part::Init(*local, init)),
        StmtKind::Block(block) => block.iter().for_each(|stmt| for_exprs(stmt, what)),
        StmtKind::If { condition, then, otherwise } => {
            what(Part::Expr(condition));
            for_exprs(then, what);
            otherwise.iter().for_each(|stmt| for_exprs(stmt, what));
        }
        StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition, .. } => {
            what(Part::Expr(condition));
            for_exprs(body, what);
        }
        StmtKind::For { init, condition, step, body } => {
            init.iter().for_each(|stmt| for_exprs(stmt, what));
            condition.iter().chain(step).for_each(|expr| what(Part::Expr(expr)));
            for_exprs(body, what);
        }
        StmtKind::Switch { value, body } => {
            what(Part::Expr(value));
            for_exprs(body, what);
        }
        StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => {
            for_exprs(body, what);
        }
        _ => {}
    }
}

/// Whether a function that the library knows reads, and writes, memory of the program.
fn effects(known: Known) -> (bool, bool) {
    match known {
        Known::Malloc
        | Known::Calloc
        | Known::Alloca
        | Known::Input
        | Known::Arbitrary
        | Known::Approximate { strings: 0 }
        | Known::Float(_)
        | Known::Classify(_)
        | Known::First
        | Known::Nothing
        | Known::Swap
        | Known::Assume
        | Known::Inexact
        | Known::Halt(_)
        | Known::Error
        | Known::AssertionFails => (false, false),
        Known::Approximate { .. }
        | Known::ReadsStrings(_)
        | Known::Print { .. }
        | Known::Number(_)
        | Known::Find(_) => (true, false),
        _ => (true, true),
    }
}

impl<'u> Builder<'u> {
    /// What calling the function touches, with all that it calls.
    fn touched_by(&mut self, unit: UnitId, id: FunctionId) -> Rc<Footprint> {
        if let Some(known) = self.footprints.get(&(unit, id)) {
            return known.clone();
        }
        let mut all = Footprint::default();
        let (mut seen, mut open) = (FxHashSet::default(), vec![(unit, id)]);
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                let own = self.own_footprint(next.0, next.1);
                open.extend(own.callees.iter());
                all.add(&own);
            }
        }
        let all = Rc::new(all);
        self.footprints.insert((unit, id), all.clone());
        all
    }

    fn own_footprint(&self, unit: UnitId, id: FunctionId) -> Footprint {
        let body = self.syntax_function(unit, id).ok().and_then(|function| function.body.as_ref());
        let Some(body) = body else { return Footprint::default() };
        let fresh = self.fresh_pointers(unit, body);
        let mut collector = Collector { builder: self, unit, fresh, print: Footprint::default() };
        collector.block(&body.block);
        collector.print
    }

    /// Local pointers that are set by allocations alone.
    fn fresh_pointers(&self, unit: UnitId, body: &'u syntax::FunctionBody) -> FxHashSet<LocalId> {
        let (mut fresh, mut other) = (FxHashSet::default(), FxHashSet::default());
        other.extend((0..body.params as usize).map(LocalId::from_index));
        let mut set = |id: LocalId, value: &syntax::Expr| {
            let kind = if self.is_allocation(unit, value) { &mut fresh } else { &mut other };
            kind.insert(id);
        };
        let mut parts = Vec::new();
        body.block.iter().for_each(|stmt| for_exprs(stmt, &mut |part| parts.push(part)));
        for part in parts {
            match part {
                Part::Init(id, Init::Expr(value)) => set(id, value),
                Part::Init(..) => {}
                Part::Expr(expr) => drop(purity::any(expr, &mut |e| {
                    match &e.kind {
                        ExprKind::Assign { place, value } => {
                            if let PlaceKind::Local(id) = place.kind {
                                set(id, value);
                            }
                        }
                        ExprKind::CompoundAssign { place, value, .. } => {
                            if let PlaceKind::Local(id) = place.kind {
                                set(id, value);
                            }
                        }
                        ExprKind::Increment { place, .. } => {
                            if let PlaceKind::Local(id) = place.kind {
                                set(id, e);
                            }
                        }
                        _ => {}
                    }
                    false
                })),
            }
        }
        let is_hidden = |id: &LocalId| body.locals.get(id.index()).is_some_and(|local| !local.address_taken);
        fresh.retain(|id| !other.contains(id) && is_hidden(id));
        fresh
    }

    fn is_allocation(&self, unit: UnitId, value: &syntax::Expr) -> bool {
        match &value.kind {
            ExprKind::Convert(value) => self.is_allocation(unit, value),
            ExprKind::Call { callee: Callee::Direct(id), .. } => {
                matches!(self.resolve(unit, *id), Ok(Target::Known(Known::Malloc | Known::Calloc)))
            }
            _ => false,
        }
    }
}

/// Expressions that are evaluated in some order, each on its own.
pub enum Siblings<'u> {
    /// gcc evaluates the last one first.
    Arguments(&'u [syntax::Expr]),
    /// gcc evaluates the left one first.
    Operands([&'u syntax::Expr; 2]),
}

impl<'u> Siblings<'u> {
    fn list(&self) -> Vec<&'u syntax::Expr> {
        match self {
            Siblings::Arguments(args) => args.iter().collect(),
            Siblings::Operands(both) => both.to_vec(),
        }
    }
}

impl<'u> Lowerer<'_, 'u> {
    /// The values of `siblings` where their order can matter, or `None` where it cannot.
    pub fn in_any_order(&mut self, siblings: &Siblings<'u>) -> Result<Option<Vec<Expr>>> {
        let list = siblings.list();
        if self.is_library() || self.current.is_none() || !self.interfere(&list) {
            return Ok(None);
        }
        let holds_statements =
            list.iter().any(|expr| purity::any(expr, &mut |e| matches!(e.kind, ExprKind::Statement { .. })));
        let own: Vec<usize> = match siblings {
            Siblings::Arguments(_) => (0..list.len()).rev().collect(),
            Siblings::Operands(_) => (0..list.len()).collect(),
        };
        let other: Vec<usize> = own.iter().rev().copied().collect();
        let (first, second, done) = (self.new_loc(), self.new_loc(), self.new_loc());
        let choice = self.nondet(8, NondetKind::order());
        let is_other = Expr::binary(BinOp::Eq, choice, Expr::constant(1, 8));
        self.split(is_other, (second, Note::None), (first, Note::None));
        self.resume(first);
        let results = self.evaluate_in(&list, &own, None)?;
        self.goto(done);
        self.resume(second);
        if holds_statements || self.orders >= MOST_NESTED {
            self.undefined("order of evaluation");
        } else {
            self.orders += 1;
            self.inexact(library::INEXACT);
            self.evaluate_in(&list, &other, Some(&results))?;
            self.orders -= 1;
            self.goto(done);
        }
        self.resume(done);
        Ok(Some(results.into_iter().map(|reg| Expr::Reg(reg, self.regs[reg.index()].width)).collect()))
    }

    /// Evaluates in this order; each value goes to a register, to those of `into` where they are given.
    fn evaluate_in(&mut self, list: &[&'u syntax::Expr], order: &[usize], into: Option<&[Reg]>) -> Result<Vec<Reg>> {
        let mut results = vec![None; list.len()];
        for &index in order {
            let mut value = self.rvalue(list[index])?;
            if self.kind(list[index].ty) == super::kinds::Kind::Record {
                let copy = self.temporary_object(list[index].ty, list[index].span)?;
                self.copy_object(copy.clone(), value, list[index].ty, list[index].span)?;
                value = copy;
            }
            let dst = into.map_or_else(|| self.raw_temp(value.width()), |into| into[index]);
            self.emit(Op::Assign { dst, value });
            results[index] = Some(dst);
        }
        Ok(results.into_iter().flatten().collect())
    }

    /// One of them writes what another one reads or writes.
    fn interfere(&mut self, list: &[&'u syntax::Expr]) -> bool {
        if list.len() < 2 || !list.iter().any(|expr| purity::may_write(expr)) {
            return false;
        }
        let prints: Vec<Footprint> = list.iter().map(|expr| self.footprint(expr)).collect();
        let pairs = prints.iter().enumerate().flat_map(|(i, a)| prints[i + 1..].iter().map(move |b| (a, b)));
        pairs.into_iter().any(|(a, b)| self.touch_same(a, b) || self.touch_same(b, a))
    }

    /// `a` writes something that `b` touches.
    fn touch_same(&self, a: &Footprint, b: &Footprint) -> bool {
        if a.is_quiet() {
            return false;
        }
        let is_reachable = |named: &Named| match named {
            Named::Local(id) => self.local(*id).is_ok_and(|local| local.address_taken),
            Named::Global(..) => true,
        };
        let far_touch = b.reads_far || b.writes_far;
        a.writes.iter().any(|named| b.reads.contains(named) || b.writes.contains(named))
            || (a.writes_far && (far_touch || b.reads.iter().chain(&b.writes).any(is_reachable)))
            || (far_touch && a.writes.iter().any(is_reachable))
    }

    fn footprint(&mut self, expr: &'u syntax::Expr) -> Footprint {
        let unit = self.unit_id;
        let mut collector =
            Collector { builder: self.builder, unit, fresh: FxHashSet::default(), print: Footprint::default() };
        collector.expr(expr);
        let mut print = collector.print;
        for (unit, id) in std::mem::take(&mut print.callees) {
            let callee = self.builder.touched_by(unit, id);
            print.add(&callee);
        }
        print
    }

    /// Whether storing to `place` and evaluating `value` change the same variable, which C leaves undefined (`i = i++`), or the place
    /// depends on a variable that the value changes (`a[i] = i++`).
    pub fn is_unsequenced(&mut self, place: &'u Place, value: &'u syntax::Expr) -> bool {
        if self.is_library() || !purity::may_assign(value) {
            return false;
        }
        let mut own = Footprint::default();
        if let PlaceKind::Local(id) = place.kind {
            own.reads.insert(Named::Local(id));
        }
        let mut inner = Vec::new();
        purity::any_in_place(place, &mut |e| {
            inner.push(e);
            false
        });
        let reads = inner.into_iter().map(|e| self.footprint(e)).fold(own, |mut all, part| {
            all.reads.extend(part.reads);
            all
        });
        let value = self.footprint(value);
        value.writes.iter().any(|named| matches!(named, Named::Local(_)) && reads.reads.contains(named))
    }
}
