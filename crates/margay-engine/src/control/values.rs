//! Explicit values: numbers that a run has computed are distinguished, of all others only bounds at constants of the program are
//! kept. So runs that differ in what they were given meet again at once. Conditions on inputs are forgotten at first, and so is
//! what relates numbers; where they are kept, so are the distances between numbers that count without end.
//!
//! Source: the explicit-value analysis of CPAchecker (Beyer, Löwe: Explicit-State Software Model Checking Based on CEGAR and
//! Interpolation, FASE'13), which does best on programs that react to events.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::clauses::is_address;
use super::loose::{Loose, Loosening};
use crate::cfa::Program;
use crate::explore::{Hole, Shape, Shapes, blind, forget_numbers_of_the_past, thresholds};
use crate::heap::{KeptCells, State, values};
use crate::memory::Checks;
use crate::numeric::Thresholds;
use crate::smt::{SymId, Term, Terms};

/// So many values of one variable at one place are distinguished.
const MOST_VALUES: usize = 40;

/// A variable that has had more of them may count: where it is no longer distinguished, its distances from others that count are.
const FEW_VALUES: usize = 8;

/// So many distances of one variable from another are distinguished.
const MOST_DISTANCES: usize = 8;

/// How much of numbers is kept.
pub struct Values {
    /// Bounds worth stopping at.
    thresholds: Thresholds,
    /// What was assumed of numbers that are still there is kept, not only bounds, and constant distances between numbers.
    keeps_conditions: bool,
}

impl Values {
    /// The domain for a program.
    pub fn domain(program: &Program, checks: Checks, keeps_conditions: bool) -> Loose<'_, Values> {
        let loosening = Values { thresholds: thresholds(program), keeps_conditions };
        Loose { shapes: Shapes::new(program, checks), loosening }
    }
}

/// The numbers met at one place: by what the states are but for their numbers, and by the place of the number.
#[derive(Default)]
pub struct Met(FxHashMap<Shape, Vec<Seen>>);

/// What one number has been.
#[derive(Default)]
struct Seen {
    values: FxHashSet<Term>,
    /// From another number.
    distances: FxHashSet<u128>,
}

impl Seen {
    fn has_value(&mut self, value: Term) {
        if self.values.len() <= MOST_VALUES {
            self.values.insert(value);
        }
    }

    /// Whether it is still distinguished how far it is from another number, now that it is `distance`.
    fn distinguishes(&mut self, distance: u128) -> bool {
        if distance != 0 && self.distances.len() <= MOST_DISTANCES {
            self.distances.insert(distance);
        }
        distance == 0 || self.distances.len() <= MOST_DISTANCES
    }
}

/// A number, where it stands in the walk, and how far it is from the symbol of its group.
type Member = (usize, Hole, u128);

/// Numbers of one width that are one symbol but for constants, or that are constants and have been many.
struct Group {
    members: Vec<Member>,
    /// Its symbol is itself a member, or no constant of it has been too many.
    stays: bool,
}

/// What becomes of the numbers of a state.
#[derive(Default)]
struct Plan {
    /// Groups whose members become a new symbol and their distances from the first.
    unknown: Vec<Vec<Member>>,
    /// Symbols that stay.
    plain: FxHashSet<Term>,
}

impl Values {
    fn plan(&self, met: &mut Vec<Seen>, terms: &Terms, holes: Vec<Hole>) -> Plan {
        met.resize_with(holes.len().max(met.len()), Seen::default);
        let few = if self.keeps_conditions { FEW_VALUES } else { MOST_VALUES };
        let mut groups: BTreeMap<(Option<Term>, u32), Group> = BTreeMap::new();
        let mut plan = Plan::default();
        for (at, hole) in holes.into_iter().enumerate() {
            let of = from_symbol(terms, hole.number);
            if let Some((None, _)) = of {
                met[at].has_value(hole.number);
                // Where a pointer leads has to stay a number.
                if met[at].values.len() <= few || hole.base.is_some() {
                    continue;
                }
            }
            match of {
                Some((symbol, distance)) if self.keeps_conditions && hole.base.is_none() => {
                    let group = groups
                        .entry((symbol, terms.width(hole.number)))
                        .or_insert_with(|| Group { members: Vec::new(), stays: symbol.is_none() });
                    group.stays = match symbol {
                        Some(_) => group.stays || distance == 0,
                        None => group.stays && met[at].values.len() <= MOST_VALUES,
                    };
                    group.members.push((at, hole, distance));
                }
                _ => plan.unknown.push(vec![(at, hole, 0)]),
            }
        }
        for ((symbol, _), Group { members, stays }) in groups {
            // Constants that stay are not touched; a symbol that stays is what its group is distinguished from.
            let from = match symbol {
                None if stays => continue,
                Some(symbol) if stays => {
                    plan.plain.insert(symbol);
                    0
                }
                _ => members[0].2,
            };
            let (near, far): (Vec<Member>, Vec<Member>) =
                members.into_iter().partition(|(at, _, distance)| met[*at].distinguishes(distance.wrapping_sub(from)));
            plan.unknown.extend(far.into_iter().map(|member| vec![member]));
            if !stays {
                plan.unknown.push(near);
            }
        }
        plan
    }

    /// Bounds of `number` in `state`, at thresholds.
    fn bounds(&self, state: &State, number: Term) -> (i128, i128) {
        let context = state.memory.context();
        let bounds = state.memory.store.signed_range(context, number);
        self.thresholds.snap(bounds, context.terms.width(number))
    }
}

impl Loosening for Values {
    type History = Met;

    fn loosen(&self, met: &mut Met, state: &mut State) {
        let context = state.memory.context().clone();
        let roots = values(state);
        state.memory.forget_cells(&roots, |_| KeptCells::Written);
        state.memory.collect_garbage(&mut roots.iter());
        let (shape, holes) = blind(state, false);
        let Plan { unknown, plain } = self.plan(met.0.entry(shape).or_default(), &context.terms, holes);
        let bounds: Vec<(i128, i128)> = unknown.iter().map(|members| self.bounds(state, members[0].1.number)).collect();
        // The same number in two places is the same number.
        let is_kept =
            |symbol: &SymId| is_address(&context, *symbol) || plain.contains(&context.terms.symbol_term(*symbol));
        state.memory.weaken(&|constraint| context.terms.symbols_of(constraint).iter().all(is_kept));
        let is_changed = !unknown.is_empty();
        for (members, (low, high)) in unknown.into_iter().zip(bounds) {
            let (_, first, from) = members[0];
            let width = context.terms.width(first.number);
            let symbol = state.memory.forgotten(width);
            for (_, hole, distance) in members {
                let distance = context.terms.constant(distance.wrapping_sub(from), width);
                hole.put(state, context.terms.add(symbol, distance));
            }
            let (least, most) = (context.terms.signed_constant(low, width), context.terms.signed_constant(high, width));
            for bound in [context.terms.sle(least, symbol), context.terms.sle(symbol, most)] {
                if context.terms.as_const(bound).is_none() {
                    state.memory.store.assume(&context, bound);
                }
            }
        }
        let roots = values(state);
        if is_changed {
            state.memory.collect_garbage(&mut roots.iter());
        }
        forget_numbers_of_the_past(&mut state.memory, &roots);
    }
}

/// `number` as the sum of a symbol and a constant, or of nothing and a constant.
fn from_symbol(terms: &Terms, number: Term) -> Option<(Option<Term>, u128)> {
    let sum = terms.linear(number);
    match sum.parts[..] {
        [] => Some((None, sum.constant)),
        [(1, symbol)] if terms.as_symbol(symbol).is_some() => Some((Some(symbol), sum.constant)),
        _ => None,
    }
}
