//! What the constructors make of typical terms, as text. The terms of one row must be one and the same.

use super::{Term, Terms};

/// Symbols every test can use.
struct Fixture {
    t: Terms,
    /// 32 bits.
    a: Term,
    b: Term,
    /// 64 bits, `base` a multiple of 8.
    base: Term,
    x: Term,
    /// 8 bits.
    c: Term,
    d: Term,
    /// Booleans.
    p: Term,
    q: Term,
}

impl Fixture {
    fn new() -> Self {
        let t = Terms::new();
        let symbol = |width, hint| t.fresh_symbol(width, hint);
        let (a, b) = (symbol(32, "a"), symbol(32, "b"));
        let base = t.fresh_aligned_symbol(64, 3, "base");
        let (x, c, d, p, q) = (symbol(64, "x"), symbol(8, "c"), symbol(8, "d"), symbol(1, "p"), symbol(1, "q"));
        Self { a, b, base, x, c, d, p, q, t }
    }

    fn k(&self, value: i128, like: Term) -> Term {
        self.t.signed_constant(value, self.t.width(like))
    }

    /// The text of `term`, symbols without their numbers.
    fn text(&self, term: Term) -> String {
        let text = self.t.display(term);
        let mut out = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c == '#' {
                while chars.next_if(|c| c.is_ascii_digit()).is_some() {}
            } else {
                out.push(c);
            }
        }
        out
    }

    #[track_caller]
    fn check(&self, rows: &[(Term, &str)]) {
        for (i, (term, expected)) in rows.iter().enumerate() {
            assert_eq!(self.text(*term), *expected, "row {i}");
        }
    }
}

#[test]
fn sums() {
    let f = Fixture::new();
    let Fixture { t, a, b, x, .. } = &f;
    let (a, b, x) = (*a, *b, *x);
    let k = |v| f.k(v, a);
    f.check(&[
        (t.add(t.add(a, k(3)), k(4)), "a + 7"),
        (t.add(k(4), t.add(b, a)), "a + b + 4"),
        (t.sub(a, a), "0"),
        (t.sub(t.add(a, b), t.add(b, a)), "0"),
        (t.add(a, t.add(a, a)), "3*a"),
        (t.sub(t.sub(b, a), k(1)), "-a + b - 1"),
        (t.mul(t.add(a, k(2)), k(4)), "4*a + 8"),
        (t.shl(t.add(a, k(2)), k(3)), "8*a + 16"),
        (t.neg(t.sub(a, b)), "-a + b"),
        (t.not(t.not(a)), "a"),
        (t.add(t.not(a), k(1)), "-a"),
        (t.mul(t.scale(a, 2), t.scale(b, 3)), "6*(a * b)"),
        (t.mul(b, a), "a * b"),
        (t.add(x, t.sext(t.add(a, k(1)), 64)), "x + sext64(a + 1)"),
    ]);
}

#[test]
fn divisions() {
    let f = Fixture::new();
    let Fixture { t, a, c, x, base, .. } = &f;
    let (a, c, x, base) = (*a, *c, *x, *base);
    let k = |v| f.k(v, x);
    let (index, wide) = (t.sext(a, 64), t.zext(c, 64));
    f.check(&[
        (t.udiv(x, k(8)), "zext64(x[63:3])"),
        (t.urem(x, k(8)), "zext64(x[2:0])"),
        (t.urem(t.add(base, k(5)), k(8)), "5"),
        // Pointer differences: exact division by the element size.
        (t.sdiv(t.sub(t.add(x, t.scale(index, 12)), x), k(12)), "sext64(a)"),
        (t.sdiv(t.add(t.scale(index, 12), k(24)), k(12)), "sext64(a) + 2"),
        (t.sdiv(t.scale(wide, 8), k(8)), "zext64(c)"),
        (t.srem(t.scale(index, 12), k(12)), "0"),
        (t.sdiv(t.scale(x, 12), k(12)), "(12*x) /s 12"),
        (t.udiv(wide, k(10)), "zext64(c /u 10)"),
        (t.urem(wide, k(1000)), "zext64(c)"),
        (t.udiv(wide, k(1000)), "0"),
        (t.sdiv(x, k(-1)), "-x"),
        (t.udiv(x, k(0)), "-1"),
        (t.urem(x, k(0)), "x"),
    ]);
}

#[test]
fn equations() {
    let f = Fixture::new();
    let Fixture { t, a, b, c, d, x, base, p, .. } = &f;
    let (a, b, c, d, x, base, p) = (*a, *b, *c, *d, *x, *base, *p);
    let k = |v| f.k(v, a);
    f.check(&[
        (t.eq(t.add(a, k(3)), t.add(b, k(3))), "a == b"),
        (t.eq(t.add(b, k(3)), t.add(a, k(1))), "a == (b + 2)"),
        (t.eq(t.add(a, k(3)), k(7)), "a == 4"),
        (t.eq(t.add(a, k(4)), a), "false"),
        (t.eq(t.sub(a, b), k(0)), "a == b"),
        (t.eq(t.sub(b, a), k(0)), "a == b"),
        (t.eq(t.scale(a, 3), k(9)), "a == 3"),
        (t.eq(t.scale(a, 4), k(8)), "a[29:0] == 2"),
        (t.eq(t.scale(a, 4), k(9)), "false"),
        (t.eq(t.zext(c, 32), k(65)), "c == 65"),
        (t.eq(t.zext(c, 32), k(256)), "false"),
        (t.eq(t.zext(c, 32), k(-1)), "false"),
        (t.eq(t.sext(c, 32), k(-1)), "c == -1"),
        (t.eq(t.sext(c, 32), k(200)), "false"),
        (t.eq(t.zext(c, 32), t.zext(d, 32)), "c == d"),
        (t.eq(t.sext(a, 64), t.sext(b, 64)), "a == b"),
        (t.eq(t.concat(c, d), t.constant(0x1234, 16)), "(c == 18) & (d == 52)"),
        (t.eq(t.zext(p, 32), k(0)), "!p"),
        (t.ne(t.zext(p, 32), k(0)), "p"),
        (t.eq(t.ite(p, k(5), k(6)), k(5)), "p"),
        (t.eq(t.ite(p, k(5), k(6)), k(6)), "!p"),
        (t.eq(t.ite(p, k(5), k(6)), k(7)), "false"),
        (t.eq(t.ite(p, a, k(6)), k(7)), "p & (a == 7)"),
        (t.eq(base, t.constant(12, 64)), "false"),
        (t.eq(t.add(base, t.constant(1, 64)), t.constant(0, 64)), "false"),
        (t.eq(t.add(base, t.constant(8, 64)), t.add(t.add(base, x), t.constant(8, 64))), "x == 0"),
    ]);
}

#[test]
fn booleans_of_c() {
    let f = Fixture::new();
    let Fixture { t, a, b, p, q, .. } = &f;
    let (a, b, p, q) = (*a, *b, *p, *q);
    let k = |v| f.k(v, a);
    let less = t.zext(t.slt(a, b), 32); // (int)(a < b)
    f.check(&[
        (t.ne(less, k(0)), "a <s b"),
        (t.eq(less, k(0)), "b <=s a"),
        (t.eq(t.zext(t.eq(less, k(0)), 32), k(0)), "a <s b"), // !!(a < b)
        (t.ite(p, k(1), k(0)), "zext32(p)"),
        (t.ite(p, k(0), k(1)), "zext32(!p)"),
        (t.ite(p, q, t.false_()), "p & q"),
        (t.ite(p, t.true_(), q), "p | q"),
        (t.ite(t.not(p), a, b), "p ? b : a"),
        (t.not(t.not(p)), "p"),
        (t.not(t.ult(a, b)), "b <=u a"),
        (t.and(p, t.not(p)), "false"),
        (t.or(t.slt(a, b), t.sle(b, a)), "true"),
        (t.and(q, t.and(p, q)), "p & q"),
        (t.xor(p, p), "false"),
        (t.eq(p, t.not(p)), "false"),
        (t.ne(t.and(less, k(1)), k(0)), "a <s b"),
        (t.extract(less, 0, 0), "a <s b"),
    ]);
}

#[test]
fn inequalities() {
    let f = Fixture::new();
    let Fixture { t, a, b, c, d, p, .. } = &f;
    let (a, b, c, d, p) = (*a, *b, *c, *d, *p);
    let k = |v| f.k(v, a);
    let (most, least) = (k(i128::from(i32::MAX)), k(i128::from(i32::MIN)));
    f.check(&[
        (t.ult(a, a), "false"),
        (t.sle(a, a), "true"),
        (t.ult(a, k(0)), "false"),
        (t.ult(a, k(1)), "a == 0"),
        (t.ult(k(0), a), "!(a == 0)"),
        (t.ule(a, k(-1)), "true"),
        (t.ule(a, k(5)), "a <u 6"),
        (t.ule(k(5), a), "4 <u a"),
        (t.slt(a, least), "false"),
        (t.sle(a, most), "true"),
        (t.slt(a, most), "!(a == 2147483647)"),
        (t.sle(a, least), "a == -2147483648"),
        (t.not(t.slt(a, k(0))), "-1 <s a"),
        (t.not(t.slt(k(-1), a)), "a <s 0"),
        (t.slt(t.sext(a, 64), t.sext(b, 64)), "a <s b"),
        (t.slt(t.zext(c, 32), t.zext(d, 32)), "c <u d"),
        (t.slt(t.zext(c, 32), k(300)), "true"),
        (t.slt(t.zext(c, 32), k(0)), "false"),
        (t.slt(t.zext(c, 32), k(65)), "c <u 65"),
        (t.sle(t.sext(c, 32), k(127)), "true"),
        (t.slt(t.sext(c, 32), k(10)), "c <s 10"),
        (t.ult(t.sext(c, 32), k(1000)), "-1 <s c"),
        (t.slt(t.ite(p, k(3), k(8)), k(5)), "p"),
    ]);
}

/// Sums that cannot wrap around: bounds checks of arrays and overflow checks in a wider type.
#[test]
fn inequalities_of_sums() {
    let f = Fixture::new();
    let Fixture { t, a, b, c, d, x, p, .. } = &f;
    let (a, b, c, d, x, p) = (*a, *b, *c, *d, *x, *p);
    let k = |v| t.signed_constant(v, 64);
    let (i, n, u, v) = (t.sext(a, 64), t.sext(b, 64), t.zext(c, 64), t.zext(d, 64));
    let least = i128::from(i32::MIN);
    f.check(&[
        (t.slt(t.scale(i, 4), k(40)), "a <s 10"),
        (t.slt(t.scale(i, 4), k(41)), "a <s 11"),
        (t.sle(t.scale(i, 4), k(43)), "a <s 11"),
        (t.sle(t.add(t.scale(i, 4), k(4)), t.scale(n, 4)), "(sext64(a) + 1) <=s sext64(b)"),
        (t.slt(t.add(t.scale(i, 4), k(3)), t.scale(n, 4)), "a <s b"),
        (t.slt(t.add(i, k(7)), t.add(n, k(7))), "a <s b"),
        (t.slt(t.add(i, k(5)), t.add(n, k(7))), "sext64(a) <s (sext64(b) + 2)"),
        (t.slt(t.add(i, n), k(2 * least)), "false"),
        (t.sle(k(least), t.add(i, k(1))), "true"),
        (t.sle(t.add(i, k(1)), k(-least - 1)), "!(a == 2147483647)"),
        (t.ult(t.add(u, v), k(511)), "true"),
        (t.ult(t.add(u, k(1)), t.add(v, k(1))), "c <u d"),
        (t.ult(k(3), t.scale(u, 2)), "1 <u c"),
        // These may wrap around.
        (t.slt(t.add(x, k(7)), t.add(i, k(7))), "(x + 7) <s (sext64(a) + 7)"),
        (t.ult(t.scale(i, 4), k(40)), "(4*sext64(a)) <u 40"),
        // On the other side the coefficient would be 2³², which 33 bits do not have.
        (
            t.slt(t.zext(a, 33), t.concat(p, t.constant(1 << 31, 32))),
            "zext33(a) <s (-4294967296*zext33(p) + 2147483648)",
        ),
    ]);
}

#[test]
fn parts() {
    let f = Fixture::new();
    let Fixture { t, a, b, c, d, x, .. } = &f;
    let (a, b, c, d, x) = (*a, *b, *c, *d, *x);
    let sum = t.add(a, b);
    let bytes: Vec<Term> = (0..4).map(|i| t.extract(sum, 8 * i + 7, 8 * i)).collect();
    let assembled = bytes[1..].iter().fold(bytes[0], |low, &high| t.concat(high, low));
    f.check(&[
        (t.extract(t.extract(x, 47, 16), 15, 8), "x[31:24]"),
        (t.extract(t.concat(c, d), 7, 0), "d"),
        (t.extract(t.concat(c, d), 11, 4), "c[3:0] ++ d[7:4]"),
        (t.extract(t.zext(c, 32), 31, 8), "0"),
        (t.extract(t.zext(c, 32), 15, 0), "zext16(c)"),
        (t.extract(t.sext(c, 32), 15, 0), "sext16(c)"),
        (t.extract(t.add(t.sext(a, 64), t.constant(5, 64)), 31, 0), "a + 5"),
        (t.extract(t.mul(t.sext(a, 64), t.sext(b, 64)), 31, 0), "a * b"),
        (t.concat(t.extract(x, 63, 32), t.extract(x, 31, 0)), "x"),
        (t.concat(t.concat(t.extract(x, 23, 16), t.extract(x, 15, 8)), c), "x[23:8] ++ c"),
        (assembled, "a + b"),
        (t.concat(t.constant(0, 8), c), "zext16(c)"),
        (t.zext(t.zext(c, 16), 32), "zext32(c)"),
        (t.sext(t.zext(c, 16), 32), "zext32(c)"),
        (t.sext(t.sext(c, 16), 32), "sext32(c)"),
        (t.lshr(t.concat(c, d), t.constant(8, 16)), "zext16(c)"),
        (t.ashr(a, t.constant(31, 32)), "sext32(a[31:31])"),
        (t.ashr(a, t.constant(99, 32)), "sext32(a[31:31])"),
        (t.shl(a, t.constant(32, 32)), "0"),
        // A value put together from bytes by shifts, and taken apart.
        (t.or(t.shl(t.zext(c, 16), t.constant(8, 16)), t.zext(d, 16)), "c ++ d"),
        (t.extract(t.add(t.scale(t.zext(c, 16), 256), t.zext(d, 16)), 15, 8), "c"),
        (t.and(t.zext(c, 32), t.constant(255, 32)), "zext32(c)"),
        (t.and(a, t.constant(0xff, 32)), "zext32(a[7:0])"),
        (t.and(a, t.constant(0xff00, 32)), "256*zext32(a[15:8])"),
        (t.and(a, t.constant(0x11, 32)), "a & 17"),
        (t.xor(t.xor(a, b), a), "b"),
        (t.and(a, t.not(a)), "0"),
        (t.or(a, t.not(a)), "-1"),
    ]);
}

#[test]
fn tagged_pointers() {
    let f = Fixture::new();
    let Fixture { t, base, a, .. } = &f;
    let (base, a) = (*base, *a);
    let k = |v| f.k(v, base);
    let tagged = t.or(base, k(1));
    let element = t.add(base, t.scale(t.sext(a, 64), 8));
    f.check(&[
        (tagged, "base + 1"),
        (t.add(base, k(1)), "base + 1"),
        (t.and(tagged, k(!3)), "base"),
        (t.and(tagged, k(3)), "1"),
        (t.and(base, k(7)), "0"),
        (t.xor(tagged, k(1)), "base"),
        (t.xor(base, k(1)), "base + 1"),
        (t.and(t.add(element, k(3)), k(!7)), "base + 8*sext64(a)"),
        (t.and(t.add(element, k(11)), k(!7)), "base + 8*sext64(a) + 8"),
        (t.and(t.add(element, k(11)), k(7)), "3"),
        (t.shl(t.lshr(base, k(3)), k(3)), "base"),
        (t.concat(t.extract(base, 63, 3), t.constant(5, 3)), "base + 5"),
    ]);
    let sum = t.linear(t.add(element, k(-8)));
    assert_eq!(sum.parts, [(8, t.sext(a, 64)), (1, base)].into_iter().rev().collect::<Vec<_>>());
    assert_eq!(sum.constant, 8u128.wrapping_neg() & super::mask(64));
}

#[test]
fn symbols_and_substitution() {
    let f = Fixture::new();
    let Fixture { t, a, b, x, .. } = &f;
    let (a, b, x) = (*a, *b, *x);
    let id = |s| t.as_symbol(s).unwrap();
    let sum = t.add(x, t.sext(t.mul(b, a), 64));
    assert_eq!(*t.symbols_of(sum), [id(a), id(b), id(x)]);
    let by = [(id(a), f.k(2, a)), (id(x), f.k(7, x))].into_iter().collect();
    f.check(&[(t.substitute(sum, &by), "sext64(2*b) + 7"), (t.substitute(b, &by), "b")]);
}

#[test]
fn deep_terms_need_no_deep_stack() {
    let f = Fixture::new();
    let Fixture { t, a, x, .. } = &f;
    let (mut masked, mut chosen) = (*x, f.k(-1, *a));
    for i in 0..20_000 {
        let y = t.fresh_symbol(64, "y");
        masked = t.add_constant(t.or(t.mul(masked, y), y), 1);
        chosen = t.ite(t.eq(*a, f.k(i, *a)), f.k(i % 7, *a), chosen);
    }
    let (low, third) = (t.truncate(masked, 32), t.eq(chosen, f.k(3, *a)));
    let value = |a: u128| t.evaluate(third, &|s| if Some(s) == t.as_symbol(f.a) { a } else { 0 });
    assert_eq!((value(10), value(11), value(20_000)), (1, 0, 0));
    assert_eq!(t.evaluate(low, &|_| 1), t.evaluate(masked, &|_| 1) & 0xffff_ffff);
    assert!(t.display(masked).len() < 5000);
    assert_eq!(t.substitute(third, &[(t.as_symbol(f.a).unwrap(), f.k(17, f.a))].into_iter().collect()), t.true_());
}

/// A term of many others, each with two uses of the one before.
fn deep(t: &Terms, x: Term, depth: u32) -> Term {
    (0..depth).fold(x, |term, n| {
        let limit = t.constant(u128::from(100 + n % 50), 32);
        t.ite(
            t.ult(term, limit),
            t.add_constant(term, i128::from(n % 7)),
            t.xor(term, t.constant(u128::from(n % 5), 32)),
        )
    })
}

#[test]
fn bounds_of_deep_terms_hold_and_those_of_shallow_ones_are_close() {
    let Fixture { t, a, .. } = Fixture::new();
    for depth in [1, 10, 1000] {
        let term = deep(&t, a, depth);
        let (low, high) = t.range(term, &|_| (3, 9));
        for value in 3..=9 {
            let value = t.evaluate(term, &|_| value);
            assert!((low..=high).contains(&value), "{value} is not within {low}..={high} at depth {depth}");
        }
        assert!(depth > 10 || high < 100, "{high} at depth {depth}");
    }
}

#[test]
fn symbols_are_those_of_all_operands() {
    let Fixture { t, a, b, c, p, .. } = Fixture::new();
    let names = |term: Term| t.symbols_of(term).iter().map(|s| t.symbol_info(*s).hint.to_string()).collect::<Vec<_>>();
    let sum = t.add(a, b);
    assert_eq!(names(sum), ["a", "b"]);
    let wide = t.zext(c, 32);
    let both = t.ite(p, t.add(wide, b), t.xor(a, wide));
    assert_eq!(names(both), ["a", "b", "c", "p"]);
    assert_eq!(names(t.add(both, sum)), ["a", "b", "c", "p"]);
    assert_eq!(names(t.constant(3, 8)), [""; 0]);
    // As many uses of each as there are paths to it.
    assert_eq!(names(deep(&t, sum, 300)), ["a", "b"]);
}

#[test]
fn many_conditions_at_once_are_what_they_are_one_by_one() {
    let t = Terms::new();
    let symbols: Vec<Term> = (0..70).map(|n| t.fresh_symbol(1, &format!("s{n}"))).collect();
    for count in [0, 1, 2, 5, 64, 65, 70] {
        let some = &symbols[..count];
        let (all, any) = (t.conjunction(some), t.disjunction(some));
        // Each symbol true but one; none; all.
        for odd in (0..count).map(Some).chain([None]) {
            let others = |s: crate::smt::SymId| u128::from(odd.is_none_or(|n| t.symbol_term(s) != some[n]));
            assert_eq!(t.evaluate(all, &others), u128::from(odd.is_none()), "{count}");
            assert_eq!(t.evaluate(any, &|s| 1 - others(s)), u128::from(odd.is_some()), "{count}");
        }
        if count <= 64 {
            let one_by_one = some.iter().fold(t.true_(), |left, &right| t.bool_and(left, right));
            assert_eq!(all, one_by_one);
        }
    }
    let (p, q) = (symbols[0], symbols[1]);
    assert!(t.is_false(t.conjunction(&[p, q, t.not(p)])) && t.is_true(t.disjunction(&[p, q, t.not(p)])));
    assert!(t.is_false(t.conjunction(&[p, t.false_()])) && t.conjunction(&[p, t.true_(), p]) == p);
}

#[test]
fn terms_that_share_parts_are_substituted_at_once() {
    let Fixture { t, a, b, .. } = Fixture::new();
    let (shared, symbol) = (deep(&t, a, 300), t.as_symbol(a).unwrap());
    let by = rustc_hash::FxHashMap::from_iter([(symbol, b)]);
    let mut done = rustc_hash::FxHashMap::default();
    let first = t.substitute_into(shared, &by, &mut done);
    assert_eq!(first, deep(&t, b, 300));
    let size = done.len();
    assert_eq!(t.substitute_into(t.add(shared, b), &by, &mut done), t.add(first, b));
    assert!(done.len() <= size + 4, "{size} terms, then {}", done.len());
}
