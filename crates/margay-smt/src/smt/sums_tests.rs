//! Sums compared as integers, against all values of their symbols.

use super::random_tests::{is_right, picks};
use super::single;
use super::solver::{Model, Sat};
use super::sums::decide;
use super::term::{Op, SymId, Term, Terms};

/// Conditions on sums that may wrap around, against all values of their symbols.
#[test]
fn agrees_with_all_values() {
    let t = Terms::new();
    let (x, y, z) = (t.fresh_symbol(4, "x"), t.fresh_symbol(4, "y"), t.fresh_symbol(2, "z"));
    let even = t.fresh_aligned_symbol(2, 1, "even");
    let [two, three, nine] = [2, 3, 9].map(|value| t.constant(value, 4));
    let sums = [
        x,
        y,
        two,
        nine,
        t.add(x, y),
        t.sub(x, y),
        t.sub(t.mul(x, two), y),
        t.add(t.mul(x, three), t.add(t.mul(y, nine), two)),
        t.sub(t.zext(z, 4), x),
        t.add(t.sext(z, 4), y),
        t.add(t.sext(even, 4), three),
        t.zext(even, 4),
        t.sext(t.add(z, even), 4),
        t.mul(x, y),
        t.udiv(x, three),
        t.urem(t.add(x, y), three),
        t.sdiv(t.sub(x, y), three),
        t.srem(y, three),
        t.sdiv(x, two),
        t.lshr(y, two),
        t.ashr(t.add(x, y), t.constant(1, 4)),
        t.zext(t.extract(x, 1, 0), 4),
        t.sext(t.extract(y, 3, 1), 4),
    ];
    let holds = |conjuncts: &[Term], values: u128| {
        let value_of = |symbol: SymId| match t.symbol_term(symbol) {
            s if s == x => values & 15,
            s if s == y => values >> 4 & 15,
            s if s == z => values >> 8 & 3,
            _ => (values >> 10 & 1) << 1,
        };
        conjuncts.iter().all(|part| t.evaluate(*part, &value_of) == 1)
    };
    let mut pick = picks(5);
    let (mut answers, mut open) = ([0, 0], 0);
    for round in 0..4000 {
        let mut conjuncts = Vec::new();
        for _ in 0..2 + round % 5 {
            let op = [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::Slt, Op::Ult][pick(7)];
            let atom = t.binary(op, sums[pick(sums.len())], sums[pick(sums.len())]);
            let other = t.binary(Op::Slt, sums[pick(2)], sums[2 + pick(2)]);
            let mut either = |term: Term| if pick(2) == 0 { term } else { t.not(term) };
            let (atom, other) = (either(atom), either(other));
            match pick(4) {
                0 => conjuncts.push(t.not(t.and(atom, other))),
                1 => conjuncts.push(t.or(atom, other)),
                _ => conjuncts.extend([atom, other]),
            }
        }
        let expected = (0..1 << 11).any(|values| holds(&conjuncts, values));
        if is_right(&t, &conjuncts, decide(&t, &conjuncts, &Model::default()), expected) {
            answers[usize::from(expected)] += 1;
        } else {
            open += 1;
        }
    }
    assert!(answers.iter().all(|count| *count > 500) && open < 2000, "{answers:?}, {open}");
}

/// Quotients and remainders of sums by constants, signed and unsigned, against all values.
#[test]
fn divisions_agree_with_all_values() {
    let t = Terms::new();
    let (x, y) = (t.fresh_symbol(5, "x"), t.fresh_symbol(5, "y"));
    let number = |value| t.constant(value, 5);
    let dividends = [x, y, t.sub(x, y), t.add(y, number(2)), t.add(x, y)];
    let divide = |which: usize, dividend: Term, by: u128| match which {
        0 => t.udiv(dividend, number(by)),
        1 => t.urem(dividend, number(by)),
        2 => t.sdiv(dividend, number(by)),
        3 => t.srem(dividend, number(by)),
        4 => t.lshr(dividend, number(by / 3)),
        5 => t.ashr(dividend, number(by / 3)),
        // Cut, which changes nothing where the divisor is small.
        6 => t.sext(t.extract(t.srem(dividend, number(by)), 3, 0), 5),
        7 => t.zext(t.extract(t.srem(dividend, number(by)), 3, 0), 5),
        8 => t.zext(t.extract(t.urem(dividend, number(by)), 2, 0), 5),
        _ => t.zext(t.extract(dividend, (by / 3) as u32, 0), 5),
    };
    let mut pick = picks(11);
    let (mut answers, mut open) = ([0, 0], 0);
    for _ in 0..6000 {
        let mut sum = || {
            let quotient = divide(pick(10), dividends[pick(5)], 2 + pick(9) as u128);
            [quotient, t.add(x, quotient), t.sub(y, quotient), dividends[pick(5)], number(pick(32) as u128)][pick(5)]
        };
        let mut sides: Vec<(Term, Term)> = (0..2).map(|_| (sum(), sum())).collect();
        sides.push((number(pick(8) as u128), x));
        sides.push((y, number(pick(16) as u128)));
        let mut conjuncts = Vec::new();
        for (left, right) in sides {
            let atom = t.binary([Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::Sle][pick(6)], left, right);
            conjuncts.push(if pick(4) == 0 { t.not(atom) } else { atom });
        }
        let holds = |values: u128| {
            let value_of = |symbol: SymId| if t.symbol_term(symbol) == x { values & 31 } else { values >> 5 };
            conjuncts.iter().all(|part| t.evaluate(*part, &value_of) == 1)
        };
        let expected = (0..1 << 10).any(holds);
        match is_right(&t, &conjuncts, decide(&t, &conjuncts, &Model::default()), expected) {
            true => answers[usize::from(expected)] += 1,
            false => open += 1,
        }
    }
    assert!(answers.iter().all(|count| *count > 1000) && open < 3000, "{answers:?}, {open}");
}

/// A letter that is moved on by a remainder that was cut to fewer bits stays one, also where it is read without a sign.
#[test]
fn cut_remainders_stay_small() {
    let t = Terms::new();
    let (number, letter) = (t.fresh_symbol(64, "number"), t.fresh_symbol(32, "letter"));
    let constant = |value| t.constant(value, 32);
    let shift = t.extract(t.srem(number, t.constant(26, 64)), 31, 0);
    let known = [t.sle(constant(0), shift), t.sle(constant(97), letter), t.sle(letter, constant(122))];
    let place = t.srem(t.add(shift, t.sub(letter, constant(97))), constant(26));
    let answer = |last: u128| decide(&t, &[&known[..], &[t.ult(constant(last), place)]].concat(), &Model::default());
    assert!(answer(25).is_some_and(|answer| answer.is_unsat()));
    assert!(!answer(24).is_some_and(|answer| answer.is_unsat()));
}

/// The middle of two places lies between them, by whatever it is computed.
#[test]
fn halves_are_between_the_ends() {
    let t = Terms::new();
    let [low, high, n] = ["low", "high", "n"].map(|name| t.fresh_symbol(32, name));
    let (zero, one, two) = (t.constant(0, 32), t.constant(1, 32), t.constant(2, 32));
    let known = [t.sle(zero, low), t.sle(low, high), t.slt(high, n)];
    let width = t.sub(high, low);
    for half in [t.sdiv(width, two), t.lshr(width, one), t.ashr(width, one), t.udiv(width, two)] {
        let middle = t.add(low, half);
        for outside in [t.slt(middle, low), t.slt(high, middle), t.sle(n, middle)] {
            let query = [&known[..], &[outside]].concat();
            let answer = decide(&t, &query, &Model::default());
            assert!(answer.is_some_and(|answer| answer.is_unsat()));
        }
    }
    // As addresses of cells.
    let wide = |term: Term| t.mul(t.constant(4, 64), t.sext(term, 64));
    let middle = t.add(low, t.sdiv(width, two));
    let last = t.sub(wide(n), t.constant(4, 64));
    let inside = t.and(t.ult(t.constant(3, 64), wide(n)), t.ule(wide(middle), last));
    let query = [&known[..], &[t.not(inside)]].concat();
    assert!(decide(&t, &query, &Model::default()).is_some_and(|answer| answer.is_unsat()));
}

/// The integers that wide numbers stand for are not looked at: what is cut off from them may be anything.
#[test]
fn parts_of_wide_numbers_are_free() {
    let t = Terms::new();
    for width in [65, 96, 127, 128] {
        let [wide, other] = ["wide", "other"].map(|name| t.fresh_symbol(width, name));
        let low = |of: Term| t.extract(of, 31, 0);
        let high = |of: Term| t.extract(of, width - 1, width - 32);
        let few = t.constant(100, 32);
        for (part, least) in [(low(wide), low(other)), (high(wide), high(other)), (low(wide), high(other))] {
            let query = [t.ult(part, few), t.ult(least, part), t.slt(t.constant(7, 32), t.add(part, least))];
            let answer = decide(&t, &query, &Model::default());
            assert!(answer.is_none_or(|answer| answer.is_sat()), "{width}");
        }
        let third = t.udiv(wide, t.constant(3, width));
        let query = [t.ult(low(third), few), t.ult(t.constant(7, 32), low(third))];
        assert!(decide(&t, &query, &Model::default()).is_none_or(|answer| answer.is_sat()), "{width}");
    }
}

/// What one condition says makes another one's sum one of integers; where nothing does, it is left alone.
#[test]
fn sums_that_wrap_around_are_left_alone() {
    let t = Terms::new();
    let (x, y) = (t.fresh_symbol(32, "x"), t.fresh_symbol(32, "y"));
    let zero = t.constant(0, 32);
    let decide = |conjuncts: &[Term]| decide(&t, conjuncts, &Model::default());
    // x ≥ y ≥ 0 and x < x − y: it is none of bit-vectors either.
    let ordered = [t.sle(zero, y), t.sle(y, x)];
    let less = t.slt(x, t.sub(x, y));
    assert_eq!(decide(&[&ordered[..], &[less]].concat()), Some(Sat::Unsat));
    // Without them x − y may wrap around.
    let answer = decide(&[less]);
    assert!(answer.is_none_or(|answer| answer.is_sat()));
    // x < x + 1 fails for the greatest number only.
    let greatest = t.constant(0x7fff_ffff, 32);
    let is_not_less = t.sle(t.add_constant(x, 1), x);
    assert_eq!(decide(&[is_not_less, t.slt(x, greatest)]), Some(Sat::Unsat));
    assert!(decide(&[is_not_less]).is_none_or(|answer| answer.is_sat()));
}

/// Conditions on one symbol and on two, against all values.
#[test]
fn orders_agree_with_all_values() {
    let t = Terms::new();
    let width = 3;
    let symbols: Vec<Term> = (0..4).map(|_| t.fresh_symbol(width, "x")).collect();
    let mut pick = picks(3);
    let (mut answers, mut open) = ([0, 0], 0);
    for round in 0..3000 {
        let mut conjuncts = Vec::new();
        for _ in 0..3 + round % 4 {
            let other = if pick(3) == 0 { t.constant(pick(8) as u128, width) } else { symbols[pick(4)] };
            let op = match round % 3 {
                0 => [Op::Slt, Op::Sle, Op::Eq][pick(3)],
                1 => [Op::Ult, Op::Ule, Op::Eq][pick(3)],
                _ => [Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::Eq][pick(5)],
            };
            let atom = t.binary(op, symbols[pick(4)], other);
            conjuncts.push(if pick(2) == 0 { atom } else { t.not(atom) });
        }
        conjuncts.retain(|part| t.as_const(*part).is_none());
        let value_of = |all: u128, symbol: SymId| {
            let place = symbols.iter().position(|other| *other == t.symbol_term(symbol)).expect("one of these");
            all >> (3 * place) & 7
        };
        let expected =
            (0..1 << 12).any(|all| conjuncts.iter().all(|part| t.evaluate(*part, &|s| value_of(all, s)) == 1));
        if is_right(&t, &conjuncts, single::decide(&t, &conjuncts), expected) {
            answers[usize::from(expected)] += 1;
        } else {
            open += 1;
        }
    }
    assert!(answers.iter().all(|count| *count > 400) && open < 1000, "{answers:?}, {open}");
}

/// Chains that come round, and bounds at the other end of a chain.
#[test]
fn chains_are_followed_to_their_ends() {
    let t = Terms::new();
    let symbols: Vec<Term> = (0..8).map(|_| t.fresh_symbol(32, "x")).collect();
    let mut chain: Vec<Term> = symbols.windows(2).map(|pair| t.slt(pair[0], pair[1])).collect();
    let answer = single::decide(&t, &chain);
    assert!(answer.and_then(Sat::model).is_some_and(|model| model.satisfies(&t, &chain)));
    let bounds = |least: u128| [t.slt(t.constant(least, 32), symbols[0]), t.slt(symbols[7], t.constant(18, 32))];
    assert!(single::decide(&t, &[&chain[..], &bounds(9)].concat()).is_some_and(|answer| answer.is_sat()));
    assert_eq!(single::decide(&t, &[&chain[..], &bounds(10)].concat()), Some(Sat::Unsat));
    chain.push(t.sle(symbols[7], symbols[0]));
    assert_eq!(single::decide(&t, &chain), Some(Sat::Unsat));
}

/// Parts of which a term is so many times the whole, against all values of its symbols.
#[test]
fn what_is_divided_is_a_multiple_of_the_quotient() {
    let t = Terms::new();
    let (x, y) = (t.fresh_symbol(4, "x"), t.fresh_symbol(4, "y"));
    let sum = |parts: &[(u128, Term)], constant: u128| {
        parts.iter().fold(t.constant(constant, 4), |sum, (factor, part)| t.add(sum, t.scale(*part, *factor)))
    };
    for (term, by, is_exact) in [
        (sum(&[(2, x)], 4), 2, true),
        (sum(&[(2, x)], 3), 2, false),
        (sum(&[(6, x), (13, y)], 3), 3, true),
        (sum(&[(4, x), (14, y)], 8), 2, true),
        (sum(&[(4, x), (1, y)], 8), 4, false),
        (sum(&[], 6), 3, true),
        (t.mul(x, y), 2, false),
        (sum(&[(3, x)], 1), 1, true),
    ] {
        let quotient = t.divided_by(term, by);
        assert_eq!(quotient.is_some(), is_exact, "{}", t.display(term));
        let Some(quotient) = quotient else { continue };
        for values in 0..256 {
            let value_of = |symbol: SymId| if t.symbol_term(symbol) == x { values & 15 } else { values >> 4 };
            let product = (t.evaluate(quotient, &value_of) * u128::from(by)) & 15;
            assert_eq!(product, t.evaluate(term, &value_of), "{} of {}", t.display(quotient), t.display(term));
        }
    }
}
