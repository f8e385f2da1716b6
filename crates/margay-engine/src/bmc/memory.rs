//! The flat memory as a [`Memory`]: values are terms, faults are conditions, and nothing is distinguished that an if-then-else
//! can hold.

use std::rc::Rc;

use smallvec::smallvec;

use super::blocks::{self, BlocksId};
use super::content::{self, ContentId};
use super::world::{Event, LOWEST, Moment, Placement, World};
use crate::cfa::{BinOp, Bits, Conversion, FunctionId, NondetKind, UnOp};
use crate::memory::rules::{Act, NoObject};
use crate::memory::{
    BlockId, BlockKind, BlockSpec, Fault, FloatOp, Memory, Outcome, Outcomes, Search, Stuck, done, symbolic,
};
use crate::smt::{Term, Terms};
use crate::task::DataModel;

/// A memory with byte addresses of the data model's width (section 4.1 of the paper).
#[derive(Clone)]
pub struct Flat {
    pub(super) world: Rc<World>,
    /// The runs this memory is about.
    pub(super) guard: Term,
    pub(super) content: ContentId,
    pub(super) blocks: BlocksId,
    /// Behind all blocks made so far.
    pub(super) frontier: Term,
    /// Base and size of what the frames' blocks are.
    pub(super) table: Rc<Vec<(Term, Term)>>,
    /// The next thing that happens.
    pub(super) now: Moment,
}

/// Which rule it is that a formula says does not hold is not known.
const NO_BLOCK: NoObject = NoObject::Other("an address that no live block allows it at");
const FOREIGN_POINTER: &str = "a pointer from an undefined function is used";

impl Flat {
    /// A memory without blocks, with terms of its own.
    pub fn new(model: DataModel) -> Self {
        Self::empty(World::new(model, Placement::Fresh))
    }

    /// What its values are terms of.
    pub fn terms(&self) -> &Terms {
        &self.world.terms
    }

    /// The 1-bit condition that the runs this memory is about fulfil.
    pub fn guard(&self) -> Term {
        self.guard
    }

    /// No blocks yet.
    pub(super) fn empty(world: Rc<World>) -> Self {
        Self {
            guard: world.terms.true_(),
            content: content::ROOT,
            blocks: blocks::ROOT,
            frontier: world.pointer(LOWEST),
            table: Rc::default(),
            now: Moment::default(),
            world,
        }
    }

    /// The runs on which `condition` holds, unless there are none.
    pub(super) fn restricted(mut self, condition: Term) -> Option<Self> {
        self.guard = self.world.terms.bool_and(self.guard, condition);
        (!self.world.terms.is_false(self.guard)).then_some(self)
    }

    /// A new unknown.
    pub(super) fn unknown(&mut self, width: u32) -> Term {
        let symbol = self.world.symbol(self.now, width);
        self.now.count += 1;
        symbol
    }

    /// A value the encoding does not follow.
    fn approximated(&mut self, width: u32) -> Term {
        self.world.approximated.set(true);
        self.unknown(width)
    }

    /// Goes on where `good` holds; the others fault.
    fn guarded<T>(
        self,
        good: Term,
        fault: impl FnOnce() -> Fault,
        finish: impl FnOnce(Self) -> (Self, T),
    ) -> Outcomes<Self, T> {
        let bad = self.world.terms.not(good);
        let mut outcomes = Outcomes::new();
        if let Some(memory) = self.clone().restricted(bad) {
            outcomes.push(Outcome::Fault(memory, fault()));
        }
        if let Some(memory) = self.restricted(good) {
            let (memory, value) = finish(memory);
            outcomes.push(Outcome::Next(memory, value));
        }
        outcomes
    }

    /// An access to `size` bytes, which may be none.
    fn access<T>(
        self,
        address: Term,
        size: Term,
        act: Act,
        finish: impl FnOnce(Self) -> (Self, T),
    ) -> Outcomes<Self, T> {
        if self.world.is_external(address) {
            return smallvec![Outcome::Stuck(self, Stuck::foreign(FOREIGN_POINTER))];
        }
        let nothing = act.does_nothing(&*self.world, address, size);
        let accessible = self.world.accessible(self.blocks, address, size, act);
        let good = self.world.terms.bool_or(nothing, accessible);
        self.guarded(good, || NO_BLOCK.fault(act, None), finish)
    }

    fn write(&mut self, to: Term, value: Term) {
        let terms = &self.world.terms;
        let bytes = terms.width(value).div_ceil(8);
        let value = terms.zext(value, 8 * bytes);
        self.content = self.world.content.push(content::Change::Write { to, value, before: self.content });
    }

    fn range(&self, bytes: u32) -> Term {
        self.world.pointer(bytes.into())
    }

    /// The start of a live heap block, or an address at which `act` does nothing.
    fn heap_block<T>(self, address: Term, act: Act, finish: impl FnOnce(Self, Term) -> (Self, T)) -> Outcomes<Self, T> {
        if self.world.is_external(address) {
            return smallvec![Outcome::Stuck(self, Stuck::foreign(FOREIGN_POINTER))];
        }
        let (is_start, size) = self.world.heap_start(self.blocks, address);
        let nothing = act.does_nothing(&*self.world, address, self.world.pointer(0));
        let good = self.world.terms.bool_or(nothing, is_start);
        self.guarded(good, || NO_BLOCK.fault(act, None), |memory| finish(memory, size))
    }

    /// A new block that lies where it was put.
    pub(super) fn add(&mut self, base: Term, size: Term, kind: BlockKind, zeroed: bool) -> BlockId {
        let world = self.world.clone();
        self.blocks = world.blocks.push(blocks::Change::Create { base, size, kind, before: self.blocks });
        let before = self.content;
        self.content = world.content.push(if zeroed {
            content::Change::Fill { to: base, byte: world.terms.constant(0, 8), size, before }
        } else {
            content::Change::Havoc { to: base, size, received: false, before }
        });
        let block = BlockId::from_index(self.table.len());
        Rc::make_mut(&mut self.table).push((base, size));
        world.events.borrow_mut().push(Event::Created { block, base, size });
        block
    }

    pub(super) fn destroy(&mut self, base: Term, size: Term) {
        self.blocks = self.world.blocks.push(blocks::Change::Destroy { base, size, before: self.blocks });
    }

    fn equality(&self, a: Term, b: Term) -> Term {
        let world = &self.world;
        if world.terms.width(a) == world.model.pointer_bits() { world.equal(a, b) } else { world.terms.eq(a, b) }
    }
}

/// Where functions lie: below all blocks, each apart from the others and from null.
pub(super) fn function_address(function: FunctionId) -> u64 {
    0x40_0000 + 16 * u64::from(function.0)
}

impl Memory for Flat {
    type Value = Term;

    fn constant(&mut self, bits: Bits) -> Term {
        symbolic::constant(&self.world.terms, bits)
    }

    fn width(&self, value: &Term) -> u32 {
        self.world.terms.width(*value)
    }

    fn unary(&mut self, op: UnOp, operand: &Term) -> Term {
        symbolic::unary(&self.world.terms, op, *operand)
    }

    fn binary(&mut self, op: BinOp, left: &Term, right: &Term) -> Term {
        let (a, b) = (*left, *right);
        match op {
            BinOp::Eq => self.equality(a, b),
            BinOp::Ne => self.world.terms.not(self.equality(a, b)),
            _ => symbolic::binary(&self.world.terms, op, a, b),
        }
    }

    fn convert(&mut self, conversion: Conversion, width: u32, operand: &Term) -> Term {
        symbolic::convert(&self.world.terms, conversion, width, *operand)
    }

    fn ite(&mut self, condition: &Term, then: &Term, otherwise: &Term) -> Term {
        self.world.terms.ite(*condition, *then, *otherwise)
    }

    /// What takes too many terms yields any value.
    fn float(&mut self, op: FloatOp, operands: &[Term]) -> Term {
        let world = self.world.clone();
        let known = symbolic::float(&world.terms, op, operands, &mut |width| self.unknown(width));
        known.unwrap_or_else(|| self.approximated(op.result_width()))
    }

    fn open_where(&mut self, condition: &Term, value: &Term) -> Term {
        let any = self.unknown(self.world.terms.width(*value));
        self.world.terms.ite(*condition, any, *value)
    }

    fn block_address(&mut self, block: BlockId) -> Term {
        self.table[block.index()].0
    }

    fn function_address(&mut self, function: FunctionId) -> Term {
        self.world.pointer(function_address(function))
    }

    fn nondet(&mut self, kind: &NondetKind, width: u32) -> Term {
        let value = self.unknown(width);
        if matches!(kind, NondetKind::External(_)) && width >= self.world.model.pointer_bits() {
            self.world.mark_external(value);
        }
        self.world.events.borrow_mut().push(Event::Input(value));
        value
    }

    fn may_hold_pointer(&self, _value: &Term) -> bool {
        self.world.keeps_pointers.get()
    }

    fn assume(self, condition: &Term) -> Outcomes<Self, ()> {
        match self.restricted(*condition) {
            Some(memory) => done(memory, ()),
            None => Outcomes::new(),
        }
    }

    fn decide(&self, condition: &Term) -> Option<bool> {
        self.world.terms.as_const(*condition).map(|value| value == 1)
    }

    fn create(&mut self, spec: BlockSpec<Term>) -> BlockId {
        let world = self.world.clone();
        let terms = &world.terms;
        let size = spec.size;
        let base = world.address(self.now, size, spec.align);
        self.now.count += 1;
        let lies = world.can_lie(self.blocks, self.frontier, base, size);
        world.facts.borrow_mut().push(terms.implies(self.guard, lies));
        self.frontier = terms.add_constant(terms.add(base, size), 1);
        self.add(base, size, spec.kind, spec.zeroed)
    }

    fn initialise(mut self, _block: BlockId, address: &Term, value: &Term) -> Outcomes<Self, ()> {
        self.write(*address, *value);
        done(self, ())
    }

    fn invalidate(&mut self, block: BlockId) {
        let (base, size) = self.table[block.index()];
        self.destroy(base, size);
    }

    fn release(self, address: &Term) -> Outcomes<Self, ()> {
        let base = *address;
        self.heap_block(base, Act::Free, |mut memory, size| {
            memory.destroy(base, size);
            (memory, ())
        })
    }

    fn block_size(self, address: &Term) -> Outcomes<Self, Term> {
        self.heap_block(*address, Act::Reallocate, |memory, size| (memory, size))
    }

    fn load(self, address: &Term, bytes: u32) -> Outcomes<Self, Term> {
        let address = *address;
        let size = self.range(bytes);
        self.access(address, size, Act::Read, |memory| {
            let value = memory.world.read(memory.content, address, bytes);
            (memory, value)
        })
    }

    fn store(self, address: &Term, value: &Term) -> Outcomes<Self, ()> {
        let (address, value) = (*address, *value);
        let size = self.range(self.world.terms.width(value).div_ceil(8));
        self.access(address, size, Act::Write, |mut memory| {
            memory.write(address, value);
            (memory, ())
        })
    }

    fn copy(self, to: &Term, from: &Term, size: &Term) -> Outcomes<Self, ()> {
        let (to, from, size) = (*to, *from, *size);
        let mut outcomes = Outcomes::new();
        for read in self.access(from, size, Act::Read, |memory| (memory, ())) {
            match read {
                Outcome::Next(memory, ()) => outcomes.extend(memory.access(to, size, Act::Write, |mut memory| {
                    let change = content::Change::Copy { to, from, size, before: memory.content };
                    memory.content = memory.world.content.push(change);
                    (memory, ())
                })),
                other => outcomes.push(other),
            }
        }
        outcomes
    }

    fn fill(self, to: &Term, byte: &Term, size: &Term) -> Outcomes<Self, ()> {
        let (to, byte, size) = (*to, *byte, *size);
        self.access(to, size, Act::Write, |mut memory| {
            let change = content::Change::Fill { to, byte, size, before: memory.content };
            memory.content = memory.world.content.push(change);
            (memory, ())
        })
    }

    fn find(self, search: &Search<Term>) -> Outcomes<Self, Term> {
        search.short(self)
    }

    fn havoc(self, to: &Term, size: &Term) -> Outcomes<Self, ()> {
        let (to, size) = (*to, *size);
        self.access(to, size, Act::Write, |mut memory| {
            let change = content::Change::Havoc { to, size, received: true, before: memory.content };
            memory.content = memory.world.content.push(change);
            (memory, ())
        })
    }

    fn call_targets(self, pointer: &Term, candidates: &[FunctionId]) -> Outcomes<Self, FunctionId> {
        if self.world.is_external(*pointer) {
            return smallvec![Outcome::Stuck(self, Stuck::foreign(FOREIGN_POINTER))];
        }
        let mut outcomes = Outcomes::new();
        let mut rest = Some(self);
        for &function in candidates {
            let Some(memory) = rest.take() else { break };
            let world = memory.world.clone();
            let here = world.equal(*pointer, world.pointer(function_address(function)));
            if let Some(memory) = memory.clone().restricted(here) {
                outcomes.push(Outcome::Next(memory, function));
            }
            rest = memory.restricted(world.terms.not(here));
        }
        if let Some(memory) = rest {
            outcomes.push(Outcome::Fault(memory, NO_BLOCK.fault_of_call()));
        }
        outcomes
    }

    /// Leaks are conditions here (`leak`).
    fn leaked(&self, _roots: &mut dyn Iterator<Item = &Term>) -> Option<Rc<str>> {
        None
    }

    fn live_heap_block(&self) -> Option<Rc<str>> {
        None
    }
}

impl Flat {
    /// Whether some heap block is live: there is an address at which one starts.
    pub(super) fn some_heap_block(&mut self) -> Term {
        let width = self.world.model.pointer_bits();
        let witness = self.unknown(width);
        self.world.heap_start(self.blocks, witness).0
    }
}
