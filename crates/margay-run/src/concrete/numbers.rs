//! Numbers in texts. A text that was not read yet, a line of input say, becomes one that says the number the run is
//! given, so that runs find inputs with given numbers in them.

use super::memory::Concrete;
use super::value::{Provenance, Value};
use crate::cfa::{Bits, NumberPart};
use crate::memory::rules::Act;
use crate::memory::{belongs_to_number, number_in};

/// Bytes of a text that are looked at: more than any number has digits, but for leading zeros and white space.
const MOST_BYTES: u64 = 256;

impl Concrete {
    /// The number in the text at `address`, as `part` asks, in as many bits as `given` has.
    pub(super) fn number_at(&mut self, address: &Value, base: u32, part: NumberPart, given: Bits) -> Value {
        let text = match (part, base) {
            (NumberPart::Signed, 0 | 10) => given.signed().to_string(),
            (NumberPart::Unsigned, 0 | 10) => given.value.to_string(),
            (NumberPart::Real, _) if given.width == 64 => format!("{:?}", f64::from_bits(given.value as u64)),
            (NumberPart::Real, _) => format!("{:?}", f32::from_bits(given.value as u32)),
            _ => String::new(),
        };
        self.suggest(address, text.as_bytes());
        Value::plain(number_in(&self.text_at(address, part), base, part, given.width))
    }

    /// Writes `text` and a zero behind it where none of these bytes was read yet; a zero that is there will do.
    fn suggest(&mut self, address: &Value, text: &[u8]) {
        let length = text.len() as u64;
        let Ok((block, offset)) = self.locate(address, length, Act::Read) else { return };
        let content = &self.inner().blocks[block.index()].content;
        let is_open = |at: u64| content.read(at, 1).is_none();
        let ends = |at: u64| matches!(content.read(at, 1), Some((0, Provenance::None)));
        let end = offset + length;
        if length == 0 || !(offset..end).all(is_open) || end >= content.bytes() || !(is_open(end) || ends(end)) {
            return;
        }
        for (at, byte) in (offset..).zip(text.iter().chain(is_open(end).then_some(&0))) {
            let inner = self.inner_mut();
            inner.feed.choose(block.0, at, *byte);
            inner.blocks[block.index()].content.settle(at, *byte);
        }
    }

    /// The bytes at `address` up to the first that no number has, as far as they can be read.
    fn text_at(&mut self, address: &Value, part: NumberPart) -> Vec<u8> {
        let mut text = Vec::new();
        for index in 0..MOST_BYTES {
            let bits = Bits::new(address.bits.value.wrapping_add(index.into()), address.bits.width);
            let Ok((block, offset)) = self.locate(&Value { bits, ..*address }, 1, Act::Read) else { break };
            self.settle(block, offset, 1);
            let Some((byte, _)) = self.inner().blocks[block.index()].content.read(offset, 1) else { break };
            let byte = byte as u8;
            text.push(byte);
            if !belongs_to_number(byte, part) {
                break;
            }
        }
        text
    }
}
