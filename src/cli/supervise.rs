//! Work on a thread of its own under a watchdog that has the last word.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::process::{Cause, Interrupt, cpu_time};
use crate::base::limits::{Limits, resident_bytes};
use crate::base::stack::spawn_with_big_stack;

/// What the work may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// CPU time; wall-clock time may be a fifth more.
    pub time: Duration,
    /// Bytes of resident memory.
    pub memory: u64,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Timeout,
    OutOfMemory,
    Interrupted,
    /// A defect: the message and where it comes from.
    Panic(String),
}

impl Stop {
    /// What stands in the parentheses of `UNKNOWN (…)`.
    pub fn reason(&self) -> String {
        match self {
            Stop::Timeout => "timeout".to_owned(),
            Stop::OutOfMemory => "out of memory".to_owned(),
            Stop::Interrupted => "not proved: interrupted".to_owned(),
            Stop::Panic(message) => format!("internal: {message}"),
        }
    }
}

const POLL: Duration = Duration::from_millis(40);

/// Runs `work` with limits a little inside `bounds`. When it does not end by itself in time, it is left behind on its
/// thread: after a `Stop` other than `Panic` the process should answer and end.
pub fn supervise<T: Send + 'static>(
    bounds: Bounds,
    interrupt: &Interrupt,
    work: impl FnOnce(&Limits) -> T + Send + 'static,
) -> Result<T, Stop> {
    let (start, cpu_start) = (Instant::now(), cpu_time());
    let wall_bound = bounds.time.saturating_add(bounds.time / 5);
    let wall_limit = bounds.time.saturating_add(bounds.time / 20 * 3);
    let limits = Limits::new(Some(wall_limit), Some(bounds.memory / 20 * 19));
    let panics = PanicWatch::start();

    let (send, receive) = channel();
    let given = limits.clone();
    let body = move || {
        // Nobody listens any more when the watchdog has answered.
        let _ = send.send(catch_unwind(AssertUnwindSafe(|| work(&given))));
    };
    if let Err(error) = spawn_with_big_stack("analysis", body) {
        return Err(Stop::Panic(format!("cannot start a thread: {error}")));
    }

    loop {
        match receive.recv_timeout(POLL.min(bounds.time / 8 + Duration::from_millis(1))) {
            Ok(Ok(result)) => return Ok(result),
            Ok(Err(payload)) => {
                let place = panics.place.lock().ok().and_then(|mut p| p.take());
                return Err(Stop::Panic(panic_message(payload.as_ref(), place.as_deref())));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Stop::Panic("the analysis ended without an answer".into()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let cpu = cpu_time().saturating_sub(cpu_start);
        match interrupt.raised() {
            Some(Cause::Asked) => return Err(Stop::Interrupted),
            Some(Cause::CpuLimit) => return Err(Stop::Timeout),
            None => {}
        }
        if resident_bytes("self") > bounds.memory {
            return Err(Stop::OutOfMemory);
        }
        if cpu >= bounds.time || start.elapsed() >= wall_bound {
            return Err(Stop::Timeout);
        }
        if cpu >= bounds.time - bounds.time / 100 * 3 {
            // A last chance to end in good order.
            limits.cancel();
        }
    }
}

/// While it lives, a panic leaves its place here and prints nothing.
struct PanicWatch {
    place: Arc<Mutex<Option<String>>>,
}

impl PanicWatch {
    fn start() -> Self {
        let place = Arc::new(Mutex::new(None));
        let kept = place.clone();
        std::panic::set_hook(Box::new(move |info| {
            if let (Ok(mut kept), Some(location)) = (kept.lock(), info.location()) {
                kept.get_or_insert(format!("{}:{}", location.file(), location.line()));
            }
        }));
        Self { place }
    }
}

impl Drop for PanicWatch {
    fn drop(&mut self) {
        let _ = std::panic::take_hook();
    }
}

fn panic_message(payload: &(dyn Any + Send), place: Option<&str>) -> String {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    let first = text.lines().next().unwrap_or_default();
    match place {
        Some(place) => format!("{first} at {place}"),
        None => first.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T: Send + 'static>(time_ms: u64, work: impl FnOnce(&Limits) -> T + Send + 'static) -> Result<T, Stop> {
        let bounds = Bounds { time: Duration::from_millis(time_ms), memory: u64::MAX };
        supervise(bounds, &Interrupt::install(), work)
    }

    #[test]
    fn results_pass_through_and_panics_are_caught() {
        assert_eq!(run(60_000, |_| 7), Ok(7));
        match run(60_000, |_| -> i32 { panic!("a\nb") }) {
            Err(Stop::Panic(message)) => assert!(message.starts_with("a"), "{message}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn no_time_is_too_long() {
        let bounds = Bounds { time: Duration::MAX, memory: u64::MAX };
        assert_eq!(supervise(bounds, &Interrupt::install(), |limits| limits.remaining()), Ok(None));
    }

    #[test]
    fn work_that_never_ends_is_left_behind() {
        let sleep = |_: &Limits| std::thread::sleep(Duration::from_secs(3600));
        assert_eq!(run(50, sleep), Err(Stop::Timeout));
    }
}
