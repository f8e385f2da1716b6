//! `margay contracts` finds what the expectations of `benchmarks/open` say, and nothing else, but for what
//! `benchmarks/open/differences.txt` lists as today's open ones; one that is settled must leave the list.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/open")
}

/// What is found, or to be found, in functions: `function: kind (line N)`.
type Faults = BTreeSet<String>;

/// The faults that `NAME.expected` states.
fn expected(path: &Path) -> Faults {
    let text = std::fs::read_to_string(path).expect("the expectations");
    let entries = text.lines().filter_map(|line| line.trim().strip_prefix("- {name: "));
    let stated = entries.map(|entry| {
        let (name, rest) = entry.split_once(", line: ").expect("a line");
        let (_, rest) = rest.split_once("expected: '").expect("what is expected");
        let (fault, _) = rest.split_once('\'').expect("the end of what is expected");
        (name, fault)
    });
    stated.filter(|(_, fault)| *fault != "no error").map(|(name, fault)| format!("{name}: {fault}")).collect()
}

/// The faults that are reported, each once.
fn found(program: &Path) -> Faults {
    let json = tempfile::NamedTempFile::new().expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    let output = command.arg("contracts").arg("--json").arg(json.path()).arg(program).output().expect("a run");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(json.path()).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_else(|| panic!("a list, not {value}"));
    let mut faults = Faults::new();
    for function in list(&report["files"][0]["functions"]) {
        let name = function["name"].as_str().expect("a name");
        for finding in list(&function["findings"]) {
            let kind = finding["kind"].as_str().expect("a kind").replace('_', " ");
            faults.insert(format!("{name}: {kind} (line {})", finding["line"]));
        }
    }
    faults
}

#[test]
fn planted_faults_are_found_and_no_others() {
    let files = std::fs::read_dir(folder()).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut programs: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    programs.sort();
    let (mut planted, mut differences) = (0, BTreeSet::new());
    for program in &programs {
        let (expected, found) = (expected(&program.with_extension("expected")), found(program));
        planted += expected.len();
        let name = program.file_name().expect("a name").to_string_lossy();
        differences.extend(expected.difference(&found).map(|fault| format!("{name} {fault} is not found")));
        differences.extend(found.difference(&expected).map(|fault| format!("{name} {fault} is reported")));
    }
    assert!(planted >= 25, "{planted} planted faults in {} files", programs.len());
    let text = std::fs::read_to_string(folder().join("differences.txt")).unwrap_or_default();
    let listed: BTreeSet<String> =
        text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect();
    let new: Vec<_> = differences.difference(&listed).collect();
    assert!(new.is_empty(), "{new:#?}");
    let settled: Vec<_> = listed.difference(&differences).collect();
    assert!(settled.is_empty(), "take these off benchmarks/open/differences.txt: {settled:#?}");
}
