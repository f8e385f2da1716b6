//! Rounds of a run in which variables change that nothing in the round depends on: a counter of rounds, say.
//!
//! A run is twice at one place, with the same memory, and some registers differ. If the round between looks at none of these
//! registers, nor at anything computed from them, it can be gone again from its end, on the same inputs, and whatever differs then is
//! one of these registers again: the run need never end. Source: recurrent sets, Gupta et al., POPL'08, with the set read off one
//! round.

use std::collections::{BTreeMap, BTreeSet};

use super::memory::Concrete;
use super::run::{choose, here, take};
use crate::cfa::{BinOp, Callee, Expr, Op, Program, Reg, for_exprs};
use crate::memory::{Checks, Config, Reason};

/// A register of a frame, by depth.
pub(super) type Place = (usize, usize);

/// What the round looked at of the registers that differ.
type Touched = BTreeMap<Place, BTreeSet<Place>>;

/// Whether the round of so many steps from `from` to `now` can be gone again and again, although registers differ. Their memories and
/// places must be alike, and nothing but inputs asked for in between. Where it cannot because of what it looks at, the registers that
/// decide are added to `decisive`: another round from there can be repeated only if they do not differ.
pub(super) fn can_be_repeated(
    program: &Program,
    checks: &Checks,
    from: &Config<Concrete>,
    now: &Config<Concrete>,
    steps: u64,
    decisive: &mut BTreeSet<Place>,
) -> bool {
    let Some(drifting) = differing(from, now) else { return false };
    let given = from.memory.used_inputs().values.len();
    let inputs = now.memory.used_inputs().values[given..].to_vec();
    let mut config = from.clone();
    config.memory.inner_mut().feed.go_on_with(inputs);
    let mut touched: Touched = drifting.iter().map(|place| (*place, BTreeSet::from([*place]))).collect();
    for _ in 0..steps {
        let (_, location) = here(program, &config);
        // Where there is a choice it is by conditions that read nothing of them.
        let depth = config.frames.len() - 1;
        let mut read = BTreeSet::new();
        for edge in &location.edges {
            match &edge.op {
                Op::Assign { value, .. } if cannot_trap(value) => {}
                op => for_exprs(op, &mut |expr| read.extend(read_of(expr, depth, &touched))),
            }
        }
        if !read.is_empty() {
            decisive.extend(read);
            return false;
        }
        let Some(edge) = choose(&mut config, location) else { return false };
        let computed = match &edge.op {
            Op::Assign { value, .. } => read_of(value, depth, &touched),
            _ => BTreeSet::new(),
        };
        if let Some(dst) = written(&edge.op) {
            touched.remove(&(depth, dst.index()));
            if !computed.is_empty() {
                touched.insert((depth, dst.index()), computed);
            }
        }
        let Some((next, Ok(reason))) = take(program, checks, config, edge) else { return false };
        if matches!(reason, Reason::Halted(_)) {
            return false;
        }
        touched.retain(|(frame, _), _| *frame < next.frames.len());
        config = next;
    }
    // The round that was looked at is the one that led here.
    let is_this_round = differing(&config, now).is_some_and(|registers| registers.is_empty());
    is_this_round && touched.keys().all(|place| drifting.contains(place))
}

/// The registers that differ, where frames correspond.
fn differing(from: &Config<Concrete>, now: &Config<Concrete>) -> Option<BTreeSet<Place>> {
    let mut found = BTreeSet::new();
    if from.frames.len() != now.frames.len() {
        return None;
    }
    for (depth, (a, b)) in from.frames.iter().zip(&now.frames).enumerate() {
        let same = (a.function, a.at, a.result) == (b.function, b.at, b.result)
            && (&a.slots, &a.allocas, a.regs.len()) == (&b.slots, &b.allocas, b.regs.len());
        if !same {
            return None;
        }
        let regs = a.regs.iter().zip(&b.regs).enumerate();
        found.extend(regs.filter(|(_, (a, b))| a != b).map(|(register, _)| (depth, register)));
    }
    Some(found)
}

/// The registers that differ, as far as the value of an expression depends on them.
fn read_of(expr: &Expr, depth: usize, touched: &Touched) -> BTreeSet<Place> {
    let mut read = BTreeSet::new();
    expr.for_regs(&mut |register| read.extend(touched.get(&(depth, register.index())).into_iter().flatten()));
    read
}

/// What an op gives a new value that does not depend on the old ones of its operands' registers, as these are not read.
fn written(op: &Op) -> Option<Reg> {
    match op {
        Op::Assign { dst, .. }
        | Op::Load { dst, .. }
        | Op::Nondet { dst, .. }
        | Op::Find { dst, .. }
        | Op::Overlaps { dst, .. }
        | Op::Number { dst, .. }
        | Op::BlockSize { dst, .. }
        | Op::Alloc { dst, .. } => Some(*dst),
        // The result arrives later, and is then no older value.
        Op::Call { dst, callee: Callee::Direct(_) | Callee::Indirect { .. }, .. } => *dst,
        _ => None,
    }
}

/// Whether the run goes on after the value is computed, whatever registers hold.
fn cannot_trap(value: &Expr) -> bool {
    let mut cannot = true;
    value.visit(&mut |part| {
        cannot &= match part {
            Expr::Binary(op, ..) => !matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem),
            Expr::Const(_) | Expr::Reg(..) | Expr::Unary(..) | Expr::Convert(..) | Expr::Ite(..) => true,
            _ => false,
        };
    });
    cannot
}
