//! What the symbols of a general state stand for in a special one, and whether all the general state says of them is true.
//!
//! Any choice of what a symbol stands for is a witness; choices are made by [`Binding::try_bind`] and need not be
//! trusted. What counts is [`Binding::check`] afterwards.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::gather::Symbols;
use super::gather::{Demand, Gathering, OF_RUN, Scope};
use super::mismatch::{Mismatch, Reason};
use crate::heap::{Context, Smg, SymbolKind};
use crate::smt::{Sat, SymId, Term};

/// What is settled of an embedding's symbols, and what it demands.
pub struct Binding<'a> {
    gathering: Gathering<'a>,
    context: Rc<Context>,
    /// What was settled, in order.
    trail: Vec<(usize, SymId)>,
    /// The general state's constraints that have to be shown, once it was asked for them.
    met: Option<Rc<[Term]>>,
    /// Demands that were seen to hold, by world and as terms of the special state.
    proved: RefCell<FxHashSet<(usize, Term, Option<Term>)>>,
}

const ADDRESS_CLASS: u8 = SymbolKind::Address(crate::memory::BlockId(0)).class();

impl<'a> Binding<'a> {
    /// With what the embedding says of symbols.
    ///
    /// # Errors
    /// It may not say this.
    pub(super) fn new(gathering: Gathering<'a>) -> Result<Self, Mismatch> {
        let context = gathering.context.clone();
        let mut binding = Self { gathering, context, trail: Vec::new(), met: None, proved: RefCell::default() };
        binding.adopt()?;
        Ok(binding)
    }

    pub(super) fn scopes(&self) -> &[Scope<'a>] {
        &self.gathering.scopes
    }

    /// That of the general state.
    pub fn context(&self) -> &Rc<Context> {
        &self.context
    }

    /// What the symbols of the general state stand for, addresses included.
    pub(super) fn into_symbols(self) -> Symbols {
        self.gathering.scopes.into_iter().next().map(|scope| scope.symbols).unwrap_or_default()
    }

    /// A memory of the special state.
    pub fn memory(&self, world: usize) -> &Smg {
        &self.gathering.worlds[world].memory
    }

    /// The values that correspond.
    pub fn equations(&self) -> &[Demand] {
        &self.gathering.equations
    }

    /// Values that may correspond: nothing rests on them.
    pub fn likely(&self) -> &[Demand] {
        &self.gathering.likely
    }

    /// All that has to hold. Which of the general state's constraints count is settled by what symbols stand for at the first
    /// call; [`Binding::check`] makes sure that the others have nothing to do with any of them.
    pub fn demands(&mut self) -> Vec<Demand> {
        let mut demands = self.gathering.equations.clone();
        demands.extend_from_slice(&self.gathering.facts);
        let met = self.met.take().unwrap_or_else(|| self.met(&demands).into());
        demands.extend(met.iter().map(|&general| Demand { scope: 0, world: 0, general, special: None }));
        self.met = Some(met);
        demands
    }

    /// Whether all demands hold.
    pub(super) fn check(&mut self) -> Result<(), Mismatch> {
        let demands = self.demands();
        Reason::Constraint.unless(demands.iter().all(|demand| self.holds(demand)))?;
        let met = self.met.clone().ok_or(Reason::Constraint)?;
        self.unmet(&met)
    }

    /// Whether what `demand` says is settled and true.
    pub fn holds(&self, demand: &Demand) -> bool {
        let Some(value) = self.translate(demand.scope, demand.general) else { return false };
        if demand.special == Some(value) || self.proved.borrow().contains(&(demand.world, value, demand.special)) {
            return true;
        }
        let memory = self.memory(demand.world);
        let holds = match demand.special {
            Some(special) => memory.are_equal(value, special),
            None => memory.entails(value),
        };
        if holds {
            self.proved.borrow_mut().insert((demand.world, value, demand.special));
        }
        holds
    }

    /// Takes what the embedding says the symbols stand for.
    fn adopt(&mut self) -> Result<(), Mismatch> {
        for scope in 0..self.gathering.scopes.len() {
            let given = self.gathering.scopes[scope].given;
            for (&symbol, &term) in given.into_iter().flat_map(|given| &given.symbols) {
                Reason::Symbol.unless(self.home(scope, symbol) == Some(scope) && self.bind(scope, symbol, term))?;
            }
        }
        self.definitions();
        Ok(())
    }

    /// The addresses of absent things, as far as what they are is settled.
    pub fn definitions(&mut self) {
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
    fn home(&self, scope: usize, symbol: SymId) -> Option<usize> {
        let depth = match self.context.kind(symbol)? {
            SymbolKind::Bound { depth, .. } => Some(depth),
            SymbolKind::Cell { .. } => Some(OF_RUN),
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
    pub fn meaning(&self, scope: usize, symbol: SymId) -> Option<Term> {
        if let Some(SymbolKind::Function(_)) = self.context.kind(symbol) {
            return Some(self.context.terms.symbol_term(symbol));
        }
        let home = self.home(scope, symbol)?;
        self.gathering.scopes[home].symbols.get(&symbol).copied()
    }

    /// Whether all symbols of `term` are bound.
    pub fn is_settled(&self, scope: usize, term: Term) -> bool {
        self.context.terms.symbols_of(term).iter().all(|symbol| self.meaning(scope, *symbol).is_some())
    }

    /// A term of the general state in terms of the special one.
    pub fn translate(&self, scope: usize, term: Term) -> Option<Term> {
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

    /// What was settled, in order: scope and symbol.
    pub fn trail(&self) -> &[(usize, SymId)] {
        &self.trail
    }

    /// Forgets what was settled since the trail was that long.
    pub fn undo(&mut self, length: usize) {
        for (scope, symbol) in self.trail.drain(length..) {
            self.gathering.scopes[scope].symbols.remove(&symbol);
        }
    }

    /// Whether a symbol of the special state means one thing wherever the symbols of `scope` do.
    fn is_visible(&self, scope: usize, symbol: SymId) -> bool {
        if self.gathering.any_cell.contains(&symbol) {
            return false;
        }
        // What is the own of a world below that of the scope is one thing in each node only.
        let world = self.gathering.scopes[scope].world;
        let below = self.gathering.worlds.iter().filter(|other| other.parent == Some(world));
        let first = below.map(|other| other.first).next();
        let index_and_number = match self.context.kind(symbol) {
            None
            | Some(
                SymbolKind::Bound { .. } | SymbolKind::Canonical(..) | SymbolKind::Anchor(_) | SymbolKind::Cell { .. },
            ) => return false,
            Some(SymbolKind::Function(_)) => return true,
            Some(SymbolKind::Address(block)) => (0, block.0),
            Some(SymbolKind::Content { block, .. } | SymbolKind::ExternalContent { block, .. }) => (0, block.0),
            Some(SymbolKind::Forgotten(number)) => (1, number),
            Some(SymbolKind::Input(number) | SymbolKind::External(number)) => (2, number),
        };
        // All cases of one world start from the same numbers.
        first.is_none_or(|first| index_and_number.1 < first[index_and_number.0])
    }

    /// Lets `symbol` stand for `term`; whether that is possible.
    pub fn try_bind(&mut self, scope: usize, symbol: SymId, term: Term) -> bool {
        match self.home(scope, symbol) {
            Some(home) if !self.gathering.scopes[home].symbols.contains_key(&symbol) => self.bind(home, symbol, term),
            _ => false,
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
    fn unmet(&self, met: &[Term]) -> Result<(), Mismatch> {
        let context = &self.context;
        let constraints = self.gathering.old.memory.store.constraints().iter().copied();
        let mut query: Vec<Term> = constraints.filter(|constraint| !met.contains(constraint)).collect();
        if query.is_empty() {
            return Ok(());
        }
        let is_independent = |constraint: &Term| {
            context.terms.symbols_of(*constraint).iter().all(|symbol| self.meaning(0, *symbol).is_none())
        };
        Reason::Constraint.unless(query.iter().all(is_independent))?;
        self.gathering.old.memory.store.add_bounds(context, &mut query);
        let answer = context.solver.borrow_mut().check(&context.terms, &query, context.effort());
        Reason::Constraint.unless(matches!(answer, Sat::Sat(_)))
    }
}
