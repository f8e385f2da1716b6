//! Sampled points are those of runs, and equations are what all of them have in common.

use super::builder::Builder;
use super::clauses::Clauses;
use super::equations::{HIGHEST_DEGREE, equations, of_points};
use super::houdini::Conditions;
use super::samples::Samples;
use super::templates::templates;
use super::tests::lowered;
use crate::base::limits::Limits;
use crate::c::with_big_stack;
use crate::explore::start;
use crate::frame::probe_tests::REACH;
use crate::heap::Semantics;
use crate::smt::Term;

/// The clauses of a program, as the engine has them made.
fn with_clauses<T: Send>(text: &str, then: impl FnOnce(&Clauses) -> T + Send) -> T {
    with_big_stack(|| {
        let program = lowered(text);
        let mut start = start(&program, &Limits::none()).expect("a start");
        start.memory.semantics = Semantics { asks_at_branches: false, places_by_values: true, ..Semantics::default() };
        let mut builder = Builder::new(&program, REACH, start);
        builder.run(&Limits::none()).expect("clauses");
        then(&builder.finish())
    })
}

/// The sum of the numbers up to `n`, not all of which may be added.
const SUM: &str = "int main(void) {
    int n = nondet(), i = 0, sum = 0;
    if (n < 0 || n > 100) return 0;
    while (i < n) { i++; sum += i; }
    if (2 * sum != n * (n + 1)) reach_error();
    return 0;
}";

/// The places of named arguments.
fn places(clauses: &Clauses, names: [&str; 3]) -> [usize; 3] {
    let meanings = &clauses.predicates[0].meanings;
    names.map(|name| meanings.iter().position(|meaning| meaning == name).expect("an argument"))
}

#[test]
fn points_are_those_of_runs() {
    with_clauses(SUM, |clauses| {
        let [n, i, sum] = places(clauses, ["n", "i", "sum"]);
        let samples = Samples::of(clauses);
        assert!(samples.0[0].len() > 20, "{}", samples.0[0].len());
        for point in &samples.0[0] {
            assert!(point[i] <= point[n] && point[n] <= 100, "{point:?}");
            assert_eq!(2 * point[sum], point[i] * (point[i] + 1), "{point:?}");
        }
        assert!(samples.0[0].iter().any(|point| point[i] == point[n] && point[n] > 2));
    });
}

/// Whether all conditions hold where these numbers are.
fn hold(clauses: &Clauses, conditions: &[Term], [n, i, sum]: [u128; 3]) -> bool {
    let mut point = vec![0; clauses.predicates[0].arguments.len()];
    let at = places(clauses, ["n", "i", "sum"]);
    (point[at[0]], point[at[1]], point[at[2]]) = (n, i, sum);
    let samples = Samples(vec![[point].into()]);
    conditions.iter().all(|condition| samples.allow(clauses, 0, *condition))
}

#[test]
fn equations_of_samples_prove_a_sum() {
    with_clauses(SUM, |clauses| {
        let samples = Samples::of(clauses);
        let lines = equations(clauses, &samples, 1);
        assert!(hold(clauses, &lines.0[0], [9, 6, 20]), "a line says nothing of the sum");
        let mut conditions = equations(clauses, &samples, 2);
        assert!(hold(clauses, &conditions.0[0], [9, 6, 21]) && !hold(clauses, &conditions.0[0], [9, 6, 20]));
        conditions.add_all(&templates(clauses));
        conditions.drop_what_samples_refute(clauses, &samples);
        conditions.keep_what_holds(clauses, &Limits::none()).unwrap();
        assert!(hold(clauses, &conditions.0[0], [9, 6, 21]) && !hold(clauses, &conditions.0[0], [9, 6, 20]));
        assert!(conditions.exclude_violations(clauses, &Limits::none()).is_ok());
        assert!(Conditions::none(clauses).exclude_violations(clauses, &Limits::none()).is_err());
    });
}

#[test]
fn equations_may_hold_where_a_flag_does() {
    let text = "int main(void) {
        int flag = nondet();
        unsigned up = 0, down = flag ? 0 : 3;
        while (nondet()) { up += 2; down -= flag ? 2 : 5; }
        if (flag && up + down != 0) reach_error();
        return 0;
    }";
    with_clauses(text, |clauses| {
        let samples = Samples::of(clauses);
        let mut conditions = equations(clauses, &samples, 1);
        conditions.keep_what_holds(clauses, &Limits::none()).unwrap();
        assert!(conditions.exclude_violations(clauses, &Limits::none()).is_ok());
    });
}

#[test]
fn cubes_are_found_by_their_differences() {
    let point = |n: i128| vec![n, n * n * n, 3 * n * n + 3 * n + 1, 6 * n + 6];
    let points: Vec<Vec<i128>> = (0..40).map(point).collect();
    let found = of_points(&points, 4, HIGHEST_DEGREE);
    let vanishes = |point: &[i128]| {
        found.iter().all(|equation| {
            let part = |(product, coefficient): &(Vec<u32>, i128)| {
                coefficient * product.iter().zip(point).map(|(times, number)| number.pow(*times)).product::<i128>()
            };
            equation.iter().map(part).sum::<i128>() == 0
        })
    };
    assert!(vanishes(&point(1000)));
    for wrong in 0..4 {
        let mut point = point(1000);
        point[wrong] += 1;
        assert!(!vanishes(&point), "{point:?}");
    }
    // Nothing is common to points that have nothing in common, and too few say nothing.
    let scattered: Vec<Vec<i128>> = (0..80).map(|n| vec![n % 7, n * n % 11, n * n * n % 13]).collect();
    assert!(of_points(&scattered, 3, HIGHEST_DEGREE).is_empty());
    assert!(of_points(&points[..8], 4, HIGHEST_DEGREE).is_empty());
}
