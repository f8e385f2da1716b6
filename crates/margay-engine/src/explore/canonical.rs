//! States up to renaming: two configurations with equal shapes are the same but for the names of symbols and objects.

use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::base::work;
use crate::heap::{Cell, Context, Form, Naming, Object, Smg, Summary, SymbolKind, Table, Target, encode_object};
use crate::memory::{BlockId, BlockKind, Config};
use crate::smt::{SymId, Term};

/// A configuration in canonical form: everything but the numeric constraints, as a sequence of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape(Rc<[u32]>);

/// The numeric constraints of a configuration over the symbols of its canonical form, ascending.
/// Fewer constraints allow more: a state is covered by one of equal shape whose constraints are among its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraints {
    terms: Rc<[Term]>,
    /// The least lengths of the segments, in order of discovery: shorter ones allow more.
    lengths: Rc<[u32]>,
}

impl Constraints {
    /// Every memory that satisfies `self` satisfies `weaker`.
    pub fn entail(&self, weaker: &Constraints) -> bool {
        weaker.terms.iter().all(|constraint| self.terms.binary_search(constraint).is_ok())
            && self.lengths.len() == weaker.lengths.len()
            && self.lengths.iter().zip(weaker.lengths.iter()).all(|(own, weaker)| own >= weaker)
    }
}

const INPUT_CLASS: u8 = SymbolKind::Input(0).class();
const FORGOTTEN_CLASS: u8 = SymbolKind::Forgotten(0).class();
const NONE: u32 = u32::MAX;
const SEPARATOR: u32 = u32::MAX - 1;

struct Renamer<'a> {
    context: &'a Context,
    memory: &'a Smg,
    symbols: FxHashMap<SymId, Term>,
    /// Terms renamed so far.
    renamed: FxHashMap<Term, Term>,
    blocks: FxHashMap<BlockId, u32>,
    /// Blocks in order of discovery.
    order: Vec<BlockId>,
    out: Vec<u32>,
    /// The least lengths of segments met.
    lengths: Vec<u32>,
    anonymous: bool,
}

impl Naming for Renamer<'_> {
    fn value(&mut self, value: Term) -> u32 {
        self.rename(value).0
    }

    fn block(&mut self, block: BlockId) -> u32 {
        self.number(block)
    }

    fn length(&mut self, min_len: u32) -> u32 {
        self.lengths.push(min_len);
        0
    }
}

/// The canonical form of `config`: a walk from the stack and the globals that numbers symbols and objects as it meets them.
/// With `anonymous`, where unknown numbers came from does not matter.
pub fn canonical(config: &Config<Smg>, anonymous: bool) -> (Shape, Constraints) {
    let named = canonical_named(config, anonymous);
    (named.shape, named.constraints)
}

/// A canonical form, and how it comes from what was there.
pub(super) struct Named {
    pub shape: Shape,
    pub constraints: Constraints,
    /// Each constraint after its canonical form.
    pub pairs: Vec<(Term, Term)>,
    /// What the symbols of the canonical form stand for.
    pub meanings: FxHashMap<SymId, Term>,
}

/// Work for each heap block that a canonical form tells of, and that garbage was looked for in before: large heaps are walked without
/// an allocation.
const BLOCK_TICKS: u64 = 8;

/// Like [`canonical`], with the names that were replaced.
pub(super) fn canonical_named(config: &Config<Smg>, anonymous: bool) -> Named {
    let memory = &config.memory;
    let mut renamer = Renamer::new(memory, anonymous);
    for frame in &config.frames {
        renamer.out.extend([frame.function.0, frame.at.0, frame.result.map_or(NONE, |reg| reg.0)]);
        for value in &frame.regs {
            match value {
                Some(value) => renamer.push(*value),
                None => renamer.out.push(NONE),
            }
        }
        for slot in &frame.slots {
            let block = slot.map_or(NONE, |block| renamer.number(block));
            renamer.out.push(block);
        }
        for block in &frame.allocas {
            let block = renamer.number(*block);
            renamer.out.push(block);
        }
        renamer.out.push(SEPARATOR);
    }
    for block in config.globals.iter() {
        renamer.number(*block);
    }
    renamer.objects();
    // Live heap blocks that nothing reaches are equal to each other: only whether there are any can still matter.
    let heap = memory.objects.iter().filter(|(_, object)| object.valid && object.kind == BlockKind::Heap);
    let (mut reached, mut is_unreached) = (0, false);
    for (block, _) in heap {
        let is_reached = renamer.blocks.contains_key(block);
        reached += u64::from(is_reached);
        is_unreached |= !is_reached;
    }
    renamer.out.push(u32::from(is_unreached));
    let pairs = renamer.constraints();
    let mut terms: Vec<Term> = pairs.iter().map(|(canonical, _)| *canonical).collect();
    terms.sort_unstable();
    terms.dedup();
    let constraints = Constraints { terms: terms.into(), lengths: renamer.lengths.as_slice().into() };
    let terms = &memory.context().terms;
    let meaning = |(raw, name): (&SymId, &Term)| Some((terms.as_symbol(*name)?, terms.symbol_term(*raw)));
    let meanings = renamer.symbols.iter().filter_map(meaning).collect();
    work::charge(reached * BLOCK_TICKS);
    Named { shape: Shape(renamer.out.into()), constraints, pairs, meanings }
}

impl<'a> Renamer<'a> {
    fn new(memory: &'a Smg, anonymous: bool) -> Self {
        let objects = memory.objects.len();
        Self {
            context: memory.context(),
            memory,
            symbols: FxHashMap::with_capacity_and_hasher(objects, FxBuildHasher),
            renamed: FxHashMap::default(),
            blocks: FxHashMap::with_capacity_and_hasher(objects, FxBuildHasher),
            order: Vec::with_capacity(objects),
            out: Vec::with_capacity(16 * objects),
            lengths: Vec::new(),
            anonymous,
        }
    }
}

impl Renamer<'_> {
    fn number(&mut self, block: BlockId) -> u32 {
        if let Some(&number) = self.blocks.get(&block) {
            return number;
        }
        let number = self.order.len() as u32;
        self.blocks.insert(block, number);
        self.order.push(block);
        number
    }

    fn push(&mut self, value: Term) {
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
        self.context.terms.substitute_into(value, &self.symbols, &mut self.renamed)
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
            Some(SymbolKind::Function(_) | SymbolKind::Bound { .. } | SymbolKind::Cell { .. }) | None => info.term,
            Some(kind) => {
                let class = match kind.class() {
                    class if self.anonymous && class == INPUT_CLASS => FORGOTTEN_CLASS,
                    class => class,
                };
                let canonical = SymbolKind::Canonical(number, class);
                self.context.symbol(canonical, info.width, info.alignment)
            }
        };
        self.symbols.insert(symbol, renamed);
        if let Some(block) = self.memory.points_to.get(&symbol) {
            self.number(*block);
        }
    }

    /// The objects in order of discovery (which goes on meanwhile).
    fn objects(&mut self) {
        let mut next = 0;
        while let Some(&block) = self.order.get(next) {
            next += 1;
            let Some(object) = self.memory.object(block) else {
                self.out.push(NONE);
                continue;
            };
            let mut out = std::mem::take(&mut self.out);
            encode_object(object, self, &mut out);
            self.out = out;
        }
    }

    /// The constraints that speak (transitively) of symbols met, each after its canonical form; others are satisfiable on their own.
    fn constraints(&mut self) -> Vec<(Term, Term)> {
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
        renamed.into_iter().map(|constraint| (self.rename(constraint), constraint)).collect()
    }
}

/// A place of a state that holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Frame and register by position.
    Register(usize, usize),
    /// A cell of a region.
    Cell(BlockId, u64),
    /// How many parts of so many bytes a region has that was asked for while the program runs: cells, where something is known of
    /// these by their numbers.
    Size(BlockId, u64),
    /// The first cell of a run.
    First(BlockId, usize),
    /// What is behind the last cell of a run.
    Last(BlockId, usize),
    /// How many nodes the segment has that begins with this object.
    Count(BlockId),
}

/// A number that a state holds: a value without pointers, or how far into an object a pointer leads.
#[derive(Clone, Copy, Debug)]
pub struct Hole {
    /// Where it stands.
    pub place: Place,
    /// The address the number is added to.
    pub base: Option<Term>,
    /// Without the base.
    pub number: Term,
}

impl Hole {
    /// The block that the number is a place in.
    pub(super) fn block(&self, memory: &Smg) -> Option<BlockId> {
        let base = memory.context().terms.as_symbol(self.base?)?;
        memory.points_to.get(&base).copied()
    }

    /// Puts `number` there.
    pub fn put(&self, state: &mut Config<Smg>, number: Term) {
        let value = match self.base {
            Some(base) => state.memory.context().terms.add(base, number),
            None => number,
        };
        match self.place {
            Place::Register(frame, reg) => {
                let frame = Rc::make_mut(&mut state.frames[frame]);
                frame.regs[reg] = Some(value);
            }
            Place::Cell(block, offset) => {
                let bytes = u64::from(state.memory.context().terms.width(value) / 8);
                state.memory.write_cell(block, offset, bytes, Cell::Value(value));
            }
            Place::Count(first) => {
                state.memory.set_count(first, Some(value));
                state.memory.place_ends(first);
            }
            Place::First(block, index) | Place::Last(block, index) => {
                let mut runs = state.memory.runs(block).to_vec();
                let Some(run) = runs.get_mut(index) else { return };
                if let Some(table) = run.table {
                    state.memory.move_end(table, matches!(self.place, Place::First(..)), value);
                    return;
                }
                let terms = &state.memory.context().terms;
                match self.place {
                    Place::First(..) if run.is_single(terms) => {
                        (run.first, run.last) = (value, terms.add_constant(value, 1));
                    }
                    Place::First(..) => run.first = value,
                    _ => run.last = value,
                }
                state.memory.set_runs(block, runs);
            }
            Place::Size(block, bytes) => {
                let context = state.memory.context().clone();
                let size = context.terms.scale(value, bytes.into());
                let Some(object) = state.memory.object_mut(block) else { return };
                object.size = size;
                if let Some(address) = context.terms.as_symbol(object.address) {
                    state.memory.store.place_object(&context, address, size);
                }
            }
        }
    }
}

/// The canonical form of `config` but for the numbers it holds, and these, in the order of the walk; with `sizes` those that
/// blocks were asked for with are among them.
pub fn blind(config: &Config<Smg>, sizes: bool) -> (Shape, Vec<Hole>) {
    let mut renamer = Renamer::new(&config.memory, true);
    let mut holes = Vec::new();
    for (index, frame) in config.frames.iter().enumerate() {
        renamer.out.extend([frame.function.0, frame.at.0]);
        for (reg, value) in frame.regs.iter().enumerate() {
            match value {
                Some(value) => renamer.punch(Place::Register(index, reg), *value, &mut holes),
                None => renamer.out.push(NONE),
            }
        }
        for block in frame.slots.iter().flatten().chain(&frame.allocas) {
            let block = renamer.number(*block);
            renamer.out.push(block);
        }
        renamer.out.push(SEPARATOR);
    }
    for block in config.globals.iter() {
        renamer.number(*block);
    }
    let mut next = 0;
    while let Some(&block) = renamer.order.get(next) {
        next += 1;
        let Some(object) = config.memory.object(block) else { continue };
        if !object.is_region() {
            let object = match (object.form.summary().and_then(Summary::count), &object.form) {
                (Some(count), _) => {
                    renamer.punch(Place::Count(block), count, &mut holes);
                    &object.clone().uncounted()
                }
                // Its ends are those of the runs that speak of it.
                (None, Form::Table(table)) => {
                    let zero = renamer.context.pointer_constant(0);
                    let table = Table { first: zero, last: zero, ..table.as_ref().clone() };
                    &Rc::new(Object { form: Form::Table(Rc::new(table)), ..object.as_ref().clone() })
                }
                (None, _) => object,
            };
            let mut out = std::mem::take(&mut renamer.out);
            encode_object(object, &mut renamer, &mut out);
            renamer.out = out;
            continue;
        }
        renamer.out.extend([u32::from(object.valid), object.kind as u32]);
        if sizes && object.valid && matches!(object.kind, BlockKind::Heap | BlockKind::Alloca | BlockKind::Argument) {
            let (bytes, cells) = cells(renamer.context, object);
            renamer.out.push(bytes as u32);
            renamer.punch(Place::Size(block, bytes), cells, &mut holes);
        } else {
            renamer.push(object.size);
        }
        for edge in object.content.edges() {
            renamer.out.extend([edge.offset as u32, (edge.offset >> 32) as u32]);
            renamer.out.extend([edge.bytes as u32, (edge.bytes >> 32) as u32]);
            match edge.cell {
                // What may not be written stays as it is.
                Cell::Value(value)
                    if object.kind == BlockKind::Literal && renamer.context.terms.as_const(value).is_some() =>
                {
                    renamer.push(value);
                }
                Cell::Value(value) => renamer.punch(Place::Cell(block, edge.offset), value, &mut holes),
                Cell::Uniform(_) | Cell::Forgotten => renamer.out.push(NONE),
            }
        }
        let has_tables = object.content.runs().iter().any(|run| run.table.is_some());
        for (index, run) in object.content.runs().iter().enumerate() {
            renamer.out.extend([run.layout.offset as u32, run.layout.stride as u32, run.layout.bits]);
            if let Some(table) = run.table {
                let is_met = renamer.blocks.contains_key(&table);
                let number = renamer.number(table);
                renamer.out.push(number);
                if !is_met {
                    renamer.punch(Place::First(block, index), run.first, &mut holes);
                    renamer.punch(Place::Last(block, index), run.last, &mut holes);
                }
                continue;
            }
            renamer.out.push(run.text.into());
            if run.is_single(&renamer.context.terms) && !run.text {
                // Between cells of tables it stands where a counter does.
                match has_tables {
                    true => renamer.punch(Place::First(block, index), run.first, &mut holes),
                    false => renamer.push(run.first),
                }
                continue;
            }
            renamer.punch(Place::First(block, index), run.first, &mut holes);
            renamer.punch(Place::Last(block, index), run.last, &mut holes);
            run.facts.iter().for_each(|fact| renamer.push(*fact));
        }
        renamer.out.push(SEPARATOR);
    }
    (Shape(renamer.out.into()), holes)
}

/// Of how many parts of so many bytes a region consists, exactly: of cells, where all that is known of cells by their numbers is known of
/// such ones, and of bytes elsewhere.
fn cells(context: &Context, object: &Object) -> (u64, Term) {
    let mut strides = object.content.runs().iter().map(|run| run.layout.stride);
    let stride = strides.next().filter(|first| strides.all(|stride| stride == *first));
    let exact = |stride: u64| Some((stride, context.terms.divided_by(object.size, stride)?));
    stride.and_then(exact).unwrap_or((1, object.size))
}

impl Renamer<'_> {
    /// Writes down what `value` points to and keeps the number for `holes`.
    fn punch(&mut self, place: Place, value: Term, holes: &mut Vec<Hole>) {
        const NUMBER: u32 = SEPARATOR - 3;
        const POINTER: u32 = SEPARATOR - 4;
        if self.context.is_number(value) {
            self.out.extend([NUMBER, self.context.terms.width(value)]);
            holes.push(Hole { place, base: None, number: value });
            return;
        }
        if let Target::Object { block, offset } = self.memory.target(value)
            && self.context.is_number(offset)
            && let Some(object) = self.memory.object(block)
        {
            holes.push(Hole { place, base: Some(object.address), number: offset });
            let block = self.number(block);
            self.out.extend([POINTER, block]);
            return;
        }
        self.push(value);
    }
}
