//! The command line from outside: answers, witnesses, many tasks at once.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::texts::{ENDLESS, LEAK, MEMSAFETY, UNREACH};

/// An error is reached when the first input is 7 and the second is not smaller.
const TWO_INPUTS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x == 7 && y >= x) {
    reach_error();
  }
  return 3;
}
";

/// A folder with programs and properties.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("two.c", TWO_INPUTS),
        ("leak.c", LEAK),
        ("endless.c", ENDLESS),
        ("unreach.prp", UNREACH),
        ("memsafety.prp", MEMSAFETY),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.args(arguments).current_dir(folder);
    command
}

fn margay(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Standard output of a run that must succeed.
fn text(folder: &Path, arguments: &[&str]) -> String {
    let output = margay(folder, arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_violation_is_told_and_witnessed() {
    let folder = folder();
    let out = text(folder.path(), &["verify", "--property", "unreach.prp", "--stats", "two.c"]);
    assert_eq!(out.lines().last(), Some("Verification result: FALSE(unreach-call)"), "{out}");
    assert!(out.contains("two.c:7:5") && out.contains("reach_error();"), "{out}");
    assert!(out.contains("Inputs: 7, "), "{out}");
    assert_eq!(names(&folder.path().join("witnesses")), ["two.graphml", "two.yml"]);
    for witness in ["witnesses/two.graphml", "witnesses/two.yml"] {
        let out = text(folder.path(), &["validate", witness, "two.c"]);
        assert_eq!(out.lines().last(), Some("Witness result: CONFIRMED"), "{out}");
    }
}

/// Other errors get no hint, and the exit code is that of any input that is refused.
#[test]
fn code_without_a_main_gets_a_hint() {
    let folder = folder();
    fs::write(folder.path().join("library.c"), "int twice(int x) { return 2 * x; }\n").unwrap();
    fs::write(folder.path().join("wrong.c"), "int main(void) { return nothing; }\n").unwrap();
    let refused = |file: &str| {
        let output = margay(folder.path(), &["verify", "--no-witness", file]);
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
        String::from_utf8(output.stderr).unwrap()
    };
    let reported = refused("library.c");
    let lines: Vec<&str> = reported.lines().collect();
    let hint = "hint: `margay verify --entry FUNCTION library.c` verifies one function for all arguments, \
                `margay contracts library.c` analyses each function of code without a `main`";
    assert_eq!(lines, ["error: there is no function `main` to start at", hint]);
    assert!(!refused("wrong.c").contains("hint"));
}

/// Only where there is no answer, and input is read.
#[test]
fn a_program_that_reads_input_gets_a_hint() {
    let folder = folder();
    let hint = "hint: `margay run --stdin INPUT reads.c` runs the program on an input of your choice";
    let said = |text: &str| {
        fs::write(folder.path().join("reads.c"), text).unwrap();
        let output = margay(folder.path(), &["verify", "--no-witness", "reads.c"]);
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let unknown = "int *f(void); int getchar(void); int main(void) { int c = getchar(); return c > 0 ? *f() : 0; }\n";
    let (out, err) = said(unknown);
    assert!(out.contains("Verification result: UNKNOWN") && err.contains(hint), "{out}{err}");
    let (out, err) = said(&unknown.replace("*f()", "1"));
    assert!(out.contains("Verification result: TRUE") && !err.contains("hint"), "{out}{err}");
    let (out, err) = said(&unknown.replace("getchar()", "3").replace("int getchar(void);", ""));
    assert!(out.contains("Verification result: UNKNOWN") && !err.contains("hint"), "{out}{err}");
}

#[test]
fn witnesses_go_where_the_options_say() {
    let folder = folder();
    let before = names(folder.path());
    text(folder.path(), &["verify", "--property", "unreach.prp", "--no-witness", "two.c"]);
    assert_eq!(names(folder.path()), before);
    text(folder.path(), &["verify", "--property", "unreach.prp", "--witness-yaml", "w.yml", "two.c"]);
    let mut after = before.clone();
    after.push("w.yml".into());
    assert_eq!(names(folder.path()), after);
    let first = fs::read_to_string(folder.path().join("w.yml")).unwrap();
    let again = ["verify", "--property", "unreach.prp", "--witness-yaml", "w.yml", "two.c"];
    let time = ("SOURCE_DATE_EPOCH", "1700000000");
    command(folder.path(), &again).env(time.0, time.1).output().unwrap();
    let second = fs::read_to_string(folder.path().join("w.yml")).unwrap();
    assert!(second.contains("creation_time: \"2023-11-14T22:13:20Z\""), "{second}");
    let but_time = |text: &str| -> Vec<String> {
        text.lines().filter(|l| !l.contains("creation_time")).map(str::to_owned).collect()
    };
    assert_eq!(but_time(&first), but_time(&second), "the same question has the same witness");
}

#[test]
fn a_leak_of_a_preprocessed_program() {
    let folder = folder();
    let out = text(folder.path(), &["verify", "leak.c"]);
    assert_eq!(out.lines().last(), Some("Verification result: FALSE(valid-memtrack)"), "{out}");
    assert!(out.contains("leak.c:4:"), "{out}");
    let yaml = fs::read_to_string(folder.path().join("witnesses/leak.yml")).unwrap();
    assert!(yaml.contains("specification: \"G valid-memtrack\"") && yaml.contains("line: 4,"), "{yaml}");
    let out = text(folder.path(), &["verify", "--property", "unreach.prp", "leak.c"]);
    assert_eq!(out, "Witness: witnesses/leak.graphml, witnesses/leak.yml\nVerification result: TRUE\n");
}

#[test]
fn a_wrong_witness_is_rejected() {
    let folder = folder();
    let path = folder.path();
    text(path, &["verify", "--property", "unreach.prp", "--witness-yaml", "w.yml", "two.c"]);
    let good = fs::read_to_string(path.join("w.yml")).unwrap();
    let result = |witness: &str| {
        fs::write(path.join("x.yml"), witness).unwrap();
        let output = margay(path, &["validate", "x.yml", "two.c"]);
        let out = String::from_utf8(output.stdout).unwrap();
        (output.status.code().unwrap(), out.lines().last().unwrap().to_owned())
    };
    assert_eq!(result(&good), (0, "Witness result: CONFIRMED".to_owned()));
    let bad = good.replacen("\\\\result == 7", "\\\\result == 8", 1);
    assert_ne!(bad, good);
    let rejected = (1, "Witness result: REJECTED (no run of the witness violates the property)".to_owned());
    assert_eq!(result(&bad), rejected);
    assert_eq!(result(&good.replace("line: 7,", "line: 9,")), rejected);
    let (code, reported) = result(&good.replace("\"2.0\"", "\"2.5\""));
    assert_eq!(code, 1);
    assert!(
        reported.starts_with("Witness result: MALFORMED (version `2.5` is not understood, at line 3, column "),
        "{reported}"
    );
    // What is asked besides has to agree with the witness.
    fs::write(path.join("x.yml"), &good).unwrap();
    for arguments in [["--property", "memsafety.prp"], ["--data-model", "ILP32"]] {
        let output = margay(path, &[&["validate", "x.yml", "two.c"][..], &arguments].concat());
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8(output.stdout).unwrap().starts_with("Witness result: MALFORMED ("));
    }
    let output = margay(path, &["validate", "x.yml", "two.c", "--timeout", "0.000001"]);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
}

#[test]
fn several_properties_of_a_task() {
    let folder = folder();
    let task = "format_version: '2.0'\ninput_files: leak.c\nproperties:\n  - property_file: unreach.prp\n    \
                expected_verdict: true\n  - property_file: memsafety.prp\noptions: {language: C, data_model: ILP32}\n";
    fs::write(folder.path().join("t.yml"), task).unwrap();
    let out = text(folder.path(), &["verify", "t.yml"]);
    let reported: Vec<&str> =
        out.lines().filter(|l| l.starts_with("Property: ") || l.starts_with("Verification result: ")).collect();
    assert_eq!(
        reported,
        [
            "Property: unreach.prp",
            "Verification result: TRUE",
            "Property: memsafety.prp",
            "Verification result: FALSE(valid-memtrack)"
        ]
    );
    let expected = ["leak.memsafety.graphml", "leak.memsafety.yml", "leak.unreach.graphml", "leak.unreach.yml"];
    assert_eq!(names(&folder.path().join("witnesses")), expected);
    let out = text(folder.path(), &["verify", "--property", "unreach.prp", "t.yml"]);
    assert_eq!(out, "Witness: witnesses/leak.graphml, witnesses/leak.yml\nVerification result: TRUE\n");
}

#[test]
fn runs_on_given_inputs() {
    let folder = folder();
    let path = folder.path();
    let reported = |arguments: &[&str]| {
        let output = margay(path, arguments);
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let last = |arguments: &[&str]| {
        let (code, err) = reported(arguments);
        (code, err.lines().last().unwrap().to_owned())
    };
    assert_eq!(last(&["run", "two.c"]), (3, "Outcome: the program ends with status 3".into()));
    let inputs = ["run", "--inputs", "-7,0x7", "two.c"];
    assert_eq!(last(&inputs), (3, "Outcome: the program ends with status 3".into()));
    let (code, outcome) = last(&["run", "--inputs", "7,0x7", "two.c"]);
    assert!(code == 120 && outcome.starts_with("Outcome: unreach-call is violated"), "{code} {outcome}");
    fs::write(path.join("inputs"), "7 # the first\n9\n").unwrap();
    let (_, err) = reported(&["run", "--inputs-file", "inputs", "-v", "two.c"]);
    assert!(err.contains("Inputs: 7, 9\n") && err.contains("two.c:7:5"), "{err}");
    let (code, outcome) = last(&["run", "leak.c"]);
    assert!(code == 120 && outcome.starts_with("Outcome: valid-memtrack is violated"), "{code} {outcome}");
}

#[test]
fn automata_are_shown() {
    let folder = folder();
    let show = |arguments: &[&str]| text(folder.path(), arguments);
    assert!(show(&["show", "cfa", "two.c"]).contains("__VERIFIER_nondet_int"));
    let one = show(&["show", "cfa", "--dot", "--function", "main", "two.c"]);
    assert!(one.starts_with("digraph") && one.trim_end().ends_with('}'), "{one}");
    assert_eq!(one.matches("subgraph").count(), 1);
    assert!(show(&["show", "cfa", "--dot", "two.c"]).matches("subgraph").count() > 1);
    assert!(show(&["show", "ats", "two.c"]).starts_with("n0"));
    assert!(show(&["show", "ats", "--dot", "two.c"]).starts_with("digraph"));
}

#[test]
fn help_is_there() {
    let folder = folder();
    for arguments in [
        &["--help"][..],
        &["verify", "--help"],
        &["bench", "--help"],
        &["report", "--help"],
        &["run", "--help"],
        &["validate", "--help"],
        &["show", "--help"],
        &["--version"],
    ] {
        assert!(text(folder.path(), arguments).len() > 10);
    }
}
