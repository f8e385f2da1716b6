//! Csmith's programs come to the same checksum in the interpreter as compiled by gcc with and without optimisation, in both data
//! models. They have no undefined behaviour, so that the interpreter must not see any either. Half of them have volatile objects, a
//! third computes with floating numbers.
//!
//! `MARGAY_CSMITH=COUNT` or `MARGAY_CSMITH=FIRST..END` runs other seeds than the fixed few.

mod programs;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use margay::c::{self, SourceText};
use margay::cfa::{LowerOptions, lower, validate};
use margay::concrete::{Outcome, RunLimits, Source, run};
use margay::memory::Checks;
use margay::task::DataModel;
use margay::verdict::Inputs;
use programs::{Batch, Header};

/// Seeds of the short run, for both data models each.
const SEEDS: Range<u64> = 1..121;
/// Programs that are compiled together.
const BATCH: u64 = 16;
const WORKERS: usize = 2;
const MAX_STEPS: u64 = 4_000_000;
/// The share of programs that may take more steps: some of Csmith's programs never end.
const MAX_SKIPPED_PERCENT: usize = 20;
/// The share of programs that may differ where C leaves a conversion undefined.
const MAX_UNDEFINED_PERCENT: usize = 1;
/// A program without any global variable has nothing to sum up; more than this would make the test hollow.
const MIN_CHECKSUMS_PERCENT: usize = 90;

/// What the programs came to.
#[derive(Default)]
struct Findings {
    agreed: usize,
    /// Too many steps.
    skipped: usize,
    /// See [`Batch::converts_too_much`].
    undefined: usize,
    /// How often each checksum came up.
    checksums: BTreeMap<u32, usize>,
    /// What went wrong, by seed and model.
    failures: Vec<String>,
}

impl Findings {
    fn add(&mut self, other: Findings) {
        self.agreed += other.agreed;
        self.skipped += other.skipped;
        self.undefined += other.undefined;
        for (checksum, times) in other.checksums {
            *self.checksums.entry(checksum).or_default() += times;
        }
        self.failures.extend(other.failures);
    }
}

fn seeds() -> Range<u64> {
    let Ok(asked) = std::env::var("MARGAY_CSMITH") else { return SEEDS };
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("MARGAY_CSMITH is COUNT or FIRST..END"));
    match asked.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => 1..number(&asked) + 1,
    }
}

/// The checksum the interpreter arrives at, `None` where it takes too long.
fn interpreted(text: &str, model: DataModel, overflow: bool) -> Result<Option<u32>, String> {
    let source = SourceText::from_text("p.c", text, model);
    let unit = c::parse(&source).map_err(|e| e.to_string())?;
    let options = LowerOptions { overflow_checks: overflow, ..LowerOptions::default() };
    let program = lower(&unit, &options).map_err(|e| e.to_string())?;
    validate(&program).map_err(|e| format!("{e:?}"))?;
    let checks = Checks { deref: true, free: true, memtrack: true, memcleanup: true, overflow, ..Checks::default() };
    let run = run(&program, &checks, Source::Given(Inputs::default()), &RunLimits::steps(MAX_STEPS));
    match run.outcome {
        Outcome::Finished(Some(status)) => Ok(Some(status as u32)),
        Outcome::StepLimit => Ok(None),
        other => Err(format!("{other:?}")),
    }
}

/// Compares the programs of some seeds.
fn compare(seeds: Range<u64>, header: &Header, folder: &Path) -> Findings {
    let batch = Batch::new(seeds, header, folder);
    let mut findings = Findings::default();
    for (index, program) in batch.programs.iter().enumerate() {
        let name = format!("seed {} on {:?}", program.seed, header.model);
        // Half of them also show that no operation overflows.
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            interpreted(&program.interpreted(), header.model, program.seed.is_multiple_of(2))
        }));
        let attempt = attempt.unwrap_or_else(|_| Err("a panic".into()));
        let failure = match attempt {
            Ok(None) => {
                findings.skipped += 1;
                continue;
            }
            Err(why) => why,
            Ok(Some(found)) => match batch.checksums(index) {
                Ok(expected) if expected.iter().all(|expected| *expected == found) => {
                    findings.agreed += 1;
                    *findings.checksums.entry(found).or_default() += 1;
                    continue;
                }
                Ok(_) if program.seed.is_multiple_of(3) && batch.converts_too_much(index) => {
                    findings.undefined += 1;
                    continue;
                }
                Ok(expected) => format!("{found:#x} and not {expected:#x?}"),
                Err(why) => why,
            },
        };
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("csmith-{}.i", program.seed));
        let place = std::fs::write(&kept, program.interpreted())
            .map_or_else(|e| e.to_string(), |()| kept.display().to_string());
        findings.failures.push(format!("{name}: {failure} ({place})"));
    }
    findings
}

#[test]
fn checksums_are_those_of_gcc() {
    if let Some(missing) = programs::missing() {
        println!("left out: there is no {missing} here");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for the programs");
    let models = [DataModel::Lp64, DataModel::Ilp32];
    let headers: Vec<Header> = models.into_iter().filter_map(|model| Header::new(model, folder.path())).collect();
    assert!(!headers.is_empty(), "gcc cannot preprocess the header");
    let seeds = seeds();
    let (next, found) = (AtomicU64::new(seeds.start), Mutex::new(Findings::default()));
    std::thread::scope(|scope| {
        for worker in 0..WORKERS {
            let (next, found, seeds, headers) = (&next, &found, &seeds, &headers);
            let folder: PathBuf = folder.path().join(worker.to_string());
            scope.spawn(move || {
                c::with_big_stack(|| {
                    std::fs::create_dir(&folder).expect("a worker's own folder");
                    loop {
                        let first = next.fetch_add(BATCH, Ordering::Relaxed);
                        if first >= seeds.end {
                            return;
                        }
                        for header in headers {
                            let findings = compare(first..seeds.end.min(first + BATCH), header, &folder);
                            found.lock().expect("no worker panics with the lock").add(findings);
                        }
                    }
                });
            });
        }
    });
    let found = found.into_inner().expect("no worker panicked with the lock");
    let all = found.agreed + found.skipped + found.undefined + found.failures.len();
    println!(
        "{all} programs: {} agree ({} checksums), {} take more than {MAX_STEPS} steps, {} differ where C leaves a \
         conversion undefined, {} differ",
        found.agreed,
        found.checksums.len(),
        found.skipped,
        found.undefined,
        found.failures.len(),
    );
    assert!(found.failures.is_empty(), "{}", found.failures.join("\n"));
    assert_eq!(all as u64, (seeds.end - seeds.start) * headers.len() as u64);
    assert!(found.skipped * 100 <= all * MAX_SKIPPED_PERCENT, "{} of {all} programs are skipped", found.skipped);
    assert!(
        found.undefined * 100 <= all * MAX_UNDEFINED_PERCENT,
        "{} of {all} programs are undefined",
        found.undefined
    );
    let different = found.checksums.len() * headers.len();
    assert!(different * 100 >= found.agreed * MIN_CHECKSUMS_PERCENT, "only {different} different checksums");
}
