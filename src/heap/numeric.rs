//! The numeric store: path constraints, with an interval per symbol that answers most questions without the solver.
//!
//! Invariant: the constraints of a state are satisfiable (or the solver could not tell), so a condition need only be
//! checked against the constraints that share symbols with it.

use imbl::{OrdMap, OrdSet};

use super::conditions::decided;
use super::context::{Context, SymbolKind};
use crate::smt::{Node, Op, SymId, Term};

/// Unsigned and signed bounds of a symbol, all inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: u128,
    pub high: u128,
    pub signed_low: i128,
    pub signed_high: i128,
}

/// Addresses keep away from both ends of the address space: null and its neighbourhood, and error codes cast to pointers.
const FIRST_ADDRESS: u128 = 4096;

/// What is known about the numbers of a state.
#[derive(Clone, Debug, Default)]
pub struct Store {
    constraints: OrdSet<Term>,
    ranges: OrdMap<SymId, Range>,
}

impl Range {
    fn full(width: u32) -> Self {
        let high = u128::MAX >> (128 - width);
        let signed_high = (high >> 1) as i128;
        Self { low: 0, high, signed_low: -signed_high - 1, signed_high }
    }
}

impl Store {
    pub fn constraints(&self) -> &OrdSet<Term> {
        &self.constraints
    }

    /// Where the object of address `symbol` may stand.
    pub fn place_object(&mut self, context: &Context, symbol: SymId, size: Term) {
        let bits = context.model.pointer_bits();
        let mut range = Range::full(bits);
        range.low = FIRST_ADDRESS;
        range.high -= FIRST_ADDRESS;
        // A block that cannot exist leaves the plain bounds: `malloc` succeeds whatever it is asked for.
        if let Some(size) = context.terms.as_const(size)
            && size < range.high / 2
        {
            range.high -= size;
        }
        self.ranges.insert(symbol, range);
    }

    fn symbol_range(&self, context: &Context, symbol: SymId) -> Range {
        let known = self.ranges.get(&symbol).copied();
        known.unwrap_or_else(|| Range::full(context.terms.symbol_info(symbol).width))
    }

    /// Unsigned bounds of a term.
    pub fn range(&self, context: &Context, term: Term) -> (u128, u128) {
        context.terms.range(term, &|symbol| {
            let range = self.symbol_range(context, symbol);
            (range.low, range.high)
        })
    }

    /// Signed bounds of a term.
    pub fn signed_range(&self, context: &Context, term: Term) -> (i128, i128) {
        match context.terms.node(term) {
            Node::Sym(symbol) => {
                let range = self.symbol_range(context, symbol);
                (range.signed_low, range.signed_high)
            }
            Node::SignExt(inner) => self.signed_range(context, inner),
            _ => context.terms.signed_range(term, &|symbol| {
                let range = self.symbol_range(context, symbol);
                (range.low, range.high)
            }),
        }
    }

    /// The only value `term` can have, if the cheap bounds say so.
    pub fn constant(&self, context: &Context, term: Term) -> Option<u128> {
        if let Some(value) = context.terms.as_const(term) {
            return Some(value);
        }
        let (low, high) = self.range(context, term);
        (low == high).then_some(low)
    }

    /// The truth of a 1-bit condition where it is cheap to tell.
    pub fn decide(&self, context: &Context, condition: Term) -> Option<bool> {
        decided(&context.terms, condition, &|part| self.known(context, part))
    }

    /// The truth of a condition as a whole: what was assumed of it, or what the bounds say of the two sides of a comparison.
    pub fn known(&self, context: &Context, condition: Term) -> Option<bool> {
        let terms = &context.terms;
        if self.constraints.contains(&condition) {
            return Some(true);
        }
        if self.constraints.contains(&terms.not(condition)) {
            return Some(false);
        }
        match terms.node(condition) {
            Node::Not(_) => None,
            Node::Bin(op, left, right) => self.compare(context, op, left, right),
            _ => match self.range(context, condition) {
                (0, 0) => Some(false),
                (1, 1) => Some(true),
                _ => None,
            },
        }
    }

    /// A comparison by bounds.
    fn compare(&self, context: &Context, op: Op, left: Term, right: Term) -> Option<bool> {
        match op {
            Op::Eq => {
                let (left_range, right_range) = (self.range(context, left), self.range(context, right));
                if left_range.1 < right_range.0 || right_range.1 < left_range.0 {
                    return Some(false);
                }
                if left_range.0 == left_range.1 && left_range == right_range {
                    return Some(true);
                }
                let (left_range, right_range) = (self.signed_range(context, left), self.signed_range(context, right));
                (left_range.1 < right_range.0 || right_range.1 < left_range.0).then_some(false)
            }
            Op::Ult | Op::Ule => {
                let (left, right) = (self.range(context, left), self.range(context, right));
                ordered(left, right, op == Op::Ult)
            }
            Op::Slt | Op::Sle => {
                let (left, right) = (self.signed_range(context, left), self.signed_range(context, right));
                ordered(left, right, op == Op::Slt)
            }
            _ => None,
        }
    }

    /// What the intervals know of address symbols and no constraint says.
    pub fn add_bounds(&self, context: &Context, query: &mut Vec<Term>) {
        let mut symbols: Vec<SymId> =
            query.iter().flat_map(|term| context.terms.symbols_of(*term).iter().copied().collect::<Vec<_>>()).collect();
        symbols.sort_unstable();
        symbols.dedup();
        for symbol in symbols {
            if !matches!(context.kind(symbol), Some(SymbolKind::Address(_))) {
                continue;
            }
            let range = self.symbol_range(context, symbol);
            let info = context.terms.symbol_info(symbol);
            let (low, high) =
                (context.terms.constant(range.low, info.width), context.terms.constant(range.high, info.width));
            query.push(context.terms.ule(low, info.term));
            query.push(context.terms.ule(info.term, high));
        }
    }

    /// Adds a condition known to be possible.
    pub fn assume(&mut self, context: &Context, condition: Term) {
        let terms = &context.terms;
        match terms.node(condition) {
            Node::Const(_) => {}
            Node::Bin(Op::And, left, right) if terms.width(condition) == 1 => {
                self.assume(context, left);
                self.assume(context, right);
            }
            Node::Not(inner) if matches!(terms.node(inner), Node::Bin(Op::Or, ..)) => {
                let Node::Bin(_, left, right) = terms.node(inner) else { return };
                self.assume(context, terms.not(left));
                self.assume(context, terms.not(right));
            }
            _ => {
                self.refine(context, condition);
                self.constraints.insert(condition);
            }
        }
    }

    /// Tightens the interval of a symbol that `condition` compares with a constant.
    fn refine(&mut self, context: &Context, condition: Term) {
        let terms = &context.terms;
        let (condition, truth) = match terms.node(condition) {
            Node::Not(inner) => (inner, false),
            _ => (condition, true),
        };
        let Node::Bin(op, left, right) = terms.node(condition) else { return };
        let left_side = |store: &Self| (store.range(context, left), store.signed_range(context, left));
        let right_side = |store: &Self| (store.range(context, right), store.signed_range(context, right));
        let ((left_range, left_signed), (right_range, right_signed)) = (left_side(self), right_side(self));
        match (op, truth) {
            (Op::Eq, true) => {
                self.bound(context, left, right_range, right_signed);
                self.bound(context, right, left_range, left_signed);
            }
            (Op::Eq, false) => {
                self.exclude(context, left, right);
                self.exclude(context, right, left);
            }
            (Op::Ult | Op::Ule, _) => {
                // truth: left < right or left <= right; otherwise right <= left or right < left.
                let strict = (op == Op::Ult) == truth;
                let (small, small_range, large, large_range) =
                    if truth { (left, left_range, right, right_range) } else { (right, right_range, left, left_range) };
                let step = u128::from(strict);
                let signed = (i128::MIN, i128::MAX);
                self.bound(context, small, (0, large_range.1.saturating_sub(step)), signed);
                self.bound(context, large, (small_range.0.saturating_add(step), u128::MAX), signed);
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
                self.bound(context, small, unsigned, (i128::MIN, large_range.1.saturating_sub(step)));
                self.bound(context, large, unsigned, (small_range.0.saturating_add(step), i128::MAX));
            }
            _ => {}
        }
    }

    /// `term` lies within both bounds: passed on to the symbol it is, through extensions.
    fn bound(&mut self, context: &Context, term: Term, unsigned: (u128, u128), signed: (i128, i128)) {
        match context.terms.node(term) {
            Node::Sym(symbol) => {
                let old = self.symbol_range(context, symbol);
                let width = context.terms.width(term);
                let new = Range {
                    low: old.low.max(unsigned.0),
                    high: old.high.min(unsigned.1),
                    signed_low: old.signed_low.max(signed.0),
                    signed_high: old.signed_high.min(signed.1),
                };
                let new = agree(new, width);
                if new != old && new.low <= new.high && new.signed_low <= new.signed_high {
                    self.ranges.insert(symbol, new);
                }
            }
            // Extended values are the same number, signed or not as the extension says.
            Node::SignExt(inner) => self.bound(context, inner, (0, u128::MAX), signed),
            Node::ZeroExt(inner) => {
                let from_signed =
                    (u128::try_from(signed.0).unwrap_or(0), u128::try_from(signed.1).unwrap_or(u128::MAX));
                let low = unsigned.0.max(from_signed.0);
                let high = unsigned.1.min(from_signed.1);
                self.bound(context, inner, (low, high), (i128::MIN, i128::MAX));
            }
            _ => {}
        }
    }

    /// `term` differs from the constant `other`: an end of its interval may move.
    fn exclude(&mut self, context: &Context, term: Term, other: Term) {
        let Some(value) = context.terms.as_const(other) else { return };
        let (low, high) = self.range(context, term);
        let everything = (i128::MIN, i128::MAX);
        if low == value {
            self.bound(context, term, (low.saturating_add(1), u128::MAX), everything);
        } else if high == value {
            self.bound(context, term, (0, high.saturating_sub(1)), everything);
        }
        let unused = 128 - context.terms.width(term);
        let signed_value = ((value << unused) as i128) >> unused;
        let (low, high) = self.signed_range(context, term);
        if low == signed_value {
            self.bound(context, term, (0, u128::MAX), (low.saturating_add(1), i128::MAX));
        } else if high == signed_value {
            self.bound(context, term, (0, u128::MAX), (i128::MIN, high.saturating_sub(1)));
        }
    }

    /// Keeps only constraints and intervals that (transitively) share a symbol with one that `keep` accepts.
    pub fn retain(&mut self, context: &Context, roots: &[SymId]) {
        let mut live: OrdSet<SymId> = roots.iter().copied().collect();
        let mut rest: Vec<Term> = self.constraints.iter().copied().collect();
        let mut kept = OrdSet::new();
        loop {
            let before = rest.len();
            rest.retain(|constraint| {
                let symbols = context.terms.symbols_of(*constraint);
                let shares = symbols.iter().any(|symbol| live.contains(symbol));
                if shares {
                    live.extend(symbols.iter().copied());
                    kept.insert(*constraint);
                }
                !shares
            });
            if rest.len() == before {
                break;
            }
        }
        self.constraints = kept;
        let dead: Vec<SymId> = self.ranges.keys().copied().filter(|symbol| !live.contains(symbol)).collect();
        for symbol in dead {
            self.ranges.remove(&symbol);
        }
    }
}

impl Store {
    /// Keeps only the constraints that `keep` accepts, and the bounds that follow from these and from where objects stand.
    pub fn weaken(&mut self, context: &Context, objects: &[(SymId, Term)], keep: &dyn Fn(Term) -> bool) {
        let kept: Vec<Term> = self.constraints.iter().copied().filter(|constraint| keep(*constraint)).collect();
        if kept.len() == self.constraints.len() {
            return;
        }
        *self = Self::of(context, objects, &kept);
    }

    /// What these constraints say, and where objects stand (address symbols with sizes).
    pub fn of(context: &Context, objects: &[(SymId, Term)], constraints: &[Term]) -> Self {
        let mut store = Self::default();
        for (symbol, size) in objects {
            store.place_object(context, *symbol, *size);
        }
        // Twice, for bounds that follow from bounds found later.
        for constraint in constraints.iter().chain(constraints) {
            store.assume(context, *constraint);
        }
        store
    }
}

#[cfg(any(test, feature = "gamma"))]
impl Store {
    /// Whether the interval of `symbol` contains `number`.
    pub fn allows(&self, context: &Context, symbol: SymId, number: u128) -> bool {
        let range = self.symbol_range(context, symbol);
        let signed = crate::smt::to_signed(number, context.terms.symbol_info(symbol).width);
        (range.low..=range.high).contains(&number) && (range.signed_low..=range.signed_high).contains(&signed)
    }

    /// That `name` is in the interval of `symbol`, as conditions.
    pub fn bounds(&self, context: &Context, symbol: SymId, name: Term) -> [Term; 4] {
        let terms = &context.terms;
        let width = terms.width(name);
        let range = self.symbol_range(context, symbol);
        [
            terms.ule(terms.constant(range.low, width), name),
            terms.ule(name, terms.constant(range.high, width)),
            terms.sle(terms.signed_constant(range.signed_low, width), name),
            terms.sle(name, terms.signed_constant(range.signed_high, width)),
        ]
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

/// Carries bounds between the two views where the interval lies on one side of the sign.
fn agree(range: Range, width: u32) -> Range {
    let full = Range::full(width);
    let top = full.signed_high as u128;
    let mut range = range;
    if range.signed_low >= 0 {
        range.low = range.low.max(range.signed_low as u128);
        range.high = range.high.min(range.signed_high.max(0) as u128);
    } else if range.signed_high < 0 {
        let offset = |value: i128| (value as u128) & full.high;
        range.low = range.low.max(offset(range.signed_low));
        range.high = range.high.min(offset(range.signed_high));
    }
    if range.high <= top {
        range.signed_low = range.signed_low.max(range.low as i128);
        range.signed_high = range.signed_high.min(range.high as i128);
    } else if range.low > top {
        let signed = |value: u128| ((value << (128 - width)) as i128) >> (128 - width);
        range.signed_low = range.signed_low.max(signed(range.low));
        range.signed_high = range.signed_high.min(signed(range.high));
    }
    range
}

/// The least bounds of the list that contain `bounds`.
pub(crate) fn snap(thresholds: &[i128], (low, high): (i128, i128), width: u32) -> (i128, i128) {
    let most = (u128::MAX >> (129 - width.max(1))) as i128;
    let least = -most - 1;
    let below = thresholds.partition_point(|threshold| *threshold <= low);
    let above = thresholds.partition_point(|threshold| *threshold < high);
    let low = if below == 0 { least } else { thresholds[below - 1].max(least) };
    let high = thresholds.get(above).map_or(most, |threshold| (*threshold).min(most));
    (low, high)
}
