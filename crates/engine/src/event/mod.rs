//! The events that a command emits while it runs.
//!
//! Every report is a fold over these events, so the terminal, JSON, JUnit and GitHub reports cannot disagree. They are
//! plain data, which no engine is needed to read. They are serialized as they are: changing a name or a meaning here
//! changes the JSON contract and increments [`EVENT_VERSION`].

mod finding;
mod growth;
mod image;
mod search;
mod shard;
mod strength;
mod test_set;
mod verification;

pub use finding::{
    Finding, FindingChoices, FindingConversation, FindingFailure, FindingMinimization, FindingOrigin, FindingProof,
    FindingRun, FindingSlowness, JudgeKind, SanitizerFinding, SavedFinding,
};
pub use growth::{
    CountedWork, FittedWork, GrowthMeasured, GrowthReport, GrowthSample, SlowCause, SlowCauseKind, SlowWork,
    WorkMargins,
};
pub use image::{FindingImage, ImageKind};
pub use search::{
    ActivityEvent, CommandSummary, EndReason, ExhaustiveReach, LongestConversation, ProgramCompiled, ProgramRole,
    SearchConclusion, SearchProgress, SearchStarted, ShrinkPassSummary, ShrinkProgress, SizeCeiling, SubmissionFailed,
    TimeShares, WarningEvent,
};
use serde::Serialize;
pub use shard::ShardFinished;
pub use strength::{
    Kill, KillingInput, MutantOutcome, ProbeSummary, ProgramKills, SmallOutputSummary, StrengthScore,
    SubmissionMutants, Survival, TestKills, TestSelection, TestSetStrength, ValidatorExposure,
};
pub use test_set::{
    BuildFlaw, BuildFlawKind, BuildProgress, BuildStage, BuildSummary, BuiltTest, CandidateNovelty, CandidateSelection,
    FlawBlame,
};
pub use verification::{
    AnswerCount, CellJudged, ContestVerified, EnumeratedInput, EnumerationSummary, FileValidated, GoalReached,
    InputProfile, LanguageLimit, ListedSample, MeasuredTime, ProblemVerified, ReportComparison, ResultChange,
    ShapeProfile, SubmissionAssessed, TimeChange, TimeLimitAdvice, UnfinishedTable, VerdictChange, VerificationStarted,
};

/// Version of the JSON contract.
pub const EVENT_VERSION: u32 = 1;

/// Something that happened during a command.
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
    /// The smallest test case that rejects a submission of a package, with the output on it; for reports that show these.
    Counterexample(Box<Finding>),
    /// A file was checked against a format and its validators.
    Validated(FileValidated),
    /// Statistics of a sample of inputs.
    Profile(InputProfile),
    /// How the cost of a submission grows with the sizes of its inputs.
    Growth(GrowthReport),
    /// Why a submission of a package is too slow.
    SlowCause(SlowCause),
    /// How far the time limit is from the work of the submissions on both sides.
    WorkMargins(WorkMargins),
    /// A sample is beside a submission.
    Sample(ListedSample),
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
    /// All problems of a contest were verified.
    Contest(ContestVerified),
    /// Two reports of a package were compared.
    Compared(ReportComparison),
    /// How strong the test set of a package is.
    Strength(Box<TestSetStrength>),
    /// How strong the test set of a package that was verified is, with the mutants that were run on it before, if any; for
    /// reports that show this.
    Appraised(Box<TestSetStrength>),
    /// One of several parts of a search ended.
    Shard(ShardFinished),
    /// Something that can change a verdict or lose a finding.
    Warning(WarningEvent),
    /// The end of the command; always the last event.
    Summary(CommandSummary),
}

/// Receives events, from one thread at a time.
pub trait EventSink {
    /// Receives an event.
    fn take_event(&mut self, event: &Event);

    /// Receives a warning that needs no help.
    fn warn(&mut self, message: String) {
        self.take_event(&Event::Warning(WarningEvent { message, help: None }));
    }

    /// Receives a warning, and how to resolve it.
    fn warn_with_help(&mut self, message: String, help: &str) {
        self.take_event(&Event::Warning(WarningEvent::new(message, help)));
    }
}

/// Ignores all events: those of work at the same time, or of a part of another report.
pub struct NoSink;

impl EventSink for NoSink {
    fn take_event(&mut self, _: &Event) {}
}

fn serialize_as_text<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    /// Maximum size in bytes of an input or output in an event; the finding folder has it in full.
    const MAX_TEXT_BYTES: usize = 1 << 16;
    serializer.serialize_str(&String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_TEXT_BYTES)]))
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::disallowed_methods, reason = "a test may panic, and write the schema anew")]
mod tests {
    use super::*;
    use schemars::generate::SchemaSettings;

    /// Where the schema is published.
    const SCHEMA_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/events.schema.json");

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
