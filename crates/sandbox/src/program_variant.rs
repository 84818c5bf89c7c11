//! A program that contains several, its variants, which differ little and are compiled together.
//!
//! A variant is chosen when the program starts: a new process by its last argument, and a forked copy, which has the
//! arguments of its server, by a call of a function of the program.

use super::program::{Program, Runner};
use super::sys::OwnedFd;
use super::{CancelToken, RunJob, RunOutcome};
use rebut_diagnostics::Result;
use std::ffi::OsString;
use std::sync::Arc;

/// A variant of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramVariant {
    /// Its number, at least 1. A copy of a fork server calls `rebut_choose_variant` with this number, a function with the
    /// calling convention of C. A program without this function is not forked.
    pub number: u64,
    /// The last argument of a new process.
    pub argument: OsString,
}

impl Program {
    /// Returns a variant of this program, if it is one that has variants.
    pub fn with_variant(&self, variant: ProgramVariant) -> Self {
        Program::new(self.display_name(), VariantRunner { program: Arc::clone(self.runner()), variant })
    }
}

struct VariantRunner {
    program: Arc<dyn Runner>,
    variant: ProgramVariant,
}

impl VariantRunner {
    /// Returns the arguments of a new process.
    fn arguments(&self, job: &RunJob<'_>) -> Vec<OsString> {
        job.args.iter().chain([&self.variant.argument]).cloned().collect()
    }
}

impl Runner for VariantRunner {
    fn run(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
        self.program.run(&RunJob { args: &self.arguments(job), ..*job }, cancel)
    }

    fn run_fast(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
        let is_plain = job.args.is_empty() && job.files.is_none();
        let copied = if is_plain { self.program.run_variant_copy(job, self.variant.number, cancel)? } else { None };
        copied.map_or_else(|| self.run(job, cancel), Ok)
    }

    fn run_counting_reads(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<Option<(RunOutcome, u64)>> {
        self.program.run_counting_reads(&RunJob { args: &self.arguments(job), ..*job }, cancel)
    }

    fn run_with_pipes(&self, job: &RunJob<'_>, pipes: [OwnedFd; 2], cancel: &CancelToken) -> Result<RunOutcome> {
        self.program.run_with_pipes(&RunJob { args: &self.arguments(job), ..*job }, pipes, cancel)
    }

    fn has_fast_path(&self) -> bool {
        self.program.has_fast_path()
    }

    fn fast_path_refusal(&self) -> Option<String> {
        self.program.fast_path_refusal()
    }
}
