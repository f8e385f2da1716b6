//! Bounded model checking against the interpreter: every model is a run that shows the violation it promises, and every run
//! is a model of its encoding.

mod programs;

use std::time::{Duration, Instant};

use margay::base::limits::Limits;
use margay::bmc::{Answer, Encoding, Placement, Quantified, Question, Unrolled, whole_program};
use margay::c::{self, SourceText};
use margay::cfa::{LowerOptions, Program, lower};
use margay::concrete::replay;
use margay::memory::Checks;
use margay::task::{DataModel, Violation};
use programs::{CASES, Case, PRELUDE};

fn program(text: &str, overflow_checks: bool) -> Program {
    let source = SourceText::from_text("case.c", &format!("{PRELUDE}{text}"), DataModel::Lp64);
    let unit = c::parse(&source).unwrap_or_else(|e| panic!("{text}: {e}"));
    lower(&unit, &LowerOptions { overflow_checks, malloc_may_fail: false }).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// What the case's property file would ask for.
fn checks(case: &Case) -> Checks {
    Checks {
        reach_call: case.shows != Some(Violation::ValidMemcleanup),
        deref: true,
        free: true,
        overflow: matches!(case.shows, Some(Violation::NoOverflow)) || case.name.contains("overflow"),
        memcleanup: case.shows == Some(Violation::ValidMemcleanup) || case.name.contains("freed_on"),
        ..Checks::default()
    }
}

fn judge(case: &Case, encoding: &dyn Encoding, time: Duration) -> Result<(), String> {
    let checks = checks(case);
    let program = program(case.text, checks.overflow);
    let slice = whole_program(&program, case.bound)?;
    let limits = Limits::none().within(time);
    let question = Question {
        program: &program,
        checks: &checks,
        slice: &slice,
        bound: case.bound,
        placement: Placement::Fresh,
        limits: &limits,
    };
    match (encoding.feasible(&question), case.shows) {
        (Answer::Infeasible { .. }, None) => Ok(()),
        (Answer::Feasible(trace), Some(expected)) => match replay(&program, &checks, &trace.inputs) {
            Ok(found) if found.violation == expected && trace.fault.violation == expected => Ok(()),
            Ok(found) => Err(format!("promised {:?}, replay shows {:?}", trace.fault, found.violation)),
            Err(why) => Err(format!("promised {:?}, replay on {:?} shows nothing ({why})", trace.fault, trace.inputs)),
        },
        (answer, _) => Err(format!("{answer:?}")),
    }
}

fn judge_all(encoding: &dyn Encoding, time: Duration) {
    let mut wrong = Vec::new();
    let only = std::env::var("MARGAY_CASE").unwrap_or_default();
    for case in CASES.iter().filter(|case| case.name.contains(&only)) {
        let started = Instant::now();
        if let Err(why) = judge(case, encoding, time) {
            wrong.push(format!("{}: {why}", case.name));
        }
        println!("{:40} {:8.3} s", case.name, started.elapsed().as_secs_f64());
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
}

#[test]
fn unrolled_answers_are_right() {
    c::with_big_stack(|| judge_all(&Unrolled, Duration::from_secs(60)));
}

#[test]
fn quantified_answers_are_right() {
    c::with_big_stack(|| judge_all(&Quantified, Duration::from_secs(5)));
}
