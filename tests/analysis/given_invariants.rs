//! Conditions at loop heads that are proposed: those that hold prove a program, wrong ones prove nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

const SAFE: &str = "b + c != n";
const UNSAFE: &str = "b + c == 5";

fn program(violation: &str) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{{\n\
         int n = __VERIFIER_nondet_int(), a = 0, b = 0, c = 0;\nif (n < 0) return 0;\n\
         while (a < n) {{ a++; if (__VERIFIER_nondet_int()) b++; else c++; }}\n\
         if ({violation}) reach_error();\nreturn 0;\n}}\n"
    )
}

fn reported(formula: &str) -> String {
    format!(
        "{{\"format\": \"margay invariants 1\", \"invariants\": [{{\"predicate\": \"P0\", \"formula\": \"{formula}\"}}]}}"
    )
}

/// What the member says of a program with these conditions.
fn verdict(folder: &Path, violation: &str, invariants: &str) -> String {
    fs::write(folder.join("p.c"), program(violation)).unwrap();
    fs::write(folder.join("p.json"), invariants).unwrap();
    let arguments =
        ["verify", "p.c", "-p", "unreach-call", "--members", "invariants", "--invariants", "p.json", "-t", "60s"];
    let out = Command::new(env!("CARGO_BIN_EXE_margay")).current_dir(folder).args(arguments).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

#[test]
fn a_sound_condition_proves_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let reported = reported("(and (= a1 (bvadd a2 a3)) (<= a1 a0))");
    let stated = verdict(folder.path(), SAFE, &reported);
    assert!(stated.contains("Verification result: TRUE"), "{stated}");
}

#[test]
fn a_file_brings_its_member_along() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.c"), program(UNSAFE)).unwrap();
    fs::write(folder.path().join("p.json"), reported("true")).unwrap();
    let arguments = ["verify", "p.c", "-p", "unreach-call", "--invariants", "p.json", "--stats", "-t", "60s"];
    let out = Command::new(env!("CARGO_BIN_EXE_margay")).current_dir(folder.path()).args(arguments).output().unwrap();
    let stated = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(stated.contains("Verification result: FALSE(unreach-call)"), "{stated}");
    assert!(stated.contains("share of invariants of numbers"), "{stated}");
}

#[test]
fn unsound_conditions_prove_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for formula in ["false", "(= a1 7)", "(and (= a1 0) (< a0 3))", "(not (= (bvadd a2 a3) #x00000005))"] {
        let stated = verdict(folder.path(), UNSAFE, &reported(formula));
        assert!(stated.contains("Verification result: UNKNOWN"), "{formula}: {stated}");
    }
}

#[test]
fn what_is_no_such_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["{", "{\"format\": \"other\", \"invariants\": []}", "{\"format\": \"margay invariants 1\"}"] {
        let stated = verdict(folder.path(), SAFE, text);
        assert!(stated.contains("error: p.json"), "{text}: {stated}");
    }
}

/// What the engine says when a tool that prints this is asked for a model.
fn asked(folder: &Path, violation: &str, printed: &str) -> String {
    fs::write(folder.join("p.c"), program(violation)).unwrap();
    fs::write(folder.join("answer"), printed).unwrap();
    // It is given the clauses, or it has no answer.
    fs::write(folder.join("tool.sh"), "grep -q '^(set-logic HORN)' \"$1\" && cat answer\n").unwrap();
    let tool = ["--engines", "invariants", "--arithmetic-tool", "sh tool.sh"];
    let arguments = [&["verify", "p.c", "-p", "unreach-call", "--stats", "-t", "60s"][..], &tool].concat();
    let out = Command::new(env!("CARGO_BIN_EXE_margay")).current_dir(folder).args(arguments).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

#[test]
fn a_model_of_an_outside_tool_proves_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let model = "sat\n((define-fun P0 ((n Int) (a Int) (b Int) (c Int)) Bool (and (= a (+ b c)) (<= 0 b) (<= 0 c) (<= a n))))\n";
    let stated = asked(folder.path(), SAFE, model);
    assert!(stated.contains("Verification result: TRUE"), "{stated}");
    assert!(stated.contains("of `sh tool.sh`") && stated.contains(" 0 refuted"), "{stated}");
}

#[test]
fn a_wrong_model_of_an_outside_tool_proves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for body in ["false", "(= a 7)", "(distinct (+ b c) 5)"] {
        let model = format!("sat\n((define-fun P0 ((n Int) (a Int) (b Int) (c Int)) Bool {body}))\n");
        let stated = asked(folder.path(), UNSAFE, &model);
        assert!(stated.contains("Verification result: UNKNOWN"), "{body}: {stated}");
    }
    // The program is safe, whatever the tool says.
    for text in ["unsat\n", "unknown\n", "error"] {
        let stated = asked(folder.path(), SAFE, text);
        assert!(stated.contains("Verification result: TRUE"), "{text}: {stated}");
    }
}
