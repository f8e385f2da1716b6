//! Orders of measures against numbers, and sums of nodes.

use super::descent::{decreases, is_sum_of};
use crate::certificate::Order;
use crate::smt::{Term, Terms};

const BITS: u32 = 3;

/// What each order says of all pairs of small numbers.
#[test]
fn orders_are_those_of_numbers() {
    let terms = Terms::default();
    let signed = |number: u128| if number >= 4 { number as i64 - 8 } else { number as i64 };
    for next in 0..8_u128 {
        for own in 0..8_u128 {
            let says = |order| {
                let (next, own) = (terms.constant(next, BITS), terms.constant(own, BITS));
                terms.is_true(decreases(&terms, order, next, own))
            };
            assert_eq!(says(Order::Falls), next < own);
            assert_eq!(says(Order::Rises), next > own);
            assert_eq!(says(Order::FallsSigned), signed(next) < signed(own));
            assert_eq!(says(Order::RisesSigned), signed(next) > signed(own));
        }
    }
}

/// Numbers of nodes fall by a constant and by nothing else: a count that wraps is no smaller one.
#[test]
fn nodes_fall_by_constants() {
    let terms = Terms::default();
    let [count, other] = ["count", "other"].map(|name| terms.fresh_symbol(64, name));
    let falls = |next: Term, own: Term| terms.is_true(decreases(&terms, Order::Nodes, next, own));
    assert!(falls(terms.add_constant(count, -1), count));
    assert!(falls(count, terms.add_constant(count, 2)));
    assert!(!falls(count, count));
    assert!(!falls(terms.add_constant(count, 1), count));
    assert!(
        !falls(terms.neg(terms.add_constant(count, 1)), terms.neg(count))
            || !is_sum(&terms, &[count], terms.neg(count))
    );
    assert!(!falls(other, count));
    assert!(!falls(terms.sub(count, other), count), "the other list may have no node");
}

fn is_sum(terms: &Terms, counts: &[Term], term: Term) -> bool {
    is_sum_of(terms, counts, term, 3)
}

#[test]
fn sums_of_nodes_take_each_list_once() {
    let terms = Terms::default();
    let [count, other, number] = ["count", "other", "number"].map(|name| terms.fresh_symbol(64, name));
    let counts = [count, other];
    assert!(is_sum(&terms, &counts, count));
    assert!(is_sum(&terms, &counts, terms.add_constant(terms.add(count, other), 1)));
    assert!(is_sum(&terms, &counts, terms.constant(3, 64)));
    // A list of so many nodes as a number says.
    assert!(is_sum(&terms, &[terms.add_constant(number, 1)], terms.add_constant(number, 2)));
    assert!(!is_sum(&terms, &counts, number));
    assert!(!is_sum(&terms, &counts, terms.neg(count)));
    assert!(!is_sum(&terms, &counts, terms.add(count, count)));
    assert!(!is_sum(&terms, &counts, terms.add_constant(count, -1)));
    assert!(!is_sum(&terms, &counts, terms.constant(u128::from(u64::MAX), 64)));
}
