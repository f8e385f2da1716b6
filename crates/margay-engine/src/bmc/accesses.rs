//! Which accesses the log of blocks allows, where blocks start and where new ones can lie.

use super::blocks::{BlocksId, Change};
use super::world::{Application, LOWEST, Place, Placement, World};
use crate::memory::rules::{Act, Extent, Logic, Range, Rule};
use crate::smt::Term;

/// Accesses of at most this many bytes are looked at byte by byte where memory is a function of time.
const FEW_BYTES: u128 = 16;

impl Logic for World {
    type Number = Term;
    type Truth = Term;

    fn known(&self, truth: bool) -> Term {
        self.terms.known(truth)
    }

    fn both(&self, a: Term, b: Term) -> Term {
        self.terms.both(a, b)
    }

    fn at_most(&self, a: Term, b: Term) -> Term {
        self.terms.at_most(a, b)
    }

    fn difference(&self, a: Term, b: Term) -> Term {
        self.terms.difference(a, b)
    }

    fn exact_sum(&self, a: Term, b: Term) -> Option<Term> {
        self.terms.exact_sum(a, b)
    }

    /// No block lies at null.
    fn is_zero(&self, a: Term) -> Term {
        self.equal(a, self.pointer(0))
    }
}

impl World {
    /// Whether `size` bytes at `address` may be accessed so.
    pub fn accessible(&self, blocks: BlocksId, address: Term, size: Term, act: Act) -> Term {
        let key = (blocks, address, size, act);
        if let Some(&known) = self.blocks.accesses.borrow().get(&key) {
            return known;
        }
        let result = match self.split(address) {
            Some((condition, then, otherwise)) => {
                let then = self.accessible(blocks, then, size, act);
                self.terms.ite(condition, then, self.accessible(blocks, otherwise, size, act))
            }
            None => self.look_up_access(blocks, address, size, act),
        };
        self.blocks.accesses.borrow_mut().insert(key, result);
        result
    }

    fn look_up_access(&self, blocks: BlocksId, address: Term, size: Term, act: Act) -> Term {
        let terms = &self.terms;
        let place = self.place(address);
        if place == Place::Low {
            return terms.false_();
        }
        let mut at = blocks;
        loop {
            match self.blocks.entry(at) {
                Change::Root => return self.root_access(address, size, act),
                Change::Join { condition, then, otherwise } => {
                    let then = self.accessible(then, address, size, act);
                    return terms.ite(condition, then, self.accessible(otherwise, address, size, act));
                }
                Change::Create { base, size: block_size, kind, before } => {
                    let extent = Extent { kind, live: terms.true_(), size: block_size };
                    let range = Range { offset: terms.sub(address, base), bytes: size };
                    let inside = Rule::InBounds.holds(self, &extent, &range);
                    let allowed = act.is_allowed_by(|rule| rule != Rule::InBounds, self, &extent, &range);
                    match place {
                        Place::Block(symbol, _) if terms.as_symbol(base) == Some(symbol) => {
                            return terms.bool_and(inside, allowed);
                        }
                        Place::Block(..) => at = before,
                        _ if terms.is_false(inside) => at = before,
                        _ => return terms.ite(inside, allowed, self.accessible(before, address, size, act)),
                    }
                }
                Change::Destroy { base, size: block_size, before } => {
                    let gone = match place {
                        Place::Block(symbol, _) => self.equal(terms.symbol_term(symbol), base),
                        _ => terms.ult(terms.sub(address, base), block_size),
                    };
                    if terms.is_true(gone) {
                        return terms.false_();
                    }
                    if terms.is_false(gone) {
                        at = before;
                        continue;
                    }
                    return terms.ite(gone, terms.false_(), self.accessible(before, address, size, act));
                }
            }
        }
    }

    fn root_access(&self, address: Term, size: Term, act: Act) -> Term {
        let terms = &self.terms;
        let mut parts = Vec::new();
        match terms.as_const(size) {
            Some(few) if few <= FEW_BYTES => {
                for k in 0..few {
                    let address = terms.add_constant(address, k as i128);
                    let Some(alloc) = self.root(Application::Alloc(address), 1) else { return terms.false_() };
                    parts.push(alloc);
                }
            }
            _ => match self.root(Application::Owned(address, size), 1) {
                Some(owned) => parts.push(owned),
                None => return terms.false_(),
            },
        }
        if act.rules().contains(&Rule::Writable) {
            parts.extend(self.root(Application::ReadOnly(address), 1).map(|t| terms.not(t)));
        }
        terms.conjunction(&parts)
    }

    /// Whether a live heap block starts at `address`, and its size (0 where none does).
    pub fn heap_start(&self, blocks: BlocksId, address: Term) -> (Term, Term) {
        let key = (blocks, address);
        if let Some(&known) = self.blocks.starts.borrow().get(&key) {
            return known;
        }
        let result = match self.split(address) {
            Some((condition, then, otherwise)) => {
                self.choose(condition, self.heap_start(blocks, then), self.heap_start(blocks, otherwise))
            }
            None => self.look_up_start(blocks, address),
        };
        self.blocks.starts.borrow_mut().insert(key, result);
        result
    }

    fn choose(&self, condition: Term, then: (Term, Term), otherwise: (Term, Term)) -> (Term, Term) {
        (self.terms.ite(condition, then.0, otherwise.0), self.terms.ite(condition, then.1, otherwise.1))
    }

    fn look_up_start(&self, blocks: BlocksId, address: Term) -> (Term, Term) {
        let terms = &self.terms;
        let none = (terms.false_(), self.pointer(0));
        let mut at = blocks;
        loop {
            let (base, found, before) = match self.blocks.entry(at) {
                Change::Root => {
                    let width = self.model.pointer_bits();
                    let Some(size) = self.root(Application::ObjSize(address), width) else { return none };
                    let is_start = terms.ne(size, terms.signed_constant(-1, width));
                    return (is_start, terms.ite(is_start, size, none.1));
                }
                Change::Join { condition, then, otherwise } => {
                    let (then, otherwise) = (self.heap_start(then, address), self.heap_start(otherwise, address));
                    return self.choose(condition, then, otherwise);
                }
                Change::Create { base, size, kind, before } => {
                    // What is left of the rules is that it starts there.
                    let extent = Extent { kind, live: terms.true_(), size };
                    let range = Range { offset: none.1, bytes: none.1 };
                    let allowed = Act::Free.is_allowed(self, &extent, &range);
                    if terms.is_false(allowed) {
                        at = before;
                        continue;
                    }
                    (base, (allowed, size), before)
                }
                Change::Destroy { base, before, .. } => (base, none, before),
            };
            let here = self.equal(address, base);
            if terms.is_true(here) {
                return found;
            }
            if terms.is_false(here) {
                at = before;
                continue;
            }
            return self.choose(here, found, self.heap_start(before, address));
        }
    }

    /// Whether a new block of `size` bytes may lie at `base` (section 4.2, `malloc`): above null, below the end of the
    /// address space, without wrapping around it, and not over live blocks. `frontier` is behind all earlier blocks.
    pub fn can_lie(&self, blocks: BlocksId, frontier: Term, base: Term, size: Term) -> Term {
        let terms = &self.terms;
        let free = match self.placement {
            Placement::Fresh => terms.ule(frontier, base),
            Placement::Anywhere => {
                // Blocks of no bytes get addresses of their own.
                let extent = terms.ite(terms.eq(size, self.pointer(0)), self.pointer(1), size);
                let above = terms.ule(self.pointer(LOWEST), base);
                terms.bool_and(above, self.free_place(blocks, blocks, base, extent))
            }
        };
        terms.bool_and(self.fits(base, size), free)
    }

    /// Whether a block ends below the end of the address space, without wrapping around it.
    pub fn fits(&self, base: Term, size: Term) -> Term {
        let terms = &self.terms;
        let highest = self.pointer(self.highest());
        terms.bool_and(terms.ule(size, highest), terms.ule(base, terms.sub(highest, size)))
    }

    fn free_place(&self, now: BlocksId, blocks: BlocksId, base: Term, size: Term) -> Term {
        let terms = &self.terms;
        let key = (now, blocks, base, size);
        if let Some(&known) = self.blocks.places.borrow().get(&key) {
            return known;
        }
        let result = match self.blocks.entry(blocks) {
            Change::Root => self.root(Application::Free(base, size), 1).unwrap_or_else(|| terms.true_()),
            Change::Join { condition, then, otherwise } => {
                let then = self.free_place(now, then, base, size);
                terms.ite(condition, then, self.free_place(now, otherwise, base, size))
            }
            Change::Destroy { before, .. } => self.free_place(now, before, base, size),
            Change::Create { base: other, size: length, before, .. } => {
                let behind = terms.ule(terms.add(other, length), base);
                let apart = terms.bool_or(behind, terms.ule(terms.add(base, size), other));
                let is_gone = terms.not(self.accessible(now, other, self.pointer(1), Act::Read));
                terms.bool_and(terms.bool_or(apart, is_gone), self.free_place(now, before, base, size))
            }
        };
        self.blocks.places.borrow_mut().insert(key, result);
        result
    }
}
