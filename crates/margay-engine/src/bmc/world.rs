//! What all memories of one question share: terms, symbols, the two logs, and what is known about addresses.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::blocks::BlockLog;
use super::content::{ContentId, ContentLog};
use crate::memory::BlockId;
use crate::smt::{Node, SymId, Term, Terms};
use crate::task::DataModel;

/// Where new blocks may lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Anywhere behind all blocks made before and apart from them: no address is used twice, as in the interpreter.
    #[default]
    Fresh,
    /// In any free place, so that blocks can be arranged to make errors happen (section 4.1 of the paper).
    Anywhere,
}

/// When something happens on a run: the step of the encoding, and a count within it. Runs that differ share the symbols
/// of the same moment, because each model follows only one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Moment {
    pub time: u32,
    pub count: u32,
}

/// Something a path was given, in order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Input(Term),
    Created { block: BlockId, base: Term, size: Term },
}

/// What is unknown at the start of a step of the quantified encoding, as a function of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Application {
    /// The byte at an address.
    Heap(Term),
    /// Whether the byte at an address belongs to a live block (one bit).
    Alloc(Term),
    /// Whether the byte at an address may not be written (one bit).
    ReadOnly(Term),
    /// The size of the heap block that starts at an address, or all ones.
    ObjSize(Term),
    /// Whether no byte of a range belongs to a live block (one bit).
    Free(Term, Term),
    /// Whether all bytes of a range belong to a live block (one bit).
    Owned(Term, Term),
    /// The arbitrary byte that an entry of the content log puts at an address.
    Guess(ContentId, Term),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SymbolKey {
    moment: Moment,
    width: u32,
    alignment: u32,
    /// For addresses: the block's size, so that the address tells the size.
    size: Option<Term>,
}

pub(super) struct World {
    pub terms: Terms,
    pub model: DataModel,
    pub placement: Placement,
    symbols: RefCell<FxHashMap<SymbolKey, Term>>,
    sizes: RefCell<FxHashMap<SymId, Term>>,
    external: RefCell<FxHashSet<SymId>>,
    equalities: RefCell<FxHashMap<(Term, Term), Term>>,
    pub content: ContentLog,
    pub blocks: BlockLog,
    /// Conditions on all runs: where blocks can lie.
    pub facts: RefCell<Vec<Term>>,
    pub events: RefCell<Vec<Event>>,
    /// In the quantified encoding: symbols for functions of the time, in order of creation.
    pub applications: RefCell<Option<FxHashMap<Application, Term>>>,
    /// The roots of the logs are functions of the time; otherwise they are an empty memory.
    pub roots_are_functions: Cell<bool>,
    /// Leaks are looked for, so values that may be pointers must not be forgotten.
    pub keeps_pointers: Cell<bool>,
    /// Something was replaced by an arbitrary value: models need not be runs.
    pub approximated: Cell<bool>,
    /// So many terms are enough: what would be read beyond is arbitrary.
    pub enough: Cell<usize>,
}

/// What is known of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A block's address symbol plus an offset in which no address occurs.
    Block(SymId, Term),
    /// A constant below all blocks.
    Low,
    Unknown,
}

/// Blocks lie above this address; functions and null below it.
pub(super) const LOWEST: u64 = 0x1000_0000;
/// At least this alignment has every block.
pub(super) const MIN_ALIGN: u64 = 16;

impl World {
    pub fn new(model: DataModel, placement: Placement) -> Rc<Self> {
        Rc::new(Self {
            terms: Terms::new(),
            model,
            placement,
            symbols: RefCell::default(),
            sizes: RefCell::default(),
            external: RefCell::default(),
            equalities: RefCell::default(),
            content: ContentLog::new(),
            blocks: BlockLog::new(),
            facts: RefCell::default(),
            events: RefCell::default(),
            applications: RefCell::default(),
            roots_are_functions: Cell::new(false),
            keeps_pointers: Cell::new(false),
            approximated: Cell::new(false),
            enough: Cell::new(usize::MAX),
        })
    }

    /// Blocks end below this address.
    pub fn highest(&self) -> u64 {
        match self.model {
            DataModel::Ilp32 => 0xffff_0000,
            DataModel::Lp64 => 1 << 47,
        }
    }

    pub fn pointer(&self, value: u64) -> Term {
        self.terms.constant(value.into(), self.model.pointer_bits())
    }

    /// The unknown of a moment.
    pub fn symbol(&self, moment: Moment, width: u32) -> Term {
        self.interned(SymbolKey { moment, width, alignment: 0, size: None }, "v")
    }

    /// The address of the block made at a moment.
    pub fn address(&self, moment: Moment, size: Term, align: u64) -> Term {
        let alignment = align.max(MIN_ALIGN).trailing_zeros();
        let key = SymbolKey { moment, width: self.model.pointer_bits(), alignment, size: Some(size) };
        let address = self.interned(key, "a");
        if let Some(symbol) = self.terms.as_symbol(address) {
            self.sizes.borrow_mut().insert(symbol, size);
        }
        address
    }

    fn interned(&self, key: SymbolKey, hint: &str) -> Term {
        *self.symbols.borrow_mut().entry(key).or_insert_with(|| {
            let hint = format!("{hint}{}_{}", key.moment.time, key.moment.count);
            self.terms.fresh_aligned_symbol(key.width, key.alignment, &hint)
        })
    }

    pub fn mark_external(&self, value: Term) {
        self.external.borrow_mut().extend(self.terms.as_symbol(value));
    }

    /// May be a pointer that was made outside of the program.
    pub fn is_external(&self, address: Term) -> bool {
        let external = self.external.borrow();
        !external.is_empty() && self.terms.symbols_of(address).iter().any(|symbol| external.contains(symbol))
    }

    /// The symbol of an application at the root of a log; `None` where roots are empty.
    pub fn root(&self, application: Application, width: u32) -> Option<Term> {
        if self.roots_are_functions.get() { self.application(application, width) } else { None }
    }

    /// The symbol of an application; `None` unless functions of the time are in use.
    pub fn application(&self, application: Application, width: u32) -> Option<Term> {
        let mut applications = self.applications.borrow_mut();
        let applications = applications.as_mut()?;
        Some(*applications.entry(application).or_insert_with(|| self.terms.fresh_symbol(width, "m")))
    }

    /// The size of the block whose address a symbol is.
    pub fn size_at(&self, symbol: SymId) -> Option<Term> {
        self.sizes.borrow().get(&symbol).copied()
    }

    fn has_base(&self, t: Term) -> bool {
        let sizes = self.sizes.borrow();
        self.terms.symbols_of(t).iter().any(|symbol| sizes.contains_key(symbol))
    }

    /// Which block an address points into, read off the term. Only where addresses are never used twice does that tell
    /// anything.
    pub fn place(&self, address: Term) -> Place {
        if let Some(value) = self.terms.as_const(address) {
            return if value < LOWEST.into() { Place::Low } else { Place::Unknown };
        }
        if self.placement == Placement::Anywhere {
            return Place::Unknown;
        }
        let sum = self.terms.linear(address);
        let mut based = sum.parts.iter().filter(|(_, part)| self.has_base(*part));
        let (Some(&(1, base)), None) = (based.next(), based.next()) else { return Place::Unknown };
        match self.terms.as_symbol(base) {
            Some(symbol) => Place::Block(symbol, self.terms.sub(address, base)),
            None => Place::Unknown,
        }
    }

    /// An address that is one of two, as a condition and the two.
    pub fn split(&self, address: Term) -> Option<(Term, Term, Term)> {
        let terms = &self.terms;
        if self.placement == Placement::Anywhere {
            return None;
        }
        let sum = terms.linear(address);
        let mut based = sum.parts.iter().filter(|(_, part)| self.has_base(*part));
        let (Some(&(1, part)), None) = (based.next(), based.next()) else { return None };
        let Node::Ite(condition, then, otherwise) = terms.node(part) else { return None };
        let rest = terms.sub(address, part);
        Some((condition, terms.add(rest, then), terms.add(rest, otherwise)))
    }

    /// Certainly an offset into the block or one past its end.
    fn within(&self, symbol: SymId, offset: Term) -> bool {
        let Some(size) = self.size_at(symbol) else { return false };
        match (self.terms.as_const(offset), self.terms.as_const(size)) {
            (Some(0), _) => true,
            (Some(offset), Some(size)) => offset <= size,
            _ => false,
        }
    }

    /// `a = b` for two addresses.
    pub fn equal(&self, a: Term, b: Term) -> Term {
        let terms = &self.terms;
        let plain = terms.eq(a, b);
        if terms.as_const(plain).is_some() {
            return plain;
        }
        if let Some(&known) = self.equalities.borrow().get(&(a, b)) {
            return known;
        }
        let result = match (self.place(a), self.place(b)) {
            (Place::Block(f, i), Place::Block(g, j)) if f != g && self.within(f, i) && self.within(g, j) => {
                terms.false_()
            }
            (Place::Block(f, i), Place::Low) | (Place::Low, Place::Block(f, i)) if self.within(f, i) => terms.false_(),
            _ => match (self.split(a), self.split(b)) {
                (Some((condition, then, otherwise)), _) => {
                    terms.ite(condition, self.equal(then, b), self.equal(otherwise, b))
                }
                (None, Some((condition, then, otherwise))) => {
                    terms.ite(condition, self.equal(a, then), self.equal(a, otherwise))
                }
                (None, None) => plain,
            },
        };
        self.equalities.borrow_mut().insert((a, b), result);
        result
    }
}
