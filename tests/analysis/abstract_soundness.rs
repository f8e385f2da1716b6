//! What the abstract exploration proves of random list programs, no concrete run refutes.

use std::fmt::Write;
use std::time::Duration;

use margay::base::limits::Limits;
use margay::c::{SourceText, parse, with_big_stack};
use margay::cegar::prove;
use margay::cfa::{LowerOptions, lower};
use margay::concrete;
use margay::memory::Checks;
use margay::task::DataModel;
use proptest::prelude::*;

/// A statement on the pointer variables `a`, `b`, `c` (by number) of nodes with `next`, `prev`, `data` and `down`.
#[derive(Clone, Debug)]
enum Statement {
    Push(u8, i8),
    PushBoth(u8, i8),
    Advance(u8),
    Back(u8),
    Assign(u8, u8),
    Clear(u8),
    SetData(u8, i8),
    SetNext(u8, u8),
    InsertAfter(u8, i8),
    RemoveAfter(u8),
    Hang(u8, u8),
    TakeDown(u8, u8),
    FreeFirst(u8),
    FailIfData(u8, i8),
    FailIfSame(u8, u8),
    FailUnlessEmpty(u8),
    Count,
    FailIfCount(u8),
    /// A node more, and counted.
    PushCounted(u8),
    /// As many times as were counted.
    CountDown(Vec<Statement>),
    /// As many nodes go as were counted; it fails where there are fewer.
    FreeCounted(u8),
    Repeat(Vec<Statement>),
    Walk(u8, Vec<Statement>),
    Maybe(Vec<Statement>),
    FreeAll(u8),
    /// The first variable becomes what a function returns that goes down the list to the end, with the second one as the node
    /// before; it does these things on its way there, and these on its way back.
    Recurse(u8, u8, Vec<Statement>, Vec<Statement>),
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let v = || 0u8..3;
    let d = || 0i8..3;
    let leaf = prop_oneof![
        4 => (v(), d()).prop_map(|(x, d)| Statement::Push(x, d)),
        3 => (v(), d()).prop_map(|(x, d)| Statement::PushBoth(x, d)),
        2 => v().prop_map(Statement::Advance),
        1 => v().prop_map(Statement::Back),
        2 => (v(), v()).prop_map(|(x, y)| Statement::Assign(x, y)),
        1 => v().prop_map(Statement::Clear),
        1 => (v(), d()).prop_map(|(x, d)| Statement::SetData(x, d)),
        1 => (v(), v()).prop_map(|(x, y)| Statement::SetNext(x, y)),
        2 => (v(), d()).prop_map(|(x, d)| Statement::InsertAfter(x, d)),
        2 => v().prop_map(Statement::RemoveAfter),
        2 => (v(), v()).prop_map(|(x, y)| Statement::Hang(x, y)),
        1 => (v(), v()).prop_map(|(x, y)| Statement::TakeDown(x, y)),
        1 => v().prop_map(Statement::FreeFirst),
        2 => (v(), d()).prop_map(|(x, d)| Statement::FailIfData(x, d)),
        2 => (v(), v()).prop_map(|(x, y)| Statement::FailIfSame(x, y)),
        1 => v().prop_map(Statement::FailUnlessEmpty),
        1 => Just(Statement::Count),
        1 => (0u8..6).prop_map(Statement::FailIfCount),
        2 => v().prop_map(Statement::PushCounted),
        1 => v().prop_map(Statement::FreeCounted),
        2 => v().prop_map(Statement::FreeAll),
    ];
    let block = leaf.prop_recursive(3, 16, 4, move |inner| {
        let body = prop::collection::vec(inner, 1..4);
        prop_oneof![
            3 => body.clone().prop_map(Statement::Repeat),
            2 => (0u8..3, body.clone()).prop_map(|(x, body)| Statement::Walk(x, body)),
            1 => body.clone().prop_map(Statement::Maybe),
            1 => body.clone().prop_map(Statement::CountDown),
            2 => (0u8..3, 0u8..3, body.clone(), body)
                .prop_map(|(x, y, there, back)| Statement::Recurse(x, y, there, back)),
        ]
    });
    prop::collection::vec(block, 1..6)
}

fn write_statements(statements: &[Statement], functions: &mut String, out: &mut String) {
    let name = |v: &u8| ["a", "b", "c"][usize::from(*v)];
    for statement in statements {
        let text = match statement {
            Statement::Push(x, d) => {
                format!("{{ struct node *n = make({d}); n->next = {x}; {x} = n; }}", x = name(x))
            }
            Statement::PushBoth(x, d) => format!(
                "{{ struct node *n = make({d}); n->next = {x}; if ({x}) {x}->prev = n; {x} = n; }}",
                x = name(x)
            ),
            Statement::Advance(x) => format!("if ({x}) {x} = {x}->next;", x = name(x)),
            Statement::Back(x) => format!("if ({x} && {x}->prev) {x} = {x}->prev;", x = name(x)),
            Statement::Assign(x, y) => format!("{} = {};", name(x), name(y)),
            Statement::Clear(x) => format!("{} = 0;", name(x)),
            Statement::SetData(x, d) => format!("if ({x}) {x}->data = {d};", x = name(x)),
            Statement::SetNext(x, y) => format!("if ({x}) {x}->next = {y};", x = name(x), y = name(y)),
            Statement::InsertAfter(x, d) => format!(
                "if ({x}) {{ struct node *n = make({d}); n->next = {x}->next; n->prev = {x}; \
                 if (n->next) n->next->prev = n; {x}->next = n; }}",
                x = name(x)
            ),
            Statement::RemoveAfter(x) => format!(
                "if ({x} && {x}->next) {{ struct node *t = {x}->next; {x}->next = t->next; \
                 if (t->next) t->next->prev = {x}; free(t->down); free(t); }}",
                x = name(x)
            ),
            Statement::Hang(x, y) => {
                format!("if ({x} && !{x}->down) {{ {x}->down = {y}; {y} = 0; }}", x = name(x), y = name(y))
            }
            Statement::TakeDown(x, y) => {
                format!("if ({x} && {x}->down) {{ {y} = {x}->down; {x}->down = 0; }}", x = name(x), y = name(y))
            }
            Statement::FreeFirst(x) => {
                format!("if ({x}) {{ struct node *t = {x}; {x} = t->next; free(t); }}", x = name(x))
            }
            Statement::FailIfData(x, d) => format!("if ({x} && {x}->data == {d}) reach_error();", x = name(x)),
            Statement::FailIfSame(x, y) => {
                format!("if ({x} && {x} == {y}) reach_error();", x = name(x), y = name(y))
            }
            Statement::FailUnlessEmpty(x) => format!("if ({}) reach_error();", name(x)),
            Statement::Count => "count++;".into(),
            Statement::FailIfCount(n) => format!("if (count == {n}) reach_error();"),
            Statement::Repeat(_) => "while (more()) {".into(),
            Statement::PushCounted(x) => {
                format!("{{ struct node *n = make(0); n->next = {x}; {x} = n; count++; }}", x = name(x))
            }
            Statement::CountDown(_) => "while (count > 0) { count--;".into(),
            Statement::FreeCounted(x) => format!(
                "while (count > 0) {{ if (!{x}) reach_error(); \
                 struct node *n = {x}->next; free({x}); {x} = n; count--; }}",
                x = name(x)
            ),
            Statement::Walk(x, _) => format!("for (struct node *w = {x}; w; w = w->next) {{ {x} = w;", x = name(x)),
            Statement::Maybe(_) => "if (more()) {".into(),
            Statement::Recurse(x, y, there, back) => {
                let (mut before, mut after) = (String::new(), String::new());
                write_statements(there, functions, &mut before);
                write_statements(back, functions, &mut after);
                let down = format!("down{}", functions.matches("static").count());
                let _ = writeln!(
                    functions,
                    "static struct node *{down}(struct node *a, struct node *b) {{ struct node *c = 0;\n\
                     unsigned char count = 0; if (!a) return b;\n{before}if (a) c = {down}(a->next, a);\n{after}return c; }}"
                );
                format!("{x} = {down}({x}, {y});", x = name(x), y = name(y))
            }
            Statement::FreeAll(x) => {
                format!("while ({x}) {{ struct node *t = {x}; {x} = t->next; free(t->down); free(t); }}", x = name(x))
            }
        };
        let _ = writeln!(out, "{text}");
        if let Statement::Repeat(body)
        | Statement::Walk(_, body)
        | Statement::Maybe(body)
        | Statement::CountDown(body) = statement
        {
            write_statements(body, functions, out);
            out.push_str("}\n");
        }
    }
}

fn program(statements: &[Statement]) -> String {
    let (mut functions, mut body) = (String::new(), String::new());
    write_statements(statements, &mut functions, &mut body);
    format!(
        "extern void *malloc(unsigned long); extern void free(void *);\n\
         extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);\n\
         struct node {{ struct node *next, *prev, *down; int data; }};\n\
         static struct node *make(int data) {{ struct node *n = malloc(sizeof *n);\n\
         n->next = 0; n->prev = 0; n->down = 0; n->data = data; return n; }}\n\
         static int more(void) {{ return __VERIFIER_nondet_uchar() % 4 != 0; }}\n\
         {functions}int main(void) {{ struct node *a = 0, *b = 0, *c = 0; unsigned char count = 0;\n\
         {body}return 0; }}\n"
    )
}

/// The properties, one at a time.
fn all_checks() -> [Checks; 4] {
    let none = Checks::default();
    [
        Checks { reach_call: true, ..none },
        Checks { deref: true, free: true, ..none },
        Checks { deref: true, free: true, memtrack: true, ..none },
        Checks { memcleanup: true, ..none },
    ]
}

/// A proof of what a run refutes.
fn wrong_proof(text: &str, patience: Duration) -> Option<String> {
    with_big_stack(|| {
        let unit = parse(&SourceText::from_text("random.c", text, DataModel::Lp64)).expect("the generator writes C");
        let options = LowerOptions { overflow_checks: false, malloc_may_fail: false, ..LowerOptions::default() };
        let program = lower(&unit, &options).expect("the generator writes plain C");
        for checks in all_checks() {
            if prove(&program, &checks, &Limits::new(Some(patience), None), &Limits::new(Some(patience), None)).is_ok()
                && let Some(found) = concrete::RandomSearch::new(&program, &checks, 1)
                    .explore(&Limits::new(Some(patience / 4), None), &Limits::none())
            {
                return Some(format!("{checks:?} was proved, but {found:?}"));
            }
        }
        None
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn proofs_hold_on_concrete_runs(statements in statements()) {
        let text = program(&statements);
        let wrong = wrong_proof(&text, Duration::from_millis(400));
        prop_assert!(wrong.is_none(), "{}\n{text}", wrong.unwrap_or_default());
    }
}

/// How many programs: few by default, more on demand.
fn cases() -> u32 {
    std::env::var("ABSTRACT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(24)
}

/// Expected answers: `true` must be proved, `false` must not be.
fn check(body: &str, checks: Checks, expected: bool) {
    let text = format!(
        "extern void *malloc(unsigned long); extern void free(void *);\n\
         extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
         struct node {{ struct node *next; struct node *prev; int data; }};\n\
         struct row {{ struct row *next; struct node *cells; }};\n{body}"
    );
    let proved = with_big_stack(|| {
        let unit = parse(&SourceText::from_text("test.c", &text, DataModel::Lp64)).expect("test programs parse");
        let options = LowerOptions { overflow_checks: false, malloc_may_fail: false, ..LowerOptions::default() };
        let program = lower(&unit, &options).expect("test programs are plain C");
        prove(&program, &checks, &Limits::new(Some(Duration::from_secs(60)), None), &Limits::none())
            .map(|_| ())
            .map_err(|why| why.reason)
    });
    assert_eq!(proved.is_ok(), expected, "{proved:?}\n{text}");
}

const MEMORY: Checks = Checks {
    reach_call: true,
    reach_label: false,
    assertions: false,
    deref: true,
    free: true,
    memtrack: true,
    memcleanup: true,
    overflow: false,
    termination: false,
};

#[test]
fn singly_linked_lists_of_any_length() {
    let build = "struct node *l = 0; while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n); n->data = 7; n->next = l; l = n; }";
    let free_all = "while (l) { struct node *t = l->next; free(l); l = t; }";
    check(&format!("int main(void) {{ {build} {free_all} return 0; }}"), MEMORY, true);
    let walk = "for (struct node *p = l; p; p = p->next) if (p->data != 7) reach_error();";
    check(&format!("int main(void) {{ {build} {walk} {free_all} return 0; }}"), MEMORY, true);
    let spoil = "if (l && l->next && l->next->next) l->next->next->data = 8;";
    check(&format!("int main(void) {{ {build} {spoil} {walk} {free_all} return 0; }}"), MEMORY, false);
    check(&format!("int main(void) {{ {build} if (l) free(l); {free_all} return 0; }}"), MEMORY, false);
    check(
        &format!("int main(void) {{ {build} while (l && l->next) l = l->next; {free_all} return 0; }}"),
        MEMORY,
        false,
    );
}

#[test]
fn doubly_linked_lists_of_any_length() {
    let build = "struct node *l = 0, *last = 0; while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n); n->next = l; n->prev = 0; if (l) l->prev = n; else last = n; l = n; }";
    let walk = "for (struct node *p = l; p; p = p->next) if (p->next && p->next->prev != p) reach_error();";
    let free_back = "while (last) { struct node *t = last->prev; free(last); last = t; }";
    check(&format!("int main(void) {{ {build} {walk} {free_back} return 0; }}"), MEMORY, true);
    let cut = "if (last && last->prev) last->prev = last->prev->prev;";
    check(&format!("int main(void) {{ {build} {cut} {free_back} return 0; }}"), MEMORY, false);
}

#[test]
fn lists_of_lists() {
    let build = "struct row *rows = 0; while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r); r->cells = 0; while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n); n->next = r->cells; r->cells = n; } r->next = rows; rows = r; }";
    let free_cells = "while (r->cells) { struct node *n = r->cells; r->cells = n->next; free(n); }";
    let free_rows = |cells: &str| format!("while (rows) {{ struct row *r = rows; rows = r->next; {cells} free(r); }}");
    check(&format!("int main(void) {{ {build} {} return 0; }}", free_rows(free_cells)), MEMORY, true);
    check(&format!("int main(void) {{ {build} {} return 0; }}", free_rows("free(r->cells);")), MEMORY, false);
    check(&format!("int main(void) {{ {build} {} return 0; }}", free_rows("")), MEMORY, false);
}

#[test]
fn rings_below_lists() {
    // The owner knows nothing, or itself, where its ring is empty.
    let of_null = "struct row *rows = 0; while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r); r->cells = 0; while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n); n->next = r->cells ? r->cells->next : n;
        if (r->cells) r->cells->next = n; else r->cells = n; } r->next = rows; rows = r; }";
    let free_ring = "if (r->cells) { struct node *n = r->cells->next;
        while (n != r->cells) { struct node *t = n->next; free(n); n = t; } free(r->cells); }";
    let free_rows = |cells: &str| format!("while (rows) {{ struct row *r = rows; rows = r->next; {cells} free(r); }}");
    check(&format!("int main(void) {{ {of_null} {} return 0; }}", free_rows(free_ring)), MEMORY, true);
    check(&format!("int main(void) {{ {of_null} {} return 0; }}", free_rows("free(r->cells);")), MEMORY, false);
    let of_itself = "struct row *rows = 0; while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r); r->cells = (void *)r; while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n); n->next = r->cells; r->cells = n; } r->next = rows; rows = r; }";
    let free_cells =
        "while ((void *)r->cells != (void *)r) { struct node *n = r->cells; r->cells = n->next; free(n); }";
    check(&format!("int main(void) {{ {of_itself} {} return 0; }}", free_rows(free_cells)), MEMORY, true);
    check(&format!("int main(void) {{ {of_itself} {} return 0; }}", free_rows("free(r->cells);")), MEMORY, false);
}

#[test]
fn what_only_inner_lists_know_may_be_lost_with_them() {
    let build = "struct row *rows = 0; struct node *shared = malloc(sizeof *shared); while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r); r->cells = 0; while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n); n->prev = shared; n->next = r->cells; r->cells = n; }
        r->next = rows; rows = r; }";
    let known = "int known = 0; for (struct row *r = rows; r; r = r->next) if (r->cells) known = 1;";
    let empty = "for (struct row *r = rows; r; r = r->next)
        while (r->cells) { struct node *n = r->cells; r->cells = n->next; free(n); }";
    let free_rows = "while (rows) { struct row *r = rows; rows = r->next; free(r); }";
    let all = |end: &str| format!("int main(void) {{ {build} {known} {end} {empty} {free_rows} return 0; }}");
    check(&all("free(shared);"), MEMORY, true);
    check(&all("if (!known) free(shared); shared = 0;"), MEMORY, false);
}

#[test]
fn counters_are_bounded() {
    let body = "int main(void) { int i; for (i = 0; i < 1000000; i++) ; if (i != 1000000) reach_error(); return 0; }";
    check(body, MEMORY, true);
    let body = "int main(void) { int i; for (i = 0; i < 1000000; i++) if (i == 999999) reach_error(); return 0; }";
    check(body, MEMORY, false);
}

#[test]
fn rings_that_are_lost_unwatched() {
    use Statement::{Hang, Push, PushBoth, Repeat, Walk};
    // Of a ring nobody holds, each node hangs below the one it leads to: no two of them are neighbours of a list.
    let statements = [
        Repeat(vec![Push(2, 0), Repeat(vec![Push(2, 1)])]),
        Repeat(vec![PushBoth(1, 0)]),
        Walk(1, vec![Walk(2, vec![Push(1, 0), Hang(1, 2)])]),
        Push(0, 0),
    ];
    assert_eq!(wrong_proof(&program(&statements), Duration::from_secs(4)), None);
}
