//! `rebut build`: the inputs on which the submissions that must be too slow do the most work.

use super::compile_programs::{compile_quietly, package_source_options};
use super::session::Session;
use super::source_digest::source_digest;
use rebut_diagnostics::Result;
use rebut_engine::event::{Event, EventSink, WarningEvent};
use rebut_engine::{JudgeSetup, RunEngine, SlowSearch, SlowSearchPlan, TestJob, WorstInput};
use rebut_packages::verdict::Verdict;
use rebut_packages::{Package, PackageSubmission, digest_parts};
use rebut_sandbox::Program;
use rebut_toolchain::{CompileError, CountedProgram};
use std::path::Path;
use std::time::Duration;

/// Part of the key of slow inputs, since another version can find other ones.
const KEY_VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " slow 1");

/// Finds inputs on which the submissions that must be too slow do the most work.
pub(super) struct SlowInputFinder {
    submissions: Vec<SlowSubmission>,
    /// The reference, for comparison.
    accepted: Option<CountedProgram>,
    judge_setup: JudgeSetup,
    jobs: usize,
    /// Digest of the programs.
    key: String,
}

/// A submission that must be too slow.
struct SlowSubmission {
    name: String,
    program: Program,
    counted: CountedProgram,
}

impl SlowInputFinder {
    /// Compiles the submissions of a package that must be too slow, and the reference.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the work was cancelled.
    pub(super) fn new(
        package: &Package,
        reference: &Path,
        judge_setup: JudgeSetup,
        session: &mut Session,
    ) -> Result<SlowInputFinder> {
        let mut parts = vec![KEY_VERSION.to_owned(), source_digest(reference)?];
        let mut submissions = Vec::new();
        for submission in package.submissions.iter().filter(|submission| must_be_slow(submission)) {
            parts.push(source_digest(&submission.path)?);
            submissions.extend(compile_slow(package, submission, session)?);
        }
        let options = package_source_options(Some(package));
        let accepted = CountedProgram::compile(&session.builder, reference, &options, &session.cancel).ok();
        Ok(SlowInputFinder {
            submissions,
            accepted: accepted.filter(CountedProgram::has_counters),
            judge_setup: judge_setup.with_engine(RunEngine::Exec),
            jobs: session.jobs,
            key: digest_parts(&parts),
        })
    }

    /// Returns a digest of the programs that the inputs depend on.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Returns an input for each submission, but only one of each pattern.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(super) fn find_inputs(&self, job: &TestJob) -> Result<Vec<Vec<u8>>> {
        let Some(format) = &job.format else { return Ok(Vec::new()) };
        let mut found: Vec<WorstInput> = Vec::new();
        for submission in &self.submissions {
            let plan = SlowSearchPlan {
                format,
                validators: &job.validators,
                name: &submission.name,
                program: &submission.program,
                submission: &submission.counted,
                accepted: self.accepted.as_ref(),
                judge_setup: &self.judge_setup,
                shape: None,
                seed: job.seed,
                jobs: self.jobs,
                time_budget: Duration::MAX,
            };
            let Some(worst) = SlowSearch::new(&plan)?.make_worst_input()? else { continue };
            if found.iter().all(|other| other.kind != worst.kind) {
                found.push(worst);
            }
        }
        Ok(found.into_iter().map(|worst| worst.bytes).collect())
    }
}

/// Returns true if a submission must exceed the time limit on a test.
fn must_be_slow(submission: &PackageSubmission) -> bool {
    submission.expectation.required.contains(Verdict::TimeLimit)
}

/// Compiles a submission with counters. Returns `None`, after a warning, if that is not possible.
fn compile_slow(
    package: &Package,
    submission: &PackageSubmission,
    session: &mut Session,
) -> Result<Option<SlowSubmission>> {
    let options = package_source_options(Some(package));
    let name = submission.name.clone();
    let programs = CountedProgram::compile(&session.builder, &submission.path, &options, &session.cancel)
        .and_then(|counted| Ok((counted, compile_quietly(Some(package), &submission.path, session)?.0)));
    match programs {
        Ok((counted, program)) if counted.has_counters() => Ok(Some(SlowSubmission { name, program, counted })),
        Ok(_) | Err(CompileError::Rejected { .. }) => {
            let message = format!("the work of `{name}` cannot be counted, so no slow input is made for it");
            session.take_event(&Event::Warning(WarningEvent { message, help: None }));
            Ok(None)
        }
        Err(CompileError::Failed(error)) => Err(error),
    }
}
