//! Reachability where pointers come from outside: small programs in the style of drivers, and what may be said of them.

use margay::base::limits::Limits;
use margay::c::{SourceText, parse, with_big_stack};
use margay::cfa::{LowerOptions, lower};
use margay::memory::Checks;
use margay::portfolio::{Options, decide, prove_skeleton};
use margay::task::DataModel;
use margay::verdict::Verdict;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void *elsewhere(int); void *malloc(unsigned long);
    void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); void free(void *);
    struct node { int flag; struct node *next; int (*open)(int); int *data; };
    void error(void) { ERROR: ; }\n";

/// `TRUE` or `FALSE`, each with `+` where it rests on memory from outside or on a skeleton, or `UNKNOWN`.
fn answer(model: DataModel, text: &str) -> &'static str {
    with_big_stack(|| {
        let text = format!("{HEAD}{text}");
        let unit = parse(&SourceText::from_text("t.c", &text, model)).unwrap_or_else(|e| panic!("{text}: {e}"));
        let options = LowerOptions { open_world: true, ..LowerOptions::default() };
        let program = lower(&unit, &options).unwrap_or_else(|e| panic!("{text}: {e}"));
        let checks = Checks { reach_label: true, ..Checks::default() };
        if prove_skeleton(&program, &checks, &Limits::none(), &Options::default()).0.is_some() {
            return "TRUE+";
        }
        let options = Options { engines: Some("precise, abstract-1".into()), ..Options::default() };
        let decision = decide(&program, &checks, &Limits::none(), &options);
        match (decision.verdict, decision.outside) {
            (Verdict::True(_), false) => "TRUE",
            (Verdict::True(_), true) => "TRUE+",
            (Verdict::False(_), false) => "FALSE",
            (Verdict::False(_), true) => "FALSE+",
            (Verdict::Unknown(_), _) => "UNKNOWN",
        }
    })
}

fn check(expected: &[&str], texts: &[&str]) {
    let mut wrong = Vec::new();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for text in texts {
            let got = answer(model, text);
            if !expected.contains(&got) {
                wrong.push(format!("{got} ({}): {text}", model.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "not {expected:?}:\n{}", wrong.join("\n"));
}

#[test]
fn what_memory_from_outside_may_hold_is_reached() {
    check(
        &["FALSE+"],
        &[
            "int main(void) { struct node *p = elsewhere(0); if (p->flag == 7) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0); if (p->next->flag == 7 && p->flag == 6) error(); return 0; }",
            "int main(void) { int *p; if (*p == 7) error(); return 0; }",
            "extern struct node *first; int main(void) { if (first && first->flag == 3) error(); return 0; }",
            "int main(void) { struct node *p = malloc(sizeof *p); if (p->next->flag == 9) error(); return 0; }",
            // What is written there is read again, and memory of two pointers is not the same.
            "int main(void) { struct node *p = elsewhere(0); p->flag = 3; if (p->flag == 3) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0), *q = elsewhere(1); p->flag = 1; q->flag = 2;
                if (p->flag == 1 && q->flag == 2) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0); int x = 4; p->data = &x; if (*p->data == 4) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0); if (p->open(3) == 1) error(); return 0; }",
            // Copies keep account of it.
            "int main(void) { struct node *p = elsewhere(0), c; memset(&c, 0, sizeof c); *p = c; if (p->flag == 0) error(); }",
            "int main(void) { struct node *p = elsewhere(0); memset(p, 1, sizeof *p); if (p->flag == 0x1010101) error(); }",
        ],
    );
}

/// Where nothing is told of what follows, nothing is proved: neither with the program's memory, nor with a skeleton of it.
#[test]
fn what_is_given_up_proves_nothing() {
    check(
        &["UNKNOWN"],
        &[
            "int fesetround(int); int main(void) { volatile double x = 1, y = 3; fesetround(0x800);
                if (x / y > 0.33333333333333331) error(); return 0; }",
            "int fesetround(int); int main(void) { struct node *p = elsewhere(0); if (p->flag) fesetround(0x800);
                volatile double x = 1, y = 3; if (x / y > 0.33333333333333331) error(); return 0; }",
        ],
    );
}

/// Jumps come back to their places, and a signal that the program raises itself is a call of its handler.
#[test]
fn jumps_and_signals_are_followed() {
    check(
        &["FALSE"],
        &[
            "int setjmp(void *); void longjmp(void *, int);
            int main(void) { long place[50]; if (setjmp(place)) error(); longjmp(place, 1); }",
            "void (*signal(int, void (*)(int)))(int); int raise(int); void handler(int number) { error(); }
            int main(void) { signal(10, handler); raise(10); return 0; }",
        ],
    );
}

/// C leaves a call at another type undefined; compiled code makes it.
#[test]
fn functions_may_be_called_at_the_types_they_are_converted_to() {
    check(
        &["UNKNOWN", "FALSE", "FALSE+"],
        &[
            "void bad(int a) { error(); } void (*p)(long, long) = (void *)bad; int main(void) { p(3, 4); return 0; }",
            "void bad(int a) { error(); } struct ops { void (*p)(long, long); } o = { (void *)bad };
                int main(void) { struct node *n = elsewhere(0); while (n->flag) n = n->next; o.p(3, 4); return 0; }",
            "int bad(int a) { error(); return 1; } int main(void) { void (*p)(int, ...) = (void *)bad; p(3); return 0; }",
            "void bad() { error(); } int main(void) { int (*p)(int) = (void *)bad; return p(3); }",
            "void bad(long long a) { if (a == 7) error(); } typedef void (*plain)(void);
                int main(void) { void (*p)(long long) = bad; plain q = (plain)p; q(); return 0; }",
            "int bad(int a) { if (a) error(); return a; } int main(void) { unsigned long p = (unsigned long)bad;
                return ((int (*)(char, char))p)(1, 2); }",
        ],
    );
    // Where nobody converts them so, they are not taken for targets of other calls.
    check(
        &["TRUE+"],
        &["int bad(struct node *p, int n) { error(); return 0; } int (*f)(void *, int) = (int (*)(void *, int))bad;
            int main(void) { struct node *p = elsewhere(0); while (p->flag) { p->open(1); f = 0; p = p->next; } return 0; }"],
    );
}

#[test]
fn what_no_memory_holds_is_not_reached() {
    check(
        &["UNKNOWN", "TRUE", "TRUE+"],
        &[
            "int main(void) { struct node *p = elsewhere(0); if (p->flag) { if (!p->flag) error(); } return 0; }",
            "int main(void) { struct node *p = elsewhere(0); p->flag = 1; if (!p->flag) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0); memset(p, 0, sizeof *p); if (p->flag) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0), c; p->flag = 1; memcpy(&c, p, sizeof c); if (!c.flag) error(); }",
            "int main(void) { struct node *p = elsewhere(0); if (!p && p->flag == 3) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0), c = *p; if (c.flag != p->flag) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0), c = { 5 }; *p = c; if (p->flag != 5) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0), *q = elsewhere(1); *q = *p; if (p->flag != q->flag) error(); }",
            // C leaves these undefined; what is read there decides nothing.
            "int main(void) { int a[2] = { 0, 0 }, i = __VERIFIER_nondet_int(); if (i == 5 && a[i] == 3) error(); return 0; }",
            "int main(void) { int *p = 0; if (*p == 3) error(); return 0; }",
            "int main(void) { int *p = malloc(4); *p = 1; free(p); if (*p == 3) error(); return 0; }",
        ],
    );
}

#[test]
fn proofs_hold_however_a_run_goes_on() {
    check(
        &["TRUE+"],
        &[
            "int main(void) { int x = 1; int *p; *p = 2; if (x != 1) error(); return 0; }",
            "int main(void) { struct node *s = malloc(sizeof *s), *p = elsewhere(0); s->flag = 1;
                while (__VERIFIER_nondet_int()) { p->flag = s->flag; p = p->next; if (s->flag == 1) s->flag = 2; else s->flag = 1; }
                if (s->flag > 2) error(); return 0; }",
            "int main(void) { struct node *p = elsewhere(0); int r = p->open(1); r = r ? 1 : 0; if (r > 1) error(); return 0; }",
        ],
    );
    check(
        &["UNKNOWN", "FALSE+"],
        &[
            // An address that was given away comes back.
            "int main(void) { int x = 0; int **p = elsewhere(0); *p = &x; **p = 1; if (x) error(); return 0; }",
            // A function whose address somebody has is called from outside.
            "int hit(int x) { error(); return 0; } int main(void) { struct node *p = elsewhere(0), n; n.open = hit; p->open(1); return 0; }",
            "int main(void) { int x = 0; int *q = &x; int **p = elsewhere(0); memcpy(p, &q, sizeof q); **p = 1; if (x) error(); }",
        ],
    );
}

#[test]
fn what_the_analysis_lost_track_of_is_not_outside() {
    // Which variable a node points to is forgotten when the list is folded: it is one of the program's own nevertheless.
    let through_a_list = |write: &str, wrong: &str| {
        format!(
            "struct cell {{ struct cell *next; int *to; }}; int main(void) {{ int a = 0, b = 0, c = 0; struct cell *l = 0;
             while (__VERIFIER_nondet_int()) {{ struct cell *n = malloc(sizeof *n); n->next = l; l = n;
             n->to = __VERIFIER_nondet_int() ? &a : __VERIFIER_nondet_int() ? &b : &c; }}
             for (struct cell *n = l; n; n = n->next) {write}
             if ({wrong}) error(); return 0; }}"
        )
    };
    let all = "a == 1 && b == 1 && c == 1";
    let texts = [
        through_a_list("*n->to = 1;", all),
        through_a_list("memset(n->to, 1, sizeof a);", "a == 0x1010101 && b == a && c == a"),
        through_a_list("memcpy(n->to, &(int){ 1 }, sizeof a);", all),
        // What is read through such a pointer may lead to a variable of the program, too.
        through_a_list("{ int **to = &n->to; if (__VERIFIER_nondet_int()) to = &(int *){ &a }; **to = 1; }", all),
    ];
    check(&["FALSE", "UNKNOWN"], &texts.iter().map(String::as_str).collect::<Vec<_>>());
}
