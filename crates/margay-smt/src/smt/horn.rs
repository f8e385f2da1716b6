//! Horn clauses in SMT-LIB text, given to Z3's Spacer as they are. What it says of the predicates is text again, to be read and judged
//! by the caller: nothing is believed of it.
//!
//! Source: property directed reachability over theories (Komuravelli, Gurfinkel, Chaki, CAV'14); global guidance (Hari Govind, Chen,
//! Shoham, Gurfinkel, CAV'20).

use std::sync::Once;

use z3::ast::{Ast, BV, Bool, Int};
use z3::{FuncDecl, SatResult, Solver, Sort};

use super::interrupt::solver_is_made;
use super::solver::Effort;
use super::z3solver::{charge, effort_parameters};

/// What an argument of a predicate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HornSort {
    /// A truth value.
    Boolean,
    /// An unbounded integer.
    Integer,
    /// Of so many bits.
    Bits(u32),
}

/// A predicate that is asked for.
#[derive(Clone, Debug)]
pub struct HornPredicate {
    /// As the clauses call it.
    pub name: String,
    /// Its arguments: what they are called in the answer, and their sorts.
    pub arguments: Vec<(String, HornSort)>,
}

/// Clauses, without `check-sat`.
#[derive(Clone, Debug)]
pub struct Horn {
    /// Clauses in SMT-LIB.
    pub text: String,
    /// What is looked for.
    pub predicates: Vec<HornPredicate>,
    /// How hard the solver tries.
    pub effort: Effort,
}

/// Z3's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// There are predicates that satisfy the clauses: these, each as a formula in SMT-LIB over the names of its arguments.
    Predicates(Vec<String>),
    /// There are none.
    None,
    /// No answer, with the reason.
    Unknown(String),
}

impl Horn {
    /// Asks Z3.
    pub fn solve(&self) -> HornAnswer {
        let unknown = |why: &str| HornAnswer::Unknown(why.to_owned());
        let Some(solver) = solver(self.effort) else { return unknown("there is no solver for Horn clauses") };
        match checked(&solver, &self.text) {
            Some(SatResult::Sat) => {}
            Some(SatResult::Unsat) => return HornAnswer::None,
            _ => return HornAnswer::Unknown(solver.get_reason_unknown().unwrap_or_default()),
        }
        let Some(model) = solver.get_model() else { return unknown("no model") };
        let formula = |predicate: &HornPredicate| -> Option<String> {
            let sorts: Vec<Sort> = predicate.arguments.iter().map(|(_, argument)| sort(*argument)).collect();
            let sorts: Vec<&Sort> = sorts.iter().collect();
            let constants: Vec<Box<dyn Ast>> =
                predicate.arguments.iter().map(|(name, sort)| constant(name, *sort)).collect();
            let constants: Vec<&dyn Ast> = constants.iter().map(|constant| &**constant).collect();
            let function = FuncDecl::new(predicate.name.as_str(), &sorts, &Sort::bool());
            // Without values for what the model does not speak of: the arguments are to stay.
            Some(model.eval(&function.apply(&constants).as_bool()?, false)?.to_string())
        };
        match self.predicates.iter().map(formula).collect() {
            Some(formulas) => HornAnswer::Predicates(formulas),
            None => unknown("a predicate without a value"),
        }
    }
}

fn sort(sort: HornSort) -> Sort {
    match sort {
        HornSort::Boolean => Sort::bool(),
        HornSort::Integer => Sort::int(),
        HornSort::Bits(width) => Sort::bitvector(width),
    }
}

fn constant(name: &str, sort: HornSort) -> Box<dyn Ast> {
    match sort {
        HornSort::Boolean => Box::new(Bool::new_const(name)),
        HornSort::Integer => Box::new(Int::new_const(name)),
        HornSort::Bits(width) => Box::new(BV::new_const(name, width)),
    }
}

/// Z3's answer to Horn clauses in SMT-LIB text: whether there are predicates that satisfy them, `None` for no answer within `effort`.
pub fn solve_horn(text: &str, effort: Effort) -> Option<bool> {
    match checked(&solver(effort)?, text)? {
        SatResult::Sat => Some(true),
        SatResult::Unsat => Some(false),
        SatResult::Unknown => None,
    }
}

fn solver(effort: Effort) -> Option<Solver> {
    static PARAMETERS: Once = Once::new();
    PARAMETERS.call_once(|| {
        // Sums that loops keep are found by looking at several lemmas at once.
        z3::set_global_param("fp.spacer.global", "true");
        // A predicate that was replaced by its clauses is answered with quantifiers, which nothing here reads.
        z3::set_global_param("fp.xform.inline_eager", "false");
    });
    let solver = Solver::new_for_logic("HORN")?;
    solver_is_made();
    solver.set_params(&effort_parameters(effort));
    Some(solver)
}

fn checked(solver: &Solver, text: &str) -> Option<SatResult> {
    if text.contains('\0') {
        return None;
    }
    solver.from_string(text);
    let answer = solver.check();
    charge(solver);
    Some(answer)
}
