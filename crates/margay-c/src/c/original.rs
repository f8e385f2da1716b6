//! A file as it was before preprocessing: its tokens outside of directives, and where they stand.

use super::prepass::{lexer, splices};
use crate::base::span::continued_bytes;

/// The tokens of a file.
pub(super) struct Original {
    /// Without line splices.
    text: Vec<u8>,
    pub tokens: Vec<Written>,
    /// Names of the macros it defines, and whether they stand for nothing.
    pub macros: Vec<(Vec<u8>, bool)>,
}

/// A token as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    /// Offsets in the text without splices.
    start: u32,
    end: u32,
    pub is_word: bool,
    /// Where its first byte stands, lines, bytes and characters counted from 1.
    pub line: u32,
    pub byte_column: u32,
    pub column: u32,
    /// Byte offset in the file.
    pub offset: u32,
    /// How many directives come before it: between tokens of two groups, text may have been left out.
    group: u32,
}

impl Original {
    /// Splits any text: what is no token of C (in a group that is left out) ends where its line ends.
    pub fn new(bytes: &[u8]) -> Self {
        let (text, spliced) = splices::remove(bytes);
        let continued = continued_bytes(bytes);
        let lines: Vec<u32> = line_starts(bytes).collect();
        let mut original = Self { text, tokens: Vec::new(), macros: Vec::new() };
        let text = &original.text;
        let (mut at, mut group, mut line_start) = (0, 0, true);
        while at < text.len() {
            let rest = &text[at..];
            match rest {
                [b'\n', ..] => {
                    line_start = true;
                    at += 1;
                }
                [b, ..] if b.is_ascii_whitespace() || *b == 0x0b => at += 1,
                [0xef, 0xbb, 0xbf, ..] if at == 0 => at += 3,
                [b'/', b'*' | b'/', ..] => at = comment_end(text, at),
                [b'#', ..] | [b'%', b':', ..] if line_start => {
                    group += 1;
                    let end = directive_end(text, at);
                    original.macros.extend(definition(&text[at..end]));
                    at = end;
                }
                _ => {
                    let line_end = || (lexer::Kind::Punct, lexer::line_end(text, at).max(at + 1));
                    let (kind, end) = lexer::token(text, at).unwrap_or_else(|_| line_end());
                    let offset = splices::undo(&spliced, at as u32);
                    let line = lines.partition_point(|start| *start <= offset);
                    let line_offset = lines[line - 1];
                    let before = |at: u32| continued.partition_point(|byte| *byte < at) as u32;
                    let byte_column = offset - line_offset + 1;
                    original.tokens.push(Written {
                        start: at as u32,
                        end: end as u32,
                        is_word: kind == lexer::Kind::Word,
                        line: line as u32,
                        byte_column,
                        column: byte_column - (before(offset) - before(line_offset)),
                        offset,
                        group,
                    });
                    line_start = false;
                    at = end;
                }
            }
        }
        original
    }

    /// The tokens of a line with their text.
    pub fn line(&self, line: u32) -> impl Iterator<Item = (Written, &[u8])> {
        let first = self.tokens.partition_point(|token| token.line < line);
        let here = self.tokens[first..].iter().take_while(move |token| token.line == line);
        here.map(|token| (*token, self.text_of(token)))
    }

    pub fn text_of(&self, token: &Written) -> &[u8] {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The token that begins at a line and a byte of it.
    pub fn token_at(&self, line: u32, byte_column: u32) -> Option<usize> {
        self.tokens.binary_search_by_key(&(line, byte_column), |token| (token.line, token.byte_column)).ok()
    }

    /// The first word at or after token `from` and line `line`.
    pub fn word_from(&self, from: usize, line: u32) -> Option<usize> {
        let skipped = self.tokens[from.min(self.tokens.len())..].partition_point(|token| token.line < line);
        let rest = &self.tokens[from + skipped..];
        rest.iter().position(|token| token.is_word).map(|at| from + skipped + at)
    }

    /// The token after the name at `from` and its arguments, if it has any.
    pub fn after_call(&self, from: usize) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.tokens.iter().enumerate().skip(from + 1) {
            match self.text_of(token) {
                b"(" => depth += 1,
                b")" if depth == 1 => return index + 1,
                b")" if depth > 0 => depth -= 1,
                _ if depth == 0 => return index,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Brings `open`, the parentheses that are open at token `scanned`, to token `to`. Where directives lie between, only what
    /// comes after them counts.
    pub fn scan(&self, open: &mut Vec<usize>, scanned: usize, to: usize) {
        let group = self.tokens[to].group;
        let begin = scanned + self.tokens[scanned..to].partition_point(|token| token.group < group);
        if begin > scanned {
            open.clear();
        }
        for index in begin..to {
            match self.text_of(&self.tokens[index]) {
                b"(" => open.push(index),
                b")" => {
                    open.pop();
                }
                _ => {}
            }
        }
    }
}

fn comment_end(text: &[u8], at: usize) -> usize {
    if text[at + 1] == b'/' {
        return lexer::line_end(text, at);
    }
    text[at + 2..].windows(2).position(|w| w == b"*/").map_or(text.len(), |length| at + length + 4)
}

/// The end of a directive's last line: comments may go on in further lines.
fn directive_end(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while at < text.len() && text[at] != b'\n' {
        at = match &text[at..] {
            [b'/', b'*' | b'/', ..] => comment_end(text, at),
            [b'"' | b'\'', ..] => lexer::token(text, at).map_or(at + 1, |(_, end)| end),
            _ => at + 1,
        };
    }
    at
}

/// The name of the macro that a directive defines, and whether it stands for nothing.
fn definition(directive: &[u8]) -> Option<(Vec<u8>, bool)> {
    let start = directive.iter().position(|b| matches!(b, b'#' | b':'))? + 1;
    let rest = directive[start..].trim_ascii_start().strip_prefix(b"define")?.trim_ascii_start();
    let (name, rest) = rest.split_at(rest.iter().position(|b| !lexer::is_word_byte(*b)).unwrap_or(rest.len()));
    let rest = match rest {
        [b'(', ..] => &rest[rest.iter().position(|b| *b == b')')? + 1..],
        _ => rest,
    };
    let mut at = 0;
    while at < rest.len() && (rest[at].is_ascii_whitespace() || matches!(rest[at..], [b'/', b'*' | b'/', ..])) {
        at = if rest[at] == b'/' { comment_end(rest, at) } else { at + 1 };
    }
    Some((name.to_vec(), at >= rest.len()))
}

/// Offsets at which lines begin.
pub(super) fn line_starts(text: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let ends = text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i as u32 + 1);
    std::iter::once(0).chain(ends)
}
