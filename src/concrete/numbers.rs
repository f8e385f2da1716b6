//! Numbers in texts. A text that nobody has looked at yet, a line of input say, becomes one that says the number the run is
//! given, so that runs find inputs with given numbers in them.

use super::memory::Concrete;
use super::value::{Provenance, Value};
use crate::cfa::{Bits, NumberPart};

/// Bytes of a text that are looked at: more than any number has digits, but for leading zeros and white space.
const MOST_BYTES: u64 = 256;

impl Concrete {
    /// The number in the text at `address`, as `part` asks, in as many bits as `given` has.
    pub(super) fn number_at(&mut self, address: &Value, base: u32, part: NumberPart, given: Bits) -> Value {
        let text = match (part, base) {
            (NumberPart::Signed, 0 | 10) => given.signed().to_string(),
            (NumberPart::Unsigned, 0 | 10) => given.value.to_string(),
            _ => String::new(),
        };
        self.suggest(address, text.as_bytes());
        let number = Number::read(&self.text_at(address), base);
        let (low, high) = match part {
            NumberPart::Signed => (-(1i128 << (given.width - 1)), (1i128 << (given.width - 1)) - 1),
            NumberPart::Unsigned | NumberPart::Length => (0, (1i128 << given.width) - 1),
        };
        let value = match part {
            NumberPart::Signed => number.signed().clamp(low, high),
            NumberPart::Unsigned if number.magnitude > high => high,
            NumberPart::Unsigned => number.signed(),
            NumberPart::Length => number.length as i128,
        };
        Value::plain(Bits::new(value as u128, given.width))
    }

    /// Writes `text` and a zero behind it where nobody has looked at any of these bytes yet; a zero that is there will do.
    fn suggest(&mut self, address: &Value, text: &[u8]) {
        let length = text.len() as u64;
        let Ok((block, offset)) = self.locate(address, length, false) else { return };
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
    fn text_at(&mut self, address: &Value) -> Vec<u8> {
        let mut text = Vec::new();
        for index in 0..MOST_BYTES {
            let bits = Bits::new(address.bits.value.wrapping_add(index.into()), address.bits.width);
            let Ok((block, offset)) = self.locate(&Value { bits, ..*address }, 1, false) else { break };
            self.settle(block, offset, 1);
            let Some((byte, _)) = self.inner().blocks[block.index()].content.read(offset, 1) else { break };
            let byte = byte as u8;
            text.push(byte);
            if !(byte.is_ascii_alphanumeric() || is_space(byte) || matches!(byte, b'+' | b'-')) {
                break;
            }
        }
        text
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A number as a text says it.
#[derive(Debug, PartialEq, Eq)]
struct Number {
    negative: bool,
    /// At most the largest of its type.
    magnitude: i128,
    /// Bytes of the text up to its end, none where there is no number.
    length: usize,
}

impl Number {
    fn read(text: &[u8], base: u32) -> Self {
        let mut at = text.iter().take_while(|byte| is_space(**byte)).count();
        let negative = text.get(at) == Some(&b'-');
        at += usize::from(matches!(text.get(at), Some(b'+' | b'-')));
        let digit = |at: usize, base: u32| text.get(at).and_then(|byte| char::from(*byte).to_digit(base));
        let is_hexadecimal = text.get(at) == Some(&b'0')
            && matches!(text.get(at + 1), Some(b'x' | b'X'))
            && digit(at + 2, 16).is_some()
            && matches!(base, 0 | 16);
        let base = match base {
            0 if is_hexadecimal => 16,
            0 if text.get(at) == Some(&b'0') => 8,
            0 => 10,
            2..=36 => base,
            _ => return Self { negative: false, magnitude: 0, length: 0 },
        };
        at += if is_hexadecimal { 2 } else { 0 };
        let (first, mut magnitude) = (at, 0i128);
        while let Some(digit) = digit(at, base) {
            magnitude = magnitude.saturating_mul(base.into()).saturating_add(digit.into());
            at += 1;
        }
        Self { negative, magnitude, length: if at == first { 0 } else { at } }
    }

    fn signed(&self) -> i128 {
        if self.negative { -self.magnitude } else { self.magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    fn read(text: &str, base: u32) -> (i128, usize) {
        let number = Number::read(text.as_bytes(), base);
        (number.signed(), number.length)
    }

    /// As C11 7.22.1.4 has it.
    #[test]
    fn numbers_are_read_as_strtol_does() {
        assert_eq!(read("42abc", 10), (42, 2));
        assert_eq!(read(" \t\n-7 ", 10), (-7, 5));
        assert_eq!(read("+9", 0), (9, 2));
        assert_eq!(read("0x1fg", 0), (31, 4));
        assert_eq!(read("0xg", 16), (0, 1));
        assert_eq!(read("0xg", 0), (0, 1));
        assert_eq!(read("0779", 0), (63, 3));
        assert_eq!(read("zz", 36), (35 * 36 + 35, 2));
        assert_eq!(read("102", 2), (2, 2));
        assert_eq!(read("  x", 10), (0, 0));
        assert_eq!(read("- 1", 10), (0, 0));
        assert_eq!(read("5", 1), (0, 0));
        assert_eq!(read(&"9".repeat(90), 10).1, 90);
    }
}
