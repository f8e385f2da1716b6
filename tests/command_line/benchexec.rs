//! The tool-info module under the real BenchExec: command lines, results and categories as its own tables show them.
//!
//! BenchExec comes from PyPI into the target folder. Without a network these tests are left out, but not where `CI` is set.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const VERSION: &str = "3.35";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with the Python packages, the module among BenchExec's tools; `None` where they cannot be had here.
fn installation() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER.get_or_init(install).as_deref()
}

fn install() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("benchexec-{VERSION}"));
    if !folder.join("bin/benchexec").exists() {
        // What an interrupted run left behind is no installation.
        let _ = fs::remove_dir_all(&folder);
        let packages = format!("benchexec=={VERSION}");
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"];
        let output = Command::new("python3").args(pip).arg("--target").arg(&folder).arg(packages).output();
        let installed = matches!(&output, Ok(output) if output.status.success());
        if !installed {
            let _ = fs::remove_dir_all(&folder);
            let why = output.map_or_else(|error| error.to_string(), |output| text(&output));
            assert!(std::env::var_os("CI").is_none(), "BenchExec cannot be installed: {why}");
            eprintln!("left out, BenchExec cannot be installed: {why}");
            return None;
        }
    }
    fs::copy(root().join("benchexec/margay.py"), folder.join("benchexec/tools/margay.py"))
        .expect("the module is copied");
    Some(folder)
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A program of the installation, started in `folder`.
fn python(folder: &Path, arguments: &[&str]) -> Option<Command> {
    let installation = installation()?;
    // A program that hangs shall not hang us.
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "100", "python3"]);
    command.env("PYTHONPATH", installation).env("PYTHONDONTWRITEBYTECODE", "1").current_dir(folder);
    match arguments.split_first() {
        Some((&"-c" | &"-m", _)) => command.args(arguments),
        Some((program, rest)) => command.arg(installation.join("bin").join(program)).args(rest),
        None => &mut command,
    };
    Some(command)
}

fn tool_folder() -> &'static str {
    let binary = Path::new(env!("CARGO_BIN_EXE_margay"));
    binary.parent().and_then(Path::to_str).expect("the binary is in a folder")
}

/// How BenchExec may work here: with cgroups, or in containers without limits of its own.
const WAYS: [&[&str]; 2] = [
    &["--no-container"],
    &[
        "--container",
        "--read-only-dir",
        "/",
        "--hidden-dir",
        "/home",
        "--keep-tmp",
        "-T",
        "-1",
        "-M",
        "-1",
        "-W",
        "20s",
    ],
];

/// `name property` of each run of the definition, with BenchExec's status and category.
type Results = BTreeMap<String, (String, String)>;

/// Runs the definition in `folder`; false where BenchExec cannot work.
fn run(folder: &Path, definition: &Path, more: &[&str]) -> bool {
    let definition = definition.to_str().expect("a path of text");
    let mut complaints = String::new();
    let ran = WAYS.iter().any(|way| {
        let options = ["benchexec", "--tool-directory", tool_folder(), "--no-compress-results"];
        let options = [&options[..], &["--results-per-rundefinition"]].concat();
        let arguments = [&options, *way, more, &[definition]].concat();
        let Some(mut command) = python(folder, &arguments) else { return false };
        let output = command.output().expect("python3 starts");
        let ran = output.status.success() && text(&output).contains("Statistics:");
        complaints += &if ran { String::new() } else { text(&output) };
        ran
    });
    if !ran && installation().is_some() {
        // What the kernel refuses to everybody here is no fault of ours; anything else is.
        assert!(["cgroup", "container", "namespace"].iter().any(|word| complaints.contains(word)), "{complaints}");
        eprintln!("left out, BenchExec cannot work here: {complaints}");
    }
    ran
}

/// What table-generator makes of result files, or of a table definition.
fn table(folder: &Path, arguments: &[&str]) -> Results {
    let options = ["table-generator", "-q", "--all-columns", "--no-diff", "-f", "csv", "-o", "-"];
    let mut command = python(folder, &[&options[..], arguments].concat()).expect("there are results");
    let output = command.output().expect("python3 starts");
    assert!(output.status.success(), "{}", text(&output));
    read_table(&String::from_utf8_lossy(&output.stdout))
}

/// The table of a definition's results; `None` where BenchExec cannot work.
fn results(folder: &Path, definition: &Path, more: &[&str]) -> Option<Results> {
    if !run(folder, definition, more) {
        return None;
    }
    let files = fs::read_dir(folder.join("results")).expect("there are results").flatten().map(|entry| entry.path());
    let files: Vec<String> =
        files.filter(|file| file.extension().is_some_and(|e| e == "xml")).map(|f| f.display().to_string()).collect();
    Some(table(folder, &files.iter().map(String::as_str).collect::<Vec<_>>()))
}

/// A table of several run sets: their columns stand beside each other, and a task has values in those that it belongs to.
fn read_table(csv: &str) -> Results {
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split('\t').collect()).collect();
    let [tools, _, head, ..] = &rows[..] else { panic!("three lines of heads are missing:\n{csv}") };
    // Task, property and what is expected stand below no tool.
    let ids = 1 + tools.iter().skip(1).take_while(|tool| tool.is_empty()).count();
    let mut results = Results::new();
    for row in &rows[3..] {
        let value = |name: &str| {
            let columns = head.iter().zip(row).filter(|(column, _)| **column == name);
            columns.map(|(_, value)| *value).find(|value| !value.is_empty()).unwrap_or_default().to_owned()
        };
        let task = Path::new(row[0]).file_stem().map(|name| name.to_string_lossy()).unwrap_or_default();
        let name = [&[task.as_ref()], &row[1..ids]].concat().join(" ");
        results.insert(name.trim().to_owned(), (value("status"), value("category")));
    }
    results
}

#[test]
fn own_tasks_are_correct_in_benchexecs_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(results) = results(folder.path(), &root().join("benchexec/smoke.xml"), &[]) else { return };
    let wrong: Vec<_> = results.iter().filter(|(_, (_, category))| category != "correct").collect();
    assert!(wrong.is_empty(), "not correct: {wrong:#?}");
    assert!(results.len() == 22, "tasks are missing: {results:#?}");
    for (task, expected) in [
        ("double_free_branches_safe", "true"),
        ("double_free_branches_unsafe", "false(valid-free)"),
        ("heap_wrong_sizeof_ilp32_unsafe", "false(valid-deref)"),
        ("lost_in_loop_unsafe", "false(valid-memtrack)"),
        ("cleanup_global_unsafe", "false(valid-memcleanup)"),
        ("label_error_unsafe", "false(unreach-call)"),
        ("goto_out_of_loops_unsafe", "false(unreach-call)"),
        ("addition_unsafe", "false(no-overflow)"),
    ] {
        assert_eq!(status_of(&results, task).0, expected, "{task}");
    }
}

/// A benchmark definition over the tasks of its folder.
fn definition(folder: &Path, limits: &str, options: &str, tasks: &str) -> PathBuf {
    let path = folder.join("own.xml");
    let columns = "<columns><column>reason</column><column>decided by</column></columns>";
    let text = format!(
        "<?xml version=\"1.0\"?>\n<benchmark tool=\"margay\" {limits}>{options}{columns}<rundefinition name=\"own\"/>\
         <tasks name=\"own\"><include>{tasks}</include><propertyfile>{}</propertyfile></tasks></benchmark>\n",
        root().join("property-files/unreach-call.prp").display()
    );
    fs::write(&path, text).expect("a definition");
    path
}

/// The status and the category of a task.
fn status_of<'r>(results: &'r Results, task: &str) -> (&'r str, &'r str) {
    let found = results.iter().find(|(name, _)| name.split(' ').next() == Some(task));
    found.map_or(("missing", ""), |(_, (status, category))| (status, category))
}

/// A tool that prints the file it is given and ends with the code that stands in its first line.
const ECHO: &str = "#!/bin/sh
[ \"$1\" = --version ] && echo margay 9.8.7 && exit
for file; do :; done
tail -n +2 \"$file\"
exit $(head -n 1 \"$file\")
";

#[test]
fn every_answer_has_its_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let tool = folder.path().join("margay");
    fs::write(&tool, ECHO).expect("a tool");
    fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is a program");
    let cases = [
        ("proved", "0\nproof check: 0.1 s\nVerification result: TRUE\n", "true"),
        ("violated", "0\nVerification result: FALSE(valid-memtrack)\n", "false(valid-memtrack)"),
        ("last_counts", "0\nVerification result: TRUE\nVerification result: UNKNOWN (not proved: x)\n", "unknown"),
        ("unsupported", "0\nVerification result: UNKNOWN (unsupported: goto * at x.c:1)\n", "unknown"),
        ("slow", "0\nVerification result: UNKNOWN (timeout)\n", "TIMEOUT"),
        ("large", "0\nVerification result: UNKNOWN (out of memory)\n", "OUT OF MEMORY"),
        ("broken", "0\nVerification result: UNKNOWN (internal: a panic)\n", "ERROR (internal)"),
        ("refused", "2\nerror: this is not C\n", "ERROR (input refused)"),
        ("not_all_printed", "2\nVerification result: TRUE\n", "ERROR (input refused)"),
        ("silent", "0\n", "ERROR"),
        ("strange", "0\nVerification result: PERHAPS\n", "ERROR (answer not understood)"),
        ("proof_confirmed", "0\nLoop invariant at line 3, `1`: confirmed\nWitness result: CONFIRMED\n", "true"),
        ("run_confirmed", "0\nViolated: valid-deref: a: b\nWitness result: CONFIRMED\n", "false(valid-deref)"),
        ("rejected", "1\nWitness result: REJECTED (there is no such run)\n", "witness rejected"),
        ("malformed", "1\nWitness result: MALFORMED (line 3: no target)\n", "witness malformed"),
        ("not_judged", "3\nWitness result: UNKNOWN (timeout)\n", "unknown"),
    ];
    for (name, output, _) in cases {
        fs::write(folder.path().join(name).with_extension("c"), output).expect("a file");
    }
    let definition = definition(folder.path(), "", "", "*.c");
    let Some(results) = results(folder.path(), &definition, &["--tool-directory", "."]) else { return };
    for (name, output, status) in cases {
        assert_eq!(status_of(&results, name).0, status, "{output}");
    }
    assert_eq!(results.len(), cases.len());
}

/// `validate` as the first option: the witness is judged, by the real tool.
#[test]
fn witnesses_are_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |least: u32| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {{\n  \
             int x = __VERIFIER_nondet_int();\n  if (x > {least} && x < 8) reach_error();\n  return 0;\n}}\n"
        )
    };
    fs::write(folder.path().join("t.c"), text(5)).expect("a file");
    let property = root().join("property-files/unreach-call.prp");
    let verified = Command::new(env!("CARGO_BIN_EXE_margay"))
        .args(["verify", "t.c", "--witness-yaml", "t.yml", "--property"])
        .arg(property)
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    assert!(verified.status.success(), "{}", self::text(&verified));
    let judge = || {
        let option = format!("<option name=\"validate\">{}</option>", folder.path().join("t.yml").display());
        let definition = definition(folder.path(), "timelimit=\"60 s\"", &option, "t.c");
        let _ = fs::remove_dir_all(folder.path().join("results"));
        results(folder.path(), &definition, &[]).map(|results| status_of(&results, "t").0.to_owned())
    };
    let Some(confirmed) = judge() else { return };
    assert_eq!(confirmed, "false(unreach-call)");
    // Of another program, as its hash tells.
    fs::write(folder.path().join("t.c"), text(6)).expect("a file");
    assert_eq!(judge().as_deref(), Some("witness malformed"));
}

#[test]
fn limits_reasons_and_refusals_reach_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let endless = "extern unsigned long __VERIFIER_nondet_ulong(void);\nextern void reach_error(void);\n\
        int main(void) {\n  unsigned long n = __VERIFIER_nondet_ulong(), steps = 0;\n\
        while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; }\n  if (steps == 123456789) reach_error();\n}\n";
    for (name, text) in [
        ("endless.c", endless),
        ("refused.c", "int main(void) { return 0 }\n"),
        ("bits.c", "int main(void) { _BitInt(7) x; return 0; }\n"),
    ] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let definition = definition(folder.path(), "timelimit=\"4 s\"", "<option name=\"--stats\"/>", "*.c");
    let Some(results) = results(folder.path(), &definition, &[]) else { return };
    assert_eq!(status_of(&results, "refused").0, "ERROR (input refused)");
    assert_eq!(status_of(&results, "bits").0, "unknown");
    // BenchExec would say `TIMEOUT (TIMEOUT)` or `KILLED` had Margay not answered before the limit.
    assert_eq!(status_of(&results, "endless").0, "TIMEOUT");
}

#[test]
fn benchexecs_check_of_modules_has_no_complaint() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["-m", "benchexec.test_tool_info", "margay", "--no-container", "--tool-directory", tool_folder()];
    let Some(mut command) = python(folder.path(), &arguments) else { return };
    let output = command.output().expect("python3 starts");
    let reported = text(&output);
    assert!(output.status.success(), "{reported}");
    let version = format!("“{}”", env!("CARGO_PKG_VERSION"));
    for line in ["Name of tool: “Margay”", &version, "'--data-model', 'ILP32'", "'--timeout', '882'", "/lib”"] {
        assert!(reported.contains(line), "no {line}:\n{reported}");
    }
    // More than one file is refused, as it should be; nothing else may be said against the module.
    let complaints: Vec<&str> = reported.lines().filter(|line| line.contains("WARNING")).collect();
    let expected = |line: &&str| line.contains("more than one input file") || line.contains("is absolute");
    assert!(complaints.iter().all(expected), "{reported}");
}

#[test]
fn slices_for_many_machines_make_one_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let slices = folder.path().join("slices");
    let mut command = Command::new("python3");
    command.arg(root().join("benchexec/slices.py")).arg(root().join("benchexec/smoke.xml")).arg("3").arg(&slices);
    let output = command.output().expect("python3 starts");
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("memory: 8 tasks"), "{}", text(&output));
    let tasks = |slice: usize| {
        let text = fs::read_to_string(slices.join(format!("{slice}.xml"))).expect("a slice");
        text.split("<include>").skip(1).map(|rest| rest.split('<').next().unwrap_or("").to_owned()).collect::<Vec<_>>()
    };
    let mut all: Vec<String> = (0..3).flat_map(tasks).collect();
    assert!((0..3).all(|slice| (7..=8).contains(&tasks(slice).len())), "{all:#?}");
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 22, "{all:#?}");
    if !(0..3).all(|slice| run(folder.path(), &slices.join(format!("{slice}.xml")), &[])) {
        return;
    }
    let results = table(folder.path(), &["-x", "slices/table.xml"]);
    assert_eq!(results.len(), 22, "{results:#?}");
    assert!(results.values().all(|(_, category)| category == "correct"), "{results:#?}");
}
