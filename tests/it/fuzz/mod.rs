//! Any bytes: parsers, readers and checkers are given what nobody would write, and must neither panic nor hang.
//!
//! Execution `i` of a target depends on the seed and on `i` alone, so whatever is found has a replay command.
//! The tests here make a short run of a fixed seed; `scripts/fuzz` makes long ones.

mod corpus;
mod driver;
mod mutate;
mod packages;
mod targets;

use corpus::Corpus;
use driver::Run;

/// So many executions of each target are part of every test run.
const SHORT: u64 = 4_000;

fn short(target: &str) {
    few(target, SHORT);
}

/// What writes files takes longer.
fn few(target: &str, executions: u64) {
    let corpus = Corpus::load();
    let run = Run { target: target.to_owned(), seed: 1, first: 0, executions, is_long: false };
    if let Err(report) = driver::run(&run, &targets::named(target, &corpus)) {
        panic!("{report}");
    }
}

#[test]
fn no_format_text_crashes_the_parser() {
    short("format");
}

#[test]
fn no_input_crashes_the_reader_and_what_is_accepted_prints_as_it_was() {
    short("read");
}

#[test]
fn no_output_crashes_a_checker_and_every_checker_accepts_the_answer() {
    short("checker");
}

#[test]
fn no_regular_expression_crashes_the_patterns_and_what_is_drawn_matches() {
    short("pattern");
}

#[test]
fn whatever_format_is_accepted_its_inputs_are_valid() {
    short("generate");
}

#[test]
fn no_damage_to_a_package_crashes_its_readers() {
    few("package", 500);
}

/// What `scripts/fuzz` starts: `REBUT_FUZZ="target seed first executions"`.
#[test]
#[ignore = "scripts/fuzz starts it"]
fn a_long_run() {
    let asked = std::env::var("REBUT_FUZZ").unwrap_or_else(|_| "read 1 0 100000".to_owned());
    let words: Vec<&str> = asked.split_whitespace().collect();
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
    match driver::run(&run, &targets::named(target, &corpus)) {
        Ok(report) => driver::say(&report),
        Err(report) => {
            driver::say(&report);
            panic!("{target} failed");
        }
    }
}
