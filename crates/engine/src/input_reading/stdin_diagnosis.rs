//! Diagnoses failing programs that misuse their standard input: they read a file instead, or expect more input than
//! there is.

use super::extra_input::is_satisfied_by_more_lines;
use crate::tuning::MAX_DIAGNOSIS_TIME_MS;
use rebut_diagnostics::Result;
use rebut_packages::read_file;
use rebut_sandbox::{CancelToken, Program, RunLimits, RunOutcome};
use std::path::Path;

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
pub fn explain_input_misuse(
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
