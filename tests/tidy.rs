//! The rules of the house that a program can check: the order of the rooms, file sizes, who may print, no leftovers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines above which a file is reported, and above which the test fails.
const LONG: usize = 400;
const TOO_LONG: usize = 600;
/// Lines of the trusted core: it becomes more for new evidence only, as runs and tables of cells, searches and comparisons of texts and measures
/// are; the goal is 11,000.
const MOST_CORE_LINES: usize = 16_800;
/// The folders that hold Rust files of the product, of tests and of benchmarks.
const ALL: [&str; 4] = ["crates", "src", "tests", "benches"];
/// Memories, and what is built on the graphs of one of them, stay strangers to one another, whatever their order.
const MEMORIES: [&[&str]; 3] = [
    &["concrete"],
    &["heap", "frame", "sharing", "fold", "explore", "check", "certificate", "show", "gamma"],
    &["bmc"],
];

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

/// The crates of the product: the folder of each one's sources, below the package.
fn crates() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("crates")).expect("crates").flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| Path::new("crates").join(entry.file_name()).join("src"))
        .filter(|folder| root().join(folder).join("lib.rs").exists())
        .collect();
    found.push("src".into());
    found.sort();
    found
}

/// The rooms of a crate in the order its `lib.rs` declares them.
fn rooms(sources: &Path) -> Vec<String> {
    let text = read(&sources.join("lib.rs"));
    let rooms: Vec<String> =
        text.lines().filter_map(|l| l.trim().strip_prefix("pub mod ")?.strip_suffix(';').map(str::to_owned)).collect();
    assert!(!rooms.is_empty(), "no list of rooms found in {}", sources.display());
    rooms
}

/// The room of a file below the sources of a crate; `None` for `lib.rs` and `main.rs`.
fn room_of(sources: &Path, path: &Path) -> Option<String> {
    let first = path.strip_prefix(sources).ok()?.iter().next()?.to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (!matches!(first, "lib.rs" | "main.rs")).then(|| name.to_owned())
}

/// Files of crates that have rooms, with the sources of the crate and the room.
fn files_in_rooms() -> Vec<(PathBuf, String, PathBuf)> {
    let of = |sources: PathBuf| {
        let files = rust_files(&sources.to_string_lossy());
        files.into_iter().filter_map(move |path| Some((sources.clone(), room_of(&sources, &path)?, path)))
    };
    crates().into_iter().flat_map(of).collect()
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
    let mut wrong = Vec::new();
    for (sources, room, path) in files_in_rooms() {
        let rooms = rooms(&sources);
        let position = |room: &str| rooms.iter().position(|r| r == room);
        let Some(own) = position(&room) else {
            wrong.push(format!("{}: not in a room of {}/lib.rs", path.display(), sources.display()));
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

/// The files of one folder that a file uses by `super::file`, without tests.
fn used_neighbours(path: &Path, neighbours: &[PathBuf]) -> Vec<PathBuf> {
    let text: String = product_lines(&read(path)).iter().flat_map(|(_, line)| [line, "\n"]).collect();
    let uses = |stem: &str| text.contains(&format!("super::{stem}::"));
    let used = |other: &&PathBuf| other.file_stem().and_then(|stem| stem.to_str()).is_some_and(uses);
    neighbours.iter().filter(used).cloned().collect()
}

/// In what a `TRUE` rests on, files of one folder can be read one after another: none uses one that uses it.
#[test]
fn files_of_the_trusted_core_use_each_other_in_one_direction() {
    let files: Vec<PathBuf> =
        rust_files("crates/margay-core/src").into_iter().filter(|file| !is_test_file(file)).collect();
    let mut left: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for file in &files {
        let beside = |other: &&PathBuf| other.parent() == file.parent() && *other != file;
        let neighbours: Vec<PathBuf> = files.iter().filter(beside).cloned().collect();
        left.push((file.clone(), used_neighbours(file, &neighbours)));
    }
    // Files that use none of those left are taken away until all are gone.
    loop {
        let remaining: Vec<PathBuf> = left.iter().map(|(file, _)| file.clone()).collect();
        let before = left.len();
        left.retain(|(_, used)| used.iter().any(|other| remaining.contains(other)));
        if left.len() == before {
            break;
        }
    }
    let circle: Vec<&PathBuf> = left.iter().map(|(file, _)| file).collect();
    assert!(circle.is_empty(), "these files, or what uses them, stand in a circle: {circle:?}");
}

/// What a `TRUE` rests on is what `margay-check` links.
#[test]
fn the_checker_links_no_searcher() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--package", "margay-check", "--edges", "normal", "--prefix", "none"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&tree.stdout);
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let mut own: Vec<&str> =
        text.lines().filter_map(|line| line.split(' ').next()).filter(|name| name.starts_with("margay")).collect();
    own.sort_unstable();
    own.dedup();
    assert_eq!(own, ["margay-c", "margay-check", "margay-core", "margay-smt"]);
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
    for (sources, room, path) in files_in_rooms() {
        let text = read(&path);
        let own = |name: &str| {
            rust_files(&sources.join(&room).to_string_lossy()).iter().any(|file| {
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
    for path in ALL.into_iter().flat_map(rust_files) {
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
    for (_, _, path) in files_in_rooms().into_iter().filter(|(_, room, _)| room != "cli") {
        if is_test_file(&path) {
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
    for path in ALL.into_iter().flat_map(rust_files) {
        for (number, line) in code_lines(&read(&path)) {
            if banned.iter().any(|b| line.contains(b)) {
                wrong.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Cargo finds the executables of tests by itself, but not the modules of one: what none declares is never run.
#[test]
fn no_file_of_tests_is_forgotten() {
    let mut wrong = Vec::new();
    for file in rust_files("tests").iter().filter(|file| !file.ends_with("main.rs")) {
        let module = if file.ends_with("mod.rs") { file.parent().expect("a folder") } else { file };
        let folder = module.parent().expect("a folder");
        // There lie executables, and what several of them share.
        if folder == Path::new("tests") {
            continue;
        }
        let declaration = format!("mod {};", module.file_stem().unwrap_or_default().display());
        let declares = |parent: &str| {
            let text = fs::read_to_string(root().join(folder).join(parent)).unwrap_or_default();
            text.lines().any(|line| line == declaration)
        };
        if !["main.rs", "mod.rs"].into_iter().any(declares) {
            wrong.push(format!("{}: nothing above it says `{declaration}`", file.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Words that say nothing to a reader of the field: documents do without them, and so do names.
const PRIVATE_WORDS: [&str; 19] = [
    "told",
    "tell",
    "tells",
    "teller",
    "untold",
    "nobody",
    "whoever",
    "somebody",
    "anybody",
    "misfit",
    "limb",
    "limbs",
    "seat",
    "desk",
    "overtaken",
    "glance",
    "scene",
    "trouble",
    "care",
];
/// The words of a name: `isTold_byAll` is `is`, `told`, `by` and `all`.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if (c == '_' || c.is_uppercase()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c != '_'
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[test]
fn documents_use_the_words_of_the_field() {
    let mut open = vec![root().join("docs"), root().join("README.md"), root().join("ARCHITECTURE.md")];
    let mut wrong = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
        } else if path.extension() == Some("md".as_ref()) {
            let text = fs::read_to_string(&path).expect("a page");
            let has = |line: &str| {
                line.split(|c: char| !c.is_alphabetic()).any(|word| PRIVATE_WORDS.contains(&&*word.to_lowercase()))
            };
            let lines = text.lines().enumerate().filter(|(_, line)| has(line));
            wrong.extend(lines.map(|(number, line)| format!("{}:{}: {line}", path.display(), number + 1)));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn names_use_the_words_of_the_field() {
    let mut found = Vec::new();
    for path in ["crates", "src"].into_iter().flat_map(rust_files) {
        let text = read(&path);
        for (number, line) in code_lines(&text) {
            for start in ["fn ", "struct ", "enum ", "trait ", "type ", "mod ", "let ", "const "] {
                let Some((_, rest)) = line.split_once(start) else { continue };
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if words_of(&name).iter().any(|word| PRIVATE_WORDS.contains(&&**word)) {
                    found.push(format!("{}:{number}: {name}", path.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
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
        _ => ALL.into_iter().flat_map(rust_files).collect(),
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

/// A row of the table in `ARCHITECTURE.md` of what is trusted: a folder, and how many lines it says there are.
struct Trusted {
    folder: PathBuf,
    lines: usize,
}

impl Trusted {
    /// Of the core: neither the solver, nor the front end, nor proposals.
    fn is_core(&self) -> bool {
        self.folder.starts_with("crates/margay-core") && !self.folder.ends_with("sharing")
    }
}

/// The table under the heading about what one must believe.
fn trusted() -> Vec<Trusted> {
    let text = read(Path::new("ARCHITECTURE.md"));
    let section = text.split("## What one must believe").nth(1).expect("a section about what one must believe");
    let section = section.split("\n## ").next().unwrap_or("");
    let rows = section.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, lines, ..] = cells.as_slice() else { return None };
        let lines = lines.replace(' ', "").parse().ok()?;
        Some(Trusted { folder: name.split('`').nth(1)?.into(), lines })
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

/// Reading what is listed is reading all that a wrong `TRUE` could come from: every room of the crates that `margay-check` links.
#[test]
fn the_trusted_base_is_what_the_map_says() {
    let rows = trusted();
    let mut wrong = Vec::new();
    for row in &rows {
        let lines: usize = sources(&row.folder).iter().map(|file| read(file).lines().count()).sum();
        if lines.abs_diff(row.lines) * 20 > lines {
            wrong.push(format!("{}: {lines} lines, not {}", row.folder.display(), row.lines));
        }
    }
    let core: usize = rows.iter().filter(|row| row.is_core()).map(|row| row.lines).sum();
    assert!(core <= MOST_CORE_LINES, "the trusted core grew to {core} lines");
    for linked in ["crates/margay-smt/src", "crates/margay-c/src", "crates/margay-core/src", "crates/margay-check/src"]
    {
        for file in sources(Path::new(linked)).iter().filter(|file| !file.ends_with("lib.rs")) {
            if !rows.iter().any(|row| file.starts_with(&row.folder)) {
                wrong.push(format!("{}: linked by margay-check, and in no row", file.display()));
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
        let text = read(Path::new(&format!("crates/margay-open/src/open/{file}.rs")));
        let lines = product_lines(&text);
        let used = lines.iter().filter_map(|(_, line)| line.split_once("super::"));
        work.extend(
            used.map(|(_, path)| path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()),
        );
        seen.push(file);
        work.retain(|file| Path::new(root()).join(format!("crates/margay-open/src/open/{file}.rs")).exists());
    }
    assert!(seen.iter().any(|file| file == "matching") && seen.len() > 10, "{seen:?}");
    let searching: Vec<&String> = seen.iter().filter(|file| SEARCH.contains(&file.as_str())).collect();
    assert!(searching.is_empty(), "{searching:?}");
}
