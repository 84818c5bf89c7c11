//! Checks whether programs read exactly what the generated inputs hold.
//!
//! If a format lacks a number or has one too many, two programs can agree on its inputs nevertheless, or differ for
//! reasons that have nothing to do with the problem. So each program is run on inputs with a megabyte of spaces
//! inserted, see [`super::extra_input`]:
//!
//! - At the end: a program that reads all of the spaces expects more input, or reads its input to the end on purpose.
//!   With many numbers before the spaces, the former is satisfied and stops among the spaces.
//! - Before the last token: a program that stops among the spaces, with the same output as before, never reads that
//!   token.

use super::extra_input::{is_satisfied_by_more_lines, padding};
use crate::event::{JudgeKind, WarningEvent};
use crate::judging::JudgeSetup;
use crate::tuning::{MAX_FITTED_INPUT_BYTES, MAX_INPUT_FIT_DURATION, MIN_UNREAD_INPUTS, PADDING_BYTES};
use rebut_diagnostics::{Result, list_and};
use rebut_sandbox::{Program, RunLimits};
use std::time::Instant;

/// Checks how far the reference and some submissions read the given inputs. Returns a warning about the programs that
/// expect more than the inputs hold, and one about those that leave the last token unread.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the work was cancelled.
pub fn find_input_misfits(
    judge_setup: &JudgeSetup,
    submissions: &[(&str, &Program)],
    inputs: &[Vec<u8>],
) -> Result<Vec<WarningEvent>> {
    if judge_setup.judge.judge_kind() == JudgeKind::Conversation {
        return Ok(Vec::new());
    }
    let (mut reading_past_end, mut ignoring_last): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let started = Instant::now();
    let inputs: Vec<&[u8]> =
        inputs.iter().map(Vec::as_slice).filter(|input| input.len() <= MAX_FITTED_INPUT_BYTES).collect();
    let reference = (judge_setup.reference.display_name(), &judge_setup.reference, &judge_setup.judge_limits);
    let submissions = submissions.iter().map(|(name, program)| (*name, *program, &judge_setup.limits));
    for (name, program, limits) in std::iter::once(reference).chain(submissions) {
        let probe = ReadExtentProbe { judge_setup, program, limits };
        let name = format!("`{name}`");
        if started.elapsed() < MAX_INPUT_FIT_DURATION
            && !reading_past_end.contains(&name)
            && probe.reads_past_end(&inputs)?
        {
            reading_past_end.push(name.clone());
        }
        if started.elapsed() < MAX_INPUT_FIT_DURATION
            && !ignoring_last.contains(&name)
            && probe.ignores_last_token(&inputs)?
        {
            ignoring_last.push(name);
        }
    }
    let past_end = match reading_past_end[..] {
        [_] => "reads past the end of the inputs: it expects more than they hold",
        _ => "read past the end of the inputs: they expect more than these hold",
    };
    let last_token = match ignoring_last[..] {
        [_] => "never reads the last token of the inputs",
        _ => "never read the last token of the inputs",
    };
    let misfits = [(reading_past_end, past_end), (ignoring_last, last_token)];
    let misfits = misfits.into_iter().filter(|(names, _)| !names.is_empty());
    Ok(misfits.map(|(names, misfit)| misfit_warning(format!("{} {misfit}", list_and(&names)))).collect())
}

fn misfit_warning(message: String) -> WarningEvent {
    let help =
        "inputs of a different form prove nothing: compare the format or the generator with what the program reads";
    WarningEvent { message, help: Some(help.to_owned()) }
}

/// Measures how far a program reads its inputs.
struct ReadExtentProbe<'a> {
    judge_setup: &'a JudgeSetup,
    program: &'a Program,
    limits: &'a RunLimits,
}

impl ReadExtentProbe<'_> {
    /// Returns the output on an input and the number of bytes that were read. Returns `None` if the program fails, or
    /// if the system cannot count them.
    fn run_tracking_reads(&self, input: &[u8]) -> Result<Option<(Vec<u8>, usize)>> {
        let result = self.program.run_counting_reads(input, self.limits, &self.judge_setup.cancel)?;
        let result = result.filter(|(outcome, _)| outcome.is_success());
        Ok(result.map(|(outcome, read)| (outcome.output, usize::try_from(read).unwrap_or(usize::MAX))))
    }

    /// Returns true if the program expects more than one of the inputs holds, and is satisfied by some more numbers.
    fn reads_past_end(&self, inputs: &[&[u8]]) -> Result<bool> {
        for input in inputs.iter().take(MIN_UNREAD_INPUTS) {
            let padded = [*input, &padding()].concat();
            if self.run_tracking_reads(&padded)?.is_none_or(|(_, read)| read < padded.len()) {
                continue;
            }
            let (input, cancel) = ([*input, b"\n"].concat(), &self.judge_setup.cancel);
            return is_satisfied_by_more_lines(self.program, &input, b"1\n", self.limits, cancel);
        }
        Ok(false)
    }

    /// Returns true if the program reads the last token of none of the inputs, and there are enough of them.
    fn ignores_last_token(&self, inputs: &[&[u8]]) -> Result<bool> {
        let mut unread = 0;
        for input in inputs {
            let Some(at) = last_token_start(input) else { continue };
            let padded = [&input[..at], &padding(), &input[at..]].concat();
            let (Some((before, _)), Some((after, read))) =
                (self.run_tracking_reads(input)?, self.run_tracking_reads(&padded)?)
            else {
                return Ok(false);
            };
            if before != after || read >= at + PADDING_BYTES {
                return Ok(false);
            }
            unread += 1;
        }
        Ok(unread >= MIN_UNREAD_INPUTS)
    }
}

/// Returns the position of the last token of an input, if it is preceded by white space.
fn last_token_start(input: &[u8]) -> Option<usize> {
    let end = input.trim_ascii_end().len();
    let before = input[..end].iter().rposition(u8::is_ascii_whitespace);
    before.map(|space| space + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn last_token_begins_after_white_space() {
        for (input, start) in [("3\n1 2 30\n", Some(6)), ("1 2\n\n", Some(2)), ("12", None), ("\n", None), ("", None)] {
            assert_eq!(last_token_start(input.as_bytes()), start, "{input:?}");
        }
    }
}
