//! States up to renaming: two configurations with equal shapes are the same but for the names of symbols and objects.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::content::Cell;
use super::context::{Context, SymbolKind};
use super::graph::Smg;
use crate::memory::{BlockId, BlockKind, Config};
use crate::smt::{SymId, Term};

/// A configuration in canonical form: everything but the numeric constraints, as a sequence of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape(Rc<[u32]>);

/// The numeric constraints of a configuration over the symbols of its canonical form, ascending.
/// Fewer constraints allow more: a state is covered by one of equal shape whose constraints are among its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints(Rc<[Term]>);

impl Constraints {
    /// Every memory that satisfies `self` satisfies `weaker`.
    pub fn entail(&self, weaker: &Constraints) -> bool {
        weaker.0.iter().all(|constraint| self.0.binary_search(constraint).is_ok())
    }
}

const NONE: u32 = u32::MAX;
const SEPARATOR: u32 = u32::MAX - 1;

struct Renamer<'a> {
    context: &'a Context,
    memory: &'a Smg,
    symbols: FxHashMap<SymId, Term>,
    blocks: FxHashMap<BlockId, u32>,
    /// Blocks in order of discovery.
    order: Vec<BlockId>,
    out: Vec<u32>,
}

/// The canonical form of `config`: a walk from the stack and the globals that numbers symbols and objects as it meets them.
pub fn canonical(config: &Config<Smg>) -> (Shape, Constraints) {
    let memory = &config.memory;
    let context: &Context = memory.context();
    let mut renamer = Renamer {
        context,
        memory,
        symbols: FxHashMap::default(),
        blocks: FxHashMap::default(),
        order: Vec::new(),
        out: Vec::new(),
    };
    for frame in &config.frames {
        renamer.out.extend([frame.function.0, frame.at.0, frame.result.map_or(NONE, |reg| reg.0)]);
        for value in &frame.regs {
            match value {
                Some(value) => renamer.value(*value),
                None => renamer.out.push(NONE),
            }
        }
        for slot in &frame.slots {
            let block = slot.map_or(NONE, |block| renamer.block(block));
            renamer.out.push(block);
        }
        for block in &frame.allocas {
            let block = renamer.block(*block);
            renamer.out.push(block);
        }
        renamer.out.push(SEPARATOR);
    }
    for block in config.globals.iter() {
        renamer.block(*block);
    }
    renamer.objects();
    // Live heap blocks nobody reaches are equal to each other: only whether there are any can still matter.
    let unreached = memory
        .objects
        .iter()
        .any(|(block, object)| object.valid && object.kind == BlockKind::Heap && !renamer.blocks.contains_key(block));
    renamer.out.push(u32::from(unreached));
    let constraints = renamer.constraints();
    (Shape(renamer.out.into()), constraints)
}

impl Renamer<'_> {
    fn block(&mut self, block: BlockId) -> u32 {
        if let Some(&number) = self.blocks.get(&block) {
            return number;
        }
        let number = self.order.len() as u32;
        self.blocks.insert(block, number);
        self.order.push(block);
        number
    }

    fn value(&mut self, value: Term) {
        let renamed = self.rename(value);
        self.out.push(renamed.0);
    }

    fn rename(&mut self, value: Term) -> Term {
        let symbols = self.context.terms.symbols_of(value);
        if symbols.is_empty() {
            return value;
        }
        for &symbol in symbols.iter() {
            self.symbol(symbol);
        }
        self.context.terms.substitute(value, &self.symbols)
    }

    fn symbol(&mut self, symbol: SymId) {
        if self.symbols.contains_key(&symbol) {
            return;
        }
        let number = self.symbols.len() as u32;
        let info = self.context.terms.symbol_info(symbol);
        let kind = self.context.kind(symbol);
        let renamed = match kind {
            // Functions are what they are.
            Some(SymbolKind::Function(_)) | None => info.term,
            Some(kind) => {
                let canonical = SymbolKind::Canonical(number, kind.class());
                self.context.symbol(canonical, info.width, info.alignment)
            }
        };
        self.symbols.insert(symbol, renamed);
        if let Some(block) = self.memory.points_to.get(&symbol) {
            self.block(*block);
        }
    }

    /// The objects in order of discovery (which goes on meanwhile).
    fn objects(&mut self) {
        let mut next = 0;
        while let Some(&block) = self.order.get(next) {
            next += 1;
            let Some(object) = self.memory.object(block).cloned() else {
                self.out.push(NONE);
                continue;
            };
            let flags = u32::from(object.valid)
                | u32::from(object.content.is_zeroed()) << 1
                | u32::from(object.content.is_blurred()) << 2
                | (object.kind as u32) << 3;
            self.value(object.address);
            self.out.push(flags);
            if object.valid {
                self.value(object.size);
            }
            for edge in object.content.edges() {
                self.out.extend([edge.offset as u32, (edge.offset >> 32) as u32, edge.bytes as u32]);
                match edge.cell {
                    Cell::Value(value) => self.value(value),
                    Cell::Uniform(byte) => {
                        self.out.push(SEPARATOR - 1);
                        self.value(byte);
                    }
                    Cell::Forgotten => self.out.push(SEPARATOR - 2),
                }
            }
            self.out.push(SEPARATOR);
        }
    }

    /// The constraints that speak (transitively) of symbols met; others are satisfiable on their own.
    fn constraints(&mut self) -> Constraints {
        let mut rest: Vec<Term> = self.memory.store.constraints().iter().copied().collect();
        let mut renamed = Vec::new();
        loop {
            let before = rest.len();
            rest.retain(|constraint| {
                let symbols = self.context.terms.symbols_of(*constraint);
                let known = symbols.iter().any(|symbol| self.symbols.contains_key(symbol));
                if known {
                    renamed.push(*constraint);
                }
                !known
            });
            if rest.len() == before {
                break;
            }
            for constraint in &renamed {
                for &symbol in self.context.terms.symbols_of(*constraint).iter() {
                    self.symbol(symbol);
                }
            }
        }
        let mut constraints: Vec<Term> =
            renamed.into_iter().map(|constraint| self.context.terms.substitute(constraint, &self.symbols)).collect();
        constraints.sort_unstable();
        constraints.dedup();
        Constraints(constraints.into())
    }
}
