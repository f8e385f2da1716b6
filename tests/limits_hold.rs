//! Programs that eat time, memory, stack and file descriptors of whoever analyses them: there is always a verdict line, no limit
//! is exceeded by more than stated, and nothing is left running. And the same question has the same answer and the same witness on
//! a busy machine, and with any number of members at a time.
//!
//! `MARGAY_LIMITS=100` repeats the first test so many times.

#![allow(unsafe_code)]

mod texts;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use texts::{ENDLESS, MEMSAFETY, UNREACH};

/// Every run holds a block more than the one before, each with contents that depend on inputs.
const MEMORY: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);
struct node { struct node *a, *b; int data[64]; };
int main(void) {
  struct node *all[512];
  int n = 0;
  while (__VERIFIER_nondet_int() && n < 512) {
    struct node *p = malloc(sizeof *p);
    for (int i = 0; i < 64; i++) p->data[i] = __VERIFIER_nondet_int();
    p->a = n ? all[__VERIFIER_nondet_int() & 1 ? 0 : n - 1] : p;
    p->b = __VERIFIER_nondet_int() ? p : p->a;
    all[n++] = p;
  }
  if (n == 511 && all[510]->data[3] == all[7]->data[9] * 3) reach_error();
  return 0;
}
";

/// Recursion without end, and an expression as deep as the parser takes.
fn stack() -> String {
    let deep = "(".repeat(300) + "n" + &")+1".repeat(300);
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
         int f(int n) {{ if (n == 7) return 0; return f({deep}) + f(n - 1); }}\n\
         int main(void) {{ if (f(__VERIFIER_nondet_int()) == 3) reach_error(); return 0; }}\n"
    )
}

const BOUND: Duration = Duration::from_secs(2);
const MEMORY_BYTES: u64 = 400_000_000;

struct Ended {
    out: String,
    cpu: f64,
    /// Bytes.
    peak: u64,
}

/// Runs a shell command that ends with the tool; what it cost. It is waited for by `wait4`, which tells that.
#[expect(clippy::zombie_processes)]
fn run(folder: &Path, prepare: &str, arguments: &[&str]) -> Ended {
    use nix::libc;
    let script = format!("{prepare}\nexec \"$0\" \"$@\"");
    let mut command = Command::new("bash");
    command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_margay")).args(arguments);
    let mut child = command.current_dir(folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut out).unwrap();
    let mut status = 0;
    // SAFETY: an all-zero `rusage` is valid, and both pointers live across the call.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::wait4(child.id() as i32, &mut status, 0, &mut usage), child.id() as i32);
        usage
    };
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{arguments:?}: status {status}, {out}");
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ended { out, cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), peak: usage.ru_maxrss as u64 * 1024 }
}

/// The processes that run in `folder`.
fn left_behind(folder: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let is_here = |process: &fs::DirEntry| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder);
    processes.filter(is_here).map(|process| process.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn there_is_always_an_answer_within_the_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    for (name, text) in [("time.c", ENDLESS), ("memory.c", MEMORY), ("stack.c", &stack()), ("p.prp", UNREACH)] {
        fs::write(path.join(name), text).unwrap();
    }
    let rounds = std::env::var("MARGAY_LIMITS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let (time, memory) = (format!("{}ms", BOUND.as_millis()), MEMORY_BYTES.to_string());
    for round in 0..rounds {
        for program in ["time.c", "memory.c", "stack.c"] {
            for cores in ["1", "2"] {
                // Few file descriptors, a small stack for the first thread, a limit of address space.
                for prepare in ["", "ulimit -n 12", "ulimit -s 256", "ulimit -v 4000000"] {
                    let limits = ["--timeout", &time, "--memory", &memory, "--cores", cores];
                    let Ended { out, cpu, peak } =
                        run(&path, prepare, &[&["verify", "-p", "p.prp"], &limits[..], &[program]].concat());
                    let context =
                        format!("round {round}, {program}, {cores} cores, {prepare}: {cpu} s, {peak} B, {out}");
                    let last = out.lines().last().unwrap_or_default();
                    assert!(last.starts_with("Verification result: "), "{context}");
                    // Within a second and a twentieth.
                    assert!(cpu < BOUND.as_secs_f64() + 1.0, "{context}");
                    assert!(peak < MEMORY_BYTES / 20 * 21, "{context}");
                    let left = left_behind(&path);
                    assert!(left.is_empty(), "{left:?}, {context}");
                }
            }
        }
    }
}

/// A leak far away, an access that only one member meets, a proof with a list, a proof with numbers.
const PROGRAMS: [(&str, &str); 4] = [
    (
        "leak",
        "extern void *malloc(unsigned long); extern int __VERIFIER_nondet_int(void);\n\
      int main(void) { int n = __VERIFIER_nondet_int(); char *p = malloc(4); int i = 0;\n\
      while (i < 9) { if (n == i * 77) p = malloc(3); i++; } return 0; }\n",
    ),
    (
        "access",
        "extern int __VERIFIER_nondet_int(void);\n\
      int main(void) { int a[8]; int s = 0; for (int i = 0; i < 8; i++) { a[i] = __VERIFIER_nondet_int(); s += a[i] & 3; }\n\
      return a[s > 20 ? s - 13 : 0]; }\n",
    ),
    (
        "list",
        "extern void *malloc(unsigned long); extern void free(void *); extern int __VERIFIER_nondet_int(void);\n\
      struct n { struct n *next; };\n\
      int main(void) { struct n *l = 0; while (__VERIFIER_nondet_int()) { struct n *p = malloc(sizeof *p); p->next = l; l = p; }\n\
      while (l) { struct n *p = l->next; free(l); l = p; } return 0; }\n",
    ),
    (
        "numbers",
        "extern int __VERIFIER_nondet_int(void);\n\
      int main(void) { int a[100]; int n = __VERIFIER_nondet_int(); for (int i = 0; i < 100 && i < n; i++) a[i] = i;\n\
      return n > 3 && n < 50 ? a[n - 1] : 0; }\n",
    ),
];

/// The answer, the figures that are the same in every run, and the witness.
fn answer(folder: &Path, name: &str, cores: &str) -> [String; 3] {
    let file = format!("{name}.c");
    let Ended { out, .. } = run(
        folder,
        "export SOURCE_DATE_EPOCH=1",
        &["verify", "-p", "m.prp", "--stats", "--cores", cores, "--witness-yaml", "w.yml", &file],
    );
    let witness = fs::read_to_string(folder.join("w.yml")).unwrap_or_default();
    fs::remove_file(folder.join("w.yml")).ok();
    let last = out.lines().last().unwrap_or_default().to_owned();
    // The members' work, without the time it took.
    let shares = out.lines().filter(|line| line.starts_with("decided by: ") || line.starts_with("share of "));
    let work = shares.map(|line| match line.split_once(" s, ") {
        Some((name, work)) => format!("{} {work}\n", name.split(": ").next().unwrap_or_default()),
        None => format!("{line}\n"),
    });
    [last, work.collect(), witness]
}

#[test]
fn the_same_question_has_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    fs::write(path.join("m.prp"), MEMSAFETY).unwrap();
    for (name, text) in PROGRAMS {
        fs::write(path.join(format!("{name}.c")), text).unwrap();
        let alone = answer(&path, name, "1");
        assert!(!alone[0].contains("UNKNOWN") && !alone[2].is_empty(), "{name}: {alone:?}");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // As many busy threads as there are processors, and more.
            for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get() + 1) {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            for cores in ["1", "1", "2", "2", "3"] {
                let busy = std::panic::catch_unwind(|| answer(&path, name, cores));
                if busy.is_err() {
                    done.store(true, Ordering::Relaxed);
                }
                let busy = busy.unwrap();
                let is_same = busy == alone;
                if !is_same {
                    done.store(true, Ordering::Relaxed);
                }
                assert_eq!(busy, alone, "{name} with {cores} cores");
            }
            done.store(true, Ordering::Relaxed);
        });
    }
}
