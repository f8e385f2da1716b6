//! What Z3's Spacer proposes for the clauses of a program. Its numbers are integers, which do not wrap: so these are guesses, of which
//! [`Conditions::keep_what_holds`] keeps what is true of bit-vectors.

use super::clauses::Clauses;
use super::formula::{argument_names, read};
use super::horn::assertions;
use super::houdini::Conditions;
use crate::smt::{Effort, Horn, HornAnswer, HornPredicate, HornSort};

/// What a solver came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// Conditions at loop heads that it says exclude violations.
    Conditions(Conditions),
    /// It says that there are none.
    None,
    /// It did not come to an end, or none of what it says can be read.
    Unknown(String),
}

/// Asks for conditions.
pub fn spacer(clauses: &Clauses, effort: Effort) -> Solved {
    let terms = &clauses.context.terms;
    let predicates = clauses.predicates.iter().enumerate().map(|(index, predicate)| {
        let sort = |term| if terms.width(term) == 1 { HornSort::Boolean } else { HornSort::Integer };
        let arguments = argument_names(&predicate.arguments);
        let arguments = arguments.into_iter().map(|(name, term)| (name, sort(term))).collect();
        HornPredicate { name: format!("P{index}"), arguments }
    });
    let question = Horn { text: assertions(clauses), predicates: predicates.collect(), effort };
    let formulas = match question.solve() {
        HornAnswer::Predicates(formulas) => formulas,
        HornAnswer::None => return Solved::None,
        HornAnswer::Unknown(why) => return Solved::Unknown(why),
    };
    let mut conditions = Conditions::none(clauses);
    for (index, formula) in formulas.iter().enumerate() {
        let arguments = argument_names(&clauses.predicates[index].arguments);
        let read = read(terms, &arguments, formula).unwrap_or_default();
        conditions.add(index, read.conjuncts.into_iter().chain(read.equations));
    }
    Solved::Conditions(conditions)
}
