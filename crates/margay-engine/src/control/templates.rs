//! Conditions that are worth trying at any loop's head: numbers against constants of the program, and against each other; and that no
//! violation is possible from there on, before another loop's head, or nothing that a violation needs.
//!
//! Source: Houdini's templates (Flanagan, Leino, FME'01); the zones of Miné (PADO'01) without their distances; 1-induction (Sheeran,
//! Singh, Stålmarck, FMCAD'00) with what else holds.

use std::collections::BTreeSet;

use super::clauses::Clauses;
use super::houdini::Conditions;
use crate::smt::{Node, Op, Term};

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
    let unsigned: BTreeSet<u32> = terms
        .reachable(&roots)
        .into_iter()
        .filter_map(|term| match terms.node(term) {
            Node::Bin(Op::Ult | Op::Ule, number, _) => Some(terms.width(number)),
            _ => None,
        })
        .collect();
    let is_unsigned = |width: u32| unsigned.contains(&width);
    // The constant that an argument is when runs first come there.
    let first_value = |index: usize, argument: Term| {
        let place = clauses.predicates[index].arguments.iter().position(|own| *own == argument)?;
        let values =
            clauses.clauses.iter().filter(|clause| clause.from.is_none()).filter_map(|clause| clause.to.as_ref());
        values
            .filter(|(to, _)| *to == index)
            .map(|(_, values)| values[place])
            .find(|value| terms.as_const(*value).is_some())
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
                let first = first_value(index, left).map(|value| terms.eq(left, value));
                for right in numbers().filter(|right| *right != left) {
                    let width = terms.width(left).max(terms.width(right));
                    let [left, right] = [left, right].map(|number| terms.sext(number, width));
                    let next = terms.add_constant(right, 1);
                    tried.extend([terms.sle(left, right), terms.sle(left, next)]);
                    // A loop that may have no round leaves its counter where it begins.
                    tried.extend(first.map(|first| terms.or(first, terms.sle(left, next))));
                    if is_unsigned(width) {
                        tried.extend([terms.ule(left, right), terms.ule(left, next)]);
                    }
                }
            }
        }
        if conditions.len() + tried.len() > MOST {
            break;
        }
        conditions.add(index, tried.into_iter().filter(|condition| terms.as_const(*condition).is_none()));
    }
    for index in 0..clauses.predicates.len() {
        for own in clauses.violations_from(index) {
            let all = terms.conjunction(&own);
            let none = own.into_iter().chain([all]).map(|part| terms.not(part));
            conditions.add(index, none.filter(|condition| terms.as_const(*condition).is_none()));
        }
    }
    conditions
}
