//! Which addresses a function may follow, and which it only *carries* from one place to another: a destructor of trees that
//! never reads the links to parents carries them, and a constructor carries the parent it writes into its nodes.
//!
//! It is a guess from the program's text, by the offsets at which pointers are read. What it gets wrong costs a proof, never a
//! verdict: to the function, a carried address is one it lost track of, and nothing is proved of runs that follow one.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::cfa::{BinOp, Callee, Expr, Function, FunctionId, Object, Op, Program, Reg, for_exprs};

/// The addresses that a function, or what it calls, may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Follows {
    /// Where what is followed may stand: bytes from the start of a block. `None`: anywhere.
    pub offsets: Option<BTreeSet<u64>>,
    /// By parameter.
    pub params: Vec<bool>,
}

impl Follows {
    pub fn is_all(&self) -> bool {
        self.offsets.is_none() && self.params.iter().all(|follows| *follows)
    }

    pub fn at(&self, offset: u64) -> bool {
        self.offsets.as_ref().is_none_or(|offsets| offsets.contains(&offset))
    }
}

/// What becomes of the value of a parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Fate {
    is_followed: bool,
    /// Where it is stored: bytes from where some pointer leads.
    stored: BTreeSet<u64>,
}

/// What all functions of a program do with addresses.
pub(super) struct Footprints {
    /// By function: where pointers are read, without what its callees read.
    offsets: Vec<Option<BTreeSet<u64>>>,
    fates: Vec<Vec<Fate>>,
}

impl Footprints {
    pub fn new(program: &Program) -> Self {
        let pointer = program.model.pointer_bits();
        let offsets = program.functions.iter().map(|function| read_offsets(function, pointer)).collect();
        let fate = |function: &Function, param: &Reg| {
            let is_followed = function.regs[param.index()].width != pointer;
            Fate { is_followed, stored: BTreeSet::new() }
        };
        let fates = |function: &Function| function.params.iter().map(|param| fate(function, param)).collect();
        let mut footprints = Self { offsets, fates: program.functions.iter().map(fates).collect() };
        loop {
            let mut changes = false;
            for (index, function) in program.functions.iter().enumerate() {
                for (position, param) in function.params.iter().enumerate() {
                    if footprints.fates[index][position].is_followed {
                        continue;
                    }
                    let fate = Flow::of(function, *param).fate(function, &footprints.fates);
                    changes |= footprints.fates[index][position] != fate;
                    footprints.fates[index][position] = fate;
                }
            }
            if !changes {
                return footprints;
            }
        }
    }

    /// What `function` follows that may call all of `reached`, itself among them.
    pub fn of(&self, function: FunctionId, reached: &[FunctionId]) -> Follows {
        let mut offsets = Some(BTreeSet::new());
        for reached in reached {
            match (&mut offsets, &self.offsets[reached.index()]) {
                (Some(all), Some(own)) => all.extend(own),
                _ => offsets = None,
            }
        }
        let mut follows = Follows { offsets, params: Vec::new() };
        let is_followed = |fate: &Fate| fate.is_followed || fate.stored.iter().any(|offset| follows.at(*offset));
        follows.params = self.fates[function.index()].iter().map(is_followed).collect();
        follows
    }
}

/// `base + offset`, where that is all.
fn place(addr: &Expr) -> Option<u64> {
    match addr {
        Expr::Reg(..) | Expr::Address(..) => Some(0),
        Expr::Binary(BinOp::Add, base, offset) => {
            let offset = offset.as_const()?;
            matches!(**base, Expr::Reg(..) | Expr::Address(..)).then(|| u64::try_from(offset.value).ok())?
        }
        _ => None,
    }
}

/// Where `function` reads pointers, and where pointers into blocks lead that it computes.
fn read_offsets(function: &Function, pointer: u32) -> Option<BTreeSet<u64>> {
    let mut offsets = BTreeSet::new();
    let mut is_known = true;
    let edges = function.locations.iter().flat_map(|location| &location.edges);
    for edge in edges {
        let (addr, value) = match &edge.op {
            Op::Load { dst, addr } => {
                if function.regs[dst.index()].width == pointer {
                    is_known &= place(addr).is_some();
                    offsets.extend(place(addr));
                }
                (Some(addr), None)
            }
            Op::Store { addr, value } => (Some(addr), Some(value)),
            Op::Copy { src, .. } => {
                let is_object = matches!(src, Expr::Address(Object::Slot(_) | Object::Global(_), _));
                is_known &= is_object;
                (None, None)
            }
            _ => (None, None),
        };
        let mut look = |expr: &Expr| expr.visit(&mut |part| is_known &= pointer_sum(part, pointer, &mut offsets));
        match (addr, value) {
            (Some(addr), value) => {
                addr.for_operands(&mut |operand| look(operand));
                value.into_iter().for_each(look);
            }
            _ => for_exprs(&edge.op, &mut |expr| look(expr)),
        }
    }
    is_known.then_some(offsets)
}

/// Sums of pointer width may be pointers into a block; false where it is not known how far.
fn pointer_sum(part: &Expr, pointer: u32, offsets: &mut BTreeSet<u64>) -> bool {
    let Expr::Binary(BinOp::Add | BinOp::Sub, base, offset) = part else { return true };
    if part.width() != pointer {
        return true;
    }
    match offset.as_const() {
        Some(bits) => {
            offsets.extend(u64::try_from(bits.value).ok());
            true
        }
        None => base.as_const().is_some(),
    }
}

/// How an expression has to do with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Nothing,
    /// It is that value, or so many bytes from it.
    Is,
    /// It depends on more than whether the value is null.
    Reads,
}

/// The registers that a parameter's value may be in.
struct Flow {
    regs: FxHashSet<Reg>,
}

impl Flow {
    fn of(function: &Function, param: Reg) -> Self {
        let mut flow = Self { regs: FxHashSet::from_iter([param]) };
        loop {
            let before = flow.regs.len();
            for edge in function.locations.iter().flat_map(|location| &location.edges) {
                if let Op::Assign { dst, value } = &edge.op
                    && flow.use_in(value) == Use::Is
                {
                    flow.regs.insert(*dst);
                }
            }
            if flow.regs.len() == before {
                return flow;
            }
        }
    }

    fn use_in(&self, expr: &Expr) -> Use {
        match expr {
            Expr::Reg(reg, _) if self.regs.contains(reg) => Use::Is,
            Expr::Binary(BinOp::Eq | BinOp::Ne, value, zero) if zero.as_const().is_some_and(|zero| zero.value == 0) => {
                match self.use_in(value) {
                    Use::Reads => Use::Reads,
                    _ => Use::Nothing,
                }
            }
            Expr::Binary(BinOp::Add, base, offset) if offset.as_const().is_some() => self.use_in(base),
            Expr::Ite(condition, then, otherwise) => match self.use_in(condition) {
                Use::Nothing => self.use_in(then).max(self.use_in(otherwise)),
                _ => Use::Reads,
            },
            _ => {
                let mut looks = false;
                expr.for_operands(&mut |operand| looks |= self.use_in(operand) != Use::Nothing);
                if looks { Use::Reads } else { Use::Nothing }
            }
        }
    }

    fn fate(&self, function: &Function, known: &[Vec<Fate>]) -> Fate {
        let mut fate = Fate::default();
        for edge in function.locations.iter().flat_map(|location| &location.edges) {
            match &edge.op {
                Op::Assign { value, .. } => fate.is_followed |= self.use_in(value) == Use::Reads,
                Op::Store { addr, value } => {
                    fate.is_followed |= self.use_in(addr) != Use::Nothing || self.use_in(value) == Use::Reads;
                    if self.use_in(value) == Use::Is {
                        fate.is_followed |= place(addr).is_none();
                        fate.stored.extend(place(addr));
                    }
                }
                Op::Call { callee: Callee::Direct(callee), args, .. } => {
                    for (position, arg) in args.iter().enumerate() {
                        match (self.use_in(arg), known[callee.index()].get(position)) {
                            (Use::Nothing, _) => {}
                            (Use::Is, Some(inner)) => {
                                fate.is_followed |= inner.is_followed;
                                fate.stored.extend(&inner.stored);
                            }
                            _ => fate.is_followed = true,
                        }
                    }
                }
                op => for_exprs(op, &mut |expr| fate.is_followed |= self.use_in(expr) != Use::Nothing),
            }
        }
        fate
    }
}
