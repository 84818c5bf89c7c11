//! What a campaign tells the world while it runs.
//!
//! Every report is a fold over these events, so the terminal, JSON and whatever comes later cannot disagree. They are
//! serialised as they are: a change of a name or a meaning here is a change of the JSON contract, and counts up
//! [`EVENT_VERSION`].

use super::bench::Trial;
use super::build::Flaw;
use super::conclusion::Conclusion;
use super::hunt::message;
use super::verify::{Assessment, Case, Contestant};
use crate::corpus::{Certificate, Changes, ProofKind};
use crate::score::Marks;
use crate::verdict::{Expectation, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The version of the JSON contract.
pub const EVENT_VERSION: u32 = 1;

/// One thing that happened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// What is done from now on, where no other event says so.
    Activity(Activity),
    /// A program is ready to run.
    Compiled(Compiled),
    /// A search begins.
    Started(Started),
    /// Where a search stands; about ten a second.
    Progress(Progress),
    /// A submission failed for the first time; the input is not shrunk yet.
    Failed(Failed),
    /// Where shrinking stands.
    Shrinking(Shrinking),
    /// A counterexample, or a failure of the jury's own side, shrunk and saved.
    Found(Box<Found>),
    /// A file was judged by a format and its validators.
    Validated(Validated),
    /// What a sample of inputs is worth.
    Profile(Profile),
    /// One of all inputs of a format.
    Input(Input),
    /// All inputs of a format were listed or counted.
    Enumerated(Enumerated),
    /// A validator did not refuse an invalid input.
    Exposed(Exposed),
    /// How far a test set is.
    Building(Building),
    /// Something is wrong with a test of a test set.
    Flaw(Flaw),
    /// A test set was built, or compared with what is there.
    Built(Built),
    /// All submissions of a package are about to be run on all its test cases.
    Verifying(Verifying),
    /// A submission was run on a test case, or what it does there is known.
    Judged(Judged),
    /// What became of the expectation of a submission.
    Assessed(Assessed),
    /// Verifying was interrupted: no more is known of the table.
    Unfinished(Unfinished),
    /// What the times say about the time limit.
    TimeLimit(TimeLimit),
    /// All validators and checkers of a package were tried.
    Probed(Probed),
    /// Something that can change a verdict or cost a finding.
    Warning(Warning),
    /// The end; always the last event.
    Summary(Summary),
}

/// A table that was not filled to its end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unfinished {
    /// How many runs are known.
    pub known: usize,
    /// How many there would have been.
    pub of: usize,
    /// How long that took.
    pub elapsed_ms: u64,
}

/// What is being done, and how much of it is done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Activity {
    /// In one word: `Shrinking`.
    pub verb: &'static str,
    /// The program, package or file.
    pub subject: String,
    /// How much is done.
    pub done: u64,
    /// How much there is to do; none if that is not known.
    pub of: Option<u64>,
    /// What is counted, in the plural; empty if nothing is.
    pub noun: &'static str,
}

impl Activity {
    /// Returns an activity of which nothing is counted.
    pub fn new(verb: &'static str, subject: impl Into<String>) -> Activity {
        Activity { verb, subject: subject.into(), ..Activity::default() }
    }
}

/// What a sample of inputs is worth: what the answers tell apart, and what the inputs reach.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Profile {
    /// The seed of the inputs.
    pub seed: u64,
    /// How many inputs were made.
    pub inputs: u64,
    /// How many of them the reference did not answer: too slow, or failed.
    pub unanswered: u64,
    /// How many different answers there were; 0 without a reference.
    pub different: u64,
    /// The entropy of the answers in bits: 0 if all are the same.
    pub entropy_bits: f64,
    /// The most frequent answers: a submission that always prints one passes so many inputs.
    pub most_common: Vec<AnswerCount>,
    /// The same by the shape that made the input.
    pub shapes: Vec<ShapeProfile>,
    /// What inputs can reach, and how many did.
    pub goals: Vec<Reached>,
}

/// An answer and how many inputs have it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswerCount {
    /// The beginning of the answer.
    pub answer: String,
    /// How many inputs have it.
    pub inputs: u64,
}

/// The answers to the inputs of one shape.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShapeProfile {
    /// The shape.
    pub name: String,
    /// How many answers there are.
    pub answers: u64,
    /// How many different ones.
    pub different: u64,
    /// Their entropy in bits.
    pub entropy_bits: f64,
    /// The most frequent one.
    pub most_common: Option<AnswerCount>,
}

/// Something that inputs can reach.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reached {
    /// `bound`, `near-miss` or `form`.
    pub kind: String,
    /// What it is about.
    pub of: String,
    /// What is reached.
    pub what: String,
    /// How many inputs reach it.
    pub inputs: u64,
}

/// What a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// It is tested.
    Submission,
    /// Its outputs are the answers.
    Reference,
    /// It judges inputs.
    Validator,
    /// It makes inputs.
    Generator,
    /// It judges outputs, or speaks with submissions.
    Checker,
    /// It makes the result of a group of those inside it.
    Grader,
}

/// A program is ready to run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compiled {
    /// Its name as the user knows it.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// The language, or `command`.
    pub language: String,
    /// The compiler's command line, empty where nothing was compiled.
    pub command: String,
    /// How long compiling took, in milliseconds.
    pub wall_time_ms: u64,
    /// Whether the build cache had it.
    pub cached: bool,
}

/// A search begins.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Started {
    /// The submissions under test.
    pub submissions: Vec<String>,
    /// The reference.
    pub reference: String,
    /// Where inputs come from: a format's name, or a generator's.
    pub inputs: String,
    /// The checker's name.
    pub checker: String,
    /// Workers.
    pub jobs: usize,
    /// How programs are run.
    pub engine: String,
    /// The seed of every random choice.
    pub seed: u64,
    /// How long the search may take, in milliseconds; none for no limit.
    pub time_budget_ms: Option<u64>,
    /// How many inputs it may try; none for no limit.
    pub case_budget: Option<u64>,
}

/// Where a search stands.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Progress {
    /// Time since the search began, in milliseconds.
    pub elapsed_ms: u64,
    /// Inputs tried.
    pub cases: u64,
    /// Test cases in them: more than inputs, where the format packs several cases into one.
    pub test_cases: u64,
    /// Runs of submissions by verdict code.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Inputs by the shape that made them.
    pub shapes: BTreeMap<String, u64>,
    /// Answers to test cases by their text, where they are few and short.
    pub answers: BTreeMap<String, u64>,
    /// Inputs that were skipped because the reference needs too long on them.
    pub skipped: u64,
    /// Inputs that the validators refused.
    pub refused: u64,
    /// The shares of the workers' time, in percent.
    pub shares: Shares,
    /// Processor time of all programs that were run in the search, in microseconds: submissions and the reference,
    /// generators and validators.
    pub programs_cpu_time_us: u64,
}

/// What the workers spend their time on, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Shares {
    /// Making inputs, and having validators judge them.
    pub generate: u8,
    /// Running submissions.
    pub submission: u8,
    /// Running the reference.
    pub reference: u8,
    /// Comparing outputs.
    pub check: u8,
}

/// A submission failed for the first time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failed {
    /// The submission; the reference, if it is the one that failed.
    pub submission: String,
    /// What it got.
    pub verdict: Verdict,
    /// The number of the input, from 1.
    pub case: u64,
    /// The shape that made it.
    pub shape: String,
    /// When, in milliseconds since the search began.
    pub elapsed_ms: u64,
}

/// Where shrinking stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Shrinking {
    /// Whose failure.
    pub submission: String,
    /// Size of the input at the start, see [`Found::size_before`].
    pub size_before: usize,
    /// Size of the smallest so far.
    pub size: usize,
    /// Candidates tried.
    pub tried: usize,
}

/// A counterexample with all that is known of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Found {
    /// The submission that fails; or the reference, for a judge error.
    pub submission: String,
    /// What it got.
    pub verdict: Verdict,
    /// In words: the checker's message, how the process ended, or what is wrong with the jury's side.
    pub message: String,
    /// How many test cases the input has, if each of them passes alone: something is left over from the case before.
    pub leaking_cases: Option<usize>,
    /// Harmless things worth saying.
    pub hints: Vec<String>,
    /// The number of the input that failed first, from 1; none for a file given by hand.
    pub case: Option<u64>,
    /// The test case of a package that it is.
    pub test_case: Option<String>,
    /// The shape that made it.
    pub shape: Option<String>,
    /// When it failed, in milliseconds since the search began.
    pub elapsed_ms: u64,
    /// The seed of the search.
    pub seed: Option<u64>,
    /// The smallest input that fails.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub input: Vec<u8>,
    /// The input that failed first.
    #[serde(skip)]
    pub original: Vec<u8>,
    /// The answer to `input`.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub answer: Vec<u8>,
    /// The output for `input`.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub output: Vec<u8>,
    /// The end of what the program wrote to its standard error.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub stderr: Vec<u8>,
    /// The line of the output at which it departs, from 1.
    pub line: Option<usize>,
    /// The checker's name.
    pub checker: String,
    /// Who judged the output, which decides how it can be shown.
    pub judged_by: JudgedBy,
    /// The size of the input before shrinking: elements of the value tree, or bytes where there is no format.
    pub size_before: usize,
    /// The size after it.
    pub size_after: usize,
    /// What sizes count: `elements` or `bytes`.
    pub size_unit: &'static str,
    /// How many times something smaller was found.
    pub shrink_steps: usize,
    /// How many candidates were run.
    pub shrink_tried: usize,
    /// How long shrinking took, in milliseconds.
    pub shrink_time_ms: u64,
    /// Whether shrinking came to its end; if not, a smaller input may well exist.
    pub shrink_complete: bool,
    /// How far it is proved that nothing smaller fails; none where that was not tried.
    pub certificate: Option<Certificate>,
    /// How many runs on the smallest input failed, and out of how many; none if every one did. If none did, it is no
    /// finding: see [`Found::is_confirmed`].
    pub flaky: Option<(u32, u32)>,
    /// What the sanitizers say of a crash: the kind, where, and the line of the source.
    pub sanitizer: Option<SanitizerNote>,
    /// Time and memory of the run on the smallest input.
    pub cpu_time_ms: u64,
    /// The most memory it held, in bytes.
    pub memory_peak_bytes: u64,
    /// The folder of the finding; none if it could not be written.
    pub folder: Option<PathBuf>,
    /// The command that replays it.
    pub replay: Option<String>,
}

impl Found {
    /// A failure of which only that much is known.
    pub fn blank(submission: &str, verdict: Verdict) -> Found {
        Found {
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
            judged_by: JudgedBy::Comparison,
            size_before: 0,
            size_after: 0,
            size_unit: "elements",
            shrink_steps: 0,
            shrink_tried: 0,
            shrink_time_ms: 0,
            shrink_complete: true,
            certificate: None,
            flaky: None,
            sanitizer: None,
            cpu_time_ms: 0,
            memory_peak_bytes: 0,
            folder: None,
            replay: None,
        }
    }

    /// Returns true if the failure showed again when its input was run again.
    pub fn is_confirmed(&self) -> bool {
        self.flaky.is_none_or(|(failed, _)| failed > 0)
    }

    /// A submission that does not compile: proved wrong by the compiler, in its own words.
    pub fn compile_error(submission: &str, command: &str, text: &str) -> Found {
        let message = format!("`{command}` failed");
        Found { message, stderr: text.as_bytes().to_vec(), ..Found::blank(submission, Verdict::CompileError) }
    }

    /// A failure on an input as it is.
    pub fn of_trial(submission: &str, input: Vec<u8>, answer: Vec<u8>, trial: Trial, checker: String) -> Found {
        let size = input.len();
        Found {
            message: message(&trial),
            hints: trial.mismatch.as_ref().map_or(Vec::new(), |m| m.hints.clone()),
            line: trial.mismatch.as_ref().and_then(|m| m.line),
            original: input.clone(),
            input,
            answer,
            output: trial.outcome.output,
            stderr: trial.outcome.stderr,
            checker,
            size_before: size,
            size_after: size,
            size_unit: "bytes",
            cpu_time_ms: trial.outcome.cpu_time_us / 1000,
            memory_peak_bytes: trial.outcome.memory_peak_bytes,
            ..Found::blank(submission, trial.verdict)
        }
    }
}

/// Who judged an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JudgedBy {
    /// It was compared with the answer.
    #[default]
    Comparison,
    /// A program of the jury was asked: it may differ from the answer and be right.
    Program,
    /// A program of the jury spoke with the submission: the output is what both said.
    Conversation,
}

/// What a sanitizer found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SanitizerNote {
    /// `heap-buffer-overflow`, `signed integer overflow`, ...
    pub kind: String,
    /// The sanitizer's own sentence.
    pub message: String,
    /// The source file and line, from 1.
    pub place: Option<(String, u32)>,
    /// The function.
    pub function: Option<String>,
    /// The text of the line.
    pub source_line: Option<String>,
}

/// A file was judged.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Validated {
    /// The file.
    pub file: PathBuf,
    /// Whether it is a valid input.
    pub valid: bool,
    /// The message, with its caret, if not.
    pub message: Option<String>,
}

/// One of all inputs of a format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Input {
    /// Its place in the order, from 1.
    pub number: u64,
    /// How many numbers and characters it has.
    pub elements: usize,
    /// The file.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub text: Vec<u8>,
}

/// How many inputs a format has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Enumerated {
    /// How many were listed or counted; none if there are more than any number here.
    pub inputs: Option<u128>,
    /// The most numbers and characters that one may have; none if that is for the format alone to say.
    pub most_elements: Option<usize>,
    /// Whether these are all of them.
    pub complete: bool,
    /// Whether they were only counted.
    pub counted: bool,
}

/// A validator did not refuse an invalid input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Exposed {
    /// The validator's name.
    pub validator: String,
    /// The name of the input.
    pub name: String,
    /// What is wrong with it.
    pub what: String,
    /// How the validator failed; none if it accepted the input.
    pub failure: Option<String>,
    /// Whether it refused what it has to accept, in place of accepting what it has to refuse.
    pub is_refused: bool,
    /// Whether that is a leniency and no mistake: white space, letter case, how numbers are spelt.
    pub is_lenient: bool,
    /// Names of further inputs with the same cause.
    pub others: Vec<String>,
}

impl Exposed {
    /// The name of the input; of several with the same cause how many there are, and the first of them.
    pub fn names(&self) -> String {
        /// Number of names that are shown beside the first.
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

/// All validators and checkers of a package were tried.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Probed {
    /// How many inputs the validators were asked about; 0 if there are none.
    pub inputs: usize,
    /// How many answers the answer validators were asked about; 0 if there are none.
    pub answers: usize,
    /// How many outputs the checker was asked about.
    pub outputs: usize,
    /// How many opinions were not as they should be; those with the same cause count once.
    pub exposed: usize,
    /// How many leniencies there are, which are no mistakes.
    pub lenient: usize,
}

/// A test set that was built. Paths are below `data/`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Built {
    /// Its tests in their order.
    pub tests: Vec<BuiltTest>,
    /// What inputs can reach, and how many of the tests did.
    pub goals: Vec<Reached>,
    /// How the files differ from what was there.
    #[serde(flatten)]
    pub changes: Changes,
    /// How many flaws it has; with any it is not written.
    pub flaws: usize,
    /// Whether it was written.
    pub written: bool,
}

/// How far a test set is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Building {
    /// What is being made.
    pub stage: Stage,
    /// How many are done.
    pub done: usize,
    /// Of how many.
    pub of: usize,
    /// Time since building began, in milliseconds.
    pub elapsed_ms: u64,
}

/// What is being made of a test set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Inputs.
    Inputs,
    /// Answers; and what everybody else thinks of inputs and answers.
    Answers,
}

/// A test of a test set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuiltTest {
    /// Its path below `data/`, without extension.
    pub name: String,
    /// What made the input.
    pub shape: String,
    /// How many cases it has.
    pub cases: usize,
    /// How large the input is.
    pub bytes: usize,
    /// Whether it was there already.
    pub kept: bool,
}

/// All submissions of a package are about to be run on all its test cases.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verifying {
    /// The problem's short name.
    pub problem: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The submissions.
    pub submissions: Vec<String>,
    /// The test cases.
    pub test_cases: Vec<String>,
    /// The time limit that the package states, in milliseconds of processor time.
    pub cpu_time_limit_ms: Option<u64>,
    /// Whether submissions get points.
    pub has_points: bool,
    /// Workers.
    pub jobs: usize,
}

/// A submission on a test case.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Judged {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub test_case: String,
    /// What it got.
    pub verdict: Verdict,
    /// Processor time.
    pub cpu_time_ms: u64,
    /// Time on the wall clock.
    pub wall_time_ms: u64,
    /// The most memory that it held.
    pub memory_peak_bytes: u64,
    /// Why it was not accepted; empty if it was.
    pub message: String,
    /// Whether it is known from an earlier run.
    pub remembered: bool,
    /// Time since verifying began, in milliseconds.
    pub elapsed_ms: u64,
}

/// What became of the expectation of a submission.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Assessed {
    /// The submission.
    pub submission: String,
    /// What was expected.
    pub expected: Expectation,
    /// The verdict on the whole: that of the first test case that is not accepted, or what graders make of all.
    pub verdict: Verdict,
    /// Its points, where there are any: in total, and for each group.
    pub marks: Option<Marks>,
    /// Whether it is as expected.
    pub met: bool,
    /// Why not.
    pub why: Option<String>,
    /// How many test cases got which verdict, by its code.
    pub verdicts: BTreeMap<&'static str, usize>,
    /// The first test case that is not accepted, and what was said there.
    pub first_rejection: Option<(String, String)>,
    /// The slowest test case.
    pub slowest: Option<Measured>,
    /// Whether it slept or waited there until it was stopped.
    pub slowest_is_idle: bool,
    /// The most memory that it held on any test case.
    pub memory_peak_bytes: u64,
    /// Whether a verdict hangs on a time so close to the limit that another machine may say otherwise.
    pub is_close: bool,
    /// What the compiler said, where it refused the source.
    pub compiler: Option<String>,
    /// The time limit it was judged by, in milliseconds of processor time.
    pub cpu_time_limit_ms: u64,
}

impl Assessed {
    /// The event of an assessment.
    pub fn of(contestant: &Contestant, assessment: &Assessment, cases: &[Case], cpu_time_limit_ms: u64) -> Assessed {
        let row = &assessment.row;
        let mut verdicts = BTreeMap::new();
        for (_, cell) in row.known() {
            *verdicts.entry(cell.verdict.code()).or_insert(0) += 1;
        }
        let at = |case: usize| cases[case].name.clone();
        let said = |case: usize| row.cells[case].as_ref().map(|cell| cell.message.clone()).unwrap_or_default();
        let slowest = row.slowest();
        Assessed {
            submission: contestant.name.clone(),
            expected: contestant.expected.expectation,
            verdict: assessment.verdict.unwrap_or(Verdict::Accepted),
            marks: assessment.marks.clone(),
            met: assessment.unmet.is_none(),
            why: assessment.unmet.clone(),
            verdicts,
            first_rejection: assessment.first_rejection.map(|case| (at(case), said(case))),
            slowest: slowest.map(|(case, cell)| Measured {
                submission: contestant.name.clone(),
                test_case: at(case),
                cpu_time_ms: cell.cpu_time_us.div_ceil(1000),
                was_stopped: cell.was_stopped,
            }),
            slowest_is_idle: slowest.is_some_and(|(_, cell)| cell.was_idle),
            memory_peak_bytes: row.known().map(|(_, cell)| cell.memory_peak_bytes).max().unwrap_or(0),
            is_close: row.known().any(|(_, cell)| cell.is_close),
            compiler: contestant.program.as_ref().err().map(|rejected| rejected.text.clone()),
            cpu_time_limit_ms,
        }
    }
}

/// What the times say about the time limit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeLimit {
    /// The limit that was judged by, in milliseconds of processor time.
    pub cpu_time_limit_ms: u64,
    /// Whether the package states it.
    pub is_stated: bool,
    /// The slowest submission that must be in time.
    pub slowest: Option<Measured>,
    /// The fastest that must be too slow.
    pub fastest: Option<Measured>,
    /// What should be changed: a sentence each.
    pub advice: Vec<String>,
    /// Time since verifying began, in milliseconds.
    pub elapsed_ms: u64,
}

/// The time of a submission on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Measured {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub test_case: String,
    /// Processor time.
    pub cpu_time_ms: u64,
    /// Whether it was stopped then, and would have taken longer.
    pub was_stopped: bool,
}

/// Something that can change a verdict or cost a finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Warning {
    /// One sentence.
    pub message: String,
    /// What can be done about it.
    pub help: Option<String>,
}

/// The end of a campaign.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    /// Why it ended.
    pub reason: Reason,
    /// The last state of the search, where there was one.
    pub progress: Option<Progress>,
    /// What it shows; none where nothing was searched, shrunk or replayed.
    pub result: Option<Conclusion>,
    /// Why it shows too little, or which expectation is not met.
    pub result_reason: Option<String>,
    /// How many findings there are.
    pub findings: usize,
    /// How many failures did not show again: they are no findings.
    pub unconfirmed: usize,
    /// Submissions for which none was found.
    pub survivors: Vec<String>,
    /// What they pass, where every input was to be tried.
    pub reach: Option<Reach>,
    /// How large their inputs could become, where that is not as large as the format allows.
    pub ceiling: Option<Ceiling>,
    /// The exit status that the process will have.
    pub exit_status: u8,
    /// The seed, to run the same again.
    pub seed: Option<u64>,
}

/// How large the inputs of a search can become, beside those that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ceiling {
    /// About so many numbers and characters.
    pub elements: usize,
    /// So many there can be, as far as the ranges of the format tell.
    pub possible: i128,
    /// Whether that is said of each case.
    pub of_case: bool,
}

/// How far a search through every input came, the smallest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reach {
    /// How the `inputs` were run, which is what the statement rests on.
    pub kind: ProofKind,
    /// Number of inputs that were tried: none that is smaller than the last of them was left out.
    pub inputs: u64,
    /// How many of these, from the smallest on, were run alone, in copies of a loaded process or in new ones.
    pub run_alone: u64,
    /// How many of these, from the smallest on, were run alone in new processes.
    pub run_in_processes: u64,
    /// Whether the `inputs` are all that there are.
    pub complete: bool,
    /// Numbers and characters of the last.
    pub elements: usize,
    /// Whether only inputs of one case each were tried, though there are inputs of several.
    pub of_one_case: bool,
}

/// Why a campaign ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// All is done: every submission failed, or the one job is finished.
    #[default]
    Done,
    /// The time is over.
    Time,
    /// The number of inputs is reached.
    Cases,
    /// Every input that there is was tried.
    Exhausted,
    /// The user asked to stop.
    Interrupted,
    /// The jury's side failed.
    JudgeError,
}

/// Receives events, from one thread at a time.
pub trait Sink {
    /// Takes an event.
    fn take(&mut self, event: &Event);
}

fn as_text<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    /// So much of an input or output goes into an event; the finding folder has all of it.
    const MOST: usize = 1 << 16;
    serializer.serialize_str(&String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]))
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use schemars::generate::SchemaSettings;

    /// Where the schema is published.
    const PLACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/events.schema.json");

    /// Returns the schema of a line of `--json`: the event with the version of the contract.
    fn schema() -> serde_json::Value {
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
        let text = serde_json::to_string_pretty(&schema()).expect("a schema is JSON") + "\n";
        if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
            std::fs::write(PLACE, &text).expect("docs/ can be written");
        }
        let published = std::fs::read_to_string(PLACE).unwrap_or_default();
        assert!(published == text, "docs/events.schema.json is stale: REBUT_UPDATE_GOLDEN=1 writes it anew");
    }
}
