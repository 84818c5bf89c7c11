//! Several sources on their way to programs, some at a time.

use super::header;
use super::{Builder, Cancel, CompileError, Compiled, Language, Variant};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

impl Builder {
    /// Makes programs of several sources, to be judged, with so many compilers at a time; the results in their order.
    pub fn compile_all(
        &self,
        sources: &[&Path],
        includes: &[&Path],
        jobs: usize,
        cancel: &Cancel,
    ) -> Vec<Result<Compiled, CompileError>> {
        let order = self.order(sources);
        let next = AtomicUsize::new(0);
        let made = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, sources.len().max(1)) {
                scope.spawn(|| {
                    while let Some(&i) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let compiled = self.compile_including(sources[i], includes, Variant::Judged, cancel);
                        made.lock().unwrap_or_else(PoisonError::into_inner).push((i, compiled));
                    }
                });
            }
        });
        let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
        made.sort_by_key(|(i, _)| *i);
        made.into_iter().map(|(_, compiled)| compiled).collect()
    }

    /// The order in which sources are compiled: where it pays to compile a header for them, that is made for one while the
    /// others wait behind those that do not need it.
    fn order(&self, sources: &[&Path]) -> Vec<usize> {
        let begins = |path: &Path| {
            let file = self.environment().folder().join(path);
            Language::of(&file).is_some_and(|language| header::begins(language, &fs::read(&file).unwrap_or_default()))
        };
        let (mut order, without): (Vec<usize>, Vec<usize>) = (0..sources.len()).partition(|i| begins(sources[*i]));
        if order.len() >= header::PAYS_FROM_PROGRAMS {
            self.known_header().let_make();
        }
        let after_first = order.len().min(1);
        order.splice(after_first..after_first, without);
        order
    }
}
