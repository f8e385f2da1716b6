//! Programs with lists of any length, exported as Horn clauses and as C programs without memory: the numbers of nodes and of the
//! program decide there whether an error is reached, as they do in the program.

use std::fs;
use std::path::Path;
use std::process::Command;

use margay::smt::{Effort, solve_horn};

use super::integer_programs::{exported, margay};

/// What a program does with lists, and the same with a mistake.
const PAIRS: [(&str, &str, &str); 4] = [
    (
        "pushed in one loop, walked in step",
        "while (nondet()) { a = push(a); b = push(b); } while (a) { a = a->next; b = b->next; }",
        "while (nondet()) { a = push(a); if (nondet()) b = push(b); } while (a) { a = a->next; b = b->next; }",
    ),
    (
        "split in two, zipped",
        "while (nondet()) a = push(push(a)); while (a) { b = push(b); c = push(c); a = a->next->next; } \
         while (b) { b = b->next; c = c->next; }",
        "while (nondet()) a = push(push(a)); while (a) { b = push(b); if (a->next->next) c = push(c); a = a->next->next; } \
         while (b) { b = b->next; c = c->next; }",
    ),
    (
        "counted twice",
        "while (n < 1000 && nondet()) { a = push(a); n++; } for (; a; a = a->next) m++; if (m != n) reach_error();",
        "while (n < 1000 && nondet()) { a = push(a); n++; } for (; a; a = a->next) m++; if (m == n && n == 5) reach_error();",
    ),
    (
        "freed by a number",
        "while (n < 1000 && nondet()) { a = push(a); n++; } for (; m < n; m++) { b = a->next; free(a); a = b; }",
        "while (n < 1000 && nondet()) { a = push(a); n++; } for (; m <= n; m++) { b = a->next; free(a); a = b; }",
    ),
];

fn program(body: &str) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
         extern void *malloc(unsigned long);\nextern void free(void *);\nextern void abort(void);\n\
         static int nondet(void) {{ return __VERIFIER_nondet_int(); }}\n\
         struct node {{ struct node *next; }};\n\
         static struct node *push(struct node *list)\n\
         {{ struct node *n = malloc(sizeof *n); if (!n) abort(); n->next = list; return n; }}\n\
         int main(void) {{ struct node *a = 0, *b = 0, *c = 0; int n = 0, m = 0; {body}\n\
         (void)b; (void)c; (void)m; return 0; }}\n"
    )
}

fn property(body: &str) -> &'static str {
    if body.contains("reach_error") { "unreach-call" } else { "valid-deref" }
}

#[test]
fn clauses_of_lists_are_as_safe_as_the_program() {
    let folder = tempfile::tempdir().unwrap();
    for (name, right, wrong) in PAIRS {
        for (body, is_safe) in [(right, true), (wrong, false)] {
            fs::write(folder.path().join("p.c"), program(body)).unwrap();
            let text = margay(folder.path(), &["show", "horn", "p.c", "-p", property(body)]);
            assert!(text.starts_with("(set-logic HORN)"), "{name}: {text}");
            assert!(text.contains("nodes from "), "{name}: {text}");
            assert_eq!(solve_horn(&text, Effort::PATIENT), Some(is_safe), "{name}:\n{body}\n{text}");
        }
    }
}

#[test]
fn integer_programs_of_lists_run_and_are_as_safe_as_the_program() {
    let folder = tempfile::tempdir().unwrap();
    for (name, right, wrong) in PAIRS {
        let reaches = exported(folder.path(), &program(right), property(right));
        assert!(!(0..300).any(|seed| reaches(Some(seed))), "{name}: {right}");
        // Few choices lead to the errors of the others.
        if name == "pushed in one loop, walked in step" {
            let reaches = exported(folder.path(), &program(wrong), property(wrong));
            assert!((0..1000).any(|seed| reaches(Some(seed))), "{name}: {wrong}");
        }
    }
}

/// The tasks whose lists are counted: a clause to false where a list that nothing leads to still has nodes, and none where it has none.
#[test]
fn clauses_of_counted_lists_have_the_verdicts_of_the_tasks() {
    let tasks = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/counts");
    for name in ["copied_list_is_as_long", "freed_by_count", "grown_in_lockstep", "length_in_head", "stack_of_depth"] {
        for (twin, is_safe) in [("safe", true), ("unsafe", false)] {
            let file = tasks.join(format!("{name}_{twin}.c")).display().to_string();
            let text = margay(&tasks, &["show", "horn", &file, "-p", "valid-memsafety"]);
            assert_eq!(solve_horn(&text, Effort::PATIENT), Some(is_safe), "{name}_{twin}:\n{text}");
        }
    }
}

/// Invariants of the clauses, put back into the states, prove the programs; the same search proves none with a mistake.
#[test]
fn invariants_of_the_clauses_prove_the_programs() {
    let folder = tempfile::tempdir().unwrap();
    // The others leave nodes behind: how many there are of these, no embedding says.
    let closed = ["pushed in one loop, walked in step", "freed by a number"];
    for (name, right, wrong) in PAIRS.into_iter().filter(|(name, ..)| closed.contains(name)) {
        for (body, is_safe) in [(right, true), (wrong, false)] {
            fs::write(folder.path().join("p.c"), program(body)).unwrap();
            let arguments =
                ["verify", "p.c", "-p", property(body), "--engines", "invariants", "--no-witness", "-t", "60s"];
            let out = Command::new(env!("CARGO_BIN_EXE_margay")).current_dir(folder.path()).args(arguments).output();
            let text = String::from_utf8_lossy(&out.unwrap().stdout).into_owned();
            let expected = if is_safe { "Verification result: TRUE" } else { "Verification result: UNKNOWN" };
            assert!(text.contains(expected), "{name}: {text}\n{body}");
        }
    }
}
