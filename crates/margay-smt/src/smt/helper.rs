//! Threads that do a part of another thread's work: with a solver of their own, on the other one's account.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use super::interrupt::SolverHandle;
use super::z3solver::{charge_solver_work, solver_work};
use crate::base::limits::Limits;
use crate::base::stack::spawn_scoped_with_big_stack;
use crate::base::usage::{charge_thread_time, thread_time};
use crate::base::work;

/// A thread that works for the one that started it.
pub struct Helper<'s, T> {
    thread: ScopedJoinHandle<'s, ()>,
    done: Arc<Mutex<Option<Done<T>>>>,
}

/// What was done, and what it cost: ticks, those of the solver among them, and CPU time.
struct Done<T> {
    result: T,
    ticks: u64,
    solver: u64,
    time: Duration,
}

impl<'s, T: Send + 's> Helper<'s, T> {
    /// Starts `f`, which is given `limits` as they are for that thread. What stops the solver of the current thread stops that
    /// one's, too.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn start(
        scope: &'s Scope<'s, '_>,
        limits: &Limits,
        f: impl FnOnce(&Limits) -> T + Send + 's,
    ) -> std::io::Result<Self> {
        let (limits, left, handle) = (limits.clone(), limits.work_left(), SolverHandle::of_current());
        let done = Arc::new(Mutex::new(None));
        let result_place = done.clone();
        let body = move || {
            if let Some(handle) = handle {
                handle.connect();
            }
            let result = f(&limits.with_work_left(left));
            let (ticks, solver, time) = (work::done(), solver_work(), thread_time());
            *result_place.lock().unwrap_or_else(PoisonError::into_inner) = Some(Done { result, ticks, solver, time });
        };
        Ok(Self { thread: spawn_scoped_with_big_stack(scope, "helper", body)?, done })
    }

    /// Waits until it has finished, and takes on what it cost. Panics where it did.
    pub fn join(self) -> Option<T> {
        if let Err(panic) = self.thread.join() {
            resume_unwind(panic);
        }
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner).take();
        done.map(|Done { result, ticks, solver, time }| {
            work::charge(ticks);
            charge_solver_work(solver);
            charge_thread_time(time);
            result
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_helpers_counts_as_that_of_their_thread() {
        let limits = Limits::none().within_work(1 << 20);
        let before = (work::done(), solver_work());
        let left = std::thread::scope(|scope| {
            let work = |limits: &Limits| {
                work::charge(1 << 30);
                charge_solver_work(7);
                (limits.work_left(), limits.check_time())
            };
            Helper::start(scope, &limits, work).expect("a thread").join().expect("a result")
        });
        // It has what its thread had left, counted anew.
        assert_eq!(left, (Some(0), Err(crate::base::limits::Exhausted::Work)));
        assert!(work::done() - before.0 >= 1 << 30);
        assert_eq!(solver_work() - before.1, 7);
        let fresh = std::thread::scope(|scope| {
            let limits = limits.with_work_left(Some(1 << 10));
            Helper::start(scope, &limits, |limits| limits.work_left()).expect("a thread").join()
        });
        assert!(fresh.flatten().is_some_and(|left| left > 0 && left <= 1 << 10), "{fresh:?}");
    }

    #[test]
    fn panics_of_helpers_come_through() {
        let panicked = std::panic::catch_unwind(|| {
            std::thread::scope(|scope| Helper::start(scope, &Limits::none(), |_| panic!("on purpose")).unwrap().join())
        });
        assert!(panicked.is_err());
    }
}
