//! Inputs that a generator makes.

use super::super::bench::outcome_words;
use super::flaw::FlawKind;
use super::input::{Fresh, Unmade};
use super::order::Order;
use crate::diagnostic::{Result, shorten};
use crate::run::{Cancel, Limits, Program};
use std::ffi::OsString;

/// The place of the seed in a generator's arguments.
const SEED: &str = "{seed}";
/// The place of the test's name.
const NAME: &str = "{name}";

/// The input of that number: made twice, since what a generator makes differently each time is nothing to build on.
pub(super) fn made(
    order: &Order,
    program: &Program,
    arguments: &[String],
    index: usize,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<std::result::Result<Fresh, Unmade>> {
    let run = |seed: u64| once(order, program, arguments, seed, limits, cancel);
    let seed = seed(order, index);
    let (first, second) = match (run(seed)?, run(seed)?) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(unmade), _) | (_, Err(unmade)) => return Ok(Err(unmade)),
    };
    if first != second {
        let message = format!(
            "the generator `{}` is not deterministic: seed {seed} makes different inputs",
            program.display_name()
        );
        let note = format!("first  {}\nsecond {}", shorten(&first, 60), shorten(&second, 60));
        return Ok(Err((FlawKind::Generator, message, note)));
    }
    let takes_seed = index == 0 && arguments.iter().any(|argument| argument.contains(SEED));
    let ignores_seed = takes_seed && run(seed ^ 1)? == Ok(first.clone());
    Ok(Ok(Fresh { bytes: first, ignores_seed }))
}

/// The seed that a generator is given: the recipe's own, counted up; or one of 31 bits, which every language can read.
fn seed(order: &Order, index: usize) -> u64 {
    match order.has_own_seed {
        true => order.seed.wrapping_add(index as u64),
        false => order.seed.wrapping_add((index as u64).wrapping_mul(0x9e37_79b9)) & 0x7fff_ffff,
    }
}

fn once(
    order: &Order,
    program: &Program,
    arguments: &[String],
    seed: u64,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<std::result::Result<Vec<u8>, Unmade>> {
    let filled = |argument: &String| argument.replace(SEED, &seed.to_string()).replace(NAME, &order.stem);
    let arguments: Vec<OsString> = arguments.iter().map(|argument| OsString::from(filled(argument))).collect();
    let outcome = program.run(b"", &arguments, limits, cancel)?;
    if outcome.is_success() {
        return Ok(Ok(outcome.output));
    }
    let message = format!("the generator `{}` {} for seed {seed}", program.display_name(), outcome_words(&outcome));
    Ok(Err((FlawKind::Generator, message, String::from_utf8_lossy(&outcome.stderr).into_owned())))
}
