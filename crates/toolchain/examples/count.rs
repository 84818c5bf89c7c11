//! Compiles a program with counters and prints the work of a run:
//! `cargo run -p rebut-toolchain --example count -- sol.cpp < input.txt`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example is a program of its own")]

use rebut_sandbox::{CancelToken, HostEnvironment, RunLimits};
use rebut_toolchain::{CountedProgram, ProgramBuilder, SourceOptions};
use std::io::Read as _;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Programs are started by copies of this program, which end here.
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if rebut_sandbox::serve_if_spawner(&words) {
        return Ok(());
    }
    let source = PathBuf::from(words.first().ok_or("usage: count SOURCE < INPUT")?);
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    let cancel = CancelToken::new();
    // Counters are read from the folder of the run, which only a spawner makes.
    let environment = HostEnvironment::from_process()?.with_spawner(std::env::current_exe()?);
    let builder = ProgramBuilder::new(environment)?;
    let program = CountedProgram::compile(&builder, &source, &SourceOptions::default(), &cancel)?;
    let (outcome, work) = program.run(&input, &RunLimits::default(), &cancel)?;
    println!("{:?} after {} us: {work:?}", outcome.exit, outcome.cpu_time_us);
    Ok(())
}
