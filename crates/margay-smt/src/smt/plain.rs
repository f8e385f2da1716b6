//! Z3 as a solver that remembers nothing: each query goes to a new one as it stands. Slow, and as little of our own as can be
//! between a query and its answer: `margay-check --plain` asks it.

use super::solver::{Effort, Sat, Solver, Stats};
use super::term::{Term, Terms};
use super::translate::Translation;
use super::z3solver::{answer, effort_parameters};

/// A new Z3 for each query.
#[derive(Debug, Default)]
pub struct PlainSolver {
    stats: Stats,
}

impl Solver for PlainSolver {
    fn check(&mut self, terms: &Terms, assertions: &[Term], effort: Effort) -> Sat {
        self.stats.queries += 1;
        let mut translation = Translation::default();
        translation.add(terms, assertions);
        let solver = z3::Solver::new();
        solver.set_params(&effort_parameters(effort));
        for &term in assertions {
            solver.assert(translation.condition(term));
        }
        answer(&solver, |model| translation.values(model, terms, assertions)).0
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}
