//! The configuration a program starts in.

use std::rc::Rc;

use super::effects::constant;
use super::evaluate::Evaluation;
use super::{BlockKind, BlockSpec, Config, Frame, Memory, Origin, Outcome, Site, Stuck};
use crate::base::span::Span;
use crate::cfa::{Bits, Content, GlobalId, Object, Program};

/// Globals created in order and initialised, one frame at the entry of `program.start`.
///
/// # Errors
/// An initialiser that the memory could not carry out.
pub fn initial<M: Memory>(program: &Program, mut memory: M) -> Result<Config<M>, Stuck> {
    let pointer_bits = program.model.pointer_bits();
    let blocks: Vec<_> = program
        .globals
        .iter()
        .enumerate()
        .map(|(index, global)| {
            let size = memory.constant(Bits::new(global.size.into(), pointer_bits));
            memory.create(BlockSpec {
                kind: if global.read_only { BlockKind::Literal } else { BlockKind::Static },
                size,
                align: global.align,
                zeroed: matches!(global.content, Content::Initialised(_)),
                origin: Origin { site: Site::Global(GlobalId::from_index(index)), name: Rc::from(&*global.name) },
            })
        })
        .collect();
    let start = program.function(program.start);
    let frame = Frame::new(program, program.start, None, Span::default());
    debug_assert!(start.params.is_empty());
    let mut config = Config { memory, frames: vec![Rc::new(frame)], globals: blocks.into() };
    for (index, global) in program.globals.iter().enumerate() {
        let Content::Initialised(writes) = &global.content else { continue };
        let object = crate::cfa::Expr::Address(Object::Global(GlobalId::from_index(index)), pointer_bits);
        for (offset, value) in writes {
            let mut operands = Evaluation::new();
            let base = operands.value(&mut config, &object);
            let offset = constant(&mut config.memory, *offset, pointer_bits);
            let address = config.memory.binary(crate::cfa::BinOp::Add, &base, &offset);
            let value = operands.value(&mut config, value);
            if operands.traps(&config.memory) != Some(false) {
                return Err(Stuck::undefined(format!("the initialiser of `{}` divides by zero", global.name)));
            }
            let block = config.globals[index];
            config.memory = initialise(config.memory, block, &address, &value)
                .ok_or_else(|| Stuck::tool(format!("the initialiser of `{}` does not fit it", global.name)))?;
        }
    }
    Ok(config)
}

/// Stores an initial value, into a read-only block too.
fn initialise<M: Memory>(memory: M, block: super::BlockId, address: &M::Value, value: &M::Value) -> Option<M> {
    let mut outcomes = memory.initialise(block, address, value);
    match (outcomes.pop(), outcomes.is_empty()) {
        (Some(Outcome::Next(memory, ())), true) => Some(memory),
        _ => None,
    }
}
