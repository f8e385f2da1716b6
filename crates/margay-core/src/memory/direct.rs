//! Ops that neither split runs, nor end them, nor enter or leave a function, carried out on the configuration itself. Most ops of
//! most runs are of that kind; [`super::step()`] moves configurations about, because the others may make several of one.

use std::rc::Rc;

use smallvec::SmallVec;

use super::evaluate::Evaluation;
use super::step::{Checks, MAX_FRAMES, enter_slot, fit, forget_dead, leave, slot_size};
use super::{Config, Frame, Memory, Reason};
use crate::cfa::{Callee, Edge, FunctionId, Op, Program, Reg};

/// Carries out `edge` if that is cheaply known to have one outcome, at the edge's target; whether it did. If not, nothing has changed
/// but that registers which nobody set and the op reads have their arbitrary values.
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
/// registers which nobody set and the op reads have their arbitrary values.
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

/// The call by `edge` enters `function`, which accepts these arguments.
pub(super) fn push_frame<M: Memory>(
    program: &Program,
    config: &mut Config<M>,
    edge: &Edge,
    dst: Option<Reg>,
    (function, args): (FunctionId, &[M::Value]),
) {
    let decl = program.function(function);
    let mut frame = Frame::new(program, function, dst, edge.span);
    for (param, arg) in decl.params.iter().zip(args) {
        let arg = fit(&mut config.memory, arg.clone(), decl.regs[param.index()].width);
        frame.regs[param.index()] = Some(arg);
    }
    config.top_mut().at = edge.target;
    forget_dead(program, config);
    config.frames.push(Rc::new(frame));
}

/// The function that runs returns this value: which one it was. The outermost one keeps its frame; its objects die.
pub(super) fn pop_frame<M: Memory>(
    program: &Program,
    config: &mut Config<M>,
    value: Option<M::Value>,
) -> Option<FunctionId> {
    let frame = config.frames.pop()?;
    for block in frame.slots.iter().flatten().chain(&frame.allocas) {
        config.memory.invalidate(*block);
    }
    if config.frames.is_empty() {
        config.frames.push(frame);
        return None;
    }
    if let Some(dst) = frame.result {
        let width = program.function(config.top().function).regs[dst.index()].width;
        let value = value.map(|value| fit(&mut config.memory, value, width));
        config.top_mut().regs[dst.index()] = value;
    }
    Some(frame.function)
}
