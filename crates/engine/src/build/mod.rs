//! Builds the test set of a recipe: generates the inputs, validates them, computes the answers, and checks that every
//! accepted submission agrees.
//!
//! The key of a test is a digest of its recipe entry, its format and its programs. If the lock file has the key and the
//! file is unmodified, the test is reused. The result depends only on the recipe, the package and the seed, so the
//! number of workers changes no byte.

mod answer_filter;
mod built_piece;
mod candidate_inputs;
mod drawn_inputs;
mod piece_blocks;
mod test_answers;
mod test_inputs;
mod test_job;

use super::inputs::InputValidator;
use super::judging::JudgeSetup;
use super::parallel::run_in_parallel;
use crate::event::{
    BuildFlaw, BuildProgress, BuildStage, BuildSummary, BuiltTest, CandidateSelection, Event, EventSink, GoalReached,
};
use crate::inputs::AnswerValidator;
pub use built_piece::BuiltPiece;
pub use candidate_inputs::{InputProperty, SelectCandidates, TestCandidate};
pub use piece_blocks::PieceBlocks;
use rebut_diagnostics::{Result, to_millis};
use rebut_format::coverage::Coverage;
use rebut_format::language::Format;
use rebut_packages::{TestSet, TestSetChanges, TestSetFile, digest_parts, sha256_hex};
use std::collections::BTreeMap;
use std::time::Instant;
use test_answers::AnsweredInput;
use test_inputs::TestInput;
pub use test_job::{AcceptedSubmission, DrawSettings, InputFinder, InputMethod, StatedAnswer, TestJob};

/// Finds the inputs of a job on which the submissions that must be too slow do the most work, one for each pattern.
pub type FindSlowInputs<'a> = dyn Fn(&TestJob) -> Result<Vec<Vec<u8>>> + Sync + 'a;

/// The inputs to building a test set.
pub struct BuildPlan<'a> {
    /// The test jobs, in the order of the test set.
    pub test_jobs: Vec<TestJob>,
    /// The test set on disk.
    pub set: &'a TestSet,
    /// Format of the problem, if it has one.
    pub format: Option<&'a Format>,
    /// The reference, the judge and the limits.
    pub judge_setup: JudgeSetup,
    /// Digest of the source of the reference.
    pub reference_key: String,
    /// Validators that the format names; they count as part of it.
    pub own_validators: Vec<InputValidator>,
    /// The other validators of the package, which must agree with the format.
    pub validators: Vec<InputValidator>,
    /// Validators of answers.
    pub answer_validators: Vec<AnswerValidator>,
    /// Submissions that must be accepted on every test.
    pub accepted: Vec<AcceptedSubmission>,
    /// Files in addition to the tests: settings of test groups.
    pub extra_files: Vec<TestSetFile>,
    /// Selects tests among candidates, if the recipe has any.
    pub select: Option<&'a SelectCandidates<'a>>,
    /// Finds slow inputs, if the recipe asks for them.
    pub find_slow: Option<&'a FindSlowInputs<'a>>,
    /// The results of the pieces of the work, if other machines made them.
    pub pieces: Option<&'a [BuiltPiece]>,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// Whether to rebuild everything, ignoring the lock file.
    pub rebuild_all: bool,
}

/// A test set that was built but not written yet.
pub struct BuiltTestSet {
    /// The files.
    pub files: Vec<TestSetFile>,
    /// The flaws, by index of the recipe entry.
    pub flaws: Vec<BuildFlaw>,
    /// How it differs from the files on disk.
    pub changes: TestSetChanges,
    tests: Vec<BuiltTest>,
    goals: Vec<GoalReached>,
    selection: Option<CandidateSelection>,
}

/// Builds a test set. Flaws and warnings are emitted as events.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the user interrupted.
pub fn build_test_set(plan: &BuildPlan<'_>, sink: &mut dyn EventSink) -> Result<BuiltTestSet> {
    let began = Instant::now();
    let emit_progress = |stage: BuildStage, done: usize, of: usize, sink: &mut dyn EventSink| {
        let elapsed_ms = to_millis(began.elapsed());
        sink.take_event(&Event::Building(BuildProgress { stage, done, of, elapsed_ms }));
    };
    let known = test_inputs::find_known_selection(plan).filter(|_| plan.pieces.is_none());
    let on_input = |done: usize, of: usize, sink: &mut dyn EventSink| emit_progress(BuildStage::Inputs, done, of, sink);
    let (mut inputs, mut flaws) = test_inputs::make_inputs(plan, known.as_ref(), &on_input, sink)?;
    let count = inputs.len();
    let on_progress = &mut |done| emit_progress(BuildStage::Answers, done, count, sink);
    let select = plan.select.filter(|_| known.is_none());
    let is_candidate = |input: &TestInput| select.is_some() && plan.test_jobs[input.order].is_candidate;
    let judge = |i: usize| test_answers::judge_and_answer(plan, &inputs[i], !is_candidate(&inputs[i]));
    let mut answered = match plan.pieces {
        Some(pieces) => piece_blocks::recall_answers(plan, pieces, &inputs)?,
        None => run_in_parallel(plan.jobs, count, judge, on_progress)?,
    };
    flaws.extend(answered.iter().flat_map(|answered| answered.flaws.clone()));
    let mut selection = None;
    if let Some(select) = select.filter(|_| flaws.is_empty()) {
        selection = Some(candidate_inputs::select_candidates(plan, select, &mut inputs, &mut answered, sink)?);
        let selected: Vec<usize> = (0..inputs.len()).filter(|number| is_candidate(&inputs[*number])).collect();
        let check = |at: usize| test_answers::check_selected(plan, &inputs[selected[at]], &answered[selected[at]]);
        flaws.extend(run_in_parallel(plan.jobs, selected.len(), check, &mut |_| ())?.into_iter().flatten());
    }
    flaws.sort_by_key(|flaw| flaw.order);
    for flaw in &flaws {
        sink.take_event(&Event::Flaw(flaw.clone()));
    }
    warn_of_duplicates(plan, &inputs, sink);
    let mut files = test_files(plan, &inputs, &answered);
    files.extend_from_slice(&plan.extra_files);
    let changes = plan.set.compare_files(&files);
    let goals = reached_goals(plan.format, &answered);
    Ok(BuiltTestSet { files, flaws, changes, tests: describe_tests(&inputs, &answered), goals, selection })
}

impl BuiltTestSet {
    /// Returns the event that reports the test set.
    pub fn to_event(&self, written: bool) -> BuildSummary {
        BuildSummary {
            tests: self.tests.clone(),
            goals: self.goals.clone(),
            selection: self.selection.clone(),
            changes: self.changes.clone(),
            flaws: self.flaws.len(),
            written,
        }
    }
}

/// Returns the files with the input and the answer of each test.
fn test_files(plan: &BuildPlan<'_>, inputs: &[TestInput], answered: &[AnsweredInput]) -> Vec<TestSetFile> {
    let mut files = Vec::new();
    for (input, answered) in inputs.iter().zip(answered) {
        let wanted = |extension: &str, key: &str, bytes: &[u8]| TestSetFile {
            path: format!("{}.{extension}", input.name),
            key: key.to_owned(),
            bytes: bytes.to_vec(),
        };
        files.push(wanted("in", &input.key, &input.bytes));
        if let Some(answer) = &answered.answer {
            files.push(wanted("ans", &answer_key(plan, input), answer));
        }
    }
    files
}

/// Returns the key of an answer: a digest of the input, the reference and the stated answer.
fn answer_key(plan: &BuildPlan<'_>, input: &TestInput) -> String {
    let stated = plan.test_jobs[input.order].answer.as_ref().map_or(&[][..], |stated| &stated.bytes);
    // If the reference does not print the answer, the judge program determines it, too.
    let judge_identity =
        plan.judge_setup.judge.needs_no_answer().then(|| plan.judge_setup.judge.cache_identity()).flatten();
    let kind = judge_identity.map_or_else(|| "answer 1".to_owned(), |identity| format!("answer 2 {identity}"));
    digest_parts(&[kind.as_bytes(), sha256_hex(&input.bytes).as_bytes(), plan.reference_key.as_bytes(), stated])
}

fn describe_tests(inputs: &[TestInput], answered: &[AnsweredInput]) -> Vec<BuiltTest> {
    let tests = inputs.iter().zip(answered).map(|(input, answered)| BuiltTest {
        name: input.name.clone(),
        shape: input.shape.clone(),
        cases: answered.cases,
        bytes: input.bytes.len(),
        kept: input.is_reused && answered.is_reused,
    });
    tests.collect()
}

fn reached_goals(format: Option<&Format>, answered: &[AnsweredInput]) -> Vec<GoalReached> {
    let Some(format) = format else { return Vec::new() };
    let mut coverage = Coverage::new(format);
    answered.iter().filter_map(|answered| answered.value.as_ref()).for_each(|value| coverage.count_input(value));
    coverage.goals().map(GoalReached::from_goal).collect()
}

/// Warns about equal inputs and generators that ignore their seed. These are not errors, but rarely intended.
fn warn_of_duplicates(plan: &BuildPlan<'_>, inputs: &[TestInput], sink: &mut dyn EventSink) {
    let mut same: BTreeMap<&[u8], Vec<&TestInput>> = BTreeMap::new();
    for input in inputs.iter().filter(|input| !matches!(plan.test_jobs[input.order].method, InputMethod::Copy(_))) {
        same.entry(&input.bytes).or_default().push(input);
    }
    let mut duplicates: Vec<Vec<&TestInput>> = same.into_values().filter(|alike| alike.len() > 1).collect();
    duplicates.sort_by_key(|alike| alike[0].order);
    for alike in duplicates {
        let others: Vec<String> = alike[1..].iter().map(|input| format!("`{}`", input.name)).collect();
        let message = format!("`{}` and {} are the same input", alike[0].name, others.join(", "));
        sink.warn_with_help(message, "if this is intended, use `copy`");
    }
    for (order, _) in plan.test_jobs.iter().enumerate() {
        let Some(name) = inputs.iter().find(|i| i.order == order && i.ignores_seed).map(|i| &i.name) else { continue };
        let message = format!("the generator of `{name}` ignores its seed: another one makes the same input");
        sink.warn_with_help(message, "if this is intended, remove `{seed}` from its arguments");
    }
}
