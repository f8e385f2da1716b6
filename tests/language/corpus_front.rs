//! Every public task parses and types. Runs where the corpus stands beside the repository; a no-op elsewhere.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use margay::c;
use margay::task::DataModel;

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let given = std::env::var_os("MARGAY_CORPUS").map(PathBuf::from);
    given.or(Some(beside)).filter(|p| p.is_dir())
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            found.push(path);
        }
    }
}

fn model_of(path: &Path) -> DataModel {
    let task = std::fs::read_to_string(path.with_extension("yml")).unwrap_or_default();
    if task.contains("LP64") { DataModel::Lp64 } else { DataModel::Ilp32 }
}

#[test]
fn every_task_parses_and_types() {
    let Some(corpus) = corpus() else { return };
    let mut files = Vec::new();
    sources(&corpus, &mut files);
    files.sort();
    let mut failures = Vec::new();
    let mut times: Vec<(Duration, u64)> = Vec::new();
    c::with_big_stack(|| {
        for path in &files {
            let start = Instant::now();
            let unit = c::load(path, model_of(path)).and_then(|source| c::parse(&source));
            times.push((start.elapsed(), std::fs::metadata(path).map_or(0, |m| m.len())));
            match unit {
                Ok(unit) => assert!(!unit.functions.is_empty(), "{} has no function", path.display()),
                Err(error) => failures.push(error.to_string()),
            }
        }
    });
    let total: Duration = times.iter().map(|t| t.0).sum();
    let bytes: u64 = times.iter().map(|t| t.1).sum();
    times.sort_unstable();
    let median = times.get(times.len() / 2).map_or(Duration::ZERO, |t| t.0);
    println!(
        "{} files, {} failures, {:.1} MB in {total:?} ({:.1} MB/s), median {median:?}, longest {:?}",
        files.len(),
        failures.len(),
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / total.as_secs_f64(),
        times.last(),
    );
    for failure in &failures {
        println!("{failure}");
    }
    assert!(failures.len() * 100 <= files.len(), "{} of {} files failed", failures.len(), files.len());
}
