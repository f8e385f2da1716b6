//! Memory that may hold anything, but for plain objects.

use rustc_hash::FxHashSet;
use smallvec::smallvec;

use super::super::ir::*;
use super::super::liveness::for_exprs;

/// What values from memory that is not followed are the results of.
const MEMORY: &str = "memory";

/// The objects whose address is used only to load and store within them, at places that are known.
pub struct Plain {
    globals: FxHashSet<GlobalId>,
    slots: FxHashSet<(FunctionId, SlotId)>,
}

impl Plain {
    /// The plain object that `addr` is the address of a part of.
    pub fn object(&self, function: FunctionId, addr: &Expr) -> Option<Object> {
        let (object, _) = place(addr)?;
        match object {
            Object::Global(id) => self.globals.contains(&id),
            Object::Slot(slot) => self.slots.contains(&(function, slot)),
            Object::Function(_) => false,
        }
        .then_some(object)
    }
}

/// An object and an offset in it.
fn place(addr: &Expr) -> Option<(Object, u64)> {
    match addr {
        Expr::Address(object, _) => Some((*object, 0)),
        Expr::Binary(BinOp::Add, base, offset) => match (&**base, &**offset) {
            (Expr::Address(object, _), Expr::Const(offset)) => Some((*object, u64::try_from(offset.value).ok()?)),
            _ => None,
        },
        _ => None,
    }
}

/// The plain objects of `program`.
pub fn plain(program: &Program) -> Plain {
    let mut plain =
        Plain { globals: (0..program.globals.len()).map(GlobalId::from_index).collect(), slots: FxHashSet::default() };
    for (id, function) in numbered(program) {
        plain.slots.extend((0..function.slots.len()).map(|slot| (id, SlotId::from_index(slot))));
    }
    let remove = |plain: &mut Plain, function: Option<FunctionId>, expr: &Expr| {
        expr.for_objects(&mut |object| match (object, function) {
            (Object::Global(id), _) => drop(plain.globals.remove(&id)),
            (Object::Slot(slot), Some(function)) => drop(plain.slots.remove(&(function, slot))),
            (Object::Slot(_), None) | (Object::Function(_), _) => {}
        });
    };
    for global in &program.globals {
        if let Content::Initialised(writes) = &global.content {
            writes.iter().for_each(|(_, value)| remove(&mut plain, None, value));
        }
    }
    for (id, function) in numbered(program) {
        for edge in function.locations.iter().flat_map(|location| &location.edges) {
            let accessed = match &edge.op {
                Op::Load { dst, addr } => Some((addr, function.regs[dst.index()].width.div_ceil(8))),
                Op::Store { addr, value } => Some((addr, value.width().div_ceil(8))),
                _ => None,
            };
            for_exprs(&edge.op, &mut |expr| {
                let is_place = accessed.is_some_and(|(addr, bytes)| {
                    std::ptr::eq(addr, expr) && is_within(program, function, addr, bytes.into())
                });
                if !is_place {
                    remove(&mut plain, Some(id), expr);
                }
            });
            // Its size is a matter of the run.
            if let Op::Enter { slot, size: Some(_) } = edge.op {
                plain.slots.remove(&(id, slot));
            }
        }
    }
    plain
}

fn is_within(program: &Program, function: &Function, addr: &Expr, bytes: u64) -> bool {
    let Some((object, offset)) = place(addr) else { return false };
    let (size, writable) = match object {
        Object::Global(id) => (program.globals[id.index()].size, !program.globals[id.index()].read_only),
        Object::Slot(slot) => (function.slots[slot.index()].size, true),
        Object::Function(_) => return false,
    };
    writable && offset.checked_add(bytes).is_some_and(|end| end <= size)
}

fn numbered(program: &Program) -> impl Iterator<Item = (FunctionId, &Function)> {
    program.functions.iter().enumerate().map(|(index, function)| (FunctionId::from_index(index), function))
}

/// Leaves out what `program` does to objects that are not plain.
pub fn forget(program: &mut Program, plain: &Plain) {
    let addressed = program.addressed.clone();
    let signatures: Vec<Signature> = program.functions.iter().map(Signature::of).collect();
    let pointer_bits = program.model.pointer_bits();
    for (index, function) in program.functions.iter_mut().enumerate() {
        let id = FunctionId::from_index(index);
        for loc in 0..function.locations.len() {
            if function.locations[loc].edges.len() > 1 {
                continue;
            }
            let Some(edge) = function.locations[loc].edges.first().cloned() else { continue };
            let any = |dst: Reg| Op::Nondet { dst, kind: NondetKind::External(MEMORY.into()) };
            let op = match &edge.op {
                Op::Load { dst, addr } if plain.object(id, addr).is_none() => any(*dst),
                Op::Store { addr, .. } if plain.object(id, addr).is_none() => Op::Skip,
                Op::Copy { .. } | Op::Set { .. } | Op::Havoc { .. } | Op::Free { .. } => Op::Skip,
                Op::BlockSize { dst, .. } | Op::Number { dst, .. } => any(*dst),
                Op::Alloc { dst, may_fail, .. } => {
                    if !may_fail {
                        let null = Expr::constant(0, pointer_bits);
                        let given = Expr::binary(BinOp::Ne, Expr::Reg(*dst, pointer_bits), null);
                        let after = push(function, Edge { op: Op::Assume(given), note: Note::None, ..edge.clone() });
                        function.locations[loc].edges[0].target = after;
                    }
                    any(*dst)
                }
                Op::Call { dst, callee: Callee::Indirect(_), args } => {
                    let fits = |target: &&FunctionId| signatures[target.index()].takes(args, *dst, function);
                    let targets = addressed.iter().filter(fits);
                    let targets =
                        targets.map(|target| (*target, signatures[target.index()].params.len())).collect::<Vec<_>>();
                    enter_any(function, loc, &edge, &targets);
                    continue;
                }
                _ => continue,
            };
            function.locations[loc].edges[0].op = op;
        }
    }
}

fn push(function: &mut Function, edge: Edge) -> Loc {
    function.locations.push(Location { edges: smallvec![edge], ..Location::default() });
    Loc::from_index(function.locations.len() - 1)
}

/// The call at `loc` enters any of `targets`, which take that many of its arguments, or a function that does nothing.
fn enter_any(function: &mut Function, loc: usize, call: &Edge, targets: &[(FunctionId, usize)]) {
    let Op::Call { dst, args, .. } = &call.op else { return };
    let nothing = match dst {
        Some(dst) => Op::Nondet { dst: *dst, kind: NondetKind::External(MEMORY.into()) },
        None => Op::Skip,
    };
    let step = |op: Op, target: Loc, note: Note| Edge { op, target, span: call.span, note };
    let mut otherwise = push(function, step(nothing, call.target, Note::None));
    for (target, taken) in targets {
        let op = Op::Call { dst: *dst, callee: Callee::Direct(*target), args: args[..*taken].to_vec() };
        let enters = push(function, step(op, call.target, call.note));
        let choice = Reg::from_index(function.regs.len());
        function.regs.push(RegDecl { name: None, width: 1, c_type: "_Bool".into(), signed: false, scope: None });
        let chosen = Expr::Reg(choice, 1);
        let branch = Location {
            edges: smallvec![
                step(Op::Assume(chosen.clone()), enters, Note::None),
                step(Op::Assume(chosen.negated()), otherwise, Note::None)
            ],
            ..Location::default()
        };
        function.locations.push(branch);
        let branch = Loc::from_index(function.locations.len() - 1);
        let op = Op::Nondet { dst: choice, kind: NondetKind::External(MEMORY.into()) };
        otherwise = push(function, step(op, branch, Note::None));
    }
    function.locations[loc].edges = smallvec![step(Op::Skip, otherwise, Note::None)];
}

/// All functions whose address somebody has.
pub fn addressed_functions(program: &Program) -> Vec<FunctionId> {
    let mut found: FxHashSet<FunctionId> = FxHashSet::default();
    let mut note = |expr: &Expr| {
        expr.for_objects(&mut |object| {
            if let Object::Function(id) = object {
                found.insert(id);
            }
        });
    };
    for global in &program.globals {
        if let Content::Initialised(writes) = &global.content {
            writes.iter().for_each(|(_, value)| note(value));
        }
    }
    for edge in program.functions.iter().flat_map(|function| &function.locations).flat_map(|location| &location.edges) {
        for_exprs(&edge.op, &mut note);
    }
    let mut found: Vec<FunctionId> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// How a function is called.
struct Signature {
    params: Vec<u32>,
    result: Option<u32>,
    is_stub: bool,
    unprototyped: bool,
}

impl Signature {
    fn of(function: &Function) -> Self {
        let params = function.params.iter().map(|param| function.regs[param.index()].width).collect();
        let (is_stub, unprototyped) = (function.is_stub(), function.unprototyped);
        Self { params, result: function.result_width, is_stub, unprototyped }
    }

    /// Whether a call with these arguments may enter the function: what does not fit is undefined.
    fn takes(&self, args: &[Expr], dst: Option<Reg>, caller: &Function) -> bool {
        let result_fits = match (dst, self.result) {
            (Some(dst), Some(width)) => caller.regs[dst.index()].width == width,
            (Some(_), None) => false,
            (None, _) => true,
        };
        let taken = if self.unprototyped { args.len().min(self.params.len()) } else { args.len() };
        let widths = args[..taken].iter().map(Expr::width);
        !self.is_stub && result_fits && widths.eq(self.params.iter().copied())
    }
}
