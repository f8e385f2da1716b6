//! Functions that the abstract exploration follows once for all callers: what is proved with them, what must not be, and how
//! often they are shared.

use std::time::Duration;

use margay::base::limits::Limits;
use margay::c::{SourceText, parse, with_big_stack};
use margay::cegar::prove;
use margay::cfa::{LowerOptions, lower};
use margay::memory::Checks;
use margay::task::DataModel;

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

const HEAD: &str = "extern void *malloc(unsigned long); extern void free(void *); extern void exit(int);
    extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void __VERIFIER_assume(int);
    struct node { struct node *next; struct node *prev; int data; };
    static struct node *create(void) { if (!__VERIFIER_nondet_int()) return 0;
        struct node *n = malloc(sizeof *n); n->data = 7; n->prev = 0; n->next = create(); return n; }
    static void destroy(struct node *n) { if (!n) return; destroy(n->next); free(n); }
    static struct node *push(struct node *l, int data) {
        struct node *n = malloc(sizeof *n); n->data = data; n->prev = 0; n->next = l; return n; }
    static struct node *build(void) { struct node *l = 0; while (__VERIFIER_nondet_int()) l = push(l, 7); return l; }
    static void drop(struct node *l) { while (l) { struct node *t = l->next; free(l); l = t; } }";

/// How many calls found an entry that was followed before; the reason where there is no proof.
fn reused(body: &str, checks: Checks) -> Result<usize, String> {
    let text = format!("{HEAD}\n{body}");
    with_big_stack(|| {
        let unit = parse(&SourceText::from_text("test.c", &text, DataModel::Lp64)).expect("test programs parse");
        let options = LowerOptions { overflow_checks: false, malloc_may_fail: false, ..LowerOptions::default() };
        let program = lower(&unit, &options).expect("test programs are plain C");
        let limits = Limits::new(Some(Duration::from_secs(20)), None);
        prove(&program, &checks, &limits, &Limits::none())
            .map(|proved| proved.summaries.reused())
            .map_err(|why| why.reason)
    })
}

/// `safe` is proved, and `unsafe_` is not.
fn twins(safe: &str, unsafe_: &str) {
    let found = reused(safe, MEMORY);
    assert!(found.is_ok(), "{found:?}\n{safe}");
    let found = reused(unsafe_, MEMORY);
    assert!(found.is_err(), "proved, but there is a violation:\n{unsafe_}");
}

#[test]
fn what_recursion_frees_is_gone_for_the_caller() {
    twins(
        "int main(void) { struct node *l = create(), *k = l; destroy(l); if (k == l) k = 0; return 0; }",
        "int main(void) { struct node *l = create(), *k = l; destroy(l); if (k) return k->data; return 0; }",
    );
    // The caller holds the second node only.
    twins(
        "int main(void) { struct node *l = create(), *k = l ? l->next : 0;
            int d = k ? k->data : 0; destroy(l); return d; }",
        "int main(void) { struct node *l = create(), *k = l ? l->next : 0;
            destroy(l); int d = k ? k->data : 0; return d; }",
    );
}

#[test]
fn what_recursion_writes_is_seen_by_the_caller() {
    let set = "static void set(struct node *n, int d) { if (!n) return; n->data = d; set(n->next, d); }";
    let walk = "for (struct node *p = l; p; p = p->next) if (p->data != 8) reach_error();";
    twins(
        &format!("{set} int main(void) {{ struct node *l = create(); set(l, 8); {walk} destroy(l); return 0; }}"),
        &format!("{set} int main(void) {{ struct node *l = create(); set(l, 9); {walk} destroy(l); return 0; }}"),
    );
    // Through a pointer of the caller's into the middle.
    let main = |held: &str| {
        format!(
            "{set} int main(void) {{ struct node *l = push(push(0, 1), 2), *k = l->next; set({held}, 8);
                if (k->data != 8) reach_error(); free(k); free(l); return 0; }}"
        )
    };
    twins(&main("l"), &main("0"));
}

#[test]
fn results_depend_on_arguments() {
    let sum = "static unsigned down(unsigned n) { if (n == 0) return 0; return down(n - 1); }";
    twins(
        &format!(
            "{sum} int main(void) {{ unsigned n = __VERIFIER_nondet_int(); if (down(n) != 0) reach_error(); return 0; }}"
        ),
        &format!(
            "{sum} int main(void) {{ unsigned n = __VERIFIER_nondet_int(); if (down(n) == 0) reach_error(); return 0; }}"
        ),
    );
    let pass = "static int pass(int x, int n) { if (n > 0) return pass(x, n - 1); return x; }";
    let main = |error: &str| {
        format!(
            "{pass} int main(void) {{ int x = __VERIFIER_nondet_int(); int y = pass(5, x); if ({error}) reach_error(); return 0; }}"
        )
    };
    twins(&main("y != 5"), &main("y == 5"));
}

#[test]
fn globals_are_shared_by_all_activations() {
    let count = "static int last; static struct node *seen;
        static void visit(struct node *n) { if (!n) return; last = n->data; seen = n; visit(n->next); }";
    twins(
        &format!(
            "{count} int main(void) {{ struct node *l = create(); last = 7; visit(l);
            if (last != 7) reach_error(); destroy(l); return 0; }}"
        ),
        &format!(
            "{count} int main(void) {{ struct node *l = create(); last = 6; visit(l);
            if (last != 6) reach_error(); destroy(l); return 0; }}"
        ),
    );
    twins(
        &format!(
            "{count} int main(void) {{ struct node *l = create(); visit(l); int d = seen ? seen->data : 7;
            if (d != 7) reach_error(); destroy(l); return 0; }}"
        ),
        &format!(
            "{count} int main(void) {{ struct node *l = create(); visit(l); destroy(l); return seen ? seen->data : 0; }}"
        ),
    );
}

#[test]
fn the_end_of_the_program_inside_of_a_function_counts_the_callers_blocks() {
    let leave = "static void leave(struct node *n) { if (!n) exit(0); struct node *t = n->next; free(n); leave(t); }";
    twins(
        &format!("{leave} int main(void) {{ leave(create()); return 0; }}"),
        &format!("{leave} int main(void) {{ struct node *own = push(0, 1); leave(create()); free(own); return 0; }}"),
    );
}

#[test]
fn what_recursion_loses_is_lost() {
    let lose = |free: &str| {
        format!(
            "static struct node *tail(struct node *n) {{ if (!n || !n->next) return n; struct node *t = n->next; {free} return tail(t); }}
             int main(void) {{ struct node *l = tail(create()); destroy(l); return 0; }}"
        )
    };
    twins(&lose("free(n);"), &lose(""));
}

#[test]
fn functions_call_each_other() {
    let pair = |odd: &str| {
        format!(
            "static struct node *odd(void);
             static struct node *even(void) {{ return __VERIFIER_nondet_int() ? push(odd(), 0) : 0; }}
             static struct node *odd(void) {{ return __VERIFIER_nondet_int() ? push(even(), {odd}) : 0; }}
             int main(void) {{ struct node *l = even();
                for (struct node *p = l; p; p = p->next) if (p->data > 1) reach_error(); destroy(l); return 0; }}"
        )
    };
    twins(&pair("1"), &pair("2"));
}

#[test]
fn pointers_to_variables_of_callers() {
    let chop = "static void chop(struct node **at) { if (!*at) return; struct node *n = *at;
        if (__VERIFIER_nondet_int()) { *at = n->next; free(n); chop(at); } else chop(&n->next); }";
    twins(
        &format!("{chop} int main(void) {{ struct node *l = create(); chop(&l); destroy(l); return 0; }}"),
        &format!("{chop} int main(void) {{ struct node *l = create(), *k = l; chop(&l); destroy(k); return 0; }}"),
    );
}

#[test]
fn trees_are_not_proved_wrongly() {
    let tree =
        "static struct node *grow(void) { if (!__VERIFIER_nondet_int()) return 0; struct node *n = malloc(sizeof *n);
        n->next = grow(); n->prev = grow(); return n; }
        static void fell(struct node *n) { if (!n) return; fell(n->next); free(n); }";
    let found = reused(&format!("{tree} int main(void) {{ fell(grow()); return 0; }}"), MEMORY);
    assert!(found.is_err());
}

#[test]
fn entries_are_shared() {
    // Recursion comes to an end only where a call finds an entry that was followed before: once in each of the two functions.
    let found = reused("int main(void) { destroy(create()); return 0; }", MEMORY).expect("it is safe");
    assert!(found >= 2, "only {found} calls were shared");
    let twice = "int main(void) { struct node *a = build(), *b = a; drop(a); drop(b); return 0; }";
    assert!(reused(twice, MEMORY).is_err());
}

/// Nodes of a tree know their parents, which recursion down the tree carries along.
const TREES: &str = "struct tree { struct tree *left, *right, *parent; int data; };
    static struct tree *grow(struct tree *parent) { if (__VERIFIER_nondet_int()) return 0;
        struct tree *n = malloc(sizeof *n); n->parent = parent; n->data = 7;
        n->left = grow(n); n->right = grow(n); return n; }
    static void fell(struct tree *t) { if (!t) return; fell(t->left); fell(t->right); free(t); }";

#[test]
fn what_recursion_only_carries_stays_with_the_caller() {
    twins(
        &format!("{TREES} int main(void) {{ struct tree *t = grow(0); if (t && t->left && t->left->parent != t) reach_error();
            if (t && t->left && t->left->parent->data != 7) reach_error(); fell(t); return 0; }}"),
        &format!("{TREES} int main(void) {{ struct tree *t = grow(0); if (t && t->left && t->left->parent == t) reach_error();
            fell(t); return 0; }}"),
    );
    // A link that is written back leads to the caller's node, freed or not.
    let set = "static void set(struct node *n, struct node *up) { if (__VERIFIER_nondet_int()) { set(n, up); return; } n->prev = up; }";
    twins(
        &format!("{set} int main(void) {{ struct node *p = malloc(sizeof *p), *c = malloc(sizeof *c); p->data = 7; set(c, p);
            if (c->prev->data != 7) reach_error(); free(p); free(c); return 0; }}"),
        &format!("{set} int main(void) {{ struct node *p = malloc(sizeof *p), *c = malloc(sizeof *c); p->data = 7; set(c, p);
            free(p); c->prev->data = 8; free(c); return 0; }}"),
    );
    // Only the child holds its parent.
    let cut = "static void cut(struct node *n, int k) { if (k > 0) cut(n, k - 1); n->prev = 0; }";
    let main = |cut_it: &str| {
        format!(
            "{cut} int main(void) {{ struct node *p = malloc(sizeof *p), *c = malloc(sizeof *c); c->prev = p; p = 0;
            {cut_it} cut(c, __VERIFIER_nondet_int()); free(c); return 0; }}"
        )
    };
    twins(&main("free(c->prev);"), &main(""));
}

#[test]
fn what_recursion_follows_after_all_is_handed_over() {
    // The offset at which the link is read is not that of the text: it is read through a pointer into the node.
    let rings = "struct ring { struct ring *next, *prev; }; struct item { long a; struct ring r; int data; };
        static void touch(struct ring *r) { if (__VERIFIER_nondet_int()) { touch(r); return; }
            ((struct item *)((char *)r->prev - 8))->data = 1; }";
    let main = |expected: u8| {
        format!("{rings} int main(void) {{ struct item *p = malloc(sizeof *p), *c = malloc(sizeof *c); p->data = 0;
            c->r.prev = &p->r; c->r.next = 0; touch(&c->r); if (p->data != {expected}) reach_error(); free(p); free(c); return 0; }}")
    };
    twins(&main(1), &main(0));
    // Where nothing but reachability is asked, a write through such a link does not go to memory from outside.
    let reach = Checks { reach_call: true, ..Checks::default() };
    assert!(reused(&main(1), reach).is_ok());
    assert!(reused(&main(0), reach).is_err());
}
