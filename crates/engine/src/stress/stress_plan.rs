//! The plan of a search, and its result.

use super::exhaustive_progress::ExhaustiveProgress;
use crate::event::{EndReason, SearchProgress, SearchStarted};
use crate::inputs::{GeneratedInput, InputSource};
use crate::judging::{JudgeSetup, RunEngine, RunResult};
use crate::tuning::{MAX_INPUT_SHARE, MIN_REFERENCE_TIME};
use rebut_diagnostics::to_millis;
use rebut_sandbox::{ProcessorSet, Program};
use std::path::PathBuf;
use std::time::Duration;

/// A submission to be tested.
#[derive(Clone)]
pub struct CompiledSubmission {
    /// Name in reports.
    pub name: String,
    /// Path of the source or executable.
    pub source: PathBuf,
    /// The compiled program.
    pub program: Program,
}

/// Everything a search needs.
pub struct StressPlan<'a> {
    /// The submissions to test.
    pub submissions: Vec<CompiledSubmission>,
    /// The source of inputs.
    pub inputs: InputSource<'a>,
    /// The reference, the judge and the limits.
    pub judge_setup: JudgeSetup,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of workers.
    pub jobs: usize,
    /// The processors that they run on.
    pub processors: ProcessorSet,
    /// Maximum duration of the search.
    pub time_budget: Option<Duration>,
    /// Maximum number of inputs.
    pub case_budget: Option<u64>,
    /// Whether to continue with a submission that has failed, to find failures of other kinds.
    pub keep_going: bool,
}

impl StressPlan<'_> {
    /// Limits the reference such that a single input takes at most a fifth of the time of the search.
    pub fn limit_reference_time(&mut self) {
        let Some(budget) = self.time_budget else { return };
        // Of a file of cases, halves are run as well.
        let runs = if self.inputs.input_format().is_some_and(|format| format.cases_block().is_some()) { 2 } else { 1 };
        let limit = (budget / MAX_INPUT_SHARE / runs).max(MIN_REFERENCE_TIME);
        let limit_ms = to_millis(limit);
        let limits = &mut self.judge_setup.judge_limits;
        if limit_ms < limits.cpu_time_limit_ms {
            (limits.cpu_time_limit_ms, limits.cpu_time_slack_ms) = (limit_ms, 0);
            limits.wall_time_limit_ms = limits.wall_time_limit_ms.min(limit_ms + 1000);
        }
    }

    /// Returns the event at the start of the search; `inputs` is the name of the format or the generator.
    pub fn started_event(&self, inputs: String) -> SearchStarted {
        SearchStarted {
            submissions: self.submissions.iter().map(|s| s.name.clone()).collect(),
            reference: self.judge_setup.reference.file_name(),
            inputs,
            checker: self.judge_setup.judge.checker_name(),
            jobs: self.jobs,
            engine: self.describe_engine(),
            seed: self.seed,
            time_budget_ms: self.time_budget.and_then(|t| u64::try_from(t.as_millis()).ok()),
            case_budget: self.case_budget,
            initial_growth: self.inputs.initial_growth,
        }
    }

    /// Describes how programs are run, such as `packed + fork server`.
    fn describe_engine(&self) -> String {
        let JudgeSetup { engine, judge, reference, .. } = &self.judge_setup;
        let mut programs = self.submissions.iter().map(|s| &s.program).chain([reference]);
        let is_quick =
            *engine == RunEngine::Quick && !judge.holds_conversation() && programs.any(Program::has_fast_path);
        let is_packed = self.inputs.input_format().is_some_and(|format| format.cases_block().is_some());
        let engine = if is_quick { "fork server" } else { "exec" };
        if is_packed { format!("packed + {engine}") } else { engine.to_owned() }
    }
}

/// An input on which a program failed.
#[derive(Clone, Debug)]
pub struct SearchHit {
    /// Index of the submission, or `None` for the reference.
    pub submission: Option<usize>,
    /// Index of the input, from 0.
    pub index: u64,
    /// The input.
    pub input: GeneratedInput,
    /// Its answer; empty if the reference failed.
    pub answer: Vec<u8>,
    /// The failing run.
    pub run_result: RunResult,
    /// Time of the failure in milliseconds since the start of the search.
    pub elapsed_ms: u64,
}

/// The result of a search.
#[derive(Debug, Default)]
pub struct SearchResult {
    /// First failures, by submission and kind, ordered by input.
    pub hits: Vec<SearchHit>,
    /// Final progress.
    pub progress: SearchProgress,
    /// Why the search ended.
    pub reason: EndReason,
    /// In an exhaustive search, the files that were run.
    pub exhaustive_progress: ExhaustiveProgress,
    /// A constraint on the inputs with which the reference is faster, if it is slow.
    pub smaller_inputs: Option<String>,
    /// Number of submissions with an unexplained failure that did not occur again.
    pub flaky: usize,
}
