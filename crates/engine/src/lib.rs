//! Searching, minimizing, proving, replaying, building and verifying: everything rebut does with a format, programs and
//! time.
//!
//! The engine reports what happens as [`Event`](event::Event)s and never prints. The caller decides where findings are saved
//! and renders their pages; this crate depends on neither terminals nor the command line. The entry points are
//! [`run_search`] and [`search_exhaustively`], [`Minimizer`], [`MinimalityProof`], [`replay_finding`],
//! [`build_test_set`], [`measure_strength`] and [`verify`].
//!
//! ```no_run
//! use rebut_engine::{
//!     CompiledSubmission, InputOrigin, InputSource, Judge, JudgeSetup, RunEngine, StressPlan, run_search,
//! };
//! use rebut_engine::event::{Event, EventSink};
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::generate::{GenerationPlan, GenerationSettings};
//! use rebut_sandbox::{CancelToken, HostEnvironment, ProcessorSet, RunLimits};
//! use rebut_toolchain::{BuildVariant, ProgramBuilder};
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
//!     processors: ProcessorSet::from_current_thread(),
//!     time_budget: None,
//!     case_budget: Some(1000),
//!     keep_going: false,
//! };
//! for hit in run_search(&plan, &mut NoReport)?.hits {
//!     println!("{}: {}", hit.run_result.verdict.code(), String::from_utf8_lossy(&hit.input.bytes));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::disallowed_methods, reason = "a search uses a clock and threads; a finding has a path")]

mod build;
mod compare_reports;
#[deny(clippy::disallowed_methods)]
pub mod event;
mod growth;
mod input_reading;
mod inputs;
#[deny(clippy::disallowed_methods)]
pub mod judge;
mod judging;
mod minimize;
mod parallel;
mod predicate;
pub mod probes;
mod profile;
mod replay;
mod sharding;
mod slow;
mod strength;
mod stress;
mod tuning;
pub mod verify;
mod visualizer;

pub use build::{
    AcceptedSubmission, BuildPlan, BuiltPiece, BuiltTestSet, DrawSettings, FindSlowInputs, InputFinder, InputMethod,
    InputProperty, PieceBlocks, SelectCandidates, StatedAnswer, TestCandidate, TestJob, build_test_set,
};
pub use compare_reports::compare_reports;
pub use growth::{
    GrowthPlan, GrowthSubmission, MarginPlan, MarginSubmission, TimedCase, find_slow_cause, measure_growth,
    measure_margins,
};
pub use input_reading::find_input_misfits;
pub use inputs::{
    AnswerValidator, CompileChanged, ExhaustiveInputs, GeneratedInput, GeneratorProgram, InputOrigin, InputSource,
    InputValidator, OperandGuide, SMALLEST_SHAPE, ValidatorConvention, search_settings, words_in_samples,
};
pub use judging::{
    Finder, FinderExpression, Judge, JudgeMode, JudgeProgram, JudgeRequest, JudgeSetup, ReferenceAnswer, RunEngine,
    RunResult, collect_failure_hints, failure_message, finding_of_run,
};
pub use minimize::{
    CertifyResult, FailingInput, FindingOptions, FindingTools, MinimalityProof, Minimizer, ProofBlocks, quote_for_shell,
};
pub use probes::{AnswerProbe, collect_answer_opinions};
pub use profile::profile_inputs;
pub use replay::{ReplayResult, replay_finding};
pub use sharding::{BlockPlan, JournalUse, Shard, ShardEnd, SharedEnd, SharedJournal, WantedBlocks, Work};
pub use slow::{SlowHit, SlowSearch, SlowSearchPlan, SlowSearchResult, WorstInput};
pub use strength::{
    CompileMutant, MutantBlock, MutantBlockTimes, MutantBlocks, MutantFate, MutatedSubmission, MutationPlan,
    SchemaResult, SelectedTests, SelectionPlan, StrengthPlan, WrongSubmission, digest_tests, input_bounds,
    measure_strength, run_mutants, select_tests, survivors_of,
};
pub use stress::{
    BlockFailure, BlockResult, BlockSearch, BlockStretch, BlockTimes, CompiledSubmission, ExhaustiveProgress,
    ExhaustiveScope, InputCounts, MergedSearch, SearchHit, SearchResult, StressPlan, UnconfirmedFailure,
    closing_warnings, explain_inconclusive, measure_initial_growth, reach_of_every_input, run_search,
    search_exhaustively, undefined_behaviour_warnings,
};
pub use tuning::{CONFIRMATION_RUNS, MAX_REPLAY_RUNS, MIN_CONCLUSIVE_CASES};
pub use visualizer::Visualizers;
