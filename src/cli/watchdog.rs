//! Ends an interrupted command that does not stop in time, and shows a heartbeat while the command is silent.
//!
//! Long operations poll the cancellation token that signals set, and stop cleanly. Some operations cannot be divided,
//! such as reading a large file; so a separate thread ends the process if it takes too long to stop. The spawners then
//! kill the programs they started, as if the process had been killed.

use super::exit_status::ExitStatus;
use crate::report::{ReportOptions, TerminalReport, print_error};
use rebut_diagnostics::Error;
use rebut_sandbox::CancelToken;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Interval between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Time a command without results has to stop after a signal.
const MAX_GRACE: Duration = Duration::from_millis(600);

/// Time a command with results to save has to stop. It needs far less unless the machine is overloaded.
const MAX_GRACE_WITH_RESULTS: Duration = Duration::from_secs(10);

/// State shared by a command and its watchdog thread.
pub(super) struct Watchdog<W: Write, E: Write> {
    terminal: Mutex<TerminalReport<W, E>>,
    /// True if there are results that an abrupt end would lose.
    has_results: AtomicBool,
    /// True if the command has finished.
    is_over: AtomicBool,
}

impl<W: Write + Send + 'static, E: Write + Send + 'static> Watchdog<W, E> {
    pub(super) fn new(terminal: TerminalReport<W, E>) -> Arc<Self> {
        let (has_results, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Watchdog { terminal: Mutex::new(terminal), has_results, is_over })
    }

    /// Locks the terminal report.
    pub(super) fn lock_terminal(&self) -> MutexGuard<'_, TerminalReport<W, E>> {
        self.terminal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the command the extended time to save its results, from now on.
    pub(super) fn extend_grace(&self) {
        self.has_results.store(true, Ordering::SeqCst);
    }

    /// Stops the watchdog.
    pub(super) fn stop_watching(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Starts the watchdog thread, which runs until the command ends.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub(super) fn spawn_watcher(watched: &Arc<Self>, cancel: CancelToken, options: ReportOptions) -> Result<(), Error> {
        let watched = Arc::downgrade(watched);
        let run = move || watch_until_over(&watched, &cancel, &options);
        let spawned = std::thread::Builder::new().name("watchdog".to_owned()).spawn(run);
        spawned.map(drop).map_err(|e| Error::operating_error(format!("failed to start a thread: {e}")))
    }
}

fn watch_until_over<W: Write + Send + 'static, E: Write + Send + 'static>(
    watched: &Weak<Watchdog<W, E>>,
    cancel: &CancelToken,
    options: &ReportOptions,
) {
    let mut asked = None;
    loop {
        std::thread::sleep(POLL_INTERVAL);
        let Some(watched) = watched.upgrade().filter(|watched| !watched.is_over.load(Ordering::SeqCst)) else { return };
        if !cancel.is_cancel_requested() {
            // If the lock is taken, the report is being written to, so no heartbeat is needed.
            if let Ok(mut terminal) = watched.terminal.try_lock() {
                terminal.show_heartbeat();
            }
            continue;
        }
        let asked = *asked.get_or_insert_with(Instant::now);
        let has_results = watched.has_results.load(Ordering::SeqCst);
        let grace = if has_results { MAX_GRACE_WITH_RESULTS } else { MAX_GRACE };
        if asked.elapsed() >= grace {
            if let Ok(mut terminal) = watched.terminal.try_lock() {
                terminal.clear_live_block();
            }
            let error = Error::interrupted();
            let error = if has_results { error.with_note(format!("it did not stop within {grace:?}")) } else { error };
            let _ = print_error(&mut std::io::stderr(), &error, options);
            signal_hook::low_level::exit(i32::from(ExitStatus::Interrupted.exit_code()));
        }
    }
}
