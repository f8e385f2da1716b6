//! Memory that is no object of the program: bytes by their addresses, inputs where nothing was written.

use smallvec::smallvec;

use super::block::Block;
use super::memory::{Concrete, FOREIGN_POINTER};
use super::page::join;
use super::value::{Provenance, Value};
use crate::cfa::Bits;
use crate::memory::rules::{Act, NULL_PAGE};
use crate::memory::{BlockId, Memory, Outcome, Outcomes, Stuck, done};

/// Of more bytes at a time no account is kept.
const MOST_BYTES: u64 = 1 << 16;

impl Concrete {
    /// Values from outside may be addresses of memory there.
    pub fn open(&mut self) {
        let pointer_bits = self.inner().layout.pointer_bits;
        self.inner_mut().feed.addresses = Some(pointer_bits);
    }

    /// Where `bytes` bytes of memory from outside lie that a pointer leads to.
    ///
    /// # Errors
    /// It is no such pointer: it leads past an object of the program, to none at all, or that is not known. `true` where it belongs
    /// to an object.
    fn locate_outside(&self, address: &Value, bytes: u64) -> Result<std::ops::Range<u64>, bool> {
        let start = address.bits.value as u64;
        match address.provenance {
            Provenance::None | Provenance::External => {}
            Provenance::Block(_) | Provenance::Function(_) | Provenance::Difference | Provenance::Mixed => {
                return Err(true);
            }
        }
        let end = start.checked_add(bytes).ok_or(false)?;
        let is_taken = |block: &Block| block.live && start < block.base.saturating_add(block.size) && block.base < end;
        if start < NULL_PAGE || self.inner().blocks.iter().any(is_taken) { Err(false) } else { Ok(start..end) }
    }

    pub(super) fn read_outside(mut self, address: &Value, given: &Value) -> Outcomes<Self, Value> {
        let bytes = given.bits.width / 8;
        let place = match self.locate_outside(address, bytes.into()) {
            Ok(place) => place,
            Err(true) => {
                self.doubt("a read outside of an object");
                return done(self, *given);
            }
            Err(false) => return smallvec![Outcome::Stuck(self, Stuck::foreign(FOREIGN_POINTER))],
        };
        let (mut value, mut provenance) = (0u128, Provenance::None);
        for (index, at) in place.enumerate() {
            let new = ((given.bits.value >> (8 * index)) as u8, Provenance::External);
            let (byte, from) = *self.inner_mut().outside.entry(at).or_insert(new);
            value |= u128::from(byte) << (8 * index);
            provenance = join(provenance, from);
        }
        done(self, Value { bits: Bits::new(value, given.bits.width), provenance })
    }

    pub(super) fn write_outside(mut self, address: &Value, value: &Value) -> Outcomes<Self, ()> {
        match self.locate_outside(address, value.bits.width.div_ceil(8).into()) {
            Ok(place) => {
                let bytes = place.enumerate().map(|(index, at)| (at, (value.bits.value >> (8 * index)) as u8));
                self.inner_mut().outside.extend(bytes.map(|(at, byte)| (at, (byte, value.provenance))));
                done(self, ())
            }
            // What is written past an object is lost.
            Err(true) => done(self, ()),
            Err(false) => smallvec![Outcome::Stuck(self, Stuck::foreign(FOREIGN_POINTER))],
        }
    }

    /// `memmove` between memory from outside and an object, or within the former. What was not written outside is what the object's
    /// bytes are given, so that both are the same from then on.
    pub(super) fn carry_outside(mut self, to: &Value, from: &Value, size: u64) -> Outcomes<Self, ()> {
        if size > MOST_BYTES {
            self.doubt("a copy of much memory from outside");
            return done(self, ());
        }
        let mut bytes = Vec::new();
        if let Ok((block, offset)) = self.locate(from, size, Act::Read) {
            for at in offset..offset + size {
                bytes.push(self.byte_of(block, at));
            }
        } else {
            let Ok(place) = self.locate_outside(from, size) else { return self.nowhere() };
            let target = self.locate(to, size, Act::Write).ok();
            for (index, at) in place.enumerate() {
                let inner = self.inner_mut();
                let byte = match (inner.outside.get(&at), target) {
                    (Some(known), _) => *known,
                    (None, Some((block, offset))) => {
                        (inner.feed.byte(block.0, offset + index as u64), Provenance::External)
                    }
                    // It is not known: nothing that depends on it counts.
                    (None, None) => {
                        self.doubt("a copy within memory from outside");
                        (0, Provenance::None)
                    }
                };
                self.inner_mut().outside.insert(at, byte);
                bytes.push(byte);
            }
        }
        if let Ok((block, offset)) = self.locate(to, size, Act::Write) {
            for (index, (byte, provenance)) in bytes.into_iter().enumerate() {
                self.write(block, offset + index as u64, &Value { bits: Bits::new(byte.into(), 8), provenance });
            }
            return done(self, ());
        }
        match self.locate_outside(to, size) {
            Ok(place) => {
                self.inner_mut().outside.extend(place.zip(bytes));
                done(self, ())
            }
            Err(true) => done(self, ()),
            Err(false) => self.nowhere(),
        }
    }

    /// `memset` of memory from outside, or any bytes there.
    pub(super) fn set_outside(mut self, to: &Value, byte: Option<u8>, size: u64) -> Outcomes<Self, ()> {
        if size > MOST_BYTES {
            self.doubt("much memory from outside is written");
            return done(self, ());
        }
        match self.locate_outside(to, size) {
            Ok(place) => {
                for at in place {
                    match byte {
                        Some(byte) => drop(self.inner_mut().outside.insert(at, (byte, Provenance::None))),
                        None => drop(self.inner_mut().outside.remove(&at)),
                    }
                }
                done(self, ())
            }
            Err(true) => done(self, ()),
            Err(false) => self.nowhere(),
        }
    }

    /// A byte of an object, with what it may be used to reach.
    fn byte_of(&mut self, block: BlockId, at: u64) -> (u8, Provenance) {
        if self.inner().blocks[block.index()].content.read(at, 1).is_none() {
            self.settle(block, at, 1);
        }
        let (value, provenance) = self.inner().blocks[block.index()].content.read(at, 1).unwrap_or_default();
        (value as u8, provenance)
    }

    fn nowhere<T>(self) -> Outcomes<Self, T> {
        smallvec![Outcome::Stuck(self, Stuck::foreign(FOREIGN_POINTER))]
    }
}
