//! Searching, minimizing, proving, replaying, building and verifying: everything rebut does with a format, programs and
//! time.
//!
//! Layer 5. A campaign reports what happens as [`Event`]s and never prints. The caller decides where findings are saved
//! and renders their pages; this module depends on neither terminals nor the command line. The entry points are
//! [`run_search`] and [`search_exhaustively`], [`Minimizer`], [`MinimalityProof`], [`replay_finding`],
//! [`build_test_set`] and [`verify`].
//!
//! ```no_run
//! use rebut::campaign::{
//!     CompiledSubmission, Event, EventSink, InputOrigin, InputSource, Judge, JudgeSetup, RunEngine, StressPlan,
//!     run_search,
//! };
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::generate::{GenerationPlan, GenerationSettings};
//! use rebut_sandbox::{BuildVariant, CancelToken, HostEnvironment, ProgramBuilder, RunLimits};
//! use rebut_checkers::Checker;
//! use std::path::Path;
//!
//! struct NoReport;
//!
//! impl EventSink for NoReport {
//!     fn take_event(&mut self, _: &Event) {}
//! }
//!
//! let (cancel, limits) = (CancelToken::new(), RunLimits::default());
//! let builder = ProgramBuilder::new(HostEnvironment::from_process()?)?;
//! let compile = |path| builder.compile(Path::new(path), BuildVariant::Judged, &cancel);
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let origin = InputOrigin::Format { plan: GenerationPlan::new(&format), settings: GenerationSettings::default() };
//! let plan = StressPlan {
//!     submissions: vec![CompiledSubmission {
//!         name: "sol.cpp".into(),
//!         source: "sol.cpp".into(),
//!         program: compile("sol.cpp")?.program,
//!     }],
//!     inputs: InputSource::new(origin, Vec::new(), limits.clone(), cancel.clone()),
//!     judge_setup: JudgeSetup {
//!         engine: RunEngine::Quick,
//!         reference: compile("brute.cpp")?.program,
//!         judge: Judge::Checker(Checker::parse("tokens")?),
//!         limits: limits.clone(),
//!         judge_limits: limits,
//!         cancel: cancel.clone(),
//!     },
//!     seed: 1,
//!     jobs: 1,
//!     time_budget: None,
//!     case_budget: Some(1000),
//!     keep_going: false,
//! };
//! for hit in run_search(&plan, &mut NoReport)?.hits {
//!     println!("{}: {}", hit.run_result.verdict.code(), String::from_utf8_lossy(&hit.input.bytes));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
mod batched_predicate;
mod build;
mod case_packing;
mod conclusion;
mod conversation_search;
mod event;
mod exhaustive_inputs;
mod exhaustive_progress;
mod exhaustive_search;
mod extra_input;
mod failure_hints;
mod input_fit;
mod input_source;
mod judge_setup;
mod judges;
mod minimality_proof;
mod minimize;
mod packed_search;
mod parallel;
mod predicate;
pub mod probes;
mod profile;
mod proof_level;
mod replay;
mod save_finding;
mod search_stats;
mod source_hints;
mod speculation;
mod state_leak;
mod stdin_diagnosis;
mod stress;
mod validator_filter;
pub mod verify;

pub use answers::{AnswerProbe, AnswerValidator, collect_answer_opinions};
pub use build::{
    AcceptedSubmission, BuildFlaw, BuildFlawKind, BuildPlan, BuiltTestSet, DrawSettings, FlawBlame, InputMethod,
    StatedAnswer, TestJob, build_test_set,
};
pub use conclusion::{MIN_CONCLUSIVE_CASES, SearchConclusion, explain_inconclusive};
pub use event::{
    ActivityEvent, AnswerCount, BuildProgress, BuildStage, BuildSummary, BuiltTest, CampaignSummary, CellJudged,
    EVENT_VERSION, EndReason, EnumeratedInput, EnumerationSummary, Event, EventSink, ExhaustiveReach, FileValidated,
    Finding, FindingConversation, GoalReached, InputProfile, JudgeKind, MeasuredTime, ProbeSummary, ProgramCompiled,
    ProgramRole, SanitizerFinding, SearchProgress, SearchStarted, ShapeProfile, ShrinkPassSummary, ShrinkProgress,
    SizeCeiling, SubmissionAssessed, SubmissionFailed, TimeLimitAdvice, TimeShares, UnfinishedTable, ValidatorExposure,
    VerificationStarted, WarningEvent,
};
pub use exhaustive_inputs::ExhaustiveInputs;
pub use exhaustive_progress::ExhaustiveProgress;
pub use exhaustive_search::{ExhaustiveScope, search_exhaustively};
pub use failure_hints::collect_failure_hints;
pub use input_fit::find_input_misfits;
pub use input_source::{GeneratedInput, InputOrigin, InputSource};
pub use judge_setup::{InputValidator, JudgeSetup, ReferenceAnswer, RunEngine, RunResult, ValidatorConvention};
pub use judges::{Judge, JudgeMode, JudgeProgram, JudgeRequest};
pub use minimality_proof::{CertifyResult, MinimalityProof};
pub use minimize::{CONFIRMATION_RUNS, FailingInput, FindingOptions, Minimizer, failure_message};
pub use profile::profile_inputs;
pub use replay::{MAX_REPLAY_RUNS, ReplayResult, replay_finding};
pub use source_hints::{extract_constants, extract_quoted_words, extract_sample_words};
pub use stdin_diagnosis::explain_input_misuse;
pub use stress::{CompiledSubmission, SearchHit, SearchResult, StressPlan, explain_slow_reference, run_search};
