//! Defects of this tool that show as panics: they cost what was being done, and no more.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Where the last panic of the thread came from.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`. What it was working on should not be used again where it failed.
///
/// # Errors
/// It panicked: the message, with its place while there is a [`Quiet`].
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    PLACE.take();
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| message(payload.as_ref()))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    let first = text.lines().next().unwrap_or_default();
    match PLACE.take() {
        Some(place) => format!("{first} at {place}"),
        None => first.to_owned(),
    }
}

/// While it lives, a panic leaves its place with its thread and prints nothing.
pub struct Quiet(());

impl Quiet {
    /// Panics print nothing until it is dropped.
    pub fn begin() -> Self {
        std::panic::set_hook(Box::new(|info| {
            if let Some(location) = info.location() {
                let place = format!("{}:{}", location.file(), location.line());
                // A thread that is being torn down has no place any more.
                let _ = PLACE.try_with(|kept| kept.replace(Some(place)));
            }
        }));
        Self(())
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::panic::take_hook();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_one_line() {
        assert_eq!(caught(|| 7), Ok(7));
        let message = caught(|| -> () { panic!("first\nsecond") }).unwrap_err();
        assert!(message.starts_with("first") && !message.contains("second"), "{message}");
    }
}
