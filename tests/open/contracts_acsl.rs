//! `margay contracts --acsl`: what annotations say, read by hand, and that Frama-C (where it is installed) can read them.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The annotated text of a C text.
fn annotated(text: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.args(["contracts", "a.c", "--acsl", "-"]).args(options).current_dir(folder.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let annotated = String::from_utf8(output.stdout).unwrap();
    readable(&annotated, folder.path());
    annotated
}

/// Frama-C takes the text, if there is a Frama-C.
fn readable(text: &str, folder: &Path) {
    let file = folder.join("annotated.c");
    fs::write(&file, text).unwrap();
    let Ok(output) = Command::new("frama-c").arg("-typecheck").arg(&file).output() else { return };
    let reported = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && !reported.contains("annot-error"), "{reported}\n{text}");
}

/// The clauses before a function, without `margay_` predicates and comments.
fn clauses(text: &str, definition: &str) -> Vec<String> {
    let end = text.find(definition).unwrap_or_else(|| panic!("no {definition} in {text}"));
    let before = text[..end].trim_end();
    let Some(inner) = before.strip_suffix("*/") else { return Vec::new() };
    let Some(start) = inner.rfind("/*").filter(|start| inner[*start..].starts_with("/*@")) else { return Vec::new() };
    inner[start + 3..].lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn says(text: &str, definition: &str, expected: &[&str]) {
    let annotated = annotated(text, &[]);
    assert_eq!(clauses(&annotated, definition), expected, "{annotated}");
}

#[test]
fn fields_have_their_names() {
    says(
        "struct l { struct l *next, *prev; };
         void add(struct l *new, struct l *head) {
             struct l *next = head->next;
             next->prev = new; new->next = next; new->prev = head; head->next = new;
         }",
        "void add(",
        &[
            "requires \\valid(&head->next);",
            "requires \\valid(&head->next->prev);",
            "requires \\valid(&new->next);",
            "requires \\valid(&new->prev);",
            "requires \\separated(&head->next, &head->next->prev, &new->next, &new->prev);",
            "assigns head->next, head->next->prev, new->next, new->prev;",
            "ensures \\old(head->next)->prev == new && new->next == \\old(head->next) && new->prev == head \
             && head->next == new;",
        ],
    );
}

#[test]
fn what_is_only_read_need_not_be_writable() {
    says(
        "struct n { long k; int v; }; int get(struct n *x) { return x->v; }",
        "int get(",
        &["requires \\valid_read(&x->v);", "assigns \\nothing;", "ensures \\result == \\old(x->v);"],
    );
}

#[test]
fn several_contracts_are_behaviors_one_of_which_a_caller_has_to_choose() {
    says(
        "void set(int *x, int v) { if (x) *x = v; }",
        "void set(",
        &[
            "requires (x == \\null)",
            "|| (\\valid(x));",
            "behavior case1:",
            "assumes x == \\null;",
            "assigns \\nothing;",
            "ensures \\true;",
            "behavior case2:",
            "assumes \\valid(x);",
            "assigns *x;",
            "ensures *x == v;",
        ],
    );
}

#[test]
fn numbers_wrap_as_they_do_in_the_machine() {
    says(
        "static unsigned char n;\nint more(int k) { n += 200; return k - 3; }",
        "int more(",
        &[
            "requires \\valid(&n);",
            "assigns n;",
            "ensures \\result == (int)(k - 3) && n == (unsigned char)(\\old(n) - 56);",
        ],
    );
}

#[test]
fn lists_are_inductive_predicates_that_tell_their_bytes() {
    let text = annotated(
        "struct n { struct n *next; };
         int length(struct n *x) { int k = 0; while (x) { k++; x = x->next; } return k; }",
        &[],
    );
    let predicate = "  inductive margay_sls_1{L}(char *x, char *end, integer nodes, set<char *> bytes) {
    case none{L}: \\forall char *x; margay_sls_1{L}(x, x, 0, \\empty);
    case node{L}: \\forall char *x, *next, *end, integer nodes, set<char *> rest;
      \\valid{L}(x + (0 .. 7))
      && *(char **)x == next
      && margay_sls_1{L}(next, end, nodes, rest)
      && \\separated(x + (0 .. 7), rest)
      ==> margay_sls_1{L}(x, end, nodes + 1, \\union(x + (0 .. 7), rest));
  }";
    assert!(text.contains(predicate), "{text}");
    assert_eq!(
        clauses(&text, "int length("),
        [
            "requires (\\exists integer k0, set<char *> s0; margay_sls_1((char *)x, \\null, k0, s0));",
            // It may run for ever on a list that is none, and nothing is claimed of that.
            "terminates \\false;",
            "assigns \\nothing;",
            "ensures (\\result == 0 && x == \\null)",
            "|| (x != \\null && (\\exists integer pk0, set<char *> ps0; \
             margay_sls_1((char *)x, \\null, pk0, ps0) && pk0 > 0));",
        ],
        "{text}"
    );
}

#[test]
fn new_blocks_are_fresh_and_freed_ones_are_freed() {
    let text = "#include <stdlib.h>
struct n { struct n *next; int v; };
void push(struct n **h, int v) { struct n *e = malloc(sizeof *e); e->v = v; e->next = *h; *h = e; }
void drop(char *p) { free(p); }
";
    let text = annotated(text, &[]);
    let push = clauses(&text, "void push(").join(" ");
    for part in [
        "requires \\valid(h);",
        "assigns *h;",
        "\\fresh{Old, Here}(*h, 16)",
        "\\freeable(*h)",
        "(*h)->v == v",
        "(*h)->next == \\old(*h)",
    ] {
        assert!(push.contains(part), "{part} in {text}");
    }
    let drop = clauses(&text, "void drop(").join(" ");
    assert!(drop.contains("assumes \\freeable(p);") && drop.contains("frees p; allocates \\nothing;"), "{text}");
    assert!(drop.contains("\\valid((char *)p + (0 .. \\block_length(p) - 1))"), "{text}");
}

#[test]
fn a_precondition_that_acsl_cannot_say_makes_no_claim() {
    // A double's bits are no number: that they are stored is left out, which claims less.
    let text = annotated("void put(double *p, double d) { *p = d; }", &[]);
    let reported = clauses(&text, "void put(");
    assert!(reported.contains(&"ensures \\true;".to_owned()), "{text}");
    assert!(
        text.contains("put: more holds afterwards than ACSL is told:\n     { p ↦ v2 }\n         { p ↦ d }"),
        "{text}"
    );
    // What is declared further below has no name yet.
    let text =
        annotated("int get(void);\nint f(void) { return get(); }\nstatic int k;\nint get(void) { return k; }", &[]);
    assert_eq!(clauses(&text, "int f("), [""; 0], "{text}");
    assert_eq!(clauses(&text, "int get(void) {").len(), 3, "{text}");
    // The static of a block has no name outside of it.
    let text = annotated("int next(void) { static int k; return ++k; }", &[]);
    assert_eq!(clauses(&text, "int next("), [""; 0], "{text}");
    assert!(text.contains("/* next: not said in ACSL:\n     { &k ↦ v0 }"), "{text}");
}

#[test]
fn records_are_passed_and_returned_by_value() {
    let text = annotated(
        "struct p { int a; short b; };\nstruct p swap(struct p p) { struct p q = { p.b, 5 }; return q; }",
        &[],
    );
    let reported = clauses(&text, "struct p swap(").join(" ");
    assert!(reported.contains("\\result.b == 5") && !reported.contains("&\\result"), "{text}");
    assert!(!reported.contains("\\valid") && !reported.contains("\\separated"), "{text}");
}

#[test]
fn annotations_stand_before_the_whole_definition() {
    let text = "// int f(void) {\n#define TWO \\\n  2\nstruct s { int i; };\n/* a comment */ static int\nf(void)\n{ return TWO; }\n\
                char *s = \"}; int g(void)\"; int (g)(void) { return ';'; }\n";
    let annotated = annotated(text, &[]);
    assert!(
        annotated.contains("/* a comment */ /*@ assigns \\nothing;\n    ensures \\result == 2;\n*/\nstatic int\nf")
    );
    assert!(annotated.contains("*/\nint (g)(void) { return ';'; }"), "{annotated}");
}

#[test]
fn several_files_go_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.c"), "int f(void);\nint g(void) { return f(); }\n").unwrap();
    fs::write(path.join("b.c"), "int f(void) { return 3; }\n").unwrap();
    let run = |target: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
        command.args(["contracts", "a.c", "b.c", "--acsl", target]).current_dir(path).output().unwrap()
    };
    assert_eq!(run("out").status.code(), Some(0));
    let text = fs::read_to_string(path.join("out/a.c")).unwrap();
    assert!(text.contains("ensures \\result == 3;\n*/\nint g(void)"), "{text}");
    assert!(fs::read_to_string(path.join("out/b.c")).unwrap().contains("*/\nint f(void) { return 3; }"));
    assert_eq!(run("a.c").status.code(), Some(2), "a file is no folder");
}

#[test]
fn open_code_keeps_the_grammar() {
    for name in ["intrusive_list", "lru_cache_bug", "queue_macros"] {
        let path = format!("{}/benchmarks/open/{name}.c", env!("CARGO_MANIFEST_DIR"));
        let text = annotated(&fs::read_to_string(path).unwrap(), &["--patience", "2s"]);
        assert!(text.matches("/*@ ").count() > 5, "{text}");
        assert!(text.contains("inductive margay_"), "{text}");
    }
}
