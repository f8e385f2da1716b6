//! From a state back to inputs of a concrete run that leads to it.

use super::context::SymbolKind;
use super::graph::{Event, Smg};
use crate::memory::Inputs;
use crate::smt::{Sat, SymId, Term};

/// Whether a state can be reached.
#[derive(Clone, Debug)]
pub enum Feasibility {
    /// A run on these inputs should lead here.
    Feasible(Inputs),
    Infeasible,
    /// The solver gave no answer.
    Unclear(String),
}

/// Asks the solver for values of everything the run to `memory` was given.
pub fn feasible_inputs(memory: &Smg) -> Feasibility {
    let context = memory.context();
    let terms = &context.terms;
    let mut query: Vec<Term> = memory
        .history
        .iter()
        .filter_map(|event| match event {
            Event::Assumed(condition) => Some(*condition),
            _ => None,
        })
        .collect();
    memory.store.add_bounds(context, &mut query);
    let model = match context.solver.borrow_mut().check(terms, &query, context.effort()) {
        Sat::Sat(model) => model,
        Sat::Unsat => return Feasibility::Infeasible,
        Sat::Unknown(why) => return Feasibility::Unclear(why),
    };
    let values = |symbol: SymId| match model.value(symbol) {
        Some(value) => value,
        None => default_value(memory, symbol),
    };
    let mut inputs = Inputs::default();
    for event in &memory.history {
        match *event {
            Event::Input(value) => inputs.values.push(terms.evaluate(value, &values)),
            Event::Content { block, offset, bytes, value } => {
                let value = terms.evaluate(value, &values);
                for byte in 0..bytes {
                    let bits = (value >> (8 * byte)) as u8;
                    if bits != 0 {
                        inputs.bytes.insert((block.0, offset + u64::from(byte)), bits);
                    }
                }
            }
            Event::Assumed(_) => {}
        }
    }
    Feasibility::Feasible(inputs)
}

/// A value for a symbol no constraint speaks of.
fn default_value(memory: &Smg, symbol: SymId) -> u128 {
    match memory.context().kind(symbol) {
        Some(SymbolKind::Address(_)) => 4096,
        _ => 0,
    }
}
