//! The commands in `console` blocks of the README and the book, run one after another, print what the pages show.
//!
//! Each page is a session of its own in a folder that holds copies of `docs/examples`. A line `…` in a block stands for any number of
//! lines, and times and sizes of memory may differ.

use std::fmt::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::book;

/// A command of a page, and the lines shown below it.
struct Shown {
    command: String,
    output: Vec<String>,
}

/// The commands in a page's blocks: lines that begin with `$ `, with the lines that a `\` at the end continues.
fn shown(page: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    for block in book::blocks(page).into_iter().filter(|block| block.language == "console") {
        let mut lines = block.lines.iter();
        assert!(
            block.lines.first().is_some_and(|line| line.starts_with("$ ")),
            "a console block begins with a command"
        );
        while let Some(line) = lines.next() {
            if let Some(command) = line.strip_prefix("$ ") {
                let mut command = command.to_owned();
                while command.ends_with('\\') {
                    let next = lines.next().expect("a line after `\\`");
                    write!(command, "\n{next}").expect("text");
                }
                found.push(Shown { command, output: Vec::new() });
            } else if let Some(shown) = found.last_mut() {
                shown.output.push(line.clone());
            }
        }
    }
    found
}

/// A folder with copies of the examples, the tasks of the project, and the commands `margay` and `./run.sh`.
fn workplace() -> tempfile::TempDir {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    for entry in root.join("docs/examples").read_dir().expect("examples").flatten() {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
    }
    for name in ["benchmarks", "property-files"] {
        symlink(root.join(name), folder.path().join(name)).expect("a link");
    }
    let bin = folder.path().join(".bin");
    std::fs::create_dir(&bin).expect("a folder");
    symlink(env!("CARGO_BIN_EXE_margay"), bin.join("margay")).expect("a link");
    let script = folder.path().join("run.sh");
    std::fs::write(&script, "#!/bin/sh\nexec margay \"$@\"\n").expect("a script");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("a mode");
    folder
}

/// What each command prints when a shell runs all of them in turn, standard error included.
fn printed(commands: &[Shown]) -> Vec<Vec<String>> {
    const END: &str = "\u{1}end";
    let folder = workplace();
    let mut script = String::from("exec 2>&1\n");
    for shown in commands {
        // `$?` stays that of the command for the next one.
        writeln!(script, "{}\nstatus=$?; printf '{END}\\n'; (exit $status)", shown.command).expect("text");
    }
    let path = std::env::join_paths(
        std::iter::once(folder.path().join(".bin"))
            .chain(std::env::split_paths(&std::env::var_os("PATH").expect("PATH"))),
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .env("PATH", path.expect("a path"))
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut parts: Vec<&str> = text.split(&format!("{END}\n")).collect();
    assert_eq!(parts.pop(), Some(""), "the shell ended before the page: {text}");
    parts.into_iter().map(|part| part.lines().map(str::to_owned).collect()).collect()
}

/// The line with `#` for numbers of seconds and megabytes.
fn without_figures(line: &str) -> String {
    let is_figure = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) && word.parse::<f64>().is_ok();
    let is_unit = |word: &str| matches!(word.trim_end_matches([',', ')', ';', '.']), "s" | "ms" | "MB");
    let words: Vec<&str> = line.split(' ').map(|word| word.trim_start_matches('(')).collect();
    let replaced = words.iter().enumerate().map(|(at, word)| {
        let measured = is_figure(word) && words.get(at + 1).is_some_and(|unit| is_unit(unit));
        if measured { "#" } else { word }
    });
    replaced.collect::<Vec<_>>().join(" ")
}

/// Whether the lines are those expected, where `…` stands for any.
fn fits(expected: &[String], lines: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "…" => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((first, rest)) => {
            lines.first().is_some_and(|line| without_figures(line) == without_figures(first)) && fits(rest, &lines[1..])
        }
    }
}

/// Runs a page's commands; how many there were. With `MARGAY_REWRITE=1` the page is rewritten where output without `…` differs.
fn check(page: &Path) -> usize {
    let mut text = std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let commands = shown(&text);
    let outputs = printed(&commands);
    assert_eq!(outputs.len(), commands.len(), "{}", page.display());
    let rewrite = std::env::var_os("MARGAY_REWRITE").is_some();
    for (Shown { command, output }, lines) in commands.iter().zip(outputs) {
        let block = |lines: &[String]| {
            format!("$ {command}\n{}", lines.iter().map(|line| format!("{line}\n")).collect::<String>())
        };
        if fits(output, &lines) {
            continue;
        }
        assert!(
            rewrite && !output.iter().any(|line| line == "…"),
            "{}: shown:\n{}\nprinted:\n{}",
            page.display(),
            block(output),
            block(&lines)
        );
        text = text.replacen(&block(output), &block(&lines), 1);
        std::fs::write(page, &text).expect("the page is written");
    }
    commands.len()
}

#[test]
fn the_pages_of_the_book_show_what_is_printed() {
    let commands: usize = book::pages().iter().map(|page| check(page)).sum();
    assert!(commands > 30, "only {commands} commands were found");
}

#[test]
fn the_readme_shows_what_is_printed() {
    assert!(check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")) > 0);
}

#[test]
fn what_differs_is_noticed() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&lines("a\n…\nd"), &lines("a\nb\nc\nd")));
    assert!(fits(&lines("…\nsearch: 0.1 s, done"), &lines("search: 12 s, done")));
    assert!(!fits(&lines("a\n…\nd"), &lines("a\nb")));
    assert!(!fits(&lines("a"), &lines("a\nb")));
    assert!(!fits(&lines("line 12 s"), &lines("line 13 steps")));
    assert!(!fits(&lines("line 12"), &lines("line 13")));
    let commands = shown("text\n```console\n$ a \\\n  b\nout\n$ c\n```\n```sh\n$ d\n```\n");
    let found: Vec<(&str, usize)> = commands.iter().map(|shown| (&*shown.command, shown.output.len())).collect();
    assert_eq!(found, [("a \\\n  b", 1), ("c", 0)]);
}

/// The planted mistakes of `docs/compare` are where its script expects reports.
#[test]
fn planted_mistakes_of_the_comparison_are_found_where_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/compare");
    let script = std::fs::read_to_string(folder.join("compare.sh")).expect("the script");
    let programs =
        script.split("programs=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a list of programs");
    let words: Vec<&str> = programs.split(' ').collect();
    let planted: Vec<_> = words.chunks(2).filter(|pair| pair[1] != "-").collect();
    assert_eq!((words.len(), planted.len()), (20, 5));
    for pair in planted {
        let property = if pair[0] == "average_bug" { "no-overflow" } else { "valid-memsafety" };
        let output = Command::new(env!("CARGO_BIN_EXE_margay"))
            .args(["verify", "--no-witness", "--malloc-may-fail", "--property", property])
            .arg(format!("{}.c", pair[0]))
            .current_dir(&folder)
            .output()
            .expect("it runs");
        let reported = String::from_utf8_lossy(&output.stdout);
        assert!(reported.contains("Verification result: FALSE("), "{}: {reported}", pair[0]);
        assert!(reported.contains(&format!("--> {}.c:{}:", pair[0], pair[1])), "{}: {reported}", pair[0]);
    }
}

/// What a run reads is part of its report: bytes that library functions put into memory.
#[test]
fn what_was_read_is_reported() {
    let folder = workplace();
    let text = "#include <stdio.h>\nint main(void) {\n  char line[8], to[4];\n  if (fgets(line, 8, stdin) == 0) return 0;\n  \
                if (line[0] == 'q' && line[1] == 'x') to[line[0]] = 1;\n  return 0;\n}\n";
    std::fs::write(folder.path().join("t.c"), text).expect("a program");
    let output = Command::new(env!("CARGO_BIN_EXE_margay"))
        .args(["verify", "t.c", "--no-witness"])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let reported = String::from_utf8_lossy(&output.stdout);
    assert!(reported.contains("Given in memory: variable `line` of `main`: \"qx"), "{reported}");
    assert!(reported.ends_with("Verification result: FALSE(valid-deref)\n"), "{reported}");
}
