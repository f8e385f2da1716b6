//! Finding one symbolic heap within another: `state ⊢ ∃θ. pattern * frame`.
//!
//! The pattern's own variables are bound on the way, each address before what stands there. Nothing is guessed: where the state
//! does not tell enough (a list that may be empty, bytes that are missing, a condition that is open) the match ends with what
//! the state has to be refined to, and is tried again on that. Contracts at calls, covering at loop heads and contracts that
//! entail others are all matches.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::access::Reach;
use super::heap::{Block, Cell, Segment, SymbolicHeap, Value};
use crate::heap::SymbolKind;
use crate::memory::rules::{Act, NoObject};
use crate::memory::{BlockKind, Fault, Outcome};
use crate::smt::{Node, Op, SymId, Term, mask};

/// What is to be found. Flexible symbols are its own variables. What is `foreign` here must be so in the state: what the
/// function made can leak, and that it did must not be forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    pub cells: Vec<Cell>,
    pub segments: Vec<Segment>,
    pub blocks: Vec<Block>,
    pub pure: Vec<Term>,
}

/// What may be done about a state that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Missing bytes and open conditions become part of the precondition.
    Learn,
    /// The state may be split into cases.
    Split,
    /// Only what follows from the state counts.
    Prove,
}

/// Why a match ended.
pub(super) enum Obstacle {
    /// The same state said otherwise, or its cases.
    Refine(Vec<SymbolicHeap>),
    /// It does not fit; an access of the pattern's would be this fault.
    Fail(String, Option<Fault>),
}

/// A match: what is left of the state, and what the pattern's variables are.
pub(super) struct Solution {
    pub rest: SymbolicHeap,
    pub theta: FxHashMap<SymId, Term>,
    /// Blocks that were matched, to keep what is known of where they come from.
    pub blocks: Vec<Block>,
}

const FLEXIBLE: u8 = 250;

/// The n-th variable of a pattern.
pub(super) fn flexible(heap: &SymbolicHeap, n: u32, width: u32, alignment: u32) -> Term {
    heap.world.context.symbol(SymbolKind::Bound { depth: FLEXIBLE, n, class: 0 }, width, alignment)
}

fn is_flexible(heap: &SymbolicHeap, symbol: SymId) -> bool {
    matches!(heap.kind(symbol), Some(SymbolKind::Bound { depth: FLEXIBLE, .. }))
}

pub(super) struct Matching<'a> {
    pub mode: Mode,
    pub original: &'a SymbolicHeap,
    pub rest: SymbolicHeap,
    theta: FxHashMap<SymId, Term>,
    /// Pairs that could not be compared yet.
    deferred: Vec<(Term, Term)>,
    blocks: Vec<Block>,
    next_flexible: u32,
    /// Terms that are not compared yet tell what others are: looked at where nothing else leads on.
    by_terms: bool,
}

pub(super) fn fail<T>(why: impl Into<String>) -> Result<T, Obstacle> {
    Err(Obstacle::Fail(why.into(), None))
}

/// Finds `pattern` in `heap`, where each root of the pattern is the value beside it.
pub(super) fn find(
    pattern: &Pattern,
    heap: &SymbolicHeap,
    roots: &[(Term, Term)],
    mode: Mode,
) -> Result<Solution, Obstacle> {
    let mut matching = Matching {
        mode,
        original: heap,
        rest: heap.clone(),
        theta: FxHashMap::default(),
        deferred: Vec::new(),
        blocks: Vec::new(),
        // Above those of any pattern.
        next_flexible: 1 << 20,
        by_terms: false,
    };
    for &(own, value) in roots {
        matching.unify(own, value)?;
    }
    matching.consume(pattern.clone())?;
    matching.finish(&pattern.pure)?;
    let Matching { rest, theta, blocks, .. } = matching;
    Ok(Solution { rest, theta, blocks })
}

impl Matching<'_> {
    pub(super) fn fresh(&mut self, width: u32) -> Term {
        self.next_flexible += 1;
        flexible(self.original, self.next_flexible, width, 0)
    }

    /// `term` of the pattern with the variables that are bound; `None` while others stand in it.
    pub(super) fn value(&self, term: Term) -> Option<Term> {
        let term = self.partly(term);
        if !self.is_open(term) {
            return Some(self.rest.norm(term));
        }
        if !self.by_terms {
            return None;
        }
        // A term that something is known to equal, although its variables are not bound yet.
        let terms = self.rest.terms();
        self.deferred.iter().find_map(|&(own, value)| {
            let difference = (terms.width(own) == terms.width(term)).then(|| terms.sub(term, self.partly(own)))?;
            (!self.is_open(difference)).then(|| self.rest.norm(terms.add(value, difference)))
        })
    }

    fn is_open(&self, term: Term) -> bool {
        self.rest.terms().symbols_of(term).iter().any(|symbol| is_flexible(&self.rest, *symbol))
    }

    fn partly(&self, term: Term) -> Term {
        let terms = self.rest.terms();
        let symbols = terms.symbols_of(term);
        if symbols.iter().any(|symbol| self.theta.contains_key(symbol)) {
            terms.substitute(term, &self.theta)
        } else {
            term
        }
    }

    pub(super) fn unify(&mut self, own: Term, value: Term) -> Result<(), Obstacle> {
        let value = self.rest.norm(value);
        let own = self.partly(own);
        let terms = self.rest.terms();
        if terms.width(own) != terms.width(value) {
            return fail("values of different widths");
        }
        let symbols = terms.symbols_of(own);
        let open: Vec<SymId> = symbols.iter().copied().filter(|symbol| is_flexible(&self.rest, *symbol)).collect();
        if open.is_empty() {
            let own = self.rest.norm(own);
            if own != value {
                let terms = self.rest.terms();
                if terms.as_const(own).is_some() && terms.as_const(value).is_some() {
                    return fail("different numbers");
                }
                if self.rest.known(terms.eq(own, value)) == Some(false) {
                    return fail("values that differ");
                }
                self.deferred.push((own, value));
            }
            return Ok(());
        }
        let sum = terms.linear(own);
        for &(coefficient, part) in &sum.parts {
            let is_minus = coefficient == mask(sum.width) && sum.width > 1;
            if !terms.symbols_of(part).iter().any(|symbol| open.contains(symbol)) || coefficient != 1 && !is_minus {
                continue;
            }
            let others = if is_minus { terms.add(own, part) } else { terms.sub(own, part) };
            if terms.symbols_of(others).iter().any(|symbol| is_flexible(&self.rest, *symbol)) {
                continue;
            }
            let bound = if is_minus { terms.sub(others, value) } else { terms.sub(value, others) };
            let bound = self.rest.norm(bound);
            match terms.node(part) {
                Node::Sym(symbol) => {
                    if terms.trailing_zeros(bound) < terms.symbol_info(symbol).alignment {
                        return fail("a value that is less aligned");
                    }
                    self.theta.insert(symbol, bound);
                    return Ok(());
                }
                // Its lower bits tell what it is; whether the others fit is seen when it is known.
                Node::ZeroExt(inner) | Node::SignExt(inner) => {
                    let low = terms.truncate(bound, terms.width(inner));
                    self.deferred.push((own, value));
                    return self.unify(inner, low);
                }
                _ => {}
            }
        }
        self.deferred.push((own, value));
        Ok(())
    }

    /// Takes all of it out of the state.
    pub(super) fn consume(&mut self, mut pattern: Pattern) -> Result<(), Obstacle> {
        loop {
            let before = (pattern.cells.len(), pattern.segments.len(), pattern.blocks.len());
            if before == (0, 0, 0) {
                return Ok(());
            }
            if let Some(index) = pattern.blocks.iter().position(|block| self.value(block.start).is_some()) {
                let block = pattern.blocks.swap_remove(index);
                self.block(&block)?;
                continue;
            }
            let ready = pattern.cells.iter().position(|cell| {
                self.value(cell.at).is_some()
                    && (self.value(cell.size).is_some() || pattern.blocks.is_empty() && pattern.segments.is_empty())
            });
            if let Some(index) = ready {
                let cell = pattern.cells.remove(index);
                self.cell(&cell)?;
                continue;
            }
            if let Some(index) = pattern.segments.iter().position(|segment| self.value(segment.first).is_some()) {
                let segment = pattern.segments.remove(index);
                self.segment(&segment)?;
                continue;
            }
            let backwards = |segment: &Segment| segment.back.is_some_and(|(last, _)| self.value(last).is_some());
            if let Some(index) = pattern.segments.iter().position(backwards) {
                let segment = pattern.segments.remove(index);
                self.segment_backwards(&segment)?;
                continue;
            }
            if !self.retry_deferred()?
                && !self.equate(&mut pattern.pure)?
                && std::mem::replace(&mut self.by_terms, true)
            {
                return fail("memory that nothing leads to");
            }
        }
    }

    /// Takes one of the equations that tell what some term of the pattern's is; whether there was any.
    fn equate(&mut self, pure: &mut Vec<Term>) -> Result<bool, Obstacle> {
        // What is open of `left - right`, and what it comes to.
        let solved = |matching: &Self, equation: Term| {
            let terms = matching.rest.terms();
            let Node::Bin(Op::Eq, left, right) = terms.node(equation) else { return None };
            let difference = matching.partly(terms.sub(left, right));
            let sum = terms.linear(difference);
            let open = sum
                .parts
                .iter()
                .filter(|(_, part)| matching.is_open(*part))
                .map(|&(coefficient, part)| terms.mul(terms.constant(coefficient, sum.width), part));
            let open = open.reduce(|all, part| terms.add(all, part)).filter(|_| sum.width > 1)?;
            Some((open, terms.sub(open, difference)))
        };
        let found = pure.iter().enumerate().find_map(|(index, equation)| Some((index, solved(self, *equation)?)));
        let Some((index, (own, value))) = found else { return Ok(false) };
        // It is looked at again in the end.
        pure.swap_remove(index);
        self.unify(own, value)?;
        Ok(true)
    }

    /// Pairs that can be compared now; whether there were any.
    fn retry_deferred(&mut self) -> Result<bool, Obstacle> {
        let deferred = std::mem::take(&mut self.deferred);
        let before = self.theta.len();
        for (own, value) in deferred {
            self.unify(own, value)?;
        }
        Ok(self.theta.len() > before)
    }

    fn block(&mut self, block: &Block) -> Result<(), Obstacle> {
        let Some(start) = self.value(block.start) else { return fail("a block nowhere") };
        let (base, _) = self.rest.split(start);
        if let Some(index) = self.rest.block_at(base) {
            let found = self.rest.blocks[index].clone();
            if found.start != start || found.kind != block.kind {
                return fail("another block stands there");
            }
            if found.live != block.live {
                return Err(Obstacle::Fail("a block that was freed".into(), found.broken(None, 0, 0, Act::Read)));
            }
            if block.foreign && !found.foreign {
                return fail("a block that the function made");
            }
            self.unify(block.size, found.size)?;
            Rc::make_mut(&mut self.rest.blocks).remove(index);
            self.blocks.push(found);
            return Ok(());
        }
        if !block.live || block.kind != BlockKind::Heap {
            return fail("a block that is not there");
        }
        if let Some(obstacle) = self.unfold_at(base) {
            return Err(obstacle);
        }
        if self.mode == Mode::Learn && self.rest.is_controlled(base) && self.rest.static_at(base).is_none() {
            return match self.original.clone().abduce_block(start) {
                Some(heap) if self.original.block_at(base).is_none() => Err(Obstacle::Refine(vec![heap])),
                _ => fail("a block cannot start there"),
            };
        }
        fail("the extent of a block is not known")
    }

    /// What becomes of the state where a list begins or ends behind `base`.
    pub(super) fn unfold_at(&self, base: Term) -> Option<Obstacle> {
        let (index, from_back) = self.original.list_behind(base)?;
        let mut cases = Vec::new();
        if !self.original.segments[index].nonempty {
            if self.mode == Mode::Prove {
                return Some(Obstacle::Fail("a list that may be empty".into(), None));
            }
            cases.extend(self.original.clone().emptied(index));
        }
        cases.extend(self.original.clone().unfolded(index, from_back));
        Some(Obstacle::Refine(cases))
    }

    /// Bytes that are not left: whether the state before the match can provide them.
    fn need(&self, base: Term, offset: i64, bytes: u64) -> Obstacle {
        let address = self.original.terms().add_constant(base, offset.into());
        if self.original.covers(base, offset, bytes as i64) {
            return Obstacle::Fail("bytes that are needed twice".into(), None);
        }
        if self.mode == Mode::Prove {
            return match self.unfold_at(base) {
                Some(obstacle) => obstacle,
                None => Obstacle::Fail("bytes that are not there".into(), None),
            };
        }
        let mut cases = Vec::new();
        let mut fault = None;
        for outcome in self.original.clone().reach(address, bytes, Act::Read) {
            match outcome {
                Outcome::Next(heap, Reach::Exactly { .. }) => cases.push(heap),
                Outcome::Next(..) => return Obstacle::Fail("bytes at a place that is not known".into(), None),
                Outcome::Fault(_, found) => fault = fault.or(Some(found)),
                Outcome::Stuck(_, stuck) => return Obstacle::Fail(stuck.to_string(), None),
                Outcome::Miss(_, miss) => return Obstacle::Fail(miss.fault.detail.to_string(), None),
            }
        }
        match fault {
            Some(fault) if cases.is_empty() || self.mode == Mode::Split => {
                Obstacle::Fail(fault.detail.to_string(), Some(fault))
            }
            _ => Obstacle::Refine(cases),
        }
    }

    fn cell(&mut self, cell: &Cell) -> Result<(), Obstacle> {
        let Some(at) = self.value(cell.at) else { return fail("a cell nowhere") };
        let (base, offset) = self.rest.split(at);
        let size = self.value(cell.size);
        let bytes = size.and_then(|size| self.rest.as_bytes(size));
        let Some(bytes) = bytes else {
            return self.range(cell, at, size);
        };
        if bytes == 0 {
            return Ok(());
        }
        if bytes > i64::MAX as u64 / 4 {
            return fail("a cell of odd size");
        }
        if let Some(number) = self.rest.terms().as_const(at) {
            let fault = NoObject::of_number(number as u64).fault(Act::Read, Some(bytes));
            return Err(Obstacle::Fail(fault.detail.to_string(), Some(fault)));
        }
        if !self.rest.covers(base, offset, bytes as i64) {
            // A larger piece of unknown extent may have them.
            return Err(self.need(base, offset, bytes));
        }
        match cell.value {
            Value::Is(own) => {
                let value = self.rest.read(base, offset, bytes);
                self.rest.take(base, offset, bytes as i64);
                self.unify(own, value)
            }
            Value::Any => {
                self.rest.take(base, offset, bytes as i64);
                Ok(())
            }
            Value::Each(own) => {
                for (_, bytes, value) in self.rest.pieces(base, offset, bytes) {
                    match value {
                        Value::Each(byte) => self.unify(own, byte)?,
                        Value::Is(term) => {
                            for byte in 0..bytes as u32 {
                                let part = self.rest.terms().extract(term, 8 * byte + 7, 8 * byte);
                                self.unify(own, part)?;
                            }
                        }
                        Value::Any => return fail("bytes that were never set"),
                    }
                }
                self.rest.take(base, offset, bytes as i64);
                Ok(())
            }
        }
    }

    /// A cell whose size is no number.
    fn range(&mut self, cell: &Cell, at: Term, size: Option<Term>) -> Result<(), Obstacle> {
        let found = self.rest.cells.iter().position(|other| {
            other.at == at && size.is_none_or(|size| other.size == size) && !matches!(other.value, Value::Is(_))
        });
        if let Some(index) = found {
            let found = self.rest.cells[index];
            match (cell.value, found.value) {
                (Value::Any, _) => {}
                (Value::Each(own), Value::Each(byte)) => self.unify(own, byte)?,
                _ => return fail("a range with other content"),
            }
            self.unify(cell.size, found.size)?;
            self.rest.remove_cell(index);
            return Ok(());
        }
        let Some(size) = size else { return fail("a range of unknown extent") };
        let (base, offset) = self.rest.split(at);
        let is_free = self.original.block_at(base).is_none()
            && self.original.static_at(base).is_none()
            && !self.original.has_bytes(base, offset, i64::from(i32::MAX));
        let is_controlled = self.rest.is_controlled(at) && self.rest.is_controlled(size);
        if self.mode == Mode::Learn && is_free && is_controlled && matches!(cell.value, Value::Any) {
            let mut heap = self.original.clone();
            let cell = Cell { at, size, value: Value::Any };
            heap.add_cell(cell);
            heap.missing_mut(|missing| missing.cells.push(cell));
            return Err(Obstacle::Refine(heap.settle().into_iter().collect()));
        }
        fail("a range that is not there")
    }

    fn finish(&mut self, pure: &[Term]) -> Result<(), Obstacle> {
        while self.retry_deferred()? {}
        // A variable that stands in conditions only is one of which nothing else is known.
        let mut conditions: Vec<Term> =
            self.deferred.iter().map(|&(own, value)| self.rest.terms().eq(own, value)).collect();
        conditions.extend_from_slice(pure);
        for condition in conditions {
            let open = self.partly(condition);
            let symbols = self.rest.terms().symbols_of(open);
            if symbols.iter().any(|symbol| is_flexible(&self.rest, *symbol)) {
                if self.mode == Mode::Learn {
                    continue;
                }
                return fail("a condition on something that is not known");
            }
            let Some(condition) = self.value(condition) else { return fail("a condition that stays open") };
            match self.original.known(condition) {
                Some(true) => continue,
                Some(false) => return fail("a condition that does not hold"),
                None if self.original.entails(condition) => continue,
                None => {}
            }
            let not = self.original.terms().not(condition);
            return match self.mode {
                Mode::Prove => fail("a condition that does not follow"),
                // The contract asks for it.
                Mode::Learn => {
                    let mut heap = self.original.clone();
                    heap.next_anchor = self.rest.next_anchor.max(heap.next_anchor);
                    Err(Obstacle::Refine(heap.restrict(condition).into_iter().collect()))
                }
                Mode::Split => {
                    let cases = [condition, not].map(|case| self.original.clone().restrict(case));
                    let cases: Vec<SymbolicHeap> = cases.into_iter().flatten().collect();
                    // What is no case of its own would be split again and again.
                    if cases.is_empty() { fail("a condition that is open") } else { Err(Obstacle::Refine(cases)) }
                }
            };
        }
        Ok(())
    }
}
