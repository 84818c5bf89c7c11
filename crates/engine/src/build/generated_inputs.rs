//! Inputs printed by generator programs.

use super::new_input::{InputFailure, NewInput};
use super::test_job::TestJob;
use crate::event::BuildFlawKind;
use crate::judge::describe_outcome;
use rebut_diagnostics::{Result, shorten_text};
use rebut_sandbox::{CancelToken, Program, RunLimits};
use std::ffi::OsString;

/// Placeholder for the seed in the arguments of a generator.
const SEED_PLACEHOLDER: &str = "{seed}";
/// Placeholder for the name of the test.
const NAME_PLACEHOLDER: &str = "{name}";

/// Generates the input with the given index of a test. The generator runs twice with the same seed, to find out whether
/// it is deterministic, and for the first input once more with another one, to find out whether it uses its seed.
pub(super) fn generate_input(
    job: &TestJob,
    program: &Program,
    arguments: &[String],
    index: usize,
    limits: &RunLimits,
    cancel: &CancelToken,
) -> Result<std::result::Result<NewInput, InputFailure>> {
    let run = |seed: u64| run_generator(job, program, arguments, seed, limits, cancel);
    let seed = generator_seed(job, index);
    let (first, second) = match (run(seed)?, run(seed)?) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(flaw), _) | (_, Err(flaw)) => return Ok(Err(flaw)),
    };
    if first != second {
        let message = format!(
            "the generator `{}` is not deterministic: seed {seed} gave two different inputs",
            program.display_name()
        );
        let note = format!("first  {}\nsecond {}", shorten_text(&first, 60), shorten_text(&second, 60));
        return Ok(Err(InputFailure::new(BuildFlawKind::Generator, message, note)));
    }
    let takes_seed = index == 0 && arguments.iter().any(|argument| argument.contains(SEED_PLACEHOLDER));
    let ignores_seed = takes_seed && run(seed ^ 1)? == Ok(first.clone());
    Ok(Ok(NewInput { bytes: first, ignores_seed, shape: None }))
}

/// Returns the seed for the generator: the one in the recipe plus the index, or else one derived from the test. That has
/// 31 bits, which every language can parse as an integer.
fn generator_seed(job: &TestJob, index: usize) -> u64 {
    match job.has_own_seed {
        true => job.seed.wrapping_add(index as u64),
        // Multiples of the golden ratio, as a fraction of 2^32, are far apart.
        false => job.seed.wrapping_add((index as u64).wrapping_mul(0x9e37_79b9)) & 0x7fff_ffff,
    }
}

/// Runs the generator once, and returns what it printed.
fn run_generator(
    job: &TestJob,
    program: &Program,
    arguments: &[String],
    seed: u64,
    limits: &RunLimits,
    cancel: &CancelToken,
) -> Result<std::result::Result<Vec<u8>, InputFailure>> {
    let filled =
        |argument: &String| argument.replace(SEED_PLACEHOLDER, &seed.to_string()).replace(NAME_PLACEHOLDER, &job.stem);
    let arguments: Vec<OsString> = arguments.iter().map(|argument| OsString::from(filled(argument))).collect();
    let outcome = program.run(b"", &arguments, limits, cancel)?;
    if outcome.is_success() {
        return Ok(Ok(outcome.output));
    }
    let message = format!("the generator `{}` {} for seed {seed}", program.display_name(), describe_outcome(&outcome));
    Ok(Err(InputFailure::new(BuildFlawKind::Generator, message, String::from_utf8_lossy(&outcome.stderr).into_owned())))
}
