//! The project's own tasks, and a sample of a neighbouring corpus, through the real binary.
//!
//! Two kinds of expectation. *Soundness*: no answer contradicts the expected one, ever. *Precision*: every task is answered,
//! but for those `benchmarks/unknown.txt` lists as today's open ones; one of these that got an answer must leave the list.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One row of the results: the task's path, the property, what was expected, the answer and its status.
struct Row {
    task: String,
    property: String,
    expected: String,
    answer: String,
    status: String,
}

/// The fields of a line of comma-separated values, quotes removed.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => {
                if let Some(last) = fields.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    fields
}

fn bench(tasks: &[PathBuf], timeout: &str) -> Vec<Row> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let csv = folder.path().join("results.csv");
    let output = Command::new(env!("CARGO_BIN_EXE_margay"))
        .args(["bench", "--jobs", "2", "--timeout", timeout, "--memory", "4GB", "--csv"])
        .arg(&csv)
        .args(tasks)
        .output()
        .expect("the binary runs");
    let text = std::fs::read_to_string(&csv)
        .unwrap_or_else(|error| panic!("no results ({error}): {}", String::from_utf8_lossy(&output.stderr)));
    text.lines()
        .skip(1)
        .map(|line| {
            let mut fields = fields(line).into_iter();
            let mut next = || fields.next().unwrap_or_default();
            Row { task: next(), property: next(), expected: next(), answer: next(), status: next() }
        })
        .collect()
}

fn describe(rows: &[&Row]) -> String {
    let line =
        |row: &&Row| format!("\n  {} {}: expected {}, answer {}", row.task, row.property, row.expected, row.answer);
    rows.iter().map(line).collect()
}

fn assert_sound(rows: &[Row]) {
    let bad: Vec<&Row> = rows.iter().filter(|row| row.status != "correct" && row.status != "unknown").collect();
    assert!(bad.is_empty(), "wrong answers or errors:{}", describe(&bad));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// `folder/name property` of each task that is open today.
fn open_tasks() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("benchmarks/unknown.txt")).expect("the list of open tasks");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

fn key(row: &Row) -> String {
    let path = Path::new(&row.task);
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    format!("{folder}/{name} {}", row.property)
}

/// The task files of a folder, split into those with an open property and the others.
fn own_tasks(open: &BTreeSet<String>) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let is_open = |path: &Path| {
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let name = format!("{folder}/{} ", path.file_stem().unwrap_or_default().to_string_lossy());
        open.iter().any(|line| line.starts_with(&name))
    };
    let pattern = root().join("benchmarks/*/*.yml");
    let tasks = glob::glob(&pattern.to_string_lossy()).expect("a pattern").flatten();
    tasks.partition(|path| is_open(path))
}

#[test]
fn own_tasks_are_answered_right() {
    let open = open_tasks();
    let (hard, tasks) = own_tasks(&open);
    assert!(tasks.len() > 500, "only {} tasks found", tasks.len());
    let rows = bench(&tasks, "60s");
    assert!(rows.len() >= tasks.len());
    assert_sound(&rows);
    let unknown: Vec<&Row> = rows.iter().filter(|row| row.status == "unknown").collect();
    assert!(unknown.is_empty(), "no longer answered:{}", describe(&unknown));

    let rows = bench(&hard, "3s");
    assert_sound(&rows);
    let improved: Vec<&Row> = rows.iter().filter(|row| row.status == "correct" && open.contains(&key(row))).collect();
    assert!(improved.is_empty(), "answered now, take them off benchmarks/unknown.txt:{}", describe(&improved));
}

/// Every ninth task of the corpus, where there is one.
#[test]
fn a_sample_of_the_corpus_is_answered_right() {
    let pattern = root().join("../shared/corpus/tasks/*/*.yml");
    let tasks: Vec<PathBuf> = glob::glob(&pattern.to_string_lossy()).expect("a pattern").flatten().step_by(9).collect();
    if tasks.is_empty() {
        return;
    }
    let rows = bench(&tasks, "5s");
    assert_sound(&rows);
    let correct = rows.iter().filter(|row| row.status == "correct").count();
    assert!(4 * correct >= 3 * rows.len(), "only {correct} of {} answers", rows.len());
}

/// Programs where front ends and library models go wrong, where they are there: none is answered wrong, and most are answered.
#[test]
fn cases_of_the_language_and_its_library_are_not_answered_wrong() {
    let pattern = root().join("../shared/corpus-cases/tasks/*/*.yml");
    let mut tasks: Vec<PathBuf> = glob::glob(&pattern.to_string_lossy()).expect("a pattern").flatten().collect();
    if !Path::new("/usr/include/x86_64-linux-gnu/gnu/stubs-32.h").exists() {
        tasks.retain(|task| std::fs::read_to_string(task).is_ok_and(|text| !text.contains("ILP32")));
    }
    if tasks.is_empty() {
        return;
    }
    let rows = bench(&tasks, "4s");
    assert_sound(&rows);
    let correct = rows.iter().filter(|row| row.status == "correct").count();
    assert!(10 * correct >= 9 * rows.len(), "only {correct} of {} answers", rows.len());
}
