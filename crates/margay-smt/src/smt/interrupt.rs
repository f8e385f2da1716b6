//! Stopping the solver of another thread in the middle of a query.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{ThreadId, current};

use z3::{Context, ContextHandle};

/// What stops the solvers of the threads that said [`SolverHandle::connect`]. Queries under way then have no answer; later ones
/// do, so that the caller has to stop by other means as well.
#[derive(Clone, Default)]
pub struct SolverHandle(Arc<Mutex<Vec<(ThreadId, ContextHandle<'static>)>>>);

impl SolverHandle {
    /// From now on this handle stops the solver of the current thread, too, once there is one.
    pub fn connect(&self) {
        CONNECTION.set(Some(Connection { handle: self.clone(), context: None }));
    }

    /// What stops the solver of the current thread, if there is such a handle.
    pub(super) fn of_current() -> Option<Self> {
        CONNECTION.with_borrow(|connection| connection.as_ref().map(|connection| connection.handle.clone()))
    }

    /// Stops the queries under way, if there are any.
    pub fn interrupt(&self) {
        let contexts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        contexts.iter().for_each(|(_, context)| context.interrupt());
    }
}

/// The current thread's end of a handle.
struct Connection {
    handle: SolverHandle,
    context: Option<Box<Context>>,
}

thread_local! {
    static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

/// To be called where the current thread's solver is made.
pub(super) fn solver_is_made() {
    CONNECTION.with_borrow_mut(|connection| {
        let Some(Connection { handle, context: context @ None }) = connection else { return };
        let context: &Context = context.insert(Box::new(Context::thread_local()));
        // SAFETY: the box stays where it is until the connection is dropped, which takes the reference out of the handle first.
        let context: &'static Context = unsafe { &*std::ptr::from_ref(context) };
        let mut known = handle.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.push((current().id(), context.handle()));
    });
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut known = self.handle.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(thread, _)| *thread != current().id());
    }
}
