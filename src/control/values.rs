//! Explicit values: numbers that a run has computed are told apart, of all others only bounds at constants of the program are
//! kept, and nothing relates one to another. So runs that differ in what they were given meet again at once.
//!
//! Source: the explicit-value analysis of CPAchecker (Beyer, Löwe: Explicit-State Software Model Checking Based on CEGAR and
//! Interpolation, FASE'13), which does best on programs that react to events.

use rustc_hash::{FxHashMap, FxHashSet};

use super::clauses::is_address;
use super::loose::{Loose, Loosening};
use crate::cfa::Program;
use crate::explore::{Hole, Shape, Shapes, blind, forget_numbers_of_the_past, thresholds};
use crate::heap::{State, values};
use crate::memory::Checks;
use crate::numeric::snap;
use crate::smt::{SymId, Term};

/// So many values of one variable at one place are told apart.
const MOST_VALUES: usize = 40;

/// How much of numbers is kept.
pub struct Values {
    /// Bounds worth stopping at, ascending.
    thresholds: Vec<i128>,
    /// What was assumed of numbers that are still there is kept, not only bounds.
    keeps_conditions: bool,
}

impl Values {
    /// The domain for a program.
    pub fn domain(program: &Program, checks: Checks, keeps_conditions: bool) -> Loose<'_, Values> {
        let loosening = Values { thresholds: thresholds(program), keeps_conditions };
        Loose { shapes: Shapes::new(program, checks), loosening }
    }
}

/// The values met at one place: by what the states are but for their numbers, and by the place of the number.
#[derive(Default)]
pub struct Met(FxHashMap<Shape, Vec<FxHashSet<Term>>>);

impl Loosening for Values {
    type History = Met;

    fn loosen(&self, met: &mut Met, state: &mut State) {
        let context = state.memory.context().clone();
        let roots = values(state);
        state.memory.forget_far_edges(&roots);
        state.memory.collect_garbage(&mut roots.iter());
        let (shape, holes) = blind(state, false);
        let met = met.0.entry(shape).or_default();
        met.resize_with(holes.len().max(met.len()), FxHashSet::default);
        let mut unknown: Vec<(Hole, (i128, i128))> = Vec::new();
        let mut plain: FxHashSet<Term> = FxHashSet::default();
        for (hole, met) in holes.into_iter().zip(met) {
            let number = hole.number;
            if context.terms.as_const(number).is_some() {
                if met.len() <= MOST_VALUES {
                    met.insert(number);
                }
                // Where a pointer leads has to stay a number.
                if met.len() <= MOST_VALUES || hole.base.is_some() {
                    continue;
                }
            } else if self.keeps_conditions && context.terms.as_symbol(number).is_some() && hole.base.is_none() {
                plain.insert(number);
                continue;
            }
            let bounds = state.memory.store.signed_range(&context, number);
            unknown.push((hole, snap(&self.thresholds, bounds, context.terms.width(number))));
        }
        // The same number in two places is the same number.
        let is_kept =
            |symbol: &SymId| is_address(&context, *symbol) || plain.contains(&context.terms.symbol_term(*symbol));
        state.memory.weaken(&|constraint| context.terms.symbols_of(constraint).iter().all(is_kept));
        for (hole, (low, high)) in unknown {
            let width = context.terms.width(hole.number);
            let symbol = state.memory.forgotten(width);
            hole.put(state, symbol);
            let (least, most) = (context.terms.signed_constant(low, width), context.terms.signed_constant(high, width));
            for bound in [context.terms.sle(least, symbol), context.terms.sle(symbol, most)] {
                if context.terms.as_const(bound).is_none() {
                    state.memory.store.assume(&context, bound);
                }
            }
        }
        let roots = values(state);
        state.memory.collect_garbage(&mut roots.iter());
        forget_numbers_of_the_past(&mut state.memory, &roots);
    }
}
