//! A task compiled by gcc with sanitizers, and its runs.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsStr;
use std::fs;
use std::hash::{Hash, Hasher};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use margay::task::DataModel;

const SUPPORT: &str = include_str!("inputs.c");
const FLAGS: &[&str] = &[
    "-x",
    "c",
    "-g",
    "-O0",
    "-w",
    "-std=gnu11",
    "-fno-builtin",
    "-fsanitize=address,signed-integer-overflow,integer-divide-by-zero,shift",
    "-fno-sanitize-recover=all",
];
/// Of a run that is not expected to take a moment.
const TIMEOUT_SECONDS: &str = "10";

/// How a compiled run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit(i32),
    Abort,
    ErrorReached,
    Blocked,
    InvalidAccess,
    InvalidFree,
    Leak,
    Overflow,
    /// Undefined in another way: division by zero.
    Undefined,
    /// Nothing to compare with, and why.
    Incomparable(String),
}

/// Where executables and their inputs are kept.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interpreter_vs_gcc");
    fs::create_dir_all(&folder).expect("the test's own folder");
    folder
}

/// The executable of a task, from the cache where nothing changed; `None` where gcc refuses it.
pub fn compile(source: &Path, model: DataModel) -> Option<PathBuf> {
    let text = fs::read(source).ok()?;
    let mut hasher = DefaultHasher::new();
    (SUPPORT, FLAGS, model, &text).hash(&mut hasher);
    let name = source.file_stem().unwrap_or(OsStr::new("task")).to_string_lossy().into_owned();
    let program = folder().join(format!("{name}-{:016x}", hasher.finish()));
    if program.exists() {
        return Some(program);
    }
    let support = folder().join("inputs.c");
    fs::write(&support, SUPPORT).ok()?;
    let bits = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let compile = |source: &Path, object: &Path, more: &[&str]| {
        let mut gcc = Command::new("gcc");
        gcc.arg(bits).args(FLAGS).args(more).arg("-c").arg(source).arg("-o").arg(object);
        gcc.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let (task, stubs) = (program.with_extension("task.o"), program.with_extension("stubs.o"));
    let compiled = compile(source, &task, &["-finstrument-functions"])
        && compile(&support, &stubs, &[])
        && Command::new("gcc")
            .args([bits, "-fsanitize=address,undefined"])
            .args([&task, &stubs])
            .args(["-lm", "-o"])
            .arg(&program)
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
    for object in [task, stubs] {
        // Left over where the compilation failed: only clutter.
        let _ = fs::remove_file(object);
    }
    compiled.then_some(program)
}

/// Runs a compiled task on these values.
pub fn run(program: &Path, inputs: &[u64]) -> Ending {
    let file = program.with_extension("inputs");
    let lines: String = inputs.iter().map(|value| format!("{value:x}\n")).collect();
    if fs::write(&file, lines).is_err() {
        return Ending::Incomparable("no place for the inputs".into());
    }
    let output = Command::new("timeout")
        .arg(TIMEOUT_SECONDS)
        .arg(program)
        .env("TASK_INPUTS", &file)
        .env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1:handle_abort=0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output();
    let Ok(output) = output else { return Ending::Incomparable("it cannot be run".into()) };
    classify(&String::from_utf8_lossy(&output.stderr), output.status.code(), output.status.signal())
}

fn classify(log: &str, code: Option<i32>, signal: Option<i32>) -> Ending {
    const SIGABRT: i32 = 6;
    const SHELL_SIGNAL_BASE: i32 = 128;
    let has = |text: &str| log.contains(text);
    let incomparable = [
        "allocation-size-too-big",
        "requested allocation size",
        "out-of-memory",
        "calloc-overflow",
        "param-overlap",
        "stack-overflow",
        "negative-size-param",
        "failed to allocate",
    ];
    if let Some(what) = incomparable.iter().find(|what| has(what)) {
        return Ending::Incomparable((*what).into());
    }
    if has("runtime error:") {
        return if has("division by zero") || has("shift exponent") { Ending::Undefined } else { Ending::Overflow };
    }
    if has("LeakSanitizer: detected memory leaks") {
        return Ending::Leak;
    }
    if has("attempting double-free") || has("attempting free on address") {
        return Ending::InvalidFree;
    }
    if has("ERROR: AddressSanitizer") {
        let frames = log.lines().map(str::trim_start).filter(|line| line.starts_with('#')).take(6);
        let in_free = frames.into_iter().any(|frame| {
            let name = frame.split_whitespace().nth(3).unwrap_or("").trim_start_matches("__interceptor_");
            matches!(name, "free" | "realloc")
        });
        return if in_free && has("SEGV") { Ending::InvalidFree } else { Ending::InvalidAccess };
    }
    match (code, signal) {
        (_, Some(SIGABRT)) => Ending::Abort,
        (Some(code), _) if code == SHELL_SIGNAL_BASE + SIGABRT => Ending::Abort,
        (Some(77), _) => Ending::ErrorReached,
        (Some(78), _) => Ending::Blocked,
        (Some(79 | 124), _) => Ending::Incomparable("runs too long".into()),
        (Some(code), _) => Ending::Exit(code),
        (None, signal) => Ending::Incomparable(format!("ended by signal {signal:?}")),
    }
}
