//! A counterexample or a judge error, with everything known about it.

use super::serialize_as_text;
use super::shrinking::ShrinkPassSummary;
use rebut_packages::Certificate;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::ConversationLength;
use serde::Serialize;
use std::path::PathBuf;

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
