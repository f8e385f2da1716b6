//! The concrete memory: exactly one state, every operation exact.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::arithmetic;
use super::block::{Block, Layout, function_address};
use super::content::{Content, TooLarge};
use super::leaks::{self, Leaks};
use super::page::{Fill, join};
use super::source::{Feed, Source};
use super::value::{Provenance, Value};
use crate::cfa::{BinOp, Bits, ByteSet, Conversion, FunctionId, NondetKind, NumberPart, UnOp};
use crate::memory::Inputs;
use crate::memory::rules::{Act, NoObject, Plain};
use crate::memory::{Beyond, BlockId, BlockSpec, Fault, FloatOp, Memory, Outcome, Outcomes, Search, Stuck, done};
use crate::task::DataModel;

/// One state of memory, with the source of arbitrary values. Moving it is cheap, cloning copies everything.
#[derive(Clone, Debug)]
pub struct Concrete(pub(super) Box<Inner>);

#[derive(Clone, Debug)]
pub(super) struct Inner {
    pub blocks: Vec<Block>,
    pub layout: Layout,
    pub leaks: Leaks,
    pub feed: Feed,
    /// Which of the memory's own limits the run met.
    exhausted: Option<Rc<str>>,
    /// A value of [`Provenance::Mixed`] was made.
    pub mixed: bool,
    /// Bytes of an object defined elsewhere were read.
    pub read_foreign: bool,
    /// The block that was lost, or that a wrong access or `free` is about: for people.
    pub blamed: Cell<Option<BlockId>>,
    /// Memory that is no object of the program, as far as it was used: bytes, and what they may be used to reach.
    pub outside: BTreeMap<u64, (u8, Provenance)>,
    /// It was used, or an access led nowhere and the run went on.
    went_outside: bool,
}

/// Why an address cannot be used.
pub(super) enum Refusal {
    Fault(Fault),
    Stuck(Stuck),
}

impl Refusal {
    fn into_outcome<T>(self, memory: Concrete) -> Outcomes<Concrete, T> {
        smallvec![match self {
            Refusal::Fault(fault) => Outcome::Fault(memory, fault),
            Refusal::Stuck(stuck) => Outcome::Stuck(memory, stuck),
        }]
    }
}

impl Concrete {
    /// An empty memory whose arbitrary values come from `source`.
    pub fn new(model: DataModel, source: Source) -> Self {
        Self(Box::new(Inner {
            blocks: Vec::new(),
            layout: Layout::new(model, source.addresses()),
            leaks: Leaks::default(),
            feed: Feed::new(source),
            exhausted: None,
            mixed: false,
            read_foreign: false,
            blamed: Cell::new(None),
            outside: BTreeMap::new(),
            went_outside: false,
        }))
    }

    /// Which of the memory's own limits the run met, if so: what follows has no meaning. Values are total, which is why the memory
    /// only notes it.
    pub fn exhausted(&self) -> Option<&Rc<str>> {
        self.0.exhausted.as_ref()
    }

    /// The inputs used so far: a run given these is the same run.
    pub fn used_inputs(&self) -> &Inputs {
        &self.0.feed.used
    }

    /// How many values were given before each part of the input, where the run is at its end.
    pub(super) fn take_parts(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.0.feed.parts)
    }

    /// See [`super::Run::outside`].
    pub fn went_outside(&self) -> bool {
        self.0.went_outside
    }

    /// See [`super::Run::indeterminate`].
    pub fn indeterminate(&self) -> u64 {
        self.0.feed.indeterminate
    }

    /// The first library function whose result the run made up although its arguments decide it.
    pub fn approximated(&self) -> Option<&Rc<str>> {
        self.0.feed.approximated.as_ref()
    }

    /// What there is to compare in [`Concrete::is_like`], in words.
    pub(super) fn weight(&self) -> u64 {
        self.0.blocks.iter().map(|block| 1 + block.content.bytes() / 8).sum()
    }

    /// Whether a run goes on from here as from `other`, an earlier state of the same run. It may be `false` without need. With
    /// `repeated_inputs` it goes on so if it is given the same inputs as it was since.
    pub(super) fn is_like(&self, other: &Self, repeated_inputs: bool) -> bool {
        // What the search for leaks remembers between two searches does not change what it finds.
        let Inner {
            blocks,
            layout,
            leaks: _,
            feed,
            exhausted,
            mixed,
            read_foreign,
            blamed: _,
            outside,
            went_outside: _,
        } = self.inner();
        let before = other.inner();
        let is_given_alike = match repeated_inputs {
            true => feed.has_given_inputs_only_since(&before.feed),
            false => feed.has_given_as_much_as(&before.feed),
        };
        is_given_alike
            && (exhausted, mixed, read_foreign) == (&before.exhausted, &before.mixed, &before.read_foreign)
            && *layout == before.layout
            && *outside == before.outside
            && *blocks == before.blocks
    }

    pub(super) fn inner_mut(&mut self) -> &mut Inner {
        &mut self.0
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.0
    }

    fn note(&mut self, limit: &str) {
        self.0.exhausted.get_or_insert_with(|| limit.into());
    }

    fn note_too_large(&mut self, _: TooLarge) {
        self.note("an operation on a huge part of a block");
    }

    /// The provenance of `left op right`: of what the result points into, where that is clear.
    fn provenance(&mut self, op: BinOp, left: &Value, right: &Value, result: Bits) -> Provenance {
        use Provenance::{Block, Difference, External, Mixed, None};
        match (left.provenance, right.provenance) {
            (Block(a), Block(b)) if a == b => {
                // The difference of two pointers into one block is a number, unless one of them was a part of a pointer.
                let inside = self.0.blocks[a.index()].spans(result.value as u64, &self.0.layout);
                return if op == BinOp::Sub && !inside { None } else { Block(a) };
            }
            (Block(_), Block(_)) if op == BinOp::Sub => return Difference,
            (one, other @ (None | External)) | (other @ (None | External), one) => return join(one, other),
            (one, other) if one == other => return one,
            _ => {}
        }
        let hits = |provenance| match provenance {
            Block(block) => self.0.blocks[block.index()].spans(result.value as u64, &self.0.layout),
            _ => false,
        };
        match (hits(left.provenance), hits(right.provenance)) {
            (true, false) => left.provenance,
            (false, true) => right.provenance,
            _ => {
                self.0.mixed = true;
                Mixed
            }
        }
    }

    /// Runs an operation on a block's content that may overwrite pointers.
    fn change<T>(&mut self, id: BlockId, change: impl FnOnce(&mut Content, &mut dyn FnMut(BlockId)) -> T) -> T {
        let Inner { blocks, leaks, .. } = &mut *self.0;
        change(&mut blocks[id.index()].content, &mut |block| leaks.suspect(block))
    }

    /// `id` may hold pointers from now on.
    fn mark_holder(&mut self, id: BlockId) {
        let block = &mut self.0.blocks[id.index()];
        if !block.holds_pointers {
            block.holds_pointers = true;
            if block.kind.is_root() {
                self.0.leaks.holders.insert(id);
            }
        }
    }

    pub(super) fn write(&mut self, id: BlockId, offset: u64, value: &Value) {
        let len = value.bits.width.div_ceil(8) as usize;
        let Value { bits, provenance } = *value;
        self.change(id, |content, lost| content.write(offset, len, bits.value, provenance, lost));
        if provenance != Provenance::None {
            self.mark_holder(id);
        }
    }

    /// The block dies, and with it the pointers in it.
    fn bury(&mut self, id: BlockId) {
        let Inner { blocks, leaks, layout, .. } = &mut *self.0;
        let block = &mut blocks[id.index()];
        layout.retire(block.kind, block.size, block.base);
        if block.holds_pointers {
            block.content.for_each_pointer(&mut |provenance| {
                if let Provenance::Block(target) = provenance {
                    leaks.suspect(target);
                }
            });
            leaks.holders.remove(&id);
        }
        if block.kind.can_leak() {
            leaks.heap.remove(&id);
        }
        block.bury();
    }

    /// A size or length as a number.
    fn length(value: &Value) -> u64 {
        u64::try_from(value.bits.value).unwrap_or(u64::MAX)
    }

    /// Bytes that are left open are a part of the input, the first `known.0` of them members of a set.
    fn fill_with(mut self, to: &Value, fill: Fill, size: &Value, known: Option<(u64, ByteSet)>) -> Outcomes<Self, ()> {
        let size = Self::length(size);
        if Act::Write.does_nothing(&Plain, to.bits.value as u64, size) {
            return done(self, ());
        }
        match self.locate(to, size, Act::Write) {
            Ok((id, offset)) => {
                let feed = &mut self.0.feed;
                match fill {
                    Fill::Unknown => feed.receive(id.0, offset..offset + size, known),
                    Fill::Byte(_) => feed.received.forget(id.0, &(offset..offset + size)),
                }
                if let Err(too_large) = self.change(id, |content, lost| content.fill(offset, size, fill, lost)) {
                    self.note_too_large(too_large);
                }
                done(self, ())
            }
            Err(refusal) => refusal.into_outcome(self),
        }
    }
}

pub(super) const FOREIGN_POINTER: &str = "a pointer from an undefined function is used";
pub(super) const MIXED_POINTER: &str = "a pointer computed from several pointers is used";

impl Memory for Concrete {
    type Value = Value;

    fn constant(&mut self, bits: Bits) -> Value {
        Value::plain(bits)
    }

    fn width(&self, value: &Value) -> u32 {
        value.bits.width
    }

    fn unary(&mut self, op: UnOp, operand: &Value) -> Value {
        Value::derived(arithmetic::unary(op, operand.bits), operand.provenance)
    }

    fn binary(&mut self, op: BinOp, left: &Value, right: &Value) -> Value {
        debug_assert_eq!(left.bits.width, right.bits.width);
        let bits = arithmetic::binary(op, left.bits, right.bits);
        if (left.provenance, right.provenance) == (Provenance::None, Provenance::None) || bits.width == 1 {
            return Value::plain(bits);
        }
        Value { bits, provenance: self.provenance(op, left, right, bits) }
    }

    fn convert(&mut self, conversion: Conversion, width: u32, operand: &Value) -> Value {
        Value::derived(arithmetic::convert(conversion, width, operand.bits), operand.provenance)
    }

    fn ite(&mut self, condition: &Value, then: &Value, otherwise: &Value) -> Value {
        if condition.bits.value == 1 { *then } else { *otherwise }
    }

    fn float(&mut self, op: FloatOp, operands: &[Value]) -> Value {
        let operands: SmallVec<[Bits; 2]> = operands.iter().map(|operand| operand.bits).collect();
        let (bits, is_open) = arithmetic::float(op, &operands);
        self.0.feed.indeterminate += u64::from(is_open);
        Value::plain(bits)
    }

    fn open_where(&mut self, condition: &Value, value: &Value) -> Value {
        self.0.feed.indeterminate += u64::from(condition.bits.value == 1);
        *value
    }

    fn block_address(&mut self, block: BlockId) -> Value {
        let bits = Bits::new(self.0.blocks[block.index()].base.into(), self.0.layout.pointer_bits);
        Value { bits, provenance: Provenance::Block(block) }
    }

    fn function_address(&mut self, function: FunctionId) -> Value {
        let bits = Bits::new(function_address(function).into(), self.0.layout.pointer_bits);
        Value { bits, provenance: Provenance::Function(function) }
    }

    fn nondet(&mut self, kind: &NondetKind, width: u32) -> Value {
        let bits = self.0.feed.value(kind, width);
        match kind {
            NondetKind::External(_) => Value::derived(bits, Provenance::External),
            NondetKind::Number(_) | NondetKind::Input(_) | NondetKind::Uninitialised => Value::plain(bits),
        }
    }

    fn may_hold_pointer(&self, value: &Value) -> bool {
        !matches!(value.provenance, Provenance::None | Provenance::External | Provenance::Difference)
    }

    fn assume(self, condition: &Value) -> Outcomes<Self, ()> {
        if condition.bits.value == 1 { done(self, ()) } else { Outcomes::new() }
    }

    fn decide(&self, condition: &Value) -> Option<bool> {
        Some(condition.bits.value == 1)
    }

    fn create(&mut self, spec: BlockSpec<Value>) -> BlockId {
        let id = BlockId::from_index(self.0.blocks.len());
        let size = Self::length(&spec.size);
        let base = self.0.layout.place(spec.kind, size, spec.align).unwrap_or_else(|| {
            self.note("the address space is used up");
            0
        });
        let fill = if spec.zeroed { Fill::Byte(0) } else { Fill::Unknown };
        self.0.blocks.push(Block {
            kind: spec.kind,
            live: true,
            base,
            size,
            name: spec.origin.name,
            content: Content::new(size, fill),
            holds_pointers: false,
        });
        if spec.kind.can_leak() {
            self.0.leaks.heap.insert(id);
            // Its address may go to a register that is never read.
            self.0.leaks.suspect(id);
        }
        id
    }

    fn initialise(mut self, block: BlockId, address: &Value, value: &Value) -> Outcomes<Self, ()> {
        let target = &self.0.blocks[block.index()];
        let offset = self.offset(address, target);
        if offset.checked_add(value.bits.width.div_ceil(8).into()).is_none_or(|end| end > target.size) {
            return smallvec![Outcome::Stuck(self, Stuck::tool("an initialiser outside its object"))];
        }
        self.write(block, offset, value);
        done(self, ())
    }

    fn invalidate(&mut self, block: BlockId) {
        self.bury(block);
    }

    fn release(mut self, address: &Value) -> Outcomes<Self, ()> {
        if Act::Free.does_nothing(&Plain, address.bits.value as u64, 0) {
            return done(self, ());
        }
        match self.locate(address, 0, Act::Free) {
            Ok((id, _)) => {
                self.bury(id);
                done(self, ())
            }
            Err(refusal) => refusal.into_outcome(self),
        }
    }

    fn block_size(self, address: &Value) -> Outcomes<Self, Value> {
        match self.locate(address, 0, Act::Reallocate) {
            Ok((id, _)) => {
                let size = Value::number(self.0.blocks[id.index()].size.into(), self.0.layout.pointer_bits);
                done(self, size)
            }
            Err(refusal) => refusal.into_outcome(self),
        }
    }

    fn load(mut self, address: &Value, bytes: u32) -> Outcomes<Self, Value> {
        let (id, offset) = match self.locate(address, bytes.into(), Act::Read) {
            Ok(place) => place,
            Err(refusal) => return refusal.into_outcome(self),
        };
        let len = bytes as usize;
        let mut read = self.0.blocks[id.index()].content.read(offset, len);
        if read.is_none() {
            self.settle(id, offset, len);
            read = self.0.blocks[id.index()].content.read(offset, len);
        }
        let (value, provenance) = read.unwrap_or_default();
        self.0.mixed |= provenance == Provenance::Mixed;
        done(self, Value { bits: Bits::new(value, bytes * 8), provenance })
    }

    fn store(mut self, address: &Value, value: &Value) -> Outcomes<Self, ()> {
        match self.locate(address, value.bits.width.div_ceil(8).into(), Act::Write) {
            Ok((id, offset)) => {
                self.write(id, offset, value);
                done(self, ())
            }
            Err(refusal) => refusal.into_outcome(self),
        }
    }

    fn peek(&self, address: &Value, bytes: u32) -> Option<Value> {
        let (id, offset) = self.locate(address, bytes.into(), Act::Read).ok()?;
        let (value, provenance) = self.0.blocks[id.index()].content.read(offset, bytes as usize)?;
        (provenance != Provenance::Mixed).then_some(Value { bits: Bits::new(value, bytes * 8), provenance })
    }

    fn poke(&mut self, address: &Value, value: &Value) -> bool {
        let Ok((id, offset)) = self.locate(address, value.bits.width.div_ceil(8).into(), Act::Write) else {
            return false;
        };
        self.write(id, offset, value);
        true
    }

    fn copy(mut self, to: &Value, from: &Value, size: &Value) -> Outcomes<Self, ()> {
        let size = Self::length(size);
        if Act::Write.does_nothing(&Plain, to.bits.value as u64, size) {
            return done(self, ());
        }
        let (source, start) = match self.locate(from, size, Act::Read) {
            Ok(place) => place,
            Err(refusal) => return refusal.into_outcome(self),
        };
        let (target, offset) = match self.locate(to, size, Act::Write) {
            Ok(place) => place,
            Err(refusal) => return refusal.into_outcome(self),
        };
        self.settle_copied(source, start, size);
        match self.0.blocks[source.index()].content.cut(start, size, offset) {
            Ok(pieces) => {
                self.0.feed.received.copy((source.0, start..start + size), (target.0, offset));
                self.change(target, |content, lost| content.paste(offset, &pieces, lost));
                if self.0.blocks[source.index()].holds_pointers {
                    self.mark_holder(target);
                }
            }
            Err(too_large) => self.note_too_large(too_large),
        }
        done(self, ())
    }

    fn fill(self, to: &Value, byte: &Value, size: &Value) -> Outcomes<Self, ()> {
        let byte = byte.bits.value as u8;
        self.fill_with(to, Fill::Byte(byte), size, None)
    }

    fn havoc(self, to: &Value, size: &Value) -> Outcomes<Self, ()> {
        self.fill_with(to, Fill::Unknown, size, None)
    }

    fn read_line(self, to: &Value, size: &Value) -> Outcomes<Self, ()> {
        let last = Self::length(size).saturating_sub(1);
        self.fill_with(to, Fill::Unknown, size, Some((last, ByteSet::NO_NEWLINE)))
    }

    fn havoc_among(self, to: &Value, size: &Value, set: &[Value]) -> Outcomes<Self, ()> {
        let set = ByteSet(std::array::from_fn(|part| set[part].bits.value as u64));
        let count = Self::length(size);
        self.fill_with(to, Fill::Unknown, size, Some((count, set)))
    }

    fn find(self, search: &Search<Value>) -> Outcomes<Self, Value> {
        search.by_bytes(self, (0, usize::MAX), &mut |_, _| Outcomes::new())
    }

    fn number(&mut self, address: &Value, base: &Value, part: NumberPart, given: Value) -> Value {
        self.number_at(address, base.bits.value as u32, part, given.bits)
    }

    fn beyond(&self) -> Beyond {
        Beyond::OneWay
    }

    fn go_outside(&mut self) {
        self.0.went_outside = true;
    }

    fn load_outside(self, address: &Value, given: &Value) -> Outcomes<Self, Value> {
        self.read_outside(address, given)
    }

    fn store_outside(self, address: &Value, value: &Value) -> Outcomes<Self, ()> {
        self.write_outside(address, value)
    }

    fn copy_outside(self, to: &Value, from: &Value, size: &Value) -> Outcomes<Self, ()> {
        let size = Self::length(size);
        self.carry_outside(to, from, size)
    }

    fn fill_outside(self, to: &Value, byte: Option<&Value>, size: &Value) -> Outcomes<Self, ()> {
        let size = Self::length(size);
        self.set_outside(to, byte.map(|byte| byte.bits.value as u8), size)
    }

    fn doubt(&mut self, what: &str) {
        self.0.feed.approximated.get_or_insert_with(|| what.into());
    }

    fn call_targets(self, pointer: &Value, candidates: &[FunctionId]) -> Outcomes<Self, FunctionId> {
        let address = pointer.bits.value;
        let what = match pointer.provenance {
            Provenance::Function(function) if u128::from(function_address(function)) == address => {
                return if candidates.contains(&function) {
                    done(self, function)
                } else {
                    smallvec![Outcome::Stuck(
                        self,
                        Stuck::foreign("a call through a pointer to a function without a body")
                    )]
                };
            }
            Provenance::External => return Refusal::Stuck(Stuck::foreign(FOREIGN_POINTER)).into_outcome(self),
            Provenance::Mixed | Provenance::Difference => {
                return Refusal::Stuck(Stuck::tool(MIXED_POINTER)).into_outcome(self);
            }
            Provenance::None if self.may_be_foreign(pointer) => {
                return Refusal::Stuck(Stuck::foreign(FOREIGN_POINTER)).into_outcome(self);
            }
            _ => NoObject::of_number(address as u64),
        };
        smallvec![Outcome::Fault(self, what.fault_of_call())]
    }

    fn leaked(&self, roots: &mut dyn Iterator<Item = &Value>) -> Option<Rc<str>> {
        let Inner { blocks, layout, leaks, mixed, .. } = self.inner();
        // A value that mixes pointers (a list linked by xor) may stand for any of them: no claim then.
        if *mixed {
            return None;
        }
        let id = leaks::find(&leaks::Blocks { blocks, layout, leaks }, roots)?;
        self.0.blamed.set(Some(id));
        Some(self.0.blocks[id.index()].describe().into())
    }

    fn live_heap_block(&self) -> Option<Rc<str>> {
        let id = self.0.leaks.heap.first()?;
        Some(self.0.blocks[id.index()].describe().into())
    }
}
