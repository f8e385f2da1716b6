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
    /// `+`, space, `#`, `'`: the output gets longer in ways not modelled.
    pub odd_flags: bool,
    /// `*` of `scanf`: nothing is stored.
    pub suppressed: bool,
    pub width: Option<Count>,
    pub precision: Option<Count>,
    /// Length modifier as a letter: `H` for `hh`, `q` for `ll`, 0 for none.
    pub length: u8,
    pub letter: u8,
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
    fn scanning_skips_sets() {
        let (_, conversions) = parse(b"%*d %10[^]\n] %c", true).unwrap();
        assert!(conversions[0].suppressed);
        assert_eq!((conversions[1].letter, conversions[1].width), (b'[', Some(Count::Number(10))));
        assert_eq!(conversions[2].letter, b'c');
        assert_eq!(parse(b"abc%", true), None);
    }
}
