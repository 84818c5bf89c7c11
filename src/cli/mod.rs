//! The command line: layer 7. One thin file a command; what they share is `args`, `setup`, `programs` and `desk`.

mod answers;
mod args;
mod build;
mod check;
mod desk;
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
mod probes;
mod programs;
mod recipe;
mod replay;
mod run;
mod setup;
mod shapes;
mod shrink;
mod statics;
mod stress;
mod validate;
mod verify;
mod watchdog;

use crate::run::{expect_children, keep_freed_memory};
use args::{Args, Command};
use clap::Parser;
use desk::Desk;
pub use exit::Status;

/// Runs the command that the process was started with; the result is the process's exit status.
pub fn main() -> Status {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    expect_children();
    if crate::run::serve_if_asked(&words) {
        return Status::Fine;
    }
    keep_freed_memory();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(problem) => {
            let status = if problem.use_stderr() { Status::Usage } else { Status::Fine };
            // Nothing can be done if even the help text cannot be written.
            let _ = problem.print();
            return status;
        }
    };
    let mut desk = match Desk::open(&args.global) {
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
