//! The layout of a text, its comments and the names in it mean nothing: answers stay what they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A piece of a text that stays in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// A directive with its line.
    Directive(String),
    Word(String),
    Other(String),
}

/// The pieces of a text without its comments and white space.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut starts_line = true;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = match first {
            '\n' => 1,
            _ if first.is_whitespace() => first.len_utf8(),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '#' if starts_line => {
                let mut end = rest.find('\n').unwrap_or(rest.len());
                while rest[..end].ends_with('\\') {
                    end += 1 + rest[end + 1..].find('\n').unwrap_or(rest.len() - end - 1);
                }
                pieces.push(Piece::Directive(rest[..end].to_owned()));
                end
            }
            '"' | '\'' => {
                let mut end = 1;
                while !rest[end..].starts_with(first) {
                    end += if rest[end..].starts_with('\\') { 2 } else { 1 };
                }
                pieces.push(Piece::Other(rest[..end + 1].to_owned()));
                end + 1
            }
            _ if first.is_ascii_digit() => {
                let more = |c: char| is_word(c) || c == '.';
                let end = rest.find(|c| !more(c)).unwrap_or(rest.len());
                pieces.push(Piece::Other(rest[..end].to_owned()));
                end
            }
            _ if is_word(first) => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                pieces.push(Piece::Word(rest[..end].to_owned()));
                end
            }
            _ => {
                let operators = ["...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"];
                let assigned = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"];
                let long = operators.iter().chain(&assigned).find(|operator| rest.starts_with(**operator));
                let end = long.map_or(first.len_utf8(), |operator| operator.len());
                pieces.push(Piece::Other(rest[..end].to_owned()));
                end
            }
        };
        starts_line = first == '\n' || (starts_line && first.is_whitespace());
        rest = &rest[len..];
    }
    pieces
}

/// The pieces with `between` them, but directives on lines of their own.
fn laid_out(pieces: &[Piece], between: &str) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Directive(line) => {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(line);
                text.push('\n');
            }
            Piece::Word(word) | Piece::Other(word) => {
                text.push_str(word);
                text.push_str(between);
            }
        }
    }
    text.push('\n');
    text
}

const KEYWORDS: [&str; 44] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "asm", "typeof", "main",
    "defined", "NULL", "va_list", "va_start", "va_arg", "va_end", "va_copy",
];

/// The pieces with new names for everything that is no function, type of a header or macro; `None` where that is hard to decide.
fn renamed(pieces: &[Piece]) -> Option<Vec<Piece>> {
    // What assembler calls its operands stands in literals as well.
    let is_assembler = |word: &str| ["asm", "__asm", "__asm__"].contains(&word);
    if pieces.iter().any(|piece| match piece {
        Piece::Directive(_) => true,
        Piece::Word(word) => is_assembler(word),
        _ => false,
    }) {
        return None;
    }
    // Functions, what attributes say, and the label that a property speaks of.
    let mut kept: BTreeSet<&str> = BTreeSet::from(["ERROR"]);
    let (mut depth, mut attribute) = (0, None);
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Word(word) if word == "__attribute__" => attribute = Some(depth),
            Piece::Word(word) => {
                let is_called = matches!(pieces.get(index + 1), Some(Piece::Other(next)) if next == "(");
                if attribute.is_some() || is_called {
                    kept.insert(word);
                }
            }
            Piece::Other(bracket) if bracket == "(" => depth += 1,
            Piece::Other(bracket) if bracket == ")" => {
                depth -= 1;
                attribute = attribute.filter(|outside| *outside < depth);
            }
            _ => {}
        }
    }
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let rename = |piece: &Piece| match piece {
        Piece::Word(word)
            if !KEYWORDS.contains(&word.as_str()) && !kept.contains(word.as_str()) && !word.starts_with('_') =>
        {
            let count = names.len();
            Piece::Word(names.entry(word.clone()).or_insert_with(|| format!("renamed_{count}")).clone())
        }
        other => other.clone(),
    };
    Some(pieces.iter().map(rename).collect())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The answers to all tasks of a folder, by task and property.
fn answers(folder: &Path) -> BTreeMap<(String, String), String> {
    let csv = folder.join("results.csv");
    let mut margay = Command::new(env!("CARGO_BIN_EXE_margay"));
    margay.args(["bench", "--jobs", "2", "--timeout", "60s", "--memory", "4GB", "--csv"]).arg(&csv);
    let output = margay.arg(folder.join("tasks")).output().expect("the binary runs");
    let text = std::fs::read_to_string(&csv)
        .unwrap_or_else(|error| panic!("no results ({error}): {}", String::from_utf8_lossy(&output.stderr)));
    text.lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').map(|field| field.trim_matches('"')).collect();
            let task = Path::new(fields[0]).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            // A reason names a place in the text.
            let answer = fields[3].split(" (").next().unwrap_or_default().to_owned();
            ((task, fields[1].to_owned()), answer)
        })
        .collect()
}

/// The folder as `bench` expects it, with these tasks in this layout.
fn written(tasks: &[PathBuf], layout: &dyn Fn(&[Piece]) -> Option<String>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for part in ["tasks", "property-files"] {
        std::fs::create_dir(folder.path().join(part)).expect("a folder");
    }
    for property in glob::glob(&root().join("property-files/*.prp").to_string_lossy()).expect("a pattern").flatten() {
        let name = property.file_name().expect("a file's name");
        std::fs::copy(&property, folder.path().join("property-files").join(name)).expect("a copy");
    }
    for definition in tasks {
        let program = definition.with_extension("c");
        let text = std::fs::read_to_string(&program).expect("a program");
        let Some(text) = layout(&pieces(&text)) else { continue };
        let name = |path: &Path| folder.path().join("tasks").join(path.file_name().expect("a file's name"));
        let task =
            std::fs::read_to_string(definition).expect("a task").replace("../../property-files", "../property-files");
        std::fs::write(name(definition), task).expect("a task");
        std::fs::write(name(&program), text).expect("a program");
    }
    folder
}

#[test]
fn pieces_are_told_apart() {
    let text = "#include <a.h>\nint x = a->b; /* no\n # y */ char c = '\\''; // z\n#define M(x) \\\n x\n\"\\\"/*\"";
    let [first, .., define, string] = pieces(text).try_into().map(|all: [Piece; 15]| all).expect("fifteen pieces");
    assert_eq!(first, Piece::Directive("#include <a.h>".into()));
    assert_eq!(define, Piece::Directive("#define M(x) \\\n x".into()));
    assert_eq!(string, Piece::Other("\"\\\"/*\"".into()));
    let one = pieces("int f(int a){return a;}");
    assert_eq!(
        laid_out(&renamed(&one).expect("no directives"), " "),
        "int f ( int renamed_0 ) { return renamed_0 ; } \n"
    );
    let attributes = pieces("struct packed{int a;}__attribute__((packed,aligned(4)));");
    assert_eq!(
        laid_out(&renamed(&attributes).expect("no directives"), " "),
        "struct packed { int renamed_0 ; } __attribute__ ( ( packed , aligned ( 4 ) ) ) ; \n"
    );
    let labels = pieces("here: goto ERROR; ERROR: goto here;");
    assert_eq!(
        laid_out(&renamed(&labels).expect("no directives"), " "),
        "renamed_0 : goto ERROR ; ERROR : goto renamed_0 ; \n"
    );
}

/// A sample of the own tasks about the heap, in three other layouts.
#[test]
fn answers_do_not_depend_on_the_layout() {
    let pattern = root().join("benchmarks/*/*.yml");
    let all = glob::glob(&pattern.to_string_lossy()).expect("a pattern").flatten();
    let open = std::fs::read_to_string(root().join("benchmarks/unknown.txt")).expect("the list of open tasks");
    let is_answered = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        path.with_extension("c").exists() && !open.contains(&format!("/{name} "))
    };
    let tasks: Vec<PathBuf> = all.filter(is_answered).step_by(25).collect();
    assert!(tasks.len() > 15, "only {} tasks", tasks.len());
    let plain = answers(written(&tasks, &|pieces| Some(laid_out(pieces, " \n"))).path());
    let one_line = answers(written(&tasks, &|pieces| Some(laid_out(pieces, " "))).path());
    let new_names = answers(written(&tasks, &|pieces| Some(laid_out(&renamed(pieces)?, " \n"))).path());
    assert!(plain.len() >= tasks.len());
    assert!(plain.values().all(|answer| answer != "UNKNOWN"), "{plain:?}");
    assert_eq!(one_line, plain);
    assert!(new_names.len() > 5, "only {} programs could be renamed", new_names.len());
    for (task, answer) in &new_names {
        assert_eq!(Some(answer), plain.get(task), "{task:?}");
    }
}
