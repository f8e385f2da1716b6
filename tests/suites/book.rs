//! The book in `docs/book`: its list of chapters and its files agree, and links between documents lead somewhere.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A fenced block of a Markdown text.
pub struct Block {
    /// The word after the fence.
    pub language: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// The fenced blocks of a Markdown text.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(language), None) => open = Some(Block { language: language.trim().to_owned(), lines: Vec::new() }),
            (Some(_), Some(block)) => found.push(block),
            (None, Some(mut block)) => {
                block.lines.push(line.to_owned());
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end");
    found
}

/// The Markdown text without its fenced blocks and pieces of code.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut result = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            // Every second piece between back-quotes is code.
            result.extend(line.split('`').step_by(2));
            result.push('\n');
        }
    }
    result
}

/// The targets of links and images.
fn targets(text: &str) -> Vec<String> {
    let text = prose(text);
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    links.map(str::to_owned).collect()
}

/// The names of a page's headings as links have them: small letters, hyphens for spaces, without other characters.
fn anchors(text: &str) -> Vec<String> {
    let mut fenced = false;
    let headings = text.lines().filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#')
    });
    let name = |heading: &str| {
        let letters = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = letters.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(name).collect()
}

/// All Markdown files of the project, but those in hidden folders and folders of builds.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a folder").flatten() {
            let path = entry.path();
            let kind = entry.file_type().expect("a kind");
            let name = entry.file_name();
            if kind.is_dir() && !name.to_string_lossy().starts_with('.') && name != "target" {
                folders.push(path);
            } else if kind.is_file() && path.extension() == Some("md".as_ref()) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn book() -> PathBuf {
    root().join("docs/book/src")
}

/// The pages of the book.
pub fn pages() -> Vec<PathBuf> {
    documents().into_iter().filter(|path| path.starts_with(book()) && !path.ends_with("SUMMARY.md")).collect()
}

#[test]
fn every_page_is_a_chapter_and_every_chapter_a_page() {
    let chapters = targets(&read(&book().join("SUMMARY.md")));
    let listed: BTreeSet<PathBuf> = chapters.iter().map(|chapter| book().join(chapter)).collect();
    assert_eq!(listed.len(), chapters.len(), "a chapter is listed twice");
    assert_eq!(listed, pages().into_iter().collect());
    assert!(read(&book().with_file_name("book.toml")).contains("src = \"src\""));
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for document in documents() {
        let text = read(&document);
        for target in
            targets(&text).into_iter().filter(|target| !target.contains("://") && !target.starts_with("mailto:"))
        {
            seen += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = if file.is_empty() { document.clone() } else { document.parent().expect("a folder").join(file) };
            let known = || file.extension() != Some("md".as_ref()) || anchors(&read(&file)).iter().any(|a| a == anchor);
            if !file.exists() || !(anchor.is_empty() || known()) {
                wrong.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(seen > 100, "only {seen} links were found");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What the pages show of Margay is in blocks whose commands are run (`examples.rs`).
#[test]
fn commands_of_the_book_are_run() {
    let mut wrong = Vec::new();
    for page in pages() {
        for block in blocks(&read(&page)).into_iter().filter(|block| block.language == "sh") {
            let own = |line: &&String| line.trim_start_matches("$ ").starts_with("margay ");
            wrong.extend(block.lines.iter().filter(own).map(|line| format!("{}: {line}", page.display())));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn links_and_blocks_are_found() {
    let text = "# A *b* `c`-d\n[x](y.md#z) `[no](link)`\n```c\nint a[](b);\n```\n![p](q.png)\n## E, f\n";
    assert_eq!(targets(text), ["y.md#z", "q.png"]);
    assert_eq!(anchors(text), ["a-b-c-d", "e-f"]);
    let found = blocks(text);
    assert_eq!((found.len(), &*found[0].language, found[0].lines.len()), (1, "c", 1));
}
