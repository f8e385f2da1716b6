//! What is known of conditions: whether they follow, what is left when they are assumed, and which equalities follow.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::heap::{Block, Missing, Segment, Static, SymbolicHeap, norm_by};
use crate::heap::SymbolKind;
use crate::numeric::{Intervals, NumericDomain, decided};
use crate::smt::{Node, Op, Sat, SymId, Term, relevant};

impl SymbolicHeap {
    /// The truth of a 1-bit condition where it can be decided without the solver.
    pub(super) fn known(&self, condition: Term) -> Option<bool> {
        let condition = self.norm(condition);
        decided(self.terms(), condition, &|part| {
            self.numbers.known(self.terms(), part).or_else(|| self.known_of_addresses(part))
        })
    }

    fn known_of_addresses(&self, condition: Term) -> Option<bool> {
        match self.terms().node(condition) {
            Node::Bin(Op::Eq, left, right) if self.terms().width(left) == self.pointer_bits() => {
                self.are_apart(left, right).then_some(false)
            }
            _ => None,
        }
    }

    /// Whether two addresses differ because of what stands at them.
    pub(super) fn are_apart(&self, left: Term, right: Term) -> bool {
        let (a, i) = self.split(left);
        let (b, j) = self.split(right);
        if a == b {
            return i != j;
        }
        // `a + i = b + j` would put cells of one base onto those of the other.
        for (base, at, other, at_other) in [(a, i, b, j), (b, j, a, i)] {
            if self.terms().as_const(other).is_some() {
                // Only null is distinguished from the rest; small numbers are no addresses either.
                if (0..4096).contains(&at_other) && self.is_inside(base, at) {
                    return true;
                }
            }
        }
        let extents = |base: Term| -> Vec<(i64, i64)> {
            let mut extents: Vec<(i64, i64)> = Vec::new();
            for cell in self.cells.iter() {
                let (cell_base, from) = self.split(cell.at);
                if cell_base == base {
                    extents.push((from, from + self.as_bytes(cell.size).map_or(1, |n| n as i64)));
                }
            }
            for segment in self.segments.iter().filter(|segment| segment.nonempty) {
                let (segment_base, at) = self.split(segment.first);
                if segment_base == base {
                    // A node need not have its first byte.
                    extents.extend(segment.shape.bytes_of_node().map(|(from, size)| (at + from, at + from + size)));
                }
            }
            extents
        };
        let (of_a, of_b) = (extents(a), extents(b));
        // The same bytes, seen from `a`: those of `b` are shifted by `i - j`.
        of_a.iter().any(|&(from, to)| {
            of_b.iter().any(|&(other_from, other_to)| {
                let shift = i.wrapping_sub(j);
                from < other_to.saturating_add(shift) && other_from.saturating_add(shift) < to
            })
        })
    }

    /// Whether the address is one of a byte that is there, or of the first byte behind it.
    fn is_inside(&self, base: Term, offset: i64) -> bool {
        let in_cell = self.cells.iter().any(|cell| {
            let (cell_base, from) = self.split(cell.at);
            cell_base == base && from <= offset && offset <= from + self.as_bytes(cell.size).map_or(1, |n| n as i64)
        });
        let in_segment = || {
            self.segments.iter().filter(|segment| segment.nonempty).any(|segment| {
                let ends = [Some(segment.first), segment.back.map(|(last, _)| last)];
                ends.into_iter().flatten().any(|end| self.split(end) == (base, offset))
            })
        };
        let in_block = || {
            let inside = |start: Term, size: Option<u64>| {
                let (block_base, from) = self.split(start);
                block_base == base && from <= offset && offset <= from + size.unwrap_or(1) as i64
            };
            // A block that was freed had an address, and still has.
            let is_there = |block: &Block| match block.live {
                true => inside(block.start, self.as_bytes(block.size)),
                false => self.split(block.start) == (base, offset),
            };
            self.blocks.iter().any(is_there)
                || self.static_at(base).is_some_and(|object| offset >= 0 && offset <= object.size.max(1) as i64)
                || self
                    .terms()
                    .as_symbol(base)
                    .and_then(|symbol| self.kind(symbol))
                    .is_some_and(|kind| matches!(kind, SymbolKind::Function(_)) && offset == 0)
        };
        in_cell || in_segment() || in_block()
    }

    /// The static object whose address this is.
    pub(super) fn static_at(&self, base: Term) -> Option<&Static> {
        match self.kind(self.terms().as_symbol(base)?) {
            Some(SymbolKind::Address(block)) => self.world.statics.get(block.index()),
            _ => None,
        }
    }

    /// The block that starts somewhere behind `base`.
    pub(super) fn block_at(&self, base: Term) -> Option<usize> {
        // The latest: an address may have been given out again.
        self.blocks.iter().rposition(|block| self.split(block.start).0 == base)
    }

    fn may_hold(&self, condition: Term) -> bool {
        let terms = self.terms();
        let facts: Vec<Term> = self.numbers.constraints().iter().copied().collect();
        let mut query = relevant(terms, &facts, condition);
        query.push(condition);
        !matches!(self.context().check(&query), Sat::Unsat)
    }

    /// Whether the condition holds in all memories, as far as the solver can decide.
    pub(super) fn entails(&self, condition: Term) -> bool {
        let condition = self.norm(condition);
        self.known(condition).unwrap_or_else(|| !self.may_hold(self.terms().not(condition)))
    }

    /// The memories in which the condition holds, `None` where there are none.
    pub fn restrict(mut self, condition: Term) -> Option<Self> {
        let condition = self.norm(condition);
        match self.known(condition) {
            Some(truth) => return truth.then_some(self),
            None if self.is_plain_equation(condition) => {}
            None => {
                if !self.may_hold(condition) {
                    return None;
                }
                if !self.may_hold(self.terms().not(condition)) {
                    return Some(self);
                }
            }
        }
        if self.missing.is_some() && self.is_controlled(condition) {
            self.missing_mut(|missing| missing.pure.push(condition));
        }
        let is_lost =
            |symbol: &SymId| matches!(self.kind(*symbol), Some(SymbolKind::External(_) | SymbolKind::Forgotten(_)));
        if self.terms().symbols_of(condition).iter().any(is_lost) {
            self.supposes = true;
        }
        self.learn(condition)
    }

    /// [`Self::restrict`] by a fact: nothing has to be provided for it.
    pub(super) fn given(mut self, condition: Term) -> Option<Self> {
        let missing = self.missing.take();
        let mut after = self.restrict(condition)?;
        after.missing = missing;
        // The antiframe speaks of the same addresses.
        if let Some(missing) = &mut after.missing {
            let missing = Rc::make_mut(missing);
            let (world, bound) = (after.world.clone(), after.bound.clone());
            let change = |term: Term| norm_by(&world.context.terms, &bound, term);
            missing.map(&change);
        }
        Some(after)
    }

    /// An equation with a symbol of which nothing is known but other equations: it can hold and fail.
    fn is_plain_equation(&self, condition: Term) -> bool {
        let terms = self.terms();
        let equation = match terms.node(condition) {
            Node::Not(inner) => inner,
            _ => condition,
        };
        let Node::Bin(Op::Eq, left, right) = terms.node(equation) else { return false };
        let free = |side: Term| {
            let (base, _) = self.split(side);
            terms.as_symbol(base).is_some_and(|symbol| {
                !self.numbers.ranges_mention(symbol)
                    && self.numbers.constraints().iter().all(|known| !terms.symbols_of(*known).contains(&symbol))
            })
        };
        let simple = |side: Term| {
            let (base, _) = self.split(side);
            terms.as_const(base).is_some() || terms.as_symbol(base).is_some()
        };
        (free(left) && simple(right)) || (free(right) && simple(left))
    }

    pub(super) fn missing_mut(&mut self, change: impl FnOnce(&mut Missing)) {
        if let Some(missing) = &mut self.missing {
            change(Rc::make_mut(missing));
        }
    }

    /// Adds a condition, eliminating what it equates.
    fn learn(mut self, condition: Term) -> Option<Self> {
        let terms = &self.world.context.terms;
        match terms.node(condition) {
            Node::Const(value) => return (value != 0).then_some(self),
            Node::Bin(Op::And, left, right) if terms.width(condition) == 1 => {
                let next = self.learn(left)?;
                let right = next.norm(right);
                return next.learn(right);
            }
            Node::Not(inner) if terms.width(condition) == 1 => {
                if let Node::Bin(Op::Or, left, right) = terms.node(inner) {
                    let (left, right) = (terms.not(left), terms.not(right));
                    let next = self.learn(left)?;
                    let right = next.norm(right);
                    return next.learn(right);
                }
            }
            Node::Bin(Op::Eq, left, right) => {
                if let Some((symbol, value)) = self.solved(left, right) {
                    return self.bind(symbol, value);
                }
            }
            _ => {}
        }
        if let Some(symbol) = terms.as_symbol(condition) {
            let one = terms.true_();
            return self.bind(symbol, one);
        }
        if let Node::Not(inner) = terms.node(condition)
            && let Some(symbol) = terms.as_symbol(inner)
        {
            let zero = terms.false_();
            return self.bind(symbol, zero);
        }
        let world = self.world.clone();
        let terms = &world.context.terms;
        self.numbers.assume(terms, condition);
        // Bounds may leave a single value.
        for symbol in terms.symbols_of(condition).iter() {
            let term = terms.symbol_term(*symbol);
            if let Some(value) = self.numbers.constant(terms, term) {
                let value = terms.constant(value, terms.width(term));
                return self.bind(*symbol, value);
            }
        }
        self.settle()
    }

    /// An equation solved for a symbol: of those with an odd unit coefficient the one that says least.
    fn solved(&self, left: Term, right: Term) -> Option<(SymId, Term)> {
        let terms = self.terms();
        let difference = terms.sub(left, right);
        let sum = terms.linear(difference);
        let minus_one = crate::smt::mask(sum.width);
        let mut best: Option<(u32, SymId, Term)> = None;
        for &(coefficient, part) in &sum.parts {
            let Some(symbol) = terms.as_symbol(part) else { continue };
            if coefficient != 1 && coefficient != minus_one {
                continue;
            }
            // difference = ±symbol + rest, so symbol = ∓rest.
            let rest = if coefficient == 1 { terms.sub(difference, part) } else { terms.add(difference, part) };
            let value = if coefficient == 1 { terms.neg(rest) } else { rest };
            if terms.symbols_of(value).contains(&symbol) {
                continue;
            }
            if terms.trailing_zeros(value) < terms.symbol_info(symbol).alignment {
                continue;
            }
            let rank = match self.kind(symbol) {
                Some(SymbolKind::Address(_) | SymbolKind::Function(_)) => continue,
                Some(SymbolKind::Forgotten(_)) => 0,
                Some(SymbolKind::External(_)) => 1,
                Some(SymbolKind::Input(_)) => 2,
                Some(SymbolKind::Anchor(n)) => 1_000_000 - n.min(999_000),
                _ => 3,
            };
            if best.is_none_or(|(known, ..)| rank < known) {
                best = Some((rank, symbol, value));
            }
        }
        best.map(|(_, symbol, value)| (symbol, value))
    }

    /// Puts `value` in the place of `symbol` everywhere.
    fn bind(mut self, symbol: SymId, value: Term) -> Option<Self> {
        let world = self.world.clone();
        let terms = &world.context.terms;
        let by: FxHashMap<SymId, Term> = [(symbol, value)].into_iter().collect();
        let change = |term: Term| terms.substitute(term, &by);
        self.bound = self.bound.iter().map(|(known, term)| (*known, change(*term))).collect();
        self.bound.insert(symbol, value);
        Rc::make_mut(&mut self.cells).iter_mut().for_each(|cell| *cell = cell.map(&change));
        Rc::make_mut(&mut self.segments).iter_mut().for_each(|segment| segment.map(&change));
        Rc::make_mut(&mut self.blocks).iter_mut().for_each(|block| block.map(&change));
        if let Some(missing) = &mut self.missing {
            Rc::make_mut(missing).map(&change);
        }
        if self.numbers.ranges_mention(symbol)
            || self.numbers.constraints().iter().any(|known| terms.symbols_of(*known).contains(&symbol))
        {
            let facts: Vec<Term> = self.numbers.constraints().iter().copied().collect();
            let mut numbers = Intervals::default();
            let mut equations = Vec::new();
            for fact in facts {
                let fact = change(fact);
                match decided(terms, fact, &|part| numbers.known(terms, part)) {
                    Some(true) => {}
                    Some(false) => return None,
                    None => {
                        if matches!(terms.node(fact), Node::Bin(Op::Eq, ..)) {
                            equations.push(fact);
                        }
                        numbers.assume(terms, fact);
                    }
                }
            }
            self.numbers = numbers;
            for equation in equations {
                let equation = self.norm(equation);
                if let Node::Bin(Op::Eq, left, right) = terms.node(equation)
                    && let Some((symbol, value)) = self.solved(left, right)
                {
                    return self.bind(symbol, value);
                }
            }
        }
        self.settle()
    }

    /// Draws what follows from new equalities; `None` where they cannot be.
    pub(super) fn settle(mut self) -> Option<Self> {
        if self.overlaps() {
            return None;
        }
        let world = self.world.clone();
        let terms = &world.context.terms;
        for constraint in self.numbers.constraints() {
            if self.known_of_addresses_deep(*constraint) == Some(false) {
                return None;
            }
        }
        for index in 0..self.segments.len() {
            let segment = self.segments[index].clone();
            let ends = [Some(segment.first), segment.back.map(|(last, _)| last)];
            let has_room = ends.into_iter().flatten().all(|end| self.has_room_for(&segment, end));
            let is_closed = segment.first == segment.next && self.is_taken(segment.next);
            if !has_room || is_closed {
                // No node can stand there, so the list is empty.
                if segment.nonempty {
                    return None;
                }
                Rc::make_mut(&mut self.segments).remove(index);
                let mut equal = terms.eq(segment.first, segment.next);
                if let Some((last, prev)) = segment.back {
                    equal = terms.bool_and(equal, terms.eq(last, prev));
                }
                return self.settle_with(equal);
            }
            if !segment.nonempty && self.known(terms.eq(segment.first, segment.next)) == Some(false) {
                Rc::make_mut(&mut self.segments)[index].nonempty = true;
                return self.settle();
            }
            if let (false, Some((last, prev))) = (segment.nonempty, segment.back)
                && self.known(terms.eq(last, prev)) == Some(false)
            {
                Rc::make_mut(&mut self.segments)[index].nonempty = true;
                return self.settle();
            }
        }
        Some(self)
    }

    fn settle_with(self, equal: Term) -> Option<Self> {
        let equal = self.norm(equal);
        match self.known(equal) {
            Some(true) => self.settle(),
            Some(false) => None,
            None => self.learn(equal),
        }
    }

    /// A constraint that addresses refute.
    fn known_of_addresses_deep(&self, condition: Term) -> Option<bool> {
        decided(self.terms(), condition, &|part| self.known_of_addresses(part))
    }

    /// Whether a node could stand at an end of the segment: not at a number, nor where other bytes are.
    fn has_room_for(&self, segment: &Segment, end: Term) -> bool {
        let (base, offset) = self.split(end);
        if self.terms().as_const(base).is_some() {
            return false;
        }
        !segment.shape.bytes_of_node().any(|(from, size)| self.has_bytes(base, offset + from, size))
            && !self.segments.iter().any(|other| {
                other.nonempty
                    && !std::ptr::eq(other, segment)
                    && other != segment
                    && other.first == segment.first
                    && other.shape.overlaps(&segment.shape)
            })
    }

    /// Whether some cell has one of these bytes.
    pub(super) fn has_bytes(&self, base: Term, from: i64, size: i64) -> bool {
        self.cells.iter().any(|cell| {
            let (cell_base, at) = self.split(cell.at);
            let end = self.as_bytes(cell.size).map_or(at + 1, |n| at + n as i64);
            cell_base == base && at < from + size && from < end
        })
    }

    /// Whether something stands at the address for sure.
    fn is_taken(&self, address: Term) -> bool {
        let (base, offset) = self.split(address);
        self.terms().as_const(base).is_some() || self.has_bytes(base, offset, 1)
    }

    /// Two cells have a byte in common, or one stands at a number.
    fn overlaps(&self) -> bool {
        let mut extents: Vec<(Term, i64, i64)> = Vec::with_capacity(self.cells.len());
        for cell in self.cells.iter() {
            let (base, from) = self.split(cell.at);
            if self.terms().as_const(base).is_some() && self.as_bytes(cell.size) != Some(0) {
                return true;
            }
            extents.push((base, from, from + self.as_bytes(cell.size).map_or(0, |n| n as i64)));
        }
        extents.sort_unstable();
        extents.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[1].1 < pair[0].2)
    }
}
