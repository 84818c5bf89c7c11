//! What happens when rebut itself is wrong: a panic, in whatever thread, is an operating failure of the command.

use super::desk::complain;
use super::exit::Status;
use crate::diagnostic::Error;
use crate::run::Cancel;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a command. If any of its threads panics, the switch is thrown, so that the others end their work in good order, and
/// whatever the command returns, its status is that of an operating failure: what came of it cannot be trusted.
pub(super) fn guard(cancel: &Cancel, command: impl FnOnce() -> Status) -> Status {
    let panicked = Arc::new(AtomicBool::new(false));
    let (seen, switch) = (Arc::clone(&panicked), cancel.clone());
    std::panic::set_hook(Box::new(move |panic| {
        // One report is enough: the panics that follow from the first say nothing new.
        if !seen.swap(true, Ordering::SeqCst) {
            switch.cancel();
            complain(&report(panic));
        }
    }));
    let status = catch_unwind(AssertUnwindSafe(command)).unwrap_or(Status::Operating);
    let _ = std::panic::take_hook();
    if panicked.load(Ordering::SeqCst) { Status::Operating } else { status }
}

/// Returns what a panic is reported as.
fn report(panic: &PanicHookInfo<'_>) -> Error {
    let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let what = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    let error = Error::operating(format!("this is a mistake in rebut: panicked{place}: {what}")).with_help(
        "please report it with the command line and the files that it was given; nothing it printed about inputs or \
         submissions can be relied on",
    );
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured { error.with_note(trace.to_string()) } else { error }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "panics are what is tested")]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_any_thread_is_an_operating_failure() {
        // One test, since there is one hook.
        let cancel = Cancel::new();
        assert_eq!(guard(&cancel, || Status::Found), Status::Found);
        assert!(!cancel.cancelled());
        assert_eq!(guard(&cancel, || panic!("in the main thread")), Status::Operating);
        assert!(cancel.cancelled());
        let lost = Cancel::new();
        let status = guard(&lost, || {
            // A thread whose result is not looked at.
            let _ = std::thread::spawn(|| panic!("in a thread")).join();
            Status::Fine
        });
        assert_eq!(status, Status::Operating);
        assert!(lost.cancelled());
    }
}
