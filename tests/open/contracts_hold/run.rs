//! One function, run by the interpreter from a given heap.

use std::rc::Rc;

use margay::cfa::{Edge, FunctionId, HaltKind, NondetKind, Op, Program, Reg};
use margay::concrete::{Concrete, Value};
use margay::gamma::Random;
use margay::memory::{BlockId, Checks, Config, Frame, Memory, Outcome, Reason, guard, step};

const CHECKS: Checks = Checks {
    reach_call: false,
    reach_label: false,
    assertions: false,
    deref: true,
    free: true,
    memtrack: false,
    memcleanup: false,
    overflow: false,
    termination: false,
};

/// How the run of a function ended.
pub enum End {
    Returned(Concrete, Option<Value>),
    /// The program ended.
    Exited,
    Fault(String),
    /// Nothing follows for the contract, and why.
    Open(String),
}

/// Runs `function` for at most `steps` steps. Allocations fail now and then where they may.
pub fn run(
    program: &Program,
    globals: &[BlockId],
    function: FunctionId,
    memory: Concrete,
    arguments: &[Value],
    random: &mut Random,
    steps: usize,
) -> End {
    let decl = program.function(function);
    let mut frame = Frame::new(program, function, None, Default::default());
    for (param, argument) in decl.params.iter().zip(arguments) {
        frame.regs[param.index()] = Some(*argument);
    }
    frame.regs.push(None);
    let result = Reg::from_index(decl.regs.len());
    let mut config = Config { memory, frames: vec![Rc::new(frame)], globals: globals.into() };
    for _ in 0..steps {
        let top = config.top();
        let location = program.function(top.function).location(top.at);
        let edge = location.edges.iter().find(|edge| match &edge.op {
            Op::Assume(condition) => guard(&mut config, condition).is_taken(),
            _ => true,
        });
        let Some(edge) = edge else { return End::Open("control cannot go on".into()) };
        let returned = match (&edge.op, config.frames.len()) {
            (Op::Return { value: None }, 1) => return ended(config, None),
            (Op::Return { value: Some(value) }, 1) => {
                let op = Op::Assign { dst: result, value: value.clone() };
                Some(Edge { op, target: config.top().at, span: edge.span, note: edge.note })
            }
            _ => None,
        };
        let mut outcomes = step(program, &CHECKS, config, returned.as_ref().unwrap_or(edge));
        if outcomes.is_empty() {
            return End::Open("a step without outcome".into());
        }
        let index = random.below(outcomes.len());
        match outcomes.swap_remove(index) {
            Outcome::Next(next, Reason::Plain) if returned.is_some() => {
                let value = next.top().regs[result.index()];
                return ended(next, value);
            }
            Outcome::Next(_, Reason::Trapped(trap)) => return End::Open(trap.what().into()),
            Outcome::Next(_, Reason::Halted(HaltKind::Vanish)) => return End::Open("vanished".into()),
            Outcome::Next(_, Reason::Halted(_)) => return End::Exited,
            Outcome::Next(next, Reason::Entered(callee)) if program.function(callee).is_stub() => {
                config = without_text(program, next, callee);
            }
            Outcome::Next(next, _) => config = next,
            Outcome::Fault(at, fault) => {
                let pos = program.source.pos(at.user_span(program, edge.span).start);
                return End::Fault(format!("line {}: {}", pos.line, fault.detail));
            }
            Outcome::Stuck(_, stuck) => return End::Open(stuck.to_string()),
            Outcome::Miss(..) => return End::Open("a miss".into()),
        }
        if let Some(limit) = config.memory.exhausted() {
            return End::Open(limit.to_string());
        }
    }
    End::Open("steps".into())
}

/// A function whose text is elsewhere returns something, and changes nothing.
fn without_text(program: &Program, mut config: Config<Concrete>, callee: FunctionId) -> Config<Concrete> {
    if let Some(result) = config.frames.pop().and_then(|frame| frame.result) {
        let width = program.function(config.top().function).regs[result.index()].width;
        let kind = NondetKind::External(program.function(callee).name.clone());
        let value = config.memory.nondet(&kind, width);
        config.top_mut().regs[result.index()] = Some(value);
    }
    config
}

/// The function's own objects die.
fn ended(mut config: Config<Concrete>, value: Option<Value>) -> End {
    let frame = config.frames[0].clone();
    for block in frame.slots.iter().flatten().chain(&frame.allocas) {
        config.memory.invalidate(*block);
    }
    End::Returned(config.memory, value)
}
