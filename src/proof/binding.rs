//! What the symbols of a general state stand for in a special one, and whether all the general state says of them is true.
//!
//! Finding what a symbol stands for is heuristic: any choice is a witness. What counts is the check afterwards.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::binding_search::Demand;
use super::verify::{Equation, Gathering};
use crate::heap::{Context, SymbolKind};
use crate::smt::{Node, Op, Sat, SymId, Term};

pub(super) struct Binding<'a> {
    pub gathering: Gathering<'a>,
    pub(super) context: Rc<Context>,
    /// What was settled, in order.
    pub(super) trail: Vec<(usize, SymId)>,
}

/// Operators inside one another that are compared part by part.
const DEEPEST: u32 = 24;

/// Choices that a search follows.
const MOST_TRIES: u32 = 100;

const ADDRESS_CLASS: u8 = SymbolKind::Address(crate::memory::BlockId(0)).class();

impl<'a> Binding<'a> {
    pub fn new(gathering: Gathering<'a>) -> Self {
        let context = gathering.context.clone();
        Self { gathering, context, trail: Vec::new() }
    }

    /// Settles all symbols and checks everything that was gathered.
    pub fn settle(&mut self, derive: bool) -> Option<()> {
        if derive {
            self.derive();
        } else {
            self.adopt()?;
        }
        let equations = std::mem::take(&mut self.gathering.equations);
        let facts = std::mem::take(&mut self.gathering.facts);
        let equations = equations.iter().map(|&Equation { scope, world, general, special }| Demand {
            scope,
            world,
            general,
            special: Some(special),
        });
        let facts = facts.iter().map(|&(scope, general)| {
            let world = self.gathering.scopes[scope].world;
            Demand { scope, world, general, special: None }
        });
        let mut demands: Vec<Demand> = equations.chain(facts).collect();
        let met = self.met(&demands);
        demands.extend(met.iter().map(|&general| Demand { scope: 0, world: 0, general, special: None }));
        if derive {
            let mut tries = MOST_TRIES;
            self.search(&demands, &mut tries).then_some(())?;
        } else {
            demands.iter().all(|demand| self.holds(demand)).then_some(())?;
        }
        self.unmet(&met)
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
            if unsolved.is_empty() || unsolved.len() >= open {
                return;
            }
            open = unsolved.len();
            for equation in unsolved {
                self.unify(equation.scope, equation.general, equation.special, DEEPEST);
            }
        }
    }

    /// The addresses of absent things, as far as what they are is settled.
    pub(super) fn definitions(&mut self) {
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
                        self.trail.push((scope, symbol));
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
    pub(super) fn home(&self, scope: usize, symbol: SymId) -> Option<usize> {
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
    pub(super) fn meaning(&self, scope: usize, symbol: SymId) -> Option<Term> {
        if let Some(SymbolKind::Function(_)) = self.context.kind(symbol) {
            return Some(self.context.terms.symbol_term(symbol));
        }
        let home = self.home(scope, symbol)?;
        self.gathering.scopes[home].symbols.get(&symbol).copied()
    }

    pub(super) fn is_settled(&self, scope: usize, term: Term) -> bool {
        self.context.terms.symbols_of(term).iter().all(|symbol| self.meaning(scope, *symbol).is_some())
    }

    /// A term of the general state in terms of the special one.
    pub(super) fn translate(&self, scope: usize, term: Term) -> Option<Term> {
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
        let binds = fits && self.gathering.scopes[home].symbols.insert(symbol, term).is_none();
        if binds {
            self.trail.push((home, symbol));
        }
        binds
    }

    /// Forgets what was settled since the trail was that long.
    pub(super) fn undo(&mut self, length: usize) {
        for (scope, symbol) in self.trail.drain(length..) {
            self.gathering.scopes[scope].symbols.remove(&symbol);
        }
    }

    /// Whether a symbol of the special state means one thing wherever the symbols of `scope` do.
    fn is_visible(&self, scope: usize, symbol: SymId) -> bool {
        // What is the own of a world below that of the scope is one thing in each node only.
        let world = self.gathering.scopes[scope].world;
        let below = self.gathering.worlds.iter().filter(|other| other.parent == Some(world));
        let first = below.map(|other| other.first).next();
        let index_and_number = match self.context.kind(symbol) {
            None | Some(SymbolKind::Bound { .. } | SymbolKind::Canonical(..) | SymbolKind::Anchor(_)) => return false,
            Some(SymbolKind::Function(_)) => return true,
            Some(SymbolKind::Address(block)) => (0, block.0),
            Some(SymbolKind::Content { block, .. } | SymbolKind::ExternalContent { block, .. }) => (0, block.0),
            Some(SymbolKind::Forgotten(number)) => (1, number),
            Some(SymbolKind::Input(number) | SymbolKind::External(number)) => (2, number),
        };
        // All cases of one world start from the same numbers.
        first.is_none_or(|first| index_and_number.1 < first[index_and_number.0])
    }

    pub(super) fn try_bind(&mut self, scope: usize, symbol: SymId, term: Term) -> bool {
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
                let minus_one = u128::MAX >> (128 - terms.width(general));
                match open.as_slice() {
                    [(1, part)] => {
                        if let Some(rest) = self.translate(scope, terms.sub(general, *part)) {
                            self.unify(scope, *part, terms.sub(special, rest), depth - 1);
                        }
                    }
                    [(factor, part)] if *factor == minus_one => {
                        if let Some(rest) = self.translate(scope, terms.add(general, *part)) {
                            self.unify(scope, *part, terms.sub(rest, special), depth - 1);
                        }
                    }
                    _ => {}
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

    /// The general state's constraints that have to do (transitively) with symbols the embedding or the demands speak of.
    fn met(&self, demands: &[Demand]) -> Vec<Term> {
        let terms = &self.context.terms;
        let mut symbols: FxHashSet<SymId> = FxHashSet::default();
        for demand in demands {
            symbols.extend(terms.symbols_of(demand.general).iter().filter(|symbol| self.home(0, **symbol).is_some()));
        }
        let mut met = Vec::new();
        let mut rest: Vec<Term> = self.gathering.old.memory.store.constraints().iter().copied().collect();
        loop {
            let before = rest.len();
            rest.retain(|constraint| {
                let own = terms.symbols_of(*constraint);
                let is_met = own.is_empty()
                    || own.iter().any(|symbol| symbols.contains(symbol) || self.meaning(0, *symbol).is_some());
                if is_met {
                    met.push(*constraint);
                    symbols.extend(own.iter());
                }
                !is_met
            });
            if rest.len() == before {
                return met;
            }
        }
    }

    /// What the general state's other constraints say, it can show of nothing: they only must not exclude everything.
    fn unmet(&self, met: &[Term]) -> Option<()> {
        let context = &self.context;
        let constraints = self.gathering.old.memory.store.constraints().iter().copied();
        let mut query: Vec<Term> = constraints.filter(|constraint| !met.contains(constraint)).collect();
        if query.is_empty() {
            return Some(());
        }
        let is_apart = |constraint: &Term| {
            context.terms.symbols_of(*constraint).iter().all(|symbol| self.meaning(0, *symbol).is_none())
        };
        query.iter().all(is_apart).then_some(())?;
        self.gathering.old.memory.store.add_bounds(context, &mut query);
        let answer = context.solver.borrow_mut().check(&context.terms, &query, context.effort());
        matches!(answer, Sat::Sat(_)).then_some(())
    }
}
