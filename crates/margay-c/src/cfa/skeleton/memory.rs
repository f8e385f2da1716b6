//! Memory that may hold anything, but for plain objects.

use rustc_hash::FxHashSet;
use smallvec::smallvec;

use super::super::ir::*;
use super::super::liveness::for_exprs;
use super::Asked;

/// What values from memory that is not followed are the results of: numbers, as nothing is accessed through pointers any more.
const MEMORY: &str = "memory";

/// Bytes at the end of the address space where no object begins.
const LAST_PAGE: u128 = 4096;

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

/// Leaves out what `program` does to objects that are not plain. Where the end of runs is asked, what remains of an access is that it is
/// one that C defines.
pub fn forget(program: &mut Program, plain: &Plain, asked: Asked) {
    // Nothing reads them any more.
    for (index, global) in program.globals.iter_mut().enumerate() {
        if !plain.globals.contains(&GlobalId::from_index(index)) {
            global.content = Content::Initialised(Vec::new());
        }
    }
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
            let any = |dst: Reg| Op::Nondet { dst, kind: NondetKind::Number(MEMORY.into()) };
            let op = match &edge.op {
                Op::Load { dst, addr } if plain.object(id, addr).is_none() => any(*dst),
                Op::Store { addr, .. } if plain.object(id, addr).is_none() => Op::Skip,
                Op::Copy { .. } | Op::Set { .. } | Op::Havoc { .. } | Op::Free { .. } => Op::Skip,
                Op::BlockSize { dst, .. }
                | Op::Number { dst, .. }
                | Op::Find { dst, .. }
                | Op::Overlaps { dst, .. } => any(*dst),
                Op::Alloc { dst, .. } => any(*dst),
                Op::Call { dst, callee: Callee::Indirect(_), args } => {
                    let targets = addressed.iter().filter_map(|target| {
                        let signature = &signatures[target.index()];
                        let is_entered = signature.recast || signature.takes(args, *dst, function);
                        is_entered.then_some((*target, signature))
                    });
                    let targets: Vec<_> = targets.collect();
                    enter_any(function, loc, &edge, &targets);
                    continue;
                }
                _ => continue,
            };
            let known = match &edge.op {
                Op::Alloc { dst, .. } => Some(is_placed(Expr::Reg(*dst, pointer_bits))),
                accesses if asked == Asked::End => defined_access(id, function, plain, accesses),
                _ => None,
            };
            let forgotten = Edge { op, ..edge.clone() };
            let Some(known) = known else {
                function.locations[loc].edges[0] = forgotten;
                continue;
            };
            let supposed = Edge { op: Op::Assume(known), note: Note::None, ..edge.clone() };
            // What is allocated or found is known behind, where an access leads to before it.
            let (first, second) = match &edge.op {
                Op::Alloc { .. } | Op::Find { .. } => (forgotten, supposed),
                _ => (supposed, forgotten),
            };
            let after = push(function, second);
            function.locations[loc].edges[0] = Edge { target: after, ..first };
        }
    }
}

/// What holds of an access that C defines, if it is to an object that is not plain: no object stands at null, and the place behind it
/// has an address. Of a search, what holds of the number of bytes that it passes: it may pass none, anywhere.
fn defined_access(id: FunctionId, function: &Function, plain: &Plain, op: &Op) -> Option<Expr> {
    let (addr, bytes) = match op {
        Op::Load { dst, addr } if plain.object(id, addr).is_none() => {
            (addr, function.regs[dst.index()].width.div_ceil(8))
        }
        Op::Store { addr, value } if plain.object(id, addr).is_none() => (addr, value.width().div_ceil(8)),
        Op::Find { addr, .. } => (addr, 0),
        _ => return None,
    };
    let bits = addr.width();
    let pointer = walking(addr)?;
    let most = Expr::constant((u128::MAX >> (128 - bits)) - u128::from(bytes), bits);
    if let Op::Find { dst, .. } = op {
        // It is said in terms of the address, which must still be there.
        let is_said = *dst != pointer && function.regs[dst.index()].width == bits;
        let room = Expr::binary(BinOp::Sub, most, addr.clone());
        return is_said.then(|| Expr::binary(BinOp::Ule, Expr::Reg(*dst, bits), room));
    }
    let has_room = Expr::binary(BinOp::Ule, addr.clone(), most);
    Some(Expr::binary(BinOp::And, is_no_null(addr.clone()), has_room))
}

/// No object begins at null, or in the last page of the address space: the states of heaps say so, too.
fn is_placed(address: Expr) -> Expr {
    let bits = address.width();
    let last = Expr::constant((u128::MAX >> (128 - bits)) - LAST_PAGE, bits);
    Expr::binary(BinOp::And, is_no_null(address.clone()), Expr::binary(BinOp::Ule, address, last))
}

fn is_no_null(address: Expr) -> Expr {
    let null = Expr::constant(0, address.width());
    Expr::binary(BinOp::Ne, address, null)
}

/// The register of an address that is a pointer's, or a constant away: pointers that walk show where a loop ends, while an index is mostly
/// compared with its bound.
fn walking(addr: &Expr) -> Option<Reg> {
    match addr {
        Expr::Reg(reg, _) => Some(*reg),
        Expr::Binary(BinOp::Add, base, offset) => match (&**base, &**offset) {
            (Expr::Reg(reg, _), Expr::Const(_)) => Some(*reg),
            _ => None,
        },
        _ => None,
    }
}

fn push(function: &mut Function, edge: Edge) -> Loc {
    function.locations.push(Location { edges: smallvec![edge], ..Location::default() });
    Loc::from_index(function.locations.len() - 1)
}

/// The call at `loc` enters any of `targets`, or a function that does nothing. Where arguments and parameters do not fit, which C
/// leaves undefined, parameters have any value, and so has the result.
fn enter_any(function: &mut Function, loc: usize, call: &Edge, targets: &[(FunctionId, &Signature)]) {
    let Op::Call { dst, args, .. } = &call.op else { return };
    let any = |dst: Reg| Op::Nondet { dst, kind: NondetKind::Number(MEMORY.into()) };
    let step = |op: Op, target: Loc, note: Note| Edge { op, target, span: call.span, note };
    let nothing = dst.map_or(Op::Skip, any);
    let mut otherwise = push(function, step(nothing.clone(), call.target, Note::None));
    for (target, signature) in targets {
        let fits = signature.takes(args, *dst, function);
        let result_fits = signature.returns(*dst, function);
        let after = match result_fits {
            true => call.target,
            false => push(function, step(nothing.clone(), call.target, Note::None)),
        };
        let mut unknown = Vec::new();
        let taken = match fits {
            true => args[..signature.params.len()].to_vec(),
            false => {
                let param = |width: &u32| {
                    let reg = new_reg(function, *width);
                    unknown.push(reg);
                    Expr::Reg(reg, *width)
                };
                signature.params.iter().map(param).collect()
            }
        };
        let op = Op::Call { dst: dst.filter(|_| result_fits), callee: Callee::Direct(*target), args: taken };
        let mut enters = push(function, step(op, after, call.note));
        for reg in unknown {
            enters = push(function, step(any(reg), enters, Note::None));
        }
        let choice = new_reg(function, 1);
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
        otherwise = push(function, step(any(choice), branch, Note::None));
    }
    function.locations[loc].edges = smallvec![step(Op::Skip, otherwise, Note::None)];
}

fn new_reg(function: &mut Function, width: u32) -> Reg {
    let reg = Reg::from_index(function.regs.len());
    function.regs.push(RegDecl { name: None, width, c_type: "unsigned".into(), signed: false, scope: None });
    reg
}

/// How a function is called.
struct Signature {
    params: Vec<u32>,
    result: Option<u32>,
    is_stub: bool,
    unprototyped: bool,
    recast: bool,
}

impl Signature {
    fn of(function: &Function) -> Self {
        let params = function.params.iter().map(|param| function.regs[param.index()].width).collect();
        let Function { unprototyped, recast, result_width, .. } = *function;
        let is_stub = function.is_stub();
        Self { params, result: result_width, is_stub, unprototyped, recast: recast && !is_stub }
    }

    /// Whether a call with these arguments may enter the function: what does not fit is undefined.
    fn takes(&self, args: &[Expr], dst: Option<Reg>, caller: &Function) -> bool {
        let taken = if self.unprototyped { args.len().min(self.params.len()) } else { args.len() };
        let widths = args[..taken].iter().map(Expr::width);
        !self.is_stub && self.returns(dst, caller) && widths.eq(self.params.iter().copied())
    }

    /// Whether it has the result that a call wants.
    fn returns(&self, dst: Option<Reg>, caller: &Function) -> bool {
        match (dst, self.result) {
            (Some(dst), Some(width)) => caller.regs[dst.index()].width == width,
            (Some(_), None) => false,
            (None, _) => true,
        }
    }
}
