//! The memories implement one trait and must not disagree: random sequences of operations are run on all four, and whatever can be
//! observed must be the same as in the concrete memory.

mod arithmetic;

use std::rc::Rc;

use margay::base::limits::Limits;
use margay::bmc::Flat;
use margay::cfa::{BinOp, Bits, Conversion};
use margay::concrete::{Concrete, Source};
use margay::heap::{Context, Smg};
use margay::memory::{BlockId, BlockKind, BlockSpec, Memory, Origin, Outcome};
use margay::open::SymbolicHeap;
use margay::smt::Z3Solver;
use margay::task::{DataModel, Violation};
use margay::verdict::Inputs;
use proptest::prelude::*;

use arithmetic::Symbolic;

/// An operation on blocks made so far (indices are taken modulo their number).
#[derive(Clone, Debug)]
enum Operation {
    Create {
        heap: bool,
        size: u64,
        zeroed: bool,
    },
    /// Writes a number.
    StoreNumber {
        block: usize,
        offset: u64,
        bytes: u32,
        value: u64,
    },
    /// Writes a pointer into another block.
    StorePointer {
        block: usize,
        offset: u64,
        to: usize,
        to_offset: u64,
    },
    Load {
        block: usize,
        offset: u64,
        bytes: u32,
    },
    /// Reads a pointer and then a byte through it.
    LoadThrough {
        block: usize,
        offset: u64,
    },
    Copy {
        to: usize,
        to_offset: u64,
        from: usize,
        from_offset: u64,
        size: u64,
    },
    Fill {
        block: usize,
        offset: u64,
        byte: u8,
        size: u64,
    },
    Free {
        block: usize,
        offset: u64,
    },
    Invalidate {
        block: usize,
    },
    /// Is anything lost if only these blocks' addresses are held?
    Leaked {
        held: Vec<usize>,
    },
}

/// What an operation showed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    Done,
    Number(u128),
    Fault(Violation),
    Leaked(bool),
    /// The symbolic memory may refuse to answer; the comparison ends there.
    Stuck,
}

struct Machine<M: Memory> {
    memory: Option<M>,
    blocks: Vec<BlockId>,
    number_of: fn(&M, &M::Value) -> Option<u128>,
}

impl<M: Memory> Machine<M> {
    fn constant(memory: &mut M, value: u64, width: u32) -> M::Value {
        memory.constant(Bits::new(value.into(), width))
    }

    fn address(&self, memory: &mut M, block: usize, offset: u64) -> M::Value {
        let base = memory.block_address(self.blocks[block % self.blocks.len()]);
        let offset = Self::constant(memory, offset, 64);
        memory.binary(BinOp::Add, &base, &offset)
    }

    /// Takes the outcome of an operation. A memory of open code does not know that the address of an object that is gone is not null: it
    /// gives a fault besides.
    fn settle<T>(&mut self, mut outcomes: margay::memory::Outcomes<M, T>) -> Result<T, Seen> {
        if outcomes.len() > 1 {
            outcomes.retain(|outcome| matches!(outcome, Outcome::Fault(..)));
        }
        assert_eq!(outcomes.len(), 1, "constant operands leave one outcome, or one fault");
        match outcomes.pop() {
            Some(Outcome::Next(memory, value)) => {
                self.memory = Some(memory);
                Ok(value)
            }
            Some(Outcome::Fault(_, fault)) => Err(Seen::Fault(fault.violation)),
            _ => Err(Seen::Stuck),
        }
    }

    /// A loaded value as a number; pointers are compared as differences to the block they were made from, so skip those.
    fn observe(&mut self, value: &M::Value) -> Seen {
        let memory = self.memory.as_ref().expect("the memory was put back");
        match (self.number_of)(memory, value) {
            Some(number) => Seen::Number(number),
            None => Seen::Done,
        }
    }

    fn perform(&mut self, operation: &Operation) -> Seen {
        let Some(mut memory) = self.memory.take() else { return Seen::Stuck };
        let kept = memory.clone();
        let seen = match operation {
            Operation::Create { heap, size, zeroed } => {
                let spec = BlockSpec {
                    kind: if *heap { BlockKind::Heap } else { BlockKind::Stack },
                    size: Self::constant(&mut memory, *size, 64),
                    align: 16,
                    zeroed: *zeroed,
                    origin: Origin::outside("block"),
                };
                let block = memory.create(spec);
                self.blocks.push(block);
                self.memory = Some(memory);
                return Seen::Done;
            }
            _ if self.blocks.is_empty() => {
                self.memory = Some(memory);
                return Seen::Done;
            }
            Operation::StoreNumber { block, offset, bytes, value } => {
                let address = self.address(&mut memory, *block, *offset);
                let value = Self::constant(&mut memory, *value, bytes * 8);
                let outcomes = memory.store(&address, &value);
                self.settle(outcomes).map(|()| Seen::Done)
            }
            Operation::StorePointer { block, offset, to, to_offset } => {
                let address = self.address(&mut memory, *block, *offset);
                let value = self.address(&mut memory, *to, *to_offset);
                let outcomes = memory.store(&address, &value);
                self.settle(outcomes).map(|()| Seen::Done)
            }
            Operation::Load { block, offset, bytes } => {
                let address = self.address(&mut memory, *block, *offset);
                let outcomes = memory.load(&address, *bytes);
                self.settle(outcomes).map(|value| self.observe(&value))
            }
            Operation::LoadThrough { block, offset } => {
                let address = self.address(&mut memory, *block, *offset);
                let outcomes = memory.load(&address, 8);
                self.settle(outcomes).and_then(|pointer| {
                    let memory = self.memory.take().expect("just put back");
                    let outcomes = memory.load(&pointer, 1);
                    self.settle(outcomes).map(|value| self.observe(&value))
                })
            }
            Operation::Copy { to, to_offset, from, from_offset, size } => {
                let to = self.address(&mut memory, *to, *to_offset);
                let from = self.address(&mut memory, *from, *from_offset);
                let size = Self::constant(&mut memory, *size, 64);
                let outcomes = memory.copy(&to, &from, &size);
                self.settle(outcomes).map(|()| Seen::Done)
            }
            Operation::Fill { block, offset, byte, size } => {
                let to = self.address(&mut memory, *block, *offset);
                let byte = Self::constant(&mut memory, (*byte).into(), 8);
                let size = Self::constant(&mut memory, *size, 64);
                let outcomes = memory.fill(&to, &byte, &size);
                self.settle(outcomes).map(|()| Seen::Done)
            }
            Operation::Free { block, offset } => {
                let address = self.address(&mut memory, *block, *offset);
                let outcomes = memory.release(&address);
                self.settle(outcomes).map(|()| Seen::Done)
            }
            Operation::Invalidate { block } => {
                let block = self.blocks[*block % self.blocks.len()];
                memory.invalidate(block);
                self.memory = Some(memory);
                return Seen::Done;
            }
            Operation::Leaked { held } => {
                let values: Vec<M::Value> = held.iter().map(|&b| self.address(&mut memory, b, 0)).collect();
                let leaked = memory.leaked(&mut values.iter()).is_some();
                self.memory = Some(memory);
                return Seen::Leaked(leaked);
            }
        };
        match seen {
            Ok(seen) => seen,
            Err(seen) => {
                // After a refusal both go on from before it.
                self.memory = Some(kept);
                seen
            }
        }
    }
}

/// Number of a symbolic value when everything unwritten is zero (as in the concrete memory); addresses have none.
fn symbolic_number<M: Symbolic>(memory: &M, value: &margay::smt::Term) -> Option<u128> {
    let terms = memory.terms();
    let symbols = terms.symbols_of(*value);
    let has_address = symbols.iter().any(|symbol| terms.symbol_info(*symbol).hint.starts_with('a'));
    (!has_address).then(|| terms.evaluate(*value, &|_| 0))
}

fn concrete_number(_: &Concrete, value: &margay::concrete::Value) -> Option<u128> {
    matches!(value.provenance, margay::concrete::Provenance::None).then_some(value.bits.value)
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let block = 0usize..4;
    let offset = 0u64..20;
    let width = prop_oneof![Just(1u32), Just(2), Just(4), Just(8)];
    let operation = prop_oneof![
        3 => (any::<bool>(), 1u64..24, any::<bool>())
            .prop_map(|(heap, size, zeroed)| Operation::Create { heap, size, zeroed }),
        4 => (block.clone(), offset.clone(), width.clone(), any::<u64>())
            .prop_map(|(block, offset, bytes, value)| Operation::StoreNumber { block, offset, bytes, value }),
        3 => (block.clone(), 0u64..3, block.clone(), 0u64..20)
            .prop_map(|(block, offset, to, to_offset)| Operation::StorePointer { block, offset: offset * 8, to, to_offset }),
        5 => (block.clone(), offset.clone(), width)
            .prop_map(|(block, offset, bytes)| Operation::Load { block, offset, bytes }),
        2 => (block.clone(), 0u64..3).prop_map(|(block, offset)| Operation::LoadThrough { block, offset: offset * 8 }),
        2 => (block.clone(), offset.clone(), block.clone(), offset.clone(), 0u64..20).prop_map(
            |(to, to_offset, from, from_offset, size)| Operation::Copy { to, to_offset, from, from_offset, size }),
        2 => (block.clone(), offset, any::<u8>(), 0u64..20)
            .prop_map(|(block, offset, byte, size)| Operation::Fill { block, offset, byte, size }),
        1 => (block.clone(), prop_oneof![9 => Just(0u64), 1 => Just(4)])
            .prop_map(|(block, offset)| Operation::Free { block, offset }),
        1 => block.clone().prop_map(|block| Operation::Invalidate { block }),
        2 => prop::collection::vec(block, 0..3).prop_map(|held| Operation::Leaked { held }),
    ];
    prop::collection::vec(operation, 1..40)
}

/// Runs the operations on a memory of terms and on the concrete one.
fn compare<M: Symbolic>(operations: &[Operation], finds_leaks: bool) -> Result<(), TestCaseError> {
    let mut symbolic = Machine { memory: Some(M::fresh()), blocks: Vec::new(), number_of: symbolic_number };
    let mut concrete = Machine {
        memory: Some(Concrete::new(DataModel::Lp64, Source::Given(Inputs::default()))),
        blocks: Vec::new(),
        number_of: concrete_number,
    };
    let mut mixed = false;
    for operation in operations {
        mixed |= may_mix(operation);
        let expected = concrete.perform(operation);
        let seen = symbolic.perform(operation);
        // Bytes that were never written are zero in the concrete memory; a pointer with such bytes may lead elsewhere as well.
        let may_lead_elsewhere = matches!(operation, Operation::LoadThrough { .. }) && matches!(seen, Seen::Fault(_));
        if seen == Seen::Stuck || expected == Seen::Stuck || may_lead_elsewhere && seen != expected {
            break;
        }
        // A value that holds (part of) a pointer is a number for neither or only for one of them.
        if seen == Seen::Done || expected == Seen::Done {
            prop_assert!(
                !matches!(seen, Seen::Fault(_)) && !matches!(expected, Seen::Fault(_)),
                "{operation:?}: concrete {expected:?}, symbolic {seen:?}"
            );
            continue;
        }
        if matches!(seen, Seen::Leaked(_))
            && (!finds_leaks || mixed && (&expected, &seen) == (&Seen::Leaked(false), &Seen::Leaked(true)))
        {
            continue;
        }
        prop_assert_eq!(expected, seen, "{:?}", operation);
    }
    Ok(())
}

/// May read bytes of two pointers as one value: from then on the concrete memory no longer claims that a block is lost.
fn may_mix(operation: &Operation) -> bool {
    match operation {
        Operation::Load { offset, bytes, .. } => offset / 8 != (offset + u64::from(*bytes) - 1) / 8,
        Operation::Copy { to_offset, from_offset, .. } => to_offset % 8 != from_offset % 8,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_graph_agrees_with_the_concrete_memory(operations in operations()) {
        compare::<Smg>(&operations, true)?;
    }

    /// Leaks are conditions on whole paths there.
    #[test]
    fn the_flat_memory_agrees_with_the_concrete_one(operations in operations()) {
        compare::<Flat>(&operations, false)?;
    }

    /// Leaks are looked for where a function ends.
    #[test]
    fn the_memory_of_open_code_agrees_with_the_concrete_one(operations in operations()) {
        compare::<SymbolicHeap>(&operations, false)?;
    }
}

#[test]
fn conversions_agree_on_constants() {
    let context = Rc::new(Context::new(DataModel::Ilp32, Box::new(Z3Solver::new()), Limits::none()));
    let mut symbolic = Smg::new(context);
    let mut concrete = Concrete::new(DataModel::Ilp32, Source::Given(Inputs::default()));
    for value in [0u128, 1, 0x7f, 0x80, 0xff, 0x8000, 0xffff_ffff] {
        for (conversion, width) in [
            (Conversion::Truncate, 8),
            (Conversion::ZeroExtend, 64),
            (Conversion::SignExtend, 64),
            (Conversion::SignExtend, 128),
        ] {
            let left = concrete.constant(Bits::new(value, 32));
            let left = concrete.convert(conversion, width, &left);
            let right = symbolic.constant(Bits::new(value, 32));
            let right = symbolic.convert(conversion, width, &right);
            assert_eq!(Some(left.bits.value), symbolic.context().terms.as_const(right), "{conversion:?} {value:#x}");
        }
    }
}
