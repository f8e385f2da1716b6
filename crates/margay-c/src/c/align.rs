//! The tokens of preprocessed text in the files they come from.
//!
//! A token outside of macros stands where it is spelled. One from the definition of a macro stands where the macro is invoked: at
//! the first name of the file that the tokens before it did not use up. An argument stands where it is spelled, but for the first
//! token of an expansion: where that stands, the invocation begins.

use rustc_hash::FxHashMap;

use super::original::{Original, Written, line_starts};
use super::prepass::lexer;
use super::preprocess::{Preprocessed, Spelled};
use crate::base::span::{Piece, SourceMap, continued_bytes};

/// The way back from `output` to the file `name` with the text `given`, and to the files it includes.
pub(super) fn align(name: &str, given: &[u8], output: &Preprocessed) -> SourceMap {
    let mut aligner = Aligner {
        map: SourceMap { continued: continued_bytes(&output.text), ..SourceMap::default() },
        index: FxHashMap::default(),
        sources: Vec::new(),
        empty: FxHashMap::default(),
    };
    aligner.file(name.as_bytes().to_vec(), Some(given));
    let (mut file, mut line) = (0u32, 1u32);
    let mut at = 0;
    let mut spelled = &output.spelled[..];
    for row in output.text.split(|&b| b == b'\n') {
        let end = at + row.len() as u32;
        if let Some(marker) = marker(row) {
            line = marker.line;
            let is_known = marker.is_system || aligner.index.contains_key(&marker.file);
            let text = if is_known { None } else { std::fs::read(&*String::from_utf8_lossy(&marker.file)).ok() };
            file = aligner.file(marker.file, text.as_deref());
        } else {
            aligner.line(at, file, line);
            let (here, rest) = spelled.split_at(spelled.partition_point(|token| token.at < end));
            if output.spelled.is_empty() {
                aligner.guess(row, at, file, line);
            }
            for token in here {
                aligner.token(token, file, line);
            }
            spelled = rest;
            line += 1;
        }
        at = end + 1;
    }
    aligner.map
}

struct Aligner {
    map: SourceMap,
    /// Files by the name the preprocessor gives them.
    index: FxHashMap<Vec<u8>, u32>,
    /// As `map.files`; none for those of the system.
    sources: Vec<Option<Source>>,
    /// Macros these files define, and whether they stand for nothing in all definitions.
    empty: FxHashMap<Vec<u8>, bool>,
}

/// A file, and how far the preprocessed text has used it.
struct Source {
    original: Original,
    line_offsets: Vec<u32>,
    /// The first token that no token of the preprocessed text outside of macros comes from or comes after.
    next: usize,
    /// Parentheses that are open at token `scanned`, counted from `next` on.
    open: Vec<usize>,
    scanned: usize,
    /// The name of the macro whose expansion was met last, since `next`.
    invocation: Option<usize>,
}

impl Source {
    fn new(bytes: &[u8]) -> Self {
        let line_offsets = line_starts(bytes).collect();
        Self { original: Original::new(bytes), line_offsets, next: 0, open: Vec::new(), scanned: 0, invocation: None }
    }

    /// Token `at` of the file, which is spelled out in the preprocessed text: where it stands.
    fn written(&mut self, at: usize) -> (Written, bool) {
        if at < self.scanned {
            // An argument that occurs again.
            self.open.clear();
            self.scanned = self.next;
        }
        self.original.scan(&mut self.open, self.scanned, at);
        self.scanned = at;
        let token = self.original.tokens[at];
        let Some(open) = self.open.first() else {
            self.next = at + 1;
            self.scanned = at + 1;
            self.invocation = None;
            return (token, false);
        };
        let name = open.saturating_sub(1).max(self.next);
        let is_first = self.invocation.is_none_or(|known| known < name && self.original.after_call(known) <= name);
        if !is_first {
            return (token, false);
        }
        self.invocation = Some(name);
        (self.original.tokens[name], true)
    }

    /// Where a token from the definition of a macro stands that is expanded in `line`; macros in `empty` have no tokens.
    fn expanded(&mut self, line: u32, empty: &FxHashMap<Vec<u8>, bool>) -> Option<Written> {
        let first = |from: usize| {
            let mut name = self.original.word_from(from, line);
            while let Some(at) = name
                && empty.get(self.original.text_of(&self.original.tokens[at])) == Some(&true)
            {
                name = self.original.word_from(self.original.after_call(at), line);
            }
            name
        };
        let name = match self.invocation {
            None => first(self.next),
            Some(known) if self.original.tokens[known].line < line => {
                let after = self.original.after_call(known);
                let is_over = self.original.tokens.get(after).is_some_and(|token| token.line <= line);
                is_over.then(|| first(after)).flatten().or(Some(known))
            }
            known => known,
        };
        self.invocation = name;
        name.map(|name| self.original.tokens[name])
    }
}

impl Aligner {
    fn file(&mut self, name: Vec<u8>, text: Option<&[u8]>) -> u32 {
        if let Some(&known) = self.index.get(&name) {
            return known;
        }
        let source = text.map(Source::new);
        for (name, is_empty) in source.iter().flat_map(|source| &source.original.macros) {
            *self.empty.entry(name.clone()).or_insert(true) &= is_empty;
        }
        let file = self.sources.len() as u32;
        self.map.files.push(String::from_utf8_lossy(&name).into());
        self.sources.push(source);
        self.index.insert(name, file);
        file
    }

    fn line(&mut self, at: u32, file: u32, line: u32) {
        let offsets = self.sources[file as usize].as_ref().map(|source| &source.line_offsets);
        let offset = offsets.and_then(|offsets| offsets.get(line as usize - 1)).copied().unwrap_or(0);
        self.map.pieces.push(Piece { at, file, line, column: 1, offset, is_expansion: false });
    }

    /// Places a token that stands in a line of `file`.
    fn token(&mut self, spelled: &Spelled, file: u32, line: u32) {
        let Some(source) = &mut self.sources[file as usize] else { return };
        let is_here = self.index.get(&*spelled.file) == Some(&file);
        let written = is_here.then(|| source.original.token_at(spelled.line, spelled.byte_column)).flatten();
        let place = match written.filter(|at| *at >= source.next) {
            Some(at) => Some(source.written(at)),
            None => source.expanded(line, &self.empty).map(|name| (name, true)),
        };
        if let Some((token, is_expansion)) = place {
            self.push(spelled.at, file, &token, is_expansion);
        }
    }

    /// Places the tokens of a line of which the preprocessor does not say where they are spelled: as many as possible at tokens of
    /// the line that look the same, in order, and the others where the next one of these would be.
    fn guess(&mut self, row: &[u8], at: u32, file: u32, line: u32) {
        let Some(source) = &self.sources[file as usize] else { return };
        let here: Vec<(Written, &[u8])> = source.original.line(line).collect();
        let mut row_tokens: Vec<(usize, &[u8])> = Vec::new();
        let mut begin = 0;
        while begin < row.len() {
            let end = lexer::token(row, begin).map_or(begin + 1, |(_, end)| end);
            if !row[begin].is_ascii_whitespace() {
                row_tokens.push((begin, &row[begin..end]));
            }
            begin = end;
        }
        let texts: Vec<&[u8]> = here.iter().map(|(_, text)| *text).collect();
        let found = in_order(&row_tokens.iter().map(|(_, text)| *text).collect::<Vec<_>>(), &texts);
        let places: Vec<(usize, Written, bool)> = row_tokens
            .iter()
            .zip(found)
            .filter_map(|((begin, _), (index, is_same))| Some((*begin, here.get(index).or(here.last())?.0, !is_same)))
            .collect();
        for (begin, token, is_expansion) in places {
            self.push(at + begin as u32, file, &token, is_expansion);
        }
    }

    /// Begins a piece at `at`, unless its position follows from the piece before.
    fn push(&mut self, at: u32, file: u32, token: &Written, is_expansion: bool) {
        let Written { line, column, offset, .. } = *token;
        if let Some(last) = self.map.pieces.last() {
            let (bytes, characters) = self.map.distance(last, at);
            let follows =
                (last.file, last.line, last.column + characters, last.offset + bytes) == (file, line, column, offset);
            if follows && last.is_expansion == is_expansion {
                return;
            }
        }
        self.map.pieces.push(Piece { at, file, line, column, offset, is_expansion });
    }
}

/// For each of `tokens` its place in `line`, in order, such that as many as possible are the same; and whether it is.
fn in_order(tokens: &[&[u8]], line: &[&[u8]]) -> Vec<(usize, bool)> {
    if tokens.len().saturating_mul(line.len()) > MOST_PAIRS {
        return vec![(0, false); tokens.len()];
    }
    // How many are the same in what is left of both.
    let width = line.len() + 1;
    let mut same = vec![0u32; (tokens.len() + 1) * width];
    for t in (0..tokens.len()).rev() {
        for l in (0..line.len()).rev() {
            let skipped = same[(t + 1) * width + l].max(same[t * width + l + 1]);
            let both = 1 + same[(t + 1) * width + l + 1];
            same[t * width + l] = if tokens[t] == line[l] { both } else { skipped };
        }
    }
    let mut places = Vec::with_capacity(tokens.len());
    let mut l = 0;
    for (t, token) in tokens.iter().enumerate() {
        let here = same[t * width + l];
        // What has no partner comes from a macro, whose name stands before the next one that has.
        if same[(t + 1) * width + l] == here && line.get(l) != Some(token) {
            places.push((l, false));
            continue;
        }
        while l < line.len() && line[l] != *token {
            l += 1;
        }
        places.push((l, l < line.len()));
        l = (l + 1).min(line.len());
    }
    places
}

/// Longer lines are not compared token by token.
const MOST_PAIRS: usize = 1 << 22;

struct Marker {
    line: u32,
    file: Vec<u8>,
    is_system: bool,
}

/// Where `text` becomes that of a system header, and where that of another file again.
pub(super) fn headers(text: &[u8]) -> Vec<(u32, bool)> {
    let mut headers: Vec<(u32, bool)> = Vec::new();
    let mut at = 0;
    for row in text.split(|&b| b == b'\n') {
        at += row.len() as u32 + 1;
        if row.first() == Some(&b'#')
            && let Some(marker) = marker(row)
        {
            let is_system = marker.is_system || marker.file.starts_with(b"/usr/include/");
            if headers.last().map_or(is_system, |(_, last)| *last != is_system) {
                headers.push((at, is_system));
            }
        }
    }
    headers
}

/// `# 12 "file.h" flags` or `#line 12 "file.h"`.
fn marker(row: &[u8]) -> Option<Marker> {
    let rest = row.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse::<u32>().ok()?;
    let quoted = rest[digits..].trim_ascii_start().strip_prefix(b"\"")?;
    let mut file = Vec::new();
    let mut bytes = quoted.iter();
    while let Some(&b) = bytes.next() {
        match b {
            b'"' => {
                let is_system = bytes.as_slice().split(|b| *b == b' ').any(|flag| flag == b"3");
                return Some(Marker { line: number.max(1), file, is_system });
            }
            b'\\' => file.extend(bytes.next()),
            _ => file.push(b),
        }
    }
    None
}
