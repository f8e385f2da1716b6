//! The rules of the house that a program can check: the order of the rooms, file sizes, who may print, no leftovers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines above which a file is reported, and above which the test fails.
const LONG: usize = 400;
const TOO_LONG: usize = 600;
/// The memories, and what is built on the graphs of one of them, stay strangers to one another, whatever their order in `lib.rs`.
const MEMORIES: [&[&str]; 3] =
    [&["concrete"], &["heap", "calls", "fold", "explore", "proof", "written", "show", "gamma"], &["bmc"]];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder` with the extension `rs`, as paths relative to the package, sorted.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension() == Some("rs".as_ref()) {
                found.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rooms in the order `lib.rs` declares them.
fn rooms() -> Vec<String> {
    let text = read(Path::new("src/lib.rs"));
    let rooms: Vec<String> =
        text.lines().filter_map(|l| l.trim().strip_prefix("pub mod ")?.strip_suffix(';').map(str::to_owned)).collect();
    assert!(rooms.len() > 3, "no list of rooms found in src/lib.rs");
    rooms
}

/// The room of a file below `src`; `None` for `lib.rs` and `main.rs`.
fn room_of(path: &Path) -> Option<String> {
    let mut parts = path.iter().skip(1);
    let first = parts.next()?.to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (!matches!(first, "lib.rs" | "main.rs")).then(|| name.to_owned())
}

/// The text without `//` comments (also those with slashes in strings: this is a check, not a parser), one entry a line.
fn code_lines(text: &str) -> Vec<(usize, &str)> {
    text.lines().enumerate().map(|(i, l)| (i + 1, l.split("//").next().unwrap_or(""))).collect()
}

/// The code lines without modules behind `#[cfg(test)]`, which end at a closing brace in the first column.
fn product_lines(text: &str) -> Vec<(usize, &str)> {
    let mut in_tests = false;
    let mut lines = code_lines(text);
    lines.retain(|(_, line)| {
        if line.starts_with("#[cfg(test)]") {
            in_tests = true;
        }
        let keep = !in_tests;
        if in_tests && (line.starts_with('}') || (line.starts_with("mod ") && line.trim_end().ends_with(';'))) {
            in_tests = false;
        }
        keep
    });
    lines
}

/// A file whose whole content is a test module (`#[cfg(test)] mod tests;` elsewhere).
fn is_test_file(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
    stem == "tests" || stem.ends_with("_tests") || path.iter().any(|p| p == "tests")
}

/// Names `x` in `crate::x` and `crate::{x::…, y}` of one statement; `text` starts after `crate::`.
fn first_segments(text: &str) -> Vec<String> {
    let ident = |s: &str| s.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = text.strip_prefix('{') else { return vec![ident(text)] };
    let mut names = vec![ident(group)];
    let mut depth = 0;
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(ident(&group[i + 1..])),
            _ => {}
        }
    }
    names
}

#[test]
fn rooms_use_only_rooms_above_them() {
    let rooms = rooms();
    let position = |room: &str| rooms.iter().position(|r| r == room);
    let mut wrong = Vec::new();
    for path in rust_files("src") {
        let Some(room) = room_of(&path) else { continue };
        let Some(own) = position(&room) else {
            wrong.push(format!("{}: not in a room of src/lib.rs", path.display()));
            continue;
        };
        let text: String = code_lines(&read(&path)).iter().flat_map(|(_, l)| [l, "\n"]).collect();
        for (at, _) in text.match_indices("crate::") {
            for used in first_segments(&text[at + "crate::".len()..]) {
                let below = position(&used).is_some_and(|p| p > own);
                let memory = |room: &str| MEMORIES.iter().position(|rooms| rooms.contains(&room));
                let strangers = matches!((memory(&used), memory(&room)), (Some(a), Some(b)) if a != b);
                if below || strangers {
                    wrong.push(format!("{}: `{room}` must not use `{used}`", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn segments_of_use_statements() {
    assert_eq!(first_segments("smt::Term;"), ["smt"]);
    assert_eq!(first_segments("{base::{a, b}, heap, c::x};"), ["base", "heap", "c"]);
}

/// The text after the `<…>` it may begin with.
fn without_generics(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if c == '>' { &text[at + 1..] } else { &text[at..] };
        }
    }
    text
}

/// A method needs no `use`, so the arrows between rooms would not show who calls it.
#[test]
fn rooms_keep_the_methods_they_add_to_other_rooms_types() {
    let mut wrong = Vec::new();
    for path in rust_files("src") {
        let Some(room) = room_of(&path) else { continue };
        let text = read(&path);
        let own = |name: &str| {
            rust_files(&format!("src/{room}")).iter().any(|file| {
                let text = read(file);
                ["struct ", "enum ", "type "].iter().any(|kind| {
                    text.match_indices(&format!("{kind}{name}")).any(|(at, found)| {
                        !text[at + found.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
                    })
                })
            })
        };
        let mut foreign = false;
        for (number, line) in product_lines(&text) {
            if let Some(rest) = line.strip_prefix("impl") {
                let rest = without_generics(rest).trim_start();
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                foreign = !rest.contains(" for ") && !own(&name);
            }
            if foreign && ["    pub fn ", "    pub(crate) fn "].iter().any(|start| line.starts_with(start)) {
                wrong.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn files_stay_small() {
    let mut too_long = Vec::new();
    for path in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        let lines = read(&path).lines().count();
        if lines > TOO_LONG {
            too_long.push(format!("{}: {lines} lines", path.display()));
        } else if lines > LONG {
            println!("{}: {lines} lines (aim: {LONG})", path.display());
        }
    }
    assert!(too_long.is_empty(), "more than {TOO_LONG} lines:\n{}", too_long.join("\n"));
}

#[test]
fn only_the_command_line_prints_or_exits() {
    let banned = ["println!", "eprintln!", "print!", "eprint!", "dbg!", "process::exit", "process::abort"];
    let mut wrong = Vec::new();
    for path in rust_files("src") {
        if room_of(&path).is_none_or(|room| room == "cli") || is_test_file(&path) {
            continue;
        }
        let text = read(&path);
        for (number, line) in product_lines(&text) {
            let starts_word = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if banned.iter().any(|b| line.match_indices(b).any(|(at, _)| starts_word(at))) {
                wrong.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "only `cli` and `main.rs` print or exit:\n{}", wrong.join("\n"));
}

#[test]
fn nothing_is_left_undone() {
    // Put together here, so that this file does not find itself.
    let banned = [concat!("todo", "!("), concat!("unimpl", "emented!("), concat!("#[ig", "nore")];
    let mut wrong = Vec::new();
    for path in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        for (number, line) in code_lines(&read(&path)) {
            if banned.iter().any(|b| line.contains(b)) {
                wrong.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn no_paths_of_one_machine() {
    let banned = [concat!("/wo", "rk/"), concat!("/tmp", "/wt")];
    // Outside a checkout (an unpacked archive) there is no list of tracked files; the sources are then what counts.
    let tracked = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let files: Vec<PathBuf> = match tracked {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            String::from_utf8_lossy(&output.stdout).split_terminator('\0').map(PathBuf::from).collect()
        }
        _ => ["src", "tests", "benches"].into_iter().flat_map(rust_files).collect(),
    };
    let mut wrong = Vec::new();
    for path in files {
        // Binary files and files removed but not yet committed have no text to check.
        let Ok(text) = fs::read_to_string(root().join(&path)) else { continue };
        for (number, line) in text.lines().enumerate() {
            if banned.iter().any(|b| line.contains(b)) {
                wrong.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A row of the table in `ARCHITECTURE.md` of what is trusted: its files and how many lines it says they have.
struct Trusted {
    title: String,
    lines: usize,
    files: Vec<PathBuf>,
}

/// The table under the heading about what one must believe.
fn trusted() -> Vec<Trusted> {
    let text = read(Path::new("ARCHITECTURE.md"));
    let section = text.split("## What one must believe").nth(1).expect("a section about what one must believe");
    let section = section.split("\n## ").next().unwrap_or("");
    let rows = section.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, title, lines, ..] = cells.as_slice() else { return None };
        let lines = lines.replace(' ', "").parse().ok()?;
        let (with, without) = title.split_once(" without ").unwrap_or((title, ""));
        let names = |text: &str| text.split('`').skip(1).step_by(2).map(PathBuf::from).collect::<Vec<_>>();
        let without = names(without);
        let mut files = Vec::new();
        for path in names(with) {
            let all = if path.extension().is_some() { vec![path.clone()] } else { sources(&path) };
            files.extend(all.into_iter().filter(|file| !without.iter().any(|name| file == &path.join(name))));
        }
        Some(Trusted { title: (*title).to_owned(), lines, files })
    });
    rows.collect()
}

/// Rust and C files of the product below `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(root().join(&folder)).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
            } else if matches!(path.extension().and_then(|e| e.to_str()), Some("rs" | "c")) && !is_test_file(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The paths of a use tree: `{a::{b, c}, d::e};` is `a::b`, `a::c` and `d::e`.
fn paths(text: &str) -> Vec<Vec<String>> {
    fn tree(text: &str, mut at: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
        let mut path = prefix.to_vec();
        loop {
            let rest = &text[at..];
            let space = rest.len() - rest.trim_start().len();
            at += space;
            if text[at..].starts_with('{') {
                at += 1;
                loop {
                    at = tree(text, at, &path, found);
                    at += text[at..].len() - text[at..].trim_start().len();
                    match text[at..].chars().next() {
                        Some(',') => at += 1,
                        Some('}') => return at + 1,
                        _ => return at,
                    }
                }
            }
            let name: String = text[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            at += name.len();
            if !name.is_empty() {
                path.push(name);
            }
            if text[at..].starts_with("::") {
                at += 2;
            } else {
                if path.len() > prefix.len() {
                    found.push(path);
                }
                return at;
            }
        }
    }
    let mut found = Vec::new();
    tree(text, 0, &[], &mut found);
    found
}

#[test]
fn paths_of_use_statements() {
    let joined = |text: &str| paths(text).iter().map(|path| path.join("::")).collect::<Vec<_>>();
    assert_eq!(joined("smt::Term;"), ["smt::Term"]);
    assert_eq!(joined("{base::{a, b::c}, heap::D,\n c};"), ["base::a", "base::b::c", "heap::D", "c"]);
    assert_eq!(joined("ats::check(x, limits)"), ["ats::check"]);
}

/// The file of a room that a name the room exports is from.
fn exporter(room: &str, name: &str) -> Option<PathBuf> {
    let folder = Path::new("src").join(room);
    let text: String = code_lines(&read(&folder.join("mod.rs"))).iter().flat_map(|(_, l)| [l, "\n"]).collect();
    let uses = text.match_indices("use ").flat_map(|(at, _)| paths(&text[at + "use ".len()..]));
    let module = uses.into_iter().find(|path| path.len() > 1 && path.last().is_some_and(|last| last == name));
    let file = folder.join(format!("{}.rs", module.map_or_else(|| name.to_owned(), |path| path[0].clone())));
    root().join(&file).exists().then_some(file)
}

/// Whoever reads what is listed has read all that a wrong `TRUE` could come from.
#[test]
fn the_trusted_base_is_what_the_map_says() {
    let rows = trusted();
    let files: Vec<&PathBuf> = rows.iter().flat_map(|row| &row.files).collect();
    assert!(files.len() > 50, "no table of trusted files");
    let mut wrong = Vec::new();
    for row in &rows {
        let lines: usize = row.files.iter().map(|file| read(file).lines().count()).sum();
        if lines.abs_diff(row.lines) * 20 > lines {
            wrong.push(format!("{}: {lines} lines, not {}", row.title, row.lines));
        }
    }
    // Files beside trusted ones, and the methods only they have.
    let rooms: Vec<String> =
        rooms().into_iter().filter(|room| files.iter().any(|f| room_of(f).as_ref() == Some(room))).collect();
    let beside: Vec<PathBuf> = rooms
        .iter()
        .flat_map(|room| sources(&Path::new("src").join(room)))
        .filter(|file| !files.contains(&file) && !file.ends_with("mod.rs"))
        .collect();
    let methods = |file: &Path, start: &str| -> Vec<String> {
        let text = read(file);
        let named = product_lines(&text).into_iter().filter_map(|(_, line)| {
            let rest = line.split_once("fn ")?.1;
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            line.starts_with(start).then_some(name)
        });
        named.collect()
    };
    let own: Vec<String> = files.iter().flat_map(|file| methods(file, "    ")).collect();
    let position = |file: &Path| room_of(file).and_then(|room| self::rooms().iter().position(|other| *other == room));
    let foreign: Vec<(Option<usize>, String)> = beside
        .iter()
        .flat_map(|file| methods(file, "    pub").into_iter().map(|name| (position(file), name)))
        .filter(|(_, name)| !own.contains(name))
        .collect();
    for file in &files {
        let text = read(file);
        let lines = product_lines(&text);
        let text: String = lines.iter().flat_map(|(_, line)| [line, "\n"]).collect();
        for (at, _) in text.match_indices("crate::") {
            for path in paths(&text[at + "crate::".len()..]) {
                let from = match path.as_slice() {
                    [macro_name] if macro_name == "typed_id" => continue,
                    [room] => room.clone(),
                    [room, name, ..] => match exporter(room, name) {
                        Some(from) if beside.contains(&from) => from.display().to_string(),
                        _ => room.clone(),
                    },
                    [] => continue,
                };
                if !rooms.contains(&from) {
                    wrong.push(format!(
                        "{}: uses `{}` of {from}, which is not trusted",
                        file.display(),
                        path.join("::")
                    ));
                }
            }
        }
        for (at, _) in text.match_indices("use super::") {
            for path in paths(&text[at + "use super::".len()..]) {
                let from = file.with_file_name(format!("{}.rs", path[0]));
                if beside.contains(&from) && !file.ends_with("mod.rs") {
                    wrong.push(format!("{}: uses {}, which is not trusted", file.display(), from.display()));
                }
            }
        }
        for (_, name) in foreign.iter().filter(|(room, _)| *room <= position(file)) {
            if text.contains(&format!(".{name}(")) {
                wrong.push(format!("{}: calls `{name}` of an untrusted file", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Contracts are checked by what does not find them.
#[test]
fn the_check_of_contracts_uses_nothing_that_searches() {
    const SEARCH: [&str; 8] = ["learn", "verify", "fold", "common", "widen", "judge", "functions", "specs"];
    let mut seen: Vec<String> = Vec::new();
    let mut work = vec!["proofs".to_owned()];
    while let Some(file) = work.pop() {
        if seen.contains(&file) {
            continue;
        }
        let text = read(Path::new(&format!("src/open/{file}.rs")));
        let lines = product_lines(&text);
        let used = lines.iter().filter_map(|(_, line)| line.split_once("super::"));
        work.extend(
            used.map(|(_, path)| path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()),
        );
        seen.push(file);
        work.retain(|file| Path::new(root()).join(format!("src/open/{file}.rs")).exists());
    }
    assert!(seen.iter().any(|file| file == "matching") && seen.len() > 10, "{seen:?}");
    let searching: Vec<&String> = seen.iter().filter(|file| SEARCH.contains(&file.as_str())).collect();
    assert!(searching.is_empty(), "{searching:?}");
}
