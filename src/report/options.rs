//! How a report looks.

use super::window;
use std::io::IsTerminal;

/// How expected and found outputs stand beside each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiffStyle {
    /// Side by side where both fit.
    #[default]
    Auto,
    /// In two columns, lines cut where they are too long.
    SideBySide,
    /// Below each other.
    Inline,
}

/// How a report looks. [`Options::detect`] is where to start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether results, on the standard output, have colours.
    pub colour: bool,
    /// Whether what goes to the standard error has colours.
    pub colour_stderr: bool,
    /// No line is wider, in columns.
    pub width: usize,
    /// Whether a live bar can be drawn on the standard error.
    pub interactive: bool,
    /// Whether to say more: the compilers' command lines, and failures as they happen.
    pub verbose: bool,
    /// Whether to say nothing but results, warnings and errors.
    pub quiet: bool,
    /// Whether to show every line of an input and every row of a comparison.
    pub all_rows: bool,
    /// Whether to show the time of each submission on each test case.
    pub times: bool,
    /// How outputs are compared.
    pub diff_style: DiffStyle,
}

/// The width where nothing tells a better one.
const WIDTH: usize = 80;
/// Below this, columns do not fit beside each other, and the terminal may break lines as it likes.
const WIDTH_MIN: usize = 40;
/// Above this, a longer line helps nobody.
const WIDTH_MAX: usize = 1000;

/// Plain text, 80 columns.
impl Default for Options {
    fn default() -> Self {
        Options {
            colour: false,
            colour_stderr: false,
            width: WIDTH,
            interactive: false,
            verbose: false,
            quiet: false,
            all_rows: false,
            times: false,
            diff_style: DiffStyle::Auto,
        }
    }
}

impl Options {
    /// What suits this process's streams and environment: `NO_COLOR`, `CLICOLOR_FORCE`, `TERM`, `COLUMNS`.
    pub fn detect() -> Self {
        let streams = Streams {
            stdout: std::io::stdout().is_terminal(),
            stderr: std::io::stderr().is_terminal(),
            width: window::width(),
        };
        Options::choose(streams, |name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    /// The same for a run whose standard output carries data, so that all text goes to the standard error.
    #[must_use]
    pub fn all_to_stderr(self) -> Self {
        Options { colour: self.colour_stderr, ..self }
    }

    fn choose(streams: Streams, variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
        let forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let refused = variable("NO_COLOR").is_some();
        let coloured = |is_terminal: bool| !refused && (forced || is_terminal && !is_dumb);
        let columns = variable("COLUMNS").and_then(|columns| columns.parse().ok());
        Options {
            colour: coloured(streams.stdout),
            colour_stderr: coloured(streams.stderr),
            width: columns.or(streams.width).unwrap_or(WIDTH).clamp(WIDTH_MIN, WIDTH_MAX),
            interactive: streams.stderr && !is_dumb,
            ..Options::default()
        }
    }
}

/// What the standard streams are.
#[derive(Clone, Copy)]
struct Streams {
    stdout: bool,
    stderr: bool,
    width: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(terminal: bool, variables: &[(&str, &str)]) -> Options {
        let streams = Streams { stdout: terminal, stderr: terminal, width: terminal.then_some(132) };
        let find = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        Options::choose(streams, find)
    }

    #[test]
    fn a_terminal_has_colours_and_a_bar_and_a_pipe_has_neither() {
        let terminal = choose(true, &[]);
        assert!(terminal.colour && terminal.colour_stderr && terminal.interactive && terminal.width == 132);
        assert_eq!(choose(false, &[]), Options::default());
    }

    #[test]
    fn the_environment_has_the_last_word_on_colours() {
        assert!(!choose(true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]).colour);
        assert!(choose(false, &[("CLICOLOR_FORCE", "1")]).colour);
        assert!(!choose(false, &[("CLICOLOR_FORCE", "0")]).colour);
        let dumb = choose(true, &[("TERM", "dumb")]);
        assert!(!dumb.colour && !dumb.interactive);
    }

    #[test]
    fn widths_are_sane() {
        assert_eq!(choose(true, &[("COLUMNS", "100")]).width, 100);
        assert_eq!(choose(true, &[("COLUMNS", "1")]).width, WIDTH_MIN);
        assert_eq!(choose(true, &[("COLUMNS", "wide")]).width, 132);
    }
}
