//! The state of the precompiled header.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The state of the precompiled header. Locked during its compilation, so that other threads wait for it.
#[derive(Debug, Default)]
pub(super) struct PrecompiledHeader(Mutex<HeaderState>);

#[derive(Debug, Default)]
pub(super) struct HeaderState {
    /// The include folders with the header, by fingerprint: one for each standard. `None` if it is not compiled yet.
    pub(super) folders: BTreeMap<String, Option<PathBuf>>,
    /// True if it is worth compiling: enough programs will use it.
    pub(super) may_compile: bool,
}

impl PrecompiledHeader {
    /// Allows the next thread that needs the header to compile it.
    pub(super) fn allow_compile(&self) {
        self.lock_state().may_compile = true;
    }

    pub(super) fn lock_state(&self) -> MutexGuard<'_, HeaderState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
