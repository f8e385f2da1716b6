//! `--specs`: what is kept of functions between runs, and when it is used.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli_contracts::{folder, run, text};

const CHAIN: &str = "\
void *malloc(unsigned long n);
int low(int *p) { return *p + 1; }
int middle(int *p) { return low(p) * 2; }
int top(int *p) { return middle(p) + 1; }
int apart(int x) { return x ? apart(x - 1) : 0; }
int bad(void) { int *p = 0; return *p; }
int *make(void) { int *p = malloc(sizeof(int)); *p = 3; return p; }
void lose(void) { make(); }
";

/// Which functions a run analysed, and what it printed of them.
fn kept(folder: &Path, program: &str) -> (String, String) {
    fs::write(folder.join("chain.c"), program).unwrap();
    let text = text(folder, &["chain.c", "--specs", "specs", "--stats"]);
    let (contracts, figures) = text.split_once("functions: 7\n").unwrap_or_else(|| panic!("{text}"));
    let names = figures.lines().find_map(|line| line.strip_prefix("analysed: ")).unwrap();
    assert_eq!(contracts, self::text(folder, &["chain.c"]), "what was kept is not what would be found");
    (names.to_owned(), contracts.to_owned())
}

#[test]
fn only_what_changed_is_analysed_again() {
    let folder = folder(&[]);
    let (all, first) = kept(folder.path(), CHAIN);
    for name in ["low", "middle", "top", "apart", "bad", "make", "lose"] {
        assert!(all.split(", ").any(|other| other == name), "{all}");
    }
    assert_eq!(kept(folder.path(), CHAIN), (String::new(), first));
    // Other lines: only who speaks of the line where a callee allocates must look again.
    assert_eq!(kept(folder.path(), &CHAIN.replace("int bad", "/* It is. */\n\nint bad")).0, "lose");
    // Another contract: callers, and theirs, must know.
    assert_eq!(kept(folder.path(), &CHAIN.replace("*p + 1;", "*p + 2;")).0, "low, middle, top");
    // The same contract by another text: callers need not.
    assert_eq!(kept(folder.path(), &CHAIN.replace("return *p + 1;", "int q = *p; return q + 1;")).0, "low");
    assert_eq!(kept(folder.path(), &CHAIN.replace("* 2", "* 3")).0, "middle, top");
    // What was kept first still holds.
    assert_eq!(kept(folder.path(), CHAIN).0, "");
}

#[test]
fn callers_look_again_when_a_callee_begins_to_go_wrong() {
    let folder = folder(&[]);
    let program = "int *p; void (*f)(void);\nvoid low(int b) { if (b) WRONG }\nvoid top(int b) { low(b); }\n";
    let reported = |wrong: &str| {
        fs::write(folder.path().join("a.c"), program.replace("WRONG", wrong)).unwrap();
        text(folder.path(), &["a.c", "--specs", "specs", "--json", "a.json"])
    };
    let contracts = |text: &str| text.lines().filter(|line| line.contains('{')).map(str::to_owned).collect::<Vec<_>>();
    // The contract says of neither that `b` may be anything but 0.
    let (fine, wrong) = (reported("f();"), reported("{ p = 0; *p = 1; }"));
    assert_eq!(contracts(&fine), contracts(&wrong), "{fine}{wrong}");
    let written: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("a.json")).unwrap()).unwrap();
    assert_eq!(written["files"][0]["functions"][0]["findings"][0]["also"], serde_json::json!(["top"]));
}

#[test]
fn what_is_kept_belongs_to_the_options() {
    let folder = folder(&[("chain.c", CHAIN)]);
    let analysed = |more: &[&str]| {
        let arguments = [&["chain.c", "--specs", "specs", "--stats"], more].concat();
        let text = text(folder.path(), &arguments);
        text.lines().find(|line| line.starts_with("analysed: ")).unwrap().split(", ").count()
    };
    analysed(&[]);
    assert_eq!(analysed(&["--jobs", "2"]), 1, "nothing, as one empty name");
    assert!(analysed(&["--data-model", "ILP32"]) >= 7);
    assert!(analysed(&["--aliasing", "weak"]) >= 7);
    assert!(analysed(&["--malloc-may-fail"]) >= 2, "those that allocate");
    assert_eq!(analysed(&[]), 1);
}

#[test]
fn damaged_files_are_not_used() {
    let folder = folder(&[]);
    let (_, first) = kept(folder.path(), CHAIN);
    let files: Vec<_> = fs::read_dir(folder.path().join("specs")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(files.len(), 7);
    for (n, file) in files.iter().enumerate() {
        let text = fs::read_to_string(file).unwrap();
        let broken = match n {
            0 => Vec::new(),
            1 => b"{}".to_vec(),
            2 => vec![0xff, 0xfe],
            3 => text.as_bytes()[..text.len() / 2].to_vec(),
            // Well-formed, but not what was written.
            4 => text.replace("\"status\": \"", "\"status\":  \"").replace("complete", "partial").into_bytes(),
            _ => text.replacen("\"line\": ", "\"line\": 1", 1).into_bytes(),
        };
        fs::write(file, broken).unwrap();
    }
    let output = run(folder.path(), &["chain.c", "--specs", "specs"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), first);
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert!(warnings.lines().filter(|line| line.ends_with(" is damaged and not used")).count() >= 6, "{warnings}");
    assert_eq!(kept(folder.path(), CHAIN).0, "", "they were written again");
}
