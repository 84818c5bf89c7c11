//! What a program that fails does with its input: it may read a file in its place, or wait for more than there is.

use crate::corpus::read_file;
use crate::diagnostic::Result;
use crate::run::{Cancel, Limits, Outcome, Program};
use std::path::Path;

/// Processor time of a run that only explains another, in milliseconds.
const TIME_LIMIT_MS: u64 = 1000;
/// Number of zeros that are put behind an input: programs that ask for more mostly stop at a zero.
const ZEROS: usize = 4096;
/// Bytes of spaces behind the zeros, more than a program reads ahead: one that is satisfied does not come to their end.
const PADDING: usize = 1 << 20;
/// Ways to open a file for reading, and what may stand between them and the name.
const OPENERS: [&str; 10] = [
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

/// Returns why a program fails on an input, if that is because it does not read its standard input, or because it asks for
/// more than that holds. Returns None if neither is the case, or that cannot be known.
///
/// # Errors
/// Returns an error if the program cannot be started, or the work was interrupted.
pub fn explain_reading(program: &Program, input: &[u8], limits: &Limits, cancel: &Cancel) -> Result<Option<String>> {
    let limits = shorten_limits(limits);
    let Some((outcome, read_bytes)) = program.run_noting_reads(input, &limits, cancel)? else { return Ok(None) };
    if read_bytes == 0 && !input.is_empty() {
        // What is mapped into memory is read, too, and then an empty input makes a difference.
        let without = program.run(b"", &[], &limits, cancel)?;
        if (without.exit, &without.output) != (outcome.exit, &outcome.output) {
            return Ok(None);
        }
        let file = find_opened_file(Path::new(program.display_name()));
        let file = file.map(|(name, line)| format!(", and opens the file `{name}` (line {line})")).unwrap_or_default();
        return Ok(Some(format!("it reads nothing of its standard input{file}")));
    }
    if read_bytes < input.len() as u64 || outcome.is_success() {
        return Ok(None);
    }
    let end: &[u8] = if input.ends_with(b"\n") { b"" } else { b"\n" };
    let longer = [input, end, &b"0\n".repeat(ZEROS), &vec![b' '; PADDING]].concat();
    let again = program.run_noting_reads(&longer, &limits, cancel)?;
    let ends = again.is_some_and(|(outcome, read_bytes)| outcome.is_success() && read_bytes < longer.len() as u64);
    Ok(ends.then(|| explain_waiting(&outcome)))
}

/// That it asks for more input, and how it took it that there is none.
fn explain_waiting(outcome: &Outcome) -> String {
    let how = if outcome.limit.is_some() { "waits for" } else { "asks for" };
    format!("it {how} more input than there is: with zeros behind the input it ends well")
}

/// The same limits with less processor time: a program that waits would use up all of it.
fn shorten_limits(limits: &Limits) -> Limits {
    let short = Limits::with_cpu_time_ms(TIME_LIMIT_MS.min(limits.cpu_time_limit_ms));
    Limits { memory_limit_bytes: limits.memory_limit_bytes, output_limit_bytes: limits.output_limit_bytes, ..short }
}

/// The first file that a source opens by a name in quotes, and the line.
fn find_opened_file(source: &Path) -> Option<(String, usize)> {
    let text = read_file(source).ok()?;
    let text = String::from_utf8_lossy(&text);
    text.lines().zip(1..).find_map(|(line, number)| Some((parse_opened_name(line)?, number)))
}

/// The name of the file that a line opens for reading.
fn parse_opened_name(line: &str) -> Option<String> {
    let (opener, at) = OPENERS.iter().find_map(|opener| Some((opener, line.find(opener)?)))?;
    let rest = &line[at + opener.len()..];
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
