//! Random exploration never contradicts a task's verdict: what it finds is a run, so it must be the violation expected.
//!
//! By default a sample of `benchmarks/` gets a moment each. `MARGAY_EXPLORE=500 cargo test --release --test analysis
//! exploration -- --nocapture` gives every task there and of the public corpus 500 ms for each property and prints what was found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use margay::base::limits::Limits;
use margay::c;
use margay::cfa::{LowerOptions, Program, lower};
use margay::concrete::RandomSearch;
use margay::task::{Expected, Property, PropertyFile, TaskDefinition};

/// Of the sample.
const EVERY: usize = 16;
const MOMENT: Duration = Duration::from_millis(100);

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let given = std::env::var_os("MARGAY_CORPUS").map(PathBuf::from);
    given.or(Some(beside)).filter(|folder| folder.is_dir())
}

fn definitions(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            definitions(&path, found);
        } else if path.extension().is_some_and(|e| e == "yml") {
            found.push(path);
        }
    }
}

fn load(task: &TaskDefinition, overflow_checks: bool) -> Option<Program> {
    let source = c::load(task.input_files.first()?, task.data_model).ok()?;
    let unit = c::parse(&source).ok()?;
    lower(&unit, &LowerOptions { overflow_checks, malloc_may_fail: false, ..LowerOptions::default() }).ok()
}

/// Expected violations, and how many of them were found, by property.
#[derive(Default)]
struct Findings {
    expected: BTreeMap<String, (usize, usize)>,
    missed: Vec<String>,
    wrong: Vec<String>,
}

impl Findings {
    fn task(&mut self, path: &Path, time: Duration) {
        let Ok(task) = TaskDefinition::read(path) else { return };
        for property in &task.properties {
            let Ok(file) = PropertyFile::read(&property.file) else { continue };
            let overflow = file.checks.contains(&Property::NoOverflow);
            let Some(program) = load(&task, overflow) else { continue };
            let checks = margay::question::checks(&file.checks);
            let budget = Limits::none().within(time);
            let found = RandomSearch::new(&program, &checks, 1).explore(&budget, &budget);
            self.count(path, property, found.map(|f| (f.violation.name(), f.detail.to_string())));
        }
    }

    fn count(&mut self, path: &Path, property: &Expected, found: Option<(&str, String)>) {
        let name = format!("{} ({})", path.display(), property.name());
        if property.verdict == Some(false) {
            let (expected, hits) = self.expected.entry(property.name()).or_default();
            *expected += 1;
            *hits += usize::from(found.is_some());
        }
        match (property.verdict, found) {
            (Some(true), Some((violation, detail))) => {
                self.wrong.push(format!("{name}: {violation}: {detail}"));
            }
            (Some(false), Some((violation, detail)))
                if property.subproperty.as_deref().is_some_and(|expected| expected != violation) =>
            {
                self.wrong.push(format!("{name}: {violation} instead: {detail}"));
            }
            (Some(false), None) => self.missed.push(name),
            _ => {}
        }
    }
}

#[test]
fn what_random_runs_find_is_expected() {
    let time = std::env::var("MARGAY_EXPLORE").ok().and_then(|ms| ms.parse().ok()).map(Duration::from_millis);
    let mut tasks = Vec::new();
    definitions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks"), &mut tasks);
    tasks.sort();
    if time.is_none() {
        tasks = tasks.into_iter().step_by(EVERY).collect();
    } else if let Some(corpus) = corpus() {
        definitions(&corpus.join("tasks"), &mut tasks);
        tasks.sort();
    }
    // The programs must stay on the thread that parses them.
    let findings = c::with_big_stack(|| {
        let mut findings = Findings::default();
        for task in &tasks {
            findings.task(task, time.unwrap_or(MOMENT));
        }
        findings
    });
    for (property, (expected, hits)) in &findings.expected {
        println!("{property}: {hits} of {expected} violations found");
    }
    if time.is_some() {
        findings.missed.iter().for_each(|name| println!("  not found: {name}"));
    }
    assert!(findings.wrong.is_empty(), "\n{}", findings.wrong.join("\n"));
}
