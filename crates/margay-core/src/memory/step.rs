//! What each op does: the one place where the semantics of the CFA is written.

use smallvec::{SmallVec, smallvec};

use super::checks::Checks;
use super::direct::directly;
use super::effects::{
    MAX_FRAMES, Reason, Successors, Trap, enter_slot, fit, forget_dead, pop_frame, push_frame, split,
};
use super::evaluate::{Evaluation, possible_edges, slot_size};
use super::fault::{Fault, Gap, Stuck};
use super::outside::go_beyond;
use super::traits::{Beyond, BlockKind, BlockSpec, Config, Memory, Origin, Outcome, Outcomes, Search};
use crate::base::span::Span;
use crate::base::work;
use crate::cfa::{
    AllocKind, Callee, Edge, ErrorKind, Expr, FunctionId, HaltKind, Location, NondetKind, Op, Program, Received, Reg,
    UnOp,
};
use crate::task::Violation;

/// All successors of `config` by `edge`, an edge that leaves the top frame's location.
pub fn step<M: Memory>(program: &Program, checks: &Checks, mut config: Config<M>, edge: &Edge) -> Successors<M> {
    if step_in_place(program, checks, &mut config, edge) {
        return smallvec![Outcome::Next(config, Reason::Plain)];
    }
    step_by_cases(program, checks, config, edge)
}

/// [`step`] where [`step_in_place`] did nothing.
pub fn step_by_cases<M: Memory>(
    program: &Program,
    checks: &Checks,
    mut config: Config<M>,
    edge: &Edge,
) -> Successors<M> {
    if let Some(cases) = split_cases(&mut config, &edge.op) {
        return cases.into_iter().flat_map(|config| step_by_cases(program, checks, config, edge)).collect();
    }
    let top = config.top();
    let is_quiet = program.function(top.function).location(top.at).quiet;
    let mut successors = perform(program, checks, config, edge);
    successors.retain(|successor| match successor {
        // Whether a block is lost there is asked next.
        Outcome::Next(config, Reason::Halted(_)) if checks.memtrack => config.memory.has_runs(),
        Outcome::Next(..) => true,
        Outcome::Fault(config, _) | Outcome::Stuck(config, _) | Outcome::Miss(config, _) => config.memory.has_runs(),
    });
    if checks.only_reachability() && successors.iter().any(leads_outside) {
        successors = beyond(program, successors, edge);
    }
    if checks.at_most_termination() {
        successors.iter_mut().for_each(end_where_undefined);
    }
    for successor in &mut successors {
        match successor {
            Outcome::Next(config, _) => forget_dead(program, config),
            Outcome::Fault(config, fault)
                if !checks.asks_for(fault.violation) || is_known(program, config, edge, fault.violation) =>
            {
                let stuck = Stuck::undefined(fault.detail.clone());
                *successor = Outcome::Stuck(config.clone(), stuck);
            }
            Outcome::Fault(config, _) if is_quiet => {
                *successor = Outcome::Next(config.clone(), Reason::Halted(HaltKind::Vanish));
            }
            Outcome::Fault(..) | Outcome::Stuck(..) | Outcome::Miss(..) => {}
        }
    }
    successors
}

/// Runs whose access or `free` C leaves undefined end there, in a memory that stands for many runs.
fn end_where_undefined<M: Memory>(outcome: &mut Outcome<Config<M>, Reason>) {
    if let Outcome::Fault(config, fault) = outcome
        && matches!(fault.violation, Violation::ValidDeref | Violation::ValidFree)
        && config.memory.beyond() == Beyond::AllWays
    {
        config.memory.go_outside();
        *outcome = Outcome::Next(config.clone(), Reason::Trapped(Trap::Undefined));
    }
}

/// Whether this violation, where `edge` stands, is one that nothing more is asked about.
fn is_known<M: Memory>(program: &Program, config: &Config<M>, edge: &Edge, violation: Violation) -> bool {
    let mut known = program.known.iter().filter(|(known, _)| *known == violation).peekable();
    known.peek().is_some() && {
        let here = program.source.pos(fault_span(program, config, edge).start);
        known.any(|(_, at)| *at == here)
    }
}

/// The cases of `config` that have to be distinguished before `op` looks at its operands; `None` where there are none.
fn split_cases<M: Memory>(config: &mut Config<M>, op: &Op) -> Option<Vec<Config<M>>> {
    let (looked_at, accessed): (SmallVec<[&Expr; 2]>, bool) = match op {
        Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Free { addr } | Op::BlockSize { addr, .. } => {
            (smallvec![addr], true)
        }
        Op::Copy { dst, src, size } => (smallvec![dst, src, size], true),
        Op::Set { dst, size, .. } | Op::Havoc { dst, size, .. } => (smallvec![dst, size], true),
        Op::Assume(condition) | Op::Check { condition, .. } => (smallvec![condition], false),
        Op::Call { callee: Callee::Indirect(pointer), .. } => (smallvec![pointer], false),
        _ => return None,
    };
    let mut operands = Evaluation::new();
    looked_at.into_iter().find_map(|expr| {
        let value = operands.value(config, expr);
        M::split_cases(config, &value, accessed)
    })
}

/// Whether an access of `outcome` led to no object of the program.
fn leads_outside<M: Memory>(outcome: &Outcome<Config<M>, Reason>) -> bool {
    match outcome {
        Outcome::Fault(_, fault) => matches!(fault.violation, Violation::ValidDeref | Violation::ValidFree),
        Outcome::Stuck(_, stuck) => stuck.gap == Gap::Foreign,
        Outcome::Next(..) | Outcome::Miss(..) => false,
    }
}

/// The same successors, but that those whose access led to no object of the program go on (see `outside`).
fn beyond<M: Memory>(program: &Program, successors: Successors<M>, edge: &Edge) -> Successors<M> {
    let dst = match &edge.op {
        Op::Call { dst, .. } => *dst,
        _ => None,
    };
    let mut all = Successors::new();
    for outcome in successors {
        let leads_outside = leads_outside(&outcome);
        let (config, stuck) = match outcome {
            Outcome::Fault(config, fault) if leads_outside => (config, Stuck::undefined(fault.detail)),
            Outcome::Stuck(config, stuck) if leads_outside => (config, stuck),
            other => {
                all.push(other);
                continue;
            }
        };
        let enter = |config, function, args: &[M::Value]| enter(program, config, edge, dst, (function, args));
        all.extend(go_beyond(program, config, edge, stuck, enter));
    }
    all
}

/// [`step`], if it is cheaply known to have one successor, which comes by [`Reason::Plain`]: `config` becomes that. Otherwise `config`
/// still means what it did, and the answer is `false`.
fn step_in_place<M: Memory>(program: &Program, checks: &Checks, config: &mut Config<M>, edge: &Edge) -> bool {
    let done = directly(program, checks, config, edge);
    if done {
        forget_dead(program, config);
    }
    done
}

/// Work of a step that allocates next to nothing.
const STEP_TICKS: u64 = 2;

/// How runs leave a location.
pub enum Way {
    /// By this edge: they have taken it.
    Taken(u32),
    /// Nothing was done. By some of these edges, each of which wants [`step_by_cases`].
    Open(SmallVec<[u32; 2]>),
}

/// Takes the only edge there is by which `config` can go on, if it is [in place](step_in_place).
pub fn go_straight<M: Memory>(program: &Program, checks: &Checks, config: &mut Config<M>, location: &Location) -> Way {
    let possible = possible_edges(config, location);
    if let [index] = possible.edges[..] {
        let edge = &location.edges[index as usize];
        work::charge(STEP_TICKS);
        if possible.certain {
            config.top_mut().at = edge.target;
            forget_dead(program, config);
            return Way::Taken(index);
        }
        if step_in_place(program, checks, config, edge) {
            return Way::Taken(index);
        }
    } else if let Some(edge) = suppose(program, checks, config, location) {
        return Way::Taken(edge);
    }
    Way::Open(possible.edges)
}

/// Takes the branch beside one that does nothing but end the run, where no end of a run is looked at: whether the run can go on
/// is asked later ([`Memory::has_runs`]). So many such branches in a row are asked about together, and not twice each.
fn suppose<M: Memory>(program: &Program, checks: &Checks, config: &mut Config<M>, location: &Location) -> Option<u32> {
    let closing = location.closing.filter(|closing| !looks_at_end(checks, closing.kind))?;
    let index = 1 - closing.edge;
    let edge = &location.edges[index as usize];
    let Op::Assume(condition) = &edge.op else { return None };
    let mut operands = Evaluation::new();
    let value = operands.value(config, condition);
    if operands.may_trap() || M::split_cases(config, &value, false).is_some() || !config.memory.suppose(&value) {
        return None;
    }
    work::charge(STEP_TICKS);
    config.top_mut().at = edge.target;
    forget_dead(program, config);
    Some(index)
}

/// Whether something may be violated where a run ends like this: a block is lost, or still live.
fn looks_at_end(checks: &Checks, kind: HaltKind) -> bool {
    kind != HaltKind::Vanish && (checks.memtrack || checks.memcleanup)
}

/// A heap block that nothing reaches any more, as the fault it is. `step` never looks for leaks itself: a lost block
/// stays lost, so it is asked as often as exact positions matter to it.
pub fn find_leak<M: Memory>(config: &Config<M>) -> Option<Fault> {
    let frames = &config.frames;
    let mut roots = frames.iter().flat_map(|frame| frame.regs.iter().flatten());
    let lost = config.memory.leaked(&mut roots)?;
    Some(Fault::new(Violation::ValidMemtrack, format!("{lost} is no longer reachable")))
}

fn perform<M: Memory>(program: &Program, checks: &Checks, mut config: Config<M>, edge: &Edge) -> Successors<M> {
    let mut operands = Evaluation::new();
    match &edge.op {
        Op::Assign { dst, value } => {
            let value = operands.value(&mut config, value);
            operands.then(config, |mut config| {
                config.top_mut().regs[dst.index()] = Some(value.clone());
                go_on(config, edge)
            })
        }
        Op::Load { dst, addr } => {
            let address = operands.value(&mut config, addr);
            let width = program.function(config.top().function).regs[dst.index()].width;
            let load = |memory: M| memory.load(&address, width.div_ceil(8));
            operands.then(config, |config| {
                apply(config, edge, load, |config, value| {
                    let value = fit(&mut config.memory, value, width);
                    config.top_mut().regs[dst.index()] = Some(value);
                })
            })
        }
        Op::Store { addr, value } => {
            let address = operands.value(&mut config, addr);
            let value = operands.value(&mut config, value);
            operands.then(config, |config| apply(config, edge, |memory| memory.store(&address, &value), |_, ()| {}))
        }
        Op::Copy { dst, src, size } => {
            let (to, from) = (operands.value(&mut config, dst), operands.value(&mut config, src));
            let size = operands.value(&mut config, size);
            operands.then(config, |config| apply(config, edge, |memory| memory.copy(&to, &from, &size), |_, ()| {}))
        }
        Op::Set { dst, byte, size } => {
            let (to, byte) = (operands.value(&mut config, dst), operands.value(&mut config, byte));
            let size = operands.value(&mut config, size);
            operands.then(config, |config| apply(config, edge, |memory| memory.fill(&to, &byte, &size), |_, ()| {}))
        }
        Op::Havoc { dst, size, bytes } => {
            let (to, size) = (operands.value(&mut config, dst), operands.value(&mut config, size));
            let set: Vec<M::Value> = bytes.operands().iter().map(|part| operands.value(&mut config, part)).collect();
            let write = |memory: M| match bytes {
                Received::Any => memory.havoc(&to, &size),
                Received::Line => memory.read_line(&to, &size),
                Received::Members(_) => memory.havoc_among(&to, &size, &set),
            };
            operands.then(config, |config| apply(config, edge, write, |_, ()| {}))
        }
        Op::Alloc { dst, size, kind, zeroed } => {
            let size = operands.value(&mut config, size);
            operands.then(config, |config| go_on(allocate(program, config, edge, *dst, (*kind, &size, *zeroed)), edge))
        }
        Op::Free { addr } => {
            let address = operands.value(&mut config, addr);
            operands.then(config, |config| apply(config, edge, |memory| memory.release(&address), |_, ()| {}))
        }
        Op::BlockSize { dst, addr } => {
            let address = operands.value(&mut config, addr);
            let set = |config: &mut Config<M>, size| config.top_mut().regs[dst.index()] = Some(size);
            operands.then(config, |config| apply(config, edge, |memory| memory.block_size(&address), set))
        }
        Op::Find { dst, addr, beside, limit, stops } => {
            let (address, limit) = (operands.value(&mut config, addr), operands.value(&mut config, limit));
            let beside = beside.as_ref().map(|beside| operands.value(&mut config, beside));
            let stops = stops.map(&mut |stop| operands.value(&mut config, stop));
            let search = Search { address, beside, limit, stops };
            let set = |config: &mut Config<M>, found| config.top_mut().regs[dst.index()] = Some(found);
            operands.then(config, |config| apply(config, edge, |memory| memory.find(&search), set))
        }
        Op::Overlaps { dst, to, from, size } => {
            let [to, from, size] = [to, from, size].map(|part| operands.value(&mut config, part));
            operands.then(config, |mut config| {
                let answer = config.memory.overlaps(&to, &from, &size);
                config.top_mut().regs[dst.index()] = Some(answer);
                go_on(config, edge)
            })
        }
        Op::Number { dst, addr, base, part } => {
            let (address, base) = (operands.value(&mut config, addr), operands.value(&mut config, base));
            let width = program.function(config.top().function).regs[dst.index()].width;
            operands.then(config, |mut config| {
                let given = config.memory.nondet(&NondetKind::Number("strtol".into()), width);
                let number = config.memory.number(&address, &base, *part, given);
                config.top_mut().regs[dst.index()] = Some(number);
                go_on(config, edge)
            })
        }
        Op::Assume(condition) => {
            let condition = operands.value(&mut config, condition);
            operands.then(config, |config| apply(config, edge, |memory| memory.assume(&condition), |_, ()| {}))
        }
        Op::Check { condition, violation } => {
            let holds = operands.value(&mut config, condition);
            let fails = config.memory.unary(UnOp::Not, &holds);
            let violated = |config, ()| Outcome::Fault(config, Fault::new(*violation, "signed overflow"));
            operands.then(config, |config| {
                if config.memory.decide(&holds) == Some(true) {
                    return go_on(config, edge);
                }
                let mut successors = split(config.clone(), |memory| memory.assume(&fails), violated);
                successors.extend(apply(config, edge, |memory| memory.assume(&holds), |_, ()| {}));
                successors
            })
        }
        Op::Enter { slot, size } => {
            let size = slot_size(program, &mut config, &mut operands, *slot, size.as_ref());
            operands.then(config, |mut config| {
                enter_slot(program, &mut config, *slot, size.clone());
                go_on(config, edge)
            })
        }
        Op::Call { dst, callee, args } => {
            let args: Vec<_> = args.iter().map(|arg| operands.value(&mut config, arg)).collect();
            let callee = match callee {
                Callee::Direct(function) => Target::Known(*function),
                Callee::Indirect(pointer) => Target::At(operands.value(&mut config, pointer)),
            };
            operands.then(config, |config| call(program, config, edge, *dst, &callee, &args))
        }
        Op::Return { value } => {
            let value = value.as_ref().map(|value| operands.value(&mut config, value));
            operands.then(config, |config| return_to_caller(program, checks, config, value.clone()))
        }
        Op::Error(kind) => {
            if checks.asks_for_error(*kind) {
                let detail = match kind {
                    ErrorKind::Call => "an error function is called",
                    ErrorKind::Label => "label ERROR is reached",
                    ErrorKind::Assertion => "an assertion fails",
                };
                smallvec![Outcome::Fault(config, Fault::new(Violation::UnreachCall, detail))]
            } else if checks.memcleanup {
                halt(checks, config, ERRORS_END_LIKE)
            } else {
                go_on(config, edge)
            }
        }
        Op::Halt(kind) => halt(checks, config, *kind),
        Op::GiveUp(why) => smallvec![Outcome::Stuck(config, Stuck::tool(&**why))],
        Op::Skip | Op::Nondet { .. } | Op::Leave { .. } => match directly(program, checks, &mut config, edge) {
            true => smallvec![Outcome::Next(config, Reason::Plain)],
            false => smallvec![Outcome::Stuck(config, Stuck::tool("an op without an outcome"))],
        },
    }
}

/// The block that `edge` allocates, its address in `dst`.
fn allocate<M: Memory>(
    program: &Program,
    mut config: Config<M>,
    edge: &Edge,
    dst: Reg,
    (kind, size, zeroed): (AllocKind, &M::Value, bool),
) -> Config<M> {
    let pos = program.source.pos(config.user_span(program, edge.span).start);
    let line = pos.line;
    let (block_kind, name) = match kind {
        AllocKind::Heap if pos.is_of_harness() => (BlockKind::Heap, "a block of the caller's".into()),
        AllocKind::Heap => (BlockKind::Heap, format!("heap block allocated at line {line}")),
        AllocKind::Frame => (BlockKind::Alloca, format!("block from alloca at line {line}")),
        AllocKind::Argument => (BlockKind::Argument, "an argument of `main`".into()),
    };
    let origin = Origin { site: config.site(program), name: name.into() };
    let spec = BlockSpec { kind: block_kind, size: size.clone(), align: 16, zeroed, origin };
    let block = config.memory.create(spec);
    let address = config.memory.block_address(block);
    // `alloca` in a library model would belong to the model's frame; models do not use it.
    let top = config.top_mut();
    top.regs[dst.index()] = Some(address);
    if kind == AllocKind::Frame {
        top.allocas.push(block);
    }
    config
}

/// What is called.
enum Target<V> {
    Known(FunctionId),
    /// Whatever function is at this address.
    At(V),
}

fn call<M: Memory>(
    program: &Program,
    config: Config<M>,
    edge: &Edge,
    dst: Option<Reg>,
    callee: &Target<M::Value>,
    args: &[M::Value],
) -> Successors<M> {
    if config.frames.len() >= MAX_FRAMES {
        return smallvec![Outcome::Stuck(config, Stuck::tool("the recursion is too deep"))];
    }
    let enter = |config, function| enter(program, config, edge, dst, (function, args));
    match callee {
        Target::Known(function) => smallvec![enter(config, *function)],
        Target::At(pointer) => {
            let candidates: Vec<_> = (0..program.functions.len()).map(FunctionId::from_index).collect();
            split(config, |memory| memory.call_targets(pointer, &candidates), enter)
        }
    }
}

/// The call by `edge` enters `function` with these arguments.
fn enter<M: Memory>(
    program: &Program,
    mut config: Config<M>,
    edge: &Edge,
    dst: Option<Reg>,
    (function, args): (FunctionId, &[M::Value]),
) -> Outcome<Config<M>, Reason> {
    let decl = program.function(function);
    if !decl.accepts(args.len()) {
        let why = format!("`{}` is called with {} arguments", decl.name, args.len());
        return Outcome::Stuck(config, Stuck::undefined(why));
    }
    push_frame(program, &mut config, edge, dst, (function, args));
    Outcome::Next(config, Reason::Entered(function))
}

fn return_to_caller<M: Memory>(
    program: &Program,
    checks: &Checks,
    mut config: Config<M>,
    value: Option<M::Value>,
) -> Successors<M> {
    match pop_frame(program, &mut config, value) {
        Some(function) => smallvec![Outcome::Next(config, Reason::Returned(function))],
        None => halt(checks, config, HaltKind::Exit),
    }
}

/// An error function ends the program like `abort`, where nothing but its end is asked about.
const ERRORS_END_LIKE: HaltKind = HaltKind::Abort;

/// Whether `op` ends the program in a way that heap blocks which are live then count (`valid-memcleanup`).
pub fn ends_with_cleanup<M: Memory>(checks: &Checks, config: &Config<M>, op: &Op) -> bool {
    let kind = match op {
        Op::Halt(kind) => *kind,
        Op::Return { .. } if config.frames.len() == 1 => HaltKind::Exit,
        Op::Error(kind) if !checks.asks_for_error(*kind) => ERRORS_END_LIKE,
        _ => return false,
    };
    counts_live_blocks(checks, kind)
}

/// Whether heap blocks that are live count where the program ends so.
fn counts_live_blocks(checks: &Checks, kind: HaltKind) -> bool {
    checks.memcleanup && kind != HaltKind::Vanish
}

fn halt<M: Memory>(checks: &Checks, config: Config<M>, kind: HaltKind) -> Successors<M> {
    if counts_live_blocks(checks, kind)
        && let Some(block) = config.memory.live_heap_block()
    {
        let fault = Fault::new(Violation::ValidMemcleanup, format!("{block} is not freed when the program ends"));
        return smallvec![Outcome::Fault(config, fault)];
    }
    smallvec![Outcome::Next(config, Reason::Halted(kind))]
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

/// The span a fault of this configuration is reported at.
pub fn fault_span<M: Memory>(program: &Program, config: &Config<M>, edge: &Edge) -> Span {
    config.user_span(program, edge.span)
}
