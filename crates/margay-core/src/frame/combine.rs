//! What a caller goes on with when the function has returned.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::caller_stubs::STUB_RESULT;
use super::callgraph::Calls;
use super::renaming::Renaming;
use super::split::Caller;
use crate::cfa::Conversion;
use crate::heap::State;
use crate::memory::{Memory, forget_dead};
use crate::smt::SymId;

impl Calls {
    /// The caller's state after the function has ended in `exit`; `None` where the two contradict each other.
    ///
    /// # Errors
    /// The exit belongs to no entry that covers the caller's.
    pub fn combine(&self, caller: &Caller, exit: &State) -> Result<Option<State>, Rc<str>> {
        let outside = exit.top();
        if outside.regs.len() != 1 + caller.shared.len() + usize::from(caller.has_heap) {
            return Err("a function's exit does not fit its call".into());
        }
        let mut state = caller.state.clone();
        let context = state.memory.context().clone();
        let terms = &context.terms;
        let mut renaming = Renaming::new(&exit.memory, &exit.globals, &state.memory);
        if caller.has_heap {
            let address = outside.regs.last().copied().flatten();
            let block = address.and_then(|address| exit.memory.points_to.get(&terms.as_symbol(address)?).copied());
            renaming.kept_back.insert(block.ok_or("the caller's heap is lost")?);
        }
        let mut equal = Vec::new();
        for (shared, value) in caller.shared.iter().zip(&outside.regs[1..]) {
            let value = value.ok_or("a shared value is lost")?;
            match terms.as_symbol(value) {
                Some(symbol) if !renaming.symbols.contains_key(&symbol) => {
                    match (exit.memory.points_to.get(&symbol), shared.block) {
                        (Some(block), Some(own)) => renaming.blocks.insert(*block, own),
                        (None, None) => None,
                        _ => return Err("a shared address lost its block".into()),
                    };
                    renaming.symbols.insert(symbol, shared.value);
                }
                _ => equal.push((value, shared.value)),
            }
        }
        let tied: FxHashSet<SymId> = renaming.symbols.keys().copied().collect();
        renaming.blocks_apart(&mut state.memory);
        renaming.objects(&mut state.memory);
        let mut conditions = Vec::new();
        for &constraint in exit.memory.store.constraints() {
            let renamed = renaming.term(&mut state.memory, constraint);
            if terms.symbols_of(constraint).iter().any(|symbol| tied.contains(symbol)) {
                conditions.push(renamed);
            } else {
                state.memory.store.assume(&context, renamed);
            }
        }
        for (inside, outside) in equal {
            let inside = renaming.term(&mut state.memory, inside);
            conditions.push(terms.eq(inside, outside));
        }
        for condition in conditions {
            match state.memory.restrict(condition) {
                Some(memory) => state.memory = memory,
                None => return Ok(None),
            }
        }
        if let Some(dst) = caller.result {
            let width = self.program().function(state.top().function).regs[dst.index()].width;
            let value = outside.regs[STUB_RESULT.index()].map(|value| {
                let value = renaming.term(&mut state.memory, value);
                let shorter = terms.width(value) > width;
                let conversion = if shorter { Conversion::Truncate } else { Conversion::ZeroExtend };
                state.memory.convert(conversion, width, &value)
            });
            state.top_mut().regs[dst.index()] = value;
        }
        forget_dead(self.program(), &mut state);
        Ok(Some(state))
    }
}
