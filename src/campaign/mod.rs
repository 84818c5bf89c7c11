//! Searching, minimizing, proving, replaying, building and verifying: everything rebut does with a format, programs and
//! time.
//!
//! Layer 5. A campaign reports what happens as [`Event`]s and never prints. The caller decides where findings are saved
//! and renders their pages; this module depends on neither terminals nor the command line. The entry points are
//! [`run_search`] and [`search_exhaustively`], [`Minimizer`], [`MinimalityProof`], [`replay_finding`],
//! [`build_test_set`] and [`verify`].

mod answers;
mod batched_predicate;
mod build;
mod case_packing;
mod conclusion;
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
    Finding, GoalReached, InputProfile, JudgeKind, MeasuredTime, ProbeSummary, ProgramCompiled, ProgramRole,
    SanitizerFinding, SearchProgress, SearchStarted, ShapeProfile, ShrinkProgress, SizeCeiling, SubmissionAssessed,
    SubmissionFailed, TimeLimitAdvice, TimeShares, UnfinishedTable, ValidatorExposure, VerificationStarted,
    WarningEvent,
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
