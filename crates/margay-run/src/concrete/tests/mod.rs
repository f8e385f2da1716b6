//! Tests of the concrete memory and of runs.

mod access_tests;
mod arithmetic_tests;
mod leak_tests;
mod model_tests;
mod run_tests;
mod states_tests;

use super::{Concrete, Source, Value};
use crate::cfa::{BinOp, Bits};
use crate::memory::{BlockId, BlockKind, BlockSpec, Fault, Inputs, Memory, Origin, Outcome, Outcomes};
use crate::task::DataModel;

/// A memory whose operations are written without the plumbing of outcomes.
pub(super) struct Bench {
    memory: Option<Concrete>,
}

impl Bench {
    pub fn new(model: DataModel) -> Self {
        Self::on(model, Inputs::default())
    }

    pub fn on(model: DataModel, inputs: Inputs) -> Self {
        Self { memory: Some(Concrete::new(model, Source::Given(inputs))) }
    }

    pub fn memory(&mut self) -> &mut Concrete {
        self.memory.as_mut().expect("a fault does not take the memory away")
    }

    /// Runs an operation with exactly one outcome.
    pub fn run<T>(&mut self, operation: impl FnOnce(Concrete) -> Outcomes<Concrete, T>) -> Result<T, String> {
        let mut outcomes = operation(self.memory.take().expect("see above"));
        assert_eq!(outcomes.len(), 1);
        let (memory, result) = match outcomes.pop().expect("one") {
            Outcome::Next(memory, value) => (memory, Ok(value)),
            Outcome::Fault(memory, Fault { violation, detail, .. }) => {
                (memory, Err(format!("{}: {detail}", violation.name())))
            }
            Outcome::Stuck(memory, stuck) => (memory, Err(format!("stuck: {stuck}"))),
            Outcome::Miss(memory, miss) => (memory, Err(format!("missing: {miss:?}"))),
        };
        self.memory = Some(memory);
        result
    }

    pub fn block(&mut self, kind: BlockKind, size: u64, zeroed: bool) -> (BlockId, Value) {
        let size = Value::number(size.into(), 64);
        let name = match kind {
            BlockKind::Heap => "block",
            _ => "variable",
        };
        let id = self.memory().create(BlockSpec { kind, size, align: 1, zeroed, origin: Origin::outside(name) });
        (id, self.memory().block_address(id))
    }

    pub fn heap(&mut self, size: u64) -> Value {
        self.block(BlockKind::Heap, size, false).1
    }

    pub fn stack(&mut self, size: u64) -> Value {
        self.block(BlockKind::Stack, size, false).1
    }

    pub fn at(&mut self, base: Value, offset: i64) -> Value {
        let offset = Value::number(offset as u128, base.bits.width);
        self.memory().binary(BinOp::Add, &base, &offset)
    }

    pub fn store(&mut self, base: Value, offset: i64, value: Value) -> Result<(), String> {
        let address = self.at(base, offset);
        self.run(|m| m.store(&address, &value))
    }

    pub fn load(&mut self, base: Value, offset: i64, bytes: u32) -> Result<Value, String> {
        let address = self.at(base, offset);
        self.run(|m| m.load(&address, bytes))
    }

    pub fn copy(&mut self, to: Value, from: Value, size: u64) -> Result<(), String> {
        self.run(|m| m.copy(&to, &from, &Value::number(size.into(), 64)))
    }

    pub fn fill(&mut self, to: Value, byte: u8, size: u64) -> Result<(), String> {
        self.run(|m| m.fill(&to, &Value::number(byte.into(), 8), &Value::number(size.into(), 64)))
    }

    pub fn free(&mut self, address: Value) -> Result<(), String> {
        self.run(|m| m.release(&address))
    }

    pub fn binary(&mut self, op: BinOp, left: Value, right: Value) -> Value {
        self.memory().binary(op, &left, &right)
    }

    pub fn leaked(&mut self, roots: &[Value]) -> Option<String> {
        self.memory().leaked(&mut roots.iter()).map(|text| text.to_string())
    }
}

pub(super) fn int(value: u128) -> Value {
    Value::plain(Bits::new(value, 32))
}

pub(super) fn byte(value: u8) -> Value {
    Value::plain(Bits::new(value.into(), 8))
}
