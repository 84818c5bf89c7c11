//! What rebut prints where it is started without a command, and what it suggests for options of other names.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// All commands and where to begin: on one screen of 24 lines.
pub(super) const OVERVIEW: &str = "\
rebut finds the smallest input that proves a contest submission wrong.

Usage: rebut COMMAND ...

  stress     search for an input on which a submission fails, and shrink it
  shrink     shrink any failing input file
  replay     run a finding again
  check      compare an output with an answer, or list the checkers
  generate   print valid inputs
  enumerate  print every valid input, the smallest first, or their number
  validate   judge whether files are valid inputs
  format     explain, describe, tidy or convert a format
  shapes     list the shapes that inputs are made by
  build      make the test set of a problem from its recipe
  verify     run all submissions of packages on all their test cases
  run        run one submission on all test cases of a package
  import     make a package from one of another kind; export does the reverse
  doctor     report sandbox layers and compilers found

  rebut stress sol.cpp --reference brute.cpp --input 'n where 1<=n<=100'
  rebut stress                  with sol.*, brute.* and input.format here
  rebut stress --help           explains a command, rebut --help all options
";

/// Names that other tools have for our options, and ours.
const OTHER_NAMES: [(&[&str], &str); 8] = [
    (&["brute", "bruteforce", "naive", "slow", "correct", "jury", "good", "ref", "solution-file"], "reference"),
    (&["gen", "generate"], "generator"),
    (&["tests", "iterations", "iters", "runs", "count", "num"], "cases"),
    (&["timeout", "tl", "time-limit-ms"], "time-limit"),
    (&["ml", "memory"], "memory-limit"),
    (&["validate", "check", "compare", "cmp"], "checker"),
    (&["interactive", "inter"], "interactor"),
    (&["standard", "cpp", "cxx-std"], "std"),
];

/// Returns the error with our name of an option that other tools call otherwise.
pub(super) fn with_our_name(mut problem: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = problem.get(ContextKind::InvalidArg) else { return problem };
    let ours = OTHER_NAMES.iter().find(|(names, _)| names.contains(&typed.trim_start_matches('-')));
    if problem.kind() == ErrorKind::UnknownArgument
        && let Some((_, ours)) = ours
    {
        problem.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{ours}")));
    }
    problem
}

/// Returns true if there was no command at all.
pub(super) fn is_without_command(problem: &clap::Error) -> bool {
    problem.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && std::env::args_os().len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overview_names_every_command_on_one_screen() {
        for command in super::super::definition().get_subcommands().map(clap::Command::get_name) {
            let is_named = OVERVIEW.lines().any(|line| line.split_whitespace().any(|word| word == command));
            assert!(is_named, "{command}");
        }
        assert!(OVERVIEW.lines().count() <= 24 && OVERVIEW.lines().all(|line| line.len() <= 80));
    }

    #[test]
    fn each_suggested_option_exists() {
        let definition = super::super::definition();
        let all = definition.get_subcommands().flat_map(clap::Command::get_arguments).chain(definition.get_arguments());
        let known: Vec<&str> = all.filter_map(clap::Arg::get_long).collect();
        assert!(OTHER_NAMES.iter().all(|(_, ours)| known.contains(ours)));
    }
}
