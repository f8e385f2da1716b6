//! A program with the invariants of a correctness witness as checks at its loop heads.
//!
//! `while (c)` becomes `while ((inv) ? (void) 0 : __VERIFIER_error(), c)`: evaluated whenever control stands at the loop's head, in
//! the scope of the loop, what a `for` declares included. No line moves, so positions stay those of the input.

use super::Invariant;
use crate::base::span::LineStart;
use crate::base::span::Pos;
use crate::c::SourceText;

/// A program with checks.
#[derive(Clone, Debug)]
pub struct Instrumented {
    pub source: SourceText,
    pub checks: Vec<Check>,
    /// Invariants, by position in the witness, that belong to no loop's head that was found, or may have effects; and why.
    pub left_out: Vec<(usize, &'static str)>,
}

/// Where an invariant is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Position in the witness.
    pub invariant: usize,
    pub line: u32,
    /// Columns `[first, last]` in which a violation of the check is reported.
    pub columns: (u32, u32),
}

impl Instrumented {
    /// The check that fails where a call of `__VERIFIER_error` is reported.
    pub fn check_at(&self, pos: &Pos) -> Option<&Check> {
        let is_here =
            |check: &&Check| check.line == pos.line && (check.columns.0..=check.columns.1).contains(&pos.column);
        let is_input = self.source.map.files.first() == Some(&pos.file);
        self.checks.iter().find(|check| is_input && is_here(check))
    }
}

const DECLARATION: &str = "extern void __VERIFIER_error(void);\n";

/// Adds a check for each of `invariants` to the text.
pub fn instrument(source: &SourceText, invariants: &[Invariant]) -> Instrumented {
    let mut out = Instrumented { source: source.clone(), checks: Vec::new(), left_out: Vec::new() };
    // Where to insert, in the text as it is, and what.
    let mut edits: Vec<(usize, String, usize)> = Vec::new();
    for (index, invariant) in invariants.iter().enumerate() {
        if !is_pure(&invariant.value) {
            out.left_out.push((index, "it is no expression without effects"));
            continue;
        }
        match condition_at(source, invariant) {
            Some((at, is_empty)) => {
                let rest = if is_empty { "1" } else { "" };
                let text = format!("({}) ? (void) 0 : __VERIFIER_error(), {rest}", invariant.value);
                edits.push((at, text, index));
            }
            None => out.left_out.push((index, "there is no loop with a condition before its body")),
        }
    }
    edits.sort_by_key(|(at, ..)| *at);
    for (at, text, invariant) in &edits {
        let pos = source.map.pos(*at as u32);
        let columns = (pos.column.saturating_sub(1), pos.column + text.len() as u32);
        out.checks.push(Check { invariant: *invariant, line: pos.line, columns });
    }
    for (at, text, _) in edits.iter().rev() {
        out.source.text.splice(at..at, text.bytes());
        let moved = out.source.map.lines.iter_mut().filter(|line| line.at as usize > *at);
        moved.for_each(|line| line.at += text.len() as u32);
    }
    out.source.text.splice(0..0, DECLARATION.bytes());
    out.source.map.lines.iter_mut().for_each(|line| line.at += DECLARATION.len() as u32);
    out.source.map.lines.insert(0, LineStart { at: 0, file: 0, line: 1, offset: 0 });
    out
}

/// Where the condition of the loop at the invariant's place begins, and whether it is empty.
fn condition_at(source: &SourceText, invariant: &Invariant) -> Option<(usize, bool)> {
    let starts = source.map.lines.iter().enumerate().filter(|(_, l)| l.file == 0 && l.line == invariant.line);
    let mut found: Vec<usize> = Vec::new();
    for (index, start) in starts {
        let end = source.map.lines.get(index + 1).map_or(source.text.len(), |next| next.at as usize);
        let line = source.text.get(start.at as usize..end.min(source.text.len()))?;
        for at in 0..line.len() {
            let begins = at == 0 || !is_word(line[at - 1]);
            let word: &[u8] = if line[at..].starts_with(b"while") { b"while" } else { b"for" };
            let ends = line[at..].starts_with(word) && !line.get(at + word.len()).copied().is_some_and(is_word);
            let is_there = invariant.column.is_none_or(|column| column as usize == at + 1);
            if begins && ends && is_there {
                found.push(start.at as usize + at);
            }
        }
    }
    let [at] = found[..] else { return None };
    // A `while` that ends a `do` has no body; nobody says an invariant there.
    let text = &source.text;
    let is_for = text[at..].starts_with(b"for");
    let open = at + text[at..].iter().position(|byte| *byte == b'(')?;
    let begin = if is_for { find(text, open + 1, b';')? + 1 } else { open + 1 };
    let end = find(text, begin, if is_for { b';' } else { b')' })?;
    let is_empty = text[begin..end].iter().all(u8::is_ascii_whitespace);
    let after = text[end + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
    let ends_do = !is_for && after == Some(&b';') && invariant.column.is_none();
    (!ends_do).then_some((begin, is_empty))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The first `wanted` at or after `at` outside of nested parentheses and literals.
fn find(text: &[u8], at: usize, wanted: u8) -> Option<usize> {
    let (mut at, mut depth) = (at, 0usize);
    while let Some(&byte) = text.get(at) {
        match byte {
            byte if byte == wanted && depth == 0 => return Some(at),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b'"' | b'\'' => {
                at += 1;
                while *text.get(at)? != byte {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether the text is one expression that calls and assigns nothing, as far as tokens tell.
fn is_pure(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut depth = 0i32;
    for (at, &byte) in bytes.iter().enumerate() {
        let before = at.checked_sub(1).map_or(b' ', |at| bytes[at]);
        let after = bytes.get(at + 1).copied().unwrap_or(b' ');
        let next = bytes[at + 1..].iter().copied().find(|byte| !byte.is_ascii_whitespace()).unwrap_or(b' ');
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b';' | b'{' | b'}' | b'"' | b'\'' | b'\\' | b'#' | b'@' | b'`' | b'\n' => return false,
            b'=' if !matches!(before, b'=' | b'<' | b'>' | b'!') && after != b'=' => return false,
            b'=' if matches!(before, b'<' | b'>') && at >= 2 && bytes[at - 2] == before => return false,
            b'+' | b'-' if after == byte => return false,
            byte if is_word(byte) && !is_word(after) && next == b'(' => {
                let start = bytes[..at].iter().rposition(|byte| !is_word(*byte)).map_or(0, |start| start + 1);
                if &bytes[start..=at] != b"sizeof" {
                    return false;
                }
            }
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && !text.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::DataModel;

    fn instrumented(text: &str, invariants: &[(u32, Option<u32>, &str)]) -> Instrumented {
        let invariants: Vec<Invariant> = invariants
            .iter()
            .map(|(line, column, value)| Invariant {
                line: *line,
                column: *column,
                function: None,
                value: (*value).into(),
            })
            .collect();
        instrument(&SourceText::from_text("t.c", text, DataModel::Lp64), &invariants)
    }

    #[test]
    fn checks_stand_in_conditions() {
        let text = "int main(void) {\n  for (int i = f(1, 2); i < 3; i++) {}\n  while (x(';')) for (;;) ;\n}\n";
        let whole = instrumented(text, &[(2, None, "i <= 3"), (3, Some(18), "1"), (3, Some(3), "2")]);
        let lines: Vec<&str> = std::str::from_utf8(&whole.source.text).unwrap().lines().collect();
        assert_eq!(lines[2], "  for (int i = f(1, 2);(i <= 3) ? (void) 0 : __VERIFIER_error(),  i < 3; i++) {}");
        let second =
            "  while ((2) ? (void) 0 : __VERIFIER_error(), x(';')) for (;(1) ? (void) 0 : __VERIFIER_error(), 1;) ;";
        assert_eq!(lines[3], second);
        assert_eq!(whole.checks.len(), 3);
        // Positions are those of the input: the last line is still the fourth.
        let last = whole.source.text.len() as u32 - 2;
        assert_eq!(whole.source.map.pos(last).line, 4);
        let check = whole.source.text.windows(9).position(|w| w == b"(i <= 3) ").unwrap() as u32;
        assert_eq!(whole.check_at(&whole.source.map.pos(check)).map(|check| check.invariant), Some(0));
    }

    #[test]
    fn what_cannot_be_checked_is_left_out() {
        let text = "int main(void) {\n  do { x++; } while (x < 3);\n  x = 1;\n  while (x) while (y) ;\n}\n";
        let left_out = |line, value| instrumented(text, &[(line, None, value)]).left_out.len();
        assert_eq!(left_out(2, "1"), 1);
        assert_eq!(left_out(3, "1"), 1);
        // Which of the two is not said.
        assert_eq!(left_out(4, "1"), 1);
        for value in ["x = 1", "x++", "f(x)", "1) || (1", "x; y", "x <<= 1", "", "\"", "\\old(x)", "f (x)"] {
            assert!(!is_pure(value), "{value}");
        }
        for value in ["x == 1", "0 <= i && i <= 10U", "(p != 0 && !(q == p)) || a[i] >= -1LL", "sizeof(int) == 4"] {
            assert!(is_pure(value), "{value}");
        }
    }
}
