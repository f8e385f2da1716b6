//! Stopping the solver of another thread in the middle of a query.

use std::cell::RefCell;
use std::sync::{Arc, Mutex};

use z3::{Context, ContextHandle};

/// What stops the solver of the thread that said [`SolverHandle::connect`]. Queries under way then have no answer; later ones
/// do, so that whoever asks has to stop by other means as well.
#[derive(Clone, Default)]
pub struct SolverHandle(Arc<Mutex<Option<ContextHandle<'static>>>>);

impl SolverHandle {
    /// From now on this handle stops the solver of the current thread, once there is one.
    pub fn connect(&self) {
        CONNECTION.set(Some(Connection { handle: self.clone(), context: None }));
    }

    /// Stops the query under way, if there is one.
    pub fn interrupt(&self) {
        if let Ok(context) = self.0.lock()
            && let Some(context) = context.as_ref()
        {
            context.interrupt();
        }
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
        if let Ok(mut known) = handle.0.lock() {
            *known = Some(context.handle());
        }
    });
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut known = self.handle.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *known = None;
    }
}
