//! Conditions that are worth trying at any loop's head: numbers against constants of the program, and against each other; and that no
//! violation is possible from there on, before another loop's head.
//!
//! Source: Houdini's templates (Flanagan, Leino, FME'01); the zones of Miné (PADO'01) without their distances; 1-induction (Sheeran,
//! Singh, Stålmarck, FMCAD'00) with what else holds.

use std::collections::BTreeSet;

use super::clauses::Clauses;
use super::houdini::Conditions;
use crate::smt::{SymId, Term};

/// Constants of one width that numbers are compared with.
const MOST_CONSTANTS: usize = 12;

/// Predicates with more numbers than this are not compared number by number.
const MOST_COMPARED: usize = 12;

/// More conditions than this are not tried.
const MOST: usize = 2000;

/// What to try, before anything is known of it.
pub fn templates(clauses: &Clauses) -> Conditions {
    let terms = &clauses.context.terms;
    let roots: Vec<Term> = clauses
        .clauses
        .iter()
        .flat_map(|clause| clause.guard.iter().chain(clause.to.iter().flat_map(|(_, values)| values)))
        .copied()
        .collect();
    let met: BTreeSet<(u32, i128)> = terms
        .reachable(&roots)
        .into_iter()
        .filter_map(|term| Some((terms.width(term), terms.as_signed_const(term)?)))
        .chain([8, 16, 32, 64].map(|width| (width, 0)))
        .collect();
    let constants = |width: u32| {
        let mut own: Vec<i128> = met.iter().filter(|(other, _)| *other == width).map(|(_, value)| *value).collect();
        own.sort_by_key(|value| value.unsigned_abs());
        own.truncate(MOST_CONSTANTS);
        own
    };
    let mut conditions = Conditions::none(clauses);
    for (index, predicate) in clauses.predicates.iter().enumerate() {
        let numbers = || predicate.arguments.iter().copied().filter(|argument| terms.width(*argument) > 1);
        let mut tried = Vec::new();
        for number in numbers() {
            for value in constants(terms.width(number)) {
                let value = terms.signed_constant(value, terms.width(number));
                tried.extend([terms.sle(value, number), terms.sle(number, value)]);
            }
        }
        if numbers().count() <= MOST_COMPARED {
            for left in numbers() {
                let others = numbers().filter(|right| *right != left && terms.width(*right) == terms.width(left));
                tried.extend(others.map(|right| terms.sle(left, right)));
            }
        }
        if conditions.len() + tried.len() > MOST {
            break;
        }
        conditions.add(index, tried.into_iter().filter(|condition| terms.as_const(*condition).is_none()));
    }
    for clause in &clauses.clauses {
        if let (Some(from), None) = (clause.from, &clause.to) {
            let arguments = clauses.predicates[from].arguments.iter();
            let arguments: BTreeSet<SymId> = arguments.filter_map(|argument| terms.as_symbol(*argument)).collect();
            let is_own = |part: &&Term| terms.symbols_of(**part).iter().all(|symbol| arguments.contains(symbol));
            // What else the violation depends on, an input, may be anything.
            let own: Vec<Term> = clause.guard.iter().filter(is_own).copied().collect();
            let none = terms.not(terms.conjunction(&own));
            conditions.add(from, Some(none).filter(|condition| terms.as_const(*condition).is_none()));
        }
    }
    conditions
}
