//! `verify --entry` for functions with pointer parameters: answers, what they assume, and C files that make violations happen.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const HEAD: &str = "\
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int v; };
struct dnode { struct dnode *next, *prev; int v; };
struct list { struct dnode *head, *tail; };
struct tree { struct tree *left, *right; int key; };
struct ring { struct ring *next, *prev; };
typedef struct { int *data; size_t len, cap; } vec;
struct person { char *name; int age; };
struct either { int kind; union { int number; char *text; } of; };
struct packet { int size; char bytes[]; };
struct slots { struct node *at[4]; };
";

/// Functions of one program, their answers, and a part of what is printed.
const FUNCTIONS: [(&str, &str, &str); 35] = [
    (
        "int dsum(struct list *l) { unsigned s = 0; for (struct dnode *n = l->head; n; n = n->next) s += n->v; return s; }",
        "TRUE",
        "linked both ways",
    ),
    (
        "int sum(struct node *p) { unsigned s = 0; while (p) { s += p->v; p = p->next; } return s; }",
        "TRUE",
        "`p` begins a list",
    ),
    ("int second(struct node *p) { if (!p) return 0; return p->next->v; }", "FALSE(valid-deref)", "`p` begins a list"),
    ("int first(struct node *p) { return p->v; }", "TRUE", "and is not null"),
    ("void destroy(struct node *l) { while (l) { struct node *n = l->next; free(l); l = n; } }", "TRUE", ""),
    ("void destroy_bad(struct node *l) { while (l) { free(l); l = l->next; } }", "FALSE(valid-deref)", ""),
    (
        "void half(struct node *l) { if (l) { l->next = l->next ? l->next->next : 0; free(l); } }",
        "FALSE(valid-memtrack)",
        "",
    ),
    ("void cut(struct node *l) { if (l) l->next = 0; }", "UNKNOWN", "the caller decides"),
    (
        "void pop(struct node **h) { struct node *n = *h; if (n) { *h = n->next; free(n); } }",
        "TRUE",
        "`*(struct node**)` begins",
    ),
    (
        "int asum(const int *a, int n) { unsigned s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }",
        "TRUE",
        "`a` leads to `n` elements",
    ),
    (
        "int asum_bad(const int *a, int n) { unsigned s = 0; for (int i = 0; i <= n; i++) s += a[i]; return s; }",
        "FALSE(valid-deref)",
        "",
    ),
    ("int at(int *a, int i) { return a[i]; }", "UNKNOWN", "a pointer from an unknown function"),
    ("size_t length(const char *s) { size_t n = 0; while (s[n]) n++; return n; }", "TRUE", "`s` leads to a text"),
    ("char last(const char *s) { return s[strlen(s) - 1]; }", "FALSE(valid-deref)", ""),
    ("void copy(char *d, const char *s, size_t n) { memcpy(d, s, n); }", "TRUE", "`d` leads to `n` elements"),
    ("void copy_bad(char *d, const char *s, size_t n) { memcpy(d, s, n + 1); }", "FALSE(valid-deref)", ""),
    ("void open_copy(char *d, const char *s) { strcpy(d, s); }", "UNKNOWN", "a pointer from an unknown function"),
    ("int vget(vec *v, size_t i) { return i < v->len ? v->data[i] : 0; }", "TRUE", "`vec.len` is at most `vec.cap`"),
    ("int vget_bad(vec *v, size_t i) { return i <= v->cap ? v->data[i] : 0; }", "FALSE(valid-deref)", ""),
    (
        "void append(struct list *l, struct dnode *n) { n->next = 0; n->prev = l->tail; if (l->tail) l->tail->next = n; else l->head = n; l->tail = n; }",
        "UNKNOWN",
        "the caller decides",
    ),
    ("void shut(struct list *l) { if (l->head) l->tail->next = 0; }", "TRUE", "leads to the last node"),
    ("void shut_bad(struct list *l) { l->tail->next = 0; }", "FALSE(valid-deref)", ""),
    (
        "int find(struct tree *t, int k) { while (t && t->key != k) t = k < t->key ? t->left : t->right; return t != 0; }",
        "TRUE",
        "`t` is the root of a tree",
    ),
    (
        "void unlink_ring(struct ring *e) { e->prev->next = e->next; e->next->prev = e->prev; }",
        "UNKNOWN",
        "a pointer from an unknown function",
    ),
    (
        "void pfree(struct person *p) { if (!p) return; free(p->name); free(p); }",
        "TRUE",
        "`p` is null or leads to one struct person",
    ),
    ("void pfree_bad(struct person *p) { free(p->name); free(p); free(p->name); }", "FALSE(valid-deref)", ""),
    ("void rename_to(struct person *p, char *name) { p->name = name; }", "UNKNOWN", "the caller decides"),
    (
        "int number(struct either *e) { return e->kind ? e->of.number : e->of.text[0]; }",
        "UNKNOWN",
        "a pointer from an unknown function",
    ),
    ("char byte(struct packet *p) { return p->bytes[0]; }", "UNKNOWN", "a pointer from an unknown function"),
    ("int slot(struct slots *s) { return s->at[1] ? s->at[1]->v : 0; }", "TRUE", "begins a list"),
    ("int apply(int (*f)(int), int x) { return f(x); }", "TRUE", "a function that changes no memory"),
    (
        "int younger(const void *a, const void *b) { const struct person *x = a, *y = b; return x->age < y->age; }",
        "TRUE",
        "`a` leads to one struct person",
    ),
    ("int byref(int *out, struct person p) { *out = p.age; return p.name[0]; }", "TRUE", "`p.name` leads to a text"),
    ("void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }", "TRUE", "`a` leads to one object of type int"),
    ("static long corner(int m[2][2]) { return m[0][0]; }", "TRUE", "`m` leads to one object of type int[2]"),
];

fn margay(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn name(function: &str) -> &str {
    let head = function.split('(').next().unwrap();
    head.rsplit([' ', '*']).next().unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let functions: String = FUNCTIONS.iter().map(|(function, ..)| format!("{function}\n")).collect();
    fs::write(folder.path().join("t.c"), format!("{HEAD}{functions}int main(void) {{ return 0; }}\n")).unwrap();
    folder
}

#[test]
fn functions_are_verified_for_all_arguments_that_are_well_formed() {
    let folder = folder();
    for (function, expected, part) in FUNCTIONS {
        let entry = name(function);
        let harness = format!("{entry}.c");
        let options = ["verify", "t.c", "--no-witness", "--timeout", "60", "--harness", &harness, "--entry", entry];
        let output = margay(folder.path(), &options);
        let text = String::from_utf8(output.stdout).unwrap();
        let answer = text.lines().last().unwrap_or_default().trim_start_matches("Verification result: ");
        assert!(answer.starts_with(expected), "{entry}: {text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains(part), "{entry}: {text}");
        if expected.starts_with("FALSE") {
            let (program, harness) = (folder.path().join(entry), folder.path().join(&harness));
            let mut gcc = Command::new("gcc");
            gcc.args(["-g", "-w", "-fsanitize=address", "-fno-builtin", "-o"]).arg(&program).arg(&harness);
            let made = gcc.output().unwrap();
            assert!(made.status.success(), "{entry}: {}", String::from_utf8_lossy(&made.stderr));
            let shown = String::from_utf8_lossy(&Command::new(&program).output().unwrap().stderr).into_owned();
            assert!(shown.contains("Sanitizer"), "{entry} shows no error: {shown}");
        }
    }
}

/// What the harness does is no step of the user's program; what the function is given stands at its call.
#[test]
fn a_run_begins_with_the_arguments_of_the_function() {
    let folder = folder();
    for (entry, argument, object) in [
        ("asum_bad", "n = 0", " at offset 0 of a block of the caller's, which has 0 bytes\n"),
        ("pfree_bad", "p → a block of the caller's", "of a block of the caller's after it was freed\n"),
    ] {
        let sarif = format!("{entry}.sarif");
        let options = ["verify", "t.c", "--no-witness", "-v", "--entry", entry, "--sarif", &sarif];
        let text = String::from_utf8(margay(folder.path(), &options).stdout).unwrap();
        let first = text.lines().skip_while(|line| *line != "Steps:").nth(1).unwrap();
        let line = HEAD.lines().count() + 1 + FUNCTIONS.iter().position(|(text, ..)| name(text) == entry).unwrap();
        assert!(
            first.starts_with(&format!("    line {line} ")) && first.contains(&format!("{entry} is called ")),
            "{text}"
        );
        assert!(first.contains(argument) && text.lines().next().unwrap().ends_with(object.trim_end()), "{text}");
        let sarif = fs::read_to_string(folder.path().join(sarif)).unwrap();
        for text in [&text, &sarif] {
            assert!(!text.contains("margay_") && !text.contains("harness"), "{text}");
        }
    }
}

#[test]
fn a_harness_is_printed_and_is_c() {
    let folder = folder();
    let shown = margay(folder.path(), &["show", "harness", "t.c", "--entry", "vget"]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("static vec *margay_") && text.contains("#include \""), "{text}");
    fs::write(folder.path().join("h.c"), text).unwrap();
    let gcc = Command::new("gcc").args(["-Werror", "-c", "-o", "h.o", "h.c"]).current_dir(folder.path()).output();
    assert!(gcc.as_ref().unwrap().status.success(), "{}", String::from_utf8_lossy(&gcc.unwrap().stderr));
}

#[test]
fn the_harness_stands_with_the_file_of_its_function() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), "struct s { int own; };\nint main(void) { return 0; }\n").unwrap();
    let text = "struct s { struct s *next; };\nstatic int f(struct s *p) { int n = 0; for (; p; p = p->next) n = !n; return n; }\nint g(void) { return f(0); }\n";
    fs::write(folder.path().join("b.c"), text).unwrap();
    let output = margay(folder.path(), &["verify", "a.c", "b.c", "--no-witness", "--entry", "f"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("Verification result: TRUE\n") && text.contains("`p` begins a list"), "{text}");
}
