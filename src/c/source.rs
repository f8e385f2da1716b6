//! Loading C text: as is when it is preprocessed already, through the system's `cpp` otherwise.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::{LineStart, SourceMap};
use crate::task::DataModel;

/// C text ready for the front end, with the way back to positions in the file the user gave.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The text before the token pass; bytes, because comments and strings may hold any encoding.
    pub text: Vec<u8>,
    /// Line table of `text` (no edits yet).
    pub map: SourceMap,
    pub model: DataModel,
}

/// Positions are 32 bits wide.
const MAX_BYTES: u64 = 1 << 30;

impl SourceText {
    /// Text that was not read from a file (tests, embedded library models); positions are physical ones in `name`.
    pub fn from_text(name: &str, text: &str, model: DataModel) -> Self {
        Self::physical(name, text.as_bytes().to_vec(), model)
    }

    fn physical(name: &str, text: Vec<u8>, model: DataModel) -> Self {
        let lines = line_offsets(&text)
            .enumerate()
            .map(|(i, at)| LineStart { at, file: 0, line: i as u32 + 1, offset: at })
            .collect();
        Self { text, map: SourceMap { lines, edits: Vec::new(), files: vec![name.into()] }, model }
    }
}

/// Reads `path`. A file named `.i`, or without any preprocessing directive, is taken as is: positions are physical ones
/// in it. Anything else goes through `cpp`, and positions follow its line markers.
pub fn load(path: &Path, model: DataModel) -> Result<SourceText> {
    let io = |why: String| Error::new(ErrorKind::Io, format!("{}: {why}", path.display()));
    let size = std::fs::metadata(path).map_err(|e| io(e.to_string()))?.len();
    if size > MAX_BYTES {
        return Err(io("file is too large".into()));
    }
    let text = std::fs::read(path).map_err(|e| io(e.to_string()))?;
    let name = path.display().to_string();
    if text.contains(&0) {
        return Err(Error::new(ErrorKind::Syntax, format!("{name}: not a text file (it contains a NUL byte)")));
    }
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(Error::new(ErrorKind::Syntax, format!("{name}: the file is empty")));
    }
    if path.extension().is_some_and(|e| e == "i") || is_preprocessed(&text) {
        return Ok(SourceText::physical(&name, text, model));
    }
    let output = preprocess(path, model)?;
    Ok(follow_markers(&name, &text, output, model))
}

/// Names like `__SIZE_TYPE__` or `__LINE__`; those of the function's name are no macros.
fn names_predefined_macro(text: &[u8]) -> bool {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    text.split(|b| !is_name(b)).any(|word| {
        word.len() > 4
            && word.starts_with(b"__")
            && word.ends_with(b"__")
            && word[2].is_ascii_uppercase()
            && word.iter().all(|b| !b.is_ascii_lowercase())
            && word != b"__FUNCTION__"
            && word != b"__PRETTY_FUNCTION__"
    })
}

/// No directive but line markers, pragmas and idents, and no macro that compilers predefine.
fn is_preprocessed(text: &[u8]) -> bool {
    !names_predefined_macro(text)
        && text.split(|&b| b == b'\n').all(|line| {
            let line = line.trim_ascii_start();
            let Some(rest) = line.strip_prefix(b"#").or_else(|| line.strip_prefix(b"%:")) else { return true };
            let rest = rest.trim_ascii_start();
            rest.is_empty()
                || rest[0].is_ascii_digit()
                || rest.starts_with(b"line")
                || rest.starts_with(b"pragma")
                || rest.starts_with(b"ident")
        })
}

fn preprocess(path: &Path, model: DataModel) -> Result<Vec<u8>> {
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let mut missing = None;
    for (program, arguments) in [("cpp", &[][..]), ("gcc", &["-E", "-x", "c"][..])] {
        let run = Command::new(program).args(arguments).arg(width).arg(path).stdin(Stdio::null()).output();
        match run {
            Ok(output) if output.status.success() => return Ok(output.stdout),
            Ok(output) => {
                let message = String::from_utf8_lossy(&output.stderr);
                let first = message.lines().find(|l| l.contains("error")).unwrap_or("no message");
                return Err(Error::new(ErrorKind::Syntax, format!("preprocessing failed: {first}")));
            }
            Err(error) => missing = Some(error),
        }
    }
    let why = missing.map_or_else(String::new, |e| format!(" ({e})"));
    Err(Error::new(
        ErrorKind::Io,
        format!("{}: the file needs preprocessing, and neither cpp nor gcc can be run{why}", path.display()),
    ))
}

fn line_offsets(text: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let ends = text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i as u32 + 1);
    std::iter::once(0).chain(ends)
}

/// Builds the line table of preprocessor output from its `# line "file"` markers.
fn follow_markers(name: &str, original: &[u8], text: Vec<u8>, model: DataModel) -> SourceText {
    let original_lines: Vec<u32> = line_offsets(original).collect();
    let mut files: Vec<Arc<str>> = vec![name.into()];
    let mut index: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
    index.insert(name.as_bytes().to_vec(), 0);
    let mut lines = Vec::new();
    let (mut file, mut line) = (0u32, 1u32);
    let mut at = 0;
    for row in text.split(|&b| b == b'\n') {
        if let Some((number, marked)) = marker(row) {
            line = number;
            file = *index.entry(marked).or_insert_with_key(|key| {
                files.push(String::from_utf8_lossy(key).into());
                files.len() as u32 - 1
            });
        } else {
            let known = if file == 0 { original_lines.get(line as usize - 1).copied() } else { None };
            lines.push(LineStart { at, file, line, offset: known.unwrap_or(0) });
            line += 1;
        }
        at += row.len() as u32 + 1;
    }
    SourceText { text, map: SourceMap { lines, edits: Vec::new(), files }, model }
}

/// `# 12 "file.h" flags` or `#line 12 "file.h"`.
fn marker(row: &[u8]) -> Option<(u32, Vec<u8>)> {
    let rest = row.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse::<u32>().ok()?;
    let quoted = rest[digits..].trim_ascii_start().strip_prefix(b"\"")?;
    let mut file = Vec::new();
    let mut bytes = quoted.iter();
    while let Some(&b) = bytes.next() {
        match b {
            b'"' => return Some((number.max(1), file)),
            b'\\' => file.extend(bytes.next()),
            _ => file.push(b),
        }
    }
    None
}
