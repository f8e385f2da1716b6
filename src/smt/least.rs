//! Symbols that are compared with each other: each gets the least value that it may have.
//!
//! Conditions `x ≤ y` and `x < y` in one order, and any conditions on one symbol alone: where they have a model, they have a least
//! one. So values go up until all fit, or one has no value left and there is no model.

use std::collections::BTreeMap;

use super::fold::{to_signed, truncate};
use super::single::{Own, holds};
use super::solver::{Model, Sat};
use super::term::{Node, Op, SymId, Term, Terms};

/// Beyond so many symbols a solver is not slower.
const MOST_SYMBOLS: usize = 12;

/// Wider values are not ordered here.
const WIDEST: u32 = 64;

/// `left` is at most `right`, or less.
#[derive(Clone, Copy)]
struct Edge {
    left: SymId,
    right: SymId,
    less: bool,
    /// The order of signed numbers, or of unsigned ones; `None` for what holds in both.
    signed: Option<bool>,
}

/// The answer to what is said of symbols alone, with a model of it, and `others`: none where comparisons among these have none, and
/// a least model of them where it is one of all.
pub(super) fn decide(terms: &Terms, (parts, model): (&BTreeMap<SymId, Own>, &Model), others: &[Term]) -> Option<Sat> {
    let mut edges: Vec<Edge> = others.iter().flat_map(|part| edges_of(terms, *part)).collect();
    let signed = edges.iter().any(|edge| edge.signed == Some(true));
    edges.retain(|edge| edge.signed != Some(!signed));
    let order = Order { terms, parts, signed };
    let mut symbols: Vec<SymId> = edges.iter().flat_map(|edge| [edge.left, edge.right]).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let is_plain = |symbol: &SymId| order.width(*symbol) <= WIDEST && terms.symbol_info(*symbol).alignment == 0;
    let fits = symbols.len() <= MOST_SYMBOLS && symbols.iter().all(is_plain);
    (fits && !symbols.is_empty()).then_some(())?;
    // Values that are not negative are nicer to look at.
    let least = order.least(&symbols, &edges, true).or_else(|| order.least(&symbols, &edges, false));
    let Some(least) = least else { return Some(Sat::Unsat) };
    let mut values: BTreeMap<SymId, u128> = others
        .iter()
        .flat_map(|part| terms.symbols_of(*part).to_vec())
        .chain(parts.keys().copied())
        .map(|symbol| (symbol, model.value(symbol).unwrap_or(0)))
        .collect();
    values.extend(least.into_iter().map(|(symbol, value)| (symbol, truncate(value as u128, order.width(symbol)))));
    let model = Model::new(values);
    model.satisfies(terms, others).then_some(Sat::Sat(model))
}

/// What a condition says of the order of two symbols.
fn edges_of(terms: &Terms, part: Term) -> Vec<Edge> {
    let (atom, negated) = match terms.node(part) {
        Node::Not(inner) => (inner, true),
        _ => (part, false),
    };
    let Node::Bin(op, left, right) = terms.node(atom) else { return Vec::new() };
    let (Some(left), Some(right)) = (terms.as_symbol(left), terms.as_symbol(right)) else { return Vec::new() };
    let edge = |left, right, less, signed| Edge { left, right, less, signed };
    let (less, signed) = match op {
        Op::Eq if !negated => return vec![edge(left, right, false, None), edge(right, left, false, None)],
        Op::Ult => (true, false),
        Op::Ule => (false, false),
        Op::Slt => (true, true),
        Op::Sle => (false, true),
        _ => return Vec::new(),
    };
    vec![if negated { edge(right, left, !less, Some(signed)) } else { edge(left, right, less, Some(signed)) }]
}

struct Order<'a> {
    terms: &'a Terms,
    parts: &'a BTreeMap<SymId, Own>,
    signed: bool,
}

impl Order<'_> {
    fn width(&self, symbol: SymId) -> u32 {
        self.terms.symbol_info(symbol).width
    }

    /// A value's place in the order.
    fn place(&self, symbol: SymId, value: u128) -> i128 {
        if self.signed { to_signed(value, self.width(symbol)) } else { value as i128 }
    }

    /// The least value from `from` on of which all holds that is said of the symbol alone.
    fn next(&self, symbol: SymId, from: i128) -> Option<i128> {
        let width = self.width(symbol);
        let greatest = if self.signed { (1 << (width - 1)) - 1 } else { (1 << width) - 1 };
        (from <= greatest).then_some(())?;
        let own = self.parts.get(&symbol);
        let starts = own.iter().flat_map(|(_, starts)| starts).map(|start| self.place(symbol, *start));
        let mut all: Vec<i128> = starts.chain([from]).filter(|place| *place >= from).collect();
        all.sort_unstable();
        let is_one = |place: &i128| {
            own.is_none_or(|(conditions, _)| holds(self.terms, conditions, truncate(*place as u128, width)))
        };
        all.into_iter().find(is_one)
    }

    /// The least values of all symbols; from 0 on where they must not be negative. `None`: there are none.
    fn least(&self, symbols: &[SymId], edges: &[Edge], not_negative: bool) -> Option<Vec<(SymId, i128)>> {
        let mut values = BTreeMap::new();
        for &symbol in symbols {
            let least = if self.signed && !not_negative { -(1 << (self.width(symbol) - 1)) } else { 0 };
            values.insert(symbol, self.next(symbol, least)?);
        }
        // Without a symbol that has to be less than itself, as many rounds as there are symbols are enough between two values that
        // are left out, and these are ends of stretches.
        let left_out: usize =
            symbols.iter().filter_map(|symbol| self.parts.get(symbol)).map(|own| own.1.len() + 1).sum();
        for _ in 0..=(symbols.len() + 1) * (left_out + 1) {
            let mut is_done = true;
            for edge in edges {
                let wanted = values[&edge.left] + i128::from(edge.less);
                if values[&edge.right] < wanted {
                    values.insert(edge.right, self.next(edge.right, wanted)?);
                    is_done = false;
                }
            }
            if is_done {
                return Some(values.into_iter().collect());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_tests::picks;
    use super::super::single;
    use super::*;

    /// Conditions on one symbol and on two, against all values.
    #[test]
    fn agrees_with_all_values() {
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
            match single::decide(&t, &conjuncts) {
                Some(Sat::Sat(model)) => assert!(expected && model.satisfies(&t, &conjuncts)),
                Some(Sat::Unsat) => {
                    let shown: Vec<String> = conjuncts.iter().map(|part| t.display(*part)).collect();
                    assert!(!expected, "{}", shown.join(", "));
                }
                Some(Sat::Unknown(_)) | None => {
                    open += 1;
                    continue;
                }
            }
            answers[usize::from(expected)] += 1;
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
}
