//! Conditions as they were assumed, with an interval per symbol that answers most questions at once.

use imbl::{OrdMap, OrdSet};
use rustc_hash::FxHashSet;

use super::domain::NumericDomain;
use super::range::Range;
use crate::smt::{Node, Op, SymId, Term, Terms, to_signed};

/// A conjunction of conditions, and bounds that follow from it or go without saying.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    pub(super) constraints: OrdSet<Term>,
    pub(super) ranges: OrdMap<SymId, Range>,
}

impl NumericDomain for Intervals {
    fn known(&self, terms: &Terms, condition: Term) -> Option<bool> {
        if self.constraints.contains(&condition) {
            return Some(true);
        }
        if self.constraints.contains(&terms.not(condition)) {
            return Some(false);
        }
        match terms.node(condition) {
            Node::Not(_) => None,
            Node::Bin(op, left, right) => self.compare(terms, op, left, right),
            _ => match self.range(terms, condition) {
                (0, 0) => Some(false),
                (1, 1) => Some(true),
                _ => None,
            },
        }
    }

    fn range(&self, terms: &Terms, term: Term) -> (u128, u128) {
        terms.range(term, &|symbol| {
            let range = self.symbol_range(terms, symbol);
            (range.low, range.high)
        })
    }

    fn signed_range(&self, terms: &Terms, term: Term) -> (i128, i128) {
        match terms.node(term) {
            Node::Sym(symbol) => {
                let range = self.symbol_range(terms, symbol);
                (range.signed_low, range.signed_high)
            }
            Node::SignExt(inner) => self.signed_range(terms, inner),
            _ => terms.signed_range(term, &|symbol| {
                let range = self.symbol_range(terms, symbol);
                (range.low, range.high)
            }),
        }
    }

    fn assume(&mut self, terms: &Terms, condition: Term) {
        match terms.node(condition) {
            Node::Const(_) => {}
            Node::Bin(Op::And, left, right) if terms.width(condition) == 1 => {
                self.assume(terms, left);
                self.assume(terms, right);
            }
            Node::Not(inner) if matches!(terms.node(inner), Node::Bin(Op::Or, ..)) => {
                let Node::Bin(_, left, right) = terms.node(inner) else { return };
                self.assume(terms, terms.not(left));
                self.assume(terms, terms.not(right));
            }
            _ => {
                self.refine(terms, condition);
                self.constraints.insert(condition);
            }
        }
    }

    fn facts(&self, terms: &Terms) -> Vec<Term> {
        let mut facts: Vec<Term> = self.constraints.iter().copied().collect();
        for (symbol, range) in &self.ranges {
            let bounds = range.conditions(terms, terms.symbol_term(*symbol));
            facts
                .extend(bounds.into_iter().filter(|bound| !terms.is_true(*bound) && !self.constraints.contains(bound)));
        }
        facts
    }

    fn join(&self, terms: &Terms, other: &Self) -> Self {
        self.joined(terms, other)
    }

    fn widen(&self, terms: &Terms, newer: &Self, thresholds: &[i128]) -> Self {
        self.widened(terms, newer, thresholds)
    }

    fn narrow(&self, terms: &Terms, newer: &Self) -> Self {
        self.narrowed(terms, newer)
    }
}

/// Whether the term is a symbol, maybe extended: what [`Intervals::bound`] has a use for.
fn is_symbol(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Sym(_) => true,
        Node::SignExt(inner) | Node::ZeroExt(inner) => is_symbol(terms, inner),
        _ => false,
    }
}

impl Intervals {
    /// The conditions that were assumed.
    pub fn constraints(&self) -> &OrdSet<Term> {
        &self.constraints
    }

    /// Whether bounds of `symbol` are known that no constraint says.
    pub fn ranges_mention(&self, symbol: SymId) -> bool {
        self.ranges.contains_key(&symbol)
    }

    /// From now on these bounds of a symbol go without saying.
    pub fn place(&mut self, symbol: SymId, range: Range) {
        self.ranges.insert(symbol, range);
    }

    /// The bounds of a symbol.
    pub fn symbol_range(&self, terms: &Terms, symbol: SymId) -> Range {
        let known = self.ranges.get(&symbol).copied();
        known.unwrap_or_else(|| Range::full(terms.symbol_info(symbol).width))
    }

    /// A comparison by bounds.
    fn compare(&self, terms: &Terms, op: Op, left: Term, right: Term) -> Option<bool> {
        match op {
            Op::Eq => {
                let (left_range, right_range) = (self.range(terms, left), self.range(terms, right));
                if left_range.1 < right_range.0 || right_range.1 < left_range.0 {
                    return Some(false);
                }
                if left_range.0 == left_range.1 && left_range == right_range {
                    return Some(true);
                }
                let (left_range, right_range) = (self.signed_range(terms, left), self.signed_range(terms, right));
                (left_range.1 < right_range.0 || right_range.1 < left_range.0).then_some(false)
            }
            Op::Ult | Op::Ule => {
                let (left, right) = (self.range(terms, left), self.range(terms, right));
                ordered(left, right, op == Op::Ult)
            }
            Op::Slt | Op::Sle => {
                let (left, right) = (self.signed_range(terms, left), self.signed_range(terms, right));
                ordered(left, right, op == Op::Slt)
            }
            _ => None,
        }
    }

    /// Tightens the interval of a symbol that `condition` compares with a constant.
    fn refine(&mut self, terms: &Terms, condition: Term) {
        let (condition, truth) = match terms.node(condition) {
            Node::Not(inner) => (inner, false),
            _ => (condition, true),
        };
        let Node::Bin(op, left, right) = terms.node(condition) else { return };
        // Bounds of one side are of use where the other one passes them on.
        let (is_left_bound, is_right_bound) = (is_symbol(terms, left), is_symbol(terms, right));
        let side = |term: Term, is_needed: bool| match is_needed {
            true => (self.range(terms, term), self.signed_range(terms, term)),
            false => ((0, u128::MAX), (i128::MIN, i128::MAX)),
        };
        let ((left_range, left_signed), (right_range, right_signed)) =
            (side(left, is_right_bound), side(right, is_left_bound));
        match (op, truth) {
            (Op::Eq, true) => {
                self.bound(terms, left, right_range, right_signed);
                self.bound(terms, right, left_range, left_signed);
            }
            (Op::Eq, false) => {
                self.exclude(terms, left, right);
                self.exclude(terms, right, left);
            }
            (Op::Ult | Op::Ule, _) => {
                // truth: left < right or left <= right; otherwise right <= left or right < left.
                let strict = (op == Op::Ult) == truth;
                let (small, small_range, large, large_range) =
                    if truth { (left, left_range, right, right_range) } else { (right, right_range, left, left_range) };
                let step = u128::from(strict);
                let signed = (i128::MIN, i128::MAX);
                self.bound(terms, small, (0, large_range.1.saturating_sub(step)), signed);
                self.bound(terms, large, (small_range.0.saturating_add(step), u128::MAX), signed);
            }
            (Op::Slt | Op::Sle, _) => {
                let strict = (op == Op::Slt) == truth;
                let (small, small_range, large, large_range) = if truth {
                    (left, left_signed, right, right_signed)
                } else {
                    (right, right_signed, left, left_signed)
                };
                let step = i128::from(strict);
                let unsigned = (0, u128::MAX);
                self.bound(terms, small, unsigned, (i128::MIN, large_range.1.saturating_sub(step)));
                self.bound(terms, large, unsigned, (small_range.0.saturating_add(step), i128::MAX));
            }
            _ => {}
        }
    }

    /// `term` lies within both bounds: passed on to the symbol it is, through extensions.
    fn bound(&mut self, terms: &Terms, term: Term, unsigned: (u128, u128), signed: (i128, i128)) {
        match terms.node(term) {
            Node::Sym(symbol) => {
                let old = self.symbol_range(terms, symbol);
                let width = terms.width(term);
                let new = Range {
                    low: old.low.max(unsigned.0),
                    high: old.high.min(unsigned.1),
                    signed_low: old.signed_low.max(signed.0),
                    signed_high: old.signed_high.min(signed.1),
                };
                let new = new.agree(width);
                if new != old && new.is_inhabited() {
                    self.ranges.insert(symbol, new);
                    // What was excluded before may be an end now.
                    for end in [new.low, new.high] {
                        let end = terms.constant(end, width);
                        if self.constraints.contains(&terms.not(terms.eq(term, end))) {
                            self.exclude(terms, term, end);
                        }
                    }
                }
            }
            // Extended values are the same number, signed or not as the extension says.
            Node::SignExt(inner) => self.bound(terms, inner, (0, u128::MAX), signed),
            Node::ZeroExt(inner) => {
                let from_signed =
                    (u128::try_from(signed.0).unwrap_or(0), u128::try_from(signed.1).unwrap_or(u128::MAX));
                let low = unsigned.0.max(from_signed.0);
                let high = unsigned.1.min(from_signed.1);
                self.bound(terms, inner, (low, high), (i128::MIN, i128::MAX));
            }
            _ => {}
        }
    }

    /// `term` differs from the constant `other`: an end of its interval may move.
    fn exclude(&mut self, terms: &Terms, term: Term, other: Term) {
        let Some(value) = terms.as_const(other).filter(|_| is_symbol(terms, term)) else { return };
        let (low, high) = self.range(terms, term);
        let everything = (i128::MIN, i128::MAX);
        if low == value {
            self.bound(terms, term, (low.saturating_add(1), u128::MAX), everything);
        } else if high == value {
            self.bound(terms, term, (0, high.saturating_sub(1)), everything);
        }
        let signed_value = to_signed(value, terms.width(term));
        let (low, high) = self.signed_range(terms, term);
        if low == signed_value {
            self.bound(terms, term, (0, u128::MAX), (low.saturating_add(1), i128::MAX));
        } else if high == signed_value {
            self.bound(terms, term, (0, u128::MAX), (i128::MIN, high.saturating_sub(1)));
        }
    }

    /// Keeps only constraints and intervals that (transitively) share a symbol with one of `roots`, which are ascending.
    pub fn retain(&mut self, terms: &Terms, roots: &[SymId]) {
        let mut found: FxHashSet<SymId> = FxHashSet::default();
        let is_live =
            |found: &FxHashSet<SymId>, symbol: &SymId| roots.binary_search(symbol).is_ok() || found.contains(symbol);
        let mut rest: Vec<Term> = self.constraints.iter().copied().collect();
        loop {
            let before = rest.len();
            rest.retain(|constraint| {
                let symbols = terms.symbols_of(*constraint);
                let shares = symbols.iter().any(|symbol| is_live(&found, symbol));
                if shares {
                    found.extend(symbols.iter().copied());
                }
                !shares
            });
            if rest.len() == before {
                break;
            }
        }
        for constraint in rest {
            self.constraints.remove(&constraint);
        }
        let dead: Vec<SymId> = self.ranges.keys().copied().filter(|symbol| !is_live(&found, symbol)).collect();
        for symbol in dead {
            self.ranges.remove(&symbol);
        }
    }
}

fn ordered<T: PartialOrd>(left: (T, T), right: (T, T), strict: bool) -> Option<bool> {
    if strict {
        if left.1 < right.0 {
            return Some(true);
        }
        (left.0 >= right.1).then_some(false)
    } else {
        if left.1 <= right.0 {
            return Some(true);
        }
        (left.0 > right.1).then_some(false)
    }
}
