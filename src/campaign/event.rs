//! The events that a campaign emits while it runs.
//!
//! Every report is a fold over these events, so the terminal, JSON, JUnit and GitHub reports cannot disagree. They are
//! serialized as they are: changing a name or a meaning here changes the JSON contract and increments
//! [`EVENT_VERSION`].

use super::build::BuildFlaw;
use super::conclusion::SearchConclusion;
use super::judge_setup::RunResult;
use super::minimize::failure_message;
use super::verify::{SubmissionAssessment, VerifiedCase, VerifiedSubmission};
use rebut_packages::score::SubmissionScore;
use rebut_packages::verdict::{Expectation, Verdict};
use rebut_packages::{Certificate, ProofKind, TestSetChanges};
use rebut_sandbox::ConversationLength;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Version of the JSON contract.
pub const EVENT_VERSION: u32 = 1;

/// Something that happened during a campaign.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A step began that no other event announces.
    Activity(ActivityEvent),
    /// A program is ready to run.
    Compiled(ProgramCompiled),
    /// A search started.
    Started(SearchStarted),
    /// Progress of a search; about ten times per second.
    Progress(SearchProgress),
    /// A submission failed for the first time; the input has not been shrunk yet.
    Failed(SubmissionFailed),
    /// Progress of shrinking.
    Shrinking(ShrinkProgress),
    /// A counterexample or a judge error was found, shrunk and saved.
    Found(Box<Finding>),
    /// A file was checked against a format and its validators.
    Validated(FileValidated),
    /// Statistics of a sample of inputs.
    Profile(InputProfile),
    /// An input of a format was enumerated.
    Input(EnumeratedInput),
    /// The inputs of a format were listed or counted.
    Enumerated(EnumerationSummary),
    /// A validator or checker gave a wrong opinion.
    Exposed(ValidatorExposure),
    /// Progress of building a test set.
    Building(BuildProgress),
    /// A test of a test set has a flaw.
    Flaw(BuildFlaw),
    /// A test set was built, or compared with the existing files.
    Built(BuildSummary),
    /// Verification of a package started.
    Verifying(VerificationStarted),
    /// The result of a submission on a test case, from a run or from the cache.
    Judged(CellJudged),
    /// Whether a submission meets its expectation.
    Assessed(SubmissionAssessed),
    /// Verification was interrupted before all results were known.
    Unfinished(UnfinishedTable),
    /// How the time limit compares with the measured times.
    TimeLimit(TimeLimitAdvice),
    /// The validators and checkers of a package were probed.
    Probed(ProbeSummary),
    /// Something that can change a verdict or lose a finding.
    Warning(WarningEvent),
    /// The end of the campaign; always the last event.
    Summary(CampaignSummary),
}

/// How much of a verdict table was filled when verification was interrupted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnfinishedTable {
    /// Number of known results.
    pub known: usize,
    /// Number of results in the complete table.
    pub of: usize,
    /// Time since verification started, in milliseconds.
    pub elapsed_ms: u64,
}

/// A step of a campaign, with its progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ActivityEvent {
    /// A verb, such as `Shrinking`.
    pub verb: &'static str,
    /// The program, package or file that it is about.
    pub subject: String,
    /// Number of items done.
    pub done: u64,
    /// Total number of items, if known.
    pub of: Option<u64>,
    /// Plural noun for the items; empty if nothing is counted.
    pub noun: &'static str,
}

impl ActivityEvent {
    /// Returns an activity without a count.
    pub fn new(verb: &'static str, subject: impl Into<String>) -> ActivityEvent {
        ActivityEvent { verb, subject: subject.into(), ..ActivityEvent::default() }
    }
}

/// Statistics of a sample of inputs: the distribution of answers, and the coverage goals reached.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputProfile {
    /// Seed of the inputs.
    pub seed: u64,
    /// Number of generated inputs.
    pub inputs: u64,
    /// Number of inputs on which the reference was too slow or failed.
    pub unanswered: u64,
    /// Number of different answers; 0 without a reference.
    pub different: u64,
    /// Entropy of the answers in bits; 0 if all are equal.
    pub entropy_bits: f64,
    /// The most frequent answers. A submission that always prints one of them passes that number of inputs.
    pub most_common: Vec<AnswerCount>,
    /// Statistics for each shape.
    pub shapes: Vec<ShapeProfile>,
    /// Coverage goals, with the number of inputs that reach each.
    pub goals: Vec<GoalReached>,
}

/// An answer and its frequency.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswerCount {
    /// The answer, shortened.
    pub answer: String,
    /// Number of inputs with this answer.
    pub inputs: u64,
}

/// Statistics of the answers to inputs of one shape.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShapeProfile {
    /// Name of the shape.
    pub name: String,
    /// Number of answers.
    pub answers: u64,
    /// Number of different answers.
    pub different: u64,
    /// Entropy of the answers in bits.
    pub entropy_bits: f64,
    /// The most frequent answer.
    pub most_common: Option<AnswerCount>,
}

/// A coverage goal of inputs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GoalReached {
    /// `bound`, `near-miss`, `form` or `structure`.
    pub kind: String,
    /// The field or constraint that it is about.
    pub of: String,
    /// Description of the goal.
    pub what: String,
    /// Number of inputs that reach it.
    pub inputs: u64,
}

/// The role of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProgramRole {
    /// A submission under test.
    Submission,
    /// A reference: its outputs are the answers.
    Reference,
    /// A validator of inputs.
    Validator,
    /// A generator of inputs.
    Generator,
    /// A checker of outputs, or an interactor.
    Checker,
    /// A grader, which combines the results of the test cases and groups in a group.
    Grader,
}

/// A program is ready to run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProgramCompiled {
    /// Name shown to the user.
    pub name: String,
    /// Its role.
    pub role: ProgramRole,
    /// Programming language, or `command`.
    pub language: String,
    /// Command line of the compiler; empty if nothing was compiled.
    pub command: String,
    /// Duration of the compilation in milliseconds.
    pub wall_time_ms: u64,
    /// Whether it was in the build cache.
    pub cached: bool,
}

/// A search started.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SearchStarted {
    /// Names of the submissions under test.
    pub submissions: Vec<String>,
    /// Name of the reference.
    pub reference: String,
    /// Source of inputs: the name of the format or of the generator.
    pub inputs: String,
    /// Name of the checker.
    pub checker: String,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// Engine that runs the programs.
    pub engine: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// Time limit of the search in milliseconds, or none for no limit.
    pub time_budget_ms: Option<u64>,
    /// Maximum number of inputs, or none for no limit.
    pub case_budget: Option<u64>,
}

/// Progress of a search.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SearchProgress {
    /// Time since the search started, in milliseconds.
    pub elapsed_ms: u64,
    /// Number of inputs tried.
    pub cases: u64,
    /// Number of test cases in them, which is larger than `cases` if the format packs several cases into an input.
    pub test_cases: u64,
    /// Number of runs of submissions by verdict code.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Number of inputs by shape.
    pub shapes: BTreeMap<String, u64>,
    /// Number of test cases by answer, if there are only a few different short answers.
    pub answers: BTreeMap<String, u64>,
    /// Number of inputs skipped because the reference is too slow on them.
    pub skipped: u64,
    /// Number of inputs that the validators refused.
    pub refused: u64,
    /// How the workers spend their time.
    pub shares: TimeShares,
    /// Processor time of all programs run by the search, in microseconds: submissions, reference, generators and
    /// validators.
    pub programs_cpu_time_us: u64,
}

/// Shares of the time of the workers, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeShares {
    /// Generating and validating inputs.
    pub generate: u8,
    /// Running submissions.
    pub submission: u8,
    /// Running the reference.
    pub reference: u8,
    /// Comparing outputs.
    pub check: u8,
}

/// The first failure of a submission.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SubmissionFailed {
    /// Name of the submission, or of the reference if that failed.
    pub submission: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Number of the input, from 1.
    pub case: u64,
    /// Shape of the input.
    pub shape: String,
    /// Time of the failure, in milliseconds since the search started.
    pub elapsed_ms: u64,
}

/// Progress of shrinking.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShrinkProgress {
    /// Name of the submission.
    pub submission: String,
    /// Size of the input at the start, see [`Finding::size_before`].
    pub size_before: usize,
    /// Size of the smallest failing input so far.
    pub size: usize,
    /// Number of candidates tried.
    pub tried: usize,
}

/// What one pass of shrinking did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShrinkPassSummary {
    /// Name of the pass: a verb and its object.
    pub name: String,
    /// Number of times that the pass was begun.
    pub calls: usize,
    /// Number of its candidates that were run.
    pub tried: usize,
    /// Number of its candidates that failed as well and were kept.
    pub accepted: usize,
    /// Duration of the pass in milliseconds, with the runs that were made during it.
    pub time_ms: u64,
}

/// A counterexample or judge error, with everything known about it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// Name of the submission that fails, or of the reference for a judge error.
    pub submission: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The message of the checker, how the process ended, or the cause of the judge error.
    pub message: String,
    /// Number of test cases in the input, if each of them passes alone: state leaks from one case to the next.
    pub leaking_cases: Option<usize>,
    /// Hints about the likely cause.
    pub hints: Vec<String>,
    /// Number of the input that failed first, from 1. Inputs given as a file have none.
    pub case: Option<u64>,
    /// Name of the test case, if the input is a test case of a package.
    pub test_case: Option<String>,
    /// Shape of the input that failed first.
    pub shape: Option<String>,
    /// Time of the first failure, in milliseconds since the search started.
    pub elapsed_ms: u64,
    /// Seed of the search.
    pub seed: Option<u64>,
    /// The shrunk input.
    #[serde(serialize_with = "serialize_as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub input: Vec<u8>,
    /// The input that failed first.
    #[serde(skip)]
    pub original: Vec<u8>,
    /// The answer to `input`.
    #[serde(serialize_with = "serialize_as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub answer: Vec<u8>,
    /// The output for `input`.
    #[serde(serialize_with = "serialize_as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub output: Vec<u8>,
    /// The end of the standard error output of the program.
    #[serde(serialize_with = "serialize_as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub stderr: Vec<u8>,
    /// Line of the output at which it differs from the answer, from 1.
    pub line: Option<usize>,
    /// Name of the checker.
    pub checker: String,
    /// How the output was judged, which determines how it is shown.
    pub judged_by: JudgeKind,
    /// Size of the input before shrinking: elements of the value tree, or bytes without a format.
    pub size_before: usize,
    /// Size after shrinking.
    pub size_after: usize,
    /// Unit of the sizes: `elements` or `bytes`.
    pub size_unit: &'static str,
    /// Number of times that a smaller failing input was found.
    pub shrink_steps: usize,
    /// Number of candidates that were run.
    pub shrink_tried: usize,
    /// Duration of shrinking in milliseconds.
    pub shrink_time_ms: u64,
    /// What each pass of shrinking did. Empty if nothing was shrunk.
    pub shrink_passes: Vec<ShrinkPassSummary>,
    /// Whether shrinking finished; if not, a smaller failing input probably exists.
    pub shrink_complete: bool,
    /// Proof that no smaller input fails, as far as it was tried. In an interactive problem, only inputs with fewer
    /// elements are smaller.
    pub certificate: Option<Certificate>,
    /// A smaller input that a replay found to fail as well.
    pub smaller_input: Option<String>,
    /// The length of the conversation with an interactor.
    pub conversation: Option<FindingConversation>,
    /// Number of failed runs on the shrunk input and number of all runs, if some passed. If all passed, the failure is
    /// not confirmed: see [`Finding::is_confirmed`].
    pub flaky: Option<(u32, u32)>,
    /// Report of a sanitizer about a crash.
    pub sanitizer: Option<SanitizerFinding>,
    /// Processor time of the run on the shrunk input.
    pub cpu_time_ms: u64,
    /// Peak memory of that run in bytes.
    pub memory_peak_bytes: u64,
    /// Folder of the finding, if it was saved.
    pub folder: Option<PathBuf>,
    /// Command line that replays it.
    pub replay: Option<String>,
}

impl Finding {
    /// Returns a finding of which only the verdict is known.
    pub fn with_verdict(submission: &str, verdict: Verdict) -> Finding {
        Finding {
            submission: submission.to_owned(),
            verdict,
            message: String::new(),
            leaking_cases: None,
            hints: Vec::new(),
            case: None,
            test_case: None,
            shape: None,
            elapsed_ms: 0,
            seed: None,
            input: Vec::new(),
            original: Vec::new(),
            answer: Vec::new(),
            output: Vec::new(),
            stderr: Vec::new(),
            line: None,
            checker: String::new(),
            judged_by: JudgeKind::Comparison,
            size_before: 0,
            size_after: 0,
            size_unit: "elements",
            shrink_steps: 0,
            shrink_tried: 0,
            shrink_time_ms: 0,
            shrink_passes: Vec::new(),
            shrink_complete: true,
            certificate: None,
            smaller_input: None,
            conversation: None,
            flaky: None,
            sanitizer: None,
            cpu_time_ms: 0,
            memory_peak_bytes: 0,
            folder: None,
            replay: None,
        }
    }

    /// Returns true if the failure was reproduced when its input was run again.
    pub fn is_confirmed(&self) -> bool {
        self.flaky.is_none_or(|(failed, _)| failed > 0)
    }

    /// Returns the finding for a submission that the compiler rejects.
    pub fn compile_error(submission: &str, command: &str, text: &str) -> Finding {
        let message = format!("`{command}` failed");
        Finding {
            message,
            stderr: text.as_bytes().to_vec(),
            ..Finding::with_verdict(submission, Verdict::CompileError)
        }
    }

    /// Returns the finding for a failure on an input that is not shrunk.
    pub fn from_run_result(
        submission: &str,
        input: Vec<u8>,
        answer: Vec<u8>,
        run_result: RunResult,
        checker: String,
    ) -> Finding {
        let size = input.len();
        Finding {
            conversation: run_result.conversation.map(FindingConversation::from_run),
            message: failure_message(&run_result),
            hints: run_result.mismatch.as_ref().map_or(Vec::new(), |m| m.hints.clone()),
            line: run_result.mismatch.as_ref().and_then(|m| m.line),
            original: input.clone(),
            input,
            answer,
            output: run_result.outcome.output,
            stderr: run_result.outcome.stderr,
            checker,
            size_before: size,
            size_after: size,
            size_unit: "bytes",
            cpu_time_ms: run_result.outcome.cpu_time_us / 1000,
            memory_peak_bytes: run_result.outcome.memory_peak_bytes,
            ..Finding::with_verdict(submission, run_result.verdict)
        }
    }
}

/// The length of the conversation of a finding, and how it compares with other inputs of this size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingConversation {
    /// Number of messages: lines that either program wrote.
    pub messages: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// Number of messages of the shortest of the runs that confirmed it; less than `messages` if it changes from run to
    /// run.
    pub fewest_messages: u64,
    /// Number of valid inputs with as many elements that were run, to find a failing one with a shorter conversation.
    pub inputs_of_this_size: u64,
    /// Whether these are all valid inputs with as many elements, so that none has a shorter conversation.
    pub shortest_of_this_size: bool,
}

impl FindingConversation {
    /// Returns the length in one run, compared with no other input.
    pub(super) fn from_run(length: ConversationLength) -> FindingConversation {
        let ConversationLength { messages, bytes } = length;
        FindingConversation { messages, bytes, fewest_messages: messages, ..FindingConversation::default() }
    }
}

/// How outputs are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JudgeKind {
    /// Comparison with the answer.
    #[default]
    Comparison,
    /// A judge program, which can accept outputs that differ from the answer.
    Program,
    /// A conversation with an interactor; the output is the transcript.
    Conversation,
}

/// Report of a sanitizer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SanitizerFinding {
    /// Kind of error: `heap-buffer-overflow`, `signed integer overflow`, ...
    pub kind: String,
    /// Message of the sanitizer.
    pub message: String,
    /// Source file and line, from 1.
    pub place: Option<(String, u32)>,
    /// Function in which it happened.
    pub function: Option<String>,
    /// Text of the source line.
    pub source_line: Option<String>,
}

/// The result of checking a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileValidated {
    /// Path of the file.
    pub file: PathBuf,
    /// Whether it is a valid input.
    pub valid: bool,
    /// Diagnostic with the position, if it is invalid.
    pub message: Option<String>,
}

/// An enumerated input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EnumeratedInput {
    /// Position in the order of enumeration, from 1.
    pub number: u64,
    /// Number of numbers and characters.
    pub elements: usize,
    /// The input.
    #[serde(serialize_with = "serialize_as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub text: Vec<u8>,
}

/// The number of inputs of a format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EnumerationSummary {
    /// Number of inputs listed or counted. An overflow is reported as none.
    pub inputs: Option<u128>,
    /// Maximum number of numbers and characters in an input, if limited by an option.
    #[serde(rename = "most_elements")]
    pub max_elements: Option<usize>,
    /// Whether these are all inputs.
    pub complete: bool,
    /// Whether they were only counted, not listed.
    pub counted: bool,
}

/// A wrong opinion of a validator or checker.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValidatorExposure {
    /// Name of the validator or checker.
    pub validator: String,
    /// Name of the input or output.
    pub name: String,
    /// Description of the mistake in the input or output, or why a valid one was refused.
    pub what: String,
    /// How the program failed, if it did.
    pub failure: Option<String>,
    /// Whether it refused something valid, rather than accepting something invalid.
    pub is_refused: bool,
    /// Whether this is only leniency: white space, letter case, the spelling of numbers.
    pub is_lenient: bool,
    /// Names of other inputs with the same cause.
    pub others: Vec<String>,
}

impl ValidatorExposure {
    /// Returns the exposure of a validator that accepted an invalid input.
    pub fn new(validator: impl Into<String>, name: &str, what: impl Into<String>) -> ValidatorExposure {
        ValidatorExposure {
            validator: validator.into(),
            name: name.to_owned(),
            what: what.into(),
            failure: None,
            is_refused: false,
            is_lenient: false,
            others: Vec::new(),
        }
    }

    /// Returns the name of the input, with the number and the first names of others with the same cause.
    pub fn listed_names(&self) -> String {
        /// Maximum number of other names.
        const SHOWN: usize = 3;
        let mut text = format!("`{}`", self.name);
        if !self.others.is_empty() {
            let shown: Vec<String> = self.others.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            let more = if self.others.len() > SHOWN { ", ..." } else { "" };
            text.push_str(&format!(" and {} more ({}{more})", self.others.len(), shown.join(", ")));
        }
        text
    }
}

/// The result of probing the validators and checkers of a package.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProbeSummary {
    /// Number of inputs that the validators checked; 0 without validators.
    pub inputs: usize,
    /// Number of answers that the answer validators checked; 0 without answer validators.
    pub answers: usize,
    /// Number of outputs that the checker judged.
    pub outputs: usize,
    /// Number of wrong opinions; those with the same cause count once.
    pub exposed: usize,
    /// Number of opinions that are only lenient.
    pub lenient: usize,
}

/// A test set that was built. Paths are relative to `data/`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuildSummary {
    /// The tests in order.
    pub tests: Vec<BuiltTest>,
    /// Coverage goals, with the number of tests that reach each.
    pub goals: Vec<GoalReached>,
    /// How the files differ from the existing ones.
    #[serde(flatten)]
    pub changes: TestSetChanges,
    /// Number of flaws. A test set with flaws is not written.
    pub flaws: usize,
    /// Whether the test set was written.
    pub written: bool,
}

/// Progress of building a test set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuildProgress {
    /// The current stage.
    pub stage: BuildStage,
    /// Number of items done.
    pub done: usize,
    /// Total number of items.
    pub of: usize,
    /// Time since the build started, in milliseconds.
    pub elapsed_ms: u64,
}

/// A stage of building a test set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BuildStage {
    /// Generating inputs.
    Inputs,
    /// Computing answers, and checking inputs and answers with validators and accepted submissions.
    Answers,
}

/// A test of a test set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuiltTest {
    /// Path relative to `data/`, without extension.
    pub name: String,
    /// Shape or source of the input.
    pub shape: String,
    /// Number of cases in the input.
    pub cases: usize,
    /// Size of the input in bytes.
    pub bytes: usize,
    /// Whether an earlier build made it.
    pub kept: bool,
}

/// Verification of a package started: all its submissions are run on all its test cases.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerificationStarted {
    /// Short name of the problem.
    pub problem: String,
    /// Folder of the package.
    pub folder: PathBuf,
    /// Names of the submissions.
    pub submissions: Vec<String>,
    /// Names of the test cases.
    pub test_cases: Vec<String>,
    /// Time limit of the package in milliseconds of processor time, if it states one.
    pub cpu_time_limit_ms: Option<u64>,
    /// Whether submissions are scored.
    pub has_points: bool,
    /// Number of parallel jobs.
    pub jobs: usize,
}

/// The result of a submission on a test case.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CellJudged {
    /// Name of the submission.
    pub submission: String,
    /// Name of the test case.
    pub test_case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Processor time in milliseconds.
    pub cpu_time_ms: u64,
    /// Elapsed time in milliseconds.
    pub wall_time_ms: u64,
    /// Peak memory in bytes.
    pub memory_peak_bytes: u64,
    /// Why it was not accepted; empty for accepted runs.
    pub message: String,
    /// Whether the result is from the cache.
    pub remembered: bool,
    /// Time since verification started, in milliseconds.
    pub elapsed_ms: u64,
}

/// Whether a submission meets its expectation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SubmissionAssessed {
    /// Name of the submission.
    pub submission: String,
    /// The expectation.
    pub expected: Expectation,
    /// Overall verdict: that of the first test case that is not accepted, or that of the graders.
    pub verdict: Verdict,
    /// The score in total and for each group, if the package is scored.
    pub marks: Option<SubmissionScore>,
    /// Whether the expectation is met.
    pub met: bool,
    /// Why the expectation is not met.
    pub why: Option<String>,
    /// Number of test cases by verdict code.
    pub verdicts: BTreeMap<&'static str, usize>,
    /// Name of the first test case that is not accepted, and the message.
    pub first_rejection: Option<(String, String)>,
    /// Time on the slowest test case.
    pub slowest: Option<MeasuredTime>,
    /// Whether it was idle on the slowest test case until it was stopped.
    pub slowest_is_idle: bool,
    /// Peak memory on any test case in bytes.
    pub memory_peak_bytes: u64,
    /// Whether a verdict depends on a time close to the limit, so that it may differ on another machine.
    pub is_close: bool,
    /// Output of the compiler, if it rejected the source.
    pub compiler: Option<String>,
    /// Time limit used, in milliseconds of processor time.
    pub cpu_time_limit_ms: u64,
}

impl SubmissionAssessed {
    /// Returns the event for an assessment.
    pub fn from_assessment(
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
}

/// How the time limit compares with the measured times.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeLimitAdvice {
    /// Time limit used, in milliseconds of processor time.
    pub cpu_time_limit_ms: u64,
    /// Whether the package states the limit.
    pub is_stated: bool,
    /// The slowest submission that must stay within the limit.
    pub slowest: Option<MeasuredTime>,
    /// The fastest submission that must exceed the limit.
    pub fastest: Option<MeasuredTime>,
    /// Suggested changes, one sentence each.
    pub advice: Vec<String>,
    /// Time since verification started, in milliseconds.
    pub elapsed_ms: u64,
}

/// Time of a submission on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MeasuredTime {
    /// Name of the submission.
    pub submission: String,
    /// Name of the test case.
    pub test_case: String,
    /// Processor time in milliseconds.
    pub cpu_time_ms: u64,
    /// Whether it was stopped, so that it would have taken longer.
    pub was_stopped: bool,
}

/// A warning about something that can change a verdict or lose a finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WarningEvent {
    /// The message.
    pub message: String,
    /// How to resolve it.
    pub help: Option<String>,
}

/// The end of a campaign.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CampaignSummary {
    /// Why it ended.
    pub reason: EndReason,
    /// Final progress of the search, if there was one.
    pub progress: Option<SearchProgress>,
    /// Conclusion of the search; none if the command did not search, shrink or replay.
    pub result: Option<SearchConclusion>,
    /// Why the search is inconclusive, or which expectation is not met.
    pub result_reason: Option<String>,
    /// Number of findings.
    pub findings: usize,
    /// Number of failures that could not be reproduced; they are not findings.
    pub unconfirmed: usize,
    /// Submissions without a finding.
    pub survivors: Vec<String>,
    /// How far an exhaustive search got.
    pub reach: Option<ExhaustiveReach>,
    /// Maximum size of the inputs, if it is below that of the format.
    pub ceiling: Option<SizeCeiling>,
    /// Exit status of the process.
    pub exit_status: u8,
    /// Seed, to repeat the campaign.
    pub seed: Option<u64>,
}

/// Maximum size of the inputs of a search, compared with the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SizeCeiling {
    /// Approximate maximum number of numbers and characters.
    pub elements: usize,
    /// Maximum number that the ranges of the format allow.
    pub possible: i128,
    /// Whether the numbers apply to each case of an input.
    pub of_case: bool,
}

/// How far an exhaustive search got, starting with the smallest inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExhaustiveReach {
    /// How the inputs were run, which determines the strength of the proof.
    pub kind: ProofKind,
    /// Number of inputs tried. No input smaller than the last of them was left out.
    pub inputs: u64,
    /// Number of these, from the smallest on, that were run alone, in forks of a loaded process or in new processes.
    pub run_alone: u64,
    /// Number of these, from the smallest on, that were run alone in new processes.
    pub run_in_processes: u64,
    /// Whether every input was tried.
    pub complete: bool,
    /// Number of numbers and characters of the last input.
    pub elements: usize,
    /// Whether only inputs with a single case were tried although the format allows several.
    pub of_one_case: bool,
}

/// Why a campaign ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The work is finished, or every submission failed.
    #[default]
    Done,
    /// The time limit was reached.
    Time,
    /// The maximum number of inputs was reached.
    Cases,
    /// Every input was tried.
    Exhausted,
    /// The user interrupted.
    Interrupted,
    /// The reference, the checker or a validator failed.
    JudgeError,
}

/// Receives events, from one thread at a time.
pub trait EventSink {
    /// Receives an event.
    fn take_event(&mut self, event: &Event);
}

fn serialize_as_text<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    /// Maximum size in bytes of an input or output in an event; the finding folder has it in full.
    const MAX_TEXT_BYTES: usize = 1 << 16;
    serializer.serialize_str(&String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_TEXT_BYTES)]))
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use schemars::generate::SchemaSettings;

    /// Where the schema is published.
    const SCHEMA_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/events.schema.json");

    /// Returns the schema of a line of `--json`: the event with the version of the contract.
    fn event_schema() -> serde_json::Value {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let mut schema = generator.into_root_schema_for::<Event>().to_value();
        let root = schema.as_object_mut().expect("a schema is an object");
        root.insert("title".to_owned(), format!("An event of rebut, version {EVENT_VERSION}").into());
        root.insert("description".to_owned(), "A line of what `rebut --json` writes.".into());
        root.insert("type".to_owned(), "object".into());
        root.insert("properties".to_owned(), serde_json::json!({ "version": { "const": EVENT_VERSION } }));
        root.insert("required".to_owned(), serde_json::json!(["version", "event"]));
        schema
    }

    #[test]
    fn published_schema_is_that_of_the_types() {
        let text = serde_json::to_string_pretty(&event_schema()).expect("a schema is JSON") + "\n";
        if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
            std::fs::write(SCHEMA_PATH, &text).expect("docs/ can be written");
        }
        let published = std::fs::read_to_string(SCHEMA_PATH).unwrap_or_default();
        assert!(published == text, "docs/events.schema.json is stale: REBUT_UPDATE_GOLDEN=1 writes it anew");
    }
}
