//! Z3 behind the face: answers, models, caches, SMT-LIB text.

use std::time::Duration;

use proptest::prelude::*;

use super::random_tests::{Pool, steps};
use super::solver::independent_parts;
use super::{Effort, RecordingSolver, Sat, Solver, Term, Terms, Z3Solver, relevant, replay_smtlib, to_smtlib};
use crate::base::limits::Limits;

const EFFORT: Effort = Effort::NORMAL;

fn model(solver: &mut Z3Solver, terms: &Terms, query: &[Term]) -> super::Model {
    solver.check(terms, query, EFFORT).model().expect("a model")
}

#[test]
fn a_model_satisfies_the_query() {
    let t = Terms::new();
    let (x, y) = (t.fresh_symbol(32, "x"), t.fresh_symbol(32, "y"));
    let query = [
        t.eq(t.mul(x, y), t.constant(221, 32)),
        t.ult(x, t.constant(100, 32)),
        t.ult(y, t.constant(100, 32)),
        t.ult(x, y),
        t.ne(x, t.constant(1, 32)),
    ];
    let mut solver = Z3Solver::new();
    let m = model(&mut solver, &t, &query);
    assert_eq!((m.evaluate(&t, x), m.evaluate(&t, y)), (13, 17));
    assert!(m.satisfies(&t, &query));
    let more = [&query[..], &[t.ult(x, t.constant(13, 32))]].concat();
    assert_eq!(solver.check(&t, &more, EFFORT), Sat::Unsat);
    // Back to the shorter query: the assertion that contradicts is gone.
    assert!(solver.check(&t, &[&query[..], &[t.ult(x, t.constant(14, 32))]].concat(), EFFORT).is_sat());
}

#[test]
fn wide_symbols_and_alignment() {
    let t = Terms::new();
    let (wide, aligned) = (t.fresh_symbol(128, "w"), t.fresh_aligned_symbol(64, 4, "p"));
    let value = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210;
    let folded = |number| t.xor(number, t.lshr(number, t.constant(64, 128)));
    // Neither an equation with the symbol alone nor a comparison, which would not need Z3 to find the value.
    let query = [
        t.eq(folded(wide), folded(t.constant(value, 128))),
        t.ult(t.constant(4090, 64), aligned),
        t.ult(aligned, t.constant(4111, 64)),
    ];
    let m = model(&mut Z3Solver::new(), &t, &query);
    assert!(m.satisfies(&t, &query));
    assert_eq!(m.evaluate(&t, wide), value);
    assert_eq!(m.evaluate(&t, aligned), 4096);
}

#[test]
fn attempts_share_the_steps() {
    let steps = |rlimit, first: &[u32]| -> Vec<u32> {
        Effort { rlimit, timeout: None }.shares(first).iter().map(|share| share.rlimit).collect()
    };
    assert_eq!(steps(9, &[10]), [9]);
    assert_eq!(steps(10, &[10]), [10], "no steps would be no bound");
    assert_eq!(steps(11, &[10]), [10, 1]);
    assert_eq!(steps(15, &[10]), [10, 3, 2]);
    assert_eq!(steps(15, &[10, 7]), [10, 5]);
    assert_eq!(steps(0, &[10]), [10, Effort::PATIENT.rlimit, 0], "the last one may take as long as it likes");
    let timed = Effort { rlimit: 0, timeout: Some(Duration::from_secs(3)) };
    assert_eq!(timed.after(Duration::from_secs(1)).timeout, Some(Duration::from_secs(2)));
    assert_ne!(timed.after(Duration::from_secs(4)).timeout, Some(Duration::ZERO), "which is no bound, either");
}

/// A difference that stays between bounds: for a solver that counts bits it takes long.
#[test]
fn sums_are_compared_as_integers() {
    let t = Terms::new();
    let (x, y) = (t.fresh_symbol(32, "x"), t.fresh_symbol(32, "y"));
    let minus = |count: u128| t.sub(x, t.mul(y, t.constant(count, 32)));
    let zero = t.constant(0, 32);
    let mut query = vec![t.sle(zero, x), t.sle(zero, y)];
    query.extend((0..3).map(|count| t.slt(y, minus(count))));
    let mut solver = Z3Solver::new();
    // Too few steps for bits.
    let effort = Effort { rlimit: 200_000, timeout: None };
    let below = [&query[..], &[t.slt(minus(3), zero)]].concat();
    assert_eq!(solver.check(&t, &below, effort), Sat::Unsat);
    query.push(t.slt(minus(4), zero));
    assert!(model(&mut solver, &t, &query).satisfies(&t, &query));
}

/// The parity of 32 bits, computed by folding and bit by bit: no answer within these steps but by a SAT solver.
#[test]
fn what_is_hard_to_go_on_with_is_answered_afresh() {
    let t = Terms::new();
    let x = t.fresh_symbol(32, "x");
    let fold = |value: Term, by: u128| t.xor(value, t.lshr(value, t.constant(by, 32)));
    let folded = [16, 8, 4, 2, 1].into_iter().fold(x, fold);
    let bits = (0..32).map(|bit| t.extract(x, bit, bit)).reduce(|a, b| t.xor(a, b)).expect("bits");
    let query = [t.ne(t.extract(folded, 0, 0), bits)];
    assert_eq!(Z3Solver::new().check(&t, &query, EFFORT), Sat::Unsat);
}

#[test]
fn easy_queries_do_not_reach_z3() {
    let t = Terms::new();
    let x = t.fresh_symbol(32, "x");
    let mut solver = Z3Solver::new();
    assert!(solver.check(&t, &[], EFFORT).is_sat());
    assert!(solver.check(&t, &[t.true_()], EFFORT).is_sat());
    assert!(solver.check(&t, &[t.ult(x, t.constant(5, 32)), t.false_()], EFFORT).is_unsat());
    assert_eq!(solver.stats().trivial, 3);
    assert!(solver.engine_is_idle());
    let (small, square) = (t.ult(x, t.constant(5, 32)), t.eq(t.mul(x, x), t.constant(9, 32)));
    assert!(solver.check(&t, &[small, square], EFFORT).is_sat());
    assert!(solver.check(&t, &[square, small], EFFORT).is_sat(), "order does not matter");
    assert!(solver.check(&t, &[t.and(square, small)], EFFORT).is_sat(), "conjunctions are split");
    assert_eq!(solver.stats().cache_hits, 2);
    assert!(solver.check(&t, &[t.ult(x, t.constant(50, 32))], EFFORT).is_sat());
    assert_eq!(solver.stats().model_hits, 1);
    assert_eq!(solver.stats().queries, 7);
}

#[test]
fn a_clock_is_set_where_the_deadline_may_come_first() {
    let within = |effort: Effort, seconds| {
        effort.within(&Limits::new(Some(Duration::from_secs(seconds)), None)).timeout.map(|time| time.as_secs())
    };
    assert_eq!((within(EFFORT, 900), within(EFFORT, 2)), (None, Some(1)));
    let endless = Effort { rlimit: 0, timeout: None };
    assert_eq!(within(endless, 900), Some(899));
    let impatient = Effort { timeout: Some(Duration::from_secs(7)), ..EFFORT };
    assert_eq!((within(impatient, 900), within(impatient, 2)), (Some(7), Some(1)));
}

#[test]
fn too_little_effort_is_unknown() {
    let t = Terms::new();
    let (x, y) = (t.fresh_symbol(64, "x"), t.fresh_symbol(64, "y"));
    // Factoring: far beyond 1000 steps.
    let wide = t.mul(t.zext(x, 128), t.zext(y, 128));
    let query = [
        t.eq(wide, t.constant(0x7fff_ffe7 * 0x7fff_ffed * 3_037_000_493, 128)),
        t.ult(t.constant(1, 64), x),
        t.ult(t.constant(1, 64), y),
    ];
    let mut solver = Z3Solver::new();
    let answer = solver.check(&t, &query, Effort { rlimit: 1000, timeout: None });
    assert!(matches!(answer, Sat::Unknown(_)), "{answer:?}");
    assert_eq!(solver.stats().unknown, 1);
    // The solver goes on to work.
    assert!(solver.check(&t, &[t.ult(x, y)], EFFORT).is_sat());
}

#[test]
fn entailment() {
    let t = Terms::new();
    let (i, n) = (t.fresh_symbol(32, "i"), t.fresh_symbol(32, "n"));
    let mut solver = RecordingSolver::new(Z3Solver::new());
    let next = t.add_constant(i, 1);
    assert_eq!(solver.entails(&t, &[t.slt(i, n)], t.sle(next, n), EFFORT), Some(true));
    assert_eq!(solver.entails(&t, &[t.sle(i, n)], t.sle(next, n), EFFORT), Some(false));
    assert_eq!(solver.queries.len(), 2);
    assert_eq!(solver.queries[0], (vec![t.slt(i, n), t.slt(n, next)], Sat::Unsat));
}

#[test]
fn slices_follow_shared_symbols() {
    let t = Terms::new();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|hint| t.fresh_symbol(8, hint));
    let (ab, bc, dd) = (t.ult(a, b), t.ult(b, c), t.ult(d, t.constant(9, 8)));
    let goal = t.eq(c, t.constant(3, 8));
    assert_eq!(relevant(&t, &[ab, dd, bc], goal), [ab, bc]);
    assert_eq!(relevant(&t, &[ab, dd, bc], t.eq(d, t.constant(3, 8))), [dd]);
    assert_eq!(relevant(&t, &[ab], t.true_()), []);
}

#[test]
fn what_shares_symbols_through_others_is_one_part() {
    let terms = Terms::new();
    let symbols: Vec<Term> = (0..5).map(|_| terms.fresh_symbol(8, "n")).collect();
    let less = |one: usize, two: usize| terms.ult(symbols[one], symbols[two]);
    let alone = terms.ult(symbols[4], terms.constant(7, 8));
    let conjuncts = [less(0, 1), less(2, 3), alone, less(1, 2)];
    let parts = |conjuncts: &[Term]| independent_parts(&terms, conjuncts);
    assert_eq!(parts(&conjuncts), [vec![less(0, 1), less(2, 3), less(1, 2)], vec![alone]]);
    assert_eq!(parts(&conjuncts[..3]), [vec![less(0, 1)], vec![less(2, 3)], vec![alone]]);
    assert_eq!(parts(&[]), Vec::<Vec<Term>>::new());
}

#[test]
fn smtlib_text_of_a_query() {
    let t = Terms::new();
    let (x, p) = (t.fresh_symbol(8, "x|y"), t.fresh_aligned_symbol(16, 2, "p"));
    let query = [t.eq(t.zext(x, 16), p), t.ult(t.constant(253, 8), x)];
    let text = to_smtlib(&t, &query);
    assert_eq!(
        text,
        "(set-logic QF_BV)\n\
         (declare-const |x_y#0| (_ BitVec 8))\n\
         (declare-const |p#1| (_ BitVec 16))\n\
         (assert (= ((_ extract 1 0) |p#1|) #b00))\n\
         (define-fun t2 () (_ BitVec 16) ((_ zero_extend 8) |x_y#0|))\n\
         (define-fun t6 () (_ BitVec 1) (ite (= |p#1| t2) #b1 #b0))\n\
         (define-fun t8 () (_ BitVec 1) (ite (bvult #xfd |x_y#0|) #b1 #b0))\n\
         (assert (= t6 #b1))\n\
         (assert (= t8 #b1))\n\
         (check-sat)\n"
    );
    // 254 and 255 are not multiples of 4.
    assert_eq!(replay_smtlib(&text), Some(false));
    assert_eq!(replay_smtlib(&to_smtlib(&t, &query[..1])), Some(true));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// What the sampled values make true has a model; the text of the query has the same answer.
    #[test]
    fn z3_agrees_with_evaluation(steps in steps(1..16), seed in any::<u64>()) {
        let pool = Pool::new(&steps, seed);
        let t = &pool.terms;
        // The booleans as the first sample has them: satisfiable by construction.
        let true_ones: Vec<Term> = pool
            .booleans()
            .map(|(term, values)| if values[0] == 1 { *term } else { t.not(*term) })
            .collect();
        let mut solver = Z3Solver::new();
        let effort = Effort { rlimit: 1_000_000, timeout: None };
        match solver.check(t, &true_ones, effort) {
            Sat::Sat(model) => prop_assert!(model.satisfies(t, &true_ones)),
            Sat::Unsat => prop_assert!(false, "unsatisfiable:\n{}", to_smtlib(t, &true_ones)),
            Sat::Unknown(_) => {}
        }
        // Every term has its value under the first sample, says Z3's own evaluation of the operators.
        let fixed: Vec<Term> = (0..pool.values.len())
            .map(|i| {
                let symbol = pool.all[i].0;
                t.eq(symbol, t.constant(pool.values[i][0], t.width(symbol)))
            })
            .collect();
        let differs: Vec<Term> = pool.all.iter().map(|(term, v)| t.ne(*term, t.constant(v[0], t.width(*term)))).collect();
        let query = [&fixed[..], &[t.disjunction(&differs)]].concat();
        prop_assert_eq!(solver.check(t, &query, effort), Sat::Unsat);
        prop_assert_eq!(replay_smtlib(&to_smtlib(t, &query)), Some(false));
    }
}
