//! What several ops do to a configuration.

use std::rc::Rc;

use super::traits::{BlockKind, BlockSpec, Config, Frame, Memory, Origin, Outcome, Outcomes, Site};
use crate::cfa::{Bits, Conversion, Edge, FunctionId, HaltKind, Program, Reg, SlotId};

/// What kind of step a successor came by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Within a function.
    Plain,
    /// A frame was pushed.
    Entered(FunctionId),
    /// A frame was popped.
    Returned(FunctionId),
    /// The program ended.
    Halted(HaltKind),
    /// The machine traps in the middle of the op: the run ends, and no property is violated by that. It is no end of the program
    /// at which blocks must be freed.
    Trapped(Trap),
}

/// The successors of one configuration by one edge.
pub type Successors<M> = Outcomes<Config<M>, Reason>;

/// A call depth no verification task needs; beyond it the run is given up.
pub(super) const MAX_FRAMES: usize = 4000;

/// Why the machine does not finish an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// By zero, of quotients and remainders.
    DivisionByZero,
    /// The smallest number divided by -1; the quotient may wrap instead.
    DivisionOverflow,
    /// An access or `free` that C leaves undefined, where nothing but the program's end is asked.
    Undefined,
}

impl Trap {
    /// No run goes on with some value instead.
    pub(super) fn is_certain(self) -> bool {
        self != Trap::DivisionOverflow
    }

    /// For people.
    pub fn what(self) -> &'static str {
        match self {
            Trap::DivisionByZero => "division by zero",
            Trap::DivisionOverflow => "division of the smallest number by -1",
            Trap::Undefined => "an access or `free` that C leaves undefined",
        }
    }
}

pub(super) fn constant<M: Memory>(memory: &mut M, value: u64, width: u32) -> M::Value {
    memory.constant(Bits::new(value.into(), width))
}

/// `value` cut or zero-extended to `width` (only calls through mismatched declarations, and loads of odd widths, need it).
pub fn fit<M: Memory>(memory: &mut M, value: M::Value, width: u32) -> M::Value {
    match memory.width(&value).cmp(&width) {
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => memory.convert(Conversion::Truncate, width, &value),
        std::cmp::Ordering::Less => memory.convert(Conversion::ZeroExtend, width, &value),
    }
}

/// The object of `slot` begins to live.
pub(super) fn enter_slot<M: Memory>(program: &Program, config: &mut Config<M>, slot: SlotId, size: M::Value) {
    leave(config, slot.index());
    let function = program.function(config.top().function);
    let decl = &function.slots[slot.index()];
    let name = match &decl.name {
        Some(name) => format!("variable `{name}` of `{}`", function.name),
        None => format!("temporary object of `{}`", function.name),
    };
    let origin = Origin { site: Site::Slot(config.top().function, slot), name: name.into() };
    let spec = BlockSpec { kind: BlockKind::Stack, size, align: decl.align, zeroed: false, origin };
    let block = config.memory.create(spec);
    config.top_mut().slots[slot.index()] = Some(block);
}

pub(super) fn leave<M: Memory>(config: &mut Config<M>, slot: usize) {
    if let Some(block) = config.top().slots[slot] {
        config.memory.invalidate(block);
        config.top_mut().slots[slot] = None;
    }
}

/// Runs an operation that consumes the memory and rebuilds a configuration around each of its outcomes.
pub(super) fn split<M: Memory, T>(
    config: Config<M>,
    operation: impl FnOnce(M) -> Outcomes<M, T>,
    mut finish: impl FnMut(Config<M>, T) -> Outcome<Config<M>, Reason>,
) -> Successors<M> {
    let Config { memory, frames, globals } = config;
    let outcomes = operation(memory);
    let last = outcomes.len().saturating_sub(1);
    let mut frames = frames;
    let mut successors = Successors::new();
    for (index, outcome) in outcomes.into_iter().enumerate() {
        // The last one takes the frames themselves, so that a run that never splits never copies them.
        let frames = if index == last { std::mem::take(&mut frames) } else { frames.clone() };
        let around = |memory| Config { memory, frames, globals: globals.clone() };
        successors.push(match outcome {
            Outcome::Next(memory, value) => finish(around(memory), value),
            Outcome::Fault(memory, fault) => Outcome::Fault(around(memory), fault),
            Outcome::Stuck(memory, stuck) => Outcome::Stuck(around(memory), stuck),
            Outcome::Miss(memory, miss) => Outcome::Miss(around(memory), miss),
        });
    }
    successors
}

/// Drops the values that are not read from here on, so that they neither keep blocks reachable (temporaries) nor distinguish states.
/// `step` does so after each op.
pub fn forget_dead<M: Memory>(program: &Program, config: &mut Config<M>) {
    let top = config.top();
    let location = program.function(top.function).location(top.at);
    if location.dead_temporaries.is_empty() && location.dead_variables.is_empty() {
        return;
    }
    let Config { memory, frames, .. } = config;
    let Some(top) = frames.last_mut() else { return };
    let is_set = |frame: &Frame<M::Value>, reg: &Reg| frame.regs[reg.index()].is_some();
    let forgettable = |frame: &Frame<M::Value>, reg: &Reg| {
        frame.regs[reg.index()].as_ref().is_some_and(|value| !memory.may_hold_pointer(value))
    };
    // A frame that others share is copied only where something changes.
    for reg in &location.dead_temporaries {
        if is_set(top, reg) {
            Rc::make_mut(top).regs[reg.index()] = None;
        }
    }
    for reg in &location.dead_variables {
        if forgettable(top, reg) {
            Rc::make_mut(top).regs[reg.index()] = None;
        }
    }
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
