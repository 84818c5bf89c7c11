//! Commands that several machines share: which journal and shard a command uses, and `rebut merge`, which makes the plan of a
//! command again from its journals and draws the conclusion from their blocks.

pub(super) mod hyper_queue;
pub(super) mod manifest;
mod recorded_arguments;
mod variables;

use super::args::{CliArgs, CliCommand, GlobalArgs, ReportArgs, ShardArgs, StressArgs};
use super::session::Session;
use clap::Parser;
use rebut_diagnostics::{Error, Result};
use rebut_engine::{JournalUse, Shard};
use rebut_packages::JournalSet;
use std::path::PathBuf;
use std::sync::Arc;
use variables::shard_from_variables;

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
        let words = std::iter::once("rebut").chain(set.manifest().arguments.iter().map(String::as_str));
        let CliArgs { mut command, global: recorded } = CliArgs::try_parse_from(words)
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
