//! Reads through the log of writes.

use super::content::{Change, ContentId, GROUP_BYTES};
use super::world::{Application, Place, Placement, World};
use crate::smt::{Term, mask};

/// How an access lies to a range.
enum Relation {
    Disjoint,
    /// Inside where the condition holds, apart otherwise.
    InsideIf(Term),
    /// May be partly inside: look at single bytes.
    Torn,
}

impl World {
    /// The `bytes` bytes at `address`, the lowest first in memory.
    pub fn read(&self, content: ContentId, address: Term, bytes: u32) -> Term {
        let key = (content, address, bytes);
        if let Some(&known) = self.content.reads.borrow().get(&key) {
            return known;
        }
        let is_enough = self.terms.len() > self.enough.get() && self.applications.borrow().is_none();
        let value = match self.split(address) {
            // No symbol is wider.
            _ if is_enough && bytes <= 16 => {
                self.approximated.set(true);
                self.terms.fresh_symbol(8 * bytes, "x")
            }
            Some((condition, then, otherwise)) => {
                let (then, otherwise) = (self.read(content, then, bytes), self.read(content, otherwise, bytes));
                self.terms.ite(condition, then, otherwise)
            }
            None => self.look_up(content, address, bytes),
        };
        self.content.reads.borrow_mut().insert(key, value);
        value
    }

    fn look_up(&self, content: ContentId, address: Term, bytes: u32) -> Term {
        let terms = &self.terms;
        let mut at = content;
        loop {
            let change = self.content.entry(at);
            let (to, size, before) = match change {
                Change::Root => return self.root_bytes(address, bytes),
                Change::Join { condition, then, otherwise } => {
                    let then = self.read(then, address, bytes);
                    return terms.ite(condition, then, self.read(otherwise, address, bytes));
                }
                Change::Write { to, value, before } => (to, self.pointer(u64::from(terms.width(value) / 8)), before),
                Change::Fill { to, size, before, .. }
                | Change::Havoc { to, size, before, .. }
                | Change::Copy { to, size, before, .. } => (to, size, before),
            };
            match self.relation(address, bytes, to, size) {
                Relation::Disjoint => at = before,
                Relation::Torn => return self.read_bytes(at, address, bytes),
                Relation::InsideIf(condition) if terms.is_false(condition) => at = before,
                Relation::InsideIf(condition) => {
                    let inside = self.changed(at, change, address, bytes);
                    if terms.is_true(condition) {
                        return inside;
                    }
                    return terms.ite(condition, inside, self.read(before, address, bytes));
                }
            }
        }
    }

    /// What a change made of bytes inside its range.
    fn changed(&self, at: ContentId, change: Change, address: Term, bytes: u32) -> Term {
        let terms = &self.terms;
        let bits = 8 * bytes;
        match change {
            Change::Write { to, value, .. } => {
                let width = terms.width(value);
                if width == bits {
                    return value;
                }
                let distance = terms.sub(address, to);
                if let Some(bytes) = terms.as_const(distance) {
                    let low = 8 * bytes as u32;
                    return terms.extract(value, low + bits - 1, low);
                }
                let shift = terms.scale(self.resized(distance, width), 8);
                terms.truncate(terms.lshr(value, shift), bits)
            }
            Change::Fill { byte, .. } => (1..bytes).fold(byte, |value, _| terms.concat(byte, value)),
            Change::Havoc { .. } => self.guess(at, address, bytes),
            Change::Copy { to, from, before, .. } => self.read(before, terms.add(from, terms.sub(address, to)), bytes),
            Change::Root | Change::Join { .. } => terms.constant(0, bits),
        }
    }

    fn resized(&self, t: Term, width: u32) -> Term {
        if self.terms.width(t) > width { self.terms.truncate(t, width) } else { self.terms.zext(t, width) }
    }

    fn read_bytes(&self, content: ContentId, address: Term, bytes: u32) -> Term {
        let terms = &self.terms;
        let byte = |k: u32| self.read(content, terms.add_constant(address, k.into()), 1);
        (1..bytes).fold(byte(0), |value, k| terms.concat(byte(k), value))
    }

    fn relation(&self, address: Term, bytes: u32, to: Term, size: Term) -> Relation {
        let terms = &self.terms;
        let known_size = terms.as_const(size);
        if known_size == Some(0) {
            return Relation::Disjoint;
        }
        let distance = terms.sub(address, to);
        if let (Some(distance), Some(size)) = (terms.as_const(distance), known_size) {
            let until_wrap = mask(terms.width(address)) - distance + 1;
            return if distance + u128::from(bytes) <= size {
                Relation::InsideIf(terms.true_())
            } else if distance >= size && until_wrap >= bytes.into() {
                Relation::Disjoint
            } else {
                Relation::Torn
            };
        }
        // Accesses that go through are inside their blocks, and blocks of different addresses do not overlap.
        match (self.place(address), self.place(to)) {
            (Place::Block(f, _), Place::Block(g, _)) if f != g => return Relation::Disjoint,
            (Place::Low, Place::Block(..)) if self.placement == Placement::Fresh => return Relation::Disjoint,
            _ => {}
        }
        let aligned = |t: Term| bytes.is_power_of_two() && terms.trailing_zeros(t) >= bytes.trailing_zeros();
        if known_size == Some(bytes.into()) && aligned(address) && aligned(to) {
            return Relation::InsideIf(self.equal(address, to));
        }
        if bytes == 1 || (aligned(address) && aligned(to) && aligned(size)) {
            return Relation::InsideIf(terms.ult(distance, size));
        }
        Relation::Torn
    }

    /// Bytes that nothing was ever written to.
    fn root_bytes(&self, address: Term, bytes: u32) -> Term {
        let terms = &self.terms;
        let byte = |k: u32| {
            let address = terms.add_constant(address, k.into());
            // In an empty memory no access gets here.
            self.root(Application::Heap(address), 8).unwrap_or_else(|| terms.constant(0, 8))
        };
        (1..bytes).fold(byte(0), |value, k| terms.concat(byte(k), value))
    }

    /// Arbitrary bytes: equal ones for equal addresses (the expansion of an uninterpreted function by Ackermann).
    fn guess(&self, at: ContentId, address: Term, bytes: u32) -> Term {
        let terms = &self.terms;
        if bytes == 1
            && let Some(byte) = self.application(Application::Guess(at, address), 8)
        {
            return byte;
        }
        if self.applications.borrow().is_some() {
            let byte = |k: u32| self.guess(at, terms.add_constant(address, k.into()), 1);
            return (1..bytes).fold(byte(0), |value, k| terms.concat(byte(k), value));
        }
        if bytes > GROUP_BYTES && bytes.is_multiple_of(GROUP_BYTES) {
            let group = |k: u32| self.guess(at, terms.add_constant(address, (k * GROUP_BYTES).into()), GROUP_BYTES);
            return (1..bytes / GROUP_BYTES).fold(group(0), |value, k| terms.concat(group(k), value));
        }
        if !bytes.is_power_of_two() || terms.trailing_zeros(address) < bytes.trailing_zeros() {
            let byte = |k: u32| self.guess(at, terms.add_constant(address, k.into()), 1);
            return (1..bytes).fold(byte(0), |value, k| terms.concat(byte(k), value));
        }
        let width = terms.width(address);
        let low_bits = self.pointer(u64::from(GROUP_BYTES - 1));
        let offset = terms.and(address, low_bits);
        let group = terms.sub(address, offset);
        let value = self.guessed_group(at, group);
        match terms.as_const(offset) {
            Some(offset) => terms.extract(value, 8 * (offset as u32 + bytes) - 1, 8 * offset as u32),
            None => {
                debug_assert!(width <= 64);
                let shift = terms.scale(terms.zext(offset, 8 * GROUP_BYTES), 8);
                terms.truncate(terms.lshr(value, shift), 8 * bytes)
            }
        }
    }

    fn guessed_group(&self, at: ContentId, group: Term) -> Term {
        let terms = &self.terms;
        let earlier = self.content.guesses.borrow().get(&at).cloned().unwrap_or_default();
        if let Some((_, value)) = earlier.iter().find(|(address, _)| *address == group) {
            return *value;
        }
        let fresh = terms.fresh_symbol(8 * GROUP_BYTES, "g");
        let value = earlier
            .iter()
            .rev()
            .fold(fresh, |otherwise, (address, value)| terms.ite(self.equal(group, *address), *value, otherwise));
        self.content.guesses.borrow_mut().entry(at).or_default().push((group, value));
        value
    }
}
