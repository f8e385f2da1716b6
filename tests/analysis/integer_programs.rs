//! Programs about numbers, exported as Horn clauses and as C programs without memory: what other tools read there has to be as safe as
//! the program itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use margay::smt::{Effort, solve_horn};

/// A loop, what is claimed after it, and the same claim one off.
const LOOPS: [(&str, &str, &str, &str); 7] = [
    (
        "two counters",
        "int n = nondet(), i = 0, k = 0; if (n < 0 || n > 1000) return 0; while (i < n) { i++; k += nondet() ? 2 : 1; }",
        "k >= i && k <= 2 * n",
        "k > i || n > 2",
    ),
    (
        "copied length",
        "int n = nondet(), a = 0, b = 0; if (n < 0) return 0; while (a < n) a++; while (b < a) b++;",
        "b == n",
        "b == n && n < 2",
    ),
    (
        "filter",
        "int n = nondet(), kept = 0, j; for (j = 0; j < n; j++) if (nondet()) kept++;",
        "kept <= j",
        "kept < j || j == 0",
    ),
    (
        "producer and consumer",
        "int queued = 0, made = 0, used = 0; while (nondet()) { if (queued > 0 && nondet()) { queued--; used++; } \
         else { if (made == 100) break; queued++; made++; } }",
        "used + queued == made",
        "used + queued < made || made < 2",
    ),
    (
        "memory of its own",
        "struct { int head, tail; char full; } ring = {0, 0, 0}; int n = 0; int *head = &ring.head; while (n < 50 && nondet()) \
         { *head = *head + 1; n++; if (*head == 10) { *head = 0; n = 0; } }",
        "ring.head == n",
        "ring.head == n && n != 3",
    ),
    (
        "unsigned numbers",
        "unsigned n = nondet(), left, steps = 0; if (n > 100) return 0; for (left = n; left > 0; left--) steps++;",
        "steps == n",
        "steps == n && steps < 2",
    ),
    (
        "calls",
        "int n = nondet(), x = 0, i; if (n < 0 || n > 9) return 0; for (i = 0; i < n; i++) x = add(x, 3);",
        "x == 3 * n",
        "x == 3 * n && x != 6",
    ),
];

fn program(body: &str, claim: &str) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
         static int nondet(void) {{ return __VERIFIER_nondet_int(); }}\n\
         static int add(int a, int b) {{ return a + b; }}\n\
         int main(void) {{ {body} if (!({claim})) reach_error(); (void)add; return 0; }}\n"
    )
}

pub fn margay(folder: &Path, arguments: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_margay")).current_dir(folder).args(arguments).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

#[test]
fn horn_clauses_are_as_safe_as_the_program() {
    let folder = tempfile::tempdir().unwrap();
    for (name, body, claim, wrong) in LOOPS {
        for (claim, is_safe) in [(claim, true), (wrong, false)] {
            fs::write(folder.path().join("p.c"), program(body, claim)).unwrap();
            let text = margay(folder.path(), &["show", "horn", "p.c", "-p", "unreach-call"]);
            assert!(text.starts_with("(set-logic HORN)"), "{name}: {text}");
            assert_eq!(solve_horn(&text, Effort::PATIENT), Some(is_safe), "{name}, {claim}:\n{text}");
        }
    }
}

#[test]
fn another_program_solves_the_clauses_unchanged() {
    if Command::new("z3").arg("--version").output().is_err() {
        println!("there is no z3 here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (_, body, claim, _) = LOOPS[0];
    fs::write(folder.path().join("p.c"), program(body, claim)).unwrap();
    margay(folder.path(), &["show", "horn", "p.c", "-p", "unreach-call", "-o", "p.smt2"]);
    let out = Command::new("z3").current_dir(folder.path()).arg("p.smt2").output().unwrap();
    assert!(String::from_utf8_lossy(&out.stdout).starts_with("sat\n"), "{out:?}");
}

/// What exported programs are linked with; without an argument nondeterministic functions give 0 and true, else small numbers
/// mostly, by the seed it is.
const DRIVER: &str = "#include <stdlib.h>\n#include <stdint.h>\n#include <stdio.h>\n\
static int is_random; static uint64_t state;\n\
static uint64_t next(void) { state = state * 6364136223846793005u + 1442695040888963407u; return state >> 33; }\n\
uint64_t __VERIFIER_nondet_ulonglong(void) { return is_random ? next() % 7 : 0; }\n\
_Bool __VERIFIER_nondet_bool(void) { return !is_random || next() % 4 != 0; }\n\
void reach_error(void) { puts(\"reached\"); exit(0); }\n\
int __real_main(void);\n\
int main(int argc, char **argv)\n\
{ is_random = argc > 1; if (is_random) state = strtoull(argv[1], 0, 10); return __real_main(); }\n";

fn gcc(folder: &Path, arguments: &[&str]) {
    assert!(Command::new("gcc").current_dir(folder).arg("-w").args(arguments).status().unwrap().success());
}

/// Exports the program as one of integers and compiles it; whether a run of it (by a seed, if one is given) reaches the error.
pub fn exported<'f>(folder: &'f Path, program: &str, property: &str) -> impl Fn(Option<u32>) -> bool + use<'f> {
    fs::write(folder.join("p.c"), program).unwrap();
    fs::write(folder.join("driver.c"), DRIVER).unwrap();
    let text = margay(folder, &["show", "integers", "p.c", "-p", property]);
    assert!(text.starts_with("#include <stdint.h>"), "{text}");
    fs::write(folder.join("q.c"), text).unwrap();
    gcc(folder, &["-O1", "-Dmain=__real_main", "-c", "q.c"]);
    gcc(folder, &["-O1", "-o", "q", "q.o", "driver.c"]);
    move |seed| {
        let out = Command::new(folder.join("q")).args(seed.map(|seed| seed.to_string())).output().unwrap();
        out.stdout == b"reached\n"
    }
}

#[test]
fn integer_programs_run_and_are_as_safe_as_the_program() {
    let folder = tempfile::tempdir().unwrap();
    for (name, body, claim, wrong) in LOOPS {
        for (claim, is_safe) in [(claim, true), (wrong, false)] {
            let reaches = exported(folder.path(), &program(body, claim), "unreach-call");
            assert_eq!((0..400).any(|seed| reaches(Some(seed))), !is_safe, "{name}, {claim}");
        }
    }
}

/// Each operation on numbers, between types of different widths and signs: the exported program computes the same.
#[test]
fn operations_mean_the_same_in_integer_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let operations = [
        "a * b - 3",
        "a / (b | 1)",
        "a % (b | 1)",
        "a << (b & 7)",
        "a >> (b & 7)",
        "(a ^ b) & ~c",
        "(unsigned char)a + (short)b",
        "(long long)a * c",
        "-a + !b",
        "a < b ? c : a",
        "(unsigned)a < (unsigned)b",
        "(signed char)(a + c)",
        "(unsigned)a / (b | 1)",
        "(unsigned)a % 10u",
        "(unsigned short)(a - b) >> 3",
        "(a | 256) == b",
    ];
    for operation in operations {
        // Seven values each; what comes of them is the sum that a compiler's code has, or not.
        let text = format!(
            "#include <stdio.h>\nint main(void) {{ long long sum = 0; for (int a = -3; a < 4; a++) for (int b = -2; b < 3; b++) \
             {{ unsigned c = 5 + a; sum = sum * 31 + ({operation}); }} printf(\"%lld\", sum); }}\n"
        );
        fs::write(path.join("sum.c"), text).unwrap();
        gcc(path, &["-O0", "-fwrapv", "-o", "sum", "sum.c"]);
        let sum = String::from_utf8(Command::new(path.join("sum")).output().unwrap().stdout).unwrap();
        let body = format!(
            "long long sum = 0; for (int a = -3; a < 4; a++) for (int b = -2; b < 3; b++) \
             {{ unsigned c = 5 + a; sum = (long long)((unsigned long long)sum * 31 + ({operation})); }}"
        );
        for (claim, is_wrong) in [("==", false), ("!=", true)] {
            let reaches = exported(path, &program(&body, &format!("sum {claim} {sum}LL")), "unreach-call");
            assert_eq!(reaches(None), is_wrong, "{operation}, {claim}");
        }
    }
}
