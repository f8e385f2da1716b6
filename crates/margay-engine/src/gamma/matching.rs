//! Whether a heap is in γ of a state: a search with backtracking.
//!
//! Numbers flow from the roots through cells to symbols; an object whose address is known must be the block that stands there.
//! What is not decided by that is tried: how long a segment is, whether a block is absent, which block an object is that
//! nothing leads to.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Heap, View, function_address};
use crate::heap::{Body, Cell, Form, Kinds, Lead, Object, Piece, Smg, Succession, Summary, SymbolKind, Unfolding, has};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{Node, Op, Sat, SymId, Term, mask, to_signed};

/// Whether `heap` is in γ of `view`.
pub fn is_model(view: &View, heap: &Heap) -> bool {
    Problem { view, heap, lost_blocks: true }.has_solution()
}

/// The same, but lost blocks (on both sides) do not count.
pub fn is_model_but_for_lost_blocks(view: &View, heap: &Heap) -> bool {
    Problem { view, heap, lost_blocks: false }.has_solution()
}

struct Problem<'a> {
    view: &'a View<'a>,
    heap: &'a Heap,
    lost_blocks: bool,
}

/// The symbols bound in one instance of a body; the outermost scope is the state's own.
#[derive(Clone)]
struct Scope {
    parent: Option<usize>,
    body: Option<Rc<Body>>,
    values: BTreeMap<SymId, u128>,
    /// Objects of this scope that something speaks of.
    met: BTreeSet<BlockId>,
}

#[derive(Clone)]
struct Search {
    scopes: Vec<Scope>,
    /// Terms and what they must be.
    equations: Vec<(usize, Term, u128)>,
    /// Objects that must still be found in the heap.
    open: Vec<(usize, BlockId)>,
    claimed: Vec<bool>,
}

/// What became of an equation.
enum Fit {
    Holds,
    Fails,
    Later,
}

/// The nodes of a summary on their way to being found.
struct Pieces<'s> {
    scope: usize,
    owner: &'s Object,
    pieces: &'s [Piece],
    ends: &'s [(BlockId, Lead)],
    order: Option<&'s Succession>,
}

impl Pieces<'_> {
    /// Whether pieces of these kinds, where they are known, may follow each other.
    fn may_be_of(&self, kinds: &[Option<usize>]) -> bool {
        let Some(order) = self.order else { return true };
        let is_in = |kind: &Option<usize>, set: Kinds| kind.is_none_or(|kind| has(set, kind));
        let may_follow = |pair: &[Option<usize>]| pair[0].is_none_or(|kind| is_in(&pair[1], order.follows[kind]));
        kinds.first().is_none_or(|kind| is_in(kind, order.first))
            && kinds.last().is_none_or(|kind| is_in(kind, order.last))
            && kinds.windows(2).all(may_follow)
    }
}

impl Problem<'_> {
    fn memory(&self) -> &Smg {
        self.view.memory
    }

    fn has_solution(&self) -> bool {
        let mut search = Search {
            scopes: vec![Scope { parent: None, body: None, values: BTreeMap::new(), met: BTreeSet::new() }],
            equations: Vec::new(),
            open: Vec::new(),
            claimed: vec![false; self.heap.blocks.len()],
        };
        for (term, value) in self.view.roots.iter().zip(&self.heap.roots) {
            if let (Some(term), Some(value)) = (term, value) {
                search.equations.push((0, *term, *value));
            }
            if let Some(term) = term {
                self.meet(&mut search, 0, *term);
            }
        }
        for (anchor, block) in self.view.anchors.iter().zip(&self.heap.anchors) {
            match (anchor.and_then(|anchor| self.memory().object(anchor)), block.map(|block| &self.heap.blocks[block]))
            {
                (Some(object), Some(block)) => search.equations.push((0, object.address, block.address.into())),
                (None, None) => {}
                _ => return false,
            }
        }
        for (&block, object) in &self.memory().objects {
            if object.valid && (self.lost_blocks || object.kind != BlockKind::Heap) {
                self.meet_object(&mut search, 0, block);
            }
        }
        for constraint in self.memory().store.constraints() {
            search.equations.push((0, *constraint, 1));
        }
        self.solve(search)
    }

    fn solve(&self, mut search: Search) -> bool {
        if !self.propagate(&mut search) {
            return false;
        }
        let is_known = |(scope, block): &(usize, BlockId)| {
            self.object(&search, *scope, *block)
                .is_some_and(|object| self.value(&search, *scope, object.address).is_some())
        };
        let Some(position) = search.open.iter().position(is_known).or((!search.open.is_empty()).then_some(0)) else {
            return self.is_complete(&search) && self.numbers_fit(&search);
        };
        let (scope, block) = search.open.remove(position);
        let Some(object) = self.object(&search, scope, block) else { return false };
        let address = self.value(&search, scope, object.address);
        match &object.form {
            _ if !object.valid => {
                // The address of something dead is not that of something alive.
                address.is_none_or(|address| self.heap.locate(address, 1).is_none()) && self.solve(search)
            }
            Form::Last(owner) => {
                self.meet_object(&mut search, scope, *owner);
                self.solve(search)
            }
            Form::Region => self.each_place(address).into_iter().any(|place| {
                let mut search = search.clone();
                self.place(&mut search, scope, &object, place, &[]) && self.solve(search)
            }),
            form => {
                let Some(summary) = form.summary() else { return false };
                let context = &self.memory().context;
                let width = u64::from(context.model.pointer_bytes());
                let read = |address: u128| {
                    let (block, at) = self.heap.locate(address, width)?;
                    self.heap.blocks[block].number(at, width)
                };
                let places: Vec<u128> = match address {
                    Some(address) => vec![address],
                    None => self.each_place(None).iter().map(|place| self.heap.blocks[*place].address.into()).collect(),
                };
                let established: Vec<Vec<Unfolding>> =
                    places.iter().filter_map(|at| summary.unfoldings_at(context, block, *at, &read)).collect();
                if !established.is_empty() {
                    let mut seen: Vec<Unfolding> = established.into_iter().flatten().collect();
                    seen.extend(address.is_none().then(|| Unfolding::empty(summary, context, block)));
                    seen.retain(|unfolding| unfolding.pieces.len() as u32 >= summary.least());
                    let mut seen = seen.into_iter();
                    return seen.any(|unfolding| self.unfold(search.clone(), scope, &object, unfolding));
                }
                let most = summary.least().max(self.heap.blocks.len() as u32);
                (summary.least()..=most).any(|nodes| {
                    let mut unfoldings = summary.unfoldings(context, block, nodes).into_iter();
                    unfoldings.any(|unfolding| self.unfold(search.clone(), scope, &object, unfolding))
                })
            }
        }
    }

    /// The blocks an object can be.
    fn each_place(&self, address: Option<u128>) -> Vec<usize> {
        let fits = |index: &usize| {
            let block = &self.heap.blocks[*index];
            block.live && address.is_none_or(|address| address == block.address.into())
        };
        (0..self.heap.blocks.len()).filter(fits).collect()
    }

    /// `object` is the block at `place`.
    fn place(&self, search: &mut Search, scope: usize, object: &Object, place: usize, links: &[u64]) -> bool {
        let block = &self.heap.blocks[place];
        let symbol = self.memory().context.terms.as_symbol(object.address);
        let alignment = symbol.map_or(0, |symbol| self.memory().context.terms.symbol_info(symbol).alignment);
        if search.claimed[place] || block.kind != object.kind || !is_aligned(alignment, block.address.into()) {
            return false;
        }
        search.claimed[place] = true;
        search.equations.push((scope, object.address, block.address.into()));
        search.equations.push((scope, object.size, block.bytes.len() as u128));
        let mut zero = vec![object.content.is_zeroed(); block.bytes.len()];
        let width = u64::from(self.memory().context.model.pointer_bytes());
        for offset in links {
            zero.iter_mut().skip(*offset as usize).take(width as usize).for_each(|zero| *zero = false);
        }
        for edge in object.content.edges() {
            zero.iter_mut().skip(edge.offset as usize).take(edge.bytes as usize).for_each(|zero| *zero = false);
            match edge.cell {
                Cell::Forgotten => {}
                Cell::Value(term) => {
                    if let Some(number) = block.number(edge.offset, edge.bytes) {
                        search.equations.push((scope, term, number));
                    } else if edge.offset + edge.bytes > block.bytes.len() as u64 {
                        return false;
                    }
                    self.meet(search, scope, term);
                }
                Cell::Uniform(term) => {
                    for offset in edge.offset..edge.offset + edge.bytes {
                        search.equations.extend(block.number(offset, 1).map(|number| (scope, term, number)));
                    }
                    self.meet(search, scope, term);
                }
            }
        }
        self.meet(search, scope, object.size);
        zero.iter().zip(&block.bytes).all(|(zero, byte)| !zero || byte.is_none_or(|byte| byte == 0))
    }

    /// The summary that `owner` owns is this.
    fn unfold(&self, mut search: Search, scope: usize, owner: &Object, unfolding: Unfolding) -> bool {
        let Unfolding { pieces, ends, order } = unfolding;
        let terms = &self.memory().context.terms;
        if let Some(count) = owner.form.summary().and_then(Summary::count) {
            search.equations.push((scope, count, pieces.len() as u128));
            self.meet(&mut search, scope, count);
        }
        let mut addresses: Vec<Option<u128>> = vec![None; pieces.len()];
        for (end, lead) in &ends {
            let Some(end) = self.object(&search, scope, *end) else { return false };
            match *lead {
                Lead::Node(index) => addresses[index] = addresses[index].or(self.value(&search, scope, end.address)),
                Lead::Value(value) => {
                    search.equations.push((scope, terms.sub(end.address, value), 0));
                    self.meet(&mut search, scope, value);
                }
            }
        }
        for (_, _, lead) in pieces.iter().flat_map(|piece| &piece.links) {
            if let Lead::Value(value) = *lead {
                self.meet(&mut search, scope, value);
            }
        }
        let chain = Pieces { scope, owner, pieces: &pieces, ends: &ends, order: order.as_ref() };
        self.find_pieces(search, &chain, addresses, vec![None; pieces.len()])
    }

    /// Finds the pieces of which the kind is not known, those with known addresses first.
    fn find_pieces(
        &self,
        search: Search,
        all: &Pieces,
        addresses: Vec<Option<u128>>,
        kinds: Vec<Option<usize>>,
    ) -> bool {
        if !all.may_be_of(&kinds) {
            return false;
        }
        let open = |index: &usize| kinds[*index].is_none();
        let known = (0..kinds.len()).filter(open).find(|index| addresses[*index].is_some());
        let Some(index) = known.or_else(|| (0..kinds.len()).find(open)) else {
            let mut search = search;
            for (end, lead) in all.ends {
                if let (Lead::Node(index), Some(end)) = (*lead, self.object(&search, all.scope, *end)) {
                    search.equations.extend(addresses[index].map(|address| (all.scope, end.address, address)));
                }
            }
            return self.solve(search);
        };
        self.each_place(addresses[index]).into_iter().any(|place| {
            (0..all.pieces[index].bodies.len().max(1)).any(|kind| {
                let (mut search, mut addresses, mut kinds) = (search.clone(), addresses.clone(), kinds.clone());
                kinds[index] = Some(kind);
                self.is_piece(&mut search, all, (index, kind), place, &mut addresses)
                    && self.find_pieces(search, all, addresses, kinds)
            })
        })
    }

    /// The block at `place` is this piece, of this kind, as far as it can be seen from there.
    fn is_piece(
        &self,
        search: &mut Search,
        all: &Pieces,
        (index, kind): (usize, usize),
        place: usize,
        addresses: &mut [Option<u128>],
    ) -> bool {
        let piece = &all.pieces[index];
        let block = &self.heap.blocks[place];
        addresses[index] = Some(block.address.into());
        let offsets: Vec<u64> = piece.links.iter().map(|(offset, ..)| *offset).collect();
        let is_placed = match piece.bodies.get(kind) {
            None => self.place(search, all.scope, all.owner, place, &offsets),
            Some(body) => {
                let own = search.scopes.len();
                search.scopes.push(Scope {
                    parent: Some(all.scope),
                    body: Some(body.clone()),
                    values: BTreeMap::new(),
                    met: BTreeSet::from([BlockId(0)]),
                });
                search.equations.extend(body.facts.iter().map(|fact| (own, *fact, 1)));
                body.objects.first().is_some_and(|node| self.place(search, own, node, place, &offsets))
            }
        };
        let width = u64::from(self.memory().context.model.pointer_bytes());
        is_placed
            && piece.links.iter().all(|(offset, head, lead)| {
                let Some(link) = block.number(*offset, width) else { return false };
                match *lead {
                    Lead::Value(value) => search.equations.push((all.scope, value, link)),
                    Lead::Node(other) => {
                        let Some(to) = link.checked_sub((*head).into()) else { return false };
                        return *addresses[other].get_or_insert(to) == to;
                    }
                }
                true
            })
    }

    /// Every live heap block is something, or something lost where these do not count.
    fn is_complete(&self, search: &Search) -> bool {
        let left_over = |index: &usize| {
            let block = &self.heap.blocks[*index];
            !search.claimed[*index] && block.live && block.kind == BlockKind::Heap
        };
        let mut left_over = (0..self.heap.blocks.len()).filter(left_over).peekable();
        if self.lost_blocks || left_over.peek().is_none() {
            return left_over.next().is_none();
        }
        // A state that has lost blocks itself may have lost any.
        let met = &search.scopes[0].met;
        let is_lost = |block: &BlockId, object: &Object| {
            object.valid
                && object.kind == BlockKind::Heap
                && !self.memory().may_be_nothing(*block)
                && !met.contains(block)
        };
        let reached = self.heap.reached();
        self.memory().objects.iter().any(|(block, object)| is_lost(block, object))
            || left_over.all(|index| !reached[index])
    }

    fn object(&self, search: &Search, scope: usize, block: BlockId) -> Option<Rc<Object>> {
        match &search.scopes[scope].body {
            None => self.memory().object(block).cloned(),
            Some(body) => body.objects.get(block.index()).cloned().map(Rc::new),
        }
    }

    /// The scope that a symbol seen from `scope` belongs to.
    fn owner(&self, search: &Search, scope: usize, symbol: SymId) -> usize {
        let Some(SymbolKind::Bound { depth, .. }) = self.memory().context.kind(symbol) else { return 0 };
        let mut at = scope;
        loop {
            match (&search.scopes[at].body, search.scopes[at].parent) {
                (Some(body), Some(parent)) if body.depth != depth => at = parent,
                _ => return at,
            }
        }
    }

    /// The objects that `term` speaks of must be somewhere.
    fn meet(&self, search: &mut Search, scope: usize, term: Term) {
        let context = &self.memory().context;
        for &symbol in context.terms.symbols_of(term).iter() {
            let owner = self.owner(search, scope, symbol);
            let block = match &search.scopes[owner].body {
                None => self.memory().points_to.get(&symbol).copied(),
                Some(body) => {
                    let is_it = |object: &Object| context.terms.as_symbol(object.address) == Some(symbol);
                    body.objects.iter().position(is_it).map(BlockId::from_index)
                }
            };
            block.into_iter().for_each(|block| self.meet_object(search, owner, block));
        }
    }

    fn meet_object(&self, search: &mut Search, scope: usize, block: BlockId) {
        if search.scopes[scope].met.insert(block) {
            search.open.push((scope, block));
        }
    }

    fn symbol(&self, search: &Search, scope: usize, symbol: SymId) -> Option<u128> {
        let owner = self.owner(search, scope, symbol);
        search.scopes[owner].values.get(&symbol).copied().or_else(|| function_address(self.memory(), symbol))
    }

    fn value(&self, search: &Search, scope: usize, term: Term) -> Option<u128> {
        let terms = &self.memory().context.terms;
        let known: Option<BTreeMap<SymId, u128>> =
            terms.symbols_of(term).iter().map(|symbol| Some((*symbol, self.symbol(search, scope, *symbol)?))).collect();
        let known = known?;
        Some(terms.evaluate(term, &|symbol| known.get(&symbol).copied().unwrap_or(0)))
    }

    /// Draws all conclusions from the equations; `false` if there is no solution.
    fn propagate(&self, search: &mut Search) -> bool {
        loop {
            let before = search.equations.len();
            let mut later = Vec::new();
            for (scope, term, number) in std::mem::take(&mut search.equations) {
                match self.fit(search, scope, term, number) {
                    Fit::Holds => {}
                    Fit::Fails => return false,
                    Fit::Later => later.push((scope, term, number)),
                }
            }
            search.equations = later;
            if search.equations.len() == before {
                return true;
            }
        }
    }

    /// `term` must be `number`: what that says of its symbols.
    fn fit(&self, search: &mut Search, scope: usize, term: Term, number: u128) -> Fit {
        let terms = &self.memory().context.terms;
        if let Some(value) = self.value(search, scope, term) {
            return if value == number { Fit::Holds } else { Fit::Fails };
        }
        let width = terms.width(term);
        match terms.node(term) {
            Node::Sym(symbol) => self.set(search, scope, symbol, number),
            Node::Not(inner) => self.fit(search, scope, inner, number ^ 1),
            Node::ZeroExt(inner) if number <= mask(terms.width(inner)) => self.fit(search, scope, inner, number),
            Node::ZeroExt(_) => Fit::Fails,
            Node::SignExt(inner) => {
                let narrow = number & mask(terms.width(inner));
                if to_signed(narrow, terms.width(inner)) != to_signed(number, width) {
                    return Fit::Fails;
                }
                self.fit(search, scope, inner, narrow)
            }
            Node::Bin(Op::Concat, high, low) => {
                let bits = terms.width(low);
                match (self.fit(search, scope, high, number >> bits), self.fit(search, scope, low, number & mask(bits)))
                {
                    (Fit::Fails, _) | (_, Fit::Fails) => Fit::Fails,
                    (Fit::Holds, Fit::Holds) => Fit::Holds,
                    _ => Fit::Later,
                }
            }
            Node::Bin(Op::Eq, left, right) if number == 1 => {
                match (self.value(search, scope, left), self.value(search, scope, right)) {
                    (Some(value), None) => self.fit(search, scope, right, value),
                    (None, Some(value)) => self.fit(search, scope, left, value),
                    _ => Fit::Later,
                }
            }
            Node::Bin(Op::Add | Op::Mul, ..) => {
                let sum = terms.linear(term);
                let mut rest = number.wrapping_sub(sum.constant);
                let mut unknown = None;
                for &(factor, part) in &sum.parts {
                    match (self.value(search, scope, part), unknown) {
                        (Some(value), _) => rest = rest.wrapping_sub(factor.wrapping_mul(value)),
                        (None, None) => unknown = Some((factor, part)),
                        (None, Some(_)) => return Fit::Later,
                    }
                }
                match unknown {
                    Some((1, part)) if part != term => self.fit(search, scope, part, rest & mask(width)),
                    Some((factor, part)) if factor == mask(width) && part != term => {
                        self.fit(search, scope, part, rest.wrapping_neg() & mask(width))
                    }
                    _ => Fit::Later,
                }
            }
            _ => Fit::Later,
        }
    }

    fn set(&self, search: &mut Search, scope: usize, symbol: SymId, number: u128) -> Fit {
        let context = &self.memory().context;
        let info = context.terms.symbol_info(symbol);
        let owner = self.owner(search, scope, symbol);
        // The address of what may be absent is aligned only if it is present.
        let may_be_absent = search.scopes[owner].body.as_ref().is_some_and(|body| {
            let is_it = |object: &Object| context.terms.as_symbol(object.address) == Some(symbol);
            body.objects.iter().any(|object| is_it(object) && !object.is_region())
        });
        let is_aligned = may_be_absent || is_aligned(info.alignment, number);
        if !is_aligned || (owner == 0 && !self.memory().store.allows(context, symbol, number)) {
            return Fit::Fails;
        }
        search.scopes[owner].values.insert(symbol, number);
        Fit::Holds
    }

    /// What is left to show speaks of numbers only.
    fn numbers_fit(&self, search: &Search) -> bool {
        let context = &self.memory().context;
        let terms = &context.terms;
        let mut names: FxHashMap<(usize, SymId), Term> = FxHashMap::default();
        let mut query = Vec::new();
        for &(scope, term, number) in &search.equations {
            let mut by = FxHashMap::default();
            for &symbol in terms.symbols_of(term).iter() {
                let owner = self.owner(search, scope, symbol);
                let info = terms.symbol_info(symbol);
                let known = self.symbol(search, scope, symbol).map(|value| terms.constant(value, info.width));
                let value = known.unwrap_or_else(|| {
                    let name = || terms.fresh_aligned_symbol(info.width, info.alignment, "some");
                    *names.entry((owner, symbol)).or_insert_with(|| if owner == 0 { info.term } else { name() })
                });
                by.insert(symbol, value);
            }
            let term = terms.substitute(term, &by);
            query.push(terms.eq(term, terms.constant(number, terms.width(term))));
        }
        if query.is_empty() {
            return true;
        }
        for ((owner, symbol), name) in &names {
            if *owner == 0 {
                query.extend(self.memory().store.bounds(context, *symbol, *name));
            }
        }
        query.sort_unstable();
        !matches!(context.solver.borrow_mut().check(terms, &query, context.effort()), Sat::Unsat)
    }
}

fn is_aligned(alignment: u32, number: u128) -> bool {
    alignment == 0 || number & mask(alignment) == 0
}
