//! Steps per second of the interpreter on small loops.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use margay::c::{self, SourceText};
use margay::cfa::{LowerOptions, Program, lower};
use margay::concrete::{Outcome, RunLimits, Source, run};
use margay::memory::Checks;
use margay::task::DataModel;

fn main() {
    divan::main();
}

const ARITHMETIC: &str = "
int main(void) {
    unsigned hash = 1;
    for (int i = 0; i < 20000; i++)
        hash = hash * 31 + (i ^ (hash >> 7));
    return hash & 127;
}";

const ARRAY: &str = "
int main(void) {
    int a[256];
    for (int i = 0; i < 256; i++)
        a[i] = i * 7 % 256;
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < 256; i++) {
            int t = a[i];
            a[i] = a[255 - i];
            a[255 - i] = t;
        }
    return a[3] & 127;
}";

const LIST: &str = "
void *malloc(unsigned long);
void free(void *);
struct node { struct node *next; int value; };
int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 100; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->value = i;
        list = n;
    }
    int sum = 0;
    for (int round = 0; round < 20; round++)
        for (struct node *n = list; n; n = n->next)
            sum += n->value;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return sum & 127;
}";

const SAFETY: Checks = Checks {
    reach_call: false,
    reach_label: false,
    assertions: false,
    deref: true,
    free: true,
    memtrack: true,
    memcleanup: false,
    overflow: false,
    termination: false,
};

fn measure(bencher: Bencher, text: &str) {
    measure_with(bencher, text, &RunLimits::steps(u64::MAX));
}

/// Runs `text` again and again; the items are steps.
fn measure_with(bencher: Bencher, text: &str, limits: &RunLimits) {
    let program = program(text);
    let once = || run(black_box(&program), &SAFETY, Source::Given(Default::default()), limits);
    let steps = once().steps;
    bencher.counter(ItemsCount::new(steps)).bench_local(|| {
        let run = once();
        assert!(matches!(run.outcome, Outcome::Finished(_)), "{:?}", run.outcome);
        run.steps
    });
}

fn program(text: &str) -> Program {
    let unit = c::parse(&SourceText::from_text("bench.c", text, DataModel::Lp64)).expect("the text above is C");
    lower(&unit, &LowerOptions::default()).expect("it uses nothing unusual")
}

#[divan::bench]
fn arithmetic(bencher: Bencher) {
    measure(bencher, ARITHMETIC);
}

#[divan::bench]
fn array(bencher: Bencher) {
    measure(bencher, ARRAY);
}

#[divan::bench]
fn list(bencher: Bencher) {
    measure(bencher, LIST);
}

/// As a replay runs it: with a trace, and leaks are looked for after each step.
#[divan::bench]
fn list_with_exact_leaks(bencher: Bencher) {
    measure_with(bencher, LIST, &RunLimits { trace: true, ..RunLimits::steps(u64::MAX) });
}
