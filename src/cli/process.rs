//! What the operating system tells and does: times, memory, signals, children.

use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::libc;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::time::TimeVal;

/// CPU time used so far by this process and the children it has waited for.
pub fn cpu_time() -> Duration {
    [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN]
        .into_iter()
        .filter_map(|who| getrusage(who).ok())
        .map(|usage| to_duration(usage.user_time()) + to_duration(usage.system_time()))
        .sum()
}

fn to_duration(time: TimeVal) -> Duration {
    Duration::new(time.tv_sec().max(0) as u64, (time.tv_usec().max(0) as u32).saturating_mul(1000))
}

/// Resident memory of a process (`self` or a number) in bytes, 0 where the system does not tell.
pub fn resident_bytes(process: &str) -> u64 {
    const PAGE_BYTES: u64 = 4096;
    std::fs::read_to_string(format!("/proc/{process}/statm"))
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok())
        .map_or(0, |pages| pages * PAGE_BYTES)
}

/// Whether somebody asked this process to stop.
#[derive(Clone)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on SIGINT and SIGTERM only raise the flag. Must come before any thread is started.
    pub fn install() -> Self {
        let flag = Arc::new(AtomicBool::new(false));
        let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM]);
        if signals.thread_block().is_ok() {
            let raised = flag.clone();
            std::thread::spawn(move || {
                while signals.wait().is_ok() {
                    raised.store(true, Ordering::SeqCst);
                }
            });
        }
        Self(flag)
    }

    pub fn raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

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
    let seconds = time.as_secs() + 1;
    let limit = libc::rlimit { rlim_cur: seconds, rlim_max: seconds + 1 };
    // SAFETY: `limit` lives across the call and no old limit is asked for.
    let _ = unsafe { libc::prlimit(child.id() as libc::pid_t, libc::RLIMIT_CPU, &limit, std::ptr::null_mut()) };
}
