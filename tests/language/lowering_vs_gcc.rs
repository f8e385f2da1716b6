//! Programs whose result sums up everything they compute, run by the interpreter and compiled by gcc.

use std::path::{Path, PathBuf};
use std::process::Command;

use margay::c;
use margay::cfa::{LowerOptions, lower, validate};
use margay::concrete::{Outcome, RunLimits, Source, run};
use margay::memory::Checks;
use margay::task::DataModel;

const MAX_STEPS: u64 = 2_000_000;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/lowering_vs_gcc");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the programs are there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    found.sort();
    found
}

/// The status of the compiled program; `None` where gcc does not take it (no such data model, no `__int128` in it).
fn compiled(path: &Path, model: DataModel) -> Option<i32> {
    let folder = tempfile::tempdir().ok()?;
    let program = folder.path().join("program");
    let flag = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let built = Command::new("gcc")
        .args([flag, "-std=gnu11", "-D_GNU_SOURCE", "-w", "-O0", "-fwrapv", "-fno-builtin", "-o"])
        .arg(&program)
        .arg(path)
        .arg("-lm")
        .output()
        .ok()?;
    if !built.status.success() {
        return None;
    }
    Command::new(&program).status().ok()?.code()
}

/// The status of the interpreted program, or how else it ended.
fn interpreted(path: &Path, model: DataModel) -> Result<i32, String> {
    c::with_big_stack(|| {
        let unit = c::load(path, model).and_then(|source| c::parse(&source)).unwrap_or_else(|e| panic!("{e}"));
        let program = lower(&unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(validate(&program), Ok(()));
        let checks = Checks { deref: true, free: true, memtrack: true, memcleanup: true, ..Checks::default() };
        match run(&program, &checks, Source::Random { seed: 1 }, &RunLimits::steps(MAX_STEPS)).outcome {
            Outcome::Finished(Some(status)) => Ok(status),
            other => Err(format!("{other:?}")),
        }
    })
}

#[test]
fn results_are_those_of_gcc() {
    for path in programs() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let Some(expected) = compiled(&path, model) else { continue };
            let status = interpreted(&path, model).unwrap_or_else(|e| panic!("{} on {model:?}: {e}", path.display()));
            assert_eq!(status & 0xff, expected, "{} on {model:?}", path.display());
        }
    }
}
