//! The command line (layer 7): argument parsing, and one thin module per command.
//!
//! The commands share `Session` (reports, compilers, cancellation), `problem_setup` (format, package, judge and input
//! source), `compile_programs` and the clap definitions in `args`.
//!
//! [`main`] is the whole program. [`clap_definition`] describes its commands, for shell completions and documentation:
//!
//! ```
//! use rebut::cli::{ExitStatus, clap_definition};
//!
//! let definition = clap_definition();
//! let stress = definition.find_subcommand("stress").expect("a command");
//! assert!(stress.get_arguments().any(|argument| argument.get_long() == Some("reference")));
//! assert_eq!(ExitStatus::Found.exit_code(), 1);
//! ```

mod answers;
mod appraisal;
mod args;
mod build;
mod build_journal;
mod build_selection;
mod build_slow;
mod campaign;
mod campaign_progress;
mod check;
mod checker_list;
mod checktestdata_validators;
mod compare;
mod compile_programs;
mod completion_candidates;
mod completions;
mod complexity;
mod discover;
mod doctor;
mod enumerate;
mod examples;
mod exit_status;
mod explain;
mod export;
mod format;
mod generate;
mod generator_helpers;
mod hyper_queue;
mod import;
mod infer;
mod initial_growth;
mod invalid;
mod judges;
mod listen;
mod lsp;
mod manual;
mod merge;
mod missing_blocks;
mod mutant_compiler;
mod mutant_journal;
mod new_package;
mod overview;
mod panics;
mod problem_setup;
mod proof_journal;
mod recipe_resolver;
mod recorded_arguments;
mod replay;
mod run_submission;
mod samples;
mod save_test;
mod search_summary;
mod session;
mod shapes;
mod shard_variables;
mod show;
mod shrink;
mod source_digest;
mod static_cases;
mod strength;
mod strength_journal;
mod strength_survivors;
mod strength_undefined;
mod stress;
mod stress_journal;
mod stress_manifest;
mod stress_slow;
mod stress_targets;
mod test_samples;
mod tool_parts;
mod validate;
mod verify;
mod verify_growth;
mod verify_journal;
mod verify_manifest;
mod verify_margins;
mod verify_probes;
mod visualizers;
mod watch;
mod watchdog;

use args::{CliArgs, CliCommand};
use campaign::Campaign;
use clap::Parser;
pub use exit_status::ExitStatus;
use merge::MergedCommand;
use rebut_diagnostics::Error;
use rebut_sandbox::{CancelToken, keep_freed_memory, reset_sigchld, stack_limit_bytes};
use session::Session;
use std::io::Write;
use std::path::Path;

/// Size of the stack that commands need: what most systems give to the first thread.
const STACK_BYTES: usize = 8 << 20;

/// Runs the command given on the command line and returns the exit status of the process.
pub fn main() -> ExitStatus {
    if stack_limit_bytes().is_none_or(|limit| limit >= STACK_BYTES as u64) {
        return run_command_line();
    }
    // The first thread has the stack that `ulimit -s` allows; others can have any.
    let started = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run_command_line);
    started.ok().and_then(|thread| thread.join().ok()).unwrap_or(ExitStatus::Operating)
}

fn run_command_line() -> ExitStatus {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    reset_sigchld();
    if rebut_sandbox::serve_if_spawner(&words) {
        return ExitStatus::Success;
    }
    if let Some(status) = completions::answer_shell() {
        return status;
    }
    keep_freed_memory();
    let cancel = CancelToken::new();
    panics::run_guarded(&cancel, || match CliArgs::try_parse() {
        Ok(args) => run_command(&args, &cancel),
        Err(problem) if overview::is_missing_command(&problem) => {
            // If stderr is closed, there is nothing left to do.
            let _ = std::io::stderr().write_all(overview::OVERVIEW.as_bytes());
            ExitStatus::Usage
        }
        Err(problem) => print_help(&overview::suggest_our_option(problem)),
    })
}

/// Prints a help text or a command line error.
fn print_help(problem: &clap::Error) -> ExitStatus {
    let status = if problem.use_stderr() { ExitStatus::Usage } else { ExitStatus::Success };
    match problem.print() {
        Err(cause) if status == ExitStatus::Success && cause.kind() != std::io::ErrorKind::BrokenPipe => {
            session::print_early_error(&Error::io_error("write", Path::new("-"), &cause))
        }
        _ => status,
    }
}

/// Runs a parsed command.
fn run_command(args: &CliArgs, cancel: &CancelToken) -> ExitStatus {
    if let CliCommand::Lsp(command) = &args.command {
        // The streams belong to the protocol, and a signal ends the server at once, so there is no session.
        return lsp::run_lsp(command).unwrap_or_else(|error| session::print_early_error(&error));
    }
    let merged = match &args.command {
        CliCommand::Merge(command) => match MergedCommand::open(command, &args.global) {
            Ok(merged) => Some(merged),
            Err(error) => return session::print_early_error(&error),
        },
        _ => None,
    };
    let campaign = match &args.command {
        CliCommand::Campaign(command) => match Campaign::from_args(command, &args.global) {
            Ok(campaign) => Some(campaign),
            Err(error) => return session::print_early_error(&error),
        },
        _ => None,
    };
    let global = merged.as_ref().map_or(&args.global, |merged| &merged.global);
    let global = campaign.as_ref().map_or(global, |campaign| &campaign.global);
    let mut session = match Session::open_session(global, &args.command, cancel) {
        Ok(session) => session,
        Err(error) => return session::print_early_error(&error),
    };
    let result = match &args.command {
        CliCommand::Stress(command) | CliCommand::Hack(command) if command.watch => {
            watch::run_watch(command, &mut session)
        }
        CliCommand::Stress(command) | CliCommand::Hack(command) => stress::run_stress(command, &mut session),
        CliCommand::Merge(_) => match &merged {
            Some(merged) => merged.run_merge(&mut session),
            None => unreachable!("the journals are opened before the session"),
        },
        CliCommand::Campaign(_) => match &campaign {
            Some(campaign) => campaign.run_campaign(&mut session),
            None => unreachable!("the command of a campaign is parsed before the session"),
        },
        CliCommand::Shrink(command) => shrink::run_shrink(command, &mut session),
        CliCommand::Replay(command) => replay::run_replay(command, &mut session),
        CliCommand::Generate(command) => generate::run_generate(command, &mut session),
        CliCommand::Enumerate(command) => enumerate::run_enumerate(command, &mut session),
        CliCommand::Validate(command) => validate::run_validate(command, &mut session),
        CliCommand::Show(command) => show::run_show(command, &mut session),
        CliCommand::Verify(command) => verify::run_verify(command, &mut session),
        CliCommand::Compare(command) => compare::run_compare(command, &mut session),
        CliCommand::Strength(command) => strength::run_strength(command, &mut session),
        CliCommand::Run(command) => run_submission::run_run(command, &mut session),
        CliCommand::Infer(command) => infer::run_infer(command, &mut session),
        CliCommand::Listen(command) => listen::run_listen(command, &mut session),
        CliCommand::Test(command) => test_samples::run_test(command, &mut session),
        CliCommand::New(command) => new_package::run_new(command, &mut session),
        CliCommand::Import(command) => import::run_import(command, &mut session),
        CliCommand::Export(command) => export::run_export(command, &mut session),
        CliCommand::Complexity(command) => complexity::run_complexity(command, &mut session),
        CliCommand::Format(command) => format::run_format_command(command, &mut session),
        CliCommand::Build(command) => build::run_build(command, &mut session),
        CliCommand::Check(command) => check::run_check(command, &mut session),
        CliCommand::Explain(command) => explain::run_explain(command, &mut session),
        CliCommand::Doctor(command) => doctor::run_doctor(command, &mut session),
        CliCommand::Completions(command) => completions::run_completions(command, &mut session),
        CliCommand::Man(command) => manual::run_man(command, &mut session),
        CliCommand::Lsp(_) => unreachable!("it runs without a session"),
        CliCommand::Shapes => shapes::run_shapes(&mut session),
    };
    session.finish_command(result)
}

/// Returns the clap definition of the command line, so that tests can keep the documentation in step with it.
pub fn clap_definition() -> clap::Command {
    <CliArgs as clap::CommandFactory>::command()
}
