//! What symbols stand for when objects correspond: first what follows from values that correspond, then a search for the rest.
//! Untrusted: whatever is chosen, [`crate::check`] checks everything afterwards.

use std::rc::Rc;

use crate::check::{Binding, Demand};
use crate::heap::Context;
use crate::smt::{Node, Op, Term};

/// Operators inside one another that are compared part by part.
const DEEPEST: u32 = 24;

/// Choices that a search follows.
const MOST_TRIES: u32 = 100;

/// Settles symbols of `binding` so that all its demands hold; whether that was found.
pub(super) fn settle(binding: &mut Binding) -> bool {
    let context = binding.context().clone();
    let mut choice = Choice { binding, context };
    if choice.same_names() {
        return true;
    }
    let length = choice.binding.trail().len();
    // What is likely may be wrong: then what is certain has to do.
    for is_sure in [false, true] {
        choice.derive(is_sure);
        let demands = choice.binding.demands();
        let mut tries = MOST_TRIES;
        if choice.search(&demands, &mut tries) {
            return true;
        }
        if choice.binding.likely().is_empty() {
            break;
        }
        choice.binding.undo(length);
    }
    false
}

pub(super) struct Choice<'b, 'a> {
    pub binding: &'b mut Binding<'a>,
    pub context: Rc<Context>,
}

impl Choice<'_, '_> {
    /// Lets all symbols stand for themselves, where those that values settle do; whether all demands hold then. So it is where states
    /// differ in what was made of the same inputs.
    fn same_names(&mut self) -> bool {
        let length = self.binding.trail().len();
        let equations = self.binding.equations().to_vec();
        for demand in &equations {
            if let (Node::Sym(symbol), Some(special)) = (self.context.terms.node(demand.general), demand.special)
                && self.binding.meaning(demand.scope, symbol).is_none()
                && (special != demand.general || !self.binding.try_bind(demand.scope, symbol, special))
            {
                self.binding.undo(length);
                return false;
            }
        }
        let is_open = |choice: &Self, demand: &Demand| !choice.binding.is_settled(demand.scope, demand.general);
        if !equations.iter().any(|demand| is_open(self, demand)) {
            self.binding.undo(length);
            return false;
        }
        let mut holds = self.all_same(&equations);
        if holds {
            let demands = self.binding.demands();
            holds = self.all_same(&demands);
        }
        if !holds {
            self.binding.undo(length);
        }
        holds
    }

    /// Lets the open symbols of all demands stand for themselves; whether the demands hold.
    fn all_same(&mut self, demands: &[Demand]) -> bool {
        for demand in demands {
            for symbol in self.context.terms.symbols_of(demand.general).to_vec() {
                if self.binding.meaning(demand.scope, symbol).is_none() {
                    let same = self.context.terms.symbol_term(symbol);
                    self.binding.try_bind(demand.scope, symbol, same);
                }
            }
        }
        self.binding.definitions();
        demands.iter().all(|demand| self.binding.is_settled(demand.scope, demand.general) && self.binding.holds(demand))
    }

    /// Settles what follows from values that correspond; where only what `is_sure` counts, from those that have to.
    fn derive(&mut self, is_sure: bool) {
        let pairs = |demands: &[Demand]| -> Vec<(usize, Term, Term)> {
            demands.iter().filter_map(|demand| Some((demand.scope, demand.general, demand.special?))).collect()
        };
        let (equations, likely) = (pairs(self.binding.equations()), pairs(self.binding.likely()));
        self.solve(&equations);
        if !is_sure {
            self.solve(&likely);
            self.solve(&equations);
        }
    }

    /// Settles what follows from these values.
    fn solve(&mut self, equations: &[(usize, Term, Term)]) {
        let mut open = equations.len() + 1;
        // Plain symbols first: they tell most about the others.
        for &(scope, general, special) in equations {
            if let Node::Sym(symbol) = self.context.terms.node(general) {
                self.binding.try_bind(scope, symbol, special);
            }
        }
        loop {
            self.binding.definitions();
            let unsolved = equations.iter().filter(|(scope, general, _)| !self.binding.is_settled(*scope, *general));
            let unsolved: Vec<_> = unsolved.copied().collect();
            if unsolved.is_empty() || unsolved.len() >= open {
                return;
            }
            open = unsolved.len();
            for (scope, general, special) in unsolved {
                self.unify(scope, general, special, DEEPEST);
            }
        }
    }

    /// Settles symbols so that `general` could be `special`.
    fn unify(&mut self, scope: usize, general: Term, special: Term, depth: u32) {
        let context = self.context.clone();
        let terms = &context.terms;
        if depth == 0 || self.binding.is_settled(scope, general) || terms.width(general) != terms.width(special) {
            return;
        }
        match (terms.node(general), terms.node(special)) {
            (Node::Sym(symbol), _) => {
                self.binding.try_bind(scope, symbol, special);
            }
            (Node::Not(a), _) => self.unify(scope, a, terms.not(special), depth - 1),
            (Node::ZeroExt(a) | Node::SignExt(a), _) => {
                let low = terms.extract(special, terms.width(a) - 1, 0);
                self.unify(scope, a, low, depth - 1);
            }
            (Node::Bin(Op::Concat, high, low), _) => {
                let width = terms.width(low);
                self.unify(scope, low, terms.extract(special, width - 1, 0), depth - 1);
                let high_part = terms.extract(special, terms.width(special) - 1, width);
                self.unify(scope, high, high_part, depth - 1);
            }
            (Node::Bin(Op::Add, ..), _) => {
                let sum = terms.linear(general);
                let open: Vec<(u128, Term)> =
                    sum.parts.iter().copied().filter(|(_, part)| !self.binding.is_settled(scope, *part)).collect();
                let minus_one = u128::MAX >> (128 - terms.width(general));
                match open.as_slice() {
                    [(1, part)] => {
                        if let Some(rest) = self.binding.translate(scope, terms.sub(general, *part)) {
                            self.unify(scope, *part, terms.sub(special, rest), depth - 1);
                        }
                    }
                    [(factor, part)] if *factor == minus_one => {
                        if let Some(rest) = self.binding.translate(scope, terms.add(general, *part)) {
                            self.unify(scope, *part, terms.sub(rest, special), depth - 1);
                        }
                    }
                    _ => {}
                }
            }
            (Node::Bin(Op::Xor, a, b), _) if self.binding.is_settled(scope, b) || self.binding.is_settled(scope, a) => {
                let (open, known) = if self.binding.is_settled(scope, b) { (a, b) } else { (b, a) };
                if let Some(known) = self.binding.translate(scope, known) {
                    self.unify(scope, open, terms.xor(special, known), depth - 1);
                }
            }
            (Node::Bin(op, a, b), Node::Bin(other, c, d)) if op == other => {
                let is_turned = matches!(op, Op::Eq | Op::And | Op::Or | Op::Xor | Op::Mul)
                    && (self.binding.translate(scope, a) == Some(d) || self.binding.translate(scope, b) == Some(c));
                let (c, d) = if is_turned { (d, c) } else { (c, d) };
                self.unify(scope, a, c, depth - 1);
                self.unify(scope, b, d, depth - 1);
            }
            (Node::Ite(a, b, c), Node::Ite(d, e, f)) => {
                self.unify(scope, a, d, depth - 1);
                self.unify(scope, b, e, depth - 1);
                self.unify(scope, c, f, depth - 1);
            }
            (Node::Extract { hi, lo, of }, Node::Extract { hi: other_hi, lo: other_lo, of: other })
                if (hi, lo) == (other_hi, other_lo) =>
            {
                self.unify(scope, of, other, depth - 1);
            }
            _ => {}
        }
    }
}
