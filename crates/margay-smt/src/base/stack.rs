//! Threads with room for deep recursion.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};

use nix::sys::resource::{Resource, getrlimit};

/// What the deepest program that is accepted needs; an address range that is set aside, not memory that is used.
pub const FULL_BYTES: usize = 1 << 30;
/// Smaller stacks are not worth a thread.
const MIN_BYTES: usize = 1 << 22;
/// What is counted on in a thread that was not made here.
const FOREIGN_BYTES: usize = 1 << 20;
/// Where the address space is limited, the part of it that a stack may take: there are several threads.
const SHARE: u64 = 16;

thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(FOREIGN_BYTES) };
}

/// Bytes of stack that recursion in the current thread can count on.
pub fn bytes() -> usize {
    BYTES.get()
}

/// Runs `f` on a thread with a stack of [`FULL_BYTES`], or of the half, the quarter … where the address space is limited,
/// and on the current one where there is no thread to be had: [`bytes`] tells what `f` got. Everything that walks programs
/// or terms recursively should run in there; what has no thread-safe form (syntax trees) must stay inside.
pub fn with_big_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(f);
    for bytes in sizes() {
        let work = &mut work;
        let ran = scope(|scope| {
            let body = move || {
                BYTES.set(bytes);
                work.take().map(|f| f())
            };
            Builder::new().stack_size(bytes).spawn_scoped(scope, body).map(ScopedJoinHandle::join)
        });
        match ran {
            Ok(Ok(Some(result))) => return result,
            Ok(Err(panic)) => resume_unwind(panic),
            // No thread with that much stack.
            Err(_) | Ok(Ok(None)) => {}
        }
    }
    // Only a thread that ran takes it, and then it returned or panicked.
    work.map(|f| f()).expect("the work is there until it was done")
}

/// Starts `f` on a thread of `scope`, with a stack as [`with_big_stack`] has it.
///
/// # Errors
/// Not even a small thread can be started.
pub fn spawn_scoped_with_big_stack<'s, F: FnOnce() + Send + 's>(
    scope: &'s Scope<'s, '_>,
    name: &str,
    f: F,
) -> std::io::Result<ScopedJoinHandle<'s, ()>> {
    on_some_stack(f, |bytes, body| Builder::new().name(name.to_owned()).stack_size(bytes).spawn_scoped(scope, body))
}

/// Starts `f` on a thread of its own, as [`with_big_stack`] does.
///
/// # Errors
/// Not even a small thread can be started.
pub fn spawn_with_big_stack(name: &str, f: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    on_some_stack(f, |bytes, body| Builder::new().name(name.to_owned()).stack_size(bytes).spawn(body)).map(|_| ())
}

/// Starts `f` by `spawn` with the largest stack that there is room for.
fn on_some_stack<'f, T>(
    f: impl FnOnce() + Send + 'f,
    spawn: impl Fn(usize, Box<dyn FnOnce() + Send + 'f>) -> std::io::Result<T>,
) -> std::io::Result<T> {
    let work = Arc::new(Mutex::new(Some(f)));
    let mut failure = std::io::ErrorKind::OutOfMemory.into();
    for bytes in sizes() {
        let work = work.clone();
        let body = move || {
            BYTES.set(bytes);
            let f = work.lock().ok().and_then(|mut work| work.take());
            if let Some(f) = f {
                f();
            }
        };
        match spawn(bytes, Box::new(body)) {
            Ok(thread) => return Ok(thread),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Sizes to try, largest first.
fn sizes() -> impl Iterator<Item = usize> {
    let room = getrlimit(Resource::RLIMIT_AS).map_or(u64::MAX, |(soft, _)| soft);
    let first = usize::try_from(room / SHARE).map_or(FULL_BYTES, |share| share.clamp(MIN_BYTES, FULL_BYTES));
    std::iter::successors(Some(first), |bytes| Some(bytes / 2)).take_while(|bytes| *bytes >= MIN_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_runs_once_and_knows_its_stack() {
        let outside = bytes();
        assert_eq!(outside, FOREIGN_BYTES);
        let mut times = 0;
        let inside = with_big_stack(|| {
            times += 1;
            bytes()
        });
        assert_eq!(times, 1);
        assert!(inside >= MIN_BYTES, "{inside}");
        let (send, receive) = std::sync::mpsc::channel();
        spawn_with_big_stack("work", move || send.send(bytes()).expect("the receiver is there")).expect("a thread");
        assert!(receive.recv().expect("an answer") >= MIN_BYTES);
    }

    #[test]
    fn panics_come_through() {
        let panicked = std::panic::catch_unwind(|| with_big_stack(|| panic!("on purpose")));
        assert!(panicked.is_err());
    }
}
