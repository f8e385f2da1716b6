//! Where something stands in the program text.

use std::sync::Arc;

/// A half-open byte range `[start, end)` of the *parsed* text; [`SourceMap`] turns it into a position a person can use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A position in a file given by the user: lines and columns count from 1, `offset` is the byte offset from 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
    pub offset: u32,
}

impl std::fmt::Display for Pos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Maps offsets of the parsed text back to positions in the input file given (through token-level edits and,
/// for text the tool preprocessed itself, through line markers).
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// Ascending by `at`; the entry with the greatest `at <= offset` decides.
    pub lines: Vec<LineStart>,
    /// Ascending edits by the token pass: text at and after `at` stands `shift` bytes later in the input than here.
    pub edits: Vec<Edit>,
    pub files: Vec<Arc<str>>,
}

/// One line of the text before the token pass.
#[derive(Clone, Copy, Debug)]
pub struct LineStart {
    /// Offset of the line's first byte, in the text before the token pass.
    pub at: u32,
    /// Index into [`SourceMap::files`].
    pub file: u32,
    /// Line number in that file, from 1.
    pub line: u32,
    /// Byte offset of the line in that file (equals `at` for a file given as is).
    pub offset: u32,
}

/// A length-changing edit of the token pass.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    /// Offset in the parsed text from which on the shift holds.
    pub at: u32,
    pub shift: i32,
}

impl SourceMap {
    /// The position of `offset` (of the parsed text) in the input.
    pub fn pos(&self, offset: u32) -> Pos {
        let edit = self.edits.partition_point(|e| e.at <= offset);
        let shift = if edit == 0 { 0 } else { self.edits[edit - 1].shift };
        let original = offset.saturating_add_signed(shift);
        let line = self.lines.partition_point(|l| l.at <= original);
        let Some(start) = line.checked_sub(1).map(|i| self.lines[i]) else {
            return Pos {
                file: self.files.first().cloned().unwrap_or_else(|| "<input>".into()),
                line: 1,
                column: 1,
                offset: 0,
            };
        };
        let into = original - start.at;
        Pos {
            file: self.files[start.file as usize].clone(),
            line: start.line,
            column: into + 1,
            offset: start.offset + into,
        }
    }
}
