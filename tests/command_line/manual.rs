//! What the tool says of itself: scripts for shells, manual pages, its version.

use std::fs;
use std::process::{Command, Output, Stdio};

const COMMANDS: [&str; 10] =
    ["verify", "bench", "report", "run", "validate", "show", "diagnose", "contracts", "audit", "check-proof"];

fn margay(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_margay")).args(arguments).output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = margay(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn shells_can_read_the_scripts() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        for word in COMMANDS.iter().chain(&["data-model", "trace-cegar", "no-config"]) {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
        // Reading without executing, where the shell is installed.
        let check = Command::new(shell).arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let Ok(mut check) = check else { continue };
        std::io::Write::write_all(&mut check.stdin.take().unwrap(), script.as_bytes()).unwrap();
        let read = check.wait_with_output().unwrap();
        assert!(read.status.success(), "{shell}: {}", String::from_utf8_lossy(&read.stderr));
    }
}

#[test]
fn bash_completes_options() {
    let script = format!(
        "{}\nCOMP_WORDS=(margay verify --data) COMP_CWORD=2\n_margay margay --data verify\necho \"${{COMPREPLY[@]}}\"",
        printed(&["completions", "bash"])
    );
    let output = Command::new("bash").args(["--norc", "-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "--data-model", "{output:?}");
}

#[test]
fn each_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    printed(&["man", pages.to_str().unwrap()]);
    let mut names: Vec<String> =
        fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let mut expected: Vec<String> =
        COMMANDS.iter().chain(&["completions", "man"]).map(|name| format!("margay-{name}.1")).collect();
    expected.push("margay.1".to_owned());
    expected.sort();
    assert_eq!(names, expected);
    let page = fs::read_to_string(pages.join("margay-verify.1")).unwrap();
    for part in [".SH SYNOPSIS", "\\-\\-data\\-model", "The exit code is 0"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn the_version_names_the_build() {
    let version = printed(&["--version"]);
    let mut lines = version.lines();
    // Competitions read the first line.
    assert_eq!(lines.next(), Some(&*format!("margay {}", env!("CARGO_PKG_VERSION"))));
    let rest: Vec<&str> = lines.collect();
    assert!(rest.iter().any(|line| line.starts_with("Z3 ")), "{version}");
    assert_eq!(printed(&["-V"]), format!("margay {}\n", env!("CARGO_PKG_VERSION")));
    // In a checkout, the commit is there, and is one of its own.
    let root = env!("CARGO_MANIFEST_DIR");
    if std::path::Path::new(root).join(".git").exists() {
        let commit = rest.iter().find_map(|line| line.strip_prefix("commit ")).expect("a commit");
        let known = Command::new("git").args(["cat-file", "-e", commit]).current_dir(root).status().unwrap();
        assert!(known.success(), "{commit}");
    }
}
