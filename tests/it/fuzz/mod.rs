//! Fuzzing: parsers, readers and checkers get arbitrary bytes and must neither panic nor hang.
//!
//! Execution `i` of a target depends on the seed and on `i` alone, so each finding has a replay command. The tests here
//! are short runs of a fixed seed; `scripts/fuzz` makes long ones.

mod corpus;
mod driver;
mod hostile;
mod mutate;
mod packages;
mod targets;

use corpus::Corpus;
use driver::Run;

/// Number of executions of each target in a test run.
const SHORT: u64 = 4_000;

fn run_short(target: &str) {
    run_few(target, SHORT);
}

/// For targets that write files, which are slower.
fn run_few(target: &str, executions: u64) {
    let corpus = Corpus::load();
    let run = Run { target: target.to_owned(), seed: 1, first: 0, executions, is_long: false };
    if let Err(report) = driver::run(&run, &targets::target(target, &corpus)) {
        panic!("{report}");
    }
}

#[test]
fn fuzz_format_parser() {
    run_short("format");
}

#[test]
fn fuzz_input_reader_and_printer() {
    run_short("read");
}

#[test]
fn fuzz_checkers() {
    run_short("checker");
}

#[test]
fn fuzz_patterns() {
    run_short("pattern");
}

#[test]
fn fuzz_generation() {
    run_short("generate");
}

#[test]
fn fuzz_sources_of_mutants() {
    run_few("source", 12);
}

#[test]
fn fuzz_package_readers() {
    run_few("package", 500);
}

/// The entry point of `scripts/fuzz`: `REBUT_FUZZ="target seed first executions"`.
#[test]
#[ignore = "scripts/fuzz starts it"]
fn long_run() {
    let request = std::env::var("REBUT_FUZZ").unwrap_or_else(|_| "read 1 0 100000".to_owned());
    let words: Vec<&str> = request.split_whitespace().collect();
    let [target, seed, first, executions] = words[..] else { panic!("REBUT_FUZZ is `target seed first executions`") };
    let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("`{word}` is not a number"));
    let run = Run {
        target: target.to_owned(),
        seed: number(seed),
        first: number(first),
        executions: number(executions),
        is_long: true,
    };
    let corpus = Corpus::load();
    match driver::run(&run, &targets::target(target, &corpus)) {
        Ok(report) => driver::print_line(&report),
        Err(report) => {
            driver::print_line(&report);
            panic!("{target} failed");
        }
    }
}
