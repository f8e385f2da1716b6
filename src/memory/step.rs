//! What each op does: the one place where the semantics of the CFA is written.

use std::rc::Rc;

use smallvec::smallvec;

use super::traits::FloatOp;
use super::{BlockKind, BlockSpec, Config, Fault, Frame, Memory, Outcome, Outcomes, Stuck};
use crate::base::span::Span;
use crate::cfa::{
    AllocKind, Bits, Callee, Conversion, Edge, ErrorKind, Expr, FunctionId, HaltKind, NondetKind, Object, Op, Program,
    Reg, UnOp,
};
use crate::task::Violation;

/// What is being checked; anything else that goes wrong is undefined behaviour, after which nothing is claimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    pub reach_call: bool,
    pub reach_label: bool,
    pub deref: bool,
    pub free: bool,
    pub memtrack: bool,
    pub memcleanup: bool,
    pub overflow: bool,
}

impl Checks {
    /// Whether `violation` is among what is checked.
    fn asks_for(&self, violation: Violation) -> bool {
        match violation {
            Violation::UnreachCall => self.reach_call || self.reach_label,
            Violation::ValidDeref => self.deref,
            Violation::ValidFree => self.free,
            Violation::ValidMemtrack => self.memtrack,
            Violation::ValidMemcleanup => self.memcleanup,
            Violation::NoOverflow => self.overflow,
        }
    }
}

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
}

/// The successors of one configuration by one edge.
pub type Successors<M> = Outcomes<Config<M>, Reason>;

/// A call depth no verification task needs; beyond it the run is given up.
const MAX_FRAMES: usize = 4000;

/// All successors of `config` by `edge`, an edge that leaves the top frame's location.
pub fn step<M: Memory>(program: &Program, checks: &Checks, config: Config<M>, edge: &Edge) -> Successors<M> {
    let mut successors = perform(program, checks, config, edge);
    for successor in &mut successors {
        match successor {
            Outcome::Next(config, _) => forget_dead(program, config),
            Outcome::Fault(config, fault) if !checks.asks_for(fault.violation) => {
                let stuck = Stuck::new(format!("undefined behaviour: {}", fault.detail));
                *successor = Outcome::Stuck(config.clone(), stuck);
            }
            Outcome::Fault(..) | Outcome::Stuck(..) => {}
        }
    }
    successors
}

/// A heap block that nothing reaches any more, as the fault it is. `step` never looks for leaks itself: a lost block
/// stays lost, so whoever runs the program asks as often as exact positions matter to it.
pub fn find_leak<M: Memory>(config: &Config<M>) -> Option<Fault> {
    let frames = &config.frames;
    let mut roots = frames.iter().flat_map(|frame| frame.regs.iter().flatten());
    let lost = config.memory.leaked(&mut roots)?;
    Some(Fault::new(Violation::ValidMemtrack, format!("{lost} is no longer reachable")))
}

fn perform<M: Memory>(program: &Program, checks: &Checks, mut config: Config<M>, edge: &Edge) -> Successors<M> {
    let pointer_bits = program.model.pointer_bits();
    match &edge.op {
        Op::Skip => go_on(config, edge),
        Op::Assign { dst, value } => {
            let value = eval(&mut config, value);
            config.top_mut().regs[dst.index()] = Some(value);
            go_on(config, edge)
        }
        Op::Load { dst, addr } => {
            let address = eval(&mut config, addr);
            let width = program.function(config.top().function).regs[dst.index()].width;
            apply(
                config,
                edge,
                |memory| memory.load(&address, width.div_ceil(8)),
                |config, value| {
                    let value = fit(&mut config.memory, value, width);
                    config.top_mut().regs[dst.index()] = Some(value);
                },
            )
        }
        Op::Store { addr, value } => {
            let address = eval(&mut config, addr);
            let value = eval(&mut config, value);
            apply(config, edge, |memory| memory.store(&address, &value), |_, ()| {})
        }
        Op::Copy { dst, src, size } => {
            let (to, from) = (eval(&mut config, dst), eval(&mut config, src));
            let size = eval(&mut config, size);
            apply(config, edge, |memory| memory.copy(&to, &from, &size), |_, ()| {})
        }
        Op::Set { dst, byte, size } => {
            let (to, byte) = (eval(&mut config, dst), eval(&mut config, byte));
            let size = eval(&mut config, size);
            apply(config, edge, |memory| memory.fill(&to, &byte, &size), |_, ()| {})
        }
        Op::Havoc { dst, size } => {
            let (to, size) = (eval(&mut config, dst), eval(&mut config, size));
            apply(config, edge, |memory| memory.havoc(&to, &size), |_, ()| {})
        }
        Op::Alloc { dst, size, kind, zeroed, may_fail } => {
            let size = eval(&mut config, size);
            let mut successors = Successors::new();
            if *may_fail {
                let mut failed = config.clone();
                let null = constant(&mut failed.memory, 0, pointer_bits);
                failed.top_mut().regs[dst.index()] = Some(null);
                successors.extend(go_on(failed, edge));
            }
            let block_kind = match kind {
                AllocKind::Heap => BlockKind::Heap,
                AllocKind::Frame => BlockKind::Alloca,
            };
            let line = program.source.pos(config.user_span(program, edge.span).start).line;
            let name: Rc<str> = match kind {
                AllocKind::Heap => format!("heap block allocated at line {line}").into(),
                AllocKind::Frame => format!("block from alloca at line {line}").into(),
            };
            let block = config.memory.create(BlockSpec { kind: block_kind, size, align: 16, zeroed: *zeroed, name });
            let address = config.memory.block_address(block);
            // `alloca` in a library model would belong to the model's frame; models do not use it.
            let top = config.top_mut();
            top.regs[dst.index()] = Some(address);
            if *kind == AllocKind::Frame {
                top.allocas.push(block);
            }
            successors.extend(go_on(config, edge));
            successors
        }
        Op::Free { addr } => {
            let address = eval(&mut config, addr);
            apply(config, edge, |memory| memory.release(&address), |_, ()| {})
        }
        Op::BlockSize { dst, addr } => {
            let address = eval(&mut config, addr);
            apply(
                config,
                edge,
                |memory| memory.block_size(&address),
                |config, size| config.top_mut().regs[dst.index()] = Some(size),
            )
        }
        Op::Nondet { dst, kind } => {
            let width = program.function(config.top().function).regs[dst.index()].width;
            let value = config.memory.nondet(kind, width);
            config.top_mut().regs[dst.index()] = Some(value);
            go_on(config, edge)
        }
        Op::Assume(condition) => {
            let condition = eval(&mut config, condition);
            apply(config, edge, |memory| memory.assume(&condition), |_, ()| {})
        }
        Op::Check { condition, violation } => {
            if !checks.asks_for(*violation) {
                return go_on(config, edge);
            }
            let holds = eval(&mut config, condition);
            let fails = config.memory.unary(UnOp::Not, &holds);
            let mut successors = match config.memory.decide(&holds) {
                Some(true) => return go_on(config, edge),
                _ => split(
                    config.clone(),
                    |memory| memory.assume(&fails),
                    |config, ()| Outcome::Fault(config, Fault::new(*violation, "signed overflow")),
                ),
            };
            successors.extend(apply(config, edge, |memory| memory.assume(&holds), |_, ()| {}));
            successors
        }
        Op::Enter { slot, size } => {
            let function = program.function(config.top().function);
            let decl = &function.slots[slot.index()];
            let size = match size {
                Some(size) => eval(&mut config, size),
                None => constant(&mut config.memory, decl.size, pointer_bits),
            };
            leave(&mut config, slot.index());
            let name = match &decl.name {
                Some(name) => format!("variable `{name}` of `{}`", function.name),
                None => format!("temporary object of `{}`", function.name),
            };
            let spec = BlockSpec { kind: BlockKind::Stack, size, align: decl.align, zeroed: false, name: name.into() };
            let block = config.memory.create(spec);
            config.top_mut().slots[slot.index()] = Some(block);
            go_on(config, edge)
        }
        Op::Leave { slot } => {
            leave(&mut config, slot.index());
            go_on(config, edge)
        }
        Op::Call { dst, callee, args } => call(program, config, edge, *dst, callee, args),
        Op::Return { value } => return_to_caller(program, checks, config, value.as_ref()),
        Op::Error(kind) => {
            let asked = match kind {
                ErrorKind::Call => checks.reach_call,
                ErrorKind::Label => checks.reach_label,
            };
            if asked {
                let detail = match kind {
                    ErrorKind::Call => "an error function is called",
                    ErrorKind::Label => "label ERROR is reached",
                };
                smallvec![Outcome::Fault(config, Fault::new(Violation::UnreachCall, detail))]
            } else if checks.memcleanup {
                // An error function ends the program by `abort` somehow; whether blocks alive there count is disputed.
                smallvec![Outcome::Stuck(config, Stuck::new("an error function is called before clean-up"))]
            } else {
                go_on(config, edge)
            }
        }
        Op::Halt(kind) => halt(checks, config, *kind),
    }
}

fn call<M: Memory>(
    program: &Program,
    mut config: Config<M>,
    edge: &Edge,
    dst: Option<Reg>,
    callee: &Callee,
    args: &[Expr],
) -> Successors<M> {
    let args: Vec<_> = args.iter().map(|arg| eval(&mut config, arg)).collect();
    if config.frames.len() >= MAX_FRAMES {
        return smallvec![Outcome::Stuck(config, Stuck::new("the recursion is too deep"))];
    }
    let enter = |mut config: Config<M>, function: FunctionId| {
        let decl = program.function(function);
        if decl.params.len() != args.len() {
            let why = format!("`{}` is called with {} arguments", decl.name, args.len());
            return Outcome::Stuck(config, Stuck::new(why));
        }
        let mut frame = Frame::new(program, function, dst, edge.span);
        for (param, arg) in decl.params.iter().zip(&args) {
            let arg = fit(&mut config.memory, arg.clone(), decl.regs[param.index()].width);
            frame.regs[param.index()] = Some(arg);
        }
        config.top_mut().at = edge.target;
        forget_dead(program, &mut config);
        config.frames.push(Rc::new(frame));
        Outcome::Next(config, Reason::Entered(function))
    };
    match callee {
        Callee::Direct(function) => smallvec![enter(config, *function)],
        Callee::Indirect(pointer) => {
            let pointer = eval(&mut config, pointer);
            let candidates: Vec<_> = (0..program.functions.len()).map(FunctionId::from_index).collect();
            split(config, |memory| memory.call_targets(&pointer, &candidates), enter)
        }
    }
}

fn return_to_caller<M: Memory>(
    program: &Program,
    checks: &Checks,
    mut config: Config<M>,
    value: Option<&Expr>,
) -> Successors<M> {
    let value = value.map(|value| eval(&mut config, value));
    let Some(frame) = config.frames.pop() else { return Successors::new() };
    for block in frame.slots.iter().flatten().chain(&frame.allocas) {
        config.memory.invalidate(*block);
    }
    if config.frames.is_empty() {
        config.frames.push(frame);
        return halt(checks, config, HaltKind::Exit);
    }
    if let Some(dst) = frame.result {
        let width = program.function(config.top().function).regs[dst.index()].width;
        let value = value.map(|value| fit(&mut config.memory, value, width));
        config.top_mut().regs[dst.index()] = value;
    }
    smallvec![Outcome::Next(config, Reason::Returned(frame.function))]
}

fn halt<M: Memory>(checks: &Checks, config: Config<M>, kind: HaltKind) -> Successors<M> {
    if kind != HaltKind::Vanish
        && checks.memcleanup
        && let Some(block) = config.memory.live_heap_block()
    {
        let fault = Fault::new(Violation::ValidMemcleanup, format!("{block} is not freed when the program ends"));
        return smallvec![Outcome::Fault(config, fault)];
    }
    smallvec![Outcome::Next(config, Reason::Halted(kind))]
}

/// The value of a pure expression. A register that was never set gets an arbitrary value first, and keeps it.
pub(super) fn eval<M: Memory>(config: &mut Config<M>, expr: &Expr) -> M::Value {
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
            let operand = eval(config, operand);
            config.memory.unary(*op, &operand)
        }
        Expr::Binary(op, left, right) => {
            let left = eval(config, left);
            let right = eval(config, right);
            config.memory.binary(*op, &left, &right)
        }
        Expr::Convert(conversion, width, operand) => {
            let operand = eval(config, operand);
            config.memory.convert(*conversion, *width, &operand)
        }
        Expr::Ite(condition, then, otherwise) => {
            let condition = eval(config, condition);
            match config.memory.decide(&condition) {
                Some(true) => eval(config, then),
                Some(false) => eval(config, otherwise),
                None => {
                    let then = eval(config, then);
                    let otherwise = eval(config, otherwise);
                    config.memory.ite(&condition, &then, &otherwise)
                }
            }
        }
        Expr::FloatUnary(op, format, operand) => {
            let operand = eval(config, operand);
            config.memory.float(FloatOp::Unary(*op, *format), &[operand])
        }
        Expr::FloatBinary(op, format, left, right) => {
            let operands = [eval(config, left), eval(config, right)];
            config.memory.float(FloatOp::Binary(*op, *format), &operands)
        }
        Expr::FloatCompare(op, format, left, right) => {
            let operands = [eval(config, left), eval(config, right)];
            config.memory.float(FloatOp::Compare(*op, *format), &operands)
        }
        Expr::FloatConvert(conversion, operand) => {
            let operand = eval(config, operand);
            config.memory.float(FloatOp::Convert(*conversion), &[operand])
        }
    }
}

pub(super) fn constant<M: Memory>(memory: &mut M, value: u64, width: u32) -> M::Value {
    memory.constant(Bits::new(value.into(), width))
}

/// `value` cut or zero-extended to `width` (only calls through mismatched declarations, and loads of odd widths, need it).
fn fit<M: Memory>(memory: &mut M, value: M::Value, width: u32) -> M::Value {
    match memory.width(&value).cmp(&width) {
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => memory.convert(Conversion::Truncate, width, &value),
        std::cmp::Ordering::Less => memory.convert(Conversion::ZeroExtend, width, &value),
    }
}

fn leave<M: Memory>(config: &mut Config<M>, slot: usize) {
    if let Some(block) = config.top().slots[slot] {
        config.memory.invalidate(block);
        config.top_mut().slots[slot] = None;
    }
}

/// Runs an operation that consumes the memory and rebuilds a configuration around each of its outcomes.
fn split<M: Memory, T>(
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
        });
    }
    successors
}

/// [`split`] where each successful outcome goes on at the edge's target.
fn apply<M: Memory, T>(
    config: Config<M>,
    edge: &Edge,
    operation: impl FnOnce(M) -> Outcomes<M, T>,
    mut finish: impl FnMut(&mut Config<M>, T),
) -> Successors<M> {
    split(config, operation, |mut config, value| {
        finish(&mut config, value);
        config.top_mut().at = edge.target;
        Outcome::Next(config, Reason::Plain)
    })
}

fn go_on<M: Memory>(mut config: Config<M>, edge: &Edge) -> Successors<M> {
    config.top_mut().at = edge.target;
    smallvec![Outcome::Next(config, Reason::Plain)]
}

/// Drops the values nobody reads from here on, so that they neither keep blocks reachable (temporaries) nor tell states apart.
/// [`step`] does so after each op.
pub fn forget_dead<M: Memory>(program: &Program, config: &mut Config<M>) {
    let top = config.top();
    let location = program.function(top.function).location(top.at);
    if location.dead_temporaries.is_empty() && location.dead_variables.is_empty() {
        return;
    }
    let forgettable =
        |reg: &&Reg| top.regs[reg.index()].as_ref().is_some_and(|value| !config.memory.may_hold_pointer(value));
    let forgotten: Vec<Reg> = location
        .dead_temporaries
        .iter()
        .filter(|reg| top.regs[reg.index()].is_some())
        .chain(location.dead_variables.iter().filter(forgettable))
        .copied()
        .collect();
    if forgotten.is_empty() {
        return;
    }
    let top = config.top_mut();
    for reg in forgotten {
        top.regs[reg.index()] = None;
    }
}

/// The span a fault of this configuration is reported at.
pub fn fault_span<M: Memory>(program: &Program, config: &Config<M>, edge: &Edge) -> Span {
    config.user_span(program, edge.span)
}

/// Whether the guard holds in every run of `config` (`Some`), or is not known cheaply.
pub fn guard_holds<M: Memory>(config: &mut Config<M>, guard: &Expr) -> Option<bool> {
    let value = eval(config, guard);
    config.memory.decide(&value)
}
