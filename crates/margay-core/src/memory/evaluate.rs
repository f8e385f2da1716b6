//! The values of pure expressions, and the one rule for what C leaves undefined about them.
//!
//! | operation | what happens |
//! | --- | --- |
//! | signed overflow | wraps (where `no-overflow` is asked, a check stands before the operation) |
//! | division by zero, also for remainders | the machine traps: the path ends there; no property is violated by that, and it is no end of the program at which blocks must be freed |
//! | the smallest number divided by -1 | the machine traps, or the quotient wraps and the remainder is 0: compilers differ, so a proof covers both, and a run ends |
//! | shift by the width or more, or by a negative number | any value; a run takes what x86 gives |
//! | shift of a negative number | as on its bits: to the left it wraps, to the right the sign comes in |
//! | floating number to an integer type that cannot hold it | any value; a run takes what x86 gives ([`super::float_to_integer`]) |

use smallvec::SmallVec;

use super::effects::{Reason, Successors, Trap, constant, split};
use super::traits::{Config, FloatOp, Memory, Outcome};
use crate::cfa::{BinOp, Bits, Expr, Location, NondetKind, Object, Op, Program, SlotId, UnOp};

/// The evaluation of the operands of one op, from left to right.
pub(super) struct Evaluation<V> {
    /// The runs that trap: a 1-bit condition for each division that may.
    traps: SmallVec<[(Trap, V); 1]>,
    /// The runs that evaluate the expression at hand, `None`: all.
    under: Option<V>,
}

impl<V: Clone> Evaluation<V> {
    pub fn new() -> Self {
        Self { traps: SmallVec::new(), under: None }
    }

    /// The value of a pure expression. A register that was never set gets an arbitrary value first, and keeps it. On runs that
    /// trap the value means nothing.
    pub fn value<M: Memory<Value = V>>(&mut self, config: &mut Config<M>, expr: &Expr) -> V {
        match expr {
            Expr::Const(bits) => config.memory.constant(*bits),
            Expr::Reg(reg, width) => match &config.top().regs[reg.index()] {
                Some(value) => value.clone(),
                None => {
                    let value = config.memory.nondet(&NondetKind::Uninitialised, *width);
                    config.top_mut().regs[reg.index()] = Some(value.clone());
                    value
                }
            },
            Expr::Address(object, width) => {
                let block = match object {
                    Object::Global(global) => Some(config.globals[global.index()]),
                    Object::Slot(slot) => config.top().slots[slot.index()],
                    Object::Function(function) => return config.memory.function_address(*function),
                };
                match block {
                    Some(block) => config.memory.block_address(block),
                    // A jump past the declaration: C has no object here either.
                    None => config.memory.nondet(&NondetKind::Uninitialised, *width),
                }
            }
            Expr::Unary(op, operand) => {
                let operand = self.value(config, operand);
                config.memory.unary(*op, &operand)
            }
            Expr::Binary(op, left, right) => {
                let left = self.value(config, left);
                let right = self.value(config, right);
                self.binary(&mut config.memory, *op, &left, &right)
            }
            Expr::Convert(conversion, width, operand) => {
                let operand = self.value(config, operand);
                config.memory.convert(*conversion, *width, &operand)
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.value(config, condition);
                match config.memory.decide(&condition) {
                    Some(true) => self.value(config, then),
                    Some(false) => self.value(config, otherwise),
                    None => {
                        let then = self.value_where(config, &condition, then);
                        let fails = config.memory.unary(UnOp::Not, &condition);
                        let otherwise = self.value_where(config, &fails, otherwise);
                        config.memory.ite(&condition, &then, &otherwise)
                    }
                }
            }
            Expr::FloatUnary(op, format, operand) => {
                let operand = self.value(config, operand);
                config.memory.float(FloatOp::Unary(*op, *format), &[operand])
            }
            Expr::FloatBinary(op, format, left, right) => {
                let operands = [self.value(config, left), self.value(config, right)];
                config.memory.float(FloatOp::Binary(*op, *format), &operands)
            }
            Expr::FloatCompare(op, format, left, right) => {
                let operands = [self.value(config, left), self.value(config, right)];
                config.memory.float(FloatOp::Compare(*op, *format), &operands)
            }
            Expr::FloatConvert(conversion, operand) => {
                let operand = self.value(config, operand);
                config.memory.float(FloatOp::Convert(*conversion), &[operand])
            }
        }
    }

    /// [`Self::value`] of an expression that only the runs on which `condition` holds evaluate.
    fn value_where<M: Memory<Value = V>>(&mut self, config: &mut Config<M>, condition: &V, expr: &Expr) -> V {
        let here = self.where_evaluated(&mut config.memory, condition.clone());
        let outside = self.under.replace(here);
        let value = self.value(config, expr);
        self.under = outside;
        value
    }

    fn where_evaluated<M: Memory<Value = V>>(&self, memory: &mut M, condition: V) -> V {
        match &self.under {
            Some(under) => memory.binary(BinOp::And, under, &condition),
            None => condition,
        }
    }

    /// `left op right`: the rule at the head of this file.
    fn binary<M: Memory<Value = V>>(&mut self, memory: &mut M, op: BinOp, left: &V, right: &V) -> V {
        let width = memory.width(left);
        match op {
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
                let zero = memory.constant(Bits::new(0, width));
                let by_zero = memory.binary(BinOp::Eq, right, &zero);
                self.note_trap(memory, Trap::DivisionByZero, by_zero);
                if matches!(op, BinOp::SDiv | BinOp::SRem) {
                    let least = memory.constant(Bits::new(1 << (width - 1), width));
                    let minus_one = memory.constant(Bits::new(u128::MAX, width));
                    let is_least = memory.binary(BinOp::Eq, left, &least);
                    let is_minus_one = memory.binary(BinOp::Eq, right, &minus_one);
                    let overflows = memory.binary(BinOp::And, &is_least, &is_minus_one);
                    self.note_trap(memory, Trap::DivisionOverflow, overflows);
                }
                memory.binary(op, left, right)
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let value = memory.binary(op, left, right);
                let bits = memory.constant(Bits::new(width.into(), width));
                let too_far = memory.binary(BinOp::Ule, &bits, right);
                match memory.decide(&too_far) {
                    Some(false) => value,
                    _ => memory.open_where(&too_far, &value),
                }
            }
            _ => memory.binary(op, left, right),
        }
    }

    fn note_trap<M: Memory<Value = V>>(&mut self, memory: &mut M, trap: Trap, condition: V) {
        let condition = self.where_evaluated(memory, condition);
        if memory.decide(&condition) != Some(false) {
            self.traps.push((trap, condition));
        }
    }

    /// Whether there are runs on which evaluation may trap.
    pub fn may_trap(&self) -> bool {
        !self.traps.is_empty()
    }

    /// Whether evaluation traps on all runs (`Some(true)`), on none (`Some(false)`), or that is not known cheaply.
    pub fn traps<M: Memory<Value = V>>(&self, memory: &M) -> Option<bool> {
        let certain = |(trap, condition): &(Trap, V)| trap.is_certain() && memory.decide(condition) == Some(true);
        match self.traps.as_slice() {
            [] => Some(false),
            traps => traps.iter().any(certain).then_some(true),
        }
    }

    /// Goes on with `carry_out` where the operands have values; the runs that trap, and those that may, come first.
    pub fn then<M: Memory<Value = V>>(
        self,
        config: Config<M>,
        mut carry_out: impl FnMut(Config<M>) -> Successors<M>,
    ) -> Successors<M> {
        if self.traps.is_empty() {
            return carry_out(config);
        }
        let mut successors = Successors::new();
        let mut onwards = vec![config];
        for (trap, condition) in &self.traps {
            let mut next = Vec::new();
            for mut config in onwards {
                let ends = |config, ()| Outcome::Next(config, Reason::Trapped(*trap));
                successors.extend(split(config.clone(), |memory| memory.assume(condition), ends));
                if !trap.is_certain() {
                    next.push(config);
                    continue;
                }
                let works = config.memory.unary(UnOp::Not, condition);
                let goes_on = |config, ()| Outcome::Next(config, Reason::Plain);
                for outcome in split(config, |memory| memory.assume(&works), goes_on) {
                    match outcome {
                        Outcome::Next(config, _) => next.push(config),
                        other => successors.push(other),
                    }
                }
            }
            onwards = next;
        }
        for config in onwards {
            successors.extend(carry_out(config));
        }
        successors
    }
}

/// What is cheaply known of the guard of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// It holds on every run.
    Holds,
    /// It holds on none.
    Fails,
    /// Evaluating it traps on every run.
    Traps,
    /// Not known cheaply.
    Unknown,
}

impl Guard {
    /// Whether every run takes the edge, so that no other edge need be looked at.
    pub fn is_taken(self) -> bool {
        matches!(self, Guard::Holds | Guard::Traps)
    }
}

/// Evaluates the guard of an edge.
pub fn guard<M: Memory>(config: &mut Config<M>, guard: &Expr) -> Guard {
    let mut evaluation = Evaluation::new();
    let value = evaluation.value(config, guard);
    match (evaluation.traps(&config.memory), config.memory.decide(&value)) {
        (Some(true), _) => Guard::Traps,
        (Some(false), Some(true)) => Guard::Holds,
        (Some(false), Some(false)) => Guard::Fails,
        _ => Guard::Unknown,
    }
}

/// The edges of a location that some run may take, in order, as far as that is cheaply known.
pub struct Possible {
    /// By their place among the location's edges, ascending.
    pub edges: SmallVec<[u32; 2]>,
    /// There is one, and its guard was evaluated and holds.
    pub certain: bool,
}

/// Evaluates guards in order, as the interpreter does, so that registers that were never set get their values in the same order.
pub fn possible_edges<M: Memory>(config: &mut Config<M>, location: &Location) -> Possible {
    let mut possible = Possible { edges: SmallVec::new(), certain: false };
    if let [_] = location.edges[..] {
        possible.edges.push(0);
        return possible;
    }
    for (index, edge) in location.edges.iter().enumerate() {
        let known = match &edge.op {
            // All others fail.
            Op::Assume(_) if index == 1 && location.complementary && possible.edges.is_empty() => Guard::Holds,
            Op::Assume(condition) => guard(config, condition),
            _ => Guard::Unknown,
        };
        if known != Guard::Fails {
            possible.edges.push(index as u32);
        }
        if known.is_taken() {
            possible.certain = known == Guard::Holds && possible.edges.len() == 1;
            break;
        }
    }
    possible
}

/// How large the object of `slot` is.
pub(super) fn slot_size<M: Memory>(
    program: &Program,
    config: &mut Config<M>,
    operands: &mut Evaluation<M::Value>,
    slot: SlotId,
    size: Option<&Expr>,
) -> M::Value {
    match size {
        Some(size) => operands.value(config, size),
        None => {
            let decl = &program.function(config.top().function).slots[slot.index()];
            constant(&mut config.memory, decl.size, program.model.pointer_bits())
        }
    }
}
