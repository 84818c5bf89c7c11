//! The texts of `--help`: the overview of all commands, the list of checkers, and the examples at the end of the help of
//! each command, two for each. The tests run them in a folder with these files.

use clap::builder::StyledStr;
use clap::builder::styling::{AnsiColor, Styles};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use rebut_checkers::CHECKERS;
use std::fmt::Write as _;

pub(super) const STRESS: &str = "\
Examples:
  rebut stress sol.cpp -r brute.cpp -i 'n; a[n] where 1<=n<=8; -9<=a<=9'
  rebut stress --problem sums --cases 200 --save";

pub(super) const MERGE: &str = "\
Examples:
  rebut merge blocks
  rebut merge part-1 part-2 --json merged.json";

pub(super) const CAMPAIGN: &str = "\
Examples:
  rebut campaign --shards 64 stress sol.cpp --problem sums --cases 1000000 --journal blocks
  rebut campaign --on hq verify sums --journal runs --junit verify.xml";

pub(super) const HACK: &str = "\
Examples:
  rebut hack sol.cpp -r brute.cpp -i 'n; a[n] where 1<=n<=8; -9<=a<=9'
  rebut hack sol.cpp --problem sums --time 30s";

pub(super) const SHRINK: &str = "\
Examples:
  rebut shrink big.in sol.cpp --reference brute.cpp --format input.format
  rebut shrink big.in sol.cpp --problem sums --shrink-time 1m";

pub(super) const COMPLEXITY: &str = "\
Examples:
  rebut complexity sol.cpp -i 'n; a[n] where 1<=n<=5000; -9<=a<=9'
  rebut complexity right.cpp wrong.cpp --problem sums --shape sorted";

pub(super) const REPLAY: &str = "\
Examples:
  rebut replay findings/0001-sol-wrong-answer
  rebut replay findings/0001-sol-wrong-answer --submission fixed.cpp";

pub(super) const GENERATE: &str = "\
Examples:
  rebut generate --input 'n; a[n] where 1<=n<=8; -9<=a<=9' --count 3
  rebut generate sums --max --out largest";

pub(super) const ENUMERATE: &str = "\
Examples:
  rebut enumerate --input 'n; a[n] where 1<=n<=3; 0<=a<=1' --count
  rebut enumerate input.format --limit 10";

pub(super) const VALIDATE: &str = "\
Examples:
  rebut validate input.format 1.in big.in
  rebut validate sums 1.in";

pub(super) const SHOW: &str = "\
Examples:
  rebut show input.format big.in
  rebut show sums big.in --svg big.svg";

pub(super) const VERIFY: &str = "\
Examples:
  rebut verify sums
  rebut verify sums --submission wrong.cpp --times --html sums.html";

pub(super) const COMPARE: &str = "\
Examples:
  rebut compare before.json after.json
  rebut compare before.json after.json --html changes.html";

pub(super) const STRENGTH: &str = "\
Examples:
  rebut strength sums
  rebut strength sums --min 95 --depth 3";

pub(super) const RUN: &str = "\
Examples:
  rebut run wrong.cpp sums
  rebut run sol.cpp sums --time-limit 5s";

pub(super) const TEST: &str = "\
Examples:
  rebut test
  rebut test fixed.cpp --samples 1.in";

pub(super) const INFER: &str = "\
Examples:
  rebut infer 1.in big.in
  rebut infer 1.in big.in --solution fixed.cpp --out inferred.format";

pub(super) const NEW: &str = "\
Examples:
  rebut new largest
  rebut new --kind tree --contest finals apples bananas";

pub(super) const IMPORT: &str = "\
Examples:
  rebut import polygon-package two-sum
  rebut import library-checker-problems/sums imported-sums";

pub(super) const EXPORT: &str = "\
Examples:
  rebut export sums --as legacy --out sums.zip
  rebut export sums --as 2025-09 --out sums-2025-09";

/// The language on a screen. The tests parse the format in it.
pub(super) const FORMAT_LANGUAGE: &str = include_str!("format_language.txt").trim_ascii_end();

pub(super) const FORMAT: &str = "\
Examples:
  rebut format explain --input 'n; a[n] where 1<=n<=8; -9<=a<=9'
  rebut format fmt input.format";

pub(super) const FORMAT_EXPLAIN: &str = "\
Examples:
  rebut format explain input.format
  rebut format explain sums --where 'n <= 3'";

pub(super) const FORMAT_DESCRIBE: &str = "\
Examples:
  rebut format describe sums
  rebut format describe input.format --latex";

pub(super) const FORMAT_FMT: &str = "\
Examples:
  rebut format fmt input.format
  rebut format fmt --check sums/input.format";

pub(super) const FORMAT_FROM_CTD: &str = "\
Examples:
  rebut format from-ctd input.ctd
  rebut format from-ctd input.ctd --json losses.json";

pub(super) const FORMAT_FROM_TESTLIB: &str = "\
Examples:
  rebut format from-testlib validator.cpp
  rebut format from-testlib validator.cpp 1.in";

pub(super) const FORMAT_TO_TESTLIB: &str = "\
Examples:
  rebut format to-testlib input.format
  rebut format to-testlib sums --where 'n <= 3'";

pub(super) const FORMAT_READER: &str = "\
Examples:
  rebut format reader input.format
  rebut format reader two_sum.format --call two_sum.py";

pub(super) const FORMAT_FROM_SIGNATURE: &str = "\
Examples:
  rebut format from-signature two_sum.py
  rebut format from-signature TwoSum.java";

pub(super) const BUILD: &str = "\
Examples:
  rebut build sums
  rebut build sums --check";

pub(super) const CHECK: &str = "\
Examples:
  rebut check tokens 1.in 1.out 1.ans
  rebut check numbers:1e-6 1.in 1.out 1.ans";

pub(super) const SHAPES: &str = "\
Examples:
  rebut shapes
  rebut generate input.format --shape sorted";

pub(super) const COMPLETIONS: &str = "\
Examples:
  rebut completions bash
  rebut completions fish";

pub(super) const LISTEN: &str = "\
Examples:
  rebut listen
  rebut listen contests --port 27121 --once";

pub(super) const LSP: &str = "\
Examples:
  rebut lsp
  rebut lsp --quiet";

pub(super) const MAN: &str = "\
Examples:
  rebut man pages
  rebut man share/man/man1";

pub(super) const EXPLAIN: &str = "\
Examples:
  rebut explain
  rebut explain no-bound";

pub(super) const DOCTOR: &str = "\
Examples:
  rebut doctor
  rebut doctor --json -";

// The list of checkers, as `rebut check` prints it.

/// Width of the name column; the summary of a checker with a longer name goes on the next line.
const MAX_NAME_COLUMNS: usize = 28;

/// Lists the checkers with their summaries.
pub(super) fn list_checkers() -> String {
    let mut text = "Checkers:\n".to_owned();
    for checker in CHECKERS {
        let gap = if checker.name.len() > MAX_NAME_COLUMNS {
            format!("\n{:indent$}", "", indent = MAX_NAME_COLUMNS + 2)
        } else {
            String::new()
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:MAX_NAME_COLUMNS$}{gap}  {}", checker.name, checker.summary);
    }
    text.push_str("\nA checker can also be a program, such as `--checker check.cpp`; see docs/checkers.md.\n");
    text
}

// The help of `rebut` without a command, and suggestions for options known by other names.

/// All commands by task, an example, and the exit statuses, in 80 columns. The options of all commands are in the help
/// of each.
const OVERVIEW: &str = include_str!("overview.txt");

/// The colours of all help texts. clap leaves them out where the help does not go to a terminal.
pub(super) const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Cyan.on_default().dimmed());

/// Returns the overview with colours.
pub(super) fn style_overview() -> StyledStr {
    let (heading, command) = (STYLES.get_header(), STYLES.get_literal());
    let styled = OVERVIEW.lines().map(|line| match line.strip_prefix("  ") {
        Some(entry) => {
            let (name, summary) = entry.split_once("  ").unwrap_or((entry, ""));
            format!("  {command}{name}{command:#}{}{summary}\n", if summary.is_empty() { "" } else { "  " })
        }
        None if line.ends_with(':') => format!("{heading}{line}{heading:#}\n"),
        None => format!("{line}\n"),
    });
    styled.collect::<String>().into()
}

/// Names of options in other tools, with the corresponding option of rebut.
const OPTION_ALIASES: [(&[&str], &str); 8] = [
    (&["brute", "bruteforce", "naive", "slow", "correct", "jury", "good", "ref", "solution-file"], "reference"),
    (&["gen", "generate"], "generator"),
    (&["tests", "iterations", "iters", "runs", "count", "num"], "cases"),
    (&["timeout", "tl", "time-limit-ms"], "time-limit"),
    (&["ml", "memory"], "memory-limit"),
    (&["validate", "check", "compare", "cmp"], "checker"),
    (&["interactive", "inter"], "interactor"),
    (&["standard", "cpp", "cxx-std"], "std"),
];

/// Adds a suggestion to the error if the unknown option is one that other tools use.
pub(super) fn suggest_our_option(mut problem: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = problem.get(ContextKind::InvalidArg) else { return problem };
    let ours = OPTION_ALIASES.iter().find(|(names, _)| names.contains(&typed.trim_start_matches('-')));
    if problem.kind() == ErrorKind::UnknownArgument
        && let Some((_, ours)) = ours
    {
        problem.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{ours}")));
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overview_names_every_command_once() {
        let definition = super::super::clap_definition();
        let listed: Vec<&str> =
            OVERVIEW.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
        for command in definition.get_subcommands().map(clap::Command::get_name) {
            assert_eq!(listed.iter().filter(|name| **name == command).count(), 1, "{command}");
        }
        assert!(OVERVIEW.lines().all(|line| line.len() <= 80));
    }

    #[test]
    fn each_suggested_option_exists() {
        let definition = super::super::clap_definition();
        let all = definition.get_subcommands().flat_map(clap::Command::get_arguments).chain(definition.get_arguments());
        let known: Vec<&str> = all.filter_map(clap::Arg::get_long).collect();
        assert!(OPTION_ALIASES.iter().all(|(_, ours)| known.contains(ours)));
    }
}
