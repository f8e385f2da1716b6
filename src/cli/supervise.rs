//! Work on a thread of its own under a watchdog that has the last word.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::limit::{Bounds, Limit, MEMORY_PERCENT, margins, percent};
use super::process::{Cause, Interrupt};
use super::progress::StatusLine;
use crate::base::limits::{Exhausted, Limits};
use crate::base::panics::{Quiet, caught};
use crate::base::stack::spawn_with_big_stack;
use crate::base::usage::{Memory, MemoryLimits, children, cpu_time, memory};

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    OutOf(Limit),
    Interrupted,
    /// A defect: the message and where it comes from.
    Panic(String),
}

impl Stop {
    /// What stands in the parentheses of `UNKNOWN (…)`.
    pub fn reason(&self) -> String {
        match self {
            Stop::OutOf(limit) => limit.to_string(),
            Stop::Interrupted => "not proved: interrupted".to_owned(),
            Stop::Panic(message) => format!("internal: {message}"),
        }
    }
}

/// A result, and the limit whose watchdog asked for it, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervised<T> {
    pub result: T,
    pub limit: Option<Limit>,
}

/// Between two looks at what the process costs, and the least where a limit is near.
const POLL: Duration = Duration::from_millis(40);
const SHORT_POLL: Duration = Duration::from_millis(4);
/// Children are looked for at every so manieth look only: there are none most of the time, and it takes several small files.
const CHILD_POLLS: u32 = 8;
/// The part of a hundred of a memory limit from which on the watchdog looks often.
const NEAR_PERCENT: u64 = 75;

/// Runs `work` with limits a little inside `bounds`. When it does not end by itself in time, it is left behind on its
/// thread: after a `Stop` other than `Panic` the process should answer and end.
pub fn supervise<T: Send + 'static>(
    bounds: Bounds,
    interrupt: &Interrupt,
    work: impl FnOnce(&Limits) -> T + Send + 'static,
) -> Result<Supervised<T>, Stop> {
    let mut watch = Watch::new(bounds);
    let _quiet = Quiet::begin();
    let (send, receive) = channel();
    let given = watch.limits.clone();
    let body = move || {
        // There is no receiver any more when the watchdog has answered.
        let _ = send.send(caught(|| work(&given)));
    };
    if let Err(error) = spawn_with_big_stack("analysis", body) {
        return Err(Stop::Panic(format!("cannot start a thread: {error}")));
    }
    loop {
        match receive.recv_timeout(watch.pause) {
            Ok(Ok(result)) => {
                // The work may have noticed by itself what the watchdog would have seen next.
                let near = watch.look().err();
                let limit = watch.asked.or(match near {
                    Some(Stop::OutOf(limit)) => Some(limit),
                    _ => None,
                });
                return Ok(Supervised { result, limit });
            }
            Ok(Err(message)) => return Err(Stop::Panic(message)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Stop::Panic("the analysis ended without an answer".into()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        match interrupt.raised() {
            Some(Cause::Obligation) => return Err(Stop::Interrupted),
            Some(Cause::CpuLimit) => return Err(Stop::OutOf(Limit::SystemCpuTime)),
            None => {}
        }
        watch.look()?;
    }
}

/// The watchdog's view of what the work costs.
struct Watch {
    start: Instant,
    cpu_start: Duration,
    cpu: (Duration, Limit),
    walltime: Option<Duration>,
    /// Bytes of resident memory and of address space, and what these limits are.
    memory: [(Option<u64>, Limit); 2],
    limits: Limits,
    /// The limit because of which the work was asked to stop.
    asked: Option<Limit>,
    /// Until the next look.
    pause: Duration,
    looks: u32,
    line: StatusLine,
    /// CPU time and memory of children when they were last looked at.
    children: (Duration, u64),
}

impl Watch {
    fn new(bounds: Bounds) -> Self {
        let system = MemoryLimits::of_system();
        let memory = system.resident.map_or(bounds.memory, |group| group.min(bounds.memory));
        let cpu = bounds.cpu_time();
        let soft = |limit| percent(limit, MEMORY_PERCENT.0);
        let limits = Limits::new(None, Some(soft(memory))).with_space(system.space.map(soft));
        let limits = limits.with_cpu_time(margins(cpu.0, 0).0);
        Self {
            start: Instant::now(),
            cpu_start: cpu_time(),
            cpu,
            walltime: bounds.walltime,
            memory: [(Some(memory), Limit::Memory(memory)), (system.space, Limit::SystemMemory)],
            limits,
            asked: None,
            pause: SHORT_POLL,
            looks: 0,
            line: StatusLine::new(),
            children: (Duration::ZERO, 0),
        }
    }

    /// Asks the work to stop where a limit is near.
    ///
    /// # Errors
    /// A limit is so near that the work is left behind.
    fn look(&mut self) -> Result<(), Stop> {
        if self.looks.is_multiple_of(CHILD_POLLS) {
            self.children = children();
        }
        self.looks += 1;
        let Memory { resident, space } = memory();
        let resident = resident + self.children.1;
        let cpu = (cpu_time() + self.children.0).saturating_sub(self.cpu_start);
        let wall = self.start.elapsed();
        let mut pause = POLL;
        for (used, (bound, limit)) in [resident, space].into_iter().zip(self.memory.clone()) {
            let Some(bound) = bound else { continue };
            let (soft, hard) = MEMORY_PERCENT;
            if used > percent(bound, hard) {
                return Err(Stop::OutOf(limit));
            }
            if used > percent(bound, soft) {
                self.ask(limit, Exhausted::Memory);
            }
            if used > percent(bound, NEAR_PERCENT) {
                pause = SHORT_POLL;
            }
        }
        let over_wall = self.walltime.map(|time| (wall, time, Limit::WallTime(time)));
        for (spent, bound, limit) in std::iter::once((cpu, self.cpu.0, self.cpu.1.clone())).chain(over_wall) {
            let (soft, hard) = margins(bound, resident);
            if spent >= hard {
                return Err(Stop::OutOf(limit));
            }
            if spent >= soft {
                self.ask(limit, Exhausted::Timeout);
            }
            // Several threads spend CPU time at once.
            let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
            let next = if spent < soft { soft - spent } else { hard - spent };
            pause = pause.min(next / threads + Duration::from_millis(1));
        }
        self.pause = pause;
        self.line.announce(wall, cpu, resident);
        Ok(())
    }

    fn ask(&mut self, limit: Limit, why: Exhausted) {
        self.asked.get_or_insert(limit);
        self.limits.stop(why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { time: Duration::from_secs(60), walltime: None, memory: u64::MAX };

    fn run<T: Send + 'static>(
        bounds: Bounds,
        work: impl FnOnce(&Limits) -> T + Send + 'static,
    ) -> Result<Supervised<T>, Stop> {
        supervise(bounds, &Interrupt::install(), work)
    }

    /// Uses up CPU time until it is asked to stop.
    fn busy(limits: &Limits) -> Exhausted {
        loop {
            if let Err(why) = limits.check_time().and_then(|()| limits.check_memory()) {
                return why;
            }
        }
    }

    #[test]
    fn results_pass_through_and_panics_are_caught() {
        assert_eq!(run(BOUNDS, |_| 7), Ok(Supervised { result: 7, limit: None }));
        match run(BOUNDS, |_| -> i32 { panic!("a\nb") }) {
            Err(Stop::Panic(message)) => assert!(message.starts_with("a"), "{message}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn no_time_is_too_long() {
        let bounds = Bounds { time: Duration::MAX, walltime: Some(Duration::MAX), memory: u64::MAX };
        let Supervised { result, limit } = run(bounds, |limits| limits.check_time()).unwrap();
        assert_eq!((result, limit), (Ok(()), None));
    }

    /// CPU time and memory are those of the whole process, other tests included: a loaded machine may be past the last
    /// margin before the work sees the first one. Then the work is left behind, with the same limit.
    #[test]
    fn work_is_asked_to_stop_and_given_a_reason() {
        let short = Duration::from_millis(300);
        for (bounds, limit, why) in [
            (Bounds { time: short, ..BOUNDS }, Limit::CpuTime(short), Exhausted::Timeout),
            (Bounds { walltime: Some(short), ..BOUNDS }, Limit::WallTime(short), Exhausted::Timeout),
            (Bounds { memory: 1 << 20, ..BOUNDS }, Limit::Memory(1 << 20), Exhausted::Memory),
        ] {
            let stopped = run(bounds, busy);
            let asked = Ok(Supervised { result: why, limit: Some(limit.clone()) });
            assert!(stopped == asked || stopped == Err(Stop::OutOf(limit)), "{stopped:?}");
        }
    }

    #[test]
    fn work_that_never_ends_is_left_behind() {
        let sleep = |_: &Limits| std::thread::sleep(Duration::from_secs(3600));
        let short = Duration::from_millis(50);
        let bounds = Bounds { walltime: Some(short), ..BOUNDS };
        assert_eq!(run(bounds, sleep), Err(Stop::OutOf(Limit::WallTime(short))));
        // A sleeper spends no CPU time.
        let spin = |_: &Limits| loop {
            std::hint::spin_loop();
        };
        let ended: Result<Supervised<()>, Stop> = run(Bounds { time: short, ..BOUNDS }, spin);
        assert_eq!(ended, Err(Stop::OutOf(Limit::CpuTime(short))));
    }
}
