//! The help of `rebut` without a command, and suggestions for options known by other names.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// All commands by task, an example, and the exit statuses, on one screen of 80 columns and 24 lines. The options of
/// all commands are in the help of each.
pub(super) const OVERVIEW: &str = "\
rebut finds the smallest input that proves a contest submission wrong.
Usage: rebut COMMAND [OPTION]...  (rebut COMMAND --help lists the options)

Find      stress     search for failing inputs shrink     shrink a failing one
          test       run on the samples        replay     run a finding again
          merge      merge shards of a search  hack       print a failing input
          campaign   on many machines          listen     problems by a click
Make      generate   print valid inputs        enumerate  print all of them
          infer      the format from samples   format     explain, tidy, convert
          build      make tests from a recipe  shapes     list shapes of inputs
          show       draw an input
Check     verify     run all submissions       run        run one of them
          compare    compare two reports       strength   report what survives
          complexity measure the growth        validate   check inputs
          check      compare two outputs       explain    explain a diagnostic
          doctor     list what is installed    completions for a shell
Packages  new        make one to be changed    import     from another system
          export     for another system        man        write manual pages
Editors   lsp        serve an editor
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
        let cell = |line: &'static str, column: usize| line.get(column..).and_then(|cell| cell.split(' ').next());
        let listed: Vec<&str> =
            OVERVIEW.lines().flat_map(|line| [10, 47].into_iter().filter_map(move |at| cell(line, at))).collect();
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
