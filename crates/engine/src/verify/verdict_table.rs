//! Fills the verdict table with several workers, and emits the events of its cells in order.

use super::cell_queue::{CellQueue, CellTask};
use super::table_journal::{CellPlace, FilledCell};
use super::verdict_cell::{SubmissionSources, examine_submission};
use super::{CellCache, VerdictCell, VerifiedCase, VerifiedSubmission, VerifyPlan, cell_event};
use crate::event::EventSink;
use crate::judging::{JudgeProgram, JudgeRequest};
use rebut_diagnostics::{Error, ErrorKind, Result};
use rebut_packages::verdict::{ExpectationScope, Verdict};
use rebut_packages::{TimeBound, digest_folder, read_file};
use rebut_sandbox::{RunFiles, RunLimits};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Instant;

/// The known cells, with a row for each submission.
pub(super) struct VerdictTable {
    rows: Vec<Vec<Option<VerdictCell>>>,
    began: Instant,
}

/// Contents of the files of a test case.
struct CaseFileContents {
    input: Vec<u8>,
    answer: Vec<u8>,
    run_files: Option<RunFiles>,
    digest: String,
}

/// The files of the test cases in use. Each is read once, and dropped when the last worker is done with it.
type LoadedCases = Mutex<BTreeMap<usize, Arc<CaseFileContents>>>;

/// A finished cell on its way to the table, with its position in the order.
type FinishedCell = (usize, Result<Option<FilledCell>>);

impl VerdictTable {
    pub(super) fn new(plan: &VerifyPlan<'_>, began: Instant) -> VerdictTable {
        VerdictTable { rows: plan.submissions.iter().map(|_| vec![None; plan.cases.len()]).collect(), began }
    }

    pub(super) fn into_rows(self) -> impl Iterator<Item = Vec<Option<VerdictCell>>> {
        self.rows.into_iter()
    }

    /// Returns the maximum time of the submissions that must stay within the limit, in microseconds of processor time.
    pub(super) fn slowest_bounding_us(&self, plan: &VerifyPlan<'_>) -> u64 {
        let rows = plan.submissions.iter().zip(&self.rows);
        let bounding = rows.filter(|(c, _)| c.expected.times == Some(TimeBound::Lower));
        bounding.flat_map(|(_, row)| row.iter().flatten()).map(|cell| cell.cpu_time_us).max().unwrap_or(0)
    }

    /// Fills the missing cells of the rows for which `wanted` returns true, test case by test case.
    pub(super) fn fill_missing(
        &mut self,
        plan: &VerifyPlan<'_>,
        wanted: &(dyn Fn(&VerifiedSubmission) -> bool + Sync),
        limits: &RunLimits,
        sink: &mut dyn EventSink,
    ) -> Result<()> {
        let order = self.missing_cells(plan, wanted);
        let is_done = |(row, cells): (usize, &Vec<Option<VerdictCell>>)| {
            cells.iter().flatten().any(|cell| is_decided(plan, &plan.submissions[row], cell))
        };
        let queue = CellQueue::new(order.len(), self.rows.iter().enumerate().map(is_done).collect());
        let shown: Vec<SubmissionEvidence> = plan.submissions.iter().map(|_| SubmissionEvidence::default()).collect();
        let loaded = LoadedCases::default();
        let (sender, receiver) = mpsc::channel::<FinishedCell>();
        std::thread::scope(|scope| {
            for _ in 0..plan.jobs.clamp(1, order.len().max(1)) {
                let sender = sender.clone();
                let (order, queue, shown, loaded) = (&order, &queue, &shown, &loaded);
                scope.spawn(move || run_worker(plan, limits, order, queue, shown, loaded, &sender));
            }
            drop(sender);
            let result = self.collect_finished(plan, &order, &receiver, sink);
            queue.stop_queue();
            result
        })
    }

    /// Returns the missing cells in the order of their events.
    fn missing_cells(
        &self,
        plan: &VerifyPlan<'_>,
        wanted: &dyn Fn(&VerifiedSubmission) -> bool,
    ) -> Vec<(usize, usize)> {
        let is_wanted = |row: usize| wanted(&plan.submissions[row]) && plan.submissions[row].program.is_ok();
        let rows: Vec<usize> = (0..self.rows.len()).filter(|row| is_wanted(*row)).collect();
        let cells = (0..plan.cases.len()).flat_map(|case| rows.iter().map(move |row| (case, *row)));
        cells.filter(|(case, row)| self.rows[*row][*case].is_none()).collect()
    }

    /// Receives finished cells, puts them in order, and emits their events.
    fn collect_finished(
        &mut self,
        plan: &VerifyPlan<'_>,
        order: &[(usize, usize)],
        receiver: &mpsc::Receiver<FinishedCell>,
        sink: &mut dyn EventSink,
    ) -> Result<()> {
        let mut waiting = BTreeMap::new();
        let mut emitted = 0;
        while emitted < order.len() {
            let Ok((position, made)) = receiver.recv() else { break };
            waiting.insert(position, made);
            while let Some(made) = waiting.remove(&emitted) {
                if made.as_ref().is_err_and(|error| error.kind() == ErrorKind::Interrupted) {
                    waiting.insert(emitted, made);
                    break;
                }
                self.store_cell(plan, order[emitted], made?, sink);
                emitted += 1;
            }
        }
        // All workers have exited. The first error is returned; the cells that other workers finished are kept.
        let mut stopped = Ok(());
        for (position, made) in waiting {
            match made {
                Ok(made) => self.store_cell(plan, order[position], made, sink),
                Err(error) => stopped = stopped.and(Err(error)),
            }
        }
        stopped
    }

    /// Puts a cell into the table and emits its event, unless it was skipped.
    fn store_cell(
        &mut self,
        plan: &VerifyPlan<'_>,
        (case, row): (usize, usize),
        made: Option<FilledCell>,
        sink: &mut dyn EventSink,
    ) {
        let Some(FilledCell { cell, remembered }) = made else { return };
        sink.take_event(&cell_event(&plan.submissions[row], &plan.cases[case], &cell, remembered, self.began));
        self.rows[row][case] = Some(cell);
    }

    /// Returns the number of known cells.
    pub(super) fn known_count(&self) -> usize {
        self.rows.iter().flatten().flatten().count()
    }
}

/// Runs a worker: takes cells from the queue one by one.
fn run_worker(
    plan: &VerifyPlan<'_>,
    limits: &RunLimits,
    order: &[(usize, usize)],
    queue: &CellQueue,
    shown: &[SubmissionEvidence],
    loaded: &LoadedCases,
    sender: &mpsc::Sender<FinishedCell>,
) {
    // One cell can make it unnecessary to run the next, or to let it run beyond the limit.
    let is_sequential = |row: usize| {
        let bounds = plan.submissions[row].expected.times == Some(TimeBound::Upper);
        plan.stop_when_decided || bounds && !shown[row].is_slow.load(Ordering::Relaxed)
    };
    let place_of = |at: usize| CellPlace { submission: order[at].1, case: order[at].0 };
    while let Some(task) = queue.take_task(|at| order[at].1, is_sequential) {
        let finished = match task {
            CellTask::Skip(at) => (at, skip_cell(plan, place_of(at)).map(|()| None)),
            CellTask::Run(at) => {
                let place = place_of(at);
                let made = fill_cell(plan, place, limits, loaded, &shown[place.submission]);
                let submission = &plan.submissions[place.submission];
                let is_decided = |filled: &FilledCell| is_decided(plan, submission, &filled.cell);
                queue.finish_cell(place.submission, made.as_ref().is_ok_and(|m| m.as_ref().is_some_and(is_decided)));
                (at, made)
            }
        };
        if finished.1.is_err() {
            queue.stop_queue();
        }
        if sender.send(finished).is_err() {
            break;
        }
    }
}

/// Returns true if this cell decides whether the expectation is met, and the plan stops submissions then.
fn is_decided(plan: &VerifyPlan<'_>, submission: &VerifiedSubmission, cell: &VerdictCell) -> bool {
    // Scores depend on all test cases.
    if !plan.stop_when_decided || plan.scale.is_some() {
        return false;
    }
    let expectation = &submission.expected.expectation;
    if cell.verdict == Verdict::Accepted || !submission.expected.rules.is_empty() {
        return false;
    }
    let is_refused = !expectation.permitted.contains(cell.verdict);
    expectation.subject == ExpectationScope::Whole || is_refused
}

/// Returns a cell: from the journal, or filled here and kept in the journal. Returns `None` if it is left out.
fn fill_cell(
    plan: &VerifyPlan<'_>,
    place: CellPlace,
    limits: &RunLimits,
    loaded: &LoadedCases,
    shown: &SubmissionEvidence,
) -> Result<Option<FilledCell>> {
    let judge = || {
        let (cell, remembered) = judge_cell(plan, place, limits, loaded, shown)?;
        Ok(FilledCell { cell, remembered })
    };
    match plan.cell_journal {
        Some(journal) => journal.fill_cell(place, judge),
        None => judge().map(Some),
    }
}

/// Notes that a cell is not needed, if this machine was to fill it.
fn skip_cell(plan: &VerifyPlan<'_>, place: CellPlace) -> Result<()> {
    plan.cell_journal.map_or(Ok(()), |journal| journal.keep_cell(place, None))
}

/// Returns a cell, from the cache or by running the submission, and whether it is from the cache.
fn judge_cell(
    plan: &VerifyPlan<'_>,
    CellPlace { submission: row, case }: CellPlace,
    limits: &RunLimits,
    loaded: &LoadedCases,
    shown: &SubmissionEvidence,
) -> Result<(VerdictCell, bool)> {
    let (submission, which) = (&plan.submissions[row], &plan.cases[case]);
    let Ok(program) = &submission.program else {
        return Err(Error::judge_error(format!("`{}` did not compile", submission.name)));
    };
    if let (Some(examiner), Some(sources)) = (&which.examiner, &submission.sources) {
        return judge_sources(plan, submission, examiner, sources);
    }
    let files = load_case_files(&plan.cases[case], case, plan.cell_cache, loaded)?;
    let beyond = limits_beyond_time_limit(submission, limits, plan.timing.time_limit_to_tle);
    let exact = limits_without_slack(submission, limits);
    let key = |limits| cell_key(plan.cell_cache, submission, which, &files, limits);
    let cached = |limits| plan.cell_cache.get_cell(&key(limits)?);
    let known = cached(&beyond).or_else(|| if exact == beyond { None } else { cached(&exact) });
    if let Some(cell) = known {
        shown.is_slow.fetch_or(exceeded_limit(&cell, &beyond), Ordering::Relaxed);
        return Ok((apply_time_limit(cell, limits), true));
    }
    // One test case is enough to show by how much it exceeds the limit.
    let limits_of_run = if shown.is_slow.load(Ordering::Relaxed) { &exact } else { &beyond };
    let request = JudgeRequest::new(&files.input, &files.answer, limits_of_run, &plan.cancel);
    let request = JudgeRequest { arguments: &which.arguments, files: files.run_files.as_ref(), ..request };
    let mut cell = VerdictCell::from_run_result(&which.judge.run_and_judge(program, &request)?);
    // On a busy machine, a program can seem idle: it is believed only after a second run.
    if cell.was_idle && !shown.is_idle.load(Ordering::Relaxed) {
        cell = VerdictCell::from_run_result(&which.judge.run_and_judge(program, &request)?);
        shown.is_idle.fetch_or(cell.was_idle, Ordering::Relaxed);
    }
    shown.is_slow.fetch_or(exceeded_limit(&cell, &beyond), Ordering::Relaxed);
    if let Some(key) = key(limits_of_run) {
        plan.cell_cache.store_cell(&key, &cell);
    }
    Ok((apply_time_limit(cell, limits), false))
}

/// Returns the cell of a static test case, and whether it is from the cache.
fn judge_sources(
    plan: &VerifyPlan<'_>,
    submission: &VerifiedSubmission,
    examiner: &JudgeProgram,
    sources: &SubmissionSources,
) -> Result<(VerdictCell, bool)> {
    let about = format!("{} {}", sources.language, sources.entry_point);
    let identities = submission.identity.as_ref().zip(examiner.cache_identity());
    let key = identities.map(|(submission, examiner)| {
        plan.cell_cache.digest_parts(&[b"static", submission.as_bytes(), about.as_bytes(), examiner.as_bytes()])
    });
    if let Some(cell) = key.as_ref().and_then(|key| plan.cell_cache.get_cell(key)) {
        return Ok((cell, true));
    }
    let cell = VerdictCell::from_run_result(&examine_submission(examiner, sources, &plan.cancel)?);
    if let Some(key) = key {
        plan.cell_cache.store_cell(&key, &cell);
    }
    Ok((cell, false))
}

/// Facts about a submission that one test case has shown, so that the others need not show them again.
#[derive(Default)]
struct SubmissionEvidence {
    /// It is idle until it is stopped.
    is_idle: AtomicBool,
    /// It exceeds the time limit by the required factor.
    is_slow: AtomicBool,
}

/// Returns true if a run was stopped by these limits.
fn exceeded_limit(cell: &VerdictCell, limits: &RunLimits) -> bool {
    cell.was_stopped && cell.cpu_time_us >= limits.cpu_time_limit_ms.saturating_mul(1000)
}

/// Returns the limits without slack for a submission that must be too slow. They apply once a test case has shown that
/// it exceeds the limit by the required factor.
fn limits_without_slack(submission: &VerifiedSubmission, limits: &RunLimits) -> RunLimits {
    let is_bounding = submission.expected.times == Some(TimeBound::Upper);
    RunLimits { cpu_time_slack_ms: if is_bounding { 0 } else { limits.cpu_time_slack_ms }, ..limits.clone() }
}

/// Returns the limits that let a submission that must be too slow run beyond the time limit, to see how far it exceeds
/// it.
fn limits_beyond_time_limit(submission: &VerifiedSubmission, limits: &RunLimits, factor: f64) -> RunLimits {
    if submission.expected.times != Some(TimeBound::Upper) || factor.is_nan() || factor <= 1.0 {
        return limits.clone();
    }
    let beyond_ms = (limits.cpu_time_limit_ms as f64 * factor).ceil() as u64;
    // The time at which it is stopped counts, which includes the slack.
    let cpu_time_limit_ms = RunLimits::cpu_limit_for_stop_ms(beyond_ms).max(limits.cpu_time_limit_ms);
    RunLimits {
        // A program that computes needs little more elapsed time; one that sleeps should not sleep longer.
        wall_time_limit_ms: limits.wall_time_limit_ms.max(cpu_time_limit_ms.saturating_add(1000)),
        memory_limit_bytes: limits.memory_limit_bytes,
        output_limit_bytes: limits.output_limit_bytes,
        ..RunLimits::with_cpu_time_ms(cpu_time_limit_ms)
    }
}

/// Applies the actual time limit to a cell: a run beyond it was too slow, regardless of its output.
fn apply_time_limit(cell: VerdictCell, limits: &RunLimits) -> VerdictCell {
    let is_over = cell.cpu_time_us > limits.cpu_time_limit_ms.saturating_mul(1000);
    if !is_over || matches!(cell.verdict, Verdict::TimeLimit | Verdict::JudgeError) {
        return cell;
    }
    VerdictCell { verdict: Verdict::TimeLimit, message: "used more processor time than its limit".to_owned(), ..cell }
}

/// Returns the cache key of a cell, or `None` if the submission or the judge has no identity.
fn cell_key(
    cache: &dyn CellCache,
    submission: &VerifiedSubmission,
    case: &VerifiedCase,
    files: &CaseFileContents,
    limits: &RunLimits,
) -> Option<String> {
    let limits = format!("{limits:?}");
    let judge = case.judge.cache_identity()?;
    let arguments = format!("{:?}", case.arguments);
    let parts = [submission.identity.as_ref()?, &files.digest, &judge, &arguments, &limits];
    Some(cache.digest_parts(&parts.map(|part| part.as_bytes())))
}

/// Returns the files of a test case. Those of earlier test cases are dropped, since they are not needed again.
fn load_case_files(
    case: &VerifiedCase,
    number: usize,
    cache: &dyn CellCache,
    loaded: &LoadedCases,
) -> Result<Arc<CaseFileContents>> {
    let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(files) = loaded.get(&number) {
        return Ok(Arc::clone(files));
    }
    let (input, answer) = (read_file(&case.input)?, read_file(&case.answer)?);
    let digest = cache.digest_parts(&[&input, &answer, digest_folder(case.files.as_deref())?.as_bytes()]);
    let files = Arc::new(CaseFileContents { input, answer, run_files: case.run_files()?, digest });
    loaded.retain(|other, _| *other > number);
    loaded.insert(number, Arc::clone(&files));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_stopped_by_its_own_limit_is_not_slower() {
        let limits = RunLimits::with_cpu_time_ms(2000);
        let cell = |cpu_time_us, was_stopped| VerdictCell {
            verdict: Verdict::TimeLimit,
            cpu_time_us,
            wall_time_us: 0,
            memory_peak_bytes: 0,
            message: String::new(),
            was_stopped,
            was_idle: false,
            is_close: false,
            given: rebut_packages::score::FeedbackScore::default(),
        };
        assert!(exceeded_limit(&cell(2_000_000, true), &limits));
        assert!(!exceeded_limit(&cell(2_000_000, false), &limits), "it ended by itself");
        assert!(!exceeded_limit(&cell(1_999_999, true), &limits), "the ordinary limit stopped it");
    }

    #[test]
    fn slow_submissions_run_beyond_the_time_limit() {
        let submission = |times| {
            let rejected = crate::verify::CompilerRejection { command: String::new(), text: String::new() };
            let expectation = rebut_packages::verdict::Expectation::ACCEPTED;
            let expected = crate::verify::SubmissionExpectation { expectation, rules: Vec::new(), times, score: None };
            let (name, identity, sources) = (String::new(), None, None);
            VerifiedSubmission { name, expected, program: Err(rejected), identity, sources }
        };
        let limits = RunLimits::with_cpu_time_ms(1000);
        let ends = |limits: RunLimits| (limits.cpu_time_limit_ms, limits.cpu_time_limit_ms + limits.cpu_time_slack_ms);
        for (times, factor, first, then) in [
            (Some(TimeBound::Upper), 1.5, (1200, 1500), (1000, 1000)),
            (Some(TimeBound::Upper), 2.0, (1600, 2000), (1000, 1000)),
            // The ordinary slack is more than that.
            (Some(TimeBound::Upper), 1.1, (1000, 1250), (1000, 1000)),
            (Some(TimeBound::Lower), 1.5, (1000, 1250), (1000, 1250)),
            (None, 1.5, (1000, 1250), (1000, 1250)),
        ] {
            let submission = submission(times);
            assert_eq!(ends(limits_beyond_time_limit(&submission, &limits, factor)), first, "{times:?} {factor}");
            assert_eq!(ends(limits_without_slack(&submission, &limits)), then, "{times:?} {factor}");
        }
    }
}
