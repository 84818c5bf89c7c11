//! Several sources on their way to programs, some at a time.

use super::header;
use super::{Builder, Cancel, CompileError, Compiled, Language, SourceOptions, Variant};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Programs that were made before anybody asked for them, by their source and its options.
#[derive(Debug, Default)]
pub(super) struct Prepared(Mutex<BTreeMap<Asked, Result<Compiled, CompileError>>>);

type Asked = (PathBuf, SourceOptions);

impl Prepared {
    /// What was made of it, once.
    pub(super) fn take(&self, source: &Path, options: &SourceOptions) -> Option<Result<Compiled, CompileError>> {
        self.all().remove(&asked(source, options))
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Asked, Result<Compiled, CompileError>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn asked(source: &Path, options: &SourceOptions) -> Asked {
    (source.to_owned(), options.clone())
}

impl Builder {
    /// Compiles sources that will be asked for one by one, with so many compilers at a time: each is there when
    /// [`compile_with`](Builder::compile_with) asks for it, with these options, for the first time.
    pub fn prepare(&self, sources: &[&Path], options: &SourceOptions, jobs: usize, cancel: &Cancel) {
        let missing: BTreeSet<&Path> = {
            let known = self.prepared().all();
            sources.iter().copied().filter(|source| !known.contains_key(&asked(source, options))).collect()
        };
        let order = self.order(missing);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..jobs.max(1).min(order.len()) {
                scope.spawn(|| {
                    while let Some(source) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let compiled = self.compile_with(source, options, Variant::Judged, cancel);
                        self.prepared().all().insert(asked(source, options), compiled);
                    }
                });
            }
        });
    }

    /// Makes programs of several sources, to be judged, with so many compilers at a time; the results in their order.
    pub fn compile_all(
        &self,
        sources: &[&Path],
        options: &SourceOptions,
        jobs: usize,
        cancel: &Cancel,
    ) -> Vec<Result<Compiled, CompileError>> {
        self.prepare(sources, options, jobs, cancel);
        sources.iter().map(|source| self.compile_with(source, options, Variant::Judged, cancel)).collect()
    }

    /// The order in which sources are compiled: where it pays to compile a header for them, that is made for one while the
    /// others wait behind those that do not need it.
    fn order<'s>(&self, sources: BTreeSet<&'s Path>) -> Vec<&'s Path> {
        let begins = |path: &&Path| {
            let file = self.environment().folder().join(path);
            Language::of(&file).is_some_and(|language| header::begins(language, &fs::read(&file).unwrap_or_default()))
        };
        let (mut order, without): (Vec<&Path>, Vec<&Path>) = sources.into_iter().partition(begins);
        if order.len() >= header::PAYS_FROM_PROGRAMS {
            self.known_header().let_make();
        }
        let after_first = order.len().min(1);
        order.splice(after_first..after_first, without);
        order
    }
}
