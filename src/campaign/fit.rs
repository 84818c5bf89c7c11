//! Whether programs read what the inputs hold: all of it, and nothing more.
//!
//! A format that lacks a number, or has one too many, makes inputs on which two programs may well agree, or differ for no
//! reason that means anything. The input is a file whose position the programs share with us, so how far one has read can
//! be seen; but buffers read ahead. So there is a megabyte of spaces where the question is: they do not change what the
//! input says, and a program stops in their midst if it does not ask for what comes behind them.
//!
//! - Behind the input: a program that comes to the end of the spaces asks for more than there is, or reads to the end of
//!   its input on purpose. With many numbers more before the spaces, the former is satisfied and stops among the spaces.
//! - Before the last token: a program that stops among the spaces, with the same output as before, never reads that token.

use super::bench::Bench;
use super::event::{JudgedBy, Warning};
use crate::diagnostic::{Result, list_and};
use crate::run::{Limits, Program};
use std::time::{Duration, Instant};

/// Bytes of spaces, more than a program reads ahead.
const PADDING: usize = 1 << 20;
/// How many numbers more a program is given that asks for more.
const NUMBERS: usize = 4096;
/// Larger inputs are left alone: each is run several times.
const INPUT_UP_TO: usize = 1 << 16;
/// Number of inputs on which the last token must go unread: on some, a program may end early for good reasons.
const INPUTS_MIN: usize = 4;
/// How long programs are tried for.
const BUDGET: Duration = Duration::from_secs(2);

/// Tries how far the reference and some submissions read in the given inputs. Returns a warning for each that asks for more
/// than the inputs hold, or leaves their ends unread.
///
/// # Errors
/// Returns an error if a program cannot be started, or the user wants no more.
pub fn misfits(bench: &Bench, submissions: &[(&str, &Program)], inputs: &[Vec<u8>]) -> Result<Vec<Warning>> {
    if bench.referee.kind() == JudgedBy::Conversation {
        return Ok(Vec::new());
    }
    let (mut asking, mut leaving): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let started = Instant::now();
    let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).filter(|input| input.len() <= INPUT_UP_TO).collect();
    let reference = (bench.reference.display_name(), &bench.reference, &bench.jury_limits);
    let submissions = submissions.iter().map(|(name, program)| (*name, *program, &bench.limits));
    for (name, program, limits) in std::iter::once(reference).chain(submissions) {
        let reading = Reading { bench, program, limits };
        let name = format!("`{name}`");
        if started.elapsed() < BUDGET && !asking.contains(&name) && reading.asks_for_more(&inputs)? {
            asking.push(name.clone());
        }
        if started.elapsed() < BUDGET && !leaving.contains(&name) && reading.leaves_the_end(&inputs)? {
            leaving.push(name);
        }
    }
    let verb = |names: &[String], one: &str, several: &str| match names {
        [_] => one.to_owned(),
        _ => several.to_owned(),
    };
    let asks = verb(
        &asking,
        "reads past the end of the inputs: it asks for more than they hold",
        "read past the end of \
                    the inputs: they ask for more than these hold",
    );
    let leaves = verb(&leaving, "never reads the last token of the inputs", "never read the last token of the inputs");
    let all = [(asking, asks), (leaving, leaves)].into_iter().filter(|(names, _)| !names.is_empty());
    Ok(all.map(|(names, what)| warning(format!("{} {what}", list_and(&names)))).collect())
}

fn warning(message: String) -> Warning {
    let help = "inputs of another form prove nothing: compare the format, or the generator, with what it reads";
    Warning { message, help: Some(help.to_owned()) }
}

/// A program and what it may use.
struct Reading<'a> {
    bench: &'a Bench,
    program: &'a Program,
    limits: &'a Limits,
}

impl Reading<'_> {
    /// The output on an input and how much of that was read; none if the program fails on it, or nothing is known.
    fn run(&self, input: &[u8]) -> Result<Option<(Vec<u8>, usize)>> {
        let ran = self.program.run_noting_reads(input, self.limits, &self.bench.cancel)?;
        let ran = ran.filter(|(outcome, _)| outcome.is_success());
        Ok(ran.map(|(outcome, read)| (outcome.output, usize::try_from(read).unwrap_or(usize::MAX))))
    }

    /// Whether the program asks for more than one of the inputs holds, and is satisfied by some numbers more.
    fn asks_for_more(&self, inputs: &[&[u8]]) -> Result<bool> {
        let (padding, numbers) = (vec![b' '; PADDING], b"1\n".repeat(NUMBERS));
        for input in inputs.iter().take(INPUTS_MIN) {
            let padded = [*input, &padding].concat();
            if self.run(&padded)?.is_none_or(|(_, read)| read < padded.len()) {
                continue;
            }
            let longer = [*input, b"\n", &numbers, &padding].concat();
            return Ok(self.run(&longer)?.is_some_and(|(_, read)| read < longer.len()));
        }
        Ok(false)
    }

    /// Whether the program never reads the last token of any of the inputs.
    fn leaves_the_end(&self, inputs: &[&[u8]]) -> Result<bool> {
        let padding = vec![b' '; PADDING];
        let mut unread = 0;
        for input in inputs {
            let Some(at) = last_token(input) else { continue };
            let padded = [&input[..at], &padding, &input[at..]].concat();
            let (Some((before, _)), Some((after, read))) = (self.run(input)?, self.run(&padded)?) else {
                return Ok(false);
            };
            if before != after || read >= at + PADDING {
                return Ok(false);
            }
            unread += 1;
        }
        Ok(unread >= INPUTS_MIN)
    }
}

/// Where the last token of an input begins.
fn last_token(input: &[u8]) -> Option<usize> {
    let end = input.trim_ascii_end().len();
    let before = input[..end].iter().rposition(u8::is_ascii_whitespace);
    before.map(|space| space + 1)
}
