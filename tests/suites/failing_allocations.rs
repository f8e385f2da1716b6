//! Violations that need a failed allocation: told with the allocation that fails, confirmed from both witnesses, and shown by the harness
//! under AddressSanitizer. Where allocations do not fail, none of them is reported.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Fewer would mean that the folder is not looked at.
const LEAST_TASKS: usize = 10;

fn margay(args: &[&str], files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_margay")).args(args).args(files).output().expect("the binary runs")
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

/// The violating tasks, with their properties' names.
fn tasks() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/failing");
    let files = std::fs::read_dir(folder).expect("the tasks are there").flatten().map(|entry| entry.path());
    let mut found: Vec<(PathBuf, String)> = files
        .filter(|path| path.to_string_lossy().ends_with("_unsafe.yml"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a task");
            let (_, rest) = text.split_once("property-files/").expect("a property");
            let name = rest.split_once(".prp").expect("a property file").0;
            (path.with_extension("c"), name.to_owned())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn failed_allocations_are_told_confirmed_and_shown() {
    let tasks = tasks();
    assert!(tasks.len() >= LEAST_TASKS, "{} tasks", tasks.len());
    for (file, property) in &tasks {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let (graph, list, harness) = (at("w.graphml"), at("w.yml"), at("harness.c"));
        let name = file.display();
        let reported = margay(
            &[
                "verify",
                "--malloc-may-fail",
                "-p",
                property,
                "--witness",
                &graph,
                "--witness-yaml",
                &list,
                "--harness",
                &harness,
            ],
            &[file],
        );
        let text = String::from_utf8_lossy(&reported.stdout).into_owned() + &String::from_utf8_lossy(&reported.stderr);
        assert!(last_line(&reported).contains("FALSE"), "{name}: {text}");
        // A block that is lost as the call returns is told with what was given.
        assert!(text.contains("returns null") || text.contains("Given by realloc"), "{name}: {text}");
        assert!(text.contains("Allocations may fail."), "{name}: {text}");
        for witness in [&graph, &list] {
            let judged = margay(&["validate", "--malloc-may-fail", "-p", property, witness], &[file]);
            assert_eq!(last_line(&judged), "Witness result: CONFIRMED", "{name} by {witness}");
        }
        let never = margay(&["verify", "--no-witness", "--timeout", "20s", "-p", property], &[file]);
        assert!(!last_line(&never).contains("FALSE"), "{name} without the option: {}", last_line(&never));
        show(file, &harness, &at("program"));
    }
}

/// The compiled program ends with a report of the sanitizer; nothing is shown where there is no gcc with one.
fn show(file: &Path, harness: &str, program: &str) {
    let text = std::fs::read_to_string(harness).expect("a harness");
    let options = text.split_once("-fno-builtin -Wl,").map(|(_, rest)| rest.split(' ').next().unwrap_or_default());
    let options = format!("-Wl,{}", options.expect("allocators that fail"));
    let built = Command::new("gcc")
        .args(["-w", "-g", "-fsanitize=address", "-fno-builtin", &options, "-o", program, harness])
        .arg(file)
        .output();
    let Ok(built) = built else { return };
    if !built.status.success() {
        let why = String::from_utf8_lossy(&built.stderr);
        assert!(why.contains("asan"), "{}: {why}", file.display());
        return;
    }
    let run = Command::new(program).output().expect("the program runs");
    let report = String::from_utf8_lossy(&run.stderr);
    assert!(report.contains("Sanitizer"), "{}: {report}", file.display());
}
