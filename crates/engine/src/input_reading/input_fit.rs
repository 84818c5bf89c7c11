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

use crate::event::WarningEvent;
use crate::judging::JudgeSetup;
use crate::tuning::{
    EXTRA_LINES, MAX_DIAGNOSIS_TIME_MS, MAX_FITTED_INPUT_BYTES, MAX_INPUT_FIT_DURATION, MIN_UNREAD_INPUTS,
    PADDING_BYTES,
};
use rebut_diagnostics::{Result, list_and};
use rebut_packages::read_file;
use rebut_sandbox::{CancelToken, Program, RunLimits, RunOutcome};
use std::path::Path;
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
    if judge_setup.judge.holds_conversation() {
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
    WarningEvent::new(message, help)
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
        // Nearly all programs read each input to the same place, and some take long to start.
        let tried = if self.program.start_price() == 1 { MIN_UNREAD_INPUTS } else { 2 };
        for input in inputs.iter().take(tried) {
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
            // Most programs read the token, which one run shows.
            let Some((after, _)) = self.run_tracking_reads(&padded)?.filter(|(_, read)| *read < at + PADDING_BYTES)
            else {
                return Ok(false);
            };
            if self.run_tracking_reads(input)?.is_none_or(|(before, _)| before != after) {
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

// Appends numbers to an input to find out whether a program expects more than the input holds.
//
// Programs share the position of their input file with this process, so the number of bytes that were read is known,
// but only up to read-ahead. Inputs are therefore padded with more spaces than a program reads ahead. Spaces do not
// change the meaning of an input, and a program that does not need anything after them stops before it has read them
// all.

/// Returns a padding: spaces that a program reads to their end only if it needs more input.
pub(crate) fn padding() -> Vec<u8> {
    vec![b' '; PADDING_BYTES]
}

/// Returns true if a program succeeds on an input followed by many lines with a number, and stops in the padding at the
/// end. `input` must end with a newline.
///
/// # Errors
/// Returns an error if the program cannot be started, or if the work was cancelled.
pub(crate) fn is_satisfied_by_more_lines(
    program: &Program,
    input: &[u8],
    line: &[u8],
    limits: &RunLimits,
    cancel: &CancelToken,
) -> Result<bool> {
    let extended = [input, &line.repeat(EXTRA_LINES), &padding()].concat();
    let result = program.run_counting_reads(&extended, limits, cancel)?;
    Ok(result.is_some_and(|(outcome, read_bytes)| outcome.is_success() && read_bytes < extended.len() as u64))
}

// Diagnoses failing programs that misuse their standard input: they read a file instead, or expect more input than
// there is.

/// Expressions that open a file for reading, up to its name or what precedes it.
const FILE_OPEN_CALLS: [&str; 10] = [
    "freopen(",
    "fopen(",
    "ifstream ",
    "ifstream(",
    ".open(",
    " open(",
    "=open(",
    "FileReader(",
    "FileInputStream(",
    "File(",
];

/// Returns why a program fails on an input, if the cause is that it does not read its standard input or expects more
/// than there is. Returns `None` if neither is the case, or if the system cannot count the bytes that were read.
///
/// # Errors
/// Returns an error if the program cannot be started, or if the work was cancelled.
pub(crate) fn explain_input_misuse(
    program: &Program,
    input: &[u8],
    limits: &RunLimits,
    cancel: &CancelToken,
) -> Result<Option<String>> {
    let limits = shorten_limits(limits);
    let Some((outcome, read_bytes)) = program.run_counting_reads(input, &limits, cancel)? else { return Ok(None) };
    if read_bytes == 0 && !input.is_empty() {
        // Reading through a memory mapping is not counted, but an empty input makes a difference then.
        let on_empty = program.run(b"", &[], &limits, cancel)?;
        if (on_empty.exit, &on_empty.output) != (outcome.exit, &outcome.output) {
            return Ok(None);
        }
        let file = find_opened_file(Path::new(program.display_name()));
        let file = file
            .map(|(name, line)| format!(", and opens the file `{name}` (line {line}): `--files` runs it with one"))
            .unwrap_or_default();
        return Ok(Some(format!("it reads nothing from its standard input{file}")));
    }
    if read_bytes < input.len() as u64 || outcome.is_success() {
        return Ok(None);
    }
    // Zeros, because most programs that expect more stop at one.
    let end: &[u8] = if input.ends_with(b"\n") { b"" } else { b"\n" };
    let is_satisfied = is_satisfied_by_more_lines(program, &[input, end].concat(), b"0\n", &limits, cancel)?;
    Ok(is_satisfied.then(|| describe_input_wait(&outcome)))
}

/// Returns the message for a program that expects more input: it waits at the end of its input, or fails there.
fn describe_input_wait(outcome: &RunOutcome) -> String {
    let verb = if outcome.limit.is_some() { "waits for" } else { "expects" };
    format!("it {verb} more input than there is: with zeros appended to the input it exits normally")
}

/// Returns the same limits with less processor time, since a program that waits for input uses all of it.
fn shorten_limits(limits: &RunLimits) -> RunLimits {
    let short = RunLimits::with_cpu_time_ms(MAX_DIAGNOSIS_TIME_MS.min(limits.cpu_time_limit_ms));
    RunLimits { memory_limit_bytes: limits.memory_limit_bytes, output_limit_bytes: limits.output_limit_bytes, ..short }
}

/// Returns the name of the first file that a source opens for reading, and the number of the line.
fn find_opened_file(source: &Path) -> Option<(String, usize)> {
    let text = read_file(source).ok()?;
    let text = String::from_utf8_lossy(&text);
    text.lines().zip(1..).find_map(|(line, number)| Some((parse_opened_name(line)?, number)))
}

/// Returns the quoted name of the file that a line opens for reading.
fn parse_opened_name(line: &str) -> Option<String> {
    let (call, at) = FILE_OPEN_CALLS.iter().find_map(|call| Some((call, line.find(call)?)))?;
    let rest = &line[at + call.len()..];
    let quote = rest.find(['"', '\''])?;
    let mark = rest[quote..].chars().next()?;
    let name = rest[quote + 1..].split(mark).next()?;
    let mode = rest[quote + 1 + name.len()..].trim_start_matches([mark, ',', ' ']);
    let writes =
        mode.starts_with(['w', 'a']) || mode.starts_with("\"w") || mode.starts_with("'w") || line.contains("stdout");
    (!writes && !name.is_empty()).then(|| name.to_owned())
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

    #[test]
    fn files_that_sources_open_for_reading_are_named() {
        for (line, name) in [
            ("    freopen(\"input.txt\", \"r\", stdin);", Some("input.txt")),
            ("freopen(\"output.txt\", \"w\", stdout);", None),
            ("ifstream fin(\"cowdance.in\");", Some("cowdance.in")),
            ("std::ifstream in{\"a.in\"};", Some("a.in")),
            ("FILE *f = fopen(\"a.in\", \"r\");", Some("a.in")),
            ("FILE *f = fopen(\"a.out\", \"w\");", None),
            ("sys.stdin = open('input.txt')", Some("input.txt")),
            ("with open('a.in') as f:", Some("a.in")),
            ("Scanner s = new Scanner(new File(\"a.in\"));", Some("a.in")),
            ("n = int(input())", None),
            ("open(", None),
        ] {
            assert_eq!(parse_opened_name(line).as_deref(), name, "{line}");
        }
    }
}
