//! Runs by compact code against runs by `step` alone, which is what a run with a trace is.

use std::path::{Path, PathBuf};

use super::super::run::{Outcome, Run, RunLimits, run, run_with};
use super::super::{Concrete, Source};
use super::Compact;
use crate::c::{self, SourceText};
use crate::cfa::{LowerOptions, Program, lower};
use crate::memory::Checks;
use crate::task::DataModel;

const STEPS: u64 = 20_000;
const SEEDS: std::ops::Range<u64> = 0..3;

/// Everything that can go wrong is asked for but lost blocks, which a run with a trace looks for more often.
fn checks(overflow: bool) -> Checks {
    Checks { reach_call: true, deref: true, free: true, overflow, ..Checks::default() }
}

/// What a run came to.
fn summary(run: &Run) -> String {
    let Run { outcome, trace: _, story: _, steps, used_inputs, indeterminate, outside, approximated, round: _, .. } =
        run;
    // That a run goes round for ever is noticed sooner where each step is watched.
    let steps = if *outcome == Outcome::StepLimit { &STEPS } else { steps };
    format!("{outcome:?} {steps} {used_inputs:?} {indeterminate} {outside} {approximated:?}")
}

fn program(path: &Path, model: DataModel, overflow: bool) -> Option<Program> {
    let text = std::fs::read_to_string(path).expect("a file of the project");
    let unit = c::parse(&SourceText::from_text("p.c", &text, model)).ok()?;
    lower(&unit, &LowerOptions { overflow_checks: overflow, ..LowerOptions::default() }).ok()
}

/// Compares the runs of `program`; how many steps the code took.
fn compare(program: &Program, checks: &Checks, what: &str) -> u64 {
    let mut steps = 0;
    for seed in SEEDS {
        let limits = RunLimits { trace: true, ..RunLimits::steps(STEPS) };
        let slow = run(program, checks, Source::Random { seed }, &limits);
        let limits = RunLimits::steps(STEPS);
        for compact in [Compact::new(), Compact::eager()] {
            let fast = run_with(
                program,
                checks,
                Concrete::new(program.model, Source::Random { seed }),
                &limits,
                &mut |_, _| {},
                compact,
            )
            .0;
            assert_eq!(summary(&fast), summary(&slow), "{what}, seed {seed}");
        }
        steps += slow.steps;
    }
    steps
}

/// The own programs that need no preprocessor.
fn own_programs() -> Vec<PathBuf> {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the project").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn code_does_what_step_does_on_own_programs() {
    c::with_big_stack(|| {
        let (mut programs, mut steps) = (0, 0);
        for path in own_programs() {
            for (model, overflow) in [(DataModel::Lp64, false), (DataModel::Ilp32, true)] {
                let Some(program) = program(&path, model, overflow) else { continue };
                programs += 1;
                steps += compare(&program, &checks(overflow), &path.display().to_string());
            }
        }
        assert!(programs > 600 && steps > 200_000, "{programs} programs, {steps} steps");
    });
}

#[test]
fn code_leaves_what_is_not_simple_to_step() {
    let text = "
        unsigned u(void) { unsigned x; return x; }
        int shift(int by) { return 1 << by; }
        int __VERIFIER_nondet_int(void);
        __int128 wide = 1;
        int pick(int a) { return a > 3 ? a * 2 : a - 1; }
        int main(void) {
            double d = 0.5;
            long double e = 1;
            int a[3] = {1, 2, 3}, *p = a, *q = &a[2], sum = 0;
            for (int i = 0; i < 300; i++) {
                d = d * 1.25 - i;
                e = e + 1;
                wide = wide * 3;
                sum += p[i % 3] + (int)(q - p) + pick(i) + (q > p) + (u() & 1);
                unsigned long bits = (unsigned long)p ^ 1;
                sum += *(int *)(bits ^ 1);
                sum += shift(i % 40) % 7 + (d < 0) + (int)(wide >> 64);
                int n = __VERIFIER_nondet_int();
                if (n != 0)
                    sum += i / n;
            }
            return sum % 128;
        }";
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let unit = c::parse(&SourceText::from_text("p.c", text, model));
        let Ok(unit) = unit else { continue };
        let program = lower(&unit, &LowerOptions::default()).expect("it is understood");
        compare(&program, &checks(false), "mixed");
    }
}
