//! Options of reports.

use std::borrow::Cow;
use std::io::IsTerminal;
use unicode_width::UnicodeWidthChar;

/// How expected and actual output are arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiffStyle {
    /// Side by side if both fit.
    #[default]
    Auto,
    /// In two columns, with long lines cut.
    SideBySide,
    /// One above the other.
    Inline,
}

/// Options of a report. Start from [`ReportOptions::from_environment`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportOptions {
    /// Whether results, on the standard output, have colours.
    pub colour: bool,
    /// Whether text on the standard error has colours.
    pub colour_stderr: bool,
    /// Maximum width of a line, in columns.
    pub width: usize,
    /// Whether a live block can be drawn on the standard error.
    pub interactive: bool,
    /// Whether to show details: the compilers' command lines, and failures as they happen.
    pub verbose: bool,
    /// Whether to show only results, warnings and errors.
    pub quiet: bool,
    /// Whether to show every line of an input and every row of a diff.
    pub all_rows: bool,
    /// Whether to show the time of each submission on each test case.
    pub show_times: bool,
    /// How diffs of outputs are arranged.
    pub diff_style: DiffStyle,
}

/// Width of output that does not go to a terminal.
const DEFAULT_WIDTH: usize = 80;

/// Minimum width: below it columns do not fit next to each other, and the terminal may wrap lines itself.
const MIN_WIDTH: usize = 40;

/// Maximum width: longer lines are not readable.
const MAX_WIDTH: usize = 1000;

/// Plain text, 80 columns wide.
impl Default for ReportOptions {
    fn default() -> Self {
        ReportOptions {
            colour: false,
            colour_stderr: false,
            width: DEFAULT_WIDTH,
            interactive: false,
            verbose: false,
            quiet: false,
            all_rows: false,
            show_times: false,
            diff_style: DiffStyle::Auto,
        }
    }
}

impl ReportOptions {
    /// Detects the options from the standard streams and the environment: `NO_COLOR`, `CLICOLOR_FORCE`, `TERM`,
    /// `COLUMNS`.
    pub fn from_environment() -> Self {
        let stderr = terminal_size::terminal_size_of(std::io::stderr());
        let size = stderr.or_else(|| terminal_size::terminal_size_of(std::io::stdout()));
        let streams = DetectedStreams {
            stdout: std::io::stdout().is_terminal(),
            stderr: std::io::stderr().is_terminal(),
            width: size.map(|(terminal_size::Width(columns), _)| columns.into()).filter(|columns| *columns > 0),
        };
        ReportOptions::from_streams(streams, |name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    /// Returns these options for a command that writes data to the standard output, and all text to the standard error.
    #[must_use]
    pub fn all_to_stderr(self) -> Self {
        ReportOptions { colour: self.colour_stderr, ..self }
    }

    fn from_streams(streams: DetectedStreams, variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
        let forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let refused = variable("NO_COLOR").is_some();
        let coloured = |is_terminal: bool| !refused && (forced || is_terminal && !is_dumb);
        let columns = variable("COLUMNS").and_then(|columns| columns.parse().ok());
        ReportOptions {
            colour: coloured(streams.stdout),
            colour_stderr: coloured(streams.stderr),
            width: columns.or(streams.width).unwrap_or(DEFAULT_WIDTH).clamp(MIN_WIDTH, MAX_WIDTH),
            interactive: streams.stderr && !is_dumb,
            ..ReportOptions::default()
        }
    }
}

/// Properties of the standard streams.
#[derive(Clone, Copy)]
struct DetectedStreams {
    stdout: bool,
    stderr: bool,
    width: Option<usize>,
}

// Escapes text so that it is safe to show on a terminal.
//
// The output of a program is treated as hostile: it could move the cursor, change the window's title, or hide text in
// characters without width.

/// Replaces each character that a terminal would interpret, or not show, with a visible one.
pub(crate) fn escape_invisible(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_visible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push_escaped(&mut shown, c);
    }
    Cow::Owned(shown)
}

/// Escapes a text line by line. Line ends are kept, and tabs become spaces.
pub fn escape_lines(text: &str) -> String {
    text.lines().map(|line| escape_message(line) + "\n").collect()
}

/// Escapes the text of a message: tabs become spaces, and a trailing carriage return is dropped.
pub(crate) fn escape_message(text: &str) -> String {
    escape_invisible(&text.trim_end_matches('\r').replace('\t', "    ")).into_owned()
}

fn is_visible(c: char) -> bool {
    matches!(c, ' '..='~') || !c.is_control() && !is_deceptive(c) && c.width().is_some()
}

/// Pushes a control character as its control picture, which is one column wide and so keeps columns aligned, and other
/// invisible characters as their code point.
fn push_escaped(shown: &mut String, c: char) {
    match c {
        '\0'..='\x1f' => shown.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('?')),
        '\x7f' => shown.push('␡'),
        _ if is_visible(c) => shown.push(c),
        _ => shown.extend(c.escape_unicode()),
    }
}

/// Returns true for characters that look like a space, have no width, or change the direction of the text after them.
fn is_deceptive(c: char) -> bool {
    let is_zero_width = c.width() == Some(0);
    is_zero_width
        || matches!(c, '\u{a0}' | '\u{ad}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{206f}' | '\u{3000}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options_for(terminal: bool, variables: &[(&str, &str)]) -> ReportOptions {
        let streams = DetectedStreams { stdout: terminal, stderr: terminal, width: terminal.then_some(132) };
        let find = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        ReportOptions::from_streams(streams, find)
    }

    #[test]
    fn a_terminal_has_colours_and_a_bar_and_a_pipe_has_neither() {
        let terminal = options_for(true, &[]);
        assert!(terminal.colour && terminal.colour_stderr && terminal.interactive && terminal.width == 132);
        assert_eq!(options_for(false, &[]), ReportOptions::default());
    }

    #[test]
    fn environment_variables_override_colours() {
        assert!(!options_for(true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]).colour);
        assert!(options_for(false, &[("CLICOLOR_FORCE", "1")]).colour);
        assert!(!options_for(false, &[("CLICOLOR_FORCE", "0")]).colour);
        let dumb = options_for(true, &[("TERM", "dumb")]);
        assert!(!dumb.colour && !dumb.interactive);
    }

    #[test]
    fn widths_are_clamped() {
        assert_eq!(options_for(true, &[("COLUMNS", "100")]).width, 100);
        assert_eq!(options_for(true, &[("COLUMNS", "1")]).width, MIN_WIDTH);
        assert_eq!(options_for(true, &[("COLUMNS", "wide")]).width, 132);
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(escape_invisible("plain Ünïcode 漢字"), "plain Ünïcode 漢字");
        assert_eq!(escape_invisible("\x1b[31mred\x07\0\r\n\t\x7f"), "␛[31mred␇␀␍␊␉␡");
        assert_eq!(escape_invisible("a\u{202e}b\u{9b}c\u{200b}\u{a0}"), "a\\u{202e}b\\u{9b}c\\u{200b}\\u{a0}");
        assert_eq!(escape_message("\tat Main.main\r"), "    at Main.main");
        assert_eq!(escape_lines("a\x1b\r\n\u{2066}\tb"), "a␛\n\\u{2066}    b\n");
    }

    #[test]
    fn escaping_is_idempotent() {
        let once = escape_invisible("\x1b\u{202e}e\u{301}").into_owned();
        assert_eq!(escape_invisible(&once), once);
    }
}
