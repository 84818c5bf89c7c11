//! Compiles several sources in parallel, before they are needed.

use super::precompiled_header::{self, to_compile_key};
use super::{BuildVariant, CompileError, CompiledProgram, Language, ProgramBuilder, SourceOptions};
use rebut_sandbox::CancelToken;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

impl ProgramBuilder {
    /// Compiles sources ahead of time, with `jobs` compilers in parallel. The first call of
    /// [`compile_with_options`](ProgramBuilder::compile_with_options) with these options returns the result.
    pub fn precompile_sources(&self, sources: &[&Path], options: &SourceOptions, jobs: usize, cancel: &CancelToken) {
        let missing: BTreeSet<&Path> = {
            let known = self.precompiled_programs().lock_programs();
            sources.iter().copied().filter(|source| !known.contains_key(&to_compile_key(source, options))).collect()
        };
        let order = self.compile_order(missing);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..jobs.max(1).min(order.len()) {
                scope.spawn(|| {
                    while let Some(source) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let compiled = self.compile_with_options(source, options, BuildVariant::Judged, cancel);
                        self.precompiled_programs().lock_programs().insert(to_compile_key(source, options), compiled);
                    }
                });
            }
        });
    }

    /// Compiles several sources to be judged, with `jobs` compilers in parallel, and returns the results in the order
    /// of the sources.
    pub fn compile_all(
        &self,
        sources: &[&Path],
        options: &SourceOptions,
        jobs: usize,
        cancel: &CancelToken,
    ) -> Vec<Result<CompiledProgram, CompileError>> {
        self.precompile_sources(sources, options, jobs, cancel);
        sources.iter().map(|source| self.compile_with_options(source, options, BuildVariant::Judged, cancel)).collect()
    }

    /// Returns the order in which sources are compiled. If a precompiled header pays off, the first source that uses it
    /// comes first, then those that do not use it, so that the header is ready for the rest.
    fn compile_order<'s>(&self, sources: BTreeSet<&'s Path>) -> Vec<&'s Path> {
        let begins = |path: &&Path| {
            let file = self.toolchain().environment().current_folder().join(path);
            Language::from_path(&file).is_some_and(|language| {
                precompiled_header::starts_with_header(language, &fs::read(&file).unwrap_or_default())
            })
        };
        let (mut order, without): (Vec<&Path>, Vec<&Path>) = sources.into_iter().partition(begins);
        if order.len() >= crate::tuning::MIN_HEADER_PROGRAMS {
            self.toolchain().precompiled_header().allow_compile();
        }
        let after_first = order.len().min(1);
        order.splice(after_first..after_first, without);
        order
    }
}
