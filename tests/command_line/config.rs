//! `margay.toml`: where it is looked for, what it says, and that options of the command line count more.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const RIGHT: &str = "int main(void) { return 0; }\n";
/// It needs a folder with headers and a macro, and starts elsewhere.
const WRONG: &str = "#include \"size.h\"\nint a[SIZE];\nint start(void) { return a[INDEX]; }\n";

fn margay(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_margay")).args(arguments).current_dir(folder).output().unwrap()
}

/// Exit status, standard output and standard error.
fn reported(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = margay(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The last line of an answer.
fn answer(folder: &Path, arguments: &[&str]) -> String {
    let (_, out, err) = reported(folder, arguments);
    let last = out.lines().last().unwrap_or_default();
    last.strip_prefix("Verification result: ").unwrap_or_else(|| panic!("{arguments:?}: {out}{err}")).to_owned()
}

/// A project with the example of the page: sources, headers, and its `margay.toml`.
fn project() -> tempfile::TempDir {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/command-line.md")).unwrap();
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let folder = tempfile::tempdir().unwrap();
    for name in ["src/deep", "include", "reports", ".git"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    for (name, text) in [
        ("margay.toml", example),
        ("include/size.h", "#define SIZE 8\n"),
        ("src/main.c", WRONG),
        ("src/deep/ok.c", RIGHT),
        ("other.toml", ""),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn the_example_of_the_page_is_understood() {
    let folder = project();
    let (status, out, err) = reported(folder.path(), &["verify"]);
    // `[ci] exit-code = true`, the entry point, the headers and the macro: the index is out of bounds.
    assert_eq!((status, out.lines().last()), (Some(10), Some("Verification result: FALSE(valid-deref)")), "{err}");
    let answer: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("reports/answer.json")).unwrap()).unwrap();
    assert_eq!((&answer["result"], &answer["program"]), (&"false".into(), &"src/main.c".into()));
    assert!(fs::read_to_string(folder.path().join("reports/answer.html")).unwrap().contains("<html"));
}

#[test]
fn options_of_the_command_line_count_more() {
    let folder = project();
    let verify = |arguments: &[&str]| answer(folder.path(), &[&["verify"], arguments].concat());
    // A macro of the option comes after those of the file.
    assert_eq!(verify(&["-D", "INDEX=7"]), "TRUE");
    // The access is not asked about, but nothing is proved of what follows it.
    assert!(verify(&["--property", "no-overflow"]).starts_with("UNKNOWN (not proved: undefined behaviour"));
    assert_eq!(verify(&["--timeout", "0"]), "UNKNOWN (timeout: 0 s of CPU time)");
    assert_eq!(verify(&["--entry", "main", "src/deep/ok.c"]), "TRUE");
    assert_eq!(verify(&["--no-config", "src/deep/ok.c"]), "TRUE");
    let (status, _, err) = reported(folder.path(), &["verify", "--no-config"]);
    assert_eq!(status, Some(2));
    assert!(err.contains("no C file is given"), "{err}");
}

#[test]
fn the_file_is_looked_for_above_the_first_source() {
    let folder = project();
    // From another folder, paths are those of the project.
    let inside = folder.path().join("src/deep");
    let (status, _, err) = reported(&inside, &["verify", "--no-witness", "../main.c"]);
    assert_eq!(status, Some(10), "{err}");
    assert!(folder.path().join("reports/answer.json").exists());
    // One below counts more, and another may be named.
    fs::write(inside.join("margay.toml"), "").unwrap();
    assert_eq!(answer(folder.path(), &["verify", "--no-witness", "src/deep/ok.c"]), "TRUE");
    assert_eq!(answer(folder.path(), &["verify", "--config", "other.toml", "src/deep/ok.c"]), "TRUE");
    // Nothing is taken from outside a checkout.
    fs::remove_file(inside.join("margay.toml")).unwrap();
    fs::create_dir(inside.join(".git")).unwrap();
    assert_eq!(reported(&inside, &["verify", "--no-witness", "ok.c"]).0, Some(0));
}

#[test]
fn other_commands_take_what_concerns_them() {
    let folder = project();
    // The property, the files, the macro and the entry point; but no output and no exit status of answers.
    assert_eq!(reported(folder.path(), &["run"]).0, Some(120));
    let (status, out, err) = reported(folder.path(), &["contracts"]);
    assert!(status == Some(0) && out.contains("start"), "{out}{err}");
    assert!(!folder.path().join("reports/answer.json").exists());
    let (status, out, err) = reported(folder.path(), &["show", "cfa", "src/main.c"]);
    assert!(status == Some(0) && out.contains("start"), "{out}{err}");
    let (status, out, err) = reported(folder.path(), &["diagnose", "src/main.c"]);
    assert!(status == Some(0) && !out.is_empty(), "{out}{err}");
}

#[test]
fn a_task_definition_says_everything_itself() {
    let folder = project();
    let task = "format_version: '2.0'\ninput_files: src/deep/ok.c\nproperties:\n  - property_file: p.prp\n";
    fs::write(folder.path().join("t.yml"), task).unwrap();
    fs::write(folder.path().join("p.prp"), crate::texts::MEMSAFETY).unwrap();
    assert_eq!(answer(folder.path(), &["verify", "t.yml"]), "TRUE");
    assert!(!folder.path().join("reports/answer.json").exists());
}

const POOL: &str = "#include <stddef.h>
void *pool_alloc(size_t size);
void pool_free(void *block);
void die(const char *why, ...);
int main(int argc, char **argv) {
    int *x = pool_alloc(sizeof *x);
    *x = argc;
    if (argc < 2) die(\"%d\", argc);
    pool_free(x);
    return argc < 2 ? *x : 0;
}
";
const FUNCTIONS: &str = "[functions]\npool_alloc = \"malloc\"\npool_free = \"free\"\ndie = \"abort\"\n";

/// Allocators without a body act like those of the library, and the answer says that it rests on this.
#[test]
fn functions_without_a_body_act_like_others() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pool.c"), POOL).unwrap();
    let verify =
        |arguments: &[&str]| reported(folder.path(), &[&["verify", "--no-witness", "pool.c"], arguments].concat());
    let last = |out: &str| out.lines().last().unwrap_or_default().to_owned();
    let (_, out, _) = verify(&[]);
    assert!(last(&out).starts_with("Verification result: UNKNOWN"), "{out}");
    fs::write(folder.path().join("margay.toml"), FUNCTIONS).unwrap();
    let (_, out, err) = verify(&["--json", "a.json"]);
    assert_eq!(last(&out), "Verification result: TRUE", "{out}{err}");
    let assumed =
        "assuming that die acts like abort, that pool_alloc acts like malloc, and that pool_free acts like free";
    assert!(out.contains(assumed), "{out}");
    let text = fs::read_to_string(folder.path().join("a.json")).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["acting_assumptions"][1], serde_json::json!({ "function": "pool_alloc", "like": "malloc" }));
    // What does not end there uses the block after its release.
    fs::write(folder.path().join("margay.toml"), FUNCTIONS.replace("die", "other")).unwrap();
    let (_, out, _) = verify(&[]);
    assert_eq!(last(&out), "Verification result: FALSE(valid-deref)", "{out}");
    assert!(out.contains("assuming that die changes no memory, that pool_alloc acts like malloc"), "{out}");
    let (_, _, err) = reported(folder.path(), &["contracts", "pool.c"]);
    assert!(err.contains("note: it is assumed that pool_free acts like free"), "{err}");
    let (status, out, err) = reported(folder.path(), &["audit", "--latent", "."]);
    assert!(out.contains("use after free at pool.c:10"), "{out}");
    assert!(err.contains("note: it is assumed that pool_free acts like free"), "{err}");
    assert_eq!(status, Some(0), "the error depends on the argument");
    // A proof would not say what it rests on.
    let (status, _, err) = verify(&["--proof", "p.json"]);
    assert!(status == Some(2) && err.contains("`functions` of margay.toml"), "{err}");
}

/// What has a body means what its body says.
#[test]
fn functions_with_a_body_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let defined = POOL.replace("void die(const char *why, ...);", "void die(const char *why, ...) { }");
    fs::write(folder.path().join("pool.c"), defined).unwrap();
    fs::write(folder.path().join("margay.toml"), FUNCTIONS).unwrap();
    assert_eq!(answer(folder.path(), &["verify", "--no-witness", "pool.c"]), "FALSE(valid-deref)");
}
