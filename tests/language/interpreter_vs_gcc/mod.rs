//! The interpreter against gcc: the same task on the same inputs must end in the same way.
//!
//! Each task is compiled once (and cached) with AddressSanitizer, LeakSanitizer and parts of UBSan. The interpreter runs
//! on random inputs; what it used is then given to the compiled task. By default a small sample is run. The full
//! comparison: `MARGAY_COMPARE=20 cargo test --release --test language interpreter_vs_gcc -- --nocapture` (20 input vectors for
//! each task below `benchmarks/` and of the public corpus, see [`corpus`]); `MARGAY_COMPARE_ONLY=text` restricts it to
//! tasks whose path contains the text.
//!
//! Not compared: runs that depend on anything but inputs (unwritten bytes, results of undefined functions), runs that the
//! interpreter cannot finish, and allocations gcc's runtime refuses.

mod compiled;
mod known;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use compiled::Ending;
use margay::c;
use margay::cfa::{LowerOptions, Program, lower};
use margay::concrete::{Outcome, Run, RunLimits, Source, run};
use margay::memory::Checks;
use margay::task::{TaskDefinition, Violation};
use margay::verdict::Event;

/// Of the quick comparison.
const SAMPLE_TASKS: usize = 12;
const SAMPLE_VECTORS: u64 = 5;
/// Edges per run; longer runs are not compared.
const MAX_STEPS: u64 = 400_000;

const CHECKS: Checks = Checks {
    reach_call: true,
    reach_label: false,
    assertions: false,
    deref: true,
    free: true,
    memtrack: false,
    memcleanup: false,
    overflow: true,
    termination: false,
};
const LEAKS: Checks = Checks { memtrack: true, ..CHECKS };

/// The public tasks, where they stand beside the repository or where `MARGAY_CORPUS` says.
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

fn load(task: &TaskDefinition) -> Result<Program, String> {
    let [source] = task.input_files.as_slice() else { return Err("several files".into()) };
    let options = LowerOptions { overflow_checks: true, malloc_may_fail: false, ..LowerOptions::default() };
    c::load(source, task.data_model)
        .and_then(|source| c::parse(&source).map(|unit| (unit, source)))
        .and_then(|(unit, _)| lower(&unit, &options))
        .map_err(|error| error.to_string())
}

/// What came of one comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Comparison {
    Same,
    Skipped(String),
    Different(String),
}

/// The inputs of a run in the order the compiled task asks for them, `None` where the run depended on anything else.
fn inputs(run: &Run) -> Option<Vec<u64>> {
    let mut values = Vec::new();
    let mut count = 0;
    for event in &run.trace {
        if let Event::Input { value, .. } = event {
            count += 1;
            values.push(value.value as u64);
            if value.width > 64 {
                values.push((value.value >> 64) as u64);
            }
        }
    }
    (run.indeterminate == 0 && count == run.used_inputs.values.len()).then_some(values)
}

/// Compares one run; the second result is whether other inputs could make it another.
fn compare(program: &Program, executable: &Path, seed: u64) -> (Comparison, bool) {
    let limits = RunLimits { trace: true, ..RunLimits::steps(MAX_STEPS) };
    let source = if seed == 0 { Source::Given(Default::default()) } else { Source::Random { seed } };
    let mine = run(program, &CHECKS, source, &limits);
    let is_open = !mine.used_inputs.values.is_empty() || mine.indeterminate > 0;
    (compare_run(program, executable, &mine), is_open)
}

fn compare_run(program: &Program, executable: &Path, mine: &Run) -> Comparison {
    let skip = |why: &str| Comparison::Skipped(why.into());
    match &mine.outcome {
        Outcome::StepLimit => return skip("too long"),
        Outcome::Stuck(why) => {
            return Comparison::Skipped(format!("stuck: {}", why.split(" at ").next().unwrap_or("")));
        }
        _ => {}
    }
    let Some(values) = inputs(mine) else { return skip("not decided by inputs") };
    let theirs = compiled::run(executable, &values);
    if let Ending::Incomparable(why) = &theirs {
        return Comparison::Skipped(format!("gcc: {why}"));
    }
    let leaks = || {
        let lazy = run(program, &LEAKS, Source::Given(mine.used_inputs.clone()), &RunLimits::steps(MAX_STEPS));
        matches!(lazy.outcome, Outcome::Violated(fault) if fault.violation == Violation::ValidMemtrack)
    };
    let agree = match (&mine.outcome, &theirs) {
        (Outcome::Finished(status), Ending::Exit(code)) => {
            if leaks() {
                return skip(HIDDEN_LEAK);
            }
            status.is_none_or(|status| status & 0xff == *code)
        }
        (Outcome::Finished(_), Ending::Leak) => leaks(),
        (Outcome::Aborted, Ending::Abort) | (Outcome::Vanished, Ending::Blocked) => true,
        // What comes of it is open.
        (Outcome::Undefined(_), _) => return skip("undefined behaviour"),
        (Outcome::Violated(fault), ending) => match fault.violation {
            Violation::UnreachCall => *ending == Ending::ErrorReached,
            Violation::ValidDeref => *ending == Ending::InvalidAccess,
            Violation::ValidFree => *ending == Ending::InvalidFree,
            Violation::NoOverflow => *ending == Ending::Overflow,
            Violation::ValidMemtrack | Violation::ValidMemcleanup | Violation::Termination => false,
        },
        _ => false,
    };
    if agree {
        return Comparison::Same;
    }
    Comparison::Different(format!("{theirs:?} but {:?} on {values:x?}", mine.outcome))
}

/// LeakSanitizer takes any word on the stack or in a register for a pointer, old ones too.
const HIDDEN_LEAK: &str = "a leak that LeakSanitizer does not see";

/// Figures of a comparison.
#[derive(Default)]
struct Table {
    programs: usize,
    same: usize,
    skipped: BTreeMap<String, usize>,
    /// Runs with [`HIDDEN_LEAK`] per task.
    hidden: BTreeMap<String, usize>,
    refused: Vec<String>,
    explained: BTreeMap<String, usize>,
    different: Vec<String>,
}

impl Table {
    fn task(&mut self, definition: &Path, vectors: u64) {
        let name = definition.components().rev().take(2).map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>();
        let name = format!("{}/{}", name.last().map_or("", |n| n), name[0].trim_end_matches(".yml"));
        let Ok(task) = TaskDefinition::read(definition) else {
            self.refused.push(format!("{name}: not a task definition"));
            return;
        };
        let program = match load(&task) {
            Ok(program) => program,
            Err(why) => return self.refused.push(format!("{name}: {why}")),
        };
        let Some(executable) = compiled::compile(&task.input_files[0], task.data_model) else {
            return self.refused.push(format!("{name}: gcc refuses it"));
        };
        self.programs += 1;
        for seed in 0..vectors {
            let (comparison, is_open) = compare(&program, &executable, seed);
            match comparison {
                Comparison::Same => self.same += 1,
                Comparison::Skipped(why) if why == HIDDEN_LEAK => *self.hidden.entry(name.clone()).or_default() += 1,
                Comparison::Skipped(why) => *self.skipped.entry(why).or_default() += 1,
                Comparison::Different(what) => match known::reason(&name) {
                    Some(why) => *self.explained.entry(format!("{name}: {why}")).or_default() += 1,
                    None => self.different.push(format!("{name}, seed {seed}: gcc says {what}")),
                },
            }
            if !is_open {
                break;
            }
        }
    }

    fn print(&self) {
        println!(
            "{} programs, {} runs with the same end, {} different",
            self.programs,
            self.same,
            self.different.len()
        );
        for (why, count) in &self.skipped {
            println!("  {count:6} runs not compared: {why}");
        }
        for (task, count) in &self.hidden {
            println!("  {count:6} runs not compared: {HIDDEN_LEAK}: {task}");
        }
        for (what, count) in &self.explained {
            println!("  {count:6} known differences: {what}");
        }
        for why in &self.refused {
            println!("  not run: {why}");
        }
    }
}

#[test]
fn runs_end_as_under_gcc() {
    if !std::process::Command::new("gcc").arg("--version").output().is_ok_and(|o| o.status.success()) {
        println!("no gcc here: nothing to compare with");
        return;
    }
    let full = std::env::var("MARGAY_COMPARE").ok().and_then(|vectors| vectors.parse().ok());
    let only = std::env::var("MARGAY_COMPARE_ONLY").ok();
    let mut tasks = Vec::new();
    definitions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks"), &mut tasks);
    if let Some(corpus) = corpus() {
        definitions(&corpus.join("tasks"), &mut tasks);
    }
    tasks.sort();
    if let Some(only) = &only {
        tasks.retain(|task| task.to_string_lossy().contains(only.as_str()));
    }
    if full.is_none() && only.is_none() {
        let every = tasks.len().div_ceil(SAMPLE_TASKS).max(1);
        tasks = tasks.into_iter().step_by(every).collect();
    }
    // The programs must stay on the thread that parses them.
    let table = c::with_big_stack(|| {
        let mut table = Table::default();
        for task in &tasks {
            table.task(task, full.unwrap_or(SAMPLE_VECTORS));
        }
        table
    });
    table.print();
    assert!(table.programs > 0 || tasks.is_empty(), "no task could be run");
    assert!(table.different.is_empty(), "\n{}", table.different.join("\n"));
}
