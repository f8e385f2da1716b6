//! Answers for other programs: `verify --json` and `--sarif`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Line 6 uses a node that line 5 frees; the caller decides by an input.
const USED: &str = "#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { struct n *next; int v; };
static int last(struct n *x, int wrong) {
    if (wrong) free(x);
    int v = x->v;
    if (!wrong) free(x);
    return v;
}
int main(void) {
    struct n *x = malloc(sizeof *x);
    x->v = 3;
    return last(x, __VERIFIER_nondet_int() > 7);
}
";

const LOOP: &str = "int __VERIFIER_nondet_int(void);
int main(void) {
    int a[8];
    for (int i = 0; i < 8; i++) a[i] = i;
    return a[3];
}
";

fn verify(folder: &Path, text: &str, more: &[&str]) -> (Output, Value, Value) {
    fs::write(folder.join("t.c"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.args(["verify", "--no-witness", "--json", "a.json", "--sarif", "a.sarif", "t.c"]).args(more);
    let output = command.current_dir(folder).output().unwrap();
    let read = |name: &str| serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap();
    (output, read("a.json"), read("a.sarif"))
}

/// What every SARIF log must have, by the standard's required properties.
fn is_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert!(run["tool"]["driver"]["name"].is_string());
    for result in run["results"].as_array().unwrap() {
        assert!(result["message"]["text"].is_string(), "{result}");
        // Only what is to be mended is a result, and it is known again after a change elsewhere.
        assert_eq!((&result["kind"], &result["level"]), (&"fail".into(), &"error".into()), "{result}");
        assert_eq!(result["partialFingerprints"]["margayViolation/v1"].as_str().map(str::len), Some(64), "{result}");
        let rule = &result["ruleId"];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert!(rules.iter().any(|known| known["id"] == *rule), "{rule} is no rule");
        for location in result["locations"].as_array().unwrap() {
            assert!(location["physicalLocation"]["artifactLocation"]["uri"].is_string(), "{location}");
        }
    }
}

/// What a program that makes a schedule of its own excludes by locks is not known where nobody defines these.
#[test]
fn a_violation_does_not_rest_on_locks_that_nobody_defines() {
    let folder = tempfile::tempdir().unwrap();
    let mut answers = Vec::new();
    for (name, parameter, given) in [
        ("take_lock", "int n", "0"),
        ("take_block", "int n", "0"),
        // What it is given may be unlocked by others.
        ("take_lock", "int *n", "&shared"),
    ] {
        let text = format!(
            "void reach_error(void); _Bool __VERIFIER_nondet_bool(void); void {name}({parameter}); int shared;
            static void other(void) {{ shared = 1; }}
            int main(void) {{ {name}({given}); shared = 2; if (__VERIFIER_nondet_bool()) other(); if (shared == 1) reach_error(); }}"
        );
        let (_, json, _) = verify(folder.path(), &text, &["-p", "unreach-call"]);
        answers.push((json["result"].as_str().unwrap().to_owned(), json["reason"].to_string().contains("`take_lock`")));
    }
    let expected = [("unknown", true), ("false", false), ("false", false)];
    assert_eq!(answers, expected.map(|(result, reported)| (result.to_owned(), reported)));
}

/// An index out of bounds, a double free, a null pointer and a leak, each for another input.
const SEVERAL: &str = "#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { struct n *next; int v; };
static int at(const int *table, int index) { return table[index]; }
int main(void) {
    int table[4] = {1, 2, 3, 4};
    int command = __VERIFIER_nondet_int();
    if (command == 1) return at(table, 4);
    struct n *x = malloc(sizeof *x);
    x->next = 0;
    if (command == 2) free(x);
    if (command == 3) x = x->next;
    if (command == 3) return x->v;
    if (command == 4) x = 0;
    free(x);
    return 0;
}
";

/// Each violation is there once, with a run of its own that `margay run` follows to the same place.
#[test]
fn all_violations_are_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    let found = |json: &Value| -> Vec<(String, u64)> {
        let further = json["further_violations"].as_array().into_iter().flatten();
        let mut all: Vec<_> = std::iter::once(&json["violation"])
            .chain(further)
            .map(|one| (one["property"].as_str().unwrap().to_owned(), one["at"]["line"].as_u64().unwrap()))
            .collect();
        all.sort();
        all
    };
    let (_, first, _) = verify(folder.path(), SEVERAL, &[]);
    let (output, json, sarif) = verify(folder.path(), SEVERAL, &["--all-violations", "--summary", "a.md"]);
    assert_eq!(found(&first).len(), 1);
    // What is there without the option is the same with it.
    assert_eq!(json["violation"], first["violation"]);
    let expected = [("valid-deref", 4), ("valid-deref", 13), ("valid-free", 15), ("valid-memtrack", 14)];
    let expected = expected.map(|(property, line)| (property.to_owned(), line));
    // The run that loses the last node at line 12 uses a null pointer only afterwards: the leak may be found at either line.
    let mut lines = found(&json);
    lines.iter_mut().filter(|(property, _)| property == "valid-memtrack").for_each(|(_, line)| {
        assert!([12, 14].contains(line), "{line}");
        *line = 14;
    });
    assert_eq!(lines, expected);
    for one in json["further_violations"].as_array().unwrap() {
        let input = one["inputs"][0].as_str().unwrap();
        let run = Command::new(env!("CARGO_BIN_EXE_margay"))
            .args(["run", "--inputs", input, "-p", one["property"].as_str().unwrap(), "t.c"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let place = format!("t.c:{}:", one["at"]["line"]);
        assert!(String::from_utf8_lossy(&run.stderr).contains(&place), "{input}: {run:?}");
    }
    is_sarif(&sarif);
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 4);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("error: valid-").count(), 4, "{text}");
    // Runs end where they come to a listed one: what is not listed is not known to be absent.
    let rest = json["other_violations"].as_str().unwrap();
    assert!(rest.starts_with("there may be others: the search"), "{rest}");
    assert!(text.contains(&format!("\nOther violations: {rest}.\nVerification result")), "{text}");
    assert_eq!(first["other_violations"], Value::Null);
    let last = format!("Verification result: FALSE({})\n", json["violation"]["property"].as_str().unwrap());
    assert!(text.ends_with(&last), "{text}");
    let summary = fs::read_to_string(folder.path().join("a.md")).unwrap();
    assert_eq!(summary.matches("### Further violation: ").count(), 3, "{summary}");
}

/// The search for others ends where there is one violation, and where a place is passed again and again.
#[test]
fn a_single_violation_is_listed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (_, json, _) = verify(folder.path(), USED, &["--all-violations"]);
    assert_eq!((&json["violation"]["property"], &json["further_violations"]), (&"valid-deref".into(), &Value::Null));
}

/// The run is in the loop for some rounds before it is noticed; they are alike.
#[test]
fn a_round_without_end_is_shown_once() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n;)
        if (__VERIFIER_nondet_int() > 3)
            i++;
    return 0;
}
";
    let (output, ..) = verify(folder.path(), text, &["-p", "termination"]);
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.starts_with("error: termination violated: the run comes to a loop that it never leaves\n"), "{out}");
    let marked = |mark: &str| {
        let lines = out.lines().filter(|line| line.starts_with(mark));
        lines.map(|line| line[mark.len()..].split_whitespace().next().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(marked("    line"), ["3"], "{out}");
    let mut round = marked("  ↻ line");
    round.sort_unstable();
    assert_eq!((round, marked("  ! line").len()), (vec!["4", "5", "5"], 1), "{out}");
    assert!(out.contains("↻ without end"), "{out}");
    let inputs = out.lines().find(|line| line.starts_with("Inputs: ")).unwrap();
    assert!(inputs.ends_with(", again and again") && inputs.matches(',').count() == 2, "{inputs}");
}

#[test]
fn a_violation_is_told_with_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let (_, json, sarif) = verify(folder.path(), USED, &[]);
    assert_eq!(json["format"], "margay answer 1");
    assert_eq!(json["result"], "false");
    let violation = &json["violation"];
    assert_eq!(violation["property"], "valid-deref");
    assert_eq!(violation["cwe"], serde_json::json!({ "id": 416, "name": "Use After Free" }));
    assert_eq!((&violation["at"]["line"], &violation["function"]), (&6.into(), &"last".into()));
    let steps = violation["steps"].as_array().unwrap();
    let kinds: Vec<&str> = steps.iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["input", "enter", "branch", "violation"]);
    assert_eq!(steps[2]["taken"], true);
    assert_eq!(steps[2]["values"], serde_json::json!([{ "name": "wrong", "value": "1" }]));
    assert_eq!(violation["accessed"], "x->v");
    let line =
        |key: &str| (violation[key]["at"]["line"].as_u64().unwrap(), violation[key]["function"].as_str().unwrap());
    assert_eq!((line("allocated"), line("freed")), ((11, "main"), (5, "last")));
    let input: i64 = violation["inputs"][0].as_str().unwrap().parse().unwrap();
    assert!(input > 7, "{input}");

    is_sarif(&sarif);
    let run = &sarif["runs"][0];
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["taxa"][0]["id"]), (&"valid-deref".into(), &"416".into()));
    assert_eq!(run["taxonomies"][0]["taxa"][0]["id"], "416");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&"t.c".into(), &6.into()));
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    assert_eq!(flow.len(), 4);
    // The call is in `main`, what follows is one level deeper.
    let depths: Vec<i64> = flow.iter().map(|step| step["nestingLevel"].as_i64().unwrap()).collect();
    assert_eq!(depths, [0, 0, 1, 1]);
    // A function's name is as it is written; the values of a condition are there as text and as data.
    let texts: Vec<&str> = flow.iter().map(|step| step["location"]["message"]["text"].as_str().unwrap()).collect();
    assert!(texts[0].starts_with("__VERIFIER_nondet_int() returns "), "{texts:?}");
    assert_eq!(texts[1..], ["last is called.", "The condition is true. wrong = 1.", "The violation."]);
    assert_eq!(flow[2]["state"], serde_json::json!({ "wrong": { "text": "1" } }));
    let helps = run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|rule| rule["helpUri"].as_str().unwrap());
    assert!(helps.clone().count() == 3 && helps.into_iter().all(|uri| uri.ends_with(".html")), "{run}");

    // Lines before the violation do not change its fingerprint; the line itself does.
    let print = |text: &str| verify(folder.path(), text, &[]).2["runs"][0]["results"][0]["partialFingerprints"].clone();
    let first = result["partialFingerprints"].clone();
    assert_eq!(print(&format!("/* A line more. */\n{USED}")), first);
    assert_ne!(print(&USED.replace("x->v", "(x->v)")), first);
}

#[test]
fn an_answer_is_summarised_in_markdown() {
    let folder = tempfile::tempdir().unwrap();
    let summary = |text: &str| {
        verify(folder.path(), text, &["--summary", "s.md"]);
        fs::read_to_string(folder.path().join("s.md")).unwrap()
    };
    let violated = summary(USED);
    assert!(violated.starts_with("## FALSE(valid-deref): `t.c`\n\nAt `t.c:6` in `last`: "), "{violated}");
    assert!(
        violated.contains("| Weakness | [CWE-416](https://cwe.mitre.org/data/definitions/416.html), "),
        "{violated}"
    );
    assert!(violated.contains("| Freed | line 5 in `last` |\n"), "{violated}");
    assert!(violated.contains("<details><summary>4 steps</summary>\n\n| line | step | values |\n"), "{violated}");
    assert!(violated.contains("the condition is true | `wrong = 1` |\n"), "{violated}");
    let proved = summary(LOOP);
    assert!(proved.starts_with("## TRUE: `t.c`\n\nNo run violates valid-memsafety.\n"), "{proved}");
    assert!(proved.contains("\n| `t.c:4` | `"), "{proved}");
    let open = summary("int main(void) { __asm__ volatile (\"cpuid\" ::: \"memory\"); return 0; }\n");
    assert!(
        open.starts_with("## UNKNOWN: `t.c`\n\nIt is not known whether valid-memsafety holds: unsupported: "),
        "{open}"
    );
}

#[test]
fn a_proof_is_told_with_its_invariants() {
    let folder = tempfile::tempdir().unwrap();
    let (_, json, sarif) = verify(folder.path(), LOOP, &[]);
    assert_eq!(json["result"], "true", "{json}");
    let invariants = json["loop_invariants"].as_array().unwrap();
    assert!(invariants.iter().all(|invariant| invariant["at"]["line"] == 4), "{json}");
    is_sarif(&sarif);
    assert_eq!(sarif["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn no_answer_is_told_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int main(void) { __asm__ volatile (\"cpuid\" ::: \"memory\"); return 0; }\n";
    let (output, json, sarif) = verify(folder.path(), text, &[]);
    let last = String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned();
    assert_eq!(json["result"], "unknown");
    assert_eq!(last, format!("Verification result: UNKNOWN ({})", json["reason"].as_str().unwrap()));
    is_sarif(&sarif);
    assert_eq!(sarif["runs"][0]["results"], serde_json::json!([]));
    let said = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(said["level"], "warning");
    assert!(said["message"]["text"].as_str().unwrap().contains(json["reason"].as_str().unwrap()), "{said}");
}
