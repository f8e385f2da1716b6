//! Z3 as a [`Solver`] that remembers what it was asked and has several ways to go about a hard query.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use z3::{Params, SatResult, Tactic};

use super::integers::Integers;
use super::interrupt::solver_is_made;
use super::solver::{Effort, Model, STEP_TICKS, Sat, Solver, Stats, independent_parts};
use super::term::{Node, Op, Term, Terms};
use super::translate::{Translation, symbols};
use super::{polynomials, single};
use crate::base::work;

/// How many recent models are tried before Z3 is asked.
const RECENT_MODELS: usize = 4;

/// How many models are kept for other solvers.
const KEPT_MODELS: usize = 128;

/// A query is large that has more terms.
const LARGE_QUERY: usize = 300;

/// Steps after which sums that are compared become integers; fewer where that was of use the last time.
const QUICK_STEPS: u32 = 40_000;
const QUICKER_STEPS: u32 = QUICK_STEPS / 8;

/// Steps after which a query counts as hard.
const SMALL_STEPS: u32 = 400_000;

/// Work of a query besides Z3's steps.
const QUERY_TICKS: u64 = 100;

/// Values that are remembered for each of them.
const MOST_VALUES: usize = 1 << 13;

/// One incremental Z3 solver for the terms of one arena, made at the first query that needs it. It keeps the assertions
/// of the last query; a query with the same beginning only adds its end.
#[derive(Default)]
pub struct Z3Solver {
    engine: Option<Engine>,
    /// Answers by the sorted, distinct conjuncts.
    cache: FxHashMap<Box<[Term]>, Sat>,
    recent: VecDeque<RecentModel>,
    suggested: Vec<RecentModel>,
    /// What Z3 found, newest first.
    found: VecDeque<Model>,
    stats: Stats,
}

impl std::fmt::Debug for Z3Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Z3Solver").field("stats", &self.stats).finish_non_exhaustive()
    }
}

/// A model with the values of all terms asked so far; symbols it does not mention are 0.
struct RecentModel {
    model: Model,
    values: FxHashMap<Term, u128>,
}

impl Z3Solver {
    /// A solver of its own, with Z3's defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether Z3 was never needed.
    #[cfg(test)]
    pub(super) fn engine_is_idle(&self) -> bool {
        self.engine.is_none()
    }

    /// A recent model that satisfies all conjuncts, cut down to their symbols.
    fn recent_model(&mut self, terms: &Terms, conjuncts: &[Term]) -> Option<Model> {
        let found = self.recent.iter_mut().chain(&mut self.suggested).position(|recent| {
            if recent.values.len() > MOST_VALUES {
                recent.values.clear();
            }
            // The newest conjunct is the one most likely false.
            conjuncts.iter().rev().all(|&t| {
                let model = &recent.model;
                terms.evaluate_into(t, &|s| model.value(s).unwrap_or(0), &mut recent.values) == 1
            })
        })?;
        let model = match found.checked_sub(self.recent.len()) {
            None => &self.recent[found].model,
            Some(other) => {
                // What fits one query often fits the next one.
                self.suggested[..=other].rotate_right(1);
                &self.suggested[0].model
            }
        };
        let symbols = symbols(terms, conjuncts);
        Some(Model::new(symbols.into_iter().map(|s| (s, model.value(s).unwrap_or(0))).collect()))
    }
}

impl Solver for Z3Solver {
    fn check(&mut self, terms: &Terms, assertions: &[Term], effort: Effort) -> Sat {
        self.stats.queries += 1;
        let conjuncts = conjuncts(terms, assertions);
        match conjuncts[..] {
            [] => {
                self.stats.trivial += 1;
                return Sat::Sat(Model::default());
            }
            [t] if terms.is_false(t) => {
                self.stats.trivial += 1;
                return Sat::Unsat;
            }
            _ => {}
        }
        let mut key = conjuncts.clone();
        key.sort_unstable();
        if let Some(answer) = self.cache.get(&key[..]) {
            self.stats.cache_hits += 1;
            return answer.clone();
        }
        if let Some(model) = self.recent_model(terms, &conjuncts) {
            self.stats.model_hits += 1;
            let answer = Sat::Sat(model);
            self.cache.insert(key.into(), answer.clone());
            return answer;
        }
        if let Some(answer) = single::decide(terms, &conjuncts) {
            self.stats.singles += 1;
            self.cache.insert(key.into(), answer.clone());
            return answer;
        }
        let start = Instant::now();
        let answer = self.engine.get_or_insert_with(Engine::new).check(terms, &conjuncts, effort);
        self.stats.time += start.elapsed();
        match &answer {
            Sat::Unknown(_) => self.stats.unknown += 1, // another time with more effort it may be known
            Sat::Unsat => _ = self.cache.insert(key.into(), answer.clone()),
            Sat::Sat(model) => {
                debug_assert!(model.satisfies(terms, &conjuncts), "Z3's model does not satisfy the query");
                self.recent.truncate(RECENT_MODELS - 1);
                self.recent.push_front(RecentModel { model: model.clone(), values: FxHashMap::default() });
                self.found.truncate(KEPT_MODELS - 1);
                self.found.push_front(model.clone());
                self.cache.insert(key.into(), answer.clone());
            }
        }
        answer
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn models(&self) -> Vec<Model> {
        self.found.iter().cloned().collect()
    }

    fn suggest(&mut self, models: Vec<Model>) {
        let tried = |model| RecentModel { model, values: FxHashMap::default() };
        self.suggested = models.into_iter().map(tried).collect();
    }
}

/// The distinct conjuncts of `assertions` in their order, without `true`; only `false` if that is one of them.
fn conjuncts(terms: &Terms, assertions: &[Term]) -> Vec<Term> {
    let mut result = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<Term> = assertions.iter().rev().copied().collect();
    while let Some(t) = open.pop() {
        debug_assert_eq!(terms.width(t), 1, "an assertion is one bit wide");
        match terms.node(t) {
            Node::Const(1) => {}
            Node::Const(_) => return vec![t],
            Node::Bin(Op::And, a, b) => open.extend([b, a]),
            _ if seen.insert(t) => result.push(t),
            _ => {}
        }
    }
    result
}

/// How a query is answered.
enum Way {
    /// By the solver that remembers what was asked before.
    GoOn,
    /// With integers, for what compares sums.
    Integers(Integers),
    /// As clauses for a SAT solver: for what is mostly about bits.
    Bits,
    /// Simplified as a whole, and then searched as the solver that remembers does it: for what is mostly about conditions.
    Search,
}

struct Engine {
    solver: z3::Solver,
    /// For integers; it has no assertions between two queries.
    integers: z3::Solver,
    /// The assertions of the last query, each in a scope of its own.
    stack: Vec<Term>,
    translation: Translation,
    effort: Option<Effort>,
    /// Steps after which it is time for another way.
    quick: u32,
    /// Integers were of use the last time, or were not tried yet.
    counts_first: bool,
    /// Answers for parts of hard queries, by their sorted conjuncts.
    parts: FxHashMap<Box<[Term]>, Sat>,
}

impl Engine {
    fn new() -> Self {
        let solver = z3::Solver::new();
        solver_is_made();
        let mut parameters = Params::new();
        // Pays where there are quantifiers only.
        parameters.set_u32("relevancy", 0);
        solver.set_params(&parameters);
        Self {
            solver,
            integers: z3::Solver::new(),
            stack: Vec::new(),
            translation: Translation::default(),
            effort: None,
            quick: QUICK_STEPS,
            counts_first: true,
            parts: FxHashMap::default(),
        }
    }

    /// Nearly all queries add little to the one before, from which the solver goes on. What is hard is often much faster afresh, by a
    /// solver that sees all of the query before it begins: soon where the query is small, which makes clauses for a SAT solver cheap;
    /// later where it is large, because there much was learned that is lost.
    /// One that compares sums is tried with integers before all that, where they were of use the last time.
    fn check(&mut self, terms: &Terms, conjuncts: &[Term], effort: Effort) -> Sat {
        let start = Instant::now();
        let integers = Integers::new(terms, conjuncts);
        if let Some(integers) = integers.as_ref().filter(|_| self.counts_first) {
            let share = effort.shares(&[QUICKER_STEPS])[0];
            let (answer, _) = self.in_integers(terms, conjuncts, integers, share);
            if !matches!(answer, Sat::Unknown(_)) {
                return answer;
            }
            self.counts_first = false;
        }
        self.translation.add(terms, conjuncts);
        let quick = self.quick;
        let mut share = effort.shares(&[quick])[0];
        let (mut answer, mut done) = self.go_on(terms, conjuncts, share);
        // A query that was stopped before its steps ended wants no other answer.
        let is_open =
            |answer: &Sat, done: u64, share: Effort| matches!(answer, Sat::Unknown(_)) && done >= share.rlimit.into();
        if !is_open(&answer, done, share) {
            return answer;
        }
        if let Some(answer) = self.apart(terms, conjuncts, effort.after(start.elapsed())) {
            return answer;
        }
        if let Some(answer) = self.with_products(terms, conjuncts, share) {
            return answer;
        }
        let rest = SMALL_STEPS - quick;
        let (mut steps, mut ways) = match terms.reachable(conjuncts).len() > LARGE_QUERY {
            true => {
                let steps = vec![quick, rest, Effort::NORMAL.rlimit - SMALL_STEPS];
                (steps, vec![Way::GoOn, Way::GoOn, Way::Search, Way::Bits])
            }
            false => (vec![quick, rest], vec![Way::GoOn, Way::Bits, Way::Search]),
        };
        if let Some(integers) = integers {
            steps.insert(1, QUICK_STEPS);
            ways.insert(0, Way::Integers(integers));
        }
        for (next, way) in effort.shares(&steps).into_iter().skip(1).zip(ways) {
            share = next.after(start.elapsed());
            (answer, done) = match way {
                Way::GoOn => self.go_on(terms, conjuncts, share),
                Way::Integers(integers) => {
                    let found = self.in_integers(terms, conjuncts, &integers, share);
                    let is_unknown = matches!(found.0, Sat::Unknown(_));
                    self.quick = if is_unknown { QUICK_STEPS } else { QUICKER_STEPS };
                    self.counts_first = !is_unknown;
                    if is_unknown {
                        continue;
                    }
                    found
                }
                Way::Bits => self.afresh(terms, conjuncts, &bits(), share),
                Way::Search => self.afresh(terms, conjuncts, &search(), share),
            };
            if !is_open(&answer, done, share) {
                break;
            }
        }
        answer
    }

    /// The answer for each of the parts of `conjuncts` that share no symbol, if there are several: what is hard of a state mostly did
    /// not change since it was last asked.
    fn apart(&mut self, terms: &Terms, conjuncts: &[Term], effort: Effort) -> Option<Sat> {
        let parts = independent_parts(terms, conjuncts);
        let (mut values, mut unknown) = (BTreeMap::new(), None);
        for mut part in (parts.len() > 1).then_some(parts)? {
            part.sort_unstable();
            let answer = match self.parts.get(&part[..]) {
                Some(answer) => answer.clone(),
                None => {
                    let answer = self.check(terms, &part, effort);
                    if !matches!(answer, Sat::Unknown(_)) {
                        self.parts.insert(part.into(), answer.clone());
                    }
                    answer
                }
            };
            match answer {
                Sat::Sat(model) => values.extend(model.iter()),
                Sat::Unsat => return Some(Sat::Unsat),
                Sat::Unknown(why) => _ = unknown.get_or_insert(Sat::Unknown(why)),
            }
        }
        Some(unknown.unwrap_or_else(|| Sat::Sat(Model::new(values))))
    }

    /// Products of numbers are what a solver that counts bits is worst at: first as polynomials, then without what speaks of them.
    fn with_products(&mut self, terms: &Terms, conjuncts: &[Term], effort: Effort) -> Option<Sat> {
        let others: Vec<Term> = conjuncts.iter().copied().filter(|part| !terms.has_product(*part)).collect();
        if others.len() == conjuncts.len() {
            return None;
        }
        if polynomials::are_refuted(terms, conjuncts) {
            return Some(Sat::Unsat);
        }
        match self.go_on(terms, &others, effort).0 {
            Sat::Sat(model) => model.satisfies(terms, conjuncts).then_some(Sat::Sat(model)),
            Sat::Unsat => Some(Sat::Unsat),
            Sat::Unknown(_) => None,
        }
    }

    /// From the last query, as far as its beginning is the same.
    fn go_on(&mut self, terms: &Terms, conjuncts: &[Term], effort: Effort) -> (Sat, u64) {
        if self.effort != Some(effort) {
            self.solver.set_params(&effort_parameters(effort));
            self.effort = Some(effort);
        }
        let common = self.stack.iter().zip(conjuncts).take_while(|(a, b)| a == b).count();
        self.solver.pop((self.stack.len() - common) as u32);
        self.stack.truncate(common);
        for &t in &conjuncts[common..] {
            self.solver.push();
            self.solver.assert(self.translation.condition(t));
            self.stack.push(t);
        }
        answer(&self.solver, |model| self.translation.values(model, terms, conjuncts))
    }

    /// As [`Integers`]; there is no answer where the model is none of the query.
    fn in_integers(&self, terms: &Terms, conjuncts: &[Term], integers: &Integers, effort: Effort) -> (Sat, u64) {
        let solver = &self.integers;
        solver.set_params(&effort_parameters(effort));
        solver.push();
        integers.conditions.iter().for_each(|condition| solver.assert(condition));
        let answer = answer(solver, |model| integers.model(model, terms, conjuncts));
        solver.pop(1);
        answer
    }

    fn afresh(&self, terms: &Terms, conjuncts: &[Term], tactic: &Tactic, effort: Effort) -> (Sat, u64) {
        let solver = tactic.solver();
        solver.set_params(&effort_parameters(effort));
        for t in conjuncts {
            solver.assert(self.translation.condition(*t));
        }
        answer(&solver, |model| self.translation.values(model, terms, conjuncts))
    }
}

/// The solver's answer, with a model as `read` reads it, and how many steps it took.
pub(super) fn answer(solver: &z3::Solver, read: impl FnOnce(&z3::Model) -> Option<Model>) -> (Sat, u64) {
    let answer = solver.check();
    let steps = charge(solver);
    let answer = match answer {
        SatResult::Unsat => Sat::Unsat,
        SatResult::Sat => match solver.get_model().and_then(|model| read(&model)) {
            Some(model) => Sat::Sat(model),
            None => Sat::Unknown("no model".to_owned()),
        },
        SatResult::Unknown => Sat::Unknown(solver.get_reason_unknown().unwrap_or_default()),
    };
    (answer, steps)
}

fn bits() -> Tactic {
    Tactic::new("qfbv")
}

fn search() -> Tactic {
    let [simplify, propagate, solve, search] = ["simplify", "propagate-values", "solve-eqs", "smt"].map(Tactic::new);
    simplify.and_then(&propagate).and_then(&solve).and_then(&search)
}

pub(super) fn effort_parameters(effort: Effort) -> Params {
    let mut parameters = Params::new();
    // Signals are the program's own business.
    parameters.set_bool("ctrl_c", false);
    parameters.set_u32("rlimit", effort.rlimit);
    parameters.set_u32("timeout", effort.timeout.map_or(u32::MAX, milliseconds));
    parameters
}

thread_local! {
    /// Z3's count of steps after the last query: it has one for all solvers of a thread.
    static STEPS: Cell<f64> = const { Cell::new(0.0) };
    /// Ticks that solvers of other threads did for this one.
    static ELSEWHERE: Cell<u64> = const { Cell::new(0) };
}

/// Work of the solvers of the current thread, and of those that worked for it, so far, as far as they told of it.
pub fn solver_work() -> u64 {
    STEPS.get() as u64 * STEP_TICKS + ELSEWHERE.get()
}

/// Counts ticks of a solver that worked for the current thread on another one.
pub(super) fn charge_solver_work(ticks: u64) {
    ELSEWHERE.set(ELSEWHERE.get() + ticks);
}

/// Counts what Z3 did for the last query as work; the number of its steps, if it tells.
pub(super) fn charge(solver: &z3::Solver) -> u64 {
    // The crate shows values, `UInt(7)` or `Double(7.0)`, but does not name their type.
    let count = solver.get_statistics().value("rlimit count").map(|value| format!("{value:?}"));
    let digits = count.as_ref().and_then(|text| text.split(['(', ')']).nth(1));
    let Some(count) = digits.and_then(|digits| digits.parse::<f64>().ok()) else { return 0 };
    let steps = (count - STEPS.replace(count)).max(0.0) as u64;
    work::charge(QUERY_TICKS + steps * STEP_TICKS);
    steps
}

pub(super) fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

/// Z3's answer to a query in SMT-LIB text (see [`super::to_smtlib`]): whether it has a model, `None` for no answer.
pub fn replay_smtlib(text: &str) -> Option<bool> {
    is_satisfiable(&z3::Solver::new(), text)
}

/// What a new solver says of a text.
fn is_satisfiable(solver: &z3::Solver, text: &str) -> Option<bool> {
    if text.contains('\0') {
        return None;
    }
    solver.from_string(text);
    match solver.check() {
        SatResult::Sat => Some(true),
        SatResult::Unsat => Some(false),
        SatResult::Unknown => None,
    }
}
