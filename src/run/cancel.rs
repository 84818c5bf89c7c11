//! Telling running work to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that stops runs and compilations from another thread or from a signal handler's thread.
///
/// Clones share one state. What is running notices within 50 ms, kills its processes, and returns
/// [`Error::interrupted`](crate::diagnostic::Error::interrupted).
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that nobody has thrown yet.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Stops everything that holds a clone. There is no way back.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// The switch itself, for a signal handler to throw: it becomes `true`.
    pub fn switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether [`cancel`](Cancel::cancel) was called on any clone.
    pub fn cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
