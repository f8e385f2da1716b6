//! `margay-check` as a program: real certificates are accepted, by the fast solver and by plain Z3; others are refused with a reason.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use margay::base::limits::Limits;
use margay::c::with_big_stack;
use margay::portfolio::{Job, Options, verify};
use margay::question::CertificateFile;
use margay::task::{DataModel, PropertyFile};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn program(name: &str) -> PathBuf {
    root().join("benchmarks").join(name).with_extension("c")
}

/// The certificate of an own task, as the text of a file.
fn certificate(name: &str, asked: &str) -> String {
    let file = program(name);
    let property = root().join("property-files").join(asked).with_extension("prp");
    let property = PropertyFile::read(&property).expect("a property file");
    let options = Options { write_proof: true, ..Options::default() };
    let limits = Limits::new(Some(Duration::from_secs(60)), None);
    let job =
        Job { file: &file, model: DataModel::Lp64, properties: &property.checks, limits: &limits, options: &options };
    let answer = with_big_stack(|| verify(&job)).expect("a C program");
    let proof = answer.proof.unwrap_or_else(|| panic!("{name}: {}", answer.verdict));
    let file = CertificateFile::new(&file, DataModel::Lp64, &property, false, proof).expect("a readable program");
    file.about_skeleton(answer.of_skeleton).to_text().expect("a text")
}

fn run(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_margay-check")).args(arguments).output().expect("margay-check runs")
}

/// What it prints for a certificate with this text, and its exit code.
fn check(text: &str, program: &Path, plain: bool) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("certificate.json");
    std::fs::write(&file, text).expect("a file");
    let output = if plain { run(&[&"--plain", &file, &program]) } else { run(&[&file, &program]) };
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (printed.into_owned(), output.status.code())
}

/// One of each kind: lists with counts, kinds and nested lists; trees; numbers; a program with unknown memory; a
/// skeleton's proof.
const PROVED: [(&str, &str); 9] = [
    ("counts/freed_by_count_safe", "valid-memsafety"),
    ("counts/zipped_lists_safe", "valid-memsafety"),
    ("language/overflow_builtins_safe", "unreach-call"),
    ("lists-unbounded/nested_rows_and_cells_safe", "valid-memsafety"),
    ("lists-unbounded/sll_delete_all_of_kind_safe", "valid-memsafety"),
    ("memory/cleanup_realloc_safe", "valid-memcleanup"),
    ("skiplists/two_levels_build_free_safe", "valid-memsafety"),
    ("termination/lexicographic_safe", "termination"),
    ("trees/search_tree_safe", "valid-memsafety"),
];

#[test]
fn the_fast_solver_and_plain_z3_accept_the_same() {
    for (name, asked) in PROVED {
        let text = certificate(name, asked);
        let (fast, code) = check(&text, &program(name), false);
        assert!(fast.contains("\nProof accepted: ") && code == Some(0), "{name}: {fast}");
        let plain = check(&text, &program(name), true);
        assert_eq!(plain, (fast, code), "{name}: plain Z3 disagrees");
    }
}

#[test]
fn refusals_have_a_reason() {
    let (name, asked) = ("lists-unbounded/sll_merge_safe", "valid-memsafety");
    let text = certificate(name, asked);
    let (printed, code) = check(&text, &program("lists-unbounded/sll_concatenate_safe"), false);
    assert!(printed.contains("Proof refused: it was made for another program") && code == Some(1), "{printed}");
    // Without the last state, and without its edges, an arrival has nowhere to lie.
    let mut fewer: Value = serde_json::from_str(&text).expect("JSON");
    for list in ["states", "edges", "contexts"] {
        fewer["proof"][list].as_array_mut().expect("a list").pop();
    }
    for plain in [false, true] {
        let (printed, code) = check(&fewer.to_string(), &program(name), plain);
        assert_eq!(code, Some(1), "{printed}");
        let reason = printed.lines().find_map(|line| line.strip_prefix("Proof refused: ")).unwrap_or_default();
        assert!(reason.len() > 10, "{printed}");
    }
}

#[test]
fn other_input_is_an_error() {
    let (printed, code) = check("{}", &program("lists-unbounded/sll_merge_safe"), false);
    assert!(printed.starts_with("error: this is no proof") && code == Some(3), "{printed}");
    for arguments in [&[][..], &["one"], &["--fast", "a", "b"], &["a", "b", "c"], &["missing.json", "missing.c"]] {
        let given: Vec<&dyn AsRef<std::ffi::OsStr>> =
            arguments.iter().map(|argument| argument as &dyn AsRef<std::ffi::OsStr>).collect();
        let output = run(&given);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{arguments:?}");
    }
    let help = run(&[&"--help"]);
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("Usage: margay-check"));
}
