//! What symbols stand for that no value settles by itself: those of sums of several unknowns, and those that only conditions
//! speak of. A bounded search; any choice that all demands hold for is a witness.

use super::symbols::Choice;
use crate::check::Demand;
use crate::smt::{Node, Op, SymId, Term};

/// Symbols with their scopes and what they may stand for.
type Way = Vec<(usize, SymId, Term)>;

/// Goals all of which have to be reached: a general and a special term that should be the same.
type Goals = Vec<(Term, Term)>;

/// The ways found for a demand, and how many more goals are looked at for it.
struct Ways {
    found: Vec<Way>,
    steps: u32,
}

/// Goals that are looked at for one demand.
const MOST_STEPS: u32 = 2000;

/// Longer sums are matched in order only.
const LONGEST_SUM: usize = 4;

impl Choice<'_, '_> {
    /// Settles symbols so that all demands hold; whether that was found. What was settled is kept on success only.
    pub(super) fn search(&mut self, demands: &[Demand], tries: &mut u32) -> bool {
        let mut open: Vec<Demand> = Vec::new();
        for demand in demands {
            if !self.binding.is_settled(demand.scope, demand.general) {
                open.push(*demand);
            } else if !self.binding.holds(demand) {
                return false;
            }
        }
        // Values tell most, then conditions with few unknowns.
        let next = open.iter().min_by_key(|demand| (demand.special.is_none(), self.unknowns(demand).len()));
        let Some(next) = next.copied() else { return true };
        let length = self.binding.trail().len();
        for way in self.ways(&next) {
            if *tries == 0 {
                return false;
            }
            *tries -= 1;
            if way.into_iter().all(|(scope, symbol, term)| self.binding.try_bind(scope, symbol, term)) {
                self.binding.definitions();
                if self.search(&open, tries) {
                    return true;
                }
            }
            self.binding.undo(length);
        }
        false
    }

    fn unknowns(&self, demand: &Demand) -> Vec<SymId> {
        let symbols = self.context.terms.symbols_of(demand.general);
        symbols.iter().copied().filter(|symbol| self.binding.meaning(demand.scope, *symbol).is_none()).collect()
    }

    /// Ways to settle symbols of `demand` by which it may hold, likely ones first.
    fn ways(&mut self, demand: &Demand) -> Vec<Way> {
        let &Demand { scope, world, general, special } = demand;
        let mut ways = Ways { found: Vec::new(), steps: MOST_STEPS };
        if let Some(special) = special {
            self.matches(scope, vec![(general, special)], self.binding.trail().len(), &mut ways);
            // One symbol that both sides speak of may stand for itself; the others follow.
            let terms = &self.context.terms;
            let both = terms.symbols_of(special);
            let both = self.unknowns(demand).into_iter().filter(|symbol| both.contains(symbol));
            ways.found.extend(both.map(|symbol| vec![(scope, symbol, terms.symbol_term(symbol))]));
            return ways.found;
        }
        let known: Vec<Term> = self.binding.memory(world).store.constraints().iter().copied().collect();
        for constraint in known {
            self.matches(scope, vec![(general, constraint)], self.binding.trail().len(), &mut ways);
        }
        // What is the same on both sides often goes by the same name.
        let terms = &self.context.terms;
        let same = self.unknowns(demand).into_iter().map(|symbol| (scope, symbol, terms.symbol_term(symbol)));
        ways.found.push(same.collect());
        self.neighbours(scope, general, &mut ways);
        ways.found
    }

    /// A comparison with something settled may hold for it, or for the next number.
    fn neighbours(&mut self, scope: usize, condition: Term, ways: &mut Ways) {
        let context = self.context.clone();
        let terms = &context.terms;
        let comparison = match terms.node(condition) {
            Node::Not(inner) => inner,
            _ => condition,
        };
        let Node::Bin(_, left, right) = terms.node(comparison) else { return };
        for (open, other) in [(left, right), (right, left)] {
            let Some(value) = self.binding.translate(scope, other).filter(|_| !self.binding.is_settled(scope, open))
            else {
                continue;
            };
            for step in [0, 1, -1] {
                let goals = vec![(open, terms.add_constant(value, step))];
                self.matches(scope, goals, self.binding.trail().len(), ways);
            }
        }
    }

    /// All ways to reach the goals, by what the terms look like; `from` is how long the trail was before.
    fn matches(&mut self, scope: usize, mut goals: Goals, from: usize, ways: &mut Ways) {
        if ways.steps == 0 {
            return;
        }
        ways.steps -= 1;
        let Some((general, special)) = goals.pop() else {
            let settled = self.binding.trail()[from..].iter();
            ways.found.push(
                settled.filter_map(|&(at, symbol)| Some((at, symbol, self.binding.meaning(at, symbol)?))).collect(),
            );
            return;
        };
        if self.context.terms.width(general) != self.context.terms.width(special) {
            return;
        }
        if self.binding.is_settled(scope, general) {
            if self.binding.translate(scope, general) == Some(special) {
                self.matches(scope, goals, from, ways);
            }
            return;
        }
        if let Some(symbol) = self.context.terms.as_symbol(general) {
            let length = self.binding.trail().len();
            if self.binding.try_bind(scope, symbol, special) {
                self.matches(scope, goals, from, ways);
            }
            self.binding.undo(length);
            return;
        }
        for parts in self.decompositions(scope, general, special) {
            let mut goals = goals.clone();
            goals.extend(parts);
            self.matches(scope, goals, from, ways);
        }
    }

    /// Goals about the operands of `general`, any of which make it `special`.
    fn decompositions(&self, scope: usize, general: Term, special: Term) -> Vec<Goals> {
        let terms = &self.context.terms;
        match (terms.node(general), terms.node(special)) {
            (Node::Not(a), _) => vec![vec![(a, terms.not(special))]],
            (Node::Bin(Op::Add, ..), _) => self.sums(scope, general, special),
            (Node::Bin(Op::Mul, _, factor), _) if terms.as_const(factor).is_some() => {
                self.sums(scope, general, special)
            }
            // Each value of one operand leaves one for the other: zero, where nothing settles it.
            (Node::Bin(Op::Xor, a, b), special_node) => {
                let by = |one: Term, other: Term| match self.binding.translate(scope, other) {
                    Some(value) => vec![(one, terms.xor(special, value))],
                    None => vec![(other, terms.constant(0, terms.width(other))), (one, special)],
                };
                let alike = match special_node {
                    Node::Bin(Op::Xor, c, d) => vec![vec![(a, c), (b, d)], vec![(a, d), (b, c)]],
                    _ => Vec::new(),
                };
                alike.into_iter().chain([by(a, b), by(b, a)]).collect()
            }
            // The bits that nothing speaks of may be zero.
            (Node::Extract { lo, of, .. }, _) if terms.as_symbol(of).is_some() => {
                let width = terms.width(of);
                vec![vec![(of, terms.shl(terms.zext(special, width), terms.constant(lo.into(), width)))]]
            }
            (Node::Bin(Op::Concat, high, low), _) => {
                let border = terms.width(low);
                let top = terms.extract(special, terms.width(special) - 1, border);
                vec![vec![(high, top), (low, terms.extract(special, border - 1, 0))]]
            }
            (Node::Bin(op, a, b), Node::Bin(other, c, d)) if op == other => match op {
                Op::Eq | Op::And | Op::Or | Op::Mul => vec![vec![(a, c), (b, d)], vec![(a, d), (b, c)]],
                _ => vec![vec![(a, c), (b, d)]],
            },
            (Node::ZeroExt(a), Node::ZeroExt(b)) | (Node::SignExt(a), Node::SignExt(b)) => vec![vec![(a, b)]],
            (Node::ZeroExt(a) | Node::SignExt(a), _) => {
                vec![vec![(a, terms.extract(special, terms.width(a) - 1, 0))]]
            }
            (Node::Ite(a, b, c), Node::Ite(d, e, f)) => vec![vec![(a, d), (b, e), (c, f)]],
            (Node::Extract { hi, lo, of }, Node::Extract { hi: other_hi, lo: other_lo, of: other })
                if (hi, lo) == (other_hi, other_lo) =>
            {
                vec![vec![(of, other)]]
            }
            _ => Vec::new(),
        }
    }

    /// The unknown parts of a sum, paired with what the special sum has besides the known ones.
    fn sums(&self, scope: usize, general: Term, special: Term) -> Vec<Goals> {
        let terms = &self.context.terms;
        let width = terms.width(general);
        let sum = terms.linear(general);
        let mut open: Vec<(u128, Term)> = Vec::new();
        let mut remainder = terms.sub(special, terms.constant(sum.constant, width));
        for &(factor, part) in &sum.parts {
            match self.binding.translate(scope, part) {
                Some(value) => remainder = terms.sub(remainder, terms.mul(value, terms.constant(factor, width))),
                None => open.push((factor, part)),
            }
        }
        let rest = terms.linear(remainder);
        let mut ways = Vec::new();
        if let [(factor, part)] = open.as_slice() {
            if *factor == u128::MAX >> (128 - width) {
                return vec![vec![(*part, terms.sub(terms.constant(0, width), remainder))]];
            }
            let divides = |number: &u128| number.is_multiple_of(*factor);
            if rest.parts.iter().map(|(factor, _)| factor).chain([&rest.constant]).all(divides) {
                let constant = terms.constant(rest.constant / factor, width);
                let quotient = rest.parts.iter().fold(constant, |quotient, (other, term)| {
                    terms.add(quotient, terms.mul(*term, terms.constant(other / factor, width)))
                });
                ways.push(vec![(*part, quotient)]);
            }
            return ways;
        }
        if rest.constant == 0 && rest.parts.len() == open.len() {
            pairings(&open, &rest.parts, &mut Vec::new(), &mut ways);
        }
        // One of them may be everything.
        let zero = terms.constant(0, width);
        for (index, _) in open.iter().enumerate().filter(|(_, (factor, _))| *factor == 1) {
            let value = |at: usize| if at == index { remainder } else { zero };
            ways.push(open.iter().enumerate().map(|(at, (_, part))| (*part, value(at))).collect());
        }
        ways
    }
}

/// All ways to pair parts with equal factors.
fn pairings(open: &[(u128, Term)], rest: &[(u128, Term)], goals: &mut Goals, ways: &mut Vec<Goals>) {
    let Some(((factor, part), others)) = open.split_first() else {
        ways.push(goals.clone());
        return;
    };
    for (index, (_, value)) in rest.iter().enumerate().filter(|(_, (other, _))| other == factor) {
        let mut left = rest.to_vec();
        left.remove(index);
        goals.push((*part, *value));
        pairings(others, &left, goals, ways);
        goals.pop();
        if open.len() > LONGEST_SUM {
            return;
        }
    }
}
