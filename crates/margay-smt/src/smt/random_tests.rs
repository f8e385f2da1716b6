//! Random straight-line programs over bit-vectors: the simplified terms must have the values of the plain operators.

use proptest::prelude::*;

use super::{Op, Sat, SymId, Term, Terms, mask, to_signed};

/// One step of a random program: an operator, two operands and a number for what else it needs.
pub(super) type Step = (u8, u8, u8, u64);

/// How many assignments every term is evaluated under.
const SAMPLES: usize = 8;

/// Terms with their values under every assignment, computed without any simplification.
pub(super) struct Pool {
    pub terms: Terms,
    pub all: Vec<(Term, Vec<u128>)>,
    /// Per symbol its value under every assignment.
    pub values: Vec<Vec<u128>>,
}

/// The next state of a generator of numbers whose upper bits look random.
fn following(state: u64) -> u64 {
    state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// Picks one of so many, again and again; the same for the same seed.
pub(super) fn picks(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |count| {
        state = following(state);
        (state >> 33) as usize % count
    }
}

/// Whether there is an answer, which has to be the one expected.
pub(super) fn is_right(terms: &Terms, conjuncts: &[Term], answer: Option<Sat>, expected: bool) -> bool {
    match answer {
        Some(Sat::Sat(model)) => assert!(expected && model.satisfies(terms, conjuncts)),
        Some(Sat::Unsat) => {
            let shown: Vec<String> = conjuncts.iter().map(|part| terms.display(*part)).collect();
            assert!(!expected, "{}", shown.join(", "));
        }
        Some(Sat::Unknown(_)) | None => return false,
    }
    true
}

pub(super) fn steps(length: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(any::<Step>(), length)
}

impl Pool {
    /// Symbols of several widths and alignments, then one term per step. Values favour the corners of each width.
    pub fn new(steps: &[Step], seed: u64) -> Pool {
        let mut pool = Pool { terms: Terms::new(), all: Vec::new(), values: Vec::new() };
        let mut state = seed | 1;
        for (width, alignment) in [(1, 0), (1, 0), (8, 0), (8, 2), (16, 0), (32, 0), (32, 0), (64, 3), (64, 0)] {
            let t = pool.terms.fresh_aligned_symbol(width, alignment, "s");
            let values: Vec<u128> = (0..SAMPLES)
                .map(|_| {
                    state = following(state);
                    corner(state >> 16, width) & mask(width) & !(mask(alignment + 1) >> 1)
                })
                .collect();
            pool.values.push(values.clone());
            pool.all.push((t, values));
        }
        for &step in steps {
            pool.step(step);
        }
        pool
    }

    fn step(&mut self, (op, a, b, number): Step) {
        let pick = |i: u8| self.all[i as usize % self.all.len()].clone();
        let (a, b) = (pick(a), pick(b));
        let t = &self.terms;
        let width = t.width(a.0);
        let constant = corner(number, width) & mask(width);
        let map =
            |values: &[u128], f: &dyn Fn(u128) -> u128| values.iter().map(|&v| f(v) & mask(128)).collect::<Vec<_>>();
        let made = match op % 24 {
            0 => (t.constant(constant, width), vec![constant; SAMPLES]),
            1 => (t.not(a.0), map(&a.1, &|v| !v & mask(width))),
            2 => (t.neg(a.0), map(&a.1, &|v| v.wrapping_neg() & mask(width))),
            3 => {
                let hi = (number % u64::from(width)) as u32;
                let lo = ((number >> 32) % u64::from(hi + 1)) as u32;
                (t.extract(a.0, hi, lo), map(&a.1, &|v| (v >> lo) & mask(hi - lo + 1)))
            }
            4 | 5 => {
                let wider = width + (number % u64::from(65 - width.min(64))) as u32;
                if op % 24 == 4 {
                    (t.zext(a.0, wider), a.1)
                } else {
                    (t.sext(a.0, wider), map(&a.1, &|v| to_signed(v, width) as u128 & mask(wider)))
                }
            }
            6 if width + t.width(b.0) <= 64 => {
                let low = t.width(b.0);
                (t.concat(a.0, b.0), a.1.iter().zip(&b.1).map(|(x, y)| x << low | y).collect())
            }
            7 => {
                let c = &self.all[(number % 2) as usize];
                let b = self.coerced(b, width);
                let values = (0..SAMPLES).map(|i| if c.1[i] == 1 { a.1[i] } else { b.1[i] }).collect();
                (t.ite(c.0, a.0, b.0), values)
            }
            8 => (t.sub(a.0, t.constant(constant, width)), map(&a.1, &|v| v.wrapping_sub(constant) & mask(width))),
            op => {
                // Half of the second operands are constants: most simplifications need one.
                let b = if number & 1 == 0 {
                    self.coerced(b, width)
                } else {
                    (t.constant(constant, width), vec![constant; SAMPLES])
                };
                let (left, right) = if number & 2 == 0 { (a, b) } else { (b, a) };
                let op = OPS[op as usize % OPS.len()];
                let values = left.1.iter().zip(&right.1).map(|(&x, &y)| plain(op, x, y, width)).collect();
                (t.binary(op, left.0, right.0), values)
            }
        };
        self.all.push(made);
    }

    /// The low bits of a term, or the term zero-extended.
    fn coerced(&self, (term, values): (Term, Vec<u128>), width: u32) -> (Term, Vec<u128>) {
        if self.terms.width(term) < width {
            (self.terms.zext(term, width), values)
        } else {
            (self.terms.extract(term, width - 1, 0), values.into_iter().map(|v| v & mask(width)).collect())
        }
    }

    /// The booleans of the pool.
    pub fn booleans(&self) -> impl Iterator<Item = &(Term, Vec<u128>)> {
        self.all.iter().filter(|(t, _)| self.terms.width(*t) == 1)
    }
}

const OPS: [Op; 17] = [
    Op::Add,
    Op::Mul,
    Op::UDiv,
    Op::URem,
    Op::SDiv,
    Op::SRem,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Eq,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
];

/// Values near the ends of the range, powers of two, small numbers and arbitrary ones.
fn corner(number: u64, width: u32) -> u128 {
    let n = u128::from(number >> 8);
    match number % 8 {
        0 => n % 4,
        1 => (n % 4).wrapping_neg(),
        2 => 1 << (n % u128::from(width)),
        3 => mask(1 + (n % u128::from(width)) as u32),
        4 => !mask(1 + (n % u128::from(width)) as u32),
        5 => n % 100,
        6 => (mask(width) >> 1).wrapping_add(n % 3),
        _ => n.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835),
    }
}

/// The operators on at most 64 bits, written with wider integers and independently of constant folding.
fn plain(op: Op, a: u128, b: u128, width: u32) -> u128 {
    let modulus = 1i128 << width;
    let signed = |v: u128| if v as i128 >= modulus / 2 { v as i128 - modulus } else { v as i128 };
    let (sa, sb) = (signed(a), signed(b));
    let result = match op {
        Op::Add => (a + b) as i128,
        Op::Mul => return a.wrapping_mul(b) & mask(width),
        Op::UDiv if b == 0 => -1,
        Op::UDiv => (a / b) as i128,
        Op::URem if b == 0 => a as i128,
        Op::URem => (a % b) as i128,
        Op::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                -1
            }
        }
        Op::SDiv => sa / sb,
        Op::SRem if b == 0 => sa,
        Op::SRem => sa % sb,
        Op::And => (a & b) as i128,
        Op::Or => (a | b) as i128,
        Op::Xor => (a ^ b) as i128,
        Op::Shl => {
            if b >= 64 {
                0
            } else {
                return (a << b) & mask(width);
            }
        }
        Op::LShr => {
            if b >= 64 {
                0
            } else {
                (a >> b) as i128
            }
        }
        Op::AShr => sa >> b.min(64),
        Op::Eq => i128::from(a == b),
        Op::Ult => i128::from(a < b),
        Op::Ule => i128::from(a <= b),
        Op::Slt => i128::from(sa < sb),
        Op::Sle => i128::from(sa <= sb),
        Op::Concat => unreachable!(),
    };
    result.rem_euclid(modulus) as u128
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn simplified_terms_keep_their_value(steps in steps(1..24), seed in any::<u64>()) {
        let pool = Pool::new(&steps, seed);
        let t = &pool.terms;
        for (term, values) in &pool.all {
            let known = t.known(*term);
            for (i, &value) in values.iter().enumerate() {
                let got = t.evaluate(*term, &|s: SymId| pool.values[s.index()][i]);
                prop_assert_eq!(got, value, "{}", t.display(*term));
                prop_assert_eq!(known.ones & !value, 0, "known ones of {}", t.display(*term));
                prop_assert_eq!(known.zeros & value, 0, "known zeros of {}", t.display(*term));
            }
        }
    }

    /// Every value lies within the bounds computed from bounds of the symbols.
    #[test]
    fn bounds_hold(steps in steps(1..16), seed in any::<u64>()) {
        let pool = Pool::new(&steps, seed);
        let t = &pool.terms;
        // For every k the tightest bounds of the first k samples: a point, an interval, …
        for samples in 1..=SAMPLES {
            let bounds = |s: SymId| {
                let values = &pool.values[s.index()][..samples];
                (*values.iter().min().unwrap(), *values.iter().max().unwrap())
            };
            for (term, values) in &pool.all {
                let (low, high) = t.range(*term, &bounds);
                let (signed_low, signed_high) = t.signed_range(*term, &bounds);
                for &value in &values[..samples] {
                    let signed = to_signed(value, t.width(*term));
                    prop_assert!(low <= value && value <= high, "{} in {low}..{high}: {value}", t.display(*term));
                    prop_assert!(signed_low <= signed && signed <= signed_high, "{}: {signed}", t.display(*term));
                }
            }
        }
    }

    /// Replacing symbols by terms gives the terms that evaluate with the values of those.
    #[test]
    fn substitution_commutes_with_evaluation(steps in steps(1..16), seed in any::<u64>()) {
        let pool = Pool::new(&steps, seed);
        let t = &pool.terms;
        let mut by = rustc_hash::FxHashMap::default();
        // The unaligned symbols of 8 and 32 bits become terms of the pool where there is one of that width.
        for symbol in [2, 5] {
            let width = t.width(pool.all[symbol].0);
            if let Some(other) = pool.all.iter().rev().find(|(term, _)| t.width(*term) == width) {
                by.insert(SymId(symbol as u32), other.clone());
            }
        }
        let terms = by.iter().map(|(s, (term, _))| (*s, *term)).collect();
        for (term, _) in &pool.all {
            let replaced = t.substitute(*term, &terms);
            for i in 0..SAMPLES {
                let before = |s: SymId| pool.values[s.index()][i];
                let after = |s: SymId| by.get(&s).map_or(before(s), |(_, values)| values[i]);
                prop_assert_eq!(t.evaluate(replaced, &before), t.evaluate(*term, &after), "{}", t.display(*term));
            }
        }
    }
}
