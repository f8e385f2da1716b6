//! Cleaning and splitting of C text: comments, directives, splices and digraphs disappear, tokens remain.

use crate::base::error::{Error, ErrorKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Number,
    /// With its encoding prefix and quotes.
    Str,
    Char,
    Punct,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

/// What lexing leaves behind: the cleaned buffer has the length of the input.
pub struct Lexed {
    pub text: Vec<u8>,
    pub tokens: Vec<Token>,
    /// `#pragma` and `_Pragma` bodies with their offsets.
    pub pragmas: Vec<(u32, String)>,
}

/// Refusal at an offset of the buffer.
pub type Refusal = (u32, Error);

fn refuse(at: usize, kind: ErrorKind, message: impl Into<String>) -> Refusal {
    (at as u32, Error::new(kind, message))
}

/// Operators of more than one character, longest first.
const PUNCTUATORS: [&[u8]; 26] = [
    b"...", b"<<=", b">>=", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"*=", b"/=",
    b"%=", b"+=", b"-=", b"&=", b"^=", b"|=", b"##", b"<:", b":>", b"<%",
];

pub fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

/// Splits `text` into tokens, overwriting everything that is none with blanks (line ends stay).
pub fn lex(mut text: Vec<u8>) -> Result<Lexed, Refusal> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut pragmas = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    if text.starts_with(b"\xef\xbb\xbf") {
        text[..3].fill(b' ');
    }
    while at < text.len() {
        let b = text[at];
        let start = at;
        let kind = match b {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' => {
                at += 1;
                continue;
            }
            b'\r' | 0x0c | 0x0b => {
                text[at] = b' ';
                at += 1;
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'*') => {
                let Some(length) = text[at + 2..].windows(2).position(|w| w == b"*/") else {
                    return Err(refuse(at, ErrorKind::Syntax, "unterminated comment"));
                };
                at += length + 4;
                blank(&mut text[start..at]);
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'/') => {
                at = line_end(&text, at);
                blank(&mut text[start..at]);
                continue;
            }
            b'#' if line_start => {
                at = line_end(&text, at);
                directive(&text[start..at], start, &mut pragmas)?;
                blank(&mut text[start..at]);
                continue;
            }
            b'%' if line_start && text.get(at + 1) == Some(&b':') => {
                at = line_end(&text, at);
                directive(&text[start + 1..at], start, &mut pragmas)?;
                blank(&mut text[start..at]);
                continue;
            }
            _ => {
                let (kind, end) = token(&text, at)?;
                at = end;
                if kind == Kind::Punct {
                    digraph(&mut text[start..at]);
                    if text[start + 1..at] == *b" " {
                        at = start + 1;
                    }
                }
                kind
            }
        };
        line_start = false;
        tokens.push(Token { kind, start: start as u32, end: at as u32 });
    }
    Ok(Lexed { text, tokens, pragmas })
}

/// Kind and end of the token that begins at `at`.
pub fn token(text: &[u8], at: usize) -> Result<(Kind, usize), Refusal> {
    let b = text[at];
    let quote = |at: usize, quote: u8| -> Result<(Kind, usize), Refusal> {
        Ok((if quote == b'"' { Kind::Str } else { Kind::Char }, quoted(text, at)?))
    };
    match b {
        b'"' | b'\'' => quote(at, b),
        _ if b.is_ascii_digit() || b == b'.' && text.get(at + 1).is_some_and(u8::is_ascii_digit) => {
            Ok((Kind::Number, number(text, at)))
        }
        b'\\' if matches!(text.get(at + 1), Some(b'u' | b'U')) => Ok((Kind::Word, word(text, at))),
        _ if is_word_byte(b) => {
            let end = word(text, at);
            let is_prefix = matches!(&text[at..end], b"L" | b"u" | b"U" | b"u8");
            match text.get(end) {
                Some(&b @ (b'"' | b'\'')) if is_prefix => quote(end, b),
                _ => Ok((Kind::Word, end)),
            }
        }
        _ if b.is_ascii_graphic() => {
            let length = PUNCTUATORS.iter().find(|p| text[at..].starts_with(p)).map_or(1, |p| p.len());
            let is_brace = length == 1 && text[at..].starts_with(b"%>");
            Ok((Kind::Punct, at + length + usize::from(is_brace)))
        }
        _ => Err(refuse(at, ErrorKind::Syntax, format!("stray byte 0x{b:02x} in program"))),
    }
}

pub fn blank(bytes: &mut [u8]) {
    for b in bytes {
        if *b != b'\n' {
            *b = b' ';
        }
    }
}

/// A digraph becomes its plain character and a blank.
fn digraph(bytes: &mut [u8]) {
    let plain = match &*bytes {
        b"<:" => b'[',
        b":>" => b']',
        b"<%" => b'{',
        b"%>" => b'}',
        _ => return,
    };
    bytes.copy_from_slice(&[plain, b' ']);
}

pub fn line_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| at + n)
}

/// Line markers are nothing, pragmas are kept aside; any other directive should have been expanded before.
fn directive(line: &[u8], at: usize, pragmas: &mut Vec<(u32, String)>) -> Result<(), Refusal> {
    let body = line[1..].trim_ascii();
    if let Some(pragma) = body.strip_prefix(b"pragma") {
        let words = String::from_utf8_lossy(pragma).into_owned();
        if words.contains("scalar_storage_order") && words.contains("big-endian") {
            let message = "the pragma scalar_storage_order";
            return Err((at as u32, Error::new(ErrorKind::Unsupported, message)));
        }
        pragmas.push((at as u32, String::from_utf8_lossy(pragma).trim().to_owned()));
        return Ok(());
    }
    if body.is_empty() || body[0].is_ascii_digit() || body.starts_with(b"line") || body.starts_with(b"ident") {
        return Ok(());
    }
    let name = String::from_utf8_lossy(body).split_whitespace().next().unwrap_or_default().to_owned();
    Err(refuse(at, ErrorKind::Syntax, format!("preprocessing directive #{name} in preprocessed text")))
}

fn quoted(text: &[u8], at: usize) -> Result<usize, Refusal> {
    let quote = text[at];
    let mut i = at + 1;
    while i < text.len() {
        match text[i] {
            b'\\' => i += 2,
            b'\n' => break,
            b if b == quote => return Ok(i + 1),
            _ => i += 1,
        }
    }
    let what = if quote == b'"' { "string literal" } else { "character constant" };
    Err(refuse(at, ErrorKind::Syntax, format!("unterminated {what}")))
}

/// A preprocessing number, with C23 digit separators.
fn number(text: &[u8], at: usize) -> usize {
    let mut i = at + 1;
    while let Some(&b) = text.get(i) {
        let exponent = matches!(b, b'+' | b'-') && matches!(text[i - 1], b'e' | b'E' | b'p' | b'P');
        let hexadecimal = text[at..].starts_with(b"0x") || text[at..].starts_with(b"0X");
        let exponent = exponent && (!hexadecimal || matches!(text[i - 1], b'p' | b'P'));
        let separator = b == b'\'' && text.get(i + 1).is_some_and(u8::is_ascii_alphanumeric);
        // `1...5` in a case range is a number, an ellipsis and a number.
        let range = text[i..].starts_with(b"...");
        if range || !(b.is_ascii_alphanumeric() || b == b'.' || b == b'_' || exponent || separator) {
            break;
        }
        i += 1;
    }
    i
}

fn word(text: &[u8], at: usize) -> usize {
    let mut i = at;
    loop {
        match text.get(i) {
            Some(b'\\') if matches!(text.get(i + 1), Some(b'u' | b'U')) => i += 2,
            Some(&b) if is_word_byte(b) => i += 1,
            _ => return i,
        }
    }
}
