//! What every state of a proof has to fulfil before it means anything: ids that exist, graphs that are consistent, symbols where
//! they may stand. States of an exploration are like this by construction; states read from a file may be anything.

use std::collections::BTreeSet;

use crate::base::error::ensure;
use crate::cfa::Program;
use crate::frame::CallerStubs;
use crate::heap::{Smg, State, WellFormed, well_formed_object, well_formed_symbol, well_formed_terms};
use crate::memory::{BlockId, Frame};
use crate::smt::{SymId, Term};

/// Whether `state` is one of `program` that the transfer functions can go on from.
///
/// # Errors
/// What is wrong with it.
pub(super) fn well_formed(caller_stubs: &CallerStubs, state: &State) -> WellFormed {
    let program = caller_stubs.program();
    let memory = &state.memory;
    let context = memory.context();
    let numbers = [memory.next_block, memory.next_input, memory.next_forgotten];
    ensure(numbers.iter().all(|number| *number < u32::MAX / 2), || "it counts too far".into())?;
    ensure(!state.frames.is_empty(), || "there is no frame".into())?;
    ensure(state.globals.len() == program.globals.len(), || "the globals are not the program's".into())?;
    let known = |block: &BlockId| memory.object(*block).is_some();
    ensure(state.globals.iter().all(known), || "a global has no object".into())?;
    let mut symbols: BTreeSet<SymId> = BTreeSet::new();
    for (index, frame) in state.frames.iter().enumerate() {
        let caller = index.checked_sub(1).map(|index| state.frames[index].as_ref());
        let is_outside = index == 0 && caller_stubs.is_outside(frame.function);
        well_formed_frame(program, memory, frame, caller, is_outside)?;
        for value in frame.regs.iter().flatten() {
            symbols.extend(context.terms.symbols_of(*value).iter().copied());
        }
    }
    for (&block, object) in &memory.objects {
        well_formed_object(memory, block, object).map_err(|why| format!("{why} (object {})", block.0))?;
        well_formed_terms(context, object, &mut symbols).map_err(|why| format!("{why} (object {})", block.0))?;
    }
    for (symbol, block) in &memory.points_to {
        let owns = memory.object(*block).is_some_and(|object| context.terms.as_symbol(object.address) == Some(*symbol));
        ensure(owns, || format!("a points-to edge leads to object {}, whose address is another one", block.0))?;
    }
    for constraint in memory.store.constraints() {
        ensure(context.terms.width(*constraint) == 1, || "a constraint is no condition".into())?;
        symbols.extend(context.terms.symbols_of(*constraint).iter().copied());
    }
    symbols.iter().try_for_each(|symbol| well_formed_symbol(program, memory, *symbol))
}

fn well_formed_frame(
    program: &Program,
    memory: &Smg,
    frame: &Frame<Term>,
    caller: Option<&Frame<Term>>,
    is_outside: bool,
) -> WellFormed {
    let function = program
        .functions
        .get(frame.function.index())
        .ok_or_else(|| format!("there is no function {}", frame.function.0))?;
    ensure(frame.at.index() < function.locations.len(), || {
        format!("`{}` has no location {}", function.name, frame.at.0)
    })?;
    // The outside of a function shares values besides the result.
    let has_registers =
        frame.regs.len() == function.regs.len() || (is_outside && frame.regs.len() > function.regs.len());
    ensure(has_registers && frame.slots.len() == function.slots.len(), || {
        format!("a frame of `{}` has other variables", function.name)
    })?;
    let terms = &memory.context().terms;
    for (value, decl) in frame.regs.iter().zip(&function.regs) {
        ensure(value.is_none_or(|value| terms.width(value) == decl.width), || {
            format!("a variable of `{}` has a value of another width", function.name)
        })?;
    }
    let mut blocks = frame.slots.iter().flatten().chain(&frame.allocas);
    ensure(blocks.all(|block| memory.object(*block).is_some()), || "a variable has no object".into())?;
    match (frame.result, caller) {
        (None, _) => Ok(()),
        (Some(reg), Some(caller)) => {
            let count = program.functions.get(caller.function.index()).map_or(0, |function| function.regs.len());
            ensure(reg.index() < count, || "a result goes to no variable".into())
        }
        (Some(_), None) => Err("the outermost frame has a caller".into()),
    }
}
