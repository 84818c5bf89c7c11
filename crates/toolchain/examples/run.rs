//! Compiles a program and runs it within limits:
//! `cargo run -p rebut-toolchain --example run -- sol.cpp < input.txt`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example is a program of its own")]

use rebut_sandbox::{CancelToken, HostEnvironment, RunLimits};
use rebut_toolchain::{BuildVariant, ProgramBuilder};
use std::io::Read as _;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Programs are started by copies of this program, which end here.
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if rebut_sandbox::serve_if_spawner(&words) {
        return Ok(());
    }
    let source = PathBuf::from(words.first().ok_or("usage: run SOURCE < INPUT")?);
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    let cancel = CancelToken::new();
    let builder = ProgramBuilder::new(HostEnvironment::from_process()?)?;
    let program = builder.compile(&source, BuildVariant::Judged, &cancel)?.program;
    let outcome = program.run(&input, &[], &RunLimits::default(), &cancel)?;
    println!("{:?} after {} us", outcome.exit, outcome.cpu_time_us);
    print!("{}", String::from_utf8_lossy(&outcome.output));
    Ok(())
}
