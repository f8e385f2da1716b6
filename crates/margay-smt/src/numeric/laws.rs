//! What every numeric domain promises, by brute force: two symbols of four bits have 256 models, and all are looked at.

use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::low_bits::LowBits;
use super::{Intervals, NumericDomain};
use crate::smt::{SymId, Term, Terms};

const WIDTH: u32 = 4;
const MODELS: usize = 256;

/// A comparison of `scale·sᵢ + shift` (perhaps extended to 8 bits) with a symbol or a constant.
#[derive(Clone, Debug)]
struct Comparison {
    operator: u8,
    left: usize,
    scale: u8,
    shift: i8,
    extend: u8,
    right: Result<usize, i8>,
}

fn comparisons() -> impl Strategy<Value = Vec<Comparison>> {
    let border = prop_oneof![-8i8..8, Just(0), Just(-1), Just(1), Just(-8), Just(7)];
    let right = prop_oneof![1 => (0..2usize).prop_map(Ok), 2 => border.prop_map(Err)];
    let shift = prop_oneof![3 => Just(0i8), 1 => -8i8..8];
    let scale = prop_oneof![4 => Just(1u8), 1 => 2u8..8];
    let comparison =
        (0u8..6, 0..2usize, scale, shift, 0u8..3, right).prop_map(|(operator, left, scale, shift, extend, right)| {
            Comparison { operator, left, scale, shift, extend, right }
        });
    prop::collection::vec(comparison, 1..6)
}

/// Two symbols and what is true in which of their models.
struct World {
    terms: Terms,
    symbols: [Term; 2],
}

type Models = Vec<bool>;

fn values(model: usize) -> [u128; 2] {
    [(model & 15) as u128, (model >> 4) as u128]
}

impl World {
    fn new() -> Self {
        let terms = Terms::new();
        let symbols = ["x", "y"].map(|name| terms.fresh_symbol(WIDTH, name));
        Self { terms, symbols }
    }

    fn symbol(&self, index: usize) -> SymId {
        self.terms.as_symbol(self.symbols[index]).expect("a symbol")
    }

    fn evaluate(&self, term: Term, model: usize) -> u128 {
        let [x, y] = values(model);
        self.terms.evaluate(term, &|symbol| if symbol == self.symbol(0) { x } else { y })
    }

    fn condition(&self, comparison: &Comparison) -> Term {
        let terms = &self.terms;
        let extend = |term: Term| match comparison.extend {
            1 => terms.zext(term, 8),
            2 => terms.sext(term, 8),
            _ => term,
        };
        let scaled = terms.mul(terms.constant(comparison.scale.into(), WIDTH), self.symbols[comparison.left]);
        let left = extend(terms.add_constant(scaled, comparison.shift.into()));
        let right = match comparison.right {
            Ok(symbol) => extend(self.symbols[symbol]),
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

    /// γ, by what the domain says of itself.
    fn models<N: NumericDomain>(&self, domain: &N) -> Models {
        let facts = domain.facts(&self.terms);
        (0..MODELS).map(|model| facts.iter().all(|fact| self.evaluate(*fact, model) == 1)).collect()
    }

    /// What the domain says of terms and conditions is true in all of its models.
    fn is_sound<N: NumericDomain>(&self, domain: &N, asked: &[Term]) -> Result<Models, TestCaseError> {
        let terms = &self.terms;
        let models = self.models(domain);
        let sides = |term: &Term| match terms.node(*term) {
            crate::smt::Node::Bin(_, left, right) => vec![*term, left, right],
            _ => vec![*term],
        };
        for term in asked.iter().flat_map(sides).chain(self.symbols) {
            let width = terms.width(term);
            let truth = if width == 1 { domain.decide(terms, term) } else { None };
            let ((low, high), (least, most)) = (domain.range(terms, term), domain.signed_range(terms, term));
            for model in (0..MODELS).filter(|model| models[*model]) {
                let value = self.evaluate(term, model);
                let signed = crate::smt::to_signed(value, width);
                let what = || format!("{} in {:?}", terms.display(term), values(model));
                prop_assert!(truth.is_none_or(|truth| truth == (value == 1)), "{} is not {truth:?}", what());
                prop_assert!(low <= value && value <= high, "{} is not in {low}..={high}", what());
                prop_assert!(least <= signed && signed <= most, "{} is not in {least}..={most}", what());
            }
        }
        Ok(models)
    }

    /// The conditions, or their negations where nothing would be left, and what is left.
    fn assumed<N: NumericDomain>(&self, list: &[Comparison]) -> Result<N, TestCaseError> {
        let mut domain = N::default();
        let mut left: Models = vec![true; MODELS];
        for comparison in list {
            let condition = self.condition(comparison);
            let fulfil = |condition: Term| -> Models {
                (0..MODELS).map(|model| left[model] && self.evaluate(condition, model) == 1).collect()
            };
            let (holds, fails) = (fulfil(condition), fulfil(self.terms.not(condition)));
            let can_hold = holds.contains(&true);
            let before = self.is_sound(&domain, &[condition])?;
            domain.assume(&self.terms, if can_hold { condition } else { self.terms.not(condition) });
            left = if can_hold { holds } else { fails };
            let after = self.models(&domain);
            prop_assert!(is_within(&left, &after), "assuming {} loses a model", self.terms.display(condition));
            prop_assert!(is_within(&after, &before), "assuming {} adds a model", self.terms.display(condition));
        }
        Ok(domain)
    }
}

fn is_within(inner: &Models, outer: &Models) -> bool {
    inner.iter().zip(outer).all(|(inner, outer)| *outer || !inner)
}

/// Widenings after which nothing may change any more: each of the few bounds of two symbols stops at each threshold at most.
const LONGEST_CHAIN: usize = 60;

fn laws<N: NumericDomain>(lists: &[Vec<Comparison>]) -> Result<(), TestCaseError> {
    let world = World::new();
    let terms = &world.terms;
    let domains = lists.iter().map(|list| world.assumed::<N>(list)).collect::<Result<Vec<N>, _>>()?;
    let asked: Vec<Term> = lists.iter().flatten().map(|comparison| world.condition(comparison)).collect();
    let models = domains.iter().map(|domain| world.is_sound(domain, &asked)).collect::<Result<Vec<_>, _>>()?;
    for (a, of_a) in domains.iter().zip(&models) {
        prop_assert!(a.entails(terms, a), "something does not entail itself");
        // Of x alone: y may be anything.
        let of_x = a.project(terms, &|symbol| symbol == world.symbol(0));
        let alone = world.models(&of_x);
        let sum = terms.add_constant(terms.mul(terms.constant(3, WIDTH), world.symbols[0]), 5);
        let mut defined = of_x;
        defined.define(terms, world.symbol(1), sum);
        let defined = world.is_sound(&defined, &asked)?;
        let names: FxHashMap<SymId, Term> =
            [(world.symbol(0), world.symbols[1]), (world.symbol(1), world.symbols[0])].into_iter().collect();
        let swapped = world.models(&a.rename(terms, &names));
        for model in (0..MODELS).filter(|model| of_a[*model]) {
            prop_assert!(defined[model % 16 + 16 * ((3 * model + 5) % 16)], "a definition loses a model");
            prop_assert!((0..16).all(|y| alone[model % 16 + 16 * y]), "projection keeps what y is");
            prop_assert!(swapped[model / 16 + 16 * (model % 16)], "renaming loses a model");
        }
        for (b, of_b) in domains.iter().zip(&models) {
            let either: Models = of_a.iter().zip(of_b).map(|(a, b)| *a || *b).collect();
            let joined = world.is_sound(&a.join(terms, b), &asked)?;
            prop_assert!(is_within(&either, &joined), "a join loses a model");
            let widened = a.widen(terms, b, &[-1, 0, 3]);
            let of_widened = world.is_sound(&widened, &asked)?;
            prop_assert!(is_within(&either, &of_widened), "widening loses a model");
            if a.entails(terms, b) {
                prop_assert!(is_within(of_a, of_b), "a wrong entailment");
            }
            let narrowed = world.is_sound(&widened.narrow(terms, b), &asked)?;
            prop_assert!(is_within(of_b, &narrowed), "narrowing loses a model");
            prop_assert!(is_within(&narrowed, &of_widened), "narrowing adds a model");
        }
    }
    let mut chain = domains[0].clone();
    let mut changes = 0;
    let mut unchanged = 0;
    while unchanged < domains.len() {
        for next in &domains {
            let widened = chain.widen(terms, next, &[-1, 0, 3]);
            let is_same = widened.facts(terms) == chain.facts(terms);
            unchanged = if is_same { unchanged + 1 } else { 0 };
            changes += usize::from(!is_same);
            chain = widened;
        }
        prop_assert!(changes <= LONGEST_CHAIN, "widening does not come to an end");
    }
    prop_assert!(models.iter().all(|of_one| is_within(of_one, &world.models(&chain))), "a chain loses a model");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn intervals_fulfil_the_laws(lists in prop::array::uniform3(comparisons())) {
        laws::<Intervals>(&lists)?;
    }

    #[test]
    fn low_bits_fulfil_the_laws(lists in prop::array::uniform3(comparisons())) {
        laws::<LowBits>(&lists)?;
    }
}
