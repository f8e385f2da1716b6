//! Models of library functions against the system's own, on random inputs: for each function, how many comparisons there are and that
//! all agree. The programs beside this file print a line a function; what they print is compared. The other memories are held
//! against the same lines, function by function and with fewer rounds (`memories`).

mod memories;

use std::path::{Path, PathBuf};
use std::process::Command;

use margay::c;
use margay::cfa::{LowerOptions, lower};
use margay::concrete::{Outcome, RunLimits, Source, Stream, World, run_in};
use margay::memory::Checks;
use margay::task::DataModel;

/// Each function is compared as often.
const LEAST: u64 = 100;
/// Fewer functions would mean that a program is not looked at.
const LEAST_FUNCTIONS: usize = 140;
const MAX_STEPS: u64 = 50_000_000;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/library_vs_glibc");
    let files = std::fs::read_dir(folder).expect("the programs are there").flatten();
    let mut found: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    found.sort();
    found
}

/// What the compiled program prints; `None` where gcc does not make programs of this data model.
fn compiled(path: &Path, model: DataModel, options: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let program = folder.path().join("program");
    let flag = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let always = [flag, "-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-builtin", "-o"];
    let built = Command::new("gcc").args(options).args(always).arg(&program).arg(path).arg("-lm").output().ok()?;
    if !built.status.success() {
        return None;
    }
    let output = Command::new(&program).output().ok()?;
    assert!(output.status.success(), "{}", path.display());
    String::from_utf8(output.stdout).ok()
}

/// What the interpreted program prints.
fn interpreted(path: &Path, model: DataModel) -> String {
    c::with_big_stack(|| {
        let unit = c::load(path, model).and_then(|source| c::parse(&source)).unwrap_or_else(|e| panic!("{e}"));
        let options = LowerOptions { world: true, ..LowerOptions::default() };
        let program = lower(&unit, &options).unwrap_or_else(|e| panic!("{e}"));
        let checks = Checks { deref: true, free: true, ..Checks::default() };
        let source = Source::Scripted { inputs: Vec::new(), seed: None };
        let (run, world) = run_in(World::default(), &program, &checks, source, &RunLimits::steps(MAX_STEPS));
        let written: Vec<u8> =
            world.written.into_iter().filter(|(to, _)| *to == Stream::Output).flat_map(|(_, t)| t).collect();
        let written = String::from_utf8(written).expect("numbers and names");
        assert_eq!(run.outcome, Outcome::Finished(Some(0)), "{} on {model:?}, after {written}", path.display());
        written
    })
}

#[test]
fn models_do_what_the_functions_do() {
    let mut functions = 0;
    let mut differ = Vec::new();
    for path in programs() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let Some(expected) = compiled(&path, model, &[]) else { continue };
            let found = interpreted(&path, model);
            assert_eq!(found.lines().count(), expected.lines().count(), "{}", path.display());
            for (found, expected) in found.lines().zip(expected.lines()) {
                let mut words = expected.split(' ');
                let (name, count) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                println!("{model:?} {name}: {count} comparisons");
                assert!(count.parse::<u64>().is_ok_and(|count| count >= LEAST), "{expected}");
                functions += 1;
                if found != expected {
                    differ.push(format!("{} on {model:?}: {found}, and not {expected}", path.display()));
                }
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(functions == 0 || functions >= LEAST_FUNCTIONS, "{functions} functions");
}
