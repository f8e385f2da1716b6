//! A lockstep walk over two states that proposes which objects correspond. Whether they do is verified afterwards, so a wrong
//! guess here costs time only.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use super::chains::Part;
use super::tables::{Row, Section};
use super::trees::Branch;
use crate::certificate::{Embedding, Link, Place};
use crate::heap::{Body, Cell, Form, Found, Object, Optional, Smg, State, SymbolKind, Target};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// Choices that are followed, all in all.
const MOST_TRIES: u32 = 200;

/// What an object of the general state was found to be.
#[derive(Clone, Debug)]
pub(super) enum Finding {
    Block(BlockId),
    Absent,
    Chain(Vec<Part>),
    Tree(Branch),
    Table(Vec<Section>),
}

#[derive(Clone)]
pub(super) struct World {
    pub memory: Smg,
    /// Blocks from here on are the world's own.
    pub first: u32,
}

#[derive(Clone)]
pub(super) struct Scope {
    pub parent: Option<usize>,
    pub world: usize,
    /// `None` for the state itself.
    pub body: Option<Rc<Body>>,
    /// The position of the body among those of its summary's nodes.
    pub kind: usize,
    pub places: BTreeMap<BlockId, Finding>,
}

/// A segment of the general state that some pointer led to: its first node, its last node in the special state.
#[derive(Clone, Copy, Default)]
pub(super) struct Pending {
    pub start: Option<BlockId>,
    pub end: Option<BlockId>,
}

#[derive(Clone)]
pub(super) struct Proposal<'a> {
    pub old: &'a State,
    pub worlds: Vec<World>,
    pub scopes: Vec<Scope>,
    pub used: BTreeSet<(usize, BlockId)>,
    /// Values that correspond: scope, of the general state, of the special state in the scope's world.
    pub queue: VecDeque<(usize, Term, Term)>,
    pub pending: BTreeMap<(usize, BlockId), Pending>,
    /// Tables of an array of the general state, and single cells beside them, in a row: what they are is still open.
    pub rows: VecDeque<Row>,
    /// What the addresses of ends of lists that may have no node correspond to: the scope that says so, and its world's value.
    pub values: BTreeMap<(usize, BlockId), (usize, Term)>,
}

/// A segment by scope and first node, and the chains it may be.
type Choice = ((usize, BlockId), Vec<Vec<Part>>);

impl<'a> Proposal<'a> {
    /// Calls `accept` with proposals until it takes one; whether it did.
    pub fn search(old: &'a State, new: &State, accept: &mut dyn FnMut(&Embedding) -> bool) -> bool {
        let mut tries = MOST_TRIES;
        Self::begin(old, new).and_then(|proposal| proposal.solve(&mut tries, accept)).is_some()
    }

    /// With what call stacks and globals say; `None` where these do not fit.
    fn begin(old: &'a State, new: &State) -> Option<Self> {
        let world = World { memory: new.memory.clone(), first: 0 };
        let scope = Scope { parent: None, world: 0, body: None, kind: 0, places: BTreeMap::new() };
        let mut proposal = Proposal {
            old,
            worlds: vec![world],
            scopes: vec![scope],
            used: BTreeSet::new(),
            queue: VecDeque::new(),
            pending: BTreeMap::new(),
            rows: VecDeque::new(),
            values: BTreeMap::new(),
        };
        for (general, special) in old.globals.iter().zip(new.globals.iter()) {
            proposal.pair(0, *general, *special)?;
        }
        for (general, special) in old.frames.iter().zip(&new.frames) {
            let slots = general.slots.iter().flatten().zip(special.slots.iter().flatten());
            for (general, special) in slots.chain(general.allocas.iter().zip(&special.allocas)) {
                proposal.pair(0, *general, *special)?;
            }
            for (general, special) in general.regs.iter().zip(&special.regs) {
                if let (Some(general), Some(special)) = (general, special) {
                    proposal.queue.push_back((0, *general, *special));
                }
            }
        }
        Some(proposal)
    }

    fn solve(mut self, tries: &mut u32, accept: &mut dyn FnMut(&Embedding) -> bool) -> Option<()> {
        loop {
            while let Some((scope, general, special)) = self.queue.pop_front() {
                self.meet(scope, general, special)?;
            }
            if let Some(row) = self.rows.pop_front() {
                let mut ways = self.alignments(&row);
                if ways.len() == 1 {
                    self.align(&row, &ways.pop()?)?;
                    continue;
                }
                return self.first_of(ways, tries, accept, |proposal, way| proposal.align(&row, &way));
            }
            if self.pending.is_empty() {
                return accept(&self.embedding(0)).then_some(());
            }
            // The segment with the fewest possible chains next.
            let open: Vec<_> = self.pending.iter().map(|(key, pending)| (*key, *pending)).collect();
            let mut best: Option<Choice> = None;
            for (key, pending) in open {
                let chains = self.chains(key, pending)?;
                if best.as_ref().is_none_or(|(_, least)| chains.len() < least.len()) {
                    best = Some((key, chains));
                }
            }
            let (key, mut chains) = best?;
            if chains.len() == 1 {
                self.take(key, chains.pop()?)?;
                continue;
            }
            return self.first_of(chains, tries, accept, |proposal, chain| proposal.take(key, chain));
        }
    }

    /// Goes on with the first of these choices that leads to a proposal which is accepted.
    fn first_of<T>(
        &self,
        choices: Vec<T>,
        tries: &mut u32,
        accept: &mut dyn FnMut(&Embedding) -> bool,
        choose: impl Fn(&mut Self, T) -> Option<()>,
    ) -> Option<()> {
        for choice in choices {
            *tries = tries.checked_sub(1)?;
            let mut other = self.clone();
            if choose(&mut other, choice).is_some() && other.solve(tries, accept).is_some() {
                return Some(());
            }
        }
        None
    }

    /// What was found, as an embedding without symbols.
    pub(super) fn embedding(&self, scope: usize) -> Embedding {
        let link = |part: &Part| match part {
            Part::Node(block, scope) => Link::Node(*block, self.embedding(*scope)),
            Part::Branching(block, scope, second, aside) => {
                Link::Branching(*block, self.embedding(*scope), *second, self.tree_part(aside))
            }
            Part::Segment(block, scopes) => {
                Link::Segment(*block, scopes.iter().map(|scope| self.embedding(*scope)).collect())
            }
        };
        let places = self.scopes[scope].places.iter().map(|(block, found)| {
            let place = match found {
                Finding::Block(block) => Place::Block(*block),
                Finding::Absent => Place::Absent,
                Finding::Chain(parts) => Place::Chain(parts.iter().map(link).collect()),
                Finding::Tree(branch) => Place::Tree(self.tree_part(branch)),
                Finding::Table(sections) => Place::Table(sections.iter().map(|part| self.table_part(part)).collect()),
            };
            (*block, place)
        });
        Embedding { places: places.collect(), symbols: BTreeMap::new(), kind: self.scopes[scope].kind }
    }

    pub(super) fn object(&self, scope: usize, block: BlockId) -> Option<Rc<Object>> {
        match &self.scopes[scope].body {
            None => self.old.memory.object(block).cloned(),
            Some(body) => body.objects.get(block.index()).map(|object| Rc::new(object.clone())),
        }
    }

    /// The scope and object that `symbol` is the address of.
    fn owner(&self, scope: usize, symbol: SymId) -> Option<(usize, BlockId)> {
        let context = self.old.memory.context();
        let Some(SymbolKind::Bound { depth, .. }) = context.kind(symbol) else {
            return Some((0, *self.old.memory.points_to.get(&symbol)?));
        };
        let mut at = scope;
        loop {
            let body = self.scopes[at].body.as_ref()?;
            if body.depth == depth {
                let address = context.terms.symbol_term(symbol);
                let position = body.objects.iter().position(|object| object.address == address)?;
                return Some((at, BlockId::from_index(position)));
            }
            at = self.scopes[at].parent?;
        }
    }

    /// The object of the general state that `term` points into.
    pub fn target(&self, scope: usize, term: Term) -> Option<(usize, BlockId)> {
        let terms = &self.old.memory.context().terms;
        let sum = terms.linear(term);
        let mut bases = sum.parts.iter().filter(|(coefficient, _)| *coefficient == 1);
        bases.find_map(|(_, part)| self.owner(scope, terms.as_symbol(*part)?))
    }

    /// What the special state has where `term` is the name that a body has for its node's link.
    pub(super) fn link_of(&self, scope: usize, term: Term) -> Option<Term> {
        let context = self.old.memory.context();
        let symbol = context.terms.as_symbol(term)?;
        let Some(SymbolKind::Bound { depth, .. }) = context.kind(symbol) else { return None };
        let mut at = scope;
        loop {
            let body = self.scopes[at].body.as_ref()?;
            if body.depth == depth {
                let node = body.objects.first()?;
                let edge = node.content.edges().iter().find(|edge| edge.cell == Cell::Value(term))?;
                let Some(Finding::Block(block)) = self.scopes[at].places.get(&BlockId(0)) else { return None };
                (body.tie(context, edge.offset) == Some(symbol)).then_some(())?;
                return self.worlds[self.scopes[at].world].memory.field(*block, edge.offset);
            }
            at = self.scopes[at].parent?;
        }
    }

    pub(super) fn special_target(&self, world: usize, term: Term) -> Option<BlockId> {
        match self.worlds[world].memory.target(term) {
            Target::Object { block, .. } => Some(block),
            _ => None,
        }
    }

    /// Two values that correspond: where they lead does, too.
    fn meet(&mut self, scope: usize, general: Term, special: Term) -> Option<()> {
        let context = self.old.memory.context().clone();
        let terms = &context.terms;
        // Calls of one function may hand over other things.
        (terms.width(general) == terms.width(special)).then_some(())?;
        if let (Some(a), Some(b)) = (terms.as_const(general), terms.as_const(special)) {
            return (a == b).then_some(());
        }
        let Some((home, block)) = self.target(scope, general) else {
            let (a, b) = (terms.node(general), terms.node(special));
            if std::mem::discriminant(&a) == std::mem::discriminant(&b)
                && terms.symbols_of(general).iter().any(|symbol| self.owner(scope, *symbol).is_some())
            {
                for (a, b) in a.operands().zip(b.operands()) {
                    self.queue.push_back((scope, a, b));
                }
            }
            return Some(());
        };
        let object = self.object(home, block)?;
        let world = self.scopes[scope].world;
        let target = self.special_target(world, special);
        if !object.is_region() {
            let address = terms.sub(special, terms.sub(general, object.address));
            self.values.entry((home, block)).or_insert((scope, address));
        }
        match (&object.form, target) {
            (Form::Optional(Optional { absent }), target) => {
                if self.scopes[home].places.contains_key(&block) {
                    return Some(());
                }
                let elsewhere = self.target(home, *absent).and_then(|(home, block)| self.found(home, block));
                // It leads where the node's link does, which has a name in the body.
                let address = terms.sub(special, terms.sub(general, object.address));
                let is_link = self.link_of(home, *absent) == Some(address);
                if target.is_none() || is_link || (elsewhere.is_some() && elsewhere == target) {
                    self.scopes[home].places.insert(block, Finding::Absent);
                    return Some(());
                }
                self.pair(home, block, target?)
            }
            (_, Some(target)) => self.pair(home, block, target),
            (Form::Tree(tree), None) if tree.min_len == 0 => {
                let tree = tree.clone();
                self.no_tree((home, block), &tree)
            }
            (Form::First(segment), None) if segment.min_len == 0 => self.take((home, block), Vec::new()),
            (Form::Last(first), None) => {
                let first = *first;
                let Form::First(segment) = &self.object(home, first)?.form else { return None };
                (segment.min_len == 0).then_some(())?;
                self.take((home, first), Vec::new())
            }
            (_, None) => None,
        }
    }

    /// The block of the special state where an object of the general one begins.
    pub(super) fn found(&self, scope: usize, block: BlockId) -> Option<BlockId> {
        match self.scopes[scope].places.get(&block) {
            Some(Finding::Block(found)) => Some(*found),
            Some(Finding::Chain(parts)) => parts.first().map(Part::first),
            Some(Finding::Tree(branch)) => branch.root(),
            Some(Finding::Absent | Finding::Table(_)) => None,
            None => self.pending.get(&(scope, block)).and_then(|pending| pending.start),
        }
    }

    /// `general` and `special` correspond.
    pub(super) fn pair(&mut self, scope: usize, general: BlockId, special: BlockId) -> Option<()> {
        let object = self.object(scope, general)?;
        let world = self.scopes[scope].world;
        match &object.form {
            Form::Last(first) => match self.scopes[scope].places.get(first) {
                Some(Finding::Chain(parts)) => match parts.last() {
                    Some(part) => (self.end_of(world, part) == Some(special)).then_some(()),
                    None => Some(()),
                },
                Some(_) => None,
                None => {
                    let pending = self.pending.entry((scope, *first)).or_default();
                    (*pending.end.get_or_insert(special) == special).then_some(())
                }
            },
            Form::First(_) => match self.scopes[scope].places.get(&general) {
                Some(Finding::Chain(parts)) => match parts.first() {
                    Some(part) => (part.first() == special).then_some(()),
                    None => Some(()),
                },
                Some(_) => None,
                None => {
                    let pending = self.pending.entry((scope, general)).or_default();
                    (*pending.start.get_or_insert(special) == special).then_some(())
                }
            },
            Form::Tree(tree) => self.pair_tree((scope, general), tree, special),
            Form::Table(_) => None,
            Form::Region | Form::Optional(_) => {
                match self.scopes[scope].places.get(&general) {
                    Some(Finding::Block(found)) => return (*found == special).then_some(()),
                    Some(_) => return None,
                    None => {}
                }
                let own = self.worlds[world].memory.object(special)?.clone();
                let fits = special.0 >= self.worlds[world].first
                    && own.is_region()
                    && own.kind == object.kind
                    && own.valid == object.valid
                    && self.used.insert((world, special));
                fits.then_some(())?;
                self.scopes[scope].places.insert(general, Finding::Block(special));
                if object.valid {
                    self.cells(scope, &object, special, &|_| false);
                    self.meet_tables(scope, &object, special);
                }
                Some(())
            }
        }
    }

    /// The cells of two regions correspond, `skip` aside.
    pub(super) fn cells(&mut self, scope: usize, object: &Object, special: BlockId, skip: &dyn Fn(u64) -> bool) {
        let context = self.old.memory.context().clone();
        let world = self.scopes[scope].world;
        let Some(own) = self.worlds[world].memory.object(special).cloned() else { return };
        self.queue.push_back((scope, object.size, own.size));
        for edge in object.content.edges().iter().filter(|edge| !skip(edge.offset)) {
            if let Cell::Value(general) = edge.cell
                && let Found::Value(special) = own.content.read(&context.terms, edge.offset, edge.bytes)
            {
                self.queue.push_back((scope, general, special));
            }
        }
    }
}
