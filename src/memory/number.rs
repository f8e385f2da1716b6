//! Numbers in texts, as `strtol` and its kin read them.

use crate::cfa::{Bits, NumberPart};

/// Whether the byte can be part of what `strtol` reads, white space included.
pub fn belongs_to_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || is_space(byte) || matches!(byte, b'+' | b'-')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A number as a text says it.
#[derive(Debug, PartialEq, Eq)]
pub struct Number {
    negative: bool,
    /// At most the largest of its type.
    magnitude: i128,
    /// Bytes of the text up to its end, none where there is no number.
    length: usize,
}

impl Number {
    /// What `strtol` reads in the bytes in `base` (C11 7.22.1.4).
    pub fn read(text: &[u8], base: u32) -> Self {
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

    /// What an op asks of it, in `width` bits.
    pub fn part(&self, part: NumberPart, width: u32) -> Bits {
        let (low, high) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
        let most = (1i128 << width) - 1;
        let value = match part {
            NumberPart::Signed => self.signed().clamp(low, high),
            NumberPart::Unsigned if self.magnitude > most => most,
            NumberPart::Unsigned => self.signed(),
            NumberPart::Length => self.length as i128,
            NumberPart::SignedBeyond => i128::from(!(low..=high).contains(&self.signed())),
            NumberPart::UnsignedBeyond => i128::from(self.magnitude > most),
        };
        Bits::new(value as u128, width)
    }

    fn signed(&self) -> i128 {
        if self.negative { -self.magnitude } else { self.magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    /// What `strtol` reads in the bytes in `base` (C11 7.22.1.4).
    pub fn read(text: &str, base: u32) -> (i128, usize) {
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
