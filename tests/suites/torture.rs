//! Programs of gcc's torture suite (`gcc.c-torture/execute` in gcc's sources) end as those that gcc makes of them: with the same status,
//! after the same output, for both data models. `MARGAY_TORTURE` names the folder with the programs; without it nothing is compared.
//! Programs that end in another way are listed in `torture/differences.txt`, with the reason.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const WORKERS: usize = 2;
/// Fewer programs would mean that the folder is another one.
const LEAST: usize = 1_500;

/// Name and reason by lines; a data model in front of the name says that the other one does not differ.
fn differences() -> BTreeMap<&'static str, &'static str> {
    let lines = include_str!("torture/differences.txt").lines().filter(|line| !line.is_empty());
    lines.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("no reason in {line}"))).collect()
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).flatten();
    let mut found: Vec<PathBuf> =
        files.map(|file| file.path()).filter(|path| path.extension() == Some("c".as_ref())).collect();
    found.sort();
    found
}

/// What a program asks of the compiler.
fn options(text: &str) -> Vec<String> {
    let directives = text.lines().filter(|line| line.contains("dg-options") || line.contains("dg-additional-options"));
    let applies = |line: &&str| !line.contains("target") || line.contains("x86") || line.contains("*-*-*");
    let texts = directives.filter(applies).filter_map(|line| line.split('"').nth(1));
    let words = texts.flat_map(str::split_whitespace).map(str::to_owned);
    words.filter(|word| ["-f", "-D", "-std"].iter().any(|start| word.starts_with(start))).collect()
}

/// The status as a shell has it.
fn status(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

fn output(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("the command can be run")
}

/// What differs; `None` where gcc does not make a program of it.
fn compared(path: &Path, model: &str, folder: &Path) -> Option<Result<(), String>> {
    let name = path.file_stem()?.to_str()?;
    let flag = if model == "LP64" { "-m64" } else { "-m32" };
    let options = options(&String::from_utf8_lossy(&std::fs::read(path).ok()?));
    let (program, text) = (folder.join(format!("{name}.{model}")), folder.join(format!("{name}.{model}.i")));
    let gcc = |last: &[&Path], more: &[&str]| {
        let mut command = Command::new("gcc");
        command.args([flag, "-w"]).args(&options).args(more).arg(path).args(last);
        output(&mut command).status.success()
    };
    if !gcc(&[Path::new("-o"), &program, Path::new("-lm")], &["-O0"]) || !gcc(&[Path::new("-o"), &text], &["-E"]) {
        return None;
    }
    let expected = output(Command::new("timeout").arg("20").arg(&program));
    let run = ["run", "-p", "valid-deref", "-t", "60s", "-d", model];
    let found = output(Command::new(env!("CARGO_BIN_EXE_margay")).args(run).arg(&text));
    let _ = (std::fs::remove_file(&program), std::fs::remove_file(&text));
    let same = status(expected.status) == status(found.status) && expected.stdout == found.stdout;
    let why = String::from_utf8_lossy(&found.stderr).lines().next().unwrap_or_default().to_owned();
    Some(if same {
        Ok(())
    } else {
        Err(format!("{} and not {}: {why}", status(found.status), status(expected.status)))
    })
}

#[test]
fn torture_programs_end_as_compiled_ones() {
    let Some(folder) = std::env::var_os("MARGAY_TORTURE") else { return };
    let (programs, known) = (programs(Path::new(&folder)), differences());
    assert!(programs.len() >= LEAST, "{} programs", programs.len());
    let scratch = tempfile::tempdir().expect("a folder");
    let questions: Vec<(&PathBuf, &str)> = programs.iter().flat_map(|p| [(p, "LP64"), (p, "ILP32")]).collect();
    let (next, right, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some((path, model)) = questions.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
                    let is_known = known.contains_key(name) || known.contains_key(&*format!("{model} {name}"));
                    let surprise = match (compared(path, model, scratch.path()), is_known) {
                        (Some(Ok(())), false) => {
                            right.fetch_add(1, Ordering::Relaxed);
                            None
                        }
                        (Some(Ok(())), true) => Some("no longer differs".to_owned()),
                        (Some(Err(why)), false) => Some(why),
                        (Some(Err(_)), true) | (None, _) => None,
                    };
                    if let Some(why) = surprise {
                        wrong.lock().expect("no worker panics with the lock").push(format!("{name} on {model}: {why}"));
                    }
                }
            });
        }
    });
    println!("{} of {} right", right.into_inner(), questions.len());
    let wrong = wrong.into_inner().expect("no worker panicked with the lock");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
