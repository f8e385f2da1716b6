//! The arena of hash-consed terms.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fold::{mask, truncate};
use super::known::{Known, known_bits};
use super::range::Range;
use crate::typed_id;

typed_id! {
    /// A term of one [`Terms`] arena. Operands have smaller ids than the terms they stand in.
    Term
}

typed_id! {
    /// A symbol: an unknown that every model gives one value.
    SymId
}

/// A binary operator. Operands have equal widths except for [`Op::Concat`]; comparisons have width 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Sum, wrapping.
    Add,
    /// Product, wrapping.
    Mul,
    /// Unsigned quotient; all ones where the divisor is 0.
    UDiv,
    /// Unsigned remainder; the dividend where the divisor is 0.
    URem,
    /// Signed quotient, as SMT-LIB has it.
    SDiv,
    /// Signed remainder, with the sign of the dividend.
    SRem,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// To the left; 0 from the width on.
    Shl,
    /// To the right, zeros come in; 0 from the width on.
    LShr,
    /// To the right, copies of the sign come in.
    AShr,
    /// The first operand gives the high bits.
    Concat,
    /// Equality.
    Eq,
    /// Unsigned `<`.
    Ult,
    /// Unsigned `≤`.
    Ule,
    /// Signed `<`.
    Slt,
    /// Signed `≤`.
    Sle,
}

/// What a term is made of. Subtraction and negation are sums with coefficient −1, shifts by constants are products,
/// extracts and extensions; [`Node::Not`] occurs at width 1 only (`!x` is `−x − 1` elsewhere).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number.
    Const(u128),
    /// An unknown.
    Sym(SymId),
    /// Each bit turned.
    Not(Term),
    /// An operation on two terms.
    Bin(Op, Term, Term),
    /// Bits `lo..=hi`.
    Extract {
        /// The highest bit.
        hi: u32,
        /// The lowest bit.
        lo: u32,
        /// Of this term.
        of: Term,
    },
    /// Zeros above.
    ZeroExt(Term),
    /// Copies of the sign above.
    SignExt(Term),
    /// The condition has width 1.
    Ite(Term, Term, Term),
}

/// What is known about a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolInfo {
    /// For people only; several symbols may share one.
    pub hint: Rc<str>,
    /// Bits.
    pub width: u32,
    /// The lowest `alignment` bits are 0 in every model.
    pub alignment: u32,
    /// The symbol as a term.
    pub term: Term,
}

/// All terms of one analysis. The constructors take `&self`, so that calls nest: `t.eq(t.add(a, b), c)`.
#[derive(Debug, Default)]
pub struct Terms {
    inner: RefCell<Inner>,
    /// How many simplifications are under way inside one another.
    depth: Cell<u32>,
}

/// Simplifications reach at most this far into a term: deeper ones would need a deep stack.
const MAX_DEPTH: u32 = 100;

#[derive(Debug, Default)]
struct Inner {
    entries: Vec<Entry>,
    ids: FxHashMap<(Node, u32), Term>,
    symbols: Vec<SymbolInfo>,
    /// Extracts already simplified: pushing them inwards would otherwise repeat work on shared operands.
    extracts: FxHashMap<(Term, u32, u32), Term>,
    /// By both sides, where one is an if-then-else: such terms share parts, which are not compared anew for each of their users.
    equations: FxHashMap<(Term, Term), Term>,
    /// By term, of those that were asked for.
    symbols_of: Vec<Option<Rc<[SymId]>>>,
    /// Bounds that terms have whatever their symbols are, of those that were asked for.
    ranges: FxHashMap<Term, Range>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: Node,
    width: u32,
    known: Known,
}

impl Terms {
    /// No terms yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.inner.borrow().entries.len()
    }

    /// There are no terms.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `value` modulo 2^`width`; `width` is 1 to 128.
    pub fn constant(&self, value: u128, width: u32) -> Term {
        self.intern(Node::Const(truncate(value, width)), width)
    }

    /// The two's complement pattern of `value`.
    pub fn signed_constant(&self, value: i128, width: u32) -> Term {
        self.constant(value as u128, width)
    }

    /// The truth value 1.
    pub fn true_(&self) -> Term {
        self.constant(1, 1)
    }

    /// The truth value 0.
    pub fn false_(&self) -> Term {
        self.constant(0, 1)
    }

    /// A known truth value.
    pub fn bool_constant(&self, value: bool) -> Term {
        self.constant(u128::from(value), 1)
    }

    /// A new symbol that differs from all others; `hint` is for people.
    pub fn fresh_symbol(&self, width: u32, hint: &str) -> Term {
        self.fresh_aligned_symbol(width, 0, hint)
    }

    /// A new symbol whose lowest `alignment` bits are 0 in every model.
    pub fn fresh_aligned_symbol(&self, width: u32, alignment: u32, hint: &str) -> Term {
        assert!((1..=128).contains(&width), "width {width} is not in 1..=128");
        let mut inner = self.inner.borrow_mut();
        let id = SymId::from_index(inner.symbols.len());
        let term = Term::from_index(inner.entries.len());
        inner.symbols.push(SymbolInfo { hint: hint.into(), width, alignment: 0, term });
        inner.entries.push(Entry { node: Node::Sym(id), width, known: Known::NONE });
        drop(inner);
        self.set_alignment(id, alignment);
        term
    }

    /// Declares the lowest `log2` bits of a symbol to be 0 in every model. To be called before terms are made of the
    /// symbol: those made earlier keep their weaker form.
    pub fn set_alignment(&self, symbol: SymId, log2: u32) {
        let mut inner = self.inner.borrow_mut();
        let info = &mut inner.symbols[symbol.index()];
        // One bit stays free, so that a symbol is never a constant.
        info.alignment = log2.min(info.width - 1);
        let (term, alignment) = (info.term, info.alignment);
        inner.entries[term.index()].known.zeros = if alignment == 0 { 0 } else { mask(alignment) };
    }

    /// What is known of a symbol.
    pub fn symbol_info(&self, symbol: SymId) -> SymbolInfo {
        self.inner.borrow().symbols[symbol.index()].clone()
    }

    /// How many symbols there are; their ids count from 0.
    pub fn symbol_count(&self) -> usize {
        self.inner.borrow().symbols.len()
    }

    /// The symbol as a term.
    pub fn symbol_term(&self, symbol: SymId) -> Term {
        self.inner.borrow().symbols[symbol.index()].term
    }

    /// The symbol that `t` is.
    pub fn as_symbol(&self, t: Term) -> Option<SymId> {
        match self.node(t) {
            Node::Sym(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// What the term consists of.
    pub fn node(&self, t: Term) -> Node {
        self.inner.borrow().entries[t.index()].node
    }

    /// In bits, 1 to 128.
    pub fn width(&self, t: Term) -> u32 {
        self.inner.borrow().entries[t.index()].width
    }

    /// The value of a constant term, as an unsigned number.
    pub fn as_const(&self, t: Term) -> Option<u128> {
        match self.node(t) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant term, as a two's complement number.
    pub fn as_signed_const(&self, t: Term) -> Option<i128> {
        self.as_const(t).map(|v| super::to_signed(v, self.width(t)))
    }

    /// It is the truth value 1, by its form.
    pub fn is_true(&self, t: Term) -> bool {
        self.width(t) == 1 && self.as_const(t) == Some(1)
    }

    /// It is the truth value 0, by its form.
    pub fn is_false(&self, t: Term) -> bool {
        self.width(t) == 1 && self.as_const(t) == Some(0)
    }

    pub(super) fn known(&self, t: Term) -> Known {
        self.inner.borrow().entries[t.index()].known
    }

    /// Bits certainly 0 and bits certainly 1 in every model.
    pub fn known_bits(&self, t: Term) -> (u128, u128) {
        let known = self.known(t);
        (known.zeros, known.ones)
    }

    /// How many of the lowest bits are 0 in every model.
    pub fn trailing_zeros(&self, t: Term) -> u32 {
        self.known(t).trailing_zeros(self.width(t))
    }

    /// The common width of two operands; different ones are a bug of the caller.
    pub(super) fn same_width(&self, a: Term, b: Term) -> u32 {
        let (wa, wb) = (self.width(a), self.width(b));
        assert_eq!(wa, wb, "operands of different widths: {} and {}", self.display(a), self.display(b));
        wa
    }

    /// The term for a node that is already in normal form, or the constant it is known to be.
    pub(super) fn intern(&self, node: Node, width: u32) -> Term {
        debug_assert!((1..=128).contains(&width), "width {width} is not in 1..=128");
        let mut inner = self.inner.borrow_mut();
        if let Some(&term) = inner.ids.get(&(node, width)) {
            return term;
        }
        let known = known_bits(node, width, |t| {
            let entry = &inner.entries[t.index()];
            (entry.width, entry.known)
        });
        if let (Some(value), false) = (known.value(width), matches!(node, Node::Const(_))) {
            drop(inner);
            return self.constant(value, width);
        }
        let term = Term::from_index(inner.entries.len());
        inner.entries.push(Entry { node, width, known });
        inner.ids.insert((node, width), term);
        term
    }

    pub(super) fn intern_bin(&self, op: Op, a: Term, b: Term, width: u32) -> Term {
        self.intern(Node::Bin(op, a, b), width)
    }

    /// `simplify` one level further inside; `None` where that is too deep.
    pub(super) fn nested(&self, simplify: impl FnOnce() -> Term) -> Option<Term> {
        if self.depth.get() >= MAX_DEPTH {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let result = simplify();
        self.depth.set(self.depth.get() - 1);
        Some(result)
    }

    /// `compute` once for every equation.
    pub(super) fn memo_equation(&self, sides: (Term, Term), compute: impl FnOnce() -> Term) -> Term {
        if let Some(&known) = self.inner.borrow().equations.get(&sides) {
            return known;
        }
        let result = compute();
        self.inner.borrow_mut().equations.insert(sides, result);
        result
    }

    /// Bounds that `t` has whatever its symbols are, once they were noted.
    pub(super) fn noted_range(&self, t: Term) -> Option<Range> {
        self.inner.borrow().ranges.get(&t).copied()
    }

    pub(super) fn note_range(&self, t: Term, range: Range) {
        self.inner.borrow_mut().ranges.insert(t, range);
    }

    /// `compute` once for every extract.
    pub(super) fn memo_extract(&self, key: (Term, u32, u32), compute: impl FnOnce() -> Term) -> Term {
        if let Some(&known) = self.inner.borrow().extracts.get(&key) {
            return known;
        }
        let result = compute();
        self.inner.borrow_mut().extracts.insert(key, result);
        result
    }

    /// The symbols `t` depends on, ascending.
    pub fn symbols_of(&self, t: Term) -> Rc<[SymId]> {
        if let Some(known) = self.inner.borrow().known_symbols_of(t) {
            return known.clone();
        }
        // Operands come first; what they share with each other is walked once.
        for part in self.reachable_unless(&[t], |t| self.inner.borrow().known_symbols_of(t).is_some()) {
            let mut inner = self.inner.borrow_mut();
            let symbols = match inner.entries[part.0 as usize].node {
                Node::Sym(symbol) => Rc::from([symbol]),
                node => {
                    let operands = node.operands().filter_map(|operand| inner.known_symbols_of(operand).cloned());
                    operands.reduce(|left, right| union(&left, &right)).unwrap_or_default()
                }
            };
            let all = inner.entries.len();
            inner.symbols_of.resize(all, None);
            inner.symbols_of[part.0 as usize] = Some(symbols);
        }
        self.inner.borrow().known_symbols_of(t).cloned().unwrap_or_default()
    }
}

impl Inner {
    fn known_symbols_of(&self, t: Term) -> Option<&Rc<[SymId]>> {
        self.symbols_of.get(t.0 as usize)?.as_ref()
    }
}

/// Both, ascending as they are; one of them where it has all of the other.
fn union(left: &Rc<[SymId]>, right: &Rc<[SymId]>) -> Rc<[SymId]> {
    if Rc::ptr_eq(left, right) || right.is_empty() {
        return left.clone();
    }
    if left.is_empty() {
        return right.clone();
    }
    let mut both = Vec::with_capacity(left.len().max(right.len()));
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (left.get(i), right.get(j)) {
        both.push(*a.min(b));
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    both.extend_from_slice(&left[i..]);
    both.extend_from_slice(&right[j..]);
    match both.len() {
        n if n == left.len() => left.clone(),
        n if n == right.len() => right.clone(),
        _ => both.into(),
    }
}
