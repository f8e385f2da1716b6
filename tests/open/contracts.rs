//! What `margay contracts` infers for small functions, read by hand: what they need, what they leave, what goes wrong in them.

use std::io::Write;
use std::process::Command;

/// What is printed of a C text, each line without the file's name.
fn reported(text: &str, options: &[&str]) -> String {
    let mut file = tempfile::Builder::new().suffix(".c").tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("a text");
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    let output = command.arg("contracts").args(options).arg(file.path()).output().expect("a run");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let name = file.path().display().to_string();
    String::from_utf8(output.stdout).expect("text").replace(&format!("{name}:"), "")
}

fn is(text: &str, expected: &str) {
    let reported = reported(text, &[]);
    let lines = |text: &str| {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(lines(&reported), lines(expected), "{reported}");
}

#[test]
fn a_field_that_is_read_is_needed() {
    is(
        "struct n { long k; int v; }; int get(struct n *x) { return x->v; }",
        "get(x)  1  [complete]
         { x+8 ↦ v1 }
         { result = v1; x+8 ↦ v1 }",
    );
}

#[test]
fn cases_that_a_caller_decides_are_told_apart() {
    is(
        "void set(int *x, int v) { if (x) *x = v; }",
        "set(x, v)  1  [complete]
         { x = 0 }
         { x = 0 }
         { x ↦ v2 }
         { x ↦ v }",
    );
}

#[test]
fn one_contract_covers_a_ring_of_one_and_of_many() {
    // Bytes are separated, not blocks: `head->next` may be `head` itself.
    is(
        "struct l { struct l *next, *prev; };
         void add(struct l *new, struct l *head) {
             struct l *next = head->next;
             next->prev = new; new->next = next; new->prev = head; head->next = new;
         }",
        "add(new, head)  2  [complete]
         { head ↦ v2 * v2+8 ↦ v3 * new ↦ v4 * new+8 ↦ v5 }
         { v2+8 ↦ new * new ↦ v2 * new+8 ↦ head * head ↦ new }",
    );
}

#[test]
fn a_list_is_found_and_its_end_is_needed() {
    is(
        "struct n { struct n *next; };
         int length(struct n *x) { int k = 0; while (x) { k++; x = x->next; } return k; }",
        "length(x)  2  [complete]
         { sls⟨x↦next⟩(x, 0) }
         { result = 0; x = 0 }
         | { result = v1; x ≠ 0 * sls+⟨x↦next⟩(x, 0) }",
    );
}

#[test]
fn blocks_of_a_list_are_freed_whatever_their_size() {
    let reported = reported(
        "#include <stdlib.h>
         struct n { struct n *next; int v; };
         void destroy(struct n *x) { while (x) { struct n *t = x->next; free(x); x = t; } }",
        &[],
    );
    assert!(reported.starts_with("destroy(x)  3  [complete]"), "{reported}");
    assert!(reported.contains("sls⟨x↦next x+8↦⊤[a0-8] block(x, a0)⟩(x, 0, v1) }"), "{reported}");
    assert!(!reported.contains("error"), "{reported}");
}

#[test]
fn recursion_is_closed_by_induction() {
    is(
        "struct n { struct n *next; };
         int length(struct n *x) { return x ? 1 + length(x->next) : 0; }",
        "length(x)  2  [complete]
         { sls⟨x↦next⟩(x, 0) }
         { result = v1; x = 0 }
         | { result = v1; x ≠ 0 * sls+⟨x↦next⟩(x, 0) }",
    );
}

#[test]
fn what_every_caller_runs_into_is_manifest_and_the_rest_is_latent() {
    let text = "#include <stdlib.h>
         int null(void) { int *p = 0; return *p; }
         void lost(void) { int *p = malloc(4); *p = 1; }
         void twice(int *p) { free(p); free(p); }
         int end(void) { int a[4]; return a[4]; }
         int *late(int *p) { free(p); *p = 1; return p; }
         int when(int *p, int n) { if (n > 3) p = 0; return *p; }";
    let reported = reported(text, &["--latent"]);
    for expected in [
        "manifest error: null dereference at 2:",
        "manifest error: memory leak at 3:",
        "manifest error: double free at 4:",
        "manifest error: out of bounds at 5:",
        "manifest error: use after free at 6:",
        "latent error: null dereference at 7:",
    ] {
        assert!(reported.contains(expected), "{expected} in {reported}");
    }
    assert!(reported.contains("when  3 < n"), "{reported}");
    // `late` also uses null, where it is given null.
    assert_eq!(reported.matches(" error: ").count(), 7, "{reported}");
}

#[test]
fn what_goes_wrong_in_a_callee_goes_wrong_in_callers_that_see_to_it() {
    let reported = reported(
        "#include <stdlib.h>
         void use(int b, int *x) { if (b) free(x); *x = 42; if (!b) free(x); }
         void pass(int c, int *x) { use(c, x); }
         void always(int *x) { pass(1, x); }
         void never(int *x) { use(0, x); }",
        &["--latent"],
    );
    let part = |head: &str| {
        let rest = &reported[reported.find(head).unwrap_or_else(|| panic!("{head} in {reported}"))..];
        let lines = rest.lines().take(1).chain(rest.lines().skip(1).take_while(|line| line.starts_with(' ')));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert!(part("use(b, x)").contains("latent error: use after free at 2:"), "{reported}");
    // That is the same cause; that of `always` is its own call.
    assert!(!part("pass(c, x)").contains("error"), "{reported}");
    assert!(part("always(x)").contains("manifest error: use after free at 2:"), "{reported}");
    assert!(part("always(x)").contains("in the call of pass at 4"), "{reported}");
    assert!(!part("never(x)").contains("error"), "{reported}");
}

#[test]
fn a_callee_is_used_by_contract_and_followed_where_its_contract_says_too_little() {
    // `length` needs links only; here the nodes are whole blocks, which it must leave as they are.
    let reported = reported(
        "#include <stdlib.h>
         struct n { struct n *next; int v; };
         static int length(struct n *x) { int k = 0; while (x) { k++; x = x->next; } return k; }
         static void destroy(struct n *x) { while (x) { struct n *t = x->next; free(x); x = t; } }
         int main(void) {
             struct n *h = 0;
             for (int i = 0; i < 5; i++) { struct n *x = malloc(sizeof *x); x->next = h; h = x; }
             int k = length(h);
             destroy(h);
             return k;
         }",
        &["--function", "main"],
    );
    assert!(reported.starts_with("main()  5  [complete]"), "{reported}");
    assert!(!reported.contains("error"), "{reported}");
}

#[test]
fn a_function_that_is_not_there_may_change_what_it_gets() {
    let reported = reported(
        "struct d { int yum; int *ptr; };
         extern void skip(struct d *s);
         int f(void) { struct d x; x.ptr = 0; skip(&x); return *x.ptr; }",
        &[],
    );
    assert!(!reported.contains("error"), "{reported}");
    assert!(reported.contains("skip"), "{reported}");
}

#[test]
fn all_choices_of_one_call_need_their_memory() {
    is(
        "extern int __VERIFIER_nondet_int(void);
         int either(int *x, int *y) { if (__VERIFIER_nondet_int()) return *x; return *y; }",
        "either(x, y)  2  [complete]
         { y ↦ v2 * x ↦ v3 }
         { result = v2; y ↦ v2 * x ↦ v3 }
         | { result = v3; y ↦ v2 * x ↦ v3 }",
    );
}

#[test]
fn recursion_that_is_not_closed_is_not_called_complete() {
    let reported = reported("int apart(unsigned x) { return x ? apart(x - 1) : 0; }", &[]);
    assert!(reported.starts_with("apart(x)  1  [partial]"), "{reported}");
}

#[test]
fn a_node_need_not_have_its_first_byte() {
    // The list has the links alone: `y` may lead to the first node's number, however long the list is.
    let reported = reported(
        "struct n { long v; struct n *next; };
         int same(struct n *x, long *y) {
             struct n *p = x;
             while (p) p = p->next;
             *y = 1;
             if (x) { if (x == (struct n *)y) return 1; return 2; }
             return 0;
         }",
        &[],
    );
    let (contract, _) = reported.split_once("\n  { y = x").unwrap_or((&reported, ""));
    let posts: Vec<&str> = contract.lines().filter(|line| line.contains("result = 1")).collect();
    assert!(contract.contains("{ y ↦ v2 * sls⟨x+8↦next⟩(x, 0) }"), "{reported}");
    assert!(posts.iter().any(|post| post.contains("sls")), "{reported}");
}
