//! Options of reports.

use std::io::IsTerminal;

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
}
