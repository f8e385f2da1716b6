//! Walks over terms: what a term is made of, its value, and replacing symbols.

use rustc_hash::{FxHashMap, FxHashSet};

use super::fold::{fold, mask, to_signed};
use super::term::{Node, Op, SymId, Term, Terms};

impl Node {
    /// The operands, in order.
    pub fn operands(self) -> impl Iterator<Item = Term> {
        let operands = match self {
            Node::Const(_) | Node::Sym(_) => [None, None, None],
            Node::Not(t) | Node::Extract { of: t, .. } | Node::ZeroExt(t) | Node::SignExt(t) => [Some(t), None, None],
            Node::Bin(_, a, b) => [Some(a), Some(b), None],
            Node::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        operands.into_iter().flatten()
    }
}

impl Terms {
    /// The terms `roots` are made of, with themselves, operands before what they stand in.
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        self.reachable_unless(roots, |_| false)
    }

    /// Whether more than `most` terms are reachable from `root`, itself included.
    pub fn is_larger(&self, root: Term, most: usize) -> bool {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut open = vec![root];
        while let Some(t) = open.pop() {
            if seen.insert(t) {
                if seen.len() > most {
                    return true;
                }
                open.extend(self.node(t).operands());
            }
        }
        false
    }

    /// Like [`Terms::reachable`], without the terms `done` and what only they lead to.
    pub(super) fn reachable_unless(&self, roots: &[Term], done: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut open: Vec<Term> = roots.to_vec();
        while let Some(t) = open.pop() {
            if !done(t) && seen.insert(t) {
                open.extend(self.node(t).operands());
            }
        }
        let mut terms: Vec<Term> = seen.into_iter().collect();
        terms.sort_unstable(); // operands have smaller ids
        terms
    }

    /// The value of `t` when every symbol has the value given (taken modulo its width).
    pub fn evaluate(&self, t: Term, values: &dyn Fn(SymId) -> u128) -> u128 {
        self.evaluate_into(t, values, &mut FxHashMap::default())
    }

    /// The values of several terms that may share operands.
    pub fn evaluate_all(&self, roots: &[Term], values: &dyn Fn(SymId) -> u128) -> Vec<u128> {
        let mut done = FxHashMap::default();
        roots.iter().map(|&t| self.evaluate_into(t, values, &mut done)).collect()
    }

    /// The value of `t`; `done` has values of other terms for the same symbols and gets those of all operands.
    pub(super) fn evaluate_into(
        &self,
        t: Term,
        values: &dyn Fn(SymId) -> u128,
        done: &mut FxHashMap<Term, u128>,
    ) -> u128 {
        if let Some(&value) = done.get(&t) {
            return value;
        }
        for t in self.reachable_unless(&[t], |t| done.contains_key(&t)) {
            let width = self.width(t);
            let value = match self.node(t) {
                Node::Const(value) => value,
                Node::Sym(symbol) => values(symbol) & mask(width),
                Node::Not(a) => !done[&a] & mask(width),
                Node::Extract { lo, of, .. } => (done[&of] >> lo) & mask(width),
                Node::ZeroExt(a) => done[&a],
                Node::SignExt(a) => to_signed(done[&a], self.width(a)) as u128 & mask(width),
                Node::Ite(c, a, b) => done[if done[&c] == 1 { &a } else { &b }],
                Node::Bin(Op::Concat, a, b) => done[&a] << self.width(b) | done[&b],
                Node::Bin(op, a, b) => fold(op, done[&a], done[&b], self.width(a)),
            };
            done.insert(t, value);
        }
        done[&t]
    }

    /// `t` with symbols replaced by terms of the same width, for aligned symbols at least as aligned; symbols not in `by`
    /// stay.
    pub fn substitute(&self, t: Term, by: &FxHashMap<SymId, Term>) -> Term {
        if let Some(symbol) = self.as_symbol(t) {
            return by.get(&symbol).copied().unwrap_or(t);
        }
        if !self.symbols_of(t).iter().any(|symbol| by.contains_key(symbol)) {
            return t;
        }
        self.substitute_into(t, by, &mut FxHashMap::default())
    }

    /// [`Terms::substitute`] for terms that may share operands: `done` has what was made of others, whose symbols `by` had then as
    /// it has now, and gets the rest.
    pub fn substitute_into(&self, t: Term, by: &FxHashMap<SymId, Term>, done: &mut FxHashMap<Term, Term>) -> Term {
        if let Node::Sym(symbol) = self.node(t) {
            return by.get(&symbol).copied().unwrap_or(t);
        }
        if let Some(&known) = done.get(&t) {
            return known;
        }
        for part in self.reachable_unless(&[t], |t| done.contains_key(&t)) {
            let node = self.node(part);
            let result = match node {
                Node::Sym(symbol) => by.get(&symbol).copied().unwrap_or(part),
                // Those without a symbol to replace are not built again.
                _ if node.operands().all(|t| done[&t] == t) => part,
                _ => self.rebuild(node, self.width(part), |t| done[&t]),
            };
            debug_assert_eq!(self.width(result), self.width(part), "substitution by a term of another width");
            done.insert(part, result);
        }
        done[&t]
    }

    /// `t` of the arena `from` in this one, with symbols replaced as in [`Terms::substitute`]; `done` has what was translated
    /// before and gets the rest. `symbol` is asked once for each symbol that is not in it.
    pub fn translate(
        &self,
        from: &Terms,
        t: Term,
        done: &mut FxHashMap<Term, Term>,
        symbol: &mut dyn FnMut(SymId) -> Term,
    ) -> Term {
        for part in from.reachable_unless(&[t], |t| done.contains_key(&t)) {
            let result = match from.node(part) {
                Node::Sym(old) => symbol(old),
                node => self.rebuild(node, from.width(part), |t| done[&t]),
            };
            debug_assert_eq!(self.width(result), from.width(part), "translation to a term of another width");
            done.insert(part, result);
        }
        done[&t]
    }

    /// The same operator on other operands, simplified.
    fn rebuild(&self, node: Node, width: u32, new: impl Fn(Term) -> Term) -> Term {
        match node {
            Node::Const(value) => self.constant(value, width),
            Node::Sym(symbol) => self.symbol_term(symbol),
            Node::Not(a) => self.not(new(a)),
            Node::Extract { hi, lo, of } => self.extract(new(of), hi, lo),
            Node::ZeroExt(a) => self.zext(new(a), width),
            Node::SignExt(a) => self.sext(new(a), width),
            Node::Ite(c, a, b) => self.ite(new(c), new(a), new(b)),
            Node::Bin(op, a, b) => self.binary(op, new(a), new(b)),
        }
    }

    /// The simplifying constructor of an operator given as a value.
    pub fn binary(&self, op: Op, a: Term, b: Term) -> Term {
        match op {
            Op::Add => self.add(a, b),
            Op::Mul => self.mul(a, b),
            Op::UDiv => self.udiv(a, b),
            Op::URem => self.urem(a, b),
            Op::SDiv => self.sdiv(a, b),
            Op::SRem => self.srem(a, b),
            Op::And => self.and(a, b),
            Op::Or => self.or(a, b),
            Op::Xor => self.xor(a, b),
            Op::Shl => self.shl(a, b),
            Op::LShr => self.lshr(a, b),
            Op::AShr => self.ashr(a, b),
            Op::Concat => self.concat(a, b),
            Op::Eq => self.eq(a, b),
            Op::Ult => self.ult(a, b),
            Op::Ule => self.ule(a, b),
            Op::Slt => self.slt(a, b),
            Op::Sle => self.sle(a, b),
        }
    }
}
