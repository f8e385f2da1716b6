//! How much a thread has done, in a measure that does not depend on how busy the machine is: a stop after so much work
//! stops at the same place in every run.
//!
//! What symbolic analyses do goes hand in hand with the memory they ask for, so each allocation counts; what does much without
//! allocating (the solver, the interpreter) charges for itself. Weights are chosen so that a tick takes about as long everywhere.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use mimalloc::MiMalloc;

/// Ticks in about a second of a machine of 2020, whatever is done.
pub const SECOND: u64 = 5_000_000;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Ticks of the current thread since it was started.
pub fn done() -> u64 {
    DONE.get()
}

/// Counts work that shows in no allocation.
pub fn charge(ticks: u64) {
    DONE.set(DONE.get().saturating_add(ticks));
}

/// Whether the system once refused memory.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Whether the system has refused memory to this process.
pub fn memory_was_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}

/// An allocator that counts. What parsing and exploring ask for is small and plenty: glibc's allocator took half the time of reading
/// large programs.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn noted(block: *mut u8) -> *mut u8 {
    DONE.set(DONE.get().wrapping_add(1));
    if block.is_null() {
        REFUSED.store(true, Ordering::Relaxed);
    }
    block
}

// SAFETY: every call goes to the allocator below as it is; the counter is a plain number of the thread that needs no
// allocation and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those of the allocator below.
        noted(unsafe { MiMalloc.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        noted(unsafe { MiMalloc.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        noted(unsafe { MiMalloc.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { MiMalloc.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_work_counts_the_same() {
        let work = || {
            let before = done();
            let words: Vec<String> = (0..100).map(|n| format!("word {n}")).collect();
            charge(50);
            (words.len(), done() - before)
        };
        let (first, elsewhere) = (work(), std::thread::spawn(work).join().unwrap());
        assert_eq!(first, elsewhere);
        assert!(first.1 > 150, "{first:?}");
    }
}
