//! A run: what holds of some cells of an array.
//!
//! ```text
//!   byte   offset      offset + stride                    offset + stride·j
//!            ┌───────┬ ─ ─ ┬───────┬ ─ ─ ┬ ─ ─ ─ ─ ─ ─ ┬────────┬ ─ ─
//!            │ cell 0│     │ cell 1│     │             │ cell j │          first ≤ j < last  ⇒  facts(value, j)
//!            └───────┴ ─ ─ ┴───────┴ ─ ─ ┴ ─ ─ ─ ─ ─ ─ ┴────────┴ ─ ─
//! ```
//!
//! A run of one cell with a known value is a has-value edge: `a[i] = v`, `s[n - 1] = 0`. Only cells within the object are meant:
//! `last` may lie behind its end.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::context::{Context, SymbolKind};
use crate::memory::BlockId;
use crate::smt::{Node, Op, SymId, Term, Terms, mask};

/// Where the cells of an array stand: cell `j` at `offset + stride * j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Layout {
    /// Of cell 0, in bytes; less than `stride`.
    pub offset: u64,
    /// From one cell to the next, in bytes; not 0.
    pub stride: u64,
    /// Of one cell, whole bytes.
    pub bits: u32,
}

/// What holds of the cells `first <= j < last`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// Where cells stand.
    pub layout: Layout,
    /// The first cell, of pointer width.
    pub first: Term,
    /// Behind the last cell; the run is empty where it is at most `first`.
    pub last: Term,
    /// Conditions over [`Context::cell_value`], [`Context::cell_index`] and symbols of the state.
    pub facts: Rc<[Term]>,
    /// It was read, not written.
    pub read: bool,
    /// The cells that this table speaks of, too, hold what it says; then there are no facts.
    pub table: Option<BlockId>,
    /// One of the bytes of each cell is zero: a text ends there. Then there are no facts, and cells do not overlap.
    pub text: bool,
}

impl Layout {
    /// Bytes one after the other.
    pub const BYTES: Self = Self { offset: 0, stride: 1, bits: 8 };

    /// Bytes of one cell.
    pub fn bytes(&self) -> u64 {
        u64::from(self.bits / 8)
    }

    /// The greatest number of a cell whose end is an address offset of `width` bits.
    pub(super) fn most(&self, width: u32) -> u128 {
        (mask(width) - u128::from(self.offset) - u128::from(self.bytes())) / u128::from(self.stride)
    }

    /// The offset of cell `index`, at most `most`.
    pub fn place(&self, terms: &Terms, index: Term) -> Term {
        terms.add_constant(terms.scale(index, self.stride.into()), self.offset.into())
    }

    /// That cell `index` lies in an object of `size` bytes.
    pub fn is_inside(&self, terms: &Terms, index: Term, size: Term) -> Term {
        let width = terms.width(index);
        let end = terms.add_constant(self.place(terms, index), self.bytes().into());
        let exists = terms.ule(index, terms.constant(self.most(width), width));
        terms.bool_and(exists, terms.ule(end, size))
    }

    /// The numbers of the cells that lie in the bytes `[from, to)`, first and last; `None` where there is none.
    pub(super) fn within(&self, from: u64, to: u64) -> Option<(u64, u64)> {
        let first = from.saturating_sub(self.offset).div_ceil(self.stride);
        let room = to.checked_sub(self.offset)?.checked_sub(self.bytes())?;
        let last = room / self.stride;
        (first <= last).then_some((first, last))
    }
}

impl Run {
    /// One cell with a value.
    pub fn cell(context: &Context, layout: Layout, index: Term, value: Term, read: bool) -> Self {
        let terms = &context.terms;
        let fact = terms.eq(context.cell_value(layout.bits), value);
        Self {
            layout,
            first: index,
            last: terms.add_constant(index, 1),
            facts: [fact].into(),
            read,
            table: None,
            text: false,
        }
    }

    /// Cells in each of which a text ends.
    pub fn texts(layout: Layout, first: Term, last: Term) -> Self {
        Self { layout, first, last, facts: [].into(), read: false, table: None, text: true }
    }

    /// Whether conditions are what it says of its cells.
    pub fn has_facts(&self) -> bool {
        self.table.is_none() && !self.text
    }

    /// Whether it is one cell, by its form.
    pub fn is_single(&self, terms: &Terms) -> bool {
        terms.add_constant(self.first, 1) == self.last
    }

    /// The offset and the value of the only cell, where it is one and has a known value.
    pub fn single(&self, context: &Context) -> Option<(Term, Term)> {
        let value = self.value(context).filter(|_| self.is_single(&context.terms))?;
        Some((self.layout.place(&context.terms, self.first), value))
    }

    /// Where the byte stands that it is about, if that is one that is zero.
    pub fn zero_byte(&self, context: &Context) -> Option<Term> {
        let (place, value) = self.single(context).filter(|_| self.layout.bits == 8)?;
        (context.terms.as_const(value) == Some(0)).then_some(place)
    }

    /// Whether it is one byte that is zero, of bytes one after the other.
    pub fn is_end_of_text(&self, context: &Context) -> bool {
        let is_zero = |(_, value)| context.terms.as_const(value) == Some(0);
        self.layout == Layout::BYTES && self.single(context).is_some_and(is_zero)
    }

    /// What each cell holds, as a term over its number, where that is known.
    pub fn value(&self, context: &Context) -> Option<Term> {
        if self.facts.is_empty() {
            return None;
        }
        let terms = &context.terms;
        let own = context.cell_value(self.layout.bits);
        let value = |fact: &Term| match terms.node(*fact) {
            Node::Bin(Op::Eq, left, right) if left == own => Some(right),
            Node::Bin(Op::Eq, left, right) if right == own => Some(left),
            _ => None,
        };
        // What a cell holds by a term over itself may be another value in each.
        let is_open = |value: &Term| terms.as_symbol(own).is_some_and(|own| terms.symbols_of(*value).contains(&own));
        self.facts.iter().filter_map(value).find(|value| !is_open(value))
    }

    /// The address that the cells are compared with as places behind it: each leads into the object there. `None` where they are numbers,
    /// or nothing says so.
    pub fn origin(&self, context: &Context) -> Option<Term> {
        self.facts.iter().find_map(|fact| origin_of_cells(context, self.layout.bits, *fact))
    }

    /// That cell `index` belongs to it.
    pub fn contains(&self, terms: &Terms, index: Term) -> Term {
        if self.is_single(terms) {
            return terms.eq(index, self.first);
        }
        terms.bool_and(terms.ule(self.first, index), terms.ult(index, self.last))
    }

    /// What cell `index` holds, where each cell holds a known term over its number.
    pub(super) fn value_at(&self, context: &Context, index: Term) -> Option<Term> {
        let terms = &context.terms;
        let by = FxHashMap::from_iter([(terms.as_symbol(context.cell_index())?, index)]);
        Some(terms.substitute(self.value(context)?, &by))
    }

    /// What is said of cell `index` that holds `value`.
    pub fn facts_of(&self, context: &Context, value: Term, index: Term) -> Vec<Term> {
        if self.facts.is_empty() {
            return Vec::new();
        }
        let terms = &context.terms;
        let symbol = |term: Term| terms.as_symbol(term);
        let own = symbol(context.cell_value(self.layout.bits)).into_iter().zip([value]);
        let by: FxHashMap<SymId, Term> = own.chain(symbol(context.cell_index()).into_iter().zip([index])).collect();
        self.facts.iter().map(|fact| terms.substitute(*fact, &by)).collect()
    }

    /// The same for the cells `first <= j < last`.
    pub(super) fn of(&self, first: Term, last: Term) -> Self {
        Self { first, last, ..self.clone() }
    }

    /// Every term in it.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        [self.first, self.last].into_iter().chain(self.facts.iter().copied())
    }

    /// The same with every term replaced.
    pub fn map(&self, change: &mut dyn FnMut(Term) -> Term) -> Self {
        let (first, last) = (change(self.first), change(self.last));
        Self { first, last, facts: self.facts.iter().map(|fact| change(*fact)).collect(), ..self.clone() }
    }
}

/// The address that a fact of the form `cell - address <= place` is about.
fn origin_of_cells(context: &Context, bits: u32, fact: Term) -> Option<Term> {
    let terms = &context.terms;
    let (Node::Bin(Op::Ule | Op::Ult, low, _), cell) = (terms.node(fact), context.cell_value(bits)) else {
        return None;
    };
    let address = terms.sub(cell, low);
    let symbol = terms.as_symbol(address).filter(|_| bits == context.model.pointer_bits())?;
    matches!(context.kind(symbol), Some(SymbolKind::Address(_))).then_some(address)
}
