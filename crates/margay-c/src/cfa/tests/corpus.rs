//! Every task of a corpus that stands next to the repository is lowered and validated.

use std::path::{Path, PathBuf};

use super::super::{LowerOptions, lower, validate};
use crate::c;
use crate::task::DataModel;

/// Preprocessed files below `folder`, sorted.
fn tasks(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(tasks(&path));
        } else if path.extension().is_some_and(|e| e == "i") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn model_of(path: &Path) -> DataModel {
    let definition = std::fs::read_to_string(path.with_extension("yml")).unwrap_or_default();
    if definition.contains("LP64") { DataModel::Lp64 } else { DataModel::Ilp32 }
}

#[test]
fn a_corpus_is_lowered() {
    let folder = std::env::var_os("MARGAY_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    let files = tasks(&folder.join("tasks"));
    let (mut failures, mut shown) = (0, String::new());
    for path in &files {
        let result = c::with_big_stack(|| {
            let source = c::load(path, model_of(path)).map_err(|e| e.to_string())?;
            let unit = c::parse(&source).map_err(|e| e.to_string())?;
            for overflow_checks in [false, true] {
                let options =
                    LowerOptions { overflow_checks, malloc_may_fail: overflow_checks, ..LowerOptions::default() };
                let program = lower(&unit, &options).map_err(|e| e.to_string())?;
                validate(&program)?;
            }
            Ok::<(), String>(())
        });
        if let Err(why) = result {
            failures += 1;
            shown += &format!("{}: {why}\n", path.display());
        }
    }
    assert!(failures * 100 <= files.len(), "{failures} of {} tasks are not lowered:\n{shown}", files.len());
}
