//! The command line: layer 7. One thin file a command; what they share is `args`, `setup`, `programs` and `desk`.

mod answers;
mod args;
mod build;
mod check;
mod desk;
mod discover;
mod doctor;
mod enumerate;
mod exit;
mod export;
mod format;
mod generate;
mod hunted;
mod import;
mod invalid;
mod jury;
mod overview;
mod panics;
mod probes;
mod programs;
mod recipe;
mod replay;
mod run;
mod save;
mod setup;
mod shapes;
mod shrink;
mod statics;
mod stress;
mod validate;
mod verify;
mod watchdog;

use crate::diagnostic::Error;
use crate::run::{Cancel, expect_children, keep_freed_memory};
use args::{Args, Command};
use clap::Parser;
use desk::Desk;
pub use exit::Status;
use std::io::Write;
use std::path::Path;

/// Runs the command that the process was started with; the result is the process's exit status.
pub fn main() -> Status {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    expect_children();
    if crate::run::serve_if_asked(&words) {
        return Status::Fine;
    }
    keep_freed_memory();
    let cancel = Cancel::new();
    panics::guard(&cancel, || match Args::try_parse() {
        Ok(args) => run_command(&args, &cancel),
        Err(problem) if overview::is_without_command(&problem) => {
            // A closed error stream cannot be repaired.
            let _ = std::io::stderr().write_all(overview::OVERVIEW.as_bytes());
            Status::Usage
        }
        Err(problem) => print_help(&overview::with_our_name(problem)),
    })
}

/// Prints a help text, or what is wrong with the command line.
fn print_help(problem: &clap::Error) -> Status {
    let status = if problem.use_stderr() { Status::Usage } else { Status::Fine };
    match problem.print() {
        Err(cause) if status == Status::Fine && cause.kind() != std::io::ErrorKind::BrokenPipe => {
            desk::complain(&Error::io("write", Path::new("-"), &cause))
        }
        _ => status,
    }
}

/// Runs a command.
fn run_command(args: &Args, cancel: &Cancel) -> Status {
    let mut desk = match Desk::open(&args.global, cancel) {
        Ok(desk) => desk,
        Err(error) => return desk::complain(&error),
    };
    let result = match &args.command {
        Command::Stress(command) => stress::run(command, &mut desk),
        Command::Shrink(command) => shrink::run(command, &mut desk),
        Command::Replay(command) => replay::run(command, &mut desk),
        Command::Generate(command) => generate::run(command, &mut desk),
        Command::Enumerate(command) => enumerate::run(command, &mut desk),
        Command::Validate(command) => validate::run(command, &mut desk),
        Command::Verify(command) => verify::run(command, &mut desk),
        Command::Run(command) => run::run(command, &mut desk),
        Command::Import(command) => import::run(command, &mut desk),
        Command::Export(command) => export::run(command, &mut desk),
        Command::Format(command) => format::run(command, &mut desk),
        Command::Build(command) => build::run(command, &mut desk),
        Command::Check(command) => check::run(command, &mut desk),
        Command::Doctor(command) => doctor::run(command, &mut desk),
        Command::Shapes => shapes::run(&mut desk),
    };
    desk.close(result)
}

/// The command line as clap sees it, for the tests that keep the documentation in step with it.
pub fn definition() -> clap::Command {
    <Args as clap::CommandFactory>::command()
}
