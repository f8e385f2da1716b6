//! Which kind of node a block may be, where the nodes of a list are of several.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::objects::Proposal;
use crate::check::alike;
use crate::heap::{Body, Cell, Form, Found, Object, Target};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

impl Proposal<'_> {
    /// Which of `bodies` says the same as the `own` one of a summary of the special state, and what has to be equal for that.
    pub(super) fn kind_like(
        &self,
        scope: usize,
        bodies: &[Rc<Body>],
        own: &Rc<Body>,
    ) -> Option<(usize, Vec<(Term, Term)>)> {
        let world = self.scopes[scope].world;
        let alike = bodies
            .iter()
            .enumerate()
            .filter_map(|(kind, body)| Some((kind, alike(self.old.memory.context(), body, own)?)));
        let mut alike = alike.filter(|(_, outer)| {
            bodies.len() == 1 || outer.iter().all(|pair| self.may_equal(scope, world, *pair) != Some(false))
        });
        alike.next()
    }

    /// How well `block` of the special state, seen from `outer`, fits as a node with this body, as a look at its cells tells: the number
    /// of values that surely fit. `None` where it is no such node.
    pub(super) fn fit(&self, outer: usize, world: usize, body: &Body, block: BlockId) -> Option<usize> {
        let memory = &self.worlds[world].memory;
        let terms = &memory.context().terms;
        let (own, node) = (memory.object(block)?, body.objects.first()?);
        let mut fitting = 0;
        // What the body's symbols are in this node.
        let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
        for edge in node.content.edges() {
            let Cell::Value(general) = edge.cell else { continue };
            let Found::Value(special) = own.content.read(terms, edge.offset, edge.bytes) else { continue };
            match self.fits(outer, world, body, (general, special)) {
                Some(true) => fitting += 1,
                Some(false) => return None,
                None => {}
            }
            if let Some(symbol) = terms.as_symbol(general)
                && by.insert(symbol, special).is_some_and(|known| !memory.are_equal(known, special))
            {
                return None;
            }
        }
        let holds = |fact: &Term| memory.decide(terms.substitute(*fact, &by)) != Some(false);
        body.facts.iter().all(holds).then_some(fitting)
    }

    /// Whether a node with this body may hold `special` where the body has `general`; `None` where that is open.
    fn fits(&self, outer: usize, world: usize, body: &Body, (general, special): (Term, Term)) -> Option<bool> {
        let memory = &self.worlds[world].memory;
        let terms = &memory.context().terms;
        let symbols = terms.symbols_of(general);
        let is_met = |object: &Object| terms.as_symbol(object.address).is_some_and(|symbol| symbols.contains(&symbol));
        let Some(below) = body.objects.iter().find(|object| is_met(object)) else {
            return self.may_equal(outer, world, (general, special));
        };
        let found = match memory.target(special) {
            Target::Object { block, .. } => memory.object(block).filter(|_| memory.is_live_heap(block)),
            _ => None,
        };
        let is_there = found.is_some_and(|found| found.size == below.size);
        let may_be_absent =
            matches!(below.form, Form::Last(_)) || below.form.summary().is_some_and(|summary| summary.least() == 0);
        (is_there || !may_be_absent).then_some(is_there)
    }

    /// Whether a value of the general state, which speaks of no body inside `outer`, is this one of the special state; `None` where that
    /// is open.
    fn may_equal(&self, outer: usize, world: usize, (general, special): (Term, Term)) -> Option<bool> {
        let memory = &self.worlds[world].memory;
        let terms = &memory.context().terms;
        if terms.as_const(general).is_some() {
            return memory.decide(terms.eq(general, special));
        }
        let (home, block) = self.target(outer, general)?;
        match (self.found(home, block)?, memory.target(special)) {
            (found, Target::Object { block, .. }) => Some(found == block),
            (_, Target::Null) => Some(false),
            _ => None,
        }
    }
}
