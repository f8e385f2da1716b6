//! Where a slice begins when it is not at the program's start: a heap of single blocks with symbolic values, and the call stack
//! on it.
//!
//! Source: the `prefix` of section 5 of the CAV'12 paper, which replaces everything before a point of an abstract counterexample
//! by any state of that point. Here the caller has chosen the lengths of lists already, so no code is needed to build them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Question;
use super::content::Change;
use super::execute::State;
use super::memory::{Flat, function_address};
use super::world::{LOWEST, World};
use crate::cfa::{FunctionId, Step};
use crate::memory::{BlockId, BlockKind, Config, Frame, Stuck, initial};
use crate::smt::{SymId, Term, Terms};

/// A heap of single blocks with symbolic values, and the call stack on it, from which a slice may begin.
///
/// Every value of the symbols for which the facts hold and the blocks lie apart is a state to begin in. No run of the program
/// need lead there, so the interpreter cannot replay what follows.
#[derive(Clone, Debug)]
pub struct Start<'a> {
    /// The arena of all terms below.
    pub terms: &'a Terms,
    /// Those of the program's globals come first, in their order.
    pub blocks: Vec<StartBlock>,
    /// Outermost first; their blocks are positions in `blocks`.
    pub frames: Vec<Rc<Frame<Term>>>,
    /// What holds of the symbols.
    pub facts: Vec<Term>,
    /// Symbols that are functions' addresses.
    pub functions: BTreeMap<SymId, FunctionId>,
    /// Symbols that, used as addresses, may be anything: runs that do so get stuck.
    pub external: BTreeSet<SymId>,
}

/// A block of a [`Start`].
#[derive(Clone, Debug)]
pub struct StartBlock {
    /// Why it exists.
    pub kind: BlockKind,
    /// Bytes, of pointer width; speaks of no address of a later block.
    pub size: Term,
    /// A symbol of its own.
    pub address: Term,
    /// Bytes, a power of two.
    pub align: u64,
    /// Otherwise it has an address apart from all others, but no content.
    pub live: bool,
    /// The bytes outside all cells are zero; otherwise they are arbitrary.
    pub zeroed: bool,
    /// Disjoint.
    pub cells: Vec<StartCell>,
}

/// What stands at `[offset, offset + bytes)` of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartCell {
    /// Of the first byte, from the block's start.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
    /// What they hold.
    pub value: StartValue,
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartValue {
    /// A value as wide as the cell.
    Value(Term),
    /// Every byte is this 8-bit term.
    Uniform(Term),
    /// Arbitrary bytes.
    Unknown,
}

/// The state a question begins in, and what the symbols of its [`Start`] became.
pub(super) struct Begun {
    pub state: State,
    /// Ascending.
    pub symbols: Vec<(SymId, Term)>,
}

/// The state that `question` begins in; what has to hold of it are facts of `world`.
///
/// # Errors
/// An initialiser of the program, or a start that does not fit the program or its slice.
pub(super) fn begin(question: &Question, world: &Rc<World>) -> Result<Begun, Stuck> {
    let memory = Flat::empty(world.clone());
    let Some(start) = question.start else {
        return Ok(Begun { state: initial(question.program, memory)?, symbols: Vec::new() });
    };
    check(question, start)?;
    let mut building = Building::new(start, memory);
    building.blocks(question.program.globals.len())?;
    building.contents()?;
    building.finish(question.program.globals.len())
}

/// What the types leave open.
fn check(question: &Question, start: &Start) -> Result<(), Stuck> {
    let program = question.program;
    let wrong = |what: &str| Err(Stuck::tool(format!("the heap to start from {what}")));
    if start.blocks.len() < program.globals.len() {
        return wrong("lacks blocks of globals");
    }
    let Some(top) = start.frames.last() else { return wrong("has no frame") };
    for frame in &start.frames {
        let function = program.function(frame.function);
        if frame.regs.len() != function.regs.len() || frame.slots.len() != function.slots.len() {
            return wrong("has frames that are not the functions'");
        }
        if frame.slots.iter().flatten().chain(&frame.allocas).any(|block| block.index() >= start.blocks.len()) {
            return wrong("has frames with blocks it does not have");
        }
        let fits = |(reg, value): (usize, &Option<Term>)| {
            value.is_none_or(|value| start.terms.width(value) == function.regs[reg].width)
        };
        if !frame.regs.iter().enumerate().all(fits) {
            return wrong("has values that do not fit their registers");
        }
    }
    let slice = question.slice;
    let here = |step: &Step| (step.function, step.at) == (top.function, top.at);
    let mut leaving = slice.edges.iter().filter(|edge| edge.from == slice.initial);
    if !leaving.any(|edge| edge.by.first().is_none_or(here)) {
        return wrong("stands where no edge of the slice begins");
    }
    Ok(())
}

struct Building<'a> {
    start: &'a Start<'a>,
    memory: Flat,
    /// Symbols that are addresses of blocks.
    addresses: BTreeSet<SymId>,
    symbols: BTreeMap<SymId, Term>,
    done: FxHashMap<Term, Term>,
}

impl<'a> Building<'a> {
    fn new(start: &'a Start<'a>, memory: Flat) -> Self {
        let addresses = start.blocks.iter().filter_map(|block| start.terms.as_symbol(block.address)).collect();
        Self { start, memory, addresses, symbols: BTreeMap::new(), done: FxHashMap::default() }
    }

    fn holds(&self, fact: Term) {
        if !self.memory.world.terms.is_true(fact) {
            self.memory.world.facts.borrow_mut().push(fact);
        }
    }

    /// A term of the start in the world's arena. Its symbols are unknowns that keep their values for all time.
    fn translate(&mut self, t: Term) -> Result<Term, Stuck> {
        let Self { start, memory, addresses, symbols, done } = self;
        let world = &memory.world;
        let mut early = false;
        let mut symbol = |symbol: SymId| {
            *symbols.entry(symbol).or_insert_with(|| {
                early |= addresses.contains(&symbol);
                if let Some(function) = start.functions.get(&symbol) {
                    return world.pointer(function_address(*function));
                }
                let info = start.terms.symbol_info(symbol);
                let unknown = world.terms.fresh_aligned_symbol(info.width, info.alignment, &info.hint);
                if start.external.contains(&symbol) {
                    world.mark_external(unknown);
                }
                unknown
            })
        };
        let translated = world.terms.translate(start.terms, t, done, &mut symbol);
        if early { Err(Stuck::tool("a block's size speaks of an address of a later block")) } else { Ok(translated) }
    }

    /// All blocks: globals one behind the other as at the program's start, the others behind them and in any order, because
    /// nothing tells in which they were made.
    fn blocks(&mut self, globals: usize) -> Result<(), Stuck> {
        let world = self.memory.world.clone();
        let terms = &world.terms;
        let end = |(base, size): (Term, Term)| terms.add_constant(terms.add(base, size), 1);
        let mut lowest = world.pointer(LOWEST);
        for (index, block) in self.start.blocks.iter().enumerate() {
            let size = self.translate(block.size)?;
            let Some(symbol) = self.start.terms.as_symbol(block.address) else {
                return Err(Stuck::tool("a block's address is not a symbol"));
            };
            let zeros = self.start.terms.symbol_info(symbol).alignment;
            let base = world.address(self.memory.now, size, block.align.max(1 << zeros));
            self.memory.now.count += 1;
            if self.symbols.insert(symbol, base).is_some() {
                return Err(Stuck::tool("two blocks have one address symbol"));
            }
            self.done.insert(block.address, base);
            self.holds(world.fits(base, size));
            self.holds(terms.ule(lowest, base));
            for &other in self.memory.table.iter().skip(globals) {
                let behind = terms.ule(end(other), base);
                self.holds(terms.bool_or(behind, terms.ule(end((base, size)), other.0)));
            }
            self.memory.add(base, size, block.kind, block.zeroed);
            if index < globals {
                lowest = end((base, size));
            }
        }
        let frontier = self.memory.unknown(world.model.pointer_bits());
        self.holds(terms.ule(lowest, frontier));
        for &block in self.memory.table.iter().skip(globals) {
            self.holds(terms.ule(end(block), frontier));
        }
        self.memory.frontier = frontier;
        Ok(())
    }

    fn contents(&mut self) -> Result<(), Stuck> {
        let world = self.memory.world.clone();
        let terms = &world.terms;
        for (index, block) in self.start.blocks.iter().enumerate() {
            let (base, size) = self.memory.table[index];
            if !block.live {
                self.memory.destroy(base, size);
                continue;
            }
            for cell in &block.cells {
                let (offset, bytes) = (world.pointer(cell.offset), world.pointer(cell.bytes));
                self.holds(terms.bool_and(terms.ule(offset, size), terms.ule(bytes, terms.sub(size, offset))));
                let (to, before) = (terms.add(base, offset), self.memory.content);
                let change = match cell.value {
                    StartValue::Value(value) => {
                        let value = self.translate(value)?;
                        if u64::from(terms.width(value)) != 8 * cell.bytes {
                            return Err(Stuck::tool("a cell's value is not as wide as the cell"));
                        }
                        Change::Write { to, value, before }
                    }
                    StartValue::Uniform(byte) => Change::Fill { to, byte: self.translate(byte)?, size: bytes, before },
                    StartValue::Unknown => Change::Havoc { to, size: bytes, received: false, before },
                };
                self.memory.content = world.content.push(change);
            }
        }
        Ok(())
    }

    fn finish(mut self, globals: usize) -> Result<Begun, Stuck> {
        let mut frames = self.start.frames.clone();
        for frame in &mut frames {
            for value in Rc::make_mut(frame).regs.iter_mut().flatten() {
                *value = self.translate(*value)?;
            }
        }
        for &fact in &self.start.facts {
            let fact = self.translate(fact)?;
            self.holds(fact);
        }
        let globals = (0..globals).map(BlockId::from_index).collect();
        let state = Config { memory: self.memory, frames, globals };
        Ok(Begun { state, symbols: self.symbols.into_iter().collect() })
    }
}
