//! The arguments of a command as a journal records them: those that make the same plan again.

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches};
use rebut_diagnostics::{Error, Result};
use std::ffi::{OsStr, OsString};

/// Options that change nothing about a result, where it is run and how it is reported; and the number of inputs in a
/// block, which the manifest has.
const OMITTED: &str = "journal shard block time jobs json color verbose quiet require_isolation all diff junit github html \
                       no_cache times";

/// Same as [`record_arguments`], of the command line of this process.
///
/// # Errors
/// Returns an error if an argument is not valid UTF-8.
pub(super) fn record_own_arguments(added: &[(&str, String)]) -> Result<Vec<String>> {
    let words: Vec<OsString> = std::env::args_os().collect();
    record_arguments(crate::cli::clap_definition(), &words, added)
}

/// Returns the arguments of a command line in a fixed order, without those that change nothing about a result.
/// `added` are options with values that the command line need not have, such as the seed.
///
/// # Errors
/// Returns an error if an argument is not valid UTF-8.
pub(super) fn record_arguments(
    mut definition: clap::Command,
    words: &[OsString],
    added: &[(&str, String)],
) -> Result<Vec<String>> {
    definition.build();
    let matches = definition.clone().try_get_matches_from(words);
    let matches = matches.map_err(|problem| Error::usage_error(problem.to_string()))?;
    let Some((name, matches)) = matches.subcommand() else { return words_to_text(words) };
    let command = definition.find_subcommand(name).unwrap_or(&definition);
    let (mut options, mut positional) = (vec![name.to_owned()], Vec::new());
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        let is_added = argument.get_long().is_some_and(|long| added.iter().any(|(known, _)| *known == long));
        if OMITTED.split(' ').any(|omitted| omitted == id)
            || is_added
            || matches.value_source(id) != Some(ValueSource::CommandLine)
        {
            continue;
        }
        match (argument.get_long(), argument.get_action()) {
            (Some(long), ArgAction::SetTrue) => options.push(format!("--{long}")),
            (Some(long), _) => {
                let values = raw_values(matches, id)?;
                options.extend(values.into_iter().map(|value| format!("--{long}={value}")));
            }
            (None, _) => positional.extend(raw_values(matches, id)?),
        }
    }
    options.extend(added.iter().map(|(long, value)| format!("--{long}={value}")));
    if !positional.is_empty() {
        options.push("--".to_owned());
    }
    options.extend(positional);
    Ok(options)
}

fn raw_values(matches: &ArgMatches, id: &str) -> Result<Vec<String>> {
    matches.get_raw(id).into_iter().flatten().map(to_text).collect()
}

fn words_to_text(words: &[OsString]) -> Result<Vec<String>> {
    words.iter().map(|word| to_text(word)).collect()
}

fn to_text(word: &OsStr) -> Result<String> {
    word.to_str().map(str::to_owned).ok_or_else(|| {
        Error::usage_error(format!("`{}` is not valid UTF-8, so a journal cannot record it", word.display()))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::cli::args::CliArgs;
    use clap::{CommandFactory, Parser};

    fn record(line: &str) -> Vec<String> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        record_arguments(CliArgs::command(), &words, &[("seed", "2a".to_owned())]).unwrap()
    }

    #[test]
    fn what_changes_nothing_about_a_result_is_left_out() {
        let same = "rebut stress a.cpp b.cpp -r brute.cpp --where n<=3 --where -1<=a --std c++17 -k --cases 90";
        let recorded = record(same);
        for other in ["--journal j --shard 2/3 --json - -j 4 -q", "--journal k --seed 2a --github --time 3s"] {
            assert_eq!(record(&format!("{same} {other}")), recorded);
        }
        assert_ne!(record(&format!("{same} --max-elements 9")), recorded);
    }

    #[test]
    fn recorded_arguments_are_those_of_the_command() {
        let recorded =
            record("rebut stress a.cpp b.cpp -r brute.cpp --where=-1<=a --where n<=3 --cases 90 --journal j");
        let again =
            record(&["rebut"].into_iter().chain(recorded.iter().map(String::as_str)).collect::<Vec<_>>().join(" "));
        assert_eq!(again, recorded);
        let parsed = CliArgs::try_parse_from(std::iter::once("rebut".to_owned()).chain(recorded)).unwrap();
        let text = format!("{parsed:?}");
        for part in ["\"a.cpp\", \"b.cpp\"", "\"brute.cpp\"", "[\"-1<=a\", \"n<=3\"]", "Some(90)", "seed: Some(42)"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
