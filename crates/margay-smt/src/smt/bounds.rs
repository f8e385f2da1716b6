//! Bounds of the numbers in a query that its conditions give them, sums and differences too: what tells that they do not wrap around.

use rustc_hash::FxHashMap;

use super::fold::{mask, to_signed};
use super::term::{Node, Op, SymId, Term, Terms};

/// Rounds of learning bounds from conditions.
const ROUNDS: usize = 4;

/// The least and the greatest signed value.
pub(super) type Range = (i128, i128);

/// The bounds that conditions give the signed values of terms.
pub(super) struct Bounds<'t> {
    terms: &'t Terms,
    symbols: FxHashMap<SymId, Range>,
    /// Of terms, by the bounds of symbols so far.
    known: FxHashMap<Term, Range>,
}

/// What numbers of so many bits may be, at most 128.
pub(super) fn full(width: u32) -> Range {
    (i128::MIN >> (128 - width), i128::MAX >> (128 - width))
}

/// Whether numbers of so many bits may be all these.
pub(super) fn fits(range: Range, width: u32) -> bool {
    let full = full(width);
    full.0 <= range.0 && range.1 <= full.1
}

impl<'t> Bounds<'t> {
    /// What the conjuncts say of the terms `below` them, operands first.
    pub fn learned(terms: &'t Terms, conjuncts: &[Term], below: &[Term]) -> Self {
        let known = FxHashMap::with_capacity_and_hasher(below.len(), Default::default());
        let mut bounds = Self { terms, symbols: FxHashMap::default(), known };
        for _ in 0..ROUNDS {
            bounds.know(below);
            let before = bounds.symbols.clone();
            conjuncts.iter().for_each(|condition| bounds.learn(*condition, true));
            if bounds.symbols == before {
                break;
            }
        }
        bounds.know(below);
        bounds
    }

    /// Of the signed value of a term below the conjuncts.
    pub fn of(&self, t: Term) -> Range {
        self.known[&t]
    }

    /// Of the signed value of `t`, whose operands are known.
    fn of_node(&self, t: Term) -> Range {
        let width = self.terms.width(t);
        let of = |t: Term| self.known[&t];
        let all = full(width);
        let if_it_fits = |range: Range| if fits(range, width) { range } else { all };
        match self.terms.node(t) {
            // Conditions are learned from, they have no bounds.
            _ if width == 1 => all,
            Node::Const(value) => {
                let value = to_signed(value, width);
                (value, value)
            }
            Node::Sym(symbol) => self.symbols.get(&symbol).copied().unwrap_or(all),
            Node::SignExt(a) => of(a),
            Node::ZeroExt(a) => match of(a) {
                (low, high) if low >= 0 => (low, high),
                _ => if_it_fits((0, mask(self.terms.width(a)) as i128)),
            },
            Node::Extract { lo: 0, of: a, .. } => if_it_fits(of(a)),
            Node::Ite(_, a, b) => (of(a).0.min(of(b).0), of(a).1.max(of(b).1)),
            Node::Bin(Op::Add, a, b) => match (of(a).0.checked_add(of(b).0), of(a).1.checked_add(of(b).1)) {
                (Some(low), Some(high)) => if_it_fits((low, high)),
                _ => all,
            },
            Node::Bin(Op::Mul, a, b) => {
                let (a, b) = (of(a), of(b));
                let products = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                let products: Option<Vec<i128>> = products.iter().map(|(a, b)| a.checked_mul(*b)).collect();
                let ends = products.and_then(|all| Some((*all.iter().min()?, *all.iter().max()?)));
                ends.map_or(all, if_it_fits)
            }
            Node::Bin(Op::UDiv, a, b) if of(a).0 >= 0 && of(b).0 > 0 => (0, of(a).1),
            Node::Bin(Op::URem, a, b) if of(a).0 >= 0 && of(b).0 > 0 => (0, of(a).1.min(of(b).1 - 1)),
            _ => {
                let (low, high) = self.terms.signed_range_anyway(t);
                (low.max(all.0), high.min(all.1))
            }
        }
    }

    /// Finds out the bounds of all terms below `roots`.
    fn know(&mut self, below: &[Term]) {
        self.known.clear();
        for t in below {
            let range = self.of_node(*t);
            self.known.insert(*t, range);
        }
    }

    /// Learns from a condition that holds, or does not.
    fn learn(&mut self, condition: Term, holds: bool) {
        match (self.terms.node(condition), holds) {
            (Node::Not(inner), _) => self.learn(inner, !holds),
            (Node::Bin(Op::And, a, b), true) | (Node::Bin(Op::Or, a, b), false) if self.terms.width(a) == 1 => {
                self.learn(a, holds);
                self.learn(b, holds);
            }
            (Node::Bin(op, a, b), _) if self.terms.width(a) > 1 => match (op, holds) {
                (Op::Eq, true) => {
                    self.refine(a, self.known[&b]);
                    self.refine(b, self.known[&a]);
                }
                (Op::Slt, true) => self.signed(a, b, 1),
                (Op::Slt, false) => self.signed(b, a, 0),
                (Op::Sle, true) => self.signed(a, b, 0),
                (Op::Sle, false) => self.signed(b, a, 1),
                (Op::Ult, true) => self.unsigned(a, b, 1),
                (Op::Ult, false) => self.unsigned(b, a, 0),
                (Op::Ule, true) => self.unsigned(a, b, 0),
                (Op::Ule, false) => self.unsigned(b, a, 1),
                _ => {}
            },
            _ => {}
        }
    }

    /// `low + by ≤ high`, as signed numbers.
    fn signed(&mut self, low: Term, high: Term, by: i128) {
        let all = full(self.terms.width(low));
        let (below, above) = (self.known[&low], self.known[&high]);
        self.refine(low, (all.0, above.1.saturating_sub(by)));
        self.refine(high, (below.0.saturating_add(by), all.1));
    }

    /// The same as unsigned numbers: what is not above a number without a sign has none either.
    fn unsigned(&mut self, low: Term, high: Term, by: i128) {
        let (below, above) = (self.known[&low], self.known[&high]);
        if above.0 >= 0 {
            self.refine(low, (0, above.1.saturating_sub(by)));
            if below.0 >= 0 {
                self.refine(high, (below.0.saturating_add(by), above.1));
            }
        }
    }

    /// The signed value of `t` lies in `range`: so do those of its parts, as far as the others are known.
    fn refine(&mut self, t: Term, range: Range) {
        let width = self.terms.width(t);
        let known = self.known[&t];
        let range = (range.0.max(known.0), range.1.min(known.1));
        // A contradiction is for the solver to find.
        if range.0 > range.1 || range == known {
            return;
        }
        self.known.insert(t, range);
        match self.terms.node(t) {
            Node::Sym(symbol) => _ = self.symbols.insert(symbol, range),
            Node::SignExt(a) => self.refine(a, range),
            Node::ZeroExt(a) if fits(range, self.terms.width(a)) => self.refine(a, range),
            Node::Bin(Op::Add, a, b) => {
                for (part, other) in [(a, b), (b, a)] {
                    let other = self.known[&other];
                    // The part is the difference but for a multiple of the modulus: none where the difference fits.
                    let (Some(low), Some(high)) = (range.0.checked_sub(other.1), range.1.checked_sub(other.0)) else {
                        continue;
                    };
                    if fits((low, high), width) {
                        self.refine(part, (low, high));
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(terms: &Terms, conjuncts: &[Term], of: Term) -> Range {
        Bounds::learned(terms, conjuncts, &terms.reachable(&[conjuncts, &[of]].concat())).of(of)
    }

    /// Unsigned comparisons bound from both sides what is compared with a number that has no sign; sums pass bounds on.
    #[test]
    fn bounds_go_through_sums() {
        let t = Terms::new();
        let [u, v] = ["u", "v"].map(|name| t.fresh_symbol(64, name));
        let number = |value: i128| t.signed_constant(value, 64);
        let conjuncts = [t.ule(u, number(100)), t.ule(v, t.sub(number(100), u)), t.slt(number(3), u)];
        assert_eq!(learned(&t, &conjuncts, u), (4, 100));
        assert_eq!(learned(&t, &conjuncts, v), (0, 96));
        assert_eq!(learned(&t, &conjuncts, t.add(u, v)), (4, 196));
        assert_eq!(learned(&t, &[t.ule(t.add(u, number(7)), number(9)), t.sle(number(-1), u)], u), (-1, 2));
    }

    /// What may wrap around has no bounds.
    #[test]
    fn wrapping_has_no_bounds() {
        let t = Terms::new();
        let [u, v] = ["u", "v"].map(|name| t.fresh_symbol(8, name));
        let number = |value: i128| t.signed_constant(value, 8);
        let conjuncts = [t.ule(u, number(100)), t.ule(v, number(100))];
        assert_eq!(learned(&t, &conjuncts, t.add(u, v)), (-128, 127));
        assert_eq!(learned(&t, &[t.ult(u, v)], u), (-128, 127));
        let wide = ["wide", "other"].map(|name| t.fresh_symbol(128, name));
        let all = (i128::MIN, i128::MAX);
        assert_eq!(learned(&t, &[t.slt(wide[0], wide[1])], wide[0]), (all.0, all.1 - 1));
        assert_eq!(learned(&t, &[], t.mul(wide[0], wide[1])), all);
        assert_eq!(learned(&t, &[t.sle(t.add(u, number(7)), number(9))], u), (-128, 127));
    }
}
