//! What `printf` prints.

use super::memory::Concrete;
use super::value::{Provenance, Value};
use super::world::{byte, number};
use crate::cfa::Bits;
use crate::task::DataModel;

/// No text is longer.
const MOST_BYTES: u64 = 1 << 24;

/// How a value is set.
#[derive(Clone, Debug, Default)]
struct Style {
    left: bool,
    zeros: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

/// The values that a format speaks of: each stands at the next multiple of eight bytes.
struct Values<'m> {
    memory: &'m Concrete,
    list: Value,
    at: u64,
}

impl Values<'_> {
    fn next(&mut self, bytes: u32) -> u128 {
        let value = number(self.memory, self.list, self.at, bytes).unwrap_or(0);
        self.at += u64::from(bytes).next_multiple_of(8);
        value
    }

    fn pointer(&mut self, bits: u32) -> Value {
        let address = Bits::new(self.list.bits.value.wrapping_add(self.at.into()), bits);
        self.at += 8;
        let null = Value::number(0, bits);
        crate::memory::Memory::peek(self.memory, &Value { bits: address, ..self.list }, bits / 8).unwrap_or(null)
    }
}

/// The text of `format` with the values in `list`; what is no conversion of C stands for itself.
pub(super) fn formatted(memory: &Concrete, model: DataModel, format: Value, list: Value) -> Vec<u8> {
    let letters: Vec<u8> =
        (0..MOST_BYTES).map_while(|at| byte(memory, format, at).filter(|letter| *letter != 0)).collect();
    let mut values = Values { memory, list, at: 0 };
    let (mut text, mut rest) = (Vec::new(), letters.as_slice());
    while let Some((first, behind)) = rest.split_first() {
        if *first != b'%' {
            text.push(*first);
            rest = behind;
            continue;
        }
        match conversion(behind, model, &mut values, &mut text) {
            Some(left) => rest = left,
            None => {
                text.push(b'%');
                rest = behind;
            }
        }
    }
    text
}

/// Sets one value; what is left of the format. `None` for what is no conversion.
fn conversion<'f>(
    mut rest: &'f [u8],
    model: DataModel,
    values: &mut Values<'_>,
    text: &mut Vec<u8>,
) -> Option<&'f [u8]> {
    let mut style = Style::default();
    loop {
        match rest.first()? {
            b'-' => style.left = true,
            b'0' => style.zeros = true,
            b'+' => style.plus = true,
            b' ' => style.space = true,
            b'#' => style.alternate = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    let count = |rest: &mut &'f [u8], values: &mut Values<'_>| -> Option<i64> {
        if rest.first() == Some(&b'*') {
            *rest = &rest[1..];
            return Some(i64::from(values.next(4) as u32 as i32));
        }
        let digits = rest.iter().take_while(|letter| letter.is_ascii_digit()).count();
        let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok();
        *rest = &rest[digits..];
        number
    };
    let width = count(&mut rest, values).unwrap_or(0);
    style.left |= width < 0;
    style.width = width.unsigned_abs().min(MOST_BYTES) as usize;
    if rest.first() == Some(&b'.') {
        rest = &rest[1..];
        let precision = count(&mut rest, values).unwrap_or(0);
        style.precision = usize::try_from(precision).ok().map(|precision| precision.min(MOST_BYTES as usize));
    }
    let length = rest.iter().take_while(|letter| b"hljztLq".contains(letter)).count();
    let (modifier, left) = rest.split_at(length);
    let (letter, left) = left.split_first()?;
    let pointer_bytes = model.pointer_bits() / 8;
    let bytes = match modifier {
        b"hh" => 1,
        b"h" => 2,
        b"l" | b"z" | b"t" => pointer_bytes,
        b"ll" | b"j" | b"q" | b"L" => 8,
        _ => 4,
    };
    let set = match letter {
        b'%' => vec![b'%'],
        b'd' | b'i' => {
            let value = Bits::new(values.next(bytes.max(4)), bytes * 8).signed();
            integer(&style, value < 0, &value.unsigned_abs().to_string(), "", true)
        }
        b'u' | b'x' | b'X' | b'o' => {
            let value = Bits::new(values.next(bytes.max(4)), bytes * 8).value;
            let (digits, prefix) = match letter {
                b'u' => (value.to_string(), ""),
                b'x' => (format!("{value:x}"), "0x"),
                b'X' => (format!("{value:X}"), "0X"),
                _ => (format!("{value:o}"), "0"),
            };
            let is_prefixed = style.alternate && value != 0;
            integer(&style, false, &digits, if is_prefixed { prefix } else { "" }, false)
        }
        b'c' => padded(&style, vec![values.next(4) as u8]),
        b's' => {
            let from = values.pointer(model.pointer_bits());
            let most = style.precision.map_or(MOST_BYTES, |most| most as u64);
            let is_null = from.bits.value == 0 && from.provenance == Provenance::None;
            let bytes: Vec<u8> = match is_null {
                true => b"(null)".iter().copied().take(most as usize).collect(),
                false => {
                    let memory = values.memory;
                    (0..most).map_while(|at| byte(memory, from, at).filter(|letter| *letter != 0)).collect()
                }
            };
            padded(&style, bytes)
        }
        b'p' => {
            let value = values.pointer(model.pointer_bits()).bits.value;
            padded(&style, if value == 0 { b"(nil)".to_vec() } else { format!("{value:#x}").into_bytes() })
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
            let value = match modifier {
                b"L" => extended(values.next(10)),
                _ => f64::from_bits(values.next(8) as u64),
            };
            let digits = float(value.abs(), letter.to_ascii_lowercase(), &style);
            let digits = if letter.is_ascii_uppercase() { digits.to_uppercase() } else { digits };
            let style = Style { precision: None, zeros: style.zeros && value.is_finite(), ..style };
            integer(&style, value.is_sign_negative(), &digits, "", true)
        }
        b'n' => {
            values.pointer(model.pointer_bits());
            Vec::new()
        }
        _ => return None,
    };
    text.extend(set);
    Some(left)
}

/// A number with its sign, its prefix and as many zeros as are asked for.
fn integer(style: &Style, negative: bool, digits: &str, prefix: &str, signed: bool) -> Vec<u8> {
    let sign = match (negative, style.plus && signed, style.space && signed) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (.., true) => " ",
        _ => "",
    };
    let digits = if style.precision == Some(0) && digits == "0" { "" } else { digits };
    let mut zeros = style.precision.map_or(0, |least| least.saturating_sub(digits.len()));
    if style.zeros && !style.left && style.precision.is_none() {
        zeros = style.width.saturating_sub(sign.len() + prefix.len() + digits.len());
    }
    padded(style, format!("{sign}{prefix}{}{digits}", "0".repeat(zeros)).into_bytes())
}

fn padded(style: &Style, mut text: Vec<u8>) -> Vec<u8> {
    let missing = style.width.saturating_sub(text.len());
    if style.left {
        text.resize(text.len() + missing, b' ');
    } else {
        text.splice(0..0, std::iter::repeat_n(b' ', missing));
    }
    text
}

/// The digits of a number that is not negative.
fn float(value: f64, letter: u8, style: &Style) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return "inf".into();
    }
    let precision = style.precision.unwrap_or(6);
    match letter {
        b'f' => fixed(value, precision, style.alternate),
        b'e' => exponential(value, precision, style.alternate),
        _ => {
            let precision = precision.max(1);
            let rounded = format!("{value:.*e}", precision - 1);
            let exponent: i32 = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
            let text = if exponent < -4 || exponent >= precision as i32 {
                exponential(value, precision - 1, style.alternate)
            } else {
                fixed(value, (precision as i32 - 1 - exponent) as usize, style.alternate)
            };
            if style.alternate {
                return text;
            }
            let (digits, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
            match digits.contains('.') {
                true => format!("{}{exponent}", digits.trim_end_matches('0').trim_end_matches('.')),
                false => text,
            }
        }
    }
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    format!("{value:.precision$}{}", if point && precision == 0 { "." } else { "" })
}

fn exponential(value: f64, precision: usize, point: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    let point = if point && precision == 0 { "." } else { "" };
    format!("{digits}{point}e{sign}{:02}", exponent.abs())
}

/// An 80-bit number, rounded.
fn extended(bits: u128) -> f64 {
    let (mantissa, high) = (bits as u64, (bits >> 64) as u16);
    let (negative, exponent) = (high >> 15 == 1, i32::from(high & 0x7fff));
    let magnitude = match exponent {
        0x7fff if mantissa << 1 == 0 => f64::INFINITY,
        0x7fff => f64::NAN,
        _ => mantissa as f64 * 2f64.powi((exponent - 16383 - 63).max(-1100)),
    };
    if negative { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_set_as_in_c() {
        let plain = Style::default();
        for (value, letter, expected) in [
            (0.5, b'f', "0.500000"),
            (1e10, b'g', "1e+10"),
            (100000.0, b'g', "100000"),
            (1234567.0, b'g', "1.23457e+06"),
            (0.0001, b'g', "0.0001"),
            (12.5, b'e', "1.250000e+01"),
            (0.0, b'g', "0"),
        ] {
            assert_eq!(float(value, letter, &plain), expected);
        }
        assert_eq!(float(2.5, b'f', &Style { precision: Some(0), ..plain }), "2");
    }

    #[test]
    fn numbers_are_padded() {
        let wide = Style { width: 5, ..Style::default() };
        assert_eq!(integer(&wide, true, "42", "", true), b"  -42");
        assert_eq!(integer(&Style { zeros: true, ..wide.clone() }, true, "42", "", true), b"-0042");
        assert_eq!(integer(&Style { left: true, ..wide.clone() }, false, "42", "", true), b"42   ");
        assert_eq!(integer(&Style { precision: Some(3), ..wide }, false, "7", "", false), b"  007");
    }
}
