//! What all graphs of one analysis share: terms, the solver, and what each symbol stands for.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use crate::base::limits::Limits;
use crate::cfa::FunctionId;
use crate::memory::BlockId;
use crate::smt::{Effort, Model, Sat, Solver, SymId, Term, Terms};
use crate::task::DataModel;

/// How much harder the solver tries where a question stands for many.
const PATIENCE: u32 = 16;

/// What a symbol stands for. Symbols are interned by this description, so that the same thing on two paths is the same
/// symbol: queries repeat, and equal states look equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// The address of the n-th block of a run.
    Address(BlockId),
    /// The address of a function.
    Function(FunctionId),
    /// The n-th nondeterministic value of a run.
    Input(u32),
    /// Like `Input`, but of an unknown function: used as an address it may be anything.
    External(u32),
    /// Bytes `[offset, offset + width/8)` of a block that were not written when they were read.
    Content {
        /// The block they belong to.
        block: BlockId,
        /// Of the first one, in bytes.
        offset: u64,
    },
    /// Like `Content`, of an object that is defined elsewhere: a pointer in it may be anything.
    ExternalContent {
        /// The block they belong to.
        block: BlockId,
        /// Of the first one, in bytes.
        offset: u64,
    },
    /// The address that the n-th logical variable of a precondition is; closed programs have none.
    Anchor(u32),
    /// A value the analysis lost track of, the n-th on its run.
    Forgotten(u32),
    /// The n-th symbol of a state in canonical form, and the kind class it replaces.
    Canonical(u32, u8),
    /// In facts of a run: what a cell holds, or its number.
    Cell {
        /// It is the number.
        index: bool,
    },
    /// The n-th symbol that stands for one value in each node of a segment, by the nesting depth of segments within it.
    Bound {
        /// Of the body.
        depth: u8,
        /// A number of its own among those of its class.
        n: u32,
        /// 0 for addresses.
        class: u8,
    },
}

impl SymbolKind {
    /// Used as an address it may be anything.
    pub fn is_external(self) -> bool {
        self.class() == SymbolKind::External(0).class()
    }

    /// Symbols of different classes never stand for each other in covering.
    pub const fn class(self) -> u8 {
        match self {
            SymbolKind::Address(_) => 0,
            SymbolKind::Function(_) => 1,
            SymbolKind::Input(_) | SymbolKind::Content { .. } => 2,
            SymbolKind::External(_) | SymbolKind::ExternalContent { .. } => 3,
            SymbolKind::Forgotten(_) | SymbolKind::Cell { .. } => 4,
            SymbolKind::Anchor(_) => 5,
            SymbolKind::Canonical(_, class) | SymbolKind::Bound { class, .. } => class,
        }
    }
}

/// Terms, solver and symbols of one analysis; states point to it.
pub struct Context {
    /// Sizes of pointers and integers.
    pub model: DataModel,
    limits: RefCell<Limits>,
    effort: Cell<Effort>,
    /// What values are terms of.
    pub terms: Terms,
    /// Answers what the terms' own ranges do not decide.
    pub solver: RefCell<Box<dyn Solver>>,
    symbols: RefCell<FxHashMap<(SymbolKind, u32, u32), Term>>,
    kinds: RefCell<FxHashMap<SymId, SymbolKind>>,
    /// What was done so far.
    pub statistics: RefCell<Statistics>,
    /// Set when a solver query came back without an answer: exploration is still sound, but weaker.
    pub(super) solver_gave_up: Cell<bool>,
    /// Some state went on after an access that leads to no object of the program.
    pub(super) outside: Cell<bool>,
}

/// How precisely operations follow a state. It is part of the state; what an operation makes of the state has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// The solver says which ways runs can take at a branch. Otherwise they take both where only it could decide: a state may stand for
    /// nothing, and the exploration has to ask.
    pub asks_at_branches: bool,
    /// An access at one of several places is one state, with values that are case distinctions; otherwise one state for each place.
    pub places_by_values: bool,
    /// A number that is written to the heap is one state for each value it may have, where these are few: nodes of lists are of kinds
    /// by what they hold, and not by conditions that were never asked.
    pub splits_choices: bool,
    /// An access at one of several places where only numbers stand is one state, with what is known of cells by their numbers.
    pub cells_by_number: bool,
    /// A search for a byte is one state, with what is known of where it ends; otherwise one state for each of the first places.
    pub finds_at_once: bool,
    /// Memory has no end: the number of nodes of a list is known modulo the largest address only. Where it is asked whether a program
    /// ends, what allocates for ever must not end there.
    pub endless_memory: bool,
}

impl Default for Semantics {
    fn default() -> Self {
        Self {
            asks_at_branches: true,
            places_by_values: false,
            splits_choices: false,
            cells_by_number: false,
            finds_at_once: false,
            endless_memory: false,
        }
    }
}

/// Counters for `--stats`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Questions about conditions.
    pub decisions: u64,
    /// … that the cheap store answered.
    pub cheap: u64,
    /// Accesses whose offset had to be forgotten.
    pub weak_accesses: u64,
}

impl Context {
    /// A context without terms.
    pub fn new(model: DataModel, solver: Box<dyn Solver>, limits: Limits) -> Self {
        Self {
            model,
            limits: RefCell::new(limits),
            effort: Cell::new(Effort::NORMAL),
            terms: Terms::new(),
            solver: RefCell::new(solver),
            symbols: RefCell::default(),
            kinds: RefCell::default(),
            statistics: RefCell::default(),
            solver_gave_up: Cell::new(false),
            outside: Cell::new(false),
        }
    }

    /// Whether some state went on after an access that leads to no object of the program.
    pub fn goes_outside(&self) -> bool {
        self.outside.get()
    }

    /// The symbol for `kind`, `width` bits wide, its lowest `alignment` bits zero.
    pub fn symbol(&self, kind: SymbolKind, width: u32, alignment: u32) -> Term {
        if let Some(&term) = self.symbols.borrow().get(&(kind, width, alignment)) {
            return term;
        }
        let hint = match kind {
            SymbolKind::Address(block) => format!("a{}", block.0),
            SymbolKind::Function(function) => format!("f{}", function.0),
            SymbolKind::Input(n) => format!("in{n}"),
            SymbolKind::External(n) => format!("ext{n}"),
            SymbolKind::Content { block, offset } | SymbolKind::ExternalContent { block, offset } => {
                format!("m{}_{offset}", block.0)
            }
            SymbolKind::Anchor(n) => format!("x{n}"),
            SymbolKind::Forgotten(n) => format!("u{n}"),
            SymbolKind::Cell { index } => (if index { "j" } else { "cell" }).to_string(),
            SymbolKind::Canonical(n, class) => format!("c{class}_{n}"),
            SymbolKind::Bound { depth, n, class } => format!("b{depth}_{class}_{n}"),
        };
        let term = self.terms.fresh_aligned_symbol(width, alignment, &hint);
        self.symbols.borrow_mut().insert((kind, width, alignment), term);
        if let Some(symbol) = self.terms.as_symbol(term) {
            self.kinds.borrow_mut().insert(symbol, kind);
        }
        term
    }

    /// Whether all of `query` can hold at once.
    pub fn check(&self, query: &[Term]) -> Sat {
        self.solver.borrow_mut().check(&self.terms, query, self.effort())
    }

    /// The same for a question that speaks of many conditions at once: the solver tries harder.
    pub fn check_patiently(&self, query: &[Term]) -> Sat {
        let Effort { rlimit, .. } = self.effort.get();
        let effort = Effort { rlimit: rlimit.saturating_mul(PATIENCE), ..self.effort.get() };
        self.solver.borrow_mut().check(&self.terms, query, effort.within(&self.limits.borrow()))
    }

    /// Models that were found, newest first.
    pub fn models(&self) -> Vec<Model> {
        self.solver.borrow().models()
    }

    /// Models that queries may have; each is tried before it is believed.
    pub fn suggest(&self, models: Vec<Model>) {
        self.solver.borrow_mut().suggest(models);
    }

    /// How hard the solver tries on one query.
    pub fn effort(&self) -> Effort {
        self.effort.get().within(&self.limits.borrow())
    }

    /// From now on the solver tries so hard on one query.
    pub fn set_effort(&self, effort: Effort) {
        self.effort.set(effort);
    }

    /// What `asks` comes to where the solver tries no harder on each query than this.
    pub fn with_effort<T>(&self, most: Effort, asks: impl FnOnce() -> T) -> T {
        let usual = self.effort.get();
        self.effort.set(Effort { rlimit: usual.rlimit.min(most.rlimit), ..usual });
        let answer = asks();
        self.effort.set(usual);
        answer
    }

    /// What `asks` comes to where it asks whether guesses hold, of which there are many: each is worth only so much.
    pub fn guessing<T>(&self, asks: impl FnOnce() -> T) -> T {
        self.with_effort(self.effort.get().for_a_guess(), asks)
    }

    /// Some query came back without an answer.
    pub fn solver_gave_up(&self) -> bool {
        self.solver_gave_up.get()
    }

    /// The limits in force say that it is time to stop.
    pub fn is_out_of_time(&self) -> bool {
        self.limits.borrow().check_time().is_err()
    }

    /// From now on queries try as hard as these limits allow.
    pub fn set_limits(&self, limits: &Limits) {
        *self.limits.borrow_mut() = limits.clone();
    }

    /// What `symbol` stands for.
    pub fn kind(&self, symbol: SymId) -> Option<SymbolKind> {
        self.kinds.borrow().get(&symbol).copied()
    }

    /// Whether the symbol is a value that the analysis lost track of.
    pub fn is_made_up(&self, symbol: SymId) -> bool {
        matches!(self.kind(symbol), Some(SymbolKind::Forgotten(_)))
    }

    /// Whether the value is no pointer, and made of none.
    pub fn is_number(&self, value: Term) -> bool {
        const NUMBERS: [u8; 2] = [SymbolKind::Input(0).class(), SymbolKind::Forgotten(0).class()];
        let is_number = |symbol: &SymId| self.kind(*symbol).is_some_and(|kind| NUMBERS.contains(&kind.class()));
        self.terms.symbols_of(value).iter().all(is_number)
    }

    /// What the solver did so far.
    pub fn solver_stats(&self) -> crate::smt::Stats {
        self.solver.borrow().stats()
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        *self.statistics.borrow()
    }

    /// What a cell of a run holds, in its facts.
    pub fn cell_value(&self, bits: u32) -> Term {
        self.symbol(SymbolKind::Cell { index: false }, bits, 0)
    }

    /// The number of a cell of a run, in its facts.
    pub fn cell_index(&self) -> Term {
        self.symbol(SymbolKind::Cell { index: true }, self.model.pointer_bits(), 0)
    }

    /// A constant of pointer width.
    pub fn pointer_constant(&self, value: u64) -> Term {
        self.terms.constant(value.into(), self.model.pointer_bits())
    }
}
