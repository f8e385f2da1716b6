//! Candidates for invariants at loop heads, and which of them hold: what does not follow from the others on the way to a loop's head is
//! dropped, until all that are left do. So anything may be proposed.
//!
//! Source: Houdini (Flanagan, Leino, FME'01), on the clauses' large blocks.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::clauses::{Clause, Clauses};
use super::samples::Samples;
use crate::base::limits::{Exhausted, Limits};
use crate::heap::Context;
use crate::smt::{Effort, Sat, SymId, Term};

/// How hard the solver tries where numbers are multiplied: what polynomials do not show at once takes it for ever.
pub(crate) const FOR_PRODUCTS: Effort = Effort { rlimit: 1_000_000, timeout: None };

/// Conditions on the arguments of each predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions(pub Vec<Vec<Term>>);

impl Conditions {
    /// None yet.
    pub fn none(clauses: &Clauses) -> Self {
        Self(vec![Vec::new(); clauses.predicates.len()])
    }

    /// Adds conditions on the arguments of one predicate.
    pub fn add(&mut self, predicate: usize, conditions: impl IntoIterator<Item = Term>) {
        let Some(own) = self.0.get_mut(predicate) else { return };
        for condition in conditions {
            if !own.contains(&condition) {
                own.push(condition);
            }
        }
    }

    /// Adds all of the others.
    pub fn add_all(&mut self, others: &Conditions) {
        others.0.iter().enumerate().for_each(|(predicate, conditions)| self.add(predicate, conditions.iter().copied()));
    }

    /// Drops what does not hold at some sampled point.
    pub(crate) fn drop_what_samples_refute(&mut self, clauses: &Clauses, samples: &Samples) {
        for (predicate, own) in self.0.iter_mut().enumerate() {
            own.retain(|condition| samples.allow(clauses, predicate, *condition));
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// No predicate has a condition.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keeps those that hold whenever runs come to a loop's head.
    ///
    /// # Errors
    /// Time is up: what was refuted until then is dropped, and it may be called again.
    pub fn keep_what_holds(&mut self, clauses: &Clauses, limits: &Limits) -> Result<(), Exhausted> {
        // In the order of the clauses: what comes first is first decided.
        let mut open: BTreeSet<usize> = (0..clauses.clauses.len()).collect();
        while let Some(next) = open.pop_first() {
            let clause = &clauses.clauses[next];
            let Some((to, _)) = &clause.to else { continue };
            if self.drop_refuted(clauses, clause, limits)? {
                let from_here = clauses.clauses.iter().enumerate().filter(|(_, clause)| clause.from == Some(*to));
                open.extend(from_here.map(|(index, _)| index));
            }
        }
        Ok(())
    }

    /// Drops what does not follow at the end of a clause; whether anything was.
    fn drop_refuted(&mut self, clauses: &Clauses, clause: &Clause, limits: &Limits) -> Result<bool, Exhausted> {
        let Some((to, values)) = &clause.to else { return Ok(false) };
        let context = &clauses.context;
        let terms = &context.terms;
        let goals: Vec<(Term, Term)> = self.0[*to].iter().copied().zip(self.of_values(clauses, *to, values)).collect();
        let before = goals.len();
        let known = self.known(clause);
        // A solver needs long for each where numbers are multiplied: these do not wait for each other.
        let (products, mut goals): (Vec<_>, Vec<_>) = goals.into_iter().partition(|(_, goal)| terms.has_product(*goal));
        let products = one_by_one(context, &known, products, limits)?;
        // The others rarely follow from products.
        let known: Vec<Term> = known.into_iter().filter(|part| !terms.has_product(*part)).collect();
        loop {
            limits.check_time()?;
            let all: Vec<Term> = goals.iter().map(|(_, goal)| *goal).collect();
            match context.check(&[known.as_slice(), &[terms.not(terms.conjunction(&all))]].concat()) {
                Sat::Unsat => break,
                Sat::Sat(model) => {
                    let held = goals.len();
                    goals.retain(|(_, goal)| model.evaluate(terms, *goal) == 1);
                    if goals.len() == held {
                        goals.clear();
                        break;
                    }
                }
                // One by one each may be easier.
                Sat::Unknown(_) => {
                    goals = one_by_one(context, &known, goals, limits)?;
                    break;
                }
            }
        }
        goals.extend(products);
        self.0[*to] = goals.iter().map(|(condition, _)| *condition).collect();
        Ok(goals.len() < before)
    }

    /// The conditions on a predicate's arguments where these have these values.
    fn of_values(&self, clauses: &Clauses, predicate: usize, values: &[Term]) -> Vec<Term> {
        let terms = &clauses.context.terms;
        let arguments = clauses.predicates[predicate].arguments.iter().zip(values);
        let by: FxHashMap<SymId, Term> =
            arguments.filter_map(|(argument, value)| Some((terms.as_symbol(*argument)?, *value))).collect();
        let mut done = FxHashMap::default();
        self.0[predicate].iter().map(|condition| terms.substitute_into(*condition, &by, &mut done)).collect()
    }

    /// Whether they hold of a predicate's arguments with these values, where so much is known.
    pub(super) fn hold_of(&self, clauses: &Clauses, predicate: usize, values: &[Term], known: &[Term]) -> bool {
        let terms = &clauses.context.terms;
        let all = terms.conjunction(&self.of_values(clauses, predicate, values));
        is_excluded(&clauses.context, &[known, &[terms.not(all)]].concat())
    }

    /// What is known before the end of a clause.
    fn known(&self, clause: &Clause) -> Vec<Term> {
        let own = clause.from.map_or(&[][..], |from| self.0[from].as_slice());
        own.iter().chain(&clause.guard).copied().collect()
    }

    /// Whether no violation is possible from where these hold.
    ///
    /// # Errors
    /// Some may be, or time is up.
    pub fn exclude_violations(&self, clauses: &Clauses, limits: &Limits) -> Result<(), NotExcluded> {
        for clause in clauses.clauses.iter().filter(|clause| clause.to.is_none()) {
            limits.check_time().map_err(NotExcluded::Exhausted)?;
            if !is_excluded(&clauses.context, &self.known(clause)) {
                return Err(NotExcluded::Possible);
            }
        }
        Ok(())
    }
}

/// The goals that follow from what is known, asked one by one.
fn one_by_one(
    context: &Context,
    known: &[Term],
    goals: Vec<(Term, Term)>,
    limits: &Limits,
) -> Result<Vec<(Term, Term)>, Exhausted> {
    let mut kept = Vec::new();
    for (condition, goal) in goals {
        limits.check_time()?;
        if is_excluded(context, &[known, &[context.terms.not(goal)]].concat()) {
            kept.push((condition, goal));
        }
    }
    Ok(kept)
}

/// Whether all of it cannot hold at once; not for long where numbers are multiplied.
fn is_excluded(context: &Context, query: &[Term]) -> bool {
    if !query.iter().any(|part| context.terms.has_product(*part)) {
        return context.check(query).is_unsat();
    }
    context.with_effort(FOR_PRODUCTS, || context.check(query)).is_unsat()
}

/// Why conditions do not prove a program.
#[derive(Clone, Debug)]
pub enum NotExcluded {
    /// They allow a violation, or that is not known.
    Possible,
    /// Time or memory is up.
    Exhausted(Exhausted),
}
