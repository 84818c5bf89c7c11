//! All submissions on all test cases, against what is expected of them.
//!
//! Cells are told in one fixed order, test case by test case, whatever finished first: with many workers a report reads
//! as with one. What is already known of a cell is looked up, not run.

mod advice;
mod assess;
mod cell;
mod examine;
mod failure;
mod grade;
mod queue;
mod sweep;

pub use advice::advise;
pub use assess::{Assessment, Row, assess};
pub use cell::{Cell, Memory, NoMemory};
pub use examine::Sources;
pub use failure::first_failure;

use super::event::{Assessed, Event, Judged, Sink, TimeLimit, Unfinished, Verifying};
use super::referee::{JuryProgram, Referee};
use crate::corpus::Bound;
use crate::diagnostic::{ErrorKind, Result};
use crate::run::{Cancel, CompileError, Limits, Program};
use crate::score::{Scale, Wanted};
use crate::verdict::{Expectation, Verdict};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Which side of the time limit a submission stands for, and all else that is expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Over all test cases.
    pub expectation: Expectation,
    /// On some test cases only, with what they are called in messages.
    pub rules: Vec<ExpectedThere>,
    /// Whether its time bounds the time limit: from below, from above, or not at all.
    pub times: Option<Bound>,
    /// The score that is expected.
    pub score: Option<Wanted>,
}

/// What is expected on some test cases.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedThere {
    /// What the package calls them: a pattern.
    pub name: String,
    /// The numbers of the test cases, ascending.
    pub cases: Vec<usize>,
    /// What is expected there.
    pub expectation: Option<Expectation>,
    /// Words that the message on one of them must contain.
    pub message: Option<String>,
    /// The score that each of these groups is expected to give.
    pub score: Option<Wanted>,
    /// The groups that are meant themselves.
    pub groups: Vec<String>,
}

/// A submission to be verified.
pub struct Contestant {
    /// Its name: the path below `submissions/`.
    pub name: String,
    /// What is expected of it.
    pub expected: Expected,
    /// The program, or what the compiler says.
    pub program: std::result::Result<Program, Rejected>,
    /// What decides how it behaves: its sources and how they are compiled. None if nobody knows, so that nothing can be
    /// remembered of it.
    pub identity: Option<String>,
    /// Its sources, where somebody is to look at them.
    pub sources: Option<Sources>,
}

/// What a compiler said of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The command.
    pub command: String,
    /// Its words.
    pub text: String,
}

/// A test case to be verified on.
pub struct Case {
    /// Its name: the path below `data/`.
    pub name: String,
    /// The input's file.
    pub input: PathBuf,
    /// The answer's file.
    pub answer: PathBuf,
    /// Who judges.
    pub referee: Referee,
    /// Who looks at the submission's sources, where that is the whole test case.
    pub examiner: Option<Arc<JuryProgram>>,
    /// Arguments of the submission.
    pub arguments: Vec<OsString>,
}

/// All that is to be verified.
pub struct VerifyPlan<'a> {
    /// The problem's short name.
    pub problem: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The submissions, in the order of the report.
    pub contestants: Vec<Contestant>,
    /// The test cases, in the order in which they are judged.
    pub cases: Vec<Case>,
    /// What submissions may use. Without a time limit of the package, the processor time is the most that the slowest
    /// one that must be in time may take while the limit is looked for.
    pub limits: Limits,
    /// How the time limit is found and judged.
    pub timing: Timing,
    /// How points come about; none if there are no points.
    pub scale: Option<Scale>,
    /// The jury's own grader.
    pub grader: Option<Program>,
    /// How many runs there are at a time.
    pub jobs: usize,
    /// Whether a submission is done with as soon as it is certain what becomes of its expectation.
    pub lazy: bool,
    /// What is known from earlier.
    pub memory: &'a dyn Memory,
    /// Stops the work.
    pub cancel: Cancel,
}

impl VerifyPlan<'_> {
    /// The limits with another processor time, in milliseconds, and the wall time that goes with it.
    fn limits_with(&self, cpu_time_limit_ms: u64) -> Limits {
        let Limits { memory_limit_bytes, output_limit_bytes, .. } = self.limits;
        Limits { memory_limit_bytes, output_limit_bytes, ..Limits::with_cpu_time_ms(cpu_time_limit_ms) }
    }
}

/// Factors around the time limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Whether the package states a time limit.
    pub is_stated: bool,
    /// The limit is to be at least so many times the time of the slowest submission that must be in time.
    pub ac_to_time_limit: f64,
    /// What must be too slow is to take at least so many times the limit.
    pub time_limit_to_tle: f64,
}

/// What verifying came to.
#[derive(Debug, Default)]
pub struct Verified {
    /// A row for each submission, in their order.
    pub rows: Vec<Assessment>,
    /// The time limit that was judged by, in milliseconds of processor time.
    pub cpu_time_limit_ms: u64,
}

impl Verified {
    /// How many submissions do otherwise than expected.
    pub fn unmet(&self) -> usize {
        self.rows.iter().filter(|row| row.unmet.is_some()).count()
    }

    /// Whether the jury's side failed on some test case.
    pub fn has_judge_error(&self) -> bool {
        let is_failure = |cell: &Cell| cell.verdict == Verdict::JudgeError;
        self.rows.iter().any(|row| row.is_ungraded || row.row.cells.iter().flatten().any(is_failure))
    }
}

impl Contestant {
    /// A contestant from what compiling came to; what is not the source's fault is an error.
    ///
    /// # Errors
    /// The compiler is missing, a file cannot be read, and so on.
    pub fn rejected_or(
        compiled: std::result::Result<Program, CompileError>,
    ) -> Result<std::result::Result<Program, Rejected>> {
        match compiled {
            Ok(program) => Ok(Ok(program)),
            Err(CompileError::Rejected { command, text }) => Ok(Err(Rejected { command, text })),
            Err(CompileError::Failed(error)) => Err(error),
        }
    }
}

/// Runs all that is not known yet and tells of each cell, then of each submission, then of the time limit.
///
/// # Errors
/// If a file cannot be read, a program cannot be run at all, or the work was interrupted. What was learnt until then is
/// remembered.
pub fn verify(plan: &VerifyPlan<'_>, sink: &mut dyn Sink) -> Result<Verified> {
    sink.take(&Event::Verifying(Verifying {
        problem: plan.problem.clone(),
        folder: plan.folder.clone(),
        submissions: plan.contestants.iter().map(|c| c.name.clone()).collect(),
        test_cases: plan.cases.iter().map(|c| c.name.clone()).collect(),
        cpu_time_limit_ms: plan.timing.is_stated.then_some(plan.limits.cpu_time_limit_ms),
        has_points: plan.scale.is_some(),
        jobs: plan.jobs,
    }));
    let began = Instant::now();
    let mut table = sweep::Table::new(plan, began);
    let limit_ms = match fill(plan, &mut table, sink) {
        Err(error) if error.kind() == ErrorKind::Interrupted => {
            let (known, of) = (table.known(), plan.contestants.len() * plan.cases.len());
            sink.take(&Event::Unfinished(Unfinished { known, of, elapsed_ms: elapsed_ms(began) }));
            return Err(error);
        }
        filled => filled?,
    };
    let rows = finish(plan, table, limit_ms, sink)?;
    sink.take(&Event::TimeLimit(TimeLimit { elapsed_ms: elapsed_ms(began), ..advise(plan, &rows, limit_ms) }));
    Ok(Verified { rows, cpu_time_limit_ms: limit_ms })
}

/// Fills the table. Returns the time limit that was judged by, in milliseconds of processor time.
fn fill(plan: &VerifyPlan<'_>, table: &mut sweep::Table, sink: &mut dyn Sink) -> Result<u64> {
    let limit_ms = if plan.timing.is_stated {
        plan.limits.cpu_time_limit_ms
    } else {
        table.sweep(plan, &|c| c.expected.times == Some(Bound::Lower), &plan.limits, sink)?;
        advice::limit_from(table.slowest_in_time(plan), plan.timing.ac_to_time_limit)
    };
    table.sweep(plan, &|_| true, &plan.limits_with(limit_ms), sink)?;
    Ok(limit_ms)
}

/// Tells what became of each submission.
fn finish(plan: &VerifyPlan<'_>, table: sweep::Table, limit_ms: u64, sink: &mut dyn Sink) -> Result<Vec<Assessment>> {
    let mut rows = Vec::new();
    for (contestant, cells) in plan.contestants.iter().zip(table.into_rows()) {
        let row = Row { cells };
        let graded = grade::graded(plan, &row)?;
        let assessment = assess(contestant, row, graded, &plan.cases);
        sink.take(&Event::Assessed(Assessed::of(contestant, &assessment, &plan.cases, limit_ms)));
        rows.push(assessment);
    }
    Ok(rows)
}

/// The event of one cell.
fn judged(contestant: &Contestant, case: &Case, cell: &Cell, remembered: bool, began: Instant) -> Event {
    Event::Judged(Judged {
        submission: contestant.name.clone(),
        test_case: case.name.clone(),
        verdict: cell.verdict,
        cpu_time_ms: cell.cpu_time_us / 1000,
        wall_time_ms: cell.wall_time_us / 1000,
        memory_peak_bytes: cell.memory_peak_bytes,
        message: cell.message.clone(),
        remembered,
        elapsed_ms: elapsed_ms(began),
    })
}

fn elapsed_ms(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)
}
