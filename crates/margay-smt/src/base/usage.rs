//! What this process costs, and what the system allows it.

#![allow(unsafe_code)]

use std::cell::Cell;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage};
use nix::sys::time::TimeVal;
use nix::time::{ClockId, clock_gettime};

/// CPU time used so far by all threads of this process and by the children it has waited for.
pub fn cpu_time() -> Duration {
    let usages = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].into_iter().filter_map(|who| getrusage(who).ok());
    usages.map(|usage| to_duration(usage.user_time()) + to_duration(usage.system_time())).sum()
}

thread_local! {
    static ELSEWHERE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// CPU time of the current thread, and what was charged to it.
pub fn thread_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from) + ELSEWHERE.get()
}

/// Counts the CPU time of another thread that worked for the current one.
pub fn charge_thread_time(time: Duration) {
    ELSEWHERE.set(ELSEWHERE.get() + time);
}

/// Gives memory that the solver has freed back to the system, as far as that is possible; the rest goes back by itself.
pub fn give_back_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: it takes any number, and other threads may allocate meanwhile.
    unsafe {
        nix::libc::malloc_trim(0);
    }
}

/// A time as the system tells it.
pub fn to_duration(time: TimeVal) -> Duration {
    Duration::new(time.tv_sec().max(0) as u64, (time.tv_usec().max(0) as u32).saturating_mul(1000))
}

/// Memory in bytes, 0 where the system does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// What is in the machine's memory.
    pub resident: u64,
    /// The address space that is taken, whether it is used or not.
    pub space: u64,
}

/// The memory of this process. It needs no free file descriptor but for the first time.
pub fn memory() -> Memory {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let Some(file) = FILE.get_or_init(|| File::open("/proc/self/statm").ok()) else { return Memory::default() };
    let mut text = [0; 128];
    let read = file.read_at(&mut text, 0).unwrap_or(0);
    memory_in(&text[..read])
}

/// The memory of another process.
pub fn memory_of(process: u32) -> Memory {
    fs::read(format!("/proc/{process}/statm")).map_or(Memory::default(), |text| memory_in(&text))
}

/// The first two numbers of a `statm` file: pages.
fn memory_in(text: &[u8]) -> Memory {
    const PAGE_BYTES: u64 = 4096;
    let number = |digits: &[u8]| digits.iter().fold(0u64, |n, digit| n * 10 + u64::from(digit.wrapping_sub(b'0')));
    let mut numbers = text.split(|byte| *byte == b' ').map(|digits| number(digits) * PAGE_BYTES);
    let (space, resident) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    Memory { resident, space }
}

/// What the children that still run cost: their CPU time and their resident memory in bytes. They are not waited for, and are
/// not in [`cpu_time`].
pub fn children() -> (Duration, u64) {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let mut sum = (Duration::ZERO, 0);
    for child in
        children.flat_map(|line| line.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
    {
        sum = (sum.0 + cpu_time_of(child).unwrap_or_default(), sum.1 + memory_of(child).resident);
    }
    sum
}

/// In what Linux tells of other processes, on every machine.
const TICKS_A_SECOND: u64 = 100;

/// The CPU time of another process.
fn cpu_time_of(process: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before the closing bracket may hold anything.
    let mut fields = text[text.rfind(')')? + 1..].split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * (1000 / TICKS_A_SECOND)))
}

/// What the system allows this process in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryLimits {
    /// Of resident memory, by the control groups it is in: the least of their limits.
    pub resident: Option<u64>,
    /// Of address space (`ulimit -v`).
    pub space: Option<u64>,
}

impl MemoryLimits {
    /// Those in force.
    pub fn of_system() -> Self {
        let space = getrlimit(Resource::RLIMIT_AS).ok().map(|(soft, _)| soft).filter(|soft| *soft != u64::MAX);
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        Self { resident: group_limit(&groups, Path::new("/sys/fs/cgroup")), space }
    }
}

/// The system's own limit of CPU time for this process (`ulimit -t`).
pub fn cpu_limit() -> Option<Duration> {
    let (soft, _) = getrlimit(Resource::RLIMIT_CPU).ok()?;
    (soft != u64::MAX).then(|| Duration::from_secs(soft))
}

/// The least memory limit of the control groups that `groups` (a `/proc/PID/cgroup`) names, and of those around them.
fn group_limit(groups: &str, root: &Path) -> Option<u64> {
    let limits = groups.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        // The second version has one tree and no names.
        let (top, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            names if names.split(',').any(|name| name == "memory") => (root.join("memory"), "memory.limit_in_bytes"),
            _ => return Vec::new(),
        };
        let inner = top.join(path.trim_start_matches('/'));
        let around = inner.ancestors().take_while(|folder| folder.starts_with(&top));
        around.filter_map(|folder| fs::read_to_string(folder.join(file)).ok()?.trim().parse::<u64>().ok()).collect()
    });
    // The first version says "none" by a number that no machine has.
    limits.filter(|limit| *limit < 1 << 60).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_costs_something() {
        let (memory, other) = (memory(), memory_of(std::process::id()));
        assert!(memory.resident > 1 << 20 && memory.space > memory.resident, "{memory:?}");
        assert!(other.resident > 1 << 20, "{other:?}");
        let before = cpu_time();
        let sum = (0..5_000_000u64).fold(0, |a: u64, b| std::hint::black_box(a ^ b));
        assert!(cpu_time() > before, "{sum}");
        assert!(cpu_time_of(std::process::id()).is_some());
    }

    #[test]
    fn the_least_group_counts() {
        let root = std::env::temp_dir().join(format!("margay-groups-{}", std::process::id()));
        let limit = |path: &str, text: &str| {
            fs::create_dir_all(root.join(path)).unwrap();
            let name = if path.starts_with("memory") { "memory.limit_in_bytes" } else { "memory.max" };
            fs::write(root.join(path).join(name), text).unwrap();
        };
        for (path, text) in [("a", "7000\n"), ("a/b", "max\n"), ("a/b/c", "9000\n"), ("memory/x", "5000\n")] {
            limit(path, text);
        }
        limit("memory", "9223372036854771712\n");
        assert_eq!(group_limit("0::/a/b/c\n", &root), Some(7000));
        assert_eq!(group_limit("0::/a/b\n1:cpu:/\n", &root), Some(7000));
        assert_eq!(group_limit("0::/\n", &root), None);
        assert_eq!(group_limit("4:cpu,memory:/x\n0::/a/b/c\n", &root), Some(5000));
        assert_eq!(group_limit("4:memory:/\n", &root), None);
        fs::remove_dir_all(&root).unwrap();
    }
}
