//! Commands that several machines share: which journal and shard a command uses, and `rebut merge`, which makes the plan of a
//! command again from its journals and draws the conclusion from their blocks.

pub(super) mod hyper_queue;
pub(super) mod manifest;

use super::args::{CliArgs, CliCommand, GlobalArgs, ReportArgs, ShardArgs, StressArgs};
use super::session::Session;
use super::settings::parse_arguments;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches};
use rebut_diagnostics::{Error, Result};
use rebut_engine::{JournalUse, Shard};
use rebut_packages::JournalSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;

/// Returns how a command uses a journal, if it does: the journals to be merged, or that of its options.
///
/// # Errors
/// Returns an error if the variables of a batch system do not make a shard.
pub(super) fn choose_journal(args: &ShardArgs, session: &Session) -> Result<Option<JournalUse>> {
    if let Some(set) = &session.merged {
        return Ok(Some(JournalUse::Merge(Arc::clone(set))));
    }
    let Some(folder) = args.journal.clone() else { return Ok(None) };
    let shard = match args.shard {
        Some(shard) => shard,
        None => shard_from_variables(&|name| std::env::var(name).ok())?.unwrap_or(Shard::WHOLE),
    };
    Ok(Some(JournalUse::Run { folder, shard }))
}

/// Same, of a search.
///
/// # Errors
/// Returns an error if the plan of the search would not be the same on each machine.
pub(super) fn choose_search_journal(args: &StressArgs, session: &Session) -> Result<Option<JournalUse>> {
    let journal = choose_journal(&args.shards, session)?;
    if let Some(JournalUse::Run { shard, .. }) = &journal {
        if args.cases.is_none() && !args.exhaustive {
            return Err(Error::usage_error("`--journal` requires a number of inputs").with_help(
                "state it with `--cases`, or run all with `--exhaustive`: blocks of inputs make the shards",
            ));
        }
        if *shard != Shard::WHOLE && args.seed.is_none() && !args.exhaustive {
            return Err(Error::usage_error("`--shard` requires a seed")
                .with_help("state the same one for all shards, such as `--seed 1`"));
        }
    }
    Ok(journal)
}

/// Requires that a journal has the blocks of one problem. `done` is the participle of the command.
///
/// # Errors
/// Returns an error if there are several problems.
pub(super) fn require_single_problem(args: &ShardArgs, problems: &[PathBuf], done: &str) -> Result<()> {
    if args.journal.is_none() || problems.len() <= 1 {
        return Ok(());
    }
    Err(Error::usage_error("`--journal` is for a single problem")
        .with_help(format!("give each problem a journal of its own: they can be {done} on different machines")))
}

/// A merge: the journals, and the command that wrote them.
pub(super) struct MergedCommand {
    pub(super) set: Arc<JournalSet>,
    pub(super) command: CliCommand,
    /// The global options: those of that command for compilers, and those of this one for reports.
    pub(super) global: GlobalArgs,
}

impl MergedCommand {
    /// Opens the journals.
    ///
    /// # Errors
    /// Returns an error if one cannot be read, or if they are of different commands.
    pub(super) fn open(journals: &[PathBuf], reports: &ReportArgs, global: &GlobalArgs) -> Result<MergedCommand> {
        let set = JournalSet::open(journals)?;
        let recorded = set.manifest().arguments.iter().map(String::as_str);
        let words: Vec<OsString> = std::iter::once("rebut").chain(recorded).map(OsString::from).collect();
        let CliArgs { mut command, global: recorded } = parse_arguments(&words)?
            .map_err(|problem| Error::usage_error(format!("the journal names no command of this rebut: {problem}")))?;
        match command.shared_work() {
            Some((_, Some(own))) => own.clone_from(reports),
            Some((_, None)) => {}
            None => return Err(Error::usage_error("the journal is of a command that is not run in shards")),
        }
        let global = GlobalArgs {
            jobs: global.jobs,
            json: global.json.clone(),
            color: global.color,
            verbose: global.verbose,
            quiet: global.quiet,
            require_isolation: global.require_isolation,
            all: global.all,
            diff: global.diff,
            ..recorded
        };
        Ok(MergedCommand { set: Arc::new(set), command, global })
    }
}

// The shard that the variables of a batch system or a CI system name.

/// The number of shards, if the system has no variable for it.
const COUNT_VARIABLE: &str = "REBUT_SHARDS";

/// The variables of systems that start one process for each shard: the index of the process, the first index as a number or
/// a variable, and the number of processes. First those of HyperQueue, Kubernetes and GNU parallel, which have no variable
/// for the number of processes; then those of Slurm, GitLab, CircleCI and Buildkite. A worker of HyperQueue may have been
/// started by Slurm, so the number that the user states decides. With Slurm it can be stated, too: the number of tasks is not
/// that of the shards if only some tasks of an array are run again.
const SYSTEMS: [[&str; 3]; 8] = [
    ["HQ_TASK_ID", "1", COUNT_VARIABLE],
    ["JOB_COMPLETION_INDEX", "0", COUNT_VARIABLE],
    ["PARALLEL_SEQ", "1", COUNT_VARIABLE],
    ["SLURM_ARRAY_TASK_ID", "1", COUNT_VARIABLE],
    ["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT"],
    ["CI_NODE_INDEX", "1", "CI_NODE_TOTAL"],
    ["CIRCLE_NODE_INDEX", "0", "CIRCLE_NODE_TOTAL"],
    ["BUILDKITE_PARALLEL_JOB", "0", "BUILDKITE_PARALLEL_JOB_COUNT"],
];

/// Returns the shard of this process, or `None` if no system names one. `variable` returns the value of a variable.
///
/// # Errors
/// Returns an error if the variables of a system do not make a shard.
fn shard_from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Shard>> {
    let is_set = |[index, _, count]: &&[&str; 3]| variable(index).is_some() && variable(count).is_some();
    let Some([index, first, count]) = SYSTEMS.iter().find(is_set) else { return Ok(None) };
    let number = |name: &str| -> Option<u32> { variable(name)?.trim().parse().ok() };
    let shard = || {
        let first = first.parse().ok().or_else(|| number(first)).unwrap_or(0);
        let (index, count) = (number(index)?.checked_sub(first)?, number(count)?);
        // An array of only the third task is one of lost tasks that are run again.
        let is_rest = count == 1 && first > 1;
        (index < count && !is_rest).then_some(Shard { number: index + 1, count })
    };
    shard().map(Some).ok_or_else(|| {
        let show = |name: &str| format!("{name}={}", variable(name).unwrap_or_default());
        let message = format!("{} and {} name no shard", show(index), show(count));
        Error::usage_error(message).with_help(format!(
            "state it with `--shard 3/8`, the number of all shards with `{COUNT_VARIABLE}=8`, or the whole search with \
             `--shard 1/1`"
        ))
    })
}

// The arguments of a command as a journal records them: those that make the same plan again.

/// Options that change nothing about a result, where it is run and how it is reported; and the number of inputs in a
/// block, which the manifest has.
const OMITTED: &str = "journal shard block time jobs json color verbose quiet require_isolation all diff junit github html \
                       no_cache times";

/// Same as [`record_arguments`], of the command line of this process.
///
/// # Errors
/// Returns an error if an argument is not valid UTF-8.
fn record_own_arguments(added: &[(&str, String)]) -> Result<Vec<String>> {
    let words: Vec<OsString> = std::env::args_os().collect();
    record_arguments(crate::cli::clap_definition(), &words, added)
}

/// Returns the arguments of a command line in a fixed order, without those that change nothing about a result.
/// `added` are options with values that the command line need not have, such as the seed.
///
/// # Errors
/// Returns an error if an argument is not valid UTF-8.
fn record_arguments(
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

    fn shard(variables: &[(&str, &str)]) -> Result<Option<Shard>> {
        shard_from_variables(&|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn each_system_names_its_shards() {
        let third_of_8 = Some(Shard { number: 3, count: 8 });
        for variables in [
            [("SLURM_ARRAY_TASK_ID", "12"), ("SLURM_ARRAY_TASK_MIN", "10"), ("SLURM_ARRAY_TASK_COUNT", "8")].as_slice(),
            &[("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_COUNT", "8")],
            &[("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "8")],
            &[("CIRCLE_NODE_INDEX", "2"), ("CIRCLE_NODE_TOTAL", "8")],
            &[("BUILDKITE_PARALLEL_JOB", "2"), ("BUILDKITE_PARALLEL_JOB_COUNT", "8")],
            &[("HQ_TASK_ID", "3"), ("REBUT_SHARDS", "8")],
            &[("JOB_COMPLETION_INDEX", "2"), ("REBUT_SHARDS", "8")],
            &[("PARALLEL_SEQ", "3"), ("REBUT_SHARDS", "8")],
        ] {
            assert_eq!(shard(variables).unwrap(), third_of_8, "{variables:?}");
        }
    }

    #[test]
    fn task_of_a_worker_in_an_array_of_slurm_is_that_of_the_task_system() {
        let variables =
            [("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_COUNT", "2"), ("HQ_TASK_ID", "3"), ("REBUT_SHARDS", "8")];
        assert_eq!(shard(&variables).unwrap(), Some(Shard { number: 3, count: 8 }));
    }

    #[test]
    fn lost_tasks_of_an_array_of_slurm_are_not_the_whole_search() {
        let array = [("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_MIN", "3"), ("SLURM_ARRAY_TASK_COUNT", "1")];
        let error = shard(&array).unwrap_err();
        assert!(error.help().unwrap_or_default().contains("REBUT_SHARDS=8"), "{error:?}");
        let stated = [&array[..], &[("REBUT_SHARDS", "8")]].concat();
        assert_eq!(shard(&stated).unwrap(), Some(Shard { number: 3, count: 8 }));
        let single = [("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_COUNT", "1")];
        assert_eq!(shard(&single).unwrap(), Some(Shard::WHOLE));
    }

    #[test]
    fn other_variables_name_none() {
        assert_eq!(shard(&[]).unwrap(), None);
        assert_eq!(shard(&[("HQ_TASK_ID", "3")]).unwrap(), None, "the number of shards is not known");
        assert_eq!(shard(&[("REBUT_SHARDS", "8")]).unwrap(), None);
        for index in ["9", "0", "x"] {
            let error = shard(&[("CI_NODE_INDEX", index), ("CI_NODE_TOTAL", "8")]).unwrap_err();
            assert!(error.message().contains(&format!("CI_NODE_INDEX={index}")), "{error:?}");
        }
    }

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
