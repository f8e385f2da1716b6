//! Numbers in texts, as `strtol` and its kin read them.

use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, Round, Status};

use crate::cfa::{Bits, NumberPart};

/// Whether the byte can be part of what is read as a number, white space included.
pub fn belongs_to_number(byte: u8, part: NumberPart) -> bool {
    let is_real = matches!(part, NumberPart::Real | NumberPart::RealLength | NumberPart::RealBeyond);
    byte.is_ascii_alphanumeric() || is_space(byte) || matches!(byte, b'+' | b'-') || is_real && byte == b'.'
}

/// What an op asks of the number in the text, in `width` bits.
pub fn number_in(text: &[u8], base: u32, part: NumberPart, width: u32) -> Bits {
    match part {
        NumberPart::Real | NumberPart::RealLength | NumberPart::RealBeyond => Real::read(text).part(part, width),
        _ => Number::read(text, base).part(part, width),
    }
}

/// A floating number as a text says it.
struct Real {
    double: f64,
    single: f32,
    /// No double is the number, nor near it: `strtod` sets `ERANGE`, also for a small number that had to be rounded.
    is_beyond: bool,
    length: usize,
}

impl Real {
    const NONE: Self = Self { double: 0.0, single: 0.0, is_beyond: false, length: 0 };

    /// What `strtod` reads in the bytes (C11 7.22.1.3).
    fn read(text: &[u8]) -> Self {
        let start = text.iter().take_while(|byte| is_space(**byte)).count();
        let is_negative = text.get(start) == Some(&b'-');
        let first = start + usize::from(matches!(text.get(start), Some(b'+' | b'-')));
        let rest = &text[first.min(text.len())..];
        let begins = |word: &str| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word.as_bytes());
        let mut read = if begins("infinity") || begins("inf") {
            let length = if begins("infinity") { 8 } else { 3 };
            Self { double: f64::INFINITY, single: f32::INFINITY, is_beyond: false, length }
        } else if begins("nan") {
            Self { double: f64::NAN, single: f32::NAN, is_beyond: false, length: 3 }
        } else if begins("0x") && rest.get(2).is_some_and(|byte| byte.is_ascii_hexdigit() || *byte == b'.') {
            Self::hexadecimal(rest)
        } else {
            Self::decimal(rest)
        };
        if read.length == 0 {
            return Self::NONE;
        }
        if is_negative {
            (read.double, read.single) = (-read.double, -read.single);
        }
        Self { length: first + read.length, ..read }
    }

    /// Digits with a point among them, and how many bytes they take; none of them may be there.
    fn digits(text: &[u8], is_digit: fn(&u8) -> bool) -> (usize, usize) {
        let whole = text.iter().take_while(|byte| is_digit(byte)).count();
        if text.get(whole) != Some(&b'.') {
            return (whole, whole);
        }
        let behind = text[whole + 1..].iter().take_while(|byte| is_digit(byte)).count();
        (whole + behind, whole + 1 + behind)
    }

    /// Bytes of an exponent behind such a letter, none where there is none.
    fn exponent(text: &[u8], letter: u8) -> usize {
        if !text.first().is_some_and(|byte| byte.eq_ignore_ascii_case(&letter)) {
            return 0;
        }
        let sign = usize::from(matches!(text.get(1), Some(b'+' | b'-')));
        let digits = text[1 + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 { 0 } else { 1 + sign + digits }
    }

    fn decimal(text: &[u8]) -> Self {
        let (digits, bytes) = Self::digits(text, u8::is_ascii_digit);
        if digits == 0 {
            return Self::NONE;
        }
        let length = bytes + Self::exponent(&text[bytes..], b'e');
        Self::rounded(&text[..length], "")
    }

    fn hexadecimal(text: &[u8]) -> Self {
        let (digits, bytes) = Self::digits(&text[2..], u8::is_ascii_hexdigit);
        if digits == 0 {
            // The zero alone.
            return Self { length: 1, ..Self::NONE };
        }
        let exponent = Self::exponent(&text[2 + bytes..], b'p');
        let length = 2 + bytes + exponent;
        Self::rounded(&text[..length], if exponent == 0 { "p0" } else { "" })
    }

    /// The numbers nearest to what the text followed by `end` says.
    fn rounded(text: &[u8], end: &str) -> Self {
        let number = String::from_utf8_lossy(text).to_lowercase() + end;
        let nearest = Round::NearestTiesToEven;
        match (Double::from_str_r(&number, nearest), Single::from_str_r(&number, nearest)) {
            (Ok(double), Ok(single)) => Self {
                double: f64::from_bits(double.value.to_bits() as u64),
                single: f32::from_bits(single.value.to_bits() as u32),
                is_beyond: double.status.intersects(Status::OVERFLOW | Status::UNDERFLOW),
                length: text.len(),
            },
            _ => Self::NONE,
        }
    }

    fn part(&self, part: NumberPart, width: u32) -> Bits {
        let value = match (part, width) {
            (NumberPart::Real, 32) => self.single.to_bits().into(),
            (NumberPart::Real, _) => self.double.to_bits().into(),
            (NumberPart::RealLength, _) => self.length as u128,
            _ => self.is_beyond.into(),
        };
        Bits::new(value, width)
    }
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
            _ => i128::from(self.magnitude > most),
        };
        Bits::new(value as u128, width)
    }

    fn signed(&self) -> i128 {
        if self.negative { -self.magnitude } else { self.magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, Real};

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

    /// As C11 7.22.1.3 has it.
    #[test]
    fn numbers_are_read_as_strtod_does() {
        let read = |text: &str| {
            let real = Real::read(text.as_bytes());
            (real.double, real.length)
        };
        assert_eq!(read("2.5e1x"), (25.0, 5));
        assert_eq!(read(" -.5"), (-0.5, 4));
        assert_eq!(read("1."), (1.0, 2));
        assert_eq!(read("."), (0.0, 0));
        assert_eq!(read("3e"), (3.0, 1));
        assert_eq!(read("3e+z"), (3.0, 1));
        assert_eq!(read("0x1.8p1"), (3.0, 7));
        assert_eq!(read("0x10"), (16.0, 4));
        assert_eq!(read("0xg"), (0.0, 1));
        assert_eq!(read("-inf"), (f64::NEG_INFINITY, 4));
        assert_eq!(read("1e999").0, f64::INFINITY);
        assert_eq!(read("abc"), (0.0, 0));
        assert!(read("nan").0.is_nan());
        assert_eq!(Real::read(b"0.1").single, 0.1);
        // As glibc has it: a subnormal number is beyond the range only where it is not exact.
        for beyond in ["1e999", "1e-310", "4.94e-324", "1e-999", "0x1.8p-1074", "-0x1p1024"] {
            assert!(Real::read(beyond.as_bytes()).is_beyond, "{beyond}");
        }
        for within in ["0", "-0.0e-999", "1e308", "0x1p-1074", "0x1p-1040", "inf", "nan", "abc"] {
            assert!(!Real::read(within.as_bytes()).is_beyond, "{within}");
        }
    }
}
