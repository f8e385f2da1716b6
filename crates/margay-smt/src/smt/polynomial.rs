//! Polynomials over terms, modulo a power of two: what sums and products are, whatever their form.

use std::collections::BTreeMap;

use super::arith::Linear;
use super::compare::inverse;
use super::fold::{mask, to_signed};
use super::term::{Node, Op, Term, Terms};

/// Polynomials do not get larger.
const MOST_PARTS: usize = 300;

/// Factors of one product.
const MOST_FACTORS: usize = 12;

/// Sums of products of sums, so deep at most.
const DEEPEST: usize = 40;

/// A product of terms, ascending; those with more factors are larger.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Monomial {
    degree: usize,
    factors: Vec<Term>,
}

impl Monomial {
    fn of(factors: Vec<Term>) -> Self {
        Self { degree: factors.len(), factors }
    }

    fn times(&self, other: &Monomial) -> Monomial {
        let mut factors = [self.factors.as_slice(), &other.factors].concat();
        factors.sort_unstable();
        Self::of(factors)
    }

    /// What has to be multiplied by `divisor` to get it.
    fn divided_by(&self, divisor: &Monomial) -> Option<Monomial> {
        let mut left = self.factors.clone();
        for factor in &divisor.factors {
            left.remove(left.iter().position(|own| own == factor)?);
        }
        Some(Self::of(left))
    }
}

/// A sum of products with coefficients other than 0, modulo 2^width. Of wider terms the lowest bits count: cutting bits off is
/// a homomorphism of rings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Polynomial {
    pub width: u32,
    parts: BTreeMap<Monomial, u128>,
}

impl Polynomial {
    /// No part.
    pub fn zero(width: u32) -> Self {
        Self { width, parts: BTreeMap::new() }
    }

    /// What `t` is modulo 2^width, at most its own; `None` where that is too large. `chosen` says which side of a choice
    /// is taken, as far as that is known.
    pub fn of(terms: &Terms, t: Term, width: u32, chosen: &dyn Fn(Term) -> Option<bool>) -> Option<Self> {
        Self::below(terms, t, width, chosen, DEEPEST)
    }

    fn below(terms: &Terms, t: Term, width: u32, chosen: &dyn Fn(Term) -> Option<bool>, depth: usize) -> Option<Self> {
        let depth = depth.checked_sub(1)?;
        let deeper = |t: Term| Self::below(terms, t, width, chosen, depth);
        let sum = terms.linear(t);
        let mut result = Self::zero(width).with(Monomial::default(), sum.constant);
        for (coefficient, part) in sum.parts {
            let value = match terms.node(part) {
                Node::Bin(Op::Mul, a, b) => deeper(a)?.times(&deeper(b)?)?,
                Node::Extract { lo: 0, of, .. } => deeper(of)?,
                Node::ZeroExt(of) | Node::SignExt(of) if terms.width(of) >= width => deeper(of)?,
                Node::Ite(condition, a, b) if chosen(condition).is_some() => {
                    deeper(if chosen(condition) == Some(true) { a } else { b })?
                }
                node => match extended_sum(terms, node) {
                    // Where the sum does not wrap around, it is one of the extended parts.
                    Some((inner, extend)) => {
                        let constant = to_signed(inner.constant, inner.width) as u128;
                        let all = Self::zero(width).with(Monomial::default(), constant);
                        inner.parts.into_iter().try_fold(all, |all, (coefficient, of)| {
                            let coefficient = to_signed(coefficient, inner.width) as u128;
                            all.plus(coefficient, &Monomial::default(), &deeper(extend(of, terms.width(part)))?)
                        })?
                    }
                    None => Self::zero(width).with(Monomial::of(vec![part]), 1),
                },
            };
            result = result.plus(coefficient, &Monomial::default(), &value)?;
        }
        Some(result)
    }

    /// With `coefficient · monomial` added.
    fn with(mut self, monomial: Monomial, coefficient: u128) -> Self {
        self.add(monomial, coefficient);
        self
    }

    fn add(&mut self, monomial: Monomial, coefficient: u128) {
        let sum = self.parts.get(&monomial).copied().unwrap_or(0).wrapping_add(coefficient) & mask(self.width);
        match sum {
            0 => _ = self.parts.remove(&monomial),
            _ => _ = self.parts.insert(monomial, sum),
        }
    }

    /// `self + coefficient · monomial · other`, unless that is too large.
    pub fn plus(mut self, coefficient: u128, monomial: &Monomial, other: &Polynomial) -> Option<Self> {
        for (own, factor) in &other.parts {
            let product = own.times(monomial);
            if product.degree > MOST_FACTORS {
                return None;
            }
            self.add(product, coefficient.wrapping_mul(*factor));
        }
        (self.parts.len() <= MOST_PARTS).then_some(self)
    }

    /// The difference, unless that is too large.
    pub fn minus(self, other: &Polynomial) -> Option<Self> {
        self.plus(u128::MAX, &Monomial::default(), other)
    }

    fn times(&self, other: &Polynomial) -> Option<Self> {
        let parts = self.parts.iter();
        parts.into_iter().try_fold(Self::zero(self.width), |sum, (monomial, factor)| sum.plus(*factor, monomial, other))
    }

    /// It has no part.
    pub fn is_zero(&self) -> bool {
        self.parts.is_empty()
    }

    /// It is a number other than 0.
    pub fn is_nonzero_constant(&self) -> bool {
        self.parts.len() == 1 && self.parts.keys().all(|monomial| monomial.degree == 0)
    }

    /// The terms in its products.
    pub fn factors(&self) -> impl Iterator<Item = Term> {
        self.parts.keys().flat_map(|monomial| monomial.factors.iter().copied())
    }

    /// A term that stands alone, with an odd coefficient, and what it is where the polynomial is 0.
    pub fn solved(&self) -> Option<(Term, Polynomial)> {
        let is_alone = |t: Term| self.factors().filter(|factor| *factor == t).count() == 1;
        // The newest term first: it was made of the others.
        let (monomial, coefficient) = self.parts.iter().rev().find(|(monomial, coefficient)| {
            monomial.degree == 1 && *coefficient & 1 == 1 && is_alone(monomial.factors[0])
        })?;
        let mut rest = self.clone();
        rest.parts.remove(monomial);
        let factor = inverse(*coefficient).wrapping_neg();
        Some((monomial.factors[0], Self::zero(self.width).plus(factor, &Monomial::default(), &rest)?))
    }

    /// With `value` for the term `t`.
    pub fn replaced(&self, t: Term, value: &Polynomial) -> Option<Self> {
        let mut result = Self::zero(self.width);
        for (monomial, coefficient) in &self.parts {
            let (own, others): (Vec<Term>, Vec<Term>) = monomial.factors.iter().partition(|factor| **factor == t);
            let rest = Self::zero(self.width).with(Monomial::of(others), *coefficient);
            let product = own.iter().try_fold(rest, |product, _| product.times(value))?;
            result = result.plus(1, &Monomial::default(), &product)?;
        }
        Some(result)
    }

    /// What is left when multiples of the others, which are 0, are taken away: their largest products go.
    pub fn reduced_by(mut self, others: &[Polynomial]) -> Option<Self> {
        let mut left = Self::zero(self.width);
        while let Some((monomial, coefficient)) =
            self.parts.last_key_value().map(|(own, factor)| (own.clone(), *factor))
        {
            let divided = others.iter().find_map(|other| {
                let (largest, divisor) = other.parts.last_key_value()?;
                let rest = monomial.divided_by(largest)?;
                let shift = divisor.trailing_zeros();
                (coefficient.trailing_zeros() >= shift)
                    .then(|| (other, rest, (coefficient >> shift).wrapping_mul(inverse(divisor >> shift))))
            });
            match divided {
                Some((other, rest, factor)) => self = self.plus(factor.wrapping_neg(), &rest, other)?,
                None => {
                    self.parts.remove(&monomial);
                    left.add(monomial, coefficient);
                }
            }
        }
        Some(left)
    }
}

/// The sum that a node extends, if it stays within its width, and how its parts are extended.
fn extended_sum<'t>(terms: &'t Terms, node: Node) -> Option<(Linear, impl Fn(Term, u32) -> Term + 't)> {
    let (of, is_signed) = match node {
        Node::SignExt(of) => (of, true),
        Node::ZeroExt(of) => (of, false),
        _ => return None,
    };
    let sum = terms.linear(of);
    let is_sum = sum.parts.len() > 1 || sum.constant != 0 || sum.parts.iter().any(|(coefficient, _)| *coefficient != 1);
    (is_sum && terms.unwrapped_hull(&sum, is_signed).is_some())
        .then_some((sum, move |t, width| if is_signed { terms.sext(t, width) } else { terms.zext(t, width) }))
}
