//! Many tasks at once: `margay bench` and `margay report`, their tables, files, comparisons and exit codes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::texts::{ENDLESS, LEAK, MEMSAFETY, UNREACH};

/// A violation needs two inputs.
const TWO_INPUTS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a == 17 && b < -3) {
    reach_error();
  }
  return 0;
}
";

/// A folder with programs, properties, and a task for each row: name, program, property, verdict.
fn folder(tasks: &[[&str; 4]]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    for (name, text) in [
        ("two.c", TWO_INPUTS),
        ("leak.c", LEAK),
        ("endless.c", ENDLESS),
        ("unreach.prp", UNREACH),
        ("memsafety.prp", MEMSAFETY),
    ] {
        write(name, text);
    }
    for [name, file, property, verdict] in tasks {
        let task = format!(
            "format_version: '2.0'\ninput_files: {file}\nproperties:\n  - property_file: {property}\n    \
             expected_verdict: {verdict}\noptions:\n  language: C\n  data_model: LP64\n"
        );
        write(&format!("{name}.yml"), &task);
    }
    folder
}

const RIGHT: [&str; 4] = ["right", "two.c", "unreach.prp", "false"];
const PROVED: [&str; 4] = ["proved", "leak.c", "unreach.prp", "true"];
const PART: [&str; 4] = ["part", "leak.c", "memsafety.prp", "false\n    subproperty: valid-memtrack"];
const MISTAKEN: [&str; 4] = ["mistaken", "leak.c", "memsafety.prp", "false\n    subproperty: valid-free"];
const MISSING: [&str; 4] = ["missing", "missing.c", "unreach.prp", "true"];
const UNDECIDED: [&str; 4] = ["endless", "endless.c", "unreach.prp", "false"];

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.args(arguments).current_dir(folder);
    command
}

/// Standard output and standard error of a run that ends with this code.
fn reported(folder: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let output = command(folder, arguments).output().expect("the binary runs");
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}{err}");
    (out, err)
}

/// Standard output of `bench` with a generous limit.
fn bench(folder: &Path, arguments: &[&str], code: i32) -> String {
    reported(folder, &[&["bench", "--timeout", "60s", "--jobs", "2"], arguments].concat(), code).0
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn many_tasks_at_once() {
    let folder = folder(&[RIGHT, PROVED, PART, MISTAKEN, MISSING]);
    let path = folder.path();
    fs::write(path.join("Good.set"), "# those that are right\n[pr]*t.yml\nproved.yml\n").unwrap();
    let out = bench(path, &["--csv", "all.csv", "."], 1);
    assert!(out.starts_with("Wrong answers (1):\n  "), "{out}");
    assert!(
        out.contains("mistaken.yml [memsafety]: expected false(valid-free), answer FALSE(valid-memtrack)"),
        "{out}"
    );
    assert!(out.contains("ERROR (exit code 2: error: cannot read ./missing.c"), "{out}");
    assert!(out.contains("Score -12; 3 correct, 1 wrong, 0 unknown, 1 errors of 5 answers."), "{out}");
    let csv = read(path, "all.csv");
    assert!(csv.starts_with("task,property,expected,answer,status,cpu_s,wall_s,memory_mb"), "{csv}");
    assert_eq!(csv.lines().count(), 6);
    let out = bench(path, &["Good.set"], 0);
    assert!(out.contains("Good") && out.contains("Score 4; 3 correct, 0 wrong"), "{out}");
    let out = bench(path, &["--property", "unreach", "--compare", "all.csv", "."], 3);
    assert!(out.contains("No other answer has changed."), "{out}");
    assert!(out.contains(" of the 5 answers before have none beside them now."), "{out}");
    assert!(out.contains("CPU time of the 2 answers correct both times"), "{out}");
}

#[test]
fn exit_codes_tell_scripts_what_happened() {
    let folder = folder(&[RIGHT, MISTAKEN, MISSING]);
    let path = folder.path();
    fs::write(path.join("malformed.yml"), "input_files: [two.c\n").unwrap();
    bench(path, &["right.yml"], 0);
    bench(path, &["right.yml", "missing.yml"], 3);
    // What cannot be read is an error like any other, not a task less.
    let out = bench(path, &["right.yml", "malformed.yml", "--csv", "all.csv"], 3);
    assert!(out.contains("malformed.yml []: expected ?, answer ERROR (malformed.yml:"), "{out}");
    assert!(out.contains("1 correct, 0 wrong, 0 unknown, 1 errors of 2 answers."), "{out}");
    // A wrong answer is worse.
    bench(path, &["mistaken.yml", "missing.yml"], 1);
    // Reports have the same codes.
    assert!(reported(path, &["report", "all.csv"], 3).0.contains("1 errors of 2 answers."));
}

#[test]
fn an_interrupted_run_is_resumed() {
    let folder = folder(&[RIGHT, UNDECIDED]);
    let path = folder.path();
    let tasks = ["--jobs", "1", "--csv", "all.csv", "right.yml", "endless.yml"];
    let bench = command(path, &[&["bench", "--timeout", "15m"], &tasks[..]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let parent = format!("PPid:\t{}", bench.id());
    let runs_second = || {
        fs::read_dir("/proc").unwrap().flatten().any(|process| {
            let read = |file: &str| fs::read_to_string(process.path().join(file)).unwrap_or_default();
            let line = read("cmdline");
            // A child that has not yet become the tool still has its parent's command line.
            let is_second = line.contains("endless.yml") && line.contains("verify");
            is_second && read("status").lines().any(|line| line == parent)
        })
    };
    while !runs_second() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &bench.id().to_string()]).status().unwrap().success());
    let output = bench.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{out}");
    assert!(out.contains("Score 1; 1 correct, 0 wrong, 0 unknown, 0 errors of 1 answers."), "{out}");
    let first = read(path, "all.csv");
    assert_eq!(first.lines().count(), 2, "{first}");
    assert!(!runs_second(), "no child is left behind");

    // Other options would make another table.
    let (_, err) = reported(path, &[&["bench", "--timeout", "2s", "--resume"], &tasks[..]].concat(), 2);
    assert!(err.contains("all.csv is of a run with other options"), "{err}");
    assert_eq!(read(path, "all.csv"), first, "the answers are still there");

    // What is there is taken over, to the last digit; the task that is undecidable is by now another one.
    fs::write(path.join("endless.c"), TWO_INPUTS).unwrap();
    let (out, err) = reported(path, &[&["bench", "--timeout", "15m", "--resume"], &tasks[..]].concat(), 0);
    assert!(err.contains("1 of 2 answers are taken over"), "{err}");
    assert!(out.contains("2 correct, 0 wrong"), "{out}");
    let second = read(path, "all.csv");
    assert!(second.starts_with(&first) && second.lines().count() == 3, "{first}{second}");
}

#[test]
fn logs_and_witnesses_are_kept() {
    let folder = folder(&[RIGHT, PROVED]);
    let path = folder.path();
    let sub = path.join("deep/tasks");
    fs::create_dir_all(&sub).unwrap();
    for name in ["two.c", "leak.c", "unreach.prp", "right.yml", "proved.yml"] {
        fs::rename(path.join(name), sub.join(name)).unwrap();
    }
    fs::write(path.join("Some.set"), "deep/tasks/*.yml\n").unwrap();
    bench(path, &["--logs", "logs", "--witnesses", "kept", "Some.set"], 0);
    let log = read(path, "logs/Some/right.unreach.log");
    let line = |text: &str| log.lines().any(|line| line.contains(text));
    assert!(line("margay verify --property") && line("--timeout '60s 0ms'"), "{log}");
    assert!(line("Verification result: FALSE(unreach-call)"), "{log}");
    assert!(line("FALSE(unreach-call): "), "the figures are missing: {log}");
    assert!(read(path, "kept/Some/right.unreach.graphml").contains("violation_witness"));
    assert!(read(path, "kept/Some/proved.unreach.graphml").contains("correctness_witness"));
    assert!(read(path, "kept/Some/proved.unreach.yml").contains("entry_type"));
    assert!(!path.join("witnesses").exists());
}

/// Names of a file that `bench` must write with the others.
const FILES: [&str; 6] = ["--html", "page.html", "--quantile", "q.svg", "--scatter", "s.svg"];

#[test]
fn results_stand_beside_those_of_others() {
    let folder = folder(&[RIGHT, PROVED, PART]);
    let path = folder.path();
    let top = path.file_name().unwrap().to_str().unwrap();
    fs::write(
        path.join("spy.csv"),
        format!("suite,task,property,answer,cpu_s\n{top},right,unreach,FALSE(unreach-call),2.5\n{top},part,memsafety,TRUE,1\n"),
    )
    .unwrap();
    fs::write(
        path.join("table.csv"),
        format!(
            "tool\t\t\tAgent 7\tAgent 7\nrun set\t\t\tx\tx\n../{top}/\t\t\tstatus\tcputime (s)\n\
             right.yml\tunreach\tfalse\tTIMEOUT\t60.1\nproved.yml\tunreach\ttrue\ttrue\t0.5\n"
        ),
    )
    .unwrap();
    let here = path.display().to_string();
    let arguments = ["--csv", "all.csv", "--against", "spy.csv", "--against", "table.csv", &here];
    let out = bench(path, &[&arguments[..], &FILES].concat(), 0);
    assert!(out.contains("\nBeside spy:\n2 of the 3 answers have one of spy beside them.\n"), "{out}");
    assert!(out.contains("Wrong in spy (1):\n  ") && out.contains("FALSE(valid-memtrack) here, TRUE there\n"), "{out}");
    assert!(out.contains("\nBeside Agent 7:\n2 of the 3 answers"), "{out}");
    assert!(out.contains("the 1 answers that both have right: "), "{out}");
    let page = read(path, "page.html");
    assert!(page.contains("spy's answer"), "{page}");
    assert_eq!(page.matches("<svg ").count(), 3, "one for all, one against each");
    assert!(read(path, "q.svg").contains("Margay: 3 right") && read(path, "s.svg").contains("CPU time of spy in s"));

    // The same from the table, without running anything.
    for name in ["page.html", "q.svg", "s.svg"] {
        fs::remove_file(path.join(name)).unwrap();
    }
    let (again, _) = reported(path, &[&["report", "all.csv"], &arguments[2..6], &FILES].concat(), 0);
    let lists = |text: &str| text.lines().filter(|line| line.contains("here, ")).map(str::to_owned).collect::<Vec<_>>();
    let is_figure = |line: &String| line.starts_with("CPU time");
    let answers = |text: &str| lists(text).into_iter().filter(|line| !is_figure(line)).collect::<Vec<_>>();
    assert_eq!(answers(&again), answers(&out));
    assert!(!answers(&out).is_empty(), "{out}");
    assert!(read(path, "page.html").contains("3 correct, 0 wrong") && path.join("q.svg").exists());
}

#[test]
fn two_runs_are_compared_without_running_again() {
    let folder = folder(&[]);
    let path = folder.path();
    let head = "task,property,expected,answer,status,cpu_s,wall_s,memory_mb,suite\n";
    fs::write(path.join("old.csv"), format!("{head}l/a.yml,p,true,TRUE,correct,2,2,9,l\n")).unwrap();
    fs::write(path.join("new.csv"), format!("{head}l/a.yml,p,true,UNKNOWN (timeout),unknown,9,9,9,l\n")).unwrap();
    let (out, _) = reported(path, &["report", "new.csv", "--compare", "old.csv", "--scatter", "s.svg"], 0);
    assert!(out.contains("Lost (1):\n  l/a.yml [p]: TRUE → UNKNOWN (timeout)\n"), "{out}");
    assert!(read(path, "s.svg").contains("right only in the older run: 1"));
    reported(path, &["report", "new.csv", "--compare", "old.csv", "--fail-on-lost"], 1);
    reported(path, &["report", "old.csv", "--compare", "new.csv", "--fail-on-lost"], 0);
    reported(path, &["report", "new.csv", "--fail-on-lost"], 2);
    for (arguments, expected) in [
        (&["report", "missing.csv"][..], "cannot read missing.csv"),
        (&["report", "new.csv", "--scatter", "s.svg"], "--scatter needs results to draw against"),
        (&["report", "new.csv", "--html", "no/folder/x.html"], "cannot write no/folder/x.html"),
        (&["bench", "--resume", "."], "--csv"),
    ] {
        let (_, err) = reported(path, arguments, 2);
        assert!(err.contains(expected), "{arguments:?}: {err}");
    }
}

/// For servers of continuous integration: a summary in Markdown, test cases, all violations in one log, and the page of each answer.
#[test]
fn results_are_written_for_other_programs() {
    let folder = folder(&[RIGHT, PROVED, MISTAKEN, MISSING]);
    let path = folder.path();
    let files = ["--summary", "s.md", "--junit", "j.xml", "--sarif", "all.sarif", "--html", "r.html", "--pages", "p"];
    let here = path.display().to_string();
    bench(path, &[&["--csv", "all.csv", &here], &files[..]].concat(), 1);
    let summary = read(path, "s.md");
    assert!(
        summary.starts_with("## Answers to 4 tasks\n\nScore -13; 2 correct, 1 wrong, 0 unknown, 1 errors"),
        "{summary}"
    );
    assert!(summary.contains("<details open><summary>1 wrong</summary>"), "{summary}");
    let tests = read(path, "j.xml");
    assert!(
        tests.contains("<testsuites name=\"Margay\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"0\""),
        "{tests}"
    );
    let wrong = "<failure type=\"wrong\" message=\"expected false(valid-free), answer FALSE(valid-memtrack)\"/>";
    assert!(tests.contains(wrong), "{tests}");

    let log: serde_json::Value = serde_json::from_str(&read(path, "all.sarif")).unwrap();
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let mut rules: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    rules.sort_unstable();
    assert_eq!(rules, ["unreach-call", "valid-memtrack"]);
    assert!(results.iter().all(|result| result["codeFlows"].is_array()), "{run}");
    let said = run["invocations"][0]["toolExecutionNotifications"].to_string();
    assert!(said.contains("missing.yml") && said.contains("ERROR (exit code 2"), "{said}");
    let left = fs::read_dir(path).unwrap().flatten().map(|file| file.file_name().into_string().unwrap());
    assert_eq!(left.filter(|name| name.starts_with('.')).collect::<Vec<_>>(), Vec::<String>::new());

    // The page of results leads to those of the answers, also where nothing is run.
    let suite = path.file_name().unwrap().to_str().unwrap();
    let own = format!("p/{suite}/right.unreach.html");
    assert!(read(path, &own).contains("FALSE(unreach-call)"));
    let link = |page: &str| page.contains(&format!("<a href=\"{own}\">"));
    assert!(link(&read(path, "r.html")), "{}", read(path, "r.html"));
    fs::remove_file(path.join("r.html")).unwrap();
    reported(path, &["report", "all.csv", "--html", "r.html", "--pages", "p"], 1);
    assert!(link(&read(path, "r.html")));
    fs::remove_dir_all(path.join("p")).unwrap();
    reported(path, &["report", "all.csv", "--html", "r.html", "--pages", "p"], 1);
    assert!(!link(&read(path, "r.html")), "there is no page to lead to");
}

/// Several older runs stand beside the new one; rows in which runs differ are marked for the page's filter.
#[test]
fn several_runs_are_compared_on_one_page() {
    let folder = folder(&[]);
    let path = folder.path();
    let head = "task,property,expected,answer,status,cpu_s,wall_s,memory_mb,suite\n";
    let same = "l/b.yml,p,true,TRUE,correct,1,1,9,l\n";
    let right = format!("{head}l/a.yml,p,true,TRUE,correct,2,2,9,l\n{same}");
    let lost = format!("{head}l/a.yml,p,true,UNKNOWN (timeout),unknown,9,9,9,l\n{same}");
    for (name, text) in [("monday.csv", &right), ("tuesday.csv", &right), ("new.csv", &lost)] {
        fs::write(path.join(name), text).unwrap();
    }
    let older = ["--compare", "monday.csv", "--compare", "tuesday.csv", "--html", "r.html"];
    let (out, _) = reported(path, &[&["report", "new.csv"], &older[..]].concat(), 0);
    for name in ["monday", "tuesday"] {
        let lost =
            format!("Compared with the older results ({name}):\nLost (1):\n  l/a.yml [p]: TRUE → UNKNOWN (timeout)\n");
        assert!(out.contains(&lost), "{out}");
    }
    let page = read(path, "r.html");
    assert!(page.contains("monday&#39;s answer") || page.contains("monday's answer"), "{page}");
    assert!(page.contains("<td>tuesday</td><td class=\"n\">2</td><td class=\"n\">2</td>"), "{page}");
    assert_eq!(page.matches(" data-differs>").count(), 1, "{page}");
}
