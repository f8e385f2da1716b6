//! Blocks as a whole: their extent, and the end of their lives.

use std::rc::Rc;

use super::heap::{Cell, SymbolicHeap, Value};
use crate::heap::SymbolKind;
use crate::memory::rules::{Act, Broken, NoObject, Rule};
use crate::memory::{BlockKind, Outcome, Outcomes, Stuck, done};
use crate::smt::Term;

/// Larger objects keep their content where a function that is not there gets them.
const LARGEST_HANDED: u64 = 1024;

impl SymbolicHeap {
    /// The live heap block that starts at an address that is not null.
    pub(super) fn heap_block<T>(
        self,
        address: Term,
        act: Act,
        mut then: impl FnMut(SymbolicHeap, usize) -> Outcomes<SymbolicHeap, T>,
    ) -> Outcomes<SymbolicHeap, T> {
        let mut outcomes = Outcomes::new();
        let mut work = vec![(self, 0)];
        while let Some((heap, unfoldings)) = work.pop() {
            let address = heap.norm(address);
            let (base, offset) = heap.split(address);
            if let Some(number) = heap.terms().as_const(address) {
                outcomes.push(Outcome::Fault(heap, NoObject::of_number(number as u64).fault(act, None)));
                continue;
            }
            if let Some(index) = heap.block_at(base) {
                let block = &heap.blocks[index];
                let (_, start) = heap.split(block.start);
                match block.broken(heap.as_bytes(block.size), offset - start, 0, act) {
                    Some(fault) => outcomes.push(Outcome::Fault(heap.blaming(base), fault)),
                    None => outcomes.extend(then(heap, index)),
                }
                continue;
            }
            if let Some(object) = heap.static_at(base) {
                let fault = object.broken(offset, 0, act);
                outcomes.extend(fault.map(|fault| Outcome::Fault(heap.blaming(base), fault)));
                continue;
            }
            let segment = heap.list_behind(base);
            if let (Some((index, from_back)), true) = (segment, unfoldings < 4) {
                if !heap.segments[index].nonempty {
                    work.extend(heap.clone().emptied(index).map(|heap| (heap, unfoldings + 1)));
                }
                work.extend(heap.unfolded(index, from_back).map(|heap| (heap, unfoldings + 1)));
                continue;
            }
            let symbols = heap.terms().symbols_of(base);
            let any =
                |wanted: fn(SymbolKind) -> bool| symbols.iter().any(|symbol| heap.kind(*symbol).is_some_and(wanted));
            if any(|kind| matches!(kind, SymbolKind::Input(_))) {
                outcomes.push(Outcome::Fault(heap, NoObject::Other("an arbitrary value").fault(act, None)));
            } else if any(|kind| matches!(kind, SymbolKind::Function(_))) {
                outcomes.push(Outcome::Fault(heap, NoObject::Function.fault(act, None)));
            } else if any(|kind| matches!(kind, SymbolKind::External(_))) {
                // Assumed to be good for what is done with it.
                work.extend(heap.foreign_block(address).map(|heap| (heap, unfoldings)));
            } else if heap.missing.is_none() || !heap.is_controlled(base) {
                let why = format!("{act} of a block whose extent the precondition does not tell");
                outcomes.push(Outcome::Stuck(heap, Stuck::tool(why)));
            } else {
                match heap.clone().abduce_block(address) {
                    Some(heap) => work.push((heap, unfoldings)),
                    None => {
                        let broken = Broken {
                            act,
                            rule: Rule::AtStart,
                            kind: BlockKind::Heap,
                            name: "a block",
                            bytes: None,
                            offset: None,
                            size: None,
                        };
                        outcomes.push(Outcome::Fault(heap.blaming(base), broken.fault()));
                    }
                }
            }
        }
        outcomes
    }

    /// A block that some function that is not there has made.
    fn foreign_block(self, start: Term) -> Option<Self> {
        let missing = self.missing.clone();
        let mut heap = self.abduce_block(start)?;
        heap.missing = missing;
        Some(heap)
    }

    /// The end of a block's life: its bytes are gone.
    pub(super) fn kill(&mut self, index: usize) {
        let block = self.blocks[index].clone();
        let (base, start) = self.split(block.start);
        let size = self.as_bytes(block.size);
        let cells = self.cells.iter().filter(|cell| {
            let (cell_base, at) = self.split(cell.at);
            if cell_base == base {
                return at < start || size.is_some_and(|size| at >= start + size as i64);
            }
            // Pieces of it behind an offset that is no number.
            let sum = self.terms().linear(cell_base);
            !(sum.parts.len() > 1 && sum.parts.contains(&(1, base)))
        });
        let cells: Vec<Cell> = cells.copied().collect();
        self.cells = Rc::new(cells);
        Rc::make_mut(&mut self.blocks)[index].live = false;
    }

    pub(super) fn free(self, address: Term) -> Outcomes<Self, ()> {
        let address = self.norm(address);
        let null = Act::Free.does_nothing(&self.world.context.terms, address, self.number(0));
        let mut outcomes = Outcomes::new();
        if let Some(heap) = self.clone().restrict(null) {
            outcomes.push(Outcome::Next(heap, ()));
        }
        let given = self.world.context.terms.not(null);
        if let Some(heap) = self.restrict(given) {
            outcomes.extend(heap.heap_block(address, Act::Free, |mut heap, index| {
                if !heap.has_whole(index) {
                    return heap.take_whole(index);
                }
                heap.kill(index);
                done(heap, ())
            }));
        }
        outcomes
    }

    /// All bytes of the block are in cells.
    pub(super) fn has_whole(&self, index: usize) -> bool {
        let block = &self.blocks[index];
        let (base, start) = self.split(block.start);
        match self.as_bytes(block.size) {
            Some(size) => self.covers(base, start, size as i64),
            None => {
                let known: i64 = self
                    .cells
                    .iter()
                    .filter_map(|cell| {
                        let (cell_base, from) = self.split(cell.at);
                        (cell_base == base && from >= start).then(|| self.as_bytes(cell.size).unwrap_or(0) as i64)
                    })
                    .sum();
                let rest = self.terms().sub(block.size, self.number(known));
                self.terms().as_const(rest) == Some(0)
                    || self.cells.iter().any(|cell| self.split(cell.at).0 == base && cell.size == rest)
            }
        }
    }

    /// A block that ends although some of its bytes are still elsewhere (in a list, or with the caller).
    fn take_whole(self, index: usize) -> Outcomes<Self, ()> {
        let block = self.blocks[index].clone();
        let Some(size) = self.as_bytes(block.size) else {
            return Outcomes::from_iter([Outcome::Stuck(
                self,
                Stuck::tool("parts of a block to be freed are elsewhere"),
            )]);
        };
        let mut outcomes = Outcomes::new();
        for outcome in self.reach(block.start, size, Act::Read) {
            outcomes.push(match outcome {
                Outcome::Next(mut heap, _) => match heap.block_at(heap.split(heap.norm(block.start)).0) {
                    Some(index) => {
                        heap.kill(index);
                        Outcome::Next(heap, ())
                    }
                    None => continue,
                },
                Outcome::Fault(heap, fault) => Outcome::Fault(heap, fault),
                Outcome::Stuck(heap, stuck) => Outcome::Stuck(heap, stuck),
                Outcome::Miss(heap, miss) => Outcome::Miss(heap, miss),
            });
        }
        outcomes
    }

    /// A function that is not there got these values: whatever it can reach from them may hold anything from now on, and may
    /// have been kept or freed. That is assumed to be what the rest of the function wants.
    pub(super) fn handed_over(&mut self, args: Vec<Term>) {
        let mut seen: Vec<Term> = Vec::new();
        let mut work = args;
        while let Some(value) = work.pop() {
            let value = self.norm(value);
            if self.terms().width(value) != self.pointer_bits() {
                continue;
            }
            let (base, _) = self.split(value);
            if seen.contains(&base) || self.terms().as_const(base).is_some() || self.is_literal(base) {
                continue;
            }
            seen.push(base);
            if let Some(index) = self.block_at(base)
                && self.blocks[index].kind == BlockKind::Heap
            {
                Rc::make_mut(&mut self.blocks)[index].foreign = true;
            }
            let cells: Vec<Cell> = self.cells.iter().filter(|cell| self.split(cell.at).0 == base).copied().collect();
            for cell in cells {
                if let Value::Is(term) = cell.value {
                    work.push(term);
                }
                let (_, offset) = self.split(cell.at);
                let Some(bytes) = self.as_bytes(cell.size).filter(|bytes| *bytes <= LARGEST_HANDED) else { continue };
                let mut at = 0;
                while at < bytes {
                    // Words where they may stand, as far as one can know.
                    let word =
                        if (offset as u64).wrapping_add(at).is_multiple_of(8) && bytes - at >= 8 { 8 } else { 1 };
                    let width = if bytes <= 16 && at == 0 { bytes } else { word };
                    let value = self.external(8 * width as u32);
                    self.write(base, offset + at as i64, width, Value::Is(value));
                    at += width;
                }
            }
            for segment in Rc::make_mut(&mut self.segments) {
                segment.foreign = true;
            }
        }
    }
}
