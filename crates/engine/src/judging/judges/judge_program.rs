//! Judge programs: output validators, checkers and interactors, with their calling conventions.

use super::super::run_engine::RunEngine;
use super::working_files::{
    ANSWER_FILE, FEEDBACK_ARGUMENT, FEEDBACK_FOLDER, INPUT_FILE, JudgeMode, MAX_SCORE_BYTES, OUTPUT_FILE, SCORE_FILE,
};
use crate::judge::describe_outcome;
use crate::judging::run_result::{RunResult, judge_finished_run};
use rebut_checkers::{ExitCodeConvention, Judgement, Mismatch};
use rebut_diagnostics::{Error, Result};
use rebut_packages::score::FeedbackScore;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{CancelToken, ProcessExit, Program, RunFiles, RunJob, RunLimits, RunOutcome};
use std::ffi::OsString;
use std::path::Path;

/// A program that judges submissions.
#[derive(Clone)]
pub struct JudgeProgram {
    /// The program.
    pub program: Program,
    /// Its arguments and the meaning of its exit codes.
    pub convention: ExitCodeConvention,
    /// Additional arguments.
    pub arguments: Vec<String>,
    /// Its limits.
    pub limits: RunLimits,
    /// Its mode.
    pub mode: JudgeMode,
    /// Maximum number of runs of a submission on a test case; 1 except in multi-pass problems.
    pub max_passes: u32,
    /// Whether it can give points: testlib programs by their exit code, all others in files.
    pub gives_points: bool,
    /// Digest that identifies its behavior, if known.
    pub identity: Option<String>,
    /// Name on the command line and in findings.
    pub name: String,
}

impl JudgeProgram {
    /// Returns the file name, which is shown in reports.
    pub fn file_title(&self) -> String {
        self.program.file_name()
    }

    pub(super) fn checker_name(&self) -> String {
        self.name.clone()
    }

    /// Returns a string that identifies how it judges, for cache keys. Returns `None` if its behavior is unknown.
    pub fn cache_identity(&self) -> Option<String> {
        let JudgeProgram { convention, arguments, limits, mode, max_passes, gives_points, .. } = self;
        let rest = format!("{convention:?} {arguments:?} {limits:?} {mode:?} {max_passes} {gives_points}");
        Some(format!("{} {rest}", self.identity.as_ref()?))
    }

    /// Returns the files for a run: the test case, and the feedback files of an earlier pass.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted.
    pub(super) fn collect_run_files(
        &self,
        input: &[u8],
        answer: &[u8],
        feedback: &[(String, Vec<u8>)],
    ) -> Result<RunFiles> {
        let run_files = RunFiles::new().with_file(INPUT_FILE, input)?.with_file(ANSWER_FILE, answer)?;
        if self.convention == ExitCodeConvention::Testlib {
            return Ok(run_files);
        }
        let run_files = if feedback.is_empty() { run_files.with_folder(FEEDBACK_FOLDER)? } else { run_files };
        let run_files = feedback.iter().try_fold(run_files, |run_files, (name, bytes)| {
            run_files.with_file(&format!("{FEEDBACK_FOLDER}/{name}"), bytes)
        })?;
        run_files.with_collected(FEEDBACK_FOLDER)
    }

    /// Returns its command-line arguments.
    pub(super) fn program_arguments(&self) -> Vec<OsString> {
        let further = self.arguments.iter().map(OsString::from);
        let files = match (self.convention, self.mode) {
            (ExitCodeConvention::Kattis, _) => [INPUT_FILE, ANSWER_FILE, FEEDBACK_ARGUMENT],
            (ExitCodeConvention::Testlib, _) => [INPUT_FILE, OUTPUT_FILE, ANSWER_FILE],
        };
        files.map(RunFiles::path_argument).into_iter().chain(further).collect()
    }

    /// Judges an output.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if the work was cancelled.
    pub(super) fn check_output(
        &self,
        input: &[u8],
        answer: &[u8],
        output: &[u8],
        feedback: &[(String, Vec<u8>)],
        (engine, cancel): (RunEngine, &CancelToken),
    ) -> Result<JudgeResponse> {
        let run_files = self.collect_run_files(input, answer, feedback)?;
        let (run_files, stdin) = match self.convention {
            ExitCodeConvention::Kattis => (run_files, output),
            ExitCodeConvention::Testlib => (run_files.with_file(OUTPUT_FILE, output)?, &[][..]),
        };
        let arguments = self.program_arguments();
        let job = RunJob { input: stdin, args: &arguments, limits: &self.limits, files: Some(&run_files) };
        Ok(self.interpret_run(engine.run_program(&self.program, &job, cancel)?))
    }

    /// Runs it as a static validator on the sources of a submission. `about` is the language and the entry point.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if the work was cancelled.
    pub fn examine_sources(
        &self,
        sources: &[(String, Vec<u8>)],
        about: [&str; 2],
        cancel: &CancelToken,
    ) -> Result<RunResult> {
        let run_files = RunFiles::new().with_folder(FEEDBACK_FOLDER)?.with_collected(FEEDBACK_FOLDER)?;
        let mut files = sources.iter();
        let run_files = files.try_fold(run_files, |run_files, (name, bytes)| run_files.with_file(name, bytes))?;
        let further = self.arguments.iter().map(OsString::from);
        let mut arguments = about.map(OsString::from).to_vec();
        arguments.extend([RunFiles::path_argument(FEEDBACK_ARGUMENT)].into_iter().chain(further));
        let job = RunJob { input: b"", args: &arguments, limits: &self.limits, files: Some(&run_files) };
        let response = self.interpret_run(self.program.run_job(&job, cancel)?);
        // The submission was not run, so it used no time.
        let result = judge_finished_run(RunOutcome::not_run(), |_| response.judgement.clone());
        Ok(RunResult { feedback_score: response.feedback_score(result.verdict), ..result })
    }

    /// Returns true if it rejected the submission in this run.
    pub(super) fn is_refusal(&self, outcome: &RunOutcome) -> bool {
        matches!(interpret_exit(self.mode, self.convention, outcome), Judgement::Wrong(_))
    }

    pub(super) fn interpret_run(&self, outcome: RunOutcome) -> JudgeResponse {
        if self.gives_points
            && let Some(response) = interpret_points(self.convention, &outcome)
        {
            return response;
        }
        let judgement = interpret_exit(self.mode, self.convention, &outcome);
        let within = |path: &Path| {
            let name = path.strip_prefix(FEEDBACK_FOLDER).ok()?.to_str()?;
            Some(name.to_owned())
        };
        let feedback = outcome.files.into_iter().filter_map(|(path, bytes)| Some((within(&path)?, bytes))).collect();
        JudgeResponse { judgement, feedback }
    }

    /// Returns the program if it supports its settings.
    ///
    /// # Errors
    /// Returns an error if a testlib program has several passes.
    pub fn require_supported(self) -> Result<Self> {
        if self.convention == ExitCodeConvention::Testlib && self.max_passes > 1 {
            return Err(Error::usage_error(format!(
                "`{}` uses testlib, which does not support multiple passes",
                self.name
            )));
        }
        Ok(self)
    }
}

// Interprets the exit code and the feedback files of a judge program.

/// The response of a judge program to a run.
pub(super) struct JudgeResponse {
    pub(super) judgement: Judgement,
    /// Its feedback files, with their names in the feedback folder.
    pub(super) feedback: Vec<(String, Vec<u8>)>,
}

impl JudgeResponse {
    /// Returns the score that it gave, if its judgement determined the verdict.
    pub(super) fn feedback_score(&self, verdict: Verdict) -> FeedbackScore {
        let has_decided = matches!(
            (&self.judgement, verdict),
            (Judgement::Accepted, Verdict::Accepted) | (Judgement::Wrong(_), Verdict::WrongAnswer)
        );
        let text = |name: &str| {
            let (_, bytes) = self.feedback.iter().find(|(file, _)| has_decided && file == name)?;
            Some(String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_SCORE_BYTES)]).into_owned())
        };
        FeedbackScore { score: text(SCORE_FILE), multiplier: text("score_multiplier.txt") }
    }
}

/// Feedback file with the message for the judges, in the ICPC package format.
const MESSAGE_FILE: &str = "judgemessage.txt";

/// Maximum length of a message in bytes.
const MAX_MESSAGE_BYTES: usize = 4096;

/// Returns the judgement for the exit of a program that judges in this way. One that crashed or exceeded a limit failed.
pub(super) fn interpret_exit(mode: JudgeMode, convention: ExitCodeConvention, outcome: &RunOutcome) -> Judgement {
    let message = judge_message(outcome);
    let judge = match mode {
        JudgeMode::Validator => "checker",
        JudgeMode::Interactor => "interactor",
    };
    match (outcome.limit, outcome.exit) {
        (None, ProcessExit::Code(code)) => convention.judge_exit_code(judge, code, &message),
        _ => Judgement::Failed(format!("it {}", describe_outcome(outcome))),
    }
}

/// Interprets the message of a program that gives points by its exit code, as testlib does: `points 0.5 some words`.
/// 0 points mean a wrong answer. Returns `None` for other exit codes.
pub(super) fn interpret_points(convention: ExitCodeConvention, outcome: &RunOutcome) -> Option<JudgeResponse> {
    match (outcome.limit, outcome.exit) {
        (None, ProcessExit::Code(code)) if convention.gives_points(code) => {}
        _ => return None,
    }
    let message = judge_message(outcome);
    let mut words = message.split_whitespace().skip_while(|word| *word == "points");
    let given = words.next().unwrap_or_default().to_owned();
    let (judgement, feedback) = match given.parse::<f64>() {
        Ok(0.0) => (Judgement::Wrong(Mismatch { message, ..Mismatch::default() }), Vec::new()),
        Ok(points) if points > 0.0 && points.is_finite() => {
            (Judgement::Accepted, vec![(SCORE_FILE.to_owned(), given.into_bytes())])
        }
        _ => (Judgement::Failed(format!("the checker gives points, but not as a number: `{message}`")), Vec::new()),
    };
    Some(JudgeResponse { judgement, feedback })
}

/// Returns its message: the feedback file, or else stderr or stdout.
fn judge_message(outcome: &RunOutcome) -> String {
    let file = outcome.files.get(&Path::new(FEEDBACK_FOLDER).join(MESSAGE_FILE)).map(Vec::as_slice);
    let texts = [file.unwrap_or_default(), &outcome.stderr, &outcome.output];
    let texts = texts.map(|text| String::from_utf8_lossy(&text[..text.len().min(MAX_MESSAGE_BYTES)]).trim().to_owned());
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}
