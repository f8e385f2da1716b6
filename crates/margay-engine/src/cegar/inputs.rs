//! From a state back to inputs of a concrete run that leads to it.

use crate::heap::{Event, Smg, SymbolKind};
use crate::memory::rules::NULL_PAGE;
use crate::memory::{Inputs, RECEIVED, outside_address};
use crate::smt::{Sat, SymId, Term};

/// Whether a state can be reached.
#[derive(Clone, Debug)]
pub enum PathFeasibility {
    /// A run on these inputs should lead here.
    Feasible(Inputs),
    /// No run leads here.
    Infeasible,
    /// The solver gave no answer.
    Unclear(String),
}

/// Asks the solver for values of everything the run to `memory` was given.
pub fn feasible_inputs(memory: &Smg) -> PathFeasibility {
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
    let outside = places_outside(memory);
    if !outside.is_empty() {
        // Memory from outside lies apart, as long as the program does not compare.
        query.extend(&outside.valid);
        let apart: Vec<Term> = query.iter().chain(&outside.apart).copied().collect();
        if let Sat::Sat(_) = context.solver.borrow_mut().check(terms, &apart, context.effort()) {
            query = apart;
        } else {
            for place in outside.apart.iter().take(MOST_PLACES) {
                query.push(*place);
                let fits = matches!(context.solver.borrow_mut().check(terms, &query, context.effort()), Sat::Sat(_));
                if !fits {
                    query.pop();
                }
            }
        }
    }
    let model = match context.solver.borrow_mut().check(terms, &query, context.effort()) {
        Sat::Sat(model) => model,
        Sat::Unsat => return PathFeasibility::Infeasible,
        Sat::Unknown(why) => return PathFeasibility::Unclear(why),
    };
    let values = |symbol: SymId| match model.value(symbol) {
        Some(value) => value,
        None => default_value(memory, symbol),
    };
    let mut inputs = Inputs::default();
    // Where parts of the input were received, in order.
    let mut received: Vec<(u128, u128)> = Vec::new();
    for event in &memory.history {
        match *event {
            Event::Input(value) => inputs.values.push(terms.evaluate(value, &values)),
            Event::Content { block, offset, bytes, value } => {
                let value = terms.evaluate(value, &values);
                let start = memory.object(block).map(|object| terms.evaluate(object.address, &values));
                for byte in 0..bytes {
                    let bits = (value >> (8 * byte)) as u8;
                    let at = offset + u64::from(byte);
                    let holds = |(first, size): &(u128, u128)| {
                        start.is_some_and(|start| (start + u128::from(at)).wrapping_sub(*first) < *size)
                    };
                    let part = received.iter().rposition(holds);
                    let source = part.map_or(block.0, |part| RECEIVED | part as u32);
                    if bits != 0 {
                        inputs.bytes.entry((source, at)).or_insert(bits);
                    }
                }
            }
            Event::Received { to, size } => {
                let (to, size) = (terms.evaluate(to, &values), terms.evaluate(size, &values));
                if size > 0 {
                    received.push((to, size));
                }
            }
            Event::Assumed(_) | Event::Outside(_) => {}
        }
    }
    PathFeasibility::Feasible(inputs)
}

/// So many places are looked for one by one.
const MOST_PLACES: usize = 24;

/// Where memory from outside can lie.
#[derive(Default)]
struct Outside {
    /// No address is one of the null page.
    valid: Vec<Term>,
    /// A place of its own for what is behind each symbol.
    apart: Vec<Term>,
}

impl Outside {
    fn is_empty(&self) -> bool {
        self.valid.is_empty()
    }
}

fn places_outside(memory: &Smg) -> Outside {
    let context = memory.context();
    let terms = &context.terms;
    let mut outside = Outside::default();
    let mut seen: Vec<SymId> = Vec::new();
    let bits = context.model.pointer_bits();
    for event in &memory.history {
        let Event::Outside(address) = *event else { continue };
        outside.valid.push(terms.ule(terms.constant(NULL_PAGE.into(), bits), address));
        let symbols = terms.symbols_of(address);
        let Some(base) = symbols.iter().copied().find(|symbol| terms.width(terms.symbol_term(*symbol)) == bits) else {
            continue;
        };
        if !seen.contains(&base) {
            seen.push(base);
            let place = outside_address(seen.len() as u64, bits);
            outside.apart.push(terms.eq(terms.symbol_term(base), terms.constant(place.into(), bits)));
        }
    }
    outside
}

/// A value for a symbol no constraint speaks of.
fn default_value(memory: &Smg, symbol: SymId) -> u128 {
    match memory.context().kind(symbol) {
        Some(SymbolKind::Address(_)) => NULL_PAGE.into(),
        _ => 0,
    }
}
