//! Telling running work to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that stops runs and compilations from another thread or from a signal handler's thread.
///
/// Clones share one state. What is running notices within 50 ms, kills its processes, and returns
/// [`Error::interrupted`](crate::diagnostic::Error::interrupted).
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    thrown: Arc<AtomicBool>,
    around: Option<Arc<AtomicBool>>,
}

impl Cancel {
    /// A switch that nobody has thrown yet.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Stops everything that holds a clone. There is no way back.
    pub fn cancel(&self) {
        self.thrown.store(true, Ordering::SeqCst);
    }

    /// The switch itself, for a signal handler to throw: it becomes `true`.
    pub fn switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.thrown)
    }

    /// Whether [`cancel`](Cancel::cancel) was called on any clone.
    pub fn cancelled(&self) -> bool {
        self.thrown.load(Ordering::SeqCst) || self.interrupted()
    }

    /// A switch for a part of the work: what throws this one throws that one, too, but not the other way round. A run that
    /// it stops alone was merely dismissed: that is a way to end, and no interruption.
    #[cfg(unix)]
    pub(super) fn of_a_part(&self) -> Cancel {
        Cancel { thrown: Arc::default(), around: Some(Arc::clone(&self.thrown)) }
    }

    /// Whether the whole of the work is to stop.
    pub(super) fn interrupted(&self) -> bool {
        self.around.as_ref().unwrap_or(&self.thrown).load(Ordering::SeqCst)
    }
}
