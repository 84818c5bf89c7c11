//! Panic handling: a panic in any thread is a bug in rebut and ends the command with the operating failure status.

use super::exit_status::ExitStatus;
use super::session::print_early_error;
use rebut_diagnostics::Error;
use rebut_sandbox::CancelToken;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a command. If any thread panics, the cancellation token is set so that the other threads finish cleanly, and
/// the exit status is that of an operating failure, since the results cannot be trusted.
pub(super) fn run_guarded(cancel: &CancelToken, command: impl FnOnce() -> ExitStatus) -> ExitStatus {
    let panicked = Arc::new(AtomicBool::new(false));
    let (seen, switch) = (Arc::clone(&panicked), cancel.clone());
    std::panic::set_hook(Box::new(move |panic| {
        // Report only the first panic; the others are usually its consequences.
        if !seen.swap(true, Ordering::SeqCst) {
            switch.cancel();
            print_early_error(&panic_to_error(panic));
        }
    }));
    let status = catch_unwind(AssertUnwindSafe(command)).unwrap_or(ExitStatus::Operating);
    let _ = std::panic::take_hook();
    if panicked.load(Ordering::SeqCst) { ExitStatus::Operating } else { status }
}

/// Converts a panic to the error that is shown.
fn panic_to_error(panic: &PanicHookInfo<'_>) -> Error {
    let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let what = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    let error = Error::operating_error(format!("this is a bug in rebut: panicked{place}: {what}")).with_help(
        "please report it with the command line and the input files; nothing that was printed about inputs or \
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
        // One test, since there is only one hook.
        let cancel = CancelToken::new();
        assert_eq!(run_guarded(&cancel, || ExitStatus::Found), ExitStatus::Found);
        assert!(!cancel.is_cancelled());
        assert_eq!(run_guarded(&cancel, || panic!("in the main thread")), ExitStatus::Operating);
        assert!(cancel.is_cancelled());
        let lost = CancelToken::new();
        let status = run_guarded(&lost, || {
            // A thread with an ignored result.
            let _ = std::thread::spawn(|| panic!("in a thread")).join();
            ExitStatus::Success
        });
        assert_eq!(status, ExitStatus::Operating);
        assert!(lost.is_cancelled());
    }
}
