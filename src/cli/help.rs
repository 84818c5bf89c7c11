//! The texts of `--help`: the overview of all commands, the list of checkers, and the examples at the end of the help of
//! each command.

use clap::Command;
use clap::builder::StyledStr;
use clap::builder::styling::{AnsiColor, Styles};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use rebut_checkers::CHECKERS;
use std::fmt::Write as _;

/// The examples of each command, two for each, below its name. The tests run them.
const EXAMPLES: &str = include_str!("examples.txt");

/// Returns the definition with examples at the end of the help of each command.
pub(super) fn with_examples(definition: Command) -> Command {
    definition.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let of_inner = |inner: Command| {
            let name = format!("{name} {}", inner.get_name());
            add_examples(inner, &name)
        };
        add_examples(command.mut_subcommands(of_inner), &name)
    })
}

fn add_examples(command: Command, name: &str) -> Command {
    let Some((_, examples)) = EXAMPLES.split_once(&format!("\n{name}\n")) else { return command };
    let examples: Vec<&str> = examples.lines().take_while(|line| line.starts_with("  ")).collect();
    let before = command.get_after_help().map(|text| format!("{text}\n")).unwrap_or_default();
    command.after_help(format!("{before}Examples:\n{}", examples.join("\n")))
}

/// The language on a screen. The tests parse the format in it.
pub(super) const FORMAT_LANGUAGE: &str = include_str!("format_language.txt").trim_ascii_end();

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
