//! A program with the invariants of a correctness witness as checks at its loop heads.
//!
//! `while (c)` becomes `while ((inv) ? (void) 0 : __VERIFIER_error(), c)`: evaluated whenever control stands at the loop's head, in
//! the scope of the loop, what a `for` declares included. Some readers of witnesses take the beginning of the body for the head of
//! a `do`: there it is checked as well. Positions stay those of the input; each check has a file of its own to stand in.
//!
//! What holds between two visits of a head is checked at the later one. Which visit is the earlier one is chosen freely, once in a run:
//! there the variables are copied.

use super::{Invariant, InvariantKind};
use crate::base::span::Pos;
use crate::c::SourceText;

/// A program with checks.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The program's text with the checks.
    pub source: SourceText,
    /// Ascending by position in the witness.
    pub checks: Vec<Check>,
    /// Invariants, by position in the witness, that belong to no loop's head that was found, or may have effects; and why.
    pub left_out: Vec<(usize, &'static str)>,
}

/// An invariant that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Position in the witness.
    pub invariant: usize,
    /// Of the loop, as the witness has it; from 1.
    pub line: u32,
}

impl Instrumented {
    /// The check that fails where a call of `__VERIFIER_error` is reported.
    pub fn check_at(&self, pos: &Pos) -> Option<&Check> {
        self.checks.iter().find(|check| *pos.file == *file_of(check.invariant))
    }
}

/// The file that the text of a check stands in.
fn file_of(invariant: usize) -> String {
    format!("<invariant {}>", invariant + 1)
}

const DECLARATION: &str = "extern void __VERIFIER_error(void); extern _Bool __VERIFIER_nondet_visit(void);\n";

/// Adds a check for each of `invariants` to the text.
pub fn instrument(source: &SourceText, invariants: &[(Invariant, InvariantKind)]) -> Instrumented {
    let mut out = Instrumented { source: source.clone(), checks: Vec::new(), left_out: Vec::new() };
    // Where to insert, in the text as it is, and what.
    let mut edits: Vec<(usize, String, usize)> = Vec::new();
    for (index, (invariant, kind)) in invariants.iter().enumerate() {
        let check = match kind {
            InvariantKind::Transition => between_visits(&invariant.value),
            _ => is_pure(&invariant.value).then(|| format!("({}) ? (void) 0 : __VERIFIER_error()", invariant.value)),
        };
        let Some(check) = check else {
            out.left_out.push((index, "it is no expression without effects"));
            continue;
        };
        let Some(head) = head_at(source, invariant) else {
            out.left_out.push((index, "no loop with a condition begins there"));
            continue;
        };
        out.checks.push(Check { invariant: index, line: invariant.line });
        edits.extend(head.body.map(|at| (at, format!("{check};"), index)));
        let rest = if head.is_empty { "1" } else { "" };
        edits.push((head.condition, format!("{check}, {rest}"), index));
    }
    edits.sort_by_key(|(at, ..)| *at);
    for (at, text, invariant) in edits.iter().rev() {
        out.source.insert(*at as u32, text, &file_of(*invariant));
    }
    out.source.insert(0, DECLARATION, "<declarations>");
    out
}

/// The check of what holds between two visits, as an expression; `None` where it has effects, or speaks of more than variables.
fn between_visits(value: &str) -> Option<String> {
    const PREVIOUS: &str = "\\at(";
    let (mut names, mut check, mut plain): (Vec<&str>, String, String) = Default::default();
    let mut rest = value;
    while let Some(at) = rest.find(PREVIOUS) {
        let (before, after) = (&rest[..at], &rest[at + PREVIOUS.len()..]);
        let (inside, after) = after.split_once(')')?;
        let name = inside.split_once(',').filter(|(_, when)| when.trim() == "AnyPrev")?.0.trim();
        if name.is_empty() || !name.bytes().all(is_word) {
            return None;
        }
        let index = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        check += &format!("{before}__margay_previous_{index}");
        plain += &format!("{before}{name}");
        rest = after;
    }
    if !is_pure(&(plain + rest)) {
        return None;
    }
    let each = |text: &dyn Fn(usize, &str) -> String| -> String {
        names.iter().enumerate().map(|(index, name)| text(index, name)).collect()
    };
    let declared = each(&|index, name| format!("static __typeof__({name}) __margay_previous_{index}; "));
    let copied = each(&|index, name| format!("__margay_previous_{index} = {name}; "));
    Some(format!(
        "({{ static _Bool __margay_chosen; {declared}if (__margay_chosen && !({check}{rest})) __VERIFIER_error(); \
         if (!__margay_chosen && __VERIFIER_nondet_visit()) {{ {copied}__margay_chosen = 1; }} }})"
    ))
}

/// Where a loop's invariant is checked.
struct Head {
    /// Before the condition.
    condition: usize,
    /// Whether the condition is empty.
    is_empty: bool,
    /// At the beginning of the body of a `do`.
    body: Option<usize>,
}

/// The loop at the invariant's place.
fn head_at(source: &SourceText, invariant: &Invariant) -> Option<Head> {
    let (map, text) = (&source.map, &source.text);
    let mut found: Vec<(usize, &[u8])> = Vec::new();
    for (index, piece) in map.pieces.iter().enumerate().filter(|(_, p)| p.file == 0 && p.line == invariant.line) {
        let end = map.pieces.get(index + 1).map_or(text.len(), |next| next.at as usize).min(text.len());
        for at in piece.at as usize..end {
            let begins = at == 0 || !is_word(text[at - 1]);
            let words: [&[u8]; 3] = [b"while", b"for", b"do"];
            let is_word_here = |word: &&&[u8]| {
                text[at..end].starts_with(word) && !text.get(at + word.len()).copied().is_some_and(is_word)
            };
            let word = words.iter().find(is_word_here).filter(|_| begins);
            let is_there = invariant.column.is_none_or(|column| column == map.pos(at as u32).column);
            found.extend(word.filter(|_| is_there).map(|word| (at, *word)));
        }
    }
    // The `while` that ends a `do` has no body: the loop is another one.
    found.retain(|&(at, word)| word != b"while" || invariant.column.is_some() || !ends_do(text, at));
    let [(at, word)] = found[..] else { return None };
    let (from, body) = match word {
        b"do" => {
            let open = at + 2 + skipped(&text[at + 2..]);
            let close = find(text, open + 1, b'}').filter(|_| text.get(open) == Some(&b'{'))?;
            let end = close + 1 + skipped(&text[close + 1..]);
            if !text[end..].starts_with(b"while") {
                return None;
            }
            (end, Some(open + 1))
        }
        _ => (at, None),
    };
    let open = from + text[from..].iter().position(|byte| *byte == b'(')?;
    let is_for = word == b"for";
    let condition = if is_for { find(text, open + 1, b';')? + 1 } else { open + 1 };
    let end = find(text, condition, if is_for { b';' } else { b')' })?;
    let is_empty = text[condition..end].iter().all(u8::is_ascii_whitespace);
    Some(Head { condition, is_empty, body })
}

/// Whether the `while` at `at` comes after a block and is followed by nothing but a semicolon.
fn ends_do(text: &[u8], at: usize) -> bool {
    let is_after_block = text[..at].iter().rfind(|b| !b.is_ascii_whitespace()) == Some(&b'}');
    let close = || find(text, at + text[at..].iter().position(|byte| *byte == b'(')? + 1, b')');
    is_after_block && close().is_some_and(|close| text[close + 1..].trim_ascii_start().starts_with(b";"))
}

/// The length of the white space and comments that `text` begins with.
fn skipped(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        match comment(rest) {
            0 if rest[0].is_ascii_whitespace() => at += 1,
            0 => break,
            length => at += length,
        }
    }
    at
}

/// The length of the comment that `text` begins with, or 0.
fn comment(text: &[u8]) -> usize {
    let end = match text {
        [b'/', b'/', ..] => text.iter().position(|byte| *byte == b'\n'),
        [b'/', b'*', ..] => text[2..].windows(2).position(|end| end == b"*/").map(|at| at + 4),
        _ => Some(0),
    };
    end.unwrap_or(text.len())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The first `wanted` at or after `at` outside of nested parentheses and literals.
pub(super) fn find(text: &[u8], at: usize, wanted: u8) -> Option<usize> {
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
            b'/' => at += comment(&text[at..]).saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether the text is one expression that calls and assigns nothing, as far as tokens say.
pub(super) fn is_pure(text: &str) -> bool {
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
        let invariants: Vec<(Invariant, InvariantKind)> = invariants
            .iter()
            .map(|(line, column, value)| {
                let invariant = Invariant { line: *line, column: *column, function: None, value: (*value).into() };
                let is_transition = value.contains("\\at(");
                (invariant, if is_transition { InvariantKind::Transition } else { InvariantKind::Loop })
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
        // Positions are those of the input: the last line is still the fourth, columns are as they were.
        let last = whole.source.text.len() as u32 - 2;
        assert_eq!(whole.source.map.pos(last).line, 4);
        let step = whole.source.text.windows(3).position(|w| w == b"i++").unwrap() as u32;
        assert_eq!(whole.source.map.pos(step).to_string(), "t.c:2:32");
        let check = whole.source.text.windows(9).position(|w| w == b"(i <= 3) ").unwrap() as u32;
        assert_eq!(whole.check_at(&whole.source.map.pos(check)).map(|check| check.invariant), Some(0));
    }

    #[test]
    fn an_earlier_visit_is_chosen_where_the_later_one_is_checked() {
        let text = "int main(void) {\n  while (x < 3) x++;\n}\n";
        let whole = instrumented(text, &[(2, None, "\\at(x, AnyPrev) < x && \\at(x,AnyPrev) >= y")]);
        let line = std::str::from_utf8(&whole.source.text).unwrap().lines().nth(2).unwrap();
        let expected = "  while (({ static _Bool __margay_chosen; static __typeof__(x) __margay_previous_0; \
            if (__margay_chosen && !(__margay_previous_0 < x && __margay_previous_0 >= y)) __VERIFIER_error(); \
            if (!__margay_chosen && __VERIFIER_nondet_visit()) { __margay_previous_0 = x; __margay_chosen = 1; } }), \
            x < 3) x++;";
        assert_eq!(line, expected);
        for value in
            ["\\at(x++, AnyPrev) < x", "\\at(x, Pre) < x", "\\at(x, AnyPrev) < x++", "\\at(, AnyPrev)", "\\at(x"]
        {
            assert_eq!(instrumented(text, &[(2, None, value)]).left_out.len(), 1, "{value}");
        }
    }

    #[test]
    fn what_cannot_be_checked_is_left_out() {
        let text = "int main(void) {\n  do x++; while (x < 3);\n  x = 1;\n  while (x) while (y) ;\n}\n";
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
