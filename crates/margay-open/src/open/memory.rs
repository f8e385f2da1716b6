//! The `Memory` face of a symbolic heap: what C's operations do to it.

use std::rc::Rc;

use super::access::Reach;
use super::heap::{Block, Cell, SymbolicHeap, Value};
use crate::cfa::{BinOp, Bits, Conversion, FunctionId, NondetKind, UnOp};
use crate::heap::SymbolKind;
use crate::memory::rules::{Act, NoObject, Range, Rule};
use crate::memory::{BlockId, BlockSpec, FloatOp, Memory, Outcome, Outcomes, Search, Stuck, done, symbolic};
use crate::smt::{Node, Op, Term};

/// A copy of more bytes is not followed value by value.
const LONGEST_COPY: u64 = 4096;

impl SymbolicHeap {
    /// Goes on from each way the bytes are reached.
    fn at<T>(
        self,
        address: Term,
        bytes: u64,
        act: Act,
        mut then: impl FnMut(SymbolicHeap, Reach) -> Outcomes<SymbolicHeap, T>,
    ) -> Outcomes<SymbolicHeap, T> {
        let mut outcomes = Outcomes::new();
        for outcome in self.reach(address, bytes, act) {
            match outcome {
                Outcome::Next(heap, reach) => outcomes.extend(then(heap, reach)),
                Outcome::Fault(heap, fault) => outcomes.push(Outcome::Fault(heap, fault)),
                Outcome::Stuck(heap, stuck) => outcomes.push(Outcome::Stuck(heap, stuck)),
                Outcome::Miss(heap, miss) => outcomes.push(Outcome::Miss(heap, miss)),
            }
        }
        outcomes
    }

    /// A pointer comparison within one block, as one of offsets.
    fn offsets(&self, a: Term, b: Term) -> Option<(Term, Term)> {
        let terms = self.terms();
        let (a, b) = (self.norm(a), self.norm(b));
        if terms.width(a) != self.pointer_bits() {
            return None;
        }
        let sum = terms.linear(a);
        let base = sum.parts.iter().find_map(|&(coefficient, part)| {
            let symbol = terms.as_symbol(part).filter(|_| coefficient == 1)?;
            let is_address = matches!(self.kind(symbol), Some(SymbolKind::Address(_))) || self.block_at(part).is_some();
            (is_address && terms.linear(b).parts.contains(&(1, part))).then_some(part)
        })?;
        Some((terms.sub(a, base), terms.sub(b, base)))
    }

    fn load_value(self, address: Term, bytes: u64) -> Outcomes<Self, Term> {
        self.at(address, bytes, Act::Read, |mut heap, reach| {
            let value = match reach {
                Reach::Exactly { base, offset } => heap.read(base, offset, bytes),
                Reach::Somewhere { base } if heap.is_zero(base) => heap.terms().constant(0, 8 * bytes as u32),
                Reach::Somewhere { .. } => heap.unknown(8 * bytes as u32),
            };
            done(heap, value)
        })
    }

    /// All bytes behind the base are zero.
    fn is_zero(&self, base: Term) -> bool {
        self.cells.iter().filter(|cell| self.split(cell.at).0 == base).all(|cell| match cell.value {
            Value::Each(byte) => self.terms().as_const(byte) == Some(0),
            Value::Is(term) => self.terms().as_const(term) == Some(0),
            Value::Any => false,
        })
    }

    fn store_value(self, address: Term, value: Term) -> Outcomes<Self, ()> {
        let bytes = u64::from(self.terms().width(value).div_ceil(8));
        let value = self.terms().zext(self.norm(value), 8 * bytes as u32);
        self.at(address, bytes, Act::Write, |mut heap, reach| {
            match reach {
                Reach::Exactly { base, offset } => {
                    let value = heap.norm(value);
                    heap.write(base, offset, bytes, Value::Is(value));
                }
                Reach::Somewhere { base } => heap.blur(base),
            }
            done(heap, ())
        })
    }

    /// Sets bytes to one value each.
    fn set(self, address: Term, value: Value, size: Term) -> Outcomes<Self, ()> {
        let size = self.norm(size);
        match self.as_bytes(size) {
            Some(0) => done(self, ()),
            Some(bytes) => self.at(address, bytes, Act::Write, |mut heap, reach| {
                match reach {
                    Reach::Exactly { base, offset } => heap.write(base, offset, bytes, value),
                    Reach::Somewhere { base } => heap.blur(base),
                }
                done(heap, ())
            }),
            None => self.range(address, size, Act::Write, &mut |mut heap, position| {
                Rc::make_mut(&mut heap.cells)[position].value = value;
                heap
            }),
        }
    }

    /// A range of a size that is no number: it must be one cell, or be abduced as one.
    fn range(
        self,
        address: Term,
        size: Term,
        act: Act,
        change: &mut dyn FnMut(SymbolicHeap, usize) -> SymbolicHeap,
    ) -> Outcomes<Self, ()> {
        let mut outcomes = Outcomes::new();
        let terms = &self.world.context.terms;
        let zero = act.does_nothing(terms, address, size);
        if let Some(heap) = self.clone().restrict(zero) {
            outcomes.push(Outcome::Next(heap, ()));
        }
        let some = terms.not(zero);
        let Some(mut heap) = self.restrict(some) else { return outcomes };
        let (address, size) = (heap.norm(address), heap.norm(size));
        if let Some(position) = heap.cells.iter().position(|cell| cell.at == address && cell.size == size) {
            outcomes.push(Outcome::Next(change(heap, position), ()));
            return outcomes;
        }
        let (base, offset) = heap.split(address);
        let is_free = heap.block_at(base).is_none()
            && heap.static_at(base).is_none()
            && !heap.has_bytes(base, offset, i64::from(i32::MAX))
            && heap.terms().as_const(base).is_none();
        if heap.missing.is_some() && is_free && heap.is_controlled(base) && heap.is_controlled(size) {
            let cell = Cell { at: address, size, value: Value::Any };
            heap.add_cell(cell);
            heap.missing_mut(|missing| missing.cells.push(cell));
            let position = heap.cells.len() - 1;
            outcomes.push(Outcome::Next(change(heap, position), ()));
            return outcomes;
        }
        // Within a block: check its bounds, and forget what stands there.
        let Some(index) = heap.block_at(base) else {
            outcomes.push(match heap.terms().as_const(address) {
                Some(number) => Outcome::Fault(heap, NoObject::of_number(number as u64).fault(act, None)),
                None => Outcome::Stuck(heap, Stuck::tool("a block operation of a size that is no number")),
            });
            return outcomes;
        };
        let block = heap.blocks[index].clone();
        if let Some(fault) = block.broken(None, 0, 0, act) {
            outcomes.push(Outcome::Fault(heap.blaming(block.start), fault));
            return outcomes;
        }
        let terms = heap.terms();
        let range = Range { offset: terms.sub(address, block.start), bytes: size };
        let fits = Rule::InBounds.holds(terms, &block.extent(terms), &range);
        let misfits = terms.not(fits);
        let may_learn = heap.missing.is_some() && heap.is_controlled(fits);
        let inside = heap.clone().restrict(fits);
        if (!may_learn || inside.is_none())
            && let Some(heap) = heap.restrict(misfits)
        {
            let fault = block.beyond(act, None, None);
            outcomes.push(Outcome::Fault(heap.blaming(block.start), fault));
        }
        if let Some(mut heap) = inside {
            if !heap.has_whole(index) {
                outcomes.push(Outcome::Stuck(heap, Stuck::tool("parts of a block are elsewhere")));
                return outcomes;
            }
            let whole = heap.cells.iter().position(|cell| cell.at == address && cell.size == block.size);
            match whole {
                Some(position) if heap.terms().eq(size, block.size) == heap.terms().true_() => {
                    outcomes.push(Outcome::Next(change(heap, position), ()));
                }
                _ => {
                    heap.blur(base);
                    outcomes.push(Outcome::Next(heap, ()));
                }
            }
        }
        outcomes
    }

    fn copy_bytes(self, to: Term, from: Term, size: Term) -> Outcomes<Self, ()> {
        let size = self.norm(size);
        let bytes = match self.as_bytes(size) {
            Some(0) => return done(self, ()),
            Some(bytes) if bytes <= LONGEST_COPY => bytes,
            _ => {
                // Both ranges have to be there; what arrives is not followed.
                let mut outcomes = Outcomes::new();
                for outcome in self.range(from, size, Act::Read, &mut |heap, _| heap) {
                    match outcome {
                        Outcome::Next(heap, ()) => outcomes.extend(heap.set(to, Value::Any, size)),
                        other => outcomes.push(other),
                    }
                }
                return outcomes;
            }
        };
        self.at(from, bytes, Act::Read, |mut heap, reach| {
            let pieces = match reach {
                Reach::Exactly { base, offset } => heap.pieces(base, offset, bytes),
                Reach::Somewhere { .. } => vec![(0, bytes, Value::Any)],
            };
            heap.at(to, bytes, Act::Write, |mut heap, reach| {
                match reach {
                    Reach::Exactly { base, offset } => {
                        for &(at, bytes, value) in &pieces {
                            let value = match value {
                                Value::Is(term) => Value::Is(heap.norm(term)),
                                other => other,
                            };
                            heap.write(base, offset + at as i64, bytes, value);
                        }
                    }
                    Reach::Somewhere { base } => heap.blur(base),
                }
                done(heap, ())
            })
        })
    }

    /// What stands in these bytes, piece by piece: offset, bytes, value.
    pub(super) fn pieces(&mut self, base: Term, offset: i64, bytes: u64) -> Vec<(u64, u64, Value)> {
        let end = offset + bytes as i64;
        let mut pieces = Vec::new();
        for index in 0..self.cells.len() {
            let cell = self.cells[index];
            let (cell_base, from) = self.split(cell.at);
            let Some(size) = self.as_bytes(cell.size) else { continue };
            let to = from + size as i64;
            if cell_base != base || to <= offset || end <= from {
                continue;
            }
            let (low, high) = (from.max(offset), to.min(end));
            let value = match cell.value {
                Value::Is(term) => {
                    let (low, high) = (8 * (low - from) as u32, 8 * (high - from) as u32);
                    Value::Is(self.terms().extract(term, high - 1, low))
                }
                other => other,
            };
            pieces.push(((low - offset) as u64, (high - low) as u64, value));
        }
        pieces.sort_unstable_by_key(|piece| piece.0);
        pieces
    }
}

impl Memory for SymbolicHeap {
    type Value = Term;

    fn constant(&mut self, bits: Bits) -> Term {
        symbolic::constant(self.terms(), bits)
    }

    fn width(&self, value: &Term) -> u32 {
        self.terms().width(*value)
    }

    fn unary(&mut self, op: UnOp, operand: &Term) -> Term {
        symbolic::unary(self.terms(), op, *operand)
    }

    fn binary(&mut self, op: BinOp, left: &Term, right: &Term) -> Term {
        let terms = self.terms();
        match (op, self.offsets(*left, *right)) {
            (BinOp::Ult, Some((left, right))) => terms.ult(left, right),
            (BinOp::Ule, Some((left, right))) => terms.ule(left, right),
            _ => symbolic::binary(terms, op, self.norm(*left), self.norm(*right)),
        }
    }

    fn convert(&mut self, conversion: Conversion, width: u32, operand: &Term) -> Term {
        symbolic::convert(self.terms(), conversion, width, *operand)
    }

    fn ite(&mut self, condition: &Term, then: &Term, otherwise: &Term) -> Term {
        self.terms().ite(*condition, *then, *otherwise)
    }

    fn float(&mut self, op: FloatOp, operands: &[Term]) -> Term {
        let world = self.world.clone();
        let known = symbolic::float(&world.context.terms, op, operands, &mut |width| self.unknown(width));
        known.unwrap_or_else(|| self.unknown(op.result_width()))
    }

    fn open_where(&mut self, condition: &Term, value: &Term) -> Term {
        if self.known(*condition) == Some(false) {
            return *value;
        }
        let any = self.unknown(self.terms().width(*value));
        self.terms().ite(*condition, any, *value)
    }

    fn block_address(&mut self, block: BlockId) -> Term {
        match self.addresses.get(block.index()) {
            Some(address) => self.norm(*address),
            None => self.unknown(self.pointer_bits()),
        }
    }

    fn function_address(&mut self, function: FunctionId) -> Term {
        self.context().symbol(SymbolKind::Function(function), self.pointer_bits(), 0)
    }

    fn nondet(&mut self, kind: &NondetKind, width: u32) -> Term {
        match kind {
            NondetKind::Input(_) | NondetKind::Uninitialised => self.arbitrary(width),
            NondetKind::Number(name) => {
                self.world.assumed.borrow_mut().insert(name.clone());
                self.arbitrary(width)
            }
            NondetKind::External(name) => {
                let n = self.next_input;
                self.next_input += 1;
                self.world.assumed.borrow_mut().insert(name.clone());
                self.context().symbol(SymbolKind::External(n), width, 0)
            }
        }
    }

    fn may_hold_pointer(&self, _value: &Term) -> bool {
        // Leaks are looked for where the function ends: what is not read before is of no use.
        false
    }

    fn assume(self, condition: &Term) -> Outcomes<Self, ()> {
        self.restrict(*condition).into_iter().map(|heap| Outcome::Next(heap, ())).collect()
    }

    fn decide(&self, condition: &Term) -> Option<bool> {
        self.known(*condition)
    }

    fn create(&mut self, spec: BlockSpec<Term>) -> BlockId {
        let id = BlockId::from_index(self.addresses.len());
        let alignment = spec.align.max(1).trailing_zeros();
        let start = self.context().symbol(SymbolKind::Address(id), self.pointer_bits(), alignment);
        Rc::make_mut(&mut self.addresses).push(start);
        let size = self.norm(spec.size);
        let value = if spec.zeroed { Value::Each(self.terms().constant(0, 8)) } else { Value::Any };
        if self.as_bytes(size) != Some(0) {
            self.add_cell(Cell { at: start, size, value });
        }
        let block = Block { start, size, kind: spec.kind, live: true, foreign: false, origin: spec.origin };
        Rc::make_mut(&mut self.blocks).push(block);
        id
    }

    fn initialise(self, _block: BlockId, address: &Term, value: &Term) -> Outcomes<Self, ()> {
        self.store_value(*address, *value)
    }

    fn invalidate(&mut self, block: BlockId) {
        if let Some(address) = self.addresses.get(block.index()).copied()
            && let Some(index) = self.block_at(self.norm(address))
        {
            self.kill(index);
        }
    }

    fn release(self, address: &Term) -> Outcomes<Self, ()> {
        self.free(*address)
    }

    fn block_size(self, address: &Term) -> Outcomes<Self, Term> {
        self.heap_block(*address, Act::Reallocate, |heap, index| {
            let size = heap.blocks[index].size;
            done(heap, size)
        })
    }

    fn load(self, address: &Term, bytes: u32) -> Outcomes<Self, Term> {
        self.load_value(*address, bytes.into())
    }

    fn store(self, address: &Term, value: &Term) -> Outcomes<Self, ()> {
        self.store_value(*address, *value)
    }

    fn copy(self, to: &Term, from: &Term, size: &Term) -> Outcomes<Self, ()> {
        self.copy_bytes(*to, *from, *size)
    }

    fn fill(self, to: &Term, byte: &Term, size: &Term) -> Outcomes<Self, ()> {
        let byte = self.norm(*byte);
        self.set(*to, Value::Each(byte), *size)
    }

    fn find(self, search: &Search<Term>) -> Outcomes<Self, Term> {
        search.short(self)
    }

    fn havoc(self, to: &Term, size: &Term) -> Outcomes<Self, ()> {
        self.set(*to, Value::Any, *size)
    }

    fn call_targets(self, pointer: &Term, candidates: &[FunctionId]) -> Outcomes<Self, FunctionId> {
        let pointer = self.norm(*pointer);
        if let Some(number) = self.terms().as_const(pointer) {
            let fault = NoObject::of_number(number as u64).fault_of_call();
            return Outcomes::from_iter([Outcome::Fault(self, fault)]);
        }
        if let Node::Sym(symbol) = self.terms().node(pointer)
            && let Some(SymbolKind::Function(function)) = self.kind(symbol)
        {
            return done(self, function);
        }
        // Whatever function it may be.
        let mut outcomes = Outcomes::new();
        let mut other = Some(self);
        for function in candidates {
            let Some(mut heap) = other.take() else { break };
            if !heap.world.targets.contains(function) {
                other = Some(heap);
                continue;
            }
            let address = heap.function_address(*function);
            let equal = heap.terms().binary(Op::Eq, pointer, address);
            let differs = heap.terms().not(equal);
            outcomes.extend(heap.clone().restrict(equal).map(|heap| Outcome::Next(heap, *function)));
            other = heap.restrict(differs);
        }
        outcomes.extend(other.map(|heap| {
            Outcome::Stuck(heap, Stuck::foreign("a function is called through a pointer that may lead anywhere"))
        }));
        outcomes
    }

    fn leaked(&self, _roots: &mut dyn Iterator<Item = &Term>) -> Option<Rc<str>> {
        // Leaks are looked for where the function ends (`leaks`).
        None
    }

    fn live_heap_block(&self) -> Option<Rc<str>> {
        None
    }
}
