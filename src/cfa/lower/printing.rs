//! Text that `sprintf` and its kin print exactly: what stands in the format, strings, characters, and numbers without padding.

use super::super::ir::{BinOp, Expr};
use super::super::library;
use super::calls::{Argument, Site};
use super::conversions::{Conversion, Count};
use super::formats::Format;
use super::function::Lowerer;
use crate::base::error::Result;

/// A part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// Bytes that are printed as they stand.
    Text { start: usize, length: usize },
    /// A conversion, in their order.
    Value,
}

/// The parts of a format that has nothing but conversions without flags and width; `None` for others.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let end = format.iter().position(|b| *b == 0).unwrap_or(format.len());
    let (mut at, mut text, mut pieces) = (0, 0, Vec::new());
    while at < end {
        if format[at] != b'%' {
            at += 1;
            continue;
        }
        // Of `%%`, the first one is printed.
        let escaped = format.get(at + 1) == Some(&b'%');
        let before = at + usize::from(escaped) - text;
        if before > 0 {
            pieces.push(Piece::Text { start: text, length: before });
        }
        at += 1;
        if !escaped {
            if format.get(at) == Some(&b'.') {
                at += 1 + format[at + 1..end].iter().take_while(|b| b.is_ascii_digit()).count();
            }
            at += format[at..end].iter().take_while(|b| b"hljztqL".contains(b)).count();
            if !b"diouxXcs".contains(format.get(at)?) {
                return None;
            }
            pieces.push(Piece::Value);
        }
        at += 1;
        text = at;
    }
    if end > text {
        pieces.push(Piece::Text { start: text, length: end - text });
    }
    Some(pieces)
}

impl<'u> Lowerer<'_, 'u> {
    /// Prints to the first argument, at most as much as the second says where it is `bounded`, and tells the length. `None` where it
    /// would not be exact.
    pub fn print_pieces(
        &mut self,
        args: &[Argument<'u>],
        (bounded, format): (bool, Format),
        conversions: &[Conversion],
        site: Site,
    ) -> Result<Option<Expr>> {
        let Some(pieces) = self.literal(args.get(format.at)).and_then(pieces) else { return Ok(None) };
        let values = pieces.iter().filter(|piece| **piece == Piece::Value).count();
        if values != conversions.len() || conversions.iter().any(|conversion| conversion.width.is_some()) {
            return Ok(None);
        }
        let size = match bounded {
            true => args[1].clone(),
            false => self.size_argument(self.pointer_constant(u64::MAX), site),
        };
        let mut at = self.pointer_constant(0);
        let mut rest = conversions.iter().zip(&args[format.at + 1..]);
        for piece in pieces {
            let mut given = vec![args[0].clone(), size.clone(), self.size_argument(at, site)];
            let model = match (piece, &args[format.at]) {
                (Piece::Text { start, length }, text) => {
                    let from = Expr::binary(BinOp::Add, text.value.clone(), self.pointer_constant(start as u64));
                    given.push(Argument { value: from, ty: text.ty, syntax: None });
                    given.push(self.size_argument(self.pointer_constant(length as u64), site));
                    "put_text"
                }
                (Piece::Value, _) => {
                    let Some((conversion, arg)) = rest.next() else { return Ok(None) };
                    let is_number = !matches!(conversion.letter, b'c' | b's');
                    let signed = matches!(conversion.letter, b'd' | b'i');
                    given.push(if is_number {
                        self.printed_number(arg, conversion.length, signed)
                    } else {
                        arg.clone()
                    });
                    match (conversion.letter, conversion.precision) {
                        (b's', Some(Count::Number(most))) => {
                            given.push(self.size_argument(self.pointer_constant(most), site));
                            "put_bounded_string"
                        }
                        (b's', _) => "put_string",
                        (b'c', _) => "put_character",
                        (b'd' | b'i', _) => "put_signed",
                        (b'u', _) => "put_unsigned",
                        (b'o', _) => "put_octal",
                        (b'X', _) => "put_large_hexadecimal",
                        _ => "put_hexadecimal",
                    }
                }
            };
            let Some(end) = self.call_model(library::STDIO, model, &given, Site { wanted: true, ..site })? else {
                return Ok(None);
            };
            at = end.resized(self.pointer_bits(), false);
        }
        let at = self.size_argument(at, site);
        self.call_model(library::STDIO, "put_end", &[args[0].clone(), size, at], Site { wanted: true, ..site })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_pieces() {
        let text = |start, length| Piece::Text { start, length };
        let value = Piece::Value;
        assert_eq!(pieces(b"ab%d%s!\0"), Some(vec![text(0, 2), value, value, text(6, 1)]));
        assert_eq!(pieces(b"%%%.3s%%x"), Some(vec![text(0, 1), value, text(6, 1), text(8, 1)]));
        assert_eq!(pieces(b"%lld%hhu"), Some(vec![value, value]));
        assert_eq!(pieces(b""), Some(vec![]));
        for padded in ["%5d", "%-s", "%05x", "%+d", "%f", "%", "%l", "%.*s", "%n"] {
            assert_eq!(pieces(padded.as_bytes()), None, "{padded}");
        }
    }
}
