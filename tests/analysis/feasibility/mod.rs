//! Bounded model checking against the interpreter and against itself: every model is a run that shows the violation it promises,
//! no violation within the bound is missed, and the two encodings never disagree.
//!
//! `cargo test --release --test analysis feasibility -- --nocapture` prints the times of both encodings side by side. The quantified one
//! gets `MARGAY_QUANTIFIED_MS` milliseconds a program (300 by default); `MARGAY_CASE` selects programs by a part of their name,
//! and `MARGAY_EVERY=1` takes all of the own tasks instead of a sample.
//!
//! Mistakes put in on purpose, and who noticed:
//!
//! | mistake | noticed by |
//! | --- | --- |
//! | a freed block stays accessible | `end_of_life`, `data_freed` |
//! | `objsize` stays after `free` | `double_free`, `freed_twice` (both encodings) |
//! | a start's facts are ignored, or its freed blocks live | the answers from a heap (both encodings) |
//! | a start's blocks may overlap | the unrolled answers from a heap |
//! | pointers are followed one block deep only | `lost_blocks_are_found_and_no_others` |

mod leaks;
mod programs;
mod starts;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use margay::base::limits::Limits;
use margay::bmc::{Answer, Encoding, Placement, Quantified, Question, Unrolled, whole_program};
use margay::c::{self, SourceText};
use margay::cfa::{LowerOptions, Program, lower};
use margay::concrete::replay;
use margay::memory::Checks;
use margay::task::{DataModel, Property, PropertyFile, TaskDefinition, Violation};
use programs::{CASES, Case, PRELUDE};

const PLENTY: Duration = Duration::from_secs(120);

fn program(text: &str, overflow_checks: bool) -> Program {
    let source = SourceText::from_text("case.c", &format!("{PRELUDE}{text}"), DataModel::Lp64);
    let unit = c::parse(&source).unwrap_or_else(|e| panic!("{text}: {e}"));
    lower(&unit, &LowerOptions { overflow_checks, malloc_may_fail: false, ..LowerOptions::default() })
        .unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// What the case's property file would ask for.
fn checks(case: &Case) -> Checks {
    Checks {
        reach_call: case.shows != Some(Violation::ValidMemcleanup),
        deref: true,
        free: true,
        overflow: case.name.contains("overflow"),
        memcleanup: case.shows == Some(Violation::ValidMemcleanup) || case.name.contains("freed_on"),
        ..Checks::default()
    }
}

/// The encoding's answer: whether a violation is feasible, `None` where it is unclear; a promise that a replay breaks is an error.
fn ask(case: &Case, encoding: &dyn Encoding, placement: Placement, time: Duration) -> Result<Option<bool>, String> {
    let checks = checks(case);
    let program = program(case.text, checks.overflow);
    let slice = whole_program(&program, case.bound)?;
    let limits = Limits::none().within(time);
    let question = Question {
        program: &program,
        checks: &checks,
        slice: &slice,
        start: None,
        bound: case.bound,
        placement,
        limits: &limits,
    };
    let trace = match encoding.feasible(&question) {
        Answer::Infeasible { .. } => return Ok(Some(false)),
        Answer::Unclear(_) => return Ok(None),
        Answer::Feasible(trace) => trace,
    };
    for (index, placed) in trace.blocks.iter().enumerate() {
        let apart = |other: &margay::bmc::Placed| {
            placed.address + placed.size <= other.address || other.address + other.size <= placed.address
        };
        if placed.address == 0 || (placement == Placement::Fresh && !trace.blocks[..index].iter().all(apart)) {
            return Err(format!("{placed:?} lies over another block"));
        }
    }
    match replay(&program, &checks, &trace.inputs) {
        Ok(found) if found.violation == trace.fault.violation && Some(found.violation) == case.shows => Ok(Some(true)),
        Ok(found) => Err(format!("promised {:?}, a replay shows {:?}", trace.fault, found.violation)),
        Err(why) => Err(format!("promised {:?}, a replay on {:?} shows nothing ({why})", trace.fault, trace.inputs)),
    }
}

fn cases() -> impl Iterator<Item = &'static Case> {
    let only = std::env::var("MARGAY_CASE").unwrap_or_default();
    CASES.iter().filter(move |case| case.name.contains(&only))
}

#[test]
fn unrolled_answers_are_right() {
    c::with_big_stack(|| {
        for case in cases() {
            let answer = ask(case, &Unrolled, Placement::Fresh, PLENTY);
            assert_eq!(answer, Ok(Some(case.shows.is_some())), "{}", case.name);
        }
    });
}

/// In the paper's memory, where freed places are used again, at least the same violations are feasible.
#[test]
fn blocks_may_lie_anywhere() {
    c::with_big_stack(|| {
        for case in cases().filter(|case| case.bound <= 16) {
            let answer = ask(case, &Unrolled, Placement::Anywhere, PLENTY);
            assert_eq!(answer, Ok(Some(case.shows.is_some())), "{}", case.name);
        }
    });
}

#[test]
fn the_encodings_never_disagree() {
    let time = std::env::var("MARGAY_QUANTIFIED_MS").ok().and_then(|ms| ms.parse().ok()).unwrap_or(300);
    c::with_big_stack(|| {
        let mut decided = 0;
        println!("{:34} {:>6} {:>12} {:>12}", "program", "answer", "unrolled", "quantified");
        for case in cases() {
            let started = Instant::now();
            let unrolled = ask(case, &Unrolled, Placement::Fresh, PLENTY).expect(case.name).expect(case.name);
            let first = started.elapsed();
            let quantified = ask(case, &Quantified, Placement::Fresh, Duration::from_millis(time)).expect(case.name);
            let second = started.elapsed() - first;
            let shown = if quantified.is_some() { format!("{:.3} s", second.as_secs_f64()) } else { "-".into() };
            let answer = if unrolled { "run" } else { "none" };
            println!("{:34} {answer:>6} {:>10.3} s {shown:>12}", case.name, first.as_secs_f64());
            assert!(quantified.is_none_or(|answer| answer == unrolled), "{}: {quantified:?}", case.name);
            decided += usize::from(quantified.is_some());
        }
        println!("the quantified encoding decided {decided}");
    });
}

/// However slow the machine, these are decided: one of each answer, and one with memory.
#[test]
fn quantified_answers_are_right() {
    let names = ["unset_variable_can_be_anything", "no_overflow_when_small", "overflow_of_sum", "set_on_both_sides"];
    c::with_big_stack(|| {
        for case in CASES.iter().filter(|case| names.contains(&case.name)) {
            let answer = ask(case, &Quantified, Placement::Fresh, PLENTY);
            assert_eq!(answer, Ok(Some(case.shows.is_some())), "{}", case.name);
        }
    });
}

/// The own tasks' verdicts: what is promised and replays is expected, and nothing that happens is called impossible.
#[test]
fn own_tasks_are_not_contradicted() {
    let every = std::env::var("MARGAY_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(16);
    let mut tasks: Vec<PathBuf> = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks");
    for folder in ["language", "memory", "overflow", "lists", "library"] {
        for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
            tasks.extend(Some(entry.path()).filter(|path| path.extension().is_some_and(|e| e == "yml")));
        }
    }
    // What is open may be what C leaves undefined, of which nothing is claimed.
    let open = std::fs::read_to_string(root.join("unknown.txt")).expect("the list of open tasks");
    tasks.retain(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        !open.contains(&format!("/{name} "))
    });
    tasks.sort();
    assert!(tasks.len() > 100, "the own tasks are not there");
    let mut counts = [0; 4];
    c::with_big_stack(|| {
        for path in tasks.iter().step_by(every) {
            own_task(path, &mut counts);
        }
    });
    let [shown, excluded, open, failed] = counts;
    println!("violations shown {shown}, excluded up to a bound {excluded}, unclear {open}, not replayed {failed}");
    assert!(shown > 0 && excluded > 0);
}

fn own_task(path: &Path, counts: &mut [usize; 4]) {
    let Ok(task) = TaskDefinition::read(path) else { return };
    for property in &task.properties {
        let Ok(file) = PropertyFile::read(&property.file) else { continue };
        let checks = margay::question::checks(&file.checks);
        let options =
            LowerOptions { overflow_checks: checks.overflow, malloc_may_fail: false, ..LowerOptions::default() };
        let Ok(source) = c::load(&task.input_files[0], task.data_model) else { continue };
        let Some(program) = c::parse(&source).ok().and_then(|unit| lower(&unit, &options).ok()) else { continue };
        const BOUND: u32 = 48;
        let Ok(slice) = whole_program(&program, BOUND) else { continue };
        let limits = Limits::none().within(Duration::from_secs(2));
        let question = Question {
            program: &program,
            checks: &checks,
            slice: &slice,
            start: None,
            bound: BOUND,
            placement: Placement::Fresh,
            limits: &limits,
        };
        let answer = Unrolled.feasible(&question);
        let counted = match answer {
            Answer::Feasible(trace) => match replay(&program, &checks, &trace.inputs) {
                Ok(_) => {
                    assert_ne!(property.verdict, Some(true), "{}: a violation", path.display());
                    0
                }
                Err(_) => 3,
            },
            Answer::Infeasible { exhaustive, .. } => {
                let is_leak = property.subproperty.as_deref() == Some("valid-memtrack")
                    || file.checks == [Property::ValidMemtrack];
                let is_violated = property.verdict == Some(false) && !is_leak;
                assert!(!(exhaustive && is_violated), "{}: called impossible", path.display());
                1
            }
            Answer::Unclear(_) => 2,
        };
        counts[counted] += 1;
    }
}
