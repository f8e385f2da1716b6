//! An answer even where the process cannot go on: stacks that overflow, memory that is refused, faults in the solver. Threads
//! cannot be saved from these one by one, because nothing of what the process holds can be trusted afterwards; a verdict line
//! that was made ready before is all that is written.

#![allow(unsafe_code)]

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use nix::libc;

use crate::base::work::memory_was_refused;

/// What is said, by what happened.
struct Words {
    overflow: String,
    memory: String,
    other: String,
}

static WORDS: AtomicPtr<Words> = AtomicPtr::new(null_mut());

/// Bytes around the stack pointer: a fault there is one of a stack that is too small.
const NEAR_STACK: usize = 1 << 16;

/// From now on, and until the next call, whatever ends the process from within first writes what `line` makes of a reason.
pub fn last_words(line: impl Fn(&str) -> String) {
    let words = Words {
        overflow: line("internal: the stack was too small"),
        memory: line("out of memory: the system gave no more"),
        other: line("internal: the process failed"),
    };
    // A handler on another thread may still read the old ones: they stay.
    let is_first = WORDS.swap(Box::into_raw(Box::new(words)), Ordering::AcqRel).is_null();
    if is_first {
        install();
    }
}

/// Nothing is left to be said.
pub fn no_last_words() {
    WORDS.store(null_mut(), Ordering::Release);
}

fn install() {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT, libc::SIGSYS, libc::SIGTRAP]
    {
        // SAFETY: an all-zero `sigaction` is valid, the handler has the signature that SA_SIGINFO asks for and calls nothing
        // that may not be called in a handler; the runtime gives each thread a stack for handlers.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = failed as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(signal, &action, null_mut());
        }
    }
}

extern "C" fn failed(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: what was stored is never freed, and is not written to.
    let words = unsafe { WORDS.load(Ordering::Acquire).as_ref() };
    let Some(words) = words else {
        // SAFETY: `_exit` takes any value and does not return.
        unsafe { libc::_exit(128 + signal) }
    };
    let text = match () {
        () if memory_was_refused() => &words.memory,
        () if signal == libc::SIGSEGV && is_near_stack(info, context) => &words.overflow,
        () => &words.other,
    };
    let mut rest = text.as_bytes();
    let mut code = 0;
    while !rest.is_empty() {
        // SAFETY: the bytes live as long as the process.
        let written = unsafe { libc::write(libc::STDOUT_FILENO, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(written @ 1..) => rest = &rest[written..],
            _ => {
                code = 2;
                break;
            }
        }
    }
    // SAFETY: as above.
    unsafe { libc::_exit(code) }
}

/// Whether the address that could not be used lies where the stack ends.
#[cfg(target_arch = "x86_64")]
fn is_near_stack(info: *mut libc::siginfo_t, context: *mut libc::c_void) -> bool {
    // SAFETY: the system hands both to a handler with SA_SIGINFO, valid while it runs.
    let (address, stack) = unsafe {
        let context = &*context.cast::<libc::ucontext_t>();
        ((*info).si_addr() as usize, context.uc_mcontext.gregs[libc::REG_RSP as usize] as usize)
    };
    address.abs_diff(stack) < NEAR_STACK
}

#[cfg(not(target_arch = "x86_64"))]
fn is_near_stack(_info: *mut libc::siginfo_t, _context: *mut libc::c_void) -> bool {
    false
}
