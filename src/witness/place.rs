//! The program's text, to tell which positions a witness may name and what stands there.

use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::span::Pos;
use crate::cfa::Bits;
use crate::verdict::{Inputs, LoopInvariant};

/// The input file.
pub(super) struct Text {
    name: String,
    bytes: Vec<u8>,
    lines: u32,
}

/// Where a witness gives what holds at a loop's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InvariantAnchor {
    /// At the loop.
    Head,
    /// At this statement, the first of a `do`'s body: what its head is, readers do not agree.
    Body(Pos),
}

/// Words of invariants that are no names of the program.
const LANGUAGE: [&str; 9] = ["at", "AnyPrev", "signed", "unsigned", "char", "short", "int", "long", "__int128"];

/// First and last byte of a piece of the text.
pub(super) type Range = (usize, usize);

impl Text {
    pub fn read(file: &Path) -> Result<Self> {
        let bytes = std::fs::read(file).map_err(|e| Error::cannot_read(file, e))?;
        Ok(Self::new(file.display().to_string(), bytes))
    }

    fn new(name: String, bytes: Vec<u8>) -> Self {
        let lines = bytes.split(|b| *b == b'\n').count() as u32;
        Self { name, bytes, lines }
    }

    /// SHA-256 of the file.
    pub fn hash(&self) -> String {
        crate::task::sha256(&self.bytes)
    }

    /// Whether `pos` is a position in this file (and not in a header, or nowhere).
    pub fn has(&self, pos: &Pos) -> bool {
        *pos.file == *self.name && (1..=self.lines).contains(&pos.line) && pos.column > 0
    }

    /// Whether the keyword at `pos` is one of a loop.
    pub fn is_loop(&self, pos: &Pos) -> bool {
        matches!(self.word(pos.offset as usize), b"while" | b"for" | b"do")
    }

    /// How a witness can tell `expression` of `invariant`: not at all where a name in it is not in the text, because the tool gave it.
    pub fn telling(&self, invariant: &LoopInvariant, expression: &str) -> Option<InvariantAnchor> {
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let mut words = expression.as_bytes().split(|b| !is_name(b));
        let is_word = |word: &[u8]| self.bytes.split(|b| !is_name(b)).any(|known| known == word);
        let is_language = |word: &[u8]| LANGUAGE.iter().any(|known| known.as_bytes() == word);
        let is_known =
            words.all(|word| word.first().is_none_or(u8::is_ascii_digit) || is_language(word) || is_word(word));
        if !self.has(&invariant.pos) || !is_known {
            return None;
        }
        match self.word(invariant.pos.offset as usize) {
            b"while" | b"for" => Some(InvariantAnchor::Head),
            b"do" => self.body_of_do(&invariant.pos).map(InvariantAnchor::Body),
            // The keyword may come from a macro.
            _ => invariant.is_tested.then_some(InvariantAnchor::Head),
        }
    }

    /// Where the first statement in the body of the `do` at `pos` begins; `None` where it has a label: others come there, too.
    fn body_of_do(&self, pos: &Pos) -> Option<Pos> {
        let mut at = self.skip_blank(pos.offset as usize + 2);
        if self.bytes.get(at) == Some(&b'{') {
            at = self.skip_blank(at + 1);
        }
        let word = self.word(at);
        let after = self.skip_blank(at + word.len());
        let is_label = matches!(word, b"case" | b"default") || self.bytes.get(after) == Some(&b':');
        // What no name begins may be a directive, or no statement at all.
        if is_label || word.is_empty() && !matches!(self.bytes.get(at), Some(b'*' | b'(' | b'+' | b'-')) {
            return None;
        }
        let between = &self.bytes[pos.offset as usize..at];
        let line = pos.line + between.iter().filter(|b| **b == b'\n').count() as u32;
        let start = between.iter().rposition(|b| *b == b'\n').map(|end| pos.offset as usize + end + 1);
        let text = String::from_utf8_lossy(&self.bytes[start.unwrap_or(pos.offset as usize)..at]);
        let column = text.chars().count() as u32 + if start.is_some() { 1 } else { pos.column };
        Some(Pos { line, column, offset: at as u32, ..pos.clone() })
    }

    /// Behind white space and comments.
    fn skip_blank(&self, at: usize) -> usize {
        let mut at = self.skip_space(at);
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let end = match rest {
                [b'/', b'/', ..] => rest.iter().position(|b| *b == b'\n'),
                [b'/', b'*', ..] => rest[2..].windows(2).position(|end| end == b"*/").map(|end| end + 4),
                _ => return at,
            };
            at = self.skip_space(at + end.unwrap_or(rest.len()));
        }
    }

    /// The condition of the `if`, `while` or `for` at `pos`, without its parentheses.
    pub fn condition(&self, pos: &Pos) -> Option<Range> {
        let word = self.word(pos.offset as usize);
        let open = self.skip_space(pos.offset as usize + word.len());
        if self.bytes.get(open) != Some(&b'(') {
            return None;
        }
        let close = self.find(open + 1, b")")?;
        match word {
            b"if" | b"while" | b"switch" => self.trimmed(open + 1, close),
            b"for" => {
                let first = self.find(open + 1, b";")?;
                let second = self.find(first + 1, b";")?;
                self.trimmed(first + 1, second)
            }
            _ => None,
        }
    }

    /// The statement that begins at `pos`, up to its semicolon.
    pub fn statement(&self, pos: &Pos) -> Option<Range> {
        let start = pos.offset as usize;
        let end = self.find(start, b";{}")?;
        (self.bytes.get(end) == Some(&b';')).then_some((start, end))
    }

    /// Whether the statement at `pos` names `function` but does not call it by that name: another call leads to it then.
    pub fn hands_over(&self, pos: &Pos, function: &str) -> bool {
        let Some((start, end)) = self.statement(pos) else { return false };
        let is_name = |at: usize| self.bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let begins = |at: &usize| self.word(*at) == function.as_bytes() && !is_name(at.wrapping_sub(1));
        let mut named = (start..end).filter(begins).peekable();
        named.peek().is_some() && named.all(|at| self.bytes.get(self.skip_space(at + function.len())) != Some(&b'('))
    }

    /// The identifier at `at`, possibly empty.
    fn word(&self, at: usize) -> &[u8] {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let end = rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(rest.len());
        &rest[..end]
    }

    fn skip_space(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len())
    }

    /// The first of `wanted` at or after `at` that is outside of nested parentheses and of literals.
    fn find(&self, at: usize, wanted: &[u8]) -> Option<usize> {
        let mut depth = 0usize;
        let mut at = at;
        while let Some(&byte) = self.bytes.get(at) {
            if depth == 0 && wanted.contains(&byte) {
                return Some(at);
            }
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.checked_sub(1)?,
                b'"' | b'\'' => {
                    at += 1;
                    while *self.bytes.get(at)? != byte {
                        at += if self.bytes[at] == b'\\' { 2 } else { 1 };
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// `[start, end)` without white space around; `None` where nothing is left.
    fn trimmed(&self, start: usize, end: usize) -> Option<Range> {
        let inside = self.bytes.get(start..end)?;
        let left = inside.iter().position(|b| !b.is_ascii_whitespace())?;
        let right = inside.iter().rposition(|b| !b.is_ascii_whitespace())?;
        Some((start + left, start + right))
    }
}

/// The value that an input function returned, as a C constant; `None` where C has none (a NaN).
pub(super) fn constant(callee: &str, value: Bits, signed: bool) -> Option<String> {
    let float = match (callee.ends_with("float"), callee.ends_with("double"), value.width) {
        (true, _, 32) => Some(f64::from(f32::from_bits(value.value as u32))),
        (_, true, 64) => Some(f64::from_bits(value.value as u64)),
        // Wider formats have no short decimal form here.
        (true, ..) | (_, true, _) => return None,
        _ => None,
    };
    match float {
        Some(float) => float.is_finite().then(|| format!("{float:?}")),
        None if signed => Some(value.signed().to_string()),
        None => Some(value.value.to_string()),
    }
}

/// Inputs that the sequence of input functions' results does not tell, on one line: values in order, then bytes of
/// memory read before it was written as `block:offset=byte`.
pub(super) fn inputs_line(inputs: &Inputs) -> String {
    let values = inputs.values.iter().map(u128::to_string);
    let bytes = inputs.bytes.iter().map(|((block, offset), byte)| format!("{block}:{offset}={byte}"));
    values.chain(bytes).collect::<Vec<_>>().join(" ")
}

/// The inverse of [`inputs_line`]; `None` for anything else.
pub(super) fn parse_inputs_line(line: &str) -> Option<Inputs> {
    let mut inputs = Inputs::default();
    for word in line.split_whitespace() {
        match word.split_once(':') {
            None => inputs.values.push(word.parse().ok()?),
            Some((block, rest)) => {
                let (offset, byte) = rest.split_once('=')?;
                inputs.bytes.insert((block.parse().ok()?, offset.parse().ok()?), byte.parse().ok()?);
            }
        }
    }
    Some(inputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(text: &str, at: usize, f: impl Fn(&Text, &Pos) -> Option<Range>) -> Option<&str> {
        let pos = Pos { file: "t.c".into(), line: 1, column: 1, offset: at as u32 };
        f(&Text::new("t.c".into(), text.as_bytes().to_vec()), &pos).map(|(first, last)| &text[first..=last])
    }

    #[test]
    fn conditions_and_statements() {
        assert_eq!(piece("if ( f(')') && x ) ;", 0, Text::condition), Some("f(')') && x"));
        assert_eq!(piece("  while(x[\")\"[0]]) ;", 2, Text::condition), Some("x[\")\"[0]]"));
        assert_eq!(piece("for (i = f(1, 2); i < 3 ; i++) {}", 0, Text::condition), Some("i < 3"));
        assert_eq!(piece("for (;;) {}", 0, Text::condition), None);
        assert_eq!(piece("x ? y : z;", 2, Text::condition), None);
        assert_eq!(piece("if (never closed", 0, Text::condition), None);
        assert_eq!(piece("*p = f(\";\"); q", 0, Text::statement), Some("*p = f(\";\");"));
        assert_eq!(piece("if (x) { y; }", 0, Text::statement), None);
        assert_eq!(piece("", 7, Text::statement), None);
    }

    #[test]
    fn constants() {
        assert_eq!(constant("__VERIFIER_nondet_int", Bits::new(u128::MAX, 32), true).as_deref(), Some("-1"));
        assert_eq!(constant("__VERIFIER_nondet_uint", Bits::new(u128::MAX, 32), false).as_deref(), Some("4294967295"));
        let half = Bits::new(0.5f64.to_bits().into(), 64);
        assert_eq!(constant("__VERIFIER_nondet_double", half, false).as_deref(), Some("0.5"));
        let nan = Bits::new(f32::NAN.to_bits().into(), 32);
        assert_eq!(constant("__VERIFIER_nondet_float", nan, false), None);
    }

    #[test]
    fn inputs_survive() {
        let mut inputs = Inputs { values: vec![3, u128::MAX], ..Inputs::default() };
        inputs.bytes.insert((4, 1 << 40), 255);
        assert_eq!(parse_inputs_line(&inputs_line(&inputs)), Some(inputs));
        assert_eq!(parse_inputs_line("1 x"), None);
    }
}
