//! What a memory offers, and the call stack over it.

use std::fmt::Debug;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::fault::{Fault, Stuck};
use super::miss::Miss;
use crate::base::span::Span;
use crate::cfa::{
    Allocation, BinOp, Bits, Conversion, FloatBinOp, FloatCmp, FloatConversion, FloatFormat, FloatUnOp, FunctionId,
    GlobalId, Loc, NondetKind, NumberPart, Program, Reg, SlotId, Stops, UnOp,
};
use crate::typed_id;

typed_id! {
    /// A block of one memory, in order of creation along a run: the same run creates the same ids in every memory.
    BlockId
}

/// Why a block exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BlockKind {
    /// From `malloc` and its kin: must be freed, can leak.
    Heap,
    /// A block-scope object.
    Stack,
    /// From `alloca`: dies with its frame, can neither leak nor be freed.
    Alloca,
    /// What `argv` leads to: lives as long as the program, can neither leak nor be freed.
    Argument,
    /// A global.
    Static,
    /// A global that may not be written.
    Literal,
}

/// A block to be created.
#[derive(Clone, Debug)]
pub struct BlockSpec<V> {
    /// Why it exists.
    pub kind: BlockKind,
    /// Bytes, of pointer width.
    pub size: V,
    /// Bytes, a power of two.
    pub align: u64,
    /// All bytes zero; otherwise arbitrary.
    pub zeroed: bool,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a block comes from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// What makes it.
    pub site: Site,
    /// For messages and pictures only: the variable's name, or what was called where. It changes with the layout of the text, so
    /// nothing may be decided by it.
    pub name: Rc<str>,
}

/// Which part of the program makes a block. Unlike a line it means the same whatever the text looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// A global.
    Global(GlobalId),
    /// A variable of a function.
    Slot(FunctionId, SlotId),
    /// An allocation of a function; for one in a model of a library function, or in an allocator of the program, the call of that.
    Made(FunctionId, Allocation),
    /// Something outside of the program.
    Outside,
}

impl Origin {
    /// Of a block that the program does not make itself.
    pub fn outside(name: &str) -> Self {
        Self { site: Site::Outside, name: name.into() }
    }
}

/// One result of an operation on a memory.
#[derive(Clone, Debug)]
pub enum Outcome<M, T> {
    /// Goes on.
    Next(M, T),
    /// May violate a property; the memory is restricted to the runs that do.
    Fault(M, Fault),
    /// No meaning from here on.
    Stuck(M, Stuck),
    /// Memory that the precondition does not provide: only a memory that stands for what a precondition describes says so.
    Miss(M, Miss),
}

impl<M, T> Outcome<M, T> {
    /// The same outcome with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Outcome<M, U> {
        match self {
            Outcome::Next(memory, value) => Outcome::Next(memory, f(value)),
            Outcome::Fault(memory, fault) => Outcome::Fault(memory, fault),
            Outcome::Stuck(memory, stuck) => Outcome::Stuck(memory, stuck),
            Outcome::Miss(memory, miss) => Outcome::Miss(memory, miss),
        }
    }
}

/// Results of one operation: usually one; several where cases must be distinguished; none where no run goes on.
pub type Outcomes<M, T> = SmallVec<[Outcome<M, T>; 2]>;

/// The single outcome of an operation that just works.
pub fn done<M, T>(memory: M, value: T) -> Outcomes<M, T> {
    smallvec![Outcome::Next(memory, value)]
}

/// A floating operation on bit patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    /// One operand.
    Unary(FloatUnOp, FloatFormat),
    /// Two operands, a result of the same format.
    Binary(FloatBinOp, FloatFormat),
    /// Two operands, a result of one bit.
    Compare(FloatCmp, FloatFormat),
    /// From or to another format, or an integer.
    Convert(FloatConversion),
}

impl FloatOp {
    /// Bits of the result.
    pub fn result_width(self) -> u32 {
        match self {
            FloatOp::Unary(_, format) | FloatOp::Binary(_, format) => format.bits(),
            FloatOp::Compare(..) => 1,
            FloatOp::Convert(FloatConversion::ToInt { width, .. }) => width,
            FloatOp::Convert(FloatConversion::FromInt { to, .. } | FloatConversion::Between { to, .. }) => to.bits(),
        }
    }
}

/// How a memory follows accesses that lead to no object of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Not at all: such a path ends.
    Never,
    /// It is a single run, and takes one of the ways.
    OneWay,
    /// It stands for many runs, and takes all ways.
    AllWays,
}

/// What is searched, and for what.
#[derive(Clone, Debug)]
pub struct Search<V> {
    /// Of the first byte.
    pub address: V,
    /// Of the first byte of what is compared with it: bytes that differ end the search.
    pub beside: Option<V>,
    /// So many bytes are searched at most; of pointer width.
    pub limit: V,
    /// Bytes that end it.
    pub stops: Stops<V>,
}

/// A set of byte-addressed memories of C programs (a single one for `concrete`) with its values.
///
/// Soundness contract: for every concrete memory `h` in the set and every concrete outcome of the operation on `h`,
/// one of the outcomes returned contains it. Values are bit-vectors that may carry provenance (which block they point into).
pub trait Memory: Clone {
    /// A value of a register.
    type Value: Clone + Debug;

    // Values: total, never split.
    /// These bits, without provenance.
    fn constant(&mut self, bits: Bits) -> Self::Value;
    /// Width in bits.
    fn width(&self, value: &Self::Value) -> u32;
    /// The result on bits, wrapping.
    fn unary(&mut self, op: UnOp, operand: &Self::Value) -> Self::Value;
    /// The result on bits, wrapping. Quotients by zero are never used, and at shifts by the width or more only through
    /// [`Memory::open_where`].
    fn binary(&mut self, op: BinOp, left: &Self::Value, right: &Self::Value) -> Self::Value;
    /// `operand` as a value of `width` bits.
    fn convert(&mut self, conversion: Conversion, width: u32, operand: &Self::Value) -> Self::Value;
    /// `then` where the 1-bit `condition` is 1, otherwise `otherwise`.
    fn ite(&mut self, condition: &Self::Value, then: &Self::Value, otherwise: &Self::Value) -> Self::Value;
    /// `operands` has one or two elements, as `op` asks. Where an integer cannot hold a number converted to it, any value.
    fn float(&mut self, op: FloatOp, operands: &[Self::Value]) -> Self::Value;
    /// `value`, but any value of its width on the runs where the 1-bit `condition` is 1. A memory of a single run keeps `value`,
    /// which is what the machine computes.
    fn open_where(&mut self, condition: &Self::Value, value: &Self::Value) -> Self::Value;
    /// The address of the block's first byte.
    fn block_address(&mut self, block: BlockId) -> Self::Value;
    /// The value of a pointer to the function.
    fn function_address(&mut self, function: FunctionId) -> Self::Value;
    /// An arbitrary value of `width` bits, without provenance.
    fn nondet(&mut self, kind: &NondetKind, width: u32) -> Self::Value;
    /// May hold a pointer into a block (otherwise forgetting it cannot lose a block).
    fn may_hold_pointer(&self, value: &Self::Value) -> bool;

    // Conditions.
    /// The runs on which the 1-bit `condition` is 1; no outcome where there is none.
    fn assume(self, condition: &Self::Value) -> Outcomes<Self, ()>;
    /// Leaves the runs on which the 1-bit `condition` is 1, and there may be none: [`Memory::has_runs`] has to be asked before it
    /// matters. Where that is no cheaper than to assume it, nothing is done, and the answer is `false`.
    fn suppose(&mut self, _condition: &Self::Value) -> bool {
        false
    }
    /// Whether there is a run, after conditions were [supposed](Memory::suppose).
    fn has_runs(&mut self) -> bool {
        true
    }
    /// Whether `condition` is 1 on all runs (`Some(true)`), on none (`Some(false)`), or not known cheaply.
    fn decide(&self, condition: &Self::Value) -> Option<bool>;
    /// The cases of `config` that have to be distinguished before an op looks at `value`, which may be that of an address nothing is known
    /// of yet; `None` where there are none. With `accessed` it is the address of an access. All together stand for what `config` does.
    fn split_cases(_config: &Config<Self>, _value: &Self::Value, _accessed: bool) -> Option<Vec<Config<Self>>> {
        None
    }

    // Blocks.
    /// A new block, different from every live one. Its id is the number of blocks created before on this run.
    fn create(&mut self, spec: BlockSpec<Self::Value>) -> BlockId;
    /// A store that initialises `block`, which may be read-only.
    fn initialise(self, block: BlockId, address: &Self::Value, value: &Self::Value) -> Outcomes<Self, ()>;
    /// The block's object dies (end of scope); using it afterwards is a fault.
    fn invalidate(&mut self, block: BlockId);
    /// `free(address)`, for a non-null address: anything but the start of a live heap block is a `ValidFree` fault. A null address does nothing.
    fn release(self, address: &Self::Value) -> Outcomes<Self, ()>;
    /// The size of the live heap block that starts at `address`; faults as `release` does.
    fn block_size(self, address: &Self::Value) -> Outcomes<Self, Self::Value>;

    // Content. An access outside a live block, through null or through a value that points nowhere is a `ValidDeref` fault.
    /// The value of `bytes` bytes at `address`.
    fn load(self, address: &Self::Value, bytes: u32) -> Outcomes<Self, Self::Value>;
    /// Writes the bytes of `value` at `address`.
    fn store(self, address: &Self::Value, value: &Self::Value) -> Outcomes<Self, ()>;
    /// What [`Memory::load`] gives where that is cheaply known to have one outcome, a value, and to leave the memory as it is.
    fn peek(&self, _address: &Self::Value, _bytes: u32) -> Option<Self::Value> {
        None
    }
    /// Does what [`Memory::store`] does where that is cheaply known to have one outcome, which is no fault; otherwise nothing, and
    /// `false`.
    fn poke(&mut self, _address: &Self::Value, _value: &Self::Value) -> bool {
        false
    }
    /// `memmove`; a size of zero touches nothing.
    fn copy(self, to: &Self::Value, from: &Self::Value, size: &Self::Value) -> Outcomes<Self, ()>;
    /// `memset`.
    fn fill(self, to: &Self::Value, byte: &Self::Value, size: &Self::Value) -> Outcomes<Self, ()>;
    /// Arbitrary bytes.
    fn havoc(self, to: &Self::Value, size: &Self::Value) -> Outcomes<Self, ()>;
    /// Arbitrary bytes of which none but the last is a newline; a memory may leave that open, as long as it makes no
    /// counterexamples.
    fn read_line(self, to: &Self::Value, size: &Self::Value) -> Outcomes<Self, ()> {
        self.havoc(to, size)
    }
    /// Arbitrary members of the set of bytes with these four parts; a memory may leave that open in the same way.
    fn havoc_among(self, to: &Self::Value, size: &Self::Value, _set: &[Self::Value]) -> Outcomes<Self, ()> {
        self.havoc(to, size)
    }
    /// How many bytes stand before the first one that ends the search. All up to that one are read, and faults are those of reads.
    fn find(self, search: &Search<Self::Value>) -> Outcomes<Self, Self::Value>;
    /// Whether `to` is one of the `size` addresses behind `from`, of pointer width; these lie in one object with `from`.
    fn overlaps(&mut self, to: &Self::Value, from: &Self::Value, size: &Self::Value) -> Self::Value {
        let one = Bits::new(1, self.width(to));
        let one = self.constant(one);
        let distance = self.binary(BinOp::Sub, to, from);
        let behind = self.binary(BinOp::Sub, &distance, &one);
        let is_within = self.binary(BinOp::Ult, &behind, size);
        let width = self.width(to);
        self.convert(Conversion::ZeroExtend, width, &is_within)
    }
    /// What the number in the text at `address` is, for an [`Op::Number`](crate::cfa::Op::Number); `given` is any value.
    fn number(
        &mut self,
        _address: &Self::Value,
        _base: &Self::Value,
        _part: NumberPart,
        given: Self::Value,
    ) -> Self::Value {
        given
    }

    // Memory outside of the program, where nothing but reachability is asked (see `outside`).
    /// How accesses that lead to no object of the program are followed.
    fn beyond(&self) -> Beyond {
        Beyond::Never
    }

    /// A run goes on after an access that leads to no object of the program, or is left out because of one.
    fn go_outside(&mut self) {}

    /// What a load at `address`, which leads to no object of the program, yields; `given` where that is not known.
    fn load_outside(self, _address: &Self::Value, _given: &Self::Value) -> Outcomes<Self, Self::Value> {
        smallvec![Outcome::Stuck(self, Stuck::foreign("memory from outside is read"))]
    }

    /// A store at `address`, which leads to no object of the program.
    fn store_outside(self, _address: &Self::Value, _value: &Self::Value) -> Outcomes<Self, ()> {
        smallvec![Outcome::Stuck(self, Stuck::foreign("memory from outside is written"))]
    }

    /// A copy of which one side leads to no object of the program; only for a single run.
    fn copy_outside(mut self, _to: &Self::Value, _from: &Self::Value, _size: &Self::Value) -> Outcomes<Self, ()> {
        self.doubt("a copy of memory from outside");
        done(self, ())
    }

    /// Bytes at `to`, which leads to no object of the program, become `byte`, or any.
    fn fill_outside(self, _to: &Self::Value, _byte: Option<&Self::Value>, _size: &Self::Value) -> Outcomes<Self, ()> {
        done(self, ())
    }

    /// What follows may be no run of the program, because of `what`.
    fn doubt(&mut self, _what: &str) {}

    /// The function a call through `pointer` enters, one outcome for each possible one of `candidates` (all functions whose
    /// address is taken); anything else is `Stuck` or a `ValidDeref` fault.
    fn call_targets(self, pointer: &Self::Value, candidates: &[FunctionId]) -> Outcomes<Self, FunctionId>;

    // Leaks.
    /// A live heap block that no chain of pointers from `roots`, live static or live stack blocks reaches: its
    /// description, or `None`. A pointer anywhere into a block or one past its end counts.
    fn leaked(&self, roots: &mut dyn Iterator<Item = &Self::Value>) -> Option<Rc<str>>;
    /// The description of a live heap block, if any is left (`valid-memcleanup`).
    fn live_heap_block(&self) -> Option<Rc<str>>;
}

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame<V> {
    /// What runs.
    pub function: FunctionId,
    /// Where this frame stands; for all but the top frame: where it goes on when the callee returns.
    pub at: Loc,
    /// `None`: never set (or forgotten because it is not read any more).
    pub regs: Vec<Option<V>>,
    /// The live object of each slot.
    pub slots: Vec<Option<BlockId>>,
    /// `alloca` blocks of this activation.
    pub allocas: Vec<BlockId>,
    /// Register of the *caller* that receives the result.
    pub result: Option<Reg>,
    /// The call, in the caller's text.
    pub call: Span,
}

impl<V> Frame<V> {
    /// A fresh activation at its entry, nothing set.
    pub fn new(program: &Program, function: FunctionId, result: Option<Reg>, call: Span) -> Self {
        let decl = program.function(function);
        Self {
            function,
            at: decl.entry,
            regs: std::iter::repeat_with(|| None).take(decl.regs.len()).collect(),
            slots: vec![None; decl.slots.len()],
            allocas: Vec::new(),
            result,
            call,
        }
    }
}

/// A memory and the stack of frames on it: what a program's execution is at.
#[derive(Clone, Debug)]
pub struct Config<M: Memory> {
    /// The memory.
    pub memory: M,
    /// Outermost first, never empty while the program runs.
    pub frames: Vec<Rc<Frame<M::Value>>>,
    /// The block of each global, in order.
    pub globals: Rc<[BlockId]>,
}

impl<M: Memory> Config<M> {
    /// The frame that runs.
    pub fn top(&self) -> &Frame<M::Value> {
        &self.frames[self.frames.len() - 1]
    }

    /// The frame that runs, for change.
    pub fn top_mut(&mut self) -> &mut Frame<M::Value> {
        let last = self.frames.len() - 1;
        Rc::make_mut(&mut self.frames[last])
    }

    /// Which part of the user's program the op that runs belongs to, when it makes a block.
    pub(super) fn site(&self, program: &Program) -> Site {
        let top = self.top();
        for (depth, frame) in self.frames.iter().rev().enumerate() {
            let function = program.function(frame.function);
            let allocation = if depth == 0 { Allocation::At(frame.at) } else { Allocation::Before(frame.at) };
            if !function.library && !function.hands_out.contains(&allocation) {
                return Site::Made(frame.function, allocation);
            }
        }
        Site::Made(top.function, Allocation::At(top.at))
    }

    /// The place in the user's text that `span` of the running function stands for: library models report their call.
    pub fn user_span(&self, program: &Program, span: Span) -> Span {
        let mut span = span;
        for frame in self.frames.iter().rev() {
            if !program.function(frame.function).library {
                break;
            }
            span = frame.call;
        }
        span
    }
}
