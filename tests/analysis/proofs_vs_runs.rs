//! The strongest test of a proof: whatever state a concrete run of the program visits where runs meet, the proof has it.

#[path = "../../fuzz/programs.rs"]
mod programs;
#[path = "../../fuzz/simulation.rs"]
mod simulation;
#[path = "../../fuzz/wrong.rs"]
mod wrong;

use std::fs;
use std::path::Path;
use std::time::Duration;

use margay::c::{SourceText, load, with_big_stack};
use margay::gamma::Random;
use margay::task::DataModel;

use programs::Program;
use wrong::{Effort, Tried, all_checks, read, refute};

const EFFORT: Effort = Effort { proof: Duration::from_secs(2), search: Duration::from_millis(50), runs: 4 };

/// Tries every `step`-th of the own list programs of a folder.
fn own_programs(folder: &str, ending: &str, step: usize) -> Tried {
    let mut tried = Tried::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(ending));
    files.sort();
    for file in files.into_iter().step_by(step) {
        let name = file.file_name().unwrap().to_string_lossy();
        let model = if name.contains("ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
        let result = with_big_stack(|| {
            let program = read(&load(&file, model).unwrap())?;
            // The two properties that ask most of the heap.
            let checks = all_checks();
            refute(&program, &[checks[0], checks[2]], 1, EFFORT, &mut tried)
        });
        assert!(result.is_ok(), "{name}: {}", result.unwrap_err());
    }
    tried
}

#[test]
fn proofs_of_own_unbounded_lists_contain_what_runs_visit() {
    let tried = own_programs("lists-unbounded", "_safe.c", 5);
    assert!(tried.proofs > 4 && tried.compared > 40 && tried.generalised > 0, "{tried:?}");
}

#[test]
fn proofs_of_own_trees_contain_what_runs_visit() {
    let tried = own_programs("trees", "_safe.c", 1);
    assert!(tried.proofs > 2 && tried.compared > 40 && tried.generalised > 0, "{tried:?}");
}

#[test]
fn proofs_of_own_lists_contain_what_runs_visit() {
    let tried = own_programs("lists", ".c", 1);
    assert!(tried.proofs > 20 && tried.compared > 500, "{tried:?}");
}

#[test]
fn proofs_of_random_programs_contain_what_runs_visit() {
    let mut tried = Tried::default();
    let mut random = Random(7);
    for _ in 0..24 {
        let program = Program::random(&mut random);
        let text = program.text();
        let effort = Effort { proof: Duration::from_millis(700), ..EFFORT };
        let result = with_big_stack(|| {
            let program = read(&SourceText::from_text("random.c", &text, DataModel::Lp64))?;
            refute(&program, &all_checks(), 3, effort, &mut tried)
        });
        assert!(result.is_ok(), "{}\n{text}", result.unwrap_err());
    }
    assert!(tried.proofs > 20 && tried.compared > 100, "{tried:?}");
}
