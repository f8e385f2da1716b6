//! How a run goes on after an access that leads to no object of the program, where nothing but reachability is asked.
//!
//! | access | what happens |
//! | --- | --- |
//! | through a pointer that the program did not make: from an undefined function, an object defined elsewhere, memory or a register that was never written | there is valid memory of its own: what was written there is read again, the rest is an input |
//! | through null, or an address that the analysis lost track of (it may be one of the program's own) | nothing is claimed of what follows |
//! | outside of an object, or through a dangling pointer | a load gives any value, a store is lost; no violation is claimed after such a load |
//! | a call through a pointer to no function | any function that fits and whose address is taken, or one that does nothing; a run takes the latter |
//!
//! A memory that stands for many runs keeps no track of memory outside: any value is read there. So addresses of the program's own
//! objects must not come back from there unseen: where one is stored there, the path is stuck as well as it goes on.

use smallvec::smallvec;

use super::effects::{Reason, Successors, fit, split};
use super::evaluate::Evaluation;
use super::fault::Stuck;
use super::traits::{Beyond, Config, Memory, Outcome};
use crate::cfa::{Callee, Edge, NondetKind, Op, Program};

/// What the input that is read outside is the result of.
const OUTSIDE: &str = "memory from outside";

/// An address for the n-th memory from outside, which lies apart from all objects of a run and from the others' surroundings.
pub fn outside_address(n: u64, pointer_bits: u32) -> u64 {
    match pointer_bits {
        32 => 0x0100_0000 + (n % 0x400) * 0x1_0000,
        _ => 0x1000_0000_0000 + n * 0x100_0000,
    }
}

/// The successors of `config`, whose runs all cannot carry out `edge` because of `stuck`.
pub(super) fn go_beyond<M: Memory>(
    program: &Program,
    mut config: Config<M>,
    edge: &Edge,
    stuck: Stuck,
    enter: impl Fn(Config<M>, crate::cfa::FunctionId, &[M::Value]) -> Outcome<Config<M>, Reason>,
) -> Successors<M> {
    let beyond = config.memory.beyond();
    if beyond == Beyond::Never {
        return smallvec![Outcome::Stuck(config, stuck)];
    }
    config.memory.go_outside();
    let mut operands = Evaluation::new();
    let go_on = |mut config: Config<M>| {
        config.top_mut().at = edge.target;
        Outcome::Next(config, Reason::Plain)
    };
    // What else may happen is not followed.
    let unless_all = |config: Config<M>, rest: &Config<M>| -> Successors<M> {
        match beyond {
            Beyond::AllWays => smallvec![go_on(config), Outcome::Stuck(rest.clone(), stuck.clone())],
            Beyond::OneWay | Beyond::Never => smallvec![go_on(config)],
        }
    };
    match &edge.op {
        Op::Load { dst, addr } => {
            let address = operands.value(&mut config, addr);
            let width = program.function(config.top().function).regs[dst.index()].width;
            let given = config.memory.nondet(&NondetKind::External(OUTSIDE.into()), width.next_multiple_of(8));
            split(
                config,
                |memory| memory.load_outside(&address, &given),
                |mut config, value| {
                    let value = fit(&mut config.memory, value, width);
                    config.top_mut().regs[dst.index()] = Some(value);
                    go_on(config)
                },
            )
        }
        Op::Store { addr, value } => {
            let address = operands.value(&mut config, addr);
            let value = operands.value(&mut config, value);
            split(config, |memory| memory.store_outside(&address, &value), |config, ()| go_on(config))
        }
        Op::Set { dst, size, .. } | Op::Havoc { dst, size, .. } => {
            let to = operands.value(&mut config, dst);
            let size = operands.value(&mut config, size);
            let byte = match &edge.op {
                Op::Set { byte, .. } => Some(operands.value(&mut config, byte)),
                _ => None,
            };
            split(config, |memory| memory.fill_outside(&to, byte.as_ref(), &size), |config, ()| go_on(config))
        }
        Op::Copy { dst, src, size } if beyond == Beyond::OneWay => {
            let (to, from) = (operands.value(&mut config, dst), operands.value(&mut config, src));
            let size = operands.value(&mut config, size);
            split(config, |memory| memory.copy_outside(&to, &from, &size), |config, ()| go_on(config))
        }
        Op::Copy { dst, size, .. } => {
            let to = operands.value(&mut config, dst);
            let size = operands.value(&mut config, size);
            let before = config.clone();
            let mut successors = Successors::new();
            for outcome in split(config, |memory| memory.havoc(&to, &size), |config, ()| go_on(config)) {
                match outcome {
                    Outcome::Next(..) => successors.push(outcome),
                    // It is the target that lies outside; what goes there may be an address of an object of the program.
                    _ => return unless_all(before.clone(), &before),
                }
            }
            successors
        }
        Op::Find { dst, .. } if beyond == Beyond::AllWays => {
            let width = program.function(config.top().function).regs[dst.index()].width;
            let found = config.memory.nondet(&NondetKind::External(OUTSIDE.into()), width);
            config.top_mut().regs[dst.index()] = Some(found);
            unless_all(config.clone(), &config)
        }
        Op::Free { .. } => {
            config.memory.doubt("a block that is not there is freed");
            unless_all(config.clone(), &config)
        }
        Op::Call { dst, callee: Callee::Indirect(_), args } => {
            let args: Vec<_> = args.iter().map(|arg| operands.value(&mut config, arg)).collect();
            let mut successors = Successors::new();
            if beyond == Beyond::AllWays {
                let result = dst.map(|dst| program.function(config.top().function).regs[dst.index()].width);
                for target in &program.addressed {
                    let function = program.function(*target);
                    let fits =
                        function.accepts(args.len()) && result.is_none_or(|width| function.result_width == Some(width));
                    if fits {
                        successors.push(enter(config.clone(), *target, &args));
                    }
                }
            }
            if let Some(dst) = dst {
                let width = program.function(config.top().function).regs[dst.index()].width;
                let value = config.memory.nondet(&NondetKind::External(OUTSIDE.into()), width);
                config.top_mut().regs[dst.index()] = Some(value);
            }
            successors.push(go_on(config));
            successors
        }
        _ => smallvec![Outcome::Stuck(config, stuck)],
    }
}
