//! One `margay verify` as a child process, with limits that do not rely on the child.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::super::args::Bench;
use super::super::process::{Ended, Interrupt, kill_group, limit_cpu, try_wait};
use super::questions::Question;
use super::results::make_parent;
use crate::base::usage::memory_of;

/// What the child is allowed beyond its own limits before it is killed.
const GRACE: Duration = Duration::from_secs(5);
/// Wall-clock time without a limit of its own: a child that uses so much more of it than it may use of CPU time hangs.
const SLEEPER: u32 = 50;
/// The child polls too; it goes first.
const MEMORY_GRACE: f64 = 1.1;
/// Bytes of standard output that are read; the answer is the last line.
const MAX_OUTPUT: usize = 16 << 20;

/// A running child.
pub struct Child {
    process: std::process::Child,
    /// As people would type it.
    command: String,
    start: Instant,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
    /// Where its `--sarif` goes; removed at its end.
    sarif: Option<PathBuf>,
}

/// How a child ended.
pub struct End {
    /// As in [`crate::report::Outcome::answer`].
    pub answer: String,
    pub cpu: Duration,
    pub wall: Duration,
    /// Bytes.
    pub memory: u64,
    /// What was run, and all it printed.
    pub command: String,
    pub output: String,
    /// What it wrote with `--sarif`, where that was asked for.
    pub sarif: Option<String>,
}

/// The options that may change an answer, for a child.
fn passed_on(options: &Bench) -> Vec<OsString> {
    let timeout = options.bounds.timeout;
    let mut passed: Vec<OsString> = vec![
        "--timeout".into(),
        format!("{}s {}ms", timeout.as_secs(), timeout.subsec_millis()).into(),
        "--memory".into(),
        options.bounds.memory.to_string().into(),
        "--seed".into(),
        options.analysis.seed.to_string().into(),
    ];
    if let Some(time) = options.bounds.walltime {
        passed.extend(["--walltime".into(), format!("{}s {}ms", time.as_secs(), time.subsec_millis()).into()]);
    }
    if options.analysis.malloc_may_fail {
        passed.push("--malloc-may-fail".into());
    }
    passed.extend(options.portfolio.passed_on());
    passed.extend(options.refinement.passed_on());
    passed
}

/// The running program. Where /proc is not mounted, only the name tells by which it was started.
fn own_binary() -> std::io::Result<PathBuf> {
    std::env::current_exe().or_else(|error| std::env::args_os().next().map(PathBuf::from).ok_or(error))
}

/// As in [`crate::report::Outcome::settings`].
pub fn settings(options: &Bench) -> String {
    format!("{} {}", env!("CARGO_PKG_VERSION"), in_words(passed_on(options).iter()))
}

/// The words as a shell takes them.
fn in_words<'w>(words: impl Iterator<Item = &'w OsString>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:=+".contains(c);
    let quoted = words.map(|word| {
        let word = word.to_string_lossy();
        if word.chars().all(is_plain) { word.into_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

impl Child {
    /// Starts the tool on the question, as the leader of a process group.
    pub fn start(question: &Question, options: &Bench) -> std::io::Result<Self> {
        let mut words: Vec<OsString> = vec!["verify".into(), "--property".into(), question.property.clone().into()];
        words.extend(passed_on(options));
        match &options.witnesses {
            Some(folder) => {
                let file = |extension: &str| folder.join(format!("{}.{extension}", question.files.display()));
                make_parent(&file("yml")).map_err(std::io::Error::other)?;
                words.extend(["--witness".into(), file("graphml").into(), "--witness-yaml".into(), file("yml").into()]);
            }
            None => words.push("--no-witness".into()),
        }
        if let Some(folder) = &options.report.pages {
            let page = folder.join(format!("{}.html", question.files.display()));
            make_parent(&page).map_err(std::io::Error::other)?;
            words.extend(["--html".into(), page.into()]);
        }
        let sarif = options.sarif.as_ref().map(|path| part_of(path, &question.files));
        if let Some(path) = &sarif {
            words.extend(["--sarif".into(), path.into()]);
        }
        words.extend(["--".into(), question.task.clone().into()]);
        let mut command = Command::new(own_binary()?);
        command.args(&words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut process = command.spawn()?;
        limit_cpu(&process, options.bounds.timeout.saturating_add(GRACE));
        let stdout = process.stdout.take().map(read_all);
        let stderr = process.stderr.take().map(read_all);
        let command = format!("margay {}", in_words(words.iter()));
        Ok(Self { process, command, start: Instant::now(), stdout, stderr, sarif })
    }

    /// Waits for the end, which the limits enforce; `None` when the user interrupts.
    pub fn wait(&mut self, options: &Bench, interrupt: &Interrupt) -> Option<End> {
        let timeout = options.bounds.timeout;
        let wall_bound = options.bounds.walltime.unwrap_or(timeout.saturating_mul(SLEEPER)).saturating_add(GRACE);
        let memory_bound = (options.bounds.memory as f64 * MEMORY_GRACE) as u64;
        let mut killed = None;
        let mut pause = Duration::from_millis(1);
        let ended = loop {
            if let Some(ended) = try_wait(&self.process) {
                break ended;
            }
            if interrupt.raised().is_some() {
                kill_group(&self.process);
                while try_wait(&self.process).is_none() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                return None;
            }
            if killed.is_none() {
                if self.start.elapsed() > wall_bound {
                    killed = Some("timeout");
                } else if memory_of(self.process.id()).resident > memory_bound {
                    killed = Some("out of memory");
                }
                if killed.is_some() {
                    kill_group(&self.process);
                }
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(40));
        };
        let wall = self.start.elapsed();
        // Whatever the child has started ends with it.
        kill_group(&self.process);
        let output = self.stdout.take().and_then(|t| t.join().ok()).unwrap_or_default();
        let errors = self.stderr.take().and_then(|t| t.join().ok()).unwrap_or_default();
        let answer = match killed {
            Some(why) => format!("UNKNOWN ({why})"),
            None => answer(&output, &errors, &ended),
        };
        let command = self.command.clone();
        let sarif = self.sarif.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
        Some(End { answer, cpu: ended.cpu, wall, memory: ended.memory, command, output: errors + &output, sarif })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if let Some(path) = &self.sarif {
            // It is not there where the child had no time to write it.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Beside the file that all parts are put together in: hidden, and named by the process and the question.
fn part_of(path: &Path, question: &Path) -> PathBuf {
    let question = question.display().to_string().replace('/', "-");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.{question}.tmp", std::process::id()))
}

/// Reads on a thread of its own, so that the child never waits for a full pipe.
fn read_all(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut buffer = [0; 1 << 16];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            bytes.extend_from_slice(&buffer[..count]);
            if bytes.len() > 2 * MAX_OUTPUT {
                bytes.drain(..MAX_OUTPUT);
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The answer in the output, or what stands for it.
fn answer(output: &str, errors: &str, ended: &Ended) -> String {
    const XCPU: i32 = 24;
    let printed = output.lines().rev().find_map(|line| line.strip_prefix("Verification result: "));
    match (printed, ended.code) {
        (Some(answer), 0) => answer.to_owned(),
        (_, code) if code == -XCPU => "UNKNOWN (timeout)".to_owned(),
        (_, code) if code < 0 => format!("ERROR (killed by signal {})", -code),
        (_, code) => {
            let first = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing on standard error");
            format!("ERROR (exit code {code}: {})", first.trim())
        }
    }
}
