//! Where something stands in the program text.

use std::sync::Arc;

/// A half-open byte range `[start, end)` of the *parsed* text; [`SourceMap`] turns it into a position a person can use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Of the first byte.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A position in a file given by the user: lines and columns count from 1, `offset` is the byte offset from 0.
///
/// Columns count characters where the file is UTF-8, bytes otherwise; a tab is one character.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// As it was named on the command line, or by an `#include`.
    pub file: Arc<str>,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// From 0, in bytes.
    pub offset: u32,
}

/// Begins the name of the file of a harness: text that the tool writes itself around a function.
pub const HARNESS: &str = "<harness of ";

impl Pos {
    /// It is in a harness, which is not the user's text.
    pub fn is_of_harness(&self) -> bool {
        self.file.starts_with(HARNESS)
    }
}

impl std::fmt::Display for Pos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Maps offsets of the parsed text back to positions in the input file given (through token-level edits and, for text the
/// tool preprocessed itself, through what the preprocessor tells).
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// Ascending by `at`; the piece with the greatest `at <= offset` decides.
    pub pieces: Vec<Piece>,
    /// Ascending offsets, in the text before the token pass, of bytes that continue a character.
    pub continued: Vec<u32>,
    /// Ascending edits by the token pass: text at and after `at` stands `shift` bytes later in the input than here.
    pub edits: Vec<Edit>,
    /// Their names.
    pub files: Vec<Arc<str>>,
    /// Ascending offsets, in the text before the token pass, from which on it is that of a system header or not.
    pub headers: Vec<(u32, bool)>,
}

/// A piece of the text before the token pass, up to the next piece: a line, or a part of one that a macro or an edit of the
/// preprocessor moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset of the piece's first byte, in the text before the token pass.
    pub at: u32,
    /// Index into [`SourceMap::files`].
    pub file: u32,
    /// Of the first byte in that file, from 1.
    pub line: u32,
    /// Of the first byte, in characters from 1.
    pub column: u32,
    /// Byte offset of the first byte in that file (equals `at` for a file given as is).
    pub offset: u32,
    /// Whether all of the piece stands where it begins: it comes from a macro that is invoked there.
    pub is_expansion: bool,
}

/// A length-changing edit of the token pass.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    /// Offset in the parsed text from which on the shift holds.
    pub at: u32,
    /// How many bytes later the same text stands in the input.
    pub shift: i32,
}

impl SourceMap {
    /// The position of `offset` (of the parsed text) in the input: for a token from a macro, that of the macro's invocation.
    pub fn pos(&self, offset: u32) -> Pos {
        let original = self.original(offset);
        let index = self.pieces.partition_point(|piece| piece.at <= original);
        let Some(piece) = index.checked_sub(1).map(|i| self.pieces[i]) else {
            return Pos {
                file: self.files.first().cloned().unwrap_or_else(|| "<input>".into()),
                line: 1,
                column: 1,
                offset: 0,
            };
        };
        let (bytes, characters) = self.distance(&piece, original);
        Pos {
            file: self.files[piece.file as usize].clone(),
            line: piece.line,
            column: piece.column + characters,
            offset: piece.offset + bytes,
        }
    }

    /// The offset in the text before the token pass.
    fn original(&self, offset: u32) -> u32 {
        let edit = self.edits.partition_point(|e| e.at <= offset);
        let shift = if edit == 0 { 0 } else { self.edits[edit - 1].shift };
        offset.saturating_add_signed(shift)
    }

    /// Whether what stands at `offset` (of the parsed text) comes from a header of the system.
    pub fn is_of_system(&self, offset: u32) -> bool {
        let original = self.original(offset);
        let index = self.headers.partition_point(|(at, _)| *at <= original);
        index.checked_sub(1).is_some_and(|index| self.headers[index].1)
    }

    /// Bytes and characters of the input between the beginning of `piece` and `at`, an offset of the text before the token
    /// pass.
    pub fn distance(&self, piece: &Piece, at: u32) -> (u32, u32) {
        if piece.is_expansion {
            return (0, 0);
        }
        let before = |at: u32| self.continued.partition_point(|byte| *byte < at) as u32;
        (at - piece.at, at - piece.at - (before(at) - before(piece.at)))
    }
}

/// Offsets of the bytes of `text` that continue a character; none where it is not UTF-8: then each byte counts.
pub fn continued_bytes(text: &[u8]) -> Vec<u32> {
    if text.is_ascii() || std::str::from_utf8(text).is_err() {
        return Vec::new();
    }
    text.iter().enumerate().filter(|(_, byte)| **byte & 0xc0 == 0x80).map(|(at, _)| at as u32).collect()
}
