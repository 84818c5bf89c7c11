//! Runs all submissions of a package on all its test cases, and compares the results with the expectations.
//!
//! The events of cells, the results of a submission on a test case, are emitted in a fixed order, test case by test
//! case: the report does not depend on the number of workers. Cached cells are not run again.
//!
//! The entry point is [`verify_submissions`]:
//!
//! ```
//! use rebut_engine::event::EventSink;
//! use rebut_engine::verify::{VerifyPlan, verify_submissions};
//!
//! /// Prints the submissions that do not meet their expectations.
//! fn print_unmet(plan: &VerifyPlan<'_>, sink: &mut dyn EventSink) -> rebut_diagnostics::Result<()> {
//!     let result = verify_submissions(plan, sink)?;
//!     for (submission, row) in plan.submissions.iter().zip(&result.rows) {
//!         if let Some(reason) = &row.unmet {
//!             println!("{}: {reason}", submission.name);
//!         }
//!     }
//!     Ok(())
//! }
//! ```

mod assessment;
mod cell_queue;
mod counterexample;
mod first_failure;
mod submission_row;
mod table_journal;
mod time_limit_advice;
mod verdict_cell;
mod verdict_table;

use super::judging::{Judge, JudgeProgram};
use crate::event::{
    CellJudged, Event, EventSink, MeasuredTime, SubmissionAssessed, TimeLimitAdvice, UnfinishedTable,
    VerificationStarted, WarningEvent,
};
pub use assessment::{SubmissionAssessment, assess_submission};
pub use counterexample::find_counterexample;
pub use first_failure::find_first_failure;
use rebut_diagnostics::{Error, ErrorKind, Result, to_millis};
use rebut_packages::recipe::SAMPLE_GROUP;
use rebut_packages::score::{ExpectedScore, Scoring};
use rebut_packages::verdict::{Expectation, Verdict};
use rebut_packages::{TimeBound, read_run_files};
use rebut_sandbox::{CancelToken, Program, RunFiles, RunLimits};
use rebut_toolchain::CompileError;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
pub use submission_row::SubmissionRow;
pub use table_journal::TableJournal;
pub use time_limit_advice::{advise_time_limit, fit_time_limit};
pub use verdict_cell::{CellCache, NoCellCache, SubmissionSources, VerdictCell};

/// The expectation on a submission: verdicts, score, and its side of the time limit.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmissionExpectation {
    /// Expected verdicts over all test cases.
    pub expectation: Expectation,
    /// Expectations on some of the test cases.
    pub rules: Vec<CaseExpectation>,
    /// Whether its time bounds the time limit, from below or from above.
    pub times: Option<TimeBound>,
    /// The expected score.
    pub score: Option<ExpectedScore>,
}

impl SubmissionExpectation {
    /// Returns false if no result could be unexpected.
    fn is_stated(&self) -> bool {
        !self.expectation.is_open() || !self.rules.is_empty() || self.score.is_some()
    }
}

/// An expectation on some of the test cases.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseExpectation {
    /// The pattern in the package that selects them, for messages.
    pub name: String,
    /// Indices of the test cases, ascending.
    pub cases: Vec<usize>,
    /// Expected verdicts.
    pub expectation: Option<Expectation>,
    /// Text that the message on at least one of them must contain.
    pub message: Option<String>,
    /// Expected score of each group in `groups`.
    pub score: Option<ExpectedScore>,
    /// Names of the groups that the pattern matches.
    pub groups: Vec<String>,
}

/// A submission to verify.
#[derive(Clone)]
pub struct VerifiedSubmission {
    /// Path relative to `submissions/`.
    pub name: String,
    /// The expectation.
    pub expected: SubmissionExpectation,
    /// The program, or the rejection by the compiler.
    pub program: std::result::Result<Program, CompilerRejection>,
    /// Digest of the sources and how they are compiled. Without one, its cells are not cached.
    pub identity: Option<String>,
    /// Its sources, if a static validator examines them.
    pub sources: Option<SubmissionSources>,
}

/// A rejection by a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerRejection {
    /// Command line of the compiler.
    pub command: String,
    /// Output of the compiler.
    pub text: String,
}

/// A test case to run submissions on.
#[derive(Clone)]
pub struct VerifiedCase {
    /// Path relative to `data/`, without extension.
    pub name: String,
    /// File with the input.
    pub input: PathBuf,
    /// File with the answer.
    pub answer: PathBuf,
    /// The judge.
    pub judge: Judge,
    /// The static validator, if this is a static test case.
    pub examiner: Option<Arc<JudgeProgram>>,
    /// Arguments of the submission.
    pub arguments: Vec<OsString>,
    /// Folder with files for the submission's working folder, if there is one.
    pub files: Option<PathBuf>,
}

impl VerifiedCase {
    /// Returns true if it is a sample of the statement.
    pub fn is_sample(&self) -> bool {
        Path::new(&self.name).starts_with(SAMPLE_GROUP)
    }

    /// Returns the files for the submission's working folder.
    pub(crate) fn run_files(&self) -> Result<Option<RunFiles>> {
        read_run_files(self.files.as_deref())
    }
}

/// The submissions and test cases to verify, and how.
#[derive(Clone)]
pub struct VerifyPlan<'a> {
    /// Short name of the problem.
    pub problem: String,
    /// Folder of the package.
    pub folder: PathBuf,
    /// The submissions, in the order of the report.
    pub submissions: Vec<VerifiedSubmission>,
    /// The test cases, in the order in which they are judged.
    pub cases: Vec<VerifiedCase>,
    /// Limits on submissions. If the package states no time limit, the limit on processor time applies only while the
    /// time limit is derived from the submissions that must stay within it.
    pub limits: RunLimits,
    /// How the time limit is derived and checked.
    pub timing: TimeLimitFactors,
    /// How submissions are scored, if they are.
    pub scale: Option<Scoring>,
    /// The custom grader of the package.
    pub grader: Option<Program>,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// Whether to stop running a submission as soon as it is certain whether it meets its expectation.
    pub stop_when_decided: bool,
    /// Cache of cells.
    pub cell_cache: &'a dyn CellCache,
    /// Where cells are kept if several machines fill the table.
    pub cell_journal: Option<&'a TableJournal>,
    /// Cancels the work.
    pub cancel: CancelToken,
}

impl VerifyPlan<'_> {
    /// Returns the limits with another limit on processor time, in milliseconds, and the corresponding limit on elapsed
    /// time.
    pub(crate) fn limits_with(&self, cpu_time_limit_ms: u64) -> RunLimits {
        let RunLimits { memory_limit_bytes, output_limit_bytes, .. } = self.limits;
        RunLimits { memory_limit_bytes, output_limit_bytes, ..RunLimits::with_cpu_time_ms(cpu_time_limit_ms) }
    }
}

/// Safety factors around the time limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLimitFactors {
    /// Whether the package states a time limit.
    pub is_stated: bool,
    /// Minimum ratio of the limit to the time of the slowest submission that must stay within it.
    pub ac_to_time_limit: f64,
    /// Minimum ratio of the time of each submission that must be too slow to the limit.
    pub time_limit_to_tle: f64,
}

/// The result of verifying a package.
#[derive(Debug, Default)]
pub struct VerifyResult {
    /// The assessments, in the order of the submissions.
    pub rows: Vec<SubmissionAssessment>,
    /// Time limit used, in milliseconds of processor time.
    pub cpu_time_limit_ms: u64,
}

impl VerifyResult {
    /// Returns the number of submissions that do not meet their expectation.
    pub fn unmet_count(&self) -> usize {
        self.rows.iter().filter(|row| row.unmet.is_some()).count()
    }

    /// Returns true if there is a judge error, on a test case or in a score.
    pub fn has_judge_error(&self) -> bool {
        let is_failure = |cell: &VerdictCell| cell.verdict == Verdict::JudgeError;
        self.rows.iter().any(|row| row.is_ungraded || row.row.cells.iter().flatten().any(is_failure))
    }
}

impl VerifiedSubmission {
    /// Separates rejections by the compiler from failures to compile.
    ///
    /// # Errors
    /// Returns an error if the source is not to blame, such as for a missing compiler or an unreadable file.
    pub fn separate_rejection(
        compiled: std::result::Result<Program, CompileError>,
    ) -> Result<std::result::Result<Program, CompilerRejection>> {
        match compiled {
            Ok(program) => Ok(Ok(program)),
            Err(CompileError::Rejected { command, text }) => Ok(Err(CompilerRejection { command, text })),
            Err(CompileError::Failed(error)) => Err(error),
        }
    }
}

/// Runs all submissions on all test cases, except for cached cells. Emits an event for each cell, then for each
/// submission, then for the time limit.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be started, or if the work was cancelled. Cells that
/// are finished by then stay in the cache.
pub fn verify_submissions(plan: &VerifyPlan<'_>, sink: &mut dyn EventSink) -> Result<VerifyResult> {
    let began = Instant::now();
    let (table, limit_ms) = begin_table(plan, began, sink)?;
    if let Some(missing) = plan.cell_journal.and_then(TableJournal::describe_missing) {
        let unfinished = UnfinishedTable { missing: Some(missing.clone()), ..unfinished_table(plan, &table, began) };
        sink.take_event(&Event::Unfinished(unfinished));
        return Err(Error::operating_error(format!("`{}` is not verified: {missing}", plan.problem)));
    }
    let rows = assess_rows(plan, table, limit_ms, sink)?;
    sink.take_event(&Event::TimeLimit(TimeLimitAdvice {
        elapsed_ms: to_millis(began.elapsed()),
        ..advise_time_limit(plan, &rows, limit_ms)
    }));
    Ok(VerifyResult { rows, cpu_time_limit_ms: limit_ms })
}

/// Fills the cells that the journal of the plan wants from this machine, and draws no conclusion.
///
/// # Errors
/// Same as [`verify_submissions`]; cells that are finished by then stay in the journal.
pub fn fill_cells(plan: &VerifyPlan<'_>, sink: &mut dyn EventSink) -> Result<()> {
    begin_table(plan, Instant::now(), sink).map(drop)
}

/// Fills the table. Also returns the time limit used, in milliseconds of processor time.
fn begin_table(
    plan: &VerifyPlan<'_>,
    began: Instant,
    sink: &mut dyn EventSink,
) -> Result<(verdict_table::VerdictTable, u64)> {
    sink.take_event(&Event::Verifying(VerificationStarted {
        problem: plan.problem.clone(),
        folder: plan.folder.clone(),
        submissions: plan.submissions.iter().map(|c| c.name.clone()).collect(),
        test_cases: plan.cases.iter().map(|c| c.name.clone()).collect(),
        cpu_time_limit_ms: plan.timing.is_stated.then_some(plan.limits.cpu_time_limit_ms),
        memory_limit_bytes: plan.limits.memory_limit_bytes,
        has_points: plan.scale.is_some(),
        jobs: plan.jobs,
    }));
    let mut table = verdict_table::VerdictTable::new(plan, began);
    match fill_table(plan, &mut table, sink) {
        Ok(limit_ms) => Ok((table, limit_ms)),
        Err(error) => {
            if error.kind() == ErrorKind::Interrupted {
                sink.take_event(&Event::Unfinished(unfinished_table(plan, &table, began)));
            }
            Err(error)
        }
    }
}

fn unfinished_table(plan: &VerifyPlan<'_>, table: &verdict_table::VerdictTable, began: Instant) -> UnfinishedTable {
    let (known, of) = (table.known_count(), plan.submissions.len() * plan.cases.len());
    UnfinishedTable { known, of, elapsed_ms: to_millis(began.elapsed()), missing: None }
}

/// Fills the table. Returns the time limit used, in milliseconds of processor time.
fn fill_table(plan: &VerifyPlan<'_>, table: &mut verdict_table::VerdictTable, sink: &mut dyn EventSink) -> Result<u64> {
    let limit_ms = if plan.timing.is_stated {
        plan.limits.cpu_time_limit_ms
    } else {
        table.fill_missing(plan, &|c| c.expected.times == Some(TimeBound::Lower), &plan.limits, sink)?;
        time_limit_advice::limit_from_slowest(table.slowest_bounding_us(plan), plan.timing.ac_to_time_limit)
    };
    table.fill_missing(plan, &|_| true, &plan.limits_with(limit_ms), sink)?;
    Ok(limit_ms)
}

/// Assesses each submission and emits the events.
fn assess_rows(
    plan: &VerifyPlan<'_>,
    table: verdict_table::VerdictTable,
    limit_ms: u64,
    sink: &mut dyn EventSink,
) -> Result<Vec<SubmissionAssessment>> {
    let mut rows = Vec::new();
    for (submission, cells) in plan.submissions.iter().zip(table.into_rows()) {
        let row = SubmissionRow { cells };
        let graded = assessment::grade_submission(plan, &row)?;
        let mut assessment = assess_submission(submission, row, graded, &plan.cases);
        if let Some(conflict) = plan.cell_journal.and_then(|journal| journal.describe_conflict(rows.len())) {
            let message = format!("`{}` {conflict}", submission.name);
            sink.warn_with_help(message, "its result is not certain, so it is not as expected");
            assessment.unmet = Some(conflict);
        }
        sink.take_event(&Event::Assessed(assessed_event(submission, &assessment, &plan.cases, limit_ms)));
        if let Some(warning) = ignored_sample_warning(submission, &assessment, &plan.cases) {
            sink.take_event(&Event::Warning(warning));
        }
        rows.push(assessment);
    }
    Ok(rows)
}

fn assessed_event(
    submission: &VerifiedSubmission,
    assessment: &SubmissionAssessment,
    cases: &[VerifiedCase],
    cpu_time_limit_ms: u64,
) -> SubmissionAssessed {
    let row = &assessment.row;
    let mut verdicts = BTreeMap::new();
    for (_, cell) in row.known_cells() {
        *verdicts.entry(cell.verdict.code()).or_insert(0) += 1;
    }
    let case_name = |case: usize| cases[case].name.clone();
    let message = |case: usize| row.cells[case].as_ref().map(|cell| cell.message.clone()).unwrap_or_default();
    let slowest = row.slowest_cell();
    SubmissionAssessed {
        submission: submission.name.clone(),
        expected: submission.expected.expectation,
        has_expectation: submission.expected.is_stated(),
        verdict: assessment.verdict.unwrap_or(Verdict::Accepted),
        marks: assessment.marks.clone(),
        met: assessment.unmet.is_none(),
        why: assessment.unmet.clone(),
        verdicts,
        first_rejection: assessment.first_rejection.map(|case| (case_name(case), message(case))),
        slowest: slowest.map(|(case, cell)| MeasuredTime {
            submission: submission.name.clone(),
            test_case: case_name(case),
            cpu_time_ms: cell.cpu_time_us.div_ceil(1000),
            was_stopped: cell.was_stopped,
        }),
        slowest_is_idle: slowest.is_some_and(|(_, cell)| cell.was_idle),
        memory_peak_bytes: row.known_cells().map(|(_, cell)| cell.memory_peak_bytes).max().unwrap_or(0),
        is_close: row.known_cells().any(|(_, cell)| cell.is_close),
        compiler: submission.program.as_ref().err().map(|rejected| rejected.text.clone()),
        cpu_time_limit_ms,
    }
}

/// Returns the warning for an accepted submission that fails on a sample which the graders ignore.
fn ignored_sample_warning(
    submission: &VerifiedSubmission,
    assessment: &SubmissionAssessment,
    cases: &[VerifiedCase],
) -> Option<WarningEvent> {
    let case = assessment.ignored_sample?;
    let verdict = assessment.row.cells[case].as_ref()?.verdict;
    Some(WarningEvent::new(
        format!("`{}` is accepted by the graders, but gets {verdict} on `{}`", submission.name, cases[case].name),
        "the samples do not count here; their answers may be wrong",
    ))
}

fn cell_event(
    submission: &VerifiedSubmission,
    case: &VerifiedCase,
    cell: &VerdictCell,
    remembered: bool,
    began: Instant,
) -> Event {
    Event::Judged(CellJudged {
        submission: submission.name.clone(),
        test_case: case.name.clone(),
        verdict: cell.verdict,
        cpu_time_ms: cell.cpu_time_us / 1000,
        wall_time_ms: cell.wall_time_us / 1000,
        memory_peak_bytes: cell.memory_peak_bytes,
        message: cell.message.clone(),
        remembered,
        elapsed_ms: to_millis(began.elapsed()),
    })
}
