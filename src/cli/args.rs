//! What can be said on the command line, and nothing of what it does.

use crate::report::DiffStyle;
use crate::run::Standard;
use clap::{Args as Arguments, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Finds the smallest input that proves a contest submission wrong.
#[derive(Debug, Parser)]
#[command(name = "rebut", version, max_term_width = 100, after_help = EXIT_STATUS)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) global: Global,
}

const EXIT_STATUS: &str = "Exit status: 0 nothing found, all as expected · 1 counterexample found · 2 usage, format or \
package wrong · 3 judge error (reference, checker or validator failed) · 4 operating failure (compiler missing, disk \
full) · 130 interrupted";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Search for an input on which a submission fails, and shrink it
    Stress(Stress),
    /// Shrink any failing input file
    Shrink(Shrink),
    /// Run a finding again
    Replay(Replay),
    /// Print valid inputs
    Generate(Generate),
    /// Print every valid input, the smallest first, or their number
    Enumerate(Enumerate),
    /// Tell whether files are valid inputs
    Validate(Validate),
    /// Run all submissions of packages on all their test cases, against what is expected of them
    Verify(Verify),
    /// Run one submission on all test cases of a package
    Run(Run),
    /// Make a package from one of Polygon, or from a problem of library-checker
    Import(Import),
    /// Make a package for other judges from one of rebut's
    Export(Export),
    /// Work on a format itself
    #[command(subcommand)]
    Format(FormatCommand),
    /// Make the test set of a problem from its recipe, `tests.toml`
    Build(Build),
    /// Compare an output with an answer, or list the checkers
    Check(Check),
    /// List the shapes that inputs are made by
    Shapes,
    /// Tell what protects this machine from the programs that are run, and which compilers there are
    Doctor(Doctor),
}

/// As JSON with `--json -`.
#[derive(Debug, Arguments)]
pub(super) struct Doctor {}

/// What can be done with a format itself.
#[derive(Debug, Subcommand)]
pub(super) enum FormatCommand {
    /// Show what a format was understood to mean
    Explain(Explain),
    /// Print the statement's Input and Constraints sections
    Describe(FormatDescribe),
    /// Write formats in their normal form: indentation, spaces, one line for each line
    Fmt(FormatFmt),
    /// Print the format of a checktestdata script
    ///
    /// What a format cannot say is warned about, and stands in a comment; the exit status is then 1.
    #[command(name = "from-ctd")]
    FromCtd(FromCtd),
}

/// Options of every command.
#[derive(Clone, Debug, Arguments)]
#[command(next_help_heading = "Global options")]
pub(super) struct Global {
    /// Workers; the result does not depend on their number [default: all processors]
    #[arg(long, short, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,
    /// Write every event as a JSON object a line to a file, or to the standard output with `-`
    #[arg(long, global = true, value_name = "PATH")]
    pub(super) json: Option<PathBuf>,
    /// Colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: When,
    /// Say more: compiler command lines, failures as they happen
    #[arg(long, short, global = true)]
    pub(super) verbose: bool,
    /// Say nothing but results, warnings and errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Run nothing unless every layer of protection is there (see `rebut doctor`)
    #[arg(long, global = true)]
    pub(super) require_isolation: bool,
    /// Compile C or C++ by this standard: c++17, gnu++14, c11 [default: gnu++20, gnu17; older ones where these fail]
    #[arg(long, global = true, value_name = "STANDARD", value_parser = Standard::parse)]
    pub(super) std: Vec<Standard>,
    /// A folder with headers that C and C++ sources include, such as `testlib.h`
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) include: Vec<PathBuf>,
    /// Processor time for each compilation
    #[arg(long, global = true, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub(super) compile_time: Duration,
    /// Memory for each compilation in MiB
    #[arg(long, global = true, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    pub(super) compile_memory: u64,
    /// Show all of an input and all lines that differ
    #[arg(long, global = true)]
    pub(super) all: bool,
    /// How the expected and the found output stand beside each other
    #[arg(long, global = true, value_name = "STYLE", default_value = "auto")]
    pub(super) diff: Diff,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Diff {
    Auto,
    SideBySide,
    Inline,
}

impl From<Diff> for DiffStyle {
    fn from(diff: Diff) -> DiffStyle {
        match diff {
            Diff::Auto => DiffStyle::Auto,
            Diff::SideBySide => DiffStyle::SideBySide,
            Diff::Inline => DiffStyle::Inline,
        }
    }
}

/// Where inputs come from.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Inputs")]
pub(super) struct InputArgs {
    /// A problem package: its format, limits, reference and validators
    #[arg(long, short, value_name = "DIR")]
    pub(super) problem: Option<PathBuf>,
    /// The format of inputs, in a file
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["input", "generator"])]
    pub(super) format: Option<PathBuf>,
    /// The format of inputs, here and now: 'n; a[n] where 1<=n<=8; -9<=a<=9'
    #[arg(long, short, value_name = "TEXT", conflicts_with = "generator")]
    pub(super) input: Option<String>,
    #[command(flatten)]
    pub(super) narrowing: Narrowing,
    /// A program that is given a seed as its last argument and prints an input
    #[arg(long, short, value_name = "COMMAND")]
    pub(super) generator: Option<String>,
    /// A program that reads an input and exits with 42 (or 0) to accept it, 43 (or 1 to 3) to refuse it
    #[arg(long, value_name = "COMMAND")]
    pub(super) validator: Vec<String>,
}

impl InputArgs {
    /// Returns true if the command line does not name where inputs come from.
    pub(super) fn is_open(&self) -> bool {
        self.problem.is_none() && self.format.is_none() && self.input.is_none() && self.generator.is_none()
    }
}

/// What is asked of inputs beyond the format.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Inputs")]
pub(super) struct Narrowing {
    /// A further constraint on inputs: 'n <= 8'
    #[arg(long = "where", value_name = "CONSTRAINT")]
    pub(super) constraints: Vec<String>,
    /// Give a field or a named constant a value: 'n=5'
    #[arg(long = "let", value_name = "NAME=VALUE")]
    pub(super) lets: Vec<String>,
    /// The constraints of a subtask of the format hold, too
    #[arg(long, value_name = "NAME")]
    pub(super) subtask: Option<String>,
}

/// How programs are judged.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Judging")]
pub(super) struct JudgeArgs {
    /// The solution that answers are taken from [default: the package's, or `brute.*`, `naive.*` or
    /// `slow.*` beside the submission]
    #[arg(long, short, value_name = "FILE")]
    pub(super) reference: Option<PathBuf>,
    /// How outputs are compared: tokens, exact, lines, numbers:1e-6, unordered-lines, ... (`rebut check` lists all), or a program
    /// that judges them: check.cpp, check.py (docs/checkers.md shows both)
    #[arg(long, short, value_name = "CHECKER")]
    pub(super) checker: Option<String>,
    /// The program that a submission of an interactive problem talks to; then no reference is needed
    #[arg(long, value_name = "FILE", conflicts_with = "checker")]
    pub(super) interactor: Option<PathBuf>,
    /// Processor time for a submission [default: the package's, or 2s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) time_limit: Option<Duration>,
    /// Memory for a submission in MiB [default: the package's, or 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(super) memory_limit: Option<u64>,
    /// Processor time for the reference; inputs on which it takes longer are skipped [default: 10s or more]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) reference_time: Option<Duration>,
    /// How programs are run: `auto` copies warm processes where it can and confirms what that finds; `exec` starts each
    /// run afresh
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

/// How findings are made.
#[derive(Clone, Debug, Arguments)]
#[command(next_help_heading = "Findings")]
pub(super) struct FindingArgs {
    /// How long shrinking may take for each finding
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = duration)]
    pub(super) shrink_time: Duration,
    /// How long everything smaller than a shrunk input is run, to prove that it is the smallest; `0s` for no proof
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = duration)]
    pub(super) certify: Duration,
    /// Shrink to any failure, not only to one of the same kind
    #[arg(long)]
    pub(super) any_failure: bool,
    /// Where findings go
    #[arg(long, value_name = "DIR", default_value = "findings")]
    pub(super) findings: PathBuf,
    /// Save no finding
    #[arg(long, conflicts_with = "findings")]
    pub(super) no_save: bool,
    /// What a failure amounts to that does not show again when its input is run again: it is reported, or it is a failure of
    /// the command, with exit status 1
    #[arg(long, value_name = "WHAT", default_value = "report")]
    pub(super) flaky: Flaky,
}

/// What becomes of a failure that does not show again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Flaky {
    Report,
    Fail,
}

#[derive(Clone, Debug, Arguments)]
pub(super) struct Stress {
    /// Programs to be proved wrong: sources, executables, or names within the package. None: `sol.*` here; with `--problem`
    /// its accepted submissions, and those wrong ones that survive its test set; all of them with `--exhaustive`
    #[arg(value_name = "SUBMISSION")]
    pub(super) submissions: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    #[command(flatten)]
    pub(super) judging: JudgeArgs,
    #[command(flatten)]
    pub(super) finding: FindingArgs,
    /// Add what is found to the package's recipe, or to its test cases where it has none
    #[arg(long, requires = "problem", conflicts_with = "no_save", help_heading = "Findings")]
    pub(super) save: bool,
    /// How long to search
    #[arg(long, short, value_name = "TIME", default_value = "60s", value_parser = duration, help_heading = "Search")]
    pub(super) time: Duration,
    /// How many inputs to try at most
    #[arg(long, short = 'n', value_name = "N", help_heading = "Search")]
    pub(super) cases: Option<u64>,
    /// Exit with status 1 if fewer test cases than this were tried
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub(super) min_cases: Option<u64>,
    /// The seed of all choices, in hexadecimal [default: a new one]
    #[arg(long, short, value_name = "SEED", value_parser = seed, help_heading = "Search")]
    pub(super) seed: Option<u64>,
    /// Search on after a failure, for failures of other kinds
    #[arg(long, short, help_heading = "Search")]
    pub(super) keep_going: bool,
    /// Make every array, text and board by this shape (see `rebut shapes`)
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub(super) shape: Option<String>,
    /// Try every input, the smallest first, in place of random ones; narrow them with `--let N=3` or `--where`
    #[arg(long, conflicts_with_all = ["shape", "generator"], help_heading = "Search")]
    pub(super) exhaustive: bool,
    /// About how many numbers and characters the largest inputs may have, or their largest cases
    #[arg(long, value_name = "N", default_value_t = 2000, help_heading = "Search")]
    pub(super) most_elements: usize,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct Shrink {
    /// The failing input; `-` for the standard input
    pub(super) file: PathBuf,
    /// The program that fails on it
    pub(super) submission: PathBuf,
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    #[command(flatten)]
    pub(super) judging: JudgeArgs,
    #[command(flatten)]
    pub(super) finding: FindingArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct Verify {
    /// Problem packages
    #[arg(required = true, value_name = "DIR")]
    pub(super) problems: Vec<PathBuf>,
    /// Only these submissions, by their names within the package, or how one alone begins
    #[arg(long = "submission", short = 's', value_name = "NAME")]
    pub(super) submissions: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) how: VerifyArgs,
    /// Do not try validators and checker on what is broken and what is harmless
    #[arg(long)]
    pub(super) no_probes: bool,
    /// Fail also if validators accept what is wrong in white space, letter case or the spelling of numbers alone, and if the
    /// checker is particular about white space; else that is a warning
    #[arg(long, conflicts_with = "no_probes")]
    pub(super) strict: bool,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
}

/// Reports for programs that run rebut.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Reports")]
pub(super) struct ReportArgs {
    /// Write what a build server reads: a test for each submission, and for a test set that is built
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Print annotations for a workflow on GitHub, and add to the summary of its step
    #[arg(long)]
    pub(super) github: bool,
}

/// How submissions are run on test cases.
#[derive(Clone, Debug, Default, Arguments)]
#[command(next_help_heading = "Verifying")]
pub(super) struct VerifyArgs {
    /// Run everything, also what is known from earlier
    #[arg(long)]
    pub(super) no_cache: bool,
    /// Show the processor time of each submission on each test case, in one table
    #[arg(long)]
    pub(super) times: bool,
    /// Be done with a submission as soon as it is certain what becomes of its expectation
    #[arg(long)]
    pub(super) lazy: bool,
    /// Processor time for a submission [default: the package's, or found from the slowest accepted one]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) time_limit: Option<Duration>,
    /// Memory for a submission in MiB [default: the package's, or 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(super) memory_limit: Option<u64>,
}

#[derive(Debug, Arguments)]
pub(super) struct Run {
    /// A source, an executable, or a name within the package
    pub(super) submission: PathBuf,
    /// The problem package
    #[arg(value_name = "DIR")]
    pub(super) problem: PathBuf,
    #[command(flatten)]
    pub(super) how: VerifyArgs,
}

#[derive(Debug, Arguments)]
pub(super) struct Import {
    /// A package of Polygon, as a folder or a zip archive, or a folder with `info.toml`
    pub(super) source: PathBuf,
    /// The package to be made: a folder that is not there yet
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
}

#[derive(Debug, Arguments)]
pub(super) struct Export {
    /// The problem package
    #[arg(value_name = "DIR")]
    pub(super) problem: PathBuf,
    /// For whom
    #[arg(long = "as", value_name = "DIALECT")]
    pub(super) dialect: ExportAs,
    /// A folder that is not there yet, or a file that ends in `.zip`
    #[arg(long, short, value_name = "PATH")]
    pub(super) out: PathBuf,
}

/// What a package can be exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportAs {
    /// The problem package format as Kattis and BAPCtools have read it for years
    Legacy,
    /// Its version 2025-09
    #[value(name = "2025-09")]
    V2025,
    /// What DOMjudge takes
    Domjudge,
}

#[derive(Debug, Arguments)]
pub(super) struct Replay {
    /// The folder of a finding
    pub(super) finding: PathBuf,
    /// Run another submission on it
    #[arg(long, value_name = "FILE")]
    pub(super) submission: Option<PathBuf>,
    /// Take the answer from another reference
    #[arg(long, value_name = "FILE")]
    pub(super) reference: Option<PathBuf>,
    /// Run everything smaller for so long, to prove once more that it is the smallest
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) certify: Option<Duration>,
}

/// A format, for commands that need nothing else.
#[derive(Clone, Debug, Arguments)]
pub(super) struct FormatArgs {
    /// A format's file or a problem's folder
    #[arg(required_unless_present = "input", conflicts_with = "input")]
    pub(super) target: Option<PathBuf>,
    /// The format, here and now: 'n; a[n] where 1<=n<=8; -9<=a<=9'
    #[arg(long, short, value_name = "TEXT")]
    pub(super) input: Option<String>,
    #[command(flatten)]
    pub(super) narrowing: Narrowing,
}

#[derive(Debug, Arguments)]
pub(super) struct Generate {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// The seed of all choices, in hexadecimal
    #[arg(long, short, value_name = "SEED", default_value = "1", value_parser = seed)]
    pub(super) seed: u64,
    /// How many inputs
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) count: u64,
    /// Make every array, text and board by this shape (see `rebut shapes`)
    #[arg(long, value_name = "NAME")]
    pub(super) shape: Option<String>,
    /// Every size as small as it can be; without sizes, the numbers that bound others
    #[arg(long, conflicts_with = "max")]
    pub(super) min: bool,
    /// Every size as large as it can be; without sizes, the numbers that bound others
    #[arg(long)]
    pub(super) max: bool,
    /// Inputs with one thing wrong each: what breaks each constraint and each rule of the layout; validators that
    /// accept one are exposed
    #[arg(long, conflicts_with_all = ["count", "shape", "min", "max", "growth"])]
    pub(super) invalid: bool,
    /// How large: 0 is tiny, 100 reaches every bound
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(super) growth: u32,
    /// Give up if no input was found for so long, and show the one that comes closest
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = duration)]
    pub(super) time: Duration,
    /// Write files 1.in, 2.in, ... into a folder; with --invalid one for each thing wrong, and an index
    #[arg(long, short, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Print no inputs, but what a sample of them is worth: answers, bounds never reached [default: of 500]
    #[arg(long, conflicts_with_all = ["out", "min", "max"])]
    pub(super) profile: bool,
    /// The solution whose answers are profiled [default: the package's]
    #[arg(long, short, value_name = "FILE", requires = "profile")]
    pub(super) reference: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
pub(super) struct Explain {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// The seed of the sample, in hexadecimal
    #[arg(long, short, value_name = "SEED", default_value = "1", value_parser = seed)]
    pub(super) seed: u64,
}

#[derive(Debug, Arguments)]
pub(super) struct Enumerate {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// Only inputs of at most so many numbers and characters
    #[arg(long, short, value_name = "N")]
    pub(super) size: Option<usize>,
    /// Only so many inputs, the smallest
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) limit: Option<u64>,
    /// Print only how many there are
    #[arg(long, short = 'n', conflicts_with_all = ["limit", "out"])]
    pub(super) count: bool,
    /// Write files 1.in, 2.in, ... into a folder
    #[arg(long, short, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
pub(super) struct Validate {
    /// A format's file or a problem's folder; with --input, a first file
    pub(super) target: PathBuf,
    /// Files to judge; `-` for the standard input
    pub(super) files: Vec<PathBuf>,
    /// The format, here and now
    #[arg(long, short, value_name = "TEXT")]
    pub(super) input: Option<String>,
    #[command(flatten)]
    pub(super) narrowing: Narrowing,
}

#[derive(Debug, Arguments)]
pub(super) struct FormatDescribe {
    #[command(flatten)]
    pub(super) format: FormatArgs,
    /// As Markdown with TeX formulas [default]
    #[arg(long, conflicts_with = "latex")]
    pub(super) markdown: bool,
    /// As LaTeX, for `amsmath`
    #[arg(long)]
    pub(super) latex: bool,
}

#[derive(Debug, Arguments)]
pub(super) struct FormatFmt {
    /// Formats' files; `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Change nothing; name the files that are not in their normal form, and exit with 1 if there are any
    #[arg(long, conflicts_with = "stdout")]
    pub(super) check: bool,
    /// Write to the standard output, not to the files
    #[arg(long)]
    pub(super) stdout: bool,
}

#[derive(Debug, Arguments)]
pub(super) struct FromCtd {
    /// The script; `-` for the standard input
    pub(super) file: PathBuf,
}

/// Without arguments the checkers are listed.
#[derive(Debug, Arguments)]
#[command(override_usage = "rebut check [CHECKER INPUT OUTPUT ANSWER]", after_help = super::check::listing())]
pub(super) struct Check {
    /// A checker of the list below, or a program such as check.cpp
    #[arg(requires_all = ["input", "output", "answer"])]
    pub(super) checker: Option<String>,
    /// The input
    pub(super) input: Option<PathBuf>,
    /// The output that is judged
    pub(super) output: Option<PathBuf>,
    /// The jury's answer
    pub(super) answer: Option<PathBuf>,
}

#[derive(Debug, Arguments)]
pub(super) struct Build {
    /// Folders of problems
    #[arg(required = true, value_name = "DIR")]
    pub(super) problems: Vec<PathBuf>,
    /// Write nothing; tell what is not as the recipe says, and exit with 1 if there is anything
    #[arg(long)]
    pub(super) check: bool,
    /// Make everything again, and write over what was changed by hand
    #[arg(long)]
    pub(super) force: bool,
    /// Run no submission on what was built but the accepted ones, on what is new
    #[arg(long)]
    pub(super) no_verify: bool,
    /// The solution that answers are taken from [default: the recipe's, or the package's]
    #[arg(long, short, value_name = "FILE")]
    pub(super) reference: Option<PathBuf>,
    /// What compares the answers of accepted submissions [default: the package's]
    #[arg(long, short, value_name = "CHECKER")]
    pub(super) checker: Option<String>,
    #[command(flatten)]
    pub(super) reports: ReportArgs,
}

/// `60s`, `1.5m`, `200ms`, `2h`; a number alone is seconds.
fn duration(text: &str) -> Result<Duration, String> {
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
        return Err("a time is positive, and not for ever".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// A seed as it is printed: hexadecimal.
fn seed(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16).map_err(|_| "expected up to 16 hexadecimal digits, as in `5eedc0de`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_seeds() {
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("200ms"), Ok(Duration::from_millis(200)));
        assert!(duration("-1s").is_err() && duration("1y").is_err() && duration("s").is_err());
        assert_eq!(seed("5eedc0de"), Ok(0x5eed_c0de));
        assert!(seed("xyz").is_err());
    }

    #[test]
    fn the_definition_is_sound() {
        <Args as clap::CommandFactory>::command().debug_assert();
    }
}
