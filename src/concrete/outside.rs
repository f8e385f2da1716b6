//! Memory that is no object of the program: bytes by their addresses, inputs where nobody wrote.

use smallvec::smallvec;

use super::block::{Block, NULL_PAGE_BYTES};
use super::memory::{Concrete, FOREIGN_POINTER};
use super::page::join;
use super::value::{Provenance, Value};
use crate::cfa::Bits;
use crate::memory::{Memory, Outcome, Outcomes, Stuck, done};

impl Concrete {
    /// Values from outside may be addresses of memory there.
    pub fn open(&mut self) {
        let pointer_bits = self.inner().layout.pointer_bits;
        self.inner_mut().feed.addresses = Some(pointer_bits);
    }

    /// Where `bytes` bytes of memory from outside lie that a pointer leads to.
    ///
    /// # Errors
    /// It is no such pointer: it leads past an object of the program, to none at all, or nobody can tell. `true` where it belongs
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
        if start < NULL_PAGE_BYTES || self.inner().blocks.iter().any(is_taken) { Err(false) } else { Ok(start..end) }
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
}
