//! Queries in which symbols are compared with constants: answered without a solver, which would first have to be made.
//!
//! Whether `x + k` compares with `c` as it should changes, as `x` goes around all values of its width, only where `x + k` is
//! `c`, the value after it, 0 or the least signed number. Between two such places nothing changes, so the first value of each
//! stretch stands for all of it.

use std::collections::BTreeMap;

use super::fold::{mask, to_signed, truncate};
use super::solver::{Model, Sat};
use super::sums;
use super::term::{Node, Op, SymId, Term, Terms};

/// Beyond so many values of one symbol a solver is not slower.
const MOST_VALUES: usize = 48;

/// The answer to a conjunction, where it can be decided: there is no model where what is said of one symbol alone has none, and a model of
/// that may be one of all; otherwise the sums that are compared may tell.
pub(super) fn decide(terms: &Terms, conjuncts: &[Term]) -> Option<Sat> {
    // What is said of one symbol alone, and first values of the stretches on which that does not change.
    let mut parts: BTreeMap<SymId, (Vec<Term>, Vec<u128>)> = BTreeMap::new();
    let mut others = Vec::new();
    for &part in conjuncts {
        let mut starts = Vec::new();
        match terms.symbols_of(part)[..] {
            [symbol] if stretches(terms, part, &mut starts).is_some() => {
                let (own, all) = parts.entry(symbol).or_default();
                own.push(part);
                all.extend(starts);
            }
            _ => others.push(part),
        }
    }
    let mut values = BTreeMap::new();
    for (symbol, (own, starts)) in parts {
        let starts = in_order(terms, symbol, starts);
        if starts.len() > MOST_VALUES {
            return None;
        }
        match starts.iter().find(|value| holds(terms, &own, **value)) {
            Some(value) => _ = values.insert(symbol, *value),
            None => return Some(Sat::Unsat),
        }
    }
    if !others.is_empty() {
        let symbols = others.iter().flat_map(|part| terms.symbols_of(*part).to_vec());
        symbols.for_each(|symbol| _ = values.entry(symbol).or_insert(0));
    }
    let model = Model::new(values);
    if model.satisfies(terms, &others) {
        return Some(Sat::Sat(model));
    }
    sums::decide(terms, conjuncts, &model)
}

/// Whether all that is said of one symbol holds of a value.
fn holds(terms: &Terms, own: &[Term], value: u128) -> bool {
    own.iter().rev().all(|part| terms.evaluate(*part, &|_| value) == 1)
}

/// The next value that is aligned as the symbol is, around the end.
pub(super) fn aligned(terms: &Terms, symbol: SymId, value: u128) -> u128 {
    let info = terms.symbol_info(symbol);
    let low = if info.alignment == 0 { 0 } else { mask(info.alignment) };
    truncate(value.wrapping_add(low), info.width) & !low
}

/// First values of stretches of a symbol's values, each once: the next that is aligned as the symbol is, small ones first.
fn in_order(terms: &Terms, symbol: SymId, starts: Vec<u128>) -> Vec<u128> {
    let width = terms.symbol_info(symbol).width;
    let mut starts: Vec<u128> = starts.into_iter().map(|start| aligned(terms, symbol, start)).collect();
    starts.sort_unstable_by_key(|&start| {
        let signed = to_signed(start, width);
        (signed.unsigned_abs(), signed < 0)
    });
    starts.dedup();
    starts
}

/// Adds where stretches of the one symbol's values begin on which `part` does not change. `None`: it is more than comparisons with
/// constants.
fn stretches(terms: &Terms, part: Term, starts: &mut Vec<u128>) -> Option<()> {
    match terms.node(part) {
        Node::Const(_) => Some(()),
        Node::Not(inner) => stretches(terms, inner, starts),
        Node::Sym(_) => {
            starts.extend([0, 1]);
            Some(())
        }
        Node::Bin(Op::And | Op::Or | Op::Xor, left, right) => {
            stretches(terms, left, starts)?;
            stretches(terms, right, starts)
        }
        Node::Bin(Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle, left, right) => {
            let (sum, constant) = match (terms.as_const(left), terms.as_const(right)) {
                (None, Some(constant)) => (left, constant),
                (Some(constant), None) => (right, constant),
                _ => return None,
            };
            let width = terms.width(sum);
            let (number, added) = match terms.node(sum) {
                Node::Bin(Op::Add, a, b) => match (terms.as_const(a), terms.as_const(b)) {
                    (None, Some(added)) => (a, added),
                    (Some(added), None) => (b, added),
                    _ => return None,
                },
                _ => (sum, 0),
            };
            terms.as_symbol(number)?;
            let least = 1 << (width - 1);
            let places = [0, least, constant, constant.wrapping_add(1)];
            starts.extend(places.map(|place| truncate(place.wrapping_sub(added), width)));
            Some(())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_tests::is_right;
    use super::*;

    /// All combinations of two comparisons of one symbol with constants, against all its values.
    #[test]
    fn agrees_with_all_values() {
        let t = Terms::new();
        let (width, mut satisfiable) = (4, 0);
        for alignment in [0, 1, 2] {
            let x = t.fresh_aligned_symbol(width, alignment, "x");
            let mut atoms = Vec::new();
            for (added, value) in [0, 1, 7, 8, 13].into_iter().flat_map(|a| [0, 3, 7, 8, 9, 15].map(|v| (a, v))) {
                let (sum, constant) = (t.add_constant(x, added), t.constant(value, width));
                for op in [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle] {
                    let atom = t.binary(op, sum, constant);
                    atoms.extend([atom, t.not(atom), t.binary(op, constant, sum)]);
                }
            }
            atoms.sort_unstable();
            atoms.dedup();
            let values: Vec<u128> = (0..1 << width).filter(|value| value & ((1 << alignment) - 1) == 0).collect();
            for &left in &atoms {
                for &right in &atoms {
                    let expected = values.iter().any(|v| t.evaluate_all(&[left, right], &|_| *v) == [1, 1]);
                    // Some normal forms are no comparisons with constants.
                    let is_reported = is_right(&t, &[left, right], decide(&t, &[left, right]), expected);
                    satisfiable += usize::from(is_reported && expected);
                }
            }
        }
        assert!(satisfiable > 10_000, "{satisfiable}");
    }

    #[test]
    fn relations_are_left_to_the_solver() {
        let t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|hint| t.fresh_symbol(32, hint));
        let five = t.constant(5, 32);
        let at_most = t.ule(x, five);
        // The model of the comparisons with constants is one of the relation, too.
        assert!(decide(&t, &[at_most, t.ule(x, y)]).is_some_and(|answer| answer.is_sat()));
        assert_eq!(decide(&t, &[t.ult(five, x), t.eq(t.mul(x, z), t.constant(77, 32))]), None);
        assert_eq!(decide(&t, &[at_most, t.eq(x, five), t.ne(x, five), t.ult(z, y)]), Some(Sat::Unsat));
    }
}
