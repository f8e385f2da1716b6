//! What the symbols of a general state stand for in a special one, and whether all the general state says of them is true.
//!
//! Finding what a symbol stands for is heuristic: any choice is a witness. What counts is the check afterwards.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::context::{Context, SymbolKind};
use super::verify::{Equation, Gathering};
use crate::smt::{Node, Op, Sat, SymId, Term};

pub(super) struct Binding<'a> {
    pub gathering: Gathering<'a>,
    context: Rc<Context>,
}

/// Operators inside one another that are compared part by part.
const DEEPEST: u32 = 24;

const ADDRESS_CLASS: u8 = SymbolKind::Address(crate::memory::BlockId(0)).class();

impl<'a> Binding<'a> {
    pub fn new(gathering: Gathering<'a>) -> Self {
        let context = gathering.context.clone();
        Self { gathering, context }
    }

    /// Settles all symbols and checks everything that was gathered.
    pub fn settle(&mut self, derive: bool) -> Option<()> {
        if derive {
            self.derive();
        } else {
            self.adopt()?;
        }
        for Equation { scope, world, general, special } in std::mem::take(&mut self.gathering.equations) {
            let value = self.translate(scope, general)?;
            self.gathering.worlds[world].memory.are_equal(value, special).then_some(())?;
        }
        for (scope, fact) in std::mem::take(&mut self.gathering.facts) {
            let fact = self.translate(scope, fact)?;
            let world = self.gathering.scopes[scope].world;
            self.gathering.worlds[world].memory.entails(fact).then_some(())?;
        }
        self.constraints(derive)
    }

    /// Takes what the embedding says the symbols stand for.
    fn adopt(&mut self) -> Option<()> {
        for scope in 0..self.gathering.scopes.len() {
            let given = &self.gathering.scopes[scope].given.symbols;
            for (&symbol, &term) in given {
                (self.home(scope, symbol) == Some(scope) && self.bind(scope, symbol, term)).then_some(())?;
            }
        }
        self.definitions();
        Some(())
    }

    fn derive(&mut self) {
        let equations = self.gathering.equations.clone();
        let mut open = equations.len() + 1;
        // Plain symbols first: they tell most about the others.
        for equation in &equations {
            if let Node::Sym(symbol) = self.context.terms.node(equation.general) {
                self.try_bind(equation.scope, symbol, equation.special);
            }
        }
        loop {
            self.definitions();
            let unsolved = equations.iter().filter(|equation| !self.is_settled(equation.scope, equation.general));
            let unsolved: Vec<Equation> = unsolved.copied().collect();
            if unsolved.is_empty() {
                return;
            }
            if unsolved.len() >= open {
                if !self.same_names(&unsolved) {
                    return;
                }
                open = equations.len() + 1;
                continue;
            }
            open = unsolved.len();
            for equation in unsolved {
                self.unify(equation.scope, equation.general, equation.special, DEEPEST);
            }
        }
    }

    /// Lets the symbols of a value that both states spell alike stand for themselves; whether there was one.
    fn same_names(&mut self, unsolved: &[Equation]) -> bool {
        let alike = unsolved.iter().filter(|equation| equation.general == equation.special);
        alike.into_iter().any(|equation| {
            let symbols = self.context.clone().terms.symbols_of(equation.general);
            let mut bound = false;
            for &symbol in symbols.iter() {
                bound |= self.try_bind(equation.scope, symbol, self.context.terms.symbol_term(symbol));
            }
            bound
        })
    }

    /// The addresses of absent things, as far as what they are is settled.
    fn definitions(&mut self) {
        loop {
            let mut progress = false;
            for scope in 0..self.gathering.scopes.len() {
                for (symbol, value) in self.gathering.scopes[scope].definitions.clone() {
                    if self.gathering.scopes[scope].symbols.contains_key(&symbol) {
                        continue;
                    }
                    let alignment = self.context.terms.symbol_info(symbol).alignment;
                    if let Some(value) = self.translate(scope, value)
                        && self.context.terms.trailing_zeros(value) >= alignment
                    {
                        self.gathering.scopes[scope].symbols.insert(symbol, value);
                        progress = true;
                    }
                }
            }
            if !progress {
                return;
            }
        }
    }

    /// The scope `symbol` belongs to, seen from `scope`.
    fn home(&self, scope: usize, symbol: SymId) -> Option<usize> {
        let depth = match self.context.kind(symbol)? {
            SymbolKind::Bound { depth, .. } => Some(depth),
            _ => None,
        };
        let mut at = Some(scope);
        while let Some(scope) = at {
            if self.gathering.scopes[scope].depth == depth {
                return Some(scope);
            }
            at = self.gathering.scopes[scope].parent;
        }
        None
    }

    /// What `symbol` stands for, seen from `scope`.
    fn meaning(&self, scope: usize, symbol: SymId) -> Option<Term> {
        if let Some(SymbolKind::Function(_)) = self.context.kind(symbol) {
            return Some(self.context.terms.symbol_term(symbol));
        }
        let home = self.home(scope, symbol)?;
        self.gathering.scopes[home].symbols.get(&symbol).copied()
    }

    fn is_settled(&self, scope: usize, term: Term) -> bool {
        self.context.terms.symbols_of(term).iter().all(|symbol| self.meaning(scope, *symbol).is_some())
    }

    /// A term of the general state in terms of the special one.
    fn translate(&self, scope: usize, term: Term) -> Option<Term> {
        let terms = &self.context.terms;
        if let Some(symbol) = terms.as_symbol(term) {
            return self.meaning(scope, symbol);
        }
        let symbols = terms.symbols_of(term);
        if symbols.is_empty() {
            return Some(term);
        }
        let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
        for &symbol in symbols.iter() {
            by.insert(symbol, self.meaning(scope, symbol)?);
        }
        Some(terms.substitute(term, &by))
    }

    /// Whether `symbol` is the address of an object of the general state: those follow from the objects' places.
    fn is_object(&self, scope: usize, symbol: SymId) -> bool {
        match self.context.kind(symbol) {
            Some(SymbolKind::Bound { class, .. }) => {
                class == ADDRESS_CLASS || self.gathering.scopes[scope].addresses.contains(&symbol)
            }
            Some(SymbolKind::Function(_)) => true,
            _ => self.gathering.old.memory.points_to.contains_key(&symbol),
        }
    }

    /// Lets `symbol` of this very scope stand for `term`; whether that is possible.
    fn bind(&mut self, home: usize, symbol: SymId, term: Term) -> bool {
        let terms = &self.context.terms;
        let info = terms.symbol_info(symbol);
        let fits = !self.is_object(home, symbol)
            && terms.width(term) == info.width
            && terms.trailing_zeros(term) >= info.alignment
            && terms.symbols_of(term).iter().all(|used| self.is_visible(home, *used));
        fits && self.gathering.scopes[home].symbols.insert(symbol, term).is_none()
    }

    /// Whether a symbol of the special state means one thing wherever the symbols of `scope` do.
    fn is_visible(&self, scope: usize, symbol: SymId) -> bool {
        // What is the own of a world below that of the scope is one thing in each node only.
        let world = self.gathering.scopes[scope].world;
        let below = self.gathering.worlds.iter().filter(|other| other.parent == Some(world));
        let first = below.map(|other| other.first).next();
        let index_and_number = match self.context.kind(symbol) {
            None | Some(SymbolKind::Bound { .. } | SymbolKind::Canonical(..)) => return false,
            Some(SymbolKind::Function(_)) => return true,
            Some(SymbolKind::Address(block)) => (0, block.0),
            Some(SymbolKind::Content { block, .. } | SymbolKind::ExternalContent { block, .. }) => (0, block.0),
            Some(SymbolKind::Forgotten(number)) => (1, number),
            Some(SymbolKind::Input(number) | SymbolKind::External(number)) => (2, number),
        };
        // All cases of one world start from the same numbers.
        first.is_none_or(|first| index_and_number.1 < first[index_and_number.0])
    }

    fn try_bind(&mut self, scope: usize, symbol: SymId, term: Term) -> bool {
        match self.home(scope, symbol) {
            Some(home) if !self.gathering.scopes[home].symbols.contains_key(&symbol) => self.bind(home, symbol, term),
            _ => false,
        }
    }

    /// Settles symbols so that `general` could be `special`.
    fn unify(&mut self, scope: usize, general: Term, special: Term, depth: u32) {
        let context = self.context.clone();
        let terms = &context.terms;
        if depth == 0 || self.is_settled(scope, general) || terms.width(general) != terms.width(special) {
            return;
        }
        match (terms.node(general), terms.node(special)) {
            (Node::Sym(symbol), _) => {
                self.try_bind(scope, symbol, special);
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
                    sum.parts.iter().copied().filter(|(_, part)| !self.is_settled(scope, *part)).collect();
                if let [(1, part)] = open.as_slice()
                    && let Some(rest) = self.translate(scope, terms.sub(general, *part))
                {
                    self.unify(scope, *part, terms.sub(special, rest), depth - 1);
                }
            }
            (Node::Bin(op, a, b), Node::Bin(other, c, d)) if op == other => {
                let is_turned = matches!(op, Op::Eq | Op::And | Op::Or | Op::Xor | Op::Mul)
                    && (self.translate(scope, a) == Some(d) || self.translate(scope, b) == Some(c));
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

    /// The general state's constraints, as far as they have to do with what has been met.
    fn constraints(&mut self, derive: bool) -> Option<()> {
        let context = self.context.clone();
        let terms = &context.terms;
        let mut rest: Vec<Term> = self.gathering.old.memory.store.constraints().iter().copied().collect();
        loop {
            let is_met = |constraint: &Term| {
                let symbols = terms.symbols_of(*constraint);
                symbols.is_empty() || symbols.iter().any(|symbol| self.meaning(0, *symbol).is_some())
            };
            let (met, unmet): (Vec<Term>, Vec<Term>) = rest.into_iter().partition(is_met);
            if met.is_empty() {
                rest = unmet;
                break;
            }
            for constraint in met {
                if derive && !self.is_settled(0, constraint) {
                    self.guess(constraint);
                }
                let constraint = self.translate(0, constraint)?;
                self.gathering.worlds[0].memory.entails(constraint).then_some(())?;
            }
            rest = unmet;
        }
        if rest.is_empty() {
            return Some(());
        }
        // What is left speaks of nothing the state can show: it only must not exclude everything.
        let mut query = rest;
        self.gathering.old.memory.store.add_bounds(&context, &mut query);
        let answer = context.solver.borrow_mut().check(terms, &query, context.effort());
        matches!(answer, Sat::Sat(_)).then_some(())
    }

    /// Settles the symbols of a constraint that nothing else speaks of.
    fn guess(&mut self, constraint: Term) {
        let candidates: Vec<Term> = self.gathering.worlds[0].memory.store.constraints().iter().copied().collect();
        let before = self.gathering.scopes[0].symbols.clone();
        for candidate in candidates {
            self.unify(0, constraint, candidate, DEEPEST);
            if self.translate(0, constraint) == Some(candidate) {
                return;
            }
            self.gathering.scopes[0].symbols.clone_from(&before);
        }
        for &symbol in self.context.clone().terms.symbols_of(constraint).iter() {
            let same = self.context.terms.symbol_term(symbol);
            self.try_bind(0, symbol, same);
        }
    }
}
