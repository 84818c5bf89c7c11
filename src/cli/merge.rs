//! `rebut merge`: makes the plan of a command again from its journals, and draws the conclusion from their blocks.

use super::args::{
    BuildArgs, CliArgs, CliCommand, GlobalArgs, MergeArgs, ReplayArgs, StrengthArgs, StressArgs, VerifyCommandArgs,
};
use super::exit_status::ExitStatus;
use super::session::Session;
use super::{build, replay, strength, stress, verify};
use clap::Parser;
use rebut_diagnostics::{Error, Result};
use rebut_packages::JournalSet;

/// A merge: the journals, and the command that wrote them.
pub(super) struct MergedCommand {
    set: JournalSet,
    command: ShardedCommand,
    /// The global options: those of that command for compilers, and those of this one for reports.
    pub(super) global: GlobalArgs,
}

/// A command that several machines share.
enum ShardedCommand {
    Search(Box<StressArgs>),
    Verification(Box<VerifyCommandArgs>),
    Measurement(Box<StrengthArgs>),
    Build(Box<BuildArgs>),
    Proof(Box<ReplayArgs>),
}

impl MergedCommand {
    /// Opens the journals.
    ///
    /// # Errors
    /// Returns an error if one cannot be read, or if they are of different searches.
    pub(super) fn open(args: &MergeArgs, global: &GlobalArgs) -> Result<MergedCommand> {
        let set = JournalSet::open(&args.journals)?;
        let words = std::iter::once("rebut").chain(set.manifest().arguments.iter().map(String::as_str));
        let parsed = CliArgs::try_parse_from(words)
            .map_err(|problem| Error::usage_error(format!("the journal names no command of this rebut: {problem}")))?;
        let reports = args.reports.clone();
        let command = match parsed.command {
            CliCommand::Stress(command) => ShardedCommand::Search(Box::new(StressArgs { reports, ..command })),
            CliCommand::Verify(command) => {
                ShardedCommand::Verification(Box::new(VerifyCommandArgs { reports, ..command }))
            }
            CliCommand::Strength(command) => ShardedCommand::Measurement(Box::new(StrengthArgs { reports, ..command })),
            CliCommand::Build(command) => ShardedCommand::Build(Box::new(BuildArgs { reports, ..command })),
            CliCommand::Replay(command) => ShardedCommand::Proof(Box::new(command)),
            _ => return Err(Error::usage_error("the journal is of a command that is not run in shards")),
        };
        Ok(MergedCommand { set, command, global: with_own_reports(parsed.global, global) })
    }

    /// Draws the conclusion.
    ///
    /// # Errors
    /// Returns an error if the programs, tests or formats in this folder are others, or if programs cannot be run.
    pub(super) fn run_merge(&self, session: &mut Session) -> Result<ExitStatus> {
        match &self.command {
            ShardedCommand::Search(command) => stress::run_search_command(command, Some(&self.set), session),
            ShardedCommand::Verification(command) => verify::verify_packages(command, Some(&self.set), session),
            ShardedCommand::Measurement(command) => strength::report_strength(command, Some(&self.set), session),
            ShardedCommand::Build(command) => build::build_problems(command, Some(&self.set), session),
            ShardedCommand::Proof(command) => replay::replay_recorded(command, Some(&self.set), session),
        }
    }
}

/// Returns the options of a recorded command, with those of this one for reports and jobs.
fn with_own_reports(recorded: GlobalArgs, own: &GlobalArgs) -> GlobalArgs {
    GlobalArgs {
        jobs: own.jobs,
        json: own.json.clone(),
        color: own.color,
        verbose: own.verbose,
        quiet: own.quiet,
        require_isolation: own.require_isolation,
        all: own.all,
        diff: own.diff,
        ..recorded
    }
}
