//! Running the system's preprocessor, and what it tells of where tokens stand.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use super::prepass::lexer;
use crate::base::error::{Error, ErrorKind, Result};
use crate::task::DataModel;

/// Preprocessed text.
pub(super) struct Preprocessed {
    pub text: Vec<u8>,
    /// Where its tokens are spelled, ascending by `at`; empty where the preprocessor does not say.
    pub spelled: Vec<Spelled>,
}

/// Where a token is spelled: in the program's text, or in the definition of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spelled {
    /// Offset of the token in the preprocessed text.
    pub at: u32,
    pub file: Arc<[u8]>,
    /// Lines and bytes, from 1.
    pub line: u32,
    pub byte_column: u32,
}

/// gcc's preprocessor writes before each token where it is spelled; others do not know the option.
const TELL: &[&str] = &["-fdebug-cpp"];

/// Runs it with `options` on a file.
pub(super) fn preprocess(path: &Path, options: &[OsString], model: DataModel) -> Result<Preprocessed> {
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let mut missing = None;
    let mut refused = None;
    for (program, arguments) in [("cpp", &[][..]), ("gcc", &["-E", "-x", "c"][..])] {
        for tell in [TELL, &[]] {
            let mut command = Command::new(program);
            match command.args(arguments).args(tell).arg(width).args(options).arg(path).stdin(Stdio::null()).output() {
                Ok(output) if output.status.success() && tell.is_empty() => {
                    return Ok(Preprocessed { text: output.stdout, spelled: Vec::new() });
                }
                Ok(output) if output.status.success() => return Ok(without_notes(&output.stdout)),
                Ok(output) => refused = Some(output.stderr),
                Err(error) => missing = Some(error),
            }
        }
        if let Some(message) = refused {
            let message = String::from_utf8_lossy(&message);
            let first = message.lines().find(|l| l.contains("error")).unwrap_or("no message");
            let hint = hint(first, model).map_or_else(String::new, |hint| format!("\nhint: {hint}"));
            return Err(Error::new(ErrorKind::Syntax, format!("preprocessing failed: {first}{hint}")));
        }
    }
    let why = missing.map_or_else(String::new, |e| format!(" ({e})"));
    Err(Error::new(
        ErrorKind::Io,
        format!("{}: the file needs preprocessing, and neither cpp nor gcc can be run{why}", path.display()),
    ))
}

/// What helps against a header that is not found.
fn hint(complaint: &str, model: DataModel) -> Option<String> {
    let header = complaint.strip_suffix(": No such file or directory")?.rsplit(' ').next()?;
    let is_of_system = ["bits/", "gnu/", "sys/", "asm/"].iter().any(|folder| header.starts_with(folder));
    if model == DataModel::Ilp32 && is_of_system {
        return Some(
            "the headers of 32-bit programs are not installed: they are in the package gcc-multilib of Debian and Ubuntu; \
             `--data-model LP64` takes the program as one of 64 bits"
                .into(),
        );
    }
    if is_header_of_cpp(header) {
        return Some(NOT_C.into());
    }
    Some("`-I FOLDER` names a folder with headers".into())
}

/// What is said of C++.
pub(super) const NOT_C: &str = "this looks like C++: only C is understood";

fn is_header_of_cpp(header: &str) -> bool {
    const SOME: &[&str] = &[
        "algorithm",
        "array",
        "atomic",
        "chrono",
        "deque",
        "fstream",
        "functional",
        "iomanip",
        "iostream",
        "list",
        "map",
        "memory",
        "mutex",
        "queue",
        "set",
        "sstream",
        "stack",
        "string",
        "thread",
        "unordered_map",
        "utility",
        "vector",
    ];
    SOME.contains(&header)
}

/// Takes the notes of the preprocessor out of its text. Each token comes after a note of its own, so that what looks like a
/// note is one unless it stands in a literal.
fn without_notes(text: &[u8]) -> Preprocessed {
    let mut out = Preprocessed { text: Vec::with_capacity(text.len() / 8), spelled: Vec::new() };
    let mut place: Option<Spelled> = None;
    let mut known: Arc<[u8]> = Arc::default();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some((length, file, line, byte_column)) = note(rest) {
            if *file != *known {
                known = file.into();
            }
            place = Some(Spelled { at: 0, file: known.clone(), line, byte_column });
            at += length;
            continue;
        }
        let is_line_start = out.text.last().is_none_or(|b| *b == b'\n');
        let end = match rest {
            [b, ..] if b.is_ascii_whitespace() => at + 1,
            // A line marker may stand between a note and its token.
            [b'#', b' ', digit, ..] if is_line_start && digit.is_ascii_digit() => {
                let end = lexer::line_end(text, at);
                out.text.extend_from_slice(&text[at..end]);
                at = end;
                continue;
            }
            [b'"' | b'\'', ..] => lexer::token(text, at).map_or(at + 1, |(_, end)| end),
            _ => at + 1,
        };
        if !rest[0].is_ascii_whitespace()
            && let Some(spelled) = place.take()
        {
            out.spelled.push(Spelled { at: out.text.len() as u32, ..spelled });
        }
        out.text.extend_from_slice(&text[at..end]);
        at = end;
    }
    out
}

/// The note that `text` begins with, `{P:file;F:includer;L:line;C:column;S:…;M:…;E:…,LOC:…,R:…}`: its length, file, line and
/// column.
fn note(text: &[u8]) -> Option<(usize, &[u8], u32, u32)> {
    let rest = text.strip_prefix(b"{P:")?;
    // Only as far as needed: all that a macro expands to is one line.
    let find = |from: usize, what: &[u8]| {
        let mut line = rest[from..].windows(what.len()).take_while(|w| w[0] != b'\n');
        line.position(|w| w == what).map(|i| from + i)
    };
    // Names that the preprocessor defines stand nowhere: -1.
    let number =
        |from: usize, to: usize| Some(std::str::from_utf8(&rest[from..to]).ok()?.parse::<i32>().ok()?.max(0) as u32);
    let includer = find(0, b";F:")?;
    let line = find(includer, b";L:")?;
    let column = find(line, b";C:")?;
    let system = find(column, b";S:")?;
    let end = find(find(system, b",R:")?, b"}")?;
    Some((3 + end + 1, &rest[..includer], number(line + 3, column)?, number(column + 3, system)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_taken_out() {
        let n = |line, column| format!("{{P:a b.c;F:<NULL>;L:{line};C:{column};S:0;M:0x7f;E:0,LOC:2,R:2}}");
        let text = format!(
            "# 1 \"{{P:x\"\n{}{}{{{}\n# 2 \"x\"\n {}P{}: {}\"{{P:\\\";\"{};\n",
            n(1, 1),
            n(1, 2),
            n(1, 3),
            n(2, 2),
            n(2, 3),
            n(2, 5),
            n(2, 12)
        );
        let out = without_notes(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&out.text), "# 1 \"{P:x\"\n{\n# 2 \"x\"\n P: \"{P:\\\";\";\n");
        let places: Vec<_> = out.spelled.iter().map(|s| (s.at, s.line, s.byte_column)).collect();
        assert_eq!(places, [(11, 1, 2), (22, 2, 2), (23, 2, 3), (25, 2, 5), (33, 2, 12)]);
        assert!(out.spelled.iter().all(|s| *s.file == *b"a b.c"));
        // What is no note stays as it is.
        for plain in ["{P: x = 1;}", "{P:;F:;L:", "{"] {
            assert_eq!(without_notes(plain.as_bytes()).text, plain.as_bytes());
        }
    }
}
