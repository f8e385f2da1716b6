//! Numbers that runs have at loop heads: the clauses of a program are followed with values for what they do not say.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::clauses::{Clause, Clauses, Predicate};
use crate::base::work;
use crate::smt::{SymId, Term, Terms, to_signed};

/// Runs that are followed, and how far each.
const RUNS: usize = 60;
const LONGEST: usize = 12;

/// Steps from points that are known, in turn from each predicate, and how many points are kept of one.
const STEPS: usize = 16_000;
const MOST_POINTS: usize = 150;

/// Values that are tried for what a clause does not say.
const TRIES: usize = 6;

/// Terms that are evaluated.
const MOST_WORK: usize = 1 << 21;

/// By predicate, distinct values of its arguments in some runs. Those that may have come about by wrapping around are left out.
pub struct Samples(pub Vec<BTreeSet<Vec<u128>>>);

impl Samples {
    /// Of a program's clauses.
    pub fn of(clauses: &Clauses) -> Self {
        let mut points = Points::new(clauses);
        let mut sampler = Sampler::new(clauses, MOST_WORK);
        for _ in 0..RUNS {
            let mut at = (None, Vec::new());
            for _ in 0..LONGEST {
                let Some((to, values)) = sampler.step(clauses, at.0, &at.1) else { break };
                points.add(to, &values);
                at = (Some(to), values);
            }
        }
        // What comes late in a program is far from its start.
        sampler.left = MOST_WORK;
        let mut tried = vec![0_usize; clauses.predicates.len()];
        for _ in 0..STEPS {
            let known = (0..tried.len()).filter(|index| !points.listed[*index].is_empty());
            let Some(from) = known.min_by_key(|index| tried[*index]) else { break };
            let turn = tried[from];
            tried[from] += 1;
            // Each is gone on from once before any is again.
            let count = points.listed[from].len();
            let chosen = if turn < count { turn } else { sampler.below(count as u64) as usize };
            let values = points.listed[from][chosen].clone();
            match sampler.step(clauses, Some(from), &values) {
                Some((to, values)) if points.listed[to].len() < MOST_POINTS => points.add(to, &values),
                Some(_) => {}
                None if sampler.left == 0 => break,
                None => {}
            }
        }
        Self(points.distinct)
    }

    /// What a term of the arguments of a predicate is at a point.
    pub fn value(&self, clauses: &Clauses, predicate: usize, point: &[u128], t: Term) -> u128 {
        let terms = &clauses.context.terms;
        let arguments = &clauses.predicates[predicate].arguments;
        let place = |symbol: SymId| arguments.iter().position(|argument| terms.as_symbol(*argument) == Some(symbol));
        terms.evaluate(t, &|symbol| place(symbol).map_or(0, |place| point[place]))
    }

    /// Whether a condition on the arguments of a predicate holds at all points.
    pub fn allow(&self, clauses: &Clauses, predicate: usize, condition: Term) -> bool {
        self.0[predicate].iter().all(|point| self.value(clauses, predicate, point, condition) == 1)
    }
}

/// Distinct values of the arguments of each predicate, and the same in the order in which they came up.
struct Points {
    distinct: Vec<BTreeSet<Vec<u128>>>,
    listed: Vec<Vec<Vec<u128>>>,
    widths: Vec<Vec<u32>>,
}

impl Points {
    fn new(clauses: &Clauses) -> Self {
        let count = clauses.predicates.len();
        let terms = &clauses.context.terms;
        let widths =
            |predicate: &Predicate| predicate.arguments.iter().map(|argument| terms.width(*argument)).collect();
        Self {
            distinct: vec![BTreeSet::new(); count],
            listed: vec![Vec::new(); count],
            widths: clauses.predicates.iter().map(widths).collect(),
        }
    }

    fn add(&mut self, to: usize, values: &[u128]) {
        let is_small =
            |(value, width): (&u128, &u32)| to_signed(*value, *width).unsigned_abs() < 1 << (width / 2).max(15);
        if values.iter().zip(&self.widths[to]).all(is_small) && self.distinct[to].insert(values.to_vec()) {
            self.listed[to].push(values.to_vec());
        }
    }
}

/// A clause with what following it takes.
struct Followed<'c> {
    clause: &'c Clause,
    /// All that it speaks of besides the arguments.
    others: Vec<SymId>,
    /// How many terms.
    size: usize,
}

impl<'c> Followed<'c> {
    fn new(clauses: &Clauses, clause: &'c Clause) -> Self {
        let terms = &clauses.context.terms;
        let values = clause.to.iter().flat_map(|(_, values)| values);
        let all: Vec<Term> = clause.guard.iter().chain(values).copied().collect();
        let own = clause.from.map_or(&[][..], |from| clauses.predicates[from].arguments.as_slice());
        let symbols: BTreeSet<SymId> = all.iter().flat_map(|part| terms.symbols_of(*part).to_vec()).collect();
        let others = symbols.into_iter().filter(|symbol| !own.contains(&terms.symbol_term(*symbol))).collect();
        Self { clause, others, size: terms.reachable(&all).len() }
    }
}

struct Sampler<'c> {
    terms: &'c Terms,
    clauses: Vec<Followed<'c>>,
    /// The state of a generator: the same values for the same program.
    random: u64,
    /// What may still be evaluated.
    left: usize,
}

impl<'c> Sampler<'c> {
    fn new(clauses: &'c Clauses, left: usize) -> Self {
        let followed = clauses.clauses.iter().filter(|clause| clause.to.is_some());
        Self {
            terms: &clauses.context.terms,
            clauses: followed.map(|clause| Followed::new(clauses, clause)).collect(),
            random: 1,
            left,
        }
    }

    fn below(&mut self, count: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % count
    }

    /// Mostly small numbers: these are what programs do most with before they end.
    fn value(&mut self) -> u128 {
        match self.below(8) {
            0..3 => self.below(4).into(),
            3..6 => self.below(9).into(),
            6 => self.below(40).into(),
            _ => u128::from(self.below(20)).wrapping_neg(),
        }
    }

    /// On from a predicate with these arguments, by one of the clauses that can be taken.
    fn step(&mut self, clauses: &Clauses, from: Option<usize>, values: &[u128]) -> Option<(usize, Vec<u128>)> {
        let mut ways: Vec<usize> =
            (0..self.clauses.len()).filter(|index| self.clauses[*index].clause.from == from).collect();
        let own = from.map_or(&[][..], |from| clauses.predicates[from].arguments.as_slice());
        while !ways.is_empty() {
            let next = self.below(ways.len() as u64) as usize;
            let way = ways.swap_remove(next);
            for _ in 0..TRIES {
                let chosen: FxHashMap<SymId, u128> = (0..self.clauses[way].others.len())
                    .map(|index| (self.clauses[way].others[index], self.value()))
                    .collect();
                let Followed { clause, others, size } = &self.clauses[way];
                let Some(left) = self.left.checked_sub(*size) else {
                    self.left = 0;
                    return None;
                };
                self.left = left;
                work::charge(*size as u64 / 8);
                let given = own.iter().zip(values).filter_map(|(t, value)| Some((self.terms.as_symbol(*t)?, *value)));
                let all: FxHashMap<SymId, u128> = chosen.into_iter().chain(given).collect();
                let value = |symbol: SymId| all.get(&symbol).copied().unwrap_or(0);
                if self.terms.evaluate_all(&clause.guard, &value).into_iter().all(|part| part == 1) {
                    let (to, values) = clause.to.as_ref()?;
                    return Some((*to, self.terms.evaluate_all(values, &value)));
                }
                if others.is_empty() {
                    break;
                }
            }
        }
        None
    }
}
