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

mod args;
mod build;
mod check;
mod compile_programs;
mod completions;
mod complexity;
mod discover;
mod doctor;
mod enumerate;
mod examples;
mod exit_status;
mod explain;
mod files_beside;
mod finding_tools;
mod format;
mod generate;
mod groups;
mod help;
mod infer;
mod judges;
mod listen;
mod packages;
mod problem_setup;
mod replay;
mod session;
mod settings;
mod shards;
mod show;
mod shrink;
mod strength;
mod stress;
mod test_samples;
mod verify;

use args::{CliArgs, CliCommand, GlobalArgs, LspArgs};
pub use exit_status::ExitStatus;
use rebut_diagnostics::{Error, Result};
use rebut_lsp::{SessionEnd, serve_stream};
use rebut_sandbox::{CancelToken, keep_freed_memory, reset_sigchld, stack_limit_bytes};
use session::{Session, print_early_error};
use shards::MergedCommand;
use shards::hyper_queue::Campaign;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    run_guarded(&cancel, || match settings::parse_arguments(&std::env::args_os().collect::<Vec<_>>()) {
        Err(error) => session::print_early_error(&error),
        Ok(Ok(args)) => run_command(&args, &cancel),
        Ok(Err(problem)) => print_help(&help::suggest_our_option(problem)),
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

/// Returns what a merge or a campaign runs, which is the command of its journals, with the options of that command.
fn find_shards_command(args: &CliArgs) -> Result<Option<(GlobalArgs, Box<RunShards<'_>>)>> {
    Ok(match &args.command {
        CliCommand::Merge(command) => {
            let merged = MergedCommand::open(&command.journals, &command.reports, &args.global)?;
            Some((merged.global.clone(), Box::new(move |_| Ok(merged))))
        }
        CliCommand::Campaign(command) => {
            let campaign = Campaign::from_args(command, &args.global)?;
            Some((campaign.global.clone(), Box::new(move |session| campaign.run_tasks(session))))
        }
        _ => None,
    })
}

/// Runs what a campaign lacks, and returns the command of the journals.
type RunShards<'c> = dyn FnOnce(&mut Session) -> Result<MergedCommand> + 'c;

/// Runs a parsed command.
fn run_command(args: &CliArgs, cancel: &CancelToken) -> ExitStatus {
    if let CliCommand::Lsp(command) = &args.command {
        // The streams belong to the protocol, and a signal ends the server at once, so there is no session.
        return run_lsp(command).unwrap_or_else(|error| session::print_early_error(&error));
    }
    let shared = match find_shards_command(args) {
        Ok(shared) => shared,
        Err(error) => return session::print_early_error(&error),
    };
    let global = shared.as_ref().map_or(&args.global, |(global, _)| global);
    let mut session = match Session::open_session(global, &args.command, cancel) {
        Ok(session) => session,
        Err(error) => return session::print_early_error(&error),
    };
    let result = match shared {
        Some((_, run)) => run(&mut session).and_then(|MergedCommand { set, command, .. }| {
            session.merged = Some(set);
            dispatch_command(&command, &mut session)
        }),
        None => dispatch_command(&args.command, &mut session),
    };
    session.finish_command(result)
}

/// Calls the function of a command.
fn dispatch_command(command: &CliCommand, session: &mut Session) -> Result<ExitStatus> {
    match command {
        CliCommand::Stress(command) | CliCommand::Hack(command) if command.watch => stress::run_watch(command, session),
        CliCommand::Stress(command) | CliCommand::Hack(command) => stress::run_stress(command, session),
        CliCommand::Merge(_) | CliCommand::Campaign(_) => unreachable!("it runs the command of its shards"),
        CliCommand::Shrink(command) => shrink::run_shrink(command, session),
        CliCommand::Replay(command) => replay::run_replay(command, session),
        CliCommand::Generate(command) => generate::run_generate(command, session),
        CliCommand::Enumerate(command) => enumerate::run_enumerate(command, session),
        CliCommand::Validate(command) => show::run_validate(command, session),
        CliCommand::Show(command) => show::run_show(command, session),
        CliCommand::Verify(command) => verify::run_verify(command, session),
        CliCommand::Compare(command) => verify::run_compare(command, session),
        CliCommand::Strength(command) => strength::run_strength(command, session),
        CliCommand::Run(command) => test_samples::run_run(command, session),
        CliCommand::Infer(command) => infer::run_infer(command, session),
        CliCommand::Listen(command) => listen::run_listen(command, session),
        CliCommand::Test(command) => test_samples::run_test(command, session),
        CliCommand::New(command) => packages::run_new(command, session),
        CliCommand::Import(command) => packages::run_import(command, session),
        CliCommand::Export(command) => packages::run_export(command, session),
        CliCommand::Complexity(command) => complexity::run_complexity(command, session),
        CliCommand::Format(command) => format::run_format_command(command, session),
        CliCommand::Build(command) => build::run_build(command, session),
        CliCommand::Check(command) => check::run_check(command, session),
        CliCommand::Explain(command) => explain::run_explain(command, session),
        CliCommand::Doctor(command) => doctor::run_doctor(command, session),
        CliCommand::Completions(command) => completions::run_completions(command, session),
        CliCommand::Man(command) => completions::run_man(command, session),
        CliCommand::Lsp(_) => unreachable!("it runs without a session"),
        CliCommand::Shapes => generate::run_shapes(session),
    }
}

/// Returns the clap definition of the command line, so that tests can keep the documentation in step with it.
pub fn clap_definition() -> clap::Command {
    help::with_examples(<CliArgs as clap::CommandFactory>::command())
}

// Panic handling: a panic in any thread is a bug in rebut and ends the command with the operating failure status.

/// Runs a command. If any thread panics, the cancellation token is set so that the other threads finish cleanly, and
/// the exit status is that of an operating failure, since the results cannot be trusted.
fn run_guarded(cancel: &CancelToken, command: impl FnOnce() -> ExitStatus) -> ExitStatus {
    let panicked = Arc::new(AtomicBool::new(false));
    let (seen, switch) = (Arc::clone(&panicked), cancel.clone());
    std::panic::set_hook(Box::new(move |panic| {
        // Report only the first panic; the others are usually its consequences.
        if !seen.swap(true, Ordering::SeqCst) {
            switch.cancel();
            print_early_error(&panic_to_error(panic));
        }
    }));
    let status = catch_unwind(AssertUnwindSafe(command)).unwrap_or(ExitStatus::Operating);
    let _ = std::panic::take_hook();
    if panicked.load(Ordering::SeqCst) { ExitStatus::Operating } else { status }
}

/// Converts a panic to the error that is shown.
fn panic_to_error(panic: &PanicHookInfo<'_>) -> Error {
    let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let what = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    let error = Error::operating_error(format!("this is a bug in rebut: panicked{place}: {what}")).with_help(
        "please report it with the command line and the input files; nothing that was printed about inputs or \
         submissions can be relied on",
    );
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured { error.with_note(trace.to_string()) } else { error }
}

/// Serves an editor until it ends the session or closes the stream.
fn run_lsp(_: &LspArgs) -> Result<ExitStatus> {
    let end = serve_stream(std::io::stdin().lock(), &mut std::io::stdout().lock());
    let end = match end {
        // The editor is gone.
        Err(cause) if cause.kind() == ErrorKind::BrokenPipe => SessionEnd::Closed,
        end => end.map_err(|cause| Error::io_error("serve", Path::new("-"), &cause))?,
    };
    match end {
        SessionEnd::Clean | SessionEnd::Closed => Ok(ExitStatus::Success),
        // The protocol demands this status.
        SessionEnd::Abrupt => Ok(ExitStatus::Found),
    }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "panics are what is tested")]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_any_thread_is_an_operating_failure() {
        // One test, since there is only one hook.
        let cancel = CancelToken::new();
        assert_eq!(run_guarded(&cancel, || ExitStatus::Found), ExitStatus::Found);
        assert!(!cancel.is_cancelled());
        assert_eq!(run_guarded(&cancel, || panic!("in the main thread")), ExitStatus::Operating);
        assert!(cancel.is_cancelled());
        let lost = CancelToken::new();
        let status = run_guarded(&lost, || {
            // A thread with an ignored result.
            let _ = std::thread::spawn(|| panic!("in a thread")).join();
            ExitStatus::Success
        });
        assert_eq!(status, ExitStatus::Operating);
        assert!(lost.is_cancelled());
    }
}
