//! The protocol by which a generator program takes its draws from rebut: a request on its standard input, and a log on
//! its error stream. `docs/reference/choices.md` describes it for authors of generators.

use std::fmt::{self, Write as _};

/// The first words of a request, and the line that begins a log.
const PROTOCOL: &str = "rebut-choices 1";

/// The character before each draw of a log.
const DRAW_MARK: u8 = b'~';

/// What a generator program is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DrawRequest {
    /// Seed of the draws after the given ones. Without a seed, a program that needs more draws exits with status 1.
    pub seed: Option<u64>,
    /// The intended size of the input, from 0 to 100.
    pub growth: u32,
    /// The draws to be replayed. Each is reduced to the largest value possible where it is used.
    pub draws: Vec<u64>,
}

impl DrawRequest {
    /// Returns the line on the standard input of the program.
    #[must_use]
    pub fn to_line(&self, is_logged: bool) -> String {
        let seed = self.seed.map_or_else(|| "-".to_owned(), |seed| seed.to_string());
        let mut line = format!("{PROTOCOL} {seed} {} {}", self.growth, if is_logged { "log" } else { "-" });
        for draw in &self.draws {
            // Writing to a string cannot fail.
            let _ = write!(line, " {draw}");
        }
        line.push('\n');
        line
    }
}

/// The draws of one run of a generator program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawLog {
    /// There is no log: the program does not take its draws from rebut.
    Absent,
    /// The log is incomplete: there were too many draws.
    TooLong,
    /// All draws, in order.
    Complete(Vec<u64>),
}

/// A line of a log that is not a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedDraw(String);

impl fmt::Display for MalformedDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a draw", self.0)
    }
}

/// Parses the log in an error stream, of which at most the last `max_bytes` were kept. Lines that belong to no log are
/// the program's own.
///
/// # Errors
/// Returns an error if a line of the log is not a number.
pub fn parse_draw_log(stderr: &[u8], max_bytes: usize) -> Result<DrawLog, MalformedDraw> {
    let mut lines = stderr.split(|byte| *byte == b'\n');
    let is_announced = lines.by_ref().any(|line| line == PROTOCOL.as_bytes());
    if !is_announced {
        let has_draws =
            || stderr.split(|byte| *byte == b'\n').any(|line| parse_draw_line(line).is_some_and(|d| d.is_ok()));
        return Ok(if stderr.len() >= max_bytes && has_draws() { DrawLog::TooLong } else { DrawLog::Absent });
    }
    lines.filter_map(parse_draw_line).collect::<Result<_, _>>().map(DrawLog::Complete)
}

/// Parses a line of a log. Returns `None` if it does not belong to the log.
fn parse_draw_line(line: &[u8]) -> Option<Result<u64, MalformedDraw>> {
    let (mark, digits) = line.split_first()?;
    let text = String::from_utf8_lossy(digits);
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let parsed = text.parse().ok().filter(|_| is_number);
    (*mark == DRAW_MARK).then(|| parsed.ok_or_else(|| MalformedDraw(String::from_utf8_lossy(line).into_owned())))
}

// The files through which generator programs take their draws from rebut, as they are in `generators/include/`.

/// A file for the generators of one language.
#[derive(Clone, Copy, Debug)]
pub struct HelperFile {
    /// Its name.
    pub name: &'static str,
    /// Its contents.
    pub text: &'static str,
}

/// All of them.
pub const HELPER_FILES: [HelperFile; 4] = [
    HelperFile { name: "rebut.h", text: include_str!("../include/rebut.h") },
    HelperFile { name: "rebut.py", text: include_str!("../include/rebut.py") },
    HelperFile { name: "rebut.rs", text: include_str!("../include/rebut.rs") },
    HelperFile { name: "rebut_testlib.h", text: include_str!("../include/rebut_testlib.h") },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_is_one_line() {
        let request = DrawRequest { seed: Some(7), growth: 40, draws: vec![] };
        assert_eq!(request.to_line(false), "rebut-choices 1 7 40 -\n");
        let replay = DrawRequest { seed: None, growth: 100, draws: vec![0, u64::MAX, 3] };
        assert_eq!(replay.to_line(true), "rebut-choices 1 - 100 log 0 18446744073709551615 3\n");
    }

    #[test]
    fn log_is_found_among_other_lines() {
        let parse = |text: &str| parse_draw_log(text.as_bytes(), 64);
        assert_eq!(parse("rebut-choices 1\n~5\n~0\n"), Ok(DrawLog::Complete(vec![5, 0])));
        assert_eq!(parse("~1\nn is 3\nrebut-choices 1\n~5\nhello ~7\n\n~0"), Ok(DrawLog::Complete(vec![5, 0])));
        assert_eq!(parse("rebut-choices 1\n"), Ok(DrawLog::Complete(vec![])));
        for absent in ["", "~5\n", "rebut-choices 2\n~5\n", " rebut-choices 1\n"] {
            assert_eq!(parse(absent), Ok(DrawLog::Absent), "{absent}");
        }
        assert_eq!(parse(&"~5\n".repeat(40)), Ok(DrawLog::TooLong));
        assert_eq!(parse(&"hello\n".repeat(40)), Ok(DrawLog::Absent));
        for wrong in ["~", "~x", "~-1", "~ 1", "~+1", "~18446744073709551616", "~1 2"] {
            assert_eq!(parse(&format!("rebut-choices 1\n~5\n{wrong}\n")), Err(MalformedDraw(wrong.to_owned())));
        }
    }

    #[test]
    fn helpers_are_short() {
        for file in HELPER_FILES {
            assert!(file.text.lines().count() <= 150, "{}", file.name);
        }
    }
}
