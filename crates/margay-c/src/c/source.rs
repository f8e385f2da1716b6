//! Loading C text: as is when it is preprocessed already, through the system's `cpp` otherwise.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::align::{align, headers};
use super::original::line_starts;
use super::prepass::marker;
use super::preprocess::{NOT_C, preprocess};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::{Piece, SourceMap, continued_bytes};
use crate::task::DataModel;

/// C text ready for the front end, with the way back to positions in the file the user gave.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The text before the token pass; bytes, because comments and strings may hold any encoding.
    pub text: Vec<u8>,
    /// Positions of `text` (no edits yet).
    pub map: SourceMap,
    /// The sizes that types have; the preprocessor was given the same.
    pub model: DataModel,
    /// The function that the program starts at.
    pub entry: Arc<str>,
    /// See [`Setup::acting`].
    pub acting: Vec<(String, String)>,
}

/// What a program consists of besides its first file, and how its text is come by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Options of the preprocessor for the first file.
    pub preprocessor: Vec<OsString>,
    /// The other files, each with its options.
    pub further: Vec<(PathBuf, Vec<OsString>)>,
    /// The function that the program starts at, `main` where nothing is said.
    pub entry: Option<String>,
    /// Text that belongs to one of the files, behind its own.
    pub harness: Option<Harness>,
    /// Functions that no file defines, each with the library function that it acts like.
    pub acting: Vec<(String, String)>,
}

/// C text that sees all that a file of the program declares, `static` functions and types included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// What positions in it name as their file.
    pub name: String,
    /// Which file it belongs to; 0 is the first one.
    pub file: usize,
    /// Needs no preprocessing.
    pub text: String,
}

/// Positions are 32 bits wide.
const MAX_BYTES: u64 = 1 << 30;

impl SourceText {
    /// Text that was not read from a file (tests, embedded library models); positions are physical ones in `name`.
    pub fn from_text(name: &str, text: &str, model: DataModel) -> Self {
        Self::physical(name, text.as_bytes().to_vec(), model)
    }

    fn physical(name: &str, text: Vec<u8>, model: DataModel) -> Self {
        let pieces = line_starts(&text)
            .enumerate()
            .map(|(i, at)| Piece { at, file: 0, line: i as u32 + 1, column: 1, offset: at, is_expansion: false })
            .collect();
        let continued = continued_bytes(&text);
        let map = SourceMap { pieces, continued, edits: Vec::new(), files: vec![name.into()], headers: headers(&text) };
        Self { text, map, model, entry: "main".into(), acting: Vec::new() }
    }

    /// Puts the text of another file behind this one's. No name of the one means anything in the other but through its linkage.
    fn append(&mut self, next: SourceText) {
        self.text.extend(format!("\n#pragma pack()\nextern int {};\n", marker::NEXT_FILE).bytes());
        self.go_on_with(next);
    }

    /// Puts text behind this one's as a part of the same file.
    fn go_on_with(&mut self, next: SourceText) {
        let (at, files) = (self.text.len() as u32, self.map.files.len() as u32);
        self.text.extend(next.text);
        let moved = |piece: Piece| Piece { at: piece.at + at, file: piece.file + files, ..piece };
        self.map.pieces.extend(next.map.pieces.into_iter().map(moved));
        self.map.continued.extend(next.map.continued.into_iter().map(|byte| byte + at));
        self.map.files.extend(next.map.files);
        self.map.headers.push((at, false));
        self.map.headers.extend(next.map.headers.into_iter().map(|(from, is_system)| (from + at, is_system)));
    }

    /// Puts `text` at offset `at`: all of it stands at line 1 of the file `name`, and what comes after it where it stood before.
    pub fn insert(&mut self, at: u32, text: &str, name: &str) {
        let map = &mut self.map;
        let file = map.files.len() as u32;
        map.files.push(name.into());
        let index = map.pieces.partition_point(|piece| piece.at < at);
        let mut new = vec![Piece { at, file, line: 1, column: 1, offset: 0, is_expansion: true }];
        if map.pieces.get(index).is_none_or(|next| next.at > at)
            && let Some(before) = index.checked_sub(1).map(|index| map.pieces[index])
        {
            let (bytes, characters) = map.distance(&before, at);
            new.push(Piece { at, column: before.column + characters, offset: before.offset + bytes, ..before });
        }
        map.pieces.splice(index..index, new);
        let length = text.len() as u32;
        map.pieces[index + 1..].iter_mut().for_each(|piece| piece.at += length);
        map.continued.iter_mut().filter(|byte| **byte >= at).for_each(|byte| *byte += length);
        map.headers.iter_mut().filter(|(from, _)| *from >= at).for_each(|(from, _)| *from += length);
        self.text.splice(at as usize..at as usize, text.bytes());
    }
}

/// Reads `path`. A file named `.i`, or without any preprocessing directive, is taken as is: positions are physical ones
/// in it. Anything else goes through `cpp`, and each token has the position at which the file names it or the macro it is from.
pub fn load(path: &Path, model: DataModel) -> Result<SourceText> {
    load_file(path, &[], model)
}

/// Reads a program that may consist of several files; they become one text.
pub fn load_program(path: &Path, setup: &Setup, model: DataModel) -> Result<SourceText> {
    let add_harness = |source: &mut SourceText, file| match &setup.harness {
        Some(harness) if harness.file == file => {
            source.text.extend(b"\n#pragma pack()\n");
            source.go_on_with(SourceText::from_text(&harness.name, &harness.text, model));
        }
        _ => {}
    };
    let mut source = load_file(path, &setup.preprocessor, model)?;
    add_harness(&mut source, 0);
    for (index, (path, preprocessor)) in setup.further.iter().enumerate() {
        let mut next = load_file(path, preprocessor, model)?;
        add_harness(&mut next, index + 1);
        if source.text.len() + next.text.len() > MAX_BYTES as usize {
            return Err(Error::new(ErrorKind::Io, format!("{}: the program is too large", path.display())));
        }
        source.append(next);
    }
    if let Some(entry) = &setup.entry {
        source.entry = entry.as_str().into();
    }
    source.acting = setup.acting.clone();
    Ok(source)
}

fn load_file(path: &Path, preprocessor: &[OsString], model: DataModel) -> Result<SourceText> {
    let io = |why: String| Error::new(ErrorKind::Io, format!("{}: {why}", path.display()));
    let size = std::fs::metadata(path).map_err(|e| io(e.to_string()))?.len();
    if size > MAX_BYTES {
        return Err(io("file is too large".into()));
    }
    let text = std::fs::read(path).map_err(|e| io(e.to_string()))?;
    let name = path.display().to_string();
    const CPP: &[&str] = &["C", "cc", "cp", "cpp", "CPP", "cxx", "c++", "hh", "hpp", "hxx"];
    if path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| CPP.contains(&extension)) {
        return Err(Error::new(ErrorKind::Syntax, format!("{name}: {NOT_C}")));
    }
    if text.contains(&0) {
        return Err(Error::new(ErrorKind::Syntax, format!("{name}: not a text file (it contains a NUL byte)")));
    }
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(Error::new(ErrorKind::Syntax, format!("{name}: the file is empty")));
    }
    if path.extension().is_some_and(|e| e == "i") || preprocessor.is_empty() && is_preprocessed(&text) {
        return Ok(SourceText::physical(&name, text, model));
    }
    let output = preprocess(path, preprocessor, model)?;
    let map = SourceMap { headers: headers(&output.text), ..align(&name, &text, &output) };
    Ok(SourceText { text: output.text, map, model, entry: "main".into(), acting: Vec::new() })
}

/// Names like `__SIZE_TYPE__` or `__LINE__`; those of the function's name are no macros.
fn names_predefined_macro(text: &[u8]) -> bool {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    text.split(|b| !is_name(b)).any(|word| {
        word.starts_with(b"__ATOMIC_") && word.iter().all(|b| !b.is_ascii_lowercase())
            || word.len() > 4
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
