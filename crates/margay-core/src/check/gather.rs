//! What an embedding demands: a walk over the objects that correspond gathers the equations between what they hold, and the
//! facts that are left to be shown.
//!
//! Independent of folding, joining and canonical forms; of `materialise` it uses what an instance of a body is.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::alike::alike;
use super::mismatch::{Mismatch, Reason};
use super::row::{Later, Row};
use crate::certificate::{Embedding, Link, Place};
use crate::cfa::NondetKind;
use crate::heap::{Body, Cell, Content, Context, Edge, Form, Kinds, Object, Optional, Run, Segment, Smg, State};
use crate::memory::{BlockId, BlockKind, Memory};
use crate::smt::{SymId, Term};

/// A memory of the special state: the state's own, or one case of what a node of a segment can be.
pub(super) struct World {
    pub memory: Smg,
    pub parent: Option<usize>,
    /// Blocks, forgotten values and inputs with at least these numbers are the world's own.
    pub first: [u32; 3],
    used: BTreeSet<BlockId>,
}

/// What symbols of a general state, or of a body, stand for in a special one.
pub(super) type Symbols = BTreeMap<SymId, Term>;

/// Symbols that stand for one thing: those of the state, or the bound ones of one node.
pub(super) struct Scope<'a> {
    /// `None` where nothing is to be said of them.
    pub given: Option<&'a Embedding>,
    pub parent: Option<usize>,
    pub world: usize,
    /// Of the body whose symbols these are, or [`OF_RUN`]; `None` for the state.
    pub depth: Option<u8>,
    /// What is settled.
    pub symbols: Symbols,
    /// Addresses of objects: settled by the objects' places.
    pub addresses: BTreeSet<SymId>,
    /// Addresses of what is absent: the symbol and what it is then, in the general state's terms.
    pub definitions: Vec<(SymId, Term)>,
}

/// The depth of the symbols in facts of a run: no body is that deep.
pub(super) const OF_RUN: u8 = u8::MAX;

/// Blocks that stand for cells of arrays are numbered from here on: no state counts that far.
const FIRST_CELL: u32 = u32::MAX / 4 * 3;

/// What has to hold in a world, in the general state's terms: a condition, or that a value is the special state's one.
#[derive(Clone, Copy)]
pub struct Demand {
    /// The body, or the whole state, in which the symbols of `general` are bound.
    pub scope: usize,
    /// The facts that hold with it, by their place among the special state's scopes.
    pub world: usize,
    /// The value of the general state.
    pub general: Term,
    /// What it has to be in the special state; `None`: it has to be true.
    pub special: Option<Term>,
}

/// What remains to be shown, gathered from a walk over the embedding.
pub(super) struct Gathering<'a> {
    pub context: Rc<Context>,
    pub old: &'a State,
    pub worlds: Vec<World>,
    pub scopes: Vec<Scope<'a>>,
    /// Values of the general state with what the special one has in their place.
    pub equations: Vec<Demand>,
    /// Conditions of the general state.
    pub facts: Vec<Demand>,
    /// Values that may correspond, for the choice of what symbols stand for: nothing rests on them.
    pub likely: Vec<Demand>,
    /// The numbers and values of cells that stand for any cell of a run: no symbol may stand for a term over them, for what it stands
    /// for would then differ from cell to cell.
    pub any_cell: BTreeSet<SymId>,
    /// Summaries whose bodies are still to be compared, after all reads of the world they are in.
    pub later: Vec<Later<'a>>,
    /// The parts of lists whose nodes stand in an order.
    pub rows: Vec<Row>,
    /// The number of the next block that stands for a cell of an array.
    pub cells: u32,
}

/// What is left to be shown when objects correspond as `embedding` says.
///
/// # Errors
/// Why they cannot.
pub(super) fn gather<'a>(old: &'a State, new: &State, embedding: &'a Embedding) -> Result<Gathering<'a>, Mismatch> {
    let memory = new.memory.clone();
    let context = memory.context().clone();
    if memory.objects.values().chain(old.memory.objects.values()).any(|object| object.lost) {
        return Err(Reason::Lost.into());
    }
    let mut gathering = Gathering {
        context,
        old,
        worlds: Vec::new(),
        scopes: Vec::new(),
        equations: Vec::new(),
        facts: Vec::new(),
        likely: Vec::new(),
        any_cell: BTreeSet::new(),
        later: Vec::new(),
        rows: Vec::new(),
        cells: FIRST_CELL,
    };
    gathering.worlds.push(World { memory, parent: None, first: [0; 3], used: BTreeSet::new() });
    gathering.open(Some(embedding), None, 0, None);
    gathering.frames(new, embedding)?;
    for (&block, place) in &embedding.places {
        let object = old.memory.object(block).ok_or(Reason::Object)?;
        let placed = gathering.place(0, object, &|block| old.memory.object(block).cloned(), place, &[]);
        placed.map_err(|why| why.at(block))?;
    }
    gathering.tables(embedding)?;
    let mut next = 0;
    while next < gathering.later.len() {
        gathering.instances(next)?;
        next += 1;
    }
    gathering.rows.iter().try_for_each(|row| row.check(&gathering.later))?;
    gathering.accounted(embedding).then_some(gathering).ok_or(Reason::Unaccounted.into())
}

/// A way to an object of the general state by its id in the scope at hand.
type Lookup<'l> = &'l dyn Fn(BlockId) -> Option<Rc<Object>>;

impl<'a> Gathering<'a> {
    fn open(&mut self, given: Option<&'a Embedding>, parent: Option<usize>, world: usize, depth: Option<u8>) -> usize {
        let (symbols, addresses, definitions) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        self.scopes.push(Scope { given, parent, world, depth, symbols, addresses, definitions });
        self.scopes.len() - 1
    }

    pub(super) fn equate(&mut self, scope: usize, general: Term, special: Term) -> Result<(), Mismatch> {
        let terms = &self.context.terms;
        Reason::Cells.unless(terms.width(general) == terms.width(special))?;
        let world = self.scopes[scope].world;
        self.equations.push(Demand { scope, world, general, special: Some(special) });
        Ok(())
    }

    /// The call stacks are the same, with values that correspond.
    fn frames(&mut self, new: &State, embedding: &Embedding) -> Result<(), Mismatch> {
        let old = self.old;
        let corresponds = |general: BlockId, special: BlockId| match embedding.places.get(&general) {
            Some(Place::Block(block)) => *block == special,
            _ => false,
        };
        Reason::Stack.unless(old.frames.len() == new.frames.len() && old.globals.len() == new.globals.len())?;
        for (general, special) in old.globals.iter().zip(new.globals.iter()) {
            Reason::Stack.unless(corresponds(*general, *special))?;
        }
        for (general, special) in old.frames.iter().zip(&new.frames) {
            let same_place = general.function == special.function
                && general.at == special.at
                && general.result == special.result
                && general.regs.len() == special.regs.len()
                && general.slots.len() == special.slots.len()
                && general.allocas.len() == special.allocas.len();
            Reason::Stack.unless(same_place)?;
            for (slot, other) in general.slots.iter().zip(&special.slots) {
                match (slot, other) {
                    (None, None) => {}
                    (Some(slot), Some(other)) => Reason::Stack.unless(corresponds(*slot, *other))?,
                    _ => return Err(Reason::Stack.into()),
                }
            }
            for (block, other) in general.allocas.iter().zip(&special.allocas) {
                Reason::Stack.unless(corresponds(*block, *other))?;
            }
            for (value, other) in general.regs.iter().zip(&special.regs) {
                // A register that was never set may have any value.
                let Some(value) = *value else { continue };
                let other = match other {
                    Some(other) => *other,
                    None => {
                        let width = self.context.terms.width(value);
                        self.worlds[0].memory.nondet(&NondetKind::Uninitialised, width)
                    }
                };
                self.equate(0, value, other)?;
            }
        }
        Ok(())
    }

    /// `block` is the world's own and stands for nothing else yet.
    pub(super) fn use_block(&mut self, world: usize, block: BlockId) -> Result<Rc<Object>, Mismatch> {
        let world = &mut self.worlds[world];
        let object = world.memory.object(block).ok_or(Reason::Object)?.clone();
        (block.0 >= world.first[0] && world.used.insert(block)).then_some(object).ok_or(Reason::Object.into())
    }

    /// The address symbol of an object of the general state stands for `address`.
    pub(super) fn settle_address(&mut self, scope: usize, object: &Object, address: Term) -> Result<(), Mismatch> {
        let terms = &self.context.terms;
        let symbol = terms.as_symbol(object.address).ok_or(Reason::Address)?;
        Reason::Address.unless(terms.trailing_zeros(address) >= terms.symbol_info(symbol).alignment)?;
        let scope = &mut self.scopes[scope];
        Reason::Address.unless(scope.addresses.insert(symbol) && scope.symbols.insert(symbol, address).is_none())
    }

    /// One object of the general state; `links` are those of the node of a body, which are compared with its neighbours.
    fn place(
        &mut self,
        scope: usize,
        object: &Object,
        lookup: Lookup,
        place: &'a Place,
        links: &[u64],
    ) -> Result<(), Mismatch> {
        match (place, &object.form) {
            (Place::Block(block), Form::Region | Form::Optional(_)) => self.region(scope, object, *block, links),
            (Place::Absent, Form::Optional(Optional { absent })) => self.define(scope, object.address, *absent),
            (Place::Chain(parts), Form::First(segment)) => {
                let last = lookup(segment.last).ok_or(Reason::Form)?;
                self.chain(scope, object, &last, segment, parts)
            }
            (Place::Tree(tree_part), Form::Tree(tree)) => self.tree(scope, object, tree, tree_part),
            // With the runs that speak of it, once all else has its place; no address leads there.
            (Place::Table(_), Form::Table(_)) if scope == 0 => Ok(()),
            _ => Err(Reason::Form.into()),
        }
    }

    /// One object of the general state that is one block.
    fn region(&mut self, scope: usize, object: &Object, block: BlockId, links: &[u64]) -> Result<(), Mismatch> {
        let own = self.use_block(self.scopes[scope].world, block)?;
        self.same_object(scope, object, &own)?;
        Reason::Form.unless(own.is_region())?;
        self.settle_address(scope, object, own.address)?;
        if object.valid {
            self.content(scope, object, block, links)?;
        }
        Ok(())
    }

    pub(super) fn define(&mut self, scope: usize, address: Term, value: Term) -> Result<(), Mismatch> {
        let symbol = self.context.terms.as_symbol(address).ok_or(Reason::Address)?;
        let scope = &mut self.scopes[scope];
        Reason::Address.unless(scope.addresses.insert(symbol))?;
        scope.definitions.push((symbol, value));
        Ok(())
    }

    pub(super) fn same_object(&mut self, scope: usize, general: &Object, special: &Object) -> Result<(), Mismatch> {
        Reason::Kind.unless(general.kind == special.kind && general.valid == special.valid)?;
        let terms = &self.context.terms;
        if !general.valid
            && let (Some(a), Some(b)) = (terms.as_const(general.size), terms.as_const(special.size))
        {
            // Of what is dead only its place is left, and that follows from the size.
            return Reason::Kind.unless(a <= b);
        }
        self.equate(scope, general.size, special.size)
    }

    /// What the general object's cells hold, the special one's do.
    fn content(&mut self, scope: usize, object: &Object, block: BlockId, links: &[u64]) -> Result<(), Mismatch> {
        let context = self.context.clone();
        let terms = &context.terms;
        let world = self.scopes[scope].world;
        let mut content: Content = object.content.clone();
        let pointer = u64::from(context.model.pointer_bytes());
        for offset in links {
            // Compared with the neighbours instead; arbitrary here, unless others in the body speak of what stands there.
            let is_stated =
                |edge: &Edge| edge.offset == *offset && edge.bytes == pointer && matches!(edge.cell, Cell::Value(_));
            if !content.edges().iter().any(is_stated) {
                content.write(terms, *offset, pointer, Cell::Forgotten);
            }
        }
        let mut uniform: Vec<(u64, u64, Term)> = Vec::new();
        for edge in content.edges() {
            match edge.cell {
                Cell::Value(value) => {
                    let found = self.worlds[world].memory.read_exactly(block, edge.offset, edge.bytes);
                    self.equate(scope, value, found)?;
                }
                Cell::Uniform(byte) => uniform.push((edge.offset, edge.bytes, byte)),
                Cell::Forgotten => {}
            }
        }
        if content.is_zeroed() {
            let size = terms.as_const(object.size).and_then(|size| u64::try_from(size).ok());
            let size = size.unwrap_or(u64::MAX / 4);
            let zero = terms.constant(0, 8);
            uniform.extend(content.gaps(0, size).into_iter().map(|(from, to)| (from, to - from, zero)));
        }
        for run in object.content.runs() {
            self.likely(scope, object, block, run);
            if run.table.is_none() {
                self.run(scope, object, block, run);
            }
        }
        for (offset, bytes, byte) in uniform {
            let slice =
                self.worlds[world].memory.object(block).ok_or(Reason::Cells)?.content.slice(terms, offset, bytes);
            for part in slice {
                match part.cell {
                    Cell::Uniform(other) => self.equate(scope, byte, other)?,
                    Cell::Value(value) => {
                        for index in 0..part.bytes as u32 {
                            self.equate(scope, byte, terms.extract(value, 8 * index + 7, 8 * index))?;
                        }
                    }
                    Cell::Forgotten => return Err(Reason::Cells.into()),
                }
            }
        }
        Ok(())
    }

    /// What the general object says of the cells of a run is true of any cell of the special one: of one of which nothing but its
    /// number is known.
    fn run(&mut self, scope: usize, object: &Object, block: BlockId, run: &Run) {
        let context = self.context.clone();
        let terms = &context.terms;
        let world = self.scopes[scope].world;
        let memory = &mut self.worlds[world].memory;
        let (index, bound, facts) = match run.text {
            true => {
                // That a text ends in the special object's cell stands for the value of the general one's.
                let index = memory.forgotten(context.model.pointer_bits());
                let has_zero = terms.zext(memory.has_zero(block, run.layout, index), 8);
                let cell = context.cell_value(8);
                (index, (cell, has_zero), [terms.eq(cell, terms.constant(1, 8))].into())
            }
            false => {
                let (index, value, known) = memory.any_cell(block, run.layout);
                known.into_iter().for_each(|fact| memory.store.assume(&context, fact));
                self.any_cell.extend(terms.as_symbol(value));
                (index, (context.cell_value(run.layout.bits), value), run.facts.clone())
            }
        };
        self.any_cell.extend(terms.as_symbol(index));
        let own = self.open(None, Some(scope), world, Some(OF_RUN));
        let bound = [(context.cell_index(), index), bound];
        let bound = bound.into_iter().filter_map(|(symbol, term)| Some((terms.as_symbol(symbol)?, term)));
        self.scopes[own].symbols.extend(bound);
        let is_inside = run.layout.is_inside(terms, context.cell_index(), object.size);
        let is_meant = terms.bool_and(is_inside, run.contains(terms, context.cell_index()));
        let demand = |fact: &Term| {
            let general = terms.implies(is_meant, *fact);
            Demand { scope: own, world, general, special: None }
        };
        self.facts.extend(facts.iter().map(demand));
    }

    /// A segment of the general state: its parts are linked to each other, long enough, and instances of the body.
    fn chain(
        &mut self,
        scope: usize,
        object: &Object,
        last: &Object,
        segment: &Rc<Segment>,
        parts: &'a [Link],
    ) -> Result<(), Mismatch> {
        let context = self.context.clone();
        let terms = &context.terms;
        let links = segment.links;
        let head = i128::from(links.head);
        if parts.is_empty() {
            Reason::List.unless(segment.min_len == 0)?;
            if let Some(count) = segment.count {
                self.equate(scope, count, terms.constant(0, terms.width(count)))?;
            }
            if let Some(empty) = segment.empty {
                self.define(scope, object.address, empty)?;
                return self.define(scope, last.address, empty);
            }
            self.define(scope, object.address, terms.add_constant(segment.next, -head))?;
            return match segment.prev {
                Some(prev) => self.define(scope, last.address, terms.add_constant(prev, -head)),
                None => Ok(()),
            };
        }
        let world = self.scopes[scope].world;
        let mut length: u64 = 0;
        // How many nodes there are in all, where each part tells.
        let mut count = Some(context.pointer_constant(0));
        // The address of the last node so far and its link onwards.
        let mut end: Option<(Term, Term)> = None;
        let mut is_end_known = true;
        let mut row = Row::new(&segment.order);
        for part in parts {
            let own = self.use_block(world, part.first())?;
            self.same_object(scope, object, &own)?;
            let aligned = |general: &Object, special: &Object| {
                let alignment = terms.as_symbol(general.address).map(|symbol| terms.symbol_info(symbol).alignment);
                alignment.is_some_and(|alignment| terms.trailing_zeros(special.address) >= alignment)
            };
            Reason::List.unless(own.valid && aligned(object, &own) && aligned(last, &own))?;
            let (tail, next, prev) = match part {
                Link::Node(block, inner) => {
                    Reason::List.unless(own.is_region() && links.branching.is_none())?;
                    let width = u64::from(context.model.pointer_bytes());
                    let memory = &mut self.worlds[world].memory;
                    let next = memory.read_exactly(*block, links.next, width);
                    let prev = links.prev.map(|prev| memory.read_exactly(*block, prev, width));
                    self.instance(scope, world, &segment.bodies, &links.offsets(), inner, *block)?;
                    row.node(inner.kind);
                    length += 1;
                    count = count.map(|count| terms.add_constant(count, 1));
                    is_end_known = true;
                    (own.address, next, prev)
                }
                Link::Branching(block, inner, second, aside) => {
                    Reason::List.unless(own.is_region())?;
                    let tree = Rc::new(segment.subtree(segment.prev).ok_or(Reason::List)?);
                    let width = u64::from(context.model.pointer_bytes());
                    let memory = &mut self.worlds[world].memory;
                    let down = tree.links.children.map(|offset| memory.read_exactly(*block, offset, width));
                    let prev = links.prev.map(|prev| memory.read_exactly(*block, prev, width));
                    let (next, other) = if *second { (down[1], down[0]) } else { (down[0], down[1]) };
                    self.instance(scope, world, &segment.bodies, &links.offsets(), inner, *block)?;
                    self.child(scope, object, &tree, aside, (own.address, other))?;
                    length += 1;
                    count = count.map(|count| terms.add_constant(count, 1));
                    is_end_known = true;
                    (own.address, next, prev)
                }
                Link::Segment(block, cases) => {
                    let Form::First(other) = &own.form else { return Err(Reason::List.into()) };
                    Reason::List.unless(other.links == links)?;
                    if let Some(leaf) = segment.leaf {
                        self.equate(scope, leaf, other.leaf.ok_or(Reason::List)?)?;
                    }
                    let tail = self.use_block(world, other.last)?;
                    Reason::List.unless(aligned(last, &tail))?;
                    let bodies = segment.bodies.clone();
                    let (own, links) = (other.bodies.clone(), links.offsets());
                    row.list(other, self.later.len());
                    self.later.push(Later { scope, bodies, first: *block, own, links, cases, kinds: Vec::new() });
                    length += u64::from(other.min_len);
                    count = count.zip(other.count).map(|(count, more)| terms.add(count, more));
                    // Without nodes its ends' addresses are those of what follows and precedes it, which is what the links to
                    // its neighbours are compared with; but nothing is known of the end of a singly linked one.
                    Reason::List.unless(other.empty.is_none())?;
                    is_end_known = other.min_len > 0 || other.prev.is_some();
                    (tail.address, other.next, other.prev)
                }
            };
            let memory = &self.worlds[world].memory;
            match (end, prev, segment.prev) {
                (None, Some(prev), Some(before)) => self.equate(scope, before, prev)?,
                (Some((before, _)), Some(prev), Some(_)) => {
                    Reason::List.unless(memory.are_equal(prev, terms.add_constant(before, head)))?;
                }
                (_, None, None) => {}
                _ => return Err(Reason::List.into()),
            }
            let memory = &self.worlds[world].memory;
            match end {
                Some((_, link)) => {
                    Reason::List.unless(memory.are_equal(link, terms.add_constant(own.address, head)))?
                }
                None => self.settle_address(scope, object, own.address)?,
            }
            end = Some((tail, next));
        }
        let (tail, next) = end.ok_or(Reason::List)?;
        if is_end_known {
            self.settle_address(scope, last, tail)?;
        }
        self.rows.extend((!segment.order.is_free()).then_some(row));
        self.equate(scope, segment.next, next)?;
        if let Some(general) = segment.count {
            self.worlds[world]
                .memory
                .assume_nodes(u32::try_from(length).ok().ok_or(Reason::List)?, count.ok_or(Reason::List)?);
            self.equate(scope, general, count.ok_or(Reason::List)?)?;
        }
        // Where there may be no node at all, the ends lead where those of the parts do.
        Reason::List.unless(length >= u64::from(segment.min_len) && (length > 0 || segment.empty.is_none()))
    }

    /// `block` as a node of the kind that `inner` says, with one of these bodies.
    pub(super) fn instance(
        &mut self,
        outer: usize,
        world: usize,
        bodies: &[Rc<Body>],
        links: &[u64],
        inner: &'a Embedding,
        block: BlockId,
    ) -> Result<(), Mismatch> {
        let body = bodies.get(inner.kind).ok_or(Reason::Node)?;
        Reason::Node.unless(inner.places.get(&BlockId(0)) == Some(&Place::Block(block)))?;
        self.instance_at((outer, world), body, links, inner, block)
    }

    /// `block`, which is used already, as a node with this body, whatever the embedding says of the node itself.
    pub(super) fn instance_at(
        &mut self,
        (outer, world): (usize, usize),
        body: &Rc<Body>,
        links: &[u64],
        inner: &'a Embedding,
        block: BlockId,
    ) -> Result<(), Mismatch> {
        let scope = self.open(Some(inner), Some(outer), world, Some(body.depth));
        let lookup = |block: BlockId| body.objects.get(block.index()).map(|object| Rc::new(object.clone()));
        let node = lookup(BlockId(0)).ok_or(Reason::Node)?;
        self.worlds[world].used.remove(&block);
        self.region(scope, &node, block, links)?;
        for (&position, place) in inner.places.iter().filter(|(position, _)| **position != BlockId(0)) {
            let object = lookup(position).ok_or(Reason::Node)?;
            self.place(scope, &object, &lookup, place, &[])?;
        }
        self.facts.extend(body.facts.iter().map(|&general| Demand { scope, world, general, special: None }));
        Ok(())
    }

    /// What any node of a summary of the special state can be, as an instance of one of the general one's bodies; without objects
    /// in these cases: the bodies say the same.
    fn instances(&mut self, index: usize) -> Result<(), Mismatch> {
        let Later { scope, ref bodies, first, ref own, ref links, cases, .. } = self.later[index];
        let (bodies, own, links) = (bodies.clone(), own.clone(), links.clone());
        if cases.iter().all(|case| case.places.is_empty()) {
            // Nodes are of one kind, or it is said of which each is.
            Reason::Node.unless(cases.len() == own.len() || (cases.is_empty() && bodies.len() == 1))?;
            for (number, own) in own.iter().enumerate() {
                let kind = cases.get(number).map_or(0, |case| case.kind);
                let outer = alike(&self.context, bodies.get(kind).ok_or(Reason::Node)?, own).ok_or(Reason::Node)?;
                outer.into_iter().try_for_each(|(general, special)| self.equate(scope, general, special))?;
                self.later[index].kinds.push(1 << kind);
            }
            return Ok(());
        }
        let parent = self.scopes[scope].world;
        let mut memory = self.worlds[parent].memory.clone();
        let limits = [memory.next_block, memory.next_forgotten, memory.next_input];
        let node = memory.lone_node(first).ok_or(Reason::Node)?;
        let instances = |own: &Rc<Body>| memory.clone().instances_of(own, node, &links);
        let memories: Vec<(usize, Smg)> = own
            .iter()
            .enumerate()
            .flat_map(|(kind, own)| instances(own).into_iter().map(move |memory| (kind, memory)))
            .collect();
        Reason::Node.unless(memories.len() == cases.len())?;
        let mut kinds: Vec<Kinds> = vec![0; own.len()];
        for ((own, memory), inner) in memories.into_iter().zip(cases) {
            kinds[own] |= 1u32.checked_shl(u32::try_from(inner.kind).ok().ok_or(Reason::Node)?).ok_or(Reason::Node)?;
            self.worlds.push(World { memory, parent: Some(parent), first: limits, used: BTreeSet::new() });
            let world = self.worlds.len() - 1;
            self.use_block(world, node)?;
            self.instance(scope, world, &bodies, &links, inner, node)?;
        }
        self.later[index].kinds = kinds;
        Ok(())
    }

    /// No live heap block vanishes: each stands for something, but for those that neither state can reach any more.
    fn accounted(&self, embedding: &Embedding) -> bool {
        let vanishes = |world: &World| {
            world.memory.objects.iter().any(|(block, object)| {
                (world.first[0]..FIRST_CELL).contains(&block.0)
                    && object.valid
                    && object.kind == BlockKind::Heap
                    && !world.used.contains(block)
                    && !(world.memory.table(*block).is_some() && world.memory.has_no_node(*block))
            })
        };
        let old = &self.old.memory;
        let has_place = |block: &BlockId| {
            let owner = old.object(*block).and_then(|object| object.form.end_of());
            embedding.places.contains_key(&owner.unwrap_or(*block))
        };
        let unreached = old
            .objects
            .iter()
            .filter(|(block, object)| object.valid && object.kind == BlockKind::Heap && !old.may_be_nothing(**block))
            .any(|(block, _)| !has_place(block));
        let (state, cases) = (&self.worlds[0], &self.worlds[1..]);
        vanishes(state) == unreached && !cases.iter().any(vanishes)
    }
}
