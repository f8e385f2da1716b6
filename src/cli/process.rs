//! What the operating system tells and does: times, memory, signals, children.

#![allow(unsafe_code)]

use std::process::Child;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use nix::libc;
use nix::sys::signal::{SigSet, Signal};

use crate::base::usage::to_duration;

/// Why this process has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It was asked for, or the terminal went away.
    Obligation,
    /// The system's own limit of CPU time is reached.
    CpuLimit,
}

/// Signals from outside that end a process by default; SIGHUP comes with a rule of its own, and what says that the process
/// itself failed is not among them ([`super::crash`]).
const ENDING: [Signal; 12] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGXCPU,
    Signal::SIGQUIT,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGALRM,
    Signal::SIGVTALRM,
    Signal::SIGPROF,
    Signal::SIGIO,
    Signal::SIGSTKFLT,
    Signal::SIGPWR,
];

/// Whether this process has to stop, and why: the first signal counts.
#[derive(Clone)]
pub struct Interrupt(Arc<OnceLock<Cause>>);

impl Interrupt {
    /// From now on signals that end a process only raise the flag. Must come before any thread is started.
    pub fn install() -> Self {
        let flag = Arc::new(OnceLock::new());
        let mut signals = SigSet::from_iter(ENDING);
        // Who starts a program with `nohup` wants it to go on; waited for, the signal would arrive all the same.
        if !is_ignored(Signal::SIGHUP) {
            signals.add(Signal::SIGHUP);
        }
        if signals.thread_block().is_ok() {
            let raised = flag.clone();
            let wait = move || {
                while let Ok(signal) = signals.wait() {
                    raised.get_or_init(|| if signal == Signal::SIGXCPU { Cause::CpuLimit } else { Cause::Obligation });
                }
            };
            if std::thread::Builder::new().name("signals".into()).spawn(wait).is_err() {
                // Where they are not waited for, they shall do what they do by default.
                let _ = signals.thread_unblock();
            }
        }
        Self(flag)
    }

    pub fn raised(&self) -> Option<Cause> {
        self.0.get().copied()
    }
}

/// Whether the parent process had it ignore `signal`.
fn is_ignored(signal: Signal) -> bool {
    // SAFETY: an all-zero `sigaction` is valid (plain numbers and no pointer that is followed), it lives across the call, and
    // no new action is given.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal as libc::c_int, std::ptr::null(), &mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// The exit code after Ctrl-C, as shells have it.
pub const INTERRUPTED: i32 = 130;

/// Ends the process at once: other threads may be anywhere, so nothing of them is torn down.
pub fn exit_now(code: i32) -> ! {
    use std::io::Write;
    let _ = std::io::stdout().flush();
    let _ = std::io::stderr().flush();
    // SAFETY: `_exit` takes any value and does not return.
    unsafe { libc::_exit(code) }
}

/// How a child ended and what it cost.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// The exit code, or the negated number of the signal that killed it.
    pub code: i32,
    pub cpu: Duration,
    /// Peak resident memory in bytes.
    pub memory: u64,
}

/// The end of `child` if it has ended; must not be asked again afterwards.
pub fn try_wait(child: &Child) -> Option<Ended> {
    let mut status = 0;
    // SAFETY: an all-zero `rusage` is valid (it is plain numbers), and both pointers live across the call.
    let (pid, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(child.id() as libc::pid_t, &mut status, libc::WNOHANG, &mut usage), usage)
    };
    if pid == 0 {
        return None;
    }
    let code = if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -libc::WTERMSIG(status) };
    let cpu = to_duration(usage.ru_utime.into()) + to_duration(usage.ru_stime.into());
    // The system counts kilobytes.
    Some(Ended { code, cpu, memory: usage.ru_maxrss.max(0) as u64 * 1024 })
}

/// Kills the process group that `child` leads.
pub fn kill_group(child: &Child) {
    let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGKILL);
}

/// Lets the system end `child` after that much CPU time.
pub fn limit_cpu(child: &Child, time: Duration) {
    let seconds = time.as_secs().saturating_add(1);
    let limit = libc::rlimit { rlim_cur: seconds, rlim_max: seconds.saturating_add(1) };
    // SAFETY: `limit` lives across the call and no old limit is asked for.
    let _ = unsafe { libc::prlimit(child.id() as libc::pid_t, libc::RLIMIT_CPU, &limit, std::ptr::null_mut()) };
}
