//! Which registers may still be read.

use super::ir::{Callee, Edge, Expr, Function, Loc, Op, Reg};
use super::postorder::predecessors;

/// The live registers at each location.
pub struct Live {
    words: usize,
    bits: Vec<u64>,
}

impl Live {
    /// Whether some path from `loc` reads the register before it sets it.
    pub fn contains(&self, loc: Loc, reg: Reg) -> bool {
        self.bits[loc.index() * self.words + reg.index() / 64] >> (reg.index() % 64) & 1 == 1
    }

    fn at(&self, loc: usize) -> &[u64] {
        &self.bits[loc * self.words..(loc + 1) * self.words]
    }
}

/// The register an op sets.
pub fn defined(op: &Op) -> Option<Reg> {
    match op {
        Op::Assign { dst, .. }
        | Op::Load { dst, .. }
        | Op::Alloc { dst, .. }
        | Op::BlockSize { dst, .. }
        | Op::Number { dst, .. }
        | Op::Find { dst, .. }
        | Op::Overlaps { dst, .. }
        | Op::Nondet { dst, .. } => Some(*dst),
        Op::Call { dst, .. } => *dst,
        _ => None,
    }
}

/// Calls `f` with each expression an op evaluates.
pub fn for_exprs<'a>(op: &'a Op, f: &mut dyn FnMut(&'a Expr)) {
    match op {
        Op::Skip | Op::Nondet { .. } | Op::Leave { .. } | Op::Error(_) | Op::Halt(_) | Op::GiveUp(_) => {}
        Op::Assign { value, .. } => f(value),
        Op::Load { addr, .. } | Op::Free { addr } | Op::BlockSize { addr, .. } => f(addr),
        Op::Find { addr, beside, limit, stops, .. } => {
            f(addr);
            beside.iter().for_each(&mut *f);
            f(limit);
            stops.operands().iter().for_each(f);
        }
        Op::Overlaps { to, from, size, .. } => [to, from, size].into_iter().for_each(f),
        Op::Number { addr, base, .. } => {
            f(addr);
            f(base);
        }
        Op::Store { addr, value } => {
            f(addr);
            f(value);
        }
        Op::Copy { dst, src, size } => {
            f(dst);
            f(src);
            f(size);
        }
        Op::Set { dst, byte, size } => {
            f(dst);
            f(byte);
            f(size);
        }
        Op::Havoc { dst, size, bytes } => {
            f(dst);
            f(size);
            bytes.operands().iter().for_each(f);
        }
        Op::Alloc { size, .. } => f(size),
        Op::Assume(condition) | Op::Check { condition, .. } => f(condition),
        Op::Enter { size, .. } => size.iter().for_each(f),
        Op::Call { callee, args, .. } => {
            if let Callee::Indirect(pointer) = callee {
                f(pointer);
            }
            args.iter().for_each(f);
        }
        Op::Return { value } => value.iter().for_each(f),
    }
}

/// Live registers by iteration to the least fixed point.
pub fn live(function: &Function) -> Live {
    let words = function.regs.len().div_ceil(64).max(1);
    let count = function.locations.len();
    let mut live = Live { words, bits: vec![0; words * count] };
    let predecessors = predecessors(function);
    let mut queued = vec![true; count];
    // Successors tend to have higher numbers, so the last ones go first.
    let mut open: Vec<usize> = (0..count).collect();
    let mut before = vec![0u64; words];
    while let Some(index) = open.pop() {
        queued[index] = false;
        before.fill(0);
        for edge in &function.locations[index].edges {
            let mut through = live.at(edge.target.index()).to_vec();
            transfer(edge, &mut through);
            for (all, word) in before.iter_mut().zip(through) {
                *all |= word;
            }
        }
        if live.at(index) != before {
            live.bits[index * words..(index + 1) * words].copy_from_slice(&before);
            for &predecessor in &predecessors[index] {
                if !std::mem::replace(&mut queued[predecessor], true) {
                    open.push(predecessor);
                }
            }
        }
    }
    live
}

/// Live after an edge → live before it.
fn transfer(edge: &Edge, live: &mut [u64]) {
    if edge.op.is_end() {
        live.fill(0);
    }
    if let Some(reg) = defined(&edge.op) {
        live[reg.index() / 64] &= !(1 << (reg.index() % 64));
    }
    for_exprs(&edge.op, &mut |expr| {
        expr.for_regs(&mut |reg| live[reg.index() / 64] |= 1 << (reg.index() % 64));
    });
}

/// Lists at each location the registers that die on some edge into it; where runs meet or callers wait, all variables that are
/// dead there: those that held a pointer when they died may still have a value. Wants loop heads and joins marked.
pub fn mark_dead(function: &mut Function, live: &Live) {
    let mut dying: Vec<Vec<Reg>> = vec![Vec::new(); function.locations.len()];
    let at_entry = function.params.iter().copied().filter(|reg| !live.contains(function.entry, *reg));
    dying[function.entry.index()].extend(at_entry);
    for (index, location) in function.locations.iter().enumerate() {
        let from = Loc::from_index(index);
        for edge in &location.edges {
            if edge.op.is_end() {
                continue;
            }
            let (before, after) = (live.at(from.index()), live.at(edge.target.index()));
            let list = &mut dying[edge.target.index()];
            for (word, (before, after)) in before.iter().zip(after).enumerate() {
                let mut gone = before & !after;
                while gone != 0 {
                    list.push(Reg::from_index(word * 64 + gone.trailing_zeros() as usize));
                    gone &= gone - 1;
                }
            }
            if let Some(reg) = defined(&edge.op)
                && !live.contains(edge.target, reg)
            {
                list.push(reg);
            }
        }
    }
    let calls = function.locations.iter().flat_map(|location| &location.edges);
    let returns: Vec<usize> =
        calls.filter(|edge| matches!(edge.op, Op::Call { .. })).map(|edge| edge.target.index()).collect();
    let cuts = function.locations.iter().enumerate().filter(|(_, location)| location.loop_head || location.join);
    let cuts: Vec<usize> = cuts.map(|(index, _)| index).collect();
    for index in returns.into_iter().chain(cuts) {
        let variables = function.regs.iter().enumerate().filter(|(_, decl)| decl.name.is_some());
        let variables = variables.map(|(reg, _)| Reg::from_index(reg));
        dying[index].extend(variables.filter(|reg| !live.contains(Loc::from_index(index), *reg)));
    }
    for (location, mut dead) in function.locations.iter_mut().zip(dying) {
        dead.sort_unstable();
        dead.dedup();
        let (variables, temporaries): (Vec<Reg>, Vec<Reg>) =
            dead.into_iter().partition(|reg| function.regs[reg.index()].name.is_some());
        location.dead_variables = variables.into();
        location.dead_temporaries = temporaries.into();
    }
}
