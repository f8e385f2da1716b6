//! Random heaps that satisfy a precondition.

use std::collections::BTreeMap;
use std::sync::Arc;

use margay::cfa::{Bits, FunctionId};
use margay::concrete::{Concrete, Provenance, Value};
use margay::gamma::Random;
use margay::memory::{BlockId, BlockKind, BlockSpec, Memory, Origin};
use margay::open::Expr;

use super::expr::{Env, Names, linear, mask, measure, variables, visit};
use super::unroll::{Flat, flatten};
use super::write::{Region, Writer, next, poke};

/// Bytes; larger blocks are not built.
const MAX_BLOCK: i64 = 1 << 14;

/// A heap, and the precondition's variables in it.
pub struct Built {
    pub memory: Concrete,
    pub env: Env,
    pub arguments: Vec<Value>,
    /// For each block of the memory, which bytes the precondition is about.
    pub footprint: Vec<Vec<bool>>,
    /// Blocks that the precondition itself (not a list in it) says are heap blocks: start, alive.
    pub named: Vec<(u128, bool)>,
    pub text: String,
}

/// Where addresses with one base lie.
#[derive(Clone, Default)]
struct Cluster {
    bases: Vec<(u32, i64)>,
    spans: Vec<(i64, i64)>,
    blocks: Vec<(i64, i64, bool)>,
}

pub struct Builder<'a> {
    pub random: &'a mut Random,
    pub names: &'a Arc<Names>,
    pub function_of: &'a dyn Fn(&str) -> Option<FunctionId>,
    /// The program's memory before anything runs: static objects only, their sizes.
    pub memory: &'a Concrete,
    pub statics: &'a [u64],
}

impl Builder<'_> {
    /// One heap, if luck allows.
    pub fn build(&mut self, contract: &margay::open::Contract, params: usize) -> Result<Built, &'static str> {
        let mut why = "unlucky";
        for _ in 0..24 {
            let flat = flatten(contract, self.names, self.random);
            for _ in 0..6 {
                match self.attempt(&flat, params) {
                    Ok(built) => return Ok(built),
                    Err(reason) => why = reason,
                }
            }
        }
        Err(why)
    }

    fn attempt(&mut self, flat: &Flat, params: usize) -> Result<Built, &'static str> {
        let mut env = flat.env.clone();
        let bits = self.names.bits;
        let pool = constants(flat);
        settle(&mut env, &flat.pure)?;
        // What sizes and offsets are made of comes first.
        let mut bases: Vec<u32> = Vec::new();
        let addresses = || flat.cells.iter().map(|cell| &cell.at).chain(flat.blocks.iter().map(|block| &block.start));
        for address in addresses() {
            let (parts, _) = linear(&env, address, bits);
            if let [(Expr::Var(n), 1)] = parts.as_slice() {
                bases.push(*n);
            }
        }
        let mut numbers = Vec::new();
        for size in flat.cells.iter().map(|cell| &cell.size).chain(flat.blocks.iter().map(|block| &block.size)) {
            let (parts, _) = linear(&env, size, bits);
            parts.iter().for_each(|(part, _)| variables(part, &mut numbers));
        }
        for address in addresses() {
            let (parts, _) = linear(&env, address, bits);
            if let Some(base) = self.base(&env, &parts, &mut bases)? {
                parts.iter().filter(|part| part.0 != base).for_each(|(part, _)| variables(part, &mut numbers));
            }
        }
        if numbers.iter().any(|n| bases.contains(n)) {
            return Err("an address as a size");
        }
        for n in numbers {
            self.choose(&mut env, n, &pool, &flat.pure, &[])?;
        }
        let clusters = self.clusters(&env, flat, &mut bases)?;
        let mut memory = self.memory.clone();
        let mut regions: Vec<Region> = self
            .statics
            .iter()
            .enumerate()
            .map(|(index, size)| {
                let block = BlockId::from_index(index);
                Region { block, start: memory.block_address(block).bits.value, size: u128::from(*size) }
            })
            .collect();
        let mut dead = Vec::new();
        let mut owners: BTreeMap<u32, BlockId> = BTreeMap::new();
        for cluster in &clusters {
            let lowest = cluster.spans.iter().map(|span| span.0).min().unwrap_or(0);
            let highest = cluster.spans.iter().map(|span| span.0 + span.1).max().unwrap_or(0);
            let (kind, lowest, highest) = match cluster.blocks.as_slice() {
                [] => {
                    let pads = [0, 8, 16];
                    let kind = self.random.pick(&[BlockKind::Heap, BlockKind::Stack, BlockKind::Heap]);
                    (kind, lowest - self.random.pick(&pads), highest + self.random.pick(&pads))
                }
                [(start, size, _)] if *size >= 0 && lowest.min(*start) == *start && highest <= start + size => {
                    (BlockKind::Heap, *start, start + size)
                }
                [(start, size, false)] if cluster.spans.is_empty() => (BlockKind::Heap, *start, start + size),
                [_] => return Err("cells outside of their block"),
                _ => return Err("several blocks with one base"),
            };
            let size = highest - lowest;
            if !(0..=MAX_BLOCK).contains(&size) {
                return Err("a large block");
            }
            let origin = Origin::outside("block of the precondition");
            let bytes = memory.constant(Bits::new(size as u128, bits));
            let block = memory.create(BlockSpec { kind, size: bytes, align: 16, zeroed: false, origin });
            let start = memory.block_address(block).bits.value;
            regions.push(Region { block, start, size: size as u128 });
            for (base, delta) in &cluster.bases {
                let at = start.wrapping_add((delta - lowest) as u128) & mask(bits);
                if env.values[*base as usize].is_some_and(|known| known != at) {
                    return Err("an address that is something else");
                }
                env.values[*base as usize] = Some(at);
                owners.insert(*base, block);
            }
            if let [(_, _, false)] = cluster.blocks.as_slice() {
                dead.push(block);
            }
            for offset in 0..size {
                let byte = 1 + self.random.below(255) as u128;
                memory = poke(memory, block, start + offset as u128, byte, 8, Provenance::None, bits)?;
            }
        }
        settle(&mut env, &flat.pure)?;
        let known: Vec<(u128, BlockId)> =
            owners.iter().filter_map(|(n, block)| Some((env.values[*n as usize]?, *block))).collect();
        let free: Vec<u32> = (0..env.values.len() as u32).filter(|n| env.values[*n as usize].is_none()).collect();
        for n in free {
            if flat.by.contains_key(&n) || env.values[n as usize].is_some() {
                continue;
            }
            if let Some(block) = self.choose(&mut env, n, &pool, &flat.pure, &known)? {
                owners.insert(n, block);
            }
        }
        if flat.pure.iter().any(|condition| env.value(condition) != Some(1)) {
            return Err("conditions");
        }
        for (n, expr) in &flat.by {
            env.values[*n as usize] = env.value(expr);
        }
        let writer = Writer { env: &env, owners: &owners, regions: &regions, function_of: self.function_of };
        let mut footprint: Vec<Vec<bool>> = regions.iter().map(|region| vec![false; region.size as usize]).collect();
        for cell in &flat.cells {
            memory = writer.cell(memory, cell, &mut footprint, self.random)?;
        }
        let arguments = (0..params as u32).map(|n| writer.value(flat.by.get(&n).unwrap_or(&Expr::Var(n)))).collect();
        let mut named = Vec::new();
        for block in &flat.blocks {
            let start = env.value(&block.start).ok_or("a block without a place")?;
            let size = env.value(&block.size).ok_or("a block without a size")?;
            if !regions.iter().any(|region| region.start == start && region.size == size) {
                return Err("a block that is none");
            }
            if named.iter().any(|(known, _)| *known == start) {
                return Err("one block twice");
            }
            if block.top {
                named.push((start, block.live));
            }
        }
        for block in dead {
            let address = memory.block_address(block);
            memory = next(memory.release(&address))?;
        }
        let mut text = String::new();
        for (n, value) in env.values.iter().enumerate() {
            if let Some(value) = value {
                text.push_str(&format!("v{n}={value:#x} "));
            }
        }
        Ok(Built { memory, env, arguments, footprint, named, text })
    }

    /// Which part of an address is the base of it; `None` where that has a place of its own.
    fn base(&mut self, env: &Env, parts: &[(Expr, u128)], bases: &mut Vec<u32>) -> Result<Option<Expr>, &'static str> {
        let single = |part: &&(Expr, u128)| part.1 == 1;
        if let Some((part, _)) = parts.iter().filter(single).find(|part| matches!(part.0, Expr::Static(_))) {
            return Ok(Some(part.clone()));
        }
        let of_width =
            |part: &&(Expr, u128)| matches!(&part.0, Expr::Var(n) if env.widths[*n as usize] == env.names.bits);
        let known = |part: &&(Expr, u128)| matches!(&part.0, Expr::Var(n) if bases.contains(n));
        let vars = || parts.iter().filter(single).filter(of_width);
        match vars().find(known).or_else(|| vars().next()) {
            Some((part @ Expr::Var(n), _)) => {
                bases.push(*n);
                Ok(Some(part.clone()))
            }
            _ if parts.is_empty() => Err("a constant address"),
            _ => Err("an address that is no sum"),
        }
    }

    fn clusters(&mut self, env: &Env, flat: &Flat, bases: &mut Vec<u32>) -> Result<Vec<Cluster>, &'static str> {
        let bits = self.names.bits;
        let mut found: BTreeMap<u32, Cluster> = BTreeMap::new();
        let mut place = |env: &Env, address: &Expr, this: &mut Self| -> Result<Option<(u32, i64)>, &'static str> {
            let (parts, constant) = linear(env, address, bits);
            let Some(base) = this.base(env, &parts, bases)? else { return Ok(None) };
            let Expr::Var(n) = base else { return Ok(None) };
            let mut offset = constant;
            for (part, factor) in parts.iter().filter(|part| part.0 != base) {
                let value = env.value(part).ok_or("two addresses in one")?;
                offset = offset.wrapping_add(value.wrapping_mul(*factor));
            }
            let offset = (offset & mask(bits)) as u64;
            let offset = if bits == 32 { i64::from(offset as u32 as i32) } else { offset as i64 };
            if offset.abs() > MAX_BLOCK { Err("a large offset") } else { Ok(Some((n, offset))) }
        };
        let size = |expr: &Expr| {
            let size = measure(env, expr).ok_or("a size that is no number")?;
            i64::try_from(size).ok().filter(|size| *size <= MAX_BLOCK).ok_or("a large size")
        };
        for cell in &flat.cells {
            let bytes = size(&cell.size)?;
            if bytes > 0
                && let Some((base, offset)) = place(env, &cell.at, self)?
            {
                let cluster = found.entry(base).or_default();
                if !is_free(&cluster.spans, offset, bytes) {
                    return Err("cells on each other");
                }
                cluster.spans.push((offset, bytes));
            }
        }
        for block in &flat.blocks {
            if let Some((base, offset)) = place(env, &block.start, self)? {
                found.entry(base).or_default().blocks.push((offset, size(&block.size)?, block.live));
            }
        }
        let mut order: Vec<Cluster> = Vec::new();
        for (base, mut cluster) in found {
            cluster.bases.push((base, 0));
            order.insert(self.random.below(order.len() + 1), cluster);
        }
        // Now and then two of them in one block.
        let mut merged: Vec<Cluster> = Vec::new();
        for cluster in order {
            if !merged.is_empty() && cluster.blocks.is_empty() && self.random.once_in(5) {
                let host = self.random.below(merged.len());
                let host = &mut merged[host];
                let delta = if self.random.once_in(2) { 0 } else { 8 * (self.random.below(13) as i64 - 6) };
                let fits = |(at, len): &(i64, i64)| {
                    is_free(&host.spans, at + delta, *len)
                        && host.blocks.iter().all(|(start, size, live)| {
                            *live && *start <= at + delta && at + delta + len <= start + size
                        })
                };
                if cluster.spans.iter().all(fits) {
                    host.spans.extend(cluster.spans.iter().map(|(at, len)| (at + delta, *len)));
                    host.bases.extend(cluster.bases.iter().map(|(base, at)| (*base, at + delta)));
                    continue;
                }
            }
            merged.push(cluster);
        }
        Ok(merged)
    }

    /// Gives a variable a value that no condition excludes yet; the block it was made an address of.
    fn choose(
        &mut self,
        env: &mut Env,
        n: u32,
        pool: &[u128],
        pure: &[Expr],
        addresses: &[(u128, BlockId)],
    ) -> Result<Option<BlockId>, &'static str> {
        if env.values[n as usize].is_some() {
            return Ok(None);
        }
        let width = env.widths[n as usize];
        for _ in 0..40 {
            let mut owner = None;
            let random = &mut *self.random;
            let value = match random.below(16) {
                0..=4 if width == env.names.bits && !addresses.is_empty() => {
                    let (address, block) = addresses[random.below(addresses.len())];
                    owner = Some(block);
                    address
                }
                0..=2 => 0,
                3..=7 if !pool.is_empty() => {
                    let near = pool[random.below(pool.len())];
                    near.wrapping_add(random.below(3) as u128).wrapping_sub(1)
                }
                8..=10 => random.below(9) as u128,
                11..=13 => random.below(200) as u128,
                14 => (random.below(8) as u128).wrapping_neg(),
                _ => u128::from(random.draw()) << 64 | u128::from(random.draw()),
            };
            let mut tried = env.clone();
            tried.values[n as usize] = Some(value & mask(width));
            if settle(&mut tried, pure).is_ok() {
                *env = tried;
                return Ok(owner);
            }
        }
        Err("no value found")
    }
}

fn is_free(spans: &[(i64, i64)], at: i64, len: i64) -> bool {
    spans.iter().all(|(from, size)| at + len <= *from || from + size <= at)
}

/// Draws the consequences of conditions.
fn settle(env: &mut Env, pure: &[Expr]) -> Result<(), &'static str> {
    loop {
        let before = env.values.iter().flatten().count();
        for condition in pure {
            if env.unify(condition, 1) == Some(false) {
                return Err("conditions");
            }
        }
        if env.values.iter().flatten().count() == before {
            return Ok(());
        }
    }
}

/// The numbers that conditions compare with.
fn constants(flat: &Flat) -> Vec<u128> {
    let mut found = Vec::new();
    for condition in &flat.pure {
        visit(condition, &mut |part| {
            if let Expr::Const { value, .. } = part {
                found.extend(value.parse::<u128>());
            }
        });
    }
    found
}
