//! Block operations: copy, fill, havoc.

use super::access::{Access, At};
use super::content::{Cell, Edge};
use super::graph::Smg;
use crate::memory::{BlockId, Outcome, Outcomes, Stuck, done};
use crate::smt::Term;

/// A length with more possible values than this is not told apart case by case.
const MAX_LENGTHS: u128 = 16;

/// Unwritten parts of copies up to this size get symbols, so that the copy is equal to its source.
const SMALL: u64 = 256;

impl Smg {
    /// Runs `operation` for each length `size` can have; zero needs no valid address.
    fn for_lengths(self, size: Term, mut operation: impl FnMut(Smg, u64) -> Outcomes<Smg, ()>) -> Outcomes<Smg, ()> {
        let context = self.context.clone();
        let terms = &context.terms;
        let mut on_length = |memory: Smg, length: u128| match u64::try_from(length) {
            Ok(0) => done(memory, ()),
            Ok(length) => operation(memory, length),
            Err(_) => Outcomes::new(),
        };
        if let Some(length) = self.store.constant(&context, size) {
            return on_length(self, length);
        }
        let (low, high) = self.store.range(&context, size);
        if high - low >= MAX_LENGTHS {
            let why = "a block operation of unknown length";
            let mut outcomes = Outcomes::new();
            // The case that most often violates something is worth telling apart all the same.
            for length in [0u128, 1] {
                let here = terms.eq(size, context.pointer_constant(length as u64));
                if let Some(memory) = self.clone().restrict(here) {
                    outcomes.extend(on_length(memory, length));
                }
            }
            let rest = terms.ult(context.pointer_constant(1), size);
            if let Some(memory) = self.restrict(rest) {
                outcomes.push(Outcome::Stuck(memory, Stuck::new(why)));
            }
            return outcomes;
        }
        let mut outcomes = Outcomes::new();
        for length in low..=high {
            let here = terms.eq(size, context.pointer_constant(length as u64));
            if let Some(memory) = self.clone().restrict(here) {
                outcomes.extend(on_length(memory, length));
            }
        }
        outcomes
    }

    pub(super) fn copy_bytes(self, to: Term, from: Term, size: Term) -> Outcomes<Smg, ()> {
        self.for_lengths(size, |memory, length| {
            memory.access(from, length, Access::Read, |memory, source| {
                memory.access(to, length, Access::Write, |mut memory, target| {
                    memory.copy_between(source, target, length);
                    done(memory, ())
                })
            })
        })
    }

    fn copy_between(&mut self, source: At, target: At, length: u64) {
        match (source, target) {
            (At::Exactly(from, offset), At::Exactly(to, at)) => {
                if length <= SMALL {
                    self.settle(from, offset, length);
                }
                let context = self.context.clone();
                let Some(object) = self.object(from) else { return };
                let slice = object.content.slice(&context.terms, offset, length);
                self.paste(to, at, offset, slice);
            }
            (At::Within(..), At::Exactly(to, at)) => self.write_cell(to, at, length, Cell::Forgotten),
            (_, At::Within(to, offsets)) => self.blur(to, offsets, length),
        }
    }

    fn paste(&mut self, to: BlockId, at: u64, from_offset: u64, slice: Vec<Edge>) {
        for edge in slice {
            self.write_cell(to, edge.offset - from_offset + at, edge.bytes, edge.cell);
        }
    }

    pub(super) fn fill_bytes(self, to: Term, byte: Term, size: Term) -> Outcomes<Smg, ()> {
        let context = self.context.clone();
        // The whole of an object of any size, as `calloc` and `memset(p, 0, n)` do.
        if let super::resolve::Target::Object { block, offset } = self.target(to)
            && context.terms.as_const(offset) == Some(0)
            && context.terms.as_const(size).is_none()
            && self.object(block).is_some_and(|object| object.size == size && object.valid && object.is_region())
            && context.terms.as_const(byte) == Some(0)
        {
            let mut memory = self;
            if let Some(object) = memory.object_mut(block) {
                object.content.fill_all(&context.terms, byte, 0);
            }
            return done(memory, ());
        }
        self.for_lengths(size, |memory, length| {
            memory.access(to, length, Access::Write, |mut memory, at| {
                match at {
                    At::Exactly(block, offset) => memory.write_cell(block, offset, length, Cell::Uniform(byte)),
                    At::Within(block, offsets) => memory.blur(block, offsets, length),
                }
                done(memory, ())
            })
        })
    }

    pub(super) fn havoc_bytes(self, to: Term, size: Term) -> Outcomes<Smg, ()> {
        self.for_lengths(size, |memory, length| {
            memory.access(to, length, Access::Write, |mut memory, at| {
                match at {
                    At::Exactly(block, offset) => memory.write_cell(block, offset, length, Cell::Forgotten),
                    At::Within(block, offsets) => memory.blur(block, offsets, length),
                }
                done(memory, ())
            })
        })
    }
}
