//! The conversion specifications of `printf` and `scanf`.

/// A number in a conversion specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    Number(u64),
    /// `*`: an argument.
    Star,
}

/// One conversion specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Flags of `printf`, as bits: 1 for `-`, 2 for `0`, 4 for `+`, 8 for a space, 16 for `#` (`printing.c`).
    pub flags: u8,
    /// `*` of `scanf`: nothing is stored.
    pub suppressed: bool,
    pub width: Option<Count>,
    pub precision: Option<Count>,
    /// Length modifier as a letter: `H` for `hh`, `q` for `ll`, 0 for none.
    pub length: u8,
    pub letter: u8,
    /// Characters before it that stand for themselves.
    pub plain_before: u64,
}

/// A part of a format of `scanf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Any white space.
    Space,
    /// This byte.
    Literal(u8),
    /// A conversion, and for `%[` the bytes it takes, one bit each.
    Convert(Conversion, [u64; 4]),
}

/// The parts of a format of `scanf`; `None` for what is no format, or one with more than C has.
pub fn directives(format: &[u8]) -> Option<Vec<Directive>> {
    let end = format.iter().position(|byte| *byte == 0).unwrap_or(format.len());
    let (mut at, mut parts) = (0, Vec::new());
    while at < end {
        if format[at] != b'%' {
            let is_space = matches!(format[at], b' ' | b'\t'..=b'\r');
            parts.push(if is_space { Directive::Space } else { Directive::Literal(format[at]) });
            at += 1;
            continue;
        }
        let length = 1 + format[at + 1..end].iter().position(|byte| !b"*0123456789hlLqjzt".contains(byte))? + 1;
        let mut next = at + length;
        let mut set = [0; 4];
        match format[next - 1] {
            b'%' => parts.extend([Directive::Space, Directive::Literal(b'%')]),
            b'[' => {
                let inner = &format[next..end];
                let negated = usize::from(inner.first() == Some(&b'^'));
                let first = negated + usize::from(inner.get(negated) == Some(&b']'));
                let close = first + inner[first..].iter().position(|byte| *byte == b']')?;
                set = members(&inner[negated..close], negated == 1);
                next += close + 1;
            }
            _ => {}
        }
        if format[at + length - 1] != b'%' {
            let (_, conversions) = parse(&format[at..next], true)?;
            let [conversion] = conversions[..] else { return None };
            parts.push(Directive::Convert(conversion, set));
        }
        at = next;
    }
    Some(parts)
}

/// The bytes of a set between brackets, one bit each; `a-z` is a range, as glibc has it.
fn members(set: &[u8], negated: bool) -> [u64; 4] {
    let mut bits = [0u64; 4];
    let mut at = 0;
    while at < set.len() {
        let last = if set.get(at + 1) == Some(&b'-') && at + 2 < set.len() { at + 2 } else { at };
        for byte in set[at]..=set[last] {
            bits[usize::from(byte / 64)] |= 1 << (byte % 64);
        }
        at = last + 1;
    }
    if negated { bits.map(|part| !part) } else { bits }
}

/// Characters that stand for themselves, and conversions; `None` for what is no format, or one with more than C has.
pub fn parse(format: &[u8], scanning: bool) -> Option<(u64, Vec<Conversion>)> {
    let mut rest = format.iter().copied().take_while(|&b| b != 0).peekable();
    let (mut plain, mut conversions) = (0, Vec::new());
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            plain += 1;
            continue;
        }
        let mut conversion = Conversion {
            flags: 0,
            suppressed: false,
            width: None,
            precision: None,
            length: 0,
            letter: 0,
            plain_before: plain,
        };
        while let Some(&flag) = rest.peek() {
            match flag {
                b'-' if !scanning => conversion.flags |= 1,
                b'0' if !scanning => conversion.flags |= 2,
                b'+' if !scanning => conversion.flags |= 4,
                b' ' if !scanning => conversion.flags |= 8,
                b'#' if !scanning => conversion.flags |= 16,
                // Groups of digits have no sign between them in the C locale.
                b'\'' => {}
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
        match conversion.letter {
            b'%' => plain += 1,
            // `%S` and `%C` are `%ls` and `%lc`.
            b'S' | b'C' => conversions.push(Conversion {
                letter: conversion.letter.to_ascii_lowercase(),
                length: b'l',
                ..conversion
            }),
            letter if b"diouxXcspnfFeEgGaA[".contains(&letter) => conversions.push(conversion),
            // Arguments by number, and whatever else an implementation may have.
            _ => return None,
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
    fn formats_of_scanf_have_parts() {
        let parts = directives(b"a %2d%%%*[^]x-z] %s").unwrap();
        assert_eq!(parts[..2], [Directive::Literal(b'a'), Directive::Space]);
        assert_eq!(parts[3..5], [Directive::Space, Directive::Literal(b'%')]);
        let Directive::Convert(conversion, set) = &parts[5] else { panic!("{parts:?}") };
        assert!(conversion.suppressed);
        let has = |byte: u8| set[usize::from(byte / 64)] >> (byte % 64) & 1 == 1;
        assert!(has(b'a') && has(b'w') && has(b'[') && !has(b']') && !has(b'x') && !has(b'y') && !has(b'z'));
        assert_eq!(parts.len(), 8);
        assert_eq!(directives(b"%2"), None);
        assert_eq!(directives(b"%[a"), None);
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
