//! Resource limits as a value that is passed down and asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a computation had to stop early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    Timeout,
    Memory,
    Cancelled,
}

/// A deadline, a memory bound and a cancel flag, shared by everything that works on one question.
#[derive(Clone, Debug)]
pub struct Limits {
    deadline: Option<Instant>,
    memory_bytes: Option<u64>,
    cancelled: Arc<AtomicBool>,
}

impl Limits {
    /// Limits from now on: `time` of wall-clock time, `memory_bytes` of resident memory of the whole process. A time beyond
    /// what the clock can show is none.
    pub fn new(time: Option<Duration>, memory_bytes: Option<u64>) -> Self {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, memory_bytes, cancelled: Arc::default() }
    }

    /// No limit at all.
    pub fn none() -> Self {
        Self::new(None, None)
    }

    /// The same memory bound and cancel flag with a deadline at most `time` from now.
    pub fn within(&self, time: Duration) -> Self {
        let sooner = Instant::now().checked_add(time);
        Self { deadline: self.deadline.into_iter().chain(sooner).min(), ..self.clone() }
    }

    /// Asks everything under these limits to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Time left before the deadline; `None` when there is none.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// Cheap enough for every few hundred steps: time and cancellation only.
    pub fn check_time(&self) -> Result<(), Exhausted> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Exhausted::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Exhausted::Timeout),
            _ => Ok(()),
        }
    }

    /// Reads the process's resident size (one small file read): ask every few thousand steps.
    pub fn check_memory(&self) -> Result<(), Exhausted> {
        match self.memory_bytes {
            Some(bound) if resident_bytes("self") > bound => Err(Exhausted::Memory),
            _ => Ok(()),
        }
    }
}

/// Resident memory of a process (`self` or a number) in bytes, 0 where the system does not tell.
pub fn resident_bytes(process: &str) -> u64 {
    const PAGE_BYTES: u64 = 4096;
    std::fs::read_to_string(format!("/proc/{process}/statm"))
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok())
        .map_or(0, |pages| pages * PAGE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_beyond_the_clock_are_no_deadline() {
        let second = Duration::from_secs(1);
        assert_eq!(Limits::new(Some(Duration::MAX), None).remaining(), None);
        assert_eq!(Limits::none().within(Duration::MAX).remaining(), None);
        let soon = Limits::new(Some(second), None).within(Duration::MAX);
        assert!(soon.remaining().is_some_and(|left| left <= second), "{soon:?}");
        let soon = Limits::new(Some(Duration::MAX), None).within(second);
        assert!(soon.remaining().is_some_and(|left| left <= second), "{soon:?}");
    }
}
