//! What a solver is: it decides whether a conjunction of booleans has a model.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::fold::mask;
use super::term::{SymId, Term, Terms};
use crate::base::limits::Limits;

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Z3's deterministic count of elementary steps, 0 for no bound; 2 million are about a second.
    pub rlimit: u32,
    /// Wall-clock time: a safety net, because it makes answers depend on the machine. `None` for no bound.
    pub timeout: Option<Duration>,
}

/// Work of one of Z3's steps.
pub(super) const STEP_TICKS: u64 = 1;

/// The fewest of Z3's steps that a slow machine takes in a second.
const SLOW_STEPS: u32 = 1_000_000;

impl Effort {
    /// Enough for nearly all questions a symbolic step asks.
    pub const NORMAL: Effort = Effort { rlimit: 4_000_000, timeout: None };

    /// Where it is asked whether runs end: what decides that is mostly simple, and the rest of the program is not.
    pub const FOR_ENDS: Effort = Effort { rlimit: 1_000_000, timeout: None };

    /// Enough for questions about many paths at once.
    pub const PATIENT: Effort = Effort { rlimit: 16_000_000, timeout: None };

    /// What it is worth to know whether a guess holds, of which there are many.
    pub fn for_a_guess(self) -> Effort {
        Effort { rlimit: self.rlimit / 4, ..self }
    }

    /// The same effort, but not beyond the deadline of `limits`, nor beyond the work they allow. No clock is set where the steps
    /// end well before: each costs a change of threads and back.
    pub fn within(self, limits: &Limits) -> Effort {
        let steps = limits.work_left().map(|ticks| u32::try_from(ticks / STEP_TICKS).unwrap_or(u32::MAX).max(1));
        let rlimit = steps.into_iter().chain((self.rlimit > 0).then_some(self.rlimit)).min().unwrap_or(0);
        Effort { rlimit, ..self }.within_time(limits)
    }

    /// Shares of an effort for attempts one after the other: the first ones get so many steps each, the last but one half of what is
    /// left, and the last one the rest. Where nothing is left there are fewer.
    pub(super) fn shares(self, first: &[u32]) -> Vec<Effort> {
        let mut left = (self.rlimit > 0).then_some(self.rlimit);
        let mut shares = Vec::new();
        for &steps in first {
            let share = steps.min(left.unwrap_or(u32::MAX));
            left = left.map(|left| left - share);
            shares.push(share);
        }
        match left {
            Some(left) => shares.extend([left.div_ceil(2), left / 2]),
            None => shares.extend([Self::PATIENT.rlimit, 0]),
        }
        // No steps would be no bound.
        shares.retain(|share| left.is_none() || *share > 0);
        shares.into_iter().map(|rlimit| Effort { rlimit, ..self }).collect()
    }

    /// What is left of it after some time.
    pub(super) fn after(self, time: Duration) -> Self {
        Effort {
            timeout: self.timeout.map(|timeout| timeout.saturating_sub(time).max(Duration::from_millis(1))),
            ..self
        }
    }

    fn within_time(self, limits: &Limits) -> Effort {
        let longest = (self.rlimit > 0).then(|| Duration::from_secs((self.rlimit / SLOW_STEPS).into()));
        let left = limits.remaining().filter(|left| longest.is_none_or(|longest| longest >= *left));
        Effort { timeout: self.timeout.into_iter().chain(left).min(), ..self }
    }
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sat {
    /// All terms are true under this model.
    Sat(Model),
    /// No model makes all terms true.
    Unsat,
    /// No answer, with the solver's reason.
    Unknown(String),
}

impl Sat {
    /// There is a model.
    pub fn is_sat(&self) -> bool {
        matches!(self, Sat::Sat(_))
    }

    /// There is no model.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Sat::Unsat)
    }

    /// The model, if there is one.
    pub fn model(self) -> Option<Model> {
        match self {
            Sat::Sat(model) => Some(model),
            _ => None,
        }
    }
}

/// Values of the symbols of a query that make all its assertions true; other symbols can have any value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: Rc<BTreeMap<SymId, u128>>,
}

impl Model {
    /// A model with these values.
    pub fn new(values: BTreeMap<SymId, u128>) -> Self {
        Self { values: Rc::new(values) }
    }

    /// The value of a symbol that occurs in the query.
    pub fn value(&self, symbol: SymId) -> Option<u128> {
        self.values.get(&symbol).copied()
    }

    /// The value of any term; symbols outside the query are 0.
    pub fn evaluate(&self, terms: &Terms, t: Term) -> u128 {
        terms.evaluate(t, &|symbol| self.value(symbol).unwrap_or(0))
    }

    /// Whether all `assertions` are true, and all symbols as aligned as declared.
    pub fn satisfies(&self, terms: &Terms, assertions: &[Term]) -> bool {
        self.is_aligned(terms) && self.first_false(terms, assertions).is_none()
    }

    /// Whether all symbols are as aligned as declared.
    pub(super) fn is_aligned(&self, terms: &Terms) -> bool {
        self.iter().all(|(symbol, value)| {
            let info = terms.symbol_info(symbol);
            info.alignment == 0 || value & mask(info.alignment) == 0
        })
    }

    /// The position of an assertion that is not true.
    pub(super) fn first_false(&self, terms: &Terms, assertions: &[Term]) -> Option<usize> {
        let mut done = FxHashMap::default();
        let value = |symbol| self.value(symbol).unwrap_or(0);
        assertions.iter().position(|assertion| terms.evaluate_into(*assertion, &value, &mut done) != 1)
    }

    /// Symbols and values, ascending by symbol.
    pub fn iter(&self) -> impl Iterator<Item = (SymId, u128)> {
        self.values.iter().map(|(&s, &v)| (s, v))
    }
}

/// What a solver did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// All queries.
    pub queries: u64,
    /// Queries answered without the back end: trivial ones …
    pub trivial: u64,
    /// … ones asked before …
    pub cache_hits: u64,
    /// … ones that an earlier model satisfies …
    pub model_hits: u64,
    /// … and ones that comparisons with constants decide, or those of sums as integers.
    pub singles: u64,
    /// Queries the back end did not answer.
    pub unknown: u64,
    /// Time spent in the back end.
    pub time: Duration,
}

/// Decides conjunctions of booleans (terms of width 1) of one arena.
pub trait Solver {
    /// Whether `assertions` have a common model. Queries that begin like the previous one are cheap.
    fn check(&mut self, terms: &Terms, assertions: &[Term], effort: Effort) -> Sat;

    /// What was done so far.
    fn stats(&self) -> Stats {
        Stats::default()
    }

    /// Models of queries so far, newest first.
    fn models(&self) -> Vec<Model> {
        Vec::new()
    }

    /// Models that later queries may have, likely ones first. Each is tried before it is believed.
    fn suggest(&mut self, _models: Vec<Model>) {}

    /// Whether `assumptions` imply `goal`; `None` where the solver gives no answer.
    fn entails(&mut self, terms: &Terms, assumptions: &[Term], goal: Term, effort: Effort) -> Option<bool> {
        let mut query = assumptions.to_vec();
        query.push(terms.not(goal));
        match self.check(terms, &query, effort) {
            Sat::Unsat => Some(true),
            Sat::Sat(_) => Some(false),
            Sat::Unknown(_) => None,
        }
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn check(&mut self, terms: &Terms, assertions: &[Term], effort: Effort) -> Sat {
        (**self).check(terms, assertions, effort)
    }

    fn stats(&self) -> Stats {
        (**self).stats()
    }

    fn models(&self) -> Vec<Model> {
        (**self).models()
    }

    fn suggest(&mut self, models: Vec<Model>) {
        (**self).suggest(models);
    }
}

/// Passes queries on and keeps them with their answers, for tests and for dumps.
#[derive(Debug, Default)]
pub struct RecordingSolver<S> {
    /// What answers.
    pub inner: S,
    /// In order, with the answers.
    pub queries: Vec<(Vec<Term>, Sat)>,
}

impl<S> RecordingSolver<S> {
    /// A solver that remembers what `inner` is asked.
    pub fn new(inner: S) -> Self {
        Self { inner, queries: Vec::new() }
    }
}

impl<S: Solver> Solver for RecordingSolver<S> {
    fn check(&mut self, terms: &Terms, assertions: &[Term], effort: Effort) -> Sat {
        let answer = self.inner.check(terms, assertions, effort);
        self.queries.push((assertions.to_vec(), answer.clone()));
        answer
    }

    fn stats(&self) -> Stats {
        self.inner.stats()
    }
}

/// The assertions that share symbols with `goal`, directly or through others, in their order. Where `assertions` alone
/// have a model, they have one with `goal` exactly if these have.
pub fn relevant(terms: &Terms, assertions: &[Term], goal: Term) -> Vec<Term> {
    let mut reached: std::collections::BTreeSet<SymId> = terms.symbols_of(goal).iter().copied().collect();
    let mut taken = vec![false; assertions.len()];
    loop {
        let before = reached.len();
        for (taken, &assertion) in taken.iter_mut().zip(assertions).filter(|(taken, _)| !**taken) {
            let symbols = terms.symbols_of(assertion);
            if symbols.iter().any(|s| reached.contains(s)) {
                *taken = true;
                reached.extend(symbols.iter().copied());
            }
        }
        if reached.len() == before {
            break;
        }
    }
    assertions.iter().zip(taken).filter_map(|(&t, taken)| taken.then_some(t)).collect()
}

/// `conjuncts` in parts that share no symbol: they have a model exactly if each part has one by itself. In their order,
/// and parts by their first conjunct.
pub(super) fn independent_parts(terms: &Terms, conjuncts: &[Term]) -> Vec<Vec<Term>> {
    let mut left = conjuncts.to_vec();
    let mut parts = Vec::new();
    while let Some(&first) = left.first() {
        let mut part = relevant(terms, &left, first);
        if part.is_empty() {
            part.push(first); // without a symbol
        }
        left.retain(|conjunct| !part.contains(conjunct));
        parts.push(part);
    }
    parts
}
