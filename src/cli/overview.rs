//! The help of `rebut` without a command, and suggestions for options known by other names.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// All commands by task, an example, and the exit statuses, on one screen of 80 columns and 24 lines. The options of
/// all commands are in the help of each.
pub(super) const OVERVIEW: &str = "\
rebut finds the smallest input that proves a contest submission wrong.
Usage: rebut COMMAND [OPTION]...  (rebut COMMAND --help lists the options)

Find      stress     search for a failing input of a submission, and shrink it
          shrink     shrink any failing input file
          replay     run a finding again
Make      generate   print valid inputs
          enumerate  print every valid input, the smallest first, or count them
          build      build the test set of a problem from its recipe
          format     explain, describe, tidy or convert a format
          shapes     list the shapes of generated arrays, texts and boards
          show       draw an input
Check     verify     run all submissions of packages on all their test cases
          compare    list what changed between two reports of verify
          strength   report what survives the test set, and redundant tests
          complexity measure how the cost of submissions grows
          run        run one submission on all test cases of a package
          validate   check whether files are valid inputs
          check      compare an output with an answer, or list the checkers
          explain, doctor  explain a diagnostic; report sandbox and compilers
Packages  import, export  make a package from that of another judge, or for one
rebut stress sol.cpp --reference brute.cpp --input 'n where 1<=n<=100'
Exit status: 0 nothing found, 1 counterexample found, 2 usage or format wrong,
3 judge error, 4 operating failure, 130 interrupted.
";

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

/// Returns true if the command line was empty.
pub(super) fn is_missing_command(problem: &clap::Error) -> bool {
    problem.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && std::env::args_os().len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overview_names_every_command_once_on_one_screen() {
        let definition = super::super::clap_definition();
        let listed: Vec<&str> = OVERVIEW.lines().filter_map(|line| line.get(10..)?.split(' ').next()).collect();
        for command in definition.get_subcommands().map(clap::Command::get_name) {
            assert_eq!(listed.iter().filter(|name| **name == command).count(), 1, "{command}");
        }
        assert!(OVERVIEW.lines().count() <= 24 && OVERVIEW.lines().all(|line| line.len() <= 80));
    }

    #[test]
    fn each_suggested_option_exists() {
        let definition = super::super::clap_definition();
        let all = definition.get_subcommands().flat_map(clap::Command::get_arguments).chain(definition.get_arguments());
        let known: Vec<&str> = all.filter_map(clap::Arg::get_long).collect();
        assert!(OPTION_ALIASES.iter().all(|(_, ours)| known.contains(ours)));
    }
}
