//! The ways from text to verdict: front-end speed in bytes, symbolic speed in steps.

use std::path::Path;
use std::rc::Rc;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use margay::ats::{Explorer, Finding};
use margay::base::limits::Limits;
use margay::c;
use margay::cfa::{self, LowerOptions, Program};
use margay::explore::Shapes;
use margay::heap::{Context, Smg};
use margay::memory::{Checks, initial};
use margay::smt::Z3Solver;
use margay::task::DataModel;

fn main() {
    // Benchmarks run on the calling thread, and the front end needs a deep stack.
    c::with_big_stack(divan::main);
}

/// Tasks of different kinds: arithmetic, short lists, strings.
const TASKS: [&str; 3] = [
    "benchmarks/language/bit_fields_lp64_safe.c",
    "benchmarks/lists/sll_reverse_safe.c",
    "benchmarks/lists/sll_insert_sorted_safe.c",
];

fn lowered(text: &c::SourceText) -> Program {
    let unit = c::parse(text).expect("the task parses");
    cfa::lower(&unit, &LowerOptions::default()).expect("the task is supported")
}

/// Text to automaton, in bytes of preprocessed text.
#[divan::bench(args = TASKS)]
fn front_end(bencher: Bencher, task: &str) {
    let text = c::load(Path::new(task), DataModel::Lp64).expect("the task is there");
    bencher.counter(BytesCount::new(text.text.len())).bench_local(|| lowered(&text));
}

/// Exploration to the end, in ops taken.
#[divan::bench(args = TASKS)]
fn symbolic_steps(bencher: Bencher, task: &str) {
    let text = c::load(Path::new(task), DataModel::Lp64).expect("the task is there");
    let program = lowered(&text);
    let steps = explore(&program);
    bencher.counter(ItemsCount::new(steps)).bench_local(|| explore(&program));
}

fn explore(program: &Program) -> usize {
    let checks = Checks { deref: true, free: true, memtrack: true, ..Checks::default() };
    let context = Rc::new(Context::new(program.model, Box::new(Z3Solver::new()), Limits::none()));
    let config = initial(program, Smg::new(context)).expect("initialisers fit");
    let mut explorer = Explorer::new(Shapes::new(program, checks), config);
    while let Finding::Alarm { .. } = explorer.run(&Limits::none()) {}
    explorer.nodes().iter().filter_map(|node| node.parent.as_ref()).map(|(_, steps)| steps.len()).sum()
}
