//! Ops that neither split runs, nor end them, nor enter or leave a function, carried out on the configuration itself. Most ops of
//! most runs are of that kind; [`super::step()`] moves configurations about, because the others may make several of one.

use smallvec::SmallVec;

use super::checks::Checks;
use super::effects::{MAX_FRAMES, Reason, enter_slot, fit, forget_dead, leave, pop_frame, push_frame};
use super::evaluate::{Evaluation, slot_size};
use super::traits::{Config, Memory};
use crate::cfa::{Callee, Edge, Op, Program};

/// Carries out `edge` if that is cheaply known to have one outcome, at the edge's target; whether it did. If not, nothing has changed
/// but that registers that were never set and the op reads have their arbitrary values.
pub(super) fn directly<M: Memory>(program: &Program, checks: &Checks, config: &mut Config<M>, edge: &Edge) -> bool {
    let mut operands = Evaluation::new();
    match &edge.op {
        Op::Skip => {}
        Op::Assign { dst, value } => {
            let value = operands.value(config, value);
            if operands.may_trap() {
                return false;
            }
            config.top_mut().regs[dst.index()] = Some(value);
        }
        Op::Load { dst, addr } => {
            let address = operands.value(config, addr);
            let width = program.function(config.top().function).regs[dst.index()].width;
            if operands.may_trap() {
                return false;
            }
            let Some(value) = config.memory.peek(&address, width.div_ceil(8)) else { return false };
            let value = fit(&mut config.memory, value, width);
            config.top_mut().regs[dst.index()] = Some(value);
        }
        Op::Store { addr, value } => {
            let address = operands.value(config, addr);
            let value = operands.value(config, value);
            if operands.may_trap() || !config.memory.poke(&address, &value) {
                return false;
            }
        }
        Op::Nondet { dst, kind } => {
            let width = program.function(config.top().function).regs[dst.index()].width;
            let value = config.memory.nondet(kind, width);
            config.top_mut().regs[dst.index()] = Some(value);
        }
        Op::Assume(condition) => {
            let condition = operands.value(config, condition);
            if operands.may_trap() || config.memory.decide(&condition) != Some(true) {
                return false;
            }
        }
        Op::Check { condition, violation } if checks.asks_for(*violation) => {
            let holds = operands.value(config, condition);
            if operands.may_trap() || config.memory.decide(&holds) != Some(true) {
                return false;
            }
        }
        Op::Check { .. } => {}
        Op::Enter { slot, size } => {
            let size = slot_size(program, config, &mut operands, *slot, size.as_ref());
            if operands.may_trap() {
                return false;
            }
            enter_slot(program, config, *slot, size);
        }
        Op::Leave { slot } => leave(config, slot.index()),
        _ => return false,
    }
    config.top_mut().at = edge.target;
    true
}

/// Enters or leaves a function by `edge` where that has one outcome, as [`super::step()`] does. Otherwise nothing has changed but that
/// registers that were never set and the op reads have their arbitrary values.
pub fn cross<M: Memory>(program: &Program, config: &mut Config<M>, edge: &Edge) -> Option<Reason> {
    let mut operands = Evaluation::new();
    let reason = match &edge.op {
        Op::Call { dst, callee: Callee::Direct(function), args } => {
            if config.frames.len() >= MAX_FRAMES || !program.function(*function).accepts(args.len()) {
                return None;
            }
            let args: SmallVec<[M::Value; 4]> = args.iter().map(|arg| operands.value(config, arg)).collect();
            if operands.may_trap() {
                return None;
            }
            push_frame(program, config, edge, *dst, (*function, &args));
            Reason::Entered(*function)
        }
        Op::Return { value } if config.frames.len() > 1 => {
            let value = value.as_ref().map(|value| operands.value(config, value));
            if operands.may_trap() {
                return None;
            }
            Reason::Returned(pop_frame(program, config, value)?)
        }
        _ => return None,
    };
    forget_dead(program, config);
    Some(reason)
}
