//! Rounds of a run in which variables change, and that can be gone again whatever these hold: a counter of rounds, say.
//!
//! A run is twice at one place, with the same memory, and some registers differ. They *drift*. What both of their values have in common is
//! the low bits before the first one that differs: a number that grows by 6 stays even. If the round between takes the same branches for
//! all values with these low bits, and leaves them as they are, it can be gone again from its end, on the same inputs: the run need
//! never end.
//!
//! ```text
//!    unsigned x = 7;  while (x != 0) x -= 2;        x is odd: not 0, and odd afterwards
//! ```
//!
//! The run may also be within a call that it made in between, at the same place of the same function: if it goes on there as it did, it
//! calls again, and never returns.
//!
//! Source: recurrent sets, Gupta et al., POPL'08, with the set read off one round.

use std::collections::{BTreeMap, BTreeSet};

use super::memory::Concrete;
use super::run::{choose, here, take};
use super::value::Provenance;
use crate::cfa::{BinOp, Callee, Expr, Op, Program, Reg, for_exprs};
use crate::memory::{Checks, Config, Reason, symbolic};
use crate::smt::{Term, Terms};

/// A register of a frame, by depth. Of a call within the earlier state's top frame, that frame's depth stands for the call's.
pub(super) type Place = (usize, usize);

/// A value that depends on registers that drift.
#[derive(Clone)]
struct Touched {
    /// These registers.
    by: BTreeSet<Place>,
    /// The value, over symbols that stand for the bits that are not the same in each round.
    value: Term,
}

/// A register that drifts.
struct Drifting {
    /// How many low bits stay, and what they are.
    bits: u32,
    low: u128,
}

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
    let Some(places) = differing(from, now) else { return false };
    let given = from.memory.used_inputs().values.len();
    let inputs = now.memory.used_inputs().values[given..].to_vec();
    let mut config = from.clone();
    config.memory.inner_mut().feed.go_on_with(inputs);
    let deeper = now.frames.len() - from.frames.len();
    let mut round = Round { terms: Terms::new(), touched: BTreeMap::new() };
    let mut drifting = BTreeMap::new();
    for place in places {
        let Some(drifts) = round.begin(place, from, now) else { return false };
        drifting.insert(place, drifts);
    }
    for _ in 0..steps {
        let (_, location) = here(program, &config);
        // Where there is a choice it is by conditions that are the same in each round.
        let mut read = BTreeSet::new();
        for edge in &location.edges {
            match &edge.op {
                Op::Assign { value, .. } if cannot_trap(value) => {}
                Op::Assume(condition) if round.decides(&config, condition) => {}
                Op::Call { callee: Callee::Direct(_), args, .. } if args.iter().all(cannot_trap) => {}
                Op::Return { value: Some(value) } if cannot_trap(value) => {}
                op => for_exprs(op, &mut |expr| read.extend(round.read_of(&config, expr))),
            }
        }
        if !read.is_empty() {
            decisive.extend(read);
            return false;
        }
        let Some(edge) = choose(&mut config, location) else { return false };
        let depth = config.frames.len() - 1;
        let computed = round.results(program, &config, &edge.op);
        let Some((next, Ok(reason))) = take(program, checks, config, edge) else { return false };
        if matches!(reason, Reason::Halted(_)) {
            return false;
        }
        if computed.iter().any(|((frame, _), _)| *frame >= next.frames.len()) {
            return false;
        }
        if let Some(dst) = written(&edge.op) {
            round.touched.remove(&(depth, dst.index()));
        }
        round.touched.retain(|(frame, _), _| *frame < next.frames.len());
        round.touched.extend(computed);
        // What a call does is repeated as long as it is not left.
        if deeper > 0 && next.frames.len() < from.frames.len() {
            return false;
        }
        config = next;
    }
    // The round that was looked at is the one that led here.
    let is_this_round = differing(&config, now).is_some_and(|registers| registers.is_empty());
    // Frames that are never come back to do not matter.
    let matters = |(place, _): &(&Place, &Touched)| deeper == 0 || place.0 + 1 == now.frames.len();
    let stays = |(place, touched): (&Place, &Touched)| {
        let (zeros, ones) = round.terms.known_bits(touched.value);
        drifting.get(&(place.0 - deeper, place.1)).is_some_and(|Drifting { bits, low }| {
            let mask = low_mask(*bits);
            (zeros | ones) & mask == mask && ones & mask == *low
        })
    };
    is_this_round && round.touched.iter().filter(matters).all(stays)
}

/// The values of one round that differ from those of others.
struct Round {
    terms: Terms,
    touched: BTreeMap<Place, Touched>,
}

impl Round {
    /// A register that differs between both states.
    fn begin(&mut self, place: Place, from: &Config<Concrete>, now: &Config<Concrete>) -> Option<Drifting> {
        let deeper = now.frames.len() - from.frames.len();
        let (before, after) = (from.frames[place.0].regs[place.1], now.frames[place.0 + deeper].regs[place.1]);
        let bits = before.iter().chain(&after).map(|value| value.bits.width).max()?;
        let is_plain = |provenance| provenance == Provenance::None;
        let drifts = match (before, after) {
            (Some(before), Some(after)) if is_plain(before.provenance) && is_plain(after.provenance) => {
                let stay = (before.bits.value ^ after.bits.value).trailing_zeros().min(bits);
                Drifting { bits: stay, low: before.bits.value & low_mask(stay) }
            }
            _ => Drifting { bits: 0, low: 0 },
        };
        let value = match drifts.bits {
            0 => self.terms.fresh_symbol(bits, "drift"),
            all if all == bits => self.terms.constant(drifts.low, bits),
            stay => {
                let high = self.terms.fresh_symbol(bits - stay, "drift");
                self.terms.concat(high, self.terms.constant(drifts.low, stay))
            }
        };
        self.touched.insert(place, Touched { by: BTreeSet::from([place]), value });
        Some(drifts)
    }

    /// The registers that drift, as far as the value of an expression depends on them.
    fn read_of(&self, config: &Config<Concrete>, expr: &Expr) -> BTreeSet<Place> {
        let depth = config.frames.len() - 1;
        let mut read = BTreeSet::new();
        expr.for_regs(&mut |register| {
            read.extend(self.touched.get(&(depth, register.index())).into_iter().flat_map(|touched| &touched.by));
        });
        read
    }

    /// The value of an expression, if it depends on registers that drift.
    fn computed(&self, config: &Config<Concrete>, expr: &Expr) -> Option<Touched> {
        let by = self.read_of(config, expr);
        let any = || self.terms.fresh_symbol(expr.width(), "drift");
        (!by.is_empty()).then(|| Touched { by, value: self.value(config, expr).unwrap_or_else(any) })
    }

    /// What an op makes of values that depend on registers that drift, and where that stands afterwards.
    fn results(&self, program: &Program, config: &Config<Concrete>, op: &Op) -> Vec<(Place, Touched)> {
        let depth = config.frames.len() - 1;
        let at = |depth: usize, register: Reg, value: &Expr| {
            Some(((depth, register.index()), self.computed(config, value)?))
        };
        match op {
            Op::Assign { dst, value } => at(depth, *dst, value).into_iter().collect(),
            Op::Call { callee: Callee::Direct(callee), args, .. } => {
                let params = program.function(*callee).params.iter();
                params.zip(args).filter_map(|(param, arg)| at(depth + 1, *param, arg)).collect()
            }
            Op::Return { value: Some(value) } => {
                let result = config.top().result.filter(|_| depth > 0);
                result.and_then(|result| at(depth - 1, result, value)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the condition is the same in each round.
    fn decides(&self, config: &Config<Concrete>, condition: &Expr) -> bool {
        cannot_trap(condition)
            && self.value(config, condition).is_some_and(|value| self.terms.as_const(value).is_some())
    }

    /// The value of an expression in any of the rounds; `None` where it is not a number that is known.
    fn value(&self, config: &Config<Concrete>, expr: &Expr) -> Option<Term> {
        let terms = &self.terms;
        Some(match expr {
            Expr::Const(bits) => symbolic::constant(terms, *bits),
            Expr::Reg(register, _) => match self.touched.get(&(config.frames.len() - 1, register.index())) {
                Some(touched) => touched.value,
                None => {
                    let value = config.top().regs[register.index()]?;
                    (value.provenance == Provenance::None).then(|| symbolic::constant(terms, value.bits))?
                }
            },
            Expr::Unary(op, operand) => symbolic::unary(terms, *op, self.value(config, operand)?),
            // What C leaves undefined has no value here.
            Expr::Binary(BinOp::Shl | BinOp::LShr | BinOp::AShr, _, by) if !matches!(**by, Expr::Const(_)) => {
                return None;
            }
            Expr::Binary(op, a, b) => symbolic::binary(terms, *op, self.value(config, a)?, self.value(config, b)?),
            Expr::Convert(conversion, width, operand) => {
                symbolic::convert(terms, *conversion, *width, self.value(config, operand)?)
            }
            Expr::Ite(condition, a, b) => {
                terms.ite(self.value(config, condition)?, self.value(config, a)?, self.value(config, b)?)
            }
            _ => return None,
        })
    }
}

fn low_mask(bits: u32) -> u128 {
    1_u128.checked_shl(bits).map_or(u128::MAX, |bound| bound - 1)
}

/// The registers that differ, where frames correspond: all of both, or the top ones where the later state has more.
fn differing(from: &Config<Concrete>, now: &Config<Concrete>) -> Option<BTreeSet<Place>> {
    let mut found = BTreeSet::new();
    let deeper = now.frames.len().checked_sub(from.frames.len())?;
    let first = if deeper == 0 { 0 } else { from.frames.len() - 1 };
    for (depth, a) in from.frames.iter().enumerate().skip(first) {
        let b = &now.frames[depth + deeper];
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
