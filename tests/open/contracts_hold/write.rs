//! Cells written into blocks.

use std::collections::BTreeMap;

use margay::cfa::{Bits, FunctionId};
use margay::concrete::{Concrete, Provenance, Value};
use margay::gamma::Random;
use margay::memory::{BlockId, Memory, Outcome, Outcomes};
use margay::open::{CellText, Expr, ValueText};

use super::expr::{Env, visit};

/// A block that cells may stand in.
pub struct Region {
    pub block: BlockId,
    pub start: u128,
    pub size: u128,
}

pub fn next(outcomes: Outcomes<Concrete, ()>) -> Result<Concrete, &'static str> {
    match outcomes.into_iter().next() {
        Some(Outcome::Next(memory, ())) => Ok(memory),
        _ => Err("a write that is refused"),
    }
}

/// Stores a value in a block.
pub fn poke(
    memory: Concrete,
    block: BlockId,
    at: u128,
    value: u128,
    width: u32,
    provenance: Provenance,
    bits: u32,
) -> Result<Concrete, &'static str> {
    let address = Value { bits: Bits::new(at, bits), provenance: Provenance::Block(block) };
    next(memory.store(&address, &Value { bits: Bits::new(value, width), provenance }))
}

pub struct Writer<'a> {
    pub env: &'a Env,
    pub owners: &'a BTreeMap<u32, BlockId>,
    pub regions: &'a [Region],
    pub function_of: &'a dyn Fn(&str) -> Option<FunctionId>,
}

impl Writer<'_> {
    pub fn cell(
        &self,
        mut memory: Concrete,
        cell: &CellText,
        footprint: &mut [Vec<bool>],
        random: &mut Random,
    ) -> Result<Concrete, &'static str> {
        let env = self.env;
        let at = env.value(&cell.at).ok_or("a cell without a place")?;
        let size = env.value(&cell.size).ok_or("a cell without a size")?;
        if size == 0 {
            return Ok(memory);
        }
        let inside = |region: &&Region| region.start <= at && at + size <= region.start + region.size;
        let region = self.regions.iter().find(inside).ok_or("a cell outside of blocks")?;
        let offset = (at - region.start) as usize;
        for taken in &mut footprint[region.block.index()][offset..offset + size as usize] {
            if std::mem::replace(taken, true) {
                return Err("cells on each other");
            }
        }
        let bits = env.names.bits;
        match &cell.value {
            ValueText::Is(expr) => {
                let value = self.value(expr);
                if u128::from(value.bits.width) != 8 * size {
                    return Err("a value of another width");
                }
                poke(memory, region.block, at, value.bits.value, value.bits.width, value.provenance, bits)
            }
            ValueText::Each(expr) => {
                let byte = env.value(expr).ok_or("a byte without a value")?;
                for n in 0..size {
                    memory = poke(memory, region.block, at + n, byte, 8, Provenance::None, bits)?;
                }
                Ok(memory)
            }
            ValueText::Any => {
                let zero = random.once_in(3);
                for n in 0..size {
                    let byte = if zero { 0 } else { random.below(256) as u128 };
                    memory = poke(memory, region.block, at + n, byte, 8, Provenance::None, bits)?;
                }
                Ok(memory)
            }
        }
    }

    /// A value, with the object it may be used to reach.
    pub fn value(&self, expr: &Expr) -> Value {
        let width = self.env.width(expr);
        let value = self.env.value(expr).unwrap_or(0);
        let mut blocks: Vec<BlockId> = Vec::new();
        let mut function = None;
        visit(expr, &mut |part| match part {
            Expr::Var(n) => blocks.extend(self.owners.get(n)),
            Expr::Static(_) => {
                let at = self.env.value(part);
                blocks.extend(self.regions.iter().find(|region| Some(region.start) == at).map(|region| region.block));
            }
            Expr::Function(name) => function = (self.function_of)(name),
            _ => {}
        });
        let spans = |block: &&BlockId| {
            let region = self.regions.iter().find(|region| region.block == **block);
            region.is_some_and(|region| region.start <= value && value <= region.start + region.size)
        };
        let provenance = match (blocks.iter().find(spans).or(blocks.first()), function) {
            (Some(_), _) if width > self.env.names.bits => Provenance::Mixed,
            (Some(block), _) if width >= self.env.names.bits => Provenance::Block(*block),
            (None, Some(function)) if matches!(expr, Expr::Function(_)) => Provenance::Function(function),
            _ => Provenance::None,
        };
        Value { bits: Bits::new(value, width), provenance }
    }
}
