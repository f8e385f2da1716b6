//! Intervals never contradict a model of their constraints: on wider numbers than the laws look at, one model at a time.

use proptest::prelude::*;

use super::{Intervals, NumericDomain};
use crate::smt::{SymId, Term, Terms};

/// A comparison of `scale·sᵢ + shift` (perhaps extended) with another symbol or a constant.
#[derive(Clone, Debug)]
struct Comparison {
    operator: u8,
    left: u8,
    shift: i8,
    extend: u8,
    /// Another symbol, or a constant near interesting borders.
    right: Result<u8, i8>,
}

const SYMBOLS: usize = 3;
const WIDTH: u32 = 8;

fn comparisons() -> impl Strategy<Value = Vec<Comparison>> {
    let border = prop_oneof![any::<i8>(), Just(0), Just(-1), Just(1), Just(i8::MIN), Just(i8::MAX)];
    let right = prop_oneof![(0..SYMBOLS as u8).prop_map(Ok), border.prop_map(Err)];
    let shift = prop_oneof![3 => Just(0i8), 1 => any::<i8>()];
    let comparison = (0u8..6, 0..SYMBOLS as u8, shift, 0u8..3, right)
        .prop_map(|(operator, left, shift, extend, right)| Comparison { operator, left, shift, extend, right });
    prop::collection::vec(comparison, 1..12)
}

fn condition(terms: &Terms, symbols: &[Term], comparison: &Comparison) -> Term {
    let extend = |term: Term| match comparison.extend {
        1 => terms.zext(term, 32),
        2 => terms.sext(term, 32),
        _ => term,
    };
    let left = extend(terms.add_constant(symbols[comparison.left as usize], comparison.shift.into()));
    let right = match comparison.right {
        Ok(symbol) => extend(symbols[symbol as usize]),
        Err(value) => terms.signed_constant(value.into(), terms.width(left)),
    };
    match comparison.operator {
        0 => terms.eq(left, right),
        1 => terms.ne(left, right),
        2 => terms.ult(left, right),
        3 => terms.ule(left, right),
        4 => terms.slt(left, right),
        _ => terms.sle(left, right),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn intervals_and_decisions_hold_in_every_model(values in prop::array::uniform3(any::<u8>()), list in comparisons()) {
        let terms = Terms::new();
        let symbols: Vec<Term> = (0..SYMBOLS).map(|_| terms.fresh_symbol(WIDTH, "s")).collect();
        let model = |symbol: SymId| {
            let index = symbols.iter().position(|term| terms.as_symbol(*term) == Some(symbol));
            index.map_or(0, |index| values[index].into())
        };
        let mut known = Intervals::default();
        for comparison in &list {
            let condition = condition(&terms, &symbols, comparison);
            let truth = terms.evaluate(condition, &model) == 1;
            if let Some(decided) = known.decide(&terms, condition) {
                prop_assert_eq!(decided, truth, "{}", terms.display(condition));
            }
            known.assume(&terms, if truth { condition } else { terms.not(condition) });
            for (term, value) in symbols.iter().zip(values) {
                let (low, high) = known.range(&terms, *term);
                prop_assert!(low <= value.into() && u128::from(value) <= high, "{low}..={high} without {value}");
                let (low, high) = known.signed_range(&terms, *term);
                let value = i128::from(value as i8);
                prop_assert!(low <= value && value <= high, "{low}..={high} without {value}");
            }
        }
    }
}

/// Each formula has two uses of the one before: as a tree there are 2^60 parts.
#[test]
fn formulas_that_share_parts_are_decided_in_passing() {
    let terms = Terms::new();
    let symbol = |n: u32| terms.fresh_symbol(1, &format!("s{n}"));
    let mut formula = symbol(0);
    for n in 0..60 {
        let (left, right) =
            (terms.bool_or(formula, symbol(2 * n + 1)), terms.bool_or(terms.not(formula), symbol(2 * n + 2)));
        formula = terms.bool_and(left, right);
    }
    assert_eq!(Intervals::default().decide(&terms, formula), None);
    let mut known = Intervals::default();
    known.assume(&terms, formula);
    assert_eq!(known.decide(&terms, formula), Some(true));
    assert_eq!(known.decide(&terms, terms.not(formula)), Some(false));
}

/// Whichever comes first: what was excluded may be an end of the interval only later.
#[test]
fn what_is_excluded_is_no_end_of_an_interval() {
    let terms = Terms::new();
    let number = terms.fresh_symbol(8, "n");
    let constant = |value: u128| terms.constant(value, 8);
    let mut known = Intervals::default();
    let conditions = [
        terms.not(terms.eq(number, constant(6))),
        terms.not(terms.eq(number, constant(2))),
        terms.ult(number, constant(7)),
        terms.ult(constant(1), number),
    ];
    conditions.into_iter().for_each(|condition| known.assume(&terms, condition));
    assert_eq!(known.range(&terms, number), (3, 5));
}
