//! A heap out of γ of a state, at random: segments a little longer than they must be, blocks that may be absent or not, small
//! numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Block, Heap, Random, View, function_address};
use crate::heap::{Body, Cell, Content, Form, Lead, Object, Piece, Succession, Summary, SymbolKind, Unfolding, has};
use crate::memory::BlockId;
use crate::smt::{SymId, Term, mask};

/// Nodes beyond the least length.
const MORE_NODES: u32 = 2;
/// Larger heaps are not made.
const MOST_BLOCKS: usize = 24;
/// Larger blocks are not made.
const MOST_BYTES: u128 = 1 << 10;
/// Attempts to guess numbers before the solver is asked.
const GUESSES: usize = 12;
/// Each block has so much of the address space for itself.
const STRIDE: u64 = 1 << 16;
const FIRST_ADDRESS: u64 = 0x6000_1000_0000;
const SMALL: [u128; 10] = [0, 1, 2, 3, 5, 7, 100, u128::MAX, u128::MAX - 1, 1 << 31];

struct Scope {
    parent: Option<usize>,
    body: Option<Rc<Body>>,
    values: BTreeMap<SymId, u128>,
    /// Addresses of what is not there, as terms.
    aliases: BTreeMap<SymId, Term>,
    met: BTreeSet<BlockId>,
    /// Everything that must be true of the numbers.
    facts: Vec<Term>,
    terms: Vec<Term>,
}

enum Link {
    Address(u64),
    Term(usize, Term),
}

struct Placed {
    scope: usize,
    object: Object,
    address: u64,
    links: Vec<(u64, Link)>,
}

struct Build<'a> {
    view: &'a View<'a>,
    random: &'a mut Random,
    scopes: Vec<Scope>,
    placed: Vec<Placed>,
    open: Vec<(usize, BlockId)>,
    /// Places of the address space already given away.
    taken: BTreeSet<u64>,
    by_block: BTreeMap<BlockId, u64>,
}

/// A heap out of γ of `view`; `None` where none was found.
pub fn sample(view: &View, random: &mut Random) -> Option<Heap> {
    let mut build = Build {
        view,
        random,
        scopes: Vec::new(),
        placed: Vec::new(),
        open: Vec::new(),
        taken: BTreeSet::new(),
        by_block: BTreeMap::new(),
    };
    build.scope(None, None);
    build.shape()?;
    for scope in 0..build.scopes.len() {
        build.numbers(scope)?;
    }
    build.heap()
}

impl Build<'_> {
    fn scope(&mut self, parent: Option<usize>, body: Option<Rc<Body>>) -> usize {
        let facts = body
            .as_ref()
            .map_or_else(|| self.view.memory.store.constraints().iter().copied().collect(), |body| body.facts.clone());
        let (values, aliases) = (BTreeMap::new(), BTreeMap::new());
        self.scopes.push(Scope { parent, body, values, aliases, met: BTreeSet::new(), facts, terms: Vec::new() });
        self.scopes.len() - 1
    }

    /// Decides how long segments are and what is absent, and where everything stands.
    fn shape(&mut self) -> Option<()> {
        let memory = self.view.memory;
        for (&block, object) in &memory.objects {
            if !object.valid {
                let address = self.address(object.address);
                self.set(0, object.address, address)?;
                self.by_block.insert(block, address);
                self.placed.push(Placed { scope: 0, object: object.as_ref().clone(), address, links: Vec::new() });
                continue;
            }
            self.meet_object(0, block);
        }
        self.scopes[0].terms = self.view.roots.iter().flatten().copied().collect();
        while let Some((scope, block)) = self.open.pop() {
            if self.placed.len() > MOST_BLOCKS {
                return None;
            }
            let object = self.object(scope, block)?;
            match &object.form {
                Form::Region => {
                    let address = self.place(scope, &object, Vec::new())?;
                    if scope == 0 {
                        self.by_block.insert(block, address);
                    }
                }
                Form::Last(owner) => self.meet_object(scope, *owner),
                form => self.summary(scope, block, &object, form.summary()?)?,
            }
        }
        Some(())
    }

    /// A little more than the summary has to be.
    fn summary(&mut self, scope: usize, owner: BlockId, object: &Object, summary: &dyn Summary) -> Option<()> {
        let context = self.view.memory.context.clone();
        let least = summary.least();
        let fits = |more: &u32| !summary.unfoldings(&context, owner, least + more).is_empty();
        let choices: Vec<u32> = (0..=MORE_NODES).filter(fits).collect();
        // Of tall trees there are too many to try.
        (!choices.is_empty()).then_some(())?;
        let mut nodes = least + self.random.pick(&choices);
        if let Some(count) = summary.count() {
            let established = context.terms.as_const(count).and_then(|established| u32::try_from(established).ok());
            nodes = established.filter(|established| least <= *established).unwrap_or(nodes);
            let is_right = context.terms.eq(count, context.pointer_constant(nodes.into()));
            self.scopes[scope].facts.push(is_right);
            self.meet(scope, count);
        }
        let mut ways = summary.unfoldings(&context, owner, nodes);
        let way = if ways.len() > 1 { self.random.below(ways.len()) } else { 0 };
        let Unfolding { pieces, ends, order } = ways.swap_remove(way);
        let mut kinds = self.kinds(&pieces, order.as_ref())?.into_iter();
        self.scopes[scope].met.extend(summary.ends());
        let addresses: Vec<u64> = pieces.iter().map(|_| self.address(object.address)).collect();
        for (end, lead) in ends {
            let end = self.object(scope, end)?;
            match lead {
                Lead::Node(index) => self.set(scope, end.address, addresses[index])?,
                Lead::Value(value) => {
                    self.meet(scope, value);
                    self.alias(scope, end.address, value)?;
                }
            }
        }
        for (piece, &address) in pieces.iter().zip(&addresses) {
            let mut links = Vec::new();
            for &(offset, head, lead) in &piece.links {
                links.push(match lead {
                    Lead::Node(index) => (offset, Link::Address(addresses[index] + head)),
                    Lead::Value(value) => {
                        self.meet(scope, value);
                        (offset, Link::Term(scope, value))
                    }
                });
            }
            if piece.bodies.is_empty() {
                self.place(scope, object, links)?;
                continue;
            }
            let body = &piece.bodies[kinds.next()?];
            let own = self.scope(Some(scope), Some(body.clone()));
            self.scopes[own].met.insert(BlockId(0));
            let node = self.object(own, BlockId(0))?;
            self.set(own, node.address, address)?;
            for &(offset, head, lead) in &piece.links {
                let Some(name) = body.tie(&context, offset) else { continue };
                let name = context.terms.symbol_term(name);
                match lead {
                    Lead::Node(index) => self.set(own, name, addresses[index] + head)?,
                    Lead::Value(value) => self.alias(own, name, value)?,
                }
            }
            self.place(own, &node, links)?;
        }
        Some(())
    }

    /// Of which kind each node is.
    fn kinds(&mut self, pieces: &[Piece], order: Option<&Succession>) -> Option<Vec<usize>> {
        let fitting = |piece: &Piece| {
            let fits = |kind: &usize| self.is_aligned(&piece.bodies[*kind], piece);
            (0..piece.bodies.len()).filter(fits).collect::<Vec<usize>>()
        };
        let nodes = pieces.iter().filter(|piece| !piece.bodies.is_empty());
        let mut choices: Vec<Vec<usize>> = nodes.map(fitting).collect();
        if let Some(order) = order {
            // From the last node on: those behind which the others may stand.
            let mut allowed = order.last;
            for choice in choices.iter_mut().rev() {
                choice.retain(|kind| has(allowed, *kind));
                allowed = order.before(choice.iter().fold(0, |set, kind| set | (1 << kind)));
            }
        }
        let mut chosen: Vec<usize> = Vec::new();
        for mut choice in choices {
            if let Some(order) = order {
                let allowed = chosen.last().map_or(order.first, |kind| order.follows[*kind]);
                choice.retain(|kind| has(allowed, *kind));
            }
            chosen.push(match choice.as_slice() {
                [] => return None,
                [kind] => *kind,
                _ => choice[self.random.below(choice.len())],
            });
        }
        Some(chosen)
    }

    /// Whether the links of the piece are as well aligned as the names that the body has for them.
    fn is_aligned(&self, body: &Body, piece: &Piece) -> bool {
        let context = &self.view.memory.context;
        piece.links.iter().all(|(offset, _, lead)| match (*lead, body.tie(context, *offset)) {
            (Lead::Value(value), Some(name)) => {
                context.terms.trailing_zeros(value) >= context.terms.symbol_info(name).alignment
            }
            _ => true,
        })
    }

    fn place(&mut self, scope: usize, object: &Object, links: Vec<(u64, Link)>) -> Option<u64> {
        let symbol = self.view.memory.context.terms.as_symbol(object.address)?;
        let address = match self.scopes[scope].values.get(&symbol) {
            Some(address) => u64::try_from(*address).ok()?,
            None => self.address(object.address),
        };
        self.set(scope, object.address, address)?;
        self.meet(scope, object.size);
        object.content.terms().for_each(|term| self.meet(scope, term));
        self.placed.push(Placed { scope, object: object.clone(), address, links });
        Some(address)
    }

    /// A place for an object with this address symbol.
    fn address(&mut self, address: Term) -> u64 {
        let terms = &self.view.memory.context.terms;
        let alignment = terms.as_symbol(address).map_or(0, |symbol| terms.symbol_info(symbol).alignment);
        loop {
            let place = self.random.draw() % 4096;
            if self.taken.insert(place) {
                let shift = (self.random.draw() % 64) << alignment;
                return FIRST_ADDRESS + place * STRIDE + shift;
            }
        }
    }

    fn set(&mut self, scope: usize, symbol: Term, value: u64) -> Option<()> {
        let symbol = self.view.memory.context.terms.as_symbol(symbol)?;
        self.scopes[scope].values.insert(symbol, value.into());
        Some(())
    }

    fn alias(&mut self, scope: usize, symbol: Term, term: Term) -> Option<()> {
        let symbol = self.view.memory.context.terms.as_symbol(symbol)?;
        self.scopes[scope].aliases.insert(symbol, term);
        Some(())
    }

    fn object(&self, scope: usize, block: BlockId) -> Option<Object> {
        match &self.scopes[scope].body {
            None => self.view.memory.object(block).map(|object| object.as_ref().clone()),
            Some(body) => body.objects.get(block.index()).cloned(),
        }
    }

    fn owner(&self, scope: usize, symbol: SymId) -> usize {
        let Some(SymbolKind::Bound { depth, .. }) = self.view.memory.context.kind(symbol) else { return 0 };
        let mut at = scope;
        while let (Some(body), Some(parent)) = (&self.scopes[at].body, self.scopes[at].parent) {
            if body.depth == depth {
                break;
            }
            at = parent;
        }
        at
    }

    fn meet(&mut self, scope: usize, term: Term) {
        let context = &self.view.memory.context;
        self.scopes[scope].terms.push(term);
        for &symbol in context.terms.symbols_of(term).iter() {
            let owner = self.owner(scope, symbol);
            let block = match &self.scopes[owner].body {
                None => self.view.memory.points_to.get(&symbol).copied(),
                Some(body) => {
                    let is_it = |object: &Object| context.terms.as_symbol(object.address) == Some(symbol);
                    body.objects.iter().position(is_it).map(BlockId::from_index)
                }
            };
            if let Some(block) = block {
                self.meet_object(owner, block);
            }
        }
    }

    fn meet_object(&mut self, scope: usize, block: BlockId) {
        let is_dead = scope == 0 && self.view.memory.object(block).is_none_or(|object| !object.valid);
        if !is_dead && self.scopes[scope].met.insert(block) {
            self.open.push((scope, block));
        }
    }

    fn value(&self, scope: usize, symbol: SymId, depth: u32) -> Option<u128> {
        let owner = self.owner(scope, symbol);
        let at = &self.scopes[owner];
        if let Some(alias) = at.aliases.get(&symbol) {
            return if depth > 0 { self.evaluate(owner, *alias, depth - 1) } else { None };
        }
        at.values.get(&symbol).copied().or_else(|| function_address(self.view.memory, symbol))
    }

    fn evaluate(&self, scope: usize, term: Term, depth: u32) -> Option<u128> {
        let terms = &self.view.memory.context.terms;
        let mut values = BTreeMap::new();
        for &symbol in terms.symbols_of(term).iter() {
            values.insert(symbol, self.value(scope, symbol, depth)?);
        }
        Some(terms.evaluate(term, &|symbol| values.get(&symbol).copied().unwrap_or(0)))
    }

    /// Values for the numbers of a scope; those further out have theirs.
    fn numbers(&mut self, scope: usize) -> Option<()> {
        let context = self.view.memory.context.clone();
        let terms = &context.terms;
        let facts = self.scopes[scope].facts.clone();
        let mut open: Vec<SymId> = self.scopes[scope]
            .terms
            .iter()
            .chain(&facts)
            .flat_map(|term| terms.symbols_of(*term).to_vec())
            .filter(|symbol| self.owner(scope, *symbol) == scope && self.value(scope, *symbol, 0).is_none())
            .filter(|symbol| !self.scopes[scope].aliases.contains_key(symbol))
            .collect();
        open.sort_unstable();
        open.dedup();
        for attempt in 0..=GUESSES {
            if attempt == GUESSES {
                self.solve(scope, &open, &facts)?;
            } else {
                for &symbol in &open {
                    let info = terms.symbol_info(symbol);
                    let number = match self.random.below(4) {
                        0 => u128::from(self.random.draw() % 8),
                        _ => self.random.pick(&SMALL),
                    };
                    let number = number & mask(info.width);
                    self.scopes[scope].values.insert(symbol, number >> info.alignment << info.alignment);
                }
            }
            let is_true = |fact: &Term| self.evaluate(scope, *fact, 32) == Some(1);
            let is_allowed = |symbol: &SymId| {
                let value = self.scopes[scope].values.get(symbol).copied().unwrap_or(0);
                scope != 0 || self.view.memory.store.allows(&context, *symbol, value)
            };
            if facts.iter().all(is_true) && open.iter().all(is_allowed) {
                return Some(());
            }
        }
        None
    }

    /// Values from the solver.
    fn solve(&mut self, scope: usize, open: &[SymId], facts: &[Term]) -> Option<()> {
        let context = self.view.memory.context.clone();
        let terms = &context.terms;
        let mut query = Vec::new();
        for &fact in facts {
            let mut by = FxHashMap::default();
            for &symbol in terms.symbols_of(fact).iter().filter(|symbol| !open.contains(symbol)) {
                let value = self.value(scope, symbol, 32)?;
                by.insert(symbol, terms.constant(value, terms.symbol_info(symbol).width));
            }
            query.push(terms.substitute(fact, &by));
        }
        if scope == 0 {
            for &symbol in open {
                query.extend(self.view.memory.store.bounds(&context, symbol, terms.symbol_term(symbol)));
            }
        }
        let model = context.solver.borrow_mut().check(terms, &query, context.effort()).model()?;
        for &symbol in open {
            self.scopes[scope].values.insert(symbol, model.value(symbol).unwrap_or(0));
        }
        Some(())
    }

    fn heap(mut self) -> Option<Heap> {
        let mut blocks = Vec::new();
        let width = u64::from(self.view.memory.context.model.pointer_bytes()) as usize;
        for placed in std::mem::take(&mut self.placed) {
            let Placed { scope, object, address, links } = placed;
            if !object.valid {
                blocks.push(Block { address, kind: object.kind, live: false, bytes: Vec::new() });
                continue;
            }
            let size = self.evaluate(scope, object.size, 32)?;
            if size > MOST_BYTES {
                return None;
            }
            let mut block = Block { address, kind: object.kind, live: true, bytes: vec![None; size as usize] };
            self.fill(scope, &mut block, &object.content)?;
            for (offset, link) in links {
                let value = match link {
                    Link::Address(address) => address.into(),
                    Link::Term(scope, term) => self.evaluate(scope, term, 32)?,
                };
                block.put(offset as usize, width, value);
            }
            blocks.push(block);
        }
        let values: Option<Vec<Option<u128>>> = self
            .view
            .roots
            .iter()
            .map(|root| match root {
                Some(term) => self.evaluate(0, *term, 32).map(Some),
                None => Some(None),
            })
            .collect();
        let place = |block: &BlockId| {
            let address = self.by_block.get(block)?;
            blocks.iter().position(|block| block.address == *address)
        };
        let anchors = self.view.anchors.iter().map(|anchor| anchor.as_ref().and_then(place)).collect();
        Some(Heap { roots: values?, anchors, blocks })
    }

    fn fill(&mut self, scope: usize, block: &mut Block, content: &Content) -> Option<()> {
        for byte in &mut block.bytes {
            *byte = Some(if content.is_zeroed() || self.random.once_in(2) { 0 } else { self.random.draw() as u8 });
        }
        for edge in content.edges() {
            let (offset, bytes) = (edge.offset as usize, edge.bytes as usize);
            // Of what its cells say a block has at least the size.
            (edge.cell == Cell::Forgotten || offset + bytes <= block.bytes.len()).then_some(())?;
            match edge.cell {
                Cell::Value(term) => block.put(offset, bytes, self.evaluate(scope, term, 32)?),
                Cell::Uniform(term) => {
                    let byte = self.evaluate(scope, term, 32)? as u8;
                    block.bytes.iter_mut().skip(offset).take(bytes).for_each(|at| *at = Some(byte));
                }
                Cell::Forgotten => {
                    for at in block.bytes.iter_mut().skip(offset).take(bytes) {
                        *at = Some(self.random.draw() as u8);
                    }
                }
            }
        }
        Some(())
    }
}
