//! Ends a command that does not end when it is asked to, and shows signs of life while it is silent.
//!
//! Everything that takes long looks at the switch that a signal throws, and ends in good order. But some work is in one
//! piece, such as reading a large file. So a thread of its own ends the process where that takes too long: what was started
//! is ended by the spawners then, as if the process had been killed.

use super::exit::Status;
use crate::diagnostic::Error;
use crate::report::{Options, Terminal, print_error};
use crate::run::Cancel;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Time between two looks.
const TICK: Duration = Duration::from_millis(100);

/// How long a command without results may take to end after a signal.
const GRACE: Duration = Duration::from_millis(600);

/// How long one may take that has results to save. It needs far less, unless the machine is overloaded.
const GRACE_FOR_RESULTS: Duration = Duration::from_secs(10);

/// What a command and its watchdog share.
pub(super) struct Watched<W: Write, E: Write> {
    terminal: Mutex<Terminal<W, E>>,
    /// Whether there are results that an abrupt end would lose.
    has_results: AtomicBool,
    /// Whether the command has come to its end by itself.
    is_over: AtomicBool,
}

impl<W: Write + Send + 'static, E: Write + Send + 'static> Watched<W, E> {
    pub(super) fn new(terminal: Terminal<W, E>) -> Arc<Self> {
        let (has_results, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Watched { terminal: Mutex::new(terminal), has_results, is_over })
    }

    /// The report, for a moment.
    pub(super) fn terminal(&self) -> MutexGuard<'_, Terminal<W, E>> {
        self.terminal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the command the time to save what it has, from now on.
    pub(super) fn keep_results(&self) {
        self.has_results.store(true, Ordering::SeqCst);
    }

    /// Ends the watch.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Watches over the command in a thread of its own, until it ends.
    ///
    /// # Errors
    /// Returns an error if there is no thread.
    pub(super) fn watch(watched: &Arc<Self>, cancel: Cancel, options: Options) -> Result<(), Error> {
        let watched = Arc::downgrade(watched);
        let run = move || watch(&watched, &cancel, &options);
        let spawned = std::thread::Builder::new().name("watchdog".to_owned()).spawn(run);
        spawned.map(drop).map_err(|e| Error::operating(format!("failed to start a thread: {e}")))
    }
}

fn watch<W: Write + Send + 'static, E: Write + Send + 'static>(
    watched: &Weak<Watched<W, E>>,
    cancel: &Cancel,
    options: &Options,
) {
    let mut asked = None;
    loop {
        std::thread::sleep(TICK);
        let Some(watched) = watched.upgrade().filter(|watched| !watched.is_over.load(Ordering::SeqCst)) else { return };
        if !cancel.is_thrown() {
            // Whoever holds the report is writing to it.
            if let Ok(mut terminal) = watched.terminal.try_lock() {
                terminal.beat();
            }
            continue;
        }
        let asked = *asked.get_or_insert_with(Instant::now);
        let has_results = watched.has_results.load(Ordering::SeqCst);
        let grace = if has_results { GRACE_FOR_RESULTS } else { GRACE };
        if asked.elapsed() >= grace {
            if let Ok(mut terminal) = watched.terminal.try_lock() {
                terminal.clear();
            }
            let error = Error::interrupted();
            let error = if has_results { error.with_note(format!("it did not end within {grace:?}")) } else { error };
            let _ = print_error(&mut std::io::stderr(), &error, options);
            signal_hook::low_level::exit(i32::from(Status::Interrupted.code()));
        }
    }
}
