//! What an answer may cost, and how to end it early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::scope;
use std::time::Duration;

use super::Error;
use crate::base::limits::Limits as Bounds;
use crate::base::panics::caught;
use crate::base::stack::spawn_scoped_with_big_stack;

/// What one answer may cost; nothing is limited by default, and some questions are never decided then.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    time: Option<Duration>,
    memory: Option<u64>,
    cancellation: Option<Cancellation>,
}

impl Limits {
    /// No limit.
    pub fn none() -> Self {
        Self::default()
    }

    /// Wall-clock time, from the beginning of each question on.
    pub fn time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Resident memory in bytes, of the whole process: what it uses besides counts as well.
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Ends the work when `cancellation` says so.
    pub fn cancelled_by(self, cancellation: &Cancellation) -> Self {
        Self { cancellation: Some(cancellation.clone()), ..self }
    }

    /// Runs `work` on a thread with room for deep recursion, and waits for it.
    ///
    /// # Errors
    /// It panicked, or there is no such thread.
    pub(super) fn run<T: Send>(&self, work: impl FnOnce(&Bounds) -> T + Send) -> Result<T, Error> {
        let bounds = Bounds::new(self.time, self.memory);
        let (send, receive) = channel();
        let given = bounds.clone();
        scope(|scope| {
            // The receiver lives as long as the scope.
            let body = move || drop(send.send(caught(|| work(&given))));
            spawn_scoped_with_big_stack(scope, "analysis", body)
                .map_err(|error| Error::Internal(format!("cannot start a thread: {error}")))?;
            loop {
                let wait = match &self.cancellation {
                    Some(cancellation) if cancellation.is_cancelled() => {
                        bounds.cancel();
                        Duration::MAX
                    }
                    Some(_) => POLL,
                    None => Duration::MAX,
                };
                match receive.recv_timeout(wait) {
                    Ok(done) => return done.map_err(Error::Internal),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(Error::Internal("the analysis ended without an answer".to_owned()));
                    }
                }
            }
        })
    }
}

/// Between two times that a cancellation is asked.
const POLL: Duration = Duration::from_millis(20);

/// Ends work from another thread: all questions whose [`Limits`] were given a clone of it.
///
/// The work looks for it now and then and gives up by itself, so it ends a little later, with what it knows.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// One that nothing was cancelled by.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends all work that it belongs to, now and later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Cancellation::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
