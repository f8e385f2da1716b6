//! Text that `printf` and its kin print, piece by piece; the pieces are printed by `library/printing.c`.

use super::super::ir::{BinOp, Expr, FloatFormat, Op};
use super::super::library;
use super::calls::{Argument, Site};
use super::conversions::{Conversion, Count, parse};
use super::formats::Format;
use super::function::Lowerer;
use super::kinds::Kind;
use crate::base::error::Result;

/// A part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// Bytes that are printed as they stand.
    Text {
        start: usize,
        length: usize,
    },
    Value(Conversion),
}

/// The parts of a format; `None` for one with more than C has.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let end = format.iter().position(|b| *b == 0).unwrap_or(format.len());
    let (mut at, mut text, mut pieces) = (0, 0, Vec::new());
    while at < end {
        if format[at] != b'%' {
            at += 1;
            continue;
        }
        if at > text {
            pieces.push(Piece::Text { start: text, length: at - text });
        }
        let letter = at + 1 + format[at + 1..end].iter().position(|b| !b"-+ #'.*0123456789hlLqjzt".contains(b))?;
        if format[letter] == b'%' {
            pieces.push(Piece::Text { start: letter, length: 1 });
        } else {
            let (_, conversions) = parse(&format[at..=letter], false)?;
            pieces.extend(conversions.into_iter().map(Piece::Value));
        }
        at = letter + 1;
        text = at;
    }
    if end > text {
        pieces.push(Piece::Text { start: text, length: end - text });
    }
    Some(pieces)
}

/// Whether `printing.c` prints the conversion; a wide format has characters of its own kind only.
fn is_printed(conversion: &Conversion, wide: bool) -> bool {
    match conversion.letter {
        b's' | b'c' => !wide || conversion.length == b'l' || conversion.letter == b'c',
        letter => b"diouxXnpfFeEgGaA".contains(&letter),
    }
}

impl<'u> Lowerer<'_, 'u> {
    /// The parts of a literal format whose conversions are all printed, and have arguments.
    fn printed_pieces(&self, args: &[Argument<'u>], format: Format) -> Option<Vec<Piece>> {
        let pieces = pieces(&self.format_text(args, format)?)?;
        let mut wanted = format.at + 1;
        for piece in &pieces {
            let Piece::Value(conversion) = piece else { continue };
            let stars =
                [conversion.width, conversion.precision].into_iter().filter(|c| *c == Some(Count::Star)).count();
            wanted += stars + 1;
            let fits = match (conversion.letter, args.get(wanted - 1).map(|arg| self.kind(arg.ty))) {
                (_, None) => false,
                (b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', Some(kind)) => {
                    let long = conversion.length == b'L';
                    kind == Kind::Float(if long { FloatFormat::X87 } else { FloatFormat::Double })
                }
                (b's' | b'p' | b'n', Some(kind)) => matches!(kind, Kind::Pointer { .. }),
                (_, Some(kind)) => !matches!(kind, Kind::Float(_) | Kind::Record | Kind::Pointer { .. }),
            };
            if !fits || !is_printed(conversion, format.wide) {
                return None;
            }
        }
        Some(pieces)
    }

    /// Prints to a buffer of a size, which is zero where characters are counted only; how many there are, without the zero at the end.
    /// `None` where that is not followed.
    pub fn print_pieces(
        &mut self,
        args: &[Argument<'u>],
        [to, size]: [&Argument<'u>; 2],
        format: Format,
        site: Site,
    ) -> Result<Option<Expr>> {
        let Some(pieces) = self.printed_pieces(args, format) else { return Ok(None) };
        let site = Site { wanted: true, ..site };
        let counts_only = matches!(&size.value, Expr::Const(size) if size.value == 0);
        let mut at = self.pointer_constant(0);
        let mut rest = args[format.at + 1..].iter();
        for piece in pieces {
            let place = self.size_argument(at.clone(), site);
            let mut given = vec![to.clone(), size.clone(), place];
            let model = match piece {
                Piece::Text { length, .. } if counts_only || format.wide => {
                    at = Expr::binary(BinOp::Add, at, self.pointer_constant(length as u64));
                    continue;
                }
                Piece::Text { start, length } => {
                    let text = &args[format.at];
                    let from = Expr::binary(BinOp::Add, text.value.clone(), self.pointer_constant(start as u64));
                    given.push(Argument { value: from, ty: text.ty, syntax: None });
                    given.push(self.size_argument(self.pointer_constant(length as u64), site));
                    "put_text"
                }
                Piece::Value(conversion) => {
                    let width = self.count(conversion.width, &mut rest, 0, site);
                    let precision = self.count(conversion.precision, &mut rest, -1, site);
                    let Some(arg) = rest.next() else { return Ok(None) };
                    if conversion.letter == b'n' {
                        self.store_count(arg, conversion.length, &at);
                        continue;
                    }
                    let model = self.print_value(conversion, arg, format.wide, &mut given, site);
                    let flags = self.int_argument(conversion.flags.into(), site);
                    given.extend([flags, width, precision]);
                    model
                }
            };
            let Some(end) = self.call_model(library::PRINTING, model, &given, site)? else { return Ok(None) };
            at = end.resized(self.pointer_bits(), false);
        }
        Ok(Some(at))
    }

    /// Adds what a conversion prints to the arguments of the model that prints it.
    fn print_value(
        &self,
        conversion: Conversion,
        arg: &Argument<'u>,
        wide: bool,
        given: &mut Vec<Argument<'u>>,
        site: Site,
    ) -> &'static str {
        let (letter, length) = (conversion.letter, conversion.length);
        let model = match (letter, length) {
            (b's', b'l') if wide => "count_wide_string",
            (b's', b'l') => "put_wide_string",
            (b's', _) => "put_string",
            (b'c', b'l') if !wide => "put_wide_character",
            (b'c', _) => "put_character",
            (b'd' | b'i', _) => "put_signed",
            (b'u', _) => "put_unsigned",
            (b'o', _) => "put_octal",
            (b'x', _) => "put_hexadecimal",
            (b'X', _) => "put_large_hexadecimal",
            (b'p', _) => "put_pointer",
            (_, b'L') => "put_long_float",
            _ => "put_float",
        };
        match letter {
            b's' | b'c' | b'p' => given.push(arg.clone()),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                given.push(self.printed_number(arg, length, matches!(letter, b'd' | b'i')));
            }
            _ => {
                given.push(arg.clone());
                given.push(Argument { value: Expr::constant(letter.into(), 8), ty: site.result, syntax: None });
            }
        }
        model
    }

    /// A width or a precision; `none` where there is none.
    fn count<'a>(
        &self,
        count: Option<Count>,
        rest: &mut impl Iterator<Item = &'a Argument<'u>>,
        none: i128,
        site: Site,
    ) -> Argument<'u>
    where
        'u: 'a,
    {
        match count {
            None => self.int_argument(none, site),
            Some(Count::Number(n)) => self.int_argument(n.min(i32::MAX as u64).into(), site),
            Some(Count::Star) => match rest.next() {
                Some(arg) => Argument { value: arg.value.clone().resized(32, true), ty: arg.ty, syntax: None },
                None => self.int_argument(none, site),
            },
        }
    }

    fn int_argument(&self, value: i128, site: Site) -> Argument<'u> {
        Argument { value: Expr::constant(value as u128 & 0xffff_ffff, 32), ty: site.result, syntax: None }
    }

    /// `%n`: stores how many characters were printed so far.
    fn store_count(&mut self, arg: &Argument<'u>, length: u8, at: &Expr) {
        let addr = self.pointer_arg(std::slice::from_ref(arg), 0);
        let width = 8 * self.integer_bytes(length) as u32;
        self.emit(Op::Store { addr, value: at.clone().resized(width, false) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces, conversions by their letters.
    fn shown(format: &str) -> Option<String> {
        let show = |piece: &Piece| match piece {
            Piece::Text { start, length } => format.get(*start..start + length).unwrap_or("?").to_owned(),
            Piece::Value(conversion) => format!("<{}{}>", conversion.flags, char::from(conversion.letter)),
        };
        Some(pieces(format.as_bytes())?.iter().map(show).collect::<Vec<_>>().join("|"))
    }

    #[test]
    fn formats_have_pieces() {
        assert_eq!(shown("ab%d%s!\0").as_deref(), Some("ab|<0d>|<0s>|!"));
        assert_eq!(shown("%%%.3s%%x").as_deref(), Some("%|<0s>|%|x"));
        assert_eq!(shown("%lld%-05hhu").as_deref(), Some("<0d>|<3u>"));
        assert_eq!(shown("%+*.*f%#x% d").as_deref(), Some("<4f>|<16x>|<8d>"));
        assert_eq!(shown("").as_deref(), Some(""));
        for odd in ["%", "%l", "%m", "%1$d"] {
            assert_eq!(shown(odd), None, "{odd}");
        }
    }
}
