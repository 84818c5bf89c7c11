//! What is being compiled at the moment, for progress reports.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A source that is being compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compilation {
    /// The source as the user named it.
    pub name: String,
    /// How long it has taken up to now.
    pub elapsed: Duration,
}

/// All compilations of a builder, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Compilations(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    running: Vec<(u64, String, Instant)>,
    begun: u64,
}

/// A compilation that runs until this is dropped.
#[derive(Debug)]
pub(super) struct Running<'a> {
    all: &'a Compilations,
    number: u64,
}

impl Compilations {
    /// Begins a compilation.
    pub(super) fn begin(&self, name: String) -> Running<'_> {
        let mut state = self.state();
        state.begun += 1;
        let number = state.begun;
        state.running.push((number, name, Instant::now()));
        Running { all: self, number }
    }

    /// What is being compiled now.
    pub(super) fn now(&self) -> Vec<Compilation> {
        let running = &self.state().running;
        running.iter().map(|(_, name, since)| Compilation { name: name.clone(), elapsed: since.elapsed() }).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What is stored is complete whenever the lock is free, even after a panic elsewhere.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.all.state().running.retain(|(number, _, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilations_are_listed_while_they_run() {
        let all = Compilations::default();
        let names = || all.now().into_iter().map(|one| one.name).collect::<Vec<_>>();
        let first = all.begin("a".to_owned());
        let second = all.begin("a".to_owned());
        let third = all.begin("b".to_owned());
        assert_eq!(names(), ["a", "a", "b"]);
        drop(first);
        assert_eq!(names(), ["a", "b"]);
        drop((second, third));
        assert!(names().is_empty());
    }
}
