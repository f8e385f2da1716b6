//! Formulas mean on bit-vectors what they say of integers.

use super::formula::read;
use crate::smt::{Term, Terms};

/// What is read of a formula over `x` and `y` of 8 bits and the boolean `b`, for these values.
fn holds(text: &str, (x, y, b): (i8, i8, bool)) -> Option<Vec<bool>> {
    let terms = Terms::new();
    let arguments: Vec<(String, Term)> = [("x", 8), ("y", 8), ("b", 1)]
        .iter()
        .map(|(name, width)| ((*name).to_owned(), terms.fresh_symbol(*width, name)))
        .collect();
    let read = read(&terms, &arguments, text)?;
    let values = [x as u8 as u128, y as u8 as u128, u128::from(b)];
    let value = |symbol: crate::smt::SymId| values[symbol.index()];
    Some(read.conjuncts.iter().map(|term| terms.evaluate(*term, &value) == 1).collect())
}

#[test]
fn integers_do_not_wrap() {
    for x in [-128, -127, -3, -1, 0, 1, 2, 7, 126, 127] {
        for y in [-128, -5, -1, 0, 1, 4, 127] {
            let (a, b) = (i64::from(x), i64::from(y));
            let cases = [
                ("(<= (+ x y) 100)", a + b <= 100),
                ("(> (- x y) (- 130))", a - b > -130),
                ("(>= (* 3 x) y)", 3 * a >= b),
                ("(= (* x y) 16384)", a * b == 16384),
                ("(< (- x) 128)", -a < 128),
                ("(= (mod x 3) (mod y 3))", a.rem_euclid(3) == b.rem_euclid(3)),
                ("(<= (div x 4) (- 1))", a.div_euclid(4) <= -1),
                ("(= (ite (< x 0) (+ x 256) x) 255)", a == -1),
                ("(let ((s (+ x y)) (x y)) (distinct s x))", a != 0),
                ("(<= 0 x y)", 0 <= a && a <= b),
                ("(= (bvadd x y) #x00)", (a + b).rem_euclid(256) == 0),
                ("(bvult x (_ bv200 8))", a.rem_euclid(256) < 200),
                ("(= ((_ extract 3 0) x) #xf)", a.rem_euclid(16) == 15),
                ("(xor (< x 3) (=> (< y 0) false))", (a < 3) != (b >= 0)),
            ];
            for (text, expected) in cases {
                assert_eq!(holds(text, (x, y, false)), Some(vec![expected]), "{text} at {x}, {y}");
            }
        }
    }
}

#[test]
fn what_cannot_be_read_costs_its_conjunct() {
    let text = "(let ((a!1 (not (<= x 3)))) (and a!1 (forall ((z Int)) (= z x)) (not (or b (f x) (= x y)))))";
    assert_eq!(holds(text, (4, 5, false)), Some(vec![true, true, true]));
    assert_eq!(holds(text, (3, 3, true)), Some(vec![false, false, false]));
    assert_eq!(holds("(<= x 1.5)", (1, 1, true)), Some(vec![]));
    assert_eq!(holds("(* x 99999999999999999999999999999999999999)", (1, 1, true)), Some(vec![]));
    for broken in ["", "(", ")", "(and b", "b b", "|b", "(and b))"] {
        assert_eq!(holds(broken, (1, 1, true)), None, "{broken}");
    }
    assert_eq!(holds(&"(not ".repeat(100_000), (1, 1, true)), None);
}
