//! Several sources on their way to programs, some at a time.

use super::header;
use super::{Builder, Cancel, CompileError, Compiled, Language, Variant};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Programs that were made before anybody asked for them, by their source and its folders of headers.
#[derive(Debug, Default)]
pub(super) struct Prepared(Mutex<BTreeMap<Asked, Result<Compiled, CompileError>>>);

type Asked = (PathBuf, Vec<PathBuf>);

impl Prepared {
    /// What was made of it, once.
    pub(super) fn take(&self, source: &Path, includes: &[&Path]) -> Option<Result<Compiled, CompileError>> {
        self.all().remove(&asked(source, includes))
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Asked, Result<Compiled, CompileError>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn asked(source: &Path, includes: &[&Path]) -> Asked {
    (source.to_owned(), includes.iter().map(|folder| (*folder).to_owned()).collect())
}

impl Builder {
    /// Compiles sources that will be asked for one by one, with so many compilers at a time: each is there when
    /// [`compile_including`](Builder::compile_including) asks for it, with these folders, for the first time.
    pub fn prepare(&self, sources: &[&Path], includes: &[&Path], jobs: usize, cancel: &Cancel) {
        let made = self.compile_all(sources, includes, jobs, cancel);
        self.prepared().all().extend(sources.iter().map(|source| asked(source, includes)).zip(made));
    }

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
