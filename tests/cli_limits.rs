//! The command line when it has to end early or cannot speak: limits, signals, a standard output that takes no more. Whatever
//! happens, there is a verdict line, or the exit code says that there is none.

mod texts;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use texts::{ENDLESS, UNREACH};

const TASK: &str = "format_version: '2.0'\ninput_files: ok.c\nproperties:\n  - property_file: unreach.prp\n    \
                    expected_verdict: true\noptions: {language: C, data_model: LP64}\n";
const VERIFY_ENDLESS: [&str; 4] = ["verify", "--property", "unreach.prp", "endless.c"];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("ok.c", "int main(void) { return 0; }\n"),
        ("hello.c", "int puts(const char *);\nint main(void) { puts(\"hello\"); return 0; }\n"),
        ("endless.c", ENDLESS),
        ("unreach.prp", UNREACH),
        ("task.yml", TASK),
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

/// The last line of what is said: others say more of the answer.
fn verdict(out: &str) -> String {
    out.lines().last().map(|line| format!("{line}\n")).unwrap_or_default()
}

/// Standard output and standard error of a run with this exit code.
fn reported(folder: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let output = command(folder, arguments).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}{err}");
    (out, err)
}

#[test]
fn limits_end_in_an_answer() {
    let folder = folder();
    let ask = |option, value| {
        verdict(&reported(folder.path(), &["verify", "--property", "unreach.prp", option, value, "endless.c"], 0).0)
    };
    let unknown = |why: &str| format!("Verification result: UNKNOWN ({why})\n");
    assert_eq!(ask("--timeout", "700ms"), unknown("timeout: 0.7 s of CPU time"));
    assert_eq!(ask("--walltime", "700ms"), unknown("timeout: 0.7 s of wall-clock time"));
    assert_eq!(ask("--memory", "1MB"), unknown("out of memory: 1 MB"));
    assert!(!folder.path().join("witnesses").exists(), "there is nothing to witness");
}

#[test]
fn no_limit_is_too_large() {
    let folder = folder();
    for time in ["10000000000000000000s", "18446744073709551615s", "1e19"] {
        let limits = ["--timeout", time, "--memory", "9999999TB"];
        let (out, _) = reported(folder.path(), &[&["verify"], &limits[..], &["ok.c"]].concat(), 0);
        assert_eq!(verdict(&out), "Verification result: TRUE\n", "{time}");
        let (out, _) = reported(folder.path(), &[&["bench"], &limits[..], &["task.yml"]].concat(), 0);
        assert!(out.contains("1 correct, 0 wrong, 0 unknown, 0 errors"), "{time}: {out}");
    }
    let (_, err) = reported(folder.path(), &["verify", "--timeout", "1e20", "ok.c"], 2);
    assert!(err.contains("--timeout") && !err.contains("panicked"), "{err}");
}

#[test]
fn any_date_may_be_asked_for_witnesses() {
    let folder = folder();
    for date in [u64::MAX, 253_402_300_800, 253_402_300_799] {
        let mut command = command(folder.path(), &["verify", "--witness-yaml", "w.yml", "ok.c"]);
        let output = command.env("SOURCE_DATE_EPOCH", date.to_string()).output().unwrap();
        assert_eq!(verdict(&String::from_utf8(output.stdout).unwrap()), "Verification result: TRUE\n", "{date}");
    }
    // The last one has a date.
    let witness = fs::read_to_string(folder.path().join("w.yml")).unwrap();
    assert!(witness.contains("creation_time: \"9999-12-31T23:59:59Z\""), "{witness}");
}

/// Starts the tool on the endless program; the words of `env` say what it inherits. It has begun with the analysis.
fn endless(folder: &Path, env: &[&str]) -> Child {
    let mut command = Command::new("env");
    command.args(env).arg(env!("CARGO_BIN_EXE_margay")).args(VERIFY_ENDLESS).current_dir(folder);
    let child = command.stdout(Stdio::piped()).spawn().unwrap();
    let threads = format!("/proc/{}/task", child.id());
    let names = || -> Vec<String> {
        let tasks = fs::read_dir(&threads).into_iter().flatten().flatten();
        tasks.filter_map(|t| fs::read_to_string(t.path().join("comm")).ok()).collect()
    };
    while !names().iter().any(|name| name.trim() == "analysis") {
        std::thread::yield_now();
    }
    child
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// What it says until it ends with code 0.
fn last_words(mut child: Child) -> String {
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{out}");
    out
}

#[test]
fn a_signal_ends_in_an_answer() {
    let folder = folder();
    for (signal, why) in [
        ("-TERM", "not proved: interrupted"),
        ("-INT", "not proved: interrupted"),
        ("-HUP", "not proved: interrupted"),
        ("-QUIT", "not proved: interrupted"),
        ("-USR1", "not proved: interrupted"),
        ("-ALRM", "not proved: interrupted"),
        ("-XCPU", "timeout: the system's limit of CPU time"),
    ] {
        let child = endless(folder.path(), &["--default-signal=HUP"]);
        send(signal, &child);
        assert_eq!(verdict(&last_words(child)), format!("Verification result: UNKNOWN ({why})\n"), "{signal}");
    }
}

#[test]
fn a_run_without_hangups_goes_on() {
    let folder = folder();
    let child = endless(folder.path(), &["--ignore-signal=HUP"]);
    // The first signal that counts decides: were it the hangup, the answer would be another one.
    send("-HUP", &child);
    send("-XCPU", &child);
    assert_eq!(verdict(&last_words(child)), "Verification result: UNKNOWN (timeout: the system's limit of CPU time)\n");
}

#[test]
fn the_systems_limit_of_cpu_time_ends_in_an_answer() {
    let folder = folder();
    let script = format!("ulimit -S -t 1 && exec \"$0\" {}", VERIFY_ENDLESS.join(" "));
    let shell = ["-c", &script, env!("CARGO_BIN_EXE_margay")];
    let output = Command::new("bash").args(shell).current_dir(folder.path()).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(verdict(&out), "Verification result: UNKNOWN (timeout: the system's limit of CPU time)\n");
    assert_eq!(output.status.code(), Some(0));
}

/// What each command says goes to standard output; of `run` that is what the program says.
const SPEAKING: [&[&str]; 8] = [
    &["verify", "--no-witness", "ok.c"],
    &["verify", "--no-witness", "task.yml"],
    &["run", "hello.c"],
    &["show", "cfa", "ok.c"],
    &["diagnose", "ok.c"],
    &["bench", "task.yml"],
    &["check-proof", "proof.json", "ok.c"],
    &["--help"],
];

#[test]
fn an_answer_that_cannot_be_printed_is_no_success() {
    let folder = folder();
    reported(folder.path(), &["verify", "--proof", "proof.json", "ok.c"], 0);
    let out_of_time: &[&str] = &["verify", "--no-witness", "--timeout", "0s", "endless.c"];
    for arguments in SPEAKING.iter().chain([&out_of_time]) {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(folder.path(), arguments).stdout(full).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        let is_help = arguments.contains(&"--help");
        assert!(is_help || err.contains("cannot write to standard output: No space left"), "{arguments:?}: {err}");
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
    }
}

#[test]
fn a_reader_that_went_away_is_no_panic() {
    let folder = folder();
    reported(folder.path(), &["verify", "--proof", "proof.json", "ok.c"], 0);
    for arguments in SPEAKING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command(folder.path(), arguments).stdout(writer).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

/// CPU time in seconds of the children that were waited for.
fn cpu_of(work: impl FnOnce()) -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let spent = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
        let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
        seconds(usage.user_time()) + seconds(usage.system_time())
    };
    let before = spent();
    work();
    spent() - before
}

#[test]
fn cpu_time_is_not_wall_time() {
    let folder = folder();
    // Stopped half of the time, it still gets all the CPU time it may have.
    let script = "\"$0\" verify --timeout 2s -p unreach.prp endless.c & child=$!; \
                  while kill -STOP $child 2>/dev/null; do sleep 0.1; kill -CONT $child; sleep 0.1; done; wait $child";
    let cpu = cpu_of(|| {
        let shell = ["-c", script, env!("CARGO_BIN_EXE_margay")];
        let output = Command::new("bash").args(shell).current_dir(folder.path()).output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(verdict(&out), "Verification result: UNKNOWN (timeout: 2 s of CPU time)\n");
    });
    // Other tests of this file may have children at the same time: only the lower bound is certain.
    assert!(cpu > 1.8, "{cpu}");
}

#[test]
fn what_ends_the_process_from_within_ends_in_an_answer() {
    let folder = folder();
    for (signal, why) in [("-SEGV", "internal: the process failed"), ("-ABRT", "internal: the process failed")] {
        let child = endless(folder.path(), &[]);
        send(signal, &child);
        assert_eq!(verdict(&last_words(child)), format!("Verification result: UNKNOWN ({why})\n"), "{signal}");
    }
}

#[test]
fn a_machine_without_memory_ends_in_an_answer() {
    let folder = folder();
    // Less than the stacks of its threads take: whatever fails first, there is an answer.
    for kilobytes in [150_000, 300_000, 1_000_000] {
        let script = format!("ulimit -S -v {kilobytes} && exec \"$0\" {} --timeout 3s", VERIFY_ENDLESS.join(" "));
        let shell = ["-c", &script, env!("CARGO_BIN_EXE_margay")];
        let output = Command::new("bash").args(shell).current_dir(folder.path()).output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(verdict(&out).starts_with("Verification result: UNKNOWN ("), "{kilobytes}: {out}");
        assert_eq!(output.status.code(), Some(0), "{kilobytes}: {out}");
    }
}
