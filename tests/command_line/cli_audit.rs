//! `margay audit` from outside: the files of a project, what is kept between runs, and what is written.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const OWN: &str = "\
#include <stdlib.h>
#include \"item.h\"
void drop(struct item *i) { free(i); }
struct item *make(int k) { struct item *i = malloc(sizeof *i); i->k = k; return i; }
int get(struct item *i, int may) { if (may) i = 0; return i->k; }
";
const USE: &str = "\
#include \"../item.h\"
void fine(void) { drop(make(1)); }
void twice(void) { struct item *i = make(2); drop(i); drop(i); }
";
const HEADER: &str = "\
struct item { int k; };
void drop(struct item *i);
struct item *make(int k);
static inline int zero(void) { int *p = 0; return *p; }
";

fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.arg("audit").args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// Exit code, standard output and standard error.
fn audited(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The figures of a file, or of all: functions, complete, bounded, partial, no contract, not analysed, errors, latent.
fn figures(text: &str, file: &str) -> Vec<usize> {
    let line =
        text.lines().find(|line| line.starts_with(&format!("{file} "))).unwrap_or_else(|| panic!("{file}: {text}"));
    line[file.len()..].split_whitespace().map(|word| word.parse().unwrap()).collect()
}

#[test]
fn files_of_a_folder_are_linked_and_errors_reported_once() {
    let files =
        [("item.h", HEADER), ("own.c", OWN), ("in/use.c", USE), ("broken.c", "int f(\n"), (".hidden/x.c", "int f(")];
    let folder = project(&files);
    let (code, out, err) = audited(folder.path(), &["--json", "a.json", "--sarif", "a.sarif", "--html", "a.html"]);
    assert_eq!(code, Some(1), "{out}{err}");
    // The double free needs the contracts of another file; the header's function is one function in both files.
    assert!(out.contains("manifest error: use after free at in/use.c:3:55: in a call of `drop`: "), "{out}");
    assert_eq!(out.matches("error: null dereference").count(), 1, "{out}");
    assert!(out.contains("null dereference at item.h:4:") && out.contains("twice()  in/use.c:3\n"), "{out}");
    assert!(!out.contains("latent error:"), "{out}");
    assert!(out.ends_with("\n1 latent error (--latent shows it): get at own.c:5\n"), "{out}");
    assert_eq!(figures(&out, "own.c")[0], 3, "{out}");
    assert_eq!(figures(&out, "in/use.c")[..2], [2, 1], "{out}");
    let total = figures(&out, "2 files");
    assert_eq!((total[0], total[6], total[7]), (5, 2, 1), "{out}");
    // A file that cannot be read costs no other.
    assert!(
        out.contains("broken.c cannot be read") && err.contains("broken.c:1:6") && !out.contains("hidden"),
        "{out}{err}"
    );
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap();
    let (json, sarif): (Value, Value) =
        (serde_json::from_str(&read("a.json")).unwrap(), serde_json::from_str(&read("a.sarif")).unwrap());
    assert_eq!(json["unread"][0]["file"], "broken.c");
    let levels = sarif["runs"][0]["results"].as_array().unwrap().iter().map(|result| result["level"].as_str().unwrap());
    assert_eq!(levels.filter(|level| *level == "error").count(), 2, "{sarif}");
    let page = read("a.html");
    assert!(page.contains("use after free") && page.contains("<td>own.c</td>") && !page.contains("src="), "{page}");
    for (fail_on, expected) in [("error", 1), ("latent", 1), ("never", 0)] {
        assert_eq!(audited(folder.path(), &["--fail-on", fail_on]).0, Some(expected), "{fail_on}");
    }
}

#[test]
fn only_latent_errors_fail_only_where_asked() {
    let folder = project(&[("a.c", "int get(int *p, int n) { if (n > 3) p = 0; return *p; }\n")]);
    let code = |arguments: &[&str]| audited(folder.path(), arguments).0;
    assert_eq!([code(&[]), code(&["--fail-on", "latent"])], [Some(0), Some(1)]);
    let (_, out, _) = audited(folder.path(), &["--latent"]);
    assert!(out.contains("latent error: null dereference at a.c:1:"), "{out}");
    assert!(!out.contains("--latent shows"), "{out}");
    // In SARIF as on standard output, and as notes.
    for (options, levels) in [(&[][..], &[][..]), (&["--latent"], &["note"])] {
        audited(folder.path(), &[&["--sarif", "a.sarif"], options].concat());
        let text = fs::read_to_string(folder.path().join("a.sarif")).unwrap();
        let log: Value = serde_json::from_str(&text).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap().iter();
        assert_eq!(results.map(|result| result["level"].as_str().unwrap()).collect::<Vec<_>>(), levels);
    }
}

/// Two pointers into one array may be the same where that was asked for.
#[test]
fn addresses_may_be_guessed_to_be_equal() {
    let text = "#include <stdlib.h>\nint both(int **a, int **b) { free(*a); int *p = *b; return *p; }\n";
    let folder = project(&[("a.c", text)]);
    let found = |aliasing: &str| audited(folder.path(), &["--latent", "--aliasing", aliasing]).1;
    assert!(!found("none").contains("use after free"));
    assert!(found("all").contains("latent error: use after free at a.c:2:"), "{}", found("all"));
}

/// So many functions that not all of them are analysed in a few seconds.
fn many(n: usize) -> String {
    let function = |n| format!("int f{n}(int *p, int *q, int n) {{ while (n-- > 0) *p += *q; return p[n] + {n}; }}\n");
    (0..n).map(function).collect()
}

/// A limit ends the analysis, not what is said of it: the errors found so far count, the rest is named as not analysed.
#[test]
fn an_audit_that_a_limit_ends_reports_what_it_knows() {
    let folder = project(&[("a.c", "int get(void) { int *p = 0; return *p; }\n"), ("many.c", &many(6000))]);
    let (code, out, err) = audited(folder.path(), &["--timeout", "4", "--json", "a.json"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("note: not all functions were analysed: timeout: 4 s of CPU time"), "{err}");
    assert!(out.contains("manifest error: null dereference at a.c:1:"), "{err}");
    let total = figures(&out, "2 files");
    assert!(total[0] == 6001 && total[5] > 0 && total[6] == 1, "{total:?}");
    let json: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("a.json")).unwrap()).unwrap();
    assert_eq!(json["files"][1]["functions"][5999]["status"], "not_analysed");
}

#[test]
fn what_is_kept_is_used_until_an_edit() {
    let folder = project(&[("item.h", HEADER), ("own.c", OWN), ("in/use.c", USE)]);
    let kept = || {
        let entries = fs::read_dir(folder.path().join("kept")).unwrap().map(|entry| entry.unwrap());
        let time = |entry: &fs::DirEntry| entry.metadata().unwrap().modified().unwrap();
        entries.map(|entry| (entry.file_name(), time(&entry))).collect::<std::collections::BTreeMap<_, _>>()
    };
    let first = audited(folder.path(), &["--cache", "kept"]);
    let before = kept();
    assert!(before.len() >= 5, "{before:?}");
    assert!(!folder.path().join(".margay-cache").exists(), "it is kept where that was asked for");
    assert_eq!(audited(folder.path(), &["--cache", "kept"]), first);
    assert_eq!(kept(), before, "nothing was analysed");
    // The callers' file is the same, and its functions rest on another contract.
    fs::write(folder.path().join("own.c"), OWN.replace("i->k = k;", "i->k = k + 1;")).unwrap();
    assert_eq!(audited(folder.path(), &["--cache", "kept"]).0, first.0);
    let after = kept();
    let changed = after.iter().filter(|(name, time)| before.get(*name) != Some(time)).count();
    assert!((1..=3).contains(&changed), "`make`, and those that call it: {changed}");
    fs::write(folder.path().join("own.c"), OWN.replace("free(i);", "")).unwrap();
    let (_, out, _) = audited(folder.path(), &["--cache", "kept"]);
    assert!(!out.contains("use after free"), "{out}");
}

/// What is kept under one meaning of functions without a body is not used under another.
#[test]
fn what_is_kept_belongs_to_the_functions_of_the_configuration() {
    let text = "void *take(unsigned long n);\nvoid drop(void *p);\nvoid twice(void) { void *p = take(4); drop(p); drop(p); }\n\
                void lose(void) { take(4); }\nvoid both(void) { twice(); }\n";
    let settings = ["", "[functions]\ntake = \"malloc\"\n", "[functions]\ntake = \"malloc\"\ndrop = \"free\"\n"];
    let folder = project(&[("a.c", text)]);
    let found = |setting: &str, cache: &str| {
        fs::write(folder.path().join("margay.toml"), setting).unwrap();
        let (code, out, _) = audited(folder.path(), &["--cache", cache, "--json", "a.json"]);
        (code, out, fs::read_to_string(folder.path().join("a.json")).unwrap())
    };
    let fresh = [0, 1, 2].map(|index| found(settings[index], &format!("own{index}")));
    assert_eq!(fresh.each_ref().map(|(code, ..)| *code), [Some(0), Some(1), Some(1)], "{fresh:?}");
    assert!(fresh[1].1.contains("memory leak") && !fresh[1].1.contains("double free"), "{}", fresh[1].1);
    assert!(fresh[2].1.contains("double free"), "{}", fresh[2].1);
    for index in [0, 1, 2, 0, 2, 1, 0] {
        assert_eq!(found(settings[index], "shared"), fresh[index], "{}", settings[index]);
    }
}

#[test]
fn a_compilation_database_says_what_belongs_to_the_project() {
    let text = "int one(void) { int *p = 0; return WHICH ? *p : 0; }\n";
    let commands = r#"[{"directory": ".", "file": "a.c", "command": "cc -DWHICH=1 -c a.c"},
                       {"directory": ".", "file": "gone.c", "command": "cc -c gone.c"}]"#;
    let folder = project(&[("a.c", text), ("other.c", "int f("), ("compile_commands.json", commands)]);
    for project in [&["."][..], &["compile_commands.json"]] {
        let (code, out, err) = audited(folder.path(), project);
        assert_eq!(code, Some(1), "{out}{err}");
        assert!(
            out.contains("\n1 files") && out.contains("gone.c cannot be read") && !err.contains("other.c"),
            "{out}{err}"
        );
    }
}

#[test]
fn what_cannot_be_audited_is_refused() {
    let folder = project(&[("a.c", "int f("), ("empty/readme", "")]);
    for (arguments, expected) in [
        (&["missing"][..], "missing"),
        (&["empty"], "there is no C file in it"),
        (&["."], "none of the C files can be read"),
        (&[".", "--html", "a.c"], "it is read as input"),
        (&[".", "--json", "x", "--sarif", "x"], "two outputs"),
    ] {
        let (code, out, err) = audited(folder.path(), arguments);
        assert!(code == Some(2) && err.contains(expected), "{arguments:?}: {code:?} {out}{err}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.c")).unwrap(), "int f(");
}

#[test]
fn an_interrupted_run_reports_what_it_knows_and_the_next_one_goes_on() {
    let folder = project(&[("many.c", &many(3000))]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.args(["contracts", "many.c", "--specs", "kept", "--json", "a.json"]).current_dir(folder.path());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    reader.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let heads: Vec<&str> = std::iter::once(&*first).chain(rest.lines()).filter(|line| line.starts_with('f')).collect();
    assert_eq!(heads.len(), 3000, "each function is reported once");
    assert!(!first.contains("[not analysed]") && heads[2999].ends_with("[not analysed]"), "{first}");
    let json: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("a.json")).unwrap()).unwrap();
    assert_eq!(json["files"][0]["functions"][2999]["status"], "not_analysed");
    // What was known is not found again.
    fs::write(folder.path().join("many.c"), many(1)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.args(["contracts", "many.c", "--specs", "kept", "--stats"]).current_dir(folder.path());
    let output = command.output().unwrap();
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("\nanalysed: \n"),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}
