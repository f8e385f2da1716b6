//! How long terms take to build and simplify, and queries to decide.

use margay::smt::{Effort, Solver, Term, Terms, Z3Solver};

fn main() {
    divan::main();
}

/// The address arithmetic of a loop over an array of structs: `base + 16·i + 8` for `i = 0…`, by repeated addition.
#[divan::bench(args = [10, 100, 1000])]
fn pointer_walk(bencher: divan::Bencher, steps: usize) {
    bencher.bench_local(|| {
        let t = Terms::new();
        let base = t.fresh_aligned_symbol(64, 4, "base");
        (0..steps).fold(base, |p, _| t.sub(t.add_constant(t.add_constant(p, 24), 8), t.constant(16, 64)))
    });
}

/// A sum of many unknowns, the worst case for the normal form of sums.
#[divan::bench(args = [10, 100])]
fn long_sum(bencher: divan::Bencher, length: usize) {
    bencher.bench_local(|| {
        let t = Terms::new();
        (0..length).fold(t.constant(0, 32), |sum, _| t.add(sum, t.fresh_symbol(32, "x")))
    });
}

/// The bytes of a value written one by one and read back as one.
#[divan::bench]
fn bytes_and_back(bencher: divan::Bencher) {
    bencher.bench_local(|| {
        let t = Terms::new();
        let x = t.add(t.fresh_symbol(64, "x"), t.fresh_symbol(64, "y"));
        let bytes = (0..8).map(|i| t.extract(x, 8 * i + 7, 8 * i));
        bytes.reduce(|low, high| t.concat(high, low))
    });
}

/// `0 ≤ i₀`, `i₀ < i₁`, … `iₙ < 1000`: each query adds a conjunct to the one before.
fn path_condition(t: &Terms, length: usize) -> Vec<Term> {
    let symbols: Vec<Term> = (0..length).map(|_| t.fresh_symbol(32, "i")).collect();
    let mut path = vec![t.sle(t.constant(0, 32), symbols[0])];
    path.extend(symbols.windows(2).map(|w| t.slt(w[0], w[1])));
    path.push(t.slt(symbols[length - 1], t.constant(1000, 32)));
    path
}

#[divan::bench(args = [5, 20])]
fn growing_path_condition(bencher: divan::Bencher, length: usize) {
    bencher.bench_local(|| {
        let t = Terms::new();
        let path = path_condition(&t, length);
        let mut solver = Z3Solver::new();
        (1..=path.len()).filter(|&n| solver.check(&t, &path[..n], Effort::NORMAL).is_sat()).count()
    });
}

/// Bounds checks under one path condition: every query shares all but its last conjunct.
#[divan::bench]
fn bounds_checks(bencher: divan::Bencher) {
    let t = Terms::new();
    let path = path_condition(&t, 10);
    let symbols = t.symbols_of(path[path.len() - 1])[0];
    let last = t.symbol_term(symbols);
    let mut solver = Z3Solver::new();
    let mut limit = 1000;
    bencher.bench_local(|| {
        limit += 1;
        solver.entails(&t, &path, t.slt(last, t.constant(limit, 32)), Effort::NORMAL)
    });
}

/// Rounds of Euclid's algorithm, `a` at least twice `b` in each: sums that cannot wrap around because of what was known before.
#[divan::bench(args = [2, 6])]
fn sums_compared(bencher: divan::Bencher, rounds: usize) {
    bencher.bench_local(|| {
        let t = Terms::new();
        let (a, b) = (t.fresh_symbol(32, "a"), t.fresh_symbol(32, "b"));
        let mut path = vec![t.slt(t.constant(0, 32), b)];
        let mut rest = a;
        for _ in 0..rounds {
            path.push(t.sle(b, rest));
            rest = t.sub(rest, b);
        }
        let mut solver = Z3Solver::new();
        let negative = t.slt(rest, t.constant(0, 32));
        solver.entails(&t, &path, t.not(negative), Effort::NORMAL)
    });
}
