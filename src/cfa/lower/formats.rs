//! `printf` and `scanf`: what their formats make them read and write.

use super::super::ir::{BinOp, Expr, NondetKind, Op};
use super::super::library;
use super::calls::{Argument, Site};
use super::function::Lowerer;
use super::kinds::Kind;
use crate::base::error::Result;
use crate::c::syntax::{self, ExprKind, Init, PlaceKind};

/// A number in a conversion specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Number(u64),
    /// `*`: an argument.
    Star,
}

/// One conversion specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conversion {
    /// `+`, space, `#`, `'`: the output gets longer in ways not modelled.
    odd_flags: bool,
    /// `*` of `scanf`: nothing is stored.
    suppressed: bool,
    width: Option<Count>,
    precision: Option<Count>,
    /// Length modifier as a letter: `H` for `hh`, `q` for `ll`, 0 for none.
    length: u8,
    letter: u8,
}

/// Characters that stand for themselves, and conversions.
fn parse(format: &[u8], scanning: bool) -> Option<(u64, Vec<Conversion>)> {
    let mut rest = format.iter().copied().take_while(|&b| b != 0).peekable();
    let (mut plain, mut conversions) = (0, Vec::new());
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            plain += 1;
            continue;
        }
        let mut conversion =
            Conversion { odd_flags: false, suppressed: false, width: None, precision: None, length: 0, letter: 0 };
        while let Some(&flag) = rest.peek() {
            match flag {
                b'-' | b'0' if !scanning => {}
                b'+' | b' ' | b'#' | b'\'' => conversion.odd_flags = true,
                b'*' if scanning => conversion.suppressed = true,
                _ => break,
            }
            rest.next();
        }
        conversion.width = parse_count(&mut rest);
        if rest.next_if_eq(&b'.').is_some() {
            conversion.precision = Some(parse_count(&mut rest).unwrap_or(Count::Number(0)));
        }
        while let Some(&length) = rest.peek() {
            conversion.length = match (length, conversion.length) {
                (b'h', b'h') => b'H',
                (b'l', b'l') => b'q',
                (b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q', _) => length,
                _ => break,
            };
            rest.next();
        }
        conversion.letter = rest.next()?;
        if conversion.letter == b'[' {
            // A `]` right after the bracket (or the caret) is a member.
            rest.next_if_eq(&b'^');
            rest.next_if_eq(&b']');
            rest.by_ref().find(|&b| b == b']')?;
        }
        if conversion.letter == b'%' {
            plain += 1;
        } else {
            conversions.push(conversion);
        }
    }
    Some((plain, conversions))
}

fn parse_count(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> Option<Count> {
    if rest.next_if_eq(&b'*').is_some() {
        return Some(Count::Star);
    }
    let mut number = None;
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        number = Some(number.unwrap_or(0u64).saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    }
    number.map(Count::Number)
}

impl<'u> Lowerer<'_, 'u> {
    /// The bytes of an argument that is a string literal.
    pub fn literal(&self, arg: Option<&Argument<'u>>) -> Option<&'u [u8]> {
        let mut expr: &'u syntax::Expr = arg?.syntax?;
        loop {
            match &expr.kind {
                ExprKind::Convert(inner) => expr = inner,
                ExprKind::ArrayDecay(place) => match &place.kind {
                    PlaceKind::Global(id) => {
                        let unit = self.unit;
                        let definition = unit.globals[id.index()].definition.as_ref()?;
                        return match &definition.init {
                            Some(Init::Bytes(bytes)) if definition.read_only => Some(bytes),
                            _ => None,
                        };
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
    }

    /// `printf`: strings must be readable, `%n` writable.
    pub fn check_print(&mut self, args: &[Argument<'u>], format: usize, site: Site) -> Result<()> {
        let parsed = self.literal(args.get(format)).and_then(|bytes| parse(bytes, false));
        let Some((_, conversions)) = parsed else {
            if let Some(format) = args.get(format) {
                self.read_string(format, site)?;
            }
            if args.iter().skip(format + 1).any(|arg| matches!(self.kind(arg.ty), Kind::Pointer { .. })) {
                self.undefined("a format that is not known");
            }
            return Ok(());
        };
        let mut rest = args.iter().skip(format + 1);
        for conversion in conversions {
            if conversion.width == Some(Count::Star) {
                rest.next();
            }
            let precision = match conversion.precision {
                Some(Count::Star) => rest.next().map(|arg| self.count_argument(arg)),
                Some(Count::Number(n)) => Some(self.pointer_constant(n)),
                None => None,
            };
            let Some(arg) = rest.next() else { break };
            match conversion.letter {
                b's' if conversion.length == b'l' => self.call_for_effect(library::WIDE, "wcslen", &[arg], site)?,
                b's' => match precision {
                    Some(limit) => {
                        let limit = self.size_argument(limit, site);
                        self.call_for_effect(library::STRINGS, "strnlen", &[arg, &limit], site)?;
                    }
                    None => self.read_string(arg, site)?,
                },
                b'n' => {
                    let dst = self.pointer_arg(std::slice::from_ref(arg), 0);
                    let size = self.pointer_constant(self.integer_bytes(conversion.length));
                    self.emit(Op::Havoc { dst, size });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `vprintf`: fine as long as nothing it gets is a pointer.
    pub fn check_print_list(&mut self, args: &[Argument<'u>], format: usize, site: Site) -> Result<()> {
        let parsed = self.literal(args.get(format)).and_then(|bytes| parse(bytes, false));
        match parsed {
            Some((_, conversions)) if conversions.iter().all(|c| !matches!(c.letter, b's' | b'n')) => {}
            Some(_) => self.undefined("variable arguments of a format"),
            None => {
                if let Some(format) = args.get(format) {
                    self.read_string(format, site)?;
                }
                self.undefined("variable arguments of a format");
            }
        }
        Ok(())
    }

    /// `sprintf`, `snprintf` and their `v` variants.
    pub fn print_to(&mut self, args: &[Argument<'u>], bounded: bool, list: bool, site: Site) -> Result<Option<Expr>> {
        let format = if bounded { 2 } else { 1 };
        // Without a prototype in scope there may be any number of arguments.
        let (buffer, bound) = match args {
            [buffer, bound, ..] if bounded => (buffer.clone(), Some(bound.clone())),
            [buffer, ..] if !bounded => (buffer.clone(), None),
            _ => return self.give_up_on("too few arguments of a function of the `printf` family"),
        };
        let length = if list { None } else { self.output_length(args, format, site)? };
        if length.is_none() {
            if list {
                self.check_print_list(args, format, site)?;
            } else {
                self.check_print(args, format, site)?;
            }
        }
        let length = length.map(|length| self.size_argument(length, site));
        match (length, bound) {
            (Some(length), None) => self.call_model(library::STDIO, "print_exactly", &[buffer, length], site),
            (Some(length), Some(bound)) => {
                self.call_model(library::STDIO, "print_bounded", &[buffer, bound, length], site)
            }
            (None, Some(bound)) => self.call_model(library::STDIO, "print_anything", &[buffer, bound], site),
            (None, None) => self.give_up_on("output of unknown length"),
        }
    }

    fn give_up_on(&mut self, why: &str) -> Result<Option<Expr>> {
        self.undefined(why);
        Ok(None)
    }

    /// The exact number of characters printed, where the conversions used allow to tell.
    fn output_length(&mut self, args: &[Argument<'u>], format: usize, site: Site) -> Result<Option<Expr>> {
        let parsed = self.literal(args.get(format)).and_then(|bytes| parse(bytes, false));
        let Some((plain, conversions)) = parsed else { return Ok(None) };
        let exact = |c: &Conversion| {
            let letter = matches!(c.letter, b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b's');
            let precise = c.precision.is_none() || (c.letter == b's' && c.precision != Some(Count::Star));
            letter && precise && !c.odd_flags && c.width != Some(Count::Star) && !(c.letter == b's' && c.length == b'l')
        };
        if !conversions.iter().all(exact) || args.len() < format + 1 + conversions.len() {
            return Ok(None);
        }
        let mut length = self.pointer_constant(plain);
        for (conversion, arg) in conversions.iter().zip(&args[format + 1..]) {
            let width = match conversion.width {
                Some(Count::Number(n)) => n,
                _ => 0,
            };
            let width = self.size_argument(self.pointer_constant(width), site);
            let signed = matches!(conversion.letter, b'd' | b'i');
            let number = self.printed_number(arg, conversion.length, signed);
            let (model, call_args): (&str, Vec<Argument<'u>>) = match (conversion.letter, conversion.precision) {
                (b'd' | b'i', _) => ("signed_length", vec![number, width]),
                (b'u', _) => ("decimal_length", vec![number, width]),
                (b'x' | b'X', _) => ("hexadecimal_length", vec![number, width]),
                (b'o', _) => ("octal_length", vec![number, width]),
                (b'c', _) => ("character_length", vec![width]),
                (_, Some(Count::Number(n))) => {
                    let limit = self.size_argument(self.pointer_constant(n), site);
                    ("bounded_text_length", vec![arg.clone(), limit, width])
                }
                _ => ("text_length", vec![arg.clone(), width]),
            };
            let part = self.call_model(library::STDIO, model, &call_args, Site { wanted: true, ..site })?;
            let Some(part) = part else { return Ok(None) };
            // The call's own type is `int`, and so is the length that it returns in the end.
            let bits = self.pointer_bits();
            length = Expr::binary(BinOp::Add, length, part.resized(bits, false));
        }
        Ok(Some(length))
    }

    /// The number an integer conversion prints: cut to the width its length modifier names, then 64 bits wide.
    fn printed_number(&self, arg: &Argument<'u>, length: u8, signed: bool) -> Argument<'u> {
        let width = (self.integer_bytes(length) * 8) as u32;
        let signed_arg = self.kind(arg.ty).is_signed();
        let value = arg.value.clone().resized(width, signed_arg).resized(64, signed);
        Argument { value, ty: arg.ty, syntax: None }
    }

    /// Bytes of the integer that a length modifier names.
    fn integer_bytes(&self, length: u8) -> u64 {
        let long = u64::from(self.types.model.pointer_bytes());
        match length {
            b'H' => 1,
            b'h' => 2,
            b'l' | b'z' | b't' => long,
            b'q' | b'L' | b'j' => 8,
            _ => 4,
        }
    }

    /// An argument of type `size_t`; its width is right already, so the type does not matter.
    fn size_argument(&self, value: Expr, site: Site) -> Argument<'u> {
        Argument { value, ty: site.result, syntax: None }
    }

    fn count_argument(&self, arg: &Argument<'u>) -> Expr {
        // A negative precision means none, and becomes a huge limit.
        arg.value.clone().resized(self.pointer_bits(), true)
    }

    fn call_for_effect(&mut self, file: usize, model: &str, args: &[&Argument<'u>], site: Site) -> Result<()> {
        let args: Vec<Argument<'u>> = args.iter().map(|arg| (*arg).clone()).collect();
        self.call_model(file, model, &args, Site { wanted: false, ..site }).map(drop)
    }

    /// `scanf`: what the conversions store becomes arbitrary (of a failed one too: that includes what was there).
    pub fn scan(&mut self, args: &[Argument<'u>], format: usize, from_string: bool, site: Site) -> Result<()> {
        let parsed = self.literal(args.get(format)).and_then(|bytes| parse(bytes, true));
        let Some((_, conversions)) = parsed else {
            self.undefined("a format that is not known");
            return Ok(());
        };
        if from_string && let Some(source) = args.first() {
            self.read_string(source, site)?;
        }
        let mut rest = args.iter().skip(format + 1);
        for conversion in conversions {
            if conversion.suppressed {
                continue;
            }
            let Some(arg) = rest.next() else { break };
            let pointer = u64::from(self.types.model.pointer_bytes());
            let width = match conversion.width {
                Some(Count::Number(n)) => Some(n),
                _ => None,
            };
            let bytes = match (conversion.letter, conversion.length, width) {
                (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'n', length, _) => self.integer_bytes(length),
                (b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A', 0, _) => 4,
                (b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A', b'l', _) => 8,
                (b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A', _, _) => 10,
                (b'p', _, _) => pointer,
                (b'c', 0, width) => width.unwrap_or(1),
                (b's' | b'[', 0, Some(width)) => {
                    let limit = self.size_argument(self.pointer_constant(width), site);
                    self.call_for_effect(library::STDIO, "scan_word", &[arg, &limit], site)?;
                    continue;
                }
                (b's' | b'[', 0, None) => {
                    self.call_for_effect(library::STDIO, "read_without_bound", &[arg], site)?;
                    continue;
                }
                _ => {
                    self.undefined("input of unknown length");
                    return Ok(());
                }
            };
            let addr = self.pointer_arg(std::slice::from_ref(arg), 0);
            if bytes <= 8 {
                // A value of its own rather than arbitrary bytes, for the sake of evidence.
                let value = self.nondet(8 * bytes as u32, NondetKind::External("scanf".into()));
                self.emit(Op::Store { addr, value });
            } else {
                let size = self.pointer_constant(bytes);
                self.emit(Op::Havoc { dst: addr, size });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_read() {
        let (plain, conversions) = parse(b"a%%b %-5.3lld%.*s%hhu\n", false).unwrap();
        assert_eq!(plain, 5);
        let letters: Vec<(u8, u8)> = conversions.iter().map(|c| (c.length, c.letter)).collect();
        assert_eq!(letters, [(b'q', b'd'), (0, b's'), (b'H', b'u')]);
        assert_eq!(conversions[0].width, Some(Count::Number(5)));
        assert_eq!(conversions[0].precision, Some(Count::Number(3)));
        assert_eq!(conversions[1].precision, Some(Count::Star));
    }

    #[test]
    fn scanning_skips_sets() {
        let (_, conversions) = parse(b"%*d %10[^]\n] %c", true).unwrap();
        assert!(conversions[0].suppressed);
        assert_eq!((conversions[1].letter, conversions[1].width), (b'[', Some(Count::Number(10))));
        assert_eq!(conversions[2].letter, b'c');
        assert_eq!(parse(b"abc%", true), None);
    }
}
