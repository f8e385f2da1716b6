//! Skeletons of small programs in the style of drivers: what can be reached in the program can be reached in its skeleton, and what
//! does not depend on memory is proved there.

use margay::base::limits::Limits;
use margay::c::{SourceText, parse, with_big_stack};
use margay::cfa::{Asked, LowerOptions, lower, skeleton};
use margay::memory::Checks;
use margay::portfolio::{Options, prove_skeleton};
use margay::task::DataModel;

const CHECKS: Checks = Checks {
    reach_call: false,
    reach_label: true,
    assertions: false,
    deref: false,
    free: false,
    memtrack: false,
    memcleanup: false,
    overflow: false,
    termination: false,
};

/// What every program begins with; the call of an unknown function makes it an open one.
const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void *elsewhere(int); void *malloc(unsigned long);
    void abort(void); int lock; struct ops { int (*open)(int); struct ops *next; int flag; };
    void error(void) { ERROR: ; } void take(void) { if (lock) error(); lock = 1; }
    void give(void) { if (!lock) error(); lock = 0; }\n";

fn is_proved(text: &str) -> bool {
    with_big_stack(|| {
        let text = format!("{HEAD}{text}");
        let unit =
            parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).unwrap_or_else(|e| panic!("{text}: {e}"));
        let options = LowerOptions { open_world: true, ..LowerOptions::default() };
        let program = lower(&unit, &options).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(margay::cfa::validate(&skeleton(&program, Asked::Errors)), Ok(()), "{text}");
        prove_skeleton(&program, &CHECKS, &Limits::none(), &Options::default()).0.is_some()
    })
}

/// Each of these has a run to the label, in some world.
const REACHABLE: [&str; 24] = [
    "int main(void) { elsewhere(0); take(); take(); return 0; }",
    "int main(void) { struct ops *o = elsewhere(0); take(); if (o->flag) give(); take(); return 0; }",
    // The loop that is left out, and what comes after loops.
    "int main(void) { int i, n = __VERIFIER_nondet_int(); elsewhere(0); for (i = 0; i < n; i++) elsewhere(i); give(); return 0; }",
    "int main(void) { int i = 0; elsewhere(0); while (1) { if (i == 3) { take(); } i++; if (i == 7) break; } take(); }",
    // Within loops without end.
    "int main(void) { elsewhere(0); while (1) { if (__VERIFIER_nondet_int()) take(); else give(); } }",
    "int main(void) { int i = 0; elsewhere(0); for (;;) { i++; if (i > 5) { for (;;) { if (lock) error(); take(); } } } }",
    "int main(void) { elsewhere(0); l: if (__VERIFIER_nondet_int()) goto l; if (__VERIFIER_nondet_int()) { m: take(); goto m; } n: goto n; }",
    // By way of an object whose address is known.
    "int flag; void set(int *p) { *p = 1; } int main(void) { elsewhere(0); set(&flag); if (flag) error(); return 0; }",
    "int *where; int flag; int main(void) { elsewhere(0); where = &flag; *where = 1; if (flag) error(); return 0; }",
    "int flag; int *where = &flag; int main(void) { elsewhere(0); *where = 1; if (flag) error(); return 0; }",
    "int main(void) { int x = 0; int **p = elsewhere(0); *p = &x; **p = 1; if (x) error(); return 0; }",
    "struct s { int a, b; } s; int main(void) { struct s *p = &s; elsewhere(0); p->b = 3; if (s.b == 3) error(); return 0; }",
    "struct s { int a, b; } s; int main(void) { struct s t = { 1, 2 }; elsewhere(0); s = t; if (s.b == 2) error(); return 0; }",
    "int main(void) { int a[3]; elsewhere(0); a[__VERIFIER_nondet_int()] = 1; if (a[0] == 1) error(); return 0; }",
    // By way of calls.
    "int f(int x) { if (x > 2) return x; take(); return f(x + 1); } int main(void) { elsewhere(0); if (f(1) == 3) error(); }",
    "int f(int x) { return x + 1; } int main(void) { struct ops o = { f, 0, 0 }; elsewhere(0); if (o.open(1) == 2) error(); }",
    "int f(int x) { take(); return 0; } struct ops o = { f, 0, 0 }; int main(void) { struct ops *p = elsewhere(&o != 0);
        take(); p->open(1); return 0; }",
    "void f(int x) { if (x == 5) error(); } void g(int y) { f(y + 1); } int main(void) { elsewhere(0); g(4); return 0; }",
    "int f(int *p) { *p = 2; return 1; } int main(void) { int x = 0; elsewhere(0); if (f(&x) && x == 2) error(); return 0; }",
    // What ends runs, and what does not.
    "int main(void) { elsewhere(0); if (__VERIFIER_nondet_int()) abort(); error(); return 0; }",
    "int done; void stop(void) { if (done) abort(); } int main(void) { elsewhere(0); stop(); error(); return 0; }",
    "int main(void) { int *p = malloc(4); elsewhere(0); if (p) error(); return 0; }",
    // A switch, a jump into a loop, a static.
    "int main(void) { int s = 0; elsewhere(0); while (s < 9) switch (s) { case 0: s = 4; break; case 4: s = 7; break;
        case 7: take(); s = 8; break; default: take(); s = 9; } return 0; }",
    "int next(void) { static int n; return ++n; } int main(void) { elsewhere(0); next(); if (next() == 2) error(); return 0; }",
];

/// The label cannot be reached in these, whatever memory holds.
const UNREACHABLE: [&str; 10] = [
    "int main(void) { struct ops *o = elsewhere(0); take(); o->flag = 1; while (o) { o->flag++; o = o->next; } give(); take(); }",
    "int main(void) { struct ops *o = elsewhere(0); while (__VERIFIER_nondet_int()) { take(); if (o->flag) o->next = o; give(); } }",
    "int open(int x) { take(); give(); return x; } struct ops o = { open, 0, 0 };
        int main(void) { struct ops *p = elsewhere(0); p->open(3); take(); return 0; }",
    "int main(void) { int r = __VERIFIER_nondet_int(); elsewhere(0); if (r) take(); elsewhere(1); if (r) give(); take(); }",
    "void assume(int c) { if (!c) stop: goto stop; } int main(void) { int x = __VERIFIER_nondet_int(); elsewhere(0);
        assume(x > 3); if (x < 2) error(); return 0; }",
    "struct s { int a, b; } s; int main(void) { elsewhere(0); s.a = 1; s.b = 2; if (s.a + s.b != 3) error(); return 0; }",
    "int main(void) { char *p = malloc(3); elsewhere(0); if (!p) error(); return 0; }",
    "int main(void) { int i; elsewhere(0); for (i = 0; i < 10; i++) take(), give(); if (i != 10) error(); return 0; }",
    "int probe(void) { struct ops *o = elsewhere(0); if (!o) return -12; if (o->flag) { take(); return 0; } return -5; }
        int main(void) { int r = probe(); if (r == 0) give(); take(); return 0; }",
    "int f(int n) { if (n <= 0) return 0; take(); give(); return f(n - 1); }
        int main(void) { elsewhere(0); f(__VERIFIER_nondet_int()); take(); return 0; }",
];

#[test]
fn what_can_be_reached_is_not_proved_away() {
    let wrong: Vec<&str> = REACHABLE.into_iter().filter(|text| is_proved(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_does_not_depend_on_memory_is_proved() {
    let lost: Vec<&str> = UNREACHABLE.into_iter().filter(|text| !is_proved(text)).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Nothing but reachability may be concluded from a skeleton.
#[test]
fn other_properties_have_no_skeleton() {
    let text = format!("{HEAD} int main(void) {{ elsewhere(0); return 0; }}");
    let proved = with_big_stack(|| {
        let unit = parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).expect("it is C");
        let program = lower(&unit, &LowerOptions::default()).expect("an automaton");
        let checks = Checks { deref: true, ..CHECKS };
        prove_skeleton(&program, &checks, &Limits::none(), &Options::default()).0.is_some()
    });
    assert!(!proved);
}
