//! Compares the cost of runs that count their work with that of plain runs, both in the fastest way available:
//! `cargo run --release -p rebut-toolchain --example count_cost -- SOURCE INPUT [RUNS]`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example is a program of its own")]

use rebut_sandbox::{CancelToken, HostEnvironment, RunLimits};
use rebut_toolchain::{BuildVariant, CountedProgram, ProgramBuilder, SourceOptions};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Number of runs of each kind, unless stated.
const DEFAULT_RUNS: u32 = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Programs are started by copies of this program, which end here.
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if rebut_sandbox::serve_if_spawner(&words) {
        return Ok(());
    }
    let [source, input, rest @ ..] = words.as_slice() else {
        return Err("usage: count_cost SOURCE INPUT [RUNS]".into());
    };
    let runs = rest.first().and_then(|word| word.to_str()).map_or(Ok(DEFAULT_RUNS), str::parse)?;
    let (source, input) = (PathBuf::from(source), std::fs::read(input)?);
    let (cancel, options, limits) = (CancelToken::new(), SourceOptions::default(), RunLimits::default());
    let environment = HostEnvironment::from_process()?.with_spawner(std::env::current_exe()?);
    let builder = ProgramBuilder::new(environment)?;
    let counted = CountedProgram::compile(&builder, &source, &options, &cancel)?;
    let plain = builder.compile_with_options(&source, &options, BuildVariant::Judged, &cancel)?.program;
    let (mut plain_time, mut counted_time, mut work) = (Duration::ZERO, Duration::ZERO, None);
    // Interleaved, so that both meet the same load of the machine.
    for _ in 0..runs {
        let begun = Instant::now();
        plain.run_fast(&input, &[], &limits, &cancel)?;
        plain_time += begun.elapsed();
        let begun = Instant::now();
        work = Some(counted.run(&input, &limits, &cancel)?.1);
        counted_time += begun.elapsed();
    }
    let ratio = counted_time.as_secs_f64() / plain_time.as_secs_f64();
    println!("{ratio:.2}: {:?} counted, {:?} plain, {work:?}", counted_time / runs.max(1), plain_time / runs.max(1));
    Ok(())
}
