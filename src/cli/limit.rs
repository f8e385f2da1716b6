//! Which limit ended a run, and how close to each one goes.

use std::fmt;
use std::time::Duration;

use crate::base::usage::{cpu_limit, cpu_time};

/// What the work may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// CPU time of all threads and children.
    pub time: Duration,
    /// Wall-clock time.
    pub walltime: Option<Duration>,
    /// Bytes of resident memory, children included.
    pub memory: u64,
}

/// A limit that was hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// This much CPU time.
    CpuTime(Duration),
    /// The system's own limit of CPU time (`ulimit -t`).
    SystemCpuTime,
    WallTime(Duration),
    /// So many bytes of memory.
    Memory(u64),
    /// The system gave no more memory.
    SystemMemory,
}

impl fmt::Display for Limit {
    /// What stands in the parentheses of `UNKNOWN (…)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::CpuTime(time) => write!(f, "timeout: {} of CPU time", seconds(*time)),
            Limit::SystemCpuTime => f.write_str("timeout: the system's limit of CPU time"),
            Limit::WallTime(time) => write!(f, "timeout: {} of wall-clock time", seconds(*time)),
            Limit::Memory(bytes) => write!(f, "out of memory: {} MB", bytes / 1_000_000),
            Limit::SystemMemory => f.write_str("out of memory: the system gave no more"),
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_millis() as f64 / 1000.0)
}

/// The longest that is left between the last answer and the limit, however long the limit is.
const MOST_MARGIN: Duration = Duration::from_secs(1);
/// Taking down a process costs CPU time, too: so many bytes of memory a second.
const BYTES_TAKEN_DOWN: u64 = 8_000_000_000;

/// Times after which the work is asked to stop, and after which there is an answer in any case: a little before `bound`, so that
/// a tool that enforces the same limit from outside sees an answer. `resident` bytes have to be given back before the end.
pub fn margins(bound: Duration, resident: u64) -> (Duration, Duration) {
    let teardown = Duration::from_millis(resident.saturating_mul(1000) / BYTES_TAKEN_DOWN);
    let margin = (bound / 100).min(MOST_MARGIN) + teardown;
    (bound.saturating_sub(margin * 3), bound.saturating_sub(margin))
}

/// Parts of a hundred of a memory limit at which the work is asked to stop, and at which it is left behind.
pub const MEMORY_PERCENT: (u64, u64) = (93, 97);

/// The share of a memory limit.
pub fn percent(bytes: u64, percent: u64) -> u64 {
    bytes / 100 * percent
}

impl Bounds {
    /// What is left of the CPU time for work that begins now, and what ends it: the system may allow less.
    pub fn cpu_time(&self) -> (Duration, Limit) {
        let system = cpu_limit().map(|limit| limit.saturating_sub(cpu_time()));
        match system {
            Some(left) if left < self.time => (left, Limit::SystemCpuTime),
            _ => (self.time, Limit::CpuTime(self.time)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_time_for_an_answer_before_the_limit() {
        let seconds = Duration::from_secs;
        assert_eq!(margins(seconds(900), 0), (seconds(897), seconds(899)));
        assert_eq!(margins(seconds(60), 0), (Duration::from_millis(58_200), Duration::from_millis(59_400)));
        assert_eq!(margins(seconds(900), 8_000_000_000), (seconds(894), seconds(898)));
        assert_eq!(margins(Duration::ZERO, 0), (Duration::ZERO, Duration::ZERO));
        assert!(margins(Duration::MAX, u64::MAX).0 > seconds(1 << 40));
    }

    #[test]
    fn limits_are_reported_in_units() {
        assert_eq!(Limit::CpuTime(Duration::from_millis(1500)).to_string(), "timeout: 1.5 s of CPU time");
        assert_eq!(Limit::WallTime(Duration::from_secs(60)).to_string(), "timeout: 60 s of wall-clock time");
        assert_eq!(Limit::Memory(15_000_000_000).to_string(), "out of memory: 15000 MB");
    }
}
