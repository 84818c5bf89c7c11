//! A counterexample or a judge error, with everything known about it.

use super::search::ShrinkPassSummary;
use super::{FindingImage, serialize_as_text};
use rebut_packages::verdict::Verdict;
use rebut_packages::{Certificate, FindingFiles, GeneratorRecord};
use rebut_sandbox::ConversationLength;
use serde::Serialize;
use std::path::PathBuf;

/// A counterexample or judge error, with everything known about it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// How the program failed.
    #[serde(flatten)]
    pub failure: FindingFailure,
    /// Where the failing input is from.
    #[serde(flatten)]
    pub origin: FindingOrigin,
    /// The run on the shrunk input.
    #[serde(flatten)]
    pub run: FindingRun,
    /// How the input was shrunk.
    #[serde(flatten)]
    pub minimization: FindingMinimization,
    /// Whether a smaller input fails as well.
    #[serde(flatten)]
    pub proof: FindingProof,
    /// Why it is slow, if the input was found by a search for slow inputs.
    pub slowness: Option<FindingSlowness>,
    /// Pictures of its input and output that the visualizers of the package drew.
    #[serde(skip)]
    pub images: Vec<FindingImage>,
    /// Where it was saved.
    #[serde(flatten)]
    pub saved: SavedFinding,
}

/// How a program failed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingFailure {
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
    /// Number of failed runs on the shrunk input and number of all runs, if some passed. If all passed, the failure is
    /// not confirmed: see [`Finding::is_confirmed`].
    pub flaky: Option<(u32, u32)>,
    /// Report of a sanitizer about a crash.
    pub sanitizer: Option<SanitizerFinding>,
}

/// Where the input of a finding is from.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingOrigin {
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
    /// The choices of the generator, if it takes them from rebut.
    pub choices: Option<FindingChoices>,
    /// The input that failed first.
    #[serde(skip)]
    pub original: Vec<u8>,
}

/// The failing run on the shrunk input.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingRun {
    /// The shrunk input.
    #[serde(serialize_with = "serialize_as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub input: Vec<u8>,
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
    /// The length of the conversation with an interactor.
    pub conversation: Option<FindingConversation>,
    /// Processor time of the run on the shrunk input.
    pub cpu_time_ms: u64,
    /// Peak memory of that run in bytes.
    pub memory_peak_bytes: u64,
}

/// How the input of a finding was shrunk.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingMinimization {
    /// Size of the input before shrinking: elements of the value tree, or bytes without a format.
    pub size_before: usize,
    /// Size after shrinking.
    pub size_after: usize,
    /// Unit of the sizes: `elements` or `bytes`.
    pub size_unit: &'static str,
    /// Number of times that a smaller failing input was found.
    #[serde(rename = "shrink_steps")]
    pub steps: usize,
    /// Number of candidates that were run.
    #[serde(rename = "shrink_tried")]
    pub tried: usize,
    /// Duration of shrinking in milliseconds.
    #[serde(rename = "shrink_time_ms")]
    pub time_ms: u64,
    /// The effect of each pass of shrinking. Empty if nothing was shrunk.
    #[serde(rename = "shrink_passes")]
    pub passes: Vec<ShrinkPassSummary>,
    /// The number of steps and the size after each step that made the input smaller, from 0 steps on; of very many steps,
    /// a part. Empty if nothing was shrunk.
    #[serde(rename = "shrink_path")]
    pub path: Vec<(usize, usize)>,
    /// Whether shrinking finished; if not, a smaller failing input probably exists.
    #[serde(rename = "shrink_complete")]
    pub is_complete: bool,
}

/// The proof about inputs smaller than that of a finding.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingProof {
    /// Proof that no smaller input fails, as far as it was tried. In an interactive problem, only inputs with fewer
    /// elements are smaller.
    pub certificate: Option<Certificate>,
    /// A smaller input that a replay found to fail as well.
    pub smaller_input: Option<String>,
}

/// The pattern of a slow input, and a comparison with other inputs. The work is counted on inputs of the same pattern, and smaller
/// ones.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingSlowness {
    /// The size that grows, or the names of several.
    pub axis: String,
    /// The size of the input.
    pub size: u64,
    /// The smallest size on which the submission was seen to fail, if smaller ones were tried.
    pub smallest_size: Option<u64>,
    /// The law of growth on such inputs, such as `n^2`; absent if none fits.
    pub law: Option<String>,
    /// The same on ordinary random inputs.
    pub ordinary_law: Option<String>,
    /// The size at which work is compared.
    pub compared_size: u64,
    /// The work there, as a multiple of the most on any of a few random inputs of the same size.
    pub times_ordinary: f64,
    /// The same, as a multiple of the work of the reference on the same input; absent if that was not counted.
    pub times_reference: Option<f64>,
    /// Keys of a test in a recipe that makes the input again.
    pub recipe: String,
}

/// Where a finding was saved.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SavedFinding {
    /// Folder of the finding, if it was saved.
    pub folder: Option<PathBuf>,
    /// Command line that replays it.
    pub replay: Option<String>,
    /// Command line that shrinks it, if it is a test case of a package with a format.
    pub shrink: Option<String>,
}

impl FindingFailure {
    /// Returns a failure of which only the verdict is known.
    pub fn new(submission: &str, verdict: Verdict) -> FindingFailure {
        FindingFailure {
            submission: submission.to_owned(),
            verdict,
            message: String::new(),
            leaking_cases: None,
            hints: Vec::new(),
            flaky: None,
            sanitizer: None,
        }
    }
}

impl FindingMinimization {
    /// Returns the minimization of an input of this size that was not shrunk.
    pub fn of_size(size: usize, size_unit: &'static str) -> FindingMinimization {
        FindingMinimization {
            size_before: size,
            size_after: size,
            size_unit,
            steps: 0,
            tried: 0,
            time_ms: 0,
            passes: Vec::new(),
            path: Vec::new(),
            is_complete: true,
        }
    }
}

impl Finding {
    /// The hint that the format is a guess.
    pub(crate) const GUESSED_FORMAT_HINT: &str =
        "the format is a guess from the samples, so this input may be invalid: compare it with the statement";

    /// Returns true if the format was inferred and not checked: inputs of it may be invalid.
    pub fn has_guessed_format(&self) -> bool {
        self.failure.hints.iter().any(|hint| hint == Finding::GUESSED_FORMAT_HINT)
    }

    /// Returns a finding of which only the failure is known.
    pub fn from_failure(failure: FindingFailure) -> Finding {
        Finding {
            failure,
            origin: FindingOrigin::default(),
            run: FindingRun::default(),
            minimization: FindingMinimization::of_size(0, "elements"),
            proof: FindingProof::default(),
            slowness: None,
            images: Vec::new(),
            saved: SavedFinding::default(),
        }
    }

    /// Returns true if the failure was reproduced when its input was run again.
    pub fn is_confirmed(&self) -> bool {
        self.failure.flaky.is_none_or(|(failed, _)| failed > 0)
    }

    /// Returns the finding for a submission that the compiler rejects.
    pub fn compile_error(submission: &str, command: &str, text: &str) -> Finding {
        let mut finding = Finding::from_failure(FindingFailure::new(submission, Verdict::CompileError));
        finding.failure.message = format!("`{command}` failed");
        finding.run.stderr = text.as_bytes().to_vec();
        finding
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
    pub fn from_run(length: ConversationLength) -> FindingConversation {
        let ConversationLength { messages, bytes, .. } = length;
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
    /// An expression about several programs that holds on the input; the message describes their runs.
    Expression,
}

/// The choices of a generator that takes them from rebut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingChoices {
    /// The generator: its source or command.
    pub generator: String,
    /// Whether it prints the input of the finding for these choices; if not, that was shrunk from what it prints.
    pub prints_input: bool,
    /// The choices, as the generator reads them from its standard input.
    pub request: String,
}

impl FindingChoices {
    /// Returns what `finding.json` records of them.
    pub fn to_record(&self) -> GeneratorRecord {
        GeneratorRecord { command: self.generator.clone(), prints_input: self.prints_input }
    }

    /// Returns the choices of a saved finding, if it has any.
    pub fn from_files(files: &FindingFiles) -> Option<FindingChoices> {
        let GeneratorRecord { command: generator, prints_input } = files.record.generator.clone()?;
        let request = String::from_utf8_lossy(&files.choices).into_owned();
        Some(FindingChoices { generator, prints_input, request })
    }
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
