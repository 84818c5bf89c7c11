//! The clap definitions of the command line: commands, options and their help. Each command is implemented in the
//! module of the same name.

use super::examples::EXAMPLES;
use super::help;
use crate::report::DiffStyle;
use clap::builder::PossibleValuesParser;
use clap::{Args as Arguments, ColorChoice, Parser, Subcommand, ValueEnum};
use rebut_engine::Shard;
use rebut_packages::JUDGE_NAMES;
use rebut_toolchain::LanguageStandard;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Finds the smallest input that proves a contest submission wrong.
#[derive(Debug, Parser)]
#[command(name = "rebut", version, max_term_width = 100, styles = help::STYLES, override_help = help::style_overview())]
pub(super) struct CliArgs {
    #[command(subcommand)]
    pub(super) command: CliCommand,
    #[command(flatten)]
    pub(super) global: GlobalArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum CliCommand {
    /// Search for an input on which a submission fails, and shrink it
    Stress(StressArgs),
    /// Merge the shards of a command: the result is that of one machine
    ///
    /// The journals name the command that wrote them; the merge makes its plan again, so it is run in the same folder.
    Merge(MergeArgs),
    /// Run the shards of a command on the workers of HyperQueue, and merge them
    ///
    /// The command is that of one machine, with a journal in a folder that all workers share.
    Campaign(CampaignArgs),
    /// Search like `stress`, and print nothing but the smallest failing input, ready to be pasted as a hack
    Hack(StressArgs),
    /// Shrink any failing input file
    Shrink(ShrinkArgs),
    /// Run a finding again
    Replay(ReplayArgs),
    /// Print valid inputs
    Generate(GenerateArgs),
    /// Print every valid input, the smallest first, or count them
    Enumerate(EnumerateArgs),
    /// Check whether files are valid inputs
    Validate(ValidateArgs),
    /// Draw an input: its boards, arrays, trees, graphs and points, as characters or as a picture
    Show(ShowArgs),
    /// Run all submissions of packages on all their test cases, and compare with what is expected of each
    Verify(VerifyCommandArgs),
    /// Compare two reports of verify, and list what changed
    ///
    /// The exit status is 1 if a verdict changed, or if there are other submissions or test cases.
    Compare(CompareArgs),
    /// Report how strong the test set of a package is: what survives it, and which tests are redundant
    ///
    /// The exit status is 1 if a wrong submission or a trivial program passes every test, or with `--min` if the score
    /// is lower.
    Strength(StrengthArgs),
    /// Run one submission on all test cases of a package
    Run(RunArgs),
    /// Measure how the cost of submissions grows with the sizes of their input
    Complexity(ComplexityArgs),
    /// Make a folder of each problem that the browser extension Competitive Companion sends
    ///
    /// It listens on this computer only, and refuses requests of pages. Nothing that exists is overwritten.
    Listen(ListenArgs),
    /// Run a submission on the samples next to it, and show the first difference
    Test(TestArgs),
    /// Infer the format of inputs from samples
    ///
    /// Prints a format that accepts all samples. A choice that they leave open is a question at the end of the output,
    /// with the other format; the exit status is then 1.
    Infer(InferArgs),
    /// Make new packages, complete with a small problem to be changed
    New(NewArgs),
    /// Make a package from one of Polygon, from a problem of library-checker, or from a folder with a validator
    Import(ImportArgs),
    /// Export a package in the format of another judge system
    Export(ExportArgs),
    /// Explain, describe, tidy or convert a format
    #[command(subcommand, long_about = help::FORMAT_LANGUAGE)]
    Format(FormatCommand),
    /// Build the test set of a problem from its recipe, `tests.toml`
    Build(BuildArgs),
    /// Compare an output with an answer, or list the checkers
    #[command(after_help = help::list_checkers())]
    Check(CheckArgs),
    /// List the shapes of generated arrays, texts and boards
    Shapes,
    /// Explain a diagnostic: its cause, and how to repair it
    Explain(ExplainCodeArgs),
    /// Report sandbox layers and compilers found
    Doctor(DoctorArgs),
    /// Print the script with which a shell completes commands and options
    Completions(CompletionsArgs),
    /// Start the language server for editors, on the standard streams
    ///
    /// It speaks the Language Server Protocol about formats and recipes; editors start it. The exit status is 1 if the
    /// editor ends it without `shutdown`.
    Lsp(LspArgs),
    /// Write the manual pages, one for each command
    Man(ManArgs),
}

/// The options of `rebut completions`.
#[derive(Debug, Arguments)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(super) shell: clap_complete::Shell,
}

/// The options of `rebut man`.
#[derive(Debug, Arguments)]
pub(super) struct ManArgs {
    /// The folder for the pages; it is made if it is missing
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
}

/// The options of `rebut listen`.
#[derive(Debug, Arguments)]
pub(super) struct ListenArgs {
    /// The folder for the folders of problems
    #[arg(value_name = "DIR", default_value = ".")]
    pub(super) folder: PathBuf,
    /// Port that the extension sends to: 10043, or 1327, 4244, 6174, 10042, 10045, 27121, or one of its settings; 0 for
    /// any that is free
    #[arg(long, value_name = "N", default_value_t = 10043)]
    pub(super) port: u16,
    /// End after the first click: a problem, or all problems of a contest
    #[arg(long)]
    pub(super) once: bool,
}

/// The options of `rebut lsp`.
#[derive(Debug, Arguments)]
pub(super) struct LspArgs {
    /// The standard streams are the only ones, but many editors name them
    #[arg(long, hide = true)]
    pub(super) stdio: bool,
}

/// `rebut doctor` has no options of its own.
#[derive(Debug, Arguments)]
pub(super) struct DoctorArgs {}

/// The commands of `rebut format`.
#[derive(Debug, Subcommand)]
pub(super) enum FormatCommand {
    /// Show how a format was understood
    Explain(ExplainArgs),
    /// Print the Input and Constraints sections of the statement
    Describe(FormatDescribeArgs),
    /// Rewrite formats in normal form: indentation, spaces, one item per line
    Fmt(FormatFmtArgs),
    /// Convert a checktestdata script to a format
    ///
    /// What a format cannot express becomes a comment, with a warning; the exit status is then 1.
    #[command(name = "from-ctd")]
    FromCtd(FromCtdArgs),
    /// Convert a validator with testlib to a format, and try both on the same inputs
    ///
    /// What a format cannot express becomes a comment, with a warning, and the validator stays as a filter; the exit
    /// status is then 1.
    #[command(name = "from-testlib")]
    FromTestlib(FromTestlibArgs),
    /// Print a validator with testlib
    ///
    /// What it does not check is a comment, with a warning; the exit status is then 1.
    #[command(name = "to-testlib")]
    ToTestlib(FormatArgs),
    /// Make a format of the parameters of a method, as LeetCode has it: `class Solution` in C++, Python or Java
    #[command(name = "from-signature")]
    FromSignature(FromSignatureArgs),
    /// Print code that reads the input, to begin a solution with
    Reader(FormatReaderArgs),
}

/// Options of every command.
#[derive(Clone, Debug, Arguments)]
#[command(next_help_heading = "Global options")]
pub(super) struct GlobalArgs {
    /// Number of parallel jobs; results do not depend on it [default: all processors]
    #[arg(long, short, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,
    /// Write every event as a line of JSON to a file, or to the standard output with `-`
    #[arg(long, global = true, value_name = "PATH")]
    pub(super) json: Option<PathBuf>,
    /// When to use colors
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColorChoice,
    /// Print more: compiler command lines, failures as they happen
    #[arg(long, short, global = true)]
    pub(super) verbose: bool,
    /// Print only results, warnings and errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Run nothing unless every layer of the sandbox is available (see `rebut doctor`)
    #[arg(long, global = true)]
    pub(super) require_isolation: bool,
    /// Language standard of C or C++: c++17, gnu++14, c11 [default: gnu++20, gnu17; older ones if these fail]
    #[arg(long, global = true, value_name = "STANDARD", value_parser = LanguageStandard::parse)]
    pub(super) std: Vec<LanguageStandard>,
    /// The standard of C++ and the memory limit of this judge, unless `--std`, the package or `--memory-limit` say other
    #[arg(long, global = true, value_name = "JUDGE", value_parser = JUDGE_NAMES)]
    pub(super) judge: Option<String>,
    /// Folder with headers that C and C++ sources include, such as `testlib.h`
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) include: Vec<PathBuf>,
    /// Processor time limit for each compilation
    #[arg(long, global = true, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub(super) compile_time: Duration,
    /// Memory limit for each compilation in MiB
    #[arg(long, global = true, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    pub(super) compile_memory: u64,
    /// Show inputs in full, and all lines that differ
    #[arg(long, global = true)]
    pub(super) all: bool,
    /// How to show the difference between the expected and the actual output
    #[arg(long, global = true, value_name = "STYLE", default_value = "auto")]
    pub(super) diff: DiffArg,
    /// The file with the defaults of these options.
    #[arg(skip)]
    pub(super) settings: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffArg {
    Auto,
    SideBySide,
    Inline,
}

impl From<DiffArg> for DiffStyle {
    fn from(diff: DiffArg) -> DiffStyle {
        match diff {
            DiffArg::Auto => DiffStyle::Auto,
            DiffArg::SideBySide => DiffStyle::SideBySide,
            DiffArg::Inline => DiffStyle::Inline,
        }
    }
}

/// Options that select where inputs come from.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Inputs")]
pub(super) struct InputArgs {
    /// Problem package, with its format, limits, reference and validators
    #[arg(long, short, value_name = "DIR")]
    pub(super) problem: Option<PathBuf>,
    /// File with the format of inputs
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["input", "generator"])]
    pub(super) format: Option<PathBuf>,
    /// The format of inputs itself: 'n; a[n] where 1<=n<=8; -9<=a<=9'
    #[arg(long, short, value_name = "TEXT", conflicts_with = "generator")]
    pub(super) input: Option<String>,
    /// Whether that was inferred from samples.
    #[arg(skip)]
    pub(super) is_guessed: bool,
    #[command(flatten)]
    pub(super) narrowing: NarrowingArgs,
    /// Program that prints an input; its last argument is a seed. It shrinks if it takes its choices from rebut, through
    /// rebut.h, rebut.py or rebut.rs (see docs/reference/choices.md)
    #[arg(long, short, value_name = "COMMAND")]
    pub(super) generator: Option<String>,
    /// Program that reads an input and exits with 42 (or 0) to accept it, 43 (or 1 to 3) to refuse it
    #[arg(long, value_name = "COMMAND")]
    pub(super) validator: Vec<String>,
}

impl InputArgs {
    /// Returns true if the command line does not name where inputs come from.
    pub(super) fn has_no_source(&self) -> bool {
        self.problem.is_none() && self.format.is_none() && self.input.is_none() && self.generator.is_none()
    }
}

/// Restrictions on inputs in addition to the format.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Inputs")]
pub(super) struct NarrowingArgs {
    /// Additional constraint on inputs: 'n <= 8'
    #[arg(long = "where", value_name = "CONSTRAINT", allow_hyphen_values = true)]
    pub(super) constraints: Vec<String>,
    /// Value of a field or a named constant: 'n=5'
    #[arg(long = "let", value_name = "NAME=VALUE")]
    pub(super) lets: Vec<String>,
    /// Apply the constraints of a subtask of the format
    #[arg(long, value_name = "NAME")]
    pub(super) subtask: Option<String>,
}

/// Options that select how programs are judged.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Judging")]
pub(super) struct JudgeArgs {
    /// Solution that prints the answers [default: the package's, or `brute.*`, `naive.*` or `slow.*` next to the
    /// submission]
    #[arg(long, short, value_name = "FILE")]
    pub(super) reference: Option<PathBuf>,
    /// How outputs are compared: tokens, exact, lines, numbers:1e-6, unordered-lines, ... (`rebut check` lists all); or
    /// a program that judges them, such as check.cpp or check.py (see docs/checkers.md)
    #[arg(long, short, value_name = "CHECKER")]
    pub(super) checker: Option<String>,
    /// Program that submissions of an interactive problem talk to; it replaces the reference
    #[arg(long, value_name = "FILE", conflicts_with = "checker")]
    pub(super) interactor: Option<PathBuf>,
    /// Processor time limit for a submission [default: the package's, or 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(super) time_limit: Option<Duration>,
    /// Memory limit for a submission in MiB [default: the package's, or 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(super) memory_limit: Option<u64>,
    /// Where the memory limit is from, unless the command line states it.
    #[arg(skip)]
    pub(super) memory_limit_origin: Option<&'static str>,
    /// Processor time limit for the reference; inputs on which it exceeds that are skipped [default: 10s or more, but a fifth
    /// of the time of a search]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(super) reference_time: Option<Duration>,
    /// Files in which submissions and the reference read their input and write their output, if they do not use the standard
    /// streams [default: those of `problem.json`]
    #[arg(long, num_args = 2, value_names = ["IN", "OUT"])]
    pub(super) files: Option<Vec<String>>,
    /// How programs are run: `auto` uses loaded processes again if possible and confirms each failure in a new process;
    /// `exec` starts a new process for each run
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub(super) engine: EngineArg,
}

/// How programs are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum EngineArg {
    #[default]
    Auto,
    Exec,
}

/// Growth up to which the inputs of a search are drawn from the first one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InitialGrowthArg {
    Measured,
    /// Between 0 and 100.
    Stated(u32),
}

/// Options for findings.
#[derive(Clone, Debug, Arguments)]
#[command(next_help_heading = "Findings")]
pub(super) struct FindingArgs {
    /// Time limit for shrinking each finding [default: 20s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    shrink_time: Option<Duration>,
    /// Time limit for trying every smaller input, to prove that the shrunk input is the smallest; `0s` for no proof
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = parse_duration)]
    pub(super) certify: Duration,
    /// Shrink to any failure, not only to one of the same kind
    #[arg(long)]
    pub(super) any_failure: bool,
    /// Folder for findings
    #[arg(long, value_name = "DIR", default_value = "findings")]
    pub(super) findings: PathBuf,
    /// Do not save findings
    #[arg(long, conflicts_with = "findings")]
    pub(super) no_save: bool,
    /// How to treat failures that cannot be reproduced: only report them, or also exit with status 1
    #[arg(long, value_name = "WHAT", default_value = "report")]
    pub(super) flaky: FlakyArg,
}

impl FindingArgs {
    /// Returns the time limit for shrinking a finding.
    pub(super) fn shrink_time(&self) -> Duration {
        const USUAL_SHRINK_TIME: Duration = Duration::from_secs(20);
        self.shrink_time.unwrap_or(USUAL_SHRINK_TIME)
    }

    /// Returns the time for shrinking and proving the findings of a search of this time: twice that, and ten seconds for each
    /// at least, or what the options ask for.
    pub(super) fn time_after_search(&self, search: Duration, findings: usize) -> Duration {
        const MIN_TIME: Duration = Duration::from_secs(10);
        let asked = self.shrink_time.unwrap_or_default() + self.certify;
        (search * 2).max(MIN_TIME.max(asked) * u32::try_from(findings).unwrap_or(u32::MAX))
    }
}

/// How to treat failures that cannot be reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FlakyArg {
    Report,
    Fail,
}

#[derive(Clone, Debug, Arguments)]
#[command(mut_args(|arg| with_shard_help(arg, SEARCH_WORDS)))]
pub(super) struct StressArgs {
    /// Submissions to test: sources, executables, or names within the package [default: `sol.*` in this folder; with
    /// `--problem`, its accepted submissions and the wrong ones that survive its test set, or with `--exhaustive` all]
    #[arg(value_name = "SUBMISSION")]
    pub(super) submissions: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    #[command(flatten)]
    pub(super) judging: JudgeArgs,
    #[command(flatten)]
    pub(super) finding: FindingArgs,
    /// Add found inputs to the package's recipe, or to its test cases if it has no recipe
    #[arg(long, requires = "problem", conflicts_with = "no_save", help_heading = "Findings")]
    pub(super) save: bool,
    /// Time limit for the search [default: 60s, or none with `--journal`]
    #[arg(long, short, value_name = "TIME", value_parser = parse_duration, help_heading = "Search")]
    pub(super) time: Option<Duration>,
    /// Maximum number of inputs to try
    #[arg(long, short = 'n', value_name = "N", help_heading = "Search")]
    pub(super) cases: Option<u64>,
    /// Exit with status 1 if fewer test cases than this were tried
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub(super) min_cases: Option<u64>,
    /// Seed of all random choices, in hexadecimal [default: a new one]
    #[arg(long, short, value_name = "SEED", value_parser = parse_seed, help_heading = "Search")]
    pub(super) seed: Option<u64>,
    /// Growth up to which the sizes of the first inputs are drawn, from 0 (tiny) to 100, or `measured`: as large as takes
    /// hardly longer where runs are expensive [default: measured, but 0 with `--journal`]
    #[arg(long, value_name = "N", value_parser = parse_initial_growth, conflicts_with_all = ["exhaustive", "slow"], help_heading = "Search")]
    pub(super) initial_growth: Option<InitialGrowthArg>,
    /// Continue after a failure, to find failures of other kinds
    #[arg(long, short, help_heading = "Search")]
    pub(super) keep_going: bool,
    /// Shape of all generated arrays, texts and boards (see `rebut shapes`)
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub(super) shape: Option<String>,
    /// Try every input, the smallest first, instead of random ones; restrict them with `--let N=3` or `--where`
    #[arg(long, conflicts_with_all = ["shape", "generator", "max_elements"], help_heading = "Search")]
    pub(super) exhaustive: bool,
    /// Search for inputs of full size on which the submission is too slow or fails otherwise, by the work that it does on
    /// small ones
    #[arg(long, conflicts_with_all = ["exhaustive", "generator", "interactor", "cases", "min_cases", "keep_going", "max_elements", "journal"], help_heading = "Search")]
    pub(super) slow: bool,
    /// Approximate maximum number of numbers and characters in an input, or in a case of it [default: 2000 in most, up
    /// to a million in some]
    #[arg(long, alias = "most-elements", value_name = "N", help_heading = "Search")]
    pub(super) max_elements: Option<usize>,
    /// Search for an input on which this holds of several submissions: 'a fails and b passes', 'answer(a) != answer(b)',
    /// 'time(slow) > 3 * time(fast)', 'a is WA or not (score(b) < 50)'
    #[arg(long, value_name = "EXPRESSION", conflicts_with_all = ["slow", "keep_going"], help_heading = "Search")]
    pub(super) find: Option<String>,
    /// Search again whenever a source, a format or a sample changes, until ^C
    #[arg(long, conflicts_with_all = ["json", "journal"], help_heading = "Search")]
    pub(super) watch: bool,
    #[command(flatten)]
    pub(super) shards: ShardArgs,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
}

impl StressArgs {
    /// Returns the time limit of a search without a journal.
    pub(super) fn search_time(&self) -> Duration {
        const USUAL_SEARCH_TIME: Duration = Duration::from_secs(60);
        self.time.unwrap_or(USUAL_SEARCH_TIME)
    }
}

/// The options of `rebut campaign`.
#[derive(Debug, Arguments)]
pub(super) struct CampaignArgs {
    /// System that runs the tasks, through its own program `hq`
    #[arg(long, value_name = "SYSTEM", default_value = "hq", help_heading = "Campaign")]
    pub(super) on: CampaignSystem,
    /// Number of shards, which is that of the tasks [default: 4 for each worker that is connected]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Campaign")]
    pub(super) shards: Option<u32>,
    /// Stop at the first failure of any shard, although an earlier input may fail as well
    #[arg(long, help_heading = "Campaign")]
    pub(super) stop_at_failure: bool,
    /// `stress`, `verify`, `strength`, `build` or `replay` with its arguments and `--journal DIR`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(super) command: Vec<OsString>,
}

/// A system that runs tasks on several machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CampaignSystem {
    /// HyperQueue
    Hq,
}

/// The options of `rebut merge`.
#[derive(Debug, Arguments)]
pub(super) struct MergeArgs {
    /// Journals: folders, folders that hold several, or zip archives of either
    #[arg(required = true, value_name = "JOURNAL")]
    pub(super) journals: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct ComplexityArgs {
    /// Submissions to measure: sources, executables, or names within the package
    #[arg(required = true, value_name = "SUBMISSION")]
    pub(super) submissions: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    /// Shape of all generated arrays, texts, boards and graphs [default: ordinary ones, and those that cost the most]
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(super) shape: Option<String>,
    /// Seed of the inputs, in hexadecimal
    #[arg(long, short, value_name = "SEED", value_parser = parse_seed, default_value = "1", help_heading = "Inputs")]
    pub(super) seed: u64,
    /// Processor time limit that predictions are compared with [default: the package's, or 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(super) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(super) page: HtmlArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct ShrinkArgs {
    /// Failing input; `-` for the standard input
    pub(super) file: PathBuf,
    /// Submission that fails on it
    pub(super) submission: PathBuf,
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    #[command(flatten)]
    pub(super) judging: JudgeArgs,
    #[command(flatten)]
    pub(super) finding: FindingArgs,
}

#[derive(Debug, Arguments)]
#[command(mut_args(|arg| with_shard_help(arg, TABLE_WORDS)))]
pub(super) struct VerifyCommandArgs {
    /// Problem packages, or folders of a contest, with a package for each problem
    #[arg(required = true, value_name = "DIR")]
    pub(super) problems: Vec<PathBuf>,
    /// Run only these submissions, given by their names within the package or by unique prefixes of them
    #[arg(long = "submission", short = 's', value_name = "NAME")]
    pub(super) submissions: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) how: VerifyArgs,
    /// Do not probe validators and checker with invalid inputs, wrong outputs and harmless variants
    #[arg(long)]
    pub(super) no_probes: bool,
    /// Fail, instead of only warning, if validators accept inputs that are wrong only in white space, letter case or
    /// the spelling of numbers, or if the checker is strict about white space
    #[arg(long, conflicts_with = "no_probes")]
    pub(super) strict: bool,
    /// Measure whether the cost of submissions that must be too slow grows faster than that of an accepted one, or is
    /// larger by a factor only
    #[arg(long)]
    pub(super) growth: bool,
    /// Write the time limit that the measured times require into `problem.yaml`, and keep the rest of it
    #[arg(long, conflicts_with_all = ["submissions", "journal"])]
    pub(super) write_limit: bool,
    #[command(flatten)]
    pub(super) shards: ShardArgs,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
}

/// How several machines share the work of a command, which replaces the help.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Shards")]
pub(super) struct ShardArgs {
    #[arg(long, value_name = "DIR")]
    pub(super) journal: Option<PathBuf>,
    #[arg(long, value_name = "K/N", requires = "journal", value_parser = parse_shard)]
    pub(super) shard: Option<Shard>,
    #[arg(long, value_name = "N", requires = "journal", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) block: Option<u64>,
}

/// Words of the help of [`ShardArgs`]: what is kept, and not done again; what is done with a part of the blocks, and with
/// all; what a block has.
type ShardWords = [&'static str; 5];

const SEARCH_WORDS: ShardWords = [
    "Write the result of each block of inputs",
    "run",
    "Run",
    "draws the conclusion",
    "inputs in a block [default: 16 to 4096, or 256 with `--exhaustive`]",
];

const TABLE_WORDS: ShardWords = [
    "Write the verdicts of each block of runs",
    "run",
    "Run",
    "draws the conclusion",
    "runs in a block [default: 1 to 64]",
];

const MUTANT_WORDS: ShardWords =
    ["Write the result of each block of runs and mutants", "run", "Run", "makes the report", "mutants in a block"];

const BUILD_WORDS: ShardWords =
    ["Write each block of tests", "made", "Make", "writes the test set", "tests in a block [default: 1 to 64]"];

const PROOF_WORDS: ShardWords = [
    "Try every smaller input without a time limit, and write the result of each block",
    "run",
    "Run",
    "draws up the certificate",
    "inputs in a block [default: 256]",
];

/// Sets the help of an option of [`ShardArgs`].
fn with_shard_help(arg: clap::Arg, [kept, done, verb, conclusion, length]: ShardWords) -> clap::Arg {
    match arg.get_id().as_str() {
        "journal" => {
            arg.help(format!("{kept} to a file in this folder; blocks that are there already are not {done} again"))
        }
        "shard" => arg.help(format!(
            "{verb} only one of N parts of the blocks, as one of several machines; `rebut merge` {conclusion} [default: \
             from the variables of Slurm, GitLab, ..., or 1/1]"
        )),
        "block" => arg.help(format!("Number of {length}")),
        _ => arg,
    }
}

/// Reports for CI systems and browsers.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Reports")]
pub(super) struct ReportArgs {
    /// Write a JUnit report, with a test for each submission and for each test set that is built
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Print annotations for GitHub Actions, and append to the summary of the step
    #[arg(long)]
    pub(super) github: bool,
    #[command(flatten)]
    pub(super) page: HtmlArgs,
}

impl CliCommand {
    /// Returns how machines share the work of the command, if they can, and its reports if it has options for them.
    pub(super) fn shared_work(&mut self) -> Option<(&mut ShardArgs, Option<&mut ReportArgs>)> {
        match self {
            CliCommand::Stress(args) => Some((&mut args.shards, Some(&mut args.reports))),
            CliCommand::Verify(args) => Some((&mut args.shards, Some(&mut args.reports))),
            CliCommand::Strength(args) => Some((&mut args.shards, Some(&mut args.reports))),
            CliCommand::Build(args) => Some((&mut args.shards, Some(&mut args.reports))),
            CliCommand::Replay(args) => Some((&mut args.shards, None)),
            _ => None,
        }
    }

    /// Returns true if nothing is to be used that was compiled or run earlier.
    pub(super) fn ignores_cache(&self) -> bool {
        match self {
            CliCommand::Verify(VerifyCommandArgs { how, .. })
            | CliCommand::Strength(StrengthArgs { how, .. })
            | CliCommand::Run(RunArgs { how, .. })
            | CliCommand::Test(TestArgs { how, .. }) => how.no_cache,
            _ => false,
        }
    }
}

/// The report as a page.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Reports")]
pub(super) struct HtmlArgs {
    /// Write a report as one HTML page, which needs no other file and no network
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
}

/// How submissions are run on test cases.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Verifying")]
pub(super) struct VerifyArgs {
    /// Ignore results of earlier runs
    #[arg(long)]
    pub(super) no_cache: bool,
    /// Show a table with the processor time of each submission on each test case
    #[arg(long)]
    pub(super) times: bool,
    /// Judge in place of the package's.
    #[arg(skip)]
    pub(super) checker: Option<String>,
    /// Stop running a submission as soon as it is certain whether it meets its expectation
    #[arg(long)]
    pub(super) lazy: bool,
    /// Processor time limit for a submission [default: the package's, or derived from the slowest accepted submission]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(super) time_limit: Option<Duration>,
    /// Memory limit for a submission in MiB [default: the package's, or 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(super) memory_limit: Option<u64>,
    /// Where the memory limit is from, unless the command line states it.
    #[arg(skip)]
    pub(super) memory_limit_origin: Option<&'static str>,
}

/// Number of tests that kill each wrong program in the selection of tests, unless it is stated.
pub(super) const DEFAULT_KILL_DEPTH: u8 = 5;

#[derive(Debug, Arguments)]
#[command(mut_args(|arg| with_shard_help(arg, MUTANT_WORDS)))]
#[command(mut_args(|arg| if arg.get_id() == "block" { arg.default_value("8") } else { arg }))]
pub(super) struct StrengthArgs {
    /// Problem package
    #[arg(value_name = "DIR")]
    pub(super) problem: PathBuf,
    /// Exit with status 1 if the score is below this, and otherwise with 0
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub(super) min: Option<f64>,
    /// Number of tests that kill each wrong program in the smallest selection of tests
    #[arg(long, value_name = "N", default_value_t = DEFAULT_KILL_DEPTH, value_parser = clap::value_parser!(u8).range(1..))]
    pub(super) depth: u8,
    /// Maximum number of mutants of accepted submissions that are tried; 0 for none
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(super) mutants: usize,
    /// Add the inputs that kill surviving mutants to the package's recipe, or to its test cases if it has no recipe
    #[arg(long, conflicts_with = "journal")]
    pub(super) save: bool,
    /// Write the mutants to FILE, in the JSON of mutation testing reports that Stryker's viewers show
    #[arg(long, value_name = "FILE")]
    pub(super) mutation_report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) how: VerifyArgs,
    #[command(flatten)]
    pub(super) shards: ShardArgs,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct RunArgs {
    /// Source, executable, or name within the package
    pub(super) submission: PathBuf,
    /// Problem package
    #[arg(value_name = "DIR")]
    pub(super) problem: PathBuf,
    #[command(flatten)]
    pub(super) how: VerifyArgs,
    #[command(flatten)]
    pub(super) page: HtmlArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct TestArgs {
    /// Source or executable [default: `sol.*` in this folder]
    pub(super) submission: Option<PathBuf>,
    /// Sample inputs, or folders with them; answers are beside them [default: those beside the submission, or in
    /// `tests`, `test`, `samples` or `data/sample` there]
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(super) samples: Vec<PathBuf>,
    /// Print the paths of the samples and of their answers, and run nothing
    #[arg(long)]
    pub(super) list: bool,
    /// Files in which the submission reads its input and writes its output, if it does not use the standard
    /// streams [default: those of `problem.json`]
    #[arg(long, num_args = 2, value_names = ["IN", "OUT"])]
    pub(super) files: Option<Vec<String>>,
    /// Accept numbers with this absolute or relative error
    #[arg(long, value_name = "ERROR", value_parser = parse_tolerance, conflicts_with = "checker")]
    pub(super) tolerance: Option<f64>,
    /// How outputs are compared: tokens, exact, lines, numbers:1e-6, unordered-lines, ... (`rebut check` lists all); or
    /// a program that judges them, such as check.cpp or check.py (see docs/checkers.md)
    #[arg(long, short, value_name = "CHECKER")]
    pub(super) checker: Option<String>,
    #[command(flatten)]
    pub(super) how: VerifyArgs,
    #[command(flatten)]
    pub(super) page: HtmlArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct InferArgs {
    /// Sample inputs, or folders with them [default: those in this folder, or in `tests`, `test`, `samples` or
    /// `data/sample`]
    #[arg(value_name = "SAMPLE")]
    pub(super) samples: Vec<PathBuf>,
    /// Program that prints an input; its last argument is a seed. Its outputs are samples as well
    #[arg(long, short, value_name = "COMMAND")]
    pub(super) generator: Option<String>,
    /// Input section of the statement, for names and bounds: text, Markdown, HTML or LaTeX; `-` for the standard input
    #[arg(long, value_name = "FILE")]
    pub(super) statement: Option<PathBuf>,
    /// Take the statement from the clipboard, with the formulas of the page if the system keeps them
    #[arg(long, conflicts_with = "statement")]
    pub(super) clipboard: bool,
    /// Accepted solution; formats with inputs that it does not read to their ends are left out
    #[arg(long, value_name = "FILE")]
    pub(super) solution: Option<PathBuf>,
    /// Program that reads the language, the statement and the samples, and prints a format, such as a local language
    /// model. Its format is used if it accepts all samples and the solution reads its inputs
    #[arg(long, value_name = "COMMAND")]
    pub(super) propose: Option<String>,
    /// Write the format to a file instead of the standard output
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
pub(super) struct NewArgs {
    /// Folders of the new packages; they must not exist yet
    #[arg(required = true, value_name = "NAME")]
    pub(super) names: Vec<PathBuf>,
    /// Make the packages in the folder of a new contest, with the list of its problems, `problems.yaml`
    #[arg(long, value_name = "DIR")]
    pub(super) contest: Option<PathBuf>,
    /// Language of submissions and generator
    #[arg(long, value_name = "LANGUAGE", default_value = "cpp")]
    pub(super) language: NewLanguageArg,
    /// Begin with a problem of this kind, in Python: its format, a right and a wrong submission, and its checker or
    /// interactor
    #[arg(long, value_name = "KIND", conflicts_with = "language", value_parser = PossibleValuesParser::new(EXAMPLES.map(|example| example.kind)))]
    pub(super) kind: Option<String>,
    /// Begin with this format: its description in the statement, and a submission that reads its input
    #[arg(long, short, value_name = "FORMAT", conflicts_with = "kind")]
    pub(super) format: Option<PathBuf>,
    /// Dialect of the packages
    #[arg(long = "as", value_name = "DIALECT", default_value = "2025-09")]
    pub(super) dialect: NewDialectArg,
}

/// Languages of new packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NewLanguageArg {
    /// C++
    Cpp,
    /// Python 3
    Python,
}

/// Dialects of new packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NewDialectArg {
    /// The legacy problem package format, as read by Kattis and DOMjudge
    Legacy,
    /// Version 2025-09 of the problem package format
    #[value(name = "2025-09")]
    V2025,
}

#[derive(Debug, Arguments)]
pub(super) struct ImportArgs {
    /// Package of Polygon, as a folder or a zip archive, a folder with the `info.toml` of library-checker, or one with
    /// `validator.cpp` and `correct*` solutions
    pub(super) source: PathBuf,
    /// Folder of the new package; it must not exist yet
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
}

#[derive(Debug, Arguments)]
pub(super) struct ExportArgs {
    /// Problem package
    #[arg(value_name = "DIR")]
    pub(super) problem: PathBuf,
    /// Format of the exported package
    #[arg(long = "as", value_name = "DIALECT")]
    pub(super) dialect: ExportAsArg,
    /// Folder that does not exist yet, or a file that ends in `.zip`
    #[arg(long, short, value_name = "PATH")]
    pub(super) out: PathBuf,
}

/// Formats that a package can be exported in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportAsArg {
    /// The legacy problem package format, as read by Kattis and BAPCtools
    Legacy,
    /// Version 2025-09 of the problem package format
    #[value(name = "2025-09")]
    V2025,
    /// A package for DOMjudge
    Domjudge,
    /// A package for Polygon, with a validator written with testlib
    Polygon,
}

#[derive(Debug, Arguments)]
#[command(mut_args(|arg| with_shard_help(arg, PROOF_WORDS)))]
pub(super) struct ReplayArgs {
    /// Folder of a finding
    pub(super) finding: PathBuf,
    /// Submission to run instead of the recorded one
    #[arg(long, value_name = "FILE")]
    pub(super) submission: Option<PathBuf>,
    /// Reference to use instead of the recorded one
    #[arg(long, value_name = "FILE")]
    pub(super) reference: Option<PathBuf>,
    /// Time limit for trying every smaller input again, to prove that this one is the smallest
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with = "journal")]
    pub(super) certify: Option<Duration>,
    /// First add the input to the tests of this package, or to the samples in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "journal")]
    pub(super) save: Option<PathBuf>,
    #[command(flatten)]
    pub(super) shards: ShardArgs,
}

/// Options that select a format, for commands that need nothing else.
#[derive(Clone, Debug, Arguments)]
pub(super) struct FormatArgs {
    /// File of a format, or folder of a problem
    #[arg(required_unless_present = "input", conflicts_with = "input")]
    pub(super) target: Option<PathBuf>,
    /// The format itself: 'n; a[n] where 1<=n<=8; -9<=a<=9'
    #[arg(long, short, value_name = "TEXT")]
    pub(super) input: Option<String>,
    #[command(flatten)]
    pub(super) narrowing: NarrowingArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// Seed of all random choices, in hexadecimal
    #[arg(long, short, value_name = "SEED", default_value = "1", value_parser = parse_seed)]
    pub(super) seed: u64,
    /// Number of inputs
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) count: u64,
    /// Shape of all generated arrays, texts and boards (see `rebut shapes`)
    #[arg(long, value_name = "NAME")]
    pub(super) shape: Option<String>,
    /// Make every size as small as possible; without sizes, the numbers that bound others
    #[arg(long, conflicts_with = "max")]
    pub(super) min: bool,
    /// Make every size as large as possible, and then every single number
    #[arg(long)]
    pub(super) max: bool,
    /// Generate invalid inputs, which break one constraint or one rule of the layout each, and report validators that
    /// accept one
    #[arg(long, conflicts_with_all = ["count", "shape", "min", "max", "growth"])]
    pub(super) invalid: bool,
    /// Size of the inputs: 0 is tiny, 100 reaches every bound
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(super) growth: u32,
    /// Give up if no input is found in this time, and show the one that comes closest [default: 20s, with --invalid 8s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(super) time: Option<Duration>,
    /// Write files 1.in, 2.in, ... to a folder; with --invalid, one file for each mistake and an index
    #[arg(long, short, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Print statistics of a sample instead of inputs: different answers, bounds never reached [default: 500 inputs]
    #[arg(long, conflicts_with_all = ["out", "min", "max"])]
    pub(super) profile: bool,
    /// Solution that prints the counted answers [default: the package's]
    #[arg(long, short, value_name = "FILE", requires = "profile")]
    pub(super) reference: Option<PathBuf>,
    /// Write rebut.h, rebut.py, rebut.rs and rebut_testlib.h to a folder, through which generators take their choices from
    /// rebut, so that their findings shrink
    #[arg(long, value_name = "DIR", exclusive = true)]
    pub(super) helpers: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// Seed of the sample, in hexadecimal
    #[arg(long, short, value_name = "SEED", default_value = "1", value_parser = parse_seed)]
    pub(super) seed: u64,
}

#[derive(Debug, Arguments)]
pub(super) struct EnumerateArgs {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// Maximum number of numbers and characters in an input
    #[arg(long, short, value_name = "N")]
    pub(super) size: Option<usize>,
    /// Maximum number of inputs; the smallest come first
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) limit: Option<u64>,
    /// Print only the number of inputs
    #[arg(long, short = 'n', conflicts_with_all = ["limit", "out"])]
    pub(super) count: bool,
    /// Write files 1.in, 2.in, ... to a folder
    #[arg(long, short, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
pub(super) struct ValidateArgs {
    /// File of a format, or folder of a problem; with --input, the first file to check
    pub(super) target: PathBuf,
    /// Files to check; `-` for the standard input
    pub(super) files: Vec<PathBuf>,
    /// The format itself
    #[arg(long, short, value_name = "TEXT")]
    pub(super) input: Option<String>,
    #[command(flatten)]
    pub(super) narrowing: NarrowingArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct CompareArgs {
    /// Earlier report, as `rebut verify --json FILE` writes it
    pub(super) before: PathBuf,
    /// Later report
    pub(super) after: PathBuf,
    #[command(flatten)]
    pub(super) page: HtmlArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct ShowArgs {
    /// File of a format, or folder of a problem
    #[arg(value_name = "FORMAT")]
    pub(super) target: PathBuf,
    /// Input to draw; `-` for the standard input
    pub(super) file: PathBuf,
    /// Write a picture to this file, in place of characters; `-` for the standard output
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
pub(super) struct FormatDescribeArgs {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// Print Markdown with TeX formulas [default]
    #[arg(long, conflicts_with = "latex")]
    pub(super) markdown: bool,
    /// Print LaTeX that uses `amsmath`
    #[arg(long)]
    pub(super) latex: bool,
    /// Write into this statement, between a line with `rebut:begin` and one with `rebut:end`; LaTeX if it is a `.tex` file
    #[arg(long, value_name = "FILE")]
    pub(super) into: Option<PathBuf>,
    /// Change nothing, and exit with status 1 if the statement has another text between the marks
    #[arg(long, requires = "into")]
    pub(super) check: bool,
}

#[derive(Debug, Arguments)]
pub(super) struct FormatFmtArgs {
    /// Files of formats; `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Change nothing; list files that are not in normal form, and exit with status 1 if one is not
    #[arg(long, conflicts_with = "stdout")]
    pub(super) check: bool,
    /// Write to the standard output instead of the files
    #[arg(long)]
    pub(super) stdout: bool,
}

#[derive(Debug, Arguments)]
pub(super) struct FromCtdArgs {
    /// Checktestdata script; `-` for the standard input
    pub(super) file: PathBuf,
}

#[derive(Debug, Arguments)]
pub(super) struct FromTestlibArgs {
    /// Source of the validator, or the folder of its sources
    pub(super) file: PathBuf,
    /// Inputs at hand: what the validator accepts, the format must accept
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    /// Only convert: do not compile the validator
    #[arg(long, conflicts_with = "inputs")]
    pub(super) no_try: bool,
}

#[derive(Debug, Arguments)]
pub(super) struct FormatReaderArgs {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// Language of the code
    #[arg(long, value_name = "LANGUAGE", default_value = "cpp")]
    pub(super) lang: ReaderLanguageArg,
    /// Also print what was read, to try the code
    #[arg(long)]
    pub(super) echo: bool,
    /// Print a whole program, which calls the method of `class Solution` in this source with what it reads and prints the
    /// result
    #[arg(long, value_name = "SOURCE", conflicts_with_all = ["lang", "echo"])]
    pub(super) call: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
pub(super) struct FromSignatureArgs {
    /// Source in C++, Python or Java with `class Solution`
    pub(super) source: PathBuf,
}

/// The languages of readers.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ReaderLanguageArg {
    Cpp,
    Py,
    Java,
    Rs,
}

#[derive(Debug, Arguments)]
pub(super) struct ExplainCodeArgs {
    /// Code such as no-bound [default: list all codes]
    pub(super) code: Option<String>,
}

/// Without arguments, `rebut check` lists the checkers.
#[derive(Debug, Arguments)]
#[command(override_usage = "rebut check [CHECKER INPUT OUTPUT ANSWER]")]
pub(super) struct CheckArgs {
    /// Name of a checker in the list below, or a program such as check.cpp
    #[arg(requires_all = ["input", "output", "answer"])]
    pub(super) checker: Option<String>,
    /// File with the input
    pub(super) input: Option<PathBuf>,
    /// File with the output to judge
    pub(super) output: Option<PathBuf>,
    /// File with the correct answer
    pub(super) answer: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
#[command(mut_args(|arg| with_shard_help(arg, BUILD_WORDS)))]
pub(super) struct BuildArgs {
    /// Problem packages
    #[arg(required = true, value_name = "DIR")]
    pub(super) problems: Vec<PathBuf>,
    /// Write nothing; list differences from the recipe, and exit with status 1 if the test set differs
    #[arg(long)]
    pub(super) check: bool,
    /// Rebuild everything, and overwrite files that were changed by hand
    #[arg(long)]
    pub(super) force: bool,
    /// Do not verify all submissions afterwards; only accepted ones are run, on new tests
    #[arg(long)]
    pub(super) no_verify: bool,
    /// Solution that prints the answers [default: the recipe's, or the package's]
    #[arg(long, short, value_name = "FILE")]
    pub(super) reference: Option<PathBuf>,
    /// Checker that compares the answers of accepted submissions [default: the package's]
    #[arg(long, short, value_name = "CHECKER")]
    pub(super) checker: Option<String>,
    #[command(flatten)]
    pub(super) shards: ShardArgs,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
}

/// Parses a duration: `60s`, `1.5m`, `200ms`, `2h`. A number without a unit is in seconds.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        unit => return Err(format!("`{unit}` is not a unit of time: use ms, s, m or h")),
    };
    let seconds =
        digits.parse::<f64>().map_err(|_| "expected a time such as `60s`, `200ms` or `2m`".to_owned())? * scale;
    if !(0.0..=1e9).contains(&seconds) {
        return Err("expected a time between 0 and 1e9 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Parses a limit on a program's time: its unit is stated, since judges use seconds and milliseconds.
fn parse_limit(text: &str) -> Result<Duration, String> {
    match text.ends_with(|c: char| c.is_ascii_alphabetic()) {
        true => parse_duration(text),
        false => Err(format!("a unit is missing: `{text}s` or `{text}ms`?")),
    }
}

/// Parses a shard: `3/8`.
fn parse_shard(text: &str) -> Result<Shard, String> {
    let expected = || "expected the number of a shard and the number of all, such as `3/8`".to_owned();
    let (number, count) = text.split_once('/').ok_or_else(expected)?;
    let parse = |digits: &str| digits.trim().parse::<u32>().map_err(|_| expected());
    let shard = Shard { number: parse(number)?, count: parse(count)? };
    if (1..=shard.count).contains(&shard.number) { Ok(shard) } else { Err(expected()) }
}

/// Parses a percentage: `95`, `97.5`, `95%`.
fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').trim_end().parse::<f64>();
    percent.ok().filter(|p| (0.0..=100.0).contains(p)).ok_or_else(|| "expected a percentage from 0 to 100".to_owned())
}

/// Parses a tolerance: `1e-6`.
fn parse_tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse::<f64>().ok().filter(|tolerance| (0.0..1.0).contains(tolerance));
    tolerance.ok_or_else(|| "expected a number such as `1e-6`".to_owned())
}

/// Parses the growth of the first inputs.
fn parse_initial_growth(text: &str) -> Result<InitialGrowthArg, String> {
    if text == "measured" {
        return Ok(InitialGrowthArg::Measured);
    }
    let growth = text.parse().ok().filter(|growth| *growth <= 100);
    growth.map(InitialGrowthArg::Stated).ok_or_else(|| "neither a number from 0 to 100 nor `measured`".to_owned())
}

/// Parses a seed, in hexadecimal as it is printed.
fn parse_seed(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16).map_err(|_| "expected up to 16 hexadecimal digits, as in `5eedc0de`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_times_and_seeds() {
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("200ms"), Ok(Duration::from_millis(200)));
        assert_eq!(parse_limit("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_limit("1000"), Err("a unit is missing: `1000s` or `1000ms`?".to_owned()));
        assert!(parse_duration("-1s").is_err() && parse_duration("1y").is_err() && parse_duration("s").is_err());
        assert_eq!(parse_seed("5eedc0de"), Ok(0x5eed_c0de));
        assert!(parse_seed("xyz").is_err());
        assert_eq!(parse_initial_growth("40"), Ok(InitialGrowthArg::Stated(40)));
        assert_eq!(parse_initial_growth("measured"), Ok(InitialGrowthArg::Measured));
        assert!(["101", "-1", "high"].into_iter().all(|text| parse_initial_growth(text).is_err()));
        assert_eq!(parse_shard("3/8"), Ok(Shard { number: 3, count: 8 }));
        assert!(["0/8", "9/8", "3", "a/b", "-1/8"].iter().all(|text| parse_shard(text).is_err()));
        assert_eq!([parse_percent("95"), parse_percent("97.5%")], [Ok(95.0), Ok(97.5)]);
        assert!(parse_percent("101").is_err() && parse_percent("nan").is_err());
    }

    #[test]
    fn clap_definition_is_valid() {
        <CliArgs as clap::CommandFactory>::command().debug_assert();
    }
}
