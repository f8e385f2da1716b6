//! Lines of source files, for messages.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::base::error::Error;
use crate::base::span::Pos;

/// Source files, read when first asked for.
#[derive(Default)]
pub struct Sources {
    files: RefCell<BTreeMap<Arc<str>, Arc<[String]>>>,
    /// Messages have colours.
    colour: bool,
}

/// No message shows more of a line than this many characters.
const WINDOW: usize = 160;

impl Sources {
    /// No file is read yet; `colour`: messages are for a terminal that shows colours.
    pub fn new(colour: bool) -> Self {
        Self { colour, ..Self::default() }
    }

    /// A line of a file, without its end; `None` where there is no such line or file.
    pub fn line(&self, file: &Arc<str>, line: u32) -> Option<String> {
        self.lines(file).get((line as usize).checked_sub(1)?).cloned()
    }

    /// The lines of a file, without their ends; none where it cannot be read.
    pub(super) fn lines(&self, file: &Arc<str>) -> Arc<[String]> {
        let lines = self.files.borrow().get(file).cloned();
        lines.unwrap_or_else(|| {
            let bytes = std::fs::read(&**file).unwrap_or_default();
            let lines: Arc<[String]> = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
            self.files.borrow_mut().insert(file.clone(), lines.clone());
            lines
        })
    }

    /// `title` with the line it speaks of, the place marked and labelled.
    pub fn message(&self, level: Level<'_>, title: &str, pos: &Pos, label: &str) -> String {
        let Some(line) = self.line(&pos.file, pos.line) else {
            return format!("{pos}: {title}\n");
        };
        let characters = (pos.column as usize).saturating_sub(1);
        let at = line.char_indices().nth(characters).map_or(line.len(), |(at, _)| at);
        let (text, at) = window(&line, at);
        let end = token_end(&text, at);
        let snippet = Snippet::source(text)
            .line_start(pos.line as usize)
            .path(pos.file.to_string())
            .annotation(AnnotationKind::Primary.span(at..end).label(label.to_owned()));
        let report = &[level.primary_title(title.to_owned()).element(snippet)];
        let renderer = if self.colour { Renderer::styled() } else { Renderer::plain() };
        let mut text = renderer.render(report);
        text.push('\n');
        text
    }
}

/// An error as text for standard error, with an excerpt where it has a place in a readable file.
pub fn error_text(error: &Error) -> String {
    match &error.pos {
        Some(pos) => Sources::default().message(Level::ERROR, &error.message, pos, ""),
        None => format!("error: {}\n", error.message),
    }
}

/// What is remarked on a text, for standard error.
pub fn remarks_text(remarks: &[(Pos, String)]) -> String {
    let sources = Sources::default();
    remarks.iter().map(|(pos, remark)| sources.message(Level::WARNING, remark, pos, "")).collect()
}

/// At most [`WINDOW`] bytes of `line` around byte `at`, and where that byte is then.
fn window(line: &str, at: usize) -> (String, usize) {
    let floor = |mut i: usize| {
        while !line.is_char_boundary(i) {
            i -= 1;
        }
        i
    };
    if line.len() <= WINDOW {
        return (line.to_owned(), at);
    }
    let start = floor(at.saturating_sub(WINDOW / 2));
    let end = floor((start + WINDOW).min(line.len()));
    (line[start..end].to_owned(), at - start)
}

/// The end of the identifier or number at `at`, or of one character.
fn token_end(text: &str, at: usize) -> usize {
    let word = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - at);
    let first = text[at..].chars().next().map_or(0, char::len_utf8);
    at + word.max(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::ErrorKind;

    #[test]
    fn an_error_shows_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.c");
        std::fs::write(&path, "int main(void) {\n\treturn foo;\n}\n").unwrap();
        let file: Arc<str> = path.display().to_string().into();
        let pos = Pos { file, line: 2, column: 9, offset: 25 };
        let text = error_text(&Error::at(ErrorKind::Constraint, "`foo` is not declared", pos));
        assert!(text.starts_with("error: `foo` is not declared\n"), "{text}");
        assert!(text.contains("t.c:2:9"), "{text}");
        assert!(text.contains("return foo;") && text.contains("^^^"), "{text}");
    }

    #[test]
    fn places_outside_the_file_are_harmless() {
        let pos = |line, column| Pos { file: "no-such-file.c".into(), line, column, offset: 0 };
        assert_eq!(error_text(&Error::at(ErrorKind::Syntax, "x", pos(0, 0))), "no-such-file.c:0:0: x\n");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.c");
        std::fs::write(&path, "ä{".repeat(5_000_000)).unwrap();
        let file: Arc<str> = path.display().to_string().into();
        for column in [0, 1, 2, 7_000_001, u32::MAX] {
            let text =
                error_text(&Error::at(ErrorKind::Syntax, "x", Pos { file: file.clone(), line: 1, column, offset: 0 }));
            assert!(text.len() < 2000 && text.contains("ä{"), "{}", text.len());
        }
    }
}
