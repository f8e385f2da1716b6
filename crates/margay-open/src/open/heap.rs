//! A symbolic heap: what is known of the memory of an open function, byte by byte (ECOOP'22, section 3).
//!
//! `*` separates bytes, not blocks: two cells may lie in one block or in two, unless a block says so. Equalities between
//! addresses are not kept as conditions but eliminated: all terms are in normal form under them, so that equal addresses of
//! the state look equal.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use imbl::OrdMap;
use rustc_hash::FxHashMap;

use super::blame::Culprit;
use super::shape::Shape;
use crate::cfa::FunctionId;
use crate::heap::{Context, SymbolKind};
use crate::memory::rules::{Act, Broken, Extent, Plain, Rule};
use crate::memory::{BlockId, BlockKind, Fault, Origin};
use crate::numeric::{Intervals, NumericDomain};
use crate::smt::{SymId, Term, Terms};

/// What stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `ε ↦ ε'`: a value as wide as the cell.
    Is(Term),
    /// `ε ↦ v[n]`: every byte is this 8-bit term.
    Each(Term),
    /// `ε ↦ ⊤[n]`: anything.
    Any,
}

/// `at ↦ value`: these bytes and no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    pub at: Term,
    /// Bytes, of pointer width; a constant of at most 16 where `value` is a term.
    pub size: Term,
    pub value: Value,
}

/// `sls_Λ(first, next)` or `dls_Λ(first, prev, last, next)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    pub shape: Arc<Shape>,
    /// The address of the first node, or `next` where there is none.
    pub first: Term,
    /// What the last node's link holds.
    pub next: Term,
    /// Doubly linked: the address of the last node (or `prev` where there is none), and what the first node's back link holds.
    pub back: Option<(Term, Term)>,
    /// What is the same in all nodes.
    pub args: Vec<Term>,
    /// It has a node at least.
    pub nonempty: bool,
    /// Its nodes were there before the function began.
    pub foreign: bool,
}

/// `b(start) = start * e(start) = start + size`: the extent of a block that is known.
#[derive(Clone, Debug)]
pub struct Block {
    pub start: Term,
    /// Bytes, of pointer width.
    pub size: Term,
    pub kind: BlockKind,
    /// Not freed and in scope. All bytes of a live block that is not `foreign` have cells (or stand in a segment).
    pub live: bool,
    /// It was there before the function began.
    pub foreign: bool,
    pub origin: Origin,
}

/// The antiframe: what the precondition must provide besides what was known of it.
#[derive(Clone, Default)]
pub struct Missing {
    pub cells: Vec<Cell>,
    pub segments: Vec<Segment>,
    pub blocks: Vec<Block>,
    pub pure: Vec<Term>,
}

/// An object with static storage duration, as far as all functions may know it.
#[derive(Clone, Debug)]
pub struct Static {
    pub name: Arc<str>,
    pub size: u64,
    /// What a literal holds: offset, bytes, value. Others hold what the caller left there.
    pub literal: Option<Vec<(u64, u32, u128)>>,
}

impl Static {
    pub fn extent(&self) -> Extent<Plain> {
        let kind = if self.literal.is_some() { BlockKind::Literal } else { BlockKind::Static };
        Extent { kind, live: true, size: self.size }
    }

    /// For messages.
    pub fn described(&self) -> String {
        if self.literal.is_some() { "a string literal".to_owned() } else { format!("`{}`", self.name) }
    }

    /// What breaks the rules of `act`, which is about `bytes` bytes at `offset`.
    pub fn broken(&self, offset: i64, bytes: u64, act: Act) -> Option<Fault> {
        act.broken(&self.extent(), offset, bytes, &self.described())
    }
}

impl Block {
    pub fn extent(&self, terms: &Terms) -> Extent<Terms> {
        Extent { kind: self.kind, live: terms.bool_constant(self.live), size: self.size }
    }

    /// What breaks the rules of `act`, which is about `bytes` bytes at `offset`, as far as that is known without asking how large the
    /// block is; `size` where that is known.
    pub fn broken(&self, size: Option<u64>, offset: i64, bytes: u64, act: Act) -> Option<Fault> {
        // A block that is as large as can be breaks no rule by its size, but for what lies before its start.
        let extent = Extent { kind: self.kind, live: self.live, size: size.unwrap_or(i64::MAX as u64) };
        let rule = act.broken_rule(&extent, offset, bytes)?;
        let (kind, name, bytes, offset) = (self.kind, &*self.origin.name, Some(bytes), Some(offset));
        Some(Broken { act, rule, kind, name, bytes, offset, size }.fault())
    }

    /// What it is that `act` reaches beyond the block.
    pub fn beyond(&self, act: Act, bytes: Option<u64>, offset: Option<i64>) -> Fault {
        let (rule, kind, name) = (Rule::InBounds, self.kind, &*self.origin.name);
        Broken { act, rule, kind, name, bytes, offset, size: None }.fault()
    }
}

/// Which aliases between addresses are guessed where bytes are missing (ECOOP'22, rules alias-weak and alias-strong).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aliasing {
    /// Missing bytes lie apart from all known ones.
    #[default]
    None,
    /// Addresses of one block.
    Weak,
    /// Any addresses.
    All,
}

/// How many aliases are guessed along one path: each of them doubles what there is to look at.
const MAX_GUESSES: u8 = 2;

/// What all states of one function's analysis share.
pub struct World {
    /// Terms and solver.
    pub context: Rc<Context>,
    /// Objects with static storage duration; their positions are their [`BlockId`]s.
    pub statics: Vec<Static>,
    /// Functions whose address is taken: what a pointer that nothing is known of may lead to.
    pub targets: Vec<FunctionId>,
    /// Which aliases are guessed.
    pub aliasing: Aliasing,
    /// What had to be assumed of functions that are not there.
    pub assumed: RefCell<BTreeSet<Arc<str>>>,
    /// Functions that were taken to be called as their contracts ask, though these do not cover all of their paths.
    pub narrowed: RefCell<BTreeSet<FunctionId>>,
}

/// A set of memories.
#[derive(Clone)]
pub struct SymbolicHeap {
    pub(super) world: Rc<World>,
    pub(super) cells: Rc<Vec<Cell>>,
    pub(super) segments: Rc<Vec<Segment>>,
    pub(super) blocks: Rc<Vec<Block>>,
    pub(super) numbers: Intervals,
    /// Symbols that equal other terms; no right side has a symbol that is bound itself.
    pub(super) bound: OrdMap<SymId, Term>,
    /// Addresses by [`BlockId`].
    pub(super) addresses: Rc<Vec<Term>>,
    pub(super) next_anchor: u32,
    pub(super) next_input: u32,
    pub(super) next_unknown: u32,
    /// Where bytes may be missing, what was missing so far.
    pub(super) missing: Option<Rc<Missing>>,
    /// Something was assumed of a value that is not known to have been able to be so: what a function returned that is not
    /// there, or what the analysis lost track of.
    pub(super) supposes: bool,
    /// How many more aliases may be guessed.
    pub(super) guesses: u8,
    /// What an error is about, for people.
    pub(super) culprit: Option<Culprit>,
}

impl SymbolicHeap {
    /// The empty memory; static objects have the first block ids.
    pub fn new(world: Rc<World>, abduce: bool) -> Self {
        let context = &world.context;
        let bits = context.model.pointer_bits();
        let statics = (0..world.statics.len()).map(BlockId::from_index);
        let addresses = statics.map(|block| context.symbol(SymbolKind::Address(block), bits, 0)).collect();
        Self {
            world,
            cells: Rc::default(),
            segments: Rc::default(),
            blocks: Rc::default(),
            numbers: Intervals::default(),
            bound: OrdMap::new(),
            addresses: Rc::new(addresses),
            next_anchor: 0,
            next_input: 0,
            next_unknown: 0,
            missing: abduce.then(Rc::default),
            supposes: false,
            guesses: MAX_GUESSES,
            culprit: None,
        }
    }

    /// What holds of the symbols in all memories that are meant.
    pub fn facts(&self) -> Vec<Term> {
        let terms = self.terms();
        let equal = |(symbol, term): (&SymId, &Term)| terms.eq(terms.symbol_term(*symbol), *term);
        let mut facts = self.numbers.facts(terms);
        facts.extend(self.bound.iter().map(equal));
        facts
    }

    pub(super) fn context(&self) -> &Context {
        &self.world.context
    }

    /// The arena of all terms.
    pub fn terms(&self) -> &Terms {
        &self.world.context.terms
    }

    pub(super) fn pointer_bits(&self) -> u32 {
        self.context().model.pointer_bits()
    }

    /// A constant of pointer width.
    pub(super) fn number(&self, value: i64) -> Term {
        self.terms().signed_constant(value.into(), self.pointer_bits())
    }

    /// A new logical variable: something that was there before the function began.
    pub(super) fn anchor(&mut self, width: u32) -> Term {
        let n = self.next_anchor;
        self.next_anchor += 1;
        self.context().symbol(SymbolKind::Anchor(n), width, 0)
    }

    /// A value about which nothing is known.
    pub(super) fn unknown(&mut self, width: u32) -> Term {
        self.aligned(width, 0)
    }

    /// The same with so many of its lowest bits zero.
    pub(super) fn aligned(&mut self, width: u32, alignment: u32) -> Term {
        let n = self.next_unknown;
        self.next_unknown += 1;
        self.context().symbol(SymbolKind::Forgotten(n), width, alignment)
    }

    /// A value that was never set.
    pub(super) fn arbitrary(&mut self, width: u32) -> Term {
        let n = self.next_input;
        self.next_input += 1;
        self.context().symbol(SymbolKind::Input(n), width, 0)
    }

    /// `term` in normal form.
    pub fn norm(&self, term: Term) -> Term {
        norm_by(self.terms(), &self.bound, term)
    }

    /// An address as a base and a constant offset; two addresses with one base are distinguished by their offsets.
    pub(super) fn split(&self, address: Term) -> (Term, i64) {
        split(self.terms(), address)
    }

    /// The constant that a term of pointer width is, as an unsigned number.
    pub(super) fn as_bytes(&self, term: Term) -> Option<u64> {
        self.terms().as_const(term).and_then(|value| u64::try_from(value).ok())
    }

    pub(super) fn kind(&self, symbol: SymId) -> Option<SymbolKind> {
        self.context().kind(symbol)
    }

    /// A caller decides what it is: it is made of what was there before the function began.
    pub(super) fn is_controlled(&self, term: Term) -> bool {
        let symbols = self.terms().symbols_of(term);
        symbols.iter().all(|symbol| match self.kind(*symbol) {
            Some(SymbolKind::Anchor(_)) => true,
            Some(SymbolKind::Address(block)) => block.index() < self.world.statics.len(),
            Some(SymbolKind::Function(_)) => true,
            _ => false,
        })
    }

    pub(super) fn add_cell(&mut self, cell: Cell) {
        Rc::make_mut(&mut self.cells).push(cell);
    }

    pub(super) fn remove_cell(&mut self, index: usize) -> Cell {
        Rc::make_mut(&mut self.cells).remove(index)
    }

    /// Every term that stands in cells, segments and live blocks.
    pub(super) fn spatial_terms(&self) -> Vec<Term> {
        let mut all = Vec::new();
        for cell in self.cells.iter() {
            all.extend([cell.at, cell.size]);
            if let Value::Is(term) | Value::Each(term) = cell.value {
                all.push(term);
            }
        }
        for segment in self.segments.iter() {
            all.extend(segment.terms());
        }
        for block in self.blocks.iter() {
            all.extend([block.start, block.size]);
        }
        all
    }
}

impl Missing {
    pub(super) fn map(&mut self, change: &impl Fn(Term) -> Term) {
        self.cells.iter_mut().for_each(|cell| *cell = cell.map(change));
        self.segments.iter_mut().for_each(|segment| segment.map(change));
        self.blocks.iter_mut().for_each(|block| block.map(change));
        self.pure.iter_mut().for_each(|condition| *condition = change(*condition));
    }
}

impl Cell {
    pub(super) fn map(&self, change: &impl Fn(Term) -> Term) -> Cell {
        let value = match self.value {
            Value::Is(term) => Value::Is(change(term)),
            Value::Each(term) => Value::Each(change(term)),
            Value::Any => Value::Any,
        };
        Cell { at: change(self.at), size: change(self.size), value }
    }
}

impl Segment {
    pub(super) fn map(&mut self, change: &impl Fn(Term) -> Term) {
        self.first = change(self.first);
        self.next = change(self.next);
        if let Some((last, prev)) = &mut self.back {
            (*last, *prev) = (change(*last), change(*prev));
        }
        self.args.iter_mut().for_each(|arg| *arg = change(*arg));
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = Term> {
        let back = self.back.into_iter().flat_map(|(last, prev)| [last, prev]);
        [self.first, self.next].into_iter().chain(back).chain(self.args.iter().copied())
    }
}

impl Block {
    pub(super) fn map(&mut self, change: &impl Fn(Term) -> Term) {
        self.start = change(self.start);
        self.size = change(self.size);
    }
}

/// `term` as a term without constant part and a constant.
pub(super) fn split(terms: &Terms, term: Term) -> (Term, i64) {
    let sum = terms.linear(term);
    if sum.constant == 0 {
        return (term, 0);
    }
    let offset = crate::smt::to_signed(sum.constant, sum.width) as i64;
    (terms.add_constant(term, -i128::from(offset)), offset)
}

/// `term` under equations.
pub(super) fn norm_by(terms: &Terms, bound: &OrdMap<SymId, Term>, term: Term) -> Term {
    if bound.is_empty() {
        return term;
    }
    let symbols = terms.symbols_of(term);
    let by: FxHashMap<SymId, Term> = symbols.iter().filter_map(|symbol| Some((*symbol, *bound.get(symbol)?))).collect();
    if by.is_empty() { term } else { terms.substitute(term, &by) }
}
