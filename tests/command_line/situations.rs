//! What the command line does with input that is not as it should be, one row each: `situations.tsv` has the situation, a set-up
//! for the shell, the command, its exit status and parts of what it says. `docs/command-line.md` shows the same table.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::texts::MEMSAFETY;

/// A row of the table; rows of one heading follow each other.
struct Situation {
    heading: String,
    what: String,
    set_up: String,
    command: String,
    status: i32,
    /// In this order, in standard error and then standard output.
    parts: Vec<String>,
}

fn situations() -> Vec<Situation> {
    let mut heading = String::new();
    let mut found = Vec::new();
    for line in include_str!("situations.tsv").lines() {
        if let Some(text) = line.strip_prefix("# ") {
            heading = text.to_owned();
            continue;
        }
        let cells: Vec<&str> = line.split('\t').collect();
        let [what, set_up, command, status, message] = cells[..] else { panic!("not five cells: {line}") };
        found.push(Situation {
            heading: heading.clone(),
            what: what.to_owned(),
            set_up: set_up.to_owned(),
            command: command.to_owned(),
            status: status.parse().unwrap_or_else(|_| panic!("no status: {line}")),
            parts: message.split(" … ").filter(|part| !part.is_empty()).map(str::to_owned).collect(),
        });
    }
    found
}

/// A shell in the folder, which finds the tool by its name.
fn shell(folder: &Path, tools: &Path, text: &str) -> Output {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools.to_owned()].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut command = Command::new("bash");
    command.args(["-o", "pipefail", "-c", text]).current_dir(folder).env("PATH", path).output().unwrap()
}

/// What stands in the folder: a file's bytes, or where a link leads.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let content = |path: &Path| match fs::read_link(path) {
        Ok(target) => target.into_os_string().into_encoded_bytes(),
        Err(_) => fs::read(path).unwrap_or_default(),
    };
    entries.map(|path| (path.clone(), content(&path))).collect()
}

/// What is wrong with what the tool does, if something is.
fn judge(situation: &Situation, tools: &Path) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("ok.c", "int main(void) { return 0; }\n"),
        ("bug.c", "int main(void) {\n  int *p = 0;\n  return *p;\n}\n"),
        ("p.prp", MEMSAFETY),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let set_up = shell(folder.path(), tools, &situation.set_up);
    assert!(set_up.status.success(), "{}: {}", situation.set_up, String::from_utf8_lossy(&set_up.stderr));
    let before = contents(folder.path());
    let output = shell(folder.path(), tools, &situation.command);
    let after = contents(folder.path());
    let reported = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
    let mut rest = &reported[..];
    for part in &situation.parts {
        let Some((_, following)) = rest.split_once(part) else {
            return Some(format!("`{part}` is not said:\n{reported}"));
        };
        rest = following;
    }
    if output.status.code() != Some(situation.status) {
        return Some(format!("{}, not {}:\n{reported}", output.status, situation.status));
    }
    if situation.parts.is_empty() && !reported.is_empty() {
        return Some(format!("something is said: {reported}"));
    }
    if reported.contains("panicked") {
        return Some(reported);
    }
    if let Some((path, _)) = before.iter().find(|(path, text)| after.get(*path) != Some(text)) {
        return Some(format!("{} is changed", path.display()));
    }
    let left = after.keys().find(|path| path.extension().is_some_and(|extension| extension == "tmp"));
    left.map(|path| format!("{} is left", path.display()))
}

#[test]
fn each_situation_is_answered_as_the_table_says() {
    let tools = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_margay"), tools.path().join("margay")).unwrap();
    let situations = situations();
    assert!(situations.len() > 70, "{} situations", situations.len());
    let wrong: Vec<String> = situations
        .iter()
        .filter_map(|situation| judge(situation, tools.path()).map(|why| format!("$ {}\n{why}", situation.command)))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

/// The table of `docs/command-line.md`, from its heading to the end of the page.
fn table() -> String {
    let mut text = String::new();
    let mut heading = String::new();
    for situation in situations() {
        if situation.heading != heading {
            heading = situation.heading;
            text +=
                &format!("\n### {heading}\n\n| situation | command | status | message |\n| --- | --- | --- | --- |\n");
        }
        let code = |text: &str| match text.replace('|', "\\|") {
            text if text.is_empty() => String::new(),
            text if text.contains('`') => format!("`` {text} ``"),
            text => format!("`{text}`"),
        };
        let parts: Vec<String> = situation.parts.iter().map(|part| code(part)).collect();
        let Situation { what, command, status, .. } = situation;
        text += &format!("| {what} | {} | {status} | {} |\n", code(&command), parts.join(" … "));
    }
    text
}

#[test]
fn the_page_shows_the_table() {
    const HEADING: &str = "## Situations\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/command-line.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, after) = page.split_once(HEADING).expect("the heading of the table");
    let introduction = after.split("\n### ").next().unwrap_or_default();
    let expected = format!("{before}{HEADING}{}\n{}", introduction.trim_end(), table());
    if std::env::var_os("MARGAY_REWRITE").is_some() {
        fs::write(&path, &expected).unwrap();
    } else {
        assert_eq!(page, expected, "MARGAY_REWRITE=1 writes the table anew");
    }
}
