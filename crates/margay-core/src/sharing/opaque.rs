//! Addresses that a function only carries: those of blocks that stay with the caller, at places the function does not follow
//! ([`Follows`]). To the function each is a value that it lost track of, another one than null.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::follows::Follows;
use crate::cfa::Reg;
use crate::heap::{Cell, Form, Object, Role, Run, Smg, State, Visitor, substituted};
use crate::memory::{BlockId, BlockKind, Frame};
use crate::smt::{SymId, Term};

/// A call whose state is about to be split.
pub(super) struct Carrier<'a> {
    pub caller: &'a State,
    /// The parameters of the function.
    pub params: &'a [Reg],
    /// By global: whether the function may name it.
    pub named: &'a [bool],
    pub follows: &'a Follows,
    /// Blocks that stay with the caller have to be held by it.
    pub tracks: bool,
}

impl Carrier<'_> {
    /// Gives the addresses that are only carried new names in what the function gets of `memory`. By new symbol: the address.
    pub fn rename(&self, memory: &mut Smg, callee: &mut Frame<Term>) -> FxHashMap<SymId, Term> {
        let (local, carried) = self.carried(memory, callee);
        let context = memory.context().clone();
        let terms = &context.terms;
        let (mut by, mut named) = (FxHashMap::default(), FxHashMap::default());
        for symbol in carried {
            let info = terms.symbol_info(symbol);
            let name = memory.forgotten_aligned(info.width, info.alignment);
            by.insert(symbol, name);
            named.extend(terms.as_symbol(name).map(|name| (name, info.term)));
        }
        if by.is_empty() {
            return named;
        }
        for block in local {
            if let Some(object) = memory.object(block) {
                let object = substituted(&context, object, &by);
                memory.objects.insert(block, Rc::new(object));
            }
        }
        callee.regs.iter_mut().flatten().for_each(|value| *value = terms.substitute(*value, &by));
        for name in by.values() {
            memory.store.assume(&context, terms.ne(*name, context.pointer_constant(0)));
        }
        named
    }

    /// What the function gets, and the addresses it carries, in the order in which a walk meets them.
    fn carried(&self, memory: &Smg, callee: &Frame<Term>) -> (BTreeSet<BlockId>, Vec<SymId>) {
        let mut followed: FxHashSet<SymId> = FxHashSet::default();
        loop {
            let walk = self.walk(memory, callee, &followed);
            let mut roots = self.caller.frames.iter().flat_map(|frame| frame.regs.iter().flatten());
            let held = self.tracks.then(|| memory.held(&mut roots, &walk.reached));
            let is_kept = |symbol: &SymId| {
                let Some(block) = memory.points_to.get(symbol) else { return false };
                held.as_ref().is_none_or(|held| !memory.is_live_heap(*block) || held.contains(block))
            };
            let lost: Vec<SymId> = walk.carried.iter().filter(|symbol| !is_kept(symbol)).copied().collect();
            if lost.is_empty() {
                return (walk.reached, walk.carried);
            }
            followed.extend(lost);
        }
    }

    fn walk(&self, memory: &Smg, callee: &Frame<Term>, followed: &FxHashSet<SymId>) -> Walk {
        let mut walk = Walk::default();
        let globals = &self.caller.globals;
        for (param, follows) in self.params.iter().zip(&self.follows.params) {
            let value = callee.regs.get(param.index()).copied().flatten();
            value.into_iter().for_each(|value| walk.meet(memory, value, *follows, followed));
        }
        let named = globals.iter().zip(self.named).filter(|(_, named)| **named).map(|(block, _)| block);
        for block in callee.slots.iter().flatten().chain(&callee.allocas).chain(named) {
            walk.add(*block);
        }
        while let Some(block) = walk.work.pop() {
            let Some(object) = memory.object(block) else { continue };
            let mut meet = |value: Term, follows: bool| walk.meet(memory, value, follows, followed);
            each_value(object, self.follows, &mut meet);
            object.each_tied(&mut |tied| walk.add(tied));
        }
        let (reached, carried) = (&walk.reached, &mut walk.carried);
        let mut seen = FxHashSet::default();
        carried.retain(|symbol| {
            let block = memory.points_to.get(symbol);
            block.is_some_and(|block| !reached.contains(block) && !globals.contains(block)) && seen.insert(*symbol)
        });
        walk
    }
}

#[derive(Default)]
struct Walk {
    reached: BTreeSet<BlockId>,
    work: Vec<BlockId>,
    /// Addresses at places that are not followed.
    carried: Vec<SymId>,
}

impl Walk {
    fn add(&mut self, block: BlockId) {
        if self.reached.insert(block) {
            self.work.push(block);
        }
    }

    fn meet(&mut self, memory: &Smg, value: Term, follows: bool, followed: &FxHashSet<SymId>) {
        for symbol in memory.context().terms.symbols_of(value).iter() {
            let Some(block) = memory.points_to.get(symbol) else { continue };
            match follows || followed.contains(symbol) {
                true => self.add(*block),
                false => self.carried.push(*symbol),
            }
        }
    }
}

/// Every term of `object`, and whether it stands where it may be followed.
fn each_value(object: &Object, follows: &Follows, visit: &mut dyn FnMut(Term, bool)) {
    visit(object.size, true);
    let is_heap = object.kind == BlockKind::Heap;
    for edge in object.content.edges() {
        match edge.cell {
            Cell::Value(value) => visit(value, !is_heap || follows.at(edge.offset)),
            Cell::Uniform(value) => visit(value, true),
            Cell::Forgotten => {}
        }
    }
    object.content.runs().iter().flat_map(Run::terms).for_each(|term| visit(term, true));
    let back = match &object.form {
        Form::First(segment) => segment.links.prev,
        Form::Tree(tree) => tree.links.parent,
        _ => None,
    };
    if let Some(summary) = object.form.summary() {
        summary.visit(&mut Values { follows, follows_back: back.is_none_or(|offset| follows.at(offset)), visit });
    }
}

struct Values<'a> {
    follows: &'a Follows,
    follows_back: bool,
    visit: &'a mut dyn FnMut(Term, bool),
}

impl Visitor for Values<'_> {
    fn term(&mut self, role: Role, term: Term) {
        (self.visit)(term, role != Role::Prev || self.follows_back);
    }

    fn body(&mut self, body: &crate::heap::Body) {
        for object in &body.objects {
            (self.visit)(object.address, true);
            each_value(object, self.follows, self.visit);
        }
        body.facts.iter().for_each(|fact| (self.visit)(*fact, true));
    }
}
