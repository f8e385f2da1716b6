//! Resource limits as a value that is passed down and asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use super::usage::{cpu_time, memory};
use super::work;

/// Why a computation had to stop early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// A clock: the deadline is over, or the watch of the time said so.
    Timeout,
    /// As much was done as was allowed ([`Limits::within_work`]): there may be more time.
    Work,
    /// The limit of memory.
    Memory,
    /// The user, or the schedule, ended it.
    Cancelled,
}

impl Exhausted {
    const ALL: [Exhausted; 4] = [Exhausted::Timeout, Exhausted::Work, Exhausted::Memory, Exhausted::Cancelled];

    /// It may go on when it is given more time or work.
    pub fn is_pause(self) -> bool {
        matches!(self, Exhausted::Timeout | Exhausted::Work)
    }
}

/// A deadline, a bound on work, a memory bound and a flag that is raised to stop all: shared by everything that works on one
/// question.
#[derive(Clone, Debug)]
pub struct Limits {
    deadline: Option<Instant>,
    /// In CPU time of the process. Only its watchdog looks at that clock, and [`Limits::remaining`].
    cpu_deadline: Option<Duration>,
    /// By the count of the thread that asks ([`work::done`]).
    work: Option<u64>,
    resident: Option<u64>,
    space: Option<u64>,
    stop: Arc<Stop>,
}

/// A flag, and those that stop what this one stops and more.
#[derive(Debug, Default)]
struct Stop {
    /// 0, or one more than the reason's place in [`Exhausted::ALL`].
    why: AtomicU8,
    outer: Option<Arc<Stop>>,
}

impl Stop {
    fn why(&self) -> Option<Exhausted> {
        let why = self.why.load(Ordering::Relaxed).checked_sub(1).map(|index| Exhausted::ALL[usize::from(index)]);
        why.or_else(|| self.outer.as_ref()?.why())
    }
}

impl Limits {
    /// Limits from now on: `time` of wall-clock time, `memory_bytes` of resident memory of the whole process. A time beyond
    /// what the clock can show is none.
    pub fn new(time: Option<Duration>, memory_bytes: Option<u64>) -> Self {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, cpu_deadline: None, work: None, resident: memory_bytes, space: None, stop: Arc::default() }
    }

    /// No limit at all.
    pub fn none() -> Self {
        Self::new(None, None)
    }

    /// The same with so much CPU time of the whole process from now on. That clock has to be watched, and to
    /// [`Limits::stop`].
    pub fn with_cpu_time(self, time: Duration) -> Self {
        Self { cpu_deadline: cpu_time().checked_add(time), ..self }
    }

    /// The same with a bound on the address space of the whole process, in bytes.
    pub fn with_space(self, space: Option<u64>) -> Self {
        Self { space, ..self }
    }

    /// The same limits with a deadline at most `time` from now.
    pub fn within(&self, time: Duration) -> Self {
        let sooner = Instant::now().checked_add(time);
        Self { deadline: self.deadline.into_iter().chain(sooner).min(), ..self.clone() }
    }

    /// The same limits until the current thread has done so many more `ticks` of work. Unlike a deadline this does not depend on
    /// how busy the machine is. Only for use on the current thread.
    pub fn within_work(&self, ticks: u64) -> Self {
        let sooner = work::done().saturating_add(ticks);
        Self { work: Some(self.work.map_or(sooner, |work| work.min(sooner))), ..self.clone() }
    }

    /// The same limits for the current thread, with so much work left to it.
    pub fn with_work_left(&self, ticks: Option<u64>) -> Self {
        Self { work: ticks.map(|ticks| work::done().saturating_add(ticks)), ..self.clone() }
    }

    /// The same limits with a flag of their own: stopping these stops nothing else under the others.
    pub fn apart(&self) -> Self {
        Self { stop: Arc::new(Stop { why: AtomicU8::new(0), outer: Some(self.stop.clone()) }), ..self.clone() }
    }

    /// Asks everything under these limits to stop; the first reason counts.
    pub fn stop(&self, why: Exhausted) {
        let index = Exhausted::ALL.iter().position(|known| *known == why).unwrap_or_default();
        let _ = self.stop.why.compare_exchange(0, index as u8 + 1, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Asks everything under these limits to stop because the result is not wanted any more.
    pub fn cancel(&self) {
        self.stop(Exhausted::Cancelled);
    }

    /// Time left before the deadline, or of CPU time where that is less; `None` when there is no deadline.
    pub fn remaining(&self) -> Option<Duration> {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let cpu_left = self.cpu_deadline.map(|deadline| deadline.saturating_sub(cpu_time()));
        left.into_iter().chain(cpu_left).min()
    }

    /// Ticks of work left for the current thread; `None` when they are not bounded.
    pub fn work_left(&self) -> Option<u64> {
        self.work.map(|work| work.saturating_sub(work::done()))
    }

    /// The same limits with half of what is left: of the work where that is bounded, of the time otherwise.
    pub fn half(&self) -> Self {
        match (self.work_left(), self.remaining()) {
            (Some(ticks), _) => self.within_work(ticks / 2),
            (None, Some(time)) => self.within(time / 2),
            (None, None) => self.clone(),
        }
    }

    /// Cheap enough for every few hundred steps: time, work and the flag only.
    pub fn check_time(&self) -> Result<(), Exhausted> {
        if let Some(why) = self.stop.why() {
            return Err(why);
        }
        if self.work.is_some_and(|work| work::done() >= work) {
            return Err(Exhausted::Work);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Exhausted::Timeout),
            _ => Ok(()),
        }
    }

    /// Reads the process's memory (one small file read): ask every few thousand steps.
    pub fn check_memory(&self) -> Result<(), Exhausted> {
        if self.resident.is_none() && self.space.is_none() {
            return Ok(());
        }
        let used = memory();
        let is_over = |bound: Option<u64>, used: u64| bound.is_some_and(|bound| used > bound);
        if is_over(self.resident, used.resident) || is_over(self.space, used.space) {
            return Err(Exhausted::Memory);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_beyond_the_clock_are_no_deadline() {
        let second = Duration::from_secs(1);
        assert_eq!(Limits::new(Some(Duration::MAX), None).remaining(), None);
        assert_eq!(Limits::none().within(Duration::MAX).remaining(), None);
        assert_eq!(Limits::none().with_cpu_time(Duration::MAX).remaining(), None);
        let soon = Limits::new(Some(second), None).within(Duration::MAX);
        assert!(soon.remaining().is_some_and(|left| left <= second), "{soon:?}");
        let soon = Limits::new(Some(Duration::MAX), None).within(second);
        assert!(soon.remaining().is_some_and(|left| left <= second), "{soon:?}");
        let soon = Limits::none().with_cpu_time(second);
        assert!(soon.remaining().is_some_and(|left| left <= second), "{soon:?}");
    }

    #[test]
    fn one_part_can_be_stopped_alone() {
        let whole = Limits::none();
        let [one, other] = [whole.apart(), whole.apart().within_work(1 << 40)];
        one.stop(Exhausted::Memory);
        one.cancel();
        assert_eq!(one.within(Duration::from_secs(9)).check_time(), Err(Exhausted::Memory));
        assert_eq!((whole.check_time(), other.check_time()), (Ok(()), Ok(())));
        whole.cancel();
        assert_eq!(one.check_time(), Err(Exhausted::Memory));
        assert_eq!(other.check_time(), Err(Exhausted::Cancelled));
    }

    #[test]
    fn work_is_counted_not_timed() {
        let limits = Limits::none().within_work(1000);
        assert_eq!(limits.check_time(), Ok(()));
        let half = limits.half();
        work::charge(700);
        assert_eq!((limits.check_time(), half.check_time()), (Ok(()), Err(Exhausted::Work)));
        // Less than all that is left.
        assert!(limits.within_work(u64::MAX).work_left().is_some_and(|left| left <= 300));
        work::charge(300);
        assert_eq!(limits.check_time(), Err(Exhausted::Work));
        assert!(Exhausted::Work.is_pause() && !Exhausted::Memory.is_pause());
    }
}
