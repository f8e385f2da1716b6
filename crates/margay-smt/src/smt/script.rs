//! Queries that are no conjunctions of terms: SMT-LIB text with functions and quantifiers, given to Z3 as it is.

use z3::ast::BV;
use z3::{FuncDecl, Params, SatResult, Sort};

use super::solver::Effort;
use super::z3solver::{charge, milliseconds};

/// A script without `check-sat`, and the function of one argument to be read off its model.
#[derive(Clone, Debug)]
pub struct Script {
    /// In SMT-LIB.
    pub text: String,
    /// Its name, the width of its argument and of its result (at most 64 bits).
    pub function: (&'static str, u32, u32),
    /// Arguments `1..=last`.
    pub last: u32,
    /// Whether quantifiers are instantiated by models too, not only by patterns.
    pub by_models: bool,
    /// How hard the solver tries.
    pub effort: Effort,
}

/// Z3's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scripted {
    /// No model exists.
    Unsat,
    /// The function's values at `1..=last`; `certain` unless Z3 could not rule out that a quantifier is violated.
    Model {
        /// Of the asked terms, in order.
        values: Vec<u64>,
        /// The model is one of all that was asserted.
        certain: bool,
    },
    /// No answer, with the reason.
    Unknown(String),
}

impl Script {
    /// Asks Z3.
    pub fn solve(&self) -> Scripted {
        let solver = z3::Solver::new();
        let mut parameters = Params::new();
        parameters.set_bool("mbqi", self.by_models);
        parameters.set_u32("timeout", self.effort.timeout.map_or(u32::MAX, milliseconds));
        parameters.set_u32("rlimit", self.effort.rlimit);
        solver.set_params(&parameters);
        if self.text.contains('\0') {
            return Scripted::Unknown("the script contains a null character".into());
        }
        solver.from_string(self.text.as_str());
        let answer = solver.check();
        charge(&solver);
        let certain = match answer {
            SatResult::Unsat => return Scripted::Unsat,
            SatResult::Sat => true,
            SatResult::Unknown => false,
        };
        let why = || Scripted::Unknown(solver.get_reason_unknown().unwrap_or_else(|| "no model".into()));
        let Some(model) = solver.get_model() else { return why() };
        let (name, argument, result) = self.function;
        let function = FuncDecl::new(name, &[&Sort::bitvector(argument)], &Sort::bitvector(result));
        let value = |time: u32| {
            let applied = function.apply(&[&BV::from_u64(time.into(), argument)]).as_bv()?;
            model.eval(&applied, true)?.as_u64()
        };
        match (1..=self.last).map(value).collect() {
            Some(values) => Scripted::Model { values, certain },
            None => why(),
        }
    }
}
