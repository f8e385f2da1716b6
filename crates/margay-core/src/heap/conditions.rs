//! What follows from a state: every question about conditions, and what is left of a state when one is assumed or forgotten.
//!
//! Two strengths: [`Smg::decide`] is cheap and three-valued (bounds, the constraints as they stand, what addresses cannot be);
//! [`Smg::entails`], [`Smg::may_hold`] and [`Smg::is_possible`] ask the solver too, and where it cannot decide they answer so
//! that nothing is concluded.

use super::graph::{Event, Smg};
use super::numeric::Store;
use crate::memory::Memory;
use crate::numeric::decided;
use crate::smt::{Sat, Term, relevant};

impl Smg {
    /// The truth of a 1-bit condition where it can be decided without the solver.
    pub fn decide(&self, condition: Term) -> Option<bool> {
        let context = &self.context;
        decided(&context.terms, condition, &|part| {
            self.store.known(context, part).or_else(|| self.known_of_addresses(part))
        })
    }

    /// Whether the condition holds in all runs, as far as the solver can decide.
    pub fn entails(&self, condition: Term) -> bool {
        self.decide(condition).unwrap_or_else(|| !self.may_hold(self.context.terms.not(condition), &[]))
    }

    /// The same for a guess, of which there are many: what the solver does not decide soon is taken not to hold.
    pub fn supports(&self, guess: Term) -> bool {
        self.context.guessing(|| self.entails(guess))
    }

    /// Whether two values are equal in all runs, as far as the solver can decide.
    pub fn are_equal(&self, left: Term, right: Term) -> bool {
        left == right || self.entails(self.context.terms.eq(left, right))
    }

    /// Whether the condition can hold where `facts` do: what the state knows that shares symbols with it, asked of the solver.
    /// As the constraints of a state are satisfiable, nothing else can matter.
    fn may_hold(&self, condition: Term, facts: &[Term]) -> bool {
        let context = &self.context;
        let mut assertions: Vec<Term> = self.store.constraints().iter().copied().collect();
        assertions.extend_from_slice(facts);
        let mut query = relevant(&context.terms, &assertions, condition);
        query.push(condition);
        self.store.add_bounds(context, &mut query);
        match context.check(&query) {
            Sat::Unsat => false,
            Sat::Sat(_) => true,
            Sat::Unknown(_) => {
                context.solver_gave_up.set(true);
                true
            }
        }
    }

    /// Whether the state stands for anything, as far as the solver can decide.
    pub fn is_possible(&self) -> bool {
        match self.context.check(&self.facts()) {
            Sat::Unsat => false,
            Sat::Sat(_) => true,
            Sat::Unknown(_) => {
                self.context.solver_gave_up.set(true);
                true
            }
        }
    }

    /// The runs on which `condition` holds, `None` where it can be decided that there are none without asking the solver.
    pub(super) fn restrict_unasked(self, condition: Term) -> Option<Smg> {
        // Where addresses lie is not among the constraints.
        if self.may_hold_pointer(&condition) {
            return self.restrict(condition);
        }
        match self.decide(condition) {
            Some(truth) => truth.then_some(self),
            None => Some(self.assuming(condition)),
        }
    }

    /// With the condition as one more constraint.
    fn assuming(mut self, condition: Term) -> Smg {
        self.add_condition(condition);
        self
    }

    /// Adds the condition as one more constraint.
    pub(super) fn add_condition(&mut self, condition: Term) {
        let context = self.context.clone();
        self.store.assume(&context, condition);
        self.history.push_back(Event::Assumed(condition));
    }

    /// The runs on which `condition` holds, `None` where there are none.
    pub fn restrict(self, condition: Term) -> Option<Smg> {
        let context = self.context.clone();
        context.statistics.borrow_mut().decisions += 1;
        match self.decide(condition) {
            Some(truth) => {
                context.statistics.borrow_mut().cheap += 1;
                return truth.then_some(self);
            }
            None => {
                let facts = self.address_facts(condition);
                let holds = self.may_hold(condition, &facts);
                // Without facts there is nothing that could be at odds.
                if !holds && facts.is_empty() {
                    return None;
                }
                let fails = self.may_hold(context.terms.not(condition), &facts);
                match (holds, fails) {
                    (false, true) => return None,
                    // What holds anyway would only burden later queries.
                    (true, false) => return Some(self),
                    // Neither: the facts about addresses are at odds, so nothing is concluded from them.
                    (true, true) | (false, false) => {}
                }
            }
        }
        Some(self.assuming(condition))
    }

    /// Keeps only the constraints that `keep` accepts.
    pub fn weaken(&mut self, keep: &dyn Fn(Term) -> bool) {
        let context = self.context.clone();
        let objects = self.placed();
        self.store.weaken(&context, &objects, keep);
    }

    /// Knows of numbers what these constraints say, and nothing else.
    pub fn know(&mut self, constraints: &[Term]) {
        self.store = Store::of(&self.context, &self.placed(), constraints);
    }

    /// All that is known of the symbols.
    pub fn facts(&self) -> Vec<Term> {
        let mut facts: Vec<Term> = self.store.constraints().iter().copied().collect();
        self.store.add_bounds(&self.context, &mut facts);
        facts
    }
}
