//! The two encodings of bounded model checking side by side, on programs of `tests/analysis/feasibility` and on a slice that builds
//! a list.
//!
//! The quantified encoding often gives up at its time limit, which is then what is measured: `--nocapture` tests of
//! `tests/analysis/feasibility` print which programs it decides.

use std::time::Duration;

use divan::{Bencher, black_box};
use margay::base::limits::Limits;
use margay::bmc::{Encoding, Placement, Quantified, Question, Unrolled, whole_program};
use margay::c::{self, SourceText};
use margay::cfa::{LowerOptions, lower};
use margay::memory::Checks;
use margay::task::DataModel;

#[path = "../tests/analysis/feasibility/programs.rs"]
#[allow(dead_code)]
mod programs;

fn main() {
    c::with_big_stack(divan::main);
}

/// Values, a loop, calls, arrays, the heap.
const NAMES: [&str; 6] =
    ["no_overflow_when_small", "loop_reaches_five", "recursion", "array_index", "double_free", "two_blocks_apart"];

/// What a question may take.
const LIMIT: Duration = Duration::from_millis(500);

fn ask(bencher: Bencher, encoding: &dyn Encoding, text: &str, bound: u32) {
    let source = SourceText::from_text("case.c", &format!("{}{text}", programs::PRELUDE), DataModel::Lp64);
    let unit = c::parse(&source).unwrap_or_else(|e| panic!("{text}: {e}"));
    let options = LowerOptions { overflow_checks: true, ..LowerOptions::default() };
    let program = lower(&unit, &options).unwrap_or_else(|e| panic!("{text}: {e}"));
    let checks = Checks { reach_call: true, deref: true, free: true, overflow: true, ..Checks::default() };
    let slice = whole_program(&program, bound).unwrap_or_else(|e| panic!("{text}: {e}"));
    bencher.bench_local(|| {
        let limits = Limits::none().within(LIMIT);
        let question = Question {
            program: black_box(&program),
            checks: &checks,
            slice: &slice,
            start: None,
            bound,
            placement: Placement::Fresh,
            limits: &limits,
        };
        encoding.feasible(&question)
    });
}

fn case(bencher: Bencher, encoding: &dyn Encoding, name: &str) {
    if let Some(case) = programs::CASES.iter().find(|case| case.name == name) {
        ask(bencher, encoding, case.text, case.bound);
    }
}

#[divan::bench(args = NAMES, sample_count = 10)]
fn unrolled(bencher: Bencher, name: &str) {
    case(bencher, &Unrolled, name);
}

#[divan::bench(args = NAMES, sample_count = 3)]
fn quantified(bencher: Bencher, name: &str) {
    case(bencher, &Quantified, name);
}

/// A list is built and its third element, if any, used after it is freed.
const LIST: &str = "
int main(void) {
    struct node *head = 0;
    while (input()) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    if (head && head->next && head->next->next) {
        free(head->next->next);
        head->next->next->value = 1;
    }
    return 0;
}";

/// Edges of the slice: with 12 no list is long enough, with 24 one is.
const BOUNDS: [u32; 2] = [12, 24];

#[divan::bench(args = BOUNDS, sample_count = 10)]
fn list_unrolled(bencher: Bencher, bound: u32) {
    ask(bencher, &Unrolled, LIST, bound);
}

#[divan::bench(args = BOUNDS, sample_count = 3)]
fn list_quantified(bencher: Bencher, bound: u32) {
    ask(bencher, &Quantified, LIST, bound);
}
