//! What the places that must not be reached depend on, or the ends of loops; everything else goes.
//!
//! Source: Weiser: Program Slicing (1984), with control dependence after Ferrante, Ottenstein, Warren (1987). A slice that keeps too
//! much is only bigger. One that keeps too little lets more runs through, never fewer: every run of the program is one of the slice
//! as long as a register or object that something kept reads has all its writes kept, and a branch that is left out goes on where
//! all ways from it meet.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

use super::super::ir::*;
use super::super::liveness::{defined, for_exprs};
use super::Asked;
use super::cycles::{branches_in_loops, recursive_calls};
use super::postdominators::Postdominators;

/// Keeps of `program` what its errors, or its ends, depend on.
pub fn slice(program: &mut Program, asked: Asked) {
    let kept = Relevance::of(program, asked).close();
    for (index, function) in program.functions.iter_mut().enumerate() {
        if !function.is_stub() {
            cut(function, &kept[index]);
        }
        for (reg, decl) in function.regs.iter_mut().enumerate() {
            if asked == Asked::Errors || !kept[index].regs.contains(&Reg::from_index(reg)) {
                decl.scope = None;
            }
        }
    }
    blank_arguments(program, &kept);
}

/// What is kept of a function.
#[derive(Default)]
struct Kept {
    locations: Vec<bool>,
    regs: FxHashSet<Reg>,
    /// Its result is of interest.
    result: bool,
    ways: Option<Postdominators>,
}

/// What there is to look at again.
#[derive(Clone, Copy)]
enum Item {
    Location(FunctionId, Loc),
    Reg(FunctionId, Reg),
    Result(FunctionId),
    Object(Option<FunctionId>, Object),
    /// Something in the function is kept.
    Entered(FunctionId),
}

struct Relevance<'p> {
    program: &'p Program,
    kept: Vec<Kept>,
    deciders: Vec<Vec<Vec<Loc>>>,
    definitions: FxHashMap<(FunctionId, Reg), Vec<Loc>>,
    /// Stores into objects, and the beginnings and ends of slots.
    writes: FxHashMap<Named, Vec<(FunctionId, Loc)>>,
    callers: FxHashMap<FunctionId, Vec<(FunctionId, Loc)>>,
    /// By the location behind: registers that are given any value, as allocations are.
    given: FxHashSet<(FunctionId, Loc, Reg)>,
    objects: FxHashSet<Named>,
    entered: FxHashSet<FunctionId>,
    open: Vec<Item>,
}

/// An object, with its function where it is a slot.
type Named = (Option<FunctionId>, Object);

fn named(function: FunctionId, object: Object) -> Named {
    match object {
        Object::Slot(_) => (Some(function), object),
        Object::Global(_) | Object::Function(_) => (None, object),
    }
}

impl<'p> Relevance<'p> {
    fn of(program: &'p Program, asked: Asked) -> Self {
        let mut relevance = Self {
            program,
            kept: Vec::new(),
            deciders: Vec::new(),
            definitions: FxHashMap::default(),
            writes: FxHashMap::default(),
            callers: FxHashMap::default(),
            given: FxHashSet::default(),
            objects: FxHashSet::default(),
            entered: FxHashSet::default(),
            open: Vec::new(),
        };
        if asked == Asked::End {
            let ends = program.functions.iter().enumerate().flat_map(|(index, function)| {
                branches_in_loops(function).into_iter().map(move |at| (FunctionId::from_index(index), at))
            });
            let calls = recursive_calls(program);
            relevance.open.extend(ends.chain(calls).map(|(id, at)| Item::Location(id, at)));
        }
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::from_index(index);
            let ways = Postdominators::new(function);
            relevance.deciders.push(ways.deciders(function));
            // A loop without end is an end.
            relevance.open.extend(ways.endless().map(|head| Item::Location(id, head)));
            let locations = vec![false; function.locations.len()];
            relevance.kept.push(Kept { locations, ways: Some(ways), ..Kept::default() });
            for location in &function.locations {
                if let [
                    Edge {
                        op: Op::Nondet { dst, kind: NondetKind::External(_) | NondetKind::Number(_) }, target, ..
                    },
                ] = &location.edges[..]
                {
                    relevance.given.insert((id, *target, *dst));
                }
            }
            for (loc, location) in function.locations.iter().enumerate() {
                for edge in &location.edges {
                    relevance.note(id, Loc::from_index(loc), &edge.op);
                }
            }
        }
        relevance
    }

    fn note(&mut self, id: FunctionId, loc: Loc, op: &Op) {
        if let Some(reg) = defined(op) {
            self.definitions.entry((id, reg)).or_default().push(loc);
        }
        match op {
            Op::Error(_) | Op::Halt(_) | Op::GiveUp(_) | Op::Check { .. } => self.open.push(Item::Location(id, loc)),
            // A condition that is no branch lets only some runs through.
            Op::Assume(condition) if self.program.function(id).location(loc).edges.len() == 1 => {
                match self.allocated(id, loc, condition) {
                    Some(reg) => self.definitions.entry((id, reg)).or_default().push(loc),
                    None if condition.as_const().is_none() => self.open.push(Item::Location(id, loc)),
                    None => {}
                }
            }
            Op::Store { addr, .. } => addr.for_objects(&mut |object| {
                self.writes.entry(named(id, object)).or_default().push((id, loc));
            }),
            Op::Enter { slot, .. } | Op::Leave { slot } => {
                self.writes.entry((Some(id), Object::Slot(*slot))).or_default().push((id, loc));
            }
            Op::Call { callee: Callee::Direct(callee), .. } => {
                self.callers.entry(*callee).or_default().push((id, loc));
            }
            _ => {}
        }
    }

    /// The register of an allocation that `condition` says did not fail, as [`forget`](super::memory::forget) puts it behind one:
    /// that matters only where its result does.
    fn allocated(&self, id: FunctionId, loc: Loc, condition: &Expr) -> Option<Reg> {
        let mut regs = Vec::new();
        condition.for_regs(&mut |reg| regs.push(reg));
        let [reg] = regs[..] else { return None };
        self.given.contains(&(id, loc, reg)).then_some(reg)
    }

    fn close(mut self) -> Vec<Kept> {
        while let Some(item) = self.open.pop() {
            match item {
                Item::Location(id, loc) => self.keep(id, loc),
                Item::Reg(id, reg) => self.keep_reg(id, reg),
                Item::Result(id) => self.keep_result(id),
                Item::Object(owner, object) => {
                    if self.objects.insert((owner, object)) {
                        let writes = self.writes.get(&(owner, object)).into_iter().flatten();
                        self.open.extend(writes.map(|(id, loc)| Item::Location(*id, *loc)));
                    }
                }
                Item::Entered(id) => {
                    if self.entered.insert(id) {
                        let callers = self.callers.get(&id).into_iter().flatten();
                        self.open.extend(callers.map(|(id, loc)| Item::Location(*id, *loc)));
                    }
                }
            }
        }
        self.kept
    }

    fn keep(&mut self, id: FunctionId, loc: Loc) {
        if std::mem::replace(&mut self.kept[id.index()].locations[loc.index()], true) {
            return;
        }
        self.open.push(Item::Entered(id));
        self.open.extend(self.deciders[id.index()][loc.index()].iter().map(|branch| Item::Location(id, *branch)));
        let program = self.program;
        for edge in &program.function(id).location(loc).edges {
            match &edge.op {
                Op::Call { dst, callee: Callee::Direct(callee), args } => {
                    if let Some(dst) = dst
                        && self.kept[id.index()].regs.contains(dst)
                    {
                        self.open.push(Item::Result(*callee));
                    }
                    let target = program.function(*callee);
                    for (param, arg) in target.params.iter().zip(args) {
                        if self.kept[callee.index()].regs.contains(param) || target.params.len() != args.len() {
                            self.use_of(id, arg);
                        }
                    }
                }
                // Its value is kept where it is asked for.
                Op::Return { value } => {
                    if let Some(value) = value
                        && self.kept[id.index()].result
                    {
                        self.use_of(id, value);
                    }
                }
                Op::Load { addr, .. } => {
                    addr.for_objects(&mut |object| {
                        let (owner, object) = named(id, object);
                        self.open.push(Item::Object(owner, object));
                    });
                    self.use_of(id, addr);
                }
                op => for_exprs(op, &mut |expr| self.use_of(id, expr)),
            }
        }
    }

    fn use_of(&mut self, id: FunctionId, expr: &Expr) {
        expr.for_regs(&mut |reg| self.open.push(Item::Reg(id, reg)));
        expr.for_objects(&mut |object| {
            // Its address means something only while it is there.
            if let Object::Slot(slot) = object {
                let places = self.writes.get(&(Some(id), Object::Slot(slot))).into_iter().flatten();
                let program = self.program;
                let is_extent = |(id, loc): &&(FunctionId, Loc)| {
                    let edges = &program.function(*id).location(*loc).edges;
                    edges.iter().any(|edge| matches!(edge.op, Op::Enter { .. } | Op::Leave { .. }))
                };
                self.open.extend(places.filter(is_extent).map(|(id, loc)| Item::Location(*id, *loc)));
            }
        });
    }

    fn keep_reg(&mut self, id: FunctionId, reg: Reg) {
        if !self.kept[id.index()].regs.insert(reg) {
            return;
        }
        let program = self.program;
        for loc in self.definitions.get(&(id, reg)).cloned().unwrap_or_default() {
            self.open.push(Item::Location(id, loc));
            for edge in &program.function(id).location(loc).edges {
                if let Op::Call { callee: Callee::Direct(callee), .. } = &edge.op {
                    self.open.push(Item::Result(*callee));
                }
            }
        }
        if let Some(index) = program.function(id).params.iter().position(|param| *param == reg) {
            for (caller, loc) in self.callers.get(&id).cloned().unwrap_or_default() {
                self.open.push(Item::Location(caller, loc));
                for edge in &program.function(caller).location(loc).edges {
                    if let Op::Call { args, .. } = &edge.op
                        && let Some(arg) = args.get(index)
                    {
                        self.use_of(caller, arg);
                    }
                }
            }
        }
    }

    fn keep_result(&mut self, id: FunctionId) {
        if std::mem::replace(&mut self.kept[id.index()].result, true) {
            return;
        }
        let program = self.program;
        for (loc, location) in program.function(id).locations.iter().enumerate() {
            for edge in &location.edges {
                if let Op::Return { value } = &edge.op {
                    self.open.push(Item::Location(id, Loc::from_index(loc)));
                    if let Some(value) = value {
                        self.use_of(id, value);
                    }
                }
            }
        }
    }
}

/// Leaves out of `function` what is not kept.
fn cut(function: &mut Function, kept: &Kept) {
    let Some(ways) = &kept.ways else { return };
    let mut end = None;
    for index in 0..kept.locations.len() {
        let Some(span) = function.locations[index].edges.first().map(|edge| edge.span) else { continue };
        if kept.locations[index] {
            // Registers that are never read: a call whose result does not matter.
            if let [Edge { op: Op::Call { dst, .. }, .. }] = &mut function.locations[index].edges[..]
                && dst.is_some_and(|dst| !kept.regs.contains(&dst))
            {
                *dst = None;
            }
            continue;
        }
        if let [edge] = &mut function.locations[index].edges[..] {
            match &mut edge.op {
                Op::Return { value } => *value = None,
                op if !op.is_end() => (edge.op, edge.note) = (Op::Skip, Note::None),
                _ => {}
            }
            continue;
        }
        let meet = match ways.of(Loc::from_index(index)) {
            Some(meet) => meet,
            None => *end.get_or_insert_with(|| {
                let nowhere = Loc::from_index(function.locations.len());
                function.locations.push(Location::default());
                let back = Edge { op: Op::Return { value: None }, target: nowhere, span, note: Note::None };
                function.locations.push(Location { edges: smallvec![back], ..Location::default() });
                Loc::from_index(nowhere.index() + 1)
            }),
        };
        let past = Edge { op: Op::Skip, target: meet, span, note: Note::None };
        function.locations[index].edges = smallvec![past];
    }
}

/// Arguments that are never read become zero.
fn blank_arguments(program: &mut Program, kept: &[Kept]) {
    let params: Vec<Vec<Reg>> = program.functions.iter().map(|function| function.params.clone()).collect();
    for function in &mut program.functions {
        for edge in function.locations.iter_mut().flat_map(|location| &mut location.edges) {
            let Op::Call { callee: Callee::Direct(callee), args, .. } = &mut edge.op else { continue };
            let params = &params[callee.index()];
            if params.len() != args.len() {
                continue;
            }
            for (param, arg) in params.iter().zip(args) {
                if !kept[callee.index()].regs.contains(param) {
                    *arg = Expr::constant(0, arg.width());
                }
            }
        }
    }
}
